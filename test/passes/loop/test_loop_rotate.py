"""Rotated loops compute the same, and have the forms that other passes require."""

from __future__ import annotations

import pytest
from helpers.loop_kernels import loop_kernel, loop_launches
from helpers.programs import loops_and_branches, parse_function
from hypothesis import given, settings

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import baseline, compare
from nvvm_xdsl.passes.loop.lcssa import LCSSA
from nvvm_xdsl.passes.loop.loop_rotate import LoopRotate
from nvvm_xdsl.passes.loop.loop_simplify import LoopSimplify
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.transforms.cfg import remove_unreachable_blocks
from nvvm_xdsl.verify.verifier import verify_function, verify_module


def loops_of(func):
    return LoopInfo(DominatorTree(func.regions[0])).loops()


def differs(seeds: range, pipeline: str) -> int:
    """Returns how many loops of the seeds' kernels are still tested at the top."""
    top = 0
    for seed in seeds:
        module = read_ll(loop_kernel(seed), f"<seed {seed}>")
        launches = loop_launches(seed)
        wanted = baseline(module, launches)
        run_pipeline(module, "function(sroa,early-cse,simplifycfg)")
        run_pipeline(module, pipeline)
        verify_module(module)
        for func in functions_of(module):
            top += sum(not loop.is_rotated() for loop in loops_of(func))
        assert compare(prepare(module), launches, wanted, "loop-rotate") is None
    return top


def test_random_kernels_compute_the_same():
    assert differs(range(6), "loop-rotate") < differs(range(6), "loop-simplify")


@pytest.mark.slow
def test_more_random_kernels_compute_the_same():
    differs(range(6, 16), "loop-rotate")


def test_loop_info_is_updated():
    """For all loops at once, as the pass needs it for the loops around the rotated ones."""
    rotated = 0
    for seed in range(20):
        module = read_ll(loop_kernel(seed), f"<seed {seed}>")
        run_pipeline(module, "function(sroa,early-cse,simplifycfg),loop-simplify,lcssa")
        for func in functions_of(module):
            am = AnalysisManager()
            loops = am.get(LoopInfo, func)
            before = len(loops.loops())
            top = sum(not loop.is_rotated() for loop in loops.loops())
            LoopRotate().run_on_function(func, am)
            if len(loops_of(func)) == before:
                loops.verify()
                rotated += top - sum(not loop.is_rotated() for loop in loops_of(func))
    assert rotated > 20


@settings(max_examples=60, deadline=None)
@given(loops_and_branches(max_blocks=9, constants=(0, 1, 2)))
def test_rotated_loops_keep_their_forms(text: str):
    func = parse_function(text)
    remove_unreachable_blocks(func.regions[0])
    am = AnalysisManager()
    for form in (LoopSimplify(), LCSSA()):
        form.run_on_function(func, am)
        am.clear()
    se = am.get(ScalarEvolution, func)
    for loop in se.loops.loops():
        se.backedge_taken_count(loop)
    changed = LoopRotate().run_on_function(func, am)
    verify_function(func)
    am.verify()
    assert changed or am.cached(ScalarEvolution, func) is se
    for loop in loops_of(func):
        assert loop.is_lcssa()
        assert loop.preheader() is not None
        assert loop.has_dedicated_exits()
    assert not LoopRotate().run_on_function(func, AnalysisManager())
