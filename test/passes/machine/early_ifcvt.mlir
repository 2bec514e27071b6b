// RUN: nvvm-opt %s -p 'early-ifcvt{predicates-memory}' | filecheck %s
// RUN: nvvm-opt %s -p 'early-ifcvt{predicates-memory max-instructions=1}' | filecheck %s --check-prefix FEW
// RUN: nvvm-opt %s -p 'early-ifcvt{predicates-memory register-limit=3}' | filecheck %s --check-prefix FEW
// RUN: nvvm-opt %s -p 'early-ifcvt' | filecheck %s --check-prefix NOMEM
// RUN: nvvm-opt %s -p 'early-ifcvt{predicates-memory no-ifcvt-branch-fold}' | filecheck %s --check-prefix NOFOLD

// A triangle: the store is guarded, the sum speculated, the value for the join selected. The join has no
// other predecessor and is merged into the block.
// CHECK-LABEL: @triangle
// CHECK: %c = nvptx.setp
// CHECK-NEXT: nvptx.st global.b32 [%p], %x if %c
// CHECK-NEXT: %a = nvptx.add s32 %x, 1 :
// CHECK-NEXT: %[[S:.*]] = nvptx.selp b32 %a, %x, %c
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %[[S]]
// CHECK-NEXT: nvptx.ret
// FEW-LABEL: @triangle
// FEW: nvptx.setp
// FEW-NEXT: nvptx.cbra
// NOFOLD-LABEL: @triangle
// NOFOLD: nvptx.selp
// NOFOLD-NEXT: nvptx.bra ^join
// NOMEM-LABEL: @triangle
// NOMEM: nvptx.cbra
nvptx.func @triangle(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@triangle_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%x : !nvptx.b32)
^then:
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  %a = nvptx.add s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^join(%a : !nvptx.b32)
^join(%r: !nvptx.b32):
  nvptx.st global.b32 [%p + 4], %r : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// The other triangle, and a diamond: its second side is guarded by the negated predicate. Values equal on
// both sides are not selected; a load is guarded.
// CHECK-LABEL: @else_triangle
// CHECK: nvptx.st global.b32 [%p], %x if not %c
// CHECK-NEXT: nvptx.ret
// CHECK-LABEL: @diamond
// CHECK: %a = nvptx.ld global.f32 [%p + 4] if %c
// CHECK-NEXT: %b = nvptx.ld global.f32 [%p + 8] if not %c
// CHECK-NEXT: %[[S:.*]] = nvptx.selp f32 %a, %b, %c
// CHECK-NEXT: nvptx.st global.f32 [%p], %[[S]]
// CHECK-NEXT: nvptx.st global.b32 [%p], %x
// NOMEM-LABEL: @diamond
// NOMEM: nvptx.cbra
nvptx.func @else_triangle(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@else_triangle_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^join, ^else
^else:
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @diamond(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@diamond_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^else
^then:
  %a = nvptx.ld global.f32 [%p + 4] : (!nvptx.b64) -> !nvptx.f32
  nvptx.bra ^join(%a, %x : !nvptx.f32, !nvptx.b32)
^else:
  %b = nvptx.ld global.f32 [%p + 8] : (!nvptx.b64) -> !nvptx.f32
  nvptx.bra ^join(%b, %x : !nvptx.f32, !nvptx.b32)
^join(%r: !nvptx.f32, %s: !nvptx.b32):
  nvptx.st global.f32 [%p], %r : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.st global.b32 [%p], %s : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Inner branches first, then the outer one around the resulting straight-line code.
// CHECK-LABEL: @nested
// CHECK-NOT: nvptx.cbra
// CHECK: nvptx.ret
nvptx.func @nested(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@nested_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  %d = nvptx.setp gt.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%x : !nvptx.b32)
^then:
  nvptx.cbra %d : !nvptx.pred, ^inner, ^both(%x : !nvptx.b32)
^inner:
  %a = nvptx.add s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^both(%a : !nvptx.b32)
^both(%y: !nvptx.b32):
  nvptx.bra ^join(%y : !nvptx.b32)
^join(%r: !nvptx.b32):
  nvptx.st global.b32 [%p + 4], %r : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Not converted: barriers, volatile accesses, guarded instructions, calls and inline assembly; uniform
// branches; predicates that are passed on; sides with another predecessor; loops.
// CHECK-LABEL: @barrier
// CHECK: nvptx.cbra
// CHECK-LABEL: @volatile
// CHECK: nvptx.cbra
// CHECK-LABEL: @assembly
// CHECK: nvptx.cbra
// CHECK-LABEL: @guarded
// CHECK: nvptx.cbra
// CHECK-LABEL: @uniform
// CHECK: nvptx.cbra uni
// CHECK-LABEL: @predicate
// CHECK: nvptx.cbra
// CHECK-LABEL: @other_way_in
// CHECK: nvptx.brx
// CHECK: nvptx.cbra
// CHECK-LABEL: @loop
// CHECK: nvptx.cbra
nvptx.func @barrier(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@barrier_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @volatile(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@volatile_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st volatile.global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @assembly(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@assembly_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%x : !nvptx.b32)
^then:
  %a = nvptx.inline_asm "add.s32 $0, $1, 1;" (%x) : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^join(%a : !nvptx.b32)
^join(%r: !nvptx.b32):
  nvptx.st global.b32 [%p], %r : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
nvptx.func @guarded(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@guarded_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  %d = nvptx.setp gt.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st global.b32 [%p], 1 if %d : (!nvptx.b64, !nvptx.pred) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @uniform(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@uniform_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra uni %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @predicate(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@predicate_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%c : !nvptx.pred)
^then:
  %d = nvptx.setp gt.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.bra ^join(%d : !nvptx.pred)
^join(%q: !nvptx.pred):
  nvptx.st global.b32 [%p], 1 if %q : (!nvptx.b64, !nvptx.pred) -> ()
  nvptx.ret
}
nvptx.func @other_way_in(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@other_way_in_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.brx %x : !nvptx.b32, ^test, ^then
^test:
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^join
^join:
  nvptx.ret
}
nvptx.func @loop(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@loop_param_0] : () -> !nvptx.b64
  nvptx.bra ^head
^head:
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^body, ^exit
^body:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^head
^exit:
  nvptx.ret
}

// The entry block also has the function's entry as predecessor, and a block is not merged into itself.
// CHECK-LABEL: @forever
// CHECK: nvptx.st global.b32 [%p], 1 if %c
// CHECK-NEXT: nvptx.bra ^head
nvptx.func @forever(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@forever_param_0] : () -> !nvptx.b64
  nvptx.bra ^head
^head:
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^head
^then:
  nvptx.st global.b32 [%p], 1 : (!nvptx.b64) -> ()
  nvptx.bra ^head
}

// A division is a long sequence of machine code: threads that do not need it must not execute it.
// CHECK-LABEL: @division
// CHECK: nvptx.cbra
// CHECK: nvptx.div s64
// CHECK: nvptx.cbra
// CHECK: nvptx.sqrt rn.f32
// CHECK: nvptx.sqrt approx.f32
// CHECK-NEXT: nvptx.selp
nvptx.func @division(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@division_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b64 [%p] : (!nvptx.b64) -> !nvptx.b64
  %f = nvptx.ld global.f32 [%p + 8] : (!nvptx.b64) -> !nvptx.f32
  %c = nvptx.setp gt.s64 %x, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%x : !nvptx.b64)
^then:
  %a = nvptx.div s64 %x, 7 : (!nvptx.b64) -> !nvptx.b64
  nvptx.bra ^join(%a : !nvptx.b64)
^join(%r: !nvptx.b64):
  nvptx.st global.b64 [%p + 16], %r : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.cbra %c : !nvptx.pred, ^root, ^second(%f : !nvptx.f32)
^root:
  %b = nvptx.sqrt rn.f32 %f : (!nvptx.f32) -> !nvptx.f32
  nvptx.bra ^second(%b : !nvptx.f32)
^second(%s: !nvptx.f32):
  nvptx.st global.f32 [%p + 24], %s : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.cbra %c : !nvptx.pred, ^rough, ^third(%s : !nvptx.f32)
^rough:
  %d = nvptx.sqrt approx.f32 %s : (!nvptx.f32) -> !nvptx.f32
  nvptx.bra ^third(%d : !nvptx.f32)
^third(%t: !nvptx.f32):
  nvptx.st global.f32 [%p + 28], %t : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.ret
}

// A join with another predecessor is not merged into the block.
// CHECK-LABEL: @shared_join
// CHECK: nvptx.selp b32
// CHECK-NEXT: nvptx.bra ^join
// NOMEM-LABEL: @shared_join
// NOMEM: nvptx.add s32 %x, 1
// NOMEM-NEXT: %[[S:.*]] = nvptx.selp b32
// NOMEM-NEXT: nvptx.bra ^join(%[[S]]
nvptx.func @shared_join(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@shared_join_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.brx %x : !nvptx.b32, ^test, ^other
^other:
  nvptx.bra ^join(%x : !nvptx.b32)
^test:
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%x : !nvptx.b32)
^then:
  %a = nvptx.add s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^join(%a : !nvptx.b32)
^join(%r: !nvptx.b32):
  nvptx.st global.b32 [%p + 4], %r : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Not with guarded arithmetic, with both edges to one block, with values of 128 bits, or with numbered registers.
// CHECK-LABEL: @guarded_sum
// CHECK: nvptx.cbra
// CHECK-LABEL: @one_target
// CHECK: nvptx.cbra
// CHECK-LABEL: @wide
// CHECK: nvptx.cbra
// CHECK-LABEL: @numbered
// CHECK: nvptx.cbra
nvptx.func @guarded_sum(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@guarded_sum_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  %d = nvptx.setp gt.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%x : !nvptx.b32)
^then:
  %a = nvptx.add s32 %x, 1 if %d : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.bra ^join(%a : !nvptx.b32)
^join(%r: !nvptx.b32):
  nvptx.st global.b32 [%p], %r : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
nvptx.func @one_target(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@one_target_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^join(%x : !nvptx.b32), ^join(%x : !nvptx.b32)
^join(%r: !nvptx.b32):
  nvptx.st global.b32 [%p], %r : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
nvptx.func @wide(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@wide_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b64 [%p] : (!nvptx.b64) -> !nvptx.b64
  %y = nvptx.mov b128 {%x, %p} : (!nvptx.b64, !nvptx.b64) -> !nvptx.b128
  %c = nvptx.setp gt.s64 %x, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join(%y : !nvptx.b128)
^then:
  %z = nvptx.mov b128 {%p, %x} : (!nvptx.b64, !nvptx.b64) -> !nvptx.b128
  nvptx.bra ^join(%z : !nvptx.b128)
^join(%r: !nvptx.b128):
  %l, %h = nvptx.mov b128 %r : (!nvptx.b128) -> (!nvptx.b64, !nvptx.b64)
  nvptx.st global.b64 [%p], %l : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}
nvptx.func @numbered(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@numbered_param_0] : () -> !nvptx.b64
  %i = nvptx.register : !nvptx.b32<1>
  %k = nvptx.mov b32 1 : () -> !nvptx.b32<1>
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^join
^then:
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^join
^join:
  nvptx.st global.b32 [%p + 4], %i : (!nvptx.b64, !nvptx.b32<1>) -> ()
  nvptx.ret
}
