"""PHI elimination preserves results, and inserts few copies."""

from __future__ import annotations

from typing import cast

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import KernelMaker, memory_after, ptx_of, run_pass
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.nvptx import InstructionOp, RegisterClass, RegisterOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import has_phis, machine_functions
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination

SEEDS = st.integers(0, 1 << 30)


def count_moves(module: ModuleOp) -> int:
    """Returns the number of register copies."""
    return sum(
        isinstance(op, InstructionOp) and op.mnemonic == "mov" and bool(fast.operands_of(op))
        for func in machine_functions(module)
        for block in fast.blocks_of(func.body)
        for op in fast.ops_of(block)
    )


@settings(max_examples=60, deadline=None)
@given(SEEDS)
# Copies at a block's end must not overwrite operands of another edge's copies.
@pytest.mark.slow
@example(1003)
def test_memory_is_the_same(seed: int):
    module = KernelMaker(seed).module()
    expected = memory_after(module)
    run_pass(module, NVPTXPhiElimination())
    assert not any(has_phis(func) for func in machine_functions(module))
    assert memory_after(module) == expected


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_registers_are_numbered_without_gaps(seed: int):
    module = KernelMaker(seed).module()
    run_pass(module, NVPTXPhiElimination())
    (func,) = machine_functions(module)
    declared = [
        cast(RegisterClass, op.results[0].type)
        for op in fast.ops_of(func.body.blocks[0])
        if isinstance(op, RegisterOp)
    ]
    for cls in {type_.__class__ for type_ in declared}:
        numbers = [type_.number for type_ in declared if type_.__class__ is cls]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_phi_elimination_without_coalescing_preserves_memory(seed: int):
    module = KernelMaker(seed).module()
    expected = memory_after(module)
    run_pass(module, NVPTXPhiElimination(cssa_coalesce="none"))
    assert memory_after(module) == expected


@needs_ptxas
@pytest.mark.parametrize("seed", range(4))
def test_ptxas_accepts_eliminated_phis(seed: int):
    module = KernelMaker(seed).module()
    assemble(ptx_of(module), "sm_90")
    run_pass(module, NVPTXPhiElimination())
    assemble(ptx_of(module), "sm_90")


def test_sharing_needs_fewer_copies():
    with_sharing = without = 0
    for seed in range(30):
        shared, separate = KernelMaker(seed).module(), KernelMaker(seed).module()
        run_pass(shared, NVPTXPhiElimination())
        run_pass(separate, NVPTXPhiElimination(do_cssa=False))
        with_sharing += count_moves(shared)
        without += count_moves(separate)
    assert 0 < with_sharing < 0.7 * without


def test_an_invalid_knob():
    with pytest.raises(ValueError, match="cssa-coalesce: expected one of congruence, none"):
        NVPTXPhiElimination(cssa_coalesce="all")


def test_verbosity(capsys: pytest.CaptureFixture[str]):
    module = KernelMaker(1).module()
    run_pass(module, NVPTXPhiElimination(cssa_verbosity=1, dump_before_cssa=True))
    reported = capsys.readouterr().err
    assert reported.startswith("remark: nvptx-phi-elimination: k: IR Module before CSSA:\n")
    assert "nvptx.cbra" in reported
    assert "nvptx-phi-elimination: k: " in reported
