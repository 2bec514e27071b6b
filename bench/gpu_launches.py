"""Launches that fill a GPU: large arguments for kernels of examples/, of Numba's corpus and of
loop_kernels.cu.

Results that depend on the order of atomic operations, which CUDA leaves open, are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from nvvm_xdsl.lab.launches import Array, Launch

COUNT: Final = 1 << 22
"""Elements of the arrays of kernels with one thread per element."""

THREADS: Final = 256
LOOP_BLOCKS: Final = 2048
LOOP_SIZE: Final = 64
"""Blocks, of 32 threads, and iterations of the kernels of loop_kernels.cu."""

LOOPS_OF_ONE_BLOCK: Final = frozenset({"fft", "bitonic"})
"""Kernels of loop_kernels.cu whose blocks would race."""

Make = Callable[[np.random.Generator], Launch]


def _blocks(count: int, threads: int = THREADS) -> int:
    return -(-count // threads)


def _floats(rng: np.random.Generator, *shape: int) -> Array:
    return rng.uniform(-2, 2, shape).astype(np.float32)


def _doubles(rng: np.random.Generator, *shape: int) -> Array:
    return rng.uniform(0.1, 2, shape)


def _halves(rng: np.random.Generator, *shape: int) -> Array:
    return rng.uniform(-2, 2, shape).astype(np.float16)


def _ints(rng: np.random.Generator, low: int, high: int, *shape: int) -> Array:
    return rng.integers(low, high, shape).astype(np.int32)


def _like(array: Array) -> Array:
    return np.zeros_like(array)


def _flat(
    kernel: str, *args: Any, count: int = COUNT, threads: int = THREADS, **more: Any
) -> Launch:
    """Returns a launch with one thread per element."""
    return Launch(
        kernel, _blocks(count, threads), threads, args, tolerance=1e-4, absolute=1e-4, **more
    )


def _matmul(rng: np.random.Generator, kernel: str, tile: int, n: int) -> Launch:
    dtype = np.float32 if kernel == "matmul_f32" else np.float64
    a, b = rng.uniform(-1, 1, (2, n, n)).astype(dtype)
    return Launch(
        kernel,
        (n // tile, n // tile),
        (tile, tile),
        (a, b, _like(a), n),
        tolerance=1e-3,
        absolute=1e-3,
    )


def _image(rng: np.random.Generator) -> Launch:
    width, height = 2048, 1024
    pixels = rng.integers(0, 256, (height, width, 3), np.uint8)
    image = (pixels, width, height, 3, 0.5, 1.0, 3.0, 0.0, 0.0)
    return Launch("brighten", (width // 32, height // 8), (32, 8), (image,))


EXAMPLES: Final[Mapping[str, Sequence[Make]]] = {
    "saxpy": [lambda r: _flat("saxpy", COUNT, 1.5, _floats(r, COUNT), _floats(r, COUNT))],
    "bfloat16": [
        lambda r: _flat(
            "axpy_bfloat16",
            np.uint16(0x3FA0),
            *(_floats(r, COUNT).view(np.uint32) >> 16).astype(np.uint16)[None].repeat(2, 0),
            COUNT,
        ),
        lambda r: _flat(
            "mean_bfloat16",
            (_floats(r, COUNT).view(np.uint32) >> 16).astype(np.uint16),
            np.zeros(COUNT // 64, np.uint16),
            COUNT // 64,
            64,
            count=COUNT // 64,
        ),
    ],
    "half": [
        lambda r: _flat("axpy_half", np.float16(1.75), _halves(r, COUNT), _halves(r, COUNT), COUNT),
        lambda r: _flat(
            "axpy_half2",
            (np.float16(0.5), np.float16(-2)),
            _halves(r, COUNT, 2),
            _halves(r, COUNT, 2),
            COUNT,
        ),
    ],
    "device_function": [
        lambda r: _flat(
            "evaluate",
            _floats(r, 16),
            15,
            _floats(r, COUNT) / 2,
            np.zeros(COUNT, np.float32),
            COUNT,
        ),
        lambda r: _flat(
            "newton_step", np.array([-2, 0, 1], np.float32), 2, _floats(r, COUNT) + 3, COUNT
        ),
    ],
    "histogram": [
        lambda r: Launch(
            "histogram",
            1056,
            THREADS,
            (r.integers(0, 256, 1 << 24, np.uint8), 1 << 24, np.zeros(256, np.uint32)),
        )
    ],
    "integers": [
        lambda r: _flat(
            "divide",
            r.integers(-(1 << 62), 1 << 62, COUNT),
            r.integers(1, 1 << 40, COUNT),
            np.zeros(COUNT, np.int64),
            np.zeros(COUNT, np.int64),
            COUNT,
        )
    ],
    "local_array": [
        lambda r: _flat("median", _ints(r, 0, 1000, COUNT), np.zeros(COUNT, np.int32), COUNT)
    ],
    "matmul": [
        lambda r: _matmul(r, "matmul_f32", 16, 1024),
        lambda r: _matmul(r, "matmul_f64", 8, 1024),
    ],
    "nbody": [
        lambda r: Launch(
            "forces",
            256,
            128,
            (_floats(r, 1 << 15, 4), np.zeros((1 << 15, 4), np.float32), 1 << 15, 0.01),
            tolerance=1e-2,
            absolute=1e-1,
        ),
        lambda r: _flat(
            "functions_f32", np.abs(_floats(r, COUNT)) + 0.1, np.zeros(COUNT, np.float32), COUNT
        ),
        lambda r: _flat("functions_f64", _doubles(r, COUNT), np.zeros(COUNT), COUNT),
    ],
    "reduction": [
        lambda r: Launch(
            "reduce_sum",
            1056,
            256,
            (_floats(r, 1 << 24), np.zeros(1, np.float32), 1 << 24),
            tolerance=1e-2,
            absolute=1.0,
        )
    ],
    "scan": [
        lambda r: Launch(
            "scan",
            COUNT // 1024,
            1024,
            (
                _ints(r, -9, 9, COUNT),
                np.zeros(COUNT, np.int32),
                np.zeros(COUNT // 1024, np.int32),
                COUNT,
            ),
            shared_bytes=128,
        ),
        lambda r: _flat(
            "compact",
            _ints(r, -5, 6, COUNT),
            np.zeros(COUNT, np.int32),
            np.zeros(1, np.int32),
            COUNT,
            ignored=frozenset({1}),
        ),
    ],
    "stencil": [
        lambda r: Launch(
            "stencil",
            (128, 128),
            (16, 16),
            (_floats(r, 2048, 2048), np.zeros((2048, 2048), np.float32), 2048, 2048),
            tolerance=1e-4,
            absolute=1e-4,
        )
    ],
    "struct_argument": [_image],
    "switch": [
        lambda r: _flat(
            "classify",
            r.choice(np.array([-1000000000000, 0, 17, 18, 23, 1000000000000]), COUNT),
            np.zeros(COUNT, np.uint8),
            COUNT,
        )
    ],
}
"""Launches by file of examples/."""


def numba_arguments(names: Sequence[str], values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Returns the arguments of a Numba kernel, which passes an array as several parameters.

    These are two pointers that kernels do not read, the numbers of elements and of bytes of one, the data,
    the shape and the strides (numba.core.datamodel.models.ArrayModel).
    """
    found: list[Any] = []
    for name in names:
        array, *path = name.split(".")
        value = values[array]
        if not path:
            found.append(value)
            continue
        field, at = int(path[0]), int(path[1]) if len(path) > 1 else 0
        parts = (None, None, value.size, value.itemsize, value, value.shape, value.strides)
        found.append(parts[field][at] if field > 4 else parts[field])
    return tuple(found)


def numba_launch(name: str, kernel: str, parameters: Sequence[str]) -> Launch | None:
    """Returns a large launch of a kernel of Numba's corpus, or None if none is defined."""
    make = _NUMBA.get(name)
    if make is None:
        return None
    grid, block, values, more = make(np.random.default_rng(5))
    return Launch(
        kernel,
        grid,
        block,
        numba_arguments(parameters, values),
        tolerance=1e-4,
        absolute=1e-4,
        **more,
    )


Numba = tuple[Any, Any, Mapping[str, Any], Mapping[str, Any]]
"""Grid, block, parameter values, and other fields of the launch."""


def _square(rng: np.random.Generator, n: int, dtype: str = "f4") -> Array:
    return rng.uniform(-1, 1, (n, n)).astype(dtype)


_NUMBA: Final[Mapping[str, Callable[[np.random.Generator], Numba]]] = {
    "vecadd": lambda r: (
        _blocks(COUNT),
        THREADS,
        {"a": _floats(r, COUNT), "b": _floats(r, COUNT), "c": np.zeros(COUNT, np.float32)},
        {},
    ),
    "matmul_naive": lambda r: (
        (32, 32),
        (16, 16),
        {"A": _square(r, 512), "B": _square(r, 512), "C": np.zeros((512, 512), np.float32)},
        {},
    ),
    "matmul_shared": lambda r: (
        (64, 64),
        (16, 16),
        {"A": _square(r, 1024), "B": _square(r, 1024), "C": np.zeros((1024, 1024), np.float32)},
        {},
    ),
    "mandel_kernel": lambda r: (
        (64, 64),
        (16, 16),
        {
            "min_x": -2.0,
            "max_x": 1.0,
            "min_y": -1.0,
            "max_y": 1.0,
            "image": np.zeros((1024, 1536), np.uint8),
            "iters": 50,
        },
        {},
    ),
    "stencil_3d": lambda r: (
        (32, 32, 32),
        (8, 4, 4),
        {"a": _floats(r, 256, 128, 128), "b": np.zeros((256, 128, 128), np.float32)},
        {},
    ),
    "spmv_csr": lambda r: (
        _blocks(1 << 18),
        THREADS,
        {
            "val": _floats(r, 1 << 22),
            "col": _ints(r, 0, 1 << 18, 1 << 22),
            "row": np.arange((1 << 18) + 1, dtype=np.int32) * 16,
            "x": _floats(r, 1 << 18),
            "y": np.zeros(1 << 18, np.float32),
        },
        {},
    ),
}


def loop_launches(functions: Mapping[str, Sequence[str]]) -> Iterator[Launch]:
    """Returns launches of the kernels of loop_kernels.cu; every thread runs its own loops.

    Arguments:
        functions: for each kernel its parameters, as `ptr`, `i32`, `float`.
    """
    rng = np.random.default_rng(3)
    rows = LOOP_BLOCKS * 32
    words = rng.integers(0, 8, rows * (LOOP_SIZE + 8) + 4096).astype(np.int32)
    numbers = rng.uniform(0.5, 1.5, words.size).astype(np.float32)
    integers = {
        "hist_r",
        "search",
        "spmv",
        "bits",
        "fill",
        "oddeven",
        "montecarlo",
        "match",
        "lcs",
        "prefix",
    }
    for kernel, types in functions.items():
        if kernel in LOOPS_OF_ONE_BLOCK:
            continue
        content = words if kernel in integers else numbers
        values = {"ptr": content, "i32": LOOP_SIZE, "float": 0.5}
        args = [content.copy() if t == "ptr" else values[t] for t in types]
        if kernel in ("conv", "match"):
            args[-1] = 5
        yield Launch(kernel, LOOP_BLOCKS, 32, tuple(args), tolerance=1e-3, absolute=1e-3)
