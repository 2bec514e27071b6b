; RUN: nvvm-cc -g -O0 -arch sm_80 %s | filecheck %s --check-prefix=O0
; RUN: nvvm-cc -g -O3 -arch sm_80 %s | filecheck %s --check-prefix=O3
; RUN: nvvm-cc -generate-line-info -O3 -arch sm_80 %s | filecheck %s --check-prefix=LINES
; RUN: nvvm-cc -O3 -arch sm_80 %s | filecheck %s --check-prefix=NONE

; Each kind of type, variable and scope. Generated from variables.cu in this folder by the clang of
; examples/regenerate.py with -g -O2 -Xclang -disable-llvm-passes -Xclang -debug-info-kind=standalone
; -fno-discard-value-names. test_debug_info.py checks the contents of the sections.

; O0: .target sm_80, debug
; O0: .entry walk(
; O0: $L__func_begin[[N:[0-9]+]]:
; O0-NEXT: .loc 1 20 0
; O0: .loc 1 28 16
; O0-NEXT: .loc 2 28 1, function_name $L__info_string{{[0-9]+}}, inlined_at 1 28 16
; O0-NEXT: mov.u32 {{%r[0-9]+}}, %tid.x;
; O0: $L__func_end[[N]]:
; O0-NEXT: }
; O0: .file 1 "./variables.cu"
; O0: .section .debug_str
; O0: .section .debug_abbrev
; O0: .section .debug_info

; The location of the call of scaled() precedes the inlined code.
; O3: .target sm_80, debug
; O3: .loc 1 25 14
; O3-NEXT: .loc 1 16 {{[0-9]+}}, function_name [[SCALED:[$]L__info_string[0-9]+]], inlined_at 1 25 14

; LINES: .target sm_80{{$}}
; LINES-NOT: $L__tmp
; LINES: .loc 1 25 14
; LINES-NEXT: .loc 1 16 {{[0-9]+}}, function_name [[SCALED:[$]L__info_string[0-9]+]], inlined_at 1 25 14
; LINES: .section .debug_str
; LINES-NOT: .section .debug_info

; NONE-NOT: .loc
; NONE-NOT: .section

; ModuleID = 'variables.cu'
source_filename = "variables.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%"struct.shapes::Node" = type { ptr, i8, %union.anon, i32 }
%union.anon = type { i32 }
%struct.threadIdx_t = type { i8 }

$_ZN6shapes6scaledEii = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

@_ZN6shapes6limitsE = dso_local addrspace(4) externally_initialized constant [2 x [3 x i32]] [[3 x i32] [i32 1, i32 2, i32 3], [3 x i32] [i32 4, i32 5, i32 6]], align 4, !dbg !0
@_ZN6shapes4tileE = dso_local addrspace(3) global [32 x double] undef, align 8, !dbg !9
@_ZN6shapes4headE = dso_local addrspace(1) externally_initialized global %"struct.shapes::Node" zeroinitializer, align 8, !dbg !15
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@llvm.compiler.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @_ZN6shapes6limitsE to ptr), ptr addrspacecast (ptr addrspace(1) @_ZN6shapes4headE to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @walk(ptr noundef %list, ptr noundef %samples, ptr noundef %unused, i1 noundef zeroext %flag, i64 noundef %n) #0 !dbg !51 {
entry:
  %list.addr = alloca ptr, align 8
  %samples.addr = alloca ptr, align 8
  %unused.addr = alloca ptr, align 8
  %flag.addr = alloca i8, align 1
  %n.addr = alloca i64, align 8
  %total = alloca i32, align 4
  %first = alloca ptr, align 8
  %i = alloca i32, align 4
  %sample = alloca float, align 4
  %inner = alloca i8, align 1
  store ptr %list, ptr %list.addr, align 8, !tbaa !79
    #dbg_declare(ptr %list.addr, !64, !DIExpression(), !82)
  store ptr %samples, ptr %samples.addr, align 8, !tbaa !83
    #dbg_declare(ptr %samples.addr, !65, !DIExpression(), !85)
  store ptr %unused, ptr %unused.addr, align 8, !tbaa !86
    #dbg_declare(ptr %unused.addr, !66, !DIExpression(), !87)
  %storedv = zext i1 %flag to i8
  store i8 %storedv, ptr %flag.addr, align 1, !tbaa !88
    #dbg_declare(ptr %flag.addr, !67, !DIExpression(), !90)
  store i64 %n, ptr %n.addr, align 8, !tbaa !91
    #dbg_declare(ptr %n.addr, !68, !DIExpression(), !93)
  call void @llvm.lifetime.start.p0(ptr %total) #5, !dbg !94
    #dbg_declare(ptr %total, !69, !DIExpression(), !95)
  store i32 0, ptr %total, align 4, !dbg !95, !tbaa !47
  call void @llvm.lifetime.start.p0(ptr %first) #5, !dbg !96
    #dbg_declare(ptr %first, !70, !DIExpression(), !97)
  %0 = load ptr, ptr %list.addr, align 8, !dbg !98, !tbaa !79
  store ptr %0, ptr %first, align 8, !dbg !97, !tbaa !79
  call void @llvm.lifetime.start.p0(ptr %i) #5, !dbg !99
    #dbg_declare(ptr %i, !72, !DIExpression(), !100)
  store i32 0, ptr %i, align 4, !dbg !100, !tbaa !47
  br label %for.cond, !dbg !99

for.cond:                                         ; preds = %for.inc, %entry
  %1 = load i32, ptr %i, align 4, !dbg !101, !tbaa !47
  %conv = sext i32 %1 to i64, !dbg !101
  %2 = load i64, ptr %n.addr, align 8, !dbg !102, !tbaa !91
  %cmp = icmp slt i64 %conv, %2, !dbg !103
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !104

for.cond.cleanup:                                 ; preds = %for.cond
  call void @llvm.lifetime.end.p0(ptr %i) #5, !dbg !105
  br label %for.end

for.body:                                         ; preds = %for.cond
  call void @llvm.lifetime.start.p0(ptr %sample) #5, !dbg !106
    #dbg_declare(ptr %sample, !74, !DIExpression(), !107)
  %3 = load ptr, ptr %samples.addr, align 8, !dbg !108, !tbaa !83
  %4 = load i32, ptr %i, align 4, !dbg !109, !tbaa !47
  %idxprom = sext i32 %4 to i64, !dbg !108
  %arrayidx = getelementptr inbounds float, ptr %3, i64 %idxprom, !dbg !108
  %5 = load volatile float, ptr %arrayidx, align 4, !dbg !108, !tbaa !110
  store float %5, ptr %sample, align 4, !dbg !107, !tbaa !110
  %6 = load i32, ptr %i, align 4, !dbg !112, !tbaa !47
  %call = call noundef i32 @_ZN6shapes6scaledEii(i32 noundef %6, i32 noundef 3) #6, !dbg !113
  %7 = load float, ptr %sample, align 4, !dbg !114, !tbaa !110
  %conv1 = fptosi float %7 to i32, !dbg !114
  %add = add nsw i32 %call, %conv1, !dbg !115
  %8 = load i32, ptr %total, align 4, !dbg !116, !tbaa !47
  %add2 = add nsw i32 %8, %add, !dbg !116
  store i32 %add2, ptr %total, align 4, !dbg !116, !tbaa !47
  call void @llvm.lifetime.start.p0(ptr %inner) #5, !dbg !117
    #dbg_declare(ptr %inner, !77, !DIExpression(), !118)
  %9 = load i32, ptr %total, align 4, !dbg !119, !tbaa !47
  %conv3 = trunc i32 %9 to i8, !dbg !119
  store i8 %conv3, ptr %inner, align 1, !dbg !118, !tbaa !120
  %10 = load i8, ptr %inner, align 1, !dbg !121, !tbaa !120
  %conv4 = sext i8 %10 to i32, !dbg !121
  %11 = load i32, ptr %total, align 4, !dbg !122, !tbaa !47
  %add5 = add nsw i32 %11, %conv4, !dbg !122
  store i32 %add5, ptr %total, align 4, !dbg !122, !tbaa !47
  call void @llvm.lifetime.end.p0(ptr %inner) #5, !dbg !123
  call void @llvm.lifetime.end.p0(ptr %sample) #5, !dbg !124
  br label %for.inc, !dbg !125

for.inc:                                          ; preds = %for.body
  %12 = load i32, ptr %i, align 4, !dbg !126, !tbaa !47
  %inc = add nsw i32 %12, 1, !dbg !126
  store i32 %inc, ptr %i, align 4, !dbg !126, !tbaa !47
  br label %for.cond, !dbg !105, !llvm.loop !127

for.end:                                          ; preds = %for.cond.cleanup
  %13 = load i32, ptr %total, align 4, !dbg !130, !tbaa !47
  %conv6 = sitofp i32 %13 to double, !dbg !130
  %call7 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6, !dbg !131
  %idxprom8 = zext i32 %call7 to i64, !dbg !132
  %arrayidx9 = getelementptr inbounds nuw [32 x double], ptr addrspacecast (ptr addrspace(3) @_ZN6shapes4tileE to ptr), i64 0, i64 %idxprom8, !dbg !132
  store double %conv6, ptr %arrayidx9, align 8, !dbg !133, !tbaa !134
  %14 = load i8, ptr %flag.addr, align 1, !dbg !136, !tbaa !88, !range !137, !noundef !138
  %loadedv = trunc i8 %14 to i1, !dbg !136
  br i1 %loadedv, label %cond.true, label %cond.false, !dbg !136

cond.true:                                        ; preds = %for.end
  %15 = load i32, ptr %total, align 4, !dbg !139, !tbaa !47
  br label %cond.end, !dbg !136

cond.false:                                       ; preds = %for.end
  %16 = load i32, ptr %total, align 4, !dbg !140, !tbaa !47
  %and = and i32 %16, 1, !dbg !141
  %idxprom10 = sext i32 %and to i64, !dbg !142
  %arrayidx11 = getelementptr inbounds [3 x i32], ptr getelementptr inbounds ([2 x [3 x i32]], ptr addrspacecast (ptr addrspace(4) @_ZN6shapes6limitsE to ptr), i64 0, i64 1), i64 0, i64 %idxprom10, !dbg !142
  %17 = load i32, ptr %arrayidx11, align 4, !dbg !142, !tbaa !47
  br label %cond.end, !dbg !136

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %15, %cond.true ], [ %17, %cond.false ], !dbg !136
  %18 = load ptr, ptr %first, align 8, !dbg !143, !tbaa !79, !nonnull !138, !align !144
  %19 = getelementptr inbounds nuw %"struct.shapes::Node", ptr %18, i32 0, i32 2, !dbg !145
  store i32 %cond, ptr %19, align 4, !dbg !146, !tbaa !120
  %20 = load ptr, ptr %list.addr, align 8, !dbg !147, !tbaa !79
  store ptr %20, ptr addrspacecast (ptr addrspace(1) @_ZN6shapes4headE to ptr), align 8, !dbg !148, !tbaa !149
  call void @llvm.lifetime.end.p0(ptr %first) #5, !dbg !152
  call void @llvm.lifetime.end.p0(ptr %total) #5, !dbg !152
  ret void, !dbg !152
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: convergent inlinehint mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN6shapes6scaledEii(i32 noundef %value, i32 noundef %factor) #2 comdat !dbg !153 {
entry:
  %value.addr = alloca i32, align 4
  %factor.addr = alloca i32, align 4
  %product = alloca i32, align 4
  store i32 %value, ptr %value.addr, align 4, !tbaa !47
    #dbg_declare(ptr %value.addr, !157, !DIExpression(), !160)
  store i32 %factor, ptr %factor.addr, align 4, !tbaa !47
    #dbg_declare(ptr %factor.addr, !158, !DIExpression(), !161)
  call void @llvm.lifetime.start.p0(ptr %product) #5, !dbg !162
    #dbg_declare(ptr %product, !159, !DIExpression(), !163)
  %0 = load i32, ptr %value.addr, align 4, !dbg !164, !tbaa !47
  %1 = load i32, ptr %value.addr, align 4, !dbg !165, !tbaa !47
  %2 = load i32, ptr %factor.addr, align 4, !dbg !166, !tbaa !47
  %shr = ashr i32 %1, %2, !dbg !167
  %xor = xor i32 %0, %shr, !dbg !168
  store i32 %xor, ptr %product, align 4, !dbg !163, !tbaa !47
  %3 = load i32, ptr %product, align 4, !dbg !169, !tbaa !47
  call void @llvm.lifetime.end.p0(ptr %product) #5, !dbg !170
  ret i32 %3, !dbg !171
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #3 comdat align 2 !dbg !172 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !181
  ret i32 %0, !dbg !181
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { convergent inlinehint mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind }

!llvm.dbg.cu = !{!36}
!llvm.module.flags = !{!41, !42, !43, !44, !45}
!llvm.ident = !{!46}
!llvm.errno.tbaa = !{!47}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 4, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "limits", linkageName: "_ZN6shapes6limitsE", scope: !2, file: !3, line: 12, type: !4, isLocal: false, isDefinition: true)
!2 = !DINamespace(name: "shapes", scope: null)
!3 = !DIFile(filename: "variables.cu", directory: ".")
!4 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 192, elements: !6)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!7, !8}
!7 = !DISubrange(count: 2)
!8 = !DISubrange(count: 3)
!9 = !DIGlobalVariableExpression(var: !10, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!10 = distinct !DIGlobalVariable(name: "tile", linkageName: "_ZN6shapes4tileE", scope: !2, file: !3, line: 13, type: !11, isLocal: false, isDefinition: true)
!11 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 2048, elements: !13)
!12 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!13 = !{!14}
!14 = !DISubrange(count: 32)
!15 = !DIGlobalVariableExpression(var: !16, expr: !DIExpression())
!16 = distinct !DIGlobalVariable(name: "head", linkageName: "_ZN6shapes4headE", scope: !2, file: !3, line: 14, type: !17, isLocal: false, isDefinition: true)
!17 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Node", scope: !2, file: !3, line: 5, size: 192, flags: DIFlagTypePassByValue, elements: !18, identifier: "_ZTSN6shapes4NodeE")
!18 = !{!19, !21, !23, !24, !30}
!19 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !17, file: !3, line: 6, baseType: !20, size: 64)
!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "low", scope: !17, file: !3, line: 7, baseType: !22, size: 3, offset: 64, flags: DIFlagBitField, extraData: i64 64)
!22 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "high", scope: !17, file: !3, line: 7, baseType: !22, size: 5, offset: 67, flags: DIFlagBitField, extraData: i64 64)
!24 = !DIDerivedType(tag: DW_TAG_member, scope: !17, file: !3, line: 8, baseType: !25, size: 32, offset: 96)
!25 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !17, file: !3, line: 8, size: 32, flags: DIFlagExportSymbols | DIFlagTypePassByValue, elements: !26, identifier: "_ZTSN6shapes4NodeUt_E")
!26 = !{!27, !28}
!27 = !DIDerivedType(tag: DW_TAG_member, name: "number", scope: !25, file: !3, line: 8, baseType: !5, size: 32)
!28 = !DIDerivedType(tag: DW_TAG_member, name: "real", scope: !25, file: !3, line: 8, baseType: !29, size: 32)
!29 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!30 = !DIDerivedType(tag: DW_TAG_member, name: "color", scope: !17, file: !3, line: 9, baseType: !31, size: 32, offset: 128)
!31 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "Color", scope: !2, file: !3, line: 4, baseType: !5, size: 32, elements: !32, identifier: "_ZTSN6shapes5ColorE")
!32 = !{!33, !34, !35}
!33 = !DIEnumerator(name: "RED", value: -1)
!34 = !DIEnumerator(name: "GREEN", value: 0)
!35 = !DIEnumerator(name: "BLUE", value: 7)
!36 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !37, retainedTypes: !38, globals: !40, splitDebugInlining: false, nameTableKind: None)
!37 = !{!31}
!38 = !{!5, !39}
!39 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!40 = !{!0, !9, !15}
!41 = !{i32 7, !"Dwarf Version", i32 2}
!42 = !{i32 2, !"Debug Info Version", i32 3}
!43 = !{i32 1, !"wchar_size", i32 4}
!44 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!45 = !{i32 7, !"frame-pointer", i32 2}
!46 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!47 = !{!48, !48, i64 0}
!48 = !{!"int", !49, i64 0}
!49 = !{!"omnipotent char", !50, i64 0}
!50 = !{!"Simple C++ TBAA"}
!51 = distinct !DISubprogram(name: "walk", scope: !3, file: !3, line: 20, type: !52, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !36, retainedNodes: !63)
!52 = !DISubroutineType(types: !53)
!53 = !{null, !20, !54, !58, !61, !62}
!54 = !DIDerivedType(tag: DW_TAG_typedef, name: "Samples", scope: !2, file: !3, line: 11, baseType: !55)
!55 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !56, size: 64)
!56 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !57)
!57 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !29)
!58 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !59, size: 64)
!59 = !DISubroutineType(types: !60)
!60 = !{!5, !29}
!61 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!62 = !DIBasicType(name: "long long", size: 64, encoding: DW_ATE_signed)
!63 = !{!64, !65, !66, !67, !68, !69, !70, !72, !74, !77}
!64 = !DILocalVariable(name: "list", arg: 1, scope: !51, file: !3, line: 20, type: !20)
!65 = !DILocalVariable(name: "samples", arg: 2, scope: !51, file: !3, line: 20, type: !54)
!66 = !DILocalVariable(name: "unused", arg: 3, scope: !51, file: !3, line: 20, type: !58)
!67 = !DILocalVariable(name: "flag", arg: 4, scope: !51, file: !3, line: 20, type: !61)
!68 = !DILocalVariable(name: "n", arg: 5, scope: !51, file: !3, line: 20, type: !62)
!69 = !DILocalVariable(name: "total", scope: !51, file: !3, line: 21, type: !5)
!70 = !DILocalVariable(name: "first", scope: !51, file: !3, line: 22, type: !71)
!71 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !17, size: 64)
!72 = !DILocalVariable(name: "i", scope: !73, file: !3, line: 23, type: !5)
!73 = distinct !DILexicalBlock(scope: !51, file: !3, line: 23, column: 3)
!74 = !DILocalVariable(name: "sample", scope: !75, file: !3, line: 24, type: !29)
!75 = distinct !DILexicalBlock(scope: !76, file: !3, line: 23, column: 31)
!76 = distinct !DILexicalBlock(scope: !73, file: !3, line: 23, column: 3)
!77 = !DILocalVariable(name: "inner", scope: !78, file: !3, line: 26, type: !39)
!78 = distinct !DILexicalBlock(scope: !75, file: !3, line: 26, column: 5)
!79 = !{!80, !80, i64 0}
!80 = !{!"p1 _ZTSN6shapes4NodeE", !81, i64 0}
!81 = !{!"any pointer", !49, i64 0}
!82 = !DILocation(line: 20, column: 47, scope: !51)
!83 = !{!84, !84, i64 0}
!84 = !{!"p1 float", !81, i64 0}
!85 = !DILocation(line: 20, column: 69, scope: !51)
!86 = !{!81, !81, i64 0}
!87 = !DILocation(line: 20, column: 84, scope: !51)
!88 = !{!89, !89, i64 0}
!89 = !{!"bool", !49, i64 0}
!90 = !DILocation(line: 20, column: 105, scope: !51)
!91 = !{!92, !92, i64 0}
!92 = !{!"long long", !49, i64 0}
!93 = !DILocation(line: 20, column: 121, scope: !51)
!94 = !DILocation(line: 21, column: 3, scope: !51)
!95 = !DILocation(line: 21, column: 7, scope: !51)
!96 = !DILocation(line: 22, column: 3, scope: !51)
!97 = !DILocation(line: 22, column: 17, scope: !51)
!98 = !DILocation(line: 22, column: 26, scope: !51)
!99 = !DILocation(line: 23, column: 8, scope: !73)
!100 = !DILocation(line: 23, column: 12, scope: !73)
!101 = !DILocation(line: 23, column: 19, scope: !76)
!102 = !DILocation(line: 23, column: 23, scope: !76)
!103 = !DILocation(line: 23, column: 21, scope: !76)
!104 = !DILocation(line: 23, column: 3, scope: !73)
!105 = !DILocation(line: 23, column: 3, scope: !76)
!106 = !DILocation(line: 24, column: 5, scope: !75)
!107 = !DILocation(line: 24, column: 11, scope: !75)
!108 = !DILocation(line: 24, column: 20, scope: !75)
!109 = !DILocation(line: 24, column: 28, scope: !75)
!110 = !{!111, !111, i64 0}
!111 = !{!"float", !49, i64 0}
!112 = !DILocation(line: 25, column: 29, scope: !75)
!113 = !DILocation(line: 25, column: 14, scope: !75)
!114 = !DILocation(line: 25, column: 42, scope: !75)
!115 = !DILocation(line: 25, column: 35, scope: !75)
!116 = !DILocation(line: 25, column: 11, scope: !75)
!117 = !DILocation(line: 26, column: 7, scope: !78)
!118 = !DILocation(line: 26, column: 12, scope: !78)
!119 = !DILocation(line: 26, column: 26, scope: !78)
!120 = !{!49, !49, i64 0}
!121 = !DILocation(line: 26, column: 42, scope: !78)
!122 = !DILocation(line: 26, column: 39, scope: !78)
!123 = !DILocation(line: 26, column: 49, scope: !75)
!124 = !DILocation(line: 27, column: 3, scope: !76)
!125 = !DILocation(line: 27, column: 3, scope: !75)
!126 = !DILocation(line: 23, column: 26, scope: !76)
!127 = distinct !{!127, !104, !128, !129}
!128 = !DILocation(line: 27, column: 3, scope: !73)
!129 = !{!"llvm.loop.mustprogress"}
!130 = !DILocation(line: 28, column: 31, scope: !51)
!131 = !DILocation(line: 28, column: 16, scope: !51)
!132 = !DILocation(line: 28, column: 3, scope: !51)
!133 = !DILocation(line: 28, column: 29, scope: !51)
!134 = !{!135, !135, i64 0}
!135 = !{!"double", !49, i64 0}
!136 = !DILocation(line: 29, column: 18, scope: !51)
!137 = !{i8 0, i8 2}
!138 = !{}
!139 = !DILocation(line: 29, column: 25, scope: !51)
!140 = !DILocation(line: 29, column: 51, scope: !51)
!141 = !DILocation(line: 29, column: 57, scope: !51)
!142 = !DILocation(line: 29, column: 33, scope: !51)
!143 = !DILocation(line: 29, column: 3, scope: !51)
!144 = !{i64 8}
!145 = !DILocation(line: 29, column: 9, scope: !51)
!146 = !DILocation(line: 29, column: 16, scope: !51)
!147 = !DILocation(line: 30, column: 23, scope: !51)
!148 = !DILocation(line: 30, column: 21, scope: !51)
!149 = !{!150, !80, i64 0}
!150 = !{!"_ZTSN6shapes4NodeE", !80, i64 0, !48, i64 8, !48, i64 8, !49, i64 12, !151, i64 16}
!151 = !{!"_ZTSN6shapes5ColorE", !49, i64 0}
!152 = !DILocation(line: 31, column: 1, scope: !51)
!153 = distinct !DISubprogram(name: "scaled", linkageName: "_ZN6shapes6scaledEii", scope: !2, file: !3, line: 15, type: !154, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !36, retainedNodes: !156)
!154 = !DISubroutineType(types: !155)
!155 = !{!5, !5, !5}
!156 = !{!157, !158, !159}
!157 = !DILocalVariable(name: "value", arg: 1, scope: !153, file: !3, line: 15, type: !5)
!158 = !DILocalVariable(name: "factor", arg: 2, scope: !153, file: !3, line: 15, type: !5)
!159 = !DILocalVariable(name: "product", scope: !153, file: !3, line: 16, type: !5)
!160 = !DILocation(line: 15, column: 34, scope: !153)
!161 = !DILocation(line: 15, column: 45, scope: !153)
!162 = !DILocation(line: 16, column: 3, scope: !153)
!163 = !DILocation(line: 16, column: 7, scope: !153)
!164 = !DILocation(line: 16, column: 17, scope: !153)
!165 = !DILocation(line: 16, column: 25, scope: !153)
!166 = !DILocation(line: 16, column: 34, scope: !153)
!167 = !DILocation(line: 16, column: 31, scope: !153)
!168 = !DILocation(line: 16, column: 23, scope: !153)
!169 = !DILocation(line: 17, column: 10, scope: !153)
!170 = !DILocation(line: 18, column: 1, scope: !153)
!171 = !DILocation(line: 17, column: 3, scope: !153)
!172 = distinct !DISubprogram(name: "read_x", linkageName: "_ZN11threadIdx_t6read_xEv", scope: !174, file: !173, line: 28, type: !177, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !36, declaration: !176)
!173 = !DIFile(filename: "./cuda_min.h", directory: ".")
!174 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "threadIdx_t", file: !173, line: 28, size: 8, flags: DIFlagTypePassByValue, elements: !175, identifier: "_ZTS11threadIdx_t")
!175 = !{!176, !179, !180}
!176 = !DISubprogram(name: "read_x", linkageName: "_ZN11threadIdx_t6read_xEv", scope: !174, file: !173, line: 28, type: !177, scopeLine: 28, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!177 = !DISubroutineType(types: !178)
!178 = !{!22}
!179 = !DISubprogram(name: "read_y", linkageName: "_ZN11threadIdx_t6read_yEv", scope: !174, file: !173, line: 28, type: !177, scopeLine: 28, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!180 = !DISubprogram(name: "read_z", linkageName: "_ZN11threadIdx_t6read_zEv", scope: !174, file: !173, line: 28, type: !177, scopeLine: 28, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!181 = !DILocation(line: 28, column: 1, scope: !172)
