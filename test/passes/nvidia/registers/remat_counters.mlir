// RUN: nvvm-opt %s -p remat --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'remat<remat-iv=0;simplify-live-out=0>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'remat<remat-iv=2>' | filecheck %s --check-prefix=PLAIN
// RUN: nvvm-opt %s -p 'remat<dump-remat-iv;dump-simplify-live-out>' 2>&1 | filecheck %s --check-prefix=DUMP

// DUMP: remat: constant_bound: 1 counters in 32 bits
// DUMP: remat: low_half: %w leaves its block in 32 bits

// CHECK-LABEL: llvm.func @constant_bound
// CHECK:         llvm.br ^loop(%{{.*}} : i32)
// CHECK-NEXT:  ^loop(%demoteIV: i32):
// CHECK-NEXT:    %substIV = llvm.sext %demoteIV : i32 to i64
// CHECK-NEXT:    llvm.getelementptr %p[%substIV]
// CHECK-NEXT:    llvm.store %demoteIV
// CHECK-NEXT:    %newBaseIV = llvm.add %demoteIV, %{{.*}} : i32
// CHECK-NEXT:    llvm.icmp "slt" %newBaseIV, %{{.*}} : i32
// CHECK-NEXT:    llvm.cond_br %more, ^loop(%newBaseIV : i32), ^end
// OFF-LABEL: llvm.func @constant_bound
// OFF:         ^loop(%i: i64)
llvm.func @constant_bound(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %hundred = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %t = llvm.trunc %i : i64 to i32
  llvm.store %t, %g : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %hundred : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return
}

// The bound was 32 bits wide.
// CHECK-LABEL: llvm.func @extended_bound
// CHECK:       ^loop(%demoteIV: i32):
// CHECK:         llvm.icmp "slt" %newBaseIV, %n : i32
llvm.func @extended_bound(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %zero32 = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i64) : i64
  %some = llvm.icmp "sgt" %n, %zero32 : i32
  %m = llvm.sext %n : i32 to i64
  llvm.cond_br %some, ^pre, ^end
^pre:
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %n, %g : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw> : i64
  %more = llvm.icmp "slt" %next, %m : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return
}

// The last sum is 2^31: it is compared in 64 bits.
// CHECK-LABEL: llvm.func @last_sum
// CHECK:       ^loop(%demoteIV: i32):
// CHECK:         %next = llvm.add %substIV
// CHECK:         llvm.icmp "ne" %next, %{{.*}} : i64
// CHECK-NEXT:    llvm.cond_br %more, ^loop(%newBaseIV : i32), ^end
llvm.func @last_sum(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %start = llvm.mlir.constant(2147483600 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %end = llvm.mlir.constant(2147483648 : i64) : i64
  llvm.br ^loop(%start : i64)
^loop(%i: i64):
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %t = llvm.trunc %i : i64 to i8
  llvm.store %t, %g : i8, !llvm.ptr<1>
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "ne" %next, %end : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return
}

// An unknown bound; numbers beyond 32 bits; a use that is no address, at lower levels.
// CHECK-LABEL: llvm.func @unknown
// CHECK:       ^loop(%i: i64)
llvm.func @unknown(%p: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
  llvm.store %n, %g : i64, !llvm.ptr<1>
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return
}
// CHECK-LABEL: llvm.func @beyond
// CHECK:       ^loop(%i: i64)
llvm.func @beyond(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1073741824 : i64) : i64
  %end = llvm.mlir.constant(10737418240 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
  llvm.store %i, %g : i64, !llvm.ptr<1>
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %end : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return
}
// CHECK-LABEL: llvm.func @other_use
// CHECK:       ^loop(%demoteIV: i32)
// PLAIN-LABEL: llvm.func @other_use
// PLAIN:       ^loop(%i: i64)
llvm.func @other_use(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %hundred = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  llvm.store %i, %p : i64, !llvm.ptr<1>
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %hundred : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return
}

// Only the low half is used in other blocks.
// CHECK-LABEL: llvm.func @low_half
// CHECK:         %w = llvm.mul
// CHECK-NEXT:    %nloNewBit = llvm.trunc %w : i64 to i32
// CHECK:         llvm.store %nloNewBit
// OFF-LABEL: llvm.func @low_half
// OFF-NOT:     nloNewBit
llvm.func @low_half(%x: i64, %c: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %w = llvm.mul %x, %x : i64
  llvm.cond_br %c, ^use, ^end
^use:
  %t = llvm.trunc %w : i64 to i32
  llvm.store %t, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
