"""Comparisons and selections."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.llvm import FCmpOp, ICmpOp, SelectOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.codegen import wide
from nvvm_xdsl.codegen.module_context import is_undefined
from nvvm_xdsl.codegen.rules.arith import condition, predicate_operation
from nvvm_xdsl.codegen.rules.floats import FIRST_BF16_ARITHMETIC, ftz, plain_operand, widen
from nvvm_xdsl.codegen.selector import Part, Parts, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import INTEGER, LIMB, VECTOR, Shape
from nvvm_xdsl.codegen.vector_elements import define_elements, vector_elements
from nvvm_xdsl.codegen.widths import extended_part
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import PRED, RegisterClass
from nvvm_xdsl.ir.fast import operands_of

INTEGER_PREDICATES: tuple[tuple[str, str], ...] = (
    ("eq", "b"),
    ("ne", "b"),
    ("lt", "s"),
    ("le", "s"),
    ("gt", "s"),
    ("ge", "s"),
    ("lt", "u"),
    ("le", "u"),
    ("gt", "u"),
    ("ge", "u"),
)
"""PTX comparison and type letter of each `llvm.icmp` predicate, in MLIR's order."""

FLOAT_PREDICATES: tuple[str, ...] = (
    "",
    "eq",
    "gt",
    "ge",
    "lt",
    "le",
    "ne",
    "num",
    "equ",
    "gtu",
    "geu",
    "ltu",
    "leu",
    "neu",
    "nan",
    "",
)
"""PTX comparison of each `llvm.fcmp` predicate, in MLIR's order; false and true have none."""


def compare_integers(
    sel: Selector, comparison: str, letter: str, a: Parts, b: Parts, shape: Shape
) -> Part:
    """A predicate: two integers or pointers of one shape compared."""
    if shape.bits == 1:
        return _compare_bits(sel, comparison, letter, a[0], b[0])
    signed = letter == "s"
    if shape.wide:
        return _compare_wide(sel, comparison, signed, a, b, shape)
    bits, width = shape.bits, shape.width
    x, y = a[0], b[0]
    if bits != width:
        if letter == "b":
            # Both extensions are valid: use the one that costs nothing.
            known = sel.known_bits.get(x) if type(x) is OpResult else None
            signed = known is not None and known[0] and known[1] <= bits
        x = extended_part(sel, x, bits, width, signed=signed)
        y = extended_part(sel, y, bits, width, signed=signed)
    return sel.emit1("setp", f"{comparison}.{letter}{width}", (x, y), PRED)


def _compare_bits(sel: Selector, comparison: str, letter: str, a: Part, b: Part) -> Part:
    value = immediate_value(b)
    if comparison in ("eq", "ne") and value is not None:
        if (comparison == "eq") == bool(value & 1):
            return a
        return sel.emit1("not", "pred", (sel.materialise(a, PRED),), PRED)
    if comparison in ("eq", "ne"):
        made = predicate_operation(sel, "xor", a, b)
        return made if comparison == "ne" else sel.emit1("not", "pred", (made,), PRED)
    # As a signed number true is -1, less than false.
    less = comparison in ("lt", "le")
    if letter == "s":
        less = not less
    small, large = (a, b) if less else (b, a)
    if comparison in ("lt", "gt"):
        inverted = sel.emit1("not", "pred", (sel.materialise(small, PRED),), PRED)
        return predicate_operation(sel, "and", inverted, large)
    inverted = sel.emit1("not", "pred", (sel.materialise(small, PRED),), PRED)
    return predicate_operation(sel, "or", inverted, large)


def _compare_wide(
    sel: Selector, comparison: str, signed: bool, a: Parts, b: Parts, shape: Shape
) -> Part:
    a = wide.extend_limbs(sel, a, shape, signed=signed)
    b = wide.extend_limbs(sel, b, shape, signed=signed)
    if comparison in ("eq", "ne"):
        same = wide.equal_limbs(sel, a, b)
        return same if comparison == "eq" else sel.emit1("not", "pred", (same,), PRED)
    if comparison in ("gt", "ge"):
        a, b = b, a
    return wide.less_limbs(sel, a, b, signed=signed, or_equal=comparison in ("le", "ge"))


def compare_floats(sel: Selector, comparison: str, a: Part, b: Part, shape: Shape) -> Part:
    """A predicate: two floats compared by a PTX comparison such as `ltu`."""
    ptx = shape.ptx
    if ptx == "bf16" and sel.target.sm < FIRST_BF16_ARITHMETIC:
        x, y = widen(sel, a, ptx), widen(sel, b, ptx)
        return sel.emit1("setp", f"{comparison}.{ftz(sel)}f32", (x, y), PRED)
    mods = f"{comparison}.{ftz(sel) if ptx == 'f32' else ''}{ptx}"
    x, y = plain_operand(sel, a, shape), plain_operand(sel, b, shape)
    return sel.emit1("setp", mods, (x, y), PRED)


@selects(ICmpOp, pure=True)
def select_icmp(sel: Selector, op: Operation) -> None:
    """Integer and pointer comparisons."""
    a, b = operands_of(op)
    comparison, letter = INTEGER_PREDICATES[predicate_of(op)]
    shape = sel.shape(a)
    if shape.kind != VECTOR:
        made = compare_integers(sel, comparison, letter, sel.parts(a), sel.parts(b), shape)
        sel.define(op.results[0], made)
        return
    element = shape.element
    define_elements(
        sel,
        op.results[0],
        [
            (compare_integers(sel, comparison, letter, x, y, element),)
            for x, y in zip(vector_elements(sel, a), vector_elements(sel, b))
        ],
    )


@selects(FCmpOp, pure=True)
def select_fcmp(sel: Selector, op: Operation) -> None:
    """Floating-point comparisons."""
    a, b = operands_of(op)
    number = predicate_of(op)
    comparison = FLOAT_PREDICATES[number]
    result = op.results[0]
    shape = sel.shape(a)
    if not comparison:
        sel.define(result, *[imm(int(number > 0))] * len(sel.shape(result).parts))
        return
    if shape.kind != VECTOR:
        made = compare_floats(sel, comparison, sel.operand(a), sel.operand(b), shape)
        sel.define(result, made)
        return
    if shape.packed and (shape.ptx == "f16" or sel.target.sm >= FIRST_BF16_ARITHMETIC):
        found: list[Part] = []
        for x, y in zip(sel.regs(a), sel.regs(b)):
            found.extend(sel.emit("setp", f"{comparison}.{shape.ptx}x2", (x, y), (PRED, PRED)))
        sel.define(result, *found)
        return
    element = shape.element
    define_elements(
        sel,
        result,
        [
            (compare_floats(sel, comparison, x, y, element),)
            for (x,), (y,) in zip(vector_elements(sel, a), vector_elements(sel, b))
        ],
    )


_SELP_TYPES: dict[str, str] = {
    "nvptx.b16": "b16",
    "nvptx.b32": "b32",
    "nvptx.b64": "b64",
    "nvptx.f32": "f32",
    "nvptx.f64": "f64",
}


def choose(
    sel: Selector, predicate: Part, inverted: bool, a: Part, b: Part, register: RegisterClass
) -> Part:
    """Selects a if the predicate is true (false, if inverted), else b."""
    if inverted:
        a, b = b, a
    known = immediate_value(predicate)
    if known is not None:
        return a if known & 1 else b
    if a is b or is_undefined(b):
        return a
    if is_undefined(a):
        return b
    if register is not PRED:
        return sel.emit1("selp", _SELP_TYPES[register.name], (a, b, predicate), register)
    return _choose_predicate(sel, cast(SSAValue, predicate), a, b)


def _choose_predicate(sel: Selector, p: SSAValue, a: Part, b: Part) -> Part:
    x, y = immediate_value(a), immediate_value(b)
    if x is not None and y is not None:
        if x & 1 == y & 1:
            return a
        return p if x & 1 else sel.emit1("not", "pred", (p,), PRED)
    if x is not None and x & 1:
        return predicate_operation(sel, "or", p, b)
    if y is not None and not y & 1:
        return predicate_operation(sel, "and", p, a)
    unless = sel.emit1("not", "pred", (p,), PRED)
    if x is not None:
        return predicate_operation(sel, "and", unless, b)
    if y is not None:
        return predicate_operation(sel, "or", unless, a)
    left = predicate_operation(sel, "and", p, a)
    return predicate_operation(sel, "or", left, predicate_operation(sel, "and", unless, b))


@selects(SelectOp, pure=True)
def select_select(sel: Selector, op: Operation) -> None:
    """Selections, of scalars, vectors and aggregates."""
    test, a, b = operands_of(op)
    result = op.results[0]
    if sel.shape(test).kind == VECTOR:
        element = sel.shape(a).element
        lanes: list[Parts] = []
        for (p,), x, y in zip(
            vector_elements(sel, test), vector_elements(sel, a), vector_elements(sel, b)
        ):
            chosen = [choose(sel, p, False, u, v, r) for u, v, r in zip(x, y, element.parts)]
            lanes.append(tuple(chosen))
        define_elements(sel, result, lanes)
        return
    predicate, inverted = condition(sel, test)
    shape = sel.shape(result)
    left, right = sel.parts(a), sel.parts(b)
    made = [
        choose(sel, predicate, inverted, x, y, register)
        for x, y, register in zip(left, right, shape.parts)
    ]
    sel.define(result, *made)
    if len(made) == 1 and shape.kind == INTEGER and 1 < shape.bits < LIMB:
        _note_known(sel, made[0], left[0], right[0])


def _note_known(sel: Selector, made: Part, a: Part, b: Part) -> None:
    """A select between two small non-negative constants is one, too."""
    x, y = immediate_value(a), immediate_value(b)
    if x is not None and y is not None and x >= 0 and y >= 0 and type(made) is OpResult:
        sel.known_bits[made] = (False, max(x.bit_length(), y.bit_length(), 1))
