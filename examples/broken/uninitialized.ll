; ModuleID = 'examples/broken/uninitialized.cu'
source_filename = "examples/broken/uninitialized.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ9any_aboveE4tile = internal unnamed_addr addrspace(3) global [32 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @any_above(ptr noundef readonly captures(none) %in, i32 noundef %n, i32 noundef %limit, ptr noundef writeonly captures(none) %found) local_unnamed_addr #0 !dbg !12 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %cmp = icmp slt i32 %0, %n, !dbg !19
  br i1 %cmp, label %if.then, label %if.end, !dbg !19

if.then:                                          ; preds = %entry
  %idxprom = zext nneg i32 %0 to i64, !dbg !20
  %arrayidx = getelementptr inbounds nuw i32, ptr %in, i64 %idxprom, !dbg !20
  %1 = load i32, ptr %arrayidx, align 4, !dbg !20, !tbaa !8
  %arrayidx2 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9any_aboveE4tile to ptr), i64 %idxprom, !dbg !21
  store i32 %1, ptr %arrayidx2, align 4, !dbg !22, !tbaa !8
  br label %if.end, !dbg !21

if.end:                                           ; preds = %if.then, %entry
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  %idxprom3 = zext nneg i32 %0 to i64, !dbg !24
  %arrayidx4 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9any_aboveE4tile to ptr), i64 %idxprom3, !dbg !24
  %2 = load i32, ptr %arrayidx4, align 4, !dbg !24, !tbaa !8
  %xor = xor i32 %0, 1, !dbg !25
  %idxprom5 = zext nneg i32 %xor to i64, !dbg !26
  %arrayidx6 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9any_aboveE4tile to ptr), i64 %idxprom5, !dbg !26
  %3 = load i32, ptr %arrayidx6, align 4, !dbg !26, !tbaa !8
  %. = tail call i32 @llvm.smax.i32(i32 %2, i32 %3), !dbg !24
  %cmp13 = icmp sgt i32 %., %limit, !dbg !27
  br i1 %cmp13, label %if.then14, label %if.end15, !dbg !27

if.then14:                                        ; preds = %if.end
  store i32 1, ptr %found, align 4, !dbg !28, !tbaa !8
  br label %if.end15, !dbg !29

if.end15:                                         ; preds = %if.then14, %if.end
  ret void, !dbg !30
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "examples/broken/uninitialized.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "any_above", scope: !1, file: !1, line: 4, type: !13, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 28, column: 1, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "read_x", scope: !17, file: !17, line: 28, type: !13, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "examples/broken/../cuda_min.h", directory: ".")
!18 = distinct !DILocation(line: 6, column: 11, scope: !12)
!19 = !DILocation(line: 7, column: 9, scope: !12)
!20 = !DILocation(line: 8, column: 15, scope: !12)
!21 = !DILocation(line: 8, column: 5, scope: !12)
!22 = !DILocation(line: 8, column: 13, scope: !12)
!23 = !DILocation(line: 9, column: 3, scope: !12)
!24 = !DILocation(line: 10, column: 17, scope: !12)
!25 = !DILocation(line: 10, column: 34, scope: !12)
!26 = !DILocation(line: 10, column: 27, scope: !12)
!27 = !DILocation(line: 11, column: 15, scope: !12)
!28 = !DILocation(line: 12, column: 12, scope: !12)
!29 = !DILocation(line: 12, column: 5, scope: !12)
!30 = !DILocation(line: 13, column: 1, scope: !12)
