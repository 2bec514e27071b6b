// RUN: nvvm-opt %s -p 'lower-ops' | filecheck %s --check-prefixes=CHECK,PLAIN
// RUN: nvvm-opt %s -p 'lower-ops<enable-optimization>' | filecheck %s --check-prefixes=CHECK,OPT
// RUN: xdsl-opt %s -p 'lower-ops{enable-optimization}' | filecheck %s --check-prefixes=CHECK,OPT

// CHECK-LABEL: llvm.func @divisions
// CHECK-NEXT:    llvm.call @__nv_udiv128(%a, %b) : (i128, i128) -> i128
// CHECK-NEXT:    llvm.call @__nv_idiv128(%a, %b) : (i128, i128) -> i128
// CHECK-NEXT:    llvm.call @__nv_urem128(%a, %b) : (i128, i128) -> i128
// CHECK-NEXT:    llvm.call @__nv_irem128(%a, %b) : (i128, i128) -> i128
llvm.func @divisions(%a: i128, %b: i128) {
  %0 = llvm.udiv %a, %b : i128
  %1 = llvm.sdiv %a, %b : i128
  %2 = llvm.urem %a, %b : i128
  %3 = llvm.srem %a, %b : i128
  llvm.return
}

// Other widths by extension; elements one by one.
// CHECK-LABEL: llvm.func @widths
// CHECK:         %[[X:.*]] = llvm.sext %a : i65 to i128
// CHECK:         %[[D:.*]] = llvm.call @__nv_idiv128(%[[X]], %{{.*}})
// CHECK:         llvm.trunc %[[D]] : i128 to i65
// CHECK:         %[[P:.*]] = llvm.extractelement %v
// CHECK:         llvm.zext %[[P]] : i100 to i128
// CHECK:         llvm.call @__nv_urem128
// CHECK:         llvm.insertelement
// CHECK:         llvm.call @__nv_urem128
// CHECK:         llvm.insertelement
// CHECK-NOT:     llvm.urem
// CHECK:         llvm.call @__nv_udiv256(%c, %c) : (i256, i256) -> i256
llvm.func @widths(%a: i65, %b: i65, %c: i256, %v: vector<2xi100>) {
  %0 = llvm.sdiv %a, %b : i65
  %1 = llvm.urem %v, %v : vector<2xi100>
  %2 = llvm.udiv %c, %c : i256
  llvm.return
}

// CHECK-LABEL: llvm.func @conversions
// CHECK:         llvm.call @__nv_cvt_u128_f64_rn(%a) : (i128) -> f64
// CHECK:         llvm.call @__nv_cvt_i128_f32_rn(%a) : (i128) -> f32
// CHECK:         %[[F:.*]] = llvm.fmul %{{.*}}, %{{.*}} : f64
// CHECK:         llvm.fptrunc %[[F]] : f64 to f16
// CHECK:         llvm.call @__nv_cvt_f64_u128_rz(%d) : (f64) -> i128
// CHECK:         %[[G:.*]] = llvm.fpext %f : f32 to f64
// CHECK:         llvm.call @__nv_cvt_f64_i128_rz(%[[G]]) : (f64) -> i128
llvm.func @conversions(%a: i128, %d: f64, %f: f32) {
  %0 = llvm.uitofp %a : i128 to f64
  %1 = llvm.sitofp %a : i128 to f32
  %2 = llvm.uitofp %a : i128 to f16
  %3 = llvm.fptoui %d : f64 to i128
  %4 = llvm.fptosi %f : f32 to i128
  llvm.return
}

// CHECK-LABEL: llvm.func @remainders
// CHECK:         llvm.call @__nvvm_xdsl_fmod64(%d, %d)
// CHECK:         llvm.call @__nvvm_xdsl_fmod32(%f, %f)
// CHECK:         llvm.fpext %h : f16 to f32
// CHECK:         llvm.call @__nvvm_xdsl_fmod32
// CHECK:         llvm.fptrunc
llvm.func @remainders(%d: f64, %f: f32, %h: f16) {
  %0 = llvm.frem %d, %d : f64
  %1 = llvm.frem %f, %f : f32
  %2 = llvm.frem %h, %h : f16
  llvm.return
}

// Ops with an instruction, and ops without a library function.
// CHECK-LABEL: llvm.func @native
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
llvm.func @native(%a: i64, %b: i128, %c: i256, %f: f32, %q: f128) {
  %0 = llvm.udiv %a, %a : i64
  %1 = llvm.mul %b, %b : i128
  %2 = llvm.mul %c, %c : i256
  %3 = llvm.fptosi %f : f32 to i64
  %4 = llvm.uitofp %a : i64 to f32
  %5 = llvm.fdiv %q, %q : f128
  llvm.return
}

// A function defined in the module is called.
// CHECK:      llvm.func @__nv_irem128(i128, i128) -> i128
// CHECK-NOT:  llvm.func internal @__nv_irem128
// CHECK:      llvm.func internal @__nv_udiv128
// OPT-SAME:     memory_effects = #llvm.memory_effects<other = none
// PLAIN-NOT:    memory_effects
llvm.func @__nv_irem128(i128, i128) -> i128
