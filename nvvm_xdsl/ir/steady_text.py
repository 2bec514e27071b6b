"""Text of functions in which a value keeps its name from one printing to the next.

xDSL's printer numbers values in the order of printing, so that removing one op changes all later
lines. Here a value keeps the name from the first printing of its function, and no other value gets
that name later: only changed ops change lines. Long attributes are printed as aliases
(`#tbaa_tag1`), as by MLIR's printer (LLVM dialect, `getAlias`).
"""

from __future__ import annotations

import io
from typing import NamedTuple, cast

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.printer import Printer

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import place_of

ALIASES = {
    "llvm.tbaa_root": "tbaa_root",
    "llvm.tbaa_type_desc": "tbaa_type_desc",
    "llvm.tbaa_tag": "tbaa_tag",
    "llvm.alias_scope": "alias_scope",
    "llvm.alias_scope_domain": "alias_scope_domain",
    "llvm.access_group": "access_group",
    "llvm.loop_annotation": "loop_annotation",
    "llvm.memory_effects": "memory_effects",
    "llvm.target_features": "target_features",
}
"""Attributes that are printed as aliases, by prefix of the alias; the last two are in headers of
functions."""

INDENT = "  "


class Line(NamedTuple):
    """A line of text, and the source file and line of its op if known."""

    text: str
    file: str | None = None
    line: int | None = None


class Aliases:
    """The aliases of attributes, in the order in which they were first printed."""

    def __init__(self) -> None:
        self._names: dict[Attribute, str] = {}
        self._counts: dict[str, int] = {}
        self.definitions: dict[str, str] = {}
        """The attribute's text with its alias, without the `#`."""

    def known(self, attribute: Attribute) -> str | None:
        """The alias of an attribute; None if it has none."""
        return self._names.get(attribute)

    def make(self, attribute: Attribute, text: str) -> str:
        """Creates an alias for an attribute with the text."""
        stem = ALIASES[attribute.name]
        count = self._counts.get(stem, 0)
        self._counts[stem] = count + 1
        name = self._names[attribute] = f"{stem}{count or ''}"
        self.definitions[name] = text
        return name


class _Names:
    """Assigns unique names."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def fresh(self, hint: str | None, stem: str = "") -> str:
        """The hint if it is unused, otherwise the hint with a number; without a hint the stem with
        a number."""
        name = hint
        while name is None or name in self._taken:
            start = stem if hint is None else f"{hint}_"
            count = self._counts.get(start, 0 if hint is None else 1)
            self._counts[start] = count + 1
            name = f"{start}{count}"
        self._taken.add(name)
        return name


class _Printer(Printer):
    """Prints ops with the names of a `FunctionText`; of functions, only the header."""

    def __init__(self, owner: FunctionText) -> None:
        super().__init__(io.StringIO())
        self.owner = owner
        self.body: Region | None = None

    def text_of(self, op: Operation) -> str:
        """Returns the printed op."""
        stream = cast(io.StringIO, self.stream)
        stream.seek(0)
        stream.truncate()
        self.print_op(op)
        return stream.getvalue()

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self.owner.name_of(value)
        self.print_string(f"%{name}")
        return name

    def print_block_name(self, block: Block) -> str:
        name = self.owner.name_of_block(block)
        self.print_string(f"^{name}")
        return name

    def print_region(
        self,
        region: Region,
        print_entry_block_args: bool = True,
        print_empty_block: bool = True,
        print_block_terminators: bool = True,
    ) -> None:
        if region is self.body:
            self.print_string("{")
        else:
            super().print_region(
                region, print_entry_block_args, print_empty_block, print_block_terminators
            )

    def print_attribute(self, attribute: Attribute) -> None:
        if attribute.name not in ALIASES:
            super().print_attribute(attribute)
            return
        aliases = self.owner.aliases
        alias = aliases.known(attribute)
        if alias is None:
            stream = self.stream
            self.stream = io.StringIO()
            try:
                super().print_attribute(attribute)
                text = self.stream.getvalue()
            finally:
                self.stream = stream
            alias = aliases.make(attribute, text)
        self.print_string(f"#{alias}")


class FunctionText:
    """The text of a function that is printed repeatedly as it changes.

    Arguments:
        aliases: shared by functions that are printed together.
    """

    def __init__(self, aliases: Aliases | None = None) -> None:
        self.aliases = aliases if aliases is not None else Aliases()
        self._printer = _Printer(self)
        self._values: dict[SSAValue, str] = {}
        self._blocks: dict[Block, str] = {}
        self._value_names = _Names()
        self._block_names = _Names()
        self._texts: dict[Operation, tuple[tuple[object, ...], tuple[Line, ...]]] = {}

    def name_of(self, value: SSAValue) -> str:
        """The value's name without the `%`; a new one for a value that was not printed before."""
        name = self._values.get(value)
        if name is None:
            name = self._values[value] = self._value_names.fresh(value.name_hint)
        return name

    def name_of_block(self, block: Block) -> str:
        """The block's name without the `^`; a new one for a block that was not printed before."""
        name = self._blocks.get(block)
        if name is None:
            name = self._blocks[block] = self._block_names.fresh(block.name_hint, "bb")
        return name

    def lines(self, func: Operation) -> list[Line]:
        """The current text of the function. Unchanged ops are not printed again."""
        found: list[Line] = []
        texts: dict[Operation, tuple[tuple[object, ...], tuple[Line, ...]]] = {}
        values: list[SSAValue] = []
        blocks = list(fast.blocks_of(func.regions[0])) if func.regions else []
        self._printer.body = func.regions[0] if blocks else None
        place = place_of(func)
        head = self._printer.text_of(func)
        found += [Line(text, place.file, place.line) for text in head.split("\n")]
        for number, block in enumerate(blocks):
            values += block.args
            if number:
                arguments = ", ".join(f"%{self.name_of(a)} : {a.type}" for a in block.args)
                label = self.name_of_block(block) + (f"({arguments})" if arguments else "")
                found.append(Line(f"^{label}:"))
            else:
                self.name_of_block(block)
            for op in fast.ops_of(block):
                known = texts[op] = self._lines_of(op)
                values += op.results
                found += known[1]
        if blocks:
            found.append(Line("}"))
        self._texts = texts
        self._values = {value: self._values[value] for value in values if value in self._values}
        self._blocks = {block: self._blocks[block] for block in blocks}
        return found

    def block_places(self, func: Operation) -> list[tuple[int, int]]:
        """The first line of each block, from 0, and its number of lines, in a function that was
        printed."""
        self._printer.body = func.regions[0]
        at = self._printer.text_of(func).count("\n") + 1
        found: list[tuple[int, int]] = []
        for number, block in enumerate(fast.blocks_of(func.regions[0])):
            count = sum(len(self._lines_of(op)[1]) for op in fast.ops_of(block)) + bool(number)
            found.append((at, count))
            at += count
        return found

    def lines_of_op(self, op: Operation) -> list[Line]:
        """An op outside of functions."""
        place = place_of(op)
        self._printer.body = None
        text = self._printer.text_of(op)
        return [Line(line, place.file, place.line) for line in text.split("\n")]

    def _lines_of(self, op: Operation) -> tuple[tuple[object, ...], tuple[Line, ...]]:
        """The op's lines, and the state that they depend on."""
        operands = fast.operands_of(op)
        state = (
            operands,
            tuple(v.type for v in operands),
            tuple(r.type for r in op.results),
            fast.successors_of(op),
            tuple(op.properties.items()),
            tuple(op.attributes.items()),
            op.location,
        )
        known = self._texts.get(op)
        if known is not None and known[0] == state and not op.regions:
            return known
        place = place_of(op)
        text = self._printer.text_of(op)
        return state, tuple(
            Line(INDENT + line, place.file, place.line) for line in text.split("\n")
        )
