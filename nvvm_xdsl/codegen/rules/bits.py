"""Integer intrinsics: counting and moving bits, extremes, checked and saturating arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from xdsl.dialects.llvm import SubOp
from xdsl.ir import Operation, OpResult

from nvvm_xdsl.codegen import wide
from nvvm_xdsl.codegen.elementwise import Binary, binary, ternary, unary
from nvvm_xdsl.codegen.rules.arith import predicate_operation
from nvvm_xdsl.codegen.rules.compare import choose, compare_integers
from nvvm_xdsl.codegen.selector import Part, Parts, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import LIMB, VECTOR, Shape, integer_register
from nvvm_xdsl.codegen.vector_elements import define_elements, join64, split64, vector_elements
from nvvm_xdsl.codegen.widths import boolean, extended_part, resized_part
from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.flags import NSW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.ops import (
    AbsOp,
    BitReverseOp,
    ByteSwapOp,
    CountLeadingZerosOp,
    CountTrailingZerosOp,
    CtPopOp,
    FshlOp,
    FshrOp,
    SAddSatOp,
    SAddWithOverflowOp,
    SCmpOp,
    SMaxOp,
    SMinOp,
    SMulWithOverflowOp,
    SSHLSatOp,
    SSubSatOp,
    SSubWithOverflowOp,
    UAddSatOp,
    UAddWithOverflowOp,
    UCmpOp,
    UMaxOp,
    UMinOp,
    UMulWithOverflowOp,
    USHLSatOp,
    USubSatOp,
    USubWithOverflowOp,
)
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, PRED
from nvvm_xdsl.ir.fast import operands_of

REVERSE_BYTES = 0x0123
"""The `prmt` selector that reverses four bytes."""


def _choose_parts(sel: Selector, predicate: Part, a: Parts, b: Parts, shape: Shape) -> Parts:
    return tuple([choose(sel, predicate, False, x, y, r) for x, y, r in zip(a, b, shape.parts)])


def _negative(sel: Selector, a: Parts, shape: Shape) -> Part:
    """A predicate: the integer, sign-extended in its registers, is negative."""
    width = shape.width
    return sel.emit1("setp", f"lt.s{width}", (a[-1], imm(0)), PRED)


_NO_ABSOLUTE_DIFFERENCE: Final = 120
"""The first GPU without the machine instruction VABSDIFF, for which `sad` is three instructions."""


def _absolute(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    if shape.bits == 1:
        return a
    if shape.wide:
        extended = wide.extend_limbs(sel, a, shape, signed=True)
        zero = tuple([imm(0)] * len(a))
        opposite = wide.sub_limbs(sel, zero, extended)
        return _choose_parts(sel, _negative(sel, extended, shape), opposite, extended, shape)
    width = shape.width
    difference = operands_of(op)[0].owner
    if (
        type(difference) is SubOp
        and shape.bits == 32
        and overflow_flags(difference) & NSW
        and sel.target.sm < _NO_ABSOLUTE_DIFFERENCE
    ):
        x, y = operands_of(difference)
        if sel.shape(x).bits == 32:
            return (sel.emit1("sad", "s32", (sel.operand(x), sel.operand(y), imm(0)), B32),)
    x = extended_part(sel, a[0], shape.bits, width, signed=True)
    return (sel.emit1("abs", f"s{width}", (x,), integer_register(width)),)


_THREE_OPERANDS: Final = range(100, 120)
"""GPUs with the machine instruction VIMNMX3, the extreme of three integers."""


def _loses_negation(sel: Selector, operands: Parts) -> bool:
    """True if ptxas may drop the negation of an operand of `max.s32` or `min.s32`.

    ptxas 12.9 to 13.3 makes one VIMNMX3 of two of them, without the negation of an operand of the first:
    `max(max(a, -b), c)` becomes `max(a, b, c)` (triton-lang/triton#11032).
    """
    return sel.target.sm in _THREE_OPERANDS and any(
        isinstance(part, OpResult) and part.op.name == "nvptx.neg" for part in operands
    )


def _extreme(name: str, signed: bool) -> Any:
    comparison = "lt" if name == "min" else "gt"
    letter = "s" if signed else "u"

    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        if shape.bits == 1:
            # As a signed number true is -1, the minimum.
            union = (name == "max") != signed
            return (predicate_operation(sel, "or" if union else "and", a[0], b[0]),)
        if shape.wide:
            test = compare_integers(sel, comparison, letter, a, b, shape)
            return _choose_parts(sel, test, a, b, shape)
        bits, width = shape.bits, shape.width
        x = extended_part(sel, a[0], bits, width, signed=signed)
        y = extended_part(sel, b[0], bits, width, signed=signed)
        if signed and width == 32 and _loses_negation(sel, (x, y)):
            test = sel.emit1("setp", f"{comparison}.s{width}", (x, y), PRED)
            return (sel.emit1("selp", f"b{width}", (x, y, test), integer_register(width)),)
        made = sel.emit1(name, f"{letter}{width}", (x, y), integer_register(width))
        if bits < width:
            sel.known_bits[made] = (signed, bits)
        return (made,)

    return emit


# Counting


def _sized(sel: Selector, count: Part, shape: Shape) -> Parts:
    """A 32-bit count converted to the shape."""
    if shape.wide:
        low = resized_part(sel, count, 32, LIMB, signed=False)
        return (low, *[imm(0)] * (len(shape.parts) - 1))
    if shape.bits == 1:
        return (boolean(sel, count, 32),)
    return (resized_part(sel, count, 32, shape.width, signed=False),)


def _counting_width(shape: Shape) -> int:
    return 64 if shape.width == 64 else 32


def _population(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    if shape.wide:
        limbs = wide.extend_limbs(sel, a, shape, signed=False)
        total: Part | None = None
        for limb in limbs:
            count = sel.emit1("popc", "b64", (limb,), B32)
            total = count if total is None else sel.emit1("add", "s32", (total, count), B32)
        assert total is not None
        return _sized(sel, total, shape)
    if shape.bits == 1:
        return a
    width = _counting_width(shape)
    x = resized_part(sel, a[0], shape.bits, width, signed=False)
    count = sel.emit1("popc", f"b{width}", (x,), B32)
    sel.known_bits[count] = (False, 7)
    return _sized(sel, count, shape)


def _leading(sel: Selector, x: Part, width: int, bits: int, *, nonzero: bool = False) -> Part:
    """Leading zeros of an integer of `bits` bits, zero-extended to `width`.

    Arguments:
        nonzero: whether the integer is not zero; of 32 bits, `bfind.shiftamt` then is one machine
            instruction instead of two.
    """
    mnemonic, type_ = ("bfind", "shiftamt.u32") if nonzero and width == 32 else ("clz", f"b{width}")
    count: Part = sel.emit1(mnemonic, type_, (x,), B32)
    if bits < width:
        count = sel.emit1("add", "s32", (count, imm(bits - width)), B32)
    return count


def _leading_zeros(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    bits = shape.bits
    if shape.wide:
        limbs = wide.extend_limbs(sel, a, shape, signed=False)
        count: Part = imm(LIMB)
        for index, limb in enumerate(limbs):
            here = sel.emit1("clz", "b64", (limb,), B32)
            if index == 0:
                count = here
                continue
            below = sel.emit1("add", "s32", (count, imm(LIMB)), B32)
            zero = sel.emit1("setp", "eq.b64", (limb, imm(0)), PRED)
            count = sel.emit1("selp", "b32", (below, here, zero), B32)
        spare = len(limbs) * LIMB - bits
        if spare:
            count = sel.emit1("add", "s32", (count, imm(-spare)), B32)
        return _sized(sel, count, shape)
    if bits == 1:
        return (sel.emit1("not", "pred", (sel.materialise(a[0], PRED),), PRED),)
    width = _counting_width(shape)
    x = resized_part(sel, a[0], bits, width, signed=False)
    nonzero = bool(int_property(op, "is_zero_poison"))
    return _sized(sel, _leading(sel, x, width, bits, nonzero=nonzero), shape)


def _trailing_zeros(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    bits = shape.bits
    if shape.wide:
        count: Part = imm(0)
        limbs = a
        spare = bits % LIMB
        if spare:
            marked = sel.emit1("or", "b64", (limbs[-1], imm(signed(1 << spare, 64))), B64)
            limbs = (*limbs[:-1], marked)
        for index in range(len(limbs) - 1, -1, -1):
            turned = sel.emit1("brev", "b64", (limbs[index],), B64)
            here = sel.emit1("clz", "b64", (turned,), B32)
            if index == len(limbs) - 1:
                count = here
                continue
            above = sel.emit1("add", "s32", (count, imm(LIMB)), B32)
            zero = sel.emit1("setp", "eq.b64", (limbs[index], imm(0)), PRED)
            count = sel.emit1("selp", "b32", (above, here, zero), B32)
        return _sized(sel, count, shape)
    if bits == 1:
        return (sel.emit1("not", "pred", (sel.materialise(a[0], PRED),), PRED),)
    width = _counting_width(shape)
    x = resized_part(sel, a[0], bits, width, signed=False)
    nonzero = bool(int_property(op, "is_zero_poison"))
    if bits < width and not nonzero:
        # A bit just above the integer: zero then counts all bits.
        x = sel.emit1("or", f"b{width}", (x, imm(1 << bits)), integer_register(width))
        nonzero = True
    turned = sel.emit1("brev", f"b{width}", (x,), integer_register(width))
    return _sized(sel, _leading(sel, turned, width, width, nonzero=nonzero), shape)


# Turning around


def _reverse_bits(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    bits = shape.bits
    if shape.wide:
        turned = tuple([sel.emit1("brev", "b64", (limb,), B64) for limb in reversed(a)])
        spare = len(a) * LIMB - bits
        return wide.lshr_limbs(sel, turned, imm(spare)) if spare else turned
    if bits == 1:
        return a
    width = _counting_width(shape)
    x = resized_part(sel, a[0], bits, width, signed=False)
    made: Part = sel.emit1("brev", f"b{width}", (x,), integer_register(width))
    if bits < width:
        made = sel.emit1("shr", f"u{width}", (made, imm(width - bits)), integer_register(width))
    return (resized_part(sel, made, width, shape.width, signed=False),)


def _swapped64(sel: Selector, limb: Part) -> Part:
    low, high = split64(sel, limb)
    selector = imm(REVERSE_BYTES)
    new_high = sel.emit1("prmt", "b32", (low, imm(0), selector), B32)
    new_low = sel.emit1("prmt", "b32", (high, imm(0), selector), B32)
    return join64(sel, new_low, new_high)


def _swap_bytes(sel: Selector, a: Parts, shape: Shape, op: Operation) -> Parts:
    bits = shape.bits
    if shape.wide:
        turned = tuple([_swapped64(sel, limb) for limb in reversed(a)])
        spare = len(a) * LIMB - bits
        return wide.lshr_limbs(sel, turned, imm(spare)) if spare else turned
    if shape.width == 64:
        made = _swapped64(sel, a[0])
        if bits < 64:
            made = sel.emit1("shr", "u64", (made, imm(64 - bits)), B64)
        return (made,)
    x = resized_part(sel, a[0], bits, 32, signed=False)
    made = sel.emit1("prmt", "b32", (x, imm(0), imm(REVERSE_BYTES)), B32)
    if bits < 32:
        made = sel.emit1("shr", "u32", (made, imm(32 - bits)), B32)
    return (resized_part(sel, made, 32, shape.width, signed=False),)


# Funnel shifts


def _funnel(left: bool) -> Any:
    def emit(sel: Selector, a: Parts, b: Parts, c: Parts, shape: Shape, op: Operation) -> Parts:
        bits = shape.bits
        if bits == 32:
            # shf takes the low word first.
            mods = f"{'l' if left else 'r'}.wrap.b32"
            return (sel.emit1("shf", mods, (b[0], a[0], c[0]), B32),)
        amount = immediate_value(c[0]) if not shape.wide else None
        if shape.wide:
            return _funnel_wide(sel, a, b, c, shape, op, left)
        if bits == 1:
            return a if left else b
        if amount is not None:
            amount = (amount & ((1 << bits) - 1)) % bits
            if amount == 0:
                return a if left else b
            if bits == 64:
                return (_funnel_words(sel, a[0], b[0], amount if left else 64 - amount),)
        by = _amount_modulo(sel, c[0], shape)
        if bits <= 16:
            high = resized_part(sel, a[0], bits, 32, signed=False)
            low = resized_part(sel, b[0], bits, 32, signed=False)
            high = sel.emit1("shl", "b32", (high, imm(bits)), B32)
            both = sel.emit1("or", "b32", (high, low), B32)
            if left:
                both = sel.emit1("shl", "b32", (both, by), B32)
                both = sel.emit1("shr", "u32", (both, imm(bits)), B32)
            else:
                both = sel.emit1("shr", "u32", (both, by), B32)
            return (sel.emit1("cvt", "u16.u32", (both,), B16),)
        width = shape.width
        cls = integer_register(width)
        low = extended_part(sel, b[0], bits, width, signed=False)
        rest = sel.emit1("sub", "s32", (imm(bits - 1), by), B32)
        if left:
            high = sel.emit1("shl", f"b{width}", (a[0], by), cls)
            low = sel.emit1("shr", f"u{width}", (low, imm(1)), cls)
            low = sel.emit1("shr", f"u{width}", (low, rest), cls)
        else:
            high = sel.emit1("shl", f"b{width}", (a[0], imm(1)), cls)
            high = sel.emit1("shl", f"b{width}", (high, rest), cls)
            low = sel.emit1("shr", f"u{width}", (low, by), cls)
        return (sel.emit1("or", f"b{width}", (high, low), cls),)

    return emit


def _amount_modulo(sel: Selector, amount: Part, shape: Shape) -> Part:
    """A funnel shift's amount modulo the width, in 32 bits."""
    bits = shape.bits
    value = immediate_value(amount)
    if value is not None:
        return imm((value & ((1 << bits) - 1)) % bits)
    by = resized_part(sel, amount, bits, 32, signed=False)
    if bits & (bits - 1) == 0:
        return sel.emit1("and", "b32", (by, imm(bits - 1)), B32)
    if bits > 32:
        whole = extended_part(sel, amount, bits, 64, signed=False)
        rest = sel.emit1("rem", "u64", (whole, imm(bits)), B64)
        return sel.emit1("cvt", "u32.u64", (rest,), B32)
    return sel.emit1("rem", "u32", (by, imm(bits)), B32)


def _funnel_words(sel: Selector, a: Part, b: Part, amount: int) -> Part:
    """The high 64 bits of a:b shifted left by a constant, word by word."""
    low, high = split64(sel, b), split64(sel, a)
    words = [low[0], low[1], high[0], high[1]]
    skip, by = divmod(amount, 32)
    top, middle, bottom = words[3 - skip], words[2 - skip], words[1 - skip]
    if by == 0:
        return join64(sel, middle, top)
    new_high = sel.emit1("shf", "l.wrap.b32", (middle, top, imm(by)), B32)
    new_low = sel.emit1("shf", "l.wrap.b32", (bottom, middle, imm(by)), B32)
    return join64(sel, new_low, new_high)


def _funnel_wide(
    sel: Selector, a: Parts, b: Parts, c: Parts, shape: Shape, op: Operation, left: bool
) -> Parts:
    bits = shape.bits
    if bits & (bits - 1):
        raise sel.error(op, f"a funnel shift of i{bits} is not supported")
    value = immediate_value(c[0])
    if value is not None:
        by: Part = imm(value & (bits - 1))
        rest: Part = imm(bits - 1 - (value & (bits - 1)))
    else:
        low = sel.emit1("cvt", "u32.u64", (c[0],), B32)
        by = sel.emit1("and", "b32", (low, imm(bits - 1)), B32)
        rest = sel.emit1("sub", "s32", (imm(bits - 1), by), B32)
    if left:
        high = wide.shl_limbs(sel, a, by)
        under = wide.lshr_limbs(sel, wide.lshr_limbs(sel, b, imm(1)), rest)
    else:
        high = wide.shl_limbs(sel, wide.shl_limbs(sel, a, imm(1)), rest)
        under = wide.lshr_limbs(sel, b, by)
    return wide.bitwise_limbs(sel, "or", high, under)


# Checked arithmetic

Checked = Callable[[Selector, Parts, Parts, Shape, Operation], tuple[Parts, Part]]
"""A result and an overflow predicate."""


def _out_of_range(sel: Selector, value: Part, bits: int, width: int, *, signed: bool) -> Part:
    """Whether an exact result in a register does not fit into `bits` bits."""
    fitted = extended_part(sel, value, bits, width, signed=signed)
    return sel.emit1("setp", f"ne.b{width}", (fitted, value), PRED)


def _checked_sum(name: str, signed: bool) -> Checked:
    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> tuple[Parts, Part]:
        bits, width = shape.bits, shape.width
        if shape.wide:
            return _checked_wide(sel, name, signed, a, b, shape)
        if bits < width or bits == 1:
            # One more bit than the integer holds the exact result.
            room = 16 if bits == 1 else width
            cls = integer_register(room)
            x = resized_part(sel, a[0], bits, room, signed=signed)
            y = resized_part(sel, b[0], bits, room, signed=signed)
            exact = sel.emit1(name, f"s{room}", (x, y), cls)
            over = _exact_overflow(sel, exact, bits, room, signed=signed)
            if bits == 1:
                return (boolean(sel, exact, room),), over
            return (exact,), over
        cls = integer_register(width)
        made = sel.emit1(name, f"s{width}", (a[0], b[0]), cls)
        if not signed:
            operands = (made, a[0]) if name == "add" else (a[0], b[0])
            return (made,), sel.emit1("setp", f"lt.u{width}", operands, PRED)
        # The result has the wrong sign: unlike both summands', or the minuend's if the operands
        # differ in sign.
        first = sel.emit1("xor", f"b{width}", (a[0], made), cls)
        if name == "add":
            second = sel.emit1("xor", f"b{width}", (b[0], made), cls)
        else:
            second = sel.emit1("xor", f"b{width}", (a[0], b[0]), cls)
        both = sel.emit1("and", f"b{width}", (first, second), cls)
        return (made,), sel.emit1("setp", f"lt.s{width}", (both, imm(0)), PRED)

    return emit


def _exact_overflow(sel: Selector, exact: Part, bits: int, width: int, *, signed: bool) -> Part:
    if bits == 1:
        low, high = (-1, 0) if signed else (0, 1)
        below = sel.emit1("setp", f"lt.s{width}", (exact, imm(low)), PRED)
        above = sel.emit1("setp", f"gt.s{width}", (exact, imm(high)), PRED)
        return predicate_operation(sel, "or", below, above)
    return _out_of_range(sel, exact, bits, width, signed=signed)


def _checked_wide(
    sel: Selector, name: str, signed: bool, a: Parts, b: Parts, shape: Shape
) -> tuple[Parts, Part]:
    a = wide.extend_limbs(sel, a, shape, signed=signed)
    b = wide.extend_limbs(sel, b, shape, signed=signed)
    made = (wide.add_limbs if name == "add" else wide.sub_limbs)(sel, a, b)
    if shape.bits % LIMB:
        fitted = wide.extend_limbs(sel, made, shape, signed=signed)
        same = wide.equal_limbs(sel, fitted, made)
        return made, sel.emit1("not", "pred", (same,), PRED)
    if not signed:
        x, y = (made, a) if name == "add" else (a, b)
        return made, wide.less_limbs(sel, x, y, signed=False, or_equal=False)
    first = sel.emit1("xor", "b64", (a[-1], made[-1]), B64)
    other = made[-1] if name == "add" else a[-1]
    second = sel.emit1("xor", "b64", (b[-1], other), B64)
    both = sel.emit1("and", "b64", (first, second), B64)
    return made, sel.emit1("setp", "lt.s64", (both, imm(0)), PRED)


def _checked_wide_product(
    sel: Selector, a: Parts, b: Parts, shape: Shape, *, signed: bool
) -> tuple[Parts, Part]:
    """Compares the exact product, which has twice as many limbs, with the extended result."""
    count = len(a)
    a = wide.extend_limbs(sel, a, shape, signed=signed)
    b = wide.extend_limbs(sel, b, shape, signed=signed)

    def doubled(limbs: Parts) -> Parts:
        top = wide.limbs_of_part(sel, limbs[-1], count + 1, signed=signed)
        return (*limbs[:-1], *top)

    exact = wide.mul_limbs(sel, doubled(a), doubled(b))
    made = exact[:count]
    fitted = wide.extend_limbs(sel, made, shape, signed=signed)
    same = wide.equal_limbs(sel, doubled(fitted), exact)
    return made, sel.emit1("not", "pred", (same,), PRED)


def _checked_product(signed: bool) -> Checked:
    sign = "s" if signed else "u"

    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> tuple[Parts, Part]:
        bits, width = shape.bits, shape.width
        if shape.wide:
            return _checked_wide_product(sel, a, b, shape, signed=signed)
        if bits <= 32 and bits != 32:
            room = 32 if bits <= 16 else 64
            cls = integer_register(room)
            x = resized_part(sel, a[0], bits, room, signed=signed)
            y = resized_part(sel, b[0], bits, room, signed=signed)
            exact = sel.emit1("mul", f"lo.s{room}", (x, y), cls)
            if bits == 1:
                over = _exact_overflow(sel, exact, 1, room, signed=signed)
                return (boolean(sel, exact, room),), over
            over = _out_of_range(sel, exact, bits, room, signed=signed)
            return (resized_part(sel, exact, room, width, signed=signed),), over
        if bits == 32:
            exact = sel.emit1("mul", f"wide.{sign}32", (a[0], b[0]), B64)
            low, high = split64(sel, exact)
        else:
            x = extended_part(sel, a[0], bits, 64, signed=signed)
            y = extended_part(sel, b[0], bits, 64, signed=signed)
            low = sel.emit1("mul", "lo.s64", (x, y), B64)
            high = sel.emit1("mul", f"hi.{sign}64", (x, y), B64)
        cls = integer_register(width)
        wanted: Part = imm(0)
        if signed:
            wanted = sel.emit1("shr", f"s{width}", (low, imm(width - 1)), cls)
        over = sel.emit1("setp", f"ne.b{width}", (high, wanted), PRED)
        if bits < width:
            beyond = _out_of_range(sel, low, bits, width, signed=signed)
            over = predicate_operation(sel, "or", over, beyond)
        return (low,), over

    return emit


def _with_overflow(checked: Checked) -> Any:
    def select(sel: Selector, op: Operation) -> None:
        a, b = operands_of(op)
        shape = sel.shape(a)
        result = op.results[0]
        if shape.kind != VECTOR:
            parts, over = checked(sel, sel.parts(a), sel.parts(b), shape, op)
            sel.define(result, *parts, over)
            return
        element = shape.element
        values: list[Part] = []
        flags: list[Part] = []
        for x, y in zip(vector_elements(sel, a), vector_elements(sel, b)):
            parts, over = checked(sel, x, y, element, op)
            values.extend(parts)
            flags.append(over)
        sel.define(result, *values, *flags)

    return select


# Saturating arithmetic


def _limits(bits: int, *, signed: bool) -> tuple[int, int]:
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def _constant_parts(value: int, shape: Shape) -> Parts:
    if shape.wide:
        return tuple([imm(signed(value >> LIMB * i, LIMB)) for i in range(len(shape.parts))])
    bits = shape.bits
    value &= (1 << bits) - 1
    return (imm(value - (1 << bits) if bits > 1 and value >> (bits - 1) else value),)


def _saturating_sum(name: str, signed: bool) -> Any:
    checked = _checked_sum(name, signed)

    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        bits = shape.bits
        if signed and bits == 32:
            return (sel.emit1(name, "sat.s32", (a[0], b[0]), B32),)
        if not signed and name == "sub" and not shape.wide and bits > 1:
            # max(a, b) - b
            width = shape.width
            cls = integer_register(width)
            x = extended_part(sel, a[0], bits, width, signed=False)
            y = extended_part(sel, b[0], bits, width, signed=False)
            most = sel.emit1("max", f"u{width}", (x, y), cls)
            return (sel.emit1("sub", f"s{width}", (most, y), cls),)
        made, over = checked(sel, a, b, shape, op)
        return _saturated(sel, a, made, over, shape, name, signed)

    return emit


def _saturated(
    sel: Selector, a: Parts, made: Parts, over: Part, shape: Shape, name: str, signed: bool
) -> Parts:
    low, high = _limits(shape.bits, signed=signed)
    if not signed:
        limit = _constant_parts(high if name != "sub" else low, shape)
        return _choose_parts(sel, over, limit, made, shape)
    # Overflow saturates in the direction of the first operand's sign.
    if shape.bits == 1:
        below: Part = a[0]
    else:
        spare = shape.bits % LIMB if shape.wide else shape.bits
        top = a[-1]
        if spare and spare < shape.width:
            top = extended_part(sel, top, spare, shape.width, signed=True)
        below = sel.emit1("setp", f"lt.s{shape.width}", (top, imm(0)), PRED)
    lows, highs = _constant_parts(low, shape), _constant_parts(high, shape)
    limit = _choose_parts(sel, below, lows, highs, shape)
    return _choose_parts(sel, over, limit, made, shape)


def _saturating_shift(signed: bool) -> Any:
    sign = "s" if signed else "u"

    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        bits, width = shape.bits, shape.width
        if bits == 1:
            # Amounts other than 0 are poison.
            return a
        if shape.wide:
            x = wide.extend_limbs(sel, a, shape, signed=signed)
            amount = wide.amount_of(sel, wide.extend_limbs(sel, b, shape, signed=False))
            made = wide.shl_limbs(sel, x, amount)
            fitted = wide.extend_limbs(sel, made, shape, signed=signed)
            shift_back = wide.ashr_limbs if signed else wide.lshr_limbs
            same = wide.equal_limbs(sel, shift_back(sel, fitted, amount), x)
            over = sel.emit1("not", "pred", (same,), PRED)
            return _saturated(sel, x, made, over, shape, "shl", signed)
        cls = integer_register(width)
        by = resized_part(sel, b[0], bits, 32, signed=False)
        x = extended_part(sel, a[0], bits, width, signed=signed)
        shifted = sel.emit1("shl", f"b{width}", (x, by), cls)
        fitted = extended_part(sel, shifted, bits, width, signed=signed)
        back = sel.emit1("shr", f"{sign}{width}", (fitted, by), cls)
        over = sel.emit1("setp", f"ne.b{width}", (back, x), PRED)
        return _saturated(sel, (x,), (shifted,), over, shape, "shl", signed)

    return emit


# Three-way comparison


def _three_way(letter: str) -> Any:
    def select(sel: Selector, op: Operation) -> None:
        a, b = operands_of(op)
        result = op.results[0]
        source, target = sel.shape(a), sel.shape(result)
        if source.kind == VECTOR:
            source, target = source.element, target.element
        lanes: list[Parts] = []
        for x, y in zip(vector_elements(sel, a), vector_elements(sel, b)):
            less = compare_integers(sel, "lt", letter, x, y, source)
            more = compare_integers(sel, "gt", letter, x, y, source)
            width = 64 if target.wide else target.width
            cls = integer_register(width)
            one = sel.emit1("selp", f"b{width}", (imm(1), imm(0), more), cls)
            made = sel.emit1("selp", f"b{width}", (imm(-1), one, less), cls)
            if target.wide:
                lanes.append(wide.limbs_of_part(sel, made, len(target.parts), signed=True))
            else:
                lanes.append((made,))
        define_elements(sel, result, lanes)

    return select


EXTREMES: dict[str, Binary] = {
    "smax": _extreme("max", True),
    "smin": _extreme("min", True),
    "umax": _extreme("max", False),
    "umin": _extreme("min", False),
}
"""Minima and maxima of two integers, also for reductions."""

selects(AbsOp, pure=True)(unary(_absolute))
selects(SMaxOp, pure=True)(binary(EXTREMES["smax"]))
selects(SMinOp, pure=True)(binary(EXTREMES["smin"]))
selects(UMaxOp, pure=True)(binary(EXTREMES["umax"]))
selects(UMinOp, pure=True)(binary(EXTREMES["umin"]))
selects(CtPopOp, pure=True)(unary(_population))
selects(CountLeadingZerosOp, pure=True)(unary(_leading_zeros))
selects(CountTrailingZerosOp, pure=True)(unary(_trailing_zeros))
selects(BitReverseOp, pure=True)(unary(_reverse_bits))
selects(ByteSwapOp, pure=True)(unary(_swap_bytes))
selects(FshlOp, pure=True)(ternary(_funnel(True)))
selects(FshrOp, pure=True)(ternary(_funnel(False)))
selects(SAddWithOverflowOp, pure=True)(_with_overflow(_checked_sum("add", True)))
selects(UAddWithOverflowOp, pure=True)(_with_overflow(_checked_sum("add", False)))
selects(SSubWithOverflowOp, pure=True)(_with_overflow(_checked_sum("sub", True)))
selects(USubWithOverflowOp, pure=True)(_with_overflow(_checked_sum("sub", False)))
selects(SMulWithOverflowOp, pure=True)(_with_overflow(_checked_product(True)))
selects(UMulWithOverflowOp, pure=True)(_with_overflow(_checked_product(False)))
selects(SAddSatOp, pure=True)(binary(_saturating_sum("add", True)))
selects(UAddSatOp, pure=True)(binary(_saturating_sum("add", False)))
selects(SSubSatOp, pure=True)(binary(_saturating_sum("sub", True)))
selects(USubSatOp, pure=True)(binary(_saturating_sum("sub", False)))
selects(SSHLSatOp, pure=True)(binary(_saturating_shift(True)))
selects(USHLSatOp, pure=True)(binary(_saturating_shift(False)))
selects(SCmpOp, pure=True)(_three_way("s"))
selects(UCmpOp, pure=True)(_three_way("u"))
