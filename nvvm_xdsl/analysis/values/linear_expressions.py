"""Linear expressions: an integer as a sum of values times constants, and a constant.

    %i1 = llvm.add %i, %c1 overflow<nsw> : i32
    %e = llvm.sext %i1 : i32 to i64                 // sext(i) + 1

Sums, differences, products and shifts by constants and disjoint `or`s are decomposed. At full width
this is always valid. Below an extension it is valid where the extension distributes over the op: a
sign extension if the op does not wrap signed, a zero extension if it does not wrap unsigned. The
expression computed from the leaves at full width equals the value unless the value is poison.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from xdsl.dialects.llvm import AddOp, MulOp, OrOp, SExtOp, ShlOp, SubOp, ZExtOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, is_disjoint, is_non_negative, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed, unsigned
from nvvm_xdsl.ir import fast

MOST_OPS: Final = 1000
"""Maximum length of a chain of ops. In unreachable code, a chain may be a cycle."""

Extension: TypeAlias = Literal["", "s", "u", "n"]
"""Extension of a narrower value: none, sign extension, zero extension, or either (`n`: it is
non-negative)."""


class Leaf(NamedTuple):
    """A leaf of a sum, and its extension."""

    value: SSAValue
    extension: Extension


Terms: TypeAlias = dict[Leaf, int]
"""A sum: the factor of each leaf. A factor may be zero after leaves cancel."""


def extension_of(value: SSAValue, width: int) -> Extension:
    """How an index is extended to `width` bits: by its sign, unless it has that width."""
    return "" if integer_width(value.type) == width else "s"


def add_product(
    terms: Terms,
    value: SSAValue,
    extension: Extension,
    scale: int,
    *,
    most_ops: int = MOST_OPS,
    split: bool = True,
    either: set[SSAValue] | None = None,
) -> int:
    """Adds `scale` times an extended integer to a sum; returns the constant part of it.

    Arguments:
        most_ops: maximum number of ops from the integer to a leaf.
        split: also decompose sums of two variables, not only of a variable and a constant.
        either: receives zero-extended leaves whose sign extension is equal, because they are
            non-negative unless the integer is poison.
    """
    constant = 0
    while True:
        number = constant_of(value, extension)
        if number is not None:
            return constant + scale * number
        parts = (
            extended_parts(value.op, extension)
            if most_ops and isinstance(value, OpResult)
            else None
        )
        if parts is not None and len(parts) == 2:
            # The constant part of a sum is accumulated here, so that chains of any length need no
            # recursion.
            numbers = [constant_of(part, inner) for part, inner, _ in parts]
            place = 0 if numbers[0] is not None else 1
            known = numbers[place]
            if known is not None:
                constant += scale * parts[place][2] * known
                del parts[place]
            elif not split:
                parts = None
        if parts is None:
            leaf = Leaf(value, "u" if extension == "n" else extension)
            terms[leaf] = terms.get(leaf, 0) + scale
            if extension == "n" and either is not None:
                either.add(value)
            return constant
        most_ops -= 1
        if len(parts) == 2:
            part, inner, factor = parts[0]
            scaled = scale * factor
            constant += add_product(terms, part, inner, scaled, most_ops=most_ops, either=either)
        value, extension, factor = parts[-1]
        scale *= factor


def constant_of(value: SSAValue, extension: Extension) -> int | None:
    """The number that an extended constant equals; None if the value is no constant."""
    number = constant_integer(value)
    if number is None or extension in ("", "s"):
        return number
    return unsigned(number, integer_width(value.type))


_Parts: TypeAlias = list[tuple[SSAValue, Extension, int]]


def extended_parts(op: Operation, extension: Extension) -> _Parts | None:
    """The operands of an op whose extended result is their sum: the extension and factor of
    each. None if the op is no such sum or the extension does not distribute over it."""
    cls = type(op)
    operands = fast.operands_of(op)
    if cls is SExtOp or cls is ZExtOp:
        return _through_extension(op, extension)
    if cls is OrOp:
        # If the operands have no common one bit, at most one has its sign bit set: `or` is `add`
        # under any extension.
        return [(v, extension, 1) for v in operands] if is_disjoint(op) else None
    if cls not in (AddOp, SubOp, MulOp, ShlOp):
        return None
    inner = _inner(extension, overflow_flags(op), difference=cls is SubOp)
    if inner is None:
        return None
    left, right = operands
    if cls is AddOp:
        number = constant_integer(right)
        if extension == "n" and inner == "s" and number is not None and number < 0:
            # It is greater than the result, which is non-negative.
            return [(left, "n", 1), (right, "s", 1)]
        return [(left, inner, 1), (right, inner, 1)]
    if cls is SubOp:
        return [(left, inner, 1), (right, inner, -1)]
    number = constant_integer(right)
    if number is None and cls is MulOp:
        left, right = right, left
        number = constant_integer(right)
    width = integer_width(right.type)
    if number is None:
        return None
    if cls is ShlOp:
        return [(left, inner, 1 << number)] if 0 <= number < width - 1 else None
    factor = unsigned(number, width) if inner in ("u", "n") else signed(number, width)
    return [(left, inner, factor)] if factor else None


def _through_extension(op: Operation, extension: Extension) -> _Parts | None:
    """The operand of an extension whose result is extended again."""
    (value,) = fast.operands_of(op)
    if not integer_width(value.type):
        return None
    if type(op) is SExtOp:
        # A zero extension of it would leave the sign bit in the middle.
        return [(value, "s", 1)] if extension in ("", "s") else None
    # The sign bit of a zero extension is clear.
    return [(value, "n" if is_non_negative(op) else "u", 1)]


def _inner(extension: Extension, flags: int, *, difference: bool) -> Extension | None:
    """The extensions of an op's operands in place of that of its result; None if it is not
    distributive.

    If the result is non-negative and nothing wraps unsigned, the operands of a sum are
    non-negative, and so is a value multiplied by a constant other than 0.
    """
    if not extension:
        return ""
    if extension == "s":
        return "s" if flags & NSW else None
    if flags & NUW:
        return "u" if difference else extension
    return "s" if extension == "n" and flags & NSW else None
