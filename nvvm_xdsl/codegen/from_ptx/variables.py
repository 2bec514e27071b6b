"""Variables of the ptx dialect with their initial values as bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Final

from nvvm_xdsl.codegen.from_ptx.errors import error_at
from nvvm_xdsl.dialects.nvptx.forms import bits_of, is_type
from nvvm_xdsl.dialects.nvptx.functions import (
    ADDRESS_BYTES,
    GlobalOp,
    RelocationAttr,
    global_variable,
    relocation,
)
from nvvm_xdsl.dialects.ptx.operands import (
    ConstantError,
    Float,
    OperandError,
    SymbolValue,
    Value,
    constant,
    operand_trees,
    split_atoms,
)
from nvvm_xdsl.dialects.ptx.ops import VariableOp

_HANDLES: Final = frozenset({"texref", "samplerref", "surfref"})

MAX_SIZE: Final = 1 << 30
"""Maximum size in bytes of a variable with initial values."""

Rename = Callable[[str], str]


def element_of(op: VariableOp) -> tuple[str, int]:
    """The element type of a variable, and the number of elements of a vector. Raises
    DiagnosticError."""
    type_ = op.text("type")
    vector, _, element = type_.rpartition(" .")
    if element == "pred" or not is_type(element) or vector not in ("", "v2", "v4"):
        raise error_at(op, f"there are no variables of type .{type_} in .{op.text('space')}")
    return element, int(vector[1:]) if vector else 1


def size_of(op: VariableOp) -> int:
    """The size of a variable in bytes."""
    type_, lanes = element_of(op)
    count = op.number("count")
    return bits_of(type_) // 8 * lanes * (1 if count is None else count)


def alignment_of(op: VariableOp) -> int:
    """The alignment of a variable in bytes."""
    type_, lanes = element_of(op)
    return op.number("align") or max(bits_of(type_) // 8, 1) * lanes


def convert_variable(op: VariableOp, name: str, rename: Rename) -> GlobalOp:
    """The variable with a name. Raises DiagnosticError.

    Arguments:
        rename: returns the names of symbols in the initial value.
    """
    space = op.text("space")
    linkage = op.text("linkage")
    if op.text("type") in _HANDLES and space == "global":
        return global_variable(name, "global", "b64", linkage=linkage, kind=op.text("type"))
    type_, lanes = element_of(op)
    if space not in ("global", "shared", "const"):
        raise error_at(op, f"a variable of the module cannot be in .{space}")
    count = op.number("count")
    align = op.number("align") or 0
    if lanes > 1:
        align = alignment_of(op)
        count = lanes * (1 if count is None else count)
    attribute = op.text("attribute")
    if attribute not in ("", "managed"):
        raise error_at(op, f"attribute .{attribute} is not supported")
    init: bytes | None = None
    relocations: list[RelocationAttr] = []
    text = op.text("init")
    if text:
        size = bits_of(type_) // 8 * (1 if count is None else count)
        if size > MAX_SIZE:
            raise error_at(op, f"the variable '{name}' is {size} bytes large")
        try:
            init = _bytes(_elements(text), type_, size, relocations, rename)
        except (ConstantError, OperandError) as error:
            raise error_at(op, f"the initial value of '{name}': {error}") from None
    return global_variable(
        name,
        space,
        type_,
        count,
        align=align,
        linkage=linkage,
        init=init,
        relocations=relocations,
        managed=attribute == "managed",
    )


def _elements(text: str) -> list[str]:
    inner = text.replace("{", "").replace("}", "")
    return inner.split(", ") if inner else []


def _value(text: str) -> Value:
    pieces = split_atoms(text)
    trees = operand_trees(tuple(pieces[0::2]))
    if len(trees) != 1:
        raise ConstantError(f"'{text}' is not a constant")
    return constant(trees[0], pieces[1::2])


def _bytes(
    elements: Sequence[str],
    type_: str,
    total: int,
    relocations: list[RelocationAttr],
    rename: Rename,
) -> bytes:
    size = bits_of(type_) // 8
    mask = (1 << 8 * size) - 1
    data = bytearray()
    is_float = type_ in ("f32", "f64")
    for text in elements:
        try:
            number = int(text)
        except ValueError:
            value = _value(text)
        else:
            # A leading zero makes a number octal.
            value = _value(text) if text[0] == "0" and len(text) > 1 else number
        if isinstance(value, SymbolValue):
            data += bytes(size)
            _relocate(value, len(data) - size, size, relocations, rename)
            continue
        if isinstance(value, Float):
            value = value.resized(8 * size).bits if is_float else value.bits
        elif is_float:
            value = int.from_bytes(struct.pack("<f" if size == 4 else "<d", value), "little")
        data += (value & mask).to_bytes(size, "little")
    if len(data) > total:
        raise ConstantError(f"{len(data)} bytes for {total}")
    data += bytes(total - len(data))
    return bytes(data)


def _relocate(
    value: SymbolValue, place: int, size: int, relocations: list[RelocationAttr], rename: Rename
) -> None:
    """Records an address; masked bytes of one address must be consecutive."""
    name = rename(value.name)
    if size == ADDRESS_BYTES and not value.mask:
        relocations.append(relocation(place, name, value.offset, generic=value.generic))
        return
    if size != 1 or not value.mask:
        raise ConstantError(f"the address of '{value.name}' takes 64 bits")
    number = (value.mask.bit_length() - 1) // 8
    if number:
        last = relocations.pop().data if relocations else None
        if last != (place - number, name, value.offset, value.generic, number):
            raise ConstantError(f"the bytes of the address of '{value.name}' are not in order")
    relocations.append(
        relocation(place - number, name, value.offset, generic=value.generic, size=number + 1)
    )
