"""Times the kernels of bench_simulator.py in Numba's CUDA simulator, on a part of the data.

    PYTHON_WITH_NUMBA_CUDA bench/numba_simulator.py

The time of a block does not depend on the number of blocks, so the time of the grid is a multiple.
"""

import os

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import time

import numpy as np
from numba import cuda, float32  # pyright: ignore

TILE = 16
THREADS = 256


@cuda.jit
def product(a, b, c, n):
    """Matrix product with one element per thread and tiles in shared memory."""
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.blockIdx.y * TILE + y, cuda.blockIdx.x * TILE + x
    total = float32(0)
    for start in range(0, n, TILE):
        left[y, x] = a[row, start + x]
        right[y, x] = b[start + y, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    c[row, column] = total


@cuda.jit
def reduce_sum(values, out, n):
    """Sum as a tree in shared memory, with one atomic addition per block."""
    partial = cuda.shared.array(THREADS, float32)
    thread = cuda.threadIdx.x
    total = float32(0)
    i = cuda.blockIdx.x * THREADS + thread
    while i < n:
        total += values[i]
        i += cuda.gridDim.x * THREADS
    partial[thread] = total
    cuda.syncthreads()
    stride = THREADS // 2
    while stride > 0:
        if thread < stride:
            partial[thread] += partial[thread + stride]
        cuda.syncthreads()
        stride //= 2
    if thread == 0:
        cuda.atomic.add(out, 0, partial[0])


def main() -> None:
    """Prints the times and the extrapolation to the whole grid."""
    rng = np.random.default_rng(0)
    n = 48
    a, b = rng.random((2, n, n), dtype=np.float32)
    c = np.zeros((n, n), np.float32)
    started = time.process_time()
    product[(n // TILE, n // TILE), (TILE, TILE)](a, b, c, n)
    spent = time.process_time() - started
    assert np.allclose(c, a @ b, rtol=1e-4)
    print(
        f"Numba's simulator: product of {n}: {spent:.2f} s, of 256 {spent * (256 / n) ** 3:.0f} s"
    )
    blocks = 16
    x, out = rng.random(blocks * THREADS, dtype=np.float32), np.zeros(1, np.float32)
    started = time.process_time()
    reduce_sum[blocks, THREADS](x, out, x.size)
    spent = time.process_time() - started
    assert np.allclose(out[0], x.sum(), rtol=1e-4)
    print(
        f"Numba's simulator: sum of {x.size}: {spent:.2f} s, of {1 << 20} {spent * (1 << 20) / x.size:.0f} s"
    )


if __name__ == "__main__":
    main()
