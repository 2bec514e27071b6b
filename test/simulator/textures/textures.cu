// Texture and surface objects, by the functions of the CUDA toolkit's headers.
#include <cuda_runtime.h>

// The gradient of an image between its pixels, added to the contents of a surface.
extern "C" __global__ void slope(cudaTextureObject_t image, cudaSurfaceObject_t sum, int width,
                                 int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float right = tex2D<float>(image, x + 1.25f, y + 0.5f);
  float left = tex2D<float>(image, x - 0.25f, y + 0.5f);
  float old = surf2Dread<float>(sum, x * sizeof(float), y);
  surf2Dwrite(old + right - left, sum, x * sizeof(float), y);
}

// Colours looked up by numbers, layer by layer; accesses outside the surface are dropped.
extern "C" __global__ void palette(cudaTextureObject_t colours, cudaTextureObject_t numbers,
                                   cudaSurfaceObject_t out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    unsigned char number = tex1Dfetch<unsigned char>(numbers, i);
    float4 colour = tex1DLayered<float4>(colours, (number + 0.5f) / 16, blockIdx.x);
    uchar4 bytes = make_uchar4(colour.x * 255, colour.y * 255, colour.z * 255, colour.w * 255);
    surf1DLayeredwrite(bytes, out, i * sizeof(uchar4), blockIdx.x, cudaBoundaryModeZero);
  }
}

// A volume at a level of detail, and a cubemap in the direction of the same position.
extern "C" __global__ void shade(cudaTextureObject_t volume, cudaTextureObject_t sky, float *out,
                                 float level) {
  float x = (threadIdx.x + 0.5f) / blockDim.x;
  out[2 * threadIdx.x] = tex3DLod<float>(volume, x, 0.5f, 1 - x, level);
  out[2 * threadIdx.x + 1] = texCubemap<float>(sky, x - 0.5f, 0.25f, 0.125f);
}
