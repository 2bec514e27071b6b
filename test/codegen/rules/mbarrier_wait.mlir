// RUN: nvvm-cc %s -arch sm_90 | filecheck %s

// The op waits until the phase is complete, by a loop that retries.
llvm.mlir.global internal @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : i64 {
  %nothing = llvm.mlir.undef : i64
  llvm.return %nothing : i64
}

// CHECK:      mbarrier.init
// CHECK:      {
// CHECK-NEXT: .reg .pred complete;
// CHECK-NEXT: wait:
// CHECK-NEXT: mbarrier.try_wait.parity.shared::cta.b64 complete, [%rd{{[0-9]+}}], %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT: @!complete bra.uni wait;
// CHECK-NEXT: }
// CHECK:      mbarrier.try_wait.parity.b64 complete, [%rd{{[0-9]+}}], %r{{[0-9]+}}, %r{{[0-9]+}};
llvm.func @k(%phase: i32) attributes {nvvm.kernel} {
  %at = llvm.mlir.addressof @barrier : !llvm.ptr<3>
  %one = llvm.mlir.constant(1 : i32) : i32
  %ticks = llvm.mlir.constant(1000 : i32) : i32
  nvvm.mbarrier.init %at, %one : !llvm.ptr<3>, i32
  nvvm.mbarrier.try_wait.parity %at, %phase, %ticks : !llvm.ptr<3>, i32, i32
  %generic = llvm.addrspacecast %at : !llvm.ptr<3> to !llvm.ptr
  nvvm.mbarrier.try_wait.parity %generic, %phase, %ticks : !llvm.ptr, i32, i32
  llvm.return
}
