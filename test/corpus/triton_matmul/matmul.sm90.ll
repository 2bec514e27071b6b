; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @matmul(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, i32 %4, i32 %5, ptr addrspace(1) nofree readnone captures(none) %6, ptr addrspace(1) nofree readnone captures(none) %7) local_unnamed_addr #0 !dbg !4 {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !14
  %10 = shl i32 %9, 6, !dbg !14
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %12 = and i32 %11, 96, !dbg !15
  %13 = lshr exact i32 %12, 5, !dbg !15
  %14 = or disjoint i32 %13, 4, !dbg !15
  %15 = or disjoint i32 %13, 8, !dbg !15
  %16 = or disjoint i32 %13, 12, !dbg !15
  %17 = or disjoint i32 %13, 16, !dbg !15
  %18 = or disjoint i32 %13, 20, !dbg !15
  %19 = or disjoint i32 %13, 24, !dbg !15
  %20 = or disjoint i32 %13, 28, !dbg !15
  %21 = or disjoint i32 %13, %10, !dbg !14
  %22 = or disjoint i32 %14, %10, !dbg !14
  %23 = or disjoint i32 %15, %10, !dbg !14
  %24 = or disjoint i32 %16, %10, !dbg !14
  %25 = or disjoint i32 %17, %10, !dbg !14
  %26 = or disjoint i32 %18, %10, !dbg !14
  %27 = or disjoint i32 %19, %10, !dbg !14
  %28 = or disjoint i32 %20, %10, !dbg !14
  %29 = or disjoint i32 %21, 32, !dbg !14
  %30 = or disjoint i32 %21, 36, !dbg !14
  %31 = or disjoint i32 %21, 40, !dbg !14
  %32 = or disjoint i32 %21, 44, !dbg !14
  %33 = or disjoint i32 %21, 48, !dbg !14
  %34 = or disjoint i32 %21, 52, !dbg !14
  %35 = or disjoint i32 %21, 56, !dbg !14
  %36 = or disjoint i32 %21, 60, !dbg !14
  %37 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !16
  %38 = shl nuw nsw i32 %37, 5, !dbg !16
  %39 = and i32 %11, 31, !dbg !17
  %40 = or disjoint i32 %38, %39, !dbg !16
  %41 = mul i32 %5, %21, !dbg !18
  %42 = mul i32 %5, %22, !dbg !18
  %43 = mul i32 %5, %23, !dbg !18
  %44 = mul i32 %5, %24, !dbg !18
  %45 = mul i32 %5, %25, !dbg !18
  %46 = mul i32 %5, %26, !dbg !18
  %47 = mul i32 %5, %27, !dbg !18
  %48 = mul i32 %5, %28, !dbg !18
  %49 = mul i32 %5, %29, !dbg !18
  %50 = mul i32 %5, %30, !dbg !18
  %51 = mul i32 %5, %31, !dbg !18
  %52 = mul i32 %5, %32, !dbg !18
  %53 = mul i32 %5, %33, !dbg !18
  %54 = mul i32 %5, %34, !dbg !18
  %55 = mul i32 %5, %35, !dbg !18
  %56 = mul i32 %5, %36, !dbg !18
  %57 = sext i32 %41 to i64, !dbg !19
  %58 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %57, !dbg !19
  %59 = sext i32 %42 to i64, !dbg !19
  %60 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %59, !dbg !19
  %61 = sext i32 %43 to i64, !dbg !19
  %62 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %61, !dbg !19
  %63 = sext i32 %44 to i64, !dbg !19
  %64 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %63, !dbg !19
  %65 = sext i32 %45 to i64, !dbg !19
  %66 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %65, !dbg !19
  %67 = sext i32 %46 to i64, !dbg !19
  %68 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %67, !dbg !19
  %69 = sext i32 %47 to i64, !dbg !19
  %70 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %69, !dbg !19
  %71 = sext i32 %48 to i64, !dbg !19
  %72 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %71, !dbg !19
  %73 = sext i32 %49 to i64, !dbg !19
  %74 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %73, !dbg !19
  %75 = sext i32 %50 to i64, !dbg !19
  %76 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %75, !dbg !19
  %77 = sext i32 %51 to i64, !dbg !19
  %78 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %77, !dbg !19
  %79 = sext i32 %52 to i64, !dbg !19
  %80 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %79, !dbg !19
  %81 = sext i32 %53 to i64, !dbg !19
  %82 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %81, !dbg !19
  %83 = sext i32 %54 to i64, !dbg !19
  %84 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %83, !dbg !19
  %85 = sext i32 %55 to i64, !dbg !19
  %86 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %85, !dbg !19
  %87 = sext i32 %56 to i64, !dbg !19
  %88 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %87, !dbg !19
  %89 = icmp slt i32 %21, %3, !dbg !20
  %90 = icmp slt i32 %22, %3, !dbg !20
  %91 = icmp slt i32 %23, %3, !dbg !20
  %92 = icmp slt i32 %24, %3, !dbg !20
  %93 = icmp slt i32 %25, %3, !dbg !20
  %94 = icmp slt i32 %26, %3, !dbg !20
  %95 = icmp slt i32 %27, %3, !dbg !20
  %96 = icmp slt i32 %28, %3, !dbg !20
  %97 = icmp slt i32 %29, %3, !dbg !20
  %98 = icmp slt i32 %30, %3, !dbg !20
  %99 = icmp slt i32 %31, %3, !dbg !20
  %100 = icmp slt i32 %32, %3, !dbg !20
  %101 = icmp slt i32 %33, %3, !dbg !20
  %102 = icmp slt i32 %34, %3, !dbg !20
  %103 = icmp slt i32 %35, %3, !dbg !20
  %104 = icmp slt i32 %36, %3, !dbg !20
  %105 = icmp slt i32 %40, %4, !dbg !21
  %106 = icmp sgt i32 %5, 0, !dbg !22
  %107 = zext nneg i32 %40 to i64
  br i1 %106, label %.lr.ph, label %.._crit_edge_crit_edge, !dbg !22

.._crit_edge_crit_edge:                           ; preds = %8
  %.pre47 = shl nuw nsw i32 %11, 1, !dbg !23
  br label %._crit_edge, !dbg !22

.lr.ph:                                           ; preds = %8
  %invariant.gep = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %107, !dbg !22
  %108 = shl nuw nsw i32 %11, 1
  %109 = and i32 %108, 126
  %110 = and i32 %11, 64
  %111 = icmp eq i32 %110, 0
  %112 = select i1 %111, i32 0, i32 144
  %113 = xor i32 %112, %109
  %114 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %113
  %115 = or disjoint i32 %113, 512
  %116 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %115
  %117 = or disjoint i32 %113, 1024
  %118 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %117
  %119 = or disjoint i32 %113, 1536
  %120 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %119
  %121 = getelementptr inbounds nuw i8, ptr addrspace(3) %114, i32 2048
  %122 = getelementptr inbounds nuw i8, ptr addrspace(3) %114, i32 2560
  %123 = getelementptr inbounds nuw i8, ptr addrspace(3) %114, i32 3072
  %124 = getelementptr inbounds nuw i8, ptr addrspace(3) %114, i32 3584
  %125 = xor i32 %113, 288
  %126 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %125
  %127 = or disjoint i32 %125, 512
  %128 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %127
  %129 = or disjoint i32 %125, 1024
  %130 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %129
  %131 = or disjoint i32 %125, 1536
  %132 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %131
  %133 = getelementptr inbounds nuw i8, ptr addrspace(3) %126, i32 2048
  %134 = getelementptr inbounds nuw i8, ptr addrspace(3) %126, i32 2560
  %135 = getelementptr inbounds nuw i8, ptr addrspace(3) %126, i32 3072
  %136 = getelementptr inbounds nuw i8, ptr addrspace(3) %126, i32 3584
  %137 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %113
  %138 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %115
  %139 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %117
  %140 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %119
  %141 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %125
  %142 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %127
  %143 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %129
  %144 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %131
  %145 = lshr exact i32 ptrtoint (ptr addrspace(3) @global_smem to i32), 4
  %146 = and i32 %145, 32767
  %147 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096) to i32), 4
  %148 = and i32 %147, 32767
  %149 = insertelement <2 x i32> <i32 poison, i32 -2147483616>, i32 %146, i64 0
  %150 = bitcast <2 x i32> %149 to i64
  %151 = insertelement <2 x i32> <i32 poison, i32 -2147483616>, i32 %148, i64 0
  %152 = bitcast <2 x i32> %151 to i64
  %153 = add nuw nsw i32 %146, 2
  %154 = insertelement <2 x i32> <i32 poison, i32 -2147483616>, i32 %153, i64 0
  %155 = bitcast <2 x i32> %154 to i64
  %156 = add nuw nsw i32 %148, 64
  %157 = insertelement <2 x i32> <i32 poison, i32 -2147483616>, i32 %156, i64 0
  %158 = bitcast <2 x i32> %157 to i64
  br label %159, !dbg !22

159:                                              ; preds = %.lr.ph, %159
  %160 = phi float [ 0.000000e+00, %.lr.ph ], [ %335, %159 ]
  %161 = phi float [ 0.000000e+00, %.lr.ph ], [ %336, %159 ]
  %162 = phi float [ 0.000000e+00, %.lr.ph ], [ %337, %159 ]
  %163 = phi float [ 0.000000e+00, %.lr.ph ], [ %338, %159 ]
  %164 = phi float [ 0.000000e+00, %.lr.ph ], [ %339, %159 ]
  %165 = phi float [ 0.000000e+00, %.lr.ph ], [ %340, %159 ]
  %166 = phi float [ 0.000000e+00, %.lr.ph ], [ %341, %159 ]
  %167 = phi float [ 0.000000e+00, %.lr.ph ], [ %342, %159 ]
  %168 = phi float [ 0.000000e+00, %.lr.ph ], [ %343, %159 ]
  %169 = phi float [ 0.000000e+00, %.lr.ph ], [ %344, %159 ]
  %170 = phi float [ 0.000000e+00, %.lr.ph ], [ %345, %159 ]
  %171 = phi float [ 0.000000e+00, %.lr.ph ], [ %346, %159 ]
  %172 = phi float [ 0.000000e+00, %.lr.ph ], [ %347, %159 ]
  %173 = phi float [ 0.000000e+00, %.lr.ph ], [ %348, %159 ]
  %174 = phi float [ 0.000000e+00, %.lr.ph ], [ %349, %159 ]
  %175 = phi float [ 0.000000e+00, %.lr.ph ], [ %350, %159 ]
  %176 = phi i32 [ 0, %.lr.ph ], [ %351, %159 ]
  %177 = or disjoint i32 %176, %13, !dbg !24
  %178 = or disjoint i32 %176, %14, !dbg !24
  %179 = or disjoint i32 %176, %15, !dbg !24
  %180 = or disjoint i32 %176, %16, !dbg !24
  %181 = or disjoint i32 %176, %17, !dbg !24
  %182 = or disjoint i32 %176, %18, !dbg !24
  %183 = or disjoint i32 %176, %19, !dbg !24
  %184 = or disjoint i32 %176, %20, !dbg !24
  %185 = or disjoint i32 %176, %39, !dbg !24
  %186 = sext i32 %185 to i64, !dbg !19
  %187 = getelementptr [2 x i8], ptr addrspace(1) %58, i64 %186, !dbg !19
  %188 = getelementptr [2 x i8], ptr addrspace(1) %60, i64 %186, !dbg !19
  %189 = getelementptr [2 x i8], ptr addrspace(1) %62, i64 %186, !dbg !19
  %190 = getelementptr [2 x i8], ptr addrspace(1) %64, i64 %186, !dbg !19
  %191 = getelementptr [2 x i8], ptr addrspace(1) %66, i64 %186, !dbg !19
  %192 = getelementptr [2 x i8], ptr addrspace(1) %68, i64 %186, !dbg !19
  %193 = getelementptr [2 x i8], ptr addrspace(1) %70, i64 %186, !dbg !19
  %194 = getelementptr [2 x i8], ptr addrspace(1) %72, i64 %186, !dbg !19
  %195 = getelementptr [2 x i8], ptr addrspace(1) %74, i64 %186, !dbg !19
  %196 = getelementptr [2 x i8], ptr addrspace(1) %76, i64 %186, !dbg !19
  %197 = getelementptr [2 x i8], ptr addrspace(1) %78, i64 %186, !dbg !19
  %198 = getelementptr [2 x i8], ptr addrspace(1) %80, i64 %186, !dbg !19
  %199 = getelementptr [2 x i8], ptr addrspace(1) %82, i64 %186, !dbg !19
  %200 = getelementptr [2 x i8], ptr addrspace(1) %84, i64 %186, !dbg !19
  %201 = getelementptr [2 x i8], ptr addrspace(1) %86, i64 %186, !dbg !19
  %202 = getelementptr [2 x i8], ptr addrspace(1) %88, i64 %186, !dbg !19
  %203 = mul i32 %177, %4, !dbg !25
  %204 = mul i32 %178, %4, !dbg !25
  %205 = mul i32 %179, %4, !dbg !25
  %206 = mul i32 %180, %4, !dbg !25
  %207 = mul i32 %181, %4, !dbg !25
  %208 = mul i32 %182, %4, !dbg !25
  %209 = mul i32 %183, %4, !dbg !25
  %210 = mul i32 %184, %4, !dbg !25
  %211 = sext i32 %203 to i64, !dbg !26
  %212 = sext i32 %204 to i64, !dbg !26
  %213 = sext i32 %205 to i64, !dbg !26
  %214 = sext i32 %206 to i64, !dbg !26
  %215 = sext i32 %207 to i64, !dbg !26
  %216 = sext i32 %208 to i64, !dbg !26
  %217 = sext i32 %209 to i64, !dbg !26
  %218 = sext i32 %210 to i64, !dbg !26
  %gep = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %211, !dbg !26
  %gep33 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %212, !dbg !26
  %gep35 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %213, !dbg !26
  %gep37 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %214, !dbg !26
  %gep39 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %215, !dbg !26
  %gep41 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %216, !dbg !26
  %gep43 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %217, !dbg !26
  %gep45 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %218, !dbg !26
  %219 = icmp slt i32 %177, %5, !dbg !27
  %220 = icmp slt i32 %178, %5, !dbg !27
  %221 = icmp slt i32 %179, %5, !dbg !27
  %222 = icmp slt i32 %180, %5, !dbg !27
  %223 = icmp slt i32 %181, %5, !dbg !27
  %224 = icmp slt i32 %182, %5, !dbg !27
  %225 = icmp slt i32 %183, %5, !dbg !27
  %226 = icmp slt i32 %184, %5, !dbg !27
  %227 = icmp slt i32 %185, %5, !dbg !27
  %228 = and i1 %89, %227, !dbg !28
  %229 = and i1 %90, %227, !dbg !28
  %230 = and i1 %91, %227, !dbg !28
  %231 = and i1 %92, %227, !dbg !28
  %232 = and i1 %93, %227, !dbg !28
  %233 = and i1 %94, %227, !dbg !28
  %234 = and i1 %95, %227, !dbg !28
  %235 = and i1 %96, %227, !dbg !28
  %236 = and i1 %97, %227, !dbg !28
  %237 = and i1 %98, %227, !dbg !28
  %238 = and i1 %99, %227, !dbg !28
  %239 = and i1 %100, %227, !dbg !28
  %240 = and i1 %101, %227, !dbg !28
  %241 = and i1 %102, %227, !dbg !28
  %242 = and i1 %103, %227, !dbg !28
  %243 = and i1 %104, %227, !dbg !28
  %244 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %187, i1 %228) #6, !dbg !29
  %245 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %188, i1 %229) #6, !dbg !29
  %246 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %189, i1 %230) #6, !dbg !29
  %247 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %190, i1 %231) #6, !dbg !29
  %248 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %191, i1 %232) #6, !dbg !29
  %249 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %192, i1 %233) #6, !dbg !29
  %250 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %193, i1 %234) #6, !dbg !29
  %251 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %194, i1 %235) #6, !dbg !29
  %252 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %195, i1 %236) #6, !dbg !29
  %253 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %196, i1 %237) #6, !dbg !29
  %254 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %197, i1 %238) #6, !dbg !29
  %255 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %198, i1 %239) #6, !dbg !29
  %256 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %199, i1 %240) #6, !dbg !29
  %257 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %200, i1 %241) #6, !dbg !29
  %258 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %201, i1 %242) #6, !dbg !29
  %259 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %202, i1 %243) #6, !dbg !29
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !29
  %260 = insertelement <1 x i16> poison, i16 %244, i64 0, !dbg !29
  store <1 x i16> %260, ptr addrspace(3) %114, align 2, !dbg !29
  %261 = insertelement <1 x i16> poison, i16 %246, i64 0, !dbg !29
  store <1 x i16> %261, ptr addrspace(3) %116, align 2, !dbg !29
  %262 = insertelement <1 x i16> poison, i16 %248, i64 0, !dbg !29
  store <1 x i16> %262, ptr addrspace(3) %118, align 2, !dbg !29
  %263 = insertelement <1 x i16> poison, i16 %250, i64 0, !dbg !29
  store <1 x i16> %263, ptr addrspace(3) %120, align 2, !dbg !29
  %264 = insertelement <1 x i16> poison, i16 %252, i64 0, !dbg !29
  store <1 x i16> %264, ptr addrspace(3) %121, align 2, !dbg !29
  %265 = insertelement <1 x i16> poison, i16 %254, i64 0, !dbg !29
  store <1 x i16> %265, ptr addrspace(3) %122, align 2, !dbg !29
  %266 = insertelement <1 x i16> poison, i16 %256, i64 0, !dbg !29
  store <1 x i16> %266, ptr addrspace(3) %123, align 2, !dbg !29
  %267 = insertelement <1 x i16> poison, i16 %258, i64 0, !dbg !29
  store <1 x i16> %267, ptr addrspace(3) %124, align 2, !dbg !29
  %268 = insertelement <1 x i16> poison, i16 %245, i64 0, !dbg !29
  store <1 x i16> %268, ptr addrspace(3) %126, align 2, !dbg !29
  %269 = insertelement <1 x i16> poison, i16 %247, i64 0, !dbg !29
  store <1 x i16> %269, ptr addrspace(3) %128, align 2, !dbg !29
  %270 = insertelement <1 x i16> poison, i16 %249, i64 0, !dbg !29
  store <1 x i16> %270, ptr addrspace(3) %130, align 2, !dbg !29
  %271 = insertelement <1 x i16> poison, i16 %251, i64 0, !dbg !29
  store <1 x i16> %271, ptr addrspace(3) %132, align 2, !dbg !29
  %272 = insertelement <1 x i16> poison, i16 %253, i64 0, !dbg !29
  store <1 x i16> %272, ptr addrspace(3) %133, align 2, !dbg !29
  %273 = insertelement <1 x i16> poison, i16 %255, i64 0, !dbg !29
  store <1 x i16> %273, ptr addrspace(3) %134, align 2, !dbg !29
  %274 = insertelement <1 x i16> poison, i16 %257, i64 0, !dbg !29
  store <1 x i16> %274, ptr addrspace(3) %135, align 2, !dbg !29
  %275 = insertelement <1 x i16> poison, i16 %259, i64 0, !dbg !29
  store <1 x i16> %275, ptr addrspace(3) %136, align 2, !dbg !29
  %276 = and i1 %105, %219, !dbg !30
  %277 = and i1 %105, %220, !dbg !30
  %278 = and i1 %105, %221, !dbg !30
  %279 = and i1 %105, %222, !dbg !30
  %280 = and i1 %105, %223, !dbg !30
  %281 = and i1 %105, %224, !dbg !30
  %282 = and i1 %105, %225, !dbg !30
  %283 = and i1 %105, %226, !dbg !30
  %284 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep, i1 %276) #6, !dbg !31
  %285 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep33, i1 %277) #6, !dbg !31
  %286 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep35, i1 %278) #6, !dbg !31
  %287 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep37, i1 %279) #6, !dbg !31
  %288 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep39, i1 %280) #6, !dbg !31
  %289 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep41, i1 %281) #6, !dbg !31
  %290 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep43, i1 %282) #6, !dbg !31
  %291 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep45, i1 %283) #6, !dbg !31
  %292 = insertelement <1 x i16> poison, i16 %284, i64 0, !dbg !31
  store <1 x i16> %292, ptr addrspace(3) %137, align 2, !dbg !31
  %293 = insertelement <1 x i16> poison, i16 %286, i64 0, !dbg !31
  store <1 x i16> %293, ptr addrspace(3) %138, align 2, !dbg !31
  %294 = insertelement <1 x i16> poison, i16 %288, i64 0, !dbg !31
  store <1 x i16> %294, ptr addrspace(3) %139, align 2, !dbg !31
  %295 = insertelement <1 x i16> poison, i16 %290, i64 0, !dbg !31
  store <1 x i16> %295, ptr addrspace(3) %140, align 2, !dbg !31
  %296 = insertelement <1 x i16> poison, i16 %285, i64 0, !dbg !31
  store <1 x i16> %296, ptr addrspace(3) %141, align 2, !dbg !31
  %297 = insertelement <1 x i16> poison, i16 %287, i64 0, !dbg !31
  store <1 x i16> %297, ptr addrspace(3) %142, align 2, !dbg !31
  %298 = insertelement <1 x i16> poison, i16 %289, i64 0, !dbg !31
  store <1 x i16> %298, ptr addrspace(3) %143, align 2, !dbg !31
  %299 = insertelement <1 x i16> poison, i16 %291, i64 0, !dbg !31
  store <1 x i16> %299, ptr addrspace(3) %144, align 2, !dbg !31
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta(), !dbg !32
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !32
  tail call void @llvm.nvvm.wgmma.fence.sync.aligned(), !dbg !32
  %300 = tail call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15}, $32, $33, $34, 1, 1, 0, 1;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,l,l,b"(float %160, float %161, float %162, float %163, float %164, float %165, float %166, float %167, float %168, float %169, float %170, float %171, float %172, float %173, float %174, float %175, i64 %150, i64 %152, i1 true) #6, !dbg !32
  %301 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 0, !dbg !32
  %302 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 1, !dbg !32
  %303 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 2, !dbg !32
  %304 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 3, !dbg !32
  %305 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 4, !dbg !32
  %306 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 5, !dbg !32
  %307 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 6, !dbg !32
  %308 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 7, !dbg !32
  %309 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 8, !dbg !32
  %310 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 9, !dbg !32
  %311 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 10, !dbg !32
  %312 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 11, !dbg !32
  %313 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 12, !dbg !32
  %314 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 13, !dbg !32
  %315 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 14, !dbg !32
  %316 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %300, 15, !dbg !32
  %317 = tail call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15}, $32, $33, $34, 1, 1, 0, 1;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,l,l,b"(float %301, float %302, float %303, float %304, float %305, float %306, float %307, float %308, float %309, float %310, float %311, float %312, float %313, float %314, float %315, float %316, i64 %155, i64 %158, i1 true) #6, !dbg !32
  %318 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 0, !dbg !32
  %319 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 1, !dbg !32
  %320 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 2, !dbg !32
  %321 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 3, !dbg !32
  %322 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 4, !dbg !32
  %323 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 5, !dbg !32
  %324 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 6, !dbg !32
  %325 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 7, !dbg !32
  %326 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 8, !dbg !32
  %327 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 9, !dbg !32
  %328 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 10, !dbg !32
  %329 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 11, !dbg !32
  %330 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 12, !dbg !32
  %331 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 13, !dbg !32
  %332 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 14, !dbg !32
  %333 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %317, 15, !dbg !32
  tail call void @llvm.nvvm.wgmma.commit_group.sync.aligned(), !dbg !32
  %334 = tail call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } asm sideeffect "// wait for regs: $0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21\0A\09wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=l,=r,=r,=l,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21"(float %318, float %319, float %320, float %321, float %322, float %323, float %324, float %325, float %326, float %327, float %328, float %329, float %330, float %331, float %332, float %333, ptr addrspace(3) @global_smem, i32 0, i32 0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 0, i32 0) #6, !dbg !32
  %335 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 0, !dbg !32
  %336 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 1, !dbg !32
  %337 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 2, !dbg !32
  %338 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 3, !dbg !32
  %339 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 4, !dbg !32
  %340 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 5, !dbg !32
  %341 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 6, !dbg !32
  %342 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 7, !dbg !32
  %343 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 8, !dbg !32
  %344 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 9, !dbg !32
  %345 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 10, !dbg !32
  %346 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 11, !dbg !32
  %347 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 12, !dbg !32
  %348 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 13, !dbg !32
  %349 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 14, !dbg !32
  %350 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, ptr addrspace(3), i32, i32, ptr addrspace(3), i32, i32 } %334, 15, !dbg !32
  %351 = add i32 %176, 32, !dbg !22
  %352 = icmp slt i32 %351, %5, !dbg !22
  br i1 %352, label %159, label %._crit_edge, !dbg !22

._crit_edge:                                      ; preds = %159, %.._crit_edge_crit_edge
  %.pre-phi48 = phi i32 [ %.pre47, %.._crit_edge_crit_edge ], [ %108, %159 ], !dbg !23
  %353 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %335, %159 ], !dbg !33
  %354 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %336, %159 ], !dbg !33
  %355 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %337, %159 ], !dbg !33
  %356 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %338, %159 ], !dbg !33
  %357 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %339, %159 ], !dbg !33
  %358 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %340, %159 ], !dbg !33
  %359 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %341, %159 ], !dbg !33
  %360 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %342, %159 ], !dbg !33
  %361 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %343, %159 ], !dbg !33
  %362 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %344, %159 ], !dbg !33
  %363 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %345, %159 ], !dbg !33
  %364 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %346, %159 ], !dbg !33
  %365 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %347, %159 ], !dbg !33
  %366 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %348, %159 ], !dbg !33
  %367 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %349, %159 ], !dbg !33
  %368 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %350, %159 ], !dbg !33
  %369 = and i1 %89, %105, !dbg !34
  %370 = and i1 %90, %105, !dbg !34
  %371 = and i1 %91, %105, !dbg !34
  %372 = and i1 %92, %105, !dbg !34
  %373 = and i1 %93, %105, !dbg !34
  %374 = and i1 %94, %105, !dbg !34
  %375 = and i1 %95, %105, !dbg !34
  %376 = and i1 %96, %105, !dbg !34
  %377 = and i1 %97, %105, !dbg !34
  %378 = and i1 %98, %105, !dbg !34
  %379 = and i1 %99, %105, !dbg !34
  %380 = and i1 %100, %105, !dbg !34
  %381 = and i1 %101, %105, !dbg !34
  %382 = and i1 %102, %105, !dbg !34
  %383 = and i1 %103, %105, !dbg !34
  %384 = and i1 %104, %105, !dbg !34
  %385 = mul i32 %4, %21, !dbg !35
  %386 = mul i32 %4, %22, !dbg !35
  %387 = mul i32 %4, %23, !dbg !35
  %388 = mul i32 %4, %24, !dbg !35
  %389 = mul i32 %4, %25, !dbg !35
  %390 = mul i32 %4, %26, !dbg !35
  %391 = mul i32 %4, %27, !dbg !35
  %392 = mul i32 %4, %28, !dbg !35
  %393 = mul i32 %4, %29, !dbg !35
  %394 = mul i32 %4, %30, !dbg !35
  %395 = mul i32 %4, %31, !dbg !35
  %396 = mul i32 %4, %32, !dbg !35
  %397 = mul i32 %4, %33, !dbg !35
  %398 = mul i32 %4, %34, !dbg !35
  %399 = mul i32 %4, %35, !dbg !35
  %400 = mul i32 %4, %36, !dbg !35
  %401 = sext i32 %385 to i64, !dbg !36
  %402 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %401, !dbg !36
  %403 = sext i32 %386 to i64, !dbg !36
  %404 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %403, !dbg !36
  %405 = sext i32 %387 to i64, !dbg !36
  %406 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %405, !dbg !36
  %407 = sext i32 %388 to i64, !dbg !36
  %408 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %407, !dbg !36
  %409 = sext i32 %389 to i64, !dbg !36
  %410 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %409, !dbg !36
  %411 = sext i32 %390 to i64, !dbg !36
  %412 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %411, !dbg !36
  %413 = sext i32 %391 to i64, !dbg !36
  %414 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %413, !dbg !36
  %415 = sext i32 %392 to i64, !dbg !36
  %416 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %415, !dbg !36
  %417 = sext i32 %393 to i64, !dbg !36
  %418 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %417, !dbg !36
  %419 = sext i32 %394 to i64, !dbg !36
  %420 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %419, !dbg !36
  %421 = sext i32 %395 to i64, !dbg !36
  %422 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %421, !dbg !36
  %423 = sext i32 %396 to i64, !dbg !36
  %424 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %423, !dbg !36
  %425 = sext i32 %397 to i64, !dbg !36
  %426 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %425, !dbg !36
  %427 = sext i32 %398 to i64, !dbg !36
  %428 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %427, !dbg !36
  %429 = sext i32 %399 to i64, !dbg !36
  %430 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %429, !dbg !36
  %431 = sext i32 %400 to i64, !dbg !36
  %432 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %431, !dbg !36
  %433 = getelementptr [4 x i8], ptr addrspace(1) %402, i64 %107, !dbg !36
  %434 = getelementptr [4 x i8], ptr addrspace(1) %404, i64 %107, !dbg !36
  %435 = getelementptr [4 x i8], ptr addrspace(1) %406, i64 %107, !dbg !36
  %436 = getelementptr [4 x i8], ptr addrspace(1) %408, i64 %107, !dbg !36
  %437 = getelementptr [4 x i8], ptr addrspace(1) %410, i64 %107, !dbg !36
  %438 = getelementptr [4 x i8], ptr addrspace(1) %412, i64 %107, !dbg !36
  %439 = getelementptr [4 x i8], ptr addrspace(1) %414, i64 %107, !dbg !36
  %440 = getelementptr [4 x i8], ptr addrspace(1) %416, i64 %107, !dbg !36
  %441 = getelementptr [4 x i8], ptr addrspace(1) %418, i64 %107, !dbg !36
  %442 = getelementptr [4 x i8], ptr addrspace(1) %420, i64 %107, !dbg !36
  %443 = getelementptr [4 x i8], ptr addrspace(1) %422, i64 %107, !dbg !36
  %444 = getelementptr [4 x i8], ptr addrspace(1) %424, i64 %107, !dbg !36
  %445 = getelementptr [4 x i8], ptr addrspace(1) %426, i64 %107, !dbg !36
  %446 = getelementptr [4 x i8], ptr addrspace(1) %428, i64 %107, !dbg !36
  %447 = getelementptr [4 x i8], ptr addrspace(1) %430, i64 %107, !dbg !36
  %448 = getelementptr [4 x i8], ptr addrspace(1) %432, i64 %107, !dbg !36
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  %449 = shl nuw nsw i32 %11, 5, !dbg !23
  %450 = insertelement <4 x i32> poison, i32 %449, i64 0, !dbg !23
  %451 = insertelement <4 x i32> %450, i32 %11, i64 1, !dbg !23
  %452 = shufflevector <4 x i32> %451, <4 x i32> poison, <4 x i32> <i32 0, i32 1, i32 1, i32 1>, !dbg !23
  %453 = and <4 x i32> %452, <i32 96, i32 12, i32 112, i32 12>, !dbg !23
  %454 = shl nuw nsw <4 x i32> %453, <i32 0, i32 1, i32 3, i32 9>, !dbg !23
  %455 = tail call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %454), !dbg !23
  %456 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %455, !dbg !23
  %457 = insertelement <2 x float> poison, float %353, i64 0, !dbg !23
  %458 = insertelement <2 x float> %457, float %355, i64 1, !dbg !23
  store <2 x float> %458, ptr addrspace(3) %456, align 8, !dbg !23
  %459 = getelementptr inbounds nuw i8, ptr addrspace(3) %456, i32 1024, !dbg !23
  %460 = insertelement <2 x float> poison, float %361, i64 0, !dbg !23
  %461 = insertelement <2 x float> %460, float %363, i64 1, !dbg !23
  store <2 x float> %461, ptr addrspace(3) %459, align 8, !dbg !23
  %462 = xor i32 %455, 8, !dbg !23
  %463 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %462, !dbg !23
  %464 = insertelement <2 x float> poison, float %354, i64 0, !dbg !23
  %465 = insertelement <2 x float> %464, float %356, i64 1, !dbg !23
  store <2 x float> %465, ptr addrspace(3) %463, align 8, !dbg !23
  %466 = getelementptr inbounds nuw i8, ptr addrspace(3) %463, i32 1024, !dbg !23
  %467 = insertelement <2 x float> poison, float %362, i64 0, !dbg !23
  %468 = insertelement <2 x float> %467, float %364, i64 1, !dbg !23
  store <2 x float> %468, ptr addrspace(3) %466, align 8, !dbg !23
  %469 = xor i32 %455, 16, !dbg !23
  %470 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %469, !dbg !23
  %471 = insertelement <2 x float> poison, float %357, i64 0, !dbg !23
  %472 = insertelement <2 x float> %471, float %359, i64 1, !dbg !23
  store <2 x float> %472, ptr addrspace(3) %470, align 8, !dbg !23
  %473 = getelementptr inbounds nuw i8, ptr addrspace(3) %470, i32 1024, !dbg !23
  %474 = insertelement <2 x float> poison, float %365, i64 0, !dbg !23
  %475 = insertelement <2 x float> %474, float %367, i64 1, !dbg !23
  store <2 x float> %475, ptr addrspace(3) %473, align 8, !dbg !23
  %476 = xor i32 %455, 24, !dbg !23
  %477 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %476, !dbg !23
  %478 = insertelement <2 x float> poison, float %358, i64 0, !dbg !23
  %479 = insertelement <2 x float> %478, float %360, i64 1, !dbg !23
  store <2 x float> %479, ptr addrspace(3) %477, align 8, !dbg !23
  %480 = getelementptr inbounds nuw i8, ptr addrspace(3) %477, i32 1024, !dbg !23
  %481 = insertelement <2 x float> poison, float %366, i64 0, !dbg !23
  %482 = insertelement <2 x float> %481, float %368, i64 1, !dbg !23
  store <2 x float> %482, ptr addrspace(3) %480, align 8, !dbg !23
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  %483 = shl nuw nsw i32 %11, 6, !dbg !23
  %484 = and i32 %483, 7168, !dbg !23
  %485 = shl nuw nsw i32 %11, 4, !dbg !23
  %486 = and i32 %485, 96, !dbg !23
  %487 = lshr exact i32 %12, 2, !dbg !23
  %488 = shl nuw nsw i32 %11, 3, !dbg !23
  %489 = and i32 %488, 8, !dbg !23
  %490 = and i32 %.pre-phi48, 16, !dbg !23
  %491 = or disjoint i32 %484, %486, !dbg !23
  %492 = xor i32 %487, %489, !dbg !23
  %493 = or disjoint i32 %491, %492, !dbg !23
  %494 = xor i32 %493, %490, !dbg !23
  %495 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %494, !dbg !23
  %496 = load <2 x i32>, ptr addrspace(3) %495, align 8, !dbg !23
  %497 = getelementptr inbounds nuw i8, ptr addrspace(3) %495, i32 128, !dbg !23
  %498 = load <2 x i32>, ptr addrspace(3) %497, align 8, !dbg !23
  %499 = getelementptr inbounds nuw i8, ptr addrspace(3) %495, i32 256, !dbg !23
  %500 = load <2 x i32>, ptr addrspace(3) %499, align 8, !dbg !23
  %501 = getelementptr inbounds nuw i8, ptr addrspace(3) %495, i32 384, !dbg !23
  %502 = load <2 x i32>, ptr addrspace(3) %501, align 8, !dbg !23
  %503 = getelementptr inbounds nuw i8, ptr addrspace(3) %495, i32 512, !dbg !23
  %504 = load <2 x i32>, ptr addrspace(3) %503, align 8, !dbg !23
  %505 = getelementptr inbounds nuw i8, ptr addrspace(3) %495, i32 640, !dbg !23
  %506 = load <2 x i32>, ptr addrspace(3) %505, align 8, !dbg !23
  %507 = getelementptr inbounds nuw i8, ptr addrspace(3) %495, i32 768, !dbg !23
  %508 = load <2 x i32>, ptr addrspace(3) %507, align 8, !dbg !23
  %509 = getelementptr inbounds nuw i8, ptr addrspace(3) %495, i32 896, !dbg !23
  %510 = load <2 x i32>, ptr addrspace(3) %509, align 8, !dbg !23
  %.extract = extractelement <2 x i32> %496, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract, ptr addrspace(1) %433, i1 %369) #6, !dbg !23
  %.extract17 = extractelement <2 x i32> %498, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract17, ptr addrspace(1) %434, i1 %370) #6, !dbg !23
  %.extract18 = extractelement <2 x i32> %496, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract18, ptr addrspace(1) %435, i1 %371) #6, !dbg !23
  %.extract19 = extractelement <2 x i32> %498, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract19, ptr addrspace(1) %436, i1 %372) #6, !dbg !23
  %.extract20 = extractelement <2 x i32> %500, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract20, ptr addrspace(1) %437, i1 %373) #6, !dbg !23
  %.extract21 = extractelement <2 x i32> %502, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract21, ptr addrspace(1) %438, i1 %374) #6, !dbg !23
  %.extract22 = extractelement <2 x i32> %500, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract22, ptr addrspace(1) %439, i1 %375) #6, !dbg !23
  %.extract23 = extractelement <2 x i32> %502, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract23, ptr addrspace(1) %440, i1 %376) #6, !dbg !23
  %.extract24 = extractelement <2 x i32> %504, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract24, ptr addrspace(1) %441, i1 %377) #6, !dbg !23
  %.extract25 = extractelement <2 x i32> %506, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract25, ptr addrspace(1) %442, i1 %378) #6, !dbg !23
  %.extract26 = extractelement <2 x i32> %504, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract26, ptr addrspace(1) %443, i1 %379) #6, !dbg !23
  %.extract27 = extractelement <2 x i32> %506, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract27, ptr addrspace(1) %444, i1 %380) #6, !dbg !23
  %.extract28 = extractelement <2 x i32> %508, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract28, ptr addrspace(1) %445, i1 %381) #6, !dbg !23
  %.extract29 = extractelement <2 x i32> %510, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract29, ptr addrspace(1) %446, i1 %382) #6, !dbg !23
  %.extract30 = extractelement <2 x i32> %508, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract30, ptr addrspace(1) %447, i1 %383) #6, !dbg !23
  %.extract31 = extractelement <2 x i32> %510, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract31, ptr addrspace(1) %448, i1 %384) #6, !dbg !23
  ret void, !dbg !37
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.fence.proxy.async.shared_cta() #3

; Function Attrs: convergent nounwind
declare void @llvm.nvvm.wgmma.fence.sync.aligned() #4

; Function Attrs: convergent nounwind
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned() #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>) #5

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { nocallback nounwind }
attributes #4 = { convergent nounwind }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

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
!14 = !DILocation(line: 20, column: 12, scope: !4)
!15 = !DILocation(line: 20, column: 36, scope: !4)
!16 = !DILocation(line: 21, column: 15, scope: !4)
!17 = !DILocation(line: 21, column: 39, scope: !4)
!18 = !DILocation(line: 25, column: 20, scope: !4)
!19 = !DILocation(line: 25, column: 16, scope: !4)
!20 = !DILocation(line: 28, column: 33, scope: !4)
!21 = !DILocation(line: 29, column: 52, scope: !4)
!22 = !DILocation(line: 24, column: 5, scope: !4)
!23 = !DILocation(line: 32, column: 5, scope: !4)
!24 = !DILocation(line: 25, column: 41, scope: !4)
!25 = !DILocation(line: 26, column: 21, scope: !4)
!26 = !DILocation(line: 26, column: 17, scope: !4)
!27 = !DILocation(line: 27, column: 18, scope: !4)
!28 = !DILocation(line: 28, column: 32, scope: !4)
!29 = !DILocation(line: 28, column: 13, scope: !4)
!30 = !DILocation(line: 29, column: 33, scope: !4)
!31 = !DILocation(line: 29, column: 13, scope: !4)
!32 = !DILocation(line: 30, column: 17, scope: !4)
!33 = !DILocation(line: 23, column: 13, scope: !4)
!34 = !DILocation(line: 31, column: 12, scope: !4)
!35 = !DILocation(line: 32, column: 18, scope: !4)
!36 = !DILocation(line: 32, column: 14, scope: !4)
!37 = !DILocation(line: 18, column: 1, scope: !4)
