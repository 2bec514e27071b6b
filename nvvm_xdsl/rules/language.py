"""The syntax of rule tables, and its parser.

    shl-of-shl      (shl (shl x C1) C2) => (shl x {C1 + C2}) if C1 + C2 < width keep nsw nuw

A row is one line: the rule's name, the expression that it matches, `=>`, and the expression that
replaces the matched one. Expressions are

- `(op a b)`: an op of `operators`;
- `(op:nsw,nuw a b)`: an op with these flags; on the right side, a new op with these flags;
- `(op! a b)`: an op whose result has no other use, so that the rewrite makes it dead;
- `(icmp.slt a b)`: a comparison;
- `(icmp.P a b)`: a comparison with any predicate, which the right side may refer to as `P`,
  `inverse-P`, `swapped-P` or `unsigned-P`;
- `(zext@y x)`, on the right side: a cast to the type of `y`;
- `a=(op x y)`: an op whose result conditions may refer to as `a`, and the right side unless it is
  the matched op;
- `x`, `y`, `c`: any value, the same for each occurrence of the name; `x:i1` a value of this type;
- `C`, `C1`: any constant number;
- `0`, `-1`, `1.0`, `true`, `null`, `undef`, `poison`: this constant;
- `{C1 + C2}`, on the right side: the value of a Python expression over the constants, wrapped to
  the type of the operand;
- `(not x)`, `(neg x)`: short for `(xor x -1)` and `(sub 0 x)`;
- `@function`, on the right side: the result of a function of `computed`.

Operands of commutative ops match in either order, and so do operands of comparisons with the
swapped predicate. In conditions and computed constants, the name of a constant is its unsigned
value, and `s(C)` its signed value. `width` is the width of the result (of the operands for an
icmp); `width(x)` and `type(x)` are the width and the type of a value. `predicates` defines the
other functions of conditions.

`keep` lists flags that the new ops get if all matched ops that can have them do. Fast-math flags
are always kept in this manner, except those listed after `drop`. `for` repeats a row:
`for OP/DUAL = and/or or/and` creates two rows in which `OP` and `DUAL` are replaced by these words;
the words are appended to the names of the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from nvvm_xdsl.rules.operators import (
    FCMP_PREDICATES,
    ICMP_PREDICATES,
    SWAPPED,
    Operator,
    all_flags,
    operators,
)


@dataclass(frozen=True, slots=True)
class Var:
    """Any value; `type` is empty or the name of the type that it must have."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Const:
    """Any constant number."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal number; a float if the type requires one. `type` is `i1` for true and false."""

    value: int | float
    type: str = ""


@dataclass(frozen=True, slots=True)
class Special:
    """`null`, `undef` or `poison`."""

    name: str


@dataclass(frozen=True, slots=True)
class Computed:
    """A constant given by a Python expression."""

    source: str


@dataclass(frozen=True, slots=True)
class Function:
    """A right side that a function of `computed` computes."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An op applied to operands."""

    op: Operator
    args: tuple[Node, ...]
    predicate: str = ""
    flags: frozenset[str] = frozenset()
    once: bool = False
    like: str = ""
    """The value whose type the result has; if empty, the position determines the type."""
    name: str = ""
    """The name of the op's result on the right side; empty if it has none."""
    swapped: bool = False
    """Whether a comparison has the predicate for exchanged operands."""


Node: TypeAlias = Var | Const | Literal | Special | Computed | Function | Apply


@dataclass(frozen=True, slots=True)
class Rule:
    """A row."""

    name: str
    left: Apply
    right: Node
    where: str = ""
    keep: frozenset[str] = frozenset()
    text: str = ""
    drop: frozenset[str] = frozenset()
    """Fast-math flags that the new ops do not get."""

    @property
    def makes_ops(self) -> bool:
        """True if the right side creates an op."""
        return isinstance(self.right, Apply)


class RuleSyntaxError(ValueError):
    """A syntax error of a row, with the row and the reason."""


_TOKEN = re.compile(r"\{[^}]*\}|[()]|[^\s(){}]+")
_HEAD = re.compile(r"([a-z0-9]+)(?:\.([\w-]+))?(?:@(\w+))?(?::([\w,]+))?(!)?$")
_NUMBER = re.compile(r"-?(\d+(\.\d+)?(e-?\d+)?|inf|nan)$")
_ROW = re.compile(
    r"(?P<name>\S+)\s+(?P<left>(?:\w+=)?\(.*?)\s+=>\s+(?P<right>.*?)"
    r"(?:\s+if\s+(?P<where>.*?))?(?:\s+keep\s+(?P<keep>[\w ]+?))?"
    r"(?:\s+drop\s+(?P<drop>[\w ]+?))?$"
)
_ROOT = re.compile(r"\(([A-Za-z0-9]+)")
_REPEAT = re.compile(r"\s+for\s+([\w/]+)\s*=\s*(.+)$")


def rows_of(table: str) -> Iterator[str]:
    """The rows of a table without comments and empty lines."""
    for line in table.splitlines():
        text = line.strip()
        if text and not text.startswith("#"):
            yield text


def expanded(table: str) -> Iterator[str]:
    """The rows of a table, with repeated rows expanded."""
    for text in rows_of(table):
        repeat = _REPEAT.search(text) if " for " in text else None
        if repeat is None:
            yield text
            continue
        names = repeat[1].split("/")
        text = text[: repeat.start()]
        name, _, body = text.partition(" ")
        for words in repeat[2].split():
            given = dict(zip(names, words.split("/"), strict=True))
            replaced = re.sub(r"\b[A-Z]\w*\b", lambda m, given=given: given.get(m[0], m[0]), body)
            yield f"{name}.{words.replace('/', '.')} {replaced}"


def root_of(line: str) -> str:
    """The name of the op, or of a placeholder, at the start of a row's left side, without parsing
    the row.
    """
    found = _ROOT.search(line)
    assert found is not None, line
    name = found[1]
    return {"not": "xor", "neg": "sub"}.get(name, name)


def left_of(line: str) -> Apply:
    """The left side of an expanded row, without parsing the rest."""
    left = _expression(line[line.index("(") : line.index(" =>")], right=False)
    assert isinstance(left, Apply), line
    return left


def parse(line: str, *, creates_ops: bool = True) -> Rule:
    """Parses an expanded row. Raises RuleSyntaxError.

    Arguments:
        creates_ops: whether the right side may be a new op.
    """
    found = _ROW.match(line)
    if found is None:
        raise RuleSyntaxError(f"not `name left => right`: {line}")
    try:
        left = _expression(found["left"], right=False)
        right = _expression(found["right"], right=True)
    except (KeyError, ValueError, IndexError) as error:
        raise RuleSyntaxError(f"{error}: {line}") from error
    if not isinstance(left, Apply):
        raise RuleSyntaxError(f"the left side is not an op: {line}")
    if left.name and any(isinstance(n, Var) and n.name == left.name for n in walk(right)):
        raise RuleSyntaxError(f"the right side refers to the matched op: {line}")
    if isinstance(right, Apply) and not creates_ops:
        raise RuleSyntaxError(f"the right side creates an op, and the table forbids it: {line}")
    keep, drop = (frozenset((found[word] or "").split()) for word in ("keep", "drop"))
    if not keep | drop <= all_flags():
        unknown = ", ".join(sorted((keep | drop) - all_flags()))
        raise RuleSyntaxError(f"no op carries {unknown}: {line}")
    return Rule(found["name"], left, right, found["where"] or "", keep, line, drop)


def _expression(text: str, *, right: bool) -> Node:
    tokens = _TOKEN.findall(text)
    tokens.reverse()
    node = _node(tokens, right)
    if tokens:
        raise ValueError(f"`{tokens[-1]}` is left over")
    return node


def _node(tokens: list[str], right: bool) -> Node:
    token = tokens.pop()
    if token == "(":
        return _apply(tokens, right, "")
    if token[-1] == "=" and tokens[-1] == "(" and not right:
        tokens.pop()
        return _apply(tokens, right, token[:-1])
    if token[0] == "{" and right:
        return Computed(token[1:-1].strip())
    if token[0] == "@" and right:
        return Function(token[1:])
    if token in ("null", "undef", "poison"):
        return Special(token)
    if token in ("true", "false"):
        return Literal(int(token == "true"), "i1")
    if _NUMBER.match(token):
        return Literal(int(token) if token.lstrip("-").isdigit() else float(token))
    name, _, type_ = token.partition(":")
    if name.isidentifier():
        return Const(name) if name[0].isupper() else Var(name, type_)
    raise ValueError(f"`{token}` is not an expression")


def _apply(tokens: list[str], right: bool, alias: str) -> Apply:
    head = _HEAD.match(tokens.pop())
    if head is None:
        raise ValueError("an op is missing")
    name, predicate, like, flags, once = head.groups()
    args: list[Node] = []
    while tokens[-1] != ")":
        args.append(_node(tokens, right))
    tokens.pop()
    if name == "not":
        name, args = "xor", [*args, Literal(-1)]
    elif name == "neg":
        name, args = "sub", [Literal(0), *args]
    op = operators()[name]
    if len(args) != len(op.operands):
        raise ValueError(f"{name} takes {len(op.operands)} operands")
    named = frozenset((flags or "").split(",")) - {""}
    if not named <= op.known_flags:
        raise ValueError(f"{name} does not carry {', '.join(sorted(named - op.known_flags))}")
    return Apply(op, tuple(args), predicate or "", named, bool(once), like or "", alias)


def walk(node: Node) -> Iterator[Node]:
    """The expression and its subexpressions, outer ones first."""
    yield node
    if isinstance(node, Apply):
        for arg in node.args:
            yield from walk(arg)


def applications(node: Node) -> Iterator[Apply]:
    """The ops of an expression."""
    return (n for n in walk(node) if isinstance(n, Apply))


def predicates_of(op: Operator) -> tuple[str, ...]:
    """The predicates of the op; empty unless it is a comparison."""
    if op.name.startswith("icmp"):
        return ICMP_PREDICATES
    return FCMP_PREDICATES if op.name == "fcmp" else ()


def orders(node: Node) -> Iterator[Node]:
    """The expression with the operands of its commutative ops and comparisons in every order."""
    if not isinstance(node, Apply):
        yield node
        return
    for args in _product([list(orders(arg)) for arg in node.args]):
        yield replace(node, args=args)
        if node.op.commutative:
            yield replace(node, args=(args[1], args[0], *args[2:]))
        elif predicates_of(node.op) and _is_turned(node):
            yield replace(_turned(node), args=(args[1], args[0]))


def _is_turned(comparison: Apply) -> bool:
    """Returns True if a comparison is also matched with exchanged operands.

    Not if an operand is constant, because constants are canonicalized to the right before, and not
    for comparisons of two values with any predicate, whose operands have a canonical order.
    """
    if any(isinstance(arg, Const | Literal | Special) for arg in comparison.args):
        return False
    named = comparison.predicate not in predicates_of(comparison.op)
    return not (named and all(isinstance(arg, Var) for arg in comparison.args))


def _turned(comparison: Apply) -> Apply:
    """A comparison with the predicate for operands in the other order."""
    known = predicates_of(comparison.op)
    if comparison.predicate not in known:
        return replace(comparison, swapped=True)
    table = SWAPPED["icmp" if known is ICMP_PREDICATES else "fcmp"]
    return replace(comparison, predicate=known[table[known.index(comparison.predicate)]])


def _product(choices: list[list[Node]]) -> Iterable[tuple[Node, ...]]:
    found: list[tuple[Node, ...]] = [()]
    for nodes in choices:
        found = [(*done, node) for done in found for node in nodes]
    return found


def renamed(node: Node) -> str:
    """The expression as text, with its values numbered in order of occurrence."""
    numbers: dict[str, int] = {}

    def text(n: Node) -> str:
        if isinstance(n, Apply):
            inner = " ".join(map(text, n.args))
            return f"({n.op.name}.{n.predicate}{n.swapped}{sorted(n.flags)}{n.once} {inner})"
        if isinstance(n, Var):
            return f"v{numbers.setdefault(n.name, len(numbers))}:{n.type}"
        if isinstance(n, Const):
            return f"C{numbers.setdefault(n.name, len(numbers))}"
        return repr(n)

    return text(node)
