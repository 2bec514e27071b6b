// Kernels with loops, for bench_quality.py: products, stencils and sums as PolyBench has them, and loops
// that test their counter, count bits and fill memory. To .ll for it:
//
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O2 \
//       -Xclang -disable-llvm-passes -S -emit-llvm loop_kernels.cu -o loop_kernels.ll
#define KERNEL extern "C" __attribute__((global))
struct float2 { float x, y; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
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
KERNEL void gemm_tn(const float *__restrict a, const float *__restrict b, float *__restrict c, int n) { int i = gid(); for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += a[k*n+i] * b[k*n+j]; c[i*n+j] = s; } }
KERNEL void gemm_nt(const float *__restrict a, const float *__restrict b, float *__restrict c, int n) { int i = gid(); for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += a[i*n+k] * b[j*n+k]; c[i*n+j] = s; } }
KERNEL void gemm_tt(const float *__restrict a, const float *__restrict b, float *__restrict c, int n) { int i = gid(); for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += a[k*n+i] * b[j*n+k]; c[i*n+j] = s; } }
KERNEL void stencil3d(const float *__restrict in, float *__restrict out, int n) { int x = tid() % 4 + 1, y = tid() / 4 % 4 + 1; for (int z = 1; z < n - 1; z++) { int at = (z * n + y) * n + x; out[at] = in[at] * 0.5f + (in[at-1] + in[at+1] + in[at-n] + in[at+n] + in[at-n*n] + in[at+n*n]) * 0.1f; } }
KERNEL void trisolve(const float *__restrict l, float *x, int n) { int i = gid(); for (int j = 0; j < n; j++) { float s = x[i*n+j]; for (int k = 0; k < j; k++) s -= l[j*n+k] * x[i*n+k]; x[i*n+j] = s / l[j*n+j]; } }
KERNEL void fft(float2 *data, const float2 *__restrict roots) { int t = tid(); for (int half = 1; half < 64; half *= 2) { int k = t & (half - 1), i = 2 * t - k, j = i + half; float2 w = roots[k * (32 / half)], a = data[i], b = data[j]; float2 c = {b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x}; data[i].x = a.x + c.x; data[i].y = a.y + c.y; data[j].x = a.x - c.x; data[j].y = a.y - c.y; __nvvm_bar_sync(0); } }
KERNEL void bitonic(int *data) { int t = tid(); for (int k = 2; k <= 32; k *= 2) for (int j = k / 2; j > 0; j /= 2) { int o = t ^ j; if (o > t) { int a = data[t], b = data[o]; if ((a > b) == ((t & k) == 0)) { data[t] = b; data[o] = a; } } __nvvm_bar_sync(0); } }
KERNEL void oddeven(int *data) { int v[8], i = gid(); for (int j = 0; j < 8; j++) v[j] = data[i*8+j]; for (int k = 0; k < 8; k++) for (int j = k & 1; j + 1 < 8; j += 2) if (v[j] > v[j+1]) { int x = v[j]; v[j] = v[j+1]; v[j+1] = x; } for (int j = 0; j < 8; j++) data[i*8+j] = v[j]; }
KERNEL void montecarlo(const unsigned *__restrict seeds, int *__restrict hits, int n) { int i = gid(), h = 0; unsigned s = seeds[i] | 1; for (int j = 0; j < n; j++) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; float x = (s & 0xffff) * (1.0f / 65536), y = (s >> 16) * (1.0f / 65536); if (x * x + y * y < 1.0f) h++; } hits[i] = h; }
KERNEL void match(const char *__restrict text, const char *__restrict word, int *__restrict found, int n, int m) { int i = gid(), c = 0; for (int j = 0; j < n; j++) { int k = 0; while (k < m && text[i*n+j+k] == word[k]) k++; c += k == m; } found[i] = c; }
KERNEL void lcs(const char *__restrict a, const char *__restrict b, short *row, int n) { int i = gid(); for (int j = 0; j < n; j++) { short left = 0, diagonal = 0; for (int k = 0; k < n; k++) { short up = row[i*n+k]; short best = a[i*n+j] == b[k] ? diagonal + 1 : (up > left ? up : left); diagonal = up; left = best; row[i*n+k] = best; } } }
KERNEL void bodies(const float4 *__restrict p, float *__restrict force, int n) { int i = gid(); float4 me = p[i]; float x = 0, y = 0, z = 0; for (int j = 0; j < n; j++) { float4 o = p[j]; float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z; float d = dx*dx + dy*dy + dz*dz + 0.01f; float f = o.w * __nvvm_rsqrt_approx_f(d * d * d); x += dx * f; y += dy * f; z += dz * f; } force[i*3] = x; force[i*3+1] = y; force[i*3+2] = z; }
__attribute__((constant)) float window[5][5] = {{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};
KERNEL void conv5x5(const float *__restrict in, float *__restrict out, int n) { int x = tid(); for (int y = 0; y < n; y++) { float s = 0; for (int j = 0; j < 5; j++) for (int k = 0; k < 5; k++) s += window[j][k] * in[(y + j) * (n + 4) + x + k]; out[y * n + x] = s * (1.0f / 256); } }
KERNEL void prefix(const int *__restrict in, int *__restrict out, int n) { int i = gid(), s = 0; for (int j = 0; j < n; j++) { s += in[i*n+j]; out[i*n+j] = s; } }
KERNEL void reduce2(const float *__restrict a, const float *__restrict b, float *__restrict out, int n) { int i = gid(); float dot = 0, most = 0; for (int j = i; j < n * 32; j += 32) { dot += a[j] * b[j]; most = a[j] > most ? a[j] : most; } out[i*2] = dot; out[i*2+1] = most; }
__attribute__((constant)) int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
__attribute__((constant)) int cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
__attribute__((constant)) int cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
// One step of lattice Boltzmann, D3Q19, on a torus of 4 x 4 x 4 cells: 19 distributions in a local array.
KERNEL void boltzmann(const float *__restrict in, float *__restrict out, float omega) {
  int c = gid() % 64, x = c % 4, y = c / 4 % 4, z = c / 16;
  float f[19], rho = 0, ux = 0, uy = 0, uz = 0;
  for (int d = 0; d < 19; d++) f[d] = in[d * 64 + c];
  for (int d = 0; d < 19; d++) { rho += f[d]; ux += f[d] * cx[d]; uy += f[d] * cy[d]; uz += f[d] * cz[d]; }
  ux /= rho; uy /= rho; uz /= rho;
  for (int d = 0; d < 19; d++) {
    float cu = cx[d] * ux + cy[d] * uy + cz[d] * uz, w = d == 0 ? 1.0f / 3 : d < 7 ? 1.0f / 18 : 1.0f / 36;
    f[d] -= omega * (f[d] - w * rho * (1 + 3 * cu + 4.5f * cu * cu - 1.5f * (ux * ux + uy * uy + uz * uz)));
  }
  for (int d = 0; d < 19; d++) out[d * 64 + ((z + cz[d]) & 3) * 16 + ((y + cy[d]) & 3) * 4 + ((x + cx[d]) & 3)] = f[d];
}
