"""Encoders of floating-point ops on scalars.

Arithmetic is that of IEEE 754, rounded to nearest. A NaN result may have any sign and payload (LLVM
Language Reference, "Behavior of Floating-Point NaN values", allows targets to add payloads).
`fneg`, `fabs` and `copysign` change the sign bit only. An op with `reassoc`, `arcp`, `contract` or
`afn` is not encoded here; `statements` and `reassociation` describe its results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import int_property, predicate_of
from nvvm_xdsl.dialects.llvm.constants import FORMATS
from nvvm_xdsl.dialects.llvm.flags import has_fast_math, is_non_negative
from nvvm_xdsl.lab.validation.integer_encoders import Encoder, Scalar
from nvvm_xdsl.lab.validation.operators import FCMP, FLOATS
from nvvm_xdsl.lab.validation.reassociation import LOOSE_FLAGS
from nvvm_xdsl.lab.validation.scope import Scope
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import (
    ALWAYS,
    NEVER,
    Leaf,
    Term,
    either,
    float_sort,
    is_float,
    truth,
)


def _float(bits: Term, type_: Attribute) -> Term:
    return z3.fpBVToFP(bits, float_sort(type_))


def _infinity(type_: Attribute) -> int:
    form = FORMATS[type(type_)]
    return ((1 << form.exponent) - 1) << form.mantissa


def is_nan(bits: Term, type_: Attribute) -> Term:
    """Whether the bits are a NaN."""
    return z3.UGT(bits & ((1 << (bits.size() - 1)) - 1), _infinity(type_))


def is_infinite(bits: Term, type_: Attribute) -> Term:
    """Whether the bits are an infinity."""
    return bits & ((1 << (bits.size() - 1)) - 1) == _infinity(type_)


def any_nan(scope: Scope, type_: Attribute) -> Term:
    """A NaN of any sign and payload."""
    return nan_of(scope.fresh("nan", FORMATS[type(type_)].width), type_)


def nan_of(chosen: Term, type_: Attribute) -> Term:
    """The NaN with the sign and payload of these bits."""
    form = FORMATS[type(type_)]
    payload = z3.Extract(form.mantissa - 1, 0, chosen)
    quiet = z3.BitVecVal(1 << (form.mantissa - 1), form.mantissa)
    return z3.Concat(
        z3.Extract(form.width - 1, form.width - 1, chosen),
        z3.BitVecVal(-1, form.exponent),
        z3.If(payload == 0, quiet, payload),
    )


def _bits_of(scope: Scope, value: Term, type_: Attribute) -> Term:
    """The bits of a result of arithmetic."""
    is_nan = z3.simplify(z3.fpIsNaN(value))
    if z3.is_true(is_nan):
        return any_nan(scope, type_)
    bits = z3.fpToIEEEBV(value)
    return bits if z3.is_false(is_nan) else z3.If(is_nan, any_nan(scope, type_), bits)


def _any_zero_sign(scope: Scope, bits: Term, value: Term) -> Term:
    """The bits with any sign if the value is a zero."""
    width = bits.size()
    chosen = scope.fresh("sign", width)
    scope.usual[chosen.get_id()] = bits
    top = width - 1
    differs = z3.Extract(top, top, chosen) != z3.Extract(top, top, bits)
    return z3.If(z3.And(z3.fpIsZero(value), differs), bits ^ (1 << top), bits)


def _forbidden(scalar: Scalar, bits: Term, type_: Attribute) -> Term:
    """Whether a value makes the op's result poison by `nnan` or `ninf`."""
    found = NEVER
    if has_fast_math(scalar.op, "nnan"):
        found = either(found, z3.fpIsNaN(_float(bits, type_)))
    if has_fast_math(scalar.op, "ninf"):
        found = either(found, z3.fpIsInf(_float(bits, type_)))
    return found


def is_loose(scalar: Scalar) -> bool:
    """Whether the op has flags with rewrite-based semantics."""
    return any(has_fast_math(scalar.op, flag) for flag in LOOSE_FLAGS)


def _with_flags(scalar: Scalar, bits: Term, type_: Attribute) -> Leaf:
    """A result of the op with its `nnan`, `ninf` and `nsz`."""
    poison = _forbidden(scalar, bits, type_)
    for operand in scalar.bits:
        if operand.size() == FORMATS[type(scalar.source)].width:
            poison = either(poison, _forbidden(scalar, operand, scalar.source))
    if has_fast_math(scalar.op, "nsz"):
        bits = _any_zero_sign(scalar.scope, bits, _float(bits, type_))
    return scalar.made(bits, poison)


def _arithmetic(name: str) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        operands = [_float(bits, scalar.source) for bits in scalar.bits]
        if has_fast_math(scalar.op, "nsz"):
            operands = [
                _float(_any_zero_sign(scalar.scope, bits, value), scalar.source)
                for bits, value in zip(scalar.bits, operands)
            ]
        value = FLOATS[name](z3, *operands)
        return _with_flags(scalar, _bits_of(scalar.scope, value, scalar.result), scalar.result)

    return encode


def _fneg(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    return _with_flags(scalar, a ^ (1 << (a.size() - 1)), scalar.result)


def _fabs(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    return _with_flags(scalar, a & ((1 << (a.size() - 1)) - 1), scalar.result)


def _copysign(scalar: Scalar) -> Leaf:
    a, b = scalar.bits
    sign = 1 << (a.size() - 1)
    return _with_flags(scalar, (a & (sign - 1)) | (b & sign), scalar.result)


def _fcmp(scalar: Scalar) -> Leaf:
    number = predicate_of(scalar.op)
    a, b = (_float(bits, scalar.source) for bits in scalar.bits)
    poison = NEVER
    for bits in scalar.bits:
        poison = either(poison, _forbidden(scalar, bits, scalar.source))
    return scalar.made(truth(compared(number, a, b)), poison)


def compared(number: int, a: Term, b: Term) -> Term:
    """The result of an `fcmp` by the number of its predicate in MLIR."""
    unordered = z3.Or(z3.fpIsNaN(a), z3.fpIsNaN(b))
    if number == _ORD:
        return z3.Not(unordered)
    if number == _UNO:
        return unordered
    if number == _TRUE:
        return ALWAYS
    if number < _ORD:
        # `one` is false for NaN; the negation of `oeq` is not.
        ordered = FCMP[number](z3, a, b)
        return z3.And(z3.Not(unordered), ordered) if number == _ONE else ordered
    return z3.Or(unordered, FCMP[number - _ORD](z3, a, b))


_ONE, _ORD, _UNO, _TRUE = 6, 7, 14, 15
"""Predicates: 0 is `false`, 1 to 6 are ordered, 8 to 13 unordered."""


def _select(scalar: Scalar) -> Leaf:
    """A `select` of floats with flags."""
    condition, a, b = scalar.operands
    bits = z3.If(condition.bits == 1, a.bits, b.bits)
    poison = z3.If(condition.bits == 1, a.poison, b.poison)
    flagged = _with_flags(
        Scalar(scalar.scope, scalar.op, [], scalar.result, scalar.result, scalar.width),
        bits,
        scalar.result,
    )
    undef = tuple(dict.fromkeys(u for leaf in scalar.operands for u in leaf.undef))
    return Leaf(flagged.bits, either(condition.poison, either(poison, flagged.poison)), undef)


def _extended(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    value = z3.fpFPToFP(z3.RNE(), _float(a, scalar.source), float_sort(scalar.result))
    return _with_flags(scalar, _bits_of(scalar.scope, value, scalar.result), scalar.result)


def _from_integer(signed: bool) -> Encoder:
    convert = z3.fpSignedToFP if signed else z3.fpUnsignedToFP

    def encode(scalar: Scalar) -> Leaf:
        (a,) = scalar.bits
        value = convert(z3.RNE(), a, float_sort(scalar.result))
        negative = a < 0 if is_non_negative(scalar.op) else NEVER
        return scalar.made(_bits_of(scalar.scope, value, scalar.result), negative)

    return encode


def _to_integer(signed: bool) -> Encoder:
    def encode(scalar: Scalar) -> Leaf:
        (a,) = scalar.bits
        value = _float(a, scalar.source)
        sort = float_sort(scalar.source)
        whole = z3.fpRoundToIntegral(z3.RTZ(), value)
        convert = z3.fpToSBV if signed else z3.fpToUBV
        result = convert(z3.RTZ(), value, z3.BitVecSort(scalar.width))
        most = scalar.width - 1 if signed else scalar.width
        form = FORMATS[type(scalar.source)]
        outside = [z3.fpIsNaN(value), z3.fpIsInf(value)]
        if most < 1 << (form.exponent - 1):
            outside.append(z3.fpGEQ(whole, z3.FPVal(2.0**most, sort)))
            least = -(2.0**most) if signed else 0.0
            outside.append(z3.fpLT(whole, z3.FPVal(least, sort)))
        elif not signed:
            outside.append(z3.fpLT(whole, z3.FPVal(0.0, sort)))
        return scalar.made(result, z3.Or(*outside))

    return encode


_CLASSES: tuple[Callable[[Term, Term, Term], Term], ...] = (
    lambda v, bits, quiet: z3.And(z3.fpIsNaN(v), z3.Not(quiet)),
    lambda v, bits, quiet: z3.And(z3.fpIsNaN(v), quiet),
    lambda v, bits, quiet: z3.And(bits < 0, z3.fpIsInf(v)),
    lambda v, bits, quiet: z3.And(bits < 0, z3.fpIsNormal(v)),
    lambda v, bits, quiet: z3.And(bits < 0, z3.fpIsSubnormal(v)),
    lambda v, bits, quiet: z3.And(bits < 0, z3.fpIsZero(v)),
    lambda v, bits, quiet: z3.And(bits >= 0, z3.fpIsZero(v)),
    lambda v, bits, quiet: z3.And(bits >= 0, z3.fpIsSubnormal(v)),
    lambda v, bits, quiet: z3.And(bits >= 0, z3.fpIsNormal(v)),
    lambda v, bits, quiet: z3.And(bits >= 0, z3.fpIsInf(v)),
)
"""The classes of `llvm.is.fpclass`, by bit."""


def _is_class(scalar: Scalar) -> Leaf:
    (a,) = scalar.bits
    mask = int_property(scalar.op, "bit")
    top = FORMATS[type(scalar.source)].mantissa - 1
    quiet: Any = z3.Extract(top, top, a) == 1
    value = _float(a, scalar.source)
    found = [test(value, a, quiet) for bit, test in enumerate(_CLASSES) if mask >> bit & 1]
    return scalar.made(truth(z3.Or(*found)) if found else z3.BitVecVal(0, 1))


FLOAT_OPS: dict[str, Encoder] = {
    **{f"llvm.{name}": _arithmetic(name) for name in ("fadd", "fsub", "fmul", "fdiv")},
    "llvm.fneg": _fneg,
    "llvm.intr.fabs": _fabs,
    "llvm.intr.copysign": _copysign,
    "llvm.fcmp": _fcmp,
    "llvm.fpext": _extended,
    "llvm.fptrunc": _extended,
    "llvm.sitofp": _from_integer(True),
    "llvm.uitofp": _from_integer(False),
    "llvm.fptosi": _to_integer(True),
    "llvm.fptoui": _to_integer(False),
    "llvm.intr.is.fpclass": _is_class,
    "llvm.intr.fma": _arithmetic("fma"),
    "llvm.intr.sqrt": _arithmetic("sqrt"),
    "llvm.intr.floor": _arithmetic("floor"),
    "llvm.intr.ceil": _arithmetic("ceil"),
    "llvm.intr.trunc": _arithmetic("ftrunc"),
    "llvm.intr.rint": _arithmetic("rint"),
    "llvm.intr.nearbyint": _arithmetic("rint"),
    "llvm.intr.roundeven": _arithmetic("rint"),
    "llvm.intr.maxnum": _arithmetic("maxnum"),
    "llvm.intr.minnum": _arithmetic("minnum"),
    "llvm.intr.maximum": _arithmetic("maximum"),
    "llvm.intr.minimum": _arithmetic("minimum"),
}
"""Encoders by op."""


def float_encoder(scalar: Scalar) -> Encoder | None:
    """The encoder of an op on floats; None for other ops."""
    if scalar.op.name == "llvm.select":
        flagged = is_float(scalar.result) and any(
            has_fast_math(scalar.op, flag) for flag in ("nnan", "ninf", "nsz")
        )
        return _select if flagged else None
    return FLOAT_OPS.get(scalar.op.name)
