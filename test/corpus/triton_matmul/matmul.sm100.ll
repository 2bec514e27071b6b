; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @matmul(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, i32 %4, i32 %5, ptr addrspace(1) nofree readnone captures(none) %6, ptr addrspace(1) nofree readnone captures(none) %7) local_unnamed_addr #0 !dbg !4 {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !14
  %10 = icmp samesign ult i32 %9, 32, !dbg !14
  tail call void asm sideeffect "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 32;", "b,r"(i1 %10, ptr addrspace(3) @global_smem) #8, !dbg !14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !14
  %11 = load i32, ptr addrspace(3) @global_smem, align 16, !dbg !14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !14
  tail call void asm sideeffect "@$0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "b"(i1 %10) #8, !dbg !14
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %13 = shl i32 %12, 6, !dbg !15
  %14 = lshr i32 %9, 5, !dbg !16
  %15 = and i32 %9, 96, !dbg !16
  %16 = lshr exact i32 %15, 5, !dbg !16
  %17 = or disjoint i32 %16, 4, !dbg !16
  %18 = or disjoint i32 %16, 8, !dbg !16
  %19 = or disjoint i32 %16, 12, !dbg !16
  %20 = or disjoint i32 %16, 16, !dbg !16
  %21 = or disjoint i32 %16, 20, !dbg !16
  %22 = or disjoint i32 %16, 24, !dbg !16
  %23 = or disjoint i32 %16, 28, !dbg !16
  %24 = or disjoint i32 %16, %13, !dbg !15
  %25 = or disjoint i32 %17, %13, !dbg !15
  %26 = or disjoint i32 %18, %13, !dbg !15
  %27 = or disjoint i32 %19, %13, !dbg !15
  %28 = or disjoint i32 %20, %13, !dbg !15
  %29 = or disjoint i32 %21, %13, !dbg !15
  %30 = or disjoint i32 %22, %13, !dbg !15
  %31 = or disjoint i32 %23, %13, !dbg !15
  %32 = or disjoint i32 %24, 32, !dbg !15
  %33 = or disjoint i32 %24, 36, !dbg !15
  %34 = or disjoint i32 %24, 40, !dbg !15
  %35 = or disjoint i32 %24, 44, !dbg !15
  %36 = or disjoint i32 %24, 48, !dbg !15
  %37 = or disjoint i32 %24, 52, !dbg !15
  %38 = or disjoint i32 %24, 56, !dbg !15
  %39 = or disjoint i32 %24, 60, !dbg !15
  %40 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !17
  %41 = shl nuw nsw i32 %40, 5, !dbg !17
  %42 = and i32 %9, 31, !dbg !18
  %43 = or disjoint i32 %41, %42, !dbg !17
  %44 = mul i32 %5, %24, !dbg !19
  %45 = mul i32 %5, %25, !dbg !19
  %46 = mul i32 %5, %26, !dbg !19
  %47 = mul i32 %5, %27, !dbg !19
  %48 = mul i32 %5, %28, !dbg !19
  %49 = mul i32 %5, %29, !dbg !19
  %50 = mul i32 %5, %30, !dbg !19
  %51 = mul i32 %5, %31, !dbg !19
  %52 = mul i32 %5, %32, !dbg !19
  %53 = mul i32 %5, %33, !dbg !19
  %54 = mul i32 %5, %34, !dbg !19
  %55 = mul i32 %5, %35, !dbg !19
  %56 = mul i32 %5, %36, !dbg !19
  %57 = mul i32 %5, %37, !dbg !19
  %58 = mul i32 %5, %38, !dbg !19
  %59 = mul i32 %5, %39, !dbg !19
  %60 = sext i32 %44 to i64, !dbg !20
  %61 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %60, !dbg !20
  %62 = sext i32 %45 to i64, !dbg !20
  %63 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %62, !dbg !20
  %64 = sext i32 %46 to i64, !dbg !20
  %65 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %64, !dbg !20
  %66 = sext i32 %47 to i64, !dbg !20
  %67 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %66, !dbg !20
  %68 = sext i32 %48 to i64, !dbg !20
  %69 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %68, !dbg !20
  %70 = sext i32 %49 to i64, !dbg !20
  %71 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %70, !dbg !20
  %72 = sext i32 %50 to i64, !dbg !20
  %73 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %72, !dbg !20
  %74 = sext i32 %51 to i64, !dbg !20
  %75 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %74, !dbg !20
  %76 = sext i32 %52 to i64, !dbg !20
  %77 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %76, !dbg !20
  %78 = sext i32 %53 to i64, !dbg !20
  %79 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %78, !dbg !20
  %80 = sext i32 %54 to i64, !dbg !20
  %81 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %80, !dbg !20
  %82 = sext i32 %55 to i64, !dbg !20
  %83 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %82, !dbg !20
  %84 = sext i32 %56 to i64, !dbg !20
  %85 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %84, !dbg !20
  %86 = sext i32 %57 to i64, !dbg !20
  %87 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %86, !dbg !20
  %88 = sext i32 %58 to i64, !dbg !20
  %89 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %88, !dbg !20
  %90 = sext i32 %59 to i64, !dbg !20
  %91 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %90, !dbg !20
  %92 = icmp slt i32 %24, %3, !dbg !21
  %93 = icmp slt i32 %25, %3, !dbg !21
  %94 = icmp slt i32 %26, %3, !dbg !21
  %95 = icmp slt i32 %27, %3, !dbg !21
  %96 = icmp slt i32 %28, %3, !dbg !21
  %97 = icmp slt i32 %29, %3, !dbg !21
  %98 = icmp slt i32 %30, %3, !dbg !21
  %99 = icmp slt i32 %31, %3, !dbg !21
  %100 = icmp slt i32 %32, %3, !dbg !21
  %101 = icmp slt i32 %33, %3, !dbg !21
  %102 = icmp slt i32 %34, %3, !dbg !21
  %103 = icmp slt i32 %35, %3, !dbg !21
  %104 = icmp slt i32 %36, %3, !dbg !21
  %105 = icmp slt i32 %37, %3, !dbg !21
  %106 = icmp slt i32 %38, %3, !dbg !21
  %107 = icmp slt i32 %39, %3, !dbg !21
  %108 = icmp slt i32 %43, %4, !dbg !22
  %109 = tail call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %14, i32 0, i32 31), !dbg !23
  %110 = shl i32 %109, 21, !dbg !23
  %111 = and i32 %110, 6291456, !dbg !23
  %112 = add i32 %111, %11, !dbg !23
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.16x32bx2.x16.b32 [$1 + 0], 16, {$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17};", "b,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r"(i1 true, i32 %112, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00) #8, !dbg !23
  tail call void @llvm.nvvm.tcgen05.wait.st(), !dbg !24
  %113 = icmp eq i32 %14, 0, !dbg !24
  %114 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !24
  %115 = extractvalue { i32, i1 } %114, 1, !dbg !24
  %116 = and i1 %113, %115, !dbg !24
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %116, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288)) #8, !dbg !24
  %117 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !24
  %118 = extractvalue { i32, i1 } %117, 1, !dbg !24
  %119 = and i1 %113, %118, !dbg !24
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %119, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12296)) #8, !dbg !24
  %120 = icmp sgt i32 %5, 0, !dbg !24
  %121 = zext nneg i32 %42 to i64, !dbg !20
  %122 = getelementptr [2 x i8], ptr addrspace(1) %61, i64 %121, !dbg !20
  %123 = getelementptr [2 x i8], ptr addrspace(1) %63, i64 %121, !dbg !20
  %124 = getelementptr [2 x i8], ptr addrspace(1) %65, i64 %121, !dbg !20
  %125 = getelementptr [2 x i8], ptr addrspace(1) %67, i64 %121, !dbg !20
  %126 = getelementptr [2 x i8], ptr addrspace(1) %69, i64 %121, !dbg !20
  %127 = getelementptr [2 x i8], ptr addrspace(1) %71, i64 %121, !dbg !20
  %128 = getelementptr [2 x i8], ptr addrspace(1) %73, i64 %121, !dbg !20
  %129 = getelementptr [2 x i8], ptr addrspace(1) %75, i64 %121, !dbg !20
  %130 = getelementptr [2 x i8], ptr addrspace(1) %77, i64 %121, !dbg !20
  %131 = getelementptr [2 x i8], ptr addrspace(1) %79, i64 %121, !dbg !20
  %132 = getelementptr [2 x i8], ptr addrspace(1) %81, i64 %121, !dbg !20
  %133 = getelementptr [2 x i8], ptr addrspace(1) %83, i64 %121, !dbg !20
  %134 = getelementptr [2 x i8], ptr addrspace(1) %85, i64 %121, !dbg !20
  %135 = getelementptr [2 x i8], ptr addrspace(1) %87, i64 %121, !dbg !20
  %136 = getelementptr [2 x i8], ptr addrspace(1) %89, i64 %121, !dbg !20
  %137 = getelementptr [2 x i8], ptr addrspace(1) %91, i64 %121, !dbg !20
  %138 = mul i32 %4, %16, !dbg !25
  %139 = mul i32 %4, %17, !dbg !25
  %140 = mul i32 %4, %18, !dbg !25
  %141 = mul i32 %4, %19, !dbg !25
  %142 = mul i32 %4, %20, !dbg !25
  %143 = mul i32 %4, %21, !dbg !25
  %144 = mul i32 %4, %22, !dbg !25
  %145 = mul i32 %4, %23, !dbg !25
  %146 = sext i32 %138 to i64, !dbg !26
  %147 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %146, !dbg !26
  %148 = sext i32 %139 to i64, !dbg !26
  %149 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %148, !dbg !26
  %150 = sext i32 %140 to i64, !dbg !26
  %151 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %150, !dbg !26
  %152 = sext i32 %141 to i64, !dbg !26
  %153 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %152, !dbg !26
  %154 = sext i32 %142 to i64, !dbg !26
  %155 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %154, !dbg !26
  %156 = sext i32 %143 to i64, !dbg !26
  %157 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %156, !dbg !26
  %158 = sext i32 %144 to i64, !dbg !26
  %159 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %158, !dbg !26
  %160 = sext i32 %145 to i64, !dbg !26
  %161 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %160, !dbg !26
  %162 = zext nneg i32 %43 to i64, !dbg !26
  %163 = getelementptr [2 x i8], ptr addrspace(1) %147, i64 %162, !dbg !26
  %164 = getelementptr [2 x i8], ptr addrspace(1) %149, i64 %162, !dbg !26
  %165 = getelementptr [2 x i8], ptr addrspace(1) %151, i64 %162, !dbg !26
  %166 = getelementptr [2 x i8], ptr addrspace(1) %153, i64 %162, !dbg !26
  %167 = getelementptr [2 x i8], ptr addrspace(1) %155, i64 %162, !dbg !26
  %168 = getelementptr [2 x i8], ptr addrspace(1) %157, i64 %162, !dbg !26
  %169 = getelementptr [2 x i8], ptr addrspace(1) %159, i64 %162, !dbg !26
  %170 = getelementptr [2 x i8], ptr addrspace(1) %161, i64 %162, !dbg !26
  %171 = icmp slt i32 %16, %5, !dbg !27
  %172 = icmp slt i32 %17, %5, !dbg !27
  %173 = icmp slt i32 %18, %5, !dbg !27
  %174 = icmp slt i32 %19, %5, !dbg !27
  %175 = icmp slt i32 %20, %5, !dbg !27
  %176 = icmp slt i32 %21, %5, !dbg !27
  %177 = icmp slt i32 %22, %5, !dbg !27
  %178 = icmp slt i32 %23, %5, !dbg !27
  %179 = icmp slt i32 %42, %5, !dbg !27
  %180 = and i1 %92, %179, !dbg !28
  %181 = and i1 %93, %179, !dbg !28
  %182 = and i1 %94, %179, !dbg !28
  %183 = and i1 %95, %179, !dbg !28
  %184 = and i1 %96, %179, !dbg !28
  %185 = and i1 %97, %179, !dbg !28
  %186 = and i1 %98, %179, !dbg !28
  %187 = and i1 %99, %179, !dbg !28
  %188 = and i1 %100, %179, !dbg !28
  %189 = and i1 %101, %179, !dbg !28
  %190 = and i1 %102, %179, !dbg !28
  %191 = and i1 %103, %179, !dbg !28
  %192 = and i1 %104, %179, !dbg !28
  %193 = and i1 %105, %179, !dbg !28
  %194 = and i1 %106, %179, !dbg !28
  %195 = and i1 %107, %179, !dbg !28
  %196 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %122, i1 %180) #8, !dbg !29
  %197 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %123, i1 %181) #8, !dbg !29
  %198 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %124, i1 %182) #8, !dbg !29
  %199 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %125, i1 %183) #8, !dbg !29
  %200 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %126, i1 %184) #8, !dbg !29
  %201 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %127, i1 %185) #8, !dbg !29
  %202 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %128, i1 %186) #8, !dbg !29
  %203 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %129, i1 %187) #8, !dbg !29
  %204 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %130, i1 %188) #8, !dbg !29
  %205 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %131, i1 %189) #8, !dbg !29
  %206 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %132, i1 %190) #8, !dbg !29
  %207 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %133, i1 %191) #8, !dbg !29
  %208 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %134, i1 %192) #8, !dbg !29
  %209 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %135, i1 %193) #8, !dbg !29
  %210 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %136, i1 %194) #8, !dbg !29
  %211 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %137, i1 %195) #8, !dbg !29
  %212 = shl nuw nsw i32 %9, 1, !dbg !29
  %213 = and i32 %212, 126, !dbg !29
  %214 = and i32 %9, 64, !dbg !29
  %215 = icmp eq i32 %214, 0, !dbg !29
  %216 = select i1 %215, i32 0, i32 144, !dbg !29
  %217 = xor i32 %216, %213, !dbg !29
  %218 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %217, !dbg !29
  %219 = insertelement <1 x i16> poison, i16 %196, i64 0, !dbg !29
  store <1 x i16> %219, ptr addrspace(3) %218, align 2, !dbg !29
  %220 = or disjoint i32 %217, 512, !dbg !29
  %221 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %220, !dbg !29
  %222 = insertelement <1 x i16> poison, i16 %198, i64 0, !dbg !29
  store <1 x i16> %222, ptr addrspace(3) %221, align 2, !dbg !29
  %223 = or disjoint i32 %217, 1024, !dbg !29
  %224 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %223, !dbg !29
  %225 = insertelement <1 x i16> poison, i16 %200, i64 0, !dbg !29
  store <1 x i16> %225, ptr addrspace(3) %224, align 2, !dbg !29
  %226 = or disjoint i32 %217, 1536, !dbg !29
  %227 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %226, !dbg !29
  %228 = insertelement <1 x i16> poison, i16 %202, i64 0, !dbg !29
  store <1 x i16> %228, ptr addrspace(3) %227, align 2, !dbg !29
  %229 = or disjoint i32 %217, 2048, !dbg !29
  %230 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %229, !dbg !29
  %231 = insertelement <1 x i16> poison, i16 %204, i64 0, !dbg !29
  store <1 x i16> %231, ptr addrspace(3) %230, align 2, !dbg !29
  %232 = or disjoint i32 %217, 2560, !dbg !29
  %233 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %232, !dbg !29
  %234 = insertelement <1 x i16> poison, i16 %206, i64 0, !dbg !29
  store <1 x i16> %234, ptr addrspace(3) %233, align 2, !dbg !29
  %235 = or disjoint i32 %217, 3072, !dbg !29
  %236 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %235, !dbg !29
  %237 = insertelement <1 x i16> poison, i16 %208, i64 0, !dbg !29
  store <1 x i16> %237, ptr addrspace(3) %236, align 2, !dbg !29
  %238 = or disjoint i32 %217, 3584, !dbg !29
  %239 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %238, !dbg !29
  %240 = insertelement <1 x i16> poison, i16 %210, i64 0, !dbg !29
  store <1 x i16> %240, ptr addrspace(3) %239, align 2, !dbg !29
  %241 = xor i32 %217, 288, !dbg !29
  %242 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %241, !dbg !29
  %243 = insertelement <1 x i16> poison, i16 %197, i64 0, !dbg !29
  store <1 x i16> %243, ptr addrspace(3) %242, align 2, !dbg !29
  %244 = or disjoint i32 %241, 512, !dbg !29
  %245 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %244, !dbg !29
  %246 = insertelement <1 x i16> poison, i16 %199, i64 0, !dbg !29
  store <1 x i16> %246, ptr addrspace(3) %245, align 2, !dbg !29
  %247 = or disjoint i32 %241, 1024, !dbg !29
  %248 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %247, !dbg !29
  %249 = insertelement <1 x i16> poison, i16 %201, i64 0, !dbg !29
  store <1 x i16> %249, ptr addrspace(3) %248, align 2, !dbg !29
  %250 = or disjoint i32 %241, 1536, !dbg !29
  %251 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %250, !dbg !29
  %252 = insertelement <1 x i16> poison, i16 %203, i64 0, !dbg !29
  store <1 x i16> %252, ptr addrspace(3) %251, align 2, !dbg !29
  %253 = or disjoint i32 %241, 2048, !dbg !29
  %254 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %253, !dbg !29
  %255 = insertelement <1 x i16> poison, i16 %205, i64 0, !dbg !29
  store <1 x i16> %255, ptr addrspace(3) %254, align 2, !dbg !29
  %256 = or disjoint i32 %241, 2560, !dbg !29
  %257 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %256, !dbg !29
  %258 = insertelement <1 x i16> poison, i16 %207, i64 0, !dbg !29
  store <1 x i16> %258, ptr addrspace(3) %257, align 2, !dbg !29
  %259 = or disjoint i32 %241, 3072, !dbg !29
  %260 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %259, !dbg !29
  %261 = insertelement <1 x i16> poison, i16 %209, i64 0, !dbg !29
  store <1 x i16> %261, ptr addrspace(3) %260, align 2, !dbg !29
  %262 = or disjoint i32 %241, 3584, !dbg !29
  %263 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %262, !dbg !29
  %264 = insertelement <1 x i16> poison, i16 %211, i64 0, !dbg !29
  store <1 x i16> %264, ptr addrspace(3) %263, align 2, !dbg !29
  %265 = and i1 %108, %171, !dbg !30
  %266 = and i1 %108, %172, !dbg !30
  %267 = and i1 %108, %173, !dbg !30
  %268 = and i1 %108, %174, !dbg !30
  %269 = and i1 %108, %175, !dbg !30
  %270 = and i1 %108, %176, !dbg !30
  %271 = and i1 %108, %177, !dbg !30
  %272 = and i1 %108, %178, !dbg !30
  %273 = and i1 %120, %266, !dbg !24
  %274 = and i1 %120, %267, !dbg !24
  %275 = and i1 %120, %268, !dbg !24
  %276 = and i1 %120, %269, !dbg !24
  %277 = and i1 %120, %270, !dbg !24
  %278 = and i1 %120, %271, !dbg !24
  %279 = and i1 %120, %272, !dbg !24
  %280 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %163, i1 %265) #8, !dbg !31
  %281 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %164, i1 %273) #8, !dbg !31
  %282 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %165, i1 %274) #8, !dbg !31
  %283 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %166, i1 %275) #8, !dbg !31
  %284 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %167, i1 %276) #8, !dbg !31
  %285 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %168, i1 %277) #8, !dbg !31
  %286 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %169, i1 %278) #8, !dbg !31
  %287 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %170, i1 %279) #8, !dbg !31
  %288 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %217, !dbg !31
  %289 = insertelement <1 x i16> poison, i16 %280, i64 0, !dbg !31
  store <1 x i16> %289, ptr addrspace(3) %288, align 2, !dbg !31
  %290 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %220, !dbg !31
  %291 = insertelement <1 x i16> poison, i16 %282, i64 0, !dbg !31
  store <1 x i16> %291, ptr addrspace(3) %290, align 2, !dbg !31
  %292 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %223, !dbg !31
  %293 = insertelement <1 x i16> poison, i16 %284, i64 0, !dbg !31
  store <1 x i16> %293, ptr addrspace(3) %292, align 2, !dbg !31
  %294 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %226, !dbg !31
  %295 = insertelement <1 x i16> poison, i16 %286, i64 0, !dbg !31
  store <1 x i16> %295, ptr addrspace(3) %294, align 2, !dbg !31
  %296 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %241, !dbg !31
  %297 = insertelement <1 x i16> poison, i16 %281, i64 0, !dbg !31
  store <1 x i16> %297, ptr addrspace(3) %296, align 2, !dbg !31
  %298 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %244, !dbg !31
  %299 = insertelement <1 x i16> poison, i16 %283, i64 0, !dbg !31
  store <1 x i16> %299, ptr addrspace(3) %298, align 2, !dbg !31
  %300 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %247, !dbg !31
  %301 = insertelement <1 x i16> poison, i16 %285, i64 0, !dbg !31
  store <1 x i16> %301, ptr addrspace(3) %300, align 2, !dbg !31
  %302 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %250, !dbg !31
  %303 = insertelement <1 x i16> poison, i16 %287, i64 0, !dbg !31
  store <1 x i16> %303, ptr addrspace(3) %302, align 2, !dbg !31
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta(), !dbg !23
  %304 = icmp eq i32 %109, 0, !dbg !23
  %305 = and i1 %120, %304, !dbg !23
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  br i1 %305, label %306, label %323, !dbg !23

306:                                              ; preds = %8
  %307 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !23
  %308 = extractvalue { i32, i1 } %307, 1, !dbg !23
  %309 = lshr exact i32 ptrtoint (ptr addrspace(3) @global_smem to i32), 4, !dbg !23
  %310 = and i32 %309, 32767, !dbg !23
  %311 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192) to i32), 4, !dbg !23
  %312 = and i32 %311, 32767, !dbg !23
  %313 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %310, i64 0, !dbg !23
  %314 = bitcast <2 x i32> %313 to i64, !dbg !23
  %315 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %312, i64 0, !dbg !23
  %316 = bitcast <2 x i32> %315 to i64, !dbg !23
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %11, i64 %314, i64 %316, i32 67698704, i1 false, i1 %308) #8, !dbg !23
  %317 = add nuw nsw i32 %310, 2, !dbg !23
  %318 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %317, i64 0, !dbg !23
  %319 = bitcast <2 x i32> %318 to i64, !dbg !23
  %320 = add nuw nsw i32 %312, 64, !dbg !23
  %321 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %320, i64 0, !dbg !23
  %322 = bitcast <2 x i32> %321 to i64, !dbg !23
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %11, i64 %319, i64 %322, i32 67698704, i1 true, i1 %308) #8, !dbg !23
  tail call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %308, i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288) to i32)) #8, !dbg !23
  br label %323, !dbg !23

323:                                              ; preds = %306, %8
  %324 = add i32 %5, -32, !dbg !24
  %invariant.gep = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %162, !dbg !24
  %325 = icmp sgt i32 %324, 0, !dbg !24
  br i1 %325, label %.lr.ph, label %._crit_edge, !dbg !24

.lr.ph:                                           ; preds = %323
  %326 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %217
  %327 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %220
  %328 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %223
  %329 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %226
  %330 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %229
  %331 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %232
  %332 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %235
  %333 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %238
  %334 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %241
  %335 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %244
  %336 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %247
  %337 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %250
  %338 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %253
  %339 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %256
  %340 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %259
  %341 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %262
  %342 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %217
  %343 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %220
  %344 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %223
  %345 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %226
  %346 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %241
  %347 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %244
  %348 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %247
  %349 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240), i32 %250
  %350 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096) to i32), 4
  %351 = and i32 %350, 32767
  %352 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 10240) to i32), 4
  %353 = and i32 %352, 32767
  %354 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %351, i64 0
  %355 = bitcast <2 x i32> %354 to i64
  %356 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %353, i64 0
  %357 = bitcast <2 x i32> %356 to i64
  %358 = add nuw nsw i32 %351, 2
  %359 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %358, i64 0
  %360 = bitcast <2 x i32> %359 to i64
  %361 = add nuw nsw i32 %353, 64
  %362 = insertelement <2 x i32> <i32 poison, i32 -2147467232>, i32 %361, i64 0
  %363 = bitcast <2 x i32> %362 to i64
  br label %364, !dbg !24

364:                                              ; preds = %.lr.ph, %499
  %365 = phi i32 [ 0, %.lr.ph ], [ %368, %499 ]
  %366 = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288), %.lr.ph ], [ %494, %499 ]
  %367 = phi i32 [ 1, %.lr.ph ], [ %502, %499 ]
  %368 = phi i32 [ 0, %.lr.ph ], [ %504, %499 ]
  %369 = phi i32 [ 0, %.lr.ph ], [ %370, %499 ]
  %370 = add i32 %369, 32, !dbg !24
  %371 = or disjoint i32 %370, %16, !dbg !32
  %372 = or disjoint i32 %370, %17, !dbg !32
  %373 = or disjoint i32 %370, %18, !dbg !32
  %374 = or disjoint i32 %370, %19, !dbg !32
  %375 = or disjoint i32 %370, %20, !dbg !32
  %376 = or disjoint i32 %370, %21, !dbg !32
  %377 = or disjoint i32 %370, %22, !dbg !32
  %378 = or disjoint i32 %370, %23, !dbg !32
  %379 = or disjoint i32 %370, %42, !dbg !32
  %380 = sext i32 %379 to i64, !dbg !20
  %381 = getelementptr [2 x i8], ptr addrspace(1) %61, i64 %380, !dbg !20
  %382 = getelementptr [2 x i8], ptr addrspace(1) %63, i64 %380, !dbg !20
  %383 = getelementptr [2 x i8], ptr addrspace(1) %65, i64 %380, !dbg !20
  %384 = getelementptr [2 x i8], ptr addrspace(1) %67, i64 %380, !dbg !20
  %385 = getelementptr [2 x i8], ptr addrspace(1) %69, i64 %380, !dbg !20
  %386 = getelementptr [2 x i8], ptr addrspace(1) %71, i64 %380, !dbg !20
  %387 = getelementptr [2 x i8], ptr addrspace(1) %73, i64 %380, !dbg !20
  %388 = getelementptr [2 x i8], ptr addrspace(1) %75, i64 %380, !dbg !20
  %389 = getelementptr [2 x i8], ptr addrspace(1) %77, i64 %380, !dbg !20
  %390 = getelementptr [2 x i8], ptr addrspace(1) %79, i64 %380, !dbg !20
  %391 = getelementptr [2 x i8], ptr addrspace(1) %81, i64 %380, !dbg !20
  %392 = getelementptr [2 x i8], ptr addrspace(1) %83, i64 %380, !dbg !20
  %393 = getelementptr [2 x i8], ptr addrspace(1) %85, i64 %380, !dbg !20
  %394 = getelementptr [2 x i8], ptr addrspace(1) %87, i64 %380, !dbg !20
  %395 = getelementptr [2 x i8], ptr addrspace(1) %89, i64 %380, !dbg !20
  %396 = getelementptr [2 x i8], ptr addrspace(1) %91, i64 %380, !dbg !20
  %397 = mul i32 %371, %4, !dbg !25
  %398 = mul i32 %372, %4, !dbg !25
  %399 = mul i32 %373, %4, !dbg !25
  %400 = mul i32 %374, %4, !dbg !25
  %401 = mul i32 %375, %4, !dbg !25
  %402 = mul i32 %376, %4, !dbg !25
  %403 = mul i32 %377, %4, !dbg !25
  %404 = mul i32 %378, %4, !dbg !25
  %405 = sext i32 %397 to i64, !dbg !26
  %406 = sext i32 %398 to i64, !dbg !26
  %407 = sext i32 %399 to i64, !dbg !26
  %408 = sext i32 %400 to i64, !dbg !26
  %409 = sext i32 %401 to i64, !dbg !26
  %410 = sext i32 %402 to i64, !dbg !26
  %411 = sext i32 %403 to i64, !dbg !26
  %412 = sext i32 %404 to i64, !dbg !26
  %gep = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %405, !dbg !26
  %gep3 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %406, !dbg !26
  %gep5 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %407, !dbg !26
  %gep7 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %408, !dbg !26
  %gep9 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %409, !dbg !26
  %gep11 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %410, !dbg !26
  %gep13 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %411, !dbg !26
  %gep15 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %412, !dbg !26
  %413 = icmp slt i32 %371, %5, !dbg !27
  %414 = icmp slt i32 %372, %5, !dbg !27
  %415 = icmp slt i32 %373, %5, !dbg !27
  %416 = icmp slt i32 %374, %5, !dbg !27
  %417 = icmp slt i32 %375, %5, !dbg !27
  %418 = icmp slt i32 %376, %5, !dbg !27
  %419 = icmp slt i32 %377, %5, !dbg !27
  %420 = icmp slt i32 %378, %5, !dbg !27
  %421 = icmp slt i32 %379, %5, !dbg !27
  %422 = and i1 %92, %421, !dbg !28
  %423 = and i1 %93, %421, !dbg !28
  %424 = and i1 %94, %421, !dbg !28
  %425 = and i1 %95, %421, !dbg !28
  %426 = and i1 %96, %421, !dbg !28
  %427 = and i1 %97, %421, !dbg !28
  %428 = and i1 %98, %421, !dbg !28
  %429 = and i1 %99, %421, !dbg !28
  %430 = and i1 %100, %421, !dbg !28
  %431 = and i1 %101, %421, !dbg !28
  %432 = and i1 %102, %421, !dbg !28
  %433 = and i1 %103, %421, !dbg !28
  %434 = and i1 %104, %421, !dbg !28
  %435 = and i1 %105, %421, !dbg !28
  %436 = and i1 %106, %421, !dbg !28
  %437 = and i1 %107, %421, !dbg !28
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  tail call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %366, i32 %365) #8, !dbg !23
  %438 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %381, i1 %422) #8, !dbg !29
  %439 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %382, i1 %423) #8, !dbg !29
  %440 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %383, i1 %424) #8, !dbg !29
  %441 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %384, i1 %425) #8, !dbg !29
  %442 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %385, i1 %426) #8, !dbg !29
  %443 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %386, i1 %427) #8, !dbg !29
  %444 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %387, i1 %428) #8, !dbg !29
  %445 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %388, i1 %429) #8, !dbg !29
  %446 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %389, i1 %430) #8, !dbg !29
  %447 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %390, i1 %431) #8, !dbg !29
  %448 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %391, i1 %432) #8, !dbg !29
  %449 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %392, i1 %433) #8, !dbg !29
  %450 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %393, i1 %434) #8, !dbg !29
  %451 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %394, i1 %435) #8, !dbg !29
  %452 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %395, i1 %436) #8, !dbg !29
  %453 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %396, i1 %437) #8, !dbg !29
  %454 = insertelement <1 x i16> poison, i16 %438, i64 0, !dbg !29
  store <1 x i16> %454, ptr addrspace(3) %326, align 2, !dbg !29
  %455 = insertelement <1 x i16> poison, i16 %440, i64 0, !dbg !29
  store <1 x i16> %455, ptr addrspace(3) %327, align 2, !dbg !29
  %456 = insertelement <1 x i16> poison, i16 %442, i64 0, !dbg !29
  store <1 x i16> %456, ptr addrspace(3) %328, align 2, !dbg !29
  %457 = insertelement <1 x i16> poison, i16 %444, i64 0, !dbg !29
  store <1 x i16> %457, ptr addrspace(3) %329, align 2, !dbg !29
  %458 = insertelement <1 x i16> poison, i16 %446, i64 0, !dbg !29
  store <1 x i16> %458, ptr addrspace(3) %330, align 2, !dbg !29
  %459 = insertelement <1 x i16> poison, i16 %448, i64 0, !dbg !29
  store <1 x i16> %459, ptr addrspace(3) %331, align 2, !dbg !29
  %460 = insertelement <1 x i16> poison, i16 %450, i64 0, !dbg !29
  store <1 x i16> %460, ptr addrspace(3) %332, align 2, !dbg !29
  %461 = insertelement <1 x i16> poison, i16 %452, i64 0, !dbg !29
  store <1 x i16> %461, ptr addrspace(3) %333, align 2, !dbg !29
  %462 = insertelement <1 x i16> poison, i16 %439, i64 0, !dbg !29
  store <1 x i16> %462, ptr addrspace(3) %334, align 2, !dbg !29
  %463 = insertelement <1 x i16> poison, i16 %441, i64 0, !dbg !29
  store <1 x i16> %463, ptr addrspace(3) %335, align 2, !dbg !29
  %464 = insertelement <1 x i16> poison, i16 %443, i64 0, !dbg !29
  store <1 x i16> %464, ptr addrspace(3) %336, align 2, !dbg !29
  %465 = insertelement <1 x i16> poison, i16 %445, i64 0, !dbg !29
  store <1 x i16> %465, ptr addrspace(3) %337, align 2, !dbg !29
  %466 = insertelement <1 x i16> poison, i16 %447, i64 0, !dbg !29
  store <1 x i16> %466, ptr addrspace(3) %338, align 2, !dbg !29
  %467 = insertelement <1 x i16> poison, i16 %449, i64 0, !dbg !29
  store <1 x i16> %467, ptr addrspace(3) %339, align 2, !dbg !29
  %468 = insertelement <1 x i16> poison, i16 %451, i64 0, !dbg !29
  store <1 x i16> %468, ptr addrspace(3) %340, align 2, !dbg !29
  %469 = insertelement <1 x i16> poison, i16 %453, i64 0, !dbg !29
  store <1 x i16> %469, ptr addrspace(3) %341, align 2, !dbg !29
  %470 = and i1 %108, %413, !dbg !30
  %471 = and i1 %108, %414, !dbg !30
  %472 = and i1 %108, %415, !dbg !30
  %473 = and i1 %108, %416, !dbg !30
  %474 = and i1 %108, %417, !dbg !30
  %475 = and i1 %108, %418, !dbg !30
  %476 = and i1 %108, %419, !dbg !30
  %477 = and i1 %108, %420, !dbg !30
  %478 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep, i1 %470) #8, !dbg !31
  %479 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep3, i1 %471) #8, !dbg !31
  %480 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep5, i1 %472) #8, !dbg !31
  %481 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep7, i1 %473) #8, !dbg !31
  %482 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep9, i1 %474) #8, !dbg !31
  %483 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep11, i1 %475) #8, !dbg !31
  %484 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep13, i1 %476) #8, !dbg !31
  %485 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep15, i1 %477) #8, !dbg !31
  %486 = insertelement <1 x i16> poison, i16 %478, i64 0, !dbg !31
  store <1 x i16> %486, ptr addrspace(3) %342, align 2, !dbg !31
  %487 = insertelement <1 x i16> poison, i16 %480, i64 0, !dbg !31
  store <1 x i16> %487, ptr addrspace(3) %343, align 2, !dbg !31
  %488 = insertelement <1 x i16> poison, i16 %482, i64 0, !dbg !31
  store <1 x i16> %488, ptr addrspace(3) %344, align 2, !dbg !31
  %489 = insertelement <1 x i16> poison, i16 %484, i64 0, !dbg !31
  store <1 x i16> %489, ptr addrspace(3) %345, align 2, !dbg !31
  %490 = insertelement <1 x i16> poison, i16 %479, i64 0, !dbg !31
  store <1 x i16> %490, ptr addrspace(3) %346, align 2, !dbg !31
  %491 = insertelement <1 x i16> poison, i16 %481, i64 0, !dbg !31
  store <1 x i16> %491, ptr addrspace(3) %347, align 2, !dbg !31
  %492 = insertelement <1 x i16> poison, i16 %483, i64 0, !dbg !31
  store <1 x i16> %492, ptr addrspace(3) %348, align 2, !dbg !31
  %493 = insertelement <1 x i16> poison, i16 %485, i64 0, !dbg !31
  store <1 x i16> %493, ptr addrspace(3) %349, align 2, !dbg !31
  %494 = getelementptr [8 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288), i32 %367, !dbg !24
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta(), !dbg !23
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  br i1 %304, label %495, label %499, !dbg !23

495:                                              ; preds = %364
  %496 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !23
  %497 = extractvalue { i32, i1 } %496, 1, !dbg !23
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %11, i64 %355, i64 %357, i32 67698704, i1 true, i1 %497) #8, !dbg !23
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %11, i64 %360, i64 %363, i32 67698704, i1 true, i1 %497) #8, !dbg !23
  %498 = ptrtoint ptr addrspace(3) %494 to i32, !dbg !23
  tail call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %497, i32 %498) #8, !dbg !23
  br label %499, !dbg !23

499:                                              ; preds = %495, %364
  %500 = add i32 %367, 1, !dbg !23
  %501 = icmp sgt i32 %500, 1, !dbg !23
  %502 = select i1 %501, i32 0, i32 %500, !dbg !23
  %503 = zext i1 %501 to i32, !dbg !23
  %504 = xor i32 %368, %503, !dbg !23
  %505 = icmp slt i32 %370, %324, !dbg !24
  br i1 %505, label %364, label %._crit_edge, !dbg !24

._crit_edge:                                      ; preds = %499, %323
  %.lcssa1 = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288), %323 ], [ %494, %499 ], !dbg !24
  %.lcssa = phi i32 [ 0, %323 ], [ %368, %499 ], !dbg !24
  br i1 %120, label %506, label %507, !dbg !24

506:                                              ; preds = %._crit_edge
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  tail call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %.lcssa1, i32 %.lcssa) #8, !dbg !23
  br label %507, !dbg !24

507:                                              ; preds = %506, %._crit_edge
  %508 = inttoptr i32 %11 to ptr addrspace(6), !dbg !14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !24
  %509 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !24
  %510 = extractvalue { i32, i1 } %509, 1, !dbg !24
  %511 = and i1 %113, %510, !dbg !24
  tail call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %511, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288)) #8, !dbg !24
  %512 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !24
  %513 = extractvalue { i32, i1 } %512, 1, !dbg !24
  %514 = and i1 %113, %513, !dbg !24
  tail call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %514, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12296)) #8, !dbg !24
  %515 = and i1 %92, %108, !dbg !33
  %516 = and i1 %93, %108, !dbg !33
  %517 = and i1 %94, %108, !dbg !33
  %518 = and i1 %95, %108, !dbg !33
  %519 = and i1 %96, %108, !dbg !33
  %520 = and i1 %97, %108, !dbg !33
  %521 = and i1 %98, %108, !dbg !33
  %522 = and i1 %99, %108, !dbg !33
  %523 = and i1 %100, %108, !dbg !33
  %524 = and i1 %101, %108, !dbg !33
  %525 = and i1 %102, %108, !dbg !33
  %526 = and i1 %103, %108, !dbg !33
  %527 = and i1 %104, %108, !dbg !33
  %528 = and i1 %105, %108, !dbg !33
  %529 = and i1 %106, %108, !dbg !33
  %530 = and i1 %107, %108, !dbg !33
  %531 = mul i32 %4, %24, !dbg !34
  %532 = mul i32 %4, %25, !dbg !34
  %533 = mul i32 %4, %26, !dbg !34
  %534 = mul i32 %4, %27, !dbg !34
  %535 = mul i32 %4, %28, !dbg !34
  %536 = mul i32 %4, %29, !dbg !34
  %537 = mul i32 %4, %30, !dbg !34
  %538 = mul i32 %4, %31, !dbg !34
  %539 = mul i32 %4, %32, !dbg !34
  %540 = mul i32 %4, %33, !dbg !34
  %541 = mul i32 %4, %34, !dbg !34
  %542 = mul i32 %4, %35, !dbg !34
  %543 = mul i32 %4, %36, !dbg !34
  %544 = mul i32 %4, %37, !dbg !34
  %545 = mul i32 %4, %38, !dbg !34
  %546 = mul i32 %4, %39, !dbg !34
  %547 = sext i32 %531 to i64, !dbg !35
  %548 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %547, !dbg !35
  %549 = sext i32 %532 to i64, !dbg !35
  %550 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %549, !dbg !35
  %551 = sext i32 %533 to i64, !dbg !35
  %552 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %551, !dbg !35
  %553 = sext i32 %534 to i64, !dbg !35
  %554 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %553, !dbg !35
  %555 = sext i32 %535 to i64, !dbg !35
  %556 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %555, !dbg !35
  %557 = sext i32 %536 to i64, !dbg !35
  %558 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %557, !dbg !35
  %559 = sext i32 %537 to i64, !dbg !35
  %560 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %559, !dbg !35
  %561 = sext i32 %538 to i64, !dbg !35
  %562 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %561, !dbg !35
  %563 = sext i32 %539 to i64, !dbg !35
  %564 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %563, !dbg !35
  %565 = sext i32 %540 to i64, !dbg !35
  %566 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %565, !dbg !35
  %567 = sext i32 %541 to i64, !dbg !35
  %568 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %567, !dbg !35
  %569 = sext i32 %542 to i64, !dbg !35
  %570 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %569, !dbg !35
  %571 = sext i32 %543 to i64, !dbg !35
  %572 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %571, !dbg !35
  %573 = sext i32 %544 to i64, !dbg !35
  %574 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %573, !dbg !35
  %575 = sext i32 %545 to i64, !dbg !35
  %576 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %575, !dbg !35
  %577 = sext i32 %546 to i64, !dbg !35
  %578 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %577, !dbg !35
  %579 = getelementptr [4 x i8], ptr addrspace(1) %548, i64 %162, !dbg !35
  %580 = getelementptr [4 x i8], ptr addrspace(1) %550, i64 %162, !dbg !35
  %581 = getelementptr [4 x i8], ptr addrspace(1) %552, i64 %162, !dbg !35
  %582 = getelementptr [4 x i8], ptr addrspace(1) %554, i64 %162, !dbg !35
  %583 = getelementptr [4 x i8], ptr addrspace(1) %556, i64 %162, !dbg !35
  %584 = getelementptr [4 x i8], ptr addrspace(1) %558, i64 %162, !dbg !35
  %585 = getelementptr [4 x i8], ptr addrspace(1) %560, i64 %162, !dbg !35
  %586 = getelementptr [4 x i8], ptr addrspace(1) %562, i64 %162, !dbg !35
  %587 = getelementptr [4 x i8], ptr addrspace(1) %564, i64 %162, !dbg !35
  %588 = getelementptr [4 x i8], ptr addrspace(1) %566, i64 %162, !dbg !35
  %589 = getelementptr [4 x i8], ptr addrspace(1) %568, i64 %162, !dbg !35
  %590 = getelementptr [4 x i8], ptr addrspace(1) %570, i64 %162, !dbg !35
  %591 = getelementptr [4 x i8], ptr addrspace(1) %572, i64 %162, !dbg !35
  %592 = getelementptr [4 x i8], ptr addrspace(1) %574, i64 %162, !dbg !35
  %593 = getelementptr [4 x i8], ptr addrspace(1) %576, i64 %162, !dbg !35
  %594 = getelementptr [4 x i8], ptr addrspace(1) %578, i64 %162, !dbg !35
  %595 = tail call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "tcgen05.ld.sync.aligned.16x32bx2.x16.b32 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, [$16 + 0], 16;", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r"(i32 %112) #8, !dbg !23
  %596 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 0, !dbg !23
  %597 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 1, !dbg !23
  %598 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 2, !dbg !23
  %599 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 3, !dbg !23
  %600 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 4, !dbg !23
  %601 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 5, !dbg !23
  %602 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 6, !dbg !23
  %603 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 7, !dbg !23
  %604 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 8, !dbg !23
  %605 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 9, !dbg !23
  %606 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 10, !dbg !23
  %607 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 11, !dbg !23
  %608 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 12, !dbg !23
  %609 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 13, !dbg !23
  %610 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 14, !dbg !23
  %611 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %595, 15, !dbg !23
  tail call void @llvm.nvvm.tcgen05.wait.ld(), !dbg !36
  %612 = and i32 %9, 7, !dbg !36
  %613 = shl nuw nsw i32 %612, 10, !dbg !36
  %614 = shl nuw nsw i32 %9, 4, !dbg !36
  %615 = and i32 %614, 240, !dbg !36
  %616 = shl nuw nsw i32 %15, 3, !dbg !36
  %617 = and i32 %9, 16, !dbg !36
  %618 = shl nuw nsw i32 %617, 2, !dbg !36
  %619 = or disjoint i32 %615, %616, !dbg !36
  %620 = xor i32 %619, %618, !dbg !36
  %621 = or disjoint i32 %620, %613, !dbg !36
  %622 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %621, !dbg !36
  %623 = insertelement <4 x i32> poison, i32 %596, i64 0, !dbg !36
  %624 = insertelement <4 x i32> %623, i32 %597, i64 1, !dbg !36
  %625 = insertelement <4 x i32> %624, i32 %598, i64 2, !dbg !36
  %626 = insertelement <4 x i32> %625, i32 %599, i64 3, !dbg !36
  store <4 x i32> %626, ptr addrspace(3) %622, align 16, !dbg !36
  %627 = xor i32 %621, 16, !dbg !36
  %628 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %627, !dbg !36
  %629 = insertelement <4 x i32> poison, i32 %600, i64 0, !dbg !36
  %630 = insertelement <4 x i32> %629, i32 %601, i64 1, !dbg !36
  %631 = insertelement <4 x i32> %630, i32 %602, i64 2, !dbg !36
  %632 = insertelement <4 x i32> %631, i32 %603, i64 3, !dbg !36
  store <4 x i32> %632, ptr addrspace(3) %628, align 16, !dbg !36
  %633 = xor i32 %621, 32, !dbg !36
  %634 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %633, !dbg !36
  %635 = insertelement <4 x i32> poison, i32 %604, i64 0, !dbg !36
  %636 = insertelement <4 x i32> %635, i32 %605, i64 1, !dbg !36
  %637 = insertelement <4 x i32> %636, i32 %606, i64 2, !dbg !36
  %638 = insertelement <4 x i32> %637, i32 %607, i64 3, !dbg !36
  store <4 x i32> %638, ptr addrspace(3) %634, align 16, !dbg !36
  %639 = xor i32 %621, 48, !dbg !36
  %640 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %639, !dbg !36
  %641 = insertelement <4 x i32> poison, i32 %608, i64 0, !dbg !36
  %642 = insertelement <4 x i32> %641, i32 %609, i64 1, !dbg !36
  %643 = insertelement <4 x i32> %642, i32 %610, i64 2, !dbg !36
  %644 = insertelement <4 x i32> %643, i32 %611, i64 3, !dbg !36
  store <4 x i32> %644, ptr addrspace(3) %640, align 16, !dbg !36
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !36
  %645 = shl nuw nsw i32 %15, 5, !dbg !36
  %646 = shl nuw nsw i32 %612, 4, !dbg !36
  %647 = lshr exact i32 %15, 1, !dbg !36
  %648 = and i32 %9, 8, !dbg !36
  %649 = icmp eq i32 %648, 0, !dbg !36
  %650 = select i1 %649, i32 0, i32 4160, !dbg !36
  %651 = shl nuw nsw i32 %617, 3, !dbg !36
  %652 = or disjoint i32 %645, %646, !dbg !36
  %653 = or disjoint i32 %650, %647, !dbg !36
  %654 = xor i32 %653, %652, !dbg !36
  %655 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %651, !dbg !36
  %656 = getelementptr inbounds nuw i8, ptr addrspace(3) %655, i32 %654, !dbg !36
  %657 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %656), !dbg !36
  %658 = extractvalue { i32, i32, i32, i32 } %657, 0, !dbg !36
  %659 = extractvalue { i32, i32, i32, i32 } %657, 1, !dbg !36
  %660 = extractvalue { i32, i32, i32, i32 } %657, 2, !dbg !36
  %661 = extractvalue { i32, i32, i32, i32 } %657, 3, !dbg !36
  %662 = getelementptr inbounds nuw i8, ptr addrspace(3) %656, i32 256, !dbg !36
  %663 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %662), !dbg !36
  %664 = extractvalue { i32, i32, i32, i32 } %663, 0, !dbg !36
  %665 = extractvalue { i32, i32, i32, i32 } %663, 1, !dbg !36
  %666 = extractvalue { i32, i32, i32, i32 } %663, 2, !dbg !36
  %667 = extractvalue { i32, i32, i32, i32 } %663, 3, !dbg !36
  %668 = getelementptr inbounds nuw i8, ptr addrspace(3) %656, i32 512, !dbg !36
  %669 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %668), !dbg !36
  %670 = extractvalue { i32, i32, i32, i32 } %669, 0, !dbg !36
  %671 = extractvalue { i32, i32, i32, i32 } %669, 1, !dbg !36
  %672 = extractvalue { i32, i32, i32, i32 } %669, 2, !dbg !36
  %673 = extractvalue { i32, i32, i32, i32 } %669, 3, !dbg !36
  %674 = getelementptr inbounds nuw i8, ptr addrspace(3) %656, i32 768, !dbg !36
  %675 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %674), !dbg !36
  %676 = extractvalue { i32, i32, i32, i32 } %675, 0, !dbg !36
  %677 = extractvalue { i32, i32, i32, i32 } %675, 1, !dbg !36
  %678 = extractvalue { i32, i32, i32, i32 } %675, 2, !dbg !36
  %679 = extractvalue { i32, i32, i32, i32 } %675, 3, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %658, ptr addrspace(1) %579, i1 %515) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %659, ptr addrspace(1) %580, i1 %516) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %660, ptr addrspace(1) %581, i1 %517) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %661, ptr addrspace(1) %582, i1 %518) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %664, ptr addrspace(1) %583, i1 %519) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %665, ptr addrspace(1) %584, i1 %520) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %666, ptr addrspace(1) %585, i1 %521) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %667, ptr addrspace(1) %586, i1 %522) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %670, ptr addrspace(1) %587, i1 %523) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %671, ptr addrspace(1) %588, i1 %524) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %672, ptr addrspace(1) %589, i1 %525) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %673, ptr addrspace(1) %590, i1 %526) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %676, ptr addrspace(1) %591, i1 %527) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %677, ptr addrspace(1) %592, i1 %528) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %678, ptr addrspace(1) %593, i1 %529) #8, !dbg !36
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %679, ptr addrspace(1) %594, i1 %530) #8, !dbg !36
  tail call void @llvm.nvvm.barrier.cta.sync.all(i32 0), !dbg !14
  tail call void asm sideeffect "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 32;", "b,r"(i1 %10, ptr addrspace(6) %508) #8, !dbg !14
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

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.fence.proxy.async.shared_cta() #6

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.ld() #4

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #7

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #2

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nounwind memory(inaccessiblemem: readwrite) }
attributes #5 = { convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #6 = { nocallback nounwind }
attributes #7 = { convergent nocallback nofree nounwind memory(argmem: read) }
attributes #8 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "triton", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernels.py", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!4 = distinct !DISubprogram(name: "matmul", linkageName: "matmul", scope: !1, file: !1, line: 18, type: !5, scopeLine: 18, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(cc: DW_CC_normal, types: !6)
!6 = !{null, !7, !7, !9, !11, !11, !11, !12, !12}
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !8, size: 64, dwarfAddressSpace: 1)
!8 = !DIBasicType(name: "half", size: 16, encoding: DW_ATE_float)
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !10, size: 64, dwarfAddressSpace: 1)
!10 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !13, size: 64, dwarfAddressSpace: 1)
!13 = !DIBasicType(name: "unknown_type", encoding: DW_ATE_signed)
!14 = !DILocation(line: 18, column: 1, scope: !4)
!15 = !DILocation(line: 20, column: 12, scope: !4)
!16 = !DILocation(line: 20, column: 36, scope: !4)
!17 = !DILocation(line: 21, column: 15, scope: !4)
!18 = !DILocation(line: 21, column: 39, scope: !4)
!19 = !DILocation(line: 25, column: 20, scope: !4)
!20 = !DILocation(line: 25, column: 16, scope: !4)
!21 = !DILocation(line: 28, column: 33, scope: !4)
!22 = !DILocation(line: 29, column: 52, scope: !4)
!23 = !DILocation(line: 30, column: 17, scope: !4)
!24 = !DILocation(line: 24, column: 5, scope: !4)
!25 = !DILocation(line: 26, column: 21, scope: !4)
!26 = !DILocation(line: 26, column: 17, scope: !4)
!27 = !DILocation(line: 27, column: 18, scope: !4)
!28 = !DILocation(line: 28, column: 32, scope: !4)
!29 = !DILocation(line: 28, column: 13, scope: !4)
!30 = !DILocation(line: 29, column: 33, scope: !4)
!31 = !DILocation(line: 29, column: 13, scope: !4)
!32 = !DILocation(line: 25, column: 41, scope: !4)
!33 = !DILocation(line: 31, column: 12, scope: !4)
!34 = !DILocation(line: 32, column: 18, scope: !4)
!35 = !DILocation(line: 32, column: 14, scope: !4)
!36 = !DILocation(line: 32, column: 5, scope: !4)
