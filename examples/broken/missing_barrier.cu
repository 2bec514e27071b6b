// __syncthreads() is missing between the stores to the tile and loads of other threads' elements.
#include "../cuda_min.h"

extern "C" __global__ void reverse(int *values) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = values[t];
  values[t] = tile[63 - t];
}
