"""Atomic operations on floats: subnormal results and the instructions that flush them."""

from __future__ import annotations

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.simulator import launch

SOURCE = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p, float %x) {{
  %r = atomicrmw {name} ptr addrspace(1) %p, float %x monotonic
  ret void
}}
"""
TINY = np.float32(1e-41)


@pytest.mark.parametrize(
    ("name", "ftz", "instruction", "expected"),
    [
        ("fsub", False, "cas.b32", -TINY),
        ("fsub", True, "add.f32", np.float32(0)),
        ("fadd", False, "add.f32", np.float32(0)),
    ],
)
def test_subnormal_results(name: str, ftz: bool, instruction: str, expected: np.float32):
    """`atom.add.f32` flushes subnormals, so a subtraction uses it only under ftz."""
    source = SOURCE.format(name=name)
    options = nvvm_xdsl.CompileOptions(arch="sm_90", ftz=ftz)
    ptx = nvvm_xdsl.compile(source, options=options)
    assert f".global.{instruction}" in ptx
    modules = [convert(read_ptx(ptx)), *([] if ftz else [nvvm_xdsl.parse(source)])]
    for module in modules:
        memory = np.zeros(1, np.float32)
        launch(module, "k", 1, 1, [memory, TINY])
        assert memory[0] == expected
