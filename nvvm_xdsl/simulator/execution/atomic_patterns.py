"""Synchronization by atomic operations and fences (PTX ISA, "Release and Acquire Patterns").

A release pattern is a write with release semantics, or a fence followed by an atomic write. An acquire
pattern is a read with acquire semantics, or an atomic read followed by a fence. The release pattern
synchronizes with the acquire pattern if the read returns the write, or a value that only
read-modify-writes have changed since, and if the scopes of both include the other thread.

The first read-modify-write of a thread after a fence is an acquire pattern as well. PTX does not guarantee
this, but the "last block" idiom of the CUDA programming guide has a fence only before its `atomicInc`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nvvm_xdsl.dialects.memory_semantics import MemorySemantics, Scope
from nvvm_xdsl.simulator.execution.clocks import NOTHING, Clocks, Known, merged
from nvvm_xdsl.simulator.execution.memory import Lanes

MAX_RUNNING = 16
"""Number of clusters whose fences are kept, which exceeds the number that run at the same time."""


@dataclass
class _Released:
    """The accesses that the readers of a location may acquire, by the widest scope of the readers.

    Attributes:
        cluster: the cluster of the last write.
        by_block: accesses that threads of each block may acquire. Blocks of other clusters have
            ended.
        in_cluster: accesses that threads of the cluster may acquire.
        anywhere: accesses that all threads may acquire.
        writer: block and thread of the last write.
    """

    cluster: int
    by_block: dict[int, Known] = field(default_factory=dict[int, Known])
    in_cluster: Known = field(default_factory=lambda: NOTHING)
    anywhere: Known = field(default_factory=lambda: NOTHING)
    writer: tuple[int, int] = (0, 0)

    def add(self, block: int, cluster: int, scope: Scope, known: Known) -> None:
        """Releases accesses with a scope."""
        if cluster != self.cluster:
            self.cluster, self.in_cluster = cluster, NOTHING
            self.by_block.clear()
        if scope >= Scope.CTA:
            self.by_block[block] = merged([self.by_block.get(block, NOTHING), known])
        if scope >= Scope.CLUSTER:
            self.in_cluster = merged([self.in_cluster, known])
        if scope >= Scope.GPU:
            self.anywhere = merged([self.anywhere, known])

    def seen_by(self, block: int, cluster: int, scope: Scope) -> _Seen:
        """The accesses that an atomic read with a scope may acquire."""
        same = cluster == self.cluster
        return _Seen(
            self.by_block.get(block, NOTHING) if same and scope >= Scope.CTA else NOTHING,
            self.in_cluster if same and scope >= Scope.CLUSTER else NOTHING,
            self.anywhere if scope >= Scope.GPU else NOTHING,
        )


@dataclass(frozen=True)
class _Seen:
    """The accesses that a thread may acquire, by the smallest scope that the acquire pattern
    needs."""

    in_block: Known
    in_cluster: Known
    anywhere: Known

    def within(self, scope: Scope) -> Known:
        """The part for an acquire pattern with a scope."""
        parts = (self.in_block, self.in_cluster, self.anywhere)
        return merged(parts[: min(max(scope, 0), 3)])

    def __or__(self, other: _Seen) -> _Seen:
        return _Seen(
            merged([self.in_block, other.in_block]),
            merged([self.in_cluster, other.in_cluster]),
            merged([self.anywhere, other.anywhere]),
        )


_UNSEEN = _Seen(NOTHING, NOTHING, NOTHING)


@dataclass
class _Thread:
    """The open patterns of a thread.

    Attributes:
        fenced: the accesses that a later atomic write releases, by the scope of the fence.
        seen: accesses released to its atomic reads, for a later fence.
        fresh: the scope of a fence that no read-modify-write has followed yet.
    """

    fenced: dict[Scope, Known] = field(default_factory=dict[Scope, Known])
    seen: _Seen = _UNSEEN
    fresh: Scope | None = None


class AtomicPatterns:
    """Release and acquire patterns of all threads.

    Arguments:
        clocks: the clocks of the running blocks.
    """

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self.released: dict[int, _Released] = {}
        """By position of a location in the arena."""
        self._threads: dict[int, dict[int, dict[int, _Thread]]] = {}
        """By cluster, block and thread."""

    def _open(self, block: int, cluster: int) -> dict[int, _Thread]:
        """The threads of a block that have open patterns."""
        blocks = self._threads.get(cluster)
        if blocks is None:
            if len(self._threads) >= MAX_RUNNING:
                del self._threads[min(self._threads)]
            blocks = self._threads[cluster] = {}
        return blocks.setdefault(block, {})

    def forget(self, start: int, end: int) -> None:
        """Clears the history of a memory range, for shared memory of a new block."""
        for place in [p for p in self.released if start <= p < end]:
            del self.released[place]

    def overwrite(self, positions: Lanes) -> None:
        """Records that weak writes have replaced the values of locations."""
        if self.released:
            for place in positions.tolist():
                self.released.pop(place, None)

    def fence(self, block: int, cluster: int, index: Lanes, semantics: MemorySemantics) -> None:
        """Records a fence of some threads."""
        threads = self._open(block, cluster)
        order, scope = semantics.order, semantics.scope
        for lane in index.tolist():
            thread = threads.setdefault(lane, _Thread())
            one = np.array([lane])
            if order.acquires:
                known = thread.seen.within(scope)
                if known:
                    self.clocks.acquire(block, one, known)
            if order.releases:
                thread.fenced[scope] = self.clocks.released(block, one)
                thread.fresh = scope

    def access(
        self,
        block: int,
        cluster: int,
        lane: Lanes,
        positions: Lanes,
        semantics: MemorySemantics,
        reads: bool,
        writes: bool,
    ) -> None:
        """Records atomic accesses of some threads, in the order of the threads.

        Arguments:
            lane, positions: thread and location of each access.
            reads, writes: whether the accesses read and write; both for a read-modify-write.
        """
        threads = self._open(block, cluster)
        if not threads and not self.released and not (writes and semantics.order.releases):
            return
        for number, place in zip(lane.tolist(), positions.tolist()):
            if reads:
                self._read(block, cluster, number, place, semantics, writes)
            if writes:
                self._write(block, cluster, number, place, semantics, reads)

    def _read(
        self,
        block: int,
        cluster: int,
        lane: int,
        place: int,
        semantics: MemorySemantics,
        writes: bool,
    ) -> None:
        threads = self._open(block, cluster)
        fresh = None
        if writes and lane in threads:
            fresh, threads[lane].fresh = threads[lane].fresh, None
        released = self.released.get(place)
        if released is None:
            return
        seen = released.seen_by(block, cluster, semantics.scope)
        acquired: Scope | None = semantics.scope if semantics.order.acquires else fresh
        if acquired is not None:
            known = seen.within(acquired)
            if known:
                self.clocks.acquire(block, np.array([lane]), known)
        thread = threads.setdefault(lane, _Thread())
        thread.seen = thread.seen | seen

    def _write(
        self,
        block: int,
        cluster: int,
        lane: int,
        place: int,
        semantics: MemorySemantics,
        reads: bool,
    ) -> None:
        thread = self._open(block, cluster).get(lane)
        fenced = thread.fenced if thread is not None else {}
        released = self.released.get(place)
        if not semantics.order.releases and not fenced:
            if released is not None and not reads and released.writer != (block, lane):
                del self.released[place]
            return
        if released is None or (not reads and released.writer != (block, lane)):
            released = self.released[place] = _Released(cluster)
        released.writer = (block, lane)
        for scope, known in fenced.items():
            released.add(block, cluster, min(scope, semantics.scope), known)
        if semantics.order.releases:
            known = self.clocks.released(block, np.array([lane]))
            released.add(block, cluster, semantics.scope, known)
