"""Floating-point constants by their bits, including NaNs with payloads."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from helpers.roundtrip import parse, show
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, VectorType
from xdsl.dialects.llvm import ConstantOp

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.constants import (
    constant_of,
    convert_bits,
    elements_of,
    float_bits,
    float_from_bits,
    is_nan,
    is_zero,
    vector_constant,
)
from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, F64, F80, F128, I8, I32
from nvvm_xdsl.ir import fast


@pytest.mark.slow
@pytest.mark.parametrize("type_", [F16, BF16])
def test_every_16_bit_value(type_):
    for bits in range(1 << 16):
        assert float_bits(float_from_bits(bits, type_)) == bits


def test_half_values_equal_those_of_numpy():
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    for bits, value in enumerate(every):
        found = float_from_bits(bits, F16).value.data
        assert found == value or (math.isnan(found) and math.isnan(value))


@given(st.integers(0, (1 << 32) - 1))
def test_f32(bits: int):
    attr = float_from_bits(bits, F32)
    assert float_bits(attr) == bits
    if not is_nan(attr):
        assert struct.pack("<f", attr.value.data) == bits.to_bytes(4, "little")
        assert attr == FloatAttr(attr.value.data, F32)


@given(st.integers(0, (1 << 64) - 1))
def test_f64(bits: int):
    attr = float_from_bits(bits, F64)
    assert float_bits(attr) == bits


@given(st.floats(width=32, allow_nan=False))
def test_wider_types_hold_narrower_values(value: float):
    for type_ in (F32, F64, F80, F128):
        attr = FloatAttr(value, type_)
        assert float_from_bits(float_bits(attr), type_) == attr


def test_known_bits_of_wide_types():
    assert float_bits(FloatAttr(1.5, F80)) == 0x3FFF_C000_0000_0000_0000
    assert float_bits(FloatAttr(-2.0, F128)) == 0xC000 << 112
    assert float_bits(FloatAttr(math.inf, F80)) == 0x7FFF_8000_0000_0000_0000


def test_a_value_that_is_no_double():
    with pytest.raises(ValueError, match="too many digits"):
        float_from_bits((0x3FFF << 112) | 1, F128)
    with pytest.raises(ValueError, match="too large"):
        float_from_bits(0x7FFE << 112, F128)
    with pytest.raises(ValueError, match="no floating-point format"):
        float_from_bits(0, I32)


def test_zeros_and_nans_are_distinguished():
    assert float_from_bits(0, F32) != float_from_bits(1 << 31, F32)
    assert float_from_bits(0x7FC00000, F32) != float_from_bits(0x7FC00001, F32)
    assert float_from_bits(0x7F800001, F32) != float_from_bits(0x7FC00001, F32)
    assert not is_zero(float_from_bits(1 << 31, F32))
    assert is_zero(float_from_bits(0, F64))


def test_a_narrowed_nan_stays_a_nan():
    formats = convert_bits.__globals__["FORMATS"]
    double, half = formats[type(F64)], formats[type(F16)]
    assert convert_bits(0x7FF0_0000_0000_0001, double, half) == 0x7C01


@pytest.mark.parametrize(
    "text",
    [
        "0x7F800001 : f32",
        "0x7FC12345 : f32",
        "0xFFF0000000000001 : f64",
        "0x7C01 : f16",
        "0x7F81 : bf16",
        "0xFF800000 : f32",
    ],
)
def test_text_keeps_the_bits(text: str):
    type_ = text.split(": ")[1]
    module = parse(f"llvm.func @f() {{\n%0 = llvm.mlir.constant({text}) : {type_}\nllvm.return\n}}")
    assert text in show(module)
    op = next(op for op in module.walk() if isinstance(op, ConstantOp))
    assert float_bits(op.properties["value"]) == int(text.split(" ")[0], 16)


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("1.5e+200 : f32", "0x7F800000 : f32"),
        ("-1.5e+200 : f16", "0xFC00 : f16"),
        ("1.5e+200 : bf16", "0x7F80 : bf16"),
        ("dense<[1.0, -1.5e+200]> : vector<2xf32>", "0xFF800000]> : vector<2xf32>"),
    ],
)
def test_too_large_a_number_is_infinite_as_in_mlir(text: str, bits: str):
    type_ = text.rsplit(": ")[1]
    module = parse(f"llvm.func @f() {{\n%0 = llvm.mlir.constant({text}) : {type_}\nllvm.return\n}}")
    assert bits in show(module)


def test_constants_of_values():
    op = fast.create(ConstantOp, (), (I32,), {"value": types.int_attr(-3, I32)})
    assert constant_of(op.results[0]) == IntegerAttr(-3, I32)
    block = fast.new_block([I32])
    assert constant_of(block.args[0]) is None


def test_elements_of_dense_constants():
    attr = vector_constant([1, 255, 128], VectorType(I8, [3]))
    assert list(elements_of(attr)) == [1, 255, 128]
    ones = vector_constant([0x3F800000] * 4, VectorType(F32, [4]))
    assert is_zero(vector_constant([0, 0], VectorType(F32, [2])))
    assert not is_zero(ones)
