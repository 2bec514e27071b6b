"""Ops in MLIR's declarative assembly, compiled when first used.

xDSL compiles an op's `assembly_format` when the class is created, which takes about 0.3 ms per op;
for about 400 ops of the llvm and nvvm dialects this would dominate the start of every tool.
`AssemblyOp` keeps the format as text, and xDSL's engine compiles it when the first op of the class
is parsed or printed. The directives below are those of MLIR's formats that xDSL's engine lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, ParsePropInAttrDict
from xdsl.irdl.declarative_assembly_format import (
    AttrDictDirective,
    AttributeVariable,
    CustomDirective,
    FormatDirective,
    FormatProgram,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariableDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from nvvm_xdsl.dialects.clauses import parse_clauses, parse_llvm_clauses
from nvvm_xdsl.ir.arrays import items_of

_CUSTOM = re.compile(r"custom<(\w+)>")
_programs: dict[type[IRDLOperation], FormatProgram] = {}


def program_of(cls: type[IRDLOperation], format_: str) -> FormatProgram:
    """The compiled `format_` of an op class, cached."""
    program = _programs.get(cls)
    if program is None:
        definition = cls.get_irdl_definition()
        known = {name: _directive(name) for name in _CUSTOM.findall(format_) if name in DIRECTIVES}
        definition.custom_directives = known | definition.custom_directives
        program = FormatProgram.from_str(format_, definition)
        if cls.name.startswith(("nvvm.", "llvm.")):
            program = FormatProgram(tuple(_with_clauses(cls.name, program.stmts)))
        _programs[cls] = program
    return program


def _with_clauses(name: str, directives: Iterable[FormatDirective]) -> Iterator[FormatDirective]:
    """The directives of an op, with clauses before the attribute dictionary."""
    for directive in directives:
        if name == "llvm.inline_asm":
            yield ConvergentDirective()
        if isinstance(directive, AttrDictDirective):
            yield ClausesDirective() if name.startswith("nvvm.") else LLVMClausesDirective()
        yield directive
    if name == "nvvm.st.bulk":
        yield AddedTypeDirective()


class AddedTypeDirective(FormatDirective):
    """The type of an operand that only MLIR's main branch states."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_punctuation(",") is not None:
            parser.parse_type()

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        pass


class ClausesDirective(FormatDirective):
    """Properties in the assembly of MLIR's main branch, which are not printed."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        operands: dict[str, UnresolvedOperand] = {}
        state.properties |= parse_clauses(parser, state.op_type, operands)
        for index, (name, _) in enumerate(state.op_type.get_irdl_definition().operands):
            if name in operands:
                state.operands[index] = (operands[name],)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        pass


class LLVMClausesDirective(FormatDirective):
    """Properties of an op of the llvm dialect in the assembly of MLIR's main branch, which are not printed."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        state.properties |= parse_llvm_clauses(parser, state.op_type, state.attributes)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        pass


class ConvergentDirective(FormatDirective):
    """The keyword `convergent` of inline assembly in MLIR's main branch, at any position; an attribute here."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("convergent") is not None:
            state.attributes["llvm.convergent"] = UnitAttr()

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        pass


class AssemblyOp(IRDLOperation):
    """An op whose `FORMAT` is MLIR's assembly format for it."""

    FORMAT: ClassVar[str] = ""
    irdl_options = (ParsePropInAttrDict(),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return program_of(cls, cls.FORMAT).parse(parser, cls)

    def print(self, printer: Printer) -> None:
        cls = type(self)
        program_of(cls, cls.FORMAT).print(printer, self)


class KeywordDirective(CustomDirective):
    """An integer property that MLIR prints as the keyword of its enumeration."""

    TABLE: ClassVar[Mapping[str, int]]
    BY_VALUE: ClassVar[Mapping[int, str]]
    TYPE: ClassVar[IntegerType]
    attr: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        keyword = parser.parse_optional_identifier()
        if keyword is None and self.attr.is_optional:
            return
        value = self.TABLE.get(keyword or "")
        if value is None:
            parser.raise_error(f"expected one of {', '.join(self.TABLE)}", position)
        self.attr.set(state, IntegerAttr(value, self.TYPE))

    def parse_optional(self, parser: Parser, state: ParsingState) -> None:
        keyword = parser.parse_optional_keyword_in(self.TABLE)
        if keyword is not None:
            self.attr.set(state, IntegerAttr(self.TABLE[keyword], self.TYPE))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        attr = self.attr.get(op)
        if attr is None or attr == self.attr.default_value:
            return
        assert isinstance(attr, IntegerAttr)
        state.print_whitespace(printer)
        printer.print_string(self.BY_VALUE.get(attr.value.data, str(attr.value.data)))

    def is_present(self, op: IRDLOperation) -> bool:
        return self.attr.is_present(op)

    def is_anchorable(self) -> bool:
        return self.attr.is_anchorable()

    def is_optional_like(self) -> bool:
        return self.attr.is_optional_like()


def parse_stripped_pointer(parser: Parser) -> Attribute:
    """A type, or `<3>` for `!llvm.ptr<3>`."""
    type_: Attribute | None = parser.parse_optional_type()
    return LLVMPointerType(*LLVMPointerType.parse_parameters(parser)) if type_ is None else type_


def print_stripped_pointer(printer: Printer, type_: Attribute) -> None:
    """A type in the form of `parse_stripped_pointer`."""
    if isinstance(type_, LLVMPointerType) and isinstance(type_.addr_space, IntAttr):
        type_.print_parameters(printer)
    else:
        printer.print_attribute(type_)


@irdl_custom_directive
class StrippedPointer(CustomDirective):
    """The type of an operand that can only be a pointer: MLIR prints `<3>` for `!llvm.ptr<3>`."""

    inner: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.inner.set(state, (parse_stripped_pointer(parser),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        (type_,) = self.inner.get(op)
        state.print_whitespace(printer)
        print_stripped_pointer(printer, type_)

    def is_optional_like(self) -> bool:
        return True


class OperandTypes(CustomDirective):
    """`type(operands)` for several optional operands; the present ones are known."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        for directive in vars(self).values():
            assert isinstance(directive, TypeDirective)
            inner = directive.inner
            assert isinstance(inner, VariableDirective)
            count = len(state.operands[inner.index] or ())
            found: list[Attribute] = []
            for _ in range(count):
                if inner.index:
                    parser.parse_punctuation(",")
                found.append(parser.parse_type())
            directive.set(state, found)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        printer.print_list([v.type for v in op.operands], printer.print_attribute)


def operand_types_directive(count: int) -> type[CustomDirective]:
    """A directive `custom<OperandTypes{count}>(type($a), ...)` for `count` operand groups."""
    cls: type[Any] = type(
        f"OperandTypes{count}",
        (OperandTypes,),
        {
            "__annotations__": {f"type_{i}": TypeDirective for i in range(count)},
            "__module__": __name__,
        },
    )
    return irdl_custom_directive(cls)


def keyword_directive(
    name: str, table: Mapping[str, int], type_: IntegerType = i64
) -> type[CustomDirective]:
    """A directive `custom<name>($property)` for the enumeration `table`."""
    cls: type[Any] = type(
        name,
        (KeywordDirective,),
        {
            "TABLE": table,
            "BY_VALUE": {value: keyword for keyword, value in table.items()},
            "TYPE": type_,
            "__annotations__": {"attr": AttributeVariable},
            "__module__": __name__,
        },
    )
    return irdl_custom_directive(cls)


DIRECTIVES: dict[str, Callable[[], type[CustomDirective]]] = {
    "StrippedPointer": lambda: StrippedPointer,
    "OperandTypes4": partial(operand_types_directive, 4),
    "OperandTypes7": partial(operand_types_directive, 7),
    "OperandTypes8": partial(operand_types_directive, 8),
}
"""Factories of the directives of every `AssemblyOp`, by name; dialects add their own."""


@cache
def _directive(name: str) -> type[CustomDirective]:
    return DIRECTIVES[name]()


def register_keywords(enums: Mapping[str, Mapping[str, int]], type_: IntegerType = i64) -> None:
    """Adds a keyword directive for each enumeration, under the enumeration's name."""
    for name, table in enums.items():
        DIRECTIVES[name] = partial(keyword_directive, name, table, type_)


def parse_signature(
    parser: Parser,
) -> tuple[list[Attribute], list[Attribute], ArrayAttr | None, ArrayAttr | None]:
    """Parses `(T {attrs}, ...) -> (T {attrs})` of calls.

    Returns the argument types, the result types, and the attribute dictionaries of each, None if
    all are empty.
    """

    def entry() -> tuple[Attribute, dict[str, Attribute]]:
        return parser.parse_type(), parser.parse_optional_attr_dict()

    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, entry)
    results: list[tuple[Attribute, dict[str, Attribute]]] = []
    if parser.parse_optional_punctuation("->") is not None:
        listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, entry)
        results = [entry()] if listed is None else listed
    return (
        [type_ for type_, _ in arguments],
        [type_ for type_, _ in results],
        _dictionaries([attrs for _, attrs in arguments]),
        _dictionaries([attrs for _, attrs in results]),
    )


def _dictionaries(entries: list[dict[str, Attribute]]) -> ArrayAttr | None:
    if not any(entries):
        return None
    return ArrayAttr([DictionaryAttr(attrs) for attrs in entries])


def _print_typed(printer: Printer, type_: Attribute, attrs: Attribute | None) -> None:
    printer.print_attribute(type_)
    if isinstance(attrs, DictionaryAttr) and attrs.data:
        printer.print_string(" ")
        printer.print_attr_dict(attrs.data)


def print_signature(
    printer: Printer,
    arguments: list[Attribute],
    results: list[Attribute],
    arg_attrs: Attribute | None,
    res_attrs: Attribute | None,
) -> None:
    """Prints the syntax of `parse_signature`."""

    def pairs(types: list[Attribute], attrs: Attribute | None) -> list[Any]:
        given = items_of(attrs)
        return [(t, given[i] if i < len(given) else None) for i, t in enumerate(types)]

    with printer.in_parens():
        printer.print_list(pairs(arguments, arg_attrs), lambda p: _print_typed(printer, *p))
    printer.print_string(" -> ")
    listed = pairs(results, res_attrs)
    if len(listed) == 1 and not (listed[0][1] is not None and listed[0][1].data):
        _print_typed(printer, *listed[0])
        return
    with printer.in_parens():
        printer.print_list(listed, lambda p: _print_typed(printer, *p))
