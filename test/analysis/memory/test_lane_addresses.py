"""Predicted addresses of the threads of a warp equal those in the simulator."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.lane_addresses import LaneAddresses
from nvvm_xdsl.analysis.memory.warp_accesses import WarpAccesses
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator import launch

SOURCE = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
{body}
  %l = sext i32 %i to i64
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %l
  %tl = zext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %tl
  store i32 %i, ptr addrspace(1) %p
  ret void
}}
"""

BODIES = {
    "xor": "%i = xor i32 %t, 21",
    "swizzle": "%r = lshr i32 %t, 3\n%c = and i32 %t, 7\n%x = xor i32 %r, %c\n%y = shl i32 %x, 4\n%z = mul i32 %r, 128\n%i = add i32 %y, %z",
    "negative": "%a = sub i32 3, %t\n%i = ashr i32 %a, 1",
    "logical shift of a negative number": "%a = sub i32 3, %t\n%b = lshr i32 %a, 30\n%i = shl i32 %b, 2",
    "divisions": "%d = udiv i32 %t, 5\n%m = urem i32 %t, 5\n%s = mul i32 %m, 8\n%i = add i32 %s, %d",
    "signed comparison": "%a = sub i32 %t, 9\n%c = icmp slt i32 %a, 3\n%i = select i1 %c, i32 %t, i32 7",
    "unsigned comparison": "%a = sub i32 %t, 9\n%c = icmp ult i32 %a, 3\n%i = select i1 %c, i32 %t, i32 7",
    "narrow": "%a = trunc i32 %t to i4\n%b = mul i4 %a, 3\n%x = xor i4 %b, 5\n%i = sext i4 %x to i32",
    "bits": "%a = or i32 %t, 4\n%i = and i32 %a, 29",
}


def offsets(body: str) -> tuple[int, ...] | None:
    (func,) = [f for f in functions_of(parse(SOURCE.format(body=body))) if f.body.blocks]
    geps = [op for op in func.walk() if op.name == "llvm.getelementptr"]
    return LaneAddresses(func, Uniformity(func)).offsets(geps[0].results[0])


@pytest.mark.parametrize("name", BODIES)
def test_addresses_equal_those_of_the_simulator(name: str):
    out = np.zeros(32, np.int32)
    launch(parse(SOURCE.format(body=BODIES[name])), "k", args=(out, 0), grid=1, block=32)
    found = offsets(BODIES[name])
    assert found is not None
    assert list(found) == out.tolist()


@pytest.mark.parametrize(
    "body",
    [
        "%i = xor i32 %t, %n",
        "%a = add i32 %t, %n\n%i = and i32 %a, 7",
        "%i = mul i32 %t, %n",
        "%c = icmp slt i32 %t, %n\n%i = select i1 %c, i32 %t, i32 7",
        "%i = udiv i32 5, %t",
        "%i = load i32, ptr addrspace(1) %out\n%u = add i32 %t, %i",
    ],
)
def test_unknown_addresses(body: str):
    found = offsets(body)
    # A load from a uniform address is uniform.
    assert found == ((0,) * 32 if "load" in body else None)


def test_uniform_terms_are_ignored():
    assert offsets("%x = xor i32 %t, 3\n%i = add i32 %x, %n") == tuple(t ^ 3 for t in range(32))


@pytest.mark.parametrize(
    ("column", "degree"),
    [("%c", 8), ("%x", 1)],
)
def test_a_swizzled_tile_has_no_conflicts(column: str, degree: int):
    """Rows of 128 bytes, a column of 16 bytes of each: by its number, or swizzled by the row."""
    module = parse(f"""
@tile = internal addrspace(3) global [8 x [8 x <4 x float>]] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(<4 x float> %v) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = and i32 %t, 7
  %c = lshr i32 %t, 3
  %x = xor i32 %c, %r
  %p = getelementptr [8 x [8 x <4 x float>]], ptr addrspace(3) @tile, i32 0, i32 %r, i32 {column}
  store <4 x float> %v, ptr addrspace(3) %p
  ret void
}}""")
    (func,) = [f for f in functions_of(module) if f.body.blocks]
    (access,) = AnalysisManager().get(WarpAccesses, func).accesses
    assert access.stride is None
    assert access.degree == degree
    assert fast.operands_of(access.op)
