; RUN: nvvm-opt %s -p 'loop-unroll<for-loads>' -o - | filecheck %s
; RUN: nvvm-opt %s -p 'loop-unroll<for-loads>' --remarks %t -o /dev/null
; RUN: filecheck %s --check-prefix=REMARK --input-file %t

target triple = "nvptx64-nvidia-cuda"

; Four iterations run while the counter is below the bound minus three steps. No trip count is computed, so
; the step may be of any size. ptxas may unroll the loop again. The remaining iterations, at most three,
; become straight-line code.
; CHECK-LABEL: llvm.func @strided(
; CHECK:         [[near:%.*]] = llvm.intr.smax(%m, {{.*}}) : (i32, i32) -> i32
; CHECK:         [[limit:%.*]] = llvm.sub [[near]], {{.*}} : i32
; CHECK:         llvm.icmp "slt" %t, [[limit]] : i32
; CHECK:       ^loop(
; CHECK-COUNT-4: llvm.load
; CHECK:         llvm.icmp "slt" {{.*}}, [[limit]] : i32
; CHECK-NOT:     loop_annotation
; CHECK:         llvm.cond_br {{.*}}, ^loop(
; CHECK:         llvm.icmp "slt" {{.*}}, %m : i32
; CHECK-COUNT-3: llvm.load
; CHECK-NOT:     llvm.load
; CHECK:         llvm.return
; REMARK:      unrolled loop by a factor of 4 with run-time trip count, which ptxas may unroll again
; REMARK:      completely unrolled loop with at most 3 iterations
define ptx_kernel void @strided(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %u, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %u = fadd float %s, %v
  %n = add nsw i32 %i, 32
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %u, ptr %to, align 4
  ret void
}

; The bound is known to be positive at the loop's entry, so the difference does not wrap. The remainder loop
; of a larger loop is not unrolled.
; CHECK-LABEL: llvm.func @larger(
; CHECK-NOT:     smax
; CHECK:         llvm.sub %m, {{.*}} : i32
; CHECK-NOT:     loop_annotation
; CHECK:         llvm.cond_br {{.*}}, ^loop(
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK:         llvm.return
define ptx_kernel void @larger(ptr %p, ptr %to, i32 %m) {
entry:
  %g = icmp sgt i32 %m, 0
  br i1 %g, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %v1 = fmul float %v, %v
  %v2 = fadd float %v1, %v
  %v3 = fmul float %v2, %v
  %v4 = fadd float %v3, %v
  %v5 = fmul float %v4, %v
  %v6 = fadd float %v5, %v
  %v7 = fmul float %v6, %v
  %v8 = fadd float %v7, %v
  %v9 = fmul float %v8, %v
  %v10 = fadd float %v9, %v
  %v11 = fmul float %v10, %v
  %v12 = fadd float %v11, %v
  %v13 = fmul float %v12, %v
  %v14 = fadd float %v13, %v
  %v15 = fmul float %v14, %v
  %v16 = fadd float %v15, %v
  %v17 = fmul float %v16, %v
  %v18 = fadd float %v17, %v
  %v19 = fmul float %v18, %v
  %v20 = fadd float %v19, %v
  %v21 = fmul float %v20, %v
  %v22 = fadd float %v21, %v
  %t = fadd float %s, %v22
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A comparison for equality gives no bound for later iterations: the trip count is computed.
; CHECK-LABEL: llvm.func @equal(
; CHECK:         llvm.icmp "uge"
; CHECK-COUNT-4: llvm.load
define ptx_kernel void @equal(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %t, ptr %to, align 4
  ret void
}

; Threads may differ in the trip count, and the step may be a value that is known to be small.
; CHECK-LABEL: llvm.func @of_block(
; CHECK:         llvm.mul
; CHECK-COUNT-7: llvm.load
; CHECK-NOT:     llvm.load
; CHECK:         llvm.return
define ptx_kernel void @of_block(ptr %p, ptr %to, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %u, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %u = fadd float %s, %v
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %u, ptr %to, align 4
  ret void
}

; This step is unknown: it may be negative.
; REMARK:      loop not unrolled: its trip count is not known
define ptx_kernel void @any_step(ptr %p, ptr %to, i32 %m, i32 %w) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %u, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %u = fadd float %s, %v
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store float %u, ptr %to, align 4
  ret void
}

; A loop with a constant trip count is left to ptxas, which unrolls it in full.
; REMARK:      loop not unrolled: ptxas unrolls loops with a constant trip count
define ptx_kernel void @constant(ptr %p, ptr %to) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 64
  br i1 %c, label %loop, label %exit
exit:
  store float %t, ptr %to, align 4
  ret void
}

; A load depends on the store of the previous iteration, which may be to its address: only the counter and
; its test are saved.
; CHECK-LABEL: llvm.func @in_place(
; CHECK:       ^loop(
; CHECK-COUNT-4: llvm.load
; CHECK:         llvm.cond_br {{.*}}, ^loop(
; REMARK:      unrolled loop by a factor of 4
define ptx_kernel void @in_place(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  store float %v, ptr %to, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The same with a step that is not constant: the loop may run once.
; REMARK:      loop not unrolled: no load can overlap with the previous iteration, and the step is not a constant
define ptx_kernel void @in_place_of_block(ptr %p, ptr %to, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  store float %v, ptr %to, align 4
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A step that contains the number of blocks.
; REMARK:      loop not unrolled: its step contains the number of blocks
; REMARK:      loop not unrolled: its step contains the number of blocks
define ptx_kernel void @of_grid(ptr noalias %p, ptr noalias %to, i32 %m, i32 %k) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %d = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %w = mul i32 %b, %d
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  store float %v, ptr %to, align 4
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define ptx_kernel void @of_shifted_grid(ptr noalias %p, ptr noalias %to, i32 %m, i32 %k) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %d = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %w = shl i32 %b, 5
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  store float %v, ptr %to, align 4
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A minimum with the number of blocks is not a product.
; CHECK-LABEL: llvm.func @of_minimum(
; CHECK-COUNT-4: llvm.load
; REMARK:      unrolled loop by a factor of 4
define ptx_kernel void @of_minimum(ptr noalias %p, ptr noalias %to, i32 %m, i32 %k) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %d = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %w = call i32 @llvm.umin.i32(i32 %d, i32 %b)
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  store float %v, ptr %to, align 4
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The same address is loaded in each iteration.
; REMARK:      loop not unrolled: it has no load whose address changes between iterations
define ptx_kernel void @invariant(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %to, align 4
  store float %v, ptr %a, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; REMARK:      loop not unrolled: it has no load whose address changes between iterations
define ptx_kernel void @no_load(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  store float 1.0, ptr %a, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; REMARK:      loop not unrolled: it contains convergent ops
define ptx_kernel void @together(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  store float %v, ptr %to, align 4
  call void @llvm.nvvm.barrier0()
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Only innermost loops are unrolled; this one loads, too.
; REMARK:      loop not unrolled: ptxas unrolls loops with a constant trip count
; REMARK:      loop not unrolled: it contains loops
define ptx_kernel void @outer(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %again ]
  %a = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %a, align 4
  br label %inner
inner:
  %j = phi i32 [ 0, %loop ], [ %k, %inner ]
  %b = getelementptr float, ptr %to, i32 %j
  store float %v, ptr %b, align 4
  %k = add nuw nsw i32 %j, 1
  %d = icmp ult i32 %k, 64
  br i1 %d, label %inner, label %again
again:
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The first iteration may end the kernel, before a comparison with a bound that is undefined.
; REMARK:      loop not unrolled: it may not terminate
define ptx_kernel void @trap(ptr noalias %p, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  call void @llvm.trap()
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; REMARK:      loop not unrolled: it has more than 64 ops
define ptx_kernel void @long(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %x1 = fmul float %v, %v
  %x2 = fmul float %x1, %v
  %x3 = fmul float %x2, %v
  %x4 = fmul float %x3, %v
  %x5 = fmul float %x4, %v
  %x6 = fmul float %x5, %v
  %x7 = fmul float %x6, %v
  %x8 = fmul float %x7, %v
  %x9 = fmul float %x8, %v
  %x10 = fmul float %x9, %v
  %x11 = fmul float %x10, %v
  %x12 = fmul float %x11, %v
  %x13 = fmul float %x12, %v
  %x14 = fmul float %x13, %v
  %x15 = fmul float %x14, %v
  %x16 = fmul float %x15, %v
  %x17 = fmul float %x16, %v
  %x18 = fmul float %x17, %v
  %x19 = fmul float %x18, %v
  %x20 = fmul float %x19, %v
  %x21 = fmul float %x20, %v
  %x22 = fmul float %x21, %v
  %x23 = fmul float %x22, %v
  %x24 = fmul float %x23, %v
  %x25 = fmul float %x24, %v
  %x26 = fmul float %x25, %v
  %x27 = fmul float %x26, %v
  %x28 = fmul float %x27, %v
  %x29 = fmul float %x28, %v
  %x30 = fmul float %x29, %v
  %x31 = fmul float %x30, %v
  %x32 = fmul float %x31, %v
  %x33 = fmul float %x32, %v
  %x34 = fmul float %x33, %v
  %x35 = fmul float %x34, %v
  %x36 = fmul float %x35, %v
  %x37 = fmul float %x36, %v
  %x38 = fmul float %x37, %v
  %x39 = fmul float %x38, %v
  %x40 = fmul float %x39, %v
  %x41 = fmul float %x40, %v
  %x42 = fmul float %x41, %v
  %x43 = fmul float %x42, %v
  %x44 = fmul float %x43, %v
  %x45 = fmul float %x44, %v
  %x46 = fmul float %x45, %v
  %x47 = fmul float %x46, %v
  %x48 = fmul float %x47, %v
  %x49 = fmul float %x48, %v
  %x50 = fmul float %x49, %v
  %x51 = fmul float %x50, %v
  %x52 = fmul float %x51, %v
  %x53 = fmul float %x52, %v
  %x54 = fmul float %x53, %v
  %x55 = fmul float %x54, %v
  %x56 = fmul float %x55, %v
  %x57 = fmul float %x56, %v
  %x58 = fmul float %x57, %v
  %x59 = fmul float %x58, %v
  %x60 = fmul float %x59, %v
  %x61 = fmul float %x60, %v
  %x62 = fmul float %x61, %v
  %x63 = fmul float %x62, %v
  %x64 = fmul float %x63, %v
  store float %x64, ptr %to, align 4
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Each copy keeps the other exit.
; CHECK-LABEL: llvm.func @search(
; CHECK-COUNT-7: llvm.load
; REMARK:      unrolled loop by a factor of 4
define ptx_kernel void @search(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %again ]
  %e = sext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %e
  %v = load i32, ptr %a, align 4
  %f = icmp eq i32 %v, %m
  br i1 %f, label %exit, label %again
again:
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store i32 %i, ptr %to, align 4
  ret void
}

; ptxas does not unroll loops with atomic operations.
; CHECK-LABEL: llvm.func @counts(
; CHECK-COUNT-7: llvm.atomicrmw
; CHECK-NOT:     llvm.atomicrmw
; CHECK:         llvm.return
define ptx_kernel void @counts(ptr %p, i32 %m, i32 %w) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %v = xor i32 %i, %w
  %o = atomicrmw add ptr %p, i32 %v monotonic
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; In a larger loop the counter is a small part.
; CHECK-LABEL: llvm.func @counts_more(
; CHECK-COUNT-1: llvm.atomicrmw
; CHECK-NOT:     llvm.atomicrmw
; CHECK:         llvm.return
define ptx_kernel void @counts_more(ptr %p, i32 %m, i32 %w) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %v = xor i32 %i, %w
  %v1 = mul i32 %v, %m
  %v2 = add i32 %v1, %m
  %v3 = mul i32 %v2, %m
  %v4 = add i32 %v3, %m
  %v5 = mul i32 %v4, %m
  %v6 = add i32 %v5, %m
  %v7 = mul i32 %v6, %m
  %v8 = add i32 %v7, %m
  %v9 = mul i32 %v8, %m
  %v10 = add i32 %v9, %m
  %v11 = mul i32 %v10, %m
  %v12 = add i32 %v11, %m
  %v13 = mul i32 %v12, %m
  %v14 = add i32 %v13, %m
  %v15 = mul i32 %v14, %m
  %v16 = add i32 %v15, %m
  %v17 = mul i32 %v16, %m
  %v18 = add i32 %v17, %m
  %v19 = mul i32 %v18, %m
  %v20 = add i32 %v19, %m
  %o = atomicrmw add ptr %p, i32 %v20 monotonic
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; ptxas adds to floats in shared memory in a loop.
; CHECK-LABEL: llvm.func @adds_in_shared(
; CHECK-COUNT-1: llvm.atomicrmw
; CHECK-NOT:     llvm.atomicrmw
; CHECK:         llvm.return
define ptx_kernel void @adds_in_shared(ptr addrspace(3) %p, i32 %m, float %w) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %o = atomicrmw fadd ptr addrspace(3) %p, float %w monotonic
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; ptxas computes the reciprocal of a divisor before each copy of a loop, unless it is a constant.
; REMARK:      loop not unrolled: it divides integers
; CHECK-LABEL: llvm.func @divides(
; CHECK-COUNT-1: llvm.sdiv
; CHECK-NOT:     llvm.sdiv
; CHECK-LABEL: llvm.func @divides_by_three(
; CHECK-COUNT-7: llvm.sdiv
define ptx_kernel void @divides(ptr noalias %p, ptr noalias %to, i32 %m, i32 %w) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ 0, %entry ], [ %u, %loop ]
  %a = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %a, align 4
  %q = sdiv i32 %v, %w
  %u = add i32 %s, %q
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store i32 %u, ptr %to, align 4
  ret void
}
define ptx_kernel void @divides_by_three(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ 0, %entry ], [ %u, %loop ]
  %a = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %a, align 4
  %q = sdiv i32 %v, 3
  %u = add i32 %s, %q
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store i32 %u, ptr %to, align 4
  ret void
}

; Loops with an unroll pragma are not changed again.
; CHECK-LABEL: llvm.func @asked(
; CHECK-COUNT-1: llvm.load
; CHECK-NOT:     llvm.load
define ptx_kernel void @asked(ptr %p, ptr %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %t = fadd float %s, %v
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  store float %t, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.trap()
declare i32 @llvm.umin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4}

; A branch before the loop limits it to 15 iterations: too few to unroll it again.
; CHECK-LABEL: llvm.func @tail(
; CHECK:       ^loop(
; CHECK-COUNT-4: llvm.load
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK:         llvm.return
define ptx_kernel void @tail(ptr %p, ptr %to, i64 %start, i64 %n) {
entry:
  %left = sub i64 %n, %start
  %few = icmp ult i64 %left, 16
  br i1 %few, label %test, label %exit
test:
  %some = icmp ult i64 %start, %n
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ %start, %test ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %to, i64 %i
  store i8 %v, ptr %b, align 1
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Steps of two down to a bound: at most 15 iterations, but 17 with the next limit.
; CHECK-LABEL: llvm.func @tail_down(
; CHECK:       ^loop(
; CHECK-COUNT-4: llvm.load
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK:         llvm.return
define ptx_kernel void @tail_down(ptr %p, ptr %to, i64 %start, i64 %n) {
entry:
  %left = sub i64 %start, %n
  %few = icmp ult i64 %left, 32
  br i1 %few, label %test, label %exit
test:
  %some = icmp ugt i64 %start, %n
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ %start, %test ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %to, i64 %i
  store i8 %v, ptr %b, align 1
  %next = add i64 %i, -2
  %c = icmp ugt i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: llvm.func @longer_tail(
; CHECK:       ^loop(
; CHECK-COUNT-4: llvm.load
; CHECK-NOT:     loop_annotation
; CHECK:         llvm.cond_br {{.*}}, ^loop(
; CHECK:         llvm.return
define ptx_kernel void @longer_tail(ptr %p, ptr %to, i64 %start, i64 %n) {
entry:
  %left = sub i64 %n, %start
  %few = icmp ult i64 %left, 17
  br i1 %few, label %test, label %exit
test:
  %some = icmp ult i64 %start, %n
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ %start, %test ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %to, i64 %i
  store i8 %v, ptr %b, align 1
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The limit of 16 iterations is all values of the type.
; CHECK-LABEL: llvm.func @narrow(
; CHECK:       ^loop(
; CHECK-COUNT-4: llvm.load
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK:         llvm.return
define ptx_kernel void @narrow(ptr %p, ptr %to, i4 %n) {
entry:
  %some = icmp ne i4 %n, 0
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i4 [ 0, %entry ], [ %next, %loop ]
  %e = zext i4 %i to i64
  %a = getelementptr i8, ptr %p, i64 %e
  %v = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %to, i64 %e
  store i8 %v, ptr %b, align 1
  %next = add i4 %i, 1
  %c = icmp ult i4 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The trip count itself is limited.
; CHECK-LABEL: llvm.func @counted_tail(
; CHECK:       ^loop(
; CHECK-COUNT-4: llvm.load
; CHECK:         llvm.cond_br {{.*}}unroll = <disable = true>
; CHECK:         llvm.return
define ptx_kernel void @counted_tail(ptr %p, ptr %to, i64 %n) {
entry:
  %few = icmp ult i64 %n, 16
  br i1 %few, label %test, label %exit
test:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %test ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %a, align 1
  %b = getelementptr i8, ptr %to, i64 %i
  store i8 %v, ptr %b, align 1
  %next = add nuw i64 %i, 1
  %c = icmp ne i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The threads of a block share 512 iterations: most have one to four.
; REMARK:      loop not unrolled: its step contains the size of the block, and its bound is at most 512
define ptx_kernel void @of_rows(ptr noalias %p, ptr noalias %to) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %w = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %q = getelementptr float, ptr %to, i64 %e
  store float %v, ptr %q, align 4
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, 512
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; More iterations than threads.
; CHECK-LABEL: llvm.func @of_many(
; CHECK-COUNT-4: llvm.load
; REMARK:      unrolled loop by a factor of 4
define ptx_kernel void @of_many(ptr noalias %p, ptr noalias %to) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %w = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %q = getelementptr float, ptr %to, i64 %e
  store float %v, ptr %q, align 4
  %n = add i32 %i, %w
  %c = icmp slt i32 %n, 513
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A step of 4 is not the size of the block.
; CHECK-LABEL: llvm.func @of_four(
; CHECK-COUNT-4: llvm.load
; REMARK:      unrolled loop by a factor of 4
define ptx_kernel void @of_four(ptr noalias %p, ptr noalias %to) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %e
  %v = load float, ptr %a, align 4
  %q = getelementptr float, ptr %to, i64 %e
  store float %v, ptr %q, align 4
  %n = add i32 %i, 4
  %c = icmp slt i32 %n, 512
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Scoped atomic functions are intrinsics.
; CHECK-LABEL: llvm.func @scoped(
; CHECK-COUNT-7: llvm.nvvm.atomic.add.gen.i.sys
; REMARK:      unrolled loop by a factor of 4
define ptx_kernel void @scoped(ptr %p, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %v = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %p, i32 10)
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
