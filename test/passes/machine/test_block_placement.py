"""Block placement preserves kernels and keeps loops contiguous."""

from __future__ import annotations

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import KernelMaker, memory_after, ptx_of, run_pass
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.nvptx.conditions import inverse_comparison
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.block_placement import MachineBlockPlacement
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination

SEEDS = st.integers(0, 1 << 30)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_memory_is_the_same(seed: int):
    module = KernelMaker(seed).module()
    expected = memory_after(module)
    run_pass(module, NVPTXPhiElimination(), MachineBlockPlacement())
    assert memory_after(module) == expected


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_loops_are_contiguous_and_backedges_come_from_latches(seed: int):
    module = KernelMaker(seed).module()
    run_pass(module, MachineBlockPlacement())
    (func,) = machine_functions(module)
    graph = CFG(func.body)
    loops = LoopInfo(graph)
    for loop in loops.loops():
        places = sorted(graph.numbers[b] for b in loop.blocks)
        assert places == list(range(places[0], places[0] + len(places))), "a loop is not contiguous"
        assert graph.numbers[loop.header] == places[0]
    if loops.is_reducible:
        back = {(b, loop.header) for loop in loops.loops() for b in loop.latches()}
        for source, target in graph.edges():
            if (graph.blocks[source], graph.blocks[target]) not in back:
                assert source < target, "a backedge that is not at the end of a loop"


def test_a_second_run_changes_nothing():
    for seed in range(20):
        module = KernelMaker(seed).module()
        run_pass(module, NVPTXPhiElimination(), MachineBlockPlacement())
        assert not run_pass(module, MachineBlockPlacement())


@needs_ptxas
def test_ptxas_accepts_block_placement():
    for seed in range(3):
        module = KernelMaker(seed).module()
        run_pass(module, NVPTXPhiElimination(), MachineBlockPlacement())
        assemble(ptx_of(module), "sm_90")


@pytest.mark.parametrize(
    ("mods", "inverse"),
    [
        ("eq.b32", "ne.b32"),
        ("lt.s64", "ge.s64"),
        ("le.u16", "gt.u16"),
        ("hs.u32", "lo.u32"),
        ("lt.f32", "geu.f32"),
        ("neu.ftz.f32", "eq.ftz.f32"),
        ("equ.f64", "ne.f64"),
        ("nan.f16", "num.f16"),
        ("gt.bf16", "leu.bf16"),
        ("lt.and.s32", None),
        ("lt.xor.ftz.f32", None),
    ],
)
def test_inverse_comparisons(mods: str, inverse: str | None):
    assert inverse_comparison(mods) == inverse
    if inverse is not None:
        assert inverse_comparison(inverse) == mods
