// RUN: nvvm-opt %s -p dead-sync-elim | filecheck %s
// RUN: nvvm-opt %s -p 'print<barriers>' 2>&1 | filecheck %s --check-prefix=FOUND

// In the page's test the first barrier is kept: it orders stores and loads.
// CHECK-LABEL: llvm.func @page
// CHECK:         llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    llvm.store %{{.*}}, %out
// CHECK-NEXT:    llvm.return
// FOUND-LABEL: 'page'
// FOUND-NEXT:   ^bb0: before: writes shared memory; behind: reads shared memory
// FOUND-NEXT:   ^bb0: before: reads shared memory; behind: nothing [dead]
// FOUND-NEXT:   ^bb0: before: nothing; behind: writes global memory [dead]
llvm.func @page(%own: !llvm.ptr<3>, %other: !llvm.ptr<3>, %out: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  llvm.store %x, %own : i32, !llvm.ptr<3>
  nvvm.barrier0
  %y = llvm.load %other : !llvm.ptr<3> -> i32
  nvvm.barrier0
  nvvm.barrier0
  llvm.store %y, %out : i32, !llvm.ptr<1>
  llvm.return
}

// Of four in sequence one is kept. The accesses before a removed barrier count for the next one.
// CHECK-LABEL: llvm.func @row
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.load
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.return
llvm.func @row(%p: !llvm.ptr<3>, %q: !llvm.ptr<3>, %x: i32) attributes {nvvm.kernel} {
  llvm.store %x, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  nvvm.barrier0
  nvvm.barrier0
  nvvm.barrier0
  %y = llvm.load %q : !llvm.ptr<3> -> i32
  nvvm.barrier0
  %z = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.return
}

// Generic memory may be shared or global.
// CHECK-LABEL: llvm.func @generic
// CHECK-COUNT-2: nvvm.barrier0
// CHECK:         llvm.return
llvm.func @generic(%p: !llvm.ptr<3>, %q: !llvm.ptr<1>, %g: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %x = llvm.load %p : !llvm.ptr<3> -> i32
  %a = llvm.load %g : !llvm.ptr<1> -> !llvm.ptr
  nvvm.barrier0
  llvm.store %x, %a : i32, !llvm.ptr
  nvvm.barrier0
  %y = llvm.load %q : !llvm.ptr<1> -> i32
  nvvm.barrier0
  %z = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.return
}

// A loop's barrier orders consecutive iterations; the barriers around the loop order nothing. Global memory
// counts like shared memory.
// CHECK-LABEL: llvm.func @loop
// CHECK-NEXT:    llvm.br
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.cond_br
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    llvm.return
llvm.func @loop(%p: !llvm.ptr<1>, %c: i1) attributes {nvvm.kernel} {
  nvvm.barrier0
  llvm.br ^loop
^loop:
  %y = llvm.load %p : !llvm.ptr<1> -> i32
  nvvm.barrier0
  llvm.store %y, %p : i32, !llvm.ptr<1>
  nvvm.barrier0
  llvm.cond_br %c, ^loop, ^end
^end:
  nvvm.barrier0
  llvm.return
}

// Across blocks: loads before, and on both paths after.
// CHECK-LABEL: llvm.func @across
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    llvm.cond_br
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.return
llvm.func @across(%p: !llvm.ptr<3>, %c: i1) attributes {nvvm.kernel} {
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.cond_br %c, ^one, ^end
^one:
  nvvm.barrier0
  %z = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.br ^end
^end:
  llvm.return
}

// One path stores.
// CHECK-LABEL: llvm.func @one_way
// CHECK:         llvm.load
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.cond_br
llvm.func @one_way(%p: !llvm.ptr<3>, %c: i1) attributes {nvvm.kernel} {
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  llvm.cond_br %c, ^one, ^end
^one:
  llvm.store %y, %p : i32, !llvm.ptr<3>
  llvm.br ^end
^end:
  llvm.return
}

// Warps that synchronize at different barriers: each warp must reach the same number.
// CHECK-LABEL: llvm.func @parted
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.br
// CHECK-COUNT-2: nvvm.barrier0
// CHECK:         llvm.return
llvm.func @parted(%p: !llvm.ptr<3>, %x: i32) attributes {nvvm.kernel} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %warp = llvm.lshr %tid, %five : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %c = llvm.icmp "eq" %warp, %zero : i32
  llvm.cond_br %c, ^first, ^others
^first:
  nvvm.barrier0
  nvvm.barrier0
  llvm.br ^end
^others:
  nvvm.barrier0
  llvm.store %x, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  llvm.br ^end
^end:
  llvm.return
}

// A value that is uniform in a warp may differ in a block.
// CHECK-LABEL: llvm.func @ballot
// CHECK-COUNT-2: nvvm.barrier0
llvm.func @ballot(%p: i1) attributes {nvvm.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %q = llvm.icmp "eq" %tid, %all : i32
  %any = nvvm.vote.sync any %all, %q -> i1
  llvm.cond_br %any, ^first, ^others
^first:
  nvvm.barrier0
  llvm.br ^end
^others:
  nvvm.barrier0
  llvm.br ^end
^end:
  llvm.return
}

// A barrier does not wait for exited threads.
// CHECK-LABEL: llvm.func @guarded
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.return
llvm.func @guarded(%p: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "slt" %tid, %n : i32
  llvm.cond_br %c, ^body, ^end
^body:
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  llvm.br ^end
^end:
  llvm.return
}

// Volatile and ordered accesses, fences, asynchronous copies and warp synchronization may need the
// order.
// CHECK-LABEL: llvm.func @ordered
// CHECK-COUNT-6: nvvm.barrier0
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.return
llvm.func @ordered(%p: !llvm.ptr<3>, %g: !llvm.ptr<1>, %m: i32) attributes {nvvm.kernel} {
  %a = llvm.load volatile %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  nvvm.cp.async.shared.global %p, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.barrier0
  nvvm.cp.async.wait.group 0
  nvvm.barrier0
  llvm.fence seq_cst
  nvvm.barrier0
  %b = llvm.atomicrmw add %g, %m monotonic : !llvm.ptr<1>, i32
  nvvm.barrier0
  nvvm.bar.warp.sync %m : i32
  nvvm.barrier0
  %c = llvm.load volatile %p : !llvm.ptr<3> -> i32
  llvm.return
}

// A barrier with a result, or with another number, is kept.
// CHECK-LABEL: llvm.func @others
// CHECK:         nvvm.barrier id
// CHECK-NEXT:    nvvm.barrier id
// CHECK:         llvm.call_intrinsic
llvm.func @others(%p: i1, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  nvvm.barrier id = %one
  nvvm.barrier id = %zero number_of_threads = %size
  %n = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.popc.aligned.all"(%zero, %p) : (i32, i1) -> i32
  llvm.store %n, %out : i32, !llvm.ptr<1>
  llvm.return
}

// A barrier waits for threads that arrive without waiting.
// CHECK-LABEL: llvm.func @arrive
// CHECK:         nvvm.barrier.arrive
// CHECK-NEXT:    nvvm.barrier0
llvm.func @arrive() attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %size = llvm.mlir.constant(64 : i32) : i32
  nvvm.barrier.arrive id = %zero number_of_threads = %size
  nvvm.barrier0
  llvm.return
}

// A device function may be called by divergent threads.
// CHECK-LABEL: llvm.func @device
// CHECK-COUNT-2: nvvm.barrier0
llvm.func @device() {
  nvvm.barrier0
  nvvm.barrier0
  llvm.return
}
