"""Warp-wide instructions: the result of each lane once all lanes of its member mask have arrived.

The arguments of each function are the block, the participating lanes, their member masks and the
operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.execution.memory import Lanes
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.numerics import lane_ops as L

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block


def by_warps(block: Block, values: Lanes) -> Lanes:
    """Values with one row per warp."""
    padded = np.zeros(block.warps * WARP_SIZE, values.dtype)
    padded[: block.lanes] = np.broadcast_to(values, (block.lanes,))
    return padded.reshape(block.warps, WARP_SIZE)


def _flat(block: Block, rows: Lanes) -> Lanes:
    return rows.reshape(-1)[: block.lanes].copy()


def synchronize(block: Block, lanes: Lanes, members: Lanes) -> Lanes:
    """`bar.warp.sync`."""
    return members


def shuffle(mode: str, site: int) -> Callable[..., tuple[Lanes, ...]]:
    """`shfl.sync` (PTX ISA 9.7.9.6): the shuffled operands, then the predicate."""

    def run(
        block: Block, lanes: Lanes, members: Lanes, b: Lanes, c: Lanes, *values: Lanes
    ) -> tuple[Lanes, ...]:
        lane = block.lane_in_warp
        segment = (c >> np.uint32(8)) & np.uint32(31)
        clamp = c & np.uint32(31)
        offset = b & np.uint32(31)
        most = (lane & segment) | (clamp & ~segment)
        least = lane & segment
        if mode == "up":
            source = lane.astype(np.int64) - offset
            valid = source >= most
        elif mode == "down":
            source = lane.astype(np.int64) + offset
            valid = source <= most
        elif mode == "bfly":
            source = (lane ^ offset).astype(np.int64)
            valid = source <= most
        else:
            source = (least | (offset & ~segment)).astype(np.int64)
            valid = source <= most
        source = np.where(valid, source, lane)
        where = block.warp_of_lane * WARP_SIZE + source
        held = where < block.lanes
        where = np.where(held, where, np.arange(block.lanes))
        if "sync" in block.grid.checks:
            bad = lanes & ~(held & lanes[where])
            if bad.any():
                raise block.lane_error(
                    "sync",
                    "a shuffle reads from an inactive thread for",
                    int(np.flatnonzero(bad)[0]),
                    site,
                )
        out = [np.broadcast_to(v, (block.lanes,))[where] for v in values]
        return (*out, np.broadcast_to(valid, (block.lanes,)))

    return run


def vote(kind: str) -> Callable[..., Lanes]:
    """`vote.sync`: `all`, `any`, `uni` or `ballot`."""

    def run(block: Block, lanes: Lanes, members: Lanes, predicate: Lanes) -> Lanes:
        true = (
            block.warp_words(lanes & np.broadcast_to(predicate, lanes.shape))[block.warp_of_lane]
            & members
        )
        present = block.warp_words(lanes)[block.warp_of_lane] & members
        if kind == "ballot":
            return true
        if kind == "any":
            return true != 0
        if kind == "all":
            return true == present
        return (true == present) | (true == 0)

    return run


def tracking(function: Callable[..., Any], *, bitwise: bool) -> Callable[..., tuple[Lanes, ...]]:
    """A vote, match or reduction with the words of undefined bits of its value as last operand.

    The last result is the mask of undefined bits of each lane's results: all bits if the value of a
    member is undefined, or the bit of each such member with `bitwise`.
    """
    undefined_members = vote("ballot")

    def run(
        block: Block, lanes: Lanes, members: Lanes, value: Lanes, undefined: Lanes
    ) -> tuple[Lanes, ...]:
        results = cast("Lanes | tuple[Lanes, ...]", function(block, lanes, members, value))
        words = undefined_members(block, lanes, members, undefined != 0)
        if not bitwise:
            words = np.where(words != 0, np.uint32(0xFFFFFFFF), np.uint32(0))
        return (*results, words) if isinstance(results, tuple) else (results, words)

    return run


def match_any(block: Block, lanes: Lanes, members: Lanes, value: Lanes) -> Lanes:
    """`match.any.sync`: the lanes that hold the same value."""
    rows, present = by_warps(block, value), by_warps(block, lanes)
    equal = (rows[:, :, None] == rows[:, None, :]) & present[:, None, :]
    words = (
        np.packbits(equal, axis=2, bitorder="little")
        .view(np.uint32)
        .reshape(block.warps, WARP_SIZE)
    )
    return _flat(block, words) & members


def match_all(block: Block, lanes: Lanes, members: Lanes, value: Lanes) -> tuple[Lanes, Lanes]:
    """`match.all.sync`: the member mask and true if all lanes hold the same value, else zeros."""
    same = match_any(block, lanes, members, value)
    present = block.warp_words(lanes)[block.warp_of_lane] & members
    agree = same == present
    return np.where(agree, present, np.uint32(0)), agree


def elect(block: Block, lanes: Lanes, members: Lanes) -> tuple[Lanes, Lanes]:
    """`elect.sync`: the lowest member is the leader."""
    leader = L.trailing_zeros(members, 32)
    return leader, block.lane_in_warp == leader


def reduce(
    name: str, type_: str, nan: bool = False, magnitude: bool = False
) -> Callable[..., Lanes]:
    """`redux.sync`: every member gets the reduction of all members' values."""

    def run(block: Block, lanes: Lanes, members: Lanes, value: Lanes) -> Lanes:
        rows, present = by_warps(block, value), by_warps(block, lanes)
        groups = by_warps(block, members)
        out = np.zeros((block.warps, WARP_SIZE), np.uint32)
        for warp in range(block.warps):
            for group in np.unique(groups[warp][present[warp]]):
                inside = present[warp] & ((int(group) >> np.arange(WARP_SIZE)) & 1 != 0)
                out[warp, inside] = _fold(rows[warp][inside], name, type_, nan, magnitude)
        return _flat(block, out)

    return run


def _fold(values: Lanes, name: str, type_: str, nan: bool, magnitude: bool) -> Any:
    if type_ == "f32":
        floats = values.view(np.float32)
        if magnitude:
            floats = np.abs(floats)
        function = F.minimum if name == "min" else F.maximum
        out = floats[:1]
        for i in range(1, floats.size):
            out = function(out, floats[i : i + 1], "f32", nan=nan)
        return out.view(np.uint32)[0]
    if name == "add":
        return values.sum(dtype=np.uint32)
    if name in ("and", "or", "xor"):
        return {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[name].reduce(
            values
        )
    ordered = values.view(np.int32) if type_ == "s32" else values
    return (ordered.min() if name == "min" else ordered.max()).astype(np.int64).astype(np.uint32)
