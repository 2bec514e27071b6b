// RUN: nvvm-opt %s -p 'nvvm-intrinsic-lowering<level=0;no-ftz>' | filecheck %s --check-prefixes=CHECK,KEEP,BASIC
// RUN: nvvm-opt %s -p 'nvvm-intrinsic-lowering<level=1;ftz>' | filecheck %s --check-prefixes=CHECK,FLUSH,BARRIERS
// RUN: nvvm-opt %s -p nvvm-intrinsic-lowering | filecheck %s --check-prefixes=CHECK,OPEN,BASIC
// RUN: xdsl-opt %s -p 'nvvm-intrinsic-lowering{level=1 ftz}' | filecheck %s --check-prefixes=CHECK,FLUSH,BARRIERS

// An exactly equivalent op; the flushing of denormals must agree.
// CHECK-LABEL: llvm.func @arithmetic
// CHECK:         llvm.intr.fma(%x, %x, %x) : (f64, f64, f64) -> f64
// KEEP-NEXT:     llvm.intr.fma(%f, %f, %f) : (f32, f32, f32) -> f32
// KEEP-NEXT:     "llvm.nvvm.fma.rn.ftz.f"
// FLUSH-NEXT:    "llvm.nvvm.fma.rn.f"
// FLUSH-NEXT:    llvm.intr.fma(%f, %f, %f) : (f32, f32, f32) -> f32
// OPEN-NEXT:     "llvm.nvvm.fma.rn.f"
// OPEN-NEXT:     "llvm.nvvm.fma.rn.ftz.f"
// CHECK-NEXT:    llvm.sitofp %i : i32 to f64
// CHECK-NEXT:    llvm.intr.minnum(%x, %x) {fastmathFlags = #llvm.fastmath<nnan>} : (f64, f64) -> f64
llvm.func @arithmetic(%x: f64, %f: f32, %i: i32) {
  %0 = llvm.call_intrinsic "llvm.nvvm.fma.rn.d"(%x, %x, %x) : (f64, f64, f64) -> f64
  %1 = llvm.call_intrinsic "llvm.nvvm.fma.rn.f"(%f, %f, %f) : (f32, f32, f32) -> f32
  %2 = llvm.call_intrinsic "llvm.nvvm.fma.rn.ftz.f"(%f, %f, %f) : (f32, f32, f32) -> f32
  %3 = llvm.call_intrinsic "llvm.nvvm.i2d.rz"(%i) : (i32) -> f64
  %4 = llvm.call_intrinsic "llvm.nvvm.fmin.d"(%x, %x) {fastmathFlags = #llvm.fastmath<nnan>} : (f64, f64) -> f64
  llvm.return
}

// A flag of LLVM's main branch selects another rounding of zeros.
// CHECK-LABEL: llvm.func @zeros_of_one_sign
// CHECK:         llvm.fptrunc %f : f32 to bf16
// CHECK:         "llvm.nvvm.f2bf16.rn"(%f, %
llvm.func @zeros_of_one_sign(%f: f32) {
  %true = llvm.mlir.constant(true) : i1
  %0 = llvm.call_intrinsic "llvm.nvvm.f2bf16.rn"(%f) : (f32) -> bf16
  %1 = llvm.call_intrinsic "llvm.nvvm.f2bf16.rn"(%f, %true) : (f32, i1) -> bf16
  llvm.return
}

// A function that states flushing of denormals overrides the parameter.
// CHECK-LABEL: llvm.func @flushes
// CHECK:         "llvm.nvvm.ceil.f"
// CHECK-NEXT:    llvm.intr.ceil(%f)
llvm.func @flushes(%f: f32) attributes {denormal_fp_math_f32 = "preserve-sign,preserve-sign"} {
  %0 = llvm.call_intrinsic "llvm.nvvm.ceil.f"(%f) : (f32) -> f32
  %1 = llvm.call_intrinsic "llvm.nvvm.ceil.ftz.f"(%f) : (f32) -> f32
  llvm.return
}

// Sums, products, quotients and roots with explicit rounding are kept; so are other roundings.
// CHECK-LABEL: llvm.func @kept
// CHECK:         "llvm.nvvm.add.rn.d"
// CHECK-NEXT:    "llvm.nvvm.mul.rn.d"
// CHECK-NEXT:    "llvm.nvvm.div.rn.d"
// CHECK-NEXT:    "llvm.nvvm.sqrt.rn.d"
// CHECK-NEXT:    "llvm.nvvm.fma.rz.d"
// CHECK-NEXT:    "llvm.nvvm.d2i.rz"
// CHECK-NEXT:    "llvm.nvvm.i2f.rz"
llvm.func @kept(%x: f64, %i: i32) {
  %0 = llvm.call_intrinsic "llvm.nvvm.add.rn.d"(%x, %x) : (f64, f64) -> f64
  %1 = llvm.call_intrinsic "llvm.nvvm.mul.rn.d"(%x, %x) : (f64, f64) -> f64
  %2 = llvm.call_intrinsic "llvm.nvvm.div.rn.d"(%x, %x) : (f64, f64) -> f64
  %3 = llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"(%x) : (f64) -> f64
  %4 = llvm.call_intrinsic "llvm.nvvm.fma.rz.d"(%x, %x, %x) : (f64, f64, f64) -> f64
  %5 = llvm.call_intrinsic "llvm.nvvm.d2i.rz"(%x) : (f64) -> i32
  %6 = llvm.call_intrinsic "llvm.nvvm.i2f.rz"(%i) : (i32) -> f32
  llvm.return
}

// The words of a double, and the bits of a half.
// CHECK-LABEL: llvm.func @words
// CHECK:         %[[V:.*]] = llvm.bitcast %x : f64 to vector<2xi32>
// CHECK-NEXT:    llvm.extractelement %[[V]][%{{.*}} : i32]
// CHECK-NEXT:    %[[W:.*]] = llvm.bitcast %x : f64 to vector<2xi32>
// CHECK-NEXT:    llvm.extractelement %[[W]][%{{.*}} : i32]
// CHECK-NEXT:    %[[A:.*]] = llvm.insertelement
// CHECK-NEXT:    %[[B:.*]] = llvm.insertelement %{{.*}}, %[[A]]
// CHECK-NEXT:    llvm.bitcast %[[B]] : vector<2xi32> to f64
// CHECK-NEXT:    %[[H:.*]] = llvm.fptrunc %f : f32 to f16
// CHECK-NEXT:    llvm.bitcast %[[H]] : f16 to i16
llvm.func @words(%x: f64, %f: f32) -> f64 {
  %lo = llvm.call_intrinsic "llvm.nvvm.d2i.lo"(%x) : (f64) -> i32
  %hi = llvm.call_intrinsic "llvm.nvvm.d2i.hi"(%x) : (f64) -> i32
  %d = llvm.call_intrinsic "llvm.nvvm.lohi.i2d"(%lo, %hi) : (i32, i32) -> f64
  %h = llvm.call_intrinsic "llvm.nvvm.f2h.rn.ftz"(%f) : (f32) -> i16
  llvm.return %d : f64
}

// A vector without an instruction is split into elements, and each element's call is lowered. Pairs of 16-bit
// floats have instructions.
// CHECK-LABEL: llvm.func @vectors
// KEEP:          %[[E:.*]] = llvm.extractelement %v[%{{.*}} : i32] : vector<3xf32>
// KEEP-NEXT:     %[[F:.*]] = llvm.intr.fabs(%[[E]]) : (f32) -> f32
// KEEP-NEXT:     llvm.insertelement %[[F]], %{{.*}} : vector<3xf32>
// OPEN:          "llvm.nvvm.fabs.f32"
// OPEN:          "llvm.nvvm.fabs.f32"
// OPEN:          "llvm.nvvm.fabs.f32"
// CHECK:         "llvm.nvvm.ex2.approx.f16"
// CHECK:         "llvm.nvvm.ex2.approx.f16"
// CHECK:         "llvm.nvvm.ex2.approx.f16"
// CHECK:         "llvm.nvvm.ex2.approx.v2f16"
// CHECK-NOT:     "llvm.nvvm
llvm.func @vectors(%v: vector<3xf32>, %p: vector<3xf16>, %h: vector<2xf16>) {
  %0 = llvm.call_intrinsic "llvm.nvvm.fabs.v3f32"(%v) : (vector<3xf32>) -> vector<3xf32>
  %1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.v3f16"(%p) : (vector<3xf16>) -> vector<3xf16>
  %2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.v2f16"(%h) : (vector<2xf16>) -> vector<2xf16>
  llvm.return
}

// Four neighbouring bytes of eight.
// CHECK-LABEL: llvm.func @bytes
// CHECK:         %[[C:.*]] = llvm.intr.fshr(%b, %a, %{{.*}}) : (i32, i32, i32) -> i32
// CHECK-NEXT:    %[[D:.*]] = nvvm.prmt <default> %{{.*}}, %a, %b : i32
// CHECK-NEXT:    %[[E:.*]] = nvvm.prmt <f4e> %{{.*}}, %a, %b : i32
// CHECK-NEXT:    %[[F:.*]] = nvvm.prmt <default> %s, %a, %b : i32
// CHECK-NEXT:    llvm.call @use(%a, %b, %[[C]], %[[D]], %[[E]], %[[F]])
llvm.func @use(i32, i32, i32, i32, i32, i32)
llvm.func @bytes(%a: i32, %b: i32, %s: i32) {
  %low = llvm.mlir.constant(0x3210 : i32) : i32
  %high = llvm.mlir.constant(0x7654 : i32) : i32
  %middle = llvm.mlir.constant(0x5432 : i32) : i32
  %mixed = llvm.mlir.constant(0x5410 : i32) : i32
  %0 = nvvm.prmt <default> %low, %a, %b : i32
  %1 = nvvm.prmt <default> %high, %a, %b : i32
  %2 = nvvm.prmt <default> %middle, %a, %b : i32
  %3 = nvvm.prmt <default> %mixed, %a, %b : i32
  %4 = nvvm.prmt <f4e> %low, %a, %b : i32
  %5 = nvvm.prmt <default> %s, %a, %b : i32
  llvm.call @use(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i32, i32, i32) -> ()
  llvm.return
}

// A shuffle with distance zero gives each thread its own value; one from lane 0 does not.
// CHECK-LABEL: llvm.func @shuffles
// CHECK:         %[[I:.*]] = nvvm.shfl.sync idx
// CHECK-NEXT:    %[[P:.*]] = nvvm.shfl.sync bfly
// CHECK-NEXT:    llvm.call @use(%v, %v, %v, %[[I]], %{{.*}}, %v)
llvm.func @shuffles(%v: i32, %m: i32, %c: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %0 = nvvm.shfl.sync up %m, %v, %zero, %c : i32 -> i32
  %1 = nvvm.shfl.sync down %m, %v, %zero, %c : i32 -> i32
  %2 = nvvm.shfl.sync bfly %m, %v, %zero, %c : i32 -> i32
  %3 = nvvm.shfl.sync idx %m, %v, %zero, %c : i32 -> i32
  %4 = nvvm.shfl.sync bfly %m, %v, %zero, %c {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  llvm.call @use(%0, %1, %2, %3, %zero, %2) : (i32, i32, i32, i32, i32, i32) -> ()
  llvm.return
}

// Level 1: one form for the barrier of all threads. The block has 100 threads, four warps.
// CHECK-LABEL: llvm.func @barriers
// BASIC:         nvvm.barrier id = %zero
// BASIC-NEXT:    nvvm.barrier{{$}}
// BASIC-NEXT:    nvvm.barrier id = %zero number_of_threads = %all
// BARRIERS:      nvvm.barrier0
// BARRIERS-NEXT: nvvm.barrier0
// BARRIERS-NEXT: nvvm.barrier0
// BARRIERS-NEXT: nvvm.barrier id = %one{{$}}
// BARRIERS-NEXT: nvvm.barrier id = %zero number_of_threads = %some
// CHECK:         nvvm.barrier id = %one{{$}}
// CHECK-NEXT:    nvvm.barrier #nvvm.reduction<popc> %zero -> i32
llvm.func @barriers() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 25, 4>} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %all = llvm.mlir.constant(128 : i32) : i32
  %some = llvm.mlir.constant(64 : i32) : i32
  nvvm.barrier id = %zero
  nvvm.barrier
  nvvm.barrier id = %zero number_of_threads = %all
  nvvm.barrier id = %one number_of_threads = %all
  nvvm.barrier id = %zero number_of_threads = %some
  nvvm.barrier id = %one
  %0 = nvvm.barrier #nvvm.reduction<popc> %zero -> i32
  llvm.return
}

// A block of at most N threads may have fewer: the count is not known.
// CHECK-LABEL: llvm.func @fewer
// CHECK:         nvvm.barrier id = %{{.*}} number_of_threads
llvm.func @fewer() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %all = llvm.mlir.constant(128 : i32) : i32
  nvvm.barrier id = %zero number_of_threads = %all
  llvm.return
}

// The kind of an annotated variable determines the kind of its handle.
// CHECK-LABEL: llvm.func @handles
// CHECK-NEXT:    %[[FALSE:.*]] = llvm.mlir.constant(false) : i1
// CHECK-NEXT:    %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
// CHECK:         %o = llvm.call_intrinsic "llvm.nvvm.other"
// CHECK-NEXT:    llvm.call @kinds(%[[TRUE]], %[[FALSE]], %[[FALSE]], %[[TRUE]])
// CHECK-NEXT:    %[[H:.*]] = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%h)
// CHECK-NEXT:    %[[A:.*]] = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%m)
// CHECK-NEXT:    %[[N:.*]] = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%n)
// CHECK-NEXT:    %[[O:.*]] = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%o)
// CHECK-NEXT:    llvm.call @kinds(%[[H]], %[[A]], %[[N]], %[[O]])
llvm.mlir.global external @texture() {addr_space = 1 : i32, nvvm.texture} : i64
llvm.mlir.global external @surface() {addr_space = 1 : i32, nvvm.surface} : i64
llvm.mlir.global external @plain() {addr_space = 1 : i32} : i64
llvm.func @kinds(i1, i1, i1, i1)
llvm.func @handles(%h: i64, %a: !llvm.ptr<1>) {
  %texture = llvm.mlir.addressof @texture : !llvm.ptr<1>
  %surface = llvm.mlir.addressof @surface : !llvm.ptr<1>
  %plain = llvm.mlir.addressof @plain : !llvm.ptr<1>
  %t = llvm.call_intrinsic "llvm.nvvm.texsurf.handle.internal"(%texture) : (!llvm.ptr<1>) -> i64
  %s = llvm.call_intrinsic "llvm.nvvm.texsurf.handle.internal"(%surface) : (!llvm.ptr<1>) -> i64
  %m = llvm.call_intrinsic "llvm.nvvm.texsurf.handle.internal"(%a) : (!llvm.ptr<1>) -> i64
  %n = llvm.call_intrinsic "llvm.nvvm.texsurf.handle.internal"(%plain) : (!llvm.ptr<1>) -> i64
  %o = llvm.call_intrinsic "llvm.nvvm.other"(%texture) : (!llvm.ptr<1>) -> i64
  %0 = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%t) : (i64) -> i1
  %1 = llvm.call_intrinsic "llvm.nvvm.istypep.surface"(%t) : (i64) -> i1
  %2 = llvm.call_intrinsic "llvm.nvvm.istypep.sampler"(%s) : (i64) -> i1
  %3 = llvm.call_intrinsic "llvm.nvvm.istypep.surface"(%s) : (i64) -> i1
  llvm.call @kinds(%0, %1, %2, %3) : (i1, i1, i1, i1) -> ()
  %4 = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%h) : (i64) -> i1
  %5 = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%m) : (i64) -> i1
  %6 = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%n) : (i64) -> i1
  %7 = llvm.call_intrinsic "llvm.nvvm.istypep.texture"(%o) : (i64) -> i1
  llvm.call @kinds(%4, %5, %6, %7) : (i1, i1, i1, i1) -> ()
  llvm.return
}
