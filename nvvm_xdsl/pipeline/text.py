"""Pipeline text: LLVM's grammar for pass pipelines, with xDSL's braces as well.

    pipeline ::= element (`,` element)*
    element  ::= name parameters? nested?
    parameters ::= `<` parameter (`;` parameter)* `>` | `{` option (` ` option)* `}`
    option   ::= key (`=` value (`,` value)*)?
    nested   ::= `(` pipeline? `)`

A parameter may be a string in quotes: `llvm<"default<O3>">`. It is a value without a key,
`=default<O3>`.

`module(function(sroa,simplifycfg<bonus-inst-threshold=2>),memory-space-opt{second-time})` is an
example. The parser does not look up passes: it returns a tree of `Element`s with their offsets in
the text, so that an error for an unknown name has a position.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nvvm_xdsl.ir.diagnostics import DiagnosticError

SOURCE_NAME = "pipeline"
"""Replaces the file name in errors."""

MAX_DEPTH = 200
"""The maximum nesting depth of elements; deeper text is rejected."""


@dataclass
class Element:
    """One element of a pipeline.

    `parameters` are in LLVM's spelling, `key` or `key=value`, for both syntaxes; `nested` is None
    for an element without parentheses. Comparisons ignore offsets.
    """

    name: str
    parameters: list[str] = field(default_factory=list[str])
    nested: list[Element] | None = None
    offset: int = field(default=0, compare=False)
    parameter_offsets: list[int] = field(default_factory=list[int], compare=False)

    def __str__(self) -> str:
        text = self.name
        if self.parameters:
            text += "<" + ";".join(map(_quote, self.parameters)) + ">"
        if self.nested is not None:
            text += "(" + print_pipeline(self.nested) + ")"
        return text


class PipelineError(DiagnosticError):
    """Pipeline text that cannot be parsed, or that contains unknown names."""


def pipeline_error(message: str, text: str, offset: int) -> PipelineError:
    """The error for a position in the text, with a caret."""
    error = DiagnosticError.at_offset(message, text, offset, SOURCE_NAME)
    return PipelineError(
        error.message,
        file=error.file,
        line=error.line,
        column=error.column,
        source_line=error.source_line,
    )


_PLAIN_PARAMETER = re.compile(r'[^\s<>(){};"=\\]+')


def _quote(parameter: str) -> str:
    """A parameter in pipeline text: the value is quoted if it contains characters of the
    grammar."""
    key, equals, value = parameter.partition("=")
    if not equals or (key and _PLAIN_PARAMETER.fullmatch(value)):
        return parameter
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{key}="{escaped}"' if key else f'"{escaped}"'


def print_pipeline(elements: Sequence[Element]) -> str:
    """The text from which `parse_pipeline` creates these elements."""
    return ",".join(map(str, elements))


def parse_pipeline(text: str) -> list[Element]:
    """The elements of a pipeline. Raises PipelineError with a position in the text.

    An empty text is an empty pipeline.
    """
    parser = _Parser(text)
    parser.skip_space()
    if parser.at_end():
        return []
    elements = parser.pipeline(0)
    if not parser.at_end():
        raise parser.error("expected ',' or the end of the pipeline here")
    return elements


_NAME = re.compile(r"(?:xdsl::)?[A-Za-z0-9_.-]+")
_SPACE = re.compile(r"\s+")
_ANGLE_PARAMETER = re.compile(r'[^\s<>(){};"]+')
_KEY = re.compile(r"[A-Za-z0-9_.-]+")
_VALUE = re.compile(r'[^\s<>(){};",=]+')
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


class _Parser:
    text: str
    pos: int

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0

    def error(self, message: str, offset: int | None = None) -> PipelineError:
        """The error for an offset, by default the current one."""
        return pipeline_error(message, self.text, self.pos if offset is None else offset)

    def at_end(self) -> bool:
        """Returns whether all text is consumed."""
        return self.pos >= len(self.text)

    def skip_space(self) -> None:
        """Skips spaces."""
        found = _SPACE.match(self.text, self.pos)
        if found is not None:
            self.pos = found.end()

    def take(self, sign: str) -> bool:
        """Consumes `sign` and spaces around it; returns whether it was there."""
        self.skip_space()
        if self.text.startswith(sign, self.pos):
            self.pos += len(sign)
            self.skip_space()
            return True
        return False

    def pipeline(self, depth: int) -> list[Element]:
        """Parses elements separated by commas."""
        if depth > MAX_DEPTH:
            raise self.error(f"the pipeline nests deeper than {MAX_DEPTH}")
        elements = [self.element(depth)]
        while self.take(","):
            elements.append(self.element(depth))
        return elements

    def element(self, depth: int) -> Element:
        """Parses one pass with its parameters and nested pipeline."""
        self.skip_space()
        found = _NAME.match(self.text, self.pos)
        if found is None:
            raise self.error("expected the name of a pass here")
        element = Element(found[0], offset=self.pos)
        self.pos = found.end()
        if self.text.startswith("<", self.pos):
            self.angle_parameters(element)
        elif self.text.startswith("{", self.pos):
            self.brace_parameters(element)
        opening = self.pos
        if self.take("("):
            element.nested = [] if self.text.startswith(")", self.pos) else self.pipeline(depth + 1)
            if not self.take(")"):
                if self.at_end():
                    raise self.error("this '(' is never closed", self.text.index("(", opening))
                raise self.error("expected ',' or ')' here")
        self.skip_space()
        return element

    def add(self, element: Element, parameter: str, offset: int) -> None:
        """Adds a parameter and its offset to an element."""
        element.parameters.append(parameter)
        element.parameter_offsets.append(offset)

    def string(self) -> str | None:
        """Parses a quoted string, if there is one."""
        found = _STRING.match(self.text, self.pos)
        if found is None:
            if self.text.startswith('"', self.pos):
                raise self.error("this string is never closed")
            return None
        self.pos = found.end()
        return re.sub(r"\\(.)", r"\1", found[1])

    def angle_parameters(self, element: Element) -> None:
        """Parses LLVM's parameters: `<name=value;name>`."""
        opening = self.pos
        self.pos += 1
        self.skip_space()
        while not self.take(">"):
            if self.at_end():
                raise self.error("this '<' is never closed", opening)
            start = self.pos
            found = _ANGLE_PARAMETER.match(self.text, self.pos)
            if found is not None:
                self.pos = found.end()
                parameter = found[0]
            elif self.text.startswith('"', self.pos):
                parameter = "="
            else:
                raise self.error("expected a parameter here")
            if parameter.endswith("="):
                text = self.string()
                if text is None:
                    raise self.error("expected a value here")
                parameter += text
            self.add(element, parameter, start)
            if not self.take(";") and not self.text.startswith(">", self.pos):
                if self.at_end():
                    raise self.error("this '<' is never closed", opening)
                raise self.error("expected ';' or '>' here")

    def brace_parameters(self, element: Element) -> None:
        """Parses MLIR's parameters: `{name=value name=a,b}`."""
        opening = self.pos
        self.pos += 1
        self.skip_space()
        while not self.take("}"):
            if self.at_end():
                raise self.error("this '{' is never closed", opening)
            start = self.pos
            key = _KEY.match(self.text, self.pos)
            if key is None:
                raise self.error("expected an option here")
            self.pos = key.end()
            parameter = key[0]
            if self.text.startswith("=", self.pos):
                self.pos += 1
                values = [self.brace_value()]
                while self.text.startswith(",", self.pos):
                    self.pos += 1
                    values.append(self.brace_value())
                parameter += "=" + ",".join(values)
            self.add(element, parameter, start)
            if _SPACE.match(self.text, self.pos) is None and not self.text.startswith(
                "}", self.pos
            ):
                if self.at_end():
                    raise self.error("this '{' is never closed", opening)
                raise self.error("expected ' ' or '}' here")
            self.skip_space()

    def brace_value(self) -> str:
        """Parses a value in braces, quoted or bare."""
        text = self.string()
        if text is not None:
            return text
        found = _VALUE.match(self.text, self.pos)
        if found is None:
            raise self.error("expected a value here")
        self.pos = found.end()
        return found[0]
