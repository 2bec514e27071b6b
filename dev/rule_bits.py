"""Claims of rewrite rules about single bits, which hold at every width.

`and`, `or` and `xor` compute each bit of the result from the same bit of the operands, and `ctpop`
is the sum of the bits. An equation of bitwise ops, or of sums of such population counts, therefore
holds at each width if it holds for one bit, where sums are not wrapped.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import product

from nvvm_xdsl.rules.language import Apply, Computed, Const, Literal, Node, Rule, Var

_BITWISE = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}

_SUMS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b}


class _NoBitsError(ValueError):
    """The rule has an op that does not work bit by bit."""


def holds_bit_by_bit(rule: Rule) -> bool:
    """Whether the rule has only such ops and holds for each bit."""
    if rule.where or rule.keep or not isinstance(rule.left, Apply):
        return False
    counts = _has_count(rule.left)
    names = sorted(_names(rule.left))
    try:
        return all(
            _value(rule.left, bits, counts) == _value(rule.right, bits, counts)
            for numbers in product((0, 1), repeat=len(names))
            if (bits := dict(zip(names, numbers))) is not None
        )
    except _NoBitsError:
        return False


def _has_count(node: Node) -> bool:
    return isinstance(node, Apply) and (node.op.name == "ctpop" or any(map(_has_count, node.args)))


def _names(node: Node) -> set[str]:
    if isinstance(node, Apply):
        return set[str]().union(*map(_names, node.args))
    return {node.name} if isinstance(node, Var | Const) else set()


def _value(node: Node, bits: Mapping[str, int], sums: bool) -> int:
    """One bit of a value, or with `sums` the part of a sum that one bit contributes."""
    if isinstance(node, Apply) and not node.flags:
        name = node.op.name
        if sums and name == "ctpop":
            return _value(node.args[0], bits, False)
        table = _SUMS if sums else _BITWISE
        if name in table:
            return table[name](*(_value(arg, bits, sums) for arg in node.args))
    if isinstance(node, Var | Const) and not sums and not getattr(node, "type", ""):
        if node.name not in bits:
            raise _NoBitsError
        return bits[node.name]
    if isinstance(node, Literal) and node.value in (0, -1) and not node.type:
        return -int(node.value) if not sums else _zero(node)
    if isinstance(node, Computed):
        return _computed(ast.parse(node.source, mode="eval").body, bits, sums)
    raise _NoBitsError


def _zero(node: Literal) -> int:
    if node.value:
        raise _NoBitsError
    return 0


def _computed(node: ast.expr, bits: Mapping[str, int], sums: bool) -> int:
    if isinstance(node, ast.Name):
        if node.id == "width" and sums:
            return 1
        if node.id in bits and not sums:
            return bits[node.id]
    if isinstance(node, ast.BinOp) and not sums:
        a, b = _computed(node.left, bits, sums), _computed(node.right, bits, sums)
        if isinstance(node.op, ast.BitAnd):
            return a & b
        if isinstance(node.op, ast.BitOr):
            return a | b
        if isinstance(node.op, ast.BitXor):
            return a ^ b
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert) and not sums:
        return 1 - _computed(node.operand, bits, sums)
    raise _NoBitsError
