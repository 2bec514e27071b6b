"""Operands of PTX instructions as expressions of generated source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.execution.memory import CONSTANT, GENERIC, GLOBAL, LOCAL, PARAM, SHARED
from nvvm_xdsl.simulator.numerics import lane_ops as L
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS


@dataclass(frozen=True)
class Register:
    """An operand: an expression for the bits of a register or of a constant."""

    name: str
    undefined: str | None = None


@dataclass(frozen=True)
class Address:
    """`[base + offset]`."""

    base: str
    offset: int = 0
    window: int | None = None
    """The known window of the base; it overrides the state space of the instruction."""


@dataclass(frozen=True)
class Group:
    """`{a, b, ...}`."""

    parts: tuple[Register, ...]


@dataclass(frozen=True)
class ListAddress:
    """`[base, {a, b, ...}]` of textures and tensor maps."""

    parts: tuple[Operand, ...]


Operand = Register | Address | Group | ListAddress
Results = list[Leaf]
Instruction = Callable[["Context", list[str], Sequence[Operand]], Results]


@dataclass(frozen=True)
class Context:
    """The position of an instruction in generated source: the function and the mask of lanes."""

    op: Operation
    to: FunctionCompiler
    mask: str = "m"

    def site(self) -> int:
        """The number of the op for error reports."""
        return self.to.site(self.op)

    def array(self, value: int, bits: int = 32) -> str:
        """A constant register."""
        return self.to.array(value & (1 << bits) - 1, L.container(bits))


@dataclass(frozen=True)
class Wait:
    """A waiting instruction: the condition under which lanes continue immediately, and the
    results."""

    condition: str
    results: Callable[[], Results]


WINDOWS = {
    "global": GLOBAL,
    "shared": SHARED,
    "shared::cta": SHARED,
    "shared::cluster": SHARED,
    "local": LOCAL,
    "const": CONSTANT,
    "param": PARAM,
    "param::entry": PARAM,
    "param::func": LOCAL,
}


def window_of(mods: Sequence[str]) -> int:
    """The window of the state space among the modifiers."""
    return next((WINDOWS[m] for m in mods if m in WINDOWS), GENERIC)


def last_type(mods: Sequence[str]) -> str:
    """The last type among the modifiers."""
    return next((m for m in reversed(mods) if m in TYPE_BITS), "b32")


def as_register(operand: Operand) -> Register:
    """The operand, which must be a plain register."""
    assert isinstance(operand, Register), "a register is expected"
    return operand


def vector_size(mods: Sequence[str]) -> int:
    """The number of elements of the moved vector."""
    return next((int(m[1]) for m in mods if m in ("v2", "v4", "v8")), 1)


def constant_of(at: Context, register: Register) -> int:
    """The value of an operand that must be a constant."""
    value = at.to.constants.get(register.name)
    if value is None:
        raise at.to.unsupported(at.op, "an operand that must be a constant")
    return int(value[0])


def whole_address(at: Context, address: Operand) -> str:
    """An expression for an address with its offset."""
    if isinstance(address, Register):
        return f"L.fit({address.name}, 64)"
    assert isinstance(address, Address)
    base = f"L.fit({address.base}, 64)"
    return f"{base} + {at.array(address.offset, 64)}" if address.offset else base
