"""Queries of an editor about NVVM IR text: errors, facts about a value, the definition of a name.

Works on the text and on the module parsed from it, whose ops have their locations in the text. The
protocol is implemented by `language_server`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.warp_accesses import WarpAccess, WarpAccesses
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width, symbol_name
from nvvm_xdsl.driver.compile import parse, verify
from nvvm_xdsl.driver.files import Format, format_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of

_NAME: Final = r'(?:[-\w$.]+|"[^"\n]*")'
_TOKEN: Final = re.compile(rf"[%@^]{_NAME}(?:#\d+)?|^{_NAME}(?=:)", re.M)
_DEBUG_LOCATION: Final = {
    # Location directives are blanked, so that ops have their location in the text and not in a
    # source file.
    "ll": re.compile(r", !dbg ![0-9]+"),
    "mlir": re.compile(r" loc\((?:#\w+|\"[^\"\n]*\":\d+:\d+|unknown)\)"),
}
_FUNCTION: Final = {
    "ll": re.compile(rf"^define\b[^@\n]*(@{_NAME})\(", re.M),
    "mlir": re.compile(rf"^\s*(?:llvm|nvptx)\.func\b[^@\n]*(@{_NAME})\(", re.M),
}
_SYMBOL: Final = {
    "ll": re.compile(rf"^(?:(?:define|declare)\b[^@\n]*)?(@{_NAME})(?=\(| =)", re.M),
    "mlir": re.compile(
        rf"^\s*(?:llvm\.func|llvm\.mlir\.(?:global|alias)|nvptx\.func|nvptx\.global)\b[^@\n]*(@{_NAME})",
        re.M,
    ),
}
_RESULTS: Final = re.compile(rf"^\s*(%{_NAME}(?::\d+)?(?:, %{_NAME}(?::\d+)?)*) = ")
_LABEL: Final = {
    "ll": re.compile(rf"^({_NAME}):"),
    "mlir": re.compile(rf"^\s*(\^{_NAME})\s*(?:\(|:)"),
}
_PARAMETER: Final = {
    "ll": re.compile(rf"(?<=\s)(%{_NAME})(?=[,)])"),
    "mlir": re.compile(rf"(%{_NAME})(?=:)"),
}
_PHI: Final = re.compile(rf"^\s*(%{_NAME}) = phi ")


@dataclass(frozen=True)
class Span:
    """A range of one line. Line and columns count from 0; the end is exclusive."""

    line: int
    start: int
    end: int


@dataclass(frozen=True)
class Problem:
    """An error in the text with its location; the first line if it has none."""

    span: Span
    message: str


@dataclass
class _Scope:
    """One function of the text: the locations of its names' definitions, and their values."""

    name: str
    first_line: int
    places: dict[str, Span] = field(default_factory=dict[str, Span])
    lines: dict[str, int] = field(default_factory=dict[str, int])
    """The line of the op that defines a name, and the index of the result."""
    results: dict[str, int] = field(default_factory=dict[str, int])
    arguments: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """The block, by number, and the index of the argument."""


MOST_PROBLEMS = 20
"""The maximum number of errors that are searched for in one text."""

_VALUE = re.compile(r"%[\w.$-]+")
_DEFINED = re.compile(r"^\s*(%[\w.$-]+)(?=\s*(?:=|:|$))")
_NO_CODE = re.compile(r"\s*(?:;|//|$)")

_MOST_CONSEQUENCES = 8
"""The maximum number of errors that are ascribed to the values of a removed line."""


def _names(error: DiagnosticError, lines: list[str], at: int | None) -> set[str]:
    """The names of values in the message and in the line of an error."""
    found = set(_VALUE.findall(error.message))
    if at is not None and at < len(lines):
        found |= set(_VALUE.findall(lines[at]))
    return found


class Document:
    """A document of the editor.

    Arguments:
        text: its current contents.
        name: its file name, whose suffix determines the format.
    """

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.lines = text.split("\n")
        found: Format = format_of(text.encode("utf-8", "surrogatepass"), name)
        self.kind = "mlir" if found == "mlir" else "ll"
        self.problems: list[Problem] = []
        self.module = self._read()

    def _read(self) -> ModuleOp | None:
        """The module without the lines that have errors, all of which are reported; None if no
        module can be built."""
        blanked = _DEBUG_LOCATION[self.kind].sub(lambda match: " " * len(match[0]), self.text)
        lines = blanked.split("\n")
        lost: set[str] = set()
        dropped: set[int] = set()
        for _ in range(MOST_PROBLEMS):
            found = self.parsed(lines)
            if isinstance(found, ModuleOp):
                return found
            for part in found.parts():
                at = None if part.line is None else part.line - 1
                is_known = at is not None and at < len(lines) and at not in dropped
                if at is not None and is_known:
                    unfinished = self._unfinished_line(lines, part, at, lost)
                    if unfinished is not None:
                        at, part = unfinished, self._unfinished(unfinished, part)
                if not _names(part, lines, at) & lost and at not in dropped:
                    self.problems.append(self._problem(part))
                if at is None or not is_known or not lines[at].strip():
                    return None
                dropped.add(at)
                self._drop(lines, at, lost)
        return None

    def parsed(self, lines: list[str]) -> ModuleOp | DiagnosticError:
        """The module of lines, or their first error."""
        try:
            module = parse("\n".join(lines), filename=self.name, locations=True)
            verify(module)
        except DiagnosticError as error:
            return error
        return module

    def _drop(self, lines: list[str], at: int, lost: set[str]) -> None:
        """Removes a line; the values that it defines are added to `lost`."""
        lost |= set(_DEFINED.findall(lines[at]))
        lines[at] = self._in_place_of(lines, at)

    def _unfinished_line(
        self, lines: list[str], error: DiagnosticError, at: int, lost: set[str]
    ) -> int | None:
        """The line before an error, if the error follows from its missing end.

        A parser reports the first token that cannot continue an unfinished line, which is on the next
        one. Of the two lines, the one without which more of the text can be read is wrong.
        """
        if len(lines[at][: error.column or 1].split()) > 2:
            return None
        is_code = (n for n in range(at - 1, -1, -1) if not _NO_CODE.match(lines[n]))
        previous = next(is_code, None)
        if previous is None:
            return None
        reached = [self._first_error_without(lines, n, lost) for n in (previous, at)]
        return previous if reached[0] > reached[1] else None

    def _first_error_without(self, lines: list[str], at: int, lost: set[str]) -> int:
        """The line of the first error if a line is removed, without errors that follow from it."""
        lines, lost = list(lines), set(lost)
        for _ in range(_MOST_CONSEQUENCES):
            self._drop(lines, at, lost)
            found = self.parsed(lines)
            if isinstance(found, ModuleOp):
                break
            at = (found.parts()[0].line or 1) - 1
            if at >= len(lines) or not _names(found.parts()[0], lines, at) & lost:
                return at
        return len(lines)

    def _unfinished(self, at: int, error: DiagnosticError) -> DiagnosticError:
        """The error of an unfinished line, at its last word."""
        words = list(re.finditer(r"\S+", self.lines[at]))
        message = f"the line is not complete ({error.message})"
        return DiagnosticError(message, file=self.name, line=at + 1, column=words[-1].start() + 1)

    def _in_place_of(self, lines: list[str], at: int) -> str:
        """The text that replaces a line with an error: a terminator at the end of a block, else
        nothing."""
        following = next((line.strip() for line in lines[at + 1 :] if line.strip()), "}")
        if following.startswith(("}", "^")) or following.partition(";")[0].strip().endswith(":"):
            return "unreachable" if self.kind == "ll" else "llvm.unreachable"
        return ""

    def _problem(self, error: DiagnosticError) -> Problem:
        line = min((error.line or 1), len(self.lines)) - 1
        start = min(max((error.column or 1) - 1, 0), len(self.lines[line]))
        word = re.compile(r"[%@^!#]?[\w$.]+|\S").match(self.lines[line], start)
        end = word.end() if word is not None else len(self.lines[line])
        return Problem(Span(line, start, max(end, start)), error.message)

    # Names

    @cached_property
    def _scopes(self) -> list[_Scope]:
        return [self._scope(match) for match in _FUNCTION[self.kind].finditer(self.text)]

    def _scope(self, head: re.Match[str]) -> _Scope:
        start = self.text.rfind("\n", 0, head.start(1)) + 1
        first = self.text.count("\n", 0, start)
        scope = _Scope(head[1], first)
        following = _FUNCTION[self.kind].search(self.text, head.end())
        end = self.text.count("\n", 0, following.start()) if following else len(self.lines)
        self._add_arguments(scope, first, head.end() - start, 0)
        block, argument, started = 0, 0, False
        for number in range(first + 1, end):
            text = self.lines[number]
            label = _LABEL[self.kind].match(text)
            if label is not None:
                # A label on the first line does not start another block.
                block += started
                argument = 0
                name = label[1] if self.kind == "mlir" else f"%{label[1]}"
                scope.places.setdefault(name, Span(number, label.start(1), label.end(1)))
                if self.kind == "mlir":
                    self._add_arguments(scope, number, label.end(1), block)
            results = _RESULTS.match(text)
            if results is not None:
                phi = self.kind == "ll" and _PHI.match(text) is not None
                for index, (name, span) in enumerate(
                    _names_in(results[1], number, results.start(1))
                ):
                    scope.places.setdefault(name, span)
                    if phi:
                        scope.arguments[name] = block, argument
                        argument += 1
                    else:
                        scope.lines[name] = number
                        scope.results[name] = index
            started |= bool(text.strip()) and not text.lstrip().startswith((";", "//"))
        return scope

    def _add_arguments(self, scope: _Scope, line: int, column: int, block: int) -> None:
        text = self.lines[line][column:].partition("{")[0]
        for index, match in enumerate(_PARAMETER[self.kind].finditer(text)):
            span = Span(line, column + match.start(1), column + match.end(1))
            scope.places.setdefault(match[1], span)
            scope.arguments.setdefault(match[1], (block, index))

    def _scope_at(self, line: int) -> _Scope | None:
        number = bisect_right([scope.first_line for scope in self._scopes], line) - 1
        return self._scopes[number] if number >= 0 else None

    def _token_at(self, line: int, column: int) -> tuple[str, Span] | None:
        if not 0 <= line < len(self.lines):
            return None
        for match in _TOKEN.finditer(self.lines[line]):
            if match.start() <= column < match.end():
                return match[0].partition("#")[0], Span(line, match.start(), match.end())
        return None

    def definition(self, line: int, column: int) -> Span | None:
        """The definition of the value, block or symbol under the cursor."""
        found = self._token_at(line, column)
        if found is None:
            return None
        name = found[0]
        if name[0] == "@":
            return self.symbols().get(name)
        scope = self._scope_at(line)
        if scope is None:
            return None
        return scope.places.get(name) or scope.places.get(f"%{name}")

    def symbols(self) -> dict[str, Span]:
        """The functions and variables of the text, by name with their `@`."""
        found: dict[str, Span] = {}
        for match in _SYMBOL[self.kind].finditer(self.text):
            line = self.text.count("\n", 0, match.start(1))
            start = match.start(1) - (self.text.rfind("\n", 0, match.start(1)) + 1)
            found.setdefault(match[1], Span(line, start, start + len(match[1])))
        return found

    def outline(self) -> list[tuple[str, Span, bool]]:
        """The symbols that the text defines, in order: name, location, and whether it is a
        function."""
        return [
            (name, span, " =" not in self.lines[span.line][span.end : span.end + 2])
            for name, span in self.symbols().items()
        ]

    def references(self, line: int, column: int) -> list[Span]:
        """All positions of the name under the cursor, including its definition."""
        found = self._token_at(line, column)
        if found is None:
            return []
        name = found[0]
        first, last = 0, len(self.lines)
        if name[0] != "@":
            scope = self._scope_at(line)
            if scope is None:
                return []
            index = self._scopes.index(scope)
            first = scope.first_line
            last = self._scopes[index + 1].first_line if index + 1 < len(self._scopes) else last
        return [
            Span(number, match.start(), match.end())
            for number in range(first, last)
            for match in _TOKEN.finditer(self.lines[number])
            if match[0].partition("#")[0] == name
        ]

    def names_at(self, line: int) -> list[str]:
        """The values and blocks of the function at a line."""
        scope = self._scope_at(line)
        return [] if scope is None else list(scope.places)

    # Facts

    def hints(self, first: int, last: int) -> Iterator[tuple[int, int, str]]:
        """Facts about the values that these lines define: line, column after the name, and a short text.

        The text has the range of an integer and `divergent`. Lines count from 0; `last` is included.
        """
        for scope in self._scopes:
            for name, span in scope.places.items():
                value = self._value(scope, name) if first <= span.line <= last else None
                function = None if value is None else self._function_of(value)
                if value is None or function is None or function.name != "llvm.func":
                    continue
                text = " ".join(self._short_facts(function, value))
                if text:
                    yield span.line, span.end, text

    def _short_facts(self, function: Operation, value: SSAValue) -> Iterator[str]:
        if integer_width(value.type):
            block = value.owner if isinstance(value.owner, Block) else value.owner.parent
            if block is not None:
                range_ = self._analyses.get(LazyValueInfo, function).range_in_block(value, block)
                if not range_.is_full:
                    yield str(range_)
        if self._analyses.get(Uniformity, function).is_divergent(value):
            yield "divergent"

    def hover(self, line: int, column: int) -> tuple[str, Span] | None:
        """Markdown about the value or symbol under the cursor, and its range in the text."""
        found = self._token_at(line, column)
        if found is None or self.module is None:
            return None
        name, span = found
        if name[0] == "@":
            place = self.symbols().get(name)
            return None if place is None else (_code(self.lines[place.line].strip()), span)
        scope = self._scope_at(line)
        value = None if scope is None else self._value(scope, name)
        if value is None:
            return None
        function, access = self._function_of(value), None
        if function is None:
            return None
        user = self._ops_by_line.get(line)
        if user is not None and user is not value.owner:
            access = self._access(function, user, value)
        return "\n\n".join(self._facts(function, name, value, access)), span

    @cached_property
    def _analyses(self) -> AnalysisManager:
        return AnalysisManager()

    @cached_property
    def _ops_by_line(self) -> dict[int, Operation]:
        """The last op that each line of the text creates: constants come before the ops that use
        them."""
        found: dict[int, Operation] = {}
        if self.module is not None:
            for op in self.module.walk():
                place = place_of(op)
                if place.line is not None and (op.results or place.line - 1 not in found):
                    found[place.line - 1] = op
        return found

    def _value(self, scope: _Scope, name: str) -> SSAValue | None:
        if name in scope.lines:
            op = self._ops_by_line.get(scope.lines[name])
            number = scope.results[name]
            return op.results[number] if op is not None and number < len(op.results) else None
        if name not in scope.arguments:
            return None
        function = self._function(scope.name)
        if function is None:
            return None
        block_number, number = scope.arguments[name]
        blocks = list(function.regions[0].blocks)
        if block_number >= len(blocks) or number >= len(blocks[block_number].args):
            return None
        return blocks[block_number].args[number]

    def _function(self, name: str) -> Operation | None:
        wanted = name.removeprefix("@").strip('"')
        return next((f for f in self._functions() if symbol_name(f) == wanted), None)

    def _functions(self) -> Iterator[Operation]:
        if self.module is not None:
            for op in self.module.walk():
                if op.name in ("llvm.func", "nvptx.func"):
                    yield op

    def _function_of(self, value: SSAValue) -> Operation | None:
        owner = value.owner
        op = owner.parent_op() if isinstance(owner, Block) else owner
        while op is not None and op.name not in ("llvm.func", "nvptx.func"):
            op = op.parent_op()
        return op

    def _facts(
        self, function: Operation, name: str, value: SSAValue, access: WarpAccess | None
    ) -> Iterator[str]:
        yield _code(f"{name} : {value.type}")
        if function.name != "llvm.func":
            return
        uniformity = self._analyses.get(Uniformity, function)
        facts = [
            "**divergent**: differs between the threads of a warp"
            if uniformity.is_divergent(value)
            else "**uniform**: the same for all threads of a warp"
        ]
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        if integer_width(value.type) and block is not None:
            range_ = self._analyses.get(LazyValueInfo, function).range_in_block(value, block)
            if not range_.is_full:
                facts.append(f"range `{range_}`")
            bits = self._analyses.get(ValueTracking, function).fact(value).bits
            if bits.zeros or bits.ones:
                facts.append(f"bits `{bits}`")
        yield "\n".join(f"- {fact}" for fact in facts)
        if access is not None:
            yield access.verdict[1]

    def _access(self, function: Operation, op: Operation, value: SSAValue) -> WarpAccess | None:
        """The memory access of the op under the cursor whose address is the value."""
        if function.name != "llvm.func" or not value.type.name.startswith("llvm.ptr"):
            return None
        accesses = self._analyses.get(WarpAccesses, function).accesses
        return next((access for access in accesses if access.op is op), None)


def _names_in(text: str, line: int, start: int) -> Iterator[tuple[str, Span]]:
    for match in re.finditer(rf"%{_NAME}", text):
        yield match[0], Span(line, start + match.start(), start + match.end())


def _code(text: str) -> str:
    return f"```\n{text}\n```"
