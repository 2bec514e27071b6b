// The target prints a module at any stage of code generation, in our tool and in an unpatched xdsl-opt.
//
// RUN: nvvm-opt %s -t 'ptx{arch=sm_90}' | filecheck %s
// RUN: xdsl-opt %s -t 'ptx{arch=sm_90}' | filecheck %s
// RUN-CLI: xdsl-opt %s -t ptx | filecheck %s --check-prefix=DEFAULT
// RUN: not nvvm-opt %s -t 'ptx{arch=sm_1}' 2>&1 | filecheck %s --check-prefix=ERROR

// CHECK:       .target sm_90
// CHECK:       .visible .entry store(
// CHECK:       st.global.b32
// DEFAULT:     .target sm_75
// ERROR:       error: unknown target 'sm_1'
builtin.module {
  llvm.func @store(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c = llvm.mlir.constant(7 : i32) : i32
    llvm.store %c, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
