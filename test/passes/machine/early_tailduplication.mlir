// RUN: nvvm-opt %s -p 'early-tailduplication' --verify-each | filecheck %s

// A block with only a branch is bypassed, including its arguments and constants.
// CHECK-LABEL: @past
// CHECK:         %five = nvptx.mov b32 5
// CHECK-NEXT:    nvptx.cbra %c : !nvptx.pred, ^join(%x, %five : !nvptx.b32, !nvptx.b32), ^other
// CHECK-NOT:   ^between
nvptx.func @past(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@past_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b32 [@past_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.b32 %x, 1 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^between(%x : !nvptx.b32), ^other
^between(%a: !nvptx.b32):
  %five = nvptx.mov b32 5 : () -> !nvptx.b32
  nvptx.bra ^join(%a, %five : !nvptx.b32, !nvptx.b32)
^other:
  %y = nvptx.add s32 %x, 2 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^join(%y, %x : !nvptx.b32, !nvptx.b32)
^join(%u: !nvptx.b32, %v: !nvptx.b32):
  nvptx.st global.b32 [%p], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Two edges to one block with different values need a block; a loop's exit keeps its constant outside; a
// block is kept for values with other users and for values that are not constants.
// CHECK-LABEL: @stay
// CHECK:         nvptx.cbra %c : !nvptx.pred, ^double, ^head(%x, %x : !nvptx.b32, !nvptx.b32)
// CHECK:       ^double:
// CHECK:       ^head(
// CHECK:         nvptx.cbra %again : !nvptx.pred, ^head({{.*}}), ^leave
// CHECK:       ^leave:
// CHECK-NEXT:    %zero = nvptx.mov b32 0
// CHECK-NEXT:    nvptx.bra ^seen(%zero : !nvptx.b32)
// CHECK:       ^seen(
// CHECK-NEXT:    nvptx.bra ^last
nvptx.func @stay(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@stay_param_0] : () -> !nvptx.b64
  %x = nvptx.ld param.b32 [@stay_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.b32 %x, 1 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^double, ^head(%x, %x : !nvptx.b32, !nvptx.b32)
^double:
  %one = nvptx.mov b32 1 : () -> !nvptx.b32
  nvptx.bra ^head(%one, %x : !nvptx.b32, !nvptx.b32)
^head(%i: !nvptx.b32, %j: !nvptx.b32):
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %again = nvptx.setp lt.s32 %next, 100 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %again : !nvptx.pred, ^head(%next, %j : !nvptx.b32, !nvptx.b32), ^leave
^leave:
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^seen(%zero : !nvptx.b32)
^seen(%z: !nvptx.b32):
  nvptx.bra ^last
^last:
  nvptx.st global.b32 [%p], %z : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %next : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// An infinite loop of empty blocks stays one.
// CHECK-LABEL: @endless
// CHECK:       ^[[A:.*]]:
// CHECK-NEXT:    nvptx.bra ^[[A]]
nvptx.func @endless() {
  nvptx.bra ^a
^a:
  nvptx.bra ^b
^b:
  nvptx.bra ^a
}

// A table's edges through a block would pass different values to its target.
// CHECK-LABEL: @two_through
// CHECK:         nvptx.brx %t : !nvptx.b32, ^between(%t : !nvptx.b32), ^between(%u : !nvptx.b32), ^other
// CHECK-NEXT:  ^between(
nvptx.func @two_through() {
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %u = nvptx.mov.sreg "tid.y" : !nvptx.b32
  nvptx.brx %t : !nvptx.b32, ^between(%t : !nvptx.b32), ^between(%u : !nvptx.b32), ^other
^between(%m: !nvptx.b32):
  nvptx.bra ^join(%m : !nvptx.b32)
^other:
  %y = nvptx.add s32 %u, 2 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^join(%y : !nvptx.b32)
^join(%v: !nvptx.b32):
  nvptx.st global.b32 [%t], %v : (!nvptx.b32, !nvptx.b32) -> ()
  nvptx.ret
}

// The first edge to the target passes the same value, a later one does not.
// CHECK-LABEL: @later_differs
// CHECK:         nvptx.brx %t : !nvptx.b32, ^join(%t : !nvptx.b32), ^between, ^join(%u : !nvptx.b32)
// CHECK-NEXT:  ^between:
nvptx.func @later_differs() {
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %u = nvptx.mov.sreg "tid.y" : !nvptx.b32
  nvptx.brx %t : !nvptx.b32, ^join(%t : !nvptx.b32), ^between, ^join(%u : !nvptx.b32)
^between:
  nvptx.bra ^join(%t : !nvptx.b32)
^join(%v: !nvptx.b32):
  nvptx.st global.b32 [%t], %v : (!nvptx.b32, !nvptx.b32) -> ()
  nvptx.ret
}
