"""libdevice's functions run within the errors that CUDA's documentation states."""

from __future__ import annotations

import pytest
from libdevice_accuracy import (
    MathFunction,
    exact_worst,
    functions,
    linked,
    worst,
)

from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.simulator import prepare

COUNT = 10_000
EXACT_COUNT = 100

REFERENCE_ERROR = 1
"""What NumPy's own double-precision functions may be off by, in units in the last place."""

LIBDEVICE = find_libdevice()


@pytest.mark.skipif(
    LIBDEVICE is None, reason="no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME"
)
@pytest.mark.parametrize("function", functions(), ids=lambda f: f.name)
def test_error_bounds(function: MathFunction):
    program = prepare(linked(function, LIBDEVICE))
    error, where, got, wanted = worst(program, function, COUNT)
    allowed = function.bound + (REFERENCE_ERROR if not function.single and function.bound else 0)
    assert error <= allowed, f"{function.name}{where} is {got!r}, not {wanted!r}"
    if not function.single and function.bound:
        exact = exact_worst(program, function, EXACT_COUNT)
        assert exact is not None
        assert exact <= function.bound
