// RUN: nvvm-cc %s -arch sm_90 | filecheck %s

// An arrival whose state is unused has a sink operand.
// CHECK: mbarrier.arrive.shared::cta.b64 %rd{{[0-9]+}}, [%rd1];
// CHECK-NEXT: mbarrier.arrive.shared::cta.b64 _, [%rd1];
// CHECK-NEXT: mbarrier.arrive.b64 _, [%rd2];
// CHECK-NEXT: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%rd1], %r1;
// CHECK-NEXT: mbarrier.arrive_drop.shared::cta.b64 _, [%rd1];
// CHECK-NEXT: mbarrier.arrive.noComplete{{(.shared)?}}.b64 %rd{{[0-9]+}}, [%rd1], %r1;
llvm.func @k(%b: !llvm.ptr<3>, %g: !llvm.ptr, %n : i32) attributes {nvvm.kernel} {
  %s = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
  nvvm.mbarrier.arrive %b : !llvm.ptr<3>
  nvvm.mbarrier.arrive %g : !llvm.ptr
  nvvm.mbarrier.arrive.expect_tx %b, %n : !llvm.ptr<3>, i32
  nvvm.mbarrier.arrive_drop %b : !llvm.ptr<3>
  %d = nvvm.mbarrier.arrive.nocomplete %b, %n : !llvm.ptr<3>, i32 -> i64
  llvm.return
}
