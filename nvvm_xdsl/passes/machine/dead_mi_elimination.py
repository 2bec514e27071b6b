"""Removes machine instructions whose results are unused.

    %a = nvptx.add s32 %x, 1          (no user)             ->  removed
    ^loop(%i):  ... ^loop(%next)      (only %next uses %i)  ->  removed with the argument

Instructions with effects other than their results are marked as live, and transitively their
operands; the value that a branch passes is live if the argument is. Cycles of PHIs without other
users are therefore removed too. Instructions whose effect depends on the threads that execute them
together remain, because they are convergence points.

Runs in SSA form and after PHI elimination. After PHI elimination an instruction that writes a
shared register is removed if no instruction reads that register.
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
