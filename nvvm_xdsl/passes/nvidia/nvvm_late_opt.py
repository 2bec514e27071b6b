"""`nvvm-late-opt`: removes barriers that order nothing once more, when all else of tier 3 is done.

    nvvm.barrier0
    nvvm.barrier0              ->      nvvm.barrier0

The optimizer document has a name, NVVMLateOpt, a place and the address of the factory, 0x1C46000. That is amid the
code of branch distribution, which the sister page has from 0x1C45690 to 0x1C49D10: what the factory makes
is `branch-dist`, and that is what this is. Where it stands barriers have been looked at already, so it changes
something only where the passes between took accesses away.

Worth: no kernel's machine code changes without it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.branch_dist import BranchDist


@dataclass(frozen=True)
class NVVMLateOpt(NvvmPass):
    """Removes barriers that order nothing, late."""

    name = "nvvm-late-opt"
    title = "NVVMLateOpt"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return BranchDist().run(module, am)
