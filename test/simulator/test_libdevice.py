"""libdevice's functions run within the errors that CUDA's documentation states."""

from __future__ import annotations

import pytest
from helpers import libdevice_special as special
from helpers.libdevice_accuracy import (
    MathFunction,
    exact_worst,
    functions,
    linked,
    run,
    worst,
)
from helpers.scale import slow_but

from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.simulator import prepare

COUNT = 10_000
EXACT_COUNT = 100

REFERENCE_ERROR = 1
"""Allowed error of NumPy's own double-precision functions, in units in the last place."""

SAMPLE = 60
"""The number of arguments compared with mpmath if a reference takes milliseconds."""

QUICK = ("__nv_expf", "__nv_sinf", "__nv_log")

LIBDEVICE = find_libdevice()


@pytest.mark.skipif(
    LIBDEVICE is None, reason="no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME"
)
@pytest.mark.parametrize("function", slow_but(functions(), QUICK, lambda f: f.name))
def test_error_bounds(function: MathFunction):
    program = prepare(linked(function, LIBDEVICE))
    error, where, got, wanted = worst(program, function, COUNT)
    allowed = function.bound + (REFERENCE_ERROR if not function.single and function.bound else 0)
    assert error <= allowed, f"{function.name}{where} is {got!r}, not {wanted!r}"
    if not function.single and function.bound:
        exact = exact_worst(program, function, EXACT_COUNT)
        assert exact is not None
        assert exact <= function.bound


@pytest.mark.slow
@pytest.mark.skipif(
    LIBDEVICE is None, reason="no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME"
)
@pytest.mark.parametrize("chosen", special.functions(), ids=lambda s: s.function.name)
def test_error_bounds_of_special_functions(chosen: special.Special):
    columns = special.arguments(chosen, COUNT)
    got = run(prepare(linked(chosen.function, LIBDEVICE)), chosen.function, columns)
    sample = [c[:SAMPLE] for c in columns]
    assert special.wrong(chosen, sample, got[:SAMPLE]) == ""
