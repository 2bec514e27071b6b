"""Search for cheaper expressions that agree with a window on samples.

Expressions of up to one op over inputs, constants and kept values are enumerated; of those with equal
values on all samples only the cheapest is kept. A second op is applied to each of them and a leaf, and
to pairs. A last op is found from the target t: for an expression a, the values t - a, a - t and t ^ a
are looked up, and a constant operand is computed from the samples.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from dev.superopt.terms import (
    BINARY,
    SHIFTS,
    Input,
    Node,
    Number,
    Numbers,
    Poison,
    Term,
    cost_of,
    evaluate,
    inputs,
    leaves,
    ones,
    poison_of,
    terms,
    value_of,
)
from dev.superopt.windows import Facts, Shape
from nvvm_xdsl.rules.operators import ICMP_PREDICATES

FEW: Final = 40
"""Number of samples that decide which expressions are equivalent."""

MANY: Final = 4096
"""Number of samples that a result must agree on."""

SAVING: Final = 0.4
"""The least cost that a replacement must save."""

MOST_KEPT: Final = 500
"""Maximum number of expressions of one width that are kept."""

MOST_PAIRED: Final = 50
"""Number of expressions of which all pairs are tried as operands of the last op."""

_OPS: Final = (
    "and",
    "or",
    "xor",
    "add",
    "sub",
    "mul",
    *sorted(SHIFTS),
    "smax",
    "smin",
    "umax",
    "umin",
)
_BIT_OPS: Final = ("and", "or", "xor")
_FREE: Final = 1e-6
"""Cost of a constant, so that values win over constants of equal value."""


@dataclass(frozen=True)
class Found:
    """A cheaper expression.

    Attributes:
        saved: machine instructions of a thread, approximately.
    """

    shape: Shape
    right: Node
    saved: float


def samples_of(
    values: Sequence[Input],
    constants: Sequence[Number],
    facts: Mapping[Input, Facts],
    count: int,
    seed: int = 1,
) -> dict[Input, Numbers]:
    """Numbers for the inputs: boundary numbers, those near constants, and random ones."""
    chooser = random.Random(seed)
    found: dict[Input, list[int]] = {}
    for value in values:
        width, fact = value.width, facts.get(value)
        limit = 1 << width
        special = [
            0,
            1,
            2,
            limit - 1,
            limit - 2,
            limit >> 1,
            (limit >> 1) - 1,
            3,
            7,
            8,
            31,
            32,
            255,
        ]
        for constant in constants:
            special += [constant.value + d for d in (-1, 0, 1)] + [-constant.value]
        row: list[int] = []
        while len(row) < count:
            kind = chooser.random()
            if kind < 0.35:
                number = chooser.choice(special)
            elif kind < 0.7:
                number = chooser.getrandbits(width) >> chooser.randrange(width)
                if chooser.random() < 0.3:
                    number = -number
            else:
                number = chooser.getrandbits(width)
            number %= limit
            if fact is not None:
                if not fact.low <= number <= fact.high:
                    number = fact.low + number % (fact.high - fact.low + 1)
                number &= ~fact.zeros
                if not fact.low <= number <= fact.high:
                    continue
            row.append(number)
        found[value] = row
    # Equal inputs are rare at random.
    for first, second in pairwise(values):
        if first.width == second.width and first not in facts and second not in facts:
            for i in range(0, count, 7):
                found[second][i] = found[first][i]
    return {value: np.array(row, np.uint64) for value, row in found.items()}


@dataclass
class _Kept:
    """Expressions of one width, one for each class of equal values on the samples."""

    width: int
    nodes: list[Node] = field(default_factory=list[Node])
    costs: list[float] = field(default_factory=list[float])
    rows: list[Numbers] = field(default_factory=list[Numbers])
    by_value: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, key: int, node: Node, row: Numbers, cost: float) -> None:
        """Adds an expression unless a cheaper one has the same values."""
        known = self.by_value.get(key)
        if known is None:
            if len(self.nodes) < MOST_KEPT:
                self.by_value[key] = len(self.nodes)
                self.nodes.append(node)
                self.costs.append(cost)
                self.rows.append(row)
        elif cost < self.costs[known]:
            self.nodes[known], self.costs[known] = node, cost

    def first(self, count: int) -> Group:
        """The first expressions as a group."""
        rows = np.array(self.rows[:count], np.uint64).reshape(len(self.rows[:count]), -1)
        return Group(self.width, self.nodes[:count], np.array(self.costs[:count]), rows)

    def cheapest(self, count: int) -> Group:
        """The cheapest expressions."""
        order = sorted(range(len(self.nodes)), key=self.costs.__getitem__)[:count]
        rows = np.array([self.rows[i] for i in order], np.uint64).reshape(len(order), -1)
        return Group(
            self.width,
            [self.nodes[i] for i in order],
            np.array([self.costs[i] for i in order]),
            rows,
        )


@dataclass(frozen=True)
class Group:
    """Expressions of one width with their costs, and their values in rows."""

    width: int
    nodes: Sequence[Node]
    costs: np.ndarray[Any, np.dtype[np.float64]]
    rows: Numbers


@dataclass(frozen=True)
class Batch:
    """The results of one op for all pairs of operands: costs by pair, values by pair and sample."""

    make: Callable[[int, int], Term]
    costs: np.ndarray[Any, np.dtype[np.float64]]
    rows: Numbers


Test: TypeAlias = Callable[[Numbers, slice], Poison]
"""Whether rows of values pass on a part of the samples."""

_ALL: Final = slice(None)


def _matches(rows: Numbers, test: Test, wanted: Poison) -> Iterator[list[int]]:
    """The indices of wanted rows that pass a test, which is first tried on few samples."""
    part = slice(0, 4)
    quick = wanted & test(rows[..., part], part).all(-1)
    for place in np.argwhere(quick).tolist():
        if test(rows[tuple(place)], _ALL).all():
            yield place


class Search:
    """The search for one window.

    Arguments:
        shape: the window.
        use_facts: whether replacements may rely on the facts about inputs.
    """

    def __init__(self, shape: Shape, *, use_facts: bool) -> None:
        self.shape = shape
        self.facts = dict(shape.facts) if use_facts else {}
        self.root = shape.root
        self.values = inputs(self.root)
        self.constants = [n for n in leaves(self.root) if isinstance(n, Number)]
        dead = [t for t in terms(self.root) if t not in shape.kept]
        self.budget = sum(map(cost_of, dead))
        self.limit = self.budget - SAVING
        self._samples: dict[Input, Numbers] = {}
        self._known: dict[Node, tuple[Numbers, Poison]] = {}
        self._kept: dict[int, _Kept] = {}
        self._weights: Numbers = np.zeros(0, np.uint64)

    def run(self) -> Found | None:
        """The cheapest replacement that agrees on many samples."""
        if not self._choose_samples():
            return None
        target = self._row(self.root)
        best: Found | None = None
        tried: set[Node] = set()
        for node, cost in self._candidates(target):
            if cost > self.limit or node in tried:
                continue
            tried.add(node)
            if self._agrees(node):
                best = Found(self.shape, node, self.budget - cost)
                self.limit = cost - 1e-6
        return best

    # Samples

    def _choose_samples(self) -> bool:
        """Chooses samples on which the window is not poison; returns whether there are enough."""
        drawn = samples_of(self.values, self.constants, self.facts, 8 * FEW)
        _, poison = evaluate(self.root, drawn, {})
        good = np.flatnonzero(~np.broadcast_to(poison, (8 * FEW,)))[:FEW]
        if len(good) < FEW // 4:
            return False
        self._samples = {value: row[good] for value, row in drawn.items()}
        chooser = np.random.default_rng(1)
        self._weights = chooser.integers(1, 1 << 63, len(good), np.uint64) | np.uint64(1)
        return True

    def _row(self, node: Node) -> Numbers:
        numbers, _ = evaluate(node, self._samples, self._known)
        return np.ascontiguousarray(np.broadcast_to(numbers, self._weights.shape))

    def _key(self, rows: Numbers) -> Numbers:
        """A hash of the values in each row."""
        mixed = rows * np.uint64(0x9E3779B97F4A7C15)
        return ((mixed ^ (mixed >> np.uint64(29))) * self._weights).sum(-1, np.uint64)

    def _agrees(self, node: Node) -> bool:
        drawn = samples_of(self.values, self.constants, self.facts, MANY, 2)
        known: dict[Node, tuple[Numbers, Poison]] = {}
        left, left_poison = evaluate(self.root, drawn, known)
        right, right_poison = evaluate(node, drawn, known)
        return bool(np.all(left_poison | ((left == right) & ~right_poison)))

    # Enumeration

    def _candidates(self, target: Numbers) -> Iterator[tuple[Node, float]]:
        """Expressions with the target's values, not all of them within the limit."""
        width = self.root.width
        self._add_leaves()
        own = self._kept_of(width)
        yield from self._looked_up(own, target)
        yield from self._solved(target)
        if self.limit < 1.0:
            return
        starts = {w: k.cheapest(16) for w, k in self._kept.items()}
        for batch in self._batches(starts, starts):
            self._keep(batch)
        yield from self._looked_up(own, target)
        yield from self._solved(target)
        if self.limit < 2.0:
            return
        yield from self._met(target)
        paired = {w: k.cheapest(MOST_PAIRED) for w, k in self._kept.items()}
        all_ = {w: k.first(MOST_KEPT) for w, k in self._kept.items()}
        for left, right in ((starts, all_), (all_, starts), (paired, paired)):
            for batch in self._batches(left, right):
                yield from self._last(batch, target)

    def _looked_up(self, kept: _Kept, target: Numbers) -> Iterator[tuple[Node, float]]:
        found = kept.by_value.get(int(self._key(target)))
        if found is not None:
            yield kept.nodes[found], kept.costs[found]

    def _kept_of(self, width: int) -> _Kept:
        found = self._kept.get(width)
        if found is None:
            found = self._kept[width] = _Kept(width)
        return found

    def _add(self, node: Node, cost: float) -> None:
        row = self._row(node)
        self._kept_of(node.width).add(int(self._key(row)), node, row, cost)

    def _add_leaves(self) -> None:
        widths = {t.width for t in terms(self.root)} | {v.width for v in self.values}
        values: list[Node] = [*self.values, *(t for t in terms(self.root) if t in self.shape.kept)]
        for value in values:
            self._add(value, 0.0)
        for value in values:
            for width in widths:
                names = ("zext", "sext") if width > value.width else ("trunc",)
                for name in names if width != value.width else ():
                    term = Term(name, (value,), width)
                    self._add(term, cost_of(term))
        for width in sorted(widths):
            numbers = {0, 1, -1}
            for constant in self.constants:
                numbers.add(constant.value)
                if constant.width == width:
                    numbers |= {-constant.value, ~constant.value}
                    numbers |= {width - constant.value} if constant.value < width else set()
            for number in sorted(numbers):
                self._add(Number(number & ((1 << width) - 1), width), _FREE)

    def _batches(self, left: Mapping[int, Group], right: Mapping[int, Group]) -> Iterator[Batch]:
        """The results of all ops for operands of two groups."""
        for width, a in left.items():
            if width in right:
                yield from self._binary(a, right[width])
        if 1 in left and 1 in right:
            yield from self._selects(left, right)
        if left is right:
            return
        for width, a in left.items():
            yield from self._unary(width, a)

    def _unary(self, width: int, a: Group) -> Iterator[Batch]:
        for other in sorted(self._kept):
            if other == width:
                continue
            for name in ("zext", "sext") if other > width else ("trunc",):
                yield self._batch(name, a, a, other, unary=True)
        if width > 1:
            yield self._batch("abs", a, a, width, unary=True)

    def _binary(self, a: Group, b: Group) -> Iterator[Batch]:
        width = a.width
        for op in _OPS if width > 1 else _BIT_OPS:
            yield self._batch(op, a, b, width)
        if width > 1:
            for predicate in ICMP_PREDICATES:
                yield self._batch("icmp", a, b, 1, predicate)

    def _batch(
        self, op: str, a: Group, b: Group, width: int, predicate: str = "", *, unary: bool = False
    ) -> Batch:
        def make(i: int, j: int) -> Term:
            return Term(op, (a.nodes[i],) if unary else (a.nodes[i], b.nodes[j]), width, predicate)

        sample = make(0, 0)
        cost = cost_of(sample)
        if unary:
            args = [a.rows[:, None, :]]
            costs = a.costs[:, None] + cost
        else:
            args = [a.rows[:, None, :], b.rows[None, :, :]]
            costs = a.costs[:, None] + b.costs[None, :] + cost
            constant = np.array([isinstance(n, Number) for n in a.nodes])
            fixed = np.array([isinstance(n, Number) for n in b.nodes])
            costs = np.where(constant[:, None] & fixed[None, :], np.inf, costs)
        rows = value_of(sample, args)
        if op in SHIFTS:
            costs = np.where(poison_of(sample, args, rows).any(-1), np.inf, costs)
        return Batch(make, costs, rows)

    def _selects(self, left: Mapping[int, Group], right: Mapping[int, Group]) -> Iterator[Batch]:
        conditions = left[1]
        chosen = [i for i, n in enumerate(conditions.nodes) if not isinstance(n, Number)][:24]
        for width, a in right.items():
            for i in chosen[: 8 if len(a.nodes) > MOST_PAIRED else 16]:
                test, cost = conditions.rows[i], float(conditions.costs[i])
                b = left.get(width)
                if b is None:
                    continue
                for first, second in ((a, b), (b, a)):
                    rows = np.where(test != 0, first.rows[:, None, :], second.rows[None, :, :])
                    node = conditions.nodes[i]

                    def make(
                        j: int,
                        k: int,
                        node: Node = node,
                        first: Group = first,
                        second: Group = second,
                    ) -> Term:
                        return Term("select", (node, first.nodes[j], second.nodes[k]), first.width)

                    total = (
                        cost + first.costs[:, None] + second.costs[None, :] + cost_of(make(0, 0))
                    )
                    yield Batch(make, total, rows)

    def _keep(self, batch: Batch) -> None:
        """Keeps the results that are new."""
        wanted = np.argwhere(batch.costs <= self.limit)
        if not len(wanted):
            return
        order = np.argsort(batch.costs[wanted[:, 0], wanted[:, 1]], kind="stable")
        wanted = wanted[order]
        keys = self._key(batch.rows[wanted[:, 0], wanted[:, 1]])
        _, firsts = np.unique(keys, return_index=True)
        kept = self._kept_of(batch.make(0, 0).width)
        for at in np.sort(firsts).tolist():
            i, j = wanted[at].tolist()
            key = int(keys[at])
            cost = float(batch.costs[i, j])
            known = kept.by_value.get(key)
            if known is None or cost < kept.costs[known]:
                kept.add(key, batch.make(i, j), batch.rows[i, j], cost)

    def _last(self, batch: Batch, target: Numbers) -> Iterator[tuple[Node, float]]:
        """Candidates among the results: equal to the target, or after one more op with a constant."""
        width = batch.make(0, 0).width
        if width != self.root.width:
            return
        cheap = batch.costs <= self.limit
        for i, j in _matches(batch.rows, lambda rows, part: rows == target[part], cheap):
            yield batch.make(i, j), float(batch.costs[i, j])
        cheap = batch.costs <= self.limit - 1.0
        if width == 1 or not cheap.any():
            return
        for op, test in self._tests(width, target).items():
            for i, j in _matches(batch.rows, test, cheap):
                term = self._with_constant(op, batch.make(i, j), batch.rows[i, j], target)
                yield term, float(batch.costs[i, j]) + cost_of(term)

    def _tests(self, width: int, target: Numbers) -> dict[str, Test]:
        """For each op, whether a constant as second operand gives the target; samples of a row that
        are tested are the first ones."""
        mask = ones(width)
        some, all_ = np.bitwise_or.reduce(target), np.bitwise_and.reduce(target)

        def same(rows: Numbers) -> Poison:
            return rows == rows[..., :1]

        tests: dict[str, Test] = {
            "add": lambda rows, part: same((target[part] - rows) & mask),
            "sub": lambda rows, part: same((target[part] + rows) & mask),
            "xor": lambda rows, part: same(target[part] ^ rows),
        }
        if some != mask:
            tests["and"] = lambda rows, part: rows & some == target[part]
        if all_ != 0:
            tests["or"] = lambda rows, part: rows | all_ == target[part]
        return tests

    def _with_constant(self, op: str, node: Node, row: Numbers, target: Numbers) -> Term:
        """The op with the constant for which it has the target's values."""
        width, mask = node.width, ones(node.width)
        numbers = {
            "add": target[:1] - row[:1],
            "sub": target[:1] + row[:1],
            "xor": target[:1] ^ row[:1],
            "and": np.bitwise_or.reduce(target, keepdims=True),
            "or": np.bitwise_and.reduce(target, keepdims=True),
        }
        number = Number(int((numbers[op] & mask)[0]), width)
        return Term(op, (number, node) if op == "sub" else (node, number), width)

    def _solved(self, target: Numbers) -> Iterator[tuple[Node, float]]:
        """Candidates `(op a C)` with a kept expression and a constant computed from the samples."""
        width = self.root.width
        if width == 1:
            yield from self._solved_comparisons(target)
            return
        group = self._kept_of(width).first(MOST_KEPT)
        is_value = np.array([not isinstance(n, Number) for n in group.nodes])
        cheap = is_value & (group.costs <= self.limit - 1.0)
        for op, test in self._tests(width, target).items():
            for (i,) in _matches(group.rows, test, cheap):
                term = self._with_constant(op, group.nodes[i], group.rows[i], target)
                yield term, float(group.costs[i]) + cost_of(term)
        amounts = np.arange(1, width, dtype=np.uint64)[None, :, None]
        rows = group.rows[:, None, :]
        for op in sorted(SHIFTS):
            shifted = BINARY[op](rows, amounts, width) & ones(width)
            for i, j in _matches(shifted, lambda rows, part: rows == target[part], cheap[:, None]):
                term = Term(op, (group.nodes[i], Number(j + 1, width)), width)
                yield term, float(group.costs[i]) + cost_of(term)
        for i in np.flatnonzero(cheap).tolist():
            is_one = np.flatnonzero(group.rows[i] == 1)
            factor = target[is_one[0]] if is_one.size else np.uint64(0)
            if factor and np.array_equal(group.rows[i] * factor & ones(width), target):
                term = Term("mul", (group.nodes[i], Number(int(factor), width)), width)
                yield term, float(group.costs[i]) + cost_of(term)

    def _solved_comparisons(self, target: Numbers) -> Iterator[tuple[Node, float]]:
        """Candidates `(icmp.P a C)`: an order in which all true samples precede all false ones."""
        true = target != 0
        if true.all() or not true.any():
            return
        for width, kept in list(self._kept.items()):
            if width == 1:
                continue
            for node, cost, row in zip(list(kept.nodes), list(kept.costs), list(kept.rows)):
                if isinstance(node, Number) or cost + 1 > self.limit:
                    continue
                for sign, bias in (("u", 0), ("s", 1 << (width - 1))):
                    shifted = row ^ np.uint64(bias)
                    yes, no = shifted[true], shifted[~true]
                    if yes.max() < no.min():
                        bounds = [(f"{sign}lt", int(no.min())), (f"{sign}le", int(yes.max()))]
                    elif yes.min() > no.max():
                        bounds = [(f"{sign}gt", int(no.max())), (f"{sign}ge", int(yes.min()))]
                    else:
                        bounds = []
                    for predicate, number in bounds:
                        made = Number(number ^ bias, width)
                        term = Term("icmp", (node, made), 1, predicate)
                        yield term, cost + cost_of(term)
                for predicate, part, rest in (
                    ("eq", row[true], row[~true]),
                    ("ne", row[~true], row[true]),
                ):
                    number = int(part[0])
                    if (part == part[0]).all() and not (rest == part[0]).any():
                        term = Term("icmp", (node, Number(number, width)), 1, predicate)
                        yield term, cost + cost_of(term)

    def _met(self, target: Numbers) -> Iterator[tuple[Node, float]]:
        """Candidates `(op a b)` with the value of b computed from the target and a."""
        width = self.root.width
        kept = self._kept_of(width)
        mask = ones(width)
        for node, cost, row in zip(list(kept.nodes), list(kept.costs), list(kept.rows)):
            if cost + 1 > self.limit:
                continue
            for op, wanted in (
                ("add", (target - row) & mask),
                ("sub", (row - target) & mask),
                ("xor", target ^ row),
            ):
                found = kept.by_value.get(int(self._key(wanted)))
                if found is not None:
                    term = Term(op, (node, kept.nodes[found]), width)
                    yield term, cost + kept.costs[found] + cost_of(term)
