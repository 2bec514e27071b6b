"""Reads PTX text into the ptx dialect.

All of a file's statements, declarations and directives become ops; comments and the layout of the
text are lost. The opcode, modifiers and number of operands of each instruction are checked with the
tables of the nvptx dialect. Register classes are checked when the module is converted to nvptx.

PTX ISA 9.1, chapters 4, 5 and 11.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from xdsl.dialects.builtin import ArrayAttr, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region

from nvvm_xdsl.dialects.llvm.types import I64, UNIT, int_attr, string
from nvvm_xdsl.dialects.nvptx.gpus import FIRST_WITH_SUBNORMALS
from nvvm_xdsl.dialects.nvptx.opcodes import (
    CONTROL_FLOW,
    SELECTOR,
    VECTOR_MOVE,
    WITHOUT_ROUNDING,
    WITHOUT_SYNC,
    Opcode,
    UnknownOpcodeError,
    find_opcode,
    rounding,
)
from nvvm_xdsl.dialects.nvptx.target import version_number
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.operands import OperandError, Shape, operand_trees, split_atoms
from nvvm_xdsl.dialects.ptx.statements import (
    IDENTIFIER,
    Kind,
    Statement,
    StatementError,
    directive_end,
    normalized_operands,
    statements,
    without_comments,
)
from nvvm_xdsl.frontend.ptx.declarations import VARIABLE_START, Declaration, parse_declarations
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError

MAX_SCOPES: Final = 100
"""Maximum nesting depth of scopes."""

FIRST_ROUNDING_VERSION: Final = 40
"""The first PTX version, times ten, in which `mad.f32` requires a rounding mode for sm_20 and
later."""
FIRST_SYNC_ONLY_GPU: Final = 70
"""The first GPU for which PTX 6.4 and later only have `vote` and `shfl` with `.sync`."""
FIRST_SYNC_ONLY_VERSION: Final = 64
"""The first PTX version, times ten, with this restriction."""

_SPACE: Final = re.compile(r"\s*")
_STRING_OR_NOT_ASCII: Final = re.compile(r'"[^"\n]*"|[^\x00-\x7f]')
_LINKAGE: Final = re.compile(r"\.(visible|extern|weak|common)\b\s*")
_FUNCTION: Final = re.compile(r"\.(entry|func)\b\s*")
_WORD: Final = re.compile(r"\.(\w+)")
_NAME: Final = re.compile(IDENTIFIER, re.ASCII)
_PARENTHESES: Final = re.compile(r"\(([^()]*)\)\s*")
_VERSION: Final = re.compile(r"\.version\s+(\d{1,4}\.\d{1,4})(?!\d)")
_TARGET: Final = re.compile(r"\.target\s+(\w+(?:\s*,\s*\w+)*)", re.ASCII)
_GPU: Final = re.compile(r"\b(?:sm|compute)_(\d{1,4})")
_ADDRESS_SIZE: Final = re.compile(r"\.address_size\s+(\d+)")
_HEAD_DIRECTIVE: Final = re.compile(
    r"""\.(?:
        (pragma)\s*("(?:[^"\\\n]|\\.)*"(?:\s*,\s*"(?:[^"\\\n]|\\.)*")*)\s*;
      | (noreturn | explicitcluster | blocksareclusters)\b
      | (maxntid | reqntid | reqnctapercluster | minnctapersm | maxnctapersm | maxnreg
         | maxclusterrank | abi_preserve | abi_preserve_control)
        \s+(\d+(?:\s*,\s*\d+){0,2})
    )\s*""",
    re.VERBOSE,
)
_LABELLED: Final = re.compile(r"\s*\.(branchtargets|calltargets|callprototype)\b")


def read_ptx(text: str, filename: str = "<string>", *, locations: bool = False) -> ModuleOp:
    """The module of the ptx dialect for PTX text.

    Arguments:
        text: the whole file.
        filename: the file name in errors and locations.
        locations: whether ops get their line and column.
    Raises DiagnosticError with the location of the error.
    """
    return _Reader(text, filename, locations).module()


class _Reader:
    def __init__(self, text: str, filename: str, locations: bool) -> None:
        self.original = text
        self.text = without_comments(text)
        self.filename = filename
        self.locations = locations
        self.line = 1
        self.line_start = 0
        self.line_at = 0
        self.file_attr = StringAttr(filename)
        self.checked: dict[tuple[str, Shape], Opcode | None] = {}
        self.version = 0
        self.newest = 0

    def fail(self, message: str, offset: int) -> NoReturn:
        """Raises the error at an offset of the text."""
        raise DiagnosticError.at_offset(message, self.original, offset, self.filename)

    def location(self, offset: int) -> Any:
        """The location of an op; offsets must not decrease."""
        if not self.locations:
            return fast.UNKNOWN_LOC
        text = self.text
        lines = text.count("\n", self.line_at, offset)
        if lines:
            self.line += lines
            self.line_start = text.rfind("\n", 0, offset) + 1
        self.line_at = offset
        return FileLineColLoc(
            self.file_attr, IntAttr(self.line), IntAttr(offset - self.line_start + 1)
        )

    def add(self, block: Block, cls: type[Operation], offset: int, **properties: Attribute) -> None:
        """Appends an op with the location of an offset."""
        fast.append(
            block, fast.create(cls, (), (), dict(properties), location=self.location(offset))
        )

    # The module

    def module(self) -> ModuleOp:
        """Reads the whole text; raises a located error if it is not valid PTX."""
        if not self.text.isascii():
            self._reject_not_ascii()
        try:
            return self._module()
        except StatementError as error:
            self.fail(str(error), error.offset)

    def _reject_not_ascii(self) -> None:
        """Raises an error at a character outside of ASCII that is not in a string.

        ptxas rejects such characters in strings and comments, too.
        """
        for match in _STRING_OR_NOT_ASCII.finditer(self.text):
            if match[0][0] != '"':
                self.fail(f"unexpected character {match[0]!r}", match.start())

    def _module(self) -> ModuleOp:
        block = fast.new_block()
        text = self.text
        at = 0
        size = len(text)
        while True:
            space = _SPACE.match(text, at)
            at = space.end() if space is not None else at
            if at >= size:
                break
            if text[at] == ";":
                at += 1
                continue
            at = self._top(block, at)
        if not isinstance(block.first_op, ptx.VersionOp):
            first = _SPACE.match(text)
            self.fail("a PTX module begins with .version", min(first.end() if first else 0, size))
        return ModuleOp(Region(block))

    def _top(self, block: Block, at: int) -> int:
        """Reads a top-level statement of a module; returns its end."""
        text = self.text
        start = at
        word = _WORD.match(text, at)
        if word is None:
            self.fail("expected a directive", at)
        name = word[1]
        if name == "version":
            match = self._match(_VERSION, at, "'.version MAJOR.MINOR'")
            self.add(block, ptx.VersionOp, at, version=string(match[1]))
            self.version = version_number(match[1])
            return match.end()
        if name == "target":
            match = self._match(_TARGET, at, "'.target sm_NUMBER'")
            target = ", ".join(part.strip() for part in match[1].split(","))
            self.add(block, ptx.TargetOp, at, target=string(target))
            self.newest = max(self.newest, *map(int, _GPU.findall(target)), 0)
            return match.end()
        if name == "address_size":
            match = self._match(_ADDRESS_SIZE, at, "'.address_size BITS'")
            self.add(block, ptx.AddressSizeOp, at, bits=int_attr(int(match[1][:4]), I64))
            return match.end()
        if name in ("file", "section", "pragma", "alias", "loc"):
            end = directive_end(text, at, name)
            self.add(block, ptx.DirectiveOp, at, text=StringAttr(_one_line(text[at:end], name)))
            return end
        linkage = ""
        match = _LINKAGE.match(text, at)
        if match is not None:
            linkage = match[1]
            at = match.end()
        function = _FUNCTION.match(text, at)
        if function is not None:
            return self._function(block, start, function, linkage)
        if VARIABLE_START.match(text, at) is None:
            self.fail("expected a directive", at)
        end = directive_end(text, at, name)
        for declaration in self._declarations(at, end):
            self._variable(block, declaration, start, linkage)
        return end

    def _match(self, pattern: re.Pattern[str], at: int, what: str) -> re.Match[str]:
        match = pattern.match(self.text, at)
        if match is None:
            self.fail(f"expected {what}", at)
        return match

    def _declarations(self, at: int, end: int) -> list[Declaration]:
        return parse_declarations(self.text, at, end - 1)

    def _variable(self, block: Block, found: Declaration, start: int, linkage: str = "") -> None:
        properties: dict[str, Attribute] = {
            "space": string(found.space),
            "type": string(found.type_),
            "symbol": string(found.name),
        }
        if linkage:
            properties["linkage"] = string(linkage)
        if found.align:
            properties["align"] = int_attr(found.align, I64)
        if found.count is not None:
            properties["count"] = int_attr(found.count, I64)
        if found.attribute:
            properties["attribute"] = string(found.attribute)
        if found.init:
            properties["init"] = StringAttr(found.init)
        self.add(block, ptx.VariableOp, start, **properties)

    # Functions

    def _function(self, block: Block, start: int, head: re.Match[str], linkage: str) -> int:
        text = self.text
        entry = head[1] == "entry"
        at = head.end()
        properties: dict[str, Attribute] = {}
        match = _PARENTHESES.match(text, at)
        if match is not None:
            if entry:
                self.fail("a kernel (.entry) cannot return a value", at)
            ret = _one_space(match[1])
            if ret:
                properties["ret"] = StringAttr(ret)
            at = match.end()
        name = _NAME.match(text, at)
        if name is None:
            self.fail("expected the name of a function", at)
        properties["symbol"] = StringAttr(name[0])
        at = self._skip(name.end())
        match = _PARENTHESES.match(text, at)
        if match is not None:
            params = [_one_space(p) for p in match[1].split(",")] if match[1].strip() else []
            for param in params:
                if not param:
                    self.fail("expected a parameter", match.start(1))
            if params:
                properties["params"] = ArrayAttr([StringAttr(p) for p in params])
            at = match.end()
        directives: list[str] = []
        while (match := _HEAD_DIRECTIVE.match(text, at)) is not None:
            directives.append(_one_space(match[0]))
            at = match.end()
        if directives:
            properties["directives"] = ArrayAttr([StringAttr(d) for d in directives])
        if linkage:
            properties["linkage"] = string(linkage)
        if entry:
            properties["entry"] = UNIT
        location = self.location(start)
        region = Region()
        if text.startswith(";", at):
            end = at + 1
        elif text.startswith("{", at):
            body = fast.new_block()
            end = self._body(body, at + 1)
            fast.append_block(region, body)
        else:
            self.fail("expected '{', ';' or a directive of a function", at)
        fast.append(
            block, fast.create(ptx.FuncOp, (), (), properties, location=location, regions=(region,))
        )
        return end

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match is not None else at

    def _body(self, body: Block, at: int) -> int:
        """Reads the statements of a function; returns the offset after its closing brace."""
        scopes: list[tuple[Block, int]] = []
        block = body
        checked = self.checked
        locations = self.locations
        create = fast.create
        append = fast.append
        unknown = fast.UNKNOWN_LOC
        inst = ptx.InstOp
        labelled = 0
        for statement in statements(self.text, at):
            kind, start, end, guard, head, rest, rest_start = statement
            if kind is Kind.INSTRUCTION:
                if rest:
                    try:
                        rest = normalized_operands(rest)
                    except StatementError as error:
                        self.fail(str(error), rest_start + error.offset)
                pieces = split_atoms(rest)
                shape = tuple(pieces[0::2])
                if (head, shape) not in checked:
                    checked[head, shape] = self._check(statement, shape, pieces[1::2])
                properties: dict[str, Attribute] = {
                    "opcode": string(head),
                    "operands": StringAttr(rest),
                }
                if guard:
                    properties["guard"] = string(guard)
                location = self.location(start) if locations else unknown
                append(block, create(inst, (), (), properties, (), None, location))
            elif kind is Kind.LABEL:
                match = _LABELLED.match(self.text, end)
                if match is not None:
                    # The label is the name of the following directive.
                    labelled = start + 1
                    continue
                self.add(block, ptx.LabelOp, start, label=StringAttr(head))
            elif kind is Kind.DIRECTIVE:
                if labelled:
                    name = self.text[labelled - 1 : start]
                    line = _one_space(f"{name.rstrip().rstrip(':').rstrip()}: {rest}")
                    self.add(block, ptx.DirectiveOp, labelled - 1, text=StringAttr(line))
                    labelled = 0
                else:
                    self._directive(block, statement)
            elif kind is Kind.OPEN:
                scopes.append((block, start))
                if len(scopes) > MAX_SCOPES:
                    self.fail(f"scopes are nested more than {MAX_SCOPES} deep", start)
                self.location(start)
                block = fast.new_block()
            else:
                if not scopes:
                    return end
                inner = block
                block, _ = scopes.pop()
                region = Region(inner)
                location = inner.first_op.location if inner.first_op is not None else unknown
                append(block, create(ptx.ScopeOp, location=location, regions=(region,)))
        self.fail("the body of a function is not closed: expected '}'", len(self.text.rstrip()))

    def _check(self, statement: Statement, shape: Shape, atoms: Sequence[str]) -> Opcode | None:
        """Checks an instruction with the tables, once for each opcode and shape."""
        opcode = statement.head
        start = self.text.index(opcode, statement.start)
        try:
            trees = operand_trees(shape)
        except OperandError as error:
            self.fail(str(error), self._operand_place(statement, shape, error))
        if opcode in CONTROL_FLOW or VECTOR_MOVE.match(opcode):
            return None
        without_sync = WITHOUT_SYNC.match(opcode) is not None and self._has_warps_without_sync()
        present = opcode.replace(".", ".sync.", 1) if without_sync else opcode
        if WITHOUT_ROUNDING.match(opcode) and self._has_mad_without_rounding():
            present = rounding(opcode)
        try:
            found = find_opcode(present)
        except UnknownOpcodeError as error:
            place = max(error.offset - (len(present) - len(opcode)), 0)
            self.fail(str(error), start + place)
        if any(SELECTOR.search(atom) for atom in atoms):
            return found
        counts: set[int] = set()
        for signature in found.signatures:
            results = (
                min(len(signature.results), 1) if signature.is_pair else len(signature.results)
            )
            least = results + signature.required_operands - without_sync
            counts.update(
                range(least, least + len(signature.operands) + 1 - signature.required_operands)
            )
        if len(trees) not in counts:
            wanted = " or ".join(str(count) for count in sorted(counts))
            self.fail(f"'{opcode}' takes {wanted} operands, not {len(trees)}", start)
        return found

    def _has_warps_without_sync(self) -> bool:
        """Returns True if `vote` and `shfl` without `.sync` exist for the version and target."""
        return self.version < FIRST_SYNC_ONLY_VERSION or self.newest < FIRST_SYNC_ONLY_GPU

    def _has_mad_without_rounding(self) -> bool:
        """Returns True if `mad.f32` without a rounding mode exists for the version and target."""
        return self.version < FIRST_ROUNDING_VERSION or self.newest < FIRST_WITH_SUBNORMALS

    def _operand_place(self, statement: Statement, shape: Shape, error: OperandError) -> int:
        """The offset in the text of an error in operands with normalized spaces."""
        rest = statement.rest
        pieces = split_atoms(rest)
        before = sum(len(piece) for piece in pieces[: 2 * error.atom])
        text = pieces[2 * error.atom] if 2 * error.atom < len(pieces) else ""
        wanted = len(shape[error.atom][: error.offset].replace(" ", ""))
        plain = 0
        for place, char in enumerate(text):
            if char.isspace():
                continue
            if plain >= wanted:
                return statement.rest_start + before + place
            plain += 1
        return statement.rest_start + before + len(text.rstrip())

    def _directive(self, block: Block, statement: Statement) -> None:
        name = statement.head
        start = statement.start
        if name == "reg":
            for found in self._declarations(start, statement.end):
                properties: dict[str, Attribute] = {
                    "type": string(found.type_),
                    "prefix": string(found.name),
                }
                if found.range_ is not None:
                    properties["count"] = int_attr(found.range_, I64)
                self.add(block, ptx.RegOp, start, **properties)
            return
        if name in ("loc", "file", "pragma", "section"):
            text = _one_line(statement.rest, name)
            self.add(block, ptx.DirectiveOp, start, text=StringAttr(text))
            return
        at = start
        linkage = ""
        match = _LINKAGE.match(self.text, at)
        if match is not None:
            linkage = match[1]
            at = match.end()
        if VARIABLE_START.match(self.text, at) is None:
            self.fail(f"unknown directive '.{name}'", start)
        for found in self._declarations(at, statement.end):
            self._variable(block, found, start, linkage)


def _one_space(text: str) -> str:
    return " ".join(text.split())


def _one_line(text: str, name: str) -> str:
    """A directive with normalized white space; the lines of a section are kept."""
    if name == "section":
        return text
    return text if '"' in text else _one_space(text)
