// RUN: nvvm-opt %s -p 'branch-folder' | filecheck %s

// Debug values do not count as instructions and do not keep tails apart.
// CHECK-LABEL: @tails
// CHECK-COUNT-1: nvptx.st global.b32 [%p + 8]
// CHECK-NOT: nvptx.st global.b32 [%p + 8]
// CHECK: nvptx.ret
nvptx.func @tails(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@tails_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@tails_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.debug_value %n <{variable = #llvm.di_local_variable<scope = #llvm.di_file<"f.cu" in "">, name = "a">}> : (!nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
^b:
  nvptx.st global.b32 [%p + 20], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.debug_value %n <{variable = #llvm.di_local_variable<scope = #llvm.di_file<"f.cu" in "">, name = "b">}> : (!nvptx.b32) -> ()
  nvptx.ret
}
