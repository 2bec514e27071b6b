// RUN: not nvvm-cc %s -o - 2>&1 | filecheck %s

// PTX ISA 9.7.14.4 has no such shape.
// CHECK: error_wmma_shape.mlir:[[# @LINE + 2]]:3: error: in @f: this form of nvvm.wmma.mma is not supported by code generation
llvm.func @f(%arg0: i32, %arg1: f32, %p: !llvm.ptr) attributes {nvvm.kernel} {
  %0 = nvvm.wmma.mma %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1 {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 8 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = -16 : i32, n = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  llvm.store %0, %p : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr
  llvm.return
}
