"""Matrix instructions of a warpgroup: `wgmma.mma_async` and its sparse form (PTX ISA, 9.7.15).

The product is computed when all four warps have reached the instruction, from the current registers
and shared memory; the accumulators change immediately. A program with defined behaviour does not
access the accumulators or operands before `wgmma.wait_group` (PTX ISA). `wgmma.fence` and
`commit_group` therefore do nothing, and `wait_group` only informs the race check that the
warpgroup's reads are complete.

Products are exact; their sum with the accumulator is computed in double precision and rounded once
to the accumulator's format. Integers are exact; without `.satfinite` they wrap.

Fragments: thread `4 g + t` of warp `w` holds elements of rows `16 w + g` and `16 w + g + 8`, as in
`mma.sync` (9.7.15.5.1.1). A sparse matrix A stores half of its elements, as a dense matrix with
half the columns. Two of four adjacent threads, or all four if elements are bytes, hold the metadata
with the columns of the stored elements (9.7.15.6.1), four bits for two elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import SHARED, Lanes
from nvvm_xdsl.simulator.matrix.descriptors import Addresses, DescriptorError, decode_wgmma
from nvvm_xdsl.simulator.matrix.ldmatrix import ELEMENT_BITS, coordinates, unpack
from nvvm_xdsl.simulator.matrix.sparse_metadata import columns_of
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.ptx.source_operands import (
    Context,
    Group,
    Operand,
    Register,
    Wait,
    as_register,
    constant_of,
)

WARPS = 4
ROWS = 64
WARPGROUP = WARPS * WARP_SIZE

_INTEGERS = frozenset({"s8", "u8", "b1"})
_TRANSPOSED = frozenset({"f16", "bf16"})
_ROWS_OF_WARP = ROWS // WARPS


@dataclass(frozen=True)
class Form:
    """The modifiers and immediate operands of one instruction."""

    n: int
    k: int
    types: tuple[str, str, str]
    """Width in bits of the elements of D, A and B."""
    sparse: bool = False
    saturate: bool = False
    signs: tuple[int, int] = (1, 1)
    """The factor of A and B: 1 or -1."""
    transposed: tuple[bool, bool] = (False, False)
    """Whether A and B in shared memory are contiguous along M and N."""
    selector: int = 0

    @property
    def stored(self) -> int:
        """Number of stored columns of A."""
        return self.k // 2 if self.sparse else self.k


def _bits(type_: str) -> int:
    return 1 if type_ == "b1" else ELEMENT_BITS[type_]


def scale_position(mods: Sequence[str]) -> int:
    """The index, after the accumulators, of the predicate operand scale-d."""
    return 4 if "sp" in mods else 2


def wait(at: Context, mods: list[str], operands: Sequence[Operand], site: int) -> Wait:
    """Generates a `wgmma.mma_async`, whose operands follow the old values of the accumulators."""
    accumulators, a, b, *rest = operands
    assert isinstance(accumulators, Group)
    assert isinstance(b, Register)
    sparse = "sp" in mods
    registers: list[Register] = [*accumulators.parts]
    registers += a.parts if isinstance(a, Group) else [as_register(a)]
    registers.append(b)
    selector = 0
    if sparse:
        metadata, chosen, *rest = rest
        registers.append(as_register(metadata))
        selector = constant_of(at, as_register(chosen))
    scale, *immediates = (as_register(o) for o in rest)
    registers.append(scale)
    numbers = [constant_of(at, r) for r in immediates]
    form = _form(at, mods, isinstance(a, Group), selector, numbers)
    count = len(accumulators.parts)
    slot = f"blk.slot[{site}]"
    names = [r.name for r in registers]
    shadows: list[int] = []
    if at.to.tracking:
        for i, r in enumerate(registers):
            if r.undefined:
                shadows.append(i)
                names.append(f"L.undefined_lanes({r.undefined}, u4)")
    function = _product(form, site, count, isinstance(a, Group), tuple(shadows), at.to.tracking)
    packed = "".join(f"{name}, " for name in names)
    members = at.to.array(0xFFFFFFFF, np.uint32)
    condition = (
        f"blk.gather({site}, {at.mask}, {members}, {at.to.constant(function)}, ({packed}), "
        f"{WARPGROUP})"
    )

    def results() -> list[Leaf]:
        return [
            Leaf(
                f"{slot}[{i}]",
                f"L.undefined_or_none({slot}[{count + i}])" if at.to.tracking else None,
            )
            for i in range(count)
        ]

    return Wait(condition, results)


def order(at: Context, mods: list[str], operands: Sequence[Operand]) -> list[Leaf]:
    """Generates `wgmma.fence`, `commit_group` and `wait_group`."""
    if mods[0] == "wait_group":
        at.to.line("if blk.grid.races is not None:")
        at.to.line(f"  blk.grid.races.synchronize_warp(blk, {at.mask}.bits)")
        at.to.line(f"  blk.grid.races.end_reads(blk, {at.mask}.bits, {WARPGROUP})")
    return []


def _form(
    at: Context, mods: Sequence[str], a_in_registers: bool, selector: int, numbers: Sequence[int]
) -> Form:
    shape = next((m for m in map(_SHAPE.fullmatch, mods) if m), None)
    types = [m for m in mods if m in ELEMENT_BITS or m == "b1"]
    if shape is None or len(types) != 3:
        raise at.to.unsupported(at.op, "this form of wgmma.mma_async")
    sparse = "sp" in mods
    if not 0 <= selector < (2 if sparse and ELEMENT_BITS.get(types[1], 8) > 8 else 1):
        raise at.to.unsupported(at.op, f"the sparsity selector {selector}")
    signs = [-1 if n & 0x80000000 else 1 for n in numbers[:2]] or [1, 1]
    turned = [bool(n) for n in numbers[2:]]
    if a_in_registers:
        turned.insert(0, False)
    if any(turned) and types[1] not in _TRANSPOSED:
        raise at.to.unsupported(at.op, f"a transposed matrix of {types[1]}")
    return Form(
        n=int(shape[1]),
        k=int(shape[2]),
        types=(types[0], types[1], types[2]),
        sparse=sparse,
        saturate="satfinite" in mods,
        signs=(signs[0], signs[1]),
        transposed=(turned[0], turned[1]) if len(turned) == 2 else (False, False),
        selector=selector,
    )


_SHAPE = re.compile(r"m64n(\d+)k(\d+)")


# One product


def _product(
    form: Form, site: int, count: int, a_in_registers: bool, shadows: Sequence[int], tracking: bool
) -> Callable[..., tuple[Lanes, ...]]:
    """The computation of the warpgroup once all of its threads have arrived: from registers to the
    new accumulators and, if tracking, their shadows.

    Arguments:
        count: number of accumulator registers.
        shadows: whether each register has a mask of undefined bits; the masks follow the registers.
    """
    a_count = WARPS if a_in_registers else 1
    total = count + a_count + 2 + form.sparse

    def run(block: Block, lanes: Lanes, members: Lanes, *values: Lanes) -> tuple[Lanes, ...]:
        every = [np.broadcast_to(v, (block.lanes,)) for v in values]
        out = np.zeros((2 * count if tracking else count, block.lanes), np.uint32)
        for first in range(0, block.lanes, WARPGROUP):
            if not lanes[first]:
                continue
            part = slice(first, first + WARPGROUP)
            held = [v[part] for v in every]
            unknown = dict(zip(shadows, held[total:]))
            group = _Warpgroup(block, site, first)
            accumulators = _stack(held[:count])
            keeps = bool(group.same(held[total - 1], "values of scale-d"))
            if a_in_registers:
                a = _from_fragments(
                    _stack(held[count : count + a_count]), form.stored, form.types[1], "a"
                )
                undefined_rows = _rows_of(unknown, range(count, count + a_count))
            else:
                word = int(group.same(held[count], "descriptors of A"))
                a, undefined = group.load(
                    word, ROWS, form.stored, form.types[1], form.transposed[0], True
                )
                undefined_rows = undefined
            word = int(group.same(held[count + a_count], "descriptors of B"))
            b, undefined_columns = group.load(
                word, form.n, form.k, form.types[2], form.transposed[1], False
            )
            columns = None
            if form.sparse:
                columns = _columns(group, held[count + a_count + 1], form)
            sums = _multiply(a * form.signs[0], b * form.signs[1], columns)
            if keeps:
                sums = sums + _from_fragments(accumulators, form.n, form.types[0], "c")
            out[:count, part] = _to_fragments(_rounded(sums, form), count)
            if tracking:
                shadow = undefined_rows[:, None] | undefined_columns[None, :]
                if form.sparse and count + a_count + 1 in unknown:
                    shadow = shadow | unknown[count + a_count + 1].any()
                mask = np.where(_to_lanes(shadow, count), np.uint32(0xFFFFFFFF), np.uint32(0))
                if keeps:
                    for i in range(count):
                        if i in unknown:
                            mask[i] |= unknown[i]
                out[count:, part] = mask
        return tuple(out)

    return run


def _stack(registers: Sequence[Lanes]) -> Lanes:
    """The registers of 128 threads as (warp, lane, register)."""
    return np.stack(registers, axis=1).reshape(WARPS, WARP_SIZE, len(registers))


def _per_register(type_: str) -> int:
    return 32 // _bits(type_)


def _from_fragments(registers: Lanes, columns: int, type_: str, operand: str) -> Lanes:
    """A matrix of 64 rows whose fragments are distributed over a warpgroup."""
    values = _unpacked(registers, type_)
    per_register = 2 if operand == "c" else _per_register(type_)
    out = np.zeros((WARPS, _ROWS_OF_WARP, columns), values.dtype)
    out[:, *coordinates(_ROWS_OF_WARP, columns, per_register, operand)] = values
    return out.reshape(ROWS, columns)


def _unpacked(raw: Lanes, type_: str) -> Lanes:
    if type_ == "b1":
        octets = np.ascontiguousarray(raw).view(np.uint8)
        return np.unpackbits(octets, axis=-1, bitorder="little").astype(np.float64)
    return unpack(raw, type_).astype(np.float64)


def _to_fragments(matrix: Lanes, count: int) -> Lanes:
    """The bits of D's registers, (register, thread)."""
    elements = matrix.reshape(WARPS, _ROWS_OF_WARP, -1)
    held = elements[:, *coordinates(_ROWS_OF_WARP, elements.shape[2], 2, "c")]
    return np.ascontiguousarray(held).view(np.uint32).reshape(WARPGROUP, count).T


def _to_lanes(matrix: Lanes, count: int) -> Lanes:
    """Whether any element of each of D's registers is marked, (register, thread)."""
    elements = matrix.reshape(WARPS, _ROWS_OF_WARP, -1)
    held = elements[:, *coordinates(_ROWS_OF_WARP, elements.shape[2], 2, "c")]
    marked: Lanes = (held.reshape(WARPGROUP, count, -1) != 0).any(axis=2)
    return marked.T


def _rows_of(unknown: dict[int, Lanes], registers: range) -> Lanes:
    """The rows of A with undefined elements, where its fragments are in registers."""
    out = np.zeros((WARPS, _ROWS_OF_WARP), bool)
    for position, register in enumerate(registers):
        if register in unknown:
            marked = (unknown[register] != 0).reshape(WARPS, WARP_SIZE // 4, 4).any(axis=2)
            half = slice(8, 16) if position % 2 else slice(0, 8)
            out[:, half] |= marked
    return out.reshape(ROWS)


def _multiply(a: Lanes, b: Lanes, columns: Lanes | None) -> Lanes:
    """Sums of products of the rows of A and B; `columns` are the columns of A's stored elements, if
    any."""
    if columns is None:
        return a @ b.T
    # Only stored elements are multiplied, so that an omitted zero is not multiplied by an infinity.
    return np.einsum("rk,nrk->rn", a, b[:, columns])


def _rounded(sums: Lanes, form: Form) -> Lanes:
    type_ = form.types[0]
    if form.types[1] in _INTEGERS:
        low, high = -(1 << 31), (1 << 31) - 1
        exact = sums.astype(np.int64)
        return (np.clip(exact, low, high) if form.saturate else exact).astype(np.uint32)
    return F.bits(F.round_to(sums, type_), type_)


def _columns(group: _Warpgroup, metadata: Lanes, form: Form) -> Lanes:
    """The column of each stored element of A, (64, k / 2)."""
    words = metadata.reshape(WARPS, WARP_SIZE)
    columns, index, wrong = columns_of(words, form.k, _bits(form.types[1]), form.selector)
    if wrong.any():
        warp, row, chunk = (int(i[0]) for i in np.nonzero(wrong))
        message = f"invalid sparse metadata {int(index[warp, row, chunk]):#06b}"
        raise group.error(f"{message}, of row {warp * _ROWS_OF_WARP + row} of the warpgroup of")
    return columns.reshape(ROWS, form.stored)


@lru_cache(maxsize=512)
def _addresses(word: int, rows: int, columns: int, bits: int, mn_major: bool) -> Addresses:
    return decode_wgmma(word).addresses(rows, columns, bits, mn_major=mn_major)


@dataclass(frozen=True)
class _Warpgroup:
    """128 threads at one instruction."""

    block: Block
    site: int
    first: int

    def error(self, message: str, kind: str = "sync") -> Exception:
        """Makes an error at the warpgroup's first lane."""
        return self.block.lane_error(kind, message, self.first, self.site)

    def same(self, values: Lanes, what: str) -> Any:
        """The uniform value of all threads."""
        if (values != values[0]).any():
            raise self.error(f"different {what} in the warpgroup of")
        return values[0]

    def load(
        self, word: int, rows: int, columns: int, type_: str, mn_major: bool, by_warps: bool
    ) -> tuple[Lanes, Lanes]:
        """A matrix in shared memory, and its rows with undefined elements.

        `by_warps`: whether each warp reads only its own rows, as for A.
        """
        memory = self.block.memory
        bits = _bits(type_)
        if bits < 8:
            columns, bits = columns * bits // 8, 8
        try:
            low = _addresses(word, rows, columns, bits, mn_major)
        except DescriptorError as error:
            raise self.error(f"{error}, in a descriptor of", "memory") from error
        low = low + (self.block.shared_base & ~0x3FFFF)
        position = memory.position(SHARED, 0) + low
        outside = (low < memory.base[SHARED]) | (low >= memory.length[SHARED])
        owned = memory.owner[np.where(outside, memory.offset[SHARED], position)]
        wrong = outside | (owned == 0)
        if wrong.any():
            at = int(low[wrong][0])
            place = memory.nearest(SHARED, at)
            raise self.error(
                f"out of bounds: matrix at shared address {at:#x} ({place}), read by", "memory"
            )
        size = bits // 8
        if self.block.grid.races is not None:
            parts = position.reshape(WARPS, -1) if by_warps else np.stack([position] * WARPS)
            for warp, part in enumerate(parts):
                octets = (part.reshape(-1, 1) + np.arange(size)).reshape(-1)
                lane = self.first + warp * WARP_SIZE
                self.block.grid.races.begin_reads(self.block, self.site, lane, octets)
        undefined = np.zeros(rows, bool)
        if memory.undefined is not None:
            for i in range(size):
                undefined |= (memory.undefined[position + i] != 0).any(axis=1)
        return _unpacked(memory.views[size][position // size], type_), undefined
