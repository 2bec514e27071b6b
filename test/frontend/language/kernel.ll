target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%s = type { i32, float, [2 x i8] }
%pk = type <{ i8, i32 }>
@g = addrspace(3) global [4 x i32] undef, align 16
@h = internal addrspace(1) externally_initialized global i32 5, align 4
@str = private unnamed_addr constant [4 x i8] c"ab\0A\00"
@arr = addrspace(4) constant [3 x i32] [i32 1, i32 2, i32 3]
@pa = global ptr @h2
@h2 = global i32 0
@st = global %s { i32 1, float 2.0, [2 x i8] c"xy" }
@pt = global ptr getelementptr (i8, ptr @h2, i64 4)
@zz = weak_odr global [4 x %s] zeroinitializer, section "foo"
@al = alias i32, ptr @h2
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @ext(ptr byval(%s) align 8, i32 signext) nounwind
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare i32 @printf(ptr, ...)
define ptx_kernel void @k(ptr noalias nocapture readonly %a, i32 %n, ptr byval(%s) align 4 %p) #0 {
entry:
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %body, label %exit, !prof !5
body:
  %x = phi i32 [ 0, %entry ], [ %y, %body ]
  %y = add nuw nsw i32 %x, 1
  %d = icmp samesign ult i32 %y, 10
  %g = getelementptr inbounds nuw %s, ptr %a, i64 1, i32 1
  %f = load float, ptr %g, align 4, !tbaa !1
  %f2 = fadd fast float %f, 1.5
  %f3 = call float @llvm.nvvm.rsqrt.approx.f(float %f2)
  store volatile float %f3, ptr %g, align 4
  %o = atomicrmw add ptr @h2, i32 4 syncscope("device") seq_cst, align 4
  %cx = cmpxchg ptr @h2, i32 0, i32 1 acq_rel monotonic, align 4
  %q = extractvalue { i32, i1 } %cx, 0
  %as = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  call void (ptr, ...) @vf(ptr @str, i32 %as)
  %gf = getelementptr [4 x i32], ptr addrspacecast (ptr addrspace(3) @g to ptr), i64 0, i32 %as
  store i32 7, ptr %gf
  store i32 8, ptr getelementptr inbounds (i8, ptr @h2, i64 4)
  br i1 %d, label %body, label %exit, !llvm.loop !6
exit:
  %z = phi i32 [ %n, %entry ], [ %y, %body ]
  switch i32 %z, label %r [ i32 1, label %s1
   i32 2, label %s1 ]
s1:
  %vv = insertelement <4 x float> poison, float 1.0, i32 0
  %sh = shufflevector <4 x float> %vv, <4 x float> undef, <4 x i32> zeroinitializer
  %se = select i1 true, <4 x float> %sh, <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>
  call void @ext(ptr byval(%s) align 8 %p, i32 signext 5) #1
  br label %r
r:
  fence syncscope("block") acquire
  %fr = freeze i32 %z
  %fc = fcmp olt float 0x7FF8000000000000, 0.0
  ret void
}
declare void @vf(ptr, ...)
define internal float @dev(float %a, <2 x half> %b) local_unnamed_addr alwaysinline nounwind readnone {
  %1 = fneg float %a
  %2 = tail call fast float @llvm.fma.f32(float %1, float %a, float 0xFFF0000000000000)
  %3 = extractelement <2 x half> %b, i64 1
  %4 = fpext half %3 to float
  %5 = fadd float %4, %2
  ret float %5
}
declare float @llvm.fma.f32(float,float,float)
attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "target-cpu"="sm_90" "nvvm.maxntid"="256,1,1" "target-features"="+ptx80,+sm_90" }
attributes #1 = { convergent nounwind }
!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C++ TBAA"}
!5 = !{!"branch_weights", i32 1, i32 7}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll.disable"}
!nvvm.annotations = !{!8}
!8 = !{ptr @k, !"kernel", i32 1}
!llvm.module.flags = !{!9}
!9 = !{i32 2, !"wchar", i32 4}
