// RUN: nvvm-cc %s --arch sm_100a -S -o - | filecheck %s
// RUN: nvvm-cc %s --arch sm_103a -ftz=1 -S -o - | filecheck %s --check-prefix FTZ
// RUN: nvvm-cc %s --arch sm_100a -fmad=0 -S -o - | filecheck %s --check-prefix ROUNDED
// RUN: nvvm-cc %s --arch sm_90 -S -o - | filecheck %s --check-prefix SCALAR
// RUN: nvvm-cc %s --arch sm_120a -S -o - | filecheck %s --check-prefix SCALAR

// Two f32 are computed by one instruction if the GPU has it; intermediate pairs stay in a
// register.
// CHECK:         ld.global.v2.f32 {[[A:%f[0-9]+]], [[B:%f[0-9]+]]}
// CHECK:         mov.b64 [[X:%rd[0-9]+]], {[[A]], [[B]]}
// CHECK:         add.f32x2 [[S:%rd[0-9]+]], [[X]], [[X]]
// CHECK:         neg.f32
// CHECK:         fma.rn.f32x2 [[F:%rd[0-9]+]], [[S]], [[X]],
// CHECK:         mul.f32x2 [[M:%rd[0-9]+]], [[F]], [[TWO:%rd[0-9]+]]
// CHECK:         fma.rn.f32x2 %rd{{[0-9]+}}, [[M]], [[F]], [[S]]
// FTZ:           add.ftz.f32x2
// FTZ:           fma.rn.ftz.f32x2
// FTZ:           mul.ftz.f32x2
// ROUNDED:       add.rn.f32x2
// ROUNDED:       mul.rn.f32x2
// ROUNDED:       sub.rn.f32x2
// SCALAR-NOT:    f32x2
// SCALAR-COUNT-2: add.f32
llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %x = llvm.load %p {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
  %two = llvm.mlir.constant(dense<2.0> : vector<2xf32>) : vector<2xf32>
  %s = llvm.fadd %x, %x : vector<2xf32>
  %t = llvm.fmul %s, %x : vector<2xf32>
  %f = llvm.fsub %t, %x : vector<2xf32>
  %m = llvm.fmul %f, %two : vector<2xf32>
  %r = llvm.intr.fma(%m, %f, %s) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  llvm.store %r, %p {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}
