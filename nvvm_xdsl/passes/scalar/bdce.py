"""`bdce`: simplifies computations whose bits are not all demanded.

    %h = llvm.shl %y, %sixteen : i32            %b = llvm.trunc %x : i32 to i16
    %a = llvm.or %x, %h : i32             ->
    %b = llvm.trunc %a : i32 to i16

An op without demanded bits becomes zero, a sign extension whose new bits are not demanded becomes a
zero extension, masks of undemanded bits are removed, and a shift pair becomes one shift
(`transforms/simplify_demanded_bits.py`, which `instcombine` uses too). `instsimplify` folds the
results.

Flags such as nsw hold for all bits: the direct and indirect users of a changed value lose them, up
to operands of which all bits are demanded.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.values.demanded_bits import DemandedBits
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.simplify_demanded_bits import simplify_demanded


@dataclass(frozen=True)
class BDCE(FunctionPass):
    """Simplifies computations by their demanded bits."""

    name = "bdce"
    title = "BDCE"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return simplify_demanded(am.get(DemandedBits, func))
