"""Execution counts of a launch: instructions by thread and by warp, memory requests, divergence.

The counts are named as in NVIDIA's profiler if it has them (Nsight Compute, "Metrics
Reference": `inst_executed`, `thread_inst_executed`, sectors and requests of the L1 cache, shared
memory's bank conflicts). Warps are assumed to reconverge as soon as their paths join. A predicated
instruction counts for all lanes that reach it, because it is issued for them. Ops without a PTX
instruction, such as register declarations and branches to the next block, are not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from xdsl.ir import Operation

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.execution.memory import (
    GENERIC,
    LOCAL,
    SHARED,
    WINDOW_MASK,
    WINDOW_NAMES,
    WINDOW_SHIFT,
    Lanes,
    Mask,
)
from nvvm_xdsl.simulator.instruction_classes import instruction_classes

SECTOR: Final = 32
"""Size in bytes of the unit that caches fetch (CUDA C++ Programming Guide, "Device Memory
Accesses")."""

BANKS: Final = 32
BANK_BYTES: Final = 4

CLASSES: Final = (
    "arithmetic",
    "conversion",
    "special function",
    "move",
    "branch",
    "barrier",
    "warp",
    "matrix",
    "global",
    "shared",
    "local",
    "constant",
    "param",
    "generic",
    "texture",
    "asynchronous",
    "other",
)
"""The instruction classes, in the order of a report."""


@dataclass
class Executed:
    """Execution counts of one instruction.

    Attributes:
        warps: number of times that a warp issued it.
        threads: number of times that a thread executed it: 32 per warp if all lanes were active.
    """

    warps: int = 0
    threads: int = 0

    def add(self, other: Executed) -> None:
        """Adds the counts of another instruction."""
        self.warps += other.warps
        self.threads += other.threads


@dataclass
class Requests:
    """Memory requests of one instruction in one state space.

    Attributes:
        requests: accesses by a warp.
        sectors: number of 32-byte sectors accessed; 0 for shared memory.
        wavefronts: number of passes over the banks of shared memory; 0 for other spaces.
        conflicts: number of additional passes due to bank conflicts.
    """

    requests: int = 0
    sectors: int = 0
    wavefronts: int = 0
    conflicts: int = 0

    def add(self, other: Requests) -> None:
        """Adds the counts of other accesses."""
        self.requests += other.requests
        self.sectors += other.sectors
        self.wavefronts += other.wavefronts
        self.conflicts += other.conflicts


@dataclass
class Profile:
    """The counts of one launch.

    Attributes:
        segments: the ops of each segment of compiled code that can be counted, by number.
        runs: for each executed segment, the numbers of warps and threads that ran it.
        requests: for each op that accesses memory and each accessed space.
        divergent: for each branch the number of warps whose lanes took both edges.
        lanes: for each block, or row of blocks, and each segment, the number of runs by each lane.
    """

    segments: Sequence[Sequence[Operation]]
    sites: Sequence[Operation]
    runs: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    requests: dict[tuple[int, int], Requests] = field(
        default_factory=dict[tuple[int, int], Requests]
    )
    divergent: dict[int, int] = field(default_factory=dict[int, int])
    lanes: dict[tuple[int, int, int], dict[int, Lanes]] = field(
        default_factory=dict[tuple[int, int, int], dict[int, Lanes]]
    )

    # Events of a running block

    def ran(self, segment: int, mask: Mask, block: tuple[int, int, int]) -> None:
        """Counts the entry of a segment by the lanes of a mask, of one block or of several side by
        side."""
        row = self.runs.get(segment)
        if row is None:
            row = self.runs[segment] = [0, 0]
        row[0] += warps_of(mask)
        row[1] += mask.count
        lanes = self.lanes.setdefault(block, {})
        if segment in lanes:
            lanes[segment] += mask.bits
        else:
            lanes[segment] = mask.bits.astype(np.int64)

    def accessed(self, site: int, mask: Mask, address: Lanes, window: int, size: int) -> None:
        """Counts an access by the lanes of a mask to `size` bytes each, at addresses of a window or
        generic ones."""
        lanes = mask.index
        wide = np.broadcast_to(address, mask.bits.shape)[lanes].view(np.int64)
        if window != GENERIC:
            self._accessed(site, lanes, wide, window, size)
            return
        tags = wide >> WINDOW_SHIFT
        for tag in np.unique(tags).tolist():
            there = tags == tag
            self._accessed(site, lanes[there], wide[there] & WINDOW_MASK, tag, size)

    def _accessed(self, site: int, lanes: Lanes, address: Lanes, window: int, size: int) -> None:
        row = self.requests.get((site, window))
        if row is None:
            row = self.requests[site, window] = Requests()
        warps = lanes // WARP_SIZE
        count = _distinct(warps)
        row.requests += count
        if window == SHARED:
            needed, least = _wavefronts(lanes, address, size)
            row.wavefronts += needed
            row.conflicts += needed - least
        else:
            if window == LOCAL:
                # Local memory interleaves the words of the lanes of a warp.
                address = (
                    address // BANK_BYTES * (WARP_SIZE * BANK_BYTES)
                    + lanes % WARP_SIZE * BANK_BYTES
                )
                step = WARP_SIZE * BANK_BYTES
                starts = [address + i * step for i in range(max(size // BANK_BYTES, 1))]
                row.sectors += sum(
                    _sectors(warps, start, min(size, BANK_BYTES)) for start in starts
                )
            else:
                row.sectors += _sectors(warps, address, size)

    def parted(self, site: int, taken: Mask | None, other: Mask | None) -> None:
        """Counts a branch at which lanes diverged; None represents an empty mask."""
        if taken is None or other is None:
            return
        both = np.intersect1d(taken.index // WARP_SIZE, other.index // WARP_SIZE)
        if both.size:
            self.divergent[site] = self.divergent.get(site, 0) + int(both.size)

    # Queries after the launch

    def op_runs(self) -> dict[Operation, Executed]:
        """The execution counts of each executed op."""
        found: dict[Operation, Executed] = {}
        for segment, (warps, threads) in self.runs.items():
            for op in self.segments[segment]:
                row = found.get(op)
                if row is None:
                    row = found[op] = Executed()
                row.add(Executed(warps, threads))
        return found

    def groups(self) -> list[tuple[int, dict[Operation, int]]]:
        """The groups of threads with equal counts of every op: size of the group, and counts of one
        thread."""
        segments = sorted(self.runs)
        nothing = np.zeros(1, np.int64)
        tables = [
            np.stack(np.broadcast_arrays(*(lanes.get(s, nothing) for s in segments)))
            for lanes in self.lanes.values()
        ]
        if not tables:
            return []
        columns, threads = np.unique(np.concatenate(tables, axis=1), axis=1, return_counts=True)
        found: list[tuple[int, dict[Operation, int]]] = []
        for column, count in zip(columns.T.tolist(), threads.tolist()):
            runs: dict[Operation, int] = {}
            for segment, times in zip(segments, column):
                for op in self.segments[segment] if times else ():
                    runs[op] = runs.get(op, 0) + times
            found.append((count, runs))
        return found

    def memory(self) -> dict[Operation, dict[str, Requests]]:
        """The memory requests of each op, by the name of the state space."""
        found: dict[Operation, dict[str, Requests]] = {}
        for (site, window), row in self.requests.items():
            by_space = found.setdefault(self.sites[site], {})
            by_space.setdefault(WINDOW_NAMES[window], Requests()).add(row)
        return found

    def divergent_branches(self) -> dict[Operation, int]:
        """For each branch, the number of times that the lanes of a warp diverged."""
        found: dict[Operation, int] = {}
        for site, count in self.divergent.items():
            op = self.sites[site]
            found[op] = found.get(op, 0) + count
        return found

    def instructions(self) -> dict[Operation, Executed]:
        """The executed instructions of each op that represents any."""
        found: dict[Operation, Executed] = {}
        for op, row in self.op_runs().items():
            count = len(instruction_classes(op))
            if count:
                found[op] = Executed(count * row.warps, count * row.threads)
        return found

    def total(self) -> Executed:
        """All instructions together."""
        out = Executed()
        for row in self.instructions().values():
            out.add(row)
        return out

    def by_class(self) -> dict[str, Executed]:
        """Executed instructions by class, in the order of `CLASSES`."""
        found: dict[str, Executed] = {}
        for op, row in self.op_runs().items():
            for name in instruction_classes(op):
                found.setdefault(name, Executed()).add(row)
        return {name: found[name] for name in CLASSES if name in found}

    def by_space(self) -> dict[str, Requests]:
        """Memory requests by state space."""
        found: dict[str, Requests] = {}
        for spaces in self.memory().values():
            for name, row in spaces.items():
                found.setdefault(name, Requests()).add(row)
        return {name: found[name] for name in WINDOW_NAMES if name in found}


def warps_of(mask: Mask) -> int:
    """The number of warps with a lane in a mask."""
    if mask.all:
        return -(-mask.count // WARP_SIZE)
    return _distinct(mask.index // WARP_SIZE)


def _distinct(values: Lanes) -> int:
    """The number of distinct values in a sorted array."""
    return int(np.count_nonzero(values[1:] != values[:-1])) + 1 if values.size else 0


def _sectors(warps: Lanes, address: Lanes, size: int) -> int:
    """The number of distinct sectors of each warp, summed over all warps."""
    first, last = address // SECTOR, (address + (size - 1)) // SECTOR
    span = int((last - first).max(initial=0)) + 1
    keys = [
        warps.astype(np.int64) << 48 | np.minimum(first + i, last).astype(np.int64)
        for i in range(span)
    ]
    return int(np.unique(np.concatenate(keys)).size)


def _wavefronts(lanes: Lanes, address: Lanes, size: int) -> tuple[int, int]:
    """The passes of shared memory accesses, and their minimum without conflicts.

    A pass accesses one word in each of the 32 banks, which any number of lanes may share. Accesses
    of 8 and 16 bytes are performed by halves and quarters of a warp (CUDA C++ Best Practices Guide,
    "Shared Memory and Memory Banks").
    """
    words = max(size // BANK_BYTES, 1)
    group = (lanes // max(WARP_SIZE // words, 1)).astype(np.int64)
    first = address // BANK_BYTES
    keys = np.unique(np.concatenate([group << 32 | (first + i) for i in range(words)]))
    per_bank = np.unique(keys >> 32 << 8 | (keys & (BANKS - 1)), return_counts=True)
    groups = per_bank[0] >> 8
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    return int(np.maximum.reduceat(per_bank[1], starts).sum()), int(starts.size)


def as_table(profile: Profile) -> dict[str, list[dict[str, Any]]]:
    """A profile as plain data, for JSON: `instructions` by class, `memory` by space, `branches`."""
    lines = [*profile.by_class().items(), ("all", profile.total())]
    return {
        "instructions": [
            {
                "class": name,
                "warps": row.warps,
                "threads": row.threads,
                "active_lanes": round(row.threads / row.warps, 2) if row.warps else 0.0,
            }
            for name, row in lines
        ],
        "memory": [
            {
                "space": name,
                "requests": row.requests,
                "sectors": row.sectors,
                "sectors_per_request": round(row.sectors / row.requests, 2),
                "wavefronts": row.wavefronts,
                "bank_conflicts": row.conflicts,
            }
            for name, row in profile.by_space().items()
        ],
        "branches": [{"divergent": sum(profile.divergent_branches().values())}],
    }
