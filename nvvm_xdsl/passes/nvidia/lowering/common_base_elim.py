"""`common-base-elim`: derives addresses that differ by constants from one base.

    %q = llvm.getelementptr %p[%i1] : ..., f32          %base = llvm.getelementptr %p[%i] : ..., f32
    %r = llvm.getelementptr %p[%i2] : ..., f32    ->    %r = llvm.getelementptr %base[4] : ..., i8

`%i1` and `%i2` are sums of the same values and different constants, such as `(y - 1) * 1024 + x` and `y * 1024 + x`.
The base has the smallest constant, so that it replaces one of the addresses. It is computed in the nearest common
dominator of the addresses, which may be their own block; loads and stores add the distances without instructions.

Source: the sister pages on Common Base Elimination. The keys are those of `nvvm_xdsl.analysis.values.linear_address`,
which look through the same ops as the documented pass. Variables of the stack frame are in the entry block, which
dominates all blocks, so that none is cloned (`cbe-clone-allocas`).

Benefit: runs on demand: before code generation, 17 kernels with stencils execute 1.034 of their machine instructions,
because earlier passes share these addresses, and a base in 64 bits costs more than a 32-bit index.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.common_bases import BaseLimits, BaseSharing

BASES = remarks.Statistic("common-base-elim", "bases", "Number of bases shared by addresses")


@dataclass(frozen=True)
class CommonBaseElimination(FunctionPass):
    """Derives addresses that differ by constants from one base."""

    name = "common-base-elim"
    title = "Common Base Elimination"

    cbe_enable: bool = True
    """Whether the pass runs."""

    cbe_max_depth: int = 8
    """Maximum number of ops from an address to a leaf."""

    cbe_max_iter: int = 16
    """Maximum number of bases in a function."""

    cbe_min_uses: int = 2
    """Minimum number of addresses that share a base."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not self.cbe_enable:
            return False
        limits = BaseLimits(
            self.name,
            self.cbe_max_depth,
            fewest_addresses=self.cbe_min_uses,
            most_bases=self.cbe_max_iter,
        )
        bases = BaseSharing(limits, func, am).run()
        BASES.add(bases)
        return bases > 0


__all__ = ["CommonBaseElimination"]
