"""`always-inline`: calls to functions marked `alwaysinline` are replaced by their bodies.

    %r = llvm.call @square(%x) : (i32) -> i32

becomes

    %r = llvm.mul %x, %x : i32

Functions are processed callees first, so that inlined bodies contain no such calls. Recursive
functions are not inlined, and neither are functions whose parameters do not match the call. A chain
of functions that each call the previous one twice doubles at each step: the number of copied ops is
computed first, and exceeding `limit` is an error. Functions without remaining calls are left to
`globaldce`.

With `keep-pure`, calls without side effects (those that `early-cse` merges) are not inlined. -O2 and -O3
run this form before `sroa` and `early-cse`, and the other form after them: two equal calls of `cos` become
one before they become code with branches.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.inline_calls import INLINE_LIMIT, inline_marked


@dataclass(frozen=True)
class AlwaysInline(NvvmPass):
    """Inlines functions marked `alwaysinline`."""

    name = "always-inline"
    title = "AlwaysInliner"

    limit: int = INLINE_LIMIT
    """Maximum number of ops that are copied into the functions of a module; more is an error."""

    keep_pure: bool = False
    """Whether calls without side effects are left as they are."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return inline_marked(module, am, self.name, self.limit, self.keep_pure)
