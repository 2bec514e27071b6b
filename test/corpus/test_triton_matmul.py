"""Triton's matrix products on three generations of tensor cores: as IR, optimized, and as machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.corpus_kernels import FOLDER, loaded
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import TensorMap, launch

ROWS, COLUMNS, INNER = 70, 50, 45
"""Not multiples of the kernel's tiles, which are 64 x 32 x 32."""


def halves(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).normal(size=shape).astype(np.float16)


def check_matmul(module: ModuleOp) -> None:
    a, b = halves(ROWS, INNER), halves(INNER, COLUMNS)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    launch(module, "matmul", (2, 2), 128, [a, b, c, ROWS, COLUMNS, INNER, None, None], shared_bytes=1 << 15, checks=["race"])  # fmt: skip
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    assert np.abs(c - wanted).max() < 1e-5 * np.abs(wanted).max()


def check_tiled(module: ModuleOp) -> None:
    a, b, c = halves(64, 128), halves(128, 128), np.zeros((64, 128), np.float32)
    maps = [TensorMap(x, box=(64, 64), swizzle="128B") for x in (a, b)]
    # A tensor map is followed by the sizes and strides of its tensor.
    args = [maps[0], 64, 128, 128, 1, maps[1], 128, 128, 128, 1, c, 128, 128, None, None]
    launch(module, "tiled", (1, 2), 128, args, shared_bytes=1 << 16, checks=["race"])
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    assert np.abs(c - wanted).max() < 1e-5 * np.abs(wanted).max()


def e4m3(bits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Four bits of exponent with bias 7, three of mantissa; 0x7F is the only NaN."""
    exponent, mantissa = (bits.astype(int) >> 3) & 15, bits & 7
    normal = (1 + mantissa / 8) * 2.0 ** (exponent - 7)
    return np.where(bits & 0x80, -1, 1) * np.where(exponent == 0, mantissa * 2.0**-9, normal)


def check_scaled(module: ModuleOp) -> None:
    generator = np.random.default_rng(2)
    # Without the highest exponent bit there is no NaN.
    a = generator.integers(0, 256, (128, 128)).astype(np.uint8) & 0xBF
    b = generator.integers(0, 256, (128, 32)).astype(np.uint8) & 0xBF
    a_scale = generator.integers(124, 131, (128, 4)).astype(np.uint8)
    b_scale = generator.integers(124, 131, (32, 4)).astype(np.uint8)
    c = np.zeros((128, 32), np.float32)
    launch(module, "scaled", 1, 128, [a, a_scale, b, b_scale, c, None, None], shared_bytes=1 << 16)
    left = e4m3(a) * np.repeat(2.0 ** (a_scale.astype(int) - 127), 32, axis=1)
    right = e4m3(b) * np.repeat(2.0 ** (b_scale.astype(int) - 127), 32, axis=1).T
    wanted = left @ right
    assert np.abs(c - wanted).max() < 1e-5 * np.abs(wanted).max()


KERNELS = [
    ("matmul.sm80", "sm_80", check_matmul),
    ("matmul.sm90", "sm_90a", check_matmul),
    ("matmul.sm100", "sm_100a", check_matmul),
    ("tiled.sm90", "sm_90a", check_tiled),
    ("tiled.sm100", "sm_100a", check_tiled),
    ("scaled.sm100", "sm_100a", check_scaled),
]


@pytest.mark.parametrize(("name", "arch", "check"), KERNELS)
def test_products(name: str, arch: str, check: Any):
    module = loaded(FOLDER / "triton_matmul" / f"{name}.ll", int(arch.strip("sm_a")) * 10)
    check(module)
    run_pipeline(module, "nvopt<O3>")
    check(module)
    check(select(module, arch))


@needs_ptxas
@pytest.mark.parametrize(("name", "arch"), [(name, arch) for name, arch, _ in KERNELS])
def test_ptxas_accepts(name: str, arch: str):
    assemble(compile(FOLDER / "triton_matmul" / f"{name}.ll", arch=arch), arch)
