// RUN: nvvm-opt %s -p 'process-restrict' | filecheck %s --check-prefixes=CHECK,ALL
// RUN: nvvm-opt %s -p 'process-restrict<propagate-only>' | filecheck %s --check-prefixes=CHECK,ONLY
// RUN: nvvm-opt %s -p 'process-restrict<kernel-params-restrict>' | filecheck %s --check-prefix=PARAMS
// RUN: nvvm-opt %s -p 'process-restrict<kernel-params-restrict;propagate-only>' | filecheck %s --check-prefixes=CHECK,ONLY
// RUN: nvvm-opt %s -p 'process-restrict' -opt -dump-process-restrict 2>&1 | filecheck %s --check-prefix=DUMP
// DUMP: process-restrict: plain: loads from memory that the kernel does not write
// RUN: xdsl-opt %s -p 'process-restrict{propagate-only}' | filecheck %s --check-prefixes=CHECK,ONLY

llvm.func @unknown(!llvm.ptr)
llvm.func @reads(!llvm.ptr {llvm.nocapture, llvm.readonly})

// Read-only and restrict: loads are invariant, and each pointer's accesses have a scope.
// CHECK-LABEL: llvm.func @plain(
// ALL-SAME:      %a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr {llvm.noalias}
// ALL:           llvm.load %a invariant {alias_scopes = [#llvm.alias_scope<id = "plain.restrict.0"{{.*}}], noalias_scopes = [#llvm.alias_scope<id = "plain.restrict.1"
// ALL-NEXT:      llvm.store %x, %b {alias_scopes = [#llvm.alias_scope<id = "plain.restrict.1"{{.*}}], noalias_scopes = [#llvm.alias_scope<id = "plain.restrict.0"
// ONLY-SAME:     %a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}
// ONLY:          %x = llvm.load %a : !llvm.ptr -> f32
// ONLY-NEXT:     llvm.store %x, %b : f32, !llvm.ptr
llvm.func @plain(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}) attributes {nvvm.kernel} {
  %x = llvm.load %a : !llvm.ptr -> f32
  llvm.store %x, %b : f32, !llvm.ptr
  llvm.return
}

// Without restrict no facts hold, unless an option treats every kernel's pointers as restrict.
// CHECK-LABEL: llvm.func @open(
// CHECK-SAME:    %a: !llvm.ptr, %b: !llvm.ptr)
// CHECK:         llvm.load %a : !llvm.ptr -> f32
// PARAMS-LABEL: llvm.func @open(
// PARAMS-SAME:   %a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr {llvm.noalias})
// PARAMS:        llvm.load %a invariant
llvm.func @open(%a: !llvm.ptr, %b: !llvm.ptr) attributes {nvvm.kernel} {
  %x = llvm.load %a : !llvm.ptr -> f32
  llvm.store %x, %b : f32, !llvm.ptr
  llvm.return
}

// Stored through, also by a callee; volatile; escaping: none is read-only.
// CHECK-LABEL: llvm.func @not_read_only(
// CHECK-NOT:     readonly
// CHECK-NOT:     invariant
// CHECK:         llvm.return
llvm.func @not_read_only(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr {llvm.noalias}, %d: !llvm.ptr {llvm.noalias}, %e: !llvm.ptr {llvm.noalias}, %f: !llvm.ptr {llvm.noalias}, %g: !llvm.ptr {llvm.noalias}, %v: i32) attributes {nvvm.kernel} {
  %a1 = llvm.load %a : !llvm.ptr -> i32
  %a2 = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.store %v, %a2 : i32, !llvm.ptr
  %b1 = llvm.load %b : !llvm.ptr -> i32
  llvm.call @writes(%b) : (!llvm.ptr) -> ()
  %c1 = llvm.load volatile %c : !llvm.ptr -> i32
  %c2 = llvm.load %c : !llvm.ptr -> i32
  %d1 = llvm.load %d : !llvm.ptr -> i32
  llvm.call @unknown(%d) : (!llvm.ptr) -> ()
  %e1 = llvm.load %e : !llvm.ptr -> i32
  llvm.store %e, %a : !llvm.ptr, !llvm.ptr
  %f1 = llvm.load %f : !llvm.ptr -> i32
  %f2 = llvm.ptrtoint %f : !llvm.ptr to i64
  %g1 = llvm.load %g : !llvm.ptr -> i32
  %g2 = llvm.atomicrmw add %g, %v monotonic : !llvm.ptr, i32
  llvm.return
}

// A function called only with restrict pointers has restrict arguments.
// CHECK-LABEL: llvm.func internal @writes(
// CHECK-SAME:    %p: !llvm.ptr {llvm.noalias})
llvm.func internal @writes(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.store %zero, %p : i32, !llvm.ptr
  llvm.return
}

// Callees that only load keep it read-only, and their loads are invariant, too.
// CHECK-LABEL: llvm.func @through_calls(
// ALL-SAME:      %a: !llvm.ptr {llvm.noalias, llvm.readonly}, %b: !llvm.ptr {llvm.noalias}
// CHECK-LABEL: llvm.func internal @sum(
// CHECK-SAME:    %p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr {llvm.noalias})
// ALL:           llvm.intr.experimental.noalias.scope.decl <id = "sum.restrict.0"
// ALL:           llvm.load %p invariant
// ALL:           llvm.load %q {
// CHECK-LABEL: llvm.func internal @mixed(
// CHECK-SAME:    %p: !llvm.ptr, %q: !llvm.ptr)
// CHECK:         llvm.load %p : !llvm.ptr -> i32
llvm.func @through_calls(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr) attributes {nvvm.kernel} {
  llvm.call @reads(%a) : (!llvm.ptr) -> ()
  llvm.call @sum(%a, %b) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mixed(%a, %a) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mixed(%c, %b) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @sum(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> i32
  %y = llvm.load %q : !llvm.ptr -> i32
  %z = llvm.add %x, %y : i32
  llvm.store %z, %q : i32, !llvm.ptr
  llvm.return
}
llvm.func internal @mixed(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> i32
  llvm.return
}

// Other modules may call it with any pointers.
// CHECK-LABEL: llvm.func @visible(
// CHECK-SAME:    %p: !llvm.ptr)
// CHECK-LABEL: llvm.func internal @taken(
// CHECK-SAME:    %p: !llvm.ptr)
llvm.func @calls(%a: !llvm.ptr {llvm.noalias}) attributes {nvvm.kernel} {
  llvm.call @visible(%a) : (!llvm.ptr) -> ()
  llvm.call @taken(%a) : (!llvm.ptr) -> ()
  %f = llvm.mlir.addressof @taken : !llvm.ptr
  llvm.call %f(%a) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @visible(%p: !llvm.ptr) {
  llvm.return
}
llvm.func internal @taken(%p: !llvm.ptr) {
  llvm.return
}

// A stack slot whose address does not escape is treated alike; an escaping one is not.
// CHECK-LABEL: llvm.func internal @slot(
// CHECK-SAME:    %p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr)
llvm.func @slots(%a: !llvm.ptr) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %t = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %t, %a : !llvm.ptr, !llvm.ptr
  llvm.call @slot(%s, %t) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @slot(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x = llvm.load %q : !llvm.ptr -> i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
}

// A select of read-only pointers is read-only; one with another pointer is not.
// CHECK-LABEL: llvm.func @choice(
// ALL:           llvm.load %x invariant
// ALL:           llvm.load %y {noalias_scopes = [{{.*}}]} : !llvm.ptr -> i32
llvm.func @choice(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr, %k: !llvm.ptr {llvm.noalias}, %i: i1) attributes {nvvm.kernel} {
  %x = llvm.select %i, %a, %b : i1, !llvm.ptr
  %x1 = llvm.load %x : !llvm.ptr -> i32
  llvm.cond_br %i, ^join(%a : !llvm.ptr), ^join(%c : !llvm.ptr)
^join(%y: !llvm.ptr):
  %y1 = llvm.load %y : !llvm.ptr -> i32
  llvm.store %x1, %k : i32, !llvm.ptr
  llvm.return
}

// A loaded pointer may be based on a pointer that was stored, and only on that.
// CHECK-LABEL: llvm.func @loaded(
// ALL:           %r = llvm.load %c {noalias_scopes = [#llvm.alias_scope<id = "loaded.restrict.0"{{.*}}, #llvm.alias_scope<id = "loaded.restrict.1"
// ALL:           llvm.load %r {noalias_scopes = [#llvm.alias_scope<id = "loaded.restrict.0"{{[^#]*}}]} : !llvm.ptr -> i32
llvm.func @loaded(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr) attributes {nvvm.kernel} {
  llvm.store %b, %c : !llvm.ptr, !llvm.ptr
  %r = llvm.load %c : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %r : !llvm.ptr -> i32
  llvm.store %x, %a : i32, !llvm.ptr
  llvm.return
}
