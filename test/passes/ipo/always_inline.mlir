// RUN: nvvm-opt %s -p 'always-inline' | filecheck %s
// RUN: nvvm-opt %s -p 'always-inline<keep-pure>' | filecheck %s --check-prefix=KEEP

// CHECK-LABEL: llvm.func internal @square
llvm.func internal @square(%x: i32) -> i32 attributes {always_inline} {
  %r = llvm.mul %x, %x : i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @straight
// CHECK-NEXT:    %r = llvm.mul %x, %x
// CHECK-NEXT:    %{{.*}} = llvm.mul %r, %r
// CHECK-NEXT:    llvm.return
llvm.func @straight(%x: i32) -> i32 {
  %a = llvm.call @square(%x) : (i32) -> i32
  %b = llvm.call @square(%a) : (i32) -> i32
  llvm.return %b : i32
}

llvm.func internal @early(%c: i1, %x: i32) -> i32 attributes {always_inline} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  llvm.cond_br %c, ^out, ^on
^out:
  llvm.return %x : i32
^on:
  %y = llvm.load %slot : !llvm.ptr -> i32
  %z = llvm.call @square(%y) : (i32) -> i32
  llvm.return %z : i32
}

// Several returns join in a block after the call; the slot moves to the caller's entry.
// CHECK-LABEL: llvm.func @several
// CHECK-NEXT:    %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    %slot = llvm.alloca %[[ONE]] x i32
// CHECK-NEXT:    llvm.br ^[[B:.*]]
// CHECK:       ^[[B]]:
// CHECK-NEXT:    llvm.store %x, %slot
// CHECK-NEXT:    llvm.cond_br %c, ^[[OUT:.*]], ^[[ON:.*]]
// CHECK:       ^[[OUT]]:
// CHECK-NEXT:    llvm.br ^[[AFTER:.*]](%x : i32)
// CHECK:       ^[[ON]]:
// CHECK:         llvm.mul
// CHECK-NEXT:    llvm.br ^[[AFTER]](%{{.*}} : i32)
// CHECK:       ^[[AFTER]](%[[R:.*]]: i32):
// CHECK-NEXT:    llvm.add %[[R]], %x
llvm.func @several(%c: i1, %x: i32) -> i32 {
  llvm.br ^b
^b:
  %r = llvm.call @early(%c, %x) : (i1, i32) -> i32
  %s = llvm.add %r, %x : i32
  llvm.return %s : i32
}

llvm.func internal @table(%c: i1, %i: i32) -> i32 attributes {always_inline} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %array = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %marked = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %marked : !llvm.ptr
  llvm.store volatile %i, %marked : i32, !llvm.ptr
  llvm.store volatile %i, %array : i32, !llvm.ptr
  llvm.cond_br %c, ^out, ^on
^out:
  llvm.return %zero : i32
^on:
  llvm.return %one : i32
}

// The contents of an array of the callee are undefined before the call and after it.
// CHECK-LABEL: llvm.func @arrays
// CHECK:         %array = llvm.alloca
// CHECK:         llvm.cond_br %c, ^[[B:.*]], ^[[END:.*]]
// CHECK:       ^[[B]]:
// CHECK-NEXT:    llvm.intr.lifetime.start %array : !llvm.ptr
// CHECK-NEXT:    llvm.intr.lifetime.start %marked : !llvm.ptr
// CHECK-NEXT:    llvm.store volatile %i, %marked
// CHECK-NEXT:    llvm.store volatile %i, %array
// CHECK-NEXT:    llvm.cond_br
// CHECK-COUNT-2: llvm.intr.lifetime.end %array : !llvm.ptr
// CHECK-NOT:     lifetime
// CHECK:         llvm.return
llvm.func @arrays(%c: i1, %i: i32) -> i32 {
  llvm.cond_br %c, ^b, ^end(%i : i32)
^b:
  %r = llvm.call @table(%c, %i) : (i1, i32) -> i32
  llvm.br ^end(%r : i32)
^end(%s: i32):
  llvm.return %s : i32
}

llvm.func internal @forever(%x: i32) -> i32 attributes {always_inline} {
  %r = llvm.call @forever(%x) : (i32) -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @recursive
// CHECK:         llvm.call @forever
llvm.func @recursive(%x: i32) -> i32 {
  %r = llvm.call @forever(%x) : (i32) -> i32
  llvm.return %r : i32
}

llvm.func internal @taking(%s: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>, llvm.align = 4 : i64}) attributes {always_inline} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.store %zero, %s : i32, !llvm.ptr
  llvm.return
}

// By value means a copy: the caller does not see the callee's stores.
// CHECK-LABEL: llvm.func @by_value
// CHECK:         %[[COPY:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, i32)> {alignment = 4 : i64}
// CHECK:         "llvm.intr.memcpy"(%[[COPY]], %p, %{{.*}})
// CHECK:         llvm.store %{{.*}}, %[[COPY]]
llvm.func @by_value(%p: !llvm.ptr) {
  llvm.call @taking(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func internal @trap() -> i32 attributes {always_inline} {
  "llvm.intr.trap"() : () -> ()
  llvm.unreachable
}

// Code after a call that never returns is removed.
// CHECK-LABEL: llvm.func @never
// CHECK:         llvm.intr.trap
// CHECK-NEXT:    llvm.unreachable
// CHECK-NEXT:  }
llvm.func @never() -> i32 {
  %r = llvm.call @trap() : () -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @marked
// CHECK:         llvm.call @square
llvm.func @marked(%x: i32) -> i32 {
  %r = llvm.call @square(%x) {no_inline} : (i32) -> i32
  llvm.return %r : i32
}

// Only the call without effects that returns and is not convergent stays.
// CHECK-LABEL: llvm.func @pure
// CHECK-NOT:     llvm.call
// KEEP-LABEL: llvm.func @pure
// KEEP-NEXT:    %a = llvm.call @square(%x)
// KEEP-NEXT:    llvm.mul %a, %a
// KEEP-NEXT:    llvm.mul
// KEEP-NEXT:    llvm.mul
// KEEP-NEXT:    llvm.return
llvm.func @pure(%x: i32) -> i32 {
  %a = llvm.call @square(%x) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, will_return, no_unwind, nvvm.noconvergent} : (i32) -> i32
  %b = llvm.call @square(%a) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, nvvm.noconvergent} : (i32) -> i32
  %c = llvm.call @square(%b) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, will_return, no_unwind} : (i32) -> i32
  %d = llvm.call @square(%c) {memory_effects = #llvm.memory_effects<other = read, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, will_return, no_unwind, nvvm.noconvergent} : (i32) -> i32
  llvm.return %d : i32
}
