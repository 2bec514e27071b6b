// RUN: not nvvm-opt %s -p cnp-launch-check 2>&1 | filecheck %s

// CHECK: {{.*}}cnp_launch_check_error.mlir:13:{{.*}}error: in @parent: 'llvm.call': cudaLaunchDevice of @device, which is not a kernel
llvm.func @cudaLaunchDevice(!llvm.ptr, !llvm.ptr, !llvm.struct<(i32, i32, i32)>, !llvm.struct<(i32, i32, i32)>, i32, !llvm.ptr) -> i32
llvm.func @device(%x: i32) {
  llvm.return
}
llvm.func @parent(%p: !llvm.ptr, %x: i32) attributes {nvvm.kernel} {
  %device = llvm.mlir.addressof @device : !llvm.ptr

  %dim = llvm.mlir.undef : !llvm.struct<(i32, i32, i32)>

  %0 = llvm.call @cudaLaunchDevice(%device, %p, %dim, %dim, %x, %p) : (!llvm.ptr, !llvm.ptr, !llvm.struct<(i32, i32, i32)>, !llvm.struct<(i32, i32, i32)>, i32, !llvm.ptr) -> i32
  llvm.return
}
