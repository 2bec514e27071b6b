"""Types of xDSL's llvm dialect as MLIR defines them: nested types, packed and opaque structs.

`extend_types` replaces methods of xDSL's type classes; `compat` calls it.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import xdsl.dialects.llvm as stock
from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr, VectorType
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects import constraints as c
from nvvm_xdsl.dialects.llvm.attributes import (
    LabelType,
    MetadataType,
    PPCFP128Type,
    TargetExtType,
    TokenType,
    X86AMXType,
)
from nvvm_xdsl.dialects.llvm.types import PACKED_PREFIX

OPAQUE_PREFIX = "opaque:"
"""First characters of `LLVMStructType.struct_name` of a struct without a body."""

MOST_PARTS = 1 << 16
"""Maximum number of component types of a type, counted with repetitions: hashing a type traverses
all of them."""

_SIZE = "_parts"

_PLAIN: dict[str, Callable[[], Attribute]] = {
    "token": TokenType,
    "metadata": MetadataType,
    "label": LabelType,
    "x86_amx": X86AMXType,
    "ppc_fp128": PPCFP128Type,
}
"""Types without parameters that xDSL lacks."""

_parse_space = stock.LLVMPointerType.parse_parameters
_parse_known = stock._parse_optional_llvm_type
_is_known = stock.is_compatible_type


def extend_types() -> None:
    """Adds packed and opaque structs, and the types that xDSL lacks inside others."""
    cast(Any, stock.LLVMPointerType).parse_parameters = classmethod(_parse_pointer)
    cast(Any, stock.LLVMArrayType).verify = _verify_array
    cast(Any, stock.LLVMStructType).verify = _verify_struct
    cast(Any, stock.LLVMArrayType).print_parameters = _print_array
    cast(Any, stock.LLVMFunctionType).print_parameters = _print_function
    stock._parse_optional_llvm_type = _parse_nested
    stock.is_compatible_type = _is_compatible
    cast(Any, stock.LLVMStructType).parse_parameters = classmethod(_parse_struct)
    cast(Any, stock.LLVMStructType).print_parameters = _print_struct


def _parse_pointer(_cls: object, parser: AttrParser) -> tuple[IntAttr | NoneAttr]:
    """Parses `<3>`; address space 0 is omitted."""
    (space,) = _parse_space(parser)
    # `!llvm.ptr<0>` is `!llvm.ptr`.
    return (NoneAttr() if isinstance(space, IntAttr) and not space.data else space,)


def _parse_nested(parser: AttrParser) -> Attribute | None:
    """Parses a type without `!llvm.`, including those that xDSL lacks."""
    if (found := _parse_known(parser)) is not None:
        return found
    if parser.parse_optional_characters("func") is not None:
        parameters = stock.LLVMFunctionType.parse_parameters(parser)
        return stock.LLVMFunctionType.new(parameters)
    if parser.parse_optional_characters("target") is not None:
        return TargetExtType.new(TargetExtType.parse_parameters(parser))
    for name, make in _PLAIN.items():
        if parser.parse_optional_characters(name) is not None:
            return make()
    return None


def _is_compatible(type_: Attribute) -> bool:
    """Returns True if a type may be nested in another, including vectors and the types that xDSL
    lacks."""
    element = c.element_type(type_)
    if element is not None:
        shape = cast("VectorType[Attribute]", type_).get_shape()
        return len(shape) == 1 and _is_compatible(element)
    return _is_known(type_) or type_.name in c.EXTRA_LLVM_TYPES


def _parse_struct(
    cls: type[stock.LLVMStructType], parser: AttrParser
) -> tuple[StringAttr, ArrayAttr]:
    """Parses a struct, also a packed or opaque one."""
    parser.parse_characters("<", " in LLVM struct")
    name = parser.parse_optional_str_literal()
    if name is not None:
        parser.parse_characters(",", " after the name of an LLVM struct")
        if parser.parse_optional_keyword("opaque") is not None:
            parser.parse_characters(">", " to close LLVM struct parameters")
            return StringAttr(OPAQUE_PREFIX + name), ArrayAttr(())
    packed = parser.parse_optional_keyword("packed") is not None
    fields = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: stock.parse_llvm_type(parser)
    )
    parser.parse_characters(">", " to close LLVM struct parameters")
    return (StringAttr((PACKED_PREFIX if packed else "") + (name or "")), ArrayAttr(fields))


def _print_struct(self: stock.LLVMStructType, printer: Printer) -> None:
    """Prints the syntax of `_parse_struct`."""
    name = self.struct_name.data
    packed = name.startswith(PACKED_PREFIX)
    opaque = name.startswith(OPAQUE_PREFIX)
    if packed:
        name = name.removeprefix(PACKED_PREFIX)
    elif opaque:
        name = name.removeprefix(OPAQUE_PREFIX)
    with printer.in_angle_brackets():
        if name:
            printer.print_string_literal(name)
            printer.print_string(", ")
        if opaque:
            printer.print_string("opaque")
            return
        if packed:
            printer.print_string("packed ")
        with printer.in_parens():
            printer.print_list(self.types.data, lambda t: _print_nested(printer, t))


def _print_array(self: stock.LLVMArrayType, printer: Printer) -> None:
    with printer.in_angle_brackets():
        printer.print_string(f"{self.size.data} x ")
        _print_nested(printer, self.type)


def _print_function(self: stock.LLVMFunctionType, printer: Printer) -> None:
    with printer.in_angle_brackets():
        _print_nested(printer, self.output)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.inputs.data, lambda t: _print_nested(printer, t))
            if self.is_variadic:
                printer.print_string(", ..." if self.inputs.data else "...")


def _verify_array(self: stock.LLVMArrayType) -> None:
    """Rejects negative sizes and invalid element types."""
    if self.size.data < 0:
        raise VerifyException(f"an array cannot have {self.size.data} elements")
    if type(self.type) in (stock.LLVMVoidType, stock.LLVMFunctionType):
        raise VerifyException(f"invalid array element type {self.type}")
    _note_size(self, (self.type,))


def _verify_struct(self: stock.LLVMStructType) -> None:
    _note_size(self, self.types.data)


def _note_size(type_: Attribute, parts: Iterable[Attribute]) -> None:
    """Records the number of parts of a type. Raises VerifyException for too many."""
    size = 1 + sum(vars(part).get(_SIZE, 1) for part in parts)
    if size > MOST_PARTS:
        raise VerifyException(f"a type of more than {MOST_PARTS} parts")
    object.__setattr__(type_, _SIZE, size)


def _print_nested(printer: Printer, type_: Attribute) -> None:
    """Prints a type nested in one of the dialect's types: without `!llvm.` for types of the
    dialect.
    """
    if isinstance(type_, ParametrizedAttribute) and type_.name.startswith("llvm."):
        printer.print_string(type_.name.removeprefix("llvm."))
        type_.print_parameters(printer)
    else:
        printer.print_attribute(type_)
