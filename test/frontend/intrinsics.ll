; RUN: nvvm-opt %s | filecheck %s
; The op for a call of an intrinsic, in the spelling of each release.

; Declarations of intrinsics are dropped.
; CHECK-NOT: @llvm.
declare i32 @llvm.ctlz.i32(i32, i1)
declare void @llvm.sideeffect()
declare void @llvm.memset.p3.i32(ptr addrspace(3), i8, i32, i1)
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)

; CHECK-LABEL: llvm.func @core(
define void @core(i32 %i, float %x, ptr %p, ptr addrspace(3) %s, <4 x i1> %m, <4 x float> %v) {
  %slot = alloca i32
  ; CHECK: llvm.intr.lifetime.start %slot : !llvm.ptr
  call void @llvm.lifetime.start.p0(i64 4, ptr %slot)
  ; CHECK: "llvm.intr.ctlz"(%i) <{is_zero_poison = true}> : (i32) -> i32
  %a = call i32 @llvm.ctlz.i32(i32 %i, i1 true)
  ; CHECK: "llvm.intr.ctlz"(%i) <{is_zero_poison = false}> : (i32) -> i32
  %b = call i32 @llvm.ctlz.i32(i32 %i)
  ; CHECK: llvm.intr.ctpop(%i) : (i32) -> i32
  %c = call i32 @llvm.ctpop.i32(i32 %i)
  ; CHECK: "llvm.intr.sadd.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %d = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  ; CHECK: llvm.intr.fma(%x, %x, %x) {fastmathFlags = #llvm.fastmath<fast>} : (f32, f32, f32) -> f32
  %e = call fast float @llvm.fma.f32(float %x, float %x, float %x)
  ; CHECK: "llvm.intr.memset"(%s, %{{.*}}, %i) <{{.*}}isVolatile = true{{.*}}> : (!llvm.ptr<3>, i8, i32) -> ()
  call void @llvm.memset.p3.i32(ptr addrspace(3) align 4 %s, i8 0, i32 %i, i1 true)
  ; CHECK: llvm.intr.masked.load %p, %m, %v {alignment = 16 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  %f = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %p, i32 16, <4 x i1> %m, <4 x float> %v)
  ; CHECK: llvm.intr.assume %{{.*}} ["align"(%p, %{{.*}} : !llvm.ptr, i64)] : i1
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  ; CHECK: llvm.call_intrinsic "llvm.nvvm.add.rn.f"(%x, %x) : (f32, f32) -> f32
  %g = call float @llvm.experimental.constrained.fadd.f32(float %x, float %x, metadata !"round.tonearest", metadata !"fpexcept.strict")
  ; CHECK: llvm.intr.trap
  call void @llvm.trap()
  ; CHECK: llvm.intr.experimental.noalias.scope.decl <{{.*}}description = "scope">
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  ; Calls for debuggers, and calls without a meaning for code, are dropped.
  ; CHECK-NEXT: llvm.intr.lifetime.end
  call void @llvm.dbg.value(metadata i32 %i, metadata !3, metadata !DIExpression())
  #dbg_value(i32 %i, !3, !DIExpression(), !3)
  call void @llvm.donothing()
  call void @llvm.lifetime.end.p0(ptr %slot)
  ; A loop with this call may be infinite.
  ; CHECK: llvm.call_intrinsic "llvm.sideeffect"() : () -> ()
  call void @llvm.sideeffect()
  ; A call of an intrinsic without an op stays a call.
  ; CHECK: llvm.call_intrinsic "llvm.objectsize.i64.p0"(%p, {{.*}}) : (!llvm.ptr, i1, i1, i1) -> i64
  %h = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  ret void
}

; CHECK-LABEL: llvm.func @nvvm(
define void @nvvm(i32 %i, float %x, ptr addrspace(1) %p) {
  ; CHECK: %t = nvvm.read.ptx.sreg.tid.x : i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ; CHECK: nvvm.barrier0
  call void @llvm.nvvm.barrier0()
  ; CHECK: nvvm.barrier0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ; CHECK: nvvm.shfl.sync bfly %i, %i, %i, %i : i32 -> i32
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %i, i32 %i, i32 %i, i32 %i)
  ; NVVM IR's own spelling: the mode is an argument.
  ; CHECK: nvvm.shfl.sync down %i, %i, %i, %i {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  %b = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 %i, i32 2, i32 %i, i32 %i, i32 %i)
  ; A load of memory that does not change, as in LLVM before 20.
  ; CHECK: llvm.load %p invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  %c = call float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1) %p, i32 4)
  ; CHECK: llvm.call_intrinsic "llvm.nvvm.fma.rn.f"(%x, %x, %c) : (f32, f32, f32) -> f32
  %d = call float @llvm.nvvm.fma.rn.f(float %x, float %x, float %c)
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"scope"}
!2 = distinct !{!2, !"domain"}
!3 = !{}
