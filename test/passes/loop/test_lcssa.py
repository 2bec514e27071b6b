"""All loops are in loop-closed form after the last of them was transformed."""

from __future__ import annotations

from helpers.loop_kernels import loop_kernel

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline


def test_a_value_that_leaves_one_loop_breaks_no_other_loop():
    """The value passes the exits of other loops, and goes through these loops."""
    for seed in (7, 8, 15, 139):
        module = read_ll(loop_kernel(seed), f"<seed {seed}>")
        run_pipeline(module, "function(sroa,early-cse,simplifycfg),loop-simplify,lcssa")
        for func in functions_of(module):
            loops = LoopInfo(DominatorTree(func.regions[0])).loops()
            assert [loop.values_used_outside() for loop in loops] == [[] for _ in loops]
