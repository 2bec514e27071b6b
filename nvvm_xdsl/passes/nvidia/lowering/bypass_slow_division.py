"""`bypass-slow-division`: divides 64-bit numbers that fit in 32 bits in 32 bits.

    %q = llvm.udiv %a, %b : i64

becomes

    %o = llvm.or %a, %b : i64
    %h = llvm.lshr %o, %c32 : i64
    %s = llvm.icmp "eq" %h, %zero : i64
    llvm.cond_br %s, ^fast, ^slow
  ^fast:                                  // trunc, udiv : i32, zext
  ^slow:                                  // udiv : i64
  ^join(%q: i64):

A 64-bit division takes about a hundred instructions on the device, a 32-bit division about ten. If
both operands provably fit in 32 bits, there is no test. The division is not changed if an operand
provably does not fit, if the divisor is constant, or if an operand looks like a hash, which uses
all bits. If only an unsigned dividend provably fits, the test compares it with the divisor: a
greater divisor yields 0 without a division. Signed divisions are bypassed if both operands are
non-negative.

The quotient and remainder of the same operands in a block are computed together, the remainder from
the quotient. Remainders that `div-rem-pairs` already computes from the quotient, `a - a / b * b`,
are moved along, so that their multiplication has 32 bits, too.

LLVM's BypassSlowDivision with the widths of its NVPTX back end (64 and 32 bits).

Unsigned divisions of small numbers, such as `threadIdx.x % n`, use single precision
(`transforms/float_division.py`). LLVM and NVIDIA do not do this.

Benefit: four kernels execute 0.756 of the machine instructions, with 1.212 of the static
instructions and 1.024 of the registers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.llvm import (
    CondBrOp,
    FuncOp,
    ICmpOp,
    LShrOp,
    MulOp,
    OrOp,
    SDivOp,
    SRemOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_constant
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.dialects.llvm.types import I32, I64
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.builder import EQ, ULE, Builder, hoist_static_allocas
from nvvm_xdsl.transforms.cfg import merge_into_predecessor
from nvvm_xdsl.transforms.float_division import divide_small_numbers, short_divisions

FAST_BITS = 32
"""The width of the fast division."""

FITS = 1 << FAST_BITS

_QUOTIENT, _REMAINDER = 0, 1
_DIVISIONS: dict[type[Operation], tuple[bool, int]] = {
    UDivOp: (False, _QUOTIENT),
    URemOp: (False, _REMAINDER),
    SDivOp: (True, _QUOTIENT),
    SRemOp: (True, _REMAINDER),
}
"""By class: whether the division is signed, and whether it returns the quotient or the
remainder.
"""

BYPASSED = remarks.Statistic("bypass-slow-division", "bypassed", "Number of divisions bypassed")


@dataclass(frozen=True)
class BypassSlowDivision(FunctionPass):
    """Divides 64-bit numbers in 32 bits if they fit."""

    name = "bypass-slow-division"
    title = "BypassSlowDivision"
    phases: ClassVar[frozenset[int]] = frozenset({1, 2})

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        groups = _groups(func)
        short = short_divisions(func)
        if not groups and not short:
            return False
        facts = am.get(ValueTracking, func)
        constants = Constants(func)
        hoisted = False
        changed = divide_small_numbers(short, facts, constants)
        for group in groups:
            plan = _plan(group, facts)
            if plan is None:
                continue
            if plan != _SHORT and not hoisted:
                hoist_static_allocas(func, constants)
                hoisted = True
            _replace(group, plan, constants)
            BYPASSED.add()
            changed = True
        return changed


def _groups(func: FuncOp) -> list[list[Operation]]:
    """Slow divisions in order; those of the same operands in one block are grouped, with the
    remainders that are computed from their quotients last."""
    found: dict[tuple[Block, bool, SSAValue, SSAValue], list[Operation]] = {}
    for block in fast.blocks_of(func.regions[0]):
        for op in fast.ops_of(block):
            kind = _DIVISIONS.get(type(op))
            if kind is not None and op.results[0].type == I64:
                dividend, divisor = fast.operands_of(op)
                found.setdefault((block, kind[0], dividend, divisor), []).append(op)
    for group in found.values():
        group += [remainder for op in group for remainder in _remainders_from(op)]
    return list(found.values())


def _remainders_from(division: Operation) -> list[Operation]:
    """The subtractions `a - q * b` in the block of a division `q = a / b`."""
    if _DIVISIONS[type(division)][1] == _REMAINDER:
        return []
    (quotient,), (dividend, divisor) = division.results, fast.operands_of(division)
    return [
        op
        for product in fast.users_of(quotient)
        if type(product) is MulOp and set(fast.operands_of(product)) == {quotient, divisor}
        for op in fast.users_of(product.results[0])
        if type(op) is SubOp
        and op.parent is division.parent
        and fast.operands_of(op) == (dividend, product.results[0])
    ]


def _result_of(op: Operation) -> int:
    """Whether a member of a group is a quotient or a remainder."""
    return _REMAINDER if type(op) is SubOp else _DIVISIONS[type(op)][1]


@dataclass(frozen=True)
class _Plan:
    """The test of whether a division may be done in 32 bits."""

    tests_dividend: bool = False
    tests_divisor: bool = False
    compares: bool = False
    """Whether the test compares the operands: the dividend fits, so a divisor up to the dividend
    fits too, and a greater divisor yields 0."""


_SHORT = _Plan()


def _plan(group: list[Operation], facts: ValueTracking) -> _Plan | None:
    """The replacement for divisions of the same operands; None to keep them."""
    signed, _ = _DIVISIONS[type(group[0])]
    dividend, divisor = fast.operands_of(group[0])
    if constant_integer(divisor) is not None or _is_bypassed(group[0]):
        return None
    if any(_is_long(value, facts) or _looks_like_hash(value) for value in (dividend, divisor)):
        return None
    short_dividend, short_divisor = _is_short(dividend, facts), _is_short(divisor, facts)
    if short_dividend and not short_divisor and not signed:
        return _Plan(compares=True)
    return _Plan(not short_dividend, not short_divisor)


def _is_bypassed(op: Operation) -> bool:
    """Returns True if the division is the slow path of a bypass."""
    block = op.parent
    assert block is not None
    use = block.first_use
    terminator = use.operation if use is not None else None
    if not isinstance(terminator, CondBrOp) or fast.single_predecessor(block) is None:
        return False
    test = fast.operands_of(terminator)[0].owner
    if fast.successors_of(terminator)[1] is not block or type(test) is not ICmpOp:
        return False
    high, zero = fast.operands_of(test)
    if type(high.owner) is not LShrOp or constant_integer(zero) != 0:
        return False
    tested, bits = fast.operands_of(fast.producer_of(high))
    owner = tested.owner
    known = fast.operands_of(owner) if type(owner) is OrOp else (tested,)
    return constant_integer(bits) == FAST_BITS and set(known) <= set(fast.operands_of(op))


def _is_short(value: SSAValue, facts: ValueTracking) -> bool:
    fact = facts.fact(value)
    return not fact.is_empty and min(fact.range.umax(), fact.bits.umax) < FITS


def _is_long(value: SSAValue, facts: ValueTracking) -> bool:
    fact = facts.fact(value)
    return not fact.is_empty and max(fact.range.umin(), fact.bits.umin) >= FITS


def _looks_like_hash(value: SSAValue) -> bool:
    """True if a number is computed by xor, or by multiplication with a constant of more than 32
    bits."""
    owner = value.owner
    if type(owner) is XOrOp:
        return True
    if isinstance(owner, Operation) and type(owner) is MulOp:
        factors = [constant_integer(operand) for operand in fast.operands_of(owner)]
        return any(f is not None and not -(FITS >> 1) <= f < FITS >> 1 for f in factors)
    return False


def _replace(group: list[Operation], plan: _Plan, constants: Constants) -> None:
    """Replaces a group of divisions by a bypass at the first of them."""
    signed, _ = _DIVISIONS[type(group[0])]
    wanted = sorted(set(map(_result_of, group)))
    builder = Builder(group[0], constants)
    dividend, divisor = (_frozen(builder, value) for value in fast.operands_of(group[0]))
    if plan == _SHORT:
        values = _divide(builder, dividend, divisor, wanted, signed=False, short=True)
    else:
        values = _branch(builder, plan, dividend, divisor, wanted, signed=signed)
    results = dict(zip(wanted, values))
    for op in group:
        fast.replace_op(op, (results[_result_of(op)],))


def _frozen(builder: Builder, value: SSAValue) -> SSAValue:
    """The frozen value, because an undefined value may differ at each use."""
    return value if is_constant(value) else builder.value(FreezeOp, (value,), I64)


def _branch(
    b: Builder,
    plan: _Plan,
    dividend: SSAValue,
    divisor: SSAValue,
    wanted: list[int],
    *,
    signed: bool,
) -> list[SSAValue]:
    """The results, computed in 32 bits if the operands fit at run time."""
    b.split()
    types: list[Attribute] = [I64] * len(wanted)
    short, join = b.new_block("fast"), b.new_block("join", types)
    if plan.compares:
        zero = b.constants.zero(I64)
        sent = [zero if result == _QUOTIENT else dividend for result in wanted]
        b.conditional_branch(b.compare(ULE, divisor, dividend), short, join, (), sent)
    else:
        long = b.new_block("slow")
        b.conditional_branch(_fit(b, plan, dividend, divisor), short, long)
        b.start(long)
        b.branch(join, _divide(b, dividend, divisor, wanted, signed=signed, short=False))
    b.start(short)
    b.branch(join, _divide(b, dividend, divisor, wanted, signed=False, short=True))
    b.start(join)
    after = b.finish()
    merge_into_predecessor(after)
    return list(join.args)


def _fit(b: Builder, plan: _Plan, dividend: SSAValue, divisor: SSAValue) -> SSAValue:
    """Whether the operands that need a test fit into 32 bits."""
    if plan.tests_dividend and plan.tests_divisor:
        tested = b.value(OrOp, (dividend, divisor), I64)
    else:
        tested = dividend if plan.tests_dividend else divisor
    high = b.value(LShrOp, (tested, b.constants.integer(FAST_BITS, I64)), I64)
    return b.compare(EQ, high, b.constants.zero(I64))


def _divide(
    b: Builder,
    dividend: SSAValue,
    divisor: SSAValue,
    wanted: list[int],
    *,
    signed: bool,
    short: bool,
) -> list[SSAValue]:
    """Quotient, remainder or both."""
    type_ = I32 if short else I64
    if short:
        dividend, divisor = (b.value(TruncOp, (v,), I32) for v in (dividend, divisor))
    operands = (dividend, divisor)
    if wanted == [_REMAINDER]:
        found = [b.value(SRemOp if signed else URemOp, operands, type_)]
    else:
        quotient = b.value(SDivOp if signed else UDivOp, operands, type_)
        found = [quotient]
        if _REMAINDER in wanted:
            product = b.value(MulOp, (quotient, divisor), type_)
            found.append(b.value(SubOp, (dividend, product), type_))
    return [b.value(ZExtOp, (v,), I64) for v in found] if short else found
