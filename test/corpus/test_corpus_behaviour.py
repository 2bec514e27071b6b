"""Kernels as Numba and Triton make them leave the same memory after the optimizer, as machine code,
after each of NVIDIA's passes alone, and after each at its documented places.

No reference is known for most of them, so they are run on made-up arguments, before and after: buffers that
are large enough for small sizes, of numbers that do for floats and for indices.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import attention
from helpers.corpus_kernels import FOLDER, loaded
from helpers.each_place import PASSES_OF_NVIDIA, check_each_place
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, ModuleOp
from xdsl.dialects.llvm import FuncOp, LLVMPointerType

from nvvm_xdsl.dialects.nvvm.kernel import is_kernel, launch_bounds
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.testing.behaviour import Comparison, InvalidKernelError, baseline, compare
from nvvm_xdsl.testing.launches import Launch, Outcome

BUFFER_BYTES = 1 << 16
SIZE = 16
"""What integers are: sizes of dimensions, strides, counts."""
SIZES = {"recursion_fib": 8}
DYNAMIC_SHARED_BYTES = 1 << 14

BLOCKS = {"jacobi_relax": (8, 8), "matmul_shared": (16, 16)}
"""What the kernels' shared arrays are made for."""

CHECKS = ("memory",)
ARCH = "sm_90a"


def modules() -> list[Any]:
    found: list[Any] = []
    for folder in ("numba", "triton"):
        for entry in json.loads((FOLDER / folder / "manifest.json").read_text()):
            if entry["arch"] == "sm_90":
                name = entry["tag"].split(".")[0]
                found.append(pytest.param(FOLDER / folder / entry["ll"], id=f"{folder}-{name}"))
    return found


@cache
def buffer(floats: bool) -> np.ndarray[Any, Any]:
    generator = np.random.default_rng(1)
    if floats:
        return generator.uniform(-2, 2, BUFFER_BYTES // 4).astype(np.float32)
    return generator.integers(0, 8, BUFFER_BYTES // 4).astype(np.int32)


def contents(name_of_file: str) -> tuple[bool, ...]:
    """Whether buffers hold floats: both ways are tried unless the kernel's arguments are known."""
    return (True,) if name_of_file in attention.KERNELS else (True, False)


def argument(type_: Any, floats: bool, size: int) -> Any:
    if isinstance(type_, LLVMPointerType):
        return buffer(floats).copy()
    if isinstance(type_, (Float32Type, Float64Type)):
        return 0.5
    assert isinstance(type_, IntegerType), type_
    return size


def launches(module: ModuleOp, name_of_file: str, floats: bool) -> list[Launch]:
    if name_of_file in attention.KERNELS:
        return [attention.Problem(name_of_file.endswith("causal")).launch()]
    found: list[Launch] = []
    for func in module.ops:
        if isinstance(func, FuncOp) and is_kernel(func) and func.body.first_block is not None:
            bounds = launch_bounds(func)
            block = BLOCKS.get(name_of_file) or bounds.reqntid or bounds.maxntid or (32,)
            args = tuple(
                argument(t, floats, SIZES.get(name_of_file, SIZE))
                for t in func.function_type.inputs
            )
            name = func.sym_name.data
            found.append(
                Launch(
                    name,
                    grid=2,
                    block=tuple(block),
                    args=args,
                    shared_bytes=DYNAMIC_SHARED_BYTES,
                    tolerance=1e-4,
                    absolute=1e-5,
                )
            )
    return found


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
                assert comparison.difference(pass_, machine=False) is None, pass_
        ran += 1
    assert ran > 0


@pytest.mark.slow
@pytest.mark.parametrize("path", modules())
def test_each_documented_place(path: Path):
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
