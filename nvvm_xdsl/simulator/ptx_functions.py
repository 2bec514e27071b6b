"""What the PTX instructions compute that depend on their operands alone (PTX ISA, chapter 9.7).

`pure("fma.rn.ftz.f32")` is a function from register contents to register contents: arrays of the
bits, as unsigned integers of the register's width, predicates as `bool`. An instruction with
several results returns a tuple. Approximate instructions are computed in double precision and
rounded once, which is within the error that the PTX ISA allows for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from nvvm_xdsl.simulator import floats as F
from nvvm_xdsl.simulator import lane_ops as L
from nvvm_xdsl.simulator import video
from nvvm_xdsl.simulator.ptx_conversions import cvt
from nvvm_xdsl.simulator.ptx_types import (
    FLOAT_TYPES,
    INTEGER_TYPES,
    PACKED,
    TYPE_BITS,
    Function,
    Lanes,
    binary,
    fit,
    floating,
    is_float,
    lift,
    rounding_of,
    ternary,
    type_of,
    unary,
    with_carry,
)


def _float_binary(name: str) -> Callable[[list[str]], Function]:
    function = getattr(F, name)

    def build(mods: list[str]) -> Function:
        mode, ftz, sat = rounding_of(mods), "ftz" in mods, "sat" in mods
        return lift(
            type_of(mods), lambda fmt: binary(lambda a, b: function(a, b, fmt, mode, ftz, sat))
        )

    return build


def _signed_clamp(value: Lanes) -> Lanes:
    return np.clip(value, -(1 << 31), (1 << 31) - 1).astype(np.int32).view(np.uint32)


def _add(mods: list[str]) -> Function:
    type_ = type_of(mods)
    types = [m for m in mods if m in TYPE_BITS]
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "add", mods)
    if is_float(type_):
        return _float_binary("add")(mods)
    if type_ in ("u16x2", "s16x2"):
        return _halves(binary(lambda a, b: a + b), False)
    if "sat" in mods:
        return binary(
            lambda a, b: _signed_clamp(L.signed(a, 32).astype(np.int64) + L.signed(b, 32))
        )
    _, bits = INTEGER_TYPES[type_]
    return binary(lambda a, b: fit(a, bits) + fit(b, bits))


def _sub(mods: list[str]) -> Function:
    type_ = type_of(mods)
    types = [m for m in mods if m in TYPE_BITS]
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "sub", mods)
    if is_float(type_):
        return _float_binary("sub")(mods)
    if "sat" in mods:
        return binary(
            lambda a, b: _signed_clamp(L.signed(a, 32).astype(np.int64) - L.signed(b, 32))
        )
    _, bits = INTEGER_TYPES[type_]
    return binary(lambda a, b: fit(a, bits) - fit(b, bits))


def _mixed(source: str, name: str, mods: list[str]) -> Function:
    """`add.f32.f16` and its like: the first operand widened, then f32 arithmetic."""
    mode, ftz, sat = rounding_of(mods), "ftz" in mods, "sat" in mods
    function = getattr(F, name)

    def widen(a: Lanes) -> Lanes:
        return F.convert(fit(a, 16).view(F.DTYPE[source]), source, "f32")

    if name == "fma":
        return ternary(
            lambda a, b, c: F.fma(
                widen(a), widen(b), c.view(np.float32), "f32", mode, ftz, sat
            ).view(np.uint32)
        )
    return binary(
        lambda a, c: function(widen(a), c.view(np.float32), "f32", mode, ftz, sat).view(np.uint32)
    )


def _halves(function: Function, sign: bool) -> Function:
    kind: Any = np.int16 if sign else np.uint16

    def run(*operands: Lanes) -> Lanes:
        parts = [np.ascontiguousarray(o).view(kind).reshape(-1, 2) for o in operands]
        return np.ascontiguousarray(function(*parts).astype(kind)).reshape(-1).view(np.uint32)

    return run


def _product(mods: list[str]) -> tuple[Function, int]:
    """An integer product and the width of the result."""
    sign, bits = INTEGER_TYPES[type_of(mods)]
    if "wide" in mods:

        def wide(a: Lanes, b: Lanes) -> Lanes:
            return L.resize(fit(a, bits), bits, 2 * bits, sign) * L.resize(
                fit(b, bits), bits, 2 * bits, sign
            )

        if bits == 64:

            def huge(a: Lanes, b: Lanes) -> Lanes:
                x, y = L.resize(a, 64, 128, sign), L.resize(b, 64, 128, sign)
                return L.wrap(x * y, 128)

            return huge, 128
        return wide, 2 * bits
    if "hi" in mods:
        return binary(lambda a, b: L.multiply_high(fit(a, bits), fit(b, bits), bits, sign)), bits
    return binary(lambda a, b: fit(a, bits) * fit(b, bits)), bits


def _mul(mods: list[str]) -> Function:
    if is_float(type_of(mods)):
        return _float_binary("mul")(mods)
    return _product(mods)[0]


def _fma(mods: list[str]) -> Function:
    types = [m for m in mods if m in TYPE_BITS]
    mode, ftz, sat, relu = rounding_of(mods), "ftz" in mods, "sat" in mods, "relu" in mods
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "fma", mods)
    return lift(
        types[-1], lambda fmt: ternary(lambda a, b, c: F.fma(a, b, c, fmt, mode, ftz, sat, relu))
    )


def _mad(mods: list[str]) -> Function:
    if is_float(type_of(mods)):
        return _fma(mods)
    product, bits = _product(mods)
    if "sat" in mods:
        return ternary(
            lambda a, b, c: _signed_clamp(
                L.signed(product(a, b), 32).astype(np.int64) + L.signed(c, 32)
            )
        )
    return ternary(lambda a, b, c: L.wrap(product(a, b) + fit(c, bits), bits))


def _signed24(a: Lanes, sign: bool) -> Lanes:
    low = (a & np.uint32(0xFFFFFF)).astype(np.int64)
    return np.where(low >= 1 << 23, low - (1 << 24), low) if sign else low


def _mul24(mods: list[str]) -> Function:
    sign = INTEGER_TYPES[type_of(mods)][0]
    shift = 16 if "hi" in mods else 0
    return binary(
        lambda a, b: ((_signed24(a, sign) * _signed24(b, sign)) >> shift).astype(np.uint32)
    )


def _mad24(mods: list[str]) -> Function:
    product = _mul24(mods)
    return ternary(lambda a, b, c: product(a, b) + c)


def _sad(mods: list[str]) -> Function:
    sign, bits = INTEGER_TYPES[type_of(mods)]

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        x, y = (L.signed(a, bits), L.signed(b, bits)) if sign else (a, b)
        return c + np.where(x < y, b - a, a - b)

    return run


def _div(mods: list[str]) -> Function:
    type_ = type_of(mods)
    if is_float(type_):
        mode, ftz = rounding_of(mods), "ftz" in mods
        # Of div.approx the PTX ISA says that a divisor of 2**126 and more gives zero (or NaN).
        if "approx" in mods:
            return floating(type_, binary(lambda a, b: _div_approx(a, b, ftz)))
        return floating(type_, binary(lambda a, b: F.div(a, b, type_, mode, ftz)))
    sign, bits = INTEGER_TYPES[type_]
    return binary(lambda a, b: (L.sdiv if sign else L.udiv)(fit(a, bits), fit(b, bits), bits))


def _div_approx(a: Lanes, b: Lanes, ftz: bool) -> Lanes:
    out = F.div(a, b, "f32", "rn", ftz)
    large = np.abs(b) > np.float32(2.0**126)
    if large.any():
        finite = np.isfinite(a) & np.isfinite(b)
        zero = F.copysign(np.zeros_like(out), out, "f32")
        out = np.where(large & finite, zero, out)
        out = np.where(
            large & np.isinf(a) & np.isfinite(b),
            F.from_bits(np.array([0x7FFFFFFF], np.uint32), "f32"),
            out,
        )
    return out


def _rem(mods: list[str]) -> Function:
    sign, bits = INTEGER_TYPES[type_of(mods)]
    return binary(lambda a, b: (L.srem if sign else L.urem)(fit(a, bits), fit(b, bits), bits))


def _abs(mods: list[str]) -> Function:
    type_ = type_of(mods)
    ftz = "ftz" in mods
    if is_float(type_):
        return lift(
            type_, lambda fmt: unary(lambda a: F.absolute(F.flush(a, fmt) if ftz else a, fmt))
        )
    _, bits = INTEGER_TYPES[type_]
    return unary(lambda a: L.absolute(fit(a, bits), bits))


def _neg(mods: list[str]) -> Function:
    type_ = type_of(mods)
    ftz = "ftz" in mods
    if is_float(type_):
        return lift(
            type_, lambda fmt: unary(lambda a: F.negate(F.flush(a, fmt) if ftz else a, fmt))
        )
    _, bits = INTEGER_TYPES[type_]
    return unary(lambda a: L.wrap(fit(a, bits).dtype.type(0) - fit(a, bits), bits))


def _positive(a: Lanes) -> Lanes:
    return np.maximum(a, 0)


def _extreme(smaller: bool) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        type_ = type_of(mods)
        if is_float(type_):
            ftz, nan, xorsign = "ftz" in mods, "NaN" in mods, "xorsign" in mods
            magnitude = "abs" in mods and not xorsign
            function = F.minimum if smaller else F.maximum

            def choose(fmt: str) -> Function:
                def run(a: Lanes, b: Lanes, *more: Lanes) -> Lanes:
                    out = (
                        function(a, b, fmt, ftz, nan, xorsign)
                        if not magnitude
                        else _by_magnitude(a, b, fmt)
                    )
                    for c in more:
                        out = function(out, c, fmt, ftz, nan, False)
                    return out

                return run

            return lift(type_, choose)
        if type_ in ("u16x2", "s16x2"):
            inner = _halves(np.minimum if smaller else np.maximum, type_ == "s16x2")
            if "relu" in mods:
                return binary(lambda a, b: _halves(unary(_positive), True)(inner(a, b)))
            return inner
        sign, bits = INTEGER_TYPES[type_]
        relu = "relu" in mods

        def integers(a: Lanes, b: Lanes) -> Lanes:
            a, b = fit(a, bits), fit(b, bits)
            x, y = (L.signed(a, bits), L.signed(b, bits)) if sign else (a, b)
            out = np.where((x < y) if smaller else (x > y), a, b)
            if relu:
                out = np.where(L.signed(out, bits) < 0, out.dtype.type(0), out)
            return out

        return integers

    def _by_magnitude(a: Lanes, b: Lanes, fmt: str) -> Lanes:
        return (F.minimum if smaller else F.maximum)(F.absolute(a, fmt), F.absolute(b, fmt), fmt)

    return build


def _bitwise(function: Callable[[Lanes, Lanes], Lanes]) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        type_ = type_of(mods)
        if type_ == "pred":
            return function
        bits = TYPE_BITS[type_]
        return binary(lambda a, b: function(fit(a, bits), fit(b, bits)))

    return build


def _not(mods: list[str]) -> Function:
    type_ = type_of(mods)
    if type_ == "pred":
        return unary(lambda a: ~a)
    bits = TYPE_BITS[type_]
    return unary(lambda a: ~fit(a, bits))


def _cnot(mods: list[str]) -> Function:
    bits = TYPE_BITS[type_of(mods)]
    return unary(lambda a: (fit(a, bits) == 0).astype(L.container(bits)))


def _shl(mods: list[str]) -> Function:
    bits = TYPE_BITS[type_of(mods)]
    return binary(lambda a, b: L.shl(fit(a, bits), b, bits))


def _shr(mods: list[str]) -> Function:
    sign, bits = INTEGER_TYPES[type_of(mods)]
    return binary(lambda a, b: (L.ashr if sign else L.lshr)(fit(a, bits), b, bits))


def _shf(mods: list[str]) -> Function:
    left, clamp = "l" in mods, "clamp" in mods

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        count = np.minimum(c, np.uint32(32)) if clamp else c & np.uint32(31)
        wide = (b.astype(np.uint64) << np.uint64(32)) | a.astype(np.uint64)
        if left:
            return ((wide << count.astype(np.uint64)) >> np.uint64(32)).astype(np.uint32)
        return (wide >> count.astype(np.uint64)).astype(np.uint32)

    return run


def _popc(mods: list[str]) -> Function:
    bits = TYPE_BITS[type_of(mods)]
    return unary(lambda a: L.popcount(fit(a, bits), bits).astype(np.uint32))


def _clz(mods: list[str]) -> Function:
    bits = TYPE_BITS[type_of(mods)]
    return unary(lambda a: L.leading_zeros(fit(a, bits), bits).astype(np.uint32))


def _brev(mods: list[str]) -> Function:
    bits = TYPE_BITS[type_of(mods)]
    return unary(lambda a: L.reverse_bits(fit(a, bits), bits))


def _bfind(mods: list[str]) -> Function:
    sign, bits = INTEGER_TYPES[type_of(mods)]
    amount = "shiftamt" in mods

    def run(a: Lanes) -> Lanes:
        a = fit(a, bits)
        if sign:
            a = np.where(L.signed(a, bits) < 0, ~a, a)
        top = np.uint32(bits - 1) - L.leading_zeros(a, bits).astype(np.uint32)
        none = a == 0
        if amount:
            top = np.uint32(bits - 1) - top
        return np.where(none, np.uint32(0xFFFFFFFF), top)

    return run


def _bfe(mods: list[str]) -> Function:
    sign, bits = INTEGER_TYPES[type_of(mods)]

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        a = fit(a, bits)
        kind = a.dtype.type
        position, length = (
            (b & b.dtype.type(0xFF)).astype(a.dtype),
            (c & c.dtype.type(0xFF)).astype(a.dtype),
        )
        whole = length >= kind(bits)
        short = L.where(whole, kind(0), length)
        mask = L.where(whole, ~kind(0), (kind(1) << short) - kind(1))
        value = L.lshr(a, position, bits) & mask
        if not sign:
            return value
        # The sign is the field's top bit, or the operand's where the field reaches beyond it.
        top = np.minimum(position + length - kind(1), kind(bits - 1))
        negative = ((L.lshr(a, top, bits) & kind(1)) != 0) & (length != 0)
        return np.where(negative, value | above(a, position, length), value)

    def above(a: Lanes, position: Lanes, length: Lanes) -> Lanes:
        kind = a.dtype.type
        available = L.where(position >= kind(bits), kind(0), kind(bits) - position)
        known = np.minimum(length, available)
        ones = np.full_like(a, ~kind(0))
        return L.where(known >= kind(bits), kind(0), L.shl(ones, known, bits))

    return run


def _bfi(mods: list[str]) -> Function:
    bits = TYPE_BITS[type_of(mods)]

    def run(a: Lanes, b: Lanes, c: Lanes, d: Lanes) -> Lanes:
        a, b = fit(a, bits), fit(b, bits)
        kind = a.dtype.type
        position, length = (
            (c & c.dtype.type(0xFF)).astype(a.dtype),
            (d & d.dtype.type(0xFF)).astype(a.dtype),
        )
        ones = L.where(
            length >= kind(bits), ~kind(0), L.shl(np.ones_like(length), length, bits) - kind(1)
        )
        mask = L.shl(ones, position, bits)
        return (b & ~mask) | (L.shl(a, position, bits) & mask)

    return run


def _szext(mods: list[str]) -> Function:
    sign = INTEGER_TYPES[type_of(mods)][0]
    wrap_ = "wrap" in mods

    def run(a: Lanes, b: Lanes) -> Lanes:
        length = b & np.uint32(31) if wrap_ else np.minimum(b, np.uint32(32))
        mask = L.shl(np.ones_like(length), length, 32) - np.uint32(1)
        value = a & mask
        if sign:
            top = (
                L.lshr(a, np.where(length == 0, np.uint32(0), length - np.uint32(1)), 32)
                & np.uint32(1)
            ) != 0
            value = np.where(top & (length != 0), value | ~mask, value)
        return value

    return run


def _bmsk(mods: list[str]) -> Function:
    wrap_ = "wrap" in mods

    def run(a: Lanes, b: Lanes) -> Lanes:
        if wrap_:
            a, b = a & np.uint32(31), b & np.uint32(31)
        ones = L.shl(np.ones_like(b), b, 32) - np.uint32(1)
        return L.shl(ones, a, 32)

    return run


def _fns(mods: list[str]) -> Function:
    def one(mask: int, base: int, offset: int) -> int:
        offset -= (offset & 0x80000000) << 1
        base &= 31
        if offset == 0:
            return base if mask >> base & 1 else 0xFFFFFFFF
        step = 1 if offset > 0 else -1
        left = abs(offset)
        at = base
        while 0 <= at < 32:
            if mask >> at & 1:
                left -= 1
                if left == 0:
                    return at
            at += step
        return 0xFFFFFFFF

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        found = [one(int(x), int(y), int(z)) for x, y, z in zip(*np.broadcast_arrays(a, b, c))]
        return np.array(found, np.uint32)

    return run


def _prmt(mods: list[str]) -> Function:
    mode = next((m for m in mods if m in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")), "")

    def selectors(c: Lanes) -> list[Lanes]:
        low = c & np.uint32(3)
        if mode == "":
            return [(c >> np.uint32(4 * i)) & np.uint32(15) for i in range(4)]
        if mode == "f4e":
            return [low + np.uint32(i) for i in range(4)]
        if mode == "b4e":
            return [(low - np.uint32(i)) & np.uint32(7) for i in range(4)]
        if mode == "rc8":
            return [low] * 4
        if mode == "ecl":
            return [np.maximum(low, np.uint32(i)) for i in range(4)]
        if mode == "ecr":
            return [np.minimum(low, np.uint32(i)) for i in range(4)]
        return [(c & np.uint32(1)) * np.uint32(2) + np.uint32(i & 1) for i in range(4)]

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        wide = a.astype(np.uint64) | (b.astype(np.uint64) << np.uint64(32))
        out: Any = np.uint32(0)
        for i, select in enumerate(selectors(c)):
            byte = (
                (wide >> (np.uint64(8) * (select & np.uint32(7)).astype(np.uint64)))
                & np.uint64(0xFF)
            ).astype(np.uint32)
            if mode == "":
                sign = np.where(byte & np.uint32(0x80), np.uint32(0xFF), np.uint32(0))
                byte = np.where(select & np.uint32(8), sign, byte)
            out = out | (byte << np.uint32(8 * i))
        return out

    return run


def _lop3(mods: list[str]) -> Function:
    def run(a: Lanes, b: Lanes, c: Lanes, table: Lanes) -> Lanes:
        number = int(table[0])
        out = np.zeros(1, np.uint32)
        for i in range(8):
            if number >> i & 1:
                x = a if i & 4 else ~a
                y = b if i & 2 else ~b
                z = c if i & 1 else ~c
                out = out | (x & y & z)
        return out

    return run


def _dp(parts: int) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        types = [m for m in mods if m in TYPE_BITS]
        sign_a, sign_b = types[0][0] == "s", types[1][0] == "s"
        high = "hi" in mods

        def piece(a: Lanes, index: int, width: int, sign: bool) -> Lanes:
            value = ((a >> np.uint32(index * width)) & np.uint32((1 << width) - 1)).astype(np.int64)
            return (
                np.where(value >= 1 << (width - 1), value - (1 << width), value) if sign else value
            )

        def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
            out = c.astype(np.int64)
            for i in range(parts):
                at = i + 2 if parts == 2 and high else i
                out = out + piece(a, i, 32 // parts, sign_a) * piece(b, at, 8, sign_b)
            return out.astype(np.uint32)

        return run

    return build


_COMPARE: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "lo": lambda x, y: x < y,
    "ls": lambda x, y: x <= y,
    "hi": lambda x, y: x > y,
    "hs": lambda x, y: x >= y,
}


def _float_compare(name: str) -> Callable[[Lanes, Lanes], Lanes]:
    if name == "num":
        return lambda x, y: (x == x) & (y == y)
    if name == "nan":
        return lambda x, y: (x != x) | (y != y)
    if name == "ne":
        # Ordered: false when an operand is a NaN.
        return lambda x, y: (x < y) | (x > y)
    if name[-1] == "u" and name[:-1] in _COMPARE:
        ordered = _float_compare(name[:-1])
        return lambda x, y: ordered(x, y) | (x != x) | (y != y)
    return _COMPARE[name]


def comparison(mods: Sequence[str], type_: str) -> Function:
    """The comparison that a `set`, `setp` or `slct` names."""
    name = next(
        m
        for m in mods
        if m in _COMPARE or m in ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
    )
    if type_ in PACKED or type_ in FLOAT_TYPES:
        fmt = PACKED.get(type_, type_)
        ftz = "ftz" in mods
        compare = _float_compare(name)

        def floats(a: Lanes, b: Lanes) -> Lanes:
            if type_ in PACKED:
                kind = F.DTYPE[fmt]
                a = np.ascontiguousarray(a).view(np.uint16).reshape(-1, 2).view(kind)
                b = np.ascontiguousarray(b).view(np.uint16).reshape(-1, 2).view(kind)
            else:
                a, b = (fit(x, F.BITS[fmt]).view(F.DTYPE[fmt]) for x in (a, b))
            if ftz:
                a, b = F.flush(a, fmt), F.flush(b, fmt)
            return compare(F.widen(a, fmt), F.widen(b, fmt))

        return floats
    if type_ == "pred":
        return _COMPARE[name]
    sign, bits = INTEGER_TYPES[type_]
    compare = _COMPARE[name]
    if name in ("lo", "ls", "hi", "hs"):
        sign = False

    def integers(a: Lanes, b: Lanes) -> Lanes:
        a, b = fit(a, bits), fit(b, bits)
        return compare(L.signed(a, bits), L.signed(b, bits)) if sign else compare(a, b)

    return integers


_BOOLEAN: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "and": lambda p, q: p & q,
    "or": lambda p, q: p | q,
    "xor": lambda p, q: p ^ q,
}


def _setp(mods: list[str]) -> Function:
    type_ = type_of(mods)
    compare = comparison(mods, type_)
    combine = next((m for m in mods if m in _BOOLEAN), None)

    def run(a: Lanes, b: Lanes, c: Lanes | None = None) -> Any:
        result = compare(a, b)
        opposite = ~result
        if type_ in PACKED:
            first, second = result[:, 0], result[:, 1]
            if combine is not None and c is not None:
                first, second = _BOOLEAN[combine](first, c), _BOOLEAN[combine](second, c)
            return first, second
        if combine is not None and c is not None:
            result, opposite = _BOOLEAN[combine](result, c), _BOOLEAN[combine](opposite, c)
        return result, opposite

    return run


def _set(mods: list[str]) -> Function:
    types = [m for m in mods if m in TYPE_BITS]
    target, source = types[0], types[-1]
    compare = comparison(mods, source)
    combine = next((m for m in mods if m in _BOOLEAN), None)
    if target in PACKED:
        one = 0x3C00 if target == "f16x2" else 0x3F80
    else:
        one = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}.get(
            target, (1 << TYPE_BITS[target]) - 1
        )

    def run(a: Lanes, b: Lanes, c: Lanes | None = None) -> Lanes:
        result = compare(a, b)
        if source in PACKED:
            if target in PACKED:
                out = np.where(result, np.uint16(one), np.uint16(0))
            else:
                out = np.where(result, np.uint16(0xFFFF), np.uint16(0))
            return np.ascontiguousarray(out).reshape(-1).view(np.uint32)
        if combine is not None and c is not None:
            result = _BOOLEAN[combine](result, c)
        kind = L.container(TYPE_BITS[target])
        return L.where(result, kind(one), kind(0))

    return run


def _selp(mods: list[str]) -> Function:
    return ternary(lambda a, b, p: L.choose(p, a, b))


def _slct(mods: list[str]) -> Function:
    types = [m for m in mods if m in TYPE_BITS]
    if types[-1] == "f32":
        ftz = "ftz" in mods

        def floats(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
            value = c.view(np.float32)
            return np.where((F.flush(value, "f32") if ftz else value) >= 0, a, b)

        return floats
    return ternary(lambda a, b, c: np.where(L.signed(c, 32) >= 0, a, b))


def _testp(mods: list[str]) -> Function:
    type_ = type_of(mods)
    kind = F.DTYPE[type_]
    tests: dict[str, Callable[[Lanes], Lanes]] = {
        "finite": np.isfinite,
        "infinite": np.isinf,
        "number": lambda x: x == x,
        "notanumber": lambda x: x != x,
        "normal": lambda x: np.isfinite(x) & (np.abs(x) >= F.MIN_NORMAL[type_]),
        "subnormal": lambda x: (x != 0) & (np.abs(x) < F.MIN_NORMAL[type_]),
    }
    test = tests[mods[0]]
    return unary(lambda a: test(a.view(kind)))


def _copysign(mods: list[str]) -> Function:
    return floating(type_of(mods), binary(lambda a, b: F.copysign(b, a, type_of(mods))))


def _rcp(mods: list[str]) -> Function:
    type_ = type_of(mods)
    mode, ftz = rounding_of(mods), "ftz" in mods
    one = F.from_integer(np.array([1], np.uint32), False, type_)
    if type_ == "f64" and "approx" in mods:
        return unary(lambda a: _high_word(F.div(one, _gross(a), "f64")))
    return floating(type_, unary(lambda a: F.div(one, a, type_, mode, ftz)))


def _gross(a: Lanes) -> Lanes:
    """`rcp.approx.ftz.f64` and its like read the upper word alone, subnormals as zeros."""
    return F.flush((a & np.uint64(0xFFFFFFFF00000000)).view(np.float64), "f64")


def _high_word(a: Lanes) -> Lanes:
    raw = F.flush(a, "f64").view(np.uint64)
    nan = a != a
    out = raw & np.uint64(0xFFFFFFFF00000000)
    return np.where(nan, np.uint64(0x7FFFFFFF00000000), out)


def _inverse_root(x: Lanes) -> Lanes:
    return 1.0 / np.sqrt(x)


def _rsqrt(mods: list[str]) -> Function:
    type_ = type_of(mods)
    ftz = "ftz" in mods
    if type_ == "f64" and ftz:
        return unary(lambda a: _high_word(1.0 / np.sqrt(_gross(a))))
    return floating(type_, unary(lambda a: F.compute(_inverse_root, type_, a, ftz=ftz)))


def _sqrt(mods: list[str]) -> Function:
    type_ = type_of(mods)
    mode, ftz = rounding_of(mods), "ftz" in mods
    return floating(type_, unary(lambda a: F.sqrt(a, type_, mode, ftz)))


def _approximate(function: Function) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        ftz = "ftz" in mods
        return lift(
            type_of(mods), lambda fmt: unary(lambda a: F.compute(function, fmt, a, ftz=ftz))
        )

    return build


def _mov(mods: list[str]) -> Function:
    return unary(lambda a: a)


_BUILDERS: dict[str, Callable[[list[str]], Function]] = {
    "abs": _abs,
    "add": _add,
    "and": _bitwise(lambda a, b: a & b),
    "bfe": _bfe,
    "bfi": _bfi,
    "bfind": _bfind,
    "bmsk": _bmsk,
    "brev": _brev,
    "clz": _clz,
    "cnot": _cnot,
    "copysign": _copysign,
    "cos": _approximate(np.cos),
    "cvt": cvt,
    "div": _div,
    "dp2a": _dp(2),
    "dp4a": _dp(4),
    "ex2": _approximate(np.exp2),
    "fma": _fma,
    "fns": _fns,
    "lg2": _approximate(np.log2),
    "lop3": _lop3,
    "mad": _mad,
    "mad24": _mad24,
    "max": _extreme(False),
    "min": _extreme(True),
    "mov": _mov,
    "mul": _mul,
    "mul24": _mul24,
    "neg": _neg,
    "not": _not,
    "or": _bitwise(lambda a, b: a | b),
    "popc": _popc,
    "prmt": _prmt,
    "rcp": _rcp,
    "rem": _rem,
    "rsqrt": _rsqrt,
    "sad": _sad,
    "selp": _selp,
    "set": _set,
    "setp": _setp,
    "shf": _shf,
    "shl": _shl,
    "shr": _shr,
    "sin": _approximate(np.sin),
    "slct": _slct,
    "sqrt": _sqrt,
    "sub": _sub,
    "szext": _szext,
    "tanh": _approximate(np.tanh),
    "testp": _testp,
    "xor": _bitwise(lambda a, b: a ^ b),
    **video.BUILDERS,
}


def carry(opcode: str) -> Function | None:
    """`add.cc`, `addc`, `mad.hi.cc` and their like: from operands and the carry to both anew.

    A borrow is kept as a carry, as the condition code register has it.
    """
    name, *mods = opcode.split(".")
    if name not in ("addc", "subc", "madc") and "cc" not in mods:
        return None
    bits = TYPE_BITS[type_of(mods)]
    reads = name in ("addc", "subc", "madc")
    kind = L.container(bits)
    mask = np.uint64((1 << bits) - 1)

    def add_with(a: Lanes, b: Lanes, c: Lanes) -> tuple[Lanes, Lanes]:
        given = c.astype(np.uint64) if reads else np.uint64(0)
        x, y = a.astype(np.uint64), b.astype(np.uint64)
        if bits < 64:
            total = x + y + given
            return (total & mask).astype(kind), (total >> np.uint64(bits)) != 0
        first = x + y
        total = first + given
        return total, (first < x) | (total < first)

    def subtract_with(a: Lanes, b: Lanes, c: Lanes) -> tuple[Lanes, Lanes]:
        given = c.astype(np.uint64) if reads else np.uint64(0)
        x, y = a.astype(np.uint64), b.astype(np.uint64)
        first = x - y
        total = first - given
        return (total & mask).astype(kind), (x < y) | (first < given)

    if name in ("add", "addc"):
        return add_with
    if name in ("sub", "subc"):
        return subtract_with
    product, _ = _product(mods)
    return with_carry(lambda a, b, c, carried: add_with(product(a, b), fit(c, bits), carried))


@cache
def pure(opcode: str) -> Function | None:
    """What an instruction computes; None if it does more than compute, or is unknown."""
    name, *mods = opcode.split(".")
    builder = _BUILDERS.get(name)
    if builder is None or "cc" in mods:
        return None
    try:
        return builder(mods)
    except (KeyError, StopIteration, AttributeError):
        return None
