"""Instructions that move data to and from tensor memory: `tcgen05.ld`, `.st`, `.cp`, `.shift`.

Figures 183 to 187 of the PTX ISA define the word in each register of each thread (9.7.16.2.3.1);
CUTLASS agrees (include/cute/atom/copy_traits_sm100.hpp).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.execution.memory import SHARED, SHARED_SHIFT, Lanes, Mask
from nvvm_xdsl.simulator.matrix.descriptors import DescriptorError, decode_tcgen05
from nvvm_xdsl.simulator.matrix.tensor_memory import TensorMemory, peer_of

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

_THREAD = np.arange(WARP_SIZE)

SPLIT = "16x32bx2"
"""The shape with separate columns for the second half of the threads."""

SHAPE_LANES = {"32x32b": 32, "16x64b": 16, "16x128b": 16, "16x256b": 16, SPLIT: 16}
"""Number of lanes that a warp accesses, by `.shape`."""

REGISTERS = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, SPLIT: 1}
"""Number of registers of a thread per repetition."""


@cache
def fragment(shape: str, times: int) -> tuple[Lanes, Lanes, int]:
    """The lane and column of the word of each thread and register, and the number of columns.

    Both are relative to the address; in the second half of `.16x32bx2` columns are relative to the
    second address.
    """
    t = _THREAD[:, None]
    register = np.arange(times * REGISTERS[shape])[None, :]
    if shape == "32x32b":
        lane, column = t + 0 * register, register + 0 * t
        columns = times
    elif shape == SPLIT:
        lane, column = t % 16 + 0 * register, register + 0 * t
        columns = times
    elif shape == "16x64b":
        lane, column = t // 4 + 8 * (t % 2) + 0 * register, 2 * register + t // 2 % 2
        columns = 2 * times
    elif shape == "16x128b":
        lane, column = t // 4 + 8 * (register % 2), register // 2 * 4 + t % 4
        columns = 4 * times
    else:
        lane = t // 4 + 8 * (register // 2 % 2)
        column = register // 4 * 8 + t % 4 * 2 + register % 2
        columns = 8 * times
    return lane, column, columns


class _Fragment:
    """The words of one warp's access."""

    def __init__(
        self, shape: str, times: int, packed: bool, offset: int, site: int, what: str
    ) -> None:
        self.shape = shape
        self.packed = packed
        self.offset = offset
        self.site = site
        self.what = what
        self.lane, self.column, self.columns = fragment(shape, times)
        self.columns *= 1 + packed

    def place(self, block: Block, warp: int, thread: int, address: int) -> tuple[Lanes, Lanes]:
        """Lanes and columns in tensor memory; with `.pack::16b`, the first of the two columns of
        each word."""
        lane, column = address >> 16, address & 0xFFFF
        lanes = SHAPE_LANES[self.shape]
        quarter = WARP_SIZE * (warp % 4)
        if lane < quarter or lane + lanes > quarter + WARP_SIZE:
            raise block.lane_error(
                "memory",
                f"{self.what} of lanes {lane} to {lane + lanes - 1} of tensor memory, where warp {warp} "
                f"reaches lanes {quarter} to {quarter + WARP_SIZE - 1}, by",
                thread,
                self.site,
            )
        check = block.unit(TensorMemory).check
        check(self.site, self.what, lane, lanes, column, self.columns, thread)
        columns = column + self.column * (1 + self.packed)
        if self.shape == SPLIT:
            second = column + self.offset
            check(self.site, self.what, lane, lanes, second, self.columns, thread)
            columns = columns + np.where(_THREAD < 16, 0, self.offset)[:, None]
        return lane + self.lane, columns


def _warps(block: Block, lanes: Lanes, address: Lanes, site: int) -> list[tuple[int, Lanes, int]]:
    """For each warp of `lanes`: its number, its threads, and their common address."""
    found: list[tuple[int, Lanes, int]] = []
    address = np.broadcast_to(address, (block.lanes,))
    for warp in np.unique(block.warp_of_lane[lanes]).tolist():
        threads = np.flatnonzero(lanes & (block.warp_of_lane == warp))
        given = address[threads]
        if (given != given[0]).any():
            message = "addresses of tensor memory that differ within a warp, first in"
            raise block.lane_error("sync", message, int(threads[0]), site)
        found.append((warp, threads, int(given[0])))
    return found


def load(
    shape: str, times: int, packed: bool, offset: int, site: int, reduction: Reduction | None
) -> Callable[..., tuple[Lanes, ...]]:
    """`tcgen05.ld` of whole warps, for `Synchronization.gather`.

    The results are the registers, their undefined bits if tracked, and with `.red` the reduction of
    each thread's registers.
    """
    access = _Fragment(shape, times, packed, offset, site, "tcgen05.ld")
    count = times * REGISTERS[shape]

    def run(block: Block, lanes: Lanes, members: Lanes, address: Lanes) -> tuple[Lanes, ...]:
        memory = block.unit(TensorMemory)
        sources = [memory.words] if memory.undefined is None else [memory.words, memory.undefined]
        out = np.zeros((len(sources), count, block.lanes), np.uint32)
        for warp, threads, where in _warps(block, lanes, address, site):
            lane, column = access.place(block, warp, int(threads[0]), where)
            for target, words in zip(out, sources):
                values = words[lane, column]
                if packed:
                    values = values & 0xFFFF | words[lane, column + 1] << np.uint32(16)
                target[:, threads] = values[threads % WARP_SIZE].T
        results = [*out.reshape(-1, block.lanes)]
        if reduction is not None:
            results.append(reduction(out[0]))
        return tuple(results)

    return run


Reduction = Callable[[Lanes], Lanes]


def reduction(operation: str, type_: str, absolute: bool, nan: bool) -> Reduction:
    """The `.redOp` of `tcgen05.ld.red`, along the first axis of an array of registers.

    Like `min` and `max`, it ignores NaN unless `.NaN` is given and orders -0 before +0; with `.abs`
    it compares and returns absolute values.
    """
    lowest = operation == "min"

    def run(values: Lanes) -> Lanes:
        if type_ != "f32":
            kind = values.view(np.int32) if type_ == "s32" else values
            found = kind.min(axis=0) if lowest else kind.max(axis=0)
            return found.view(np.uint32)
        raw = values & np.uint32(0x7FFFFFFF) if absolute else values
        is_nan = np.isnan(raw.view(np.float32))
        # The bits of floats are ordered like integers after negative ones are inverted.
        signed = raw.view(np.int32)
        order = np.where(signed < 0, signed ^ 0x7FFFFFFF, signed).astype(np.int64)
        order[is_nan] = 1 << 40 if lowest else -1 << 40
        chosen = order.argmin(axis=0) if lowest else order.argmax(axis=0)
        found = np.take_along_axis(raw, chosen[None], axis=0)[0]
        none = is_nan.any(axis=0) if nan else is_nan.all(axis=0)
        return np.where(none, np.uint32(0x7FFFFFFF), found)

    return run


def store(
    shape: str, times: int, packed: bool, offset: int, site: int, count: int
) -> Callable[..., Lanes]:
    """`tcgen05.st` of whole warps, for `Synchronization.gather`.

    `count` registers follow the address, then their undefined bits if tracked.
    """
    access = _Fragment(shape, times, packed, offset, site, "tcgen05.st")

    def run(block: Block, lanes: Lanes, members: Lanes, address: Lanes, *values: Lanes) -> Lanes:
        memory = block.unit(TensorMemory)
        given = [np.broadcast_to(v, (block.lanes,)) for v in values]
        registers = np.stack(given[:count], axis=1)
        shadows = np.stack(given[count:], axis=1) if len(given) > count else None
        for warp, threads, where in _warps(block, lanes, address, site):
            lane, column = access.place(block, warp, int(threads[0]), where)
            lane, column = lane[threads % WARP_SIZE], column[threads % WARP_SIZE]
            words = registers[threads]
            undefined = np.zeros_like(words) if shadows is None else shadows[threads]
            if not packed:
                memory.write(lane, column, words, undefined)
                continue
            low = np.uint32(0xFFFF)
            memory.write(lane, column, words & low, undefined & low)
            high = np.uint32(16)
            memory.write(lane, column + 1, words >> high, undefined >> high)
        return members

    return run


# Copies from shared memory


@cache
def _copy_lanes(shape: str, multicast: str) -> tuple[tuple[int, ...], ...]:
    """For each row of a `tcgen05.cp`, the lanes that receive it, relative to the address."""
    rows = int(shape.split("x")[0])
    if rows == 4:
        return tuple((WARP_SIZE * i,) for i in range(rows))
    if multicast == "warpx4":
        return tuple(tuple(i + WARP_SIZE * w for w in range(4)) for i in range(rows))
    if multicast == "warpx2::02_13":
        return tuple((i, i + 64) for i in range(rows))
    if multicast == "warpx2::01_23":
        first = [i % WARP_SIZE + 64 * (i // WARP_SIZE) for i in range(rows)]
        return tuple((i, i + WARP_SIZE) for i in first)
    return tuple((i,) for i in range(rows))


def expand(chunks: Lanes, source: str) -> Lanes:
    """Chunks of 16 bytes as 16 elements of a byte each.

    `b4x16_p64` has 16 elements of 4 bits and 8 bytes of padding, `b6x16_p32` 16 of 6 bits and 4
    bytes (9.7.16.9.1). A 4-bit element is placed in bits 2 to 5 of its byte, a 6-bit element in
    bits 1 to 6, so that the exponents of E2M1 and E3M2 end at bit 3, as that of E4M3 does (figures
    195 and 197; CUTLASS,
    examples/python/CuTeDSL/experimental/primitives/tcgen05/cp_narrow_a_to_tmem_mma.py).
    """
    bits = 4 if source == "b4x16_p64" else 6
    codes = elements_of_chunks(chunks, bits)
    return (codes << (2 if bits == 4 else 1)).astype(np.uint8)


def elements_of_chunks(chunks: Lanes, bits: int) -> Lanes:
    """16 elements of `bits` bits in each chunk of 16 bytes, from its lowest bit on."""
    stream = np.unpackbits(chunks, axis=-1, bitorder="little")[..., : 16 * bits]
    parts = stream.reshape(*stream.shape[:-1], 16, bits)
    return (parts * (1 << np.arange(bits))).sum(axis=-1)


def shared_bytes(
    block: Block, site: int, thread: int, addresses: Lanes, what: str
) -> tuple[Lanes, Lanes]:
    """Bytes of a block's shared memory, and their undefined bits."""
    memory = block.memory
    positions = addresses + memory.position(SHARED, block.rank << SHARED_SHIFT)
    outside = memory.owner[positions] == 0
    if outside.any():
        low = int(addresses[outside].min())
        near = memory.nearest(SHARED, low | block.rank << SHARED_SHIFT)
        message = f"out of bounds: {what} reads shared address {low:#x} ({near}), by"
        raise block.lane_error("memory", message, thread, site)
    undefined = memory.undefined
    values = memory.bytes[positions]
    return values, np.zeros_like(values) if undefined is None else undefined[positions]


def copy(
    shape: str, multicast: str, source: str, group: int, site: int
) -> Callable[[Block, Mask, Lanes, Lanes], None]:
    """`tcgen05.cp`: with `.cta_group::2` each block of the pair copies from its own shared
    memory."""
    rows, bits = (int(n) for n in shape.rstrip("b").split("x"))
    targets = _copy_lanes(shape, multicast)

    def run(block: Block, mask: Mask, address: Lanes, descriptor: Lanes) -> None:
        block.unit(TensorMemory).use_group(group, site)
        addresses = np.broadcast_to(address, (block.lanes,))
        words = np.broadcast_to(descriptor, (block.lanes,))
        blocks = [block] if group == 1 else [block, peer_of(block, site)]
        for thread in mask.index.tolist():
            where = int(addresses[thread])
            lane, column = where >> 16, where & 0xFFFF
            if lane and not (rows == 4 and lane < WARP_SIZE):
                message = (
                    f"tcgen05.cp.{shape} to lane {lane} of tensor memory, where it begins at 0, by"
                )
                raise block.lane_error("memory", message, thread, site)
            try:
                matrix = decode_tcgen05(int(words[thread]))
                places = matrix.addresses(rows, bits // 8, 8, mn_major=False)
            except DescriptorError as error:
                raise block.lane_error("memory", f"{error}, in", thread, site) from error
            for target in blocks:
                last = max(max(t) for t in targets) + 1
                target.unit(TensorMemory).check(
                    site, "tcgen05.cp", lane, last, column, bits // 32, thread
                )
                data, undefined = shared_bytes(target, site, thread, places, "tcgen05.cp")
                if source:
                    data = expand(data.reshape(rows, -1, 16), source).reshape(rows, -1)
                    undefined = np.where(undefined.any(axis=1, keepdims=True), 0xFF, undefined)
                _write_rows(target.unit(TensorMemory), targets, lane, column, data, undefined)

    return run


def _write_rows(
    memory: TensorMemory,
    targets: tuple[tuple[int, ...], ...],
    lane: int,
    column: int,
    data: Lanes,
    undefined: Lanes,
) -> None:
    words = np.ascontiguousarray(data, np.uint8).view(np.uint32)
    shadow = np.ascontiguousarray(undefined, np.uint8).view(np.uint32)
    columns = column + np.arange(int(words.shape[1]))
    for row, lanes in enumerate(targets):
        for one in lanes:
            memory.write(np.array([lane + one])[:, None], columns, words[row], shadow[row])


def shift_rows(memory: TensorMemory, lanes: Lanes, columns: Lanes) -> None:
    """Gives each lane the value of the next one, except for the last of each 32.

    According to the ISA's text rows move down by one, except for the last (9.7.16.9.3). CUTLASS
    measured on hardware that lane `r` gets the value of lane `r + 1`
    (examples/python/CuTeDSL/experimental/primitives/tcgen05/1cta_mma_a_from_tmem.py).
    """
    moved = lanes[lanes % WARP_SIZE != WARP_SIZE - 1][:, None]
    for words in (memory.words, memory.undefined):
        if words is not None:
            words[moved, columns] = words[moved + 1, columns]


SHIFT_COLUMNS = 8
"""Number of columns in the 32 bytes that a shift moves."""


def shift(group: int, site: int) -> Callable[[Block, Mask, Lanes], None]:
    """`tcgen05.shift.down` of 32 bytes in each of the 32 lanes from the address on."""

    def run(block: Block, mask: Mask, address: Lanes) -> None:
        block.unit(TensorMemory).use_group(group, site)
        addresses = np.broadcast_to(address, (block.lanes,))
        blocks = [block] if group == 1 else [block, peer_of(block, site)]
        for thread in mask.index.tolist():
            lane, column = int(addresses[thread]) >> 16, int(addresses[thread]) & 0xFFFF
            if lane % WARP_SIZE:
                message = f"tcgen05.shift of lane {lane} of tensor memory, not a multiple of 32, by"
                raise block.lane_error("memory", message, thread, site)
            for target in blocks:
                check = target.unit(TensorMemory).check
                check(site, "tcgen05.shift", lane, WARP_SIZE, column, SHIFT_COLUMNS, thread)
                columns = column + np.arange(SHIFT_COLUMNS)
                shift_rows(target.unit(TensorMemory), np.arange(lane, lane + WARP_SIZE), columns)

    return run
