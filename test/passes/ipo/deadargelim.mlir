// RUN: nvvm-opt %s -p 'deadargelim' | filecheck %s

// Unused arguments are removed, also those that only circulate in a recursion.
// CHECK: llvm.func internal @around(%n: i32) -> i32 {
// CHECK: llvm.call @around(%{{.*}}) : (i32) -> i32
llvm.func internal @around(%n: i32, %unused: i32, %carried: i64) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %c = llvm.icmp "sle" %n, %one : i32
  llvm.cond_br %c, ^end, ^more
^more:
  %less = llvm.sub %n, %one : i32
  %r = llvm.call @around(%less, %one, %carried) : (i32, i32, i64) -> i32
  llvm.return %r : i32
^end:
  llvm.return %n : i32
}

// An unused result is removed, and then the arguments of its computation.
// CHECK: llvm.func internal @no_result(%p: !llvm.ptr<1>) {
// CHECK: llvm.return
llvm.func internal @no_result(%p: !llvm.ptr<1>, %x: i32) -> i32 {
  llvm.store %p, %p : !llvm.ptr<1>, !llvm.ptr<1>
  llvm.return %x : i32
}

// One field of three is used.
// CHECK: llvm.func internal @fields(%x: i32) -> i32 {
llvm.func internal @fields(%x: i32, %y: f32) -> !llvm.struct<(i32, f32, i32)> {
  %u = llvm.mlir.undef : !llvm.struct<(i32, f32, i32)>
  %a = llvm.insertvalue %x, %u[0] : !llvm.struct<(i32, f32, i32)>
  %b = llvm.insertvalue %y, %a[1] : !llvm.struct<(i32, f32, i32)>
  llvm.return %b : !llvm.struct<(i32, f32, i32)>
}

// CHECK: llvm.func internal @taken(%x: i32, %y: i32) -> i32 {
llvm.func internal @taken(%x: i32, %y: i32) -> i32 {
  llvm.return %x : i32
}
// CHECK: llvm.func @seen(%x: i32, %y: i32, %z: i32 {llvm.noundef}) -> i32 {
llvm.func @seen(%x: i32, %y: i32, %z: i32 {llvm.noundef}) -> i32 {
  llvm.return %x : i32
}
// CHECK: llvm.func weak @replaceable(%x: i32) {
llvm.func weak @replaceable(%x: i32) {
  llvm.return
}

// CHECK: llvm.func @kernel(%x: i32, %p: !llvm.ptr<1>, %unused: i32) attributes {nvvm.kernel} {
// CHECK: [[poison:%.*]] = llvm.mlir.poison : i32
// CHECK: llvm.call @around(%x) : (i32) -> i32
// CHECK: llvm.call @no_result(%p) : (!llvm.ptr<1>) -> ()
// CHECK: llvm.call @fields(%x) : (i32) -> i32
// CHECK: llvm.call @seen(%x, [[poison]], %x)
// CHECK: llvm.call @replaceable(%x)
llvm.func @kernel(%x: i32, %p: !llvm.ptr<1>, %unused: i32) attributes {nvvm.kernel} {
  %f0 = llvm.mlir.constant(1.0 : f32) : f32
  %i0 = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.call @around(%x, %x, %i0) : (i32, i32, i64) -> i32
  %n = llvm.call @no_result(%p, %x) : (!llvm.ptr<1>, i32) -> i32
  %s = llvm.call @fields(%x, %f0) : (i32, f32) -> !llvm.struct<(i32, f32, i32)>
  %v = llvm.extractvalue %s[0] : !llvm.struct<(i32, f32, i32)>
  %w = llvm.call @seen(%x, %x, %x) : (i32, i32, i32) -> i32
  llvm.call @replaceable(%x) : (i32) -> ()
  %t = llvm.mlir.addressof @taken : !llvm.ptr
  llvm.store %t, %p : !llvm.ptr, !llvm.ptr<1>
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.store %w, %p : i32, !llvm.ptr<1>
  llvm.return
}
