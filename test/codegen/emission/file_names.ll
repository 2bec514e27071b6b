; RUN: nvvm-cc -generate-line-info -arch sm_80 %s | filecheck %s
; RUN: nvvm-opt -g --print-debuginfo %s | nvvm-opt -g --print-debuginfo | filecheck %s --check-prefix=MLIR

; ptxas rejects characters outside ASCII, and MLIR's text escapes them.

; CHECK: .loc 1 1 42
; CHECK: .file 1 "/s\303\251.cu"

; MLIR: #llvm.di_file<"s\C3\A9.cu" in "/">

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !3 {
  store i32 1, ptr addrspace(1) %p, align 4, !dbg !5
  ret void, !dbg !5
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "s\C3\A9.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 1, column: 42, scope: !3)
