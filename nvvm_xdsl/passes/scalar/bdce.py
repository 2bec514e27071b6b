"""`bdce`: operands of which no bit counts are zero, and sign extensions whose new bits do not count
extend with zeros.

    %h = llvm.shl %y, %sixteen : i32            %h = llvm.shl %zero, %sixteen : i32
    %a = llvm.or %x, %h : i32             ->    %a = llvm.or %x, %h : i32
    %b = llvm.trunc %a : i32 to i16             %b = llvm.trunc %a : i32 to i16

What is left of such an op is for `instsimplify`. An extension with zeros is for nothing in many places of PTX.

Flags such as nsw speak of all bits: what uses a value that changed, up to where all bits count
again, loses them.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp, SExtOp, ZExtOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.values.demanded_bits import DEMAND, DemandedBits
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.attributes import integer_width
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.utils.constants import Constants, is_constant
from nvvm_xdsl.passes.utils.expressions import FLAG_PROPERTIES


@dataclass(frozen=True)
class BDCE(FunctionPass):
    """Removes computations whose bits nobody looks at."""

    name = "bdce"
    title = "BDCE"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        bits = am.get(DemandedBits, func)
        constants = Constants(func)
        changed = False
        for block in bits.cfg.rpo_blocks():
            for op in fast.ops_of(block):
                if op.name not in DEMAND:
                    continue
                result = op.results[0]
                if not integer_width(result.type) or result.first_use is None:
                    continue
                if op.__class__ is SExtOp and _extend_with_zeros(op, bits):
                    changed = True
                elif bits.is_dead(result):
                    _drop_flags_behind(result, bits)
                    fast.replace_op(op, (constants.integer(0, result.type),))
                    changed = True
                else:
                    changed |= _clear_dead_operands(op, bits, constants)
        return changed


def _clear_dead_operands(op: Operation, bits: DemandedBits, constants: Constants) -> bool:
    changed = False
    for place, operand in enumerate(fast.operands_of(op)):
        if not integer_width(operand.type) or is_constant(operand):
            continue
        if bits.is_use_dead(op, place):
            if not changed:
                _drop_flags(op)
                _drop_flags_behind(op.results[0], bits)
            fast.set_operand(op, place, constants.integer(0, operand.type))
            changed = True
    return changed


def _extend_with_zeros(op: Operation, bits: DemandedBits) -> bool:
    (source,) = fast.operands_of(op)
    result = op.results[0]
    if bits.demanded(result) >> integer_width(source.type):
        return False
    _drop_flags_behind(result, bits)
    new = fast.create(ZExtOp, (source,), (result.type,), location=op.location)
    fast.insert_before(new, op)
    fast.replace_op(op, new.results)
    return True


def _drop_flags_behind(value: SSAValue, bits: DemandedBits) -> None:
    """Drops what ops behind a value that is to change state of bits that nobody looks at."""
    work = [value]
    seen = {value}
    while work:
        for user in fast.users_of(work.pop()):
            if len(user.results) != 1 or not integer_width(user.results[0].type):
                continue
            result = user.results[0]
            assert isinstance(result, OpResult)
            if result in seen or bits.demanded(result) == (1 << integer_width(result.type)) - 1:
                continue
            seen.add(result)
            _drop_flags(user)
            work.append(result)


def _drop_flags(op: Operation) -> None:
    for name in FLAG_PROPERTIES & op.properties.keys():
        del op.properties[name]
