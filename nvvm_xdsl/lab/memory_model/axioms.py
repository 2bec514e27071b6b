"""The memory consistency model of PTX: relations and axioms.

Each definition names its section of the PTX ISA, chapter "Memory Consistency Model". The rules for
proxy fences between different proxies are those of Lustig, Cooksey, Giroux: "Mixed-Proxy Extensions
for the NVIDIA PTX Memory Consistency Model" (ISCA 2022), section 6.2.4; the ISA has only the rule for
aliases.

An atomic operation is a read followed by a write. `rf` relates a write to the reads of its value. `co`
is coherence order. `fr` relates a read of a write to the later writes in `co`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from nvvm_xdsl.ir.graphs import set_bits
from nvvm_xdsl.lab.memory_model.events import Event, Kind, Order, Position, Proxy, Scope
from nvvm_xdsl.lab.memory_model.relations import Relation, orders_of_pairs


def members(events: Sequence[Event], holds: Callable[[Event], object]) -> int:
    """The events with a property, as bits."""
    return sum(1 << at for at, event in enumerate(events) if holds(event))


class Skeleton:
    """The relations of events that do not depend on the values of reads.

    Events of thread -1 are the initial writes, section "Initialization".
    """

    def __init__(self, events: Sequence[Event], positions: Sequence[Position]) -> None:
        self.events = events
        self.positions = positions
        self.size = len(events)
        self.place = {(event.thread, event.index): at for at, event in enumerate(events)}
        self.initial = members(events, lambda e: e.thread < 0)
        self.reads = members(events, lambda e: e.kind is Kind.READ)
        self.writes = members(events, lambda e: e.kind is Kind.WRITE)
        self.memory = self.reads | self.writes
        where = self._where
        self.same_cell = where(lambda a, b: a.is_memory and a.cell == b.cell)
        self.same_address = where(
            lambda a, b: a.is_memory and a.cell == b.cell and a.name == b.name
        )
        self.rmw = where(
            lambda a, b: a.thread == b.thread and a.kind is Kind.READ and b.partner == a.index
        )
        self.dependencies = where(lambda a, b: a.thread == b.thread and a.index in b.depends)
        self.program_order = where(_precedes)
        self.morally_strong = where(self._is_morally_strong)
        self.same_block = where(lambda a, b: self._same_block(a, b))
        self.fences_sc = members(events, lambda e: e.kind is Kind.FENCE and e.order == Order.SC)
        self.release_patterns = self._release_patterns()
        self.acquire_patterns = self._acquire_patterns()
        self.strong_sc_pairs = [
            (a, b)
            for a, b in combinations(set_bits(self.fences_sc), 2)
            if (a, b) in self.morally_strong
        ]
        self.has_proxies = any(
            event.proxy is not Proxy.GENERIC
            or (event.cell is not None and event.name != event.cell.variable)
            for event in events
        )

    def _where(self, holds: Callable[[Event, Event], object]) -> Relation:
        events = self.events
        return Relation.where(self.size, lambda a, b: holds(events[a], events[b]))

    def _same_block(self, a: Event, b: Event) -> bool:
        if a.thread < 0 or b.thread < 0:
            return False
        return self.positions[a.thread].shares(self.positions[b.thread], Scope.CTA)

    def includes(self, a: Event, b: Event) -> bool:
        """True if the scope of an event includes the thread of another. Section "Scope"."""
        return a.thread == b.thread or self.positions[a.thread].shares(
            self.positions[b.thread], a.scope
        )

    def _is_morally_strong(self, a: Event, b: Event) -> bool:
        """Section "Morally strong operations"."""
        if a.thread < 0 or b.thread < 0:
            return False
        in_program_order = _precedes(a, b) or _precedes(b, a)
        strong = a.is_strong and b.is_strong and self.includes(a, b) and self.includes(b, a)
        if not (in_program_order or strong) or a.proxy is not b.proxy:
            return False
        if a.is_memory and b.is_memory:
            return a.cell == b.cell and a.name == b.name and a.whole == b.whole
        return True

    def _release_patterns(self) -> Relation:
        """From the first operation of a release pattern to its write. "Release and Acquire Patterns"."""
        events = self.events
        strong_writes = members(events, lambda e: e.kind is Kind.WRITE and e.is_strong)
        releases = members(events, lambda e: e.kind is Kind.WRITE and e.order.releases)
        fences = members(events, lambda e: e.kind is Kind.FENCE and e.order.releases)
        later = self.program_order & self.same_address
        return (
            Relation.identity(self.size, releases)
            | later.between(releases, strong_writes)
            | self.program_order.between(fences, strong_writes)
        )

    def _acquire_patterns(self) -> Relation:
        """From the read of an acquire pattern to its last operation.

        Sections "Release and Acquire Patterns" and "Reductions do not form Acquire Patterns".
        """
        events = self.events
        strong_reads = members(
            events, lambda e: e.kind is Kind.READ and e.is_strong and not e.is_reduction
        )
        acquires = members(
            events, lambda e: e.kind is Kind.READ and e.order.acquires and not e.is_reduction
        )
        fences = members(events, lambda e: e.kind is Kind.FENCE and e.order.acquires)
        later = self.program_order & self.same_address
        return (
            Relation.identity(self.size, acquires)
            | later.between(strong_reads, acquires)
            | self.program_order.between(strong_reads, fences)
        )


def _precedes(a: Event, b: Event) -> bool:
    """Sections "Program Order" and "Asynchronous Operations".

    Asynchronous operations follow the events before them in their thread, and precede only events
    that wait for their completion. The events of an operation are ordered.
    """
    if a.thread != b.thread or a.thread < 0:
        return False
    if a.agent and a.agent != b.agent:
        return a.index < b.index and a.agent in b.awaits
    return a.index < b.index


def observation_order(skeleton: Skeleton, rf: Relation) -> Relation:
    """Section "Observation Order": from a write to a read, through atomic operations."""
    step = rf & skeleton.morally_strong
    return step @ (skeleton.rmw @ step).closure().optional()


def synchronizes(skeleton: Skeleton, observation: Relation) -> Relation:
    """The fourth rule of section "Memory synchronization": release and acquire patterns."""
    patterns = skeleton.release_patterns @ observation @ skeleton.acquire_patterns
    return patterns & skeleton.morally_strong


def fence_sc_orders(skeleton: Skeleton, base: Relation) -> Iterator[Relation]:
    """All orders of section "Fence-SC Order" that agree with base causality order.

    They satisfy the axiom "Fence-SC": a fence that precedes another in causality order precedes it.
    """
    fences = skeleton.fences_sc
    yield from orders_of_pairs(base.between(fences, fences), skeleton.strong_sc_pairs)


def violates_fence_sc(order: Relation, base: Relation) -> bool:
    """Axiom "Fence-SC", with the causality that the order itself adds."""
    return any((b, a) in base for a, b in order.pairs())


def proxy_preserved(skeleton: Skeleton, base: Relation) -> Relation:
    """Proxy-preserved base causality order, section "Causality Order", for memory operations."""
    if not skeleton.has_proxies:
        return base & skeleton.same_address
    events, size = skeleton.events, skeleton.size
    generic = members(events, lambda e: e.is_memory and e.proxy is Proxy.GENERIC)
    alias = members(events, lambda e: e.kind is Kind.PROXY_FENCE and e.proxy is Proxy.ALIAS)
    same_proxy = Relation.where(
        size, lambda a, b: events[a].proxy is events[b].proxy and skeleton.initial >> a & 1 == 0
    )
    fences = members(events, lambda e: e.kind is Kind.PROXY_FENCE and e.proxy is not Proxy.ALIAS)
    # A proxy fence acts for the accesses of its block through its proxy.
    near = same_proxy & skeleton.same_block
    reflexive = base.optional()
    leaves = Relation.identity(size, generic) | (base & near).between(skeleton.memory, fences)
    enters = Relation.identity(size, generic) | (base & near).between(fences, skeleton.memory)
    path = leaves @ reflexive @ enters
    aliased = leaves @ reflexive @ Relation.identity(size, alias) @ reflexive @ enters
    return (
        base & skeleton.same_address & (path | near)
        | base & skeleton.same_cell & aliased
    )  # fmt: skip


def causality_order(observation: Relation, preserved: Relation) -> Relation:
    """Section "Causality Order"."""
    return observation.optional() @ preserved


def coherence_orders(skeleton: Skeleton, causality: Relation) -> Iterator[Relation]:
    """All orders of section "Coherence Order" that satisfy the axiom "Coherence".

    Overlapping writes are ordered if they are morally strong or in causality order, and initial
    writes precede all others.
    """
    writes = skeleton.writes
    same = skeleton.same_cell.between(writes, writes)
    first = same.between(skeleton.initial, writes & ~skeleton.initial)
    order = (first | causality & same).closure()
    pairs = [(a, b) for a, b in (same & skeleton.morally_strong).pairs() if a < b]
    yield from orders_of_pairs(order, pairs)


def is_thin_air(skeleton: Skeleton, rf: Relation) -> bool:
    """Axiom "No Thin Air": values do not justify themselves through dependencies."""
    return not (rf | skeleton.dependencies | skeleton.rmw).is_acyclic()


def violates_causality_of_reads(rf: Relation, causality: Relation) -> bool:
    """First half of axiom "Causality": a read does not read from a write that follows it."""
    return not (rf @ causality).is_irreflexive()


def violates_communication(
    skeleton: Skeleton, rf: Relation, co: Relation, causality: Relation
) -> bool:
    """Axioms "Atomicity", "Sequential consistency per location" and the rest of "Causality"."""
    strong = skeleton.morally_strong
    fr = rf.inverse() @ co
    if not (fr @ causality).is_irreflexive():
        return True
    if ((fr & strong) @ (co & strong)) & skeleton.rmw:
        return True
    local = skeleton.program_order & skeleton.same_address & strong
    return not (local | strong & (rf | co | fr)).is_acyclic()
