"""Replaces the exit test of a loop by an inequality of a counter with other uses, for `indvars`."""

from __future__ import annotations

from xdsl.dialects.llvm import CondBrOp, ICmpOp
from xdsl.ir import BlockArgument, OpResult

from nvvm_xdsl.analysis.scev.expressions import NW, Kind, Scev
from nvvm_xdsl.analysis.values.constant_range import EQ, NE
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.loop.indvars_state import (
    SCEV_CHEAP_EXPANSION_BUDGET,
    InductionVariables,
    drop_unproved_flags,
)
from nvvm_xdsl.passes.loop.tested_counters import is_defined, is_stepped_once
from nvvm_xdsl.transforms.builder import Builder

TESTS = Statistic(
    "indvars", "tests", "Number of exit tests that compare another induction variable"
)


def replace_test(ivs: InductionVariables) -> bool:
    """Replaces the exit test by an inequality of a counter with other uses and its final value."""
    se, loop, latch = ivs.se, ivs.loop, ivs.latch
    terminator = branches.terminator_of(latch)
    if type(terminator) is not CondBrOp:
        return False
    condition = fast.operands_of(terminator)[0]
    if not isinstance(condition, OpResult) or not isinstance(condition.op, ICmpOp):
        return False
    taken = se.exit_limit(loop, latch).exact
    if taken is se.could_not_compute:
        return False
    compared = _counter_of(ivs, condition.op)
    if compared is not None and not _is_only_for_test(ivs, compared, condition.op):
        return False
    found = _best_counter(ivs, taken, compared)
    if found is None:
        return False
    counter, limit = found
    following = ivs.next_values()[counter.index]
    bound = ivs.expander.expand(limit, branches.terminator_of(ivs.preheader))
    drop_unproved_flags(ivs, following, following)
    builder = Builder(terminator, ivs.constants)
    stays = loop.contains(fast.successors_of(terminator)[0])
    test = builder.compare(NE if stays else EQ, following, bound)
    fast.set_operand(terminator, 0, test)
    if condition.first_use is None:
        fast.erase(condition.op)
    TESTS.add()
    return True


def _counter_of(ivs: InductionVariables, comparison: ICmpOp) -> BlockArgument | None:
    """The header argument in a comparison with a loop-invariant value."""
    again = ivs.next_values()
    for value in fast.operands_of(comparison):
        for argument in ivs.loop.header.args:
            if value is argument or value is again[argument.index]:
                return argument
    return None


def _is_only_for_test(ivs: InductionVariables, counter: BlockArgument, test: ICmpOp) -> bool:
    """Whether a counter has no uses except its increment and a test."""
    following = ivs.next_values()[counter.index]
    allowed: set[object] = {test, following.owner, branches.terminator_of(ivs.latch)}
    own_place = [
        index
        for index, value in enumerate(fast.operands_of(branches.terminator_of(ivs.latch)))
        if value in (counter, following)
    ]
    return len(own_place) == 1 and all(
        user in allowed for value in (counter, following) for user in fast.users_of(value)
    )


def _best_counter(
    ivs: InductionVariables, taken: Scev, compared: BlockArgument | None
) -> tuple[BlockArgument, Scev] | None:
    """A counter that has a different value in each iteration, and its value after the last
    iteration.
    """
    se = ivs.se
    starts, again = ivs.starts(), ivs.next_values()
    best: tuple[int, BlockArgument, Scev] | None = None
    for argument in ivs.loop.header.args:
        if argument is compared or integer_width(argument.type) != taken.width:
            continue
        at = se.get(argument)
        if not at.is_affine or at.loop is not ivs.loop or at.step.kind is not Kind.CONSTANT:
            continue
        if at.step.constant % 2 == 0 and not at.flags & NW:
            continue
        following = again[argument.index]
        if not is_stepped_once(argument, following):
            continue
        # The new branch must not depend on a value that may be poison.
        start = starts[argument.index]
        if not is_defined(start):
            continue
        limit = se.at_exit_of(following, ivs.loop, taken)
        cost = ivs.expander.cost(limit, ivs.preheader)
        if cost is None or cost > SCEV_CHEAP_EXPANSION_BUDGET:
            continue
        if best is None or cost < best[0]:
            best = cost, argument, limit
    return None if best is None else best[1:]
