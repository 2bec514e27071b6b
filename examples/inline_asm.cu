// Inline PTX.
#include "cuda_min.h"

__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ __forceinline__ unsigned long long clock_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

extern "C" __global__ void inline_ptx(const float *in, float *out, unsigned long long *time) {
  unsigned long long start = clock_now();
  float x = in[threadIdx.x], y;
  asm("{\n\t.reg .f32 t;\n\tadd.f32 t, %1, %1;\n\tfma.rn.f32 %0, t, %2, %1;\n\t}"
      : "=f"(y)
      : "f"(x), "f"(2.5f));
  unsigned all;
  asm volatile("vote.sync.ballot.b32 %0, %1, %2;" : "=r"(all) : "n"(1), "r"(0xffffffffu));
  asm volatile("bar.sync 0;" ::: "memory");
  out[threadIdx.x] = y + lane_id();
  time[threadIdx.x] = clock_now() - start;
}
