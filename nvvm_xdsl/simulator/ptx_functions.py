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

Lanes = np.ndarray[Any, Any]
Function = Callable[..., Any]

ROUNDINGS = frozenset({"rn", "rz", "rm", "rp", "rna"})
INTEGRAL = frozenset({"rni", "rzi", "rmi", "rpi"})

_INTEGER_TYPES = {f"{k}{n}": (k == "s", n) for k in "sub" for n in (8, 16, 32, 64)}
_FLOAT_TYPES = {"f16", "bf16", "f32", "f64"}
_PACKED = {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32"}

TYPE_BITS = {
    **{name: bits for name, (_, bits) in _INTEGER_TYPES.items()},
    "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f16x2": 32, "bf16x2": 32, "f32x2": 64, "tf32": 32,
    "u16x2": 32, "s16x2": 32, "b128": 128, "e4m3x2": 16, "e5m2x2": 16, "ue8m0x2": 16, "pred": 1,
    "e2m3x2": 16, "e3m2x2": 16, "e2m1x2": 8,
}  # fmt: skip


def fit(a: Lanes, bits: int) -> Lanes:
    """A register's contents as the unsigned integer of an instruction's type, cut where wider."""
    if a.dtype == np.bool_:
        a = a.view(np.uint8)
    want = L.container(bits)
    return (
        a
        if a.dtype == want
        else L.resize(a, a.dtype.itemsize * 8 if a.dtype != object else 128, bits, False)
    )


def _floating(fmt: str, function: Function) -> Function:
    """A function on floats as one on bits."""
    kind, raw = F.DTYPE[fmt], F.UNSIGNED[F.BITS[fmt]]

    def run(*operands: Lanes) -> Lanes:
        return function(*(fit(o, F.BITS[fmt]).view(kind) for o in operands)).view(raw)

    return run


def _packed(element: str, function: Function) -> Function:
    """A function on floats, applied to both halves of registers."""
    kind, small = F.DTYPE[element], F.UNSIGNED[F.BITS[element]]
    large = F.UNSIGNED[2 * F.BITS[element]]

    def run(*operands: Lanes) -> Lanes:
        halves = [np.ascontiguousarray(o).view(small).reshape(-1, 2).view(kind) for o in operands]
        out = np.ascontiguousarray(function(*halves)).view(small)
        return out.reshape(-1).view(large)

    return run


def lift(type_: str, function: Callable[[str], Function]) -> Function:
    """`function(format)` as a function on the bits of a scalar or packed type."""
    if type_ in _PACKED:
        return _packed(_PACKED[type_], function(_PACKED[type_]))
    return _floating(type_, function(type_))


def _rounding(mods: Sequence[str]) -> str:
    return next((m for m in mods if m in ROUNDINGS), "rn")


def _type(mods: Sequence[str]) -> str:
    for m in reversed(mods):
        if m in TYPE_BITS:
            return m
    raise KeyError("no type")


def _is_float(type_: str) -> bool:
    return type_ in _FLOAT_TYPES or type_ in _PACKED


def _float_binary(name: str) -> Callable[[list[str]], Function]:
    function = getattr(F, name)

    def build(mods: list[str]) -> Function:
        mode, ftz, sat = _rounding(mods), "ftz" in mods, "sat" in mods
        return lift(_type(mods), lambda fmt: lambda a, b: function(a, b, fmt, mode, ftz, sat))

    return build


def _signed_clamp(value: Lanes) -> Lanes:
    return np.clip(value, -(1 << 31), (1 << 31) - 1).astype(np.int32).view(np.uint32)


def _add(mods: list[str]) -> Function:
    type_ = _type(mods)
    types = [m for m in mods if m in TYPE_BITS]
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "add", mods)
    if _is_float(type_):
        return _float_binary("add")(mods)
    if type_ in ("u16x2", "s16x2"):
        return _halves(lambda a, b: a + b, False)
    if "sat" in mods:
        return lambda a, b: _signed_clamp(L.signed(a, 32).astype(np.int64) + L.signed(b, 32))
    _, bits = _INTEGER_TYPES[type_]
    return lambda a, b: fit(a, bits) + fit(b, bits)


def _sub(mods: list[str]) -> Function:
    type_ = _type(mods)
    types = [m for m in mods if m in TYPE_BITS]
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "sub", mods)
    if _is_float(type_):
        return _float_binary("sub")(mods)
    if "sat" in mods:
        return lambda a, b: _signed_clamp(L.signed(a, 32).astype(np.int64) - L.signed(b, 32))
    _, bits = _INTEGER_TYPES[type_]
    return lambda a, b: fit(a, bits) - fit(b, bits)


def _mixed(source: str, name: str, mods: list[str]) -> Function:
    """`add.f32.f16` and its like: the first operand widened, then f32 arithmetic."""
    mode, ftz, sat = _rounding(mods), "ftz" in mods, "sat" in mods
    function = getattr(F, name)

    def widen(a: Lanes) -> Lanes:
        return F.convert(fit(a, 16).view(F.DTYPE[source]), source, "f32")

    if name == "fma":
        return lambda a, b, c: F.fma(
            widen(a), widen(b), c.view(np.float32), "f32", mode, ftz, sat
        ).view(np.uint32)
    return lambda a, c: function(widen(a), c.view(np.float32), "f32", mode, ftz, sat).view(
        np.uint32
    )


def _halves(function: Function, sign: bool) -> Function:
    kind: Any = np.int16 if sign else np.uint16

    def run(*operands: Lanes) -> Lanes:
        parts = [np.ascontiguousarray(o).view(kind).reshape(-1, 2) for o in operands]
        return np.ascontiguousarray(function(*parts).astype(kind)).reshape(-1).view(np.uint32)

    return run


def _product(mods: list[str]) -> tuple[Function, int]:
    """An integer product and the width of the result."""
    sign, bits = _INTEGER_TYPES[_type(mods)]
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
        return lambda a, b: L.multiply_high(fit(a, bits), fit(b, bits), bits, sign), bits
    return lambda a, b: fit(a, bits) * fit(b, bits), bits


def _mul(mods: list[str]) -> Function:
    if _is_float(_type(mods)):
        return _float_binary("mul")(mods)
    return _product(mods)[0]


def _fma(mods: list[str]) -> Function:
    types = [m for m in mods if m in TYPE_BITS]
    mode, ftz, sat, relu = _rounding(mods), "ftz" in mods, "sat" in mods, "relu" in mods
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "fma", mods)
    return lift(types[-1], lambda fmt: lambda a, b, c: F.fma(a, b, c, fmt, mode, ftz, sat, relu))


def _mad(mods: list[str]) -> Function:
    if _is_float(_type(mods)):
        return _fma(mods)
    product, bits = _product(mods)
    if "sat" in mods:
        return lambda a, b, c: _signed_clamp(
            L.signed(product(a, b), 32).astype(np.int64) + L.signed(c, 32)
        )
    return lambda a, b, c: L.wrap(product(a, b) + fit(c, bits), bits)


def _signed24(a: Lanes, sign: bool) -> Lanes:
    low = (a & np.uint32(0xFFFFFF)).astype(np.int64)
    return np.where(low >= 1 << 23, low - (1 << 24), low) if sign else low


def _mul24(mods: list[str]) -> Function:
    sign = _INTEGER_TYPES[_type(mods)][0]
    shift = 16 if "hi" in mods else 0
    return lambda a, b: ((_signed24(a, sign) * _signed24(b, sign)) >> shift).astype(np.uint32)


def _mad24(mods: list[str]) -> Function:
    product = _mul24(mods)
    return lambda a, b, c: product(a, b) + c


def _sad(mods: list[str]) -> Function:
    sign, bits = _INTEGER_TYPES[_type(mods)]

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        x, y = (L.signed(a, bits), L.signed(b, bits)) if sign else (a, b)
        return c + np.where(x < y, b - a, a - b)

    return run


def _div(mods: list[str]) -> Function:
    type_ = _type(mods)
    if _is_float(type_):
        mode, ftz = _rounding(mods), "ftz" in mods
        # Of div.approx the PTX ISA says that a divisor of 2**126 and more gives zero (or NaN).
        if "approx" in mods:
            return _floating(type_, lambda a, b: _div_approx(a, b, ftz))
        return _floating(type_, lambda a, b: F.div(a, b, type_, mode, ftz))
    sign, bits = _INTEGER_TYPES[type_]
    return lambda a, b: (L.sdiv if sign else L.udiv)(fit(a, bits), fit(b, bits), bits)


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
    sign, bits = _INTEGER_TYPES[_type(mods)]
    return lambda a, b: (L.srem if sign else L.urem)(fit(a, bits), fit(b, bits), bits)


def _abs(mods: list[str]) -> Function:
    type_ = _type(mods)
    ftz = "ftz" in mods
    if _is_float(type_):
        return lift(type_, lambda fmt: lambda a: F.absolute(F.flush(a, fmt) if ftz else a, fmt))
    _, bits = _INTEGER_TYPES[type_]
    return lambda a: L.absolute(fit(a, bits), bits)


def _neg(mods: list[str]) -> Function:
    type_ = _type(mods)
    ftz = "ftz" in mods
    if _is_float(type_):
        return lift(type_, lambda fmt: lambda a: F.negate(F.flush(a, fmt) if ftz else a, fmt))
    _, bits = _INTEGER_TYPES[type_]
    return lambda a: L.wrap(fit(a, bits).dtype.type(0) - fit(a, bits), bits)


def _extreme(smaller: bool) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        type_ = _type(mods)
        if _is_float(type_):
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
                return lambda a, b: _halves(lambda x: np.maximum(x, 0), True)(inner(a, b))
            return inner
        sign, bits = _INTEGER_TYPES[type_]
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
        type_ = _type(mods)
        if type_ == "pred":
            return function
        bits = TYPE_BITS[type_]
        return lambda a, b: function(fit(a, bits), fit(b, bits))

    return build


def _not(mods: list[str]) -> Function:
    type_ = _type(mods)
    if type_ == "pred":
        return lambda a: ~a
    bits = TYPE_BITS[type_]
    return lambda a: ~fit(a, bits)


def _cnot(mods: list[str]) -> Function:
    bits = TYPE_BITS[_type(mods)]
    return lambda a: (fit(a, bits) == 0).astype(L.container(bits))


def _shl(mods: list[str]) -> Function:
    bits = TYPE_BITS[_type(mods)]
    return lambda a, b: L.shl(fit(a, bits), b, bits)


def _shr(mods: list[str]) -> Function:
    sign, bits = _INTEGER_TYPES[_type(mods)]
    return lambda a, b: (L.ashr if sign else L.lshr)(fit(a, bits), b, bits)


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
    bits = TYPE_BITS[_type(mods)]
    return lambda a: L.popcount(fit(a, bits), bits).astype(np.uint32)


def _clz(mods: list[str]) -> Function:
    bits = TYPE_BITS[_type(mods)]
    return lambda a: L.leading_zeros(fit(a, bits), bits).astype(np.uint32)


def _brev(mods: list[str]) -> Function:
    bits = TYPE_BITS[_type(mods)]
    return lambda a: L.reverse_bits(fit(a, bits), bits)


def _bfind(mods: list[str]) -> Function:
    sign, bits = _INTEGER_TYPES[_type(mods)]
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
    sign, bits = _INTEGER_TYPES[_type(mods)]

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        a = fit(a, bits)
        kind = a.dtype.type
        position, length = (
            (b & b.dtype.type(0xFF)).astype(a.dtype),
            (c & c.dtype.type(0xFF)).astype(a.dtype),
        )
        whole = length >= kind(bits)
        mask = np.where(whole, ~kind(0), (kind(1) << np.where(whole, kind(0), length)) - kind(1))
        value = L.lshr(a, position, bits) & mask
        if not sign:
            return value
        # The sign is the field's top bit, or the operand's where the field reaches beyond it.
        top = np.minimum(position + length - kind(1), kind(bits - 1))
        negative = ((L.lshr(a, top, bits) & kind(1)) != 0) & (length != 0)
        return np.where(negative, value | _above(a, position, length, mask, bits), value)

    def _above(a: Lanes, position: Lanes, length: Lanes, mask: Lanes, bits: int) -> Lanes:
        kind = a.dtype.type
        available = np.where(position >= kind(bits), kind(0), kind(bits) - position)
        known = np.minimum(length, available)
        return np.where(known >= kind(bits), kind(0), L.shl(np.full_like(a, ~kind(0)), known, bits))

    return run


def _bfi(mods: list[str]) -> Function:
    bits = TYPE_BITS[_type(mods)]

    def run(a: Lanes, b: Lanes, c: Lanes, d: Lanes) -> Lanes:
        a, b = fit(a, bits), fit(b, bits)
        kind = a.dtype.type
        position, length = (
            (c & c.dtype.type(0xFF)).astype(a.dtype),
            (d & d.dtype.type(0xFF)).astype(a.dtype),
        )
        ones = np.where(
            length >= kind(bits), ~kind(0), L.shl(np.ones_like(length), length, bits) - kind(1)
        )
        mask = L.shl(ones, position, bits)
        return (b & ~mask) | (L.shl(a, position, bits) & mask)

    return run


def _szext(mods: list[str]) -> Function:
    sign = _INTEGER_TYPES[_type(mods)][0]
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
        out: Any = np.uint32(0)
        for i in range(8):
            if number >> i & 1:
                x = a if i & 4 else ~a
                y = b if i & 2 else ~b
                z = c if i & 1 else ~c
                out = out | (x & y & z)
        return out if isinstance(out, np.ndarray) else np.zeros_like(a)

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
    if type_ in _PACKED or type_ in _FLOAT_TYPES:
        fmt = _PACKED.get(type_, type_)
        ftz = "ftz" in mods
        compare = _float_compare(name)

        def floats(a: Lanes, b: Lanes) -> Lanes:
            if type_ in _PACKED:
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
    sign, bits = _INTEGER_TYPES[type_]
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
    type_ = _type(mods)
    compare = comparison(mods, type_)
    combine = next((m for m in mods if m in _BOOLEAN), None)

    def run(a: Lanes, b: Lanes, c: Lanes | None = None) -> Any:
        result = compare(a, b)
        opposite = ~result
        if type_ in _PACKED:
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
    if target in _PACKED:
        one = 0x3C00 if target == "f16x2" else 0x3F80
    else:
        one = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}.get(
            target, (1 << TYPE_BITS[target]) - 1
        )

    def run(a: Lanes, b: Lanes, c: Lanes | None = None) -> Lanes:
        result = compare(a, b)
        if source in _PACKED:
            if target in _PACKED:
                out = np.where(result, np.uint16(one), np.uint16(0))
            else:
                out = np.where(result, np.uint16(0xFFFF), np.uint16(0))
            return np.ascontiguousarray(out).reshape(-1).view(np.uint32)
        if combine is not None and c is not None:
            result = _BOOLEAN[combine](result, c)
        kind = L.container(TYPE_BITS[target])
        return np.where(result, kind(one), kind(0))

    return run


def _selp(mods: list[str]) -> Function:
    return lambda a, b, p: L.choose(p, a, b)


def _slct(mods: list[str]) -> Function:
    types = [m for m in mods if m in TYPE_BITS]
    if types[-1] == "f32":
        ftz = "ftz" in mods

        def floats(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
            value = c.view(np.float32)
            return np.where((F.flush(value, "f32") if ftz else value) >= 0, a, b)

        return floats
    return lambda a, b, c: np.where(L.signed(c, 32) >= 0, a, b)


def _testp(mods: list[str]) -> Function:
    type_ = _type(mods)
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
    return lambda a: test(a.view(kind))


def _copysign(mods: list[str]) -> Function:
    return _floating(_type(mods), lambda a, b: F.copysign(b, a, _type(mods)))


def _rcp(mods: list[str]) -> Function:
    type_ = _type(mods)
    mode, ftz = _rounding(mods), "ftz" in mods
    one = F.from_integer(np.array([1], np.uint32), False, type_)
    if type_ == "f64" and "approx" in mods:
        return lambda a: _high_word(F.div(one, _gross(a), "f64"))
    return _floating(type_, lambda a: F.div(one, a, type_, mode, ftz))


def _gross(a: Lanes) -> Lanes:
    """`rcp.approx.ftz.f64` and its like read the upper word alone, subnormals as zeros."""
    return F.flush((a & np.uint64(0xFFFFFFFF00000000)).view(np.float64), "f64")


def _high_word(a: Lanes) -> Lanes:
    raw = F.flush(a, "f64").view(np.uint64)
    nan = a != a
    out = raw & np.uint64(0xFFFFFFFF00000000)
    return np.where(nan, np.uint64(0x7FFFFFFF00000000), out)


def _rsqrt(mods: list[str]) -> Function:
    type_ = _type(mods)
    ftz = "ftz" in mods
    if type_ == "f64" and ftz:
        return lambda a: _high_word(1.0 / np.sqrt(_gross(a)))
    return _floating(type_, lambda a: F.compute(lambda x: 1.0 / np.sqrt(x), type_, a, ftz=ftz))


def _sqrt(mods: list[str]) -> Function:
    type_ = _type(mods)
    mode, ftz = _rounding(mods), "ftz" in mods
    return _floating(type_, lambda a: F.sqrt(a, type_, mode, ftz))


def _approximate(function: Function) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        ftz = "ftz" in mods
        return lift(_type(mods), lambda fmt: lambda a: F.compute(function, fmt, a, ftz=ftz))

    return build


def _cvt(mods: list[str]) -> Function:
    types = [m for m in mods if m in TYPE_BITS]
    target, source = types[0], types[-1]
    ftz, sat, relu = "ftz" in mods, "sat" in mods, "relu" in mods
    mode = _rounding(mods)
    integral = next((m for m in mods if m in INTEGRAL), None)
    finite = "satfinite" in mods
    if target in _SMALL or source in _SMALL:
        return _cvt_small(target, source, mods)
    if target in ("f16x2", "bf16x2"):
        element = _PACKED[target]

        def pack(a: Lanes, b: Lanes) -> Lanes:
            high, low = (
                _convert_float(
                    x.view(np.float32), "f32", element, mode, False, False, relu, finite
                ).view(np.uint16)
                for x in (a, b)
            )
            return (high.astype(np.uint32) << np.uint32(16)) | low.astype(np.uint32)

        return pack
    if target == "tf32":
        return lambda a: _to_tf32(a, mode, relu, finite)
    if _is_float(source) and _is_float(target):
        if integral is not None:

            def whole(a: Lanes) -> Lanes:
                value = F.round_integral(a, source, integral, ftz)
                return F.convert(value, source, target, "rn", ftz, sat)

            return _between(source, target, whole)
        return _between(
            source,
            target,
            lambda a: _convert_float(a, source, target, mode, ftz, sat, relu, finite),
        )
    if _is_float(source):
        sign, bits = _INTEGER_TYPES[target]
        kind = F.DTYPE[source]
        return lambda a: F.to_integer(
            fit(a, F.BITS[source]).view(kind), source, bits, sign, integral or "rzi", ftz
        )
    if _is_float(target):
        sign, bits = _INTEGER_TYPES[source]
        raw = F.UNSIGNED[F.BITS[target]]

        def from_integer(a: Lanes) -> Lanes:
            out = F.from_integer(fit(a, bits), sign, target, mode)
            return (F.saturate(out, target) if sat else out).view(raw)

        return from_integer
    sign_t, bits_t = _INTEGER_TYPES[target]
    sign_s, bits_s = _INTEGER_TYPES[source]

    def integers(a: Lanes) -> Lanes:
        value = fit(a, bits_s)
        if sat:
            wide = L.signed(value, bits_s).astype(object) if sign_s else value.astype(object)
            low, high = (
                (-(1 << (bits_t - 1)), (1 << (bits_t - 1)) - 1)
                if sign_t
                else (0, (1 << bits_t) - 1)
            )
            clamped = [min(max(int(v), low), high) & ((1 << bits_t) - 1) for v in wide]
            return np.array(clamped, L.container(bits_t))
        return L.resize(value, bits_s, bits_t, sign_s)

    return integers


def _between(source: str, target: str, function: Function) -> Function:
    return lambda a: function(fit(a, F.BITS[source]).view(F.DTYPE[source])).view(
        F.UNSIGNED[F.BITS[target]]
    )


def _convert_float(
    a: Lanes, source: str, target: str, mode: str, ftz: bool, sat: bool, relu: bool, finite: bool
) -> Lanes:
    out = F.convert(a, source, target, mode, ftz, sat)
    if finite:
        top = F.from_bits(np.array([{"f16": 0x7BFF, "bf16": 0x7F7F}[target]], np.uint16), target)
        infinite = (F.bits(out, target) & np.uint16(0x7FFF)) == (
            np.uint16(0x7C00) if target == "f16" else np.uint16(0x7F80)
        )
        out = np.where(infinite, F.copysign(np.broadcast_to(top, out.shape), out, target), out)
    return F.relu(out, target) if relu else out


def _to_tf32(a: Lanes, mode: str, relu: bool, finite: bool) -> Lanes:
    nan = a.view(np.float32) != a.view(np.float32)
    low = np.uint32(0x1FFF)
    if mode == "rz":
        out = a & ~low
    elif mode == "rna":
        out = (a + np.uint32(0x1000)) & ~low
    else:
        out = (a + np.uint32(0xFFF) + ((a >> np.uint32(13)) & np.uint32(1))) & ~low
    infinite = (a & np.uint32(0x7FFFFFFF)) == np.uint32(0x7F800000)
    out = np.where(infinite, a, out)
    if finite:
        over = (out & np.uint32(0x7FFFFFFF)) == np.uint32(0x7F800000)
        out = np.where(over, (out & np.uint32(0x80000000)) | np.uint32(0x7F7FE000), out)
    if relu:
        out = np.where((out & np.uint32(0x80000000)) != 0, np.uint32(0), out)
    return np.where(nan, np.uint32(0x7FFFFFFF), out)


_SMALL = {
    "e4m3x2": (4, 3), "e5m2x2": (5, 2), "e2m3x2": (2, 3), "e3m2x2": (3, 2), "e2m1x2": (2, 1), "ue8m0x2": (8, 0),
}  # fmt: skip


def _cvt_small(target: str, source: str, mods: Sequence[str]) -> Function:
    relu = "relu" in mods
    mode = _rounding(mods)
    if target in _SMALL:
        exponent, mantissa = _SMALL[target]

        def encode(x: Lanes) -> Lanes:
            if relu:
                x = np.where(x < 0, 0.0, x)
            if target == "ue8m0x2":
                return _to_ue8m0(x, mode)
            return F.narrow_float(x, exponent, mantissa, target not in ("e5m2x2",), mode)

        def join(high: Lanes, low: Lanes) -> Lanes:
            if target == "e2m1x2":
                return (high << np.uint8(4)) | low
            return (high.astype(np.uint16) << np.uint16(8)) | low.astype(np.uint16)

        if source == "f32":
            return lambda a, b: join(
                encode(F.widen(a.view(np.float32), "f32")),
                encode(F.widen(b.view(np.float32), "f32")),
            )
        fmt = _PACKED[source]
        kind = F.DTYPE[fmt]

        def from_pair(a: Lanes) -> Lanes:
            parts = np.ascontiguousarray(a).view(np.uint16).reshape(-1, 2).view(kind)
            return join(encode(F.widen(parts[:, 1], fmt)), encode(F.widen(parts[:, 0], fmt)))

        return from_pair
    exponent, mantissa = _SMALL[source]
    fmt = _PACKED[target]

    def decode(a: Lanes) -> Lanes:
        a = fit(a, 16)
        if source == "e2m1x2":
            codes = (a >> np.uint16(4)) & np.uint16(15), a & np.uint16(15)
        else:
            codes = a >> np.uint16(8), a & np.uint16(0xFF)
        out: Any = np.uint32(0)
        for shift, code in zip((16, 0), codes):
            value = (
                np.exp2(code.astype(np.float64) - 127.0)
                if source == "ue8m0x2"
                else F.small_float(code, exponent, mantissa)
            )
            if source == "ue8m0x2":
                value = np.where(code == 255, np.nan, value)
            part = F.round_to(value, fmt)
            if relu:
                part = F.relu(part, fmt)
            out = out | (part.view(np.uint16).astype(np.uint32) << np.uint32(shift))
        return out

    return decode


def _to_ue8m0(x: Lanes, mode: str) -> Lanes:
    mantissa, exponent = np.frexp(np.abs(x))
    power = exponent - 1
    if mode == "rp":
        power = np.where(mantissa > 0.5, power + 1, power)
    code = np.clip(power + 127, 0, 254)
    code = np.where(x == 0, 0, code)
    return np.where((x != x), 255, np.where(np.isinf(x), 254, code)).astype(np.uint8)


def _mov(mods: list[str]) -> Function:
    return lambda a: a


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
    "cvt": _cvt,
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
}


def carry(opcode: str) -> Function | None:
    """`add.cc`, `addc`, `mad.hi.cc` and their like: from operands and the carry to both anew.

    A borrow is kept as a carry, as the condition code register has it.
    """
    name, *mods = opcode.split(".")
    if name not in ("addc", "subc", "madc") and "cc" not in mods:
        return None
    bits = TYPE_BITS[_type(mods)]
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
    return lambda a, b, c, carried: add_with(product(a, b), fit(c, bits), carried)


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
