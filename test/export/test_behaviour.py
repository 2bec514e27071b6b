"""Other compilers' code of the written LLVM assembly computes the same as the source."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from helpers.scale import share

import nvvm_xdsl
from dev.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.lab.compiler_comparison import source_program
from nvvm_xdsl.lab.compilers import compiler
from nvvm_xdsl.lab.fuzz import LLC_FAULTS, OTHERS_FAULTS
from nvvm_xdsl.lab.launches import difference, run
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.lab.random_kernels import random_kernel_text, random_launches
from nvvm_xdsl.lab.random_kernels.shapes import SWARM
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.simulator.program import Program

DIRECTORY = Path(__file__).resolve().parents[2] / "examples"
FEW = ["histogram", "printf", "struct_argument", "switch", "vectors"]
ARCHITECTURES = {"llc": "sm_90", "libnvvm": "sm_100"}


@cache
def source(name: str) -> tuple[str, Program]:
    text = (DIRECTORY / f"{name}.ll").read_text()
    return text, source_program(text)


def made_by(name: str, text: str) -> str:
    found = compiler(name)
    reason = found.why_missing()
    if reason is not None:
        pytest.skip(reason)
    return found.compile(text, ARCHITECTURES[name], fmad=False)


def check(name: str, text: str, by: str) -> None:
    program = executable(made_by(by, text), source(name)[1]).program
    for example in launches_of(name):
        assert example.wrong(run(program, example.launch)) is None


@pytest.mark.parametrize("by", sorted(ARCHITECTURES))
@pytest.mark.parametrize("name", FEW)
def test_unoptimized_modules(name: str, by: str):
    check(name, write_ll(nvvm_xdsl.parse(source(name)[0])), by)


@pytest.mark.parametrize("name", FEW)
def test_optimized_modules(name: str):
    check(name, nvvm_xdsl.compile(source(name)[0], arch="sm_90", format="llvm"), "llc")


@pytest.mark.slow
@pytest.mark.parametrize("by", sorted(ARCHITECTURES))
@pytest.mark.parametrize("name", share(sorted(set(EXAMPLES) - set(FEW)), 3))
def test_modules_of_other_compilers(name: str, by: str):
    text = source(name)[0]
    check(name, write_ll(nvvm_xdsl.parse(text)), by)
    check(name, nvvm_xdsl.compile(text, arch="sm_90", format="llvm"), by)


@pytest.mark.parametrize("seed", [3, 4])
def test_random_kernels(seed: int):
    """Kernels without shapes that LLVM miscompiles, and without atomics of all scopes."""
    kernel = random_kernel_text(seed, shapes=f"{SWARM},{OTHERS_FAULTS},{LLC_FAULTS},atomics=0")
    # opt removes an unused kernel with discardable linkage.
    module = nvvm_xdsl.parse(kernel.replace("linkonce_odr ptx_k", "ptx_k"))
    text = write_ll(module)
    original = prepare(module)
    program = executable(made_by("llc", text), original).program
    for launch in random_launches(seed):
        assert difference(launch, run(original, launch), run(program, launch)) is None
