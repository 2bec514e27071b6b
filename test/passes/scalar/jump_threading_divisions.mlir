// RUN: nvvm-opt %s -p jump-threading | filecheck %s
// RUN: nvvm-opt %s -p 'jump-threading<jump-threading-threshold=7>' | filecheck %s --check-prefix=MORE

// A block with a division, a comparison and two other ops has a cost of 7, and one with a product instead a cost of 4.

// CHECK-LABEL: llvm.func @fdiv
// CHECK-NOT: merge.thread
// MORE-LABEL: llvm.func @fdiv
// MORE: merge.thread
llvm.func @fdiv(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.fdiv %f, %f : f32
  llvm.store %d, %p : f32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @frem
// CHECK-NOT: merge.thread
// MORE-LABEL: llvm.func @frem
// MORE: merge.thread
llvm.func @frem(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.frem %f, %f : f32
  llvm.store %d, %p : f32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @sqrt
// CHECK-NOT: merge.thread
// MORE-LABEL: llvm.func @sqrt
// MORE: merge.thread
llvm.func @sqrt(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.intr.sqrt(%f) : (f32) -> f32
  llvm.store %d, %p : f32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @sdiv
// CHECK-NOT: merge.thread
// MORE-LABEL: llvm.func @sdiv
// MORE: merge.thread
llvm.func @sdiv(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.sdiv %x, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @srem
// CHECK-NOT: merge.thread
// MORE-LABEL: llvm.func @srem
// MORE: merge.thread
llvm.func @srem(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.srem %x, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @udiv
// CHECK-NOT: merge.thread
// MORE-LABEL: llvm.func @udiv
// MORE: merge.thread
llvm.func @udiv(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.udiv %x, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @urem
// CHECK-NOT: merge.thread
// MORE-LABEL: llvm.func @urem
// MORE: merge.thread
llvm.func @urem(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.urem %x, %y : i32
  llvm.store %d, %p : i32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @fmul
// CHECK: merge.thread
// MORE-LABEL: llvm.func @fmul
// MORE: merge.thread
llvm.func @fmul(%x: i32, %y: i32, %f: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %cond = llvm.icmp "sgt" %x, %zero : i32
  llvm.cond_br %cond, ^first, ^second
^first:
  llvm.store %x, %q : i32, !llvm.ptr
  llvm.br ^merge(%zero : i32)
^second:
  llvm.br ^merge(%y : i32)
^merge(%v: i32):
  %d = llvm.fmul %f, %f : f32
  llvm.store %d, %p : f32, !llvm.ptr
  llvm.store %x, %q : i32, !llvm.ptr
  %again = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %again, ^match, ^other
^match:
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return
^other:
  llvm.store %y, %q : i32, !llvm.ptr
  llvm.return
}
