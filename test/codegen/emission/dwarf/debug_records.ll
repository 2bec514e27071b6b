; RUN: nvvm-cc -g -O0 %s | filecheck %s
; RUN: nvvm-cc -g -O3 %s | filecheck %s

; Debug records that PTX cannot express: a value that is not available on every path, several values, a
; fragment of a variable, a label. None of them is an error, and the variable has no location.

; CHECK: .target {{sm_[0-9]+}}, debug
; CHECK: .section .debug_info

target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i1 %c, ptr %p) !dbg !3 {
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  store i32 %x, ptr %p
  br label %b
b:
    #dbg_value(i32 %x, !5, !DIExpression(), !7)
    #dbg_value(!DIArgList(i32 %x, i32 3), !5, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !7)
    #dbg_value(ptr undef, !5, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !7)
    #dbg_assign(i32 7, !5, !DIExpression(), !8, ptr %p, !DIExpression(), !7)
    #dbg_label(!9, !7)
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !4, unit: !0)
!4 = !DISubroutineType(types: !6)
!5 = !DILocalVariable(name: "v", scope: !3, file: !1, line: 2, type: !10)
!6 = !{null}
!7 = !DILocation(line: 3, scope: !3)
!8 = distinct !DIAssignID()
!9 = !DILabel(scope: !3, name: "here", file: !1, line: 9)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
