// RUN: nvvm-opt %s -p instcombine | filecheck %s

// Constants of sums and shifts are combined; a quotient by a power of two is a shift.
// CHECK-LABEL: llvm.func @constants
// CHECK-DAG:     %[[TWELVE:.*]] = llvm.mlir.constant(12 : i32)
// CHECK-DAG:     %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK:         %[[A:.*]] = llvm.add %x, %[[TWELVE]] : i32
// CHECK-NEXT:    %[[Q:.*]] = llvm.lshr %[[A]], %[[THREE]] : i32
// CHECK-NEXT:    llvm.return %[[Q]]
llvm.func @constants(%x: i32) -> i32 {
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %a = llvm.add %c5, %x : i32
  %b = llvm.add %a, %c7 : i32
  %q = llvm.udiv %b, %c8 : i32
  llvm.return %q : i32
}

// A division by a power of two is a multiplication by its reciprocal; by any other number it stays.
// CHECK-LABEL: llvm.func @reciprocal
// CHECK:         llvm.mlir.constant(2.500000e-01 : f64)
// CHECK:         llvm.fmul %x
// CHECK-NEXT:    llvm.fdiv
llvm.func @reciprocal(%x: f64) -> f64 {
  %four = llvm.mlir.constant(4.0 : f64) : f64
  %three = llvm.mlir.constant(3.0 : f64) : f64
  %a = llvm.fdiv %x, %four : f64
  %b = llvm.fdiv %a, %three : f64
  llvm.return %b : f64
}

// The reciprocal of the least normal number is exact; that of a denormal one may be flushed.
// CHECK-LABEL: llvm.func @denormal
// CHECK:         llvm.fdiv
llvm.func @denormal(%x: f32) -> f32 {
  %big = llvm.mlir.constant(0x7F000000 : f32) : f32
  %a = llvm.fdiv %x, %big : f32
  llvm.return %a : f32
}

// Values with other uses stay, so the product is not distributed.
// CHECK-LABEL: llvm.func @used
// CHECK:         %[[S:.*]] = llvm.add %x
// CHECK-NEXT:    llvm.store %[[S]]
// CHECK-NEXT:    llvm.mul %[[S]]
llvm.func @used(%x: i32, %p: !llvm.ptr) -> i32 {
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %a = llvm.add %x, %c5 : i32
  llvm.store %a, %p : i32, !llvm.ptr
  %b = llvm.mul %a, %c7 : i32
  llvm.return %b : i32
}

// Addresses at constant offsets of each other: one offset, in bytes, with the common flags.
// CHECK-LABEL: llvm.func @addresses
// CHECK-NEXT:    %[[A:.*]] = llvm.getelementptr inbounds %p[44] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.load %[[A]]
// CHECK-NOT:     llvm.getelementptr
// CHECK:         llvm.load %p
llvm.func @addresses(%p: !llvm.ptr) -> f32 {
  %a = llvm.getelementptr inbounds|nuw %p[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<10 x f32>
  %b = llvm.getelementptr inbounds %a[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %x = llvm.load %b : !llvm.ptr -> f32
  %c = llvm.getelementptr %b[-44] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %c : !llvm.ptr -> f32
  %s = llvm.fadd %x, %y : f32
  llvm.return %s : f32
}

// The range of a special register decides comparisons and makes masks unnecessary.
// CHECK-LABEL: llvm.func @known
// CHECK-NEXT:    %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-NEXT:    llvm.return %[[T]]
llvm.func @known() -> i32 {
  %t = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %m = llvm.and %t, %c31 : i32
  %c = llvm.icmp "ult" %m, %c32 : i32
  %s = llvm.select %c, %m, %c32 : i1, i32
  llvm.return %s : i32
}

// Volatile accesses, atomics, barriers, shuffles, votes and inline assembly are unchanged.
// CHECK-LABEL: llvm.func @effects
// CHECK:         llvm.load volatile
// CHECK:         llvm.store volatile
// CHECK:         llvm.atomicrmw add
// CHECK:         nvvm.barrier0
// CHECK:         nvvm.shfl.sync
// CHECK:         nvvm.vote.sync
// CHECK:         llvm.inline_asm has_side_effects
llvm.func @effects(%p: !llvm.ptr, %x: i32, %c: i1) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %a = llvm.load volatile %p : !llvm.ptr -> i32
  %b = llvm.add %a, %zero : i32
  llvm.store volatile %b, %p : i32, !llvm.ptr
  %r = llvm.atomicrmw add %p, %zero monotonic : !llvm.ptr, i32
  nvvm.barrier0
  %s = nvvm.shfl.sync bfly %all, %x, %zero, %zero : i32 -> i32
  %v = nvvm.vote.sync any %all, %c -> i1
  llvm.inline_asm has_side_effects "membar.gl;", "" : () -> ()
  llvm.return
}

// Pointers are compared for equality, but have no minimum.
// CHECK-LABEL: llvm.func @pointers
// CHECK:         llvm.icmp
// CHECK-NEXT:    llvm.select
llvm.func @pointers(%p: !llvm.ptr, %q: !llvm.ptr) -> !llvm.ptr {
  %c = llvm.icmp "ult" %p, %q : !llvm.ptr
  %s = llvm.select %c, %p, %q : i1, !llvm.ptr
  llvm.return %s : !llvm.ptr
}

// Integers cast from pointers of the same space become these pointers; consecutive bit casts are merged.
// CHECK-LABEL: llvm.func @casts
// CHECK-NEXT:    llvm.load %p
// CHECK-NEXT:    llvm.return
llvm.func @casts(%p: !llvm.ptr) -> i32 {
  %i = llvm.ptrtoint %p : !llvm.ptr to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> i32
  %f = llvm.bitcast %x : i32 to f32
  %v = llvm.bitcast %f : f32 to vector<2xi16>
  %y = llvm.bitcast %v : vector<2xi16> to i32
  llvm.return %y : i32
}

// A product's low bits depend on its factors' low bits: masks of these are removed, and flags about all bits
// are dropped.
// CHECK-LABEL: llvm.func @bits_that_count
// CHECK:         %[[P:.*]] = llvm.mul %x, %y : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.trunc %[[P]] : i32 to i16
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @bits_that_count(%x: i32, %y: i32) -> i16 {
  %low = llvm.mlir.constant(65535 : i32) : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %a = llvm.and %x, %low : i32
  %s = llvm.shl %y, %eight : i32
  %b = llvm.ashr %s, %eight : i32
  %p = llvm.mul %a, %b overflow<nsw> : i32
  %r = llvm.trunc %p : i32 to i16
  llvm.return %r : i16
}

// The thread that reads the active mask is active, so some lane is the first.
// CHECK-LABEL: llvm.func @first_active_lane
// CHECK:         %[[M:.*]] = llvm.call_intrinsic "llvm.nvvm.activemask"
// CHECK-NEXT:    %[[T:.*]] = "llvm.intr.cttz"(%[[M]])
// CHECK-NEXT:    llvm.return %[[T]]
llvm.func @first_active_lane() -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %m = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
  %none = llvm.icmp "eq" %m, %zero : i32
  %t = "llvm.intr.cttz"(%m) <{is_zero_poison = true}> : (i32) -> i32
  %n = llvm.add %t, %one : i32
  %f = llvm.select %none, %zero, %n : i1, i32
  %r = llvm.add %f, %ones : i32
  llvm.return %r : i32
}

// A rotation with a guard against 0 is the rotation; one of two words is not.
// CHECK-LABEL: llvm.func @guarded_rotation
// CHECK:         %[[R:.*]] = llvm.intr.fshl(%x, %x, %n)
// CHECK-NEXT:    %[[F:.*]] = llvm.intr.fshl(%x, %y, %n)
// CHECK-NEXT:    %[[S:.*]] = llvm.select %{{.*}}, %x, %[[F]]
// CHECK-NEXT:    llvm.xor %[[R]], %[[S]]
llvm.func @guarded_rotation(%x: i32, %y: i32, %n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %none = llvm.icmp "eq" %n, %zero : i32
  %r = llvm.intr.fshl(%x, %x, %n) : (i32, i32, i32) -> i32
  %a = llvm.select %none, %x, %r : i1, i32
  %f = llvm.intr.fshl(%x, %y, %n) : (i32, i32, i32) -> i32
  %b = llvm.select %none, %x, %f : i1, i32
  %s = llvm.xor %a, %b : i32
  llvm.return %s : i32
}

// A quotient times the divisor plus the remainder is the dividend, even if both have other uses.
// CHECK-LABEL: llvm.func @dividend
// CHECK:         [[Q:%.*]] = llvm.udiv %x, %y
// CHECK-NEXT:    [[M:%.*]] = llvm.mul [[Q]], %y
// CHECK-NEXT:    llvm.store [[M]]
// CHECK-NEXT:    [[R:%.*]] = llvm.urem %x, %y
// CHECK-NEXT:    llvm.store [[R]]
// CHECK-NEXT:    llvm.return %x
llvm.func @dividend(%x: i32, %y: i32, %p: !llvm.ptr) -> i32 {
  %q = llvm.udiv %x, %y : i32
  %m = llvm.mul %q, %y : i32
  llvm.store %m, %p : i32, !llvm.ptr
  %r = llvm.urem %x, %y : i32
  llvm.store %r, %p : i32, !llvm.ptr
  %s = llvm.add %m, %r : i32
  llvm.return %s : i32
}

// A constant is moved out of a product, unless its sum does not wrap: address arithmetic extracts it then.
// CHECK-LABEL: @sums_in_products
// CHECK: %[[P:.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK: llvm.add %[[P]], %{{.*}} : i32
// CHECK: %[[S:.*]] = llvm.shl %x, %{{.*}} : i32
// CHECK: llvm.add %[[S]], %{{.*}} : i32
// CHECK: %[[A:.*]] = llvm.add %x, %{{.*}} overflow<nsw> : i32
// CHECK: llvm.mul %[[A]], %{{.*}} overflow<nsw> : i32
// CHECK: %[[B:.*]] = llvm.add %x, %{{.*}} overflow<nsw> : i32
// CHECK: llvm.shl %[[B]], %{{.*}} overflow<nsw> : i32
llvm.func @sums_in_products(%x: i32) -> !llvm.struct<(i32, i32, i32, i32)> {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %s0 = llvm.add %x, %c1 : i32
  %a = llvm.mul %s0, %c9 : i32
  %s1 = llvm.add %x, %c2 : i32
  %b = llvm.shl %s1, %c10 : i32
  %s2 = llvm.add %x, %c1 overflow<nsw> : i32
  %c = llvm.mul %s2, %c9 overflow<nsw> : i32
  %s3 = llvm.add %x, %c2 overflow<nsw> : i32
  %d = llvm.shl %s3, %c10 overflow<nsw> : i32
  %r0 = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32)>
  %r1 = llvm.insertvalue %a, %r0[0] : !llvm.struct<(i32, i32, i32, i32)>
  %r2 = llvm.insertvalue %b, %r1[1] : !llvm.struct<(i32, i32, i32, i32)>
  %r3 = llvm.insertvalue %c, %r2[2] : !llvm.struct<(i32, i32, i32, i32)>
  %r4 = llvm.insertvalue %d, %r3[3] : !llvm.struct<(i32, i32, i32, i32)>
  llvm.return %r4 : !llvm.struct<(i32, i32, i32, i32)>
}

// A product that does not wrap keeps nsw if its sum may wrap: constants that are added to the product can leave an
// index only with nsw.
// CHECK-LABEL: @products_that_do_not_wrap
// CHECK: %[[M:.*]] = llvm.add %x, %{{.*}} : i32
// CHECK: llvm.mul %[[M]], %{{.*}} overflow<nsw> : i32
// CHECK: %[[S:.*]] = llvm.add %x, %{{.*}} : i32
// CHECK: llvm.shl %[[S]], %{{.*}} overflow<nsw> : i32
llvm.func @products_that_do_not_wrap(%x: i32) -> !llvm.struct<(i32, i32)> {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %s0 = llvm.add %x, %c1 : i32
  %a = llvm.mul %s0, %c9 overflow<nsw> : i32
  %s1 = llvm.add %x, %c2 : i32
  %b = llvm.shl %s1, %c10 overflow<nsw> : i32
  %r0 = llvm.mlir.undef : !llvm.struct<(i32, i32)>
  %r1 = llvm.insertvalue %a, %r0[0] : !llvm.struct<(i32, i32)>
  %r2 = llvm.insertvalue %b, %r1[1] : !llvm.struct<(i32, i32)>
  llvm.return %r2 : !llvm.struct<(i32, i32)>
}

// Such a sum of a product and a constant is a sum of products, because the two products become one.
// CHECK-LABEL: @sums_of_products
// CHECK: %[[A:.*]] = llvm.mul %x, %[[C27:.*]] : i32
// CHECK-NEXT: llvm.add %[[A]], %[[C9:.*]] : i32
// CHECK-NEXT: %[[B:.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK-NEXT: llvm.add %[[B]], %[[C9]] : i32
// CHECK-NEXT: %[[C:.*]] = llvm.mul %x, %{{.*}} : i32
// CHECK-NEXT: llvm.add %[[C]], %{{.*}} : i32
// CHECK-NEXT: %[[D:.*]] = llvm.shl %x, %{{.*}} : i32
// CHECK-NEXT: llvm.add %[[D]], %{{.*}} : i32
llvm.func @sums_of_products(%x: i32) -> !llvm.struct<(i32, i32, i32, i32)> {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %p0 = llvm.mul %x, %c3 : i32
  %s0 = llvm.add %p0, %c1 : i32
  %a = llvm.mul %s0, %c9 overflow<nsw> : i32
  %p1 = llvm.shl %x, %c2 : i32
  %s1 = llvm.add %p1, %c1 : i32
  %b = llvm.mul %s1, %c9 overflow<nsw> : i32
  %p2 = llvm.mul %x, %c3 : i32
  %s2 = llvm.add %p2, %c1 : i32
  %c = llvm.shl %s2, %c2 overflow<nsw> : i32
  %p3 = llvm.shl %x, %c2 : i32
  %s3 = llvm.add %p3, %c1 : i32
  %d = llvm.shl %s3, %c2 overflow<nsw> : i32
  %r0 = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32)>
  %r1 = llvm.insertvalue %a, %r0[0] : !llvm.struct<(i32, i32, i32, i32)>
  %r2 = llvm.insertvalue %b, %r1[1] : !llvm.struct<(i32, i32, i32, i32)>
  %r3 = llvm.insertvalue %c, %r2[2] : !llvm.struct<(i32, i32, i32, i32)>
  %r4 = llvm.insertvalue %d, %r3[3] : !llvm.struct<(i32, i32, i32, i32)>
  llvm.return %r4 : !llvm.struct<(i32, i32, i32, i32)>
}
