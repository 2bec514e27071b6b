; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90}' | filecheck %s
; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_120}' | filecheck %s --check-prefix NONE

; NONE-NOT: nvptx.sad

; The absolute value of a difference that does not wrap is one instruction; of another difference, of one of 16 or 64
; bits, or of a vector, it is not.

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @differences(
; CHECK: nvptx.sad s32 %{{.*}}, %{{.*}}, 0
; CHECK: nvptx.sad s32 7, %{{.*}}, 0
; CHECK-NOT: nvptx.sad
; CHECK: nvptx.abs s32
; CHECK: nvptx.abs s32
; CHECK: nvptx.abs s64
; CHECK: nvptx.abs s16
define void @differences(i32 %a, i32 %b, i64 %c, i16 %d, <2 x i32> %e, ptr %p) {
  %s = sub nsw i32 %a, %b
  %x = call i32 @llvm.abs.i32(i32 %s, i1 false)
  store volatile i32 %x, ptr %p
  %t = sub nsw i32 7, %b
  %y = call i32 @llvm.abs.i32(i32 %t, i1 true)
  store volatile i32 %y, ptr %p
  %u = sub nuw i32 %a, %b
  %z = call i32 @llvm.abs.i32(i32 %u, i1 false)
  store volatile i32 %z, ptr %p
  %v = sub nsw <2 x i32> %e, <i32 1, i32 2>
  %w = call <2 x i32> @llvm.abs.v2i32(<2 x i32> %v, i1 false)
  store volatile <2 x i32> %w, ptr %p
  %f = sub nsw i64 %c, 7
  %g = call i64 @llvm.abs.i64(i64 %f, i1 false)
  store volatile i64 %g, ptr %p
  %h = sub nsw i16 %d, 7
  %i = call i16 @llvm.abs.i16(i16 %h, i1 false)
  store volatile i16 %i, ptr %p
  ret void
}

declare i32 @llvm.abs.i32(i32, i1)
declare <2 x i32> @llvm.abs.v2i32(<2 x i32>, i1)
declare i64 @llvm.abs.i64(i64, i1)
declare i16 @llvm.abs.i16(i16, i1)
