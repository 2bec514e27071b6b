; RUN: nvvm-opt %s -p 'print<aa>' -o /dev/null 2>&1 | filecheck %s --check-prefix=AA
; RUN: nvvm-opt %s -p 'print<memoryssa>' -o /dev/null 2>&1 | filecheck %s --check-prefix=MSSA
; RUN: nvvm-opt %s -p 'print<callgraph>' -o /dev/null 2>&1 | filecheck %s --check-prefix=CALLS

; Disjoint address spaces, noalias, offsets; a generic pointer parameter of a kernel points to global memory.
; AA-LABEL: Alias Analysis for function 'spaces':
; AA: NoAlias: %p, %q
; AA: NoAlias: %q, %s
; AA: NoAlias: %q, %next
; AA: NoAlias: %p, %g
; AA: MayAlias: %q, %g
; AA: NoAlias: %s, %g
; AA: MayAlias: %next, %g
; AA-LABEL: Alias Analysis for function 'meet':
; AA: MustAlias: %p, %p

; Writes are merged at the join; a call with unknown effects is a write, and one without memory effects is
; ignored.
; MSSA-LABEL: MemorySSA for function 'meet':
; MSSA: ; 1 = MemoryDef(liveOnEntry)
; MSSA: ; 2 = MemoryDef(1)
; MSSA: ; 3 = MemoryPhi({^entry,1},{^then,2})
; MSSA: ; MemoryUse(3)
; MSSA: ; 4 = MemoryDef(3)
; MSSA: llvm.call
; MSSA: ; MemoryUse(4)
; MSSA-LABEL: MemorySSA for function 'odd':
; MSSA: ; 1 = MemoryDef(liveOnEntry)
; MSSA: %r = llvm.call
; MSSA-NOT: MemoryDef

; Mutually recursive functions are one component, after their callees.
; CALLS: SCC: @unknown
; CALLS: SCC: @pure
; CALLS: @meet calls @unknown
; CALLS: SCC: @even, @odd
; CALLS: @even calls @odd
; CALLS: @odd calls @even
; CALLS: @odd calls @pure

target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [4 x i32] undef, align 4

declare void @unknown()
declare i32 @pure() memory(none) nounwind willreturn

define ptx_kernel void @spaces(ptr addrspace(1) noalias %p, ptr addrspace(1) %q, ptr %g) {
  %s = getelementptr i32, ptr addrspace(3) @shared, i32 1
  store i32 1, ptr addrspace(1) %p
  store i32 2, ptr addrspace(1) %q
  store i32 3, ptr addrspace(3) %s
  %next = getelementptr i32, ptr addrspace(1) %q, i32 1
  store i32 4, ptr addrspace(1) %next
  %v = load i32, ptr %g
  ret void
}

define void @meet(ptr %p, i1 %c) {
entry:
  store i32 1, ptr %p
  br i1 %c, label %then, label %join
then:
  store i32 2, ptr %p
  br label %join
join:
  %v = load i32, ptr %p
  call void @unknown()
  %w = load i32, ptr %p
  ret void
}

define i32 @even(i32 %n) {
  %m = sub i32 %n, 1
  %r = call i32 @odd(i32 %m)
  ret i32 %r
}

define i32 @odd(i32 %n) {
  %m = sub i32 %n, 1
  %r = call i32 @even(i32 %m)
  %u = call i32 @pure()
  ret i32 %r
}
