"""`correlated-propagation`: uses the conditions of dominating branches to decide and simplify ops.

      %in = llvm.icmp "ult" %x, %ten : i32              %in = llvm.icmp "ult" %x, %ten : i32
      llvm.cond_br %in, ^body, ^out                     llvm.cond_br %in, ^body, ^out
    ^body:                                            ^body:
      %big = llvm.icmp "ugt" %x, %hundred : i32   ->    %q = llvm.udiv %x, %y : i32
      %q = llvm.sdiv %x, %y : i32                       %w = llvm.zext nneg %x : i32 to i64
      %w = llvm.sext %x : i32 to i64                    (%big is false)

Ranges are LazyValueInfo's: facts that hold at an op or on an edge. Comparisons, selects, switch
cases and block arguments decided by a range become constants. Min, max, abs, saturating arithmetic
and arithmetic with an overflow bit are simplified. A signed division, shift or extension of a
non-negative value becomes unsigned. A division of values that fit in fewer bits is narrowed: on a
GPU a 64-bit division costs about four times a 32-bit one. Arithmetic that does not wrap gets wrap
flags.

No op is moved, and only edges that are never taken are removed. (LLVM's CorrelatedValuePropagation;
sub_18EEA90 in document 000. The signedness of comparisons is not changed: trip counts are computed
from both, and PTX has both.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    CondBrOp,
    FuncOp,
    ICmpOp,
    MulOp,
    ReturnOp,
    SDivOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SRemOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    ZExtOp,
)
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.ops import AbsOp, SwitchOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.correlated_propagation_branches import (
    decide_branch,
    decide_comparison,
    decide_select,
    replace_edge_values,
    replace_returned_values,
    simplify_switch,
)
from nvvm_xdsl.passes.scalar.correlated_propagation_divisions import simplify_division
from nvvm_xdsl.passes.scalar.correlated_propagation_integers import (
    EXTREMES,
    SATURATING,
    WITH_OVERFLOW,
    add_truncation_flags,
    add_wrap_flags,
    make_extension_zero,
    make_shift_logical,
    remove_mask,
    remove_overflow_bit,
    simplify_absolute,
    simplify_extreme,
    simplify_saturating,
)
from nvvm_xdsl.passes.scalar.correlated_propagation_rewriter import RangeRewriter
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.conditionals import fold_terminator


@dataclass(frozen=True)
class CorrelatedPropagation(FunctionPass):
    """Decides and simplifies ops using the conditions of dominating branches."""

    name = "correlated-propagation"
    title = "CVP"
    # A narrowed value improves the ranges of dependent values.
    idempotent = False

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _run(RangeRewriter(func, am.get(LazyValueInfo, func)))


def _run(work: RangeRewriter) -> bool:
    """Simplifies ops and edges by the ranges of values; returns whether anything changed."""
    changed = False
    blocks = list(work.lvi.tree.cfg.rpo_blocks())
    for block in blocks:
        for op in fast.ops_of(block):
            handler = _HANDLERS.get(type(op))
            if handler is not None and handler(work, op):
                changed = True
    for op in work.dead:
        fast.erase(op)
    for block in blocks:
        changed |= replace_edge_values(work, block)
    for block in blocks:
        if cfg.simplify_arguments(block):
            changed = True
    if work.edges_changed:
        for block in blocks:
            fold_terminator(branches.terminator_of(block))
        cfg.remove_unreachable_blocks(work.func.regions[0])
    work.constants.erase_unused()
    return changed


_HANDLERS: Final[dict[type[Operation], Callable[[RangeRewriter, Operation], bool]]] = {
    ICmpOp: decide_comparison,
    SelectOp: decide_select,
    CondBrOp: decide_branch,
    SwitchOp: simplify_switch,
    ReturnOp: replace_returned_values,
    SDivOp: simplify_division,
    SRemOp: simplify_division,
    UDivOp: simplify_division,
    URemOp: simplify_division,
    AShrOp: make_shift_logical,
    SExtOp: make_extension_zero,
    ZExtOp: make_extension_zero,
    AndOp: remove_mask,
    AddOp: add_wrap_flags,
    SubOp: add_wrap_flags,
    MulOp: add_wrap_flags,
    ShlOp: add_wrap_flags,
    TruncOp: add_truncation_flags,
    AbsOp: simplify_absolute,
    **dict.fromkeys(EXTREMES, simplify_extreme),
    **dict.fromkeys(SATURATING, simplify_saturating),
    **dict.fromkeys(WITH_OVERFLOW, remove_overflow_bit),
}
