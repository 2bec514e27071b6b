// RUN: not nvvm-opt %s -p 'structurize-cfg' 2>&1 | filecheck %s
// RUN: sed 's/bar.sync ""/barrier.sync aligned/' %s > %t.aligned.mlir
// RUN: not nvvm-opt %t.aligned.mlir -p 'structurize-cfg' 2>&1 | filecheck %s --check-prefix ALIGNED

// Barriers at both entries: neither can be copied.
// CHECK: UnsupportedIrreducibleCFG: in 'f' the cycle of ^x, ^y is entered at ^x, ^y, and 'nvptx.bar.sync' must not be copied
// ALIGNED: UnsupportedIrreducibleCFG: in 'f' the cycle of ^x, ^y is entered at ^x, ^y, and 'nvptx.barrier.sync' must not be copied
nvptx.func @f(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@f_param_0] : () -> !nvptx.b64
  %t = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^x:
  nvptx.bar.sync "" 1 : () -> ()
  nvptx.bra ^y
^y:
  nvptx.bar.sync "" 0 : () -> ()
  %u = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp ne.s32 %u, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.ret
}
