; RUN: nvvm-opt %s -p 'print<delinearization>' -o /dev/null 2>&1 | filecheck %s
; RUN: nvvm-opt %s -p 'print<coalescing>,print<bank-conflicts>' -o /dev/null --pass-remarks-output=%t 2>/dev/null
; RUN: filecheck %s --check-prefix=REMARK < %t

target triple = "nvptx64-nvidia-cuda"

@dynamic = external addrspace(3) global [0 x float]

; a[i][tid.x] of rows of %n, with an index of 32 bits: the row recurrence is below the extension.
; CHECK-LABEL: Delinearization for function 'narrow_index':
; CHECK-NEXT:  Inst: llvm.store at /k.cu:7:3
; CHECK:         Base offset: %p
; CHECK-NEXT:    ArrayDecl[UnknownSize][(sext i32 %n to i64)] with elements of 4 bytes.
; CHECK-NEXT:    ArrayRef[{0,+,1}<%loop>][(zext i32 %x to i64)]
; CHECK-NEXT:    assuming no signed wrap of {%x,+,%n}<%loop>
; REMARK:      Pass:            coalescing
; REMARK-NEXT: Name:            Coalesced
; REMARK-NEXT: DebugLoc:        { File: '/k.cu', Line: 7, Column: 3 }
; REMARK-NEXT: Function:        narrow_index
; REMARK-NEXT: Args:
; REMARK-NEXT:   - String:{{ +}}'llvm.store at /k.cu:7:3: subscripts[{0,+,1}<%loop>][(zext i32 %x to i64)], stride over tid.x 4 bytes, 4 transactions a warp, coalesced, tid.x in subscript 2 of 2'
define ptx_kernel void @narrow_index(ptr addrspace(1) %p, i32 %n) !dbg !3 {
entry:
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = mul i32 %i, %n
  %t = add i32 %s, %x
  %o = sext i32 %t to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %o
  store float 0.0, ptr addrspace(1) %a, align 4, !dbg !6
  %next = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; a[tid.y][tid.x] with rows of ntid.x, in dynamic shared memory.
; CHECK-LABEL: Delinearization for function 'dynamic_shared':
; CHECK:         ArrayDecl[UnknownSize][(zext i32 %w to i64)] with elements of 4 bytes.
; CHECK-NEXT:    ArrayRef[(zext i32 %y to i64)][(zext i32 %x to i64)]
; CHECK-NEXT:    assuming no unsigned wrap of ((%{{[yw]}} * %{{[yw]}}) + %x)
; CHECK-NEXT:    assuming no unsigned wrap of (%{{[yw]}} * %{{[yw]}})
; REMARK:      Pass:            bank-conflicts
; REMARK-NEXT: Name:            NoConflict
define ptx_kernel void @dynamic_shared() {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %w = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %r = mul i32 %y, %w
  %t = add i32 %r, %x
  %o = zext i32 %t to i64
  %a = getelementptr float, ptr addrspace(3) @dynamic, i64 %o
  store float 0.0, ptr addrspace(3) %a, align 4
  ret void
}

; In global memory the grid's index is one subscript, without assumptions.
; CHECK-LABEL: Delinearization for function 'grid_index':
; CHECK:         ArrayDecl[UnknownSize] with elements of 4 bytes.
; CHECK-NEXT:    ArrayRef[(zext i32
; CHECK-NOT:     assuming
define ptx_kernel void @grid_index(ptr addrspace(1) %p) {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %r = mul i32 %b, %w
  %t = add i32 %r, %x
  %o = zext i32 %t to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %o
  store float 0.0, ptr addrspace(1) %a, align 4
  ret void
}

; A negative term wraps as unsigned, so this extension is not distributed.
; CHECK-LABEL: Delinearization for function 'negative':
; CHECK:         ArrayRef[(zext i32 (-1 + (%{{[yn]}} * %{{[yn]}}) + %x) to i64)]
; CHECK-NOT:     assuming
define ptx_kernel void @negative(ptr addrspace(1) %p, i32 %n) {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %r = mul i32 %y, %n
  %s = add i32 %r, %x
  %t = add i32 %s, -1
  %o = zext i32 %t to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %o
  store float 0.0, ptr addrspace(1) %a, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.cu", directory: "/")
!3 = distinct !DISubprogram(name: "k", file: !2, line: 1, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = !DILocation(line: 7, column: 3, scope: !3)
