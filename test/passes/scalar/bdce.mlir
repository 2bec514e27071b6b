// RUN: nvvm-opt %s -p 'bdce' --verify-each | filecheck %s

// Bits that a truncation drops are not computed; flags on their users are dropped.
// CHECK-LABEL: llvm.func @cut_off
// CHECK:         %s = llvm.add %x, %x : i32
// CHECK-NEXT:    %b = llvm.trunc %s : i32 to i16
llvm.func @cut_off(%x: i32, %y: i32) -> i16 {
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  %h = llvm.shl %y, %sixteen overflow<nuw> : i32
  %a = llvm.or disjoint %x, %h : i32
  %s = llvm.add %a, %x overflow<nsw> : i32
  %b = llvm.trunc %s : i32 to i16
  llvm.return %b : i16
}

// An operand whose bits are all shifted out is not demanded, also with another user.
// CHECK-LABEL: llvm.func @operand
// CHECK:         %[[ZERO:.*]] = llvm.mlir.constant(0 : i16) : i16
// CHECK:         %w = llvm.zext %[[ZERO]] : i16 to i32
// CHECK-NEXT:    %r = llvm.or %w, %x : i32
llvm.func @operand(%x: i32, %y: i16) -> i32 {
  %high = llvm.mlir.constant(-65536 : i32) : i32
  %w = llvm.zext %y : i16 to i32
  %r = llvm.or %w, %x : i32
  %m = llvm.and %r, %high : i32
  llvm.return %m : i32
}

// CHECK-LABEL: llvm.func @extension
// CHECK:         llvm.zext %x : i16 to i32
// CHECK:         llvm.sext %x : i16 to i32
llvm.func @extension(%x: i16, %y: i32) -> i32 {
  %mask = llvm.mlir.constant(65535 : i32) : i32
  %a = llvm.sext %x : i16 to i32
  %b = llvm.and %a, %mask : i32
  %wide = llvm.mlir.constant(131071 : i32) : i32
  %c = llvm.sext %x : i16 to i32
  %d = llvm.and %c, %wide : i32
  %s = llvm.xor %b, %d : i32
  llvm.return %s : i32
}

// Some facts about a shift hold only for the original operand: they must be dropped when an undemanded
// operand changes.
// CHECK-LABEL: llvm.func @stated_of_an_operand
// CHECK:         %s = llvm.shl %x, %eight : i32
// CHECK-NEXT:    %t = llvm.lshr %x, %eight : i32
// CHECK-NEXT:    llvm.xor %s, %t : i32
llvm.func @stated_of_an_operand(%x: i32) -> i32 {
  %eight = llvm.mlir.constant(8 : i32) : i32
  %low = llvm.mlir.constant(16777215 : i32) : i32
  %high = llvm.mlir.constant(-256 : i32) : i32
  %a = llvm.and %x, %low : i32
  %s = llvm.shl %a, %eight overflow<nuw> : i32
  %b = llvm.and %x, %high : i32
  %t = llvm.lshr exact %b, %eight : i32
  %r = llvm.xor %s, %t : i32
  llvm.return %r : i32
}

// A load that another thread may depend on, an atomic, is executed even without demanded bits.
// CHECK-LABEL: llvm.func @done
// CHECK:         llvm.atomicrmw
llvm.func @done(%p: !llvm.ptr<1>, %x: i32) -> i16 {
  %sixteen = llvm.mlir.constant(16 : i32) : i32
  %o = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i32
  %h = llvm.shl %o, %sixteen : i32
  %t = llvm.trunc %h : i32 to i16
  llvm.return %t : i16
}
