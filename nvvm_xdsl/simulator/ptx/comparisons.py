"""The PTX instructions that compare and select (PTX ISA, 9.7.5, 9.7.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics import floats as F
from nvvm_xdsl.simulator.numerics import lane_ops as L
from nvvm_xdsl.simulator.numerics.lane_ops import fit
from nvvm_xdsl.simulator.ptx.types import (
    FLOAT_TYPES,
    INTEGER_TYPES,
    PACKED,
    TYPE_BITS,
    Function,
    Lanes,
    ternary,
    type_of,
    unary,
)

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
        # Ordered: false if an operand is a NaN.
        return lambda x, y: (x < y) | (x > y)
    if name[-1] == "u" and name[:-1] in _COMPARE:
        ordered = _float_compare(name[:-1])
        return lambda x, y: ordered(x, y) | (x != x) | (y != y)
    return _COMPARE[name]


def comparison(mods: Sequence[str], type_: str) -> Function:
    """The comparison in the modifiers of a `set`, `setp` or `slct`."""
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
            if combine is not None and c is not None:
                result = _BOOLEAN[combine](result, c[:, np.newaxis])
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
        # `testp.normal` is true for zeros (PTX ISA, "testp").
        "normal": lambda x: np.isfinite(x) & ((x == 0) | (np.abs(x) >= F.MIN_NORMAL[type_])),
        "subnormal": lambda x: (x != 0) & (np.abs(x) < F.MIN_NORMAL[type_]),
    }
    test = tests[mods[0]]
    return unary(lambda a: test(a.view(kind)))


BUILDERS: dict[str, Callable[[list[str]], Function]] = {
    "selp": _selp,
    "set": _set,
    "setp": _setp,
    "slct": _slct,
    "testp": _testp,
}
"""The factory of an instruction's function, called with its modifiers."""
