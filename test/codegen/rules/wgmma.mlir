// RUN: nvvm-cc %s -arch sm_90a -o - | filecheck %s
// RUN: nvvm-cc %s -arch sm_90a -o - | ptxas -arch sm_90a - -o /dev/null

// CHECK: wgmma.fence.sync.aligned;
// CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[A:%f[0-9]+]], [[B:%f[0-9]+]], [[C:%f[0-9]+]], [[D:%f[0-9]+]]}, [[X:%rd[0-9]+]], [[Y:%rd[0-9]+]], 0, -1, 1, 1, 0;
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[A]], [[B]], [[C]], [[D]]}, [[Y]], [[X]], 1, 1, 1, 0, 1;
// CHECK: wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.u8 {{{.*}}}, [[X]], [[Y]], 1;
// CHECK: wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 {{{.*}}}, [[X]], [[Y]], 1, 1, 1;
// CHECK: wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {{{.*}}}, [[X]], [[Y]], 1;
// CHECK: wgmma.commit_group.sync.aligned;
// CHECK: wgmma.wait_group.sync.aligned 0;
llvm.func @k(%p: !llvm.ptr<1>, %x: i64, %y: i64) attributes {nvvm.kernel} {
  %zero = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
  %ints = llvm.mlir.zero : !llvm.struct<(i32, i32, i32, i32)>
  %halves = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  nvvm.wgmma.fence.aligned
  %0 = nvvm.wgmma.mma_async %x, %y, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <zero>], A[<f16>, <neg>, <col>], B[<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  %1 = nvvm.wgmma.mma_async %y, %x, %0, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  %2 = nvvm.wgmma.mma_async %x, %y, %ints, <m = 64, n = 8, k = 32>, D[<s32>, <one>, <satfinite>], A[<s8>, <one>, <row>], B[<u8>, <one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  %3 = nvvm.wgmma.mma_async %x, %y, %halves, <m = 64, n = 8, k = 32>, D[<f16>, <one>], A[<e4m3>, <one>, <row>], B[<e5m2>, <one>, <col>] : !llvm.struct<(i32, i32)> -> !llvm.struct<(i32, i32)>
  %4 = nvvm.wgmma.mma_async %x, %y, %ints, <m = 64, n = 8, k = 256>, D[<s32>, <one>], A[<b1>, <one>, <row>], B[<b1>, <one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %1, %p : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  %q = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %2, %q : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  %r = llvm.getelementptr %p[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %3, %r : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  %s = llvm.getelementptr %p[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %4, %s : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}
