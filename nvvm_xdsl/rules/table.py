"""Tables of rules, indexed by op class and operands' classes.

Rows are processed lazily. The left side of a row is parsed when the first op of its root's class
occurs. The whole row is parsed and compiled (`matcher`) when the first op occurs whose operands
have the required classes; tools keep the compiled rules between processes (`compiled`). For
comparisons the predicates must match, too, because most rows on two comparisons state them. An op
without matching rows costs two dictionary look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from types import CodeType

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules.compiled import CompiledShape, CompiledTable, compiled_table
from nvvm_xdsl.rules.language import (
    Apply,
    Rule,
    Var,
    expanded,
    left_of,
    orders,
    parse,
    predicates_of,
    renamed,
    root_of,
    rows_of,
)
from nvvm_xdsl.rules.matcher import (
    Context,
    Match,
    Shape,
    compile_rule,
    function_of,
    namespace,
    shape_of,
)
from nvvm_xdsl.rules.operators import operators

_Owners = tuple[type, ...]
_Matches = list[tuple[str, Match]]

_ROOT = -1
"""The index of the matched op; operands have their own index."""


class _Variant:
    """A rule with one order of the operands of commutative ops."""

    def __init__(self, rule: Rule, left: Apply) -> None:
        self.rule = rule
        self._rule = replace(rule, left=left)
        self.shape: Shape = shape_of(left)
        self._same = [
            (i, j)
            for i, a in enumerate(left.args)
            for j in range(i)
            if isinstance(a, Var) and a == left.args[j]
        ]
        nodes = {_ROOT: left, **dict(enumerate(() if left.op.variadic else left.args))}
        self.predicates: dict[int, int] = {
            place: stated
            for place, node in nodes.items()
            if isinstance(node, Apply) and (stated := _stated_predicate(node)) is not None
        }

    def may_match(self, owners: _Owners) -> bool:
        """Returns True if operands with these defining ops may match."""
        return _fits(self.shape, owners) and all(owners[i] is owners[j] for i, j in self._same)

    def may_compare(self, places: Sequence[int], predicates: Sequence[int]) -> bool:
        """Returns True if comparisons with these predicates at these positions may match."""
        wanted = self.predicates
        return all(
            wanted.get(place, predicate) == predicate
            for place, predicate in zip(places, predicates)
        )

    @cached_property
    def code(self) -> CodeType:
        """The code of its function; compiled on first use."""
        return compile_rule(self._rule)

    @property
    def match(self) -> Match:
        """The function."""
        return function_of(self.code)


def _fits(shape: Shape, owners: _Owners) -> bool:
    return all(wanted is None or owner in wanted for wanted, owner in zip(shape, owners))


class _Row:
    """An expanded row of a table.

    Arguments:
        line: the text of the row.
        creates_ops: whether the right side may be a new op.
    """

    def __init__(self, line: str, creates_ops: bool) -> None:
        self._line = line
        self._creates_ops = creates_ops
        left = left_of(line)
        first = shape_of(left)
        turns = left.op.commutative or predicates_of(left.op)
        self._shapes = (first, (*first[1::-1], *first[2:])) if turns else (first,)

    def may_match(self, owners: _Owners) -> bool:
        """Returns True if operands with these defining ops may match in one of the orders."""
        return any(_fits(shape, owners) for shape in self._shapes)

    @cached_property
    def variants(self) -> dict[str, _Variant]:
        """The rule with all orders of operands."""
        return variants(parse(self._line, creates_ops=self._creates_ops))


def _stated_predicate(node: Apply) -> int | None:
    """The number of the stated predicate of a comparison; None if any predicate matches.

    A comparison with a stated predicate is never `swapped`: the row has a variant for the other
    order.
    """
    known = predicates_of(node.op)
    return known.index(node.predicate) if node.predicate in known else None


class _Shaped:
    """The rules for an op class and the classes of its operands' defining ops.

    Arguments:
        find_variants: returns the rules with their orders of operands.
        kept: the compiled rules, if the shape occurred in an earlier process.
    """

    def __init__(
        self, find_variants: Callable[[], list[_Variant]], kept: CompiledShape | None
    ) -> None:
        self._find_variants = find_variants
        self.compiled: CompiledShape = kept or (self._stated_places(), {})
        self._places = self.compiled[0]
        self._matches: dict[tuple[int, ...], _Matches] = {}
        self.of_all: _Matches | None = None if self._places else self._matches_of(())
        """The rules that do not depend on the predicates of comparisons."""

    @cached_property
    def _variants(self) -> list[_Variant]:
        return self._find_variants()

    def _stated_places(self) -> list[int]:
        return sorted({place for variant in self._variants for place in variant.predicates})

    def of(self, op: Operation) -> _Matches:
        """The rules for the predicates of the op and its operands."""
        operands = fast.operands_of(op)
        predicates = tuple(
            [
                predicate_of(op if place == _ROOT else fast.producer_of(operands[place]))
                for place in self._places
            ]
        )
        found = self._matches.get(predicates)
        if found is None:
            found = self._matches[predicates] = self._matches_of(predicates)
        return found

    def _matches_of(self, predicates: tuple[int, ...]) -> _Matches:
        by_predicates = self.compiled[1]
        rules = by_predicates.get(predicates)
        if rules is None:
            rules = by_predicates[predicates] = [
                (variant.rule.name, variant.code)
                for variant in self._variants
                if variant.may_compare(self._places, predicates)
            ]
        return [(name, function_of(code)) for name, code in rules]


class RuleTable:
    """The rules of some tables, in order: the first rule that matches an op is applied.

    Arguments:
        tables: the texts of the tables (`language`).
        creates_ops: whether right sides may be new ops; otherwise such a row is an error.
    """

    def __init__(self, tables: Sequence[str], *, creates_ops: bool = True) -> None:
        self._tables = tables
        self._creates_ops = creates_ops
        self._rows: dict[type[Operation], list[_Row]] = {}
        self._shaped: dict[type[Operation], dict[_Owners, _Shaped]] = {}

    @cached_property
    def _lines(self) -> dict[type[Operation], list[str]]:
        """The rows by the op class of their root; repeated rows are expanded if the repetition
        determines that class.
        """
        known = operators()
        found: dict[type[Operation], list[str]] = {}
        for table in self._tables:
            for row in rows_of(table):
                for line in (row,) if root_of(row) in known else expanded(row):
                    found.setdefault(known[root_of(line)].cls, []).append(line)
        return found

    @cached_property
    def classes(self) -> frozenset[type[Operation]]:
        """The op classes that rules may match."""
        return frozenset(self._lines)

    @cached_property
    def rules(self) -> list[Rule]:
        """All rules, with repeated rows expanded."""
        return [
            parse(line, creates_ops=self._creates_ops)
            for table in self._tables
            for line in expanded(table)
        ]

    def _candidates(self, cls: type[Operation], owners: _Owners) -> list[_Variant]:
        rows = self._rows.get(cls)
        if rows is None:
            lines = "\n".join(self._lines.get(cls, ()))
            rows = self._rows[cls] = [_Row(line, self._creates_ops) for line in expanded(lines)]
        found: list[_Variant] = []
        seen: set[str] = set()
        for row in rows:
            if not row.may_match(owners):
                continue
            for key, variant in row.variants.items():
                # A row without a condition makes later rows with the same expression unreachable.
                if key in seen or not variant.may_match(owners):
                    continue
                found.append(variant)
                if not variant.rule.where:
                    seen.add(key)
        return found

    @cached_property
    def _compiled(self) -> CompiledTable:
        return compiled_table(self._tables, namespace())

    def _shape(self, cls: type[Operation], owners: _Owners) -> _Shaped:
        name = " ".join([f"{c.__module__}.{c.__qualname__}" for c in (cls, *owners)])
        found = _Shaped(lambda: self._candidates(cls, owners), self._compiled.kept(name))
        self._compiled.add(name, found.compiled)
        return found

    def candidates(self, op: Operation) -> _Matches:
        """The compiled rules for the shape of the op."""
        cls = type(op)
        try:
            by_owners = self._shaped[cls]
        except KeyError:
            by_owners = self._shaped[cls] = {}
        operands = fast.operands_of(op)
        count = len(operands)
        # Most ops have two operands; shapes have at most three.
        if count == 2:
            a, b = operands
            owners: _Owners = (type(a.owner), type(b.owner))
        elif count == 1:
            (a,) = operands
            owners = (type(a.owner),)
        else:
            owners = tuple([type(value.owner) for value in operands[:3]])
        try:
            found = by_owners[owners]
        except KeyError:
            found = by_owners[owners] = self._shape(cls, owners)
        matches = found.of_all
        return found.of(op) if matches is None else matches

    def value_for(self, op: Operation, cx: Context) -> SSAValue | None:
        """The replacement by the first rule that matches the op; None if none does."""
        for _, match in self.candidates(op):
            value = match(op, cx, *fast.operands_of(op))
            if value is not None:
                return value
        return None


def variants(rule: Rule) -> dict[str, _Variant]:
    """The variants of a rule with each distinct order of operands, by the expression with numbered
    values.
    """
    found: dict[str, _Variant] = {}
    for left in orders(rule.left):
        assert isinstance(left, Apply)
        key = renamed(left)
        if key not in found or rule.where:
            found.setdefault(f"{key} {left}" if rule.where else key, _Variant(rule, left))
    return found
