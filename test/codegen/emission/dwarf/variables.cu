// The source of debug_info.ll.
#include "cuda_min.h"
namespace shapes {
enum Color { RED = -1, GREEN, BLUE = 7 };
struct Node {
  Node *next;
  unsigned low : 3, high : 5;
  union { int number; float real; };
  Color color;
};
typedef const volatile float *Samples;
__constant__ int limits[2][3] = {{1, 2, 3}, {4, 5, 6}};
__shared__ double tile[32];
__device__ Node head;
__device__ inline int scaled(int value, int factor) {
  int product = value ^ value >> factor;
  return product;
}
}
extern "C" __global__ void walk(shapes::Node *list, shapes::Samples samples, int (*unused)(float), bool flag, long long n) {
  int total = 0;
  shapes::Node &first = *list;
  for (int i = 0; i < n; ++i) {
    float sample = samples[i];
    total += shapes::scaled(i, 3) + (int)sample;
    { char inner = (char)total; total += inner; }
  }
  shapes::tile[threadIdx.x] = total;
  first.number = flag ? total : shapes::limits[1][total & 1];
  shapes::head.next = list;
}
