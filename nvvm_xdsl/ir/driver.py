"""The greedy driver for rewrite patterns.

xDSL's walker visits every op again after each sweep that changed something, and tries every pattern
on each op. This driver fills its worklist once, in reverse post-order of the blocks, finds the
patterns for an op by its class in one dictionary, and requeues only ops that a rewrite may have
enabled: new ops, changed ops, users of replaced values, and defining ops of values that lost a use.
Patterns are xDSL's own `RewritePattern`s and run under xDSL's walker too.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import UnionType
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.graphs import reverse_post_order

REWRITES_PER_OP = 64
"""Maximum number of rewrites per op of a region; more are reported as an endless rewrite."""

Matcher: TypeAlias = Callable[[Operation, PatternRewriter], None]
_InsertedT = TypeVar("_InsertedT", bound="Operation | Sequence[Operation]")


def matched_classes(pattern: RewritePattern) -> tuple[type[Operation], ...] | None:
    """The op classes that the pattern matches, or None if it matches all ops.

    The classes are the argument of `op_type_rewrite_pattern`, or a class attribute `matches` of the
    pattern.
    """
    listed = getattr(pattern, "matches", None)
    if listed is not None:
        return tuple(listed)
    wanted = _decorated(pattern).get("expected_type")
    if wanted is None:
        return None
    if get_origin(wanted) in (Union, UnionType):
        return get_args(wanted)
    return (wanted,)


def _decorated(pattern: RewritePattern) -> dict[str, Any]:
    """The variables of the closure that `op_type_rewrite_pattern` creates."""
    function = type(pattern).match_and_rewrite
    code = getattr(function, "__code__", None)
    closure = getattr(function, "__closure__", None)
    if code is None or closure is None or set(code.co_freevars) != {"expected_type", "func"}:
        return {}
    return dict(zip(code.co_freevars, (cell.cell_contents for cell in closure)))


class _FastRewriter(PatternRewriter):
    """xDSL's rewriter on the fast layer; requeues the changed ops in the driver."""

    def __init__(self, driver: RewriteDriver) -> None:
        self._driver = driver
        self._queue = driver._queue
        self._matched: Operation | None = None
        self._point: InsertPoint | None = None
        super().__init__(InsertPoint(Block()))

    def _start(self, op: Operation) -> None:
        self.has_done_action = False
        self._matched = op
        self._current_operation = op
        self._point = None
        self._name_hint = None

    @property
    def insertion_point(self) -> InsertPoint:
        """Before the matched op unless a pattern sets another position; created on demand."""
        if self._point is None:
            assert self._matched is not None
            self._point = InsertPoint.before(self._matched)
        return self._point

    @insertion_point.setter
    def insertion_point(  # pyright: ignore[reportIncompatibleVariableOverride]
        self, point: InsertPoint
    ) -> None:
        self._point = point

    # Methods that xDSL's own methods call on a change.

    def handle_operation_insertion(self, op: Operation) -> None:
        self._queue(op)

    def handle_operation_removal(self, op: Operation) -> None:
        self._driver._forget(op)

    def handle_operation_modification(self, op: Operation) -> None:
        self._queue(op)
        for result in op.results:
            self._queue_users(result)

    def handle_operation_replacement(
        self, op: Operation, new_results: Sequence[SSAValue | None]
    ) -> None:
        for result in op.results:
            self._queue_users(result)

    def _queue_users(self, value: SSAValue) -> None:
        use = value.first_use
        while use is not None:
            self._queue(use._operation)
            use = use._next_use

    def insert(self, op: _InsertedT, insertion_point: InsertPoint | None = None) -> _InsertedT:
        self.has_done_action = True
        ops = (op,) if isinstance(op, Operation) else op
        point = self.insertion_point if insertion_point is None else insertion_point
        anchor = point.insert_before
        matched = self._matched
        for new in ops:
            if anchor is None:
                fast.append(point.block, new)
            else:
                fast.insert_before(new, anchor)
            if type(new.location) is UnknownLoc and matched is not None:
                new.location = matched.location
            if self._name_hint is not None:
                for result in new.results:
                    if result._name is None:
                        result._name = self._name_hint
            self._driver._queue_all(new)
        return op

    def erase(self, op: Operation, safe_erase: bool = True) -> None:
        self.has_done_action = True
        self._driver._forget(op)
        if safe_erase:
            fast.erase(op)
        else:
            op.detach()
            op.erase(safe_erase=False)

    def replace_all_uses_with(
        self, from_value: SSAValue, to_value: SSAValue | None, safe_erase: bool = True
    ) -> None:
        if from_value is to_value:
            return
        if to_value is None:
            super().replace_all_uses_with(from_value, None, safe_erase)
            return
        if from_value.first_use is not None:
            self.has_done_action = True
            self._queue_users(from_value)
            fast.replace_all_uses(from_value, to_value)

    def replace(
        self,
        op: Operation,
        new_ops: Operation | Sequence[Operation],
        new_results: Sequence[SSAValue | None] | None = None,
        safe_erase: bool = True,
    ) -> None:
        self.has_done_action = True
        if isinstance(new_ops, Operation):
            new_ops = (new_ops,)
        block = op.parent
        assert block is not None
        self.insert(new_ops, InsertPoint(block, op))
        if new_results is None:
            new_results = new_ops[-1].results if new_ops else ()
        if len(op.results) != len(new_results):
            raise ValueError(f"Expected {len(op.results)} new results, but got {len(new_results)}")
        for old, new in zip(op.results, new_results):
            self.replace_all_uses_with(old, new, safe_erase)
        self.erase(op, safe_erase)


_Wanted: TypeAlias = "tuple[tuple[type[Operation], ...] | None, ...]"
"""For each pattern of a driver its op classes; None if it matches all classes."""


@lru_cache(1 << 10)
def _offered(wanted: _Wanted) -> dict[type[Operation], tuple[int, ...]]:
    """The indices of the patterns for each op class, cached because drivers are created often."""
    return {}


class RewriteDriver:
    """Applies patterns to a region until none matches any more.

    Arguments:
        patterns: tried in this order on each op; the first that changes something wins.
        is_pure: returns whether an op may be erased if its results are unused; if given, such ops
            are erased.

    `hits` counts the rewrites by the name of the pattern, erased ops as `dead`.
    """

    hits: Counter[str]

    def __init__(
        self,
        patterns: Iterable[RewritePattern],
        *,
        is_pure: Callable[[Operation], bool] | None = None,
    ) -> None:
        self.patterns = list(patterns)
        self.hits = Counter()
        self._is_pure = is_pure
        self._wanted: _Wanted = tuple([matched_classes(p) for p in self.patterns])
        self._offered = _offered(self._wanted)
        self._matchers: dict[type[Operation], list[tuple[str, Matcher]]] = {}
        self._worklist: list[Operation] = []
        self._queued: set[int] = set()
        # Ops erased with the op around them; kept alive so that no new op reuses their identity.
        self._erased: dict[int, Operation] = {}
        self._rewriter = _FastRewriter(self)

    def _matchers_for(self, cls: type[Operation]) -> list[tuple[str, Matcher]]:
        numbers = self._offered.get(cls)
        if numbers is None:
            numbers = self._offered[cls] = tuple(
                number
                for number, wanted in enumerate(self._wanted)
                if wanted is None or issubclass(cls, wanted)
            )
        found: list[tuple[str, Matcher]] = []
        for number in numbers:
            pattern = self.patterns[number]
            found.append((type(pattern).__name__, pattern.match_and_rewrite))
        self._matchers[cls] = found
        return found

    def _queue(self, op: Operation) -> None:
        key = id(op)
        if key not in self._queued:
            self._queued.add(key)
            self._worklist.append(op)

    def _queue_all(self, op: Operation) -> None:
        """Queues an op and its nested ops."""
        self._queue(op)
        for region in op.regions:
            for inner in region.walk():
                self._queue(inner)

    def _forget(self, op: Operation) -> None:
        """Requeues the defining ops of the operands of an op that is erased: they may be dead or
        match."""
        for value in op._operands:
            if type(value) is OpResult:
                self._queue(fast.producer_of(value))
        if op.regions:
            for inner in op.walk():
                self._erased[id(inner)] = inner

    def rewrite(self, op: Operation) -> bool:
        """Rewrites all ops nested in the op; returns whether anything changed."""
        ops: list[Operation] = []
        for region in op.regions:
            _collect(region, ops)
        return self._run(ops)

    def _run(self, ops: list[Operation]) -> bool:
        ops.reverse()
        worklist = self._worklist = ops
        queued = self._queued = {id(op) for op in ops}
        budget = REWRITES_PER_OP * (len(ops) + 1)
        rewriter = self._rewriter
        self._erased.clear()
        matchers = self._matchers
        is_pure = self._is_pure
        hits = self.hits
        changed = False
        while worklist:
            op = worklist.pop()
            key = id(op)
            queued.discard(key)
            if op.parent is None or key in self._erased:
                continue
            if is_pure is not None and op.results:
                for result in op.results:
                    if result.first_use is not None:
                        break
                else:
                    if is_pure(op):
                        self._forget(op)
                        fast.erase(op)
                        hits["dead"] += 1
                        changed = True
                        continue
            found = matchers.get(type(op))
            if found is None:
                found = self._matchers_for(type(op))
            if not found:
                continue
            rewriter._start(op)
            for name, match in found:
                match(op, rewriter)
                if rewriter.has_done_action:
                    changed = True
                    hits[name] += 1
                    # The pattern may have erased the op.
                    if op.parent is not None:  # pyright: ignore[reportUnnecessaryComparison]
                        self._queue(op)
                    budget -= 1
                    if budget < 0:
                        raise DiagnosticError(f"rewriting does not terminate: {_most_common(hits)}")
                    break
        return changed


def _most_common(hits: Counter[str]) -> str:
    """The patterns that matched most often, for the error of an endless rewrite."""
    return ", ".join(f"{name} matched {count} times" for name, count in hits.most_common(3))


def _collect(region: Region, ops: list[Operation]) -> None:
    """The region's ops, by blocks in reverse post-order; unreachable blocks come last."""
    blocks = list(fast.blocks_of(region))
    if len(blocks) > 1:
        numbers = {id(block): number for number, block in enumerate(blocks)}
        successors: list[list[int]] = []
        for block in blocks:
            last = block._last_op
            targets = last._successors if last is not None else ()
            successors.append([n for b in targets if (n := numbers.get(id(b))) is not None])
        order = reverse_post_order(successors, 0)
        if len(order) < len(blocks):
            reached = set(order)
            order += [n for n in range(len(blocks)) if n not in reached]
        blocks = [blocks[n] for n in order]
    for block in blocks:
        op = block._first_op
        while op is not None:
            ops.append(op)
            for inner in op.regions:
                _collect(inner, ops)
            op = op._next_op
