"""Prints the size and the register pressure of each machine function.

    extra-machineinstr-printer: @k: 14 instructions in 3 blocks; 9 registers live at most
        (pred=1 b32=3 b64=3), in ^loop

Prints to standard error and changes nothing. `print<machine-rpa>` prints the register pressure of
every block.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

from nvvm_xdsl.analysis.machine.register_pressure import CLASSES, RegisterPressure
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.dialects.nvptx.special_registers import MovSregOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass


@dataclass(frozen=True)
class ExtraMachineInstrPrinter(MachineFunctionPass):
    """Prints the size and the register pressure of each function."""

    name = "extra-machineinstr-printer"
    title: ClassVar[str] = "ExtraMachineInstrPrinter"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        pressure = am.get(RegisterPressure, func)
        kinds = (InstructionOp, MovSregOp, TerminatorOp)
        instructions = sum(
            isinstance(op, kinds) for block in pressure.cfg.blocks for op in fast.ops_of(block)
        )
        busiest = max(range(len(pressure.blocks)), key=lambda n: pressure.blocks[n].registers)
        classes = " ".join(f"{c}={n}" for c, n in zip(CLASSES, pressure.maximum) if n)
        print(
            f"{self.name}: @{func.symbol}: {instructions} instructions in "
            f"{len(pressure.blocks)} blocks; {pressure.registers} registers live at most"
            f"{f' ({classes})' if classes else ''}, in {pressure.cfg.name(busiest)}",
            file=sys.stderr,
        )
        return False
