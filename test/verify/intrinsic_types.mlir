// RUN: not nvvm-opt %s 2>&1 | filecheck %s

// CHECK: {{.*}}intrinsic_types.mlir:5:{{[0-9]+}}: error: in @f: 'llvm.call_intrinsic': result of llvm.nvvm.fma.rn.f must be f32, not vector<4xf16>
llvm.func @f(%x: f32) {
  %0 = llvm.call_intrinsic "llvm.nvvm.fma.rn.f"(%x, %x, %x) : (f32, f32, f32) -> vector<4xf16>
  llvm.return
}
