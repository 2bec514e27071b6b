// Records of six bytes: every second number is not aligned to four bytes.
#include "../cuda_min.h"

extern "C" __global__ void unpack(const char *records, int *out) {
  int i = threadIdx.x;
  out[i] = *(const int *)(records + 6 * i);
}
