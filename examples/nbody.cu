// Gravity, and other mathematics of libdevice in float and double.
#include "cuda_min.h"

extern "C" {
__device__ float __nv_rsqrtf(float);
__device__ float __nv_sinf(float);
__device__ float __nv_expf(float);
__device__ float __nv_powf(float, float);
__device__ double __nv_rsqrt(double);
__device__ double __nv_sin(double);
__device__ double __nv_exp(double);
__device__ double __nv_pow(double, double);
}

constexpr int TILE = 128;

extern "C" __global__ void forces(const float4 *bodies, float4 *accelerations, int n,
                                  float softening) {
  __shared__ float4 tile[TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  float4 self = bodies[i < n ? i : 0];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += TILE) {
    int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : float4{0, 0, 0, 0};
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
      float dx = tile[k].x - self.x, dy = tile[k].y - self.y, dz = tile[k].z - self.z;
      float inverse = __nv_rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float scale = tile[k].w * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    __syncthreads();
  }
  if (i < n)
    accelerations[i] = float4{ax, ay, az, 0};
}

extern "C" __global__ void functions_f32(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_sinf(x[i]) + __nv_expf(-x[i]) * __nv_powf(x[i], 1.5f);
}

extern "C" __global__ void functions_f64(const double *x, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __nv_sin(x[i]) + __nv_exp(-x[i]) * __nv_pow(x[i], 1.5) +
             __nv_rsqrt(x[i]) + __builtin_sqrt(x[i]) / x[i];
}
