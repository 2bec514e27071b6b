// RUN: nvvm-opt -g %s | nvvm-opt -g | filecheck %s
// RUN: nvvm-opt -g %s --print-op-generic | nvvm-opt -g | filecheck %s
// RUN: nvvm-opt -g %s -p dead-mi-elimination | filecheck %s --check-prefix=DEAD

// Every form of a variable's location. None of them keeps a register live.

// DEAD-NOT: nvptx.mov
// DEAD-COUNT-6: nvptx.debug_value
nvptx.func @places() {
  // CHECK: nvptx.local @depot
  nvptx.local @depot 8 align 8
  // CHECK-NEXT: %r = nvptx.mov.sreg
  %r = nvptx.mov.sreg "tid.x" : !nvptx.b32
  // CHECK-NEXT: nvptx.debug_value %r <{variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : (!nvptx.b32) -> ()
  nvptx.debug_value %r <{variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : (!nvptx.b32) -> ()
  // CHECK-NEXT: nvptx.debug_value %r <{address, variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : (!nvptx.b32) -> ()
  nvptx.debug_value %r <{address, variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : (!nvptx.b32) -> ()
  // CHECK-NEXT: nvptx.debug_value <{space = "local", symbol = "depot", variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  nvptx.debug_value <{space = "local", symbol = "depot", variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  // CHECK-NEXT: nvptx.debug_value <{expression = #llvm.di_expression<[DW_OP_plus_uconst(4)]>, space = "local", symbol = "depot", variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  nvptx.debug_value <{expression = #llvm.di_expression<[DW_OP_plus_uconst(4)]>, space = "local", symbol = "depot", variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  // CHECK-NEXT: nvptx.debug_value <{constant = 7 : i64, variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  nvptx.debug_value <{constant = 7 : i64, variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  // CHECK-NEXT: nvptx.debug_value <{variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  nvptx.debug_value <{variable = #llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">}> : () -> ()
  // CHECK-NEXT: nvptx.ret
  nvptx.ret
}
