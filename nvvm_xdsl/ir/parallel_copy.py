"""Sequences parallel copies.

The edges of a control-flow graph perform parallel copies to block arguments: every source is read
before any target is written. The method is from L. Rideau, B. P. Serpette, X. Leroy, "Tilting at
windmills with Coq" (2008): copy to targets that are no longer read, and break each remaining cycle
with one temporary.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def sequence_copies(
    copies: Sequence[tuple[T, T]], temporary: Callable[[T], T]
) -> list[tuple[T, T]]:
    """The copies (target, source) in an order with the same effect as the parallel copy.

    No target may occur twice. `temporary` creates a new location for a value like the given one; it
    is called once per cycle. Copies of a location to itself are omitted.
    """
    source_of = {target: source for target, source in copies if target != source}
    if len(source_of) == 1:
        return list(source_of.items())
    readers: dict[T, int] = {}
    for source in source_of.values():
        readers[source] = readers.get(source, 0) + 1
    ready = [target for target in source_of if target not in readers]
    found: list[tuple[T, T]] = []
    pending = dict(source_of)
    while pending:
        while ready:
            target = ready.pop()
            source = pending.pop(target)
            found.append((target, source))
            readers[source] -= 1
            if readers[source] == 0 and source in pending:
                ready.append(source)
        if pending:
            # Only cycles remain, with each location read once: save one and its target is free.
            target = next(iter(pending))
            spare = temporary(target)
            found.append((spare, target))
            reader = next(t for t, s in pending.items() if s == target)
            pending[reader] = spare
            readers[spare] = 1
            readers[target] = 0
            ready.append(target)
    return found
