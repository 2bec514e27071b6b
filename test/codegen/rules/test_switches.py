"""Selection of the cases of a switch that become a jump table: LLVM's limits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nvvm_xdsl
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.rules.switches import (
    MIN_JOINED_OPS,
    Range,
    clusters_of,
    is_dense,
    ranges_of,
    without,
)
from nvvm_xdsl.dialects.nvptx.control_flow import BrxOp, Edge
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

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


def joining(width: int, numbers: Sequence[int], leaving: Sequence[int], ops: int) -> str:
    """A kernel whose threads switch on the thread's number minus 12.

    The cases of `leaving` branch to the end, the others to a block of `ops` ops that adds to `p[t]`.
    """
    cases = " ".join(f"i{width} {n}, label %c{n + 100}" for n in numbers)
    blocks = "".join(
        f"c{n + 100}:\n  store i32 {n + 50}, ptr addrspace(1) %q\n"
        f"  br label %{'end' if n in leaving else 'join'}\n"
        for n in numbers
    )
    sums = "".join(f"  %v{i + 1} = add i32 %v{i}, %t\n" for i in range(ops - 3))
    value = {6: "trunc i32 %s to i6", 32: "add i32 %s, 0", 64: "sext i32 %s to i64"}[width]
    return (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %s = sub i32 %t, 12\n  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t\n"
        f"  %x = {value}\n  switch i{width} %x, label %end [{cases}]\n{blocks}"
        f"join:\n  %v0 = load i32, ptr addrspace(1) %q\n{sums}"
        f"  store i32 %v{ops - 3}, ptr addrspace(1) %q\n  br label %end\nend:\n  ret void\n}}\n"
    )


@pytest.mark.parametrize("width", [6, 32, 64])
@pytest.mark.parametrize(
    ("numbers", "leaving", "ops", "apart"),
    [
        (range(10), [0], MIN_JOINED_OPS, 1),
        (range(10), [4], MIN_JOINED_OPS, 1),
        (range(-5, 5), [-5, 4], MIN_JOINED_OPS, 2),
        (range(-5, 5), [-1, 0], MIN_JOINED_OPS, 2),
        (range(10), [0, 3, 6], MIN_JOINED_OPS, 0),
        (range(10), [0], MIN_JOINED_OPS - 1, 0),
        (range(5), [0], MIN_JOINED_OPS, 1),
        (range(4), [0], MIN_JOINED_OPS, 0),
        (range(10), [], MIN_JOINED_OPS, 0),
    ],
)
def test_cases_that_avoid_the_join_are_compared_before_the_table(
    width: int, numbers: Sequence[int], leaving: Sequence[int], ops: int, apart: int
):
    if width == 6:
        # The values of odd widths are compared without sign.
        least = min(numbers)
        numbers, leaving = [n - least for n in numbers], [n - least for n in leaving]
    module = select(
        read_ll(joining(width, numbers, leaving, ops)), CodegenOptions.for_arch("sm_90")
    )
    (table,) = (op for op in module.walk() if isinstance(op, BrxOp))
    tests = [op for op in module.walk() if op.name == "nvptx.setp" and "eq" in str(op)]
    assert len(tests) == apart
    returns = {op.parent for op in module.walk() if op.name == "nvptx.ret"}
    assert not apart or returns.isdisjoint(fast.successors_of(table))
    out = np.full(24, -1, np.int32)
    launch(module, "k", 1, 24, [out])
    for thread in range(24):
        n = thread - 12
        wanted = -1
        if n in numbers:
            wanted = n + 50 + (0 if n in leaving else thread * (ops - 3))
        assert out[thread] == wanted


def test_values_compared_before_leave_a_table_without_the_default():
    a, b, c = EDGES
    targets = [(0, a), (1, b), (2, c), (3, a), (4, b)]
    assert without(targets, {0}) == targets[1:]
    assert without(targets, {4}) == targets[:-1]
    assert without(targets, {2, 3}) == [(0, a), (1, b), (2, b), (3, b), (4, b)]
