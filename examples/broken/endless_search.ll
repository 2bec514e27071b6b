; ModuleID = 'examples/broken/endless_search.cu'
source_filename = "examples/broken/endless_search.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @search(ptr noundef readonly captures(none) %sorted, i32 noundef %n, i32 noundef %wanted, ptr noundef writeonly captures(none) %place) local_unnamed_addr #0 !dbg !12 {
entry:
  %cmp8 = icmp sgt i32 %n, 0, !dbg !15
  br i1 %cmp8, label %while.body, label %while.end, !dbg !16

while.body:                                       ; preds = %entry, %while.body
  %low.010 = phi i32 [ %low.0.div7, %while.body ], [ 0, %entry ]
  %high.09 = phi i32 [ %div7.high.0, %while.body ], [ %n, %entry ]
  %add = add nuw nsw i32 %low.010, %high.09, !dbg !17
  %div7 = lshr i32 %add, 1, !dbg !18
  %idxprom = zext nneg i32 %div7 to i64, !dbg !19
  %arrayidx = getelementptr inbounds nuw i32, ptr %sorted, i64 %idxprom, !dbg !19
  %0 = load i32, ptr %arrayidx, align 4, !dbg !19, !tbaa !8
  %cmp1.not = icmp sgt i32 %0, %wanted, !dbg !20
  %div7.high.0 = select i1 %cmp1.not, i32 %div7, i32 %high.09
  %low.0.div7 = select i1 %cmp1.not, i32 %low.010, i32 %div7
  %cmp = icmp samesign ult i32 %low.0.div7, %div7.high.0, !dbg !15
  br i1 %cmp, label %while.body, label %while.end, !dbg !16, !llvm.loop !21

while.end:                                        ; preds = %while.body, %entry
  %low.0.lcssa = phi i32 [ 0, %entry ], [ %low.0.div7, %while.body ], !dbg !25
  store i32 %low.0.lcssa, ptr %place, align 4, !dbg !26, !tbaa !8
  ret void, !dbg !27
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "examples/broken/endless_search.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "search", scope: !1, file: !1, line: 4, type: !13, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 6, column: 14, scope: !12)
!16 = !DILocation(line: 6, column: 3, scope: !12)
!17 = !DILocation(line: 7, column: 23, scope: !12)
!18 = !DILocation(line: 7, column: 31, scope: !12)
!19 = !DILocation(line: 8, column: 9, scope: !12)
!20 = !DILocation(line: 8, column: 24, scope: !12)
!21 = distinct !{!21, !16, !22, !23, !24}
!22 = !DILocation(line: 12, column: 3, scope: !12)
!23 = !{!"llvm.loop.mustprogress"}
!24 = !{!"llvm.loop.unroll.disable"}
!25 = !DILocation(line: 0, scope: !12)
!26 = !DILocation(line: 13, column: 10, scope: !12)
!27 = !DILocation(line: 14, column: 1, scope: !12)
