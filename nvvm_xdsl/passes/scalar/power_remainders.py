"""Remainders of powers of two that are not constant; a pattern of `instcombine`.

    %r = llvm.urem %x, %s : i32           ->    %m = llvm.add %s, %c-1 : i32
                                                %r = llvm.and %x, %m : i32

if `%s` is a power of two or zero, such as the stride of a reduction, which is doubled in each
iteration. A divisor of zero is undefined. The remainder of a signed division, too, is in the low
bits if the dividend is non-negative, or if only its equality with zero is tested.
(LLVM's InstCombine does this for `urem`, and for comparisons of `srem`.)
"""

from __future__ import annotations

from xdsl.dialects.llvm import AddOp, AndOp, ICmpOp, SRemOp, URemOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.analysis.values.powers_of_two import is_power_of_two_or_zero
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules.combine import Combiner
from nvvm_xdsl.rules.predicates import is_equality


class RemainderOfPower(RewritePattern):
    """Replaces the remainder of a division by a power of two by a conjunction."""

    matches = (SRemOp, URemOp)

    def __init__(self, combiner: Combiner) -> None:
        self._combiner = combiner

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        dividend, divisor = fast.operands_of(op)
        if not is_power_of_two_or_zero(divisor):
            return
        (result,) = op.results
        if type(op) is SRemOp and not _is_tested(result) and not self._combiner.nonneg(dividend):
            return
        type_ = result.type
        ones = self._combiner.integer(-1, type_)
        mask = fast.create(AddOp, (divisor, ones), (type_,), location=op.location)
        bits = fast.create(AndOp, (dividend, mask.results[0]), (type_,), location=op.location)
        rewriter.replace(op, (mask, bits), bits.results)


def _is_tested(value: SSAValue) -> bool:
    """Returns True if every use tests whether a value is zero."""
    return all(
        type(user) is ICmpOp
        and is_equality(predicate_of(user))
        and constant_integer(fast.operands_of(user)[1]) == 0
        for user in fast.users_of(value)
    )


__all__ = ["RemainderOfPower"]
