target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @f(ptr, i32) nounwind
declare void @llvm.assume(i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare {i32,i1} @llvm.sadd.with.overflow.i32(i32,i32)
declare float @llvm.fmuladd.f32(float,float,float)
declare i64 @llvm.read_register.i64(metadata)
declare float @llvm.experimental.constrained.fadd.f32(float,float,metadata,metadata)
declare void @llvm.donothing()
declare i64 @llvm.objectsize.i64.p0(ptr,i1,i1,i1)
declare void @llvm.nvvm.barrier0()
declare float @llvm.nvvm.fma.rn.f(float,float,float)
declare void @llvm.va_start.p0(ptr)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare i32 @llvm.expect.i32(i32,i32)
declare void @llvm.trap()
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
define void @k(ptr %a, i32 %n, i1 %c, <4 x i1> %m, ...) {
  %r = call fastcc noundef i32 @f(ptr noundef nonnull %a, i32 inreg %n) #0 [ "deopt"(i32 %n, ptr %a), "foo"() ]
  %r2 = call i32 %a(i32 1)
  call void @llvm.assume(i1 true) [ "align"(ptr %a, i64 8) ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 8 %a, i64 16, i1 false)
  %l = call i32 @llvm.ctlz.i32(i32 %n, i1 true)
  %so = call {i32,i1} @llvm.sadd.with.overflow.i32(i32 %n, i32 1)
  call void @llvm.nvvm.barrier0()
  call void @llvm.trap()
  %f = call nnan float @llvm.nvvm.fma.rn.f(float 1.0, float 2.0, float 3.0)
  %f3 = call nnan float @llvm.fmuladd.f32(float 1.0, float 2.0, float 3.0)
  %al = alloca {i32, i64}, i32 4, align 16
  %al2 = alloca i32, align 16, addrspace(5)
  %v = load atomic volatile i32, ptr %a syncscope("agent") acquire, align 4
  %v2 = load i32, ptr %a, align 4, !invariant.load !0, !llvm.access.group !13, !range !2, !noundef !0, !alias.scope !5, !noalias !5
  %pp = load ptr, ptr %a, !nonnull !0, !align !3, !dereferenceable !3, !invariant.group !0
  store atomic i32 1, ptr %a release, align 4
  store <4 x i32> zeroinitializer, ptr %a, !nontemporal !1
  store {i32, [2 x i32]} { i32 1, [2 x i32] [i32 2, i32 3] }, ptr %a
  store {i32, ptr} { i32 1, ptr @gg }, ptr %a
  store i64 add (i64 ptrtoint (ptr @gg to i64), i64 4), ptr %a
  %x = select i1 %c, i32 1, i32 2, !prof !6
  %ml = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %a, i32 16, <4 x i1> %m, <4 x i32> undef)
  %ex = call i32 @llvm.expect.i32(i32 %n, i32 0)
  %as = tail call { i32, i32 } asm alignstack "foo $0 $1 $2", "=r,=r,r"(i32 %n) #0
  %ge = getelementptr {i32, [4 x i32]}, ptr %a, i32 0, i32 1, i64 2
  %ge2 = getelementptr i8, ptr %a, i64 4294967296
  %ge3 = getelementptr i8, ptr %a, <4 x i64> <i64 1, i64 2, i64 3, i64 4>
  %tr = trunc nuw nsw i32 %n to i8
  %zx = zext nneg i32 %n to i64
  %sd = sdiv exact i32 %n, 4
  %uf = uitofp nneg i32 %n to float
  %ic = icmp eq ptr %a, null
  %va = va_arg ptr %a, i32
  %iv = insertvalue {i32, [2 x i32]} undef, i32 1, 1, 0
  %ar = atomicrmw volatile fadd ptr %a, float 1.0 syncscope("block") monotonic
  %cx = cmpxchg weak volatile ptr %a, i64 1, i64 2 syncscope("x") seq_cst seq_cst
  call void @llvm.prefetch.p0(ptr %a, i32 0, i32 3, i32 1)
  switch i64 0, label %d [ i64 -1, label %e
  i64 5, label %d ], !prof !7
d:
  br label %e, !llvm.loop !8
e:
  ret void
unr:
  br label %e
}
@gg = global i32 0
attributes #0 = { nounwind memory(none) willreturn convergent noinline "foo"="bar" }
!0 = !{}
!1 = !{i32 1}
!2 = !{i32 0, i32 10}
!3 = !{i64 8}
!4 = distinct !{!4, !"dom"}
!50 = distinct !{!50, !4, !"sc"}
!5 = !{!50}
!6 = !{!"branch_weights", i32 1, i32 7}
!7 = !{!"branch_weights", i32 1, i32 7, i32 3}
!8 = distinct !{!8, !9, !10, !11, !12}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.count", i32 4}
!11 = !{!"llvm.loop.vectorize.width", i32 4}
!12 = !{!"llvm.loop.parallel_accesses", !13}
!13 = distinct !{}
