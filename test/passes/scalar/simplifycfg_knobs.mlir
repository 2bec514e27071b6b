// RUN: nvvm-opt %s -p 'simplifycfg<disable-jump-threading>' | filecheck %s --check-prefix=UNTHREADED
// RUN: nvvm-opt %s -p 'simplifycfg' | filecheck %s
// RUN: nvvm-opt %s -p 'simplifycfg<no-fold-with-var-cond>' | filecheck %s --check-prefix=VARIANT

// Document 004, "Two Disable Flags": the knob keeps an edge with a constant.
// UNTHREADED-LABEL: llvm.func @thread
// UNTHREADED:         llvm.br ^decide(%true : i1)
// CHECK-LABEL: llvm.func @thread
// CHECK-NOT:     llvm.br ^decide
// CHECK:         llvm.cond_br %z, ^yes, ^no
llvm.func @thread(%c: i1, %z: i1, %n: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  %true = llvm.mlir.constant(true) : i1
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.br ^decide(%true : i1)
^b:
  llvm.store %n, %q : i32, !llvm.ptr<3>
  llvm.br ^decide(%z : i1)
^decide(%k: i1):
  llvm.cond_br %k, ^yes, ^no
^yes:
  %l = llvm.load volatile %p : !llvm.ptr<1> -> i32
  llvm.return
^no:
  llvm.return
}

// Without `fold-with-var-cond`, two branches to a common target are merged only if both conditions are uniform.
// CHECK-LABEL: llvm.func @divergent_conditions
// CHECK-COUNT-1: llvm.cond_br
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.return
// VARIANT-LABEL: llvm.func @divergent_conditions
// VARIANT-COUNT-2: llvm.cond_br
llvm.func @divergent_conditions(%n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %a = llvm.icmp "ult" %t, %n : i32
  %b = llvm.icmp "ne" %t, %n : i32
  llvm.cond_br %a, ^second, ^end
^second:
  llvm.cond_br %b, ^store, ^end
^store:
  llvm.store volatile %n, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func @uniform_conditions
// VARIANT-LABEL: llvm.func @uniform_conditions
// VARIANT-COUNT-1: llvm.cond_br
// VARIANT-NOT:     llvm.cond_br
// VARIANT:         llvm.return
llvm.func @uniform_conditions(%n: i32, %m: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.icmp "ult" %m, %n : i32
  %b = llvm.icmp "ne" %m, %n : i32
  llvm.cond_br %a, ^second, ^end
^second:
  llvm.cond_br %b, ^store, ^end
^store:
  llvm.store volatile %n, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
