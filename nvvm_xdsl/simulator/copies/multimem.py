"""Multimem addresses: one address for the memories of several devices (PTX ISA 9.7.9.14, 9.7.9.25.4).

A `Multicast` object binds host arrays, each of which represents the memory of one device, to one
range of addresses, as CUDA's multicast objects do. Only `multimem` instructions can use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nvvm_xdsl.simulator.copies.bulk_copies import BulkCopy, Reduction, Transfer
from nvvm_xdsl.simulator.copies.ranges import lanes_of, locate, numbers
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.atomics import combine
from nvvm_xdsl.simulator.execution.memory import GLOBAL, Access, Lanes, Mask
from nvvm_xdsl.simulator.numerics import floats as F

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block


@dataclass(frozen=True, eq=False)
class Multicast:
    """An argument that is a multimem address.

    Arguments:
        arrays: the memory of each device, all of one size.
    Raises:
        SimulationError: there are no arrays, or their sizes differ.
    """

    arrays: Sequence[np.ndarray[Any, Any]]

    def __post_init__(self) -> None:
        if len({a.nbytes for a in self.arrays}) != 1:
            raise SimulationError("memory", "a multicast object needs arrays of one size")


@dataclass(frozen=True)
class Binding:
    """The location of a multicast object, and its underlying memories."""

    start: int
    size: int
    copies: tuple[int, ...]


def copies_of(blk: Block, site: int, lane: int, address: int) -> list[int]:
    """The addresses in each device's memory of a multimem address."""
    for binding in blk.grid.multicasts:
        if binding.start <= address < binding.start + binding.size:
            return [address - binding.start + copy for copy in binding.copies]
    what = f"{address:#x} is not a multimem address, in"
    raise blk.lane_error("memory", what, lane, site)


def accesses(
    blk: Block, site: int, mask: Mask, address: Lanes, size: int, kind: str
) -> list[Access]:
    """One checked access for each device."""
    (given,) = numbers(blk, address)
    lanes = lanes_of(mask)
    rows = [copies_of(blk, site, lane, given[lane]) for lane in lanes]
    if len({len(row) for row in rows}) != 1:
        raise blk.error(
            "memory", "threads use multicast objects with different numbers of devices", site
        )
    found: list[Access] = []
    for column in zip(*rows):
        wide = np.zeros(blk.lanes, np.uint64)
        wide[lanes] = column
        found.append(blk.access(site, mask, wide, GLOBAL, size, size, kind))
    return found


def reduced(
    found: Sequence[Access], size: int, offset: int, reduction: Reduction, wide: bool
) -> Lanes:
    """The result of `multimem.ld_reduce`, which combines the devices' values in order.

    Arguments:
        size: bytes of a register, which may hold two elements.
        wide: halves are added as singles and rounded once (`.acc::f32`).
    """
    kind = f"u{reduction.bits // 8}"
    loaded = [np.ascontiguousarray(a.load(size, offset)) for a in found]
    values = [v.view(kind) for v in loaded]
    fmt = reduction.fmt
    if wide:
        total = np.zeros(values[0].shape, np.float32)
        for i, value in enumerate(values):
            one = F.widen(value.view(F.DTYPE[fmt]), fmt).astype(np.float32)
            total = one if i == 0 else total + one
        result = F.bits(F.round_to(total.astype(np.float64), fmt), fmt)
    else:
        result = values[0]
        for value in values[1:]:
            result = combine(reduction.name, reduction.bits, fmt, result, value)
    return np.ascontiguousarray(result).view(loaded[0].dtype)


@dataclass(frozen=True)
class MultimemCopy(BulkCopy):
    """`multimem.cp.async.bulk` and `multimem.cp.reduce.async.bulk`."""

    def copies(self, transfer: Transfer, target: int, size: int) -> list[int]:
        blk, site, lane = transfer.blk, transfer.site, transfer.lane
        what = f"{self.name} writes"
        return [
            locate(blk, site, lane, to, GLOBAL, size, 16, what)
            for to in copies_of(blk, site, lane, target)
        ]
