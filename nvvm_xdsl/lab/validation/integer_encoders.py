"""Encoders of integer ops on scalars: comparisons, casts, divisions, intrinsics and `select`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import int_property, predicate_of
from nvvm_xdsl.dialects.llvm.flags import (
    NSW,
    NUW,
    is_disjoint,
    is_exact,
    is_non_negative,
    overflow_flags,
)
from nvvm_xdsl.lab.validation.operators import ICMP, INTEGERS, NoTermError
from nvvm_xdsl.lab.validation.scope import Scope, all_undef, any_poison
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import (
    ANY_ORIGIN,
    NEVER,
    ORIGIN_BITS,
    Leaf,
    Term,
    UnsupportedError,
    choose_leaf,
    either,
    truth,
)


class Scalar(NamedTuple):
    """One scalar of an op.

    Arguments:
        scope: the function.
        op: the op.
        operands: a leaf for each operand, with the undef bits of this use.
        source: the scalar type of the first operand.
        result: the scalar type of the result.
        width: the width of the result.
    """

    scope: Scope
    op: Operation
    operands: Sequence[Leaf]
    source: Attribute
    result: Attribute
    width: int

    @property
    def bits(self) -> list[Term]:
        """The bits of the operands."""
        return [leaf.bits for leaf in self.operands]

    def made(self, bits: Term, *poison: Term) -> Leaf:
        """A result that is poison if an operand is poison, or under one of the conditions."""
        condition = any_poison(self.operands)
        for extra in poison:
            condition = either(condition, extra)
        return Leaf(bits, condition, all_undef(self.operands))


Encoder = Callable[[Scalar], Leaf]


def _wraps(name: str, signed: bool, a: Term, b: Term) -> Term:
    width = a.size()
    if name == "mul" and width > 8:
        fits = z3.BVMulNoOverflow(a, b, signed)
        return z3.Not(z3.And(fits, z3.BVMulNoUnderflow(a, b)) if signed else fits)
    extra = width if name == "mul" else 1
    extend = z3.SignExt if signed else z3.ZeroExt
    exact = INTEGERS[name](z3, extend(extra, a), extend(extra, b))
    return exact != extend(extra, z3.Extract(width - 1, 0, exact))


def _arithmetic(name: str) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        a, b = scalar.bits
        flags = overflow_flags(scalar.op)
        return scalar.made(
            INTEGERS[name](z3, a, b),
            _wraps(name, True, a, b) if flags & NSW else NEVER,
            _wraps(name, False, a, b) if flags & NUW else NEVER,
        )

    return encode


def _division(name: str) -> Encoder:
    signed = name.startswith("s")

    def encode(scalar: Scalar) -> Leaf:
        dividend, divisor = scalar.operands
        a, b = scalar.bits
        scalar.scope.undefined(either(divisor.poison, b == 0))
        if signed:
            least = z3.BitVecVal(1 << (a.size() - 1), a.size())
            scalar.scope.undefined(z3.And(b == -1, either(dividend.poison, a == least)))
        inexact = NEVER
        if is_exact(scalar.op):
            inexact = (z3.SRem(a, b) if signed else z3.URem(a, b)) != 0
        return scalar.made(INTEGERS[name](z3, a, b), inexact)

    return encode


def _shift(name: str) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        a, b = scalar.bits
        width = a.size()
        result = INTEGERS[name](z3, a, b)
        large = z3.UGE(b, width) if (1 << width) > width else NEVER
        lost: list[Term] = []
        flags = overflow_flags(scalar.op)
        if flags & NSW:
            lost.append((result >> b) != a)
        if flags & NUW:
            lost.append(z3.LShR(result, b) != a)
        if is_exact(scalar.op):
            lost.append((result << b) != a)
        return scalar.made(result, large, *lost)

    return encode


def _or(scalar: Scalar) -> Leaf:
    a, b = scalar.bits
    return scalar.made(a | b, (a & b) != 0 if is_disjoint(scalar.op) else NEVER)


def _plain(name: str) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        try:
            return scalar.made(INTEGERS[name](z3, *scalar.bits))
        except NoTermError as error:
            raise UnsupportedError(str(error)) from None

    return encode


def _funnel(name: str) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        a, b, amount = scalar.bits
        width = a.size()
        if (1 << width) <= width:
            return scalar.made(a if name == "fshl" else b)
        return scalar.made(INTEGERS[name](z3, a, b, amount))

    return encode


def _select(scalar: Scalar) -> Leaf:
    condition, a, b = scalar.operands
    found = choose_leaf(condition.bits == 1, a, b)
    poison = either(condition.poison, found.poison)
    return replace(found, poison=poison, undef=all_undef(scalar.operands))


def _icmp(scalar: Scalar) -> Leaf:
    a, b = scalar.bits
    compared = truth(ICMP[predicate_of(scalar.op)](z3, a, b))
    same_sign = "samesign" in scalar.op.properties
    return scalar.made(compared, (a < 0) != (b < 0) if same_sign else NEVER)


def _freeze(scalar: Scalar) -> Leaf:
    (operand,) = scalar.operands
    bits = operand.bits
    if not z3.is_false(operand.poison):
        bits = z3.If(operand.poison, scalar.scope.fresh("freeze", scalar.width), bits)
    return replace(operand, bits=bits, poison=NEVER, undef=())


def _trunc(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    result = z3.Extract(scalar.width - 1, 0, a)
    flags, extra = overflow_flags(scalar.op), a.size() - scalar.width
    return scalar.made(
        result,
        z3.SignExt(extra, result) != a if flags & NSW else NEVER,
        z3.ZeroExt(extra, result) != a if flags & NUW else NEVER,
    )


def _zext(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    negative = a < 0 if is_non_negative(scalar.op) else NEVER
    return scalar.made(z3.ZeroExt(scalar.width - a.size(), a), negative)


def _sext(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    return scalar.made(z3.SignExt(scalar.width - a.size(), a))


def resized(bits: Term, width: int) -> Term:
    """The bits truncated or zero-extended."""
    extra = width - bits.size()
    return z3.ZeroExt(extra, bits) if extra > 0 else z3.Extract(width - 1, 0, bits)


def _pointer_cast(scalar: Scalar) -> Leaf:
    (operand,) = scalar.operands
    leaf = scalar.made(resized(operand.bits, scalar.width))
    if not isinstance(scalar.result, LLVMPointerType):
        return leaf
    return replace(leaf, wild=True, origin=z3.BitVecVal(ANY_ORIGIN, ORIGIN_BITS))


def _abs(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    least = a == z3.BitVecVal(1 << (a.size() - 1), a.size())
    poison = int_property(scalar.op, "is_int_min_poison") != 0
    return scalar.made(INTEGERS["abs"](z3, a), least if poison else NEVER)


def _zero_count(name: str) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        (a,) = scalar.bits
        poison = int_property(scalar.op, "is_zero_poison") != 0
        return scalar.made(INTEGERS[name](z3, a), a == 0 if poison else NEVER)

    return encode


def _three_way(less: Callable[..., Any]) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        a, b = scalar.bits
        minus, zero, one = (z3.BitVecVal(n, scalar.width) for n in (-1, 0, 1))
        return scalar.made(z3.If(less(a, b), minus, z3.If(a == b, zero, one)))

    return encode


def _shift_saturating(signed: bool) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        a, b = scalar.bits
        width = a.size()
        result = a << b
        back = result >> b if signed else z3.LShR(result, b)
        top = (1 << (width - 1)) if signed else 0
        most = z3.BitVecVal((top or 1 << width) - 1, width)
        limit = z3.If(a < 0, z3.BitVecVal(top, width), most) if signed else most
        return scalar.made(z3.If(back == a, result, limit), z3.UGE(b, width))

    return encode


def _high_product(signed: bool) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        a, b = scalar.bits
        width = a.size()
        extend = z3.SignExt if signed else z3.ZeroExt
        return scalar.made(z3.Extract(2 * width - 1, width, extend(width, a) * extend(width, b)))

    return encode


def _first(scalar: Scalar) -> Leaf:
    return scalar.operands[0]


_ARITHMETIC = ("add", "sub", "mul")
_DIVISIONS = ("udiv", "sdiv", "urem", "srem")
_SHIFTS = ("shl", "lshr", "ashr")
_INTRINSICS = {
    "smax": "smax", "smin": "smin", "umax": "umax", "umin": "umin", "ctpop": "ctpop",
    "bswap": "bswap", "bitreverse": "bitreverse", "uadd.sat": "uaddsat", "sadd.sat": "saddsat",
    "usub.sat": "usubsat", "ssub.sat": "ssubsat",
}  # fmt: skip

SCALAR_OPS: dict[str, Encoder] = {
    **{f"llvm.{name}": _arithmetic(name) for name in _ARITHMETIC},
    **{f"llvm.{name}": _division(name) for name in _DIVISIONS},
    **{f"llvm.{name}": _shift(name) for name in _SHIFTS},
    **{f"llvm.intr.{name}": _plain(term) for name, term in _INTRINSICS.items()},
    "llvm.and": _plain("and"),
    "llvm.or": _or,
    "llvm.xor": _plain("xor"),
    "llvm.icmp": _icmp,
    "llvm.select": _select,
    "llvm.freeze": _freeze,
    "llvm.trunc": _trunc,
    "llvm.zext": _zext,
    "llvm.sext": _sext,
    "llvm.ptrtoint": _pointer_cast,
    "llvm.inttoptr": _pointer_cast,
    "llvm.intr.abs": _abs,
    "llvm.intr.ctlz": _zero_count("ctlz"),
    "llvm.intr.cttz": _zero_count("cttz"),
    "llvm.intr.fshl": _funnel("fshl"),
    "llvm.intr.fshr": _funnel("fshr"),
    "llvm.intr.scmp": _three_way(operator.lt),
    "llvm.intr.ucmp": _three_way(z3.ULT),
    "llvm.intr.ushl.sat": _shift_saturating(False),
    "llvm.intr.sshl.sat": _shift_saturating(True),
    "llvm.intr.expect": _first,
    "llvm.intr.expect.with.probability": _first,
    "llvm.intr.ssa.copy": _first,
}
"""Encoders by op. An op on vectors is encoded scalar by scalar."""

SCALAR_INTRINSICS: dict[str, Encoder] = {
    **{f"llvm.nvvm.mulhi.{suffix}": _high_product(True) for suffix in ("s", "i", "ll")},
    **{f"llvm.nvvm.mulhi.{suffix}": _high_product(False) for suffix in ("us", "ui", "ull")},
}
"""Encoders of calls of intrinsics that have no op."""

OVERFLOWS = {
    f"llvm.intr.{'s' if signed else 'u'}{name}.with.overflow": (name, signed)
    for name in _ARITHMETIC
    for signed in (False, True)
}
"""Intrinsics that return a result and an overflow bit."""


def with_overflow(scalar: Scalar) -> tuple[Leaf, Leaf]:
    """The wrapped result of an `*.with.overflow` intrinsic, and whether it wrapped."""
    name, signed = OVERFLOWS[scalar.op.name]
    a, b = scalar.bits
    result = scalar.made(INTEGERS[name](z3, a, b))
    return result, scalar.made(truth(_wraps(name, signed, a, b)))
