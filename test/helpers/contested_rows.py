"""Rows for behaviour that the documents leave open or describe loosely, in the form of `machine_rows`.

The groups run on a GPU, if there is one; the simulator must compute the same bits. `APPROXIMATE` has the
functions whose errors the PTX ISA bounds: a bound is relative to the result, or absolute if it is marked so.
"""

from __future__ import annotations

from typing import Final

_INTEGERS: Final = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")


def _widened(convert: str, type_: str, size: str) -> str:
    """A conversion of `{a}` to an integer, whose bits become `{d}`."""
    bits = int(type_[1:])
    temporary = "%h1" if bits <= 16 else "%x1" if bits == 32 else "%y1"
    kind = type_[0] + ("16" if bits == 8 else str(bits))
    if size == "f64":
        wide = (
            f"cvt.{type_[0]}64.{kind} %y2, %h1"
            if bits <= 16
            else f"cvt.{type_[0]}64.{kind} %y2, %x1"
        )
        wide = "mov.b64 %y2, %y1" if bits == 64 else wide
        return f"{convert} {temporary}, {{a}}; {wide}; mov.b64 {{d}}, %y2"
    narrow = f"cvt.{type_[0]}32.{kind} %x2, {temporary}" if bits != 32 else "mov.b32 %x2, %x1"
    return f"{convert} {temporary}, {{a}}; {narrow}; mov.b32 {{d}}, %x2"


B32 = [
    *[f"{o}.{t} {{d}}, {{a}}, {{b}}" for o in ("div", "rem") for t in ("u32", "s32")],
    *[f"{o}.sat.s32 {{d}}, {{a}}, {{b}}" for o in ("add", "sub")],
    "mad.hi.sat.s32 {d}, {a}, {b}, {c}",
    *[
        f"cvt.sat.{t}.{s} %h1, {{a}}; cvt.{t[0]}32.{t[0]}16 {{d}}, %h1"
        for t in ("u8", "s8", "u16", "s16")
        for s in ("u32", "s32")
    ],
    "cvt.sat.u32.s32 {d}, {a}",
    "cvt.sat.s32.u32 {d}, {a}",
    *[f"{o}.{t} {{d}}, {{a}}, {{b}}" for o in ("min", "max", "add") for t in ("s16x2", "u16x2")],
    "min.s16x2.relu {d}, {a}, {b}",
    "max.s32.relu {d}, {a}, {b}",
    *[
        f"prmt.b32.{m} {{d}}, {{a}}, {{b}}, {{c}}"
        for m in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    ],
    "bfi.b32 {d}, {a}, {b}, {c}, {a}",
    *[f"bfe.{t} {{d}}, {{a}}, {{b}}, {{c}}" for t in ("u32", "s32")],
    *[f"mul24.hi.{t} {{d}}, {{a}}, {{b}}" for t in ("u32", "s32")],
    *[f"mad24.lo.{t} {{d}}, {{a}}, {{b}}, {{c}}" for t in ("u32", "s32")],
    "mad24.hi.sat.s32 {d}, {a}, {b}, {c}",
    *[
        f"dp2a.{m}.{t} {{d}}, {{a}}, {{b}}, {{c}}"
        for m in ("lo", "hi")
        for t in ("u32.u32", "s32.s32", "u32.s32", "s32.u32")
    ],
    *[f"dp4a.{t} {{d}}, {{a}}, {{b}}, {{c}}" for t in ("s32.u32",)],
    # The least number as the offset has no positive counterpart.
    "max.s32 %x1, {c}, 0x80000001; fns.b32 {d}, {a}, {b}, %x1",
    *[
        f"cvt.u16.u32 %h1, {{a}}; cvt.u16.u32 %h2, {{b}}; {o}.{t} %h3, %h1, %h2; cvt.u32.u16 {{d}}, %h3"
        for o in ("div", "rem")
        for t in ("u16", "s16")
    ],
    *[
        f"cvt.u16.u32 %h1, {{a}}; {o} %h3, %h1, {{b}}; cvt.u32.u16 {{d}}, %h3"
        for o in ("shl.b16", "shr.u16", "shr.s16")
    ],
]

_FIELD: Final = (
    "cvt.u32.u64 %x1, {b}; cvt.u32.u64 %x2, {c}; and.b32 %x1, %x1, 255; and.b32 %x2, %x2, 255;"
)
"""Position and length of a bit field: the ISA restricts them to 255, and ptxas does not mask larger ones."""

B64 = [
    *[f"{o}.{t} {{d}}, {{a}}, {{b}}" for o in ("div", "rem") for t in ("u64", "s64")],
    *[
        f"cvt.sat.{t}.{s} %x1, {{a}}; cvt.u64.u32 {{d}}, %x1"
        for t in ("u32", "s32")
        for s in ("u64", "s64")
    ],
    *[f"{_FIELD} bfe.{t} {{d}}, {{a}}, %x1, %x2" for t in ("u64", "s64")],
    f"{_FIELD} bfi.b64 {{d}}, {{a}}, {{b}}, %x1, %x2",
    *[f"sad.{t} {{d}}, {{a}}, {{b}}, {{c}}" for t in ("u64", "s64")],
]

F32 = [
    *[
        _widened(f"cvt.{m}.{t}.f32", t, "f32")
        for t in _INTEGERS
        for m in ("rzi", "rni.sat", "rpi.ftz")
    ],
    *[f"{o}.xorsign.abs.f32 {{d}}, {{a}}, {{b}}" for o in ("min", "max")],
    *[f"{o}.NaN.xorsign.abs.f32 {{d}}, {{a}}, {{b}}" for o in ("min", "max")],
    *[f"{o}.ftz.NaN.f32 {{d}}, {{a}}, {{b}}" for o in ("min", "max")],
    "cvt.rna.tf32.f32 %x1, {a}; mov.b32 {d}, %x1",
    *[f"cvt.{m}.tf32.f32 %x1, {{a}}; mov.b32 {{d}}, %x1" for m in ("rn", "rz", "rn.relu")],
    *[
        f"cvt.rn.satfinite{r}.{t}.f32 %h1, {{a}}, {{b}}; cvt.u32.u16 %x1, %h1; mov.b32 {{d}}, %x1"
        for t in ("e4m3x2", "e5m2x2")
        for r in ("", ".relu")
    ],
    *[
        f"cvt.{m}.satfinite.f16.f32 %h1, {{a}}; cvt.u32.u16 %x1, %h1; mov.b32 {{d}}, %x1"
        for m in ("rn", "rz")
    ],
    *[
        f"cvt.{m}.bf16.f32 %h1, {{a}}; cvt.u32.u16 %x1, %h1; mov.b32 {{d}}, %x1"
        for m in ("rn", "rz", "rn.relu")
    ],
    *[f"cvt.{m}.sat.f32.f32 {{d}}, {{a}}" for m in ("rni", "rzi")],
    "cvt.sat.f32.f32 {d}, {a}",
    "cvt.ftz.f32.f32 {d}, {a}",
    "fma.rn.ftz.sat.f32 {d}, {a}, {b}, {c}",
    *[
        f"testp.{k}.f32 %p1, {{a}}; selp.f32 {{d}}, 0f3F800000, 0f00000000, %p1"
        for k in ("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    ],
    *[
        f"set.{c}.u32.f32 %x1, {{a}}, {{b}}; mov.b32 {{d}}, %x1"
        for c in ("lt", "ltu", "num", "nan", "neu")
    ],
    *[f"set.{c}.f32.f32 {{d}}, {{a}}, {{b}}" for c in ("eq", "geu")],
    "slct.f32.f32 {d}, {a}, {b}, {c}",
    "slct.ftz.f32.f32 {d}, {a}, {b}, {c}",
]

F64 = [
    *[_widened(f"cvt.{m}.{t}.f64", t, "f64") for t in _INTEGERS for m in ("rzi", "rni.sat")],
    *[
        f"testp.{k}.f64 %p1, {{a}}; selp.f64 {{d}}, 0d3FF0000000000000, 0d0000000000000000, %p1"
        for k in ("finite", "normal", "subnormal")
    ],
    *[f"cvt.{m}.f16.f64 %h1, {{a}}; cvt.f64.f16 {{d}}, %h1" for m in ("rn", "rz")],
    "cvt.rn.ftz.f32.f64 %f1, {a}; cvt.f64.f32 {d}, %f1",
    "cvt.rn.sat.f32.f64 %f1, {a}; cvt.f64.f32 {d}, %f1",
    *[f"{o}.approx.ftz.f64 {{d}}, {{a}}" for o in ("rcp", "rsqrt")],
    "copysign.f64 {d}, {a}, {b}",
]

F16X2 = [
    *[
        f"{o}.xorsign.abs.{t} {{d}}, {{a}}, {{b}}"
        for o in ("min", "max")
        for t in ("f16x2", "bf16x2")
    ],
    *[f"{o}.NaN.{t} {{d}}, {{a}}, {{b}}" for o in ("min", "max") for t in ("f16x2", "bf16x2")],
    *[f"{o}.rn.bf16x2 {{d}}, {{a}}, {{b}}" for o in ("add", "sub", "mul")],
    *[
        f"fma.rn.{m}.f16x2 {{d}}, {{a}}, {{b}}, {{c}}"
        for m in ("ftz", "sat", "ftz.relu", "oob", "oob.relu")
    ],
    "fma.rn.relu.bf16x2 {d}, {a}, {b}, {c}",
    "add.ftz.f16x2 {d}, {a}, {b}",
    "neg.bf16x2 {d}, {a}",
    "abs.bf16x2 {d}, {a}",
    *[
        f"mov.b32 {{{{%h1, %h2}}}}, {{a}}; cvt.{m}.{t}.f16 %h3, %h1; cvt.{t[0]}32.{t[0]}16 {{d}}, %h3"
        for t in ("u16", "s16", "u8", "s8")
        for m in ("rzi", "rni")
    ],
    *[
        f"mov.b32 {{{{%h1, %h2}}}}, {{a}}; cvt.rzi.{t}.f16 %x1, %h1; mov.b32 {{d}}, %x1"
        for t in ("u32", "s32")
    ],
    *[
        f"mov.b32 {{{{%h1, %h2}}}}, {{a}}; cvt.rzi.{t}.bf16 %x1, %h1; mov.b32 {{d}}, %x1"
        for t in ("u32", "s32")
    ],
    *[
        f"mov.b32 {{{{%h1, %h2}}}}, {{a}}; cvt.rn.f16x2.{t} {{d}}, %h1"
        for t in ("e4m3x2", "e5m2x2")
    ],
    *[
        f"cvt.rn.satfinite.{t}.f16x2 %h1, {{a}}; cvt.u32.u16 {{d}}, %h1"
        for t in ("e4m3x2", "e5m2x2")
    ],
]

GROUPS: dict[str, tuple[str, list[str]]] = {
    "b32": ("b32", B32),
    "b64": ("b64", B64),
    "f32": ("f32", F32),
    "f64": ("f64", F64),
    "f16x2": ("f16x2", F16X2),
}

UNKNOWN_TO_THE_EXECUTOR: Final = (".oob",)
"""Substrings of rows whose machine instructions the executor lacks: they need a GPU."""

APPROXIMATE: dict[str, float] = {
    "rcp.approx.ftz.f32 {d}, {a}": 2.0**-23,
    "rcp.approx.f32 {d}, {a}": 2.0**-23,
    "rsqrt.approx.ftz.f32 {d}, {a}": 2.0**-22.9,
    "rsqrt.approx.f32 {d}, {a}": 2.0**-22.9,
    "sqrt.approx.ftz.f32 {d}, {a}": 2.0**-23,
    "sqrt.approx.f32 {d}, {a}": 2.0**-23,
    "ex2.approx.ftz.f32 {d}, {a}": 2.0**-22,
    "ex2.approx.f32 {d}, {a}": 2.0**-22,
    "lg2.approx.ftz.f32 {d}, {a}": 2.0**-22,
    "lg2.approx.f32 {d}, {a}": 2.0**-22,
    "tanh.approx.f32 {d}, {a}": 2.0**-11,
    "div.approx.f32 {d}, {a}, {b}": 2.0**-22,
    "div.approx.ftz.f32 {d}, {a}, {b}": 2.0**-22,
    "div.full.f32 {d}, {a}, {b}": 2.0**-22,
    "div.full.ftz.f32 {d}, {a}, {b}": 2.0**-22,
}
"""Bounds of relative errors (PTX ISA, "Floating Point Instructions")."""
