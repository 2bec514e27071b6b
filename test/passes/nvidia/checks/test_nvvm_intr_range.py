"""Every value of a special register in a launch is in the range of its loads."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from nvvm_xdsl.analysis.values.value_tracking import range_attribute
from nvvm_xdsl.dialects.llvm.symbols import functions_of, walk_function
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.nvidia.checks.nvvm_intr_range import REGISTERS
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.simulator import launch

NAMES = [
    *(f"{base}.{axis}" for base in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"),
    *(f"{base}.{axis}" for base in ("cluster.ctaid", "cluster.nctaid") for axis in "xyz"),
    *(f"{base}.{axis}" for base in ("clusterid", "nclusterid") for axis in "xyz"),
    "cluster.ctarank",
    "cluster.nctarank",
    "laneid",
    "warpsize",
]


def kernel(bounds: str) -> str:
    """Stores the registers of every thread, one array after the other."""
    reads = "".join(
        f"  %r{n} = call i32 @llvm.nvvm.read.ptx.sreg.{name}()\n"
        f"  %p{n} = getelementptr i32, ptr addrspace(1) %out, i32 %i{n}\n"
        f"  store i32 %r{n}, ptr addrspace(1) %p{n}\n"
        f"  %i{n + 1} = add i32 %i{n}, %count\n"
        for n, name in enumerate(NAMES)
    )
    return f"""target triple = "nvptx64-nvidia-cuda"
    define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %next, i32 %count) {bounds} {{
      %i0 = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic
    {reads}
      ret void
    }}"""


@pytest.mark.parametrize(
    ("bounds", "grid", "block", "cluster"),
    [
        ("", (3, 2, 2), (8, 4, 2), None),
        ("", 1, 1024, None),
        ("", 1, (1, 1, 64), None),
        ('"nvvm.maxntid"="64,2,1"', 2, (2, 64), None),
        ('"nvvm.reqntid"="32,2"', (1, 3), (32, 2), None),
        ('"nvvm.cluster_dim"="2,2,1"', (4, 2), 32, (2, 2)),
        ('"nvvm.maxclusterrank"="4"', 8, 32, 4),
    ],
)
def test_values_are_in_range(
    bounds: str,
    grid: int | tuple[int, ...],
    block: int | tuple[int, ...],
    cluster: int | tuple[int, ...] | None,
):
    module = read_ll(kernel(bounds), "kernel.ll")
    count = int(np.prod(grid)) * int(np.prod(block))
    out = np.zeros(count * len(NAMES), np.int32)
    launch(module, "k", grid, block, [out, np.zeros(1, np.int32), count], cluster=cluster)
    found = dict(zip(NAMES, out.reshape(len(NAMES), count)))

    PassManager("nvvm-intr-range").run(module)
    (func,) = functions_of(module)
    reads = {REGISTERS[op.__class__]: op for op in walk_function(func) if op.__class__ in REGISTERS}
    assert set(reads) == set(NAMES)
    for name, op in reads.items():
        stated = range_attribute(op)
        assert stated is not None, name
        for value in {int(found[name].min()), int(found[name].max())}:
            assert stated.contains(value), (name, value, str(stated))


def test_equal_reads_have_ranges_before_and_after_definitions_are_created():
    code = """
from nvvm_xdsl.dialects.nvvm import NVVM
for op in NVVM.operations:
    op.get_irdl_definition()
from nvvm_xdsl.passes.nvidia.checks.nvvm_intr_range import REGISTERS
assert set(REGISTERS.values()) == {
    op.name.removeprefix("nvvm.read.ptx.sreg.")
    for op in NVVM.operations
    if op.name.startswith("nvvm.read.ptx.sreg.") and "range" in op.get_irdl_definition().properties
}
assert "tid.x" in REGISTERS.values()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
