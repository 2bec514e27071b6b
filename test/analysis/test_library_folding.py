"""Folding of calls of libdevice: results against Python's functions, and refused arguments."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nvvm_xdsl.analysis.library_folding import fold_library_call
from nvvm_xdsl.dialects.llvm.types import F32, F64, I32, float_attr, int_attr

UNARY = {
    "acos": math.acos,
    "acosh": math.acosh,
    "asin": math.asin,
    "asinh": math.asinh,
    "atan": math.atan,
    "atanh": math.atanh,
    "cbrt": np.cbrt,
    "cos": math.cos,
    "cosh": math.cosh,
    "exp": math.exp,
    "exp10": lambda x: 10.0**x,
    "exp2": lambda x: 2.0**x,
    "log": math.log,
    "log10": math.log10,
    "log1p": math.log1p,
    "log2": math.log2,
    "rcbrt": lambda x: 1 / np.cbrt(x),
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "sin": math.sin,
    "sinh": math.sinh,
    "tan": math.tan,
    "tanh": math.tanh,
}
ARGUMENTS = (0.7, -0.7, 3.3, -3.3, 1.0, -1.0, 0.5, 1e-5, 100.25, 1e6 + 0.5, 3e15, 1e-19, 700.0)


def folded(name, *numbers, type_=F64):
    result = fold_library_call(f"__nv_{name}", [float_attr(n, type_) for n in numbers])
    return None if result is None else result.value.data


@pytest.mark.parametrize("name", UNARY)
def test_results(name):
    """Within two units in the last place of the host's results, and undefined where these are."""
    count = 0
    for x in ARGUMENTS:
        try:
            expected = float(UNARY[name](x))
        except (ValueError, OverflowError, ZeroDivisionError):
            expected = math.nan
        result = folded(name, x)
        if result is None:
            assert not math.isfinite(expected) or expected == 0 or abs(x) > 1e6
        else:
            assert abs(result - expected) <= 2 * math.ulp(expected)
            count += 1
    assert count >= 3


def test_exact_results():
    assert folded("pow", 2.0, 10.0) == 1024
    assert folded("pow", -2.0, 3.0) == -8
    assert folded("log10", 1000.0) == 3
    assert folded("exp2", -3.0) == 0.125
    assert folded("hypot", 3.0, 4.0) == 5
    assert folded("cbrt", -27.0) == -3
    assert folded("fmod", -7.5, 2.0) == -1.5
    assert folded("cos", 0.0) == 1
    assert folded("acos", -1.0) == math.pi
    assert folded("asin", -1.0) == -math.pi / 2


def test_results_of_single_precision_are_rounded_once():
    assert folded("powf", 2.0, 0.5, type_=F32) == np.float32(math.sqrt(2.0))
    assert folded("expf", 2.0, type_=F32) == np.float32(math.exp(2.0))
    assert folded("fmodf", 7.5, 2.0, type_=F32) == 1.5


def test_only_positive_zeros_are_results():
    for name in ("log", "log2", "log10", "acosh", "acos"):
        assert folded(name, 1.0) == 0
        assert math.copysign(1, folded(name, 1.0)) == 1
    for name in ("sin", "tan", "atan", "sinh", "cbrt", "log1p"):
        assert folded(name, 0.0) is None
    assert folded("fmod", -4.0, 2.0) is None


def test_refused_arguments():
    assert folded("log", 0.0) is None  # minus infinity
    assert folded("log", -1.0) is None  # NaN
    assert folded("atanh", 1.0) is None  # infinity
    assert folded("pow", 0.0, -1.0) is None
    assert folded("fmod", 1.0, 0.0) is None
    assert folded("exp", 710.0) is None  # overflow
    assert folded("expf", 100.0, type_=F32) is None
    assert folded("exp", -740.0) is None  # a denormal
    assert folded("expf", -100.0, type_=F32) is None
    for number in (math.inf, -math.inf, math.nan, 5e-324, 1e-21, 1e21):
        assert folded("cos", number) is None
    assert folded("cos", 1.0, type_=F32) is None  # another type
    assert folded("nothing", 1.0) is None
    assert folded("pow", 2.0) is None
    assert folded("cos", 2.0, 2.0) is None
    assert folded("fmod", 2.0) is None
    assert fold_library_call("__nv_cos", [None]) is None
    assert fold_library_call("__nv_cos", [int_attr(1, I32)]) is None
