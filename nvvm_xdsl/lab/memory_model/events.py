"""Memory events of a small program, and positions of its threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from nvvm_xdsl.dialects.memory_semantics import Order, Proxy, Scope


class Kind(Enum):
    """The kinds of events. An atomic operation is a read and a write."""

    READ = "R"
    WRITE = "W"
    FENCE = "F"
    PROXY_FENCE = "P"
    ARRIVE = "A"
    """The first half of a barrier: the thread arrives."""
    WAIT = "B"
    """The second half of a barrier: the thread continues after all have arrived."""
    UNDEFINED = "U"
    """A branch on undef in LLVM: the thread has undefined behaviour, and may continue anywhere."""


@dataclass(frozen=True)
class Position:
    """The position of a thread in the hierarchy of scopes. Threads are in the same scope if the
    numbers of that level and above are equal."""

    cta: int = 0
    cluster: int = 0
    gpu: int = 0

    def shares(self, other: Position, scope: Scope) -> bool:
        """True if a scope of this thread includes the other thread, if the two are different."""
        if scope == Scope.SYS:
            return True
        if self.gpu != other.gpu or scope == Scope.THREAD:
            return False
        if scope == Scope.GPU:
            return True
        return self.cluster == other.cluster and (scope == Scope.CLUSTER or self.cta == other.cta)


@dataclass(frozen=True)
class Cell:
    """Bytes of a variable that every access covers completely or not at all."""

    variable: str
    offset: int = 0
    size: int = 4

    def __str__(self) -> str:
        return f"{self.variable}[{self.offset}]" if self.offset else self.variable


class Undefined:
    """LLVM's undef, the result of a racing non-atomic read: any value."""

    def __repr__(self) -> str:
        return "undef"


UNDEFINED = Undefined()

Bits = int | Undefined


@dataclass(frozen=True)
class Value:
    """A value with the reads of its thread, by index, that it depends on."""

    bits: Bits
    reads: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Access:
    """A memory access requested by a thread, with its synchronization.

    Attributes:
        kind: a read, a write or one of the other events; a read with `update` is an atomic operation.
        variable, offset, size: the accessed bytes, with the variable name used by the access.
        value: the written value.
        update: for an atomic operation: the new value of a read one, or None if nothing is written.
        expected: for a compare-and-swap of LLVM: the value with which the old one is compared.
        is_reduction: whether the result is unused, so that the read is not part of an acquire
            pattern.
        failure_order: ordering of the read if the atomic operation does not write, if it differs
            from `order`.
        depends: reads that the address depends on.
        barrier: number of the barrier of an ARRIVE or WAIT, and how many threads take part;
            0 is all threads of the block.
        agent: 0, or the number of the asynchronous operation of the thread that performs the event.
        awaits: numbers of asynchronous operations that are complete before the event.
        accepts: for a read: whether the thread continues after reading a value.
        edges: for an UNDEFINED: the number of blocks that the branch may reach.
    """

    kind: Kind
    variable: str = ""
    offset: int = 0
    size: int = 4
    order: Order = Order.WEAK
    scope: Scope = Scope.SYS
    proxy: Proxy = Proxy.GENERIC
    value: Value = Value(0)
    update: Callable[[Value], Value | None] | None = None
    expected: Bits | None = None
    is_reduction: bool = False
    failure_order: Order | None = None
    depends: frozenset[int] = frozenset()
    barrier: tuple[int, int] = (0, 0)
    cluster_wide: bool = False
    agent: int = 0
    awaits: tuple[int, ...] = ()
    accepts: Callable[[Value], bool] | None = None
    edges: int = 0


@dataclass(frozen=True)
class Event:
    """A memory event of a trace, with its value.

    Attributes:
        thread: number of the thread.
        index: position in the thread.
        name: the variable by the name that the access uses; `cell` has the physical one.
        partner: for the write of an atomic operation, the index of its read.
        whole: number of bytes of the access that the event is a part of.
        depends: reads of the thread, by index, that the value, address or execution depends on.
    """

    thread: int
    index: int
    kind: Kind
    cell: Cell | None = None
    name: str = ""
    order: Order = Order.WEAK
    scope: Scope = Scope.SYS
    proxy: Proxy = Proxy.GENERIC
    value: Bits = field(default=0, compare=False)
    partner: int | None = None
    whole: int = 4
    is_reduction: bool = False
    depends: frozenset[int] = frozenset()
    barrier: tuple[int, int] = (0, 0)
    cluster_wide: bool = False
    agent: int = 0
    awaits: tuple[int, ...] = ()

    @property
    def is_strong(self) -> bool:
        """True for a strong operation of PTX and an atomic one of LLVM."""
        return self.kind is Kind.FENCE or (
            self.kind in (Kind.READ, Kind.WRITE) and self.order != Order.WEAK
        )

    @property
    def is_memory(self) -> bool:
        """True for reads and writes."""
        return self.cell is not None
