"""Interprocedural passes preserve the memory that consecutive kernel launches produce."""

from __future__ import annotations

import re

import pytest
from helpers.scale import SCALE

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.fuzz import Finding, Options, try_seed
from nvvm_xdsl.lab.launch_sequences import run_in_a_row
from nvvm_xdsl.lab.random_kernels.programs import random_program_text

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
    "called-value-propagation",
    "function-attrs,called-value-propagation<whole-program-visibility>,always-inline",
    "internalize,ipsccp,deadargelim,globaldce",
    "mergefunc",
    "attributor,function(instcombine,propagate-alignment),mergefunc,deadargelim",
    "globalopt",
    "globalopt<globalopt-max-heap-fields=16>",
    "function-attrs",
    "function-attrs,function(early-cse,gvn,dse,adce,dce)",
)

ON_MACHINES = ("nvopt<O1;short>", "nvopt<O3>")


def findings(seed: int, machine: tuple[str, ...] = ()) -> list[Finding]:
    """Returns the error of a seed's program, or None."""
    options = Options(pipelines=machine, ir_pipelines=PIPELINES, programs=True)
    return list(try_seed(seed, options))


@pytest.mark.parametrize("seed", range(4))
def test_passes_preserve_behaviour(seed: int):
    assert findings(seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 100 + 2 * SCALE))
def test_levels_preserve_behaviour(seed: int):
    assert findings(seed, ON_MACHINES) == []


FEATURES = {
    "recursion": "@recursion", "rings": "@ring3_1(", "function pointers": "[2 x ptr] [ptr @f", "more of them": "[4 x ptr] [ptr @f",
    "handlers": "@handler0 = internal addrspace(1) global ptr @f", "handlers set": "ptr addrspace(1) @handler",
    "functions passed on": "(ptr @identity", "struct by value": "ptr byval(%Pair)", "large struct by value": "ptr byval(%Record)",
    "struct": "%Pair %", "struct result": "define internal %Pair", "array result": "define internal [2 x i32]", "large result": "define internal %Record",
    "variable arguments": "call void @llvm.va_start.p0", "never read": "@never_read", "flag": "@flag\n", "noinline": " noinline {",
    "shared": "@scratch, i32", "shared struct": "@shared_box", "unset": "@unset = internal addrspace(1) global i64 undef",
    "generic": "@generic = internal global", "set by the host": "@settings, i32", "visible variable": "@seen", "weak": "define weak",
    "heap": "call void @free", "threads": "[4 x %Box]", "barriers": "call i32 @exchange", "cold": " cold {", "loops": "= phi i32 [ 0,",
    "heap of structs": "ptr addrspace(1) @records", "twice": "store ptr null, ptr addrspace(1) @heap", "a kernel's address": "icmp eq ptr", "kernels' own parameters": "(ptr %a0, i32 %a1, float %a2)",
}  # fmt: skip


def test_programs_use_the_whole_language():
    text = "".join(random_program_text(seed) for seed in range(60))
    assert [name for name, part in FEATURES.items() if part not in text] == []
    assert re.search(r"call i32 \(i32, .*\.\.\.\) %v", text), "variable arguments through a pointer"


def test_launches_see_the_state_of_earlier_launches():
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

    from nvvm_xdsl.lab import Launch

    launches = [Launch("first", 1, 1, (np.zeros(1, np.int64),)) for _ in range(3)]
    left = [int(outcome.arrays[0][0]) for outcome in run_in_a_row(module, launches)]
    assert left == [6, 7, 8]
