// RUN: nvvm-opt %s -p basic-dbe | filecheck %s
// RUN: xdsl-opt %s -p basic-dbe | filecheck %s

// At the start, in sequence, and at the end of a kernel.
// CHECK-LABEL: llvm.func @kernel
// CHECK-NEXT:    %y = llvm.add
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    %z = llvm.add
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    llvm.return
llvm.func @kernel(%p: !llvm.ptr<1>, %x: i32, %m: i32) attributes {nvvm.kernel} {
  nvvm.barrier0
  %y = llvm.add %x, %x : i32
  nvvm.bar.warp.sync %m : i32
  llvm.store %y, %p : i32, !llvm.ptr<1>
  nvvm.barrier0
  %z = llvm.add %y, %x : i32
  nvvm.barrier0
  %v = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %z, %p : i32, !llvm.ptr<1>
  nvvm.bar.warp.sync %m : i32
  nvvm.barrier0
  llvm.return
}

// A device function's callers may have accesses before and after it.
// CHECK-LABEL: llvm.func @device
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.return
llvm.func @device(%p: !llvm.ptr<3>, %x: i32) {
  nvvm.barrier0
  llvm.store %x, %p : i32, !llvm.ptr<3>
  nvvm.barrier0
  nvvm.barrier0
  llvm.return
}

// A block without accesses between blocks with accesses: the barrier is kept. In the loop it orders
// consecutive iterations.
// CHECK-LABEL: llvm.func @between
// CHECK:         llvm.store
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.br
// CHECK:       ^{{.*}}:
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.cond_br
llvm.func @between(%p: !llvm.ptr<3>, %x: i32, %c: i1) attributes {nvvm.kernel} {
  llvm.store %x, %p : i32, !llvm.ptr<3>
  llvm.br ^middle
^middle:
  nvvm.barrier0
  llvm.br ^last
^last:
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  llvm.cond_br %c, ^last, ^end
^end:
  llvm.return
}

// No accesses to order.
// CHECK-LABEL: llvm.func @nothing
// CHECK-NOT:     nvvm.barrier0
// CHECK:       llvm.func @calls
// CHECK-NEXT:    llvm.br
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.call @device
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    llvm.cond_br
llvm.func @nothing(%c: i1) attributes {nvvm.kernel} {
  llvm.br ^loop
^loop:
  nvvm.barrier0
  llvm.cond_br %c, ^loop, ^end
^end:
  llvm.return
}
llvm.func @calls(%p: !llvm.ptr<3>, %x: i32, %c: i1) attributes {nvvm.kernel} {
  llvm.br ^loop
^loop:
  nvvm.barrier0
  llvm.call @device(%p, %x) : (!llvm.ptr<3>, i32) -> ()
  nvvm.barrier0
  llvm.cond_br %c, ^loop, ^end
^end:
  llvm.return
}
