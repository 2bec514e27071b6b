"""Passes between functions keep what kernels, launched in a row over the same memory, leave."""

from __future__ import annotations

import pytest
from helpers.scale import SCALE

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.testing.random_kernels.programs import random_program_launches, random_program_text
from nvvm_xdsl.testing.sequences import run_in_a_row, sequence_difference

PIPELINES = (
    "always-inline",
    "inline",
    "nv-inline-must",
    "nv-early-inliner",
    "globaldce",
    "argpromotion",
    "argpromotion,function(sroa,instcombine),argpromotion<max-elements=4>",
    "constmerge",
    "deadargelim",
    "ipsccp",
    "internalize,ipsccp,deadargelim,globaldce",
    "mergefunc",
    "globalopt",
    "function-attrs",
    "function-attrs,function(early-cse,gvn,dse,adce,dce)",
)

ON_MACHINES = ("nvopt<O1>", "nvopt<O3>")


def differences(seed: int, pipelines: tuple[str, ...], *, machine: bool = False) -> list[str]:
    """What goes wrong with the program of a seed."""
    module = read_ll(random_program_text(seed, 4 + seed % 8), f"<seed {seed}>")
    launches = random_program_launches(seed)
    found = [(p, sequence_difference(module, p, launches, machine=machine)) for p in pipelines]
    return [f"seed {seed}, '{pipeline}': {what}" for pipeline, what in found if what]


@pytest.mark.parametrize("seed", range(6))
def test_passes_keep_behaviour(seed: int):
    assert differences(seed, PIPELINES) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 100 + 12 * SCALE))
def test_levels_keep_behaviour(seed: int):
    assert differences(seed, (*PIPELINES, *ON_MACHINES), machine=True) == []


FEATURES = {
    "recursion": "@recursion", "function pointers": "[2 x ptr] [ptr @f", "struct by value": "ptr byval(%Pair)",
    "struct result": "define internal %Pair", "never read": "@never_read\n", "flag": "@flag\n", "noinline": " noinline {",
    "shared": "@scratch, i32", "visible variable": "@seen\n", "weak": "define weak", "cold": " cold {", "loops": "= phi i32 [ 0,",
}  # fmt: skip


def test_programs_use_all_of_the_language():
    text = "".join(random_program_text(seed) for seed in range(30))
    assert [name for name, part in FEATURES.items() if part not in text] == []


def test_launches_find_what_those_before_left():
    module = read_ll("""
    @v = internal addrspace(1) global i32 5
    define ptx_kernel void @first(ptr %out) {
      %old = load i32, ptr addrspace(1) @v
      %new = add i32 %old, 1
      store i32 %new, ptr addrspace(1) @v
      %wide = zext i32 %new to i64
      store i64 %wide, ptr %out
      ret void
    }
    """)
    import numpy as np

    from nvvm_xdsl.testing import Launch

    launches = [Launch("first", 1, 1, (np.zeros(1, np.int64),)) for _ in range(3)]
    left = [int(outcome.arrays[0][0]) for outcome in run_in_a_row(module, launches)]
    assert left == [6, 7, 8]
