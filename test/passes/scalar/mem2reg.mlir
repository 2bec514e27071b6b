// RUN: nvvm-opt %s -p 'mem2reg' | filecheck %s

// A slot that two blocks store to becomes an argument of the block that loads it.
// CHECK-LABEL: llvm.func @branch
llvm.func @branch(%c: i1, %x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.store %zero, %slot : i32, !llvm.ptr
  llvm.br ^join
^join:
  %y = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %y : i32
}
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.cond_br %c, ^then, ^join(%x : i32)
// CHECK:       ^then:
// CHECK-NEXT:    llvm.br ^join(%zero : i32)
// CHECK:       ^join(%[[Y:.*]]: i32):
// CHECK-NEXT:    llvm.return %[[Y]] : i32

// The counter of a loop; a slot that is used only in the loop's body needs no argument.
// CHECK-LABEL: llvm.func @loop
llvm.func @loop(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %i = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %t = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %i : i32, !llvm.ptr
  llvm.br ^head
^head:
  %v = llvm.load %i : !llvm.ptr -> i32
  %c = llvm.icmp "slt" %v, %n : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %next = llvm.add %v, %one : i32
  llvm.store %next, %t : i32, !llvm.ptr
  %again = llvm.load %t : !llvm.ptr -> i32
  llvm.store %again, %i : i32, !llvm.ptr
  llvm.br ^head
^exit:
  %r = llvm.load %i : !llvm.ptr -> i32
  llvm.return %r : i32
}
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.br ^head(%zero : i32)
// CHECK:       ^head(%[[I:.*]]: i32):
// CHECK-NEXT:    llvm.icmp "slt" %[[I]], %n
// CHECK:       ^body:
// CHECK-NEXT:    %next = llvm.add %[[I]], %one
// CHECK-NEXT:    llvm.br ^head(%next : i32)
// CHECK:       ^exit:
// CHECK-NEXT:    llvm.return %[[I]] : i32

// Through casts of the address, with lifetime markers, as another type of the same width.
// CHECK-LABEL: llvm.func @casts
llvm.func @casts(%x: f32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x f32 : (i32) -> !llvm.ptr<5>
  llvm.intr.lifetime.start %slot : !llvm.ptr<5>
  %p = llvm.addrspacecast %slot : !llvm.ptr<5> to !llvm.ptr
  %q = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.store %x, %q : f32, !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> i32
  llvm.intr.lifetime.end %slot : !llvm.ptr<5>
  llvm.return %y : i32
}
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[B:.*]] = llvm.bitcast %x : f32 to i32
// CHECK-NEXT:    llvm.return %[[B]] : i32

// A switch that names one target several times passes the value along each edge.
// CHECK-LABEL: llvm.func @switch
llvm.func @switch(%s: i32, %x: i32, %y: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  llvm.switch %s : i32, ^other [
    1: ^join,
    2: ^join
  ]
^other:
  llvm.store %y, %slot : i32, !llvm.ptr
  llvm.br ^join
^join:
  %r = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %r : i32
}
// CHECK:         llvm.switch %s : i32, ^other [
// CHECK-NEXT:      1: ^join(%x : i32),
// CHECK-NEXT:      2: ^join(%x : i32)
// CHECK:         llvm.br ^join(%y : i32)

// A slot without stores is undefined.
// CHECK-LABEL: llvm.func @undefined
llvm.func @undefined() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %r = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %r : i32
}
// CHECK:         %[[U:.*]] = llvm.mlir.undef : i32
// CHECK:         llvm.return %[[U]] : i32

// Volatile and atomic accesses, escaping addresses, partial accesses and arrays stay in memory.
// CHECK-LABEL: llvm.func @stays
llvm.func @stays(%x: i32, %out: !llvm.ptr, %i: i64) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  // CHECK-COUNT-5: llvm.alloca
  %v = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %e = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %n = llvm.alloca %two x i32 : (i32) -> !llvm.ptr
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  // CHECK: llvm.store volatile %x, %v
  llvm.store volatile %x, %v : i32, !llvm.ptr
  // CHECK: llvm.store %e, %out
  llvm.store %e, %out : !llvm.ptr, !llvm.ptr
  llvm.store %x, %p : i32, !llvm.ptr
  // CHECK: llvm.load %p : !llvm.ptr -> i8
  %b = llvm.load %p : !llvm.ptr -> i8
  %q = llvm.getelementptr %n[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  // CHECK: llvm.load %q
  %l = llvm.load %q : !llvm.ptr -> i32
  // CHECK: llvm.store %x, %a atomic monotonic
  llvm.store %x, %a atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr
  %z = llvm.zext %b : i8 to i32
  %r = llvm.add %z, %l : i32
  llvm.return %r : i32
}

// In unreachable code a value may be used before its definition.
// CHECK-LABEL: llvm.func @unreachable
llvm.func @unreachable() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %one, %slot : i32, !llvm.ptr
  llvm.br ^join
^dead:
  %d = llvm.load %slot : !llvm.ptr -> i32
  llvm.store %d, %slot : i32, !llvm.ptr
  llvm.br ^join
^join:
  %r = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %r : i32
}
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.br ^join
// CHECK:       ^join
