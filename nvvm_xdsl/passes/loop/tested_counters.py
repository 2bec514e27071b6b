"""Counters whose next value a pass may use in a new exit test.

A branch on an undefined value is undefined behaviour. A counter that the loop does not test may be
undefined without effect, because its start is undefined or because a flag of its increment is wrong.
"""

from __future__ import annotations

from xdsl.dialects.llvm import CondBrOp, ICmpOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.values.poison import is_never_poison
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.flags import overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast


def is_defined(value: SSAValue) -> bool:
    """Returns True if a value is neither undefined nor poison."""
    return constant_integer(value) is not None or is_never_poison(value)


def is_stepped_once(argument: BlockArgument, following: SSAValue) -> bool:
    """Returns True if one addition or subtraction of a defined step computes the next value of a
    counter from the counter; flags of other ops between them could make the next value poison."""
    if not isinstance(following, OpResult) or following.op.name not in ("llvm.add", "llvm.sub"):
        return False
    left, right = fast.operands_of(following.op)
    return (left is argument and is_defined(right)) or (right is argument and is_defined(left))


def may_be_tested(argument: BlockArgument, loop: Loop, se: ScalarEvolution) -> bool:
    """Returns True if the latch may branch on the next value of a counter of a loop with a preheader
    and one latch: the latch already does, or the value is defined in each iteration."""
    latch, preheader = loop.latch(), loop.preheader()
    assert latch is not None
    assert preheader is not None
    last = branches.terminator_of(latch)
    following = next(v for b, v in branches.edges_of(last) if b is loop.header)[argument.index]
    condition = fast.operands_of(last)[0] if type(last) is CondBrOp else None
    if isinstance(condition, OpResult) and type(condition.op) is ICmpOp:
        if following in fast.operands_of(condition.op):
            return True
    ((_, starts),) = branches.edges_of(branches.terminator_of(preheader))
    return (
        is_defined(starts[argument.index])
        and is_stepped_once(argument, following)
        and not overflow_flags(fast.producer_of(following)) & ~se.get(following).flags
    )
