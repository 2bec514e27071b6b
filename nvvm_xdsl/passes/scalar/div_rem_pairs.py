"""`div-rem-pairs`: computes a remainder from the quotient of the same operands.

    %q = llvm.udiv %x, %y : i32              %q = llvm.udiv %x, %y : i32
    %r = llvm.urem %x, %y : i32      ->      %m = llvm.mul %q, %y : i32
                                             %r = llvm.sub %x, %m : i32

A GPU has no division instruction: ptxas expands each division to about twenty instructions. The
quotient is computed at the first of the two ops, because both are undefined for the same operands.
Operands that may be undef are frozen, because they are now used twice. A remainder by a power of
two is not changed, because it is cheaper than a product. (LLVM's pass, for targets without an
instruction for both.)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp, MulOp, SDivOp, SRemOp, SubOp, UDivOp, URemOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass

DECOMPOSED = Statistic(
    "div-rem-pairs", "decomposed", "Number of remainders computed from quotients"
)


_REMAINDERS: dict[type[Operation], type[Operation]] = {URemOp: UDivOp, SRemOp: SDivOp}


@dataclass(frozen=True)
class DivRemPairs(FunctionPass):
    """Computes remainders from quotients of the same operands."""

    name = "div-rem-pairs"
    title = "DivRemPairs"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        tree = am.get(DominatorTree, func)
        quotients: dict[tuple[type[Operation], SSAValue, SSAValue], Operation] = {}
        remainders: list[Operation] = []
        for block in tree.cfg.rpo_blocks():
            for op in fast.ops_of(block):
                cls = type(op)
                if cls is UDivOp or cls is SDivOp:
                    dividend, divisor = fast.operands_of(op)
                    quotients.setdefault((cls, dividend, divisor), op)
                elif cls in _REMAINDERS:
                    remainders.append(op)
        changed = False
        for remainder in remainders:
            dividend, divisor = fast.operands_of(remainder)
            key = (_REMAINDERS[type(remainder)], dividend, divisor)
            quotient = quotients.get(key)
            if quotient is None or not integer_width(dividend.type) or _is_power_of_two(divisor):
                continue
            if tree.runs_before(remainder, quotient):
                # The quotient of the same operands is also valid before the remainder. Its operands are
                # not frozen: no remainder below this one has been decomposed.
                fast.move_before(quotient, remainder)
            elif not tree.runs_before(quotient, remainder):
                continue
            _decompose(remainder, quotient)
            DECOMPOSED.add()
            changed = True
        return changed


def _decompose(remainder: Operation, quotient: Operation) -> None:
    values = list(fast.operands_of(quotient))
    for index, value in enumerate(values):
        if constant_integer(value) is None:
            owner = value.owner
            if not isinstance(owner, FreezeOp):
                frozen = fast.create(FreezeOp, (value,), (value.type,))
                fast.insert_before(frozen, quotient)
                value = values[index] = frozen.results[0]
                fast.set_operand(quotient, index, value)
    dividend, divisor = values
    # `exact` implied a remainder of 0, which the new code does not rely on.
    quotient.properties.pop("isExact", None)
    product = fast.create(
        MulOp, (quotient.results[0], divisor), (dividend.type,), location=remainder.location
    )
    difference = fast.create(
        SubOp, (dividend, product.results[0]), (dividend.type,), location=remainder.location
    )
    fast.insert_before(product, remainder)
    fast.insert_before(difference, remainder)
    fast.replace_op(remainder, difference.results)


def _is_power_of_two(value: SSAValue) -> bool:
    number = constant_integer(value)
    return number is not None and number & (number - 1) == 0
