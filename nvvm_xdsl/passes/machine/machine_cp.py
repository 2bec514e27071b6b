"""Copy propagation: replaces uses of a copy with its source.

    %b = nvptx.mov b32 %a                 %b is %a
    %f = nvptx.mov b32 %a : b32 -> f32
    %c = nvptx.mov b32 %f : f32 -> b32    %c is %a: the conversions cancel

In SSA form a register is written once, so the source still has its value at each use of the copy.
Copies between register classes remain, because they change a register's type in PTX.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import OpResult, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import MOV
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, LAYOUT
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass


@dataclass(frozen=True)
class MachineCopyPropagation(MachineFunctionPass):
    """Machine copy propagation."""

    name = "machine-cp"
    title: ClassVar[str] = "MachineCopyPropagation"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        for block in fast.blocks_of(func.body):
            for op in fast.ops_of(block):
                if type(op) is not MOV:
                    continue
                source = copied_value(op.results[0]) if len(op.results) == 1 else None
                if source is None:
                    continue
                result = op.results[0]
                before = copied_value(source)
                while source.type is not result.type and before is not None:
                    source, before = before, copied_value(before)
                if source.type is result.type:
                    fast.replace_op(op, (source,))
                    changed = True
        return changed


def copied_value(value: SSAValue) -> SSAValue | None:
    """The source of a full copy; None for other values or shared registers."""
    if not isinstance(value, OpResult):
        return None
    op = value.op
    if type(op) is not MOV or len(op.results) != 1:
        return None
    if LAYOUT in op.properties or GUARD in op.properties:
        return None
    (source,) = fast.operands_of(op)
    for end in (source, value):
        if register_class(end).number is not None:
            return None
    return source
