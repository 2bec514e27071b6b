; ModuleID = 'examples/scan.cu'
source_filename = "examples/scan.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.blockIdx_t = type { i8 }
%struct.blockDim_t = type { i8 }
%struct.threadIdx_t = type { i8 }

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN10blockDim_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

$_Z9warp_scanii = comdat any

@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@blockDim = extern_weak dso_local addrspace(1) global %struct.blockDim_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@warp_sums = external dso_local addrspace(3) global [0 x i32], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #8
  %13 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #9
  %14 = call noundef i32 @_ZN10blockDim_t6read_xEv() #9
  %15 = mul i32 %13, %14
  %16 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %17 = add i32 %15, %16
  store i32 %17, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #8
  %18 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %19 = and i32 %18, 31
  store i32 %19, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #8
  %20 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %21 = lshr i32 %20, 5
  store i32 %21, ptr %11, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %12) #8
  %22 = load i32, ptr %9, align 4, !tbaa !4
  %23 = load i32, ptr %8, align 4, !tbaa !4
  %24 = icmp slt i32 %22, %23
  br i1 %24, label %25, label %31

25:                                               ; preds = %4
  %26 = load ptr, ptr %5, align 8, !tbaa !8
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %26, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !4
  br label %32

31:                                               ; preds = %4
  br label %32

32:                                               ; preds = %31, %25
  %33 = phi i32 [ %30, %25 ], [ 0, %31 ]
  %34 = load i32, ptr %10, align 4, !tbaa !4
  %35 = call noundef i32 @_Z9warp_scanii(i32 noundef %33, i32 noundef %34) #9
  store i32 %35, ptr %12, align 4, !tbaa !4
  %36 = load i32, ptr %10, align 4, !tbaa !4
  %37 = icmp eq i32 %36, 31
  br i1 %37, label %38, label %43

38:                                               ; preds = %32
  %39 = load i32, ptr %12, align 4, !tbaa !4
  %40 = load i32, ptr %11, align 4, !tbaa !4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [0 x i32], ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 0, i64 %41
  store i32 %39, ptr %42, align 4, !tbaa !4
  br label %43

43:                                               ; preds = %38, %32
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %44 = load i32, ptr %11, align 4, !tbaa !4
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %46, label %64

46:                                               ; preds = %43
  %47 = load i32, ptr %10, align 4, !tbaa !4
  %48 = call noundef i32 @_ZN10blockDim_t6read_xEv() #9
  %49 = lshr i32 %48, 5
  %50 = icmp slt i32 %47, %49
  br i1 %50, label %51, label %56

51:                                               ; preds = %46
  %52 = load i32, ptr %10, align 4, !tbaa !4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [0 x i32], ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 0, i64 %53
  %55 = load i32, ptr %54, align 4, !tbaa !4
  br label %57

56:                                               ; preds = %46
  br label %57

57:                                               ; preds = %56, %51
  %58 = phi i32 [ %55, %51 ], [ 0, %56 ]
  %59 = load i32, ptr %10, align 4, !tbaa !4
  %60 = call noundef i32 @_Z9warp_scanii(i32 noundef %58, i32 noundef %59) #9
  %61 = load i32, ptr %10, align 4, !tbaa !4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [0 x i32], ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 0, i64 %62
  store i32 %60, ptr %63, align 4, !tbaa !4
  br label %64

64:                                               ; preds = %57, %43
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %65 = load i32, ptr %11, align 4, !tbaa !4
  %66 = icmp sgt i32 %65, 0
  br i1 %66, label %67, label %75

67:                                               ; preds = %64
  %68 = load i32, ptr %11, align 4, !tbaa !4
  %69 = sub nsw i32 %68, 1
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [0 x i32], ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 0, i64 %70
  %72 = load i32, ptr %71, align 4, !tbaa !4
  %73 = load i32, ptr %12, align 4, !tbaa !4
  %74 = add nsw i32 %73, %72
  store i32 %74, ptr %12, align 4, !tbaa !4
  br label %75

75:                                               ; preds = %67, %64
  %76 = load i32, ptr %9, align 4, !tbaa !4
  %77 = load i32, ptr %8, align 4, !tbaa !4
  %78 = icmp slt i32 %76, %77
  br i1 %78, label %79, label %85

79:                                               ; preds = %75
  %80 = load i32, ptr %12, align 4, !tbaa !4
  %81 = load ptr, ptr %6, align 8, !tbaa !8
  %82 = load i32, ptr %9, align 4, !tbaa !4
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds i32, ptr %81, i64 %83
  store i32 %80, ptr %84, align 4, !tbaa !4
  br label %85

85:                                               ; preds = %79, %75
  %86 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %87 = call noundef i32 @_ZN10blockDim_t6read_xEv() #9
  %88 = sub i32 %87, 1
  %89 = icmp eq i32 %86, %88
  br i1 %89, label %90, label %96

90:                                               ; preds = %85
  %91 = load i32, ptr %12, align 4, !tbaa !4
  %92 = load ptr, ptr %7, align 8, !tbaa !8
  %93 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #9
  %94 = zext i32 %93 to i64
  %95 = getelementptr inbounds nuw i32, ptr %92, i64 %94
  store i32 %91, ptr %95, align 4, !tbaa !4
  br label %96

96:                                               ; preds = %90, %85
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
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_Z9warp_scanii(i32 noundef %0, i32 noundef %1) #2 comdat {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %3, align 4, !tbaa !4
  store i32 %1, ptr %4, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %5) #8
  store i32 1, ptr %5, align 4, !tbaa !4
  br label %7

7:                                                ; preds = %23, %2
  %8 = load i32, ptr %5, align 4, !tbaa !4
  %9 = icmp slt i32 %8, 32
  br i1 %9, label %11, label %10

10:                                               ; preds = %7
  call void @llvm.lifetime.end.p0(ptr %5) #8
  br label %26

11:                                               ; preds = %7
  call void @llvm.lifetime.start.p0(ptr %6) #8
  %12 = load i32, ptr %3, align 4, !tbaa !4
  %13 = load i32, ptr %5, align 4, !tbaa !4
  %14 = call noundef i32 @_ZL14__shfl_up_syncjii(i32 noundef -1, i32 noundef %12, i32 noundef %13) #9
  store i32 %14, ptr %6, align 4, !tbaa !4
  %15 = load i32, ptr %4, align 4, !tbaa !4
  %16 = load i32, ptr %5, align 4, !tbaa !4
  %17 = icmp sge i32 %15, %16
  br i1 %17, label %18, label %22

18:                                               ; preds = %11
  %19 = load i32, ptr %6, align 4, !tbaa !4
  %20 = load i32, ptr %3, align 4, !tbaa !4
  %21 = add nsw i32 %20, %19
  store i32 %21, ptr %3, align 4, !tbaa !4
  br label %22

22:                                               ; preds = %18, %11
  call void @llvm.lifetime.end.p0(ptr %6) #8
  br label %23

23:                                               ; preds = %22
  %24 = load i32, ptr %5, align 4, !tbaa !4
  %25 = mul nsw i32 %24, 2
  store i32 %25, ptr %5, align 4, !tbaa !4
  br label %7, !llvm.loop !11

26:                                               ; preds = %10
  %27 = load i32, ptr %3, align 4, !tbaa !4
  ret i32 %27
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @compact(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #4 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store ptr %2, ptr %7, align 8, !tbaa !8
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #8
  %14 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #9
  %15 = call noundef i32 @_ZN10blockDim_t6read_xEv() #9
  %16 = mul i32 %14, %15
  %17 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #9
  %18 = add i32 %16, %17
  store i32 %18, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #8
  %19 = load i32, ptr %9, align 4, !tbaa !4
  %20 = load i32, ptr %8, align 4, !tbaa !4
  %21 = icmp slt i32 %19, %20
  br i1 %21, label %22, label %29

22:                                               ; preds = %4
  %23 = load ptr, ptr %5, align 8, !tbaa !8
  %24 = load i32, ptr %9, align 4, !tbaa !4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds i32, ptr %23, i64 %25
  %27 = load i32, ptr %26, align 4, !tbaa !4
  %28 = icmp sgt i32 %27, 0
  br label %29

29:                                               ; preds = %22, %4
  %30 = phi i1 [ false, %4 ], [ %28, %22 ]
  %31 = zext i1 %30 to i8
  store i8 %31, ptr %10, align 1, !tbaa !14
  call void @llvm.lifetime.start.p0(ptr %11) #8
  %32 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  store i32 %32, ptr %11, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %12) #8
  %33 = load i8, ptr %10, align 1, !tbaa !14, !range !16, !noundef !17
  %34 = trunc i8 %33 to i1
  %35 = call noundef i32 @_ZL13__ballot_syncjb(i32 noundef -1, i1 noundef zeroext %34) #9
  store i32 %35, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #8
  store i32 0, ptr %13, align 4, !tbaa !4
  %36 = load i32, ptr %11, align 4, !tbaa !4
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %43

38:                                               ; preds = %29
  %39 = load ptr, ptr %7, align 8, !tbaa !8
  %40 = load i32, ptr %12, align 4, !tbaa !4
  %41 = call i32 @llvm.ctpop.i32(i32 %40)
  %42 = call noundef i32 @_ZL9atomicAddPii(ptr noundef %39, i32 noundef %41) #9
  store i32 %42, ptr %13, align 4, !tbaa !4
  br label %43

43:                                               ; preds = %38, %29
  %44 = load i32, ptr %13, align 4, !tbaa !4
  %45 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %44, i32 0, i32 31)
  store i32 %45, ptr %13, align 4, !tbaa !4
  %46 = load i8, ptr %10, align 1, !tbaa !14, !range !16, !noundef !17
  %47 = trunc i8 %46 to i1
  br i1 %47, label %48, label %63

48:                                               ; preds = %43
  %49 = load ptr, ptr %5, align 8, !tbaa !8
  %50 = load i32, ptr %9, align 4, !tbaa !4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i32, ptr %49, i64 %51
  %53 = load i32, ptr %52, align 4, !tbaa !4
  %54 = load ptr, ptr %6, align 8, !tbaa !8
  %55 = load i32, ptr %13, align 4, !tbaa !4
  %56 = load i32, ptr %12, align 4, !tbaa !4
  %57 = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %58 = and i32 %56, %57
  %59 = call i32 @llvm.ctpop.i32(i32 %58)
  %60 = add nsw i32 %55, %59
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds i32, ptr %54, i64 %61
  store i32 %53, ptr %62, align 4, !tbaa !4
  br label %63

63:                                               ; preds = %48, %43
  call void @llvm.lifetime.end.p0(ptr %13) #8
  call void @llvm.lifetime.end.p0(ptr %12) #8
  call void @llvm.lifetime.end.p0(ptr %11) #8
  call void @llvm.lifetime.end.p0(ptr %10) #8
  call void @llvm.lifetime.end.p0(ptr %9) #8
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.laneid() #5

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef i32 @_ZL13__ballot_syncjb(i32 noundef %0, i1 noundef zeroext %1) #2 {
  %3 = alloca i32, align 4
  %4 = alloca i8, align 1
  store i32 %0, ptr %3, align 4, !tbaa !4
  %5 = zext i1 %1 to i8
  store i8 %5, ptr %4, align 1, !tbaa !14
  %6 = load i32, ptr %3, align 4, !tbaa !4
  %7 = load i8, ptr %4, align 1, !tbaa !14, !range !16, !noundef !17
  %8 = trunc i8 %7 to i1
  %9 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %6, i1 %8)
  ret i32 %9
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef i32 @_ZL9atomicAddPii(ptr noundef %0, i32 noundef %1) #2 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !8
  store i32 %1, ptr %4, align 4, !tbaa !4
  %7 = load ptr, ptr %3, align 8, !tbaa !8
  %8 = load i32, ptr %4, align 4, !tbaa !4
  store i32 %8, ptr %5, align 4, !tbaa !4
  %9 = load i32, ptr %5, align 4
  %10 = atomicrmw add ptr %7, i32 %9 monotonic, align 4
  store i32 %10, ptr %6, align 4
  %11 = load i32, ptr %6, align 4, !tbaa !4
  ret i32 %11
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #6

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #7

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

; Function Attrs: alwaysinline convergent mustprogress nounwind
define internal noundef i32 @_ZL14__shfl_up_syncjii(i32 noundef %0, i32 noundef %1, i32 noundef %2) #2 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %4, align 4, !tbaa !4
  store i32 %1, ptr %5, align 4, !tbaa !4
  store i32 %2, ptr %6, align 4, !tbaa !4
  %7 = load i32, ptr %4, align 4, !tbaa !4
  %8 = load i32, ptr %5, align 4, !tbaa !4
  %9 = load i32, ptr %6, align 4, !tbaa !4
  %10 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 %7, i32 %8, i32 %9, i32 0)
  ret i32 %10
}

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) #7

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #7

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="1024" "nvvm.minctasm"="1" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
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
!9 = !{!"p1 int", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = distinct !{!11, !12, !13}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.enable"}
!14 = !{!15, !15, i64 0}
!15 = !{!"bool", !6, i64 0}
!16 = !{i8 0, i8 2}
!17 = !{}
