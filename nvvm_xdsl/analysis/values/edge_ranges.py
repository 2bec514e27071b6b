"""Ranges of values on an edge of the control-flow graph, from the conditions of its branch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.llvm import CondBrOp, ICmpOp, SelectOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.values.constant_range import (
    EQ,
    INVERSE,
    NE,
    SWAPPED,
    ConstantRange,
    allowed_region,
)
from nvvm_xdsl.analysis.values.known_bits import KnownBits
from nvvm_xdsl.analysis.values.value_tracking import TRANSFER, KnownValue, Transfer, ValueTracking
from nvvm_xdsl.dialects.generated.llvm_core_ops import FreezeOp
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.branches import case_values
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.ir import fast

MAX_NARROWING = 8
"""Maximum number of branches that constrain a value for which their positions are considered."""

NOWHERE: frozenset[Block] = frozenset()

MAX_CONDITION_DEPTH = 6
"""Maximum depth of `and`, `or` and `xor` in a branch condition that is decomposed."""

_Values: TypeAlias = tuple[SSAValue, ...]

_Operands: TypeAlias = tuple[Operation, _Values]
"""An op with its operands at that time, to detect changed operands."""


def is_plain(value: SSAValue) -> bool:
    """Returns True if a value has no cached range: it is a constant, or not an integer."""
    return constant_number(value) is not None or not integer_width(value.type)


def _masked(width: int, mask: int, number: int, predicate: int) -> ConstantRange:
    """The values `x` for which a comparison of `x & mask` with a number is true."""
    full = ConstantRange.full(width)
    mask &= (1 << width) - 1
    number &= (1 << width) - 1
    if predicate == EQ and not number & ~mask:
        # Under the mask the bits equal those of the number.
        return KnownBits(width, mask & ~number, number).range()
    if predicate == NE and number == 0 and mask:
        # Some bit of the mask is set, so the value is at least the lowest one.
        return ConstantRange.interval(width, mask & -mask, (1 << width) - 1)
    return full


def _note_condition(
    condition: SSAValue, found: set[SSAValue], visited: list[_Operands], depth: int
) -> None:
    """Adds the values that a condition constrains, and their defining ops."""
    found.add(condition)
    if not isinstance(condition, OpResult) or depth > MAX_CONDITION_DEPTH:
        return
    op = condition.op
    if type(op) is ICmpOp:
        visited.append((op, fast.operands_of(op)))
        for operand in fast.operands_of(op):
            found.add(operand)
            if type(operand) is OpResult:
                producer = fast.producer_of(operand)
                if producer.name in ("llvm.add", "llvm.and"):
                    visited.append((producer, fast.operands_of(producer)))
                    found.add(fast.operands_of(producer)[0])
    elif op.name in ("llvm.and", "llvm.or", "llvm.xor", "llvm.select"):
        visited.append((op, fast.operands_of(op)))
        for operand in fast.operands_of(op):
            _note_condition(operand, found, visited, depth + 1)


class EdgeRanges:
    """Ranges that branches of a function imply, and caches of what the branches depend on."""

    def __init__(self, facts: ValueTracking, tree: DominatorTree) -> None:
        self.facts = facts
        self.tree = tree
        self._narrowed: dict[SSAValue, frozenset[Block] | None] | None = None
        self._subjects: dict[SSAValue, tuple[set[SSAValue], list[_Operands]]] = {}
        self._switches: dict[
            Operation, tuple[Attribute | None, Sequence[Block], dict[Block, list[int]]]
        ] = {}
        self._of_facts: dict[
            SSAValue, tuple[Operation, _Values, list[Attribute], ConstantRange]
        ] = {}

    def _may_narrow(self) -> dict[SSAValue, frozenset[Block] | None]:
        """The values that branches constrain, with the blocks of these branches if there are few.

        All other values have the same facts in all blocks. They are computed once: later queries
        about a new branch's condition get less precise answers.
        """
        if self._narrowed is None:
            found: dict[SSAValue, frozenset[Block] | None] = {}

            def note(value: SSAValue, blocks: frozenset[Block] | None) -> None:
                known = found.get(value, NOWHERE)
                if known is not None:
                    both = None if blocks is None else known | blocks
                    found[value] = None if both is None or len(both) > MAX_NARROWING else both

            for block in self.tree.cfg.blocks:
                last = block.last_op
                if isinstance(last, CondBrOp) or (last is not None and last.name == "llvm.switch"):
                    said: set[SSAValue] = set()
                    _note_condition(fast.operands_of(last)[0], said, [], 0)
                    here = frozenset((block,))
                    for value in said:
                        note(value, here)
            for value, blocks in list(found.items()):
                for user in fast.users_of(value):
                    if user.name in TRANSFER:
                        for result in user.results:
                            note(result, blocks)
            self._narrowed = found
        return self._narrowed

    def _on_edge(
        self, value: SSAValue, source: Block, target: Block, known: ConstantRange
    ) -> ConstantRange:
        """`known`, intersected with the condition of the branch at the end of `source` on this
        edge."""
        last = source.last_op
        assert last is not None
        if type(last) is CondBrOp:
            yes, no = fast.successors_of(last)
            if yes is no:
                return known
            condition = fast.operands_of(last)[0]
            subjects = self._subjects_of(condition)
            if value in subjects:
                known = known.intersect(self._constraint(condition, value, target is yes, 0))
            return known.intersect(self._of_narrowed(condition, subjects, value, target is yes))
        if last.name == "llvm.switch" and fast.operands_of(last)[0] is value:
            width = known.width
            default = fast.successors_of(last)[0]
            cases = self._cases_of(last)
            joined = ConstantRange.empty(width)
            if default is target:
                joined = known
                # Only cases at the ends of a range can be removed.
                others = sorted(n for to, ns in cases.items() if to is not target for n in ns)
                for case in (*others, *reversed(others)):
                    joined = joined.intersect(ConstantRange.single(width, case).complement())
            for case in cases.get(target, ()):
                joined = joined.union(ConstantRange.single(width, case))
            return known.intersect(joined)
        return known

    def _cases_of(self, switch: Operation) -> dict[Block, list[int]]:
        """The cases of a switch by target, recomputed if it changed."""
        numbers = switch.properties.get("case_values")
        targets = fast.successors_of(switch)
        known = self._switches.get(switch)
        if known is not None and known[0] is numbers and known[1] is targets:
            return known[2]
        found: dict[Block, list[int]] = {}
        for number, target in zip(case_values(switch, signed=False), targets[1:]):
            found.setdefault(target, []).append(number)
        self._switches[switch] = numbers, targets, found
        return found

    def _subjects_of(self, condition: SSAValue) -> set[SSAValue]:
        """The values that a condition may constrain, recomputed if its ops changed."""
        known = self._subjects.get(condition)
        if known is not None:
            for op, operands in known[1]:
                if fast.operands_of(op) is not operands:
                    break
            else:
                return known[0]
        found: set[SSAValue] = set()
        visited: list[_Operands] = []
        _note_condition(condition, found, visited, 0)
        self._subjects[condition] = found, visited
        return found

    def _of_narrowed(
        self, condition: SSAValue, subjects: set[SSAValue], value: SSAValue, holds: bool
    ) -> ConstantRange:
        """Facts about the result of an op under a condition on its operand."""
        width = integer_width(value.type)
        if type(value) is not OpResult:
            return ConstantRange.full(width)
        op = fast.producer_of(value)
        transfer = TRANSFER.get(op.name)
        if transfer is None:
            return ConstantRange.full(width)
        operands = fast.operands_of(op)
        if self._may_narrow().keys().isdisjoint(operands):
            return ConstantRange.full(width)
        if subjects.isdisjoint(operands) and type(op) is not FreezeOp:
            return self._from_facts(op, transfer, operands, value, width)
        facts: list[KnownValue] = []
        for operand in operands:
            if not integer_width(operand.type):
                return ConstantRange.full(width)
            fact = self.facts.fact(operand)
            narrowed = self._constraint(condition, operand, holds, 0)
            facts.append(KnownValue.of(fact.bits, fact.range.intersect(narrowed)))
        return transfer(op, facts).range

    def _from_facts(
        self, op: Operation, transfer: Transfer, operands: _Values, value: SSAValue, width: int
    ) -> ConstantRange:
        """Facts about the result of an op from facts that hold for its operands everywhere."""
        flags = list(op.properties.values())
        known = self._of_facts.get(value)
        if known is not None and known[0] is op and known[1] is operands and known[2] == flags:
            return known[3]
        found = ConstantRange.full(width)
        if all(integer_width(operand.type) for operand in operands):
            facts = [self.facts.fact(operand) for operand in operands]
            found = transfer(op, [KnownValue.of(*fact) for fact in facts]).range
        self._of_facts[value] = op, operands, flags, found
        return found

    def _constraint(
        self, condition: SSAValue, value: SSAValue, holds: bool, depth: int
    ) -> ConstantRange:
        """The range of an integer if a condition is true or false."""
        width = integer_width(value.type)
        full = ConstantRange.full(width)
        if condition is value:
            return ConstantRange.single(1, int(holds))
        if type(condition) is not OpResult or depth > MAX_CONDITION_DEPTH:
            return full
        op = fast.producer_of(condition)
        if type(op) is ICmpOp:
            return self._of_comparison(op, value, holds)
        if op.name in ("llvm.and", "llvm.or"):
            a, b = (self._constraint(v, value, holds, depth + 1) for v in fast.operands_of(op))
            # If a conjunction holds, both operands hold; if it fails, at least one of them fails.
            return a.intersect(b) if (op.name == "llvm.and") == holds else a.union(b)
        if type(op) is SelectOp:
            return self._of_logic(op, value, holds, depth)
        if op.name == "llvm.xor":
            a, b = fast.operands_of(op)
            if constant_number(b) in (1, -1):
                return self._constraint(a, value, not holds, depth + 1)
        return full

    def _of_logic(self, op: Operation, value: SSAValue, holds: bool, depth: int) -> ConstantRange:
        """The operands of `select a, b, false`, a logical and, and `select a, true, b`, an or."""
        a, b, c = fast.operands_of(op)
        is_and = constant_number(c) == 0
        if not is_and and not constant_number(b):
            return ConstantRange.full(integer_width(value.type))
        first = self._constraint(a, value, holds, depth + 1)
        second = self._constraint(b if is_and else c, value, holds, depth + 1)
        if is_and == holds:
            return first.intersect(second)
        # The second condition is relevant if the first does not decide.
        opposite = self._constraint(a, value, not holds, depth + 1)
        return first.union(second.intersect(opposite))

    def _of_comparison(self, op: Operation, value: SSAValue, holds: bool) -> ConstantRange:
        width = integer_width(value.type)
        predicate = predicate_of(op)
        if not holds:
            predicate = INVERSE[predicate]
        left, right = fast.operands_of(op)
        if not integer_width(left.type):
            return ConstantRange.full(width)
        found = ConstantRange.full(width)
        for one, other, compared in ((left, right, predicate), (right, left, SWAPPED[predicate])):
            if one is value:
                found = found.intersect(allowed_region(compared, self.facts.range(other)))
                continue
            if type(one) is not OpResult:
                continue
            producer = fast.producer_of(one)
            # A comparison of value + c: the range is shifted by c.
            if producer.name == "llvm.add":
                base, added = fast.operands_of(producer)
                constant = constant_number(added)
                if base is value and constant is not None:
                    region = allowed_region(compared, self.facts.range(other))
                    found = found.intersect(region.sub(ConstantRange.single(width, constant)))
            # A comparison of x & mask: no bit of the mask is set, or at least one is.
            elif producer.name == "llvm.and":
                base, mask = fast.operands_of(producer)
                bits, number = constant_number(mask), constant_number(other)
                if base is value and bits is not None and number is not None:
                    found = found.intersect(_masked(width, bits, number, compared))
        return found
