// RUN: nvvm-opt %s -p 'slp-vectorizer<arch=100>' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'slp-vectorizer<arch=90>' --verify-each | filecheck %s --check-prefix SM90
// RUN: nvvm-opt %s -p 'slp-vectorizer<arch=120>' --verify-each | filecheck %s --check-prefix SM90

// Products and sums of two elements each: an operand that is twice the same value is free, and the operands
// of the second product are swapped. On other GPUs f32 are not paired.
// CHECK-LABEL: llvm.func @pair
// CHECK:         %[[X:.*]] = llvm.load %p
// CHECK:         %[[B:.*]] = llvm.insertelement %s, %{{.*}}[%{{.*}} : i32] : vector<2xf32>
// CHECK:         %[[A:.*]] = llvm.insertelement %s, %[[B]][%{{.*}} : i32] : vector<2xf32>
// CHECK:         %[[M:.*]] = llvm.fmul %[[X]], %[[A]] : vector<2xf32>
// CHECK:         %[[S:.*]] = llvm.fadd %[[M]], %[[X]] : vector<2xf32>
// CHECK-NEXT:    llvm.extractelement %[[S]]
// CHECK-NOT:     : f32
// SM90-LABEL: llvm.func @pair
// SM90:          llvm.fmul %{{.*}} : f32
// SM90-NEXT:     llvm.fadd %{{.*}} : f32
// SM90-NEXT:     llvm.fmul %{{.*}} : f32
// SM90-NEXT:     llvm.fadd %{{.*}} : f32
llvm.func @pair(%p: !llvm.ptr<1>, %s: f32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %u = llvm.mlir.poison : vector<2xf32>
  %x = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
  %x0 = llvm.extractelement %x[%c0 : i32] : vector<2xf32>
  %x1 = llvm.extractelement %x[%c1 : i32] : vector<2xf32>
  %m0 = llvm.fmul %x0, %s : f32
  %s0 = llvm.fadd %m0, %x0 : f32
  %m1 = llvm.fmul %s, %x1 : f32
  %s1 = llvm.fadd %m1, %x1 : f32
  %v0 = llvm.insertelement %s0, %u[%c0 : i32] : vector<2xf32>
  %v1 = llvm.insertelement %s1, %v0[%c1 : i32] : vector<2xf32>
  llvm.store %v1, %p : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}

// Two halves from two registers need an instruction to pair: one sum does not pay for two of them.
// SM90-LABEL: llvm.func @halves
// SM90-COUNT-2:  llvm.fadd %{{.*}} : f16
// SM90:          llvm.fadd %{{.*}} : vector<2xf16>
llvm.func @halves(%p: !llvm.ptr<1>, %a: f16, %b: f16, %c: f16, %d: f16, %v: vector<2xf16>) -> vector<2xf16> {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %u = llvm.mlir.poison : vector<2xf16>
  %x = llvm.fadd %a, %b : f16
  %y = llvm.fadd %c, %d : f16
  llvm.store %x, %p : f16, !llvm.ptr<1>
  llvm.store volatile %y, %p : f16, !llvm.ptr<1>
  %v0 = llvm.extractelement %v[%c0 : i32] : vector<2xf16>
  %v1 = llvm.extractelement %v[%c1 : i32] : vector<2xf16>
  %s0 = llvm.fadd %v0, %v0 : f16
  %s1 = llvm.fadd %v1, %v1 : f16
  %w0 = llvm.insertelement %s0, %u[%c0 : i32] : vector<2xf16>
  %w1 = llvm.insertelement %s1, %w0[%c1 : i32] : vector<2xf16>
  llvm.return %w1 : vector<2xf16>
}

// A store of the first lane does not move after the load of the second lane's operand.
// CHECK-LABEL: llvm.func @order
// CHECK-COUNT-2: llvm.fadd %{{.*}} : f32
llvm.func @order(%p: !llvm.ptr<1>, %x: f32, %y: f32) {
  %a = llvm.fadd %x, %y : f32
  llvm.store %a, %p : f32, !llvm.ptr<1>
  %z = llvm.load %p : !llvm.ptr<1> -> f32
  %b = llvm.fadd %z, %y : f32
  llvm.store %b, %p : f32, !llvm.ptr<1>
  llvm.return
}

// A product is fused with the sum that is its only user; the products of a sum and of a store are not.
// CHECK-LABEL: llvm.func @fused
// CHECK-COUNT-2: llvm.fmul %{{.*}} : f32
llvm.func @fused(%p: !llvm.ptr<1>, %x: f32, %y: f32, %z: f32) {
  %a = llvm.fmul %x, %y : f32
  %b = llvm.fmul %z, %y : f32
  %s = llvm.fadd %a, %z : f32
  llvm.store volatile %s, %p : f32, !llvm.ptr<1>
  llvm.store volatile %b, %p : f32, !llvm.ptr<1>
  llvm.return
}

// A difference beside a sum is the sum with the negated value; its product must be the minuend.
// CHECK-LABEL: llvm.func @product
// CHECK:         %[[M:.*]] = llvm.fmul %{{.*}} : vector<2xf32>
// CHECK:         llvm.fneg %{{.*}} : f32
// CHECK:         %[[N:.*]] = llvm.insertelement
// CHECK:         llvm.fadd %[[M]], %[[N]] : vector<2xf32>
llvm.func @product(%p: !llvm.ptr<1>) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %u = llvm.mlir.poison : vector<2xf32>
  %q = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %x = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
  %y = llvm.load %q : !llvm.ptr<1> -> vector<2xf32>
  %x0 = llvm.extractelement %x[%c0 : i32] : vector<2xf32>
  %x1 = llvm.extractelement %x[%c1 : i32] : vector<2xf32>
  %y0 = llvm.extractelement %y[%c0 : i32] : vector<2xf32>
  %y1 = llvm.extractelement %y[%c1 : i32] : vector<2xf32>
  %a = llvm.fmul %x0, %y0 : f32
  %b = llvm.fmul %x1, %y1 : f32
  %c = llvm.fmul %x0, %y1 : f32
  %d = llvm.fmul %x1, %y0 : f32
  %re = llvm.fsub %a, %b : f32
  %im = llvm.fadd %c, %d : f32
  %v0 = llvm.insertelement %re, %u[%c0 : i32] : vector<2xf32>
  %v1 = llvm.insertelement %im, %v0[%c1 : i32] : vector<2xf32>
  llvm.store %v1, %p : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}

// Conversions of f32 and f64 to halves are not paired.
// SM90-LABEL: llvm.func @widths
// SM90:         llvm.fptrunc %a : f32 to f16
// SM90:         llvm.fptrunc %b : f64 to f16
// SM90:         llvm.fmul %{{.*}} : vector<2xf16>
llvm.func @widths(%a: f32, %b: f64, %p: !llvm.ptr<1>) {
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.fptrunc %a : f32 to f16
  %y = llvm.fptrunc %b : f64 to f16
  %f = llvm.fadd %x, %x : f16
  %g = llvm.fadd %y, %y : f16
  %h = llvm.fmul %f, %f : f16
  %k = llvm.fmul %g, %g : f16
  %u = llvm.mlir.undef : vector<2xf16>
  %v = llvm.insertelement %h, %u[%i0 : i32] : vector<2xf16>
  %w = llvm.insertelement %k, %v[%i1 : i32] : vector<2xf16>
  llvm.store %w, %p : vector<2xf16>, !llvm.ptr<1>
  llvm.return
}
