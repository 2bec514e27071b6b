// No __syncthreads() between writing the tile and reading what other threads wrote.
#include "../cuda_min.h"

extern "C" __global__ void reverse(int *values) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = values[t];
  values[t] = tile[63 - t];
}
