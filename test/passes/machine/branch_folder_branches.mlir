// RUN: nvvm-opt %s -p 'branch-folder' | filecheck %s
// RUN: nvvm-opt %s -p 'branch-folder' -t ptx | filecheck %s --check-prefix PTX

// The six simplifications of OptimizeBranches, one function each. Which successor falls through
// follows from the order of the blocks when PTX is printed (4 and 5).

// 1. Empty-block elimination: its predecessors branch to its target.
// CHECK-LABEL: @s1_empty
// CHECK: nvptx.cbra %c : !nvptx.pred, ^join, ^b
// CHECK-NEXT: ^b:
nvptx.func @s1_empty(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@s1_empty_param_0] : () -> !nvptx.b64
  %c = nvptx.setp eq.s64 %p, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.bra ^join
^b:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.ret
}

// 2. Unconditional-to-same-target folding.
// CHECK-LABEL: @s2_same_target
// CHECK-NOT: nvptx.cbra
// CHECK: nvptx.bra ^head
nvptx.func @s2_same_target(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@s2_same_target_param_0] : () -> !nvptx.b64
  nvptx.bra ^head
^head:
  %c = nvptx.setp eq.s64 %p, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.cbra %c : !nvptx.pred, ^head, ^head
}

// 3. Single-predecessor merge; not into a block with other predecessors.
// CHECK-LABEL: @s3_single_predecessor
// CHECK: nvptx.st global.b32 [%p], 1
// CHECK-NEXT: nvptx.st global.b32 [%p], 2
// CHECK-NEXT: nvptx.bra ^head
// CHECK-NEXT: ^head:
// CHECK-NEXT: nvptx.st global.b32 [%p], 3
// CHECK-NEXT: nvptx.bra ^head
nvptx.func @s3_single_predecessor(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@s3_single_predecessor_param_0] : () -> !nvptx.b64
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^second
^second:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.bra ^head
^head:
  nvptx.st global.b32 [%p], 3 : (!nvptx.b64) -> ()
  nvptx.bra ^head
}

// 4. Redundant branch removal: no branch to the next block. 5. Condition reversal: if the true target is the
// next block, only the other target is branched to, on false.
// PTX-LABEL: .func s4_s5
// PTX: @!%p1 bra
// PTX-NOT: bra
// PTX: st.volatile.global.b32 {{.*}}[%rd1], 1
// PTX-NOT: bra
// PTX: st.global.b32 {{.*}}[%rd1], 2
// PTX: ret
nvptx.func @s4_s5(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@s4_s5_param_0] : () -> !nvptx.b64
  %c = nvptx.setp eq.s64 %p, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st volatile.global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.ret
}

// 6. Tail-block relocation: a block that leaves the function is moved, but not if the next block leaves it,
// too.
// CHECK-LABEL: @s6_tail_block
// CHECK: nvptx.cbra %c : !nvptx.pred, ^out, ^on
// CHECK-NEXT: ^on:
// CHECK: nvptx.cbra
// CHECK-NEXT: ^end:
// CHECK: ^out:
// CHECK-NEXT: nvptx.ret
nvptx.func @s6_tail_block(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@s6_tail_block_param_0] : () -> !nvptx.b64
  %c = nvptx.setp eq.s64 %p, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^out, ^on
^out:
  nvptx.ret
^on:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.cbra %c : !nvptx.pred, ^on, ^end
^end:
  nvptx.st global.b32 [%p], 2 : (!nvptx.b64) -> ()
  nvptx.ret
}
