; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @scaled(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, ptr addrspace(1) %3, ptr addrspace(1) %4, ptr addrspace(1) nofree readnone captures(none) %5, ptr addrspace(1) nofree readnone captures(none) %6) local_unnamed_addr #0 !dbg !4 {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !13
  %9 = icmp samesign ult i32 %8, 32, !dbg !13
  tail call void asm sideeffect "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 64;", "b,r"(i1 %9, ptr addrspace(3) @global_smem) #9, !dbg !13
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !13
  %10 = load i32, ptr addrspace(3) @global_smem, align 16, !dbg !13
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !13
  tail call void asm sideeffect "@$0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "b"(i1 %9) #9, !dbg !13
  %11 = lshr i32 %8, 5, !dbg !14
  %12 = and i32 %8, 96, !dbg !14
  %13 = lshr exact i32 %12, 5, !dbg !14
  %14 = and i32 %8, 124, !dbg !14
  %15 = getelementptr i8, ptr addrspace(1) %0, i64 128, !dbg !15
  %16 = getelementptr i8, ptr addrspace(1) %0, i64 256, !dbg !15
  %17 = getelementptr i8, ptr addrspace(1) %0, i64 384, !dbg !15
  %18 = getelementptr i8, ptr addrspace(1) %0, i64 512, !dbg !15
  %19 = getelementptr i8, ptr addrspace(1) %0, i64 640, !dbg !15
  %20 = getelementptr i8, ptr addrspace(1) %0, i64 768, !dbg !15
  %21 = getelementptr i8, ptr addrspace(1) %0, i64 896, !dbg !15
  %22 = getelementptr i8, ptr addrspace(1) %0, i64 1024, !dbg !15
  %23 = getelementptr i8, ptr addrspace(1) %0, i64 1152, !dbg !15
  %24 = getelementptr i8, ptr addrspace(1) %0, i64 1280, !dbg !15
  %25 = getelementptr i8, ptr addrspace(1) %0, i64 1408, !dbg !15
  %26 = getelementptr i8, ptr addrspace(1) %0, i64 1536, !dbg !15
  %27 = getelementptr i8, ptr addrspace(1) %0, i64 1664, !dbg !15
  %28 = getelementptr i8, ptr addrspace(1) %0, i64 1792, !dbg !15
  %29 = getelementptr i8, ptr addrspace(1) %0, i64 1920, !dbg !15
  %30 = getelementptr i8, ptr addrspace(1) %0, i64 2048, !dbg !15
  %31 = getelementptr i8, ptr addrspace(1) %0, i64 2176, !dbg !15
  %32 = getelementptr i8, ptr addrspace(1) %0, i64 2304, !dbg !15
  %33 = getelementptr i8, ptr addrspace(1) %0, i64 2432, !dbg !15
  %34 = getelementptr i8, ptr addrspace(1) %0, i64 2560, !dbg !15
  %35 = getelementptr i8, ptr addrspace(1) %0, i64 2688, !dbg !15
  %36 = getelementptr i8, ptr addrspace(1) %0, i64 2816, !dbg !15
  %37 = getelementptr i8, ptr addrspace(1) %0, i64 2944, !dbg !15
  %38 = getelementptr i8, ptr addrspace(1) %0, i64 3072, !dbg !15
  %39 = getelementptr i8, ptr addrspace(1) %0, i64 3200, !dbg !15
  %40 = getelementptr i8, ptr addrspace(1) %0, i64 3328, !dbg !15
  %41 = getelementptr i8, ptr addrspace(1) %0, i64 3456, !dbg !15
  %42 = getelementptr i8, ptr addrspace(1) %0, i64 3584, !dbg !15
  %43 = getelementptr i8, ptr addrspace(1) %0, i64 3712, !dbg !15
  %44 = getelementptr i8, ptr addrspace(1) %0, i64 3840, !dbg !15
  %45 = getelementptr i8, ptr addrspace(1) %0, i64 3968, !dbg !15
  %46 = getelementptr i8, ptr addrspace(1) %0, i64 4096, !dbg !15
  %47 = getelementptr i8, ptr addrspace(1) %0, i64 4224, !dbg !15
  %48 = getelementptr i8, ptr addrspace(1) %0, i64 4352, !dbg !15
  %49 = getelementptr i8, ptr addrspace(1) %0, i64 4480, !dbg !15
  %50 = getelementptr i8, ptr addrspace(1) %0, i64 4608, !dbg !15
  %51 = getelementptr i8, ptr addrspace(1) %0, i64 4736, !dbg !15
  %52 = getelementptr i8, ptr addrspace(1) %0, i64 4864, !dbg !15
  %53 = getelementptr i8, ptr addrspace(1) %0, i64 4992, !dbg !15
  %54 = getelementptr i8, ptr addrspace(1) %0, i64 5120, !dbg !15
  %55 = getelementptr i8, ptr addrspace(1) %0, i64 5248, !dbg !15
  %56 = getelementptr i8, ptr addrspace(1) %0, i64 5376, !dbg !15
  %57 = getelementptr i8, ptr addrspace(1) %0, i64 5504, !dbg !15
  %58 = getelementptr i8, ptr addrspace(1) %0, i64 5632, !dbg !15
  %59 = getelementptr i8, ptr addrspace(1) %0, i64 5760, !dbg !15
  %60 = getelementptr i8, ptr addrspace(1) %0, i64 5888, !dbg !15
  %61 = getelementptr i8, ptr addrspace(1) %0, i64 6016, !dbg !15
  %62 = getelementptr i8, ptr addrspace(1) %0, i64 6144, !dbg !15
  %63 = getelementptr i8, ptr addrspace(1) %0, i64 6272, !dbg !15
  %64 = getelementptr i8, ptr addrspace(1) %0, i64 6400, !dbg !15
  %65 = getelementptr i8, ptr addrspace(1) %0, i64 6528, !dbg !15
  %66 = getelementptr i8, ptr addrspace(1) %0, i64 6656, !dbg !15
  %67 = getelementptr i8, ptr addrspace(1) %0, i64 6784, !dbg !15
  %68 = getelementptr i8, ptr addrspace(1) %0, i64 6912, !dbg !15
  %69 = getelementptr i8, ptr addrspace(1) %0, i64 7040, !dbg !15
  %70 = getelementptr i8, ptr addrspace(1) %0, i64 7168, !dbg !15
  %71 = getelementptr i8, ptr addrspace(1) %0, i64 7296, !dbg !15
  %72 = getelementptr i8, ptr addrspace(1) %0, i64 7424, !dbg !15
  %73 = getelementptr i8, ptr addrspace(1) %0, i64 7552, !dbg !15
  %74 = getelementptr i8, ptr addrspace(1) %0, i64 7680, !dbg !15
  %75 = getelementptr i8, ptr addrspace(1) %0, i64 7808, !dbg !15
  %76 = getelementptr i8, ptr addrspace(1) %0, i64 7936, !dbg !15
  %77 = getelementptr i8, ptr addrspace(1) %0, i64 8064, !dbg !15
  %78 = getelementptr i8, ptr addrspace(1) %0, i64 8192, !dbg !15
  %79 = getelementptr i8, ptr addrspace(1) %0, i64 8320, !dbg !15
  %80 = getelementptr i8, ptr addrspace(1) %0, i64 8448, !dbg !15
  %81 = getelementptr i8, ptr addrspace(1) %0, i64 8576, !dbg !15
  %82 = getelementptr i8, ptr addrspace(1) %0, i64 8704, !dbg !15
  %83 = getelementptr i8, ptr addrspace(1) %0, i64 8832, !dbg !15
  %84 = getelementptr i8, ptr addrspace(1) %0, i64 8960, !dbg !15
  %85 = getelementptr i8, ptr addrspace(1) %0, i64 9088, !dbg !15
  %86 = getelementptr i8, ptr addrspace(1) %0, i64 9216, !dbg !15
  %87 = getelementptr i8, ptr addrspace(1) %0, i64 9344, !dbg !15
  %88 = getelementptr i8, ptr addrspace(1) %0, i64 9472, !dbg !15
  %89 = getelementptr i8, ptr addrspace(1) %0, i64 9600, !dbg !15
  %90 = getelementptr i8, ptr addrspace(1) %0, i64 9728, !dbg !15
  %91 = getelementptr i8, ptr addrspace(1) %0, i64 9856, !dbg !15
  %92 = getelementptr i8, ptr addrspace(1) %0, i64 9984, !dbg !15
  %93 = getelementptr i8, ptr addrspace(1) %0, i64 10112, !dbg !15
  %94 = getelementptr i8, ptr addrspace(1) %0, i64 10240, !dbg !15
  %95 = getelementptr i8, ptr addrspace(1) %0, i64 10368, !dbg !15
  %96 = getelementptr i8, ptr addrspace(1) %0, i64 10496, !dbg !15
  %97 = getelementptr i8, ptr addrspace(1) %0, i64 10624, !dbg !15
  %98 = getelementptr i8, ptr addrspace(1) %0, i64 10752, !dbg !15
  %99 = getelementptr i8, ptr addrspace(1) %0, i64 10880, !dbg !15
  %100 = getelementptr i8, ptr addrspace(1) %0, i64 11008, !dbg !15
  %101 = getelementptr i8, ptr addrspace(1) %0, i64 11136, !dbg !15
  %102 = getelementptr i8, ptr addrspace(1) %0, i64 11264, !dbg !15
  %103 = getelementptr i8, ptr addrspace(1) %0, i64 11392, !dbg !15
  %104 = getelementptr i8, ptr addrspace(1) %0, i64 11520, !dbg !15
  %105 = getelementptr i8, ptr addrspace(1) %0, i64 11648, !dbg !15
  %106 = getelementptr i8, ptr addrspace(1) %0, i64 11776, !dbg !15
  %107 = getelementptr i8, ptr addrspace(1) %0, i64 11904, !dbg !15
  %108 = getelementptr i8, ptr addrspace(1) %0, i64 12032, !dbg !15
  %109 = getelementptr i8, ptr addrspace(1) %0, i64 12160, !dbg !15
  %110 = getelementptr i8, ptr addrspace(1) %0, i64 12288, !dbg !15
  %111 = getelementptr i8, ptr addrspace(1) %0, i64 12416, !dbg !15
  %112 = getelementptr i8, ptr addrspace(1) %0, i64 12544, !dbg !15
  %113 = getelementptr i8, ptr addrspace(1) %0, i64 12672, !dbg !15
  %114 = getelementptr i8, ptr addrspace(1) %0, i64 12800, !dbg !15
  %115 = getelementptr i8, ptr addrspace(1) %0, i64 12928, !dbg !15
  %116 = getelementptr i8, ptr addrspace(1) %0, i64 13056, !dbg !15
  %117 = getelementptr i8, ptr addrspace(1) %0, i64 13184, !dbg !15
  %118 = getelementptr i8, ptr addrspace(1) %0, i64 13312, !dbg !15
  %119 = getelementptr i8, ptr addrspace(1) %0, i64 13440, !dbg !15
  %120 = getelementptr i8, ptr addrspace(1) %0, i64 13568, !dbg !15
  %121 = getelementptr i8, ptr addrspace(1) %0, i64 13696, !dbg !15
  %122 = getelementptr i8, ptr addrspace(1) %0, i64 13824, !dbg !15
  %123 = getelementptr i8, ptr addrspace(1) %0, i64 13952, !dbg !15
  %124 = getelementptr i8, ptr addrspace(1) %0, i64 14080, !dbg !15
  %125 = getelementptr i8, ptr addrspace(1) %0, i64 14208, !dbg !15
  %126 = getelementptr i8, ptr addrspace(1) %0, i64 14336, !dbg !15
  %127 = getelementptr i8, ptr addrspace(1) %0, i64 14464, !dbg !15
  %128 = getelementptr i8, ptr addrspace(1) %0, i64 14592, !dbg !15
  %129 = getelementptr i8, ptr addrspace(1) %0, i64 14720, !dbg !15
  %130 = getelementptr i8, ptr addrspace(1) %0, i64 14848, !dbg !15
  %131 = getelementptr i8, ptr addrspace(1) %0, i64 14976, !dbg !15
  %132 = getelementptr i8, ptr addrspace(1) %0, i64 15104, !dbg !15
  %133 = getelementptr i8, ptr addrspace(1) %0, i64 15232, !dbg !15
  %134 = getelementptr i8, ptr addrspace(1) %0, i64 15360, !dbg !15
  %135 = getelementptr i8, ptr addrspace(1) %0, i64 15488, !dbg !15
  %136 = getelementptr i8, ptr addrspace(1) %0, i64 15616, !dbg !15
  %137 = getelementptr i8, ptr addrspace(1) %0, i64 15744, !dbg !15
  %138 = getelementptr i8, ptr addrspace(1) %0, i64 15872, !dbg !15
  %139 = getelementptr i8, ptr addrspace(1) %0, i64 16000, !dbg !15
  %140 = getelementptr i8, ptr addrspace(1) %0, i64 16128, !dbg !15
  %141 = getelementptr i8, ptr addrspace(1) %0, i64 16256, !dbg !15
  %142 = and i32 %8, 127, !dbg !16
  %143 = zext nneg i32 %142 to i64, !dbg !15
  %144 = getelementptr i8, ptr addrspace(1) %0, i64 %143, !dbg !15
  %145 = getelementptr i8, ptr addrspace(1) %15, i64 %143, !dbg !15
  %146 = getelementptr i8, ptr addrspace(1) %16, i64 %143, !dbg !15
  %147 = getelementptr i8, ptr addrspace(1) %17, i64 %143, !dbg !15
  %148 = getelementptr i8, ptr addrspace(1) %18, i64 %143, !dbg !15
  %149 = getelementptr i8, ptr addrspace(1) %19, i64 %143, !dbg !15
  %150 = getelementptr i8, ptr addrspace(1) %20, i64 %143, !dbg !15
  %151 = getelementptr i8, ptr addrspace(1) %21, i64 %143, !dbg !15
  %152 = getelementptr i8, ptr addrspace(1) %22, i64 %143, !dbg !15
  %153 = getelementptr i8, ptr addrspace(1) %23, i64 %143, !dbg !15
  %154 = getelementptr i8, ptr addrspace(1) %24, i64 %143, !dbg !15
  %155 = getelementptr i8, ptr addrspace(1) %25, i64 %143, !dbg !15
  %156 = getelementptr i8, ptr addrspace(1) %26, i64 %143, !dbg !15
  %157 = getelementptr i8, ptr addrspace(1) %27, i64 %143, !dbg !15
  %158 = getelementptr i8, ptr addrspace(1) %28, i64 %143, !dbg !15
  %159 = getelementptr i8, ptr addrspace(1) %29, i64 %143, !dbg !15
  %160 = getelementptr i8, ptr addrspace(1) %30, i64 %143, !dbg !15
  %161 = getelementptr i8, ptr addrspace(1) %31, i64 %143, !dbg !15
  %162 = getelementptr i8, ptr addrspace(1) %32, i64 %143, !dbg !15
  %163 = getelementptr i8, ptr addrspace(1) %33, i64 %143, !dbg !15
  %164 = getelementptr i8, ptr addrspace(1) %34, i64 %143, !dbg !15
  %165 = getelementptr i8, ptr addrspace(1) %35, i64 %143, !dbg !15
  %166 = getelementptr i8, ptr addrspace(1) %36, i64 %143, !dbg !15
  %167 = getelementptr i8, ptr addrspace(1) %37, i64 %143, !dbg !15
  %168 = getelementptr i8, ptr addrspace(1) %38, i64 %143, !dbg !15
  %169 = getelementptr i8, ptr addrspace(1) %39, i64 %143, !dbg !15
  %170 = getelementptr i8, ptr addrspace(1) %40, i64 %143, !dbg !15
  %171 = getelementptr i8, ptr addrspace(1) %41, i64 %143, !dbg !15
  %172 = getelementptr i8, ptr addrspace(1) %42, i64 %143, !dbg !15
  %173 = getelementptr i8, ptr addrspace(1) %43, i64 %143, !dbg !15
  %174 = getelementptr i8, ptr addrspace(1) %44, i64 %143, !dbg !15
  %175 = getelementptr i8, ptr addrspace(1) %45, i64 %143, !dbg !15
  %176 = getelementptr i8, ptr addrspace(1) %46, i64 %143, !dbg !15
  %177 = getelementptr i8, ptr addrspace(1) %47, i64 %143, !dbg !15
  %178 = getelementptr i8, ptr addrspace(1) %48, i64 %143, !dbg !15
  %179 = getelementptr i8, ptr addrspace(1) %49, i64 %143, !dbg !15
  %180 = getelementptr i8, ptr addrspace(1) %50, i64 %143, !dbg !15
  %181 = getelementptr i8, ptr addrspace(1) %51, i64 %143, !dbg !15
  %182 = getelementptr i8, ptr addrspace(1) %52, i64 %143, !dbg !15
  %183 = getelementptr i8, ptr addrspace(1) %53, i64 %143, !dbg !15
  %184 = getelementptr i8, ptr addrspace(1) %54, i64 %143, !dbg !15
  %185 = getelementptr i8, ptr addrspace(1) %55, i64 %143, !dbg !15
  %186 = getelementptr i8, ptr addrspace(1) %56, i64 %143, !dbg !15
  %187 = getelementptr i8, ptr addrspace(1) %57, i64 %143, !dbg !15
  %188 = getelementptr i8, ptr addrspace(1) %58, i64 %143, !dbg !15
  %189 = getelementptr i8, ptr addrspace(1) %59, i64 %143, !dbg !15
  %190 = getelementptr i8, ptr addrspace(1) %60, i64 %143, !dbg !15
  %191 = getelementptr i8, ptr addrspace(1) %61, i64 %143, !dbg !15
  %192 = getelementptr i8, ptr addrspace(1) %62, i64 %143, !dbg !15
  %193 = getelementptr i8, ptr addrspace(1) %63, i64 %143, !dbg !15
  %194 = getelementptr i8, ptr addrspace(1) %64, i64 %143, !dbg !15
  %195 = getelementptr i8, ptr addrspace(1) %65, i64 %143, !dbg !15
  %196 = getelementptr i8, ptr addrspace(1) %66, i64 %143, !dbg !15
  %197 = getelementptr i8, ptr addrspace(1) %67, i64 %143, !dbg !15
  %198 = getelementptr i8, ptr addrspace(1) %68, i64 %143, !dbg !15
  %199 = getelementptr i8, ptr addrspace(1) %69, i64 %143, !dbg !15
  %200 = getelementptr i8, ptr addrspace(1) %70, i64 %143, !dbg !15
  %201 = getelementptr i8, ptr addrspace(1) %71, i64 %143, !dbg !15
  %202 = getelementptr i8, ptr addrspace(1) %72, i64 %143, !dbg !15
  %203 = getelementptr i8, ptr addrspace(1) %73, i64 %143, !dbg !15
  %204 = getelementptr i8, ptr addrspace(1) %74, i64 %143, !dbg !15
  %205 = getelementptr i8, ptr addrspace(1) %75, i64 %143, !dbg !15
  %206 = getelementptr i8, ptr addrspace(1) %76, i64 %143, !dbg !15
  %207 = getelementptr i8, ptr addrspace(1) %77, i64 %143, !dbg !15
  %208 = getelementptr i8, ptr addrspace(1) %78, i64 %143, !dbg !15
  %209 = getelementptr i8, ptr addrspace(1) %79, i64 %143, !dbg !15
  %210 = getelementptr i8, ptr addrspace(1) %80, i64 %143, !dbg !15
  %211 = getelementptr i8, ptr addrspace(1) %81, i64 %143, !dbg !15
  %212 = getelementptr i8, ptr addrspace(1) %82, i64 %143, !dbg !15
  %213 = getelementptr i8, ptr addrspace(1) %83, i64 %143, !dbg !15
  %214 = getelementptr i8, ptr addrspace(1) %84, i64 %143, !dbg !15
  %215 = getelementptr i8, ptr addrspace(1) %85, i64 %143, !dbg !15
  %216 = getelementptr i8, ptr addrspace(1) %86, i64 %143, !dbg !15
  %217 = getelementptr i8, ptr addrspace(1) %87, i64 %143, !dbg !15
  %218 = getelementptr i8, ptr addrspace(1) %88, i64 %143, !dbg !15
  %219 = getelementptr i8, ptr addrspace(1) %89, i64 %143, !dbg !15
  %220 = getelementptr i8, ptr addrspace(1) %90, i64 %143, !dbg !15
  %221 = getelementptr i8, ptr addrspace(1) %91, i64 %143, !dbg !15
  %222 = getelementptr i8, ptr addrspace(1) %92, i64 %143, !dbg !15
  %223 = getelementptr i8, ptr addrspace(1) %93, i64 %143, !dbg !15
  %224 = getelementptr i8, ptr addrspace(1) %94, i64 %143, !dbg !15
  %225 = getelementptr i8, ptr addrspace(1) %95, i64 %143, !dbg !15
  %226 = getelementptr i8, ptr addrspace(1) %96, i64 %143, !dbg !15
  %227 = getelementptr i8, ptr addrspace(1) %97, i64 %143, !dbg !15
  %228 = getelementptr i8, ptr addrspace(1) %98, i64 %143, !dbg !15
  %229 = getelementptr i8, ptr addrspace(1) %99, i64 %143, !dbg !15
  %230 = getelementptr i8, ptr addrspace(1) %100, i64 %143, !dbg !15
  %231 = getelementptr i8, ptr addrspace(1) %101, i64 %143, !dbg !15
  %232 = getelementptr i8, ptr addrspace(1) %102, i64 %143, !dbg !15
  %233 = getelementptr i8, ptr addrspace(1) %103, i64 %143, !dbg !15
  %234 = getelementptr i8, ptr addrspace(1) %104, i64 %143, !dbg !15
  %235 = getelementptr i8, ptr addrspace(1) %105, i64 %143, !dbg !15
  %236 = getelementptr i8, ptr addrspace(1) %106, i64 %143, !dbg !15
  %237 = getelementptr i8, ptr addrspace(1) %107, i64 %143, !dbg !15
  %238 = getelementptr i8, ptr addrspace(1) %108, i64 %143, !dbg !15
  %239 = getelementptr i8, ptr addrspace(1) %109, i64 %143, !dbg !15
  %240 = getelementptr i8, ptr addrspace(1) %110, i64 %143, !dbg !15
  %241 = getelementptr i8, ptr addrspace(1) %111, i64 %143, !dbg !15
  %242 = getelementptr i8, ptr addrspace(1) %112, i64 %143, !dbg !15
  %243 = getelementptr i8, ptr addrspace(1) %113, i64 %143, !dbg !15
  %244 = getelementptr i8, ptr addrspace(1) %114, i64 %143, !dbg !15
  %245 = getelementptr i8, ptr addrspace(1) %115, i64 %143, !dbg !15
  %246 = getelementptr i8, ptr addrspace(1) %116, i64 %143, !dbg !15
  %247 = getelementptr i8, ptr addrspace(1) %117, i64 %143, !dbg !15
  %248 = getelementptr i8, ptr addrspace(1) %118, i64 %143, !dbg !15
  %249 = getelementptr i8, ptr addrspace(1) %119, i64 %143, !dbg !15
  %250 = getelementptr i8, ptr addrspace(1) %120, i64 %143, !dbg !15
  %251 = getelementptr i8, ptr addrspace(1) %121, i64 %143, !dbg !15
  %252 = getelementptr i8, ptr addrspace(1) %122, i64 %143, !dbg !15
  %253 = getelementptr i8, ptr addrspace(1) %123, i64 %143, !dbg !15
  %254 = getelementptr i8, ptr addrspace(1) %124, i64 %143, !dbg !15
  %255 = getelementptr i8, ptr addrspace(1) %125, i64 %143, !dbg !15
  %256 = getelementptr i8, ptr addrspace(1) %126, i64 %143, !dbg !15
  %257 = getelementptr i8, ptr addrspace(1) %127, i64 %143, !dbg !15
  %258 = getelementptr i8, ptr addrspace(1) %128, i64 %143, !dbg !15
  %259 = getelementptr i8, ptr addrspace(1) %129, i64 %143, !dbg !15
  %260 = getelementptr i8, ptr addrspace(1) %130, i64 %143, !dbg !15
  %261 = getelementptr i8, ptr addrspace(1) %131, i64 %143, !dbg !15
  %262 = getelementptr i8, ptr addrspace(1) %132, i64 %143, !dbg !15
  %263 = getelementptr i8, ptr addrspace(1) %133, i64 %143, !dbg !15
  %264 = getelementptr i8, ptr addrspace(1) %134, i64 %143, !dbg !15
  %265 = getelementptr i8, ptr addrspace(1) %135, i64 %143, !dbg !15
  %266 = getelementptr i8, ptr addrspace(1) %136, i64 %143, !dbg !15
  %267 = getelementptr i8, ptr addrspace(1) %137, i64 %143, !dbg !15
  %268 = getelementptr i8, ptr addrspace(1) %138, i64 %143, !dbg !15
  %269 = getelementptr i8, ptr addrspace(1) %139, i64 %143, !dbg !15
  %270 = getelementptr i8, ptr addrspace(1) %140, i64 %143, !dbg !15
  %271 = getelementptr i8, ptr addrspace(1) %141, i64 %143, !dbg !15
  %272 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %144) #9, !dbg !17
  %273 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %145) #9, !dbg !17
  %274 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %146) #9, !dbg !17
  %275 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %147) #9, !dbg !17
  %276 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %148) #9, !dbg !17
  %277 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %149) #9, !dbg !17
  %278 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %150) #9, !dbg !17
  %279 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %151) #9, !dbg !17
  %280 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %152) #9, !dbg !17
  %281 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %153) #9, !dbg !17
  %282 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %154) #9, !dbg !17
  %283 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %155) #9, !dbg !17
  %284 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %156) #9, !dbg !17
  %285 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %157) #9, !dbg !17
  %286 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %158) #9, !dbg !17
  %287 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %159) #9, !dbg !17
  %288 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %160) #9, !dbg !17
  %289 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %161) #9, !dbg !17
  %290 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %162) #9, !dbg !17
  %291 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %163) #9, !dbg !17
  %292 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %164) #9, !dbg !17
  %293 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %165) #9, !dbg !17
  %294 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %166) #9, !dbg !17
  %295 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %167) #9, !dbg !17
  %296 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %168) #9, !dbg !17
  %297 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %169) #9, !dbg !17
  %298 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %170) #9, !dbg !17
  %299 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %171) #9, !dbg !17
  %300 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %172) #9, !dbg !17
  %301 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %173) #9, !dbg !17
  %302 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %174) #9, !dbg !17
  %303 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %175) #9, !dbg !17
  %304 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %176) #9, !dbg !17
  %305 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %177) #9, !dbg !17
  %306 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %178) #9, !dbg !17
  %307 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %179) #9, !dbg !17
  %308 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %180) #9, !dbg !17
  %309 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %181) #9, !dbg !17
  %310 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %182) #9, !dbg !17
  %311 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %183) #9, !dbg !17
  %312 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %184) #9, !dbg !17
  %313 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %185) #9, !dbg !17
  %314 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %186) #9, !dbg !17
  %315 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %187) #9, !dbg !17
  %316 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %188) #9, !dbg !17
  %317 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %189) #9, !dbg !17
  %318 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %190) #9, !dbg !17
  %319 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %191) #9, !dbg !17
  %320 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %192) #9, !dbg !17
  %321 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %193) #9, !dbg !17
  %322 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %194) #9, !dbg !17
  %323 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %195) #9, !dbg !17
  %324 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %196) #9, !dbg !17
  %325 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %197) #9, !dbg !17
  %326 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %198) #9, !dbg !17
  %327 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %199) #9, !dbg !17
  %328 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %200) #9, !dbg !17
  %329 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %201) #9, !dbg !17
  %330 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %202) #9, !dbg !17
  %331 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %203) #9, !dbg !17
  %332 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %204) #9, !dbg !17
  %333 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %205) #9, !dbg !17
  %334 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %206) #9, !dbg !17
  %335 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %207) #9, !dbg !17
  %336 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %208) #9, !dbg !17
  %337 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %209) #9, !dbg !17
  %338 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %210) #9, !dbg !17
  %339 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %211) #9, !dbg !17
  %340 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %212) #9, !dbg !17
  %341 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %213) #9, !dbg !17
  %342 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %214) #9, !dbg !17
  %343 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %215) #9, !dbg !17
  %344 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %216) #9, !dbg !17
  %345 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %217) #9, !dbg !17
  %346 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %218) #9, !dbg !17
  %347 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %219) #9, !dbg !17
  %348 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %220) #9, !dbg !17
  %349 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %221) #9, !dbg !17
  %350 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %222) #9, !dbg !17
  %351 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %223) #9, !dbg !17
  %352 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %224) #9, !dbg !17
  %353 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %225) #9, !dbg !17
  %354 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %226) #9, !dbg !17
  %355 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %227) #9, !dbg !17
  %356 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %228) #9, !dbg !17
  %357 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %229) #9, !dbg !17
  %358 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %230) #9, !dbg !17
  %359 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %231) #9, !dbg !17
  %360 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %232) #9, !dbg !17
  %361 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %233) #9, !dbg !17
  %362 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %234) #9, !dbg !17
  %363 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %235) #9, !dbg !17
  %364 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %236) #9, !dbg !17
  %365 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %237) #9, !dbg !17
  %366 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %238) #9, !dbg !17
  %367 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %239) #9, !dbg !17
  %368 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %240) #9, !dbg !17
  %369 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %241) #9, !dbg !17
  %370 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %242) #9, !dbg !17
  %371 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %243) #9, !dbg !17
  %372 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %244) #9, !dbg !17
  %373 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %245) #9, !dbg !17
  %374 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %246) #9, !dbg !17
  %375 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %247) #9, !dbg !17
  %376 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %248) #9, !dbg !17
  %377 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %249) #9, !dbg !17
  %378 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %250) #9, !dbg !17
  %379 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %251) #9, !dbg !17
  %380 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %252) #9, !dbg !17
  %381 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %253) #9, !dbg !17
  %382 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %254) #9, !dbg !17
  %383 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %255) #9, !dbg !17
  %384 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %256) #9, !dbg !17
  %385 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %257) #9, !dbg !17
  %386 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %258) #9, !dbg !17
  %387 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %259) #9, !dbg !17
  %388 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %260) #9, !dbg !17
  %389 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %261) #9, !dbg !17
  %390 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %262) #9, !dbg !17
  %391 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %263) #9, !dbg !17
  %392 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %264) #9, !dbg !17
  %393 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %265) #9, !dbg !17
  %394 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %266) #9, !dbg !17
  %395 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %267) #9, !dbg !17
  %396 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %268) #9, !dbg !17
  %397 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %269) #9, !dbg !17
  %398 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %270) #9, !dbg !17
  %399 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %271) #9, !dbg !17
  %400 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %142, !dbg !17
  %401 = insertelement <1 x i8> poison, i8 %272, i64 0, !dbg !17
  store <1 x i8> %401, ptr addrspace(3) %400, align 1, !dbg !17
  %402 = or disjoint i32 %142, 1024, !dbg !17
  %403 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %402, !dbg !17
  %404 = insertelement <1 x i8> poison, i8 %280, i64 0, !dbg !17
  store <1 x i8> %404, ptr addrspace(3) %403, align 1, !dbg !17
  %405 = or disjoint i32 %142, 2048, !dbg !17
  %406 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %405, !dbg !17
  %407 = insertelement <1 x i8> poison, i8 %288, i64 0, !dbg !17
  store <1 x i8> %407, ptr addrspace(3) %406, align 1, !dbg !17
  %408 = or disjoint i32 %142, 3072, !dbg !17
  %409 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %408, !dbg !17
  %410 = insertelement <1 x i8> poison, i8 %296, i64 0, !dbg !17
  store <1 x i8> %410, ptr addrspace(3) %409, align 1, !dbg !17
  %411 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 4096, !dbg !17
  %412 = insertelement <1 x i8> poison, i8 %304, i64 0, !dbg !17
  store <1 x i8> %412, ptr addrspace(3) %411, align 1, !dbg !17
  %413 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 5120, !dbg !17
  %414 = insertelement <1 x i8> poison, i8 %312, i64 0, !dbg !17
  store <1 x i8> %414, ptr addrspace(3) %413, align 1, !dbg !17
  %415 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 6144, !dbg !17
  %416 = insertelement <1 x i8> poison, i8 %320, i64 0, !dbg !17
  store <1 x i8> %416, ptr addrspace(3) %415, align 1, !dbg !17
  %417 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 7168, !dbg !17
  %418 = insertelement <1 x i8> poison, i8 %328, i64 0, !dbg !17
  store <1 x i8> %418, ptr addrspace(3) %417, align 1, !dbg !17
  %419 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 8192, !dbg !17
  %420 = insertelement <1 x i8> poison, i8 %336, i64 0, !dbg !17
  store <1 x i8> %420, ptr addrspace(3) %419, align 1, !dbg !17
  %421 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 9216, !dbg !17
  %422 = insertelement <1 x i8> poison, i8 %344, i64 0, !dbg !17
  store <1 x i8> %422, ptr addrspace(3) %421, align 1, !dbg !17
  %423 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 10240, !dbg !17
  %424 = insertelement <1 x i8> poison, i8 %352, i64 0, !dbg !17
  store <1 x i8> %424, ptr addrspace(3) %423, align 1, !dbg !17
  %425 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 11264, !dbg !17
  %426 = insertelement <1 x i8> poison, i8 %360, i64 0, !dbg !17
  store <1 x i8> %426, ptr addrspace(3) %425, align 1, !dbg !17
  %427 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 12288, !dbg !17
  %428 = insertelement <1 x i8> poison, i8 %368, i64 0, !dbg !17
  store <1 x i8> %428, ptr addrspace(3) %427, align 1, !dbg !17
  %429 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 13312, !dbg !17
  %430 = insertelement <1 x i8> poison, i8 %376, i64 0, !dbg !17
  store <1 x i8> %430, ptr addrspace(3) %429, align 1, !dbg !17
  %431 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 14336, !dbg !17
  %432 = insertelement <1 x i8> poison, i8 %384, i64 0, !dbg !17
  store <1 x i8> %432, ptr addrspace(3) %431, align 1, !dbg !17
  %433 = getelementptr inbounds nuw i8, ptr addrspace(3) %400, i32 15360, !dbg !17
  %434 = insertelement <1 x i8> poison, i8 %392, i64 0, !dbg !17
  store <1 x i8> %434, ptr addrspace(3) %433, align 1, !dbg !17
  %435 = xor i32 %142, 144, !dbg !17
  %436 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %435, !dbg !17
  %437 = insertelement <1 x i8> poison, i8 %273, i64 0, !dbg !17
  store <1 x i8> %437, ptr addrspace(3) %436, align 1, !dbg !17
  %438 = or disjoint i32 %435, 1024, !dbg !17
  %439 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %438, !dbg !17
  %440 = insertelement <1 x i8> poison, i8 %281, i64 0, !dbg !17
  store <1 x i8> %440, ptr addrspace(3) %439, align 1, !dbg !17
  %441 = or disjoint i32 %435, 2048, !dbg !17
  %442 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %441, !dbg !17
  %443 = insertelement <1 x i8> poison, i8 %289, i64 0, !dbg !17
  store <1 x i8> %443, ptr addrspace(3) %442, align 1, !dbg !17
  %444 = or disjoint i32 %435, 3072, !dbg !17
  %445 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %444, !dbg !17
  %446 = insertelement <1 x i8> poison, i8 %297, i64 0, !dbg !17
  store <1 x i8> %446, ptr addrspace(3) %445, align 1, !dbg !17
  %447 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 4096, !dbg !17
  %448 = insertelement <1 x i8> poison, i8 %305, i64 0, !dbg !17
  store <1 x i8> %448, ptr addrspace(3) %447, align 1, !dbg !17
  %449 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 5120, !dbg !17
  %450 = insertelement <1 x i8> poison, i8 %313, i64 0, !dbg !17
  store <1 x i8> %450, ptr addrspace(3) %449, align 1, !dbg !17
  %451 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 6144, !dbg !17
  %452 = insertelement <1 x i8> poison, i8 %321, i64 0, !dbg !17
  store <1 x i8> %452, ptr addrspace(3) %451, align 1, !dbg !17
  %453 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 7168, !dbg !17
  %454 = insertelement <1 x i8> poison, i8 %329, i64 0, !dbg !17
  store <1 x i8> %454, ptr addrspace(3) %453, align 1, !dbg !17
  %455 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 8192, !dbg !17
  %456 = insertelement <1 x i8> poison, i8 %337, i64 0, !dbg !17
  store <1 x i8> %456, ptr addrspace(3) %455, align 1, !dbg !17
  %457 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 9216, !dbg !17
  %458 = insertelement <1 x i8> poison, i8 %345, i64 0, !dbg !17
  store <1 x i8> %458, ptr addrspace(3) %457, align 1, !dbg !17
  %459 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 10240, !dbg !17
  %460 = insertelement <1 x i8> poison, i8 %353, i64 0, !dbg !17
  store <1 x i8> %460, ptr addrspace(3) %459, align 1, !dbg !17
  %461 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 11264, !dbg !17
  %462 = insertelement <1 x i8> poison, i8 %361, i64 0, !dbg !17
  store <1 x i8> %462, ptr addrspace(3) %461, align 1, !dbg !17
  %463 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 12288, !dbg !17
  %464 = insertelement <1 x i8> poison, i8 %369, i64 0, !dbg !17
  store <1 x i8> %464, ptr addrspace(3) %463, align 1, !dbg !17
  %465 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 13312, !dbg !17
  %466 = insertelement <1 x i8> poison, i8 %377, i64 0, !dbg !17
  store <1 x i8> %466, ptr addrspace(3) %465, align 1, !dbg !17
  %467 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 14336, !dbg !17
  %468 = insertelement <1 x i8> poison, i8 %385, i64 0, !dbg !17
  store <1 x i8> %468, ptr addrspace(3) %467, align 1, !dbg !17
  %469 = getelementptr inbounds nuw i8, ptr addrspace(3) %436, i32 15360, !dbg !17
  %470 = insertelement <1 x i8> poison, i8 %393, i64 0, !dbg !17
  store <1 x i8> %470, ptr addrspace(3) %469, align 1, !dbg !17
  %471 = xor i32 %142, 288, !dbg !17
  %472 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %471, !dbg !17
  %473 = insertelement <1 x i8> poison, i8 %274, i64 0, !dbg !17
  store <1 x i8> %473, ptr addrspace(3) %472, align 1, !dbg !17
  %474 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 1024, !dbg !17
  %475 = insertelement <1 x i8> poison, i8 %282, i64 0, !dbg !17
  store <1 x i8> %475, ptr addrspace(3) %474, align 1, !dbg !17
  %476 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 2048, !dbg !17
  %477 = insertelement <1 x i8> poison, i8 %290, i64 0, !dbg !17
  store <1 x i8> %477, ptr addrspace(3) %476, align 1, !dbg !17
  %478 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 3072, !dbg !17
  %479 = insertelement <1 x i8> poison, i8 %298, i64 0, !dbg !17
  store <1 x i8> %479, ptr addrspace(3) %478, align 1, !dbg !17
  %480 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 4096, !dbg !17
  %481 = insertelement <1 x i8> poison, i8 %306, i64 0, !dbg !17
  store <1 x i8> %481, ptr addrspace(3) %480, align 1, !dbg !17
  %482 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 5120, !dbg !17
  %483 = insertelement <1 x i8> poison, i8 %314, i64 0, !dbg !17
  store <1 x i8> %483, ptr addrspace(3) %482, align 1, !dbg !17
  %484 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 6144, !dbg !17
  %485 = insertelement <1 x i8> poison, i8 %322, i64 0, !dbg !17
  store <1 x i8> %485, ptr addrspace(3) %484, align 1, !dbg !17
  %486 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 7168, !dbg !17
  %487 = insertelement <1 x i8> poison, i8 %330, i64 0, !dbg !17
  store <1 x i8> %487, ptr addrspace(3) %486, align 1, !dbg !17
  %488 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 8192, !dbg !17
  %489 = insertelement <1 x i8> poison, i8 %338, i64 0, !dbg !17
  store <1 x i8> %489, ptr addrspace(3) %488, align 1, !dbg !17
  %490 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 9216, !dbg !17
  %491 = insertelement <1 x i8> poison, i8 %346, i64 0, !dbg !17
  store <1 x i8> %491, ptr addrspace(3) %490, align 1, !dbg !17
  %492 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 10240, !dbg !17
  %493 = insertelement <1 x i8> poison, i8 %354, i64 0, !dbg !17
  store <1 x i8> %493, ptr addrspace(3) %492, align 1, !dbg !17
  %494 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 11264, !dbg !17
  %495 = insertelement <1 x i8> poison, i8 %362, i64 0, !dbg !17
  store <1 x i8> %495, ptr addrspace(3) %494, align 1, !dbg !17
  %496 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 12288, !dbg !17
  %497 = insertelement <1 x i8> poison, i8 %370, i64 0, !dbg !17
  store <1 x i8> %497, ptr addrspace(3) %496, align 1, !dbg !17
  %498 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 13312, !dbg !17
  %499 = insertelement <1 x i8> poison, i8 %378, i64 0, !dbg !17
  store <1 x i8> %499, ptr addrspace(3) %498, align 1, !dbg !17
  %500 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 14336, !dbg !17
  %501 = insertelement <1 x i8> poison, i8 %386, i64 0, !dbg !17
  store <1 x i8> %501, ptr addrspace(3) %500, align 1, !dbg !17
  %502 = getelementptr inbounds nuw i8, ptr addrspace(3) %472, i32 15360, !dbg !17
  %503 = insertelement <1 x i8> poison, i8 %394, i64 0, !dbg !17
  store <1 x i8> %503, ptr addrspace(3) %502, align 1, !dbg !17
  %504 = xor i32 %142, 432, !dbg !17
  %505 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %504, !dbg !17
  %506 = insertelement <1 x i8> poison, i8 %275, i64 0, !dbg !17
  store <1 x i8> %506, ptr addrspace(3) %505, align 1, !dbg !17
  %507 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 1024, !dbg !17
  %508 = insertelement <1 x i8> poison, i8 %283, i64 0, !dbg !17
  store <1 x i8> %508, ptr addrspace(3) %507, align 1, !dbg !17
  %509 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 2048, !dbg !17
  %510 = insertelement <1 x i8> poison, i8 %291, i64 0, !dbg !17
  store <1 x i8> %510, ptr addrspace(3) %509, align 1, !dbg !17
  %511 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 3072, !dbg !17
  %512 = insertelement <1 x i8> poison, i8 %299, i64 0, !dbg !17
  store <1 x i8> %512, ptr addrspace(3) %511, align 1, !dbg !17
  %513 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 4096, !dbg !17
  %514 = insertelement <1 x i8> poison, i8 %307, i64 0, !dbg !17
  store <1 x i8> %514, ptr addrspace(3) %513, align 1, !dbg !17
  %515 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 5120, !dbg !17
  %516 = insertelement <1 x i8> poison, i8 %315, i64 0, !dbg !17
  store <1 x i8> %516, ptr addrspace(3) %515, align 1, !dbg !17
  %517 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 6144, !dbg !17
  %518 = insertelement <1 x i8> poison, i8 %323, i64 0, !dbg !17
  store <1 x i8> %518, ptr addrspace(3) %517, align 1, !dbg !17
  %519 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 7168, !dbg !17
  %520 = insertelement <1 x i8> poison, i8 %331, i64 0, !dbg !17
  store <1 x i8> %520, ptr addrspace(3) %519, align 1, !dbg !17
  %521 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 8192, !dbg !17
  %522 = insertelement <1 x i8> poison, i8 %339, i64 0, !dbg !17
  store <1 x i8> %522, ptr addrspace(3) %521, align 1, !dbg !17
  %523 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 9216, !dbg !17
  %524 = insertelement <1 x i8> poison, i8 %347, i64 0, !dbg !17
  store <1 x i8> %524, ptr addrspace(3) %523, align 1, !dbg !17
  %525 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 10240, !dbg !17
  %526 = insertelement <1 x i8> poison, i8 %355, i64 0, !dbg !17
  store <1 x i8> %526, ptr addrspace(3) %525, align 1, !dbg !17
  %527 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 11264, !dbg !17
  %528 = insertelement <1 x i8> poison, i8 %363, i64 0, !dbg !17
  store <1 x i8> %528, ptr addrspace(3) %527, align 1, !dbg !17
  %529 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 12288, !dbg !17
  %530 = insertelement <1 x i8> poison, i8 %371, i64 0, !dbg !17
  store <1 x i8> %530, ptr addrspace(3) %529, align 1, !dbg !17
  %531 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 13312, !dbg !17
  %532 = insertelement <1 x i8> poison, i8 %379, i64 0, !dbg !17
  store <1 x i8> %532, ptr addrspace(3) %531, align 1, !dbg !17
  %533 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 14336, !dbg !17
  %534 = insertelement <1 x i8> poison, i8 %387, i64 0, !dbg !17
  store <1 x i8> %534, ptr addrspace(3) %533, align 1, !dbg !17
  %535 = getelementptr inbounds nuw i8, ptr addrspace(3) %505, i32 15360, !dbg !17
  %536 = insertelement <1 x i8> poison, i8 %395, i64 0, !dbg !17
  store <1 x i8> %536, ptr addrspace(3) %535, align 1, !dbg !17
  %537 = xor i32 %142, 576, !dbg !17
  %538 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %537, !dbg !17
  %539 = insertelement <1 x i8> poison, i8 %276, i64 0, !dbg !17
  store <1 x i8> %539, ptr addrspace(3) %538, align 1, !dbg !17
  %540 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 1024, !dbg !17
  %541 = insertelement <1 x i8> poison, i8 %284, i64 0, !dbg !17
  store <1 x i8> %541, ptr addrspace(3) %540, align 1, !dbg !17
  %542 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 2048, !dbg !17
  %543 = insertelement <1 x i8> poison, i8 %292, i64 0, !dbg !17
  store <1 x i8> %543, ptr addrspace(3) %542, align 1, !dbg !17
  %544 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 3072, !dbg !17
  %545 = insertelement <1 x i8> poison, i8 %300, i64 0, !dbg !17
  store <1 x i8> %545, ptr addrspace(3) %544, align 1, !dbg !17
  %546 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 4096, !dbg !17
  %547 = insertelement <1 x i8> poison, i8 %308, i64 0, !dbg !17
  store <1 x i8> %547, ptr addrspace(3) %546, align 1, !dbg !17
  %548 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 5120, !dbg !17
  %549 = insertelement <1 x i8> poison, i8 %316, i64 0, !dbg !17
  store <1 x i8> %549, ptr addrspace(3) %548, align 1, !dbg !17
  %550 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 6144, !dbg !17
  %551 = insertelement <1 x i8> poison, i8 %324, i64 0, !dbg !17
  store <1 x i8> %551, ptr addrspace(3) %550, align 1, !dbg !17
  %552 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 7168, !dbg !17
  %553 = insertelement <1 x i8> poison, i8 %332, i64 0, !dbg !17
  store <1 x i8> %553, ptr addrspace(3) %552, align 1, !dbg !17
  %554 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 8192, !dbg !17
  %555 = insertelement <1 x i8> poison, i8 %340, i64 0, !dbg !17
  store <1 x i8> %555, ptr addrspace(3) %554, align 1, !dbg !17
  %556 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 9216, !dbg !17
  %557 = insertelement <1 x i8> poison, i8 %348, i64 0, !dbg !17
  store <1 x i8> %557, ptr addrspace(3) %556, align 1, !dbg !17
  %558 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 10240, !dbg !17
  %559 = insertelement <1 x i8> poison, i8 %356, i64 0, !dbg !17
  store <1 x i8> %559, ptr addrspace(3) %558, align 1, !dbg !17
  %560 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 11264, !dbg !17
  %561 = insertelement <1 x i8> poison, i8 %364, i64 0, !dbg !17
  store <1 x i8> %561, ptr addrspace(3) %560, align 1, !dbg !17
  %562 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 12288, !dbg !17
  %563 = insertelement <1 x i8> poison, i8 %372, i64 0, !dbg !17
  store <1 x i8> %563, ptr addrspace(3) %562, align 1, !dbg !17
  %564 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 13312, !dbg !17
  %565 = insertelement <1 x i8> poison, i8 %380, i64 0, !dbg !17
  store <1 x i8> %565, ptr addrspace(3) %564, align 1, !dbg !17
  %566 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 14336, !dbg !17
  %567 = insertelement <1 x i8> poison, i8 %388, i64 0, !dbg !17
  store <1 x i8> %567, ptr addrspace(3) %566, align 1, !dbg !17
  %568 = getelementptr inbounds nuw i8, ptr addrspace(3) %538, i32 15360, !dbg !17
  %569 = insertelement <1 x i8> poison, i8 %396, i64 0, !dbg !17
  store <1 x i8> %569, ptr addrspace(3) %568, align 1, !dbg !17
  %570 = xor i32 %142, 720, !dbg !17
  %571 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %570, !dbg !17
  %572 = insertelement <1 x i8> poison, i8 %277, i64 0, !dbg !17
  store <1 x i8> %572, ptr addrspace(3) %571, align 1, !dbg !17
  %573 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 1024, !dbg !17
  %574 = insertelement <1 x i8> poison, i8 %285, i64 0, !dbg !17
  store <1 x i8> %574, ptr addrspace(3) %573, align 1, !dbg !17
  %575 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 2048, !dbg !17
  %576 = insertelement <1 x i8> poison, i8 %293, i64 0, !dbg !17
  store <1 x i8> %576, ptr addrspace(3) %575, align 1, !dbg !17
  %577 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 3072, !dbg !17
  %578 = insertelement <1 x i8> poison, i8 %301, i64 0, !dbg !17
  store <1 x i8> %578, ptr addrspace(3) %577, align 1, !dbg !17
  %579 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 4096, !dbg !17
  %580 = insertelement <1 x i8> poison, i8 %309, i64 0, !dbg !17
  store <1 x i8> %580, ptr addrspace(3) %579, align 1, !dbg !17
  %581 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 5120, !dbg !17
  %582 = insertelement <1 x i8> poison, i8 %317, i64 0, !dbg !17
  store <1 x i8> %582, ptr addrspace(3) %581, align 1, !dbg !17
  %583 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 6144, !dbg !17
  %584 = insertelement <1 x i8> poison, i8 %325, i64 0, !dbg !17
  store <1 x i8> %584, ptr addrspace(3) %583, align 1, !dbg !17
  %585 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 7168, !dbg !17
  %586 = insertelement <1 x i8> poison, i8 %333, i64 0, !dbg !17
  store <1 x i8> %586, ptr addrspace(3) %585, align 1, !dbg !17
  %587 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 8192, !dbg !17
  %588 = insertelement <1 x i8> poison, i8 %341, i64 0, !dbg !17
  store <1 x i8> %588, ptr addrspace(3) %587, align 1, !dbg !17
  %589 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 9216, !dbg !17
  %590 = insertelement <1 x i8> poison, i8 %349, i64 0, !dbg !17
  store <1 x i8> %590, ptr addrspace(3) %589, align 1, !dbg !17
  %591 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 10240, !dbg !17
  %592 = insertelement <1 x i8> poison, i8 %357, i64 0, !dbg !17
  store <1 x i8> %592, ptr addrspace(3) %591, align 1, !dbg !17
  %593 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 11264, !dbg !17
  %594 = insertelement <1 x i8> poison, i8 %365, i64 0, !dbg !17
  store <1 x i8> %594, ptr addrspace(3) %593, align 1, !dbg !17
  %595 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 12288, !dbg !17
  %596 = insertelement <1 x i8> poison, i8 %373, i64 0, !dbg !17
  store <1 x i8> %596, ptr addrspace(3) %595, align 1, !dbg !17
  %597 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 13312, !dbg !17
  %598 = insertelement <1 x i8> poison, i8 %381, i64 0, !dbg !17
  store <1 x i8> %598, ptr addrspace(3) %597, align 1, !dbg !17
  %599 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 14336, !dbg !17
  %600 = insertelement <1 x i8> poison, i8 %389, i64 0, !dbg !17
  store <1 x i8> %600, ptr addrspace(3) %599, align 1, !dbg !17
  %601 = getelementptr inbounds nuw i8, ptr addrspace(3) %571, i32 15360, !dbg !17
  %602 = insertelement <1 x i8> poison, i8 %397, i64 0, !dbg !17
  store <1 x i8> %602, ptr addrspace(3) %601, align 1, !dbg !17
  %603 = xor i32 %142, 864, !dbg !17
  %604 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %603, !dbg !17
  %605 = insertelement <1 x i8> poison, i8 %278, i64 0, !dbg !17
  store <1 x i8> %605, ptr addrspace(3) %604, align 1, !dbg !17
  %606 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 1024, !dbg !17
  %607 = insertelement <1 x i8> poison, i8 %286, i64 0, !dbg !17
  store <1 x i8> %607, ptr addrspace(3) %606, align 1, !dbg !17
  %608 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 2048, !dbg !17
  %609 = insertelement <1 x i8> poison, i8 %294, i64 0, !dbg !17
  store <1 x i8> %609, ptr addrspace(3) %608, align 1, !dbg !17
  %610 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 3072, !dbg !17
  %611 = insertelement <1 x i8> poison, i8 %302, i64 0, !dbg !17
  store <1 x i8> %611, ptr addrspace(3) %610, align 1, !dbg !17
  %612 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 4096, !dbg !17
  %613 = insertelement <1 x i8> poison, i8 %310, i64 0, !dbg !17
  store <1 x i8> %613, ptr addrspace(3) %612, align 1, !dbg !17
  %614 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 5120, !dbg !17
  %615 = insertelement <1 x i8> poison, i8 %318, i64 0, !dbg !17
  store <1 x i8> %615, ptr addrspace(3) %614, align 1, !dbg !17
  %616 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 6144, !dbg !17
  %617 = insertelement <1 x i8> poison, i8 %326, i64 0, !dbg !17
  store <1 x i8> %617, ptr addrspace(3) %616, align 1, !dbg !17
  %618 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 7168, !dbg !17
  %619 = insertelement <1 x i8> poison, i8 %334, i64 0, !dbg !17
  store <1 x i8> %619, ptr addrspace(3) %618, align 1, !dbg !17
  %620 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 8192, !dbg !17
  %621 = insertelement <1 x i8> poison, i8 %342, i64 0, !dbg !17
  store <1 x i8> %621, ptr addrspace(3) %620, align 1, !dbg !17
  %622 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 9216, !dbg !17
  %623 = insertelement <1 x i8> poison, i8 %350, i64 0, !dbg !17
  store <1 x i8> %623, ptr addrspace(3) %622, align 1, !dbg !17
  %624 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 10240, !dbg !17
  %625 = insertelement <1 x i8> poison, i8 %358, i64 0, !dbg !17
  store <1 x i8> %625, ptr addrspace(3) %624, align 1, !dbg !17
  %626 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 11264, !dbg !17
  %627 = insertelement <1 x i8> poison, i8 %366, i64 0, !dbg !17
  store <1 x i8> %627, ptr addrspace(3) %626, align 1, !dbg !17
  %628 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 12288, !dbg !17
  %629 = insertelement <1 x i8> poison, i8 %374, i64 0, !dbg !17
  store <1 x i8> %629, ptr addrspace(3) %628, align 1, !dbg !17
  %630 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 13312, !dbg !17
  %631 = insertelement <1 x i8> poison, i8 %382, i64 0, !dbg !17
  store <1 x i8> %631, ptr addrspace(3) %630, align 1, !dbg !17
  %632 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 14336, !dbg !17
  %633 = insertelement <1 x i8> poison, i8 %390, i64 0, !dbg !17
  store <1 x i8> %633, ptr addrspace(3) %632, align 1, !dbg !17
  %634 = getelementptr inbounds nuw i8, ptr addrspace(3) %604, i32 15360, !dbg !17
  %635 = insertelement <1 x i8> poison, i8 %398, i64 0, !dbg !17
  store <1 x i8> %635, ptr addrspace(3) %634, align 1, !dbg !17
  %636 = xor i32 %142, 1008, !dbg !17
  %637 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %636, !dbg !17
  %638 = insertelement <1 x i8> poison, i8 %279, i64 0, !dbg !17
  store <1 x i8> %638, ptr addrspace(3) %637, align 1, !dbg !17
  %639 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 1024, !dbg !17
  %640 = insertelement <1 x i8> poison, i8 %287, i64 0, !dbg !17
  store <1 x i8> %640, ptr addrspace(3) %639, align 1, !dbg !17
  %641 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 2048, !dbg !17
  %642 = insertelement <1 x i8> poison, i8 %295, i64 0, !dbg !17
  store <1 x i8> %642, ptr addrspace(3) %641, align 1, !dbg !17
  %643 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 3072, !dbg !17
  %644 = insertelement <1 x i8> poison, i8 %303, i64 0, !dbg !17
  store <1 x i8> %644, ptr addrspace(3) %643, align 1, !dbg !17
  %645 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 4096, !dbg !17
  %646 = insertelement <1 x i8> poison, i8 %311, i64 0, !dbg !17
  store <1 x i8> %646, ptr addrspace(3) %645, align 1, !dbg !17
  %647 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 5120, !dbg !17
  %648 = insertelement <1 x i8> poison, i8 %319, i64 0, !dbg !17
  store <1 x i8> %648, ptr addrspace(3) %647, align 1, !dbg !17
  %649 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 6144, !dbg !17
  %650 = insertelement <1 x i8> poison, i8 %327, i64 0, !dbg !17
  store <1 x i8> %650, ptr addrspace(3) %649, align 1, !dbg !17
  %651 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 7168, !dbg !17
  %652 = insertelement <1 x i8> poison, i8 %335, i64 0, !dbg !17
  store <1 x i8> %652, ptr addrspace(3) %651, align 1, !dbg !17
  %653 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 8192, !dbg !17
  %654 = insertelement <1 x i8> poison, i8 %343, i64 0, !dbg !17
  store <1 x i8> %654, ptr addrspace(3) %653, align 1, !dbg !17
  %655 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 9216, !dbg !17
  %656 = insertelement <1 x i8> poison, i8 %351, i64 0, !dbg !17
  store <1 x i8> %656, ptr addrspace(3) %655, align 1, !dbg !17
  %657 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 10240, !dbg !17
  %658 = insertelement <1 x i8> poison, i8 %359, i64 0, !dbg !17
  store <1 x i8> %658, ptr addrspace(3) %657, align 1, !dbg !17
  %659 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 11264, !dbg !17
  %660 = insertelement <1 x i8> poison, i8 %367, i64 0, !dbg !17
  store <1 x i8> %660, ptr addrspace(3) %659, align 1, !dbg !17
  %661 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 12288, !dbg !17
  %662 = insertelement <1 x i8> poison, i8 %375, i64 0, !dbg !17
  store <1 x i8> %662, ptr addrspace(3) %661, align 1, !dbg !17
  %663 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 13312, !dbg !17
  %664 = insertelement <1 x i8> poison, i8 %383, i64 0, !dbg !17
  store <1 x i8> %664, ptr addrspace(3) %663, align 1, !dbg !17
  %665 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 14336, !dbg !17
  %666 = insertelement <1 x i8> poison, i8 %391, i64 0, !dbg !17
  store <1 x i8> %666, ptr addrspace(3) %665, align 1, !dbg !17
  %667 = getelementptr inbounds nuw i8, ptr addrspace(3) %637, i32 15360, !dbg !17
  %668 = insertelement <1 x i8> poison, i8 %399, i64 0, !dbg !17
  store <1 x i8> %668, ptr addrspace(3) %667, align 1, !dbg !17
  %669 = or disjoint i32 %12, 128, !dbg !18
  %670 = or disjoint i32 %12, 256, !dbg !18
  %671 = or disjoint i32 %12, 384, !dbg !18
  %672 = or disjoint i32 %12, 512, !dbg !18
  %673 = or disjoint i32 %12, 640, !dbg !18
  %674 = or disjoint i32 %12, 768, !dbg !18
  %675 = or disjoint i32 %12, 896, !dbg !18
  %676 = or disjoint i32 %12, 1024, !dbg !18
  %677 = or disjoint i32 %12, 1152, !dbg !18
  %678 = or disjoint i32 %12, 1280, !dbg !18
  %679 = or disjoint i32 %12, 1408, !dbg !18
  %680 = or disjoint i32 %12, 1536, !dbg !18
  %681 = or disjoint i32 %12, 1664, !dbg !18
  %682 = or disjoint i32 %12, 1792, !dbg !18
  %683 = or disjoint i32 %12, 1920, !dbg !18
  %684 = or disjoint i32 %12, 2048, !dbg !18
  %685 = or disjoint i32 %12, 2176, !dbg !18
  %686 = or disjoint i32 %12, 2304, !dbg !18
  %687 = or disjoint i32 %12, 2432, !dbg !18
  %688 = or disjoint i32 %12, 2560, !dbg !18
  %689 = or disjoint i32 %12, 2688, !dbg !18
  %690 = or disjoint i32 %12, 2816, !dbg !18
  %691 = or disjoint i32 %12, 2944, !dbg !18
  %692 = or disjoint i32 %12, 3072, !dbg !18
  %693 = or disjoint i32 %12, 3200, !dbg !18
  %694 = or disjoint i32 %12, 3328, !dbg !18
  %695 = or disjoint i32 %12, 3456, !dbg !18
  %696 = or disjoint i32 %12, 3584, !dbg !18
  %697 = or disjoint i32 %12, 3712, !dbg !18
  %698 = or disjoint i32 %12, 3840, !dbg !18
  %699 = or disjoint i32 %12, 3968, !dbg !18
  %700 = zext nneg i32 %12 to i64, !dbg !19
  %701 = getelementptr i8, ptr addrspace(1) %2, i64 %700, !dbg !19
  %702 = zext nneg i32 %669 to i64, !dbg !19
  %703 = getelementptr i8, ptr addrspace(1) %2, i64 %702, !dbg !19
  %704 = zext nneg i32 %670 to i64, !dbg !19
  %705 = getelementptr i8, ptr addrspace(1) %2, i64 %704, !dbg !19
  %706 = zext nneg i32 %671 to i64, !dbg !19
  %707 = getelementptr i8, ptr addrspace(1) %2, i64 %706, !dbg !19
  %708 = zext nneg i32 %672 to i64, !dbg !19
  %709 = getelementptr i8, ptr addrspace(1) %2, i64 %708, !dbg !19
  %710 = zext nneg i32 %673 to i64, !dbg !19
  %711 = getelementptr i8, ptr addrspace(1) %2, i64 %710, !dbg !19
  %712 = zext nneg i32 %674 to i64, !dbg !19
  %713 = getelementptr i8, ptr addrspace(1) %2, i64 %712, !dbg !19
  %714 = zext nneg i32 %675 to i64, !dbg !19
  %715 = getelementptr i8, ptr addrspace(1) %2, i64 %714, !dbg !19
  %716 = zext nneg i32 %676 to i64, !dbg !19
  %717 = getelementptr i8, ptr addrspace(1) %2, i64 %716, !dbg !19
  %718 = zext nneg i32 %677 to i64, !dbg !19
  %719 = getelementptr i8, ptr addrspace(1) %2, i64 %718, !dbg !19
  %720 = zext nneg i32 %678 to i64, !dbg !19
  %721 = getelementptr i8, ptr addrspace(1) %2, i64 %720, !dbg !19
  %722 = zext nneg i32 %679 to i64, !dbg !19
  %723 = getelementptr i8, ptr addrspace(1) %2, i64 %722, !dbg !19
  %724 = zext nneg i32 %680 to i64, !dbg !19
  %725 = getelementptr i8, ptr addrspace(1) %2, i64 %724, !dbg !19
  %726 = zext nneg i32 %681 to i64, !dbg !19
  %727 = getelementptr i8, ptr addrspace(1) %2, i64 %726, !dbg !19
  %728 = zext nneg i32 %682 to i64, !dbg !19
  %729 = getelementptr i8, ptr addrspace(1) %2, i64 %728, !dbg !19
  %730 = zext nneg i32 %683 to i64, !dbg !19
  %731 = getelementptr i8, ptr addrspace(1) %2, i64 %730, !dbg !19
  %732 = zext nneg i32 %684 to i64, !dbg !19
  %733 = getelementptr i8, ptr addrspace(1) %2, i64 %732, !dbg !19
  %734 = zext nneg i32 %685 to i64, !dbg !19
  %735 = getelementptr i8, ptr addrspace(1) %2, i64 %734, !dbg !19
  %736 = zext nneg i32 %686 to i64, !dbg !19
  %737 = getelementptr i8, ptr addrspace(1) %2, i64 %736, !dbg !19
  %738 = zext nneg i32 %687 to i64, !dbg !19
  %739 = getelementptr i8, ptr addrspace(1) %2, i64 %738, !dbg !19
  %740 = zext nneg i32 %688 to i64, !dbg !19
  %741 = getelementptr i8, ptr addrspace(1) %2, i64 %740, !dbg !19
  %742 = zext nneg i32 %689 to i64, !dbg !19
  %743 = getelementptr i8, ptr addrspace(1) %2, i64 %742, !dbg !19
  %744 = zext nneg i32 %690 to i64, !dbg !19
  %745 = getelementptr i8, ptr addrspace(1) %2, i64 %744, !dbg !19
  %746 = zext nneg i32 %691 to i64, !dbg !19
  %747 = getelementptr i8, ptr addrspace(1) %2, i64 %746, !dbg !19
  %748 = zext nneg i32 %692 to i64, !dbg !19
  %749 = getelementptr i8, ptr addrspace(1) %2, i64 %748, !dbg !19
  %750 = zext nneg i32 %693 to i64, !dbg !19
  %751 = getelementptr i8, ptr addrspace(1) %2, i64 %750, !dbg !19
  %752 = zext nneg i32 %694 to i64, !dbg !19
  %753 = getelementptr i8, ptr addrspace(1) %2, i64 %752, !dbg !19
  %754 = zext nneg i32 %695 to i64, !dbg !19
  %755 = getelementptr i8, ptr addrspace(1) %2, i64 %754, !dbg !19
  %756 = zext nneg i32 %696 to i64, !dbg !19
  %757 = getelementptr i8, ptr addrspace(1) %2, i64 %756, !dbg !19
  %758 = zext nneg i32 %697 to i64, !dbg !19
  %759 = getelementptr i8, ptr addrspace(1) %2, i64 %758, !dbg !19
  %760 = zext nneg i32 %698 to i64, !dbg !19
  %761 = getelementptr i8, ptr addrspace(1) %2, i64 %760, !dbg !19
  %762 = zext nneg i32 %699 to i64, !dbg !19
  %763 = getelementptr i8, ptr addrspace(1) %2, i64 %762, !dbg !19
  %764 = and i32 %8, 31, !dbg !20
  %765 = zext nneg i32 %764 to i64, !dbg !19
  %766 = getelementptr i8, ptr addrspace(1) %701, i64 %765, !dbg !19
  %767 = getelementptr i8, ptr addrspace(1) %703, i64 %765, !dbg !19
  %768 = getelementptr i8, ptr addrspace(1) %705, i64 %765, !dbg !19
  %769 = getelementptr i8, ptr addrspace(1) %707, i64 %765, !dbg !19
  %770 = getelementptr i8, ptr addrspace(1) %709, i64 %765, !dbg !19
  %771 = getelementptr i8, ptr addrspace(1) %711, i64 %765, !dbg !19
  %772 = getelementptr i8, ptr addrspace(1) %713, i64 %765, !dbg !19
  %773 = getelementptr i8, ptr addrspace(1) %715, i64 %765, !dbg !19
  %774 = getelementptr i8, ptr addrspace(1) %717, i64 %765, !dbg !19
  %775 = getelementptr i8, ptr addrspace(1) %719, i64 %765, !dbg !19
  %776 = getelementptr i8, ptr addrspace(1) %721, i64 %765, !dbg !19
  %777 = getelementptr i8, ptr addrspace(1) %723, i64 %765, !dbg !19
  %778 = getelementptr i8, ptr addrspace(1) %725, i64 %765, !dbg !19
  %779 = getelementptr i8, ptr addrspace(1) %727, i64 %765, !dbg !19
  %780 = getelementptr i8, ptr addrspace(1) %729, i64 %765, !dbg !19
  %781 = getelementptr i8, ptr addrspace(1) %731, i64 %765, !dbg !19
  %782 = getelementptr i8, ptr addrspace(1) %733, i64 %765, !dbg !19
  %783 = getelementptr i8, ptr addrspace(1) %735, i64 %765, !dbg !19
  %784 = getelementptr i8, ptr addrspace(1) %737, i64 %765, !dbg !19
  %785 = getelementptr i8, ptr addrspace(1) %739, i64 %765, !dbg !19
  %786 = getelementptr i8, ptr addrspace(1) %741, i64 %765, !dbg !19
  %787 = getelementptr i8, ptr addrspace(1) %743, i64 %765, !dbg !19
  %788 = getelementptr i8, ptr addrspace(1) %745, i64 %765, !dbg !19
  %789 = getelementptr i8, ptr addrspace(1) %747, i64 %765, !dbg !19
  %790 = getelementptr i8, ptr addrspace(1) %749, i64 %765, !dbg !19
  %791 = getelementptr i8, ptr addrspace(1) %751, i64 %765, !dbg !19
  %792 = getelementptr i8, ptr addrspace(1) %753, i64 %765, !dbg !19
  %793 = getelementptr i8, ptr addrspace(1) %755, i64 %765, !dbg !19
  %794 = getelementptr i8, ptr addrspace(1) %757, i64 %765, !dbg !19
  %795 = getelementptr i8, ptr addrspace(1) %759, i64 %765, !dbg !19
  %796 = getelementptr i8, ptr addrspace(1) %761, i64 %765, !dbg !19
  %797 = getelementptr i8, ptr addrspace(1) %763, i64 %765, !dbg !19
  %798 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %766) #9, !dbg !21
  %799 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %767) #9, !dbg !21
  %800 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %768) #9, !dbg !21
  %801 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %769) #9, !dbg !21
  %802 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %770) #9, !dbg !21
  %803 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %771) #9, !dbg !21
  %804 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %772) #9, !dbg !21
  %805 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %773) #9, !dbg !21
  %806 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %774) #9, !dbg !21
  %807 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %775) #9, !dbg !21
  %808 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %776) #9, !dbg !21
  %809 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %777) #9, !dbg !21
  %810 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %778) #9, !dbg !21
  %811 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %779) #9, !dbg !21
  %812 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %780) #9, !dbg !21
  %813 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %781) #9, !dbg !21
  %814 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %782) #9, !dbg !21
  %815 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %783) #9, !dbg !21
  %816 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %784) #9, !dbg !21
  %817 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %785) #9, !dbg !21
  %818 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %786) #9, !dbg !21
  %819 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %787) #9, !dbg !21
  %820 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %788) #9, !dbg !21
  %821 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %789) #9, !dbg !21
  %822 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %790) #9, !dbg !21
  %823 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %791) #9, !dbg !21
  %824 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %792) #9, !dbg !21
  %825 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %793) #9, !dbg !21
  %826 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %794) #9, !dbg !21
  %827 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %795) #9, !dbg !21
  %828 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %796) #9, !dbg !21
  %829 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %797) #9, !dbg !21
  %830 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %142, !dbg !21
  %831 = insertelement <1 x i8> poison, i8 %798, i64 0, !dbg !21
  store <1 x i8> %831, ptr addrspace(3) %830, align 1, !dbg !21
  %832 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 256, !dbg !21
  %833 = insertelement <1 x i8> poison, i8 %800, i64 0, !dbg !21
  store <1 x i8> %833, ptr addrspace(3) %832, align 1, !dbg !21
  %834 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 512, !dbg !21
  %835 = insertelement <1 x i8> poison, i8 %802, i64 0, !dbg !21
  store <1 x i8> %835, ptr addrspace(3) %834, align 1, !dbg !21
  %836 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 768, !dbg !21
  %837 = insertelement <1 x i8> poison, i8 %804, i64 0, !dbg !21
  store <1 x i8> %837, ptr addrspace(3) %836, align 1, !dbg !21
  %838 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %402, !dbg !21
  %839 = insertelement <1 x i8> poison, i8 %806, i64 0, !dbg !21
  store <1 x i8> %839, ptr addrspace(3) %838, align 1, !dbg !21
  %840 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 1280, !dbg !21
  %841 = insertelement <1 x i8> poison, i8 %808, i64 0, !dbg !21
  store <1 x i8> %841, ptr addrspace(3) %840, align 1, !dbg !21
  %842 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 1536, !dbg !21
  %843 = insertelement <1 x i8> poison, i8 %810, i64 0, !dbg !21
  store <1 x i8> %843, ptr addrspace(3) %842, align 1, !dbg !21
  %844 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 1792, !dbg !21
  %845 = insertelement <1 x i8> poison, i8 %812, i64 0, !dbg !21
  store <1 x i8> %845, ptr addrspace(3) %844, align 1, !dbg !21
  %846 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %405, !dbg !21
  %847 = insertelement <1 x i8> poison, i8 %814, i64 0, !dbg !21
  store <1 x i8> %847, ptr addrspace(3) %846, align 1, !dbg !21
  %848 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 2304, !dbg !21
  %849 = insertelement <1 x i8> poison, i8 %816, i64 0, !dbg !21
  store <1 x i8> %849, ptr addrspace(3) %848, align 1, !dbg !21
  %850 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 2560, !dbg !21
  %851 = insertelement <1 x i8> poison, i8 %818, i64 0, !dbg !21
  store <1 x i8> %851, ptr addrspace(3) %850, align 1, !dbg !21
  %852 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 2816, !dbg !21
  %853 = insertelement <1 x i8> poison, i8 %820, i64 0, !dbg !21
  store <1 x i8> %853, ptr addrspace(3) %852, align 1, !dbg !21
  %854 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %408, !dbg !21
  %855 = insertelement <1 x i8> poison, i8 %822, i64 0, !dbg !21
  store <1 x i8> %855, ptr addrspace(3) %854, align 1, !dbg !21
  %856 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 3328, !dbg !21
  %857 = insertelement <1 x i8> poison, i8 %824, i64 0, !dbg !21
  store <1 x i8> %857, ptr addrspace(3) %856, align 1, !dbg !21
  %858 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 3584, !dbg !21
  %859 = insertelement <1 x i8> poison, i8 %826, i64 0, !dbg !21
  store <1 x i8> %859, ptr addrspace(3) %858, align 1, !dbg !21
  %860 = getelementptr inbounds nuw i8, ptr addrspace(3) %830, i32 3840, !dbg !21
  %861 = insertelement <1 x i8> poison, i8 %828, i64 0, !dbg !21
  store <1 x i8> %861, ptr addrspace(3) %860, align 1, !dbg !21
  %862 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %435, !dbg !21
  %863 = insertelement <1 x i8> poison, i8 %799, i64 0, !dbg !21
  store <1 x i8> %863, ptr addrspace(3) %862, align 1, !dbg !21
  %864 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 256, !dbg !21
  %865 = insertelement <1 x i8> poison, i8 %801, i64 0, !dbg !21
  store <1 x i8> %865, ptr addrspace(3) %864, align 1, !dbg !21
  %866 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 512, !dbg !21
  %867 = insertelement <1 x i8> poison, i8 %803, i64 0, !dbg !21
  store <1 x i8> %867, ptr addrspace(3) %866, align 1, !dbg !21
  %868 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 768, !dbg !21
  %869 = insertelement <1 x i8> poison, i8 %805, i64 0, !dbg !21
  store <1 x i8> %869, ptr addrspace(3) %868, align 1, !dbg !21
  %870 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %438, !dbg !21
  %871 = insertelement <1 x i8> poison, i8 %807, i64 0, !dbg !21
  store <1 x i8> %871, ptr addrspace(3) %870, align 1, !dbg !21
  %872 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 1280, !dbg !21
  %873 = insertelement <1 x i8> poison, i8 %809, i64 0, !dbg !21
  store <1 x i8> %873, ptr addrspace(3) %872, align 1, !dbg !21
  %874 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 1536, !dbg !21
  %875 = insertelement <1 x i8> poison, i8 %811, i64 0, !dbg !21
  store <1 x i8> %875, ptr addrspace(3) %874, align 1, !dbg !21
  %876 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 1792, !dbg !21
  %877 = insertelement <1 x i8> poison, i8 %813, i64 0, !dbg !21
  store <1 x i8> %877, ptr addrspace(3) %876, align 1, !dbg !21
  %878 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %441, !dbg !21
  %879 = insertelement <1 x i8> poison, i8 %815, i64 0, !dbg !21
  store <1 x i8> %879, ptr addrspace(3) %878, align 1, !dbg !21
  %880 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 2304, !dbg !21
  %881 = insertelement <1 x i8> poison, i8 %817, i64 0, !dbg !21
  store <1 x i8> %881, ptr addrspace(3) %880, align 1, !dbg !21
  %882 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 2560, !dbg !21
  %883 = insertelement <1 x i8> poison, i8 %819, i64 0, !dbg !21
  store <1 x i8> %883, ptr addrspace(3) %882, align 1, !dbg !21
  %884 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 2816, !dbg !21
  %885 = insertelement <1 x i8> poison, i8 %821, i64 0, !dbg !21
  store <1 x i8> %885, ptr addrspace(3) %884, align 1, !dbg !21
  %886 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %444, !dbg !21
  %887 = insertelement <1 x i8> poison, i8 %823, i64 0, !dbg !21
  store <1 x i8> %887, ptr addrspace(3) %886, align 1, !dbg !21
  %888 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 3328, !dbg !21
  %889 = insertelement <1 x i8> poison, i8 %825, i64 0, !dbg !21
  store <1 x i8> %889, ptr addrspace(3) %888, align 1, !dbg !21
  %890 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 3584, !dbg !21
  %891 = insertelement <1 x i8> poison, i8 %827, i64 0, !dbg !21
  store <1 x i8> %891, ptr addrspace(3) %890, align 1, !dbg !21
  %892 = getelementptr inbounds nuw i8, ptr addrspace(3) %862, i32 3840, !dbg !21
  %893 = insertelement <1 x i8> poison, i8 %829, i64 0, !dbg !21
  store <1 x i8> %893, ptr addrspace(3) %892, align 1, !dbg !21
  %894 = zext nneg i32 %14 to i64, !dbg !22
  %895 = getelementptr i8, ptr addrspace(1) %1, i64 %894, !dbg !22
  %896 = getelementptr i8, ptr addrspace(1) %895, i64 128, !dbg !22
  %897 = getelementptr i8, ptr addrspace(1) %895, i64 256, !dbg !22
  %898 = getelementptr i8, ptr addrspace(1) %895, i64 384, !dbg !22
  %899 = and i32 %8, 3, !dbg !23
  %900 = zext nneg i32 %899 to i64, !dbg !22
  %901 = getelementptr i8, ptr addrspace(1) %895, i64 %900, !dbg !22
  %902 = getelementptr i8, ptr addrspace(1) %896, i64 %900, !dbg !22
  %903 = getelementptr i8, ptr addrspace(1) %897, i64 %900, !dbg !22
  %904 = getelementptr i8, ptr addrspace(1) %898, i64 %900, !dbg !22
  %905 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %901) #9, !dbg !24
  %906 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %902) #9, !dbg !24
  %907 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %903) #9, !dbg !24
  %908 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %904) #9, !dbg !24
  %909 = getelementptr i8, ptr addrspace(1) %3, i64 %894, !dbg !25
  %910 = getelementptr i8, ptr addrspace(1) %909, i64 %900, !dbg !25
  %911 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %910) #9, !dbg !26
  %912 = tail call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %11, i32 0, i32 31), !dbg !27
  %913 = shl i32 %912, 21, !dbg !27
  %914 = and i32 %913, 6291456, !dbg !27
  %915 = add i32 %914, %10, !dbg !27
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x32.b32 [$1 + 0], {$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33};", "b,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r"(i1 true, i32 %915, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00) #9, !dbg !27
  %916 = shl nuw nsw i32 %11, 7, !dbg !27
  %917 = shl nuw nsw i32 %8, 4, !dbg !27
  %918 = or i32 %916, %917, !dbg !27
  %919 = and i32 %918, 496, !dbg !27
  %920 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %919, !dbg !27
  %921 = insertelement <4 x i8> poison, i8 %905, i64 0, !dbg !27
  %922 = insertelement <4 x i8> %921, i8 %906, i64 1, !dbg !27
  %923 = insertelement <4 x i8> %922, i8 %907, i64 2, !dbg !27
  %924 = insertelement <4 x i8> %923, i8 %908, i64 3, !dbg !27
  %925 = bitcast <4 x i8> %924 to i32, !dbg !27
  tail call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %920, i32 %925), !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %926 = shl nuw nsw i32 %764, 4, !dbg !27
  %927 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %926, !dbg !27
  %928 = load <4 x i8>, ptr addrspace(3) %927, align 16, !dbg !27
  %929 = getelementptr inbounds nuw i8, ptr addrspace(3) %927, i32 4, !dbg !27
  %930 = load <4 x i8>, ptr addrspace(3) %929, align 4, !dbg !27
  %931 = getelementptr inbounds nuw i8, ptr addrspace(3) %927, i32 8, !dbg !27
  %932 = load <4 x i8>, ptr addrspace(3) %931, align 8, !dbg !27
  %933 = getelementptr inbounds nuw i8, ptr addrspace(3) %927, i32 12, !dbg !27
  %934 = load <4 x i8>, ptr addrspace(3) %933, align 4, !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  tail call void @llvm.nvvm.tcgen05.wait.st(), !dbg !27
  %935 = shl nuw nsw i32 %764, 2, !dbg !27
  %936 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %935, !dbg !27
  %937 = getelementptr inbounds nuw i8, ptr addrspace(3) %936, i32 %13, !dbg !27
  %938 = insertelement <1 x i8> poison, i8 %911, i64 0, !dbg !27
  store <1 x i8> %938, ptr addrspace(3) %937, align 1, !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %939 = and i32 %8, 7, !dbg !27
  %940 = shl nuw nsw i32 %939, 4, !dbg !27
  %941 = lshr i32 %8, 3, !dbg !27
  %942 = and i32 %941, 3, !dbg !27
  %943 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %940, !dbg !27
  %944 = getelementptr inbounds nuw i8, ptr addrspace(3) %943, i32 %942, !dbg !27
  %945 = load i8, ptr addrspace(3) %944, align 1, !dbg !27
  %946 = getelementptr inbounds nuw i8, ptr addrspace(3) %944, i32 4, !dbg !27
  %947 = load i8, ptr addrspace(3) %946, align 1, !dbg !27
  %948 = getelementptr inbounds nuw i8, ptr addrspace(3) %944, i32 8, !dbg !27
  %949 = load i8, ptr addrspace(3) %948, align 1, !dbg !27
  %950 = getelementptr inbounds nuw i8, ptr addrspace(3) %944, i32 12, !dbg !27
  %951 = load i8, ptr addrspace(3) %950, align 1, !dbg !27
  %952 = add i32 %10, 32, !dbg !27
  %953 = shufflevector <4 x i8> %928, <4 x i8> %930, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>, !dbg !27
  %954 = shufflevector <4 x i8> %953, <4 x i8> %932, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>, !dbg !27
  %955 = shufflevector <4 x i8> %954, <4 x i8> %934, <4 x i32> <i32 0, i32 1, i32 2, i32 4>, !dbg !27
  %956 = bitcast <4 x i8> %955 to i32, !dbg !27
  %957 = shufflevector <4 x i8> %928, <4 x i8> %930, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>, !dbg !27
  %958 = shufflevector <4 x i8> %957, <4 x i8> %932, <4 x i32> <i32 0, i32 1, i32 5, i32 poison>, !dbg !27
  %959 = shufflevector <4 x i8> %958, <4 x i8> %934, <4 x i32> <i32 0, i32 1, i32 2, i32 5>, !dbg !27
  %960 = bitcast <4 x i8> %959 to i32, !dbg !27
  %961 = shufflevector <4 x i8> %928, <4 x i8> %930, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>, !dbg !27
  %962 = shufflevector <4 x i8> %961, <4 x i8> %932, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>, !dbg !27
  %963 = shufflevector <4 x i8> %962, <4 x i8> %934, <4 x i32> <i32 0, i32 1, i32 2, i32 6>, !dbg !27
  %964 = bitcast <4 x i8> %963 to i32, !dbg !27
  %965 = shufflevector <4 x i8> %928, <4 x i8> %930, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>, !dbg !27
  %966 = shufflevector <4 x i8> %965, <4 x i8> %932, <4 x i32> <i32 0, i32 1, i32 7, i32 poison>, !dbg !27
  %967 = shufflevector <4 x i8> %966, <4 x i8> %934, <4 x i32> <i32 0, i32 1, i32 2, i32 7>, !dbg !27
  %968 = bitcast <4 x i8> %967 to i32, !dbg !27
  %969 = add i32 %914, %952, !dbg !27
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x4.b32 [$1 + 0], {$2, $3, $4, $5};", "b,r,r,r,r,r"(i1 true, i32 %969, i32 %956, i32 %960, i32 %964, i32 %968) #9, !dbg !27
  %970 = add i32 %10, 36, !dbg !27
  %971 = insertelement <4 x i8> poison, i8 %945, i64 0, !dbg !27
  %972 = insertelement <4 x i8> %971, i8 %947, i64 1, !dbg !27
  %973 = insertelement <4 x i8> %972, i8 %949, i64 2, !dbg !27
  %974 = insertelement <4 x i8> %973, i8 %951, i64 3, !dbg !27
  %975 = bitcast <4 x i8> %974 to i32, !dbg !27
  %976 = add i32 %914, %970, !dbg !27
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x1.b32 [$1 + 0], {$2};", "b,r,r"(i1 true, i32 %976, i32 %975) #9, !dbg !27
  tail call void @llvm.nvvm.tcgen05.wait.st(), !dbg !27
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta(), !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %977 = icmp eq i32 %11, 0, !dbg !27
  %978 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !27
  %979 = extractvalue { i32, i1 } %978, 1, !dbg !27
  %980 = and i1 %977, %979, !dbg !27
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %980, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480)) #9, !dbg !27
  %981 = icmp eq i32 %912, 0, !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  br i1 %981, label %982, label %1011, !dbg !27

982:                                              ; preds = %7
  %983 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !27
  %984 = extractvalue { i32, i1 } %983, 1, !dbg !27
  %985 = lshr exact i32 ptrtoint (ptr addrspace(3) @global_smem to i32), 4, !dbg !27
  %986 = and i32 %985, 32767, !dbg !27
  %987 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384) to i32), 4, !dbg !27
  %988 = and i32 %987, 32767, !dbg !27
  %989 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %986, i64 0, !dbg !27
  %990 = bitcast <2 x i32> %989 to i64, !dbg !27
  %991 = insertelement <2 x i32> <i32 poison, i32 -1073725424>, i32 %988, i64 0, !dbg !27
  %992 = bitcast <2 x i32> %991 to i64, !dbg !27
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %10, i64 %990, i64 %992, i32 143196160, i32 %952, i32 %970, i1 true, i1 %984) #9, !dbg !27
  %993 = add nuw nsw i32 %986, 2, !dbg !27
  %994 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %993, i64 0, !dbg !27
  %995 = bitcast <2 x i32> %994 to i64, !dbg !27
  %996 = add nuw nsw i32 %988, 64, !dbg !27
  %997 = insertelement <2 x i32> <i32 poison, i32 -1073725424>, i32 %996, i64 0, !dbg !27
  %998 = bitcast <2 x i32> %997 to i64, !dbg !27
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %10, i64 %995, i64 %998, i32 680067088, i32 %952, i32 %970, i1 true, i1 %984) #9, !dbg !27
  %999 = add nuw nsw i32 %986, 4, !dbg !27
  %1000 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %999, i64 0, !dbg !27
  %1001 = bitcast <2 x i32> %1000 to i64, !dbg !27
  %1002 = add nuw nsw i32 %988, 128, !dbg !27
  %1003 = insertelement <2 x i32> <i32 poison, i32 -1073725424>, i32 %1002, i64 0, !dbg !27
  %1004 = bitcast <2 x i32> %1003 to i64, !dbg !27
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %10, i64 %1001, i64 %1004, i32 1216938016, i32 %952, i32 %970, i1 true, i1 %984) #9, !dbg !27
  %1005 = add nuw nsw i32 %986, 6, !dbg !27
  %1006 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %1005, i64 0, !dbg !27
  %1007 = bitcast <2 x i32> %1006 to i64, !dbg !27
  %1008 = add nuw nsw i32 %988, 192, !dbg !27
  %1009 = insertelement <2 x i32> <i32 poison, i32 -1073725424>, i32 %1008, i64 0, !dbg !27
  %1010 = bitcast <2 x i32> %1009 to i64, !dbg !27
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %10, i64 %1007, i64 %1010, i32 1753808944, i32 %952, i32 %970, i1 true, i1 %984) #9, !dbg !27
  tail call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %984, i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480) to i32)) #9, !dbg !27
  br label %1011, !dbg !27

1011:                                             ; preds = %982, %7
  %1012 = inttoptr i32 %10 to ptr addrspace(6), !dbg !13
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  tail call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 0) #9, !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %1013 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1), !dbg !27
  %1014 = extractvalue { i32, i1 } %1013, 1, !dbg !27
  %1015 = and i1 %977, %1014, !dbg !27
  tail call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %1015, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480)) #9, !dbg !27
  %1016 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %700, !dbg !28
  %1017 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %702, !dbg !28
  %1018 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %704, !dbg !28
  %1019 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %706, !dbg !28
  %1020 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %708, !dbg !28
  %1021 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %710, !dbg !28
  %1022 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %712, !dbg !28
  %1023 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %714, !dbg !28
  %1024 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %716, !dbg !28
  %1025 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %718, !dbg !28
  %1026 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %720, !dbg !28
  %1027 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %722, !dbg !28
  %1028 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %724, !dbg !28
  %1029 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %726, !dbg !28
  %1030 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %728, !dbg !28
  %1031 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %730, !dbg !28
  %1032 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %732, !dbg !28
  %1033 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %734, !dbg !28
  %1034 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %736, !dbg !28
  %1035 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %738, !dbg !28
  %1036 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %740, !dbg !28
  %1037 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %742, !dbg !28
  %1038 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %744, !dbg !28
  %1039 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %746, !dbg !28
  %1040 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %748, !dbg !28
  %1041 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %750, !dbg !28
  %1042 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %752, !dbg !28
  %1043 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %754, !dbg !28
  %1044 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %756, !dbg !28
  %1045 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %758, !dbg !28
  %1046 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %760, !dbg !28
  %1047 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %762, !dbg !28
  %1048 = getelementptr [4 x i8], ptr addrspace(1) %1016, i64 %765, !dbg !28
  %1049 = getelementptr [4 x i8], ptr addrspace(1) %1017, i64 %765, !dbg !28
  %1050 = getelementptr [4 x i8], ptr addrspace(1) %1018, i64 %765, !dbg !28
  %1051 = getelementptr [4 x i8], ptr addrspace(1) %1019, i64 %765, !dbg !28
  %1052 = getelementptr [4 x i8], ptr addrspace(1) %1020, i64 %765, !dbg !28
  %1053 = getelementptr [4 x i8], ptr addrspace(1) %1021, i64 %765, !dbg !28
  %1054 = getelementptr [4 x i8], ptr addrspace(1) %1022, i64 %765, !dbg !28
  %1055 = getelementptr [4 x i8], ptr addrspace(1) %1023, i64 %765, !dbg !28
  %1056 = getelementptr [4 x i8], ptr addrspace(1) %1024, i64 %765, !dbg !28
  %1057 = getelementptr [4 x i8], ptr addrspace(1) %1025, i64 %765, !dbg !28
  %1058 = getelementptr [4 x i8], ptr addrspace(1) %1026, i64 %765, !dbg !28
  %1059 = getelementptr [4 x i8], ptr addrspace(1) %1027, i64 %765, !dbg !28
  %1060 = getelementptr [4 x i8], ptr addrspace(1) %1028, i64 %765, !dbg !28
  %1061 = getelementptr [4 x i8], ptr addrspace(1) %1029, i64 %765, !dbg !28
  %1062 = getelementptr [4 x i8], ptr addrspace(1) %1030, i64 %765, !dbg !28
  %1063 = getelementptr [4 x i8], ptr addrspace(1) %1031, i64 %765, !dbg !28
  %1064 = getelementptr [4 x i8], ptr addrspace(1) %1032, i64 %765, !dbg !28
  %1065 = getelementptr [4 x i8], ptr addrspace(1) %1033, i64 %765, !dbg !28
  %1066 = getelementptr [4 x i8], ptr addrspace(1) %1034, i64 %765, !dbg !28
  %1067 = getelementptr [4 x i8], ptr addrspace(1) %1035, i64 %765, !dbg !28
  %1068 = getelementptr [4 x i8], ptr addrspace(1) %1036, i64 %765, !dbg !28
  %1069 = getelementptr [4 x i8], ptr addrspace(1) %1037, i64 %765, !dbg !28
  %1070 = getelementptr [4 x i8], ptr addrspace(1) %1038, i64 %765, !dbg !28
  %1071 = getelementptr [4 x i8], ptr addrspace(1) %1039, i64 %765, !dbg !28
  %1072 = getelementptr [4 x i8], ptr addrspace(1) %1040, i64 %765, !dbg !28
  %1073 = getelementptr [4 x i8], ptr addrspace(1) %1041, i64 %765, !dbg !28
  %1074 = getelementptr [4 x i8], ptr addrspace(1) %1042, i64 %765, !dbg !28
  %1075 = getelementptr [4 x i8], ptr addrspace(1) %1043, i64 %765, !dbg !28
  %1076 = getelementptr [4 x i8], ptr addrspace(1) %1044, i64 %765, !dbg !28
  %1077 = getelementptr [4 x i8], ptr addrspace(1) %1045, i64 %765, !dbg !28
  %1078 = getelementptr [4 x i8], ptr addrspace(1) %1046, i64 %765, !dbg !28
  %1079 = getelementptr [4 x i8], ptr addrspace(1) %1047, i64 %765, !dbg !28
  %1080 = tail call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x32.b32 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, [$32 + 0];", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r"(i32 %915) #9, !dbg !27
  %1081 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 0, !dbg !27
  %1082 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 1, !dbg !27
  %1083 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 2, !dbg !27
  %1084 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 3, !dbg !27
  %1085 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 4, !dbg !27
  %1086 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 5, !dbg !27
  %1087 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 6, !dbg !27
  %1088 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 7, !dbg !27
  %1089 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 8, !dbg !27
  %1090 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 9, !dbg !27
  %1091 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 10, !dbg !27
  %1092 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 11, !dbg !27
  %1093 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 12, !dbg !27
  %1094 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 13, !dbg !27
  %1095 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 14, !dbg !27
  %1096 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 15, !dbg !27
  %1097 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 16, !dbg !27
  %1098 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 17, !dbg !27
  %1099 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 18, !dbg !27
  %1100 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 19, !dbg !27
  %1101 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 20, !dbg !27
  %1102 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 21, !dbg !27
  %1103 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 22, !dbg !27
  %1104 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 23, !dbg !27
  %1105 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 24, !dbg !27
  %1106 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 25, !dbg !27
  %1107 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 26, !dbg !27
  %1108 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 27, !dbg !27
  %1109 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 28, !dbg !27
  %1110 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 29, !dbg !27
  %1111 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 30, !dbg !27
  %1112 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %1080, 31, !dbg !27
  tail call void @llvm.nvvm.tcgen05.wait.ld(), !dbg !27
  %1113 = shl nuw nsw i32 %939, 11, !dbg !27
  %1114 = shl nuw nsw i32 %142, 4, !dbg !27
  %1115 = or disjoint i32 %1113, %1114, !dbg !27
  %1116 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1115, !dbg !27
  %1117 = insertelement <4 x i32> poison, i32 %1081, i64 0, !dbg !27
  %1118 = insertelement <4 x i32> %1117, i32 %1082, i64 1, !dbg !27
  %1119 = insertelement <4 x i32> %1118, i32 %1083, i64 2, !dbg !27
  %1120 = insertelement <4 x i32> %1119, i32 %1084, i64 3, !dbg !27
  store <4 x i32> %1120, ptr addrspace(3) %1116, align 16, !dbg !27
  %1121 = xor i32 %1115, 16, !dbg !27
  %1122 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1121, !dbg !27
  %1123 = insertelement <4 x i32> poison, i32 %1085, i64 0, !dbg !27
  %1124 = insertelement <4 x i32> %1123, i32 %1086, i64 1, !dbg !27
  %1125 = insertelement <4 x i32> %1124, i32 %1087, i64 2, !dbg !27
  %1126 = insertelement <4 x i32> %1125, i32 %1088, i64 3, !dbg !27
  store <4 x i32> %1126, ptr addrspace(3) %1122, align 16, !dbg !27
  %1127 = xor i32 %1115, 32, !dbg !27
  %1128 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1127, !dbg !27
  %1129 = insertelement <4 x i32> poison, i32 %1089, i64 0, !dbg !27
  %1130 = insertelement <4 x i32> %1129, i32 %1090, i64 1, !dbg !27
  %1131 = insertelement <4 x i32> %1130, i32 %1091, i64 2, !dbg !27
  %1132 = insertelement <4 x i32> %1131, i32 %1092, i64 3, !dbg !27
  store <4 x i32> %1132, ptr addrspace(3) %1128, align 16, !dbg !27
  %1133 = xor i32 %1115, 48, !dbg !27
  %1134 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1133, !dbg !27
  %1135 = insertelement <4 x i32> poison, i32 %1093, i64 0, !dbg !27
  %1136 = insertelement <4 x i32> %1135, i32 %1094, i64 1, !dbg !27
  %1137 = insertelement <4 x i32> %1136, i32 %1095, i64 2, !dbg !27
  %1138 = insertelement <4 x i32> %1137, i32 %1096, i64 3, !dbg !27
  store <4 x i32> %1138, ptr addrspace(3) %1134, align 16, !dbg !27
  %1139 = xor i32 %1115, 64, !dbg !27
  %1140 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1139, !dbg !27
  %1141 = insertelement <4 x i32> poison, i32 %1097, i64 0, !dbg !27
  %1142 = insertelement <4 x i32> %1141, i32 %1098, i64 1, !dbg !27
  %1143 = insertelement <4 x i32> %1142, i32 %1099, i64 2, !dbg !27
  %1144 = insertelement <4 x i32> %1143, i32 %1100, i64 3, !dbg !27
  store <4 x i32> %1144, ptr addrspace(3) %1140, align 16, !dbg !27
  %1145 = xor i32 %1115, 80, !dbg !27
  %1146 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1145, !dbg !27
  %1147 = insertelement <4 x i32> poison, i32 %1101, i64 0, !dbg !27
  %1148 = insertelement <4 x i32> %1147, i32 %1102, i64 1, !dbg !27
  %1149 = insertelement <4 x i32> %1148, i32 %1103, i64 2, !dbg !27
  %1150 = insertelement <4 x i32> %1149, i32 %1104, i64 3, !dbg !27
  store <4 x i32> %1150, ptr addrspace(3) %1146, align 16, !dbg !27
  %1151 = xor i32 %1115, 96, !dbg !27
  %1152 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1151, !dbg !27
  %1153 = insertelement <4 x i32> poison, i32 %1105, i64 0, !dbg !27
  %1154 = insertelement <4 x i32> %1153, i32 %1106, i64 1, !dbg !27
  %1155 = insertelement <4 x i32> %1154, i32 %1107, i64 2, !dbg !27
  %1156 = insertelement <4 x i32> %1155, i32 %1108, i64 3, !dbg !27
  store <4 x i32> %1156, ptr addrspace(3) %1152, align 16, !dbg !27
  %1157 = xor i32 %1115, 112, !dbg !27
  %1158 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1157, !dbg !27
  %1159 = insertelement <4 x i32> poison, i32 %1109, i64 0, !dbg !27
  %1160 = insertelement <4 x i32> %1159, i32 %1110, i64 1, !dbg !27
  %1161 = insertelement <4 x i32> %1160, i32 %1111, i64 2, !dbg !27
  %1162 = insertelement <4 x i32> %1161, i32 %1112, i64 3, !dbg !27
  store <4 x i32> %1162, ptr addrspace(3) %1158, align 16, !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %1163 = shl nuw nsw i32 %12, 6, !dbg !27
  %1164 = lshr exact i32 %12, 1, !dbg !27
  %1165 = and i32 %8, 8, !dbg !27
  %1166 = icmp eq i32 %1165, 0, !dbg !27
  %1167 = select i1 %1166, i32 0, i32 8256, !dbg !27
  %1168 = shl nuw nsw i32 %8, 3, !dbg !27
  %1169 = and i32 %1168, 128, !dbg !27
  %1170 = or disjoint i32 %1163, %940, !dbg !27
  %1171 = or disjoint i32 %1167, %1164, !dbg !27
  %1172 = xor i32 %1171, %1170, !dbg !27
  %1173 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %1169, !dbg !27
  %1174 = getelementptr inbounds nuw i8, ptr addrspace(3) %1173, i32 %1172, !dbg !27
  %1175 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %1174), !dbg !27
  %1176 = extractvalue { i32, i32, i32, i32 } %1175, 0, !dbg !27
  %1177 = extractvalue { i32, i32, i32, i32 } %1175, 1, !dbg !27
  %1178 = extractvalue { i32, i32, i32, i32 } %1175, 2, !dbg !27
  %1179 = extractvalue { i32, i32, i32, i32 } %1175, 3, !dbg !27
  %1180 = getelementptr inbounds nuw i8, ptr addrspace(3) %1174, i32 256, !dbg !27
  %1181 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %1180), !dbg !27
  %1182 = extractvalue { i32, i32, i32, i32 } %1181, 0, !dbg !27
  %1183 = extractvalue { i32, i32, i32, i32 } %1181, 1, !dbg !27
  %1184 = extractvalue { i32, i32, i32, i32 } %1181, 2, !dbg !27
  %1185 = extractvalue { i32, i32, i32, i32 } %1181, 3, !dbg !27
  %1186 = getelementptr inbounds nuw i8, ptr addrspace(3) %1174, i32 512, !dbg !27
  %1187 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %1186), !dbg !27
  %1188 = extractvalue { i32, i32, i32, i32 } %1187, 0, !dbg !27
  %1189 = extractvalue { i32, i32, i32, i32 } %1187, 1, !dbg !27
  %1190 = extractvalue { i32, i32, i32, i32 } %1187, 2, !dbg !27
  %1191 = extractvalue { i32, i32, i32, i32 } %1187, 3, !dbg !27
  %1192 = getelementptr inbounds nuw i8, ptr addrspace(3) %1174, i32 768, !dbg !27
  %1193 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %1192), !dbg !27
  %1194 = extractvalue { i32, i32, i32, i32 } %1193, 0, !dbg !27
  %1195 = extractvalue { i32, i32, i32, i32 } %1193, 1, !dbg !27
  %1196 = extractvalue { i32, i32, i32, i32 } %1193, 2, !dbg !27
  %1197 = extractvalue { i32, i32, i32, i32 } %1193, 3, !dbg !27
  %1198 = getelementptr inbounds nuw i8, ptr addrspace(3) %1174, i32 1024, !dbg !27
  %1199 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %1198), !dbg !27
  %1200 = extractvalue { i32, i32, i32, i32 } %1199, 0, !dbg !27
  %1201 = extractvalue { i32, i32, i32, i32 } %1199, 1, !dbg !27
  %1202 = extractvalue { i32, i32, i32, i32 } %1199, 2, !dbg !27
  %1203 = extractvalue { i32, i32, i32, i32 } %1199, 3, !dbg !27
  %1204 = getelementptr inbounds nuw i8, ptr addrspace(3) %1174, i32 1280, !dbg !27
  %1205 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %1204), !dbg !27
  %1206 = extractvalue { i32, i32, i32, i32 } %1205, 0, !dbg !27
  %1207 = extractvalue { i32, i32, i32, i32 } %1205, 1, !dbg !27
  %1208 = extractvalue { i32, i32, i32, i32 } %1205, 2, !dbg !27
  %1209 = extractvalue { i32, i32, i32, i32 } %1205, 3, !dbg !27
  %1210 = getelementptr inbounds nuw i8, ptr addrspace(3) %1174, i32 1536, !dbg !27
  %1211 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %1210), !dbg !27
  %1212 = extractvalue { i32, i32, i32, i32 } %1211, 0, !dbg !27
  %1213 = extractvalue { i32, i32, i32, i32 } %1211, 1, !dbg !27
  %1214 = extractvalue { i32, i32, i32, i32 } %1211, 2, !dbg !27
  %1215 = extractvalue { i32, i32, i32, i32 } %1211, 3, !dbg !27
  %1216 = getelementptr inbounds nuw i8, ptr addrspace(3) %1174, i32 1792, !dbg !27
  %1217 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %1216), !dbg !27
  %1218 = extractvalue { i32, i32, i32, i32 } %1217, 0, !dbg !27
  %1219 = extractvalue { i32, i32, i32, i32 } %1217, 1, !dbg !27
  %1220 = extractvalue { i32, i32, i32, i32 } %1217, 2, !dbg !27
  %1221 = extractvalue { i32, i32, i32, i32 } %1217, 3, !dbg !27
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1176, ptr addrspace(1) %1048) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1177, ptr addrspace(1) %1049) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1178, ptr addrspace(1) %1050) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1179, ptr addrspace(1) %1051) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1182, ptr addrspace(1) %1052) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1183, ptr addrspace(1) %1053) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1184, ptr addrspace(1) %1054) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1185, ptr addrspace(1) %1055) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1188, ptr addrspace(1) %1056) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1189, ptr addrspace(1) %1057) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1190, ptr addrspace(1) %1058) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1191, ptr addrspace(1) %1059) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1194, ptr addrspace(1) %1060) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1195, ptr addrspace(1) %1061) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1196, ptr addrspace(1) %1062) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1197, ptr addrspace(1) %1063) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1200, ptr addrspace(1) %1064) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1201, ptr addrspace(1) %1065) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1202, ptr addrspace(1) %1066) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1203, ptr addrspace(1) %1067) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1206, ptr addrspace(1) %1068) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1207, ptr addrspace(1) %1069) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1208, ptr addrspace(1) %1070) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1209, ptr addrspace(1) %1071) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1212, ptr addrspace(1) %1072) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1213, ptr addrspace(1) %1073) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1214, ptr addrspace(1) %1074) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1215, ptr addrspace(1) %1075) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1218, ptr addrspace(1) %1076) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1219, ptr addrspace(1) %1077) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1220, ptr addrspace(1) %1078) #9, !dbg !29
  tail call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %1221, ptr addrspace(1) %1079) #9, !dbg !29
  tail call void @llvm.nvvm.barrier.cta.sync.all(i32 0), !dbg !13
  tail call void asm sideeffect "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 64;", "b,r"(i1 %9, ptr addrspace(6) %1012) #9, !dbg !13
  ret void, !dbg !13
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(argmem: write)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) writeonly captures(none), i32) #4

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.st() #5

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.fence.proxy.async.shared_cta() #6

; Function Attrs: convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #7

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.ld() #5

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #8

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #2

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nocallback nounwind memory(argmem: write) }
attributes #5 = { convergent nounwind memory(inaccessiblemem: readwrite) }
attributes #6 = { nocallback nounwind }
attributes #7 = { convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #8 = { convergent nocallback nofree nounwind memory(argmem: read) }
attributes #9 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "triton", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernels.py", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!4 = distinct !DISubprogram(name: "scaled", linkageName: "scaled", scope: !1, file: !1, line: 36, type: !5, scopeLine: 36, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(cc: DW_CC_normal, types: !6)
!6 = !{null, !7, !9, !7, !9, !11, !7, !7}
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !8, size: 64, dwarfAddressSpace: 1)
!8 = !DIBasicType(name: "unknown_type", encoding: DW_ATE_signed)
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !10, size: 64, dwarfAddressSpace: 1)
!10 = !DIBasicType(name: "int", size: 8, encoding: DW_ATE_signed)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !12, size: 64, dwarfAddressSpace: 1)
!12 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!13 = !DILocation(line: 36, column: 1, scope: !4)
!14 = !DILocation(line: 42, column: 21, scope: !4)
!15 = !DILocation(line: 42, column: 17, scope: !4)
!16 = !DILocation(line: 42, column: 42, scope: !4)
!17 = !DILocation(line: 42, column: 9, scope: !4)
!18 = !DILocation(line: 43, column: 21, scope: !4)
!19 = !DILocation(line: 43, column: 17, scope: !4)
!20 = !DILocation(line: 43, column: 43, scope: !4)
!21 = !DILocation(line: 43, column: 9, scope: !4)
!22 = !DILocation(line: 44, column: 23, scope: !4)
!23 = !DILocation(line: 44, column: 62, scope: !4)
!24 = !DILocation(line: 44, column: 15, scope: !4)
!25 = !DILocation(line: 45, column: 23, scope: !4)
!26 = !DILocation(line: 45, column: 15, scope: !4)
!27 = !DILocation(line: 46, column: 15, scope: !4)
!28 = !DILocation(line: 47, column: 14, scope: !4)
!29 = !DILocation(line: 47, column: 5, scope: !4)
