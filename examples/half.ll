; ModuleID = 'examples/half.cu'
source_filename = "examples/half.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @axpy_half(half noundef %a, ptr noundef readonly captures(none) %x, ptr noundef captures(none) %y, i32 noundef %n) local_unnamed_addr #0 {
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
  %arrayidx = getelementptr inbounds half, ptr %x, i64 %idxprom
  %3 = load half, ptr %arrayidx, align 2, !tbaa !8
  %mul3 = fmul contract half %a, %3
  %arrayidx5 = getelementptr inbounds half, ptr %y, i64 %idxprom
  %4 = load half, ptr %arrayidx5, align 2, !tbaa !8
  %add6 = fadd contract half %mul3, %4
  store half %add6, ptr %arrayidx5, align 2, !tbaa !8
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @axpy_half2(<2 x half> noundef %a, ptr noundef readonly captures(none) %x, ptr noundef captures(none) %y, i32 noundef %n) local_unnamed_addr #0 {
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
  %arrayidx = getelementptr inbounds <2 x half>, ptr %x, i64 %idxprom
  %3 = load <2 x half>, ptr %arrayidx, align 4, !tbaa !10
  %mul3 = fmul contract <2 x half> %a, %3
  %arrayidx5 = getelementptr inbounds <2 x half>, ptr %y, i64 %idxprom
  %4 = load <2 x half>, ptr %arrayidx5, align 4, !tbaa !10
  %sub = fsub contract <2 x half> %mul3, %4
  store <2 x half> %sub, ptr %arrayidx5, align 4, !tbaa !10
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @convert(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, ptr noundef writeonly captures(none) %rounded, ptr noundef writeonly captures(none) %wide) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %in, i64 %idxprom
  %1 = load float, ptr %arrayidx, align 4, !tbaa !11
  %conv = fptrunc contract float %1 to half
  %cmp = fcmp contract olt float %1, 0xBE60000000000000
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %fneg = fneg contract half %conv
  br label %cond.end

cond.false:                                       ; preds = %entry
  %div = fdiv contract half %conv, 0xH4200
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi contract half [ %fneg, %cond.true ], [ %div, %cond.false ]
  %arrayidx2 = getelementptr inbounds nuw half, ptr %out, i64 %idxprom
  store half %cond, ptr %arrayidx2, align 2, !tbaa !8
  %conv3 = fptosi half %conv to i32
  %arrayidx5 = getelementptr inbounds nuw i32, ptr %rounded, i64 %idxprom
  store i32 %conv3, ptr %arrayidx5, align 4, !tbaa !4
  %conv6 = fpext contract half %conv to double
  %arrayidx8 = getelementptr inbounds nuw double, ptr %wide, i64 %idxprom
  store double %conv6, ptr %arrayidx8, align 8, !tbaa !13
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
!9 = !{!"_Float16", !6, i64 0}
!10 = !{!6, !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"double", !6, i64 0}
