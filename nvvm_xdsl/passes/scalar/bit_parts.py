"""The source of each bit of an integer, through shifts, masks, extensions and their combinations.

    %a = llvm.lshr %x, %c8 : i32
    %b = llvm.shl %x, %c24 : i32
    %c = llvm.or %a, %b : i32              // bits 0 to 23 of %c are 8 to 31 of %x, 24 to 31 are 0 to 7

(LLVM's `collectBitParts`.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.llvm import AddOp, AndOp, LShrOp, OrOp, ShlOp, TruncOp, XOrOp, ZExtOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import BitReverseOp, ByteSwapOp, FshlOp, FshrOp
from nvvm_xdsl.ir import fast

MAX_DEPTH = 64
"""Maximum depth of an expression; LLVM's `BitPartRecursionMaxDepth` is 48, a reversal by halves has
15.
"""

ZERO = -1
"""Represents a zero bit."""

_JOINS = frozenset({OrOp, XOrOp, AddOp})
_FShlOp, _FShrOp = FshlOp, FshrOp
_BSwapOp, _ReverseOp = ByteSwapOp, BitReverseOp


class BitParts(NamedTuple):
    """The bits of a value, from the lowest: for each, the bit number in `source`, or `ZERO`."""

    source: SSAValue
    bits: tuple[int, ...]


def swapped_bytes(width: int) -> tuple[int, ...]:
    """Source bit of each result bit of a `bswap`."""
    return tuple(width - 8 - i // 8 * 8 + i % 8 for i in range(width))


def reversed_bits(width: int) -> tuple[int, ...]:
    """Source bit of each result bit of a `bitreverse`."""
    return tuple(range(width - 1, -1, -1))


class BitPartsFinder:
    """Computes and caches the bit parts of expressions."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, BitParts] = {}

    def find(self, value: SSAValue, depth: int = 0) -> BitParts:
        """The parts of a scalar integer; its own bits if it is not an expression of one other
        value.
        """
        found = self._known.get(value)
        if found is None:
            width = integer_width(value.type)
            found = self._parts(value, width, depth) if depth < MAX_DEPTH else None
            if found is None:
                found = BitParts(value, tuple(range(width)))
            self._known[value] = found
        return found

    def _parts(self, value: SSAValue, width: int, depth: int) -> BitParts | None:
        cls = type(value.owner)
        if not issubclass(cls, Operation):
            return None
        operands = fast.operands_of(fast.producer_of(value))
        if cls in _JOINS:
            return _joined(*(self.find(v, depth + 1) for v in operands))
        if cls is ShlOp or cls is LShrOp:
            amount = constant_integer(operands[1])
            if amount is None or not 0 <= amount < width:
                return None
            source, bits = self.find(operands[0], depth + 1)
            empty = (ZERO,) * amount
            return BitParts(
                source, empty + bits[: width - amount] if cls is ShlOp else bits[amount:] + empty
            )
        if cls is AndOp:
            mask = constant_integer(operands[1])
            if mask is None:
                return None
            source, bits = self.find(operands[0], depth + 1)
            return BitParts(source, tuple(b if mask >> i & 1 else ZERO for i, b in enumerate(bits)))
        if cls is TruncOp:
            source, bits = self.find(operands[0], depth + 1)
            return BitParts(source, bits[:width])
        if cls is ZExtOp:
            source, bits = self.find(operands[0], depth + 1)
            return BitParts(source, bits + (ZERO,) * (width - len(bits)))
        if cls is _FShlOp or cls is _FShrOp:
            return self._funnel(operands, width, depth, left=cls is _FShlOp)
        if cls is _BSwapOp or cls is _ReverseOp:
            source, bits = self.find(operands[0], depth + 1)
            order = swapped_bytes(width) if cls is _BSwapOp else reversed_bits(width)
            return BitParts(source, tuple(bits[i] for i in order))
        return None

    def _funnel(
        self, operands: Sequence[SSAValue], width: int, depth: int, left: bool
    ) -> BitParts | None:
        amount = constant_unsigned(operands[2])
        if amount is None:
            return None
        high, low = self.find(operands[0], depth + 1), self.find(operands[1], depth + 1)
        start = -amount % width if left else amount % width
        if left and start == 0:
            return high
        if high.source is not low.source:
            return None
        return BitParts(high.source, (low.bits + high.bits)[start : start + width])


def _joined(one: BitParts, other: BitParts) -> BitParts | None:
    """The parts of a combination of two operands, one of which is zero at each bit."""
    if one.source is not other.source:
        return None
    bits: list[int] = []
    for a, b in zip(one.bits, other.bits):
        if a != ZERO and b != ZERO:
            return None
        bits.append(b if a == ZERO else a)
    return BitParts(one.source, tuple(bits))
