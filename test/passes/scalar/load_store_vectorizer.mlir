// RUN: nvvm-opt %s -p 'load-store-vectorizer' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'old-load-store-vectorizer' --verify-each | filecheck %s --check-prefix OLD

// Loads move up to the first of them, across a store to other memory; stores move down to the last. Unused
// addresses are removed.
// CHECK-LABEL: llvm.func @pairs
// CHECK-NOT:     llvm.getelementptr
// CHECK:         %[[V:.*]] = llvm.load %p {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK:         llvm.extractelement %[[V]][%{{.*}} : i32]
// CHECK:         llvm.store %x, %r
// CHECK:         llvm.insertelement
// CHECK:         llvm.store %{{.*}}, %s {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK:         llvm.return
llvm.func @pairs(%p: !llvm.ptr<1> {llvm.align = 8 : i64}, %r: !llvm.ptr<1> {llvm.noalias}, %s: !llvm.ptr<3> {llvm.align = 16 : i64}, %x: i32) -> f32 {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %s1 = llvm.getelementptr %s[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  %s2 = llvm.getelementptr %s[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  %s3 = llvm.getelementptr %s[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  %b = llvm.load %q : !llvm.ptr<1> -> f32
  llvm.store %x, %s : i32, !llvm.ptr<3>
  llvm.store %x, %s3 : i32, !llvm.ptr<3>
  llvm.store %x, %r : i32, !llvm.ptr<1>
  %a = llvm.load %p : !llvm.ptr<1> -> f32
  llvm.store %x, %s2 : i32, !llvm.ptr<3>
  llvm.store %x, %s1 : i32, !llvm.ptr<3>
  %sum = llvm.fadd %a, %b : f32
  llvm.return %sum : f32
}

// The alignment of a load of a vector of four also holds for the words after it. Elements of several types
// are accessed as integers and cast; the old form leaves them.
// CHECK-LABEL: llvm.func @mixed
// CHECK:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK:         llvm.bitcast %{{.*}} : i32 to f32
// OLD-LABEL:   llvm.func @mixed
// OLD:           llvm.load %{{.*}} : !llvm.ptr<1> -> f32
// OLD-NEXT:      llvm.load %{{.*}} : !llvm.ptr<1> -> i32
llvm.func @mixed(%p: !llvm.ptr<1>) -> i32 {
  %q = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %q1 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %v = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %a = llvm.load %q : !llvm.ptr<1> -> f32
  %b = llvm.load %q1 : !llvm.ptr<1> -> i32
  %i = llvm.bitcast %a : f32 to i32
  %sum = llvm.add %i, %b : i32
  llvm.return %sum : i32
}

// An address computed after the first load is moved before it.
// CHECK-LABEL: llvm.func @behind
// CHECK:         %[[P:.*]] = llvm.getelementptr %q[-4]
// CHECK-NEXT:    llvm.load %[[P]] {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
llvm.func @behind(%p: !llvm.ptr<1> {llvm.align = 8 : i64}) -> f32 {
  %q = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %b = llvm.load %q : !llvm.ptr<1> -> f32
  %q2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %a = llvm.load %q2 : !llvm.ptr<1> -> f32
  %sum = llvm.fadd %a, %b : f32
  llvm.return %sum : f32
}

// Two vectors become one of four; pointers become two integers.
// CHECK-LABEL: llvm.func @vectors
// CHECK:         %[[V:.*]] = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NEXT:    llvm.intr.vector.extract %[[V]][0]
// CHECK-NEXT:    llvm.intr.vector.extract %[[V]][2]
// CHECK:         llvm.intr.vector.insert
// CHECK:         llvm.intr.vector.insert
// CHECK-NEXT:    llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK:         llvm.load %r {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xi64>
// CHECK:         llvm.inttoptr
llvm.func @vectors(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %r: !llvm.ptr<1> {llvm.align = 16 : i64}) -> !llvm.ptr {
  %q = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %a = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
  %b = llvm.load %q : !llvm.ptr<1> -> vector<2xf32>
  llvm.store %b, %p : vector<2xf32>, !llvm.ptr<1>
  llvm.store %a, %q : vector<2xf32>, !llvm.ptr<1>
  %r1 = llvm.getelementptr %r[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %c = llvm.load %r : !llvm.ptr<1> -> !llvm.ptr
  %d = llvm.load %r1 : !llvm.ptr<1> -> !llvm.ptr
  llvm.store %c, %d : !llvm.ptr, !llvm.ptr
  llvm.return %d : !llvm.ptr
}

// Not if unaligned, across a possibly aliasing store, a barrier, or a call that may not return; not volatile
// and atomic accesses.
// CHECK-LABEL: llvm.func @stay
// CHECK-NOT:     vector<
// CHECK:         llvm.return
llvm.func @stop()
llvm.func @stay(%n: !llvm.ptr<1>, %p: !llvm.ptr<1> {llvm.align = 8 : i64}, %x: i32) -> i32 {
  %n1 = llvm.getelementptr %n[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %a0 = llvm.load %n : !llvm.ptr<1> -> i32
  %a1 = llvm.load %n1 : !llvm.ptr<1> -> i32
  %b0 = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %n : i32, !llvm.ptr<1>
  %b1 = llvm.load %p1 : !llvm.ptr<1> -> i32
  nvvm.barrier0
  %c0 = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.call @stop() : () -> ()
  %d1 = llvm.load %p1 : !llvm.ptr<1> -> i32
  nvvm.barrier0
  llvm.store %x, %p : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.store %x, %p1 : i32, !llvm.ptr<1>
  %e0 = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %e1 = llvm.load volatile %p1 : !llvm.ptr<1> -> i32
  llvm.store %a1, %p atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
  llvm.store %b1, %p1 atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
  %1 = llvm.add %a0, %b0 : i32
  %2 = llvm.add %1, %c0 : i32
  %3 = llvm.add %2, %d1 : i32
  %4 = llvm.add %3, %e0 : i32
  %5 = llvm.add %4, %e1 : i32
  llvm.return %5 : i32
}
