// Five-point stencil with weights in constant memory and a halo in shared memory.
#include "cuda_min.h"

constexpr int SIDE = 16;

__constant__ float weights[5] = {0.5f, 0.125f, 0.125f, 0.125f, 0.125f};
__device__ unsigned long long cells_updated;

extern "C" __global__ void stencil(const float *in, float *out, int width,
                                   int height) {
  __shared__ float cell[SIDE + 2][SIDE + 2];
  int x = blockIdx.x * SIDE + threadIdx.x;
  int y = blockIdx.y * SIDE + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  bool inside = x < width && y < height;
  cell[ty][tx] = inside ? in[y * width + x] : 0.0f;
  if (threadIdx.x == 0)
    cell[ty][0] = inside && x > 0 ? in[y * width + x - 1] : 0.0f;
  if (threadIdx.x == SIDE - 1)
    cell[ty][SIDE + 1] = inside && x + 1 < width ? in[y * width + x + 1] : 0.0f;
  if (threadIdx.y == 0)
    cell[0][tx] = inside && y > 0 ? in[(y - 1) * width + x] : 0.0f;
  if (threadIdx.y == SIDE - 1)
    cell[SIDE + 1][tx] = inside && y + 1 < height ? in[(y + 1) * width + x] : 0.0f;
  __syncthreads();
  if (!inside)
    return;
  out[y * width + x] = weights[0] * cell[ty][tx] + weights[1] * cell[ty][tx - 1] +
                       weights[2] * cell[ty][tx + 1] +
                       weights[3] * cell[ty - 1][tx] + weights[4] * cell[ty + 1][tx];
  if (threadIdx.x == 0 && threadIdx.y == 0)
    __nvvm_atom_add_gen_ll((long long *)&cells_updated, SIDE * SIDE);
}
