"""Every operation on every pair of ranges of three bits, against the sets of values."""

from itertools import product

import pytest
from helpers.constant_ranges import HOLDS, RANGES, WIDTH, signed

from nvvm_xdsl.analysis.values.constant_range import (
    INVERSE,
    SWAPPED,
    ConstantRange,
    allowed_region,
)

MASK = 7


def fits_signed(value: int) -> bool:
    return -4 <= value <= 3


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shift_left(a: int, b: int) -> int | None:
    return a << b if b < WIDTH else None


# Name, keyword flags, and the result for two unsigned values; None if it is undefined.
OPERATIONS = [
    ("add", {}, lambda a, b: a + b),
    ("add", {"nuw": True}, lambda a, b: a + b if a + b <= MASK else None),
    ("add", {"nsw": True}, lambda a, b: a + b if fits_signed(signed(a) + signed(b)) else None),
    ("sub", {}, lambda a, b: a - b),
    ("sub", {"nuw": True}, lambda a, b: a - b if a >= b else None),
    ("sub", {"nsw": True}, lambda a, b: a - b if fits_signed(signed(a) - signed(b)) else None),
    ("mul", {}, lambda a, b: a * b),
    ("mul", {"nuw": True}, lambda a, b: a * b if a * b <= MASK else None),
    ("mul", {"nsw": True}, lambda a, b: a * b if fits_signed(signed(a) * signed(b)) else None),
    ("udiv", {}, lambda a, b: a // b if b else None),
    ("sdiv", {}, lambda a, b: (
        truncated(signed(a), signed(b)) if b and (a, b) != (4, 7) else None)),
    ("urem", {}, lambda a, b: a % b if b else None),
    ("srem", {}, lambda a, b: (
        signed(a) - truncated(signed(a), signed(b)) * signed(b) if b else None)),
    ("shl", {}, shift_left),
    ("shl", {"nuw": True}, lambda a, b: a << b if b < WIDTH and a << b <= MASK else None),
    ("shl", {"nsw": True}, lambda a, b: (
        a << b if b < WIDTH and fits_signed(signed(a) << b) else None)),
    ("lshr", {}, lambda a, b: a >> b if b < WIDTH else None),
    ("ashr", {}, lambda a, b: signed(a) >> b if b < WIDTH else None),
    ("umin_with", {}, min),
    ("umax_with", {}, max),
    ("smin_with", {}, lambda a, b: min(signed(a), signed(b))),
    ("smax_with", {}, lambda a, b: max(signed(a), signed(b))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "flags", "function"), OPERATIONS)
def test_operations_contain_every_result(name: str, flags: dict[str, bool], function):
    for one, two in product(RANGES, RANGES):
        found = getattr(one, name)(two, **flags)
        for a, b in product(one.values(), two.values()):
            result = function(a, b)
            if result is not None:
                assert found.contains(result), (one, two, a, b)
        if one.is_empty or two.is_empty:
            assert found.is_empty


@pytest.mark.parametrize("name", ["add", "sub"])
def test_sums_and_differences_are_exact(name: str):
    for one, two in product(RANGES, RANGES):
        sign = 1 if name == "add" else -1
        exact = {(a + sign * b) & MASK for a in one.values() for b in two.values()}
        assert set(getattr(one, name)(two).values()) == exact


@pytest.mark.parametrize("name", ["udiv", "urem", "lshr", "ashr", "umin_with", "smax_with"])
def test_operations_on_single_values_are_exact(name: str):
    function = next(f for n, _, f in OPERATIONS if n == name)
    for a, b in product(range(8), range(8)):
        result = function(a, b)
        found = getattr(ConstantRange.single(WIDTH, a), name)(ConstantRange.single(WIDTH, b))
        if name != "urem" or b > a:
            assert list(found.values()) == ([] if result is None else [result & MASK])


def test_sets():
    for one, two in product(RANGES, RANGES):
        a, b = set(one.values()), set(two.values())
        both = set(one.intersect(two).values())
        assert a & b <= both
        if not both <= a & b:
            # A larger result is allowed only if the intersection consists of two arcs.
            assert both in (a, b)
        assert a | b <= set(one.union(two).values())
        smallest = min(
            (r for r in RANGES if a | b <= set(r.values())), key=lambda r: r.size, default=None
        )
        assert smallest is not None
        assert one.union(two).size == smallest.size
        assert one.contains_range(two) == (b <= a)
    for one in RANGES:
        assert set(one.complement().values()) == set(range(8)) - set(one.values())


def test_bounds():
    for one in RANGES:
        values = list(one.values())
        if values:
            assert (one.umin(), one.umax()) == (min(values), max(values))
            read = [signed(v) for v in values]
            assert (one.smin(), one.smax()) == (min(read), max(read))
        assert one.value() == (values[0] if len(values) == 1 else None)


def test_casts():
    for one in RANGES:
        values = set(one.values())
        assert {v & 3 for v in values} == set(one.trunc(2).values())
        assert values <= set(one.zext(5).values())
        assert {signed(v) & 31 for v in values} <= set(one.sext(5).values())
        assert set(one.negate().values()) == {-v & MASK for v in values}


@pytest.mark.parametrize("predicate", range(10))
def test_comparisons(predicate: int):
    holds = HOLDS[predicate]
    for one, two in product(RANGES, RANGES):
        results = {holds(a, b) for a, b in product(one.values(), two.values())}
        found = one.icmp(predicate, two)
        if found is not None:
            assert results == {found}
        elif len(results) == 1:
            # Undecided only if the intersection consists of two arcs, which one range cannot
            # represent.
            assert predicate in (0, 1)
    for two in RANGES:
        some = {a for a in range(8) if any(holds(a, b) for b in two.values())}
        assert set(allowed_region(predicate, two).values()) == some
    for a, b in product(range(8), range(8)):
        assert HOLDS[INVERSE[predicate]](a, b) != holds(a, b)
        assert HOLDS[SWAPPED[predicate]](b, a) == holds(a, b)


def test_construction_and_text():
    assert ConstantRange.half_open(8, 3, 3).is_full
    assert str(ConstantRange.half_open(8, 3, 10)) == "[3, 10)"
    assert str(ConstantRange.interval(8, -3, 2)) == "[-3, 3)"
    assert str(ConstantRange.full(8)) == "full"
    assert str(ConstantRange.empty(8)) == "empty"
    assert ConstantRange.interval(8, 0, 255).is_full
    assert ConstantRange.interval(8, 5, 4).is_empty
