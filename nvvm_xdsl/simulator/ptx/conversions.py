"""`cvt`: conversions between integers, floats and the small formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.numerics import lane_ops as L
from nvvm_xdsl.simulator.numerics.lane_ops import fit
from nvvm_xdsl.simulator.ptx.types import (
    INTEGER_TYPES,
    INTEGRAL,
    PACKED,
    TYPE_BITS,
    Function,
    Lanes,
    binary,
    is_float,
    rounding_of,
    unary,
)


def _cvt_pack(mods: Sequence[str]) -> Function:
    """`cvt.pack`: two saturated integers below the bits of a third register (9.7.9.22)."""
    signed, bits = mods[2][0] == "s", int(mods[2][1:])
    lowest = -(1 << bits - 1) if signed else 0
    highest = (1 << bits - signed) - 1

    def saturated(a: Lanes) -> Lanes:
        whole = fit(a, 32).view(np.int32).astype(np.int64)
        return np.clip(whole, lowest, highest).astype(np.uint32) & np.uint32((1 << bits) - 1)

    def pack(a: Lanes, b: Lanes, c: Lanes | None = None) -> Lanes:
        low = saturated(a) << np.uint32(bits) | saturated(b)
        return low if c is None else fit(c, 32) << np.uint32(2 * bits) | low

    return pack


def cvt(mods: list[str]) -> Function:
    """`cvt` with these modifiers (PTX ISA 9.7.9.21)."""
    if mods[0] == "pack":
        return _cvt_pack(mods)
    types = [m for m in mods if m in TYPE_BITS]
    target, source = types[0], types[-1]
    if "pzo" in mods:
        return _positive_zeros(cvt([m for m in mods if m != "pzo"]), target)
    ftz, sat, relu = "ftz" in mods, "sat" in mods, "relu" in mods
    mode = rounding_of(mods)
    integral = next((m for m in mods if m in INTEGRAL), None)
    finite = "satfinite" in mods
    if target in _SMALL or source in _SMALL:
        return _small_formats(target, source, mods)
    if target in ("f16x2", "bf16x2"):
        element = PACKED[target]

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
        return unary(lambda a: _to_tf32(a, mode, relu, finite))
    if is_float(source) and is_float(target):
        if integral is not None:

            def whole(a: Lanes) -> Lanes:
                value = F.round_integral(a, source, integral, ftz)
                return F.convert(value, source, target, "rn", ftz, sat)

            return _between(source, target, whole)
        return _between(
            source,
            target,
            unary(lambda a: _convert_float(a, source, target, mode, ftz, sat, relu, finite)),
        )
    if is_float(source):
        sign, bits = INTEGER_TYPES[target]
        kind = F.DTYPE[source]
        return unary(
            lambda a: F.to_integer(
                fit(a, F.BITS[source]).view(kind), source, bits, sign, integral or "rzi", ftz
            )
        )
    if is_float(target):
        sign, bits = INTEGER_TYPES[source]
        raw = F.UNSIGNED[F.BITS[target]]

        def from_integer(a: Lanes) -> Lanes:
            out = F.from_integer(fit(a, bits), sign, target, mode)
            return (F.saturate(out, target) if sat else out).view(raw)

        return from_integer
    sign_t, bits_t = INTEGER_TYPES[target]
    sign_s, bits_s = INTEGER_TYPES[source]

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


_SIGNS = {
    "f16": (16, 15), "bf16": (16, 15), "f16x2": (16, 15), "bf16x2": (16, 15), "tf32": (32, 31),
    "e4m3x2": (8, 7), "e5m2x2": (8, 7), "e2m3x2": (8, 5), "e3m2x2": (8, 5), "e2m1x2": (4, 3),
}  # fmt: skip
"""For each result of `.pzo` the distance of elements, and the place of the sign in an element."""


def _positive_zeros(function: Function, target: str) -> Function:
    """`.pzo`: results that are -0 become +0 (PTX ISA 9.4, "cvt")."""
    width, sign = _SIGNS[target]
    element, negative_zero = np.uint32((1 << width) - 1), np.uint32(1 << sign)

    def run(*operands: Lanes) -> Lanes:
        found = function(*operands)
        bits: Lanes = found.astype(np.uint32)
        for shift in range(0, 8 * found.itemsize, width):
            place = np.uint32(shift)
            is_zero: Lanes = (bits >> place) & element == negative_zero
            bits ^= is_zero.astype(np.uint32) << np.uint32(shift + sign)
        return bits.astype(found.dtype)

    return run


def _between(source: str, target: str, function: Function) -> Function:
    return unary(
        lambda a: function(fit(a, F.BITS[source]).view(F.DTYPE[source])).view(
            F.UNSIGNED[F.BITS[target]]
        )
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


_LARGEST_BF16 = float.fromhex("0x1.fep127")

_SMALL = {
    "e4m3x2": (4, 3), "e5m2x2": (5, 2), "e2m3x2": (2, 3), "e3m2x2": (3, 2), "e2m1x2": (2, 1), "ue8m0x2": (8, 0),
}  # fmt: skip


def _small_formats(target: str, source: str, mods: Sequence[str]) -> Function:
    relu = "relu" in mods
    mode = rounding_of(mods)
    if target in _SMALL:
        exponent, mantissa = _SMALL[target]

        def encode(x: Lanes) -> Lanes:
            if relu:
                x = np.where(x <= 0, 0.0, x)
            if target == "ue8m0x2":
                return _to_ue8m0(x, mode)
            return F.narrow_float(x, exponent, mantissa, target not in ("e5m2x2",), mode)

        def join(high: Lanes, low: Lanes) -> Lanes:
            if target == "e2m1x2":
                return (high << np.uint8(4)) | low
            return (high.astype(np.uint16) << np.uint16(8)) | low.astype(np.uint16)

        if source == "f32":
            return binary(
                lambda a, b: join(
                    encode(F.widen(a.view(np.float32), "f32")),
                    encode(F.widen(b.view(np.float32), "f32")),
                )
            )
        fmt = PACKED[source]
        kind = F.DTYPE[fmt]

        def from_pair(a: Lanes) -> Lanes:
            parts = np.ascontiguousarray(a).view(np.uint16).reshape(-1, 2).view(kind)
            return join(encode(F.widen(parts[:, 1], fmt)), encode(F.widen(parts[:, 0], fmt)))

        return from_pair
    exponent, mantissa = _SMALL[source]
    fmt = PACKED[target]

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
            if "satfinite" in mods:
                value = np.where(np.isinf(value), np.copysign(_LARGEST_BF16, value), value)
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
