; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @tiled(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %0, i32 %1, i32 %2, i64 %3, i64 %4, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %5, i32 %6, i32 %7, i64 %8, i64 %9, ptr addrspace(1) %10, i32 %11, i32 %12, ptr addrspace(1) nofree readnone captures(none) %13, ptr addrspace(1) nofree readnone captures(none) %14) local_unnamed_addr #0 !dbg !4 {
  %16 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !14
  %17 = shl i32 %16, 6, !dbg !14
  %18 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !15
  %19 = shl nuw nsw i32 %18, 6, !dbg !15
  %20 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !16
  %21 = icmp samesign ult i32 %20, 32, !dbg !16
  %22 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !16
  %23 = extractvalue { i32, i1 } %22, 1, !dbg !16
  %24 = and i1 %21, %23, !dbg !16
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %24, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #6, !dbg !16
  %25 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !16
  %26 = extractvalue { i32, i1 } %25, 1, !dbg !16
  %27 = and i1 %21, %26, !dbg !16
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %27, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #6, !dbg !16
  %28 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !16
  %29 = extractvalue { i32, i1 } %28, 1, !dbg !16
  %30 = and i1 %21, %29, !dbg !16
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %30, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49168)) #6, !dbg !16
  %31 = icmp sgt i32 %11, 0, !dbg !16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !16
  %32 = and i32 %20, 127, !dbg !16
  %33 = icmp eq i32 %32, 0, !dbg !16
  %34 = and i1 %33, %31, !dbg !16
  tail call void asm sideeffect "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 16384;", "b,r"(i1 %34, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #6, !dbg !16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !17
  %35 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !17
  %36 = extractvalue { i32, i1 } %35, 1, !dbg !17
  %37 = and i1 %31, %36, !dbg !17
  %38 = icmp samesign ult i32 %32, 32, !dbg !17
  %39 = and i1 %38, %37, !dbg !17
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %39, ptr addrspace(3) @global_smem, ptr nonnull %0, i32 0, i32 %17, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #6, !dbg !17
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %40 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %41 = extractvalue { i32, i1 } %40, 1, !dbg !18
  %42 = and i1 %31, %41, !dbg !18
  %43 = and i1 %38, %42, !dbg !18
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %43, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 24576), ptr nonnull %5, i32 %19, i32 0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #6, !dbg !18
  %44 = icmp sgt i32 %11, 64, !dbg !16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !16
  %45 = and i1 %33, %44, !dbg !16
  call void asm sideeffect "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 16384;", "b,r"(i1 %45, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #6, !dbg !16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !17
  %46 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !17
  %47 = extractvalue { i32, i1 } %46, 1, !dbg !17
  %48 = and i1 %44, %47, !dbg !17
  %49 = and i1 %38, %48, !dbg !17
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %49, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), ptr nonnull %0, i32 64, i32 %17, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #6, !dbg !17
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %50 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %51 = extractvalue { i32, i1 } %50, 1, !dbg !18
  %52 = and i1 %44, %51, !dbg !18
  %53 = and i1 %38, %52, !dbg !18
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %53, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), ptr nonnull %5, i32 %19, i32 64, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #6, !dbg !18
  br i1 %31, label %.lr.ph, label %._crit_edge, !dbg !16

.lr.ph:                                           ; preds = %15
  %54 = add nsw i32 %11, -128
  br label %55, !dbg !16

55:                                               ; preds = %.lr.ph, %55
  %56 = phi i32 [ 0, %.lr.ph ], [ %97, %55 ]
  %57 = phi i32 [ -1, %.lr.ph ], [ %95, %55 ]
  %58 = phi i32 [ 1, %.lr.ph ], [ %297, %55 ]
  %59 = phi float [ 0.000000e+00, %.lr.ph ], [ %263, %55 ]
  %60 = phi float [ 0.000000e+00, %.lr.ph ], [ %264, %55 ]
  %61 = phi float [ 0.000000e+00, %.lr.ph ], [ %265, %55 ]
  %62 = phi float [ 0.000000e+00, %.lr.ph ], [ %266, %55 ]
  %63 = phi float [ 0.000000e+00, %.lr.ph ], [ %267, %55 ]
  %64 = phi float [ 0.000000e+00, %.lr.ph ], [ %268, %55 ]
  %65 = phi float [ 0.000000e+00, %.lr.ph ], [ %269, %55 ]
  %66 = phi float [ 0.000000e+00, %.lr.ph ], [ %270, %55 ]
  %67 = phi float [ 0.000000e+00, %.lr.ph ], [ %271, %55 ]
  %68 = phi float [ 0.000000e+00, %.lr.ph ], [ %272, %55 ]
  %69 = phi float [ 0.000000e+00, %.lr.ph ], [ %273, %55 ]
  %70 = phi float [ 0.000000e+00, %.lr.ph ], [ %274, %55 ]
  %71 = phi float [ 0.000000e+00, %.lr.ph ], [ %275, %55 ]
  %72 = phi float [ 0.000000e+00, %.lr.ph ], [ %276, %55 ]
  %73 = phi float [ 0.000000e+00, %.lr.ph ], [ %277, %55 ]
  %74 = phi float [ 0.000000e+00, %.lr.ph ], [ %278, %55 ]
  %75 = phi float [ 0.000000e+00, %.lr.ph ], [ %279, %55 ]
  %76 = phi float [ 0.000000e+00, %.lr.ph ], [ %280, %55 ]
  %77 = phi float [ 0.000000e+00, %.lr.ph ], [ %281, %55 ]
  %78 = phi float [ 0.000000e+00, %.lr.ph ], [ %282, %55 ]
  %79 = phi float [ 0.000000e+00, %.lr.ph ], [ %283, %55 ]
  %80 = phi float [ 0.000000e+00, %.lr.ph ], [ %284, %55 ]
  %81 = phi float [ 0.000000e+00, %.lr.ph ], [ %285, %55 ]
  %82 = phi float [ 0.000000e+00, %.lr.ph ], [ %286, %55 ]
  %83 = phi float [ 0.000000e+00, %.lr.ph ], [ %287, %55 ]
  %84 = phi float [ 0.000000e+00, %.lr.ph ], [ %288, %55 ]
  %85 = phi float [ 0.000000e+00, %.lr.ph ], [ %289, %55 ]
  %86 = phi float [ 0.000000e+00, %.lr.ph ], [ %290, %55 ]
  %87 = phi float [ 0.000000e+00, %.lr.ph ], [ %291, %55 ]
  %88 = phi float [ 0.000000e+00, %.lr.ph ], [ %292, %55 ]
  %89 = phi float [ 0.000000e+00, %.lr.ph ], [ %293, %55 ]
  %90 = phi float [ 0.000000e+00, %.lr.ph ], [ %294, %55 ]
  %91 = phi i32 [ 0, %.lr.ph ], [ %312, %55 ]
  %92 = icmp slt i32 %91, %54, !dbg !16
  %93 = add i32 %57, 1, !dbg !16
  %94 = icmp sgt i32 %93, 2, !dbg !16
  %95 = select i1 %94, i32 0, i32 %93, !dbg !16
  %96 = zext i1 %94 to i32, !dbg !16
  %97 = xor i32 %56, %96, !dbg !16
  %98 = getelementptr [8 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %95, !dbg !16
  call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %98, i32 %97) #6, !dbg !16
  %99 = shl i32 %95, 12, !dbg !18
  %100 = getelementptr [2 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 24576), i32 %99, !dbg !18
  %101 = getelementptr [2 x i8], ptr addrspace(3) @global_smem, i32 %99, !dbg !17
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !19
  %102 = ptrtoint ptr addrspace(3) %101 to i32, !dbg !19
  %103 = lshr exact i32 %102, 4, !dbg !19
  %104 = and i32 %103, 32767, !dbg !19
  %105 = ptrtoint ptr addrspace(3) %100 to i32, !dbg !19
  %106 = lshr exact i32 %105, 4, !dbg !19
  %107 = and i32 %106, 32767, !dbg !19
  call void @llvm.nvvm.wgmma.fence.sync.aligned(), !dbg !19
  %108 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %104, i64 0, !dbg !19
  %109 = bitcast <2 x i32> %108 to i64, !dbg !19
  %110 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %107, i64 0, !dbg !19
  %111 = bitcast <2 x i32> %110 to i64, !dbg !19
  %112 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31}, $64, $65, $66, 1, 1, 0, 1;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,b"(float %59, float %60, float %61, float %62, float %63, float %64, float %65, float %66, float %67, float %68, float %69, float %70, float %71, float %72, float %73, float %74, float %75, float %76, float %77, float %78, float %79, float %80, float %81, float %82, float %83, float %84, float %85, float %86, float %87, float %88, float %89, float %90, i64 %109, i64 %111, i1 true) #6, !dbg !19
  %113 = add nuw nsw i32 %104, 2, !dbg !19
  %114 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %113, i64 0, !dbg !19
  %115 = bitcast <2 x i32> %114 to i64, !dbg !19
  %116 = add nuw nsw i32 %107, 128, !dbg !19
  %117 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %116, i64 0, !dbg !19
  %118 = bitcast <2 x i32> %117 to i64, !dbg !19
  %119 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 0, !dbg !19
  %120 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 1, !dbg !19
  %121 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 2, !dbg !19
  %122 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 3, !dbg !19
  %123 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 4, !dbg !19
  %124 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 5, !dbg !19
  %125 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 6, !dbg !19
  %126 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 7, !dbg !19
  %127 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 8, !dbg !19
  %128 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 9, !dbg !19
  %129 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 10, !dbg !19
  %130 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 11, !dbg !19
  %131 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 12, !dbg !19
  %132 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 13, !dbg !19
  %133 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 14, !dbg !19
  %134 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 15, !dbg !19
  %135 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 16, !dbg !19
  %136 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 17, !dbg !19
  %137 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 18, !dbg !19
  %138 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 19, !dbg !19
  %139 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 20, !dbg !19
  %140 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 21, !dbg !19
  %141 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 22, !dbg !19
  %142 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 23, !dbg !19
  %143 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 24, !dbg !19
  %144 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 25, !dbg !19
  %145 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 26, !dbg !19
  %146 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 27, !dbg !19
  %147 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 28, !dbg !19
  %148 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 29, !dbg !19
  %149 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 30, !dbg !19
  %150 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %112, 31, !dbg !19
  %151 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31}, $64, $65, $66, 1, 1, 0, 1;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,b"(float %119, float %120, float %121, float %122, float %123, float %124, float %125, float %126, float %127, float %128, float %129, float %130, float %131, float %132, float %133, float %134, float %135, float %136, float %137, float %138, float %139, float %140, float %141, float %142, float %143, float %144, float %145, float %146, float %147, float %148, float %149, float %150, i64 %115, i64 %118, i1 true) #6, !dbg !19
  %152 = add nuw nsw i32 %104, 4, !dbg !19
  %153 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %152, i64 0, !dbg !19
  %154 = bitcast <2 x i32> %153 to i64, !dbg !19
  %155 = add nuw nsw i32 %107, 256, !dbg !19
  %156 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %155, i64 0, !dbg !19
  %157 = bitcast <2 x i32> %156 to i64, !dbg !19
  %158 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 0, !dbg !19
  %159 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 1, !dbg !19
  %160 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 2, !dbg !19
  %161 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 3, !dbg !19
  %162 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 4, !dbg !19
  %163 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 5, !dbg !19
  %164 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 6, !dbg !19
  %165 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 7, !dbg !19
  %166 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 8, !dbg !19
  %167 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 9, !dbg !19
  %168 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 10, !dbg !19
  %169 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 11, !dbg !19
  %170 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 12, !dbg !19
  %171 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 13, !dbg !19
  %172 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 14, !dbg !19
  %173 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 15, !dbg !19
  %174 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 16, !dbg !19
  %175 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 17, !dbg !19
  %176 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 18, !dbg !19
  %177 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 19, !dbg !19
  %178 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 20, !dbg !19
  %179 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 21, !dbg !19
  %180 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 22, !dbg !19
  %181 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 23, !dbg !19
  %182 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 24, !dbg !19
  %183 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 25, !dbg !19
  %184 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 26, !dbg !19
  %185 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 27, !dbg !19
  %186 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 28, !dbg !19
  %187 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 29, !dbg !19
  %188 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 30, !dbg !19
  %189 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %151, 31, !dbg !19
  %190 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31}, $64, $65, $66, 1, 1, 0, 1;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,b"(float %158, float %159, float %160, float %161, float %162, float %163, float %164, float %165, float %166, float %167, float %168, float %169, float %170, float %171, float %172, float %173, float %174, float %175, float %176, float %177, float %178, float %179, float %180, float %181, float %182, float %183, float %184, float %185, float %186, float %187, float %188, float %189, i64 %154, i64 %157, i1 true) #6, !dbg !19
  %191 = add nuw nsw i32 %104, 6, !dbg !19
  %192 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %191, i64 0, !dbg !19
  %193 = bitcast <2 x i32> %192 to i64, !dbg !19
  %194 = add nuw nsw i32 %107, 384, !dbg !19
  %195 = insertelement <2 x i32> <i32 poison, i32 1073741888>, i32 %194, i64 0, !dbg !19
  %196 = bitcast <2 x i32> %195 to i64, !dbg !19
  %197 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 0, !dbg !19
  %198 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 1, !dbg !19
  %199 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 2, !dbg !19
  %200 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 3, !dbg !19
  %201 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 4, !dbg !19
  %202 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 5, !dbg !19
  %203 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 6, !dbg !19
  %204 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 7, !dbg !19
  %205 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 8, !dbg !19
  %206 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 9, !dbg !19
  %207 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 10, !dbg !19
  %208 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 11, !dbg !19
  %209 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 12, !dbg !19
  %210 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 13, !dbg !19
  %211 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 14, !dbg !19
  %212 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 15, !dbg !19
  %213 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 16, !dbg !19
  %214 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 17, !dbg !19
  %215 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 18, !dbg !19
  %216 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 19, !dbg !19
  %217 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 20, !dbg !19
  %218 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 21, !dbg !19
  %219 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 22, !dbg !19
  %220 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 23, !dbg !19
  %221 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 24, !dbg !19
  %222 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 25, !dbg !19
  %223 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 26, !dbg !19
  %224 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 27, !dbg !19
  %225 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 28, !dbg !19
  %226 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 29, !dbg !19
  %227 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 30, !dbg !19
  %228 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %190, 31, !dbg !19
  %229 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31}, $64, $65, $66, 1, 1, 0, 1;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,b"(float %197, float %198, float %199, float %200, float %201, float %202, float %203, float %204, float %205, float %206, float %207, float %208, float %209, float %210, float %211, float %212, float %213, float %214, float %215, float %216, float %217, float %218, float %219, float %220, float %221, float %222, float %223, float %224, float %225, float %226, float %227, float %228, i64 %193, i64 %196, i1 true) #6, !dbg !19
  %230 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 0, !dbg !19
  %231 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 1, !dbg !19
  %232 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 2, !dbg !19
  %233 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 3, !dbg !19
  %234 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 4, !dbg !19
  %235 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 5, !dbg !19
  %236 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 6, !dbg !19
  %237 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 7, !dbg !19
  %238 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 8, !dbg !19
  %239 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 9, !dbg !19
  %240 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 10, !dbg !19
  %241 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 11, !dbg !19
  %242 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 12, !dbg !19
  %243 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 13, !dbg !19
  %244 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 14, !dbg !19
  %245 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 15, !dbg !19
  %246 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 16, !dbg !19
  %247 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 17, !dbg !19
  %248 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 18, !dbg !19
  %249 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 19, !dbg !19
  %250 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 20, !dbg !19
  %251 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 21, !dbg !19
  %252 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 22, !dbg !19
  %253 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 23, !dbg !19
  %254 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 24, !dbg !19
  %255 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 25, !dbg !19
  %256 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 26, !dbg !19
  %257 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 27, !dbg !19
  %258 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 28, !dbg !19
  %259 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 29, !dbg !19
  %260 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 30, !dbg !19
  %261 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %229, 31, !dbg !19
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned(), !dbg !19
  %262 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } asm sideeffect "// wait for regs: $0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31,$32,$33,$34,$35,$36,$37\0A\09wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=l,=r,=r,=l,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37"(float %230, float %231, float %232, float %233, float %234, float %235, float %236, float %237, float %238, float %239, float %240, float %241, float %242, float %243, float %244, float %245, float %246, float %247, float %248, float %249, float %250, float %251, float %252, float %253, float %254, float %255, float %256, float %257, float %258, float %259, float %260, float %261, ptr addrspace(3) %101, i32 0, i32 0, ptr addrspace(3) %100, i32 0, i32 0) #6, !dbg !19
  %263 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 0, !dbg !19
  %264 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 1, !dbg !19
  %265 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 2, !dbg !19
  %266 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 3, !dbg !19
  %267 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 4, !dbg !19
  %268 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 5, !dbg !19
  %269 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 6, !dbg !19
  %270 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 7, !dbg !19
  %271 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 8, !dbg !19
  %272 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 9, !dbg !19
  %273 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 10, !dbg !19
  %274 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 11, !dbg !19
  %275 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 12, !dbg !19
  %276 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 13, !dbg !19
  %277 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 14, !dbg !19
  %278 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 15, !dbg !19
  %279 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 16, !dbg !19
  %280 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 17, !dbg !19
  %281 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 18, !dbg !19
  %282 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 19, !dbg !19
  %283 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 20, !dbg !19
  %284 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 21, !dbg !19
  %285 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 22, !dbg !19
  %286 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 23, !dbg !19
  %287 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 24, !dbg !19
  %288 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 25, !dbg !19
  %289 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 26, !dbg !19
  %290 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 27, !dbg !19
  %291 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 28, !dbg !19
  %292 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 29, !dbg !19
  %293 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 30, !dbg !19
  %294 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %262, 31, !dbg !19
  %295 = add i32 %58, 1, !dbg !16
  %296 = icmp sgt i32 %295, 2, !dbg !16
  %297 = select i1 %296, i32 0, i32 %295, !dbg !16
  %298 = getelementptr [8 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %297, !dbg !16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !16
  %299 = and i1 %33, %92, !dbg !16
  call void asm sideeffect "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 16384;", "b,r"(i1 %299, ptr addrspace(3) %298) #6, !dbg !16
  %300 = shl i32 %297, 12, !dbg !17
  %301 = getelementptr [2 x i8], ptr addrspace(3) @global_smem, i32 %300, !dbg !17
  %302 = add i32 %91, 128, !dbg !16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !17
  %303 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !17
  %304 = extractvalue { i32, i1 } %303, 1, !dbg !17
  %305 = and i1 %92, %304, !dbg !17
  %306 = and i1 %38, %305, !dbg !17
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %306, ptr addrspace(3) %301, ptr nonnull %0, i32 %302, i32 %17, ptr addrspace(3) %298) #6, !dbg !17
  %307 = getelementptr [2 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 24576), i32 %300, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %308 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %309 = extractvalue { i32, i1 } %308, 1, !dbg !18
  %310 = and i1 %92, %309, !dbg !18
  %311 = and i1 %38, %310, !dbg !18
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %311, ptr addrspace(3) %307, ptr nonnull %5, i32 %19, i32 %302, ptr addrspace(3) %298) #6, !dbg !18
  %312 = add i32 %91, 64, !dbg !16
  %313 = icmp slt i32 %312, %11, !dbg !16
  br i1 %313, label %55, label %._crit_edge, !dbg !16

._crit_edge:                                      ; preds = %55, %15
  %314 = phi float [ 0.000000e+00, %15 ], [ %263, %55 ], !dbg !20
  %315 = phi float [ 0.000000e+00, %15 ], [ %264, %55 ], !dbg !20
  %316 = phi float [ 0.000000e+00, %15 ], [ %265, %55 ], !dbg !20
  %317 = phi float [ 0.000000e+00, %15 ], [ %266, %55 ], !dbg !20
  %318 = phi float [ 0.000000e+00, %15 ], [ %267, %55 ], !dbg !20
  %319 = phi float [ 0.000000e+00, %15 ], [ %268, %55 ], !dbg !20
  %320 = phi float [ 0.000000e+00, %15 ], [ %269, %55 ], !dbg !20
  %321 = phi float [ 0.000000e+00, %15 ], [ %270, %55 ], !dbg !20
  %322 = phi float [ 0.000000e+00, %15 ], [ %271, %55 ], !dbg !20
  %323 = phi float [ 0.000000e+00, %15 ], [ %272, %55 ], !dbg !20
  %324 = phi float [ 0.000000e+00, %15 ], [ %273, %55 ], !dbg !20
  %325 = phi float [ 0.000000e+00, %15 ], [ %274, %55 ], !dbg !20
  %326 = phi float [ 0.000000e+00, %15 ], [ %275, %55 ], !dbg !20
  %327 = phi float [ 0.000000e+00, %15 ], [ %276, %55 ], !dbg !20
  %328 = phi float [ 0.000000e+00, %15 ], [ %277, %55 ], !dbg !20
  %329 = phi float [ 0.000000e+00, %15 ], [ %278, %55 ], !dbg !20
  %330 = phi float [ 0.000000e+00, %15 ], [ %279, %55 ], !dbg !20
  %331 = phi float [ 0.000000e+00, %15 ], [ %280, %55 ], !dbg !20
  %332 = phi float [ 0.000000e+00, %15 ], [ %281, %55 ], !dbg !20
  %333 = phi float [ 0.000000e+00, %15 ], [ %282, %55 ], !dbg !20
  %334 = phi float [ 0.000000e+00, %15 ], [ %283, %55 ], !dbg !20
  %335 = phi float [ 0.000000e+00, %15 ], [ %284, %55 ], !dbg !20
  %336 = phi float [ 0.000000e+00, %15 ], [ %285, %55 ], !dbg !20
  %337 = phi float [ 0.000000e+00, %15 ], [ %286, %55 ], !dbg !20
  %338 = phi float [ 0.000000e+00, %15 ], [ %287, %55 ], !dbg !20
  %339 = phi float [ 0.000000e+00, %15 ], [ %288, %55 ], !dbg !20
  %340 = phi float [ 0.000000e+00, %15 ], [ %289, %55 ], !dbg !20
  %341 = phi float [ 0.000000e+00, %15 ], [ %290, %55 ], !dbg !20
  %342 = phi float [ 0.000000e+00, %15 ], [ %291, %55 ], !dbg !20
  %343 = phi float [ 0.000000e+00, %15 ], [ %292, %55 ], !dbg !20
  %344 = phi float [ 0.000000e+00, %15 ], [ %293, %55 ], !dbg !20
  %345 = phi float [ 0.000000e+00, %15 ], [ %294, %55 ], !dbg !20
  %346 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "// wait for regs: $0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31\0A\09wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(float %314, float %315, float %316, float %317, float %318, float %319, float %320, float %321, float %322, float %323, float %324, float %325, float %326, float %327, float %328, float %329, float %330, float %331, float %332, float %333, float %334, float %335, float %336, float %337, float %338, float %339, float %340, float %341, float %342, float %343, float %344, float %345) #6, !dbg !16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !16
  %347 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !16
  %348 = extractvalue { i32, i1 } %347, 1, !dbg !16
  %349 = and i1 %21, %348, !dbg !16
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %349, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #6, !dbg !16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !16
  %350 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !16
  %351 = extractvalue { i32, i1 } %350, 1, !dbg !16
  %352 = and i1 %21, %351, !dbg !16
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %352, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #6, !dbg !16
  %353 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !16
  %354 = extractvalue { i32, i1 } %353, 1, !dbg !16
  %355 = and i1 %21, %354, !dbg !16
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %355, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49168)) #6, !dbg !16
  %356 = and i32 %20, 64, !dbg !21
  %357 = lshr exact i32 %356, 6, !dbg !21
  %358 = and i32 %20, 63, !dbg !21
  %359 = or disjoint i32 %357, %17, !dbg !22
  %360 = or disjoint i32 %359, 2, !dbg !22
  %361 = or disjoint i32 %359, 4, !dbg !22
  %362 = or disjoint i32 %359, 6, !dbg !22
  %363 = or disjoint i32 %359, 8, !dbg !22
  %364 = or disjoint i32 %359, 10, !dbg !22
  %365 = or disjoint i32 %359, 12, !dbg !22
  %366 = or disjoint i32 %359, 14, !dbg !22
  %367 = or disjoint i32 %359, 16, !dbg !22
  %368 = or disjoint i32 %359, 18, !dbg !22
  %369 = or disjoint i32 %359, 20, !dbg !22
  %370 = or disjoint i32 %359, 22, !dbg !22
  %371 = or disjoint i32 %359, 24, !dbg !22
  %372 = or disjoint i32 %359, 26, !dbg !22
  %373 = or disjoint i32 %359, 28, !dbg !22
  %374 = or disjoint i32 %359, 30, !dbg !22
  %375 = or disjoint i32 %359, 32, !dbg !22
  %376 = or disjoint i32 %359, 34, !dbg !22
  %377 = or disjoint i32 %359, 36, !dbg !22
  %378 = or disjoint i32 %359, 38, !dbg !22
  %379 = or disjoint i32 %359, 40, !dbg !22
  %380 = or disjoint i32 %359, 42, !dbg !22
  %381 = or disjoint i32 %359, 44, !dbg !22
  %382 = or disjoint i32 %359, 46, !dbg !22
  %383 = or disjoint i32 %359, 48, !dbg !22
  %384 = or disjoint i32 %359, 50, !dbg !22
  %385 = or disjoint i32 %359, 52, !dbg !22
  %386 = or disjoint i32 %359, 54, !dbg !22
  %387 = or disjoint i32 %359, 56, !dbg !22
  %388 = or disjoint i32 %359, 58, !dbg !22
  %389 = or disjoint i32 %359, 60, !dbg !22
  %390 = or disjoint i32 %359, 62, !dbg !22
  %391 = or disjoint i32 %19, %358, !dbg !23
  %392 = mul i32 %12, %359, !dbg !24
  %393 = mul i32 %12, %360, !dbg !24
  %394 = mul i32 %12, %361, !dbg !24
  %395 = mul i32 %12, %362, !dbg !24
  %396 = mul i32 %12, %363, !dbg !24
  %397 = mul i32 %12, %364, !dbg !24
  %398 = mul i32 %12, %365, !dbg !24
  %399 = mul i32 %12, %366, !dbg !24
  %400 = mul i32 %12, %367, !dbg !24
  %401 = mul i32 %12, %368, !dbg !24
  %402 = mul i32 %12, %369, !dbg !24
  %403 = mul i32 %12, %370, !dbg !24
  %404 = mul i32 %12, %371, !dbg !24
  %405 = mul i32 %12, %372, !dbg !24
  %406 = mul i32 %12, %373, !dbg !24
  %407 = mul i32 %12, %374, !dbg !24
  %408 = mul i32 %12, %375, !dbg !24
  %409 = mul i32 %12, %376, !dbg !24
  %410 = mul i32 %12, %377, !dbg !24
  %411 = mul i32 %12, %378, !dbg !24
  %412 = mul i32 %12, %379, !dbg !24
  %413 = mul i32 %12, %380, !dbg !24
  %414 = mul i32 %12, %381, !dbg !24
  %415 = mul i32 %12, %382, !dbg !24
  %416 = mul i32 %12, %383, !dbg !24
  %417 = mul i32 %12, %384, !dbg !24
  %418 = mul i32 %12, %385, !dbg !24
  %419 = mul i32 %12, %386, !dbg !24
  %420 = mul i32 %12, %387, !dbg !24
  %421 = mul i32 %12, %388, !dbg !24
  %422 = mul i32 %12, %389, !dbg !24
  %423 = mul i32 %12, %390, !dbg !24
  %424 = sext i32 %392 to i64, !dbg !25
  %425 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %424, !dbg !25
  %426 = sext i32 %393 to i64, !dbg !25
  %427 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %426, !dbg !25
  %428 = sext i32 %394 to i64, !dbg !25
  %429 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %428, !dbg !25
  %430 = sext i32 %395 to i64, !dbg !25
  %431 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %430, !dbg !25
  %432 = sext i32 %396 to i64, !dbg !25
  %433 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %432, !dbg !25
  %434 = sext i32 %397 to i64, !dbg !25
  %435 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %434, !dbg !25
  %436 = sext i32 %398 to i64, !dbg !25
  %437 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %436, !dbg !25
  %438 = sext i32 %399 to i64, !dbg !25
  %439 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %438, !dbg !25
  %440 = sext i32 %400 to i64, !dbg !25
  %441 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %440, !dbg !25
  %442 = sext i32 %401 to i64, !dbg !25
  %443 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %442, !dbg !25
  %444 = sext i32 %402 to i64, !dbg !25
  %445 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %444, !dbg !25
  %446 = sext i32 %403 to i64, !dbg !25
  %447 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %446, !dbg !25
  %448 = sext i32 %404 to i64, !dbg !25
  %449 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %448, !dbg !25
  %450 = sext i32 %405 to i64, !dbg !25
  %451 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %450, !dbg !25
  %452 = sext i32 %406 to i64, !dbg !25
  %453 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %452, !dbg !25
  %454 = sext i32 %407 to i64, !dbg !25
  %455 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %454, !dbg !25
  %456 = sext i32 %408 to i64, !dbg !25
  %457 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %456, !dbg !25
  %458 = sext i32 %409 to i64, !dbg !25
  %459 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %458, !dbg !25
  %460 = sext i32 %410 to i64, !dbg !25
  %461 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %460, !dbg !25
  %462 = sext i32 %411 to i64, !dbg !25
  %463 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %462, !dbg !25
  %464 = sext i32 %412 to i64, !dbg !25
  %465 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %464, !dbg !25
  %466 = sext i32 %413 to i64, !dbg !25
  %467 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %466, !dbg !25
  %468 = sext i32 %414 to i64, !dbg !25
  %469 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %468, !dbg !25
  %470 = sext i32 %415 to i64, !dbg !25
  %471 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %470, !dbg !25
  %472 = sext i32 %416 to i64, !dbg !25
  %473 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %472, !dbg !25
  %474 = sext i32 %417 to i64, !dbg !25
  %475 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %474, !dbg !25
  %476 = sext i32 %418 to i64, !dbg !25
  %477 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %476, !dbg !25
  %478 = sext i32 %419 to i64, !dbg !25
  %479 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %478, !dbg !25
  %480 = sext i32 %420 to i64, !dbg !25
  %481 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %480, !dbg !25
  %482 = sext i32 %421 to i64, !dbg !25
  %483 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %482, !dbg !25
  %484 = sext i32 %422 to i64, !dbg !25
  %485 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %484, !dbg !25
  %486 = sext i32 %423 to i64, !dbg !25
  %487 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %486, !dbg !25
  %488 = zext nneg i32 %391 to i64, !dbg !25
  %489 = getelementptr [4 x i8], ptr addrspace(1) %425, i64 %488, !dbg !25
  %490 = getelementptr [4 x i8], ptr addrspace(1) %427, i64 %488, !dbg !25
  %491 = getelementptr [4 x i8], ptr addrspace(1) %429, i64 %488, !dbg !25
  %492 = getelementptr [4 x i8], ptr addrspace(1) %431, i64 %488, !dbg !25
  %493 = getelementptr [4 x i8], ptr addrspace(1) %433, i64 %488, !dbg !25
  %494 = getelementptr [4 x i8], ptr addrspace(1) %435, i64 %488, !dbg !25
  %495 = getelementptr [4 x i8], ptr addrspace(1) %437, i64 %488, !dbg !25
  %496 = getelementptr [4 x i8], ptr addrspace(1) %439, i64 %488, !dbg !25
  %497 = getelementptr [4 x i8], ptr addrspace(1) %441, i64 %488, !dbg !25
  %498 = getelementptr [4 x i8], ptr addrspace(1) %443, i64 %488, !dbg !25
  %499 = getelementptr [4 x i8], ptr addrspace(1) %445, i64 %488, !dbg !25
  %500 = getelementptr [4 x i8], ptr addrspace(1) %447, i64 %488, !dbg !25
  %501 = getelementptr [4 x i8], ptr addrspace(1) %449, i64 %488, !dbg !25
  %502 = getelementptr [4 x i8], ptr addrspace(1) %451, i64 %488, !dbg !25
  %503 = getelementptr [4 x i8], ptr addrspace(1) %453, i64 %488, !dbg !25
  %504 = getelementptr [4 x i8], ptr addrspace(1) %455, i64 %488, !dbg !25
  %505 = getelementptr [4 x i8], ptr addrspace(1) %457, i64 %488, !dbg !25
  %506 = getelementptr [4 x i8], ptr addrspace(1) %459, i64 %488, !dbg !25
  %507 = getelementptr [4 x i8], ptr addrspace(1) %461, i64 %488, !dbg !25
  %508 = getelementptr [4 x i8], ptr addrspace(1) %463, i64 %488, !dbg !25
  %509 = getelementptr [4 x i8], ptr addrspace(1) %465, i64 %488, !dbg !25
  %510 = getelementptr [4 x i8], ptr addrspace(1) %467, i64 %488, !dbg !25
  %511 = getelementptr [4 x i8], ptr addrspace(1) %469, i64 %488, !dbg !25
  %512 = getelementptr [4 x i8], ptr addrspace(1) %471, i64 %488, !dbg !25
  %513 = getelementptr [4 x i8], ptr addrspace(1) %473, i64 %488, !dbg !25
  %514 = getelementptr [4 x i8], ptr addrspace(1) %475, i64 %488, !dbg !25
  %515 = getelementptr [4 x i8], ptr addrspace(1) %477, i64 %488, !dbg !25
  %516 = getelementptr [4 x i8], ptr addrspace(1) %479, i64 %488, !dbg !25
  %517 = getelementptr [4 x i8], ptr addrspace(1) %481, i64 %488, !dbg !25
  %518 = getelementptr [4 x i8], ptr addrspace(1) %483, i64 %488, !dbg !25
  %519 = getelementptr [4 x i8], ptr addrspace(1) %485, i64 %488, !dbg !25
  %520 = getelementptr [4 x i8], ptr addrspace(1) %487, i64 %488, !dbg !25
  %521 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 0, !dbg !26
  %522 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 1, !dbg !26
  %523 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 2, !dbg !26
  %524 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 3, !dbg !26
  %525 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 4, !dbg !26
  %526 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 5, !dbg !26
  %527 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 6, !dbg !26
  %528 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 7, !dbg !26
  %529 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 8, !dbg !26
  %530 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 9, !dbg !26
  %531 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 10, !dbg !26
  %532 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 11, !dbg !26
  %533 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 12, !dbg !26
  %534 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 13, !dbg !26
  %535 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 14, !dbg !26
  %536 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 15, !dbg !26
  %537 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 16, !dbg !26
  %538 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 17, !dbg !26
  %539 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 18, !dbg !26
  %540 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 19, !dbg !26
  %541 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 20, !dbg !26
  %542 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 21, !dbg !26
  %543 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 22, !dbg !26
  %544 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 23, !dbg !26
  %545 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 24, !dbg !26
  %546 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 25, !dbg !26
  %547 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 26, !dbg !26
  %548 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 27, !dbg !26
  %549 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 28, !dbg !26
  %550 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 29, !dbg !26
  %551 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 30, !dbg !26
  %552 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %346, 31, !dbg !26
  %553 = and i32 %20, 12, !dbg !26
  %554 = shl nuw nsw i32 %553, 10, !dbg !26
  %555 = shl nuw nsw i32 %20, 5, !dbg !26
  %556 = and i32 %555, 96, !dbg !26
  %557 = shl nuw nsw i32 %553, 1, !dbg !26
  %558 = or disjoint i32 %554, %556, !dbg !26
  %559 = or disjoint i32 %558, %557, !dbg !26
  %560 = insertelement <2 x float> poison, float %521, i64 0, !dbg !26
  %561 = insertelement <2 x float> %560, float %523, i64 1, !dbg !26
  %562 = insertelement <2 x float> poison, float %529, i64 0, !dbg !26
  %563 = insertelement <2 x float> %562, float %531, i64 1, !dbg !26
  %564 = insertelement <2 x float> poison, float %537, i64 0, !dbg !26
  %565 = insertelement <2 x float> %564, float %539, i64 1, !dbg !26
  %566 = insertelement <2 x float> poison, float %545, i64 0, !dbg !26
  %567 = insertelement <2 x float> %566, float %547, i64 1, !dbg !26
  %568 = insertelement <2 x float> poison, float %522, i64 0, !dbg !26
  %569 = insertelement <2 x float> %568, float %524, i64 1, !dbg !26
  %570 = insertelement <2 x float> poison, float %530, i64 0, !dbg !26
  %571 = insertelement <2 x float> %570, float %532, i64 1, !dbg !26
  %572 = insertelement <2 x float> poison, float %538, i64 0, !dbg !26
  %573 = insertelement <2 x float> %572, float %540, i64 1, !dbg !26
  %574 = insertelement <2 x float> poison, float %546, i64 0, !dbg !26
  %575 = insertelement <2 x float> %574, float %548, i64 1, !dbg !26
  %576 = insertelement <2 x float> poison, float %525, i64 0, !dbg !26
  %577 = insertelement <2 x float> %576, float %527, i64 1, !dbg !26
  %578 = insertelement <2 x float> poison, float %533, i64 0, !dbg !26
  %579 = insertelement <2 x float> %578, float %535, i64 1, !dbg !26
  %580 = insertelement <2 x float> poison, float %541, i64 0, !dbg !26
  %581 = insertelement <2 x float> %580, float %543, i64 1, !dbg !26
  %582 = insertelement <2 x float> poison, float %549, i64 0, !dbg !26
  %583 = insertelement <2 x float> %582, float %551, i64 1, !dbg !26
  %584 = insertelement <2 x float> poison, float %526, i64 0, !dbg !26
  %585 = insertelement <2 x float> %584, float %528, i64 1, !dbg !26
  %586 = insertelement <2 x float> poison, float %534, i64 0, !dbg !26
  %587 = insertelement <2 x float> %586, float %536, i64 1, !dbg !26
  %588 = insertelement <2 x float> poison, float %542, i64 0, !dbg !26
  %589 = insertelement <2 x float> %588, float %544, i64 1, !dbg !26
  %590 = insertelement <2 x float> poison, float %550, i64 0, !dbg !26
  %591 = insertelement <2 x float> %590, float %552, i64 1, !dbg !26
  %592 = icmp eq i32 %356, 0, !dbg !26
  %593 = select i1 %592, i32 0, i32 4104, !dbg !26
  %594 = shl nuw nsw i32 %20, 3, !dbg !26
  %595 = and i32 %594, 896, !dbg !26
  %596 = or disjoint i32 %559, %595, !dbg !26
  %597 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %596, !dbg !26
  store <2 x float> %561, ptr addrspace(3) %597, align 8, !dbg !26
  %598 = getelementptr inbounds nuw i8, ptr addrspace(3) %597, i32 1024, !dbg !26
  store <2 x float> %563, ptr addrspace(3) %598, align 8, !dbg !26
  %599 = getelementptr inbounds nuw i8, ptr addrspace(3) %597, i32 2048, !dbg !26
  store <2 x float> %565, ptr addrspace(3) %599, align 8, !dbg !26
  %600 = getelementptr inbounds nuw i8, ptr addrspace(3) %597, i32 3072, !dbg !26
  store <2 x float> %567, ptr addrspace(3) %600, align 8, !dbg !26
  %601 = xor i32 %596, 8, !dbg !26
  %602 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %601, !dbg !26
  store <2 x float> %569, ptr addrspace(3) %602, align 8, !dbg !26
  %603 = getelementptr inbounds nuw i8, ptr addrspace(3) %602, i32 1024, !dbg !26
  store <2 x float> %571, ptr addrspace(3) %603, align 8, !dbg !26
  %604 = getelementptr inbounds nuw i8, ptr addrspace(3) %602, i32 2048, !dbg !26
  store <2 x float> %573, ptr addrspace(3) %604, align 8, !dbg !26
  %605 = getelementptr inbounds nuw i8, ptr addrspace(3) %602, i32 3072, !dbg !26
  store <2 x float> %575, ptr addrspace(3) %605, align 8, !dbg !26
  %606 = xor i32 %596, 16, !dbg !26
  %607 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %606, !dbg !26
  store <2 x float> %577, ptr addrspace(3) %607, align 8, !dbg !26
  %608 = getelementptr inbounds nuw i8, ptr addrspace(3) %607, i32 1024, !dbg !26
  store <2 x float> %579, ptr addrspace(3) %608, align 8, !dbg !26
  %609 = getelementptr inbounds nuw i8, ptr addrspace(3) %607, i32 2048, !dbg !26
  store <2 x float> %581, ptr addrspace(3) %609, align 8, !dbg !26
  %610 = getelementptr inbounds nuw i8, ptr addrspace(3) %607, i32 3072, !dbg !26
  store <2 x float> %583, ptr addrspace(3) %610, align 8, !dbg !26
  %611 = xor i32 %596, 24, !dbg !26
  %612 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %611, !dbg !26
  store <2 x float> %585, ptr addrspace(3) %612, align 8, !dbg !26
  %613 = getelementptr inbounds nuw i8, ptr addrspace(3) %612, i32 1024, !dbg !26
  store <2 x float> %587, ptr addrspace(3) %613, align 8, !dbg !26
  %614 = getelementptr inbounds nuw i8, ptr addrspace(3) %612, i32 2048, !dbg !26
  store <2 x float> %589, ptr addrspace(3) %614, align 8, !dbg !26
  %615 = getelementptr inbounds nuw i8, ptr addrspace(3) %612, i32 3072, !dbg !26
  store <2 x float> %591, ptr addrspace(3) %615, align 8, !dbg !26
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !26
  %616 = and i32 %594, 8, !dbg !26
  %617 = insertelement <4 x i32> poison, i32 %20, i64 0, !dbg !26
  %618 = insertelement <4 x i32> %617, i32 %616, i64 1, !dbg !26
  %619 = shufflevector <4 x i32> %618, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 1>, !dbg !26
  %620 = shl nuw nsw <4 x i32> %619, <i32 6, i32 4, i32 1, i32 0>, !dbg !26
  %621 = insertelement <4 x i32> <i32 3072, i32 96, i32 16, i32 poison>, i32 %593, i64 3, !dbg !26
  %622 = and <4 x i32> %621, %620, !dbg !26
  %623 = xor <4 x i32> %621, %620, !dbg !26
  %624 = shufflevector <4 x i32> %622, <4 x i32> %623, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !26
  %625 = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %624), !dbg !26
  %626 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %625, !dbg !26
  %627 = load <2 x i32>, ptr addrspace(3) %626, align 8, !dbg !26
  %628 = getelementptr inbounds nuw i8, ptr addrspace(3) %626, i32 128, !dbg !26
  %629 = load <2 x i32>, ptr addrspace(3) %628, align 8, !dbg !26
  %630 = getelementptr inbounds nuw i8, ptr addrspace(3) %626, i32 256, !dbg !26
  %631 = load <2 x i32>, ptr addrspace(3) %630, align 8, !dbg !26
  %632 = getelementptr inbounds nuw i8, ptr addrspace(3) %626, i32 384, !dbg !26
  %633 = load <2 x i32>, ptr addrspace(3) %632, align 8, !dbg !26
  %634 = getelementptr inbounds nuw i8, ptr addrspace(3) %626, i32 512, !dbg !26
  %635 = load <2 x i32>, ptr addrspace(3) %634, align 8, !dbg !26
  %636 = getelementptr inbounds nuw i8, ptr addrspace(3) %626, i32 640, !dbg !26
  %637 = load <2 x i32>, ptr addrspace(3) %636, align 8, !dbg !26
  %638 = getelementptr inbounds nuw i8, ptr addrspace(3) %626, i32 768, !dbg !26
  %639 = load <2 x i32>, ptr addrspace(3) %638, align 8, !dbg !26
  %640 = getelementptr inbounds nuw i8, ptr addrspace(3) %626, i32 896, !dbg !26
  %641 = load <2 x i32>, ptr addrspace(3) %640, align 8, !dbg !26
  %642 = xor i32 %625, 8208, !dbg !26
  %643 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %642, !dbg !26
  %644 = load <2 x i32>, ptr addrspace(3) %643, align 8, !dbg !26
  %645 = getelementptr inbounds nuw i8, ptr addrspace(3) %643, i32 128, !dbg !26
  %646 = load <2 x i32>, ptr addrspace(3) %645, align 8, !dbg !26
  %647 = getelementptr inbounds nuw i8, ptr addrspace(3) %643, i32 256, !dbg !26
  %648 = load <2 x i32>, ptr addrspace(3) %647, align 8, !dbg !26
  %649 = getelementptr inbounds nuw i8, ptr addrspace(3) %643, i32 384, !dbg !26
  %650 = load <2 x i32>, ptr addrspace(3) %649, align 8, !dbg !26
  %651 = getelementptr inbounds nuw i8, ptr addrspace(3) %643, i32 512, !dbg !26
  %652 = load <2 x i32>, ptr addrspace(3) %651, align 8, !dbg !26
  %653 = getelementptr inbounds nuw i8, ptr addrspace(3) %643, i32 640, !dbg !26
  %654 = load <2 x i32>, ptr addrspace(3) %653, align 8, !dbg !26
  %655 = getelementptr inbounds nuw i8, ptr addrspace(3) %643, i32 768, !dbg !26
  %656 = load <2 x i32>, ptr addrspace(3) %655, align 8, !dbg !26
  %657 = getelementptr inbounds nuw i8, ptr addrspace(3) %643, i32 896, !dbg !26
  %658 = load <2 x i32>, ptr addrspace(3) %657, align 8, !dbg !26
  %.extract = extractelement <2 x i32> %627, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract, ptr addrspace(1) %489) #6, !dbg !26
  %.extract33 = extractelement <2 x i32> %644, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract33, ptr addrspace(1) %490) #6, !dbg !26
  %.extract34 = extractelement <2 x i32> %629, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract34, ptr addrspace(1) %491) #6, !dbg !26
  %.extract35 = extractelement <2 x i32> %646, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract35, ptr addrspace(1) %492) #6, !dbg !26
  %.extract36 = extractelement <2 x i32> %627, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract36, ptr addrspace(1) %493) #6, !dbg !26
  %.extract37 = extractelement <2 x i32> %644, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract37, ptr addrspace(1) %494) #6, !dbg !26
  %.extract38 = extractelement <2 x i32> %629, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract38, ptr addrspace(1) %495) #6, !dbg !26
  %.extract39 = extractelement <2 x i32> %646, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract39, ptr addrspace(1) %496) #6, !dbg !26
  %.extract40 = extractelement <2 x i32> %631, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract40, ptr addrspace(1) %497) #6, !dbg !26
  %.extract41 = extractelement <2 x i32> %648, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract41, ptr addrspace(1) %498) #6, !dbg !26
  %.extract42 = extractelement <2 x i32> %633, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract42, ptr addrspace(1) %499) #6, !dbg !26
  %.extract43 = extractelement <2 x i32> %650, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract43, ptr addrspace(1) %500) #6, !dbg !26
  %.extract44 = extractelement <2 x i32> %631, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract44, ptr addrspace(1) %501) #6, !dbg !26
  %.extract45 = extractelement <2 x i32> %648, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract45, ptr addrspace(1) %502) #6, !dbg !26
  %.extract46 = extractelement <2 x i32> %633, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract46, ptr addrspace(1) %503) #6, !dbg !26
  %.extract47 = extractelement <2 x i32> %650, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract47, ptr addrspace(1) %504) #6, !dbg !26
  %.extract48 = extractelement <2 x i32> %635, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract48, ptr addrspace(1) %505) #6, !dbg !26
  %.extract49 = extractelement <2 x i32> %652, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract49, ptr addrspace(1) %506) #6, !dbg !26
  %.extract50 = extractelement <2 x i32> %637, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract50, ptr addrspace(1) %507) #6, !dbg !26
  %.extract51 = extractelement <2 x i32> %654, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract51, ptr addrspace(1) %508) #6, !dbg !26
  %.extract52 = extractelement <2 x i32> %635, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract52, ptr addrspace(1) %509) #6, !dbg !26
  %.extract53 = extractelement <2 x i32> %652, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract53, ptr addrspace(1) %510) #6, !dbg !26
  %.extract54 = extractelement <2 x i32> %637, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract54, ptr addrspace(1) %511) #6, !dbg !26
  %.extract55 = extractelement <2 x i32> %654, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract55, ptr addrspace(1) %512) #6, !dbg !26
  %.extract56 = extractelement <2 x i32> %639, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract56, ptr addrspace(1) %513) #6, !dbg !26
  %.extract57 = extractelement <2 x i32> %656, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract57, ptr addrspace(1) %514) #6, !dbg !26
  %.extract58 = extractelement <2 x i32> %641, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract58, ptr addrspace(1) %515) #6, !dbg !26
  %.extract59 = extractelement <2 x i32> %658, i64 0, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract59, ptr addrspace(1) %516) #6, !dbg !26
  %.extract60 = extractelement <2 x i32> %639, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract60, ptr addrspace(1) %517) #6, !dbg !26
  %.extract61 = extractelement <2 x i32> %656, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract61, ptr addrspace(1) %518) #6, !dbg !26
  %.extract62 = extractelement <2 x i32> %641, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract62, ptr addrspace(1) %519) #6, !dbg !26
  %.extract63 = extractelement <2 x i32> %658, i64 1, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %.extract63, ptr addrspace(1) %520) #6, !dbg !26
  ret void, !dbg !27
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: convergent nounwind
declare void @llvm.nvvm.wgmma.fence.sync.aligned() #4

; Function Attrs: convergent nounwind
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned() #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>) #5

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent nounwind }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "triton", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernels.py", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!4 = distinct !DISubprogram(name: "tiled", linkageName: "tiled", scope: !1, file: !1, line: 36, type: !5, scopeLine: 36, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(cc: DW_CC_normal, types: !6)
!6 = !{null, !7, !9, !9, !10, !10, !7, !9, !9, !10, !10, !11, !9, !9, !13, !13}
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !8, size: 64, dwarfAddressSpace: 0)
!8 = !DIBasicType(name: "unknown_type", encoding: DW_ATE_signed)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DIBasicType(name: "int", size: 64, encoding: DW_ATE_signed)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !12, size: 64, dwarfAddressSpace: 1)
!12 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!13 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !8, size: 64, dwarfAddressSpace: 1)
!14 = !DILocation(line: 38, column: 11, scope: !4)
!15 = !DILocation(line: 39, column: 14, scope: !4)
!16 = !DILocation(line: 41, column: 5, scope: !4)
!17 = !DILocation(line: 42, column: 24, scope: !4)
!18 = !DILocation(line: 42, column: 42, scope: !4)
!19 = !DILocation(line: 42, column: 17, scope: !4)
!20 = !DILocation(line: 40, column: 13, scope: !4)
!21 = !DILocation(line: 43, column: 18, scope: !4)
!22 = !DILocation(line: 43, column: 12, scope: !4)
!23 = !DILocation(line: 44, column: 15, scope: !4)
!24 = !DILocation(line: 45, column: 18, scope: !4)
!25 = !DILocation(line: 45, column: 14, scope: !4)
!26 = !DILocation(line: 45, column: 5, scope: !4)
!27 = !DILocation(line: 36, column: 1, scope: !4)
