// RUN: nvvm-opt %s -p 'branch-folder' | filecheck %s
// RUN: nvvm-opt %s -p 'branch-folder' --remarks %t -o /dev/null
// RUN: filecheck %s --check-prefix REMARK < %t
// RUN: nvvm-opt %s -p 'branch-folder{disable-branch-fold}' | filecheck %s --check-prefix OFF
// RUN: nvvm-opt %s -p 'branch-folder{enable-tail-merge=false}' | filecheck %s --check-prefix NOMERGE
// RUN: nvvm-opt %s -p 'branch-folder{requires-structured-cfg}' | filecheck %s --check-prefix NOMERGE
// RUN: nvvm-opt %s -p 'branch-folder{requires-structured-cfg enable-tail-merge=true}' | filecheck %s
// RUN: nvvm-opt %s -p 'branch-folder{tail-merge-threshold=0}' | filecheck %s --check-prefix NOMERGE
// RUN: nvvm-opt %s -p 'branch-folder{tail-merge-size=5}' | filecheck %s --check-prefix NOMERGE
// RUN: nvvm-opt %s -p 'branch-folder{tail-merge-size=1}' | filecheck %s --check-prefix SMALL

// REMARK: Name: {{ *}}TailMerged
// REMARK: Function: {{ *}}returns
// REMARK: Instructions: {{ *}}'4'
// REMARK: ' shared by two blocks'
// REMARK: Name: {{ *}}Hoisted
// REMARK: Function: {{ *}}hoist
// REMARK: Instructions: {{ *}}'2'
// REMARK: ' of both successors hoisted'

// Phase A: two blocks that leave the function end alike; four instructions, the return counted.
// CHECK-LABEL: @returns
// CHECK: nvptx.cbra %c : !nvptx.pred, ^a, ^b
// CHECK-NEXT: ^a:
// CHECK-NEXT: nvptx.st local.b32 [@x], 1
// CHECK-NEXT: nvptx.bra ^[[T:.*]]
// CHECK-NEXT: ^[[T]]:
// CHECK-NEXT: nvptx.st global.b32 [%p], %t
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %t
// CHECK-NEXT: nvptx.st global.b32 [%p + 8], %t
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: ^b:
// CHECK-NEXT: nvptx.st local.b32 [@x], 2
// CHECK-NEXT: nvptx.bra ^[[T]]
// NOMERGE-LABEL: @returns
// NOMERGE-COUNT-2: nvptx.ret
// NOMERGE-LABEL: @predecessors
// NOMERGE-COUNT-2: nvptx.mul
// NOMERGE-LABEL: @too_short
nvptx.func @returns(#nvptx.param<b64>) {
  nvptx.local @x 4 align 4
  %p = nvptx.ld param.b64 [@returns_param_0] : () -> !nvptx.b64
  %t = nvptx.add s32 1, 2 : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st local.b32 [@x], 1 : () -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
^b:
  nvptx.st local.b32 [@x], 2 : () -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Phase B: predecessors of one block. Values that a tail defines and uses itself may differ.
// The shared block is then the only predecessor, and both are merged.
// CHECK-LABEL: @predecessors
// CHECK: ^a:
// CHECK-NEXT: nvptx.st local.b32 [@x], 1
// CHECK-NEXT: nvptx.bra ^[[T:.*]]
// CHECK-NEXT: ^[[T]]:
// CHECK-NEXT: %u = nvptx.add s32 %t, 1
// CHECK-NEXT: %v = nvptx.mul lo.s32 %u, %t
// CHECK-NEXT: nvptx.st global.b32 [%p], %v
// CHECK-NEXT: nvptx.st global.b32 [%p + 12], %t
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: ^b:
// CHECK-NEXT: nvptx.st local.b32 [@x], 2
// CHECK-NEXT: nvptx.bra ^[[T]]
// OFF-LABEL: @predecessors
// OFF-COUNT-2: nvptx.mul
// OFF-LABEL: @too_short
nvptx.func @predecessors(#nvptx.param<b64>) {
  nvptx.local @x 4 align 4
  %p = nvptx.ld param.b64 [@predecessors_param_0] : () -> !nvptx.b64
  %t = nvptx.add s32 1, 2 : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st local.b32 [@x], 1 : () -> ()
  %u = nvptx.add s32 %t, 1 : (!nvptx.b32) -> !nvptx.b32
  %v = nvptx.mul lo.s32 %u, %t : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st local.b32 [@x], 2 : () -> ()
  %w = nvptx.add s32 %t, 1 : (!nvptx.b32) -> !nvptx.b32
  %z = nvptx.mul lo.s32 %w, %t : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %z : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b32 [%p + 12], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Gate 1: two instructions in common are too few, unless tail-merge-size says otherwise; gate 4
// then still requires a saving, and one instruction saves nothing.
// CHECK-LABEL: @too_short
// CHECK-COUNT-2: nvptx.st global.b32 [%p + 4]
// CHECK-LABEL: @no_gain
// SMALL-LABEL: @too_short
// SMALL: nvptx.st global.b32 [%p + 4], %t
// SMALL-NOT: nvptx.st global.b32 [%p + 4]
// SMALL-LABEL: @no_gain
// SMALL-COUNT-2: nvptx.st global.b32 [%p + 4]
nvptx.func @too_short(#nvptx.param<b64>) {
  nvptx.local @x 4 align 4
  %p = nvptx.ld param.b64 [@too_short_param_0] : () -> !nvptx.b64
  %t = nvptx.add s32 1, 2 : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st local.b32 [@x], 1 : () -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st local.b32 [@x], 2 : () -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @no_gain(#nvptx.param<b64>) {
  nvptx.local @x 4 align 4
  %p = nvptx.ld param.b64 [@no_gain_param_0] : () -> !nvptx.b64
  %t = nvptx.add s32 1, 2 : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st local.b32 [@x], 1 : () -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st local.b32 [@x], 2 : () -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}

// A conditional branch at the end of the first must be rewritten, too: two instructions save nothing, three
// save one.
// SMALL-LABEL: @no_gain_conditional
// SMALL-COUNT-2: nvptx.st global.b32 [%p + 4]
// SMALL-LABEL: @gain_conditional
// SMALL: nvptx.st global.b32 [%p + 4]
// SMALL-NOT: nvptx.st global.b32 [%p + 4]
// SMALL-LABEL: @table
nvptx.func @no_gain_conditional(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@no_gain_conditional_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@no_gain_conditional_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %d = nvptx.setp gt.s32 %n, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %d : !nvptx.pred, ^x, ^y
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %d : !nvptx.pred, ^x, ^y
^x:
  nvptx.st global.b32 [%p + 8], 7 : (!nvptx.b64) -> ()
  nvptx.ret
^y:
  nvptx.st global.b32 [%p + 12], 7 : (!nvptx.b64) -> ()
  nvptx.ret
}
nvptx.func @gain_conditional(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@gain_conditional_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@gain_conditional_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %d = nvptx.setp gt.s32 %n, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %d : !nvptx.pred, ^x, ^y
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %d : !nvptx.pred, ^x, ^y
^x:
  nvptx.st global.b32 [%p + 8], 7 : (!nvptx.b64) -> ()
  nvptx.ret
^y:
  nvptx.st global.b32 [%p + 12], 7 : (!nvptx.b64) -> ()
  nvptx.ret
}

// Gate 2: branch analysis does not understand a jump through a table.
// CHECK-LABEL: @table
// CHECK-COUNT-2: nvptx.st global.b32 [%p + 8]
nvptx.func @table(#nvptx.param<b64>) {
  nvptx.local @x 4 align 4
  %p = nvptx.ld param.b64 [@table_param_0] : () -> !nvptx.b64
  %t = nvptx.add s32 1, 2 : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st local.b32 [@x], 1 : () -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.brx %t : !nvptx.b32, ^join, ^other
^b:
  nvptx.st local.b32 [@x], 2 : () -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.brx %t : !nvptx.b32, ^join, ^other
^join:
  nvptx.st local.b32 [@x], 3 : () -> ()
  nvptx.ret
^other:
  nvptx.st local.b32 [@x], 4 : () -> ()
  nvptx.ret
}

// Gate 3: a special register would be live into the shared block. Read before the branch it
// is an ordinary value.
// CHECK-LABEL: @special_register
// CHECK-COUNT-2: nvptx.mov.sreg "tid.x"
// CHECK-LABEL: @special_register_before
// CHECK: nvptx.mov.sreg "tid.x"
// CHECK-COUNT-1: nvptx.st global.b32 [%p + 8]
// CHECK-NOT: nvptx.st global.b32 [%p + 8]
// CHECK-LABEL: @clock_is_not_reserved
// CHECK-COUNT-1: nvptx.mov.sreg "smid"
// CHECK-NOT: nvptx.mov.sreg "smid"
// CHECK-LABEL: @stack_pointer
// CHECK-COUNT-2: nvptx.st local.b32 [@x + 8]
nvptx.func @special_register(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@special_register_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@special_register_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  %u = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.st global.b32 [%p], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @special_register_before(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@special_register_before_param_0] : () -> !nvptx.b64
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @clock_is_not_reserved(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@clock_is_not_reserved_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@clock_is_not_reserved_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  %t = nvptx.mov.sreg "smid" : !nvptx.b32
  nvptx.st global.b32 [%p], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %t : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  %u = nvptx.mov.sreg "smid" : !nvptx.b32
  nvptx.st global.b32 [%p], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @stack_pointer(#nvptx.param<b64>, #nvptx.param<b32>) {
  nvptx.local @x 16 align 4
  %p = nvptx.ld param.b64 [@stack_pointer_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@stack_pointer_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.st local.b32 [@x], %n : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x + 4], %n : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x + 8], %n : (!nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  nvptx.st local.b32 [@x], %n : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x + 4], %n : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x + 8], %n : (!nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}

// Inline assembly, convergence markers and barriers end a tail.
// CHECK-LABEL: @never_merged
// CHECK-COUNT-2: nvptx.inline_asm
// CHECK-LABEL: @barrier
// CHECK-COUNT-2: nvptx.bar.sync
nvptx.func @never_merged(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@never_merged_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@never_merged_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.inline_asm "nop1;" () <{side_effects}> : () -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  nvptx.inline_asm "nop1;" () <{side_effects}> : () -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @barrier(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@barrier_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@barrier_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 12], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}

// So do pragmas, which say something about the place where they stand, and instructions that use the
// condition code register, which is not visible.
// CHECK-LABEL: @pragma
// CHECK-COUNT-2: nvptx.pragma
// CHECK-LABEL: @carry
// CHECK-COUNT-2: nvptx.addc
// CHECK-LABEL: @uniform
nvptx.func @pragma(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@pragma_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@pragma_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 0], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  nvptx.pragma "nounroll"
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 12], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  nvptx.pragma "nounroll"
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @carry(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@carry_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@carry_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 0], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  %la = nvptx.add.cc u32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %ha = nvptx.addc u32 %n, 0 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p + 12], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  %lb = nvptx.add.cc u32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %hb = nvptx.addc u32 %n, 0 : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}

// A branch is uniform among the threads of ^a and among those of ^b, but not among all of them. It stays in
// both blocks although the registers are the same.
// CHECK-COUNT-2: nvptx.cbra uni %r
nvptx.func @uniform(#nvptx.param<b64>, #nvptx.param<b32>) {
  %r = nvptx.register : !nvptx.pred<1>
  %p = nvptx.ld param.b64 [@uniform_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@uniform_param_1] : () -> !nvptx.b32
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %c = nvptx.setp gt.s32 %t, 7 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  %r1 = nvptx.setp gt.s32 %n, 3 : (!nvptx.b32) -> !nvptx.pred<1>
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  nvptx.cbra uni %r : !nvptx.pred<1>, ^x, ^y
^b:
  %r2 = nvptx.setp lt.s32 %n, 3 : (!nvptx.b32) -> !nvptx.pred<1>
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  nvptx.cbra uni %r : !nvptx.pred<1>, ^x, ^y
^x:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.ret
^y:
  nvptx.ret
}

// Conditional ends are merged if condition and targets agree; the branch is part of the tail.
// CHECK-LABEL: @conditional
// CHECK: ^a:
// CHECK-NEXT: nvptx.st global.b32 [%p + 16], 1
// CHECK-NEXT: nvptx.bra ^[[T:.*]]
// CHECK-NEXT: ^[[T]]:
// CHECK-NEXT: nvptx.st global.b32 [%p], %n
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %n
// CHECK-NEXT: nvptx.cbra %d : !nvptx.pred, ^x, ^y
// CHECK-NEXT: ^b:
// CHECK-NEXT: nvptx.st global.b32 [%p + 16], 2
// CHECK-NEXT: nvptx.bra ^[[T]]
nvptx.func @conditional(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@conditional_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@conditional_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %d = nvptx.setp eq.s32 %n, 7 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %d : !nvptx.pred, ^x, ^y
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %d : !nvptx.pred, ^x, ^y
^x:
  nvptx.st global.b32 [%p + 20], 3 : (!nvptx.b64) -> ()
  nvptx.ret
^y:
  nvptx.st global.b32 [%p + 20], 4 : (!nvptx.b64) -> ()
  nvptx.ret
}

// 1. An empty block is removed; 2. then both edges have one target; 3. and the blocks are merged.
// CHECK-LABEL: @empty_blocks
// CHECK: nvptx.setp
// CHECK-NEXT: nvptx.st global.b32
// CHECK-NEXT: nvptx.ret
nvptx.func @empty_blocks(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@empty_blocks_param_0] : () -> !nvptx.b64
  %c = nvptx.setp eq.s64 %p, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.bra ^join
^b:
  nvptx.bra ^join
^join:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.ret
}

// 6. A block that leaves the function is between a branch and its fall-through target.
// CHECK-LABEL: @exit_in_the_way
// CHECK: nvptx.cbra %c : !nvptx.pred, ^out, ^on
// CHECK-NEXT: ^on:
// CHECK: ^out:
// CHECK-NEXT: nvptx.unreachable
nvptx.func @exit_in_the_way(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@exit_in_the_way_param_0] : () -> !nvptx.b64
  %c = nvptx.setp eq.s64 %p, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^out, ^on
^out:
  nvptx.unreachable
^on:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.ret
}

// A jump table with one target is a branch, and unreachable blocks are removed.
// CHECK-LABEL: @dead
// CHECK-NEXT: %t = nvptx.add s32 1, 2
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: }
nvptx.func @dead() {
  %t = nvptx.add s32 1, 2 : () -> !nvptx.b32
  nvptx.brx %t : !nvptx.b32, ^join, ^join
^island:
  nvptx.st global.b32 [@g], 1 : () -> ()
  nvptx.bra ^island
^join:
  nvptx.ret
}
nvptx.global @g "global" "b32"

// HoistCommonCode: the common start of both sides is placed before the branch.
// CHECK-LABEL: @hoist
// CHECK: %u = nvptx.mul lo.s32 %n, %n
// CHECK-NEXT: nvptx.st global.b32 [%p], %u
// CHECK-NEXT: nvptx.cbra
// CHECK-NEXT: ^a:
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], 1
// CHECK: ^b:
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %u
nvptx.func @hoist(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@hoist_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@hoist_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  %u = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %u : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], 1 : (!nvptx.b64) -> ()
  nvptx.ret
^b:
  %v = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [%p], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Hoisting may leave empty blocks: the three transformations repeat until none
// applies.
// CHECK-LABEL: @hoist_then_fold
// CHECK: nvptx.setp
// CHECK-NEXT: nvptx.st global.b32 [%p], %n
// CHECK-NEXT: nvptx.st global.b32 [%p + 8], 1
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: }
nvptx.func @hoist_then_fold(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@hoist_then_fold_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@hoist_then_fold_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b32 [%p + 8], 1 : (!nvptx.b64) -> ()
  nvptx.ret
}

// A barrier occurs at two points and stays at both; so does the code after it.
// CHECK-LABEL: @no_hoist_of_barriers
// CHECK: nvptx.st global.b32 [%p], %n
// CHECK-NEXT: nvptx.cbra %c : !nvptx.pred, ^a, ^b
// CHECK-NEXT: ^a:
// CHECK-NEXT: nvptx.bar.sync "" 0
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %n
// CHECK: ^b:
// CHECK-NEXT: nvptx.bar.sync "" 0
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %n
nvptx.func @no_hoist_of_barriers(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@no_hoist_of_barriers_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@no_hoist_of_barriers_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], 1 : (!nvptx.b64) -> ()
  nvptx.ret
^b:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], 2 : (!nvptx.b64) -> ()
  nvptx.ret
}

// An empty block that branches to itself is a loop, not a detour.
// CHECK-LABEL: @empty_loop
// CHECK: nvptx.cbra %c : !nvptx.pred, ^wait, ^out
// CHECK-NEXT: ^wait:
// CHECK-NEXT: nvptx.bra ^wait
nvptx.func @empty_loop(#nvptx.param<b32>) {
  %n = nvptx.ld param.b32 [@empty_loop_param_0] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^wait, ^out
^wait:
  nvptx.bra ^wait
^out:
  nvptx.ret
}

// A block that consists of the tail alone serves as the shared one, at its position.
// CHECK-LABEL: @keeper
// CHECK: ^a:
// CHECK-NEXT: nvptx.st global.b32 [%p + 16], 1
// CHECK-NEXT: nvptx.bra ^b
// CHECK: ^x:
// CHECK-NEXT: nvptx.st global.b32 [%p + 24], 2
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: ^b:
// CHECK-NEXT: nvptx.st global.b32 [%p], %n
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %n
// CHECK-NEXT: nvptx.st global.b32 [%p + 8], %n
// CHECK-NEXT: nvptx.ret
// CHECK-NEXT: }
nvptx.func @keeper(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@keeper_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@keeper_param_1] : () -> !nvptx.b32
  nvptx.brx %n : !nvptx.b32, ^a, ^x, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
^x:
  nvptx.st global.b32 [%p + 24], 2 : (!nvptx.b64) -> ()
  nvptx.ret
^b:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// The block that two latches share is in their loop: an equal tail before the loop is not merged with
// it.
// CHECK-LABEL: @latches
// CHECK: nvptx.st global.b32 [%p], %n
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %n
// CHECK-NEXT: nvptx.st global.b32 [%p + 8], %n
// CHECK-NEXT: nvptx.bra ^[[HEAD:.*]]
// CHECK-NEXT: ^[[HEAD]]:
// CHECK: nvptx.st global.b32 [%p + 8], %n
// CHECK-NEXT: nvptx.bra ^[[HEAD]]
// CHECK-NOT: nvptx.st global.b32 [%p + 8], %n
// CHECK-LABEL: @facts
nvptx.func @latches(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@latches_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@latches_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^head
^head:
  %v = nvptx.ld volatile.global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp eq.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^a, ^b
^a:
  nvptx.st global.b32 [%p + 16], 1 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^head
^b:
  nvptx.st global.b32 [%p + 16], 2 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^head
}

// A merged access has the smaller of the two alignments; `nvptx-load-store-vectorizer` must not assume the
// larger one.
// CHECK: %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32 attributes {align = 8 : i64}
// CHECK-NEXT: nvptx.cbra
// CHECK: nvptx.bra ^[[T:.*]]
// CHECK-NEXT: ^[[T]]:
// CHECK-NEXT: nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> () attributes {align = 8 : i64}
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> (){{$}}
// CHECK-NEXT: nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> (){{$}}
// CHECK-NEXT: nvptx.ret
nvptx.func @facts(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@facts_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@facts_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32 attributes {align = 16 : i64}
  nvptx.st global.b32 [%p + 16], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> () attributes {align = 8 : i64}
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> () attributes {align = 8 : i64}
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
^b:
  %y = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32 attributes {align = 8 : i64}
  nvptx.st global.b32 [%p + 20], %y : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> () attributes {align = 16 : i64}
  nvptx.st global.b32 [%p + 4], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> () attributes {align = 8 : i64}
  nvptx.ret
}

// Not if the condition would change: both write the register that the branch reads.
// CHECK-LABEL: @no_hoist
// CHECK: nvptx.cbra %c : !nvptx.pred<1>, ^a, ^b
// CHECK-NEXT: ^a:
// CHECK-NEXT: nvptx.setp eq.s32 %n, 1
nvptx.func @no_hoist(#nvptx.param<b64>, #nvptx.param<b32>) {
  %c = nvptx.register : !nvptx.pred<1>
  %p = nvptx.ld param.b64 [@no_hoist_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@no_hoist_param_1] : () -> !nvptx.b32
  %0 = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred<1>
  nvptx.cbra %c : !nvptx.pred<1>, ^a, ^b
^a:
  %1 = nvptx.setp eq.s32 %n, 1 : (!nvptx.b32) -> !nvptx.pred<1>
  nvptx.bra ^join
^b:
  %2 = nvptx.setp eq.s32 %n, 1 : (!nvptx.b32) -> !nvptx.pred<1>
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  %d = nvptx.selp b32 1, 2, %c : (!nvptx.pred<1>) -> !nvptx.b32
  nvptx.st global.b32 [%p], %d : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
