"""`nv-early-inliner`: small functions are inlined before anything else is done.

The documents state only the name of the pass. LLVM's early inliner inlines calls that do not
increase code size, and leaves the others for later, when callees have been simplified. A callee is
inlined if its cost exceeds the call's cost by at most `threshold`; on a GPU a call passes each
argument through param space. No other pass runs in between.

Worth: no kernel's machine code changes without it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.ipo.inline import Inline


@dataclass(frozen=True)
class EarlyInliner(NvvmPass):
    """Inlines functions that cost hardly more than the call."""

    name = "nv-early-inliner"
    title = "EarlyInliner"

    threshold: int = 25
    """Maximum cost of the body in excess of the call: LLVM's `inline-call-penalty`."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        options = Inline(
            threshold=self.threshold,
            multiplier=1,
            hint_threshold=self.threshold,
            cold_threshold=self.threshold,
            local_bonus=0,
            last_call_bonus=0,
            clean_up=False,
        )
        return options.run(module, am)


__all__ = ["EarlyInliner"]
