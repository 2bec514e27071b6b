"""Loops whose addresses are carried from iteration to iteration access the same memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from helpers.loop_kernels import BEFORE, differences

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import find_difference
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.loop.loop_reduce import LoopStrengthReduce
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

EVERYTHING = "loop-reduce<no-filter-bad-formula;no-lsr-check-rp>"
BASES = "loop-reduce<base-address-strength-reduce-iv-limit=0;no-lsr-check-rp>"
WITH_COUNTERS = BEFORE + ",function(loop(indvars)),memory-space-opt,loop-simplify"


def test_random_kernels_compute_the_same():
    assert differences(EVERYTHING, range(8), WITH_COUNTERS) > 3


@pytest.mark.slow
def test_more_random_kernels_compute_the_same():
    assert differences(EVERYTHING, range(100, 115), WITH_COUNTERS) > 7


LOOP = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %first, i32 %last, i32 %scale, i32 %skip) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %latch ]
  {computation}
  %wanted = icmp sge i32 %i, %skip
  br i1 %wanted, label %access, label %latch
access:
  store i32 %i, ptr addrspace(1) %p, align 4
  br label %latch
latch:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %last
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
"""

CASES = {
    "a product that wraps where nothing is accessed": (
        """%m = mul nsw i32 %i, 536870912
  %k = add nsw i32 %m, 5
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 1, 0, 0), (-5, 1, 0, 0)],
    ),
    "a sum that is negative where nothing is accessed": (
        """%k = add nsw i32 %i, %scale
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 9, 3, 0), (-8, 6, 2, 0), (-2, 6, 2, -2), (-(2**31), -(2**31) + 4, -1, 0)],
    ),
    "a difference": (
        """%k = sub nsw i32 %scale, %i
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 9, 12, 0), (-3, 4, 20, -1)],
    ),
    "two pointers in a row": (
        """%e = sext i32 %scale to i64
  %row = getelementptr inbounds [4 x i32], ptr addrspace(1) %out, i64 %e
  %f = sext i32 %i to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %row, i64 %f
  %p = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8""",
        [(0, 9, 1, 0), (-3, 4, 2, -2)],
    ),
    "a product with a variable factor that wraps where nothing is accessed": (
        """%j = add nsw i32 %i, 1
  %k = mul nsw i32 %j, %scale
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 4, 3, 0), (-5, 0, 2**30, -1), (-3, 0, -4, -3)],
    ),
    "offsets that are far": (
        """%e = sext i32 %i to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e
  %p = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8388608""",
        [(0, 9, 1, 0)],
    ),
}


NOT_CARRIED = {
    "an invariant value that is subtracted in some iterations": (
        """%k = sub nsw i32 %i, %scale
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 9, -3, 0), (-2, 9, 2, 2)],
    ),
    "a product that wraps with its sign": (
        """%k = mul i32 %i, %scale
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 5, 2**30 + 1, 4)],
    ),
    "a product that wraps without a sign": (
        """%k = mul nsw i32 %i, %scale
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(-2, 1, -1, -2)],
    ),
    "a product of two values that vary": (
        """%k = mul nsw i32 %i, %i
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e""",
        [(0, 5, 1, 0)],
    ),
}


@pytest.mark.parametrize(
    ("case", "pipeline"),
    [*((case, EVERYTHING) for case in CASES), (list(CASES)[1], BASES)],
)
def test_guarded_accesses(case: str, pipeline: str):
    computation, launches = CASES[case]
    text = reduced(LOOP.format(computation=computation), pipeline, launches)
    assert ("lsr.iv" in text) == (pipeline is EVERYTHING)


def test_product_without_a_sign():
    computation = """%k = mul nuw i32 %scale, %i
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e"""
    text = LOOP.format(computation=computation).replace("[ %first,", "[ 0,")
    text = text.replace("%next = add nsw", "%next = add nuw nsw")
    assert "lsr.iv" in reduced(text, EVERYTHING, [(0, 4, 3, 0), (0, 3, 2**18, 1)])


@pytest.mark.parametrize("case", NOT_CARRIED)
def test_addresses_that_are_not_carried(case: str):
    computation, launches = NOT_CARRIED[case]
    assert "lsr.iv" not in reduced(
        LOOP.format(computation=computation), EVERYTHING, launches, changes=False
    )


def reduced(
    text: str, pipeline: str, launches: Sequence[tuple[int, ...]], *, changes: bool = True
) -> str:
    """Returns the text of a module after a pipeline that does not change its stores."""

    def result(module, arguments: tuple[int, ...]) -> list[tuple[int, int]]:
        out = np.full(2**21 + 64, -9, np.int32)
        (out,) = run(prepare(module), Launch("k", 1, 1, (out, *arguments))).arrays
        return [(int(place), int(out[place])) for place in np.flatnonzero(out != -9)]

    module = read_ll(text, "k.ll")
    run_pipeline(module, "function(loop-simplify,loop(indvars))")
    before = [result(module, arguments) for arguments in launches]
    text = str(module)
    run_pipeline(module, pipeline)
    verify_module(module)
    assert any(before)
    assert (str(module) != text) == changes
    assert [result(module, arguments) for arguments in launches] == before
    return str(module)


UNROLLED = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %first, i32 %last, i32 %width, i32 %column) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %{latch} ]
  {accesses}
  %next = add nsw i32 %i, 4
  %more = icmp slt i32 %next, %last
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
"""

ACCESS = """
  %i{n} = add nsw i32 %i, {n}
  %m{n} = mul nsw i32 %i{n}, %width
  %s{n} = add nsw i32 %m{n}, %column
  %e{n} = sext i32 %s{n} to i64
  %p{n} = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e{n}
  store i32 %i{n}, ptr addrspace(1) %p{n}, align 4
"""

AFTER_A_VALUE = """
  %i{n} = add nsw i32 %i, %column
  %m{n} = mul nsw i32 %i{n}, %width
  %s{n} = add nsw i32 %m{n}, %column
  %e{n} = sext i32 %s{n} to i64
  %p{n} = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e{n}
  store i32 %i{n}, ptr addrspace(1) %p{n}, align 4
"""

IN_TWO_BLOCKS = """
  br label %other
other:
"""

CONDITIONAL = """
  %odd = and i32 %i, 4
  %is.odd = icmp ne i32 %odd, 0
  br i1 %is.odd, label %inside, label %latch
inside:
{accesses}
  br label %latch
latch:
"""


CHAIN_LAUNCHES = [(0, 17, 9, 2), (3, 30, 5, 0), (0, 3, 1, 1), (2, 12, -2, 40)]


@pytest.mark.parametrize(
    ("numbers", "pointers"),
    [
        ((0, 1, 2, 3), 1),
        ((3, 1, 2, 0), 1),
        ((5, 6, 7), 1),
        ((1,), 1),
        ((0, 2), 1),
        ((0, 1, 3), 3),
        ((0, 4), 1),
        ((0, 8), 2),
        ((0, 1, 2, 3, 4), 1),
        ((0, 1, 2, 3, 4, 5), 6),
    ],
)
def test_chains(numbers: tuple[int, ...], pointers: int):
    accesses = "".join(ACCESS.format(n=n) for n in numbers)
    text = UNROLLED.format(accesses=accesses, latch="loop")
    assert carried_pointers(reduced(text, EVERYTHING, CHAIN_LAUNCHES)) == pointers


def test_a_chain_in_a_conditional_block():
    accesses = CONDITIONAL.format(accesses="".join(ACCESS.format(n=n) for n in range(4)))
    text = UNROLLED.format(accesses=accesses, latch="latch")
    assert carried_pointers(reduced(text, EVERYTHING, CHAIN_LAUNCHES)) == 1


def test_accesses_in_two_blocks_are_in_no_chain():
    accesses = ACCESS.format(n=0) + IN_TWO_BLOCKS + ACCESS.format(n=1)
    text = UNROLLED.format(accesses=accesses, latch="other")
    assert carried_pointers(reduced(text, EVERYTHING, CHAIN_LAUNCHES)) == 2


def test_accesses_at_other_distances_are_in_no_chain():
    accesses = ACCESS.format(n=0) + AFTER_A_VALUE.format(n=1)
    text = UNROLLED.format(accesses=accesses, latch="loop")
    assert carried_pointers(reduced(text, EVERYTHING, CHAIN_LAUNCHES[:3])) == 2


LONG = """
  %i{n} = add nsw i32 {i}, {n}
  %m{n} = mul nsw i32 %i{n}, %width
  %s{n} = add nsw i32 %m{n}, %column
  %w{n} = mul nsw i32 %s{n}, %width
  %t{n} = add nsw i32 %w{n}, %column
  %e{n} = sext i32 %t{n} to i64
  %p{n} = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e{n}
  store i32 %i{n}, ptr addrspace(1) %p{n}, align 4
"""
"""An address with a start of more than eight 64-bit ops."""


def long_address(n: int, i: str = "%i") -> str:
    return LONG.format(n=n, i=i)


def inside(accesses: str) -> str:
    return CONDITIONAL.format(accesses=accesses)


LONG_STARTS = {
    "an access in each iteration": (long_address(0), "loop", 1),
    "two accesses, the later one conditional": (
        long_address(0) + inside("store i32 7, ptr addrspace(1) %p0, align 4"),
        "latch",
        1,
    ),
    "the first access has the second pointer": (long_address(1) + long_address(0), "loop", 1),
    "a conditional access": (inside(long_address(0)), "latch", 0),
    "an access after one that may be the last": (
        long_address(1) + "call void @other()" + long_address(0),
        "loop",
        0,
    ),
    "an op that is not copied": (
        "%d = shl nsw i32 %i, 1\n  %o = or disjoint i32 %d, 1"
        + long_address(0).replace("%i0 = add nsw i32 %i, 0", "").replace("%i0", "%o"),
        "loop",
        0,
    ),
    "a value of another block": (
        "br label %latch\nlatch:\n  %j = phi i32 [ %i, %loop ]" + long_address(0, "%j"),
        "latch",
        0,
    ),
    "more ops than are copied": (
        "%f = mul nsw i32 %i, 3\n  %g = mul nsw i32 %f, %column" + long_address(0, "%g"),
        "loop",
        0,
    ),
}


@pytest.mark.parametrize("case", LONG_STARTS)
def test_starts_that_are_costly_to_expand(case: str):
    accesses, latch, pointers = LONG_STARTS[case]
    text = UNROLLED.format(accesses=accesses, latch=latch) + "define void @other() { ret void }"
    launches = [(0, 17, 9, 2), (3, 30, 5, 0), (0, 3, 1, 1)]
    found = reduced(text, EVERYTHING, launches)
    assert carried_pointers(found) == pointers


def test_a_start_that_wraps_where_nothing_is_accessed():
    """Only the second iteration accesses memory, at index 4; the index of the first one wraps."""
    text = UNROLLED.format(accesses=inside(long_address(0)), latch="latch")
    found = reduced(text, EVERYTHING, [(0, 8, 46341, 4 - 4 * 46341)])
    assert carried_pointers(found) == 0


def carried_pointers(text: str) -> int:
    """Returns the pointers among the arguments of the first block with arguments."""
    return next(line for line in text.splitlines() if "(%i: i32" in line).count("!llvm.ptr<1>")


def test_scalar_evolution_is_preserved_and_right():
    computation, _ = CASES["a difference"]
    module = read_ll(LOOP.format(computation=computation), "k.ll")
    run_pipeline(module, "loop-simplify")
    (func,) = functions_of(module)
    am = AnalysisManager()
    se = am.get(ScalarEvolution, func)
    for block in func.regions[0].blocks:
        for op in block.ops:
            for value in op.results:
                se.get(value)
    assert LoopStrengthReduce(filter_bad_formula=False).run(module, am)
    assert am.get(ScalarEvolution, func) is se
    se.verify(strict=True, maps=True)


TWO_CONDITIONS = """
define ptx_kernel void @k(ptr %p, i8 %last, i8 %first) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i8 [ %first, %entry ], [ %next, %loop ]
  %x = phi float [ 1.0, %entry ], [ %larger, %loop ]
  %wide = sext i8 %i to i64
  %index = add nsw i64 %wide, 128
  %place = getelementptr i32, ptr %p, i64 %index
  %old = load i32, ptr %place
  %new = add i32 %old, 1
  store i32 %new, ptr %place
  %next = add i8 %i, 1
  %larger = fmul float %x, 3.0
  %below = icmp sle i8 %i, %last
  %small = fcmp olt float %x, 100.0
  %more = select i1 %below, i1 %small, i1 false
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
"""


@pytest.mark.parametrize("first", [0, 125])
def test_a_counter_wraps_below_the_largest_bound(first: int):
    """The loop ends, but by its second condition."""
    numbers = np.zeros(256, np.int32)
    launch = Launch("k", 1, 1, (numbers, 127, first))
    assert find_difference(read_ll(TWO_CONDITIONS), "loop-reduce", [launch], machine=False) is None
