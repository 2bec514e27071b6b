; RUN: not nvvm-cc %s -arch sm_90 -O0 2>&1 | filecheck %s

; A device function uses the parameter's own address, which cannot have this alignment.
; CHECK: error: in @f: argument 0 is passed by value with alignment 256 and its address is used, but the alignment of a parameter is at most 128
target triple = "nvptx64-nvidia-cuda"
define void @f(ptr byval([4 x i32]) align 256 %b, i32 %i) {
  %p = getelementptr i32, ptr %b, i32 %i
  store i32 1, ptr %p
  ret void
}
