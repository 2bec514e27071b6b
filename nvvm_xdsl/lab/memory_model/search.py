"""The outcomes of a program under a memory model, by enumeration of traces and of reads-from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import inf
from typing import Protocol

from nvvm_xdsl.ir.graphs import set_bits
from nvvm_xdsl.lab.memory_model.axioms import (
    Skeleton,
    causality_order,
    coherence_orders,
    fence_sc_orders,
    is_thin_air,
    observation_order,
    proxy_preserved,
    synchronizes,
    violates_causality_of_reads,
    violates_communication,
    violates_fence_sc,
)
from nvvm_xdsl.lab.memory_model.barriers import synchronizations
from nvvm_xdsl.lab.memory_model.events import UNDEFINED, Bits, Cell, Event, Kind, Position
from nvvm_xdsl.lab.memory_model.relations import Relation
from nvvm_xdsl.lab.memory_model.traces import (
    MAX_TRACES,
    Program,
    Trace,
    TraceFinder,
    joined,
)

Outcome = tuple[tuple[str, Bits], ...]
"""Final values: registers as `P0:r1`, variables by name, in the order of their names."""

ANYTHING: Outcome = (("undefined behaviour", 0),)
"""The outcome of an LLVM program with undefined behaviour."""


Final = Mapping[Cell, tuple[Bits, ...]]
"""For each cell with events the values that may remain in it."""


@dataclass(frozen=True)
class Execution:
    """One trace of each thread.

    Attributes:
        events: the initial writes, then the events of each thread.
        positions: position of each thread.
        blocked: threads that wait at a barrier forever.
    """

    events: tuple[Event, ...]
    positions: tuple[Position, ...]
    blocked: frozenset[int] = frozenset()


class Model(Protocol):
    """A memory model."""

    racy_reads: bool
    """Racing weak reads return undef."""

    def executions(self, execution: Execution, needs_final: bool) -> Iterator[Final]:
        """The consistent executions of these events.

        Each is described by its final memory, which is empty unless `needs_final` is set.
        """
        ...


class PtxModel:
    """The model of PTX, section "Axioms"."""

    racy_reads = False

    def __init__(self) -> None:
        self.skeleton = lru_cache(256)(Skeleton)

    def executions(self, execution: Execution, needs_final: bool) -> Iterator[Final]:
        """See `Model`."""
        events = execution.events
        skeleton = self.skeleton(events, execution.positions)
        exclusive = exclusive_reads(skeleton.morally_strong & skeleton.same_cell, skeleton.rmw)
        for writes in reads_from(events, _sources(skeleton, events), exclusive):
            rf = Relation.of(skeleton.size, ((w, r) for r, w in enumerate(writes) if w >= 0))
            if is_thin_air(skeleton, rf):
                continue
            for co in _coherent(skeleton, rf, execution.blocked):
                yield _final(events, co) if needs_final else {}
                if not needs_final:
                    return


def _coherent(skeleton: Skeleton, rf: Relation, blocked: Collection[int]) -> Iterator[Relation]:
    """The coherence orders with which a choice of reads-from satisfies all axioms."""
    observation = observation_order(skeleton, rf)
    ordered = skeleton.program_order | synchronizes(skeleton, observation)
    barriers = synchronizations(
        skeleton.events, skeleton.positions, skeleton.program_order, blocked
    )
    for barrier in barriers:
        without_sc = (ordered | barrier).closure()
        for order in fence_sc_orders(skeleton, without_sc):
            base = (without_sc | order).closure()
            if violates_fence_sc(order, base):
                continue
            causality = causality_order(observation, proxy_preserved(skeleton, base))
            if violates_causality_of_reads(rf, causality):
                continue
            for co in coherence_orders(skeleton, causality):
                if not violates_communication(skeleton, rf, co, causality):
                    yield co


def reads_from(
    events: Sequence[Event], sources: Sequence[Sequence[int]], exclusive: Relation
) -> Iterator[tuple[int, ...]]:
    """All choices of a source for each event.

    Arguments:
        sources: for each event the writes that it may read from; negative if it reads none.
        exclusive: reads of atomic operations that may not read from the same write.
    """
    chosen: list[int] = []

    def extended(at: int) -> Iterator[tuple[int, ...]]:
        if at == len(events):
            yield tuple(chosen)
            return
        rivals = exclusive.rows[at] & (1 << at) - 1
        for source in sources[at]:
            if source >= 0 and any(chosen[other] == source for other in set_bits(rivals)):
                continue
            chosen.append(source)
            yield from extended(at + 1)
            chosen.pop()

    yield from extended(0)


def _sources(skeleton: Skeleton, events: Sequence[Event]) -> list[list[int]]:
    """For each event the writes of the same value that it may read from."""
    return [
        [
            at
            for at, write in enumerate(events)
            if write.kind is Kind.WRITE
            and write.cell == event.cell
            and write.value == event.value
            and not (write.thread == event.thread and write.partner == event.index)
        ]
        if event.kind is Kind.READ
        else [-1]
        for event in events
    ]


def exclusive_reads(strong: Relation, rmw: Relation) -> Relation:
    """Pairs of reads of atomic operations that a relation orders as atomic."""
    reads = sum(1 << a for a, row in enumerate(rmw.rows) if row)
    return strong.between(reads, reads)


def _final(events: Sequence[Event], co: Relation) -> dict[Cell, tuple[Bits, ...]]:
    found: dict[Cell, list[Bits]] = {}
    for at, event in enumerate(events):
        if event.kind is Kind.WRITE and event.cell is not None and not co.rows[at]:
            values = found.setdefault(event.cell, [])
            if event.value not in values:
                values.append(event.value)
    return {cell: tuple(values) for cell, values in found.items()}


PTX = PtxModel()


def outcomes(
    program: Program,
    model: Model = PTX,
    limit: int | None = None,
    is_allowed: Callable[[Outcome], bool] = lambda _: False,
) -> set[Outcome]:
    """All outcomes of a program, of executions in which at least one thread ends.

    Arguments:
        limit: maximum number of combinations of traces, and of traces of a thread.
        is_allowed: whether an outcome need not be found. The result may or may not contain it.
    Raises TooLargeError if the program has too many traces.
    """
    most = MAX_TRACES if limit is None else limit
    traces = TraceFinder(program, model.racy_reads, most, limit or inf).find()
    positions = tuple(thread.position for thread in program.threads)
    found: set[Outcome] = set()
    for chosen in _combinations(program, traces):
        blocked = frozenset(at for at, trace in enumerate(chosen) if trace.is_blocked)
        if len(blocked) == len(chosen):
            continue
        is_undefined = any(trace.is_undefined for trace in chosen)
        possible = _possible_final(program, chosen, model.racy_reads)
        missing = {
            outcome
            for outcome in _outcomes_of(program, chosen, possible)
            if outcome not in found and not is_allowed(outcome)
        }
        if not missing and not is_undefined:
            continue
        events = (*_initial_writes(program, chosen), *(e for t in chosen for e in t.events))
        execution = Execution(events, positions, blocked)
        for final in model.executions(execution, bool(possible) and not is_undefined):
            if is_undefined:
                return {ANYTHING}
            reached = set(_outcomes_of(program, chosen, final))
            found |= reached
            missing -= reached
            if not missing:
                break
    return found


def _possible_final(program: Program, chosen: Sequence[Trace], racy: bool) -> Final:
    """The values that may remain in observed cells which a thread writes; others keep theirs.

    Arguments:
        racy: whether racing writes leave undef.
    """
    found: dict[Cell, dict[Bits, None]] = {}
    for trace in chosen:
        for event in trace.events:
            cell = event.cell
            if event.kind is Kind.WRITE and cell is not None and cell.variable in program.observed:
                found.setdefault(cell, {UNDEFINED: None} if racy else {})[event.value] = None
    return {cell: tuple(values) for cell, values in found.items()}


def _outcomes_of(program: Program, chosen: Sequence[Trace], final: Final) -> Iterator[Outcome]:
    """The outcomes of one trace of each thread with the final contents of shared cells."""
    registers = {
        f"{thread.name}:{register}": bits
        for thread, trace in zip(program.threads, chosen)
        for register, bits in trace.registers.items()
    }
    for memory in _memories(program, chosen, final):
        yield tuple(sorted((registers | memory).items()))


def _combinations(program: Program, traces: list[list[Trace]]) -> Iterator[tuple[Trace, ...]]:
    """One trace for each thread, such that each value that is read is written."""
    numbers: dict[object, int] = {}
    initial = 0

    def bit(cell: Cell, value: Bits) -> int:
        nonlocal initial
        number = numbers.setdefault((cell, value), len(numbers))
        if value == program.initial_bits(cell):
            initial |= 1 << number
        return 1 << number

    sums: list[list[tuple[Trace, int, int]]] = []
    for own in traces:
        sums.append([])
        for trace in own:
            needs = gives = 0
            for event in trace.events:
                if event.cell is None:
                    continue
                if event.kind is Kind.READ and isinstance(event.value, int):
                    needs |= bit(event.cell, event.value)
                elif event.kind is Kind.WRITE:
                    gives |= bit(event.cell, event.value)
            sums[-1].append((trace, needs, gives))
    for chosen in product(*sums):
        needs, gives = 0, initial
        for _, need, give in chosen:
            needs |= need
            gives |= give
        if not needs & ~gives:
            yield tuple(trace for trace, _, _ in chosen)


def _initial_writes(program: Program, chosen: Sequence[Trace]) -> list[Event]:
    cells = sorted(
        {event.cell for trace in chosen for event in trace.events if event.cell is not None},
        key=str,
    )
    return [
        Event(
            -1, at, Kind.WRITE, cell, cell.variable,
            value=program.initial_bits(cell), whole=cell.size,
        )
        for at, cell in enumerate(cells)
    ]  # fmt: skip


def _memories(
    program: Program, chosen: Sequence[Trace], shared: Final
) -> Iterator[dict[str, Bits]]:
    """The final contents of the observed variables."""
    final: dict[Cell, tuple[Bits, ...]] = dict(shared)
    for trace in chosen:
        final |= {cell: (bits,) for cell, bits in trace.private.items()}
    cells = [cell for cell in final if cell.variable in program.observed]
    for values in product(*(final[cell] for cell in cells)):
        content = dict(zip(cells, values))
        yield {name: _content(program, name, content) for name in program.observed}


def _content(program: Program, name: str, content: Mapping[Cell, Bits]) -> Bits:
    own = sorted((cell for cell in content if cell.variable == name), key=lambda c: c.offset)
    parts: list[tuple[Bits, int]] = []
    at = 0
    for cell in [*own, Cell(name, max(program.sizes.get(name, 4), 0), 0)]:
        if cell.offset > at:
            gap = Cell(name, at, cell.offset - at)
            parts.append((program.initial_bits(gap), gap.size))
        parts.append((content.get(cell, 0), cell.size))
        at = cell.offset + cell.size
    return joined([part for part in parts if part[1]])
