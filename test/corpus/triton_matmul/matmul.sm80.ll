; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @matmul(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, i32 %4, i32 %5, ptr addrspace(1) nofree readnone captures(none) %6, ptr addrspace(1) nofree readnone captures(none) %7) local_unnamed_addr #0 !dbg !4 {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !14
  %10 = shl i32 %9, 6, !dbg !14
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %12 = lshr i32 %11, 5, !dbg !15
  %13 = and i32 %12, 3, !dbg !15
  %14 = or disjoint i32 %13, 4, !dbg !15
  %15 = or disjoint i32 %13, 8, !dbg !15
  %16 = or disjoint i32 %13, 12, !dbg !15
  %17 = or disjoint i32 %13, 16, !dbg !15
  %18 = or disjoint i32 %13, 20, !dbg !15
  %19 = or disjoint i32 %13, 24, !dbg !15
  %20 = or i32 %12, 28, !dbg !15
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
  %36 = or disjoint i32 %12, %10, !dbg !14
  %37 = or i32 %36, 60, !dbg !14
  %38 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !16
  %39 = shl nuw nsw i32 %38, 5, !dbg !16
  %40 = and i32 %11, 31, !dbg !17
  %41 = or disjoint i32 %39, %40, !dbg !16
  %42 = mul i32 %5, %21, !dbg !18
  %43 = mul i32 %5, %22, !dbg !18
  %44 = mul i32 %5, %23, !dbg !18
  %45 = mul i32 %5, %24, !dbg !18
  %46 = mul i32 %5, %25, !dbg !18
  %47 = mul i32 %5, %26, !dbg !18
  %48 = mul i32 %5, %27, !dbg !18
  %49 = mul i32 %5, %28, !dbg !18
  %50 = mul i32 %5, %29, !dbg !18
  %51 = mul i32 %5, %30, !dbg !18
  %52 = mul i32 %5, %31, !dbg !18
  %53 = mul i32 %5, %32, !dbg !18
  %54 = mul i32 %5, %33, !dbg !18
  %55 = mul i32 %5, %34, !dbg !18
  %56 = mul i32 %5, %35, !dbg !18
  %57 = mul i32 %5, %37, !dbg !18
  %58 = sext i32 %42 to i64, !dbg !19
  %59 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %58, !dbg !19
  %60 = sext i32 %43 to i64, !dbg !19
  %61 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %60, !dbg !19
  %62 = sext i32 %44 to i64, !dbg !19
  %63 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %62, !dbg !19
  %64 = sext i32 %45 to i64, !dbg !19
  %65 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %64, !dbg !19
  %66 = sext i32 %46 to i64, !dbg !19
  %67 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %66, !dbg !19
  %68 = sext i32 %47 to i64, !dbg !19
  %69 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %68, !dbg !19
  %70 = sext i32 %48 to i64, !dbg !19
  %71 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %70, !dbg !19
  %72 = sext i32 %49 to i64, !dbg !19
  %73 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %72, !dbg !19
  %74 = sext i32 %50 to i64, !dbg !19
  %75 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %74, !dbg !19
  %76 = sext i32 %51 to i64, !dbg !19
  %77 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %76, !dbg !19
  %78 = sext i32 %52 to i64, !dbg !19
  %79 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %78, !dbg !19
  %80 = sext i32 %53 to i64, !dbg !19
  %81 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %80, !dbg !19
  %82 = sext i32 %54 to i64, !dbg !19
  %83 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %82, !dbg !19
  %84 = sext i32 %55 to i64, !dbg !19
  %85 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %84, !dbg !19
  %86 = sext i32 %56 to i64, !dbg !19
  %87 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %86, !dbg !19
  %88 = sext i32 %57 to i64, !dbg !19
  %89 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %88, !dbg !19
  %90 = icmp slt i32 %21, %3, !dbg !20
  %91 = icmp slt i32 %22, %3, !dbg !20
  %92 = icmp slt i32 %23, %3, !dbg !20
  %93 = icmp slt i32 %24, %3, !dbg !20
  %94 = icmp slt i32 %25, %3, !dbg !20
  %95 = icmp slt i32 %26, %3, !dbg !20
  %96 = icmp slt i32 %27, %3, !dbg !20
  %97 = icmp slt i32 %28, %3, !dbg !20
  %98 = icmp slt i32 %29, %3, !dbg !20
  %99 = icmp slt i32 %30, %3, !dbg !20
  %100 = icmp slt i32 %31, %3, !dbg !20
  %101 = icmp slt i32 %32, %3, !dbg !20
  %102 = icmp slt i32 %33, %3, !dbg !20
  %103 = icmp slt i32 %34, %3, !dbg !20
  %104 = icmp slt i32 %35, %3, !dbg !20
  %105 = icmp slt i32 %37, %3, !dbg !20
  %106 = icmp slt i32 %41, %4, !dbg !21
  %107 = icmp sgt i32 %5, 0, !dbg !22
  %108 = zext nneg i32 %41 to i64
  br i1 %107, label %.lr.ph, label %.._crit_edge_crit_edge, !dbg !22

.._crit_edge_crit_edge:                           ; preds = %8
  %.pre47 = and i32 %11, 64, !dbg !23
  br label %._crit_edge, !dbg !22

.lr.ph:                                           ; preds = %8
  %invariant.gep = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %108, !dbg !22
  %109 = shl nuw nsw i32 %11, 1
  %110 = and i32 %109, 126
  %111 = and i32 %11, 64
  %112 = icmp eq i32 %111, 0
  %113 = select i1 %112, i32 0, i32 144
  %114 = xor i32 %113, %110
  %115 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %114
  %116 = or disjoint i32 %114, 512
  %117 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %116
  %118 = or disjoint i32 %114, 1024
  %119 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %118
  %120 = or disjoint i32 %114, 1536
  %121 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %120
  %122 = getelementptr inbounds nuw i8, ptr addrspace(3) %115, i32 2048
  %123 = getelementptr inbounds nuw i8, ptr addrspace(3) %115, i32 2560
  %124 = getelementptr inbounds nuw i8, ptr addrspace(3) %115, i32 3072
  %125 = getelementptr inbounds nuw i8, ptr addrspace(3) %115, i32 3584
  %126 = xor i32 %114, 288
  %127 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %126
  %128 = or disjoint i32 %126, 512
  %129 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %128
  %130 = or disjoint i32 %126, 1024
  %131 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %130
  %132 = or disjoint i32 %126, 1536
  %133 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %132
  %134 = getelementptr inbounds nuw i8, ptr addrspace(3) %127, i32 2048
  %135 = getelementptr inbounds nuw i8, ptr addrspace(3) %127, i32 2560
  %136 = getelementptr inbounds nuw i8, ptr addrspace(3) %127, i32 3072
  %137 = getelementptr inbounds nuw i8, ptr addrspace(3) %127, i32 3584
  %138 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %114
  %139 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %116
  %140 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %118
  %141 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %120
  %142 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %126
  %143 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %128
  %144 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %130
  %145 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %132
  %146 = shl nuw nsw i32 %11, 6
  %147 = and i32 %146, 960
  %148 = shl nuw nsw i32 %11, 3
  %149 = and i32 %148, 48
  %150 = and i32 %11, 16
  %151 = shl nuw nsw i32 %111, 4
  %152 = or disjoint i32 %147, %149
  %153 = xor i32 %152, %150
  %154 = or disjoint i32 %153, %151
  %155 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %154
  %156 = getelementptr inbounds nuw i8, ptr addrspace(3) %155, i32 2048
  %157 = xor i32 %154, 32
  %158 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %157
  %159 = getelementptr inbounds nuw i8, ptr addrspace(3) %158, i32 2048
  %160 = shl nuw nsw i32 %40, 6
  %161 = lshr i32 %11, 1
  %162 = and i32 %161, 16
  %163 = xor i32 %149, %162
  %164 = or disjoint i32 %163, %160
  %165 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %164
  %166 = xor i32 %164, 32
  %167 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %166
  br label %168, !dbg !22

168:                                              ; preds = %.lr.ph, %168
  %169 = phi float [ 0.000000e+00, %.lr.ph ], [ %360, %168 ]
  %170 = phi float [ 0.000000e+00, %.lr.ph ], [ %361, %168 ]
  %171 = phi float [ 0.000000e+00, %.lr.ph ], [ %362, %168 ]
  %172 = phi float [ 0.000000e+00, %.lr.ph ], [ %363, %168 ]
  %173 = phi float [ 0.000000e+00, %.lr.ph ], [ %365, %168 ]
  %174 = phi float [ 0.000000e+00, %.lr.ph ], [ %366, %168 ]
  %175 = phi float [ 0.000000e+00, %.lr.ph ], [ %367, %168 ]
  %176 = phi float [ 0.000000e+00, %.lr.ph ], [ %368, %168 ]
  %177 = phi float [ 0.000000e+00, %.lr.ph ], [ %370, %168 ]
  %178 = phi float [ 0.000000e+00, %.lr.ph ], [ %371, %168 ]
  %179 = phi float [ 0.000000e+00, %.lr.ph ], [ %372, %168 ]
  %180 = phi float [ 0.000000e+00, %.lr.ph ], [ %373, %168 ]
  %181 = phi float [ 0.000000e+00, %.lr.ph ], [ %375, %168 ]
  %182 = phi float [ 0.000000e+00, %.lr.ph ], [ %376, %168 ]
  %183 = phi float [ 0.000000e+00, %.lr.ph ], [ %377, %168 ]
  %184 = phi float [ 0.000000e+00, %.lr.ph ], [ %378, %168 ]
  %185 = phi i32 [ 0, %.lr.ph ], [ %379, %168 ]
  %186 = or disjoint i32 %185, %13, !dbg !24
  %187 = or disjoint i32 %185, %14, !dbg !24
  %188 = or disjoint i32 %185, %15, !dbg !24
  %189 = or disjoint i32 %185, %16, !dbg !24
  %190 = or disjoint i32 %185, %17, !dbg !24
  %191 = or disjoint i32 %185, %18, !dbg !24
  %192 = or disjoint i32 %185, %19, !dbg !24
  %193 = or disjoint i32 %185, %20, !dbg !24
  %194 = or disjoint i32 %185, %40, !dbg !24
  %195 = sext i32 %194 to i64, !dbg !19
  %196 = getelementptr [2 x i8], ptr addrspace(1) %59, i64 %195, !dbg !19
  %197 = getelementptr [2 x i8], ptr addrspace(1) %61, i64 %195, !dbg !19
  %198 = getelementptr [2 x i8], ptr addrspace(1) %63, i64 %195, !dbg !19
  %199 = getelementptr [2 x i8], ptr addrspace(1) %65, i64 %195, !dbg !19
  %200 = getelementptr [2 x i8], ptr addrspace(1) %67, i64 %195, !dbg !19
  %201 = getelementptr [2 x i8], ptr addrspace(1) %69, i64 %195, !dbg !19
  %202 = getelementptr [2 x i8], ptr addrspace(1) %71, i64 %195, !dbg !19
  %203 = getelementptr [2 x i8], ptr addrspace(1) %73, i64 %195, !dbg !19
  %204 = getelementptr [2 x i8], ptr addrspace(1) %75, i64 %195, !dbg !19
  %205 = getelementptr [2 x i8], ptr addrspace(1) %77, i64 %195, !dbg !19
  %206 = getelementptr [2 x i8], ptr addrspace(1) %79, i64 %195, !dbg !19
  %207 = getelementptr [2 x i8], ptr addrspace(1) %81, i64 %195, !dbg !19
  %208 = getelementptr [2 x i8], ptr addrspace(1) %83, i64 %195, !dbg !19
  %209 = getelementptr [2 x i8], ptr addrspace(1) %85, i64 %195, !dbg !19
  %210 = getelementptr [2 x i8], ptr addrspace(1) %87, i64 %195, !dbg !19
  %211 = getelementptr [2 x i8], ptr addrspace(1) %89, i64 %195, !dbg !19
  %212 = mul i32 %186, %4, !dbg !25
  %213 = mul i32 %187, %4, !dbg !25
  %214 = mul i32 %188, %4, !dbg !25
  %215 = mul i32 %189, %4, !dbg !25
  %216 = mul i32 %190, %4, !dbg !25
  %217 = mul i32 %191, %4, !dbg !25
  %218 = mul i32 %192, %4, !dbg !25
  %219 = mul i32 %193, %4, !dbg !25
  %220 = sext i32 %212 to i64, !dbg !26
  %221 = sext i32 %213 to i64, !dbg !26
  %222 = sext i32 %214 to i64, !dbg !26
  %223 = sext i32 %215 to i64, !dbg !26
  %224 = sext i32 %216 to i64, !dbg !26
  %225 = sext i32 %217 to i64, !dbg !26
  %226 = sext i32 %218 to i64, !dbg !26
  %227 = sext i32 %219 to i64, !dbg !26
  %gep = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %220, !dbg !26
  %gep33 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %221, !dbg !26
  %gep35 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %222, !dbg !26
  %gep37 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %223, !dbg !26
  %gep39 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %224, !dbg !26
  %gep41 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %225, !dbg !26
  %gep43 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %226, !dbg !26
  %gep45 = getelementptr [2 x i8], ptr addrspace(1) %invariant.gep, i64 %227, !dbg !26
  %228 = icmp slt i32 %186, %5, !dbg !27
  %229 = icmp slt i32 %187, %5, !dbg !27
  %230 = icmp slt i32 %188, %5, !dbg !27
  %231 = icmp slt i32 %189, %5, !dbg !27
  %232 = icmp slt i32 %190, %5, !dbg !27
  %233 = icmp slt i32 %191, %5, !dbg !27
  %234 = icmp slt i32 %192, %5, !dbg !27
  %235 = icmp slt i32 %193, %5, !dbg !27
  %236 = icmp slt i32 %194, %5, !dbg !27
  %237 = and i1 %90, %236, !dbg !28
  %238 = and i1 %91, %236, !dbg !28
  %239 = and i1 %92, %236, !dbg !28
  %240 = and i1 %93, %236, !dbg !28
  %241 = and i1 %94, %236, !dbg !28
  %242 = and i1 %95, %236, !dbg !28
  %243 = and i1 %96, %236, !dbg !28
  %244 = and i1 %97, %236, !dbg !28
  %245 = and i1 %98, %236, !dbg !28
  %246 = and i1 %99, %236, !dbg !28
  %247 = and i1 %100, %236, !dbg !28
  %248 = and i1 %101, %236, !dbg !28
  %249 = and i1 %102, %236, !dbg !28
  %250 = and i1 %103, %236, !dbg !28
  %251 = and i1 %104, %236, !dbg !28
  %252 = and i1 %105, %236, !dbg !28
  %253 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %196, i1 %237) #4, !dbg !29
  %254 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %197, i1 %238) #4, !dbg !29
  %255 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %198, i1 %239) #4, !dbg !29
  %256 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %199, i1 %240) #4, !dbg !29
  %257 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %200, i1 %241) #4, !dbg !29
  %258 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %201, i1 %242) #4, !dbg !29
  %259 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %202, i1 %243) #4, !dbg !29
  %260 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %203, i1 %244) #4, !dbg !29
  %261 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %204, i1 %245) #4, !dbg !29
  %262 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %205, i1 %246) #4, !dbg !29
  %263 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %206, i1 %247) #4, !dbg !29
  %264 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %207, i1 %248) #4, !dbg !29
  %265 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %208, i1 %249) #4, !dbg !29
  %266 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %209, i1 %250) #4, !dbg !29
  %267 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %210, i1 %251) #4, !dbg !29
  %268 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %211, i1 %252) #4, !dbg !29
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !29
  %269 = insertelement <1 x i16> poison, i16 %253, i64 0, !dbg !29
  store <1 x i16> %269, ptr addrspace(3) %115, align 2, !dbg !29
  %270 = insertelement <1 x i16> poison, i16 %255, i64 0, !dbg !29
  store <1 x i16> %270, ptr addrspace(3) %117, align 2, !dbg !29
  %271 = insertelement <1 x i16> poison, i16 %257, i64 0, !dbg !29
  store <1 x i16> %271, ptr addrspace(3) %119, align 2, !dbg !29
  %272 = insertelement <1 x i16> poison, i16 %259, i64 0, !dbg !29
  store <1 x i16> %272, ptr addrspace(3) %121, align 2, !dbg !29
  %273 = insertelement <1 x i16> poison, i16 %261, i64 0, !dbg !29
  store <1 x i16> %273, ptr addrspace(3) %122, align 2, !dbg !29
  %274 = insertelement <1 x i16> poison, i16 %263, i64 0, !dbg !29
  store <1 x i16> %274, ptr addrspace(3) %123, align 2, !dbg !29
  %275 = insertelement <1 x i16> poison, i16 %265, i64 0, !dbg !29
  store <1 x i16> %275, ptr addrspace(3) %124, align 2, !dbg !29
  %276 = insertelement <1 x i16> poison, i16 %267, i64 0, !dbg !29
  store <1 x i16> %276, ptr addrspace(3) %125, align 2, !dbg !29
  %277 = insertelement <1 x i16> poison, i16 %254, i64 0, !dbg !29
  store <1 x i16> %277, ptr addrspace(3) %127, align 2, !dbg !29
  %278 = insertelement <1 x i16> poison, i16 %256, i64 0, !dbg !29
  store <1 x i16> %278, ptr addrspace(3) %129, align 2, !dbg !29
  %279 = insertelement <1 x i16> poison, i16 %258, i64 0, !dbg !29
  store <1 x i16> %279, ptr addrspace(3) %131, align 2, !dbg !29
  %280 = insertelement <1 x i16> poison, i16 %260, i64 0, !dbg !29
  store <1 x i16> %280, ptr addrspace(3) %133, align 2, !dbg !29
  %281 = insertelement <1 x i16> poison, i16 %262, i64 0, !dbg !29
  store <1 x i16> %281, ptr addrspace(3) %134, align 2, !dbg !29
  %282 = insertelement <1 x i16> poison, i16 %264, i64 0, !dbg !29
  store <1 x i16> %282, ptr addrspace(3) %135, align 2, !dbg !29
  %283 = insertelement <1 x i16> poison, i16 %266, i64 0, !dbg !29
  store <1 x i16> %283, ptr addrspace(3) %136, align 2, !dbg !29
  %284 = insertelement <1 x i16> poison, i16 %268, i64 0, !dbg !29
  store <1 x i16> %284, ptr addrspace(3) %137, align 2, !dbg !29
  %285 = and i1 %106, %228, !dbg !30
  %286 = and i1 %106, %229, !dbg !30
  %287 = and i1 %106, %230, !dbg !30
  %288 = and i1 %106, %231, !dbg !30
  %289 = and i1 %106, %232, !dbg !30
  %290 = and i1 %106, %233, !dbg !30
  %291 = and i1 %106, %234, !dbg !30
  %292 = and i1 %106, %235, !dbg !30
  %293 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep, i1 %285) #4, !dbg !31
  %294 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep33, i1 %286) #4, !dbg !31
  %295 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep35, i1 %287) #4, !dbg !31
  %296 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep37, i1 %288) #4, !dbg !31
  %297 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep39, i1 %289) #4, !dbg !31
  %298 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep41, i1 %290) #4, !dbg !31
  %299 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep43, i1 %291) #4, !dbg !31
  %300 = tail call i16 asm sideeffect "mov.u16 $0, $1;\0A\09@$3 ld.global.b16 { $0 }, [ $2 + 0 ];", "=c,c,l,b"(i16 0, ptr addrspace(1) %gep45, i1 %292) #4, !dbg !31
  %301 = insertelement <1 x i16> poison, i16 %293, i64 0, !dbg !31
  store <1 x i16> %301, ptr addrspace(3) %138, align 2, !dbg !31
  %302 = insertelement <1 x i16> poison, i16 %295, i64 0, !dbg !31
  store <1 x i16> %302, ptr addrspace(3) %139, align 2, !dbg !31
  %303 = insertelement <1 x i16> poison, i16 %297, i64 0, !dbg !31
  store <1 x i16> %303, ptr addrspace(3) %140, align 2, !dbg !31
  %304 = insertelement <1 x i16> poison, i16 %299, i64 0, !dbg !31
  store <1 x i16> %304, ptr addrspace(3) %141, align 2, !dbg !31
  %305 = insertelement <1 x i16> poison, i16 %294, i64 0, !dbg !31
  store <1 x i16> %305, ptr addrspace(3) %142, align 2, !dbg !31
  %306 = insertelement <1 x i16> poison, i16 %296, i64 0, !dbg !31
  store <1 x i16> %306, ptr addrspace(3) %143, align 2, !dbg !31
  %307 = insertelement <1 x i16> poison, i16 %298, i64 0, !dbg !31
  store <1 x i16> %307, ptr addrspace(3) %144, align 2, !dbg !31
  %308 = insertelement <1 x i16> poison, i16 %300, i64 0, !dbg !31
  store <1 x i16> %308, ptr addrspace(3) %145, align 2, !dbg !31
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !29
  %309 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %155), !dbg !29
  %310 = extractvalue { i32, i32, i32, i32 } %309, 0, !dbg !29
  %311 = extractvalue { i32, i32, i32, i32 } %309, 1, !dbg !29
  %312 = extractvalue { i32, i32, i32, i32 } %309, 2, !dbg !29
  %313 = extractvalue { i32, i32, i32, i32 } %309, 3, !dbg !29
  %314 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %156), !dbg !29
  %315 = extractvalue { i32, i32, i32, i32 } %314, 0, !dbg !29
  %316 = extractvalue { i32, i32, i32, i32 } %314, 1, !dbg !29
  %317 = extractvalue { i32, i32, i32, i32 } %314, 2, !dbg !29
  %318 = extractvalue { i32, i32, i32, i32 } %314, 3, !dbg !29
  %319 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %158), !dbg !29
  %320 = extractvalue { i32, i32, i32, i32 } %319, 0, !dbg !29
  %321 = extractvalue { i32, i32, i32, i32 } %319, 1, !dbg !29
  %322 = extractvalue { i32, i32, i32, i32 } %319, 2, !dbg !29
  %323 = extractvalue { i32, i32, i32, i32 } %319, 3, !dbg !29
  %324 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %159), !dbg !29
  %325 = extractvalue { i32, i32, i32, i32 } %324, 0, !dbg !29
  %326 = extractvalue { i32, i32, i32, i32 } %324, 1, !dbg !29
  %327 = extractvalue { i32, i32, i32, i32 } %324, 2, !dbg !29
  %328 = extractvalue { i32, i32, i32, i32 } %324, 3, !dbg !29
  %329 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %165), !dbg !31
  %330 = extractvalue { i32, i32, i32, i32 } %329, 0, !dbg !31
  %331 = extractvalue { i32, i32, i32, i32 } %329, 1, !dbg !31
  %332 = extractvalue { i32, i32, i32, i32 } %329, 2, !dbg !31
  %333 = extractvalue { i32, i32, i32, i32 } %329, 3, !dbg !31
  %334 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %167), !dbg !31
  %335 = extractvalue { i32, i32, i32, i32 } %334, 0, !dbg !31
  %336 = extractvalue { i32, i32, i32, i32 } %334, 1, !dbg !31
  %337 = extractvalue { i32, i32, i32, i32 } %334, 2, !dbg !31
  %338 = extractvalue { i32, i32, i32, i32 } %334, 3, !dbg !31
  %339 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %169, float %170, float %171, float %172, i32 %310, i32 %311, i32 %312, i32 %313, i32 %330, i32 %331) #4, !dbg !32
  %340 = extractvalue { float, float, float, float } %339, 0, !dbg !32
  %341 = extractvalue { float, float, float, float } %339, 1, !dbg !32
  %342 = extractvalue { float, float, float, float } %339, 2, !dbg !32
  %343 = extractvalue { float, float, float, float } %339, 3, !dbg !32
  %344 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %173, float %174, float %175, float %176, i32 %310, i32 %311, i32 %312, i32 %313, i32 %335, i32 %336) #4, !dbg !32
  %345 = extractvalue { float, float, float, float } %344, 0, !dbg !32
  %346 = extractvalue { float, float, float, float } %344, 1, !dbg !32
  %347 = extractvalue { float, float, float, float } %344, 2, !dbg !32
  %348 = extractvalue { float, float, float, float } %344, 3, !dbg !32
  %349 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %177, float %178, float %179, float %180, i32 %315, i32 %316, i32 %317, i32 %318, i32 %330, i32 %331) #4, !dbg !32
  %350 = extractvalue { float, float, float, float } %349, 0, !dbg !32
  %351 = extractvalue { float, float, float, float } %349, 1, !dbg !32
  %352 = extractvalue { float, float, float, float } %349, 2, !dbg !32
  %353 = extractvalue { float, float, float, float } %349, 3, !dbg !32
  %354 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %181, float %182, float %183, float %184, i32 %315, i32 %316, i32 %317, i32 %318, i32 %335, i32 %336) #4, !dbg !32
  %355 = extractvalue { float, float, float, float } %354, 0, !dbg !32
  %356 = extractvalue { float, float, float, float } %354, 1, !dbg !32
  %357 = extractvalue { float, float, float, float } %354, 2, !dbg !32
  %358 = extractvalue { float, float, float, float } %354, 3, !dbg !32
  %359 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %340, float %341, float %342, float %343, i32 %320, i32 %321, i32 %322, i32 %323, i32 %332, i32 %333) #4, !dbg !32
  %360 = extractvalue { float, float, float, float } %359, 0, !dbg !32
  %361 = extractvalue { float, float, float, float } %359, 1, !dbg !32
  %362 = extractvalue { float, float, float, float } %359, 2, !dbg !32
  %363 = extractvalue { float, float, float, float } %359, 3, !dbg !32
  %364 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %345, float %346, float %347, float %348, i32 %320, i32 %321, i32 %322, i32 %323, i32 %337, i32 %338) #4, !dbg !32
  %365 = extractvalue { float, float, float, float } %364, 0, !dbg !32
  %366 = extractvalue { float, float, float, float } %364, 1, !dbg !32
  %367 = extractvalue { float, float, float, float } %364, 2, !dbg !32
  %368 = extractvalue { float, float, float, float } %364, 3, !dbg !32
  %369 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %350, float %351, float %352, float %353, i32 %325, i32 %326, i32 %327, i32 %328, i32 %332, i32 %333) #4, !dbg !32
  %370 = extractvalue { float, float, float, float } %369, 0, !dbg !32
  %371 = extractvalue { float, float, float, float } %369, 1, !dbg !32
  %372 = extractvalue { float, float, float, float } %369, 2, !dbg !32
  %373 = extractvalue { float, float, float, float } %369, 3, !dbg !32
  %374 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %355, float %356, float %357, float %358, i32 %325, i32 %326, i32 %327, i32 %328, i32 %337, i32 %338) #4, !dbg !32
  %375 = extractvalue { float, float, float, float } %374, 0, !dbg !32
  %376 = extractvalue { float, float, float, float } %374, 1, !dbg !32
  %377 = extractvalue { float, float, float, float } %374, 2, !dbg !32
  %378 = extractvalue { float, float, float, float } %374, 3, !dbg !32
  %379 = add i32 %185, 32, !dbg !22
  %380 = icmp slt i32 %379, %5, !dbg !22
  br i1 %380, label %168, label %._crit_edge, !dbg !22

._crit_edge:                                      ; preds = %168, %.._crit_edge_crit_edge
  %.pre-phi48 = phi i32 [ %.pre47, %.._crit_edge_crit_edge ], [ %111, %168 ], !dbg !23
  %381 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %360, %168 ], !dbg !33
  %382 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %361, %168 ], !dbg !33
  %383 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %362, %168 ], !dbg !33
  %384 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %363, %168 ], !dbg !33
  %385 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %365, %168 ], !dbg !33
  %386 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %366, %168 ], !dbg !33
  %387 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %367, %168 ], !dbg !33
  %388 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %368, %168 ], !dbg !33
  %389 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %370, %168 ], !dbg !33
  %390 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %371, %168 ], !dbg !33
  %391 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %372, %168 ], !dbg !33
  %392 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %373, %168 ], !dbg !33
  %393 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %375, %168 ], !dbg !33
  %394 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %376, %168 ], !dbg !33
  %395 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %377, %168 ], !dbg !33
  %396 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %378, %168 ], !dbg !33
  %397 = and i1 %90, %106, !dbg !34
  %398 = and i1 %91, %106, !dbg !34
  %399 = and i1 %92, %106, !dbg !34
  %400 = and i1 %93, %106, !dbg !34
  %401 = and i1 %94, %106, !dbg !34
  %402 = and i1 %95, %106, !dbg !34
  %403 = and i1 %96, %106, !dbg !34
  %404 = and i1 %97, %106, !dbg !34
  %405 = and i1 %98, %106, !dbg !34
  %406 = and i1 %99, %106, !dbg !34
  %407 = and i1 %100, %106, !dbg !34
  %408 = and i1 %101, %106, !dbg !34
  %409 = and i1 %102, %106, !dbg !34
  %410 = and i1 %103, %106, !dbg !34
  %411 = and i1 %104, %106, !dbg !34
  %412 = and i1 %105, %106, !dbg !34
  %413 = mul i32 %4, %21, !dbg !35
  %414 = mul i32 %4, %22, !dbg !35
  %415 = mul i32 %4, %23, !dbg !35
  %416 = mul i32 %4, %24, !dbg !35
  %417 = mul i32 %4, %25, !dbg !35
  %418 = mul i32 %4, %26, !dbg !35
  %419 = mul i32 %4, %27, !dbg !35
  %420 = mul i32 %4, %28, !dbg !35
  %421 = mul i32 %4, %29, !dbg !35
  %422 = mul i32 %4, %30, !dbg !35
  %423 = mul i32 %4, %31, !dbg !35
  %424 = mul i32 %4, %32, !dbg !35
  %425 = mul i32 %4, %33, !dbg !35
  %426 = mul i32 %4, %34, !dbg !35
  %427 = mul i32 %4, %35, !dbg !35
  %428 = mul i32 %4, %37, !dbg !35
  %429 = sext i32 %413 to i64, !dbg !36
  %430 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %429, !dbg !36
  %431 = sext i32 %414 to i64, !dbg !36
  %432 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %431, !dbg !36
  %433 = sext i32 %415 to i64, !dbg !36
  %434 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %433, !dbg !36
  %435 = sext i32 %416 to i64, !dbg !36
  %436 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %435, !dbg !36
  %437 = sext i32 %417 to i64, !dbg !36
  %438 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %437, !dbg !36
  %439 = sext i32 %418 to i64, !dbg !36
  %440 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %439, !dbg !36
  %441 = sext i32 %419 to i64, !dbg !36
  %442 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %441, !dbg !36
  %443 = sext i32 %420 to i64, !dbg !36
  %444 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %443, !dbg !36
  %445 = sext i32 %421 to i64, !dbg !36
  %446 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %445, !dbg !36
  %447 = sext i32 %422 to i64, !dbg !36
  %448 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %447, !dbg !36
  %449 = sext i32 %423 to i64, !dbg !36
  %450 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %449, !dbg !36
  %451 = sext i32 %424 to i64, !dbg !36
  %452 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %451, !dbg !36
  %453 = sext i32 %425 to i64, !dbg !36
  %454 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %453, !dbg !36
  %455 = sext i32 %426 to i64, !dbg !36
  %456 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %455, !dbg !36
  %457 = sext i32 %427 to i64, !dbg !36
  %458 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %457, !dbg !36
  %459 = sext i32 %428 to i64, !dbg !36
  %460 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %459, !dbg !36
  %461 = getelementptr [4 x i8], ptr addrspace(1) %430, i64 %108, !dbg !36
  %462 = getelementptr [4 x i8], ptr addrspace(1) %432, i64 %108, !dbg !36
  %463 = getelementptr [4 x i8], ptr addrspace(1) %434, i64 %108, !dbg !36
  %464 = getelementptr [4 x i8], ptr addrspace(1) %436, i64 %108, !dbg !36
  %465 = getelementptr [4 x i8], ptr addrspace(1) %438, i64 %108, !dbg !36
  %466 = getelementptr [4 x i8], ptr addrspace(1) %440, i64 %108, !dbg !36
  %467 = getelementptr [4 x i8], ptr addrspace(1) %442, i64 %108, !dbg !36
  %468 = getelementptr [4 x i8], ptr addrspace(1) %444, i64 %108, !dbg !36
  %469 = getelementptr [4 x i8], ptr addrspace(1) %446, i64 %108, !dbg !36
  %470 = getelementptr [4 x i8], ptr addrspace(1) %448, i64 %108, !dbg !36
  %471 = getelementptr [4 x i8], ptr addrspace(1) %450, i64 %108, !dbg !36
  %472 = getelementptr [4 x i8], ptr addrspace(1) %452, i64 %108, !dbg !36
  %473 = getelementptr [4 x i8], ptr addrspace(1) %454, i64 %108, !dbg !36
  %474 = getelementptr [4 x i8], ptr addrspace(1) %456, i64 %108, !dbg !36
  %475 = getelementptr [4 x i8], ptr addrspace(1) %458, i64 %108, !dbg !36
  %476 = getelementptr [4 x i8], ptr addrspace(1) %460, i64 %108, !dbg !36
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  %477 = shl nuw nsw i32 %11, 5, !dbg !23
  %478 = and i32 %477, 1120, !dbg !23
  %479 = and i32 %11, 24, !dbg !23
  %480 = shl nuw nsw i32 %479, 4, !dbg !23
  %481 = and i32 %11, 4, !dbg !23
  %482 = icmp eq i32 %481, 0, !dbg !23
  %483 = select i1 %482, i32 0, i32 4112, !dbg !23
  %484 = shl nuw nsw i32 %.pre-phi48, 3, !dbg !23
  %485 = or disjoint i32 %483, %480, !dbg !23
  %486 = or disjoint i32 %485, %484, !dbg !23
  %487 = or disjoint i32 %486, %478, !dbg !23
  %488 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %487, !dbg !23
  %489 = insertelement <4 x float> poison, float %381, i64 0, !dbg !23
  %490 = insertelement <4 x float> %489, float %383, i64 1, !dbg !23
  %491 = insertelement <4 x float> %490, float %389, i64 2, !dbg !23
  %492 = insertelement <4 x float> %491, float %391, i64 3, !dbg !23
  store <4 x float> %492, ptr addrspace(3) %488, align 16, !dbg !23
  %493 = getelementptr inbounds nuw i8, ptr addrspace(3) %488, i32 2048, !dbg !23
  %494 = insertelement <4 x float> poison, float %385, i64 0, !dbg !23
  %495 = insertelement <4 x float> %494, float %387, i64 1, !dbg !23
  %496 = insertelement <4 x float> %495, float %393, i64 2, !dbg !23
  %497 = insertelement <4 x float> %496, float %395, i64 3, !dbg !23
  store <4 x float> %497, ptr addrspace(3) %493, align 16, !dbg !23
  %498 = xor i32 %487, 16, !dbg !23
  %499 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %498, !dbg !23
  %500 = insertelement <4 x float> poison, float %382, i64 0, !dbg !23
  %501 = insertelement <4 x float> %500, float %384, i64 1, !dbg !23
  %502 = insertelement <4 x float> %501, float %390, i64 2, !dbg !23
  %503 = insertelement <4 x float> %502, float %392, i64 3, !dbg !23
  store <4 x float> %503, ptr addrspace(3) %499, align 16, !dbg !23
  %504 = getelementptr inbounds nuw i8, ptr addrspace(3) %499, i32 2048, !dbg !23
  %505 = insertelement <4 x float> poison, float %386, i64 0, !dbg !23
  %506 = insertelement <4 x float> %505, float %388, i64 1, !dbg !23
  %507 = insertelement <4 x float> %506, float %394, i64 2, !dbg !23
  %508 = insertelement <4 x float> %507, float %396, i64 3, !dbg !23
  store <4 x float> %508, ptr addrspace(3) %504, align 16, !dbg !23
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !23
  %509 = shl nuw nsw i32 %479, 7, !dbg !23
  %510 = shl nuw nsw i32 %11, 4, !dbg !23
  %511 = and i32 %510, 112, !dbg !23
  %512 = and i32 %11, 32, !dbg !23
  %513 = icmp eq i32 %512, 0, !dbg !23
  %514 = select i1 %513, i32 0, i32 4112, !dbg !23
  %515 = shl nuw nsw i32 %.pre-phi48, 1, !dbg !23
  %516 = or disjoint i32 %509, %511, !dbg !23
  %517 = xor i32 %516, %514, !dbg !23
  %518 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %515, !dbg !23
  %519 = getelementptr inbounds nuw i8, ptr addrspace(3) %518, i32 %517, !dbg !23
  %520 = load <4 x i32>, ptr addrspace(3) %519, align 16, !dbg !23
  %521 = getelementptr inbounds nuw i8, ptr addrspace(3) %519, i32 256, !dbg !23
  %522 = load <4 x i32>, ptr addrspace(3) %521, align 16, !dbg !23
  %523 = getelementptr inbounds nuw i8, ptr addrspace(3) %519, i32 512, !dbg !23
  %524 = load <4 x i32>, ptr addrspace(3) %523, align 16, !dbg !23
  %525 = getelementptr inbounds nuw i8, ptr addrspace(3) %519, i32 768, !dbg !23
  %526 = load <4 x i32>, ptr addrspace(3) %525, align 16, !dbg !23
  %.extract = extractelement <4 x i32> %520, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract, ptr addrspace(1) %461, i1 %397) #4, !dbg !23
  %.extract17 = extractelement <4 x i32> %522, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract17, ptr addrspace(1) %462, i1 %398) #4, !dbg !23
  %.extract18 = extractelement <4 x i32> %520, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract18, ptr addrspace(1) %463, i1 %399) #4, !dbg !23
  %.extract19 = extractelement <4 x i32> %522, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract19, ptr addrspace(1) %464, i1 %400) #4, !dbg !23
  %.extract20 = extractelement <4 x i32> %524, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract20, ptr addrspace(1) %465, i1 %401) #4, !dbg !23
  %.extract21 = extractelement <4 x i32> %526, i64 0, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract21, ptr addrspace(1) %466, i1 %402) #4, !dbg !23
  %.extract22 = extractelement <4 x i32> %524, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract22, ptr addrspace(1) %467, i1 %403) #4, !dbg !23
  %.extract23 = extractelement <4 x i32> %526, i64 1, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract23, ptr addrspace(1) %468, i1 %404) #4, !dbg !23
  %.extract24 = extractelement <4 x i32> %520, i64 2, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract24, ptr addrspace(1) %469, i1 %405) #4, !dbg !23
  %.extract25 = extractelement <4 x i32> %522, i64 2, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract25, ptr addrspace(1) %470, i1 %406) #4, !dbg !23
  %.extract26 = extractelement <4 x i32> %520, i64 3, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract26, ptr addrspace(1) %471, i1 %407) #4, !dbg !23
  %.extract27 = extractelement <4 x i32> %522, i64 3, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract27, ptr addrspace(1) %472, i1 %408) #4, !dbg !23
  %.extract28 = extractelement <4 x i32> %524, i64 2, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract28, ptr addrspace(1) %473, i1 %409) #4, !dbg !23
  %.extract29 = extractelement <4 x i32> %526, i64 2, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract29, ptr addrspace(1) %474, i1 %410) #4, !dbg !23
  %.extract30 = extractelement <4 x i32> %524, i64 3, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract30, ptr addrspace(1) %475, i1 %411) #4, !dbg !23
  %.extract31 = extractelement <4 x i32> %526, i64 3, !dbg !23
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %.extract31, ptr addrspace(1) %476, i1 %412) #4, !dbg !23
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

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #3

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) readonly captures(none)) #3

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nofree nounwind memory(argmem: read) }
attributes #4 = { nounwind }

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
