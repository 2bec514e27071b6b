"""Integers of more than 64 bits: lists of 64-bit limbs, the low one first.

Sums and differences use the carry flag. Shifts rely on PTX shifts by 64 and more yielding zero, so
that every limb is an `or` of shifted limbs for any amount. Known bits of the amount eliminate limbs
that would be zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from xdsl.ir import SSAValue

from nvvm_xdsl.codegen.selector import Part, Parts, Selector, immediate_value
from nvvm_xdsl.codegen.shapes import LIMB, Shape
from nvvm_xdsl.codegen.widths import extended_part
from nvvm_xdsl.dialects.llvm.integers import signed as wrapped
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B32, B64, PRED

ZERO = imm(0)


def add_limbs(sel: Selector, a: Parts, b: Parts) -> Parts:
    """The sum modulo 2^bits."""
    return _carry_chain(sel, "add", a, b)


def sub_limbs(sel: Selector, a: Parts, b: Parts) -> Parts:
    """The difference modulo 2^bits."""
    return _carry_chain(sel, "sub", a, b)


def _carry_chain(sel: Selector, name: str, a: Parts, b: Parts) -> Parts:
    last = len(a) - 1
    found: list[Part] = []
    for i, (x, y) in enumerate(zip(a, b)):
        if i == 0:
            mnemonic, mods = f"{name}.cc", "s64"
        else:
            mnemonic, mods = f"{name}c", "cc.s64" if i < last else "s64"
        found.append(sel.emit1(mnemonic, mods, (x, y), B64))
    return tuple(found)


def mul_limbs(sel: Selector, a: Parts, b: Parts) -> Parts:
    """The product modulo 2^bits."""
    if len(a) == 2:
        low = sel.emit1("mul", "lo.u64", (a[0], b[0]), B64)
        high: Part = sel.emit1("mul", "hi.u64", (a[0], b[0]), B64)
        for x, y in ((a[0], b[1]), (a[1], b[0])):
            if immediate_value(x) != 0 and immediate_value(y) != 0:
                high = sel.emit1("mad", "lo.s64", (x, y, high), B64)
        return low, high
    count = len(a)
    total: list[Part] = [ZERO] * count
    for i in range(count):
        for j in range(count - i):
            if immediate_value(a[i]) == 0 or immediate_value(b[j]) == 0:
                continue
            at = i + j
            addend: list[Part] = [sel.emit1("mul", "lo.u64", (a[i], b[j]), B64)]
            if at + 1 < count:
                addend.append(sel.emit1("mul", "hi.u64", (a[i], b[j]), B64))
            addend += [ZERO] * (count - at - len(addend))
            if len(addend) == 1:
                total[at] = sel.emit1("add", "s64", (total[at], addend[0]), B64)
            else:
                total[at:] = add_limbs(sel, tuple(total[at:]), tuple(addend))
    return tuple(total)


def bitwise_limbs(sel: Selector, name: str, a: Parts, b: Parts) -> Parts:
    """`and`, `or` or `xor` by limbs; limbs that a constant does not change are kept."""
    found: list[Part] = []
    for x, y in zip(a, b):
        neutral = -1 if name == "and" else 0
        if immediate_value(y) == neutral:
            found.append(x)
        elif immediate_value(x) == neutral:
            found.append(y)
        else:
            found.append(sel.emit1(name, "b64", (x, y), B64))
    return tuple(found)


def amount_of(sel: Selector, amount: Parts) -> Part:
    """A shift amount in 32 bits; an amount that does not fit is always out of range."""
    value = immediate_value(amount[0])
    if value is not None:
        return imm(value & 0xFFFFFFFF)
    return sel.emit1("cvt", "u32.u64", (amount[0],), B32)


def _minus(sel: Selector, amount: Part, bits: int) -> Part:
    """amount - bits in 32 unsigned bits, which wraps below zero to more than any width."""
    if not bits:
        return amount
    value = immediate_value(amount)
    if value is not None:
        return imm((value - bits) & 0xFFFFFFFF)
    return sel.emit1("add", "s32", (amount, imm(-bits)), B32)


def _from(sel: Selector, bits: int, amount: Part) -> Part:
    """bits - amount in 32 unsigned bits."""
    value = immediate_value(amount)
    if value is not None:
        return imm((bits - value) & 0xFFFFFFFF)
    return sel.emit1("sub", "s32", (imm(bits), amount), B32)


def _shifted(sel: Selector, name: str, part: Part, amount: Part) -> Part:
    """A limb shifted logically, with constants folded."""
    by = immediate_value(amount)
    if by is not None and by >= LIMB:
        return ZERO
    if by == 0:
        return part
    value = immediate_value(part)
    if value == 0:
        return ZERO
    return sel.emit1(name, "b64" if name == "shl" else "u64", (part, amount), B64)


def _union(sel: Selector, parts: Sequence[Part]) -> Part:
    made: Part = ZERO
    for part in parts:
        if immediate_value(part) == 0 or part is made:
            continue
        made = part if immediate_value(made) == 0 else sel.emit1("or", "b64", (made, part), B64)
    return made


Bounds: TypeAlias = tuple[int, int]
"""The minimum and maximum of a shift amount."""

ANY_AMOUNT: Final[Bounds] = (0, (1 << 32) - 1)


def _amounts(sel: Selector, amount: Part, count: int, bounds: Bounds) -> tuple[Parts, Parts]:
    """The shift amount that moves a limb to limb `d`, and the amount for its remaining bits.

    An amount that is never within a limb is the limb's width, which yields zero.
    """
    least, most = bounds
    less: list[Part] = []
    more: list[Part] = []
    for d in range(count):
        near = least < LIMB * (d + 1) and most >= LIMB * d
        less.append(_minus(sel, amount, LIMB * d) if near else imm(LIMB))
    for d in range(1, count):
        near = least < LIMB * d and most > LIMB * (d - 1)
        more.append(_from(sel, LIMB * d, amount) if near else imm(LIMB))
    return tuple(less), tuple(more)


def shl_limbs(sel: Selector, a: Parts, amount: Part, bounds: Bounds = ANY_AMOUNT) -> Parts:
    """Shift left."""
    count = len(a)
    less, more = _amounts(sel, amount, count, bounds)
    found: list[Part] = []
    for i in range(count):
        terms = [_shifted(sel, "shl", a[j], less[i - j]) for j in range(i + 1)]
        terms += [_shifted(sel, "shr", a[j], more[i - j - 1]) for j in range(i)]
        found.append(_union(sel, terms))
    return tuple(found)


def lshr_limbs(sel: Selector, a: Parts, amount: Part, bounds: Bounds = ANY_AMOUNT) -> Parts:
    """Logical right shift; the top limb must be zero-extended."""
    count = len(a)
    less, more = _amounts(sel, amount, count, bounds)
    found: list[Part] = []
    for i in range(count):
        terms = [_shifted(sel, "shr", a[j], less[j - i]) for j in range(i, count)]
        terms += [_shifted(sel, "shl", a[j], more[j - i - 1]) for j in range(i + 1, count)]
        found.append(_union(sel, terms))
    return tuple(found)


def ashr_limbs(sel: Selector, a: Parts, amount: Part, bounds: Bounds = ANY_AMOUNT) -> Parts:
    """Arithmetic right shift; the top limb must be sign-extended."""
    count = len(a)
    sign = sel.emit1("shr", "s64", (a[-1], imm(LIMB - 1)), B64)
    width = LIMB * count
    least, most = bounds
    rest = (width - min(most, width), width - min(least, width))
    fill = shl_limbs(sel, (sign,) * count, _from(sel, width, amount), rest)
    found = lshr_limbs(sel, a, amount, bounds)
    return tuple([_union(sel, (x, y)) for x, y in zip(found, fill)])


def extend_limbs(sel: Selector, parts: Parts, shape: Shape, *, signed: bool) -> Parts:
    """The limbs with the bits above the integer's width set by extension."""
    spare = shape.bits % LIMB
    if not spare:
        return parts
    top = extended_part(sel, parts[-1], spare, LIMB, signed=signed)
    return (*parts[:-1], top)


def equal_limbs(sel: Selector, a: Parts, b: Parts) -> SSAValue:
    """A predicate: all limbs equal."""
    difference = bitwise_limbs(sel, "xor", a, b)
    return sel.emit1("setp", "eq.b64", (_union(sel, difference), ZERO), PRED)


def less_limbs(sel: Selector, a: Parts, b: Parts, *, signed: bool, or_equal: bool) -> SSAValue:
    """A predicate: a < b, or a <= b, of the limbs as one number."""
    sign = "s" if signed else "u"
    last = len(a) - 1
    found: SSAValue | None = None
    for i, (x, y) in enumerate(zip(a, b)):
        strict = not (i == 0 and or_equal)
        mods = f"{'lt' if strict else 'le'}.{sign if i == last else 'u'}64"
        if found is None:
            found = sel.emit1("setp", mods, (x, y), PRED)
            continue
        same = sel.emit1("setp", "eq.and.b64", (x, y, found), PRED)
        found = sel.emit1("setp", f"lt.or.{sign if i == last else 'u'}64", (x, y, same), PRED)
    assert found is not None
    return found


def limbs_of_part(sel: Selector, part: Part, count: int, *, signed: bool) -> Parts:
    """A 64-bit part extended to `count` limbs."""
    value = immediate_value(part)
    if value is not None:
        value = wrapped(value, LIMB) if signed else value & (2**64 - 1)
        return tuple([imm(wrapped(value >> (LIMB * i), LIMB)) for i in range(count)])
    if not signed:
        return (part, *[ZERO] * (count - 1))
    fill = sel.emit1("shr", "s64", (part, imm(LIMB - 1)), B64)
    return (part, *[fill] * (count - 1))
