"""The PTX instructions on bits: logic, shifts, fields and permutations (PTX ISA, 9.7.1, 9.7.8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics import lane_ops as L
from nvvm_xdsl.simulator.numerics.lane_ops import fit
from nvvm_xdsl.simulator.ptx.types import (
    INTEGER_TYPES,
    TYPE_BITS,
    Function,
    Lanes,
    binary,
    type_of,
    unary,
)


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
        # The sign is the top bit of the field, or of the operand if the field exceeds it.
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
        if base > 31:
            return 0xFFFFFFFF
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

    def with_predicate(a: Lanes, b: Lanes, c: Lanes, table: Lanes, q: Lanes) -> tuple[Lanes, Lanes]:
        out = run(a, b, c, table)
        return out, (out != 0) | q if mods[0] == "or" else (out != 0) & q

    return with_predicate if mods[0] in ("or", "and") else run


BUILDERS: dict[str, Callable[[list[str]], Function]] = {
    "and": _bitwise(lambda a, b: a & b),
    "bfe": _bfe,
    "bfi": _bfi,
    "bfind": _bfind,
    "bmsk": _bmsk,
    "brev": _brev,
    "clz": _clz,
    "cnot": _cnot,
    "fns": _fns,
    "lop3": _lop3,
    "not": _not,
    "or": _bitwise(lambda a, b: a | b),
    "popc": _popc,
    "prmt": _prmt,
    "shf": _shf,
    "shl": _shl,
    "shr": _shr,
    "szext": _szext,
    "xor": _bitwise(lambda a, b: a ^ b),
}
"""The factory of an instruction's function, called with its modifiers."""
