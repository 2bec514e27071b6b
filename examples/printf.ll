; ModuleID = 'examples/printf.cu'
source_filename = "examples/printf.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%printf_args = type { i32, ptr }
%printf_args.0 = type { i32, i32, double, ptr }

@.str = private unnamed_addr constant [19 x i8] c"%d values from %p\0A\00", align 1
@.str1 = private unnamed_addr constant [32 x i8] c"thread %d of block %u: %f (%s)\0A\00", align 1
@.str2 = private unnamed_addr constant [9 x i8] c"negative\00", align 1
@.str3 = private unnamed_addr constant [9 x i8] c"positive\00", align 1

; Function Attrs: mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @hello(ptr noundef %values, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %tmp = alloca %printf_args, align 8
  %tmp10 = alloca %printf_args.0, align 8
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp eq i32 %add, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store i32 %n, ptr %tmp, align 8
  %3 = getelementptr inbounds nuw i8, ptr %tmp, i64 8
  store ptr %values, ptr %3, align 8
  %4 = call i32 @vprintf(ptr nonnull @.str, ptr nonnull %tmp) #2
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %cmp3 = icmp slt i32 %add, %n
  br i1 %cmp3, label %if.then4, label %if.end11

if.then4:                                         ; preds = %if.end
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds float, ptr %values, i64 %idxprom
  %5 = load float, ptr %arrayidx, align 4, !tbaa !8
  %conv = fpext contract float %5 to double
  %cmp9 = fcmp contract olt float %5, 0.000000e+00
  %.str2..str3 = select i1 %cmp9, ptr @.str2, ptr @.str3
  store i32 %2, ptr %tmp10, align 8
  %6 = getelementptr inbounds nuw i8, ptr %tmp10, i64 4
  store i32 %0, ptr %6, align 4
  %7 = getelementptr inbounds nuw i8, ptr %tmp10, i64 8
  store double %conv, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %tmp10, i64 16
  store ptr %.str2..str3, ptr %8, align 8
  %9 = call i32 @vprintf(ptr nonnull @.str1, ptr nonnull %tmp10) #2
  br label %if.end11

if.end11:                                         ; preds = %if.then4, %if.end
  ret void
}

declare i32 @vprintf(ptr, ptr) local_unnamed_addr

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

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
!9 = !{!"float", !6, i64 0}
