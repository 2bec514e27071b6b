// RUN: nvvm-opt %s -p 'globalopt<globalopt-max-heap-fields=16>' | filecheck %s

// The document's example of two fields. If one allocation fails, the other is freed and the object is null. Where the
// document returns early, the null pointer is used instead.
// CHECK: llvm.mlir.global internal @g.f0() {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.ptr
// CHECK: llvm.mlir.global internal @g.f1() {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.ptr
llvm.mlir.global internal @g() {addr_space = 1 : i32} : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// CHECK: llvm.func @make(
// CHECK: %g.f0 = llvm.call @malloc(%[[BYTES:.*]]) : (i64) -> !llvm.ptr
// CHECK: %g.f1 = llvm.call @malloc(
// CHECK: %g.isneg = llvm.icmp "slt" %n, %{{.*}} : i64
// CHECK-NEXT: %g.isnull = llvm.icmp "eq" %g.f0, %[[NULL:.*]] : !llvm.ptr
// CHECK-NEXT: %tmp0 = llvm.or %g.isneg, %g.isnull : i1
// CHECK-NEXT: %[[ISNULL1:.*]] = llvm.icmp "eq" %g.f1, %[[NULL]] : !llvm.ptr
// CHECK-NEXT: %tmp1 = llvm.or %tmp0, %[[ISNULL1]] : i1
// CHECK-NEXT: llvm.cond_br %tmp1, ^malloc_ret_null, ^malloc_cont(%g.f0, %g.f1 : !llvm.ptr, !llvm.ptr)
// CHECK: ^malloc_ret_null:
// CHECK-NEXT: %g.f0.nonnull = llvm.icmp "ne" %g.f0, %[[NULL]]
// CHECK-NEXT: llvm.cond_br %g.f0.nonnull, ^free_it0, ^next0
// CHECK: ^free_it0:
// CHECK-NEXT: llvm.call @free(%g.f0)
// CHECK-NEXT: llvm.br ^next0
// CHECK: ^next0:
// CHECK-NEXT: %g.f1.nonnull = llvm.icmp "ne" %g.f1, %[[NULL]]
// CHECK-NEXT: llvm.cond_br %g.f1.nonnull, ^free_it1, ^next1
// CHECK: ^free_it1:
// CHECK-NEXT: llvm.call @free(%g.f1)
// CHECK: ^next1:
// CHECK-NEXT: llvm.br ^malloc_cont(%[[NULL]], %[[NULL]] : !llvm.ptr, !llvm.ptr)
// CHECK: ^malloc_cont(%[[F0:.*]]: !llvm.ptr, %[[F1:.*]]: !llvm.ptr):
// CHECK: %[[G0:.*]] = llvm.mlir.addressof @g.f0
// CHECK-NEXT: llvm.store %[[F0]], %[[G0]]
// CHECK: %[[G1:.*]] = llvm.mlir.addressof @g.f1
// CHECK-NEXT: llvm.store %[[F1]], %[[G1]]
llvm.func @make(%n: i64) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %bytes = llvm.mul %n, %c8 : i64
  %p = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  %g = llvm.mlir.addressof @g : !llvm.ptr<1>
  llvm.store %p, %g : !llvm.ptr, !llvm.ptr<1>
  llvm.return
}
// CHECK: llvm.func @use(
// CHECK: %g.f0 = llvm.load
// CHECK: %g.f1 = llvm.load
// CHECK: %[[AT:.*]] = llvm.getelementptr %g.f1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.store %x, %[[AT]] {alignment = 4 : i64}
// CHECK: llvm.load %g.f0 {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.call @free(%g.f0)
// CHECK-NEXT: llvm.call @free(%g.f1)
llvm.func @use(%i: i64, %x: f32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %g = llvm.mlir.addressof @g : !llvm.ptr<1>
  %p = llvm.load %g : !llvm.ptr<1> -> !llvm.ptr
  %f = llvm.getelementptr %p[%i, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  llvm.store %x, %f : f32, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.store %v, %out : i32, !llvm.ptr<1>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
