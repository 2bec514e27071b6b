"""Floating-point exceptions are what these tests provoke: NumPy need not warn of them."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield
