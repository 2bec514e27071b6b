// C = A * B by tiles in shared memory.
#include "cuda_min.h"

template <typename T, int TILE>
__device__ __forceinline__ void multiply(const T *a, const T *b, T *c, int n) {
  __shared__ T tile_a[TILE][TILE];
  __shared__ T tile_b[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  T sum = 0;
  for (int start = 0; start < n; start += TILE) {
    int ka = start + threadIdx.x, kb = start + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < n && ka < n ? a[row * n + ka] : T(0);
    tile_b[threadIdx.y][threadIdx.x] =
        kb < n && column < n ? b[kb * n + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

extern "C" __global__ void matmul_f32(const float *a, const float *b, float *c,
                                      int n) {
  multiply<float, 16>(a, b, c, n);
}

extern "C" __global__ void matmul_f64(const double *a, const double *b, double *c,
                                      int n) {
  multiply<double, 8>(a, b, c, n);
}
