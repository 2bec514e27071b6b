"""Ranges at ops, and replacements of ops, for `correlated-propagation`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from xdsl.dialects.llvm import FuncOp, SubOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic

DECIDED: Final = Statistic(
    "correlated-propagation", "decided", "Number of values replaced by constants"
)
CHEAPENED: Final = Statistic(
    "correlated-propagation", "cheapened", "Number of ops replaced by cheaper ops"
)


class RangeRewriter:
    """Rewrites the ops of a function by the ranges of their operands."""

    def __init__(self, func: FuncOp, lvi: LazyValueInfo) -> None:
        self.func = func
        self.lvi = lvi
        self.constants = Constants(func)
        self.edges_changed = False
        self.dead: list[Operation] = []

    def range(self, value: SSAValue, op: Operation) -> ConstantRange | None:
        """The range of a scalar integer at an op; None for other types and for unreachable ops."""
        if not integer_width(value.type):
            return None
        found = self.lvi.range_at(value, op)
        return None if found.is_empty else found

    def ranges(self, op: Operation) -> tuple[ConstantRange, ConstantRange] | None:
        """The ranges of an op's two operands."""
        a, b = fast.operands_of(op)
        first, second = self.range(a, op), self.range(b, op)
        return None if first is None or second is None else (first, second)

    def decide(self, op: Operation, value: SSAValue) -> bool:
        """Replaces the op's only result by a value."""
        fast.replace_op(op, (value,))
        DECIDED.add()
        return True

    def new(
        self,
        cls: type[Operation],
        operands: tuple[SSAValue, ...],
        before: Operation,
        type_: Attribute | None = None,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result of a new op before another, with that op's location."""
        op = fast.create(
            cls,
            operands,
            (type_ or operands[0].type,),
            dict(properties or {}),
            location=before.location,
        )
        fast.insert_before(op, before)
        return op.results[0]

    def become(self, op: Operation, value: SSAValue) -> bool:
        """Replaces the op's result by that of a cheaper op."""
        fast.replace_op(op, (value,))
        CHEAPENED.add()
        return True

    def negated(self, value: SSAValue, before: Operation) -> SSAValue:
        """Inserts `0 - value`."""
        zero = self.constants.zero(value.type)
        return self.new(SubOp, (zero, value), before)
