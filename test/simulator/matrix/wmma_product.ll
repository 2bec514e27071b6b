; clang 22, -O2 --cuda-gpu-arch=sm_80, of:
;
; #include <mma.h>
; using namespace nvcuda;
; extern "C" __global__ void product(const half *a, const half *b, float *d, int n, int k) {
;   int row = blockIdx.y * 16, column = blockIdx.x * 16;
;   wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
;   wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
;   wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
;   wmma::fill_fragment(fc, 0.0f);
;   for (int i = 0; i < k; i += 16) {
;     wmma::load_matrix_sync(fa, a + row * k + i, k);
;     wmma::load_matrix_sync(fb, b + column * k + i, k);
;     wmma::mma_sync(fc, fa, fb, fc);
;   }
;   for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2.0f;
;   wmma::store_matrix_sync(d + row * n + column, fc, n, wmma::mem_row_major);
; }

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.__half = type { i16 }

define ptx_kernel void @product(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3, i32 noundef %4) {
  %6 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %7 = shl nuw nsw i32 %6, 4
  %8 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = shl i32 %8, 4
  %10 = icmp sgt i32 %4, 0
  br i1 %10, label %11, label %27

11:
  %12 = mul nuw nsw i32 %4, %7
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw %struct.__half, ptr %0, i64 %13
  %15 = mul nsw i32 %4, %9
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds %struct.__half, ptr %1, i64 %16
  br label %41

18:
  %19 = fmul contract float %73, 2.000000e+00
  %20 = fmul contract float %74, 2.000000e+00
  %21 = fmul contract float %75, 2.000000e+00
  %22 = fmul contract float %76, 2.000000e+00
  %23 = fmul contract float %77, 2.000000e+00
  %24 = fmul contract float %78, 2.000000e+00
  %25 = fmul contract float %79, 2.000000e+00
  %26 = fmul contract float %80, 2.000000e+00
  br label %27

27:
  %28 = phi float [ 0.000000e+00, %5 ], [ %26, %18 ]
  %29 = phi float [ 0.000000e+00, %5 ], [ %25, %18 ]
  %30 = phi float [ 0.000000e+00, %5 ], [ %24, %18 ]
  %31 = phi float [ 0.000000e+00, %5 ], [ %23, %18 ]
  %32 = phi float [ 0.000000e+00, %5 ], [ %22, %18 ]
  %33 = phi float [ 0.000000e+00, %5 ], [ %21, %18 ]
  %34 = phi float [ 0.000000e+00, %5 ], [ %20, %18 ]
  %35 = phi float [ 0.000000e+00, %5 ], [ %19, %18 ]
  %36 = mul nsw i32 %3, %7
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds float, ptr %2, i64 %37
  %39 = sext i32 %9 to i64
  %40 = getelementptr inbounds float, ptr %38, i64 %39
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %40, float %35, float %34, float %33, float %32, float %31, float %30, float %29, float %28, i32 %3)
  ret void

41:
  %42 = phi i32 [ 0, %11 ], [ %81, %41 ]
  %43 = phi float [ 0.000000e+00, %11 ], [ %73, %41 ]
  %44 = phi float [ 0.000000e+00, %11 ], [ %74, %41 ]
  %45 = phi float [ 0.000000e+00, %11 ], [ %75, %41 ]
  %46 = phi float [ 0.000000e+00, %11 ], [ %76, %41 ]
  %47 = phi float [ 0.000000e+00, %11 ], [ %77, %41 ]
  %48 = phi float [ 0.000000e+00, %11 ], [ %78, %41 ]
  %49 = phi float [ 0.000000e+00, %11 ], [ %79, %41 ]
  %50 = phi float [ 0.000000e+00, %11 ], [ %80, %41 ]
  %51 = zext nneg i32 %42 to i64
  %52 = getelementptr inbounds nuw %struct.__half, ptr %14, i64 %51
  %53 = call contract { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr readonly %52, i32 %4)
  %54 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 0
  %55 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 1
  %56 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 2
  %57 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 3
  %58 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 4
  %59 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 5
  %60 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 6
  %61 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %53, 7
  %62 = getelementptr inbounds nuw %struct.__half, ptr %17, i64 %51
  %63 = call contract { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p0(ptr readonly %62, i32 %4)
  %64 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 0
  %65 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 1
  %66 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 2
  %67 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 3
  %68 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 4
  %69 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 5
  %70 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 6
  %71 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %63, 7
  %72 = call contract { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32(<2 x half> %54, <2 x half> %55, <2 x half> %56, <2 x half> %57, <2 x half> %58, <2 x half> %59, <2 x half> %60, <2 x half> %61, <2 x half> %64, <2 x half> %65, <2 x half> %66, <2 x half> %67, <2 x half> %68, <2 x half> %69, <2 x half> %70, <2 x half> %71, float %43, float %44, float %45, float %46, float %47, float %48, float %49, float %50)
  %73 = extractvalue { float, float, float, float, float, float, float, float } %72, 0
  %74 = extractvalue { float, float, float, float, float, float, float, float } %72, 1
  %75 = extractvalue { float, float, float, float, float, float, float, float } %72, 2
  %76 = extractvalue { float, float, float, float, float, float, float, float } %72, 3
  %77 = extractvalue { float, float, float, float, float, float, float, float } %72, 4
  %78 = extractvalue { float, float, float, float, float, float, float, float } %72, 5
  %79 = extractvalue { float, float, float, float, float, float, float, float } %72, 6
  %80 = extractvalue { float, float, float, float, float, float, float, float } %72, 7
  %81 = add nuw nsw i32 %42, 16
  %82 = icmp slt i32 %81, %4
  br i1 %82, label %41, label %18
}

declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr readonly captures(none), i32)

declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p0(ptr readonly captures(none), i32)

declare { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, float, float, float, float)

declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr writeonly captures(none), float, float, float, float, float, float, float, float, i32)
