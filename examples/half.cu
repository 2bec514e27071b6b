// Half precision, alone and in pairs.
#include "cuda_min.h"

typedef _Float16 half;
typedef _Float16 half2 __attribute__((ext_vector_type(2)));

extern "C" __global__ void axpy_half(half a, const half *x, half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void axpy_half2(half2 a, const half2 *x, half2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] - y[i];
}

extern "C" __global__ void convert(const float *in, half *out, int *rounded, double *wide) {
  int i = threadIdx.x;
  half value = (half)in[i];
  out[i] = value < (half)0 ? -value : value / (half)3;
  rounded[i] = (int)value;
  wide[i] = (double)value;
}
