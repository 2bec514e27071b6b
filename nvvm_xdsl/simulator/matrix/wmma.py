"""`wmma.load`, `wmma.mma` and `wmma.store` (PTX ISA, 9.7.14.4).

PTX does not define the elements of a matrix that a thread has. Here the elements of A and C in
row-major order, and those of B in column-major order, are distributed to the registers of thread 0,
then to those of thread 1, and so on. Fragments of f16 are larger than some matrices; they then hold
several copies, of which `wmma.mma` reads the last.
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
from nvvm_xdsl.simulator.execution.memory import Lanes, Mask
from nvvm_xdsl.simulator.matrix.mma import BITS, elements, multiply_add, registers_of
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    Operand,
    Wait,
    as_register,
    window_of,
)
from nvvm_xdsl.simulator.ptx.warp_ops import by_warps

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_HALVES = 16
"""Number of elements in each thread's fragment of A or B of halves, for every shape."""

_ALIGNMENT = 16
"""Alignment in bytes of the rows or columns that are consecutive in memory. The ISA requires the
size of a fragment, which may be 32; CUDA's `load_matrix_sync` requires 16."""


@dataclass(frozen=True)
class Matrix:
    """A matrix whose fragments are in a warp.

    Arguments:
        operand: "a", "b" or "c"; D is "c".
    """

    operand: str
    rows: int
    columns: int
    type_: str

    @property
    def bits(self) -> int:
        """Width of an element in bits."""
        return BITS[self.type_]

    @property
    def held(self) -> int:
        """Number of elements in each thread."""
        if self.type_ == "f16" and self.operand != "c":
            return _HALVES
        return self.rows * self.columns // WARP_SIZE

    @property
    def registers(self) -> int:
        """Number of registers of each thread."""
        return self.held * min(self.bits, 32) // 32 if self.bits < 32 else self.held

    def places(self) -> tuple[Lanes, Lanes]:
        """Row and column of each thread's elements, (32, held)."""
        order = np.arange(WARP_SIZE * self.held).reshape(WARP_SIZE, -1) % (self.rows * self.columns)
        if self.operand == "b":
            return order % self.rows, order // self.rows
        return order // self.columns, order % self.columns


def _matrix(mods: Sequence[str], operand: str, type_: str) -> Matrix | None:
    shape = next((m for m in map(_SHAPE.fullmatch, mods) if m), None)
    if shape is None:
        return None
    m, n, k = (int(g) for g in shape.groups())
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[operand]
    return Matrix(operand, rows, columns, type_)


def wait(
    at: Context,
    mods: list[str],
    operands: Sequence[Operand],
    gather: Callable[[str, Any, Sequence[str]], str],
    slot: str,
) -> Wait:
    """Generates a `wmma` instruction."""
    action = mods[0]
    types = [m for m in mods if m in BITS]
    layouts = [m for m in mods if m in ("row", "col")]
    members = at.array(0xFFFFFFFF)
    if action == "mma":
        if len(types) == 2:
            types[1:1] = ["f16", "f16"]
        a, b, c, d = (
            _matrix(mods, operand, types[i])
            for operand, i in (("a", 1), ("b", 2), ("c", 3), ("c", 0))
        )
        if a is None or b is None or c is None or d is None:
            raise at.to.unsupported(at.op, "this form of wmma.mma")
        bit_operation = next((m for m in mods if m in ("xor", "and")), "")
        rounding = next((m for m in mods if m in ("rn", "rz", "rm", "rp")), "rn")
        function = _multiply((a, b, c, d), bit_operation, rounding, "satfinite" in mods)
        names = _names(operands)
        return Wait(
            gather(members, function, names),
            lambda: [Leaf(f"{slot}[{i}]") for i in range(d.registers)],
        )
    matrix = _matrix(mods, "c" if action == "store" else mods[1], types[-1])
    if matrix is None:
        raise at.to.unsupported(at.op, f"this form of wmma.{action}")
    place, *rest = operands
    window = window_of(mods)
    if isinstance(place, Address):
        base = f"L.fit({place.base}, 64)"
        address = f"{base} + {at.array(place.offset, 64)}" if place.offset else base
        window = place.window if place.window is not None else window
    else:
        address = f"L.fit({as_register(place).name}, 64)"
    along_rows = layouts[0] == "row"
    fragment = _names([rest.pop(0)]) if action == "store" else []
    stride = (
        _names(rest[:1])[0] if rest else at.array(matrix.columns if along_rows else matrix.rows)
    )
    transfer = _Transfer(matrix, along_rows, window, at.site())
    if action == "store":
        values = [address, f"L.fit({stride}, 32)", *fragment]
        return Wait(gather(members, transfer.store, values), lambda: [])
    return Wait(
        gather(members, transfer.load, [address, f"L.fit({stride}, 32)"]),
        lambda: [Leaf(f"{slot}[{i}]") for i in range(matrix.registers)],
    )


def _names(operands: Sequence[Operand]) -> list[str]:
    names: list[str] = []
    for operand in operands:
        parts = operand.parts if isinstance(operand, Group) else (as_register(operand),)
        names += [p.name for p in parts]
    return names


# Transfers between memory and fragments


@dataclass(frozen=True)
class _Transfer:
    """A load or store of one matrix.

    Arguments:
        along_rows: whether the elements of a row are contiguous in memory.
        window: the window of the state space.
        site: number of the op, for errors.
    """

    matrix: Matrix
    along_rows: bool
    window: int
    site: int

    def _elements(
        self, block: Block, lanes: Lanes, address: Lanes, stride: Lanes, kind: str
    ) -> tuple[list[Any], int]:
        """The checked accesses, each to `size` bytes of every thread, and that size.

        Elements smaller than a byte are accessed as whole registers, whose bits are stored
        unchanged.
        """
        mask = Mask(lanes)
        bits = self.matrix.bits
        size = max(bits // 8, 4 if bits < 8 else 1)
        line, place = self.matrix.places()
        if not self.along_rows:
            line, place = place, line
        address = np.broadcast_to(address, (block.lanes,))
        stride = np.broadcast_to(stride, (block.lanes,)).astype(np.uint64)
        for values, what in ((address, "addresses"), (stride, "strides")):
            rows = by_warps(block, values)
            if ((rows != rows[:, :1]) & by_warps(block, lanes)).any():
                lane = int(mask.index[0])
                raise block.lane_error("sync", f"different {what} in the warp of", lane, self.site)

        def at(element: int, within: Lanes | int) -> Lanes:
            lines = line[block.lane_in_warp, element].astype(np.uint64)
            offset = (lines * stride + np.asarray(within, np.uint64)) * np.uint64(bits)
            return address + (offset >> np.uint64(3))

        self._check_alignment(block, lanes, at(0, 0))
        step = 32 // bits if bits < 8 else 1
        accesses = [
            block.access(
                self.site, mask, at(e, place[block.lane_in_warp, e]), self.window, size, size, kind
            )
            for e in range(0, self.matrix.held, step)
        ]
        return accesses, size

    def _check_alignment(self, block: Block, lanes: Lanes, starts: Lanes) -> None:
        """The addresses of the rows or columns that contain the threads' elements."""
        matrix = self.matrix
        alignment = min(_ALIGNMENT, matrix.registers * max(matrix.bits, 32) // 8)
        odd = lanes & (starts % np.uint64(alignment) != 0)
        if odd.any():
            lane = int(np.flatnonzero(odd)[0])
            line = "row" if self.along_rows else "column"
            message = f"{line} of a matrix at {int(starts[lane]):#x}, not aligned to {alignment} bytes, in"
            raise block.lane_error("memory", message, lane, self.site)

    def load(
        self, block: Block, lanes: Lanes, members: Lanes, address: Lanes, stride: Lanes
    ) -> tuple[Lanes, ...]:
        """The registers of a fragment."""
        accesses, size = self._elements(block, lanes, address, stride, "load")
        values = np.stack([a.load(size) for a in accesses], axis=1)
        registers = np.ascontiguousarray(values).view(np.uint32 if size < 8 else np.uint64)
        return tuple(registers[:, i].copy() for i in range(registers.shape[1]))

    def store(
        self,
        block: Block,
        lanes: Lanes,
        members: Lanes,
        address: Lanes,
        stride: Lanes,
        *registers: Lanes,
    ) -> Lanes:
        """Writes the registers of a fragment."""
        accesses, size = self._elements(block, lanes, address, stride, "store")
        held = np.stack([np.broadcast_to(r, (block.lanes,)) for r in registers], axis=1)
        kind: Any = {2: np.uint16, 4: np.uint32, 8: np.uint64}[size]
        values = np.ascontiguousarray(held).view(kind)
        for i, access in enumerate(accesses):
            access.store(values[:, i], size)
        return members


# One product


def _multiply(
    matrices: tuple[Matrix, Matrix, Matrix, Matrix], bit_operation: str, rounding: str, finite: bool
) -> Callable[..., tuple[Lanes, ...]]:
    *sources, d = matrices

    def run(block: Block, lanes: Lanes, members: Lanes, *registers: Lanes) -> tuple[Lanes, ...]:
        left = [by_warps(block, r) for r in registers]
        values: list[Lanes] = []
        for matrix in sources:
            held = np.stack(left[: matrix.registers], axis=2)
            del left[: matrix.registers]
            spread = elements(held, matrix.type_, matrix.bits)
            out = np.zeros((block.warps, matrix.rows, matrix.columns), spread.dtype)
            out[:, *matrix.places()] = spread
            values.append(out)
        a, b, c = values
        sums = multiply_add(a, b, c, d.type_, bit_operation, rounding)
        result = registers_of(sums[:, *d.places()], d.type_, finite)
        return tuple(
            result[:, :, i].reshape(-1)[: block.lanes].copy() for i in range(result.shape[2])
        )

    return run
