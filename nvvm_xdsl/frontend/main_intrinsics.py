"""Target-independent intrinsics that become other ops, mainly of LLVM's main branch.

`EXPANSIONS` has them, so that passes and the simulator need no semantics for them; `REFUSED` the
others with the reason.

Source: the Language Reference of LLVM's main branch, October 2026; H. Warren, Hacker's Delight, 2nd edition, 7-4 and 7-5,
for bits under a mask.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.types import I1, I32, integer
from nvvm_xdsl.dialects.nvvm.calls import intrinsic_call
from nvvm_xdsl.frontend.builders import element_type, like, scalar_width, vector_length
from nvvm_xdsl.frontend.expanded_call import ExpandedCall, ExpansionError, Insert
from nvvm_xdsl.frontend.float_parts import (
    fraction_and_exponent,
    fraction_and_integer,
    sine_and_cosine,
)


def _check_two_integers(call: ExpandedCall) -> None:
    call.check(
        [v.type for v in call.arguments] == [call.output] * 2
        and type(element_type(call.output)) is IntegerType
    )


_HIGH_PRODUCTS: Final = {
    ("umulh", 16): "us",
    ("umulh", 32): "ui",
    ("umulh", 64): "ull",
    ("smulh", 16): "s",
    ("smulh", 32): "i",
    ("smulh", 64): "ll",
}
"""Suffixes of `llvm.nvvm.mulhi`."""


def _high_product(call: ExpandedCall) -> SSAValue:
    """The upper half of a product, by `mul.hi` if PTX has it for the type."""
    _check_two_integers(call)
    kind = call.name.split(".")[1]
    type_ = call.output
    width = scalar_width(element_type(type_))
    suffix = _HIGH_PRODUCTS.get((kind, width))
    if suffix is not None and vector_length(type_) is None:
        name = f"llvm.nvvm.mulhi.{suffix}"
        return call.insert(intrinsic_call(name, call.arguments, (type_,)))
    wide = like(type_, integer(2 * width))
    extension = "zext" if kind == "umulh" else "sext"
    a, b = (call.op(extension, value, type_=wide) for value in call.arguments)
    return call.op("trunc", call.shift("lshr", call.op("mul", a, b), width), type_=type_)


def _moves(call: ExpandedCall, mask: SSAValue) -> list[SSAValue]:
    """For each power of two, the bits that `pext` moves by it to the right, at their places before the move.

    The number of zeros of the mask to the right of a bit is the distance that it moves.
    """
    width = scalar_width(element_type(mask.type))
    zeros = call.shift("shl", call.invert(mask), 1) if width > 1 else call.invert(mask)
    found: list[SSAValue] = []
    step = 1
    while step < width:
        # The parity of the zeros to the right of each bit.
        parity, distance = zeros, 1
        while distance < width:
            parity = call.op("xor", parity, call.shift("shl", parity, distance))
            distance *= 2
        moved = call.op("and", parity, mask)
        found.append(moved)
        mask = call.op("or", call.op("xor", mask, moved), call.shift("lshr", moved, step))
        zeros = call.op("and", zeros, call.invert(parity))
        step *= 2
    return found


def _extract_bits(call: ExpandedCall) -> SSAValue:
    """The bits under a mask, packed to the right."""
    _check_two_integers(call)
    value, mask = call.arguments
    value = call.op("and", value, mask)
    for number, moved in enumerate(_moves(call, mask)):
        bits = call.op("and", value, moved)
        value = call.op("or", call.op("xor", value, bits), call.shift("lshr", bits, 1 << number))
    return value


def _deposit_bits(call: ExpandedCall) -> SSAValue:
    """The lowest bits at the places of the mask: the inverse moves in the inverse order."""
    _check_two_integers(call)
    value, mask = call.arguments
    for number, moved in reversed(list(enumerate(_moves(call, mask)))):
        bits = call.op("and", call.shift("shl", value, 1 << number), moved)
        value = call.op("or", call.op("and", value, call.invert(moved)), bits)
    return call.op("and", value, mask)


def _masked_division(call: ExpandedCall) -> SSAValue:
    """A division on enabled lanes; other lanes, whose results are poison, divide by one."""
    call.check(len(call.arguments) == 3)
    dividend, divisor, mask = call.arguments
    type_ = call.output
    call.check(
        dividend.type == divisor.type == type_
        and vector_length(type_) is not None
        and type(element_type(type_)) is IntegerType
        and mask.type == like(type_, I1)
    )
    divisor = call.op("select", mask, divisor, call.constant(1, type_), type_=type_)
    return call.op(call.name.split(".")[2], dividend, divisor)


def _extremum(call: ExpandedCall) -> SSAValue:
    """A reduction by `maximumnum` or `minimumnum`, in any order."""
    call.check(len(call.arguments) == 1)
    (vector,) = call.arguments
    count = vector_length(vector.type)
    call.check(element_type(vector.type) == call.output)
    if count is None:
        raise ExpansionError(f"{call.name} requires a vector")
    kind = call.name.split(".")[3].removeprefix("f")
    suffix = _FLOATS.get(call.output)
    if suffix is None:
        raise ExpansionError(f"{call.name} requires floats")
    found: SSAValue | None = None
    for number in range(count):
        index = call.constant(number, I32)
        lane = call.op("extractelement", vector, index, type_=call.output)
        if found is None:
            found = lane
            continue
        made = intrinsic_call(f"llvm.{kind}.{suffix}", (found, lane), (call.output,))
        found = call.insert(made)
    assert found is not None
    return found


_FLOATS: Final[dict[Attribute, str]] = {
    types.F16: "f16",
    types.BF16: "bf16",
    types.F32: "f32",
    types.F64: "f64",
}


def _before_first(call: ExpandedCall) -> SSAValue:
    """A mask of the lanes before the first active one."""
    call.check(len(call.arguments) == 1)
    (mask,) = call.arguments
    count = vector_length(mask.type)
    call.check(mask.type == call.output and element_type(mask.type) == I1)
    if count is None:
        raise ExpansionError(f"{call.name} requires a vector")
    result = call.constant(0, call.output)
    active: SSAValue | None = None
    for number in range(count):
        index = call.constant(number, I32)
        lane = call.op("extractelement", mask, index, type_=I1)
        active = lane if active is None else call.op("or", active, lane)
        result = call.op("insertelement", result, call.invert(active), index)
    return result


def _never(call: ExpandedCall) -> SSAValue:
    """A speculative load may access memory out of bounds, which stops a kernel."""
    call.check(call.output == I1)
    return call.constant(0, I1)


_Expansion = Callable[[ExpandedCall], SSAValue]

_EXPANSIONS: Final[dict[str, _Expansion]] = {
    "llvm.umulh": _high_product,
    "llvm.smulh": _high_product,
    "llvm.pext": _extract_bits,
    "llvm.pdep": _deposit_bits,
    **{f"llvm.masked.{op}": _masked_division for op in ("udiv", "sdiv", "urem", "srem")},
    "llvm.vector.reduce.fmaximumnum": _extremum,
    "llvm.vector.reduce.fminimumnum": _extremum,
    "llvm.mask.beforefirst": _before_first,
    "llvm.can.load.speculatively": _never,
    "llvm.frexp": fraction_and_exponent,
    "llvm.modf": fraction_and_integer,
    "llvm.sincos": sine_and_cosine,
}

EXPANDED: Final = frozenset(_EXPANSIONS)
"""The names of expanded intrinsics, without types."""

_LOOPS: Final = "an endless loop in place of a trap; compile without -fsanitize-trap-loop"
_STRUCTURED: Final = "for SPIR-V and DirectX; use alloca and getelementptr"

REFUSED: Final = {
    "llvm.cond.loop": _LOOPS,
    "llvm.looptrap": _LOOPS,
    "llvm.convert.from.arbitrary.fp": "its format is metadata; use the conversions llvm.nvvm.*",
    "llvm.convert.to.arbitrary.fp": "its format is metadata; use the conversions llvm.nvvm.*",
    "llvm.coro": "coroutines must be lowered before",
    "llvm.ptrauth": "a GPU has no pointer authentication",
    "llvm.speculative.load": "a load out of bounds stops a kernel",
    "llvm.structured.alloca": _STRUCTURED,
    "llvm.structured.gep": _STRUCTURED,
    "llvm.vector.repeat": "its result is a scalable vector, which a GPU lacks",
    "llvm.write_volatile_register": "a GPU has no named registers that can be written",
}
"""The reasons for which intrinsics are not supported, by their names without types."""


def expand(name: str, arguments: Sequence[SSAValue], output: Attribute, insert: Insert) -> SSAValue:
    """The value of a call of an intrinsic in `EXPANDED`.

    Args:
        name: the intrinsic without the types of overloading.
        insert: inserts an op before the call and returns its result.

    Raises ExpansionError if the types do not fit.
    """
    return _EXPANSIONS[name](ExpandedCall(name, arguments, output, insert))
