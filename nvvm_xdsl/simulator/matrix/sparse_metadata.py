"""The columns of the stored elements of a sparse matrix A (PTX ISA, 9.7.14.6.1 and .2).

Two of four adjacent columns are stored; for tf32 one of two, and for 4-bit elements two of four
pairs. Four bits of metadata are two indices of two bits: of elements, of pairs for 4-bit elements,
and of halves of an element for tf32. Thread `4 g + t` of a warp has metadata of rows `g` and `g +
8`:

- elements of 16 bits or more: half a word for a row. If a word holds all chunks of a row, it is in
the thread given by the selector, else in the threads `2 * selector` and `2 * selector + 1`.
- smaller elements: a word for a row. The thread `2 * selector` has row `g`, the next one row `g +
8`. With twice as many columns a row has two words, and threads 2 and 3 have the second ones.

The text of the PTX ISA defines the threads. Its figures define the positions of the indices in
their registers; CUTLASS agrees (reorder_meta in util/host_reorder.h, ELayout in
cute/atom/mma_traits_sm120_sparse.hpp).
"""

from __future__ import annotations

import numpy as np

from nvvm_xdsl.simulator.execution.memory import Lanes

ROWS = 16
"""Rows of the part of a matrix in one warp."""

CHUNK = {32: 2, 16: 4, 8: 4, 4: 8}
"""The number of columns that four bits of metadata describe, by element width."""


def selectors(columns: int, bits: int) -> int:
    """The number of selectors: 4 if one thread of four has the metadata, else 2 or 1."""
    chunks = columns // CHUNK[bits]
    return 4 // (max(1, chunks // 4) if bits >= 16 else max(2, chunks // 4))


def columns_of(
    metadata: Lanes, columns: int, bits: int, selector: int
) -> tuple[Lanes, Lanes, Lanes]:
    """The columns of stored elements.

    Arguments:
        metadata: one word per thread, (warps, 32).
        columns: number of columns of the whole matrix.
        bits: width of an element: 4, 8, 16 or 32.
        selector: the sparsity selector; 0 if all threads have metadata.

    Returns the columns, (warps, 16, columns / 2), the four bits of each chunk, (warps, 16, chunks),
    and a mask of the chunks whose bits do not select two elements.
    """
    chunk_columns = CHUNK[bits]
    row = np.arange(ROWS)[:, None]
    chunk = np.arange(columns // chunk_columns)[None, :]
    group, lower = row % 8, row // 8
    if bits >= 16:
        step = 1 if chunk.shape[1] <= 4 else 2
        thread = step * selector + chunk // 4
        shift = 16 * lower + 4 * (chunk % 4)
    else:
        thread = 2 * selector + lower + 2 * (chunk // 8)
        shift = np.broadcast_to(4 * (chunk % 8), (ROWS, chunk.shape[1]))
    word = metadata[:, 4 * group + thread]
    index = (word >> shift.astype(np.uint32) & np.uint32(15)).astype(np.int64)
    first, second = index & 3, index >> 2
    if bits == 32:
        wrong = (index != 0b0100) & (index != 0b1110)
        found = (index == 0b1110)[..., None].astype(np.int64)
    else:
        wrong = first == second
        found = np.stack([first, second], axis=3)
    if bits == 4:
        found = np.stack([2 * found, 2 * found + 1], axis=4).reshape(*found.shape[:3], 4)
    found = found + chunk_columns * chunk[..., None]
    return found.reshape(metadata.shape[0], ROWS, columns // 2), index, wrong
