; RUN: nvvm-cc %s -arch sm_80 -O0 -rdc true | filecheck %s

; An integer kernel parameter, alone or in a struct, that is only converted to a pointer is an address in
; global memory.
; CHECK-LABEL: .entry integers(
; CHECK: cvta.to.global.u64
; CHECK-NEXT: st.global.b32
; CHECK: cvta.to.global.u64
; CHECK-NEXT: st.global.b32
define ptx_kernel void @integers(i64 %a, ptr byval({ i32, i64 }) align 8 %s) {
  %p = inttoptr i64 %a to ptr
  store i32 1, ptr %p
  %f = getelementptr i8, ptr %s, i64 8
  %b = load i64, ptr %f
  %q = inttoptr i64 %b to ptr
  store i32 1, ptr %q
  ret void
}

; An integer with other uses is not, nor is a parameter of a device function.
; CHECK-LABEL: .entry numbers(
; CHECK-NOT: cvta
; CHECK: st.b32
define ptx_kernel void @numbers(i64 %a) {
  %b = add i64 %a, 8
  %p = inttoptr i64 %a to ptr
  %q = inttoptr i64 %b to ptr
  store ptr %q, ptr %p
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: .func device(
; CHECK-NOT: cvta
; CHECK: st.b32
define void @device(i64 %a) {
  %p = inttoptr i64 %a to ptr
  store i32 1, ptr %p
  ret void
}
