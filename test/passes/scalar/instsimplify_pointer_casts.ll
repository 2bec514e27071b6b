; RUN: nvvm-opt %s -p instsimplify | filecheck %s
; A cast back is the original value only if the value in between is wide enough.

; CHECK-LABEL: @narrow_integer
; CHECK:       llvm.inttoptr
define ptr @narrow_integer(ptr %p) {
  %v = ptrtoint ptr %p to i32
  %q = inttoptr i32 %v to ptr
  ret ptr %q
}

; CHECK-LABEL: @equal_integer
; CHECK-NEXT:  llvm.return %p
define ptr @equal_integer(ptr %p) {
  %v = ptrtoint ptr %p to i64
  %q = inttoptr i64 %v to ptr
  ret ptr %q
}

; CHECK-LABEL: @wide_integer
; CHECK-NEXT:  llvm.return %p
define ptr @wide_integer(ptr %p) {
  %v = ptrtoint ptr %p to i128
  %q = inttoptr i128 %v to ptr
  ret ptr %q
}

; CHECK-LABEL: @narrow_pointer
; CHECK:       llvm.ptrtoint
define i128 @narrow_pointer(i128 %a) {
  %p = inttoptr i128 %a to ptr
  %b = ptrtoint ptr %p to i128
  ret i128 %b
}

; CHECK-LABEL: @wide_pointer
; CHECK-NEXT:  llvm.return %a
define i32 @wide_pointer(i32 %a) {
  %p = inttoptr i32 %a to ptr
  %b = ptrtoint ptr %p to i32
  ret i32 %b
}
