// RUN: nvvm-opt %s -p loop-rotate | filecheck %s
// RUN: nvvm-opt %s -p 'loop(loop-rotate<no-header-duplication>)' | filecheck %s --check-prefix NONE
// RUN: nvvm-opt %s -p 'loop-rotate{rotation-max-header-size=2}' | filecheck %s --check-prefix NONE

// Invariant ops are hoisted and the others copied to the preheader. Live-out values leave through the loop's
// exits, and the annotation moves to the new latch.
// CHECK-LABEL: llvm.func @while
// CHECK:         %twice = llvm.add %n, %n
// CHECK-NEXT:    llvm.store %c0, %p
// CHECK-NEXT:    %[[G:.*]] = llvm.icmp "slt" %c0, %twice
// CHECK-NEXT:    llvm.cond_br %[[G]], ^[[PRE:.*]], ^exit(%c0 : i32)
// CHECK-NEXT:  ^[[PRE]]:
// CHECK-NEXT:    llvm.br ^body(%c0, %c0 : i32, i32)
// CHECK-NEXT:  ^body(%i: i32, %s: i32):
// CHECK-NEXT:    %v = llvm.load %p
// CHECK:         %[[C:.*]] = llvm.icmp "slt" %j, %twice
// CHECK-NEXT:    llvm.cond_br %[[C]], ^body(%j, %t : i32, i32), ^[[OUT:.*]](%t : i32) {loop_annotation
// CHECK-NEXT:  ^[[OUT]](%[[O:.*]]: i32):
// CHECK-NEXT:    llvm.br ^exit(%[[O]] : i32)
// CHECK-NEXT:  ^exit(%[[R:.*]]: i32):
// CHECK-NEXT:    llvm.return %[[R]]
// NONE-LABEL: llvm.func @while
// NONE:         ^head(
llvm.func @while(%p: !llvm.ptr, %n: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  llvm.br ^head(%c0, %c0 : i32, i32)
^head(%i: i32, %s: i32):
  %twice = llvm.add %n, %n : i32
  %k = llvm.mul %i, %c5 : i32
  llvm.store %k, %p : i32, !llvm.ptr
  %c = llvm.icmp "slt" %i, %twice : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %v = llvm.load %p : !llvm.ptr -> i32
  %t = llvm.add %s, %v : i32
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j, %t : i32, i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
^exit:
  llvm.return %s : i32
}

// A test that is known at first needs no guard; a loop that is never entered is removed.
// CHECK-LABEL: llvm.func @known
// CHECK-COUNT-1: llvm.cond_br
// CHECK-NOT:     llvm.cond_br
// CHECK-LABEL: llvm.func @never
// CHECK-NOT:     llvm.store
llvm.func @known(%p: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  llvm.br ^head(%c0: i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %c9 : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  llvm.store %i, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j: i32)
^exit:
  llvm.return
}
llvm.func @never(%p: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  llvm.br ^head(%c9: i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %c9 : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  llvm.store %i, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j: i32)
^exit:
  llvm.return
}

// Headers with convergent ops are not copied. Such ops in the body do not matter, even if the loop's own test
// is divergent or threads have returned before the loop. The loop is kept only if a divergent branch
// reconverges in the header, here that of ^inner.
// CHECK-LABEL: llvm.func @barrier
// CHECK:         nvvm.barrier0
// CHECK-NOT:     nvvm.barrier0
// CHECK-LABEL: llvm.func @uniform
// CHECK:         ^[[BODY:.*]](%{{.*}}: i32):
// CHECK-NEXT:      nvvm.barrier0
// CHECK:           llvm.cond_br %{{.*}}, ^[[BODY]](
// CHECK-LABEL: llvm.func @divergent
// CHECK:         ^[[BODY:.*]](%{{.*}}: i32):
// CHECK-NEXT:      nvvm.bar.warp.sync
// CHECK:           llvm.cond_br %{{.*}}, ^[[BODY]](
// CHECK-LABEL: llvm.func @returned
// CHECK:         ^[[BODY:.*]](%{{.*}}: i32):
// CHECK-NEXT:      nvvm.barrier0
// CHECK:           llvm.cond_br %{{.*}}, ^[[BODY]](
// CHECK-LABEL: llvm.func @reconverges
// CHECK:         ^head(
// CHECK:           llvm.cond_br %c, ^body, ^exit
// CHECK-LABEL: llvm.func @uniform_again
// CHECK-NOT:     ^head
llvm.func @barrier(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%c0: i32)
^head(%i: i32):
  nvvm.barrier0
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j: i32)
^exit:
  llvm.return
}
llvm.func @uniform(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%c0: i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  nvvm.barrier0
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j: i32)
^exit:
  llvm.return
}
llvm.func @divergent(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %n = nvvm.read.ptx.sreg.tid.x : i32
  llvm.br ^head(%c0: i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  nvvm.bar.warp.sync %c1 : i32
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j: i32)
^exit:
  llvm.return
}
llvm.func @returned(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %r = llvm.icmp "sge" %t, %n : i32
  llvm.cond_br %r, ^exit, ^begin
^begin:
  llvm.br ^head(%c0: i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^loopexit
^body:
  nvvm.barrier0
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j: i32)
^loopexit:
  llvm.br ^exit
^exit:
  llvm.return
}
llvm.func @reconverges(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  llvm.br ^again
^again:
  llvm.br ^head(%c0: i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  nvvm.bar.warp.sync %c1 : i32
  %j = llvm.add %i, %c1 : i32
  %d = llvm.icmp "slt" %j, %t : i32
  llvm.cond_br %d, ^latch, ^leave
^leave:
  llvm.br ^again
^latch:
  llvm.br ^head(%j: i32)
^exit:
  llvm.return
}
llvm.func @uniform_again(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %t = nvvm.read.ptx.sreg.ctaid.x : i32
  llvm.br ^again
^again:
  llvm.br ^head(%c0: i32)
^head(%i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^exit
^body:
  nvvm.bar.warp.sync %c1 : i32
  %j = llvm.add %i, %c1 : i32
  %d = llvm.icmp "slt" %j, %t : i32
  llvm.cond_br %d, ^latch, ^leave
^leave:
  llvm.br ^again
^latch:
  llvm.br ^head(%j: i32)
^exit:
  llvm.return
}
