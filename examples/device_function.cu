// A noinline function called from two kernels, a recursive one, and pointers to
// functions.
#include "cuda_min.h"

__device__ __noinline__ float horner(const float *coefficients, int degree, float x) {
  float value = coefficients[degree];
  for (int k = degree - 1; k >= 0; --k)
    value = value * x + coefficients[k];
  return value;
}

extern "C" __global__ void evaluate(const float *coefficients, int degree,
                                    const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = horner(coefficients, degree, x[i]);
}

extern "C" __global__ void newton_step(const float *coefficients, int degree,
                                       float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float h = 1e-3f, here = horner(coefficients, degree, x[i]);
  float slope = (horner(coefficients, degree, x[i] + h) - here) / h;
  x[i] -= here / slope;
}

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

extern "C" __global__ void recurse(int m, int n, int *out) { *out = ackermann(m, n); }

typedef double (*Binary)(double, double);
__device__ double add(double a, double b) { return a + b; }
__device__ double subtract(double a, double b) { return a - b; }
__device__ double multiply(double a, double b) { return a * b; }
__device__ Binary operations[3] = {add, subtract, multiply};

extern "C" __global__ void apply(int operation, const double *a, const double *b,
                                 double *out) {
  int i = threadIdx.x;
  out[i] = operations[operation](a[i], b[i]);
}
