// In place of the toolkit's header, which clang includes: matches of a warp.
#pragma once

#define NVVM_XDSL_MATCH(type, bits, integer)                                   \
  inline __device__ unsigned __match_any_sync(unsigned mask, type v) {         \
    return __match##bits##_any_sync(mask, __builtin_bit_cast(integer, v));     \
  }                                                                            \
  inline __device__ unsigned __match_all_sync(unsigned mask, type v,           \
                                              int *same) {                     \
    return __match##bits##_all_sync(mask, __builtin_bit_cast(integer, v),      \
                                    same);                                     \
  }
NVVM_XDSL_MATCH(int, 32, unsigned)
NVVM_XDSL_MATCH(unsigned, 32, unsigned)
NVVM_XDSL_MATCH(float, 32, unsigned)
NVVM_XDSL_MATCH(long long, 64, unsigned long long)
NVVM_XDSL_MATCH(unsigned long long, 64, unsigned long long)
NVVM_XDSL_MATCH(double, 64, unsigned long long)

inline __device__ void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }
