// Cooperative groups without a CUDA toolkit: blocks, tiles of a warp, and the grid without its barrier.
#pragma once
#include "cuda_min.h"

namespace cooperative_groups {

class thread_block {
public:
  NVVM_XDSL_FUNCTION void sync() { __syncthreads(); }
  NVVM_XDSL_FUNCTION dim3 group_index() { return blockIdx; }
  NVVM_XDSL_FUNCTION dim3 thread_index() { return threadIdx; }
  NVVM_XDSL_FUNCTION dim3 group_dim() { return blockDim; }
  NVVM_XDSL_FUNCTION dim3 dim_threads() { return blockDim; }
  NVVM_XDSL_FUNCTION unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  NVVM_XDSL_FUNCTION unsigned num_threads() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  NVVM_XDSL_FUNCTION unsigned size() { return num_threads(); }
};
NVVM_XDSL_FUNCTION thread_block this_thread_block() { return {}; }

class grid_group {
public:
  NVVM_XDSL_FUNCTION dim3 group_dim() { return gridDim; }
  NVVM_XDSL_FUNCTION dim3 dim_blocks() { return gridDim; }
  NVVM_XDSL_FUNCTION unsigned long long block_rank() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  NVVM_XDSL_FUNCTION unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  NVVM_XDSL_FUNCTION unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() +
           thread_block::thread_rank();
  }
  NVVM_XDSL_FUNCTION unsigned long long num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  NVVM_XDSL_FUNCTION unsigned long long size() { return num_threads(); }
};
NVVM_XDSL_FUNCTION grid_group this_grid() { return {}; }

template <unsigned Size, typename Parent = thread_block>
class thread_block_tile {
  static_assert(Size <= 32 && !(Size & (Size - 1)),
                "a tile has 1, 2, 4, 8, 16 or 32 threads");
  NVVM_XDSL_FUNCTION unsigned mask() {
    unsigned lane = thread_block::thread_rank() % 32;
    return (~0u >> (32 - Size)) << (lane / Size * Size);
  }
  NVVM_XDSL_FUNCTION unsigned local(unsigned lanes) {
    return lanes >> (__ffs(mask()) - 1);
  }

public:
  NVVM_XDSL_FUNCTION void sync() { __syncwarp(mask()); }
  NVVM_XDSL_FUNCTION unsigned thread_rank() {
    return thread_block::thread_rank() % Size;
  }
  NVVM_XDSL_FUNCTION constexpr unsigned num_threads() { return Size; }
  NVVM_XDSL_FUNCTION constexpr unsigned size() { return Size; }
  NVVM_XDSL_FUNCTION unsigned meta_group_rank() {
    return thread_block::thread_rank() / Size;
  }
  NVVM_XDSL_FUNCTION unsigned meta_group_size() {
    return (thread_block::num_threads() + Size - 1) / Size;
  }
  template <typename T> NVVM_XDSL_FUNCTION T shfl(T v, int rank) {
    return __shfl_sync(mask(), v, rank, Size);
  }
  template <typename T> NVVM_XDSL_FUNCTION T shfl_down(T v, unsigned delta) {
    return __shfl_down_sync(mask(), v, delta, Size);
  }
  template <typename T> NVVM_XDSL_FUNCTION T shfl_up(T v, unsigned delta) {
    return __shfl_up_sync(mask(), v, delta, Size);
  }
  template <typename T> NVVM_XDSL_FUNCTION T shfl_xor(T v, unsigned lanes) {
    return __shfl_xor_sync(mask(), v, lanes, Size);
  }
  NVVM_XDSL_FUNCTION int any(int vote) { return local(ballot_of(vote)) != 0; }
  NVVM_XDSL_FUNCTION int all(int vote) { return ballot_of(vote) == mask(); }
  NVVM_XDSL_FUNCTION unsigned ballot(int vote) {
    return local(ballot_of(vote));
  }

private:
  NVVM_XDSL_FUNCTION unsigned ballot_of(int vote) {
    return __ballot_sync(mask(), vote) & mask();
  }
};

template <unsigned Size, typename Parent>
NVVM_XDSL_FUNCTION thread_block_tile<Size, Parent>
tiled_partition(const Parent &) {
  return {};
}

class coalesced_group {
  unsigned mask;

public:
  __device__ __forceinline__ coalesced_group() : mask(__activemask()) {}
  __device__ __forceinline__ void sync() const { __syncwarp(mask); }
  __device__ __forceinline__ unsigned num_threads() const {
    return __popc(mask);
  }
  __device__ __forceinline__ unsigned size() const { return __popc(mask); }
  __device__ __forceinline__ unsigned thread_rank() const {
    return __popc(mask & ((1u << (thread_block::thread_rank() % 32)) - 1));
  }
};
NVVM_XDSL_FUNCTION coalesced_group coalesced_threads() { return {}; }

template <typename Group> NVVM_XDSL_FUNCTION void sync(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups
