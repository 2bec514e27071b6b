"""What ScalarEvolution must forget when the IR changes.

`forget_loop` works in the eight phases of 003 ("SCEV Invalidation & Delinearization"), each a
step of its own here.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.llvm import ICmpOp
from xdsl.ir import Block, OpResult, SSAValue

from nvvm_xdsl.analysis.constant_range import ConstantRange
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.scev import Expressions, Kind, Scev
from nvvm_xdsl.analysis.scev_knobs import ScevKnobs
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.branches import edges_of

SHALLOW, DEEP = 0, 1
"""Depth flags of `forget_loop`; larger ones bound the chains that are followed."""

Predicate: TypeAlias = tuple[int, Scev]
"""A wrap flag that is assumed of a recurrence."""


class Invalidation:
    """The forgetting half of ScalarEvolution, on its seven caches."""

    knobs: ScevKnobs
    loops: LoopInfo
    expressions: Expressions
    value_exprs: dict[SSAValue, Scev]
    unsigned_ranges: dict[Scev, ConstantRange]
    signed_ranges: dict[Scev, ConstantRange]
    backedge_taken_counts: dict[Loop, Scev]
    exit_counts: dict[tuple[Loop, Block], Scev]
    addrec_folds: dict[tuple[Kind, Scev, int], Scev]
    predicated_backedge_taken_counts: dict[Loop, tuple[Scev, list[Predicate]]]
    evictions: Counter[str]
    forgotten_loops: set[Loop]

    if TYPE_CHECKING:

        def verify(self, *, strict: bool | None = None, maps: bool | None = None) -> None: ...

    def forget_loop(
        self,
        loop: Loop,
        depth: int = DEEP,
        extra: int = 0,
        visited: set[Loop] | None = None,
    ) -> None:
        """Drops all that is known about a loop and what was computed from it.

        Arguments:
            depth: `SHALLOW` drops the loop's own values, `DEEP` follows all that depends on
                them, a number above 1 follows that many steps.
            extra: with it, exits whose recurrences have two operands are not followed further;
                from `max_exit_analysis_depth` on, not at all in loops of two exits.
            visited: loops that are done already.
        """
        is_outermost = visited is None
        visited = set() if visited is None else visited
        if loop in visited:
            return
        visited.add(loop)
        collected = self._collect_block_values(loop)
        collected += self._collect_scope(loop)
        collected += self._process_exits(loop, extra)
        dependent = self._dependent_values(collected, depth)
        expressions = self._evict_values(dependent)
        self._evict_counts(loop)
        self._evict_folds(loop, expressions)
        self._clean_predicates(loop, expressions)
        self.forgotten_loops.add(loop)
        if depth != SHALLOW:
            for inner in loop.subloops:
                self.forget_loop(inner, depth, extra, visited)
        if is_outermost:
            self._verify_if_wanted()

    def forget_after_unrolling(self, loop: Loop) -> None:
        """Forgets a loop that was unrolled, unless `forget-scev-loop-unroll` is off."""
        if self.knobs.forget_scev_loop_unroll:
            self.forget_loop(loop)

    def _verify_if_wanted(self) -> None:
        if self.knobs.verify_scev:
            self.verify()

    def _collect_block_values(self, loop: Loop) -> list[SSAValue]:
        """Phase 1: the values of the loop's blocks that have expressions."""
        found: list[SSAValue] = []
        for block in loop.blocks:
            found += [a for a in block.args if a in self.value_exprs]
            for op in fast.ops_of(block):
                found += [r for r in op.results if r in self.value_exprs]
        return found

    def _collect_scope(self, loop: Loop) -> list[SSAValue]:
        """Phase 1B: values elsewhere whose expressions speak of the loop."""
        return [
            value
            for value, expression in self.value_exprs.items()
            if not loop.defines(value) and _mentions_loop(expression, loop)
        ]

    def _process_exits(self, loop: Loop, extra: int) -> list[SSAValue]:
        """Phase 2: the conditions on which the loop is left."""
        blocks = loop.exiting_blocks()
        if len(blocks) == 2 and extra >= self.knobs.max_exit_analysis_depth:
            return []
        found: list[SSAValue] = []
        for block in blocks:
            last = block.last_op
            if last is None or not fast.operands_of(last):
                continue
            work = [fast.operands_of(last)[0]]
            while work:
                value = work.pop()
                expression = self.value_exprs.get(value)
                if expression is not None and _mentions_loop(expression, loop):
                    found.append(value)
                if extra and expression is not None and expression.is_affine:
                    continue
                if isinstance(value, OpResult) and isinstance(value.op, ICmpOp):
                    work.extend(fast.operands_of(value.op))
        return found

    def _dependent_values(self, collected: list[SSAValue], depth: int) -> set[SSAValue]:
        """Phase 3: the transitive closure over users, last collected first."""
        found = set(collected)
        if depth == SHALLOW:
            return found
        level = [*reversed(collected)]
        steps = 0
        while level and (depth == DEEP or steps < depth):
            steps += 1
            following: list[SSAValue] = []
            for value in level:
                for user in fast.users_of(value):
                    touched: list[SSAValue] = list(user.results)
                    for target, values in edges_of(user) if fast.successors_of(user) else ():
                        touched += [a for a, v in zip(target.args, values) if v is value]
                    for result in touched:
                        if result not in found:
                            found.add(result)
                            following.append(result)
            level = following
        return found

    def _evict_values(self, values: set[SSAValue]) -> set[Scev]:
        """Phase 4: the values' expressions, and the ranges of all that mentions them."""
        gone: set[Scev] = set()
        for value in values:
            expression = self.value_exprs.pop(value, None)
            if expression is not None:
                gone.add(expression)
                self.evictions["value_exprs"] += 1
        self._evict_ranges(values, gone)
        return gone

    def _evict_ranges(self, values: set[SSAValue], gone: set[Scev]) -> None:
        for name, table in (
            ("unsigned_ranges", self.unsigned_ranges),
            ("signed_ranges", self.signed_ranges),
        ):
            stale = [
                e for e in table
                if e in gone or any(p in gone or p.value in values for p in e.walk() if p.operands or p.value)
            ]  # fmt: skip
            for expression in stale:
                del table[expression]
                self.evictions[name] += 1

    def _evict_counts(self, loop: Loop) -> None:
        """Phase 5: the counts of the loop, and those of others that mention it."""

        def evict(name: str, table: Any, of: Loop) -> None:
            if table.pop(of, None) is not None:
                self.evictions[name] += 1

        for other in list(self.backedge_taken_counts):
            if other is loop or _mentions_loop(self.backedge_taken_counts[other], loop):
                evict("backedge_taken_counts", self.backedge_taken_counts, other)
        for other in list(self.predicated_backedge_taken_counts):
            count, _ = self.predicated_backedge_taken_counts[other]
            if other is loop or _mentions_loop(count, loop):
                evict(
                    "predicated_backedge_taken_counts", self.predicated_backedge_taken_counts, other
                )
        for key in list(self.exit_counts):
            if key[0] is loop or _mentions_loop(self.exit_counts[key], loop):
                del self.exit_counts[key]
                self.evictions["exit_counts"] += 1

    def _evict_folds(self, loop: Loop, gone: set[Scev]) -> None:
        """Phase 6: extensions of the loop's recurrences, whose flags its count may have proved."""
        for key in list(self.addrec_folds):
            recurrence = key[1]
            if recurrence in gone or _mentions_loop(recurrence, loop):
                del self.addrec_folds[key]
                self.evictions["addrec_folds"] += 1

    def _clean_predicates(self, loop: Loop, gone: set[Scev]) -> None:
        """Phase 7: predicated counts that assume something of what is gone; ranges of the loop."""
        for other in list(self.predicated_backedge_taken_counts):
            _, assumed = self.predicated_backedge_taken_counts[other]
            if any(e in gone or _mentions_loop(e, loop) for _, e in assumed):
                del self.predicated_backedge_taken_counts[other]
                self.evictions["predicated_backedge_taken_counts"] += 1
        for table in (self.unsigned_ranges, self.signed_ranges):
            for expression in [e for e in table if _mentions_loop(e, loop)]:
                del table[expression]
        # Recurrences are unique for good: flags that a count proved must not outlive it.
        self.expressions.forget(lambda e: _mentions_loop(e, loop))

    def forget_value(self, value: SSAValue) -> None:
        """Drops the value's expression and all that depends on it: when it is replaced or erased."""
        values = self._dependent_values([value], DEEP)
        gone = self._evict_values(values)
        for key in list(self.exit_counts):
            if self._depends(self.exit_counts[key], values, gone) or self._tests(key[1], values):
                loop = key[0]
                del self.exit_counts[key]
                self.evictions["exit_counts"] += 1
                if self.backedge_taken_counts.pop(loop, None) is not None:
                    self.evictions["backedge_taken_counts"] += 1
                if self.predicated_backedge_taken_counts.pop(loop, None) is not None:
                    self.evictions["predicated_backedge_taken_counts"] += 1
        for key in list(self.addrec_folds):
            if self._depends(key[1], values, gone):
                del self.addrec_folds[key]
                self.evictions["addrec_folds"] += 1
        self._verify_if_wanted()

    def _depends(self, expression: Scev, values: set[SSAValue], gone: set[Scev]) -> bool:
        return any(
            p in gone or (p.value is not None and p.value in values) for p in expression.walk()
        )

    def _tests(self, block: Block, values: set[SSAValue]) -> bool:
        last = block.last_op
        return last is not None and any(v in values for v in fast.operands_of(last))

    def forget_all_loops(self) -> None:
        """Forgets every loop: when the function's loops are others now."""
        visited: set[Loop] = set()
        for loop in self.loops.loops():
            self.forget_loop(loop, visited=visited)
        self._verify_if_wanted()

    def forget_memoized_results(self, expression: Scev) -> None:
        """Drops the ranges and folds of one expression."""
        for table in (self.unsigned_ranges, self.signed_ranges):
            table.pop(expression, None)
        for key in [k for k in self.addrec_folds if k[1] is expression]:
            del self.addrec_folds[key]


def _mentions_loop(expression: Scev, loop: Loop) -> bool:
    for part in expression.walk():
        if part.loop is loop or (part.value is not None and loop.defines(part.value)):
            return True
    return False
