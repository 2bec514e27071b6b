"""`nvvm-late-opt`: removes barriers that order nothing once more, when all else of tier 3 is done.

    nvvm.barrier0
    nvvm.barrier0              ->      nvvm.barrier0

The optimizer document states a name, NVVMLateOpt, a position and the address of the factory,
0x1C46000. That is in the code of branch distribution, which the sister page locates from 0x1C45690
to 0x1C49D10: the factory creates `branch-dist`, and so does this name. Barriers have already been
processed at that position, so it changes something only if the passes between removed accesses.

Worth: no kernel's machine code changes without it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.barriers.branch_dist import BranchDist


@dataclass(frozen=True)
class NVVMLateOpt(NvvmPass):
    """Removes barriers that order nothing, late."""

    name = "nvvm-late-opt"
    title = "NVVMLateOpt"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return BranchDist().run(module, am)
