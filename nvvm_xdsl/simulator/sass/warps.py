"""Scheduling of the lanes of a block: fragments of warps, convergence barriers, barriers.

A fragment is a set of lanes of one warp that execute together. A branch whose condition differs
divides a fragment; only convergence barriers (`BSYNC`, `WARPSYNC`) join fragments again (US patent
10,067,768, "Execution of divergent threads using a convergence barrier"). A mask of lanes here has at
most one fragment of each warp, so that the warps that a mask touches are the instructions issued.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import Lanes, Mask
from nvvm_xdsl.simulator.execution.scheduling import FAIR_AFTER, FAIR_TURNS, split

DONE, BLOCKED = -1, -2
BARRIERS = 16
"""Convergence barrier registers of a warp."""

_NOBODY = np.zeros(1, np.uint32)


class Warps:
    """The state of a block's control flow.

    Attributes:
        live: number of lanes that have not exited.
    """

    def __init__(self, block: Block, start: Mask) -> None:
        self.block = block
        self.live = start.count
        self.pending: dict[int, list[Mask]] = {0: [start]}
        self.barriers: list[Lanes] = [_NOBODY] * BARRIERS
        """For each convergence barrier and lane, the participating lanes of its warp."""
        self._converging: dict[int, tuple[Mask, int | Lanes]] = {}
        """The waiting lanes, and the barrier or the masks of lanes, by the segment at which they
        continue."""
        self._parked: dict[int, list[Mask]] = {}
        self._conjunction: Lanes = np.zeros(block.lanes, bool)
        """The lanes whose last `BAR.RED` was an `AND`."""
        self._turns = 0
        self._whole: tuple[Mask, Mask] | None = None

    # Fragments

    def add(self, segment: int, mask: Mask) -> None:
        """Queues lanes at a segment."""
        found = self.pending.get(segment)
        if found is None:
            self.pending[segment] = [mask]
            return
        words = self.block.warp_words(mask.bits) != 0
        for i, other in enumerate(found):
            if not (words & (self.block.warp_words(other.bits) != 0)).any():
                found[i] = Mask(other.bits | mask.bits)
                return
        found.append(mask)

    def go(self, segment: int, mask: Mask) -> tuple[int, Mask | None]:
        """Moves lanes to a segment, which runs immediately unless pending lanes may have to run
        first."""
        if not self.pending:
            return segment, mask
        self.add(segment, mask)
        return segment, None

    def branch(
        self, mask: Mask, condition: Lanes, taken: int, other: int
    ) -> tuple[int, Mask | None]:
        """Moves lanes to `taken` if their condition is true, else to `other`."""
        yes, no = split(mask, condition)
        if no is None:
            return self.go(taken, mask)
        if yes is None:
            return self.go(other, mask)
        self.add(taken, yes)
        self.add(other, no)
        return taken, None

    def jump(
        self, mask: Mask, address: Lanes, segments: Mapping[int, int], site: int
    ) -> tuple[int, Mask | None]:
        """Moves lanes to the segments at their target addresses."""
        if address.size == 1:
            return self.go(self._segment(int(address[0]), segments, site), mask)
        values = np.unique(address[mask.bits])
        if values.size == 1:
            return self.go(self._segment(int(values[0]), segments, site), mask)
        for value in values.tolist():
            self.add(self._segment(value, segments, site), Mask(mask.bits & (address == value)))
        return 0, None

    def _segment(self, address: int, segments: Mapping[int, int], site: int) -> int:
        found = segments.get(address)
        if found is None:
            raise self.block.error(
                "memory", f"a jump to {address:#x}, which contains no code", site
            )
        return found

    def pick(self) -> tuple[int, Mask | None]:
        """The next segment and its lanes; `DONE` or `BLOCKED` if there is none."""
        if self._parked and self.block.any_released:
            self._unpark()
        pending = self.pending
        if not pending:
            return (BLOCKED if self._parked or self._converging else DONE), None
        segment = min(pending)
        if len(pending) > 1:
            self._turns += 1
            if self._turns >= FAIR_AFTER:
                segment = max(pending)
                if self._turns >= FAIR_AFTER + FAIR_TURNS:
                    self._turns = 0
        masks = pending[segment]
        if len(masks) == 1:
            del pending[segment]
            return segment, masks[0]
        return segment, masks.pop(0)

    def exit(self, mask: Mask) -> None:
        """Ends lanes."""
        self.live -= mask.count
        self.block.exit(mask)
        for segment in list(self._converging):
            self._try_converge(segment)

    def exit_where(self, mask: Mask, condition: Lanes) -> Mask | None:
        """Ends lanes whose condition is true; returns the others."""
        yes, no = split(mask, condition)
        if yes is not None:
            self.exit(yes)
        return no

    def guard(self, mask: Mask, condition: Lanes) -> Mask | None:
        """The lanes that execute a predicated instruction."""
        return split(mask, condition)[0]

    # Convergence barriers

    def words(self, mask: Mask) -> Lanes:
        """For each lane, a 32-bit mask of the active lanes of its warp."""
        return self.block.warp_words(mask.bits)[self.block.warp_of_lane]

    def begin(self, barrier: int, mask: Mask) -> None:
        """`BSSY`: the lanes of each fragment participate in a barrier."""
        words = self.words(mask)
        self.barriers[barrier] = (
            words if mask.all else np.where(mask.bits, words, self.barriers[barrier])
        )

    def leave(self, barrier: int, mask: Mask) -> None:
        """`BREAK`: removes lanes from the participants of a barrier."""
        gone = self.words(mask)
        self.barriers[barrier] = self.barriers[barrier] & ~gone
        for segment in list(self._converging):
            self._try_converge(segment)

    def set_barrier(self, barrier: int, mask: Mask, value: Lanes) -> None:
        """`BMOV` to a barrier."""
        self.barriers[barrier] = np.where(mask.bits, value, self.barriers[barrier])

    def converge(self, mask: Mask, members: int | Lanes, segment: int) -> tuple[int, Mask | None]:
        """Lanes wait for the members of a barrier, or of masks, and continue together."""
        waiting = self._converging.get(segment)
        if waiting is None:
            if mask.count == self.live:
                return self.go(segment, mask)
            wanted = self.barriers[members] if isinstance(members, int) else members
            if not self._missing(mask.bits, wanted).any():
                return self.go(segment, mask)
            self._converging[segment] = mask, members
            return segment, None
        if not isinstance(members, int):
            members = np.where(mask.bits, members, waiting[1])
        self._converging[segment] = Mask(waiting[0].bits | mask.bits), members
        self._try_converge(segment)
        return segment, None

    def _missing(self, waiting: Lanes, members: Lanes) -> Lanes:
        """The waiting lanes for which a member has not arrived.

        Only lanes with the same members have arrived: the others are at another depth of a
        recursion, for which the barrier register was saved and set again.
        """
        block = self.block
        here = np.zeros(block.lanes, np.uint32)
        members = np.broadcast_to(members, waiting.shape)
        for value in np.unique(members[waiting]).tolist():
            same = waiting & (members == value)
            here = np.where(same, block.warp_words(same)[block.warp_of_lane], here)
        alive = block.warp_words(~block.exited)[block.warp_of_lane]
        return waiting & ((members & alive & ~here) != 0)

    def _try_converge(self, segment: int) -> None:
        mask, members = self._converging[segment]
        wanted = self.barriers[members] if isinstance(members, int) else members
        missing = self._missing(mask.bits, wanted)
        free = mask.bits & ~missing
        if not free.any():
            return
        if missing.any():
            self._converging[segment] = Mask(missing), members
        else:
            del self._converging[segment]
        self._add_groups(segment, free, wanted)

    def _add_groups(self, segment: int, free: Lanes, members: Lanes) -> None:
        """Queues lanes; lanes of one warp with different barriers stay separate."""
        members = np.broadcast_to(members, free.shape)
        while free.any():
            first = np.full(self.block.warps, -1, np.int64)
            index = np.flatnonzero(free)[::-1]
            first[self.block.warp_of_lane[index]] = index
            chosen = first[self.block.warp_of_lane]
            group = free & (members == members[np.maximum(chosen, 0)])
            self.add(segment, Mask(group))
            free = free & ~group

    # Barriers of the block

    def park(self, segment: int, mask: Mask) -> None:
        """Parks lanes until the block releases them."""
        self._parked.setdefault(segment, []).append(mask)

    def reduces(self, mask: Mask, kind: str) -> None:
        """`BAR.RED`: records the kind of reduction of each lane."""
        self._conjunction = np.where(mask.bits, kind == "AND", self._conjunction)

    def reduced(self) -> Lanes:
        """The predicate result of the lanes' last `BAR.RED`."""
        block = self.block
        return np.where(self._conjunction, block.barrier_result("and"), block.barrier_result("or"))

    def _unpark(self) -> None:
        block = self.block
        for segment, masks in list(self._parked.items()):
            rest: list[Mask] = []
            for mask in masks:
                free = mask.bits & block.released
                if not free.any():
                    rest.append(mask)
                    continue
                block.released &= ~free
                self.add(segment, Mask(free))
                left = mask.bits & ~free
                if left.any():
                    rest.append(Mask(left))
            if rest:
                self._parked[segment] = rest
            else:
                del self._parked[segment]
        block.any_released = bool(block.released.any())

    def blocked(self, sites: Mapping[int, int]) -> None:
        """Reports lanes that wait at a convergence barrier for lanes that cannot arrive."""
        if self._parked or not self._converging:
            return
        segment, (mask, _) = next(iter(self._converging.items()))
        raise self.block.lane_error(
            "sync",
            "a convergence barrier waits for lanes that never arrive, in",
            int(mask.index[0]),
            sites.get(segment),
        )

    # Warps

    def whole(self, mask: Mask) -> Mask:
        """All lanes of the warps of a mask, which share uniform registers."""
        if self._whole is None or self._whole[0] is not mask:
            self._whole = mask, Mask(self.words(mask) != 0)
        return self._whole[1]

    def first(self, mask: Mask, value: Lanes) -> Lanes:
        """For each lane, the value of the first active lane of its warp."""
        if value.size == 1:
            return value
        block = self.block
        at = np.zeros(block.warps, np.int64)
        index = mask.index[::-1]
        at[block.warp_of_lane[index]] = index
        return value[at[block.warp_of_lane]]

    def leaders(self, mask: Mask) -> Mask:
        """The first active lane of each warp."""
        block = self.block
        chosen = np.zeros(block.lanes, bool)
        _, first = np.unique(block.warp_of_lane[mask.index], return_index=True)
        chosen[mask.index[first]] = True
        return Mask(chosen)

    def divergent(self, mask: Mask, members: Lanes) -> Lanes:
        """`BRA.DIV`: whether members of a mask are missing from the fragment."""
        here = self.words(mask)
        alive = self.block.warp_words(~self.block.exited)[self.block.warp_of_lane]
        return (members & alive & ~here) != 0


def unknown(block: Block, text: str, address: int, site: int) -> SimulationError:
    """The error for an instruction without a row in the tables."""
    return block.error("unsupported", f"unknown machine instruction '{text}' at {address:#x}", site)
