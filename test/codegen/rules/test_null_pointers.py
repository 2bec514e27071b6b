"""Null pointers of shared, local and constant memory, cast to generic pointers and back.

The rule (docs/deviations.md, "Address spaces"): a cast converts an address by its value, as `cvta` does.
"""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.codegen.from_ptx import convert as convert_from_ptx
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

SPACES = {1: 64, 3: 64, 4: 64, 5: 64}
CASES = [
    *(f"addrspacecast ptr addrspace({space}) null to ptr" for space in SPACES),
    *(f"addrspacecast ptr addrspace({space}) %zero{space} to ptr" for space in SPACES),
    "addrspacecast ptr addrspace(3) %eight3 to ptr",
]
BACK = [
    f"addrspacecast ptr {value} to ptr addrspace({space})"
    for space in SPACES
    for value in ("null", "%zero0")
]


def program() -> str:
    """Stores each pointer as a number; dynamic pointers are computed from %n, which is 0."""
    lines = [f"%zero{space} = inttoptr i64 %n to ptr addrspace({space})" for space in (*SPACES, 0)]
    lines += ["%m = add i64 %n, 8", "%eight3 = inttoptr i64 %m to ptr addrspace(3)"]
    for number, case in enumerate([*CASES, *BACK]):
        pointer = case.rpartition(" to ")[2]
        lines += [
            f"%c{number} = {case}",
            f"%i{number} = ptrtoint {pointer} %c{number} to i64",
            f"%o{number} = getelementptr i64, ptr addrspace(1) %out, i64 {number}",
            f"store i64 %i{number}, ptr addrspace(1) %o{number}",
        ]
    body = "\n  ".join(lines)
    return (
        f"define ptx_kernel void @k(ptr addrspace(1) %out, i64 %n) {{\n  {body}\n  ret void\n}}\n"
    )


def numbers(module: ModuleOp, count: int, kernel: str = "k") -> list[int]:
    out = np.full(count, -1, np.int64)
    launch(module, kernel, 1, 1, [out, 0])
    return out.tolist()


@pytest.mark.parametrize("pipeline", ["", "instcombine", "infer-address-spaces", "nvopt<O3>"])
def test_casts_convert_by_value(pipeline: str):
    count = len(CASES) + len(BACK)
    module = read_ll(program())
    if pipeline:
        run_pipeline(module, pipeline)
    found = numbers(module, count)
    generic = dict(zip(CASES, found))
    for space in SPACES:
        constant = generic[f"addrspacecast ptr addrspace({space}) null to ptr"]
        assert constant == generic[f"addrspacecast ptr addrspace({space}) %zero{space} to ptr"]
        # Address 0 of a space is not a null pointer in generic memory, but generic and global
        # addresses are the same.
        assert (constant == 0) == (space == 1)
    window = generic["addrspacecast ptr addrspace(3) null to ptr"]
    assert generic["addrspacecast ptr addrspace(3) %eight3 to ptr"] == window + 8
    # Casting null to a space and back gives address 0 of the space.
    assert found[len(CASES) :] == [0] * len(BACK)
    options = CodegenOptions.for_arch("sm_90")
    assert numbers(select(module.clone(), options), count) == found


@pytest.mark.parametrize("level", [0, 3])
def test_ptx(level: int):
    count = len(CASES) + len(BACK)
    ptx = compile(program(), arch="sm_90", opt_level=level)
    assert numbers(convert_from_ptx(read_ptx(ptx)), count) == numbers(read_ll(program()), count)
    assert ptx.count("cvta.shared.u64") >= 2


INITIALIZERS = """
@other = addrspace(1) global i64 0
@t = addrspace(1) global [5 x ptr] [
  ptr addrspacecast (ptr addrspace(3) null to ptr),
  ptr addrspacecast (ptr addrspace(5) null to ptr),
  ptr addrspacecast (ptr addrspace(1) null to ptr),
  ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) null, i64 8) to ptr),
  ptr addrspacecast (ptr addrspace(1) @other to ptr)
]
define ptx_kernel void @k(ptr addrspace(1) %out, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %from = getelementptr i64, ptr addrspace(1) @t, i64 %i
  %v = load i64, ptr addrspace(1) %from
  %to = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %v, ptr addrspace(1) %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}
"""


def test_initializers_hold_numbers():
    """PTX has no constant expression for the start of a window: initializers hold the address itself."""
    found = numbers(read_ll(INITIALIZERS), 5)
    assert found[:4] == [0, 0, 0, 8]
    assert found[4] != 0
    options = CodegenOptions.for_arch("sm_90")
    assert numbers(select(read_ll(INITIALIZERS), options), 5)[:4] == found[:4]
    assert (
        numbers(convert_from_ptx(read_ptx(compile(INITIALIZERS, arch="sm_90"))), 5)[:4] == found[:4]
    )
