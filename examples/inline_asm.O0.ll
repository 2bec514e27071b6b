; ModuleID = 'examples/inline_asm.cu'
source_filename = "examples/inline_asm.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.threadIdx_t = type { i8 }

$_Z9clock_nowv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

$_Z7lane_idv = comdat any

@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @inline_ptx(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca float, align 4
  %9 = alloca float, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store ptr %2, ptr %6, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %7) #4
  %11 = call noundef i64 @_Z9clock_nowv() #5
  store i64 %11, ptr %7, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %8) #4
  %12 = load ptr, ptr %4, align 8, !tbaa !8
  %13 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %14 = zext i32 %13 to i64
  %15 = getelementptr inbounds nuw float, ptr %12, i64 %14
  %16 = load float, ptr %15, align 4, !tbaa !15
  store float %16, ptr %8, align 4, !tbaa !15
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %17 = load float, ptr %8, align 4, !tbaa !15
  %18 = call contract float asm "{\0A\09.reg .f32 t;\0A\09add.f32 t, $1, $1;\0A\09fma.rn.f32 $0, t, $2, $1;\0A\09}", "=f,f,f"(float %17, float 2.500000e+00) #6, !srcloc !17
  store float %18, ptr %9, align 4, !tbaa !15
  call void @llvm.lifetime.start.p0(ptr %10) #4
  %19 = call i32 asm sideeffect "vote.sync.ballot.b32 $0, $1, $2;", "=r,n,r"(i32 1, i32 -1) #5, !srcloc !18
  store i32 %19, ptr %10, align 4, !tbaa !4
  call void asm sideeffect "bar.sync 0;", "~{memory}"() #5, !srcloc !19
  %20 = load float, ptr %9, align 4, !tbaa !15
  %21 = call noundef i32 @_Z7lane_idv() #5
  %22 = uitofp i32 %21 to float
  %23 = fadd contract float %20, %22
  %24 = load ptr, ptr %5, align 8, !tbaa !8
  %25 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw float, ptr %24, i64 %26
  store float %23, ptr %27, align 4, !tbaa !15
  %28 = call noundef i64 @_Z9clock_nowv() #5
  %29 = load i64, ptr %7, align 8, !tbaa !13
  %30 = sub i64 %28, %29
  %31 = load ptr, ptr %6, align 8, !tbaa !11
  %32 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %33 = zext i32 %32 to i64
  %34 = getelementptr inbounds nuw i64, ptr %31, i64 %33
  store i64 %30, ptr %34, align 8, !tbaa !13
  call void @llvm.lifetime.end.p0(ptr %10) #4
  call void @llvm.lifetime.end.p0(ptr %9) #4
  call void @llvm.lifetime.end.p0(ptr %8) #4
  call void @llvm.lifetime.end.p0(ptr %7) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i64 @_Z9clock_nowv() #2 comdat {
  %1 = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr %1) #4
  %2 = call i64 asm sideeffect "mov.u64 $0, %clock64;", "=l,~{memory}"() #5, !srcloc !20
  store i64 %2, ptr %1, align 8, !tbaa !13
  %3 = load i64, ptr %1, align 8, !tbaa !13
  call void @llvm.lifetime.end.p0(ptr %1) #4
  ret i64 %3
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_Z7lane_idv() #2 comdat {
  %1 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr %1) #4
  %2 = call i32 asm "mov.u32 $0, %laneid;", "=r"() #6, !srcloc !21
  store i32 %2, ptr %1, align 4, !tbaa !4
  %3 = load i32, ptr %1, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %1) #4
  ret i32 %3
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind memory(none) }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"p1 long long", !10, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"long long", !6, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"float", !6, i64 0}
!17 = !{i64 510, i64 514, i64 530, i64 552, i64 581}
!18 = !{i64 661}
!19 = !{i64 752}
!20 = !{i64 269}
!21 = !{i64 111}
