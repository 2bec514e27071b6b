// RUN: not nvvm-opt %s -p 'structurize-cfg' 2>&1 | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-phi-elimination,structurize-cfg'
// RUN: not nvvm-opt %s -p 'nvptx-phi-elimination,structurize-cfg{max-copied-instructions=2}' 2>&1 | filecheck %s --check-prefix CAP

// CHECK: structurize-cfg requires the property NoPHIs: in 'f' blocks have arguments; run nvptx-phi-elimination first
// CAP: UnsupportedIrreducibleCFG: in 'f' the cycle of {{.*}} is entered at {{.*}}, and splitting it copies 3 instructions, more than the remaining limit of 2
nvptx.func @f(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@f_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y(%t : !nvptx.b32)
^x:
  %v = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^y(%v : !nvptx.b32)
^y(%u: !nvptx.b32):
  nvptx.st global.b32 [%p + 8], %u : (!nvptx.b64, !nvptx.b32) -> ()
  %w = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp ne.s32 %w, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.ret
}
