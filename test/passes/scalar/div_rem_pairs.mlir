// RUN: nvvm-opt %s -p 'div-rem-pairs' --verify-each | filecheck %s

// CHECK-LABEL: llvm.func @pair
// CHECK-NEXT:    %[[X:.*]] = llvm.freeze %x
// CHECK-NEXT:    %[[Y:.*]] = llvm.freeze %y
// CHECK-NEXT:    %q = llvm.sdiv %[[X]], %[[Y]] : i32
// CHECK-NEXT:    %[[M:.*]] = llvm.mul %q, %[[Y]] : i32
// CHECK-NEXT:    %r = llvm.sub %[[X]], %[[M]] : i32
// CHECK-NEXT:    llvm.add %q, %r
llvm.func @pair(%x: i32, %y: i32) -> i32 {
  %q = llvm.sdiv exact %x, %y : i32
  %r = llvm.srem %x, %y : i32
  %s = llvm.add %q, %r : i32
  llvm.return %s : i32
}

// The remainder comes first: the quotient is computed there, even if it was conditional.
// CHECK-LABEL: llvm.func @remainder_first
// CHECK:         %q = llvm.udiv
// CHECK:         llvm.sub
// CHECK:         llvm.cond_br
// CHECK-NOT:     llvm.udiv
llvm.func @remainder_first(%x: i32, %c: i1) -> i32 {
  %seven = llvm.mlir.constant(7 : i32) : i32
  %r = llvm.urem %x, %seven : i32
  llvm.cond_br %c, ^then, ^else
^then:
  %q = llvm.udiv %x, %seven : i32
  llvm.return %q : i32
^else:
  llvm.return %r : i32
}

// Not on two paths, not for other operands or another signedness, not by a power of two.
// CHECK-LABEL: llvm.func @not_pairs
// CHECK-COUNT-4: llvm.{{u|s}}rem
llvm.func @not_pairs(%x: i32, %y: i32, %c: i1) -> i32 {
  %eight = llvm.mlir.constant(8 : i32) : i32
  %a = llvm.udiv %x, %eight : i32
  %b = llvm.urem %x, %eight : i32
  %d = llvm.urem %a, %y : i32
  %e = llvm.srem %x, %y : i32
  %f = llvm.add %b, %d : i32
  %g = llvm.add %e, %f : i32
  llvm.cond_br %c, ^then, ^else
^then:
  %h = llvm.udiv %x, %y : i32
  llvm.return %h : i32
^else:
  %i = llvm.urem %x, %y : i32
  %j = llvm.add %i, %g : i32
  llvm.return %j : i32
}

// Neither constants nor frozen values are frozen; vectors stay.
// CHECK-LABEL: llvm.func @frozen
// CHECK:         %f = llvm.freeze %x
// CHECK-NOT:     llvm.freeze
// CHECK:         llvm.udiv %f, %{{.*}}
// CHECK:         llvm.urem {{.*}} vector<2xi32>
// CHECK:         llvm.return
llvm.func @frozen(%x: i32, %v: vector<2xi32>, %p: !llvm.ptr) -> i32 {
  %seven = llvm.mlir.constant(7 : i32) : i32
  %f = llvm.freeze %x : i32
  %q = llvm.udiv %f, %seven : i32
  %r = llvm.urem %f, %seven : i32
  %s = llvm.add %q, %r : i32
  %w = llvm.udiv %v, %v : vector<2xi32>
  %u = llvm.urem %v, %v : vector<2xi32>
  llvm.store %w, %p : vector<2xi32>, !llvm.ptr
  llvm.store %u, %p : vector<2xi32>, !llvm.ptr
  llvm.return %s : i32
}

// The remainder of an undefined value is less than the divisor: all uses are of one value.
// CHECK-LABEL: llvm.func @undefined
// CHECK:         %[[U:.*]] = llvm.mlir.undef : i32
// CHECK-NEXT:    %[[F:.*]] = llvm.freeze %[[U]] : i32
// CHECK:         %[[Q:.*]] = llvm.udiv %[[F]], %{{.*}} : i32
// CHECK:         llvm.sub %[[F]], %{{.*}} : i32
llvm.func @undefined(%y: i32) -> i32 {
  %u = llvm.mlir.undef : i32
  %q = llvm.udiv %u, %y : i32
  %r = llvm.urem %u, %y : i32
  %s = llvm.add %q, %r : i32
  llvm.return %s : i32
}
