"""Merges two branches that share a target by a logical and, for `simplifycfg`.

      llvm.cond_br %a, ^inner, ^exit               %c = llvm.select %a, %b, %false : i1, i1
    ^inner:                                   ->   llvm.cond_br %c, ^body, ^exit
      llvm.cond_br %b, ^body, ^exit

Legal because the ops of the inner block have no side effects and cannot trap, and because the
second condition, which may be poison if the first is false, is only selected if the first is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from xdsl.dialects.llvm import CondBrOp, FCmpOp, FuncOp, ICmpOp, XOrOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.ops import connected
from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import without_line
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import Worklist, has_loop_annotation
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation
from nvvm_xdsl.transforms.conditionals import select

_COMPARISONS: Final = (FCmpOp, ICmpOp)


class BranchUniformity:
    """Whether all threads of a warp take the same edge of a branch.

    The analysis is computed after all simplifications that do not need it. Values that were created
    later count as divergent.
    """

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._uniformity: Uniformity | None = None
        self._analysed: set[SSAValue] = set()
        self.undecided: list[Block] = []
        """The blocks of branches that were tested before the analysis was computed."""

    def is_uniform(self, terminator: Operation) -> bool:
        """Whether a branch is known to be uniform; False before `compute`."""
        if self._uniformity is None:
            assert terminator.parent is not None
            self.undecided.append(terminator.parent)
            return False
        condition = fast.operands_of(terminator)[0]
        return condition in self._analysed and self._uniformity.is_uniform(condition)

    def compute(self, am: AnalysisManager) -> None:
        """Computes the analysis; `am` must not hold outdated analyses."""
        self._uniformity = am.get(Uniformity, self._func)
        self._analysed = {r for op in self._func.walk() for r in op.results}
        self._analysed.update(a for b in fast.blocks_of(self._func.regions[0]) for a in b.args)


def merge_branches(
    block: Block, work: Worklist, most_ops: int, may_merge: Callable[[Operation], bool] | None
) -> bool:
    """Merges `if (a) if (b) X` with a common exit into `if (a && b) X`; returns whether it did.

    Arguments:
        block: the inner block; its only predecessor ends in the outer branch.
        work: the worklist, which gets the changed blocks.
        most_ops: maximum number of ops of the inner block, besides the tests of its condition, that
            are speculated.
        may_merge: returns True for the branches that may be merged; None for all.
    """
    use = fast.single_use(block)
    if use is None or block.args:
        return False
    outer = use.operation
    before = outer.parent
    if type(outer) is not CondBrOp or before is block or before is None:
        return False
    inner = branches.terminator_of(block)
    outer_edges = branches.edges_of(outer)
    inner_edges = branches.edges_of(inner)
    way_in = 0 if outer_edges[0][0] is block else 1
    common = outer_edges[1 - way_in]
    if common not in inner_edges:
        return False
    moved = [op for op in fast.ops_of(block) if op is not inner]
    tests = _tests_of(fast.operands_of(inner)[0], block)
    if not _are_cheap([op for op in moved if op not in tests], most_ops):
        return False
    # The inner branch is tested first: if its uniformity is not computed yet, its block is visited
    # again.
    if may_merge is not None and not all(map(may_merge, (inner, outer))):
        return False
    for op in moved:
        fast.move_before(op, outer)
        op.location = without_line(op.location)
    way_out = inner_edges.index(common)
    onward = inner_edges[1 - way_out]
    first = _as_truth(fast.operands_of(outer)[0], way_in == 0, outer, work)
    second = _as_truth(fast.operands_of(inner)[0], way_out == 1, outer, work)
    joined = select(first, second, work.constants.boolean(False), outer)
    new = branches.conditional_branch(joined, *onward, *common)
    copy_loop_annotation(inner if has_loop_annotation(inner) else outer, new)
    cfg.join_weights(new, outer, way_in, inner, way_out)
    cfg.replace_terminator(outer, new)
    cfg.drop_blocks([block])
    for changed in (before, onward[0], common[0]):
        work.push(changed)
    return True


def _tests_of(condition: SSAValue, block: Block) -> set[Operation]:
    """The comparisons in a block of which a condition is the conjunction or disjunction."""
    found: set[Operation] = set()
    pending = [condition]
    while pending:
        value = pending.pop()
        op = value.owner
        if not isinstance(op, Operation) or op.parent is not block or op in found:
            continue
        if type(op) in _COMPARISONS:
            found.add(op)
        elif connected(op) is not None:
            found.add(op)
            pending += fast.operands_of(op)
    return found


def _are_cheap(ops: Iterable[Operation], most: int) -> bool:
    """Returns True if each op may be speculated at a cost of at most 1, and all for at most `most`."""
    total = 0
    for op in ops:
        cost = speculation_cost(op)
        if cost is None or cost > 1:
            return False
        total += cost
    return total <= most


def _as_truth(condition: SSAValue, positive: bool, before: Operation, work: Worklist) -> SSAValue:
    """The condition or its inverse, computed before an op."""
    if positive:
        return condition
    true = work.constants.boolean(True)
    op = fast.create(XOrOp, (condition, true), (I1,), location=before.location)
    fast.insert_before(op, before)
    return op.results[0]
