// RUN: nvvm-opt %s -p 'machine-cp' | filecheck %s

// A copy within a register class, and a copy to another class and back, is the copied value.
// CHECK-LABEL: @copies
// CHECK-NEXT: %a = nvptx.mov.sreg "tid.x"
// CHECK-NEXT: %f = nvptx.mov b32 %a : (!nvptx.b32) -> !nvptx.f32
// CHECK-NEXT: nvptx.st local.b32 [@x], %a
// CHECK-NEXT: nvptx.st local.b32 [@x], %a
// CHECK-NEXT: nvptx.st local.b32 [@x], %a
// CHECK-NEXT: nvptx.ret
nvptx.func @copies() {
  %a = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %b = nvptx.mov b32 %a : (!nvptx.b32) -> !nvptx.b32
  %c = nvptx.mov b32 %b : (!nvptx.b32) -> !nvptx.b32
  %f = nvptx.mov b32 %a : (!nvptx.b32) -> !nvptx.f32
  %d = nvptx.mov b32 %f : (!nvptx.f32) -> !nvptx.b32
  nvptx.st local.b32 [@x], %b : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x], %c : (!nvptx.b32) -> ()
  nvptx.st local.b32 [@x], %d : (!nvptx.b32) -> ()
  nvptx.ret
}

// To another class and not back: the register's type changes.
// CHECK-LABEL: @other_class
// CHECK: %f = nvptx.mov b32 %a : (!nvptx.b32) -> !nvptx.f32
// CHECK-NEXT: nvptx.st local.f32 [@x], %f
nvptx.func @other_class() {
  %a = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %f = nvptx.mov b32 %a : (!nvptx.b32) -> !nvptx.f32
  nvptx.st local.f32 [@x], %f : (!nvptx.f32) -> ()
  nvptx.ret
}

// Constants, halves of a register, and assembled registers are not copies.
// CHECK-LABEL: @no_copies
// CHECK: %one = nvptx.mov b32 1
// CHECK-NEXT: %lo, %hi = nvptx.mov b64 %w
// CHECK-NEXT: %v = nvptx.mov b64 {%lo, %one}
nvptx.func @no_copies() {
  %w = nvptx.ld "param.b64" [@no_copies_param_0] : () -> !nvptx.b64
  %one = nvptx.mov b32 1 : () -> !nvptx.b32
  %lo, %hi = nvptx.mov b64 %w : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b32)
  %v = nvptx.mov b64 {%lo, %one} : (!nvptx.b32, !nvptx.b32) -> !nvptx.b64
  nvptx.st local.b64 [@x], %v : (!nvptx.b64) -> ()
  nvptx.ret
}

// With a guard it copies only if the predicate holds.
// CHECK-LABEL: @guarded
// CHECK: %b = nvptx.mov b32 %a if %p
// CHECK-NEXT: nvptx.st local.b32 [@x], %b
nvptx.func @guarded() {
  %a = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %p = nvptx.setp lt.s32 %a, 7 : (!nvptx.b32) -> !nvptx.pred
  %b = nvptx.mov b32 %a if %p : (!nvptx.b32, !nvptx.pred) -> !nvptx.b32
  nvptx.st local.b32 [@x], %b : (!nvptx.b32) -> ()
  nvptx.ret
}

// A register with several definitions may have another value.
// CHECK-LABEL: @shared_register
// CHECK: %old = nvptx.mov b32 %r : (!nvptx.b32<1>) -> !nvptx.b32
// CHECK: nvptx.st local.b32 [@x], %old
nvptx.func @shared_register() {
  %r = nvptx.register : !nvptx.b32<1>
  %a = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.mov b32 %a : (!nvptx.b32) -> !nvptx.b32<1>
  %old = nvptx.mov b32 %r : (!nvptx.b32<1>) -> !nvptx.b32
  nvptx.mov b32 2 : () -> !nvptx.b32<1>
  nvptx.st local.b32 [@x], %old : (!nvptx.b32) -> ()
  nvptx.ret
}
