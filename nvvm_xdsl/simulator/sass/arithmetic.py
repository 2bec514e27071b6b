"""Integer functions of machine instructions on arrays of 32-bit words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nvvm_xdsl.simulator.execution.memory import Access, Lanes
from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.numerics import lane_ops as L


def amount(count: Lanes, limit: int, wraps: bool) -> Lanes:
    """A shift amount of 64-bit words, taken modulo a limit or clamped to it."""
    if wraps:
        return (count & np.uint32(limit - 1)).astype(np.uint64)
    return np.minimum(count, np.uint32(limit)).astype(np.uint64)


def permute(low: Lanes, high: Lanes, selector: Lanes) -> Lanes:
    """`PRMT`: each byte is one of eight, or its sign."""
    pool = low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
    out: Lanes = np.zeros(1, np.uint32)
    for i in range(4):
        nibble = (selector >> np.uint32(4 * i)) & np.uint32(15)
        byte = (pool >> ((nibble & np.uint32(7)) * np.uint32(8)).astype(np.uint64)).astype(
            np.uint32
        ) & np.uint32(0xFF)
        sign = np.where(byte >> np.uint32(7) != 0, np.uint32(0xFF), np.uint32(0))
        out = out | np.where(nibble & np.uint32(8) != 0, sign, byte) << np.uint32(8 * i)
    return out


def popcount(a: Lanes, bits: int) -> Lanes:
    """`POPC`."""
    return L.popcount(a, bits).astype(np.uint32)


def leading_one(a: Lanes, signed: bool, distance: bool) -> Lanes:
    """`FLO`: the position of the highest bit that differs from the sign, or its distance from the
    top; all ones if there is none."""
    if signed:
        a = np.where(a.view(np.int32) < 0, ~a, a)
    zeros = L.leading_zeros(a, 32).astype(np.uint32)
    found = zeros if distance else np.uint32(31) - zeros
    return np.where(a == 0, np.uint32(0xFFFFFFFF), found)


def bit_mask(start: Lanes, width: Lanes, wraps: bool) -> Lanes:
    """`BMSK`: `width` ones from bit `start` on."""
    if wraps:
        start, width = start & np.uint32(31), width & np.uint32(31)
    first = np.minimum(start, np.uint32(32)).astype(np.uint64)
    count = np.minimum(width, np.uint32(32)).astype(np.uint64)
    ones = (np.uint64(1) << count) - np.uint64(1)
    return (ones << first).astype(np.uint32)


def extend(a: Lanes, width: Lanes, signed: bool, wraps: bool) -> Lanes:
    """`SGXT`: the low bits of a word, sign- or zero-extended."""
    count = width & np.uint32(31) if wraps else np.minimum(width, np.uint32(32))
    distance = (np.uint32(32) - count).astype(np.uint64)
    shifted = (a.astype(np.uint64) << distance).astype(np.uint32)
    kind = np.int32 if signed else np.uint32
    wide = shifted.view(kind).astype(np.int64)
    return (wide >> distance.astype(np.int64)).astype(np.uint32)


def dot4(a: Lanes, b: Lanes, c: Lanes, signed_a: bool, signed_b: bool) -> Lanes:
    """`IDP.4A`: the sum of the products of four bytes each."""
    out = c.astype(np.uint64)
    for i in range(4):
        x, y = ((v >> np.uint32(8 * i)).astype(np.uint8) for v in (a, b))
        left = (x.view(np.int8) if signed_a else x).astype(np.int64)
        right = (y.view(np.int8) if signed_b else y).astype(np.int64)
        out = out + (left * right).view(np.uint64)
    return out.astype(np.uint32)


def dot2(a: Lanes, b: Lanes, c: Lanes, signed_a: bool, signed_b: bool, upper: bool) -> Lanes:
    """`IDP.2A`: the sum of the products of two halves of `a` and two bytes of `b`."""
    out = c.astype(np.uint64)
    for i in range(2):
        x = (a >> np.uint32(16 * i)).astype(np.uint16)
        y = (b >> np.uint32(8 * i + (16 if upper else 0))).astype(np.uint8)
        left = (x.view(np.int16) if signed_a else x).astype(np.int64)
        right = (y.view(np.int8) if signed_b else y).astype(np.int64)
        out = out + (left * right).view(np.uint64)
    return out.astype(np.uint32)


def byte_distances(a: Lanes, b: Lanes, c: Lanes, signed: bool) -> Lanes:
    """`VABSDIFF4.ACC`: the sum of the absolute differences of four bytes each."""
    out = c
    for i in range(4):
        x, y = (
            (v >> np.uint32(8 * i)).astype(np.uint8).view(np.int8 if signed else np.uint8)
            for v in (a, b)
        )
        out = out + np.abs(x.astype(np.int64) - y).astype(np.uint32)
    return out


def pairs(a: Lanes, signed: bool) -> Lanes:
    """The two halves of words, lower first, as integers of 16 bits: an array of two columns."""
    kind = np.int16 if signed else np.uint16
    return np.ascontiguousarray(a).view(kind).reshape(-1, 2)


def from_pairs(halves: Lanes) -> Lanes:
    """The inverse of `pairs`: words from their halves."""
    return np.ascontiguousarray(halves).reshape(-1).view(np.uint32)


def clamp(a: Lanes, bits: int, signed: bool, from_signed: bool) -> Lanes:
    """`I2I.SAT`: a word clamped to the range of a narrower integer, extended to a word again."""
    wide = (a.view(np.int32) if from_signed else a).astype(np.int64)
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return np.clip(wide, low, high).astype(np.uint32)


def gather(bank: Lanes, address: Lanes, size: int) -> Lanes:
    """`size` bytes of a constant bank at each address, zeros beyond its end."""
    at = np.minimum(address.astype(np.int64), bank.size - size)
    out = np.zeros(at.shape, np.uint64)
    for i in range(size):
        out |= bank[at + i].astype(np.uint64) << np.uint64(8 * i)
    return out


def half(a: Lanes, upper: bool, fmt: str) -> Lanes:
    """One of the two 16-bit floats of a word."""
    shifted = a >> np.uint32(16) if upper else a
    return F.from_bits(shifted.astype(np.uint16), fmt)


_SPECIAL: dict[str, Callable[[Lanes], Lanes]] = {
    "RCP": lambda x: 1.0 / x,
    "RSQ": lambda x: 1.0 / np.sqrt(x),
    "SQRT": np.sqrt,
    "EX2": np.exp2,
    "LG2": np.log2,
    "SIN": lambda x: np.sin(x * (2 * np.pi)),
    "COS": lambda x: np.cos(x * (2 * np.pi)),
    "TANH": np.tanh,
}


def special(name: str, a: Lanes) -> Lanes:
    """`MUFU` on f32, which flushes subnormal numbers except for `TANH`; angles are in turns."""
    return F.compute(_SPECIAL[name], "f32", a, ftz=name != "TANH")


def _upper(function: Callable[[Lanes], Lanes], a: Lanes) -> Lanes:
    """The upper word of a function of the f64 whose upper word is given; subnormal numbers are flushed."""
    x = (a.astype(np.uint64) << np.uint64(32)).view(np.float64)
    result = F.flush(function(F.flush(x, "f64")), "f64")
    return (result.view(np.uint64) >> np.uint64(32)).astype(np.uint32)


def upper_rcp(a: Lanes) -> Lanes:
    """`MUFU.RCP64H`."""
    return _upper(lambda x: 1.0 / x, a)


def upper_rsq(a: Lanes) -> Lanes:
    """`MUFU.RSQ64H`."""
    return _upper(lambda x: 1.0 / np.sqrt(x), a)


def division_needs_care(a: Lanes, b: Lanes) -> Lanes:
    """`FCHK`: whether the steps of a division of f32 could leave the range of normal numbers.

    The steps do not scale their operands, so the exponents of operands and quotient must be far
    from the limits of the format.
    """
    x, y = ((v.view(np.uint32) >> np.uint32(23) & np.uint32(0xFF)).astype(np.int32) for v in (a, b))
    quotient = x - y
    return (
        (x == 255)
        | (y == 255)
        | (y <= 2)
        | (y >= 252)
        | (x <= 24)
        | (quotient >= 125)
        | (quotient <= -124)
    )


def chooses(a: Lanes, b: Lanes, function: str) -> Lanes:
    """`DSETP.MIN`, `DSETP.MAX`: whether the minimum or maximum is the first operand."""
    choice = F.minimum(a, b, "f64") if function == "minimum" else F.maximum(a, b, "f64")
    return (choice.view(np.uint64) == a.view(np.uint64)) & (a == a)


def scaled_product(a: Lanes, b: Lanes, factor: float, ftz: bool) -> Lanes:
    """`FMUL.M2` and similar: a product of f32 times a power of two, rounded once."""

    def product(x: Lanes, y: Lanes) -> Lanes:
        return x * y * factor

    return F.compute(product, "f32", a, b, ftz=ftz)


def special_half(name: str, a: Lanes, fmt: str) -> Lanes:
    """`MUFU` on a float of 16 bits."""
    return F.compute(_SPECIAL[name], fmt, a)


_SMALL = {"E4M3": (4, 3), "E5M2": (5, 2)}
"""Bits of exponent and fraction."""


def from_small(a: Lanes, kind: str) -> Lanes:
    """`F2FP.UNPACK_B`: two floats of 8 bits as floats of 16 bits."""
    out: Lanes = np.zeros(1, np.uint32)
    for i in range(2):
        code = (a >> np.uint32(8 * i)) & np.uint32(0xFF)
        value = F.bits(F.round_to(F.small_float(code, *_SMALL[kind]), "f16"), "f16")
        out = out | value.astype(np.uint32) << np.uint32(16 * i)
    return out


def to_small(high: Lanes, low: Lanes, kind: str, relu: bool) -> Lanes:
    """`F2FP.SATFINITE`: two values in double precision as floats of 8 bits."""
    out: Lanes = np.zeros(1, np.uint32)
    for shift, value in ((8, high), (0, low)):
        if relu:
            value = np.where(value <= 0, 0.0, value)
        code = F.narrow_float(value, *_SMALL[kind], kind != "E5M2")
        out = out | code.astype(np.uint32) << np.uint32(shift)
    return out


def to_tf32(a: Lanes, mode: str, relu: bool) -> Lanes:
    """`F2FP.TF32`: an f32 with the fraction of tf32.

    Arguments:
        mode: `rn` rounds to nearest even, `rz` toward zero.
        relu: whether negative values become zero.
    """
    odd = a >> np.uint32(13) & np.uint32(1)
    rounded = a if mode == "rz" else a + np.uint32(0xFFF) + odd
    out = rounded & ~np.uint32(0x1FFF)
    magnitude = a & np.uint32(0x7FFFFFFF)
    out = np.where(magnitude == 0x7F800000, a, out)
    if relu:
        out = np.where(a >> np.uint32(31) != 0, np.uint32(0), out)
    return np.where(magnitude > 0x7F800000, np.uint32(0x7FFFFFFF), out)


def to_half(a: Lanes, fmt: str, mode: str, ftz: bool, relu: bool, finite: bool) -> Lanes:
    """`F2FP`: an f32 as f16 or bf16.

    Arguments:
        relu: whether negative values become zero.
        finite: whether the largest finite value replaces an infinity.
    """
    out = F.convert(a, "f32", fmt, mode, ftz)
    if finite:
        raw = F.bits(out, fmt)
        infinity = 0x7C00 if fmt == "f16" else 0x7F80
        raw = np.where(raw & 0x7FFF == infinity, raw - 1, raw).astype(np.uint16)
        out = F.from_bits(raw, fmt)
    return F.relu(out, fmt) if relu else out


def transfer(source: Access, target: Access, size: int) -> None:
    """Copies the bytes of each lane between two locations."""
    part = min(size, 8)
    values = [source.load(part, at) for at in range(0, size, part)]
    for i, value in enumerate(values):
        target.store(value, part, part * i)


def packed(low: Lanes, high: Lanes, fmt: str) -> Lanes:
    """Two 16-bit floats in one word."""
    lower, upper = F.bits(low, fmt), F.bits(high, fmt)
    return lower.astype(np.uint32) | upper.astype(np.uint32) << np.uint32(16)


def joined(low: Lanes, high: Lanes) -> Lanes:
    """Two 64-bit words as 128-bit Python integers."""
    low, high = np.broadcast_arrays(low, high)
    return low.astype(object) | high.astype(object) << 64


def word(wide: Lanes, number: int) -> Lanes:
    """A 64-bit word of 128-bit Python integers."""
    return (wide.astype(object) >> 64 * number & (1 << 64) - 1).astype(np.uint64)
