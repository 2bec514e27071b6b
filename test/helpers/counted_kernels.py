"""Kernels whose executed machine instructions were counted by hand.

The numbers of instructions are those of ptxas 13.0 and 13.5 for sm_90.
"""

from __future__ import annotations

REDUCE = """\
.version 7.8
.target sm_80
.address_size 64
.visible .entry reduce(.param .u64 x, .param .u64 out)
{
  .reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .f32 %f<5>;
  .shared .align 4 .f32 part[64];
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  mov.u32 %r2, part;
  shl.b32 %r3, %r1, 2;
  add.u32 %r4, %r2, %r3;
  st.shared.f32 [%r4], %f1;
  mov.u32 %r5, 32;
$loop:
  bar.sync 0;
  setp.ge.u32 %p1, %r1, %r5;
  @%p1 bra $skip;
  shl.b32 %r6, %r5, 2;
  add.u32 %r7, %r4, %r6;
  ld.shared.f32 %f2, [%r7];
  ld.shared.f32 %f3, [%r4];
  add.rn.f32 %f3, %f3, %f2;
  st.shared.f32 [%r4], %f3;
$skip:
  shr.u32 %r5, %r5, 1;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra $loop;
  setp.ne.u32 %p3, %r1, 0;
  @%p3 bra $end;
  ld.shared.f32 %f4, [part];
  ld.param.u64 %rd4, [out];
  st.global.f32 [%rd4], %f4;
$end:
  ret;
}
"""

ROW_SUM = """\
.version 7.8
.target sm_80
.address_size 64
.visible .entry row_sum(.param .u64 x, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .f32 %f<5>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd5, [out];
  ld.param.u32 %r2, [n];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r3, %r1, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.f32 %f1, 0f00000000;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra $end;
  mov.u32 %r4, 0;
$loop:
  ld.global.f32 %f2, [%rd3];
  add.rn.f32 %f1, %f1, %f2;
  add.s64 %rd3, %rd3, 4;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p2, %r4, %r2;
  @%p2 bra $loop;
$end:
  mul.wide.u32 %rd6, %r1, 4;
  add.s64 %rd7, %rd5, %rd6;
  st.global.f32 [%rd7], %f1;
  ret;
}
"""

BITONIC = """\
.version 7.8
.target sm_80
.address_size 64
.visible .entry bitonic(.param .u64 x)
{
  .reg .pred %p<6>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  mov.u32 %r3, 2;
$outer:
  shr.u32 %r4, %r3, 1;
$inner:
  .pragma "nounroll";
  shfl.sync.bfly.b32 %r5, %r2, %r4, 31, 0xffffffff;
  and.b32 %r6, %r1, %r4;
  and.b32 %r7, %r1, %r3;
  setp.eq.u32 %p1, %r6, 0;
  setp.eq.u32 %p2, %r7, 0;
  xor.pred %p3, %p1, %p2;
  min.u32 %r8, %r2, %r5;
  max.u32 %r9, %r2, %r5;
  selp.b32 %r2, %r9, %r8, %p3;
  shr.u32 %r4, %r4, 1;
  setp.ne.u32 %p4, %r4, 0;
  @%p4 bra $inner;
  shl.b32 %r3, %r3, 1;
  setp.le.u32 %p5, %r3, 32;
  @%p5 bra $outer;
  st.global.u32 [%rd3], %r2;
  ret;
}
"""

COLLATZ = """\
.version 7.8
.target sm_80
.address_size 64
.visible .entry collatz(.param .u64 x)
{
  .reg .pred %p<6>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  mov.u32 %r3, 0;
$loop:
  .pragma "nounroll";
  setp.le.u32 %p1, %r2, 1;
  @%p1 bra $end;
  and.b32 %r4, %r2, 1;
  setp.eq.u32 %p2, %r4, 0;
  shr.u32 %r5, %r2, 1;
  mad.lo.u32 %r6, %r2, 3, 1;
  selp.b32 %r2, %r5, %r6, %p2;
  add.u32 %r3, %r3, 1;
  bra $loop;
$end:
  st.global.u32 [%rd3], %r3;
  ret;
}
"""

MATMUL = """\
.version 7.8
.target sm_80
.address_size 64
.visible .entry matmul(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .f32 %f<5>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mul.lo.u32 %r4, %r2, %r1;
  mul.wide.u32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4;
  mul.wide.u32 %rd6, %r3, 4;
  add.s64 %rd7, %rd2, %rd6;
  mul.wide.u32 %rd8, %r1, 4;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r5, %r1;
$loop:
  .pragma "nounroll";
  ld.global.f32 %f2, [%rd5];
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s64 %rd5, %rd5, 4;
  add.s64 %rd7, %rd7, %rd8;
  sub.u32 %r5, %r5, 1;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra $loop;
  add.s64 %rd9, %rd3, %rd4;
  add.s64 %rd10, %rd9, %rd6;
  st.global.f32 [%rd10], %f1;
  ret;
}
"""
