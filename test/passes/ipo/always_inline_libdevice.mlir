// RUN: nvvm-opt %s -p 'always-inline' | filecheck %s
// RUN: nvvm-opt %s -p 'always-inline<keep-pure>' | filecheck %s --check-prefix=KEEP

// Calls of libdevice with constant arguments are replaced, also through functions that forward their arguments.
// CHECK-LABEL: llvm.func @constants
// CHECK:       %[[R:.*]] = llvm.mlir.constant(8.000000e+00 : f64)
// CHECK-NOT:   llvm.call
// CHECK:       llvm.store %[[R]], %p
// CHECK-NEXT:  llvm.store %[[R]], %p
// CHECK-NEXT:  llvm.store %[[R]], %p
// KEEP-LABEL: llvm.func @constants
// KEEP:         llvm.call @__nv_pow
// KEEP:         llvm.call @power
// KEEP:         llvm.call @outer
llvm.func internal @__nv_pow(%x: f64, %y: f64) -> f64 {
  %r = llvm.fmul %x, %y : f64
  llvm.return %r : f64
}
llvm.func internal @power(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @__nv_pow(%x, %y) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func internal @outer(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @power(%x, %y) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func @constants(%p: !llvm.ptr) {
  %two = llvm.mlir.constant(2.0 : f64) : f64
  %three = llvm.mlir.constant(3.0 : f64) : f64
  %a = llvm.call @__nv_pow(%two, %three) : (f64, f64) -> f64
  llvm.store %a, %p : f64, !llvm.ptr
  %b = llvm.call @power(%two, %three) : (f64, f64) -> f64
  llvm.store %b, %p : f64, !llvm.ptr
  %c = llvm.call @outer(%two, %three) : (f64, f64) -> f64
  llvm.store %c, %p : f64, !llvm.ptr
  llvm.return
}

// Not forwarded: exchanged arguments, an argument twice, another result, another op, and functions that call each other.
// A call with a variable argument remains.
// CHECK-LABEL: llvm.func @others
// CHECK:         llvm.call @exchanged
// CHECK:         llvm.call @square
// CHECK:         llvm.call @first
// CHECK:         llvm.call @next
// CHECK:         llvm.call @one
// CHECK:         llvm.call @__nv_pow
llvm.func internal @exchanged(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @__nv_pow(%y, %x) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func internal @square(%x: f64) -> f64 {
  %r = llvm.call @__nv_pow(%x, %x) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func internal @first(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @__nv_pow(%x, %y) : (f64, f64) -> f64
  llvm.return %x : f64
}
llvm.func internal @next(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @__nv_pow(%x, %y) : (f64, f64) -> f64
  %s = llvm.fneg %r : f64
  llvm.return %s : f64
}
llvm.func internal @one(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @other(%x, %y) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func internal @other(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @one(%x, %y) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func @others(%p: !llvm.ptr, %v: f64) {
  %two = llvm.mlir.constant(2.0 : f64) : f64
  %three = llvm.mlir.constant(3.0 : f64) : f64
  %a = llvm.call @exchanged(%two, %three) : (f64, f64) -> f64
  llvm.store %a, %p : f64, !llvm.ptr
  %b = llvm.call @square(%two) : (f64) -> f64
  llvm.store %b, %p : f64, !llvm.ptr
  %c = llvm.call @first(%two, %three) : (f64, f64) -> f64
  llvm.store %c, %p : f64, !llvm.ptr
  %d = llvm.call @next(%two, %three) : (f64, f64) -> f64
  llvm.store %d, %p : f64, !llvm.ptr
  %e = llvm.call @one(%two, %three) : (f64, f64) -> f64
  llvm.store %e, %p : f64, !llvm.ptr
  %f = llvm.call @__nv_pow(%two, %v) : (f64, f64) -> f64
  llvm.store %f, %p : f64, !llvm.ptr
  llvm.return
}

// Functions of the user with names of libdevice but other types, and a function that may be replaced. A
// function that is equal in all modules is folded.
// CHECK-LABEL: llvm.func @users
// CHECK:         llvm.call @__nv_sin
// CHECK:         llvm.call @__nv_cos
// CHECK:         llvm.call @__nv_exp
// CHECK:         llvm.call @replaceable
// CHECK-NOT:     llvm.call @equal
llvm.func internal @__nv_sin(%x: f64) {
  llvm.return
}
llvm.func internal @__nv_cos(%x: f64) -> f32 {
  %r = llvm.fptrunc %x : f64 to f32
  llvm.return %r : f32
}
llvm.func internal @__nv_exp(%x: f64, %y: f64) -> f64 {
  llvm.return %y : f64
}
llvm.func weak @replaceable(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @__nv_pow(%x, %y) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func linkonce_odr @equal(%x: f64, %y: f64) -> f64 {
  %r = llvm.call @__nv_pow(%x, %y) : (f64, f64) -> f64
  llvm.return %r : f64
}
llvm.func @users(%p: !llvm.ptr) {
  %two = llvm.mlir.constant(2.0 : f64) : f64
  llvm.call @__nv_sin(%two) : (f64) -> ()
  %a = llvm.call @__nv_cos(%two) : (f64) -> f32
  llvm.store %a, %p : f32, !llvm.ptr
  %b = llvm.call @__nv_exp(%two, %two) : (f64, f64) -> f64
  llvm.store %b, %p : f64, !llvm.ptr
  %c = llvm.call @replaceable(%two, %two) : (f64, f64) -> f64
  llvm.store %c, %p : f64, !llvm.ptr
  %d = llvm.call @equal(%two, %two) : (f64, f64) -> f64
  llvm.store %d, %p : f64, !llvm.ptr
  llvm.return
}
