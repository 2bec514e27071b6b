// RUN: nvvm-opt -g %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: nvptx.debug_value needs a #llvm.di_local_variable 'variable'
nvptx.func @no_variable() {
  nvptx.debug_value <{constant = 7 : i64}> : () -> ()
  nvptx.ret
}

// -----

// CHECK: nvptx.debug_value has a register, a symbol or a constant, no results
nvptx.func @two_places() {
  nvptx.debug_value <{constant = 7 : i64, space = "local", symbol = "depot", variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  nvptx.ret
}
