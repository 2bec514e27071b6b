; ModuleID = 'examples/integers.cu'
source_filename = "examples/integers.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @divide(ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b, ptr noundef writeonly captures(none) %quotient, ptr noundef writeonly captures(none) %remainder, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:                                    ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i64, ptr %b, i64 %idxprom
  %3 = load i64, ptr %arrayidx, align 8, !tbaa !8
  %cmp3 = icmp eq i64 %3, 0
  br i1 %cmp3, label %cleanup, label %if.end

if.end:                                           ; preds = %lor.lhs.false
  %arrayidx5 = getelementptr inbounds i64, ptr %a, i64 %idxprom
  %4 = load i64, ptr %arrayidx5, align 8, !tbaa !8
  %div = sdiv i64 %4, %3
  %arrayidx9 = getelementptr inbounds i64, ptr %quotient, i64 %idxprom
  store i64 %div, ptr %arrayidx9, align 8, !tbaa !8
  %5 = load i64, ptr %arrayidx5, align 8, !tbaa !8
  %6 = load i64, ptr %arrayidx, align 8, !tbaa !8
  %rem = srem i64 %5, %6
  %arrayidx15 = getelementptr inbounds i64, ptr %remainder, i64 %idxprom
  store i64 %rem, ptr %arrayidx15, align 8, !tbaa !8
  br label %cleanup

cleanup:                                          ; preds = %entry, %lor.lhs.false, %if.end
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @divide_unsigned(ptr noundef readonly captures(none) %a, i64 noundef %b, ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %a, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 8, !tbaa !8
  %div = udiv i64 %1, %b
  %rem = urem i64 %1, 10
  %add = add i64 %div, %rem
  %div1 = udiv i64 %1, 1000
  %add2 = add i64 %add, %div1
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %out, i64 %idxprom
  store i64 %add2, ptr %arrayidx5, align 8, !tbaa !8
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @wide(ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b, ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %a, i64 %idxprom
  %1 = load i64, ptr %arrayidx, align 8, !tbaa !8
  %conv = zext i64 %1 to i128
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %b, i64 %idxprom
  %2 = load i64, ptr %arrayidx3, align 8, !tbaa !8
  %conv4 = zext i64 %2 to i128
  %mul = mul nuw i128 %conv4, %conv
  %shl = shl nuw i128 %conv, 64
  %or = or disjoint i128 %shl, %conv4
  %add = add i128 %mul, %or
  %conv5 = trunc i128 %add to i64
  %mul7 = shl nuw nsw i32 %0, 1
  %idxprom8 = zext nneg i32 %mul7 to i64
  %arrayidx9 = getelementptr inbounds nuw i64, ptr %out, i64 %idxprom8
  store i64 %conv5, ptr %arrayidx9, align 8, !tbaa !8
  %3 = load i64, ptr %a, align 8, !tbaa !8
  %and = and i64 %3, 7
  %add11 = or disjoint i64 %and, 64
  %sh_prom = zext nneg i64 %add11 to i128
  %shr = lshr i128 %add, %sh_prom
  %conv12 = trunc nuw i128 %shr to i64
  %4 = zext nneg i32 %mul7 to i64
  %5 = getelementptr inbounds nuw i64, ptr %out, i64 %4
  %arrayidx17 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store i64 %conv12, ptr %arrayidx17, align 8, !tbaa !8
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @bits(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %in, i64 %idxprom
  %1 = load i32, ptr %arrayidx, align 4, !tbaa !4
  %2 = zext nneg i32 %0 to i64
  %3 = getelementptr inbounds nuw i32, ptr %in, i64 %2
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %3, i64 4
  %4 = load i32, ptr %arrayidx3, align 4, !tbaa !4
  %tobool.not = icmp eq i32 %1, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %5 = tail call range(i32 0, 33) i32 @llvm.ctlz.i32(i32 %1, i1 true)
  %6 = tail call range(i32 0, 33) i32 @llvm.cttz.i32(i32 %1, i1 true)
  %add6 = add nuw nsw i32 %5, %6
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %add6, %cond.true ], [ 64, %entry ]
  %7 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %1)
  %conv = zext i32 %1 to i64
  %shl = shl nuw i64 %conv, 32
  %conv4 = zext i32 %4 to i64
  %or = or disjoint i64 %shl, %conv4
  %8 = tail call range(i64 0, 65) i64 @llvm.ctpop.i64(i64 %or)
  %cast = trunc nuw nsw i64 %8 to i32
  %add5 = add nuw nsw i32 %7, %cast
  %add7 = add nuw nsw i32 %add5, %cond
  %9 = tail call i32 @llvm.bswap.i32(i32 %1)
  %10 = tail call i32 @llvm.bitreverse.i32(i32 %1)
  %add8 = add i32 %9, %10
  %xor = xor i32 %add7, %add8
  %11 = tail call i32 @llvm.fshl.i32(i32 %1, i32 %1, i32 7)
  %sext = shl i32 %1, 16
  %conv12 = ashr exact i32 %sext, 16
  %conv13 = ashr i32 %sext, 24
  %mul = mul nsw i32 %conv12, %conv13
  %12 = tail call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %1, i32 %mul)
  %13 = extractvalue { i32, i1 } %12, 1
  %14 = extractvalue { i32, i1 } %12, 0
  %add16 = select i1 %13, i32 0, i32 %14
  %add9 = add i32 %add16, %11
  %cond18 = add i32 %add9, %xor
  %arrayidx21 = getelementptr inbounds nuw i32, ptr %out, i64 %idxprom
  store i32 %cond18, ptr %arrayidx21, align 4, !tbaa !4
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctlz.i32(i32, i1 immarg) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.cttz.i32(i32, i1 immarg) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bswap.i32(i32) #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bitreverse.i32(i32) #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
!9 = !{!"long long", !6, i64 0}
