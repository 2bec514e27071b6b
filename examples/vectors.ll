; ModuleID = 'examples/vectors.cu'
source_filename = "examples/vectors.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Particle = type { %struct.float4, %struct.int2, [24 x i8] }
%struct.float4 = type { float, float, float, float }
%struct.int2 = type { i32, i32 }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @scale(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, float noundef %factor) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw <4 x float>, ptr %in, i64 %idxprom
  %1 = load <4 x float>, ptr %arrayidx, align 16, !tbaa !8
  %splat.splatinsert = insertelement <4 x float> poison, float %factor, i64 0
  %splat.splat = shufflevector <4 x float> %splat.splatinsert, <4 x float> poison, <4 x i32> zeroinitializer
  %mul = fmul contract <4 x float> %splat.splat, %1
  %2 = shufflevector <4 x float> %1, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %add = fadd contract <4 x float> %mul, %2
  %arrayidx6 = getelementptr inbounds nuw <4 x float>, ptr %out, i64 %idxprom
  store <4 x float> %add, ptr %arrayidx6, align 16, !tbaa !8
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @narrow(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw <4 x float>, ptr %in, i64 %idxprom
  %1 = load <4 x float>, ptr %arrayidx, align 16, !tbaa !8
  %mul = fmul contract <4 x float> %1, splat (float 2.550000e+02)
  %2 = extractelement <4 x float> %mul, i64 0
  %conv = fptoui float %2 to i8
  %vecinit = insertelement <4 x i8> poison, i8 %conv, i64 0
  %3 = extractelement <4 x float> %mul, i64 1
  %conv1 = fptoui float %3 to i8
  %vecinit2 = insertelement <4 x i8> %vecinit, i8 %conv1, i64 1
  %4 = extractelement <4 x float> %mul, i64 2
  %conv3 = fptoui float %4 to i8
  %vecinit4 = insertelement <4 x i8> %vecinit2, i8 %conv3, i64 2
  %5 = extractelement <4 x float> %mul, i64 3
  %conv5 = fptoui float %5 to i8
  %vecinit6 = insertelement <4 x i8> %vecinit4, i8 %conv5, i64 3
  %arrayidx9 = getelementptr inbounds nuw <4 x i8>, ptr %out, i64 %idxprom
  store <4 x i8> %vecinit6, ptr %arrayidx9, align 4, !tbaa !8
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @cross(ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b, ptr noundef writeonly captures(none) %out) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw <3 x i32>, ptr %a, i64 %idxprom
  %1 = load <3 x i32>, ptr %arrayidx, align 16
  %arrayidx4 = getelementptr inbounds nuw <3 x i32>, ptr %b, i64 %idxprom
  %2 = load <3 x i32>, ptr %arrayidx4, align 16
  %3 = shufflevector <3 x i32> %1, <3 x i32> poison, <3 x i32> <i32 1, i32 2, i32 0>
  %4 = shufflevector <3 x i32> %2, <3 x i32> poison, <3 x i32> <i32 2, i32 0, i32 1>
  %mul = mul <3 x i32> %4, %3
  %5 = shufflevector <3 x i32> %1, <3 x i32> poison, <3 x i32> <i32 2, i32 0, i32 1>
  %6 = shufflevector <3 x i32> %2, <3 x i32> poison, <3 x i32> <i32 1, i32 2, i32 0>
  %mul8 = mul <3 x i32> %6, %5
  %sub = sub <3 x i32> %mul, %mul8
  %arrayidx11 = getelementptr inbounds nuw <3 x i32>, ptr %out, i64 %idxprom
  %extractVec12 = shufflevector <3 x i32> %sub, <3 x i32> <i32 undef, i32 poison, i32 poison>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x i32> %extractVec12, ptr %arrayidx11, align 16, !tbaa !8
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @move(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, ptr noundef readonly captures(none) %offset) local_unnamed_addr #0 {
entry:
  %particle.sroa.10 = alloca [28 x i8], align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %particle.sroa.10)
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.Particle, ptr %in, i64 %idxprom
  %particle.sroa.0.0.copyload = load float, ptr %arrayidx, align 16, !tbaa !9
  %particle.sroa.7.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %particle.sroa.7.0.copyload = load float, ptr %particle.sroa.7.0.arrayidx.sroa_idx, align 4, !tbaa !9
  %particle.sroa.9.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i64, ptr %particle.sroa.9.0.arrayidx.sroa_idx, align 8
  %particle.sroa.10.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 20
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(28) %particle.sroa.10, ptr noundef nonnull align 4 dereferenceable(28) %particle.sroa.10.0.arrayidx.sroa_idx, i64 28, i1 false), !tbaa.struct !11
  %2 = load float, ptr %offset, align 8
  %add = fadd contract float %particle.sroa.0.0.copyload, %2
  %3 = getelementptr inbounds nuw i8, ptr %offset, i64 4
  %4 = load float, ptr %3, align 4
  %add2 = fadd contract float %particle.sroa.7.0.copyload, %4
  %conv = fptosi float %add to i32
  %particle.sroa.10.4.arraydecay.sroa_idx16 = getelementptr inbounds nuw i8, ptr %particle.sroa.10, i64 4
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(24) %particle.sroa.10.4.arraydecay.sroa_idx16, i8 0, i64 24, i1 false)
  %arrayidx8 = getelementptr inbounds nuw %struct.Particle, ptr %out, i64 %idxprom
  store float %add, ptr %arrayidx8, align 16, !tbaa !9
  %particle.sroa.7.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 4
  store float %add2, ptr %particle.sroa.7.0.arrayidx8.sroa_idx, align 4, !tbaa !9
  %particle.sroa.9.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 8
  store i64 %1, ptr %particle.sroa.9.0.arrayidx8.sroa_idx, align 8
  %particle.sroa.912.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 16
  store i32 %conv, ptr %particle.sroa.912.0.arrayidx8.sroa_idx, align 16, !tbaa !4
  %particle.sroa.10.0.arrayidx8.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 20
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(28) %particle.sroa.10.0.arrayidx8.sroa_idx, ptr noundef nonnull align 4 dereferenceable(28) %particle.sroa.10, i64 28, i1 false), !tbaa.struct !11
  call void @llvm.lifetime.end.p0(ptr nonnull %particle.sroa.10)
  ret void
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
!8 = !{!6, !6, i64 0}
!9 = !{!10, !10, i64 0}
!10 = !{!"float", !6, i64 0}
!11 = !{i64 0, i64 4, !4, i64 4, i64 24, !8}
