// One thread too many: i <= n.
#include "../cuda_min.h"

extern "C" __global__ void scale(float *values, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    values[i] *= factor;
}
