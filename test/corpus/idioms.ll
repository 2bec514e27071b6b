; ModuleID = 'test/corpus/idioms.cu'
source_filename = "test/corpus/idioms.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.__cuda_builtin_threadIdx_t = type { i8 }
%struct.Whole = type { %union.anon, [2 x %struct.Part] }
%union.anon = type { float }
%struct.Part = type { i8, i32, i16, double, [3 x i8] }
%struct.anon = type { i16, i16 }
%struct.Node = type { ptr, i32 }

$_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv = comdat any

@threadIdx = extern_weak dso_local addrspace(1) global %struct.__cuda_builtin_threadIdx_t, align 1
@__const.arrays.c = private unnamed_addr constant <{ i8, i8, i8, [29 x i8] }> <{ i8 1, i8 2, i8 3, [29 x i8] zeroinitializer }>, align 1
@_ZZ6spacesE6shared = internal addrspace(3) global [32 x i32] undef, align 4
@__const.spaces.local = private unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @cases(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %12 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  store i32 %12, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  store i32 0, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #7
  store i32 0, ptr %9, align 4, !tbaa !4
  br label %13

13:                                               ; preds = %78, %3
  %14 = load i32, ptr %9, align 4, !tbaa !4
  %15 = icmp slt i32 %14, 8
  br i1 %15, label %17, label %16

16:                                               ; preds = %13
  store i32 2, ptr %10, align 4
  br label %81

17:                                               ; preds = %13
  call void @llvm.lifetime.start.p0(ptr %11) #7
  %18 = load ptr, ptr %5, align 8, !tbaa !8
  %19 = load i32, ptr %7, align 4, !tbaa !4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  %22 = load i32, ptr %21, align 4, !tbaa !4
  %23 = load i32, ptr %9, align 4, !tbaa !4
  %24 = mul nsw i32 %23, 3
  %25 = ashr i32 %22, %24
  %26 = load i32, ptr %9, align 4, !tbaa !4
  %27 = sub nsw i32 %25, %26
  store i32 %27, ptr %11, align 4, !tbaa !4
  %28 = load i32, ptr %11, align 4, !tbaa !4
  %29 = and i32 %28, 31
  switch i32 %29, label %65 [
    i32 0, label %30
    i32 1, label %33
    i32 2, label %36
    i32 3, label %36
    i32 5, label %36
    i32 8, label %42
    i32 9, label %52
    i32 12, label %56
    i32 20, label %57
    i32 21, label %57
    i32 22, label %57
    i32 23, label %57
    i32 24, label %57
    i32 25, label %57
    i32 26, label %57
    i32 31, label %62
  ]

30:                                               ; preds = %17
  %31 = load i32, ptr %8, align 4, !tbaa !4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %8, align 4, !tbaa !4
  br label %33

33:                                               ; preds = %17, %30
  %34 = load i32, ptr %8, align 4, !tbaa !4
  %35 = xor i32 %34, 85
  store i32 %35, ptr %8, align 4, !tbaa !4
  br label %68

36:                                               ; preds = %17, %17, %17
  %37 = load i32, ptr %8, align 4, !tbaa !4
  %38 = mul nsw i32 %37, 3
  %39 = load i32, ptr %11, align 4, !tbaa !4
  %40 = and i32 %39, 255
  %41 = add nsw i32 %38, %40
  store i32 %41, ptr %8, align 4, !tbaa !4
  br label %68

42:                                               ; preds = %17
  %43 = load i32, ptr %8, align 4, !tbaa !4
  %44 = and i32 %43, 1
  %45 = icmp ne i32 %44, 0
  br i1 %45, label %46, label %49

46:                                               ; preds = %42
  %47 = load i32, ptr %8, align 4, !tbaa !4
  %48 = ashr i32 %47, 1
  store i32 %48, ptr %8, align 4, !tbaa !4
  br label %68

49:                                               ; preds = %42
  %50 = load i32, ptr %8, align 4, !tbaa !4
  %51 = sub nsw i32 0, %50
  store i32 %51, ptr %8, align 4, !tbaa !4
  br label %52

52:                                               ; preds = %17, %49
  %53 = load i32, ptr %9, align 4, !tbaa !4
  %54 = load i32, ptr %8, align 4, !tbaa !4
  %55 = add nsw i32 %54, %53
  store i32 %55, ptr %8, align 4, !tbaa !4
  store i32 4, ptr %10, align 4
  br label %75

56:                                               ; preds = %17
  store i32 6, ptr %10, align 4
  br label %75

57:                                               ; preds = %17, %17, %17, %17, %17, %17, %17
  %58 = load i32, ptr %11, align 4, !tbaa !4
  %59 = shl i32 %58, 4
  %60 = load i32, ptr %8, align 4, !tbaa !4
  %61 = xor i32 %60, %59
  store i32 %61, ptr %8, align 4, !tbaa !4
  br label %68

62:                                               ; preds = %17
  %63 = load i32, ptr %8, align 4, !tbaa !4
  %64 = xor i32 %63, -1
  store i32 %64, ptr %8, align 4, !tbaa !4
  br label %65

65:                                               ; preds = %17, %62
  %66 = load i32, ptr %8, align 4, !tbaa !4
  %67 = add nsw i32 %66, 2
  store i32 %67, ptr %8, align 4, !tbaa !4
  br label %68

68:                                               ; preds = %65, %57, %46, %36, %33
  %69 = load i32, ptr %8, align 4, !tbaa !4
  %70 = shl i32 %69, 1
  %71 = load i32, ptr %8, align 4, !tbaa !4
  %72 = lshr i32 %71, 31
  %73 = or i32 %70, %72
  %74 = and i32 %73, 16777215
  store i32 %74, ptr %8, align 4, !tbaa !4
  store i32 0, ptr %10, align 4
  br label %75

75:                                               ; preds = %56, %68, %52
  call void @llvm.lifetime.end.p0(ptr %11) #7
  %76 = load i32, ptr %10, align 4
  switch i32 %76, label %81 [
    i32 0, label %77
    i32 4, label %78
  ]

77:                                               ; preds = %75
  br label %78

78:                                               ; preds = %77, %75
  %79 = load i32, ptr %9, align 4, !tbaa !4
  %80 = add nsw i32 %79, 1
  store i32 %80, ptr %9, align 4, !tbaa !4
  br label %13, !llvm.loop !11

81:                                               ; preds = %75, %16
  call void @llvm.lifetime.end.p0(ptr %9) #7
  %82 = load i32, ptr %10, align 4
  switch i32 %82, label %90 [
    i32 2, label %83
    i32 6, label %84
  ]

83:                                               ; preds = %81
  br label %84

84:                                               ; preds = %83, %81
  %85 = load i32, ptr %8, align 4, !tbaa !4
  %86 = load ptr, ptr %4, align 8, !tbaa !8
  %87 = load i32, ptr %7, align 4, !tbaa !4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds i32, ptr %86, i64 %88
  store i32 %85, ptr %89, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void

90:                                               ; preds = %81
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @jumps(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %11 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  store i32 %11, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  store i32 0, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #7
  store i32 60, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #7
  %12 = load ptr, ptr %5, align 8, !tbaa !8
  %13 = load i32, ptr %7, align 4, !tbaa !4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds i32, ptr %12, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !4
  store i32 %16, ptr %10, align 4, !tbaa !4
  %17 = load i32, ptr %10, align 4, !tbaa !4
  %18 = and i32 %17, 1
  %19 = icmp ne i32 %18, 0
  br i1 %19, label %20, label %21

20:                                               ; preds = %3
  br label %39

21:                                               ; preds = %3
  br label %22

22:                                               ; preds = %95, %53, %21
  %23 = load i32, ptr %10, align 4, !tbaa !4
  %24 = and i32 %23, 7
  %25 = load i32, ptr %8, align 4, !tbaa !4
  %26 = add i32 %25, %24
  store i32 %26, ptr %8, align 4, !tbaa !4
  %27 = load i32, ptr %10, align 4, !tbaa !4
  %28 = lshr i32 %27, 1
  store i32 %28, ptr %10, align 4, !tbaa !4
  %29 = load i32, ptr %9, align 4, !tbaa !4
  %30 = add nsw i32 %29, -1
  store i32 %30, ptr %9, align 4, !tbaa !4
  %31 = icmp slt i32 %30, 0
  br i1 %31, label %32, label %33

32:                                               ; preds = %22
  br label %97

33:                                               ; preds = %22
  %34 = load i32, ptr %10, align 4, !tbaa !4
  %35 = and i32 %34, 2
  %36 = icmp ne i32 %35, 0
  br i1 %36, label %37, label %38

37:                                               ; preds = %33
  br label %61

38:                                               ; preds = %33
  br label %39

39:                                               ; preds = %76, %38, %20
  %40 = load i32, ptr %8, align 4, !tbaa !4
  %41 = xor i32 %40, 3
  store i32 %41, ptr %8, align 4, !tbaa !4
  %42 = load i32, ptr %10, align 4, !tbaa !4
  %43 = mul i32 %42, 5
  %44 = add i32 %43, 1
  store i32 %44, ptr %10, align 4, !tbaa !4
  %45 = load i32, ptr %9, align 4, !tbaa !4
  %46 = add nsw i32 %45, -1
  store i32 %46, ptr %9, align 4, !tbaa !4
  %47 = icmp slt i32 %46, 0
  br i1 %47, label %48, label %49

48:                                               ; preds = %39
  br label %97

49:                                               ; preds = %39
  %50 = load i32, ptr %10, align 4, !tbaa !4
  %51 = and i32 %50, 4
  %52 = icmp ne i32 %51, 0
  br i1 %52, label %53, label %54

53:                                               ; preds = %49
  br label %22

54:                                               ; preds = %49
  %55 = load i32, ptr %10, align 4, !tbaa !4
  %56 = and i32 %55, 8
  %57 = icmp ne i32 %56, 0
  br i1 %57, label %58, label %59

58:                                               ; preds = %54
  br label %78

59:                                               ; preds = %54
  br label %60

60:                                               ; preds = %59
  br label %61

61:                                               ; preds = %60, %37
  %62 = load i32, ptr %8, align 4, !tbaa !4
  %63 = mul nsw i32 %62, 2
  %64 = add nsw i32 %63, 1
  %65 = and i32 %64, 65535
  store i32 %65, ptr %8, align 4, !tbaa !4
  %66 = load i32, ptr %9, align 4, !tbaa !4
  %67 = add nsw i32 %66, -1
  store i32 %67, ptr %9, align 4, !tbaa !4
  %68 = icmp slt i32 %67, 0
  br i1 %68, label %69, label %70

69:                                               ; preds = %61
  br label %97

70:                                               ; preds = %61
  %71 = load i32, ptr %10, align 4, !tbaa !4
  %72 = load i32, ptr %8, align 4, !tbaa !4
  %73 = xor i32 %71, %72
  %74 = and i32 %73, 16
  %75 = icmp ne i32 %74, 0
  br i1 %75, label %76, label %77

76:                                               ; preds = %70
  br label %39

77:                                               ; preds = %70
  br label %78

78:                                               ; preds = %77, %58
  %79 = load i32, ptr %10, align 4, !tbaa !4
  %80 = and i32 %79, 3
  %81 = load i32, ptr %8, align 4, !tbaa !4
  %82 = sub i32 %81, %80
  store i32 %82, ptr %8, align 4, !tbaa !4
  %83 = load i32, ptr %10, align 4, !tbaa !4
  %84 = lshr i32 %83, 3
  %85 = load i32, ptr %10, align 4, !tbaa !4
  %86 = shl i32 %85, 29
  %87 = or i32 %84, %86
  store i32 %87, ptr %10, align 4, !tbaa !4
  %88 = load i32, ptr %9, align 4, !tbaa !4
  %89 = add nsw i32 %88, -1
  store i32 %89, ptr %9, align 4, !tbaa !4
  %90 = icmp sgt i32 %89, 0
  br i1 %90, label %91, label %96

91:                                               ; preds = %78
  %92 = load i32, ptr %8, align 4, !tbaa !4
  %93 = and i32 %92, 3
  %94 = icmp ne i32 %93, 0
  br i1 %94, label %95, label %96

95:                                               ; preds = %91
  br label %22

96:                                               ; preds = %91, %78
  br label %97

97:                                               ; preds = %96, %69, %48, %32
  %98 = load i32, ptr %8, align 4, !tbaa !4
  %99 = load i32, ptr %10, align 4, !tbaa !4
  %100 = xor i32 %98, %99
  %101 = load ptr, ptr %4, align 8, !tbaa !8
  %102 = load i32, ptr %7, align 4, !tbaa !4
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds i32, ptr %101, i64 %103
  store i32 %100, ptr %104, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %10) #7
  call void @llvm.lifetime.end.p0(ptr %9) #7
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @carried(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca ptr, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %16 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  store i32 %16, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  %17 = load ptr, ptr %5, align 8, !tbaa !8
  %18 = load i32, ptr %7, align 4, !tbaa !4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  %21 = load i32, ptr %20, align 4, !tbaa !4
  %22 = and i32 %21, 7
  store i32 %22, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #7
  %23 = load ptr, ptr %5, align 8, !tbaa !8
  %24 = load i32, ptr %7, align 4, !tbaa !4
  %25 = add nsw i32 %24, 1
  %26 = load i32, ptr %6, align 4, !tbaa !4
  %27 = srem i32 %25, %26
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %23, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !4
  %31 = and i32 %30, 7
  store i32 %31, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #7
  store i32 0, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #7
  %32 = load ptr, ptr %4, align 8, !tbaa !8
  %33 = load i32, ptr %7, align 4, !tbaa !4
  %34 = mul nsw i32 %33, 32
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %32, i64 %35
  store ptr %36, ptr %11, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !4
  br label %37

37:                                               ; preds = %96, %3
  %38 = load i32, ptr %12, align 4, !tbaa !4
  %39 = load i32, ptr %8, align 4, !tbaa !4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %42, label %41

41:                                               ; preds = %37
  store i32 2, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %12) #7
  br label %99

42:                                               ; preds = %37
  call void @llvm.lifetime.start.p0(ptr %14) #7
  %43 = load i32, ptr %10, align 4, !tbaa !4
  store i32 %43, ptr %14, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #7
  %44 = load i32, ptr %12, align 4, !tbaa !4
  store i32 %44, ptr %15, align 4, !tbaa !4
  br label %45

45:                                               ; preds = %77, %42
  %46 = load i32, ptr %15, align 4, !tbaa !4
  %47 = load i32, ptr %9, align 4, !tbaa !4
  %48 = icmp slt i32 %46, %47
  br i1 %48, label %50, label %49

49:                                               ; preds = %45
  store i32 5, ptr %13, align 4
  br label %80

50:                                               ; preds = %45
  %51 = load ptr, ptr %11, align 8, !tbaa !8
  %52 = load i32, ptr %12, align 4, !tbaa !4
  %53 = load i32, ptr %15, align 4, !tbaa !4
  %54 = add nsw i32 %52, %53
  %55 = and i32 %54, 31
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds i32, ptr %51, i64 %56
  %58 = load i32, ptr %57, align 4, !tbaa !4
  %59 = load i32, ptr %15, align 4, !tbaa !4
  %60 = add nsw i32 %58, %59
  %61 = load i32, ptr %14, align 4, !tbaa !4
  %62 = add nsw i32 %61, %60
  store i32 %62, ptr %14, align 4, !tbaa !4
  %63 = load i32, ptr %14, align 4, !tbaa !4
  %64 = load ptr, ptr %11, align 8, !tbaa !8
  %65 = load i32, ptr %15, align 4, !tbaa !4
  %66 = load i32, ptr %12, align 4, !tbaa !4
  %67 = mul nsw i32 %65, %66
  %68 = add nsw i32 %67, 1
  %69 = and i32 %68, 31
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds i32, ptr %64, i64 %70
  store i32 %63, ptr %71, align 4, !tbaa !4
  %72 = load i32, ptr %14, align 4, !tbaa !4
  %73 = and i32 %72, 64
  %74 = icmp ne i32 %73, 0
  br i1 %74, label %75, label %76

75:                                               ; preds = %50
  store i32 5, ptr %13, align 4
  br label %80

76:                                               ; preds = %50
  br label %77

77:                                               ; preds = %76
  %78 = load i32, ptr %15, align 4, !tbaa !4
  %79 = add nsw i32 %78, 1
  store i32 %79, ptr %15, align 4, !tbaa !4
  br label %45, !llvm.loop !13

80:                                               ; preds = %75, %49
  call void @llvm.lifetime.end.p0(ptr %15) #7
  br label %81

81:                                               ; preds = %80
  %82 = load i32, ptr %14, align 4, !tbaa !4
  %83 = load ptr, ptr %11, align 8, !tbaa !8
  %84 = load i32, ptr %12, align 4, !tbaa !4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds i32, ptr %83, i64 %85
  %87 = load i32, ptr %86, align 4, !tbaa !4
  %88 = add nsw i32 %87, %82
  store i32 %88, ptr %86, align 4, !tbaa !4
  %89 = load ptr, ptr %11, align 8, !tbaa !8
  %90 = load i32, ptr %12, align 4, !tbaa !4
  %91 = add nsw i32 %90, 7
  %92 = and i32 %91, 31
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds i32, ptr %89, i64 %93
  %95 = load i32, ptr %94, align 4, !tbaa !4
  store i32 %95, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %14) #7
  br label %96

96:                                               ; preds = %81
  %97 = load i32, ptr %12, align 4, !tbaa !4
  %98 = add nsw i32 %97, 1
  store i32 %98, ptr %12, align 4, !tbaa !4
  br label %37, !llvm.loop !14

99:                                               ; preds = %41
  %100 = load i32, ptr %10, align 4, !tbaa !4
  %101 = load ptr, ptr %11, align 8, !tbaa !8
  %102 = getelementptr inbounds i32, ptr %101, i64 31
  %103 = load i32, ptr %102, align 4, !tbaa !4
  %104 = add nsw i32 %103, %100
  store i32 %104, ptr %102, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %11) #7
  call void @llvm.lifetime.end.p0(ptr %10) #7
  call void @llvm.lifetime.end.p0(ptr %9) #7
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @puns(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca %struct.Whole, align 8
  %9 = alloca i32, align 4
  %10 = alloca ptr, align 8
  %11 = alloca ptr, align 8
  %12 = alloca i32, align 4
  %13 = alloca i64, align 8
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %14 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  store i32 %14, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  call void @llvm.memset.p0.i64(ptr align 8 %8, i8 0, i64 72, i1 false)
  %15 = load ptr, ptr %5, align 8, !tbaa !8
  %16 = load i32, ptr %7, align 4, !tbaa !4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds i32, ptr %15, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !4
  %20 = sitofp i32 %19 to float
  %21 = fmul contract float %20, 2.500000e-01
  %22 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 0
  store float %21, ptr %22, align 8, !tbaa !15
  %23 = load ptr, ptr %5, align 8, !tbaa !8
  %24 = load i32, ptr %7, align 4, !tbaa !4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds i32, ptr %23, i64 %25
  %27 = load i32, ptr %26, align 4, !tbaa !4
  %28 = ashr i32 %27, 5
  %29 = trunc i32 %28 to i8
  %30 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 0
  %31 = getelementptr inbounds [4 x i8], ptr %30, i64 0, i64 1
  store i8 %29, ptr %31, align 1, !tbaa !15
  call void @llvm.lifetime.start.p0(ptr %9) #7
  %32 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 0
  %33 = load i32, ptr %32, align 8, !tbaa !15
  store i32 %33, ptr %9, align 4, !tbaa !4
  %34 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 0
  %35 = getelementptr inbounds nuw %struct.anon, ptr %34, i32 0, i32 0
  %36 = load i16, ptr %35, align 8, !tbaa !15
  %37 = sext i16 %36 to i32
  %38 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 0
  %39 = getelementptr inbounds nuw %struct.anon, ptr %38, i32 0, i32 1
  %40 = load i16, ptr %39, align 2, !tbaa !15
  %41 = sext i16 %40 to i32
  %42 = xor i32 %41, %37
  %43 = trunc i32 %42 to i16
  store i16 %43, ptr %39, align 2, !tbaa !15
  %44 = load i32, ptr %9, align 4, !tbaa !4
  %45 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %46 = getelementptr inbounds [2 x %struct.Part], ptr %45, i64 0, i64 0
  %47 = getelementptr inbounds nuw %struct.Part, ptr %46, i32 0, i32 1
  store i32 %44, ptr %47, align 4, !tbaa !16
  %48 = load ptr, ptr %5, align 8, !tbaa !8
  %49 = load i32, ptr %7, align 4, !tbaa !4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds i32, ptr %48, i64 %50
  %52 = load i32, ptr %51, align 4, !tbaa !4
  %53 = sitofp i32 %52 to double
  %54 = fmul contract double %53, 2.000000e+00
  %55 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %56 = getelementptr inbounds [2 x %struct.Part], ptr %55, i64 0, i64 0
  %57 = getelementptr inbounds nuw %struct.Part, ptr %56, i32 0, i32 3
  store double %54, ptr %57, align 8, !tbaa !20
  %58 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %59 = getelementptr inbounds [2 x %struct.Part], ptr %58, i64 0, i64 0
  %60 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %61 = getelementptr inbounds [2 x %struct.Part], ptr %60, i64 0, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %61, ptr align 8 %59, i64 32, i1 false), !tbaa.struct !21
  %62 = load ptr, ptr %5, align 8, !tbaa !8
  %63 = load i32, ptr %7, align 4, !tbaa !4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds i32, ptr %62, i64 %64
  %66 = load i32, ptr %65, align 4, !tbaa !4
  %67 = trunc i32 %66 to i8
  %68 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %69 = getelementptr inbounds [2 x %struct.Part], ptr %68, i64 0, i64 1
  %70 = getelementptr inbounds nuw %struct.Part, ptr %69, i32 0, i32 4
  %71 = getelementptr inbounds [3 x i8], ptr %70, i64 0, i64 2
  store i8 %67, ptr %71, align 2, !tbaa !15
  %72 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %73 = load ptr, ptr %5, align 8, !tbaa !8
  %74 = load i32, ptr %7, align 4, !tbaa !4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds i32, ptr %73, i64 %75
  %77 = load i32, ptr %76, align 4, !tbaa !4
  %78 = and i32 %77, 1
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [2 x %struct.Part], ptr %72, i64 0, i64 %79
  %81 = getelementptr inbounds nuw %struct.Part, ptr %80, i32 0, i32 2
  store i16 7, ptr %81, align 8, !tbaa !24
  call void @llvm.lifetime.start.p0(ptr %10) #7
  %82 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %83 = load ptr, ptr %5, align 8, !tbaa !8
  %84 = load i32, ptr %7, align 4, !tbaa !4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds i32, ptr %83, i64 %85
  %87 = load i32, ptr %86, align 4, !tbaa !4
  %88 = ashr i32 %87, 1
  %89 = and i32 %88, 1
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds [2 x %struct.Part], ptr %82, i64 0, i64 %90
  store ptr %91, ptr %10, align 8, !tbaa !25
  %92 = load ptr, ptr %10, align 8, !tbaa !25
  %93 = getelementptr inbounds nuw %struct.Part, ptr %92, i32 0, i32 1
  %94 = load i32, ptr %93, align 4, !tbaa !16
  %95 = xor i32 %94, 5
  store i32 %95, ptr %93, align 4, !tbaa !16
  %96 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %97 = getelementptr inbounds [2 x %struct.Part], ptr %96, i64 0, i64 0
  %98 = getelementptr inbounds nuw %struct.Part, ptr %97, i32 0, i32 2
  %99 = load i16, ptr %98, align 8, !tbaa !24
  %100 = trunc i16 %99 to i8
  %101 = load ptr, ptr %10, align 8, !tbaa !25
  %102 = getelementptr inbounds nuw %struct.Part, ptr %101, i32 0, i32 0
  store i8 %100, ptr %102, align 8, !tbaa !27
  call void @llvm.lifetime.start.p0(ptr %11) #7
  %103 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %104 = getelementptr inbounds [2 x %struct.Part], ptr %103, i64 0, i64 1
  %105 = getelementptr inbounds nuw %struct.Part, ptr %104, i32 0, i32 3
  store ptr %105, ptr %11, align 8, !tbaa !28
  call void @llvm.lifetime.start.p0(ptr %12) #7
  %106 = load ptr, ptr %11, align 8, !tbaa !28
  %107 = getelementptr inbounds i8, ptr %106, i64 7
  %108 = load i8, ptr %107, align 1, !tbaa !15
  %109 = zext i8 %108 to i32
  %110 = mul nsw i32 %109, 256
  %111 = load ptr, ptr %11, align 8, !tbaa !28
  %112 = getelementptr inbounds i8, ptr %111, i64 6
  %113 = load i8, ptr %112, align 1, !tbaa !15
  %114 = zext i8 %113 to i32
  %115 = add nsw i32 %110, %114
  store i32 %115, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #7
  %116 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %117 = getelementptr inbounds [2 x %struct.Part], ptr %116, i64 0, i64 0
  %118 = getelementptr inbounds nuw %struct.Part, ptr %117, i32 0, i32 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %13, ptr align 8 %118, i64 8, i1 false)
  %119 = load i64, ptr %13, align 8, !tbaa !30
  %120 = lshr i64 %119, 40
  %121 = load i32, ptr %12, align 4, !tbaa !4
  %122 = sext i32 %121 to i64
  %123 = xor i64 %122, %120
  %124 = trunc i64 %123 to i32
  store i32 %124, ptr %12, align 4, !tbaa !4
  %125 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 0
  %126 = load i32, ptr %125, align 8, !tbaa !15
  %127 = load i32, ptr %9, align 4, !tbaa !4
  %128 = xor i32 %126, %127
  %129 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %130 = getelementptr inbounds [2 x %struct.Part], ptr %129, i64 0, i64 0
  %131 = getelementptr inbounds nuw %struct.Part, ptr %130, i32 0, i32 1
  %132 = load i32, ptr %131, align 4, !tbaa !16
  %133 = xor i32 %128, %132
  %134 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %135 = getelementptr inbounds [2 x %struct.Part], ptr %134, i64 0, i64 1
  %136 = getelementptr inbounds nuw %struct.Part, ptr %135, i32 0, i32 1
  %137 = load i32, ptr %136, align 4, !tbaa !16
  %138 = ashr i32 %137, 1
  %139 = xor i32 %133, %138
  %140 = and i32 %139, 268435455
  %141 = load ptr, ptr %4, align 8, !tbaa !8
  %142 = load i32, ptr %7, align 4, !tbaa !4
  %143 = sext i32 %142 to i64
  %144 = getelementptr inbounds i32, ptr %141, i64 %143
  store i32 %140, ptr %144, align 4, !tbaa !4
  %145 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %146 = getelementptr inbounds [2 x %struct.Part], ptr %145, i64 0, i64 1
  %147 = getelementptr inbounds nuw %struct.Part, ptr %146, i32 0, i32 0
  %148 = load i8, ptr %147, align 8, !tbaa !27
  %149 = sext i8 %148 to i32
  %150 = mul nsw i32 %149, 7
  %151 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %152 = getelementptr inbounds [2 x %struct.Part], ptr %151, i64 0, i64 0
  %153 = getelementptr inbounds nuw %struct.Part, ptr %152, i32 0, i32 2
  %154 = load i16, ptr %153, align 8, !tbaa !24
  %155 = sext i16 %154 to i32
  %156 = mul nsw i32 %155, 9
  %157 = add nsw i32 %150, %156
  %158 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %159 = getelementptr inbounds [2 x %struct.Part], ptr %158, i64 0, i64 1
  %160 = getelementptr inbounds nuw %struct.Part, ptr %159, i32 0, i32 2
  %161 = load i16, ptr %160, align 8, !tbaa !24
  %162 = sext i16 %161 to i32
  %163 = mul nsw i32 %162, 11
  %164 = add nsw i32 %157, %163
  %165 = getelementptr inbounds nuw %struct.Whole, ptr %8, i32 0, i32 1
  %166 = getelementptr inbounds [2 x %struct.Part], ptr %165, i64 0, i64 1
  %167 = getelementptr inbounds nuw %struct.Part, ptr %166, i32 0, i32 4
  %168 = getelementptr inbounds [3 x i8], ptr %167, i64 0, i64 2
  %169 = load i8, ptr %168, align 2, !tbaa !15
  %170 = sext i8 %169 to i32
  %171 = add nsw i32 %164, %170
  %172 = load i32, ptr %12, align 4, !tbaa !4
  %173 = add nsw i32 %171, %172
  %174 = load ptr, ptr %4, align 8, !tbaa !8
  %175 = load i32, ptr %7, align 4, !tbaa !4
  %176 = sext i32 %175 to i64
  %177 = getelementptr inbounds i32, ptr %174, i64 %176
  %178 = load i32, ptr %177, align 4, !tbaa !4
  %179 = add nsw i32 %178, %173
  store i32 %179, ptr %177, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %13) #7
  call void @llvm.lifetime.end.p0(ptr %12) #7
  call void @llvm.lifetime.end.p0(ptr %11) #7
  call void @llvm.lifetime.end.p0(ptr %10) #7
  call void @llvm.lifetime.end.p0(ptr %9) #7
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @overlaps(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  %13 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  %14 = icmp ne i32 %13, 0
  br i1 %14, label %15, label %16

15:                                               ; preds = %3
  br label %157

16:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %17 = load ptr, ptr %4, align 8, !tbaa !8
  %18 = load ptr, ptr %5, align 8, !tbaa !8
  %19 = getelementptr inbounds i32, ptr %18, i64 0
  %20 = load i32, ptr %19, align 4, !tbaa !4
  %21 = and i32 %20, 7
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i32, ptr %17, i64 %22
  store ptr %23, ptr %7, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %8) #7
  store i32 0, ptr %8, align 4, !tbaa !4
  %24 = load ptr, ptr %4, align 8, !tbaa !8
  %25 = getelementptr inbounds i32, ptr %24, i64 3
  %26 = load ptr, ptr %4, align 8, !tbaa !8
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %25, ptr align 4 %26, i64 40, i1 false)
  call void @llvm.lifetime.start.p0(ptr %9) #7
  store i32 0, ptr %9, align 4, !tbaa !4
  br label %27

27:                                               ; preds = %43, %16
  %28 = load i32, ptr %9, align 4, !tbaa !4
  %29 = icmp slt i32 %28, 12
  br i1 %29, label %31, label %30

30:                                               ; preds = %27
  call void @llvm.lifetime.end.p0(ptr %9) #7
  br label %46

31:                                               ; preds = %27
  %32 = load ptr, ptr %4, align 8, !tbaa !8
  %33 = load i32, ptr %9, align 4, !tbaa !4
  %34 = add nsw i32 %33, 18
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %32, i64 %35
  %37 = load i32, ptr %36, align 4, !tbaa !4
  %38 = load ptr, ptr %4, align 8, !tbaa !8
  %39 = load i32, ptr %9, align 4, !tbaa !4
  %40 = add nsw i32 %39, 20
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i32, ptr %38, i64 %41
  store i32 %37, ptr %42, align 4, !tbaa !4
  br label %43

43:                                               ; preds = %31
  %44 = load i32, ptr %9, align 4, !tbaa !4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %9, align 4, !tbaa !4
  br label %27, !llvm.loop !32

46:                                               ; preds = %30
  call void @llvm.lifetime.start.p0(ptr %10) #7
  store i32 10, ptr %10, align 4, !tbaa !4
  br label %47

47:                                               ; preds = %64, %46
  %48 = load i32, ptr %10, align 4, !tbaa !4
  %49 = icmp sge i32 %48, 0
  br i1 %49, label %51, label %50

50:                                               ; preds = %47
  call void @llvm.lifetime.end.p0(ptr %10) #7
  br label %67

51:                                               ; preds = %47
  %52 = load ptr, ptr %4, align 8, !tbaa !8
  %53 = load i32, ptr %10, align 4, !tbaa !4
  %54 = add nsw i32 %53, 10
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds i32, ptr %52, i64 %55
  %57 = load i32, ptr %56, align 4, !tbaa !4
  %58 = add nsw i32 %57, 1
  %59 = load ptr, ptr %4, align 8, !tbaa !8
  %60 = load i32, ptr %10, align 4, !tbaa !4
  %61 = add nsw i32 %60, 12
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds i32, ptr %59, i64 %62
  store i32 %58, ptr %63, align 4, !tbaa !4
  br label %64

64:                                               ; preds = %51
  %65 = load i32, ptr %10, align 4, !tbaa !4
  %66 = add nsw i32 %65, -1
  store i32 %66, ptr %10, align 4, !tbaa !4
  br label %47, !llvm.loop !33

67:                                               ; preds = %50
  call void @llvm.lifetime.start.p0(ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !4
  br label %68

68:                                               ; preds = %123, %67
  %69 = load i32, ptr %11, align 4, !tbaa !4
  %70 = icmp slt i32 %69, 15
  br i1 %70, label %72, label %71

71:                                               ; preds = %68
  call void @llvm.lifetime.end.p0(ptr %11) #7
  br label %126

72:                                               ; preds = %68
  %73 = load ptr, ptr %4, align 8, !tbaa !8
  %74 = load i32, ptr %11, align 4, !tbaa !4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds i32, ptr %73, i64 %75
  %77 = load i32, ptr %76, align 4, !tbaa !4
  %78 = load i32, ptr %8, align 4, !tbaa !4
  %79 = add nsw i32 %77, %78
  %80 = load ptr, ptr %7, align 8, !tbaa !8
  %81 = load i32, ptr %11, align 4, !tbaa !4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds i32, ptr %80, i64 %82
  store i32 %79, ptr %83, align 4, !tbaa !4
  %84 = load ptr, ptr %4, align 8, !tbaa !8
  %85 = load i32, ptr %11, align 4, !tbaa !4
  %86 = add nsw i32 %85, 1
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds i32, ptr %84, i64 %87
  %89 = load i32, ptr %88, align 4, !tbaa !4
  %90 = and i32 %89, 255
  %91 = load i32, ptr %8, align 4, !tbaa !4
  %92 = add nsw i32 %91, %90
  store i32 %92, ptr %8, align 4, !tbaa !4
  %93 = load ptr, ptr %7, align 8, !tbaa !8
  %94 = load i32, ptr %11, align 4, !tbaa !4
  %95 = add nsw i32 %94, 2
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds i32, ptr %93, i64 %96
  %98 = load i32, ptr %97, align 4, !tbaa !4
  %99 = icmp sgt i32 %98, 5
  br i1 %99, label %100, label %107

100:                                              ; preds = %72
  %101 = load i32, ptr %8, align 4, !tbaa !4
  %102 = load ptr, ptr %4, align 8, !tbaa !8
  %103 = load i32, ptr %11, align 4, !tbaa !4
  %104 = add nsw i32 %103, 3
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds i32, ptr %102, i64 %105
  store i32 %101, ptr %106, align 4, !tbaa !4
  br label %107

107:                                              ; preds = %100, %72
  %108 = load i32, ptr %8, align 4, !tbaa !4
  %109 = load ptr, ptr %5, align 8, !tbaa !8
  store i32 %108, ptr %109, align 4, !tbaa !4
  %110 = load ptr, ptr %5, align 8, !tbaa !8
  %111 = getelementptr inbounds i32, ptr %110, i64 0
  %112 = load i32, ptr %111, align 4, !tbaa !4
  %113 = load ptr, ptr %5, align 8, !tbaa !8
  %114 = getelementptr inbounds i32, ptr %113, i64 1
  %115 = load i32, ptr %114, align 4, !tbaa !4
  %116 = sub nsw i32 %112, %115
  %117 = and i32 %116, 15
  %118 = load i32, ptr %8, align 4, !tbaa !4
  %119 = add nsw i32 %118, %117
  store i32 %119, ptr %8, align 4, !tbaa !4
  %120 = load i32, ptr %11, align 4, !tbaa !4
  %121 = load ptr, ptr %5, align 8, !tbaa !8
  %122 = getelementptr inbounds i32, ptr %121, i64 2
  store i32 %120, ptr %122, align 4, !tbaa !4
  br label %123

123:                                              ; preds = %107
  %124 = load i32, ptr %11, align 4, !tbaa !4
  %125 = add nsw i32 %124, 1
  store i32 %125, ptr %11, align 4, !tbaa !4
  br label %68, !llvm.loop !34

126:                                              ; preds = %71
  %127 = load i32, ptr %8, align 4, !tbaa !4
  %128 = icmp sgt i32 %127, 3
  br i1 %128, label %129, label %138

129:                                              ; preds = %126
  %130 = load ptr, ptr %4, align 8, !tbaa !8
  %131 = getelementptr inbounds i32, ptr %130, i64 0
  store i32 4, ptr %131, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %12) #7
  %132 = load ptr, ptr %7, align 8, !tbaa !8
  %133 = getelementptr inbounds i32, ptr %132, i64 0
  %134 = load i32, ptr %133, align 4, !tbaa !4
  store i32 %134, ptr %12, align 4, !tbaa !4
  %135 = load i32, ptr %12, align 4, !tbaa !4
  %136 = load ptr, ptr %4, align 8, !tbaa !8
  %137 = getelementptr inbounds i32, ptr %136, i64 0
  store i32 %135, ptr %137, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %12) #7
  br label %138

138:                                              ; preds = %129, %126
  %139 = load ptr, ptr %4, align 8, !tbaa !8
  %140 = getelementptr inbounds i32, ptr %139, i64 0
  store i32 4, ptr %140, align 4, !tbaa !4
  %141 = load ptr, ptr %7, align 8, !tbaa !8
  %142 = getelementptr inbounds i32, ptr %141, i64 0
  %143 = load i32, ptr %142, align 4, !tbaa !4
  %144 = load i32, ptr %8, align 4, !tbaa !4
  %145 = add nsw i32 %143, %144
  %146 = load ptr, ptr %5, align 8, !tbaa !8
  %147 = getelementptr inbounds i32, ptr %146, i64 3
  store i32 %145, ptr %147, align 4, !tbaa !4
  %148 = load ptr, ptr %5, align 8, !tbaa !8
  %149 = getelementptr inbounds i32, ptr %148, i64 3
  %150 = load i32, ptr %149, align 4, !tbaa !4
  %151 = load ptr, ptr %7, align 8, !tbaa !8
  store i32 %150, ptr %151, align 4, !tbaa !4
  %152 = load ptr, ptr %4, align 8, !tbaa !8
  %153 = getelementptr inbounds i32, ptr %152, i64 0
  %154 = load i32, ptr %153, align 4, !tbaa !4
  %155 = load ptr, ptr %5, align 8, !tbaa !8
  %156 = getelementptr inbounds i32, ptr %155, i64 1
  store i32 %154, ptr %156, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  br label %157

157:                                              ; preds = %138, %15
  ret void
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr writeonly captures(none), ptr readonly captures(none), i64, i1 immarg) #4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @arrays(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca [8 x i32], align 4
  %9 = alloca [16 x i16], align 2
  %10 = alloca [32 x i8], align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %18 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  store i32 %18, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  call void @llvm.lifetime.start.p0(ptr %9) #7
  call void @llvm.lifetime.start.p0(ptr %10) #7
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %10, ptr align 1 @__const.arrays.c, i64 32, i1 false)
  call void @llvm.lifetime.start.p0(ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !4
  br label %19

19:                                               ; preds = %36, %3
  %20 = load i32, ptr %11, align 4, !tbaa !4
  %21 = icmp slt i32 %20, 8
  br i1 %21, label %23, label %22

22:                                               ; preds = %19
  call void @llvm.lifetime.end.p0(ptr %11) #7
  br label %39

23:                                               ; preds = %19
  %24 = load ptr, ptr %5, align 8, !tbaa !8
  %25 = load i32, ptr %7, align 4, !tbaa !4
  %26 = load i32, ptr %11, align 4, !tbaa !4
  %27 = add nsw i32 %25, %26
  %28 = load i32, ptr %6, align 4, !tbaa !4
  %29 = srem i32 %27, %28
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i32, ptr %24, i64 %30
  %32 = load i32, ptr %31, align 4, !tbaa !4
  %33 = load i32, ptr %11, align 4, !tbaa !4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %34
  store i32 %32, ptr %35, align 4, !tbaa !4
  br label %36

36:                                               ; preds = %23
  %37 = load i32, ptr %11, align 4, !tbaa !4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %11, align 4, !tbaa !4
  br label %19, !llvm.loop !35

39:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !4
  br label %40

40:                                               ; preds = %56, %39
  %41 = load i32, ptr %12, align 4, !tbaa !4
  %42 = icmp slt i32 %41, 16
  br i1 %42, label %44, label %43

43:                                               ; preds = %40
  call void @llvm.lifetime.end.p0(ptr %12) #7
  br label %59

44:                                               ; preds = %40
  %45 = load i32, ptr %12, align 4, !tbaa !4
  %46 = and i32 %45, 7
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %47
  %49 = load i32, ptr %48, align 4, !tbaa !4
  %50 = load i32, ptr %12, align 4, !tbaa !4
  %51 = ashr i32 %49, %50
  %52 = trunc i32 %51 to i16
  %53 = load i32, ptr %12, align 4, !tbaa !4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [16 x i16], ptr %9, i64 0, i64 %54
  store i16 %52, ptr %55, align 2, !tbaa !22
  br label %56

56:                                               ; preds = %44
  %57 = load i32, ptr %12, align 4, !tbaa !4
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %12, align 4, !tbaa !4
  br label %40, !llvm.loop !36

59:                                               ; preds = %43
  call void @llvm.lifetime.start.p0(ptr %13) #7
  store i32 0, ptr %13, align 4, !tbaa !4
  br label %60

60:                                               ; preds = %109, %59
  %61 = load i32, ptr %13, align 4, !tbaa !4
  %62 = icmp slt i32 %61, 8
  br i1 %62, label %64, label %63

63:                                               ; preds = %60
  call void @llvm.lifetime.end.p0(ptr %13) #7
  br label %112

64:                                               ; preds = %60
  call void @llvm.lifetime.start.p0(ptr %14) #7
  %65 = load i32, ptr %13, align 4, !tbaa !4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %66
  %68 = load i32, ptr %67, align 4, !tbaa !4
  %69 = and i32 %68, 7
  store i32 %69, ptr %14, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #7
  %70 = load i32, ptr %13, align 4, !tbaa !4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %71
  %73 = load i32, ptr %72, align 4, !tbaa !4
  store i32 %73, ptr %15, align 4, !tbaa !4
  %74 = load i32, ptr %14, align 4, !tbaa !4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %75
  %77 = load i32, ptr %76, align 4, !tbaa !4
  %78 = load i32, ptr %13, align 4, !tbaa !4
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %79
  store i32 %77, ptr %80, align 4, !tbaa !4
  %81 = load i32, ptr %15, align 4, !tbaa !4
  %82 = load i32, ptr %14, align 4, !tbaa !4
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %83
  store i32 %81, ptr %84, align 4, !tbaa !4
  %85 = load i32, ptr %15, align 4, !tbaa !4
  %86 = ashr i32 %85, 1
  %87 = load i32, ptr %13, align 4, !tbaa !4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %88
  %90 = load i32, ptr %89, align 4, !tbaa !4
  %91 = and i32 %90, 15
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [16 x i16], ptr %9, i64 0, i64 %92
  %94 = load i16, ptr %93, align 2, !tbaa !22
  %95 = sext i16 %94 to i32
  %96 = add nsw i32 %95, %86
  %97 = trunc i32 %96 to i16
  store i16 %97, ptr %93, align 2, !tbaa !22
  %98 = load i32, ptr %13, align 4, !tbaa !4
  %99 = load i32, ptr %15, align 4, !tbaa !4
  %100 = xor i32 %98, %99
  %101 = load i32, ptr %15, align 4, !tbaa !4
  %102 = lshr i32 %101, 27
  %103 = zext i32 %102 to i64
  %104 = getelementptr inbounds nuw [32 x i8], ptr %10, i64 0, i64 %103
  %105 = load i8, ptr %104, align 1, !tbaa !15
  %106 = zext i8 %105 to i32
  %107 = xor i32 %106, %100
  %108 = trunc i32 %107 to i8
  store i8 %108, ptr %104, align 1, !tbaa !15
  call void @llvm.lifetime.end.p0(ptr %15) #7
  call void @llvm.lifetime.end.p0(ptr %14) #7
  br label %109

109:                                              ; preds = %64
  %110 = load i32, ptr %13, align 4, !tbaa !4
  %111 = add nsw i32 %110, 1
  store i32 %111, ptr %13, align 4, !tbaa !4
  br label %60, !llvm.loop !37

112:                                              ; preds = %63
  call void @llvm.lifetime.start.p0(ptr %16) #7
  store i32 0, ptr %16, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %17) #7
  store i32 0, ptr %17, align 4, !tbaa !4
  br label %113

113:                                              ; preds = %147, %112
  %114 = load i32, ptr %17, align 4, !tbaa !4
  %115 = icmp slt i32 %114, 8
  br i1 %115, label %117, label %116

116:                                              ; preds = %113
  call void @llvm.lifetime.end.p0(ptr %17) #7
  br label %150

117:                                              ; preds = %113
  %118 = load i32, ptr %16, align 4, !tbaa !4
  %119 = mul nsw i32 %118, 31
  %120 = and i32 %119, 16777215
  %121 = load i32, ptr %17, align 4, !tbaa !4
  %122 = sext i32 %121 to i64
  %123 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %122
  %124 = load i32, ptr %123, align 4, !tbaa !4
  %125 = and i32 %124, 255
  %126 = add nsw i32 %120, %125
  %127 = load i32, ptr %17, align 4, !tbaa !4
  %128 = mul nsw i32 %127, 2
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds [16 x i16], ptr %9, i64 0, i64 %129
  %131 = load i16, ptr %130, align 2, !tbaa !22
  %132 = sext i16 %131 to i32
  %133 = load i32, ptr %17, align 4, !tbaa !4
  %134 = mul nsw i32 %133, 4
  %135 = load i32, ptr %17, align 4, !tbaa !4
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds [8 x i32], ptr %8, i64 0, i64 %136
  %138 = load i32, ptr %137, align 4, !tbaa !4
  %139 = and i32 %138, 3
  %140 = add nsw i32 %134, %139
  %141 = sext i32 %140 to i64
  %142 = getelementptr inbounds [32 x i8], ptr %10, i64 0, i64 %141
  %143 = load i8, ptr %142, align 1, !tbaa !15
  %144 = zext i8 %143 to i32
  %145 = mul nsw i32 %132, %144
  %146 = add nsw i32 %126, %145
  store i32 %146, ptr %16, align 4, !tbaa !4
  br label %147

147:                                              ; preds = %117
  %148 = load i32, ptr %17, align 4, !tbaa !4
  %149 = add nsw i32 %148, 1
  store i32 %149, ptr %17, align 4, !tbaa !4
  br label %113, !llvm.loop !38

150:                                              ; preds = %116
  %151 = load i32, ptr %16, align 4, !tbaa !4
  %152 = load ptr, ptr %4, align 8, !tbaa !8
  %153 = load i32, ptr %7, align 4, !tbaa !4
  %154 = sext i32 %153 to i64
  %155 = getelementptr inbounds i32, ptr %152, i64 %154
  store i32 %151, ptr %155, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %16) #7
  call void @llvm.lifetime.end.p0(ptr %10) #7
  call void @llvm.lifetime.end.p0(ptr %9) #7
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @lists(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca [6 x %struct.Node], align 8
  %9 = alloca ptr, align 8
  %10 = alloca ptr, align 8
  %11 = alloca i32, align 4
  %12 = alloca ptr, align 8
  %13 = alloca ptr, align 8
  %14 = alloca ptr, align 8
  %15 = alloca i32, align 4
  %16 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %17 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  store i32 %17, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  call void @llvm.lifetime.start.p0(ptr %9) #7
  store ptr null, ptr %9, align 8, !tbaa !39
  call void @llvm.lifetime.start.p0(ptr %10) #7
  store ptr null, ptr %10, align 8, !tbaa !39
  call void @llvm.lifetime.start.p0(ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !4
  br label %18

18:                                               ; preds = %45, %3
  %19 = load i32, ptr %11, align 4, !tbaa !4
  %20 = icmp slt i32 %19, 6
  br i1 %20, label %22, label %21

21:                                               ; preds = %18
  call void @llvm.lifetime.end.p0(ptr %11) #7
  br label %48

22:                                               ; preds = %18
  %23 = load ptr, ptr %5, align 8, !tbaa !8
  %24 = load i32, ptr %7, align 4, !tbaa !4
  %25 = load i32, ptr %11, align 4, !tbaa !4
  %26 = add nsw i32 %24, %25
  %27 = load i32, ptr %6, align 4, !tbaa !4
  %28 = srem i32 %26, %27
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %23, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !4
  %32 = srem i32 %31, 50
  %33 = load i32, ptr %11, align 4, !tbaa !4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [6 x %struct.Node], ptr %8, i64 0, i64 %34
  %36 = getelementptr inbounds nuw %struct.Node, ptr %35, i32 0, i32 1
  store i32 %32, ptr %36, align 8, !tbaa !41
  %37 = load ptr, ptr %9, align 8, !tbaa !39
  %38 = load i32, ptr %11, align 4, !tbaa !4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [6 x %struct.Node], ptr %8, i64 0, i64 %39
  %41 = getelementptr inbounds nuw %struct.Node, ptr %40, i32 0, i32 0
  store ptr %37, ptr %41, align 8, !tbaa !43
  %42 = load i32, ptr %11, align 4, !tbaa !4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [6 x %struct.Node], ptr %8, i64 0, i64 %43
  store ptr %44, ptr %9, align 8, !tbaa !39
  br label %45

45:                                               ; preds = %22
  %46 = load i32, ptr %11, align 4, !tbaa !4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %11, align 4, !tbaa !4
  br label %18, !llvm.loop !44

48:                                               ; preds = %21
  call void @llvm.lifetime.start.p0(ptr %12) #7
  %49 = load ptr, ptr %9, align 8, !tbaa !39
  store ptr %49, ptr %12, align 8, !tbaa !39
  br label %50

50:                                               ; preds = %54, %48
  %51 = load ptr, ptr %12, align 8, !tbaa !39
  %52 = icmp ne ptr %51, null
  br i1 %52, label %54, label %53

53:                                               ; preds = %50
  call void @llvm.lifetime.end.p0(ptr %12) #7
  br label %63

54:                                               ; preds = %50
  call void @llvm.lifetime.start.p0(ptr %13) #7
  %55 = load ptr, ptr %12, align 8, !tbaa !39
  %56 = getelementptr inbounds nuw %struct.Node, ptr %55, i32 0, i32 0
  %57 = load ptr, ptr %56, align 8, !tbaa !43
  store ptr %57, ptr %13, align 8, !tbaa !39
  %58 = load ptr, ptr %10, align 8, !tbaa !39
  %59 = load ptr, ptr %12, align 8, !tbaa !39
  %60 = getelementptr inbounds nuw %struct.Node, ptr %59, i32 0, i32 0
  store ptr %58, ptr %60, align 8, !tbaa !43
  %61 = load ptr, ptr %12, align 8, !tbaa !39
  store ptr %61, ptr %10, align 8, !tbaa !39
  %62 = load ptr, ptr %13, align 8, !tbaa !39
  store ptr %62, ptr %12, align 8, !tbaa !39
  call void @llvm.lifetime.end.p0(ptr %13) #7
  br label %50, !llvm.loop !45

63:                                               ; preds = %53
  call void @llvm.lifetime.start.p0(ptr %14) #7
  store ptr %10, ptr %14, align 8, !tbaa !46
  br label %64

64:                                               ; preds = %85, %63
  %65 = load ptr, ptr %14, align 8, !tbaa !46
  %66 = load ptr, ptr %65, align 8, !tbaa !39
  %67 = icmp ne ptr %66, null
  br i1 %67, label %69, label %68

68:                                               ; preds = %64
  call void @llvm.lifetime.end.p0(ptr %14) #7
  br label %86

69:                                               ; preds = %64
  %70 = load ptr, ptr %14, align 8, !tbaa !46
  %71 = load ptr, ptr %70, align 8, !tbaa !39
  %72 = getelementptr inbounds nuw %struct.Node, ptr %71, i32 0, i32 1
  %73 = load i32, ptr %72, align 8, !tbaa !41
  %74 = icmp slt i32 %73, 0
  br i1 %74, label %75, label %81

75:                                               ; preds = %69
  %76 = load ptr, ptr %14, align 8, !tbaa !46
  %77 = load ptr, ptr %76, align 8, !tbaa !39
  %78 = getelementptr inbounds nuw %struct.Node, ptr %77, i32 0, i32 0
  %79 = load ptr, ptr %78, align 8, !tbaa !43
  %80 = load ptr, ptr %14, align 8, !tbaa !46
  store ptr %79, ptr %80, align 8, !tbaa !39
  br label %85

81:                                               ; preds = %69
  %82 = load ptr, ptr %14, align 8, !tbaa !46
  %83 = load ptr, ptr %82, align 8, !tbaa !39
  %84 = getelementptr inbounds nuw %struct.Node, ptr %83, i32 0, i32 0
  store ptr %84, ptr %14, align 8, !tbaa !46
  br label %85

85:                                               ; preds = %81, %75
  br label %64, !llvm.loop !49

86:                                               ; preds = %68
  call void @llvm.lifetime.start.p0(ptr %15) #7
  store i32 0, ptr %15, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %16) #7
  %87 = load ptr, ptr %10, align 8, !tbaa !39
  store ptr %87, ptr %16, align 8, !tbaa !39
  br label %88

88:                                               ; preds = %99, %86
  %89 = load ptr, ptr %16, align 8, !tbaa !39
  %90 = icmp ne ptr %89, null
  br i1 %90, label %92, label %91

91:                                               ; preds = %88
  call void @llvm.lifetime.end.p0(ptr %16) #7
  br label %103

92:                                               ; preds = %88
  %93 = load i32, ptr %15, align 4, !tbaa !4
  %94 = mul nsw i32 %93, 7
  %95 = load ptr, ptr %16, align 8, !tbaa !39
  %96 = getelementptr inbounds nuw %struct.Node, ptr %95, i32 0, i32 1
  %97 = load i32, ptr %96, align 8, !tbaa !41
  %98 = add nsw i32 %94, %97
  store i32 %98, ptr %15, align 4, !tbaa !4
  br label %99

99:                                               ; preds = %92
  %100 = load ptr, ptr %16, align 8, !tbaa !39
  %101 = getelementptr inbounds nuw %struct.Node, ptr %100, i32 0, i32 0
  %102 = load ptr, ptr %101, align 8, !tbaa !43
  store ptr %102, ptr %16, align 8, !tbaa !39
  br label %88, !llvm.loop !50

103:                                              ; preds = %91
  %104 = load i32, ptr %15, align 4, !tbaa !4
  %105 = load ptr, ptr %4, align 8, !tbaa !8
  %106 = load i32, ptr %7, align 4, !tbaa !4
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds i32, ptr %105, i64 %107
  store i32 %104, ptr %108, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %15) #7
  call void @llvm.lifetime.end.p0(ptr %10) #7
  call void @llvm.lifetime.end.p0(ptr %9) #7
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @spaces(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca [4 x i32], align 4
  %9 = alloca ptr, align 8
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store i32 %2, ptr %6, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %12 = call noundef i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #8
  store i32 %12, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #7
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %8, ptr align 4 @__const.spaces.local, i64 16, i1 false)
  %13 = load ptr, ptr %5, align 8, !tbaa !8
  %14 = load i32, ptr %7, align 4, !tbaa !4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds i32, ptr %13, i64 %15
  %17 = load i32, ptr %16, align 4, !tbaa !4
  %18 = load i32, ptr %7, align 4, !tbaa !4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6spacesE6shared to ptr), i64 0, i64 %19
  store i32 %17, ptr %20, align 4, !tbaa !4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.lifetime.start.p0(ptr %9) #7
  %21 = load ptr, ptr %5, align 8, !tbaa !8
  %22 = load i32, ptr %7, align 4, !tbaa !4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i32, ptr %21, i64 %23
  %25 = load i32, ptr %24, align 4, !tbaa !4
  %26 = and i32 %25, 1
  %27 = icmp ne i32 %26, 0
  br i1 %27, label %28, label %33

28:                                               ; preds = %3
  %29 = load i32, ptr %7, align 4, !tbaa !4
  %30 = xor i32 %29, 1
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @_ZZ6spacesE6shared to ptr), i64 %31
  br label %59

33:                                               ; preds = %3
  %34 = load ptr, ptr %5, align 8, !tbaa !8
  %35 = load i32, ptr %7, align 4, !tbaa !4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds i32, ptr %34, i64 %36
  %38 = load i32, ptr %37, align 4, !tbaa !4
  %39 = and i32 %38, 2
  %40 = icmp ne i32 %39, 0
  br i1 %40, label %41, label %52

41:                                               ; preds = %33
  %42 = getelementptr inbounds [4 x i32], ptr %8, i64 0, i64 0
  %43 = load ptr, ptr %5, align 8, !tbaa !8
  %44 = load i32, ptr %7, align 4, !tbaa !4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds i32, ptr %43, i64 %45
  %47 = load i32, ptr %46, align 4, !tbaa !4
  %48 = ashr i32 %47, 2
  %49 = and i32 %48, 3
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds i32, ptr %42, i64 %50
  br label %57

52:                                               ; preds = %33
  %53 = load ptr, ptr %4, align 8, !tbaa !8
  %54 = load i32, ptr %7, align 4, !tbaa !4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds i32, ptr %53, i64 %55
  br label %57

57:                                               ; preds = %52, %41
  %58 = phi ptr [ %51, %41 ], [ %56, %52 ]
  br label %59

59:                                               ; preds = %57, %28
  %60 = phi ptr [ %32, %28 ], [ %58, %57 ]
  store ptr %60, ptr %9, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %10) #7
  %61 = load ptr, ptr %9, align 8, !tbaa !8
  %62 = load i32, ptr %61, align 4, !tbaa !4
  store i32 %62, ptr %10, align 4, !tbaa !4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %63 = load ptr, ptr %5, align 8, !tbaa !8
  %64 = load i32, ptr %7, align 4, !tbaa !4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds i32, ptr %63, i64 %65
  %67 = load i32, ptr %66, align 4, !tbaa !4
  %68 = and i32 %67, 1
  %69 = icmp ne i32 %68, 0
  br i1 %69, label %75, label %70

70:                                               ; preds = %59
  %71 = load i32, ptr %10, align 4, !tbaa !4
  %72 = load i32, ptr %7, align 4, !tbaa !4
  %73 = xor i32 %71, %72
  %74 = load ptr, ptr %9, align 8, !tbaa !8
  store i32 %73, ptr %74, align 4, !tbaa !4
  br label %75

75:                                               ; preds = %70, %59
  call void @llvm.lifetime.start.p0(ptr %11) #7
  %76 = load ptr, ptr %5, align 8, !tbaa !8
  %77 = load i32, ptr %7, align 4, !tbaa !4
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds i32, ptr %76, i64 %78
  %80 = load i32, ptr %79, align 4, !tbaa !4
  %81 = ashr i32 %80, 2
  %82 = and i32 %81, 3
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds [4 x i32], ptr %8, i64 0, i64 %83
  %85 = load i32, ptr %84, align 4, !tbaa !4
  %86 = load ptr, ptr %4, align 8, !tbaa !8
  %87 = load i32, ptr %7, align 4, !tbaa !4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds i32, ptr %86, i64 %88
  %90 = load i32, ptr %89, align 4, !tbaa !4
  %91 = xor i32 %85, %90
  store i32 %91, ptr %11, align 4, !tbaa !4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %92 = load i32, ptr %10, align 4, !tbaa !4
  %93 = load i32, ptr %11, align 4, !tbaa !4
  %94 = load i32, ptr %7, align 4, !tbaa !4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ6spacesE6shared to ptr), i64 0, i64 %95
  %97 = load i32, ptr %96, align 4, !tbaa !4
  %98 = xor i32 %93, %97
  %99 = add nsw i32 %92, %98
  %100 = load ptr, ptr %4, align 8, !tbaa !8
  %101 = load i32, ptr %7, align 4, !tbaa !4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds i32, ptr %100, i64 %102
  store i32 %99, ptr %103, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %11) #7
  call void @llvm.lifetime.end.p0(ptr %10) #7
  call void @llvm.lifetime.end.p0(ptr %9) #7
  call void @llvm.lifetime.end.p0(ptr %8) #7
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #6

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { convergent nounwind }

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
!9 = !{!"p1 int", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !{!13, !12}
!14 = distinct !{!14, !12}
!15 = !{!6, !6, i64 0}
!16 = !{!17, !5, i64 4}
!17 = !{!"_ZTS4Part", !6, i64 0, !5, i64 4, !18, i64 8, !19, i64 16, !6, i64 24}
!18 = !{!"short", !6, i64 0}
!19 = !{!"double", !6, i64 0}
!20 = !{!17, !19, i64 16}
!21 = !{i64 0, i64 1, !15, i64 4, i64 4, !4, i64 8, i64 2, !22, i64 16, i64 8, !23, i64 24, i64 3, !15}
!22 = !{!18, !18, i64 0}
!23 = !{!19, !19, i64 0}
!24 = !{!17, !18, i64 8}
!25 = !{!26, !26, i64 0}
!26 = !{!"p1 _ZTS4Part", !10, i64 0}
!27 = !{!17, !6, i64 0}
!28 = !{!29, !29, i64 0}
!29 = !{!"p1 omnipotent char", !10, i64 0}
!30 = !{!31, !31, i64 0}
!31 = !{!"long long", !6, i64 0}
!32 = distinct !{!32, !12}
!33 = distinct !{!33, !12}
!34 = distinct !{!34, !12}
!35 = distinct !{!35, !12}
!36 = distinct !{!36, !12}
!37 = distinct !{!37, !12}
!38 = distinct !{!38, !12}
!39 = !{!40, !40, i64 0}
!40 = !{!"p1 _ZTS4Node", !10, i64 0}
!41 = !{!42, !5, i64 8}
!42 = !{!"_ZTS4Node", !40, i64 0, !5, i64 8}
!43 = !{!42, !40, i64 0}
!44 = distinct !{!44, !12}
!45 = distinct !{!45, !12}
!46 = !{!47, !47, i64 0}
!47 = !{!"p2 _ZTS4Node", !48, i64 0}
!48 = !{!"any p2 pointer", !10, i64 0}
!49 = distinct !{!49, !12}
!50 = distinct !{!50, !12}
