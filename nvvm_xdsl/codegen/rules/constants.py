"""Constants: no instruction is emitted; each use has the constant as an immediate."""

from __future__ import annotations

from xdsl.dialects.llvm import ConstantOp, UndefOp, ZeroOp
from xdsl.ir import Operation

from nvvm_xdsl.codegen.module_context import undefined_parts, zero_parts
from nvvm_xdsl.codegen.selector import Selector, selects
from nvvm_xdsl.dialects.llvm.accessors import constant_value_of
from nvvm_xdsl.dialects.llvm.ops import PoisonOp


@selects(ConstantOp, pure=True)
def select_constant(sel: Selector, op: Operation) -> None:
    """A constant's parts as immediates."""
    result = op.results[0]
    sel.define(result, *sel.module.constant_parts(constant_value_of(op), result.type))


@selects(ZeroOp, pure=True)
def select_zero(sel: Selector, op: Operation) -> None:
    """Zeros of any type."""
    result = op.results[0]
    sel.define(result, *zero_parts(sel.shape(result)))


@selects(UndefOp, PoisonOp, pure=True)
def select_undefined(sel: Selector, op: Operation) -> None:
    """Undefined values."""
    result = op.results[0]
    sel.define(result, *undefined_parts(sel.shape(result)))
