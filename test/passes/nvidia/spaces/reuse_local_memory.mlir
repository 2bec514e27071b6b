// RUN: nvvm-opt %s -p reuse-local-memory | filecheck %s
// RUN: xdsl-opt %s -p reuse-local-memory | filecheck %s
// RUN: nvvm-opt %s -p 'reuse-local-memory<no-reuse>' | filecheck %s --check-prefix=OFF

llvm.func @use(!llvm.ptr)

// The larger slot is kept, with the higher alignment, and without TBAA tags and lifetime markers.
// OFF-LABEL:   @consecutive
// OFF-COUNT-2: llvm.alloca
// CHECK-LABEL: @consecutive
// CHECK:      %a = llvm.alloca %one x !llvm.array<8 x i32> {alignment = 16 : i64}
// CHECK-NOT:  llvm.alloca
// CHECK-NOT:  lifetime
// CHECK:      llvm.store %x, %a : i32, !llvm.ptr
// CHECK-NEXT: %u = llvm.load %a : !llvm.ptr -> i32
// CHECK-NEXT: llvm.store %u, %a : i32, !llvm.ptr
// CHECK-NEXT: %v = llvm.load %a : !llvm.ptr -> i32
// CHECK-NEXT: llvm.return
#root = #llvm.tbaa_root<id = "root">
#int = #llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<base_type = #int, access_type = #int, offset = 0>
llvm.func @consecutive(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.alloca %one x !llvm.array<4 x i32> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %a = llvm.alloca %one x !llvm.array<8 x i32> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %a : !llvm.ptr
  llvm.store %x, %a {tbaa = [#tag]} : i32, !llvm.ptr
  %u = llvm.load %a {tbaa = [#tag]} : !llvm.ptr -> i32
  llvm.intr.lifetime.end %a : !llvm.ptr
  llvm.store %u, %b {tbaa = [#tag]} : i32, !llvm.ptr
  %v = llvm.load %b {tbaa = [#tag]} : !llvm.ptr -> i32
  llvm.return %v : i32
}

// CHECK-LABEL: @two_paths
// CHECK-COUNT-1: llvm.alloca
// CHECK-NOT:  llvm.alloca
llvm.func @two_paths(%x: i32, %c: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  llvm.cond_br %c, ^left, ^right
^left:
  llvm.store volatile %x, %a : i32, !llvm.ptr
  llvm.br ^end
^right:
  llvm.store volatile %x, %b : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return %x : i32
}

// Both slots hold values at the second store.
// CHECK-LABEL: @overlapping
// CHECK-COUNT-2: llvm.alloca
llvm.func @overlapping(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %a : i32, !llvm.ptr
  llvm.store %x, %b : i32, !llvm.ptr
  %u = llvm.load %a : !llvm.ptr -> i32
  %v = llvm.load %b : !llvm.ptr -> i32
  %s = llvm.add %u, %v : i32
  llvm.return %s : i32
}

// An iteration may load the value of %a that the previous iteration stored.
// CHECK-LABEL: @loop
// CHECK-COUNT-2: llvm.alloca
llvm.func @loop(%x: i32, %n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.br ^body(%x : i32)
^body(%i: i32):
  %u = llvm.load %a : !llvm.ptr -> i32
  llvm.store volatile %u, %b : i32, !llvm.ptr
  %v = llvm.load volatile %b : !llvm.ptr -> i32
  llvm.store %v, %a : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^body(%next : i32), ^end
^end:
  llvm.return %u : i32
}

// A slot with an escaping address is live to the end.
// CHECK-LABEL: @escaping
// CHECK-COUNT-2: llvm.alloca
llvm.func @escaping(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  llvm.store volatile %x, %b : i32, !llvm.ptr
  %v = llvm.load %b : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The addresses of two slots differ.
// CHECK-LABEL: @compared
// CHECK-COUNT-2: llvm.alloca
llvm.func @compared() -> i1 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %c = llvm.icmp "eq" %a, %b : !llvm.ptr
  llvm.return %c : i1
}

// The access after the join may be to either slot.
// CHECK-LABEL: @merged
// CHECK-COUNT-2: llvm.alloca
llvm.func @merged(%x: i32, %c: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %a : i32, !llvm.ptr
  llvm.store %one, %b : i32, !llvm.ptr
  llvm.cond_br %c, ^end(%a : !llvm.ptr), ^end(%b : !llvm.ptr)
^end(%p: !llvm.ptr):
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.return %v : i32
}

// Pointers of different address spaces, slots of variable size, and slots outside of the entry block are
// kept.
// CHECK-LABEL: @kinds
// CHECK-COUNT-4: llvm.alloca
llvm.func @kinds(%x: i32, %n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr<5>
  %c = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  llvm.store volatile %x, %a : i32, !llvm.ptr
  llvm.store volatile %x, %b : i32, !llvm.ptr<5>
  llvm.store volatile %x, %c : i32, !llvm.ptr
  llvm.br ^next
^next:
  %d = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store volatile %x, %d : i32, !llvm.ptr
  llvm.return
}

// A marker makes the contents undefined, so an iteration does not load a value of the previous one: with
// one at the start, and with one at the end.
// CHECK-LABEL: @marked_loop
// CHECK-COUNT-1: llvm.alloca
// CHECK-NOT:  llvm.alloca
// CHECK:      llvm.return
llvm.func @marked_loop(%x: i32, %n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  llvm.br ^body(%x : i32)
^body(%i: i32):
  llvm.intr.lifetime.start %a : !llvm.ptr
  llvm.store %i, %a : i32, !llvm.ptr
  %p = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %u = llvm.load %p : !llvm.ptr -> i32
  llvm.br ^other
^other:
  %q = llvm.getelementptr %b[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %u, %q : i32, !llvm.ptr
  %v = llvm.load volatile %b : !llvm.ptr -> i32
  llvm.intr.lifetime.end %b : !llvm.ptr
  %next = llvm.add %v, %one : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^body(%next : i32), ^end
^end:
  llvm.return %u : i32
}

// Markers of one slot do not end the contents of the other.
// CHECK-LABEL: @one_marked
// CHECK-COUNT-2: llvm.alloca
llvm.func @one_marked(%x: i32, %n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.br ^body(%x : i32)
^body(%i: i32):
  llvm.intr.lifetime.start %a : !llvm.ptr
  llvm.store volatile %i, %a : i32, !llvm.ptr
  %u = llvm.load volatile %b : !llvm.ptr -> i32
  llvm.store volatile %u, %b : i32, !llvm.ptr
  llvm.intr.lifetime.end %a : !llvm.ptr
  %next = llvm.add %i, %one : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^body(%next : i32), ^end
^end:
  llvm.return %u : i32
}

// Accesses after the first marker and before the last one of a block are on no other side of it.
// CHECK-LABEL: @between
// CHECK-COUNT-2: llvm.alloca
llvm.func @between(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %a : !llvm.ptr
  llvm.store %x, %a : i32, !llvm.ptr
  llvm.br ^middle
^middle:
  llvm.store volatile %x, %b : i32, !llvm.ptr
  %v = llvm.load volatile %b : !llvm.ptr -> i32
  llvm.br ^last
^last:
  %u = llvm.load %a : !llvm.ptr -> i32
  llvm.intr.lifetime.end %a : !llvm.ptr
  llvm.return %u : i32
}

// A kept address is live past a marker.
// CHECK-LABEL: @kept
// CHECK-COUNT-2: llvm.alloca
llvm.func @kept(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.call @use(%a) : (!llvm.ptr) -> ()
  llvm.br ^marker
^marker:
  llvm.intr.lifetime.start %a : !llvm.ptr
  llvm.br ^end
^end:
  llvm.store volatile %x, %b : i32, !llvm.ptr
  %v = llvm.load %b : !llvm.ptr -> i32
  llvm.return %v : i32
}

// The markers are between the accesses of one block.
// CHECK-LABEL: @marker_between
// CHECK-COUNT-1: llvm.alloca
// CHECK-NOT:  llvm.alloca
// CHECK:      llvm.return
llvm.func @marker_between(%x: i32, %n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.br ^body(%x : i32)
^body(%i: i32):
  llvm.store volatile %i, %a : i32, !llvm.ptr
  %u = llvm.load volatile %a : !llvm.ptr -> i32
  llvm.intr.lifetime.end %a : !llvm.ptr
  llvm.intr.lifetime.start %b : !llvm.ptr
  llvm.store volatile %u, %b : i32, !llvm.ptr
  %v = llvm.load volatile %b : !llvm.ptr -> i32
  %next = llvm.add %v, %one : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^body(%next : i32), ^end
^end:
  llvm.return %u : i32
}

// The markers are in a block without accesses.
// CHECK-LABEL: @marker_block
// CHECK-COUNT-1: llvm.alloca
// CHECK-NOT:  llvm.alloca
// CHECK:      llvm.return
llvm.func @marker_block(%x: i32, %n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.br ^body(%x : i32)
^body(%i: i32):
  llvm.store volatile %i, %a : i32, !llvm.ptr
  %u = llvm.load volatile %a : !llvm.ptr -> i32
  llvm.br ^middle
^middle:
  llvm.intr.lifetime.end %a : !llvm.ptr
  llvm.intr.lifetime.start %b : !llvm.ptr
  llvm.br ^other
^other:
  llvm.store volatile %u, %b : i32, !llvm.ptr
  %v = llvm.load volatile %b : !llvm.ptr -> i32
  %next = llvm.add %v, %one : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^body(%next : i32), ^end
^end:
  llvm.return %u : i32
}
