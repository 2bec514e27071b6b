"""Modules that a launch accepts."""

from __future__ import annotations

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import select
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


def test_an_alias_has_the_address_of_its_variable() -> None:
    module = read_ll(
        """
target triple = "nvptx64-nvidia-cuda"
@variable = internal global i32 7
@name = internal alias i32, ptr @variable
@other = internal alias i32, ptr @name
define ptx_kernel void @k(ptr %out) {
  %x = load i32, ptr @other
  store i32 %x, ptr %out
  ret void
}
""",
        "alias.ll",
    )
    out = np.zeros(1, np.int32)
    launch(module, "k", 1, 1, [out])
    assert out[0] == 7


def test_an_alias_of_an_expression_is_an_error() -> None:
    module = read_ll(
        """
target triple = "nvptx64-nvidia-cuda"
@words = internal global [2 x i32] [i32 7, i32 8]
@second = internal alias i32, ptr getelementptr (i8, ptr @words, i64 4)
define ptx_kernel void @k(ptr %out) {
  %x = load i32, ptr @second
  store i32 %x, ptr %out
  ret void
}
""",
        "alias.ll",
    )
    with pytest.raises(SimulationError, match="@second is an alias of an expression"):
        launch(module, "k", 1, 1, [np.zeros(1, np.int32)])


def test_a_number_for_a_wide_integer_in_ptx() -> None:
    """In PTX the parameter is an array of bytes."""
    module = nvvm_xdsl.parse(
        """
define ptx_kernel void @k(ptr addrspace(1) %p, i128 %x) {
  store i128 %x, ptr addrspace(1) %p
  ret void
}"""
    )
    for number in ((5 << 64) + 3, -2):
        out = np.zeros(2, np.uint64)
        launch(select(module), "k", 1, 1, [out, number])
        assert int(out[0]) + (int(out[1]) << 64) == number % (1 << 128)
