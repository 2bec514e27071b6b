"""`dce`: removes ops whose results are unused.

    %a = llvm.add %x, %y : i32
    %b = llvm.mul %a, %a : i32
    llvm.return %x : i32

becomes

    llvm.return %x : i32

An op is live if it writes memory, may not return or has another effect, or if a live op uses it.
The value that a branch passes is live if the block argument is live. All other ops and arguments
are removed, including cycles through loops. Unreachable blocks are removed first.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.dead_code import eliminate_dead_code


@dataclass(frozen=True)
class DCE(FunctionPass):
    """Removes dead ops, dead block arguments and unreachable blocks."""

    name = "dce"
    title = "DCE"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return eliminate_dead_code(func)
