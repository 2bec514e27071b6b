// RUN: not nvvm-opt %s -p nvvm-pretreat 2>&1 | filecheck %s

// CHECK: {{.*}}nvvm_pretreat_error.mlir:6:{{[0-9]+}}: error: in @f: 'llvm.call': llvm.nvvm.prmt takes 3 arguments, not 1
llvm.func @llvm.nvvm.prmt(i32) -> i32
llvm.func @f(%x: i32) -> i32 {
  %0 = llvm.call @llvm.nvvm.prmt(%x) : (i32) -> i32
  llvm.return %0 : i32
}
