; ModuleID = 'test/simulator/textures/textures.cu'
source_filename = "test/simulator/textures/textures.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @slope(i64 noundef %0, i64 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %12 = mul nuw nsw i32 %10, %11
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %14 = add nuw nsw i32 %12, %13
  %15 = icmp slt i32 %9, %2
  %16 = icmp slt i32 %14, %3
  %17 = and i1 %15, %16
  br i1 %17, label %18, label %32

18:                                               ; preds = %4
  %19 = sitofp i32 %9 to float
  %20 = fadd contract float %19, 1.250000e+00
  %21 = uitofp nneg i32 %14 to float
  %22 = fadd contract float %21, 5.000000e-01
  %23 = tail call contract { float, float, float, float } asm "tex.2d.v4.f32.f32\09{$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,f,f"(i64 %0, float %20, float %22) #3, !srcloc !11
  %24 = extractvalue { float, float, float, float } %23, 0
  %25 = fadd contract float %19, -2.500000e-01
  %26 = tail call contract { float, float, float, float } asm "tex.2d.v4.f32.f32\09{$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,f,f"(i64 %0, float %25, float %22) #3, !srcloc !11
  %27 = extractvalue { float, float, float, float } %26, 0
  %28 = shl i32 %9, 2
  %29 = tail call contract noundef float asm "suld.b.2d.b32.trap {$0}, [$1, {$2, $3}];", "=r,l,r,r"(i64 %1, i32 %28, i32 %14) #3, !srcloc !12
  %30 = fadd contract float %24, %29
  %31 = fsub contract float %30, %27
  tail call void asm sideeffect "sust.b.2d.b32.trap [$0, {$1, $2}], {$3};", "l,r,r,r"(i64 %1, i32 %28, i32 %14, float %31) #4, !srcloc !13
  br label %32

32:                                               ; preds = %4, %18
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @palette(i64 noundef %0, i64 noundef %1, i64 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = icmp slt i32 %5, %3
  br i1 %6, label %7, label %10

7:                                                ; preds = %4
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %11

10:                                               ; preds = %11, %4
  ret void

11:                                               ; preds = %7, %11
  %12 = phi i32 [ %5, %7 ], [ %33, %11 ]
  %13 = tail call { i32, i32, i32, i32 } asm "tex.1d.v4.u32.s32\09{$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,r"(i64 %1, i32 %12) #3, !srcloc !14
  %14 = extractvalue { i32, i32, i32, i32 } %13, 0
  %15 = trunc i32 %14 to i8
  %16 = uitofp i8 %15 to float
  %17 = fadd contract float %16, 5.000000e-01
  %18 = fmul contract float %17, 6.250000e-02
  %19 = tail call contract { float, float, float, float } asm "tex.a1d.v4.f32.f32\09{$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,r,f"(i64 %0, i32 %8, float %18) #3, !srcloc !15
  %20 = extractvalue { float, float, float, float } %19, 0
  %21 = extractvalue { float, float, float, float } %19, 1
  %22 = extractvalue { float, float, float, float } %19, 2
  %23 = extractvalue { float, float, float, float } %19, 3
  %24 = fmul contract float %20, 2.550000e+02
  %25 = fptoui float %24 to i8
  %26 = fmul contract float %21, 2.550000e+02
  %27 = fptoui float %26 to i8
  %28 = fmul contract float %22, 2.550000e+02
  %29 = fptoui float %28 to i8
  %30 = fmul contract float %23, 2.550000e+02
  %31 = fptoui float %30 to i8
  %32 = shl i32 %12, 2
  tail call void asm sideeffect "sust.b.a1d.v4.b8.zero [$0, {$2, $1}], {$3, $4, $5, $6};", "l,r,r,h,h,h,h"(i64 %2, i32 %32, i32 %8, i8 %25, i8 %27, i8 %29, i8 %31) #4, !srcloc !16
  %33 = add i32 %12, %9
  %34 = icmp slt i32 %33, %3
  br i1 %34, label %11, label %10, !llvm.loop !17
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: write)
define dso_local ptx_kernel void @shade(i64 noundef %0, i64 noundef %1, ptr noundef writeonly captures(none) %2, float noundef %3) local_unnamed_addr #1 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = uitofp nneg i32 %5 to float
  %7 = fadd contract float %6, 5.000000e-01
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = uitofp nneg i32 %8 to float
  %10 = fdiv contract float %7, %9
  %11 = fsub contract float 1.000000e+00, %10
  %12 = tail call contract { float, float, float, float } asm "tex.level.3d.v4.f32.f32\09{$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}], $8;", "=f,=f,=f,=f,l,f,f,f,f"(i64 %0, float %10, float 5.000000e-01, float %11, float %3) #3, !srcloc !20
  %13 = extractvalue { float, float, float, float } %12, 0
  %14 = shl nuw nsw i32 %5, 1
  %15 = zext nneg i32 %14 to i64
  %16 = getelementptr inbounds nuw float, ptr %2, i64 %15
  store float %13, ptr %16, align 4, !tbaa !21
  %17 = fadd contract float %10, -5.000000e-01
  %18 = tail call contract { float, float, float, float } asm "tex.cube.v4.f32.f32\09{$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}];", "=f,=f,=f,=f,l,f,f,f"(i64 %1, float %17, float 2.500000e-01, float 1.250000e-01) #3, !srcloc !23
  %19 = extractvalue { float, float, float, float } %18, 0
  %20 = zext nneg i32 %14 to i64
  %21 = getelementptr inbounds nuw float, ptr %2, i64 %20
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 4
  store float %19, ptr %22, align 4, !tbaa !21
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind memory(none) }
attributes #4 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4, !5}
!llvm.errno.tbaa = !{!6}
!nvvmir.version = !{!10}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 9]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = !{i32 2, i32 0}
!11 = !{i64 2153021773}
!12 = !{i64 2153550753}
!13 = !{i64 2154434090}
!14 = !{i64 2152956130}
!15 = !{i64 2152978215}
!16 = !{i64 2154738254}
!17 = distinct !{!17, !18, !19}
!18 = !{!"llvm.loop.mustprogress"}
!19 = !{!"llvm.loop.unroll.disable"}
!20 = !{i64 2153271367}
!21 = !{!22, !22, i64 0}
!22 = !{!"float", !8, i64 0}
!23 = !{i64 2153291338}
