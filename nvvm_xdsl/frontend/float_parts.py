"""`llvm.frexp`, `llvm.modf`, `llvm.sincos`, and `llvm.ldexp` of vectors as other ops.

Source: LLVM Language Reference, "llvm.frexp", "llvm.modf", "llvm.sincos", "llvm.ldexp"; the results that the reference leaves open, the
exponents of infinity and NaN, are those of LLVM's expansion.
"""

from __future__ import annotations

from typing import Final, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import InsertValueOp, LLVMStructType
from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.dialects.llvm import op_class, types
from nvvm_xdsl.dialects.llvm.types import I1, I32, dense_i64, int_attr, integer
from nvvm_xdsl.frontend.builders import element_type, icmp, like, scalar_width, vector_length
from nvvm_xdsl.frontend.expanded_call import ExpandedCall
from nvvm_xdsl.ir import fast

MANTISSA_BITS: Final[dict[Attribute, int]] = {
    types.F16: 10,
    types.BF16: 7,
    types.F32: 23,
    types.F64: 52,
}
"""The number of explicit mantissa bits of each format that is supported."""


def _poison(call: ExpandedCall, type_: Attribute) -> SSAValue:
    return call.insert(fast.create(op_class("llvm.mlir.poison"), (), (type_,)))


def _pair(call: ExpandedCall, first: SSAValue, second: SSAValue) -> SSAValue:
    """The struct that the call returns."""
    whole = _poison(call, call.output)
    for place, value in enumerate((first, second)):
        properties: dict[str, Attribute] = {"position": dense_i64([place])}
        made = fast.create(InsertValueOp, (whole, value), (call.output,), properties)
        whole = call.insert(made)
    return whole


def _results(call: ExpandedCall) -> tuple[Attribute, Attribute]:
    """The types of the two results; raises ExpansionError unless the first is the argument's."""
    fields = list(call.output.types) if isinstance(call.output, LLVMStructType) else []
    call.check(len(call.arguments) == 1 and len(fields) == 2)
    type_ = call.arguments[0].type
    call.check(fields[0] == type_ and element_type(type_) in MANTISSA_BITS)
    return type_, fields[1]


def sine_and_cosine(call: ExpandedCall) -> SSAValue:
    """`llvm.sincos`: both functions of one argument."""
    type_, cosine_type = _results(call)
    call.check(cosine_type == type_)
    (argument,) = call.arguments
    sine, cosine = (call.op(f"intr.{name}", argument, type_=type_) for name in ("sin", "cos"))
    return _pair(call, sine, cosine)


def fraction_and_exponent(call: ExpandedCall) -> SSAValue:
    """`llvm.frexp`: a fraction of magnitude 0.5 to 1 and an exponent.

    Integer operations normalize a subnormal number, so that modes that flush such numbers have no
    effect. Zero, infinity and NaN are returned with exponent 0.
    """
    type_, exponent_type = _results(call)
    call.check(
        type(element_type(exponent_type)) is IntegerType
        and vector_length(exponent_type) == vector_length(type_)
    )
    (number,) = call.arguments
    width, mantissa = scalar_width(element_type(type_)), MANTISSA_BITS[element_type(type_)]
    bits_type = like(type_, integer(width))
    bias = (1 << (width - mantissa - 2)) - 1
    sign, infinity = 1 << (width - 1), (2 * bias + 1) << mantissa

    def compare(predicate: str, value: SSAValue, bound: int) -> SSAValue:
        return call.insert(icmp(predicate, value, call.constant(bound, bits_type)))

    bits = call.op("bitcast", number, type_=bits_type)
    magnitude = call.op("and", bits, call.constant(sign - 1, bits_type))
    # The first bit of a subnormal number moves to the place of the implicit bit.
    zeros = call.insert(
        fast.create(
            op_class("llvm.intr.ctlz"),
            (magnitude,),
            (bits_type,),
            {"is_zero_poison": int_attr(0, I1)},
        )
    )
    distance = call.op("sub", zeros, call.constant(width - mantissa - 1, bits_type))
    # The result is poison for most other numbers, and not used.
    shifted = call.op("shl", magnitude, distance)
    is_subnormal = compare("ult", magnitude, 1 << mantissa)
    field = call.op(
        "select",
        is_subnormal,
        call.op("sub", call.constant(1, bits_type), distance),
        call.shift("lshr", magnitude, mantissa),
        type_=bits_type,
    )
    normalized = call.op("select", is_subnormal, shifted, magnitude, type_=bits_type)
    fraction = call.op("and", normalized, call.constant((1 << mantissa) - 1, bits_type))
    fraction = call.op("or", fraction, call.constant((bias - 1) << mantissa, bits_type))
    signed = call.op("and", bits, call.constant(sign, bits_type))
    fraction = call.op("bitcast", call.op("or", fraction, signed), type_=type_)
    exponent = call.op("sub", field, call.constant(bias - 1, bits_type))
    target = scalar_width(element_type(exponent_type))
    if target != width:
        opcode = "sext" if target > width else "trunc"
        exponent = call.op(opcode, exponent, type_=exponent_type)
    # Neither zero nor infinity nor NaN.
    below = call.op("sub", magnitude, call.constant(1, bits_type))
    is_ordinary = compare("ult", below, infinity - 1)
    zero = call.constant(0, exponent_type)
    return _pair(
        call,
        call.op("select", is_ordinary, fraction, number, type_=type_),
        call.op("select", is_ordinary, exponent, zero, type_=exponent_type),
    )


def fraction_and_integer(call: ExpandedCall) -> SSAValue:
    """`llvm.modf`: the fractional and the integral part, both with the sign of the argument."""
    type_, integral_type = _results(call)
    call.check(integral_type == type_)
    (number,) = call.arguments
    width, mantissa = scalar_width(element_type(type_)), MANTISSA_BITS[element_type(type_)]
    bits_type = like(type_, integer(width))
    sign = 1 << (width - 1)
    whole = call.op("intr.trunc", number)
    rest = call.op("bitcast", call.op("fsub", number, whole), type_=bits_type)
    bits = call.op("bitcast", number, type_=bits_type)
    magnitude = call.op("and", bits, call.constant(sign - 1, bits_type))
    infinity = call.constant((1 << (width - 1)) - (1 << mantissa), bits_type)
    is_infinite = call.insert(icmp("eq", magnitude, infinity))
    zero = call.constant(0, bits_type)
    rest = call.op("select", is_infinite, zero, rest, type_=bits_type)
    rest = call.op("and", rest, call.constant(sign - 1, bits_type))
    rest = call.op("or", rest, call.op("and", bits, call.constant(sign, bits_type)))
    return _pair(call, call.op("bitcast", rest, type_=type_), whole)


def scaled_elements(call: ExpandedCall, fastmath: Attribute) -> SSAValue:
    """`llvm.ldexp` of a vector, by element."""
    call.check(len(call.arguments) == 2)
    values, powers = call.arguments
    count = vector_length(values.type)
    call.check(count is not None and call.output == values.type)
    call.check(
        vector_length(powers.type) == count and type(element_type(powers.type)) is IntegerType
    )
    result = _poison(call, call.output)
    for number in range(cast(int, count)):
        index = call.constant(number, I32)
        value, power = (
            call.op("extractelement", v, index, type_=element_type(v.type))
            for v in (values, powers)
        )
        cls = op_class("llvm.intr.ldexp")
        properties = {"fastmathFlags": fastmath}
        scaled = call.insert(fast.create(cls, (value, power), (value.type,), properties))
        result = call.op("insertelement", result, scaled, index)
    return result
