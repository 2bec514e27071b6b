"""What a PTX file consists of, in order. Each op prints itself; printing takes no decision.

Everything is text: an instruction is an opcode and its operands as in the file, so that any PTX can
be represented.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, OpTraits, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import integer_of, number_of, string_of
from nvvm_xdsl.dialects.llvm.types import I64, UNIT, int_attr, string
from nvvm_xdsl.ir import fast


class PTXOp(Operation):
    """Base of the dialect's ops.

    The text fields named in `REQUIRED` come first in the assembly, in this order. Then follow the
    fields in `OPTIONAL` as `name = ...` if present, and units (`UNITS`) as bare words.
    """

    REQUIRED: ClassVar[tuple[str, ...]] = ()
    OPTIONAL: ClassVar[tuple[str, ...]] = ()
    UNITS: ClassVar[tuple[str, ...]] = ()
    HAS_BODY: ClassVar[bool] = False

    traits = OpTraits(lambda: ())

    @abstractmethod
    def print_ptx(self, out: list[str]) -> None:
        """Appends the op as PTX to `out`, line ends included."""

    def text(self, name: str) -> str:
        """A text field, empty when it is absent."""
        return string_of(self.properties.get(name)) or ""

    def texts(self, name: str) -> list[str]:
        """A field that is a list of texts."""
        found = self.properties.get(name)
        if found is None:
            return []
        return [t.data for t in cast("ArrayAttr[StringAttr]", found)]

    def number(self, name: str) -> int | None:
        """An integer field, None when it is absent."""
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


class VersionOp(PTXOp):
    """`.version 8.0`."""

    name = "ptx.version"
    REQUIRED = ("version",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f".version {self.text('version')}\n")


class TargetOp(PTXOp):
    """`.target sm_90`."""

    name = "ptx.target"
    REQUIRED = ("target",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f".target {self.text('target')}\n")


class AddressSizeOp(PTXOp):
    """`.address_size 64`."""

    name = "ptx.address_size"
    REQUIRED = ("bits",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f".address_size {self.number('bits')}\n\n")


class VariableOp(PTXOp):
    """A variable: `ptx.variable "global" "b8" "table" count = 16 align = 4 init = "{1, 2}"`.

    `count` is absent for a scalar and 0 for `[]`. `attribute` is text such as `managed`.
    """

    name = "ptx.variable"
    REQUIRED = ("space", "type", "symbol")
    OPTIONAL = ("linkage", "align", "count", "attribute", "init")

    def print_ptx(self, out: list[str]) -> None:
        linkage = self.text("linkage")
        attribute = self.text("attribute")
        align = self.number("align")
        count = self.number("count")
        init = self.text("init")
        out.append(
            (f".{linkage} " if linkage else "")
            + f".{self.text('space')} "
            + (f".attribute(.{attribute}) " if attribute else "")
            + (f".align {align} " if align else "")
            + f".{self.text('type')} {self.text('symbol')}"
            + ("" if count is None else "[]" if count == 0 else f"[{count}]")
            + (f" = {init}" if init else "")
            + ";\n"
        )


class FuncOp(PTXOp):
    """A function or entry with its parameters and directives; without a body a declaration."""

    name = "ptx.func"
    REQUIRED = ("symbol",)
    OPTIONAL = ("linkage", "params", "ret", "directives")
    UNITS = ("entry",)
    HAS_BODY = True
    traits = OpTraits(lambda: (NoTerminator(),))

    def print_ptx(self, out: list[str]) -> None:
        linkage = self.text("linkage")
        ret = self.text("ret")
        out.append(
            (f".{linkage} " if linkage else "")
            + (".entry " if "entry" in self.properties else ".func ")
            + (f"({ret}) " if ret else "")
            + self.text("symbol")
            + "("
        )
        params = self.texts("params")
        if params:
            out.append("\n\t")
            out.append(",\n\t".join(params))
            out.append("\n")
        out.append(")")
        for directive in self.texts("directives"):
            out.append(f"\n{directive}")
        block = self.regions[0].first_block
        if block is None:
            out.append(";\n\n")
            return
        out.append("\n{\n")
        print_block(block, out)
        out.append("}\n\n")


class RegOp(PTXOp):
    """Declares registers: `ptx.reg "b32" "%r" count = 5` is `.reg .b32 %r<5>;`.

    Without `count` the op declares one register of that name.
    """

    name = "ptx.reg"
    REQUIRED = ("type", "prefix")
    OPTIONAL = ("count",)

    def print_ptx(self, out: list[str]) -> None:
        count = self.number("count")
        several = "" if count is None else f"<{count}>"
        out.append(f"\t.reg .{self.text('type')} \t{self.text('prefix')}{several};\n")


class LabelOp(PTXOp):
    """`$L__BB0_1:`."""

    name = "ptx.label"
    REQUIRED = ("label",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f"{self.text('label')}:\n")


class InstOp(PTXOp):
    """An instruction: `ptx.inst "setp.lt.s32" "%p1, %r1, %r2" guard = "@!%p2"`."""

    name = "ptx.inst"
    REQUIRED = ("opcode", "operands")
    OPTIONAL = ("guard",)

    def print_ptx(self, out: list[str]) -> None:
        properties: Any = self.properties
        operands = properties["operands"].data
        opcode = properties["opcode"].data
        guard = properties.get("guard")
        if guard is not None:
            opcode = f"{guard.data} {opcode}"
        out.append(f"\t{opcode} \t{operands};\n" if operands else f"\t{opcode};\n")


class DirectiveOp(PTXOp):
    """A line of its own: `.pragma`, `.loc`, `.branchtargets`, or any other text."""

    name = "ptx.directive"
    REQUIRED = ("text",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f"\t{self.text('text')}\n")


class TextOp(PTXOp):
    """PTX of the user's, printed as it is; an empty one is an empty line."""

    name = "ptx.text"
    REQUIRED = ("text",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f"{self.text('text')}\n")


class ScopeOp(PTXOp):
    """A block in braces with names of its own."""

    name = "ptx.scope"
    HAS_BODY = True
    traits = OpTraits(lambda: (NoTerminator(),))

    def print_ptx(self, out: list[str]) -> None:
        out.append("\t{\n")
        block = self.regions[0].first_block
        if block is not None:
            print_block(block, out)
        out.append("\t}\n")


def print_block(block: Block, out: list[str]) -> None:
    """Prints the ops of a body."""
    for op in fast.ops_of(block):
        cast(PTXOp, op).print_ptx(out)


OPS: tuple[type[PTXOp], ...] = (
    VersionOp,
    TargetOp,
    AddressSizeOp,
    VariableOp,
    FuncOp,
    RegOp,
    LabelOp,
    InstOp,
    DirectiveOp,
    TextOp,
    ScopeOp,
)
