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
