"""Invalidation of ScalarEvolution's caches when the IR changes.

`forget_loop` works in the eight phases of 003 ("SCEV Invalidation & Delinearization",
"forgetLoop: The 8-Phase Algorithm"), each a step of its own here.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.ir import fast

SHALLOW, DEEP = 0, 1
"""Depth flags of `forget_loop`; larger ones bound the chains that are followed."""

PRIMARY, SECONDARY = 1 << 0, 1 << 8
"""The cached facts of a loop: its expressions and counts, and its predicated counts."""

Predicate: TypeAlias = tuple[int, Scev]
"""An assumption about a recurrence or expression: a wrap flag, `ZERO` or `POSITIVE`."""


class ExitLimit(NamedTuple):
    """The number of backedges taken before one of the loop's exits leaves it.

    `exact` is the count if the exit's test decides, and `most` an upper bound, equal to `exact` if that is
    known; both may be `could_not_compute`. `highest` is a constant upper bound of `most`, if one is known that the
    formula does not imply.
    """

    exact: Scev
    most: Scev
    highest: int | None


class BackedgeTakenInfo(NamedTuple):
    """The number of backedges taken by a loop.

    `exact` is None until it is queried. `bounds` has the iteration counts that the exits permit;
    None if they permit all.
    """

    exact: Scev | None
    bounds: ConstantRange | None


class Invalidation:
    """Invalidates the seven caches of ScalarEvolution."""

    knobs: ScevKnobs
    loops: LoopInfo
    expressions: Expressions
    could_not_compute: Scev
    value_exprs: dict[SSAValue, Scev]
    unsigned_ranges: dict[Scev, ConstantRange]
    signed_ranges: dict[Scev, ConstantRange]
    backedge_taken_counts: dict[Loop, BackedgeTakenInfo]
    exit_counts: dict[tuple[Loop, Block], ExitLimit]
    addrec_folds: dict[tuple[Kind, Scev, int], Scev]
    predicated_backedge_taken_counts: dict[Loop, tuple[Scev, list[Predicate]]]
    evictions: Counter[str]
    forgotten_loops: dict[Loop, int]
    guards: dict[SSAValue, set[Loop]]
    """Conditions before loops, with the loops whose facts depend on them."""

    if TYPE_CHECKING:

        def verify(self, *, strict: bool | None = None, maps: bool | None = None) -> None: ...

        def bounds_of_count(self, loop: Loop) -> ConstantRange | None: ...

    def forget_loop(
        self, loop: Loop, depth: int = DEEP, extra: int = 0, visited: set[Loop] | None = None
    ) -> None:
        """Invalidates all facts about a loop and all facts computed from them.

        Loops whose tests or guards depend on it are invalidated too, unless `depth` is `SHALLOW`:
        facts about their recurrences follow from their counts.

        Arguments:
            depth: `SHALLOW` invalidates the loop's own values. `DEEP` also invalidates all
                dependent values and those of inner loops. A number above 1 is the maximum length of
                dependence chains.
            extra: if not 0, chains of exit conditions end at recurrences with two operands; from
                `max_exit_analysis_depth` on, exits of loops with two exits are not followed at all.
            visited: loops that are already invalidated; extended by this call.
        """
        visited = set() if visited is None else visited
        work = [loop]
        touched: list[Loop] = []
        while work:
            at = work.pop()
            if at in visited:
                continue
            visited.add(at)
            mentioning = self._mentioning(at)
            collected = self._collect_block_values(at)
            collected += self._collect_scope(mentioning)
            collected += self._process_exits(at, extra)
            touched += self._forget_collected(at, mentioning, collected, depth)
            self._mark_forgotten(at)
            if depth != SHALLOW:
                work += at.subloops
        if depth != SHALLOW:
            self._forget_recurrences(touched, set(visited), depth)
        self._verify_if_wanted()

    def _forget_collected(
        self, loop: Loop, mentioning: set[Scev], collected: list[SSAValue], depth: int
    ) -> list[Loop]:
        """Phases 3 to 7. Returns the loops whose tests or guards were invalidated.

        Arguments:
            mentioning: the expressions that mention the loop.
            collected: the values whose expressions are stale.
        """
        dependent = self._dependent_values(collected, depth)
        touched = self._tested_or_guarded(dependent)
        gone = self._evict_values(mentioning, dependent)
        touched = self._evict_counts(loop, dependent, touched)
        self._evict_folds(mentioning, gone)
        self._clean_predicates(loop, gone)
        return touched

    def _forget_recurrences(self, work: list[Loop], visited: set[Loop], depth: int) -> None:
        """Phase 5, recursively: drops facts that depend on the counts of loops whose tests changed.

        These are facts about recurrences; facts about other values remain.
        """
        while work:
            loop = work.pop()
            if loop not in visited:
                visited.add(loop)
                stale = self._mentioning(loop)
                collected = [v for v, e in self.value_exprs.items() if e in stale]
                work += self._forget_collected(loop, stale, collected, depth)

    def _verify_if_wanted(self) -> None:
        if self.knobs.verify_scev:
            self.verify()

    def _drop(self, name: str, table: dict[Any, Any], stale: list[Any]) -> None:
        """Removes entries from a table and counts them under its name."""
        for key in stale:
            del table[key]
        self.evictions[name] += len(stale)

    def _mentioning(self, loop: Loop) -> set[Scev]:
        """The expressions with recurrences of the loop, or with values defined in it."""
        found = self.expressions.table.mentioning([loop])
        for block in loop.blocks:
            found |= self.expressions.table.mentioning(block.args)
            for op in fast.ops_of(block):
                found |= self.expressions.table.mentioning(op.results)
        return found

    def _collect_block_values(self, loop: Loop) -> list[SSAValue]:
        """Phase 1: the values of the loop's blocks that have expressions."""
        found: list[SSAValue] = []
        for block in loop.blocks:
            found += [a for a in block.args if a in self.value_exprs]
            for op in fast.ops_of(block):
                found += [r for r in op.results if r in self.value_exprs]
        return found

    def _collect_scope(self, stale: set[Scev]) -> list[SSAValue]:
        """Phase 1B: values anywhere with stale expressions, and erased values."""
        return [
            value
            for value, expression in self.value_exprs.items()
            if expression in stale or _is_erased(value)
        ]

    def _process_exits(self, loop: Loop, extra: int) -> list[SSAValue]:
        """Phase 2: the exit conditions of the loop and their operands in the loop.

        The chains are followed through operands; with `extra` they end at affine recurrences, which
        their start and step determine.
        """
        blocks = loop.exiting_blocks()
        if len(blocks) == 2 and extra >= self.knobs.max_exit_analysis_depth:
            return []
        found: dict[SSAValue, None] = {}
        work: list[SSAValue] = []
        for block in blocks:
            last = block.last_op
            if last is not None and fast.operands_of(last):
                work.append(fast.operands_of(last)[0])
        while work:
            value = work.pop()
            expression = self.value_exprs.get(value)
            if value in found or expression is None or not _mentions_loop(expression, loop):
                continue
            found[value] = None
            if isinstance(value, OpResult) and not (extra and expression.is_affine):
                work.extend(fast.operands_of(value.op))
        return list(found)

    def _dependent_values(self, collected: list[SSAValue], depth: int) -> set[SSAValue]:
        """Phase 3: the transitive closure over users, last collected first."""
        found = set(collected)
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

    def _evict_values(self, mentioning: set[Scev], values: set[SSAValue]) -> set[Scev]:
        """Phase 4: the values' expressions, and the ranges of all expressions that contain them."""
        stale = [v for v in values if v in self.value_exprs]
        gone = {self.value_exprs[v] for v in stale}
        self._drop("value_exprs", self.value_exprs, stale)
        old = self.expressions.table.mentioning(values) | mentioning
        # An erased value can occur only in expressions that contain its loops and values. If it was
        # a constant, the constant remains valid.
        parts = {e for e in gone if e.kind is not Kind.CONSTANT and e not in old}
        leaves = {leaf for e in parts for leaf in (*e.loops, *e.values)}
        old.update(
            e for e in self.expressions.table.mentioning(leaves) if not parts.isdisjoint(e.walk())
        )
        old |= parts
        for name, table in (
            ("unsigned_ranges", self.unsigned_ranges),
            ("signed_ranges", self.signed_ranges),
        ):
            few, many = (old, table) if len(old) < len(table) else (table, old)
            self._drop(name, table, [e for e in few if e in many])
        return gone

    def _tested_or_guarded(self, values: set[SSAValue]) -> list[Loop]:
        """The loops whose exit or entry depends on conditions among the values."""
        found: dict[Loop, None] = {}
        for value in values:
            found.update(dict.fromkeys(self.guards.pop(value, ())))
            for user in fast.users_of(value):
                targets = fast.successors_of(user)
                if not targets or fast.operands_of(user)[0] is not value:
                    continue
                loop = self.loops.loop_for(user.parent)
                while loop is not None and not all(map(loop.contains, targets)):
                    found[loop] = None
                    loop = loop.parent
        return list(found)

    def _evict_counts(
        self, loop: Loop | None, values: set[SSAValue], touched: list[Loop]
    ) -> list[Loop]:
        """Phase 5: the counts of the loop, of the affected loops, and those that contain it or the
        values.

        Returns the loops whose counts were invalidated. Facts about their recurrences must be
        invalidated too.
        """
        gone = {*touched} if loop is None else {loop, *touched}

        def mentions(count: Scev) -> bool:
            return not count.values.isdisjoint(values) or (
                loop is not None and _mentions_loop(count, loop)
            )

        exits = [
            (other, block)
            for (other, block), limit in self.exit_counts.items()
            if other in gone or mentions(limit.most)
        ]
        gone.update(other for other, _ in exits)
        self._drop("exit_counts", self.exit_counts, exits)
        for name, table in (
            ("backedge_taken_counts", self.backedge_taken_counts),
            ("predicated_backedge_taken_counts", self.predicated_backedge_taken_counts),
        ):
            self._drop(name, table, [other for other in table if other in gone])
        return list(gone)

    def _evict_folds(self, stale: set[Scev], gone: set[Scev]) -> None:
        """Phase 6: extensions of the loop's recurrences, whose flags its count may have proved."""
        self._drop("addrec_folds", self.addrec_folds, [
            key for key in self.addrec_folds if key[1] in gone or key[1] in stale
        ])  # fmt: skip
        # Recurrences are interned: flags that were proved by a count must be removed with it.
        self.expressions.table.forget(stale)

    def _clean_predicates(self, loop: Loop, gone: set[Scev]) -> None:
        """Phase 7: predicated counts with assumptions about invalidated expressions.

        The loop's entry becomes the range of counts that its other exits permit without the
        assumptions, if there is one.
        """
        stale = [
            other
            for other, (_, assumed) in self.predicated_backedge_taken_counts.items()
            if any(e in gone or _mentions_loop(e, loop) for _, e in assumed)
        ]
        self._drop("predicated_backedge_taken_counts", self.predicated_backedge_taken_counts, stale)
        for other in stale:
            known = self.backedge_taken_counts.get(other)
            if any((other, block) not in self.exit_counts for block in other.exiting_blocks()):
                continue
            bounds = self.bounds_of_count(other)
            if bounds is not None and not bounds.is_empty:
                exact = known.exact if known is not None else None
                self.backedge_taken_counts[other] = BackedgeTakenInfo(exact, bounds)

    def _mark_forgotten(self, loop: Loop) -> None:
        """Phase 8: records that the loop was forgotten."""
        self.forgotten_loops[loop] = PRIMARY | SECONDARY

    def forget_value(self, value: SSAValue) -> None:
        """Drops a replaced or erased value's expression and all facts that depend on it.

        This includes facts about loops whose exit or guard conditions use the value.
        """
        values = self._dependent_values([value], DEEP)
        touched = self._tested_or_guarded(values)
        gone = self._evict_values(set(), values)
        touched = self._evict_counts(None, values, touched)
        self._drop("addrec_folds", self.addrec_folds, [
            key for key in self.addrec_folds if self._depends(key[1], values, gone)
        ])  # fmt: skip
        # Expressions that contain a value may have flags that follow from its range.
        self.expressions.table.forget(self.expressions.table.mentioning(values))
        self._forget_recurrences(touched, set(), DEEP)
        self._verify_if_wanted()

    def _depends(self, expression: Scev, values: set[SSAValue], gone: set[Scev]) -> bool:
        return not expression.values.isdisjoint(values) or any(
            p in gone and p.kind is not Kind.CONSTANT for p in expression.walk()
        )

    def forget_all_loops(self) -> None:
        """Forgets all loops, after the function's loops have changed."""
        visited: set[Loop] = set()
        for loop in self.loops.loops():
            self.forget_loop(loop, visited=visited)
        self._verify_if_wanted()


def _is_erased(value: SSAValue) -> bool:
    if isinstance(value, OpResult):
        return value.op.parent is None
    assert isinstance(value, BlockArgument)
    arguments = value.block.args
    return value.index >= len(arguments) or arguments[value.index] is not value


def _mentions_loop(expression: Scev, loop: Loop) -> bool:
    """Returns whether an expression contains recurrences of the loop or values defined in it."""
    return loop in expression.loops or any(map(loop.defines, expression.values))
