"""Every operation on all known bits of three-bit values, against the consistent values."""

from itertools import product

import pytest
from helpers.constant_ranges import RANGES

from nvvm_xdsl.analysis.values.known_bits import KnownBits

WIDTH = 3
ALL = [KnownBits(3, z, o) for z in range(8) for o in range(8) if not z & o]


def values(bits: KnownBits) -> list[int]:
    return [v for v in range(1 << bits.width) if bits.allows(v)]


def best(found: set[int], width: int = WIDTH) -> KnownBits:
    mask = (1 << width) - 1
    zeros = ones = mask
    for v in found:
        zeros &= ~v
        ones &= v
    return KnownBits(width, zeros & mask, ones)


def signed(v: int) -> int:
    return v - 8 if v & 4 else v


OPERATIONS = [
    ("and_", lambda a, b: a & b, True),
    ("or_", lambda a, b: a | b, True),
    ("xor", lambda a, b: a ^ b, True),
    ("add", lambda a, b: a + b, True),
    ("sub", lambda a, b: a - b, True),
    ("mul", lambda a, b: a * b, False),
    ("shl", lambda a, b: a << b if b < 3 else None, True),
    ("lshr", lambda a, b: a >> b if b < 3 else None, True),
    ("ashr", lambda a, b: signed(a) >> b if b < 3 else None, True),
]


@pytest.mark.parametrize(("name", "function", "exact"), OPERATIONS)
def test_operations(name: str, function, exact: bool):
    for one, two in product(ALL, ALL):
        results = {
            r & 7 for a, b in product(values(one), values(two)) if (r := function(a, b)) is not None
        }
        found = getattr(one, name)(two)
        for result in results:
            assert found.allows(result), (one, two, result)
        if exact and results:
            assert found == best(results), (str(one), str(two))


def test_multiplication_propagates_trailing_bits():
    four = KnownBits.constant(8, 4)
    odd = KnownBits(8, 0, 1)
    assert str(four.mul(KnownBits.unknown(8))) == "??????00"
    assert str(four.mul(odd)) == "?????100"
    assert str(odd.mul(odd)) == "???????1"
    small = KnownBits(8, 0xF0, 0)
    assert small.mul(KnownBits.constant(8, 2)).leading_zeros() == 3


def test_casts_and_joins():
    for one in ALL:
        assert one.zext(5) == best(set(values(one)), 5)
        assert one.sext(5) == best({signed(v) & 31 for v in values(one)}, 5)
        assert one.trunc(2) == best({v & 3 for v in values(one)}, 2)
        assert one.not_() == best({~v & 7 for v in values(one)})
        for two in ALL:
            assert one.join(two) == best({*values(one), *values(two)})
            both = set(values(one)) & set(values(two))
            assert one.meet(two).is_contradiction == (not both)
            if both:
                assert one.meet(two) == best(both)


def test_queries():
    for one in ALL:
        found = values(one)
        assert one.value() == (found[0] if len(found) == 1 else None)
        assert (one.umin, one.umax) == (min(found), max(found))
        assert one.leading_zeros() == min(3 - v.bit_length() for v in found)
        assert one.trailing_zeros() == min((v & -v).bit_length() - 1 if v else 3 for v in found)
        assert one.is_negative() == all(v & 4 for v in found)
        assert one.is_non_negative() == all(not v & 4 for v in found)
        same = min(
            next(n for n in range(1, 4) if n == 3 or (v >> 2) & 1 != (v >> (2 - n)) & 1)
            for v in found
        )
        assert one.sign_bits() == (same if one.is_negative() or one.is_non_negative() else 1)


def test_ranges():
    for one in ALL:
        assert set(values(one)) <= set(one.range().values())
    for range_ in RANGES:
        bits = KnownBits.of_range(range_)
        assert all(bits.allows(v) for v in range_.values())
        low_first = list(range_.values())
        if low_first and low_first == sorted(low_first):
            assert bits.zeros | bits.ones == 0 or not range_.is_full
    assert KnownBits.of_range(RANGES[0]).value() == 0


def test_text():
    assert str(KnownBits(4, 0b1000, 0b0001)) == "0??1"
