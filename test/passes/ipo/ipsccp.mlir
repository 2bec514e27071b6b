// RUN: nvvm-opt %s -p 'ipsccp' | filecheck %s

llvm.mlir.global internal @once(5 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @changed(5 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @host(5 : i32) {addr_space = 1 : i32, llvm.externally_initialized} : i32
llvm.mlir.global external @visible(5 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @partly(5 : i32) {addr_space = 1 : i32} : i32

// Every call passes 3.
// CHECK-LABEL: llvm.func internal @same
// CHECK: [[six:%.*]] = llvm.mlir.constant(6 : i32) : i32
// CHECK: llvm.return [[six]] : i32
llvm.func internal @same(%x: i32) -> i32 {
  %r = llvm.add %x, %x : i32
  llvm.return %r : i32
}
// Two values.
// CHECK-LABEL: llvm.func internal @several
// CHECK: llvm.add %x, %x
llvm.func internal @several(%x: i32) -> i32 {
  %r = llvm.add %x, %x : i32
  llvm.return %r : i32
}
// Other modules call it, too, but its result is known.
// CHECK-LABEL: llvm.func @seen
// CHECK: llvm.store %x
llvm.func @seen(%x: i32, %p: !llvm.ptr<1>) -> i32 {
  %c = llvm.mlir.constant(40 : i32) : i32
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return %c : i32
}
llvm.func weak @replaceable() -> i32 {
  %c = llvm.mlir.constant(41 : i32) : i32
  llvm.return %c : i32
}
// The other edge is never executed, so its call does not count.
// CHECK-LABEL: llvm.func internal @chooses
// CHECK-NOT: cond_br
// CHECK: llvm.call @pointed(
llvm.func internal @chooses(%c: i1, %f: !llvm.ptr, %p: !llvm.ptr<1>) -> i32 {
  %four = llvm.mlir.constant(4 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  llvm.cond_br %c, ^yes, ^no
^yes:
  %r = llvm.call %f(%four) : !llvm.ptr, (i32) -> i32
  llvm.return %r : i32
^no:
  %s = llvm.call @same(%four) : (i32) -> i32
  llvm.return %s : i32
}
llvm.func internal @pointed(%x: i32) -> i32 {
  llvm.return %x : i32
}
// Every call passes the address of a variable, but the argument is the address of a copy.
// CHECK-LABEL: llvm.func internal @increment_copy
// CHECK: llvm.store %{{.*}}, %copy : i32
llvm.func internal @increment_copy(%copy: !llvm.ptr {llvm.byval = i32}) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %old = llvm.load %copy : !llvm.ptr -> i32
  %new = llvm.add %old, %one : i32
  llvm.store %new, %copy : i32, !llvm.ptr
  %again = llvm.load %copy : !llvm.ptr -> i32
  llvm.return %again : i32
}
llvm.mlir.global internal @copied(5 : i32) : i32
llvm.func @passes_a_copy() -> i32 {
  %variable = llvm.mlir.addressof @copied : !llvm.ptr
  %r = llvm.call @increment_copy(%variable) : (!llvm.ptr {llvm.byval = i32}) -> i32
  llvm.return %r : i32
}
// After the replacement of the argument, the function and its calls write other memory than that of arguments.
// CHECK-LABEL: llvm.func internal @writes
// CHECK-SAME: memory_effects = #llvm.memory_effects<other = write, argMem = write, inaccessibleMem = none
// CHECK: llvm.store %{{.*}}, %p_1
// CHECK-LABEL: llvm.func @passes_a_variable
// CHECK: llvm.call @writes
// CHECK-SAME: memory_effects = #llvm.memory_effects<other = write, argMem = write, inaccessibleMem = none
llvm.mlir.global internal @written(5 : i32) : i32
llvm.func internal @writes(%p: !llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = write, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %p : i32, !llvm.ptr
  llvm.return
}
llvm.func @passes_a_variable() -> i32 {
  %variable = llvm.mlir.addressof @written : !llvm.ptr
  llvm.call @writes(%variable) {memory_effects = #llvm.memory_effects<other = none, argMem = write, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (!llvm.ptr) -> ()
  %r = llvm.load %variable : !llvm.ptr -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @kernel
// CHECK-DAG: [[c6:%.*]] = llvm.mlir.constant(6 : i32) : i32
// CHECK-DAG: [[c40:%.*]] = llvm.mlir.constant(40 : i32) : i32
// CHECK-DAG: [[c5:%.*]] = llvm.mlir.constant(5 : i32) : i32
// CHECK: llvm.store [[c6]], %p
// CHECK: [[b:%.*]] = llvm.call @several
// CHECK: llvm.store [[b]], %p
// CHECK: llvm.call @seen
// CHECK: llvm.store [[c40]], %p
// CHECK: [[e:%.*]] = llvm.call @replaceable
// CHECK: llvm.store [[e]], %p
// CHECK: llvm.store [[c5]], %p
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: llvm.load
llvm.func @kernel(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i8) : i8
  %three = llvm.mlir.constant(3 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %a = llvm.call @same(%three) : (i32) -> i32
  llvm.store %a, %p : i32, !llvm.ptr<1>
  %b = llvm.call @several(%three) : (i32) -> i32
  llvm.store %b, %p : i32, !llvm.ptr<1>
  %c = llvm.call @several(%n) : (i32) -> i32
  %d = llvm.call @seen(%three, %p) : (i32, !llvm.ptr<1>) -> i32
  llvm.store %d, %p : i32, !llvm.ptr<1>
  %e = llvm.call @replaceable() : () -> i32
  llvm.store %e, %p : i32, !llvm.ptr<1>
  %g0 = llvm.mlir.addressof @once : !llvm.ptr<1>
  %l0 = llvm.load %g0 : !llvm.ptr<1> -> i32
  llvm.store %l0, %p : i32, !llvm.ptr<1>
  llvm.store %five, %g0 : i32, !llvm.ptr<1>
  %g1 = llvm.mlir.addressof @changed : !llvm.ptr<1>
  %l1 = llvm.load %g1 : !llvm.ptr<1> -> i32
  llvm.store %l1, %p : i32, !llvm.ptr<1>
  llvm.store %three, %g1 : i32, !llvm.ptr<1>
  %g2 = llvm.mlir.addressof @host : !llvm.ptr<1>
  %l2 = llvm.load %g2 : !llvm.ptr<1> -> i32
  llvm.store %l2, %p : i32, !llvm.ptr<1>
  %g3 = llvm.mlir.addressof @visible : !llvm.ptr<1>
  %l3 = llvm.load %g3 : !llvm.ptr<1> -> i32
  llvm.store %l3, %p : i32, !llvm.ptr<1>
  %g4 = llvm.mlir.addressof @partly : !llvm.ptr<1>
  llvm.store %one, %g4 : i8, !llvm.ptr<1>
  %l4 = llvm.load %g4 : !llvm.ptr<1> -> i32
  llvm.store %l4, %p : i32, !llvm.ptr<1>
  %f = llvm.mlir.addressof @pointed : !llvm.ptr
  %h = llvm.call @chooses(%true, %f, %p) : (i1, !llvm.ptr, !llvm.ptr<1>) -> i32
  llvm.store %h, %p : i32, !llvm.ptr<1>
  llvm.return
}
