"""Integer arithmetic and logic.

Operations whose low bits do not depend on high bits (sums, products, logic, left shifts) run on
whole registers whatever the integer's width; the others extend first.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    GEPOp,
    IntToPtrOp,
    LShrOp,
    MulOp,
    OrOp,
    SDivOp,
    SExtOp,
    ShlOp,
    SRemOp,
    SubOp,
    UDivOp,
    URemOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.codegen import divide, wide
from nvvm_xdsl.codegen.elementwise import Binary, binary
from nvvm_xdsl.codegen.rules.addresses import is_pointer_sum
from nvvm_xdsl.codegen.selector import Part, Parts, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import INTEGER, LIMB, Shape, integer_register
from nvvm_xdsl.codegen.widths import extended_part, resized_part
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, is_non_negative, overflow_flags
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B32, B64, PRED
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import operands_of


def predicate_operation(sel: Selector, name: str, a: Part, b: Part) -> SSAValue:
    """`and`, `or` or `xor` of two predicates."""
    left = sel.materialise(a, PRED)
    return sel.emit1(name, "pred", (left, sel.materialise(b, PRED)), PRED)


def _plain(name: str, kind: str) -> Callable[[Selector, Part, Part, Shape], Part]:
    def emit(sel: Selector, a: Part, b: Part, shape: Shape) -> Part:
        width = shape.width
        return sel.emit1(name, f"{kind}{width}", (a, b), integer_register(width))

    return emit


_ADD = _plain("add", "s")
_SUB = _plain("sub", "s")
_MUL = _plain("mul", "lo.s")


def _add(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
    if shape.bits == 1:
        return (predicate_operation(sel, "xor", a[0], b[0]),)
    if shape.wide:
        return wide.add_limbs(sel, a, b)
    return (_ADD(sel, a[0], b[0], shape),)


def _sub(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
    if shape.bits == 1:
        return (predicate_operation(sel, "xor", a[0], b[0]),)
    if shape.wide:
        return wide.sub_limbs(sel, a, b)
    if immediate_value(a[0]) == 0:
        width = shape.width
        return (sel.emit1("neg", f"s{width}", (b[0],), integer_register(width)),)
    return (_SUB(sel, a[0], b[0], shape),)


def _mul(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
    if shape.bits == 1:
        return (predicate_operation(sel, "and", a[0], b[0]),)
    if shape.wide:
        return wide.mul_limbs(sel, a, b)
    value = immediate_value(b[0])
    width = shape.width
    if value is not None and value > 0 and value & (value - 1) == 0:
        amount = imm(value.bit_length() - 1)
        return (sel.emit1("shl", f"b{width}", (a[0], amount), integer_register(width)),)
    return (_MUL(sel, a[0], b[0], shape),)


def _division(name: str, signed: bool) -> Callable[..., Parts]:
    sign = "s" if signed else "u"

    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        bits, width = shape.bits, shape.width
        if bits == 1:
            # The only divisor that is not undefined is 1 (unsigned) or -1 (signed).
            return (a[0],) if name == "div" else (imm(0),)
        if shape.wide:
            raise sel.error(op, f"division of i{bits} is not supported")
        value = immediate_value(b[0])
        if value is not None and value & ((1 << bits) - 1):
            return (_divide_by_constant(sel, name, a[0], value, shape, signed=signed),)
        x = extended_part(sel, a[0], bits, width, signed=signed)
        cls = integer_register(width)
        y = extended_part(sel, b[0], bits, width, signed=signed)
        return (sel.emit1(name, f"{sign}{width}", (x, y), cls),)

    return emit


def _divide_by_constant(
    sel: Selector, name: str, part: Part, divisor: int, shape: Shape, *, signed: bool
) -> Part:
    bits = shape.bits
    room = 32 if bits <= 32 else LIMB
    x = resized_part(sel, part, bits, room, signed=signed)
    if shape.width == room:
        x = extended_part(sel, part, bits, room, signed=signed)
    if not signed:
        divisor &= (1 << bits) - 1
    if name == "rem":
        made = divide.remainder(sel, x, divisor, room, signed=signed)
    elif signed:
        made = divide.signed_quotient(sel, x, divisor, room)
    else:
        made = divide.unsigned_quotient(sel, x, divisor, room)
    return resized_part(sel, made, room, shape.width, signed=False)


def _logic(name: str) -> Callable[..., Parts]:
    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        if shape.bits == 1:
            value = immediate_value(b[0])
            if value is not None:
                return (_logic_with_constant(sel, name, a[0], value & 1),)
            return (predicate_operation(sel, name, a[0], b[0]),)
        if shape.wide:
            return wide.bitwise_limbs(sel, name, a, b)
        width = shape.width
        if name == "xor" and immediate_value(b[0]) == -1:
            return (sel.emit1("not", f"b{width}", (a[0],), integer_register(width)),)
        made = sel.emit1(name, f"b{width}", (a[0], b[0]), integer_register(width))
        if name == "and":
            value = immediate_value(b[0])
            if value is not None and 0 <= value < 1 << (width - 1):
                sel.known_bits[made] = (False, value.bit_length())
        return (made,)

    return emit


def _logic_with_constant(sel: Selector, name: str, part: Part, value: int) -> Part:
    if name == "and":
        return part if value else imm(0)
    if name == "or":
        return imm(1) if value else part
    if not value:
        return part
    return sel.emit1("not", "pred", (sel.materialise(part, PRED),), PRED)


def _amount(sel: Selector, part: Part, shape: Shape) -> Part:
    return resized_part(sel, part, min(shape.bits, LIMB), 32, signed=False)


def _bounds(sel: Selector, op: Operation) -> wide.Bounds:
    """The minimum and maximum amount of a shift."""
    amount = fast.operands_of(op)[1]
    if not isinstance(amount.type, IntegerType):
        return wide.ANY_AMOUNT
    known = sel.facts.known_bits(amount)
    return known.umin, known.umax


def _shl(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
    if shape.bits == 1:
        return (a[0],)
    if shape.wide:
        return wide.shl_limbs(sel, a, wide.amount_of(sel, b), _bounds(sel, op))
    width = shape.width
    amount = _amount(sel, b[0], shape)
    return (sel.emit1("shl", f"b{width}", (a[0], amount), integer_register(width)),)


def _shift_right(signed: bool) -> Callable[..., Parts]:
    sign = "s" if signed else "u"

    def emit(sel: Selector, a: Parts, b: Parts, shape: Shape, op: Operation) -> Parts:
        if shape.bits == 1:
            return (a[0],)
        if shape.wide:
            a = wide.extend_limbs(sel, a, shape, signed=signed)
            amount = wide.amount_of(sel, b)
            shift = wide.ashr_limbs if signed else wide.lshr_limbs
            return shift(sel, a, amount, _bounds(sel, op))
        width = shape.width
        x = extended_part(sel, a[0], shape.bits, width, signed=signed)
        amount = _amount(sel, b[0], shape)
        made = sel.emit1("shr", f"{sign}{width}", (x, amount), integer_register(width))
        by = immediate_value(amount)
        if by is not None and by < shape.bits:
            sel.known_bits[made] = (signed, shape.bits - by)
        elif shape.bits < width:
            sel.known_bits[made] = (signed, shape.bits)
        return (made,)

    return emit


# Products that are folded


def _defers_product(sel: Selector, op: Operation) -> bool:
    """Returns True if the product's only use is in the same block: a sum, for `mad`, or an
    extension, for `mul.wide`."""
    shape = sel.shape(op.results[0])
    if shape.kind != INTEGER or shape.bits not in (32, 64):
        return False
    use = fast.single_use(op.results[0])
    if use is None:
        return False
    user = use.operation
    if user.parent is not op.parent:
        return False
    return type(user) is AddOp or _is_exact(sel, op, user)


def _is_exact(sel: Selector, product: Operation, extension: Operation) -> bool:
    """Whether the op extends a product, of i32 or i64, that does not wrap to i64."""
    if type(extension) is SExtOp:
        needed = NSW
    elif type(extension) is ZExtOp:
        needed = NUW | NSW if is_non_negative(extension) else NUW
    else:
        return False
    has_flag = bool(overflow_flags(product) & needed)
    return has_flag and sel.shape(extension.results[0]).bits == 64


def exact_product(sel: Selector, extension: Operation) -> SSAValue | None:
    """The extension of a product that is used nowhere else, as a widening multiplication.

        %p = llvm.mul %a, %b overflow<nsw> : i32
        %w = llvm.sext %p : i32 to i64               ->    mul.wide.s32 %rd1, %r1, %r2;

    ptxas makes one IMAD.WIDE of it and a sum.
    """
    product = _pending_product(sel, operands_of(extension)[0])
    if product is None:
        return None
    signed = type(extension) is SExtOp or not overflow_flags(product) & NUW
    a, b = operands_of(product)
    number = sel.constant(b)
    if number is not None and not signed:
        number &= (1 << 32) - 1
    factor = sel.operand(b) if number is None else imm(number)
    left = sel.materialise(sel.operand(a), B32)
    return sel.emit1("mul", f"wide.{'s' if signed else 'u'}32", (left, factor), B64)


def _extension_of(sel: Selector, value: SSAValue, narrow: int) -> tuple[SSAValue, str] | None:
    """The operand of a deferred extension from `narrow` bits, and its kind `s` or `u`."""
    if type(value) is not OpResult or sel.is_defined(value):
        return None
    op = fast.producer_of(value)
    if type(op) is not SExtOp and type(op) is not ZExtOp:
        return None
    source = operands_of(op)[0]
    if sel.shape(source).bits != narrow:
        return None
    return source, "s" if type(op) is SExtOp else "u"


def _wide_factors(sel: Selector, op: Operation) -> tuple[Part, Part, str] | None:
    """Operands of half the width whose full product this is, and the type of the multiplication."""
    bits = sel.shape(op.results[0]).bits
    narrow = bits // 2
    if narrow not in (16, 32):
        return None
    a, b = operands_of(op)
    found = _extended_factors(sel, a, b, narrow)
    return _small_factors(sel, a, b) if found is None and bits == 64 else found


def _extended_factors(
    sel: Selector, a: SSAValue, b: SSAValue, narrow: int
) -> tuple[Part, Part, str] | None:
    left = _extension_of(sel, a, narrow)
    if left is None:
        return None
    sign = left[1]
    number = sel.constant(b)
    if number is not None:
        low, high = (-(1 << narrow - 1), 1 << narrow - 1) if sign == "s" else (0, 1 << narrow)
        if low <= number < high:
            return sel.operand(left[0]), imm(number), f"{sign}{narrow}"
        return None
    right = _extension_of(sel, b, narrow)
    if right is None or right[1] != sign:
        return None
    return sel.operand(left[0]), sel.operand(right[0]), f"{sign}{narrow}"


def _small_factors(sel: Selector, a: SSAValue, b: SSAValue) -> tuple[Part, Part, str] | None:
    """The low halves of two 64-bit factors that are known to fit in 32 bits.

    ptxas needs one instruction for the product of the halves, and three to six for that of the factors.
    """
    first, second = sel.facts.range(a), sel.facts.range(b)
    if all(-(1 << 31) <= r.smin() and r.smax() < 1 << 31 for r in (first, second)):
        sign = "s"
    elif first.umax() < 1 << 32 and second.umax() < 1 << 32:
        sign = "u"
    else:
        return None
    return _low_half(sel, a), _low_half(sel, b), f"{sign}32"


def _low_half(sel: Selector, value: SSAValue) -> Part:
    number = sel.constant(value)
    if number is not None:
        return imm(number)
    extension = _extension_of(sel, value, 32)
    if extension is not None:
        return sel.operand(extension[0])
    return sel.emit1("cvt", "u32.u64", (sel.reg(value),), B32)


_mul_rule = binary(_mul)


@selects(MulOp, deferred=_defers_product)
def select_mul(sel: Selector, op: Operation) -> None:
    """Products; of two extended factors, the widening product."""
    result = op.results[0]
    shape = sel.shape(result)
    if shape.kind == INTEGER and not shape.wide:
        factors = _wide_factors(sel, op)
        if factors is not None:
            x, y, type_ = factors
            made = sel.emit1("mul", f"wide.{type_}", (x, y), integer_register(shape.width))
            sel.define(result, made)
            return
    _mul_rule(sel, op)


def _pending_product(sel: Selector, value: SSAValue) -> Operation | None:
    if type(value) is not OpResult or sel.is_defined(value):
        return None
    op = fast.producer_of(value)
    if type(op) is not MulOp or fast.single_use(value) is None:
        return None
    return op


_add_rule = binary(_add)

_SUM_SWALLOWERS = frozenset({GEPOp, SExtOp, ZExtOp})


def _defers_sum(sel: Selector, op: Operation) -> bool:
    """Returns True if it is only used by address computations, and is x + constant or pointer +
    x."""
    result = op.results[0]
    users = [type(user) for user in fast.users_of(result)]
    if sel.constant(operands_of(op)[1]) is not None and all(u in _SUM_SWALLOWERS for u in users):
        return True
    return all(u is IntToPtrOp or u is AddOp for u in users) and is_pointer_sum(result)


@selects(AddOp, deferred=_defers_sum)
def select_add(sel: Selector, op: Operation) -> None:
    """Sums; with a product that is used nowhere else, `mad`."""
    result = op.results[0]
    shape = sel.shape(result)
    if shape.kind == INTEGER and shape.bits in (32, 64):
        a, b = operands_of(op)
        for product_value, addend in ((a, b), (b, a)):
            product = _pending_product(sel, product_value)
            if product is None:
                continue
            cls = integer_register(shape.width)
            factors = _wide_factors(sel, product)
            if factors is not None:
                if shape.width == 64:
                    # ptxas makes one IMAD.WIDE of `mul.wide` and `add`, and more of `mad.wide`.
                    break
                x, y, type_ = factors
                mods = f"wide.{type_}"
            else:
                u, v = operands_of(product)
                number = sel.constant(v)
                if number is not None and number > 0 and number & (number - 1) == 0:
                    break
                x, y, mods = sel.operand(u), sel.operand(v), f"lo.s{shape.width}"
            sel.define(result, sel.emit1("mad", mods, (x, y, sel.operand(addend)), cls))
            return
    _add_rule(sel, op)


def _is_negation(sel: Selector, op: Operation) -> bool:
    """Returns True if the op is `xor %c, true`, which branches and selects fold."""
    result = op.results[0]
    shape = sel.shape(result)
    return shape.kind == INTEGER and shape.bits == 1 and sel.constant(operands_of(op)[1]) == 1


SCALARS: dict[str, Binary] = {
    "add": _add,
    "mul": _mul,
    "and": _logic("and"),
    "or": _logic("or"),
    "xor": _logic("xor"),
}
"""Operations on single integers, for reductions."""

selects(SubOp, pure=True)(binary(_sub))
selects(UDivOp, pure=True)(binary(_division("div", False)))
selects(SDivOp, pure=True)(binary(_division("div", True)))
selects(URemOp, pure=True)(binary(_division("rem", False)))
selects(SRemOp, pure=True)(binary(_division("rem", True)))
selects(AndOp, pure=True)(binary(SCALARS["and"]))
selects(OrOp, pure=True)(binary(SCALARS["or"]))
selects(XOrOp, deferred=_is_negation)(binary(SCALARS["xor"]))
selects(ShlOp, pure=True)(binary(_shl))
selects(LShrOp, pure=True)(binary(_shift_right(False)))
selects(AShrOp, pure=True)(binary(_shift_right(True)))


def condition(sel: Selector, value: SSAValue) -> tuple[Part, bool]:
    """An i1 as a predicate, and whether it is negated."""
    inverted = False
    while type(value) is OpResult and not sel.is_defined(value):
        op = fast.producer_of(value)
        if type(op) is not XOrOp:
            break
        value, other = operands_of(op)
        if sel.constant(other) != 1:
            raise sel.error(op, "a deferred xor is not a negation")
        inverted = not inverted
    return sel.operand(value), inverted
