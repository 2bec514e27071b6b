"""`globaldce`: erases unreachable functions and globals.

Symbols visible to other modules are kept (kernels, external linkage, `llvm.used`), and transitively
the symbols that they refer to by call, address, initializer or attribute. Other internal or
discardable symbols are erased, and so are unused declarations.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.dead_globals import eliminate_dead_globals


@dataclass(frozen=True)
class GlobalDCE(NvvmPass):
    """Erases internal functions and globals that are not used."""

    name = "globaldce"
    title = "GlobalDCE"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return eliminate_dead_globals(module, am)
