; ModuleID = 'examples/nbody.cu'
source_filename = "examples/nbody.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }

@_ZZ6forcesE4tile = internal unnamed_addr addrspace(3) global [128 x %struct.float4] undef, align 16

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @forces(ptr noundef readonly captures(none) %bodies, ptr noundef writeonly captures(none) %accelerations, i32 noundef %n, float noundef %softening) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul = shl i32 %0, 7
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %1
  %cmp = icmp slt i32 %add, %n
  %cond = select i1 %cmp, i32 %add, i32 0
  %idxprom = sext i32 %cond to i64
  %arrayidx = getelementptr inbounds %struct.float4, ptr %bodies, i64 %idxprom
  %self.sroa.0.0.copyload = load float, ptr %arrayidx, align 16, !tbaa !8
  %self.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %self.sroa.4.0.copyload = load float, ptr %self.sroa.4.0.arrayidx.sroa_idx, align 4, !tbaa !8
  %self.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %self.sroa.5.0.copyload = load float, ptr %self.sroa.5.0.arrayidx.sroa_idx, align 8, !tbaa !8
  %cmp298 = icmp sgt i32 %n, 0
  br i1 %cmp298, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %idxprom12 = zext nneg i32 %1 to i64
  %arrayidx13 = getelementptr inbounds nuw %struct.float4, ptr addrspacecast (ptr addrspace(3) @_ZZ6forcesE4tile to ptr), i64 %idxprom12
  %ref.tmp.sroa.5.0.arrayidx13.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx13, i64 4
  %ref.tmp.sroa.6.0.arrayidx13.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx13, i64 8
  %ref.tmp.sroa.7.0.arrayidx13.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx13, i64 12
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup16, %entry
  %az.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %add50, %for.cond.cleanup16 ]
  %ay.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %add48, %for.cond.cleanup16 ]
  %ax.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %add46, %for.cond.cleanup16 ]
  br i1 %cmp, label %if.then, label %if.end

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.cleanup16
  %ax.0102 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add46, %for.cond.cleanup16 ]
  %ay.0101 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add48, %for.cond.cleanup16 ]
  %az.0100 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add50, %for.cond.cleanup16 ]
  %start.099 = phi i32 [ 0, %for.body.lr.ph ], [ %add52, %for.cond.cleanup16 ]
  %add4 = add nuw i32 %start.099, %1
  %cmp5 = icmp slt i32 %add4, %n
  br i1 %cmp5, label %cond.true6, label %cond.end10

cond.true6:                                       ; preds = %for.body
  %idxprom7 = sext i32 %add4 to i64
  %arrayidx8 = getelementptr inbounds %struct.float4, ptr %bodies, i64 %idxprom7
  %ref.tmp.sroa.0.0.copyload = load float, ptr %arrayidx8, align 16, !tbaa !8
  %ref.tmp.sroa.5.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 4
  %ref.tmp.sroa.5.0.copyload = load float, ptr %ref.tmp.sroa.5.0.arrayidx8.sroa_idx, align 4, !tbaa !8
  %ref.tmp.sroa.6.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 8
  %ref.tmp.sroa.6.0.copyload = load float, ptr %ref.tmp.sroa.6.0.arrayidx8.sroa_idx, align 8, !tbaa !8
  %ref.tmp.sroa.7.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 12
  %ref.tmp.sroa.7.0.copyload = load float, ptr %ref.tmp.sroa.7.0.arrayidx8.sroa_idx, align 4, !tbaa !8
  br label %cond.end10

cond.end10:                                       ; preds = %for.body, %cond.true6
  %ref.tmp.sroa.0.0 = phi float [ %ref.tmp.sroa.0.0.copyload, %cond.true6 ], [ 0.000000e+00, %for.body ]
  %ref.tmp.sroa.5.0 = phi float [ %ref.tmp.sroa.5.0.copyload, %cond.true6 ], [ 0.000000e+00, %for.body ]
  %ref.tmp.sroa.6.0 = phi float [ %ref.tmp.sroa.6.0.copyload, %cond.true6 ], [ 0.000000e+00, %for.body ]
  %ref.tmp.sroa.7.0 = phi float [ %ref.tmp.sroa.7.0.copyload, %cond.true6 ], [ 0.000000e+00, %for.body ]
  store float %ref.tmp.sroa.0.0, ptr %arrayidx13, align 16, !tbaa !8
  store float %ref.tmp.sroa.5.0, ptr %ref.tmp.sroa.5.0.arrayidx13.sroa_idx, align 4, !tbaa !8
  store float %ref.tmp.sroa.6.0, ptr %ref.tmp.sroa.6.0.arrayidx13.sroa_idx, align 8, !tbaa !8
  store float %ref.tmp.sroa.7.0, ptr %ref.tmp.sroa.7.0.arrayidx13.sroa_idx, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %for.body17

for.cond.cleanup16:                               ; preds = %for.body17
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %add52 = add nuw nsw i32 %start.099, 128
  %cmp2 = icmp slt i32 %add52, %n
  br i1 %cmp2, label %for.body, label %for.cond.cleanup, !llvm.loop !10

for.body17:                                       ; preds = %cond.end10, %for.body17
  %ax.197 = phi float [ %ax.0102, %cond.end10 ], [ %add46, %for.body17 ]
  %ay.196 = phi float [ %ay.0101, %cond.end10 ], [ %add48, %for.body17 ]
  %az.195 = phi float [ %az.0100, %cond.end10 ], [ %add50, %for.body17 ]
  %k.094 = phi i32 [ 0, %cond.end10 ], [ %inc, %for.body17 ]
  %idxprom18 = zext nneg i32 %k.094 to i64
  %arrayidx19 = getelementptr inbounds nuw %struct.float4, ptr addrspacecast (ptr addrspace(3) @_ZZ6forcesE4tile to ptr), i64 %idxprom18
  %2 = load float, ptr %arrayidx19, align 16, !tbaa !13
  %sub = fsub contract float %2, %self.sroa.0.0.copyload
  %y24 = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 4
  %3 = load float, ptr %y24, align 4, !tbaa !15
  %sub26 = fsub contract float %3, %self.sroa.4.0.copyload
  %z29 = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 8
  %4 = load float, ptr %z29, align 8, !tbaa !16
  %sub31 = fsub contract float %4, %self.sroa.5.0.copyload
  %mul32 = fmul contract float %sub, %sub
  %mul33 = fmul contract float %sub26, %sub26
  %add34 = fadd contract float %mul32, %mul33
  %mul35 = fmul contract float %sub31, %sub31
  %add36 = fadd contract float %add34, %mul35
  %add37 = fadd contract float %softening, %add36
  %call38 = tail call contract float @__nv_rsqrtf(float noundef %add37) #5
  %w41 = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 12
  %5 = load float, ptr %w41, align 4, !tbaa !17
  %mul42 = fmul contract float %call38, %5
  %mul43 = fmul contract float %call38, %mul42
  %mul44 = fmul contract float %call38, %mul43
  %mul45 = fmul contract float %sub, %mul44
  %add46 = fadd contract float %ax.197, %mul45
  %mul47 = fmul contract float %sub26, %mul44
  %add48 = fadd contract float %ay.196, %mul47
  %mul49 = fmul contract float %sub31, %mul44
  %add50 = fadd contract float %az.195, %mul49
  %inc = add nuw nsw i32 %k.094, 1
  %exitcond.not = icmp eq i32 %inc, 128
  br i1 %exitcond.not, label %for.cond.cleanup16, label %for.body17, !llvm.loop !18

if.then:                                          ; preds = %for.cond.cleanup
  %idxprom60 = sext i32 %add to i64
  %arrayidx61 = getelementptr inbounds %struct.float4, ptr %accelerations, i64 %idxprom60
  store float %ax.0.lcssa, ptr %arrayidx61, align 16, !tbaa !8
  %ref.tmp55.sroa.4.0.arrayidx61.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx61, i64 4
  store float %ay.0.lcssa, ptr %ref.tmp55.sroa.4.0.arrayidx61.sroa_idx, align 4, !tbaa !8
  %ref.tmp55.sroa.5.0.arrayidx61.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx61, i64 8
  store float %az.0.lcssa, ptr %ref.tmp55.sroa.5.0.arrayidx61.sroa_idx, align 8, !tbaa !8
  %ref.tmp55.sroa.6.0.arrayidx61.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx61, i64 12
  store float 0.000000e+00, ptr %ref.tmp55.sroa.6.0.arrayidx61.sroa_idx, align 4, !tbaa !8
  br label %if.end

if.end:                                           ; preds = %if.then, %for.cond.cleanup
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: convergent nounwind
declare dso_local float @__nv_rsqrtf(float noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @functions_f32(ptr noundef readonly captures(none) %x, ptr noundef writeonly captures(none) %out, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4, !tbaa !8
  %call3 = tail call contract float @__nv_sinf(float noundef %3) #5
  %4 = load float, ptr %arrayidx, align 4, !tbaa !8
  %fneg = fneg contract float %4
  %call6 = tail call contract float @__nv_expf(float noundef %fneg) #5
  %5 = load float, ptr %arrayidx, align 4, !tbaa !8
  %call9 = tail call contract float @__nv_powf(float noundef %5, float noundef 1.500000e+00) #5
  %mul10 = fmul contract float %call6, %call9
  %add11 = fadd contract float %call3, %mul10
  %arrayidx13 = getelementptr inbounds float, ptr %out, i64 %idxprom
  store float %add11, ptr %arrayidx13, align 4, !tbaa !8
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local float @__nv_sinf(float noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local float @__nv_expf(float noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local float @__nv_powf(float noundef, float noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @functions_f64(ptr noundef readonly captures(none) %x, ptr noundef writeonly captures(none) %out, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds double, ptr %x, i64 %idxprom
  %3 = load double, ptr %arrayidx, align 8, !tbaa !19
  %call3 = tail call contract double @__nv_sin(double noundef %3) #5
  %4 = load double, ptr %arrayidx, align 8, !tbaa !19
  %fneg = fneg contract double %4
  %call6 = tail call contract double @__nv_exp(double noundef %fneg) #5
  %5 = load double, ptr %arrayidx, align 8, !tbaa !19
  %call9 = tail call contract double @__nv_pow(double noundef %5, double noundef 1.500000e+00) #5
  %mul10 = fmul contract double %call6, %call9
  %add11 = fadd contract double %call3, %mul10
  %6 = load double, ptr %arrayidx, align 8, !tbaa !19
  %call14 = tail call contract double @__nv_rsqrt(double noundef %6) #5
  %add15 = fadd contract double %add11, %call14
  %7 = load double, ptr %arrayidx, align 8, !tbaa !19
  %8 = tail call contract double @llvm.sqrt.f64(double %7)
  %div = fdiv contract double %8, %7
  %add20 = fadd contract double %add15, %div
  %arrayidx22 = getelementptr inbounds double, ptr %out, i64 %idxprom
  store double %add20, ptr %arrayidx22, align 8, !tbaa !19
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local double @__nv_sin(double noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local double @__nv_exp(double noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local double @__nv_pow(double noundef, double noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local double @__nv_rsqrt(double noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !6, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
!13 = !{!14, !9, i64 0}
!14 = !{!"_ZTS6float4", !9, i64 0, !9, i64 4, !9, i64 8, !9, i64 12}
!15 = !{!14, !9, i64 4}
!16 = !{!14, !9, i64 8}
!17 = !{!14, !9, i64 12}
!18 = distinct !{!18, !11, !12}
!19 = !{!20, !20, i64 0}
!20 = !{!"double", !6, i64 0}
