; ModuleID = 'examples/local_array.cu'
source_filename = "examples/local_array.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @median(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %window = alloca [9 x i32], align 4
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %window) #4
  %sub8 = add nsw i32 %n, -1
  br label %for.body

for.body:                                         ; preds = %if.end, %for.body
  %k.056 = phi i32 [ 0, %if.end ], [ %inc, %for.body ]
  %add4 = add nsw i32 %k.056, %add
  %cmp5 = icmp slt i32 %add4, 4
  %sub = add nsw i32 %add4, -4
  %cond = tail call i32 @llvm.smin.i32(i32 %sub, i32 %sub8)
  %narrow = select i1 %cmp5, i32 0, i32 %cond
  %cond11 = sext i32 %narrow to i64
  %arrayidx = getelementptr inbounds i32, ptr %in, i64 %cond11
  %3 = load i32, ptr %arrayidx, align 4, !tbaa !4
  %idxprom12 = zext nneg i32 %k.056 to i64
  %arrayidx13 = getelementptr inbounds nuw i32, ptr %window, i64 %idxprom12
  store i32 %3, ptr %arrayidx13, align 4, !tbaa !4
  %inc = add nuw nsw i32 %k.056, 1
  %exitcond.not = icmp eq i32 %inc, 9
  br i1 %exitcond.not, label %for.body17, label %for.body, !llvm.loop !8

for.cond.cleanup16:                               ; preds = %while.end
  %arrayidx35 = getelementptr inbounds nuw i8, ptr %window, i64 16
  %4 = load i32, ptr %arrayidx35, align 4, !tbaa !4
  %idxprom36 = sext i32 %add to i64
  %arrayidx37 = getelementptr inbounds i32, ptr %out, i64 %idxprom36
  store i32 %4, ptr %arrayidx37, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr nonnull %window) #4
  br label %cleanup

for.body17:                                       ; preds = %for.body, %while.end
  %a.058 = phi i32 [ %inc33, %while.end ], [ 1, %for.body ]
  %idxprom18 = zext nneg i32 %a.058 to i64
  %arrayidx19 = getelementptr inbounds nuw i32, ptr %window, i64 %idxprom18
  %5 = load i32, ptr %arrayidx19, align 4, !tbaa !4
  br label %land.rhs

land.rhs:                                         ; preds = %for.body17, %while.body
  %b.057 = phi i32 [ %a.058, %for.body17 ], [ %dec, %while.body ]
  %6 = zext nneg i32 %b.057 to i64
  %7 = getelementptr i32, ptr %window, i64 %6
  %arrayidx23 = getelementptr i8, ptr %7, i64 -4
  %8 = load i32, ptr %arrayidx23, align 4, !tbaa !4
  %cmp24 = icmp sgt i32 %8, %5
  br i1 %cmp24, label %while.body, label %while.end

while.body:                                       ; preds = %land.rhs
  store i32 %8, ptr %7, align 4, !tbaa !4
  %dec = add nsw i32 %b.057, -1
  %cmp20 = icmp sgt i32 %b.057, 1
  br i1 %cmp20, label %land.rhs, label %while.end, !llvm.loop !11

while.end:                                        ; preds = %while.body, %land.rhs
  %b.0.lcssa = phi i32 [ 0, %while.body ], [ %b.057, %land.rhs ]
  %idxprom30 = sext i32 %b.0.lcssa to i64
  %arrayidx31 = getelementptr inbounds i32, ptr %window, i64 %idxprom30
  store i32 %5, ptr %arrayidx31, align 4, !tbaa !4
  %inc33 = add nuw nsw i32 %a.058, 1
  %exitcond59.not = icmp eq i32 %inc33, 9
  br i1 %exitcond59.not, label %for.cond.cleanup16, label %for.body17, !llvm.loop !12

cleanup:                                          ; preds = %entry, %for.cond.cleanup16
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @permute(ptr noundef readonly captures(none) %order, ptr noundef captures(none) %values) local_unnamed_addr #0 {
entry:
  %local = alloca [16 x double], align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %local) #4
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mul = shl nuw nsw i32 %0, 4
  br label %for.body

for.cond4.preheader:                              ; preds = %for.body
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mul13 = shl nuw nsw i32 %1, 4
  br label %for.body7

for.body:                                         ; preds = %entry, %for.body
  %k.027 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %add = add nuw nsw i32 %k.027, %mul
  %idxprom = zext nneg i32 %add to i64
  %arrayidx = getelementptr inbounds nuw double, ptr %values, i64 %idxprom
  %2 = load double, ptr %arrayidx, align 8, !tbaa !13
  %idxprom1 = zext nneg i32 %k.027 to i64
  %arrayidx2 = getelementptr inbounds nuw double, ptr %local, i64 %idxprom1
  store double %2, ptr %arrayidx2, align 8, !tbaa !13
  %inc = add nuw nsw i32 %k.027, 1
  %exitcond.not = icmp eq i32 %inc, 16
  br i1 %exitcond.not, label %for.cond4.preheader, label %for.body, !llvm.loop !15

for.cond.cleanup6:                                ; preds = %for.body7
  call void @llvm.lifetime.end.p0(ptr nonnull %local) #4
  ret void

for.body7:                                        ; preds = %for.cond4.preheader, %for.body7
  %k3.028 = phi i32 [ 0, %for.cond4.preheader ], [ %inc18, %for.body7 ]
  %idxprom8 = zext nneg i32 %k3.028 to i64
  %arrayidx9 = getelementptr inbounds nuw i32, ptr %order, i64 %idxprom8
  %3 = load i32, ptr %arrayidx9, align 4, !tbaa !4
  %and = and i32 %3, 15
  %idxprom10 = zext nneg i32 %and to i64
  %arrayidx11 = getelementptr inbounds nuw double, ptr %local, i64 %idxprom10
  %4 = load double, ptr %arrayidx11, align 8, !tbaa !13
  %add14 = add nuw nsw i32 %k3.028, %mul13
  %idxprom15 = zext nneg i32 %add14 to i64
  %arrayidx16 = getelementptr inbounds nuw double, ptr %values, i64 %idxprom15
  store double %4, ptr %arrayidx16, align 8, !tbaa !13
  %inc18 = add nuw nsw i32 %k3.028, 1
  %exitcond29.not = icmp eq i32 %inc18, 16
  br i1 %exitcond29.not, label %for.cond.cleanup6, label %for.body7, !llvm.loop !16
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

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
!11 = distinct !{!11, !9, !10}
!12 = distinct !{!12, !9, !10}
!13 = !{!14, !14, i64 0}
!14 = !{!"double", !6, i64 0}
!15 = distinct !{!15, !9, !10}
!16 = distinct !{!16, !9, !10}
