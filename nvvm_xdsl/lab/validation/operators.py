"""Integer and floating-point operators as Z3 terms.

The first argument of each entry is the `z3` module, because Z3 is an optional dependency. The
proofs of rewrite rules (`dev.prove`) and `nvvm-tv` use these tables.
"""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
from __future__ import annotations

from collections.abc import Callable
from typing import Any

Operators = dict[str, Callable[..., Any]]
"""Functions of the `z3` module and the operands, by the operator's name."""


class NoTermError(ValueError):
    """The operator has no term for these operands. The message names the reason."""


def log2(z3: Any, n: Any) -> Any:
    """The position of the highest set bit of `n`, 0 for 0."""
    found = z3.BitVecVal(0, n.size())
    for bit in range(n.size()):
        found = z3.If(z3.Extract(bit, bit, n) == 1, z3.BitVecVal(bit, n.size()), found)
    return found


def trailing_zeros(z3: Any, n: Any) -> Any:
    """The position of the lowest set bit of `n`, 0 for 0."""
    return log2(z3, n & -n)


def _clz(z3: Any, n: Any) -> Any:
    return z3.If(n == 0, z3.BitVecVal(n.size(), n.size()), n.size() - 1 - log2(z3, n))


def population_count(z3: Any, n: Any) -> Any:
    """The number of set bits of `n`, in its width."""
    total = z3.BitVecVal(0, n.size())
    for bit in range(n.size()):
        total = total + z3.ZeroExt(n.size() - 1, z3.Extract(bit, bit, n)) if n.size() > 1 else n
    return total


def _reversed_bits(z3: Any, n: Any) -> Any:
    bits = [z3.Extract(bit, bit, n) for bit in range(n.size())]
    return z3.Concat(*bits) if len(bits) > 1 else n


def _swapped_bytes(z3: Any, n: Any) -> Any:
    if n.size() % 16:
        raise NoTermError("bswap of odd bytes")
    parts = [z3.Extract(8 * i + 7, 8 * i, n) for i in range(n.size() // 8)]
    return z3.Concat(*parts)


def _funnel_left(z3: Any, a: Any, b: Any, n: Any) -> Any:
    w = a.size()
    amount = z3.URem(n, w) if (1 << w) > w else z3.BitVecVal(0, w)
    both = z3.Concat(a, b) << z3.ZeroExt(w, amount)
    return z3.Extract(2 * w - 1, w, both)


def _funnel_right(z3: Any, a: Any, b: Any, n: Any) -> Any:
    w = a.size()
    amount = z3.URem(n, w) if (1 << w) > w else z3.BitVecVal(0, w)
    both = z3.LShR(z3.Concat(a, b), z3.ZeroExt(w, amount))
    return z3.Extract(w - 1, 0, both)


def _saturated(z3: Any, exact: Any, w: int, signed: bool) -> Any:
    if signed:
        low, high = -(1 << (w - 1)), (1 << (w - 1)) - 1
    else:
        low, high = 0, (1 << w) - 1
    clamped = z3.If(exact < low, low, z3.If(exact > high, high, exact))
    return z3.Extract(w - 1, 0, clamped)


def _saturating(sign: int, signed: bool) -> Callable[..., Any]:
    def compute(z3: Any, a: Any, b: Any) -> Any:
        w = a.size()
        extend = z3.SignExt if signed else z3.ZeroExt
        x, y = extend(2, a), extend(2, b)
        return _saturated(z3, x + y if sign > 0 else x - y, w, signed)

    return compute


INTEGERS: Operators = {
    "add": lambda z3, a, b: a + b,
    "sub": lambda z3, a, b: a - b,
    "mul": lambda z3, a, b: a * b,
    "udiv": lambda z3, a, b: z3.UDiv(a, b),
    "sdiv": lambda z3, a, b: a / b,
    "urem": lambda z3, a, b: z3.URem(a, b),
    "srem": lambda z3, a, b: z3.SRem(a, b),
    "and": lambda z3, a, b: a & b,
    "or": lambda z3, a, b: a | b,
    "xor": lambda z3, a, b: a ^ b,
    "shl": lambda z3, a, b: a << b,
    "lshr": lambda z3, a, b: z3.LShR(a, b),
    "ashr": lambda z3, a, b: a >> b,
    "smax": lambda z3, a, b: z3.If(a > b, a, b),
    "smin": lambda z3, a, b: z3.If(a < b, a, b),
    "umax": lambda z3, a, b: z3.If(z3.UGT(a, b), a, b),
    "umin": lambda z3, a, b: z3.If(z3.ULT(a, b), a, b),
    "abs": lambda z3, a: z3.If(a < 0, -a, a),
    "expect": lambda z3, a, b: a,
    "ctpop": population_count,
    "ctlz": _clz,
    "cttz": lambda z3, n: z3.If(n == 0, z3.BitVecVal(n.size(), n.size()), trailing_zeros(z3, n)),
    "bswap": _swapped_bytes,
    "bitreverse": _reversed_bits,
    "fshl": _funnel_left,
    "fshr": _funnel_right,
    "uaddsat": _saturating(1, False),
    "saddsat": _saturating(1, True),
    "usubsat": _saturating(-1, False),
    "ssubsat": _saturating(-1, True),
}


def _copysign(z3: Any, a: Any, b: Any) -> Any:
    return z3.If(z3.fpIsNegative(a) == z3.fpIsNegative(b), a, z3.fpNeg(a))


def propagating_nan(z3: Any, a: Any, b: Any, chosen: Any) -> Any:
    """NaN if an operand is NaN, else `chosen`."""
    nan = z3.Or(z3.fpIsNaN(a), z3.fpIsNaN(b))
    return z3.If(nan, z3.fpNaN(a.sort()), chosen)


def _maximum(z3: Any, a: Any, b: Any) -> Any:
    zero = z3.And(z3.fpIsZero(a), z3.fpIsZero(b))
    either = z3.If(z3.fpIsNegative(a), b, a)
    return propagating_nan(z3, a, b, z3.If(zero, either, z3.If(z3.fpGT(a, b), a, b)))


def _minimum(z3: Any, a: Any, b: Any) -> Any:
    zero = z3.And(z3.fpIsZero(a), z3.fpIsZero(b))
    either = z3.If(z3.fpIsNegative(a), a, b)
    return propagating_nan(z3, a, b, z3.If(zero, either, z3.If(z3.fpLT(a, b), a, b)))


def _number_of(z3: Any, a: Any, b: Any, chosen: Any) -> Any:
    return z3.If(z3.fpIsNaN(a), b, z3.If(z3.fpIsNaN(b), a, chosen))


def _rounded(mode: str) -> Callable[..., Any]:
    return lambda z3, a: z3.fpRoundToIntegral(getattr(z3, mode)(), a)


FLOATS: Operators = {
    "fadd": lambda z3, a, b: z3.fpAdd(z3.RNE(), a, b),
    "fsub": lambda z3, a, b: z3.fpSub(z3.RNE(), a, b),
    "fmul": lambda z3, a, b: z3.fpMul(z3.RNE(), a, b),
    "fdiv": lambda z3, a, b: z3.fpDiv(z3.RNE(), a, b),
    "fneg": lambda z3, a: z3.fpNeg(a),
    "fabs": lambda z3, a: z3.fpAbs(a),
    "copysign": _copysign,
    # Zeros are ordered by sign, as by PTX's min and max.
    "maxnum": lambda z3, a, b: _number_of(z3, a, b, _maximum(z3, a, b)),
    "minnum": lambda z3, a, b: _number_of(z3, a, b, _minimum(z3, a, b)),
    "maximum": _maximum,
    "minimum": _minimum,
    "fma": lambda z3, a, b, c: z3.fpFMA(z3.RNE(), a, b, c),
    "sqrt": lambda z3, a: z3.fpSqrt(z3.RNE(), a),
    "floor": _rounded("RTN"),
    "ceil": _rounded("RTP"),
    "ftrunc": _rounded("RTZ"),
    "rint": _rounded("RNE"),
}
ICMP: tuple[Callable[..., Any], ...] = (
    lambda z3, a, b: a == b,
    lambda z3, a, b: a != b,
    lambda z3, a, b: a < b,
    lambda z3, a, b: a <= b,
    lambda z3, a, b: a > b,
    lambda z3, a, b: a >= b,
    lambda z3, a, b: z3.ULT(a, b),
    lambda z3, a, b: z3.ULE(a, b),
    lambda z3, a, b: z3.UGT(a, b),
    lambda z3, a, b: z3.UGE(a, b),
)
FCMP: tuple[Callable[..., Any], ...] = (
    lambda z3, a, b: z3.BoolVal(False),
    lambda z3, a, b: z3.fpEQ(a, b),
    lambda z3, a, b: z3.fpGT(a, b),
    lambda z3, a, b: z3.fpGEQ(a, b),
    lambda z3, a, b: z3.fpLT(a, b),
    lambda z3, a, b: z3.fpLEQ(a, b),
    lambda z3, a, b: z3.Not(z3.fpEQ(a, b)),
)
"""Comparisons by the number of an ordered predicate; the corresponding unordered predicate is 7
higher."""
