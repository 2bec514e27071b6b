"""`mma`: products of matrices whose fragments are in the registers of a warp (PTX ISA, 9.7.14.5,
.6).

Dense, with a sparse A (`mma.sp`), and with block scaling. Products are exact; their sum with C is
computed in double precision and rounded once to the accumulator's format. Integers are exact;
without `.satfinite` they wrap.

Thread `4 g + t` of a warp holds elements of rows `g` and `g + 8`; consecutive elements of a row
share a register. `mma.m8n8k4` of f16 consists of four products, each computed by eight threads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import Lanes
from nvvm_xdsl.simulator.matrix.ldmatrix import ELEMENT_BITS, coordinates, unpack
from nvvm_xdsl.simulator.matrix.sparse_metadata import columns_of, selectors
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.ptx.source_operands import Context, Group, Operand, Wait, as_register
from nvvm_xdsl.simulator.ptx.warp_ops import by_warps

INTEGERS = frozenset({"s8", "u8", "s4", "u4", "b1"})
_SMALL = {"e4m3": (4, 3), "e5m2": (5, 2), "e3m2": (3, 2), "e2m3": (2, 3), "e2m1": (2, 1)}
"""Bits of exponent and fraction."""

BITS = {**ELEMENT_BITS, "s4": 4, "u4": 4, "b1": 1, "e3m2": 8, "e2m3": 8, "e2m1": 8}
"""Width in bits of elements in registers; `.e2m1` takes 4 with `.kind::mxf4` and
`.kind::mxf4nvf4`."""

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_VECTORS = {"mxf8f6f4": 1, "mxf4": 2, "mxf4nvf4": 2}
"""The default number of scales of a row or column."""


@dataclass(frozen=True)
class Form:
    """The meaning of an instruction's modifiers."""

    m: int
    n: int
    k: int
    d: str
    a: str
    b: str
    c: str
    layouts: tuple[str, str]
    saturate: bool = False
    bit_operation: str = ""
    sparse: bool = False
    narrow: bool = False
    """Whether 4-bit elements are packed."""
    scale: str = ""
    """The type of the scales; None if there are none."""
    vectors: int = 1
    """Number of scales of each row of A and column of B."""

    @property
    def stored(self) -> int:
        """Number of stored columns of A."""
        return self.k // 2 if self.sparse else self.k

    @property
    def quads(self) -> bool:
        """Whether it consists of four products, each computed by eight threads."""
        return (self.m, self.k, self.a) == (8, 4, "f16")

    @property
    def registers(self) -> tuple[int, int, int, int]:
        """The number of registers of A, B, C and D per thread."""
        if self.quads:
            return 2, 2, 4 if self.c == "f16" else 8, 4 if self.d == "f16" else 8
        a, b = self.m * self.stored * self.bits(self.a), self.k * self.n * self.bits(self.b)
        wide = WARP_SIZE * max(32, self.bits(self.a))
        elements = self.m * self.n // WARP_SIZE
        c, d = (elements // 2 if type_ == "f16" else elements for type_ in (self.c, self.d))
        return max(1, a // wide), max(1, b // wide), c, d

    def bits(self, type_: str) -> int:
        """Width in bits of an element in a register."""
        return 4 if self.narrow and type_ == "e2m1" else BITS[type_]


def _form(at: Context, mods: Sequence[str]) -> Form:
    shape = next((m for m in map(_SHAPE.fullmatch, mods) if m), None)
    types = [m for m in mods if m in BITS]
    layouts = [m for m in mods if m in ("row", "col")]
    if shape is None or len(types) != 4 or len(layouts) != 2:
        raise at.to.unsupported(at.op, "this form of mma")
    m, n, k = (int(g) for g in shape.groups())
    kind = next((m.removeprefix("kind::") for m in mods if m.startswith("kind::")), "")
    vectors = next((int(m[11]) for m in mods if m.startswith("scale_vec::")), None)
    form = Form(
        m, n, k, *types, layouts=(layouts[0], layouts[1]),
        saturate="satfinite" in mods,
        bit_operation=next((m for m in mods if m in ("xor", "and")), ""),
        sparse=mods[0] in ("sp", "sp::ordered_metadata"),
        narrow=kind.startswith("mxf4"),
        scale=next((m for m in mods if m in ("ue8m0", "ue4m3")), "") if "block_scale" in mods else "",
        vectors=vectors or _VECTORS.get(kind, 1),
    )  # fmt: skip
    if n != 8 or m not in (8, 16) or (not form.quads and form.layouts != ("row", "col")):
        raise at.to.unsupported(at.op, "this form of mma")
    return form


def wait(
    at: Context,
    mods: list[str],
    operands: Sequence[Operand],
    gather: Callable[[str, Any, Sequence[str]], str],
    slot: str,
) -> Wait:
    """Generates an `mma`, with the operands A, B, C, then metadata and selector of a sparse A, then
    scales."""
    form = _form(at, mods)
    names: list[str] = []
    for operand in operands:
        parts = operand.parts if isinstance(operand, Group) else (as_register(operand),)
        names += [p.name for p in parts]
    site = at.site()
    return Wait(
        gather(at.array(0xFFFFFFFF), product(form, site), names),
        lambda: [Leaf(f"{slot}[{i}]") for i in range(form.registers[3])],
    )


# Elements in registers


def elements(registers: Lanes, type_: str, bits: int) -> Lanes:
    """Registers (..., count) as numbers (..., elements); integers as int64, floats as float64."""
    raw = np.ascontiguousarray(registers)
    if type_ in _SMALL:
        if bits == 4:
            return F.small_float(_fields(raw, 4), *_SMALL[type_])
        octets = raw.view(np.uint8)
        # In a byte, the four bits of e2m1 are bits 2 to 5, the six bits of e3m2 and e2m3 are bits 0
        # to 5.
        return F.small_float(octets >> 2 if type_ == "e2m1" else octets, *_SMALL[type_])
    if type_ == "b1":
        return _fields(raw, 1)
    if type_ in ("s4", "u4"):
        values = _fields(raw, 4)
        return np.where(values >= 8, values - 16, values) if type_ == "s4" else values
    return unpack(raw, type_)


def _fields(words: Lanes, bits: int) -> Lanes:
    """The fields of `bits` bits of 32-bit registers, lowest first."""
    shifts = np.arange(0, 32, bits, dtype=np.uint32)
    parts = words[..., None] >> shifts & np.uint32((1 << bits) - 1)
    return parts.reshape(*words.shape[:-1], -1).astype(np.int64)


def registers_of(values: Lanes, type_: str, saturate: bool = False) -> Lanes:
    """Numbers (..., elements) rounded to a type, as registers (..., count).

    `saturate` clamps integers to the type's range and converts infinities to its largest numbers
    and NaNs to zero (CUDA C++ Programming Guide, `satf` of `mma_sync`).
    """
    if type_ == "s32":
        low, high = -(1 << 31), (1 << 31) - 1
        return (np.clip(values, low, high) if saturate else values).astype(np.uint32)
    if type_ == "f64":
        return np.ascontiguousarray(values).view(np.uint64)
    rounded = F.round_to(np.ascontiguousarray(values), type_)
    if saturate:
        rounded = np.nan_to_num(rounded)
    return np.ascontiguousarray(rounded).view(np.uint32)


# One product


def multiply(a: Lanes, b: Lanes, bit_operation: str = "", columns: Lanes | None = None) -> Lanes:
    """Sums of products of rows of A, (..., m, k), and columns of B, (..., k, n).

    `bit_operation`: `xor` or `and` of bits instead of products. `columns`, (warps, m, k): the row
    of B for each element of A. Only stored elements are multiplied, so that an omitted zero is not
    multiplied by an infinity.
    """
    if columns is not None:
        chosen = np.take_along_axis(b, columns[..., None], axis=-2)
        return np.einsum("wqmk,wmkn->wmn", a, chosen)[:, None]
    product = a @ b
    if bit_operation == "xor":
        return a.sum(-1)[..., None] + b.sum(-2)[..., None, :] - 2 * product
    return product


def multiply_add(
    a: Lanes,
    b: Lanes,
    c: Lanes,
    type_: str,
    bit_operation: str = "",
    rounding: str = "rn",
    columns: Lanes | None = None,
) -> Lanes:
    """`a * b + c` before rounding to the type; f64 is rounded in each multiply-add."""
    if type_ != "f64":
        return multiply(a, b, bit_operation, columns) + c
    sums: Lanes = c.reshape(-1)
    for i in range(a.shape[-1]):
        left = np.broadcast_to(a[..., :, i, None], c.shape).reshape(-1)
        right = np.broadcast_to(b[..., i, None, :], c.shape).reshape(-1)
        sums = F.fma(left, right, sums, "f64", rounding)
    return sums.reshape(c.shape)


def _places(form: Form, rows: int, columns: int, bits: int, operand: str) -> tuple[Any, ...]:
    """The product, row and column of each thread's elements, in register order."""
    if form.quads:
        return _quad_places(form, operand)
    per_register = 2 if operand == "c" else max(1, 32 // bits)
    return (0, *coordinates(rows, columns, per_register, operand))


def _quad_places(form: Form, operand: str) -> tuple[Lanes, Lanes, Lanes]:
    lane = np.arange(WARP_SIZE)[:, None]
    high, within = lane // 16 * 4, lane % 4
    count = 8 if operand in "cd" else 4
    i = np.arange(count)[None, :]
    if operand == "a":
        row, column = (high + within, i) if form.layouts[0] == "row" else (high + i, within)
    elif operand == "b":
        row, column = (within, high + i) if form.layouts[1] == "row" else (i, high + within)
    elif (form.c if operand == "c" else form.d) == "f16":
        row, column = high + within, i
    else:
        row, column = high + (lane & 1) + (i & 2), (i & 4) + (lane & 2) + (i & 1)
    shape = (WARP_SIZE, count)
    quad = np.broadcast_to(lane % 16 // 4, shape)
    return quad, np.broadcast_to(row, shape), np.broadcast_to(column, shape)


def product(form: Form, site: int) -> Callable[..., tuple[Lanes, ...]]:
    """`mma`: the registers of D, for those of A, B and C."""
    counts = form.registers
    ends = [sum(counts[: i + 1]) for i in range(3)]

    def matrix(stacked: list[Lanes], index: int, rows: int, columns: int, type_: str) -> Lanes:
        held = np.stack(stacked[ends[index] - counts[index] : ends[index]], axis=2)
        values = elements(held, type_, form.bits(type_))
        out = np.zeros((held.shape[0], 4 if form.quads else 1, rows, columns), values.dtype)
        out[:, *_places(form, rows, columns, form.bits(type_), "abc"[index])] = values
        return out

    def run(block: Block, lanes: Lanes, members: Lanes, *registers: Lanes) -> tuple[Lanes, ...]:
        stacked = [by_warps(block, r) for r in registers]
        a = matrix(stacked, 0, form.m, form.stored, form.a)
        b = matrix(stacked, 1, form.k, form.n, form.b)
        c = matrix(stacked, 2, form.m, form.n, form.c)
        rest = stacked[ends[2] :]
        columns = None
        if form.sparse:
            columns = _columns(block, form, site, lanes, rest[0], rest[1])
            rest = rest[2:]
        if form.scale:
            a, b = _scaled(form, a[:, 0], b[:, 0], columns, rest)
            a, b = a[:, None], b[:, None]
        sums = multiply_add(a, b, c, form.d, form.bit_operation, columns=columns)
        held = sums[:, *_places(form, form.m, form.n, 32, "d" if form.quads else "c")]
        out = registers_of(held, form.d, form.saturate)
        return tuple(out[:, :, i].reshape(-1)[: block.lanes].copy() for i in range(out.shape[2]))

    return run


def _columns(
    block: Block, form: Form, site: int, lanes: Lanes, metadata: Lanes, selector: Lanes
) -> Lanes:
    """The columns of a sparse A's elements, (warps, m, k / 2)."""
    bits = form.bits(form.a)
    chosen = int(selector[0, 0])
    if chosen >= selectors(form.k, bits):
        raise block.lane_error("sync", f"invalid sparsity selector {chosen} of", 0, site)
    columns, index, wrong = columns_of(metadata, form.k, bits, chosen)
    # Other warps have not reached the instruction, or the last warp is incomplete.
    here = np.logical_and.reduce(by_warps(block, lanes), axis=1)
    if wrong[here].any():
        warp, row, chunk = (int(i[0]) for i in np.nonzero(wrong & here[:, None, None]))
        bad = f"{int(index[warp, row, chunk]):#06b}"
        message = f"invalid sparse metadata {bad} for row {row} and chunk {chunk} of the matrix of"
        raise block.lane_error("sync", message, warp * WARP_SIZE, site)
    return columns


def _scaled(
    form: Form, a: Lanes, b: Lanes, columns: Lanes | None, operands: Sequence[Lanes]
) -> tuple[Lanes, Lanes]:
    """A and B with each chunk multiplied by its scale (9.7.14.3).

    The lower thread of a pair has the scales of row `g` of A, the upper thread those of row `g +
    8`.
    """
    scales_a, byte_a, thread_a, scales_b, byte_b, thread_b = operands
    warps = a.shape[0]
    row, column = np.arange(form.m), np.arange(form.n)
    lane_a = row % 8 * 4 + row // 8 + 2 * int(thread_a[0, 0])
    lane_b = 4 * column + int(thread_b[0, 0])
    per_row = _scale(form, scales_a[:, lane_a], int(byte_a[0, 0]))
    per_column = _scale(form, scales_b[:, lane_b], int(byte_b[0, 0])).swapaxes(1, 2)
    size = form.k // form.vectors
    if columns is None:
        columns = np.broadcast_to(np.arange(form.k), (warps, form.m, form.k))
    return a * np.take_along_axis(per_row, columns // size, axis=2), b * np.repeat(
        per_column, size, axis=1
    )


def _scale(form: Form, words: Lanes, byte: int) -> Lanes:
    """The scales in words, (..., vectors)."""
    raw = _fields(words.astype(np.uint32)[..., None], 8)[..., byte : byte + form.vectors]
    if form.scale == "ue8m0":
        return np.where(raw == 255, np.nan, np.exp2(raw.astype(np.float64) - 127))
    return F.small_float(raw & 0x7F, 4, 3)
