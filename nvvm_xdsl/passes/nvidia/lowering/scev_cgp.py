"""`scev-cgp`: computes the base of addresses in different blocks once, in a block that dominates them.

      llvm.cond_br %c, ^a, ^b                           %base = llvm.getelementptr %p[%i] : ..., f32
    ^a:                                                 llvm.cond_br %c, ^a, ^b
      %q = llvm.getelementptr %p[%i1] : ..., f32      ^a:
      ...                                        ->     %q = llvm.getelementptr %base[4] : ..., i8
      llvm.br ^b                                        ...
    ^b:                                                 llvm.br ^b
      %r = llvm.getelementptr %p[%i2] : ..., f32      ^b:
                                                        %r = llvm.getelementptr %base[8] : ..., i8

Addresses with the same root and the same variable terms are a family: `%i1` and `%i2` are `%i` plus constants. The
anchor is the smallest constant of a family. The base is the root plus the terms and the anchor, computed at the end of
the nearest common dominator of the family; loads and stores add the distances without instructions. The base is
computed from the leaves of the terms in 64 bits without flags, because the index may wrap on paths that do not use it.

This is NVIDIA's SCEV-CGP, which cicc disables (`nv-disable-scev-cgp`); `common-base-elim` also shares bases within a
block. Pipelines run `scev-cgp` if `do-scev-cgp` or `do-function-scev-cgp`
is set. Source: the sister pages on CodeGenPrepare and Common Base Elimination; the defaults are
those of the catalogue of variables.

Benefit: runs on demand: it changes none of 28 examples at -O3, in which earlier passes share these addresses.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.common_bases import BaseLimits, BaseSharing

OFF, ALWAYS, WITH_CONDITIONS = range(3)
"""Levels of `do-scev-cgp` and `do-function-scev-cgp`."""

BASES = remarks.Statistic(
    "scev-cgp", "bases", "Number of bases shared by addresses in different blocks"
)


@dataclass(frozen=True)
class ScevCodeGenPrepare(FunctionPass):
    """Computes the base of addresses in different blocks once, in a block that dominates them."""

    name = "scev-cgp"
    title = "ScevCodeGenPrepare"

    do_scev_cgp: int = WITH_CONDITIONS
    """Families within one loop, or outside all loops: 0 none, 1 all, 2 if the base costs `scev-cgp-check-latency`."""

    do_function_scev_cgp: int = WITH_CONDITIONS
    """Families across loops: 0 none, 1 all, 2 if the base costs `scev-cgp-check-latency`."""

    do_scev_cgp_aggresively: bool = True
    """Whether a family is rewritten if no path executes two of its addresses."""

    scev_cgp_control: int = -1
    """Maximum number of bases in a function; -1 for no limit."""

    scev_cgp_cross_block_limit: int = 8
    """Maximum number of bases in a block."""

    scev_cgp_idom_level_limit: int = 3
    """Maximum number of levels in the dominator tree from an address up to its base."""

    scev_cgp_inst_limit: int = 500
    """Maximum number of ops from an address to a leaf."""

    scev_cgp_check_latency: int = 1
    """Minimum number of variable terms of a base; each costs one multiplication with an addition."""

    scev_cgp_old_base: bool = False
    """Whether bases have no constant part."""

    dump_scev_cgp: bool = False
    """Whether each base is reported."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if self.do_scev_cgp == OFF and self.do_function_scev_cgp == OFF:
            return False
        limits = BaseLimits(
            self.name,
            self.scev_cgp_inst_limit,
            fewest_blocks=2,
            fewest_terms=(self._terms(self.do_scev_cgp), self._terms(self.do_function_scev_cgp)),
            most_bases=self.scev_cgp_control,
            most_bases_of_block=self.scev_cgp_cross_block_limit,
            most_levels=self.scev_cgp_idom_level_limit,
            on_separate_paths=self.do_scev_cgp_aggresively,
            has_constant=not self.scev_cgp_old_base,
            is_shown=self.dump_scev_cgp,
        )
        bases = BaseSharing(limits, func, am).run()
        BASES.add(bases)
        return bases > 0

    def _terms(self, level: int) -> int | None:
        """The minimum number of variable terms at a level; None for no family."""
        if level == OFF:
            return None
        return 0 if level == ALWAYS else self.scev_cgp_check_latency


__all__ = ["ScevCodeGenPrepare"]
