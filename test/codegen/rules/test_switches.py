"""Selection of the cases of a switch that become a jump table: LLVM's limits."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nvvm_xdsl
from nvvm_xdsl.codegen.rules.switches import Range, clusters_of, is_dense, ranges_of
from nvvm_xdsl.dialects.nvptx.control_flow import Edge
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError

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


@pytest.mark.parametrize(
    ("density", "tables"), [(0, True), (10, True), (40, True), (41, False), (101, False)]
)
def test_a_stated_density(density: int, tables: bool):
    """Four cases of ten values."""
    found = clusters_of(ranges(0, 3, 6, 9), density)
    assert (len(found) == 1) == tables
    cases = " ".join(f"i32 {value}, label %b{value}" for value in (0, 3, 6, 9))
    blocks = " ".join(f"b{v}: store i32 {v}, ptr addrspace(1) %p ret void" for v in (0, 3, 6, 9))
    text = f"define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {{ switch i32 %n, label %other [ {cases} ] {blocks} other: ret void }}"
    options = CompileOptions(arch="sm_90", opt_level=0, jump_table_density=density)
    assert ("brx.idx" in nvvm_xdsl.compile(text, options=options)) == tables


@pytest.mark.parametrize("density", [-1, 102])
def test_a_density_out_of_range(density: int):
    with pytest.raises(
        DiagnosticError, match=f"jump-table-density: {density} is not between 0 and 101"
    ):
        CompileOptions(jump_table_density=density)


def test_a_dense_range_of_cases_becomes_a_jump_table():
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
