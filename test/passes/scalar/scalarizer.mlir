// RUN: nvvm-opt %s -p scalarizer --verify-each | filecheck %s
// RUN: nvvm-opt %s -p d2ir-scalarizer | filecheck %s
// RUN: nvvm-opt %s -p 'scalarizer<min-bits=32>' | filecheck %s --check-prefix=WIDE

// A chain: elements are extracted once, and assembled only for the store.
// CHECK-LABEL: llvm.func @chain
// CHECK:         [[v0:%.*]] = llvm.extractelement %v
// CHECK:         [[v1:%.*]] = llvm.extractelement %v
// CHECK:         [[s0:%.*]] = llvm.add [[v0]], [[w0:%.*]] overflow<nsw> : i32
// CHECK:         [[s1:%.*]] = llvm.add [[v1]], [[w1:%.*]] overflow<nsw> : i32
// CHECK:         [[m0:%.*]] = llvm.mul [[s0]], [[w0]] : i32
// CHECK:         [[m1:%.*]] = llvm.mul [[s1]], [[w1]] : i32
// CHECK:         llvm.insertelement [[m0]]
// CHECK:         [[m:%.*]] = llvm.insertelement [[m1]]
// CHECK-NEXT:    llvm.store [[m]], %p
// CHECK-NEXT:    llvm.store [[s0]], %q
llvm.func @chain(%v: vector<2xi32>, %w: vector<2xi32>, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %s = llvm.add %v, %w overflow<nsw> : vector<2xi32>
  %m = llvm.mul %s, %w : vector<2xi32>
  %x = llvm.extractelement %s[%zero : i32] : vector<2xi32>
  llvm.store %m, %p : vector<2xi32>, !llvm.ptr<1>
  llvm.store %x, %q : i32, !llvm.ptr<1>
  llvm.return
}

// Comparisons, a select by one condition for all, casts; block arguments.
// CHECK-LABEL: llvm.func @others
// CHECK-COUNT-2: llvm.fcmp "olt" %{{.*}} : f32
// CHECK-COUNT-2: llvm.select %{{.*}} : i1, f32
// CHECK:       ^next(%b: vector<2xf32>):
// CHECK-COUNT-2: llvm.select %c
// CHECK-COUNT-2: llvm.fpext %{{.*}} : f32 to f64
llvm.func @others(%v: vector<2xf32>, %w: vector<2xf32>, %c: i1, %p: !llvm.ptr<1>) {
  %k = llvm.fcmp "olt" %v, %w : vector<2xf32>
  %s = llvm.select %k, %v, %w : vector<2xi1>, vector<2xf32>
  llvm.br ^next(%s : vector<2xf32>)
^next(%b: vector<2xf32>):
  %t = llvm.select %c, %b, %w : i1, vector<2xf32>
  %d = llvm.fpext %t : vector<2xf32> to vector<2xf64>
  llvm.store %d, %p : vector<2xf64>, !llvm.ptr<1>
  llvm.return
}

// A vector that fits a register is kept whole on request; loads are kept in any case.
// CHECK-LABEL: llvm.func @halves
// CHECK:         llvm.load %p : !llvm.ptr<1> -> vector<2xf16>
// CHECK-COUNT-2: llvm.fadd %{{.*}} : f16
// WIDE-LABEL: llvm.func @halves
// WIDE:         llvm.fadd %{{.*}} : vector<2xf16>
llvm.func @halves(%p: !llvm.ptr<1>) {
  %v = llvm.load %p : !llvm.ptr<1> -> vector<2xf16>
  %s = llvm.fadd %v, %v : vector<2xf16>
  llvm.store %s, %p : vector<2xf16>, !llvm.ptr<1>
  llvm.return
}
