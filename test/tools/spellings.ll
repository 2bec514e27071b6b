; One dash as well as two, and LLVM's names, as used with LLVM's tools.
; RUN: nvvm-opt %s -passes=sroa | filecheck %s --check-prefix=SROA
; RUN: nvvm-opt %s '-passes=default<O2>' -o- | filecheck %s --check-prefix=OPTIMIZED
; RUN: nvvm-opt %s '-passes=cgscc(inline,function(sroa))' -S | filecheck %s --check-prefix=INLINED
; RUN: nvvm-opt %s -opt=3 -S -o - | filecheck %s --check-prefix=LLVM
; RUN: nvvm-opt %s -passes=sroa -time-passes -o /dev/null 2>&1 | filecheck %s --check-prefix=TIME
; RUN: nvvm-opt %s -O2 -opt-bisect-limit=3 -o /dev/null 2>&1 | filecheck %s --check-prefix=BISECT
; RUN: nvvm-opt %s -passes=sroa -print-after-all -o /dev/null 2>&1 | filecheck %s --check-prefix=PRINTED
; RUN: nvvm-opt %s '-passes=cgscc(inline)' '-pass-remarks=inl.*' -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
; RUN: nvvm-opt %s -passes=inline --remarks - -o /dev/null | filecheck %s --check-prefix=YAML
; RUN: not nvvm-opt %s -pases=sroa 2>&1 | filecheck %s --check-prefix=UNKNOWN
; RUN: nvvm-cc %s -emit-llvm -S -O1 -o- 2>/dev/null | filecheck %s --check-prefix=LLVM
; RUN: nvvm-cc %s -S -opt=3 2>/dev/null | filecheck %s --check-prefix=PTX

; SROA: llvm.func @k
; SROA-NOT: llvm.alloca
; SROA: llvm.call @square

; OPTIMIZED: llvm.func @k
; OPTIMIZED-NOT: llvm.call @square

; INLINED: define ptx_kernel void @k(
; INLINED-NOT: alloca
; INLINED-NOT: call i32 @square
; INLINED: mul

; LLVM: target triple = "nvptx64-nvidia-cuda"
; LLVM: define {{.*}}ptx_kernel void @k(

; TIME: Pass execution timing report
; BISECT: BISECT: running pass (3)
; BISECT: BISECT: NOT running pass (4)
; PRINTED: IR Dump After sroa on k
; REMARK: remark: {{.*}}square
; YAML: --- !Passed
; YAML: Pass: {{ *}}inline
; UNKNOWN: error: unrecognized arguments: -pases=sroa; did you mean
; PTX: .visible .entry k(

define internal i32 @square(i32 %x) {
  %r = mul i32 %x, %x
  ret i32 %r
}

define ptx_kernel void @k(i32 %n, ptr %out) {
  %slot = alloca i32, align 4
  store i32 %n, ptr %slot, align 4
  %v = load i32, ptr %slot, align 4
  %r = call i32 @square(i32 %v)
  store i32 %r, ptr %out, align 4
  ret void
}
