"""Simplification of integer ops by the demanded bits of their results.

Like LLVM's SimplifyDemandedBits and BDCE, with `analysis/values/demanded_bits.py`. Each row of
`SIMPLIFIERS` maps an op and its demanded bits to a value that agrees with it in these bits for all
operands, and that demands no additional bits of the operands. The analysis therefore stays valid
while ops are simplified. Known bits cannot be used: another simplification may change a known bit
that is not demanded.

    %a = llvm.and %x, %c65535 : i32
    %b = llvm.mul %a, %y : i32                ->    %b = llvm.mul %x, %y : i32
    %c = llvm.trunc %b : i32 to i16                 %c = llvm.trunc %b : i32 to i16
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    FuncOp,
    LShrOp,
    MulOp,
    OrOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SubOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.values.demanded_bits import ALWAYS_USED, DEMAND, DemandedBits
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_constant
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import FshlOp, FshrOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.expressions import FLAG_PROPERTIES


class _Site(NamedTuple):
    """An op, the demanded bits of its result, and a builder for new values."""

    op: Operation
    demanded: int
    constants: Constants

    @property
    def width(self) -> int:
        """The width of the result, in bits."""
        return integer_width(self.op.results[0].type)

    def operand(self, place: int) -> SSAValue:
        """The operand with this index."""
        return fast.operands_of(self.op)[place]

    def number(self, place: int) -> int | None:
        """The unsigned value of a constant operand; None for other operands."""
        return constant_unsigned(self.operand(place))

    def amount(self, place: int = 1) -> int | None:
        """A constant shift amount below the width; None for other amounts."""
        found = self.number(place)
        return found if found is not None and found < self.width else None

    def constant(self, number: int) -> SSAValue:
        """A constant of the result's type."""
        return self.constants.integer(number, self.op.results[0].type)

    def build(self, cls: type[Operation], *operands: SSAValue) -> SSAValue:
        """Creates an op of the result's type before the op and returns its result."""
        type_: Attribute = self.op.results[0].type
        new = fast.create(cls, operands, (type_,), location=self.op.location)
        fast.insert_before(new, self.op)
        return new.results[0]

    def shifted(self, value: SSAValue, left: int) -> SSAValue:
        """The value shifted left, or logically right if the number is negative."""
        if left == 0:
            return value
        return self.build(ShlOp if left > 0 else LShrOp, value, self.constant(abs(left)))


def _and(site: _Site) -> SSAValue | None:
    mask = site.number(1)
    if mask is None:
        return None
    if not site.demanded & mask:
        return site.constant(0)
    return site.operand(0) if not site.demanded & ~mask else None


def _or(site: _Site) -> SSAValue | None:
    mask = site.number(1)
    if mask is None:
        return None
    if not site.demanded & ~mask:
        return site.constant(mask)
    return site.operand(0) if not site.demanded & mask else None


def _xor(site: _Site) -> SSAValue | None:
    mask, ones = site.number(1), (1 << site.width) - 1
    if mask is None:
        return None
    if not site.demanded & mask:
        return site.operand(0)
    if mask != ones and not site.demanded & ~mask:
        return site.build(XOrOp, site.operand(0), site.constant(ones))
    return None


def _carrying(demanded: int) -> int:
    """The bits up to the highest demanded bit, from which carries can reach it."""
    return (1 << demanded.bit_length()) - 1


def _add(site: _Site) -> SSAValue | None:
    number = site.number(1)
    if number is not None and not number & _carrying(site.demanded):
        return site.operand(0)
    return None


def _mul(site: _Site) -> SSAValue | None:
    number = site.number(1)
    if number is None:
        return None
    number &= _carrying(site.demanded)
    if number == 0:
        return site.constant(0)
    return site.operand(0) if number == 1 else None


def _inner_amount(site: _Site, *classes: type[Operation]) -> tuple[SSAValue, int] | None:
    """The operand and amount of a shift whose result is shifted again."""
    shifted = site.operand(0)
    if type(shifted.owner) not in classes:
        return None
    value, amount = fast.operands_of(fast.producer_of(shifted))
    number = constant_unsigned(amount)
    return (value, number) if number is not None and number < site.width else None


def _shl(site: _Site) -> SSAValue | None:
    amount = site.amount()
    if amount is None:
        return None
    if not site.demanded >> amount:
        return site.constant(0)
    inner = _inner_amount(site, LShrOp, AShrOp)
    if inner is None or site.demanded & ((1 << amount) - 1):
        return None
    value, by = inner
    if type(site.operand(0).owner) is AShrOp and amount < by:
        return None
    return site.shifted(value, amount - by)


def _lshr(site: _Site) -> SSAValue | None:
    amount = site.amount()
    if amount is None:
        return None
    if not site.demanded & ((1 << (site.width - amount)) - 1):
        return site.constant(0)
    return _right(site, amount)


def _ashr(site: _Site) -> SSAValue | None:
    amount = site.amount()
    if not amount or site.demanded >> (site.width - amount):
        return None
    found = _right(site, amount)
    return site.shifted(site.operand(0), -amount) if found is None else found


def _right(site: _Site, amount: int) -> SSAValue | None:
    """Simplifies a right shift of a left shift if the shifted-in high bits are not demanded."""
    inner = _inner_amount(site, ShlOp)
    if inner is None or site.demanded >> (site.width - amount):
        return None
    value, by = inner
    return site.shifted(value, by - amount)


def _sext(site: _Site) -> SSAValue | None:
    if site.demanded >> integer_width(site.operand(0).type):
        return None
    return site.build(ZExtOp, site.operand(0))


def _select(site: _Site) -> SSAValue | None:
    a, b = site.number(1), site.number(2)
    if a is None or b is None or (a ^ b) & site.demanded:
        return None
    return site.operand(1)


def _funnel(site: _Site) -> SSAValue | None:
    """Simplifies a funnel shift of which only the bits of one operand are demanded."""
    number = site.number(2)
    if number is None:
        return None
    left = number % site.width
    if type(site.op) is FshrOp:
        left = (site.width - left) % site.width
    if left == 0:
        return None
    if not site.demanded & ((1 << left) - 1):
        return site.shifted(site.operand(0), left)
    if not site.demanded >> left:
        return site.shifted(site.operand(1), left - site.width)
    return None


Simplifier: TypeAlias = Callable[[_Site], "SSAValue | None"]

SIMPLIFIERS: dict[type[Operation], Simplifier] = {
    AndOp: _and,
    OrOp: _or,
    XOrOp: _xor,
    AddOp: _add,
    SubOp: _add,
    MulOp: _mul,
    ShlOp: _shl,
    LShrOp: _lshr,
    AShrOp: _ashr,
    SExtOp: _sext,
    SelectOp: _select,
    FshlOp: _funnel,
    FshrOp: _funnel,
}
"""By op class, the simplification of an op by its demanded bits."""


def simplify_demanded(bits: DemandedBits) -> bool:
    """Simplifies the integer ops of a function; returns whether anything changed.

    Results without demanded bits become 0, and so do such operands. `bits` is invalid afterwards.
    """
    constants = Constants(cast(FuncOp, bits.func))
    changed_values: set[SSAValue] = set()
    changed = False
    for block in bits.cfg.rpo_blocks():
        for op in fast.ops_of(block):
            if op.name in DEMAND:
                changed |= _simplify(op, bits, constants, changed_values)
    return changed


def _simplify(
    op: Operation, bits: DemandedBits, constants: Constants, changed_values: set[SSAValue]
) -> bool:
    (result,) = op.results
    width = integer_width(result.type)
    if not width or result.first_use is None:
        return False
    demanded = bits.demanded(result)
    if demanded == (1 << width) - 1:
        return _clear_dead_operands(op, bits, constants, changed_values)
    value = None
    if demanded:
        simplifier = SIMPLIFIERS.get(type(op))
        value = None if simplifier is None else simplifier(_Site(op, demanded, constants))
    else:
        value = constants.integer(0, result.type)
    if value is None:
        return _clear_dead_operands(op, bits, constants, changed_values)
    _drop_flags_of_users(result, bits, changed_values)
    fast.replace_op(op, (value,))
    return True


def _clear_dead_operands(
    op: Operation, bits: DemandedBits, constants: Constants, changed_values: set[SSAValue]
) -> bool:
    """Replaces operands without demanded bits by 0 if the op's result has demanded bits."""
    if op.name in ALWAYS_USED:
        return False
    changed = False
    for place, operand in enumerate(fast.operands_of(op)):
        if not integer_width(operand.type) or is_constant(operand):
            continue
        if bits.is_use_dead(op, place):
            if not changed:
                _drop_flags(op)
                _drop_flags_of_users(op.results[0], bits, changed_values)
            fast.set_operand(op, place, constants.integer(0, operand.type))
            changed = True
    return changed


def _drop_flags_of_users(
    value: SSAValue, bits: DemandedBits, changed_values: set[SSAValue]
) -> None:
    """Drops flags of the direct and indirect users of a changed value that depend on changed bits.

    If all bits of an op are demanded, its value and its users are unchanged. Its own flags may
    depend on its operand, such as that a shift is exact or does not wrap.

    Arguments:
        changed_values: values whose users have lost their flags. Receives the values that change.
    """
    if value in changed_values:
        return
    changed_values.add(value)
    work = [value]
    while work:
        for user, index in fast.uses_of(work.pop()):
            result = _result_of_use(user, index)
            if result is None or not integer_width(result.type):
                continue
            _drop_flags(user)
            if (
                result not in changed_values
                and bits.demanded(result) != (1 << integer_width(result.type)) - 1
            ):
                changed_values.add(result)
                work.append(result)


def _result_of_use(user: Operation, index: int) -> SSAValue | None:
    """The value that depends on an operand: the only result, or the block argument to which a
    branch passes the operand."""
    if fast.successors_of(user):
        return branches.argument_behind(user, index)
    return user.results[0] if len(user.results) == 1 else None


def _drop_flags(op: Operation) -> None:
    for name in FLAG_PROPERTIES & op.properties.keys():
        del op.properties[name]
