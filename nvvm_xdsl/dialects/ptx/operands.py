"""The operands of an instruction as a tree over its names and numbers.

Files repeat few shapes: `%r1, [%rd2+4]` and `%r7, [%rd9+16]` differ only in their atoms.
`split_atoms` finds the atoms and the text between them; `operand_trees` builds a tree of that text,
once for each shape.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.ptx.statements import IDENTIFIER
from nvvm_xdsl.ir.nvptx import WARP_SIZE

_ATOM: Final = re.compile(
    rf"""(?<![\w$.])(0[fF][0-9A-Fa-f]{{8}}(?!\w) | 0[dD][0-9A-Fa-f]{{16}}(?!\w)
      | 0[xX][0-9A-Fa-f]+U?(?!\w) | 0[bB][01]+U?(?!\w)
      | \d+\.\d*(?:[eE][+-]?\d+)? | \d+[eE][+-]?\d+ | \d+U?(?!\w)
      | \.\d+(?:[eE][+-]?\d+)? | {IDENTIFIER}(?:\.[a-z]\w*)?)""",
    re.VERBOSE | re.ASCII,
)

split_atoms: Final = _ATOM.split
"""Operands as alternating text and atoms, with text first and last; `[0::2]` is the shape."""


@dataclass(frozen=True)
class Atom:
    """A name or a number, by its index among the atoms."""

    index: int


@dataclass(frozen=True)
class Sink:
    """`_`."""


@dataclass(frozen=True)
class Expression:
    """A constant expression: an operator and its operands."""

    operator: str
    arguments: tuple[Tree, ...]


@dataclass(frozen=True)
class Vector:
    """Operands in braces."""

    elements: tuple[Tree, ...]


@dataclass(frozen=True)
class Brackets:
    """Operands in brackets: an address, or the operands of a texture or tensor access."""

    elements: tuple[Tree, ...]


@dataclass(frozen=True)
class Parentheses:
    """The arguments of a call."""

    elements: tuple[Tree, ...]


@dataclass(frozen=True)
class Pair:
    """`d|p`."""

    first: Tree
    second: Tree


Tree: TypeAlias = Atom | Sink | Expression | Vector | Brackets | Parentheses | Pair

Shape: TypeAlias = tuple[str, ...]
"""The text between atoms."""


class OperandError(ValueError):
    """Operands with invalid syntax.

    Arguments:
        atom, offset: the offset of the error in the text after this number of atoms.
    """

    def __init__(self, message: str, atom: int, offset: int) -> None:
        super().__init__(message)
        self.atom = atom
        self.offset = offset


_MAX_DEPTH: Final = 100

_BINARY: Final[tuple[tuple[str, ...], ...]] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<=", ">=", "<", ">"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Operators in ascending order of precedence (PTX ISA 9.1, section 4.6)."""

_OPERATOR: Final = re.compile(r"\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%&^|<>?:!~,()\[\]{}_=]|\.\w+")


class _TreeParser:
    """Parses a shape; a token is an operator or the number of an atom."""

    def __init__(self, shape: Shape) -> None:
        self.tokens: list[str | int] = []
        self.places: list[tuple[int, int]] = []
        for number, text in enumerate(shape):
            if number:
                self.tokens.append(number - 1)
                self.places.append((number - 1, -1))
            at = 0
            while at < len(text):
                if text[at].isspace():
                    at += 1
                    continue
                match = _OPERATOR.match(text, at)
                if match is None:
                    raise OperandError(f"unexpected '{text[at]}'", number, at)
                self.tokens.append(match[0])
                self.places.append((number, at))
                at = match.end()
        self.places.append((len(shape) - 1, len(shape[-1])))
        self.at = 0
        self.depth = 0

    def fail(self, message: str) -> OperandError:
        """An error at the current token."""
        return OperandError(message, *self.places[self.at])

    def peek(self) -> str | int | None:
        """Returns the current token, or None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def accept(self, token: str) -> bool:
        """Consumes the current token if it is `token`; returns whether it was."""
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def operands(self, closing: str | None) -> tuple[Tree, ...]:
        """Parses operands separated by commas up to `closing`, or to the end."""
        found: list[Tree] = []
        if closing is not None and self.accept(closing):
            return ()
        if closing is None and not self.tokens:
            return ()
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.fail("operands are nested too deeply")
        while True:
            found.append(self.operand())
            if closing is not None and self.accept(closing):
                break
            if closing is None and self.peek() is None:
                break
            if not self.accept(","):
                raise self.fail(f"expected ',' or '{closing or ';'}'")
        self.depth -= 1
        return tuple(found)

    def operand(self) -> Tree:
        """Parses an operand or a pair `a|b`."""
        first = self._plain()
        if isinstance(first, (Atom, Vector, Sink)) and self.accept("|"):
            return Pair(first, self._plain())
        return first

    def _plain(self) -> Tree:
        if self.accept("{"):
            return Vector(self.operands("}"))
        if self.accept("["):
            return Brackets(self.operands("]"))
        if self.accept("_"):
            return Sink()
        if self.peek() == "(" and not self._is_cast(self.at + 1):
            # A call's arguments, or an expression that starts with parentheses.
            start = self.at
            self.at += 1
            elements = self.operands(")")
            if self.peek() in (None, ",", "]", "}", ")") and not _is_constant(elements):
                return Parentheses(elements)
            self.at = start
        return self.expression()

    def _is_cast(self, at: int) -> bool:
        token = self.tokens[at] if at < len(self.tokens) else ""
        return isinstance(token, str) and token.startswith(".")

    def expression(self) -> Tree:
        """Parses an expression, possibly a conditional one."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.fail("an expression is nested too deeply")
        condition = self._binary(0)
        if self.accept("?"):
            then = self.expression()
            if not self.accept(":"):
                raise self.fail("expected ':'")
            condition = Expression("?", (condition, then, self.expression()))
        self.depth -= 1
        return condition

    def _binary(self, level: int) -> Tree:
        if level == len(_BINARY):
            return self._unary()
        left = self._binary(level + 1)
        while True:
            token = self.peek()
            if token not in _BINARY[level]:
                return left
            if token == "|" and isinstance(left, Atom):
                # The second half of a pair, or an expression: the atoms determine which.
                return left
            self.at += 1
            left = Expression(str(token), (left, self._binary(level + 1)))

    def _unary(self) -> Tree:
        token = self.peek()
        if isinstance(token, int):
            self.at += 1
            if self.peek() == "(":
                # `generic(symbol)` and masks such as `0xFF(symbol)`
                self.at += 1
                inner = self.expression()
                if not self.accept(")"):
                    raise self.fail("expected ')'")
                return Expression("of", (Atom(token), inner))
            return Atom(token)
        if token in ("-", "+", "!", "~"):
            self.at += 1
            self.depth += 1
            if self.depth > _MAX_DEPTH:
                raise self.fail("an expression is nested too deeply")
            inner = self._unary()
            self.depth -= 1
            return Expression(f"{token}1", (inner,))
        if self.accept("("):
            cast = self.peek()
            if isinstance(cast, str) and self._is_cast(self.at):
                self.at += 1
                if not self.accept(")"):
                    raise self.fail("expected ')'")
                return Expression(cast, (self._unary(),))
            inner = self.expression()
            if not self.accept(")"):
                raise self.fail("expected ')'")
            return inner
        raise self.fail("expected an operand")


def _is_constant(elements: Sequence[Tree]) -> bool:
    return len(elements) == 1 and isinstance(elements[0], Expression)


@lru_cache(maxsize=65536)
def operand_trees(shape: Shape) -> tuple[Tree, ...]:
    """The operands of a shape. Raises OperandError."""
    parser = _TreeParser(shape)
    return parser.operands(None)


_NUMBERS: Final[dict[str, int]] = {"WARP_SZ": WARP_SIZE}


@dataclass(frozen=True)
class Float:
    """A floating-point constant: its bits and their number."""

    bits: int
    width: int

    def resized(self, width: int) -> Float:
        """The constant in single or double precision."""
        if width == self.width:
            return self
        formats = {32: "<f", 64: "<d"}
        (value,) = struct.unpack(formats[self.width], self.bits.to_bytes(self.width // 8, "little"))
        try:
            data = struct.pack(formats[width], value)
        except OverflowError:
            data = struct.pack(formats[width], float("inf") if value > 0 else float("-inf"))
        return Float(int.from_bytes(data, "little"), width)


@dataclass(frozen=True)
class SymbolValue:
    """The address of a symbol plus an offset.

    Arguments:
        generic: whether it is a generic address.
        mask: the selected bits of the address, 0 for all.
    """

    name: str
    offset: int
    generic: bool = False
    mask: int = 0


Value: TypeAlias = "int | Float | SymbolValue"


class ConstantError(ValueError):
    """An expression that is not constant."""


def _integer(digits: str, base: int) -> int:
    """An integer of at most 64 bits (PTX ISA, 4.5.1)."""
    significant = digits.lstrip("0")
    value = int(significant or "0", base) if len(significant) <= 64 else 1 << 64
    if value >> 64:
        raise ConstantError("an integer constant of more than 64 bits")
    return value


def atom_value(text: str) -> Value:
    """The value of an atom that is not a register: a number or the address of a symbol.

    Raises ConstantError for an integer of more than 64 bits.
    """
    first = text[0]
    if not ("0" <= first <= "9") and first != ".":
        known = _NUMBERS.get(text)
        return SymbolValue(text, 0) if known is None else known
    if first == "0" and len(text) > 1:
        second = text[1]
        if second in "xX":
            return _integer(text.rstrip("U")[2:], 16)
        if second in "fF":
            return Float(int(text[2:], 16), 32)
        if second in "dD":
            return Float(int(text[2:], 16), 64)
        if second in "bB":
            return _integer(text.rstrip("U")[2:], 2)
        if text.rstrip("U").isdigit():
            digits = text.rstrip("U")
            return _integer(digits, 8 if all(c in "01234567" for c in digits) else 10)
    digits = text.removesuffix("U")
    if digits.isdigit():
        return _integer(digits, 10)
    return Float(int.from_bytes(struct.pack("<d", float(text)), "little"), 64)


_MASK: Final = (1 << 64) - 1


def constant(tree: Tree, atoms: Sequence[str]) -> Value:
    """The value of a constant expression. Raises ConstantError."""
    if isinstance(tree, Atom):
        return atom_value(atoms[tree.index])
    if not isinstance(tree, Expression):
        raise ConstantError("expected a constant")
    sign = tree.operator
    if sign == "of":
        return _address(tree, atoms)
    values = [constant(argument, atoms) for argument in tree.arguments]
    if sign == "-1" and isinstance(values[0], Float):
        found = values[0]
        return Float(found.bits ^ 1 << found.width - 1, found.width)
    if sign == "+1":
        return values[0]
    if isinstance(values[0], SymbolValue) and sign in "+-" and len(values) == 2:
        symbol, offset = values
        if isinstance(symbol, SymbolValue) and isinstance(offset, int):
            moved = symbol.offset + (offset if sign == "+" else -offset)
            return SymbolValue(symbol.name, moved, symbol.generic, symbol.mask)
    if (
        sign == "+"
        and len(values) == 2
        and isinstance(values[1], SymbolValue)
        and isinstance(values[0], int)
    ):
        symbol = values[1]
        return SymbolValue(symbol.name, symbol.offset + values[0], symbol.generic, symbol.mask)
    numbers = [v for v in values if isinstance(v, int)]
    if len(numbers) != len(values):
        raise ConstantError(f"'{sign.rstrip('1')}' takes integers")
    return signed(_apply(sign, numbers), 64)


def _address(tree: Expression, atoms: Sequence[str]) -> Value:
    head, inner = tree.arguments
    value = constant(inner, atoms)
    assert isinstance(head, Atom)
    word = atoms[head.index]
    if not isinstance(value, SymbolValue):
        raise ConstantError(f"{word}() takes a symbol")
    if word == "generic":
        return SymbolValue(value.name, value.offset, True)
    mask = atom_value(word)
    if not isinstance(mask, int):
        raise ConstantError("expected generic() or a mask")
    return SymbolValue(value.name, value.offset, value.generic, mask)


def _apply(sign: str, values: Sequence[int]) -> int:
    if sign == "?":
        return values[1] if values[0] else values[2]
    if len(values) == 1:
        (value,) = values
        if sign == "-1":
            return -value
        if sign == "!1":
            return int(not value)
        if sign == "~1":
            return ~value
        if sign in (".s64", ".u64"):
            return value
        raise ConstantError(f"no cast to {sign}")
    left, right = values
    if sign in ("/", "%") and right == 0:
        raise ConstantError("division by zero")
    if sign in ("<<", ">>") and not 0 <= right < 64:
        raise ConstantError("a shift by more than 63 bits")
    return _ARITHMETIC[sign](left, right)


def _quotient(a: int, b: int) -> int:
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


_ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}
