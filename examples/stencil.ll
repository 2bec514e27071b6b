; ModuleID = 'examples/stencil.cu'
source_filename = "examples/stencil.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@weights = dso_local addrspace(4) externally_initialized constant [5 x float] [float 5.000000e-01, float 1.250000e-01, float 1.250000e-01, float 1.250000e-01, float 1.250000e-01], align 4
@cells_updated = dso_local addrspace(1) externally_initialized global i64 0, align 8
@_ZZ7stencilE4cell = internal unnamed_addr addrspace(3) global [18 x [18 x float]] undef, align 4
@llvm.compiler.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @cells_updated to ptr), ptr addrspacecast (ptr addrspace(4) @weights to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @stencil(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, i32 noundef %width, i32 noundef %height) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul = shl i32 %0, 4
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %mul3 = shl nuw nsw i32 %2, 4
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add5 = add nuw nsw i32 %mul3, %3
  %add7 = add nuw nsw i32 %1, 1
  %cmp = icmp slt i32 %add, %width
  %cmp10 = icmp slt i32 %add5, %height
  %4 = and i1 %cmp, %cmp10
  br i1 %4, label %cond.true, label %cond.end

cond.true:                                        ; preds = %entry
  %mul11 = mul nsw i32 %width, %add5
  %add12 = add nsw i32 %mul11, %add
  %idxprom = sext i32 %add12 to i64
  %arrayidx = getelementptr inbounds float, ptr %in, i64 %idxprom
  %5 = load float, ptr %arrayidx, align 4, !tbaa !8
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi contract float [ %5, %cond.true ], [ 0.000000e+00, %entry ]
  %6 = zext nneg i32 %3 to i64
  %7 = getelementptr inbounds nuw [18 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 %6
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %7, i64 72
  %idxprom15 = zext nneg i32 %add7 to i64
  %arrayidx16 = getelementptr inbounds nuw float, ptr %arrayidx14, i64 %idxprom15
  store float %cond, ptr %arrayidx16, align 4, !tbaa !8
  switch i32 %1, label %if.end51 [
    i32 0, label %if.then
    i32 15, label %if.then34
  ]

if.then:                                          ; preds = %cond.end
  %cmp20 = icmp sgt i32 %add, 0
  %or.cond = and i1 %cmp20, %4
  br i1 %or.cond, label %cond.true21, label %cond.end27

cond.true21:                                      ; preds = %if.then
  %mul22 = mul nsw i32 %width, %add5
  %add23 = add nsw i32 %mul22, %add
  %8 = sext i32 %add23 to i64
  %9 = getelementptr float, ptr %in, i64 %8
  %arrayidx25 = getelementptr i8, ptr %9, i64 -4
  %10 = load float, ptr %arrayidx25, align 4, !tbaa !8
  br label %cond.end27

cond.end27:                                       ; preds = %if.then, %cond.true21
  %cond28 = phi contract float [ %10, %cond.true21 ], [ 0.000000e+00, %if.then ]
  store float %cond28, ptr %arrayidx14, align 4, !tbaa !8
  br label %if.end51

if.then34:                                        ; preds = %cond.end
  %add37 = add nsw i32 %add, 1
  %cmp38 = icmp slt i32 %add37, %width
  %or.cond188 = select i1 %4, i1 %cmp38, i1 false
  br i1 %or.cond188, label %cond.true39, label %cond.end46

cond.true39:                                      ; preds = %if.then34
  %mul40 = mul nsw i32 %width, %add5
  %add41 = add nsw i32 %mul40, %add
  %11 = sext i32 %add41 to i64
  %12 = getelementptr float, ptr %in, i64 %11
  %arrayidx44 = getelementptr i8, ptr %12, i64 4
  %13 = load float, ptr %arrayidx44, align 4, !tbaa !8
  br label %cond.end46

cond.end46:                                       ; preds = %if.then34, %cond.true39
  %cond47 = phi contract float [ %13, %cond.true39 ], [ 0.000000e+00, %if.then34 ]
  %arrayidx50 = getelementptr inbounds nuw i8, ptr %7, i64 140
  store float %cond47, ptr %arrayidx50, align 4, !tbaa !8
  br label %if.end51

if.end51:                                         ; preds = %cond.end27, %cond.end, %cond.end46
  switch i32 %3, label %if.end88 [
    i32 0, label %if.then54
    i32 15, label %if.then72
  ]

if.then54:                                        ; preds = %if.end51
  %cmp57 = icmp ne i32 %add5, 0
  %or.cond140 = and i1 %cmp57, %4
  br i1 %or.cond140, label %cond.true58, label %if.end88.sink.split

cond.true58:                                      ; preds = %if.then54
  %sub59 = add nsw i32 %add5, -1
  br label %if.end88.sink.split.sink.split

if.then72:                                        ; preds = %if.end51
  %add75 = add nuw nsw i32 %add5, 1
  %cmp76 = icmp slt i32 %add75, %height
  %or.cond190 = select i1 %4, i1 %cmp76, i1 false
  br i1 %or.cond190, label %if.end88.sink.split.sink.split, label %if.end88.sink.split

if.end88.sink.split.sink.split:                   ; preds = %if.then72, %cond.true58
  %add75.sink = phi i32 [ %sub59, %cond.true58 ], [ %add75, %if.then72 ]
  %.sink.ph = phi ptr [ addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), %cond.true58 ], [ getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 1224), %if.then72 ]
  %mul79 = mul nsw i32 %width, %add75.sink
  %add80 = add nsw i32 %mul79, %add
  %idxprom81 = sext i32 %add80 to i64
  %arrayidx82 = getelementptr inbounds float, ptr %in, i64 %idxprom81
  %14 = load float, ptr %arrayidx82, align 4, !tbaa !8
  br label %if.end88.sink.split

if.end88.sink.split:                              ; preds = %if.end88.sink.split.sink.split, %if.then72, %if.then54
  %.sink = phi ptr [ %.sink.ph, %if.end88.sink.split.sink.split ], [ addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), %if.then54 ], [ getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 1224), %if.then72 ]
  %cond66.sink = phi float [ %14, %if.end88.sink.split.sink.split ], [ 0.000000e+00, %if.then54 ], [ 0.000000e+00, %if.then72 ]
  %arrayidx68 = getelementptr inbounds nuw float, ptr %.sink, i64 %idxprom15
  store float %cond66.sink, ptr %arrayidx68, align 4, !tbaa !8
  br label %if.end88

if.end88:                                         ; preds = %if.end88.sink.split, %if.end51
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %4, label %if.end91, label %cleanup

if.end91:                                         ; preds = %if.end88
  %15 = load float, ptr addrspacecast (ptr addrspace(4) @weights to ptr), align 4, !tbaa !8
  %16 = load float, ptr %arrayidx16, align 4, !tbaa !8
  %mul96 = fmul contract float %15, %16
  %17 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 4), align 4, !tbaa !8
  %idxprom100 = zext nneg i32 %1 to i64
  %arrayidx101 = getelementptr inbounds nuw float, ptr %arrayidx14, i64 %idxprom100
  %18 = load float, ptr %arrayidx101, align 4, !tbaa !8
  %mul102 = fmul contract float %17, %18
  %add103 = fadd contract float %mul96, %mul102
  %19 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 8), align 4, !tbaa !8
  %20 = zext nneg i32 %1 to i64
  %21 = getelementptr inbounds nuw float, ptr %arrayidx14, i64 %20
  %arrayidx108 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %22 = load float, ptr %arrayidx108, align 4, !tbaa !8
  %mul109 = fmul contract float %19, %22
  %add110 = fadd contract float %add103, %mul109
  %23 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 12), align 4, !tbaa !8
  %idxprom112 = zext nneg i32 %3 to i64
  %arrayidx113 = getelementptr inbounds nuw [18 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 %idxprom112
  %arrayidx115 = getelementptr inbounds nuw float, ptr %arrayidx113, i64 %idxprom15
  %24 = load float, ptr %arrayidx115, align 4, !tbaa !8
  %mul116 = fmul contract float %23, %24
  %add117 = fadd contract float %add110, %mul116
  %25 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 16), align 4, !tbaa !8
  %26 = zext nneg i32 %3 to i64
  %27 = getelementptr inbounds nuw [18 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 %26
  %arrayidx120 = getelementptr inbounds nuw i8, ptr %27, i64 144
  %arrayidx122 = getelementptr inbounds nuw float, ptr %arrayidx120, i64 %idxprom15
  %28 = load float, ptr %arrayidx122, align 4, !tbaa !8
  %mul123 = fmul contract float %25, %28
  %add124 = fadd contract float %add117, %mul123
  %mul125 = mul nsw i32 %width, %add5
  %add126 = add nsw i32 %mul125, %add
  %idxprom127 = sext i32 %add126 to i64
  %arrayidx128 = getelementptr inbounds float, ptr %out, i64 %idxprom127
  store float %add124, ptr %arrayidx128, align 4, !tbaa !8
  %29 = or i32 %1, %3
  %brmerge.not = icmp eq i32 %29, 0
  br i1 %brmerge.not, label %if.then134, label %cleanup

if.then134:                                       ; preds = %if.end91
  %30 = atomicrmw add ptr addrspacecast (ptr addrspace(1) @cells_updated to ptr), i64 256 seq_cst, align 8
  br label %cleanup

cleanup:                                          ; preds = %if.end91, %if.then134, %if.end88
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
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
!9 = !{!"float", !6, i64 0}
