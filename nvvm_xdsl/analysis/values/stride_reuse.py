"""Replaces products of one stride by additions of the stride, if their other factors differ by a
constant.

    %i1 = llvm.add %i, %one : i64
    %m0 = llvm.mul %i, %s : i64                     %m0 = llvm.mul %i, %s : i64
    %a0 = llvm.add %base, %m0 : i64           ->    %a0 = llvm.add %base, %m0 : i64
    %m1 = llvm.mul %i1, %s : i64                    %a1 = llvm.add %a0, %s : i64
    %a1 = llvm.add %base, %m1 : i64

LLVM's straight-line strength reduction of products and of their sums, in 64 bits, where a product
takes four machine instructions and a sum two. In 32 bits a product with a sum takes one
instruction; there a step replaces both, if the other factor is not needed otherwise. The base of a
step is in the same block, so that live ranges do not extend across blocks. The result loses its
flags, because it may overflow where the original does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from xdsl.dialects.llvm import AddOp, MulOp, ShlOp, SubOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import set_overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed
from nvvm_xdsl.dialects.llvm.types import I32, I64
from nvvm_xdsl.ir import fast

MOST_PRODUCTS: Final = 16
"""Maximum number of products of one value and stride that are searched for the nearest."""


class _Sum(NamedTuple):
    """A value and a constant; `op` adds them, None if there is no constant."""

    value: SSAValue
    constant: int
    op: Operation | None


class _Step(NamedTuple):
    """A value and the amount that is added to or subtracted from it."""

    start: OpResult
    factor: SSAValue
    down: bool


class _Product(NamedTuple):
    """An available product, the constant of its sum, and the op that adds it, if any."""

    value: OpResult
    constant: int
    sum: Operation | None


class ProductSteps:
    """The state of one walk over a function's blocks.

    Arguments:
        constants: of the function.
        name: the name hint of strides times powers of two; empty for none.
        narrow: also replace products of 32 bits.
    """

    def __init__(self, constants: Constants, name: str = "", *, narrow: bool = False) -> None:
        self.constants = constants
        self.types = (I64, I32) if narrow else (I64,)
        self.name = name
        self.count = 0

    def run(self, blocks: Iterable[Block]) -> int:
        """Creates the steps; returns their number."""
        for block in blocks:
            self.products: dict[tuple[SSAValue, SSAValue], list[_Product]] = {}
            """By value and stride, latest last."""
            self.factors: dict[tuple[SSAValue, int], SSAValue] = {}
            """Strides shifted to the left."""
            self.steps: dict[SSAValue, _Step] = {}
            """The factors of products."""
            self.sums: dict[tuple[SSAValue, SSAValue], OpResult] = {}
            self.left: list[Operation] = []
            """Ops that were only used by products that have been replaced by steps."""
            for op in list(fast.ops_of(block)):
                if type(op) is MulOp and op.results[0].type in self.types:
                    self._visit_product(op)
                elif type(op) is AddOp and op.results[0].type in self.types:
                    self._visit_sum(op)
            for value in reversed(self.steps):
                if value.first_use is None:
                    fast.erase(fast.producer_of(value))
            for op in self.left:
                if op.results[0].first_use is None:
                    fast.erase(op)
        return self.count

    def _visit_product(self, op: Operation) -> None:
        a, b = fast.operands_of(op)
        if constant_integer(a) is not None or constant_integer(b) is not None:
            return
        for sum_, stride in ((_sum_of(a), b), (_sum_of(b), a)):
            known = self._nearest(sum_, stride)
            if known is not None and self._pays(op, sum_, known):
                # The new product loses its flags: it may overflow where the old one does not.
                for part in (known.value.op, known.sum):
                    if part is not None:
                        set_overflow_flags(part, 0)
                distance = sum_.constant - known.constant
                step = _Step(known.value, self._factor(stride, abs(distance), op), distance < 0)
                made = self._replace_by_step(step, op)
                self.steps[made] = step
                self.products[sum_.value, stride].append(_Product(made, sum_.constant, None))
                if sum_.op is not None:
                    self.left.append(sum_.op)
                return
        for sum_, stride in ((_sum_of(a), b), (_sum_of(b), a)):
            known_products = self.products.setdefault((sum_.value, stride), [])
            known_products.append(_Product(op.results[0], sum_.constant, sum_.op))

    def _nearest(self, sum_: _Sum, stride: SSAValue) -> _Product | None:
        """The product at the smallest distance, a power of two of strides."""

        def distance(product: _Product) -> int:
            return abs(sum_.constant - product.constant)

        known = self.products.get((sum_.value, stride), [])[-MOST_PRODUCTS:]
        near = [p for p in known if distance(p).bit_count() == 1 and distance(p) < 1 << 63]
        return min(near, key=distance, default=None)

    def _pays(self, op: Operation, sum_: _Sum, known: _Product) -> bool:
        """Returns True if a step instead of a product saves instructions."""
        value = op.results[0]
        if value.type is I64:
            return True
        user = value.get_user_of_unique_use()
        if sum_.op is None or type(user) is not AddOp or user.parent is not op.parent:
            return False
        terms = fast.operands_of(user)
        other = terms[terms[0] is value]
        return (other, known.value) in self.sums and sum_.op.results[0].has_one_use()

    def _factor(self, stride: SSAValue, distance: int, before: Operation) -> SSAValue:
        """The stride times a power of two."""
        if distance == 1:
            return stride
        key = (stride, distance)
        if key not in self.factors:
            type_ = stride.type
            amount = self.constants.integer(distance.bit_length() - 1, type_)
            shift = fast.create(ShlOp, (stride, amount), (type_,), location=before.location)
            fast.set_name(shift.results[0], self.name or None)
            fast.insert_before(shift, before)
            self.factors[key] = shift.results[0]
        return self.factors[key]

    def _visit_sum(self, op: Operation) -> None:
        a, b = fast.operands_of(op)
        for base, product in ((a, b), (b, a)):
            step = self.steps.get(product)
            known = self.sums.get((base, step.start)) if step is not None else None
            if step is not None and known is not None:
                set_overflow_flags(known.op, 0)
                made = self._replace_by_step(_Step(known, step.factor, step.down), op)
                self.sums[base, product] = made
                return
        self.sums[a, b] = self.sums[b, a] = op.results[0]

    def _replace_by_step(self, step: _Step, op: Operation) -> OpResult:
        """Replaces an op by a step."""
        cls = SubOp if step.down else AddOp
        new = fast.create(cls, (step.start, step.factor), (step.start.type,), location=op.location)
        fast.insert_before(new, op)
        made = new.results[0]
        fast.set_name(made, op.results[0].name_hint)
        fast.replace_op(op, (made,))
        self.count += 1
        return made


def _sum_of(value: SSAValue) -> _Sum:
    if isinstance(value, OpResult) and type(value.op) is AddOp:
        a, b = fast.operands_of(value.op)
        for term, other in ((a, b), (b, a)):
            number = constant_integer(other)
            if number is not None:
                return _Sum(term, signed(number, integer_width(value.type)), value.op)
    return _Sum(value, 0, None)


__all__ = ["ProductSteps"]
