; RUN: nvvm-opt %s -p 'print<coalescing>' -o /dev/null 2>&1 | filecheck %s

; a[i][tid.x], a[tid.x][i] and a[2 * tid.x] of rows of %n floats.

target triple = "nvptx64-nvidia-cuda"

; CHECK:      Memory coalescing for function 'k':
; CHECK-NEXT:   llvm.load at /k.cu:7:3: subscripts[{0,+,1}<nuw><nsw><%loop>][(zext i32 %x to i64)], stride over tid.x 4 bytes, 4 transactions a warp, coalesced
; CHECK-NEXT:   llvm.load at /k.cu:8:3: subscripts[(zext i32 %x to i64)][{0,+,1}<nuw><nsw><%loop>], stride over tid.x (4 * %n) bytes, transactions unknown
; CHECK-NEXT:   llvm.store at /k.cu:9:3: subscripts[(2 * (zext i32 %x to i64))], stride over tid.x 8 bytes, 8 transactions a warp, not coalesced
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) !dbg !3 {
entry:
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %xl = zext i32 %x to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %o1 = add i64 %row, %xl
  %a1 = getelementptr float, ptr addrspace(1) %p, i64 %o1
  %v1 = load float, ptr addrspace(1) %a1, align 4, !dbg !6
  %column = mul i64 %xl, %n
  %o2 = add i64 %column, %i
  %a2 = getelementptr float, ptr addrspace(1) %p, i64 %o2
  %v2 = load float, ptr addrspace(1) %a2, align 4, !dbg !7
  %sum = fadd float %v1, %v2
  %o3 = shl i64 %xl, 1
  %a3 = getelementptr float, ptr addrspace(1) %q, i64 %o3
  store float %sum, ptr addrspace(1) %a3, align 4, !dbg !8
  %next = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A gather: the addresses of the threads of a warp are unknown.
; CHECK:      Memory coalescing for function 'gather':
; CHECK-NEXT:   llvm.load: subscripts[(zext i32 %x to i64)], stride over tid.x 4 bytes, 4 transactions a warp, coalesced
; CHECK-NEXT:   llvm.load: subscripts[(sext i32 %at to i64)], stride over tid.x irregular, transactions unknown
; CHECK-NEXT:   llvm.store: subscripts[(zext i32 %x to i64)], stride over tid.x 4 bytes, 4 transactions a warp, coalesced
define ptx_kernel void @gather(ptr addrspace(1) %in, ptr addrspace(1) %index, ptr addrspace(1) %out) {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %xl = zext i32 %x to i64
  %ip = getelementptr i32, ptr addrspace(1) %index, i64 %xl
  %at = load i32, ptr addrspace(1) %ip, align 4
  %wide = sext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p, align 4
  %op = getelementptr float, ptr addrspace(1) %out, i64 %xl
  store float %v, ptr addrspace(1) %op, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.cu", directory: "/")
!3 = distinct !DISubprogram(name: "k", file: !2, line: 1, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = !DILocation(line: 7, column: 3, scope: !3)
!7 = !DILocation(line: 8, column: 3, scope: !3)
!8 = !DILocation(line: 9, column: 3, scope: !3)
