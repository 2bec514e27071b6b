// RUN: nvvm-opt %s -p branch-dist | filecheck %s
// RUN: nvvm-opt %s -p 'branch-dist<branch-dist-func-limit=1>' | filecheck %s --check-prefix=FUNC
// RUN: nvvm-opt %s -p 'branch-dist<branch-dist-block-limit=1>' | filecheck %s --check-prefix=BLOCK
// RUN: nvvm-opt %s -p 'branch-dist<disable-complex-branch-dist>' | filecheck %s --check-prefix=LOCAL
// RUN: nvvm-opt %s -p 'branch-dist<no-branch-dist=one>' | filecheck %s --check-prefix=NOT
// RUN: nvvm-opt %s -p 'branch-dist<ignore-address-space-check>' | filecheck %s --check-prefix=SPACE
// RUN: nvvm-opt %s -p 'branch-dist<ignore-call-safety;ignore-variance-cond>' | filecheck %s --check-prefix=CALL
// RUN: nvvm-opt %s -p 'branch-dist<branch-dist-norm=1>' | filecheck %s --check-prefix=NORM
// RUN: nvvm-opt %s -p 'branch-dist<dump-branch-dist>' 2>&1 | filecheck %s --check-prefix=DUMP

// DUMP: branch-dist: one: Removed dead synch: before: nothing; behind: nothing

// CHECK-LABEL: llvm.func @one
// CHECK-NOT:     nvvm.barrier0
// CHECK:         llvm.return
// NOT-LABEL: llvm.func @one
// NOT-NEXT:    nvvm.barrier0
// FUNC-LABEL: llvm.func @one
// FUNC-NEXT:    llvm.cond_br
// FUNC-LABEL: llvm.func @two
// FUNC-NEXT:    llvm.load
// FUNC-NEXT:    nvvm.barrier0
// BLOCK-LABEL: llvm.func @one
// BLOCK-NEXT:    llvm.cond_br
// BLOCK-COUNT-1: nvvm.barrier0
// LOCAL-LABEL: llvm.func @one
// LOCAL-COUNT-2: nvvm.barrier0
llvm.func @one(%c: i1, %p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  nvvm.barrier0
  llvm.cond_br %c, ^then, ^end
^then:
  nvvm.barrier0
  llvm.br ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func @two
// CHECK-NEXT:    llvm.load
// CHECK-NEXT:    llvm.load
// SPACE-LABEL: llvm.func @two
// SPACE-COUNT-2: nvvm.barrier0
llvm.func @two(%p: !llvm.ptr<3>, %l: !llvm.ptr<5>) attributes {nvvm.kernel} {
  %x = llvm.load %p : !llvm.ptr<3> -> i32
  nvvm.barrier0
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.store %x, %l : i32, !llvm.ptr<5>
  nvvm.barrier0
  llvm.store %y, %l : i32, !llvm.ptr<5>
  llvm.return
}

// Calls access any memory, and threads are divergent, unless the option ignores this.
// CHECK-LABEL: llvm.func @calls
// CHECK-COUNT-2: nvvm.barrier0
// CALL-LABEL: llvm.func @calls
// CALL-NOT:     nvvm.barrier0
llvm.func @f()
llvm.func @calls(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  llvm.store %tid, %p : i32, !llvm.ptr<3>
  %c = llvm.icmp "eq" %tid, %tid : i32
  llvm.cond_br %c, ^then, ^else
^then:
  nvvm.barrier0
  llvm.call @f() : () -> ()
  llvm.br ^end
^else:
  nvvm.barrier0
  llvm.br ^end
^end:
  llvm.return
}

// One path before the barrier stores to memory that is loaded after it; with branch-dist-norm both paths
// must.
// CHECK-LABEL: llvm.func @one_way
// CHECK:         nvvm.barrier0
// NORM-LABEL: llvm.func @one_way
// CALL-LABEL: llvm.func @one_way
// NORM-NOT:     nvvm.barrier0
// CHECK-LABEL: llvm.func @both_ways
// CHECK:         nvvm.barrier0
// NORM-LABEL: llvm.func @both_ways
// NORM:         nvvm.barrier0
llvm.func @one_way(%c: i1, %p: !llvm.ptr<3>, %q: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  llvm.cond_br %c, ^write, ^join
^write:
  llvm.store %x, %p : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  nvvm.barrier0
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.store %y, %q : i32, !llvm.ptr<1>
  llvm.return
}
llvm.func @both_ways(%c: i1, %p: !llvm.ptr<3>, %q: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  llvm.cond_br %c, ^write, ^other
^write:
  llvm.store %x, %p : i32, !llvm.ptr<3>
  llvm.br ^join
^other:
  llvm.store %x, %p : i32, !llvm.ptr<3>
  llvm.br ^join
^join:
  nvvm.barrier0
  %y = llvm.load %p : !llvm.ptr<3> -> i32
  llvm.store %y, %q : i32, !llvm.ptr<1>
  llvm.return
}
