"""Common subexpression elimination: reuses values of equal dominating instructions.

    %a = nvptx.mul lo.s32 %x, %y
    ...                                  dominated by %a
    %b = nvptx.mul lo.s32 %y, %x         %b is %a

Candidates are instructions without effects and loads from memory that is never written (parameters,
the constant space, ld.global.nc): both executions read the same value. Instructions that create a
constant are reused only within their block, because keeping a constant in a register across blocks
costs more than creating it again. The address of a symbol may be reused: from sm_90 on, the address
of a shared variable takes three machine instructions. Reuse across blocks extends live ranges,
which doubled ptxas's registers in code with many similar address computations in consecutive
blocks. With rp-aware-mcse (default true) reuse therefore stops when the function's register
pressure exceeds `register-limit`, or has grown by 8. If the kernel's launch bounds or
`-maxrregcount` leave fewer registers, they are the limit.

The walk follows the dominator tree with a table of available values; operands of commutative
instructions are sorted.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure, registers_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.flags import (
    CARRY,
    COMMUTATIVE,
    CONVERGENT,
    INVARIANT,
    PURE,
    READS,
    SIDE_EFFECTS,
    WRITES,
)
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, InstructionOp, flags_of
from nvvm_xdsl.dialects.nvptx.operands import REG
from nvvm_xdsl.dialects.nvptx.registers import RegisterClass, register_class
from nvvm_xdsl.dialects.nvptx.special_registers import MovSregOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, is_constant_move, register_target

_UNSAFE = WRITES | SIDE_EFFECTS | CONVERGENT | CARRY

REGISTER_LIMIT: Final = 64
"""Registers per thread of an SM with 65,536 registers that executes one block of 1,024 threads, the
maximum."""

LEAST_GROWTH: Final = 8
"""Register growth that is always permitted: the allocation granularity."""


@dataclass(frozen=True)
class MachineCSE(MachineFunctionPass):
    """Machine common subexpression elimination."""

    name = "machine-cse"
    title: ClassVar[str] = "MachineCSE"

    rp_aware_mcse: bool = True
    """Whether the registers for reuse across blocks are limited."""

    register_limit: int = REGISTER_LIMIT
    """Maximum number of live 32-bit registers up to which values are reused across blocks."""

    maxrregcount: int = 0
    """The limit for kernels whose directives state none, in registers; 0 for none."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        available: dict[Hashable, Operation] = {}
        changed = False
        tree = am.get(DominatorTree, func)
        ranges = (
            _Ranges(am.get(RegisterPressure, func), self._room(func, am))
            if self.rp_aware_mcse
            else None
        )
        # The scopes of the dominating blocks in the table of available values.
        first = func.body.blocks.first
        assert first is not None
        stack: list[Block | list[tuple[Hashable, Operation | None]]] = [first]
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                for key, before in reversed(item):
                    if before is None:
                        del available[key]
                    else:
                        available[key] = before
                continue
            undo: list[tuple[Hashable, Operation | None]] = []
            stack.append(undo)
            for op in fast.ops_of(item):
                key = key_of(op)
                if key is None:
                    continue
                known = available.get(key)
                if known is not None and (
                    known.parent is item
                    or (
                        not is_constant_move(op)
                        and (ranges is None or ranges.may_grow(known, item))
                    )
                ):
                    fast.replace_op(op, known.results)
                    changed = True
                else:
                    undo.append((key, known))
                    available[key] = op
            stack.extend(tree.children(item))
        return changed

    def _room(self, func: FuncOp, am: AnalysisManager) -> int:
        """The number of registers by which reuse may increase the pressure."""
        live = am.get(RegisterPressure, func).registers
        stated = register_target(func) or self.maxrregcount
        if stated and stated < self.register_limit:
            return stated - live
        return max(self.register_limit - live, LEAST_GROWTH)


class _Ranges:
    """Limits the extension of live ranges into other blocks by reuse."""

    def __init__(self, pressure: RegisterPressure, room: int) -> None:
        self._pressure = pressure
        self._left = room
        self._grown: set[Operation] = set()

    def may_grow(self, known: Operation, block: Block) -> bool:
        """Returns True if an instruction's results may be reused in a block; then records the
        longer live ranges.
        """
        liveness = self._pressure.liveness
        if known in self._grown or all(liveness.is_live_in(r, block) for r in known.results):
            return True
        cost = sum(registers_of(self._pressure.costs.of_value(r)) for r in known.results)
        if cost > self._left:
            return False
        self._left -= cost
        self._grown.add(known)
        return True


def key_of(op: Operation) -> Hashable | None:
    """A key that is equal for instructions that compute the same value; None if the instruction
    must not be reused."""
    cls = type(op)
    if cls is MovSregOp:
        return None if flags_of(op) & SIDE_EFFECTS else op.properties["sreg"]
    if not isinstance(op, InstructionOp) or not op.results:
        return None
    flags = op.flags_here()
    if flags & _UNSAFE or not (flags & PURE or flags & (READS | INVARIANT) == READS | INVARIANT):
        return None
    properties: Any = op.properties
    if GUARD in properties or op.row.tied:
        return None
    types: list[Any] = []
    for result in op.results:
        type_ = result.type
        if cast(RegisterClass, type_).number is not None:
            return None
        types.append(type_)
    operands = [id(value) for value in fast.operands_of(op)]
    for value in fast.operands_of(op):
        if register_class(value).number is not None:
            return None
    layout = properties.get("layout")
    if flags & COMMUTATIVE and len(operands) >= 2 and operands[0] > operands[1]:
        slots = op.slots
        if slots[0] is REG and slots[1] is REG:
            operands[0], operands[1] = operands[1], operands[0]
    return (cls, properties["mods"], layout, tuple(operands), tuple(types))
