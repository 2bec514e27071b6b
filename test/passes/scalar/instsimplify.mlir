// RUN: nvvm-opt %s -p 'instsimplify,dce' | filecheck %s

// CHECK-LABEL: llvm.func @identities
// CHECK-NEXT:    llvm.return %x
llvm.func @identities(%x: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %a = llvm.add %x, %zero : i32
  %b = llvm.mul %one, %a : i32
  %c = llvm.and %b, %ones : i32
  %d = llvm.or %zero, %c : i32
  %e = llvm.xor %d, %zero : i32
  %f = llvm.shl %e, %zero : i32
  %g = llvm.sdiv %f, %one : i32
  llvm.return %g : i32
}

// CHECK-LABEL: llvm.func @constants
// CHECK-NEXT:    %[[C:.*]] = llvm.mlir.constant(-7 : i32)
// CHECK-NEXT:    llvm.return %[[C]]
llvm.func @constants() -> i32 {
  %a = llvm.mlir.constant(-20 : i32) : i32
  %b = llvm.mlir.constant(3 : i32) : i32
  %q = llvm.sdiv %a, %b : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %m = llvm.mul %q, %one : i32
  %r = llvm.sub %m, %one : i32
  llvm.return %r : i32
}

// Poison is not folded away: a wrapped nsw addition, a shift by too much, a division by zero.
// CHECK-LABEL: llvm.func @poison
// CHECK:         llvm.add {{.*}} overflow<nsw>
// CHECK:         llvm.shl
// CHECK:         llvm.udiv
llvm.func @poison(%p: !llvm.ptr) {
  %max = llvm.mlir.constant(2147483647 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %far = llvm.mlir.constant(32 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.add %max, %one overflow<nsw> : i32
  %b = llvm.shl %one, %far : i32
  %c = llvm.udiv %one, %zero : i32
  llvm.store %a, %p : i32, !llvm.ptr
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.store %c, %p : i32, !llvm.ptr
  llvm.return
}

// x + 0.0 is not x when x is -0.0; x + -0.0 is.
// CHECK-LABEL: llvm.func @floats
// CHECK-DAG:     %[[S:.*]] = llvm.mlir.constant(3.000000e-01 : f32)
// CHECK-DAG:     %[[Z:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK:         %[[A:.*]] = llvm.fadd %x, %[[Z]]
// CHECK:         llvm.store %[[A]]
// CHECK:         llvm.store %x
// CHECK:         llvm.store %[[S]]
llvm.func @floats(%x: f32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %minus = llvm.mlir.constant(-0.0 : f32) : f32
  %tenth = llvm.mlir.constant(0.1 : f32) : f32
  %fifth = llvm.mlir.constant(0.2 : f32) : f32
  %a = llvm.fadd %x, %zero : f32
  %b = llvm.fadd %x, %minus : f32
  %c = llvm.fadd %tenth, %fifth : f32
  llvm.store %a, %p : f32, !llvm.ptr
  llvm.store %b, %p : f32, !llvm.ptr
  llvm.store %c, %p : f32, !llvm.ptr
  llvm.return
}

// Out of a struct comes what was put in, also below an inserted part.
// CHECK-LABEL: llvm.func @aggregates
// CHECK-NEXT:    %[[R:.*]] = llvm.add %x, %y
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @aggregates(%x: i32, %y: i32) -> i32 {
  %u = llvm.mlir.undef : !llvm.struct<(i32, array<2 x i32>)>
  %v = llvm.mlir.undef : !llvm.array<2 x i32>
  %a = llvm.insertvalue %y, %v[1] : !llvm.array<2 x i32>
  %b = llvm.insertvalue %x, %u[0] : !llvm.struct<(i32, array<2 x i32>)>
  %c = llvm.insertvalue %a, %b[1] : !llvm.struct<(i32, array<2 x i32>)>
  %d = llvm.extractvalue %c[0] : !llvm.struct<(i32, array<2 x i32>)>
  %e = llvm.extractvalue %c[1, 1] : !llvm.struct<(i32, array<2 x i32>)>
  %r = llvm.add %d, %e : i32
  llvm.return %r : i32
}

// An argument that is the same from everywhere is that value.
// CHECK-LABEL: llvm.func @argument
// CHECK:       ^join:
// CHECK-NEXT:    llvm.return %x
llvm.func @argument(%c: i1, %x: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^store, ^join(%x : i32)
^store:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^join(%x : i32)
^join(%y: i32):
  llvm.return %y : i32
}
