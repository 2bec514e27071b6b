// Dense and sparse switches.
#include "cuda_min.h"

extern "C" __global__ void interpret(const unsigned char *code, int length, int *registers) {
  int accumulator = registers[threadIdx.x], saved = 0;
  for (int pc = 0; pc < length; ++pc) {
    switch (code[pc]) {
    case 0: accumulator += 1; break;
    case 1: accumulator -= 1; break;
    case 2: accumulator *= 3; break;
    case 3: accumulator ^= saved; break;
    case 4: saved = accumulator; break;
    case 5: accumulator <<= 1; break;
    case 6: accumulator >>= 1; break;
    case 7: accumulator = -accumulator; break;
    case 8: accumulator = saved ? accumulator / saved : 0; break;
    case 9: pc = length; break;
    default: accumulator = 0;
    }
  }
  registers[threadIdx.x] = accumulator;
}

extern "C" __global__ void classify(const long long *keys, char *classes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  switch (keys[i]) {
  case -1000000000000LL: classes[i] = 'n'; break;
  case 0: classes[i] = 'z'; break;
  case 17: case 19: case 23: classes[i] = 'p'; break;
  case 1000000000000LL: classes[i] = 'b'; break;
  default: classes[i] = '?';
  }
}
