"""Termination of rewriting: every rule decreases one measure of the function.

The measure is a Knuth-Bendix order of expressions. The size of an expression is the sum of the
costs of its ops, plus one for each leaf; no value may occur more often on the right side than on
the left side. Expressions of equal size are ordered by the op at the root (in the order of the
table of ops, and for comparisons by the predicate), and then by the operands from left to right.
The order is well-founded and holds in every context, so rewriting terminates for any order of the
rules. Constants are moved to the second operand of commutative ops outside the tables, once for
each op.

A second condition ensures that rewriting does not increase the number of ops: the right side must
not have more ops than become dead, which are the root and the ops that are marked as having no
other use.
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
"""Predicates of comparisons in order of preference; the empty string represents all others."""


def size(node: Node) -> int:
    """The size of an expression: the costs of its ops, plus one for each leaf."""
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
    # Of the predicates of floats only `ord` and `uno` have a preference; `ult`, for example, has
    # none.
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
    """The termination condition that a rule violates; None if it violates none."""
    if isinstance(rule.right, Function):
        return None
    if not is_smaller(rule.right, rule.left):
        return f"the right side is not smaller: {rule.text}"
    gone = 1 + sum(node.once for node in applications(rule.left))
    if sum(1 for _ in applications(rule.right)) > gone:
        return f"more ops are made than go away: {rule.text}"
    return None
