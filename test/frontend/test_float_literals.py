"""Floating-point constants have the bits of IEEE 754."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, F64, F80, F128
from nvvm_xdsl.frontend.float_literals import parse_float_bits, round_double


def bits(value: float) -> int:
    return int.from_bytes(struct.pack(">d", value), "big")


@given(st.floats(allow_nan=False))
def test_rounding_equals_numpys(value: float):
    with np.errstate(all="ignore"):
        single = int(np.array([value]).astype(np.float32).view(np.uint32)[0])
        half = int(np.array([value]).astype(np.float16).view(np.uint16)[0])
    assert round_double(bits(value), F32) == single
    assert round_double(bits(value), F16) == half
    assert round_double(bits(value), F64) == bits(value)


@given(st.integers(0, (1 << 16) - 1))
def test_bfloat_is_the_upper_half_of_float(upper: int):
    single = struct.unpack(">f", (upper << 16).to_bytes(4, "big"))[0]
    if single == single:
        assert round_double(bits(single), BF16) == upper


@pytest.mark.parametrize(
    ("token", "type_", "wanted"),
    [
        ("1.5", F32, 0x3FC00000),
        ("-0.0", F64, 1 << 63),
        ("1.0e+2", F16, 0x5640),
        ("0x3FF8000000000000", F32, 0x3FC00000),
        ("0x7FF8000000000000", F32, 0x7FC00000),
        ("0x7FF4000000000000", F32, 0x7FA00000),
        ("0x36A0000000000000", F32, 1),
        ("0xFFF0000000000000", BF16, 0xFF80),
        ("0xH3C00", F16, 0x3C00),
        ("0xR3F80", BF16, 0x3F80),
        ("0xK3FFF8000000000000000", F80, 0x3FFF8000000000000000),
        ("0xL00000000000000003FFF000000000000", F128, 0x3FFF << 112),
        ("f0x3FB8AA3B", F32, 0x3FB8AA3B),
        ("f0xBE5AE5F12CB0D246", F64, 0xBE5AE5F12CB0D246),
        ("+inf", F16, 0x7C00),
        ("-inf", F32, 0xFF800000),
        ("+qnan", BF16, 0x7FC0),
        ("-qnan", F64, 0xFFF8 << 48),
        ("+nan(0x3FFFFF)", F32, 0x7FFFFFFF),
        ("+snan(0x200000)", F32, 0x7FA00000),
        ("f0x13FB8AA3B", F32, None),
        ("+nan(0x400000)", F32, None),
        ("+snan(0x0)", F32, None),
        ("inf", F32, None),
        ("0xH3C00", BF16, None),
        ("0xH13C00", F16, None),
        ("1", F32, None),
        ("1.5", F80, None),
        ("0x", F32, None),
        ("abc", F32, None),
    ],
)
def test_spellings(token: str, type_: Attribute, wanted: int | None):
    assert parse_float_bits(token, type_) == wanted
