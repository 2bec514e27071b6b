"""Removes machine instructions whose results are unused.

    %a = nvptx.add s32 %x, 1          (no user)       ->  gone
    ^loop(%i):  ... ^loop(%next)      (only %next uses %i)  ->  gone, argument and all

Marks instructions with effects other than their results, and transitively their operands; the value
that a branch passes is needed if the argument is. Cycles of PHIs without other users are therefore
removed too. Instructions whose effect depends on the threads that execute them together remain,
because they are convergence points.

Runs in SSA form and after PHI elimination. There an instruction that writes a shared register
goes when no instruction reads that register.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.passes.machine.dead_instructions import eliminate_dead_instructions


@dataclass(frozen=True)
class DeadMachineInstructionElim(MachineFunctionPass):
    """Dead machine instruction elimination."""

    name = "dead-mi-elimination"
    title: ClassVar[str] = "DeadMachineInstructionElim"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return eliminate_dead_instructions(func)
