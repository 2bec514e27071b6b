// RUN: nvvm-opt %s -p 'separate-const-offset-from-gep' | filecheck %s
// RUN: nvvm-opt %s -p 'separate-const-offset-from-gep,separate-const-offset-from-gep' | filecheck %s

// A constant below an extension that distributes over the addition.
// CHECK-LABEL: llvm.func @hidden(
// CHECK-NEXT:    %[[E:.*]] = llvm.sext %i : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %a[%[[E]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %[[P]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.return %[[Q]]
llvm.func @hidden(%a: !llvm.ptr, %i: i32) -> !llvm.ptr {
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %j = llvm.add %i, %c3 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.return %p : !llvm.ptr
}

// A disjoint `or` is an addition; a shift without wrapping is a multiplication; a subscript is scaled by the
// size of its field.
// CHECK-LABEL: llvm.func @shifted(
// CHECK-NEXT:    %[[E:.*]] = llvm.zext %i : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %a[%[[E]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<512 x i8>
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %[[P]][268] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.return %[[Q]]
llvm.func @shifted(%a: !llvm.ptr, %i: i32) -> !llvm.ptr {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %t = llvm.shl %i, %c1 overflow<nsw, nuw> : i32
  %j = llvm.or disjoint %t, %c1 : i32
  %e = llvm.zext nneg %j : i32 to i64
  %p = llvm.getelementptr %a[%e, %c3] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<64 x f32>
  llvm.return %p : !llvm.ptr
}

// Two addresses of one variable part share it, at the distance of a sum that is part of both; an address with
// more leaves than addresses is not split.
// CHECK-LABEL: llvm.func @shared(
// CHECK:         %[[S:.*]] = llvm.sext %s : i32 to i64
// CHECK:         %[[Q:.*]] = llvm.getelementptr %a[%[[S]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    %[[A:.*]] = llvm.getelementptr %[[Q]][4]
// CHECK-NEXT:    %[[B:.*]] = llvm.getelementptr %[[Q]][-4]
// CHECK-NEXT:    %k = llvm.add %i, %c1
// CHECK-NEXT:    %l = llvm.add %k, %m
// CHECK-NEXT:    %h = llvm.sext %l
// CHECK-NEXT:    %r = llvm.getelementptr %b[%h]
llvm.func @shared(%a: !llvm.ptr, %b: !llvm.ptr, %i: i32, %n: i32, %m: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %i, %n overflow<nsw> : i32
  %j = llvm.add %s, %c1 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %d = llvm.sub %s, %c1 overflow<nsw> : i32
  %f = llvm.sext %d : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %k = llvm.add %i, %c1 overflow<nsw> : i32
  %l = llvm.add %k, %m overflow<nsw> : i32
  %h = llvm.sext %l : i32 to i64
  %r = llvm.getelementptr %b[%h] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %r) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func @take(!llvm.ptr, !llvm.ptr, !llvm.ptr)

// An address may be derived from one that was accessed before, and not from one that was not: its sum may
// have wrapped.
// CHECK-LABEL: llvm.func @accessed(
// CHECK:         %p = llvm.getelementptr %a[%e]
// CHECK-NEXT:    %x = llvm.load %p
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.store %x, %[[Q]]
// CHECK-NEXT:    %[[R:.*]] = llvm.getelementptr %b[%e] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i8>
// CHECK-NEXT:    %[[S:.*]] = llvm.getelementptr %[[R]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.store %x, %[[S]]
llvm.func @accessed(%a: !llvm.ptr, %b: !llvm.ptr, %i: i32, %n: i32, %m: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %h = llvm.add %i, %n overflow<nsw> : i32
  %s = llvm.add %h, %m overflow<nsw> : i32
  %e = llvm.sext %s : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %p : !llvm.ptr -> f32
  %j = llvm.add %s, %c1 overflow<nsw> : i32
  %f = llvm.sext %j : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %q : f32, !llvm.ptr
  %r = llvm.getelementptr %b[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  llvm.store %x, %r : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @accessed_on_one_side(
// CHECK:         %p = llvm.getelementptr %a[%e]
// CHECK:         llvm.load volatile %p
// CHECK:         %q = llvm.getelementptr %b[%f]
llvm.func @accessed_on_one_side(%a: !llvm.ptr, %b: !llvm.ptr, %i: i32, %n: i32, %c: i1) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %i, %n overflow<nsw> : i32
  %e = llvm.sext %s : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.cond_br %c, ^then, ^join
^then:
  %x = llvm.load volatile %p : !llvm.ptr -> f32
  llvm.br ^join
^join:
  %j = llvm.add %s, %c1 overflow<nsw> : i32
  %f = llvm.sext %j : i32 to i64
  %q = llvm.getelementptr %b[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %i, %q : i32, !llvm.ptr
  llvm.return
}

// A sum that may wrap in 32 bits is not a sum in 64; nor is a difference that wraps unsigned.
// CHECK-LABEL: llvm.func @wraps(
// CHECK:         %p = llvm.getelementptr %a[%e]
// CHECK:         %q = llvm.getelementptr %a[%f]
// CHECK:         %r = llvm.getelementptr %a[%g]
llvm.func @wraps(%a: !llvm.ptr, %i: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %j = llvm.add %i, %c1 overflow<nuw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %k = llvm.add %i, %c1 overflow<nsw> : i32
  %f = llvm.zext %k : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %l = llvm.or %i, %c1 : i32
  %g = llvm.sext %l : i32 to i64
  %r = llvm.getelementptr %a[%g] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %r) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// Symbols are equal at each use; vectors of pointers are not changed.
// CHECK-LABEL: llvm.func @symbols(
// CHECK:         %[[P:.*]] = llvm.getelementptr %t[%{{.*}}] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<4 x i8>
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %[[P]][4]
// CHECK-NOT:     %u[
// CHECK:         %[[R:.*]] = llvm.getelementptr %[[P]][8]
llvm.mlir.global internal @t() {addr_space = 3 : i32} : !llvm.array<256 x f32>
llvm.func @symbols(%i: i64, %x: f32) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %t = llvm.mlir.addressof @t : !llvm.ptr<3>
  %j = llvm.add %i, %c1 : i64
  %p = llvm.getelementptr %t[%j] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  llvm.store %x, %p : f32, !llvm.ptr<3>
  %u = llvm.mlir.addressof @t : !llvm.ptr<3>
  %k = llvm.add %i, %c2 : i64
  %q = llvm.getelementptr %u[%k] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  llvm.store %x, %q : f32, !llvm.ptr<3>
  llvm.return
}

// An address that is accessed before the next one is computed is kept: the others are offsets of it. If x - 1 is
// not negative, x is not negative.
// CHECK-LABEL: llvm.func @stencil(
// CHECK:         %p = llvm.getelementptr %a[%e]
// CHECK-NEXT:    llvm.load volatile %p
// CHECK-NEXT:    %[[Q:.*]] = llvm.getelementptr %p[-4]
// CHECK-NEXT:    llvm.load volatile %[[Q]]
// CHECK-NEXT:    %[[R:.*]] = llvm.getelementptr %p[-400]
// CHECK-NEXT:    llvm.load volatile %[[R]]
// CHECK-NOT:     llvm.getelementptr
llvm.func @stencil(%a: !llvm.ptr, %x: i32, %y: i32) {
  %c100 = llvm.mlir.constant(100 : i32) : i32
  %c_1 = llvm.mlir.constant(-1 : i32) : i32
  %c_100 = llvm.mlir.constant(-100 : i32) : i32
  %row = llvm.mul %y, %c100 overflow<nsw, nuw> : i32
  %i = llvm.add %row, %x overflow<nsw, nuw> : i32
  %e = llvm.zext nneg %i : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %u = llvm.load volatile %p : !llvm.ptr -> f32
  %left = llvm.add %x, %c_1 overflow<nsw> : i32
  %j = llvm.add %row, %left overflow<nsw, nuw> : i32
  %f = llvm.zext nneg %j : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load volatile %q : !llvm.ptr -> f32
  %above = llvm.add %row, %c_100 overflow<nsw> : i32
  %k = llvm.add %above, %x overflow<nsw, nuw> : i32
  %g = llvm.zext nneg %k : i32 to i64
  %r = llvm.getelementptr %a[%g] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %w = llvm.load volatile %r : !llvm.ptr -> f32
  llvm.return
}

// %x is not negative where %p is accessed, but may be -1 in %j: it is sign-extended in both addresses.
// CHECK-LABEL: llvm.func @may_be_negative(
// CHECK:         %p = llvm.getelementptr %a[%e]
// CHECK:         llvm.getelementptr %p[4]
// CHECK-LABEL: llvm.func @guarded(
// CHECK:         %[[P:.*]] = llvm.getelementptr %a[%{{.*}}]
// CHECK:         llvm.getelementptr %[[P]][-28]
// CHECK-LABEL: llvm.func @unsigned_elsewhere(
// CHECK:         llvm.getelementptr %a[%{{.*}}]
// CHECK:         %[[F:.*]] = llvm.zext %x : i32 to i64
// CHECK:         %[[Q:.*]] = llvm.getelementptr %a[%[[F]]]
// CHECK:         llvm.getelementptr %[[Q]][28]
llvm.func @may_be_negative(%a: !llvm.ptr, %x: i32, %y: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %i = llvm.add %x, %y overflow<nsw, nuw> : i32
  %e = llvm.zext nneg %i : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %u = llvm.load volatile %p : !llvm.ptr -> f32
  %right = llvm.add %x, %c1 overflow<nsw> : i32
  %j = llvm.add %right, %y overflow<nsw, nuw> : i32
  %f = llvm.zext nneg %j : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load volatile %q : !llvm.ptr -> f32
  llvm.return
}
llvm.func @guarded(%a: !llvm.ptr, %x: i32, %c: i1) {
  %c_7 = llvm.mlir.constant(-7 : i32) : i32
  %e = llvm.sext %x : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %u = llvm.load volatile %p : !llvm.ptr -> f32
  llvm.cond_br %c, ^then, ^exit
^then:
  %j = llvm.add %x, %c_7 overflow<nsw> : i32
  %f = llvm.zext nneg %j : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load volatile %q : !llvm.ptr -> f32
  llvm.br ^exit
^exit:
  llvm.return
}
llvm.func @unsigned_elsewhere(%a: !llvm.ptr, %x: i32) {
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %e = llvm.sext %x : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %u = llvm.load volatile %p : !llvm.ptr -> f32
  %j = llvm.add %x, %c7 overflow<nuw> : i32
  %f = llvm.zext %j : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load volatile %q : !llvm.ptr -> f32
  llvm.return
}

// A sum that is not part of both may have wrapped where the other address is used: one step for each leaf. In
// the second pair the sum has another factor than its terms, in the third a constant.
// CHECK-LABEL: llvm.func @not_in_both(
// CHECK:         %[[P:.*]] = llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         %[[Q:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    llvm.getelementptr %[[Q]][4]
// CHECK-LABEL: llvm.func @other_factor(
// CHECK:         %[[P:.*]] = llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i8>
// CHECK:         %[[Q:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    llvm.getelementptr %[[Q]][4]
// CHECK-LABEL: llvm.func @with_constant(
// CHECK:         %[[P:.*]] = llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         %[[Q:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    llvm.getelementptr %[[Q]][8]
llvm.func @not_in_both(%a: !llvm.ptr, %i: i32, %n: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %i, %n overflow<nsw> : i32
  %j = llvm.add %s, %c1 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %d = llvm.sub %i, %c1 overflow<nsw> : i32
  %g = llvm.add %d, %n overflow<nsw> : i32
  %f = llvm.sext %g : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func @other_factor(%a: !llvm.ptr, %i: i32, %n: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %i, %n overflow<nsw> : i32
  %t = llvm.add %s, %i overflow<nsw> : i32
  %j = llvm.add %t, %c1 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %d = llvm.sub %s, %c1 overflow<nsw> : i32
  %g = llvm.add %d, %i overflow<nsw> : i32
  %f = llvm.sext %g : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func @with_constant(%a: !llvm.ptr, %i: i32, %n: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %d = llvm.add %i, %c1 overflow<nsw> : i32
  %s = llvm.add %d, %n overflow<nsw> : i32
  %j = llvm.add %s, %c1 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %f = llvm.sext %s : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// Of nested sums the largest is used; i + 2n is no part of i + n.
// CHECK-LABEL: llvm.func @nested(
// CHECK:         %[[E:.*]] = llvm.sext %t : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %a[%[[E]]]
// CHECK-NEXT:    llvm.getelementptr %[[P]][4]
// CHECK-LABEL: llvm.func @two_of_one(
// CHECK:         %[[P:.*]] = llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         %[[Q:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    llvm.getelementptr %[[Q]][4]
llvm.func @nested(%a: !llvm.ptr, %i: i32, %n: i32, %m: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %i, %n overflow<nsw> : i32
  %t = llvm.add %s, %m overflow<nsw> : i32
  %j = llvm.add %t, %c1 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %g = llvm.sub %t, %c1 overflow<nsw> : i32
  %f = llvm.sext %g : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func @two_of_one(%a: !llvm.ptr, %i: i32, %n: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %d = llvm.shl %n, %c1 overflow<nsw> : i32
  %s = llvm.add %i, %d overflow<nsw> : i32
  %t = llvm.sub %s, %n overflow<nsw> : i32
  %j = llvm.add %t, %c1 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %g = llvm.sub %t, %c1 overflow<nsw> : i32
  %f = llvm.sext %g : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// Five leaves need one step if their sum is one value.
// CHECK-LABEL: llvm.func @long(
// CHECK:         %[[E:.*]] = llvm.sext %w : i32 to i64
// CHECK-NEXT:    %[[P:.*]] = llvm.getelementptr %a[%[[E]]]
// CHECK-NEXT:    llvm.getelementptr %[[P]][4]
llvm.func @long(%a: !llvm.ptr, %i: i32, %n: i32, %m: i32, %k: i32, %l: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %i, %n overflow<nsw> : i32
  %t = llvm.add %s, %m overflow<nsw> : i32
  %v = llvm.add %t, %k overflow<nsw> : i32
  %w = llvm.add %v, %l overflow<nsw> : i32
  %j = llvm.add %w, %c1 overflow<nsw> : i32
  %e = llvm.sext %j : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %g = llvm.sub %w, %c1 overflow<nsw> : i32
  %f = llvm.sext %g : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @take(%p, %q, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// Neither branch can use an address of the other one: two leaves for one address are too many.
// CHECK-LABEL: llvm.func @siblings(
// CHECK:         %p = llvm.getelementptr %a[%e]
// CHECK:         %q = llvm.getelementptr %a[%f]
llvm.func @siblings(%a: !llvm.ptr, %x: i32, %m: i32, %c: i1) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.cond_br %c, ^yes, ^no
^yes:
  %k = llvm.add %x, %c1 overflow<nsw> : i32
  %s = llvm.add %k, %m overflow<nsw> : i32
  %e = llvm.sext %s : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.return
^no:
  %l = llvm.sub %x, %c1 overflow<nsw> : i32
  %t = llvm.add %l, %m overflow<nsw> : i32
  %f = llvm.sext %t : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @use(%q) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @use(!llvm.ptr)

// The branch uses the address before it.
// CHECK-LABEL: llvm.func @dominated(
// CHECK:         %[[X:.*]] = llvm.getelementptr %a[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         %[[P:.*]] = llvm.getelementptr %[[X]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK:         llvm.getelementptr %[[P]][4]
// CHECK:       ^yes:
// CHECK-NEXT:    llvm.getelementptr %[[P]][-4]
llvm.func @dominated(%a: !llvm.ptr, %x: i32, %m: i32, %c: i1) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %k = llvm.add %x, %c1 overflow<nsw> : i32
  %s = llvm.add %k, %m overflow<nsw> : i32
  %e = llvm.sext %s : i32 to i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  llvm.cond_br %c, ^yes, ^no
^yes:
  %l = llvm.sub %x, %c1 overflow<nsw> : i32
  %t = llvm.add %l, %m overflow<nsw> : i32
  %f = llvm.sext %t : i32 to i64
  %q = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @use(%q) : (!llvm.ptr) -> ()
  llvm.br ^no
^no:
  llvm.return
}
