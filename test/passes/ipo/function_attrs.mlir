// RUN: nvvm-opt %s -p 'function-attrs' | filecheck %s
// RUN: nvvm-opt %s -p 'function-attrs,function(dce)' | filecheck %s --check-prefix=GONE

llvm.mlir.global internal @g(0 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal constant @c(7 : i32) {addr_space = 1 : i32} : i32

// CHECK-LABEL: llvm.func internal @pure
// CHECK-SAME: memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none
// CHECK-SAME: no_unwind
// CHECK-SAME: passthrough = ["nosync", "norecurse"]
// CHECK-SAME: will_return
llvm.func internal @pure(%x: i32) -> i32 attributes {convergent} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %s : i32, !llvm.ptr
  %a = llvm.mlir.addressof @c : !llvm.ptr<1>
  %v = llvm.load %a : !llvm.ptr<1> -> i32
  %y = llvm.load %s : !llvm.ptr -> i32
  %r = llvm.add %v, %y : i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func internal @through
// CHECK-SAME: %p: !llvm.ptr {llvm.nocapture, llvm.readonly}, %q: !llvm.ptr {llvm.nocapture}
// CHECK-SAME: memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none
llvm.func internal @through(%p: !llvm.ptr, %q: !llvm.ptr) {
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.store %v, %q : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func internal @reads
// CHECK-SAME: memory_effects = #llvm.memory_effects<other = read, argMem = none
llvm.func internal @reads() -> i32 {
  %a = llvm.mlir.addressof @g : !llvm.ptr<1>
  %v = llvm.load %a : !llvm.ptr<1> -> i32
  llvm.return %v : i32
}

// An infinite loop may not terminate; a captured pointer has no attribute.
// CHECK-LABEL: llvm.func internal @spins
// CHECK-SAME: %p: !llvm.ptr, %c: i1) -> !llvm.ptr
// CHECK-SAME: no_unwind, passthrough = ["nosync", "norecurse"]} {
llvm.func internal @spins(%p: !llvm.ptr, %c: i1) -> !llvm.ptr {
  llvm.br ^loop
^loop:
  llvm.cond_br %c, ^loop, ^out
^out:
  llvm.return %p : !llvm.ptr
}

// A barrier is convergent, and so are functions that call it.
// CHECK-LABEL: llvm.func internal @waits
// CHECK-SAME: convergent
// CHECK-NOT: nosync
// CHECK: llvm.call @inner()
// CHECK-NOT: noconvergent
// CHECK: return
llvm.func internal @waits() attributes {convergent} {
  llvm.call @inner() : () -> ()
  llvm.return
}
llvm.func internal @inner() attributes {convergent} {
  nvvm.barrier0
  llvm.return
}

// Another definition may replace it at link time.
// CHECK-LABEL: llvm.func weak @other(%x: i32) -> i32 {
llvm.func weak @other(%x: i32) -> i32 {
  llvm.return %x : i32
}

// Each may call the other.
// CHECK-LABEL: llvm.func internal @even
// CHECK-NOT: norecurse
// CHECK-NOT: will_return
// CHECK: llvm.call @odd(%x)
// CHECK-SAME: nvvm.noconvergent
llvm.func internal @even(%x: i32) -> i32 {
  %r = llvm.call @odd(%x) : (i32) -> i32
  llvm.return %r : i32
}
llvm.func internal @odd(%x: i32) -> i32 {
  %r = llvm.call @even(%x) : (i32) -> i32
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: attributes {nvvm.kernel} {
// CHECK: llvm.call @pure(%x) {memory_effects = {{.*}}, no_unwind, nvvm.noconvergent, will_return}
// GONE-LABEL: llvm.func @kernel
// GONE-NOT: llvm.call @pure
// GONE-NOT: llvm.call @reads
// GONE: llvm.call @through
// GONE: llvm.call @waits
// GONE: llvm.call @other
// GONE: llvm.call @even
llvm.func @kernel(%x: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {
  %a = llvm.call @pure(%x) : (i32) -> i32
  %b = llvm.call @reads() : () -> i32
  llvm.call @through(%p, %p) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @waits() : () -> ()
  %d = llvm.call @other(%x) : (i32) -> i32
  %e = llvm.call @even(%x) : (i32) -> i32
  llvm.return
}
