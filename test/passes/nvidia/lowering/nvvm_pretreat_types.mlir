// RUN: not nvvm-opt %s -p nvvm-pretreat 2>&1 | filecheck %s

// CHECK: {{.*}}nvvm_pretreat_types.mlir:5:{{[0-9]+}}: error: in @f: 'llvm.zext': result 'res' at position 0 does not verify
llvm.func @f(%x: i32) {
  %0 = llvm.call_intrinsic "llvm.nvvm.barrier0.or"(%x) : (i32) -> vector<4xf16>
  llvm.return
}
