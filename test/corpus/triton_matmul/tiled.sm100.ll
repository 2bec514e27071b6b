; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @tiled(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %0, i32 %1, i32 %2, i64 %3, i64 %4, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %5, i32 %6, i32 %7, i64 %8, i64 %9, ptr addrspace(1) %10, i32 %11, i32 %12, ptr addrspace(1) nofree readnone captures(none) %13, ptr addrspace(1) nofree readnone captures(none) %14) local_unnamed_addr #0 !dbg !4 {
  %16 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !14
  %17 = icmp samesign ult i32 %16, 32, !dbg !14
  tail call void asm sideeffect "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 64;", "b,r"(i1 %17, ptr addrspace(3) @global_smem) #8, !dbg !14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !14
  %18 = load i32, ptr addrspace(3) @global_smem, align 16, !dbg !14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !14
  tail call void asm sideeffect "@$0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "b"(i1 %17) #8, !dbg !14
  %19 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %20 = shl i32 %19, 6, !dbg !15
  %21 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !16
  %22 = shl nuw nsw i32 %21, 6, !dbg !16
  %23 = lshr i32 %16, 5, !dbg !17
  %24 = tail call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %23, i32 0, i32 31), !dbg !17
  %25 = shl i32 %24, 21, !dbg !17
  %26 = and i32 %25, 6291456, !dbg !17
  %27 = add i32 %26, %18, !dbg !17
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.16x32bx2.x32.b32 [$1 + 0], 32, {$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33};", "b,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r"(i1 true, i32 %27, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00) #8, !dbg !17
  tail call void @llvm.nvvm.tcgen05.wait.st(), !dbg !18
  %28 = icmp eq i32 %23, 0, !dbg !18
  %29 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %30 = extractvalue { i32, i1 } %29, 1, !dbg !18
  %31 = and i1 %28, %30, !dbg !18
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %31, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49184)) #8, !dbg !18
  %32 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %33 = extractvalue { i32, i1 } %32, 1, !dbg !18
  %34 = and i1 %28, %33, !dbg !18
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %34, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49192)) #8, !dbg !18
  %35 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %36 = extractvalue { i32, i1 } %35, 1, !dbg !18
  %37 = and i1 %28, %36, !dbg !18
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %37, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #8, !dbg !18
  %38 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %39 = extractvalue { i32, i1 } %38, 1, !dbg !18
  %40 = and i1 %28, %39, !dbg !18
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %40, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #8, !dbg !18
  %41 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %42 = extractvalue { i32, i1 } %41, 1, !dbg !18
  %43 = and i1 %28, %42, !dbg !18
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %43, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49168)) #8, !dbg !18
  %44 = icmp sgt i32 %11, 0, !dbg !18
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %45 = and i32 %16, 127, !dbg !18
  %46 = icmp eq i32 %45, 0, !dbg !18
  %47 = and i1 %46, %44, !dbg !18
  tail call void asm sideeffect "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 16384;", "b,r"(i1 %47, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #8, !dbg !18
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !19
  %48 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !19
  %49 = extractvalue { i32, i1 } %48, 1, !dbg !19
  %50 = and i1 %44, %49, !dbg !19
  %51 = icmp samesign ult i32 %45, 32, !dbg !19
  %52 = and i1 %51, %50, !dbg !19
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %52, ptr addrspace(3) @global_smem, ptr nonnull %0, i32 0, i32 %20, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #8, !dbg !19
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !20
  %53 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !20
  %54 = extractvalue { i32, i1 } %53, 1, !dbg !20
  %55 = and i1 %44, %54, !dbg !20
  %56 = and i1 %51, %55, !dbg !20
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %56, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 24576), ptr nonnull %5, i32 %22, i32 0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #8, !dbg !20
  %57 = icmp sgt i32 %11, 64, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %58 = and i1 %46, %57, !dbg !18
  call void asm sideeffect "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 16384;", "b,r"(i1 %58, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #8, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !19
  %59 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !19
  %60 = extractvalue { i32, i1 } %59, 1, !dbg !19
  %61 = and i1 %57, %60, !dbg !19
  %62 = and i1 %51, %61, !dbg !19
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %62, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), ptr nonnull %0, i32 64, i32 %20, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #8, !dbg !19
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !20
  %63 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !20
  %64 = extractvalue { i32, i1 } %63, 1, !dbg !20
  %65 = and i1 %57, %64, !dbg !20
  %66 = and i1 %51, %65, !dbg !20
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %66, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), ptr nonnull %5, i32 %22, i32 64, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #8, !dbg !20
  %67 = icmp sgt i32 %11, 128, !dbg !18
  call void asm sideeffect "\0A{\0A\09@!$2 bra.uni skipWait;\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A\09skipWait:\0A}\0A", "r,r,b"(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 0, i1 %44) #8, !dbg !18
  %68 = icmp eq i32 %24, 0, !dbg !17
  %69 = and i1 %44, %68, !dbg !17
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !17
  br i1 %69, label %70, label %99, !dbg !17

70:                                               ; preds = %15
  %71 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !17
  %72 = extractvalue { i32, i1 } %71, 1, !dbg !17
  %73 = lshr exact i32 ptrtoint (ptr addrspace(3) @global_smem to i32), 4, !dbg !17
  %74 = and i32 %73, 32767, !dbg !17
  %75 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 24576) to i32), 4, !dbg !17
  %76 = and i32 %75, 32767, !dbg !17
  %77 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %74, i64 0, !dbg !17
  %78 = bitcast <2 x i32> %77 to i64, !dbg !17
  %79 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %76, i64 0, !dbg !17
  %80 = bitcast <2 x i32> %79 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %78, i64 %80, i32 68222992, i1 false, i1 %72) #8, !dbg !17
  %81 = add nuw nsw i32 %74, 2, !dbg !17
  %82 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %81, i64 0, !dbg !17
  %83 = bitcast <2 x i32> %82 to i64, !dbg !17
  %84 = add nuw nsw i32 %76, 128, !dbg !17
  %85 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %84, i64 0, !dbg !17
  %86 = bitcast <2 x i32> %85 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %83, i64 %86, i32 68222992, i1 true, i1 %72) #8, !dbg !17
  %87 = add nuw nsw i32 %74, 4, !dbg !17
  %88 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %87, i64 0, !dbg !17
  %89 = bitcast <2 x i32> %88 to i64, !dbg !17
  %90 = add nuw nsw i32 %76, 256, !dbg !17
  %91 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %90, i64 0, !dbg !17
  %92 = bitcast <2 x i32> %91 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %89, i64 %92, i32 68222992, i1 true, i1 %72) #8, !dbg !17
  %93 = add nuw nsw i32 %74, 6, !dbg !17
  %94 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %93, i64 0, !dbg !17
  %95 = bitcast <2 x i32> %94 to i64, !dbg !17
  %96 = add nuw nsw i32 %76, 384, !dbg !17
  %97 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %96, i64 0, !dbg !17
  %98 = bitcast <2 x i32> %97 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %95, i64 %98, i32 68222992, i1 true, i1 %72) #8, !dbg !17
  call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %72, i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49184) to i32)) #8, !dbg !17
  br label %99, !dbg !17

99:                                               ; preds = %70, %15
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %100 = and i1 %46, %67, !dbg !18
  call void asm sideeffect "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 16384;", "b,r"(i1 %100, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49168)) #8, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !19
  %101 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !19
  %102 = extractvalue { i32, i1 } %101, 1, !dbg !19
  %103 = and i1 %67, %102, !dbg !19
  %104 = and i1 %51, %103, !dbg !19
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %104, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), ptr nonnull %0, i32 128, i32 %20, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49168)) #8, !dbg !19
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !20
  %105 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !20
  %106 = extractvalue { i32, i1 } %105, 1, !dbg !20
  %107 = and i1 %67, %106, !dbg !20
  %108 = and i1 %51, %107, !dbg !20
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %108, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 40960), ptr nonnull %5, i32 %22, i32 128, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49168)) #8, !dbg !20
  %109 = add i32 %11, -64, !dbg !18
  %110 = icmp sgt i32 %109, 0, !dbg !18
  br i1 %110, label %.lr.ph, label %._crit_edge, !dbg !18

.lr.ph:                                           ; preds = %99
  %111 = add i32 %11, -192
  br label %112, !dbg !18

112:                                              ; preds = %.lr.ph, %164
  %113 = phi i32 [ 0, %.lr.ph ], [ %119, %164 ]
  %114 = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @global_smem, i32 49184), %.lr.ph ], [ %128, %164 ]
  %115 = phi i32 [ 0, %.lr.ph ], [ %126, %164 ]
  %116 = phi i32 [ 0, %.lr.ph ], [ %124, %164 ]
  %117 = phi i32 [ 2, %.lr.ph ], [ %172, %164 ]
  %118 = phi i32 [ 1, %.lr.ph ], [ %167, %164 ]
  %119 = phi i32 [ 0, %.lr.ph ], [ %169, %164 ]
  %120 = phi i32 [ 0, %.lr.ph ], [ %187, %164 ]
  %121 = icmp slt i32 %120, %111, !dbg !18
  %122 = add i32 %116, 1, !dbg !18
  %123 = icmp sgt i32 %122, 2, !dbg !18
  %124 = select i1 %123, i32 0, i32 %122, !dbg !18
  %125 = zext i1 %123 to i32, !dbg !18
  %126 = xor i32 %115, %125, !dbg !18
  %127 = getelementptr [8 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %124, !dbg !18
  call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %127, i32 %126) #8, !dbg !18
  %128 = getelementptr [8 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49184), i32 %118, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !17
  br i1 %68, label %129, label %164, !dbg !17

129:                                              ; preds = %112
  %130 = shl i32 %124, 12, !dbg !20
  %131 = getelementptr [2 x i8], ptr addrspace(3) @global_smem, i32 %130, !dbg !19
  %132 = getelementptr [2 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 24576), i32 %130, !dbg !20
  %133 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !17
  %134 = extractvalue { i32, i1 } %133, 1, !dbg !17
  %135 = ptrtoint ptr addrspace(3) %131 to i32, !dbg !17
  %136 = lshr exact i32 %135, 4, !dbg !17
  %137 = and i32 %136, 32767, !dbg !17
  %138 = ptrtoint ptr addrspace(3) %132 to i32, !dbg !17
  %139 = lshr exact i32 %138, 4, !dbg !17
  %140 = and i32 %139, 32767, !dbg !17
  %141 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %137, i64 0, !dbg !17
  %142 = bitcast <2 x i32> %141 to i64, !dbg !17
  %143 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %140, i64 0, !dbg !17
  %144 = bitcast <2 x i32> %143 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %142, i64 %144, i32 68222992, i1 true, i1 %134) #8, !dbg !17
  %145 = add nuw nsw i32 %137, 2, !dbg !17
  %146 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %145, i64 0, !dbg !17
  %147 = bitcast <2 x i32> %146 to i64, !dbg !17
  %148 = add nuw nsw i32 %140, 128, !dbg !17
  %149 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %148, i64 0, !dbg !17
  %150 = bitcast <2 x i32> %149 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %147, i64 %150, i32 68222992, i1 true, i1 %134) #8, !dbg !17
  %151 = add nuw nsw i32 %137, 4, !dbg !17
  %152 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %151, i64 0, !dbg !17
  %153 = bitcast <2 x i32> %152 to i64, !dbg !17
  %154 = add nuw nsw i32 %140, 256, !dbg !17
  %155 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %154, i64 0, !dbg !17
  %156 = bitcast <2 x i32> %155 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %153, i64 %156, i32 68222992, i1 true, i1 %134) #8, !dbg !17
  %157 = add nuw nsw i32 %137, 6, !dbg !17
  %158 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %157, i64 0, !dbg !17
  %159 = bitcast <2 x i32> %158 to i64, !dbg !17
  %160 = add nuw nsw i32 %140, 384, !dbg !17
  %161 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %160, i64 0, !dbg !17
  %162 = bitcast <2 x i32> %161 to i64, !dbg !17
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %18, i64 %159, i64 %162, i32 68222992, i1 true, i1 %134) #8, !dbg !17
  %163 = ptrtoint ptr addrspace(3) %128 to i32, !dbg !17
  call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %134, i32 %163) #8, !dbg !17
  br label %164, !dbg !17

164:                                              ; preds = %129, %112
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !17
  call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %114, i32 %113) #8, !dbg !17
  %165 = add i32 %118, 1, !dbg !17
  %166 = icmp sgt i32 %165, 1, !dbg !17
  %167 = select i1 %166, i32 0, i32 %165, !dbg !17
  %168 = zext i1 %166 to i32, !dbg !17
  %169 = xor i32 %119, %168, !dbg !17
  %170 = add i32 %117, 1, !dbg !18
  %171 = icmp sgt i32 %170, 2, !dbg !18
  %172 = select i1 %171, i32 0, i32 %170, !dbg !18
  %173 = getelementptr [8 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %172, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %174 = and i1 %46, %121, !dbg !18
  call void asm sideeffect "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], 16384;", "b,r"(i1 %174, ptr addrspace(3) %173) #8, !dbg !18
  %175 = shl i32 %172, 12, !dbg !19
  %176 = getelementptr [2 x i8], ptr addrspace(3) @global_smem, i32 %175, !dbg !19
  %177 = add i32 %120, 192, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !19
  %178 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !19
  %179 = extractvalue { i32, i1 } %178, 1, !dbg !19
  %180 = and i1 %121, %179, !dbg !19
  %181 = and i1 %51, %180, !dbg !19
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %181, ptr addrspace(3) %176, ptr nonnull %0, i32 %177, i32 %20, ptr addrspace(3) %173) #8, !dbg !19
  %182 = getelementptr [2 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 24576), i32 %175, !dbg !20
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !20
  %183 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !20
  %184 = extractvalue { i32, i1 } %183, 1, !dbg !20
  %185 = and i1 %121, %184, !dbg !20
  %186 = and i1 %51, %185, !dbg !20
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %186, ptr addrspace(3) %182, ptr nonnull %5, i32 %22, i32 %177, ptr addrspace(3) %173) #8, !dbg !20
  %187 = add i32 %120, 64, !dbg !18
  %188 = icmp slt i32 %187, %109, !dbg !18
  br i1 %188, label %112, label %._crit_edge, !dbg !18

._crit_edge:                                      ; preds = %164, %99
  %.lcssa1 = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @global_smem, i32 49184), %99 ], [ %128, %164 ], !dbg !18
  %.lcssa = phi i32 [ 0, %99 ], [ %119, %164 ], !dbg !18
  br i1 %44, label %189, label %190, !dbg !18

189:                                              ; preds = %._crit_edge
  call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %.lcssa1, i32 %.lcssa) #8, !dbg !17
  br label %190, !dbg !18

190:                                              ; preds = %189, %._crit_edge
  %191 = inttoptr i32 %18 to ptr addrspace(6), !dbg !14
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %192 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %193 = extractvalue { i32, i1 } %192, 1, !dbg !18
  %194 = and i1 %28, %193, !dbg !18
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %194, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152)) #8, !dbg !18
  %195 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %196 = extractvalue { i32, i1 } %195, 1, !dbg !18
  %197 = and i1 %28, %196, !dbg !18
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %197, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49160)) #8, !dbg !18
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %198 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %199 = extractvalue { i32, i1 } %198, 1, !dbg !18
  %200 = and i1 %28, %199, !dbg !18
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %200, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49168)) #8, !dbg !18
  %201 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %202 = extractvalue { i32, i1 } %201, 1, !dbg !18
  %203 = and i1 %28, %202, !dbg !18
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %203, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49184)) #8, !dbg !18
  %204 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !18
  %205 = extractvalue { i32, i1 } %204, 1, !dbg !18
  %206 = and i1 %28, %205, !dbg !18
  call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %206, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49192)) #8, !dbg !18
  %207 = and i32 %16, 64, !dbg !21
  %208 = lshr exact i32 %207, 6, !dbg !21
  %209 = and i32 %16, 63, !dbg !21
  %210 = or disjoint i32 %208, %20, !dbg !22
  %211 = or disjoint i32 %210, 2, !dbg !22
  %212 = or disjoint i32 %210, 4, !dbg !22
  %213 = or disjoint i32 %210, 6, !dbg !22
  %214 = or disjoint i32 %210, 8, !dbg !22
  %215 = or disjoint i32 %210, 10, !dbg !22
  %216 = or disjoint i32 %210, 12, !dbg !22
  %217 = or disjoint i32 %210, 14, !dbg !22
  %218 = or disjoint i32 %210, 16, !dbg !22
  %219 = or disjoint i32 %210, 18, !dbg !22
  %220 = or disjoint i32 %210, 20, !dbg !22
  %221 = or disjoint i32 %210, 22, !dbg !22
  %222 = or disjoint i32 %210, 24, !dbg !22
  %223 = or disjoint i32 %210, 26, !dbg !22
  %224 = or disjoint i32 %210, 28, !dbg !22
  %225 = or disjoint i32 %210, 30, !dbg !22
  %226 = or disjoint i32 %210, 32, !dbg !22
  %227 = or disjoint i32 %210, 34, !dbg !22
  %228 = or disjoint i32 %210, 36, !dbg !22
  %229 = or disjoint i32 %210, 38, !dbg !22
  %230 = or disjoint i32 %210, 40, !dbg !22
  %231 = or disjoint i32 %210, 42, !dbg !22
  %232 = or disjoint i32 %210, 44, !dbg !22
  %233 = or disjoint i32 %210, 46, !dbg !22
  %234 = or disjoint i32 %210, 48, !dbg !22
  %235 = or disjoint i32 %210, 50, !dbg !22
  %236 = or disjoint i32 %210, 52, !dbg !22
  %237 = or disjoint i32 %210, 54, !dbg !22
  %238 = or disjoint i32 %210, 56, !dbg !22
  %239 = or disjoint i32 %210, 58, !dbg !22
  %240 = or disjoint i32 %210, 60, !dbg !22
  %241 = or disjoint i32 %210, 62, !dbg !22
  %242 = or disjoint i32 %22, %209, !dbg !23
  %243 = mul i32 %12, %210, !dbg !24
  %244 = mul i32 %12, %211, !dbg !24
  %245 = mul i32 %12, %212, !dbg !24
  %246 = mul i32 %12, %213, !dbg !24
  %247 = mul i32 %12, %214, !dbg !24
  %248 = mul i32 %12, %215, !dbg !24
  %249 = mul i32 %12, %216, !dbg !24
  %250 = mul i32 %12, %217, !dbg !24
  %251 = mul i32 %12, %218, !dbg !24
  %252 = mul i32 %12, %219, !dbg !24
  %253 = mul i32 %12, %220, !dbg !24
  %254 = mul i32 %12, %221, !dbg !24
  %255 = mul i32 %12, %222, !dbg !24
  %256 = mul i32 %12, %223, !dbg !24
  %257 = mul i32 %12, %224, !dbg !24
  %258 = mul i32 %12, %225, !dbg !24
  %259 = mul i32 %12, %226, !dbg !24
  %260 = mul i32 %12, %227, !dbg !24
  %261 = mul i32 %12, %228, !dbg !24
  %262 = mul i32 %12, %229, !dbg !24
  %263 = mul i32 %12, %230, !dbg !24
  %264 = mul i32 %12, %231, !dbg !24
  %265 = mul i32 %12, %232, !dbg !24
  %266 = mul i32 %12, %233, !dbg !24
  %267 = mul i32 %12, %234, !dbg !24
  %268 = mul i32 %12, %235, !dbg !24
  %269 = mul i32 %12, %236, !dbg !24
  %270 = mul i32 %12, %237, !dbg !24
  %271 = mul i32 %12, %238, !dbg !24
  %272 = mul i32 %12, %239, !dbg !24
  %273 = mul i32 %12, %240, !dbg !24
  %274 = mul i32 %12, %241, !dbg !24
  %275 = sext i32 %243 to i64, !dbg !25
  %276 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %275, !dbg !25
  %277 = sext i32 %244 to i64, !dbg !25
  %278 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %277, !dbg !25
  %279 = sext i32 %245 to i64, !dbg !25
  %280 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %279, !dbg !25
  %281 = sext i32 %246 to i64, !dbg !25
  %282 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %281, !dbg !25
  %283 = sext i32 %247 to i64, !dbg !25
  %284 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %283, !dbg !25
  %285 = sext i32 %248 to i64, !dbg !25
  %286 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %285, !dbg !25
  %287 = sext i32 %249 to i64, !dbg !25
  %288 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %287, !dbg !25
  %289 = sext i32 %250 to i64, !dbg !25
  %290 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %289, !dbg !25
  %291 = sext i32 %251 to i64, !dbg !25
  %292 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %291, !dbg !25
  %293 = sext i32 %252 to i64, !dbg !25
  %294 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %293, !dbg !25
  %295 = sext i32 %253 to i64, !dbg !25
  %296 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %295, !dbg !25
  %297 = sext i32 %254 to i64, !dbg !25
  %298 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %297, !dbg !25
  %299 = sext i32 %255 to i64, !dbg !25
  %300 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %299, !dbg !25
  %301 = sext i32 %256 to i64, !dbg !25
  %302 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %301, !dbg !25
  %303 = sext i32 %257 to i64, !dbg !25
  %304 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %303, !dbg !25
  %305 = sext i32 %258 to i64, !dbg !25
  %306 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %305, !dbg !25
  %307 = sext i32 %259 to i64, !dbg !25
  %308 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %307, !dbg !25
  %309 = sext i32 %260 to i64, !dbg !25
  %310 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %309, !dbg !25
  %311 = sext i32 %261 to i64, !dbg !25
  %312 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %311, !dbg !25
  %313 = sext i32 %262 to i64, !dbg !25
  %314 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %313, !dbg !25
  %315 = sext i32 %263 to i64, !dbg !25
  %316 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %315, !dbg !25
  %317 = sext i32 %264 to i64, !dbg !25
  %318 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %317, !dbg !25
  %319 = sext i32 %265 to i64, !dbg !25
  %320 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %319, !dbg !25
  %321 = sext i32 %266 to i64, !dbg !25
  %322 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %321, !dbg !25
  %323 = sext i32 %267 to i64, !dbg !25
  %324 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %323, !dbg !25
  %325 = sext i32 %268 to i64, !dbg !25
  %326 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %325, !dbg !25
  %327 = sext i32 %269 to i64, !dbg !25
  %328 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %327, !dbg !25
  %329 = sext i32 %270 to i64, !dbg !25
  %330 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %329, !dbg !25
  %331 = sext i32 %271 to i64, !dbg !25
  %332 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %331, !dbg !25
  %333 = sext i32 %272 to i64, !dbg !25
  %334 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %333, !dbg !25
  %335 = sext i32 %273 to i64, !dbg !25
  %336 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %335, !dbg !25
  %337 = sext i32 %274 to i64, !dbg !25
  %338 = getelementptr [4 x i8], ptr addrspace(1) %10, i64 %337, !dbg !25
  %339 = zext nneg i32 %242 to i64, !dbg !25
  %340 = getelementptr [4 x i8], ptr addrspace(1) %276, i64 %339, !dbg !25
  %341 = getelementptr [4 x i8], ptr addrspace(1) %278, i64 %339, !dbg !25
  %342 = getelementptr [4 x i8], ptr addrspace(1) %280, i64 %339, !dbg !25
  %343 = getelementptr [4 x i8], ptr addrspace(1) %282, i64 %339, !dbg !25
  %344 = getelementptr [4 x i8], ptr addrspace(1) %284, i64 %339, !dbg !25
  %345 = getelementptr [4 x i8], ptr addrspace(1) %286, i64 %339, !dbg !25
  %346 = getelementptr [4 x i8], ptr addrspace(1) %288, i64 %339, !dbg !25
  %347 = getelementptr [4 x i8], ptr addrspace(1) %290, i64 %339, !dbg !25
  %348 = getelementptr [4 x i8], ptr addrspace(1) %292, i64 %339, !dbg !25
  %349 = getelementptr [4 x i8], ptr addrspace(1) %294, i64 %339, !dbg !25
  %350 = getelementptr [4 x i8], ptr addrspace(1) %296, i64 %339, !dbg !25
  %351 = getelementptr [4 x i8], ptr addrspace(1) %298, i64 %339, !dbg !25
  %352 = getelementptr [4 x i8], ptr addrspace(1) %300, i64 %339, !dbg !25
  %353 = getelementptr [4 x i8], ptr addrspace(1) %302, i64 %339, !dbg !25
  %354 = getelementptr [4 x i8], ptr addrspace(1) %304, i64 %339, !dbg !25
  %355 = getelementptr [4 x i8], ptr addrspace(1) %306, i64 %339, !dbg !25
  %356 = getelementptr [4 x i8], ptr addrspace(1) %308, i64 %339, !dbg !25
  %357 = getelementptr [4 x i8], ptr addrspace(1) %310, i64 %339, !dbg !25
  %358 = getelementptr [4 x i8], ptr addrspace(1) %312, i64 %339, !dbg !25
  %359 = getelementptr [4 x i8], ptr addrspace(1) %314, i64 %339, !dbg !25
  %360 = getelementptr [4 x i8], ptr addrspace(1) %316, i64 %339, !dbg !25
  %361 = getelementptr [4 x i8], ptr addrspace(1) %318, i64 %339, !dbg !25
  %362 = getelementptr [4 x i8], ptr addrspace(1) %320, i64 %339, !dbg !25
  %363 = getelementptr [4 x i8], ptr addrspace(1) %322, i64 %339, !dbg !25
  %364 = getelementptr [4 x i8], ptr addrspace(1) %324, i64 %339, !dbg !25
  %365 = getelementptr [4 x i8], ptr addrspace(1) %326, i64 %339, !dbg !25
  %366 = getelementptr [4 x i8], ptr addrspace(1) %328, i64 %339, !dbg !25
  %367 = getelementptr [4 x i8], ptr addrspace(1) %330, i64 %339, !dbg !25
  %368 = getelementptr [4 x i8], ptr addrspace(1) %332, i64 %339, !dbg !25
  %369 = getelementptr [4 x i8], ptr addrspace(1) %334, i64 %339, !dbg !25
  %370 = getelementptr [4 x i8], ptr addrspace(1) %336, i64 %339, !dbg !25
  %371 = getelementptr [4 x i8], ptr addrspace(1) %338, i64 %339, !dbg !25
  %372 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "tcgen05.ld.sync.aligned.16x32bx2.x32.b32 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, [$32 + 0], 32;", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r"(i32 %27) #8, !dbg !17
  %373 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 0, !dbg !17
  %374 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 1, !dbg !17
  %375 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 2, !dbg !17
  %376 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 3, !dbg !17
  %377 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 4, !dbg !17
  %378 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 5, !dbg !17
  %379 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 6, !dbg !17
  %380 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 7, !dbg !17
  %381 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 8, !dbg !17
  %382 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 9, !dbg !17
  %383 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 10, !dbg !17
  %384 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 11, !dbg !17
  %385 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 12, !dbg !17
  %386 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 13, !dbg !17
  %387 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 14, !dbg !17
  %388 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 15, !dbg !17
  %389 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 16, !dbg !17
  %390 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 17, !dbg !17
  %391 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 18, !dbg !17
  %392 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 19, !dbg !17
  %393 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 20, !dbg !17
  %394 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 21, !dbg !17
  %395 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 22, !dbg !17
  %396 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 23, !dbg !17
  %397 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 24, !dbg !17
  %398 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 25, !dbg !17
  %399 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 26, !dbg !17
  %400 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 27, !dbg !17
  %401 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 28, !dbg !17
  %402 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 29, !dbg !17
  %403 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 30, !dbg !17
  %404 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %372, 31, !dbg !17
  call void @llvm.nvvm.tcgen05.wait.ld(), !dbg !26
  %405 = and i32 %16, 7, !dbg !26
  %406 = insertelement <4 x i32> poison, i32 %16, i64 0, !dbg !26
  %407 = insertelement <4 x i32> %406, i32 %405, i64 1, !dbg !26
  %408 = shufflevector <4 x i32> %407, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 0, i32 1>, !dbg !26
  %409 = shl nuw nsw <4 x i32> %408, <i32 4, i32 6, i32 3, i32 11>, !dbg !26
  %410 = and <4 x i32> %409, <i32 240, i32 1024, i32 768, i32 -1>, !dbg !26
  %411 = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %410), !dbg !26
  %412 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %411, !dbg !26
  %413 = insertelement <4 x i32> poison, i32 %373, i64 0, !dbg !26
  %414 = insertelement <4 x i32> %413, i32 %374, i64 1, !dbg !26
  %415 = insertelement <4 x i32> %414, i32 %375, i64 2, !dbg !26
  %416 = insertelement <4 x i32> %415, i32 %376, i64 3, !dbg !26
  store <4 x i32> %416, ptr addrspace(3) %412, align 16, !dbg !26
  %417 = xor i32 %411, 16, !dbg !26
  %418 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %417, !dbg !26
  %419 = insertelement <4 x i32> poison, i32 %377, i64 0, !dbg !26
  %420 = insertelement <4 x i32> %419, i32 %378, i64 1, !dbg !26
  %421 = insertelement <4 x i32> %420, i32 %379, i64 2, !dbg !26
  %422 = insertelement <4 x i32> %421, i32 %380, i64 3, !dbg !26
  store <4 x i32> %422, ptr addrspace(3) %418, align 16, !dbg !26
  %423 = xor i32 %411, 32, !dbg !26
  %424 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %423, !dbg !26
  %425 = insertelement <4 x i32> poison, i32 %381, i64 0, !dbg !26
  %426 = insertelement <4 x i32> %425, i32 %382, i64 1, !dbg !26
  %427 = insertelement <4 x i32> %426, i32 %383, i64 2, !dbg !26
  %428 = insertelement <4 x i32> %427, i32 %384, i64 3, !dbg !26
  store <4 x i32> %428, ptr addrspace(3) %424, align 16, !dbg !26
  %429 = xor i32 %411, 48, !dbg !26
  %430 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %429, !dbg !26
  %431 = insertelement <4 x i32> poison, i32 %385, i64 0, !dbg !26
  %432 = insertelement <4 x i32> %431, i32 %386, i64 1, !dbg !26
  %433 = insertelement <4 x i32> %432, i32 %387, i64 2, !dbg !26
  %434 = insertelement <4 x i32> %433, i32 %388, i64 3, !dbg !26
  store <4 x i32> %434, ptr addrspace(3) %430, align 16, !dbg !26
  %435 = xor i32 %411, 64, !dbg !26
  %436 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %435, !dbg !26
  %437 = insertelement <4 x i32> poison, i32 %389, i64 0, !dbg !26
  %438 = insertelement <4 x i32> %437, i32 %390, i64 1, !dbg !26
  %439 = insertelement <4 x i32> %438, i32 %391, i64 2, !dbg !26
  %440 = insertelement <4 x i32> %439, i32 %392, i64 3, !dbg !26
  store <4 x i32> %440, ptr addrspace(3) %436, align 16, !dbg !26
  %441 = xor i32 %411, 80, !dbg !26
  %442 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %441, !dbg !26
  %443 = insertelement <4 x i32> poison, i32 %393, i64 0, !dbg !26
  %444 = insertelement <4 x i32> %443, i32 %394, i64 1, !dbg !26
  %445 = insertelement <4 x i32> %444, i32 %395, i64 2, !dbg !26
  %446 = insertelement <4 x i32> %445, i32 %396, i64 3, !dbg !26
  store <4 x i32> %446, ptr addrspace(3) %442, align 16, !dbg !26
  %447 = xor i32 %411, 96, !dbg !26
  %448 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %447, !dbg !26
  %449 = insertelement <4 x i32> poison, i32 %397, i64 0, !dbg !26
  %450 = insertelement <4 x i32> %449, i32 %398, i64 1, !dbg !26
  %451 = insertelement <4 x i32> %450, i32 %399, i64 2, !dbg !26
  %452 = insertelement <4 x i32> %451, i32 %400, i64 3, !dbg !26
  store <4 x i32> %452, ptr addrspace(3) %448, align 16, !dbg !26
  %453 = xor i32 %411, 112, !dbg !26
  %454 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %453, !dbg !26
  %455 = insertelement <4 x i32> poison, i32 %401, i64 0, !dbg !26
  %456 = insertelement <4 x i32> %455, i32 %402, i64 1, !dbg !26
  %457 = insertelement <4 x i32> %456, i32 %403, i64 2, !dbg !26
  %458 = insertelement <4 x i32> %457, i32 %404, i64 3, !dbg !26
  store <4 x i32> %458, ptr addrspace(3) %454, align 16, !dbg !26
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !26
  %459 = and i32 %16, 24, !dbg !26
  %460 = shl nuw nsw i32 %459, 9, !dbg !26
  %461 = shl nuw nsw i32 %405, 4, !dbg !26
  %462 = shl nuw nsw i32 %459, 2, !dbg !26
  %463 = shl nuw nsw i32 %16, 5, !dbg !26
  %464 = and i32 %463, 1024, !dbg !26
  %465 = icmp eq i32 %207, 0, !dbg !26
  %466 = select i1 %465, i32 0, i32 2064, !dbg !26
  %467 = or disjoint i32 %460, %461, !dbg !26
  %468 = or disjoint i32 %466, %462, !dbg !26
  %469 = xor i32 %468, %467, !dbg !26
  %470 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %464, !dbg !26
  %471 = getelementptr inbounds nuw i8, ptr addrspace(3) %470, i32 %469, !dbg !26
  %472 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %471), !dbg !26
  %473 = extractvalue { i32, i32, i32, i32 } %472, 0, !dbg !26
  %474 = extractvalue { i32, i32, i32, i32 } %472, 1, !dbg !26
  %475 = extractvalue { i32, i32, i32, i32 } %472, 2, !dbg !26
  %476 = extractvalue { i32, i32, i32, i32 } %472, 3, !dbg !26
  %477 = getelementptr inbounds nuw i8, ptr addrspace(3) %471, i32 128, !dbg !26
  %478 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %477), !dbg !26
  %479 = extractvalue { i32, i32, i32, i32 } %478, 0, !dbg !26
  %480 = extractvalue { i32, i32, i32, i32 } %478, 1, !dbg !26
  %481 = extractvalue { i32, i32, i32, i32 } %478, 2, !dbg !26
  %482 = extractvalue { i32, i32, i32, i32 } %478, 3, !dbg !26
  %483 = getelementptr inbounds nuw i8, ptr addrspace(3) %471, i32 256, !dbg !26
  %484 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %483), !dbg !26
  %485 = extractvalue { i32, i32, i32, i32 } %484, 0, !dbg !26
  %486 = extractvalue { i32, i32, i32, i32 } %484, 1, !dbg !26
  %487 = extractvalue { i32, i32, i32, i32 } %484, 2, !dbg !26
  %488 = extractvalue { i32, i32, i32, i32 } %484, 3, !dbg !26
  %489 = getelementptr inbounds nuw i8, ptr addrspace(3) %471, i32 384, !dbg !26
  %490 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %489), !dbg !26
  %491 = extractvalue { i32, i32, i32, i32 } %490, 0, !dbg !26
  %492 = extractvalue { i32, i32, i32, i32 } %490, 1, !dbg !26
  %493 = extractvalue { i32, i32, i32, i32 } %490, 2, !dbg !26
  %494 = extractvalue { i32, i32, i32, i32 } %490, 3, !dbg !26
  %495 = getelementptr inbounds nuw i8, ptr addrspace(3) %471, i32 512, !dbg !26
  %496 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %495), !dbg !26
  %497 = extractvalue { i32, i32, i32, i32 } %496, 0, !dbg !26
  %498 = extractvalue { i32, i32, i32, i32 } %496, 1, !dbg !26
  %499 = extractvalue { i32, i32, i32, i32 } %496, 2, !dbg !26
  %500 = extractvalue { i32, i32, i32, i32 } %496, 3, !dbg !26
  %501 = getelementptr inbounds nuw i8, ptr addrspace(3) %471, i32 640, !dbg !26
  %502 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %501), !dbg !26
  %503 = extractvalue { i32, i32, i32, i32 } %502, 0, !dbg !26
  %504 = extractvalue { i32, i32, i32, i32 } %502, 1, !dbg !26
  %505 = extractvalue { i32, i32, i32, i32 } %502, 2, !dbg !26
  %506 = extractvalue { i32, i32, i32, i32 } %502, 3, !dbg !26
  %507 = getelementptr inbounds nuw i8, ptr addrspace(3) %471, i32 768, !dbg !26
  %508 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %507), !dbg !26
  %509 = extractvalue { i32, i32, i32, i32 } %508, 0, !dbg !26
  %510 = extractvalue { i32, i32, i32, i32 } %508, 1, !dbg !26
  %511 = extractvalue { i32, i32, i32, i32 } %508, 2, !dbg !26
  %512 = extractvalue { i32, i32, i32, i32 } %508, 3, !dbg !26
  %513 = getelementptr inbounds nuw i8, ptr addrspace(3) %471, i32 896, !dbg !26
  %514 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %513), !dbg !26
  %515 = extractvalue { i32, i32, i32, i32 } %514, 0, !dbg !26
  %516 = extractvalue { i32, i32, i32, i32 } %514, 1, !dbg !26
  %517 = extractvalue { i32, i32, i32, i32 } %514, 2, !dbg !26
  %518 = extractvalue { i32, i32, i32, i32 } %514, 3, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %473, ptr addrspace(1) %340) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %474, ptr addrspace(1) %341) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %475, ptr addrspace(1) %342) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %476, ptr addrspace(1) %343) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %479, ptr addrspace(1) %344) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %480, ptr addrspace(1) %345) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %481, ptr addrspace(1) %346) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %482, ptr addrspace(1) %347) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %485, ptr addrspace(1) %348) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %486, ptr addrspace(1) %349) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %487, ptr addrspace(1) %350) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %488, ptr addrspace(1) %351) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %491, ptr addrspace(1) %352) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %492, ptr addrspace(1) %353) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %493, ptr addrspace(1) %354) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %494, ptr addrspace(1) %355) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %497, ptr addrspace(1) %356) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %498, ptr addrspace(1) %357) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %499, ptr addrspace(1) %358) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %500, ptr addrspace(1) %359) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %503, ptr addrspace(1) %360) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %504, ptr addrspace(1) %361) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %505, ptr addrspace(1) %362) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %506, ptr addrspace(1) %363) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %509, ptr addrspace(1) %364) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %510, ptr addrspace(1) %365) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %511, ptr addrspace(1) %366) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %512, ptr addrspace(1) %367) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %515, ptr addrspace(1) %368) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %516, ptr addrspace(1) %369) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %517, ptr addrspace(1) %370) #8, !dbg !26
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %518, ptr addrspace(1) %371) #8, !dbg !26
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0), !dbg !14
  call void asm sideeffect "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 64;", "b,r"(i1 %17, ptr addrspace(6) %191) #8, !dbg !14
  ret void, !dbg !14
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #3

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.st() #4

; Function Attrs: convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #5

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.ld() #4

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #6

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>) #7

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nounwind memory(inaccessiblemem: readwrite) }
attributes #5 = { convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #6 = { convergent nocallback nofree nounwind memory(argmem: read) }
attributes #7 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nounwind }

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
!14 = !DILocation(line: 36, column: 1, scope: !4)
!15 = !DILocation(line: 38, column: 11, scope: !4)
!16 = !DILocation(line: 39, column: 14, scope: !4)
!17 = !DILocation(line: 42, column: 17, scope: !4)
!18 = !DILocation(line: 41, column: 5, scope: !4)
!19 = !DILocation(line: 42, column: 24, scope: !4)
!20 = !DILocation(line: 42, column: 42, scope: !4)
!21 = !DILocation(line: 43, column: 18, scope: !4)
!22 = !DILocation(line: 43, column: 12, scope: !4)
!23 = !DILocation(line: 44, column: 15, scope: !4)
!24 = !DILocation(line: 45, column: 18, scope: !4)
!25 = !DILocation(line: 45, column: 14, scope: !4)
!26 = !DILocation(line: 45, column: 5, scope: !4)
