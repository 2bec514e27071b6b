// RUN: nvvm-opt %s -p 'packed-bytes' --verify-each | filecheck %s

// Bytes of a word rotated by half and swapped: one prmt, selectors from the lowest byte.
// CHECK-LABEL: llvm.func @swizzle
// CHECK:         %[[S:.*]] = llvm.mlir.constant(12306 : i32) : i32
// CHECK:         %[[R:.*]] = nvvm.prmt <default> %[[S]], %x, %{{.*}} : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @swizzle(%x: i32) -> i32 {
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c255 = llvm.mlir.constant(255 : i32) : i32
  %others = llvm.mlir.constant(-16711936 : i32) : i32
  %a = llvm.and %x, %others : i32
  %b = llvm.lshr %x, %c16 : i32
  %c = llvm.and %b, %c255 : i32
  %d = llvm.and %x, %c255 : i32
  %e = llvm.shl %d, %c16 : i32
  %f = llvm.or %a, %c : i32
  %r = llvm.or %f, %e : i32
  llvm.return %r : i32
}

// Two words and the sign of a byte: 0xc410, in which 4 is byte 0 of %y and 12 its sign.
// CHECK-LABEL: llvm.func @two_words
// CHECK:         llvm.mlir.constant(50192 : i32)
// CHECK:         %[[R:.*]] = nvvm.prmt <default> %{{.*}}, %x, %y : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @two_words(%x: i32, %y: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c65535 = llvm.mlir.constant(65535 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %low = llvm.and %x, %c65535 : i32
  %t = llvm.trunc %y : i32 to i8
  %s = llvm.sext %t : i8 to i16
  %z = llvm.zext %s : i16 to i32
  %high = llvm.shl %z, %c16 : i32
  %r = llvm.or disjoint %low, %high : i32
  llvm.return %r : i32
}

// A zero and two words need two.
// CHECK-LABEL: llvm.func @zero_of_two
// CHECK:         nvvm.prmt
// CHECK:         %[[R:.*]] = nvvm.prmt
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @zero_of_two(%x: i32, %y: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c255 = llvm.mlir.constant(255 : i32) : i32
  %c16711680 = llvm.mlir.constant(16711680 : i32) : i32
  %low = llvm.and %x, %c255 : i32
  %s = llvm.shl %y, %c8 : i32
  %high = llvm.and %s, %c16711680 : i32
  %r = llvm.or %low, %high : i32
  llvm.return %r : i32
}

// One op instead of a mask and an or saves nothing; bits are not bytes.
// CHECK-LABEL: llvm.func @too_little
// CHECK-NOT:     nvvm.prmt
// CHECK:         llvm.return
llvm.func @too_little(%x: i32, %y: i32) -> (i32) {
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %low = llvm.lshr %x, %c16 : i32
  %high = llvm.shl %y, %c4 : i32
  %r = llvm.or %low, %high : i32
  llvm.return %r : i32
}

// Bytes loaded as a word and combined in order are the word.
// CHECK-LABEL: llvm.func @word
// CHECK-NEXT:    %[[R:.*]] = llvm.load %p {alignment = 4 : i64{{.*}}} : !llvm.ptr -> i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @word(%p: !llvm.ptr) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<2xi16>
  %a = llvm.extractelement %v[%c0 : i32] : vector<2xi16>
  %b = llvm.extractelement %v[%c1 : i32] : vector<2xi16>
  %x = llvm.zext %a : i16 to i32
  %y = llvm.zext %b : i16 to i32
  %s = llvm.shl %y, %c16 : i32
  %r = llvm.or %s, %x : i32
  llvm.return %r : i32
}

// Not of a volatile load, which is kept, nor of one that is not aligned.
// CHECK-LABEL: llvm.func @other_loads
// CHECK:         llvm.load volatile %p {{.*}} -> vector<2xi16>
// CHECK:         llvm.load %p {alignment = 2 : i64{{.*}}} : !llvm.ptr -> vector<2xi16>
// CHECK-NOT:     nvvm.prmt
// CHECK:         llvm.return
llvm.func @other_loads(%p: !llvm.ptr) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %v = llvm.load volatile %p {alignment = 4 : i64} : !llvm.ptr -> vector<2xi16>
  %a = llvm.extractelement %v[%c0 : i32] : vector<2xi16>
  %b = llvm.extractelement %v[%c1 : i32] : vector<2xi16>
  %x = llvm.zext %a : i16 to i32
  %y = llvm.zext %b : i16 to i32
  %s = llvm.shl %y, %c16 : i32
  %r = llvm.or %s, %x : i32
  %w = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<2xi16>
  %c = llvm.extractelement %w[%c0 : i32] : vector<2xi16>
  %d = llvm.extractelement %w[%c1 : i32] : vector<2xi16>
  %e = llvm.zext %c : i16 to i32
  %f = llvm.zext %d : i16 to i32
  %g = llvm.shl %f, %c16 : i32
  %h = llvm.or %g, %e : i32
  %q = llvm.mul %h, %r : i32
  llvm.return %q : i32
}

// Bytes that are stored in another order: a word is stored.
// CHECK-LABEL: llvm.func @stored
// CHECK:         %[[W:.*]] = llvm.load %p {{.*}} -> i32
// CHECK-NEXT:    %[[R:.*]] = nvvm.prmt <default> %{{.*}}, %[[W]], %{{.*}} : i32
// CHECK-NEXT:    llvm.store %[[R]], %p {alignment = 4 : i64{{.*}}} : i32, !llvm.ptr
// CHECK-NEXT:    llvm.return
llvm.func @stored(%p: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %none = llvm.mlir.poison : vector<4xi8>
  %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<4xi8>
  %a = llvm.extractelement %v[%c0 : i32] : vector<4xi8>
  %b = llvm.extractelement %v[%c1 : i32] : vector<4xi8>
  %c = llvm.extractelement %v[%c2 : i32] : vector<4xi8>
  %d = llvm.extractelement %v[%c3 : i32] : vector<4xi8>
  %v0 = llvm.insertelement %c, %none[%c0 : i32] : vector<4xi8>
  %v1 = llvm.insertelement %b, %v0[%c1 : i32] : vector<4xi8>
  %v2 = llvm.insertelement %a, %v1[%c2 : i32] : vector<4xi8>
  %v3 = llvm.insertelement %d, %v2[%c3 : i32] : vector<4xi8>
  llvm.store %v3, %p {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr
  llvm.return
}

// Zeros are a word of zeros; other constants are no source of bytes.
// CHECK-LABEL: llvm.func @constants
// CHECK-NOT:     nvvm.prmt
// CHECK:         llvm.store %{{.*}}, %p {alignment = 4 : i64{{.*}}} : i32, !llvm.ptr
// CHECK:         llvm.store %{{.*}}, %p {alignment = 4 : i64{{.*}}} : vector<4xi8>, !llvm.ptr
llvm.func @constants(%p: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %zero = llvm.mlir.constant(0 : i8) : i8
  %seven = llvm.mlir.constant(7 : i8) : i8
  %none = llvm.mlir.poison : vector<4xi8>
  %v0 = llvm.insertelement %zero, %none[%c0 : i32] : vector<4xi8>
  %v1 = llvm.insertelement %zero, %v0[%c1 : i32] : vector<4xi8>
  %v2 = llvm.insertelement %zero, %v1[%c2 : i32] : vector<4xi8>
  %v3 = llvm.insertelement %zero, %v2[%c3 : i32] : vector<4xi8>
  llvm.store %v3, %p {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr
  %w0 = llvm.insertelement %seven, %none[%c0 : i32] : vector<4xi8>
  %w1 = llvm.insertelement %zero, %w0[%c1 : i32] : vector<4xi8>
  %w2 = llvm.insertelement %seven, %w1[%c2 : i32] : vector<4xi8>
  %w3 = llvm.insertelement %seven, %w2[%c3 : i32] : vector<4xi8>
  llvm.store %w3, %p {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr
  llvm.return
}

// Four products, signed and unsigned; the previous sum is the third operand.
// CHECK-LABEL: llvm.func @dot
// CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.idp4a.u.s"(%x, %y, %acc) : (i32, i32, i32) -> i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @dot(%x: i32, %y: i32, %acc: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %c255 = llvm.mlir.constant(255 : i32) : i32
  %x0 = llvm.and %x, %c255 : i32
  %t0 = llvm.trunc %y : i32 to i8
  %y0 = llvm.sext %t0 : i8 to i32
  %p0 = llvm.mul %x0, %y0 : i32
  %s1 = llvm.lshr %x, %c8 : i32
  %x1 = llvm.and %s1, %c255 : i32
  %l1 = llvm.shl %y, %c16 : i32
  %y1 = llvm.ashr %l1, %c24 : i32
  %p1 = llvm.mul %y1, %x1 : i32
  %s2 = llvm.lshr %x, %c16 : i32
  %t2 = llvm.trunc %s2 : i32 to i8
  %x2 = llvm.zext %t2 : i8 to i32
  %l2 = llvm.ashr %y, %c16 : i32
  %u2 = llvm.trunc %l2 : i32 to i8
  %y2 = llvm.sext %u2 : i8 to i32
  %p2 = llvm.mul %x2, %y2 : i32
  %x3 = llvm.lshr %x, %c24 : i32
  %y3 = llvm.ashr %y, %c24 : i32
  %p3 = llvm.mul %x3, %y3 : i32
  %a0 = llvm.add %acc, %p0 : i32
  %a1 = llvm.add %p2, %p1 : i32
  %a2 = llvm.add %a0, %a1 overflow<nsw> : i32
  %a3 = llvm.add %a2, %p3 : i32
  llvm.return %a3 : i32
}

// Two of four bytes crosswise: the second word is permuted, and its other bytes are zeros.
// CHECK-LABEL: llvm.func @crosswise
// CHECK:         llvm.mlir.constant(17409 : i32)
// CHECK:         %[[Y:.*]] = nvvm.prmt <default> %{{.*}}, %y, %{{.*}} : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.idp4a.u.u"(%x, %[[Y]], %{{.*}})
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @crosswise(%x: i32, %y: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c255 = llvm.mlir.constant(255 : i32) : i32
  %x0 = llvm.and %x, %c255 : i32
  %s1 = llvm.lshr %x, %c8 : i32
  %x1 = llvm.and %s1, %c255 : i32
  %y0 = llvm.and %y, %c255 : i32
  %u1 = llvm.lshr %y, %c8 : i32
  %y1 = llvm.and %u1, %c255 : i32
  %p0 = llvm.mul %x0, %y1 : i32
  %p1 = llvm.mul %x1, %y0 : i32
  %r = llvm.add %p0, %p1 : i32
  llvm.return %r : i32
}

// Bytes times constants, one of them a shift, in a sum of 64 bits: 2 + 256 * 200 + 65536 = 116738.
// CHECK-LABEL: llvm.func @weights
// CHECK:         llvm.mlir.constant(116738 : i32)
// CHECK:         %[[D:.*]] = llvm.call_intrinsic "llvm.nvvm.idp4a.u.u"(%x, %{{.*}}, %{{.*}})
// CHECK-NEXT:    %[[E:.*]] = llvm.sext %[[D]] : i32 to i64
// CHECK-NEXT:    %[[R:.*]] = llvm.add %[[E]], %acc : i64
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @weights(%x: i32, %acc: i64) -> i64 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %one = llvm.mlir.constant(1 : i64) : i64
  %c200 = llvm.mlir.constant(200 : i64) : i64
  %t0 = llvm.trunc %x : i32 to i8
  %x0 = llvm.zext %t0 : i8 to i64
  %s1 = llvm.lshr %x, %c8 : i32
  %t1 = llvm.trunc %s1 : i32 to i8
  %x1 = llvm.zext %t1 : i8 to i64
  %s2 = llvm.lshr %x, %c16 : i32
  %t2 = llvm.trunc %s2 : i32 to i8
  %x2 = llvm.zext %t2 : i8 to i64
  %p0 = llvm.shl %x0, %one : i64
  %p1 = llvm.mul %x1, %c200 : i64
  %a = llvm.add %p0, %p1 : i64
  %b = llvm.add %a, %acc : i64
  %r = llvm.add %b, %x2 : i64
  llvm.return %r : i64
}

// Halves times the upper bytes.
// CHECK-LABEL: llvm.func @halves
// CHECK:         %[[T:.*]] = llvm.mlir.constant(true) : i1
// CHECK:         %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.idp2a.s.u"(%x, %y, %[[T]], %{{.*}})
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @halves(%x: i32, %y: i32) -> i32 {
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %c255 = llvm.mlir.constant(255 : i32) : i32
  %t0 = llvm.trunc %x : i32 to i16
  %x0 = llvm.sext %t0 : i16 to i32
  %x1 = llvm.ashr %x, %c16 : i32
  %s0 = llvm.lshr %y, %c16 : i32
  %y0 = llvm.and %s0, %c255 : i32
  %y1 = llvm.lshr %y, %c24 : i32
  %p0 = llvm.mul %x0, %y0 : i32
  %p1 = llvm.mul %x1, %y1 : i32
  %r = llvm.add %p0, %p1 : i32
  llvm.return %r : i32
}

// A product of 16 bits that may wrap is not one of bytes: 255 * 255, extended as a signed number.
// CHECK-LABEL: llvm.func @wrapping
// CHECK-NOT:     idp4a
// CHECK:         llvm.return
llvm.func @wrapping(%x: i32, %y: i32) -> i32 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %t0 = llvm.trunc %x : i32 to i8
  %x0 = llvm.zext %t0 : i8 to i16
  %u0 = llvm.trunc %y : i32 to i8
  %y0 = llvm.zext %u0 : i8 to i16
  %s1 = llvm.lshr %x, %c8 : i32
  %t1 = llvm.trunc %s1 : i32 to i8
  %x1 = llvm.zext %t1 : i8 to i16
  %v1 = llvm.lshr %y, %c8 : i32
  %u1 = llvm.trunc %v1 : i32 to i8
  %y1 = llvm.zext %u1 : i8 to i16
  %p0 = llvm.mul %x0, %y0 : i16
  %p1 = llvm.mul %x1, %y1 : i16
  %e0 = llvm.sext %p0 : i16 to i32
  %e1 = llvm.sext %p1 : i16 to i32
  %r = llvm.add %e0, %e1 : i32
  llvm.return %r : i32
}

// Halves of one word are stored as the word; halves of two words are not.
// CHECK-LABEL: llvm.func @stored_halves
// CHECK:         llvm.store %x, %p {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}}, %q {alignment = 4 : i64} : vector<2xi16>
llvm.func @stored_halves(%x: i32, %y: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %none = llvm.mlir.poison : vector<2xi16>
  %low = llvm.trunc %x : i32 to i16
  %s = llvm.lshr %x, %c16 : i32
  %high = llvm.trunc %s : i32 to i16
  %a = llvm.insertelement %low, %none[%c0 : i32] : vector<2xi16>
  %b = llvm.insertelement %high, %a[%c1 : i32] : vector<2xi16>
  llvm.store %b, %p {alignment = 4 : i64} : vector<2xi16>, !llvm.ptr<1>
  %other = llvm.trunc %y : i32 to i16
  %c = llvm.insertelement %low, %none[%c0 : i32] : vector<2xi16>
  %d = llvm.insertelement %other, %c[%c1 : i32] : vector<2xi16>
  llvm.store %d, %q {alignment = 4 : i64} : vector<2xi16>, !llvm.ptr<1>
  llvm.return
}

// The bytes of a dot product are permuted in its block, which is visited first, and in a later block.
// CHECK-LABEL: llvm.func @permuted_dot_product
// CHECK:         %[[D:.*]] = llvm.call_intrinsic "llvm.nvvm.idp4a.s.s"(%x, %y
// CHECK:         nvvm.prmt <default> %{{.*}}, %[[D]], %x : i32
// CHECK:       ^later:
// CHECK-NEXT:    %[[R:.*]] = nvvm.prmt <default> %{{.*}}, %[[D]], %{{.*}} : i32
// CHECK-NEXT:    llvm.store %[[R]], %p
llvm.func @permuted_dot_product(%x: i32, %y: i32, %p: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %c255 = llvm.mlir.constant(255 : i32) : i32
  %c65280 = llvm.mlir.constant(65280 : i32) : i32
  %xs0 = llvm.shl %x, %c24 : i32
  %x0 = llvm.ashr %xs0, %c24 : i32
  %ys0 = llvm.shl %y, %c24 : i32
  %y0 = llvm.ashr %ys0, %c24 : i32
  %m0 = llvm.mul %x0, %y0 : i32
  %xs1 = llvm.shl %x, %c16 : i32
  %x1 = llvm.ashr %xs1, %c24 : i32
  %ys1 = llvm.shl %y, %c16 : i32
  %y1 = llvm.ashr %ys1, %c24 : i32
  %m1 = llvm.mul %x1, %y1 : i32
  %xs2 = llvm.shl %x, %c8 : i32
  %x2 = llvm.ashr %xs2, %c24 : i32
  %ys2 = llvm.shl %y, %c8 : i32
  %y2 = llvm.ashr %ys2, %c24 : i32
  %m2 = llvm.mul %x2, %y2 : i32
  %xs3 = llvm.shl %x, %c0 : i32
  %x3 = llvm.ashr %xs3, %c24 : i32
  %ys3 = llvm.shl %y, %c0 : i32
  %y3 = llvm.ashr %ys3, %c24 : i32
  %m3 = llvm.mul %x3, %y3 : i32
  %s0 = llvm.add %m0, %m1 : i32
  %s1 = llvm.add %s0, %m2 : i32
  %dot = llvm.add %s1, %m3 : i32
  %u = llvm.lshr %dot, %c8 : i32
  %a = llvm.and %u, %c255 : i32
  %b = llvm.shl %x, %c8 : i32
  %ab = llvm.or %a, %b : i32
  llvm.store %ab, %p : i32, !llvm.ptr
  llvm.br ^later
^later:
  %c = llvm.and %u, %c255 : i32
  %d = llvm.shl %u, %c24 : i32
  %e = llvm.and %u, %c65280 : i32
  %f = llvm.shl %e, %c8 : i32
  %cd = llvm.or %c, %d : i32
  %r = llvm.or %cd, %f : i32
  llvm.store %r, %p : i32, !llvm.ptr
  llvm.return
}
