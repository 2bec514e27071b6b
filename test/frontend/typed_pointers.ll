; RUN: nvvm-opt %s | filecheck %s
; NVVM IR 1.x and 2.0: typed pointers, and the spelling of instructions before LLVM
; 3.7.

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

%node = type { i32, %node*, [4 x float] }

; CHECK: llvm.mlir.global external @head() {addr_space = 1 : i32} : !llvm.ptr {
; CHECK-NEXT: llvm.mlir.zero : !llvm.ptr
@head = addrspace(1) global %node* null
@text = private unnamed_addr constant [3 x i8] c"ab\00"
; CHECK: llvm.mlir.global external @pointer()
; CHECK-NEXT: llvm.mlir.addressof @text : !llvm.ptr
@pointer = global i8* getelementptr inbounds ([3 x i8]* @text, i32 0, i32 0)

declare i32 @vprintf(i8*, i8*)
declare void @callee(float addrspace(1)*)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i32, i1)

; CHECK-LABEL: llvm.func @loads(
; CHECK-SAME: !llvm.ptr<1>
define float @loads(float addrspace(1)* %p, float* %q) {
  ; CHECK: llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  %old = load float addrspace(1)* %p
  ; CHECK: llvm.load %q {alignment = 8 : i64} : !llvm.ptr -> f32
  %new = load float, float* %q, align 8
  %sum = fadd float %old, %new
  ; CHECK: llvm.store %sum, %p {alignment = 4 : i64} : f32, !llvm.ptr<1>
  store float %sum, float addrspace(1)* %p
  ret float %sum
}

; CHECK-LABEL: llvm.func @addresses(
define float* @addresses(%node* %n, i64 %i) {
  ; CHECK: llvm.getelementptr inbounds %n[{{.*}}, 2, %i] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.struct<"node", (i32, ptr, array<4 x f32>)>
  %old = getelementptr inbounds %node* %n, i64 0, i32 2, i64 %i
  ; CHECK: llvm.getelementptr %n[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<"node", (i32, ptr, array<4 x f32>)>
  %new = getelementptr %node, %node* %n, i64 %i
  ; Casts between pointers of one space are dropped.
  ; CHECK-NOT: bitcast
  %cast = bitcast %node* %new to float*
  %c = icmp eq float* %old, %cast
  ; CHECK: llvm.select %{{.*}}, %old, %new
  %r = select i1 %c, float* %old, float* %cast
  ret float* %r
}

; CHECK-LABEL: llvm.func @calls(
; CHECK-SAME: !llvm.ptr {llvm.byval = !llvm.struct<"node", (i32, ptr, array<4 x f32>)>}
define void @calls(%node* byval %n, i32 (i8*, ...)* %f, float addrspace(1)* %p) {
  %bytes = bitcast %node* %n to i8*
  ; CHECK: llvm.call %f(%n, %{{.*}}) vararg(!llvm.func<i32 (ptr, ...)>) : !llvm.ptr, (!llvm.ptr, i32) -> i32
  %1 = call i32 (i8*, ...)* %f(i8* %bytes, i32 1)
  ; CHECK: llvm.call @vprintf(
  %2 = call i32 @vprintf(i8* getelementptr inbounds ([3 x i8], [3 x i8]* @text, i64 0, i64 0), i8* %bytes)
  ; CHECK: llvm.call @callee(%p)
  call void (float addrspace(1)*)* @callee(float addrspace(1)* %p)
  ; CHECK: "llvm.intr.memcpy"(%n, %n, %{{.*}}) <{{.*}}llvm.align = 4 : i64
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* %bytes, i8* %bytes, i64 8, i32 4, i1 false)
  ret void
}

; CHECK-LABEL: llvm.func @exchange(
define i32 @exchange(i32* %p) {
  ; CHECK: %[[both:.*]] = llvm.cmpxchg %p, %{{.*}}, %{{.*}} acq_rel acquire {alignment = 4 : i64} : !llvm.ptr, i32
  ; CHECK-NEXT: llvm.extractvalue %[[both]][0]
  %old = cmpxchg i32* %p, i32 0, i32 1 acq_rel
  ret i32 %old
}

; CHECK-LABEL: llvm.func @kernel(
; CHECK-SAME: %s: !llvm.ptr {llvm.byval = !llvm.struct<"node", (i32, ptr, array<4 x f32>)>, nvvm.grid_constant}, %p: !llvm.ptr,
; CHECK-SAME: nvvm.kernel
; CHECK-SAME: nvvm.maxntid = array<i32: 128, 2>
; CHECK-SAME: nvvm.minctasm = 2 : i32
define void @kernel(%node* byval %s, float* %p, i32 %n) {
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = metadata !{void (%node*, float*, i32)* @kernel, metadata !"kernel", i32 1}
!1 = !{void (%node*, float*, i32)* @kernel, !"maxntidx", i32 128, !"maxntidy", i32 2, !"minctasm", i32 2, !"grid_constant", !{i32 1, i32 2}}
