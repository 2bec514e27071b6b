"""Integer operations and bookkeeping on lanes, called by generated source.

Integers are stored in the smallest unsigned NumPy type that fits, `i1` in `bool`, more than 64 bits
as Python integers in object arrays. Bits above an integer's width are zero. Machine-specific
behaviour (division by zero) is that of NVIDIA's GPUs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics import floats

Lanes = np.ndarray[Any, Any]


_numpy_where: Any = np.where


def where(condition: Any, a: Any, b: Any) -> Lanes:
    """NumPy's `where` on arrays and scalars of one type."""
    return _numpy_where(condition, a, b)


_CONTAINERS: tuple[Any, ...] = (
    *(np.uint8,) * 9,
    *(np.uint16,) * 8,
    *(np.uint32,) * 16,
    *(np.uint64,) * 32,
)
_DTYPES = tuple(np.dtype(c) for c in _CONTAINERS)


def container(bits: int) -> Any:
    """The NumPy type of an unsigned integer of `bits` bits."""
    return _CONTAINERS[bits] if bits <= 64 else np.object_


_SIGNED: dict[Any, Any] = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def signed(a: Lanes, bits: int) -> Lanes:
    """The values as signed integers."""
    if bits > 64:
        half = 1 << (bits - 1)
        return np.array([v - (1 << bits) if v >= half else v for v in a], object)
    kind = _SIGNED[a.dtype.itemsize]
    spare = a.dtype.itemsize * 8 - bits
    out = a.view(kind)
    if spare:
        out = (out << kind(spare)) >> kind(spare)
    return out


def unsigned(a: Lanes, bits: int) -> Lanes:
    """The signed values `a` as unsigned integers with the same bits."""
    return wrap(a if a.dtype == object else a.view(container(bits)), bits)


def wrap(a: Lanes, bits: int) -> Lanes:
    """`a` modulo 2 to the power of `bits`."""
    if bits > 64:
        mask = (1 << bits) - 1
        return np.array([int(v) & mask for v in a], object)
    if a.dtype.itemsize * 8 == bits:
        return a
    return a & a.dtype.type((1 << bits) - 1)


def resize(a: Lanes, source: int, target: int, sign: bool) -> Lanes:
    """Extends or truncates from `source` bits to `target` bits."""
    if source == 1:
        a, source = a.view(np.uint8), 1
    if sign and target > source:
        wide = signed(a, source)
        if target > 64:
            return wrap(wide.astype(object), target)
        out = wide.astype(_SIGNED[np.dtype(container(target)).itemsize]).view(container(target))
        return wrap(out, target)
    if target > 64:
        if source > 64:
            return wrap(a, target)
        return np.array([int(v) for v in a], object)
    if source > 64:
        mask = (1 << target) - 1
        out = np.array([int(v) & mask for v in a], container(target))
    else:
        out = wrap(a.astype(container(target)), target)
    return out != 0 if target == 1 else out


def from_bool(a: Lanes, bits: int) -> Lanes:
    """0 or 1 in `bits` bits."""
    if bits > 64:
        return np.array([int(v) for v in a], object)
    return a.astype(container(bits))


def _divide_big(a: Lanes, b: Lanes, bits: int, sign: bool, remainder: bool) -> Lanes:
    x, y = np.broadcast_arrays(signed(a, bits) if sign else a, signed(b, bits) if sign else b)
    out: list[int] = []
    for p, q in zip(x, y):
        whole = 0 if q == 0 else abs(p) // abs(q)
        if (p < 0) != (q < 0):
            whole = -whole
        out.append(-1 if q == 0 else p - whole * q if remainder else whole)
    return wrap(np.array(out, object), bits)


def _divide(a: Lanes, b: Lanes, bits: int, sign: bool, remainder: bool) -> Lanes:
    if bits > 64:
        return _divide_big(a, b, bits, sign, remainder)
    zero = b == 0
    ones = wrap(~np.zeros_like(b), bits)
    if not sign:
        divisor = where(zero, b.dtype.type(1), b)
        return where(zero, ones, a % divisor if remainder else a // divisor)
    x, y = signed(a, bits), signed(b, bits)
    kind = container(bits)
    size_x = wrap(where(x < 0, -x, x).view(kind), bits)
    size_y = where(zero, kind(1), wrap(where(y < 0, -y, y).view(kind), bits))
    if remainder:
        rest = size_x % size_y
        return where(zero, ones, wrap(where(x < 0, -rest, rest), bits))
    whole = size_x // size_y
    return where(zero, ones, wrap(where((x < 0) != (y < 0), -whole, whole), bits))


def sdiv(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """Signed division, truncated; all ones for a divisor of zero."""
    return _divide(a, b, bits, True, False)


def udiv(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """Unsigned division; all ones for a divisor of zero."""
    return _divide(a, b, bits, False, False)


def srem(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """The remainder of `sdiv`, with the sign of the dividend; all ones for a divisor of zero."""
    return _divide(a, b, bits, True, True)


def urem(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """The remainder of `udiv`; all ones for a divisor of zero."""
    return _divide(a, b, bits, False, True)


def shl(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """Left shift; zero for a count of at least `bits`, as PTX clamps."""
    if bits > 64:
        return wrap(
            np.array(
                [int(x) << min(int(y), bits) for x, y in zip(*np.broadcast_arrays(a, b))], object
            ),
            bits,
        )
    out = a << b.astype(a.dtype)
    return wrap(np.where(b >= bits, a.dtype.type(0), out), bits)


def lshr(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """Logical right shift; zero for a count of at least `bits`."""
    if bits > 64:
        return np.array(
            [int(x) >> min(int(y), bits) for x, y in zip(*np.broadcast_arrays(a, b))], object
        )
    return np.where(b >= bits, a.dtype.type(0), a >> b.astype(a.dtype))


def ashr(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """Arithmetic right shift; the sign for a count of at least `bits`."""
    x = signed(a, bits)
    if bits > 64:
        return wrap(
            np.array(
                [int(v) >> min(int(c), bits) for v, c in zip(*np.broadcast_arrays(x, b))], object
            ),
            bits,
        )
    limited = np.minimum(b, b.dtype.type(bits - 1)).astype(x.dtype)
    return unsigned(x >> limited, bits)


def multiply(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """The low bits of the product."""
    return wrap(a * b, bits)


def multiply_high(a: Lanes, b: Lanes, bits: int, sign: bool) -> Lanes:
    """The upper half of the product of twice the width."""
    if bits <= 32:
        wide: Any = np.int64 if sign else np.uint64
        x = signed(a, bits).astype(wide) if sign else a.astype(wide)
        y = signed(b, bits).astype(wide) if sign else b.astype(wide)
        return wrap(((x * y) >> wide(bits)).view(np.uint64).astype(container(bits)), bits)
    low = np.uint64(0xFFFFFFFF)
    shift = np.uint64(32)
    a0, a1, b0, b1 = a & low, a >> shift, b & low, b >> shift
    t = a0 * b0
    middle = a1 * b0 + (t >> shift)
    lower = a0 * b1 + (middle & low)
    out = a1 * b1 + (middle >> shift) + (lower >> shift)
    if sign:
        zero = np.uint64(0)
        out = (
            out - np.where(a.view(np.int64) < 0, b, zero) - np.where(b.view(np.int64) < 0, a, zero)
        )
    return out


def absolute(a: Lanes, bits: int) -> Lanes:
    """The magnitude; the smallest integer is unchanged."""
    x = signed(a, bits)
    return unsigned(np.where(x < 0, -x, x), bits)


def choose(condition: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """`a` if the condition is true, else `b`."""
    if condition.size == 1:
        return a if condition[0] else b
    return np.where(condition, a, b)


def choose_undefined(condition: Lanes, a: Any, b: Any) -> Any:
    """`choose` for masks of undefined bits."""
    if isinstance(a, int) and isinstance(b, int):
        return 0
    if condition.size == 1:
        return a if condition[0] else b
    return _any(np.where(condition, a, b))


def _of_each_half_word(parts: Iterable[int], kind: Any) -> Lanes:
    """For each 16-bit number, the sum of the parts of its one bits, from the lowest."""
    found = np.zeros(1, kind)
    for part in parts:
        found = np.concatenate((found, found + kind(part)))
    return found


_POPULATION = _of_each_half_word([1] * 16, np.uint8)
_REVERSED = _of_each_half_word([1 << (15 - bit) for bit in range(16)], np.uint16)


def _each(function: Callable[[int], int], a: Lanes) -> Lanes:
    return np.array([function(int(v)) for v in a], object)


def popcount(a: Lanes, bits: int) -> Lanes:
    """The number of one bits."""
    if bits > 64:
        return _each(lambda v: v.bit_count(), a)
    out = _POPULATION[a.astype(np.uint64) & np.uint64(0xFFFF)].astype(a.dtype)
    for shift in range(16, bits, 16):
        out = out + _POPULATION[(a >> a.dtype.type(shift)) & a.dtype.type(0xFFFF)].astype(a.dtype)
    return out


def reverse_bits(a: Lanes, bits: int) -> Lanes:
    """The bits in the opposite order."""
    if bits > 64:
        return _each(lambda v: int(f"{v:0{bits}b}"[::-1], 2), a)
    wide = a.astype(np.uint64)
    out = np.zeros_like(wide)
    for i in range(4):
        part = _REVERSED[(wide >> np.uint64(16 * i)) & np.uint64(0xFFFF)].astype(np.uint64)
        out |= part << np.uint64(48 - 16 * i)
    return (out >> np.uint64(64 - bits)).astype(a.dtype)


def swap_bytes(a: Lanes, bits: int) -> Lanes:
    """The bytes in the opposite order."""
    if bits > 64:
        return _each(lambda v: int.from_bytes(v.to_bytes(bits // 8, "little"), "big"), a)
    spare = a.dtype.itemsize * 8 - bits
    return a.byteswap() >> a.dtype.type(spare)


def _smear(a: Lanes, bits: int) -> Lanes:
    shift = 1
    while shift < bits:
        a = a | (a >> a.dtype.type(shift))
        shift *= 2
    return a


def leading_zeros(a: Lanes, bits: int) -> Lanes:
    """The number of zero bits above the highest one."""
    if bits > 64:
        return _each(lambda v: bits - v.bit_length(), a)
    return a.dtype.type(bits) - popcount(_smear(a, bits), bits)


def trailing_zeros(a: Lanes, bits: int) -> Lanes:
    """The number of zero bits below the lowest one."""
    if bits > 64:
        return _each(lambda v: bits if v == 0 else (v & -v).bit_length() - 1, a)
    return popcount(wrap(~a, bits) & wrap(a - a.dtype.type(1), bits), bits)


def funnel_left(a: Lanes, b: Lanes, c: Lanes, bits: int) -> Lanes:
    """The upper half of `a:b` shifted left by `c` modulo the width."""
    if bits > 64:
        mask = (1 << bits) - 1
        return np.array(
            [
                ((((int(x) << bits) | int(y)) << (int(z) % bits)) >> bits) & mask
                for x, y, z in zip(*np.broadcast_arrays(a, b, c))
            ],
            object,
        )
    count = c % c.dtype.type(bits)
    return wrap(np.where(count == 0, a, (a << count) | (b >> (c.dtype.type(bits) - count))), bits)


def funnel_right(a: Lanes, b: Lanes, c: Lanes, bits: int) -> Lanes:
    """The lower half of `a:b` shifted right by `c` modulo the width."""
    if bits > 64:
        mask = (1 << bits) - 1
        return np.array(
            [
                (((int(x) << bits) | int(y)) >> (int(z) % bits)) & mask
                for x, y, z in zip(*np.broadcast_arrays(a, b, c))
            ],
            object,
        )
    count = c % c.dtype.type(bits)
    return wrap(np.where(count == 0, b, (a << (c.dtype.type(bits) - count)) | (b >> count)), bits)


def overflows(kind: str, a: Lanes, b: Lanes, bits: int, sign: bool) -> Lanes:
    """Whether `add`, `sub` or `mul` overflows the signed or unsigned type."""
    if (
        (bits <= 31 and kind == "mul")
        or (bits <= 32 and kind != "mul")
        or (bits <= 62 and kind != "mul")
    ):
        x = signed(a, bits).astype(np.int64) if sign else a.astype(np.int64)
        y = signed(b, bits).astype(np.int64) if sign else b.astype(np.int64)
        out = x + y if kind == "add" else x - y if kind == "sub" else x * y
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if sign else (0, (1 << bits) - 1)
        return (out < low) | (out > high)
    if kind == "mul" and bits in (32, 64):
        low_part = multiply(a, b, bits)
        high_part = multiply_high(a, b, bits, sign)
        if not sign:
            return high_part != 0
        return high_part != unsigned(
            signed(low_part, bits) >> _SIGNED[low_part.dtype.itemsize](bits - 1), bits
        )
    if bits == 64:
        out = a + b if kind == "add" else a - b
        if not sign:
            return out < a if kind == "add" else a < b
        x, y, z = a.view(np.int64), b.view(np.int64), out.view(np.int64)
        return ((x ^ z) & ((y if kind == "add" else ~y) ^ z if kind == "add" else (x ^ y))) < 0
    p, q = np.broadcast_arrays(signed(a, bits) if sign else a, signed(b, bits) if sign else b)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if sign else (0, (1 << bits) - 1)
    results: list[bool] = []
    for s, t in zip(p, q):
        value = (
            int(s) + int(t)
            if kind == "add"
            else int(s) - int(t)
            if kind == "sub"
            else int(s) * int(t)
        )
        results.append(not low <= value <= high)
    return np.array(results, bool)


def quotient_overflows(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """Whether a signed division divides the minimum by -1."""
    kind = container(bits)
    return (a == kind(1 << (bits - 1))) & (b == kind((1 << bits) - 1))


def saturating(kind: str, a: Lanes, b: Lanes, bits: int, sign: bool) -> Lanes:
    """`add`, `sub` or `shl` clamped to the range of the type."""
    if a.dtype == bool:
        # NumPy does not subtract booleans.
        found = saturating(kind, a.view(np.uint8), b.view(np.uint8), bits, sign)
        return (found & np.uint8(1)) != 0
    if kind == "shl":
        out = shl(a, b, bits)
        back = ashr(out, b, bits) if sign else lshr(out, b, bits)
        over = back != a
        below = signed(a, bits) < 0 if sign else np.zeros(a.shape, bool)
    else:
        out = wrap(a + b if kind == "add" else a - b, bits)
        over = overflows(kind, a, b, bits, sign)
        below = signed(a, bits) < 0 if sign else np.full(a.shape, kind == "sub")
    low, high = (1 << (bits - 1), (1 << (bits - 1)) - 1) if sign else (0, (1 << bits) - 1)
    kind_ = container(bits)
    # Arrays, because NumPy cannot convert a Python integer of more than 64 bits.
    limit = where(below, np.array(low, kind_), np.array(high, kind_))
    return np.where(over, limit, out)


def fixed_point(
    kind: str, a: Lanes, b: Lanes, scale: int, bits: int, sign: bool, clamps: bool
) -> Lanes:
    """LLVM's `smul.fix` and its variants: exact `mul` or `div`, rounded down."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if sign else (0, (1 << bits) - 1)
    out: list[int] = []
    for x, y in np.broadcast(a.astype(object), b.astype(object)):
        left, right = int(x), int(y)
        if sign:
            left -= (left > high) << bits
            right -= (right > high) << bits
        if kind == "mul":
            value = left * right >> scale
        else:
            value = (left << scale) // right if right else 0
        out.append(min(max(value, low), high) if clamps else value)
    return np.array([v & ((1 << bits) - 1) for v in out], container(bits))


# Undefined bits


def _set(undefined: Lanes) -> Lanes:
    """Lanes with any undefined bit."""
    found = undefined != 0
    return found.astype(bool) if found.dtype == object else found


def _any(undefined: Any) -> Any:
    """A mask of undefined bits, or the number 0 if there are none."""
    return undefined if isinstance(undefined, int) or _set(undefined).any() else 0


def spread(bits: int, *undefined: Any) -> Any:
    """All bits undefined in lanes with any undefined operand bit; the number 0 if there are
    none."""
    if type(undefined[0]) is int and type(undefined[-1]) is int and len(undefined) < 3:
        return 0
    total: Any = None
    for mask in undefined:
        if isinstance(mask, int):
            continue
        found = _set(mask)
        total = found if total is None else total | found
    if total is None or not total.any():
        return 0
    return poison(bits, total)


def poison(bits: int, condition: Lanes) -> Any:
    """All bits undefined in lanes with a true condition."""
    if condition.dtype == object:
        condition = condition.astype(bool)
    if not condition.any():
        return 0
    ones = (1 << bits) - 1
    if bits > 64:
        return np.array([ones if c else 0 for c in condition], object)
    kind = container(bits)
    return where(condition, kind(ones), kind(0))


def either(*undefined: Any) -> Any:
    """The union of masks of undefined bits."""
    total: Any = 0
    for mask in undefined:
        if not isinstance(mask, int):
            total = mask if isinstance(total, int) else total | mask
    return total


def _masks(a: Lanes, au: Any, bu: Any) -> tuple[Lanes, Lanes]:
    zero = np.zeros(1, a.dtype)
    return zero if isinstance(au, int) else au, zero if isinstance(bu, int) else bu


def undefined_and(a: Lanes, b: Lanes, au: Any, bu: Any) -> Any:
    """A bit of `a & b` is defined if both are, or if one is a defined zero."""
    if isinstance(au, int) and isinstance(bu, int):
        return 0
    a, b = (x.view(np.uint8) if x.dtype == bool else x for x in (a, b))
    au, bu = _masks(a, au, bu)
    return _any((au | bu) & (a | au) & (b | bu))


def undefined_or(a: Lanes, b: Lanes, au: Any, bu: Any) -> Any:
    """A bit of `a | b` is defined if both are, or if one is a defined one."""
    if isinstance(au, int) and isinstance(bu, int):
        return 0
    a, b = (x.view(np.uint8) if x.dtype == bool else x for x in (a, b))
    au, bu = _masks(a, au, bu)
    return _any((au | bu) & (~a | au) & (~b | bu))


def undefined_resize(undefined: Any, source: int, target: int, sign: bool) -> Any:
    """The undefined bits after an extension or truncation."""
    if isinstance(undefined, int):
        return 0
    if source == 1:
        return (
            spread(target, undefined) if sign else _any(resize(undefined, 8, max(target, 8), False))
        )
    out = resize(undefined, source, max(target, 2), sign)
    if target == 1:
        out = out.astype(np.uint8) & np.uint8(1)
    return _any(out)


def undefined_shift(
    kind: str, undefined: Any, count: Lanes, count_undefined: Any, bits: int
) -> Any:
    """The undefined bits after a shift: they move with the value."""
    if isinstance(undefined, int) and isinstance(count_undefined, int):
        return 0
    whole = spread(bits, count_undefined)
    if isinstance(undefined, int):
        return whole
    if bits == 1:
        return spread(bits, undefined, count_undefined)
    moved = (shl if kind == "shl" else lshr if kind == "lshr" else ashr)(undefined, count, bits)
    return either(_any(moved), whole)


def undefined_moved(
    move: Callable[..., Lanes],
    bits: int,
    undefined: Sequence[Any],
    places: Sequence[Lanes],
    places_undefined: Sequence[Any],
) -> Any:
    """The undefined bits after `prmt`, `shf`, `bfe` or `bfi`, which move like the values' bits.

    Arguments:
        move: the instruction.
        bits: the width of the values and of the result.
        undefined: the undefined bits of the values that are moved, the first operands.
        places: the other operands, which determine where the bits go.
        places_undefined: the undefined bits of these.
    """
    if all(isinstance(mask, int) for mask in (*undefined, *places_undefined)):
        return 0
    zero = np.zeros(1, container(bits))
    masks = [zero if isinstance(mask, int) else mask for mask in undefined]
    return either(_any(move(*masks, *places)), spread(bits, *places_undefined))


# Aggregates


def undefined_place(undefined: Any, source: int, target: int, shift: int) -> Any:
    """Undefined bits moved into a wider value."""
    if isinstance(undefined, int):
        return 0
    if target > 64:
        return np.array([int(v) << shift for v in undefined], object)
    kind = container(target)
    return undefined.astype(kind) << kind(shift)


def undefined_extract(undefined: Any, source: int, target: int, shift: int) -> Any:
    """The undefined bits of a field of a value."""
    if isinstance(undefined, int):
        return 0
    if source > 64:
        mask = (1 << target) - 1
        return _any(np.array([int(v) >> shift & mask for v in undefined], container(target)))
    return _any(wrap((undefined >> undefined.dtype.type(shift)).astype(container(target)), target))


def pick(position: Lanes, *elements: Lanes) -> Lanes:
    """The element at each lane's position; the last one for positions out of range."""
    table = np.broadcast_arrays(*elements)
    count = len(table)
    if position.size == 1:
        return elements[min(int(position[0]), count - 1)]
    stacked = np.stack([np.broadcast_to(t, position.shape) for t in table])
    index = np.minimum(position, position.dtype.type(min(count - 1, 127))).astype(np.int64)
    return np.take_along_axis(stacked, index[None, :], axis=0)[0]


def pick_undefined(position: Lanes, bits: int, *elements: Any) -> Any:
    """The undefined bits after `pick`: all bits for positions out of range."""
    count = len(elements)
    beyond = position >= count
    if all(isinstance(e, int) for e in elements):
        return poison(bits, beyond)
    kind = container(bits)
    arrays = [np.array([0], kind) if isinstance(e, int) else e for e in elements]
    return either(pick(position, *arrays), poison(bits, beyond))


def float_outside(x: Lanes, bits: int, sign: bool) -> Lanes:
    """Whether a truncated float is outside the range of an integer type."""
    low = -(2.0 ** (bits - 1)) - 1 if sign else -1.0
    high = 2.0 ** (bits - 1) if sign else 2.0**bits
    if sign and bits >= 53:
        return ~((x >= low) & (x < high))
    return ~((x > low) & (x < high))


def saturating_integer(a: Lanes, fmt: str, bits: int, sign: bool) -> Lanes:
    """A float truncated to an integer, clamped to its range, NaN to 0: LLVM's `fptosi.sat`."""
    if bits > 53:
        # NumPy would round the bounds of the range to floats.
        return float_to_big(a, fmt, bits, sign).astype(container(bits))
    wide = floats.widen(a, fmt)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if sign else (0, (1 << bits) - 1)
    held = np.trunc(np.clip(np.where(wide == wide, wide, 0.0), low, high)).astype(np.int64)
    out = wrap(held.view(np.uint64).astype(container(bits)), bits)
    return out != 0 if bits == 1 else out


def float_to_big(a: Lanes, fmt: str, bits: int, sign: bool) -> Lanes:
    """A float truncated to an integer, clamped to its range, NaN to 0, as Python integers."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if sign else (0, (1 << bits) - 1)
    out: list[int] = []
    for v in floats.widen(a, fmt):
        if v != v:
            out.append(0)
        elif np.isinf(v):
            out.append(high if v > 0 else low)
        else:
            out.append(min(max(int(v), low), high))
    return np.array([v & ((1 << bits) - 1) for v in out], object)


def big_to_float(a: Lanes, bits: int, sign: bool, fmt: str) -> Lanes:
    """An integer of more than 64 bits as a float."""
    values = signed(a, bits) if sign else a
    rounded = [floats.exact_round(Fraction(int(v)), fmt, "rn") for v in values]
    return floats.from_bits(np.array(rounded, floats.UNSIGNED[floats.BITS[fmt]]), fmt)


def merge_results(mask: Any, new: tuple[Any, ...], old: tuple[Any, ...] | None) -> tuple[Any, ...]:
    """The results of a call of some lanes, merged with those of others."""
    if old is None:
        return new
    return tuple(where(mask.bits, n, o) for n, o in zip(new, old))


def fit(a: Lanes, bits: int) -> Lanes:
    """A register's contents in `bits` bits, truncated or zero-extended."""
    if bits <= 64 and a.dtype is _DTYPES[bits]:
        return a
    if a.dtype == np.bool_:
        a = a.view(np.uint8)
    if a.dtype == container(bits):
        return a
    return resize(a, 128 if a.dtype == object else a.dtype.itemsize * 8, bits, False)


def undefined_fit(undefined: Any, bits: int) -> Any:
    """The undefined bits after `fit`."""
    return (
        undefined if isinstance(undefined, int) or bits > 64 else undefined.astype(container(bits))
    )


def undefined_lanes(undefined: Any, kind: Any) -> Lanes:
    """A mask of undefined bits as an array."""
    return np.zeros(1, kind) if isinstance(undefined, int) else undefined.astype(kind)


def undefined_words(undefined: Any) -> Lanes:
    """For each lane, 1 if any bit is undefined, else 0."""
    return np.zeros(1, np.uint8) if isinstance(undefined, int) else _set(undefined).astype(np.uint8)


def undefined_or_none(undefined: Lanes) -> Any:
    """A mask of undefined bits, the number 0 if none is set."""
    return undefined if undefined.any() else 0
