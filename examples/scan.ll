; ModuleID = 'examples/scan.cu'
source_filename = "examples/scan.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@warp_sums = external dso_local local_unnamed_addr addrspace(3) global [0 x i32], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @scan(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, ptr noundef writeonly captures(none) %block_sums, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %and = and i32 %2, 31
  %shr = lshr i32 %2, 5
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %cond.true, label %for.body.i63

cond.true:                                        ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i32, ptr %in, i64 %idxprom
  %3 = load i32, ptr %arrayidx, align 4, !tbaa !4
  br label %for.body.i63

for.body.i63:                                     ; preds = %cond.true, %entry
  %cond = phi i32 [ %3, %cond.true ], [ 0, %entry ]
  %4 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %cond, i32 range(i32 -2147483648, 32) 1, i32 0)
  %cmp1.not.i65 = icmp eq i32 %and, 0
  %add.i66 = select i1 %cmp1.not.i65, i32 0, i32 %4
  %spec.select.i67 = add nsw i32 %add.i66, %cond
  %5 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i67, i32 range(i32 -2147483648, 32) 2, i32 0)
  %cmp1.not.i65.1 = icmp samesign ult i32 %and, 2
  %add.i66.1 = select i1 %cmp1.not.i65.1, i32 0, i32 %5
  %spec.select.i67.1 = add nsw i32 %add.i66.1, %spec.select.i67
  %6 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i67.1, i32 range(i32 -2147483648, 32) 4, i32 0)
  %cmp1.not.i65.2 = icmp samesign ult i32 %and, 4
  %add.i66.2 = select i1 %cmp1.not.i65.2, i32 0, i32 %6
  %spec.select.i67.2 = add nsw i32 %add.i66.2, %spec.select.i67.1
  %7 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i67.2, i32 range(i32 -2147483648, 32) 8, i32 0)
  %cmp1.not.i65.3 = icmp samesign ult i32 %and, 8
  %add.i66.3 = select i1 %cmp1.not.i65.3, i32 0, i32 %7
  %spec.select.i67.3 = add nsw i32 %add.i66.3, %spec.select.i67.2
  %8 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i67.3, i32 range(i32 -2147483648, 32) 16, i32 0)
  %cmp1.not.i65.4 = icmp samesign ult i32 %and, 16
  %add.i66.4 = select i1 %cmp1.not.i65.4, i32 0, i32 %8
  %spec.select.i67.4 = add nsw i32 %add.i66.4, %spec.select.i67.3
  %cmp6 = icmp eq i32 %and, 31
  br i1 %cmp6, label %if.then, label %if.end

if.then:                                          ; preds = %for.body.i63
  %idxprom7 = zext nneg i32 %shr to i64
  %arrayidx8 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 %idxprom7
  store i32 %spec.select.i67.4, ptr %arrayidx8, align 4, !tbaa !4
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body.i63
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %cmp9 = icmp eq i32 %shr, 0
  br i1 %cmp9, label %if.then10, label %if.end23

if.then10:                                        ; preds = %if.end
  %shr12 = lshr i32 %1, 5
  %cmp13 = icmp samesign ult i32 %and, %shr12
  br i1 %cmp13, label %cond.true14, label %for.body.i

cond.true14:                                      ; preds = %if.then10
  %idxprom15 = zext nneg i32 %and to i64
  %arrayidx16 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 %idxprom15
  %9 = load i32, ptr %arrayidx16, align 4, !tbaa !4
  br label %for.body.i

for.body.i:                                       ; preds = %cond.true14, %if.then10
  %cond19 = phi i32 [ %9, %cond.true14 ], [ 0, %if.then10 ]
  %10 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %cond19, i32 range(i32 -2147483648, 32) 1, i32 0)
  %cmp1.not.i = icmp eq i32 %and, 0
  %add.i = select i1 %cmp1.not.i, i32 0, i32 %10
  %spec.select.i = add nsw i32 %add.i, %cond19
  %11 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i, i32 range(i32 -2147483648, 32) 2, i32 0)
  %cmp1.not.i.1 = icmp samesign ult i32 %and, 2
  %add.i.1 = select i1 %cmp1.not.i.1, i32 0, i32 %11
  %spec.select.i.1 = add nsw i32 %add.i.1, %spec.select.i
  %12 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i.1, i32 range(i32 -2147483648, 32) 4, i32 0)
  %cmp1.not.i.2 = icmp samesign ult i32 %and, 4
  %add.i.2 = select i1 %cmp1.not.i.2, i32 0, i32 %12
  %spec.select.i.2 = add nsw i32 %add.i.2, %spec.select.i.1
  %13 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i.2, i32 range(i32 -2147483648, 32) 8, i32 0)
  %cmp1.not.i.3 = icmp samesign ult i32 %and, 8
  %add.i.3 = select i1 %cmp1.not.i.3, i32 0, i32 %13
  %spec.select.i.3 = add nsw i32 %add.i.3, %spec.select.i.2
  %14 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %spec.select.i.3, i32 range(i32 -2147483648, 32) 16, i32 0)
  %cmp1.not.i.4 = icmp samesign ult i32 %and, 16
  %add.i.4 = select i1 %cmp1.not.i.4, i32 0, i32 %14
  %spec.select.i.4 = add nsw i32 %add.i.4, %spec.select.i.3
  %idxprom21 = zext nneg i32 %and to i64
  %arrayidx22 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 %idxprom21
  store i32 %spec.select.i.4, ptr %arrayidx22, align 4, !tbaa !4
  br label %if.end23

if.end23:                                         ; preds = %for.body.i, %if.end
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %cmp9, label %if.end29, label %if.then25

if.then25:                                        ; preds = %if.end23
  %15 = zext nneg i32 %shr to i64
  %16 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @warp_sums to ptr), i64 %15
  %arrayidx27 = getelementptr i8, ptr %16, i64 -4
  %17 = load i32, ptr %arrayidx27, align 4, !tbaa !4
  %add28 = add nsw i32 %17, %spec.select.i67.4
  br label %if.end29

if.end29:                                         ; preds = %if.then25, %if.end23
  %value.0 = phi i32 [ %add28, %if.then25 ], [ %spec.select.i67.4, %if.end23 ]
  br i1 %cmp, label %if.then31, label %if.end34

if.then31:                                        ; preds = %if.end29
  %idxprom32 = sext i32 %add to i64
  %arrayidx33 = getelementptr inbounds i32, ptr %out, i64 %idxprom32
  store i32 %value.0, ptr %arrayidx33, align 4, !tbaa !4
  br label %if.end34

if.end34:                                         ; preds = %if.then31, %if.end29
  %sub37 = add nsw i32 %1, -1
  %cmp38 = icmp eq i32 %2, %sub37
  br i1 %cmp38, label %if.then39, label %if.end43

if.then39:                                        ; preds = %if.end34
  %idxprom41 = zext nneg i32 %0 to i64
  %arrayidx42 = getelementptr inbounds nuw i32, ptr %block_sums, i64 %idxprom41
  store i32 %value.0, ptr %arrayidx42, align 4, !tbaa !4
  br label %if.end43

if.end43:                                         ; preds = %if.then39, %if.end34
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @compact(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, ptr noundef captures(none) %count, i32 noundef %n) local_unnamed_addr #2 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i32, ptr %in, i64 %idxprom
  %3 = load i32, ptr %arrayidx, align 4, !tbaa !4
  %cmp3 = icmp sgt i32 %3, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %4 = phi i1 [ false, %entry ], [ %cmp3, %land.rhs ]
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %6 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %4)
  %cmp5 = icmp eq i32 %5, 0
  br i1 %cmp5, label %if.then, label %if.end

if.then:                                          ; preds = %land.end
  %7 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %6)
  %8 = atomicrmw add ptr %count, i32 %7 monotonic, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %land.end
  %base.0 = phi i32 [ %8, %if.then ], [ 0, %land.end ]
  %9 = tail call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %base.0, i32 0, i32 31)
  br i1 %4, label %if.then8, label %if.end14

if.then8:                                         ; preds = %if.end
  %idxprom9 = sext i32 %add to i64
  %arrayidx10 = getelementptr inbounds i32, ptr %in, i64 %idxprom9
  %10 = load i32, ptr %arrayidx10, align 4, !tbaa !4
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %and = and i32 %6, %11
  %12 = tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %and)
  %add11 = add nsw i32 %9, %12
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds i32, ptr %out, i64 %idxprom12
  store i32 %10, ptr %arrayidx13, align 4, !tbaa !4
  br label %if.end14

if.end14:                                         ; preds = %if.then8, %if.end
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.laneid() #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #4

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) #5

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #5

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="1024" "nvvm.minctasm"="1" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }

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
