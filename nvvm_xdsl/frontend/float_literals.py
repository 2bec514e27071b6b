"""Floating-point constants of LLVM assembly as bit patterns (LLVM Language Reference, "Simple
Constants").

Half, bfloat, float and double are written as decimal numbers or as the 16 hexadecimal digits
of a double; other spellings are the bits themselves, with a letter for the format. LLVM 23
and later write `f0x` and the bits, signed infinities, and NaNs with their payload.
"""

from __future__ import annotations

import re
import struct

from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, F64, F80, F128

_DECIMAL = re.compile(r"[-+]?[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?", re.ASCII)
_HEX = re.compile(r"0x([KLMHR]?)([0-9a-fA-F]{1,32})", re.ASCII)
_SPECIAL = re.compile(
    r"f0x([0-9a-fA-F]{1,16})|([-+])(?:(inf)|(qnan)|(s?nan)\(0x([0-9a-fA-F]{1,16})\))", re.ASCII
)

_FORMATS: dict[Attribute, tuple[int, int]] = {
    F16: (5, 10),
    BF16: (8, 7),
    F32: (8, 23),
    F64: (11, 52),
}
"""Exponent and fraction bits."""

_LETTERS: dict[str, tuple[Attribute, int]] = {
    "H": (F16, 16),
    "R": (BF16, 16),
    "K": (F80, 80),
    "L": (F128, 128),
}


def round_double(bits: int, type_: Attribute) -> int:
    """The bits of a double rounded to nearest even in a narrower format, NaN payloads cut."""
    exponent_bits, fraction_bits = _FORMATS[type_]
    if type_ is F64:
        return bits
    sign = bits >> 63 << (exponent_bits + fraction_bits)
    exponent = bits >> 52 & 0x7FF
    fraction = bits & ((1 << 52) - 1)
    all_ones = (1 << exponent_bits) - 1
    cut = 52 - fraction_bits
    if exponent == 0x7FF:
        narrow = fraction >> cut
        if fraction and not narrow:
            narrow = 1
        return sign | all_ones << fraction_bits | narrow
    unbiased = exponent - 1023 + (all_ones >> 1)
    if exponent:
        fraction |= 1 << 52
    else:
        unbiased += 1
    if unbiased <= 0:
        # The result is subnormal: the leading one moves into the fraction.
        cut += 1 - unbiased
        unbiased = 0
    else:
        unbiased -= 1
    if cut > 54:
        return sign
    narrow = fraction >> cut
    rest = fraction & ((1 << cut) - 1)
    half = 1 << (cut - 1)
    if rest > half or (rest == half and narrow & 1):
        narrow += 1
    # The leading one and a carry out of the fraction both count the exponent up.
    magnitude = (unbiased << fraction_bits) + narrow
    return sign | min(magnitude, all_ones << fraction_bits)


def _special_bits(match: re.Match[str], type_: Attribute) -> int | None:
    digits, sign, infinity, quiet, nan, payload = match.groups()
    exponent_bits, fraction_bits = _FORMATS[type_]
    width = 1 + exponent_bits + fraction_bits
    if digits is not None:
        value = int(digits, 16)
        return None if value >> width else value
    bits = ((1 << exponent_bits) - 1) << fraction_bits
    if sign == "-":
        bits |= 1 << (width - 1)
    if infinity:
        return bits
    quiet_bit = 1 << (fraction_bits - 1)
    if quiet:
        return bits | quiet_bit
    fraction = int(payload, 16)
    if fraction >= quiet_bit or (nan == "snan" and not fraction):
        return None
    return bits | fraction | (quiet_bit if nan == "nan" else 0)


def parse_float_bits(token: str, type_: Attribute) -> int | None:
    """The bits of the constant in `type_`'s format; None if the token is not a constant of that
    type."""
    match = _HEX.fullmatch(token)
    if match is not None:
        letter, digits = match.groups()
        if not letter:
            if type_ not in _FORMATS or len(digits) > 16:
                return None
            return round_double(int(digits, 16), type_)
        wanted, width = _LETTERS.get(letter, (None, 0))
        value = int(digits, 16)
        if wanted is not type_ or value >> width:
            return None
        if letter == "L" and len(digits) > 16:
            # The first 16 digits are the low half.
            value = (value & ((1 << 64) - 1)) << 64 | value >> 64
        return value
    if type_ not in _FORMATS:
        return None
    if "." not in token or _DECIMAL.fullmatch(token) is None:
        match = _SPECIAL.fullmatch(token)
        return None if match is None else _special_bits(match, type_)
    value_bits = int.from_bytes(struct.pack(">d", float(token)), "big")
    return round_double(value_bits, type_)


def is_float_token(token: str) -> bool:
    """Returns True if the token spells a floating-point constant of some type."""
    return (
        _HEX.fullmatch(token) is not None
        or _SPECIAL.fullmatch(token) is not None
        or ("." in token and _DECIMAL.fullmatch(token) is not None)
    )
