// RUN: nvvm-opt %s -p 'nvvm-reduction<arch=80>' --verify-each | filecheck %s
// RUN: nvvm-opt %s -p 'nvvm-reduction<arch=75>' | filecheck %s --check-prefix=OLD

// OLD-NOT: nvvm.redux

// CHECK-LABEL: llvm.func @sum
// CHECK-NOT:     nvvm.shfl
// CHECK:         [[sum:%.*]] = nvvm.redux.sync add %x, %{{.*}} : i32 -> i32
// CHECK-NEXT:    llvm.store [[sum]]
llvm.func @sum(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %last = llvm.mlir.constant(31 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s16 = nvvm.shfl.sync bfly %all, %x, %c16, %last : i32 -> i32
  %x16 = llvm.add %x, %s16 : i32
  %s8 = nvvm.shfl.sync bfly %all, %x16, %c8, %last : i32 -> i32
  %x8 = llvm.add %s8, %x16 : i32
  %s1 = nvvm.shfl.sync bfly %all, %x8, %c1, %last : i32 -> i32
  %x4 = llvm.add %x8, %s1 : i32
  %s2 = nvvm.shfl.sync bfly %all, %x4, %c2, %last : i32 -> i32
  %x2 = llvm.add %x4, %s2 : i32
  %s4 = nvvm.shfl.sync bfly %all, %x2, %c4, %last : i32 -> i32
  %x1 = llvm.add %x2, %s4 : i32
  llvm.store %x1, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A repeated distance, missing lanes, segments, another op in between, an intermediate sum with other uses.
// CHECK-LABEL: llvm.func @others
// CHECK-NOT:     nvvm.redux
// CHECK-LABEL: llvm.func @down
llvm.func @others(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %half = llvm.mlir.constant(65535 : i32) : i32
  %last = llvm.mlir.constant(31 : i32) : i32
  %segments = llvm.mlir.constant(4127 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %s16 = nvvm.shfl.sync bfly %all, %x, %c16, %last : i32 -> i32
  %x16 = llvm.add %x, %s16 : i32
  %s8 = nvvm.shfl.sync bfly %all, %x16, %c8, %last : i32 -> i32
  %x8 = llvm.add %x16, %s8 : i32
  %s4 = nvvm.shfl.sync bfly %all, %x8, %c4, %last : i32 -> i32
  %x4 = llvm.add %x8, %s4 : i32
  %s2 = nvvm.shfl.sync bfly %all, %x4, %c2, %last : i32 -> i32
  %x2 = llvm.add %x4, %s2 : i32
  %a = nvvm.shfl.sync bfly %all, %x2, %c2, %last : i32 -> i32
  %twice = llvm.add %x2, %a : i32
  llvm.store %twice, %p : i32, !llvm.ptr<1>
  %b = nvvm.shfl.sync bfly %half, %x2, %c1, %last : i32 -> i32
  %lanes = llvm.add %x2, %b : i32
  llvm.store %lanes, %p : i32, !llvm.ptr<1>
  %d = nvvm.shfl.sync bfly %all, %x2, %c1, %segments : i32 -> i32
  %parts = llvm.add %x2, %d : i32
  llvm.store %parts, %p : i32, !llvm.ptr<1>
  %e = nvvm.shfl.sync bfly %all, %x2, %c1, %last : i32 -> i32
  %xor = llvm.xor %x2, %e : i32
  llvm.store %xor, %p : i32, !llvm.ptr<1>
  %f = nvvm.shfl.sync bfly %all, %x2, %c1, %last : i32 -> i32
  %used = llvm.add %x2, %f : i32
  llvm.store %used, %p : i32, !llvm.ptr<1>
  llvm.return
}

// With shuffles down only lane 0 has the complete result.
// CHECK:         nvvm.redux.sync umax %x
// CHECK-NOT:     nvvm.shfl
// CHECK-LABEL: llvm.func @down_elsewhere
// CHECK-NOT:     nvvm.redux
llvm.func @down(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %last = llvm.mlir.constant(31 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %first = llvm.icmp "eq" %lane, %zero : i32
  %s16 = nvvm.shfl.sync down %all, %x, %c16, %last : i32 -> i32
  %x16 = llvm.intr.umax(%x, %s16) : (i32, i32) -> i32
  %s8 = nvvm.shfl.sync down %all, %x16, %c8, %last : i32 -> i32
  %x8 = llvm.intr.umax(%x16, %s8) : (i32, i32) -> i32
  %s4 = nvvm.shfl.sync down %all, %x8, %c4, %last : i32 -> i32
  %x4 = llvm.intr.umax(%x8, %s4) : (i32, i32) -> i32
  %s2 = nvvm.shfl.sync down %all, %x4, %c2, %last : i32 -> i32
  %x2 = llvm.intr.umax(%x4, %s2) : (i32, i32) -> i32
  %s1 = nvvm.shfl.sync down %all, %x2, %c1, %last : i32 -> i32
  %x1 = llvm.intr.umax(%x2, %s1) : (i32, i32) -> i32
  llvm.cond_br %first, ^then, ^end
^then:
  llvm.store %x1, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @down_elsewhere(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %last = llvm.mlir.constant(31 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %first = llvm.icmp "eq" %lane, %zero : i32
  %s16 = nvvm.shfl.sync down %all, %x, %c16, %last : i32 -> i32
  %x16 = llvm.add %x, %s16 : i32
  %s8 = nvvm.shfl.sync down %all, %x16, %c8, %last : i32 -> i32
  %x8 = llvm.add %x16, %s8 : i32
  %s4 = nvvm.shfl.sync down %all, %x8, %c4, %last : i32 -> i32
  %x4 = llvm.add %x8, %s4 : i32
  %s2 = nvvm.shfl.sync down %all, %x4, %c2, %last : i32 -> i32
  %x2 = llvm.add %x4, %s2 : i32
  %s1 = nvvm.shfl.sync down %all, %x2, %c1, %last : i32 -> i32
  %x1 = llvm.add %x2, %s1 : i32
  llvm.cond_br %first, ^end, ^then
^then:
  llvm.store %x1, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
