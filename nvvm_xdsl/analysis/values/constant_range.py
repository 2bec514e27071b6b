"""Sets of integers as arcs of the circle of N-bit values, and arithmetic on them.

An arc may wrap around, so that one representation suffices for unsigned and signed ranges.
Operations return an arc that contains every result: the smaller one of those computed from the
unsigned and signed interpretation of the operands. (Corresponds to LLVM's ConstantRange.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE = range(10)
"""MLIR's numbers of the predicates of `llvm.icmp`."""

INVERSE = (NE, EQ, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT)
"""The inverse of each predicate."""

SWAPPED = (EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE)
"""The predicate for exchanged operands."""


class ConstantRange(NamedTuple):
    """The `size` values from `start` on, modulo 2^`width`."""

    width: int
    start: int
    size: int

    @staticmethod
    @cache
    def full(width: int) -> ConstantRange:
        """All values."""
        return ConstantRange(width, 0, 1 << width)

    @staticmethod
    @cache
    def empty(width: int) -> ConstantRange:
        """No value."""
        return ConstantRange(width, 0, 0)

    @staticmethod
    def single(width: int, value: int) -> ConstantRange:
        """One value, taken modulo 2^width."""
        return ConstantRange(width, value & ((1 << width) - 1), 1)

    @staticmethod
    def interval(width: int, low: int, high: int) -> ConstantRange:
        """The integers from `low` to `high`, both included, each taken modulo 2^width."""
        size = high - low + 1
        if size <= 0:
            return ConstantRange(width, 0, 0)
        if size >> width:
            return ConstantRange(width, 0, 1 << width)
        return ConstantRange(width, low & ((1 << width) - 1), size)

    @staticmethod
    def half_open(width: int, lower: int, upper: int) -> ConstantRange:
        """A range in LLVM's notation: from `lower` to below `upper`; the full set if they are
        equal."""
        mask = (1 << width) - 1
        size = (upper - lower) & mask
        return ConstantRange(width, lower & mask, size) if size else ConstantRange.full(width)

    @property
    def is_full(self) -> bool:
        """True if the range contains every value."""
        return self.size >> self.width != 0

    @property
    def is_empty(self) -> bool:
        """True if the range is empty."""
        return self.size == 0

    @property
    def upper(self) -> int:
        """The first value after the range."""
        return (self.start + self.size) & ((1 << self.width) - 1)

    def value(self) -> int | None:
        """The only value; None if there are none or several."""
        return self.start if self.size == 1 else None

    def contains(self, value: int) -> bool:
        """Returns True if the range contains the value, taken modulo 2^width."""
        return ((value - self.start) & ((1 << self.width) - 1)) < self.size

    def contains_range(self, other: ConstantRange) -> bool:
        """Returns True if the range contains all values of `other`."""
        if self.is_full or other.is_empty:
            return True
        offset = (other.start - self.start) & ((1 << self.width) - 1)
        return offset + other.size <= self.size

    def values(self) -> Iterator[int]:
        """The values, unsigned, in order from the start."""
        mask = (1 << self.width) - 1
        return ((self.start + n) & mask for n in range(self.size))

    def umin(self) -> int:
        """The minimum as unsigned; the range must not be empty."""
        return 0 if self.start + self.size > 1 << self.width else self.start

    def umax(self) -> int:
        """The maximum as unsigned; the range must not be empty."""
        end = self.start + self.size
        return (1 << self.width) - 1 if end > 1 << self.width else end - 1

    def smin(self) -> int:
        """The minimum as signed; the range must not be empty."""
        half = 1 << (self.width - 1)
        return ConstantRange(self.width, self.start ^ half, self.size).umin() - half

    def smax(self) -> int:
        """The maximum as signed; the range must not be empty."""
        half = 1 << (self.width - 1)
        return ConstantRange(self.width, self.start ^ half, self.size).umax() - half

    def complement(self) -> ConstantRange:
        """The complement of the range."""
        return ConstantRange(self.width, self.upper, (1 << self.width) - self.size)

    def intersect(self, other: ConstantRange) -> ConstantRange:
        """A range that contains the intersection: exact unless the two arcs overlap at both
        ends."""
        width, start, size = self
        _, other_start, other_size = other
        if size >> width or not other_size:
            return other
        if other_size >> width or not size:
            return self
        modulus = 1 << width
        offset = (other_start - start) & (modulus - 1)
        end = offset + other_size
        first = min(size, end) - offset
        second = min(size, end - modulus)
        if first > 0 and second > 0:
            return self if size <= other_size else other
        if first > 0:
            return ConstantRange(width, other_start, first)
        if second > 0:
            return ConstantRange(width, start, second)
        return ConstantRange.empty(width)

    def union(self, other: ConstantRange) -> ConstantRange:
        """The smallest range that contains both."""
        if self.size >> self.width or not other.size:
            return self
        if other.size >> other.width or not self.size:
            return other
        modulus = 1 << self.width
        offset = (other.start - self.start) & (modulus - 1)
        end = offset + other.size
        if offset <= self.size:
            size = max(self.size, end)
            if end >= modulus + offset:
                size = modulus
            return self._arc(self.start, size)
        if end >= modulus:
            return self._arc(other.start, max(other.size, modulus - offset + self.size))
        forward, backward = end, modulus - offset + self.size
        if forward < backward or (forward == backward and self.start < other.start):
            return self._arc(self.start, forward)
        return self._arc(other.start, backward)

    def _arc(self, start: int, size: int) -> ConstantRange:
        if size >> self.width:
            return ConstantRange.full(self.width)
        return ConstantRange(self.width, start, size)

    def _smaller(self, *others: ConstantRange) -> ConstantRange:
        return min((self, *others), key=lambda r: r.size)

    # Arithmetic. Every operation on an empty range is empty.

    def add(self, other: ConstantRange, *, nsw: bool = False, nuw: bool = False) -> ConstantRange:
        """The sums; with flags only those that do not overflow."""
        if self.is_empty or other.is_empty:
            return ConstantRange.empty(self.width)
        size = self.size + other.size - 1
        found = self._arc((self.start + other.start) & ((1 << self.width) - 1), size)
        if nuw:
            found = found.intersect(
                self._clipped_unsigned(self.umin() + other.umin(), self.umax() + other.umax())
            )
        if nsw:
            found = found.intersect(
                self._clipped_signed(self.smin() + other.smin(), self.smax() + other.smax())
            )
        return found

    def _clipped_unsigned(self, low: int, high: int) -> ConstantRange:
        return ConstantRange.interval(self.width, max(low, 0), min(high, (1 << self.width) - 1))

    def _clipped_signed(self, low: int, high: int) -> ConstantRange:
        half = 1 << (self.width - 1)
        return ConstantRange.interval(self.width, max(low, -half), min(high, half - 1))

    def negate(self) -> ConstantRange:
        """The negated values."""
        return ConstantRange.single(self.width, 0).sub(self)

    def sub(self, other: ConstantRange, *, nsw: bool = False, nuw: bool = False) -> ConstantRange:
        """The differences; with flags only those that do not overflow."""
        if self.is_empty or other.is_empty:
            return ConstantRange.empty(self.width)
        size = self.size + other.size - 1
        start = (self.start - (other.start + other.size - 1)) & ((1 << self.width) - 1)
        found = self._arc(start, size)
        if nuw:
            found = found.intersect(
                self._clipped_unsigned(self.umin() - other.umax(), self.umax() - other.umin())
            )
        if nsw:
            found = found.intersect(
                self._clipped_signed(self.smin() - other.smax(), self.smax() - other.smin())
            )
        return found

    def mul(self, other: ConstantRange, *, nsw: bool = False, nuw: bool = False) -> ConstantRange:
        """The products; with flags only those that do not overflow."""
        if self.is_empty or other.is_empty:
            return ConstantRange.empty(self.width)
        width = self.width
        ulow, uhigh = self.umin() * other.umin(), self.umax() * other.umax()
        corners = [a * b for a in (self.smin(), self.smax()) for b in (other.smin(), other.smax())]
        slow, shigh = min(corners), max(corners)
        found = ConstantRange.interval(width, ulow, uhigh)._smaller(
            ConstantRange.interval(width, slow, shigh)
        )
        if nuw:
            found = found.intersect(self._clipped_unsigned(ulow, uhigh))
        if nsw:
            found = found.intersect(self._clipped_signed(slow, shigh))
        return found

    def udiv(self, other: ConstantRange) -> ConstantRange:
        """The unsigned quotients; divisors of 0 are excluded."""
        if self.is_empty or other.is_empty or other.umax() == 0:
            return ConstantRange.empty(self.width)
        low = max(other.umin(), 1)
        return ConstantRange.interval(self.width, self.umin() // other.umax(), self.umax() // low)

    def sdiv(self, other: ConstantRange) -> ConstantRange:
        """The signed quotients; divisors of 0 and the overflowing quotient are excluded."""
        if self.is_empty or other.is_empty:
            return ConstantRange.empty(self.width)
        low, high = other.smin(), other.smax()
        divisors: list[int] = []
        if low < 0:
            divisors += [low, min(high, -1)]
        if high > 0:
            divisors += [max(low, 1), high]
        quotients = [_truncated(a, b) for a in (self.smin(), self.smax()) for b in divisors]
        if not quotients:
            return ConstantRange.empty(self.width)
        return self._clipped_signed(min(quotients), max(quotients))

    def urem(self, other: ConstantRange) -> ConstantRange:
        """The unsigned remainders; divisors of 0 are excluded."""
        if self.is_empty or other.is_empty or other.umax() == 0:
            return ConstantRange.empty(self.width)
        if self.umax() < other.umin():
            return self
        return ConstantRange.interval(self.width, 0, min(self.umax(), other.umax() - 1))

    def srem(self, other: ConstantRange) -> ConstantRange:
        """The signed remainders, with the dividend's sign; divisors of 0 are excluded."""
        if self.is_empty or other.is_empty:
            return ConstantRange.empty(self.width)
        bound = max(abs(other.smin()), abs(other.smax())) - 1
        if bound < 0:
            return ConstantRange.empty(self.width)
        low, high = self.smin(), self.smax()
        return ConstantRange.interval(
            self.width, -min(-low, bound) if low < 0 else 0, min(high, bound) if high > 0 else 0
        )

    def shl(self, other: ConstantRange, *, nsw: bool = False, nuw: bool = False) -> ConstantRange:
        """The values shifted left; amounts not less than the width are excluded."""
        least, most = self._amounts(other)
        if self.is_empty or least > most:
            return ConstantRange.empty(self.width)
        if least == most:
            power = 1 << least
            found = ConstantRange.interval(
                self.width, self.start * power, (self.start + self.size - 1) * power
            )
        else:
            found = ConstantRange.interval(self.width, self.umin() << least, self.umax() << most)
        if nuw:
            found = found.intersect(
                self._clipped_unsigned(self.umin() << least, self.umax() << most)
            )
        if nsw:
            low, high = self.smin(), self.smax()
            found = found.intersect(
                self._clipped_signed(
                    low << (most if low < 0 else least), high << (least if high < 0 else most)
                )
            )
        return found

    def lshr(self, other: ConstantRange) -> ConstantRange:
        """The values shifted right; amounts not less than the width are excluded."""
        least, most = self._amounts(other)
        if self.is_empty or least > most:
            return ConstantRange.empty(self.width)
        return ConstantRange.interval(self.width, self.umin() >> most, self.umax() >> least)

    def ashr(self, other: ConstantRange) -> ConstantRange:
        """The values shifted right arithmetically; amounts not less than the width are excluded."""
        least, most = self._amounts(other)
        if self.is_empty or least > most:
            return ConstantRange.empty(self.width)
        low, high = self.smin(), self.smax()
        return ConstantRange.interval(
            self.width, low >> (least if low < 0 else most), high >> (most if high < 0 else least)
        )

    def _amounts(self, other: ConstantRange) -> tuple[int, int]:
        if other.is_empty:
            return 1, 0
        return other.umin(), min(other.umax(), self.width - 1)

    def trunc(self, width: int) -> ConstantRange:
        """The values modulo 2^width."""
        return ConstantRange.interval(width, self.start, self.start + self.size - 1)

    def zext(self, width: int) -> ConstantRange:
        """The zero-extended values."""
        if self.is_empty:
            return ConstantRange.empty(width)
        return ConstantRange.interval(width, self.umin(), self.umax())

    def sext(self, width: int) -> ConstantRange:
        """The sign-extended values."""
        if self.is_empty:
            return ConstantRange.empty(width)
        return ConstantRange.interval(width, self.smin(), self.smax())

    def umin_with(self, other: ConstantRange) -> ConstantRange:
        """The unsigned minimum of two values."""
        return self._pairwise(other, min, signed=False)

    def umax_with(self, other: ConstantRange) -> ConstantRange:
        """The unsigned maximum of two values."""
        return self._pairwise(other, max, signed=False)

    def smin_with(self, other: ConstantRange) -> ConstantRange:
        """The signed minimum of two values."""
        return self._pairwise(other, min, signed=True)

    def smax_with(self, other: ConstantRange) -> ConstantRange:
        """The signed maximum of two values."""
        return self._pairwise(other, max, signed=True)

    def _pairwise(
        self, other: ConstantRange, choose: Callable[[int, int], int], *, signed: bool
    ) -> ConstantRange:
        if self.is_empty or other.is_empty:
            return ConstantRange.empty(self.width)
        if signed:
            low, high = choose(self.smin(), other.smin()), choose(self.smax(), other.smax())
        else:
            low, high = choose(self.umin(), other.umin()), choose(self.umax(), other.umax())
        # The result is one of the operands, so values outside both ranges are impossible.
        return ConstantRange.interval(self.width, low, high).intersect(self.union(other))

    def icmp(self, predicate: int, other: ConstantRange) -> bool | None:
        """The result of the comparison if it is the same for all pairs of values, else None."""
        if self.is_empty or other.is_empty:
            return None
        if self.intersect(allowed_region(predicate, other)).is_empty:
            return False
        if self.intersect(allowed_region(INVERSE[predicate], other)).is_empty:
            return True
        return None

    def __str__(self) -> str:
        if self.is_full:
            return "full"
        if self.is_empty:
            return "empty"
        low, high = self.umin(), self.umax()
        if high - low + 1 != self.size:
            low, high = self.smin(), self.smax()
            if high - low + 1 != self.size:
                low, high = self.start, self.start + self.size - 1
        return f"[{low}, {high + 1})"


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


@lru_cache(1 << 12)
def allowed_region(predicate: int, other: ConstantRange) -> ConstantRange:
    """The values `x` for which `x predicate y` holds for some `y` in `other`."""
    width = other.width
    if other.is_empty:
        return other
    half = 1 << (width - 1)
    mask = (1 << width) - 1
    if predicate == EQ:
        return other
    if predicate == NE:
        return other.complement() if other.size == 1 else ConstantRange.full(width)
    if predicate == ULT:
        return ConstantRange.interval(width, 0, other.umax() - 1)
    if predicate == ULE:
        return ConstantRange.interval(width, 0, other.umax())
    if predicate == UGT:
        return ConstantRange.interval(width, other.umin() + 1, mask)
    if predicate == UGE:
        return ConstantRange.interval(width, other.umin(), mask)
    if predicate == SLT:
        return ConstantRange.interval(width, -half, other.smax() - 1)
    if predicate == SLE:
        return ConstantRange.interval(width, -half, other.smax())
    if predicate == SGT:
        return ConstantRange.interval(width, other.smin() + 1, half - 1)
    return ConstantRange.interval(width, other.smin(), half - 1)
