"""These tests provoke floating-point exceptions; NumPy's warnings are disabled."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield
