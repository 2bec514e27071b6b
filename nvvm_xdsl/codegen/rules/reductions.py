"""Reductions of vectors to one element, and subvectors."""

from __future__ import annotations

from xdsl.dialects.llvm import VectorReduceFAddOp, VectorReduceFMulOp
from xdsl.ir import Operation

from nvvm_xdsl.codegen.elementwise import Binary
from nvvm_xdsl.codegen.rules.arith import SCALARS
from nvvm_xdsl.codegen.rules.bits import EXTREMES
from nvvm_xdsl.codegen.rules.floats import scalar_operation
from nvvm_xdsl.codegen.rules.math import extreme
from nvvm_xdsl.codegen.selector import Parts, Rule, Selector, selects
from nvvm_xdsl.codegen.vector_elements import define_elements, vector_elements
from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.ops import (
    VectorExtractOp,
    VectorInsertOp,
    VectorReduceAddOp,
    VectorReduceAndOp,
    VectorReduceFmaximumOp,
    VectorReduceFmaxOp,
    VectorReduceFminimumOp,
    VectorReduceFminOp,
    VectorReduceMulOp,
    VectorReduceOrOp,
    VectorReduceSmaxOp,
    VectorReduceSminOp,
    VectorReduceUmaxOp,
    VectorReduceUminOp,
    VectorReduceXorOp,
)
from nvvm_xdsl.ir.fast import operands_of

REDUCTIONS: dict[type[Operation], Binary] = {
    VectorReduceAddOp: SCALARS["add"],
    VectorReduceMulOp: SCALARS["mul"],
    VectorReduceAndOp: SCALARS["and"],
    VectorReduceOrOp: SCALARS["or"],
    VectorReduceXorOp: SCALARS["xor"],
    VectorReduceSmaxOp: EXTREMES["smax"],
    VectorReduceSminOp: EXTREMES["smin"],
    VectorReduceUmaxOp: EXTREMES["umax"],
    VectorReduceUminOp: EXTREMES["umin"],
    VectorReduceFmaxOp: extreme("max", False),
    VectorReduceFminOp: extreme("min", False),
    VectorReduceFmaximumOp: extreme("max", True),
    VectorReduceFminimumOp: extreme("min", True),
}
"""The combination of two elements in each reduction whose order is irrelevant."""


def select_reduction(sel: Selector, op: Operation) -> None:
    """Combines the elements in a balanced tree."""
    (vector,) = operands_of(op)
    shape = sel.shape(vector).element
    combine = REDUCTIONS[type(op)]
    values: list[Parts] = vector_elements(sel, vector)
    while len(values) > 1:
        paired = [
            combine(sel, values[i], values[i + 1], shape, op) for i in range(0, len(values) - 1, 2)
        ]
        if len(values) % 2:
            paired.append(values[-1])
        values = paired
    sel.define(op.results[0], *values[0])


selects(*REDUCTIONS, pure=True)(select_reduction)


def _in_order(name: str) -> Rule:
    def rule(sel: Selector, op: Operation) -> None:
        """Combines a start value with the elements in order."""
        start, vector = operands_of(op)
        shape = sel.shape(start)
        made = sel.operand(start)
        for (element,) in vector_elements(sel, vector):
            made = scalar_operation(sel, name, made, element, shape)
        sel.define(op.results[0], made)

    return rule


selects(VectorReduceFAddOp, pure=True)(_in_order("add"))
selects(VectorReduceFMulOp, pure=True)(_in_order("mul"))


def _position(op: Operation) -> int:
    return int_property(op, "pos")


@selects(VectorExtractOp, pure=True)
def select_vector_extract(sel: Selector, op: Operation) -> None:
    """Consecutive elements of a vector."""
    (vector,) = operands_of(op)
    start = _position(op)
    count = sel.shape(op.results[0]).count
    define_elements(sel, op.results[0], vector_elements(sel, vector)[start : start + count])


@selects(VectorInsertOp, pure=True)
def select_vector_insert(sel: Selector, op: Operation) -> None:
    """A vector with consecutive elements replaced."""
    target, source = operands_of(op)
    start = _position(op)
    lanes = vector_elements(sel, target)
    new = vector_elements(sel, source)
    lanes[start : start + len(new)] = new
    define_elements(sel, op.results[0], lanes)
