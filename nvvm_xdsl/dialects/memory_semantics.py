"""Ordering, scope and proxy of memory operations (PTX ISA, "Memory Consistency Model")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import int_property, is_volatile, sync_scope_of
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_NAMES


class Scope(IntEnum):
    """The sets of threads of PTX ISA, section "Scope". `THREAD` is LLVM's `singlethread`."""

    THREAD = 0
    CTA = 1
    CLUSTER = 2
    GPU = 3
    SYS = 4


class Order(Enum):
    """The semantics of an access or fence.

    `WEAK` is a PTX weak operation or a non-atomic LLVM access, `UNORDERED` exists only in LLVM.
    """

    WEAK = "weak"
    UNORDERED = "unordered"
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"
    SC = "sc"

    @property
    def acquires(self) -> bool:
        """True for acquire, acq_rel and sc."""
        return self in (Order.ACQUIRE, Order.ACQ_REL, Order.SC)

    @property
    def releases(self) -> bool:
        """True for release, acq_rel and sc."""
        return self in (Order.RELEASE, Order.ACQ_REL, Order.SC)


class Proxy(Enum):
    """The methods of memory access of PTX ISA, section "Proxies". `ALIAS` occurs only in fences."""

    GENERIC = "generic"
    CONSTANT = "constant"
    TEXTURE = "texture"
    SURFACE = "surface"
    ASYNC = "async"
    ALIAS = "alias"


LLVM_ORDERS: Final = {
    "not_atomic": Order.WEAK,
    "unordered": Order.UNORDERED,
    "monotonic": Order.RELAXED,
    "acquire": Order.ACQUIRE,
    "release": Order.RELEASE,
    "acq_rel": Order.ACQ_REL,
    "seq_cst": Order.SC,
}
"""The order of each keyword of LLVM."""

LLVM_SCOPES: Final = {
    "": Scope.SYS,
    "device": Scope.GPU,
    "cluster": Scope.CLUSTER,
    "block": Scope.CTA,
    "singlethread": Scope.THREAD,
}
"""LLVM's synchronization scopes for NVPTX."""

PTX_ORDERS: Final = {order.value: order for order in Order if order is not Order.UNORDERED}
"""The order of each PTX modifier."""

PTX_SCOPES: Final = {
    "cta": Scope.CTA,
    "cluster": Scope.CLUSTER,
    "gpu": Scope.GPU,
    "gl": Scope.GPU,
    "sys": Scope.SYS,
}
"""The scope of each PTX modifier; `gl` is that of `membar`."""

BARRIER_SCOPES: Final = {
    "cta": Scope.CTA,
    "gpu": Scope.GPU,
    "sys": Scope.SYS,
    "cluster": Scope.CLUSTER,
}
"""The scopes of `nvvm.memory.barrier`."""


@dataclass(frozen=True)
class MemorySemantics:
    """Ordering and scope of one operation."""

    order: Order = Order.WEAK
    scope: Scope = Scope.SYS


def semantics_of(op: Operation, name: str = "ordering") -> MemorySemantics:
    """Ordering and scope of an llvm op.

    Volatile accesses are relaxed with system scope, as NVPTX compiles them.

    Arguments:
        name: the property that holds the ordering.
    """
    order = LLVM_ORDERS[ORDERING_NAMES[int_property(op, name)]]
    if order is not Order.WEAK:
        return MemorySemantics(order, LLVM_SCOPES.get(sync_scope_of(op), Scope.SYS))
    return MemorySemantics(Order.RELAXED if is_volatile(op) else Order.WEAK)


def semantics_of_modifiers(words: Sequence[str], default: MemorySemantics) -> MemorySemantics:
    """Ordering and scope of a PTX instruction.

    Sections "Volatile Operation" and "mmio Operation": these are relaxed with system scope.

    Arguments:
        words: the modifiers of the opcode.
        default: for an instruction without ordering, or without scope.
    """
    order, scope = default.order, default.scope
    if "volatile" in words or "mmio" in words:
        order, scope = Order.RELAXED, Scope.SYS
    for word in words:
        word = word.partition("::")[0]
        order = PTX_ORDERS.get(word, order)
        scope = PTX_SCOPES.get(word, scope)
    return MemorySemantics(order, scope)
