// RUN: nvvm-opt %s -p 'dse' --verify-each | filecheck %s

// Overwritten before any load, past a load of other memory; stored back as loaded.
// CHECK-LABEL: llvm.func @overwritten
// CHECK-NOT:     llvm.store %a
// CHECK:         llvm.store %b, %p
// CHECK-NOT:     llvm.store
llvm.func @overwritten(%a: f32, %b: f32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  llvm.store %a, %p : f32, !llvm.ptr<1>
  %x = llvm.load %q : !llvm.ptr<3> -> f32
  llvm.store %b, %p : f32, !llvm.ptr<1>
  llvm.store %x, %q : f32, !llvm.ptr<3>
  llvm.return
}

// Memory that may be loaded by this thread or, past a barrier, a fence or a strong atomic, by another.
// CHECK-LABEL: llvm.func @read
// CHECK-COUNT-6: llvm.store
llvm.func @read(%a: f32, %n: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) -> f32 {
  llvm.store %a, %p : f32, !llvm.ptr<1>
  %x = llvm.load %q : !llvm.ptr<1> -> f32
  llvm.store %a, %p : f32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.store %a, %p : f32, !llvm.ptr<1>
  llvm.fence acq_rel
  llvm.store %a, %p : f32, !llvm.ptr<1>
  %o = llvm.atomicrmw add %q, %n acq_rel : !llvm.ptr<1>, i32
  llvm.store volatile %a, %p : f32, !llvm.ptr<1>
  llvm.store %a, %p : f32, !llvm.ptr<1>
  llvm.return %x : f32
}

// A thread may exit in between, and its stores are visible.
// CHECK-LABEL: llvm.func @exit
// CHECK-COUNT-2: llvm.store
llvm.func @exit(%a: f32, %p: !llvm.ptr<1>) {
  llvm.store %a, %p : f32, !llvm.ptr<1>
  llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
  llvm.store %a, %p : f32, !llvm.ptr<1>
  llvm.return
}

// Partly overwritten; overwritten by a larger store.
// CHECK-LABEL: llvm.func @parts
// CHECK:         llvm.store %a, %p
// CHECK-NEXT:    llvm.store %n, %p
// CHECK-NEXT:    llvm.store %w
llvm.func @parts(%a: i64, %n: i32, %w: i64, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  %q4 = llvm.getelementptr %q[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  llvm.store %a, %p : i64, !llvm.ptr<1>
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.store %n, %q4 : i32, !llvm.ptr<3>
  llvm.store %w, %q : i64, !llvm.ptr<3>
  llvm.return
}

// Overwritten by two stores together.
// CHECK-LABEL: llvm.func @both_parts
// CHECK-NOT:     llvm.intr.memset
// CHECK-NOT:     : i64, !llvm.ptr
// CHECK:         llvm.store %n, %p
// CHECK:         llvm.store %f, %p4
llvm.func @both_parts(%a: i64, %n: i32, %f: f32, %p: !llvm.ptr<1>) {
  %zero = llvm.mlir.constant(0 : i8) : i8
  %size = llvm.mlir.constant(8 : i64) : i64
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  "llvm.intr.memset"(%p, %zero, %size) <{isVolatile = false}> : (!llvm.ptr<1>, i8, i64) -> ()
  llvm.store %a, %p : i64, !llvm.ptr<1>
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.store %f, %p4 : f32, !llvm.ptr<1>
  llvm.return
}

// On all paths, or only on one.
// CHECK-LABEL: llvm.func @ways
// CHECK-NOT:     llvm.store %a, %p
// CHECK:         llvm.store %a, %q
// CHECK:         llvm.cond_br
llvm.func @ways(%c: i1, %a: f32, %b: f32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  llvm.store %a, %p : f32, !llvm.ptr<1>
  llvm.store %a, %q : f32, !llvm.ptr<3>
  llvm.cond_br %c, ^then, ^else
^then:
  llvm.store %b, %p : f32, !llvm.ptr<1>
  llvm.store %b, %q : f32, !llvm.ptr<3>
  llvm.br ^end
^else:
  llvm.store %b, %p : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// A local variable without loads, in a loop or not; one whose address escapes.
// CHECK-LABEL: llvm.func @local
// CHECK-COUNT-1: llvm.store %{{.*}}, %b
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call @use(%b)
// CHECK-NOT:     llvm.store
llvm.func @local(%c: i1, %i: i64, %a: f32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>
  %b = llvm.alloca %one x f32 : (i32) -> !llvm.ptr<5>
  %p = llvm.getelementptr %l[0, %i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  llvm.store %a, %b : f32, !llvm.ptr<5>
  llvm.br ^loop
^loop:
  llvm.store %a, %p : f32, !llvm.ptr<5>
  llvm.cond_br %c, ^loop, ^end
^end:
  llvm.call @use(%b) : (!llvm.ptr<5>) -> ()
  llvm.store %a, %p : f32, !llvm.ptr<5>
  llvm.return
}
llvm.func @use(!llvm.ptr<5>)

// In a loop the address changes: the next iteration loads the stored value.
// CHECK-LABEL: llvm.func @rounds
// CHECK:         llvm.store
llvm.func @rounds(%n: i64, %a: f32) -> f32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %next = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %l = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %l[0, %i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  %x = llvm.load %p : !llvm.ptr<5> -> f32
  %j = llvm.add %i, %next : i64
  %q = llvm.getelementptr %l[0, %j] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  llvm.store %x, %q : f32, !llvm.ptr<5>
  %c = llvm.icmp "slt" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^end
^end:
  llvm.return %x : f32
}

// A variable that is only written, at an address that changes in a loop; one that a call may read; and memory
// of the caller.
// CHECK-LABEL: llvm.func @only_written
// CHECK-NOT:     llvm.store
// CHECK:         %[[Q:.*]] = llvm.getelementptr %kept[0, %i]
// CHECK-NEXT:    llvm.store %a, %[[Q]]
// CHECK-NEXT:    %[[R:.*]] = llvm.getelementptr %out[%i]
// CHECK-NEXT:    llvm.store %a, %[[R]]
// CHECK-NOT:     llvm.store
// CHECK:         llvm.return
llvm.func @only_written(%out: !llvm.ptr, %n: i64, %a: f32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %next = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %l = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr
  %kept = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %l[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x f32>
  llvm.store %a, %p : f32, !llvm.ptr
  %q = llvm.getelementptr %kept[0, %i] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, !llvm.array<8 x f32>
  llvm.store %a, %q : f32, !llvm.ptr<5>
  %r = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %a, %r : f32, !llvm.ptr
  %j = llvm.add %i, %next : i64
  %c = llvm.icmp "slt" %j, %n : i64
  llvm.cond_br %c, ^loop(%j : i64), ^end
^end:
  llvm.call @use(%kept) : (!llvm.ptr<5>) -> ()
  llvm.return
}
