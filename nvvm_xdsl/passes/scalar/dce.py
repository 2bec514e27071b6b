"""`dce`: removes ops whose results are unused.

    %a = llvm.add %x, %y : i32
    %b = llvm.mul %a, %a : i32
    llvm.return %x : i32

becomes

    llvm.return %x : i32

An op is needed when it writes memory, may not return, or is otherwise observed, or when a
needed op uses it. So are the values that branches carry to arguments that are needed; the rest
are removed together with the arguments, circles through loops included. Blocks that nothing
reaches are removed first.
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
