// Part of shared_overflow.cu.
#pragma once

static __device__ __forceinline__ void put(float *tile, int at, float value) {
  tile[at] = value;
}
