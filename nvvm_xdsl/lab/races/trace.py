"""Results of the symbolic execution of a thread: its accesses and barriers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from xdsl.ir import Operation

from nvvm_xdsl.lab.races.terms import FALSE, TRUE, Term, both, choose, either

ARGUMENT: Final = "argument"
VARIABLE: Final = "variable"
SHARED: Final = "shared"
CONSTANT: Final = "constant"
LOCAL: Final = "local"
PARAMETER: Final = "parameter"
UNKNOWN: Final = "unknown"


class Root(NamedTuple):
    """The object that a pointer points into.

    Attributes:
        kind: ARGUMENT (an object passed to the kernel), VARIABLE (of global memory), SHARED, CONSTANT,
            LOCAL, PARAMETER (an argument by value), or UNKNOWN.
        name: name of the argument or variable.
        noalias: whether no other pointer of the kernel points into the object.
    """

    kind: str
    name: str
    noalias: bool = False

    @property
    def is_private(self) -> bool:
        """Whether no other thread can access the object, or no thread can write it."""
        return self.kind in (LOCAL, PARAMETER, CONSTANT)


ANYWHERE: Final = Root(UNKNOWN, "unknown memory")


class Target(NamedTuple):
    """One object that a pointer may point into, and the condition for it."""

    condition: Term
    root: Root
    offset: Term


@dataclass(frozen=True)
class Pointer:
    """A pointer with all objects that it may point into."""

    targets: tuple[Target, ...]


class Opaque:
    """A value whose content is not modelled."""


OPAQUE: Final = Opaque()

Value: TypeAlias = Term | Pointer | Opaque

Key: TypeAlias = tuple[object, tuple[Term, ...]]
"""One execution of a barrier: the op and the iterations of the loops around it. The start of the
kernel and of a loop are keys, too."""

Intervals: TypeAlias = Mapping[Key, Term]
"""The barrier that was executed last, by condition."""

START: Final[Key] = ("start", ())
GRID_START: Final[Key] = (("grid", "start"), ())


def is_of_grid(key: Key) -> bool:
    """Whether an execution of a barrier orders the threads of all blocks. A barrier of the grid has a
    key of this kind and one that orders the threads of a block."""
    return isinstance(key[0], tuple)


def grid_key(key: Key) -> Key:
    """The key of the same execution that orders the threads of all blocks."""
    return ("grid", key[0]), key[1]


class Arrival(NamedTuple):
    """The state of a thread on an edge of the control-flow graph."""

    guard: Term
    values: tuple[Value, ...]
    intervals: Intervals


@dataclass(frozen=True)
class Access:
    """A memory access.

    Attributes:
        op: the op.
        root: the object.
        offset: offset in the object in bytes.
        size: size in bytes.
        guard: the condition under which the thread executes it.
        intervals: the barrier before it.
        writes: whether it may change memory.
        scope: of an atomic access: `block`, `cluster`, `device`, `system`; "" for others.
        value: the value that a store writes, if it is modelled.
        ticket: the old value of an atomic addition of a positive constant.
    """

    op: Operation
    root: Root
    offset: Term
    size: Term
    guard: Term
    intervals: Intervals
    writes: bool
    scope: str = ""
    value: Term | None = None
    ticket: Term | None = None


@dataclass(frozen=True)
class Meeting:
    """A point that all threads of a block must reach together: a barrier, or the next iteration of a
    loop with barriers. If `grid` is set, all threads of the launch must."""

    op: Operation
    iterations: tuple[Term, ...]
    guard: Term
    grid: bool = False


@dataclass
class Trace:
    """All accesses of a thread.

    Attributes:
        accesses: in the order of the program, those of loops once for an arbitrary iteration.
        meetings: barriers and iterations of loops that contain some.
        facts: conditions that hold in every execution.
        omitted: synchronization that is not modelled: its absence can only add races.
    """

    accesses: list[Access] = field(default_factory=list[Access])
    meetings: list[Meeting] = field(default_factory=list[Meeting])
    facts: list[Term] = field(default_factory=list[Term])
    omitted: list[Operation] = field(default_factory=list[Operation])

    def mark(self) -> tuple[int, int, int, int]:
        """A state to return to."""
        return len(self.accesses), len(self.meetings), len(self.facts), len(self.omitted)

    def reset(self, mark: tuple[int, int, int, int]) -> None:
        """Returns to a state."""
        lists = (self.accesses, self.meetings, self.facts, self.omitted)
        for items, length in zip(lists, mark):
            del items[length:]


def merge_values(cases: list[tuple[Term, Value]]) -> Value:
    """The value of the case that holds; exactly one does."""
    first = cases[0][1]
    if all(value is first for _, value in cases):
        return first
    if all(isinstance(value, Term) for _, value in cases):
        merged: Term | None = None
        for condition, value in reversed(cases):
            assert isinstance(value, Term)
            merged = value if merged is None else choose(condition, value, merged)
        return OPAQUE if merged is None else merged
    if all(isinstance(value, Pointer) for _, value in cases):
        targets: list[Target] = []
        for condition, value in cases:
            assert isinstance(value, Pointer)
            targets += [t._replace(condition=both(condition, t.condition)) for t in value.targets]
        return Pointer(merge_targets(targets))
    return OPAQUE


def merge_targets(targets: list[Target]) -> tuple[Target, ...]:
    """The targets with one for each object."""
    found: dict[Root, Target] = {}
    for target in targets:
        if target.condition is FALSE:
            continue
        old = found.get(target.root)
        if old is not None:
            target = Target(
                either([old.condition, target.condition]),
                target.root,
                choose(target.condition, target.offset, old.offset),
            )
        found[target.root] = target
    if len(found) == 1:
        only = next(iter(found.values()))
        return (only._replace(condition=TRUE),)
    return tuple(found.values())


def merge_intervals(arrivals: list[Arrival]) -> Intervals:
    """The last barrier at a join of edges."""
    found: dict[Key, list[Term]] = {}
    single = len(arrivals) == 1
    for arrival in arrivals:
        for key, condition in arrival.intervals.items():
            taken = condition if single else both(arrival.guard, condition)
            found.setdefault(key, []).append(taken)
    return {key: either(conditions) for key, conditions in found.items()}


def without(term: Term, known: Term) -> Term:
    """The part of a conjunction that another one does not imply."""
    have = {known, *(known.args if known.op == "all" else ())}
    parts = term.args if term.op == "all" else (term,)
    return both(*(part for part in parts if part not in have))
