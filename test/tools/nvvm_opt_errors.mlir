// RUN: nvvm-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s

// CHECK: nvvm_opt_errors.mlir:5:{{[0-9]+}}: error:
builtin.module {
  %x = llvm.mlir.constant(1 : i32 : i32
}

// -----

// CHECK: error: in @f: {{.*}}%x does not dominate
builtin.module {
  llvm.func @f() -> i32 {
    %y = llvm.add %x, %x : i32
    %x = llvm.mlir.constant(1 : i32) : i32
    llvm.return %y : i32
  }
}

// -----

// CHECK: llvm.func @fine
llvm.func @fine()
