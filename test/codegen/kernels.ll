; RUN: nvvm-opt %s -p 'convert-llvm-to-nvptx{arch=sm_90}' | filecheck %s

target triple = "nvptx64-nvidia-cuda"

%s = type { i64, [3 x i16] }

; CHECK: nvptx.func extern @sink(#nvptx.param<b64, name = "sink_param_0">)

; CHECK: nvptx.func kernel visible @params(
; CHECK-SAME: #nvptx.param<b8, name = "params_param_0">
; CHECK-SAME: #nvptx.param<b16, name = "params_param_1">
; CHECK-SAME: #nvptx.param<b64, name = "params_param_2", ptr = global, ptr_align = 16>
; CHECK-SAME: #nvptx.param<b8 x 16, align = 8, name = "params_param_3">
; CHECK-SAME: #nvptx.param<b8 x 16, align = 16, name = "params_param_4">
; CHECK: nvptx.ld param.b16 [@params_param_3 + 10]
define ptx_kernel void @params(i8 %a, i16 %b, ptr addrspace(1) align 16 %c, ptr byval(%s) %d, <4 x float> %e) {
  %p = getelementptr %s, ptr %d, i64 0, i32 1, i32 1
  %v = load i16, ptr %p
  store i16 %v, ptr addrspace(1) %c
  ret void
}

; A parameter that is stored to is copied first.
; CHECK-LABEL: @writes(
; CHECK: nvptx.local @[[COPY:[a-z_0-9]+]] 16 align 8
; CHECK: nvptx.ld param.b64 [@writes_param_0]
; CHECK: nvptx.ld param.b64 [@writes_param_0 + 8]
; CHECK: nvptx.st local.b64 [@[[COPY]]], %
; CHECK: nvptx.st local.b64 [@[[COPY]] + 8], %
; CHECK: nvptx.st local.b64 [@[[COPY]]], 1
define ptx_kernel void @writes(ptr byval(%s) align 8 %d) {
  store i64 1, ptr %d
  call void @sink(ptr %d)
  ret void
}

declare void @sink(ptr)

; CHECK: nvptx.func kernel visible @bounds()
; CHECK-SAME: maxntid = array<i32: 256, 1, 1>, minnctapersm = 2 : i32, maxnreg = 40 : i32
define ptx_kernel void @bounds() "nvvm.maxntid"="256" "nvvm.minctasm"="2" "nvvm.maxnreg"="40" {
  ret void
}

; CHECK: nvptx.func @small(#nvptx.param<b32, {{.*}}>, #nvptx.param<b8 x 2, align = 2, {{.*}}>) -> #nvptx.param<b32
define internal signext i8 @small(i8 %a, half %b) {
  ret i8 %a
}

; CHECK-LABEL: @calls(
; CHECK: nvptx.call uni @small(%{{[0-9]+}}, %{{[0-9]+}})
; CHECK: nvptx.call{{.*}} (%{{[0-9]+}}, 5)
define ptx_kernel void @calls(ptr %f, ptr %p) {
  %v = load i8, ptr %p
  %h = load half, ptr %p
  %r = call i8 @small(i8 %v, half %h)
  store i8 %r, ptr %p
  call void %f(i32 5)
  ret void
}
