// RUN: nvvm-opt %s -p 'nvptx-peephole' | filecheck %s

// Comparisons that combine their result with a predicate have no inverse; a guarded negation, and the negation of a
// number, stay.
// CHECK-LABEL: @negations
// CHECK: %a = nvptx.setp lt.or.s32 %x, %y, %p
// CHECK-NEXT: nvptx.selp b32 4, 3, %a
// CHECK: %d = nvptx.setp lt.xor.s32 %x, %y, %p
// CHECK-NEXT: nvptx.selp b32 4, 3, %d
// CHECK: %g = nvptx.setp lt.s32 %x, %y
// CHECK-NEXT: %h = nvptx.not pred %g if %p
// CHECK-NEXT: nvptx.selp b32 3, 4, %h
// CHECK: %k = nvptx.not b32 %x
// CHECK-NEXT: %l = nvptx.not b32 %k
nvptx.func @negations() {
  %x = nvptx.ld param.b32 [@negations_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@negations_param_1] : () -> !nvptx.b32
  %p = nvptx.setp eq.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.setp lt.or.s32 %x, %y, %p : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> !nvptx.pred
  %b = nvptx.not pred %a : (!nvptx.pred) -> !nvptx.pred
  %c = nvptx.selp b32 3, 4, %b : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %c : (!nvptx.b32) -> ()
  %d = nvptx.setp lt.xor.s32 %x, %y, %p : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> !nvptx.pred
  %e = nvptx.not pred %d : (!nvptx.pred) -> !nvptx.pred
  %f = nvptx.selp b32 3, 4, %e : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  %g = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %h = nvptx.not pred %g if %p : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %i = nvptx.selp b32 3, 4, %h : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  %k = nvptx.not b32 %x : (!nvptx.b32) -> !nvptx.b32
  %l = nvptx.not b32 %k : (!nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %l : (!nvptx.b32) -> ()
  nvptx.ret
}

// A number that a predicate selects becomes that predicate only in a plain test for equality, with one result, whose
// result is not the same for both numbers.
// CHECK-LABEL: @selected
// CHECK: %j = nvptx.selp b32 1, 0, %p
// CHECK: nvptx.setp lt.s32 %j, 1
// CHECK: nvptx.setp eq.and.s32 %j, 0, %p
// CHECK: nvptx.setp eq.s32 %j, 0 if %p
// CHECK: nvptx.setp eq.s32 %j, 5
// CHECK: nvptx.setp eq.s32 %j, %x
// CHECK: nvptx.setp eq.s32 %x, 0
// CHECK: nvptx.setp eq.s32 %j, 1 : (!nvptx.b32) -> (!nvptx.pred, !nvptx.pred)
// CHECK: nvptx.setp eq.s32 %s, 0
// CHECK: nvptx.setp eq.s32 %t, 0
// CHECK: nvptx.setp eq.f32 %u, 0
nvptx.func @selected() {
  %x = nvptx.ld param.b32 [@selected_param_0] : () -> !nvptx.b32
  %p = nvptx.setp eq.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  %j = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %a = nvptx.setp lt.s32 %j, 1 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [@g], 1 if %a : (!nvptx.pred) -> ()
  %b = nvptx.setp eq.and.s32 %j, 0, %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.pred
  nvptx.st global.b32 [@g], 2 if %b : (!nvptx.pred) -> ()
  %c = nvptx.setp eq.s32 %j, 0 if %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.pred
  nvptx.st global.b32 [@g], 3 if %c : (!nvptx.pred) -> ()
  %d = nvptx.setp eq.s32 %j, 5 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [@g], 4 if %d : (!nvptx.pred) -> ()
  %e = nvptx.setp eq.s32 %j, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [@g], 5 if %e : (!nvptx.pred) -> ()
  %f = nvptx.setp eq.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [@g], 6 if %f : (!nvptx.pred) -> ()
  %h, %i = nvptx.setp eq.s32 %j, 1 : (!nvptx.b32) -> (!nvptx.pred, !nvptx.pred)
  nvptx.st global.b32 [@g], 7 if %h : (!nvptx.pred) -> ()
  nvptx.st global.b32 [@g], 7 if %i : (!nvptx.pred) -> ()
  %s = nvptx.selp b32 %x, 0, %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %k = nvptx.setp eq.s32 %s, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [@g], 8 if %k : (!nvptx.pred) -> ()
  %t = nvptx.selp b32 1, %x, %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %l = nvptx.setp eq.s32 %t, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.st global.b32 [@g], 9 if %l : (!nvptx.pred) -> ()
  %u = nvptx.selp f32 1, 0, %p : (!nvptx.pred) -> !nvptx.f32
  %m = nvptx.setp eq.f32 %u, 0 : (!nvptx.f32) -> !nvptx.pred
  nvptx.st global.b32 [@g], 10 if %m : (!nvptx.pred) -> ()
  nvptx.ret
}

// A guarded selection keeps its negated predicate.
// CHECK-LABEL: @guarded_selection
// CHECK: %b = nvptx.not pred %a
// CHECK-NEXT: nvptx.selp b32 3, 4, %b if %p
nvptx.func @guarded_selection() {
  %x = nvptx.ld param.b32 [@guarded_selection_param_0] : () -> !nvptx.b32
  %p = nvptx.setp eq.s32 %x, 9 : (!nvptx.b32) -> !nvptx.pred
  %a = nvptx.setp lt.and.s32 %x, 2, %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.pred
  %b = nvptx.not pred %a : (!nvptx.pred) -> !nvptx.pred
  %c = nvptx.selp b32 3, 4, %b if %p : (!nvptx.pred, !nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %c : (!nvptx.b32) -> ()
  nvptx.ret
}

// A conditional step of a value that has no other use selects the new value. ptxas emits one predicated instruction.
// CHECK-LABEL: @steps
// CHECK: %[[A:.*]] = nvptx.add s32 %x0, 1
// CHECK-NEXT: %{{.*}} = nvptx.selp b32 %[[A]], %x0, %p
// CHECK: %[[B:.*]] = nvptx.sub u32 %x1, 4
// CHECK-NEXT: %{{.*}} = nvptx.selp b32 %x1, %[[B]], %p
// CHECK: %[[C:.*]] = nvptx.or b32 %y, %x2
// CHECK-NEXT: %{{.*}} = nvptx.selp b32 %[[C]], %x2, %p
// CHECK: %[[D:.*]] = nvptx.add s64 %w, 1
// CHECK-NEXT: %{{.*}} = nvptx.selp b64 %[[D]], %w, %p
// Not if the selection has another use, the value has one, both numbers are not zero, or the selection is subtracted
// from.
// CHECK: %e = nvptx.selp b32 1, 0, %p
// CHECK-NEXT: %{{.*}} = nvptx.add s32 %x3, %e
// CHECK: %h = nvptx.selp b32 1, 0, %p
// CHECK-NEXT: %{{.*}} = nvptx.add s32 %y, %h
// CHECK: %j = nvptx.selp b32 1, 2, %p
// CHECK-NEXT: %{{.*}} = nvptx.add s32 %x4, %j
// CHECK: %l = nvptx.selp b32 1, 0, %p
// CHECK-NEXT: %{{.*}} = nvptx.sub s32 %l, %x5
nvptx.func @steps() {
  %y = nvptx.ld param.b32 [@steps_param_0] : () -> !nvptx.b32
  %p = nvptx.setp eq.s32 %y, 9 : (!nvptx.b32) -> !nvptx.pred
  %x0 = nvptx.ld global.b32 [@g] : () -> !nvptx.b32
  %a = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %b = nvptx.add s32 %x0, %a : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b : (!nvptx.b32) -> ()
  %x1 = nvptx.ld global.b32 [@g] : () -> !nvptx.b32
  %c = nvptx.selp b32 0, 4, %p : (!nvptx.pred) -> !nvptx.b32
  %d = nvptx.sub u32 %x1, %c : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  %x2 = nvptx.ld global.b32 [@g] : () -> !nvptx.b32
  %q = nvptx.selp b32 %y, 0, %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  %r = nvptx.or b32 %q, %x2 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %r : (!nvptx.b32) -> ()
  %w = nvptx.ld global.b64 [@g] : () -> !nvptx.b64
  %s = nvptx.selp b64 1, 0, %p : (!nvptx.pred) -> !nvptx.b64
  %t = nvptx.add s64 %w, %s : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
  nvptx.st global.b64 [@g], %t : (!nvptx.b64) -> ()
  %x3 = nvptx.ld global.b32 [@g] : () -> !nvptx.b32
  %e = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %f = nvptx.add s32 %x3, %e : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f : (!nvptx.b32) -> ()
  nvptx.st global.b32 [@g], %e : (!nvptx.b32) -> ()
  %h = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %i = nvptx.add s32 %y, %h : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  %x4 = nvptx.ld global.b32 [@g] : () -> !nvptx.b32
  %j = nvptx.selp b32 1, 2, %p : (!nvptx.pred) -> !nvptx.b32
  %k = nvptx.add s32 %x4, %j : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %k : (!nvptx.b32) -> ()
  %x5 = nvptx.ld global.b32 [@g] : () -> !nvptx.b32
  %l = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %m = nvptx.sub s32 %l, %x5 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %m : (!nvptx.b32) -> ()
  nvptx.ret
}

// The value may also be passed on by the terminator of its block, before the step; not after it.
// CHECK-LABEL: @passed
// CHECK: %[[A:.*]] = nvptx.add s32 %i, 1
// CHECK-NEXT: %{{.*}} = nvptx.selp b32 %[[A]], %i, %p
// CHECK: ^later
// CHECK: %c = nvptx.selp b32 1, 0, %p
// CHECK-NEXT: %{{.*}} = nvptx.add s32 %j, %c
nvptx.func @passed() {
  %y = nvptx.ld param.b32 [@passed_param_0] : () -> !nvptx.b32
  %p = nvptx.setp eq.s32 %y, 9 : (!nvptx.b32) -> !nvptx.pred
  nvptx.bra ^head(%y : !nvptx.b32)
^head(%i : !nvptx.b32):
  nvptx.cbra %p : !nvptx.pred, ^later(%i : !nvptx.b32), ^step
^step:
  %a = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %b = nvptx.add s32 %i, %a : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.bra ^head(%b : !nvptx.b32)
^later(%j : !nvptx.b32):
  %c = nvptx.selp b32 1, 0, %p : (!nvptx.pred) -> !nvptx.b32
  %d = nvptx.add s32 %j, %c : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d : (!nvptx.b32) -> ()
  nvptx.cbra %p : !nvptx.pred, ^head(%j : !nvptx.b32), ^end
^end:
  nvptx.ret
}

// Comparisons of 64-bit values with constants test one word if that is enough.
// CHECK-LABEL: @wide
// CHECK: %[[L:.*]], %[[H:.*]] = nvptx.mov b64 %w
// CHECK-NEXT: %[[O:.*]] = nvptx.or b32 %[[L]], %[[H]]
// CHECK-NEXT: %{{.*}} = nvptx.setp eq.b32 %[[O]], 0
// CHECK: %[[L:.*]], %[[H:.*]] = nvptx.mov b64 %w
// CHECK-NEXT: %[[X:.*]] = nvptx.xor b32 %[[L]], 5
// CHECK-NEXT: %[[O:.*]] = nvptx.or b32 %[[X]], %[[H]]
// CHECK-NEXT: %{{.*}} = nvptx.setp ne.b32 %[[O]], 0
// CHECK: %[[L:.*]], %[[H:.*]] = nvptx.mov b64 %w
// CHECK-NEXT: %[[X:.*]] = nvptx.not b32 %[[L]]
// CHECK-NEXT: %[[N:.*]] = nvptx.not b32 %[[H]]
// CHECK-NEXT: %[[O:.*]] = nvptx.or b32 %[[X]], %[[N]]
// CHECK-NEXT: %{{.*}} = nvptx.setp eq.b32 %[[O]], 0
// CHECK: %[[X:.*]] = nvptx.xor b32 %{{.*}}, -2
// CHECK-NEXT: %[[N:.*]] = nvptx.not b32
// CHECK-NEXT: %{{.*}} = nvptx.or b32 %[[X]], %[[N]]
// CHECK: %{{.*}} = nvptx.setp eq.s64 %w, 4294967296
// CHECK: %[[X:.*]] = nvptx.and b32 %{{.*}}, -64
// CHECK-NEXT: %[[O:.*]] = nvptx.or b32 %[[X]], %{{.*}}
// CHECK-NEXT: %{{.*}} = nvptx.setp eq.b32 %[[O]], 0
// CHECK: %{{.*}} = nvptx.and b32 %{{.*}}, -64
// CHECK: %{{.*}} = nvptx.setp ne.b32 %{{.*}}, 0
// CHECK: %{{.*}} = nvptx.setp ge.s32 %{{.*}}, 0
// CHECK: %{{.*}} = nvptx.setp lt.s32 %{{.*}}, -1
// CHECK: %{{.*}} = nvptx.setp ge.u32 %{{.*}}, 4294967295
// Two words are needed for other bounds; nothing is less than zero, and no bound is above the largest number.
// CHECK: %{{.*}} = nvptx.setp lt.u64 %w, 63
// CHECK: %{{.*}} = nvptx.setp lt.s64 %w, 64
// CHECK: %{{.*}} = nvptx.setp gt.u64 %w, -1
// CHECK: %{{.*}} = nvptx.setp le.s64 %w, 9223372036854775807
// CHECK: %{{.*}} = nvptx.setp lt.u64 %w, 1
// CHECK: %{{.*}} = nvptx.setp eq.or.s64 %w, 0, %q
nvptx.func @wide() {
  %w = nvptx.ld param.b64 [@wide_param_0] : () -> !nvptx.b64
  %a = nvptx.setp eq.b64 %w, 0 : (!nvptx.b64) -> !nvptx.pred
  %a1 = nvptx.selp b32 3, 4, %a : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %a1 : (!nvptx.b32) -> ()
  %b = nvptx.setp ne.s64 %w, 5 : (!nvptx.b64) -> !nvptx.pred
  %b1 = nvptx.selp b32 3, 4, %b : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b1 : (!nvptx.b32) -> ()
  %c = nvptx.setp eq.u64 %w, -1 : (!nvptx.b64) -> !nvptx.pred
  %c1 = nvptx.selp b32 3, 4, %c : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %c1 : (!nvptx.b32) -> ()
  %d = nvptx.setp eq.s64 %w, -2 : (!nvptx.b64) -> !nvptx.pred
  %d1 = nvptx.selp b32 3, 4, %d : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d1 : (!nvptx.b32) -> ()
  %e = nvptx.setp eq.s64 %w, 4294967296 : (!nvptx.b64) -> !nvptx.pred
  %e1 = nvptx.selp b32 3, 4, %e : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %e1 : (!nvptx.b32) -> ()
  %f = nvptx.setp lt.u64 %w, 64 : (!nvptx.b64) -> !nvptx.pred
  %f1 = nvptx.selp b32 3, 4, %f : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %f1 : (!nvptx.b32) -> ()
  %h = nvptx.setp gt.u64 %w, 63 : (!nvptx.b64) -> !nvptx.pred
  %h1 = nvptx.selp b32 3, 4, %h : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %h1 : (!nvptx.b32) -> ()
  %i = nvptx.setp gt.s64 %w, -1 : (!nvptx.b64) -> !nvptx.pred
  %i1 = nvptx.selp b32 3, 4, %i : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i1 : (!nvptx.b32) -> ()
  %j = nvptx.setp lt.s64 %w, -4294967296 : (!nvptx.b64) -> !nvptx.pred
  %j1 = nvptx.selp b32 3, 4, %j : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %j1 : (!nvptx.b32) -> ()
  %k = nvptx.setp ge.u64 %w, -4294967296 : (!nvptx.b64) -> !nvptx.pred
  %k1 = nvptx.selp b32 3, 4, %k : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %k1 : (!nvptx.b32) -> ()
  %l = nvptx.setp lt.u64 %w, 63 : (!nvptx.b64) -> !nvptx.pred
  %l1 = nvptx.selp b32 3, 4, %l : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %l1 : (!nvptx.b32) -> ()
  %m = nvptx.setp lt.s64 %w, 64 : (!nvptx.b64) -> !nvptx.pred
  %m1 = nvptx.selp b32 3, 4, %m : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %m1 : (!nvptx.b32) -> ()
  %n = nvptx.setp gt.u64 %w, -1 : (!nvptx.b64) -> !nvptx.pred
  %n1 = nvptx.selp b32 3, 4, %n : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %n1 : (!nvptx.b32) -> ()
  %o = nvptx.setp le.s64 %w, 9223372036854775807 : (!nvptx.b64) -> !nvptx.pred
  %o1 = nvptx.selp b32 3, 4, %o : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %o1 : (!nvptx.b32) -> ()
  %q = nvptx.setp lt.u64 %w, 1 : (!nvptx.b64) -> !nvptx.pred
  %q1 = nvptx.selp b32 3, 4, %q : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %q1 : (!nvptx.b32) -> ()
  %r = nvptx.setp eq.or.s64 %w, 0, %q : (!nvptx.b64, !nvptx.pred) -> !nvptx.pred
  %r1 = nvptx.selp b32 3, 4, %r : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %r1 : (!nvptx.b32) -> ()
  nvptx.ret
}

// Two equalities of which one is with zero are one test, and so are all bits of a mask.
// CHECK-LABEL: @tests
// CHECK: %[[X:.*]] = nvptx.xor b32 %x, %y
// CHECK-NEXT: %[[O:.*]] = nvptx.or b32 %[[X]], %z
// CHECK-NEXT: %{{.*}} = nvptx.setp eq.b32 %[[O]], 0
// CHECK: %[[X:.*]] = nvptx.xor b32 %x, 7
// CHECK-NEXT: %[[O:.*]] = nvptx.or b32 %[[X]], %z
// CHECK-NEXT: %{{.*}} = nvptx.setp ne.b32 %[[O]], 0
// CHECK: %[[O:.*]] = nvptx.or b32 %{{[xz]}}, %{{[xz]}} :
// CHECK-NEXT: %{{.*}} = nvptx.setp eq.b32 %[[O]], 0
// Not for the negation, for two numbers, for a comparison with another use, or for other comparisons.
// CHECK: %{{.*}} = nvptx.or pred %e, %f
// CHECK: %{{.*}} = nvptx.and pred %i, %j
// CHECK: %{{.*}} = nvptx.and pred %l, %m
// CHECK: %{{.*}} = nvptx.and pred %o, %q
nvptx.func @tests() {
  %x = nvptx.ld param.b32 [@tests_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@tests_param_1] : () -> !nvptx.b32
  %z = nvptx.ld param.b32 [@tests_param_2] : () -> !nvptx.b32
  %a = nvptx.setp eq.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %b = nvptx.setp eq.b32 %z, 0 : (!nvptx.b32) -> !nvptx.pred
  %c = nvptx.and pred %a, %b : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %c1 = nvptx.selp b32 3, 4, %c : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %c1 : (!nvptx.b32) -> ()
  %d = nvptx.setp ne.u32 %z, 0 : (!nvptx.b32) -> !nvptx.pred
  %d1 = nvptx.setp ne.s32 %x, 7 : (!nvptx.b32) -> !nvptx.pred
  %d2 = nvptx.or pred %d, %d1 : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %d3 = nvptx.selp b32 3, 4, %d2 : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d3 : (!nvptx.b32) -> ()
  %z1 = nvptx.setp eq.s32 %x, 0 : (!nvptx.b32) -> !nvptx.pred
  %z2 = nvptx.setp eq.b32 %z, 0 : (!nvptx.b32) -> !nvptx.pred
  %z3 = nvptx.and pred %z1, %z2 : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %z4 = nvptx.selp b32 3, 4, %z3 : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %z4 : (!nvptx.b32) -> ()
  %e = nvptx.setp eq.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %f = nvptx.setp eq.b32 %z, 0 : (!nvptx.b32) -> !nvptx.pred
  %h = nvptx.or pred %e, %f : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %h1 = nvptx.selp b32 3, 4, %h : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %h1 : (!nvptx.b32) -> ()
  %i = nvptx.setp eq.s32 %x, 7 : (!nvptx.b32) -> !nvptx.pred
  %j = nvptx.setp eq.b32 %z, 3 : (!nvptx.b32) -> !nvptx.pred
  %k = nvptx.and pred %i, %j : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %k1 = nvptx.selp b32 3, 4, %k : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %k1 : (!nvptx.b32) -> ()
  %l = nvptx.setp eq.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %m = nvptx.setp eq.b32 %z, 0 : (!nvptx.b32) -> !nvptx.pred
  %n = nvptx.and pred %l, %m : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %n1 = nvptx.selp b32 3, 4, %n : (!nvptx.pred) -> !nvptx.b32
  %n2 = nvptx.selp b32 5, %n1, %l : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %n2 : (!nvptx.b32) -> ()
  %o = nvptx.setp lt.s32 %x, %y : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
  %q = nvptx.setp eq.b32 %z, 0 : (!nvptx.b32) -> !nvptx.pred
  %r = nvptx.and pred %o, %q : (!nvptx.pred, !nvptx.pred) -> !nvptx.pred
  %r1 = nvptx.selp b32 3, 4, %r : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %r1 : (!nvptx.b32) -> ()
  nvptx.ret
}

// CHECK-LABEL: @bits
// CHECK: %[[N:.*]] = nvptx.not b32 %x
// CHECK-NEXT: %[[A:.*]] = nvptx.and b32 %[[N]], 12
// CHECK-NEXT: %{{.*}} = nvptx.setp eq.s32 %[[A]], 0
// CHECK: %b = nvptx.and b32 %x, 12
// CHECK-NEXT: %{{.*}} = nvptx.setp eq.s32 %b, 4
// CHECK: %d = nvptx.and b32 %x, 12
// CHECK-NEXT: %{{.*}} = nvptx.setp ne.s32 %d, 12
// CHECK: %[[S:.*]] = nvptx.shr u32 %x, %y
// CHECK-NEXT: %[[L:.*]] = nvptx.and b32 %[[S]], 1
// CHECK: %{{.*}} = nvptx.setp ne.b32 %[[L]], 0
// CHECK: %{{.*}} = nvptx.shl b32 2, %y
// CHECK: %{{.*}} = nvptx.and b32 %x, %k
// CHECK: %{{.*}} = nvptx.shl b32 1, %y
// CHECK: %{{.*}} = nvptx.and b32 %n, %x
nvptx.func @bits() {
  %x = nvptx.ld param.b32 [@bits_param_0] : () -> !nvptx.b32
  %y = nvptx.ld param.b32 [@bits_param_1] : () -> !nvptx.b32
  %a = nvptx.and b32 %x, 12 : (!nvptx.b32) -> !nvptx.b32
  %a1 = nvptx.setp eq.s32 %a, 12 : (!nvptx.b32) -> !nvptx.pred
  %a2 = nvptx.selp b32 3, 4, %a1 : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %a2 : (!nvptx.b32) -> ()
  %b = nvptx.and b32 %x, 12 : (!nvptx.b32) -> !nvptx.b32
  %b1 = nvptx.setp eq.s32 %b, 4 : (!nvptx.b32) -> !nvptx.pred
  %b2 = nvptx.selp b32 3, 4, %b1 : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %b2 : (!nvptx.b32) -> ()
  %d = nvptx.and b32 %x, 12 : (!nvptx.b32) -> !nvptx.b32
  %d1 = nvptx.setp ne.s32 %d, 12 : (!nvptx.b32) -> !nvptx.pred
  %d2 = nvptx.selp b32 3, %d, %d1 : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %d2 : (!nvptx.b32) -> ()
  %e = nvptx.shl b32 1, %y : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.and b32 %x, %e : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %h = nvptx.setp ne.b32 %f, 0 : (!nvptx.b32) -> !nvptx.pred
  %i = nvptx.selp b32 3, 4, %h : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %i : (!nvptx.b32) -> ()
  %k = nvptx.shl b32 2, %y : (!nvptx.b32) -> !nvptx.b32
  %l = nvptx.and b32 %x, %k : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %m = nvptx.setp ne.b32 %l, 0 : (!nvptx.b32) -> !nvptx.pred
  %m1 = nvptx.selp b32 3, 4, %m : (!nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %m1 : (!nvptx.b32) -> ()
  %n = nvptx.shl b32 1, %y : (!nvptx.b32) -> !nvptx.b32
  %o = nvptx.and b32 %n, %x : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  %q = nvptx.setp eq.b32 %o, 0 : (!nvptx.b32) -> !nvptx.pred
  %q1 = nvptx.selp b32 %n, 4, %q : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.st global.b32 [@g], %q1 : (!nvptx.b32) -> ()
  nvptx.ret
}
