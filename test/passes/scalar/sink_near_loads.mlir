// RUN: nvvm-opt %s -p sink --verify-each | filecheck %s --check-prefixes CHECK,SINK
// RUN: nvvm-opt %s -p sinking2 --verify-each | filecheck %s

// %b is loaded from the cache line of %a, which the block uses, and stays with its user. Loads from other lines, at unknown
// distances and from other pointers are sunk.
// CHECK-LABEL: llvm.func @near
// CHECK:         %a = llvm.load
// CHECK:         %b = llvm.load
// CHECK:         %s = llvm.sub %b
// CHECK:         llvm.cond_br
// CHECK:       ^then:
// CHECK-DAG:     llvm.load %f
// CHECK-DAG:     llvm.load %i
// CHECK-DAG:     llvm.load %o
// SINK-DAG:      llvm.mul %s
// CHECK:         llvm.store
llvm.func @near(%x: i32, %p: !llvm.ptr<1>, %o: !llvm.ptr<1>, %r: !llvm.ptr<1>) {
  %q = llvm.getelementptr %p[31] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %f = llvm.getelementptr %p[63] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %i = llvm.getelementptr %p[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  %b = llvm.load %q : !llvm.ptr<1> -> i32
  %s = llvm.sub %b, %x : i32
  %u = llvm.mul %s, %x : i32
  %d = llvm.load %f : !llvm.ptr<1> -> i32
  %e = llvm.load %i : !llvm.ptr<1> -> i32
  %g = llvm.load %o : !llvm.ptr<1> -> i32
  %c = llvm.icmp "eq" %a, %x : i32
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store %u, %r : i32, !llvm.ptr<1>
  llvm.store volatile %d, %r : i32, !llvm.ptr<1>
  llvm.store volatile %e, %r : i32, !llvm.ptr<1>
  llvm.store volatile %g, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Neither load is used in the block.
// CHECK-LABEL: llvm.func @unused
// CHECK-NOT:     llvm.load
// CHECK:         llvm.cond_br
llvm.func @unused(%c: i1, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>) {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  %b = llvm.load %q : !llvm.ptr<1> -> i32
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store volatile %a, %r : i32, !llvm.ptr<1>
  llvm.store volatile %b, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Loads from local memory are fast, because it is cached.
// CHECK-LABEL: llvm.func @local
// CHECK:         %a = llvm.load
// CHECK:         llvm.cond_br
// CHECK:       ^then:
// CHECK:         %b = llvm.load
llvm.func @local(%x: i32, %p: !llvm.ptr<5>, %r: !llvm.ptr<1>) {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i32
  %a = llvm.load %p : !llvm.ptr<5> -> i32
  %b = llvm.load %q : !llvm.ptr<5> -> i32
  %c = llvm.icmp "eq" %a, %x : i32
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store volatile %b, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// %s is not the only user of %b.
// SINK-LABEL: llvm.func @two_users
// SINK:         %b = llvm.load
// SINK-NOT:     llvm.sub
// SINK:         llvm.cond_br
llvm.func @two_users(%x: i32, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>) {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  %b = llvm.load %q : !llvm.ptr<1> -> i32
  %s = llvm.sub %b, %x : i32
  %c = llvm.icmp "eq" %a, %b : i32
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store volatile %s, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// A load that is only used after the loop leaves it.
// SINK-LABEL: llvm.func @after_loop
// SINK:       ^loop
// SINK:         llvm.load
// SINK-NOT:     llvm.load
// SINK:       ^end:
// SINK:         llvm.load
llvm.func @after_loop(%n: i32, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c1 : i32)
^loop(%i: i32):
  %o = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %q = llvm.getelementptr %o[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %a = llvm.load %o : !llvm.ptr<1> -> i32
  %b = llvm.load %q : !llvm.ptr<1> -> i32
  %j = llvm.add %i, %c1 : i32
  %c = llvm.icmp "slt" %a, %n : i32
  llvm.cond_br %c, ^loop(%j : i32), ^end
^end:
  llvm.store volatile %b, %r : i32, !llvm.ptr<1>
  llvm.return
}

// A load without other users stays, too. A user in a later block is sunk: the load stays anyway.
// CHECK-LABEL: llvm.func @other_block
// CHECK:         %b = llvm.load
// CHECK:         %d = llvm.load
// CHECK:         llvm.cond_br
// CHECK:       ^mid:
// SINK-NOT:      llvm.sub
// CHECK:         llvm.cond_br
// CHECK:       ^then:
// SINK-NEXT:     %s = llvm.sub %b
llvm.func @other_block(%k: i1, %x: i32, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>) {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %t = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %a = llvm.load %p : !llvm.ptr<1> -> i32
  %b = llvm.load %q : !llvm.ptr<1> -> i32
  %d = llvm.load %t : !llvm.ptr<1> -> i32
  %c = llvm.icmp "eq" %a, %x : i32
  llvm.cond_br %c, ^mid, ^end
^mid:
  %s = llvm.sub %b, %x : i32
  llvm.store volatile %d, %r : i32, !llvm.ptr<1>
  llvm.cond_br %k, ^then, ^end
^then:
  llvm.store volatile %s, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
