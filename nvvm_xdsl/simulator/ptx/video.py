"""The video instructions: arithmetic on words, halves and bytes (PTX ISA 9.7.18).

In PTX the selector of a part of an operand, and the negation of `vmad`, are written at the operand:
`%r1.h0`, `-%r2`. `without_selectors` moves them to the opcode as modifiers `a=h0` and `b=-`, with
`d=` for the destination. `BUILDERS` maps the mnemonic to a function from modifiers to the function
on registers.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence

import numpy as np

from nvvm_xdsl.simulator.ptx.types import Function, Lanes

_SCALAR = ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset")
_PARALLEL = ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset")
NAMES = frozenset([*_SCALAR, *(f"{name}{lanes}" for name in _PARALLEL for lanes in "24")])

_OPERAND = re.compile(r"(-?)\s*([^-\s.][^\s.]*)(?:\.([bh][0-7]+))?")

_WORD = 32
_COMPARE: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge,
}  # fmt: skip


def _absolute_difference(a: Lanes, b: Lanes) -> Lanes:
    return np.abs(a - b)


def _average(a: Lanes, b: Lanes) -> Lanes:
    """The average, with halves rounded up for nonnegative sums and down for negative sums."""
    total = a + b
    return np.where(total >= 0, total + 1, total) >> 1


_ARITHMETIC: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "vadd": operator.add,
    "vsub": operator.sub,
    "vavrg": _average,
    "vabsdiff": _absolute_difference,
    "vmin": np.minimum,
    "vmax": np.maximum,
}
_SECONDARY: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "add": operator.add,
    "min": np.minimum,
    "max": np.maximum,
}


def without_selectors(opcode: str, operands: Sequence[str]) -> tuple[str, list[str]]:
    """An instruction with its operands' selectors and signs moved to the opcode.

    Arguments:
        operands: the operands as written in PTX, the destination first.
    """
    if opcode.partition(".")[0] not in NAMES:
        return opcode, list(operands)
    plain: list[str] = []
    for position, text in zip("dabc", operands):
        match = _OPERAND.fullmatch(text.strip())
        if match is None or _is_number(text):
            plain.append(text)
            continue
        sign, name, selector = match.groups()
        plain.append(name)
        opcode += f".{position}=-" if sign else ""
        opcode += f".{position}={selector}" if selector else ""
    return opcode, plain


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"-?\d.*", text.strip()))


def _at(mods: Sequence[str], position: str) -> str | None:
    """The selector of an operand."""
    found = (m[2:] for m in mods if m.startswith(f"{position}=") and not m.endswith("-"))
    return next(found, None)


def _negated(mods: Sequence[str], position: str) -> bool:
    return f"{position}=-" in mods


def _types(mods: Sequence[str]) -> list[bool]:
    """Whether each of the instruction's types is signed."""
    return [m == "s32" for m in mods if m in ("u32", "s32")]


def _field(value: Lanes, start: int, bits: int, signed: bool) -> Lanes:
    """A bit field of an integer, sign- or zero-extended."""
    part = value >> start & (1 << bits) - 1
    return np.where(part >> bits - 1 != 0, part - (1 << bits), part) if signed else part


def _range_of(selector: str | None) -> tuple[int, int]:
    """The first bit and the width of `b0` to `b3`, `h0`, `h1` or a whole word."""
    if selector is None:
        return 0, _WORD
    bits = {"b": 8, "h": 16}[selector[0]]
    return int(selector[1:]) * bits, bits


def _part(register: Lanes, selector: str | None, signed: bool) -> Lanes:
    return _field(register.astype(np.int64), *_range_of(selector), signed)


def _saturated(value: Lanes, bits: int, signed: bool) -> Lanes:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return np.clip(value, low, high)


def _low_word(value: Lanes) -> Lanes:
    return (value & 0xFFFFFFFF).astype(np.uint32)


def _finish(mods: Sequence[str], signed: bool) -> Callable[[Lanes, Sequence[Lanes]], Lanes]:
    """Saturation, then the second operation with a third operand or a merge into it."""
    start, bits = _range_of(_at(mods, "d"))
    saturates, merges = "sat" in mods, _at(mods, "d") is not None
    second = next((_SECONDARY[m] for m in mods if m in _SECONDARY), None)

    def run(value: Lanes, rest: Sequence[Lanes]) -> Lanes:
        if saturates:
            value = _saturated(value, bits, signed)
        if second is not None:
            value = second(value, _part(rest[0], None, signed))
        elif merges:
            kept = rest[0].astype(np.int64) & ~(((1 << bits) - 1) << start)
            value = (value & (1 << bits) - 1) << start | kept
        return _low_word(value)

    return run


def _scalar(name: str) -> Callable[[list[str]], Function]:
    primary = _ARITHMETIC[name]

    def build(mods: list[str]) -> Function:
        sign_d, sign_a, sign_b = _types(mods)
        finish = _finish(mods, sign_d)

        def run(a: Lanes, b: Lanes, *rest: Lanes) -> Lanes:
            x, y = _part(a, _at(mods, "a"), sign_a), _part(b, _at(mods, "b"), sign_b)
            return finish(primary(x, y), rest)

        return run

    return build


def _compared(mods: list[str]) -> Function:
    """`vset`: the result is 1 or 0; it and the third operand are unsigned."""
    sign_a, sign_b = _types(mods)
    compare = next(_COMPARE[m] for m in mods if m in _COMPARE)
    finish = _finish(mods, False)

    def run(a: Lanes, b: Lanes, *rest: Lanes) -> Lanes:
        x, y = _part(a, _at(mods, "a"), sign_a), _part(b, _at(mods, "b"), sign_b)
        return finish(compare(x, y).astype(np.int64), rest)

    return run


def _shifted(left: bool) -> Callable[[list[str]], Function]:
    def build(mods: list[str]) -> Function:
        sign_d, sign_a, _ = _types(mods)
        wraps = "wrap" in mods
        finish = _finish(mods, sign_d)

        def run(a: Lanes, b: Lanes, *rest: Lanes) -> Lanes:
            value = _part(a, _at(mods, "a"), sign_a)
            amount = _part(b, _at(mods, "b"), False)
            amount = amount & _WORD - 1 if wraps else np.minimum(amount, _WORD)
            if left:
                # A word shifted by 32 may exceed 64 bits; a value that saturates then also
                # saturates with fewer bits.
                value = np.where(amount == _WORD, np.clip(value, -(1 << 30), 1 << 30), value)
            return finish(value << amount if left else value >> amount, rest)

        return run

    return build


def _multiplied(mods: list[str]) -> Function:
    """`vmad`: computed in Python integers, because the product may need 64 bits and a sign."""
    _, sign_a, sign_b = _types(mods)
    minus_product = _negated(mods, "a") != _negated(mods, "b")
    minus_sum = _negated(mods, "c")
    signed = sign_a or sign_b or minus_product or minus_sum
    shift = next((int(m[3:]) for m in mods if m.startswith("shr")), 0)
    more = int("po" in mods)

    def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        product = _part(a, _at(mods, "a"), sign_a).astype(object)
        product = product * _part(b, _at(mods, "b"), sign_b).astype(object)
        addend = _part(c, None, signed).astype(object)
        value = (-product if minus_product else product) + (-addend if minus_sum else addend)
        value = value + more >> shift
        return _low_word(_saturated(value, _WORD, signed) if "sat" in mods else value)

    return run


def _lanes_of(selector: str | None, default: range) -> list[int]:
    """The numbers of a selector such as `h10`, lowest lane first."""
    return list(default) if selector is None else [int(n) for n in reversed(selector[1:])]


def _parallel(name: str, count: int) -> Callable[[list[str]], Function]:
    """An operation on halves or bytes selected from both registers."""
    bits = _WORD // count

    def build(mods: list[str]) -> Function:
        *sign_d, sign_a, sign_b = _types(mods)
        primary = _ARITHMETIC.get(name) or next(_COMPARE[m] for m in mods if m in _COMPARE)
        from_a = _lanes_of(_at(mods, "a"), range(count))
        from_b = _lanes_of(_at(mods, "b"), range(count, 2 * count))
        mask = _lanes_of(_at(mods, "d"), range(count))
        adds, saturates = "add" in mods, "sat" in mods

        def run(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
            words = (a.astype(np.int64), b.astype(np.int64))

            def lane(number: int, signed: bool) -> Lanes:
                return _field(words[number // count], number % count * bits, bits, signed)

            out = c.astype(np.int64)
            for i in mask:
                value = primary(lane(from_a[i], sign_a), lane(from_b[i], sign_b)).astype(np.int64)
                if saturates:
                    value = _saturated(value, bits, sign_d[0])
                if adds:
                    out = out + value
                else:
                    low = (1 << bits) - 1
                    out = out & ~(low << i * bits) | (value & low) << i * bits
            return _low_word(out)

        return run

    return build


BUILDERS: dict[str, Callable[[list[str]], Function]] = {
    **{name: _scalar(name) for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax")},
    "vshl": _shifted(True),
    "vshr": _shifted(False),
    "vmad": _multiplied,
    "vset": _compared,
    **{f"{name}{count}": _parallel(name, count) for name in _PARALLEL for count in (2, 4)},
}
