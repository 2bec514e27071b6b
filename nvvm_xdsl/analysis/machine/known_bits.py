"""Known zero bits of registers, from masks and extensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from xdsl.ir import OpResult, SSAValue

from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, InstructionOp, operand_groups
from nvvm_xdsl.dialects.nvptx.operands import IMMEDIATE_KIND, REGISTER_KIND, Slot, slot_number
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.dialects.nvptx.special_registers import MovSregOp

MAX_DEPTH: Final = 6

SPECIAL_REGISTER_BITS: Final[dict[str, int]] = {
    "tid.x": 10,
    "tid.y": 10,
    "tid.z": 6,
    "ntid.x": 11,
    "ntid.y": 11,
    "ntid.z": 7,
    "ctaid.x": 31,
    "ctaid.y": 16,
    "ctaid.z": 16,
    "nctaid.x": 31,
    "nctaid.y": 16,
    "nctaid.z": 16,
    "laneid": 5,
}
"""Bits of each special register: a block has at most 1024 threads, 64 along z, and a grid 2^31 - 1
by 65535 by 65535 blocks (CUDA C Programming Guide, compute capabilities)."""


def possible_ones(value: SSAValue, depth: int = 0) -> int:
    """A mask of the bits that may be one; bits above a narrower value are zero."""
    everything = (1 << register_class(value).width) - 1
    if not isinstance(value, OpResult) or depth >= MAX_DEPTH:
        return everything
    op = value.op
    if isinstance(op, MovSregOp):
        bits = SPECIAL_REGISTER_BITS.get(op.sreg)
        return everything if bits is None else (1 << bits) - 1
    if (
        not isinstance(op, InstructionOp)
        or GUARD in op.properties
        or op.tied
        or register_class(value).number is not None
    ):
        return everything
    rule = _RULES.get(op.mnemonic)
    return everything if rule is None else rule(op, depth + 1) & everything


def _of(group: tuple[Slot, Any], depth: int) -> int:
    slot, values = group
    if slot[0] == IMMEDIATE_KIND:
        return slot_number(slot)
    # In a sum of a register and a constant, only the register has a mask.
    return possible_ones(values[0], depth) if slot[0] == REGISTER_KIND else -1


def _all_up_to(mask: int) -> int:
    """All bits up to the highest bit of a mask; all bits for a negative number."""
    return -1 if mask < 0 else (1 << mask.bit_length()) - 1


def _load(op: InstructionOp, depth: int) -> int:
    type_ = op.mods.split(".")[-1]
    return (1 << bits_of(type_)) - 1 if type_[0] in "ub" else -1


def _and(op: InstructionOp, depth: int) -> int:
    if op.mods == "pred":
        return -1
    a, b = (_of(group, depth) for group in operand_groups(op))
    return a & b


def _union(op: InstructionOp, depth: int) -> int:
    if op.mods == "pred":
        return -1
    a, b = (_of(group, depth) for group in operand_groups(op))
    return a | b


def _selection(op: InstructionOp, depth: int) -> int:
    a, b, _ = operand_groups(op)
    return _of(a, depth) | _of(b, depth)


def _shift_right(op: InstructionOp, depth: int) -> int:
    value, amount = operand_groups(op)
    if amount[0][0] != IMMEDIATE_KIND or op.mods[0] == "s":
        return -1
    shift = slot_number(amount[0])
    known = _of(value, depth)
    return known >> shift if known >= 0 and shift >= 0 else -1


def _shift_left(op: InstructionOp, depth: int) -> int:
    value, amount = operand_groups(op)
    if amount[0][0] != IMMEDIATE_KIND or not 0 <= slot_number(amount[0]) < 64:
        return -1
    known = _of(value, depth)
    return known << slot_number(amount[0]) if known >= 0 else -1


def _conversion(op: InstructionOp, depth: int) -> int:
    words = op.mods.split(".")
    if len(words) != 2 or words[1][0] != "u" or words[0][0] not in "us":
        return -1
    (group,) = operand_groups(op)
    source = (1 << int(words[1][1:])) - 1
    target = (1 << int(words[0][1:])) - 1
    known = _of(group, depth) & source
    if words[0][0] == "s" and known > target >> 1:
        return -1
    return known & target


def _extraction(op: InstructionOp, depth: int) -> int:
    _, _, length = operand_groups(op)
    if op.mods[0] == "s" or length[0][0] != IMMEDIATE_KIND:
        return -1
    count = slot_number(length[0])
    return (1 << count) - 1 if 0 <= count < 64 else -1


def _copy(op: InstructionOp, depth: int) -> int:
    if len(op.results) != 1:
        return -1
    (group,) = operand_groups(op)
    return _of(group, depth)


def _minimum(op: InstructionOp, depth: int) -> int:
    if op.mods not in ("u16", "u32", "u64"):
        return -1
    known = [_of(group, depth) for group in operand_groups(op)]
    bounds = [_all_up_to(mask) for mask in known if mask >= 0]
    return min(bounds, default=-1)


def _remainder(op: InstructionOp, depth: int) -> int:
    if op.mods[0] != "u":
        return -1
    dividend, divisor = operand_groups(op)
    number = _of(divisor, depth) if divisor[0][0] == IMMEDIATE_KIND else 0
    bound = _all_up_to(_of(dividend, depth))
    return (1 << (number - 1).bit_length()) - 1 if number > 0 else bound


def _count(op: InstructionOp, depth: int) -> int:
    return (1 << (bits_of(op.mods)).bit_length()) - 1


_RULES: Final[dict[str, Callable[[InstructionOp, int], int]]] = {
    "ld": _load,
    "ld.global.nc": _load,
    "and": _and,
    "or": _union,
    "xor": _union,
    "selp": _selection,
    "shr": _shift_right,
    "shl": _shift_left,
    "cvt": _conversion,
    "bfe": _extraction,
    "mov": _copy,
    "min": _minimum,
    "rem": _remainder,
    "popc": _count,
    "clz": _count,
}
"""By mnemonic; -1 represents all bits."""
