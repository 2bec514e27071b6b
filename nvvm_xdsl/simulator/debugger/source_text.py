"""Formatting of source variables by their debug types."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.debug_fields import integer_in, number_in, size_in_bits, text_of
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DIBasicTypeAttr,
    DICompositeTypeAttr,
    DIDerivedTypeAttr,
    DISubrangeAttr,
)
from nvvm_xdsl.ir.arrays import items_of

OPTIMIZED_OUT: Final = "optimized out"
"""The text of a variable or part that no value describes."""

MOST_ELEMENTS: Final = 16
"""The number of elements of an array that are shown."""

_POINTERS: Final = frozenset(
    f"DW_TAG_{kind}_type" for kind in ("pointer", "reference", "rvalue_reference", "ptr_to_member")
)

_FLOATS: Final = {16: np.float16, 32: np.float32, 64: np.float64}


def source_text(type_: Attribute | None, bits: int, missing: int = 0) -> str:
    """A value in the notation of a debugger: `-3`, `0x10000000`, `{a = 1, b = 2.5}`, `[1, 2]`.

    Arguments:
        type_: the debug type; None if it is unknown.
        bits: the bytes of the value as a little-endian number.
        missing: a mask of bits that no value describes.
    """
    while isinstance(type_, DIDerivedTypeAttr) and text_of(type_, "tag") not in _POINTERS:
        type_ = type_.field("baseType")
    size = size_in_bits(type_)
    every = (1 << size) - 1 if size else -1
    if missing & every == every:
        return OPTIMIZED_OUT
    if missing & every and not _has_parts(type_):
        return f"partly {OPTIMIZED_OUT}"
    if isinstance(type_, DIBasicTypeAttr):
        return _scalar(type_, bits)
    if not isinstance(type_, DICompositeTypeAttr):
        return f"{bits:#x}"
    kind = text_of(type_, "tag")
    elements = items_of(type_.field("elements"))
    if kind == "DW_TAG_enumeration_type":
        number = signed(bits, size_in_bits(type_))
        for element in elements:
            if isinstance(element, DIDerivedTypeAttr):
                if number_in(element, "extraData") in (bits, number):
                    return text_of(element, "name")
        return str(number)
    if kind == "DW_TAG_array_type":
        return _array(type_.field("baseType"), elements, bits, missing)
    members = [e for e in elements if isinstance(e, DIDerivedTypeAttr)]
    return f"{{{', '.join(_member(m, bits, missing) for m in members)}}}"


def _has_parts(type_: Attribute | None) -> bool:
    """Whether a type is a struct, union or array."""
    enumeration = "DW_TAG_enumeration_type"
    return isinstance(type_, DICompositeTypeAttr) and text_of(type_, "tag") != enumeration


def _scalar(type_: DIBasicTypeAttr, bits: int) -> str:
    encoding, size = text_of(type_, "encoding"), number_in(type_, "sizeInBits")
    if encoding == "DW_ATE_boolean":
        return "true" if bits & 1 else "false"
    if encoding == "DW_ATE_float" and size in _FLOATS:
        if text_of(type_, "name") == "__bf16":
            bits, size = bits << 16, 32
        return f"{float(np.frombuffer(bits.to_bytes(size // 8, 'little'), _FLOATS[size])[0]):.9g}"
    return str(signed(bits, size) if encoding.startswith("DW_ATE_signed") else bits)


def _array(
    base: Attribute | None, dimensions: tuple[Attribute, ...], bits: int, missing: int
) -> str:
    size = size_in_bits(base)
    counts = [integer_in(d.field("count")) for d in dimensions if isinstance(d, DISubrangeAttr)]
    count = prod(counts)
    starts = [i * size for i in range(min(count, MOST_ELEMENTS))]
    shown = [_part(base, bits, missing, start, size) for start in starts]
    return f"[{', '.join(shown)}{', ...' if count > MOST_ELEMENTS else ''}]"


def _member(member: DIDerivedTypeAttr, bits: int, missing: int) -> str:
    start, size = number_in(member, "offsetInBits"), number_in(member, "sizeInBits")
    base = member.field("baseType")
    value = _part(base, bits, missing, start, size or size_in_bits(base))
    name = text_of(member, "name")
    return f"{name} = {value}" if name else value


def _part(type_: Attribute | None, bits: int, missing: int, start: int, size: int) -> str:
    every = (1 << size) - 1
    # A bit field is narrower than its type.
    absent = missing >> start & every
    return source_text(type_, bits >> start & every, -1 if absent == every else absent)
