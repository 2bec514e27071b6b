"""Factors that the terms of a sum or of a chain of addresses have in common, for `reassociate`.

    %a = llvm.mul %b, %c : i64                                    %a = llvm.mul %b, %c : i64
    %x = llvm.mul %a, %w : i64                                    %x = llvm.add %a, %y : i64
    %p1 = llvm.getelementptr %p[%x] : ..., f32            ->      %z = llvm.mul %x, %w : i64
    %y1 = llvm.mul %y, %w : i64                                   %p2 = llvm.getelementptr %p[%z] : ..., f32
    %p2 = llvm.getelementptr %p1[%y1] : ..., f32

Source such as `p + b * (C * H * W) + c * (H * W) + y * W` computes the same product several times. The terms are
products in one block with a single use; a chain of addresses contributes its indices, which must have 64 bits and equal
element types. The factor of most terms is extracted, with all others that these terms share, and the same is done
inside and outside the extracted sum. `x / y * y` and `x % y` with equal other factors become `x`; `x / y * y` may have
other uses, and `x % y` may be `x - x / y * y`. Sums and products are associative modulo a power of two, so the new ops
and addresses have no flags.

The new form is used if it has fewer ops, weighted by loops.
(LLVM's Reassociate extracts factors of sums of integers, but not of addresses.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import Final, NamedTuple

from xdsl.dialects.llvm import (
    AddOp,
    GEPOp,
    MulOp,
    SDivOp,
    ShlOp,
    SRemOp,
    SubOp,
    UDivOp,
    URemOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import element_type_of, integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, create_gep, raw_indices
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.scalar.reassociate_ranks import (
    Key,
    Part,
    belongs,
    chain,
    joined,
    summands,
    total_cost,
)
from nvvm_xdsl.transforms.conditionals import erase_dead

FACTORED: Final = Statistic(
    "reassociate", "factored", "Number of sums of which factors were extracted"
)

MAX_TERMS: Final = 16
"""Maximum number of terms of a sum; a larger one is not changed."""

_DIVISIONS: Final[dict[type[Operation], tuple[bool, bool]]] = {
    UDivOp: (False, True),
    URemOp: (False, False),
    SDivOp: (True, True),
    SRemOp: (True, False),
}
"""Whether a division is signed, and whether its result is the quotient."""


class Term(NamedTuple):
    """A product."""

    coefficient: int
    factors: tuple[SSAValue, ...]


def extract_factors(
    root: Operation,
    key: Callable[[SSAValue, Block], Key],
    constants: Constants,
    seen: set[Operation],
) -> bool:
    """Extracts common factors of the sum, or of the chain of addresses, that ends with an op.

    Arguments:
        root: an `add`, a `sub` or a `getelementptr`.
        key: the rank of a value in a block.
        constants: makes constants.
        seen: receives the ops of the sum or chain, which need not be tried as roots.

    Returns whether the IR changed.
    """
    found = _sum_of(root)
    seen.update(found.interior)
    if found.type is None or not integer_width(found.type):
        return False
    merged = _merged(found)
    if len(merged) > MAX_TERMS:
        return False
    terms = _without_remainders(merged)
    if len(terms) == len(merged) and not _sharing(terms):
        return False
    return _Planner(root, found, key, constants).rebuild(terms)


@dataclass
class _Sum:
    """The terms of a sum or of a chain of addresses."""

    interior: list[Operation] = field(default_factory=list[Operation])
    """The ops that a new sum replaces, users first."""
    base: SSAValue | None = None
    """The address to which the indices of a chain are added."""
    type: Attribute | None = None
    """The type of the terms."""
    terms: list[Term] = field(default_factory=list[Term])


def _sum_of(root: Operation) -> _Sum:
    found = _Sum()
    work: list[tuple[SSAValue, int]] = []
    if type(root) is GEPOp:
        gep: Operation | None = root
        while gep is not None and _is_step(gep, element_type_of(root)):
            found.interior.append(gep)
            found.base, index = fast.operands_of(gep)
            found.type = index.type
            work.append((index, 1))
            below = found.base.owner
            gep = below if type(below) is GEPOp and belongs(below, root) else None
        work.reverse()
    else:
        found.type = root.results[0].type
        work.append((root.results[0], 1))
    while work:
        value, times = work.pop()
        op = value.owner
        parts = None
        if isinstance(op, Operation) and (op is root or belongs(op, root)):
            parts = summands(op)
            if parts is not None:
                found.interior.append(op)
        if parts is not None:
            work.extend((part, times * factor) for part, factor in reversed(parts))
        else:
            found.terms.append(_product(value, times, root, found.interior))
    return found


def _is_step(gep: Operation, element: Attribute) -> bool:
    """Returns True for an address with one index, a value of 64 bits, for elements of a type."""
    return (
        raw_indices(gep) == (DYNAMIC_INDEX,)
        and element_type_of(gep) == element
        and integer_width(fast.operands_of(gep)[1].type) == 64
    )


def _product(value: SSAValue, times: int, root: Operation, interior: list[Operation]) -> Term:
    factors: list[SSAValue] = []
    work = [value]
    while work:
        factor = work.pop()
        number = constant_integer(factor)
        op = factor.owner
        if number is not None:
            times *= number
        elif isinstance(op, Operation) and type(op) in (MulOp, ShlOp) and belongs(op, root):
            a, b = fast.operands_of(op)
            if type(op) is MulOp:
                interior.append(op)
                work += (b, a)
                continue
            shifted = summands(op)
            if shifted is None:
                factors.append(factor)
                continue
            interior.append(op)
            times *= shifted[0][1]
            work.append(a)
        else:
            factors.append(factor)
    return Term(times, tuple(factors))


def _merged(found: _Sum) -> list[Term]:
    """The terms with the coefficients of equal products added, without those that cancel."""
    assert found.type is not None
    width = integer_width(found.type)
    sums: dict[frozenset[tuple[SSAValue, int]], Term] = {}
    for term in found.terms:
        key = frozenset(Counter(term.factors).items())
        known = sums.get(key, Term(0, term.factors))
        sums[key] = Term(signed(known.coefficient + term.coefficient, width), known.factors)
    return [term for term in sums.values() if term.coefficient]


def _without_remainders(terms: list[Term]) -> list[Term]:
    """The terms in which `x / y * y` plus `x % y` is `x`."""
    found = list(terms)
    # The dividend may itself be a part of another dividend: `x / z` of `x / z / y * y + x / z % y`.
    work = list(terms)
    halves: dict[tuple[object, bool], Term] = {}
    for term in work:
        for key, is_quotient, whole in _halves(term):
            other = halves.get((key, not is_quotient))
            if other is not None and other in found and term in found:
                found.remove(other)
                found[found.index(term)] = whole
                work.append(whole)
            halves[key, is_quotient] = term
    return found


def _halves(term: Term) -> Iterator[tuple[object, bool, Term]]:
    """The divisions whose remainder, or whose quotient times the divisor, is a factor of a term.

    A constant divisor is a part of the coefficient.

    Yields a key that is equal for terms that can be added, whether the factor is a quotient, and
    the term with the dividend as its factor.
    """
    for factor in term.factors:
        half = _half_of(factor)
        if half is None:
            continue
        rest = Counter(term.factors)
        rest[factor] -= 1
        coefficient = term.coefficient
        if half.lacks_divisor:
            number = constant_integer(half.divisor)
            if number is None:
                rest[half.divisor] -= 1
            elif number and coefficient % number == 0:
                coefficient //= number
            else:
                continue
        if min(rest.values()) < 0:
            continue
        others = frozenset((+rest).items())
        key = (half.is_signed, half.dividend, half.divisor, coefficient, others)
        yield key, half.is_quotient, Term(coefficient, (*rest.elements(), half.dividend))


class _Half(NamedTuple):
    """A part of a dividend: its quotient, with or without the divisor, or its remainder."""

    is_signed: bool
    dividend: SSAValue
    divisor: SSAValue
    is_quotient: bool
    lacks_divisor: bool


def _half_of(value: SSAValue) -> _Half | None:
    """The part of a dividend that a value is; `x - x / y * y` is the remainder of `x`."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    kind = _DIVISIONS.get(type(op))
    if kind is not None:
        is_signed, is_quotient = kind
        dividend, divisor = fast.operands_of(op)
        return _Half(is_signed, dividend, divisor, is_quotient, is_quotient)
    if type(op) is SubOp:
        dividend, part = fast.operands_of(op)
        half = _multiple_of_quotient(part)
        if half is not None and half.dividend is dividend:
            return half._replace(is_quotient=False)
        return None
    return _multiple_of_quotient(value)


def _multiple_of_quotient(value: SSAValue) -> _Half | None:
    """`x / y * y`."""
    op = value.owner
    if type(op) is not MulOp and type(op) is not ShlOp:
        return None
    quotient, times = fast.operands_of(op)
    division = quotient.owner
    if type(division) is not UDivOp and type(division) is not SDivOp:
        return None
    dividend, divisor = fast.operands_of(division)
    if type(op) is ShlOp:
        amount, width = constant_integer(times), integer_width(value.type)
        if amount is None or amount not in range(width):
            return None
        equal = constant_integer(divisor) == signed(1 << amount, width)
    else:
        equal = times is divisor
    return _Half(type(division) is SDivOp, dividend, divisor, True, False) if equal else None


def _sharing(terms: list[Term]) -> list[Term]:
    """The terms of several factors with the factor of most of them; empty if that has one term."""
    products = [term for term in terms if len(term.factors) > 1]
    counts: Counter[SSAValue] = Counter()
    for term in products:
        counts.update(dict.fromkeys(term.factors, 1))
    for factor, count in counts.most_common(1):
        if count > 1:
            return [term for term in products if factor in term.factors]
    return []


@dataclass
class _Planner:
    """Plans and emits the new form of a sum."""

    root: Operation
    old: _Sum
    key: Callable[[SSAValue, Block], Key]
    constants: Constants
    cost: list[Key] = field(default_factory=list[Key])

    def __post_init__(self) -> None:
        assert self.old.type is not None
        assert self.root.parent is not None
        self.type = self.old.type
        self.block = self.root.parent

    def rebuild(self, terms: list[Term]) -> bool:
        """Replaces the sum by a sum of these terms if the new one costs less; returns True then."""
        whole = self.sum(terms)
        if self.old.base is not None:
            self.cost.append(joined(whole.key, self.key(self.old.base, self.block)))
        if total_cost(self.cost)[0] >= self.old_cost()[0]:
            return False
        value = whole.emit()
        if self.old.base is not None:
            step = create_gep(
                (self.old.base, value), (DYNAMIC_INDEX,), element_type_of(self.root),
                self.root.results[0].type, location=self.root.location,
            )  # fmt: skip
            fast.insert_before(step, self.root)
            value = step.results[0]
        fast.replace_all_uses(self.root.results[0], value)
        for op in self.old.interior:
            fast.erase(op)
        for term in self.old.terms:
            for factor in term.factors:
                # A division of which only the dividend is needed.
                erase_dead(factor)
        FACTORED.add()
        return True

    def old_cost(self) -> tuple[int, int]:
        """The cost of the ops that the new form replaces."""
        keys: dict[SSAValue, Key] = {}
        found: list[Key] = []
        # Operands come before their users.
        for op in reversed(self.old.interior):
            a, b = fast.operands_of(op)
            key = joined(*(keys.get(v) or self.key(v, self.block) for v in (a, b)))
            keys[op.results[0]] = key
            found.append(key)
        return total_cost(found)

    def sum(self, terms: list[Term]) -> Part:
        """The sum of terms, with shared factors extracted."""
        parts: list[tuple[int, Part]] = []
        while inside := _sharing(terms):
            terms = [t for t in terms if t not in inside]
            shared = Counter(inside[0].factors)
            for term in inside[1:]:
                shared &= Counter(term.factors)
            times = gcd(*(term.coefficient for term in inside))
            rest = [
                Term(t.coefficient // times, _elements(Counter(t.factors) - shared)) for t in inside
            ]
            leaves = map(self.leaf, _elements(shared))
            parts.append((times, self.product([self.sum(rest), *leaves])))
        constant = sum(term.coefficient for term in terms if not term.factors)
        for term in terms:
            if term.factors:
                parts.append((term.coefficient, self.product([*map(self.leaf, term.factors)])))
        plus = [self.multiple(part, times) for times, part in parts if times > 0]
        minus = [self.multiple(part, -times) for times, part in parts if times < 0]
        if plus:
            whole = chain(plus, self.op(AddOp), self.cost)
        else:
            whole, constant = self.number(constant), 0
        if minus:
            whole = self.pair(SubOp, whole, chain(minus, self.op(AddOp), self.cost))
        return self.pair(AddOp, whole, self.number(constant)) if constant else whole

    def leaf(self, value: SSAValue) -> Part:
        """A value as a part."""
        return Part(lambda: value, self.key(value, self.block))

    def number(self, number: int) -> Part:
        """A constant as a part."""
        return Part(lambda: self.constants.integer(number, self.type), (0, False, 0))

    def product(self, parts: list[Part]) -> Part:
        """The product of parts."""
        return chain(parts, self.op(MulOp), self.cost)

    def multiple(self, part: Part, times: int) -> Part:
        """A part times a positive number."""
        if times == 1:
            return part
        if times & (times - 1) == 0:
            return self.pair(ShlOp, part, self.number(times.bit_length() - 1))
        return self.pair(MulOp, part, self.number(times))

    def pair(self, kind: type[Operation], a: Part, b: Part) -> Part:
        """An op on two parts."""
        key = joined(a.key, b.key)
        self.cost.append(key)
        return Part(lambda: self.op(kind)(a.emit(), b.emit()), key)

    def op(self, kind: type[Operation]) -> Callable[[SSAValue, SSAValue], SSAValue]:
        """A function that emits an op of a kind."""

        def emit(a: SSAValue, b: SSAValue) -> SSAValue:
            new = fast.create(kind, (a, b), (self.type,), location=self.root.location)
            fast.insert_before(new, self.root)
            return new.results[0]

        return emit


def _elements(factors: Counter[SSAValue]) -> tuple[SSAValue, ...]:
    return tuple(factors.elements())
