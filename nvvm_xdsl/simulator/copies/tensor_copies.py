"""Asynchronous tensor copies: boxes of a tensor, image patches, gathered rows (PTX ISA 5.5, 9.7.9.25.5).

In shared memory a box is dense, the innermost dimension first, and its bytes are permuted by the
swizzle, which depends on shared addresses. Elements outside the tensor are filled on loads and
skipped on stores; all bytes of the box count for the barrier object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nvvm_xdsl.simulator.copies.bulk_copies import (
    BulkGroups,
    Reduction,
    Transfer,
    blocks_of,
    places,
)
from nvvm_xdsl.simulator.copies.ranges import (
    check_own,
    in_block,
    lanes_of,
    locate,
    numbers,
    rank_of,
)
from nvvm_xdsl.simulator.copies.tensor_maps import ALIGNMENT, SIZE, Map, with_field
from nvvm_xdsl.simulator.execution.memory import (
    CONSTANT,
    GENERIC,
    GLOBAL,
    PARAM,
    SHARED,
    WINDOW_SHIFT,
    Lanes,
    Mask,
)
from nvvm_xdsl.simulator.matrix.descriptors import Swizzle
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS, atomic_name

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

BOX_ALIGNMENT = 128
"""Maximum size in bytes of a box in shared memory."""

OFFSET_BITS = {3: 16, 4: 8, 5: 5}
"""Bits of an im2col offset, by rank."""

_SWIZZLES = {
    (0, 0): Swizzle.NONE,
    (1, 0): Swizzle.B32,
    (2, 0): Swizzle.B64,
    (3, 0): Swizzle.B128,
    (3, 1): Swizzle.B128_ATOM_32B,
    (3, 2): Swizzle.B128_ATOM_32B,
    (3, 3): Swizzle.B128_ATOM_64B,
}
_FLIP = 2
"""The atom of 32 bytes whose 8-byte halves are exchanged in every second row of 128 bytes."""

_NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f64": (1 << 63) - 1}

_REDUCTIONS = {
    "add": "u32 s32 u64 f16 bf16 f32 f32.ftz f64",
    "min": "u32 s32 u64 s64 f16 bf16",
    "max": "u32 s32 u64 s64 f16 bf16",
    "inc": "u32",
    "dec": "u32",
    "and": "u32 s32 u64 s64",
    "or": "u32 s32 u64 s64",
    "xor": "u32 s32 u64 s64",
}


@dataclass(frozen=True)
class Elements:
    """The elements of a box in the order of shared memory."""

    address: Lanes
    """Global addresses; invalid for elements outside the tensor."""
    inside: Lanes


@dataclass(frozen=True)
class TensorCopy:
    """Common code of all tensor copies.

    Arguments:
        name: the instruction, for errors.
        dimension: the rank of the tensor, which must be that of the map.
        mode: `tile`, `tile::gather4`, `tile::scatter4`, `im2col` or `im2col_no_offs`.
    """

    name: str
    dimension: int
    mode: str

    def map_at(self, transfer: Transfer, address: int) -> Map:
        """The tensor map at a generic address, checked against the instruction."""
        window = address >> WINDOW_SHIFT
        if window not in (GLOBAL, CONSTANT, PARAM):
            raise transfer.error(
                "memory", f"{self.name} with a tensor map in neither global, const nor param memory"
            )
        blk, site, lane = transfer.blk, transfer.site, transfer.lane
        what = f"{self.name} reads a tensor map of"
        at = locate(blk, site, lane, address, GENERIC, SIZE, ALIGNMENT, what)
        found = Map.decode(blk.memory.bytes[at : at + SIZE].tobytes())
        if found is None:
            raise transfer.error(
                "memory", f"{self.name} with an invalid tensor map at {address:#x}"
            )
        problem = found.problem()
        if problem is None and found.rank != self.dimension:
            problem = f"its rank is {found.rank}, but the instruction needs {self.dimension}"
        if problem is None and found.im2col != self.mode.startswith("im2col"):
            problem = f"it is not a tensor map for the mode .{self.mode}"
        if problem is None and self.mode.endswith("4") and found.box[1] != 1:
            problem = f"the mode .{self.mode} needs a box of one row, not {found.box[1]}"
        if problem is not None:
            raise transfer.error("memory", f"{self.name} with a wrong tensor map: {problem}")
        if found.interleave:
            raise transfer.error("unsupported", f"{self.name} of an interleaved tensor")
        return found

    def elements(
        self, transfer: Transfer, m: Map, coordinates: Sequence[int], offsets: Sequence[int]
    ) -> Elements:
        """The elements of the box at the given coordinates."""
        if m.im2col:
            self._check_patch(transfer, m, coordinates, offsets)
            return _patch(m, coordinates, offsets)
        if self.mode.endswith("4"):
            column, *rows = coordinates
            found = [_box(m, (column, row)) for row in rows]
            return Elements(
                np.concatenate([e.address for e in found]),
                np.concatenate([e.inside for e in found]),
            )
        return _box(m, coordinates)

    def _check_patch(
        self, transfer: Transfer, m: Map, coordinates: Sequence[int], offsets: Sequence[int]
    ) -> None:
        for d, at, low, high in zip(m.dims[1:], coordinates[1:], m.lower, m.upper):
            if not low <= at <= d - 1 + high:
                what = (
                    f"{self.name} from a pixel at {at}, outside of the box {low} to {d - 1 + high}"
                )
                raise transfer.error("memory", what)
        limit = 1 << OFFSET_BITS[m.rank]
        for offset in offsets:
            if offset >= limit:
                raise transfer.error("memory", f"{self.name} with an offset of {offset} >= {limit}")

    def global_places(self, transfer: Transfer, m: Map, elements: Elements) -> Lanes:
        """The positions in the arena of the bytes of the elements inside the tensor."""
        memory = transfer.blk.memory
        relative = elements.address[elements.inside] - memory.base[GLOBAL]
        at = (relative[:, None] + np.arange(m.element)).reshape(-1)
        reach = memory.length[GLOBAL]
        start = m.address - memory.base[GLOBAL]
        wrong = (at < 0) | (at >= reach)
        at = at + memory.offset[GLOBAL]
        if not wrong.any() and at.size:
            head = int(memory.owner[start + memory.offset[GLOBAL]]) if 0 <= start < reach else 0
            wrong = (memory.owner[at] != head) | (head == 0)
        if wrong.any():
            first = int(at[np.flatnonzero(wrong)[0]]) - memory.offset[GLOBAL] + memory.base[GLOBAL]
            near = memory.nearest(GLOBAL, first)
            what = f"out of bounds: {self.name} accesses global address {first:#x} ({near})"
            raise transfer.error("memory", what)
        return at

    def shared_places(self, transfer: Transfer, m: Map, address: int, count: int) -> Lanes:
        """The positions in the arena of the bytes of a box."""
        blk, site, lane = transfer.blk, transfer.site, transfer.lane
        what = f"{self.name} moves a box of"
        start = locate(blk, site, lane, address, SHARED, count, BOX_ALIGNMENT, what)
        at = places(start, count)
        swizzle = _SWIZZLES[m.swizzle, m.atom]
        if swizzle is not Swizzle.NONE:
            # Blocks start at multiples of every swizzle pattern, so positions can be swizzled like
            # addresses.
            shift = blk.memory.offset[SHARED]
            linear = at - shift
            turned = swizzle.apply(linear)
            if m.atom == _FLIP:
                turned = turned ^ ((turned >> 7 & 1) << 3)
            at = turned + shift
        if bool((blk.memory.owner[at] != blk.memory.owner[start]).any()):
            raise transfer.error("memory", f"{self.name}: the swizzled box leaves its allocation")
        return at


def _box(m: Map, start: Sequence[int]) -> Elements:
    """The elements of a box, with `element_strides` along each dimension except for the first."""
    address: Lanes = np.full(1, m.address, np.int64)
    inside: Lanes = np.ones(1, bool)
    steps = (1, *m.element_strides[1:])
    for d, (size, first, length, step, stride) in enumerate(
        zip(m.dims, start, m.box, steps, (m.element, *m.strides))
    ):
        index = first + np.arange(0, length, step, dtype=np.int64)
        shape = (-1, *[1] * d)
        address = address + np.reshape(index * stride, shape)
        inside = inside & np.reshape((index >= 0) & (index < size), shape)
    return Elements(address.reshape(-1), np.broadcast_to(inside, address.shape).reshape(-1))


def _patch(m: Map, start: Sequence[int], offsets: Sequence[int]) -> Elements:
    """The pixels of an im2col column: from the first pixel through the bounding box, then in the
    next image."""
    at = list(start[1:])
    pixels: list[list[int]] = []
    for _ in range(m.pixels):
        pixels.append([*(p + o for p, o in zip(at, [*offsets, 0])), *at[len(offsets) + 1 :]])
        for d, step in enumerate((*m.element_strides[1 : m.rank - 1], 1)):
            at[d] += step
            if d == m.rank - 2 or at[d] <= m.dims[d + 1] - 1 + m.upper[d]:
                break
            at[d] = m.lower[d]
    index = np.array(pixels, np.int64)
    channel = start[0] + np.arange(m.channels, dtype=np.int64)
    limits = np.array(m.dims[1:], np.int64)
    pixel: Lanes = np.all((index >= 0) & (index < limits), axis=1).reshape(-1, 1)
    inside: Lanes = pixel & ((channel >= 0) & (channel < m.dims[0]))
    address = m.address + (index @ np.array(m.strides, np.int64))[:, None] + channel * m.element
    return Elements(address.reshape(-1), inside.reshape(-1))


def _converted(m: Map, data: Lanes) -> Lanes:
    """Conversion of elements on loads: some types flush subnormals or round to tf32."""
    kind = m.type_name
    if kind.startswith("tf32"):
        bits = data.view(np.uint32)
        finite = bits & np.uint32(0x7F800000) != 0x7F800000
        rounded = (bits + np.uint32(0xFFF) + (bits >> np.uint32(13) & np.uint32(1))) & np.uint32(
            0xFFFFE000
        )
        data = np.where(finite, rounded, bits).view(np.uint8)
    if kind.endswith(".ftz"):
        data = np.ascontiguousarray(F.flush(data.view(np.float32), "f32")).view(np.uint8)
    return data


def _signed(values: Sequence[Lanes], blk: Block) -> list[list[int]]:
    return numbers(blk, *(v.astype(np.uint32).view(np.int32) for v in values))


@dataclass(frozen=True)
class TensorLoad(TensorCopy):
    """`cp.async.bulk.tensor` from global to shared memory, and its prefetch.

    Arguments:
        own: whether the destination must be memory of the executing block (`.shared::cta`).
        pair: whether the barrier object may be that of the other block of a pair (`.cta_group::2`).
    """

    own: bool = False
    pair: bool = False

    def __call__(
        self,
        blk: Block,
        site: int,
        mask: Mask,
        map_address: Lanes,
        coordinates: tuple[Lanes, ...],
        offsets: tuple[Lanes, ...],
        target: Lanes | None = None,
        barrier: Lanes | None = None,
        blocks: Lanes | None = None,
    ) -> None:
        """Copies for each active lane; a prefetch is checked, but copies nothing."""
        (maps,) = numbers(blk, map_address)
        starts = _signed(coordinates, blk)
        shifts = [[n & 0xFFFF for n in column] for column in numbers(blk, *offsets)]
        for lane in lanes_of(mask):
            transfer = Transfer(blk, site, lane)
            m = self.map_at(transfer, maps[lane])
            elements = self.elements(
                transfer, m, [s[lane] for s in starts], [s[lane] for s in shifts]
            )
            source = self.global_places(transfer, m, elements)
            if target is None or barrier is None:
                continue
            to, signal = (n[lane] for n in numbers(blk, target, barrier))
            chosen = None if blocks is None else numbers(blk, blocks)[0][lane] & 0xFFFF
            self._load(transfer, m, elements, source, to, signal, chosen)

    def _load(
        self,
        transfer: Transfer,
        m: Map,
        elements: Elements,
        source: Lanes,
        target: int,
        barrier: int,
        blocks: int | None,
    ) -> None:
        blk, site, lane = transfer.blk, transfer.site, transfer.lane
        if self.own:
            check_own(blk, site, lane, target, f"{self.name} writes")
        ranks = [rank_of(target)] if blocks is None else blocks_of(transfer, blocks)
        if blocks is None and rank_of(barrier) | self.pair != rank_of(target) | self.pair:
            what = f"{self.name} signals a barrier object of another block than it writes to"
            raise transfer.error("memory", what)
        transfer.begin()
        count = elements.inside.size * m.element
        data, undefined = transfer.read(source)
        whole = _filled(m, elements.inside, _converted(m, data))
        marks = None
        if undefined is not None:
            marks = np.zeros(count, np.uint8)
            marks[elements.inside.repeat(m.element)] = undefined
        for rank in ranks:
            at = self.shared_places(transfer, m, in_block(target, rank), count)
            transfer.write(at, whole, marks)
        for rank in ranks:
            to = rank & ~1 | rank_of(barrier) & 1 if self.pair else rank
            transfer.complete(in_block(barrier, to), count)


def _filled(m: Map, inside: Lanes, data: Lanes) -> Lanes:
    """The bytes of a box: the elements inside the tensor, zeros or NaN for the others."""
    element = m.element
    filler = _NAN.get(m.type_name, 0x7FFFFFFF) if m.fill else 0
    out = np.tile(np.frombuffer(filler.to_bytes(element, "little"), np.uint8), inside.size)
    out[inside.repeat(element)] = data
    return out


@dataclass(frozen=True)
class TensorStore(TensorCopy):
    """`cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor` from shared to global memory."""

    operation: str = ""

    def __call__(
        self,
        blk: Block,
        site: int,
        mask: Mask,
        map_address: Lanes,
        coordinates: tuple[Lanes, ...],
        source: Lanes,
    ) -> None:
        """Copies for each active lane."""
        maps, sources = numbers(blk, map_address, source)
        starts = _signed(coordinates, blk)
        for lane in lanes_of(mask):
            transfer = Transfer(blk, site, lane)
            m = self.map_at(transfer, maps[lane])
            start = [s[lane] for s in starts]
            self._check(transfer, m, start)
            check_own(blk, site, lane, sources[lane], f"{self.name} reads")
            elements = self.elements(transfer, m, start, [])
            target = self.global_places(transfer, m, elements)
            count = elements.inside.size * m.element
            box = self.shared_places(transfer, m, sources[lane], count)
            here = box[elements.inside.repeat(m.element)]
            time = transfer.begin()
            data, undefined = transfer.read(here)
            transfer.write(target, data, undefined, self.reduction(transfer, m))
            blk.unit(BulkGroups).add(lane, time)

    def _check(self, transfer: Transfer, m: Map, start: Sequence[int]) -> None:
        """The restrictions of the direction to global memory (PTX ISA 9.7.9.25.5.1)."""
        if m.atom == _FLIP:
            raise transfer.error("memory", f"{self.name} with a swizzle that flips 8 bytes")
        if any(s < 0 for s in start) and self.mode != "tile::scatter4":
            raise transfer.error("memory", f"{self.name} to the coordinates {tuple(start)}")
        if any(low < 0 for low in m.lower) or any(high > 0 for high in m.upper):
            raise transfer.error("memory", f"{self.name} of a box that leaves the image")

    def reduction(self, transfer: Transfer, m: Map) -> Reduction | None:
        """The reduction that a store performs; None for a plain copy."""
        if not self.operation:
            return None
        kind = m.type_name
        if kind not in _REDUCTIONS[self.operation].split():
            what = f"{self.name}.{self.operation} of elements of type {kind}"
            raise transfer.error("memory", what)
        type_ = kind.removesuffix(".ftz")
        name, fmt = atomic_name(self.operation, type_)
        return Reduction(name, TYPE_BITS[type_], fmt)


def replace_field(
    blk: Block,
    site: int,
    mask: Mask,
    address: Lanes,
    window: int,
    name: str,
    ordinal: int,
    value: Lanes,
) -> None:
    """`tensormap.replace`: sets one field of tensor maps in global or shared memory."""
    addresses, values = numbers(blk, address, value)
    for lane in lanes_of(mask):
        transfer = Transfer(blk, site, lane)
        what = "tensormap.replace changes a tensor map of"
        at = locate(blk, site, lane, addresses[lane], window, SIZE, ALIGNMENT, what)
        data = with_field(blk.memory.bytes[at : at + SIZE].tobytes(), name, ordinal, values[lane])
        if data is None:
            what = f"tensormap.replace of {name} {ordinal} by {values[lane]} in a tensor map without this field"
            raise transfer.error("memory", what)
        access = one_lane(blk, lane)
        where = np.array([addresses[lane]], np.uint64)
        blk.access(site, access, where, window, SIZE, ALIGNMENT, "store")
        blk.memory.bytes[at : at + SIZE] = np.frombuffer(data, np.uint8)


def copy_map(blk: Block, site: int, mask: Mask, target: Lanes, source: Lanes, size: int) -> None:
    """`tensormap.cp_fenceproxy`: a warp copies a tensor map from shared to global memory."""
    targets, sources = numbers(blk, target, source)
    done: set[int] = set()
    for first in lanes_of(mask):
        warp = int(blk.warp_of_lane[first])
        if warp in done:
            continue
        done.add(warp)
        lane = one_lane(blk, first)
        to, at = (np.array([v[first]], np.uint64) for v in (targets, sources))
        reading = blk.access(site, lane, at, SHARED, size, ALIGNMENT, "load")
        writing = blk.access(site, lane, to, GLOBAL, size, ALIGNMENT, "store")
        start, end = int(reading.position[0]), int(writing.position[0])
        memory = blk.memory
        memory.bytes[end : end + size] = memory.bytes[start : start + size]
        if memory.undefined is not None:
            memory.undefined[end : end + size] = memory.undefined[start : start + size]


def one_lane(blk: Block, lane: int) -> Mask:
    """The mask of one thread."""
    bits = np.zeros(blk.lanes, bool)
    bits[lane] = True
    return Mask(bits)
