"""Parameters and results of `ptx.func` and `.callprototype`.

PTX without the ABI passes registers, `.func (.reg .u32 sum, .reg .pred carry) f(.reg .v4 .u16 x)`.
Machine code passes all arguments in parameter memory and returns one parameter, which contains
several returned registers consecutively.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nvvm_xdsl.dialects.nvptx.forms import bits_of, is_type
from nvvm_xdsl.dialects.nvptx.functions import UNSIZED, ParamAttr, param
from nvvm_xdsl.dialects.ptx.statements import IDENTIFIER

_PARAMETER: Final = re.compile(
    rf"""\.(param|reg)\s*(?:\.align\s+(\d+)\s*)?(?:\.v([24])\s*)?\.(\w+)\s*
        (\.ptr\b\s*(?:\.(const|global|local|shared)\b\s*)?(?:\.align\s+(\d+)\s*)?)?
        ({IDENTIFIER}|_)\s*(?:\[\s*(\d*)\s*\])?\s*\Z""",
    re.VERBOSE | re.ASCII,
)

POINTEE_ALIGNMENT: Final = 4
"""The alignment of `.ptr` without one: PTX ISA 9.1, section 5.1.6.3."""

_HANDLES: Final = frozenset({"texref", "samplerref", "surfref"})


@dataclass(frozen=True)
class RegisterPiece:
    """A register parameter, which is passed in parameter memory.

    Arguments:
        name: of the register, empty in prototypes.
        type_: its PTX type.
        lanes: 2 or 4 for a vector register, else 1.
        offset: in the parameter, in bytes.
    """

    name: str
    type_: str
    lanes: int
    offset: int

    @property
    def is_predicate(self) -> bool:
        """True if it is a predicate, which is passed as a byte."""
        return self.type_ == "pred"

    @property
    def scalar(self) -> str:
        """The PTX type of an element in memory."""
        if self.is_predicate:
            return "b8"
        known = self.type_ in ("f32", "f64") or (
            self.type_[1:].isdigit() and self.type_[0] in "bsu"
        )
        return self.type_ if known else f"b{bits_of(self.type_)}"

    @property
    def access(self) -> str:
        """The type of the load or store: `v4.u16`."""
        return self.scalar if self.lanes == 1 else f"v{self.lanes}.{self.scalar}"

    @property
    def declared(self) -> str:
        """The type in the syntax of `.reg`: `v4 .u16`."""
        return self.type_ if self.lanes == 1 else f"v{self.lanes} .{self.type_}"

    @property
    def size(self) -> int:
        """The size in bytes."""
        return bits_of(self.scalar) // 8 * self.lanes

    def at(self, offset: int) -> RegisterPiece:
        """The register at another offset of a parameter."""
        return RegisterPiece(self.name, self.type_, self.lanes, offset)


@dataclass(frozen=True)
class Parameter:
    """A parameter or the result of a function.

    Arguments:
        attribute: the parameter of machine code.
        registers: the registers declared in the text, `.reg .b32 a`; empty for `.param`.
    """

    attribute: ParamAttr
    registers: tuple[RegisterPiece, ...] = ()


def parse_parameters(texts: Sequence[str], *, kernel: bool = False) -> list[Parameter]:
    """Parses a list of parameters. Raises ValueError.

    The last parameter of a device function may be an array without a size, for variable arguments
    (PTX ISA 9.1, section 11.7.2). A kernel has no register parameters.
    """
    last = -1 if kernel else len(texts) - 1
    found = [_parse_parameter(text, unsized=i == last) for i, text in enumerate(texts)]
    if kernel and any(parameter.registers for parameter in found):
        raise ValueError("a kernel has no parameters in registers")
    return found


def parse_results(text: str) -> Parameter | None:
    """Parses the result of a function: one `.param`, or any number of registers. Raises
    ValueError."""
    texts = [part.strip() for part in text.split(",")] if text.strip() else []
    found = [_parse_parameter(part, unsized=False) for part in texts]
    if len(found) < 2:
        return found[0] if found else None
    pieces: list[RegisterPiece] = []
    end = 0
    for result in found:
        if not result.registers:
            raise ValueError("a function returns one .param")
        (piece,) = result.registers
        pieces.append(piece.at(-(-end // piece.size) * piece.size))
        end = pieces[-1].offset + piece.size
    alignment = max(piece.size for piece in pieces)
    return Parameter(param("b8", end, alignment), tuple(pieces))


def _parse_parameter(text: str, *, unsized: bool) -> Parameter:
    """Parses one parameter, which may lack a size if `unsized`. Raises ValueError."""
    match = _PARAMETER.match(text)
    if match is None:
        raise ValueError(f"'{text}' is not a parameter")
    space, align, lanes, type_, pointer, pointee, pointee_align, name, count = match.groups()
    if not is_type(type_) and type_ not in _HANDLES:
        raise ValueError(f"unknown type '.{type_}'")
    if count == "" and (space == "reg" or not unsized):
        raise ValueError(f"the parameter '{name}' has no size")
    if type_ in _HANDLES or (space == "param" and type_ == "pred"):
        raise ValueError(f"a parameter of type .{type_} is not supported")
    name = "" if name == "_" else name
    if space == "reg":
        if count is not None or (lanes and type_ == "pred"):
            raise ValueError(f"'{text}' is not a parameter")
        piece = RegisterPiece(name, type_, int(lanes or 1), 0)
        if piece.lanes == 1:
            return Parameter(param(piece.scalar, 0, int(align or 0), name), (piece,))
        return Parameter(param("b8", piece.size, piece.size, name), (piece,))
    if lanes:
        raise ValueError(f"the parameter '{name}' cannot be a vector")
    alignment = 0
    if pointer is not None and (pointee or pointee_align):
        alignment = int(pointee_align or POINTEE_ALIGNMENT)
    made = param(
        type_,
        UNSIZED if count == "" else int(count or 0),
        int(align or 0),
        name,
        pointee or "",
        alignment,
    )
    return Parameter(made)
