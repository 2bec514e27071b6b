"""Windows of code: connected ops that compute one value, with the number of their executions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation, SSAValue

from dev.superopt.terms import OPS, Input, Node, Number, Term
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules.operators import ICMP_PREDICATES, operators

SMALLEST: Final = 2
LARGEST: Final = 6
"""Numbers of ops of a window."""

MOST_WIDE: Final = 64
"""Maximum width of values in bits."""

MOST_INPUTS: Final = 4
MOST_PER_ROOT: Final = 80
HOISTED: Final = 0.5
"""An op whose execution count is below this share of the root's is treated as an input that the
replacement may use, because its removal saves little."""


@dataclass(frozen=True)
class Facts:
    """Known properties of an input: its unsigned range, and bits that are zero."""

    low: int
    high: int
    zeros: int


@dataclass(frozen=True)
class Shape:
    """A window without its location.

    Attributes:
        root: the value that it computes.
        kept: values that other ops use, too, so that they stay when the root is replaced.
        facts: of the inputs that have any.
    """

    root: Term
    kept: frozenset[Term]
    facts: tuple[tuple[Input, Facts], ...] = ()


@dataclass
class Window:
    """A shape with its occurrences.

    Attributes:
        runs: executions by warps over all occurrences.
        places: the functions of the occurrences, with the number of runs.
    """

    shape: Shape
    runs: float = 0.0
    places: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, place: str, runs: float) -> None:
        """Counts an occurrence."""
        self.runs += runs
        self.places[place] = self.places.get(place, 0.0) + runs


@cache
def _names() -> dict[type[Operation], str]:
    return {o.cls: o.name for name, o in operators().items() if name in OPS}


def op_name(op: Operation) -> str | None:
    """The name in rule tables of an op on scalar integers; None for other ops."""
    name = _names().get(type(op))
    if name is None or len(op.results) != 1:
        return None
    values = (*fast.operands_of(op), op.results[0])
    if not all(type(v.type) is IntegerType and integer_width(v.type) <= MOST_WIDE for v in values):
        return None
    return name


def flags_of(op: Operation, name: str) -> frozenset[str]:
    """The flags of an op by which its result may be poison."""
    found: set[str] = set()
    bits = overflow_flags(op) if name in ("add", "sub", "mul", "shl", "trunc") else 0
    found |= {"nsw"} if bits & NSW else set()
    found |= {"nuw"} if bits & NUW else set()
    for attribute, flag in (("isExact", "exact"), ("isDisjoint", "disjoint"), ("nonNeg", "nneg")):
        if attribute in op.properties:
            found.add(flag)
    for attribute, flag in (
        ("is_int_min_poison", "int_min_poison"),
        ("is_zero_poison", "zero_poison"),
    ):
        given = op.properties.get(attribute)
        if given is not None and getattr(getattr(given, "value", None), "data", 0):
            found.add(flag)
    return frozenset(found)


def windows_of(func: FuncOp, runs: Mapping[Operation, float]) -> Iterator[tuple[Shape, float]]:
    """The windows of a function with the number of runs of each root.

    Arguments:
        runs: of each executed op; windows of other ops are left out.
    """
    tracking = ValueTracking(func)
    for op in func.walk():
        if op_name(op) is None or not runs.get(op):
            continue
        for group in _groups(op):
            found = _shape(op, group, tracking, runs)
            if found is not None:
                yield found, runs[op]


def _groups(root: Operation) -> Iterator[frozenset[Operation]]:
    """Connected groups of ops that end in the root, smaller ones first."""
    pending = [frozenset({root})]
    seen = set(pending)
    for group in pending:
        if len(seen) > MOST_PER_ROOT:
            break
        if len(group) == LARGEST:
            continue
        for op in group:
            for operand in fast.operands_of(op):
                producer = operand.owner
                if not isinstance(producer, Operation) or op_name(producer) is None:
                    continue
                larger = group | {producer}
                if larger not in seen:
                    seen.add(larger)
                    pending.append(larger)
    return (group for group in pending if len(group) >= SMALLEST)


def _shape(
    root: Operation,
    group: frozenset[Operation],
    tracking: ValueTracking,
    runs: Mapping[Operation, float],
) -> Shape | None:
    names: dict[SSAValue, Node] = {}
    facts: dict[Input, Facts] = {}

    def node(value: SSAValue) -> Node:
        found = names.get(value)
        if found is None:
            found = names[value] = _leaf(value) if value.owner not in group else _term(value.owner)
        return found

    def _leaf(value: SSAValue) -> Node:
        width = integer_width(value.type)
        number = constant_unsigned(value)
        if number is not None:
            return Number(number, width)
        made = Input("xyzuvwst"[len(facts)] if len(facts) < 8 else "?", width)
        known = tracking.fact(value)
        facts[made] = Facts(known.range.umin(), known.range.umax(), known.bits.zeros)
        return made

    def _term(owner: object) -> Term:
        assert isinstance(owner, Operation)
        name = op_name(owner)
        assert name is not None
        args = tuple(node(v) for v in fast.operands_of(owner))
        predicate = ICMP_PREDICATES[predicate_of(owner)] if name == "icmp" else ""
        width = integer_width(owner.results[0].type)
        return Term(name, args, width, predicate, flags_of(owner, name))

    made = node(root.results[0])
    assert isinstance(made, Term)
    if len(facts) > MOST_INPUTS:
        return None
    kept: set[Term] = set()
    stays: set[Operation] = set()
    for op in _users_first(root, group):
        if op is root:
            continue
        users = {use.operation for use in op.results[0].uses}
        if not users <= group or users & stays or runs.get(op, 0) < HOISTED * runs[root]:
            stays.add(op)
            term = names[op.results[0]]
            assert isinstance(term, Term)
            kept.add(term)
    known = tuple((i, f) for i, f in facts.items() if _tells(i, f))
    return Shape(made, frozenset(kept), known)


def _tells(value: Input, facts: Facts) -> bool:
    """Whether facts exclude numbers; single numbers and booleans are left out."""
    full = (1 << value.width) - 1
    return value.width > 1 and (facts.low > 0 or facts.high < full or facts.zeros != 0)


def _users_first(root: Operation, group: frozenset[Operation]) -> Sequence[Operation]:
    """The ops of a group, each after its users in the group."""
    order: list[Operation] = []
    seen: set[Operation] = set()

    def visit(op: Operation) -> None:
        if op in seen:
            return
        seen.add(op)
        for operand in fast.operands_of(op):
            producer = operand.owner
            if isinstance(producer, Operation) and producer in group:
                visit(producer)
        order.append(op)

    visit(root)
    order.reverse()
    return order
