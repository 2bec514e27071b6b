; ModuleID = 'examples/device_function.cu'
source_filename = "examples/device_function.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@operations = dso_local addrspace(1) externally_initialized global [3 x ptr] [ptr @_Z3adddd, ptr @_Z8subtractdd, ptr @_Z8multiplydd], align 8
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @operations to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read)
define dso_local noundef float @_Z6hornerPKfif(ptr noundef readonly captures(none) %coefficients, i32 noundef %degree, float noundef %x) local_unnamed_addr #0 {
entry:
  %idxprom = sext i32 %degree to i64
  %arrayidx = getelementptr inbounds float, ptr %coefficients, i64 %idxprom
  %0 = load float, ptr %arrayidx, align 4, !tbaa !8
  %cmp8 = icmp sgt i32 %degree, 0
  br i1 %cmp8, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %value.0.lcssa = phi float [ %0, %entry ], [ %add, %for.body ]
  ret float %value.0.lcssa

for.body:                                         ; preds = %entry, %for.body
  %k.0.in10 = phi i32 [ %k.0, %for.body ], [ %degree, %entry ]
  %value.09 = phi float [ %add, %for.body ], [ %0, %entry ]
  %k.0 = add nsw i32 %k.0.in10, -1
  %mul = fmul contract float %x, %value.09
  %idxprom1 = zext nneg i32 %k.0 to i64
  %arrayidx2 = getelementptr inbounds nuw float, ptr %coefficients, i64 %idxprom1
  %1 = load float, ptr %arrayidx2, align 4, !tbaa !8
  %add = fadd contract float %mul, %1
  %cmp = icmp sgt i32 %k.0.in10, 1
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !llvm.loop !10
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @evaluate(ptr noundef readonly captures(none) %coefficients, i32 noundef %degree, ptr noundef readonly captures(none) %x, ptr noundef writeonly captures(none) %y, i32 noundef %n) local_unnamed_addr #1 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4, !tbaa !8
  %call3 = tail call contract noundef float @_Z6hornerPKfif(ptr noundef %coefficients, i32 noundef %degree, float noundef %3) #7
  %arrayidx5 = getelementptr inbounds float, ptr %y, i64 %idxprom
  store float %call3, ptr %arrayidx5, align 4, !tbaa !8
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @newton_step(ptr noundef readonly captures(none) %coefficients, i32 noundef %degree, ptr noundef captures(none) %x, i32 noundef %n) local_unnamed_addr #1 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4, !tbaa !8
  %call3 = tail call contract noundef float @_Z6hornerPKfif(ptr noundef %coefficients, i32 noundef %degree, float noundef %3) #7
  %add6 = fadd contract float %3, 0x3F50624DE0000000
  %call7 = tail call contract noundef float @_Z6hornerPKfif(ptr noundef %coefficients, i32 noundef %degree, float noundef %add6) #7
  %sub = fsub contract float %call7, %call3
  %div = fdiv contract float %sub, 0x3F50624DE0000000
  %div8 = fdiv contract float %call3, %div
  %sub11 = fsub contract float %3, %div8
  store float %sub11, ptr %arrayidx, align 4, !tbaa !8
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  ret void
}

; Function Attrs: mustprogress nofree noinline nosync nounwind willreturn memory(none)
define dso_local noundef range(i32 -2147483647, -2147483648) i32 @_Z9ackermannii(i32 noundef %m, i32 noundef %n) local_unnamed_addr #2 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.end, %entry
  %m.tr = phi i32 [ %m, %entry ], [ %sub, %cond.end ]
  %n.tr = phi i32 [ %n, %entry ], [ %cond, %cond.end ]
  %cmp = icmp eq i32 %m.tr, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %tailrecurse
  %add = add nsw i32 %n.tr, 1
  ret i32 %add

if.end:                                           ; preds = %tailrecurse
  %sub = add nsw i32 %m.tr, -1
  %cmp1 = icmp eq i32 %n.tr, 0
  br i1 %cmp1, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.end
  %sub2 = add nsw i32 %n.tr, -1
  %call = tail call noundef i32 @_Z9ackermannii(i32 noundef %m.tr, i32 noundef %sub2) #7
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.false
  %cond = phi i32 [ %call, %cond.false ], [ 1, %if.end ]
  br label %tailrecurse
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: write)
define dso_local ptx_kernel void @recurse(i32 noundef %m, i32 noundef %n, ptr noundef writeonly captures(none) initializes((0, 4)) %out) local_unnamed_addr #3 {
entry:
  %call = tail call noundef i32 @_Z9ackermannii(i32 noundef %m, i32 noundef %n) #7
  store i32 %call, ptr %out, align 4, !tbaa !4
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef double @_Z3adddd(double noundef %a, double noundef %b) #4 {
entry:
  %add = fadd contract double %a, %b
  ret double %add
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef double @_Z8subtractdd(double noundef %a, double noundef %b) #4 {
entry:
  %sub = fsub contract double %a, %b
  ret double %sub
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef double @_Z8multiplydd(double noundef %a, double noundef %b) #4 {
entry:
  %mul = fmul contract double %a, %b
  ret double %mul
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @apply(i32 noundef %operation, ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b, ptr noundef writeonly captures(none) %out) local_unnamed_addr #5 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = sext i32 %operation to i64
  %arrayidx = getelementptr inbounds ptr, ptr addrspacecast (ptr addrspace(1) @operations to ptr), i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8, !tbaa !13
  %idxprom1 = zext nneg i32 %0 to i64
  %arrayidx2 = getelementptr inbounds nuw double, ptr %a, i64 %idxprom1
  %2 = load double, ptr %arrayidx2, align 8, !tbaa !15
  %arrayidx4 = getelementptr inbounds nuw double, ptr %b, i64 %idxprom1
  %3 = load double, ptr %arrayidx4, align 8, !tbaa !15
  %call5 = tail call contract noundef double %1(double noundef %2, double noundef %3) #8
  %arrayidx7 = getelementptr inbounds nuw double, ptr %out, i64 %idxprom1
  store double %call5, ptr %arrayidx7, align 8, !tbaa !15
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #6

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nofree noinline nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #5 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
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
!9 = !{!"float", !6, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
!13 = !{!14, !14, i64 0}
!14 = !{!"any pointer", !6, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"double", !6, i64 0}
