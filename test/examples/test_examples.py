"""Every example, unoptimized and through the pipeline, must assemble for every architecture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.assembling import ARCHITECTURES, assemble, needs_ptxas
from helpers.scale import slow_but

import nvvm_xdsl

FOLDER = Path(__file__).resolve().parent.parent.parent / "examples"
SOURCES = sorted(FOLDER.glob("*.cu"))
NAMES = [path.stem for path in SOURCES]
USES_LIBDEVICE = {"nbody"}

_KERNEL = re.compile(r"__global__ void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\(")


def compile_example(name: str, suffix: str, arch: str, opt_level: int) -> str:
    return nvvm_xdsl.compile(FOLDER / f"{name}{suffix}", arch=arch, opt_level=opt_level)


def check_kernels(name: str, ptx: str) -> None:
    """Checks that the entries are exactly the __global__ functions of the source."""
    expected = set(_KERNEL.findall((FOLDER / f"{name}.cu").read_text()))
    assert expected
    assert set(re.findall(r"\.entry\s+(\w+)", ptx)) == expected


@needs_ptxas
@pytest.mark.parametrize("arch", slow_but(ARCHITECTURES, ["sm_90"]))
@pytest.mark.parametrize("opt_level", [0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_front_end_output(name: str, opt_level: int, arch: str):
    ptx = compile_example(name, ".O0.ll", arch, opt_level)
    check_kernels(name, ptx)
    assemble(ptx, arch)


@needs_ptxas
@pytest.mark.parametrize("arch", ["sm_80", "sm_100"])
@pytest.mark.parametrize("opt_level", [0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_optimized_output(name: str, opt_level: int, arch: str):
    ptx = compile_example(name, ".ll", arch, opt_level)
    check_kernels(name, ptx)
    assemble(ptx, arch)


@pytest.mark.parametrize("name", NAMES)
def test_both_modules_exist(name: str):
    for suffix in (".ll", ".O0.ll"):
        text = (FOLDER / f"{name}{suffix}").read_text()
        assert f'source_filename = "examples/{name}.cu"' in text
