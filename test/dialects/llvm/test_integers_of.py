"""`integers_of`, which caches decoded arrays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import DenseArrayBase, IntegerType

from nvvm_xdsl.dialects.llvm.accessors import integers_of


@given(st.lists(st.lists(st.integers(-128, 127), max_size=5), max_size=20))
def test_values_equal_the_array(lists: list[list[int]]):
    for width in (8, 16, 32, 64):
        for numbers in lists:
            # Each array is freed before the next one, which may get the same address.
            assert integers_of(DenseArrayBase.from_list(IntegerType(width), numbers)) == tuple(
                numbers
            )


def test_more_arrays_than_the_cache_holds():
    i32 = IntegerType(32)
    for number in range(10_000):
        assert integers_of(DenseArrayBase.from_list(i32, [number, -number])) == (number, -number)
