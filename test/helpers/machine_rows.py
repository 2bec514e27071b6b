"""Kernels that consist of single PTX instructions, many in one file, with their inputs.

Each row is a PTX instruction (or a few) over the operands `{a}`, `{b}`, `{c}` with the result `{d}`. ptxas
translates it to machine instructions; the PTX simulator provides the expected results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LANES = 256

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Kind:
    """The type of a row's operands.

    Attributes:
        register: type of PTX registers.
        size: bytes of an element.
        boundary: the bits of values that are tried in all pairs.
    """

    register: str
    size: int
    boundary: tuple[int, ...]


def _floats(dtype: str, unsigned: str, *more: int) -> tuple[int, ...]:
    values = [0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0e3, -7.0e-3, float("inf"), float("-inf"), 0.1]
    raw = np.array(values).astype(dtype).view(unsigned).tolist()
    return (*raw, *more)


_WORDS = "0 1 2 1f 20 21 7f 80 ffff 8000 7fffffff 80000000 80000001 ffffffff fffffffe 5410"
_LONG_WORDS = (
    "0 1 2 3f 40 7fffffff 80000000 ffffffff 100000000 7fffffffffffffff 8000000000000000"
    " 8000000000000001 ffffffffffffffff fffffffffffffffe ffffffff00000000 2dfdc1c35"
)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


KINDS = {
    "b32": Kind("b32", 4, _numbers(_WORDS)),
    "b64": Kind("b64", 8, _numbers(_LONG_WORDS)),
    "f32": Kind(
        "f32",
        4,
        _floats("f4", "u4", 0x00000001, 0x807FFFFF, 0x7F7FFFFF, 0x00800000, 0x7FC00000),
    ),
    "f64": Kind(
        "f64",
        8,
        _floats(
            "f8",
            "u8",
            *_numbers("1 7fefffffffffffff 10000000000000 7ff8000000000000 41efffffffe00000"),
        ),
    ),
    "f16x2": Kind(
        "b32",
        4,
        tuple(
            low | high << 16
            for low, high in zip(
                _floats("f2", "u2", 1, 0x03FF, 0x7BFF, 0x7E00, 0x0400),
                reversed(_floats("f2", "u2", 1, 0x83FF, 0xFBFF, 0x0400, 0x7BFF)),
            )
        ),
    ),
}


def inputs(kind: Kind) -> list[Array]:
    """The operands `a`, `b` and `c`: each pair of boundary values, then random bits."""
    generator = np.random.default_rng(35)
    unsigned = f"u{kind.size}"
    boundary = np.array(kind.boundary[:16], unsigned)
    grid = np.stack(np.meshgrid(boundary, boundary)).reshape(2, -1)
    random = generator.integers(0, 1 << 8 * kind.size, (3, LANES), unsigned, endpoint=False)
    a = np.concatenate([grid[0][:LANES], random[0]])
    b = np.concatenate([grid[1][:LANES], random[1]])
    c = np.concatenate([generator.choice(boundary, grid.shape[1])[:LANES], random[2]])
    return [np.ascontiguousarray(v) for v in (a, b, c)]


def kernel_of(rows: Sequence[str], kind_name: str, arch: str) -> str:
    """Returns PTX of a kernel that runs each row on all lanes and stores its result."""
    kind = KINDS[kind_name]
    size = kind.size
    count = len(inputs(kind)[0])
    lines = [
        ".version 8.8",
        f".target {arch}",
        ".address_size 64",
        ".visible .entry rows(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)",
        "{",
        f".reg .{kind.register} %a, %b, %c, %d;",
        ".reg .b64 %at, %base, %out; .reg .b32 %i, %n, %x<8>; .reg .pred %p<8>; .reg .b64 %y<8>;",
        ".reg .b16 %h<8>; .reg .f32 %f<8>; .reg .f64 %e<8>;",
        "mov.u32 %i, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %x0, %tid.x;",
        f"mad.lo.u32 %i, %i, %n, %x0; mul.wide.u32 %at, %i, {size};",
    ]
    for name in "abc":
        lines += [
            f"ld.param.u64 %base, [p{name}];",
            "add.u64 %base, %base, %at;",
            f"ld.global.b{8 * size} %{name}, [%base];",
        ]
    lines += ["ld.param.u64 %out, [pd];", "add.u64 %out, %out, %at;"]
    for row in rows:
        text = row.format(a="%a", b="%b", c="%c", d="%d")
        lines += [
            "{",
            text.rstrip(";") + ";",
            "}",
            f"st.global.b{8 * size} [%out], %d;",
            f"add.u64 %out, %out, {size * count};",
        ]
    lines += ["ret;", "}"]
    return "\n".join(lines) + "\n"


def _each(template: str, *choices: str) -> list[str]:
    return [template.replace("@", choice) for choice in choices]


def _flag(text: str, value: str = "1") -> str:
    """A row whose result is a predicate: `{d}` is 1 or 0."""
    return f"{text.replace('{d}', '%p1')}; selp.b32 {{d}}, {value}, 0, %p1;"


def _flag64(text: str) -> str:
    return f"{text.replace('{d}', '%p1')}; selp.b64 {{d}}, 1, 0, %p1;"


def _float_flag(text: str, kind: str) -> str:
    one = {"f32": "0f3F800000", "f64": "0d3FF0000000000000"}[kind]
    zero = {"f32": "0f00000000", "f64": "0d0000000000000000"}[kind]
    return f"{text.replace('{d}', '%p1')}; selp.{kind} {{d}}, {one}, {zero}, %p1;"


_COMPARE = ("eq", "ne", "lt", "le", "gt", "ge")

B32 = [
    *_each("@.u32 {d}, {a}, {b}", "add", "sub", "mul.lo", "mul.hi", "min", "max"),
    *_each("@.s32 {d}, {a}, {b}", "mul.hi", "min", "max"),
    *_each("mad.@ {d}, {a}, {b}, {c}", "lo.u32", "hi.u32", "hi.s32"),
    *_each("@ {d}, {a}, {b}", "and.b32", "or.b32", "xor.b32", "shl.b32", "shr.u32", "shr.s32"),
    *_each("lop3.b32 {d}, {a}, {b}, {c}, @", "0x1b", "0xe8", "0x96", "0x01", "0xca", "0x7f"),
    "not.b32 {d}, {a}",
    "neg.s32 {d}, {a}",
    "abs.s32 {d}, {a}",
    "cnot.b32 {d}, {a}",
    *_each("@ {d}, {a}", "popc.b32", "clz.b32", "brev.b32", "bfind.u32", "bfind.s32"),
    *_each("bfind.shiftamt.@ {d}, {a}", "u32", "s32"),
    *_each("shf.@.b32 {d}, {a}, {b}, {c}", "l.wrap", "l.clamp", "r.wrap", "r.clamp"),
    "prmt.b32 {d}, {a}, {b}, {c}",
    *_each("prmt.b32 {d}, {a}, {b}, @", "0x5410", "0x7632", "0x0123", "0xba98", "0x4321"),
    *_each("bfe.@ {d}, {a}, {b}, {c}", "u32", "s32"),
    *_each("bfe.@ {d}, {a}, 5, 9", "u32", "s32"),
    "bfi.b32 {d}, {a}, {b}, 3, 11",
    *_each("bmsk.@.b32 {d}, {a}, {b}", "clamp", "wrap"),
    *_each("szext.@ {d}, {a}, {b}", "clamp.s32", "wrap.s32", "clamp.u32", "wrap.u32"),
    "sad.u32 {d}, {a}, {b}, {c}",
    "sad.s32 {d}, {a}, {b}, {c}",
    *_each("dp4a.@ {d}, {a}, {b}, {c}", "u32.u32", "s32.s32", "u32.s32"),
    *_each("dp2a.@ {d}, {a}, {b}, {c}", "lo.s32.u32", "hi.u32.s32"),
    *_each("vabsdiff4.@.add {d}, {a}, {b}, {c}", "u32.u32.u32", "s32.s32.s32"),
    *_each("cvt.sat.@.s32 {d}, {a}", "s8", "u8"),
    "cvt.sat.u16.s32 %h1, {a}; cvt.u32.u16 {d}, %h1",
    "cvt.sat.s16.u32 %h1, {a}; cvt.s32.s16 {d}, %h1",
    "cvt.pack.sat.u8.s32.b32 {d}, {a}, {b}, {c}",
    "cvt.pack.sat.s16.s32 {d}, {a}, {b}",
    "add.sat.s32 {d}, {a}, {b}; sub.sat.s32 {d}, {d}, {c}",
    _flag("setp.gt.u32 %p2, {a}, {c}; lop3.or.b32 %x1|{d}, {a}, {b}, {c}, 0x3c, %p2"),
    *[_flag(f"setp.{c}.{t} {{d}}, {{a}}, {{b}}") for c in _COMPARE for t in ("u32", "s32")],
    _flag("setp.lt.u32 %p2, {a}, {c}; setp.lt.or.s32 {d}, {a}, {b}, %p2"),
    _flag("setp.lt.u32 %p2, {a}, {c}; setp.ge.xor.s32 {d}, {a}, {b}, %p2"),
    _flag("setp.lt.u32 %p2, {a}, {c}; setp.eq.and.s32 {d}, {a}, {b}, !%p2"),
    "setp.lt.u32 %p1, {a}, {b}; selp.b32 {d}, {c}, {a}, %p1",
    "setp.lt.u32 %p1, {a}, {b}; mov.b32 {d}, {c}; @%p1 add.u32 {d}, {a}, 7",
    "add.u32 {d}, {a}, {b}; add.u32 {d}, {d}, {c}",
    "sub.u32 {d}, {a}, {b}; sub.u32 {d}, {d}, {c}",
    "shl.b32 {d}, {a}, 3; add.u32 {d}, {d}, {b}",
    "add.cc.u32 %x1, {a}, {b}; addc.u32 {d}, {c}, {b}",
    "sub.cc.u32 %x1, {a}, {b}; subc.u32 {d}, {c}, {b}",
    "mad.lo.cc.u32 %x1, {a}, {b}, {c}; madc.hi.u32 {d}, {a}, {b}, {c}",
    *_each("or.b32 %x1, {b}, 1; @ {d}, {a}, %x1", "div.u32", "div.s32", "rem.u32", "rem.s32"),
    "mul24.lo.u32 {d}, {a}, {b}",
    *[f"cvt.{t}.{t[0]}32 %h1, {{a}}; cvt.{t[0]}32.{t} {{d}}, %h1" for t in ("u16", "s16")],
    *[f"cvt.{t[0]}32.{t} {{d}}, {{a}}" for t in ("u8", "s8")],
    *[f"cvt.rn.f32.{t} %f1, {{a}}; mov.b32 {{d}}, %f1" for t in ("u32", "s32", "u8", "s8")],
    *[f"cvt.{m}.f32.u32 %f1, {{a}}; mov.b32 {{d}}, %f1" for m in ("rz", "rm", "rp")],
    "cvt.rn.f64.s32 %e1, {a}; cvt.rn.f32.f64 %f1, %e1; mov.b32 {d}, %f1",
    "min.s32 {d}, {a}, {b}; min.s32 {d}, {d}, {c}",
    "max.u32 {d}, {a}, {b}; max.u32 {d}, {d}, {c}",
    "add.s32 {d}, {a}, {b}; max.s32 {d}, {d}, {c}",
    "add.s32 {d}, {a}, {b}; max.s32 {d}, {d}, 0",
    "add.u32 {d}, {a}, {b}; min.u32 {d}, {d}, {c}",
    "mov.b64 %y1, {{{a}, {b}}}; mov.b64 %y2, {{{c}, {a}}}; add.u64 %y1, %y1, %y2;"
    " cvt.u32.u64 %x1, %y1; shr.u64 %y1, %y1, 32; cvt.u32.u64 {d}, %y1; xor.b32 {d}, {d}, %x1",
]

WARP = [
    "setp.lt.s32 %p1, {a}, {b}; vote.sync.ballot.b32 {d}, %p1, 0xffffffff",
    *[
        f"setp.lt.s32 %p2, {{a}}, {{b}}; {_flag(f'vote.sync.{k}.pred {{d}}, %p2, 0xffffffff')}"
        for k in ("any", "all", "uni")
    ],
    *[
        f"and.b32 %x1, {{b}}, 31; shfl.sync.{m}.b32 {{d}}|%p1, {{a}}, %x1, {c}, 0xffffffff;"
        " @%p1 add.u32 {d}, {d}, 1"
        for m, c in (("idx", "31"), ("up", "0"), ("down", "31"), ("bfly", "31"), ("idx", "0x181f"))
    ],
    *[f"redux.sync.{k}.b32 {{d}}, {{a}}, 0xffffffff" for k in ("and", "or", "xor")],
    *[f"redux.sync.{k} {{d}}, {{a}}, 0xffffffff" for k in ("add.u32", "min.s32", "max.u32")],
    *[f"redux.sync.{k} {{d}}, {{a}}, 0xffffffff" for k in ("min.u32", "max.s32", "add.s32")],
    "and.b32 %x1, {a}, 3; match.any.sync.b32 {d}, %x1, 0xffffffff",
    "and.b32 %x1, {a}, 0; match.all.sync.b32 {d}|%p1, %x1, 0xffffffff; @%p1 add.u32 {d}, {d}, 5",
    "mov.u32 %x1, %laneid; mov.u32 %x2, %lanemask_lt; xor.b32 {d}, %x1, %x2",
    "activemask.b32 {d}",
]
_SMALL = [
    *[
        f"cvt.rn.satfinite.{k}.f32 %h1, {{a}}, {{b}}; cvt.u32.u16 %x1, %h1; mov.b32 {{d}}, %x1"
        for k in ("e4m3x2", "e5m2x2", "relu.e4m3x2")
    ],
    *[
        f"mov.b32 %x1, {{a}}; cvt.u16.u32 %h1, %x1; cvt.rn.f16x2.{k} %x2, %h1; mov.b32 {{d}}, %x2"
        for k in ("e4m3x2", "e5m2x2")
    ],
    "mov.b32 %x1, {a}; cvt.rn.satfinite.e4m3x2.f16x2 %h1, %x1; cvt.u32.u16 %x2, %h1; mov.b32 {d}, %x2",
    *[f"cvt.{m}.tf32.f32 %x1, {{a}}; mov.b32 {{d}}, %x1" for m in ("rn", "rna")],
]
_THREE = [
    *[f"{o}.f32 {{d}}, {{a}}, {{b}}, {{c}}" for o in ("min", "max", "max.NaN", "min.ftz")],
    "neg.f32 %f1, {b}; max.f32 {d}, {a}, %f1, {c}",
]
_PAIRS = [
    *[f"{o}.rn.f32x2 {{d}}, {{a}}, {{b}}" for o in ("add", "mul")],
    "fma.rn.f32x2 {d}, {a}, {b}, {c}",
    "fma.rn.ftz.f32x2 {d}, {a}, {b}, {c}",
    "mov.b64 %y1, 0xBF000000BF000000; add.rn.f32x2 {d}, {a}, %y1",
    "mov.b64 %y1, 0x3F8000003F800000; sub.rn.f32x2 {d}, %y1, {a}",
    *[
        f"mov.b64 {{{{%f1, %f2}}}}, {{b}}; neg.f32 %f{n}, %f{n}; mov.b64 %y1, {{{{%f{x}, %f{y}}}}}; {o}"
        for n in (1, 2)
        for x, y in ((1, 2), (2, 1))
        for o in ("add.rn.f32x2 {d}, {a}, %y1", "fma.rn.f32x2 {d}, {a}, %y1, {c}")
    ],
    "mov.b64 {{%f1, %f2}}, {c}; mov.b64 %y1, {{%f2, %f1}}; fma.rn.f32x2 {d}, {a}, {b}, %y1",
    "mov.b64 {{%f1, %f2}}, {c}; mov.b64 %y1, {{%f2, %f2}}; fma.rn.f32x2 {d}, {a}, %y1, {b}",
]
_HALVES = [
    *_each("@ {d}, {a}, {b}", "add.s16x2", "add.u16x2", "min.s16x2", "max.u16x2", "max.relu.s16x2"),
    "add.s16x2 {d}, {a}, {b}; min.s16x2 {d}, {d}, {c}",
    "add.u16x2 {d}, {a}, {b}; max.u16x2 {d}, {d}, {c}",
    "mov.b32 %x1, 65537; add.s16x2 %x2, {a}, %x1; add.s16x2 %x3, {b}, %x1; xor.b32 {d}, %x2, %x3",
    "max.relu.s32 {d}, {a}, {b}",
    "setp.lt.s32 %p1, {c}, 0; max.s16x2 %x1, {a}, {b}; min.s16x2 %x2, {a}, {b}; selp.b32 {d}, %x1, %x2, %p1",
    *_each("set.@.bf16x2 {d}, {a}, {b}", "gt.bf16x2", "leu.u32"),
    *[
        f".reg .b8 %byte; mov.b32 {{{{%h1, %h2}}}}, {{a}}; cvt.{rounding}.{kind}.bf16 %byte, %h2; cvt.{kind[0]}32.{kind} {{d}}, %byte"
        for rounding in ("rzi", "rni")
        for kind in ("s8", "u8")
    ],
    *[
        f".reg .b8 %byte; cvt.u8.u32 %byte, {{a}}; cvt.rn.bf16.{kind} %h1, %byte; mov.b32 {{d}}, {{{{%h1, 0}}}}"
        for kind in ("s8", "u8")
    ],
]
_ELECT = ["elect.sync {d}|%p1, 0xffffffff; @%p1 add.u32 {d}, {d}, 9"]

B64 = [
    *_each("@.u64 {d}, {a}, {b}", "add", "sub", "mul.lo", "mul.hi", "min", "max"),
    *_each("@.s64 {d}, {a}, {b}", "mul.hi", "min", "max"),
    *_each("mad.@ {d}, {a}, {b}, {c}", "lo.u64", "hi.u64", "hi.s64"),
    *_each("@ {d}, {a}, {b}", "and.b64", "or.b64", "xor.b64"),
    *_each("cvt.u32.u64 %x1, {b}; @ {d}, {a}, %x1", "shl.b64", "shr.u64", "shr.s64"),
    *_each("@ {d}, {a}, 7", "shl.b64", "shr.u64", "shr.s64"),
    *_each("@ {d}, {a}, 39", "shl.b64", "shr.u64", "shr.s64"),
    "not.b64 {d}, {a}",
    "neg.s64 {d}, {a}",
    "abs.s64 {d}, {a}",
    *_each("@ %x1, {a}; cvt.u64.u32 {d}, %x1", "popc.b64", "clz.b64", "bfind.u64", "bfind.s64"),
    "brev.b64 {d}, {a}",
    *[_flag64(f"setp.{c}.{t} {{d}}, {{a}}, {{b}}") for c in _COMPARE for t in ("u64", "s64")],
    _flag64("setp.lt.u64 %p2, {a}, {c}; setp.lt.or.s64 {d}, {a}, {b}, %p2"),
    "setp.lt.u64 %p1, {a}, {b}; selp.b64 {d}, {c}, {a}, %p1",
    "cvt.u32.u64 %x1, {a}; cvt.u32.u64 %x2, {b}; mad.wide.u32 {d}, %x1, %x2, {c}",
    "cvt.u32.u64 %x1, {a}; cvt.u32.u64 %x2, {b}; mad.wide.s32 {d}, %x1, %x2, {c}",
    "cvt.u32.u64 %x1, {a}; mad.wide.s32 {d}, %x1, 4, {c}",
    "shl.b64 {d}, {a}, 3; add.u64 {d}, {d}, {b}",
    "shl.b64 {d}, {a}, 3; sub.u64 {d}, {b}, {d}",
    "cvt.u32.u64 %x1, {a}; cvt.s64.s32 {d}, %x1; shl.b64 {d}, {d}, 2; add.u64 {d}, {d}, {b}",
    "add.u64 {d}, {a}, {b}; add.u64 {d}, {d}, {c}",
    *_each("or.b64 %y1, {b}, 1; @ {d}, {a}, %y1", "div.u64", "div.s64", "rem.u64", "rem.s64"),
    *[f"cvt.rn.f64.{t} %e1, {{a}}; mov.b64 {{d}}, %e1" for t in ("u64", "s64")],
    *[
        f"cvt.rn.f32.{t} %f1, {{a}}; mov.b32 %x1, %f1; cvt.u64.u32 {{d}}, %x1"
        for t in ("u64", "s64")
    ],
    "shl.b64 %y1, 2, 62; cvt.rn.f64.u64 %e1, %y1; mov.b64 {d}, %e1",
    "mov.u64 {d}, 0x123456789abcdef0; xor.b64 {d}, {d}, {a}",
]

_ROUND = ("rn", "rz", "rm", "rp")

F32 = [
    *[f"{o}.{m}.f32 {{d}}, {{a}}, {{b}}" for o in ("add", "sub", "mul") for m in _ROUND],
    *[f"{o}.rn.ftz.f32 {{d}}, {{a}}, {{b}}" for o in ("add", "mul")],
    *[f"{o}.rn.sat.f32 {{d}}, {{a}}, {{b}}" for o in ("add", "mul")],
    *[f"fma.{m}.f32 {{d}}, {{a}}, {{b}}, {{c}}" for m in (*_ROUND, "rn.ftz", "rn.sat")],
    "neg.f32 %f1, {b}; abs.f32 %f2, {a}; fma.rn.f32 {d}, %f1, %f2, {c}",
    "add.f32 {d}, {a}, 0f3DCCCCCD",
    "fma.rn.f32 {d}, {a}, 0f3DCCCCCD, {b}",
    "fma.rn.f32 {d}, {a}, {b}, 0f3DCCCCCD",
    *[f"{o}{f}.f32 {{d}}, {{a}}, {{b}}" for o in ("min", "max") for f in ("", ".ftz", ".NaN")],
    *[_float_flag(f"setp.{c}.f32 {{d}}, {{a}}, {{b}}", "f32") for c in (*_COMPARE, "num", "nan")],
    *[
        _float_flag(f"setp.{c}.f32 {{d}}, {{a}}, {{b}}", "f32")
        for c in ("equ", "neu", "ltu", "leu", "gtu", "geu")
    ],
    _float_flag("setp.lt.ftz.f32 {d}, {a}, {b}", "f32"),
    "setp.lt.f32 %p1, {a}, {b}; selp.f32 {d}, {c}, {a}, %p1",
    "abs.f32 {d}, {a}",
    "neg.f32 {d}, {a}",
    "copysign.f32 {d}, {a}, {b}",
    *[f"{o}.approx.ftz.f32 {{d}}, {{a}}" for o in ("rcp", "rsqrt", "ex2", "lg2", "sqrt")],
    "tanh.approx.f32 {d}, {a}",
    *[f"{o}.{m}.f32 {{d}}, {{a}}" for o in ("rcp", "sqrt") for m in ("rn", "rz")],
    *[f"div.{m}.f32 {{d}}, {{a}}, {{b}}" for m in ("rn", "rz")],
    *[f"cvt.{m}.f32.f32 {{d}}, {{a}}" for m in ("rni", "rzi", "rmi", "rpi", "rni.ftz")],
    *[f"cvt.rzi.{t}.f32 %x1, {{a}}; mov.b32 {{d}}, %x1" for t in ("u32", "s32")],
    *[f"cvt.{m}.s32.f32 %x1, {{a}}; mov.b32 {{d}}, %x1" for m in ("rni", "rmi", "rpi")],
    *[
        f"cvt.rzi.{t}.f32 %h1, {{a}}; cvt.{t[0]}32.{t} %x1, %h1; mov.b32 {{d}}, %x1"
        for t in ("u16", "s16")
    ],
    *[
        f"cvt.rzi.{t}.f32 %y1, {{a}}; cvt.u32.u64 %x1, %y1; mov.b32 {{d}}, %x1"
        for t in ("u64", "s64")
    ],
    "cvt.f64.f32 %e1, {a}; add.rn.f64 %e1, %e1, %e1; cvt.rn.f32.f64 {d}, %e1",
    *[f"cvt.{m}.f16.f32 %h1, {{a}}; cvt.f32.f16 {{d}}, %h1" for m in ("rn", "rz")],
    "cvt.rn.bf16.f32 %h1, {a}; mov.b32 %x1, {{%h1, 0}}; mov.b32 {d}, %x1",
    "cvt.rn.f16x2.f32 %x1, {a}, {b}; mov.b32 {d}, %x1",
    "cvt.rn.bf16x2.f32 %x1, {a}, {b}; mov.b32 {d}, %x1",
    "cvt.rn.relu.f16x2.f32 %x1, {a}, {b}; mov.b32 {d}, %x1",
    _float_flag("testp.infinite.f32 {d}, {a}", "f32"),
    _float_flag("testp.subnormal.f32 {d}, {a}", "f32"),
]

F64 = [
    *[f"{o}.{m}.f64 {{d}}, {{a}}, {{b}}" for o in ("add", "sub", "mul") for m in _ROUND],
    *[f"fma.{m}.f64 {{d}}, {{a}}, {{b}}, {{c}}" for m in _ROUND],
    *[f"{o}.f64 {{d}}, {{a}}, {{b}}" for o in ("min", "max")],
    *[_float_flag(f"setp.{c}.f64 {{d}}, {{a}}, {{b}}", "f64") for c in (*_COMPARE, "num", "nan")],
    *[
        _float_flag(f"setp.{c}.f64 {{d}}, {{a}}, {{b}}", "f64")
        for c in ("equ", "neu", "ltu", "leu", "gtu", "geu")
    ],
    "abs.f64 {d}, {a}",
    "neg.f64 {d}, {a}",
    "add.f64 {d}, {a}, 0d3FF8000000000000",
    "fma.rn.f64 {d}, {a}, 0d3FF8000000000000, {b}",
    "neg.f64 %e1, {b}; fma.rn.f64 {d}, {a}, %e1, {c}",
    "div.rn.f64 {d}, {a}, {b}",
    "div.rn.f64 {d}, {a}, 0d412E848000000000",
    "sqrt.rn.f64 {d}, 0d4000000000000000; add.rn.f64 {d}, {d}, {a}",
    "rcp.rn.f64 {d}, {a}",
    "sqrt.rn.f64 {d}, {a}",
    *[f"cvt.{m}.f64.f64 {{d}}, {{a}}" for m in ("rni", "rzi", "rmi", "rpi")],
    *[f"cvt.rzi.{t}.f64 %x1, {{a}}; cvt.rn.f64.{t} {{d}}, %x1" for t in ("u32", "s32")],
    *[f"cvt.rzi.{t}.f64 %y1, {{a}}; mov.b64 {{d}}, %y1" for t in ("u64", "s64")],
    *[f"cvt.{m}.f32.f64 %f1, {{a}}; cvt.f64.f32 {{d}}, %f1" for m in _ROUND],
    "setp.lt.f64 %p1, {a}, {b}; selp.f64 {d}, {c}, {a}, %p1",
]

F16X2 = [
    *[f"{o}.rn.f16x2 {{d}}, {{a}}, {{b}}" for o in ("add", "sub", "mul")],
    "add.rn.sat.f16x2 {d}, {a}, {b}",
    "fma.rn.f16x2 {d}, {a}, {b}, {c}",
    "fma.rn.relu.f16x2 {d}, {a}, {b}, {c}",
    "fma.rn.bf16x2 {d}, {a}, {b}, {c}",
    "neg.f16x2 {d}, {a}",
    "abs.f16x2 {d}, {a}",
    *[f"{o}.f16x2 {{d}}, {{a}}, {{b}}" for o in ("min", "max", "min.NaN", "max.NaN")],
    *[f"{o}.bf16x2 {{d}}, {{a}}, {{b}}" for o in ("min", "max")],
    *[
        f"setp.{c}.f16x2 %p1|%p2, {{a}}, {{b}}; selp.b32 {{d}}, 1, 0, %p1; @%p2 add.u32 {{d}}, {{d}}, 2"
        for c in ("lt", "gtu", "eq", "ne", "nan", "lt.ftz")
    ],
    *_each("set.@.f16x2 {d}, {a}, {b}", "gt.f16x2", "leu.u32", "eq.ftz.f16x2", "nan.s32"),
    *[
        f"setp.lt.s32 %p1, {{c}}, 0; set.{c} {{d}}, {{a}}, {{b}}, %p1"
        for c in ("gt.and.f16x2.f16x2", "lt.or.u32.f16x2", "ge.xor.f16x2.f16x2")
    ],
    "mov.b32 {{%h1, %h2}}, {a}; set.gt.u32.f16 {d}, %h1, %h2",
    "mov.b32 {{%h1, %h2}}, {a}; cvt.f32.f16 %f1, %h2; mov.b32 {d}, %f1",
    "mov.b32 {{%h1, %h2}}, {a}; cvt.f64.f16 %e1, %h2; cvt.rn.f32.f64 %f1, %e1; mov.b32 {d}, %f1",
    "mov.b32 {{%h1, %h2}}, {a}; mov.b32 {{%h3, %h4}}, {b}; add.rn.f16 %h1, %h1, %h4;"
    " mov.b32 {d}, {{%h1, %h2}}",
    "mov.b32 {{%h1, %h2}}, {a}; cvt.rzi.s32.f16 {d}, %h1",
    *[
        f"mov.b32 {{{{%h1, %h2}}}}, {{a}}; mov.b16 %h3, {literal}; {o} %h3, %h3; mov.b32 {{d}}, {{{{%h1, %h3}}}}"
        for o in ("cvt.rzi.f16.f16", "cvt.rmi.f16.f16", "cvt.rzi.s16.f16")
        for literal in ("0xC240", "0x4B80", "0x7E01")
    ],
    *[f"{o} {{d}}, {{a}}" for o in ("tanh.approx.f16x2", "ex2.approx.f16x2")],
    "mov.b32 {{%h1, %h2}}, {a}; cvt.rn.f16.s16 %h3, %h1; cvt.rni.f16.f16 %h4, %h2; mov.b32 {d}, {{%h3, %h4}}",
]

APPROXIMATE = [
    "mov.b32 %x1, {a}; and.b32 %x1, %x1, 0x81ffffff; or.b32 %x1, %x1, 0x3c000000; mov.b32 %f1, %x1;"
    " sin.approx.ftz.f32 {d}, %f1",
    "mov.b32 %x1, {a}; and.b32 %x1, %x1, 0x81ffffff; or.b32 %x1, %x1, 0x3c000000; mov.b32 %f1, %x1;"
    " cos.approx.ftz.f32 {d}, %f1",
    "mov.b32 %x1, {b}; and.b32 %x1, %x1, 0x81ffffff; or.b32 %x1, %x1, 0x3c000000; mov.b32 %f1, %x1;"
    " div.full.f32 {d}, %f1, 0f3F9D70A4",
]
"""Rows with error bounds in the PTX ISA: their steps round differently in machine code."""

GROUPS: dict[str, tuple[str, list[str]]] = {
    "b32": ("b32", B32),
    "warp": ("b32", WARP),
    "b64": ("b64", B64),
    "f32": ("f32", F32),
    "f64": ("f64", F64),
    "f16x2": ("f16x2", F16X2),
    "approximate": ("f32", APPROXIMATE),
}


LATER = [
    ("warp", 90, _ELECT),
    ("b32", 90, _HALVES),
    ("f32", 90, _SMALL),
    ("f32", 100, _THREE),
    ("b64", 100, _PAIRS),
]
"""Rows that need later GPUs: the group, the first GPU, and the rows."""


def rows_of(group: str, arch: str) -> list[str]:
    """The rows of a group on a GPU."""
    number = int(arch.removeprefix("sm_"))
    found = list(GROUPS[group][1])
    for name, since, rows in LATER:
        if name == group and number >= since:
            found += rows
    return found


def differs(a: Array, b: Array, kind_name: str) -> Array:
    """Returns where results differ; any NaN equals any other."""
    out = a != b
    dtype = {"f32": "f4", "f64": "f8"}.get(kind_name)
    if dtype is not None:
        x, y = a.view(dtype), b.view(dtype)
        return out & ~((x != x) & (y != y))
    if kind_name == "f16x2":
        x, y = a.view("f2").reshape(-1, 2), b.view("f2").reshape(-1, 2)
        same = (a.view("u2") == b.view("u2")).reshape(-1, 2) | ((x != x) & (y != y))
        return ~same.all(axis=1)
    return out
