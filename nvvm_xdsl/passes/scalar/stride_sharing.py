"""Computes addresses from available addresses that differ by one variable step.

A first walk over the function plans the steps. A step pays if the ops that it makes dead cost more
than itself. An op of an index becomes dead if all its users do, or are addresses that are computed
by steps; therefore steps that do not pay are dropped until all remaining ones pay. The second walk
creates them.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from typing import Final, NamedTuple, cast

from xdsl.dialects.llvm import (
    AddOp,
    FuncOp,
    GEPOp,
    MulOp,
    OrOp,
    SExtOp,
    ShlOp,
    SubOp,
    ZExtOp,
)
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.values.address_polynomials import (
    AddressPolynomials,
    Monomial,
    Polynomial,
    PolynomialAddress,
)
from nvvm_xdsl.analysis.values.linear_address import DEEPEST, scaled
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.types import I64
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.address_sharing import AddressSharing, Base, Key

MOST_BASES: Final = 16
"""Maximum number of addresses with the same root that are tried as the start of a step."""

MOST_SEARCHED: Final = 4
"""Number of these, the latest ones, that are tried as the start of a step by a sum or product."""

MOST_DIFFERENT: Final = 4
"""Maximum number of products in which the sums of two addresses may differ."""

_ARITHMETIC: Final = frozenset({AddOp, SubOp, OrOp, MulOp, ShlOp})
_INDEX_OPS: Final = _ARITHMETIC | {GEPOp, SExtOp, ZExtOp}
"""Ops without side effects whose results are part of addresses."""


class _Step(NamedTuple):
    """The product and its coefficient by which an address differs from an available one with the
    given key; the empty product if the variable parts are equal."""

    key: Key
    monomial: Monomial
    factor: int
    by_sum: bool = False
    """Whether the product is a sum or product of leaves, which may be poison where these are not."""


class StrideSharing(AddressSharing[PolynomialAddress]):
    """The state of `slsr` for the addresses of one function."""

    def __init__(self, dominators: DominatorTree, func: FuncOp, constants: Constants) -> None:
        super().__init__(dominators, data_layout_of(func))
        self.constants = constants
        self.planning = True
        self.steps: dict[SSAValue, _Step] = {}
        """The planned steps by address."""
        self.polynomials = AddressPolynomials(self.layout)

    def run(self) -> bool:
        """Computes addresses by steps where this pays; returns whether an address changed."""
        for gep in self.geps():
            self.polynomials.add(gep)
        found = self.polynomials.addresses()
        shared = Counter(address.key for address in found.values())
        self.sums = {p: address for p, address in found.items() if shared[address.key] > 1}
        if self.sums:
            self.walk()
            self._drop_costly_steps()
        if self.steps:
            self.planning = False
            self.kept.clear()
            self.walk()
        return bool(self.moved)

    def key_of(self, found: PolynomialAddress) -> Key:
        return found.key, found.terms

    def visit_address(self, gep: Operation, found: PolynomialAddress) -> None:
        pointer = gep.results[0]
        if not self.planning:
            if pointer in self.steps:
                super().visit_address(gep, found)
            return
        key = self.key_of(found)
        step = _Step(key, (), 0) if key in self.bases else self._step(pointer, found, key)
        if step is not None:
            self.steps[pointer] = step
            if self._equals_its_sum(step):
                self.offer(key, Base(pointer, found.constant))

    def derived(self, gep: Operation, found: PolynomialAddress, key: Key) -> Base | None:
        step = self._step(gep.results[0], found, key)
        if step is None:
            return None
        base = self.bases[step.key]
        made = Base(self._stepped(base.value, step, gep), base.constant)
        if self._equals_its_sum(step):
            self.offer(key, made)
        else:
            # An access makes it available.
            self.sums[made.value] = found._replace(constant=made.constant)
        return made

    def _equals_its_sum(self, step: _Step) -> bool:
        """Whether the address at a step equals the sum of its leaves even if the original address
        is poison."""
        return not step.by_sum or step.monomial[0].value in self.proved

    def _step(self, pointer: SSAValue, found: PolynomialAddress, key: Key) -> _Step | None:
        """A step from an available address: by a leaf, by another operand of the address, or by a
        product, in this order; by the smallest factor; from the latest address."""
        if len(found.terms) < 2:
            return None
        others = self.of_root.get(key[0], [])[-MOST_BASES:]
        differences = [(other, _difference(found, other)) for other in reversed(others)]
        own = {monomial for monomial, _ in found.terms}
        # A leaf that is not part of this address may be poison, unless it is part of an accessed one.
        products = [
            _Step(other, monomial, factor)
            for other, difference in differences
            if len(difference) == 1
            for monomial, factor in difference.items()
            if monomial in own or self.bases[other].value in self.proved
        ]
        steps = [step for step in products if len(step.monomial) == 1]
        if not steps:
            # No operand of an address is poison unless the address is.
            parts = self.polynomials.parts(pointer)
            for other, difference in differences[:MOST_SEARCHED]:
                known = self.polynomials.multiple(difference, parts) if difference else None
                if known is not None:
                    leaf, factor = known
                    steps.append(_Step(other, (leaf,), factor, by_sum=True))
        near = [step for step in steps or products if abs(step.factor) < 2**31]
        return min(near, key=lambda step: (len(step.monomial), abs(step.factor)), default=None)

    def _stepped(self, pointer: SSAValue, step: _Step, before: Operation) -> SSAValue:
        """The address at a step from a pointer."""

        def put(op: Operation) -> SSAValue:
            op.location = before.location
            fast.insert_before(op, before)
            return op.results[0]

        factors: list[SSAValue] = []
        for value, extension in step.monomial:
            if extension:
                cls = SExtOp if extension == "s" else ZExtOp
                value = put(fast.create(cls, (value,), (I64,)))
            factors.append(value)
        index = reduce(lambda x, y: put(fast.create(MulOp, (x, y), (I64,))), factors)
        if step.factor > 0:
            return scaled(pointer, index, step.factor, before)
        number = self.constants.integer(step.factor, I64)
        return scaled(pointer, put(fast.create(MulOp, (index, number), (I64,))), 1, before)

    # Costs, in machine instructions

    def _drop_costly_steps(self) -> None:
        """Drops the steps that do not pay. Addresses share the savings of common ops."""
        changed = True
        while changed:
            uses = Counter(step.monomial for step in self.steps.values())
            dead = _DeadOps(self.steps)
            parts = {pointer: dead.behind(pointer) for pointer in self.steps}
            users = Counter(value for values in parts.values() for value in values)
            paying = {
                pointer: step
                for pointer, step in self.steps.items()
                if sum(_cost(value) / users[value] for value in parts[pointer])
                + _address_cost(pointer)
                > _step_cost(step.monomial, uses[step.monomial])
            }
            changed = len(paying) < len(self.steps)
            self.steps = paying


class _DeadOps:
    """The ops that become dead if some addresses are computed by steps.

    Arguments:
        steps: the steps by address. The leaves of their products stay alive.
    """

    def __init__(self, steps: dict[SSAValue, _Step]) -> None:
        self._known: dict[SSAValue, bool] = {}
        for step in steps.values():
            self._known.update((leaf.value, False) for leaf in step.monomial)
        self._steps = steps

    def behind(self, pointer: SSAValue) -> set[OpResult]:
        """The results of dead ops that compute an address, without itself."""
        found: set[OpResult] = set()
        pending = list(fast.operands_of(fast.producer_of(pointer)))
        while pending:
            value = pending.pop()
            if value not in found and isinstance(value, OpResult) and self._dies(value, DEEPEST):
                found.add(value)
                pending += fast.operands_of(value.op)
        return found

    def _dies(self, value: SSAValue, depth: int) -> bool:
        known = self._known.get(value)
        if known is None:
            if not isinstance(value, OpResult) or type(value.op) not in _INDEX_OPS or not depth:
                return False
            known = self._known[value] = all(
                user.results
                and (user.results[0] in self._steps or self._dies(user.results[0], depth - 1))
                for user in fast.users_of(value)
            )
        return known


def _cost(value: OpResult) -> int:
    """The cost of an op of an index. A product or shift with one use is part of the sum that uses
    it."""
    cls = type(value.op)
    if cls is GEPOp:
        return 1
    if cls not in _ARITHMETIC:
        return 0
    if cls is MulOp or cls is ShlOp:
        users = list(fast.users_of(value))
        if len(users) == 1 and type(users[0]) in (AddOp, SubOp):
            return 0
    return 1 if integer_width(value.type) <= 32 else 2


def _address_cost(pointer: SSAValue) -> int:
    """The cost of an address beside that of its index: one product of 32 bits with a sum, or a sum
    of 64 bits."""
    narrow = (SExtOp, ZExtOp)
    _, *indices = fast.operands_of(fast.producer_of(pointer))
    return sum(1 if isinstance(v, OpResult) and type(v.op) in narrow else 2 for v in indices)


def _step_cost(monomial: Monomial, uses: int) -> float:
    """The cost of an address that is computed by a step.

    Arguments:
        uses: number of steps with the same product, which is computed once.
    """
    if not monomial:
        return 0
    wide = sum(not leaf.extension for leaf in monomial)
    if len(monomial) == 1:
        return 2 + 2 / uses if wide else 1
    return 2 + (1 if len(monomial) == 2 and not wide else 4 * (len(monomial) - 1)) / uses


def _difference(found: PolynomialAddress, other: Key) -> Polynomial:
    """The polynomial by which the variable part of an address exceeds another one; empty if they
    differ in too many products."""
    have = cast("frozenset[tuple[Monomial, int]]", other[1])
    if len(found.terms ^ have) > MOST_DIFFERENT:
        return {}
    difference: Polynomial = dict(found.terms - have)
    for monomial, number in have - found.terms:
        difference[monomial] = signed(difference.get(monomial, 0) - number, 64)
    return difference


__all__ = ["StrideSharing"]
