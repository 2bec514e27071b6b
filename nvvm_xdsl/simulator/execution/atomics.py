"""Atomic operations; lanes execute in the order of their numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nvvm_xdsl.simulator.execution.memory import GLOBAL, Access, Lanes, Mask
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.numerics import lane_ops as L

_INTEGER: dict[str, Callable[[Lanes, Lanes, int], Lanes]] = {
    "xchg": lambda old, new, bits: new,
    "add": lambda old, new, bits: L.wrap(old + new, bits),
    "sub": lambda old, new, bits: L.wrap(old - new, bits),
    "and": lambda old, new, bits: old & new,
    "nand": lambda old, new, bits: L.wrap(~(old & new), bits),
    "or": lambda old, new, bits: old | new,
    "xor": lambda old, new, bits: old ^ new,
    "max": lambda old, new, bits: np.where(L.signed(old, bits) > L.signed(new, bits), old, new),
    "min": lambda old, new, bits: np.where(L.signed(old, bits) < L.signed(new, bits), old, new),
    "umax": lambda old, new, bits: np.maximum(old, new),
    "umin": lambda old, new, bits: np.minimum(old, new),
    "uinc_wrap": lambda old, new, bits: L.where(
        old >= new, old.dtype.type(0), old + old.dtype.type(1)
    ),
    "udec_wrap": lambda old, new, bits: np.where(
        (old == 0) | (old > new), new, old - old.dtype.type(1)
    ),
    "usub_cond": lambda old, new, bits: np.where(old >= new, old - new, old),
    "usub_sat": lambda old, new, bits: np.where(old >= new, old - new, old.dtype.type(0)),
}

_FLOAT: dict[str, Callable[[Lanes, Lanes, str, bool], Lanes]] = {
    "xchg": lambda old, new, fmt, ftz: new,
    "fadd": lambda old, new, fmt, ftz: F.add(old, new, fmt, "rn", ftz),
    # An operation of LLVM only. PTX has no atomic subtraction of floats that could flush
    # subnormals.
    "fsub": lambda old, new, fmt, ftz: F.sub(old, new, fmt),
    "fmax": lambda old, new, fmt, ftz: F.maximum(old, new, fmt),
    "fmin": lambda old, new, fmt, ftz: F.minimum(old, new, fmt),
    "fmaximum": lambda old, new, fmt, ftz: F.maximum(old, new, fmt, nan=True),
    "fminimum": lambda old, new, fmt, ftz: F.minimum(old, new, fmt, nan=True),
}


class _AddressGroups:
    """Active lanes grouped so that addresses in a group are distinct, in lane order."""

    def __init__(self, access: Access, mask: Mask, offset: int) -> None:
        self.index = mask.index
        count = self.index.size
        position = access.position + offset if offset else access.position
        self.position = np.broadcast_to(position, (count,)) if position.size == 1 else position
        self.memory = access.memory
        self.lanes = mask.bits.size
        order = np.argsort(self.position, kind="stable")
        ordered = self.position[order]
        first = np.ones(count, bool)
        first[1:] = ordered[1:] != ordered[:-1]
        start = np.maximum.accumulate(np.where(first, np.arange(count), 0))
        rank = np.empty(count, np.int64)
        rank[order] = np.arange(count) - start
        self.rank = rank
        self.order = order
        self.first = first
        self.start = start

    def spread(self, values: Lanes) -> Lanes:
        """Distributes the values of the selected lanes over all lanes; others are 0."""
        if self.index.size == self.lanes:
            return values
        out = np.zeros(self.lanes, values.dtype)
        out[self.index] = values
        return out

    def gather(self, values: Lanes) -> Lanes:
        """The values of the selected lanes."""
        return (
            np.broadcast_to(values, (self.index.size,)) if values.size == 1 else values[self.index]
        )

    def run(self, size: int, step: Callable[[Lanes, Lanes], Lanes]) -> Lanes:
        """Applies `step(old values, which lanes)`, which returns new values; returns the old
        ones."""
        view = self.memory.views[size]
        shift = size.bit_length() - 1
        slots = self.position >> shift
        old = np.zeros(slots.size, view.dtype)
        for round_ in range(int(self.rank.max()) + 1 if self.rank.size else 0):
            here = np.flatnonzero(self.rank == round_)
            held = view[slots[here]]
            old[here] = held
            view[slots[here]] = step(held, here)
        if self.memory.undefined is not None:
            for i in range(size):
                self.memory.undefined[self.position + i] = 0
        return self.spread(old)

    def add(self, size: int, values: Lanes) -> Lanes:
        """Integer addition in one pass, by prefix sums."""
        view = self.memory.views[size]
        slots = self.position >> (size.bit_length() - 1)
        sorted_values = values[self.order]
        total = np.cumsum(sorted_values, dtype=view.dtype)
        before = total - sorted_values
        exclusive = before - before[self.start]
        sorted_slots = slots[self.order]
        held = view[sorted_slots]
        old = np.empty(slots.size, view.dtype)
        old[self.order] = held + exclusive
        last = np.ones(slots.size, bool)
        last[:-1] = self.first[1:]
        view[sorted_slots[last]] = (held + exclusive + sorted_values)[last]
        return self.spread(old)


def rmw(
    access: Access, mask: Mask, name: str, bits: int, fmt: str, value: Lanes, offset: int = 0
) -> Lanes:
    """Performs an atomic read-modify-write; returns the previous bits.

    Arguments:
        name: as in `atomicrmw`.
        fmt: the format of floats, empty for integers.
        value: the operand's bits.
    """
    rounds = _AddressGroups(access, mask, offset)
    values = rounds.gather(value)
    size = (bits + 7) // 8
    if not fmt:
        if name == "add" and access.memory.undefined is None and bits in (8, 16, 32, 64):
            return rounds.add(size, values)
        function = _INTEGER[name]
        return rounds.run(size, lambda old, here: function(old, values[here], bits))
    ftz = fmt == "f32" and bool(
        (access.position < access.memory.offset[GLOBAL] + access.memory.length[GLOBAL]).all()
    )

    def step(old: Lanes, here: Lanes) -> Lanes:
        return combine(name, bits, fmt, old, values[here], ftz)

    return rounds.run(size, step)


def combine(name: str, bits: int, fmt: str, old: Lanes, new: Lanes, ftz: bool = False) -> Lanes:
    """The memory contents after an atomic operation, element by element; arguments as for `rmw`."""
    if not fmt:
        return _INTEGER[name](old, new, bits)
    kind = F.DTYPE[fmt]
    return _FLOAT[name](old.view(kind), new.view(kind), fmt, ftz).view(old.dtype)


def cas(access: Access, mask: Mask, bits: int, expected: Lanes, new: Lanes) -> Lanes:
    """Compares and swaps; returns the previous bits."""
    rounds = _AddressGroups(access, mask, 0)
    wanted, values = rounds.gather(expected), rounds.gather(new)
    return rounds.run(
        (bits + 7) // 8, lambda old, here: np.where(old == wanted[here], values[here], old)
    )


_HALF = 64


def wide(
    access: Access, mask: Mask, new: Lanes, expected: Lanes | None = None, name: str = "xchg"
) -> Lanes:
    """A 128-bit atomic operation; with `expected`, only if the old value equals it. Returns the old
    value.

    Lanes are Python integers.
    """
    function = _INTEGER[name]
    rounds = _AddressGroups(access, mask, 0)
    view = rounds.memory.views[_HALF // 8]
    values = rounds.gather(new)
    wanted = None if expected is None else rounds.gather(expected)
    old = np.zeros(rounds.position.size, object)
    for lane, position in enumerate(rounds.position):
        slot = int(position) * 8 // _HALF
        held = int(view[slot]) | int(view[slot + 1]) << _HALF
        old[lane] = held
        if wanted is None or int(wanted[lane]) % (1 << 2 * _HALF) == held:
            given = np.array([int(values[lane]) % (1 << 2 * _HALF)], object)
            value = int(function(np.array([held], object), given, 2 * _HALF)[0])
            view[slot], view[slot + 1] = value % (1 << _HALF), value >> _HALF
    if rounds.memory.undefined is not None:
        for i in range(2 * _HALF // 8):
            rounds.memory.undefined[rounds.position + i] = 0
    return rounds.spread(old)
