// RUN: nvvm-opt %s -p 'remat<remat-max-live-limit=0>' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'remat<remat-max-live-limit=0;do-remat=0>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'remat<remat-max-live-limit=0;no-remat=pressure>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'remat<remat-max-live-limit=40>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'remat<remat-max-live-limit=0;remat-single-cost-limit=0>' | filecheck %s --check-prefix=OFF
// RUN: nvvm-opt %s -p 'remat<remat-max-live-limit=0;remat-single-cost-limit=0;remat-ignore-single-cost>' | filecheck %s
// RUN: nvvm-opt %s -p 'remat<remat-max-live-limit=0;remat-maxreg-ceiling=3;no-remat-load;dump-remat>' 2>&1 | filecheck %s --check-prefix=LOW

// Cheap values with live operands are recomputed at their uses. Not moved: convergent, volatile, assembly, a
// load of memory that may change, or a value that needs two more registers.
// LOW: Total pull-in cost =
// CHECK-LABEL: llvm.func @pressure
// CHECK-NOT:     llvm.add %n
// CHECK:       ^busy:
// CHECK:       ^use:
// CHECK:         %remat_a = llvm.add %n
// OFF-LABEL: llvm.func @pressure
// OFF:         %a = llvm.add %n
// OFF-NOT:     remat_
// OFF:         llvm.return
llvm.func @pressure(%n: i32, %c: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxnreg = 6 : i32} {
  %four = llvm.mlir.constant(4 : i32) : i32
  %a = llvm.add %n, %four : i32
  %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
  %s = llvm.inline_asm "add.u32 $0, $1, $1;", "=r,r" %n : (i32) -> i32
  %i = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%n, %n, %n, %n) : (i32, i32, i32, i32) -> i32
  llvm.cond_br %c, ^busy, ^end
^busy:
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.br ^use
^use:
  llvm.store %a, %p : i32, !llvm.ptr<1>
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.store %s, %p : i32, !llvm.ptr<1>
  llvm.store %i, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Loads of read-only memory are repeated, others are not.
// CHECK-LABEL: llvm.func @loads
// CHECK-NEXT:    %m = llvm.load %p
// CHECK-NEXT:    llvm.cond_br
// CHECK:       ^use:
// CHECK-NEXT:    %remat_k = llvm.load %q
// OFF-LABEL: llvm.func @loads
// LOW-LABEL: llvm.func @loads
// LOW-NEXT:    %k = llvm.load %q
llvm.func @loads(%c: i1, %p: !llvm.ptr<1>, %q: !llvm.ptr<4>) attributes {nvvm.kernel, nvvm.maxnreg = 4 : i32} {
  %k = llvm.load %q : !llvm.ptr<4> -> i64
  %m = llvm.load %p : !llvm.ptr<1> -> i64
  llvm.cond_br %c, ^busy, ^end
^busy:
  llvm.store %m, %p : i64, !llvm.ptr<1>
  llvm.br ^use
^use:
  llvm.store %k, %p : i64, !llvm.ptr<1>
  llvm.store %m, %p : i64, !llvm.ptr<1>
  %l = llvm.load %q : !llvm.ptr<4> -> i64
  llvm.store %l, %p : i64, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Two frozen values of one poison value may differ.
// CHECK-LABEL: llvm.func @frozen
// CHECK:         %f = llvm.freeze %a
// CHECK-NOT:     freeze
// CHECK:       ^use:
// CHECK-NEXT:    llvm.store %f, %p
// OFF-LABEL: llvm.func @frozen
// LOW-LABEL: llvm.func @frozen
llvm.func @frozen(%c: i1, %p: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel, nvvm.maxnreg = 4 : i32} {
  %a = llvm.add %n, %n overflow<nsw> : i64
  %f = llvm.freeze %a : i64
  %m = llvm.load %p : !llvm.ptr<1> -> i64
  llvm.cond_br %c, ^busy, ^use
^busy:
  llvm.store %m, %p : i64, !llvm.ptr<1>
  llvm.store %f, %p : i64, !llvm.ptr<1>
  llvm.br ^use
^use:
  llvm.store %f, %p : i64, !llvm.ptr<1>
  llvm.store %m, %p : i64, !llvm.ptr<1>
  llvm.return
}
