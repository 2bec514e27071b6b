// Kernels with loops, for bench_quality.py: products, stencils and sums as PolyBench has them, and loops
// that test their counter, count bits and fill memory. To .ll for it:
//
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O2 \
//       -Xclang -disable-llvm-passes -S -emit-llvm loop_kernels.cu -o loop_kernels.ll
#define KERNEL extern "C" __attribute__((global))
__attribute__((device)) static inline int tid() { return __nvvm_read_ptx_sreg_tid_x(); }
__attribute__((device)) static inline int bid() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__attribute__((device)) static inline int gid() { return bid() * 32 + tid(); }
KERNEL void gemm(float *a, float *b, float *c, int n) { int i = gid(); for (int j = 0; j < n; j++) { c[i*n+j] = 0; for (int k = 0; k < n; k++) c[i*n+j] += a[i*n+k] * b[k*n+j]; } }
KERNEL void gemm_r(float *__restrict a, float *__restrict b, float *__restrict c, int n) { int i = gid(); for (int j = 0; j < n; j++) { c[i*n+j] = 0; for (int k = 0; k < n; k++) c[i*n+j] += a[i*n+k] * b[k*n+j]; } }
KERNEL void atax_r(const float *__restrict a, const float *__restrict x, float *__restrict y, int n) { int i = gid(); for (int j = 0; j < n; j++) y[i] += a[i*n+j] * x[j]; }
KERNEL void mvt(float *a, float *x, float *y, int n) { int i = gid(); for (int j = 0; j < n; j++) x[i] += a[j*n+i] * y[j]; }
KERNEL void jacobi(const float *__restrict in, float *__restrict out, float *__restrict coef, int n) { int i = gid() + 1; for (int j = 1; j < n - 1; j++) out[i*n+j] = coef[0]*in[i*n+j] + coef[1]*(in[i*n+j-1]+in[i*n+j+1]) + coef[2]*(in[(i-1)*n+j]+in[(i+1)*n+j]); }
KERNEL void syrk_r(const float *__restrict a, float *__restrict c, float alpha, float beta, int n) { int i = gid(); for (int j = 0; j <= i % n; j++) { c[i*n+j] *= beta; for (int k = 0; k < n; k++) c[i*n+j] += alpha * a[i*n+k] * a[j*n+k]; } }
KERNEL void hist_r(const int *__restrict in, int *__restrict bins, int *__restrict count, int n) { int i = gid(); for (int j = 0; j < n; j++) { bins[i*16 + (in[i*n+j]&15)]++; count[i] += in[j] > 3; } }
KERNEL void search(const int *__restrict in, const int *__restrict what, int *__restrict out, int n) { int i = gid(); out[i] = -1; for (int j = 0; j < n; j++) if (in[i*n+j] == what[i]) { out[i] = j; break; } }
KERNEL void conv(const float *__restrict in, float *__restrict out, const float *__restrict w, int n, int r) { int i = gid(); for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < r; k++) s += w[k] * in[i*n+j+k]; out[i*n+j] = s; } }
__attribute__((shared)) float tile[32];
KERNEL void tiled(const float *__restrict in, float *__restrict out, const float *__restrict scale, int n) { int t = tid(); float s = 0; for (int j = 0; j < n; j++) { tile[t] = in[j*32+t]; __nvvm_bar_sync(0); for (int k = 0; k < 32; k++) s += tile[k] * scale[t]; __nvvm_bar_sync(0); } out[gid()] = s; }
KERNEL void spmv(const int *__restrict rows, const int *__restrict cols, const float *__restrict vals, const float *__restrict x, float *__restrict y) { int i = gid() % 8; for (int j = rows[i] & 7; j < (rows[i+1] & 15); j++) y[gid()] += vals[j] * x[cols[j] & 15]; }
KERNEL void seidel(float *a, int n) { int i = gid(); for (int t = 0; t < 3; t++) for (int j = 1; j < n - 1; j++) a[i*n+j] = (a[i*n+j-1] + a[i*n+j] + a[i*n+j+1]) * 0.333f; }
KERNEL void first(const float *__restrict in, float *__restrict out, int n) { int i = gid(); float s = 0; for (int j = 0; j < n; j++) { if (j == 0) s = in[i*n]; else s = s * 0.5f + in[i*n+j]; out[i*n+j] = s; } }
KERNEL void edge(const float *__restrict in, float *__restrict out, int n) { int i = gid(); for (int j = 0; j < n; j++) { if (j < 3) out[i*n+j] = in[i*n+j]; else out[i*n+j] = in[i*n+j] + in[i*n+j-1] + in[i*n+j-2] + in[i*n+j-3]; } }
KERNEL void pick(const float *__restrict in, float *__restrict out, int n) { int i = gid(); for (int j = 0; j < n; j++) if (j == 7) out[i] = in[i*n+j]; }
KERNEL void clamp(const float *__restrict in, float *__restrict out, int n) { int i = gid(); float s = 0; for (int j = 0; j < 64; j++) { int k = j < 8 ? 0 : j - 8; s += in[k] * in[j]; } out[i] = s; }
KERNEL void bits(const unsigned *__restrict in, unsigned *__restrict out) { int i = gid(); unsigned x = in[i]; int c = 0; while (x) { x &= x - 1; c++; } unsigned y = in[i+1]; int l = 0; while (y >>= 1) l++; out[i] = c * 100 + l; }
KERNEL void fill(char *out, int n) { char tmp[128]; int i = gid(); for (int j = 0; j < 128; j++) tmp[j] = 0; for (int j = 0; j < n; j++) tmp[(i + j * 5) & 127] += j; int s = 0; for (int j = 0; j < 128; j++) s += tmp[j]; out[i] = s; }
