"""Known zero and one bits of a value, and arithmetic on them.

(Corresponds to LLVM's KnownBits.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from nvvm_xdsl.analysis.values.constant_range import ConstantRange


class KnownBits(NamedTuple):
    """Bits of an N-bit value: set in `zeros` when known 0, in `ones` when known 1."""

    width: int
    zeros: int
    ones: int

    @staticmethod
    @cache
    def unknown(width: int) -> KnownBits:
        """Nothing is known."""
        return KnownBits(width, 0, 0)

    @staticmethod
    def constant(width: int, value: int) -> KnownBits:
        """True if all bits are known."""
        mask = (1 << width) - 1
        return KnownBits(width, ~value & mask, value & mask)

    @property
    def mask(self) -> int:
        """All bits of the width."""
        return (1 << self.width) - 1

    @property
    def is_contradiction(self) -> bool:
        """True if a bit would have to be both, as in unreachable code."""
        return self.zeros & self.ones != 0

    def value(self) -> int | None:
        """The value if all bits are known."""
        return self.ones if self.zeros | self.ones == self.mask else None

    def allows(self, value: int) -> bool:
        """Returns whether the value is consistent with the known bits."""
        return not (value & self.zeros or ~value & self.ones)

    @property
    def umin(self) -> int:
        """The minimum as unsigned."""
        return self.ones

    @property
    def umax(self) -> int:
        """The maximum as unsigned."""
        return ~self.zeros & self.mask

    def leading_zeros(self) -> int:
        """The number of leading bits known to be 0."""
        return self.width - self.umax.bit_length()

    def trailing_zeros(self) -> int:
        """The number of trailing bits known to be 0: the known alignment."""
        unknown = ~self.zeros & self.mask
        return (unknown & -unknown).bit_length() - 1 if unknown else self.width

    def is_non_negative(self) -> bool:
        """Returns True if the sign bit is known to be 0."""
        return bool(self.zeros >> (self.width - 1) & 1)

    def is_negative(self) -> bool:
        """Returns True if the sign bit is known to be 1."""
        return bool(self.ones >> (self.width - 1) & 1)

    def sign_bits(self) -> int:
        """The number of leading bits known to equal the sign bit, including the sign bit."""
        if self.is_non_negative():
            return self.leading_zeros()
        if self.is_negative():
            return self.width - (~self.ones & self.mask).bit_length()
        return 1

    def join(self, other: KnownBits) -> KnownBits:
        """Facts that hold for both values: their union as sets."""
        return KnownBits(self.width, self.zeros & other.zeros, self.ones & other.ones)

    def meet(self, other: KnownBits) -> KnownBits:
        """Facts of both sides, intersected."""
        return KnownBits(self.width, self.zeros | other.zeros, self.ones | other.ones)

    def range(self) -> ConstantRange:
        """The smallest range with all consistent values; with an unknown sign bit it may wrap."""
        unsigned = ConstantRange.interval(self.width, self.umin, self.umax)
        sign = 1 << (self.width - 1)
        if (self.zeros | self.ones) & sign:
            return unsigned
        low = (self.ones | sign) - (1 << self.width)
        high = self.umax & ~sign
        signed = ConstantRange.interval(self.width, low, high)
        return signed if signed.size < unsigned.size else unsigned

    @staticmethod
    def of_range(range_: ConstantRange) -> KnownBits:
        """The bits that all values of a range share: a prefix."""
        if range_.is_empty:
            return KnownBits.unknown(range_.width)
        low, high = range_.umin(), range_.umax()
        below = (1 << (low ^ high).bit_length()) - 1
        mask = (1 << range_.width) - 1
        return KnownBits(range_.width, ~high & ~below & mask, low & ~below)

    # Operations.

    def and_(self, other: KnownBits) -> KnownBits:
        """The bitwise and."""
        return KnownBits(self.width, self.zeros | other.zeros, self.ones & other.ones)

    def or_(self, other: KnownBits) -> KnownBits:
        """The bitwise or."""
        return KnownBits(self.width, self.zeros & other.zeros, self.ones | other.ones)

    def xor(self, other: KnownBits) -> KnownBits:
        """The bitwise exclusive or."""
        zeros = self.zeros & other.zeros | self.ones & other.ones
        ones = self.zeros & other.ones | self.ones & other.zeros
        return KnownBits(self.width, zeros, ones)

    def not_(self) -> KnownBits:
        """The complement."""
        return KnownBits(self.width, self.ones, self.zeros)

    def add(self, other: KnownBits, carry: int = 0) -> KnownBits:
        """The sum with a carry in of 0 or 1.

        A bit of the sum is known if both operand bits and the carry into it are known. The carry is
        known if it is equal in the minimum and the maximum possible sum.
        """
        mask = self.mask
        most = self.umax + other.umax + carry
        least = self.ones + other.ones + carry
        carry_zero = ~(most ^ self.zeros ^ other.zeros) & mask
        carry_one = (least ^ self.ones ^ other.ones) & mask
        known = (self.zeros | self.ones) & (other.zeros | other.ones) & (carry_zero | carry_one)
        return KnownBits(self.width, ~most & known & mask, least & known)

    def sub(self, other: KnownBits) -> KnownBits:
        """The difference."""
        return self.add(other.not_(), 1)

    def mul(self, other: KnownBits) -> KnownBits:
        """The product: its trailing bits, and its leading zeros."""
        width = self.width
        if self.value() is not None and other.value() is not None:
            return KnownBits.constant(width, self.ones * other.ones)
        # As many low bits of the product are known as depend on known low bits only.
        trailing = self.trailing_zeros() + other.trailing_zeros()
        one, two = self._count_known_low_bits(), other._count_known_low_bits()
        known = min(one - self.trailing_zeros() + trailing, two - other.trailing_zeros() + trailing)
        known = max(0, min(known, width))
        low = (1 << known) - 1
        product = self.ones * other.ones
        zeros, ones = ~product & low, product & low
        if trailing:
            zeros |= (1 << min(trailing, width)) - 1
        highest = self.umax * other.umax
        if highest <= self.mask:
            zeros |= self.mask & ~((1 << highest.bit_length()) - 1)
        return KnownBits(width, zeros & self.mask & ~ones, ones)

    def _count_known_low_bits(self) -> int:
        unknown = ~(self.zeros | self.ones) & self.mask
        return (unknown & -unknown).bit_length() - 1 if unknown else self.width

    def shl(self, amount: KnownBits) -> KnownBits:
        """The value shifted left; amounts not less than the width are excluded."""
        return self._shift(amount, self._shl_by)

    def lshr(self, amount: KnownBits) -> KnownBits:
        """The value shifted right; amounts not less than the width are excluded."""
        return self._shift(amount, self._lshr_by)

    def ashr(self, amount: KnownBits) -> KnownBits:
        """The value shifted right arithmetically; amounts not less than the width are excluded."""
        return self._shift(amount, self._ashr_by)

    def _shl_by(self, n: int) -> KnownBits:
        mask = self.mask
        return KnownBits(self.width, (self.zeros << n | (1 << n) - 1) & mask, self.ones << n & mask)

    def _lshr_by(self, n: int) -> KnownBits:
        high = self.mask & ~(self.mask >> n)
        return KnownBits(self.width, self.zeros >> n | high, self.ones >> n)

    def _ashr_by(self, n: int) -> KnownBits:
        high = self.mask & ~(self.mask >> n)
        sign = 1 << (self.width - 1)
        return KnownBits(
            self.width,
            self.zeros >> n | (high if self.zeros & sign else 0),
            self.ones >> n | (high if self.ones & sign else 0),
        )

    def _shift(self, amount: KnownBits, by: Callable[[int], KnownBits]) -> KnownBits:
        known = amount.value()
        if known is not None:
            return by(known) if known < self.width else KnownBits.unknown(self.width)
        found: KnownBits | None = None
        for n in range(amount.umin, min(amount.umax, self.width - 1) + 1):
            if amount.allows(n):
                found = by(n) if found is None else found.join(by(n))
                if not found.zeros | found.ones:
                    break
        return found if found is not None else KnownBits.unknown(self.width)

    def trunc(self, width: int) -> KnownBits:
        """The low bits."""
        mask = (1 << width) - 1
        return KnownBits(width, self.zeros & mask, self.ones & mask)

    def zext(self, width: int) -> KnownBits:
        """The zero-extended value."""
        return KnownBits(width, self.zeros | ((1 << width) - 1) & ~self.mask, self.ones)

    def sext(self, width: int) -> KnownBits:
        """The sign-extended value."""
        high = ((1 << width) - 1) & ~self.mask
        return KnownBits(
            width,
            self.zeros | (high if self.is_non_negative() else 0),
            self.ones | (high if self.is_negative() else 0),
        )

    def __str__(self) -> str:
        return "".join(
            "0" if self.zeros >> n & 1 else "1" if self.ones >> n & 1 else "?"
            for n in range(self.width - 1, -1, -1)
        )
