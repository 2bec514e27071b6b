; ModuleID = 'examples/half.cu'
source_filename = "examples/half.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.blockIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }
%struct.threadIdx_t = type { i8 }

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @axpy_half(half noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca half, align 2
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store half %0, ptr %5, align 2, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !10
  store ptr %2, ptr %7, align 8, !tbaa !10
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %10 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %11 = call noundef i32 @_ZN10blockDim_t6read_xEv() #5
  %12 = mul i32 %10, %11
  %13 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %14 = add i32 %12, %13
  store i32 %14, ptr %9, align 4, !tbaa !4
  %15 = load i32, ptr %9, align 4, !tbaa !4
  %16 = load i32, ptr %8, align 4, !tbaa !4
  %17 = icmp slt i32 %15, %16
  br i1 %17, label %18, label %36

18:                                               ; preds = %4
  %19 = load half, ptr %5, align 2, !tbaa !8
  %20 = load ptr, ptr %6, align 8, !tbaa !10
  %21 = load i32, ptr %9, align 4, !tbaa !4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds half, ptr %20, i64 %22
  %24 = load half, ptr %23, align 2, !tbaa !8
  %25 = fmul contract half %19, %24
  %26 = load ptr, ptr %7, align 8, !tbaa !10
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds half, ptr %26, i64 %28
  %30 = load half, ptr %29, align 2, !tbaa !8
  %31 = fadd contract half %25, %30
  %32 = load ptr, ptr %7, align 8, !tbaa !10
  %33 = load i32, ptr %9, align 4, !tbaa !4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds half, ptr %32, i64 %34
  store half %31, ptr %35, align 2, !tbaa !8
  br label %36

36:                                               ; preds = %18, %4
  call void @llvm.lifetime.end.p0(ptr %9) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @axpy_half2(<2 x half> noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca <2 x half>, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store <2 x half> %0, ptr %5, align 4, !tbaa !13
  store ptr %1, ptr %6, align 8, !tbaa !14
  store ptr %2, ptr %7, align 8, !tbaa !14
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %10 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %11 = call noundef i32 @_ZN10blockDim_t6read_xEv() #5
  %12 = mul i32 %10, %11
  %13 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %14 = add i32 %12, %13
  store i32 %14, ptr %9, align 4, !tbaa !4
  %15 = load i32, ptr %9, align 4, !tbaa !4
  %16 = load i32, ptr %8, align 4, !tbaa !4
  %17 = icmp slt i32 %15, %16
  br i1 %17, label %18, label %36

18:                                               ; preds = %4
  %19 = load <2 x half>, ptr %5, align 4, !tbaa !13
  %20 = load ptr, ptr %6, align 8, !tbaa !14
  %21 = load i32, ptr %9, align 4, !tbaa !4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds <2 x half>, ptr %20, i64 %22
  %24 = load <2 x half>, ptr %23, align 4, !tbaa !13
  %25 = fmul contract <2 x half> %19, %24
  %26 = load ptr, ptr %7, align 8, !tbaa !14
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds <2 x half>, ptr %26, i64 %28
  %30 = load <2 x half>, ptr %29, align 4, !tbaa !13
  %31 = fsub contract <2 x half> %25, %30
  %32 = load ptr, ptr %7, align 8, !tbaa !14
  %33 = load i32, ptr %9, align 4, !tbaa !4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds <2 x half>, ptr %32, i64 %34
  store <2 x half> %31, ptr %35, align 4, !tbaa !13
  br label %36

36:                                               ; preds = %18, %4
  call void @llvm.lifetime.end.p0(ptr %9) #4
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @convert(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca half, align 2
  store ptr %0, ptr %5, align 8, !tbaa !15
  store ptr %1, ptr %6, align 8, !tbaa !10
  store ptr %2, ptr %7, align 8, !tbaa !17
  store ptr %3, ptr %8, align 8, !tbaa !19
  call void @llvm.lifetime.start.p0(ptr %9) #4
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  store i32 %11, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #4
  %12 = load ptr, ptr %5, align 8, !tbaa !15
  %13 = load i32, ptr %9, align 4, !tbaa !4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds float, ptr %12, i64 %14
  %16 = load float, ptr %15, align 4, !tbaa !21
  %17 = fptrunc contract float %16 to half
  store half %17, ptr %10, align 2, !tbaa !8
  %18 = load half, ptr %10, align 2, !tbaa !8
  %19 = fcmp contract olt half %18, 0xH0000
  br i1 %19, label %20, label %23

20:                                               ; preds = %4
  %21 = load half, ptr %10, align 2, !tbaa !8
  %22 = fneg contract half %21
  br label %26

23:                                               ; preds = %4
  %24 = load half, ptr %10, align 2, !tbaa !8
  %25 = fdiv contract half %24, 0xH4200
  br label %26

26:                                               ; preds = %23, %20
  %27 = phi contract half [ %22, %20 ], [ %25, %23 ]
  %28 = load ptr, ptr %6, align 8, !tbaa !10
  %29 = load i32, ptr %9, align 4, !tbaa !4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds half, ptr %28, i64 %30
  store half %27, ptr %31, align 2, !tbaa !8
  %32 = load half, ptr %10, align 2, !tbaa !8
  %33 = fptosi half %32 to i32
  %34 = load ptr, ptr %7, align 8, !tbaa !17
  %35 = load i32, ptr %9, align 4, !tbaa !4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds i32, ptr %34, i64 %36
  store i32 %33, ptr %37, align 4, !tbaa !4
  %38 = load half, ptr %10, align 2, !tbaa !8
  %39 = fpext contract half %38 to double
  %40 = load ptr, ptr %8, align 8, !tbaa !19
  %41 = load i32, ptr %9, align 4, !tbaa !4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds double, ptr %40, i64 %42
  store double %39, ptr %43, align 8, !tbaa !23
  call void @llvm.lifetime.end.p0(ptr %10) #4
  call void @llvm.lifetime.end.p0(ptr %9) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind }

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
!9 = !{!"_Float16", !6, i64 0}
!10 = !{!11, !11, i64 0}
!11 = !{!"p1 _Float16", !12, i64 0}
!12 = !{!"any pointer", !6, i64 0}
!13 = !{!6, !6, i64 0}
!14 = !{!12, !12, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"p1 float", !12, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"p1 int", !12, i64 0}
!19 = !{!20, !20, i64 0}
!20 = !{!"p1 double", !12, i64 0}
!21 = !{!22, !22, i64 0}
!22 = !{!"float", !6, i64 0}
!23 = !{!24, !24, i64 0}
!24 = !{!"double", !6, i64 0}
