; RUN: nvvm-opt %s --split-input-file --parsing-diagnostics | filecheck %s
; RUN: not nvvm-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix=FIRST

; CHECK:      split_input.ll:7:8: error: unknown instruction 'frob'
; FIRST:      split_input.ll:7:8: error: unknown instruction 'frob'
define void @f() {
  %x = frob i32 1
  ret void
}

; -----

; CHECK: llvm.func @g
define void @g() {
  ret void
}
