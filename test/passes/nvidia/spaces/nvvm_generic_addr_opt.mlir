// RUN: nvvm-opt %s -p 'nvvm-generic-addr-opt' | filecheck %s
// RUN: nvvm-opt %s -p 'nvvm-generic-addr-opt,nvvm-generic-addr-opt' | filecheck %s

llvm.func @use(i1, !llvm.ptr<3>, !llvm.ptr)

// CHECK-LABEL: llvm.func @same_space
// CHECK-NEXT:    %c = llvm.icmp "eq" %a, %b : !llvm.ptr<3>
// CHECK-NEXT:    llvm.load %a : !llvm.ptr<3> -> f32
// CHECK-NEXT:    llvm.call @use(%c, %a, %p)
llvm.func @same_space(%a: !llvm.ptr<3>, %b: !llvm.ptr<3>, %p: !llvm.ptr) {
  %g = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr
  %h = llvm.addrspacecast %b : !llvm.ptr<3> to !llvm.ptr
  %c = llvm.icmp "eq" %g, %h : !llvm.ptr
  %s = llvm.addrspacecast %g : !llvm.ptr to !llvm.ptr<3>
  %x = llvm.load %g : !llvm.ptr -> f32
  %i = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
  %j = llvm.addrspacecast %i : !llvm.ptr<1> to !llvm.ptr
  llvm.call @use(%c, %s, %j) : (i1, !llvm.ptr<3>, !llvm.ptr) -> ()
  llvm.return
}

// Pointers into different memory, their order, and null are compared as generic addresses.
// CHECK-LABEL: llvm.func @compared
// CHECK:         llvm.icmp "eq" %g, %h : !llvm.ptr
// CHECK-NEXT:    llvm.icmp "ult" %g, %k : !llvm.ptr
// CHECK-NEXT:    llvm.icmp "eq" %g, %null : !llvm.ptr
// CHECK-NEXT:    llvm.icmp "ne" %a, %c : !llvm.ptr<3>
llvm.func @compared(%a: !llvm.ptr<3>, %b: !llvm.ptr<1>, %c: !llvm.ptr<3>) {
  %null = llvm.mlir.zero : !llvm.ptr
  %g = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr
  %h = llvm.addrspacecast %b : !llvm.ptr<1> to !llvm.ptr
  %k = llvm.addrspacecast %c : !llvm.ptr<3> to !llvm.ptr
  %0 = llvm.icmp "eq" %g, %h : !llvm.ptr
  %1 = llvm.icmp "ult" %g, %k : !llvm.ptr
  %2 = llvm.icmp "eq" %g, %null : !llvm.ptr
  %3 = llvm.icmp "ne" %g, %k : !llvm.ptr
  llvm.return
}

// A cast from one space through the generic one to another space is not undone.
// CHECK-LABEL: llvm.func @elsewhere
// CHECK-NEXT:    %[[G:.*]] = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:    llvm.addrspacecast %[[G]] : !llvm.ptr to !llvm.ptr<7>
llvm.func @elsewhere(%a: !llvm.ptr<3>) -> !llvm.ptr<7> {
  %g = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr
  %s = llvm.addrspacecast %g : !llvm.ptr to !llvm.ptr<7>
  llvm.return %s : !llvm.ptr<7>
}

// The conversions of old NVVM IR.
// CHECK-LABEL: llvm.func @intrinsics
// CHECK-NEXT:    llvm.load %a : !llvm.ptr<3> -> f32
// CHECK-NEXT:    %[[G:.*]] = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:    llvm.store %x, %[[G]] : f32, !llvm.ptr<1>
llvm.func @intrinsics(%a: !llvm.ptr<3>, %p: !llvm.ptr) {
  %g = llvm.call_intrinsic "llvm.nvvm.ptr.shared.to.gen.p0.p3"(%a) : (!llvm.ptr<3>) -> !llvm.ptr
  %x = llvm.load %g : !llvm.ptr -> f32
  %s = llvm.call_intrinsic "llvm.nvvm.ptr.gen.to.global.p1.p0"(%p) : (!llvm.ptr) -> !llvm.ptr<1>
  llvm.store %x, %s : f32, !llvm.ptr<1>
  llvm.return
}
