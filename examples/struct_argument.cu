// Structs by value: as kernel arguments, as arguments and results of functions.
#include "cuda_min.h"

struct Pair {
  float re, im;
};

struct Image {
  unsigned char *pixels;
  int width, height;
  short channels;
  float gain[3];
  Pair phase;
};

__device__ __noinline__ Pair product(Pair a, Pair b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

__device__ __noinline__ Image half_size(Image image) {
  image.width /= 2;
  image.height /= 2;
  image.phase = product(image.phase, image.phase);
  return image;
}

extern "C" __global__ void brighten(Image image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= image.width || y >= image.height)
    return;
  unsigned char *pixel = image.pixels + (y * image.width + x) * image.channels;
  for (int c = 0; c < image.channels && c < 3; ++c) {
    float value = pixel[c] * image.gain[c];
    pixel[c] = value > 255.0f ? 255 : (unsigned char)value;
  }
}

extern "C" __global__ void shrink(Image image, Image *out) {
  out[threadIdx.x] = half_size(image);
}

extern "C" __global__ void rotate(Pair *points, Pair by, int n) {
  int i = threadIdx.x;
  if (i < n)
    points[i] = product(points[i], by);
}
