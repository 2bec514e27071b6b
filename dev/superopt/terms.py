"""Expressions of scalar integer ops, their values on samples, and their text in rule tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.uint64]]"
"""One number for each sample, in the low bits."""

Poison: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"


@dataclass(frozen=True, slots=True)
class Input:
    """A value that is not defined in the window."""

    name: str
    width: int


@dataclass(frozen=True, slots=True)
class Number:
    """A constant; `value` is unsigned."""

    value: int
    width: int


@dataclass(frozen=True, slots=True)
class Term:
    """An op of the rule language applied to operands."""

    op: str
    args: tuple[Node, ...]
    width: int
    predicate: str = ""
    flags: frozenset[str] = frozenset()


Node: TypeAlias = Input | Number | Term


def terms(node: Node) -> Iterator[Term]:
    """The ops of an expression, operands first, each once."""
    seen: set[Node] = set()

    def visit(n: Node) -> Iterator[Term]:
        if isinstance(n, Term) and n not in seen:
            seen.add(n)
            for arg in n.args:
                yield from visit(arg)
            yield n

    return visit(node)


def leaves(node: Node) -> list[Input | Number]:
    """The inputs and constants of an expression, in order of their first occurrence."""
    found: dict[Input | Number, None] = {}

    def visit(n: Node) -> None:
        if isinstance(n, Term):
            for arg in n.args:
                visit(arg)
        else:
            found[n] = None

    visit(node)
    return list(found)


def inputs(node: Node) -> list[Input]:
    """The inputs of an expression, in order of their first occurrence."""
    return [leaf for leaf in leaves(node) if isinstance(leaf, Input)]


# Values on samples

_WORD: Final = 64


@cache
def ones(width: int) -> np.uint64:
    """The mask of a width."""
    return np.uint64((1 << width) - 1)


def signed(a: Numbers, width: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Numbers of a width as signed numbers."""
    shift = np.uint64(_WORD - width)
    return (a << shift).view(np.int64) >> np.int64(_WORD - width)


def _shift(
    function: Callable[[Numbers, Numbers, int], Numbers],
) -> Callable[[Numbers, Numbers, int], Numbers]:
    def compute(a: Numbers, b: Numbers, w: int) -> Numbers:
        return function(a, np.minimum(b, np.uint64(w - 1)), w)

    return compute


def _ashr(a: Numbers, b: Numbers, w: int) -> Numbers:
    return (signed(a, w) >> b.view(np.int64)).view(np.uint64)


def _safe(b: Numbers) -> Numbers:
    return np.where(b == 0, np.uint64(1), b)


def _sdiv(a: Numbers, b: Numbers, w: int) -> Numbers:
    x, y = np.broadcast_arrays(signed(a, w), signed(_safe(b), w))
    magnitude = np.abs(x).view(np.uint64) // np.abs(y).view(np.uint64)
    return np.where((x < 0) != (y < 0), np.uint64(0) - magnitude, magnitude)


def _srem(a: Numbers, b: Numbers, w: int) -> Numbers:
    return a - _sdiv(a, b, w) * b


def _popcount(a: Numbers, _: int) -> Numbers:
    return np.bitwise_count(a).astype(np.uint64)


def _ctlz(a: Numbers, w: int) -> Numbers:
    for step in (1, 2, 4, 8, 16, 32):
        a = a | (a >> np.uint64(step))
    return np.uint64(w) - _popcount(a, w)


def _cttz(a: Numbers, w: int) -> Numbers:
    return _popcount(~a & (a - np.uint64(1)) & ones(w), w)


def _bswap(a: Numbers, w: int) -> Numbers:
    return a.byteswap() >> np.uint64(_WORD - w)


def _chosen(ufunc: Any, is_signed: bool) -> Callable[[Numbers, Numbers, int], Numbers]:
    def compute(a: Numbers, b: Numbers, w: int) -> Numbers:
        if is_signed:
            return ufunc(signed(a, w), signed(b, w)).view(np.uint64)
        return ufunc(a, b)

    return compute


BINARY: Final[dict[str, Callable[[Numbers, Numbers, int], Numbers]]] = {
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "shl": _shift(lambda a, b, w: a << b),
    "lshr": _shift(lambda a, b, w: a >> b),
    "ashr": _shift(_ashr),
    "udiv": lambda a, b, w: a // _safe(b),
    "urem": lambda a, b, w: a % _safe(b),
    "sdiv": _sdiv,
    "srem": _srem,
    "smax": _chosen(np.maximum, True),
    "smin": _chosen(np.minimum, True),
    "umax": _chosen(np.maximum, False),
    "umin": _chosen(np.minimum, False),
    "usubsat": lambda a, b, w: np.where(a > b, a - b, np.uint64(0)),
}
"""The results of binary ops, of which only the low bits matter."""

UNARY: Final[dict[str, Callable[[Numbers, int], Numbers]]] = {
    "abs": lambda a, w: np.abs(signed(a, w)).view(np.uint64),
    "ctpop": _popcount,
    "ctlz": _ctlz,
    "cttz": _cttz,
    "bswap": _bswap,
}

CASTS: Final[dict[str, Callable[[Numbers, int], Numbers]]] = {
    "zext": lambda a, w: a,
    "sext": lambda a, w: signed(a, w).view(np.uint64),
    "trunc": lambda a, w: a,
}
"""Casts, with the width of the operand."""

COMMUTATIVE: Final = frozenset({"and", "or", "xor", "add", "mul", "smax", "smin", "umax", "umin"})
SHIFTS: Final = frozenset({"shl", "lshr", "ashr"})
DIVISIONS: Final = frozenset({"udiv", "urem", "sdiv", "srem"})
OPS: Final = frozenset({*BINARY, *UNARY, *CASTS, "icmp", "select"})


def compare(predicate: str, a: Numbers, b: Numbers, w: int) -> Numbers:
    """The result of a comparison as 0 or 1."""
    x, y = (signed(a, w), signed(b, w)) if predicate[0] == "s" else (a, b)
    kind = predicate if predicate in ("eq", "ne") else predicate[1:]
    functions: dict[str, Any] = {
        "eq": np.equal,
        "ne": np.not_equal,
        "lt": np.less,
        "le": np.less_equal,
        "gt": np.greater,
        "ge": np.greater_equal,
    }
    return functions[kind](x, y).astype(np.uint64)


def value_of(term: Term, args: list[Numbers]) -> Numbers:
    """The value of an op for values of its operands."""
    op, width = term.op, term.args[0].width
    if op == "icmp":
        return compare(term.predicate, args[0], args[1], width)
    if op == "select":
        return np.where(args[0] != 0, args[1], args[2])
    if op in CASTS:
        return CASTS[op](args[0], width) & ones(term.width)
    if op in UNARY:
        return UNARY[op](args[0], width) & ones(term.width)
    return BINARY[op](args[0], args[1], width) & ones(term.width)


def poison_of(term: Term, args: list[Numbers], result: Numbers) -> Poison:
    """Whether an op is poison or undefined behaviour for operands that are neither."""
    op, w = term.op, term.args[0].width
    a = args[0]
    bad = np.zeros(np.broadcast_shapes(*(arg.shape for arg in args)), np.bool_)
    if op in SHIFTS:
        bad = bad | (args[1] >= np.uint64(w))
    elif op in DIVISIONS:
        bad = bad | (args[1] == 0)
        if op[0] == "s":
            bad |= (args[1] == ones(w)) & (a == np.uint64(1 << (w - 1)))
    if not term.flags:
        return bad
    if "exact" in term.flags:
        rest = a - (result * args[1] if op in DIVISIONS else BINARY["shl"](result, args[1], w))
        bad = bad | (rest & ones(w) != 0)
    if "disjoint" in term.flags:
        bad = bad | (a & args[1] != 0)
    if "nneg" in term.flags:
        bad = bad | (signed(a, w) < 0)
    if "int_min_poison" in term.flags:
        bad = bad | (a == np.uint64(1 << (w - 1)))
    if "zero_poison" in term.flags:
        bad = bad | (a == 0)
    if "nsw" in term.flags:
        bad = bad | _wraps(op, args, w, result, term.width, True)
    if "nuw" in term.flags:
        bad = bad | _wraps(op, args, w, result, term.width, False)
    return bad


def _wraps(
    op: str, args: list[Numbers], w: int, result: Numbers, width: int, is_signed: bool
) -> Poison:
    """Whether the exact result differs from the result; wide products are computed exactly."""
    if op == "trunc":
        return (signed(result, width).view(np.uint64) & ones(w) if is_signed else result) != args[0]
    if op == "shl":
        inverse = "ashr" if is_signed else "lshr"
        return BINARY[inverse](result, args[1], w) & ones(w) != args[0]
    objects = [(signed(a, w) if is_signed else a).astype(object) for a in args]
    exact: Any = {"add": np.add, "sub": np.subtract, "mul": np.multiply}[op](*objects)
    got: Any = (signed(result, width) if is_signed else result).astype(object)
    return np.asarray(exact != got, np.bool_)


def evaluate(
    node: Node, samples: Mapping[Input, Numbers], known: dict[Node, tuple[Numbers, Poison]]
) -> tuple[Numbers, Poison]:
    """The values of an expression on samples, and where it is poison. `known` caches results."""
    found = known.get(node)
    if found is not None:
        return found
    if isinstance(node, Input):
        numbers = samples[node]
        result = numbers, np.zeros(numbers.shape, np.bool_)
    elif isinstance(node, Number):
        result = np.array([node.value], np.uint64), np.zeros(1, np.bool_)
    else:
        parts = [evaluate(arg, samples, known) for arg in node.args]
        args = [numbers for numbers, _ in parts]
        numbers = value_of(node, args)
        bad = poison_of(node, args, numbers)
        if node.op == "select":
            bad = parts[0][1] | np.where(args[0] != 0, parts[1][1], parts[2][1])
        else:
            for _, poison in parts:
                bad = bad | poison
        result = numbers, bad
    known[node] = result
    return result


# Costs

_COST: Final[dict[str, float]] = {
    "zext": 0.5, "trunc": 0, "mul": 1.5, "udiv": 20, "urem": 22, "sdiv": 22, "srem": 24,
    "ctpop": 2, "ctlz": 2, "cttz": 3, "usubsat": 2, "abs": 1.2, "sext": 1,
}  # fmt: skip
_DOUBLE: Final = 2.0
"""The factor of the cost of an op of 64 bits."""


def cost_of(term: Term) -> float:
    """The approximate number of machine instructions of one op on sm_90."""
    width = term.args[0].width if term.op == "icmp" else term.width
    cost = _COST.get(term.op, 1.0)
    if term.op in ("and", "or", "xor") and width == 1:
        return 0.7
    if term.op in ("zext", "sext") and term.args[0].width == 1:
        return 1.0
    if width > 32 and term.op not in ("zext", "sext", "trunc"):
        cost *= _DOUBLE if term.op != "mul" else 3
    return cost


# Text


def text_of(node: Node, names: Mapping[Node, str] | None = None) -> str:
    """The expression in the syntax of rule tables, without types.

    Arguments:
        names: text for some of the nodes.
    """
    names = names or {}
    if node in names:
        return names[node]
    if isinstance(node, Input):
        return node.name
    if isinstance(node, Number):
        return number_text(node)
    head = node.op + (f".{node.predicate}" if node.predicate else "")
    if node.flags:
        head += ":" + ",".join(sorted(node.flags))
    return f"({head} {' '.join(text_of(arg, names) for arg in node.args)})"


def number_text(number: Number) -> str:
    """A constant as a literal; signed if it is negative."""
    if number.width == 1:
        return "true" if number.value else "false"
    value = number.value
    return str(value - (1 << number.width) if value >> (number.width - 1) else value)
