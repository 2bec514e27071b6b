"""`print-module`: prints the module without changing it.

    -p 'instcombine,print-module,licm'

prints the IR after `instcombine` to standard error. The documented sequences contain the pass for
debugging (PrintModulePass); there it emits a remark, which is printed only with
`-pass-remarks-analysis=print-module`.

Benefit: none; it only prints.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.base import NvvmPass


@dataclass(frozen=True)
class PrintModule(NvvmPass):
    """Prints the module.

    Arguments:
        shown: whether the module is printed even if remarks are disabled.
    """

    name = "print-module"
    title = "PrintModule"

    shown: bool = True

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        if self.shown or remarks.wanted(self.name):
            remarks.emit("Analysis", self.name, "IR", "[module]", f"\n{module}", shown=self.shown)
        return False
