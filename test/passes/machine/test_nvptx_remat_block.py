"""Rematerialization preserves results, and reduces live registers."""

from __future__ import annotations

import re

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import KernelMaker, memory_after, ptx_of, run_pass
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure
from nvvm_xdsl.dialects.nvptx import NVPTX
from nvvm_xdsl.passes.machine.base import machine_functions, register_target
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination
from nvvm_xdsl.passes.machine.nvptx_remat_block import NVPTXRematBlock

EAGER = NVPTXRematBlock(nv_remat_default_max_reg=4, nv_remat_threshold_for_spec_reg=0)


def registers(module: ModuleOp) -> int:
    (func,) = machine_functions(module)
    return RegisterPressure(Liveness(func.body)).registers


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 30))
def test_memory_is_the_same_and_pressure_does_not_increase(seed: int):
    module = KernelMaker(seed).module()
    expected, before = memory_after(module), registers(module)
    changed = run_pass(module, EAGER)
    assert memory_after(module) == expected
    assert registers(module) <= before
    run_pass(module, NVPTXPhiElimination())
    assert not changed or memory_after(module) == expected


def test_pressure_often_decreases():
    lower = 0
    for seed in range(20):
        module = KernelMaker(seed).module()
        before = registers(module)
        run_pass(module, EAGER)
        lower += registers(module) < before
    assert lower >= 15


def parse(text: str) -> ModuleOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    return Parser(context, text).parse_module()


@pytest.mark.parametrize(
    ("directives", "target"),
    [
        ("", None),
        ("<{maxnreg = 40 : i32}>", 40),
        ("<{maxntid = array<i32: 1024, 1, 1>, minnctapersm = 2 : i32}>", 32),
        ("<{maxntid = array<i32: 16, 8, 2>, minnctapersm = 3 : i32}>", 80),
        ("<{reqntid = array<i32: 96, 1, 1>, minnctapersm = 5 : i32}>", 136),
        ("<{maxntid = array<i32: 1024, 1, 1>}>", None),
    ],
)
def test_targets(directives: str, target: int | None):
    (func,) = machine_functions(parse(f"nvptx.func kernel @k() {directives} {{\n  nvptx.ret\n}}"))
    assert register_target(func) == target


def pressed(count: int) -> ModuleOp:
    """Returns a kernel with many products of one value, each used before and after a barrier."""
    lines = [
        "%p = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64",
        '%n = nvptx.mov.sreg "tid.x" : !nvptx.b32',
    ]
    for number in range(count):
        lines.append(
            f"%a{number} = nvptx.mul lo.s32 %n, {3 * number + 5} : (!nvptx.b32) -> !nvptx.b32"
        )
        lines.append(
            f"nvptx.st global.b32 [%p + {4 * number}], %a{number} : (!nvptx.b64, !nvptx.b32) -> ()"
        )
    lines.append("nvptx.bra ^middle")
    lines.append("^middle:")
    lines.append("nvptx.bar.sync 0 : () -> ()")
    lines.append("nvptx.bra ^last")
    lines.append("^last:")
    for number in range(count):
        lines.append(
            f"nvptx.st global.b32 [%p + {4000 + 4 * number}], %a{number} : (!nvptx.b64, !nvptx.b32) -> ()"
        )
    lines.append("nvptx.ret")
    return parse(
        """builtin.module attributes {nvptx.target = "sm_90", nvptx.ptx = "8.0"} {
        nvptx.func kernel visible @k(#nvptx.param<b64, name = "k_param_0">) <{maxnreg = 24 : i32}> {
        """
        + "\n".join(lines)
        + "\n}\n}"
    )


@needs_ptxas
def test_ptxas_spills_no_more_under_a_limit():
    spilled: list[int] = []
    for passes in ((), (NVPTXRematBlock(),)):
        module = pressed(60)
        run_pass(module, *passes)
        message = assemble(ptx_of(module), "sm_90", "-v")
        spilled.append(sum(map(int, re.findall(r"(\d+) bytes spill", message))))
    assert spilled[1] <= spilled[0]
    assert registers(pressed(60)) > 60
    assert registers(module) < 30


def test_a_function_with_a_stated_limit_is_unchanged(capsys: pytest.CaptureFixture[str]):
    module = pressed(60)
    assert not run_pass(module, NVPTXRematBlock(no_mi_remat="f,k", nv_dump_remat_block=True))
    assert "Skip machine-instruction rematerialization on k" in capsys.readouterr().err
    assert not run_pass(module, NVPTXRematBlock(nv_remat_block=0))
    assert not run_pass(module, NVPTXRematBlock(nv_remat_max_times=0))
