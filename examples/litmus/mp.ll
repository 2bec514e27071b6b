; Message passing between two blocks.
; threads P0@cta 0, gpu 0 | P1@cta 1, gpu 0
; ~exists (flag == 1 /\ value == 0)
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@x = addrspace(1) global i32 0
@y = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@value = addrspace(1) global i32 0

define ptx_kernel void @P0() {
  store i32 1, ptr addrspace(1) @x
  store atomic i32 1, ptr addrspace(1) @y syncscope("device") release, align 4
  ret void
}

define ptx_kernel void @P1() {
  %flag = load atomic i32, ptr addrspace(1) @y syncscope("device") acquire, align 4
  %received = icmp eq i32 %flag, 1
  br i1 %received, label %read, label %done

read:
  %value = load i32, ptr addrspace(1) @x
  store i32 %flag, ptr addrspace(1) @flag
  store i32 %value, ptr addrspace(1) @value
  br label %done

done:
  ret void
}
