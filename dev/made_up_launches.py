"""Launches of kernels that nobody knows the meaning of: arguments made up from their types.

Pointers get buffers that are large enough for small sizes, of numbers that do for floats or for
indices; integers are a size; floats are one half.
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
"""The same for costs: 16 alone leaves no round over where loops are unrolled."""
LARGEST_CUBE: Final = 64
"""The largest size for which buffers hold a cube."""

DYNAMIC_SHARED_BYTES: Final = 1 << 14
THREADS: Final = 32

TOLERANCE: Final = 1e-4
ABSOLUTE: Final = 1e-5
"""What sums of floats in another order may be apart."""


@cache
def _buffer(floats: bool, size: int) -> np.ndarray[Any, Any]:
    """Numbers, of which a cube of side `size` takes a quarter; of large sizes a square."""
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
        floats: buffers hold floats from -2 to 2, else integers from 0 to 7.
        size: the value of integers.
        block: threads; by default what the kernel's bounds say, or a warp.
        grid: blocks.
        shared_bytes: of dynamic shared memory.
    Raises ValueError for a parameter of a type that nothing is known for.
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
"""What the shared arrays of kernels of the corpus are made for."""

NUMBA_SIZES: Final[Mapping[str, int]] = {"recursion_fib": 8}
