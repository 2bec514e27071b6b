// The tile has no space for the halo of the last thread. The store is in a header.
#include "../cuda_min.h"
#include "tile.h"

extern "C" __global__ void smooth(const float *in, float *out) {
  __shared__ float tile[32];
  int t = threadIdx.x;
  put(tile, t + 1, in[t]);
  __syncthreads();
  out[t] = t ? (tile[t] + tile[t + 1]) / 2 : tile[1];
}
