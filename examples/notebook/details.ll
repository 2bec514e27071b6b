; ModuleID = 'examples/notebook/details.cu'
source_filename = "examples/notebook/details.cu"
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
define dso_local ptx_kernel void @details(ptr noundef %in, ptr noundef %out, i32 noundef %n, i32 noundef %narrow, i32 noundef %wide) #0 {
entry:
  %in.addr = alloca ptr, align 8
  %out.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %narrow.addr = alloca i32, align 4
  %wide.addr = alloca i32, align 4
  %i = alloca i32, align 4
  store ptr %in, ptr %in.addr, align 8, !tbaa !8
  store ptr %out, ptr %out.addr, align 8, !tbaa !8
  store i32 %n, ptr %n.addr, align 4, !tbaa !4
  store i32 %narrow, ptr %narrow.addr, align 4, !tbaa !4
  store i32 %wide, ptr %wide.addr, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %i) #5
  %call = call noundef i32 @_ZN10blockIdx_t6read_xEv() #6
  %call1 = call noundef i32 @_ZN10blockDim_t6read_xEv() #6
  %mul = mul i32 %call, %call1
  %call2 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %add = add i32 %mul, %call2
  store i32 %add, ptr %i, align 4, !tbaa !4
  %0 = load i32, ptr %i, align 4, !tbaa !4
  %1 = load i32, ptr %n.addr, align 4, !tbaa !4
  %cmp = icmp slt i32 %0, %1
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %2 = load ptr, ptr %in.addr, align 8, !tbaa !8
  %3 = load i32, ptr %i, align 4, !tbaa !4
  %4 = load i32, ptr %n.addr, align 4, !tbaa !4
  %5 = load i32, ptr %narrow.addr, align 4, !tbaa !4
  %call3 = call contract noundef float @_ZL4blurPKfiii(ptr noundef %2, i32 noundef %3, i32 noundef %4, i32 noundef %5) #6
  %6 = load ptr, ptr %in.addr, align 8, !tbaa !8
  %7 = load i32, ptr %i, align 4, !tbaa !4
  %8 = load i32, ptr %n.addr, align 4, !tbaa !4
  %9 = load i32, ptr %wide.addr, align 4, !tbaa !4
  %call4 = call contract noundef float @_ZL4blurPKfiii(ptr noundef %6, i32 noundef %7, i32 noundef %8, i32 noundef %9) #6
  %sub = fsub contract float %call3, %call4
  %10 = load ptr, ptr %out.addr, align 8, !tbaa !8
  %11 = load i32, ptr %i, align 4, !tbaa !4
  %idxprom = sext i32 %11 to i64
  %arrayidx = getelementptr inbounds float, ptr %10, i64 %idxprom
  store float %sub, ptr %arrayidx, align 4, !tbaa !11
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  call void @llvm.lifetime.end.p0(ptr %i) #5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #2 comdat align 2 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockDim_t6read_xEv() #2 comdat align 2 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %0
}

; Function Attrs: convergent mustprogress nounwind
define internal noundef float @_ZL4blurPKfiii(ptr noundef %in, i32 noundef %center, i32 noundef %n, i32 noundef %radius) #3 {
entry:
  %in.addr = alloca ptr, align 8
  %center.addr = alloca i32, align 4
  %n.addr = alloca i32, align 4
  %radius.addr = alloca i32, align 4
  %taps = alloca i32, align 4
  %sum = alloca float, align 4
  %k = alloca i32, align 4
  %i = alloca i32, align 4
  store ptr %in, ptr %in.addr, align 8, !tbaa !8
  store i32 %center, ptr %center.addr, align 4, !tbaa !4
  store i32 %n, ptr %n.addr, align 4, !tbaa !4
  store i32 %radius, ptr %radius.addr, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %taps) #5
  %0 = load i32, ptr %radius.addr, align 4, !tbaa !4
  %mul = mul nsw i32 2, %0
  %add = add nsw i32 %mul, 1
  store i32 %add, ptr %taps, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %sum) #5
  store float 0.000000e+00, ptr %sum, align 4, !tbaa !11
  call void @llvm.lifetime.start.p0(ptr %k) #5
  store i32 0, ptr %k, align 4, !tbaa !4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %1 = load i32, ptr %k, align 4, !tbaa !4
  %2 = load i32, ptr %taps, align 4, !tbaa !4
  %cmp = icmp slt i32 %1, %2
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond
  call void @llvm.lifetime.end.p0(ptr %k) #5
  br label %for.end

for.body:                                         ; preds = %for.cond
  call void @llvm.lifetime.start.p0(ptr %i) #5
  %3 = load i32, ptr %center.addr, align 4, !tbaa !4
  %4 = load i32, ptr %radius.addr, align 4, !tbaa !4
  %sub = sub nsw i32 %3, %4
  %5 = load i32, ptr %k, align 4, !tbaa !4
  %add1 = add nsw i32 %sub, %5
  store i32 %add1, ptr %i, align 4, !tbaa !4
  %6 = load ptr, ptr %in.addr, align 8, !tbaa !8
  %7 = load i32, ptr %i, align 4, !tbaa !4
  %cmp2 = icmp slt i32 %7, 0
  br i1 %cmp2, label %cond.true, label %cond.false

cond.true:                                        ; preds = %for.body
  br label %cond.end7

cond.false:                                       ; preds = %for.body
  %8 = load i32, ptr %i, align 4, !tbaa !4
  %9 = load i32, ptr %n.addr, align 4, !tbaa !4
  %cmp3 = icmp slt i32 %8, %9
  br i1 %cmp3, label %cond.true4, label %cond.false5

cond.true4:                                       ; preds = %cond.false
  %10 = load i32, ptr %i, align 4, !tbaa !4
  br label %cond.end

cond.false5:                                      ; preds = %cond.false
  %11 = load i32, ptr %n.addr, align 4, !tbaa !4
  %sub6 = sub nsw i32 %11, 1
  br label %cond.end

cond.end:                                         ; preds = %cond.false5, %cond.true4
  %cond = phi i32 [ %10, %cond.true4 ], [ %sub6, %cond.false5 ]
  br label %cond.end7

cond.end7:                                        ; preds = %cond.end, %cond.true
  %cond8 = phi i32 [ 0, %cond.true ], [ %cond, %cond.end ]
  %idxprom = sext i32 %cond8 to i64
  %arrayidx = getelementptr inbounds float, ptr %6, i64 %idxprom
  %12 = load float, ptr %arrayidx, align 4, !tbaa !11
  %13 = load float, ptr %sum, align 4, !tbaa !11
  %add9 = fadd contract float %13, %12
  store float %add9, ptr %sum, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(ptr %i) #5
  br label %for.inc

for.inc:                                          ; preds = %cond.end7
  %14 = load i32, ptr %k, align 4, !tbaa !4
  %inc = add nsw i32 %14, 1
  store i32 %inc, ptr %k, align 4, !tbaa !4
  br label %for.cond, !llvm.loop !13

for.end:                                          ; preds = %for.cond.cleanup
  %15 = load float, ptr %sum, align 4, !tbaa !11
  %16 = load i32, ptr %taps, align 4, !tbaa !4
  %conv = sitofp i32 %16 to float
  %div = fdiv contract float %15, %conv
  call void @llvm.lifetime.end.p0(ptr %sum) #5
  call void @llvm.lifetime.end.p0(ptr %taps) #5
  ret float %div
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
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
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
