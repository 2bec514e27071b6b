"""Simplifies low bits of sums with an operand whose low bits are known; a pattern of `instcombine`.

    %s = llvm.add %i, %x : i32            ->
    %r = llvm.and %s, %c1 : i32                 %r = llvm.and %x, %c1 : i32

is legal if `%i` is even, such as the counter of a loop that was unrolled by two. If the bits are
known and not zero, their value is the operand of a new sum: `(2 * i + 1 + x) & 1` becomes
`(x + 1) & 1`, which is invariant in the loop. (LLVM's SimplifyDemandedBits for the operands of
`add`.)
"""

from __future__ import annotations

from xdsl.dialects.llvm import AddOp, AndOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules.combine import Combiner, is_constant_like


class LowBitsOfSum(RewritePattern):
    """Replaces operands of sums by their known low bits, if no other bits of the sum are used."""

    matches = (AndOp,)

    def __init__(self, combiner: Combiner) -> None:
        self._combiner = combiner

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        total, mask = fast.operands_of(op)
        number, add = constant_unsigned(mask), total.owner
        if not number or type(add) is not AddOp:
            return
        assert isinstance(add, Operation)
        low = (1 << number.bit_length()) - 1
        a, b = fast.operands_of(add)
        for known, other in ((b, a), (a, b)):
            bits = self._low_bits(known, low)
            if bits is None:
                continue
            type_, new = total.type, list[Operation]()
            if bits:
                terms = (other, self._combiner.integer(bits, type_))
                new.append(fast.create(AddOp, terms, (type_,), location=add.location))
                other = new[0].results[0]
            new.append(fast.create(AndOp, (other, mask), (type_,), location=op.location))
            rewriter.replace(op, new, new[-1].results)
            return

    def _low_bits(self, value: SSAValue, low: int) -> int | None:
        """The bits of a value under a mask, if all are known; None otherwise, and for constants."""
        fact = None if is_constant_like(value) else self._combiner.fact(value)
        if fact is None or (fact.bits.zeros | fact.bits.ones) & low != low:
            return None
        return fact.bits.ones & low
