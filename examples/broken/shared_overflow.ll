; ModuleID = 'examples/broken/shared_overflow.cu'
source_filename = "examples/broken/shared_overflow.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ6smoothE4tile = internal unnamed_addr addrspace(3) global [32 x float] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @smooth(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 !dbg !12 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %idxprom = zext nneg i32 %0 to i64, !dbg !19
  %arrayidx = getelementptr inbounds nuw float, ptr %in, i64 %idxprom, !dbg !19
  %1 = load float, ptr %arrayidx, align 4, !dbg !19, !tbaa !20
  %2 = zext nneg i32 %0 to i64, !dbg !22
  %3 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ6smoothE4tile to ptr), i64 %2, !dbg !22
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %3, i64 4, !dbg !22
  store float %1, ptr %arrayidx.i, align 4, !dbg !26, !tbaa !20
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %tobool.not = icmp eq i32 %0, 0, !dbg !28
  br i1 %tobool.not, label %cond.false, label %cond.true, !dbg !28

cond.true:                                        ; preds = %entry
  %arrayidx2 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ6smoothE4tile to ptr), i64 %idxprom, !dbg !29
  %4 = load float, ptr %arrayidx2, align 4, !dbg !29, !tbaa !20
  %5 = load float, ptr %arrayidx.i, align 4, !dbg !30, !tbaa !20
  %add6 = fadd contract float %4, %5, !dbg !31
  %div = fmul contract float %add6, 5.000000e-01, !dbg !32
  br label %cond.end, !dbg !28

cond.false:                                       ; preds = %entry
  %6 = load float, ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6smoothE4tile to ptr), i64 4), align 4, !dbg !33, !tbaa !20
  br label %cond.end, !dbg !28

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi contract float [ %div, %cond.true ], [ %6, %cond.false ], !dbg !28
  %arrayidx8 = getelementptr inbounds nuw float, ptr %out, i64 %idxprom, !dbg !34
  store float %cond, ptr %arrayidx8, align 4, !dbg !35, !tbaa !20
  ret void, !dbg !36
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "examples/broken/shared_overflow.cu", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{i32 7, !"frame-pointer", i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = distinct !DISubprogram(name: "smooth", scope: !1, file: !1, line: 5, type: !13, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 28, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 28, type: !13, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "examples/broken/../cuda_min.h", directory: ".")
!18 = distinct !DILocation(line: 7, column: 11, scope: !12)
!19 = !DILocation(line: 8, column: 20, scope: !12)
!20 = !{!21, !21, i64 0}
!21 = !{!"float", !10, i64 0}
!22 = !DILocation(line: 5, column: 3, scope: !23, inlinedAt: !25)
!23 = distinct !DISubprogram(name: "put", scope: !24, file: !24, line: 4, type: !13, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!24 = !DIFile(filename: "examples/broken/tile.h", directory: ".")
!25 = distinct !DILocation(line: 8, column: 3, scope: !12)
!26 = !DILocation(line: 5, column: 12, scope: !23, inlinedAt: !25)
!27 = !DILocation(line: 9, column: 3, scope: !12)
!28 = !DILocation(line: 10, column: 12, scope: !12)
!29 = !DILocation(line: 10, column: 17, scope: !12)
!30 = !DILocation(line: 10, column: 27, scope: !12)
!31 = !DILocation(line: 10, column: 25, scope: !12)
!32 = !DILocation(line: 10, column: 40, scope: !12)
!33 = !DILocation(line: 10, column: 46, scope: !12)
!34 = !DILocation(line: 10, column: 3, scope: !12)
!35 = !DILocation(line: 10, column: 10, scope: !12)
!36 = !DILocation(line: 11, column: 1, scope: !12)
