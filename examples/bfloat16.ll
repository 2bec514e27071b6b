; ModuleID = 'examples/bfloat16.cu'
source_filename = "examples/bfloat16.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @axpy_bfloat16(bfloat noundef %a, ptr noundef readonly captures(none) %x, ptr noundef captures(none) %y, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %ext = fpext contract bfloat %a to float
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds bfloat, ptr %x, i64 %idxprom
  %3 = load bfloat, ptr %arrayidx, align 2, !tbaa !8
  %ext3 = fpext contract bfloat %3 to float
  %mul4 = fmul contract float %ext, %ext3
  %arrayidx6 = getelementptr inbounds bfloat, ptr %y, i64 %idxprom
  %4 = load bfloat, ptr %arrayidx6, align 2, !tbaa !8
  %ext7 = fpext contract bfloat %4 to float
  %add8 = fadd contract float %mul4, %ext7
  %unpromotion = fptrunc contract float %add8 to bfloat
  store bfloat %unpromotion, ptr %arrayidx6, align 2, !tbaa !8
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @mean_bfloat16(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, i32 noundef %rows, i32 noundef %columns) local_unnamed_addr #1 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %rows
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:                               ; preds = %entry
  %cmp320 = icmp sgt i32 %columns, 0
  br i1 %cmp320, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %mul4 = mul nsw i32 %columns, %add
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %sum.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add6, %for.body ]
  %conv7 = sitofp i32 %columns to float
  %div = fdiv contract float %sum.0.lcssa, %conv7
  %conv8 = fptrunc contract float %div to bfloat
  %cmp9 = fcmp contract ogt bfloat %conv8, 0xR0000
  %cond = select contract i1 %cmp9, bfloat %conv8, bfloat 0xR0000
  %idxprom10 = sext i32 %add to i64
  %arrayidx11 = getelementptr inbounds bfloat, ptr %out, i64 %idxprom10
  store bfloat %cond, ptr %arrayidx11, align 2, !tbaa !8
  br label %cleanup

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %column.022 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %sum.021 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add6, %for.body ]
  %add5 = add nsw i32 %column.022, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds bfloat, ptr %in, i64 %idxprom
  %3 = load bfloat, ptr %arrayidx, align 2, !tbaa !8
  %conv = fpext contract bfloat %3 to float
  %add6 = fadd contract float %sum.021, %conv
  %inc = add nuw nsw i32 %column.022, 1
  %exitcond.not = icmp eq i32 %inc, %columns
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !10

cleanup:                                          ; preds = %entry, %for.cond.cleanup
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
!9 = !{!"__bf16", !6, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
