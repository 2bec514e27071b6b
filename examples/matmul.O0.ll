; ModuleID = 'examples/matmul.cu'
source_filename = "examples/matmul.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.blockIdx_t = type { i8 }
%struct.threadIdx_t = type { i8 }

$_Z8multiplyIfLi16EEvPKT_S2_PS0_i = comdat any

$_Z8multiplyIdLi8EEvPKT_S2_PS0_i = comdat any

$_ZN10blockIdx_t6read_yEv = comdat any

$_ZN11threadIdx_t6read_yEv = comdat any

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

$_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_a = comdat any

$_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b = comdat any

$_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_a = comdat any

$_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b = comdat any

@_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_a = linkonce_odr dso_local addrspace(3) global [16 x [16 x float]] undef, comdat, align 4
@_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b = linkonce_odr dso_local addrspace(3) global [16 x [17 x float]] undef, comdat, align 4
@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_a = linkonce_odr dso_local addrspace(3) global [8 x [8 x double]] undef, comdat, align 8
@_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b = linkonce_odr dso_local addrspace(3) global [8 x [9 x double]] undef, comdat, align 8

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @matmul_f32(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  %9 = load ptr, ptr %5, align 8, !tbaa !8
  %10 = load ptr, ptr %6, align 8, !tbaa !8
  %11 = load ptr, ptr %7, align 8, !tbaa !8
  %12 = load i32, ptr %8, align 4, !tbaa !4
  call void @_Z8multiplyIfLi16EEvPKT_S2_PS0_i(ptr noundef %9, ptr noundef %10, ptr noundef %11, i32 noundef %12) #5
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local void @_Z8multiplyIfLi16EEvPKT_S2_PS0_i(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #1 comdat {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %17 = call noundef i32 @_ZN10blockIdx_t6read_yEv() #5
  %18 = mul i32 %17, 16
  %19 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %20 = add i32 %18, %19
  store i32 %20, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #6
  %21 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %22 = mul i32 %21, 16
  %23 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %24 = add i32 %22, %23
  store i32 %24, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #6
  store float 0.000000e+00, ptr %11, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %12) #6
  store i32 0, ptr %12, align 4, !tbaa !4
  br label %25

25:                                               ; preds = %115, %4
  %26 = load i32, ptr %12, align 4, !tbaa !4
  %27 = load i32, ptr %8, align 4, !tbaa !4
  %28 = icmp slt i32 %26, %27
  br i1 %28, label %30, label %29

29:                                               ; preds = %25
  store i32 2, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %12) #6
  br label %118

30:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(ptr %14) #6
  %31 = load i32, ptr %12, align 4, !tbaa !4
  %32 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %33 = add i32 %31, %32
  store i32 %33, ptr %14, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #6
  %34 = load i32, ptr %12, align 4, !tbaa !4
  %35 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %36 = add i32 %34, %35
  store i32 %36, ptr %15, align 4, !tbaa !4
  %37 = load i32, ptr %9, align 4, !tbaa !4
  %38 = load i32, ptr %8, align 4, !tbaa !4
  %39 = icmp slt i32 %37, %38
  br i1 %39, label %40, label %54

40:                                               ; preds = %30
  %41 = load i32, ptr %14, align 4, !tbaa !4
  %42 = load i32, ptr %8, align 4, !tbaa !4
  %43 = icmp slt i32 %41, %42
  br i1 %43, label %44, label %54

44:                                               ; preds = %40
  %45 = load ptr, ptr %5, align 8, !tbaa !8
  %46 = load i32, ptr %9, align 4, !tbaa !4
  %47 = load i32, ptr %8, align 4, !tbaa !4
  %48 = mul nsw i32 %46, %47
  %49 = load i32, ptr %14, align 4, !tbaa !4
  %50 = add nsw i32 %48, %49
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %45, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !11
  br label %55

54:                                               ; preds = %40, %30
  br label %55

55:                                               ; preds = %54, %44
  %56 = phi contract float [ %53, %44 ], [ 0.000000e+00, %54 ]
  %57 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %58 = zext i32 %57 to i64
  %59 = getelementptr inbounds nuw [16 x [16 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_a to ptr), i64 0, i64 %58
  %60 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %61 = zext i32 %60 to i64
  %62 = getelementptr inbounds nuw [16 x float], ptr %59, i64 0, i64 %61
  store float %56, ptr %62, align 4, !tbaa !11
  %63 = load i32, ptr %15, align 4, !tbaa !4
  %64 = load i32, ptr %8, align 4, !tbaa !4
  %65 = icmp slt i32 %63, %64
  br i1 %65, label %66, label %80

66:                                               ; preds = %55
  %67 = load i32, ptr %10, align 4, !tbaa !4
  %68 = load i32, ptr %8, align 4, !tbaa !4
  %69 = icmp slt i32 %67, %68
  br i1 %69, label %70, label %80

70:                                               ; preds = %66
  %71 = load ptr, ptr %6, align 8, !tbaa !8
  %72 = load i32, ptr %15, align 4, !tbaa !4
  %73 = load i32, ptr %8, align 4, !tbaa !4
  %74 = mul nsw i32 %72, %73
  %75 = load i32, ptr %10, align 4, !tbaa !4
  %76 = add nsw i32 %74, %75
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds float, ptr %71, i64 %77
  %79 = load float, ptr %78, align 4, !tbaa !11
  br label %81

80:                                               ; preds = %66, %55
  br label %81

81:                                               ; preds = %80, %70
  %82 = phi contract float [ %79, %70 ], [ 0.000000e+00, %80 ]
  %83 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %84 = zext i32 %83 to i64
  %85 = getelementptr inbounds nuw [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b to ptr), i64 0, i64 %84
  %86 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %87 = zext i32 %86 to i64
  %88 = getelementptr inbounds nuw [17 x float], ptr %85, i64 0, i64 %87
  store float %82, ptr %88, align 4, !tbaa !11
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %16) #6
  store i32 0, ptr %16, align 4, !tbaa !4
  br label %89

89:                                               ; preds = %111, %81
  %90 = load i32, ptr %16, align 4, !tbaa !4
  %91 = icmp slt i32 %90, 16
  br i1 %91, label %93, label %92

92:                                               ; preds = %89
  store i32 5, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %16) #6
  br label %114

93:                                               ; preds = %89
  %94 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %95 = zext i32 %94 to i64
  %96 = getelementptr inbounds nuw [16 x [16 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_a to ptr), i64 0, i64 %95
  %97 = load i32, ptr %16, align 4, !tbaa !4
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [16 x float], ptr %96, i64 0, i64 %98
  %100 = load float, ptr %99, align 4, !tbaa !11
  %101 = load i32, ptr %16, align 4, !tbaa !4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [16 x [17 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b to ptr), i64 0, i64 %102
  %104 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %105 = zext i32 %104 to i64
  %106 = getelementptr inbounds nuw [17 x float], ptr %103, i64 0, i64 %105
  %107 = load float, ptr %106, align 4, !tbaa !11
  %108 = fmul contract float %100, %107
  %109 = load float, ptr %11, align 4, !tbaa !11
  %110 = fadd contract float %109, %108
  store float %110, ptr %11, align 4, !tbaa !11
  br label %111

111:                                              ; preds = %93
  %112 = load i32, ptr %16, align 4, !tbaa !4
  %113 = add nsw i32 %112, 1
  store i32 %113, ptr %16, align 4, !tbaa !4
  br label %89, !llvm.loop !13

114:                                              ; preds = %92
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.end.p0(ptr %15) #6
  call void @llvm.lifetime.end.p0(ptr %14) #6
  br label %115

115:                                              ; preds = %114
  %116 = load i32, ptr %12, align 4, !tbaa !4
  %117 = add nsw i32 %116, 16
  store i32 %117, ptr %12, align 4, !tbaa !4
  br label %25, !llvm.loop !16

118:                                              ; preds = %29
  %119 = load i32, ptr %9, align 4, !tbaa !4
  %120 = load i32, ptr %8, align 4, !tbaa !4
  %121 = icmp slt i32 %119, %120
  br i1 %121, label %122, label %136

122:                                              ; preds = %118
  %123 = load i32, ptr %10, align 4, !tbaa !4
  %124 = load i32, ptr %8, align 4, !tbaa !4
  %125 = icmp slt i32 %123, %124
  br i1 %125, label %126, label %136

126:                                              ; preds = %122
  %127 = load float, ptr %11, align 4, !tbaa !11
  %128 = load ptr, ptr %7, align 8, !tbaa !8
  %129 = load i32, ptr %9, align 4, !tbaa !4
  %130 = load i32, ptr %8, align 4, !tbaa !4
  %131 = mul nsw i32 %129, %130
  %132 = load i32, ptr %10, align 4, !tbaa !4
  %133 = add nsw i32 %131, %132
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds float, ptr %128, i64 %134
  store float %127, ptr %135, align 4, !tbaa !11
  br label %136

136:                                              ; preds = %126, %122, %118
  call void @llvm.lifetime.end.p0(ptr %11) #6
  call void @llvm.lifetime.end.p0(ptr %10) #6
  call void @llvm.lifetime.end.p0(ptr %9) #6
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @matmul_f64(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !17
  store ptr %1, ptr %6, align 8, !tbaa !17
  store ptr %2, ptr %7, align 8, !tbaa !17
  store i32 %3, ptr %8, align 4, !tbaa !4
  %9 = load ptr, ptr %5, align 8, !tbaa !17
  %10 = load ptr, ptr %6, align 8, !tbaa !17
  %11 = load ptr, ptr %7, align 8, !tbaa !17
  %12 = load i32, ptr %8, align 4, !tbaa !4
  call void @_Z8multiplyIdLi8EEvPKT_S2_PS0_i(ptr noundef %9, ptr noundef %10, ptr noundef %11, i32 noundef %12) #5
  ret void
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local void @_Z8multiplyIdLi8EEvPKT_S2_PS0_i(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #1 comdat {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca double, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !17
  store ptr %1, ptr %6, align 8, !tbaa !17
  store ptr %2, ptr %7, align 8, !tbaa !17
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %17 = call noundef i32 @_ZN10blockIdx_t6read_yEv() #5
  %18 = mul i32 %17, 8
  %19 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %20 = add i32 %18, %19
  store i32 %20, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #6
  %21 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #5
  %22 = mul i32 %21, 8
  %23 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %24 = add i32 %22, %23
  store i32 %24, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #6
  store double 0.000000e+00, ptr %11, align 8, !tbaa !19
  call void @llvm.lifetime.start.p0(ptr %12) #6
  store i32 0, ptr %12, align 4, !tbaa !4
  br label %25

25:                                               ; preds = %115, %4
  %26 = load i32, ptr %12, align 4, !tbaa !4
  %27 = load i32, ptr %8, align 4, !tbaa !4
  %28 = icmp slt i32 %26, %27
  br i1 %28, label %30, label %29

29:                                               ; preds = %25
  store i32 2, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %12) #6
  br label %118

30:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(ptr %14) #6
  %31 = load i32, ptr %12, align 4, !tbaa !4
  %32 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %33 = add i32 %31, %32
  store i32 %33, ptr %14, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #6
  %34 = load i32, ptr %12, align 4, !tbaa !4
  %35 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %36 = add i32 %34, %35
  store i32 %36, ptr %15, align 4, !tbaa !4
  %37 = load i32, ptr %9, align 4, !tbaa !4
  %38 = load i32, ptr %8, align 4, !tbaa !4
  %39 = icmp slt i32 %37, %38
  br i1 %39, label %40, label %54

40:                                               ; preds = %30
  %41 = load i32, ptr %14, align 4, !tbaa !4
  %42 = load i32, ptr %8, align 4, !tbaa !4
  %43 = icmp slt i32 %41, %42
  br i1 %43, label %44, label %54

44:                                               ; preds = %40
  %45 = load ptr, ptr %5, align 8, !tbaa !17
  %46 = load i32, ptr %9, align 4, !tbaa !4
  %47 = load i32, ptr %8, align 4, !tbaa !4
  %48 = mul nsw i32 %46, %47
  %49 = load i32, ptr %14, align 4, !tbaa !4
  %50 = add nsw i32 %48, %49
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds double, ptr %45, i64 %51
  %53 = load double, ptr %52, align 8, !tbaa !19
  br label %55

54:                                               ; preds = %40, %30
  br label %55

55:                                               ; preds = %54, %44
  %56 = phi contract double [ %53, %44 ], [ 0.000000e+00, %54 ]
  %57 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %58 = zext i32 %57 to i64
  %59 = getelementptr inbounds nuw [8 x [8 x double]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_a to ptr), i64 0, i64 %58
  %60 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %61 = zext i32 %60 to i64
  %62 = getelementptr inbounds nuw [8 x double], ptr %59, i64 0, i64 %61
  store double %56, ptr %62, align 8, !tbaa !19
  %63 = load i32, ptr %15, align 4, !tbaa !4
  %64 = load i32, ptr %8, align 4, !tbaa !4
  %65 = icmp slt i32 %63, %64
  br i1 %65, label %66, label %80

66:                                               ; preds = %55
  %67 = load i32, ptr %10, align 4, !tbaa !4
  %68 = load i32, ptr %8, align 4, !tbaa !4
  %69 = icmp slt i32 %67, %68
  br i1 %69, label %70, label %80

70:                                               ; preds = %66
  %71 = load ptr, ptr %6, align 8, !tbaa !17
  %72 = load i32, ptr %15, align 4, !tbaa !4
  %73 = load i32, ptr %8, align 4, !tbaa !4
  %74 = mul nsw i32 %72, %73
  %75 = load i32, ptr %10, align 4, !tbaa !4
  %76 = add nsw i32 %74, %75
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds double, ptr %71, i64 %77
  %79 = load double, ptr %78, align 8, !tbaa !19
  br label %81

80:                                               ; preds = %66, %55
  br label %81

81:                                               ; preds = %80, %70
  %82 = phi contract double [ %79, %70 ], [ 0.000000e+00, %80 ]
  %83 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %84 = zext i32 %83 to i64
  %85 = getelementptr inbounds nuw [8 x [9 x double]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b to ptr), i64 0, i64 %84
  %86 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %87 = zext i32 %86 to i64
  %88 = getelementptr inbounds nuw [9 x double], ptr %85, i64 0, i64 %87
  store double %82, ptr %88, align 8, !tbaa !19
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %16) #6
  store i32 0, ptr %16, align 4, !tbaa !4
  br label %89

89:                                               ; preds = %111, %81
  %90 = load i32, ptr %16, align 4, !tbaa !4
  %91 = icmp slt i32 %90, 8
  br i1 %91, label %93, label %92

92:                                               ; preds = %89
  store i32 5, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %16) #6
  br label %114

93:                                               ; preds = %89
  %94 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #5
  %95 = zext i32 %94 to i64
  %96 = getelementptr inbounds nuw [8 x [8 x double]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_a to ptr), i64 0, i64 %95
  %97 = load i32, ptr %16, align 4, !tbaa !4
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [8 x double], ptr %96, i64 0, i64 %98
  %100 = load double, ptr %99, align 8, !tbaa !19
  %101 = load i32, ptr %16, align 4, !tbaa !4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [8 x [9 x double]], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b to ptr), i64 0, i64 %102
  %104 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #5
  %105 = zext i32 %104 to i64
  %106 = getelementptr inbounds nuw [9 x double], ptr %103, i64 0, i64 %105
  %107 = load double, ptr %106, align 8, !tbaa !19
  %108 = fmul contract double %100, %107
  %109 = load double, ptr %11, align 8, !tbaa !19
  %110 = fadd contract double %109, %108
  store double %110, ptr %11, align 8, !tbaa !19
  br label %111

111:                                              ; preds = %93
  %112 = load i32, ptr %16, align 4, !tbaa !4
  %113 = add nsw i32 %112, 1
  store i32 %113, ptr %16, align 4, !tbaa !4
  br label %89, !llvm.loop !21

114:                                              ; preds = %92
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.end.p0(ptr %15) #6
  call void @llvm.lifetime.end.p0(ptr %14) #6
  br label %115

115:                                              ; preds = %114
  %116 = load i32, ptr %12, align 4, !tbaa !4
  %117 = add nsw i32 %116, 8
  store i32 %117, ptr %12, align 4, !tbaa !4
  br label %25, !llvm.loop !22

118:                                              ; preds = %29
  %119 = load i32, ptr %9, align 4, !tbaa !4
  %120 = load i32, ptr %8, align 4, !tbaa !4
  %121 = icmp slt i32 %119, %120
  br i1 %121, label %122, label %136

122:                                              ; preds = %118
  %123 = load i32, ptr %10, align 4, !tbaa !4
  %124 = load i32, ptr %8, align 4, !tbaa !4
  %125 = icmp slt i32 %123, %124
  br i1 %125, label %126, label %136

126:                                              ; preds = %122
  %127 = load double, ptr %11, align 8, !tbaa !19
  %128 = load ptr, ptr %7, align 8, !tbaa !17
  %129 = load i32, ptr %9, align 4, !tbaa !4
  %130 = load i32, ptr %8, align 4, !tbaa !4
  %131 = mul nsw i32 %129, %130
  %132 = load i32, ptr %10, align 4, !tbaa !4
  %133 = add nsw i32 %131, %132
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds double, ptr %128, i64 %134
  store double %127, ptr %135, align 8, !tbaa !19
  br label %136

136:                                              ; preds = %126, %122, %118
  call void @llvm.lifetime.end.p0(ptr %11) #6
  call void @llvm.lifetime.end.p0(ptr %10) #6
  call void @llvm.lifetime.end.p0(ptr %9) #6
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_yEv() #1 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_yEv() #1 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #1 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #1 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { nounwind }

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
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14, !15}
!14 = !{!"llvm.loop.mustprogress"}
!15 = !{!"llvm.loop.unroll.enable"}
!16 = distinct !{!16, !14}
!17 = !{!18, !18, i64 0}
!18 = !{!"p1 double", !10, i64 0}
!19 = !{!20, !20, i64 0}
!20 = !{!"double", !6, i64 0}
!21 = distinct !{!21, !14, !15}
!22 = distinct !{!22, !14}
