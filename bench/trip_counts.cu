// Kinds of loops for bench_trip_counts.py. A thread runs n iterations.
//
//   clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O2 \
//       -Xclang -disable-llvm-passes -S -emit-llvm trip_counts.cu -o trip_counts.ll
#define KERNEL extern "C" __attribute__((global))
#define ARGUMENTS const float *a, const float *b, const int *c, float *out, int *counts, int n
#define NO_ALIAS const float *__restrict a, const float *__restrict b, const int *__restrict c, float *__restrict out, int *__restrict counts, int n
#ifdef __NVCC__
#define TID threadIdx.x
#define NTID blockDim.x
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#else
#define TID __nvvm_read_ptx_sreg_tid_x()
#define NTID __nvvm_read_ptx_sreg_ntid_x()
#define ATOMIC_ADD(p, v) __nvvm_atom_add_gen_i(p, v)
#endif
KERNEL void sum(NO_ALIAS) { int t = TID; float s = 0; for (int i = 0; i < n; i++) s += a[i * 32 + t]; out[t] = s; }
KERNEL void warp_stride(NO_ALIAS) { int t = TID; float s = 0; for (int i = t; i < n * 32; i += 32) s += a[i]; out[t] = s; }
KERNEL void block_stride(NO_ALIAS) { int t = TID; float s = 0; for (int i = t; i < n * 32; i += NTID) s += a[i]; out[t] = s; }
KERNEL void dot(NO_ALIAS) { int t = TID; float s = 0; for (int i = 0; i < n; i++) s += a[i * 32 + t] * b[i]; out[t] = s; }
KERNEL void copy(NO_ALIAS) { int t = TID; for (int i = 0; i < n; i++) out[i * 32 + t] = a[i * 32 + t] + 1; }
KERNEL void copy_may_alias(ARGUMENTS) { int t = TID; for (int i = 0; i < n; i++) out[i * 32 + t] = a[i * 32 + t] + 1; }
KERNEL void gather(NO_ALIAS) { int t = TID; float s = 0; for (int i = 0; i < n; i++) s += a[c[i * 32 + t]]; out[t] = s; }
KERNEL void down(NO_ALIAS) { int t = TID; float s = 0; for (int i = n - 1; i >= 0; i--) s = s * 0.5f + a[i * 32 + t]; out[t] = s; }
KERNEL void row(NO_ALIAS) { int t = TID, begin = c[t & 1], end = c[2 + (t & 1)]; float s = 0; for (int i = begin; i < end; i++) s += a[i] * b[c[i]]; out[t] = s; }
KERNEL void search(NO_ALIAS) { int t = TID, i; for (i = 0; i < n; i++) if (a[i * 32 + t] < 0) break; counts[t] = i; }
KERNEL void atomics(NO_ALIAS) { int t = TID; for (int i = 0; i < n; i++) ATOMIC_ADD(&counts[i * 32 + t], i); }
KERNEL void guarded(NO_ALIAS) { int t = TID; float s = 0; for (int i = 0; i < n; i++) if (c[i * 32 + t] & 1) s += a[i * 32 + t]; out[t] = s; }
KERNEL void stencil(NO_ALIAS) { int t = TID; for (int i = 0; i < n; i++) { int at = i * 32 + t; out[at] = 0.5f * a[at] + 0.25f * (a[at + 1] + a[at + 2]) + 0.125f * (a[at + 32] + a[at + 64]) + b[at] * b[at + 1]; } }
