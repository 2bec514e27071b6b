// Ordinary CUDA C++ in unusual combinations, for tests of whole pipelines. The generated idioms.ll is clang's output
// without LLVM's passes:
//
//     clang-22 -x cuda --target=x86_64-linux-gnu --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -std=c++17
//       -O2 -Xclang -disable-llvm-passes -Wno-unknown-cuda-version -w -Invvm_xdsl/driver/cuda_headers -S -emit-llvm
//       test/corpus/idioms.cu -o test/corpus/idioms.ll
#include "cuda_min.h"

#define KERNEL extern "C" __global__ void
typedef unsigned char u8;
typedef unsigned long long u64;

// A switch in a loop, with fall through, a range, continue, and goto out of the loop.
KERNEL cases(int *out, const int *in, int n) {
  int i = threadIdx.x, r = 0;
  for (int k = 0; k < 8; k++) {
    int v = (in[i] >> (k * 3)) - k;
    switch (v & 31) {
    case 0:
      r += 1;
    case 1:
      r ^= 0x55;
      break;
    case 2:
    case 3:
    case 5:
      r = r * 3 + (v & 255);
      break;
    case 8:
      if (r & 1) {
        r >>= 1;
        break;
      }
      r = -r;
    case 9:
      r += k;
      continue;
    case 12:
      goto end;
    case 20 ... 26:
      r ^= v << 4;
      break;
    case 31:
      r = ~r;
    default:
      r += 2;
    }
    r = (int)((unsigned)r << 1 | (unsigned)r >> 31) & 0xffffff;
  }
end:
  out[i] = r;
}

// Jumps into loops: an irreducible graph.
KERNEL jumps(int *out, const int *in, int n) {
  int i = threadIdx.x, s = 0, left = 60;
  unsigned x = in[i];
  if (x & 1)
    goto b;
a:
  s += x & 7;
  x >>= 1;
  if (--left < 0)
    goto end;
  if (x & 2)
    goto c;
b:
  s ^= 3;
  x = x * 5 + 1;
  if (--left < 0)
    goto end;
  if (x & 4)
    goto a;
  else if (x & 8)
    goto d;
c:
  s = s * 2 + 1 & 0xffff;
  if (--left < 0)
    goto end;
  if ((x ^ s) & 16)
    goto b;
d:
  s -= x & 3;
  x = x >> 3 | x << 29;
  if (--left > 0 && (s & 3))
    goto a;
end:
  out[i] = s ^ x;
}

// Nested loops whose stores and loads depend on earlier iterations.
KERNEL carried(int *out, const int *in, int n) {
  int i = threadIdx.x, m = in[i] & 7, p = in[(i + 1) % n] & 7, last = 0;
  int *o = out + i * 32;
  for (int a = 0; a < m; a++) {
    int sum = last;
    for (int b = a; b < p; b++) {
      sum += o[(a + b) & 31] + b;
      o[(b * a + 1) & 31] = sum;
      if (sum & 64)
        break;
    }
    o[a] += sum;
    last = o[(a + 7) & 31];
  }
  o[31] += last;
}

struct Part {
  char a;
  int b;
  short c;
  double d;
  char e[3];
};
struct Whole {
  union {
    float f;
    int k;
    u8 bytes[4];
    struct {
      short low, high;
    } h;
  } u;
  Part p[2];
};

// Type punning through a union and through bytes, and pointers into a local struct.
KERNEL puns(int *out, const int *in, int n) {
  int i = threadIdx.x;
  Whole q = {};
  q.u.f = in[i] * 0.25f;
  q.u.bytes[1] = in[i] >> 5;
  int k = q.u.k;
  q.u.h.high ^= q.u.h.low;
  q.p[0].b = k;
  q.p[0].d = in[i] * 2.0;
  q.p[1] = q.p[0];
  q.p[1].e[2] = (char)in[i];
  q.p[in[i] & 1].c = 7;
  Part *part = &q.p[in[i] >> 1 & 1];
  part->b ^= 5;
  part->a = q.p[0].c;
  u8 *raw = (u8 *)&q.p[1].d;
  int r = raw[7] * 256 + raw[6];
  u64 bits;
  __builtin_memcpy(&bits, &q.p[0].d, 8);
  r ^= bits >> 40;
  out[i] = (q.u.k ^ k ^ q.p[0].b ^ q.p[1].b >> 1) & 0xfffffff;
  out[i] += q.p[1].a * 7 + q.p[0].c * 9 + q.p[1].c * 11 + q.p[1].e[2] + r;
}

// Overlapping copies, and stores between equal stores through pointers that may be equal.
KERNEL overlaps(int *p, int *q, int n) {
  if (threadIdx.x)
    return;
  int *r = p + (q[0] & 7), s = 0;
  __builtin_memmove(p + 3, p, 40);
  for (int k = 0; k < 12; k++)
    p[k + 20] = p[k + 18];
  for (int k = 10; k >= 0; k--)
    p[k + 12] = p[k + 10] + 1;
  for (int k = 0; k < 15; k++) {
    r[k] = p[k] + s;
    s += p[k + 1] & 255;
    if (r[k + 2] > 5)
      p[k + 3] = s;
    *q = s;
    s += (q[0] - q[1]) & 15;
    q[2] = k;
  }
  if (s > 3) {
    p[0] = 4;
    int x = r[0];
    p[0] = x;
  }
  p[0] = 4;
  q[3] = r[0] + s;
  *r = q[3];
  q[1] = p[0];
}

// Local arrays of three types with dynamic indices.
KERNEL arrays(int *out, const int *in, int n) {
  int i = threadIdx.x, a[8];
  short s[16];
  u8 c[32] = {1, 2, 3};
  for (int k = 0; k < 8; k++)
    a[k] = in[(i + k) % n];
  for (int k = 0; k < 16; k++)
    s[k] = a[k & 7] >> k;
  for (int k = 0; k < 8; k++) {
    int j = a[k] & 7, t = a[k];
    a[k] = a[j];
    a[j] = t;
    s[a[k] & 15] += t >> 1;
    c[(unsigned)t >> 27] ^= k ^ t;
  }
  int r = 0;
  for (int k = 0; k < 8; k++)
    r = (r * 31 & 0xffffff) + (a[k] & 255) + s[k * 2] * c[k * 4 + (a[k] & 3)];
  out[i] = r;
}

struct Node {
  Node *next;
  int value;
};

// A linked list in local memory is reversed, and elements are removed through a pointer to a pointer.
KERNEL lists(int *out, const int *in, int n) {
  int i = threadIdx.x;
  Node nodes[6], *head = 0, *reversed = 0;
  for (int k = 0; k < 6; k++) {
    nodes[k].value = in[(i + k) % n] % 50;
    nodes[k].next = head;
    head = &nodes[k];
  }
  for (Node *p = head; p;) {
    Node *next = p->next;
    p->next = reversed;
    reversed = p;
    p = next;
  }
  for (Node **p = &reversed; *p;) {
    if ((*p)->value < 0)
      *p = (*p)->next;
    else
      p = &(*p)->next;
  }
  int r = 0;
  for (Node *p = reversed; p; p = p->next)
    r = r * 7 + p->value;
  out[i] = r;
}

// A pointer to shared, local or global memory, by data.
KERNEL spaces(int *out, const int *in, int n) {
  __shared__ int shared[32];
  int i = threadIdx.x, local[4] = {1, 2, 3, 4};
  shared[i] = in[i];
  __syncthreads();
  int *p = in[i] & 1 ? shared + (i ^ 1) : in[i] & 2 ? local + (in[i] >> 2 & 3) : out + i;
  int a = *p;
  __syncthreads();
  if (!(in[i] & 1))
    *p = a ^ i;
  int c = local[in[i] >> 2 & 3] ^ out[i];
  __syncthreads();
  out[i] = a + (c ^ shared[i]);
}
