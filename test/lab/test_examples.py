"""Every example kernel gives NumPy's results: as IR and as machine code, unoptimized and optimized."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from helpers.each_place import check_each_place
from helpers.scale import chosen, share
from helpers.verified import verify
from xdsl.dialects.builtin import ModuleOp

from dev.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab import find_difference
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.pipeline.instrumentation import Instruments
from nvvm_xdsl.simulator import SimulationError, prepare

DIRECTORY = Path(__file__).parents[2] / "examples"
FILES = sorted(f"{name}{suffix}" for name in EXAMPLES for suffix in (".ll", ".O0.ll"))


@cache
def module(file: str) -> ModuleOp:
    """Returns the module of an example, with libdevice if needed."""
    read = read_ll((DIRECTORY / file).read_text(), file)
    if any(launch.libdevice for launch in launches_of(file.split(".")[0])):
        path = find_libdevice()
        if path is None:
            pytest.skip("no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME")
        read = link_libdevice(read, path) or read
    return read


def what_is_wrong(changed: ModuleOp, file: str, source: ModuleOp | None = None) -> str | None:
    program = prepare(changed, (), None if source is None else prepare(source))
    for example in launches_of(file.split(".")[0]):
        try:
            wrong = example.wrong(run(program, example.launch))
        except SimulationError as error:
            wrong = error.message
        if wrong is not None:
            return f"@{example.launch.kernel}: {wrong}"
    return None


def check(changed: ModuleOp, file: str, source: ModuleOp | None = None) -> None:
    assert what_is_wrong(changed, file, source) is None


@pytest.mark.parametrize("file", FILES)
def test_ir(file: str):
    check(module(file), file)


@pytest.mark.parametrize("file", FILES)
def test_machine_code(file: str):
    check(select(module(file)), file, module(file))


@pytest.mark.parametrize("file", FILES)
def test_optimized(file: str):
    optimized = fast.clone(module(file))
    PassManager("nvopt<O3>").run(optimized)
    check(optimized, file)
    check(select(optimized), file, optimized)


LEVELS = ("O0", "O1", "O2", "O3", "Ofcmax", "Ofcmid", "Ofcmin")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "level"),
    [(f, level) for f in FILES for level in LEVELS if chosen(f"{f} {level}", 20)],
)
def test_every_level_verified_after_each_pass(file: str, level: str):
    optimized = fast.clone(module(file))
    PassManager(f"nvopt<{level}>", Instruments(verify_each=True)).run(optimized)
    verify(optimized)
    check(optimized, file)


@pytest.mark.slow
@pytest.mark.parametrize("file", [file for file in FILES if chosen(file, 3)])
def test_each_documented_position(file: str):
    check_each_place(module(file), file, lambda state: what_is_wrong(state, file))


@pytest.mark.slow
@pytest.mark.parametrize("name", share(sorted(EXAMPLES), 4))
def test_levels_agree_with_all_checks(name: str):
    file = f"{name}.O0.ll"
    launches = [example.launch for example in launches_of(name)]
    found = find_difference(module(file), "nvopt<O3>", launches)
    assert found is None, str(found)


def test_every_example_has_launches():
    assert {p.name.split(".")[0] for p in DIRECTORY.glob("*.ll")} == set(EXAMPLES)


def test_every_kernel_is_launched():
    for file in FILES:
        if file.endswith(".O0.ll"):
            continue
        kernels = set(prepare(read_ll((DIRECTORY / file).read_text(), file)).kernels())
        assert kernels == {e.launch.kernel for e in launches_of(file.split(".")[0])}, file
