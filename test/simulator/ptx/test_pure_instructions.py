"""Results of each computing instruction of the machine code, by the PTX ISA's text.

A row is an opcode, a column of bits for each operand, and the bits of the first result (or a tuple of columns
for several).
"""

from __future__ import annotations

import pytest
from helpers.machine_kernels import b, d, execute, f, h

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.ptx.types import has_semantics

Columns = list[list[int]]

W = 0xFFFFFFFF
WW = (1 << 64) - 1
INF, NAN = 0x7F800000, 0x7FFFFFFF
DNAN = 0x7FF8000000000000
TINY = 1  # the smallest subnormal single

ROWS = [
    # 9.7.1 integers: results wrap, .sat clamps to the range of s32
    ("add.s32", [[W, 5]], [1, 0x7FFFFFFF], [0, 0x80000004]),
    ("add.sat.s32", [[0x7FFFFFFF, 0x80000000]], [1, W], [0x7FFFFFFF, 0x80000000]),
    ("add.u16", [[0xFFFF]], [2], [1]),
    ("add.s64", [[WW]], [1], [0]),
    ("add.u16x2", [[0xFFFF0001]], [0x00010001], [0x00000002]),
    ("add.u8x4", [[0xFF01807F]], [0x01010101], [0x00028180]),
    ("add.sat.u8x4", [[0xFF01807F]], [0x01FF8001], [0xFFFFFF80]),
    ("add.sat.s8x4", [[0x7F80FF01]], [0x01FF02FF], [0x7F800100]),
    ("add.sat.u16x2", [[0xFFFF0001]], [0x00010001], [0xFFFF0002]),
    ("add.sat.s16x2", [[0x7FFF8000]], [0x0001FFFF], [0x7FFF8000]),
    ("add.sat.u32", [[W, 5]], [1, 2], [W, 7]),
    ("sub.u8x4", [[0x00010203]], [0x01010101], [0xFF000102]),
    ("sub.sat.u8x4", [[0x00010203]], [0x01010101], [0x00000102]),
    ("sub.sat.s8x4", [[0x80807F01]], [0x01FFFF01], [0x80817F00]),
    ("min.u8x4", [[0x80017F00]], [0x01800100], [0x01010100]),
    ("max.s8x4", [[0x80017FFF]], [0x01800100], [0x01017F00]),
    ("max.relu.s8x4", [[0x80FFFE05]], [0xFFFEFD01], [0x00000005]),
    ("min.relu.s8x4", [[0x05800305]], [0x03010701], [0x03000301]),
    ("neg.s8x4", [[0x80017FFF]], None, [0x80FF8101]),
    ("sub.s32", [[0]], [1], [W]),
    ("sub.sat.s32", [[0x80000000]], [1], [0x80000000]),
    ("mul.lo.s32", [[0x10000, W]], [0x10000, W], [0, 1]),
    ("mul.hi.u32", [[W]], [W], [0xFFFFFFFE]),
    ("mul.hi.s32", [[W, 0x80000000]], [W, 0x80000000], [0, 0x40000000]),
    ("mul.hi.s64", [[1 << 63]], [1 << 63], [1 << 62]),
    ("mul.hi.u64", [[WW]], [WW], [WW - 1]),
    ("mul.wide.u16", [[0xFFFF]], [0xFFFF], [0xFFFE0001]),
    ("mul.wide.s32", [[W]], [5], [WW - 4]),
    ("mul.wide.u32", [[W]], [W], [0xFFFFFFFE00000001]),
    ("mul24.lo.s32", [[0xFFFFFF, 0x1000002]], [2, 3], [W - 1, 6]),
    ("mul24.hi.u32", [[0xFFFFFF]], [0xFFFFFF], [0xFFFFFE00]),
    ("abs.s32", [[W, 0x80000000]], None, [1, 0x80000000]),
    ("neg.s32", [[1, 0x80000000]], None, [W, 0x80000000]),
    ("neg.s64", [[1]], None, [WW]),
    ("div.s32", [[W - 6, 7]], [2, W - 1], [W - 2, W - 2]),
    ("div.u32", [[W]], [2], [0x7FFFFFFF]),
    ("rem.s32", [[W - 6, 7]], [2, W - 1], [W, 1]),
    ("rem.u64", [[WW]], [10], [WW % 10]),
    ("min.s32", [[W]], [1], [W]),
    ("min.u32", [[W]], [1], [1]),
    ("max.s32", [[W]], [1], [1]),
    ("max.u64", [[WW]], [1], [WW]),
    ("max.s16x2", [[0xFFFF0005]], [0x00010003], [0x00010005]),
    ("min.u16x2", [[0xFFFF0005]], [0x00010003], [0x00010003]),
    ("popc.b32", [[0, W, 0xF0]], None, [0, 32, 4]),
    ("popc.b64", [[WW]], None, [64]),
    ("clz.b32", [[0, 1, W]], None, [32, 31, 0]),
    ("clz.b64", [[0, 1]], None, [64, 63]),
    ("brev.b32", [[1, 0x80000001]], None, [0x80000000, 0x80000001]),
    ("brev.b64", [[1]], None, [1 << 63]),
    # bfind: the highest non-sign bit; all ones if there is none
    ("bfind.u32", [[0, 1, 0x80000000]], None, [W, 0, 31]),
    ("bfind.s32", [[W, 0, 0xFFFF0000, 5]], None, [W, W, 15, 2]),
    ("bfind.shiftamt.u32", [[1, 0]], None, [31, W]),
    ("cnot.b32", [[0, 7]], None, [1, 0]),
    ("not.b32", [[0]], None, [W]),
    ("not.b64", [[1]], None, [WW - 1]),
    ("and.b32", [[0xF0F0]], [0xFF00], [0xF000]),
    ("or.b16", [[0xF0]], [0x0F], [0xFF]),
    ("xor.b64", [[WW]], [1], [WW - 1]),
    # 9.7.8 shifts clamp their amounts to the register's width
    ("shl.b32", [[1, 1, 1]], [31, 32, W], [0x80000000, 0, 0]),
    ("shl.b64", [[1]], [63], [1 << 63]),
    ("shr.u32", [[0x80000000] * 2], [31, 32], [1, 0]),
    ("shr.s32", [[0x80000000] * 3], [4, 32, 100], [0xF8000000, W, W]),
    ("shr.s16", [[0x8000]], [20], [0xFFFF]),
    ("bmsk.clamp.b32", [[4, 30, 0]], [8, 8, 0], [0xFF0, 0xC0000000, 0]),
    ("bmsk.wrap.b32", [[33]], [33], [2]),
    ("szext.clamp.s32", [[0x80, 0x7F, 5]], [8, 8, 0], [0xFFFFFF80, 0x7F, 0]),
    ("szext.wrap.u32", [[0xFFFF]], [40], [0xFF]),
    # 9.7.3 floating point
    ("add.f32", [[f(1), INF, f(-0.0), f(1)]], [f(2.0**-24), 0xFF800000, f(-0.0), f(3 * 2.0**-25)], [f(1), NAN, f(-0.0), f(1 + 2.0**-23)]),
    ("add.rz.f32", [[f(1), f(-1)]], [f(2.0**-24 * 1.5), f(-(2.0**-24) * 1.5)], [f(1), f(-1)]),
    ("add.rm.f32", [[f(-1), f(1)]], [f(-(2.0**-30)), f(-1)], [f(-1 - 2.0**-23), f(-0.0)]),
    ("add.rp.f32", [[f(1)]], [f(2.0**-30)], [f(1 + 2.0**-23)]),
    ("add.ftz.f32", [[TINY, 0x80000001]], [0, 0x80000000], [0, 0x80000000]),
    ("add.sat.f32", [[f(0.75), f(-1), NAN]], [f(0.75), f(0.5), f(1)], [f(1), 0, 0]),
    ("add.f64", [[d(1), d(float("inf"))]], [d(2.0**-53), d(float("-inf"))], [d(1), DNAN]),
    ("add.rp.f64", [[d(1)]], [d(2.0**-60)], [d(1 + 2.0**-52)]),
    ("sub.f32", [[f(1)]], [f(1)], [0]),
    ("sub.rm.f32", [[f(1)]], [f(1)], [f(-0.0)]),
    ("mul.f32", [[f(3), 0, INF]], [f(-2), f(-5), 0], [f(-6), f(-0.0), NAN]),
    ("mul.rz.f32", [[f(1 + 2.0**-23)]], [f(1 + 2.0**-23)], [f(1 + 2.0**-22)]),
    ("mul.ftz.f32", [[f(2.0**-100)]], [f(2.0**-30)], [0]),
    ("mul.rn.f64", [[d(1e200)]], [d(1e200)], [d(float("inf"))]),
    ("div.rn.f32", [[f(1), f(1), 0]], [f(3), 0, 0], [f(1 / 3), INF, NAN]),
    ("div.rz.f32", [[f(2)]], [f(3)], [f(2 / 3) - 1]),
    ("div.approx.f32", [[f(6), f(1)]], [f(2), f(2.0**127)], [f(3), 0]),
    ("div.full.f32", [[f(6)]], [f(2)], [f(3)]),
    ("div.rn.f64", [[d(1)]], [d(3)], [d(1 / 3)]),
    ("abs.f32", [[f(-2), f(-0.0)]], None, [f(2), 0]),
    ("abs.ftz.f32", [[0x80000001]], None, [0]),
    ("neg.f32", [[f(2), 0]], None, [f(-2), f(-0.0)]),
    ("neg.f64", [[d(-1)]], None, [d(1)]),
    # min and max: a number is preferred to NaN unless .NaN; -0 is less than +0
    ("min.f32", [[NAN, f(-0.0), NAN]], [f(1), 0, NAN], [f(1), f(-0.0), NAN]),
    ("min.NaN.f32", [[NAN]], [f(1)], [NAN]),
    ("max.f32", [[f(-0.0)]], [0], [0]),
    ("max.ftz.f32", [[TINY]], [0], [0]),
    ("min.xorsign.abs.f32", [[f(-3)]], [f(2)], [f(-2)]),
    ("max.f64", [[DNAN]], [d(-1)], [d(-1)]),
    # three operands: .abs and .NaN hold for all
    ("max.abs.f32", [[f(1)], [f(2)]], [f(-5)], [f(5)]),
    ("min.abs.f32", [[f(-4)], [f(-2)]], [f(-3)], [f(2)]),
    ("max.NaN.abs.f32", [[NAN], [f(2)]], [f(-5)], [NAN]),
    ("rcp.rn.f32", [[f(2), 0, INF, f(-0.0)]], None, [f(0.5), INF, 0, 0xFF800000]),
    ("rcp.approx.ftz.f32", [[TINY, f(4)]], None, [INF, f(0.25)]),
    ("rcp.rn.f64", [[d(4)]], None, [d(0.25)]),
    ("rcp.approx.ftz.f64", [[d(4), d(0.0)]], None, [d(0.25), d(float("inf"))]),
    ("sqrt.rn.f32", [[f(2), f(-1), f(-0.0)]], None, [f(2**0.5), NAN, f(-0.0)]),
    ("sqrt.rp.f32", [[f(2)]], None, [f(2**0.5) + (f(2**0.5) < f(1.4142136))]),
    ("sqrt.approx.f32", [[f(4)]], None, [f(2)]),
    ("sqrt.rn.f64", [[d(2)]], None, [d(2**0.5)]),
    ("rsqrt.approx.f32", [[f(4), 0, f(-1)]], None, [f(0.5), INF, NAN]),
    ("rsqrt.approx.f64", [[d(4)]], None, [d(0.5)]),
    ("rsqrt.approx.ftz.f64", [[d(16)]], None, [d(0.25)]),
    ("sin.approx.f32", [[0, f(-0.0), INF]], None, [0, f(-0.0), NAN]),
    ("cos.approx.f32", [[0, INF]], None, [f(1), NAN]),
    ("sin.approx.2pi.ftz.f32", [[f(0.25), f(1000.75), f(0.0), INF]], None, [f(1), f(-1), 0, NAN]),
    ("cos.approx.2pi.ftz.f32", [[f(0.5), f(7.0)]], None, [f(-1), f(1)]),
    ("add.rn.f32x2.f16x2.f32x2", [[h(1) | h(2) << 16]], [f(3) | f(4) << 32], [f(4) | f(6) << 32]),
    ("add.rz.f32x2.bf16x2.f32x2", [[b(1) | b(1) << 16]], [f(2.0**-30) | f(-(2.0**-30)) << 32], [f(1) | (f(1) - 1) << 32]),
    ("sub.rn.f32x2.f16x2.f32x2", [[h(1) | h(2) << 16]], [f(3) | f(4) << 32], [f(-2) | f(-2) << 32]),
    ("add.rz.ftz.f16x2.f32x2.f32x2", [[f(1) | f(1) << 32]], [f(2.0**-11) | f(2) << 32], [h(1) | h(3) << 16]),
    ("sub.rz.bf16x2.f32x2.f32x2", [[f(1) | f(5) << 32]], [f(2) | f(2) << 32], [b(-1) | b(3) << 16]),
    ("mul.rz.bf16x2.f32x2.f32x2", [[f(1.5) | f(2) << 32]], [f(3) | f(2.0**-3) << 32], [b(4.5) | b(0.25) << 16]),
    ("lg2.approx.f32", [[f(8), 0, f(-1), INF]], None, [f(3), 0xFF800000, NAN, INF]),
    ("ex2.approx.f32", [[f(3), 0xFF800000, f(200)]], None, [f(8), 0, INF]),
    ("ex2.approx.f16", [[h(3)]], None, [h(8)]),
    ("tanh.approx.f32", [[0, INF, 0xFF800000]], None, [0, f(1), f(-1)]),
    ("tanh.approx.f16x2", [[0]], None, [0]),
    ("copysign.f32", [[f(-1)]], [f(3)], [f(-3)]),
    ("testp.subnormal.f32", [[TINY, f(1), 0]], None, [1, 0, 0]),
    ("testp.finite.f32", [[INF, f(1), NAN]], None, [0, 1, 0]),
    ("testp.notanumber.f64", [[DNAN, d(1)]], None, [1, 0]),
    ("testp.number.f32", [[NAN, INF]], None, [0, 1]),
    ("testp.infinite.f32", [[INF, NAN]], None, [1, 0]),
    ("testp.normal.f32", [[TINY, f(1), 0, f(-0.0), INF]], None, [0, 1, 1, 1, 0]),
    # 9.7.4 halves
    ("add.f16", [[h(1)]], [h(2.0**-11)], [h(1)]),
    ("add.f16x2", [[h(1) | h(2) << 16]], [h(3) | h(-2) << 16], [h(4)]),
    ("add.bf16", [[b(1)]], [b(2.0**-7)], [b(1 + 2.0**-7)]),
    ("sub.bf16x2", [[b(3) | b(1) << 16]], [b(1) | b(1) << 16], [b(2)]),
    ("mul.f16", [[h(300)]], [h(300)], [0x7C00]),
    ("mul.sat.f16", [[h(2)]], [h(3)], [h(1)]),
    ("mul.bf16x2", [[b(2) | b(-1) << 16]], [b(4) | b(4) << 16], [b(8) | b(-4) << 16]),
    ("neg.f16x2", [[h(1) | h(-2) << 16]], None, [h(-1) | h(2) << 16]),
    ("abs.bf16", [[b(-1)]], None, [b(1)]),
    ("min.f16", [[0x7E00]], [h(1)], [h(1)]),
    ("max.NaN.bf16x2", [[0x7FC0 | b(1) << 16]], [b(1) | b(2) << 16], [0x7FFF | b(2) << 16]),
    # 9.7.9.21 conversions
    ("cvt.u32.u8", [[0x1FF]], None, [0xFF]),
    ("cvt.s32.s8", [[0x80]], None, [0xFFFFFF80]),
    ("cvt.u16.u32", [[0x12345678]], None, [0x5678]),
    ("cvt.s64.s32", [[W]], None, [WW]),
    ("cvt.u8.u32", [[0x1FF]], None, [0xFF]),
    ("cvt.s8.s32", [[0x80]], None, [0xFF80]),
    ("cvt.sat.u8.s32", [[W, 300, 7]], None, [0, 255, 7]),
    ("cvt.sat.s16.s32", [[40000, (-40000) & W]], None, [0x7FFF, 0x8000]),
    ("cvt.rzi.s32.f32", [[f(-2.9), f(3e9), NAN, f(-3e9)]], None, [W - 1, 0x7FFFFFFF, 0, 0x80000000]),
    ("cvt.rni.s32.f32", [[f(2.5), f(3.5)]], None, [2, 4]),
    ("cvt.rmi.s32.f32", [[f(-0.5)]], None, [W]),
    ("cvt.rpi.s32.f32", [[f(0.5)]], None, [1]),
    ("cvt.rzi.u32.f32", [[f(-1), f(4e9), f(5e9)]], None, [0, 4000000000, W]),
    ("cvt.rzi.s64.f32", [[NAN]], None, [1 << 63]),
    ("cvt.rzi.s32.f64", [[DNAN]], None, [0x80000000]),
    ("cvt.rzi.ftz.u32.f32", [[TINY]], None, [0]),
    ("cvt.rpi.ftz.s32.f32", [[TINY]], None, [0]),
    ("cvt.rn.f32.s32", [[0x7FFFFFFF, W]], None, [f(2147483648.0), f(-1)]),
    ("cvt.rz.f32.u32", [[W]], None, [f(4294967040.0)]),
    ("cvt.rn.f64.u64", [[WW]], None, [d(2.0**64)]),
    ("cvt.rn.f16.f32", [[f(65520), f(1 + 2.0**-11)]], None, [0x7C00, h(1)]),
    ("cvt.f32.f16", [[1]], None, [f(2.0**-24)]),
    ("cvt.rz.f32.f64", [[d(1 + 2.0**-24)]], None, [f(1)]),
    ("cvt.rn.ftz.f32.f64", [[d(2.0**-140)]], None, [0]),
    ("cvt.rni.f32.f32", [[f(2.5), f(-0.4)]], None, [f(2), f(-0.0)]),
    ("cvt.rzi.f64.f64", [[d(-2.9)]], None, [d(-2)]),
    ("cvt.sat.f32.f32", [[f(2), f(-1), NAN]], None, [f(1), 0, 0]),
    ("cvt.rn.bf16.f32", [[f(1 + 2.0**-8)]], None, [b(1)]),
    ("cvt.rz.bf16.f32", [[f(1 + 2.0**-8 + 2.0**-9)]], None, [b(1)]),
    ("cvt.rn.relu.f16.f32", [[f(-1), f(2), NAN]], None, [0, h(2), 0x7FFF]),
    ("cvt.rn.satfinite.f16.f32", [[f(1e6)]], None, [0x7BFF]),
    ("cvt.rna.tf32.f32", [[f(1 + 2.0**-11)]], None, [f(1 + 2.0**-10)]),
    ("cvt.rn.tf32.f32", [[f(1 + 2.0**-11)]], None, [f(1)]),
]  # fmt: skip

THREE = [
    ("mad.lo.s32", [[3]], [W], [10], [7]),
    ("mad.hi.u32", [[W]], [W], [1], [W]),
    ("mad.hi.sat.s32", [[0x7FFFFFFF]], [0x7FFFFFFF], [0x7FFFFFFF], [0x7FFFFFFF]),
    ("mad.wide.s32", [[W]], [2], [1], [WW]),
    ("mad24.lo.u32", [[0x1000003]], [2], [1], [7]),
    ("mad24.hi.sat.s32", [[0x8000, (-2) & W]], [2, 0x1F], [0x7FFFFFFF, 0x80000000], [0x7FFFFFFF, 0x80000000]),
    ("sad.s32", [[W]], [2], [10], [13]),
    ("sad.u32", [[W]], [2], [0], [W - 2]),
    ("fma.rn.f32", [[f(1 + 2.0**-12), INF]], [f(1 + 2.0**-12), 0], [f(-1), f(1)], [f(2.0**-11 + 2.0**-24), NAN]),
    ("fma.rz.f32", [[f(1)]], [f(1)], [f(-(2.0**-30))], [f(1 - 2.0**-24)]),
    ("fma.rm.f32", [[f(1)]], [f(1)], [f(-1)], [f(-0.0)]),
    ("fma.rn.ftz.f32", [[f(2.0**-100)]], [f(2.0**-40)], [0], [0]),
    ("fma.rn.sat.f32", [[f(2)]], [f(3)], [0], [f(1)]),
    ("fma.rn.f64", [[d(1 + 2.0**-52)]], [d(1 - 2.0**-52)], [d(-1)], [d(-(2.0**-104))]),
    ("fma.rp.f64", [[d(1)]], [d(1)], [d(2.0**-80)], [d(1 + 2.0**-52)]),
    ("fma.rn.f16", [[h(2)]], [h(3)], [h(1)], [h(7)]),
    ("fma.rn.relu.f16x2", [[h(1) | h(-1) << 16]], [h(1) | h(1) << 16], [0], [h(1)]),
    # clmad: a product of polynomials over bits, half of its 128 bits, and the third operand, added without carries
    ("clmad.lo.u64", [[3, WW, 0x10]], [3, 2, 0], [0, 1, 0x77], [5, WW, 0x77]),
    ("clmad.hi.u64", [[1 << 63, WW, 3]], [2, WW, 3], [0, 0, 0xF0], [1, 0x5555555555555555, 0xF0]),
    ("fma.rz.f32x2.f16x2.f32x2.f32x2", [[h(2) | h(3) << 16]], [f(4) | f(1) << 32], [f(1) | f(-(2.0**-30)) << 32],
     [f(9) | (f(3) - 1) << 32]),
    ("fma.rn.bf16x2", [[b(2) | b(1) << 16]], [b(2) | b(1) << 16], [b(1) | b(1) << 16], [b(5) | b(2) << 16]),
    # dp4a adds four products of bytes, dp2a two of a half and a byte
    ("dp4a.u32.u32", [[0xFF010203]], [0x01020304], [10], [10 + 255 + 2 + 6 + 12]),
    ("dp4a.s32.u32", [[0xFF000000]], [0x02000000], [0], [W - 1]),
    ("dp2a.lo.u32.u32", [[0x00020003]], [0xFFFF0504], [1], [1 + 12 + 10]),
    ("dp2a.hi.s32.s32", [[0xFFFF0003]], [0x02010000], [0], [3 - 2]),
    ("fns.b32", [[0b1011010] * 4], [1, 4, 0, 33], [1, W, 2, 1], [1, 4, 3, W]),
    # prmt: bit 3 of a selector copies the sign of the byte
    ("prmt.b32", [[0x33221180] * 2], [0x77665544] * 2, [0x7541, 0x8888], [0x77554411, W]),
    ("prmt.b32.f4e", [[0x33221100]], [0x77665544], [1], [0x44332211]),
    ("prmt.b32.b4e", [[0x33221100]], [0x77665544], [1], [0x66770011]),
    ("prmt.b32.rc8", [[0x33221100]], [0], [2], [0x22222222]),
    ("prmt.b32.ecl", [[0x33221100]], [0], [2], [0x33222222]),
    ("prmt.b32.ecr", [[0x33221100]], [0], [1], [0x11111100]),
    ("prmt.b32.rc16", [[0x33221100]], [0], [1], [0x33223322]),
    # shf: the amount is clamped to 32 or taken modulo 32
    ("shf.l.clamp.b32", [[0x80000001] * 2], [0xF] * 2, [4, 40], [0xF8, 0x80000001]),
    ("shf.l.wrap.b32", [[0x80000001]], [0xF], [36], [0xF8]),
    ("shf.r.clamp.b32", [[0x80000001] * 2], [0xF] * 2, [4, 40], [0xF8000000, 0xF]),
    ("shf.r.wrap.b32", [[0x80000001]], [0xF], [33], [0xC0000000]),
    # bfe: fields may extend beyond the register; .s uses the sign of the field or of the register
    ("bfe.u32", [[0xABCD1234] * 3], [4, 28, 40], [8, 8, 4], [0x23, 0xA, 0]),
    ("bfe.s32", [[0x80000080] * 4], [4, 28, 0, 0], [4, 8, 0, 8], [0xFFFFFFF8, 0xFFFFFFF8, 0, 0xFFFFFF80]),
    ("bfe.u64", [[0xABCD << 40]], [40], [16], [0xABCD]),
    ("slct.b32.s32", [[1, 1, 1]], [2, 2, 2], [0, W, 5], [1, 2, 1]),
    ("slct.b32.f32", [[1] * 3], [2] * 3, [f(-0.0), NAN, f(-1)], [1, 2, 2]),
    ("slct.ftz.b32.f32", [[1]], [2], [0x80000001], [1]),
    ("selp.b32", [[1, 1]], [2, 2], [1, 0], [1, 2]),
    ("selp.f64", [[d(1)]], [d(2)], [0], [d(2)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("opcode", "first", "second", "wanted"), ROWS, ids=[f"{r[0]}" for r in ROWS]
)
def test_one_or_two_operands(
    opcode: str, first: Columns, second: list[int] | None, wanted: list[int]
):
    columns = [*first] if second is None else [*first, second]
    assert execute(opcode, columns)[0] == wanted


@pytest.mark.parametrize(("opcode", "a", "b_", "c", "wanted"), THREE, ids=[r[0] for r in THREE])
def test_three_operands(opcode: str, a: Columns, b_: list[int], c: list[int], wanted: list[int]):
    assert execute(opcode, [*a, b_, c])[0] == wanted


def test_bit_field_insert():
    columns = [[0xFF, 0xFF, 0xFF], [0, W, W], [4, 28, 0], [4, 8, 0]]
    assert execute("bfi.b32", columns)[0] == [0xF0, W, W]
    assert execute("bfi.b32", [[0], [W], [28], [8]])[0] == [0x0FFFFFFF]
    assert execute("bfi.b64", [[0xAB], [0], [40], [8]])[0] == [0xAB << 40]


@pytest.mark.parametrize("table", [0x80, 0xFE, 0x96, 0xE8, 0x00, 0xFF, 0x1A])
def test_lop3_is_its_truth_table(table: int):
    a, b_, c = 0b11110000, 0b11001100, 0b10101010
    (got,) = execute("lop3.b32", [[a], [b_], [c], [0]], [None, None, None, table])
    assert got[0] & 0xFF == table


COMPARISONS = {
    "eq": "010", "ne": "101", "lt": "100", "le": "110", "gt": "001", "ge": "011",
}  # fmt: skip


@pytest.mark.parametrize("name", COMPARISONS)
def test_setp(name: str):
    wanted = [int(c) for c in COMPARISONS[name]]
    assert execute(f"setp.{name}.s32", [[W, 1, 2], [1, 1, 1]])[0] == wanted
    assert execute(f"setp.{name}.u64", [[0, 1, 2], [1, 1, 1]])[0] == wanted
    assert execute(f"setp.{name}.f32", [[f(0), f(1), f(2)], [f(1)] * 3])[0] == wanted
    assert execute(f"setp.{name}.f32", [[NAN], [f(1)]])[0] == [0]
    assert execute(f"setp.{name}u.f32", [[NAN], [f(1)]])[0] == [1]
    assert execute(f"setp.{name}u.f64", [[d(0), d(1), d(2)], [d(1)] * 3])[0] == wanted


def test_setp_also_gives_the_inverse_and_combines():
    assert execute("setp.lt.s32", [[1, 2], [2, 1]]) == [[1, 0], [0, 1]]
    assert execute("setp.lt.and.s32", [[1, 1], [2, 2], [1, 0]]) == [[1, 0], [0, 0]]
    assert execute("setp.lt.xor.u32", [[1, 1], [2, 2], [1, 0]]) == [[0, 1], [1, 0]]
    assert execute("setp.num.f32", [[NAN, f(1)], [f(1), f(1)]])[0] == [0, 1]
    assert execute("setp.nan.f32", [[NAN, f(1)], [f(1), f(1)]])[0] == [1, 0]
    assert execute("setp.lo.u32", [[1], [W]])[0] == [1]
    assert execute("setp.hs.u32", [[1], [W]])[0] == [0]
    assert execute("setp.lt.f16x2", [[h(1) | h(5) << 16], [h(2) | h(2) << 16]]) == [[1], [0]]
    assert execute("setp.eq.ftz.f32", [[TINY], [0]])[0] == [1]


def test_set_results_are_all_ones_or_zero():
    assert execute("set.lt.u32.s32", [[1, 3], [2, 2]])[0] == [W, 0]
    assert execute("set.lt.f32.s32", [[1, 3], [2, 2]])[0] == [f(1), 0]
    assert execute("set.gt.u32.f32", [[f(3), NAN], [f(2), f(2)]])[0] == [W, 0]
    assert execute("set.lt.and.u32.s32", [[1, 1], [2, 2], [1, 0]])[0] == [W, 0]
    halves = [[h(1) | h(5) << 16], [h(2) | h(2) << 16]]
    assert execute("set.lt.f16x2.f16x2", halves)[0] == [h(1)]
    assert execute("set.lt.u32.f16x2", halves)[0] == [0xFFFF]
    assert execute("set.gt.s32.f16x2", halves)[0] == [0xFFFF0000]
    assert execute("set.lt.u32.bf16x2", [[b(1) | b(5) << 16], [b(2) | b(2) << 16]])[0] == [0xFFFF]
    twice = [column * 2 for column in halves]
    assert execute("set.lt.and.f16x2.f16x2", [*twice, [1, 0]])[0] == [h(1), 0]
    assert execute("set.lt.xor.u32.f16x2", [*twice, [1, 0]])[0] == [0xFFFF0000, 0xFFFF]


def test_packed_conversions_place_the_first_operand_in_the_upper_half():
    assert execute("cvt.rn.f16x2.f32", [[f(1)], [f(2)]])[0] == [h(1) << 16 | h(2)]
    assert execute("cvt.rz.bf16x2.f32", [[f(1)], [f(-2)]])[0] == [b(1) << 16 | b(-2)]
    assert execute("cvt.rn.relu.f16x2.f32", [[f(-1)], [f(2)]])[0] == [h(2)]
    # -0 becomes +0, as on an H200.
    e4m3 = "cvt.rn.satfinite.relu.e4m3x2.f32"
    assert execute(e4m3, [[f(-0.0)], [f(1)]])[0] == [0x38]
    assert execute("cvt.rn.satfinite.e4m3x2.f32", [[f(1)], [f(1000)]])[0] == [0x38 << 8 | 0x7E]
    assert execute("cvt.rn.satfinite.e5m2x2.f32", [[f(1)], [f(1e9)]])[0] == [0x3C << 8 | 0x7B]
    assert execute("cvt.rn.bf16x2.e5m2x2", [[0x3C << 8 | 0x7C]])[0] == [b(1) << 16 | 0x7F80]
    assert execute("cvt.rn.satfinite.bf16x2.e5m2x2", [[0x3C << 8 | 0xFC]])[0] == [
        b(1) << 16 | 0xFF7F
    ]
    assert execute("cvt.rn.satfinite.e4m3x2.bf16x2", [[b(2) << 16 | b(-1)]])[0] == [
        0x40 << 8 | 0xB8
    ]
    assert execute("cvt.rn.f16x2.e4m3x2", [[0x38 << 8 | 0x7E]])[0] == [h(1) << 16 | h(448)]
    assert execute("cvt.rn.satfinite.e4m3x2.f16x2", [[h(2) << 16 | h(-1)]])[0] == [0x40 << 8 | 0xB8]
    assert execute("cvt.rz.ue8m0x2.f32", [[f(2)], [f(0.5)]])[0] == [128 << 8 | 126]


@pytest.mark.parametrize(
    ("opcode", "operands", "without", "result"),
    [
        ("cvt.rn{}.f16.f32", [f(-1e-9)], 0x8000, 0),
        ("cvt.rm{}.bf16.f32", [f(-0.0)], 0x8000, 0),
        ("cvt.rz{}.tf32.f32", [f(-1e-45)], 0x80000000, 0),
        ("cvt.rn{}.f16x2.f32", [f(-0.0), f(-1)], 0x8000BC00, 0xBC00),
        ("cvt.rn{}.bf16x2.f32", [f(-2), f(-0.0)], 0xC0008000, 0xC0000000),
        ("cvt.rn.satfinite{}.e4m3x2.f32", [f(-1e-9), f(-1)], 0x80B8, 0xB8),
        ("cvt.rn.satfinite{}.e5m2x2.f32", [f(-1), f(-0.0)], 0xBC80, 0xBC00),
        ("cvt.rz.satfinite{}.e2m3x2.f32", [f(-0.1), f(-0.1)], 0x2020, 0),
        ("cvt.rz.satfinite{}.e3m2x2.bf16x2", [b(-0.0) << 16 | b(1)], 0x200C, 0x0C),
        ("cvt.rz.satfinite{}.e2m1x2.f32", [f(-0.1), f(-1)], 0x8A, 0x0A),
    ],
)
def test_results_that_are_negative_zeros(
    opcode: str, operands: list[int], without: int, result: int
):
    """`.pzo` replaces -0 of each element after rounding, and nothing else (PTX ISA 9.4, "cvt")."""
    columns = [[operand] for operand in operands]
    assert execute(opcode.format(""), columns)[0] == [without]
    assert execute(opcode.format(".pzo"), columns)[0] == [result]


def test_moves_split_and_join():
    assert execute("mov.b32", [[5]])[0] == [5]
    assert execute("mov.pred", [[1, 0]])[0] == [1, 0]
    assert execute("mov.f64", [[d(2)]])[0] == [d(2)]


def test_division_by_zero_gives_ones_and_the_dividend():
    # The PTX ISA leaves the result to the implementation.
    assert execute("div.u32", [[7], [0]])[0] == [W]
    assert execute("rem.u32", [[7], [0]])[0] == [W]
    assert execute("rem.s64", [[7], [0]])[0] == [WW]


@pytest.mark.parametrize(
    ("opcode", "operands"),
    [
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2", 2),
        ("cvt.rn.satfinite.ue5m3x2.f32", 2),
        ("cvt.rn.bf16x2.s2f6x2", 1),
        ("mul.bf16x2.bf16x2.f16x2", 2),
    ],
)
def test_an_instruction_without_documented_results_is_an_error(opcode: str, operands: int):
    with pytest.raises(SimulationError, match=f"the instruction {opcode}"):
        execute(opcode, [[0]] * operands)


def test_modifiers_of_sparsity_with_and_without_documented_results():
    assert has_semantics("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    assert not has_semantics("tcgen05.ld.red.sync.aligned.32x32b.x8.min.sp::2:4.f32.b2")
    assert has_semantics("spdecompress.x2.sp::1:2.b8.b2")
    assert not has_semantics("tcgen05.ld.spcompress.sync.aligned.32x32b.x8.max.sp::2:4.f32.b2")
    assert not has_semantics("tcgen05.mma.cta_group::1.kind::f8f6f4.decompress::lut::b")
    assert not has_semantics("tcgen05.mma.cta_group::1.kind::ti16")
