"""Each pass over machine code, alone and with the others, preserves results."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import KernelMaker, memory_after, ptx_of, run_pass
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from dev.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.passes import pass_class
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.simulator.program import Program

EXAMPLES_FOLDER = Path(__file__).parents[3] / "examples"

PASSES = (
    "nvptx-mem2reg",
    "opt-phis",
    "machine-cp",
    "ldgxform",
    "machine-cse",
    "nvptx-peephole",
    "nvptx-load-store-vectorizer",
    "nvptx-shared-pointers",
    "dead-mi-elimination",
    "stack-coloring",
    "nvptx-remat-block",
    "nvptx-loop-condition",
    "machine-scheduler",
    "nvptx-phi-elimination",
)
"""An order in which all passes can run."""

IDEMPOTENT = (
    "nvptx-mem2reg",
    "opt-phis",
    "machine-cp",
    "ldgxform",
    "machine-cse",
    "nvptx-peephole",
    "dead-mi-elimination",
    "stack-coloring",
    "nvptx-shared-pointers",
    "nvptx-loop-condition",
    "nvptx-phi-elimination",
)
"""A second run must change nothing."""


def made(name: str) -> MachineFunctionPass:
    found = pass_class(name)()
    assert isinstance(found, MachineFunctionPass)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", PASSES)
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1 << 30))
def test_random_kernels(name: str, seed: int):
    module = KernelMaker(seed).module()
    expected = memory_after(module)
    changed = run_pass(module, made(name))
    assert not changed or memory_after(module) == expected
    if name in IDEMPOTENT:
        text = str(module)
        run_pass(module, made(name))
        assert str(module) == text


@settings(max_examples=15, deadline=None)
@given(st.permutations(PASSES[:-1]), st.integers(0, 1 << 30))
def test_random_kernels_in_any_order(names: list[str], seed: int):
    module = KernelMaker(seed).module()
    expected = memory_after(module)
    run_pass(module, *(made(name) for name in names), made(PASSES[-1]))
    assert memory_after(module) == expected


@cache
def example(name: str) -> tuple[ModuleOp, ModuleOp]:
    """Returns an example kernel as LLVM optimized it, and the machine code selected from it."""
    module = read_ll((EXAMPLES_FOLDER / f"{name}.ll").read_text(), name)
    if any(launch.libdevice for launch in launches_of(name)):
        path = find_libdevice()
        if path is None:
            pytest.skip("no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME")
        module = link_libdevice(module, path) or module
        PassManager("nvvm-reflect<arch=900>").run(module)
    return module, select(module)


def assert_right(program: Program, name: str) -> None:
    for launch in launches_of(name):
        wrong = launch.wrong(run(program, launch.launch))
        assert wrong is None, f"@{launch.launch.kernel}: {wrong}"


@needs_ptxas
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples(name: str):
    """Runs every pass that changes an example, alone, and then all of them in sequence."""
    too_slow_alone = name == "nbody"
    source, selected = example(name)
    whole = selected.clone()
    for pass_name in PASSES:
        alone = selected.clone()
        if run_pass(alone, made(pass_name)) and not too_slow_alone:
            assert_right(prepare(alone, (), prepare(source)), name)
            assemble(ptx_of(alone), "sm_90")
        run_pass(whole, made(pass_name))
    assert_right(prepare(whole, (), prepare(source)), name)
    assemble(ptx_of(whole), "sm_90")
