// Inclusive prefix sum of a block: shuffles within warps, shared memory between them.
#include "cuda_min.h"

__device__ __forceinline__ int warp_scan(int value, int lane) {
#pragma unroll
  for (int delta = 1; delta < 32; delta *= 2) {
    int lower = __shfl_up_sync(~0u, value, delta);
    if (lane >= delta)
      value += lower;
  }
  return value;
}

extern "C" __global__ void __launch_bounds__(1024, 1)
    scan(const int *in, int *out, int *block_sums, int n) {
  extern __shared__ int warp_sums[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int value = warp_scan(i < n ? in[i] : 0, lane);
  if (lane == 31)
    warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0)
    warp_sums[lane] = warp_scan(lane < (int)(blockDim.x >> 5) ? warp_sums[lane] : 0, lane);
  __syncthreads();
  if (warp > 0)
    value += warp_sums[warp - 1];
  if (i < n)
    out[i] = value;
  if (threadIdx.x == blockDim.x - 1)
    block_sums[blockIdx.x] = value;
}

// Target positions of the elements that satisfy a predicate: ballots and population counts.
extern "C" __global__ void compact(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && in[i] > 0;
  unsigned lane = __nvvm_read_ptx_sreg_laneid();
  unsigned votes = __ballot_sync(~0u, keep);
  int base = 0;
  if (lane == 0)
    base = atomicAdd(count, __builtin_popcount(votes));
  base = __nvvm_shfl_sync_idx_i32(~0u, base, 0, 31);
  if (keep)
    out[base + __builtin_popcount(votes & __nvvm_read_ptx_sreg_lanemask_lt())] = in[i];
}
