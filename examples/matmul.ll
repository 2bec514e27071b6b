; ModuleID = 'examples/matmul.cu'
source_filename = "examples/matmul.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_a = comdat any

$_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b = comdat any

$_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_a = comdat any

$_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b = comdat any

@_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_a = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [16 x [16 x float]] undef, comdat, align 4
@_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [16 x [17 x float]] undef, comdat, align 4
@_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_a = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [8 x [8 x double]] undef, comdat, align 8
@_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [8 x [9 x double]] undef, comdat, align 8

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @matmul_f32(ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b, ptr noundef writeonly captures(none) %c, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %mul.i = shl nuw nsw i32 %0, 4
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add.i = add nuw nsw i32 %mul.i, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul3.i = shl i32 %2, 4
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add5.i = add i32 %mul3.i, %3
  %cmp.i3 = icmp sgt i32 %n, 0
  br i1 %cmp.i3, label %for.body.i.lr.ph, label %for.cond.cleanup.i

for.body.i.lr.ph:                                 ; preds = %entry
  %cmp10.i = icmp slt i32 %add.i, %n
  %mul12.i = mul nuw nsw i32 %n, %add.i
  %idxprom15.i = zext nneg i32 %1 to i64
  %arrayidx16.i = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_a to ptr), i64 %idxprom15.i
  %idxprom18.i = zext nneg i32 %3 to i64
  %arrayidx19.i = getelementptr inbounds nuw float, ptr %arrayidx16.i, i64 %idxprom18.i
  %cmp22.i = icmp slt i32 %add5.i, %n
  %arrayidx33.i = getelementptr inbounds nuw [17 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b to ptr), i64 %idxprom15.i
  %arrayidx36.i = getelementptr inbounds nuw float, ptr %arrayidx33.i, i64 %idxprom18.i
  %invariant.gep = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIfLi16EEvPKT_S2_PS0_iE6tile_b to ptr), i64 %idxprom18.i
  %arrayidx45.i.1 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 4
  %gep.1 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 68
  %arrayidx45.i.2 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 8
  %gep.2 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 136
  %arrayidx45.i.3 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 12
  %gep.3 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 204
  %arrayidx45.i.4 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 16
  %gep.4 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 272
  %arrayidx45.i.5 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 20
  %gep.5 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 340
  %arrayidx45.i.6 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 24
  %gep.6 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 408
  %arrayidx45.i.7 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 28
  %gep.7 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 476
  %arrayidx45.i.8 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 32
  %gep.8 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 544
  %arrayidx45.i.9 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 36
  %gep.9 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 612
  %arrayidx45.i.10 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 40
  %gep.10 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 680
  %arrayidx45.i.11 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 44
  %gep.11 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 748
  %arrayidx45.i.12 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 48
  %gep.12 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 816
  %arrayidx45.i.13 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 52
  %gep.13 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 884
  %arrayidx45.i.14 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 56
  %gep.14 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 952
  %arrayidx45.i.15 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 60
  %gep.15 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 1020
  br label %for.body.i

for.cond.cleanup.i:                               ; preds = %cond.end29.i, %entry
  %sum.0.i.lcssa = phi float [ 0.000000e+00, %entry ], [ %add52.i.15, %cond.end29.i ]
  %cmp56.i = icmp slt i32 %add.i, %n
  %cmp58.i = icmp slt i32 %add5.i, %n
  %or.cond88.i = and i1 %cmp56.i, %cmp58.i
  br i1 %or.cond88.i, label %if.then.i, label %_Z8multiplyIfLi16EEvPKT_S2_PS0_i.exit

for.body.i:                                       ; preds = %for.body.i.lr.ph, %cond.end29.i
  %sum.0.i5 = phi float [ 0.000000e+00, %for.body.i.lr.ph ], [ %add52.i.15, %cond.end29.i ]
  %start.0.i4 = phi i32 [ 0, %for.body.i.lr.ph ], [ %add54.i, %cond.end29.i ]
  %add7.i = add nuw i32 %start.0.i4, %3
  %add9.i = add nuw i32 %start.0.i4, %1
  %cmp11.i = icmp slt i32 %add7.i, %n
  %or.cond.i = and i1 %cmp10.i, %cmp11.i
  br i1 %or.cond.i, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %for.body.i
  %add13.i = add nsw i32 %add7.i, %mul12.i
  %idxprom.i = sext i32 %add13.i to i64
  %arrayidx.i = getelementptr inbounds float, ptr %a, i64 %idxprom.i
  %4 = load float, ptr %arrayidx.i, align 4, !tbaa !8
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %for.body.i
  %cond.i = phi contract float [ %4, %cond.true.i ], [ 0.000000e+00, %for.body.i ]
  store float %cond.i, ptr %arrayidx19.i, align 4, !tbaa !8
  %cmp20.i = icmp slt i32 %add9.i, %n
  %or.cond87.i = and i1 %cmp22.i, %cmp20.i
  br i1 %or.cond87.i, label %cond.true23.i, label %cond.end29.i

cond.true23.i:                                    ; preds = %cond.end.i
  %mul24.i = mul nsw i32 %add9.i, %n
  %add25.i = add nsw i32 %mul24.i, %add5.i
  %idxprom26.i = sext i32 %add25.i to i64
  %arrayidx27.i = getelementptr inbounds float, ptr %b, i64 %idxprom26.i
  %5 = load float, ptr %arrayidx27.i, align 4, !tbaa !8
  br label %cond.end29.i

cond.end29.i:                                     ; preds = %cond.true23.i, %cond.end.i
  %cond30.i = phi contract float [ %5, %cond.true23.i ], [ 0.000000e+00, %cond.end.i ]
  store float %cond30.i, ptr %arrayidx36.i, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %6 = load float, ptr %arrayidx16.i, align 4, !tbaa !8
  %7 = load float, ptr %invariant.gep, align 4, !tbaa !8
  %mul51.i = fmul contract float %6, %7
  %add52.i = fadd contract float %sum.0.i5, %mul51.i
  %8 = load float, ptr %arrayidx45.i.1, align 4, !tbaa !8
  %9 = load float, ptr %gep.1, align 4, !tbaa !8
  %mul51.i.1 = fmul contract float %8, %9
  %add52.i.1 = fadd contract float %add52.i, %mul51.i.1
  %10 = load float, ptr %arrayidx45.i.2, align 4, !tbaa !8
  %11 = load float, ptr %gep.2, align 4, !tbaa !8
  %mul51.i.2 = fmul contract float %10, %11
  %add52.i.2 = fadd contract float %add52.i.1, %mul51.i.2
  %12 = load float, ptr %arrayidx45.i.3, align 4, !tbaa !8
  %13 = load float, ptr %gep.3, align 4, !tbaa !8
  %mul51.i.3 = fmul contract float %12, %13
  %add52.i.3 = fadd contract float %add52.i.2, %mul51.i.3
  %14 = load float, ptr %arrayidx45.i.4, align 4, !tbaa !8
  %15 = load float, ptr %gep.4, align 4, !tbaa !8
  %mul51.i.4 = fmul contract float %14, %15
  %add52.i.4 = fadd contract float %add52.i.3, %mul51.i.4
  %16 = load float, ptr %arrayidx45.i.5, align 4, !tbaa !8
  %17 = load float, ptr %gep.5, align 4, !tbaa !8
  %mul51.i.5 = fmul contract float %16, %17
  %add52.i.5 = fadd contract float %add52.i.4, %mul51.i.5
  %18 = load float, ptr %arrayidx45.i.6, align 4, !tbaa !8
  %19 = load float, ptr %gep.6, align 4, !tbaa !8
  %mul51.i.6 = fmul contract float %18, %19
  %add52.i.6 = fadd contract float %add52.i.5, %mul51.i.6
  %20 = load float, ptr %arrayidx45.i.7, align 4, !tbaa !8
  %21 = load float, ptr %gep.7, align 4, !tbaa !8
  %mul51.i.7 = fmul contract float %20, %21
  %add52.i.7 = fadd contract float %add52.i.6, %mul51.i.7
  %22 = load float, ptr %arrayidx45.i.8, align 4, !tbaa !8
  %23 = load float, ptr %gep.8, align 4, !tbaa !8
  %mul51.i.8 = fmul contract float %22, %23
  %add52.i.8 = fadd contract float %add52.i.7, %mul51.i.8
  %24 = load float, ptr %arrayidx45.i.9, align 4, !tbaa !8
  %25 = load float, ptr %gep.9, align 4, !tbaa !8
  %mul51.i.9 = fmul contract float %24, %25
  %add52.i.9 = fadd contract float %add52.i.8, %mul51.i.9
  %26 = load float, ptr %arrayidx45.i.10, align 4, !tbaa !8
  %27 = load float, ptr %gep.10, align 4, !tbaa !8
  %mul51.i.10 = fmul contract float %26, %27
  %add52.i.10 = fadd contract float %add52.i.9, %mul51.i.10
  %28 = load float, ptr %arrayidx45.i.11, align 4, !tbaa !8
  %29 = load float, ptr %gep.11, align 4, !tbaa !8
  %mul51.i.11 = fmul contract float %28, %29
  %add52.i.11 = fadd contract float %add52.i.10, %mul51.i.11
  %30 = load float, ptr %arrayidx45.i.12, align 4, !tbaa !8
  %31 = load float, ptr %gep.12, align 4, !tbaa !8
  %mul51.i.12 = fmul contract float %30, %31
  %add52.i.12 = fadd contract float %add52.i.11, %mul51.i.12
  %32 = load float, ptr %arrayidx45.i.13, align 4, !tbaa !8
  %33 = load float, ptr %gep.13, align 4, !tbaa !8
  %mul51.i.13 = fmul contract float %32, %33
  %add52.i.13 = fadd contract float %add52.i.12, %mul51.i.13
  %34 = load float, ptr %arrayidx45.i.14, align 4, !tbaa !8
  %35 = load float, ptr %gep.14, align 4, !tbaa !8
  %mul51.i.14 = fmul contract float %34, %35
  %add52.i.14 = fadd contract float %add52.i.13, %mul51.i.14
  %36 = load float, ptr %arrayidx45.i.15, align 4, !tbaa !8
  %37 = load float, ptr %gep.15, align 4, !tbaa !8
  %mul51.i.15 = fmul contract float %36, %37
  %add52.i.15 = fadd contract float %add52.i.14, %mul51.i.15
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %add54.i = add nuw nsw i32 %start.0.i4, 16
  %cmp.i = icmp slt i32 %add54.i, %n
  br i1 %cmp.i, label %for.body.i, label %for.cond.cleanup.i, !llvm.loop !10

if.then.i:                                        ; preds = %for.cond.cleanup.i
  %mul59.i = mul nsw i32 %n, %add.i
  %add60.i = add nsw i32 %mul59.i, %add5.i
  %idxprom61.i = sext i32 %add60.i to i64
  %arrayidx62.i = getelementptr inbounds float, ptr %c, i64 %idxprom61.i
  store float %sum.0.i.lcssa, ptr %arrayidx62.i, align 4, !tbaa !8
  br label %_Z8multiplyIfLi16EEvPKT_S2_PS0_i.exit

_Z8multiplyIfLi16EEvPKT_S2_PS0_i.exit:            ; preds = %for.cond.cleanup.i, %if.then.i
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @matmul_f64(ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b, ptr noundef writeonly captures(none) %c, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %mul.i = shl nuw nsw i32 %0, 3
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add.i = add nuw nsw i32 %mul.i, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul3.i = shl i32 %2, 3
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add5.i = add i32 %mul3.i, %3
  %cmp.i3 = icmp sgt i32 %n, 0
  br i1 %cmp.i3, label %for.body.i.lr.ph, label %for.cond.cleanup.i

for.body.i.lr.ph:                                 ; preds = %entry
  %cmp10.i = icmp slt i32 %add.i, %n
  %mul12.i = mul nuw nsw i32 %n, %add.i
  %idxprom15.i = zext nneg i32 %1 to i64
  %arrayidx16.i = getelementptr inbounds nuw [8 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_a to ptr), i64 %idxprom15.i
  %idxprom18.i = zext nneg i32 %3 to i64
  %arrayidx19.i = getelementptr inbounds nuw double, ptr %arrayidx16.i, i64 %idxprom18.i
  %cmp22.i = icmp slt i32 %add5.i, %n
  %arrayidx33.i = getelementptr inbounds nuw [9 x double], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b to ptr), i64 %idxprom15.i
  %arrayidx36.i = getelementptr inbounds nuw double, ptr %arrayidx33.i, i64 %idxprom18.i
  %invariant.gep = getelementptr inbounds nuw double, ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyIdLi8EEvPKT_S2_PS0_iE6tile_b to ptr), i64 %idxprom18.i
  %arrayidx45.i.1 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 8
  %gep.1 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 72
  %arrayidx45.i.2 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 16
  %gep.2 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 144
  %arrayidx45.i.3 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 24
  %gep.3 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 216
  %arrayidx45.i.4 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 32
  %gep.4 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 288
  %arrayidx45.i.5 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 40
  %gep.5 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 360
  %arrayidx45.i.6 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 48
  %gep.6 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 432
  %arrayidx45.i.7 = getelementptr inbounds nuw i8, ptr %arrayidx16.i, i64 56
  %gep.7 = getelementptr inbounds nuw i8, ptr %invariant.gep, i64 504
  br label %for.body.i

for.cond.cleanup.i:                               ; preds = %cond.end29.i, %entry
  %sum.0.i.lcssa = phi double [ 0.000000e+00, %entry ], [ %add52.i.7, %cond.end29.i ]
  %cmp56.i = icmp slt i32 %add.i, %n
  %cmp58.i = icmp slt i32 %add5.i, %n
  %or.cond88.i = and i1 %cmp56.i, %cmp58.i
  br i1 %or.cond88.i, label %if.then.i, label %_Z8multiplyIdLi8EEvPKT_S2_PS0_i.exit

for.body.i:                                       ; preds = %for.body.i.lr.ph, %cond.end29.i
  %sum.0.i5 = phi double [ 0.000000e+00, %for.body.i.lr.ph ], [ %add52.i.7, %cond.end29.i ]
  %start.0.i4 = phi i32 [ 0, %for.body.i.lr.ph ], [ %add54.i, %cond.end29.i ]
  %add7.i = add nuw i32 %start.0.i4, %3
  %add9.i = add nuw i32 %start.0.i4, %1
  %cmp11.i = icmp slt i32 %add7.i, %n
  %or.cond.i = and i1 %cmp10.i, %cmp11.i
  br i1 %or.cond.i, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %for.body.i
  %add13.i = add nsw i32 %add7.i, %mul12.i
  %idxprom.i = sext i32 %add13.i to i64
  %arrayidx.i = getelementptr inbounds double, ptr %a, i64 %idxprom.i
  %4 = load double, ptr %arrayidx.i, align 8, !tbaa !13
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.true.i, %for.body.i
  %cond.i = phi contract double [ %4, %cond.true.i ], [ 0.000000e+00, %for.body.i ]
  store double %cond.i, ptr %arrayidx19.i, align 8, !tbaa !13
  %cmp20.i = icmp slt i32 %add9.i, %n
  %or.cond87.i = and i1 %cmp22.i, %cmp20.i
  br i1 %or.cond87.i, label %cond.true23.i, label %cond.end29.i

cond.true23.i:                                    ; preds = %cond.end.i
  %mul24.i = mul nsw i32 %add9.i, %n
  %add25.i = add nsw i32 %mul24.i, %add5.i
  %idxprom26.i = sext i32 %add25.i to i64
  %arrayidx27.i = getelementptr inbounds double, ptr %b, i64 %idxprom26.i
  %5 = load double, ptr %arrayidx27.i, align 8, !tbaa !13
  br label %cond.end29.i

cond.end29.i:                                     ; preds = %cond.true23.i, %cond.end.i
  %cond30.i = phi contract double [ %5, %cond.true23.i ], [ 0.000000e+00, %cond.end.i ]
  store double %cond30.i, ptr %arrayidx36.i, align 8, !tbaa !13
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %6 = load double, ptr %arrayidx16.i, align 8, !tbaa !13
  %7 = load double, ptr %invariant.gep, align 8, !tbaa !13
  %mul51.i = fmul contract double %6, %7
  %add52.i = fadd contract double %sum.0.i5, %mul51.i
  %8 = load double, ptr %arrayidx45.i.1, align 8, !tbaa !13
  %9 = load double, ptr %gep.1, align 8, !tbaa !13
  %mul51.i.1 = fmul contract double %8, %9
  %add52.i.1 = fadd contract double %add52.i, %mul51.i.1
  %10 = load double, ptr %arrayidx45.i.2, align 8, !tbaa !13
  %11 = load double, ptr %gep.2, align 8, !tbaa !13
  %mul51.i.2 = fmul contract double %10, %11
  %add52.i.2 = fadd contract double %add52.i.1, %mul51.i.2
  %12 = load double, ptr %arrayidx45.i.3, align 8, !tbaa !13
  %13 = load double, ptr %gep.3, align 8, !tbaa !13
  %mul51.i.3 = fmul contract double %12, %13
  %add52.i.3 = fadd contract double %add52.i.2, %mul51.i.3
  %14 = load double, ptr %arrayidx45.i.4, align 8, !tbaa !13
  %15 = load double, ptr %gep.4, align 8, !tbaa !13
  %mul51.i.4 = fmul contract double %14, %15
  %add52.i.4 = fadd contract double %add52.i.3, %mul51.i.4
  %16 = load double, ptr %arrayidx45.i.5, align 8, !tbaa !13
  %17 = load double, ptr %gep.5, align 8, !tbaa !13
  %mul51.i.5 = fmul contract double %16, %17
  %add52.i.5 = fadd contract double %add52.i.4, %mul51.i.5
  %18 = load double, ptr %arrayidx45.i.6, align 8, !tbaa !13
  %19 = load double, ptr %gep.6, align 8, !tbaa !13
  %mul51.i.6 = fmul contract double %18, %19
  %add52.i.6 = fadd contract double %add52.i.5, %mul51.i.6
  %20 = load double, ptr %arrayidx45.i.7, align 8, !tbaa !13
  %21 = load double, ptr %gep.7, align 8, !tbaa !13
  %mul51.i.7 = fmul contract double %20, %21
  %add52.i.7 = fadd contract double %add52.i.6, %mul51.i.7
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %add54.i = add nuw nsw i32 %start.0.i4, 8
  %cmp.i = icmp slt i32 %add54.i, %n
  br i1 %cmp.i, label %for.body.i, label %for.cond.cleanup.i, !llvm.loop !15

if.then.i:                                        ; preds = %for.cond.cleanup.i
  %mul59.i = mul nsw i32 %n, %add.i
  %add60.i = add nsw i32 %mul59.i, %add5.i
  %idxprom61.i = sext i32 %add60.i to i64
  %arrayidx62.i = getelementptr inbounds double, ptr %c, i64 %idxprom61.i
  store double %sum.0.i.lcssa, ptr %arrayidx62.i, align 8, !tbaa !13
  br label %_Z8multiplyIdLi8EEvPKT_S2_PS0_i.exit

_Z8multiplyIdLi8EEvPKT_S2_PS0_i.exit:             ; preds = %for.cond.cleanup.i, %if.then.i
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
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
!9 = !{!"float", !6, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
!13 = !{!14, !14, i64 0}
!14 = !{!"double", !6, i64 0}
!15 = distinct !{!15, !11, !12}
