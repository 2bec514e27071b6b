// RUN: nvvm-opt %s -p 'common-base-elim' | filecheck %s
// RUN: nvvm-opt %s -p 'common-base-elim,common-base-elim' | filecheck %s
// RUN: nvvm-opt %s -p 'common-base-elim<no-cbe-enable>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'common-base-elim<cbe-min-uses=3>' | filecheck %s --check-prefix=USES
// RUN: nvvm-opt %s -p 'common-base-elim<cbe-max-iter=1>' | filecheck %s --check-prefix=ITER
// RUN: nvvm-opt %s -p 'common-base-elim<cbe-max-depth=1>' | filecheck %s --check-prefix=DEPTH

// A[(i-1)*256+j], A[i*256+j] and A[i*256+j+1] of one block: the base is the first. The store in another array remains.
// CHECK-LABEL: llvm.func @one_block
// CHECK:         %[[I:.*]] = llvm.sext %i : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %a[%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<1024 x i8>
// CHECK-NEXT:    %[[J:.*]] = llvm.sext %j : i32 to i64
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %[[P]][%[[J]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    %[[B:.*]] = llvm.getelementptr %[[Q]][-1024] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.load %[[B]]
// CHECK:         %[[R:.*]] = llvm.getelementptr %[[B]][1024] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.load %[[R]]
// CHECK:         %[[S:.*]] = llvm.getelementptr %[[B]][1028] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.load %[[S]]
// CHECK:         llvm.getelementptr %b[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32

// OFF-LABEL: llvm.func @one_block
// OFF-COUNT-3: llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// DEPTH-LABEL: llvm.func @one_block
// DEPTH-COUNT-3: llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
llvm.func @one_block(%a: !llvm.ptr, %b: !llvm.ptr, %i: i32, %j: i32) {
  %m = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(256 : i32) : i32
  %i1 = llvm.add %i, %m overflow<nsw> : i32
  %r1 = llvm.mul %i1, %n overflow<nsw> : i32
  %s1 = llvm.add %r1, %j overflow<nsw> : i32
  %e1 = llvm.sext %s1 : i32 to i64
  %p1 = llvm.getelementptr %a[%e1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v1 = llvm.load %p1 : !llvm.ptr -> f32
  %r2 = llvm.mul %i, %n overflow<nsw> : i32
  %s2 = llvm.add %r2, %j overflow<nsw> : i32
  %e2 = llvm.sext %s2 : i32 to i64
  %p2 = llvm.getelementptr %a[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v2 = llvm.load %p2 : !llvm.ptr -> f32
  %s3 = llvm.add %s2, %one overflow<nsw> : i32
  %e3 = llvm.sext %s3 : i32 to i64
  %p3 = llvm.getelementptr %a[%e3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v3 = llvm.load %p3 : !llvm.ptr -> f32
  %x = llvm.fadd %v1, %v2 : f32
  %y = llvm.fadd %x, %v3 : f32
  %q = llvm.getelementptr %b[%e2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %y, %q : f32, !llvm.ptr
  llvm.return
}

// Two families of two addresses in two blocks, four levels below their dominator.
// CHECK-LABEL: llvm.func @far
// CHECK:         llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         llvm.getelementptr %b[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         llvm.cond_br
// USES-LABEL: llvm.func @far
// USES-NOT:     !llvm.array<4 x i8>
// ITER-LABEL: llvm.func @far
// ITER:         llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// ITER-NOT:     !llvm.array<4 x i8>
llvm.func @far(%a: !llvm.ptr, %b: !llvm.ptr, %i: i64, %c: i1, %x: f32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %i1 = llvm.add %i, %one : i64
  llvm.cond_br %c, ^b1, ^end
^b1:
  llvm.cond_br %c, ^b2, ^end
^b2:
  llvm.cond_br %c, ^b3, ^end
^b3:
  llvm.cond_br %c, ^b4, ^end
^b4:
  %p = llvm.getelementptr %a[%i1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %p : f32, !llvm.ptr
  %q = llvm.getelementptr %b[%i1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %q : f32, !llvm.ptr
  llvm.br ^end
^end:
  %r = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %r : f32, !llvm.ptr
  %s = llvm.getelementptr %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %s : f32, !llvm.ptr
  llvm.return
}
