"""Modules that a launch accepts."""

from __future__ import annotations

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import SimulationError, launch
from nvvm_xdsl.simulator.launch import prepare
from nvvm_xdsl.simulator.program import Program

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


def _ptx_program(directive: str, body: str = "ret;") -> Program:
    text = f""".version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{directive}
{{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [k_param_0];
  {body}
}}
"""
    return prepare(convert(nvvm_xdsl.parse(text)))


@pytest.mark.parametrize(
    ("directive", "grid", "block", "message"),
    [
        (".maxntid 8, 4, 1", 1, 33, "allows 32 threads a block, not 33"),
        (".reqntid 8, 4, 1", 1, 32, r"requires blocks of \(8, 4, 1\) threads"),
        (".reqnctapercluster 2, 1, 1", 3, 1, "is not a multiple of the cluster"),
    ],
)
def test_bounds_of_ptx(directive: str, grid: int, block: int, message: str) -> None:
    out = np.zeros(1, np.int32)
    with pytest.raises(SimulationError, match=message):
        launch(_ptx_program(directive), None, grid, block, [out])
    launch(_ptx_program(directive), None, 2, (8, 4), [out])


def test_clusters_of_ptx() -> None:
    out = np.zeros(1, np.int32)
    body = "mov.u32 %r1, %cluster_nctaid.x; st.global.u32 [%rd1], %r1; ret;"
    launch(_ptx_program(".reqnctapercluster 2, 1, 1", body), None, 4, 1, [out])
    assert out[0] == 2


def test_arrays_at_fixed_addresses() -> None:
    first, second = np.array([0x1400_2000], np.uint64), np.array([41], np.int32)
    body = """ld.global.u64 %rd2, [%rd1];
  ld.global.u32 %r1, [%rd2];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd2], %r1;
  ret;"""
    memory = {0x1400_0000: first, 0x1400_2000: second}
    launch(_ptx_program("", body), None, 1, 1, [0x1400_0000], memory=memory)
    assert second[0] == 42


def test_a_fixed_address_below_the_variables() -> None:
    with pytest.raises(SimulationError, match="address 0x10 is below"):
        launch(_ptx_program(""), None, 1, 1, [0], memory={0x10: np.zeros(1)})


def test_variables_with_addresses_after_a_launch_with_fixed_addresses() -> None:
    module = convert(
        nvvm_xdsl.parse(""".version 7.8
.target sm_90
.address_size 64
.visible .global .align 4 .u32 number = 7;
.visible .global .align 8 .u64 pointer = generic(number);
.visible .entry k()
{
  ret;
}
""")
    )
    assert set(launch(module, None, 1, 1).variables) == {"number"}
    assert set(launch(module, None, 1, 1, memory={}).variables) == {"number", "pointer"}
