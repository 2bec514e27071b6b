"""`normalize-gep`: computes 64-bit subscripts that fit in 32 bits in 32 bits.

    %a = llvm.zext %row : i32 to i64          // row < 1024, column < 64
    %b = llvm.zext %column : i32 to i64
    %m = llvm.mul %a, %c64 : i64
    %s = llvm.add %m, %b : i64
    %p = llvm.getelementptr %t[%s] : (!llvm.ptr, i64) -> !llvm.ptr, f32

becomes

    %0 = llvm.mul %row, %c64_32 overflow<nsw> : i32
    %1 = llvm.add %0, %column overflow<nsw> : i32
    %2 = llvm.sext %1 : i32 to i64
    %p = llvm.getelementptr %t[%2] : (!llvm.ptr, i64) -> !llvm.ptr, f32

A 64-bit addition or multiplication takes two to four instructions on a GPU, and the multiplication
of a subscript by the element size accepts a 32-bit operand (`mad.wide`). Sums, differences,
products and shifts by constants are narrowed if their range (from special registers, `range`
attributes and masks) shows that the result fits. The wide value may only be used by subscripts;
otherwise both widths would be computed.

The document names the pass, its knob ("Normalize 64-bit GEP subscripts" in the sister page's list)
and `dump-normalize-gep`, which reports each subscript as a remark. Pipelines run the pass if the
knob is set.

Benefit: runs on demand: it changes one kernel, from 130 to 132 machine instructions.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import AddOp, FuncOp, GEPOp, MulOp, SExtOp, ShlOp, SubOp, ZExtOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import NSW
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import I32, I64, int_attr
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass

ARITHMETIC: frozenset[type[Operation]] = frozenset({AddOp, SubOp, MulOp, ShlOp})

SMALLEST, LARGEST = -(1 << 31), (1 << 31) - 1

_ONLY_NSW = int_attr(NSW, I32)


@dataclass(frozen=True)
class NormalizeGep(FunctionPass):
    """Computes subscripts in 32 bits if they fit."""

    name = "normalize-gep"
    title = "NormalizeGep"

    dump_normalize_gep: bool = False
    """Whether narrowed subscripts are reported."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        wide = wide_subscripts(func, am)
        if not wide:
            return False
        narrowed = _Narrowing(func)
        for op in wide:
            narrowed.make(op)
        for op in reversed(wide):
            if self.dump_normalize_gep and any(type(u) is GEPOp for u in _users(op)):
                self._report(func, op)
            narrowed.replace(op)
        return True

    def _report(self, func: FuncOp, op: Operation) -> None:
        text = f"the subscript {value_name(op.results[0])} is computed in 32 bits"
        remarks.emit("Passed", self.name, "Normalized", symbol_name(func) or "", text, op=op)


def wide_subscripts(func: FuncOp, am: AnalysisManager) -> list[Operation]:
    """The 64-bit ops that only compute subscripts that fit in 32 bits, operands first."""
    found: dict[Operation, None] = {}
    pending = [
        index
        for op in walk_function(func)
        if type(op) is GEPOp
        for index in fast.operands_of(op)[1:]
    ]
    if not any(type(index.owner) in ARITHMETIC for index in pending):
        return []
    facts = am.get(ValueTracking, func)
    while pending:
        value = pending.pop()
        owner = value.owner
        if type(owner) in ARITHMETIC and owner not in found and value.type is I64:
            if _fits(value, facts):
                op = fast.producer_of(value)
                found[op] = None
                pending += fast.operands_of(op)
    checked = list(found)
    while checked:
        op = checked.pop()
        if op in found and not _fits_in_32_bits(op, found, facts):
            del found[op]
            checked += fast.users_of(op.results[0])
            checked += (fast.producer_of(v) for v in fast.operands_of(op) if v.owner in found)
    blocks = am.get(CFG, func).rpo_blocks()
    return [op for block in blocks for op in fast.ops_of(block) if op in found]


def _users(op: Operation) -> list[Operation]:
    return list(fast.users_of(op.results[0]))


def _fits(value: SSAValue, facts: ValueTracking) -> bool:
    known = facts.range(value)
    return not known.is_empty and known.smin() >= SMALLEST and known.smax() <= LARGEST


def _fits_in_32_bits(op: Operation, found: dict[Operation, None], facts: ValueTracking) -> bool:
    """Returns True if the op can be computed in 32 bits and no use needs more."""
    for user, index in fast.uses_of(op.results[0]):
        if user not in found and not (type(user) is GEPOp and index > 0):
            return False
    left, right = fast.operands_of(op)
    if type(op) is ShlOp:
        amount = constant_integer(right)
        if amount is None or not 0 <= amount < 32:
            return False
        return _has_narrow(left, found, facts)
    return _has_narrow(left, found, facts) and _has_narrow(right, found, facts)


def _has_narrow(value: SSAValue, found: dict[Operation, None], facts: ValueTracking) -> bool:
    """Returns whether a 32-bit form of a value is free: a constant, an extended value, or a value
    that will be narrowed.
    """
    number = constant_integer(value)
    if number is not None:
        return SMALLEST <= number <= LARGEST
    owner = value.owner
    if owner in found:
        return True
    if type(owner) is SExtOp or type(owner) is ZExtOp:
        (source,) = fast.operands_of(owner)
        return source.type is I32 and _fits(value, facts)
    return False


class _Narrowing:
    """Creates the 32-bit form of each value."""

    def __init__(self, func: FuncOp) -> None:
        self.constants = Constants(func)
        self.narrow: dict[SSAValue, SSAValue] = {}

    def make(self, op: Operation) -> None:
        """Inserts the 32-bit form of an op before the op."""
        operands = tuple(self._operand(value) for value in fast.operands_of(op))
        made = fast.create(type(op), operands, (I32,), {"overflowFlags": _ONLY_NSW})
        fast.insert_before(made, op)
        self.narrow[op.results[0]] = made.results[0]

    def _operand(self, value: SSAValue) -> SSAValue:
        found = self.narrow.get(value)
        if found is not None:
            return found
        number = constant_integer(value)
        if number is not None:
            return self.constants.integer(number, I32)
        return fast.operands_of(fast.producer_of(value))[0]

    def replace(self, op: Operation) -> None:
        """Replaces remaining uses of the wide result by an extension of the narrow one."""
        result = op.results[0]
        if result.first_use is None:
            fast.erase(op)
            return
        extended = fast.create(SExtOp, (self.narrow[result],), (I64,))
        fast.insert_before(extended, op)
        fast.replace_op(op, extended.results)
