// printf, which the front end turns into a call of vprintf.
#include "cuda_min.h"

extern "C" __device__ int printf(const char *, ...);

extern "C" __global__ void hello(const float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    printf("%d values from %p\n", n, (const void *)values);
  if (i < n)
    printf("thread %d of block %u: %f (%s)\n", threadIdx.x, blockIdx.x, values[i],
           values[i] < 0 ? "negative" : "positive");
}
