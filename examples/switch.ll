; ModuleID = 'examples/switch.cu'
source_filename = "examples/switch.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @interpret(ptr noundef readonly captures(none) %code, i32 noundef %length, ptr noundef captures(none) %registers) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %registers, i64 %idxprom
  %1 = load i32, ptr %arrayidx, align 4, !tbaa !4
  %cmp31 = icmp sgt i32 %length, 0
  br i1 %cmp31, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.inc, %entry
  %accumulator.0.lcssa = phi i32 [ %1, %entry ], [ %accumulator.1, %for.inc ]
  store i32 %accumulator.0.lcssa, ptr %arrayidx, align 4, !tbaa !4
  ret void

for.body:                                         ; preds = %entry, %for.inc
  %pc.034 = phi i32 [ %inc, %for.inc ], [ 0, %entry ]
  %saved.033 = phi i32 [ %saved.1, %for.inc ], [ 0, %entry ]
  %accumulator.032 = phi i32 [ %accumulator.1, %for.inc ], [ %1, %entry ]
  %idxprom1 = zext nneg i32 %pc.034 to i64
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %code, i64 %idxprom1
  %2 = load i8, ptr %arrayidx2, align 1, !tbaa !8
  switch i8 %2, label %sw.default [
    i8 0, label %sw.bb
    i8 1, label %sw.bb3
    i8 2, label %sw.bb4
    i8 3, label %sw.bb5
    i8 4, label %for.inc
    i8 5, label %sw.bb7
    i8 6, label %sw.bb8
    i8 7, label %sw.bb9
    i8 8, label %sw.bb11
    i8 9, label %sw.bb12
  ]

sw.bb:                                            ; preds = %for.body
  %add = add nsw i32 %accumulator.032, 1
  br label %for.inc

sw.bb3:                                           ; preds = %for.body
  %sub = add nsw i32 %accumulator.032, -1
  br label %for.inc

sw.bb4:                                           ; preds = %for.body
  %mul = mul nsw i32 %accumulator.032, 3
  br label %for.inc

sw.bb5:                                           ; preds = %for.body
  %xor = xor i32 %saved.033, %accumulator.032
  br label %for.inc

sw.bb7:                                           ; preds = %for.body
  %shl = shl i32 %accumulator.032, 1
  br label %for.inc

sw.bb8:                                           ; preds = %for.body
  %shr = ashr i32 %accumulator.032, 1
  br label %for.inc

sw.bb9:                                           ; preds = %for.body
  %sub10 = sub nsw i32 0, %accumulator.032
  br label %for.inc

sw.bb11:                                          ; preds = %for.body
  %tobool.not = icmp eq i32 %saved.033, 0
  br i1 %tobool.not, label %for.inc, label %cond.true

cond.true:                                        ; preds = %sw.bb11
  %div = sdiv i32 %accumulator.032, %saved.033
  br label %for.inc

sw.bb12:                                          ; preds = %for.body
  br label %for.inc

sw.default:                                       ; preds = %for.body
  br label %for.inc

for.inc:                                          ; preds = %cond.true, %sw.bb11, %for.body, %sw.bb, %sw.bb3, %sw.bb4, %sw.bb5, %sw.bb7, %sw.bb8, %sw.bb9, %sw.bb12, %sw.default
  %accumulator.1 = phi i32 [ 0, %sw.default ], [ %add, %sw.bb ], [ %sub, %sw.bb3 ], [ %mul, %sw.bb4 ], [ %xor, %sw.bb5 ], [ %accumulator.032, %sw.bb12 ], [ %shl, %sw.bb7 ], [ %shr, %sw.bb8 ], [ %sub10, %sw.bb9 ], [ %accumulator.032, %for.body ], [ %div, %cond.true ], [ 0, %sw.bb11 ]
  %saved.1 = phi i32 [ %saved.033, %sw.default ], [ %saved.033, %sw.bb ], [ %saved.033, %sw.bb3 ], [ %saved.033, %sw.bb4 ], [ %saved.033, %sw.bb5 ], [ %saved.033, %sw.bb12 ], [ %saved.033, %sw.bb7 ], [ %saved.033, %sw.bb8 ], [ %saved.033, %sw.bb9 ], [ %accumulator.032, %for.body ], [ %saved.033, %cond.true ], [ 0, %sw.bb11 ]
  %pc.1 = phi i32 [ %pc.034, %sw.default ], [ %pc.034, %sw.bb ], [ %pc.034, %sw.bb3 ], [ %pc.034, %sw.bb4 ], [ %pc.034, %sw.bb5 ], [ %length, %sw.bb12 ], [ %pc.034, %sw.bb7 ], [ %pc.034, %sw.bb8 ], [ %pc.034, %sw.bb9 ], [ %pc.034, %for.body ], [ %pc.034, %cond.true ], [ %pc.034, %sw.bb11 ]
  %inc = add nuw nsw i32 %pc.1, 1
  %cmp = icmp slt i32 %inc, %length
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !llvm.loop !9
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @classify(ptr noundef readonly captures(none) %keys, ptr noundef writeonly captures(none) %classes, i32 noundef %n) local_unnamed_addr #1 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i64, ptr %keys, i64 %idxprom
  %3 = load i64, ptr %arrayidx, align 8, !tbaa !12
  %arrayidx15 = getelementptr inbounds i8, ptr %classes, i64 %idxprom
  switch i64 %3, label %sw.default [
    i64 -1000000000000, label %cleanup.sink.split
    i64 0, label %sw.bb5
    i64 17, label %sw.bb8
    i64 19, label %sw.bb8
    i64 23, label %sw.bb8
    i64 1000000000000, label %sw.bb11
  ]

sw.bb5:                                           ; preds = %if.end
  br label %cleanup.sink.split

sw.bb8:                                           ; preds = %if.end, %if.end, %if.end
  br label %cleanup.sink.split

sw.bb11:                                          ; preds = %if.end
  br label %cleanup.sink.split

sw.default:                                       ; preds = %if.end
  br label %cleanup.sink.split

cleanup.sink.split:                               ; preds = %if.end, %sw.default, %sw.bb11, %sw.bb8, %sw.bb5
  %.sink = phi i8 [ 63, %sw.default ], [ 122, %sw.bb5 ], [ 112, %sw.bb8 ], [ 98, %sw.bb11 ], [ 110, %if.end ]
  store i8 %.sink, ptr %arrayidx15, align 1, !tbaa !8
  br label %cleanup

cleanup:                                          ; preds = %cleanup.sink.split, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
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
!8 = !{!6, !6, i64 0}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = !{!13, !13, i64 0}
!13 = !{!"long long", !6, i64 0}
