// RUN: nvvm-opt %s -t 'ptx{arch=sm_90}' | filecheck %s
// An arrival that only some threads execute is guarded.

llvm.func @arrive(%bar: !llvm.ptr<3>, %bytes: i32, %who: i1) attributes {nvvm.kernel} {
  // CHECK: @%p{{[0-9]+}} mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%rd{{[0-9]+}}], %r{{[0-9]+}};
  nvvm.mbarrier.arrive.expect_tx %bar, %bytes, predicate = %who : !llvm.ptr<3>, i32, i1
  llvm.return
}
