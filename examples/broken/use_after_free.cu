// The scratch memory is read after it was freed, and freed twice.
#include "../cuda_min.h"

extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);

extern "C" __global__ void square(const int *in, int *out) {
  int i = threadIdx.x;
  volatile int *scratch = (volatile int *)malloc(sizeof(int));
  *scratch = in[i] * in[i];
  free((void *)scratch);
  out[i] = *scratch;
  free((void *)scratch);
}
