; Source lines are in the PTX on request.
;
; RUN: nvvm-cc %root/examples/saxpy.debug.ll -generate-line-info | filecheck %s
; RUN: nvvm-cc %root/examples/saxpy.debug.ll -g | filecheck %s
; RUN: nvvm-cc %root/examples/saxpy.debug.ll | filecheck %s --check-prefix=NONE

; CHECK-DAG: .file {{[0-9]+}} "{{.*}}examples/saxpy.cu"
; CHECK-DAG: .loc {{[0-9]+}} 8 {{[0-9]+}}
; NONE-NOT:  .loc
; NONE:      .entry saxpy
; NONE-NOT:  .loc
