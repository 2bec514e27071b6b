"""Vector clocks: the accesses of other threads that happened before a thread's next one.

The time of a thread is the number of times that it released its accesses. A row has the times of all
threads of a block, and of the agent that performs asynchronous copies of the block. For each running
block a matrix has one row per thread. Other blocks are known by immutable rows, which threads share.

The second half of a row, which exists after the first proxy fence, has the times up to which accesses
through the generic proxy are ordered before accesses through the async proxy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from nvvm_xdsl.simulator.execution.memory import Lanes

Known = Mapping[int, Lanes]
"""Rows by the number of their block. Never changed in place."""

NOTHING: Final[Known] = {}

MAX_CLOCKS = 32
"""Maximum number of blocks whose clocks are kept, which exceeds the number that run at the same
time."""


def _fitted(row: Lanes, size: int) -> Lanes:
    """A row with zeros for the proxy times that it lacks."""
    return row if row.size >= size else np.concatenate([row, np.zeros(size - row.size, np.int32)])


def _joined(first: Lanes, second: Lanes) -> Lanes:
    size = max(first.size, second.size)
    return np.maximum(_fitted(first, size), _fitted(second, size))


def merged(parts: Iterable[Known]) -> Known:
    """The element-wise maximum of several sets of rows."""
    distinct = list({id(part): part for part in parts if part}.values())
    if len(distinct) < 2:
        return distinct[0] if distinct else NOTHING
    distinct.sort(key=len)
    found = dict(distinct.pop())
    for part in distinct:
        for block, row in part.items():
            old = found.get(block)
            if old is not row:
                found[block] = row if old is None else _joined(old, row)
    return found


def _numbers(index: Lanes) -> list[int]:
    return index.tolist()


class Clocks:
    """The clocks of the running blocks.

    Arguments:
        lanes: threads of a block.
    """

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.has_proxies = False
        self._clocks: dict[int, Lanes] = {}
        self._others: dict[int, list[Known]] = {}
        """By block: the rows of other blocks for each thread."""

    @property
    def proxy_start(self) -> int:
        """The index of the first proxy time in a row."""
        return self.lanes + 1

    @property
    def _width(self) -> int:
        return self.proxy_start * (2 if self.has_proxies else 1)

    def of(self, block: int) -> Lanes:
        """The matrix of a block. The last row is that of asynchronous copies."""
        clock = self._clocks.get(block)
        if clock is None:
            if len(self._clocks) >= MAX_CLOCKS:
                oldest = min(self._clocks)
                del self._clocks[oldest]
                self._others.pop(oldest, None)
            clock = np.zeros((self.lanes + 1, self._width), np.int32)
            np.fill_diagonal(clock, 1)
            self._clocks[block] = clock
        return clock

    def others(self, block: int) -> list[Known]:
        """The rows of other blocks for each thread of a block and for its copies."""
        found = self._others.get(block)
        if found is None:
            found = self._others[block] = [NOTHING] * (self.lanes + 1)
        return found

    def times(self, block: int, lanes: Lanes) -> Lanes:
        """The current time of each of some threads."""
        return self.of(block)[lanes, lanes]

    def released(self, block: int, index: Lanes) -> Known:
        """The accesses of some threads up to this point, and all accesses that happened before
        them."""
        clock = self.of(block)
        row = clock[index].max(axis=0) if index.size > 1 else clock[index[0]].copy()
        clock[index, index] += 1
        own: Known = {block: row}
        if block not in self._others:
            return own
        others = self._others[block]
        return merged([own, *(others[lane] for lane in _numbers(index))])

    def acquire(self, block: int, index: Lanes, known: Known) -> None:
        """Orders accesses before the next ones of some threads."""
        row = known.get(block)
        if row is not None:
            clock = self.of(block)
            clock[index] = np.maximum(clock[index], _fitted(row, clock.shape[1]))
        if len(known) > (row is not None):
            others = self.others(block)
            results: dict[int, Known] = {}
            for lane in _numbers(index):
                old = others[lane]
                new = results.get(id(old))
                if new is None:
                    new = results[id(old)] = merged([old, known])
                others[lane] = new

    def synchronize(self, block: int, index: Lanes) -> None:
        """Orders the accesses of some threads of a block before the next ones of all of them."""
        clock = self.of(block)
        clock[index] = clock[index].max(axis=0)
        clock[index, index] += 1
        if block in self._others:
            others = self._others[block]
            lanes = _numbers(index)
            known = merged(others[lane] for lane in lanes)
            for lane in lanes:
                others[lane] = known

    def fence_proxy(self, block: int, index: Lanes) -> None:
        """Orders all accesses known to some threads before later ones through the async proxy."""
        if not self.has_proxies:
            self.has_proxies = True
            for number, clock in self._clocks.items():
                zeros = np.zeros(clock.shape, np.int32)
                self._clocks[number] = np.concatenate([clock, zeros], axis=1)
        clock, start = self.of(block), self.proxy_start
        clock[index, start:] = np.maximum(clock[index, start:], clock[index, :start])
        clock[index, index] += 1
        if block in self._others:
            others = self._others[block]
            for lane in _numbers(index):
                others[lane] = {b: np.tile(row[:start], 2) for b, row in others[lane].items()}

    def ordered(
        self, block: int, lane: Lanes, agents: Lanes, blocks: Lanes, times: Lanes, proxy: bool
    ) -> Lanes:
        """A mask of the earlier accesses that happened before the next access of threads of a
        block.

        Arguments:
            lane: the thread of each access.
            agents, blocks, times: thread, block and time of each earlier access.
            proxy: whether the next accesses use the async proxy and the earlier ones the generic
                proxy.
        """
        clock = self.of(block)
        column = agents + self.proxy_start if proxy else agents
        if proxy and not self.has_proxies:
            return np.zeros(lane.shape, bool)
        found = clock[lane, column] >= times
        foreign = blocks != block
        if not foreign.any():
            return found
        found &= ~foreign
        others = self._others.get(block)
        if others is None:
            return found
        places = np.flatnonzero(foreign)
        threads, numbers = _numbers(lane[places]), _numbers(blocks[places])
        for at, thread, other in zip(_numbers(places), threads, numbers):
            row = others[thread].get(other)
            if row is not None:
                index = int(column[at])
                found[at] = index < row.size and row[index] >= times[at]
        return found
