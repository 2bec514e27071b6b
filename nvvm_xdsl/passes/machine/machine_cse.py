"""Common subexpression elimination: an instruction computed before on every path is not again.

    %a = nvptx.mul lo.s32 %x, %y
    ...                                  dominated by %a
    %b = nvptx.mul lo.s32 %y, %x         %b is %a

Instructions without effects count, and loads from memory that nothing writes (parameters, the
constant space, ld.global.nc): executing the first instead of the second reads the same. Those
that make a constant are reused within their block only, since a register that holds one across
blocks costs more than making it again.

The walk goes down the dominator tree with a table of what is available; operands of commutative
instructions are put in one order.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.dominators import DominatorTree
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
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, InstructionOp, op_class
from nvvm_xdsl.dialects.nvptx.operands import REG
from nvvm_xdsl.dialects.nvptx.registers import RegisterClass
from nvvm_xdsl.dialects.nvptx.special_registers import MovSregOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass

_MOV = op_class("mov")
_UNSAFE = WRITES | SIDE_EFFECTS | CONVERGENT | CARRY


@dataclass(frozen=True)
class MachineCSE(MachineFunctionPass):
    """Machine common subexpression elimination."""

    name = "machine-cse"
    title: ClassVar[str] = "MachineCSE"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        available: dict[Hashable, Operation] = {}
        changed = False
        tree = am.get(DominatorTree, func)
        # Entering a block, and leaving it with what was put into the table there.
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
                if known is not None and (not is_constant(op) or known.parent is item):
                    fast.replace_op(op, known.results)
                    changed = True
                else:
                    undo.append((key, known))
                    available[key] = op
            stack.extend(tree.children(item))
        return changed


def key_of(op: Operation) -> Hashable | None:
    """What two instructions have in common that compute the same, None if none may be reused."""
    cls = op.__class__
    if cls is MovSregOp:
        return None if cast(MovSregOp, op).flags_here() & SIDE_EFFECTS else op.properties["sreg"]
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
        if cast(RegisterClass, value.type).number is not None:
            return None
    layout = properties.get("layout")
    if flags & COMMUTATIVE and len(operands) >= 2 and operands[0] > operands[1]:
        slots = op.slots
        if slots[0] is REG and slots[1] is REG:
            operands[0], operands[1] = operands[1], operands[0]
    return (cls, properties["mods"], layout, tuple(operands), tuple(types))


def is_constant(op: Operation) -> bool:
    """Whether an op only makes an immediate or an address available."""
    return op.__class__ is _MOV and not fast.operands_of(op)
