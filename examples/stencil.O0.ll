; ModuleID = 'examples/stencil.cu'
source_filename = "examples/stencil.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.blockIdx_t = type { i8 }
%struct.threadIdx_t = type { i8 }

$_ZN10blockIdx_t6read_xEv = comdat any

$_ZN11threadIdx_t6read_xEv = comdat any

$_ZN10blockIdx_t6read_yEv = comdat any

$_ZN11threadIdx_t6read_yEv = comdat any

@weights = dso_local addrspace(4) externally_initialized constant [5 x float] [float 5.000000e-01, float 1.250000e-01, float 1.250000e-01, float 1.250000e-01, float 1.250000e-01], align 4
@cells_updated = dso_local addrspace(1) externally_initialized global i64 0, align 8
@_ZZ7stencilE4cell = internal addrspace(3) global [18 x [18 x float]] undef, align 4
@blockIdx = extern_weak dso_local addrspace(1) global %struct.blockIdx_t, align 1
@threadIdx = extern_weak dso_local addrspace(1) global %struct.threadIdx_t, align 1
@llvm.compiler.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @weights to ptr), ptr addrspacecast (ptr addrspace(1) @cells_updated to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @stencil(ptr noundef %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i8, align 1
  %14 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !8
  store ptr %1, ptr %6, align 8, !tbaa !8
  store i32 %2, ptr %7, align 4, !tbaa !4
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #5
  %15 = call noundef i32 @_ZN10blockIdx_t6read_xEv() #6
  %16 = mul i32 %15, 16
  %17 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %18 = add i32 %16, %17
  store i32 %18, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #5
  %19 = call noundef i32 @_ZN10blockIdx_t6read_yEv() #6
  %20 = mul i32 %19, 16
  %21 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #6
  %22 = add i32 %20, %21
  store i32 %22, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #5
  %23 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %24 = add i32 %23, 1
  store i32 %24, ptr %11, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %12) #5
  %25 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #6
  %26 = add i32 %25, 1
  store i32 %26, ptr %12, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %13) #5
  %27 = load i32, ptr %9, align 4, !tbaa !4
  %28 = load i32, ptr %7, align 4, !tbaa !4
  %29 = icmp slt i32 %27, %28
  br i1 %29, label %30, label %34

30:                                               ; preds = %4
  %31 = load i32, ptr %10, align 4, !tbaa !4
  %32 = load i32, ptr %8, align 4, !tbaa !4
  %33 = icmp slt i32 %31, %32
  br label %34

34:                                               ; preds = %30, %4
  %35 = phi i1 [ false, %4 ], [ %33, %30 ]
  %36 = zext i1 %35 to i8
  store i8 %36, ptr %13, align 1, !tbaa !11
  %37 = load i8, ptr %13, align 1, !tbaa !11, !range !13, !noundef !14
  %38 = trunc i8 %37 to i1
  br i1 %38, label %39, label %49

39:                                               ; preds = %34
  %40 = load ptr, ptr %5, align 8, !tbaa !8
  %41 = load i32, ptr %10, align 4, !tbaa !4
  %42 = load i32, ptr %7, align 4, !tbaa !4
  %43 = mul nsw i32 %41, %42
  %44 = load i32, ptr %9, align 4, !tbaa !4
  %45 = add nsw i32 %43, %44
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %40, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !15
  br label %50

49:                                               ; preds = %34
  br label %50

50:                                               ; preds = %49, %39
  %51 = phi contract float [ %48, %39 ], [ 0.000000e+00, %49 ]
  %52 = load i32, ptr %12, align 4, !tbaa !4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %53
  %55 = load i32, ptr %11, align 4, !tbaa !4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [18 x float], ptr %54, i64 0, i64 %56
  store float %51, ptr %57, align 4, !tbaa !15
  %58 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %60, label %84

60:                                               ; preds = %50
  %61 = load i8, ptr %13, align 1, !tbaa !11, !range !13, !noundef !14
  %62 = trunc i8 %61 to i1
  br i1 %62, label %63, label %77

63:                                               ; preds = %60
  %64 = load i32, ptr %9, align 4, !tbaa !4
  %65 = icmp sgt i32 %64, 0
  br i1 %65, label %66, label %77

66:                                               ; preds = %63
  %67 = load ptr, ptr %5, align 8, !tbaa !8
  %68 = load i32, ptr %10, align 4, !tbaa !4
  %69 = load i32, ptr %7, align 4, !tbaa !4
  %70 = mul nsw i32 %68, %69
  %71 = load i32, ptr %9, align 4, !tbaa !4
  %72 = add nsw i32 %70, %71
  %73 = sub nsw i32 %72, 1
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds float, ptr %67, i64 %74
  %76 = load float, ptr %75, align 4, !tbaa !15
  br label %78

77:                                               ; preds = %63, %60
  br label %78

78:                                               ; preds = %77, %66
  %79 = phi contract float [ %76, %66 ], [ 0.000000e+00, %77 ]
  %80 = load i32, ptr %12, align 4, !tbaa !4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %81
  %83 = getelementptr inbounds [18 x float], ptr %82, i64 0, i64 0
  store float %79, ptr %83, align 4, !tbaa !15
  br label %84

84:                                               ; preds = %78, %50
  %85 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %86 = icmp eq i32 %85, 15
  br i1 %86, label %87, label %113

87:                                               ; preds = %84
  %88 = load i8, ptr %13, align 1, !tbaa !11, !range !13, !noundef !14
  %89 = trunc i8 %88 to i1
  br i1 %89, label %90, label %106

90:                                               ; preds = %87
  %91 = load i32, ptr %9, align 4, !tbaa !4
  %92 = add nsw i32 %91, 1
  %93 = load i32, ptr %7, align 4, !tbaa !4
  %94 = icmp slt i32 %92, %93
  br i1 %94, label %95, label %106

95:                                               ; preds = %90
  %96 = load ptr, ptr %5, align 8, !tbaa !8
  %97 = load i32, ptr %10, align 4, !tbaa !4
  %98 = load i32, ptr %7, align 4, !tbaa !4
  %99 = mul nsw i32 %97, %98
  %100 = load i32, ptr %9, align 4, !tbaa !4
  %101 = add nsw i32 %99, %100
  %102 = add nsw i32 %101, 1
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds float, ptr %96, i64 %103
  %105 = load float, ptr %104, align 4, !tbaa !15
  br label %107

106:                                              ; preds = %90, %87
  br label %107

107:                                              ; preds = %106, %95
  %108 = phi contract float [ %105, %95 ], [ 0.000000e+00, %106 ]
  %109 = load i32, ptr %12, align 4, !tbaa !4
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %110
  %112 = getelementptr inbounds [18 x float], ptr %111, i64 0, i64 17
  store float %108, ptr %112, align 4, !tbaa !15
  br label %113

113:                                              ; preds = %107, %84
  %114 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #6
  %115 = icmp eq i32 %114, 0
  br i1 %115, label %116, label %139

116:                                              ; preds = %113
  %117 = load i8, ptr %13, align 1, !tbaa !11, !range !13, !noundef !14
  %118 = trunc i8 %117 to i1
  br i1 %118, label %119, label %133

119:                                              ; preds = %116
  %120 = load i32, ptr %10, align 4, !tbaa !4
  %121 = icmp sgt i32 %120, 0
  br i1 %121, label %122, label %133

122:                                              ; preds = %119
  %123 = load ptr, ptr %5, align 8, !tbaa !8
  %124 = load i32, ptr %10, align 4, !tbaa !4
  %125 = sub nsw i32 %124, 1
  %126 = load i32, ptr %7, align 4, !tbaa !4
  %127 = mul nsw i32 %125, %126
  %128 = load i32, ptr %9, align 4, !tbaa !4
  %129 = add nsw i32 %127, %128
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds float, ptr %123, i64 %130
  %132 = load float, ptr %131, align 4, !tbaa !15
  br label %134

133:                                              ; preds = %119, %116
  br label %134

134:                                              ; preds = %133, %122
  %135 = phi contract float [ %132, %122 ], [ 0.000000e+00, %133 ]
  %136 = load i32, ptr %11, align 4, !tbaa !4
  %137 = sext i32 %136 to i64
  %138 = getelementptr inbounds [18 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %137
  store float %135, ptr %138, align 4, !tbaa !15
  br label %139

139:                                              ; preds = %134, %113
  %140 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #6
  %141 = icmp eq i32 %140, 15
  br i1 %141, label %142, label %167

142:                                              ; preds = %139
  %143 = load i8, ptr %13, align 1, !tbaa !11, !range !13, !noundef !14
  %144 = trunc i8 %143 to i1
  br i1 %144, label %145, label %161

145:                                              ; preds = %142
  %146 = load i32, ptr %10, align 4, !tbaa !4
  %147 = add nsw i32 %146, 1
  %148 = load i32, ptr %8, align 4, !tbaa !4
  %149 = icmp slt i32 %147, %148
  br i1 %149, label %150, label %161

150:                                              ; preds = %145
  %151 = load ptr, ptr %5, align 8, !tbaa !8
  %152 = load i32, ptr %10, align 4, !tbaa !4
  %153 = add nsw i32 %152, 1
  %154 = load i32, ptr %7, align 4, !tbaa !4
  %155 = mul nsw i32 %153, %154
  %156 = load i32, ptr %9, align 4, !tbaa !4
  %157 = add nsw i32 %155, %156
  %158 = sext i32 %157 to i64
  %159 = getelementptr inbounds float, ptr %151, i64 %158
  %160 = load float, ptr %159, align 4, !tbaa !15
  br label %162

161:                                              ; preds = %145, %142
  br label %162

162:                                              ; preds = %161, %150
  %163 = phi contract float [ %160, %150 ], [ 0.000000e+00, %161 ]
  %164 = load i32, ptr %11, align 4, !tbaa !4
  %165 = sext i32 %164 to i64
  %166 = getelementptr inbounds [18 x float], ptr getelementptr inbounds ([18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 17), i64 0, i64 %165
  store float %163, ptr %166, align 4, !tbaa !15
  br label %167

167:                                              ; preds = %162, %139
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %168 = load i8, ptr %13, align 1, !tbaa !11, !range !13, !noundef !14
  %169 = trunc i8 %168 to i1
  br i1 %169, label %171, label %170

170:                                              ; preds = %167
  store i32 1, ptr %14, align 4
  br label %241

171:                                              ; preds = %167
  %172 = load float, ptr addrspacecast (ptr addrspace(4) @weights to ptr), align 4, !tbaa !15
  %173 = load i32, ptr %12, align 4, !tbaa !4
  %174 = sext i32 %173 to i64
  %175 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %174
  %176 = load i32, ptr %11, align 4, !tbaa !4
  %177 = sext i32 %176 to i64
  %178 = getelementptr inbounds [18 x float], ptr %175, i64 0, i64 %177
  %179 = load float, ptr %178, align 4, !tbaa !15
  %180 = fmul contract float %172, %179
  %181 = load float, ptr getelementptr inbounds ([5 x float], ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 0, i64 1), align 4, !tbaa !15
  %182 = load i32, ptr %12, align 4, !tbaa !4
  %183 = sext i32 %182 to i64
  %184 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %183
  %185 = load i32, ptr %11, align 4, !tbaa !4
  %186 = sub nsw i32 %185, 1
  %187 = sext i32 %186 to i64
  %188 = getelementptr inbounds [18 x float], ptr %184, i64 0, i64 %187
  %189 = load float, ptr %188, align 4, !tbaa !15
  %190 = fmul contract float %181, %189
  %191 = fadd contract float %180, %190
  %192 = load float, ptr getelementptr inbounds ([5 x float], ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 0, i64 2), align 4, !tbaa !15
  %193 = load i32, ptr %12, align 4, !tbaa !4
  %194 = sext i32 %193 to i64
  %195 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %194
  %196 = load i32, ptr %11, align 4, !tbaa !4
  %197 = add nsw i32 %196, 1
  %198 = sext i32 %197 to i64
  %199 = getelementptr inbounds [18 x float], ptr %195, i64 0, i64 %198
  %200 = load float, ptr %199, align 4, !tbaa !15
  %201 = fmul contract float %192, %200
  %202 = fadd contract float %191, %201
  %203 = load float, ptr getelementptr inbounds ([5 x float], ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 0, i64 3), align 4, !tbaa !15
  %204 = load i32, ptr %12, align 4, !tbaa !4
  %205 = sub nsw i32 %204, 1
  %206 = sext i32 %205 to i64
  %207 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %206
  %208 = load i32, ptr %11, align 4, !tbaa !4
  %209 = sext i32 %208 to i64
  %210 = getelementptr inbounds [18 x float], ptr %207, i64 0, i64 %209
  %211 = load float, ptr %210, align 4, !tbaa !15
  %212 = fmul contract float %203, %211
  %213 = fadd contract float %202, %212
  %214 = load float, ptr getelementptr inbounds ([5 x float], ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 0, i64 4), align 4, !tbaa !15
  %215 = load i32, ptr %12, align 4, !tbaa !4
  %216 = add nsw i32 %215, 1
  %217 = sext i32 %216 to i64
  %218 = getelementptr inbounds [18 x [18 x float]], ptr addrspacecast (ptr addrspace(3) @_ZZ7stencilE4cell to ptr), i64 0, i64 %217
  %219 = load i32, ptr %11, align 4, !tbaa !4
  %220 = sext i32 %219 to i64
  %221 = getelementptr inbounds [18 x float], ptr %218, i64 0, i64 %220
  %222 = load float, ptr %221, align 4, !tbaa !15
  %223 = fmul contract float %214, %222
  %224 = fadd contract float %213, %223
  %225 = load ptr, ptr %6, align 8, !tbaa !8
  %226 = load i32, ptr %10, align 4, !tbaa !4
  %227 = load i32, ptr %7, align 4, !tbaa !4
  %228 = mul nsw i32 %226, %227
  %229 = load i32, ptr %9, align 4, !tbaa !4
  %230 = add nsw i32 %228, %229
  %231 = sext i32 %230 to i64
  %232 = getelementptr inbounds float, ptr %225, i64 %231
  store float %224, ptr %232, align 4, !tbaa !15
  %233 = call noundef i32 @_ZN11threadIdx_t6read_xEv() #6
  %234 = icmp eq i32 %233, 0
  br i1 %234, label %235, label %240

235:                                              ; preds = %171
  %236 = call noundef i32 @_ZN11threadIdx_t6read_yEv() #6
  %237 = icmp eq i32 %236, 0
  br i1 %237, label %238, label %240

238:                                              ; preds = %235
  %239 = atomicrmw add ptr addrspacecast (ptr addrspace(1) @cells_updated to ptr), i64 256 seq_cst, align 8
  br label %240

240:                                              ; preds = %238, %235, %171
  store i32 0, ptr %14, align 4
  br label %241

241:                                              ; preds = %240, %170
  call void @llvm.lifetime.end.p0(ptr %13) #5
  call void @llvm.lifetime.end.p0(ptr %12) #5
  call void @llvm.lifetime.end.p0(ptr %11) #5
  call void @llvm.lifetime.end.p0(ptr %10) #5
  call void @llvm.lifetime.end.p0(ptr %9) #5
  %242 = load i32, ptr %14, align 4
  switch i32 %242, label %244 [
    i32 0, label %243
    i32 1, label %243
  ]

243:                                              ; preds = %241, %241
  ret void

244:                                              ; preds = %241
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_xEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN10blockIdx_t6read_yEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  ret i32 %1
}

; Function Attrs: alwaysinline convergent mustprogress nounwind
define linkonce_odr dso_local noundef i32 @_ZN11threadIdx_t6read_yEv() #2 comdat align 2 {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  ret i32 %1
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind }

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
!9 = !{!"p1 float", !10, i64 0}
!10 = !{!"any pointer", !6, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"bool", !6, i64 0}
!13 = !{i8 0, i8 2}
!14 = !{}
!15 = !{!16, !16, i64 0}
!16 = !{!"float", !6, i64 0}
