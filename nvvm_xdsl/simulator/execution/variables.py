"""Addresses and initial values of module variables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import global_space, stated_alignment
from nvvm_xdsl.dialects.nvvm.handles import handle_kind
from nvvm_xdsl.simulator.execution.memory import (
    CONSTANT,
    GAP,
    GENERIC,
    GLOBAL,
    GLOBAL_BASE,
    SHARED,
    WINDOW_OF_SPACE,
)


@dataclass
class Variable:
    """A module variable; `address` is within its window, or within the memory of the block for a
    shared variable."""

    name: str
    op: Operation
    window: int
    address: int
    size: int


@dataclass
class Placement:
    """The variables of a module."""

    variables: dict[str, Variable]
    dynamic: set[str]
    """Shared variables without a size, at the start of dynamic shared memory."""
    global_end: int
    constant_end: int
    shared_bytes: int


_STATIC_LOCAL = re.compile(r"_ZZ.*?E(\d+)(\w+)$")


def source_name(symbol: str) -> str:
    """The name of a variable in its source, for example `tile` for the static local
    `_ZZ6smoothE4tile`.

    Itanium C++ ABI, "Mangling", `<local-name>`; other names are not changed.
    """
    found = _STATIC_LOCAL.match(symbol)
    return symbol if found is None else found[2][: int(found[1])]


def space_of(op: Operation) -> int:
    """The address space of a variable."""
    return global_space(op)


def alignment_of(op: Operation, natural: int) -> int:
    """The alignment of a variable."""
    return max(stated_alignment(op), natural, 1)


def handle_kind_of(op: Operation) -> str | None:
    """`texref`, `samplerref` or `surfref` for a variable of the IR or of machine code that
    represents a handle."""
    kind = op.properties.get("kind")
    return kind.data if isinstance(kind, StringAttr) else handle_kind(op)


def _up(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment


def place(items: list[tuple[str, Operation, int, int, int]]) -> Placement:
    """Assigns addresses to variables, each given as name, op, space, size and alignment."""
    next_ = {GLOBAL: GLOBAL_BASE, CONSTANT: GAP, SHARED: 0}
    variables: dict[str, Variable] = {}
    dynamic: set[str] = set()
    for name, op, space, size, alignment in items:
        window = WINDOW_OF_SPACE.get(space, GENERIC)
        if window == GENERIC:
            window = GLOBAL
        if window not in next_:
            continue
        if window == SHARED and size == 0:
            dynamic.add(name)
            variables[name] = Variable(name, op, window, 0, 0)
            continue
        address = _up(next_[window], alignment)
        variables[name] = Variable(name, op, window, address, size)
        next_[window] = address + size + (GAP if window != SHARED else 16)
    shared = _up(next_[SHARED], 128)
    for name in dynamic:
        variables[name].address = shared
    return Placement(variables, dynamic, next_[GLOBAL], next_[CONSTANT], shared)
