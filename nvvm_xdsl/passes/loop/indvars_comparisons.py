"""Decides comparisons of induction variables, for `indvars`."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import ICmpOp, SDivOp, SRemOp, UDivOp, URemOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.scev.expressions import is_invariant
from nvvm_xdsl.analysis.values.constant_range import INVERSE
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.loop.indvars_state import InductionVariables

_UNSIGNED: Final[dict[type[Operation], type[Operation]]] = {SDivOp: UDivOp, SRemOp: URemOp}


DECIDED = Statistic("indvars", "decided", "Number of comparisons folded")


def decide_comparisons(ivs: InductionVariables) -> bool:
    """Replaces comparisons that the ranges of their operands decide."""
    se, changed = ivs.se, False
    exits = {branches.terminator_of(b) for b in ivs.loop.exiting_blocks()}
    for op in ivs.own_ops():
        if type(op) in _UNSIGNED:
            changed |= _make_unsigned(ivs, op)
        if not isinstance(op, ICmpOp):
            continue
        a, b = fast.operands_of(op)
        if not se.width_of(a.type):
            continue
        # The trip counts of the loop depend on its own tests.
        if any(user in exits for user in fast.users_of(op.results[0])):
            continue
        left, right = se.get(a), se.get(b)
        predicate = predicate_of(op)
        for wanted, value in ((predicate, True), (INVERSE[predicate], False)):
            if se.is_known(wanted, left, right) or (
                is_invariant(left, ivs.loop)
                and is_invariant(right, ivs.loop)
                and se.is_guarded(ivs.loop, wanted, left, right)
            ):
                fast.replace_all_uses(op.results[0], ivs.constants.boolean(value))
                fast.erase(op)
                DECIDED.add()
                changed = True
                break
    return changed


def _make_unsigned(ivs: InductionVariables, op: Operation) -> bool:
    for value in fast.operands_of(op):
        if not ivs.se.width_of(value.type):
            return False
        range_ = ivs.se.range(ivs.se.get(value), signed=True)
        if range_.is_empty or range_.smin() < 0:
            return False
    new = fast.create(
        _UNSIGNED[type(op)], fast.operands_of(op), [op.results[0].type],
        dict(op.properties), location=op.location,
    )  # fmt: skip
    fast.insert_before(new, op)
    fast.replace_op(op, new.results)
    return True
