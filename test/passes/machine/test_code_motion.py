"""Code motion and removal in machine code preserve kernels, and ptxas accepts the result."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

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
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.behaviour import baseline, compare, select
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.lab.random_kernels import random_kernel, random_launches
from nvvm_xdsl.passes import pass_class
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, machine_functions
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.simulator.program import Program

EXAMPLE_FILES = Path(__file__).parents[3] / "examples"
SEEDS = st.integers(0, 1 << 30)

PASSES = ("early-ifcvt", "early-machinelicm", "machine-sink")
"""Passes over SSA form."""


def machine_pass(name: str) -> MachineFunctionPass:
    """A pass with its default parameters."""
    made = pass_class(name)()
    assert isinstance(made, MachineFunctionPass)
    return made


@pytest.mark.parametrize("name", PASSES)
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_memory_is_the_same(name: str, seed: int):
    module = KernelMaker(seed).module()
    expected = memory_after(module)
    run_pass(module, machine_pass(name))
    assert memory_after(module) == expected


EAGER: dict[str, dict[str, Any]] = {
    "early-ifcvt": {"max_instructions": 50, "register_limit": 1000, "predicates_memory": True},
    "early-machinelicm": {"register_limit": 1000},
    "machine-sink": {},
}
"""Parameters that make a pass more aggressive."""

CHECKS = ("init", "race", "sync")


@pytest.mark.parametrize("name", PASSES)
def test_random_kernels(name: str):
    changed = 0
    for seed in (8, 10, 11, 17, 18):
        source = random_kernel(seed, 60)
        launches = random_launches(seed)
        wanted = baseline(source, launches)
        module = select(source)
        made = pass_class(name)(**EAGER[name])
        assert isinstance(made, MachineFunctionPass)
        if run_pass(module, made):
            changed += 1
            program = prepare(module, CHECKS, prepare(source))
            assert compare(program, launches, wanted, name, CHECKS) is None
    assert changed >= 2


@needs_ptxas
@pytest.mark.parametrize("name", PASSES)
def test_ptxas_accepts_moved_code(name: str):
    for seed in range(3):
        module = KernelMaker(seed).module()
        run_pass(module, machine_pass(name), NVPTXPhiElimination())
        assemble(ptx_of(module), "sm_90")


@cache
def selected(example: str) -> tuple[ModuleOp, Program]:
    """Returns the machine code of an example, and the program that it was selected from."""
    module = read_ll((EXAMPLE_FILES / f"{example}.ll").read_text(), example)
    if any(launch.libdevice for launch in launches_of(example)):
        path = find_libdevice()
        if path is None:
            pytest.skip("no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME")
        module = link_libdevice(module, path) or module
    return select(module), prepare(module)


@pytest.mark.parametrize("example", sorted(EXAMPLES))
def test_examples(example: str):
    machine, source = selected(example)
    for name in PASSES:
        module = machine.clone()
        run_pass(module, machine_pass(name))
        program = prepare(module, (), source)
        for launch in launches_of(example):
            wrong = launch.wrong(run(program, launch.launch))
            assert wrong is None, f"{name}: @{launch.launch.kernel}: {wrong}"


def order_of(module: ModuleOp) -> list[list[str]]:
    """Returns the instructions of each block by name."""
    (func,) = machine_functions(module)
    return [[op.name for op in fast.ops_of(block)] for block in fast.blocks_of(func.body)]


@pytest.mark.parametrize("name", PASSES)
def test_runs_are_deterministic(name: str):
    for seed in range(5):
        one, other = KernelMaker(seed).module(), KernelMaker(seed).module()
        run_pass(one, machine_pass(name))
        run_pass(other, machine_pass(name))
        assert order_of(one) == order_of(other)
