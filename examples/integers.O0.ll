; ModuleID = 'examples/integers.cu'
source_filename = "examples/integers.cu"
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
define dso_local ptx_kernel void @divide(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4) #0 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %6, align 8, !tbaa !8
  store ptr %1, ptr %7, align 8, !tbaa !8
  store ptr %2, ptr %8, align 8, !tbaa !8
  store ptr %3, ptr %9, align 8, !tbaa !8
  store i32 %4, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #5
  %13 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #6
  %14 = call noundef i32 @_ZN10blockDim_t6read_xEv() #6
  %15 = mul i32 %13, %14
  %16 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %17 = add i32 %15, %16
  store i32 %17, ptr %11, align 4, !tbaa !4
  %18 = load i32, ptr %11, align 4, !tbaa !4
  %19 = load i32, ptr %10, align 4, !tbaa !4
  %20 = icmp sge i32 %18, %19
  br i1 %20, label %28, label %21

21:                                               ; preds = %5
  %22 = load ptr, ptr %7, align 8, !tbaa !8
  %23 = load i32, ptr %11, align 4, !tbaa !4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i64, ptr %22, i64 %24
  %26 = load i64, ptr %25, align 8, !tbaa !11
  %27 = icmp eq i64 %26, 0
  br i1 %27, label %28, label %29

28:                                               ; preds = %21, %5
  store i32 1, ptr %12, align 4
  br label %60

29:                                               ; preds = %21
  %30 = load ptr, ptr %6, align 8, !tbaa !8
  %31 = load i32, ptr %11, align 4, !tbaa !4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i64, ptr %30, i64 %32
  %34 = load i64, ptr %33, align 8, !tbaa !11
  %35 = load ptr, ptr %7, align 8, !tbaa !8
  %36 = load i32, ptr %11, align 4, !tbaa !4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i64, ptr %35, i64 %37
  %39 = load i64, ptr %38, align 8, !tbaa !11
  %40 = sdiv i64 %34, %39
  %41 = load ptr, ptr %8, align 8, !tbaa !8
  %42 = load i32, ptr %11, align 4, !tbaa !4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i64, ptr %41, i64 %43
  store i64 %40, ptr %44, align 8, !tbaa !11
  %45 = load ptr, ptr %6, align 8, !tbaa !8
  %46 = load i32, ptr %11, align 4, !tbaa !4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds i64, ptr %45, i64 %47
  %49 = load i64, ptr %48, align 8, !tbaa !11
  %50 = load ptr, ptr %7, align 8, !tbaa !8
  %51 = load i32, ptr %11, align 4, !tbaa !4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i64, ptr %50, i64 %52
  %54 = load i64, ptr %53, align 8, !tbaa !11
  %55 = srem i64 %49, %54
  %56 = load ptr, ptr %9, align 8, !tbaa !8
  %57 = load i32, ptr %11, align 4, !tbaa !4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds i64, ptr %56, i64 %58
  store i64 %55, ptr %59, align 8, !tbaa !11
  store i32 0, ptr %12, align 4
  br label %60

60:                                               ; preds = %29, %28
  call void @llvm.lifetime.end.p0(ptr %11) #5
  %61 = load i32, ptr %12, align 4
  switch i32 %61, label %63 [
    i32 0, label %62
    i32 1, label %62
  ]

62:                                               ; preds = %60, %60
  ret void

63:                                               ; preds = %60
  unreachable
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
define dso_local ptx_kernel void @divide_unsigned(ptr noundef %0, i64 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  store ptr %0, ptr %4, align 8, !tbaa !8
  store i64 %1, ptr %5, align 8, !tbaa !11
  store ptr %2, ptr %6, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %7) #5
  %8 = load ptr, ptr %4, align 8, !tbaa !8
  %9 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds nuw i64, ptr %8, i64 %10
  %12 = load i64, ptr %11, align 8, !tbaa !11
  store i64 %12, ptr %7, align 8, !tbaa !11
  %13 = load i64, ptr %7, align 8, !tbaa !11
  %14 = load i64, ptr %5, align 8, !tbaa !11
  %15 = udiv i64 %13, %14
  %16 = load i64, ptr %7, align 8, !tbaa !11
  %17 = urem i64 %16, 10
  %18 = add i64 %15, %17
  %19 = load i64, ptr %7, align 8, !tbaa !11
  %20 = udiv i64 %19, 1000
  %21 = add i64 %18, %20
  %22 = load ptr, ptr %6, align 8, !tbaa !8
  %23 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %24 = zext i32 %23 to i64
  %25 = getelementptr inbounds nuw i64, ptr %22, i64 %24
  store i64 %21, ptr %25, align 8, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %7) #5
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @wide(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i128, align 16
  %8 = alloca i128, align 16
  %9 = alloca i128, align 16
  store ptr %0, ptr %4, align 8, !tbaa !8
  store ptr %1, ptr %5, align 8, !tbaa !8
  store ptr %2, ptr %6, align 8, !tbaa !8
  call void @llvm.lifetime.start.p0(ptr %7) #5
  %10 = load ptr, ptr %4, align 8, !tbaa !8
  %11 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %12 = zext i32 %11 to i64
  %13 = getelementptr inbounds nuw i64, ptr %10, i64 %12
  %14 = load i64, ptr %13, align 8, !tbaa !11
  %15 = zext i64 %14 to i128
  store i128 %15, ptr %7, align 16, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %8) #5
  %16 = load ptr, ptr %5, align 8, !tbaa !8
  %17 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds nuw i64, ptr %16, i64 %18
  %20 = load i64, ptr %19, align 8, !tbaa !11
  %21 = zext i64 %20 to i128
  store i128 %21, ptr %8, align 16, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %9) #5
  %22 = load i128, ptr %7, align 16, !tbaa !13
  %23 = load i128, ptr %8, align 16, !tbaa !13
  %24 = mul i128 %22, %23
  %25 = load i128, ptr %7, align 16, !tbaa !13
  %26 = shl i128 %25, 64
  %27 = load i128, ptr %8, align 16, !tbaa !13
  %28 = or i128 %26, %27
  %29 = add i128 %24, %28
  store i128 %29, ptr %9, align 16, !tbaa !13
  %30 = load i128, ptr %9, align 16, !tbaa !13
  %31 = trunc i128 %30 to i64
  %32 = load ptr, ptr %6, align 8, !tbaa !8
  %33 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %34 = mul i32 2, %33
  %35 = zext i32 %34 to i64
  %36 = getelementptr inbounds nuw i64, ptr %32, i64 %35
  store i64 %31, ptr %36, align 8, !tbaa !11
  %37 = load i128, ptr %9, align 16, !tbaa !13
  %38 = load ptr, ptr %4, align 8, !tbaa !8
  %39 = getelementptr inbounds i64, ptr %38, i64 0
  %40 = load i64, ptr %39, align 8, !tbaa !11
  %41 = and i64 %40, 7
  %42 = add i64 64, %41
  %43 = zext i64 %42 to i128
  %44 = lshr i128 %37, %43
  %45 = trunc i128 %44 to i64
  %46 = load ptr, ptr %6, align 8, !tbaa !8
  %47 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %48 = mul i32 2, %47
  %49 = add i32 %48, 1
  %50 = zext i32 %49 to i64
  %51 = getelementptr inbounds nuw i64, ptr %46, i64 %50
  store i64 %45, ptr %51, align 8, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %9) #5
  call void @llvm.lifetime.end.p0(ptr %8) #5
  call void @llvm.lifetime.end.p0(ptr %7) #5
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @bits(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i64, align 8
  %7 = alloca i32, align 4
  %8 = alloca i16, align 2
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i8, align 1
  store ptr %0, ptr %3, align 8, !tbaa !15
  store ptr %1, ptr %4, align 8, !tbaa !15
  call void @llvm.lifetime.start.p0(ptr %5) #5
  %12 = load ptr, ptr %3, align 8, !tbaa !15
  %13 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %14 = zext i32 %13 to i64
  %15 = getelementptr inbounds nuw i32, ptr %12, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !4
  store i32 %16, ptr %5, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %6) #5
  %17 = load i32, ptr %5, align 4, !tbaa !4
  %18 = zext i32 %17 to i64
  %19 = shl i64 %18, 32
  %20 = load ptr, ptr %3, align 8, !tbaa !15
  %21 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %22 = add i32 %21, 1
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds nuw i32, ptr %20, i64 %23
  %25 = load i32, ptr %24, align 4, !tbaa !4
  %26 = zext i32 %25 to i64
  %27 = or i64 %19, %26
  store i64 %27, ptr %6, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %7) #5
  %28 = load i32, ptr %5, align 4, !tbaa !4
  %29 = call i32 @llvm.ctpop.i32(i32 %28)
  %30 = load i64, ptr %6, align 8, !tbaa !11
  %31 = call i64 @llvm.ctpop.i64(i64 %30)
  %32 = trunc i64 %31 to i32
  %33 = add nsw i32 %29, %32
  store i32 %33, ptr %7, align 4, !tbaa !4
  %34 = load i32, ptr %5, align 4, !tbaa !4
  %35 = icmp ne i32 %34, 0
  br i1 %35, label %36, label %42

36:                                               ; preds = %2
  %37 = load i32, ptr %5, align 4, !tbaa !4
  %38 = call i32 @llvm.ctlz.i32(i32 %37, i1 true)
  %39 = load i32, ptr %5, align 4, !tbaa !4
  %40 = call i32 @llvm.cttz.i32(i32 %39, i1 true)
  %41 = add nsw i32 %38, %40
  br label %43

42:                                               ; preds = %2
  br label %43

43:                                               ; preds = %42, %36
  %44 = phi i32 [ %41, %36 ], [ 64, %42 ]
  %45 = load i32, ptr %7, align 4, !tbaa !4
  %46 = add i32 %45, %44
  store i32 %46, ptr %7, align 4, !tbaa !4
  %47 = load i32, ptr %5, align 4, !tbaa !4
  %48 = call i32 @llvm.bswap.i32(i32 %47)
  %49 = load i32, ptr %5, align 4, !tbaa !4
  %50 = call i32 @llvm.bitreverse.i32(i32 %49)
  %51 = add i32 %48, %50
  %52 = load i32, ptr %7, align 4, !tbaa !4
  %53 = xor i32 %52, %51
  store i32 %53, ptr %7, align 4, !tbaa !4
  %54 = load i32, ptr %5, align 4, !tbaa !4
  %55 = call i32 @llvm.fshl.i32(i32 %54, i32 %54, i32 7)
  %56 = load i32, ptr %7, align 4, !tbaa !4
  %57 = add i32 %56, %55
  store i32 %57, ptr %7, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %8) #5
  %58 = load i32, ptr %5, align 4, !tbaa !4
  %59 = trunc i32 %58 to i16
  store i16 %59, ptr %8, align 2, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr %9) #5
  %60 = load i32, ptr %5, align 4, !tbaa !4
  %61 = lshr i32 %60, 8
  %62 = trunc i32 %61 to i8
  store i8 %62, ptr %9, align 1, !tbaa !19
  call void @llvm.lifetime.start.p0(ptr %10) #5
  call void @llvm.lifetime.start.p0(ptr %11) #5
  %63 = load i32, ptr %5, align 4, !tbaa !4
  %64 = load i16, ptr %8, align 2, !tbaa !17
  %65 = sext i16 %64 to i32
  %66 = load i8, ptr %9, align 1, !tbaa !19
  %67 = sext i8 %66 to i32
  %68 = mul nsw i32 %65, %67
  %69 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %63, i32 %68)
  %70 = extractvalue { i32, i1 } %69, 1
  %71 = extractvalue { i32, i1 } %69, 0
  store i32 %71, ptr %10, align 4
  %72 = zext i1 %70 to i8
  store i8 %72, ptr %11, align 1, !tbaa !20
  %73 = load i8, ptr %11, align 1, !tbaa !20, !range !22, !noundef !23
  %74 = trunc i8 %73 to i1
  br i1 %74, label %75, label %77

75:                                               ; preds = %43
  %76 = load i32, ptr %7, align 4, !tbaa !4
  br label %81

77:                                               ; preds = %43
  %78 = load i32, ptr %7, align 4, !tbaa !4
  %79 = load i32, ptr %10, align 4, !tbaa !4
  %80 = add i32 %78, %79
  br label %81

81:                                               ; preds = %77, %75
  %82 = phi i32 [ %76, %75 ], [ %80, %77 ]
  %83 = load ptr, ptr %4, align 8, !tbaa !15
  %84 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %85 = zext i32 %84 to i64
  %86 = getelementptr inbounds nuw i32, ptr %83, i64 %85
  store i32 %82, ptr %86, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %11) #5
  call void @llvm.lifetime.end.p0(ptr %10) #5
  call void @llvm.lifetime.end.p0(ptr %9) #5
  call void @llvm.lifetime.end.p0(ptr %8) #5
  call void @llvm.lifetime.end.p0(ptr %7) #5
  call void @llvm.lifetime.end.p0(ptr %6) #5
  call void @llvm.lifetime.end.p0(ptr %5) #5
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctlz.i32(i32, i1 immarg) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.cttz.i32(i32, i1 immarg) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bswap.i32(i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bitreverse.i32(i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind }

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
!9 = !{!"p1 long long", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"long long", !6, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"__int128", !6, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"p1 int", !10, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"short", !6, i64 0}
!19 = !{!6, !6, i64 0}
!20 = !{!21, !21, i64 0}
!21 = !{!"bool", !6, i64 0}
!22 = !{i8 0, i8 2}
!23 = !{}
