"""Numba's and Triton's kernels must assemble for their architecture.

Numba passes its `.mN.ll` files to libNVVM, with typed pointers, one file per module; the `.ll` beside them is
the same linked by LLVM.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.scale import share

from nvvm_xdsl.driver.compile import compile_files
from nvvm_xdsl.driver.options import CompileOptions

FOLDER = Path(__file__).resolve().parent


def entries(folder: str) -> list[Any]:
    return json.loads((FOLDER / folder / "manifest.json").read_text())


def tag(entry: Any) -> str:
    """The name of an entry."""
    return entry["tag"]


def check(folder: str, files: list[str], entry: Any, opt_level: int) -> None:
    paths = [str(FOLDER / folder / name) for name in files]
    # Triton's newest kernels use instructions of the architecture-specific targets.
    arch = {"sm_90": "sm_90a", "sm_100": "sm_100a"}[entry["arch"]]
    ptx = compile_files(paths, CompileOptions(arch=arch, opt_level=opt_level))
    for kernel in entry["kernels"]:
        assert f".entry {kernel}" in ptx
    assemble(ptx, arch)


@needs_ptxas
@pytest.mark.parametrize("entry", entries("numba"), ids=lambda e: e["tag"])
def test_numba_input_of_libnvvm(entry: Any):
    check("numba", entry["parts"], entry, 1)


@pytest.mark.slow
@needs_ptxas
@pytest.mark.parametrize("entry", share(entries("numba"), 3, tag), ids=tag)
def test_numba_linked(entry: Any):
    check("numba", [entry["ll"]], entry, 0)


@pytest.mark.slow
@needs_ptxas
@pytest.mark.parametrize(
    ("entry", "opt_level"),
    share(
        itertools.product(entries("triton"), (0, 1)), 2, lambda case: f"{tag(case[0])}-{case[1]}"
    ),
    ids=lambda v: tag(v) if isinstance(v, dict) else str(v),
)
def test_triton(entry: Any, opt_level: int):
    check("triton", [entry["ll"]], entry, opt_level)
