"""Induction variables of a loop, for `indvars`."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags, set_overflow_flags
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.scev_expander import Expander

SCEV_CHEAP_EXPANSION_BUDGET: Final = 4
"""LLVM's default of `scev-cheap-expansion-budget`."""


class InductionVariables:
    """The induction variables of a loop with a preheader and one latch."""

    def __init__(self, loop: Loop, func: FuncOp, se: ScalarEvolution) -> None:
        self.loop = loop
        self.se = se
        self.constants = Constants(func)
        self.expander = Expander(se, self.constants)
        latch, preheader = loop.latch(), loop.preheader()
        assert latch is not None
        assert preheader is not None
        self.latch: Block = latch
        self.preheader: Block = preheader

    def own_ops(self) -> list[Operation]:
        """The loop's ops, except the ops of inner loops, which were visited with the inner
        loops.
        """
        inner = {block for loop in self.loop.subloops for block in loop.blocks}
        return [op for b in self.loop.blocks if b not in inner for op in fast.ops_of(b)]

    def starts(self) -> tuple[SSAValue, ...]:
        """The initial value of each argument of the header."""
        return branches.edges_of(branches.terminator_of(self.preheader))[0][1]

    def next_values(self) -> tuple[SSAValue, ...]:
        """The next value of each argument of the header."""
        edges = branches.edges_of(branches.terminator_of(self.latch))
        return next(values for target, values in edges if target is self.loop.header)


def drop_unproved_flags(ivs: InductionVariables, value: SSAValue, used: SSAValue) -> None:
    """Removes flags that are not proved for the used values of a counter.

    Arguments:
        value: the sum or difference by which the counter advances.
        used: the counter or its next value.
    """
    increment = fast.producer_of(value)
    proved = ivs.se.get(used).flags | _flags_of_range(ivs, value)
    set_overflow_flags(increment, overflow_flags(increment) & proved & (NSW | NUW))


def _flags_of_range(ivs: InductionVariables, increment: SSAValue) -> int:
    """The no-wrap flags of an increment by a positive constant that follow from the range of
    its counter; none of an increment by a negative constant."""
    following = ivs.se.get(increment)
    step, width = following.step.signed, following.width
    if step <= 0:
        return 0
    before = ivs.se.expressions.sub(following, following.step)
    unsigned, signed = ivs.se.range(before), ivs.se.range(before, signed=True)
    found = 0
    if not unsigned.is_empty and unsigned.umax() + step < 1 << width:
        found |= NUW
    if not signed.is_empty and signed.smax() + step < 1 << (width - 1):
        found |= NSW
    return found
