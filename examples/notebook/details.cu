// Details of a signal: the difference of a narrow blur and a wide one.
#include "../cuda_min.h"

static __device__ float blur(const float *in, int center, int n, int radius) {
  int taps = 2 * radius + 1;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) {
    int i = center - radius + k;
    sum += in[i < 0 ? 0 : i < n ? i : n - 1];
  }
  return sum / taps;
}

extern "C" __global__ void details(const float *in, float *out, int n,
                                   int narrow, int wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = blur(in, i, n, narrow) - blur(in, i, n, wide);
}
