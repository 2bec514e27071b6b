"""Facts about a value at one program point: in a block, on an edge, at an op.

Ranges are computed on demand, walking up from the queried point. Branches on the path narrow the
range, and ranges are joined where paths merge. Around a loop no assumptions are made. (Corresponds
to LLVM's LazyValueInfo; 004 describes the queries of jump threading.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TypeAlias

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.edge_ranges import NOWHERE, EdgeRanges, is_plain
from nvvm_xdsl.analysis.values.value_tracking import TRANSFER, KnownValue, ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.branches import values_to
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

MAX_BLOCKS = 500
"""Maximum number of block values that one query computes; with more it uses only facts that hold
everywhere."""

_Key: TypeAlias = tuple[SSAValue, Block]


class LazyValueInfo(EdgeRanges):
    """Ranges of the integers of a function by program point.

    `entries` caches the results of queries: the range of a value throughout a block, before the
    block's own assumptions; `computed` counts them.
    """

    def __init__(
        self, facts: ValueTracking, tree: DominatorTree, loops: LoopInfo | None = None
    ) -> None:
        super().__init__(facts, tree)
        self.loops = loops
        """The dominator tree and loops, used to skip blocks without facts about a value. Passes
        that add edges remove them."""
        self.entries: dict[_Key, ConstantRange] = {}
        self.computed = 0
        self._budget = 0
        self._sources: dict[Block, list[Block]] = {}
        """The predecessors of blocks, during one query."""
        self._assumptions: frozenset[Block] | None = None

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

    def _is_as_at_home(self, value: SSAValue, home: Block, block: Block) -> bool:
        """True if no branch on the paths from a value's definition to a block constrains it.

        A branch that the block dominates is on no such path, unless a path leads from it back to
        the block without passing the definition.
        """
        loops = self.loops
        if home is block or loops is None or not loops.is_reducible:
            return False
        narrowing = self._may_narrow().get(value, NOWHERE)
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
        # The caller may change edges between queries.
        self._sources.clear()
        stack: list[_Key] = [goal]
        started: set[_Key] = set()
        while stack:
            key = stack[-1]
            if key in self.entries:
                stack.pop()
                continue
            if is_plain(key[0]):
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
        found = self._sources.get(block)
        if found is None:
            sources = dict.fromkeys(fast.predecessors_of(block))
            found = self._sources[block] = [p for p in sources if self.tree.contains(p)]
        return found

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
                key in self.entries or is_plain(key[0]) for key in fresh._needs(value, block)
            ):
                continue
            again = fresh._everywhere(value).intersect(fresh._compute(value, block))
            assert found.contains_range(again), (
                f"the range of %{value.name_hint} in a block was {found}, is {again}"
            )
