"""Irreducible graphs become reducible and compute the same."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import KernelMaker, memory_after, ptx_of, run_pass
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr
from xdsl.parser import Parser

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.nvptx import NVPTX
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination
from nvvm_xdsl.passes.machine.structurize_cfg import StructurizeCFG
from nvvm_xdsl.simulator import launch

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


@pytest.mark.slow
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


def test_enough_random_graphs_are_irreducible():
    assert sum(not is_reducible(KernelMaker(seed).module()) for seed in range(40)) >= 8


COMPLETE = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 2, 3]]
"""Three blocks, each a predecessor of each, and all of them entries."""


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
def test_ptxas_accepts_structured_graphs(seed: int):
    module = KernelMaker(seed, COMPLETE).module()
    run_pass(module, NVPTXPhiElimination(), StructurizeCFG())
    assemble(ptx_of(module), "sm_90")


UNALIGNED = """
nvptx.func kernel @k(#nvptx.param<b64, name="k_param_0">) {
  %i = nvptx.register : !nvptx.b32<1>
  %s = nvptx.register : !nvptx.b32<2>
  %p0 = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  %p = nvptx.mad wide.u32 %t, 4, %p0 : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
  %i0 = nvptx.mov b32 0 : () -> !nvptx.b32<1>
  %s0 = nvptx.mov b32 0 : () -> !nvptx.b32<2>
  %c = nvptx.setp gt.s32 %t, 39 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^x, ^y
^x:
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32<1>) -> ()
  nvptx.barrier.sync "" 0 : () -> ()
  %r = nvptx.sub s32 63, %t : (!nvptx.b32) -> !nvptx.b32
  %q = nvptx.mad wide.u32 %r, 4, %p0 : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
  %v = nvptx.ld global.b32 [%q] : (!nvptx.b64) -> !nvptx.b32
  nvptx.barrier.sync "" 0 : () -> ()
  %s1 = nvptx.mad lo.s32 %s, 3, %v : (!nvptx.b32<2>, !nvptx.b32) -> !nvptx.b32<2>
  %i1 = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
  %d = nvptx.setp lt.s32 %i, 6 : (!nvptx.b32<1>) -> !nvptx.pred
  nvptx.cbra %d : !nvptx.pred, ^y, ^exit
^y:
  %i2 = nvptx.add s32 %i, 1 : (!nvptx.b32<1>) -> !nvptx.b32<1>
  nvptx.st global.b32 [%p], %i : (!nvptx.b64, !nvptx.b32<1>) -> ()
  nvptx.barrier.sync "" 0 : () -> ()
  %v2 = nvptx.ld global.b32 [%p0] : (!nvptx.b64) -> !nvptx.b32
  nvptx.barrier.sync "" 0 : () -> ()
  %s2 = nvptx.mad lo.s32 %s, 5, %v2 : (!nvptx.b32<2>, !nvptx.b32) -> !nvptx.b32<2>
  %e = nvptx.setp lt.s32 %i, 6 : (!nvptx.b32<1>) -> !nvptx.pred
  nvptx.cbra %e : !nvptx.pred, ^x, ^exit
^exit:
  nvptx.barrier.sync "" 0 : () -> ()
  nvptx.st global.b32 [%p], %s : (!nvptx.b64, !nvptx.b32<2>) -> ()
  nvptx.ret
}
"""


def test_copies_of_unaligned_barriers_wait_for_each_other():
    """Threads of a warp enter the cycle at both blocks and synchronize at barriers of both."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    module = Parser(context, UNALIGNED).parse_module()
    module.attributes["nvptx.target"] = StringAttr("sm_90")
    module.attributes["nvptx.ptx"] = StringAttr("8.0")
    before = np.zeros(64, np.int32)
    launch(module, "k", 1, 64, [before])
    assert before[0] != before[63] != 0
    assert run_pass(module, StructurizeCFG())
    assert is_reducible(module)
    assert str(module).count("barrier.sync") == 7
    after = np.zeros(64, np.int32)
    launch(module, "k", 1, 64, [after])
    assert after.tolist() == before.tolist()
