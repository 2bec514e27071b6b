"""Integers in wider registers.

The bits of a register above its integer's width are unspecified. Instructions that depend on them
(division, comparison, right shifts, conversions) require an extension first. Registers with known
upper bits, for example after a byte load, are recorded so that they need no extension.
"""

from __future__ import annotations

from typing import cast

from xdsl.ir import OpResult, SSAValue

from nvvm_xdsl.codegen.selector import Part, Selector, immediate_value
from nvvm_xdsl.codegen.shapes import INTEGER, integer_register, register_width
from nvvm_xdsl.dialects.llvm.integers import signed as wrapped
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.ir.fast import operands_of, producer_of

WIDTHS = (16, 32, 64)


def extended_part(sel: Selector, part: Part, bits: int, width: int, *, signed: bool) -> Part:
    """An integer of `bits` bits with all `width` bits of its register set by extension."""
    if bits == width:
        return part
    value = immediate_value(part)
    if value is not None:
        return imm(wrapped(value, bits) if signed else value & ((1 << bits) - 1))
    register = cast(SSAValue, part)
    known = sel.known_bits.get(register)
    if known is not None:
        known_signed, known_bits = known
        if known_bits <= bits and known_signed == signed:
            return part
        if known_bits < bits and signed and not known_signed:
            return part
    cls = integer_register(width)
    if not signed:
        made = sel.emit1("and", f"b{width}", (register, imm((1 << bits) - 1)), cls)
    elif bits == 8:
        made = sel.emit1("cvt", f"s{width}.s8", (register,), cls)
    elif bits in (16, 32):
        low = sel.emit1("cvt", f"u{bits}.u{width}", (register,), integer_register(bits))
        made = sel.emit1("cvt", f"s{width}.s{bits}", (low,), cls)
    elif width == 16:
        up = sel.emit1("shl", "b16", (register, imm(16 - bits)), cls)
        made = sel.emit1("shr", "s16", (up, imm(16 - bits)), cls)
    else:
        made = sel.emit1("bfe", f"s{width}", (register, imm(0), imm(bits)), cls)
    sel.known_bits[made] = (signed, bits)
    return made


def extended(sel: Selector, value: SSAValue, *, signed: bool) -> Part:
    """An integer of up to 64 bits, extended within its register."""
    shape = sel.shape(value)
    return extended_part(sel, sel.operand(value), shape.bits, shape.width, signed=signed)


def narrowed(sel: Selector, part: Part, own: int, width: int) -> Part:
    """The low `width` bits of a register of `own` bits; an extension is reversed."""
    if type(part) is OpResult:
        source = producer_of(cast(SSAValue, part))
        if source.name == "nvptx.cvt":
            origin = operands_of(source)
            if len(origin) == 1 and origin[0].type is integer_register(width):
                mods = cast(InstructionOp, source).mods
                if mods in (f"u{own}.u{width}", f"s{own}.s{width}"):
                    return origin[0]
    return sel.emit1("cvt", f"u{width}.u{own}", (part,), integer_register(width))


def resized_part(sel: Selector, part: Part, bits: int, width: int, *, signed: bool) -> Part:
    """An integer of `bits` bits, at most 64, extended or truncated to a register of `width`
    bits."""
    own = register_width(bits)
    if own == width and bits == width:
        return part
    value = immediate_value(part)
    if value is not None:
        if bits == 1:
            value = -(value & 1) if signed else value & 1
        elif signed:
            value = wrapped(value, bits)
        else:
            value &= (1 << bits) - 1
        return imm(wrapped(value, width))
    cls = integer_register(width)
    if bits == 1:
        one = imm(-1 if signed else 1)
        made = sel.emit1("selp", f"b{width}", (one, imm(0), part), cls)
        if not signed:
            sel.known_bits[made] = (False, 1)
        return made
    if own == width:
        return extended_part(sel, part, bits, width, signed=signed)
    if own > width:
        return narrowed(sel, part, own, width)
    sign = "s" if signed else "u"
    if bits in (8, 16, 32):
        source = bits
        known = sel.known_bits.get(cast(SSAValue, part))
        if known is not None and known[1] <= bits and not known[0] and not signed:
            # The whole register may be read: its upper bits are zero.
            source = own
    else:
        part = extended_part(sel, part, bits, own, signed=signed)
        source = own
    made = sel.emit1("cvt", f"{sign}{width}.{sign}{source}", (part,), cls)
    sel.known_bits[made] = (signed, bits)
    return made


def resized(sel: Selector, value: SSAValue, width: int, *, signed: bool) -> Part:
    """An integer or pointer extended, or truncated, to a register of `width` bits.

    Integers wider than 64 bits are truncated to their low limb.
    """
    shape = sel.shape(value)
    part = sel.parts(value)[0]
    bits = min(shape.bits, 64) if shape.kind == INTEGER else shape.bits
    return resized_part(sel, part, bits, width, signed=signed)


def boolean(sel: Selector, part: Part, bits: int) -> Part:
    """The lowest bit of an integer as a predicate."""
    value = immediate_value(part)
    if value is not None:
        return imm(value & 1)
    width = register_width(min(bits, 64))
    if width == 1:
        return part
    cls = integer_register(width)
    known = sel.known_bits.get(cast(SSAValue, part))
    if known is None or known[0] or known[1] > 1:
        part = sel.emit1("and", f"b{width}", (part, imm(1)), cls)
    return sel.emit1("setp", f"ne.b{width}", (part, imm(0)), integer_register(1))
