// CUDA C++ without a CUDA toolkit: clang's own headers, and declarations that they expect from NVIDIA's. With
// a toolkit's headers, or under nvcc, this file is empty. Source archives have copies of it, which `#pragma once` would
// include twice.
#ifndef NVVM_XDSL_CUDA_MIN_H
#define NVVM_XDSL_CUDA_MIN_H
#if !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__) && !defined(__NVCC__)

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict

// The CUDA release whose functions clang's headers declare.
#ifndef CUDA_VERSION
#define CUDA_VERSION 12090
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION CUDA_VERSION
#endif

#if __has_include(<cmath>)
#include <__clang_cuda_math_forward_declares.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#else
typedef __SIZE_TYPE__ size_t;
#endif

#define NVVM_XDSL_FUNCTION static __device__ __forceinline__
#define NVVM_XDSL_BOTH static __host__ __device__ __forceinline__

// Vector types: NAME1 to NAME4 of an element, with the alignments of CUDA.
#define NVVM_XDSL_VECTORS(name, type, align2, align4)                          \
  struct name##1 {                                                             \
    type x;                                                                    \
  };                                                                           \
  struct __align__(align2) name##2 {                                           \
    type x, y;                                                                 \
  };                                                                           \
  struct name##3 {                                                             \
    type x, y, z;                                                              \
  };                                                                           \
  struct __align__(align4) name##4 {                                           \
    type x, y, z, w;                                                           \
  };                                                                           \
  NVVM_XDSL_BOTH name##1 make_##name##1(type x) { return {x}; }                \
  NVVM_XDSL_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }     \
  NVVM_XDSL_BOTH name##3 make_##name##3(type x, type y, type z) {              \
    return {x, y, z};                                                          \
  }                                                                            \
  NVVM_XDSL_BOTH name##4 make_##name##4(type x, type y, type z, type w) {      \
    return {x, y, z, w};                                                       \
  }
NVVM_XDSL_VECTORS(char, signed char, 2, 4)
NVVM_XDSL_VECTORS(uchar, unsigned char, 2, 4)
NVVM_XDSL_VECTORS(short, short, 4, 8)
NVVM_XDSL_VECTORS(ushort, unsigned short, 4, 8)
NVVM_XDSL_VECTORS(int, int, 8, 16)
NVVM_XDSL_VECTORS(uint, unsigned, 8, 16)
NVVM_XDSL_VECTORS(long, long, 16, 16)
NVVM_XDSL_VECTORS(ulong, unsigned long, 16, 16)
NVVM_XDSL_VECTORS(longlong, long long, 16, 16)
NVVM_XDSL_VECTORS(ulonglong, unsigned long long, 16, 16)
NVVM_XDSL_VECTORS(float, float, 8, 16)
NVVM_XDSL_VECTORS(double, double, 16, 16)

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#if __has_include(<cmath>)
#include <__clang_cuda_cmath.h>
#endif
// Declarations that clang's next header expects from the toolkit.
typedef unsigned cuuint32_t;
NVVM_XDSL_FUNCTION size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(void __attribute__((address_space(3))) *)p;
}
NVVM_XDSL_FUNCTION unsigned __isShared(const void *p) {
  return __nvvm_isspacep_shared(p);
}
NVVM_XDSL_FUNCTION unsigned __isGlobal(const void *p) {
  return __nvvm_isspacep_global(p);
}
NVVM_XDSL_FUNCTION unsigned __isConstant(const void *p) {
  return __nvvm_isspacep_const(p);
}
NVVM_XDSL_FUNCTION unsigned __isLocal(const void *p) {
  return __nvvm_isspacep_local(p);
}
#include <__clang_cuda_intrinsics.h>

// The conversions that clang's header declares.
#define NVVM_XDSL_INDEX(name)                                                  \
  inline __device__ __cuda_builtin_##name##_t::operator dim3() const {         \
    return dim3(x, y, z);                                                      \
  }                                                                            \
  inline __device__ __cuda_builtin_##name##_t::operator uint3() const {        \
    return {x, y, z};                                                          \
  }
NVVM_XDSL_INDEX(threadIdx)
NVVM_XDSL_INDEX(blockIdx)
NVVM_XDSL_INDEX(blockDim)
NVVM_XDSL_INDEX(gridDim)

// Atomic functions: relaxed, as CUDA defines them. clang 22 makes its builtins __nvvm_atom_* sequentially consistent.
#define NVVM_XDSL_ATOMIC(name, type, builtin)                                  \
  NVVM_XDSL_FUNCTION type name(type *p, type v) {                              \
    return builtin(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);             \
  }                                                                            \
  NVVM_XDSL_FUNCTION type name##_block(type *p, type v) {                      \
    return builtin(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);             \
  }                                                                            \
  NVVM_XDSL_FUNCTION type name##_system(type *p, type v) {                     \
    return builtin(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);             \
  }
#define NVVM_XDSL_ATOMIC_INTEGER(type)                                         \
  NVVM_XDSL_ATOMIC(atomicAdd, type, __scoped_atomic_fetch_add)                 \
  NVVM_XDSL_ATOMIC(atomicSub, type, __scoped_atomic_fetch_sub)                 \
  NVVM_XDSL_ATOMIC(atomicMin, type, __scoped_atomic_fetch_min)                 \
  NVVM_XDSL_ATOMIC(atomicMax, type, __scoped_atomic_fetch_max)                 \
  NVVM_XDSL_ATOMIC(atomicAnd, type, __scoped_atomic_fetch_and)                 \
  NVVM_XDSL_ATOMIC(atomicOr, type, __scoped_atomic_fetch_or)                   \
  NVVM_XDSL_ATOMIC(atomicXor, type, __scoped_atomic_fetch_xor)                 \
  NVVM_XDSL_ATOMIC(atomicExch, type, __scoped_atomic_exchange_n)               \
  NVVM_XDSL_ATOMIC_CAS(atomicCAS, type, __MEMORY_SCOPE_DEVICE)                 \
  NVVM_XDSL_ATOMIC_CAS(atomicCAS_block, type, __MEMORY_SCOPE_WRKGRP)           \
  NVVM_XDSL_ATOMIC_CAS(atomicCAS_system, type, __MEMORY_SCOPE_SYSTEM)
#define NVVM_XDSL_ATOMIC_CAS(name, type, scope)                                \
  NVVM_XDSL_FUNCTION type name(type *p, type expected, type desired) {         \
    __scoped_atomic_compare_exchange_n(p, &expected, desired, false,           \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       scope);                                 \
    return expected;                                                           \
  }
NVVM_XDSL_ATOMIC_INTEGER(int)
NVVM_XDSL_ATOMIC_INTEGER(unsigned)
NVVM_XDSL_ATOMIC_INTEGER(long long)
NVVM_XDSL_ATOMIC_INTEGER(unsigned long long)
NVVM_XDSL_ATOMIC(atomicAdd, float, __scoped_atomic_fetch_add)
NVVM_XDSL_ATOMIC(atomicAdd, double, __scoped_atomic_fetch_add)
NVVM_XDSL_FUNCTION float atomicExch(float *p, float v) {
  return __int_as_float(atomicExch((int *)p, __float_as_int(v)));
}
NVVM_XDSL_FUNCTION unsigned atomicInc(unsigned *p, unsigned v) {
  return __nvvm_atom_inc_gen_ui(p, v);
}
NVVM_XDSL_FUNCTION unsigned atomicDec(unsigned *p, unsigned v) {
  return __nvvm_atom_dec_gen_ui(p, v);
}

// min and max in CUDA's global namespace, and their other names.
#define NVVM_XDSL_MIN_MAX(type)                                                \
  NVVM_XDSL_BOTH type min(type a, type b) { return b < a ? b : a; }            \
  NVVM_XDSL_BOTH type max(type a, type b) { return a < b ? b : a; }
NVVM_XDSL_MIN_MAX(unsigned)
NVVM_XDSL_MIN_MAX(long)
NVVM_XDSL_MIN_MAX(unsigned long)
NVVM_XDSL_MIN_MAX(unsigned long long)

// The host interface: declarations for parsing a file with host code. No host code is generated.
typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2
} cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     void *stream = nullptr);
unsigned cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                           cudaStream_t stream = nullptr);
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaMallocHost(void **p, size_t bytes);
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags = 1);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemset(void *p, int value, size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
__device__ int vprintf(const char *format, void *arguments);
}
template <typename T> cudaError_t cudaMalloc(T **p, size_t bytes) {
  return cudaMalloc((void **)p, bytes);
}
template <typename T> cudaError_t cudaMallocHost(T **p, size_t bytes) {
  return cudaMallocHost((void **)p, bytes);
}
template <typename T> cudaError_t cudaMallocManaged(T **p, size_t bytes) {
  return cudaMallocManaged((void **)p, bytes);
}
template <typename T> cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes);
template <typename T> cudaError_t cudaMemcpyFromSymbol(void *to, T &symbol, size_t bytes);
extern "C" __device__ int printf(const char *format, ...);

#endif
#endif
