"""Register and type helpers that the semantics of PTX instructions share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.numerics.lane_ops import fit

Lanes = np.ndarray[Any, Any]
Function = Callable[..., Any]


def unary(function: Callable[[Lanes], Any]) -> Function:
    """Types a lambda as a function of one register."""
    return function


def binary(function: Callable[[Lanes, Lanes], Any]) -> Function:
    """Types a lambda as a function of two registers."""
    return function


def ternary(function: Callable[[Lanes, Lanes, Lanes], Any]) -> Function:
    """Types a lambda as a function of three registers."""
    return function


def with_carry(function: Callable[[Lanes, Lanes, Lanes, Lanes], Any]) -> Function:
    """Types a lambda as a function of three registers and the carry flag."""
    return function


ROUNDINGS = frozenset({"rn", "rz", "rm", "rp", "rna"})
INTEGRAL = frozenset({"rni", "rzi", "rmi", "rpi"})

INTEGER_TYPES = {f"{k}{n}": (k == "s", n) for k in "sub" for n in (8, 16, 32, 64)}
FLOAT_TYPES = {"f16", "bf16", "f32", "f64"}
PACKED = {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32"}

TYPE_BITS = {
    **{name: bits for name, (_, bits) in INTEGER_TYPES.items()},
    "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f16x2": 32, "bf16x2": 32, "f32x2": 64, "tf32": 32,
    "u16x2": 32, "s16x2": 32, "b128": 128, "e4m3x2": 16, "e5m2x2": 16, "ue8m0x2": 16, "pred": 1,
    "e2m3x2": 16, "e3m2x2": 16, "e2m1x2": 8, "u8x4": 32, "s8x4": 32,
}  # fmt: skip


BYTES = {"u8x4": False, "s8x4": True}
"""Types of four bytes in a register, and whether they are signed."""

_UNKNOWN_WORDS = (
    "alloc_",
    "collector::b::",
    "decompress::",
    "ignore_oob",
    "kind::ti16",
    "layout::",
    "mbarrier::report::",
    "multicast::cluster::16b",
    "multicast::cluster::32b",
    "override::",
    "phase_type::",
    "scaled::",
    "sp::2:4",
    "spcompress",
    "s2f6x2",
    "sync_restrict::proxy",
    "ue5m3x2",
)


_SPARSE = frozenset({"spcompress", "spdecompress"})
"""Instructions whose forms are all documented, other than `tcgen05.ld.spcompress`."""


def has_semantics(opcode: str) -> bool:
    """Returns whether the effect of all modifiers is documented, so that the simulator supports
    them."""
    name, *mods = opcode.split(".")
    return name in _SPARSE or not any(m.startswith(_UNKNOWN_WORDS) for m in (name, *mods))


def floating(fmt: str, function: Function) -> Function:
    """Converts a function on floats to a function on bits."""
    kind, raw = F.DTYPE[fmt], F.UNSIGNED[F.BITS[fmt]]

    def run(*operands: Lanes) -> Lanes:
        return function(*(fit(o, F.BITS[fmt]).view(kind) for o in operands)).view(raw)

    return run


def packed(element: str, function: Function) -> Function:
    """Converts a function on floats to a function on both halves of registers."""
    kind, small = F.DTYPE[element], F.UNSIGNED[F.BITS[element]]
    large = F.UNSIGNED[2 * F.BITS[element]]

    def run(*operands: Lanes) -> Lanes:
        halves = [np.ascontiguousarray(o).view(small).reshape(-1, 2).view(kind) for o in operands]
        out = np.ascontiguousarray(function(*halves)).view(small)
        return out.reshape(-1).view(large)

    return run


def lift(type_: str, function: Callable[[str], Function]) -> Function:
    """`function(format)` as a function on the bits of a scalar or packed type."""
    if type_ in PACKED:
        return packed(PACKED[type_], function(PACKED[type_]))
    return floating(type_, function(type_))


def rounding_of(mods: Sequence[str]) -> str:
    """The rounding modifier, `rn` if none is stated."""
    return next((m for m in mods if m in ROUNDINGS), "rn")


def type_of(mods: Sequence[str]) -> str:
    """The last type modifier; raises KeyError if there is none."""
    for m in reversed(mods):
        if m in TYPE_BITS:
            return m
    raise KeyError("no type")


def is_float(type_: str) -> bool:
    """Returns whether a type is a float type, packed or not."""
    return type_ in FLOAT_TYPES or type_ in PACKED


_ATOMIC_NAMES = {
    "exch": "xchg", "add": "add", "and": "and", "or": "or", "xor": "xor", "inc": "uinc_wrap", "dec": "udec_wrap",
}  # fmt: skip


def atomic_name(operation: str, type_: str) -> tuple[str, str]:
    """An atomic operation as named by `atomicrmw`, and the format of floats."""
    element = type_.removesuffix("x2")
    if element in FLOAT_TYPES:
        return {"add": "fadd", "min": "fmin", "max": "fmax", "exch": "xchg"}[operation], element
    if operation in ("min", "max"):
        return operation if type_[0] == "s" else "u" + operation, ""
    return _ATOMIC_NAMES[operation], ""
