; RUN: nvvm-opt %s -p 'print<bank-conflicts>' -o /dev/null 2>&1 | filecheck %s

; A tile that is written by rows and read by columns. With rows of 32 words all threads of a warp access one
; bank; with rows of 33 words each thread accesses a different bank.

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x [32 x float]] undef
@padded = internal addrspace(3) global [32 x [33 x float]] undef

; CHECK:      Shared-memory bank conflicts for function 'k':
; CHECK-NEXT:   llvm.store: subscripts[(zext i32 %y to i64)][(zext i32 %x to i64)], stride over tid.x 4 bytes, no conflict
; CHECK-NEXT:   llvm.load: subscripts[(zext i32 %x to i64)][(zext i32 %y to i64)], stride over tid.x 128 bytes, 32-way conflict
; CHECK-NEXT:   llvm.store: subscripts[(zext i32 %x to i64)][(zext i32 %y to i64)], stride over tid.x 132 bytes, no conflict
define ptx_kernel void @k() {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %xl = zext i32 %x to i64
  %yl = zext i32 %y to i64
  %row = getelementptr [32 x [32 x float]], ptr addrspace(3) @tile, i64 0, i64 %yl, i64 %xl
  store float 1.0, ptr addrspace(3) %row, align 4
  %column = getelementptr [32 x [32 x float]], ptr addrspace(3) @tile, i64 0, i64 %xl, i64 %yl
  %v = load float, ptr addrspace(3) %column, align 4
  %apart = getelementptr [32 x [33 x float]], ptr addrspace(3) @padded, i64 0, i64 %xl, i64 %yl
  store float %v, ptr addrspace(3) %apart, align 4
  ret void
}

; A histogram: the bins depend on data.
; CHECK:      Shared-memory bank conflicts for function 'histogram':
; CHECK-NEXT:   llvm.load: subscripts[0][(zext i8 %bin to i64)], stride over tid.x irregular, conflicts unknown
define ptx_kernel void @histogram(ptr addrspace(1) %in) {
  %x = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %xl = zext i32 %x to i64
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %xl
  %bin = load i8, ptr addrspace(1) %p
  %bl = zext i8 %bin to i64
  %s = getelementptr float, ptr addrspace(3) @tile, i64 %bl
  %v = load float, ptr addrspace(3) %s, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
