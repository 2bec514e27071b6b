// Wide loads and stores, aligned structs, and copies of blocks of memory.
#include "cuda_min.h"

typedef float float2v __attribute__((ext_vector_type(2)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef unsigned char uchar4v __attribute__((ext_vector_type(4)));
typedef int int3v __attribute__((ext_vector_type(3)));

struct Particle {
  float4 position;
  int2 cell;
  char tag[24];
};

extern "C" __global__ void scale(const float4v *in, float4v *out, float factor) {
  out[threadIdx.x] = in[threadIdx.x] * factor + in[threadIdx.x].wzyx;
}

extern "C" __global__ void narrow(const float4v *in, uchar4v *out) {
  float4v v = in[threadIdx.x] * 255.0f;
  out[threadIdx.x] = uchar4v{(unsigned char)v.x, (unsigned char)v.y, (unsigned char)v.z,
                             (unsigned char)v.w};
}

extern "C" __global__ void cross(const int3v *a, const int3v *b, int3v *out) {
  int3v x = a[threadIdx.x], y = b[threadIdx.x];
  out[threadIdx.x] = x.yzx * y.zxy - x.zxy * y.yzx;
}

extern "C" __global__ void move(const Particle *in, Particle *out, const float2v *offset) {
  Particle particle = in[threadIdx.x];
  particle.position.x += offset->x;
  particle.position.y += offset->y;
  particle.cell.x = (int)particle.position.x;
  __builtin_memset(particle.tag, 0, sizeof particle.tag);
  out[threadIdx.x] = particle;
}
