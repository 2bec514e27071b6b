"""Locations of machine-code parameters, and widths of immediate operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nvvm_xdsl.dialects.nvptx import InstructionOp, ParamAttr
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.functions import UNSIZED
from nvvm_xdsl.simulator.compiler import FRAME_ALIGNMENT
from nvvm_xdsl.simulator.matrix import wgmma
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS

_IMMEDIATE_BITS: dict[str, Callable[[Sequence[str], int], int]] = {
    "selp": lambda mods, index: 1 if index == 2 else TYPE_BITS[mods[-1]],
    "shl": lambda mods, index: 32 if index == 1 else TYPE_BITS[mods[-1]],
    "shr": lambda mods, index: 32 if index == 1 else TYPE_BITS[mods[-1]],
    "bfe": lambda mods, index: 32 if index > 0 else TYPE_BITS[mods[-1]],
    "bfi": lambda mods, index: 32 if index > 1 else TYPE_BITS[mods[-1]],
    "setp": lambda mods, index: 1 if index == 2 else TYPE_BITS[mods[-1]],
    "vote": lambda mods, index: 1 if index == 0 else 32,
    "tcgen05": lambda mods, index: 64,
    "slct": lambda mods, index: 32 if index == 2 else TYPE_BITS[mods[-2]],
    "wgmma": lambda mods, index: 1 if index == wgmma.scale_position(mods) else 32,
}


UNSIZED_ROOM = 4096
"""Bytes reserved for an array whose size the callers determine."""


@dataclass
class Frame:
    """The parameter area of a device function, with its result first: offsets by symbol, and its
    size."""

    offsets: dict[str, int]
    size: int


def frame_of(params: Sequence[ParamAttr], ret: ParamAttr | None) -> Frame:
    """The layout of a device function's parameter area.

    An array without a size is the last, so that the offsets of the others match the callers'.
    """
    offsets: dict[str, int] = {}
    at = -(-ret.size // 16) * 16 if ret is not None else 0
    for i, p in enumerate(params):
        alignment = max(p.align, bits_of(p.type_) // 8)
        at = -(-at // alignment) * alignment
        offsets[p.param_name or str(i)] = at
        offsets[f"#{i}"] = at
        at += UNSIZED_ROOM if p.count == UNSIZED else p.size
    return Frame(offsets, -(-at // FRAME_ALIGNMENT) * FRAME_ALIGNMENT)


def opcode_of(op: InstructionOp) -> str:
    """The opcode as spelled in PTX."""
    return f"{op.mnemonic}.{op.mods}" if op.mods else op.mnemonic


def immediate_bits(mnemonic: str, mods: Sequence[str], index: int) -> int:
    """The width of an immediate operand."""
    rule = _IMMEDIATE_BITS.get(mnemonic)
    if rule is not None:
        return rule(mods, index)
    types = [m for m in mods if m in TYPE_BITS]
    if not types:
        return 32
    if mnemonic == "cvt":
        return TYPE_BITS[types[-1]]
    if "wide" in mods and index == 2:
        return 2 * TYPE_BITS[types[-1]]
    if mnemonic in ("lop3", "shf", "prmt", "shfl"):
        return 32
    if mnemonic in ("match",):
        return TYPE_BITS[types[-1]] if index == 0 else 32
    if mnemonic in ("bar", "barrier"):
        return 32
    return TYPE_BITS[types[-1]]
