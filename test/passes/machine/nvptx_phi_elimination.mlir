// RUN: nvvm-opt %s -p 'nvptx-phi-elimination' | filecheck %s
// RUN: nvvm-opt %s -p 'nvptx-phi-elimination' -opt -dump-phi-remove 2>&1 | filecheck %s --check-prefix REMOVED
// REMOVED: PHI %{{.*}} of ^{{.*}} removed
// RUN: nvvm-opt %s -p 'nvptx-phi-elimination{cssa-coalesce="none"}' | filecheck %s --check-prefix NONE
// RUN: nvvm-opt %s -p 'nvptx-phi-elimination{no-do-cssa}' | filecheck %s --check-prefix NONE

// The counter and its successor share a register: the loop has no copies and keeps its
// form.
// CHECK-LABEL: @count
// CHECK: %i = nvptx.register : !nvptx.b32<1>
// CHECK: nvptx.mov b32 0 : () -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.bra ^loop
// CHECK-NEXT: ^loop:
// CHECK-NEXT: nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
// CHECK-NEXT: %c = nvptx.setp lt.s32 %i, 10 : (!nvptx.b32<1>) -> !nvptx.pred
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^loop, ^done
// NONE-LABEL: @count
// NONE: ^loop:
// NONE-NEXT: %next = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32
// NONE-NEXT: %c = nvptx.setp lt.s32 %next, 10 : (!nvptx.b32) -> !nvptx.pred
// NONE-NEXT: nvptx.mov b32 %next : (!nvptx.b32) -> !nvptx.b32<1>
// NONE-NEXT: nvptx.cbra %c : !nvptx.pred, ^loop, ^done
nvptx.func @count() {
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%zero : !nvptx.b32)
^loop(%i: !nvptx.b32):
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp lt.s32 %next, 10 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%next : !nvptx.b32), ^done
^done:
  nvptx.ret
}

// A swap needs a temporary. Both values are live into the exit, so the copies are in a block on the
// backedge.
// CHECK-LABEL: @swap
// CHECK: ^loop:
// CHECK-NEXT: nvptx.setp
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^[[EDGE:.*]], ^done
// CHECK-NEXT: ^[[EDGE]]:
// CHECK-NEXT: %[[T:.*]] = nvptx.mov b32 %x : (!nvptx.b32<1>) -> !nvptx.b32
// CHECK-NEXT: nvptx.mov b32 %y : (!nvptx.b32<2>) -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.mov b32 %[[T]] : (!nvptx.b32) -> !nvptx.b32<2>
// CHECK-NEXT: nvptx.bra ^loop
nvptx.func @swap() {
  %a = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %b = nvptx.mov.sreg "tid.y" : !nvptx.b32
  nvptx.bra ^loop(%a, %b : !nvptx.b32, !nvptx.b32)
^loop(%x: !nvptx.b32, %y: !nvptx.b32):
  %c = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%y, %x : !nvptx.b32, !nvptx.b32), ^done
^done:
  %s = nvptx.sub s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st "param.b32" [@func_retval0], %s : (!nvptx.b32) -> ()
  nvptx.ret
}

// The old value is read after the new one was computed, but the new one is not used before: it moves, and no
// copy is needed.
// CHECK-LABEL: @increment_moves
// CHECK: ^loop:
// CHECK-NEXT: nvptx.st local.b32 [@a], %i
// CHECK-NEXT: nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
// CHECK-NEXT: %c = nvptx.setp lt.s32 %i, 10
// CHECK-NEXT: nvptx.cbra
nvptx.func @increment_moves() {
  nvptx.local @a 4 align 4
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%zero : !nvptx.b32)
^loop(%i: !nvptx.b32):
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@a], %i : (!nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %next, 10 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%next : !nvptx.b32), ^done
^done:
  nvptx.ret
}

// From the head of the loop to its end.
// CHECK-LABEL: @increment_moves_to_the_latch
// CHECK: ^loop:
// CHECK-NEXT: nvptx.st local.b32 [@a], %i
// CHECK-NEXT: %c = nvptx.setp lt.s32 %i, 10
// CHECK-NEXT: nvptx.cbra
// CHECK-NEXT: ^latch:
// CHECK-NEXT: nvptx.st local.b32 [@a], %i
// CHECK-NEXT: nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.bra ^loop
nvptx.func @increment_moves_to_the_latch() {
  nvptx.local @a 4 align 4
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%zero : !nvptx.b32)
^loop(%i: !nvptx.b32):
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@a], %i : (!nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %i, 10 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^latch, ^done
^latch:
  nvptx.st local.b32 [@a], %i : (!nvptx.b32) -> ()
  nvptx.bra ^loop(%next : !nvptx.b32)
^done:
  nvptx.ret
}

// The copy is kept if both values are needed: one copy, at the end of the block, because the register is dead
// at the exit.
// CHECK-LABEL: @old_value
// CHECK: ^loop:
// CHECK-NEXT: %next = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32
// CHECK-NEXT: nvptx.st local.v2.b32 [@a], {%i, %next}
// CHECK-NEXT: %c = nvptx.setp lt.s32 %next, 10
// CHECK-NEXT: nvptx.mov b32 %next : (!nvptx.b32) -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.cbra
nvptx.func @old_value() {
  nvptx.local @a 8 align 8
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%zero : !nvptx.b32)
^loop(%i: !nvptx.b32):
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st local.v2.b32 [@a], {%i, %next} : (!nvptx.b32, !nvptx.b32) -> ()
  %c = nvptx.setp lt.s32 %next, 10 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%next : !nvptx.b32), ^done
^done:
  nvptx.ret
}

// A loop of one block whose old value leaves it. At the end of the block the copy of the new value would
// overwrite the old one, so it is on the edge (the lost copy problem).
// CHECK-LABEL: @lost_copy
// CHECK: ^loop:
// CHECK-NEXT: %next = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32
// CHECK-NEXT: %c = nvptx.setp lt.s32 %next, 10
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^[[EDGE:.*]], ^done
// CHECK-NEXT: ^[[EDGE]]:
// CHECK-NEXT: nvptx.mov b32 %next : (!nvptx.b32) -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.bra ^loop
// CHECK-NEXT: ^done:
// CHECK-NEXT: nvptx.st local.b32 [@a], %i
nvptx.func @lost_copy() {
  nvptx.local @a 4 align 4
  %zero = nvptx.mov b32 0 : () -> !nvptx.b32
  nvptx.bra ^loop(%zero : !nvptx.b32)
^loop(%i: !nvptx.b32):
  %next = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp lt.s32 %next, 10 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%next : !nvptx.b32), ^done
^done:
  nvptx.st local.b32 [@a], %i : (!nvptx.b32) -> ()
  nvptx.ret
}

// A rotation of three values needs four copies.
// CHECK-LABEL: @rotate
// CHECK: ^loop:
// CHECK: nvptx.cbra %c : !nvptx.pred, ^[[EDGE:.*]], ^done
// CHECK-NEXT: ^[[EDGE]]:
// CHECK-NEXT: %[[T:.*]] = nvptx.mov b32 %[[X:.*]] : (!nvptx.b32<[[N:.*]]>) -> !nvptx.b32
// CHECK-NEXT: nvptx.mov b32 %[[Y:.*]] : (!nvptx.b32<[[M:.*]]>) -> !nvptx.b32<[[N]]>
// CHECK-NEXT: nvptx.mov b32 %{{.*}} : (!nvptx.b32<[[L:.*]]>) -> !nvptx.b32<[[M]]>
// CHECK-NEXT: nvptx.mov b32 %[[T]] : (!nvptx.b32) -> !nvptx.b32<[[L]]>
// CHECK-NEXT: nvptx.bra ^loop
nvptx.func @rotate() {
  nvptx.local @s 4 align 4
  %a = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %b = nvptx.mov.sreg "tid.y" : !nvptx.b32
  %d = nvptx.mov.sreg "tid.z" : !nvptx.b32
  nvptx.bra ^loop(%a, %b, %d : !nvptx.b32, !nvptx.b32, !nvptx.b32)
^loop(%x: !nvptx.b32, %y: !nvptx.b32, %z: !nvptx.b32):
  %c = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^loop(%y, %z, %x : !nvptx.b32, !nvptx.b32, !nvptx.b32), ^done
^done:
  nvptx.st local.b32 [@s], %x : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@s], %y : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@s], %z : (!nvptx.b32) -> ()
  nvptx.ret
}

// Two edges of a table to one block with different values: each has its own block. Registers are numbered
// from 1 in each class.
// CHECK-LABEL: @table
// CHECK: nvptx.register : !nvptx.b32<1>
// CHECK-NEXT: %y = nvptx.register : !nvptx.f32<1>
// CHECK: nvptx.brx %t : !nvptx.b32, ^join, ^[[ONE:.*]]
// CHECK-NEXT: ^[[ONE]]:
// CHECK-NEXT: nvptx.mov b32 2 : () -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.mov b32 f32 0x40000000 : () -> !nvptx.f32<1>
// CHECK-NEXT: nvptx.bra ^join
nvptx.func @table() {
  nvptx.local @a 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %one = nvptx.mov b32 1 : () -> !nvptx.b32
  %two = nvptx.mov b32 2 : () -> !nvptx.b32
  %f = nvptx.mov b32 f32 0x3F800000 : () -> !nvptx.f32
  %g = nvptx.mov b32 f32 0x40000000 : () -> !nvptx.f32
  nvptx.brx %t : !nvptx.b32, ^join(%one, %f : !nvptx.b32, !nvptx.f32), ^join(%two, %g : !nvptx.b32, !nvptx.f32)
^join(%x: !nvptx.b32, %y: !nvptx.f32):
  nvptx.st local.b32 [@a], %x : (!nvptx.b32) -> ()
  nvptx.st local.f32 [@a], %y : (!nvptx.f32) -> ()
  nvptx.ret
}

// An argument that is always the same, one that only circulates, and an undefined value.
// CHECK-LABEL: @trivial
// CHECK-NOT: nvptx.undef
// CHECK: %x = nvptx.register
// CHECK: nvptx.cbra %c : !nvptx.pred, ^other, ^join
// CHECK: ^other:
// CHECK-NEXT: nvptx.mov b32 1 : () -> !nvptx.b32<1>
// CHECK: ^join:
// CHECK-NEXT: nvptx.st local.b32 [@a], %x
// CHECK-NEXT: nvptx.st local.b32 [@a], %t
nvptx.func @trivial() {
  nvptx.local @a 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %u = nvptx.undef : !nvptx.b32
  %one = nvptx.mov b32 1 : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^other, ^join(%u, %t, %t : !nvptx.b32, !nvptx.b32, !nvptx.b32)
^other:
  nvptx.bra ^join(%one, %t, %one : !nvptx.b32, !nvptx.b32, !nvptx.b32)
^join(%x: !nvptx.b32, %same: !nvptx.b32, %dead: !nvptx.b32):
  nvptx.st local.b32 [@a], %x : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@a], %same : (!nvptx.b32) -> ()
  %d = nvptx.setp eq.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^join(%x, %same, %dead : !nvptx.b32, !nvptx.b32, !nvptx.b32), ^done
^done:
  nvptx.ret
}

// An operand that is tied to its result shares the register if it is dead afterwards.
// CHECK-LABEL: @tied
// CHECK: %a = nvptx.add s32 %t, 1 : (!nvptx.b32) -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.inline_asm "add.s32 $0, $0, $1;" (%[[R:.*]], %t) <{tied = array<i32: 0, -1>}> : (!nvptx.b32<1>, !nvptx.b32) -> !nvptx.b32<1>
nvptx.func @tied() {
  nvptx.local @x 4 align 4
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %a = nvptx.add s32 %t, 1 : (!nvptx.b32) -> !nvptx.b32
  %r = nvptx.inline_asm "add.s32 $0, $0, $1;" (%a, %t) <{tied = array<i32: 0, -1>}> : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st local.b32 [@x], %r : (!nvptx.b32) -> ()
  nvptx.ret
}

// Edges with equal values share a block, as those of a table's default entries do.
// CHECK-LABEL: @holes
// CHECK: nvptx.brx %t : !nvptx.b32, ^join, ^[[TWO:.*]], ^join, ^[[TWO]], ^[[TWO]]
// CHECK-NEXT: ^[[TWO]]:
// CHECK-NEXT: %two = nvptx.mov b32 2 : () -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.bra ^join
// CHECK-NEXT: ^join:
// CHECK-NOT: nvptx.mov b32 2
nvptx.func @holes() {
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %one = nvptx.mov b32 1 : () -> !nvptx.b32
  %two = nvptx.mov b32 2 : () -> !nvptx.b32
  nvptx.brx %t : !nvptx.b32, ^join(%one : !nvptx.b32), ^join(%two : !nvptx.b32), ^join(%one : !nvptx.b32), ^join(%two : !nvptx.b32), ^join(%two : !nvptx.b32)
^join(%v: !nvptx.b32):
  nvptx.st global.b32 [%v], %v : (!nvptx.b32, !nvptx.b32) -> ()
  nvptx.ret
}

// One block for all of them if another edge must not see the copies.
// CHECK-LABEL: @shared_copy
// CHECK: nvptx.brx %x : !nvptx.b32<1>, ^[[EDGE:.*]], ^other, ^[[EDGE]]
// CHECK-NEXT: ^[[EDGE]]:
// CHECK-NEXT: %seven = nvptx.mov b32 7 : () -> !nvptx.b32<1>
// CHECK-NEXT: nvptx.bra ^loop
nvptx.func @shared_copy() {
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %seven = nvptx.mov b32 7 : () -> !nvptx.b32
  nvptx.bra ^loop(%t : !nvptx.b32)
^loop(%x: !nvptx.b32):
  nvptx.brx %x : !nvptx.b32, ^loop(%seven : !nvptx.b32), ^other, ^loop(%seven : !nvptx.b32)
^other:
  nvptx.st global.b32 [%x], %x : (!nvptx.b32, !nvptx.b32) -> ()
  nvptx.ret
}
