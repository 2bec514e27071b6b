// A local array that is indexed at run time and therefore needs stack memory.
#include "cuda_min.h"

extern "C" __global__ void median(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int window[9];
  for (int k = 0; k < 9; ++k) {
    int j = i + k - 4;
    window[k] = in[j < 0 ? 0 : j >= n ? n - 1 : j];
  }
  for (int a = 1; a < 9; ++a) {
    int value = window[a], b = a;
    while (b > 0 && window[b - 1] > value) {
      window[b] = window[b - 1];
      --b;
    }
    window[b] = value;
  }
  out[i] = window[4];
}

extern "C" __global__ void permute(const int *order, double *values) {
  double local[16];
  for (int k = 0; k < 16; ++k)
    local[k] = values[threadIdx.x * 16 + k];
  for (int k = 0; k < 16; ++k)
    values[threadIdx.x * 16 + k] = local[order[k] & 15];
}
