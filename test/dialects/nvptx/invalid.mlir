// RUN: nvvm-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: add does not take modifiers 'rn.s32'
nvptx.func @unknown_modifiers() {
  %a = nvptx.undef : !nvptx.b32
  %b = nvptx.add rn.s32 %a, %a : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// -----

// CHECK: add.f32: operand 1 of type f32 is !nvptx.b64
nvptx.func @wrong_class() {
  %a = nvptx.undef : !nvptx.f32
  %b = nvptx.undef : !nvptx.b64
  %c = nvptx.add f32 %a, %b : (!nvptx.f32, !nvptx.b64) -> !nvptx.f32
  nvptx.ret
}

// -----

// CHECK: add.s32: result 0 of type s32 is !nvptx.f32
nvptx.func @integers_are_not_in_float_registers() {
  %a = nvptx.undef : !nvptx.b32
  %c = nvptx.add s32 %a, %a : (!nvptx.b32, !nvptx.b32) -> !nvptx.f32
  nvptx.ret
}

// -----

// CHECK: mad.lo.s32: takes 3 operands, has 2
nvptx.func @too_few_operands() {
  %a = nvptx.undef : !nvptx.b32
  %c = nvptx.mad lo.s32 %a, 4 : (!nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// -----

// CHECK: ld.global.v2.f32: has 2 results, not 1
nvptx.func @too_few_results() {
  %a = nvptx.undef : !nvptx.b64
  %c = nvptx.ld global.v2.f32 [%a] : (!nvptx.b64) -> !nvptx.f32
  nvptx.ret
}

// -----

// CHECK: ld.global.f32: operand 0 must be an address
nvptx.func @not_an_address() {
  %a = nvptx.undef : !nvptx.b64
  %c = nvptx.ld global.f32 %a : (!nvptx.b64) -> !nvptx.f32
  nvptx.ret
}

// -----

// CHECK: st.global.v2.f32: operand 1 must be 2 registers in braces
nvptx.func @not_a_vector() {
  %a = nvptx.undef : !nvptx.b64
  %b = nvptx.undef : !nvptx.f32
  nvptx.st global.v2.f32 [%a], %b : (!nvptx.b64, !nvptx.f32) -> ()
  nvptx.ret
}

// -----

// CHECK: mov.b64: the result is 48 bits wide, not 64
nvptx.func @unpacking_too_little() {
  %a = nvptx.undef : !nvptx.b64
  %b, %c = nvptx.mov b64 %a : (!nvptx.b64) -> (!nvptx.b32, !nvptx.b16)
  nvptx.ret
}

// -----

// CHECK: cp.async.wait_group: operand 0 must be an immediate
nvptx.func @not_a_constant() {
  %a = nvptx.undef : !nvptx.b32
  nvptx.cp.async.wait_group "" %a : (!nvptx.b32) -> ()
  nvptx.ret
}

// -----

// CHECK: nvptx.membar: the guard must be a predicate
nvptx.func @wrong_guard() {
  %a = nvptx.undef : !nvptx.b32
  nvptx.membar cta if %a : (!nvptx.b32) -> ()
  nvptx.ret
}

// -----

// CHECK: nvptx.add: the layout takes 3 registers, there are 1
nvptx.func @wrong_layout() {
  %a = nvptx.undef : !nvptx.b32
  %b = "nvptx.add"(%a) <{mods = #nvptx.modifiers<"s32">, layout = #nvptx.operands<reg, {reg, reg}>}> : (!nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// -----

// CHECK: nvptx.add has no property 'mod'
nvptx.func @wrong_property() {
  %a = nvptx.undef : !nvptx.b32
  %b = "nvptx.add"(%a, %a) <{mods = #nvptx.modifiers<"s32">, mod = 1 : i32}> : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
  nvptx.ret
}

// -----

// CHECK: there is no special register %tid.w
nvptx.func @no_such_register() {
  %a = nvptx.mov.sreg "tid.w" : !nvptx.b32
  nvptx.ret
}

// -----

// CHECK: %clock64 is !nvptx.b64, not !nvptx.b32
nvptx.func @wrong_register_class() {
  %a = nvptx.mov.sreg "clock64" : !nvptx.b32
  nvptx.ret
}

// -----

// CHECK: nvptx.register needs a numbered register
nvptx.func @register_without_number() {
  %a = nvptx.register : !nvptx.b32
  nvptx.ret
}

// -----

// CHECK: nvptx.bra passes 0 values to a block with 1 arguments
nvptx.func @missing_argument() {
  nvptx.bra ^next
^next(%a: !nvptx.b32):
  nvptx.ret
}

// -----

// CHECK: nvptx.bra passes !nvptx.f32 to an argument of type !nvptx.b32
nvptx.func @wrong_argument() {
  %a = nvptx.undef : !nvptx.f32
  nvptx.bra ^next(%a : !nvptx.f32)
^next(%b: !nvptx.b32):
  nvptx.ret
}

// -----

// CHECK: the condition of nvptx.cbra must be a predicate
nvptx.func @wrong_condition() {
  %a = nvptx.undef : !nvptx.b32
  nvptx.cbra %a : !nvptx.b32, ^next, ^next
^next:
  nvptx.ret
}

// -----

// CHECK: nvptx.call stores 1 values, has 2
nvptx.func @call_with_too_much() {
  %a = nvptx.undef : !nvptx.b32
  nvptx.call @f(%a, %a) <{params = [#nvptx.param<b32>], stores = [#nvptx.piece<0, 0, "b32">]}> : (!nvptx.b32, !nvptx.b32) -> ()
  nvptx.ret
}

// -----

// CHECK: a kernel returns nothing
nvptx.func kernel @returning() -> #nvptx.param<b32> {
  nvptx.ret
}

// -----

// CHECK: nvptx.noalias names parameter 1, last_parameter has 1
nvptx.func kernel @last_parameter(#nvptx.param<b64>) attributes {nvptx.noalias = array<i32: 0, 1>} {
  nvptx.ret
}

// -----

// CHECK: nvptx.noalias names parameter -1, negative_parameter has 1
nvptx.func kernel @negative_parameter(#nvptx.param<b64>) attributes {nvptx.noalias = array<i32: -1>} {
  nvptx.ret
}

// -----

// CHECK: the entry block of nvptx.func has no arguments
nvptx.func @entry_argument() {
^entry(%a: !nvptx.b32):
  nvptx.ret
}

// -----

// CHECK: @small is 4 bytes large, its initial value 2
nvptx.global @small "global" "b32" <{init = array<i8: 1, 2>}>

// -----

// CHECK: shared memory has no initial value
nvptx.global @shared "shared" "b8" x 2 <{init = array<i8: 1, 2>}>

// -----

// CHECK: the address of @small is not within the initial value of @outside
nvptx.global @outside "global" "b8" x 4 <{init = array<i8: 1, 2, 3, 4>, relocs = [#nvptx.reloc<1, low 4 @small>]}>
