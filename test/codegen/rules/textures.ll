; Variables that `!nvvm.annotations` marks as handles have PTX's opaque types and no memory. ptxas accepts
; their addresses only in mov.u64.
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_80}' | filecheck %s
; RUN: nvvm-cc %s -arch sm_80 -o - | filecheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: nvptx.global @picture "global" "b64" <{kind = "texref"}>
; CHECK: nvptx.global visible @board "global" "b64" <{kind = "surfref"}>
; CHECK: nvptx.global extern @other "global" "b64" <{kind = "texref"}>
; CHECK: nvptx.global @plain "global" "b8" x 8
; PTX-DAG: .global .texref picture;
; PTX-DAG: .visible .global .surfref board;
; PTX-DAG: .extern .global .texref other;
; PTX-DAG: .global .align 8 .b8 plain[8];
@picture = internal addrspace(1) global i64 0, align 8
@board = addrspace(1) global i64 0, align 8
@other = external addrspace(1) global i64, align 8
@plain = internal addrspace(1) global i64 0, align 8

declare i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1))
declare { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64, i32)
declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)
declare i32 @llvm.nvvm.txq.width(i64)

; CHECK-LABEL: @copy
; CHECK: %[[T:.*]] = nvptx.mov u64 @picture
; CHECK: nvptx.tex "1d.v4.s32.s32" [%[[T]], {{.*}}]
; CHECK: %[[O:.*]] = nvptx.mov u64 @other
; CHECK: nvptx.txq width.b32 [%[[O]]]
; CHECK: %[[S:.*]] = nvptx.mov u64 @board
; CHECK: nvptx.sust.b "1d.b32.trap" [%[[S]], {{.*}}], %
; CHECK: nvptx.mov b64 @plain
; PTX: mov.u64 %[[T:rd[0-9]+]], picture;
; PTX: tex.1d.v4.s32.s32
define ptx_kernel void @copy(i32 %x, ptr %out) {
  %t = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @picture)
  %r = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64 %t, i32 %x)
  %v = extractvalue { i32, i32, i32, i32 } %r, 0
  %o = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @other)
  %w = call i32 @llvm.nvvm.txq.width(i64 %o)
  %sum = add i32 %v, %w
  %s = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @board)
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %s, i32 0, i32 %sum)
  store ptr addrspace(1) @plain, ptr %out, align 8
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr addrspace(1) @picture, !"texture", i32 1}
!1 = !{ptr addrspace(1) @board, !"surface", i32 1}
!2 = !{ptr addrspace(1) @other, !"texture", i32 1}
