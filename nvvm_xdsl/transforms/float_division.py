"""Unsigned integer divisions of small dividends in single precision.

    %x = uitofp(%a) + 0.5                        // a < 2**20
    %r = nvvm.rcp.approx.ftz.f(uitofp(%b))
    %q = fptoui(%x * %r)                         // a / b
    %m = %a - %q * %b                            // a % b

For `a = q * b + m` the exact value of `(a + 0.5) / b` is at least `0.5 / b` away from `q` and from
`q + 1`. The conversion of `b` and the product have a relative error of at most 2**-24 each, the
reciprocal one of at most 2**-23 (one ulp, PTX ISA, `rcp.approx`), in total less than 2**-21.9. The
absolute error is less than `(a + 0.5) / b * 2**-21.9`, which is less than `0.5 / b` for
`a < 2**20`. The conversion of `a` and the addition of 0.5 are exact.

ptxas makes about 15 instructions from a 32-bit division, and a call of a function from a 16-bit
one; these are six, and seven with the remainder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.dialects.llvm import FAddOp, FMulOp, FuncOp, MulOp, SubOp, TruncOp, UDivOp, URemOp, ZExtOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_constant
from nvvm_xdsl.dialects.llvm.ops import FPToUIOp, FreezeOp, UIToFPOp
from nvvm_xdsl.dialects.llvm.types import I16, I32
from nvvm_xdsl.dialects.nvvm.ops import RcpApproxFtzF32Op
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.builder import Builder

MAX_DIVIDEND: Final = (1 << 20) - 1


def short_divisions(func: FuncOp) -> list[Operation]:
    """The unsigned divisions of 16 or 32 bits by a variable."""
    return [
        op
        for block in fast.blocks_of(func.regions[0])
        for op in fast.ops_of(block)
        if type(op) in (UDivOp, URemOp)
        and op.results[0].type in (I16, I32)
        and not is_constant(fast.operands_of(op)[1])
    ]


def divide_small_numbers(
    divisions: Sequence[Operation], facts: ValueTracking, constants: Constants
) -> bool:
    """Replaces those of the divisions whose dividend is known to be small; returns whether there
    is one.
    """
    small = [op for op in divisions if _most(fast.operands_of(op)[0], facts) <= MAX_DIVIDEND]
    for op in small:
        _divide_in_floats(op, constants)
    return bool(small)


def _most(value: SSAValue, facts: ValueTracking) -> int:
    fact = facts.fact(value)
    return 0 if fact.is_empty else min(fact.range.umax(), fact.bits.umax)


def _divide_in_floats(op: Operation, constants: Constants) -> None:
    """Replaces a division of a small number."""
    b = Builder(op, constants)
    type_ = op.results[0].type
    dividend, divisor = (_whole(b, value) for value in fast.operands_of(op))
    half = constants.floating(FloatAttr(0.5, f32))
    shifted = b.value(FAddOp, (b.value(UIToFPOp, (dividend,), f32), half), f32)
    reciprocal = b.value(RcpApproxFtzF32Op, (b.value(UIToFPOp, (divisor,), f32),), f32)
    found = b.value(FPToUIOp, (b.value(FMulOp, (shifted, reciprocal), f32),), I32)
    if type(op) is URemOp:
        found = b.value(SubOp, (dividend, b.value(MulOp, (found, divisor), I32)), I32)
    fast.replace_op(op, (found if type_ == I32 else b.value(TruncOp, (found,), type_),))


def _whole(b: Builder, value: SSAValue) -> SSAValue:
    """The value in 32 bits, frozen because an undefined value may differ at each use."""
    if not is_constant(value):
        value = b.value(FreezeOp, (value,), value.type)
    return value if value.type == I32 else b.value(ZExtOp, (value,), I32)


__all__ = ["MAX_DIVIDEND", "divide_small_numbers", "short_divisions"]
