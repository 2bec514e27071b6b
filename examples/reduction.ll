; ModuleID = 'examples/reduction.cu'
source_filename = "examples/reduction.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ10reduce_sumE7partial = internal unnamed_addr addrspace(3) global [256 x float] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @reduce_sum(ptr noundef readonly captures(none) %in, ptr noundef captures(none) %out, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul = shl i32 %1, 8
  %add = add i32 %mul, %0
  %cmp59 = icmp slt i32 %add, %n
  br i1 %cmp59, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %mul4 = shl i32 %2, 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %sum.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %add2, %for.body ]
  %idxprom6 = zext nneg i32 %0 to i64
  %arrayidx7 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10reduce_sumE7partial to ptr), i64 %idxprom6
  store float %sum.0.lcssa, ptr %arrayidx7, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %for.body11

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %i.061 = phi i32 [ %add, %for.body.lr.ph ], [ %add5, %for.body ]
  %sum.060 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add2, %for.body ]
  %idxprom = sext i32 %i.061 to i64
  %arrayidx = getelementptr inbounds float, ptr %in, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4, !tbaa !8
  %add2 = fadd contract float %sum.060, %3
  %add5 = add i32 %i.061, %mul4
  %cmp = icmp slt i32 %add5, %n
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !llvm.loop !10

for.cond.cleanup10:                               ; preds = %if.end
  %cmp21 = icmp samesign ult i32 %0, 32
  br i1 %cmp21, label %if.then22, label %if.end38

for.body11:                                       ; preds = %for.cond.cleanup, %if.end
  %stride.062 = phi i32 [ 128, %for.cond.cleanup ], [ %div58, %if.end ]
  %cmp12 = icmp samesign ult i32 %0, %stride.062
  br i1 %cmp12, label %if.then, label %if.end

if.then:                                          ; preds = %for.body11
  %add13 = add nuw nsw i32 %stride.062, %0
  %idxprom14 = zext nneg i32 %add13 to i64
  %arrayidx15 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10reduce_sumE7partial to ptr), i64 %idxprom14
  %4 = load float, ptr %arrayidx15, align 4, !tbaa !8
  %5 = load float, ptr %arrayidx7, align 4, !tbaa !8
  %add18 = fadd contract float %4, %5
  store float %add18, ptr %arrayidx7, align 4, !tbaa !8
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %div58 = lshr i32 %stride.062, 1
  %cmp9 = icmp samesign ugt i32 %stride.062, 63
  br i1 %cmp9, label %for.body11, label %for.cond.cleanup10, !llvm.loop !13

if.then22:                                        ; preds = %for.cond.cleanup10
  %6 = load float, ptr %arrayidx7, align 4, !tbaa !8
  br label %for.body28

for.cond.cleanup27:                               ; preds = %for.body28
  %cmp34 = icmp eq i32 %0, 0
  br i1 %cmp34, label %if.then35, label %if.end38

for.body28:                                       ; preds = %if.then22, %for.body28
  %lanes.064 = phi i32 [ 16, %if.then22 ], [ %div3257, %for.body28 ]
  %sum.163 = phi float [ %6, %if.then22 ], [ %add30, %for.body28 ]
  %7 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %sum.163, i32 range(i32 1, -2147483648) %lanes.064, i32 31)
  %add30 = fadd contract float %sum.163, %7
  %div3257 = lshr i32 %lanes.064, 1
  %cmp26.not = icmp eq i32 %div3257, 0
  br i1 %cmp26.not, label %for.cond.cleanup27, label %for.body28, !llvm.loop !14

if.then35:                                        ; preds = %for.cond.cleanup27
  %8 = atomicrmw fadd ptr %out, float %add30 monotonic, align 4
  br label %if.end38

if.end38:                                         ; preds = %for.cond.cleanup27, %if.then35, %for.cond.cleanup10
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @reduce_max(ptr noundef readonly captures(none) %in, ptr noundef captures(none) %out, i32 noundef %n) local_unnamed_addr #2 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cmp32 = icmp slt i32 %0, %n
  br i1 %cmp32, label %for.body.lr.ph, label %for.body8.preheader

for.body8.preheader:                              ; preds = %for.body, %entry
  %best.136.ph = phi i32 [ -2147483648, %entry ], [ %.best.0, %for.body ]
  br label %for.body8

for.body.lr.ph:                                   ; preds = %entry
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %best.034 = phi i32 [ -2147483648, %for.body.lr.ph ], [ %.best.0, %for.body ]
  %i.033 = phi i32 [ %0, %for.body.lr.ph ], [ %add, %for.body ]
  %idxprom = sext i32 %i.033 to i64
  %arrayidx = getelementptr inbounds i32, ptr %in, i64 %idxprom
  %2 = load i32, ptr %arrayidx, align 4, !tbaa !4
  %.best.0 = tail call i32 @llvm.smax.i32(i32 %2, i32 %best.034)
  %add = add i32 %i.033, %1
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %for.body, label %for.body8.preheader, !llvm.loop !15

for.cond.cleanup7:                                ; preds = %for.body8
  %and = and i32 %0, 31
  %cmp18 = icmp eq i32 %and, 0
  br i1 %cmp18, label %if.then, label %if.end

for.body8:                                        ; preds = %for.body8.preheader, %for.body8
  %best.136 = phi i32 [ %cond14, %for.body8 ], [ %best.136.ph, %for.body8.preheader ]
  %delta.035 = phi i32 [ %shr, %for.body8 ], [ 16, %for.body8.preheader ]
  %3 = tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %best.136, i32 range(i32 1, -2147483648) %delta.035, i32 31)
  %cond14 = tail call i32 @llvm.smax.i32(i32 %3, i32 %best.136)
  %shr = lshr i32 %delta.035, 1
  %cmp6.not = icmp eq i32 %shr, 0
  br i1 %cmp6.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !16

if.then:                                          ; preds = %for.cond.cleanup7
  %4 = atomicrmw max ptr %out, i32 %cond14 monotonic, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %for.cond.cleanup7
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="256" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
!13 = distinct !{!13, !11, !12}
!14 = distinct !{!14, !11, !12}
!15 = distinct !{!15, !11, !12}
!16 = distinct !{!16, !11, !12}
