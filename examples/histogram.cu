// Byte histogram: a private one in shared memory for each block, merged by global atomics.
#include "cuda_min.h"

constexpr int BINS = 256;

extern "C" __global__ void histogram(const unsigned char *data, size_t size,
                                     unsigned *bins) {
  __shared__ unsigned local[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    local[bin] = 0;
  __syncthreads();
  size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    if (local[bin] != 0)
      atomicAdd(&bins[bin], local[bin]);
}

// A double sum by compare and swap, as needed before sm_60.
extern "C" __global__ void weighted(const unsigned char *data,
                                    const double *weight, int size, double *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  unsigned long long *slot = (unsigned long long *)&bins[data[i]];
  unsigned long long seen = *slot, assumed;
  do {
    assumed = seen;
    union {
      unsigned long long bits;
      double value;
    } sum;
    sum.bits = assumed;
    sum.value += weight[i];
    seen = atomicCAS(slot, assumed, sum.bits);
  } while (seen != assumed);
}

// The same with clang's scoped atomics.
extern "C" __global__ void scoped(int *counter, unsigned *flags, float *sum) {
  __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_or(flags, 4u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
  __scoped_atomic_fetch_min(counter + 1, 7, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  unsigned old = __scoped_atomic_exchange_n(flags + 1, 1u, __ATOMIC_ACQUIRE,
                                            __MEMORY_SCOPE_DEVICE);
  if (old == 0)
    __scoped_atomic_store_n(flags, 0u, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  float seen;
  __scoped_atomic_load(sum, &seen, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
  sum[1] = seen;
  __threadfence();
}
