// RUN: nvvm-opt %s -p 'jump-threading<no-repeat-targets>' | filecheck %s
// RUN: nvvm-opt %s -p jump-threading | filecheck %s --check-prefix REPEAT

// A divergent branch reconverges at ^join. If the edge from ^a were threaded to ^b, a warp would execute ^b twice: once for the threads from
// ^a, once for those that pass the test.
// CHECK-LABEL: llvm.func @runs_twice
// CHECK:       ^a:
// CHECK-NEXT:    llvm.store volatile
// CHECK-NEXT:    llvm.br ^join
// CHECK:       ^join:
// CHECK-NEXT:    llvm.icmp "ult" %t, %c16
// CHECK-NEXT:    llvm.cond_br %{{.*}}, ^b, ^exit
// REPEAT-LABEL: llvm.func @runs_twice
// REPEAT:       ^a:
// REPEAT-NEXT:    llvm.store volatile
// REPEAT-NEXT:    llvm.br ^b
llvm.func @runs_twice(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "ult" %t, %c8 : i32
  llvm.cond_br %c, ^a, ^join
^a:
  llvm.store volatile %c8, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^join:
  %d = llvm.icmp "ult" %t, %c16 : i32
  llvm.cond_br %d, ^b, ^exit
^b:
  llvm.store volatile %c16, %p : i32, !llvm.ptr<1>
  llvm.br ^exit
^exit:
  llvm.return
}

// All threads of a warp take the same path here.
// CHECK-LABEL: llvm.func @uniform_runs_once
// CHECK:       ^a:
// CHECK-NEXT:    llvm.store volatile
// CHECK-NEXT:    llvm.br ^b
llvm.func @uniform_runs_once(%p: !llvm.ptr<1>, %t: i32) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c = llvm.icmp "ult" %t, %c8 : i32
  llvm.cond_br %c, ^a, ^join
^a:
  llvm.store volatile %c8, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^join:
  %d = llvm.icmp "ult" %t, %c16 : i32
  llvm.cond_br %d, ^b, ^exit
^b:
  llvm.store volatile %c16, %p : i32, !llvm.ptr<1>
  llvm.br ^exit
^exit:
  llvm.return
}

// ^exit post-dominates ^join, so the skipping threads wait there.
// CHECK-LABEL: llvm.func @skips
// CHECK:         llvm.cond_br %c, ^a, ^exit
llvm.func @skips(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "ult" %t, %c16 : i32
  llvm.cond_br %c, ^a, ^join
^a:
  llvm.store volatile %c16, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^join:
  %d = llvm.icmp "ult" %t, %c8 : i32
  llvm.cond_br %d, ^b, ^exit
^b:
  llvm.store volatile %c8, %p : i32, !llvm.ptr<1>
  llvm.br ^exit
^exit:
  llvm.return
}

// All edges are decided, so that no thread executes the test.
// CHECK-LABEL: llvm.func @decided
// CHECK:         llvm.cond_br %c, ^a, ^z
// CHECK:       ^a:
// CHECK-NEXT:    llvm.store volatile
// CHECK-NEXT:    llvm.br ^b
// CHECK:       ^z:
// CHECK-NEXT:    llvm.store volatile
// CHECK-NEXT:    llvm.br ^exit
llvm.func @decided(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "ult" %t, %c8 : i32
  llvm.cond_br %c, ^a, ^z
^a:
  llvm.store volatile %c8, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^z:
  llvm.store volatile %t, %p : i32, !llvm.ptr<1>
  llvm.br ^join
^join:
  %d = llvm.icmp "ult" %t, %c8 : i32
  llvm.cond_br %d, ^b, ^exit
^b:
  llvm.store volatile %t, %p : i32, !llvm.ptr<1>
  llvm.br ^exit
^exit:
  llvm.return
}

// The target of an edge into ^x is a copy that the same walk has created.
// CHECK-LABEL: llvm.func @copied_target
// CHECK:       ^j.thread:
llvm.func @copied_target(%n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "ult" %t, %c8 : i32
  %small = llvm.icmp "ult" %n, %c8 : i32
  llvm.cond_br %c, ^inner, ^x
^j(%v: i32):
  %w = llvm.add %v, %t : i32
  %e = llvm.icmp "eq" %v, %c1 : i32
  llvm.cond_br %e, ^m(%w : i32), ^o(%w : i32)
^inner:
  llvm.cond_br %small, ^a, ^z
^a:
  llvm.store volatile %c8, %p : i32, !llvm.ptr<1>
  llvm.br ^x
^z:
  llvm.store volatile %c16, %p : i32, !llvm.ptr<1>
  llvm.br ^x
^x:
  %d = llvm.icmp "ult" %n, %c16 : i32
  llvm.cond_br %d, ^j(%c1 : i32), ^b
^b:
  %u = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.br ^j(%u : i32)
^m(%q: i32):
  llvm.store volatile %q, %p : i32, !llvm.ptr<1>
  llvm.return
^o(%r: i32):
  %s = llvm.add %r, %c8 : i32
  llvm.store volatile %s, %p : i32, !llvm.ptr<1>
  llvm.return
}

// The uniformity is computed before the first of several redirections, which adds a block.
// CHECK-LABEL: llvm.func @analyses_precede_copies
// CHECK:       ^left:
// CHECK-NEXT:    llvm.br ^latch(%zero : i32)
// CHECK:       ^right:
// CHECK-NEXT:    llvm.mul
// CHECK-NEXT:    llvm.br ^join.thread
llvm.func @analyses_precede_copies(%n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "ne" %n, %zero : i32
  llvm.br ^head(%zero : i32)
^head(%a: i32):
  llvm.cond_br %c, ^left, ^right
^left:
  llvm.br ^join(%n : i32)
^right:
  %y = llvm.mul %a, %n : i32
  llvm.br ^join(%y : i32)
^join(%b: i32):
  llvm.cond_br %c, ^latch(%zero : i32), ^store
^store:
  llvm.store %b, %p : i32, !llvm.ptr<1>
  llvm.br ^latch(%b : i32)
^latch(%d: i32):
  %more = llvm.icmp "ne" %tid, %zero : i32
  llvm.cond_br %more, ^head(%d : i32), ^tail
^tail:
  llvm.cond_br %c, ^last, ^tail
^last:
  llvm.store %d, %p : i32, !llvm.ptr<1>
  llvm.br ^tail
}

// Both loads are short and conditional. If the edge from the entry to ^join led to ^exit, the second load would wait for the branch that skips
// the first one.
// CHECK-LABEL: llvm.func @loads_overlap
// CHECK:       llvm.cond_br %{{.*}}, ^join, ^a
// REPEAT-LABEL: llvm.func @loads_overlap
// REPEAT:       llvm.cond_br %{{.*}}, ^exit, ^a
llvm.func @loads_overlap(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %t: i32) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c = llvm.icmp "uge" %t, %c8 : i32
  llvm.cond_br %c, ^join, ^a
^a:
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %q : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  %d = llvm.icmp "uge" %t, %c4 : i32
  llvm.cond_br %d, ^exit, ^b
^b:
  %y = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %y, %q : i32, !llvm.ptr<3>
  llvm.br ^exit
^exit:
  llvm.return
}

// The second block has no load.
// CHECK-LABEL: llvm.func @second_stores
// REPEAT-LABEL: llvm.func @second_stores
// CHECK:       llvm.cond_br %{{.*}}, ^exit, ^a
llvm.func @second_stores(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %t: i32) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c = llvm.icmp "uge" %t, %c8 : i32
  llvm.cond_br %c, ^join, ^a
^a:
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %q : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  %d = llvm.icmp "uge" %t, %c4 : i32
  llvm.cond_br %d, ^exit, ^b
^b:
  llvm.store %t, %q : i32, !llvm.ptr<3>
  llvm.br ^exit
^exit:
  llvm.return
}

// The first block has no load.
// CHECK-LABEL: llvm.func @first_stores
// CHECK:       llvm.cond_br %{{.*}}, ^exit, ^a
llvm.func @first_stores(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %t: i32) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c = llvm.icmp "uge" %t, %c8 : i32
  llvm.cond_br %c, ^join, ^a
^a:
  llvm.store %t, %q : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  %d = llvm.icmp "uge" %t, %c4 : i32
  llvm.cond_br %d, ^exit, ^b
^b:
  %y = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %y, %q : i32, !llvm.ptr<3>
  llvm.br ^exit
^exit:
  llvm.return
}

// ^b is too long to be predicated.
// CHECK-LABEL: llvm.func @second_is_long
// CHECK:       llvm.cond_br %{{.*}}, ^exit, ^a
llvm.func @second_is_long(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %t: i32) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c = llvm.icmp "uge" %t, %c8 : i32
  llvm.cond_br %c, ^join, ^a
^a:
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %q : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  %d = llvm.icmp "uge" %t, %c4 : i32
  llvm.cond_br %d, ^exit, ^b
^b:
  %y = llvm.load %p : !llvm.ptr<1> -> i32
  %y1 = llvm.mul %y, %t : i32
  %y2 = llvm.xor %y1, %t : i32
  %y3 = llvm.mul %y2, %t : i32
  %y4 = llvm.xor %y3, %t : i32
  %y5 = llvm.mul %y4, %t : i32
  %y6 = llvm.xor %y5, %t : i32
  %y7 = llvm.mul %y6, %t : i32
  llvm.store %y7, %q : i32, !llvm.ptr<3>
  llvm.br ^exit
^exit:
  llvm.return
}

// ^b does not end at the target of the edge.
// CHECK-LABEL: llvm.func @second_returns
// CHECK:       llvm.cond_br %{{.*}}, ^exit, ^a
llvm.func @second_returns(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %t: i32) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c = llvm.icmp "uge" %t, %c8 : i32
  llvm.cond_br %c, ^join, ^a
^a:
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %q : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  %d = llvm.icmp "uge" %t, %c4 : i32
  llvm.cond_br %d, ^exit, ^b
^b:
  %y = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %y, %q : i32, !llvm.ptr<3>
  llvm.return
^exit:
  llvm.store %t, %q : i32, !llvm.ptr<3>
  llvm.return
}

// ^b is entered by another edge, so it cannot be predicated.
// CHECK-LABEL: llvm.func @second_has_two_entries
// CHECK:       llvm.cond_br %{{.*}}, ^exit, ^a
llvm.func @second_has_two_entries(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %t: i32, %u: i1) attributes {nvvm.kernel} {
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  llvm.cond_br %u, ^test, ^b
^test:
  %c = llvm.icmp "uge" %t, %c8 : i32
  llvm.cond_br %c, ^join, ^a
^a:
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %q : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  %d = llvm.icmp "uge" %t, %c4 : i32
  llvm.cond_br %d, ^exit, ^b
^b:
  %y = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %y, %q : i32, !llvm.ptr<3>
  llvm.br ^exit
^exit:
  llvm.return
}
