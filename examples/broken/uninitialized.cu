// The threads past the end of the data do not initialize their elements of the tile.
#include "../cuda_min.h"

extern "C" __global__ void any_above(const int *in, int n, int limit, int *found) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  if (t < n)
    tile[t] = in[t];
  __syncthreads();
  int largest = tile[t] > tile[t ^ 1] ? tile[t] : tile[t ^ 1];
  if (largest > limit)
    *found = 1;
}
