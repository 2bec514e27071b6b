; ModuleID = 'examples/broken/divergent_barrier.cu'
source_filename = "examples/broken/divergent_barrier.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @halve(ptr noundef captures(none) %values) local_unnamed_addr #0 !dbg !12 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %cmp = icmp samesign ult i32 %0, 32, !dbg !19
  br i1 %cmp, label %if.then, label %if.end, !dbg !19

if.then:                                          ; preds = %entry
  %1 = zext nneg i32 %0 to i64, !dbg !20
  %2 = getelementptr i32, ptr %values, i64 %1, !dbg !20
  %arrayidx = getelementptr i8, ptr %2, i64 128, !dbg !20
  %3 = load i32, ptr %arrayidx, align 4, !dbg !20, !tbaa !8
  %4 = load i32, ptr %2, align 4, !dbg !21, !tbaa !8
  %add3 = add nsw i32 %4, %3, !dbg !21
  store i32 %add3, ptr %2, align 4, !dbg !21, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !22
  br label %if.end, !dbg !23

if.end:                                           ; preds = %if.then, %entry
  %idxprom4 = zext nneg i32 %0 to i64, !dbg !24
  %arrayidx5 = getelementptr inbounds nuw i32, ptr %values, i64 %idxprom4, !dbg !24
  %5 = load i32, ptr %arrayidx5, align 4, !dbg !25, !tbaa !8
  %mul = shl nsw i32 %5, 1, !dbg !25
  store i32 %mul, ptr %arrayidx5, align 4, !dbg !25, !tbaa !8
  ret void, !dbg !26
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
!1 = !DIFile(filename: "examples/broken/divergent_barrier.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "halve", scope: !1, file: !1, line: 4, type: !13, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 28, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 28, type: !13, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "examples/broken/../cuda_min.h", directory: ".")
!18 = distinct !DILocation(line: 5, column: 11, scope: !12)
!19 = !DILocation(line: 6, column: 9, scope: !12)
!20 = !DILocation(line: 7, column: 18, scope: !12)
!21 = !DILocation(line: 7, column: 15, scope: !12)
!22 = !DILocation(line: 8, column: 5, scope: !12)
!23 = !DILocation(line: 9, column: 3, scope: !12)
!24 = !DILocation(line: 10, column: 3, scope: !12)
!25 = !DILocation(line: 10, column: 13, scope: !12)
!26 = !DILocation(line: 11, column: 1, scope: !12)
