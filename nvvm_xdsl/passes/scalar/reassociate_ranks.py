"""Parts of expression trees, and the cost of trees by the loops of their values, for `reassociate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from xdsl.dialects.llvm import AddOp, MulOp, OrOp, ShlOp, SubOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.flags import is_disjoint
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast

LOOP_WEIGHT: Final = 8
"""Assumed trip count of a loop."""

Key: TypeAlias = tuple[int, bool, int]
"""The rank of a leaf: the number of loops in which it varies, whether it is divergent, and its
position.
"""
Cost: TypeAlias = tuple[int, int]
"""The number of ops, weighted by the loops around them: all, and those on divergent values."""


class Part(NamedTuple):
    """A part of a new tree: a function that emits it, and its rank."""

    emit: Callable[[], SSAValue]
    key: Key


def chain(
    parts: Sequence[Part], join: Callable[[SSAValue, SSAValue], SSAValue], cost: list[Key]
) -> Part:
    """Combines parts by their ranks, the least first; the rank of each op is added to `cost`."""
    ordered = sorted(parts, key=lambda part: part.key)
    key = ordered[0].key
    for part in ordered[1:]:
        key = joined(key, part.key)
        cost.append(key)

    def emit() -> SSAValue:
        value = ordered[0].emit()
        for part in ordered[1:]:
            value = join(value, part.emit())
        return value

    return Part(emit, key)


def joined(a: Key, b: Key) -> Key:
    """The rank of an op on two values."""
    return max(a[0], b[0]), a[1] or b[1], max(a[2], b[2])


def total_cost(keys: Sequence[Key]) -> Cost:
    """The cost of ops with these ranks."""
    weights = [LOOP_WEIGHT ** min(depth, 4) for depth, _, _ in keys]
    return sum(weights), sum(w for w, (_, divergent, _) in zip(weights, keys) if divergent)


def belongs(op: Operation, root: Operation) -> bool:
    """Returns True if an op may be part of another op's tree: in the same block, with one use."""
    return op.parent is root.parent and fast.single_use(op.results[0]) is not None


def summands(op: Operation) -> list[tuple[SSAValue, int]] | None:
    """The summands of an op with their coefficients; None if it is not a sum."""
    cls = type(op)
    if cls is AddOp or (cls is OrOp and is_disjoint(op)):
        a, b = fast.operands_of(op)
        return [(a, 1), (b, 1)]
    if cls is SubOp:
        a, b = fast.operands_of(op)
        return [(a, 1), (b, -1)]
    if cls is MulOp or cls is ShlOp:
        a, b = fast.operands_of(op)
        number = constant_integer(b)
        if number is None:
            return None
        if cls is MulOp:
            return [(a, number)]
        width = integer_width(a.type)
        return [(a, 1 << number)] if 0 <= number < width else None
    return None
