; RUN: nvvm-cc %s -arch sm_90 -O0 -o %t.ptx
; RUN: filecheck %s < %t.ptx
; RUN: nvvm-cc %s -arch sm_75 -O0 -o - | filecheck %s --check-prefix=VERSION
; RUN: ptxas -arch sm_90 -c %t.ptx -o %t.o
; RUN: nvvm-run %s --kernel k --arg 'i32[4]' --print 0 | filecheck %s --check-prefix=FIELDS
; RUN: nvvm-run %s --kernel k --arg 'i32[4]' --print 0 --select | filecheck %s --check-prefix=FIELDS
; RUN: nvvm-run %t.ptx --kernel k --arg 'i32[4]' --print 0 | filecheck %s --check-prefix=FIELDS

; Bytes of addresses need PTX 7.1 for any target.
; VERSION: .version 7.1

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@g = addrspace(1) global [4 x i32] [i32 7, i32 8, i32 9, i32 10]
declare void @f()

; An address at an offset that is not a multiple of 8 is written byte by byte.
; CHECK-DAG: .align 1 .u8 unaligned[10] = {12, 0, 0xFF(generic(g)+3), 0xFF00(generic(g)+3), 0xFF0000(generic(g)+3), 0xFF000000(generic(g)+3), 0xFF00000000(generic(g)+3), 0xFF0000000000(generic(g)+3), 0xFF000000000000(generic(g)+3), 0xFF00000000000000(generic(g)+3)};
@unaligned = addrspace(1) global <{ i16, ptr }> <{ i16 12, ptr addrspacecast (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @g, i32 3) to ptr) }>, align 1

; Aligned addresses are also words in a packed structure.
; CHECK-DAG: .align 1 .u64 aligned[2] = {f, 15};
@aligned = addrspace(1) global <{ ptr, i64 }> <{ ptr @f, i64 15 }>, align 1

; A narrower integer holds the low bytes of an address; a wider one has zeros above it.
; CHECK-DAG: .u8 low[8] = {0xFF(g), 0xFF00(g), 0xFF0000(g), 0xFF000000(g), 120, 86, 52, 18};
@low = addrspace(1) global { i32, i32 } { i32 ptrtoint (ptr addrspace(1) @g to i32), i32 305419896 }
; CHECK-DAG: .u64 wide[2] = {g};
@wide = addrspace(1) global i128 ptrtoint (ptr addrspace(1) @g to i128)
; CHECK-DAG: .u8 extended[8] = {0xFF(g), 0xFF00(g)};
@extended = addrspace(1) global ptr inttoptr (i16 ptrtoint (ptr addrspace(1) @g to i16) to ptr)

@fields = addrspace(1) global <{ i8, i32, i64, ptr, i16 }> <{
  i8 1,
  i32 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @g, i64 4) to i32),
  i64 ptrtoint (ptr addrspace(1) @g to i64),
  ptr addrspacecast (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @g, i64 8) to ptr),
  i16 -2 }>, align 1

; The difference of the addresses of elements 2 and 0, and the last field.
; FIELDS: [ 4,  9,  7, -2]
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %low = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @fields, i64 1), align 1
  %n = load i64, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @fields, i64 5), align 1
  %p = load ptr, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @fields, i64 13), align 1
  %last = load i16, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @fields, i64 21), align 1
  %t = trunc i64 %n to i32
  %d = sub i32 %low, %t
  store i32 %d, ptr addrspace(1) %out
  %v = load i32, ptr %p
  %o1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %v, ptr addrspace(1) %o1
  %np = inttoptr i64 %n to ptr addrspace(1)
  %w = load i32, ptr addrspace(1) %np
  %o2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %w, ptr addrspace(1) %o2
  %l = sext i16 %last to i32
  %o3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %l, ptr addrspace(1) %o3
  ret void
}
