"""All traces of each thread of a program: the events for every choice of the values of its
reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import inf, prod

from nvvm_xdsl.lab.memory_model.events import (
    UNDEFINED,
    Access,
    Bits,
    Cell,
    Event,
    Kind,
    Order,
    Position,
    Proxy,
    Undefined,
    Value,
)
from nvvm_xdsl.lab.memory_model.thread_steps import (
    Body,
    CutError,
    Point,
    UndefinedBehaviourError,
)

MAX_VALUES = 64
"""Maximum number of values of one cell."""

MAX_TRACES = 20_000
"""Maximum number of traces of one thread."""


class TooLargeError(ValueError):
    """A program has too many values or traces to enumerate."""


@dataclass(frozen=True)
class Thread:
    """A thread of a program."""

    name: str
    position: Position
    body: Body

    @cached_property
    def start(self) -> Point:
        """The state before its first access."""
        return Point.start(self.body)


@dataclass(frozen=True)
class Program:
    """Threads that share variables.

    Attributes:
        initial: the initial contents of variables, as little-endian numbers; 0 by default.
        aliases: variables by their aliases, which have different virtual addresses.
        observed: variables whose final contents are part of the outcome.
        sizes: sizes of variables in bytes, if an outcome needs them; 4 by default.
    """

    threads: tuple[Thread, ...]
    initial: Mapping[str, int] = field(default_factory=dict[str, int])
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    observed: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])

    def initial_bits(self, cell: Cell) -> int:
        """The initial value of a cell."""
        whole = self.initial.get(cell.variable, 0)
        return whole >> 8 * cell.offset & (1 << 8 * cell.size) - 1


@dataclass(frozen=True)
class Trace:
    """The events of one thread.

    Attributes:
        registers: final values of registers.
        private: final values of the cells that only this thread accesses.
        is_undefined: whether the thread has undefined behaviour at or before the end of the events.
        is_blocked: whether the thread waits forever at a barrier after the events.
    """

    events: tuple[Event, ...]
    registers: Mapping[str, Bits]
    private: Mapping[Cell, Bits]
    is_undefined: bool = False
    is_blocked: bool = False


def joined(parts: list[tuple[Bits, int]]) -> Bits:
    """The value of adjacent cells, lowest first, each with its size in bytes."""
    whole, at = 0, 0
    for part, size in parts:
        if isinstance(part, Undefined):
            return UNDEFINED
        whole |= part << at
        at += 8 * size
    return whole


def part_of(value: Bits, offset: int, size: int) -> Bits:
    """Some bytes of a value."""
    if isinstance(value, Undefined):
        return UNDEFINED
    return value >> 8 * offset & (1 << 8 * size) - 1


class _Replay:
    """The choices of one access, and the following combination of choices."""

    def __init__(self) -> None:
        self.chosen: list[int] = []
        self.limits: list[int] = []

    def choose(self, at: int, count: int) -> int:
        """The option of choice number `at`, below `count`; a choice reached for the first time takes option 0."""
        if at == len(self.chosen):
            self.chosen.append(0)
            self.limits.append(count)
        return self.chosen[at]

    def advance(self) -> bool:
        """Selects the next option of the last choice that has one; False if there is none."""
        while self.chosen:
            self.chosen[-1] += 1
            if self.chosen[-1] < self.limits[-1]:
                return True
            self.chosen.pop()
            self.limits.pop()
        return False


class TraceFinder:
    """Finds the traces of all threads of a program.

    The possible values of a cell are computed by iteration: a value written by one trace may be
        read by another. Each value is recorded with the number of writes to each cell from which it
        results. It is impossible if an execution has fewer writes to one of these cells.

    Arguments:
        racy_reads: whether weak reads may also return undef.
        limit: maximum number of traces of one thread.
        combinations: maximum number of combinations of traces of all threads.
    """

    def __init__(
        self,
        program: Program,
        racy_reads: bool = False,
        limit: int = MAX_TRACES,
        combinations: float = inf,
    ) -> None:
        self.program = program
        self.limit = limit
        self.combinations = combinations
        self.racy_reads = racy_reads
        self._cuts: dict[str, set[int]] = {}
        self._users: dict[str, set[int]] = {}
        self._values: dict[Cell, dict[Bits, Counter[Cell]]] = {}
        self._mixed: set[str] = set()
        self._writes: dict[int, Counter[Cell]] = {}
        self._cells: dict[tuple[str, int, int], list[Cell]] = {}
        self._noted: set[int] = set()
        self._is_changed = True

    def find(self) -> list[list[Trace]]:
        """The traces of each thread. Raises TooLargeError."""
        found: list[list[Trace]] = []
        while self._is_changed:
            self._is_changed = False
            found = [list(self._traces(number)) for number in range(len(self.program.threads))]
            if prod(map(len, found)) > self.combinations:
                raise TooLargeError(
                    f"the program has more than {self.combinations} combinations of traces"
                )
        return found

    def _traces(self, number: int) -> Iterator[Trace]:
        thread = self.program.threads[number]
        choices = {cell: list(values) for cell, values in self._values.items()}
        pending = [_Run(self, number, choices, thread.start)]
        count = 0
        while pending:
            run = pending.pop()
            while run.point.access is not None:
                *others, run = run.continuations(run.point.access)
                pending += others
            count += 1
            if count > self.limit:
                raise TooLargeError(f"thread {thread.name} has more than {self.limit} traces")
            if not isinstance(run.point.error, CutError):
                yield run.trace()

    def is_private(self, variable: str) -> bool:
        """True if only one thread accesses a variable, so that no events are needed."""
        return len(self._users.get(variable, ())) == 1

    def may_race(self, access: Access, cell: Cell) -> bool:
        """True if a read may return undef because it races with a write."""
        is_atomic = access.order is not Order.WEAK
        return self.racy_reads and not (is_atomic and cell.variable not in self._mixed)

    def _is_mixed(self, number: int, access: Access) -> bool:
        """True for an access that makes atomic accesses of other threads race."""
        if access.order is Order.WEAK:
            return access.kind is Kind.WRITE
        own = self.program.threads[number].position
        others = (t.position for at, t in enumerate(self.program.threads) if at != number)
        return not all(own.shares(other, access.scope) for other in others)

    def note(self, number: int, access: Access, variable: str) -> None:
        """Records that a thread accesses bytes of a variable."""
        if id(access) in self._noted:
            return
        self._noted.add(id(access))
        if variable not in self._mixed and self._is_mixed(number, access):
            self._mixed.add(variable)
            self._is_changed = True
        users = self._users.setdefault(variable, set())
        before = len(users)
        users.add(number)
        if access.agent or access.proxy is not Proxy.GENERIC or access.variable != variable:
            users.add(-1)
        cuts = self._cuts.setdefault(variable, set())
        edges = {access.offset, access.offset + access.size}
        if len(users) > before or not edges <= cuts:
            cuts |= edges
            self._cells.clear()
            self._is_changed = True
            for cell in [cell for cell in self._values if cell.variable == variable]:
                del self._values[cell]

    def cells(self, variable: str, offset: int, size: int) -> list[Cell]:
        """The cells of some bytes, lowest first."""
        key = (variable, offset, size)
        if key not in self._cells:
            edges = sorted(e for e in self._cuts[variable] if offset <= e <= offset + size)
            self._cells[key] = [Cell(variable, low, high - low) for low, high in pairwise(edges)]
        return self._cells[key]

    def origin(self, cell: Cell, bits: Bits) -> Counter[Cell]:
        """The writes that a value of a cell results from."""
        return self._values.get(cell, {}).get(bits) or Counter()

    def note_value(self, cell: Cell, bits: Bits, origin: Counter[Cell]) -> None:
        """Records that a cell may have a value that results from some writes."""
        values = self._values.setdefault(cell, {self.program.initial_bits(cell): Counter()})
        known = values.get(bits)
        if known is not None and known <= origin:
            return
        if any(count > self._most_writes(written) for written, count in origin.items()):
            return
        values[bits] = origin if known is None else known & origin
        self._is_changed = True
        if len(values) > MAX_VALUES:
            raise TooLargeError(f"{cell} has more than {MAX_VALUES} possible values")

    def note_writes(self, number: int, count: Counter[Cell]) -> None:
        """Records the number of writes of a trace to each cell."""
        known = self._writes.setdefault(number, Counter())
        if not count <= known:
            self._writes[number] = known | count
            self._is_changed = True

    def _most_writes(self, cell: Cell) -> int:
        return sum(count[cell] for count in self._writes.values())


_CHOOSING = (Kind.READ, Kind.WAIT, Kind.UNDEFINED)
"""Accesses with several possible results."""


class _Run:
    """One run of one thread, up to a state of the thread.

    Attributes:
        point: the state.
        events: the events so far.
        private: contents of the cells that only this thread accesses.
        origins: for each read, by index, the writes that its value results from.
        written: number of writes to each cell.
    """

    def __init__(
        self, finder: TraceFinder, number: int, choices: Mapping[Cell, list[Bits]], point: Point
    ) -> None:
        self.finder = finder
        self.number = number
        self.choices = choices
        self.point = point
        self.events: list[Event] = []
        self.private: dict[Cell, Value] = {}
        self.origins: dict[int, Counter[Cell]] = {}
        self.written: Counter[Cell] = Counter()
        self.is_undefined = False
        self.is_blocked = False
        self.replay = _Replay()
        self.count = 0

    def copy(self) -> _Run:
        """A run in the same state."""
        run = _Run(self.finder, self.number, self.choices, self.point)
        run.events = self.events.copy()
        run.private = self.private.copy()
        run.origins = self.origins.copy()
        run.written = self.written.copy()
        run.is_undefined = self.is_undefined
        return run

    def continuations(self, access: Access) -> list[_Run]:
        """The runs after an access: one for each combination of choices, the first one last."""
        if access.kind not in _CHOOSING:
            self.point = self.point.after(self.perform(access))
            return [self]
        found: list[_Run] = []
        replay = _Replay()
        while True:
            run = self.copy()
            run.replay = replay
            run.advance(access)
            found.append(run)
            if not replay.advance():
                return found[::-1]

    def advance(self, access: Access) -> None:
        """Performs an access with the choices of the replay."""
        if self.blocks(access):
            self.is_blocked = True
            self.point = self.point.after(None)
            return
        try:
            self.point = self.point.after(self.perform(access))
        except (CutError, UndefinedBehaviourError) as error:
            self.point = Point.end(error)

    def trace(self) -> Trace:
        """The trace of a run that has ended."""
        return Trace(
            tuple(self.events),
            {name: value.bits for name, value in self.point.registers.items()},
            {cell: value.bits for cell, value in self.private.items()},
            self.is_undefined or isinstance(self.point.error, UndefinedBehaviourError),
            self.is_blocked,
        )

    def blocks(self, access: Access) -> bool:
        """Chooses whether a wait at a barrier with a thread count never ends."""
        if access.kind is not Kind.WAIT or not access.barrier[1]:
            return False
        return self.choose(2) == 1

    def choose(self, count: int) -> int:
        """The next choice of this run, below `count`."""
        self.count += 1
        return self.replay.choose(self.count - 1, count)

    def perform(self, access: Access) -> Value:
        """Adds the events of an access; returns the value before it, 0 if it does not read.

        Raises:
            CutError: the access does not accept the value.
            UndefinedBehaviourError: the thread ends at a branch on undef.
            TooLargeError: an atomic operation covers several cells.
        """
        if access.kind is Kind.UNDEFINED:
            return self.continue_anywhere(access.edges)
        if access.kind not in (Kind.READ, Kind.WRITE):
            self.add(access, access.kind)
            return Value(0)
        variable = self.finder.program.aliases.get(access.variable, access.variable)
        self.finder.note(self.number, access, variable)
        cells = self.finder.cells(variable, access.offset, access.size)
        if access.kind is Kind.WRITE:
            self.write(access, cells, access.value, access.depends)
            return Value(0)
        before = len(self.events)
        old = self.read(access, cells)
        if access.accepts is not None and not access.accepts(old):
            raise CutError
        if access.update is not None and len(cells) > 1:
            raise TooLargeError(
                f"an atomic operation on {access.variable} overlaps smaller accesses"
            )
        new = (
            access.update(old) if access.update is not None and self.is_equal(access, old) else None
        )
        if new is not None:
            self.write(access, cells, new, access.depends | old.reads, old)
        elif access.failure_order is not None:
            self.events[before:] = [
                replace(event, order=access.failure_order) for event in self.events[before:]
            ]
        return old

    def is_equal(self, access: Access, old: Value) -> bool:
        """Whether the comparison of a compare-and-swap succeeds, which is a choice for undef."""
        if access.expected is None:
            return True
        if isinstance(old.bits, Undefined) or isinstance(access.expected, Undefined):
            return self.choose(2) == 1
        return old.bits == access.expected

    def continue_anywhere(self, edges: int) -> Value:
        """The edge along which a thread with undefined behaviour continues.

        The events after the branch matter: another thread may read a value written there, and its
            response may be the reason that the value of the branch is undefined.
        """
        self.is_undefined = True
        edge = self.choose(edges + 1)
        if edge == edges:
            raise UndefinedBehaviourError
        return Value(edge)

    def read(self, access: Access, cells: list[Cell]) -> Value:
        """The value of adjacent cells: one of the possible values of each, or the thread's own for private cells."""
        parts: list[tuple[Bits, int]] = []
        reads: frozenset[int] = frozenset()
        for cell in cells:
            if self.finder.is_private(cell.variable):
                value = self.private.get(cell) or Value(self.finder.program.initial_bits(cell))
                parts.append((value.bits, cell.size))
                reads |= value.reads
                continue
            options = self.choices.get(cell) or [self.finder.program.initial_bits(cell)]
            if self.finder.may_race(access, cell) and UNDEFINED not in options:
                options = [*options, UNDEFINED]
            bits = options[self.choose(len(options))]
            reads |= {len(self.events)}
            self.origins[len(self.events)] = self.finder.origin(cell, bits)
            self.add(access, Kind.READ, cell, bits, access.depends)
            parts.append((bits, cell.size))
        return Value(joined(parts), reads)

    def write(
        self,
        access: Access,
        cells: list[Cell],
        value: Value,
        depends: frozenset[int],
        old: Value | None = None,
    ) -> None:
        """Writes a value to adjacent cells; `old` is the value that an atomic operation has read."""
        for cell in cells:
            bits = part_of(value.bits, cell.offset - access.offset, cell.size)
            if self.finder.is_private(cell.variable):
                self.private[cell] = Value(bits, value.reads)
                continue
            origin = Counter({cell: 1})
            for read in value.reads:
                origin |= self.origins[read] + Counter({cell: 1})
            self.written[cell] += 1
            self.finder.note_writes(self.number, self.written)
            self.finder.note_value(cell, bits, origin)
            partner = None if old is None else max(old.reads)
            self.add(access, Kind.WRITE, cell, bits, depends | value.reads, partner)

    def add(
        self,
        access: Access,
        kind: Kind,
        cell: Cell | None = None,
        bits: Bits = 0,
        depends: frozenset[int] = frozenset(),
        partner: int | None = None,
    ) -> None:
        """Appends an event of an access; `partner` is the read of the same atomic operation."""
        self.events.append(
            Event(
                self.number,
                len(self.events),
                kind,
                cell,
                access.variable,
                access.order,
                access.scope,
                access.proxy,
                bits,
                partner,
                access.size,
                access.is_reduction,
                depends,
                access.barrier,
                access.cluster_wide,
                access.agent,
                access.awaits,
            )
        )
