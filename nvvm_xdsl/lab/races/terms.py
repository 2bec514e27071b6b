"""Terms: values of a thread as expressions over its position, the launch, the arguments and memory.

Terms are interned, so that equal terms are identical. A term of width 1 is a condition. All other
terms are bit vectors with the semantics of LLVM's integer operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

LAUNCH: Final = 0
"""Level of a value that is equal in all threads of the launch."""
BLOCK: Final = 1
"""Level of a value that is equal in all threads of a block."""
THREAD: Final = 2
"""Level of a value that may differ between threads."""


class Term:
    """A node of an expression.

    Attributes:
        op: the operation: `const`, `sym`, `uf` (an uninterpreted function) or the name of an operation.
        width: of the result in bits.
        args: operands.
        data: the number of a constant (signed), the name of a symbol or function.
        exact: the operation does not wrap as a signed one; otherwise its result is unused.
        level: LAUNCH, BLOCK or THREAD.
        serial: position in the order of creation.
        low, high: limits of a symbol or function.
    """

    __slots__ = ("args", "data", "exact", "high", "level", "low", "op", "serial", "width")

    op: str
    width: int
    args: tuple[Term, ...]
    data: Any
    exact: bool
    level: int
    serial: int
    low: int
    high: int

    def __repr__(self) -> str:
        if self.op == "const":
            return str(self.data)
        if self.op == "sym":
            return str(self.data)
        name = str(self.data) if self.op == "uf" else self.op
        return f"{name}({', '.join(map(repr, self.args))})"


_known: dict[tuple[Any, ...], Term] = {}
_serials = count()


def _make(
    op: str,
    width: int,
    args: tuple[Term, ...] = (),
    data: Any = None,
    *,
    exact: bool = False,
    level: int | None = None,
    limits: tuple[int, int] | None = None,
) -> Term:
    key = (op, width, tuple(arg.serial for arg in args), data, exact, level, limits)
    found = _known.get(key)
    if found is not None:
        return found
    term = Term()
    term.op, term.width, term.args, term.data, term.exact = op, width, args, data, exact
    term.level = max([level or 0, *(arg.level for arg in args)])
    term.serial = next(_serials)
    term.low, term.high = limits or (-(1 << width - 1), (1 << width - 1) - 1)
    _known[key] = term
    return term


def signed(value: int, width: int) -> int:
    """The signed number with the same bits."""
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


def const(value: int, width: int) -> Term:
    """A constant."""
    return _make("const", width, (), signed(value, width))


TRUE: Final = const(1, 1)
FALSE: Final = const(0, 1)


def forget() -> None:
    """Clears all terms except for TRUE and FALSE, so that kernels do not share terms."""
    kept = {key: term for key, term in _known.items() if term is TRUE or term is FALSE}
    _known.clear()
    _known.update(kept)


def symbol(name: str, width: int, level: int, limits: tuple[int, int] | None = None) -> Term:
    """A symbol; `limits` are the least and the greatest signed value."""
    return _make("sym", width, (), name, level=level, limits=limits)


def function(
    name: str,
    width: int,
    args: tuple[Term, ...],
    level: int,
    limits: tuple[int, int] | None = None,
) -> Term:
    """An uninterpreted function that is the same for all threads of the level."""
    return _make("uf", width, args, (name, level), level=level, limits=limits)


def _is(term: Term, value: int) -> bool:
    return term.op == "const" and term.data == value


# Conditions


def negate(term: Term) -> Term:
    """The negation of a condition."""
    if term.op == "const":
        return const(1 - term.data, 1)
    return term.args[0] if term.op == "not" else _make("not", 1, (term,))


def _literals(term: Term) -> frozenset[Term]:
    if term is TRUE:
        return frozenset()
    return frozenset(term.args) if term.op == "all" else frozenset({term})


def _all(literals: frozenset[Term]) -> Term:
    if FALSE in literals or any(negate(term) in literals for term in literals):
        return FALSE
    ordered = sorted(literals, key=lambda term: term.serial)
    if not ordered:
        return TRUE
    return ordered[0] if len(ordered) == 1 else _make("all", 1, tuple(ordered))


def both(*terms: Term) -> Term:
    """The conjunction of conditions."""
    literals: set[Term] = set()
    for term in terms:
        literals |= _literals(term)
    return _all(frozenset(literals))


def either(terms: Iterable[Term]) -> Term:
    """The disjunction of conditions. Cases that differ in one condition only are merged."""
    cases = list(dict.fromkeys(_literals(term) for term in terms if term is not FALSE))
    merged = True
    while merged:
        merged = False
        for i, first in enumerate(cases):
            for j, second in enumerate(cases[:i]):
                joint = _join(first, second)
                if joint is not None:
                    cases[j] = joint
                    del cases[i]
                    merged = True
                    break
            if merged:
                break
    parts = [_all(case) for case in cases]
    if TRUE in parts:
        return TRUE
    if not parts:
        return FALSE
    ordered = tuple(sorted(parts, key=lambda term: term.serial))
    return ordered[0] if len(ordered) == 1 else _make("any", 1, ordered)


def _join(first: frozenset[Term], second: frozenset[Term]) -> frozenset[Term] | None:
    if first <= second:
        return first
    if second <= first:
        return second
    left, right = first - second, second - first
    if negate(_all(left)) is _all(right) or _all(left) is negate(_all(right)):
        return first & second
    return None


def implies(condition: Term, consequence: Term) -> Term:
    """The implication."""
    return either([negate(condition), consequence])


# Operations

_FOLD: dict[str, Callable[[int, int, int], int | None]] = {
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, w: a << b if 0 <= b < w else None,
    "lshr": lambda a, b, w: (a & (1 << w) - 1) >> b if 0 <= b < w else None,
    "ashr": lambda a, b, w: a >> b if 0 <= b < w else None,
    "udiv": lambda a, b, w: _unsigned(a, w) // _unsigned(b, w) if b else None,
    "urem": lambda a, b, w: _unsigned(a, w) % _unsigned(b, w) if b else None,
    "sdiv": lambda a, b, _: (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1) if b else None,
    "srem": lambda a, b, _: (abs(a) % abs(b)) * (1 if a >= 0 else -1) if b else None,
}
"""The value of each operation on two constants; None if it is undefined."""

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}

COMMUTATIVE: Final = frozenset({"add", "mul", "and", "or", "xor"})


def _unsigned(value: int, width: int) -> int:
    return value & (1 << width) - 1


def binary(op: str, a: Term, b: Term, *, exact: bool = False) -> Term:
    """An operation on two numbers, by its name in the llvm dialect; on conditions also `and`, `or`, `xor`."""
    width = a.width
    if width == 1:
        return _condition(op, a, b)
    if a.op == "const" and b.op == "const":
        folded = _FOLD[op](a.data, b.data, width)
        if folded is not None:
            return const(folded, width)
    if op in COMMUTATIVE and a.op == "const":
        a, b = b, a
    if _is(b, 0) and op in ("add", "sub", "or", "xor", "shl", "lshr", "ashr"):
        return a
    if _is(b, 0) and op in ("mul", "and"):
        return b
    if _is(b, 1) and op in ("mul", "udiv", "sdiv"):
        return a
    if op == "sub" and b.op == "const":
        return binary("add", a, const(-b.data, width), exact=exact)
    if op == "sub" and a is b:
        return const(0, width)
    if op == "add" and b.op == "const" and a.op == "add" and a.args[1].op == "const":
        inner = const(a.args[1].data + b.data, width)
        return binary("add", a.args[0], inner, exact=exact and a.exact)
    if op in ("shl",) and b.op == "const" and 0 <= b.data < width - 1:
        return binary("mul", a, const(1 << b.data, width), exact=exact)
    return _make(op, width, (a, b), exact=exact)


def _condition(op: str, a: Term, b: Term) -> Term:
    if op in ("and", "mul"):
        return both(a, b)
    if op == "or":
        return either([a, b])
    if op in ("xor", "add", "sub"):
        return negate(compare("eq", a, b))
    return _make(op, 1, (a, b))


def compare(predicate: str, a: Term, b: Term) -> Term:
    """A comparison: `eq`, `ne`, or `s` or `u` followed by `lt`, `le`, `gt` or `ge`."""
    if a.op == "const" and b.op == "const":
        x, y = a.data, b.data
        if predicate[0] == "u":
            x, y = _unsigned(x, a.width), _unsigned(y, a.width)
        return TRUE if _COMPARE[predicate[-2:]](x, y) else FALSE
    if a is b:
        return TRUE if predicate in ("eq", "sle", "sge", "ule", "uge") else FALSE
    if predicate == "ne":
        return negate(compare("eq", a, b))
    if a.width == 1 and predicate == "eq":
        for one, other in ((a, b), (b, a)):
            if one.op == "const":
                return other if one is TRUE else negate(other)
    if predicate[1:] == "gt":
        return compare(predicate[0] + "lt", b, a)
    if predicate[1:] in ("ge", "le"):
        x, y = (a, b) if predicate[1:] == "ge" else (b, a)
        return negate(compare(predicate[0] + "lt", x, y))
    if predicate == "eq" and a.serial > b.serial:
        a, b = b, a
    return _make(predicate, 1, (a, b))


def choose(condition: Term, a: Term, b: Term) -> Term:
    """`a` if the condition holds, else `b`."""
    if condition is TRUE or a is b:
        return a
    if condition is FALSE:
        return b
    if a.width == 1:
        return either([both(condition, a), both(negate(condition), b)])
    return _make("select", a.width, (condition, a, b))


def extend(a: Term, width: int, *, is_signed: bool, exact: bool = False) -> Term:
    """`sext` or `zext`; `exact` states that the number is not negative (`nneg`)."""
    if a.width >= width:
        return truncate(a, width)
    if a.op == "const":
        value = a.data if is_signed and a.width > 1 else _unsigned(a.data, a.width)
        return const(-value if is_signed and a.width == 1 else value, width)
    return _make("sext" if is_signed else "zext", width, (a,), exact=exact)


def truncate(a: Term, width: int, *, exact: bool = False) -> Term:
    """The low bits; `exact` states that the signed number fits."""
    if a.width == width:
        return a
    if a.op == "const":
        return const(a.data, width)
    if a.op in ("sext", "zext") and a.args[0].width == width:
        return a.args[0]
    return _make("trunc", width, (a,), exact=exact)


# Traversal


def post_order(root: Term, done: Mapping[Term, Any]) -> Iterator[Term]:
    """The terms below a term, operands first, without those in `done`."""
    pending: list[tuple[Term, bool]] = [(root, False)]
    while pending:
        term, expanded = pending.pop()
        if term in done:
            continue
        if expanded:
            yield term
        else:
            pending.append((term, True))
            pending += [(arg, False) for arg in term.args if arg not in done]


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The same operation on other operands, simplified again."""
    op = term.op
    if op == "not":
        return negate(args[0])
    if op == "all":
        return both(*args)
    if op == "any":
        return either(args)
    if op == "select":
        return choose(*args)
    if op in ("sext", "zext"):
        return extend(args[0], term.width, is_signed=op == "sext", exact=term.exact)
    if op == "trunc":
        return truncate(args[0], term.width, exact=term.exact)
    if op == "uf":
        name, level = term.data
        return function(name, term.width, args, level, (term.low, term.high))
    if op in ("eq", "slt", "ult"):
        return compare(op, *args)
    return binary(op, *args, exact=term.exact)


def substitute(term: Term, found: dict[Term, Term]) -> Term:
    """The term with replacements; `found` contains them and is extended by all subterms."""
    for node in post_order(term, found):
        args = tuple(found[arg] for arg in node.args)
        found[node] = node if args == node.args else rebuild(node, args)
    return found[term]
