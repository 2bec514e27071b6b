"""Ops whose assembly is a list of named fields: texts, lists of texts, integers and units.

They represent lines of a text file, such as PTX, and have neither operands nor results.
"""

from __future__ import annotations

from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Operation, OpTraits, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import integer_of, number_of, string_of
from nvvm_xdsl.dialects.llvm.types import I64, UNIT, int_attr, string
from nvvm_xdsl.ir import fast


class FieldOp(Operation):
    """Base of ops with named fields.

    The fields named in `REQUIRED` come first in the assembly, in this order. Then follow the
    fields in `OPTIONAL` as `name = ...` if present, and units (`UNITS`) as bare words.
    """

    REQUIRED: ClassVar[tuple[str, ...]] = ()
    OPTIONAL: ClassVar[tuple[str, ...]] = ()
    UNITS: ClassVar[tuple[str, ...]] = ()
    HAS_BODY: ClassVar[bool] = False

    traits = OpTraits(lambda: ())

    def text(self, name: str) -> str:
        """A text field; empty if absent."""
        return string_of(self.properties.get(name)) or ""

    def texts(self, name: str) -> list[str]:
        """A field that is a list of texts."""
        found = self.properties.get(name)
        if found is None:
            return []
        return [t.data for t in cast("ArrayAttr[StringAttr]", found)]

    def number(self, name: str) -> int | None:
        """An integer field; None if absent."""
        return integer_of(self.properties.get(name))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        for name in cls.REQUIRED:
            properties[name] = _parse_field(parser)
        while (word := parser.parse_optional_keyword_in((*cls.OPTIONAL, *cls.UNITS))) is not None:
            if word in cls.UNITS:
                properties[word] = UNIT
            else:
                parser.parse_punctuation("=")
                properties[word] = _parse_field(parser)
        regions: list[Region] = []
        if cls.HAS_BODY:
            regions.append(parser.parse_optional_region() or Region())
        return cls.create(properties=properties, regions=regions)

    def print(self, printer: Printer) -> None:
        for name in self.REQUIRED:
            printer.print_string(" ")
            _print_field(printer, self.properties[name])
        for name in self.UNITS:
            if name in self.properties:
                printer.print_string(f" {name}")
        for name in self.OPTIONAL:
            found = self.properties.get(name)
            if found is not None:
                printer.print_string(f" {name} = ")
                _print_field(printer, found)
        if self.HAS_BODY and self.regions[0].first_block is not None:
            printer.print_string(" ")
            printer.print_region(self.regions[0])

    def verify_(self) -> None:
        for name in self.REQUIRED:
            if name not in self.properties:
                raise VerifyException(f"{self.name} needs the property '{name}'")
        for name in self.properties:
            if name not in (*self.REQUIRED, *self.OPTIONAL, *self.UNITS):
                raise VerifyException(f"{self.name} has no property '{name}'")
        if fast.operands_of(self) or self.results:
            raise VerifyException(f"{self.name} has neither operands nor results")
        if len(self.regions) != self.HAS_BODY:
            raise VerifyException(f"{self.name} has {int(self.HAS_BODY)} regions")


def _parse_field(parser: Parser) -> Attribute:
    text = parser.parse_optional_str_literal()
    if text is not None:
        return string(text)
    texts = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.SQUARE, parser.parse_str_literal
    )
    if texts is not None:
        return ArrayAttr([string(t) for t in texts])
    return int_attr(parser.parse_integer(allow_boolean=False), I64)


def _print_field(printer: Printer, attr: Attribute) -> None:
    if isinstance(attr, StringAttr):
        printer.print_string_literal(attr.data)
    elif isinstance(attr, ArrayAttr):
        texts = cast("ArrayAttr[StringAttr]", attr)
        with printer.in_square_brackets():
            printer.print_list(texts, lambda t: printer.print_string_literal(t.data))
    else:
        printer.print_string(str(number_of(attr)))
