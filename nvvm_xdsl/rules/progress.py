"""Termination of rewriting: every rule decreases one measure of the function.

The measure orders expressions as a Knuth-Bendix order does: the sum of the costs of the ops and
one for each leaf decides, with no value on the right more often than on the left; where sums are
equal, the op at the root, in the order of the table of ops, and a comparison by its predicate;
where these are equal, the operands from left to right. The order is well-founded and holds in
every context, so rewriting ends in whatever order rules are tried. Moving a constant behind the
other operand of a commutative op is no rule of a table: it is done once for each op.

A second law keeps rewriting from making more ops than go away: no more ops on the right than the
root and the ops that the left side wants to have no other use.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from nvvm_xdsl.rules.language import (
    Apply,
    Const,
    Function,
    Literal,
    Node,
    Rule,
    Var,
    applications,
    walk,
)
from nvvm_xdsl.rules.operators import operators

_PREDICATES: tuple[str, ...] = ("ord", "uno", "", *"slt sgt ult ugt sle sge ule uge".split())
"""Predicates of comparisons in order of preference; the empty one represents all others."""


def size(node: Node) -> int:
    """The costs of the ops and one for each leaf."""
    if isinstance(node, Apply):
        return node.op.cost + sum(map(size, node.args))
    return 1


def _values(node: Node) -> Counter[str]:
    return Counter(n.name for n in walk(node) if isinstance(n, Var))


def _spelled_out(node: Node, named: dict[str, Apply]) -> Node:
    """An expression with names replaced by their values."""
    if isinstance(node, Var):
        return named.get(node.name, node)
    if isinstance(node, Apply):
        return replace(node, args=tuple(_spelled_out(arg, named) for arg in node.args))
    return node


def _rank(node: Apply) -> tuple[int, int]:
    place = list(operators()).index(node.op.name)
    name = node.predicate
    # `ult` is also a predicate of floats, which has no such preference.
    known = name in _PREDICATES and (node.op.name != "fcmp" or name in ("ord", "uno"))
    return place, _PREDICATES.index(name if known else "")


def left_value(node: Node) -> float | None:
    """The numeric value of a literal."""
    return node.value if isinstance(node, Literal) else None


def is_smaller(right: Node, left: Node) -> bool:
    """Returns True if an expression is smaller than another in the measure."""
    right = _spelled_out(right, {a.name: a for a in applications(left) if a.name})
    if _values(right) - _values(left):
        return False
    difference = size(left) - size(right)
    if difference:
        return difference > 0
    if isinstance(right, Literal):
        return isinstance(left, Const) or str(left_value(left)) == "-0.0" != str(right.value)
    if not (isinstance(left, Apply) and isinstance(right, Apply)):
        return False
    if _rank(left) != _rank(right):
        return _rank(left) > _rank(right)
    for a, b in zip(left.args, right.args):
        if repr(a) != repr(b):  # 0.0 == -0.0
            return is_smaller(b, a)
    return False


def objection(rule: Rule) -> str | None:
    """The termination conditions that a rule violates."""
    if isinstance(rule.right, Function):
        return None
    if not is_smaller(rule.right, rule.left):
        return f"the right side is not smaller: {rule.text}"
    gone = 1 + sum(node.once for node in applications(rule.left))
    if sum(1 for _ in applications(rule.right)) > gone:
        return f"more ops are made than go away: {rule.text}"
    return None
