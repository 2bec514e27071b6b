; RUN: not nvvm-opt %s 2>&1 | filecheck %s
; RUN: nvvm-cc %s -arch sm_90 -o - | filecheck %s --check-prefix PTX

; A name that is not UTF-8 has no form in xDSL's MLIR text. PTX has another name for the function.
; CHECK: error_name_bytes.ll: error: "f\E1" is not UTF-8: MLIR text of xDSL cannot contain it
; PTX: .visible .func f_

target triple = "nvptx64-nvidia-cuda"

define void @"f\E1"() {
  ret void
}
