"""Synchronization of threads: barriers, the barrier of a cluster, warp-wide ops with member masks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.block_barriers import DIVERGENT, BlockBarriers
from nvvm_xdsl.simulator.execution.clocks import NOTHING, Known, merged
from nvvm_xdsl.simulator.execution.memory import Lanes, Mask
from nvvm_xdsl.simulator.execution.scheduling import Grid


@dataclass
class _Collective:
    """Lanes that wait at one warp-wide op for the other members of their masks or warpgroups."""

    waiting: Lanes
    members: Lanes
    operands: list[Lanes]
    function: Callable[..., Any]
    size: int


class Synchronization(BlockBarriers):
    """A block whose threads can wait for each other."""

    def __init__(self, grid: Grid, index: tuple[int, int, int], rank: int) -> None:
        super().__init__(grid, index, rank)
        n = self.lanes
        self._collectives: dict[int, _Collective] = {}
        self.peers: Sequence[Synchronization] = ()
        """The blocks of the cluster."""
        self.cluster_arrived: Lanes = np.zeros(n, bool)
        self.cluster_waiting: Lanes = np.zeros(n, bool)
        self.cluster_phase_lanes: Lanes = np.zeros(n, bool)
        self.cluster_released: Known = NOTHING
        """For the race check: the accesses before the arrivals of the threads in the current phase."""
        self.cluster_known: Known = NOTHING
        """For the race check: the accesses before the arrivals of all threads in the last phase."""
        self._phases: dict[int, list[tuple[int, Lanes, bool]]] = {}
        """By position of a barrier object: the ops at which lanes wait for its phase, the lanes,
        and whether these wait to the end."""

    def exit(self, mask: Mask) -> None:
        """Ends threads."""
        self.exited |= mask.bits
        self.any_exited = True
        if self._barriers:
            for number in list(self._barriers):
                self._try_barrier(number)
        if self._collectives:
            for site in list(self._collectives):
                self._try_gathering(site)
        self.try_cluster()

    def finish(self) -> None:
        """Marks all threads as exited, after the kernel has ended."""
        self.exited[:] = True
        self.any_exited = True
        self.try_cluster()

    # Clusters

    def cluster_arrive(self, mask: Mask, relaxed: bool = False) -> None:
        """`barrier.cluster.arrive`, which orders no accesses if it is `relaxed`."""
        if self.grid.races is not None and not relaxed:
            released = self.grid.races.released(self, mask.bits)
            self.cluster_released = merged([self.cluster_released, released])
        self.cluster_arrived |= mask.bits
        self.try_cluster()

    def cluster_wait(self, mask: Mask) -> bool:
        """`barrier.cluster.wait`: true if the lanes need not wait."""
        passed = mask.bits & self.cluster_phase_lanes
        if self.grid.races is not None:
            self.grid.races.acquire_known(self, passed, self.cluster_known)
        self.cluster_phase_lanes = self.cluster_phase_lanes & ~mask.bits
        if int(np.count_nonzero(passed)) == mask.count:
            return True
        self.cluster_waiting |= mask.bits & ~passed
        if passed.any():
            self._release(passed)
        return False

    def try_cluster(self) -> None:
        """Completes the cluster's barrier when every thread of every block has arrived."""
        peers = self.peers or [self]
        if not any(bool(p.cluster_arrived.any()) for p in peers):
            return
        if any(bool((~p.cluster_arrived & ~p.exited).any()) for p in peers):
            return
        known = merged(p.cluster_released for p in peers)
        for p in peers:
            waiting = p.cluster_waiting.copy()
            p.cluster_known, p.cluster_released = known, NOTHING
            if p.grid.races is not None:
                p.grid.races.acquire_known(p, waiting, known)
            p.cluster_phase_lanes |= p.cluster_arrived & ~waiting
            p.cluster_arrived[:] = False
            p.cluster_waiting[:] = False
            if waiting.any():
                p._release(waiting)

    # Barrier objects

    def wait_for_phases(
        self,
        site: int,
        mask: Mask,
        passed: Lanes,
        places: Mapping[int, Sequence[int]],
        patient: bool,
    ) -> bool:
        """`mbarrier.try_wait`: true if all lanes have `passed`; otherwise they are parked.

        Arguments:
            places: the lanes whose phase is not complete, by the position of the barrier object.
            patient: whether lanes wait until the phase is complete, and never get the result false.
        """
        self._keep(site, mask.bits, passed)
        if not places:
            return True
        for place, lanes in places.items():
            waiting = np.zeros(self.lanes, bool)
            waiting[lanes] = True
            self._phases.setdefault(place, []).append((site, waiting, patient))
        if passed.any():
            self._release(passed)
        return False

    def complete_phase(self, place: int) -> None:
        """Resumes the lanes that wait for a completed phase of a barrier object."""
        for site, lanes, _ in self._phases.pop(place, ()):
            self._keep(site, lanes, lanes)
            for lane in np.flatnonzero(lanes).tolist():
                self.pass_phase(lane, place)
            self._release(lanes)

    def pass_phase(self, lane: int, place: int) -> None:
        """Orders the operations before the completion of the phase before the lane's current
        operation."""
        if self.grid.races is not None:
            self.grid.races.acquire(self, lane, place)

    def time_out(self) -> bool:
        """Resumes lanes that wait for phases, with the result false; returns False if there are
        none."""
        waiting: list[Lanes] = []
        for place, found in list(self._phases.items()):
            waiting += [lanes for _, lanes, patient in found if not patient]
            self._phases[place] = [item for item in found if item[2]]
            if not self._phases[place]:
                del self._phases[place]
        for lanes in waiting:
            self._release(lanes)
        return bool(waiting)

    def incomplete_phase(self) -> tuple[int, int, int] | None:
        """A barrier object that lanes wait for: its position, an op and a waiting lane."""
        for place, found in self._phases.items():
            site, lanes, _ = found[0]
            return place, site, int(np.flatnonzero(lanes)[0])
        return None

    # Warps

    def warp_words(self, lanes: Lanes) -> Lanes:
        """For each warp, a 32-bit mask of its lanes in `lanes`."""
        padded = np.zeros(self.warps * WARP_SIZE, bool)
        padded[: self.lanes] = lanes
        return (
            np.packbits(padded.reshape(self.warps, WARP_SIZE), axis=1, bitorder="little")
            .view(np.uint32)
            .reshape(-1)
        )

    def gather(
        self,
        site: int,
        mask: Mask,
        members: Lanes,
        function: Callable[..., Any],
        operands: tuple[Lanes, ...],
        size: int = WARP_SIZE,
    ) -> bool:
        """A warp-wide op with a member mask, or one of a warpgroup of `size` threads.

        `function(block, lanes, members, *operands)` computes the result for `lanes`, which is
        stored in `slot[site]`. Returns False if some lanes must wait for members that have not
        arrived.
        """
        members = np.broadcast_to(members, self.lanes)
        own = (members >> self.lane_in_warp) & np.uint32(1)
        if mask.bits[own == 0].any():
            lane = int(np.flatnonzero(mask.bits & (own == 0))[0])
            raise self.lane_error(
                "sync",
                "the member mask does not contain the executing",
                lane,
                site,
                title="Barrier error detected. Invalid arguments: the mask does not contain the thread",
            )
        if size > WARP_SIZE:
            self._check_groups(site, mask, size)
        gathering = self._collectives.get(site)
        if gathering is None:
            if not (mask.bits & ~self._complete(mask.bits, members, size)).any():
                self._check_members(site, mask, members)
                self._keep(site, mask.bits, function(self, mask.bits, members, *operands))
                if self.grid.races is not None:
                    self.grid.races.synchronize_warp(self, mask.bits)
                return True
            gathering = self._collectives[site] = _Collective(
                np.zeros(self.lanes, bool),
                members.copy(),
                [np.broadcast_to(o, self.lanes).copy() for o in operands],
                function,
                size,
            )
        gathering.waiting |= mask.bits
        gathering.members = np.where(mask.bits, members, gathering.members)
        for i, operand in enumerate(operands):
            gathering.operands[i] = np.where(mask.bits, operand, gathering.operands[i])
        self._try_gathering(site)
        return False

    def _complete(self, waiting: Lanes, members: Lanes, size: int) -> Lanes:
        """The waiting lanes for which all remaining members wait."""
        if size > WARP_SIZE:
            absent = (~waiting).reshape(-1, size).any(axis=1)
            return waiting & ~absent.repeat(size)
        words = self.warp_words(waiting)[self.warp_of_lane]
        return waiting & ((members & self._live() & ~words) == 0)

    def _check_groups(self, site: int, mask: Mask, size: int) -> None:
        if self.lanes % size:
            raise self.error(
                "sync", f"{self.lanes} threads are not a multiple of a warpgroup of {size}", site
            )
        if not self.any_exited:
            return
        short = mask.bits & self.exited.reshape(-1, size).any(axis=1).repeat(size)
        if short.any():
            lane = int(np.flatnonzero(short)[0])
            raise self.lane_error(
                "sync",
                "a thread of the warpgroup has exited before the multiplication of",
                lane,
                site,
            )

    def _live(self) -> Lanes:
        return self.warp_words(~self.exited)[self.warp_of_lane]

    def _keep(self, site: int, lanes: Lanes, result: Any) -> None:
        """Stores the results of a warp-wide op, in addition to results that other lanes have not
        fetched yet.
        """
        old = self.slot.get(site)
        if old is None:
            self.slot[site] = result
        elif isinstance(result, tuple):
            new = cast("tuple[Lanes, ...]", result)
            self.slot[site] = tuple(np.where(lanes, n, o) for n, o in zip(new, old))
        else:
            self.slot[site] = np.where(lanes, result, old)

    def _check_members(self, site: int, mask: Mask, members: Lanes) -> None:
        if "sync" not in self.grid.checks:
            return
        live = self._live()
        if (members & ~live & self._existing()).any():
            gone = mask.bits & ((members & ~live & self._existing()) != 0)
            if gone.any():
                lane = int(np.flatnonzero(gone)[0])
                self.grid.report(
                    self.lane_error(
                        "sync",
                        "a member mask names a thread that has exited, seen by",
                        lane,
                        site,
                        title=f"{DIVERGENT} in warp: the mask names a thread that has exited",
                        count=int(np.count_nonzero(gone)),
                    )
                )

    def _existing(self) -> Lanes:
        return self.warp_words(np.ones(self.lanes, bool))[self.warp_of_lane]

    def _try_gathering(self, site: int) -> None:
        gathering = self._collectives[site]
        complete = self._complete(gathering.waiting, gathering.members, gathering.size)
        if not complete.any():
            return
        self._check_members(site, Mask(complete), gathering.members)
        result = gathering.function(self, complete, gathering.members, *gathering.operands)
        self._keep(site, complete, result)
        if self.grid.races is not None:
            self.grid.races.synchronize_warp(self, complete)
        gathering.waiting &= ~complete
        if not gathering.waiting.any():
            del self._collectives[site]
        self._release(complete)

    def blocked(self) -> SimulationError:
        """The reason for which no thread of the block can continue."""
        for number, state in self._barriers.items():
            site = min(state.sites)
            missing = (
                int(np.flatnonzero(~state.arrived & ~self.exited)[0])
                if (~state.arrived & ~self.exited).any()
                else -1
            )
            if missing >= 0:
                absent = ~state.arrived & ~self.exited
                return self.lane_error(
                    "sync",
                    f"barrier {number} is never reached by",
                    missing,
                    site,
                    title=f"{DIVERGENT} in block: barrier {number} is never reached by all",
                    notes=[
                        f"{int(np.count_nonzero(state.arrived))} threads wait for"
                        f" {int(np.count_nonzero(absent))} that do not come"
                    ],
                    count=int(np.count_nonzero(absent)),
                )
            return self.error(
                "sync",
                f"barrier {number} waits for {state.count} threads, which never arrive",
                site,
            )
        for site, gathering in self._collectives.items():
            lane = int(np.flatnonzero(gathering.waiting)[0])
            return self.lane_error(
                "sync",
                "a warp-wide op waits for members that never arrive, in",
                lane,
                site,
                title=f"{DIVERGENT} in warp: members of the mask never arrive",
                count=int(np.count_nonzero(gathering.waiting)),
            )
        return self.error("sync", "a cluster barrier is never reached by all its threads")
