// RUN: nvvm-opt %s -p 'argpromotion' | filecheck %s
// RUN: nvvm-opt %s -p 'argpromotion<max-elements=3>' | filecheck %s --check-prefix=THREE

// CHECK: llvm.func internal @two(%{{.*}}: i32, %{{.*}}: f32, %x: i32) -> i32 {
// CHECK-NOT: llvm.load
llvm.func internal @two(%p: !llvm.ptr, %x: i32) -> i32 {
  %a = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %f = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
  %b = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}

// CHECK: llvm.func internal @three(%p: !llvm.ptr) -> i32 {
// THREE: llvm.func internal @three(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32) -> i32 {
llvm.func internal @three(%p: !llvm.ptr) -> i32 {
  %a = llvm.load %p : !llvm.ptr -> i32
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %b = llvm.load %q : !llvm.ptr -> i32
  %s = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i32
  %c = llvm.load %s : !llvm.ptr -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}

// Stored to before the load.
// CHECK: llvm.func internal @written(%p: !llvm.ptr, %q: !llvm.ptr) -> i32 {
llvm.func internal @written(%p: !llvm.ptr, %q: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %q : i32, !llvm.ptr
  %a = llvm.load %p : !llvm.ptr -> i32
  llvm.return %a : i32
}

// Stores of other threads become visible at a barrier.
// CHECK: llvm.func internal @behind_barrier(%p: !llvm.ptr) -> i32 {
llvm.func internal @behind_barrier(%p: !llvm.ptr) -> i32 {
  nvvm.barrier0
  %a = llvm.load %p : !llvm.ptr -> i32
  llvm.return %a : i32
}

// CHECK: llvm.func internal @volatile(%p: !llvm.ptr) -> i32 {
llvm.func internal @volatile(%p: !llvm.ptr) -> i32 {
  %a = llvm.load volatile %p : !llvm.ptr -> i32
  llvm.return %a : i32
}

// The load may not be executed, but every caller passes an object that can be loaded from.
// CHECK: llvm.func internal @perhaps(%{{.*}}: i32, %c: i1) -> i32 {
llvm.func internal @perhaps(%p: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^yes, ^no
^yes:
  %a = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return %a : i32
^no:
  %z = llvm.mlir.constant(0 : i32) : i32
  llvm.return %z : i32
}
// CHECK: llvm.func internal @perhaps_not(%p: !llvm.ptr, %c: i1) -> i32 {
llvm.func internal @perhaps_not(%p: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^yes, ^no
^yes:
  %a = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return %a : i32
^no:
  %z = llvm.mlir.constant(0 : i32) : i32
  llvm.return %z : i32
}

// CHECK: llvm.func internal @by_value(%{{.*}}: i32) -> i32 {
llvm.func internal @by_value(%p: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>, llvm.align = 4 : i64}) -> i32 {
  %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return %a : i32
}

// CHECK: llvm.func @seen(%p: !llvm.ptr) -> i32 {
llvm.func @seen(%p: !llvm.ptr) -> i32 {
  %a = llvm.load %p : !llvm.ptr -> i32
  llvm.return %a : i32
}

// CHECK: llvm.func @kernel(%p: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
// CHECK: [[a:%.*]] = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: [[b:%.*]] = llvm.load {{.*}} -> f32
// CHECK: llvm.call @two([[a]], [[b]], %{{.*}}) : (i32, f32, i32) -> i32
llvm.func @kernel(%p: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x i64 {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %a = llvm.call @two(%p, %one) : (!llvm.ptr, i32) -> i32
  %b = llvm.call @three(%p) : (!llvm.ptr) -> i32
  %d = llvm.call @written(%p, %p) : (!llvm.ptr, !llvm.ptr) -> i32
  %e = llvm.call @behind_barrier(%p) : (!llvm.ptr) -> i32
  %f = llvm.call @volatile(%p) : (!llvm.ptr) -> i32
  %g = llvm.call @perhaps(%s, %c) : (!llvm.ptr, i1) -> i32
  %h = llvm.call @perhaps_not(%p, %c) : (!llvm.ptr, i1) -> i32
  %i = llvm.call @by_value(%p) : (!llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>, llvm.align = 4 : i64}) -> i32
  %j = llvm.call @seen(%p) : (!llvm.ptr) -> i32
  llvm.return
}

// A loaded pointer becomes an argument, so that writes of other memory become writes through arguments.
// CHECK: llvm.func internal @writes_through_field(%{{.*}}: !llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = write, argMem = readwrite,
// CHECK-LABEL: llvm.func @passes_a_field
// CHECK: llvm.call @writes_through_field(%{{.*}}) {memory_effects = #llvm.memory_effects<other = write, argMem = readwrite,
llvm.func internal @writes_through_field(%p: !llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = write, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.load %p : !llvm.ptr -> !llvm.ptr
  llvm.store %zero, %a : i32, !llvm.ptr
  llvm.return
}
llvm.func @passes_a_field(%p: !llvm.ptr) {
  llvm.call @writes_through_field(%p) {memory_effects = #llvm.memory_effects<other = write, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK: llvm.func internal @reads_field(%{{.*}}: i32) -> i32 attributes {memory_effects = #llvm.memory_effects<other = write, argMem = read,
llvm.func internal @reads_field(%p: !llvm.ptr) -> i32 attributes {memory_effects = #llvm.memory_effects<other = write, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
  %a = llvm.load %p : !llvm.ptr -> i32
  llvm.return %a : i32
}
llvm.func @passes_an_integer(%p: !llvm.ptr) -> i32 {
  %a = llvm.call @reads_field(%p) : (!llvm.ptr) -> i32
  llvm.return %a : i32
}
