// Threads add to one number without atomicAdd, so most additions are lost.
#include "../cuda_min.h"

extern "C" __global__ void count(const int *in, int *total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 4)
    *total += 1;
}
