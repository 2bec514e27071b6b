"""Warp-wide copies of matrices: `ldmatrix`, `stmatrix` and `movmatrix`; layouts of fragments.

The PTX ISA, 9.7.14.5, defines the elements of each lane. In every supported fragment, lane `4 g +
t` (group `g`, thread `t`) holds elements of rows `g` and `g + 8`; consecutive elements of a row
share a register.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import SHARED, Lanes
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.ptx.source_operands import Address, Context, Group, Operand, Register, Wait
from nvvm_xdsl.simulator.ptx.warp_ops import by_warps

ELEMENT_BITS = {
    "f16": 16,
    "bf16": 16,
    "tf32": 32,
    "f32": 32,
    "f64": 64,
    "s8": 8,
    "u8": 8,
    "s32": 32,
    "e4m3": 8,
    "e5m2": 8,
}
"""Width in bits of a matrix element."""


def wait(
    at: Context,
    name: str,
    mods: list[str],
    operands: Sequence[Operand],
    gather: Callable[[str, Any, Sequence[str]], str],
    slot: str,
) -> Wait:
    """Generates a matrix instruction."""
    full = at.array(0xFFFFFFFF)
    names: list[list[str]] = []
    for operand in operands:
        if isinstance(operand, Group):
            names.append([p.name for p in operand.parts])
        elif isinstance(operand, Register):
            names.append([operand.name])
        else:
            assert isinstance(operand, Address)
            base = f"L.fit({operand.base}, 64)"
            names.append([f"{base} + {at.array(operand.offset, 64)}" if operand.offset else base])
    site = at.site()
    if name in ("ldmatrix", "stmatrix", "movmatrix"):
        count = next((int(m[1:]) for m in mods if re.fullmatch(r"x[124]", m)), 1)
        transposed = "trans" in mods
        window = SHARED if any(m.startswith("shared") for m in mods) else -1
        if "m8n8" not in mods:
            raise at.to.unsupported(at.op, "this matrix shape")
        if name == "movmatrix":
            return Wait(gather(full, move_matrix, [names[0][0]]), lambda: [Leaf(f"{slot}[0]")])
        address = f"L.fit({names[0][0]}, 64)"
        if name == "ldmatrix":
            function = load_matrices(site, count, transposed, window)
            return Wait(
                gather(full, function, [address]),
                lambda: [Leaf(f"{slot}[{i}]") for i in range(count)],
            )
        return Wait(
            gather(full, store_matrices(site, count, transposed, window), [address, *names[1]]),
            lambda: [],
        )
    raise at.to.unsupported(at.op, f"the instruction {name}")


def _tiles(
    block: Block, site: int, lanes: Lanes, address: Lanes, count: int, window: int, kind: str
) -> Lanes:
    """For each warp, matrix and row the position in memory of its eight 16-bit elements."""
    from nvvm_xdsl.simulator.execution.memory import Mask

    used = lanes & (block.lane_in_warp < 8 * count)
    access = block.access(
        site, Mask(used), np.broadcast_to(address, (block.lanes,)), window, 16, 16, kind
    )
    position = np.zeros(block.warps * WARP_SIZE, np.int64)
    position[np.flatnonzero(used)] = access.position
    return position.reshape(block.warps, WARP_SIZE)[:, : 8 * count].reshape(block.warps, count, 8)


def load_matrices(
    site: int, count: int, transposed: bool, window: int
) -> Callable[..., tuple[Lanes, ...]]:
    """`ldmatrix`: the registers of each lane, for the addresses of the rows of `count` matrices."""

    def run(block: Block, lanes: Lanes, members: Lanes, address: Lanes) -> tuple[Lanes, ...]:
        rows = _tiles(block, site, lanes, address, count, window, "load")
        half = block.memory.views[2]
        matrices = half[(rows >> 1)[..., None] + np.arange(8)]
        if transposed:
            matrices = matrices.swapaxes(2, 3)
        pairs = (
            np.ascontiguousarray(matrices).view(np.uint32).reshape(block.warps, count, WARP_SIZE)
        )
        return tuple(pairs[:, i].reshape(-1)[: block.lanes].copy() for i in range(count))

    return run


def store_matrices(site: int, count: int, transposed: bool, window: int) -> Callable[..., Lanes]:
    """`stmatrix`: stores the registers of each lane at the addresses of the rows of `count` matrices."""

    def run(block: Block, lanes: Lanes, members: Lanes, address: Lanes, *values: Lanes) -> Lanes:
        rows = _tiles(block, site, lanes, address, count, window, "store")
        half = block.memory.views[2]
        here = by_warps(block, lanes).any(axis=1)
        for i, value in enumerate(values):
            tile = by_warps(block, value).view(np.uint16).reshape(block.warps, 8, 8)
            if transposed:
                tile = tile.swapaxes(1, 2)
            places = (rows[:, i] >> 1)[..., None] + np.arange(8)
            half[places[here]] = tile[here]
        return members

    return run


def move_matrix(block: Block, lanes: Lanes, members: Lanes, value: Lanes) -> tuple[Lanes]:
    """`movmatrix`: the transposed matrix of each warp."""
    tile = by_warps(block, value).view(np.uint16).reshape(block.warps, 8, 8).swapaxes(1, 2)
    return (np.ascontiguousarray(tile).view(np.uint32).reshape(-1)[: block.lanes].copy(),)


def unpack(registers: Lanes, type_: str) -> Lanes:
    """Registers (..., count) as numbers (..., elements)."""
    bits = ELEMENT_BITS[type_]
    raw = np.ascontiguousarray(registers)
    if bits < 32:
        raw = raw.view({8: np.uint8, 16: np.uint16}[bits])
    if type_ in ("s8",):
        return raw.view(np.int8).astype(np.int64)
    if type_ == "u8":
        return raw.astype(np.int64)
    if type_ == "s32":
        return raw.view(np.int32).astype(np.int64)
    if type_ == "tf32":
        return (raw & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)
    if type_ in ("e4m3", "e5m2"):
        return F.small_float(raw, *((4, 3) if type_ == "e4m3" else (5, 2)))
    return F.widen(raw.view(F.DTYPE[type_]), type_)


_LANE = np.arange(WARP_SIZE)
_GROUP, _THREAD = _LANE // 4, _LANE % 4


def coordinates(rows: int, columns: int, per_register: int, operand: str) -> tuple[Lanes, Lanes]:
    """Row and column of each lane's elements, in register order."""
    row_list: list[Lanes] = []
    column_list: list[Lanes] = []
    if operand == "b":
        # For B, a lane holds elements of column g; rows run along the registers.
        step = 4 * per_register
        for block in range(rows // step):
            for e in range(per_register):
                row_list.append(block * step + _THREAD * per_register + e)
                column_list.append(_GROUP)
    else:
        step = 4 * per_register
        for block in range(columns // step):
            for half in range(rows // 8):
                for e in range(per_register):
                    row_list.append(half * 8 + _GROUP)
                    column_list.append(block * step + _THREAD * per_register + e)
    return np.stack(row_list, axis=1), np.stack(column_list, axis=1)
