; ModuleID = 'examples/nbody.cu'
source_filename = "examples/nbody.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }
%struct.blockIdx_t = type { i8 }
%struct.threadIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

@_ZZ6forcesE4tile = internal addrspace(3) global [128 x %struct.float4] undef, align 16
@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @forces(ptr noundef %0, ptr noundef %1, i32 noundef %2, float noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca float, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.float4, align 16
  %11 = alloca float, align 4
  %12 = alloca float, align 4
  %13 = alloca float, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca %struct.float4, align 16
  %18 = alloca i32, align 4
  %19 = alloca float, align 4
  %20 = alloca float, align 4
  %21 = alloca float, align 4
  %22 = alloca float, align 4
  %23 = alloca float, align 4
  %24 = alloca %struct.float4, align 16
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store i32 %2, ptr %7, align 4, !tbaa !4
  store float %3, ptr %8, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %9) #8
  %25 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #9
  %26 = mul i32 %25, 128
  %27 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %28 = add i32 %26, %27
  store i32 %28, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #8
  %29 = load ptr, ptr %5, align 8, !tbaa !8
  %30 = load i32, ptr %9, align 4, !tbaa !4
  %31 = load i32, ptr %7, align 4, !tbaa !4
  %32 = icmp slt i32 %30, %31
  br i1 %32, label %33, label %35

33:                                               ; preds = %4
  %34 = load i32, ptr %9, align 4, !tbaa !4
  br label %36

35:                                               ; preds = %4
  br label %36

36:                                               ; preds = %35, %33
  %37 = phi i32 [ %34, %33 ], [ 0, %35 ]
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds %struct.float4, ptr %29, i64 %38
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %10, ptr align 16 %39, i64 16, i1 false), !tbaa.struct !13
  call void @llvm.lifetime.start.p0(ptr %11) #8
  store float 0.000000e+00, ptr %11, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %12) #8
  store float 0.000000e+00, ptr %12, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %13) #8
  store float 0.000000e+00, ptr %13, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %14) #8
  store i32 0, ptr %14, align 4, !tbaa !4
  br label %40

40:                                               ; preds = %139, %36
  %41 = load i32, ptr %14, align 4, !tbaa !4
  %42 = load i32, ptr %7, align 4, !tbaa !4
  %43 = icmp slt i32 %41, %42
  br i1 %43, label %45, label %44

44:                                               ; preds = %40
  store i32 2, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %14) #8
  br label %142

45:                                               ; preds = %40
  call void @llvm.lifetime.start.p0(ptr %16) #8
  %46 = load i32, ptr %14, align 4, !tbaa !4
  %47 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %48 = add i32 %46, %47
  store i32 %48, ptr %16, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %17) #8
  %49 = load i32, ptr %16, align 4, !tbaa !4
  %50 = load i32, ptr %7, align 4, !tbaa !4
  %51 = icmp slt i32 %49, %50
  br i1 %51, label %52, label %57

52:                                               ; preds = %45
  %53 = load ptr, ptr %5, align 8, !tbaa !8
  %54 = load i32, ptr %16, align 4, !tbaa !4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds %struct.float4, ptr %53, i64 %55
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %17, ptr align 16 %56, i64 16, i1 false), !tbaa.struct !13
  br label %62

57:                                               ; preds = %45
  %58 = getelementptr inbounds nuw %struct.float4, ptr %17, i32 0, i32 0
  store float 0.000000e+00, ptr %58, align 16, !tbaa !14
  %59 = getelementptr inbounds nuw %struct.float4, ptr %17, i32 0, i32 1
  store float 0.000000e+00, ptr %59, align 4, !tbaa !16
  %60 = getelementptr inbounds nuw %struct.float4, ptr %17, i32 0, i32 2
  store float 0.000000e+00, ptr %60, align 8, !tbaa !17
  %61 = getelementptr inbounds nuw %struct.float4, ptr %17, i32 0, i32 3
  store float 0.000000e+00, ptr %61, align 4, !tbaa !18
  br label %62

62:                                               ; preds = %57, %52
  %63 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %64 = zext i32 %63 to i64
  %65 = getelementptr inbounds nuw [128 x %struct.float4], ptr addrspacecast (ptr addrspace(3) @_ZZ6forcesE4tile to ptr), i64 0, i64 %64
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %65, ptr align 16 %17, i64 16, i1 false), !tbaa.struct !13
  call void @llvm.lifetime.end.p0(ptr %17) #8
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %18) #8
  store i32 0, ptr %18, align 4, !tbaa !4
  br label %66

66:                                               ; preds = %135, %62
  %67 = load i32, ptr %18, align 4, !tbaa !4
  %68 = icmp slt i32 %67, 128
  br i1 %68, label %70, label %69

69:                                               ; preds = %66
  store i32 5, ptr %15, align 4
  call void @llvm.lifetime.end.p0(ptr %18) #8
  br label %138

70:                                               ; preds = %66
  call void @llvm.lifetime.start.p0(ptr %19) #8
  %71 = load i32, ptr %18, align 4, !tbaa !4
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds [128 x %struct.float4], ptr addrspacecast (ptr addrspace(3) @_ZZ6forcesE4tile to ptr), i64 0, i64 %72
  %74 = getelementptr inbounds nuw %struct.float4, ptr %73, i32 0, i32 0
  %75 = load float, ptr %74, align 16, !tbaa !14
  %76 = getelementptr inbounds nuw %struct.float4, ptr %10, i32 0, i32 0
  %77 = load float, ptr %76, align 16, !tbaa !14
  %78 = fsub contract float %75, %77
  store float %78, ptr %19, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %20) #8
  %79 = load i32, ptr %18, align 4, !tbaa !4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds [128 x %struct.float4], ptr addrspacecast (ptr addrspace(3) @_ZZ6forcesE4tile to ptr), i64 0, i64 %80
  %82 = getelementptr inbounds nuw %struct.float4, ptr %81, i32 0, i32 1
  %83 = load float, ptr %82, align 4, !tbaa !16
  %84 = getelementptr inbounds nuw %struct.float4, ptr %10, i32 0, i32 1
  %85 = load float, ptr %84, align 4, !tbaa !16
  %86 = fsub contract float %83, %85
  store float %86, ptr %20, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %21) #8
  %87 = load i32, ptr %18, align 4, !tbaa !4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [128 x %struct.float4], ptr addrspacecast (ptr addrspace(3) @_ZZ6forcesE4tile to ptr), i64 0, i64 %88
  %90 = getelementptr inbounds nuw %struct.float4, ptr %89, i32 0, i32 2
  %91 = load float, ptr %90, align 8, !tbaa !17
  %92 = getelementptr inbounds nuw %struct.float4, ptr %10, i32 0, i32 2
  %93 = load float, ptr %92, align 8, !tbaa !17
  %94 = fsub contract float %91, %93
  store float %94, ptr %21, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %22) #8
  %95 = load float, ptr %19, align 4, !tbaa !11
  %96 = load float, ptr %19, align 4, !tbaa !11
  %97 = fmul contract float %95, %96
  %98 = load float, ptr %20, align 4, !tbaa !11
  %99 = load float, ptr %20, align 4, !tbaa !11
  %100 = fmul contract float %98, %99
  %101 = fadd contract float %97, %100
  %102 = load float, ptr %21, align 4, !tbaa !11
  %103 = load float, ptr %21, align 4, !tbaa !11
  %104 = fmul contract float %102, %103
  %105 = fadd contract float %101, %104
  %106 = load float, ptr %8, align 4, !tbaa !11
  %107 = fadd contract float %105, %106
  %108 = call contract float @__nv_rsqrtf(float noundef %107) #9
  store float %108, ptr %22, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %23) #8
  %109 = load i32, ptr %18, align 4, !tbaa !4
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [128 x %struct.float4], ptr addrspacecast (ptr addrspace(3) @_ZZ6forcesE4tile to ptr), i64 0, i64 %110
  %112 = getelementptr inbounds nuw %struct.float4, ptr %111, i32 0, i32 3
  %113 = load float, ptr %112, align 4, !tbaa !18
  %114 = load float, ptr %22, align 4, !tbaa !11
  %115 = fmul contract float %113, %114
  %116 = load float, ptr %22, align 4, !tbaa !11
  %117 = fmul contract float %115, %116
  %118 = load float, ptr %22, align 4, !tbaa !11
  %119 = fmul contract float %117, %118
  store float %119, ptr %23, align 4, !tbaa !11
  %120 = load float, ptr %19, align 4, !tbaa !11
  %121 = load float, ptr %23, align 4, !tbaa !11
  %122 = fmul contract float %120, %121
  %123 = load float, ptr %11, align 4, !tbaa !11
  %124 = fadd contract float %123, %122
  store float %124, ptr %11, align 4, !tbaa !11
  %125 = load float, ptr %20, align 4, !tbaa !11
  %126 = load float, ptr %23, align 4, !tbaa !11
  %127 = fmul contract float %125, %126
  %128 = load float, ptr %12, align 4, !tbaa !11
  %129 = fadd contract float %128, %127
  store float %129, ptr %12, align 4, !tbaa !11
  %130 = load float, ptr %21, align 4, !tbaa !11
  %131 = load float, ptr %23, align 4, !tbaa !11
  %132 = fmul contract float %130, %131
  %133 = load float, ptr %13, align 4, !tbaa !11
  %134 = fadd contract float %133, %132
  store float %134, ptr %13, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %23) #8
  call void @llvm.lifetime.end.p0(ptr %22) #8
  call void @llvm.lifetime.end.p0(ptr %21) #8
  call void @llvm.lifetime.end.p0(ptr %20) #8
  call void @llvm.lifetime.end.p0(ptr %19) #8
  br label %135

135:                                              ; preds = %70
  %136 = load i32, ptr %18, align 4, !tbaa !4
  %137 = add nsw i32 %136, 1
  store i32 %137, ptr %18, align 4, !tbaa !4
  br label %66, !llvm.loop !19

138:                                              ; preds = %69
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.end.p0(ptr %16) #8
  br label %139

139:                                              ; preds = %138
  %140 = load i32, ptr %14, align 4, !tbaa !4
  %141 = add nsw i32 %140, 128
  store i32 %141, ptr %14, align 4, !tbaa !4
  br label %40, !llvm.loop !21

142:                                              ; preds = %44
  %143 = load i32, ptr %9, align 4, !tbaa !4
  %144 = load i32, ptr %7, align 4, !tbaa !4
  %145 = icmp slt i32 %143, %144
  br i1 %145, label %146, label %158

146:                                              ; preds = %142
  call void @llvm.lifetime.start.p0(ptr %24) #8
  %147 = getelementptr inbounds nuw %struct.float4, ptr %24, i32 0, i32 0
  %148 = load float, ptr %11, align 4, !tbaa !11
  store float %148, ptr %147, align 16, !tbaa !14
  %149 = getelementptr inbounds nuw %struct.float4, ptr %24, i32 0, i32 1
  %150 = load float, ptr %12, align 4, !tbaa !11
  store float %150, ptr %149, align 4, !tbaa !16
  %151 = getelementptr inbounds nuw %struct.float4, ptr %24, i32 0, i32 2
  %152 = load float, ptr %13, align 4, !tbaa !11
  store float %152, ptr %151, align 8, !tbaa !17
  %153 = getelementptr inbounds nuw %struct.float4, ptr %24, i32 0, i32 3
  store float 0.000000e+00, ptr %153, align 4, !tbaa !18
  %154 = load ptr, ptr %6, align 8, !tbaa !8
  %155 = load i32, ptr %9, align 4, !tbaa !4
  %156 = sext i32 %155 to i64
  %157 = getelementptr inbounds %struct.float4, ptr %154, i64 %156
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %157, ptr align 16 %24, i64 16, i1 false), !tbaa.struct !13
  call void @llvm.lifetime.end.p0(ptr %24) #8
  br label %158

158:                                              ; preds = %146, %142
  call void @llvm.lifetime.end.p0(ptr %13) #8
  call void @llvm.lifetime.end.p0(ptr %12) #8
  call void @llvm.lifetime.end.p0(ptr %11) #8
  call void @llvm.lifetime.end.p0(ptr %10) #8
  call void @llvm.lifetime.end.p0(ptr %9) #8
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
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #4

; Function Attrs: convergent nounwind
declare dso_local float @__nv_rsqrtf(float noundef) #5

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @functions_f32(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !22
  store ptr %1, ptr %5, align 8, !tbaa !22
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #8
  %8 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #9
  %9 = call noundef i32 @_ZN10blockDim_t6read_xEv() #9
  %10 = mul i32 %8, %9
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %12 = add i32 %10, %11
  store i32 %12, ptr %7, align 4, !tbaa !4
  %13 = load i32, ptr %7, align 4, !tbaa !4
  %14 = load i32, ptr %6, align 4, !tbaa !4
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %16, label %42

16:                                               ; preds = %3
  %17 = load ptr, ptr %4, align 8, !tbaa !22
  %18 = load i32, ptr %7, align 4, !tbaa !4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds float, ptr %17, i64 %19
  %21 = load float, ptr %20, align 4, !tbaa !11
  %22 = call contract float @__nv_sinf(float noundef %21) #9
  %23 = load ptr, ptr %4, align 8, !tbaa !22
  %24 = load i32, ptr %7, align 4, !tbaa !4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %23, i64 %25
  %27 = load float, ptr %26, align 4, !tbaa !11
  %28 = fneg contract float %27
  %29 = call contract float @__nv_expf(float noundef %28) #9
  %30 = load ptr, ptr %4, align 8, !tbaa !22
  %31 = load i32, ptr %7, align 4, !tbaa !4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds float, ptr %30, i64 %32
  %34 = load float, ptr %33, align 4, !tbaa !11
  %35 = call contract float @__nv_powf(float noundef %34, float noundef 1.500000e+00) #9
  %36 = fmul contract float %29, %35
  %37 = fadd contract float %22, %36
  %38 = load ptr, ptr %5, align 8, !tbaa !22
  %39 = load i32, ptr %7, align 4, !tbaa !4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds float, ptr %38, i64 %40
  store float %37, ptr %41, align 4, !tbaa !11
  br label %42

42:                                               ; preds = %16, %3
  call void @llvm.lifetime.end.p0(ptr %7) #8
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: convergent nounwind
declare dso_local float @__nv_sinf(float noundef) #5

; Function Attrs: convergent nounwind
declare dso_local float @__nv_expf(float noundef) #5

; Function Attrs: convergent nounwind
declare dso_local float @__nv_powf(float noundef, float noundef) #5

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @functions_f64(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !24
  store ptr %1, ptr %5, align 8, !tbaa !24
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #8
  %8 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #9
  %9 = call noundef i32 @_ZN10blockDim_t6read_xEv() #9
  %10 = mul i32 %8, %9
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %12 = add i32 %10, %11
  store i32 %12, ptr %7, align 4, !tbaa !4
  %13 = load i32, ptr %7, align 4, !tbaa !4
  %14 = load i32, ptr %6, align 4, !tbaa !4
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %16, label %62

16:                                               ; preds = %3
  %17 = load ptr, ptr %4, align 8, !tbaa !24
  %18 = load i32, ptr %7, align 4, !tbaa !4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds double, ptr %17, i64 %19
  %21 = load double, ptr %20, align 8, !tbaa !26
  %22 = call contract double @__nv_sin(double noundef %21) #9
  %23 = load ptr, ptr %4, align 8, !tbaa !24
  %24 = load i32, ptr %7, align 4, !tbaa !4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds double, ptr %23, i64 %25
  %27 = load double, ptr %26, align 8, !tbaa !26
  %28 = fneg contract double %27
  %29 = call contract double @__nv_exp(double noundef %28) #9
  %30 = load ptr, ptr %4, align 8, !tbaa !24
  %31 = load i32, ptr %7, align 4, !tbaa !4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds double, ptr %30, i64 %32
  %34 = load double, ptr %33, align 8, !tbaa !26
  %35 = call contract double @__nv_pow(double noundef %34, double noundef 1.500000e+00) #9
  %36 = fmul contract double %29, %35
  %37 = fadd contract double %22, %36
  %38 = load ptr, ptr %4, align 8, !tbaa !24
  %39 = load i32, ptr %7, align 4, !tbaa !4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds double, ptr %38, i64 %40
  %42 = load double, ptr %41, align 8, !tbaa !26
  %43 = call contract double @__nv_rsqrt(double noundef %42) #9
  %44 = fadd contract double %37, %43
  %45 = load ptr, ptr %4, align 8, !tbaa !24
  %46 = load i32, ptr %7, align 4, !tbaa !4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds double, ptr %45, i64 %47
  %49 = load double, ptr %48, align 8, !tbaa !26
  %50 = call contract double @llvm.sqrt.f64(double %49)
  %51 = load ptr, ptr %4, align 8, !tbaa !24
  %52 = load i32, ptr %7, align 4, !tbaa !4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds double, ptr %51, i64 %53
  %55 = load double, ptr %54, align 8, !tbaa !26
  %56 = fdiv contract double %50, %55
  %57 = fadd contract double %44, %56
  %58 = load ptr, ptr %5, align 8, !tbaa !24
  %59 = load i32, ptr %7, align 4, !tbaa !4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds double, ptr %58, i64 %60
  store double %57, ptr %61, align 8, !tbaa !26
  br label %62

62:                                               ; preds = %16, %3
  call void @llvm.lifetime.end.p0(ptr %7) #8
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local double @__nv_sin(double noundef) #5

; Function Attrs: convergent nounwind
declare dso_local double @__nv_exp(double noundef) #5

; Function Attrs: convergent nounwind
declare dso_local double @__nv_pow(double noundef, double noundef) #5

; Function Attrs: convergent nounwind
declare dso_local double @__nv_rsqrt(double noundef) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #7

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #7

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #7

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { convergent nocallback nounwind }
attributes #5 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nounwind }
attributes #9 = { convergent nounwind }

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
!9 = !{!"p1 _ZTS6float4", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = !{i64 0, i64 4, !11, i64 4, i64 4, !11, i64 8, i64 4, !11, i64 12, i64 4, !11}
!14 = !{!15, !12, i64 0}
!15 = !{!"_ZTS6float4", !12, i64 0, !12, i64 4, !12, i64 8, !12, i64 12}
!16 = !{!15, !12, i64 4}
!17 = !{!15, !12, i64 8}
!18 = !{!15, !12, i64 12}
!19 = distinct !{!19, !20}
!20 = !{!"llvm.loop.mustprogress"}
!21 = distinct !{!21, !20}
!22 = !{!23, !23, i64 0}
!23 = !{!"p1 float", !10, i64 0}
!24 = !{!25, !25, i64 0}
!25 = !{!"p1 double", !10, i64 0}
!26 = !{!27, !27, i64 0}
!27 = !{!"double", !6, i64 0}
