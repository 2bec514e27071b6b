"""Assembly of calls that `llvm.call`, `llvm.invoke` and `llvm.call_intrinsic` share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from nvvm_xdsl.dialects.assembly import parse_signature, print_signature
from nvvm_xdsl.dialects.llvm.accessors import variadic_type_of
from nvvm_xdsl.dialects.llvm.assembly_helpers import (
    parse_bundles,
    signature_properties,
    take_properties,
)

CALL_HIDDEN = frozenset(
    {
        "CConv",
        "callee",
        "var_callee_type",
        "arg_attrs",
        "res_attrs",
        "op_bundle_sizes",
        "op_bundle_tags",
        "operandSegmentSizes",
    }
)
"""Properties of a call that its assembly shows outside of the attribute dictionary."""


class Callee(NamedTuple):
    """The callee and the arguments of a call.

    `pointer` is None for a direct call and for an intrinsic; `position` is that of the arguments
    in the text.
    """

    pointer: UnresolvedOperand | None
    arguments: list[UnresolvedOperand]
    position: int


class CallTypes(NamedTuple):
    """The operands of a call, those of its bundles, its result types, and other attributes."""

    operands: list[SSAValue]
    bundle_operands: list[SSAValue]
    results: Sequence[Attribute]
    attributes: dict[str, Attribute]


def parse_arguments(parser: Parser, pointer: UnresolvedOperand | None = None) -> Callee:
    """Parses `(%a, %b)`."""
    position = parser.pos
    arguments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )
    return Callee(pointer, arguments, position)


def parse_callee(parser: Parser, properties: dict[str, Attribute]) -> Callee:
    """Parses `@f(%a, %b)` or `%f(%a, %b)`, and adds the property `callee` of a direct call."""
    symbol = parser.parse_optional_symbol_name()
    if symbol is None:
        return parse_arguments(parser, parser.parse_unresolved_operand())
    properties["callee"] = SymbolRefAttr(symbol)
    return parse_arguments(parser)


def parse_variadic_type(parser: Parser, properties: dict[str, Attribute]) -> None:
    """Parses an optional `vararg(!llvm.func<...>)` into `var_callee_type`."""
    if parser.parse_optional_keyword("vararg") is not None:
        with parser.in_parens():
            properties["var_callee_type"] = parser.parse_type()


def parse_call_types(
    cls: type[Operation], parser: Parser, callee: Callee, properties: dict[str, Attribute]
) -> CallTypes:
    """Parses `["bundle"(%c : i32)] {...} : (i32) -> i32`, and adds properties of the op class.

    The signature follows the type of the pointer in an indirect call.
    """
    bundles = parse_bundles(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    operands: list[SSAValue] = []
    if callee.pointer is not None:
        operands.append(parser.resolve_operand(callee.pointer, parser.parse_type()))
        parser.parse_punctuation(",")
    arguments, results, arg_attrs, res_attrs = parse_signature(parser)
    operands += parser.resolve_operands(callee.arguments, arguments, callee.position)
    properties |= bundles.properties() | take_properties(cls, attributes)
    properties |= signature_properties(arg_attrs, res_attrs)
    return CallTypes(operands, bundles.operands, results, attributes)


def print_callee(printer: Printer, op: Operation, arguments: Sequence[SSAValue]) -> None:
    """Prints the syntax of `parse_callee`; the first operand of an indirect call is the callee."""
    printer.print_string(" ")
    callee = op.properties.get("callee")
    if callee is not None:
        printer.print_attribute(callee)
    else:
        pointer, *arguments = arguments
        printer.print_ssa_value(pointer)
    with printer.in_parens():
        printer.print_list(arguments, printer.print_ssa_value)


def print_variadic_type(printer: Printer, op: Operation) -> None:
    """Prints the syntax of `parse_variadic_type`."""
    if (type_ := variadic_type_of(op)) is not None:
        printer.print_string(" vararg(")
        printer.print_attribute(type_)
        printer.print_string(")")


def print_call_types(
    printer: Printer, op: Operation, arguments: Sequence[SSAValue], *, indirect: bool = False
) -> None:
    """Prints ` : (i32) -> i32`, for an indirect call behind the type of the first argument."""
    printer.print_string(" : ")
    if indirect:
        pointer, *arguments = arguments
        printer.print_attribute(pointer.type)
        printer.print_string(", ")
    print_signature(
        printer,
        [v.type for v in arguments],
        [r.type for r in op.results],
        op.properties.get("arg_attrs"),
        op.properties.get("res_attrs"),
    )
