"""Rows of rule tables from replacements: constants become variables with a condition.

Every constant of the left side becomes a variable, except 0, 1 and -1. For each constant of the right
side, expressions of the variables with this value are tried, and for the row, conditions that hold for
the window. The first combination that agrees with the left side for random constants and samples is
proved by `dev.rule_proofs`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Final

import numpy as np

from dev.rule_proofs import DisprovedError, Proof, prove
from dev.superopt.search import Found, samples_of
from dev.superopt.terms import (
    Input,
    Node,
    Number,
    Term,
    evaluate,
    inputs,
    leaves,
    number_text,
    terms,
    text_of,
)
from dev.superopt.windows import Facts
from nvvm_xdsl.rules import predicates
from nvvm_xdsl.rules.language import Rule, RuleSyntaxError, parse
from nvvm_xdsl.rules.progress import objection
from nvvm_xdsl.rules.typing import RuleTypeError, typing_of

LITERALS: Final = (0, 1, -1)
INSTANCES: Final = 48
"""Number of choices of constants that a row is tried with."""

LEAST_INSTANCES: Final = 6
"""The least number of these that the condition must permit."""

SAMPLES: Final = 192
MOST_TRIES: Final = 400
SECONDS: Final = 4.0
"""Time limit of the proof of one instance."""

_ONE: Final = (
    "{a} < width", "0 < {a} and {a} < width", "pow2({a})", "lowmask({a})", "s({a}) >= 0", "s({a}) > 0",
    "s({a}) < 0", "{a} != 0", "{a} == width - 1", "{a} == (1 << (width - 1)) - 1",
    "{a} == 1 << (width - 1)", "lowmask(~{a} & ((1 << width) - 1))",
)  # fmt: skip
_TWO: Final = (
    "{a} == {b}", "{a} < {b}", "{a} <= {b}", "s({a}) < s({b})", "s({a}) <= s({b})", "{a} & {b} == 0",
    "{a} & {b} == {b}", "{a} & ~{b} == 0", "{a} == {b} + 1", "{a} + {b} == width", "{a} == 1 << {b}",
    "{a} + {b} < width", "{a} % {b} == 0", "{a} + {b} == 1 << width", "{a} < 1 << {b}",
    "{a} == (1 << {b}) - 1",
)  # fmt: skip
_VALUES_ONE: Final = ("{a}", "-{a}", "~{a}", "{a} + 1", "{a} - 1", "1 << {a}", "(1 << {a}) - 1", "-(1 << {a})",
                      "width - {a}", "log2({a})", "2 * {a}", "((1 << width) - 1) >> {a}")  # fmt: skip
_VALUES_TWO: Final = (
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} & {b}", "{a} | {b}", "{a} ^ {b}", "{a} << {b}",
    "{a} >> {b}", "{a} & ~{b}", "{a} - {b} - 1", "{a} - {b} + 1", "{a} // {b}",
)  # fmt: skip
_MOST_SHIFT: Final = 64


@dataclass(frozen=True)
class Row:
    """A proved row, or the reason why there is none.

    Attributes:
        text: of the row; of the window and its replacement if there is no row.
        problem: empty for a row that is proved.
    """

    text: str
    problem: str = ""
    proof: Proof | None = None


class _Signed:
    """The function `s` of conditions for a width."""

    def __init__(self, width: int) -> None:
        self.width = width

    def __call__(self, number: int) -> int:
        number &= (1 << self.width) - 1
        return number - (1 << self.width) if number >> (self.width - 1) else number


def compute(source: str, numbers: Mapping[str, int], width: int) -> int | None:
    """The value of a condition or of a computed constant; None if it is undefined."""
    if "<<" in source and any(n >= _MOST_SHIFT for n in _shifts(source, numbers)):
        return None
    scope: dict[str, Any] = {
        **{name: getattr(predicates, name) for name in ("pow2", "lowmask", "log2")},
        "s": _Signed(width),
        "width": width,
        **numbers,
    }
    try:
        return int(eval(source, {"__builtins__": {}}, scope))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def _shifts(source: str, numbers: Mapping[str, int]) -> Iterator[int]:
    for name, number in numbers.items():
        if f"<< {name}" in source or f">> {name}" in source:
            yield number


class Generalization:
    """The search for a row for one replacement."""

    def __init__(self, found: Found, name: str) -> None:
        self.found = found
        self.name = name
        self.root = found.shape.root
        self.width = self.root.args[0].width if self.root.op == "icmp" else self.root.width
        self.facts = {i: f for i, f in found.shape.facts}
        self.variables: dict[Number, str] = {}
        for leaf in leaves(self.root):
            if isinstance(leaf, Number) and leaf.width > 1 and not _is_literal(leaf):
                self.variables[leaf] = f"C{len(self.variables) + 1}"
        self.given = {name: number.value for number, name in self.variables.items()}
        self._instances = list(self._constants())
        self.used = self._used_values()

    def row(self) -> Row:
        """The row with its proof."""
        plain = f"{self.name} {text_of(self.root)} => {text_of(self.found.right)}"
        tries = 0
        reason = "no condition fits"
        for values, condition in self._choices():
            tries += 1
            if tries > MOST_TRIES:
                break
            if not self._agrees(values, condition):
                continue
            text = self._text(values, condition)
            rule, problem = _parsed(text)
            if rule is None:
                return Row(text, problem)
            try:
                proof = prove(rule, (1, 8, 32, 64), SECONDS)
            except DisprovedError as error:
                reason = " ".join(str(error).split())
                continue
            except ValueError as error:
                return Row(text, f"no claim: {error}")
            if proof.is_complete:
                return Row(text, "", proof)
            reason = f"open: {', '.join(proof.open[:4])} {proof.unsupported}"
        return Row(plain, reason)

    def _choices(self) -> Iterator[tuple[dict[Number, str], str]]:
        numbers = list(dict.fromkeys(self._own_numbers(self.found.right)))
        pools = [[(n, source) for source in self._sources(n)] for n in numbers]
        conditions = list(self._conditions())
        for chosen in product(*pools):
            values = dict(chosen)
            for condition in conditions:
                yield values, condition

    def _sources(self, number: Number) -> list[str]:
        """Expressions with the value of a constant of the right side."""
        if number.width == 1 or _is_literal(number):
            return [number_text(number)]
        found = [f for f in self._filled(_VALUES_ONE, _VALUES_TWO) if self._gives(f, number)]
        exact = [self.variables[n] for n in self.variables if n == number]
        plain = [f"{{{source}}}" for source in found if source not in exact]
        return [*exact, *sorted(plain, key=len)[:4]] or [number_text(number)]

    def _gives(self, source: str, number: Number) -> bool:
        value = compute(source, self.given, number.width)
        return value is not None and value & ((1 << number.width) - 1) == number.value

    def _conditions(self) -> Iterator[str]:
        """Conditions that hold for the window's constants, weaker ones first."""
        holding = [c for c in self._filled(_ONE, _TWO) if compute(c, self.given, self.width)]
        facts = list(self._fact_conditions())
        for fact in facts or [""]:
            yield fact
            for condition in holding:
                yield " and ".join(filter(None, (condition, fact)))
        for first, second in combinations(holding, 2):
            yield " and ".join(filter(None, (first, second, facts[0] if facts else "")))

    def _fact_conditions(self) -> Iterator[str]:
        known = [f"known_nonneg({i.name})" for i, f in self.facts.items() if _is_nonneg(i, f)]
        if known:
            yield " and ".join(known)

    def _filled(self, ones: Sequence[str], twos: Sequence[str]) -> Iterator[str]:
        names = list(self.given)
        for name in names:
            yield from (form.format(a=name) for form in ones)
        for first, second in product(names, repeat=2):
            if first != second:
                yield from (form.format(a=first, b=second) for form in twos)

    # Checks with other constants

    def _constants(self) -> Iterator[dict[str, int]]:
        chooser = random.Random(3)
        yield self.given
        for _ in range(40 * INSTANCES if self.given else 0):
            made: dict[str, int] = {}
            for number, name in self.variables.items():
                width, kind = number.width, chooser.random()
                if kind < 0.3:
                    value = chooser.randrange(min(1 << width, 2 * width))
                elif kind < 0.5:
                    value = (1 << chooser.randrange(width)) - chooser.randrange(2)
                elif kind < 0.6:
                    value = chooser.choice(
                        list(made.values()) or [number.value]
                    ) + chooser.randrange(-1, 2)
                elif kind < 0.75:
                    value = number.value
                elif kind < 0.85:
                    value = chooser.getrandbits(width) >> chooser.randrange(width)
                else:
                    value = -(1 << chooser.randrange(width))
                made[name] = value & ((1 << width) - 1)
            yield made

    def _agrees(self, values: dict[Number, str], condition: str) -> bool:
        """Whether both sides agree for random constants that meet the condition."""
        plain = " and ".join(c for c in condition.split(" and ") if not c.startswith("known_"))
        count = 0
        for constants in self._instances:
            if plain and not compute(plain, constants, self.width):
                continue
            own = {n: self._number(n, source, constants) for n, source in values.items()}
            if None in own.values():
                return False
            left = {n: Number(constants[v], n.width) for n, v in self.variables.items()}
            if not self._equal(left, own):
                return False
            count += 1
            if count == INSTANCES:
                break
        return count >= (LEAST_INSTANCES if self.given else 1)

    def _number(self, number: Number, source: str, constants: Mapping[str, int]) -> Number | None:
        """A constant of the right side for a choice of the constants of the left side."""
        if source[0] != "{":
            return Number(constants[source], number.width) if source in constants else number
        value = compute(source[1:-1], constants, number.width)
        return None if value is None else Number(value & ((1 << number.width) - 1), number.width)

    def _equal(self, left: Mapping[Number, Number], own: Mapping[Number, Any]) -> bool:
        root = _replaced(self.root, left, {})
        right = _replaced(self.found.right, own, {t: _replaced(t, left, {}) for t in self.used})
        numbers = [n for n in leaves(root) if isinstance(n, Number)]
        drawn = samples_of(inputs(self.root), numbers, self.facts, SAMPLES)
        known: dict[Node, Any] = {}
        a, a_poison = evaluate(root, drawn, known)
        b, b_poison = evaluate(right, drawn, known)
        return bool(np.all(a_poison | ((a == b) & ~b_poison)))

    def _used_values(self) -> list[Term]:
        """The kept values that the right side uses, without those inside of others."""
        found: list[Term] = []

        def visit(node: Node) -> None:
            if isinstance(node, Term):
                if node in self.found.shape.kept:
                    found.append(node)
                    return
                for arg in node.args:
                    visit(arg)

        visit(self.found.right)
        return list(dict.fromkeys(found))

    def _own_numbers(self, node: Node) -> Iterator[Number]:
        """The constants of the right side outside of kept values."""
        if isinstance(node, Number):
            yield node
        elif isinstance(node, Term) and node not in self.used:
            for arg in node.args:
                yield from self._own_numbers(arg)

    # Text

    def _text(self, values: dict[Number, str], condition: str) -> str:
        named = dict(zip(self.used, "abd"))
        inner = {t for used in self.used for t in terms(used)}
        made = [t for t in terms(self.found.right) if t not in inner]
        dead = [t for t in terms(self.root) if t not in self.found.shape.kept and t != self.root]
        once = set(dead[::-1][: max(0, len(made) - 1)])
        left = _left_text(self.root, self.variables, dict(named), once)
        right = text_of(self.found.right, {**named, **values})
        return f"{self.name} {left} => {right}" + (f" if {condition}" if condition else "")


def _replaced(node: Node, numbers: Mapping[Number, Any], kept: Mapping[Node, Node]) -> Node:
    if isinstance(node, Number):
        return numbers.get(node, node)
    if isinstance(node, Input):
        return node
    if node in kept:
        return kept[node]
    args = tuple(_replaced(arg, numbers, kept) for arg in node.args)
    return Term(node.op, args, node.width, node.predicate, node.flags)


def _left_text(
    node: Node, variables: Mapping[Number, str], named: dict[Term, str], once: set[Term]
) -> str:
    """The left side, with names and marks of its ops."""
    if isinstance(node, Number):
        return variables.get(node) or number_text(node)
    if isinstance(node, Input):
        return node.name + (":i1" if node.width == 1 else "")
    head = node.op + (f".{node.predicate}" if node.predicate else "")
    if node.flags:
        head += ":" + ",".join(sorted(node.flags))
    args = " ".join(_left_text(arg, variables, named, once) for arg in node.args)
    text = f"({head}{'!' if node in once else ''} {args})"
    name = named.pop(node, "")
    return f"{name}={text}" if name else text


def _is_literal(number: Number) -> bool:
    return number.value in {n & ((1 << number.width) - 1) for n in LITERALS}


def _is_nonneg(value: Input, facts: Facts) -> bool:
    return facts.high < 1 << (value.width - 1)


def _parsed(text: str) -> tuple[Rule | None, str]:
    try:
        rule = parse(text)
        typing_of(rule)
    except (RuleSyntaxError, RuleTypeError) as error:
        return None, str(error)
    problem = objection(rule)
    return (None, problem) if problem else (rule, "")
