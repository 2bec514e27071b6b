"""Modules that a launch accepts."""

from __future__ import annotations

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.simulator import SimulationError, launch

STORE = """
define ptx_kernel void @k(ptr addrspace(1) %out) {
  store i32 7, ptr addrspace(1) %out
  ret void
}
"""


def test_ptx_is_launched_after_conversion() -> None:
    ptx = nvvm_xdsl.parse(nvvm_xdsl.compile(STORE, arch="sm_90"))
    out = np.zeros(1, np.int32)
    with pytest.raises(SimulationError, match=r"nvvm_xdsl\.codegen\.from_ptx\.convert\(module\)"):
        launch(ptx, "k", 1, 1, [out])
    launch(convert(ptx), "k", 1, 1, [out])
    assert out[0] == 7
