"""Barriers of a block: `bar`, `barrier` and their reductions (PTX ISA, 9.7.13.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.errors import describe
from nvvm_xdsl.simulator.execution.clocks import NOTHING, Known, merged
from nvvm_xdsl.simulator.execution.memory import Lanes, Mask
from nvvm_xdsl.simulator.execution.scheduling import Grid, Lockstep

DIVERGENT = "Barrier error detected. Divergent thread(s)"
"""Prefix of a report of synccheck."""


@dataclass
class _Barrier:
    waiting: Lanes
    arrived: Lanes
    sites: set[int]
    count: int = 0
    predicate: Lanes | None = None
    undefined: bool = False
    """Whether a predicate is undefined."""
    released: Known = field(default_factory=lambda: NOTHING)
    """The accesses before the arrivals, for the race check."""


class BlockBarriers(Lockstep):
    """A block whose threads can wait at its barriers."""

    def __init__(self, grid: Grid, index: tuple[int, int, int], rank: int) -> None:
        super().__init__(grid, index, rank)
        self.barrier_value = np.zeros(self.lanes, np.uint32)
        self.barrier_undefined = np.zeros(self.lanes, bool)
        """Whether `barrier_value` depends on an undefined predicate."""
        self._barriers: dict[int, _Barrier] = {}

    def barrier(
        self,
        site: int,
        mask: Mask,
        number: Lanes,
        count: Lanes | None,
        predicate: Lanes | None = None,
        arrive: bool = False,
        undefined: Lanes | None = None,
    ) -> bool:
        """`barrier`: true if the lanes need not wait; otherwise they are parked.

        With `predicate` it is a `bar.red`, whose result `barrier_result` returns; `undefined` states
        for each lane whether its predicate is. With `arrive` the lanes are counted but do not wait.
        """
        single = number.size == 1 and (count is None or count.size == 1)
        done = True
        for mask_, number_, count_ in (
            [(mask, int(number[0]), 0 if count is None else int(count[0]))]
            if single
            else self._by_barrier(mask, number, count)
        ):
            unknown = undefined is not None and bool((undefined & mask_.bits).any())
            done = self._arrive(site, mask_, number_, count_, predicate, arrive, unknown) and done
        return done

    def _by_barrier(
        self, mask: Mask, number: Lanes, count: Lanes | None
    ) -> list[tuple[Mask, int, int]]:
        n = self.lanes
        numbers = np.broadcast_to(number, n).astype(np.int64)
        counts = (
            np.zeros(n, np.int64) if count is None else np.broadcast_to(count, n).astype(np.int64)
        )
        key = numbers << 32 | counts
        found: list[tuple[Mask, int, int]] = []
        for k in np.unique(key[mask.bits]):
            found.append((Mask(mask.bits & (key == k)), int(k) >> 32, int(k) & 0xFFFFFFFF))
        return found

    def _arrive(
        self,
        site: int,
        mask: Mask,
        number: int,
        count: int,
        predicate: Lanes | None,
        arrive: bool,
        undefined: bool,
    ) -> bool:
        if number > 15:
            raise self.error("sync", f"there is no barrier {number}", site)
        if count % WARP_SIZE:
            raise self.error(
                "sync", f"a barrier waits for {count} threads, which is not a multiple of 32", site
            )
        if "sync" in self.grid.checks and self.any_exited and not count:
            self._report_exited(site)
        state = self._barriers.get(number)
        if state is None:
            if (
                mask.count == self.lanes - int(np.count_nonzero(self.exited))
                and not arrive
                and (not count or self.warps * WARP_SIZE == count)
            ):
                if predicate is not None:
                    wide = np.broadcast_to(predicate, self.lanes)
                    self._reduce(mask.bits, mask.bits, wide, undefined)
                if self.grid.races is not None:
                    self.grid.races.synchronize(self, mask.bits)
                return True
            state = self._barriers[number] = _Barrier(
                np.zeros(self.lanes, bool), np.zeros(self.lanes, bool), set(), count
            )
        if self.grid.races is not None:
            released = self.grid.races.released(self, mask.bits)
            state.released = merged([state.released, released])
        state.arrived |= mask.bits
        state.sites.add(site)
        state.count = max(state.count, count)
        if not arrive:
            state.waiting |= mask.bits
        if predicate is not None:
            old = state.predicate
            wide = np.broadcast_to(predicate, self.lanes)
            state.predicate = np.where(mask.bits, wide, False if old is None else old)
            state.undefined |= undefined
        self._try_barrier(number)
        return arrive

    def _report_exited(self, site: int) -> None:
        lane = int(np.flatnonzero(self.exited)[0])
        self.grid.report(
            self.lane_error(
                "sync",
                "a barrier waits for a thread that has exited,",
                lane,
                site,
                title=f"{DIVERGENT} in block: a thread exited before the barrier",
                count=int(np.count_nonzero(self.exited)),
            )
        )

    def _warps_in(self, lanes: Lanes) -> int:
        """The number of warps with all their remaining threads, at least one, in `lanes`."""
        padded = np.zeros((2, self.warps * WARP_SIZE), bool)
        padded[0, : self.lanes] = lanes
        padded[1, : self.lanes] = ~lanes & ~self.exited
        rows = np.any(padded.reshape(2, self.warps, WARP_SIZE), axis=2)
        return int(np.count_nonzero(rows[0] & ~rows[1]))

    def _try_barrier(self, number: int) -> None:
        state = self._barriers[number]
        if state.count:
            if self._warps_in(state.arrived) * WARP_SIZE < state.count:
                return
        elif (~state.arrived & ~self.exited).any():
            return
        del self._barriers[number]
        if "sync" in self.grid.checks:
            if not state.count and bool((self.exited & ~state.arrived).any()):
                self._report_exited(min(state.sites))
            if len(state.sites) > 1 and not state.count:
                sites = sorted(state.sites)
                others = ", ".join(describe(self.grid.sites[s]) for s in sites[1:])
                error = self.error(
                    "sync",
                    "threads wait at different barriers",
                    sites[0],
                    title=f"{DIVERGENT} in block: threads wait at different barriers",
                )
                error.notes = (f"other threads wait at {others}",)
                self.grid.report(error)
        if state.predicate is not None:
            self._reduce(state.waiting, state.arrived, state.predicate, state.undefined)
        if self.grid.races is not None:
            self.grid.races.acquire_known(self, state.waiting, state.released)
        self._release(state.waiting)

    def _reduce(self, waiting: Lanes, arrived: Lanes, predicate: Lanes, undefined: bool) -> None:
        true = int(np.count_nonzero(predicate & arrived))
        all_ = true == int(np.count_nonzero(arrived))
        # The low bits are the popc result; `and` and `or` are above them.
        packed = np.uint32(true | (int(all_) << 30) | (int(true > 0) << 31))
        self.barrier_value = np.where(waiting, packed, self.barrier_value)
        self.barrier_undefined = np.where(waiting, undefined, self.barrier_undefined)

    def barrier_result(self, kind: str) -> Lanes:
        """The result of the last `bar.red`: `popc`, `and` or `or`."""
        value = self.barrier_value
        if kind == "popc":
            return value & np.uint32((1 << 30) - 1)
        return (value >> np.uint32(30 if kind == "and" else 31)) & np.uint32(1) != 0
