"""Selection of the cases of a switch that become a jump table: LLVM's limits."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.codegen.rules.switches import Range, clusters_of, is_dense, ranges_of
from nvvm_xdsl.dialects.nvptx.control_flow import Edge
from nvvm_xdsl.ir import fast

EDGES: list[Edge] = [(fast.new_block(), ()) for _ in range(3)]


def ranges(*values: int) -> list[Range]:
    """Ranges of one value each."""
    return [Range(value, value, EDGES[n % 3]) for n, value in enumerate(values)]


def test_consecutive_ranges_with_the_same_edge_are_merged():
    a, b, _ = EDGES
    cases = [(-2, a), (-1, a), (0, a), (1, b), (3, b), (4, b), (5, a)]
    assert ranges_of(cases) == [
        Range(-2, 0, a),
        Range(1, 1, b),
        Range(3, 4, b),
        Range(5, 5, a),
    ]


@pytest.mark.parametrize(
    ("count", "values", "span", "dense"),
    [(3, 3, 3, False), (4, 4, 4, True), (4, 4, 40, True), (4, 4, 41, False), (4, 10, 100, True)],
)
def test_limits(count: int, values: int, span: int, dense: bool):
    assert is_dense(count, values, span) == dense


def test_the_dense_part_is_a_table():
    found = clusters_of(ranges(-1000000, 0, 17, 19, 23, 1000000))
    assert [len(cluster) for cluster in found] == [1, 4, 1]


@given(st.lists(st.integers(-100, 100), min_size=1, max_size=14, unique=True))
def test_the_number_of_clusters_is_minimal(values: list[int]):
    items = ranges(*sorted(values))
    found = clusters_of(items)
    assert [item for cluster in found for item in cluster] == items
    for cluster in found:
        span = cluster[-1].high - cluster[0].low + 1
        assert len(cluster) == 1 or is_dense(len(cluster), len(cluster), span)

    @cache
    def fewest(first: int) -> int:
        if first == len(items):
            return 0
        best = 1 + fewest(first + 1)
        for end in range(first + 1, len(items)):
            span = items[end].high - items[first].low + 1
            if is_dense(end - first + 1, end - first + 1, span):
                best = min(best, 1 + fewest(end + 1))
        return best

    assert len(found) == fewest(0)
