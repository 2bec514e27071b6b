; RUN: nvvm-cc %s -arch sm_90 -o - | filecheck %s
; RUN: nvvm-cc %s -arch sm_90 | filecheck %s
; RUN: nvvm-cc - -arch=compute_90 < %s | filecheck %s
; RUN: nvvm-cc %s -arch sm_90 -O0 -o %t && filecheck %s < %t
; RUN: nvvm-cc %s -arch sm_90 -o %t 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: nvvm-cc %s -fmad=0 2>%t | filecheck %s --check-prefix=DEFAULT
; RUN: not nvvm-cc %s -o %T 2>&1 | filecheck %s --check-prefix=FOLDER
; RUN-CLI: nvvm-cc %s -arch sm_90 -o %t && filecheck %s < %t
; RUN-CLI: cat %s | nvvm-cc - -arch sm_90 | filecheck %s
; RUN-CLI: nvvm-cc --help | filecheck %s --check-prefix=HELP
; RUN-CLI: not nvvm-cc 2>&1 | filecheck %s --check-prefix=USAGE

; CHECK:      .target sm_90
; CHECK:      .visible .entry axpy(
; CHECK:      fma.rn.f32
; DEFAULT:    .target sm_75
; DEFAULT:    mul.rn.f32
; DEFAULT:    add.rn.f32
; REMARK:     remark: the module has no target triple; using nvptx64-nvidia-cuda
; REMARK:     remark: the module has no data layout; using e-p6:32:32-
; FOLDER:     error: is a directory
; HELP:       usage: nvvm-cc
; HELP:       -prec-sqrt
; HELP:       examples:
; USAGE:      error: the following arguments are required: FILE
define ptx_kernel void @axpy(ptr %p, float %a, float %b) {
  %x = load float, ptr %p
  %m = fmul contract float %x, %a
  %s = fadd contract float %m, %b
  store float %s, ptr %p
  ret void
}
