// RUN: nvvm-opt %s -p 'machine-sink' | filecheck %s
// RUN: nvvm-opt %s -p 'machine-sink{no-sinks-loads}' | filecheck %s --check-prefix NOLOADS

// A value used on one side of a branch is computed there, before its first user; its operands come
// first.
// CHECK-LABEL: @one_side
// CHECK-NOT: nvptx.mul
// CHECK: nvptx.cbra
// CHECK-NEXT: ^then:
// CHECK-NEXT: nvptx.st global.b32 [%p], %n
// CHECK-NEXT: %a = nvptx.mul lo.s32 %n, %m
// CHECK-NEXT: %b = nvptx.add s32 %a, %n
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %b
nvptx.func @one_side(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@one_side_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@one_side_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 8], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %m = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %m, 0 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.mul lo.s32 %n, %m : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s32 %a, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Uses on both sides keep it in place, and so does its use as an operand of the branch.
// CHECK-LABEL: @both_sides
// CHECK: %a = nvptx.mul
// CHECK: %b = nvptx.add
// CHECK: nvptx.cbra
nvptx.func @both_sides(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@both_sides_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@both_sides_param_1] : () -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s32 %n, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^then, ^else(%b : !nvptx.b32)
^then:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
^else(%x: !nvptx.b32):
  nvptx.st global.b32 [%p + 4], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Never into a loop; always out of one, where it is computed once.
// CHECK-LABEL: @loop
// CHECK: %a = nvptx.mul
// CHECK: ^head
// CHECK: nvptx.st global.b32 [%p], %a
// CHECK-NOT: nvptx.mul
// CHECK: nvptx.cbra
// CHECK: ^exit:
// CHECK-NEXT: %b = nvptx.mul lo.s32 %next, %n
// CHECK-NEXT: nvptx.st global.b32 [%p], %b
nvptx.func @loop(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@loop_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@loop_param_1] : () -> !nvptx.b32
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %next = nvptx.add s32 %i, -1 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.mul lo.s32 %next, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.st global.b32 [%p], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// To a block that every path executes, an op sinks only if it saves registers on the way: two for the one of
// %w, but none for %a, and less than none for %b.
// CHECK-LABEL: @pressure
// CHECK: %a = nvptx.add s32 %x, 1
// CHECK-NEXT: %b = nvptx.mul lo.s32 %x, %y
// CHECK-NEXT: nvptx.bra ^next
// CHECK-NEXT: ^next:
// CHECK-NEXT: nvptx.st global.b32 [%p], %a
// CHECK-NEXT: nvptx.st global.b32 [%p], %b
// CHECK-NEXT: %w = nvptx.cvt u64.u32 %z
// CHECK-NEXT: nvptx.st global.b64 [%p], %w
nvptx.func @pressure(#nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@pressure_param_0] : () -> !nvptx.b64
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %y = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %z = nvptx.ld global.b32 [%p + 8] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p], %z : (!nvptx.b64, !nvptx.b32) -> ()
  %w = nvptx.cvt u64.u32 %z : (!nvptx.b32) -> !nvptx.b64
  %a = nvptx.add s32 %x, 1 : (!nvptx.b32) -> !nvptx.b32
  %b = nvptx.mul lo.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.bra ^next
^next:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p], %b : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p], %w : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}

// The parameters of a kernel occupy no registers, also after a conversion of their address space; those of a
// function do.
// CHECK-LABEL: @parameters
// CHECK-NOT: nvptx.mul
// CHECK: ^next:
// CHECK: %a = nvptx.mul lo.s32 %x, %n
// CHECK: %b = nvptx.add s64 %y, %g
// CHECK-LABEL: @of_a_function
// CHECK: %a = nvptx.mul lo.s32 %x, %n
// CHECK-NEXT: %b = nvptx.add s64 %y, %g
// CHECK-NEXT: nvptx.bra ^next
nvptx.func kernel @parameters(#nvptx.param<b64>, #nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@parameters_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@parameters_param_1] : () -> !nvptx.b64
  %g = nvptx.cvta to.global.u64 %q : (!nvptx.b64) -> !nvptx.b64
  %n = nvptx.ld param.b32 [@parameters_param_2] : () -> !nvptx.b32
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %y = nvptx.ld global.b64 [%p + 8] : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b32 [%g], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %a = nvptx.mul lo.s32 %x, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s64 %y, %g : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.bra ^next
^next:
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p + 8], %y : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 16], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p + 24], %b : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}
nvptx.func @of_a_function(#nvptx.param<b64>, #nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@of_a_function_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@of_a_function_param_1] : () -> !nvptx.b64
  %g = nvptx.cvta to.global.u64 %q : (!nvptx.b64) -> !nvptx.b64
  %n = nvptx.ld param.b32 [@of_a_function_param_2] : () -> !nvptx.b32
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %y = nvptx.ld global.b64 [%p + 8] : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b32 [%g], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %a = nvptx.mul lo.s32 %x, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %b = nvptx.add s64 %y, %g : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.bra ^next
^next:
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p + 8], %y : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 16], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p + 24], %b : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.ret
}

// No parameters: loads from writable memory and from an address in a register, and an address in the local space,
// which is another value than the parameter.
// CHECK-LABEL: @no_parameters
// CHECK: %a = nvptx.mul lo.s32 %x, %n
// CHECK-NEXT: %e = nvptx.mul lo.s32 %x, %v
// CHECK-NEXT: %l = nvptx.cvta local.u64 %q
// CHECK-NEXT: %b = nvptx.add s64 %y, %l
// CHECK-NEXT: nvptx.st global.b64 [%p + 24], %l
// CHECK-NEXT: nvptx.bra ^next
nvptx.func kernel @no_parameters(#nvptx.param<b64>, #nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@no_parameters_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@no_parameters_param_1] : () -> !nvptx.b64
  %n = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %v = nvptx.ld global.b32 [@word] : () -> !nvptx.b32
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %y = nvptx.ld global.b64 [%p + 8] : (!nvptx.b64) -> !nvptx.b64
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %v : (!nvptx.b64, !nvptx.b32) -> ()
  %a = nvptx.mul lo.s32 %x, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %e = nvptx.mul lo.s32 %x, %v : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %l = nvptx.cvta local.u64 %q : (!nvptx.b64) -> !nvptx.b64
  %b = nvptx.add s64 %y, %l : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [%p + 24], %l : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.bra ^next
^next:
  nvptx.st global.b32 [%p], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p + 8], %y : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 16], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b64 [%p + 32], %b : (!nvptx.b64, !nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 40], %e : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
nvptx.global @word "global" "b32"

// A load follows an edge to a block with a single predecessor, before any possible store
// there.
// CHECK-LABEL: @load
// CHECK-NOT: nvptx.ld global
// CHECK: ^then:
// CHECK-NEXT: %x = nvptx.ld global.b32 [%p]
// CHECK-NEXT: nvptx.st global.b32 [%p], 0
// CHECK-NEXT: nvptx.st global.b32 [%p + 4], %x
// NOLOADS-LABEL: @load
// NOLOADS: nvptx.ld global
// NOLOADS: nvptx.cbra
nvptx.func @load(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@load_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@load_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], 0 : (!nvptx.b64) -> ()
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Not past a store, a barrier or a volatile access, and not to a join; a load of read-only memory moves past
// them all.
// CHECK-LABEL: @load_stays
// CHECK: %x = nvptx.ld global.b32 [%p]
// CHECK: nvptx.st global.b32 [%p], 0
// CHECK-LABEL: @load_stays_at_barrier
// CHECK: %x = nvptx.ld shared.b32
// CHECK: nvptx.bar.sync
// CHECK-LABEL: @volatile_stays
// CHECK: %x = nvptx.ld volatile
// CHECK: nvptx.cbra
// CHECK-LABEL: @load_to_join
// CHECK: %x = nvptx.ld global.b32
// CHECK: nvptx.cbra
// CHECK-LABEL: @read_only
// CHECK: nvptx.cbra
// CHECK-NEXT: ^then:
// CHECK-NEXT: %x = nvptx.ld.global.nc
nvptx.func @load_stays(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@load_stays_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@load_stays_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p], 0 : (!nvptx.b64) -> ()
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}
nvptx.func @load_stays_at_barrier(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@load_stays_at_barrier_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@load_stays_at_barrier_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %x = nvptx.ld shared.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}
nvptx.func @volatile_stays(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@volatile_stays_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@volatile_stays_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %x = nvptx.ld volatile.global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}
nvptx.func @load_to_join(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@load_to_join_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@load_to_join_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %x = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], 0 : (!nvptx.b64) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}
nvptx.func @read_only(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@read_only_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@read_only_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %x = nvptx.ld.global.nc b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  nvptx.st global.b32 [%p + 8], 0 : (!nvptx.b64) -> ()
  nvptx.bar.sync "" 0 : () -> ()
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Convergent ops stay, and so do guarded instructions.
// CHECK-LABEL: @fixed
// CHECK: %v = nvptx.activemask
// CHECK: %x = nvptx.add s32 %n, 1 if %c
// CHECK: nvptx.cbra
nvptx.func @fixed(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@fixed_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@fixed_param_1] : () -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %v = nvptx.activemask b32 : () -> !nvptx.b32
  %x = nvptx.add s32 %n, 1 if %c : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], %v : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %x : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Users in several blocks: to the block that dominates them all, after its existing ops. No edge is split for
// a value that only one edge passes on.
// CHECK-LABEL: @common_dominator
// CHECK-NOT: nvptx.mul
// CHECK: ^then:
// CHECK-NEXT: nvptx.st global.b32 [%p], %n
// CHECK-NEXT: %d = nvptx.setp
// CHECK-NEXT: %a = nvptx.mul
// CHECK-NEXT: nvptx.cbra
nvptx.func @common_dominator(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@common_dominator_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@common_dominator_param_1] : () -> !nvptx.b32
  nvptx.st global.b32 [%p + 16], %n : (!nvptx.b64, !nvptx.b32) -> ()
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %d = nvptx.setp gt.s32 %n, 9 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %d : !nvptx.pred, ^one, ^two
^one:
  nvptx.st global.b32 [%p + 4], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^two:
  nvptx.st global.b32 [%p + 8], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// A cycle with two entries is no natural loop, but would execute it repeatedly all the same.
// CHECK-LABEL: @irreducible
// CHECK: %a = nvptx.mul
// CHECK: nvptx.cbra
nvptx.func @irreducible(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@irreducible_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@irreducible_param_1] : () -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^x:
  nvptx.bra ^y
^y:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  %v = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp gt.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.ret
}

// A guarded instruction between a store and a load does not make the load movable past the store; an unused value
// stays.
// CHECK-LABEL: @store_below
// CHECK: nvptx.mul lo.s32 %n, %n
// CHECK-NEXT: %a = nvptx.ld global.b32 [%p]
// CHECK-NEXT: nvptx.add s32 %n, 1 if %c
// CHECK-NEXT: nvptx.st global.b32 [%p], %n
nvptx.func @store_below(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@store_below_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@store_below_param_1] : () -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %u = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %a = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %g = nvptx.add s32 %n, 1 if %c : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [%p], %n : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p + 4], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 8], %g : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Within a loop; a block argument of a kernel is no parameter.
// CHECK-LABEL: @inside_a_loop
// CHECK: ^head(%i
// CHECK-NOT: nvptx.mul
// CHECK: nvptx.cbra
// CHECK-NEXT: ^then:
// CHECK-NEXT: %a = nvptx.mul lo.s32 %i, %n
nvptx.func kernel @inside_a_loop(#nvptx.param<b64, name = "inside_a_loop_param_0">, #nvptx.param<b32, name = "inside_a_loop_param_1">) {
  %p = nvptx.ld param.b64 [@inside_a_loop_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@inside_a_loop_param_1] : () -> !nvptx.b32
  nvptx.bra ^head(%n : !nvptx.b32)
^head(%i: !nvptx.b32):
  %a = nvptx.mul lo.s32 %i, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 5 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^latch
^then:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^latch
^latch:
  %next = nvptx.sub s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  %d = nvptx.setp gt.s32 %next, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^head(%next : !nvptx.b32), ^exit
^exit:
  nvptx.ret
}

// A block argument of a kernel costs registers where it is not live, a parameter does not.
// CHECK-LABEL: @argument
// CHECK: ^next(%i
// CHECK-NEXT: %a = nvptx.add s32 %i, 1
// CHECK-NEXT: nvptx.bra ^last
nvptx.func kernel @argument(#nvptx.param<b64, name = "argument_param_0">, #nvptx.param<b32, name = "argument_param_1">) {
  %p = nvptx.ld param.b64 [@argument_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@argument_param_1] : () -> !nvptx.b32
  nvptx.bra ^next(%n : !nvptx.b32)
^next(%i: !nvptx.b32):
  %a = nvptx.add s32 %i, 1 : (!nvptx.b32) -> !nvptx.b32
  nvptx.bra ^last
^last:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.ret
}

// Before the first user of all results.
// CHECK-LABEL: @two_results
// CHECK: ^then:
// CHECK-NEXT: {{%.*}} = nvptx.mov b64 %q
// CHECK-NEXT: nvptx.st global.b32 [%p]
// CHECK-NEXT: nvptx.st global.b32 [%p + 4]
nvptx.func @two_results(#nvptx.param<b64>, #nvptx.param<b64>) {
  %p = nvptx.ld param.b64 [@two_results_param_0] : () -> !nvptx.b64
  %q = nvptx.ld param.b64 [@two_results_param_1] : () -> !nvptx.b64
  nvptx.st global.b64 [%p], %q : (!nvptx.b64, !nvptx.b64) -> ()
  %l, %h = nvptx.mov b64 %q : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
  %c = nvptx.setp gt.s64 %q, 0 : (!nvptx.b64) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], %l : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.st global.b32 [%p + 4], %h : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}

// Within a cycle with two entries.
// CHECK-LABEL: @inside_a_cycle
// CHECK: ^y:
// CHECK-NOT: nvptx.mul
// CHECK: nvptx.cbra
// CHECK-NEXT: ^then:
// CHECK-NEXT: %a = nvptx.mul
nvptx.func @inside_a_cycle(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@inside_a_cycle_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@inside_a_cycle_param_1] : () -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^x:
  nvptx.bra ^y
^y:
  %v = nvptx.ld shared.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
  %d = nvptx.setp gt.s32 %v, 0 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.cbra %d : !nvptx.pred, ^then, ^z
^then:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^z
^z:
  %e = nvptx.setp gt.s32 %v, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %e : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.ret
}

// A value with a use in an unreachable block stays.
// CHECK-LABEL: @unreachable_use
// CHECK: %a = nvptx.mul
// CHECK-NEXT: nvptx.cbra
nvptx.func @unreachable_use(#nvptx.param<b64>, #nvptx.param<b32>) {
  %p = nvptx.ld param.b64 [@unreachable_use_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@unreachable_use_param_1] : () -> !nvptx.b32
  %c = nvptx.setp gt.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.mul lo.s32 %n, %n : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.cbra %c : !nvptx.pred, ^then, ^exit
^then:
  nvptx.st global.b32 [%p], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^unreachable:
  nvptx.st global.b32 [%p + 4], %a : (!nvptx.b64, !nvptx.b32) -> ()
  nvptx.bra ^exit
^exit:
  nvptx.ret
}
