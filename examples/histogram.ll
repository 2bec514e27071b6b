; ModuleID = 'examples/histogram.cu'
source_filename = "examples/histogram.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ9histogramE5local = internal addrspace(3) global [256 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @histogram(ptr noundef readonly captures(none) %data, i64 noundef %size, ptr noundef captures(none) %bins) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cmp50 = icmp samesign ult i32 %0, 256
  br i1 %cmp50, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %conv = zext nneg i32 %2 to i64
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %conv4 = zext nneg i32 %3 to i64
  %mul = mul nuw nsw i64 %conv, %conv4
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %conv6 = zext nneg i32 %4 to i64
  %mul9 = mul nuw nsw i64 %conv6, %conv4
  %conv11 = zext nneg i32 %0 to i64
  %add12 = add nuw nsw i64 %mul9, %conv11
  %cmp1452 = icmp ult i64 %add12, %size
  br i1 %cmp1452, label %for.body16, label %for.cond.cleanup15

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %bin.051 = phi i32 [ %0, %for.body.lr.ph ], [ %add, %for.body ]
  %idxprom = zext nneg i32 %bin.051 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %idxprom
  store i32 0, ptr %arrayidx, align 4, !tbaa !4
  %add = add nuw nsw i32 %bin.051, %1
  %cmp = icmp samesign ult i32 %add, 256
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !llvm.loop !8

for.cond.cleanup15:                               ; preds = %for.body16, %for.cond.cleanup
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %cmp2754 = icmp samesign ult i32 %0, 256
  br i1 %cmp2754, label %for.body29, label %for.cond.cleanup28

for.body16:                                       ; preds = %for.cond.cleanup, %for.body16
  %i.053 = phi i64 [ %add22, %for.body16 ], [ %add12, %for.cond.cleanup ]
  %arrayidx17 = getelementptr inbounds nuw i8, ptr %data, i64 %i.053
  %5 = load i8, ptr %arrayidx17, align 1, !tbaa !11
  %idxprom18 = zext i8 %5 to i64
  %arrayidx19 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %idxprom18
  %6 = atomicrmw add ptr %arrayidx19, i32 1 monotonic, align 4
  %add22 = add i64 %i.053, %mul
  %cmp14 = icmp ult i64 %add22, %size
  br i1 %cmp14, label %for.body16, label %for.cond.cleanup15, !llvm.loop !12

for.cond.cleanup28:                               ; preds = %for.inc38, %for.cond.cleanup15
  ret void

for.body29:                                       ; preds = %for.cond.cleanup15, %for.inc38
  %bin24.055 = phi i32 [ %add40, %for.inc38 ], [ %0, %for.cond.cleanup15 ]
  %idxprom30 = zext nneg i32 %bin24.055 to i64
  %arrayidx31 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %idxprom30
  %7 = load i32, ptr %arrayidx31, align 4, !tbaa !4
  %cmp32.not = icmp eq i32 %7, 0
  br i1 %cmp32.not, label %for.inc38, label %if.then

if.then:                                          ; preds = %for.body29
  %arrayidx34 = getelementptr inbounds nuw i32, ptr %bins, i64 %idxprom30
  %8 = atomicrmw add ptr %arrayidx34, i32 %7 monotonic, align 4
  br label %for.inc38

for.inc38:                                        ; preds = %for.body29, %if.then
  %add40 = add nuw nsw i32 %bin24.055, %3
  %cmp27 = icmp samesign ult i32 %add40, 256
  br i1 %cmp27, label %for.body29, label %for.cond.cleanup28, !llvm.loop !13
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @weighted(ptr noundef readonly captures(none) %data, ptr noundef readonly captures(none) %weight, i32 noundef %size, ptr noundef captures(none) %bins) local_unnamed_addr #2 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %size
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i8, ptr %data, i64 %idxprom
  %3 = load i8, ptr %arrayidx, align 1, !tbaa !11
  %idxprom3 = zext i8 %3 to i64
  %arrayidx4 = getelementptr inbounds nuw double, ptr %bins, i64 %idxprom3
  %4 = load i64, ptr %arrayidx4, align 8, !tbaa !14
  %arrayidx6 = getelementptr inbounds double, ptr %weight, i64 %idxprom
  br label %do.body

do.body:                                          ; preds = %do.body, %if.end
  %seen.0 = phi i64 [ %4, %if.end ], [ %9, %do.body ]
  %5 = load double, ptr %arrayidx6, align 8, !tbaa !16
  %6 = bitcast i64 %seen.0 to double
  %add7 = fadd contract double %5, %6
  %7 = bitcast double %add7 to i64
  %8 = cmpxchg ptr %arrayidx4, i64 %seen.0, i64 %7 monotonic monotonic, align 8
  %9 = extractvalue { i64, i1 } %8, 0
  %cmp9.not = extractvalue { i64, i1 } %8, 1
  br i1 %cmp9.not, label %cleanup, label %do.body, !llvm.loop !18

cleanup:                                          ; preds = %do.body, %entry
  ret void
}

; Function Attrs: mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scoped(ptr noundef captures(none) %counter, ptr noundef captures(none) %flags, ptr noundef captures(none) %sum) local_unnamed_addr #3 {
entry:
  %0 = atomicrmw add ptr %counter, i32 1 monotonic, align 4
  %1 = atomicrmw or ptr %flags, i32 4 acq_rel, align 4
  %add.ptr = getelementptr inbounds nuw i8, ptr %counter, i64 4
  %2 = atomicrmw min ptr %add.ptr, i32 7 release, align 4
  %add.ptr5 = getelementptr inbounds nuw i8, ptr %flags, i64 4
  %3 = atomicrmw xchg ptr %add.ptr5, i32 1 acquire, align 4
  %cmp = icmp eq i32 %3, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store atomic i32 0, ptr %flags release, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %4 = load atomic i32, ptr %sum acquire, align 4
  %arrayidx = getelementptr inbounds nuw i8, ptr %sum, i64 4
  store i32 %4, ptr %arrayidx, align 4, !tbaa !19
  tail call void @llvm.nvvm.membar.gl()
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nounwind }

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
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = !{!6, !6, i64 0}
!12 = distinct !{!12, !9, !10}
!13 = distinct !{!13, !9, !10}
!14 = !{!15, !15, i64 0}
!15 = !{!"long long", !6, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"double", !6, i64 0}
!18 = distinct !{!18, !9, !10}
!19 = !{!20, !20, i64 0}
!20 = !{!"float", !6, i64 0}
