// Reductions of a tile of a warp without a CUDA toolkit.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

#define NVVM_XDSL_OPERATION(name, expression)                                  \
  template <typename T> struct name {                                          \
    __host__ __device__ __forceinline__ T operator()(T a, T b) const {         \
      return expression;                                                       \
    }                                                                          \
  };
NVVM_XDSL_OPERATION(plus, a + b)
NVVM_XDSL_OPERATION(less, b < a ? b : a)
NVVM_XDSL_OPERATION(greater, a < b ? b : a)
NVVM_XDSL_OPERATION(bit_and, a & b)
NVVM_XDSL_OPERATION(bit_or, a | b)
NVVM_XDSL_OPERATION(bit_xor, a ^ b)

template <unsigned Size, typename Parent, typename T, typename Operation>
NVVM_XDSL_FUNCTION T reduce(const thread_block_tile<Size, Parent> &tile, T v,
                            Operation &&operation) {
#pragma unroll
  for (unsigned lanes = Size / 2; lanes; lanes /= 2)
    v = operation(v, tile.shfl_xor(v, lanes));
  return v;
}

} // namespace cooperative_groups
