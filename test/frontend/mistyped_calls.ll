; Calls whose type differs from that of the function. If only an unused result differs, the call stays direct.
; RUN: nvvm-opt %s | filecheck %s

target triple = "nvptx64-nvidia-cuda"
define internal void @set(ptr %p, i32 %x) noinline {
  store i32 %x, ptr %p
  ret void
}
define internal i32 @get(ptr %p) noinline {
  %x = load i32, ptr %p
  ret i32 %x
}
; CHECK-LABEL: llvm.func @k(
; CHECK:       llvm.call @set(%p, {{.*}}) : (!llvm.ptr, i32) -> ()
; CHECK-NEXT:  llvm.call @get(%p) : (!llvm.ptr) -> i32
; CHECK-NEXT:  %[[GET:.*]] = llvm.mlir.addressof @get
; CHECK-NEXT:  %[[B:.*]] = llvm.call %[[GET]](%p) : !llvm.ptr, (!llvm.ptr) -> f32
; CHECK-NEXT:  llvm.store %[[B]]
; CHECK-NEXT:  %[[SET:.*]] = llvm.mlir.addressof @set
; CHECK-NEXT:  llvm.call %[[SET]](%p)
define ptx_kernel void @k(ptr %p) {
  %a = call ptr @set(ptr %p, i32 7)
  call void @get(ptr %p)
  %b = call float @get(ptr %p)
  store float %b, ptr %p
  %c = call i64 @set(ptr %p)
  ret void
}
