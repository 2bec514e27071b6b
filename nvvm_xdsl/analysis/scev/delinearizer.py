"""The recursive delinearizer: rewrites an address so that its recurrences and their sizes become
visible.

An extension may hide a dimension: `sext {x,+,n}` has a step of `n` elements that is not visible to
division. The delinearizer rewrites the formula bottom up. An extension of a recurrence with the
expected step becomes a recurrence of extended operands, under the assumption that it does not wrap,
if the predicate collector permits the assumption. The step is then a term from which the dimensions
are inferred. Callers repeat this until the dimensions do not change. (003, "The Recursive
Delinearization Algorithm", "Fixed-Point Iteration", "Parametric vs Fixed-Size Arrays".)
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.llvm import GEPOp
from xdsl.ir import Attribute, Operation, OpResult

from nvvm_xdsl.analysis.memory.addresses import index_scales
from nvvm_xdsl.analysis.scev.access_strategies import PredicateCollector
from nvvm_xdsl.analysis.scev.delinearization import (
    Subscripts,
    collect_parametric_terms,
    find_array_dimensions,
    fixed_sizes,
    subscripts_of,
)
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.ir import fast

INLINE_SLOTS = 4
"""Number of entries of the cache before it creates a table: enough for arrays of two dimensions."""


class DelinearizationCache:
    """Results by expression and step: four slots, and a table from the first collision on.

    `hits` counts cached results that were used.
    """

    def __init__(self) -> None:
        self._slots: list[tuple[Scev, Scev | None, Scev] | None] = [None] * INLINE_SLOTS
        self._table: dict[tuple[Scev, Scev | None], Scev] | None = None
        self.hits = 0

    @property
    def is_inline(self) -> bool:
        """True if all entries fit in the slots so far."""
        return self._table is None

    def _slot(self, expression: Scev) -> int:
        key = expression.number << 4
        return ((key >> 9) ^ (key >> 4)) & (INLINE_SLOTS - 1)

    def get(self, expression: Scev, step: Scev | None) -> Scev | None:
        """The result for this step, or None."""
        found: Scev | None = None
        if self._table is not None:
            found = self._table.get((expression, step))
        else:
            entry = self._slots[self._slot(expression)]
            if entry is not None and entry[0] is expression and entry[1] is step:
                found = entry[2]
        self.hits += found is not None
        return found

    def put(self, expression: Scev, step: Scev | None, result: Scev) -> None:
        """Stores the result of an expression and step that `get` has not found."""
        if self._table is None:
            slot = self._slot(expression)
            entry = self._slots[slot]
            if entry is None:
                self._slots[slot] = (expression, step, result)
                return
            self._table = {(e[0], e[1]): e[2] for e in self._slots if e is not None}
        self._table[expression, step] = result


@dataclass(eq=False)
class DelinearizationContext:
    """The state of one delinearization.

    Arguments:
        se: the analysis that provides expressions.
        element_size: bytes of the element accessed.
        collector: decides about assumptions; None if none may be made.
        step_recurrence: the step of the recurrences that are exposed below extensions.
        expands_sums: also expand extensions of sums and products, as in indices of threads.
        target: the terms found with this step, from which dimensions are inferred.
    """

    se: ScalarEvolution
    element_size: int
    collector: PredicateCollector | None = None
    step_recurrence: Scev | None = None
    expands_sums: bool = False
    target: dict[Scev, None] = field(default_factory=dict["Scev", None])
    cache: DelinearizationCache = field(default_factory=DelinearizationCache)


def rewrite(context: DelinearizationContext, expression: Scev) -> Scev:
    """The expression with its dimensions exposed; itself if there are none."""
    step = context.step_recurrence
    found = context.cache.get(expression, step)
    if found is None:
        found = HANDLERS[expression.kind](context, expression)
        context.cache.put(expression, step, found)
    return found


def _leaf(context: DelinearizationContext, at: Scev) -> Scev:
    return at


def _rebuilt(context: DelinearizationContext, at: Scev) -> Scev:
    return context.se.expressions.rebuild(at, [rewrite(context, o) for o in at.operands])


def _recurrence(context: DelinearizationContext, at: Scev) -> Scev:
    operands = [rewrite(context, o) for o in at.operands]
    if all(new is old for new, old in zip(operands, at.operands)):
        return at
    assert at.loop is not None
    # Flags belong to an expression wherever it occurs, so they must not depend on assumptions.
    certain = context.collector is None or not context.collector.assumed
    return context.se.expressions.add_rec(operands, at.loop, at.flags if certain else 0)


def _extension(context: DelinearizationContext, at: Scev) -> Scev:
    (old,) = at.operands
    inner = rewrite(context, old)
    collector = context.collector
    is_signed = at.kind is Kind.SIGN_EXTEND
    flag = NSW if is_signed else NUW
    extend = context.se.sext if is_signed else context.se.zext
    ex = context.se.expressions
    if collector is None or not (is_signed or _counts_up(inner)):
        pass
    elif inner.is_affine and inner.step is context.step_recurrence:
        assert inner.loop is not None
        if inner.flags & flag or collector.assume(flag, inner):
            start, step = (rewrite(context, extend(o, at.width)) for o in inner.operands)
            context.target[step] = None
            return ex.add_rec([start, step], inner.loop)
    elif context.expands_sums and inner.kind in (Kind.ADD, Kind.MUL):
        if collector.assume(flag, inner):
            parts = [rewrite(context, extend(o, at.width)) for o in inner.operands]
            whole = ex.add(*parts) if inner.kind is Kind.ADD else ex.mul(*parts)
            if inner.kind is Kind.MUL:
                collector.found(whole)
            return whole
    return at if inner is old else ex.rebuild(at, [inner])


def _counts_up(at: Scev) -> bool:
    """True if no part is a negative constant or a multiple of one, which wraps as unsigned."""
    return not any(
        o.signed < 0
        for part in at.operands
        for o in (part, *(part.operands if part.kind is Kind.MUL else ()))
    )


def _address(context: DelinearizationContext, at: Scev) -> Scev:
    """An unknown: an address that was too large to analyse is decomposed by one step."""
    value = at.value
    collector = context.collector
    if collector is None or not isinstance(value, OpResult) or type(value.op) is not GEPOp:
        return at
    entry = collector.index_entries.get(value)
    if entry is not None:
        return entry
    found = _structure_of(context, value.op, at.width)
    if found is None:
        return at
    if context.step_recurrence is not None:
        for part in found.walk():
            if part.is_affine:
                if part.step is context.step_recurrence:
                    context.target[part.step] = None
                else:
                    collector.found(part.step)
    collector.index_entries[value] = found
    return found


def _structure_of(context: DelinearizationContext, op: Operation, width: int) -> Scev | None:
    se = context.se
    scales = index_scales(op, se.layout)
    if scales is None:
        return None
    offset, scaled = scales
    ex = se.expressions
    parts = [se.get(fast.operands_of(op)[0]), ex.constant(width, offset)]
    for index, scale in scaled:
        parts.append(ex.mul(ex.constant(width, scale), se._resize(se.get(index), width)))
    return ex.add(*(rewrite(context, p) for p in parts))


HANDLERS: dict[Kind, Callable[[DelinearizationContext, Scev], Scev]] = {
    Kind.CONSTANT: _leaf,
    Kind.VSCALE: _leaf,
    Kind.TRUNCATE: _rebuilt,
    Kind.ZERO_EXTEND: _extension,
    Kind.SIGN_EXTEND: _extension,
    Kind.ADD: _rebuilt,
    Kind.MUL: _rebuilt,
    Kind.UDIV: _rebuilt,
    Kind.ADD_REC: _recurrence,
    Kind.UMAX: _rebuilt,
    Kind.SMAX: _rebuilt,
    Kind.UMIN: _rebuilt,
    Kind.SMIN: _rebuilt,
    Kind.SEQUENTIAL_UMIN: _rebuilt,
    Kind.PTR_TO_INT: _rebuilt,
    Kind.UNKNOWN: _address,
    Kind.COULD_NOT_COMPUTE: _leaf,
}
"""By kind of expression, all 17 of them."""


class Delinearized(NamedTuple):
    """Subscripts, and the assumptions that they depend on."""

    subscripts: Subscripts
    offset: Scev
    collector: PredicateCollector
    iterations: int


def _hidden_steps(expression: Scev) -> list[Scev]:
    """The steps of extended recurrences, in a fixed order."""
    found: dict[Scev, None] = {}
    for part in expression.walk():
        if part.kind in (Kind.ZERO_EXTEND, Kind.SIGN_EXTEND):
            for inner in part.operands[0].walk():
                if inner.is_affine:
                    found[inner.step] = None
    return sorted(found, key=lambda e: e.number)


def _to_fixed_point(
    context: DelinearizationContext, offsets: list[Scev], *, launch_sizes: bool, partial: bool
) -> tuple[list[Scev], list[Scev], int]:
    """The linearized offsets into one array, its inner sizes, and the number of iterations that
    were needed.
    """
    ex = context.se.expressions
    collector = context.collector
    width = offsets[0].width
    opened = list(offsets)

    def dimensions() -> list[Scev]:
        found = [*opened, *(collector.terms if collector is not None else ())]
        terms: list[Scev] = []
        for at in found:
            terms += collect_parametric_terms(ex, at, launch_sizes=launch_sizes)
        terms += [t for t in context.target if t.kind is not Kind.CONSTANT]
        terms = [t for t in dict.fromkeys(terms) if t.width == width]
        return find_array_dimensions(ex, terms, partial=partial) or []

    def hidden() -> list[Scev]:
        return list(dict.fromkeys(s for at in opened for s in _hidden_steps(at)))

    sizes = dimensions()
    most = context.se.knobs.delinearize_max_iterations
    for count in range(1, most + 1):
        for step in hidden() or [None]:
            context.step_recurrence = step
            opened = [rewrite(context, at) for at in opened]
        following = dimensions()
        if following == sizes and not (count == 1 and hidden()):
            return opened, following, count
        sizes = following
    return opened, sizes, most


def delinearize(
    se: ScalarEvolution,
    offset: Scev,
    element_size: int,
    array_type: Attribute | None = None,
    collector: PredicateCollector | None = None,
) -> Delinearized | None:
    """The subscripts of an offset in bytes from an array's start.

    Arguments:
        offset: the address less its base.
        element_size: bytes of the element accessed.
        array_type: the array's type if known. Its sizes are used if the formula reveals none and
            `delinearize-use-fixed-size-array-heuristic` is on.
        collector: the strategy; the standard one by default.

    Returns:
        None if delinearization is disabled or the offset is not a whole number of elements.
    """
    use_type = se.knobs.delinearize_use_fixed_size_array_heuristic
    collector = PredicateCollector() if collector is None else collector
    context = DelinearizationContext(se, element_size, collector)
    return _finish(context, collector, offset, array_type if use_type else None)


class _Refusing(PredicateCollector):
    """A collector that permits no assumptions."""

    def assume(self, flag: int, expression: Scev) -> bool:
        return False


def delinearize_pair(
    se: ScalarEvolution,
    first: Scev,
    second: Scev,
    element_size: int,
    array_type: Attribute | None = None,
) -> tuple[Subscripts, Subscripts] | None:
    """The subscripts of two offsets in bytes into one array, with the same sizes for both.

    They hold without assumptions. The array's type is used as in `delinearize`. None if the offsets
    reveal no dimensions, or are not whole numbers of elements.
    """
    if not se.knobs.delinearize:
        return None
    context = DelinearizationContext(se, element_size, _Refusing())
    opened, sizes, _ = _to_fixed_point(context, [first, second], launch_sizes=False, partial=False)
    ex = se.expressions
    if not sizes and array_type is not None and se.knobs.delinearize_use_fixed_size_array_heuristic:
        sizes = [ex.constant(first.width, n) for n in fixed_sizes(array_type, element_size)]
    if not sizes:
        return None
    one, two = (subscripts_of(ex, at, sizes, element_size) for at in opened)
    return None if one is None or two is None else (one, two)


def delinearize_for_warps(
    se: ScalarEvolution,
    offset: Scev,
    element_size: int,
    array_type: Attribute | None = None,
    collector: PredicateCollector | None = None,
    *,
    is_shared: bool = False,
) -> Delinearized | None:
    """Like `delinearize`, with heuristics for thread indices, each with a knob.

    Extended sums and products are expanded (`delinearize-expand-sums`), because thread indices have
    32 bits; the sizes of the array's type are used if the formula reveals none; in shared memory
    the block's dimensions are sizes (`delinearize-launch-sizes`); terms that do not divide the
    others are omitted (`delinearize-partial-terms`).
    """
    knobs = se.knobs
    collector = PredicateCollector() if collector is None else collector
    context = DelinearizationContext(
        se, element_size, collector, expands_sums=knobs.delinearize_expand_sums
    )
    return _finish(
        context,
        collector,
        offset,
        array_type,
        launch_sizes=is_shared and knobs.delinearize_launch_sizes,
        partial=knobs.delinearize_partial_terms,
    )


def _finish(
    context: DelinearizationContext,
    collector: PredicateCollector,
    offset: Scev,
    array_type: Attribute | None,
    *,
    launch_sizes: bool = False,
    partial: bool = False,
) -> Delinearized | None:
    se, size = context.se, context.element_size
    if not se.knobs.delinearize:
        return None
    ex = se.expressions
    (opened,), sizes, rounds = _to_fixed_point(
        context, [offset], launch_sizes=launch_sizes, partial=partial
    )
    if not sizes and array_type is not None:
        sizes = [ex.constant(offset.width, n) for n in fixed_sizes(array_type, size)]
    if not sizes:
        # The result does not need the assumptions.
        opened = offset
        collector.assumed.clear()
    found = subscripts_of(ex, opened, sizes, size)
    if found is None:
        return None
    collector.conclude(ex, found)
    return Delinearized(found, opened, collector, rounds)
