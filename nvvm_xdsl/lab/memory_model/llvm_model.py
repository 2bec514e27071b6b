"""The memory model of NVVM IR: LLVM's atomics with CUDA's scopes.

LangRef, "Memory Model for Concurrent Operations" and "Atomic Memory Ordering Constraints", defines the
results of reads; orderings are those of C++20, to which LangRef refers. Scopes are those of the
NVPTX usage guide. Two atomic accesses whose scopes do not include each other's threads conflict like
non-atomic ones, as CUDA C++ defines ("Atomicity" in the CUDA C++ programming guide). The total order of
`seq_cst` is that of Lahav et al., "Repairing Sequential Consistency in C/C++11" (PLDI 2017), with scopes
as in Lustig et al. (ASPLOS 2019), section 4.

- A read that may see several writes, one of which is not atomic, returns undef.
- Volatile accesses are monotonic with system scope, because NVPTX makes them so.
- Unordered accesses have no modification order.
- There is no axiom against thin-air values, but the search only considers values of writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from nvvm_xdsl.ir.graphs import set_bits
from nvvm_xdsl.lab.memory_model.axioms import members
from nvvm_xdsl.lab.memory_model.barriers import synchronizations
from nvvm_xdsl.lab.memory_model.events import (
    UNDEFINED,
    Bits,
    Cell,
    Event,
    Kind,
    Order,
    Position,
    Undefined,
)
from nvvm_xdsl.lab.memory_model.relations import Relation, orders_of_pairs
from nvvm_xdsl.lab.memory_model.search import Execution, Final, exclusive_reads, reads_from

RACY = -2
"""Source of a read that returns undef because it may see several writes."""


class _Skeleton:
    """The relations of events that do not depend on the values of reads."""

    def __init__(self, events: Sequence[Event], positions: Sequence[Position]) -> None:
        self.events = events
        self.positions = positions
        self.size = size = len(events)
        self.initial = members(events, lambda e: e.thread < 0)
        self.writes = members(events, lambda e: e.kind is Kind.WRITE)
        self.ordered_reads = members(
            events, lambda e: e.kind is Kind.READ and e.order is not Order.UNORDERED
        )

        def where(holds: Callable[[Event, Event], bool]) -> Relation:
            return Relation.where(size, lambda a, b: holds(events[a], events[b]))

        self.sequenced = where(
            lambda a, b: a.thread == b.thread and a.thread >= 0 and a.index < b.index
        )
        self.same_cell = where(lambda a, b: a.cell is not None and a.cell == b.cell)
        self.inclusive = where(self._is_inclusive)
        self.rmw = where(
            lambda a, b: a.thread == b.thread and a.kind is Kind.READ and b.partner == a.index
        )
        self.atomic = members(events, lambda e: e.is_strong)
        self.releasing, self.acquiring = self._release_heads(), self._acquire_tails()
        self.sc = members(events, lambda e: e.is_strong and e.order is Order.SC)
        self.sc_fences = members(events, lambda e: e.kind is Kind.FENCE and e.order is Order.SC)

    def _is_inclusive(self, a: Event, b: Event) -> bool:
        """True if each scope includes the other thread. Initial writes are included everywhere."""
        if a.thread < 0 or b.thread < 0 or a.thread == b.thread:
            return True
        first, second = self.positions[a.thread], self.positions[b.thread]
        return first.shares(second, a.scope) and second.shares(first, b.scope)

    def _release_heads(self) -> Relation:
        """From a release operation or fence to the atomic writes that it releases."""
        writes = self.writes & self.atomic
        own = members(self.events, lambda e: e.kind is Kind.WRITE and e.order.releases)
        fences = members(self.events, lambda e: e.kind is Kind.FENCE and e.order.releases)
        return Relation.identity(self.size, own) | self.sequenced.between(fences, writes)

    def _acquire_tails(self) -> Relation:
        """From an atomic read to its acquire operation or fence."""
        reads = members(self.events, lambda e: e.kind is Kind.READ and e.is_strong)
        own = members(self.events, lambda e: e.kind is Kind.READ and e.order.acquires)
        fences = members(self.events, lambda e: e.kind is Kind.FENCE and e.order.acquires)
        return Relation.identity(self.size, own) | self.sequenced.between(reads, fences)


class LlvmModel:
    """The model of NVVM IR."""

    racy_reads = True

    def __init__(self) -> None:
        self.skeleton = lru_cache(256)(_Skeleton)

    def executions(self, execution: Execution, needs_final: bool) -> Iterator[Final]:
        """See `search.Model`."""
        events = execution.events
        skeleton = self.skeleton(events, execution.positions)
        barriers = list(
            synchronizations(events, execution.positions, skeleton.sequenced, execution.blocked)
        )
        exclusive = exclusive_reads(skeleton.inclusive & skeleton.same_cell, skeleton.rmw)
        for sources in reads_from(events, _sources(events), exclusive):
            for barrier in barriers:
                for order, happens in _consistent(skeleton, events, sources, barrier):
                    yield _final(skeleton, events, order, happens) if needs_final else {}
                    if not needs_final:
                        return


def _sources(events: Sequence[Event]) -> list[list[int]]:
    """For each event the writes that it may read from."""
    found: list[list[int]] = []
    for event in events:
        if event.kind is not Kind.READ:
            found.append([-1])
            continue
        writes = [
            at
            for at, write in enumerate(events)
            if write.kind is Kind.WRITE
            and write.cell == event.cell
            and write.value == event.value
            and (write.thread != event.thread or write.index < event.index)
        ]
        found.append([*writes, RACY] if isinstance(event.value, Undefined) else writes)
    return found


def _consistent(
    skeleton: _Skeleton, events: Sequence[Event], sources: Sequence[int], barrier: Relation
) -> Iterator[tuple[Relation, Relation]]:
    """Modification order and happens-before of each consistent execution."""
    size = skeleton.size
    rf = Relation.of(size, ((w, r) for r, w in enumerate(sources) if w >= 0))
    atomic_rf = rf.between(skeleton.atomic | skeleton.initial, skeleton.atomic) & skeleton.inclusive
    sequence = (atomic_rf @ skeleton.rmw).closure().optional()
    synchronizes = (
        skeleton.releasing @ sequence @ atomic_rf @ skeleton.acquiring
    ) & skeleton.inclusive
    first = Relation([~skeleton.initial & (1 << size) - 1 if skeleton.initial >> a & 1 else 0
                      for a in range(size)])  # fmt: skip
    happens = (skeleton.sequenced | synchronizes | barrier | first).closure()
    if not happens.is_irreflexive() or not _reads_agree(skeleton, events, sources, happens):
        return
    writes = skeleton.same_cell.between(skeleton.writes, skeleton.writes)
    base = (happens & writes).closure()
    modified = [
        (a, b) for a, b in (writes & skeleton.inclusive).pairs()
        if a < b and _has_order(events[a]) and _has_order(events[b])
    ]  # fmt: skip
    for order in orders_of_pairs(base, modified):
        if _is_coherent(skeleton, rf, order, happens):
            yield order, happens


def _has_order(write: Event) -> bool:
    """True for writes that take part in a modification order."""
    return write.is_strong and write.order is not Order.UNORDERED


def _visible(skeleton: _Skeleton, happens: Relation, read: int) -> list[int]:
    """The writes that a read may see."""
    writes = [
        w for w in set_bits(skeleton.writes)
        if (w, read) in skeleton.same_cell and (read, w) not in happens
    ]  # fmt: skip
    return [
        w for w in writes
        if not any((w, other) in happens and (other, read) in happens for other in writes)
    ]  # fmt: skip


def _reads_agree(
    skeleton: _Skeleton, events: Sequence[Event], sources: Sequence[int], happens: Relation
) -> bool:
    """True if each read has a source that LangRef allows."""
    for read, event in enumerate(events):
        if event.kind is not Kind.READ:
            continue
        visible = _visible(skeleton, happens, read)
        atomic = event.is_strong and all(
            w in bits_of(skeleton.initial)
            or (events[w].is_strong and (w, read) in skeleton.inclusive)
            for w in visible
        )
        if len(visible) == 1 or atomic:
            if sources[read] not in visible:
                return False
        elif sources[read] != RACY:
            return False
    return True


@lru_cache(256)
def bits_of(mask: int) -> frozenset[int]:
    """The members of a set of events."""
    return frozenset(set_bits(mask))


def _is_coherent(skeleton: _Skeleton, rf: Relation, order: Relation, happens: Relation) -> bool:
    """Coherence, atomicity of read-modify-writes, and the total order of `seq_cst`."""
    everything = (1 << skeleton.size) - 1
    seen = rf.between(everything, skeleton.ordered_reads)
    fr = seen.inverse() @ order
    communication = (seen | order | fr).closure()
    if not (happens @ communication).is_irreflexive() or not communication.is_irreflexive():
        return False
    if (fr @ order) & skeleton.rmw:
        return False
    return not skeleton.sc or _has_total_order(skeleton, order, fr, communication, happens)


def _has_total_order(
    skeleton: _Skeleton, order: Relation, fr: Relation, communication: Relation, happens: Relation
) -> bool:
    """RC11's condition on `seq_cst`, between operations whose scopes include each other."""
    size = skeleton.size
    everything = (1 << size) - 1
    apart = skeleton.sequenced - skeleton.same_cell
    near = skeleton.sequenced | apart @ happens @ apart | happens & skeleton.same_cell | order | fr
    own = Relation.identity(size, skeleton.sc)
    before = own | (happens.between(skeleton.sc_fences, everything))
    after = own | (happens.between(everything, skeleton.sc_fences))
    base = before @ near @ after
    fences = (happens | happens @ communication @ happens).between(
        skeleton.sc_fences, skeleton.sc_fences
    )
    return ((base | fences) & skeleton.inclusive).is_acyclic()


def _final(
    skeleton: _Skeleton, events: Sequence[Event], order: Relation, happens: Relation
) -> Final:
    """The values that a read after all events may return."""
    found: dict[Cell, tuple[Bits, ...]] = {}
    cells = {event.cell for event in events if event.cell is not None}
    for cell in cells:
        writes = [w for w in set_bits(skeleton.writes) if events[w].cell == cell]
        last = [w for w in writes if not any((w, other) in happens for other in writes)]
        if len(last) == 1:
            found[cell] = (events[last[0]].value,)
            continue
        atomic = all(events[w].is_strong for w in last) and all(
            a == b or (a, b) in skeleton.inclusive for a in last for b in last
        )
        if not atomic:
            found[cell] = (UNDEFINED,)
            continue
        values: list[Bits] = []
        for write in last:
            if not any((write, other) in order for other in last):
                values.append(events[write].value)
        found[cell] = tuple(dict.fromkeys(values))
    return found


LLVM = LlvmModel()
