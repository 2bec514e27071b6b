"""Facts about a value at one program point: in a block, on an edge, at an op.

Ranges are computed on demand, walking up from the queried point. Branches on the path narrow the
range, and ranges are joined where paths merge. Around a loop no assumptions are made. (Corresponds
to LLVM's LazyValueInfo; 004 describes the queries of jump threading.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, TypeAlias

from xdsl.dialects.llvm import CondBrOp, ICmpOp, SelectOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
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
from nvvm_xdsl.dialects.llvm.branches import case_values, values_to
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

MAX_BLOCKS = 500
"""Maximum number of block values that one query computes; with more it uses only facts that hold
everywhere."""
MAX_NARROWING = 8
"""Maximum number of branches that constrain a value for which their positions are considered."""
_NOWHERE: frozenset[Block] = frozenset()
MAX_CONDITION_DEPTH = 6
"""Maximum depth of `and`, `or` and `xor` in a branch condition that is decomposed."""

_Key: TypeAlias = tuple[SSAValue, Block]
_Values: TypeAlias = tuple[SSAValue, ...]
_Operands: TypeAlias = tuple[Operation, _Values]
"""An op with its operands at that time, to detect changed operands."""


class LazyValueInfo:
    """Ranges of the integers of a function by program point.

    `entries` caches the results of queries: the range of a value throughout a block, before the
    block's own assumptions; `computed` counts them.
    """

    def __init__(
        self, facts: ValueTracking, tree: DominatorTree, loops: LoopInfo | None = None
    ) -> None:
        self.facts = facts
        self.tree = tree
        self.loops = loops
        """The dominator tree and loops, used to skip blocks without facts about a value. Passes
        that add edges remove them."""
        self.entries: dict[_Key, ConstantRange] = {}
        self.computed = 0
        self._budget = 0
        self._narrowed: dict[SSAValue, frozenset[Block] | None] | None = None
        self._assumptions: frozenset[Block] | None = None
        self._subjects: dict[SSAValue, tuple[set[SSAValue], list[_Operands]]] = {}
        self._switches: dict[
            Operation, tuple[Attribute | None, Sequence[Block], dict[Block, list[int]]]
        ] = {}
        self._of_facts: dict[
            SSAValue, tuple[Operation, _Values, list[Attribute], ConstantRange]
        ] = {}

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The lazy value info of a function."""
        return cls(am.get(ValueTracking, op), am.get(DominatorTree, op), am.get(LoopInfo, op))

    # Queries.

    def range_in_block(self, value: SSAValue, block: Block) -> ConstantRange:
        """The range of an integer throughout the block."""
        self._budget = MAX_BLOCKS
        return self._solve(value, block)

    def range_at(self, value: SSAValue, op: Operation) -> ConstantRange:
        """The range of an integer at the op."""
        block = op.parent
        assert block is not None
        found = self.range_in_block(value, block)
        if block not in self._assuming_blocks():
            return found
        at = block.first_op
        while at is not None and at is not op:
            if at.name == "llvm.intr.assume":
                found = found.intersect(self._constraint(fast.operands_of(at)[0], value, True, 0))
            at = at.next_op
        return found

    def range_on_edge(self, value: SSAValue, source: Block, target: Block) -> ConstantRange:
        """The range of an integer on the edge from one block to the other.

        With several edges between the blocks, on any of them.
        """
        self._budget = MAX_BLOCKS
        known = self._solve(value, source)
        return self._on_edge(value, source, target, known)

    # Solving.

    def _assuming_blocks(self) -> frozenset[Block]:
        """The blocks that contain an assumption."""
        if self._assumptions is None:
            self._assumptions = frozenset(
                block
                for block in self.tree.cfg.blocks
                if any(op.name == "llvm.intr.assume" for op in fast.ops_of(block))
            )
        return self._assumptions

    def _may_narrow(self) -> dict[SSAValue, frozenset[Block] | None]:
        """The values that branches constrain, with the blocks of these branches if there are few.

        All other values have the same facts in all blocks. They are computed once: later queries
        about a new branch's condition get less precise answers.
        """
        if self._narrowed is None:
            found: dict[SSAValue, frozenset[Block] | None] = {}

            def note(value: SSAValue, blocks: frozenset[Block] | None) -> None:
                known = found.get(value, _NOWHERE)
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

    def _is_as_at_home(self, value: SSAValue, home: Block, block: Block) -> bool:
        """True if no branch on the paths from a value's definition to a block constrains it.

        A branch that the block dominates is on no such path, unless a path leads from it back to
        the block without passing the definition.
        """
        loops = self.loops
        if home is block or loops is None or not loops.is_reducible:
            return False
        narrowing = self._may_narrow().get(value, _NOWHERE)
        if narrowing is None:
            return False
        for other in narrowing:
            if not self.tree.dominates(block, other):
                return False
            loop = loops.common_loop(block, other)
            if loop is not None and loop.header is not home:
                return False
        return True

    def _is_looped(self, block: Block, home: Block) -> bool:
        """Returns True if a block is in a loop that does not contain another block."""
        loop = None if self.loops is None else self.loops.loop_for(block)
        return loop is not None and not loop.contains(home)

    def _everywhere(self, value: SSAValue) -> ConstantRange:
        return self.facts.range(value)

    def _solve(self, value: SSAValue, block: Block) -> ConstantRange:
        """Computes block values bottom up, without recursion."""
        goal = (value, block)
        found = self.entries.get(goal)
        if found is not None:
            return found
        stack: list[_Key] = [goal]
        started: set[_Key] = set()
        while stack:
            key = stack[-1]
            if key in self.entries:
                stack.pop()
                continue
            if _is_plain(key[0]):
                stack.pop()
                continue
            if key not in started:
                home = defining_block(key[0])
                if (
                    self._budget > 0
                    and home is not None
                    and self._is_as_at_home(key[0], home, key[1])
                ):
                    first = (key[0], home)
                    at_home = self.entries.get(first)
                    if at_home is None and first not in started:
                        stack.append(first)
                        continue
                    # If the range at the definition is full, it is full on all paths without
                    # constraints, also around loops.
                    everywhere = self._everywhere(key[0])
                    if at_home in (None, everywhere) or self._is_looped(key[1], home):
                        self.computed += 1
                        self.entries[key] = everywhere
                        stack.pop()
                        continue
                started.add(key)
                self._budget -= 1
                missing: list[_Key] = []
                if self._budget > 0:
                    missing = [
                        k for k in self._needs(*key) if k not in self.entries and k not in started
                    ]
                if missing:
                    stack.extend(missing)
                    continue
            stack.pop()
            self.computed += 1
            found = self._everywhere(key[0])
            if self._budget > 0:
                found = found.intersect(self._compute(*key))
            self.entries[key] = found
        return self._at(value, block)

    def _at(self, value: SSAValue, block: Block) -> ConstantRange:
        """The cached range, or the facts that hold everywhere."""
        found = self.entries.get((value, block))
        return self._everywhere(value) if found is None else found

    def _predecessors(self, block: Block) -> list[Block]:
        found = fast.predecessors_of(block)
        if len(found) > 1:
            found = list(dict.fromkeys(found))
        return [p for p in found if self.tree.contains(p)]

    def _needs(self, value: SSAValue, block: Block) -> list[_Key]:
        home = defining_block(value)
        if home is not block:
            if home is not None and value not in self._may_narrow():
                return [(value, home)]
            return [(value, p) for p in self._predecessors(block)]
        if isinstance(value, BlockArgument):
            found: list[_Key] = []
            for pred in self._predecessors(block):
                last = pred.last_op
                for values in values_to(last, block) if last is not None else ():
                    found.append((values[value.index], pred))
            return found
        assert isinstance(value, OpResult)
        if value.op.name not in TRANSFER:
            return []
        return [(v, block) for v in fast.operands_of(value.op)]

    def _compute(self, value: SSAValue, block: Block) -> ConstantRange:
        width = integer_width(value.type)
        home = defining_block(value)
        if home is block and type(value) is OpResult:
            return self._of_op(value, block, width)
        if home is not block and home is not None and value not in self._may_narrow():
            return self._at(value, home)
        predecessors = self._predecessors(block)
        if not predecessors:
            return ConstantRange.full(width)
        joined = ConstantRange.empty(width)
        for pred in predecessors:
            last = pred.last_op
            assert last is not None
            if home is block and isinstance(value, BlockArgument):
                for values in values_to(last, block):
                    brought = values[value.index]
                    joined = joined.union(
                        self._on_edge(brought, pred, block, self._at(brought, pred))
                    )
            else:
                joined = joined.union(self._on_edge(value, pred, block, self._at(value, pred)))
        return joined

    def _of_op(self, value: SSAValue, block: Block, width: int) -> ConstantRange:
        op = fast.producer_of(value)
        transfer = TRANSFER.get(op.name)
        if transfer is None:
            return ConstantRange.full(width)
        facts: list[KnownValue] = []
        for operand in fast.operands_of(op):
            if not integer_width(operand.type):
                return ConstantRange.full(width)
            fact = self.facts.fact(operand)
            facts.append(KnownValue.of(fact.bits, fact.range.intersect(self._at(operand, block))))
        return transfer(op, facts).range

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

    def verify(self) -> None:
        """Computes each range from its dependencies; raises AssertionError if a cached range is too
        narrow.

        The ranges are not recomputed from scratch, because in a loop a range depends on the order
        of the queries.
        """
        fresh = LazyValueInfo(ValueTracking(self.facts.func), DominatorTree(self.tree.cfg.region))
        fresh.entries.update(self.entries)
        for (value, block), found in self.entries.items():
            if not all(
                key in self.entries or _is_plain(key[0]) for key in fresh._needs(value, block)
            ):
                continue
            again = fresh._everywhere(value).intersect(fresh._compute(value, block))
            assert found.contains_range(again), (
                f"the range of %{value.name_hint} in a block was {found}, is {again}"
            )


def _is_plain(value: SSAValue) -> bool:
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
