"""Replaces values that equal an induction variable, for `indvars`."""

from __future__ import annotations

from xdsl.dialects.llvm import AddOp, SExtOp, ZExtOp
from xdsl.ir import BlockArgument

from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.loop.indvars_state import InductionVariables, drop_unproved_flags
from nvvm_xdsl.passes.loop.tested_counters import is_defined, is_stepped_once

CONGRUENT = Statistic(
    "indvars", "congruent", "Number of congruent values replaced by an induction variable"
)


def replace_congruent_values(ivs: InductionVariables) -> bool:
    """Replaces values with the same expression as a header argument by that argument."""
    se, changed = ivs.se, False
    header = ivs.loop.header
    known: dict[tuple[Scev, object], BlockArgument] = {}
    again, starts = ivs.next_values(), ivs.starts()
    for argument in header.args:
        found = se.get(argument)
        if not found.is_affine:
            continue
        # Values with equal expressions may be poison in different cases.
        if found.step.kind is not Kind.CONSTANT or not is_defined(starts[argument.index]):
            continue
        if not is_stepped_once(argument, again[argument.index]):
            continue
        kept = known.setdefault((found, argument.type), argument)
        if kept is not argument:
            drop_unproved_flags(ivs, again[kept.index], kept)
            fast.replace_all_uses(argument, kept)
            CONGRUENT.add()
            changed = True
    types = {type_ for _, type_ in known}
    for op in ivs.own_ops():
        if type(op) not in (SExtOp, ZExtOp, AddOp) or op.results[0].first_use is None:
            continue
        result = op.results[0]
        if result.type not in types:
            continue
        argument = known.get((se.get(result), result.type))
        if argument is not None:
            drop_unproved_flags(ivs, again[argument.index], argument)
            fast.replace_all_uses(result, argument)
            fast.erase(op)
            CONGRUENT.add()
            changed = True
    return changed
