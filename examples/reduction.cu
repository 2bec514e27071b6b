// The sum of an array: a grid-stride loop, a tree in shared memory, shuffles in the last warp.
#include "cuda_min.h"

constexpr int THREADS = 256;

extern "C" __global__ void __launch_bounds__(THREADS)
    reduce_sum(const float *in, float *out, int n) {
  __shared__ float partial[THREADS];
  unsigned thread = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * THREADS + thread; i < n; i += gridDim.x * THREADS)
    sum += in[i];
  partial[thread] = sum;
  __syncthreads();
  for (unsigned stride = THREADS / 2; stride >= 32; stride /= 2) {
    if (thread < stride)
      partial[thread] += partial[thread + stride];
    __syncthreads();
  }
  if (thread < 32) {
    sum = partial[thread];
    for (int lanes = 16; lanes > 0; lanes /= 2)
      sum += __shfl_xor_sync(~0u, sum, lanes);
    if (thread == 0)
      atomicAdd(out, sum);
  }
}

extern "C" __global__ void reduce_max(const int *in, int *out, int n) {
  int best = -2147483647 - 1;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    best = in[i] > best ? in[i] : best;
  for (int delta = 16; delta > 0; delta >>= 1) {
    int other = __shfl_down_sync(~0u, best, delta);
    best = other > best ? other : best;
  }
  if ((threadIdx.x & 31) == 0)
    atomicMax(out, best);
}
