// RUN: nvvm-opt %s -p 'memory-space-opt<first-time>' | filecheck %s --check-prefixes=CHECK,FIRST
// RUN: nvvm-opt %s -p 'memory-space-opt<second-time;no-warnings>' | filecheck %s --check-prefixes=CHECK,SECOND
// RUN: nvvm-opt %s -p 'memory-space-opt<second-time;assume-global>' | filecheck %s --check-prefix=ASSUMED
// RUN: xdsl-opt %s -p 'memory-space-opt{second-time}' | filecheck %s --check-prefixes=CHECK,SECOND

llvm.mlir.global external @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>
llvm.mlir.global external constant @table() {addr_space = 4 : i32} : !llvm.array<64 x f32>
llvm.func @takes(!llvm.ptr)

// A kernel's parameter through a stack slot, as in unoptimized code.
// CHECK-LABEL: llvm.func @slot
// CHECK:         %q = llvm.load %{{.*}} : !llvm.ptr<5> -> !llvm.ptr
// CHECK-NEXT:    %[[G:.*]] = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:    llvm.load %[[G]] : !llvm.ptr<1> -> f32
llvm.func @slot(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %p, %s : !llvm.ptr, !llvm.ptr
  %q = llvm.load %s : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> f32
  llvm.return
}

// A loop-carried pointer stays in its space.
// CHECK-LABEL: llvm.func @moving
// CHECK:       ^head:
// CHECK:         %q = llvm.load
// CHECK-NEXT:    %[[G:.*]] = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:    llvm.load %[[G]] : !llvm.ptr<3> -> f32
llvm.func @moving(%c: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %s = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %g, %s : !llvm.ptr, !llvm.ptr
  llvm.br ^head
^head:
  %q = llvm.load %s : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> f32
  %n = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.store %n, %s : !llvm.ptr, !llvm.ptr
  llvm.cond_br %c, ^head, ^exit
^exit:
  llvm.return
}

// Stored from two spaces, or by other code: generic.
// CHECK-LABEL: llvm.func @mixed
// CHECK:         %q = llvm.load
// CHECK-NEXT:    llvm.load %q : !llvm.ptr -> f32
llvm.func @mixed(%p: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %s = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %p, %s : !llvm.ptr, !llvm.ptr
  llvm.cond_br %c, ^other, ^join
^other:
  llvm.store %g, %s : !llvm.ptr, !llvm.ptr
  llvm.br ^join
^join:
  %q = llvm.load %s : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> f32
  llvm.return
}

// CHECK-LABEL: llvm.func @escapes
// CHECK:         %q = llvm.load
// CHECK-NEXT:    llvm.load %q : !llvm.ptr -> f32
llvm.func @escapes(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %p, %s : !llvm.ptr, !llvm.ptr
  llvm.call @takes(%s) : (!llvm.ptr) -> ()
  %q = llvm.load %s : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> f32
  llvm.return
}

// Stores to constant memory are invalid: they are not changed.
// CHECK-LABEL: llvm.func @constants
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<4> -> f32
// CHECK-NEXT:    llvm.store %x, %g : f32, !llvm.ptr
llvm.func @constants() {
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %g = llvm.addrspacecast %t : !llvm.ptr<4> to !llvm.ptr
  %x = llvm.load %g : !llvm.ptr -> f32
  llvm.store %x, %g : f32, !llvm.ptr
  llvm.return
}

// The second run folds queries for the space of a variable's address; a null pointer is in no space.
// CHECK-LABEL: llvm.func @asked
// FIRST:         llvm.call_intrinsic "llvm.nvvm.isspacep.shared"
// SECOND:        %s = llvm.select
// SECOND-NOT:    "llvm.nvvm.isspacep.global"
// SECOND:        %c = llvm.call_intrinsic "llvm.nvvm.isspacep.shared"
// SECOND-NEXT:   llvm.call @use(%{{.*}}, %{{.*}}, %c)
llvm.func @use(i1, i1, i1)
llvm.func @asked(%b: i1) {
  %null = llvm.mlir.zero : !llvm.ptr
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %s = llvm.select %b, %g, %null : i1, !llvm.ptr
  %a = llvm.call_intrinsic "llvm.nvvm.isspacep.shared"(%g) : (!llvm.ptr) -> i1
  %d = llvm.call_intrinsic "llvm.nvvm.isspacep.global"(%g) : (!llvm.ptr) -> i1
  %c = llvm.call_intrinsic "llvm.nvvm.isspacep.shared"(%s) : (!llvm.ptr) -> i1
  llvm.call @use(%a, %d, %c) : (i1, i1, i1) -> ()
  llvm.return
}

// Pointers from a caller may point anywhere, unless an option assumes otherwise.
// CHECK-LABEL:   llvm.func @device
// CHECK:           llvm.load %p : !llvm.ptr -> f32
// ASSUMED-LABEL: llvm.func @device
// ASSUMED:         llvm.load %{{.*}} : !llvm.ptr<1> -> f32
llvm.func @device(%p: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.return
}

// A pointer's bits plus an offset are still in its memory; another pointer's are not.
// CHECK-LABEL: llvm.func @integers
// CHECK:         %[[G:.*]] = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<1>
// CHECK:         llvm.load %[[G]] : !llvm.ptr<1> -> f32
// CHECK:         %r = llvm.inttoptr %m : i64 to !llvm.ptr
// CHECK-NEXT:    llvm.load %r : !llvm.ptr -> f32
llvm.func @integers(%p: !llvm.ptr, %o: !llvm.ptr, %i: i64) attributes {nvvm.kernel} {
  %four = llvm.mlir.constant(4 : i64) : i64
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %a = llvm.ptrtoint %p : !llvm.ptr to i64
  %s = llvm.mul %i, %four : i64
  %b = llvm.add %s, %a : i64
  %n = llvm.add %b, %four : i64
  %q = llvm.inttoptr %n : i64 to !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> f32
  %c = llvm.ptrtoint %g : !llvm.ptr to i64
  %d = llvm.sub %c, %a : i64
  %m = llvm.add %a, %d : i64
  %r = llvm.inttoptr %m : i64 to !llvm.ptr
  %y = llvm.load %r : !llvm.ptr -> f32
  llvm.return
}

// A constant whose pointers all point into one memory; one that others may initialize.
llvm.mlir.global internal constant @rows() {addr_space = 4 : i32} : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.undef : !llvm.array<2 x ptr>
  %1 = llvm.mlir.addressof @table : !llvm.ptr<4>
  %2 = llvm.addrspacecast %1 : !llvm.ptr<4> to !llvm.ptr
  %3 = llvm.insertvalue %2, %0[0] : !llvm.array<2 x ptr>
  %4 = llvm.insertvalue %2, %3[1] : !llvm.array<2 x ptr>
  llvm.return %4 : !llvm.array<2 x ptr>
}
llvm.mlir.global weak constant @other_rows() {addr_space = 4 : i32} : !llvm.ptr {
  %0 = llvm.mlir.addressof @table : !llvm.ptr<4>
  %1 = llvm.addrspacecast %0 : !llvm.ptr<4> to !llvm.ptr
  llvm.return %1 : !llvm.ptr
}
// CHECK-LABEL: llvm.func @through_constants
// CHECK:         %p = llvm.load
// CHECK-NEXT:    %[[C:.*]] = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<4>
// CHECK-NEXT:    llvm.load %[[C]] : !llvm.ptr<4> -> f32
// CHECK-NEXT:    %q = llvm.load
// CHECK-NEXT:    llvm.load %q : !llvm.ptr -> f32
llvm.func @through_constants(%i: i64) {
  %a = llvm.mlir.addressof @rows : !llvm.ptr<4>
  %b = llvm.mlir.addressof @other_rows : !llvm.ptr<4>
  %r = llvm.getelementptr %a[0, %i] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>, !llvm.array<2 x ptr>
  %p = llvm.load %r : !llvm.ptr<4> -> !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  %q = llvm.load %b : !llvm.ptr<4> -> !llvm.ptr
  %y = llvm.load %q : !llvm.ptr -> f32
  llvm.return
}

// A device function's by-value argument is its own, in local memory. A kernel's is not, but the pointers in
// it point to global memory.
// CHECK-LABEL: llvm.func @device_by_value
// CHECK-NEXT:    %[[L:.*]] = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<5>
// CHECK-NEXT:    %q = llvm.getelementptr %[[L]][1] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i32
// CHECK-NEXT:    llvm.load %q : !llvm.ptr<5> -> i32
llvm.func @device_by_value(%p: !llvm.ptr {llvm.byval = !llvm.array<4 x i32>}) -> i32 {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %x = llvm.load %q : !llvm.ptr -> i32
  llvm.return %x : i32
}
// CHECK-LABEL: llvm.func @kernel_by_value
// CHECK:         %q = llvm.load %p : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:    %[[G:.*]] = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:    llvm.load %[[G]] : !llvm.ptr<1> -> i32
// CHECK:         %s = llvm.load %{{.*}} : !llvm.ptr<101> -> !llvm.ptr
// CHECK-NEXT:    %[[H:.*]] = llvm.addrspacecast %s : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:    llvm.load %[[H]] : !llvm.ptr<1> -> i32
llvm.func @kernel_by_value(%p: !llvm.ptr {llvm.byval = !llvm.struct<(ptr)>}) attributes {nvvm.kernel} {
  %q = llvm.load %p : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> i32
  %r = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<101>
  %s = llvm.load %r : !llvm.ptr<101> -> !llvm.ptr
  %y = llvm.load %s : !llvm.ptr -> i32
  llvm.return
}

// No instruction has volatile access to local memory: such an access stays generic.
// CHECK-LABEL: llvm.func @volatile
// CHECK:         llvm.load volatile %{{.*}} : !llvm.ptr -> f32
// CHECK:         llvm.load volatile %{{.*}} : !llvm.ptr<1> -> f32
llvm.func @volatile(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  %x = llvm.load volatile %s : !llvm.ptr -> f32
  %y = llvm.load volatile %p : !llvm.ptr -> f32
  llvm.return
}

// Matrices in shared and global memory are accessed there; ldmatrix supports only shared memory.
// CHECK-LABEL: llvm.func @matrices
// CHECK:         llvm.call_intrinsic "llvm.nvvm.wmma.m8n8k4.load.a.row.stride.f64.p1"(%{{.*}}, %{{.*}}) : (!llvm.ptr<1>, i32) -> f64
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.wmma.m8n8k4.load.a.row.stride.f64.p3"(%t, %{{.*}}) : (!llvm.ptr<3>, i32) -> f64
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3"(%t) : (!llvm.ptr<3>) -> i32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0"(%p) : (!llvm.ptr) -> i32
llvm.func @matrices(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %n = llvm.mlir.constant(8 : i32) : i32
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %a = llvm.call_intrinsic "llvm.nvvm.wmma.m8n8k4.load.a.row.stride.f64.p0"(%p, %n) : (!llvm.ptr, i32) -> f64
  %b = llvm.call_intrinsic "llvm.nvvm.wmma.m8n8k4.load.a.row.stride.f64.p0"(%g, %n) : (!llvm.ptr, i32) -> f64
  %c = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0"(%g) : (!llvm.ptr) -> i32
  %d = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0"(%p) : (!llvm.ptr) -> i32
  llvm.return
}

// Scoped atomics are done in shared and global memory, but not in local memory.
// CHECK-LABEL: llvm.func @scoped_atomics
// CHECK:         llvm.call_intrinsic "llvm.nvvm.atomic.add.gen.i.sys.i32.p1"(%{{.*}}, %n) : (!llvm.ptr<1>, i32) -> i32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.atomic.cas.gen.i.cta.i32.p3"(%t, %n, %n) : (!llvm.ptr<3>, i32, i32) -> i32
// CHECK:         llvm.call_intrinsic "llvm.nvvm.atomic.exch.gen.i.cta.i32.p0"(%{{.*}}, %n) : (!llvm.ptr, i32) -> i32
llvm.func @scoped_atomics(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %n = llvm.mlir.constant(8 : i32) : i32
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %l = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %a = llvm.call_intrinsic "llvm.nvvm.atomic.add.gen.i.sys.i32.p0"(%p, %n) : (!llvm.ptr, i32) -> i32
  %b = llvm.call_intrinsic "llvm.nvvm.atomic.cas.gen.i.cta.i32.p0"(%g, %n, %n) : (!llvm.ptr, i32, i32) -> i32
  %c = llvm.call_intrinsic "llvm.nvvm.atomic.exch.gen.i.cta.i32.p0"(%l, %n) : (!llvm.ptr, i32) -> i32
  llvm.return
}

// A variable's address can be compared with null only as a generic pointer, except in global memory. A
// pointer loaded from a slot keeps its bits, and is accessed in its known space.
// CHECK-LABEL: llvm.func @null
// CHECK:         %s = llvm.select %c, %g, %null : i1, !llvm.ptr
// CHECK-NEXT:    llvm.icmp "eq" %s, %null : !llvm.ptr
// CHECK-NEXT:    llvm.load %s : !llvm.ptr -> f32
// CHECK:         %u = llvm.select %c, %{{.*}}, %{{.*}} : i1, !llvm.ptr<1>
// CHECK:         llvm.load %u : !llvm.ptr<1> -> f32
// CHECK:         llvm.icmp "eq" %q, %null : !llvm.ptr
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK:         %v = llvm.select %c, %q, %g : i1, !llvm.ptr
// CHECK:         llvm.load %v : !llvm.ptr -> f32
llvm.func @null(%p: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
  %null = llvm.mlir.zero : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %g = llvm.addrspacecast %t : !llvm.ptr<3> to !llvm.ptr
  %s = llvm.select %c, %g, %null : i1, !llvm.ptr
  %d = llvm.icmp "eq" %s, %null : !llvm.ptr
  %x = llvm.load %s : !llvm.ptr -> f32
  %u = llvm.select %c, %p, %null : i1, !llvm.ptr
  %y = llvm.load %u : !llvm.ptr -> f32
  %slot = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %null, %slot : !llvm.ptr, !llvm.ptr
  llvm.store %g, %slot : !llvm.ptr, !llvm.ptr
  %q = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %e = llvm.icmp "eq" %q, %null : !llvm.ptr
  %z = llvm.load %q : !llvm.ptr -> f32
  %v = llvm.select %c, %q, %g : i1, !llvm.ptr
  %w = llvm.load %v : !llvm.ptr -> f32
  llvm.return
}
