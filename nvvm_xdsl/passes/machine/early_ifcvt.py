"""Turns short branches into predicated instructions and selections.

    ^head:                                    ^head:
      nvptx.cbra %c, ^then, ^join(%x)           nvptx.st global.b32 [%p], %v if %c
    ^then:                             ->       %a = nvptx.add s32 %x, 1
      nvptx.st global.b32 [%p], %v              %s = nvptx.selp b32 %a, %x, %c
      %a = nvptx.add s32 %x, 1                  nvptx.bra ^join(%s)
      nvptx.bra ^join(%a)

LLVM's EarlyIfConversion of triangles and diamonds. When threads of a warp diverge, both sides are
executed one after the other, and divergence and reconvergence cost instructions, too; for few
instructions predicates are cheaper. Speculatable instructions are executed by all threads. Loads
and stores are guarded by the branch's predicate, so that the same threads access memory. Values
that the sides pass to the join block are selected with `selp`, which has no form for predicates. A
branch is not converted if it is known to be uniform, if a side passes a predicate or has other
predecessors, or if a side has a convergent or ordered instruction (volatile and atomic accesses,
calls, barriers).

Selections and speculated values are live at the same time: a branch is converted only while the
estimated register pressure in its block stays within `register-limit`.

Runs in SSA form, inner branches first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.machine.expansion import machine_instructions
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure, registers_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import (
    UNIFORM,
    BraOp,
    CbraOp,
    TerminatorOp,
    branch,
    branch_of,
)
from nvvm_xdsl.dialects.nvptx.flags import CARRY, CONVERGENT, SIDE_EFFECTS, TERMINATOR
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import (
    GUARD,
    GUARD_FALSE,
    GUARD_TRUE,
    InstructionOp,
    build,
    flags_of,
)
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, shares_registers
from nvvm_xdsl.passes.machine.motion import is_movable, is_speculatable

MAX_INSTRUCTIONS: Final = 6
"""Maximum number of machine instructions of both sides, including the selections."""

REGISTER_LIMIT: Final = 32
"""Registers per thread of an SM with 65,536 registers and 2,048 threads."""

_FIXED: Final = SIDE_EFFECTS | CONVERGENT | CARRY | TERMINATOR
_LONGEST_SELECTION: Final = 64


CONVERTED: Final = Statistic("early-ifcvt", "converted", "Number of branches if-converted")


@dataclass(frozen=True)
class EarlyIfConverter(MachineFunctionPass):
    """Early if-conversion."""

    name = "early-ifcvt"
    title: ClassVar[str] = "EarlyIfConverter"

    max_instructions: int = MAX_INSTRUCTIONS
    """Maximum number of machine instructions of both sides and of the selections."""

    register_limit: int = REGISTER_LIMIT
    """Maximum number of 32-bit registers that a conversion may make live in a block."""

    predicates_memory: bool = False
    """Whether branches around loads and stores are converted; the accesses are then guarded. ptxas
    predicates them itself, and the result of a guarded load costs additional registers and
    moves."""

    ifcvt_branch_fold: bool = True
    """Whether the join block is merged into the branch block if it has no other predecessors
    (document 001).
    """

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if shares_registers(func):
            return False
        converter = _Converter(self, am.get(RegisterPressure, func))
        changed = False
        for block in am.get(CFG, func).post_order_blocks():
            while converter.convert(block):
                CONVERTED.add()
                changed = True
        return changed


@dataclass(frozen=True)
class _Side:
    """One side of a branch: its block (None if the edge leads to the join block), and the values
    that it passes to the join block."""

    block: Block | None
    values: tuple[SSAValue, ...]


class _Converter:
    def __init__(self, options: EarlyIfConverter, pressure: RegisterPressure) -> None:
        self.options = options
        self.live = {
            block: found.registers for block, found in zip(pressure.cfg.blocks, pressure.blocks)
        }
        self.cost = pressure.costs.of

    def convert(self, block: Block) -> bool:
        """Converts a block's branch; returns whether it could be converted."""
        last = block.last_op
        if not isinstance(last, CbraOp) or UNIFORM in last.properties:
            return False
        then_block, else_block = fast.successors_of(last)
        join = _join_of(block, then_block, else_block)
        if join is None:
            return False
        sides = [self._side(edge, join) for edge in last.edges]
        blocks = [side.block for side in sides if side.block is not None]
        chosen = [i for i, (a, b) in enumerate(zip(sides[0].values, sides[1].values)) if a is not b]
        ops = [op for b in blocks for op in fast.ops_of(b) if not isinstance(op, TerminatorOp)]
        # A division expands to many instructions, which only the threads that use its result should
        # execute.
        length = sum(map(machine_instructions, ops)) + len(chosen)
        if length > self.options.max_instructions:
            return False
        if not all(map(self._may_be_predicated, ops)):
            return False
        types = [register_class(join.args[i]) for i in chosen]
        if any(t.width == 1 or t.width > _LONGEST_SELECTION for t in types):
            return False
        made = [*types, *(r.type for op in ops for r in op.results)]
        growth = sum(registers_of(self.cost(type_)) for type_ in made)
        if self.live[block] + growth > self.options.register_limit:
            return False
        self.live[block] += growth
        self._rewrite(last, join, sides, chosen)
        if self.options.ifcvt_branch_fold and fast.single_predecessor(join) is block:
            self._append(block, join)
        return True

    def _append(self, block: Block, join: Block) -> None:
        """Merges the join block into the block if that is its only predecessor."""
        last = branch_of(block)
        ((_, values),) = last.edges
        for argument, value in zip(join.args, values):
            fast.replace_all_uses(argument, value)
        fast.erase(last)
        fast.splice_ops(join, block)
        fast.detach_block(join)
        self.live[block] = max(self.live[block], self.live[join])

    @staticmethod
    def _side(edge: tuple[Block, tuple[SSAValue, ...]], join: Block) -> _Side:
        target, values = edge
        if target is join:
            return _Side(None, values)
        given: dict[SSAValue, SSAValue] = dict(zip(target.args, values))
        ((_, passed),) = branch_of(target).edges
        return _Side(target, tuple(given.get(v, v) for v in passed))

    def _may_be_predicated(self, op: Operation) -> bool:
        if is_movable(op) and is_speculatable(op):
            return True
        if not self.options.predicates_memory or flags_of(op) & _FIXED:
            return False
        return isinstance(op, InstructionOp) and not op.row.tied and GUARD not in op.properties

    def _rewrite(
        self, last: CbraOp, join: Block, sides: Sequence[_Side], chosen: Sequence[int]
    ) -> None:
        condition = fast.operands_of(last)[0]
        values = list(sides[0].values)
        for (target, given), side, guard in zip(last.edges, sides, (GUARD_TRUE, GUARD_FALSE)):
            if side.block is None:
                continue
            for argument, value in zip(target.args, given):
                fast.replace_all_uses(argument, value)
            for op in fast.ops_of(target):
                if isinstance(op, TerminatorOp):
                    fast.erase(op)
                    continue
                fast.move_before(op, last)
                if not (is_movable(op) and is_speculatable(op)):
                    fast.set_operands(op, (*fast.operands_of(op), condition))
                    op.properties[GUARD] = guard
        for index in chosen:
            pair = (sides[0].values[index], sides[1].values[index])
            register = register_class(join.args[index])
            made = build("selp", register.ptx_type, (*pair, condition), (register,))
            fast.insert_before(made, last)
            values[index] = made.results[0]
        fast.insert_before(branch(join, values), last)
        fast.erase(last)
        for side in sides:
            if side.block is not None:
                fast.detach_block(side.block)


def _join_of(block: Block, then_block: Block, else_block: Block) -> Block | None:
    """The join block of a triangle or diamond."""
    after_then, after_else = _only_successor(block, then_block), _only_successor(block, else_block)
    if after_then in (else_block, after_else):
        return after_then if after_then is not then_block else None
    return then_block if after_else is then_block else None


def _only_successor(block: Block, side: Block) -> Block | None:
    """The target of a side that only the branch leads to."""
    last = side.last_op
    if not isinstance(last, BraOp) or fast.single_predecessor(side) is not block:
        return None
    (target,) = fast.successors_of(last)
    return None if target is side else target


__all__ = ["MAX_INSTRUCTIONS", "EarlyIfConverter"]
