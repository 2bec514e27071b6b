"""Barrier phases: the arrivals that complete a phase together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product

from nvvm_xdsl.lab.memory_model.events import Event, Kind, Order, Position
from nvvm_xdsl.lab.memory_model.relations import Relation

Phase = list[int]


def synchronizations(
    events: Sequence[Event],
    positions: Sequence[Position],
    program_order: Relation,
    blocked: Collection[int] = (),
) -> Iterator[Relation]:
    """The second and third rules of section "Memory synchronization", from each arrival to each wait.

    There is one relation for each assignment of arrivals to phases. Deadlocks have none. Without a
    thread count, the participants are the threads of the block that execute a barrier with this
    number.

    Arguments:
        blocked: threads whose last arrival completes no phase.
    """
    barriers: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for at, event in enumerate(events):
        if event.kind is Kind.ARRIVE:
            position = positions[event.thread]
            block = () if event.cluster_wide else (position.cta,)
            barriers[(position.gpu, position.cluster, *block, event.barrier[0])].append(at)
    for assignment in product(*(list(_phases(events, g, blocked)) for g in barriers.values())):
        phases = [phase for phases in assignment for phase in phases]
        order = Relation.of(
            len(events),
            ((a, wait) for phase in phases for b in phase if (wait := _wait(events, b)) >= 0
             for a in phase),
        )  # fmt: skip
        if (order | program_order).is_acyclic():
            # A relaxed arrival at a cluster barrier blocks, but does not synchronize.
            yield Relation(
                [0 if events[a].order == Order.RELAXED else row for a, row in enumerate(order.rows)]
            )


def _wait(events: Sequence[Event], arrival: int) -> int:
    """The wait of an arrival: the next one of its thread at the same barrier, or -1."""
    first = events[arrival]
    for at in range(arrival + 1, len(events)):
        event = events[at]
        if event.thread != first.thread:
            return -1
        if event.barrier[0] == first.barrier[0] and event.cluster_wide == first.cluster_wide:
            if event.kind is Kind.WAIT:
                return at
            if event.kind is Kind.ARRIVE:
                return -1
    return -1


def _phases(
    events: Sequence[Event], arrivals: Sequence[int], blocked: Collection[int]
) -> Iterator[list[Phase]]:
    by_thread: defaultdict[int, list[int]] = defaultdict(list)
    for at in arrivals:
        by_thread[events[at].thread].append(at)
    stuck = [
        at for at in arrivals
        if events[at].thread in blocked and not _has_later(events, at)
    ]  # fmt: skip
    if stuck and len(stuck) >= events[stuck[0]].barrier[1]:
        return
    for at in stuck:
        by_thread[events[at].thread].remove(at)
    yield from _from(events, list(by_thread.values()), [0] * len(by_thread))


def _has_later(events: Sequence[Event], at: int) -> bool:
    """True if an event is not the last of its thread."""
    return at + 1 < len(events) and events[at + 1].thread == events[at].thread


def _from(
    events: Sequence[Event], lists: list[list[int]], done: list[int]
) -> Iterator[list[Phase]]:
    waiting = [t for t, own in enumerate(lists) if done[t] < len(own)]
    if all(_wait(events, lists[t][d]) < 0 for t in waiting for d in range(done[t], len(lists[t]))):
        yield []
        if not waiting:
            return
    first = [lists[t][done[t]] for t in waiting]
    for count in sorted({events[at].barrier[1] or len(lists) for at in first}):
        for chosen in combinations(waiting, count):
            phase = [lists[t][done[t]] for t in chosen]
            if any((events[at].barrier[1] or len(lists)) != count for at in phase):
                continue
            after = [d + (t in chosen) for t, d in enumerate(done)]
            for rest in _from(events, lists, after):
                yield [phase, *rest]
