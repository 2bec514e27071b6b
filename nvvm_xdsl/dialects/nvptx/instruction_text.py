"""Parser of the notation of instructions in `codegen/intrinsics/table.py`.

    @$3 atom<space 0>.cta.cas.<type 1> [$0], $1, {$2, $2}, !4, 16, _

An optional guard, an opcode in which `<...>` depends on the types of arguments, and operands:
arguments as registers or immediates (`$n`), addresses (`[$n]`), arguments that must be
constants (`!n`), vectors, lists in brackets, integers, and `_` for a discarded result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

_TOKEN = re.compile(r"\s*(?:(\$\d+)|(!\d+)|(-?\d+)|(_)|([\[\]{},]))")

_HEAD = re.compile(r"(?:@\$(\d+)\s+)?((?:<[^>]*>|\S)+)\s*")


@dataclass(frozen=True)
class Argument:
    """Argument `index` as a register or an immediate."""

    index: int


@dataclass(frozen=True)
class Address:
    """Memory at the pointer argument `index`."""

    index: int


@dataclass(frozen=True)
class Constant:
    """Argument `index`, which must be a constant."""

    index: int


@dataclass(frozen=True)
class Integer:
    """An integer in the text."""

    value: int


@dataclass(frozen=True)
class Sink:
    """`_`."""


@dataclass(frozen=True)
class Vector:
    """Operands in braces."""

    elements: tuple[Operand, ...]


@dataclass(frozen=True)
class AddressList:
    """Operands in brackets, more than one."""

    elements: tuple[Operand, ...]


Operand: TypeAlias = Argument | Address | Constant | Integer | Sink | Vector | AddressList


@dataclass(frozen=True)
class InstructionText:
    """A parsed instruction."""

    opcode: str
    operands: tuple[Operand, ...]
    guard: int | None = None


@cache
def parse_instruction_text(text: str) -> InstructionText:
    """Parses an instruction. Raises ValueError for invalid text."""
    head = _HEAD.match(text)
    if head is None:
        raise ValueError(f"no opcode in '{text}'")
    guard = None if head[1] is None else int(head[1])
    tokens = _tokens(text, head.end())
    operands: list[Operand] = []
    position = 0
    while position < len(tokens):
        if operands:
            if tokens[position] != ",":
                raise ValueError(f"expected ',' in '{text}'")
            position += 1
        operand, position = _operand(tokens, position, text)
        operands.append(operand)
    return InstructionText(head[2], tuple(operands), guard)


def _tokens(text: str, start: int) -> list[str]:
    tokens: list[str] = []
    position = start
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"unexpected '{text[position:]}' in '{text}'")
        tokens.append(match[0].strip())
        position = match.end()
    return tokens


def _operand(tokens: list[str], position: int, text: str) -> tuple[Operand, int]:
    token = tokens[position]
    position += 1
    if token.startswith("$"):
        return Argument(int(token[1:])), position
    if token.startswith("!"):
        return Constant(int(token[1:])), position
    if token == "_":
        return Sink(), position
    if token in "[{":
        closing = "]" if token == "[" else "}"
        elements: list[Operand] = []
        while tokens[position] != closing:
            if elements:
                position += 1
            element, position = _operand(tokens, position, text)
            elements.append(element)
        position += 1
        if token == "{":
            return Vector(tuple(elements)), position
        if len(elements) == 1 and isinstance(elements[0], Argument):
            return Address(elements[0].index), position
        return AddressList(tuple(elements)), position
    if token.lstrip("-").isdigit():
        return Integer(int(token)), position
    raise ValueError(f"unexpected '{token}' in '{text}'")
