"""The matrix products of `tcgen05.mma`, `.sp`, `.ws` and `.ws.sp` (PTX ISA 9.7.16.10).

One thread issues a product, which is performed immediately. Sums are computed in double precision
and rounded once; the ISA does not define the rounding of intermediate sums. Locations of operands:

- An element of D occupies a word; f16 its lower half, and the upper half is set to zero.
- If A is in tensor memory, a lane holds the row of A for its row of D, packed along K into words
from the column of the address on. If A and B are in shared memory, each block of a pair has its
rows of A and half of the columns of B, the first half in the block of even rank.
- A scale factor of A, or of B, is a byte of the word in lane `i % 32` and column `i // 32` of each
  quarter of the lanes, `i` the row of A in the block, or the column of B within those that the
  quarter works on (figures 230 to 242; CUTLASS, tmem_sf_frg in
  include/cute/atom/mma_traits_sm100_frag.hpp).
- Sparse metadata: four bits for each pair of stored elements, in the order of K. In 8-bit and 4-bit
kinds a lane has the metadata of its row, in two words. In 16-bit and 32-bit kinds the first eight
of each 16 lanes hold the first half of K, the other eight the second half. The lower half of the
word in lane `i` of either eight belongs to row `i` of the first eight, the upper half to row `i` of
the other eight (figures 263, 265 and 267; CUTLASS, tmem_e_frg and tmem_e_frg_ws in the same file).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.memory import Lanes, Mask
from nvvm_xdsl.simulator.matrix.descriptors import DescriptorError, Swizzle, decode_tcgen05
from nvvm_xdsl.simulator.matrix.tensor_core_shapes import (
    BITS,
    PACKED_KINDS,
    Form,
    ShapeError,
    UnknownLayoutError,
    column_shift,
    decode,
    layout,
    zero_columns,
)
from nvvm_xdsl.simulator.matrix.tensor_memory import TensorMemory, peer_of
from nvvm_xdsl.simulator.matrix.tensor_memory_moves import (
    SHIFT_COLUMNS,
    elements_of_chunks,
    shared_bytes,
    shift_rows,
)
from nvvm_xdsl.simulator.numerics import floats as F

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

WORD = 32

MOST_SCALE = 15
"""The largest `scale-input-d`."""


@dataclass(frozen=True)
class Operands:
    """The operands of a `tcgen05.mma` by one thread."""

    d: int
    a: int
    """A descriptor, or an address of tensor memory."""
    a_in_tensor_memory: bool
    b: int
    descriptor: int
    accumulate: bool
    metadata: int = 0
    scale_a: int = 0
    scale_b: int = 0
    disabled: tuple[int, ...] = ()
    """Words of the mask of lanes that are not written."""
    scale_d: int = 0
    """Exponent of the power of two by which D is divided."""
    zero_columns: int | None = None


class _Product:
    """One product."""

    def __init__(
        self, block: Block, form: Form, operands: Operands, site: int, thread: int
    ) -> None:
        self.block = block
        self.form = form
        self.operands = operands
        self.site = site
        self.thread = thread
        block.unit(TensorMemory).use_group(form.group, site)
        try:
            self.shape = decode(operands.descriptor, form)
            self.layout = layout(self.shape, form)
        except ShapeError as error:
            word = operands.descriptor
            raise self.error("memory", f"the instruction descriptor {word:#x}: {error}") from error
        except UnknownLayoutError as error:
            raise SimulationError("unsupported", str(error), block.grid.sites[site]) from error
        if operands.scale_d and (form.kind not in ("f16", "tf32") or operands.scale_d > MOST_SCALE):
            what = f"scale-input-d of {operands.scale_d} in .kind::{form.kind}"
            raise self.error("memory", f"{what}, where f16 and tf32 have 0 to {MOST_SCALE}")
        if form.group == 1:
            self.blocks = [block]
        else:
            pair = block, peer_of(block, site)
            self.blocks = sorted(pair, key=lambda b: b.rank)

    def error(self, kind: str, message: str) -> SimulationError:
        """An error of the issuing thread."""
        return self.block.lane_error(kind, f"{message}, in", self.thread, self.site)

    def refuse(self, what: str) -> SimulationError:
        """The error for behaviour that the ISA does not define."""
        message = f"{what} is not simulated: the PTX ISA draws it, but does not describe it"
        return SimulationError("unsupported", message, self.block.grid.sites[self.site])

    # Addresses

    def lanes_of(self, address: int, what: str) -> tuple[Lanes, int]:
        """The lanes and the first column of a matrix in tensor memory."""
        lane, column = address >> 16, address & 0xFFFF
        allowed = (0, 16) if self.layout.name == "F" else (0,)
        if lane not in allowed:
            listed = " or ".join(map(str, allowed))
            where = f"layout {self.layout.name} begins at lane {listed}"
            raise self.error("memory", f"{what} at lane {lane} of tensor memory, where {where}")
        return self.layout.lanes + lane, column

    def check(self, block: Block, what: str, lanes: Lanes, column: int, columns: int) -> None:
        """Checks an access to these lanes of tensor memory."""
        first = int(lanes[0])
        count = int(lanes[-1]) + 1 - first
        name = f"tcgen05.mma, {what},"
        block.unit(TensorMemory).check(self.site, name, first, count, column, columns, self.thread)

    # Matrices

    def shared(self, block: Block, word: int, rows: int, columns: int, which: str) -> _Matrix:
        """A matrix in a block's shared memory, K along its second axis."""
        shape = self.shape
        type_ = shape.a_type if which == "A" else shape.b_type
        transposed = shape.a_transposed if which == "A" else shape.b_transposed
        bits = BITS[type_]
        padded = bits < 8 and self.form.kind not in PACKED_KINDS
        try:
            matrix = decode_tcgen05(word)
            if transposed and (matrix.swizzle is Swizzle.B128_ATOM_32B) != (bits == WORD):
                raise DescriptorError(
                    f"a transposed matrix of {type_} cannot have the swizzle {matrix.swizzle.name}"
                )
            width = 8 if padded else bits
            places = matrix.addresses(rows, columns, width, mn_major=transposed)
        except DescriptorError as error:
            raise self.error("memory", f"the descriptor {word:#x} of {which}: {error}") from error
        what = f"tcgen05.mma, matrix {which},"

        def read(addresses: Lanes) -> tuple[Lanes, Lanes]:
            return shared_bytes(block, self.site, self.thread, addresses, what)

        if padded:
            chunks = places[:, ::16, None] + np.arange(16 * bits // 8)
            data, unknown = read(chunks)
            codes = elements_of_chunks(_filled(data), bits).reshape(rows, columns)
            undefined = np.repeat(_some(unknown), 16, axis=1)
        elif bits < 8:
            data, unknown = read(places)
            codes = data >> (np.arange(columns) % 2 * 4).astype(np.uint8) & np.uint8(15)
            undefined = unknown.astype(bool)
        else:
            size = bits // 8
            data, unknown = read(places[:, :, None] + np.arange(size))
            codes = np.ascontiguousarray(data).view(f"u{size}")[:, :, 0]
            undefined = _some(unknown)
        return _Matrix(_numbers(codes, type_), undefined)

    def a_of(self, block: Block) -> _Matrix:
        """The row of A of each lane of D, in its stored form."""
        shape, form = self.shape, self.form
        stored = shape.k // 2 if form.sparse else shape.k
        if not self.operands.a_in_tensor_memory:
            rows = shape.m // form.group
            return self.shared(block, self.operands.a, rows, stored, "A").take(self.layout.rows)
        if self.operands.a >> 16 != self.operands.d >> 16:
            raise self.error("memory", "matrices A and D at different lanes of tensor memory")
        bits = BITS[shape.a_type]
        if bits < 8 and form.kind not in PACKED_KINDS:
            bits = 8
        lanes, column = self.lanes_of(self.operands.a, "matrix A")
        words, undefined = self.words(block, "matrix A", lanes, column, stored * bits // WORD)
        if bits == 4:
            codes = _nibbles(words)
            unknown = _nibbles(undefined).astype(bool)
        else:
            codes = words.view(f"u{bits // 8}")
            unknown = undefined.view(f"u{bits // 8}").astype(bool)
        if bits == 8 and shape.a_type in ("e2m1", "e3m2"):
            # The layout that tcgen05.cp writes.
            codes = codes >> np.uint8(2 if shape.a_type == "e2m1" else 1)
        elif shape.a_type == "e2m3":
            raise self.refuse("matrix A of e2m3 in tensor memory")
        return _Matrix(_numbers(codes, shape.a_type), unknown)

    def words(
        self, block: Block, what: str, lanes: Lanes, column: int, columns: int
    ) -> tuple[Lanes, Lanes]:
        """Words of tensor memory and their undefined bits."""
        self.check(block, what, lanes, column, columns)
        memory = block.unit(TensorMemory)
        place = lanes[:, None], column + np.arange(columns)
        words = memory.words[place]
        undefined = np.zeros_like(words) if memory.undefined is None else memory.undefined[place]
        return words, undefined

    def matrix_b(self) -> _Matrix:
        """The transpose of B."""
        shape, form = self.shape, self.form
        count = shape.n // form.group
        mask = self.operands.zero_columns
        if mask is None:
            parts = [
                self.shared(block, self.operands.b, count, shape.k, "B") for block in self.blocks
            ]
            return _Matrix(
                np.concatenate([p.values for p in parts]),
                np.concatenate([p.undefined for p in parts]),
            )
        try:
            skipped = column_shift(mask, shape.m)
        except ShapeError as error:
            raise self.error("memory", f"the zero-column mask {mask:#x}: {error}") from error
        zero = zero_columns(mask, shape.m, shape.n)
        used = np.flatnonzero(~zero) + skipped
        whole = np.zeros((shape.n, shape.k), np.int64 if form.kind == "i8" else np.float64)
        undefined = np.zeros(whole.shape, bool)
        if used.size:
            # Elements for a zero column are not read.
            read = self.shared(self.block, self.operands.b, int(used[-1]) + 1, shape.k, "B")
            whole[~zero], undefined[~zero] = read.values[used], read.undefined[used]
        return _Matrix(whole, undefined)

    def dense(self, block: Block, stored: _Matrix) -> _Matrix:
        """A with the zeros that sparse storage omits."""
        if not self.form.sparse:
            return stored
        indices, unknown = self.metadata(block)
        shape = self.shape
        count = self.layout.lanes.size
        rows = np.arange(count)[:, None]
        values = np.zeros((count, shape.k), stored.values.dtype)
        undefined = np.zeros(values.shape, bool)
        values[rows, indices] = stored.values
        undefined[rows, indices] = stored.undefined
        return _Matrix(values, undefined | unknown[:, None])

    def metadata(self, block: Block) -> tuple[Lanes, Lanes]:
        """For each lane the positions of its stored elements along K, and whether they are
        undefined."""
        shape, form = self.shape, self.form
        address = self.operands.metadata
        lanes, column = self.lanes_of(address, "the sparsity metadata")
        if form.kind in ("f16", "tf32"):
            if shape.selector > 1 or column & 1:
                raise self.refuse(
                    f"a sparsity selector of {shape.selector} with metadata at column {column}"
                )
            words, undefined = self.words(
                block, "the sparsity metadata", lanes, column + shape.selector, 1
            )
            first = lanes // 16 * 16 + lanes % 8
            upper = (lanes % 16 // 8 * 16).astype(np.uint32)
            halves = [words[first + 8 * half, 0] >> upper & 0xFFFF for half in range(2)]
            nibbles = _nibbles(np.stack(halves, axis=1)).reshape(lanes.size, 2, 8)[:, :, :4]
            nibbles = nibbles.reshape(lanes.size, 8)
            unknown = (undefined[first, 0] | undefined[first + 8, 0]).astype(bool)
        else:
            words, undefined = self.words(block, "the sparsity metadata", lanes, column, 2)
            nibbles, unknown = _nibbles(words), _some(undefined)
        low, high = nibbles & 3, nibbles >> 2
        chunk = np.arange(nibbles.shape[1])
        if form.kind == "tf32":
            if not np.isin(nibbles, (0b1110, 0b0100)).all():
                raise self.error("memory", "sparsity metadata of tf32 that is neither 0xE nor 0x4")
            return 2 * chunk + (nibbles == 0b1110), unknown
        if (low >= high).any():
            raise self.error("memory", "sparsity metadata whose two indices do not ascend")
        if form.kind in PACKED_KINDS:
            pair = np.stack([8 * chunk + 2 * low, 8 * chunk + 2 * high], axis=2)
            indices = (pair[..., None] + np.arange(2)).reshape(low.shape[0], -1)
            return indices, unknown
        return np.stack([4 * chunk + low, 4 * chunk + high], axis=2).reshape(
            low.shape[0], -1
        ), unknown

    def factors(self, block: Block, which: str, of_lane: Lanes) -> Lanes:
        """Scale factors of rows of A or columns of B.

        Arguments:
            of_lane: for each lane the numbers of the rows or columns, shape (lanes, count).

        Returns:
            Shape (lanes, count, factors).
        """
        shape, count = self.shape, self.form.scales
        address = self.operands.scale_a if which == "A" else self.operands.scale_b
        number = shape.a_scale_id if which == "A" else shape.b_scale_id
        lanes, column = self.lanes_of(address, f"the scale factors of {which}")
        columns = int(of_lane.max()) // WORD + 1
        self.check(block, f"the scale factors of {which}", lanes, column, columns)
        quarter = (self.layout.lanes // WORD * WORD)[:, None]
        words = block.unit(TensorMemory).words[quarter + of_lane % WORD, column + of_lane // WORD]
        codes = np.ascontiguousarray(words)[..., None].view(np.uint8)[..., number : number + count]
        if shape.scale_type == "ue4m3":
            return np.where(codes & 0x7F == 0x7F, np.nan, F.small_float(codes & 0x7F, 4, 3))
        return np.where(codes == 0xFF, np.nan, 2.0 ** (codes.astype(np.int64) - 127))

    # The product

    def run(self) -> None:
        """Computes D."""
        b = self.matrix_b()
        results = [(block, *self.of_block(block, b)) for block in self.blocks]
        for block, values, undefined in results:
            self.store(block, values, undefined)
        if self.form.a_shift:
            lanes, column = self.lanes_of(self.operands.a, "matrix A")
            for block in self.blocks:
                shift_rows(block.unit(TensorMemory), lanes, column + np.arange(SHIFT_COLUMNS))

    def of_block(self, block: Block, b: _Matrix) -> tuple[Lanes, Lanes]:
        """The product for each lane and column of a block, and its undefined elements."""
        shape, place = self.shape, self.layout
        a = self.dense(block, self.a_of(block))
        left = -a.values if shape.a_negated else a.values
        right = -b.values if shape.b_negated else b.values
        values = np.zeros((place.lanes.size, place.width), left.dtype)
        undefined = np.zeros(values.shape, bool)
        scales: Lanes | None = None
        if self.form.scales:
            rows = self.factors(block, "A", place.rows[:, None])[:, 0]
            left = left * np.repeat(rows, shape.k // self.form.scales, axis=1)
            every = np.arange(place.width)[None, :] + 0 * place.lanes[:, None]
            scales = self.factors(block, "B", every)
        for quarter in range(4):
            here = np.flatnonzero(place.lanes // WORD == quarter)
            first = int(place.first[here[0]])
            part = right[first : first + place.width]
            if scales is not None:
                factor: Lanes = scales[int(here[0])]
                part = part * np.repeat(factor, shape.k // self.form.scales, axis=1)
            values[here] = left[here] @ part.T
            unknown = _some(b.undefined[first : first + place.width])
            undefined[here] = _some(a.undefined[here])[:, None] | unknown
        return values, undefined

    def store(self, block: Block, values: Lanes, undefined: Lanes) -> None:
        """Adds D, rounds, and writes the result to enabled lanes."""
        operands, shape = self.operands, self.shape
        lanes, column = self.lanes_of(operands.d, "matrix D")
        old, shadow = self.words(block, "matrix D", lanes, column, self.layout.width)
        if operands.accumulate:
            if shape.d_type == "f16":
                old, shadow = old.astype(np.uint16), shadow.astype(np.uint16)
            values = values + _numbers(old, shape.d_type) * (
                1 if shape.d_type == "s32" else 2.0**-operands.scale_d
            )
            undefined = undefined | (shadow != 0)
        if shape.d_type == "s32":
            if shape.saturate:
                values = np.clip(values, -(1 << 31), (1 << 31) - 1)
            words = values.astype(np.uint32)
        else:
            rounded = np.ascontiguousarray(F.round_to(values, shape.d_type))
            words = F.bits(rounded, shape.d_type).astype(np.uint32)
        kept = np.ones(lanes.size, bool)
        if operands.disabled:
            mask = np.array(operands.disabled, np.uint32).view(np.uint8)
            bits = np.unpackbits(mask, bitorder="little").reshape(self.form.group, 128)
            if self.form.group == 2 and self.block.rank & 1 and (bits[0] != bits[1]).any():
                raise self.refuse("disable-output-lane given by the odd block of a pair")
            kept = bits[self.blocks.index(block)][lanes] == 0
        columns = column + np.arange(self.layout.width)
        mark = np.where(undefined, np.uint32(0xFFFFFFFF), np.uint32(0))
        block.unit(TensorMemory).write(lanes[kept][:, None], columns, words[kept], mark[kept])


@dataclass
class _Matrix:
    values: Lanes
    undefined: Lanes

    def take(self, rows: Lanes) -> _Matrix:
        """The matrix of the given rows."""
        return _Matrix(self.values[rows], self.undefined[rows])


def _some(marks: Lanes) -> Lanes:
    """Whether each vector along the last axis has a nonzero element."""
    return np.logical_or.reduce(marks, axis=-1)


def _filled(data: Lanes) -> Lanes:
    """Chunks extended by the padding, which is not read."""
    padding = np.zeros((*data.shape[:-1], 16 - data.shape[-1]), np.uint8)
    return np.concatenate([data, padding], axis=-1)


def _nibbles(words: Lanes) -> Lanes:
    """Groups of four bits, from the lowest of the first word on."""
    parts = words[..., None] >> np.arange(0, WORD, 4, dtype=np.uint32) & np.uint32(15)
    return parts.reshape(*words.shape[:-1], -1).astype(np.int64)


_SMALL = {"e4m3": (4, 3), "e5m2": (5, 2), "e2m3": (2, 3), "e3m2": (3, 2), "e2m1": (2, 1)}


def _numbers(codes: Lanes, type_: str) -> Lanes:
    """The values of codes: float64, or int64 for integers."""
    if type_ in _SMALL:
        exponent, mantissa = _SMALL[type_]
        return F.small_float(codes & (1 << 1 + exponent + mantissa) - 1, exponent, mantissa)
    if type_ in ("s8", "s32"):
        return codes.view(f"i{codes.dtype.itemsize}").astype(np.int64)
    if type_ == "u8":
        return codes.astype(np.int64)
    if type_ == "tf32":
        return (codes & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)
    return F.widen(np.ascontiguousarray(codes).view(F.DTYPE[type_]), type_)


Issue = Callable[..., None]


def multiply(form: Form, site: int, read: Callable[[list[Any]], Operands]) -> Issue:
    """`tcgen05.mma`: `read` converts one thread's registers to operands."""

    def run(block: Block, mask: Mask, *registers: Lanes) -> None:
        wide = [np.broadcast_to(r, (block.lanes,)) for r in registers]
        for thread in mask.index.tolist():
            operands = read([int(r[thread]) for r in wide])
            _Product(block, form, operands, site, thread).run()

    return run
