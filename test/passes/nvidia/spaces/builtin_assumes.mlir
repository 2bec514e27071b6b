// RUN: nvvm-opt %s -p memory-space-opt --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'memory-space-opt<no-process-builtin-assume>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'memory-space-opt<dump-process-builtin-assume>' 2>&1 | filecheck %s --check-prefix=DUMP

// DUMP: memory-space-opt: behind: %p points into space 1

// The ops after the assumption, not those before or beside it.
// CHECK-LABEL: llvm.func @behind
// CHECK:         llvm.load %p : !llvm.ptr -> f32
// CHECK:         llvm.intr.assume
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<1> -> f32
// CHECK:       ^then:
// CHECK:         llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<1>
// CHECK:       ^else:
// CHECK:         llvm.store %{{.*}}, %p : f32, !llvm.ptr
// OFF-LABEL: llvm.func @behind
// OFF-NOT:     !llvm.ptr<1>
// OFF-LABEL: llvm.func @shared
llvm.func @behind(%p: !llvm.ptr, %c: i1) {
  %x = llvm.load %p : !llvm.ptr -> f32
  llvm.cond_br %c, ^there, ^else
^there:
  %g = llvm.call_intrinsic "llvm.nvvm.isspacep.global"(%p) : (!llvm.ptr) -> i1
  llvm.intr.assume %g : i1
  %y = llvm.load %p : !llvm.ptr -> f32
  llvm.br ^then
^then:
  llvm.store %y, %p : f32, !llvm.ptr
  llvm.br ^end
^else:
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// Through address arithmetic; an atomic remains an atomic.
// CHECK-LABEL: llvm.func @shared
// CHECK:         llvm.getelementptr %{{.*}} -> !llvm.ptr<3>
// CHECK:         llvm.atomicrmw add %{{.*}} !llvm.ptr<3>
llvm.func @shared(%p: !llvm.ptr, %i: i32) {
  %g = llvm.call_intrinsic "llvm.nvvm.isspacep.shared"(%p) : (!llvm.ptr) -> i1
  llvm.intr.assume %g : i1
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %old = llvm.atomicrmw add %q, %i monotonic : !llvm.ptr, i32
  llvm.return
}
