"""`nv-early-inliner`: small functions are inlined before anything else is done.

The documents name the pass and nothing of it. LLVM's early inliner takes what makes code no larger and leaves
the rest for when callees have been cleaned up: a callee is inlined if it costs no more than `threshold` above
the call, which on a GPU passes each argument through param space. Nothing is cleaned up in between.

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
    """What the body may cost above the call: LLVM's `inline-call-penalty`."""

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
