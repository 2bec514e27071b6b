// RUN: nvvm-opt %s -p 'normalize-gep' | filecheck %s
// RUN: nvvm-opt %s -p 'normalize-gep,normalize-gep' | filecheck %s

// CHECK-LABEL: llvm.func @in_range
// CHECK:         %[[M:.*]] = llvm.mul %row, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:    %[[S:.*]] = llvm.add %[[M]], %column overflow<nsw> : i32
// CHECK-NEXT:    %[[W:.*]] = llvm.sext %[[S]] : i32 to i64
// CHECK-NEXT:    llvm.getelementptr %t[%[[W]]]
llvm.func @in_range(%t: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 8, 1>} {
  %c64 = llvm.mlir.constant(64 : i64) : i64
  %row = nvvm.read.ptx.sreg.tid.y : i32
  %column = nvvm.read.ptx.sreg.tid.x : i32
  %a = llvm.zext %row : i32 to i64
  %b = llvm.zext %column : i32 to i64
  %m = llvm.mul %a, %c64 : i64
  %s = llvm.add %m, %b : i64
  %p = llvm.getelementptr %t[%s] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.return
}

// Shifts and differences; negative numbers too.
// CHECK-LABEL: llvm.func @others
// CHECK:         %[[L:.*]] = llvm.shl %tid, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:    %[[D:.*]] = llvm.sub %[[L]], %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:    %[[W:.*]] = llvm.sext %[[D]] : i32 to i64
llvm.func @others(%t: !llvm.ptr) attributes {nvvm.kernel} {
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %c5 = llvm.mlir.constant(5 : i64) : i64
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %a = llvm.sext %tid : i32 to i64
  %l = llvm.shl %a, %c3 : i64
  %d = llvm.sub %l, %c5 : i64
  %p = llvm.getelementptr %t[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = llvm.load %p : !llvm.ptr -> i8
  llvm.return
}

// Kept: shifts that may not fit, operands of 64 bits, and values with other uses.
// CHECK-LABEL: llvm.func @kept
// CHECK:         %m = llvm.mul %a, %b : i64
// CHECK:         %w = llvm.add %c, %n : i64
// CHECK:         %u = llvm.add %c, %c3 : i64
llvm.func @kept(%t: !llvm.ptr, %i: i32, %j: i32, %n: i64) -> i64 {
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %a = llvm.zext %i : i32 to i64
  %b = llvm.zext %j : i32 to i64
  %m = llvm.mul %a, %b : i64
  %p = llvm.getelementptr %t[%m] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = llvm.load %p : !llvm.ptr -> i8
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.zext %tid : i32 to i64
  %w = llvm.add %c, %n : i64
  %q = llvm.getelementptr %t[%w] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %y = llvm.load %q : !llvm.ptr -> i8
  %u = llvm.add %c, %c3 : i64
  %r = llvm.getelementptr %t[%u] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %z = llvm.load %r : !llvm.ptr -> i8
  llvm.return %u : i64
}

// The block of an operand may be after the block of its user.
// CHECK-LABEL: llvm.func @later_operand
// CHECK:         %[[A:.*]] = llvm.add %[[M:.*]], %{{.*}} overflow<nsw> : i32
// CHECK:         %[[M]] = llvm.mul %tid, %{{.*}} overflow<nsw> : i32
llvm.func @later_operand(%t: !llvm.ptr) attributes {nvvm.kernel} {
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %c5 = llvm.mlir.constant(5 : i64) : i64
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %a = llvm.zext %tid : i32 to i64
  llvm.br ^first
^second:
  %s = llvm.add %m, %c5 : i64
  %p = llvm.getelementptr %t[%s] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = llvm.load %p : !llvm.ptr -> i8
  llvm.return
^first:
  %m = llvm.mul %a, %c3 : i64
  llvm.br ^second
}
