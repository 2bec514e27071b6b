"""Tail merging: hashes, common tails, and the four conditions for a merge.

Document 001, "HashEndOfMBB", "ComputeCommonTailLength", "The Check in Context".
"""

from __future__ import annotations

import zlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, cast

from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.machine.memory_accesses import ALIGN, stated_alignment
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
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
from nvvm_xdsl.dialects.nvptx.functions import FuncOp, LocalOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, flags_of, stated_slots
from nvvm_xdsl.dialects.nvptx.operands import IMMEDIATE_KIND, slot_number
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.dialects.nvptx.special_registers import RESERVED_REGISTERS, MovSregOp, RegisterOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.equality import shape_of
from nvvm_xdsl.ir.locations import merged_location
from nvvm_xdsl.passes.machine.base import symbols_of

HASH_MULTIPLIER: Final = 37
_MASK: Final = (1 << 32) - 1

UNCONDITIONAL: Final = 0
FALLTHROUGH: Final = 1
CONDITIONAL: Final = 2

STACK_POINTER: Final = "SPL"
"""The reserved register that is the base of accesses to variables of the stack frame."""


# Hashes


def opcode_of(op: Operation) -> int:
    """A number for an instruction's mnemonic and modifiers that is the same in every run."""
    text = op.name
    if isinstance(op, InstructionOp):
        text = f"{op.name}.{op.mods}"
    elif isinstance(op, MovSregOp):
        text = f"{op.name}.{op.sreg}"
    return zlib.crc32(text.encode())


def _hash_of_register(value: SSAValue) -> int:
    """The number of a register, or its class if it has no number.

    All values without a number have the same hash, because identical instructions may use different
    values, and identical instructions must have equal hashes.
    """
    type_ = register_class(value)
    return zlib.crc32(type_.name.encode()) ^ (type_.data & _MASK)


def hash_machine_instr(op: Operation) -> int:
    """HashMachineInstr: opcode, number of operands, and the first two of them."""
    operands = [_hash_of_register(result) for result in op.results]
    if slots := stated_slots(op):
        values = iter(fast.operands_of(op))
        for slot in slots:
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
    """HashEndOfMBB: the hash of the last instruction that is not a terminator; 0 if the block has
    none.
    """
    for op in fast.reversed_ops_of(block):
        if not isinstance(op, TerminatorOp):
            return hash_machine_instr(op)
    return 0


# Branches


def priority_of(block: Block) -> int:
    """The kind of a block's end: 0 unconditional branch, 1 fallthrough, 2 conditional branch."""
    last = block.last_op
    if isinstance(last, CbraOp):
        return CONDITIONAL
    if isinstance(last, BraOp) and fast.successors_of(last)[0] is block.next_block:
        return FALLTHROUGH
    return UNCONDITIONAL


def is_analyzable(block: Block) -> bool:
    """Returns True if branch analysis supports the block's terminator: anything but a jump
    table.
    """
    last = block.last_op
    return isinstance(last, TerminatorOp) and not isinstance(last, BrxOp)


# Common tails


def is_mergeable(op: Operation) -> bool:
    """Returns True if two copies of an op may become one.

    Inline assembly may contain labels. Convergence markers, and instructions that depend on the set
    of converged threads, must stay in place. Uses of the condition code register cannot be
    compared, because it is not an operand. A branch that is uniform in both blocks need not be
    uniform after merging.
    """
    if isinstance(op, (InlineAsmOp, PragmaOp, RegisterOp, LocalOp)) or UNIFORM in op.properties:
        return False
    return not flags_of(op) & (CONVERGENT | CARRY)


def merge_facts(kept: Operation, lost: Operation) -> None:
    """Restricts an op's attributes to those that also hold for the op that it replaces.

    The lower of two alignments is kept (LLVM's `mergeMemOperands`); other facts in discardable
    attributes are kept if both ops state them.
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


@dataclass(frozen=True)
class Tail:
    """The common tail of two blocks, as the ops of the first and of the second block, in order.

    Arguments:
        reserved: whether a reserved register (`is_reserved`) is live into the tail.
    """

    first: list[Operation]
    second: list[Operation]
    reserved: bool

    @property
    def length(self) -> int:
        """The number of instructions, including the terminator if it is part of the tail."""
        return len(self.first)


@dataclass
class _End:
    """The longest end of a block that may be part of a common tail.

    Arguments:
        ops: the ops in reverse order.
        nodes: for each length, a number that is equal for two blocks if their tails of that length
            are equal.
        closed: for each length, the length of the longest tail up to it that uses no value defined
            earlier in the block.
        free: the length of the longest tail into which no reserved register is live.
    """

    ops: list[Operation]
    nodes: list[int]
    closed: list[int]
    free: int


class CommonTails:
    """ComputeCommonTailLength: the longest common tails of the blocks of a function, by pairs.

    The tail of each block is encoded once, from its last op backwards, with a number for each
    length. A binary search then finds the longest equal tails of a pair. An operand is encoded as
    the position of its defining op if that is in the block and has no uses outside, else by
    identity. Values defined in one tail thus correspond to values defined at the same position of
    the other.
    """

    def __init__(self, local_symbols: Collection[str] = ()) -> None:
        self._locals = local_symbols
        self._ends: dict[Block, _End] = {}
        self._numbers: dict[tuple[object, ...], int] = {}

    def forget(self, *blocks: Block) -> None:
        """Invalidates the cached tails of changed blocks; of all blocks if none is given."""
        if not blocks:
            self._ends.clear()
        for block in blocks:
            self._ends.pop(block, None)

    def between(self, first: Block, second: Block) -> Tail:
        """The longest common tail of two blocks."""
        one, other = self._end_of(first), self._end_of(second)
        least, most = 0, min(len(one.nodes), len(other.nodes)) - 1
        while least < most:
            middle = (least + most + 1) // 2
            if one.nodes[middle] == other.nodes[middle]:
                least = middle
            else:
                most = middle - 1
        length = one.closed[least]
        return Tail(
            one.ops[:length][::-1], other.ops[:length][::-1], length > min(one.free, other.free)
        )

    def _end_of(self, block: Block) -> _End:
        found = self._ends.get(block)
        if found is None:
            found = self._ends[block] = self._described(block)
        return found

    def _described(self, block: Block) -> _End:
        ops = list(fast.reversed_ops_of(block))
        if ops and isinstance(ops[0], BraOp):
            # The branch is not part of the tail: the shared block will branch to the common
            # successor.
            ops.pop(0)
        places = {op: place for place, op in enumerate(ops)}
        inside = [_results_are_used_later_in_block(op, places) for op in ops]
        end = _End([], [0], [0], len(ops))
        deepest = -1
        for place, op in enumerate(ops):
            if not inside[place] or not is_mergeable(op):
                break
            operands: list[object] = []
            for value in fast.operands_of(op):
                owner = places.get(value.op) if isinstance(value, OpResult) else None
                if owner is not None and inside[owner]:
                    operands.append((owner, cast(OpResult, value).index))
                    deepest = max(deepest, owner)
                else:
                    operands.append(value)
            key = (end.nodes[-1], shape_of(op), *fast.successors_of(op), *operands)
            end.nodes.append(self._numbers.setdefault(key, len(self._numbers) + 1))
            end.closed.append(place + 1 if deepest <= place else end.closed[-1])
            end.ops.append(op)
            if place < end.free and self._reads_reserved_register(op):
                end.free = place
        return end

    def _reads_reserved_register(self, op: Operation) -> bool:
        """Returns True if a reserved register is live into each tail that has the op.

        No instruction defines a special register, so it is live into each tail that reads it. The
        same holds for the stack pointer, which is the base of accesses to variables of the stack
        frame.
        """
        if isinstance(op, MovSregOp):
            return is_reserved(op.sreg)
        if self._locals and any(name in self._locals for name in symbols_of(op)):
            return is_reserved(STACK_POINTER)
        return False


def _results_are_used_later_in_block(op: Operation, places: dict[Operation, int]) -> bool:
    """Returns True if only later ops of the same block use the results of an op."""
    place = places[op]
    return all(
        places.get(user, place) < place for result in op.results for user in fast.users_of(result)
    )


def local_symbols(func: FuncOp) -> frozenset[str]:
    """The names of the variables in a function's stack frame."""
    first = func.body.blocks.first
    if first is None:
        return frozenset()
    return frozenset(o.symbol for o in fast.ops_of(first) if isinstance(o, LocalOp))


def is_reserved(register: str) -> bool:
    """Returns True if a register is reserved (the property 0x200)."""
    return register in RESERVED_REGISTERS


@dataclass(frozen=True)
class Verdict:
    """Whether two blocks may be merged; `gate` is the number of the failed condition, or 0."""

    gate: int
    tail: Tail

    @property
    def accepted(self) -> bool:
        """True if all four conditions hold."""
        return self.gate == 0


def merge_decision(first: Block, second: Block, minimum: int, tails: CommonTails) -> Verdict:
    """MergeDecision: the conditions in their documented order."""
    tail = tails.between(first, second)
    if tail.length < minimum:
        return Verdict(1, tail)
    if not is_analyzable(first) or not is_analyzable(second):
        return Verdict(2, tail)
    if tail.reserved:
        return Verdict(3, tail)
    # One branch to the tail, and one more if the first block ends in a conditional branch.
    overhead = 1 + (priority_of(first) == CONDITIONAL)
    if tail.length <= overhead:
        return Verdict(4, tail)
    return Verdict(0, tail)
