// RUN: nvvm-opt %s -p 'instsimplify,dce' | filecheck %s

// CHECK-LABEL: llvm.func @identities
// CHECK-NEXT:    llvm.return %x
llvm.func @identities(%x: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %a = llvm.add %x, %zero : i32
  %b = llvm.mul %one, %a : i32
  %c = llvm.and %b, %ones : i32
  %d = llvm.or %zero, %c : i32
  %e = llvm.xor %d, %zero : i32
  %f = llvm.shl %e, %zero : i32
  %g = llvm.sdiv %f, %one : i32
  llvm.return %g : i32
}

// CHECK-LABEL: llvm.func @constants
// CHECK-NEXT:    %[[C:.*]] = llvm.mlir.constant(-7 : i32)
// CHECK-NEXT:    llvm.return %[[C]]
llvm.func @constants() -> i32 {
  %a = llvm.mlir.constant(-20 : i32) : i32
  %b = llvm.mlir.constant(3 : i32) : i32
  %q = llvm.sdiv %a, %b : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %m = llvm.mul %q, %one : i32
  %r = llvm.sub %m, %one : i32
  llvm.return %r : i32
}

// Poison is not folded away: a wrapped nsw addition, a shift by too much, a division by zero.
// CHECK-LABEL: llvm.func @poison
// CHECK:         llvm.add {{.*}} overflow<nsw>
// CHECK:         llvm.shl
// CHECK:         llvm.udiv
llvm.func @poison(%p: !llvm.ptr) {
  %max = llvm.mlir.constant(2147483647 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %far = llvm.mlir.constant(32 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.add %max, %one overflow<nsw> : i32
  %b = llvm.shl %one, %far : i32
  %c = llvm.udiv %one, %zero : i32
  llvm.store %a, %p : i32, !llvm.ptr
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.store %c, %p : i32, !llvm.ptr
  llvm.return
}

// x + 0.0 is not x when x is -0.0; x + -0.0 is.
// CHECK-LABEL: llvm.func @floats
// CHECK-DAG:     %[[S:.*]] = llvm.mlir.constant(3.000000e-01 : f32)
// CHECK-DAG:     %[[Z:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK:         %[[A:.*]] = llvm.fadd %x, %[[Z]]
// CHECK:         llvm.store %[[A]]
// CHECK:         llvm.store %x
// CHECK:         llvm.store %[[S]]
llvm.func @floats(%x: f32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %minus = llvm.mlir.constant(-0.0 : f32) : f32
  %tenth = llvm.mlir.constant(0.1 : f32) : f32
  %fifth = llvm.mlir.constant(0.2 : f32) : f32
  %a = llvm.fadd %x, %zero : f32
  %b = llvm.fadd %x, %minus : f32
  %c = llvm.fadd %tenth, %fifth : f32
  llvm.store %a, %p : f32, !llvm.ptr
  llvm.store %b, %p : f32, !llvm.ptr
  llvm.store %c, %p : f32, !llvm.ptr
  llvm.return
}

// An extracted field is the inserted value, also below an inserted field.
// CHECK-LABEL: llvm.func @aggregates
// CHECK-NEXT:    %[[R:.*]] = llvm.add %x, %y
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @aggregates(%x: i32, %y: i32) -> i32 {
  %u = llvm.mlir.undef : !llvm.struct<(i32, array<2 x i32>)>
  %v = llvm.mlir.undef : !llvm.array<2 x i32>
  %a = llvm.insertvalue %y, %v[1] : !llvm.array<2 x i32>
  %b = llvm.insertvalue %x, %u[0] : !llvm.struct<(i32, array<2 x i32>)>
  %c = llvm.insertvalue %a, %b[1] : !llvm.struct<(i32, array<2 x i32>)>
  %d = llvm.extractvalue %c[0] : !llvm.struct<(i32, array<2 x i32>)>
  %e = llvm.extractvalue %c[1, 1] : !llvm.struct<(i32, array<2 x i32>)>
  %r = llvm.add %d, %e : i32
  llvm.return %r : i32
}

// An argument with the same value on all edges is that value.
// CHECK-LABEL: llvm.func @argument
// CHECK:       ^join:
// CHECK-NEXT:    llvm.return %x
llvm.func @argument(%c: i1, %x: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^store, ^join(%x : i32)
^store:
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^join(%x : i32)
^join(%y: i32):
  llvm.return %y : i32
}

// Words of a double, and a double of words, are constants if the operands are; NaNs of scalars are not.
// CHECK-LABEL: llvm.func @words
// CHECK-DAG:     %[[WORD:.*]] = llvm.mlir.constant(1073741824 : i32) : i32
// CHECK-DAG:     %[[DOUBLE:.*]] = llvm.mlir.constant(2.500000e+00 : f64) : f64
// CHECK-DAG:     %[[ONES:.*]] = llvm.mlir.constant(dense<-1> : vector<2xi32>) : vector<2xi32>
// CHECK:         %[[NAN:.*]] = llvm.bitcast %[[ONES]] : vector<2xi32> to f64
// CHECK:         llvm.insertvalue %[[WORD]], %{{.*}}[0]
// CHECK-NEXT:    llvm.insertvalue %[[DOUBLE]], %{{.*}}[1]
// CHECK-NEXT:    llvm.insertvalue %[[NAN]], %{{.*}}[2]
llvm.func @words() -> !llvm.struct<(i32, f64, f64)> {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2.0 : f64) : f64
  %words = llvm.bitcast %two : f64 to vector<2xi32>
  %high = llvm.extractelement %words[%one : i32] : vector<2xi32>
  %none = llvm.mlir.poison : vector<2xi32>
  %upper = llvm.mlir.constant(1074003968 : i32) : i32
  %a = llvm.insertelement %zero, %none[%zero : i32] : vector<2xi32>
  %b = llvm.insertelement %upper, %a[%one : i32] : vector<2xi32>
  %d = llvm.bitcast %b : vector<2xi32> to f64
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %e = llvm.insertelement %ones, %none[%zero : i32] : vector<2xi32>
  %f = llvm.insertelement %ones, %e[%one : i32] : vector<2xi32>
  %nan = llvm.bitcast %f : vector<2xi32> to f64
  %s = llvm.mlir.undef : !llvm.struct<(i32, f64, f64)>
  %s1 = llvm.insertvalue %high, %s[0] : !llvm.struct<(i32, f64, f64)>
  %s2 = llvm.insertvalue %d, %s1[1] : !llvm.struct<(i32, f64, f64)>
  %s3 = llvm.insertvalue %nan, %s2[2] : !llvm.struct<(i32, f64, f64)>
  llvm.return %s3 : !llvm.struct<(i32, f64, f64)>
}

// An element without insertion is undefined.
// CHECK-LABEL: llvm.func @half_a_vector
// CHECK:         llvm.insertelement
llvm.func @half_a_vector() -> vector<2xi32> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %none = llvm.mlir.poison : vector<2xi32>
  %a = llvm.insertelement %one, %none[%one : i32] : vector<2xi32>
  llvm.return %a : vector<2xi32>
}

// An intrinsic on constants: rounded to nearest, and up; approximations depend on the target.
// CHECK-LABEL: llvm.func @intrinsics
// CHECK-DAG:     %[[UP:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK-DAG:     %[[ROOT:.*]] = llvm.mlir.constant(1.41421354 : f32) : f32
// CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK:         llvm.insertvalue %[[ROOT]], %{{.*}}[0]
// CHECK-NEXT:    llvm.insertvalue %[[UP]], %{{.*}}[1]
// CHECK-NEXT:    llvm.insertvalue %[[R]], %{{.*}}[2]
llvm.func @intrinsics() -> !llvm.struct<(f32, i32, f32)> {
  %two = llvm.mlir.constant(2.0 : f32) : f32
  %more = llvm.mlir.constant(2.5 : f64) : f64
  %root = llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"(%two) : (f32) -> f32
  %up = llvm.call_intrinsic "llvm.nvvm.d2i.rp"(%more) : (f64) -> i32
  %r = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%two) : (f32) -> f32
  %s = llvm.mlir.undef : !llvm.struct<(f32, i32, f32)>
  %s1 = llvm.insertvalue %root, %s[0] : !llvm.struct<(f32, i32, f32)>
  %s2 = llvm.insertvalue %up, %s1[1] : !llvm.struct<(f32, i32, f32)>
  %s3 = llvm.insertvalue %r, %s2[2] : !llvm.struct<(f32, i32, f32)>
  llvm.return %s3 : !llvm.struct<(f32, i32, f32)>
}

// An element comes through shuffles; one that a mask leaves undefined is any value.
// CHECK-LABEL: llvm.func @shuffled
// CHECK-NEXT:    llvm.return %y
llvm.func @shuffled(%x: i32, %y: i32, %v: vector<2xi32>) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.insertelement %x, %v[%zero : i32] : vector<2xi32>
  %b = llvm.insertelement %y, %v[%one : i32] : vector<2xi32>
  %s = llvm.shufflevector %a, %b [0, 3, -1] : vector<2xi32>
  %t = llvm.shufflevector %s, %s [4, 2, 1] : vector<3xi32>
  %r = llvm.extractelement %t[%zero : i32] : vector<3xi32>
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @shuffled_away
// CHECK-NEXT:    %[[POISON:.*]] = llvm.mlir.poison : i32
// CHECK-NEXT:    llvm.return %[[POISON]]
llvm.func @shuffled_away(%v: vector<2xi32>) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %s = llvm.shufflevector %v, %v [-1, 1] : vector<2xi32>
  %r = llvm.extractelement %s[%zero : i32] : vector<2xi32>
  llvm.return %r : i32
}

// A struct reassembled from its own fields is the struct; not if a field is in another position.
// CHECK-LABEL: llvm.func @rebuilt
// CHECK:         llvm.store %s, %p
// CHECK:         %[[X:.*]] = llvm.insertvalue
// CHECK-NEXT:    %[[Y:.*]] = llvm.insertvalue
// CHECK-NEXT:    llvm.store %[[Y]], %p
// CHECK-NEXT:    %[[Z:.*]] = llvm.insertvalue
// CHECK-NEXT:    llvm.store %[[Z]], %p
llvm.func @rebuilt(%s: !llvm.struct<(i32, i32)>, %x: i32, %p: !llvm.ptr) {
  %u = llvm.mlir.undef : !llvm.struct<(i32, i32)>
  %a = llvm.extractvalue %s[0] : !llvm.struct<(i32, i32)>
  %b = llvm.extractvalue %s[1] : !llvm.struct<(i32, i32)>
  %t0 = llvm.insertvalue %x, %u[0] : !llvm.struct<(i32, i32)>
  %t1 = llvm.insertvalue %a, %t0[0] : !llvm.struct<(i32, i32)>
  %t = llvm.insertvalue %b, %t1[1] : !llvm.struct<(i32, i32)>
  llvm.store %t, %p : !llvm.struct<(i32, i32)>, !llvm.ptr
  %v0 = llvm.insertvalue %b, %u[0] : !llvm.struct<(i32, i32)>
  %v = llvm.insertvalue %b, %v0[1] : !llvm.struct<(i32, i32)>
  llvm.store %v, %p : !llvm.struct<(i32, i32)>, !llvm.ptr
  %w = llvm.insertvalue %b, %u[1] : !llvm.struct<(i32, i32)>
  llvm.store %w, %p : !llvm.struct<(i32, i32)>, !llvm.ptr
  llvm.return
}
