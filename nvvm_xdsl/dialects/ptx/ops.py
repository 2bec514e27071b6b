"""The contents of a PTX file, in order. Each op prints itself; printing makes no decisions.

Everything is text: an instruction is an opcode and its operands as in the file, so that any PTX can
be represented.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, cast

from xdsl.ir import Block, OpTraits
from xdsl.traits import NoTerminator

from nvvm_xdsl.dialects.fields import FieldOp
from nvvm_xdsl.ir import fast


class PTXOp(FieldOp):
    """Base of the dialect's ops."""

    @abstractmethod
    def print_ptx(self, out: list[str]) -> None:
        """Appends the op as PTX to `out`, including line ends."""


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
    """A separate line: `.pragma`, `.loc`, `.branchtargets`, or any other text."""

    name = "ptx.directive"
    REQUIRED = ("text",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f"\t{self.text('text')}\n")


class TextOp(PTXOp):
    """PTX text of the user, printed unchanged; empty text is an empty line."""

    name = "ptx.text"
    REQUIRED = ("text",)

    def print_ptx(self, out: list[str]) -> None:
        out.append(f"{self.text('text')}\n")


class ScopeOp(PTXOp):
    """A block in braces, which is a scope of names."""

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
