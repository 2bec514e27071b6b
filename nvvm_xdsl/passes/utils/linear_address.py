"""Addresses as sums: a pointer, values times constants, and a constant.

    %i1 = llvm.add %i, %c1 overflow<nsw> : i32
    %e = llvm.sext %i1 : i32 to i64
    %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32        // a + 4 sext(i) + 4

Sums, differences, products and shifts by constants and disjoint `or`s are looked through, in 64
bits always, in fewer where the extension above them may be applied to the operands instead: a
sign extension where nothing wraps signed, a zero extension where nothing wraps unsigned. What is
computed from the sum's leaves in 64 bits is what the address is, wherever the address is not
poison; where it is, anything will do.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, VectorType
from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    GEPOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    MulOp,
    OrOp,
    SExtOp,
    ShlOp,
    SubOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.layout import DataLayout
from nvvm_xdsl.passes.utils.constants import integer_value
from nvvm_xdsl.passes.utils.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.passes.utils.memory import DYNAMIC_INDEX

AddrSpaceCastOp = op_class("llvm.addrspacecast")

MOST_TERMS: Final = 4
"""Sums of more values are left alone."""

DEEPEST: Final = 8
"""So many ops are looked through from an index to a leaf."""

Extension: TypeAlias = Literal["", "s", "u", "n"]
"""How a leaf gets its 64 bits: it has them, sign extension, zero extension, or either (`n`)."""


class Leaf(NamedTuple):
    """A value that a sum is made of, extended to 64 bits."""

    value: SSAValue
    extension: Extension


@dataclass(frozen=True)
class LinearAddress:
    """root + the sum of leaf times coefficient + constant, in bytes modulo 2^64.

    `hidden` is the part of the constant that is added to a variable index, and `index` the one
    variable index with its scale if there is but one.
    """

    root: SSAValue
    key: Hashable
    """Equal for equal roots: symbols have an op for each use."""
    terms: tuple[tuple[Leaf, int], ...]
    constant: int
    hidden: int
    index: tuple[SSAValue, int] | None


class LinearIndex(NamedTuple):
    """The sum of leaf times factor + constant, modulo 2^64."""

    terms: tuple[tuple[Leaf, int], ...]
    constant: int


def linear_index(value: SSAValue) -> LinearIndex:
    """The sum that an integer of 64 bits is."""
    terms: dict[Leaf, int] = {}
    constant = _collect(value, "", 1, DEEPEST, terms)
    return LinearIndex(_listed(terms), signed(constant))


def signed(number: int, bits: int = 64) -> int:
    """The number modulo 2^bits, as a signed one."""
    half = 1 << (bits - 1)
    return ((number + half) & (2 * half - 1)) - half


def linear_address(gep: Operation, layout: DataLayout) -> LinearAddress | None:
    """The sum that a `getelementptr` computes, None if it is of vectors or too long."""
    if not isinstance(gep.results[0].type, LLVMPointerType):
        return None
    constant = hidden = 0
    terms: dict[Leaf, int] = {}
    root: SSAValue = gep.results[0]
    indices: list[tuple[SSAValue, int]] = []
    while isinstance(root, OpResult) and root.op.__class__ is GEPOp:
        found = _indices(root.op, layout)
        if found is None or (found[1] and root.op is not gep):
            break
        constant += found[0]
        indices += found[1]
        for value, scale in found[1]:
            hidden += _collect(value, _extension_of(value), scale, DEEPEST, terms)
        root = fast.operands_of(root.op)[0]
    if root is gep.results[0] or layout.bits(root.type) != 64:
        return None
    listed = _listed(terms)
    if len(listed) > MOST_TERMS:
        return None
    return LinearAddress(
        root,
        root_key(root),
        listed,
        signed(constant + hidden),
        signed(hidden),
        indices[0] if len(indices) == 1 else None,
    )


def _listed(terms: dict[Leaf, int]) -> tuple[tuple[Leaf, int], ...]:
    return tuple((leaf, signed(number)) for leaf, number in terms.items() if signed(number))


def root_key(root: SSAValue) -> Hashable:
    """Equal for pointers that are equal by what they are: the same value, or the same symbol."""
    if isinstance(root, OpResult):
        if root.op.__class__ is AddressOfOp:
            return (root.op.properties["global_name"], root.type)
        if root.op.__class__ is AddrSpaceCastOp:
            return (root_key(fast.operands_of(root.op)[0]), root.type)
    return root


def _indices(gep: Operation, layout: DataLayout) -> tuple[int, list[tuple[SSAValue, int]]] | None:
    """The constant of a `getelementptr` in bytes, and each variable index with its scale."""
    raw = cast("DenseArrayBase[Any]", gep.properties["rawConstantIndices"]).get_values()
    dynamic = iter(fast.operands_of(gep)[1:])
    type_: Attribute | None = None
    offset = 0
    terms: list[tuple[SSAValue, int]] = []
    for index in raw:
        value = next(dynamic) if index == DYNAMIC_INDEX else None
        number = index if value is None else integer_value(value)
        if isinstance(type_, LLVMStructType):
            if number is None:
                return None
            offset += layout.field_offsets(type_)[number]
            type_ = type_.types.data[number]
            continue
        if type_ is None:
            type_ = gep.properties["elem_type"]
        elif isinstance(type_, LLVMArrayType):
            type_ = type_.type
        elif isinstance(type_, VectorType):
            type_ = cast("VectorType[Attribute]", type_).element_type
        else:
            return None
        scale = layout.size(type_)
        if number is not None:
            offset += number * scale
        elif value is not None:
            if not isinstance(value.type, IntegerType) or _bits(value) > 64:
                return None
            terms.append((value, scale))
    return offset, terms


def _bits(value: SSAValue) -> int:
    return cast("IntegerType[Any]", value.type).width.data


def _extension_of(value: SSAValue) -> Extension:
    return "" if _bits(value) == 64 else "s"


def _collect(
    value: SSAValue, extension: Extension, scale: int, depth: int, terms: dict[Leaf, int]
) -> int:
    """Adds the leaves of an extended value times a scale to the terms; returns the constant."""
    number = integer_value(value)
    if number is not None:
        bits = _bits(value)
        return scale * (signed(number, bits) if extension in ("", "s") else number % (1 << bits))
    if depth and isinstance(value, OpResult):
        found = _split(value.op, extension)
        if found is not None:
            return sum(
                _collect(part, inner, scale * factor, depth - 1, terms)
                for part, inner, factor in found
            )
    leaf = Leaf(value, "u" if extension == "n" else extension)
    terms[leaf] = terms.get(leaf, 0) + scale
    return 0


_Parts: TypeAlias = "list[tuple[SSAValue, Extension, int]]"


def _split(op: Operation, extension: Extension) -> _Parts | None:
    """The values whose sum an op's extended result is: how each is extended, and its factor."""
    cls = op.__class__
    operands = fast.operands_of(op)
    if cls is SExtOp or cls is ZExtOp:
        if extension:
            return None
        way: Extension = "s" if cls is SExtOp else "n" if "nonNeg" in op.properties else "u"
        return [(operands[0], way, 1)] if isinstance(operands[0].type, IntegerType) else None
    if cls is OrOp:
        return [(v, extension, 1) for v in operands] if "isDisjoint" in op.properties else None
    if cls not in (AddOp, SubOp, MulOp, ShlOp):
        return None
    inner = _inner(extension, overflow_flags(op), difference=cls is SubOp)
    if inner is None:
        return None
    left, right = operands
    if cls is AddOp:
        return [(left, inner, 1), (right, inner, 1)]
    if cls is SubOp:
        return [(left, inner, 1), (right, inner, -1)]
    number = integer_value(right)
    bits = _bits(right)
    if number is None or (cls is ShlOp and not 0 <= number < bits - 1):
        return None
    if cls is ShlOp:
        return [(left, inner, 1 << number)]
    factor = number % (1 << bits) if inner in ("u", "n") else signed(number, bits)
    return [(left, inner, factor)] if factor else None


def _inner(extension: Extension, flags: int, *, difference: bool) -> Extension | None:
    """How the operands of an op may be extended in place of its result; None if they may not.

    Where the result is no negative number and nothing wraps unsigned, the operands of a sum, and
    what is multiplied by a number other than 0, are none either.
    """
    if not extension:
        return ""
    if extension == "s":
        return "s" if flags & NSW else None
    if flags & NUW:
        return "u" if difference else extension
    return "s" if extension == "n" and flags & NSW else None


__all__ = [
    "Leaf",
    "LinearAddress",
    "LinearIndex",
    "linear_address",
    "linear_index",
    "root_key",
    "signed",
]
