; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_80}' | filecheck %s

; Constant offsets fold into the access, equal indices are multiplied once, and pointers of kernels are
; global.

target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]
@tile = internal addrspace(3) global [64 x float] undef

; CHECK-LABEL: @stencil(
; CHECK: [[X:%[0-9]+]] = nvptx.cvta to.global.u64
; CHECK: [[WIDE:%[0-9]+]] = nvptx.mul wide.s32 %{{.*}}, 4
; CHECK-NEXT: [[AT:%[0-9]+]] = nvptx.add s64 [[X]], [[WIDE]]
; CHECK-NEXT: nvptx.ld global.f32 {{\[}}[[AT]] - 4]
; CHECK-NEXT: nvptx.ld global.f32 {{\[}}[[AT]]]
; CHECK-NEXT: nvptx.ld global.f32 {{\[}}[[AT]] + 4]
; CHECK-NOT: cvta global
define ptx_kernel void @stencil(ptr %x, ptr %y, i32 %i) {
  %before = add nsw i32 %i, -1
  %after = add nsw i32 %i, 1
  %b = sext i32 %before to i64
  %c = sext i32 %i to i64
  %a = sext i32 %after to i64
  %pb = getelementptr float, ptr %x, i64 %b
  %pc = getelementptr float, ptr %x, i64 %c
  %pa = getelementptr float, ptr %x, i64 %a
  %vb = load float, ptr %pb
  %vc = load float, ptr %pc
  %va = load float, ptr %pa
  %s = fadd float %vb, %vc
  %t = fadd float %s, %va
  %py = getelementptr float, ptr %y, i64 %c
  store float %t, ptr %py
  ret void
}

; An addition that may wrap is not split.
; CHECK-LABEL: @wraps(
; CHECK: [[SUM:%[0-9]+]] = nvptx.add s32 %{{.*}}, 1
; CHECK: nvptx.mul wide.s32 [[SUM]], 4
define ptx_kernel void @wraps(ptr %x, i32 %i) {
  %j = add i32 %i, 1
  %k = sext i32 %j to i64
  %p = getelementptr float, ptr %x, i64 %k
  store float 0.0, ptr %p
  ret void
}

; CHECK-LABEL: @symbols(
; CHECK: nvptx.ld const.f32 [@table + 8]
; CHECK: nvptx.st shared.f32 [@tile + 12], %
define ptx_kernel void @symbols() {
  %p = getelementptr [4 x float], ptr addrspace(4) @table, i64 0, i64 2
  %v = load float, ptr addrspace(4) %p
  store float %v, ptr addrspace(3) getelementptr ([64 x float], ptr addrspace(3) @tile, i64 0, i64 3)
  ret void
}

; A struct's field, a byte offset beyond 32 bits, and a negative one.
; CHECK-LABEL: @offsets(
; CHECK: nvptx.st global.b64 {{.*}} + 8], 1
; CHECK: [[FAR:%[0-9]+]] = nvptx.add s64 %{{.*}}, 8589934592
; CHECK-NEXT: nvptx.st global.b8 {{\[}}[[FAR]]], 2
; CHECK: nvptx.st global.b8 {{.*}} - 3], 4
define ptx_kernel void @offsets(ptr %x) {
  %f = getelementptr { i32, i64 }, ptr %x, i64 0, i32 1
  store i64 1, ptr %f
  %g = getelementptr i8, ptr %x, i64 8589934592
  store i8 2, ptr %g
  %h = getelementptr i8, ptr %x, i64 -3
  store i8 4, ptr %h
  ret void
}

; A sum with one pointer is an address in that pointer's memory.
; CHECK-LABEL: @integers(
; CHECK: nvptx.mad lo.s64
; CHECK: nvptx.st global.b32 {{.*}} + 16], 0
define ptx_kernel void @integers(ptr %x, i64 %stride, i64 %i) {
  %b = ptrtoint ptr %x to i64
  %m = mul i64 %i, %stride
  %s = add i64 %m, %b
  %t = add i64 %s, 16
  %p = inttoptr i64 %t to ptr
  store i32 0, ptr %p
  ret void
}
