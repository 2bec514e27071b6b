; RUN: not nvvm-cc %s -o - 2>&1 | filecheck %s
; RUN: grep -v 'global i12' %s > %t.ll
; RUN: not nvvm-cc %t.ll -o - 2>&1 | filecheck %s --check-prefix=SUM
; RUN: grep -v 'i12\|i16' %s > %t.ll
; RUN: not nvvm-cc %t.ll -o - 2>&1 | filecheck %s --check-prefix=SHARED

target triple = "nvptx64-nvidia-cuda"

@g = addrspace(1) global i32 0
@shared = addrspace(3) global i32 undef

; CHECK: error_address_parts.ll:[[# @LINE + 1]]:1: error: in @part: 12 bits of an address cannot be an initial value
@part = addrspace(1) global i12 ptrtoint (ptr addrspace(1) @g to i12)

; The sum can carry out of the two bytes, which PTX cannot express.
; SUM: error: in @sum: arithmetic on 16 bits of an address is not supported
@sum = addrspace(1) global ptr getelementptr (i8, ptr inttoptr (i16 ptrtoint (ptr addrspace(1) @g to i16) to ptr), i64 5)

; SHARED: error: in @pointer: the address of the shared variable 'shared' cannot be an initial value
@pointer = addrspace(1) global ptr addrspacecast (ptr addrspace(3) @shared to ptr)
