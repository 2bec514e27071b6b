"""Rounding of exact numbers to float types."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from nvvm_xdsl.analysis.float_rounding import round_to
from nvvm_xdsl.dialects.llvm.types import F16, F32, F64


@pytest.mark.parametrize("type_", [F16, F32, F64])
@pytest.mark.parametrize("sign", [1, -1])
def test_overflow_rounds_to_infinity(type_: object, sign: int):
    """The square of the greatest double exceeds Python's float."""
    product = sign * Fraction(1.7e308) ** 2
    assert round_to(product, type_) == sign * math.inf
    assert round_to(product, type_, math.floor) is None
