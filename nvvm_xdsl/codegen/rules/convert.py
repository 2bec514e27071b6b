"""Conversions between integers, floats and pointers, and casts that emit nothing."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.llvm import (
    BitcastOp,
    FPExtOp,
    FPTruncOp,
    IntToPtrOp,
    PtrToIntOp,
    SExtOp,
    SIToFPOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.codegen import wide
from nvvm_xdsl.codegen.module_context import is_undefined, zero_parts
from nvvm_xdsl.codegen.rules.addresses import (
    find_integer_address,
    is_launched_with,
    points_to_global,
)
from nvvm_xdsl.codegen.rules.arith import exact_product
from nvvm_xdsl.codegen.rules.floats import FIRST_BF16_ARITHMETIC, FIRST_BF16_FMA, ftz, narrow, widen
from nvvm_xdsl.codegen.rules.vectors import repacked
from nvvm_xdsl.codegen.selector import Part, Parts, Rule, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import LIMB, POINTER, VECTOR, Shape, integer_register, register_width
from nvvm_xdsl.codegen.vector_elements import define_elements, vector_elements
from nvvm_xdsl.codegen.widths import boolean, extended_part, narrowed, resized_part
from nvvm_xdsl.dialects.llvm.ops import FPToSIOp, FPToUIOp, FreezeOp, UIToFPOp
from nvvm_xdsl.dialects.nvptx.operands import fimm, imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, F32, F64, PRED, RegisterClass
from nvvm_xdsl.ir.fast import operands_of
from nvvm_xdsl.ir.nvptx import GENERIC


def _lanewise(sel: Selector, op: Operation, function: Any) -> None:
    """Applies a function of (selector, parts, source shape, target shape, op) to each element."""
    source = operands_of(op)[0]
    result = op.results[0]
    from_shape, to_shape = sel.shape(source), sel.shape(result)
    if to_shape.kind != VECTOR:
        sel.define(result, *function(sel, sel.parts(source), from_shape, to_shape, op))
        return
    a, b = from_shape.element, to_shape.element
    define_elements(sel, result, [function(sel, x, a, b, op) for x in vector_elements(sel, source)])


def _lanewise_rule(function: Any) -> Rule:
    return lambda sel, op: _lanewise(sel, op, function)


# Integers


def _truncate(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
    if target.bits == 1:
        return (boolean(sel, a[0], source.bits),)
    if target.wide:
        return a[: len(target.parts)]
    return (cut(sel, a[0], min(source.bits, LIMB), target.bits),)


def cut(sel: Selector, part: Part, bits: int, target: int) -> Part:
    """The low bits of an integer of at most 64 bits."""
    own, width = register_width(bits), register_width(target)
    value = immediate_value(part)
    if value is not None:
        value &= (1 << target) - 1
        return imm(value - (1 << target) if value >> (target - 1) else value)
    if own == width:
        return part
    return narrowed(sel, part, own, width)


def _zero_extend(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
    return _extend(sel, a, source, target, signed=False)


def _sign_extend(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
    return _extend(sel, a, source, target, signed=True)


def _extend(sel: Selector, a: Parts, source: Shape, target: Shape, *, signed: bool) -> Parts:
    if source.wide:
        limbs = wide.extend_limbs(sel, a, source, signed=signed)
        more = wide.limbs_of_part(sel, limbs[-1], len(target.parts) - len(limbs) + 1, signed=signed)
        return (*limbs[:-1], *more)
    if not target.wide:
        return (resized_part(sel, a[0], source.bits, target.width, signed=signed),)
    low = resized_part(sel, a[0], source.bits, LIMB, signed=signed)
    return wide.limbs_of_part(sel, low, len(target.parts), signed=signed)


selects(TruncOp, pure=True)(_lanewise_rule(_truncate))


def _extension_rule(function: Any) -> Rule:
    def select(sel: Selector, op: Operation) -> None:
        product = exact_product(sel, op)
        if product is None:
            _lanewise(sel, op, function)
        else:
            sel.define(op.results[0], product)

    return select


selects(ZExtOp, deferred=True)(_extension_rule(_zero_extend))
selects(SExtOp, deferred=True)(_extension_rule(_sign_extend))


def _resize_pointer(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
    if target.bits < source.bits:
        return _truncate(sel, a, source, target, op)
    if target.bits > source.bits:
        return _extend(sel, a, source, target, signed=False)
    return a


selects(PtrToIntOp, pure=True)(_lanewise_rule(_resize_pointer))


@selects(IntToPtrOp, deferred=find_integer_address)
def select_inttoptr(sel: Selector, op: Operation) -> None:
    """Integers as pointers; a kernel's parameter points to global memory."""
    _lanewise(sel, op, _resize_pointer)
    result = op.results[0]
    if sel.shape(result).kind == POINTER and sel.module.pointer_space(result.type) == GENERIC:
        if is_launched_with(sel, operands_of(op)[0]):
            points_to_global(sel, result)


# Integers to floats


def _to_float(signed: bool) -> Any:
    def convert(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
        ptx = target.ptx
        sign = "s" if signed else "u"
        if source.wide:
            raise sel.error(op, f"conversion of i{source.bits} to {ptx} is not supported")
        if source.bits == 1:
            return (_bit_to_float(sel, a[0], signed, target),)
        bits, part = source.bits, a[0]
        if bits not in (8, 16, 32, 64) or (bits == 8 and ptx == "bf16"):
            part = extended_part(sel, part, bits, source.width, signed=signed)
            bits = source.width
        part = sel.materialise(part, source.parts[0])
        if ptx == "bf16":
            # ptxas does not accept bytes here; f32 represents them exactly.
            if sel.target.sm >= FIRST_BF16_ARITHMETIC and bits > 8:
                return (sel.emit1("cvt", f"rn.bf16.{sign}{bits}", (part,), B16),)
            if bits <= 16:
                exact = sel.emit1("cvt", f"rn.f32.{sign}{bits}", (part,), F32)
            else:
                exact = _integer_to_odd(sel, part, f"{sign}{bits}", integer_register(bits))
            return (narrow(sel, exact, "bf16"),)
        return (sel.emit1("cvt", f"rn.{ptx}.{sign}{bits}", (part,), target.parts[0]),)

    return convert


def _bit_to_float(sel: Selector, predicate: Part, signed: bool, target: Shape) -> Part:
    one = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000, "f64": 0x3FF0000000000000}[target.ptx]
    if signed:
        one |= 1 << (target.bits - 1)
    bits = target.bits
    known = immediate_value(predicate)
    if known is not None:
        return fimm(one if known & 1 else 0, bits)
    if bits == 16:
        return sel.emit1("selp", "b16", (imm(one), imm(0), predicate), B16)
    operands = (fimm(one, bits), fimm(0, bits), predicate)
    return sel.emit1("selp", target.ptx, operands, target.parts[0])


def _integer_to_odd(sel: Selector, part: Part, type_: str, register: RegisterClass) -> SSAValue:
    """An integer as f32 rounded to odd: rounding that again to bf16 rounds correctly."""
    down = sel.emit1("cvt", f"rz.f32.{type_}", (part,), F32)
    back = sel.emit1("cvt", f"rzi.{type_}.f32", (down,), register)
    exact = sel.emit1("setp", f"eq.b{type_[1:]}", (back, part), PRED)
    return _odd(sel, down, exact)


def _odd(sel: Selector, down: SSAValue, exact: SSAValue) -> SSAValue:
    bits = sel.emit1("mov", "b32", (down,), B32)
    odd = sel.emit1("or", "b32", (bits, imm(1)), B32)
    chosen = sel.emit1("selp", "b32", (bits, odd, exact), B32)
    return sel.emit1("mov", "b32", (chosen,), F32)


selects(SIToFPOp, pure=True)(_lanewise_rule(_to_float(True)))
selects(UIToFPOp, pure=True)(_lanewise_rule(_to_float(False)))


# Floats to integers


def _to_integer(signed: bool) -> Any:
    def convert(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
        ptx = source.ptx
        part = a[0]
        sign = "s" if signed else "u"
        if target.wide:
            raise sel.error(op, f"conversion of {ptx} to i{target.bits} is not supported")
        return (float_to_integer(sel, part, source, target, sign),)

    return convert


def float_to_integer(
    sel: Selector, part: Part, source: Shape, target: Shape, sign: str, mode: str = "rzi"
) -> Part:
    """A float as an integer of at most 64 bits, rounded by `mode`."""
    ptx = source.ptx
    if ptx == "bf16":
        part, ptx = widen(sel, part, ptx), "f32"
    part = sel.materialise(part, {"f16": B16, "f32": F32, "f64": F64}[ptx])
    flush = ftz(sel) if ptx == "f32" else ""
    width = 32 if target.bits == 1 else target.width
    register = integer_register(width)
    made = sel.emit1("cvt", f"{mode}.{flush}{sign}{width}.{ptx}", (part,), register)
    if target.bits == 1:
        return boolean(sel, made, width)
    return made


selects(FPToSIOp, pure=True)(_lanewise_rule(_to_integer(True)))
selects(FPToUIOp, pure=True)(_lanewise_rule(_to_integer(False)))


# Floats to floats


def _extend_float(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
    return (extend_float(sel, a[0], source, target),)


def extend_float(sel: Selector, part: Part, source: Shape, target: Shape) -> Part:
    """A float as a wider one, exactly."""
    ptx = source.ptx
    if ptx == target.ptx:
        return part
    if source.bits == 16:
        if target.ptx == "f32":
            return widen(sel, part, ptx)
        if ptx == "f16":
            return sel.emit1("cvt", "f64.f16", (sel.materialise(part, B16),), F64)
        single = widen(sel, part, ptx)
        return sel.emit1("cvt", "f64.f32", (single,), F64)
    part = sel.materialise(part, F32)
    return sel.emit1("cvt", f"{ftz(sel)}f64.f32", (part,), F64)


def _round_float(sel: Selector, a: Parts, source: Shape, target: Shape, op: Operation) -> Parts:
    return (round_float(sel, a[0], source, target),)


def round_float(sel: Selector, part: Part, source: Shape, target: Shape) -> Part:
    """A float as a narrower one, rounded to nearest."""
    if source.ptx == target.ptx:
        return part
    part = sel.materialise(part, source.parts[0])
    if target.ptx == "f32":
        return sel.emit1("cvt", f"rn.{ftz(sel)}f32.f64", (part,), F32)
    if source.ptx == "f32":
        return narrow(sel, part, target.ptx)
    if target.ptx == "f16":
        return sel.emit1("cvt", "rn.f16.f64", (part,), B16)
    if sel.target.sm >= FIRST_BF16_ARITHMETIC:
        return sel.emit1("cvt", "rn.bf16.f64", (part,), B16)
    down = sel.emit1("cvt", "rz.f32.f64", (part,), F32)
    back = sel.emit1("cvt", "f64.f32", (down,), F64)
    # A NaN is unordered with itself; setting its lowest bit keeps it a NaN.
    exact = sel.emit1("setp", "eq.f64", (back, part), PRED)
    return narrow(sel, _odd(sel, down, exact), "bf16")


selects(FPExtOp, pure=True)(_lanewise_rule(_extend_float))


@selects(FPTruncOp, pure=True)
def select_fptrunc(sel: Selector, op: Operation) -> None:
    """Floats to narrower floats; two f32 to a pair of halves in one instruction from sm_80 on."""
    source = operands_of(op)[0]
    result = op.results[0]
    shape = sel.shape(result)
    if shape.packed and sel.shape(source).ptx == "f32" and sel.target.sm >= FIRST_BF16_FMA:
        parts = sel.regs(source)
        mods = f"rn.{shape.ptx}x2.f32"
        # The first operand becomes the upper half.
        pairs = [(parts[i + 1], parts[i]) for i in range(0, len(parts), 2)]
        sel.define(result, *[sel.emit1("cvt", mods, pair, B32) for pair in pairs])
        return
    _lanewise(sel, op, _round_float)


# Bitcasts


@selects(BitcastOp, pure=True)
def select_bitcast(sel: Selector, op: Operation) -> None:
    """The same bits as another type."""
    source = operands_of(op)[0]
    result = op.results[0]
    a, b = sel.shape(source), sel.shape(result)
    sel.define(result, *repacked(sel, sel.parts(source), a, b))


@selects(FreezeOp, pure=True)
def select_freeze(sel: Selector, op: Operation) -> None:
    """A frozen value, the same at every use: undefined parts become zeros."""
    (value,) = operands_of(op)
    parts = sel.parts(value)
    zeros = zero_parts(sel.shape(value))
    sel.define(op.results[0], *[z if is_undefined(p) else p for p, z in zip(parts, zeros)])
