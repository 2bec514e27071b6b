; ModuleID = 'examples/struct_argument.cu'
source_filename = "examples/struct_argument.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Pair = type { float, float }
%struct.Image = type { ptr, i32, i32, i16, [3 x float], %struct.Pair }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read)
define dso_local %struct.Pair @_Z7product4PairS_(ptr noundef readonly byval(%struct.Pair) align 4 captures(none) %a, ptr noundef readonly byval(%struct.Pair) align 4 captures(none) %b) local_unnamed_addr #0 {
entry:
  %0 = load float, ptr %a, align 4, !tbaa !8
  %1 = load float, ptr %b, align 4, !tbaa !8
  %mul = fmul contract float %0, %1
  %im = getelementptr inbounds nuw i8, ptr %a, i64 4
  %2 = load float, ptr %im, align 4, !tbaa !11
  %im3 = getelementptr inbounds nuw i8, ptr %b, i64 4
  %3 = load float, ptr %im3, align 4, !tbaa !11
  %mul4 = fmul contract float %2, %3
  %sub = fsub contract float %mul, %mul4
  %mul8 = fmul contract float %0, %3
  %mul11 = fmul contract float %1, %2
  %add = fadd contract float %mul11, %mul8
  %.fca.0.insert = insertvalue %struct.Pair poison, float %sub, 0
  %.fca.1.insert = insertvalue %struct.Pair %.fca.0.insert, float %add, 1
  ret %struct.Pair %.fca.1.insert
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local %struct.Image @_Z9half_size5Image(ptr noundef byval(%struct.Image) align 8 captures(none) %image) local_unnamed_addr #1 {
entry:
  %agg.tmp = alloca %struct.Pair, align 8
  %agg.tmp2 = alloca %struct.Pair, align 8
  %width = getelementptr inbounds nuw i8, ptr %image, i64 8
  %0 = load i32, ptr %width, align 8, !tbaa !12
  %div = sdiv i32 %0, 2
  store i32 %div, ptr %width, align 8, !tbaa !12
  %height = getelementptr inbounds nuw i8, ptr %image, i64 12
  %1 = load i32, ptr %height, align 4, !tbaa !17
  %div1 = sdiv i32 %1, 2
  store i32 %div1, ptr %height, align 4, !tbaa !17
  %phase = getelementptr inbounds nuw i8, ptr %image, i64 32
  %2 = load i64, ptr %phase, align 8
  store i64 %2, ptr %agg.tmp, align 8
  store i64 %2, ptr %agg.tmp2, align 8
  %call = tail call %struct.Pair @_Z7product4PairS_(ptr noundef nonnull byval(%struct.Pair) align 4 %agg.tmp, ptr noundef nonnull byval(%struct.Pair) align 4 %agg.tmp2) #6
  %3 = extractvalue %struct.Pair %call, 0
  %4 = extractvalue %struct.Pair %call, 1
  store float %3, ptr %phase, align 8, !tbaa !18
  %ref.tmp.sroa.4.0.phase4.sroa_idx = getelementptr inbounds nuw i8, ptr %image, i64 36
  store float %4, ptr %ref.tmp.sroa.4.0.phase4.sroa_idx, align 4, !tbaa !18
  %retval.sroa.0.0.copyload = load ptr, ptr %image, align 8, !tbaa !19
  %retval.sroa.4.0.image.sroa_idx = getelementptr inbounds nuw i8, ptr %image, i64 16
  %retval.sroa.4.0.copyload = load i16, ptr %retval.sroa.4.0.image.sroa_idx, align 8, !tbaa !20
  %retval.sroa.55.0.image.sroa_idx = getelementptr inbounds nuw i8, ptr %image, i64 20
  %retval.sroa.55.0.copyload = load float, ptr %retval.sroa.55.0.image.sroa_idx, align 4
  %retval.sroa.6.0.image.sroa_idx = getelementptr inbounds nuw i8, ptr %image, i64 24
  %retval.sroa.6.0.copyload = load float, ptr %retval.sroa.6.0.image.sroa_idx, align 8
  %retval.sroa.7.0.image.sroa_idx = getelementptr inbounds nuw i8, ptr %image, i64 28
  %retval.sroa.7.0.copyload = load float, ptr %retval.sroa.7.0.image.sroa_idx, align 4, !tbaa !21
  %.fca.0.insert = insertvalue %struct.Image poison, ptr %retval.sroa.0.0.copyload, 0
  %.fca.1.insert = insertvalue %struct.Image %.fca.0.insert, i32 %div, 1
  %.fca.2.insert = insertvalue %struct.Image %.fca.1.insert, i32 %div1, 2
  %.fca.3.insert = insertvalue %struct.Image %.fca.2.insert, i16 %retval.sroa.4.0.copyload, 3
  %.fca.4.0.insert = insertvalue %struct.Image %.fca.3.insert, float %retval.sroa.55.0.copyload, 4, 0
  %.fca.4.1.insert = insertvalue %struct.Image %.fca.4.0.insert, float %retval.sroa.6.0.copyload, 4, 1
  %.fca.4.2.insert = insertvalue %struct.Image %.fca.4.1.insert, float %retval.sroa.7.0.copyload, 4, 2
  %.fca.5.0.insert = insertvalue %struct.Image %.fca.4.2.insert, float %3, 5, 0
  %.fca.5.1.insert = insertvalue %struct.Image %.fca.5.0.insert, float %4, 5, 1
  ret %struct.Image %.fca.5.1.insert
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @brighten(ptr noundef readonly byval(%struct.Image) align 8 captures(none) %image) local_unnamed_addr #2 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %mul5 = mul nuw nsw i32 %3, %4
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add7 = add nuw nsw i32 %mul5, %5
  %width = getelementptr inbounds nuw i8, ptr %image, i64 8
  %6 = load i32, ptr %width, align 8, !tbaa !12
  %cmp.not = icmp slt i32 %add, %6
  %height = getelementptr inbounds nuw i8, ptr %image, i64 12
  %7 = load i32, ptr %height, align 4
  %cmp8.not = icmp slt i32 %add7, %7
  %or.cond = select i1 %cmp.not, i1 %cmp8.not, i1 false
  br i1 %or.cond, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %8 = load ptr, ptr %image, align 8, !tbaa !22
  %mul10 = mul nsw i32 %6, %add7
  %add11 = add nsw i32 %mul10, %add
  %channels = getelementptr inbounds nuw i8, ptr %image, i64 16
  %9 = load i16, ptr %channels, align 8, !tbaa !23
  %conv = sext i16 %9 to i32
  %mul12 = mul nsw i32 %add11, %conv
  %idx.ext = sext i32 %mul12 to i64
  %add.ptr = getelementptr inbounds i8, ptr %8, i64 %idx.ext
  %invariant.smin = tail call i32 @llvm.smin.i32(i32 %conv, i32 3)
  %10 = icmp sgt i16 %9, 0
  br i1 %10, label %for.body.lr.ph, label %cleanup

for.body.lr.ph:                                   ; preds = %if.end
  %gain = getelementptr inbounds nuw i8, ptr %image, i64 20
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %c.039 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %idxprom = zext nneg i32 %c.039 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %idxprom
  %11 = load i8, ptr %arrayidx, align 1, !tbaa !21
  %conv18 = uitofp i8 %11 to float
  %arrayidx20 = getelementptr inbounds nuw float, ptr %gain, i64 %idxprom
  %12 = load float, ptr %arrayidx20, align 4, !tbaa !18
  %mul21 = fmul contract float %12, %conv18
  %.inv = fcmp contract oge float %mul21, 2.550000e+02
  %conv2538 = select i1 %.inv, float 2.550000e+02, float %mul21
  %conv25 = fptoui float %conv2538 to i8
  store i8 %conv25, ptr %arrayidx, align 1, !tbaa !21
  %inc = add nuw nsw i32 %c.039, 1
  %exitcond.not = icmp eq i32 %inc, %invariant.smin
  br i1 %exitcond.not, label %cleanup, label %for.body, !llvm.loop !24

cleanup:                                          ; preds = %for.body, %if.end, %entry
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @shrink(ptr noundef readonly byval(%struct.Image) align 8 captures(none) %image, ptr noundef writeonly captures(none) %out) local_unnamed_addr #3 {
entry:
  %call = tail call %struct.Image @_Z9half_size5Image(ptr noundef nonnull byval(%struct.Image) align 8 %image) #6
  %0 = extractvalue %struct.Image %call, 0
  %1 = extractvalue %struct.Image %call, 1
  %2 = extractvalue %struct.Image %call, 2
  %3 = extractvalue %struct.Image %call, 3
  %4 = extractvalue %struct.Image %call, 4
  %.fca.0.extract = extractvalue [3 x float] %4, 0
  %.fca.1.extract = extractvalue [3 x float] %4, 1
  %.fca.2.extract = extractvalue [3 x float] %4, 2
  %5 = extractvalue %struct.Image %call, 5
  %.fca.0.extract2 = extractvalue %struct.Pair %5, 0
  %.fca.1.extract4 = extractvalue %struct.Pair %5, 1
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %6 to i64
  %arrayidx = getelementptr inbounds nuw %struct.Image, ptr %out, i64 %idxprom
  store ptr %0, ptr %arrayidx, align 8, !tbaa !19
  %ref.tmp.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i32 %1, ptr %ref.tmp.sroa.4.0.arrayidx.sroa_idx, align 8, !tbaa !4
  %ref.tmp.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12
  store i32 %2, ptr %ref.tmp.sroa.5.0.arrayidx.sroa_idx, align 4, !tbaa !4
  %ref.tmp.sroa.6.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  store i16 %3, ptr %ref.tmp.sroa.6.0.arrayidx.sroa_idx, align 8, !tbaa !20
  %ref.tmp.sroa.76.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  store float %.fca.0.extract, ptr %ref.tmp.sroa.76.0.arrayidx.sroa_idx, align 4
  %ref.tmp.sroa.8.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store float %.fca.1.extract, ptr %ref.tmp.sroa.8.0.arrayidx.sroa_idx, align 8
  %ref.tmp.sroa.9.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 28
  store float %.fca.2.extract, ptr %ref.tmp.sroa.9.0.arrayidx.sroa_idx, align 4, !tbaa !21
  %ref.tmp.sroa.10.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  store float %.fca.0.extract2, ptr %ref.tmp.sroa.10.0.arrayidx.sroa_idx, align 8, !tbaa !18
  %ref.tmp.sroa.11.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 36
  store float %.fca.1.extract4, ptr %ref.tmp.sroa.11.0.arrayidx.sroa_idx, align 4, !tbaa !18
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @rotate(ptr noundef captures(none) %points, ptr noundef readonly byval(%struct.Pair) align 4 captures(none) %by, i32 noundef %n) local_unnamed_addr #3 {
entry:
  %agg.tmp = alloca %struct.Pair, align 8
  %agg.tmp1 = alloca %struct.Pair, align 8
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cmp = icmp slt i32 %0, %n
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.Pair, ptr %points, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 4
  store i64 %1, ptr %agg.tmp, align 8
  %2 = load i64, ptr %by, align 4
  store i64 %2, ptr %agg.tmp1, align 8
  %call2 = tail call %struct.Pair @_Z7product4PairS_(ptr noundef nonnull byval(%struct.Pair) align 4 %agg.tmp, ptr noundef nonnull byval(%struct.Pair) align 4 %agg.tmp1) #6
  %3 = extractvalue %struct.Pair %call2, 0
  %4 = extractvalue %struct.Pair %call2, 1
  store float %3, ptr %arrayidx, align 4, !tbaa !18
  %ref.tmp.sroa.4.0.arrayidx4.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  store float %4, ptr %ref.tmp.sroa.4.0.arrayidx4.sroa_idx, align 4, !tbaa !18
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #5

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

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
!8 = !{!9, !10, i64 0}
!9 = !{!"_ZTS4Pair", !10, i64 0, !10, i64 4}
!10 = !{!"float", !6, i64 0}
!11 = !{!9, !10, i64 4}
!12 = !{!13, !5, i64 8}
!13 = !{!"_ZTS5Image", !14, i64 0, !5, i64 8, !5, i64 12, !16, i64 16, !6, i64 20, !9, i64 32}
!14 = !{!"p1 omnipotent char", !15, i64 0}
!15 = !{!"any pointer", !6, i64 0}
!16 = !{!"short", !6, i64 0}
!17 = !{!13, !5, i64 12}
!18 = !{!10, !10, i64 0}
!19 = !{!14, !14, i64 0}
!20 = !{!16, !16, i64 0}
!21 = !{!6, !6, i64 0}
!22 = !{!13, !14, i64 0}
!23 = !{!13, !16, i64 16}
!24 = distinct !{!24, !25, !26}
!25 = !{!"llvm.loop.mustprogress"}
!26 = !{!"llvm.loop.unroll.disable"}
