; ModuleID = 'examples/inline_asm.cu'
source_filename = "examples/inline_asm.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @inline_ptx(ptr noundef readonly captures(none) %in, ptr noundef writeonly captures(none) %out, ptr noundef writeonly captures(none) %time) local_unnamed_addr #0 {
entry:
  %0 = tail call noundef i64 asm sideeffect "mov.u64 $0, %clock64;", "=l,~{memory}"() #2, !srcloc !8
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %idxprom = zext nneg i32 %1 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %in, i64 %idxprom
  %2 = load float, ptr %arrayidx, align 4, !tbaa !9
  %3 = tail call contract float asm "{\0A\09.reg .f32 t;\0A\09add.f32 t, $1, $1;\0A\09fma.rn.f32 $0, t, $2, $1;\0A\09}", "=f,f,f"(float %2, float 2.500000e+00) #3, !srcloc !11
  %4 = tail call i32 asm sideeffect "vote.sync.ballot.b32 $0, $1, $2;", "=r,n,r"(i32 1, i32 -1) #2, !srcloc !12
  tail call void asm sideeffect "bar.sync 0;", "~{memory}"() #2, !srcloc !13
  %5 = tail call noundef i32 asm "mov.u32 $0, %laneid;", "=r"() #3, !srcloc !14
  %conv = uitofp i32 %5 to float
  %add = fadd contract float %3, %conv
  %arrayidx5 = getelementptr inbounds nuw float, ptr %out, i64 %idxprom
  store float %add, ptr %arrayidx5, align 4, !tbaa !9
  %6 = tail call noundef i64 asm sideeffect "mov.u64 $0, %clock64;", "=l,~{memory}"() #2, !srcloc !8
  %sub = sub i64 %6, %0
  %arrayidx9 = getelementptr inbounds nuw i64, ptr %time, i64 %idxprom
  store i64 %sub, ptr %arrayidx9, align 8, !tbaa !15
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nounwind }
attributes #3 = { convergent nounwind memory(none) }

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
!8 = !{i64 269}
!9 = !{!10, !10, i64 0}
!10 = !{!"float", !6, i64 0}
!11 = !{i64 510, i64 514, i64 530, i64 552, i64 581}
!12 = !{i64 661}
!13 = !{i64 752}
!14 = !{i64 111}
!15 = !{!16, !16, i64 0}
!16 = !{!"long long", !6, i64 0}
