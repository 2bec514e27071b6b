"""Numba's and Triton's kernels produce the same memory after the optimizer, as machine code, after each of
NVIDIA's passes alone, and after each at its documented positions.

Most of them have no known reference, so they run on generated arguments before and after: buffers that are
large enough for small sizes, with numbers that are valid as floats and as indices.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import attention
from helpers.corpus_kernels import FOLDER, loaded
from helpers.each_place import PASSES_OF_NVIDIA, check_each_place
from helpers.scale import chosen
from xdsl.dialects.builtin import ModuleOp

from dev.made_up_launches import NUMBA_BLOCKS, NUMBA_SIZES, SIZE, made_up_launches
from nvvm_xdsl.lab.behaviour import Comparison, InvalidKernelError, baseline, compare
from nvvm_xdsl.lab.launches import Launch, Outcome
from nvvm_xdsl.simulator import prepare

CHECKS = ("memory",)
ARCH = "sm_90a"

ONE_IN_PASSES = 8
"""The share of passes that are tested alone on each kernel."""


def modules() -> list[Any]:
    found: list[Any] = []
    for folder in ("numba", "triton"):
        for entry in json.loads((FOLDER / folder / "manifest.json").read_text()):
            if entry["arch"] == "sm_90":
                name = entry["tag"].split(".")[0]
                found.append(pytest.param(FOLDER / folder / entry["ll"], id=f"{folder}-{name}"))
    return found


def contents(name_of_file: str) -> tuple[bool, ...]:
    """Whether buffers hold floats: both are tried unless the kernel's arguments are known."""
    return (True,) if name_of_file in attention.KERNELS else (True, False)


def launches(module: ModuleOp, name_of_file: str, floats: bool) -> list[Launch]:
    if name_of_file in attention.KERNELS:
        return [attention.Problem(name_of_file.endswith("causal")).launch()]
    return made_up_launches(
        module,
        floats=floats,
        size=NUMBA_SIZES.get(name_of_file, SIZE),
        block=NUMBA_BLOCKS.get(name_of_file),
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", modules())
def test_same_behaviour(path: Path):
    name = path.name.split(".")[0]
    ran = 0
    for floats in contents(name):
        module = loaded(path)
        try:
            comparison = Comparison(module, launches(module, name, floats), CHECKS, ARCH)
        except InvalidKernelError as error:
            print(f"{name}, floats={floats}: {error}")
            continue
        assert comparison.difference("nvopt<O3>") is None
        if not ran:
            for pass_ in sorted(PASSES_OF_NVIDIA):
                if not chosen(f"{name} {pass_}", ONE_IN_PASSES):
                    continue
                assert comparison.difference(pass_, machine=False) is None, pass_
        ran += 1
    assert ran > 0


@pytest.mark.slow
@pytest.mark.parametrize("path", modules())
def test_each_documented_position(path: Path):
    name = path.name.split(".")[0]
    module = loaded(path)
    runs: list[tuple[list[Launch], list[Outcome]]] = []
    for floats in contents(name):
        tried = launches(module, name, floats)
        try:
            runs.append((tried, baseline(module, tried, CHECKS)))
        except InvalidKernelError as error:
            print(f"{name}, floats={floats}: {error}")
    assert runs

    def wrong(state: ModuleOp) -> str | None:
        program = prepare(state, CHECKS)
        for tried, wanted in runs:
            found = compare(program, tried, wanted, "", CHECKS)
            if found is not None:
                return str(found)
        return None

    check_each_place(module, name, wrong, ARCH)
