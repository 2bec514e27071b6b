; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90}' | filecheck %s

; If the operand is not zero, `bfind.shiftamt` counts the leading zeros of 32 bits with one machine instruction.

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @nonzero(
; CHECK: nvptx.bfind shiftamt.u32
; CHECK: nvptx.brev b32
; CHECK-NEXT: nvptx.bfind shiftamt.u32
; CHECK: nvptx.bfind shiftamt.u32
; CHECK-NEXT: nvptx.add s32 %{{.*}}, -16
; CHECK: nvptx.clz b64
define void @nonzero(i32 %a, i16 %b, i64 %c, ptr %p) {
  %x = call i32 @llvm.ctlz.i32(i32 %a, i1 true)
  store volatile i32 %x, ptr %p
  %y = call i32 @llvm.cttz.i32(i32 %a, i1 true)
  store volatile i32 %y, ptr %p
  %z = call i16 @llvm.ctlz.i16(i16 %b, i1 true)
  store volatile i16 %z, ptr %p
  %w = call i64 @llvm.ctlz.i64(i64 %c, i1 true)
  store volatile i64 %w, ptr %p
  ret void
}

; The bit above an integer of 16 bits is found if the integer is zero.
; CHECK-LABEL: @any(
; CHECK: nvptx.clz b32
; CHECK: nvptx.brev b32
; CHECK-NEXT: nvptx.clz b32
; CHECK: nvptx.or b32 %{{.*}}, 65536
; CHECK-NEXT: nvptx.brev b32
; CHECK-NEXT: nvptx.bfind shiftamt.u32
define void @any(i32 %a, i16 %b, ptr %p) {
  %x = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  store volatile i32 %x, ptr %p
  %y = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  store volatile i32 %y, ptr %p
  %z = call i16 @llvm.cttz.i16(i16 %b, i1 false)
  store volatile i16 %z, ptr %p
  ret void
}

declare i32 @llvm.ctlz.i32(i32, i1)
declare i16 @llvm.ctlz.i16(i16, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i16 @llvm.cttz.i16(i16, i1)
