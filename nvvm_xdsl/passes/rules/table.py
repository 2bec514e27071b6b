"""Tables of rules, asked by op: what matches is found by class and operands' classes.

Rows are read when the first op of the class that they start with comes, and made into Python
(`matcher`) when an op with the classes that they want does. An op that no row is for costs
two dictionary look-ups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.rules.language import (
    Apply,
    Rule,
    Var,
    expanded,
    orders,
    parse,
    renamed,
    root_of,
)
from nvvm_xdsl.passes.rules.matcher import Context, Match, Shape, compile_rule, shape_of
from nvvm_xdsl.passes.rules.operators import operators

_Owners = tuple[type, ...]


class _Variant:
    """A rule with the operands of commutative ops in one order."""

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

    def may_match(self, owners: _Owners) -> bool:
        """Whether operands with these owners may be matched."""
        for wanted, owner in zip(self.shape, owners):
            if wanted is not None and owner not in wanted:
                return False
        return all(owners[i] is owners[j] for i, j in self._same)

    @cached_property
    def match(self) -> Match:
        """The Python function."""
        return compile_rule(self._rule)


class RuleTable:
    """The rules of some tables, in order: the first that matches an op wins.

    Arguments:
        tables: texts of rows (`language`).
    """

    def __init__(self, tables: Sequence[str]) -> None:
        self._tables = tables
        self._variants: dict[type[Operation], list[_Variant]] = {}
        self._matches: dict[type[Operation], dict[_Owners, list[tuple[Rule, Match]]]] = {}

    @cached_property
    def _lines(self) -> dict[type[Operation], list[str]]:
        """The rows by the class that they start with."""
        known = operators()
        found: dict[type[Operation], list[str]] = {}
        for table in self._tables:
            for line in expanded(table):
                found.setdefault(known[root_of(line)].cls, []).append(line)
        return found

    @cached_property
    def classes(self) -> frozenset[type[Operation]]:
        """The classes of ops that rules may match."""
        return frozenset(self._lines)

    @cached_property
    def rules(self) -> list[Rule]:
        """All rules, repeated rows as often as they stand for one."""
        return [parse(line) for table in self._tables for line in expanded(table)]

    def _variants_of(self, cls: type[Operation]) -> list[_Variant]:
        found = self._variants.get(cls)
        if found is None:
            found = self._variants[cls] = []
            seen: set[str] = set()
            for line in self._lines.get(cls, ()):
                rule = parse(line)
                for key, variant in variants(rule).items():
                    # A row that has no condition leaves nothing to the same expression further down.
                    if key not in seen:
                        found.append(variant)
                    if not rule.where:
                        seen.add(key)
        return found

    def candidates(self, op: Operation) -> list[tuple[Rule, Match]]:
        """The rules whose shape the op has, with their functions."""
        cls = op.__class__
        by_owners = self._matches.get(cls)
        if by_owners is None:
            by_owners = self._matches[cls] = {}
        operands = fast.operands_of(op)
        count = len(operands)
        # Two operands are the common case, and three are all that a shape looks at.
        if count == 2:
            a, b = operands
            owners: _Owners = (a.owner.__class__, b.owner.__class__)
        elif count == 1:
            owners = (operands[0].owner.__class__,)
        else:
            owners = tuple([value.owner.__class__ for value in operands[:3]])
        found = by_owners.get(owners)
        if found is None:
            found = by_owners[owners] = [
                (variant.rule, variant.match)
                for variant in self._variants_of(cls)
                if variant.may_match(owners)
            ]
        return found

    def value_for(self, op: Operation, cx: Context) -> SSAValue | None:
        """What the first rule that matches the op gives for its result; None when none does."""
        for _, match in self.candidates(op):
            value = match(op, cx, *fast.operands_of(op))
            if value is not None:
                return value
        return None


def variants(rule: Rule) -> dict[str, _Variant]:
    """The rule for all orders of operands that differ, by the expression with its values numbered."""
    found: dict[str, _Variant] = {}
    for left in orders(rule.left):
        assert isinstance(left, Apply)
        key = renamed(left)
        if key not in found or rule.where:
            found.setdefault(f"{key} {left}" if rule.where else key, _Variant(rule, left))
    return found
