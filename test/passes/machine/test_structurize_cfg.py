"""Irreducible graphs become reducible and do what they did."""

from __future__ import annotations

import pytest
from assembling import assemble, needs_ptxas
from hypothesis import given, settings
from hypothesis import strategies as st
from random_machine_code import KernelMaker, memory_after, ptx_of, run_pass
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination
from nvvm_xdsl.passes.machine.structurize_cfg import StructurizeCFG

EDGES = st.integers(3, 7).flatmap(
    lambda count: st.lists(
        st.lists(st.integers(1, count - 1), min_size=1, max_size=3),
        min_size=count,
        max_size=count,
    )
)
"""Graphs by the successors of each node; node 0 is the entry."""


def is_reducible(module: ModuleOp) -> bool:
    return all(LoopInfo(CFG(func.body)).is_reducible for func in machine_functions(module))


def count_ops(module: ModuleOp) -> int:
    (func,) = machine_functions(module)
    return sum(1 for block in fast.blocks_of(func.body) for _ in fast.ops_of(block))


@settings(max_examples=30, deadline=None)
@given(EDGES, st.integers(0, 1 << 30))
def test_graphs_become_reducible(edges: list[list[int]], seed: int):
    module = KernelMaker(seed, edges).module()
    was_reducible = is_reducible(module)
    expected = memory_after(module)
    run_pass(module, NVPTXPhiElimination())
    changed = run_pass(module, StructurizeCFG(max_copied_instructions=1 << 20))
    assert changed != was_reducible
    assert is_reducible(module)
    assert memory_after(module) == expected
    assert not run_pass(module, StructurizeCFG())


def test_random_graphs_are_irreducible_often_enough():
    assert sum(not is_reducible(KernelMaker(seed).module()) for seed in range(40)) >= 8


COMPLETE = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 2, 3]]
"""Three blocks, each of which leads to each, entered at all of them."""


def test_the_budget():
    module = KernelMaker(5, COMPLETE).module()
    run_pass(module, NVPTXPhiElimination())
    before = count_ops(module)
    with pytest.raises(DiagnosticError, match="UnsupportedIrreducibleCFG: in 'k' the cycle of"):
        run_pass(module, StructurizeCFG(max_copied_instructions=10))
    run_pass(module, StructurizeCFG(max_copied_instructions=200))
    registers = 20
    assert before < count_ops(module) <= before + 200 + registers


@needs_ptxas
@pytest.mark.parametrize("seed", range(3))
def test_ptxas_takes_it(seed: int):
    module = KernelMaker(seed, COMPLETE).module()
    run_pass(module, NVPTXPhiElimination(), StructurizeCFG())
    assemble(ptx_of(module), "sm_90")
