"""Blocks that run side by side, as lanes of one wide block.

Starting a NumPy operation takes a microsecond, the time of a thousand additions, so that running
blocks of 32 or 256 threads one after the other is mostly overhead. If a kernel cannot observe the
order of its blocks, many blocks run together. Blocks run one after the other if the kernel uses:

- results of atomic operations and atomic sums of floats, which depend on the order, except for one
operation that each thread executes at most once;
- volatile and atomic accesses, fences and clocks, with which blocks can wait for each other;
- output, `malloc`, and operations with separate state in each block (barriers with a number of
threads or a value, barrier objects, copies, textures, tensor cores).

All other conflicting accesses of blocks are races, so that a program cannot rely on their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

import numpy as np

from nvvm_xdsl.dialects.memory_semantics import MemorySemantics
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import (
    SHARED,
    SHARED_BASE,
    SHARED_SHIFT,
    UNINITIALIZED,
    Access,
    Lanes,
    Mask,
)
from nvvm_xdsl.simulator.execution.scheduling import Grid
from nvvm_xdsl.simulator.externals import reflect

MOST_LANES: Final = 8192
"""Maximum number of lanes of blocks side by side; more lanes do not reduce the cost per lane of a
NumPy operation."""

_MEMBERS: Final = frozenset(
    "access block check_defined check_divisor check_index check_quotient copy_in copy_memory ctaid "
    "depth enter error exit gather grid lane_in_warp local_pointer pick pop_frame pop_local push_local "
    "ready result set_memory shared_address slot start survivors tick tid".split()
)
"""Methods of a block that the source of a function may call."""

_MEMBER = re.compile(r"\bblk\.(\w+)")
_HANDED_ON = re.compile(r"(?<!def )\b(\w+)\(blk\b(?!\.)")
_BARRIER = re.compile(r"\bblk\.barrier\(\d+, m, (K\d+), None\)")
_ATOMIC = re.compile(r"(t\d+) = A\.rmw\(\w+, m, '(?:add|and|or|xor|max|min|umax|umin)', \d+, '', ")
_GATHERED = re.compile(r"\bblk\.gather\(.*?(K\d+), \(")
_ORDERED = re.compile(r"\b(?:A\.(?!rmw)|B\.)|'atomic (?:load|store)'")
"""Operations that reveal the order of blocks; `A` and `B` are atomics and barrier objects."""


class Together(Enum):
    """The modes of running blocks of a kernel side by side."""

    NOT = "one after the other"
    ONCE = "as long as each of its threads comes to the one atomic operation once"
    FREE = "always"


def how(sources: Sequence[str], constants: Mapping[str, Any]) -> Together:
    """The mode for a kernel whose functions have these sources.

    Atomic operations of several blocks also execute in the order of their numbers, which defines
    their results and the order of float additions.
    """
    code = [_without_barriers(source, constants) for source in sources]
    free = [_without_atomics(source) for source in code]
    if not all(_is_blind(source, constants) for source in free):
        return Together.NOT
    if not any("A." in source for source in free):
        return Together.FREE
    return Together.ONCE if sum(source.count("A.") for source in code) == 1 else Together.NOT


def _without_barriers(source: str, constants: Mapping[str, Any]) -> str:
    """The source without barriers of whole blocks, at which all blocks can wait together."""

    def whole(match: re.Match[str]) -> str:
        return "" if constants[match[1]][0] == 0 else match[0]

    return _BARRIER.sub(whole, source)


def _without_atomics(source: str) -> str:
    """The source without atomic operations whose final value does not depend on their order."""

    def unused(match: re.Match[str]) -> str:
        return "" if len(re.findall(rf"\b{match[1]}\b", source)) == 1 else match[0]

    return _ATOMIC.sub(unused, source)


def _is_blind(source: str, constants: Mapping[str, Any]) -> bool:
    """Whether a function can only observe other blocks through atomics."""
    return (
        _MEMBERS.issuperset(_MEMBER.findall(source))
        and all(
            name.startswith("fn") or constants.get(name) is reflect
            for name in _HANDED_ON.findall(source)
        )
        and all(_is_of_warps(constants[name]) for name in _GATHERED.findall(source))
        and _ORDERED.search(source) is None
    )


def _is_of_warps(function: Any) -> bool:
    """Returns whether cooperative operations are performed by each warp separately."""
    return getattr(function, "__module__", "").endswith(("ptx.warp_ops", "matrix.mma"))


def blocks_of_row(blocks: int, lanes: int) -> int:
    """The number of blocks side by side; 1 if warps would contain threads of several blocks."""
    return 1 if lanes % WARP_SIZE else max(1, min(blocks, MOST_LANES // lanes))


class Row(Block):
    """Blocks side by side."""

    def __init__(
        self, grid: Grid, indices: Sequence[tuple[int, int, int]], together: Together
    ) -> None:
        self._once = together is Together.ONCE
        self._visited: set[int] = set()
        self.count = len(indices)
        super().__init__(grid, indices[0], 0)
        each = self.lanes // self.count
        block = np.arange(self.lanes) // each
        self.ctaid = tuple(np.array(part, np.uint32)[block] for part in zip(*indices))
        self._shifts = block.astype(np.uint64) << np.uint64(SHARED_SHIFT)
        """The distance of the shared memory of each lane's block from that of the first."""
        self._recent_shared: dict[int, tuple[Any, Any, int]] = {}
        """Like `Memory.recent`, for shared variables of the first block."""
        used = grid.static_shared + grid.dynamic_shared
        for rank in range(self.count):
            start = grid.memory.position(SHARED, SHARED_BASE + (rank << SHARED_SHIFT))
            grid.memory.bytes[start : start + used] = UNINITIALIZED
            if grid.memory.undefined is not None:
                grid.memory.undefined[start : start + used] = 0xFF

    def access(
        self,
        site: int,
        mask: Mask,
        address: Lanes,
        window: int,
        size: int,
        alignment: int,
        kind: str,
        semantics: MemorySemantics | None = None,
    ) -> Access:
        if kind == "atomic" and self._once:
            if site in self._visited:
                raise self.error("unsupported", "blocks that add one after the other", site)
            self._visited.add(site)
        found = self._access_shared(site, mask, address, size, alignment)
        if found is not None:
            return found
        found = super().access(site, mask, address, window, size, alignment, kind, semantics)
        self._remember_shared(site)
        return found

    def _remember_shared(self, site: int) -> None:
        """Caches the bounds of the shared variable that an op accessed, in the first block."""
        recent = self.memory.recent.get(site)
        if recent is None:
            return
        start, size, place = recent
        rank = place - self.memory.position(SHARED, 0) >> SHARED_SHIFT
        if 0 <= rank < self.count:
            shift = rank << SHARED_SHIFT
            self._recent_shared[site] = start - np.uint64(shift), size, place - shift

    def _access_shared(
        self, site: int, mask: Mask, address: Lanes, size: int, alignment: int
    ) -> Access | None:
        """An access of each block to its own copy of the last accessed shared variable.

        The arguments are those of `access`. Returns None for all other accesses.
        """
        recent = self._recent_shared.get(site)
        if recent is None or address.size == 1 or address.dtype != np.uint64:
            return None
        start, last, place = recent
        index = None if mask.all else mask.index
        shifts = self._shifts if index is None else self._shifts[index]
        if index is not None:
            address = address[index]
        inside = address - shifts
        inside -= start
        if size > last or int(inside.max()) > int(last) - size:
            return None
        if alignment > 1 and (address & np.uint64(alignment - 1)).any():
            return None
        position = inside + shifts
        position += np.uint64(place)
        return Access(self.memory, position.view(np.int64), index, self.lanes, False, alignment)

    def shared_address(self, address: int) -> Lanes:
        return self._shifts + np.uint64(SHARED_BASE + address)

    def tick(self, steps: int, site: int, mask: Mask) -> None:
        """Counts ops for each block with active lanes."""
        blocks = self.count
        if not mask.all:
            blocks = int(np.count_nonzero(mask.bits.reshape(self.count, -1).any(axis=1)))
        super().tick(steps * blocks, site, mask)
