"""Declarations of registers and variables: `.global .align 4 .u32 a = 1, b[2][3];`.

PTX ISA 9.1, sections 5.1 and 5.4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nvvm_xdsl.dialects.ptx.statements import IDENTIFIER, StatementError

VARIABLE_START: Final = re.compile(r"\.(reg|sreg|const|global|local|param|shared|tex)\b(?!:)")

_TYPES: Final = frozenset(
    "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 tf32 f32 f64 pred "
    "texref samplerref surfref e4m3 e5m2 e4m3x2 e5m2x2".split()
)
_WORD: Final = re.compile(r"\s*\.(\w+)\s*")
_VECTOR: Final = re.compile(r"v[248]")
_ALIGN: Final = re.compile(r"\s*(\d+)")
_ATTRIBUTE: Final = re.compile(r"\s*\(((?:[^()]|\([^()]*\))*)\)")
_NAME: Final = re.compile(rf"\s*({IDENTIFIER})\s*", re.ASCII)
_RANGE: Final = re.compile(r"<\s*(\d+)\s*>\s*")
_DIMENSION: Final = re.compile(r"\[\s*(\d*)\s*\]\s*")
_SPACE: Final = re.compile(r"\s*")

MAX_REGISTERS: Final = 1 << 24
"""Maximum number of registers of one `%r<N>`; larger ranges are errors."""

MAX_DEPTH: Final = 20
"""Maximum nesting depth of braces in an initializer."""


@dataclass
class Declaration:
    """A declared name.

    Arguments:
        space: the state space; `reg` for registers.
        type_: the type, `v4 .f32` for a vector.
        align: the alignment in bytes, 0 for that of the type.
        attribute: the contents of `.attribute(...)`.
        range_: the number after a register's name, `%r<5>`.
        count: the number of elements of an array, 0 for `[]`; None for a scalar.
        init: the initializer, with nested arrays flattened.
    """

    space: str
    type_: str
    name: str
    align: int = 0
    attribute: str = ""
    range_: int | None = None
    count: int | None = None
    init: str = ""


def parse_declarations(text: str, at: int, end: int) -> list[Declaration]:
    """The names declared in the text between two offsets. Raises StatementError."""
    align = 0
    attribute = ""
    words: list[str] = []
    while (match := _WORD.match(text, at, end)) is not None:
        word = match[1]
        at = match.end()
        if word == "align":
            number = _ALIGN.match(text, at, end)
            if number is None:
                raise StatementError("expected an alignment", at)
            align = int(number[1][:9])
            if align & (align - 1) or not align:
                raise StatementError(
                    f"the alignment {align} is not a power of two", number.start(1)
                )
            at = number.end()
        elif word == "attribute":
            inner = _ATTRIBUTE.match(text, at, end)
            if inner is None:
                raise StatementError("expected attributes in parentheses", at)
            attribute = " ".join(inner[1].split()).removeprefix(".")
            at = inner.end()
        elif words and word not in _TYPES and not _VECTOR.fullmatch(word):
            raise StatementError(f"unknown type '.{word}'", match.start(1) - 1)
        else:
            words.append(word)
    space, *types = words
    is_type = len(types) == 1 or (len(types) == 2 and _VECTOR.fullmatch(types[0]) is not None)
    if not is_type or types[-1] not in _TYPES:
        raise StatementError("expected a type", at)
    type_ = " .".join(types)
    found: list[Declaration] = []
    while True:
        name = _NAME.match(text, at, end)
        if name is None:
            raise StatementError("expected a name", at)
        made = Declaration(space, type_, name[1], align, attribute)
        at = _declarator(text, name.end(), end, made)
        found.append(made)
        if at >= end:
            return found
        if text[at] != ",":
            raise StatementError("expected ',' or ';'", at)
        at += 1


def _declarator(text: str, at: int, end: int, made: Declaration) -> int:
    """Reads the part after a name; returns its end."""
    match = _RANGE.match(text, at, end)
    if match is not None:
        if made.space != "reg":
            raise StatementError("only registers have ranges", at)
        made.range_ = int(match[1][:12])
        if made.range_ > MAX_REGISTERS:
            raise StatementError(f"more than {MAX_REGISTERS} registers", match.start(1))
        return match.end()
    dimensions: list[int] = []
    while (match := _DIMENSION.match(text, at, end)) is not None:
        if not match[1] and dimensions:
            raise StatementError("only the first dimension may be left out", at)
        dimensions.append(int(match[1][:12] or 0))
        at = match.end()
    if text.startswith("=", at) and at < end:
        vector = made.type_.partition(" .")[0]
        lanes = int(vector[1:]) if vector != made.type_ else 1
        elements, at = _initializer(text, at + 1, end, dimensions, lanes)
        made.init = elements
    if dimensions:
        made.count = 1
        for size in dimensions:
            made.count *= size
    return at


def _initializer(
    text: str, at: int, end: int, dimensions: list[int], lanes: int
) -> tuple[str, int]:
    """The initializer as text and its end; derives a missing first dimension.

    The elements of an array of vectors keep their braces.
    """
    space = _SPACE.match(text, at, end)
    at = space.end() if space is not None else at
    if not text.startswith("{", at):
        stop = at
        depth = 0
        while stop < end and (text[stop] != "," or depth):
            depth += {"(": 1, ")": -1}.get(text[stop], 0)
            stop += 1
        value = "".join(text[at:stop].split())
        if not value:
            raise StatementError("expected a value", at)
        return value, stop
    items, at = _items(text, at + 1, end, 1)
    if dimensions and dimensions[0] == 0:
        dimensions[0] = len(items)
    flat = _flat(items, [*dimensions, lanes] if lanes > 1 else dimensions)
    if lanes > 1 and dimensions:
        flat = [
            "{" + ", ".join(flat[first : first + lanes]) + "}"
            for first in range(0, len(flat), lanes)
        ]
    space = _SPACE.match(text, at, end)
    return "{" + ", ".join(flat) + "}", space.end() if space is not None else at


_Items = list["str | _Items"]


def _items(text: str, at: int, end: int, depth: int) -> tuple[_Items, int]:
    if depth > MAX_DEPTH:
        raise StatementError("braces are nested too deeply", at)
    closing = text.find("}", at, end)
    opening = text.find("{", at, end)
    if closing >= 0 and (opening < 0 or closing < opening) and "(" not in text[at:closing]:
        # The common case, fast: plain values up to the closing brace.
        inner = text[at:closing]
        if not inner.strip():
            return [], closing + 1
        items: _Items = ["".join(item.split()) for item in inner.split(",")]
        if "" in items:
            raise StatementError("expected a value", at)
        return items, closing + 1
    found: _Items = []
    while True:
        space = _SPACE.match(text, at, end)
        at = space.end() if space is not None else at
        if at >= end:
            raise StatementError("expected '}'", at)
        if text[at] == "{":
            inner_items, at = _items(text, at + 1, end, depth + 1)
            found.append(inner_items)
        else:
            stop = at
            level = 0
            while stop < end and (text[stop] not in ",}" or level):
                level += {"(": 1, ")": -1}.get(text[stop], 0)
                stop += 1
            value = "".join(text[at:stop].split())
            if not value:
                raise StatementError("expected a value", at)
            found.append(value)
            at = stop
        space = _SPACE.match(text, at, end)
        at = space.end() if space is not None else at
        if text.startswith("}", at):
            return found, at + 1
        if not text.startswith(",", at):
            raise StatementError("expected ',' or '}'", at)
        at += 1


def _flat(items: _Items, dimensions: list[int]) -> list[str]:
    """The values in the order of memory; incomplete rows are filled with zeros."""
    inner = dimensions[1:]
    size = 1
    for count in inner:
        size *= count
    found: list[str] = []
    for item in items:
        if isinstance(item, str):
            found.append(item)
            continue
        row = _flat(item, inner or [len(item)])
        found.extend(row)
        if inner and size <= 1 << 20:
            found.extend(["0"] * (size - len(row)))
    return found
