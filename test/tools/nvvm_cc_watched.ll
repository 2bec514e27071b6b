; nvvm-cc accepts the options of instruments, for passes over IR and over machine code.
;
; RUN: nvvm-cc %s --time-passes --stats -o %t 2>&1 | filecheck %s --check-prefix=TIME
; RUN: nvvm-cc %s --stop-before=nvptx-phi-elimination | filecheck %s --check-prefix=MACHINE
; RUN: nvvm-cc %s --stop-after=globaldce | filecheck %s --check-prefix=IR
; RUN: nvvm-cc %s --opt-bisect-limit=0 2>&1 | filecheck %s --check-prefix=BISECT
; RUN: nvvm-cc %s --print-after=branch-folder -o %t 2>&1 | filecheck %s --check-prefix=AFTER
; RUN: nvvm-cc %s --remarks %t.yaml -o %t && cat %t.yaml | filecheck %s --check-prefix=REMARKS
; RUN: nvvm-cc %s -opt -dump-before-cssa -o %t 2>&1 | filecheck %s --check-prefix=CSSA
; RUN: nvvm-cc %s -opt -dump-nvvmir --remarks %t.yaml -o %t && cat %t.yaml | filecheck %s --check-prefix=REMARK
; Every tool reads -opt: nvvm-opt for its pipeline and for the machine passes of -t ptx, nvvm-run for --passes.
; RUN: nvvm-opt %s -O1 -opt -dump-nvvmir -o %t 2>&1 | filecheck %s --check-prefix=DUMP
; RUN: nvvm-opt %s -O1 -t ptx -opt -dump-before-cssa -o %t 2>&1 | filecheck %s --check-prefix=CSSA
; RUN: nvvm-opt %s -O1 -t 'ptx{opt="-dump-before-cssa"}' -o %t 2>&1 | filecheck %s --check-prefix=CSSA
; RUN: nvvm-run %s --block 1 --arg 'i32[1]' --arg 4 --print 0 --passes 'nvopt<O1>' -opt -dump-nvvmir 2>&1 | filecheck %s --check-prefix=DUMP
; RUN: nvvm-run %s --block 1 --arg 'i32[1]' --arg 4 --print 0 --passes 'nvopt<O1>' -opt -ftz=1 2>&1 | filecheck %s --check-prefix=UNREAD
; RUN: nvvm-run %s --block 1 --arg 'i32[1]' --arg 4 --print 0 -opt -do-licm=0 2>&1 | filecheck %s --check-prefix=ALONE
; RUN: not nvvm-run %s --block 1 --arg 'i32[1]' --arg 4 --print 0 -opt -do-lcm=0 2>&1 | filecheck %s --check-prefix=WRONG
; RUN: nvvm-cc %s -opt '-ftz=1' -o %t 2>&1 | filecheck %s --check-prefix=UNREAD
; RUN: not nvvm-cc %s -opt '-cssa-coalesce=all' 2>&1 | filecheck %s --check-prefix=REFUSED
; RUN: nvvm-run %s --block 1 --arg 'i32[1]' --arg 4 --print 0 --passes 'nvopt<O1>' -opt -dump-memory-space-warnings=0 | filecheck %s --check-prefix=SUM

; TIME:      Pass execution timing report
; TIME-DAG:  sroa
; TIME-DAG:  nvptx-phi-elimination
; TIME:      Total
; TIME:      1 mem2reg - Number of stack slots promoted
; MACHINE:     nvptx.func kernel visible @k
; MACHINE:       nvptx.bra ^bb1(%
; IR:        llvm.func @k
; BISECT:    BISECT: NOT running pass (1)
; BISECT:    BISECT: NOT running pass ({{[0-9]+}}) nvptx-mem2reg on k
; BISECT:    .visible .entry k(
; AFTER:     *** IR Dump After branch-folder on k ***
; AFTER-NEXT: nvptx.func kernel visible @k
; REMARKS:      --- !Passed
; REMARKS-NEXT: Pass:            sroa
; REMARKS-NEXT: Name:            Promoted
; REMARKS-NEXT: DebugLoc:        { File: {{.*}}nvvm_cc_watched.ll{{'?}}, Line: {{[0-9]+}}, Column: 3 }
; REMARKS-NEXT: Function:        k
; CSSA:      remark: nvptx-phi-elimination: k: IR Module before CSSA:
; CSSA-NEXT: nvptx.func kernel visible @k
; REMARK:    Name:            NVVMIR
; DUMP:      remark: nvvm-cc: [module]:
; DUMP-NEXT: builtin.module
; ALONE:     remark: -opt has no effect: no --passes are run
; WRONG:     error: -opt: unknown option '-do-lcm'
; SUM:       6
; UNREAD:    remark: -opt: '-ftz' has no effect: no pass implements it
; REFUSED:   error: -opt: invalid NVPTXPhiElimination pass parameter 'cssa-coalesce=all': cssa-coalesce: expected one of congruence, none
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %slot = alloca i32
  store i32 0, ptr %slot
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load i32, ptr %slot
  %w = add i32 %v, %i
  store i32 %w, ptr %slot
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %r = load i32, ptr %slot
  store i32 %r, ptr %p
  ret void
}
