"""Launches of kernels of unknown purpose, with arguments derived from the types of parameters.

Pointers are buffers that are large enough for small sizes, with numbers that are valid as floats or
as indices. Integers are a size, floats are 0.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, ModuleOp
from xdsl.dialects.llvm import FuncOp, LLVMPointerType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.nvvm.kernel import is_kernel, launch_bounds
from nvvm_xdsl.lab.launches import Launch

BUFFER_BYTES: Final = 1 << 16
SIZE: Final = 16
"""Values of integers: sizes of dimensions, strides, counts."""

SIZES: Final = (15, 16, 23, 37, 61, 256)
"""Sizes for costs; 16 alone would leave no remainder iterations in unrolled loops."""
LARGEST_CUBE: Final = 64
"""The largest size for which buffers hold a cube."""

DYNAMIC_SHARED_BYTES: Final = 1 << 14
THREADS: Final = 32

TOLERANCE: Final = 1e-4
ABSOLUTE: Final = 1e-5
"""Permitted absolute error of sums of floats in another order."""


@cache
def _buffer(floats: bool, size: int) -> np.ndarray[Any, Any]:
    """Numbers for a buffer of four cubes of side `size`, or of four squares for large sizes."""
    generator = np.random.default_rng(1)
    count = max(BUFFER_BYTES // 4, 4 * size ** (3 if size <= LARGEST_CUBE else 2))
    if floats:
        return generator.uniform(-2, 2, count).astype(np.float32)
    return generator.integers(0, 8, count).astype(np.int32)


def _argument(type_: Attribute, floats: bool, size: int) -> Any:
    if isinstance(type_, LLVMPointerType):
        return _buffer(floats, size).copy()
    if isinstance(type_, Float32Type | Float64Type):
        return 0.5
    if isinstance(type_, IntegerType):
        return size
    raise ValueError(f"no argument of type {type_} is known")


def made_up_launches(
    module: ModuleOp,
    *,
    floats: bool,
    size: int = SIZE,
    block: tuple[int, ...] | None = None,
    grid: int = 2,
    shared_bytes: int = DYNAMIC_SHARED_BYTES,
) -> list[Launch]:
    """A launch of each kernel of a module of the llvm dialect.

    Arguments:
        floats: whether buffers contain floats from -2 to 2 instead of integers from 0 to 7.
        size: the value of integers.
        block: number of threads; by default the kernel's bounds, or a warp.
        grid: number of blocks.
        shared_bytes: size of dynamic shared memory in bytes.
    Raises ValueError for a parameter of an unsupported type.
    """
    return [
        launch_of(func, floats=floats, size=size, block=block, grid=grid, shared_bytes=shared_bytes)
        for func in launched_kernels(module)
    ]


def launched_kernels(module: ModuleOp) -> list[FuncOp]:
    """The kernels of a module that have a body."""
    return [
        func
        for func in module.ops
        if isinstance(func, FuncOp) and is_kernel(func) and func.body.first_block is not None
    ]


def launch_of(
    func: FuncOp,
    *,
    floats: bool,
    size: int = SIZE,
    block: tuple[int, ...] | None = None,
    grid: int = 2,
    shared_bytes: int = DYNAMIC_SHARED_BYTES,
) -> Launch:
    """A launch of a kernel; arguments and errors are those of `made_up_launches`."""
    bounds = launch_bounds(func)
    return Launch(
        func.sym_name.data,
        grid=grid,
        block=tuple(block or bounds.reqntid or bounds.maxntid or (THREADS,)),
        args=tuple(_argument(t, floats, size) for t in func.function_type.inputs),
        shared_bytes=shared_bytes,
        tolerance=TOLERANCE,
        absolute=ABSOLUTE,
    )


NUMBA_BLOCKS: Final[Mapping[str, tuple[int, ...]]] = {
    "jacobi_relax": (8, 8),
    "matmul_shared": (16, 16),
}
"""Block sizes that the shared arrays of kernels of the corpus require."""

NUMBA_SIZES: Final[Mapping[str, int]] = {"recursion_fib": 8}
