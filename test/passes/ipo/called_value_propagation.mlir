// RUN: nvvm-opt %s -p 'called-value-propagation' | filecheck %s
// RUN: nvvm-opt %s -p 'called-value-propagation<cvp-max-functions-per-value=1>' | filecheck %s --check-prefix FEW
// RUN: nvvm-opt %s -p 'called-value-propagation<whole-program-visibility>' | filecheck %s --check-prefix WHOLE

llvm.mlir.global linkonce_odr constant @table() {addr_space = 4 : i32} : !llvm.array<2 x ptr> {
  %a = llvm.mlir.addressof @scale : !llvm.ptr
  %b = llvm.mlir.addressof @shift : !llvm.ptr
  %0 = llvm.mlir.undef : !llvm.array<2 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<2 x ptr>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.array<2 x ptr>
  llvm.return %2 : !llvm.array<2 x ptr>
}
llvm.mlir.global weak constant @other_table() {addr_space = 4 : i32} : !llvm.array<1 x ptr> {
  %a = llvm.mlir.addressof @scale : !llvm.ptr
  %0 = llvm.mlir.undef : !llvm.array<1 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<1 x ptr>
  llvm.return %1 : !llvm.array<1 x ptr>
}
// The program may store other functions here.
llvm.mlir.global internal @variable() {addr_space = 1 : i32} : !llvm.array<1 x ptr> {
  %a = llvm.mlir.addressof @scale : !llvm.ptr
  %0 = llvm.mlir.undef : !llvm.array<1 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<1 x ptr>
  llvm.return %1 : !llvm.array<1 x ptr>
}
// The host may store to it.
llvm.mlir.global external constant @host() {addr_space = 4 : i32, llvm.externally_initialized} : !llvm.array<1 x ptr> {
  %a = llvm.mlir.addressof @scale : !llvm.ptr
  %0 = llvm.mlir.undef : !llvm.array<1 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<1 x ptr>
  llvm.return %1 : !llvm.array<1 x ptr>
}
llvm.mlir.global internal constant @replaced() {addr_space = 4 : i32} : !llvm.array<1 x ptr> {
  %a = llvm.mlir.addressof @weak : !llvm.ptr
  %0 = llvm.mlir.undef : !llvm.array<1 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<1 x ptr>
  llvm.return %1 : !llvm.array<1 x ptr>
}
llvm.mlir.global internal constant @barriers() {addr_space = 4 : i32} : !llvm.array<2 x ptr> {
  %a = llvm.mlir.addressof @waits : !llvm.ptr
  %b = llvm.mlir.addressof @shift : !llvm.ptr
  %0 = llvm.mlir.undef : !llvm.array<2 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<2 x ptr>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.array<2 x ptr>
  llvm.return %2 : !llvm.array<2 x ptr>
}

llvm.func internal @scale(%x: i32) -> i32 {
  %r = llvm.mul %x, %x : i32
  llvm.return %r : i32
}
llvm.func internal @shift(%x: i32) -> i32 {
  %r = llvm.shl %x, %x : i32
  llvm.return %r : i32
}
llvm.func internal @wide(%x: i64) -> i64 {
  llvm.return %x : i64
}
llvm.func weak @weak(%x: i32) -> i32 {
  llvm.return %x : i32
}
llvm.func internal @waits(%x: i32) -> i32 attributes {convergent} {
  nvvm.barrier0
  llvm.return %x : i32
}

// Every call passes one of two functions.
// CHECK-LABEL: llvm.func internal @apply
// CHECK: [[scale:%.*]] = llvm.mlir.addressof @scale
// CHECK: [[is:%.*]] = llvm.icmp "eq" %f, [[scale]]
// CHECK-NEXT: llvm.cond_br [[is]], ^[[one:.*]], ^[[other:.*]]
// CHECK: ^[[one]]:
// CHECK-NEXT: [[a:%.*]] = llvm.call @scale(%x) : (i32) -> i32
// CHECK-NEXT: llvm.br ^[[join:.*]]([[a]] : i32)
// CHECK: ^[[other]]:
// CHECK-NEXT: [[b:%.*]] = llvm.call @shift(%x) : (i32) -> i32
// CHECK-NEXT: llvm.br ^[[join]]([[b]] : i32)
// CHECK: ^[[join]]([[r:%.*]]: i32):
// CHECK-NEXT: llvm.return [[r]] : i32
// FEW-LABEL: llvm.func internal @apply
// FEW: llvm.call %f
llvm.func internal @apply(%f: !llvm.ptr, %x: i32) -> i32 {
  %r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  llvm.return %r : i32
}
// The result of the call is one function.
// CHECK-LABEL: llvm.func internal @choose
llvm.func internal @choose() -> !llvm.ptr {
  %f = llvm.mlir.addressof @scale : !llvm.ptr
  llvm.return %f : !llvm.ptr
}

// CHECK-LABEL: llvm.func @table_entry
// CHECK: llvm.call @scale(%x)
// CHECK: llvm.call @shift(%x)
// FEW-LABEL: llvm.func @table_entry
// FEW: llvm.call %f
llvm.func @table_entry(%i: i32, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %at = llvm.getelementptr %t[%zero, %i] : (!llvm.ptr<4>, i32, i32) -> !llvm.ptr<4>, !llvm.array<2 x ptr>
  %f = llvm.load %at : !llvm.ptr<4> -> !llvm.ptr
  %r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
}
// CHECK-LABEL: llvm.func @yielded
// CHECK-NOT: cond_br
// CHECK: llvm.call @scale(%x)
// FEW-LABEL: llvm.func @yielded
// FEW: llvm.call @scale(%x)
llvm.func @yielded(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %f = llvm.call @choose() : () -> !llvm.ptr
  %r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
}
// CHECK-LABEL: llvm.func @selected
// CHECK: llvm.call @apply(
llvm.func @selected(%c: i1, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.mlir.addressof @scale : !llvm.ptr
  %b = llvm.mlir.addressof @shift : !llvm.ptr
  %f = llvm.select %c, %a, %b : i1, !llvm.ptr
  %r = llvm.call @apply(%f, %x) : (!llvm.ptr, i32) -> i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
}
// CHECK-LABEL: llvm.func @joined
// CHECK: llvm.call @scale(%x)
// CHECK: llvm.call @shift(%x)
llvm.func @joined(%c: i1, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.mlir.addressof @scale : !llvm.ptr
  %b = llvm.mlir.addressof @shift : !llvm.ptr
  llvm.cond_br %c, ^join(%a : !llvm.ptr), ^join(%b : !llvm.ptr)
^join(%f: !llvm.ptr):
  %r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
}

// The contents of a variable, a value from the host, and an overridable definition are unknown. In a whole
// program the callee is one of the functions of the right type whose address is taken.
// CHECK-LABEL: llvm.func @not_known
// CHECK: llvm.call %f
// CHECK: llvm.call %g
// CHECK: llvm.call %h
// CHECK: llvm.call %i
// CHECK: llvm.call %j
// WHOLE-LABEL: llvm.func @not_known
// WHOLE-NOT: llvm.call %
// WHOLE: llvm.call @scale(%x)
// WHOLE: llvm.call @shift(%x)
// WHOLE: llvm.call @weak(%x)
// WHOLE: llvm.call @waits(%x)
// WHOLE-NOT: llvm.call %
// WHOLE-LABEL: llvm.func @wrong
llvm.func @not_known(%i: !llvm.ptr, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = llvm.mlir.addressof @variable : !llvm.ptr<1>
  %u = llvm.mlir.addressof @host : !llvm.ptr<4>
  %v = llvm.mlir.addressof @replaced : !llvm.ptr<4>
  %f = llvm.load %t : !llvm.ptr<1> -> !llvm.ptr
  %g = llvm.load %u : !llvm.ptr<4> -> !llvm.ptr
  %h = llvm.load %v : !llvm.ptr<4> -> !llvm.ptr
  %a = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  %b = llvm.call %g(%a) : !llvm.ptr, (i32) -> i32
  %c = llvm.call %h(%b) : !llvm.ptr, (i32) -> i32
  %d = llvm.call %i(%c) : !llvm.ptr, (i32) -> i32
  %w = llvm.mlir.addressof @other_table : !llvm.ptr<4>
  %j = llvm.load %w : !llvm.ptr<4> -> !llvm.ptr
  %e = llvm.call %j(%d) : !llvm.ptr, (i32) -> i32
  llvm.store %e, %p : i32, !llvm.ptr<1>
  llvm.return
}
// A function with other parameter types is not a callee.
// CHECK-LABEL: llvm.func @wrong
// CHECK: llvm.call %f
llvm.func @wrong(%c: i1, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.mlir.addressof @scale : !llvm.ptr
  %b = llvm.mlir.addressof @wide : !llvm.ptr
  %f = llvm.select %c, %a, %b : i1, !llvm.ptr
  %r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
}
// Threads that synchronize: promoted only if the whole warp calls the same function.
// CHECK-LABEL: llvm.func @threads_wait
// CHECK: llvm.call @shift(%x)
// CHECK: llvm.call @waits(%x)
// CHECK: llvm.call %g
llvm.func @threads_wait(%i: i32, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = llvm.mlir.addressof @barriers : !llvm.ptr<4>
  %at = llvm.getelementptr %t[%zero, %i] : (!llvm.ptr<4>, i32, i32) -> !llvm.ptr<4>, !llvm.array<2 x ptr>
  %f = llvm.load %at : !llvm.ptr<4> -> !llvm.ptr
  %r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %own = llvm.getelementptr %t[%zero, %tid] : (!llvm.ptr<4>, i32, i32) -> !llvm.ptr<4>, !llvm.array<2 x ptr>
  %g = llvm.load %own : !llvm.ptr<4> -> !llvm.ptr
  %s = llvm.call %g(%r) : !llvm.ptr, (i32) -> i32
  llvm.store %s, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A variadic function may be the callee; a kernel may not, since its address is only for launches.
// WHOLE-LABEL: llvm.func @variable_arguments
// WHOLE: llvm.call %f(%x) vararg
llvm.func @variable_arguments(%f: !llvm.ptr, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = llvm.call %f(%x) vararg(!llvm.func<i32 (i32, ...)>) : !llvm.ptr, (i32) -> i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func @launched(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  llvm.return
}
llvm.func @launch(%f: !llvm.ptr, %q: !llvm.ptr<1>)
// WHOLE-LABEL: llvm.func @launches
// WHOLE-NOT: llvm.call @launched
// WHOLE: llvm.call %f(%q)
llvm.func @launches(%f: !llvm.ptr, %q: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %k = llvm.mlir.addressof @launched : !llvm.ptr
  llvm.call @launch(%k, %q) : (!llvm.ptr, !llvm.ptr<1>) -> ()
  llvm.call %f(%q) : !llvm.ptr, (!llvm.ptr<1>) -> ()
  llvm.return
}
