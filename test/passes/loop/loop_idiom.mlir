// RUN: nvvm-opt %s -p loop-idiom | filecheck %s

// Population count; the counter may start anywhere and count in any steps.
// CHECK-LABEL: llvm.func @ones
// CHECK:         %[[N:.*]] = llvm.intr.ctpop(%x)
// CHECK-NEXT:    %[[T:.*]] = llvm.intr.umax(%[[N]], %c1)
// CHECK-NEXT:    %[[U:.*]] = llvm.mul %[[T]], %y
// CHECK-NEXT:    %[[V:.*]] = llvm.add %x, %[[U]]
// CHECK-NEXT:    llvm.br ^exit(%[[T]], %[[V]], %c0 : i32, i32, i32)
llvm.func @ones(%x: i32, %y: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %m1 = llvm.mlir.constant(-1 : i32) : i32
  llvm.br ^loop(%x, %c0, %x : i32, i32, i32)
^loop(%v: i32, %i: i32, %s: i32):
  %d = llvm.add %v, %m1 : i32
  %w = llvm.and %d, %v : i32
  %j = llvm.add %i, %c1 : i32
  %t = llvm.add %y, %s : i32
  %c = llvm.icmp "ne" %w, %c0 : i32
  llvm.cond_br %c, ^loop(%w, %j, %t : i32, i32, i32), ^exit(%j, %t, %w : i32, i32, i32)
^exit(%a: i32, %b: i32, %e: i32):
  %r = llvm.add %a, %b : i32
  %q = llvm.add %r, %e : i32
  llvm.return %q : i32
}

// The highest bit: the sum of the previous iteration, of another width.
// CHECK-LABEL: llvm.func @highest
// CHECK:         %[[Z:.*]] = "llvm.intr.ctlz"(%x) <{is_zero_poison = false}>
// CHECK:         llvm.sub %c32, %[[Z]]
// CHECK-NEXT:    llvm.intr.umax
// CHECK-NEXT:    llvm.zext
// CHECK-NEXT:    llvm.sub
// CHECK-NEXT:    llvm.br ^exit
// CHECK-LABEL: llvm.func @lowest
// CHECK:         "llvm.intr.cttz"(%x)
llvm.func @highest(%x: i32) -> i64 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %z = llvm.mlir.constant(0 : i64) : i64
  %o = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%x, %z : i32, i64)
^loop(%v: i32, %i: i64):
  %w = llvm.lshr %v, %c1 : i32
  %j = llvm.add %i, %o : i64
  %c = llvm.icmp "eq" %w, %c0 : i32
  llvm.cond_br %c, ^exit(%i : i64), ^loop(%w, %j : i32, i64)
^exit(%a: i64):
  llvm.return %a : i64
}
llvm.func @lowest(%x: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%x, %c0 : i32, i32)
^loop(%v: i32, %i: i32):
  %w = llvm.shl %v, %c1 : i32
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "ne" %w, %c0 : i32
  llvm.cond_br %c, ^loop(%w, %j : i32, i32), ^exit(%j : i32)
^exit(%a: i32):
  llvm.return %a : i32
}

// The sign never disappears; a value that is no sum is not replaced; a convergent op is executed.
// CHECK-LABEL: llvm.func @signed
// CHECK:         llvm.ashr
// CHECK-LABEL: llvm.func @product
// CHECK:         llvm.cond_br
// CHECK-LABEL: llvm.func @votes
// CHECK:         llvm.cond_br
// CHECK-LABEL: llvm.func @until_set
// CHECK:         llvm.cond_br
llvm.func @signed(%x: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%x, %c0 : i32, i32)
^loop(%v: i32, %i: i32):
  %w = llvm.ashr %v, %c1 : i32
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "ne" %w, %c0 : i32
  llvm.cond_br %c, ^loop(%w, %j : i32, i32), ^exit(%j : i32)
^exit(%a: i32):
  llvm.return %a : i32
}
llvm.func @product(%x: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%x, %c1 : i32, i32)
^loop(%v: i32, %i: i32):
  %w = llvm.lshr %v, %c1 : i32
  %j = llvm.mul %i, %v : i32
  %c = llvm.icmp "ne" %w, %c0 : i32
  llvm.cond_br %c, ^loop(%w, %j : i32, i32), ^exit(%j : i32)
^exit(%a: i32):
  llvm.return %a : i32
}
llvm.func @votes(%x: i32, %b: i1) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%x, %c0 : i32, i32)
^loop(%v: i32, %i: i32):
  %t = nvvm.vote.sync any %c1, %b -> i1
  %w = llvm.lshr %v, %c1 : i32
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "ne" %w, %c0 : i32
  llvm.cond_br %c, ^loop(%w, %j : i32, i32), ^exit(%j : i32)
^exit(%a: i32):
  llvm.return %a : i32
}
llvm.func @until_set(%x: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%x, %c0 : i32, i32)
^loop(%v: i32, %i: i32):
  %w = llvm.lshr %v, %c1 : i32
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "eq" %w, %c0 : i32
  llvm.cond_br %c, ^loop(%w, %j : i32, i32), ^exit(%j : i32)
^exit(%a: i32):
  llvm.return %a : i32
}

// Bytes at a good alignment become one fill, also from an offset; words become a loop over words.
// CHECK-LABEL: llvm.func @bytes
// CHECK:         "llvm.intr.memset"(%p, %{{.*}}, %{{.*}}) <{isVolatile = false, arg_attrs = [{llvm.align = 16 : i64}, {}, {}]
// CHECK-NOT:     llvm.store
// CHECK-LABEL: llvm.func @words
// CHECK:         %[[A:.*]] = llvm.getelementptr inbounds %p[8]
// CHECK:         "llvm.intr.memset"(%[[A]], %{{.*}}, %{{.*}}) <{isVolatile = false, arg_attrs = [{llvm.align = 8 : i64}, {}, {}]
// CHECK-LABEL: llvm.func @unaligned
// CHECK:         llvm.store
// CHECK-LABEL: llvm.func @pattern
// CHECK:         llvm.store
// CHECK-LABEL: llvm.func @every_second
// CHECK:         llvm.store
// CHECK-LABEL: llvm.func @volatile
// CHECK:         llvm.store
// CHECK-LABEL: llvm.func @reads
// CHECK:         llvm.store
llvm.func @bytes(%p: !llvm.ptr {llvm.align = 16 : i64}, %x: i8) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %x, %a : i8, !llvm.ptr
  %j = llvm.add %i, %c1 : i64
  %c = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^exit
^exit:
  llvm.return
}
llvm.func @words(%p: !llvm.ptr {llvm.align = 16 : i64}) {
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %m1 = llvm.mlir.constant(-1 : i32) : i32
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c2 : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %m1, %a : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i64
  %c = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^exit
^exit:
  llvm.return
}
llvm.func @unaligned(%p: !llvm.ptr {llvm.align = 4 : i64}) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %z = llvm.mlir.constant(0 : i32) : i32
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %z, %a : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i64
  %c = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^exit
^exit:
  llvm.return
}
llvm.func @pattern(%p: !llvm.ptr {llvm.align = 16 : i64}) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %z = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %z, %a : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i64
  %c = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^exit
^exit:
  llvm.return
}
llvm.func @every_second(%p: !llvm.ptr {llvm.align = 16 : i64}, %x: i8) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %x, %a : i8, !llvm.ptr
  %j = llvm.add %i, %c2 : i64
  %c = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^exit
^exit:
  llvm.return
}
llvm.func @volatile(%p: !llvm.ptr {llvm.align = 16 : i64}, %x: i8) {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store volatile %x, %a : i8, !llvm.ptr
  %j = llvm.add %i, %c1 : i64
  %c = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^exit
^exit:
  llvm.return
}
llvm.func @reads(%p: !llvm.ptr {llvm.align = 16 : i64}, %q: !llvm.ptr, %x: i8) -> i8 {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %v = llvm.load %q : !llvm.ptr -> i8
  llvm.store %x, %a : i8, !llvm.ptr
  %j = llvm.add %i, %c1 : i64
  %c = llvm.icmp "ult" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^exit(%v : i8)
^exit(%r: i8):
  llvm.return %r : i8
}
