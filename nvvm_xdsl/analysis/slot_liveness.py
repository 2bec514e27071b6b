"""Liveness of stack slots, and the slots that may share memory.

A slot is live at a point if an access before it, on some path, and one after it, on some path, may
access the slot; its contents are unused before the first and after the last access. A lifetime
marker makes the contents undefined, so accesses on its two sides do not count together: without
one, a slot that is accessed in a loop is live in all of the loop. A slot whose address is stored or
passed to a function is live from there on all paths. Slots with disjoint live ranges may share
memory (LLVM's StackColoring).

Sets of slots are integers: bit N represents slot N.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class SlotUse(NamedTuple):
    """An op that may access the slots `touched` and keeps the addresses of the slots `kept`, or a
    lifetime marker of the slots `undefined`."""

    touched: int
    kept: int
    undefined: int = 0


def interferences(
    uses: Sequence[Sequence[SlotUse]],
    predecessors: list[list[int]],
    successors: list[list[int]],
    count: int,
) -> list[int]:
    """For each slot, the slots that are live at a point at which it becomes live.

    For two slots that are live at the same point, at least one contains the other.

    Arguments:
        uses: for each block the uses in execution order.
        predecessors, successors: the numbers of the blocks before and after each block.
        count: the number of slots.
    """
    kept = [_union(use.kept for use in block) for block in uses]
    undefined = [_union(use.undefined for use in block) for block in uses]
    before = _reaching([_touched_since_marker(block) for block in uses], predecessors, undefined)
    kept_before = _reaching(kept, predecessors)
    after = _reaching([_touched_until_marker(block) for block in uses], successors, undefined)
    found = [0] * count
    for number, block in enumerate(uses):
        past, held = before[number], kept_before[number]
        last = 0
        # The slots accessed from each use of the block on.
        rest = [after[number]]
        for use in reversed(block):
            rest.append(rest[-1] & ~use.undefined | use.touched)
        for index, use in enumerate(block):
            past = past & ~use.undefined | use.touched
            held |= use.kept
            live = past & rest[len(block) - index] | held
            new = live & ~last
            while new:
                lowest = new & -new
                found[lowest.bit_length() - 1] |= live
                new ^= lowest
            last = live
    return found


def shared_slots(sizes: Sequence[int], found: Sequence[int]) -> list[list[int]]:
    """Groups of slots that share memory: the largest slot first, each in the first free group.

    Arguments:
        sizes: the bytes of each slot.
        found: the result of `interferences`.
    """
    groups: list[list[int]] = []
    members: list[int] = []
    excluded: list[int] = []
    for slot in sorted(range(len(sizes)), key=lambda n: -sizes[n]):
        for number, group in enumerate(groups):
            if not (found[slot] & members[number] or excluded[number] >> slot & 1):
                group.append(slot)
                members[number] |= 1 << slot
                excluded[number] |= found[slot]
                break
        else:
            groups.append([slot])
            members.append(1 << slot)
            excluded.append(found[slot])
    return groups


def _union(masks: Iterable[int]) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total


def _touched_since_marker(block: Sequence[SlotUse]) -> int:
    """The slots that are accessed after their last lifetime marker of a block."""
    touched = 0
    for use in block:
        touched = touched & ~use.undefined | use.touched
    return touched


def _touched_until_marker(block: Sequence[SlotUse]) -> int:
    """The slots that are accessed before their first lifetime marker of a block."""
    return _touched_since_marker(block[::-1])


def _reaching(
    made: list[int], sources: list[list[int]], ended: list[int] | None = None
) -> list[int]:
    """For each block, the union of `made` over the blocks from which it is reached.

    Arguments:
        sources: the blocks before each block in the direction of the search.
        ended: for each block, the bits that do not pass through it.
    """
    found = [0] * len(made)
    targets: list[list[int]] = [[] for _ in made]
    for number, origins in enumerate(sources):
        for source in origins:
            targets[source].append(number)
    work = list(range(len(made)))
    while work:
        number = work.pop()
        passing = found[number] if ended is None else found[number] & ~ended[number]
        leaving = passing | made[number]
        for target in targets[number]:
            if leaving & ~found[target]:
                found[target] |= leaving
                work.append(target)
    return found
