// RUN: nvvm-opt %s -p 'instcombine,dce' --verify-each | filecheck %s

// x / 8 > 0 is x > 7.
// CHECK-LABEL: llvm.func @above
// CHECK-NEXT:    %[[C:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.icmp "sgt" %x, %[[C]] : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @above(%x: i32) -> i1 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %q = llvm.sdiv %x, %c8 : i32
  %r = llvm.icmp "sgt" %q, %c0 : i32
  llvm.return %r : i1
}

// Quotients are rounded to 0: x / 8 > -2 is x > -16.
// CHECK-LABEL: llvm.func @above_negative
// CHECK-NEXT:    %[[C:.*]] = llvm.mlir.constant(-16 : i32) : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.icmp "sgt" %x, %[[C]] : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @above_negative(%x: i32) -> i1 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %m2 = llvm.mlir.constant(-2 : i32) : i32
  %q = llvm.sdiv %x, %c8 : i32
  %r = llvm.icmp "sgt" %q, %m2 : i32
  llvm.return %r : i1
}

// x / 10 < 3 is x < 30; x / 10 < -2 is x < -29.
// CHECK-LABEL: llvm.func @below
// CHECK-DAG:     %[[C30:.*]] = llvm.mlir.constant(30 : i32) : i32
// CHECK-DAG:     %[[M29:.*]] = llvm.mlir.constant(-29 : i32) : i32
// CHECK-DAG:     %[[A:.*]] = llvm.icmp "slt" %x, %[[C30]] : i32
// CHECK-DAG:     %[[B:.*]] = llvm.icmp "slt" %y, %[[M29]] : i32
// CHECK:         llvm.xor %[[A]], %[[B]]
llvm.func @below(%x: i32, %y: i32) -> i1 {
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %m2 = llvm.mlir.constant(-2 : i32) : i32
  %p = llvm.sdiv %x, %c10 : i32
  %q = llvm.sdiv %y, %c10 : i32
  %a = llvm.icmp "slt" %p, %c3 : i32
  %b = llvm.icmp "slt" %q, %m2 : i32
  %r = llvm.xor %a, %b : i1
  llvm.return %r : i1
}

// x / 8 == 0 is -8 < x < 8; y / 8 == 3 is 24 <= y < 32.
// CHECK-LABEL: llvm.func @equal
// CHECK-DAG:     %[[C7:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK-DAG:     %[[C15:.*]] = llvm.mlir.constant(15 : i32) : i32
// CHECK-DAG:     %[[M24:.*]] = llvm.mlir.constant(-24 : i32) : i32
// CHECK-DAG:     %[[C8:.*]] = llvm.mlir.constant(8 : i32) : i32
// CHECK-DAG:     %[[X:.*]] = llvm.add %x, %[[C7]] : i32
// CHECK-DAG:     %[[A:.*]] = llvm.icmp "ult" %[[X]], %[[C15]] : i32
// CHECK-DAG:     %[[Y:.*]] = llvm.add %y, %[[M24]] : i32
// CHECK-DAG:     %[[B:.*]] = llvm.icmp "ult" %[[Y]], %[[C8]] : i32
// CHECK:         llvm.xor %[[A]], %[[B]]
llvm.func @equal(%x: i32, %y: i32) -> i1 {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %p = llvm.sdiv %x, %c8 : i32
  %q = llvm.sdiv %y, %c8 : i32
  %a = llvm.icmp "eq" %p, %c0 : i32
  %b = llvm.icmp "eq" %q, %c3 : i32
  %r = llvm.xor %a, %b : i1
  llvm.return %r : i1
}

// x / 10 != 4 is x - 40 > 9, without signs.
// CHECK-LABEL: llvm.func @unequal_unsigned
// CHECK-DAG:     %[[C:.*]] = llvm.mlir.constant(-40 : i32) : i32
// CHECK-DAG:     %[[C9:.*]] = llvm.mlir.constant(9 : i32) : i32
// CHECK:         %[[X:.*]] = llvm.add %x, %[[C]] : i32
// CHECK-NEXT:    %[[R:.*]] = llvm.icmp "ugt" %[[X]], %[[C9]] : i32
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @unequal_unsigned(%x: i32) -> i1 {
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %q = llvm.udiv %x, %c10 : i32
  %r = llvm.icmp "ne" %q, %c4 : i32
  llvm.return %r : i1
}

// The largest quotient is 429496729, whose interval is shorter; the quotient has another use.
// CHECK-LABEL: llvm.func @kept
// CHECK:         llvm.udiv %x
// CHECK:         llvm.udiv %y
llvm.func @kept(%x: i32, %y: i32) -> i32 {
  %c10 = llvm.mlir.constant(10 : i32) : i32
  %last = llvm.mlir.constant(429496729 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %q = llvm.udiv %x, %c10 : i32
  %a = llvm.icmp "eq" %q, %last : i32
  %p = llvm.udiv %y, %c10 : i32
  %b = llvm.icmp "eq" %p, %c4 : i32
  %s = llvm.select %b, %p, %y : i1, i32
  %r = llvm.select %a, %s, %x : i1, i32
  llvm.return %r : i32
}
