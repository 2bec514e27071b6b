"""The functions of PTX instructions without side effects (PTX ISA, chapter 9.7).

`pure("fma.rn.ftz.f32")` is a function from register contents to register contents: arrays of the
bits, as unsigned integers of the register's width, predicates as `bool`. An instruction with
several results returns a tuple. Approximate instructions are computed in double precision and
rounded once, which is within the error that the PTX ISA allows for each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.numerics import lane_ops as L
from nvvm_xdsl.simulator.numerics.lane_ops import fit
from nvvm_xdsl.simulator.ptx import bits, comparisons, video
from nvvm_xdsl.simulator.ptx.conversions import cvt
from nvvm_xdsl.simulator.ptx.types import (
    BYTES,
    INTEGER_TYPES,
    PACKED,
    TYPE_BITS,
    Function,
    Lanes,
    binary,
    floating,
    has_semantics,
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


def _saturated(name: str, type_: str) -> Function:
    """`add.sat` and `sub.sat`: results clamped to the range of the type, or of each packed part."""
    kind: Any = _PARTS[type_]
    limits = np.iinfo(kind)

    def run(a: Lanes, b: Lanes) -> Lanes:
        x, y = (np.ascontiguousarray(fit(o, 32)).view(kind).astype(np.int64) for o in (a, b))
        total = x + y if name == "add" else x - y
        return np.clip(total, limits.min, limits.max).astype(kind).view(np.uint32)

    return run


_PARTS: dict[str, Any] = {
    "u8x4": np.uint8,
    "s8x4": np.int8,
    "u16x2": np.uint16,
    "s16x2": np.int16,
    "u32": np.uint32,
    "s32": np.int32,
}


def _bytes(function: Function, sign: bool) -> Function:
    """A function of four bytes at once."""
    kind: Any = np.int8 if sign else np.uint8

    def run(*operands: Lanes) -> Lanes:
        parts = [np.ascontiguousarray(fit(o, 32)).view(kind) for o in operands]
        return np.ascontiguousarray(function(*parts).astype(kind)).view(np.uint32)

    return run


def _packed_mixed(name: str, types: list[str], mods: list[str]) -> Function:
    """Packed arithmetic of mixed precision: `add.f32x2.f16x2.f32x2` widens the first operand; with
    f16x2 as first type, the result is narrowed."""
    mode, ftz = rounding_of(mods), "ftz" in mods
    function = getattr(F, name)
    narrowed = PACKED[types[0]] if types[0] != "f32x2" else None
    source = PACKED[types[1]]

    def parts(a: Lanes, element: str) -> Lanes:
        small = F.UNSIGNED[F.BITS[element]]
        return np.ascontiguousarray(a).view(small).view(F.DTYPE[element])

    def run(a: Lanes, *others: Lanes) -> Lanes:
        first = parts(a, source)
        if source != "f32":
            first = F.convert(first, source, "f32")
        out = function(first, *(parts(o, "f32") for o in others), "f32", mode, ftz)
        if narrowed is None:
            return np.ascontiguousarray(out.view(np.uint32)).view(np.uint64)
        small = F.convert(out, "f32", narrowed, mode)
        return np.ascontiguousarray(small.view(np.uint16)).view(np.uint32)

    return run


def _signed_clamp(value: Lanes) -> Lanes:
    return np.clip(value, -(1 << 31), (1 << 31) - 1).astype(np.int32).view(np.uint32)


def _add(mods: list[str]) -> Function:
    type_ = type_of(mods)
    types = [m for m in mods if m in TYPE_BITS]
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "add", mods)
    if len(types) == 3:
        return _packed_mixed("add", types, mods)
    if is_float(type_):
        return _float_binary("add")(mods)
    if "sat" in mods:
        return _saturated("add", type_)
    if type_ in BYTES:
        return _bytes(binary(lambda a, b: a + b), False)
    if type_ in ("u16x2", "s16x2"):
        return _halves(binary(lambda a, b: a + b), False)
    _, bits = INTEGER_TYPES[type_]
    return binary(lambda a, b: fit(a, bits) + fit(b, bits))


def _sub(mods: list[str]) -> Function:
    type_ = type_of(mods)
    types = [m for m in mods if m in TYPE_BITS]
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "sub", mods)
    if len(types) == 3:
        return _packed_mixed("sub", types, mods)
    if is_float(type_):
        return _float_binary("sub")(mods)
    if "sat" in mods:
        return _saturated("sub", type_)
    if type_ in BYTES:
        return _bytes(binary(lambda a, b: a - b), False)
    _, bits = INTEGER_TYPES[type_]
    return binary(lambda a, b: fit(a, bits) - fit(b, bits))


def _mixed(source: str, name: str, mods: list[str]) -> Function:
    """Arithmetic of mixed precision such as `add.f32.f16`: widens the first operand to f32."""
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
    types = [m for m in mods if m in TYPE_BITS]
    if len(types) == 3:
        if "rz" not in mods:
            raise KeyError("the rounding of a product of f16x2 and bf16x2 is not documented")
        return _packed_mixed("mul", types, mods)
    if is_float(type_of(mods)):
        return _float_binary("mul")(mods)
    return _product(mods)[0]


def _fma(mods: list[str]) -> Function:
    types = [m for m in mods if m in TYPE_BITS]
    mode, ftz, sat, relu = rounding_of(mods), "ftz" in mods, "sat" in mods, "relu" in mods
    if len(types) == 2 and types[0] == "f32":
        return _mixed(types[1], "fma", mods)
    if len(types) == 4:
        return _packed_mixed("fma", types, mods)
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
    if "sat" in mods:
        add = _saturated("add", "s32")
        return ternary(lambda a, b, c: add(product(a, b), c))
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
        # The result of div.approx is zero (or NaN) for divisors of at least 2**126 (PTX ISA).
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
    if type_ in BYTES:
        return _bytes(unary(lambda a: np.int8(0) - a), True)
    _, bits = INTEGER_TYPES[type_]
    return unary(lambda a: L.wrap(fit(a, bits).dtype.type(0) - fit(a, bits), bits))


def _positive(a: Lanes) -> Lanes:
    return np.maximum(a, 0)


def _extreme(smaller: bool) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        type_ = type_of(mods)
        if is_float(type_):
            ftz, nan, xorsign = "ftz" in mods, "NaN" in mods, "xorsign" in mods
            magnitudes = "abs" in mods and not xorsign
            function = F.minimum if smaller else F.maximum

            def choose(fmt: str) -> Function:
                def run(*operands: Lanes) -> Lanes:
                    if magnitudes:
                        operands = tuple([F.absolute(o, fmt) for o in operands])
                    a, b, *more = operands
                    out = function(a, b, fmt, ftz, nan, xorsign)
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
        if type_ in BYTES:
            chosen = _bytes(np.minimum if smaller else np.maximum, BYTES[type_])
            if "relu" in mods:
                return binary(lambda a, b: _bytes(unary(_positive), True)(chosen(a, b)))
            return chosen
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

    return build


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
    """The operand of instructions such as `rcp.approx.ftz.f64`: only the upper word, with
    subnormals flushed to zero."""
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


def _angle(function: Function) -> Callable[[list[str]], Function]:
    """`sin` and `cos` of an angle in radians, or in turns with `.2pi`."""

    def of_turns(a: Lanes) -> Lanes:
        # Whole turns change nothing, and the remainder is exact.
        return function(np.fmod(a, 1.0) * (2 * np.pi))

    def build(mods: list[str]) -> Function:
        return _approximate(of_turns if "2pi" in mods else function)(mods)

    return build


def _clmad(mods: list[str]) -> Function:
    """`clmad`: half of a product without carries, added without carries (PTX ISA 9.5; LLVM's `llvm.clmul`)."""
    high = mods[0] == "hi"

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        out = c.astype(np.uint64)
        for bit in range(64):
            part = (b >> np.uint64(bit)) & np.uint64(1)
            if high:
                shifted = a >> np.uint64(64 - bit) if bit else np.uint64(0)
            else:
                shifted = a << np.uint64(bit)
            out = out ^ (shifted * part)
        return out

    return ternary(run)


def _mov(mods: list[str]) -> Function:
    return unary(lambda a: a)


_BUILDERS: dict[str, Callable[[list[str]], Function]] = {
    "abs": _abs,
    "add": _add,
    "copysign": _copysign,
    "clmad": _clmad,
    "cos": _angle(np.cos),
    "cvt": cvt,
    "div": _div,
    "dp2a": _dp(2),
    "dp4a": _dp(4),
    "ex2": _approximate(np.exp2),
    "fma": _fma,
    "lg2": _approximate(np.log2),
    "mad": _mad,
    "mad24": _mad24,
    "max": _extreme(False),
    "min": _extreme(True),
    "mov": _mov,
    "mul": _mul,
    "mul24": _mul24,
    "neg": _neg,
    "rcp": _rcp,
    "rem": _rem,
    "rsqrt": _rsqrt,
    "sad": _sad,
    "sin": _angle(np.sin),
    "sqrt": _sqrt,
    "sub": _sub,
    "tanh": _approximate(np.tanh),
    **bits.BUILDERS,
    **comparisons.BUILDERS,
    **video.BUILDERS,
}


def carry(opcode: str) -> Function | None:
    """`add.cc`, `addc`, `mad.hi.cc` and similar: from operands and the carry flag to the result and
    the new carry flag.

    A subtraction adds the complement and a carry, as machine code does: its carry is 1 if there is
        no borrow. This is observable only in mixed sequences such as `sub.cc`, `addc 0, 0`.
    """
    name, *mods = opcode.split(".")
    if name not in ("addc", "subc", "madc") and "cc" not in mods:
        return None
    bits = TYPE_BITS[type_of(mods)]
    reads = name in ("addc", "subc", "madc")
    kind = L.container(bits)
    mask = np.uint64((1 << bits) - 1)

    def sum_of(x: Lanes, y: Lanes, given: Any) -> tuple[Lanes, Lanes]:
        if bits < 64:
            total = x + y + given
            return (total & mask).astype(kind), (total >> np.uint64(bits)) != 0
        first = x + y
        total = first + given
        return total, (first < x) | (total < first)

    def add_with(a: Lanes, b: Lanes, c: Lanes) -> tuple[Lanes, Lanes]:
        given = c.astype(np.uint64) if reads else np.uint64(0)
        return sum_of(a.astype(np.uint64), b.astype(np.uint64), given)

    def subtract_with(a: Lanes, b: Lanes, c: Lanes) -> tuple[Lanes, Lanes]:
        given = c.astype(np.uint64) if reads else np.uint64(1)
        return sum_of(a.astype(np.uint64), ~b.astype(np.uint64) & mask, given)

    if name in ("add", "addc"):
        return add_with
    if name in ("sub", "subc"):
        return subtract_with
    product, _ = _product(mods)
    return with_carry(lambda a, b, c, carried: add_with(product(a, b), fit(c, bits), carried))


@cache
def pure(opcode: str) -> Function | None:
    """The function of an instruction; None if it has side effects or is unknown."""
    name, *mods = opcode.split(".")
    builder = _BUILDERS.get(name)
    if builder is None or "cc" in mods or not has_semantics(opcode):
        return None
    try:
        return builder(mods)
    except (KeyError, StopIteration, AttributeError):
        return None
