// RUN: nvvm-opt %s -p 'extra-machineinstr-printer' 2>&1 | filecheck %s
// RUN: nvvm-opt %s -p 'print<machine-rpa>' 2>&1 | filecheck %s --check-prefix RPA
// RUN: nvvm-opt %s -p 'require<machine-rpa>' | filecheck %s --check-prefix SAME

// In the loop two addresses and three numbers are live: seven registers, and a predicate.
// CHECK: extra-machineinstr-printer: @sum: 11 instructions in 3 blocks; 7 registers live at most (pred=1 b32=3 b64=2), in ^loop
// CHECK-NEXT: extra-machineinstr-printer: @nothing: 1 instructions in 1 blocks; 0 registers live at most, in ^bb0
// CHECK: nvptx.func kernel @sum
// RPA: Register pressure for function 'sum':
// RPA-NEXT: maximum: pred=1 b16=0 b32=3 b64=2 b128=0 registers=7
// RPA-NEXT: ^bb0: b32=2 b64=2 registers=6 in=0 out=4
// RPA-NEXT: ^loop: pred=1 b32=3 b64=2 registers=7 in=6 out=5
// RPA-NEXT: ^done: b32=1 b64=1 registers=3 in=3 out=0
// RPA-NEXT: Register pressure for function 'nothing':
// SAME: nvptx.func kernel @sum
nvptx.func kernel @sum(#nvptx.param<b64, name = "sum_param_0">, #nvptx.param<b64, name = "sum_param_1">) {
  %p = nvptx.ld param.b64 [@sum_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@sum_param_1] : () -> !nvptx.b64
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%t, %zero : !nvptx.b32, !nvptx.b32)
^loop(%i: !nvptx.b32, %s: !nvptx.b32):
  %v = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %r = nvptx.add s32 %s, %v : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp lt.s32 %r, %i : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%i, %r : !nvptx.b32, !nvptx.b32), ^done
^done:
  nvptx.st global.b32 [%q], %r : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
nvptx.func @nothing() {
  nvptx.ret
}
