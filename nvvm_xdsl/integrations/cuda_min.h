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

// CUDA's atomic functions are relaxed. clang 22 makes its builtins __nvvm_atom_* sequentially consistent.
#define ATOMIC_FUNCTION(name, type, builtin)                                   \
  static __device__ __forceinline__ type name(type *p, type v) {               \
    return builtin(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);             \
  }
ATOMIC_FUNCTION(atomicAdd, int, __scoped_atomic_fetch_add)
ATOMIC_FUNCTION(atomicAdd, unsigned, __scoped_atomic_fetch_add)
ATOMIC_FUNCTION(atomicAdd, float, __scoped_atomic_fetch_add)
ATOMIC_FUNCTION(atomicMax, int, __scoped_atomic_fetch_max)
static __device__ __forceinline__ unsigned long long
atomicCAS(unsigned long long *p, unsigned long long expected,
          unsigned long long desired) {
  __scoped_atomic_compare_exchange_n(p, &expected, desired, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  return expected;
}

struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
