// RUN: nvvm-opt %s -p 'instcombine,dce' --verify-each | filecheck %s

// A byte as a float is compared with the next integer.
// CHECK-LABEL: llvm.func @byte
// CHECK:         %[[C:.*]] = llvm.mlir.constant(70 : i8) : i8
// CHECK-NEXT:    %[[R:.*]] = llvm.icmp "ugt" %x, %[[C]] : i8
// CHECK-NEXT:    llvm.return %[[R]]
llvm.func @byte(%x: i8) -> i1 {
  %c = llvm.mlir.constant(70.5 : f32) : f32
  %a = llvm.uitofp %x : i8 to f32
  %r = llvm.fcmp "oge" %a, %c : f32
  llvm.return %r : i1
}

// CHECK-LABEL: llvm.func @signed
// CHECK-DAG:     %[[C:.*]] = llvm.mlir.constant(-3 : i32) : i32
// CHECK-DAG:     %[[D:.*]] = llvm.mlir.constant(12 : i32) : i32
// CHECK-DAG:     %[[A:.*]] = llvm.icmp "sgt" %x, %[[C]] : i32
// CHECK-DAG:     %[[B:.*]] = llvm.icmp "eq" %y, %[[D]] : i32
// CHECK:         llvm.xor %[[A]], %[[B]]
llvm.func @signed(%x: i32, %y: i32) -> i1 {
  %c = llvm.mlir.constant(-2.5 : f64) : f64
  %d = llvm.mlir.constant(12.0 : f64) : f64
  %p = llvm.sitofp %x : i32 to f64
  %q = llvm.sitofp %y : i32 to f64
  %a = llvm.fcmp "ogt" %p, %c : f64
  %b = llvm.fcmp "ueq" %q, %d : f64
  %r = llvm.xor %a, %b : i1
  llvm.return %r : i1
}

// A 32-bit integer below 2^24 is exact as f32, and others are not rounded across a smaller number.
// CHECK-LABEL: llvm.func @near
// CHECK-DAG:     %[[C:.*]] = llvm.mlir.constant(5 : i32) : i32
// CHECK-DAG:     %[[D:.*]] = llvm.mlir.constant(-16777215 : i32) : i32
// CHECK-DAG:     llvm.icmp "slt" %x, %[[C]] : i32
// CHECK-DAG:     llvm.icmp "eq" %x, %[[D]] : i32
llvm.func @near(%x: i32) -> i1 {
  %c = llvm.mlir.constant(4.0 : f32) : f32
  %d = llvm.mlir.constant(-16777215.0 : f32) : f32
  %p = llvm.sitofp %x : i32 to f32
  %a = llvm.fcmp "ole" %p, %c : f32
  %b = llvm.fcmp "oeq" %p, %d : f32
  %r = llvm.xor %a, %b : i1
  llvm.return %r : i1
}

// 2^24 + 1 is rounded to 2^24 as f32; no i32 equals 12.5; 256 is no byte; a denormal is zero with -ftz;
// infinity has no next integer.
// CHECK-LABEL: llvm.func @kept
// CHECK:         llvm.fcmp "olt"
// CHECK:         llvm.fcmp "oeq"
// CHECK:         llvm.fcmp "olt"
// CHECK:         llvm.fcmp "oge"
// CHECK:         llvm.fcmp "olt"
llvm.func @kept(%x: i32, %y: i8, %z: i8, %o: !llvm.ptr) {
  %c = llvm.mlir.constant(16777216.0 : f32) : f32
  %half = llvm.mlir.constant(12.5 : f64) : f64
  %large = llvm.mlir.constant(256.0 : f32) : f32
  %tiny = llvm.mlir.constant(1.0e-40 : f32) : f32
  %p = llvm.sitofp %x : i32 to f32
  %a = llvm.fcmp "olt" %p, %c : f32
  llvm.store volatile %a, %o : i1, !llvm.ptr
  %q = llvm.sitofp %x : i32 to f64
  %b = llvm.fcmp "oeq" %q, %half : f64
  llvm.store volatile %b, %o : i1, !llvm.ptr
  %s = llvm.uitofp %y : i8 to f32
  %d = llvm.fcmp "olt" %s, %large : f32
  llvm.store volatile %d, %o : i1, !llvm.ptr
  %t = llvm.uitofp %z : i8 to f32
  %e = llvm.fcmp "oge" %t, %tiny : f32
  llvm.store volatile %e, %o : i1, !llvm.ptr
  %inf = llvm.mlir.constant(0x7F800000 : f32) : f32
  %f = llvm.fcmp "olt" %t, %inf : f32
  llvm.store volatile %f, %o : i1, !llvm.ptr
  llvm.return
}
