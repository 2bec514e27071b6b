"""Tail merging: hashes, common tails, live-ins, and the four conditions for a merge.

Document 001, "HashEndOfMBB", "ComputeCommonTailLength", "The Check in Context".
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.machine.memory_accesses import ALIGN, stated_alignment
from nvvm_xdsl.dialects.nvptx.calls import InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import (
    UNIFORM,
    BraOp,
    BrxOp,
    CbraOp,
    PragmaOp,
    TerminatorOp,
)
from nvvm_xdsl.dialects.nvptx.flags import CARRY, CONVERGENT
from nvvm_xdsl.dialects.nvptx.functions import LocalOp
from nvvm_xdsl.dialects.nvptx.instructions import LAYOUT, InstructionOp, flags_of
from nvvm_xdsl.dialects.nvptx.operands import IMMEDIATE_KIND, OperandsAttr, slot_number
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.dialects.nvptx.special_registers import (
    RESERVED_REGISTERS,
    MovSregOp,
    RegisterOp,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import merged_location
from nvvm_xdsl.ir.types import I64, int_attr
from nvvm_xdsl.passes.machine.base import symbols_of

HASH_MULTIPLIER: Final = 37
_MASK: Final = (1 << 32) - 1

UNCONDITIONAL: Final = 0
FALLTHROUGH: Final = 1
CONDITIONAL: Final = 2

STACK_POINTER: Final = "SPL"
"""The reserved register that an access to the thread's own variables counts from."""


# Hashes


def opcode_of(op: Operation) -> int:
    """A number for an instruction's mnemonic and modifiers, the same in every run."""
    text = op.name
    if isinstance(op, InstructionOp):
        text = f"{op.name}.{op.mods}"
    elif isinstance(op, MovSregOp):
        text = f"{op.name}.{op.sreg}"
    return zlib.crc32(text.encode())


def _hash_of_register(value: SSAValue) -> int:
    """A register's number, its class for one that has none yet.

    Values without a number hash alike: two instructions that turn out to be identical may
    define or use different ones, and a hash must never tell identical instructions apart.
    """
    type_ = register_class(value)
    return zlib.crc32(type_.name.encode()) ^ (type_.data & _MASK)


def hash_machine_instr(op: Operation) -> int:
    """HashMachineInstr: opcode, number of operands, and the first two of them."""
    operands = [_hash_of_register(result) for result in op.results]
    if LAYOUT in op.properties:
        values = iter(fast.operands_of(op))
        for slot in cast(OperandsAttr, op.properties[LAYOUT]).data:
            if slot[0] == IMMEDIATE_KIND:
                operands.append(slot_number(slot))
            else:
                value = next(values, None)
                operands.append(0 if value is None else _hash_of_register(value))
    else:
        operands.extend(_hash_of_register(value) for value in fast.operands_of(op))
    found = opcode_of(op)
    found = (found * HASH_MULTIPLIER + len(operands)) & _MASK
    for operand in operands[:2]:
        found = (found * HASH_MULTIPLIER + operand) & _MASK
    return found


def hash_end_of_block(block: Block) -> int:
    """HashEndOfMBB: the hash of the last instruction that is no terminator, 0 without one."""
    for op in fast.reversed_ops_of(block):
        if not isinstance(op, TerminatorOp):
            return hash_machine_instr(op)
    return 0


# Branches


def priority_of(block: Block) -> int:
    """How a block ends: 0 unconditional branch, 1 fallthrough, 2 conditional branch."""
    last = block.last_op
    if isinstance(last, CbraOp):
        return CONDITIONAL
    if isinstance(last, BraOp) and fast.successors_of(last)[0] is block.next_block:
        return FALLTHROUGH
    return UNCONDITIONAL


def is_analyzable(block: Block) -> bool:
    """Whether branch analysis understands the block's end: not a jump through a table."""
    last = block.last_op
    return isinstance(last, TerminatorOp) and not isinstance(last, BrxOp)


# Common tails


def is_mergeable(op: Operation) -> bool:
    """Whether two copies of an op may become one.

    Inline assembly may hold labels; convergence markers and instructions that depend on which
    threads meet at them belong to their own place; the condition code register is no operand
    that could be compared. A branch that is uniform among the threads of either block need not be
    so among those of both.
    """
    if isinstance(op, (InlineAsmOp, PragmaOp, RegisterOp, LocalOp)) or UNIFORM in op.properties:
        return False
    return not flags_of(op) & (CONVERGENT | CARRY)


def merge_facts(kept: Operation, lost: Operation) -> None:
    """Makes an op say only what is true of another, too, that it shall stand for.

    Of two alignments the lower holds at both places (LLVM's `mergeMemOperands`); other facts in
    discardable attributes hold where both state them.
    """
    kept.location = merged_location(kept.location, lost.location)
    for name, value in list(kept.attributes.items()):
        other = lost.attributes.get(name)
        if other == value:
            continue
        if name == ALIGN and other is not None:
            kept.attributes[name] = int_attr(
                min(stated_alignment(kept), stated_alignment(lost)), I64
            )
        else:
            del kept.attributes[name]


@dataclass
class Tail:
    """The common end of two blocks, its ops in order for each."""

    first: list[Operation]
    second: list[Operation]
    compared: int = 0
    """Instructions that were compared to find it."""

    @property
    def length(self) -> int:
        """The number of instructions, the terminator counted where it is part of the tail."""
        return len(self.first)


def comparable_ops(block: Block) -> list[Operation]:
    """The ops of a block that a tail may take in, in order.

    An unconditional branch is not among them: both blocks branch to the same successor, and the
    tail will.
    """
    ops = list(fast.ops_of(block))
    if ops and isinstance(ops[-1], BraOp):
        ops.pop()
    return ops


def common_tail(first: Block, second: Block) -> Tail:
    """ComputeCommonTailLength: the longest common end of two blocks.

    Walks backwards, so whether operands agree is settled when the instructions that define them
    are met: a value defined in the tail of one must be defined at the same place of the other's.
    """
    a, b = comparable_ops(first), comparable_ops(second)
    tail = Tail([], [])
    # What must turn out to be the same value, by the value of the first block.
    pending: dict[SSAValue, SSAValue] = {}
    good = 0
    while len(tail.first) < min(len(a), len(b)):
        op, other = a[-1 - len(tail.first)], b[-1 - len(tail.second)]
        if not is_mergeable(op) or not is_mergeable(other) or not _same_shape(op, other):
            break
        wrong = False
        for mine, theirs in zip(op.results, other.results):
            wanted = pending.pop(mine, None)
            if wanted is not None and wanted is not theirs:
                wrong = True
        if wrong or not _agree(fast.operands_of(op), fast.operands_of(other), pending):
            break
        tail.first.append(op)
        tail.second.append(other)
        if not pending:
            good = len(tail.first)
    compared = len(tail.first)
    # Values that differ and are defined in front of both tails end them.
    tail.first = tail.first[:good][::-1]
    tail.second = tail.second[:good][::-1]
    while tail.first and not (
        _results_stay_inside(tail.first) and _results_stay_inside(tail.second)
    ):
        # Without its first instruction the tail must still be closed.
        tail = _shorter(tail)
    tail.compared = compared
    return tail


def _agree(
    mine: Sequence[SSAValue], theirs: Sequence[SSAValue], pending: dict[SSAValue, SSAValue]
) -> bool:
    for a, b in zip(mine, theirs):
        if a is b:
            if pending.get(a, b) is not b:
                return False
            continue
        if not isinstance(a, OpResult) or not isinstance(b, OpResult):
            return False
        if a.type is not b.type or pending.setdefault(a, b) is not b:
            return False
    return len(set(pending.values())) == len(pending)


def _same_shape(op: Operation, other: Operation) -> bool:
    """Whether two ops are the same but for the values that they use and define.

    What is known of their memory (discardable attributes) is not compared.
    """
    return (
        op.__class__ is other.__class__
        and op.properties == other.properties
        and len(fast.operands_of(op)) == len(fast.operands_of(other))
        and [r.type for r in op.results] == [r.type for r in other.results]
        and tuple(fast.successors_of(op)) == tuple(fast.successors_of(other))
    )


def _results_stay_inside(ops: Sequence[Operation]) -> bool:
    inside = {id(op) for op in ops}
    return all(
        id(user) in inside for op in ops for result in op.results for user in fast.users_of(result)
    )


def _shorter(tail: Tail) -> Tail:
    """The longest closed tail without the first instruction."""
    first, second = tail.first[1:], tail.second[1:]
    while first:
        inside = {id(op) for op in first}
        others = {id(op) for op in second}
        if all(
            a is b or (id(a.owner) in inside and id(b.owner) in others)
            for x, y in zip(first, second)
            for a, b in zip(fast.operands_of(x), fast.operands_of(y))
        ):
            break
        first, second = first[1:], second[1:]
    return Tail(first, second)


# Live-ins


def upward_exposed_uses(ops: Sequence[Operation]) -> set[SSAValue | str]:
    """What the ops use and do not define: values, and reserved registers by name.

    A special register has no instruction that defines it, so every read is exposed; so is the
    stack pointer, which accesses to the thread's own variables count from.
    """
    defined: set[SSAValue] = set()
    locals_: set[str] = set()
    found: set[SSAValue | str] = set()
    if ops:
        locals_ = _local_symbols(ops[0])
    for op in ops:
        found.update(v for v in fast.operands_of(op) if v not in defined)
        if isinstance(op, MovSregOp):
            found.add(op.sreg)
        if any(name in locals_ for name in symbols_of(op)):
            found.add(STACK_POINTER)
        defined.update(op.results)
    return found


def _local_symbols(op: Operation) -> set[str]:
    block = op.parent
    region = block.parent if block is not None else None
    if region is None or region.first_block is None:
        return set()
    return {o.symbol for o in fast.ops_of(region.first_block) if isinstance(o, LocalOp)}


def is_reserved(register: SSAValue | str) -> bool:
    """Whether a live-in is a reserved register (the property 0x200)."""
    return isinstance(register, str) and register in RESERVED_REGISTERS


def compute_live_ins(ops: Sequence[Operation]) -> set[SSAValue]:
    """computeLiveIns: the live-ins of a block, reserved registers filtered out once more."""
    return {
        register
        for register in upward_exposed_uses(ops)
        if not isinstance(register, str) and not is_reserved(register)
    }


@dataclass(frozen=True)
class Verdict:
    """Whether two blocks may be merged; `gate` is the number of the gate that refused, or 0."""

    gate: int
    tail: Tail

    @property
    def accepted(self) -> bool:
        """Whether all four gates are open."""
        return self.gate == 0


def merge_decision(first: Block, second: Block, minimum: int) -> Verdict:
    """MergeDecision: the gates in their documented order."""
    tail = common_tail(first, second)
    if tail.length < minimum:
        return Verdict(1, tail)
    if not is_analyzable(first) or not is_analyzable(second):
        return Verdict(2, tail)
    exposed = upward_exposed_uses(tail.first) | upward_exposed_uses(tail.second)
    if any(is_reserved(register) for register in exposed):
        return Verdict(3, tail)
    # One branch to the tail; one more if the first block's own branch must be rewritten.
    overhead = 1 + (priority_of(first) == CONDITIONAL)
    if tail.length <= overhead:
        return Verdict(4, tail)
    return Verdict(0, tail)
