"""The source of each byte of an integer or vector, through shifts, masks, casts and lanes.

    %v = llvm.load %p : !llvm.ptr -> vector<4xi8>
    %a = llvm.extractelement %v[%c1 : i32] : vector<4xi8>
    %b = llvm.sext %a : i8 to i32              // byte 0 of %b is byte 1 of %v, the others are its sign
    %c = llvm.and %x, %c65280 : i32            // byte 1 of %c is that of %x, the others are zero

`bit_parts` does the same for bits of expressions of one value; this file for bytes of expressions
of any number of values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    BitcastOp,
    InsertElementOp,
    LShrOp,
    OrOp,
    SExtOp,
    ShlOp,
    ShuffleVectorOp,
    TruncOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import (
    integer_width,
    shuffle_mask_of,
    vector_type,
)
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import ByteSwapOp, ExtractElementOp, FshlOp, FshrOp
from nvvm_xdsl.ir import fast

MAX_DEPTH = 32
"""Maximum depth of an expression."""

MAX_BYTES = 16
"""Maximum number of bytes of a value, as in one load."""

_FShlOp, _FShrOp = FshlOp, FshrOp


class Byte(NamedTuple):
    """A byte of a value, counted from the lowest (in a vector: from lane 0), or eight copies of the
    byte's sign bit."""

    source: SSAValue
    place: int
    is_sign: bool = False


Part: TypeAlias = Byte | None
"""The source of a byte; None for a zero byte."""

Parts: TypeAlias = tuple[Part, ...]
"""The bytes of a value, lowest first."""


def byte_count(type_: Attribute) -> int:
    """The number of bytes of an integer, or of a vector of integers, with whole bytes; 0 for other
    types."""
    lanes = vector_type(type_)
    if lanes is None:
        bits = integer_width(type_)
    else:
        shape = lanes.get_shape()
        bits = integer_width(lanes.element_type)
        bits = bits * shape[0] if len(shape) == 1 and bits % 8 == 0 else 0
    return bits // 8 if bits % 8 == 0 and bits <= 8 * MAX_BYTES else 0


class BytePartsFinder:
    """Finds the byte parts of expressions and caches them while the IR is unchanged."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Parts] = {}

    def forget(self) -> None:
        """Clears the cache after a value was replaced."""
        self._known.clear()

    def find(self, value: SSAValue, depth: int = 0) -> Parts:
        """The parts of a value; its own bytes if it is not an expression of other values; empty for
        types that have no byte parts."""
        found = self._known.get(value)
        if found is None:
            size = byte_count(value.type)
            row = _ROWS.get(type(value.owner))
            if constant_integer(value) == 0:
                found = (None,) * size
            elif size and row is not None and depth < MAX_DEPTH:
                operands = fast.operands_of(fast.producer_of(value))
                expression = _Expression(self, operands, size, depth, fast.producer_of(value))
                found = row(expression)
            if found is None:
                found = tuple(Byte(value, i) for i in range(size))
            self._known[value] = found
        return found


class _Expression(NamedTuple):
    """The op whose parts are computed."""

    finder: BytePartsFinder
    operands: tuple[SSAValue, ...]
    size: int
    depth: int
    op: Operation

    def part(self, place: int) -> Parts:
        """The parts of an operand."""
        return self.finder.find(self.operands[place], self.depth + 1)

    def scalar(self) -> Parts:
        """The parts of the only operand; empty for a vector."""
        return self.part(0) if integer_width(self.operands[0].type) else ()

    def bytes_by(self, place: int) -> int | None:
        """The number of whole bytes in a constant amount of bits below the width."""
        amount = constant_integer(self.operands[place])
        if amount is None or amount % 8 or not 0 <= amount < 8 * self.size:
            return None
        return amount // 8

    def lane(self, place: int, vector: SSAValue) -> slice | None:
        """The bytes of the lane of a vector that a constant operand selects."""
        lanes = vector_type(vector.type)
        index = constant_unsigned(self.operands[place])
        if lanes is None or index is None or index >= lanes.get_shape()[0]:
            return None
        width = integer_width(lanes.element_type) // 8
        return slice(index * width, (index + 1) * width)


def _join(e: _Expression) -> Parts | None:
    """A combination of two operands, one of which is zero at each byte."""
    found: list[Part] = []
    for a, b in zip(e.part(0), e.part(1)):
        if a is not None and b is not None:
            return None
        found.append(b if a is None else a)
    return tuple(found)


def _and(e: _Expression) -> Parts | None:
    mask = constant_integer(e.operands[1])
    if mask is None:
        return None
    found: list[Part] = []
    for index, part in enumerate(e.part(0)):
        kept = mask >> 8 * index & 0xFF
        if part is not None and kept not in (0, 0xFF):
            return None
        found.append(part if kept else None)
    return tuple(found)


def _shl(e: _Expression) -> Parts | None:
    by = e.bytes_by(1)
    return None if by is None else (None,) * by + e.part(0)[: e.size - by]


def _lshr(e: _Expression) -> Parts | None:
    by = e.bytes_by(1)
    return None if by is None else e.part(0)[by:] + (None,) * by


def _ashr(e: _Expression) -> Parts | None:
    by = e.bytes_by(1)
    return None if by is None else e.part(0)[by:] + (_sign(e.part(0)[-1]),) * by


def _sign(part: Part) -> Part:
    return part if part is None else Byte(part.source, part.place, is_sign=True)


def _sext(e: _Expression) -> Parts | None:
    parts = e.scalar()
    return parts + (_sign(parts[-1]),) * (e.size - len(parts)) if parts else None


def _zext(e: _Expression) -> Parts | None:
    parts = e.scalar()
    return parts + (None,) * (e.size - len(parts)) if parts else None


def _funnel(e: _Expression) -> Parts | None:
    amount = constant_unsigned(e.operands[2])
    if amount is None or amount % 8:
        return None
    start = amount // 8 % e.size
    if type(e.op) is _FShlOp:
        start = e.size - start
    return (e.part(1) + e.part(0))[start : start + e.size]


def _extract(e: _Expression) -> Parts | None:
    lane = e.lane(1, e.operands[0])
    parts = e.part(0)
    return parts[lane] if parts and lane is not None else None


def _insert(e: _Expression) -> Parts | None:
    lane = e.lane(2, e.operands[0])
    if lane is None:
        return None
    parts = list(e.part(0))
    parts[lane] = e.part(1)
    return tuple(parts)


def _shuffle(e: _Expression) -> Parts | None:
    both = e.part(0) + e.part(1)
    mask = shuffle_mask_of(e.op)
    width = e.size // len(mask)
    if not both or any(lane < 0 for lane in mask):
        return None
    return tuple(both[lane * width + i] for lane in mask for i in range(width))


_ROWS: dict[type, Callable[[_Expression], Parts | None]] = {
    OrOp: _join,
    XOrOp: _join,
    AddOp: _join,
    AndOp: _and,
    ShlOp: _shl,
    LShrOp: _lshr,
    AShrOp: _ashr,
    TruncOp: lambda e: e.scalar()[: e.size] or None,
    ZExtOp: _zext,
    SExtOp: _sext,
    _FShlOp: _funnel,
    _FShrOp: _funnel,
    ByteSwapOp: lambda e: e.scalar()[::-1] or None,
    BitcastOp: lambda e: e.part(0) or None,
    ExtractElementOp: _extract,
    InsertElementOp: _insert,
    ShuffleVectorOp: _shuffle,
}
