"""`always-inline`: calls to functions marked `alwaysinline` are replaced by their bodies.

    %r = llvm.call @square(%x) : (i32) -> i32

becomes

    %r = llvm.mul %x, %x : i32

Callees are processed before their callers, so that inlined bodies contain no such calls. Recursive
functions, and functions whose parameters do not match the call, are not inlined. The number of
copied ops is computed first, because a chain of functions that each call the previous one twice
doubles in size at each step; more than `limit` copied ops are an error. `globaldce` removes
functions without remaining calls.

With `keep-pure`, calls without side effects (those that `early-cse` merges) are not inlined. -O2
and -O3 run the pass with this option before `sroa` and `early-cse`, and without it after them: two
equal calls of `cos` are then merged before they are expanded to code with branches. Without `keep-pure`, calls of
libdevice's mathematical functions with constant arguments are replaced by their results.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.fold_library_calls import fold_library_calls
from nvvm_xdsl.transforms.inline_calls import INLINE_LIMIT, inline_marked


@dataclass(frozen=True)
class AlwaysInline(NvvmPass):
    """Inlines functions marked `alwaysinline`."""

    name = "always-inline"
    title = "AlwaysInliner"

    limit: int = INLINE_LIMIT
    """Maximum number of ops that are copied into the functions of a module; more is an error."""

    keep_pure: bool = False
    """Whether calls without side effects are not inlined."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        folded = not self.keep_pure and fold_library_calls(module, am)
        return inline_marked(module, am, self.name, self.limit, self.keep_pure) or folded
