"""Floating-point arithmetic.

The modes: with `ftz` f32 operations flush subnormals. With `fmad` a product used only by a sum or
difference becomes an fma, the earlier one of two, as in nvcc; ptxas may contract other products.
Otherwise operations have `.rn`, which prevents contraction. Sums and products of bf16 exist from sm_90 on, fma from sm_80 on. On
other targets bf16 operations are computed in f32 and rounded to bf16. The result is correctly
rounded, because f32 has more than twice as many digits.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.llvm import CallIntrinsicOp, FAddOp, FDivOp, FMulOp, FNegOp, FSubOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.codegen.elementwise import binary, unary
from nvvm_xdsl.codegen.selector import Part, Parts, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import FLOAT, Shape
from nvvm_xdsl.codegen.vector_elements import (
    define_elements,
    define_f32_pairs,
    f32_pairs,
    packs_f32,
    vector_elements,
)
from nvvm_xdsl.dialects.llvm.flags import fast_math_flags
from nvvm_xdsl.dialects.nvptx.instruction_classes import SQRT
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.dialects.nvptx.operands import FLOAT_KIND, Slot, fimm, imm, slot_number
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, F32, F64, PRED, RegisterClass
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import operands_of

ONE_F32 = 0x3F800000
ONE_F64 = 0x3FF0000000000000
ONE_BF16 = 0x3F80
MINUS_ONE_BF16 = 0xBF80
MINUS_ZERO_BF16 = 0x8000


FIRST_BF16_FMA = 80
FIRST_BF16_ARITHMETIC = 90


def ftz(sel: Selector) -> str:
    """`ftz.` if f32 operations flush subnormals."""
    return "ftz." if sel.ftz else ""


def rounding(sel: Selector) -> str:
    """`rn.` if ptxas must not contract sums and products."""
    return "" if sel.fmad else "rn."


def fast_flags(op: Operation) -> frozenset[str]:
    """The op's fast-math flags by name, `fast` spelled out."""
    names = frozenset(flag.value for flag in fast_math_flags(op))
    return _ALL_FLAGS if "fast" in names else names


_ALL_FLAGS = frozenset({"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"})


def register_of(shape: Shape) -> Any:
    """The register class of a scalar float."""
    return shape.parts[0]


def plain_operand(sel: Selector, part: Part, shape: Shape) -> Part:
    """An operand of arithmetic: halves have no immediates."""
    if shape.bits == 16:
        return sel.materialise(part, B16)
    return part


# Halves through f32


def widen(sel: Selector, part: Part, ptx: str) -> SSAValue:
    """An f16 or bf16 as f32."""
    if ptx == "f16":
        register = sel.materialise(part, B16)
        return sel.emit1("cvt", f"{ftz(sel)}f32.f16", (register,), F32)
    if sel.target.sm >= FIRST_BF16_ARITHMETIC:
        return sel.emit1("cvt", "f32.bf16", (sel.materialise(part, B16),), F32)
    return sel.emit1("mov", "b32", ([imm(0), _integer(part)],), F32)


def _integer(part: Part) -> Part:
    if isinstance(part, tuple) and part[0] == FLOAT_KIND:
        return imm(slot_number(part))
    return part


def narrow(sel: Selector, value: Part, ptx: str) -> SSAValue:
    """An f32 rounded to f16 or bf16."""
    register = sel.materialise(value, F32)
    if ptx == "f16":
        return sel.emit1("cvt", "rn.f16.f32", (register,), B16)
    if sel.target.sm >= FIRST_BF16_FMA:
        return sel.emit1("cvt", "rn.bf16.f32", (register,), B16)
    # Round to nearest even on the bits; a NaN keeps its upper bits and becomes quiet.
    bits = sel.emit1("mov", "b32", (register,), B32)
    odd = sel.emit1("bfe", "u32", (bits, imm(16), imm(1)), B32)
    rounded = sel.emit1("add", "s32", (bits, odd), B32)
    rounded = sel.emit1("add", "s32", (rounded, imm(0x7FFF)), B32)
    quiet = sel.emit1("or", "b32", (bits, imm(0x400000)), B32)
    is_nan = sel.emit1("setp", "nan.f32", (register, register), PRED)
    chosen = sel.emit1("selp", "b32", (quiet, rounded, is_nan), B32)
    return sel.emit("mov", "b32", (chosen,), (B16, B16))[1]


def has_native(sel: Selector, ptx: str) -> bool:
    """Returns True if sums and products of the type are instructions of the target."""
    return ptx != "bf16" or sel.target.sm >= FIRST_BF16_ARITHMETIC


def arithmetic_mods(sel: Selector, shape: Shape) -> str:
    """Rounding, flushing and type of a sum or product."""
    ptx = shape.ptx
    return f"{rounding(sel)}{ftz(sel) if ptx == 'f32' else ''}{ptx}"


def scalar_operation(sel: Selector, name: str, a: Part, b: Part, shape: Shape) -> Part:
    """A sum, difference or product of two floats."""
    x = plain_operand(sel, a, shape)
    y = plain_operand(sel, b, shape)
    if shape.ptx == "bf16" and sel.target.sm < FIRST_BF16_ARITHMETIC:
        return _bf16(sel, name, x, y, shape)
    return sel.emit1(name, arithmetic_mods(sel, shape), (x, y), register_of(shape))


def _bf16(sel: Selector, name: str, x: Part, y: Part, shape: Shape) -> Part:
    """A bf16 sum, difference or product on a target without the instruction."""
    if sel.target.sm >= FIRST_BF16_FMA:
        return sel.emit1("fma", "rn.bf16", _as_fma(sel, name, x, y), B16)
    left, right = widen(sel, x, "bf16"), widen(sel, y, "bf16")
    return narrow(sel, sel.emit1(name, "rn.f32", (left, right), F32), "bf16")


def _as_fma(sel: Selector, name: str, x: Part, y: Part) -> tuple[Part, Part, Part]:
    """x + y as x * 1 + y, x - y as y * -1 + x, x * y as x * y + -0."""
    if name == "add":
        return x, sel.materialise(fimm(ONE_BF16, 16), B16), y
    if name == "sub":
        return y, sel.materialise(fimm(MINUS_ONE_BF16, 16), B16), x
    return x, y, sel.materialise(fimm(MINUS_ZERO_BF16, 16), B16)


def packed_register(shape: Shape) -> RegisterClass:
    """The register that holds two elements of a vector of floats."""
    return B64 if shape.ptx == "f32" else B32


def packed_mods(sel: Selector, shape: Shape) -> str:
    """Flushing and type of an instruction on two elements of a vector of floats."""
    return f"{ftz(sel) if shape.ptx == 'f32' else ''}{shape.ptx}x2"


def _packed(name: str) -> Any:
    """The rule for vectors, two elements at a time."""

    def rule(sel: Selector, operands: list[Parts], shape: Shape, op: Operation) -> Parts | None:
        ptx = shape.ptx
        if not has_native(sel, ptx):
            if sel.target.sm < FIRST_BF16_FMA:
                return None
            return tuple(
                [
                    sel.emit1("fma", "rn.bf16x2", _as_fma_packed(sel, name, x, y), B32)
                    for x, y in zip(*operands)
                ]
            )
        mods, both = f"{rounding(sel)}{packed_mods(sel, shape)}", packed_register(shape)
        return tuple(
            [
                sel.emit1(name, mods, [sel.materialise(p, both) for p in pair], both)
                for pair in zip(*operands)
            ]
        )

    return rule


def _twice(bits: int) -> Slot:
    return imm(bits << 16 | bits)


def _as_fma_packed(sel: Selector, name: str, x: Part, y: Part) -> tuple[Part, Part, Part]:
    a, b = sel.materialise(x, B32), sel.materialise(y, B32)
    if name == "add":
        return a, sel.materialise(_twice(ONE_BF16), B32), b
    if name == "sub":
        return b, sel.materialise(_twice(MINUS_ONE_BF16), B32), a
    return a, b, sel.materialise(_twice(MINUS_ZERO_BF16), B32)


# Contraction


def _defers_product(sel: Selector, op: Operation) -> bool:
    """True if the product's only use is a sum or difference of the same block, for `fma`."""
    if not sel.fmad:
        return False
    use = fast.single_use(op.results[0])
    if use is None:
        return False
    user = use.operation
    if user.parent is not op.parent or type(user) not in (FAddOp, FSubOp):
        return False
    return can_fuse(sel, sel.shape(op.results[0]))


def can_fuse(sel: Selector, shape: Shape) -> bool:
    """Returns True if the target has an fma of this type or of its elements."""
    return shape.ptx != "bf16" or sel.target.sm >= FIRST_BF16_FMA


def _pending_product(sel: Selector, value: SSAValue) -> Operation | None:
    if type(value) is not OpResult or sel.is_defined(value):
        return None
    op = fast.producer_of(value)
    return op if type(op) is FMulOp else None


def fma_part(sel: Selector, a: Part, b: Part, c: Part, shape: Shape) -> Part:
    """a * b + c rounded once, of scalars."""
    ptx = shape.ptx
    if ptx == "f16" or (ptx == "bf16" and sel.target.sm >= FIRST_BF16_FMA):
        operands = [sel.materialise(p, B16) for p in (a, b, c)]
        return sel.emit1("fma", f"rn.{ptx}", operands, B16)
    if ptx == "bf16":
        # The product of two bf16 is exact in f32; the sum is rounded to odd there, so that
        # rounding once more to bf16 is as good as rounding once.
        x, y, z = (widen(sel, p, "bf16") for p in (a, b, c))
        return narrow(sel, _fma_to_odd(sel, x, y, z), "bf16")
    mods = f"rn.{ftz(sel) if ptx == 'f32' else ''}{ptx}"
    return sel.emit1("fma", mods, (a, b, c), register_of(shape))


def _fma_to_odd(sel: Selector, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
    down = sel.emit1("fma", "rz.f32", (x, y, z), F32)
    up = sel.emit1("fma", "rp.f32", (x, y, z), F32)
    low = sel.emit1("fma", "rm.f32", (x, y, z), F32)
    exact = sel.emit1("setp", "eq.f32", (up, low), PRED)
    bits = sel.emit1("mov", "b32", (down,), B32)
    odd = sel.emit1("or", "b32", (bits, imm(1)), B32)
    is_nan = sel.emit1("setp", "nan.f32", (down, down), PRED)
    keep = sel.emit1("or", "pred", (exact, is_nan), PRED)
    chosen = sel.emit1("selp", "b32", (bits, odd, keep), B32)
    return sel.emit1("mov", "b32", (chosen,), F32)


def negated(sel: Selector, part: Part, shape: Shape) -> Part:
    """The negated value."""
    value = immediate_value(part)
    if value is not None:
        return fimm(value ^ 1 << (shape.bits - 1), shape.bits)
    ptx = shape.ptx
    if ptx == "bf16" and sel.target.sm < FIRST_BF16_FMA:
        return sel.emit1("xor", "b16", (part, imm(-0x8000)), B16)
    mods = f"{ftz(sel) if ptx == 'f32' else ''}{ptx}"
    return sel.emit1("neg", mods, (part,), register_of(shape))


def _sum(name: str) -> Any:
    def plain(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        return (scalar_operation(sel, name, a[0], b[0], shape),)

    rule = binary(plain, _packed(name), takes_f32=True)

    def select(sel: Selector, op: Operation) -> None:
        a, b = operands_of(op)
        product, other = _pending_product(sel, a), _pending_product(sel, b)
        if product is not None and other is not None and fast.comes_before(other, product):
            product = None
        if product is not None:
            _fused(sel, op, product, b, negate_addend=name == "sub", negate_product=False)
        elif other is not None:
            _fused(sel, op, other, a, negate_addend=False, negate_product=name == "sub")
        else:
            rule(sel, op)

    return select


def _fused(
    sel: Selector,
    op: Operation,
    product: Operation,
    addend: SSAValue,
    *,
    negate_addend: bool,
    negate_product: bool,
) -> None:
    """One fma for a product and the sum or difference that uses it."""
    result = op.results[0]
    shape = sel.shape(result)
    x, y = operands_of(product)
    if shape.kind == FLOAT:
        a, b, c = sel.operand(x), sel.operand(y), sel.operand(addend)
        if negate_addend:
            c = negated(sel, c, shape)
        if negate_product:
            a = negated(sel, a, shape)
        sel.define(result, fma_part(sel, a, b, c, shape))
        return
    if shape.packed:
        made: list[Part] = []
        mods = f"{shape.ptx}x2"
        for a, b, c in zip(sel.regs(x), sel.regs(y), sel.regs(addend)):
            if negate_addend:
                c = sel.emit1("neg", mods, (c,), B32)
            if negate_product:
                a = sel.emit1("neg", mods, (a,), B32)
            made.append(sel.emit1("fma", f"rn.{mods}", (a, b, c), B32))
        sel.define(result, *made)
        return
    if packs_f32(sel, shape):
        factors, others, addends = [sel.parts(value) for value in (x, y, addend)]
        if negate_addend:
            addends = tuple([negated(sel, part, shape.element) for part in addends])
        if negate_product:
            factors = tuple([negated(sel, part, shape.element) for part in factors])
        pairs = [f32_pairs(sel, parts) for parts in (factors, others, addends)]
        mods = f"rn.{packed_mods(sel, shape)}"
        define_f32_pairs(sel, result, tuple([sel.emit1("fma", mods, p, B64) for p in zip(*pairs)]))
        return
    element = shape.element
    lanes: list[Parts] = []
    for (a,), (b,), (c,) in zip(
        vector_elements(sel, x), vector_elements(sel, y), vector_elements(sel, addend)
    ):
        if negate_addend:
            c = negated(sel, c, element)
        if negate_product:
            a = negated(sel, a, element)
        lanes.append((fma_part(sel, a, b, c, element),))
    define_elements(sel, result, lanes)


def _product(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
    return (scalar_operation(sel, "mul", a[0], b[0], shape),)


def _quotient(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
    ptx = shape.ptx
    if shape.bits == 16:
        # f32 has more than twice the digits of f16 and bf16: rounding twice is harmless.
        x, y = widen(sel, a[0], ptx), widen(sel, b[0], ptx)
        return (narrow(sel, sel.emit1("div", "rn.f32", (x, y), F32), ptx),)
    if ptx == "f64":
        if immediate_value(a[0]) == ONE_F64:
            return (sel.emit1("rcp", "rn.f64", (b[0],), F64),)
        return (sel.emit1("div", "rn.f64", (a[0], b[0]), F64),)
    one = immediate_value(a[0]) == ONE_F32
    root = _approximate_root(b[0]) if one else None
    if root is not None:
        return (sel.emit1("rsqrt", root.mods, operands_of(root), F32),)
    if "afn" in fast_flags(op) or sel.unsafe_math:
        mode = "approx"
    elif sel.prec_div:
        mode = "rn"
    else:
        # There is no rcp.full; rcp.approx has the same bound of one ulp.
        mode = "approx" if one else "full"
    mods = f"{mode}.{ftz(sel)}f32"
    if one:
        return (sel.emit1("rcp", mods, (b[0],), F32),)
    return (sel.emit1("div", mods, (a[0], b[0]), F32),)


def _approximate_root(value: Part) -> InstructionOp | None:
    """The `sqrt.approx` that defines a value: its reciprocal is `rsqrt.approx`, as in LLVM."""
    if isinstance(value, OpResult) and type(value.op) is SQRT:
        made = value.op
        if made.mods.startswith("approx") and operands_of(made):
            return made
    return None


def _negation(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    return (negated(sel, a[0], shape),)


def _packed_negation(
    sel: Selector, operands: list[Parts], shape: Shape, op: Operation
) -> Parts | None:
    if shape.ptx == "bf16" and sel.target.sm < FIRST_BF16_FMA:
        return tuple([sel.emit1("xor", "b32", (x, imm(-0x7FFF8000)), B32) for x in operands[0]])
    mods = f"{shape.ptx}x2"
    return tuple([sel.emit1("neg", mods, (sel.materialise(x, B32),), B32) for x in operands[0]])


def _defers_negation(sel: Selector, op: Operation) -> bool:
    """True if the only use is an intrinsic, because a sum becomes a difference (`rules.nvvm`)."""
    use = fast.single_use(op.results[0])
    return use is not None and type(use.operation) is CallIntrinsicOp


selects(FAddOp, pure=True)(_sum("add"))
selects(FSubOp, pure=True)(_sum("sub"))
selects(FMulOp, deferred=_defers_product)(binary(_product, _packed("mul"), takes_f32=True))
selects(FDivOp, pure=True)(binary(_quotient))
selects(FNegOp, deferred=_defers_negation)(unary(_negation, _packed_negation))
