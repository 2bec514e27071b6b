"""Narrows 64-bit counters to 32 bits, for `indvars`."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import AddOp, SExtOp, TruncOp, ZExtOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import I32, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.loop.indvars_state import InductionVariables
from nvvm_xdsl.transforms.builder import Builder

NARROW: Final = 32
"""The width of narrowed counters."""


NARROWED = Statistic("indvars", "narrowed", "Number of induction variables narrowed to 32 bits")


def narrow_counters(ivs: InductionVariables) -> bool:
    """Narrows 64-bit counters to 32 bits if their values fit."""
    changed = False
    for argument in list(ivs.loop.header.args):
        if argument.type is I64:
            changed |= _narrow(ivs, argument)
    return changed


def _narrow(ivs: InductionVariables, argument: BlockArgument) -> bool:
    se, header = ivs.se, ivs.loop.header
    at = se.get(argument)
    if not at.is_affine or at.loop is not ivs.loop:
        return False
    following = ivs.next_values()[argument.index]
    if not isinstance(following, OpResult) or type(following.op) is not AddOp:
        return False
    if argument not in fast.operands_of(following.op):
        return False
    before, after = se.range(at, signed=True), se.range(se.get(following), signed=True)
    by = se.range(at.step, signed=True)
    half = 1 << (NARROW - 1)
    if before.is_empty or after.is_empty or by.is_empty:
        return False
    # A value out of range would change in fewer bits.
    ranges = (before, after, by)
    if any(range_.smin() < -half or range_.smax() >= half for range_ in ranges):
        return False
    step = _narrow_step(ivs, at.step, argument, following.op)
    if step is None:
        return False
    start = ivs.starts()[argument.index]
    entry = branches.terminator_of(ivs.preheader)
    number = constant_integer(start)
    if number is not None:
        narrow_start = ivs.constants.integer(number, I32)
    else:
        narrow_start = _extended(start)
    if narrow_start is None:
        narrow_start = Builder(entry, ivs.constants).value(TruncOp, (start,), I32)
    is_positive = min(before.smin(), after.smin()) >= 0
    narrow = fast.add_argument(header, I32)
    fast.set_name(narrow, argument.name_hint)
    latch = branches.terminator_of(ivs.latch)
    flags = NSW | (NUW if is_positive and by.smin() >= 0 else 0)
    properties: dict[str, Attribute] = {"overflowFlags": int_attr(flags, I32)}
    increment = fast.create(
        AddOp, (narrow, step), (I32,), properties, location=following.op.location
    )
    fast.insert_before(increment, following.op)
    for terminator, value in ((entry, narrow_start), (latch, increment.results[0])):
        branches.set_edges(
            terminator,
            [
                (b, (*values, value) if b is header else values)
                for b, values in branches.edges_of(terminator)
            ],
        )
    cls = ZExtOp if is_positive else SExtOp
    wide = fast.create(cls, (narrow,), (I64,))
    first = header.first_op
    assert first is not None
    fast.insert_before(wide, first)
    wide_following = fast.create(cls, (increment.results[0],), (I64,))
    fast.insert_before(wide_following, following.op)
    _use_instead(ivs, argument, wide.results[0], following, wide_following.results[0], latch)
    NARROWED.add()
    return True


def _narrow_step(
    ivs: InductionVariables, step: Scev, argument: BlockArgument, increment: Operation
) -> SSAValue | None:
    """The step of a counter, in 32 bits: a constant, or a value extended outside the loop."""
    if step.kind is Kind.CONSTANT:
        return ivs.constants.integer(step.signed, I32)
    others = [v for v in fast.operands_of(increment) if v is not argument]
    found = _extended(others[0]) if len(others) == 1 else None
    return found if found is not None and ivs.loop.is_invariant(found) else None


def _use_instead(
    ivs: InductionVariables,
    argument: BlockArgument,
    wide: SSAValue,
    following: OpResult,
    wide_following: SSAValue,
    latch: Operation,
) -> None:
    """Replaces uses of a counter and its increment by extensions of the narrow ones; both are
    erased."""
    branches.set_edges(
        latch,
        [
            (
                b,
                tuple(
                    argument if n == argument.index and b is argument.block else v
                    for n, v in enumerate(values)
                ),
            )
            for b, values in branches.edges_of(latch)
        ],
    )
    fast.replace_all_uses(following, wide_following)
    fast.erase(following.op)
    fast.replace_all_uses(argument, wide)
    branches.erase_arguments(argument.block, [argument.index])


def _extended(value: SSAValue) -> SSAValue | None:
    """The 32-bit value that a value extends."""
    if not isinstance(value, OpResult) or type(value.op) not in (SExtOp, ZExtOp):
        return None
    (source,) = fast.operands_of(value.op)
    return source if source.type is I32 else None
