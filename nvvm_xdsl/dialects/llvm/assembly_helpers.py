"""Assembly that several llvm ops share and MLIR parses in C++."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm.accessors import bundle_sizes, bundle_tags
from nvvm_xdsl.dialects.llvm.types import I64, dense_i32, int_attr

KEYWORDS: dict[str, dict[int, str]] = {
    name: {value: keyword for keyword, value in table.items()} for name, table in ENUMS.items()
}
"""The keyword of each value of each integer enumeration."""


def parse_keyword(parser: Parser, enum: str) -> IntegerAttr[IntegerType] | None:
    """Parses an optional keyword of an enumeration."""
    table = {keyword: value for keyword, value in ENUMS[enum].items() if keyword}
    keyword = parser.parse_optional_keyword_in(table)
    return None if keyword is None else int_attr(table[keyword], I64)


def parse_values(parser: Parser) -> tuple[list[SSAValue], list[Attribute]]:
    """Parses `%a, %b : t, u`; an empty list has no text."""
    position = parser.pos
    unresolved = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    if not unresolved:
        return [], []
    parser.parse_punctuation(":")
    types = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    return list(parser.resolve_operands(unresolved, types, position)), list(types)


def parse_successor(parser: Parser) -> tuple[Block, list[SSAValue]]:
    """`^bb1(%a, %b : t, u)`."""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, []
    values, _ = parse_values(parser)
    parser.parse_punctuation(")")
    return block, values


def print_successor(printer: Printer, block: Block, values: Sequence[SSAValue]) -> None:
    """Prints the syntax of `parse_successor`."""
    printer.print_block_name(block)
    if values:
        with printer.in_parens():
            print_values(printer, values)


def print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Prints `%a, %b : t, u`."""
    printer.print_list(values, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([v.type for v in values], printer.print_attribute)


class Bundles(NamedTuple):
    """The operand bundles of a call."""

    operands: list[SSAValue]
    sizes: list[int]
    tags: list[str]

    def properties(self) -> dict[str, Attribute]:
        """`op_bundle_sizes`, and `op_bundle_tags` when there are any."""
        found: dict[str, Attribute] = {"op_bundle_sizes": dense_i32(self.sizes)}
        if self.tags:
            found["op_bundle_tags"] = ArrayAttr([StringAttr(t) for t in self.tags])
        return found


def parse_bundles(parser: Parser) -> Bundles:
    """`["tag"(%a : t), "other"()]`, if there is one."""
    found = Bundles([], [], [])
    if parser.parse_optional_punctuation("[") is None:
        return found
    if parser.parse_optional_punctuation("]") is not None:
        return found
    while True:
        found.tags.append(parser.parse_str_literal())
        with parser.in_parens():
            values, _ = parse_values(parser)
        found.operands.extend(values)
        found.sizes.append(len(values))
        if parser.parse_optional_punctuation(",") is None:
            break
    parser.parse_punctuation("]")
    return found


def print_bundles(printer: Printer, op: Operation, operands: Sequence[SSAValue]) -> None:
    """Prints the syntax of `parse_bundles` after a space; nothing without bundles."""
    sizes = bundle_sizes(op)
    if not sizes:
        return
    tags = bundle_tags(op)
    names = [t.data for t in tags if isinstance(t, StringAttr)]
    printer.print_string(" [")
    start = 0
    for i, size in enumerate(sizes):
        if i:
            printer.print_string(", ")
        printer.print_string_literal(names[i] if i < len(names) else "")
        with printer.in_parens():
            if size:
                print_values(printer, operands[start : start + size])
        start += size
    printer.print_string("]")


def take_properties(
    op_class: type[Operation], attributes: dict[str, Attribute]
) -> dict[str, Attribute]:
    """Moves the op's properties out of an attribute dictionary."""
    known = op_class.get_irdl_definition().properties  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    return {name: attributes.pop(name) for name in list(attributes) if name in known}


def print_attr_dict(
    printer: Printer,
    op: Operation,
    hidden: frozenset[str] = frozenset(),
    defaults: Mapping[str, Attribute] | None = None,
) -> None:
    """Prints properties and attributes as one dictionary in alphabetical order.

    `hidden` ones are printed elsewhere or are redundant; those equal to `defaults` are omitted.
    """
    shown = dict(op.attributes)
    for name, value in op.properties.items():
        if name not in hidden and not (defaults and defaults.get(name) == value):
            shown[name] = value
    if shown:
        printer.print_string(" ")
        printer.print_attr_dict({name: shown[name] for name in sorted(shown)})


def signature_properties(
    arg_attrs: ArrayAttr | None, res_attrs: ArrayAttr | None
) -> dict[str, Attribute]:
    """The properties for the attributes of arguments and results in a signature."""
    found: dict[str, Attribute] = {}
    if arg_attrs is not None:
        found["arg_attrs"] = arg_attrs
    if res_attrs is not None:
        found["res_attrs"] = res_attrs
    return found
