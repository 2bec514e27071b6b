// bfloat16: conversions, and arithmetic by way of float or, from sm_90 on, directly.
#include "cuda_min.h"

extern "C" __global__ void axpy_bfloat16(__bf16 a, const __bf16 *x, __bf16 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void mean_bfloat16(const __bf16 *in, __bf16 *out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int column = 0; column < columns; ++column)
    sum += (float)in[row * columns + column];
  __bf16 mean = (__bf16)(sum / columns);
  out[row] = mean > (__bf16)0.0f ? mean : (__bf16)0.0f;
}
