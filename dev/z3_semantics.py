"""Z3 terms of the ops, conditions and computed constants of rules.

The first argument of each entry is the `z3` module; the caller imports it, because it is a
dependency of development only.
"""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from nvvm_xdsl.lab.validation.operators import log2, population_count, trailing_zeros
from nvvm_xdsl.rules import predicates


def _significand(z3: Any, n: Any) -> Any:
    return z3.Extract(n.sort().sbits() - 2, 0, z3.fpToIEEEBV(n))


DIVISIONS = frozenset({"udiv", "sdiv", "urem", "srem"})
CASTS = frozenset(
    {
        "zext",
        "sext",
        "trunc",
        "fpext",
        "fptrunc",
        "sitofp",
        "uitofp",
        "fptosi",
        "fptoui",
        "bitcast",
        "spacecast",
    }
)


FLOAT_OPS: dict[type, str] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}

NUMBERS: dict[type, Callable[..., Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.Div: lambda a, b: a / b,
}


def _ignoring_z3(compute: Callable[..., Any]) -> Callable[..., Any]:
    return lambda z3, a, b: compute(a, b)


WIDE: dict[type, Callable[..., Any]] = {
    **{op: _ignoring_z3(compute) for op, compute in NUMBERS.items()},
    # Divisions in conditions have nonnegative operands.
    ast.FloorDiv: lambda z3, a, b: z3.UDiv(a, b),
    ast.Mod: lambda z3, a, b: z3.URem(a, b),
}
COMPARE: dict[type, Callable[..., Any]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
FP_COMPARE: dict[type, Callable[..., Any]] = {
    ast.Eq: lambda z3, a, b: z3.fpEQ(a, b),
    ast.NotEq: lambda z3, a, b: z3.Not(z3.fpEQ(a, b)),
    ast.Lt: lambda z3, a, b: z3.fpLT(a, b),
    ast.LtE: lambda z3, a, b: z3.fpLEQ(a, b),
    ast.Gt: lambda z3, a, b: z3.fpGT(a, b),
    ast.GtE: lambda z3, a, b: z3.fpGEQ(a, b),
}


def _is_usual(z3: Any, number: Any) -> Any:
    return z3.Or(z3.fpIsZero(number), z3.fpIsNormal(number))


def _is_exact(z3: Any, number: Any, rounded: Any) -> Any:
    """Whether a number rounded to another type is the same, and zero or normal."""
    back = z3.fpFPToFP(z3.RNE(), rounded, number.sort())
    return z3.And(_is_usual(z3, rounded), z3.fpEQ(back, number))


def _has_bounds(z3: Any, number: Any) -> Any:
    least = z3.FPVal(2.0**-14, number.sort())
    return z3.And(
        z3.Not(z3.fpIsNaN(number)),
        z3.Not(z3.fpIsInf(number)),
        z3.Or(z3.fpIsZero(number), z3.fpGEQ(z3.fpAbs(number), least)),
    )


def _converts_near(z3: Any, number: Any, width: int, sort: Any) -> Any:
    bits = sort.sbits()
    return width <= bits or z3.fpLT(z3.fpAbs(number), z3.FPVal(2.0**bits, number.sort()))


def next_integer(z3: Any, number: Any, up: bool, width: int) -> Any:
    """The integer next to a float, as a signed bit vector; the least one for a float above 2^60."""
    limit = z3.FPVal(2.0 ** min(width - 2, 60), number.sort())
    found = z3.fpToSBV(z3.RTP() if up else z3.RTN(), number, z3.BitVecSort(width))
    return z3.If(z3.fpLT(z3.fpAbs(number), limit), found, z3.BitVecVal(1 << (width - 1), width))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "pow2": lambda z3, n: z3.And(n > 0, (n & (n - 1)) == 0),
    "fits": lambda z3, n, w: z3.And(-(1 << (w - 1)) <= n, n < (1 << (w - 1))),
    "log2": log2,
    "ctz": trailing_zeros,
    "lowmask": lambda z3, n: z3.And(n > 0, (n & (n + 1)) == 0),
    "popcount": population_count,
    "exact_reciprocal": lambda z3, n: z3.And(
        z3.fpIsNormal(n),
        _significand(z3, n) == 0,
        z3.fpIsNormal(z3.fpDiv(z3.RNE(), z3.FPVal(1.0, n.sort()), n)),
    ),
    "precision": lambda z3, sort: sort.sbits(),
    "has_bounds": _has_bounds,
    "converts_near": _converts_near,
    "held_by": lambda z3, n, sort: _is_exact(z3, n, z3.fpFPToFP(z3.RNE(), n, sort)),
    "is_between": lambda z3, n, sort: z3.And(
        z3.Not(_is_exact(z3, n, z3.fpFPToFP(z3.RNE(), n, sort))),
        *(_is_usual(z3, z3.fpFPToFP(mode, n, sort)) for mode in (z3.RTP(), z3.RTN())),
    ),
    "above": lambda z3, n, sort: z3.fpFPToFP(z3.RTP(), n, sort),
    "below": lambda z3, n, sort: z3.fpFPToFP(z3.RTN(), n, sort),
}
"""The functions of `rules/predicates.py` in Z3."""

PREDICATES: dict[str, Callable[..., Any]] = {
    "is_equality": predicates.is_equality,
    "is_signed": predicates.is_signed,
    "is_unsigned": predicates.is_unsigned,
    "fits": predicates.fits,
    "pow2": predicates.pow2,
}

KNOWN: dict[str, Callable[..., Any]] = {
    "known_nonneg": lambda z3, x: x >= 0,
    "known_zeros": lambda z3, x, mask: (x & mask) == 0,
    "known_ones": lambda z3, x, mask: (~x & mask) == 0,
    "known_disjoint": lambda z3, x, y: (x & y) == 0,
    "known_defined": lambda z3, x: z3.BoolVal(True),
    "is_object": lambda z3, x: x != 0,
    "known_nonzero": lambda z3, x: x != 0,
}
"""Facts of conditions about values, by the name of the predicate."""
