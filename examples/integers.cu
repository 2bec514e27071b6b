// 64-bit division, 128-bit arithmetic and the bit operations.
#include "cuda_min.h"

extern "C" __global__ void divide(const long long *a, const long long *b,
                                  long long *quotient, long long *remainder, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || b[i] == 0)
    return;
  quotient[i] = a[i] / b[i];
  remainder[i] = a[i] % b[i];
}

extern "C" __global__ void divide_unsigned(const unsigned long long *a, unsigned long long b,
                                           unsigned long long *out) {
  unsigned long long value = a[threadIdx.x];
  out[threadIdx.x] = value / b + value % 10 + value / 1000;
}

extern "C" __global__ void wide(const unsigned long long *a, const unsigned long long *b,
                                unsigned long long *out) {
  unsigned __int128 x = a[threadIdx.x], y = b[threadIdx.x];
  unsigned __int128 product = x * y + ((x << 64) | y);
  out[2 * threadIdx.x] = (unsigned long long)product;
  out[2 * threadIdx.x + 1] = (unsigned long long)(product >> (64 + (a[0] & 7)));
}

extern "C" __global__ void bits(const unsigned *in, unsigned *out) {
  unsigned value = in[threadIdx.x];
  unsigned long long both = ((unsigned long long)value << 32) | in[threadIdx.x + 1];
  unsigned result = __builtin_popcount(value) + __builtin_popcountll(both);
  result += value ? __builtin_clz(value) + __builtin_ctz(value) : 64;
  result ^= __builtin_bswap32(value) + __builtin_bitreverse32(value);
  result += __builtin_rotateleft32(value, 7);
  short narrow = (short)value;
  signed char byte = (signed char)(value >> 8);
  int sum;
  bool over = __builtin_sadd_overflow((int)value, narrow * byte, &sum);
  out[threadIdx.x] = over ? result : result + sum;
}
