"""Every example, unoptimized and through the pipeline, must assemble for every architecture."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from helpers.assembling import ARCHITECTURES, assemble, needs_ptxas
from helpers.scale import share, slow_but

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


ONE_IN_ARCHITECTURES = 4
"""The tested share of the architectures besides sm_90, for each example and level (see `scale`)."""


def cases() -> list[Any]:
    """Each example at each level for sm_90, and a share of the other architectures, marked slow."""
    found = itertools.product(NAMES, (0, 1), ARCHITECTURES)
    texts = [f"{name}-{level}-{arch}" for name, level, arch in found]
    quick = [text for text in texts if text.endswith("-sm_90")]
    others = share((text for text in texts if text not in quick), ONE_IN_ARCHITECTURES)
    return slow_but([*quick, *others], quick)


@needs_ptxas
@pytest.mark.parametrize("case", cases())
def test_front_end_output(case: str):
    name, level, arch = case.split("-")
    ptx = compile_example(name, ".O0.ll", arch, int(level))
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
def test_optimized_and_unoptimized_modules_exist(name: str):
    for suffix in (".ll", ".O0.ll"):
        text = (FOLDER / f"{name}{suffix}").read_text()
        assert f'source_filename = "examples/{name}.cu"' in text
