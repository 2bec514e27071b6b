// Only threads that find something free their memory.
#include "../cuda_min.h"

extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);

extern "C" __global__ void collect(const int *in, int *out) {
  int i = threadIdx.x;
  volatile int *found = (volatile int *)malloc(16);
  found[0] = in[i];
  if (in[i] < 8)
    return;
  out[i] = found[0];
  free((void *)found);
}
