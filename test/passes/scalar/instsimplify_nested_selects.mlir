// RUN: nvvm-opt %s -p instsimplify | filecheck %s

// The outer condition implies that the inner select has the value of the outer one; with another bound it does
// not.

// CHECK-LABEL: llvm.func @ult_ult_same(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.return %s
llvm.func @ult_ult_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(10 : i32) : i32
  %c = llvm.icmp "ult" %x, %k1 : i32
  %d = llvm.icmp "ult" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @ult_ult_differs(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @ult_ult_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(9 : i32) : i32
  %c = llvm.icmp "ult" %x, %k1 : i32
  %d = llvm.icmp "ult" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @ugt_ugt_same(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.return %s
llvm.func @ugt_ugt_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(10 : i32) : i32
  %c = llvm.icmp "ugt" %x, %k1 : i32
  %d = llvm.icmp "ugt" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @ugt_ugt_differs(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @ugt_ugt_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(11 : i32) : i32
  %c = llvm.icmp "ugt" %x, %k1 : i32
  %d = llvm.icmp "ugt" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @slt_slt_same(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.return %s
llvm.func @slt_slt_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-5 : i32) : i32
  %c = llvm.icmp "slt" %x, %k1 : i32
  %d = llvm.icmp "slt" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @slt_slt_differs(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @slt_slt_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-6 : i32) : i32
  %c = llvm.icmp "slt" %x, %k1 : i32
  %d = llvm.icmp "slt" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @sgt_sgt_same(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.return %s
llvm.func @sgt_sgt_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-5 : i32) : i32
  %c = llvm.icmp "sgt" %x, %k1 : i32
  %d = llvm.icmp "sgt" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @sgt_sgt_differs(
// CHECK:         %s = llvm.select %d, %y, %z
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @sgt_sgt_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-4 : i32) : i32
  %c = llvm.icmp "sgt" %x, %k1 : i32
  %d = llvm.icmp "sgt" %x, %k2 : i32
  %s = llvm.select %d, %y, %z : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @ult_ugt_same(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.return %s
llvm.func @ult_ugt_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(9 : i32) : i32
  %c = llvm.icmp "ult" %x, %k1 : i32
  %d = llvm.icmp "ugt" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @ult_ugt_differs(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @ult_ugt_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(8 : i32) : i32
  %c = llvm.icmp "ult" %x, %k1 : i32
  %d = llvm.icmp "ugt" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @ugt_ult_same(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.return %s
llvm.func @ugt_ult_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(11 : i32) : i32
  %c = llvm.icmp "ugt" %x, %k1 : i32
  %d = llvm.icmp "ult" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @ugt_ult_differs(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @ugt_ult_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(10 : i32) : i32
  %k2 = llvm.mlir.constant(12 : i32) : i32
  %c = llvm.icmp "ugt" %x, %k1 : i32
  %d = llvm.icmp "ult" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @slt_sgt_same(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.return %s
llvm.func @slt_sgt_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-6 : i32) : i32
  %c = llvm.icmp "slt" %x, %k1 : i32
  %d = llvm.icmp "sgt" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @slt_sgt_differs(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @slt_sgt_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-7 : i32) : i32
  %c = llvm.icmp "slt" %x, %k1 : i32
  %d = llvm.icmp "sgt" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @sgt_slt_same(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.return %s
llvm.func @sgt_slt_same(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-4 : i32) : i32
  %c = llvm.icmp "sgt" %x, %k1 : i32
  %d = llvm.icmp "slt" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}

// CHECK-LABEL: llvm.func @sgt_slt_differs(
// CHECK:         %s = llvm.select %d, %z, %y
// CHECK-NEXT:    llvm.select %c, %y, %s
llvm.func @sgt_slt_differs(%x: i32, %y: f32, %z: f32) -> f32 {
  %k1 = llvm.mlir.constant(-5 : i32) : i32
  %k2 = llvm.mlir.constant(-3 : i32) : i32
  %c = llvm.icmp "sgt" %x, %k1 : i32
  %d = llvm.icmp "slt" %x, %k2 : i32
  %s = llvm.select %d, %z, %y : i1, f32
  %t = llvm.select %c, %y, %s : i1, f32
  llvm.return %t : f32
}
