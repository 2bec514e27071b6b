; ModuleID = 'examples/broken/leak.cu'
source_filename = "examples/broken/leak.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(readwrite, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @collect(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 !dbg !12 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %call1 = tail call dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #4, !dbg !19
  %idxprom = zext nneg i32 %0 to i64, !dbg !20
  %arrayidx = getelementptr inbounds nuw i32, ptr %in, i64 %idxprom, !dbg !20
  %1 = load i32, ptr %arrayidx, align 4, !dbg !20, !tbaa !8
  store volatile i32 %1, ptr %call1, align 4, !dbg !21, !tbaa !8
  %cmp = icmp slt i32 %1, 8, !dbg !22
  br i1 %cmp, label %cleanup, label %if.end, !dbg !22

if.end:                                           ; preds = %entry
  %2 = load volatile i32, ptr %call1, align 4, !dbg !23, !tbaa !8
  %arrayidx7 = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom, !dbg !24
  store i32 %2, ptr %arrayidx7, align 4, !dbg !25, !tbaa !8
  tail call void @free(ptr noundef %call1) #5, !dbg !26
  br label %cleanup, !dbg !27

cleanup:                                          ; preds = %entry, %if.end
  ret void, !dbg !27
}

; Function Attrs: convergent mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare dso_local noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare dso_local void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind memory(readwrite, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #2 = { convergent mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind allocsize(0) }
attributes #5 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "examples/broken/leak.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "collect", scope: !1, file: !1, line: 7, type: !13, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 28, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 28, type: !13, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "examples/broken/../cuda_min.h", directory: ".")
!18 = distinct !DILocation(line: 8, column: 11, scope: !12)
!19 = !DILocation(line: 9, column: 41, scope: !12)
!20 = !DILocation(line: 10, column: 14, scope: !12)
!21 = !DILocation(line: 10, column: 12, scope: !12)
!22 = !DILocation(line: 11, column: 13, scope: !12)
!23 = !DILocation(line: 13, column: 12, scope: !12)
!24 = !DILocation(line: 13, column: 3, scope: !12)
!25 = !DILocation(line: 13, column: 10, scope: !12)
!26 = !DILocation(line: 14, column: 3, scope: !12)
!27 = !DILocation(line: 15, column: 1, scope: !12)
