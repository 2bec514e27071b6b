"""Selection rules for elementwise ops on vectors and scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import Operation

from nvvm_xdsl.codegen.selector import Parts, Rule, Selector
from nvvm_xdsl.codegen.shapes import VECTOR, Shape
from nvvm_xdsl.codegen.vector_elements import (
    define_elements,
    define_f32_pairs,
    f32_pairs,
    packs_f32,
    vector_elements,
)
from nvvm_xdsl.ir.fast import operands_of

Unary: TypeAlias = "Callable[[Selector, Parts, Shape, Operation], Parts]"
"""Selects the parts of a result from the operand's parts, the result's shape and the op."""

Binary: TypeAlias = "Callable[[Selector, Parts, Parts, Shape, Operation], Parts]"
Ternary: TypeAlias = "Callable[[Selector, Parts, Parts, Parts, Shape, Operation], Parts]"
Packed: TypeAlias = "Callable[[Selector, list[Parts], Shape, Operation], Parts | None]"
"""Selects a vector two elements at a time; None if the target has no such instruction."""


def _selects_packed(
    sel: Selector, op: Operation, shape: Shape, packed: Packed | None, takes_f32: bool
) -> bool:
    """Selects an op on vectors two elements at a time; returns whether that was possible."""
    if packed is None:
        return False
    result = op.results[0]
    if shape.packed:
        made = packed(sel, [sel.parts(value) for value in operands_of(op)], shape, op)
        if made is not None:
            sel.define(result, *made)
        return made is not None
    if not takes_f32 or not packs_f32(sel, shape):
        return False
    made = packed(sel, [f32_pairs(sel, sel.parts(value)) for value in operands_of(op)], shape, op)
    if made is not None:
        define_f32_pairs(sel, result, made)
    return made is not None


def binary(function: Binary, packed: Packed | None = None, *, takes_f32: bool = False) -> Rule:
    """The rule of an op with two operands of the result's type.

    Arguments:
        packed: computes two elements at a time, halves, and with `takes_f32` f32 as well.
    """

    def rule(sel: Selector, op: Operation) -> None:
        result = op.results[0]
        shape = sel.shape(result)
        a, b = operands_of(op)[:2]
        if shape.kind != VECTOR:
            sel.define(result, *function(sel, sel.parts(a), sel.parts(b), shape, op))
            return
        if _selects_packed(sel, op, shape, packed, takes_f32):
            return
        element = shape.element
        define_elements(
            sel,
            result,
            [
                function(sel, x, y, element, op)
                for x, y in zip(vector_elements(sel, a), vector_elements(sel, b))
            ],
        )

    return rule


def unary(function: Unary, packed: Packed | None = None) -> Rule:
    """The rule of an op whose result has as many elements as its first operand."""

    def rule(sel: Selector, op: Operation) -> None:
        result = op.results[0]
        shape = sel.shape(result)
        a = operands_of(op)[0]
        if shape.kind != VECTOR:
            sel.define(result, *function(sel, sel.parts(a), shape, op))
            return
        if _selects_packed(sel, op, shape, packed, False):
            return
        element = shape.element
        define_elements(
            sel, result, [function(sel, x, element, op) for x in vector_elements(sel, a)]
        )

    return rule


def ternary(function: Ternary, packed: Packed | None = None, *, takes_f32: bool = False) -> Rule:
    """The rule of an op with three operands of the result's type; arguments as for `binary`."""

    def rule(sel: Selector, op: Operation) -> None:
        result = op.results[0]
        shape = sel.shape(result)
        a, b, c = operands_of(op)[:3]
        if shape.kind != VECTOR:
            made = function(sel, sel.parts(a), sel.parts(b), sel.parts(c), shape, op)
            sel.define(result, *made)
            return
        if _selects_packed(sel, op, shape, packed, takes_f32):
            return
        element = shape.element
        lanes = zip(vector_elements(sel, a), vector_elements(sel, b), vector_elements(sel, c))
        define_elements(sel, result, [function(sel, x, y, z, element, op) for x, y, z in lanes])

    return rule
