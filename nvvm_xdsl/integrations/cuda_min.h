// As much of CUDA C++ as the examples use, without a toolkit: clang's own builtins do the rest.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;

// threadIdx.x and its like read a special register.
#define INDEX_DIMENSION(dimension, reader)                                     \
  __declspec(property(get = read_##dimension)) unsigned dimension;             \
  static __device__ __forceinline__ unsigned read_##dimension() {              \
    return reader();                                                           \
  }
#define INDEX_VARIABLE(name, sreg)                                             \
  struct name##_t {                                                            \
    INDEX_DIMENSION(x, __nvvm_read_ptx_sreg_##sreg##_x)                        \
    INDEX_DIMENSION(y, __nvvm_read_ptx_sreg_##sreg##_y)                        \
    INDEX_DIMENSION(z, __nvvm_read_ptx_sreg_##sreg##_z)                        \
  };                                                                           \
  extern const __device__ __attribute__((weak)) name##_t name;
INDEX_VARIABLE(threadIdx, tid)
INDEX_VARIABLE(blockIdx, ctaid)
INDEX_VARIABLE(blockDim, ntid)
INDEX_VARIABLE(gridDim, nctaid)

static __device__ __forceinline__ void __syncwarp(unsigned mask = ~0u) {
  __nvvm_bar_warp_sync(mask);
}
static __device__ __forceinline__ void __threadfence() { __nvvm_membar_gl(); }

static __device__ __forceinline__ int __shfl_down_sync(unsigned mask, int value,
                                                       int delta) {
  return __nvvm_shfl_sync_down_i32(mask, value, delta, 31);
}
static __device__ __forceinline__ float __shfl_xor_sync(unsigned mask, float value,
                                                        int lanes) {
  return __nvvm_shfl_sync_bfly_f32(mask, value, lanes, 31);
}
static __device__ __forceinline__ int __shfl_up_sync(unsigned mask, int value,
                                                     int delta) {
  return __nvvm_shfl_sync_up_i32(mask, value, delta, 0);
}
static __device__ __forceinline__ unsigned __ballot_sync(unsigned mask, bool vote) {
  return __nvvm_vote_ballot_sync(mask, vote);
}

static __device__ __forceinline__ int atomicAdd(int *p, int v) {
  return __nvvm_atom_add_gen_i(p, v);
}
static __device__ __forceinline__ unsigned atomicAdd(unsigned *p, unsigned v) {
  return __nvvm_atom_add_gen_i((int *)p, (int)v);
}
static __device__ __forceinline__ float atomicAdd(float *p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}
static __device__ __forceinline__ int atomicMax(int *p, int v) {
  return __nvvm_atom_max_gen_i(p, v);
}
static __device__ __forceinline__ unsigned long long
atomicCAS(unsigned long long *p, unsigned long long expected,
          unsigned long long desired) {
  return __nvvm_atom_cas_gen_ll((long long *)p, (long long)expected,
                                (long long)desired);
}

struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
