"""`cvt.pack` and `createpolicy`: PTX ISA 9.7.9.22 and 9.7.9.18."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.machine_kernels import Kernel, execute

import nvvm_xdsl
from nvvm_xdsl.dialects.nvptx import B64, addr, fimm, imm, layout
from nvvm_xdsl.simulator import SimulationError, launch

BIG, SMALL = 2**31 - 1, 1 << 31  # the greatest and, in two's complement, the least of 32 bits
MINUS = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("opcode", "columns", "wanted"),
    [
        # b is the lower half, a the upper one; both are saturated first.
        (
            "cvt.pack.sat.u16.s32",
            [[BIG, 1, MINUS], [SMALL, 2, 65536]],
            [0xFFFF0000, 0x10002, 0xFFFF],
        ),
        (
            "cvt.pack.sat.s16.s32",
            [[BIG, MINUS, 1], [SMALL, 32768, 2]],
            [0x7FFF8000, 0xFFFF7FFF, 0x10002],
        ),
        # c is shifted up by the packed two.
        (
            "cvt.pack.sat.u8.s32.b32",
            [[256, MINUS, 1], [255, 5, 2], [0x11223344, 0, 0xFFFFFFFF]],
            [0x3344FFFF, 0x0005, 0xFFFF0102],
        ),
        (
            "cvt.pack.sat.s8.s32.b32",
            [[128, SMALL, MINUS], [-129 & MINUS, 127, 1], [0x1122, 0, 7]],
            [0x11227F80, 0x807F, 0x7FF01],
        ),
        ("cvt.pack.sat.u4.s32.b32", [[16, MINUS], [7, 15], [0xABCDEF, 0]], [0xABCDEFF7, 0x0F]),
        ("cvt.pack.sat.s4.s32.b32", [[8, SMALL], [-9 & MINUS, MINUS], [0, 1]], [0x78, 0x18F]),
        ("cvt.pack.sat.u2.s32.b32", [[4, MINUS], [2, 1], [0xF, 0x80000000]], [0xFE, 0x1]),
        ("cvt.pack.sat.s2.s32.b32", [[2, SMALL], [-3 & MINUS, MINUS], [0, 1]], [0x6, 0x1B]),
    ],
)
def test_packing(opcode: str, columns: list[list[int]], wanted: list[int]):
    assert execute(opcode, columns) == [wanted]


PACK = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i32 %a, i32 %b, ptr %out) {
  %r = call i32 asm "{.reg .b32 t; cvt.pack.sat.u8.s32.b32 t, $1, $2, 0; cvt.pack.sat.u8.s32.b32 $0, 9, 300, t; }", "=r,r,r"(i32 %a, i32 UNDEF)
  store i32 %r, ptr %out
  ret void
}
"""


def test_packing_four_bytes():
    """As used for quantized layers: the first pair is in the upper half."""
    out = np.zeros(1, np.uint32)
    module = nvvm_xdsl.parse(PACK.replace("UNDEF", "%b"), format="ll")
    launch(module, "k", 1, 1, [1, 2, out])
    assert out.tolist() == [0x010209FF]
    undefined = nvvm_xdsl.parse(PACK.replace("UNDEF", "undef"), format="ll")
    with pytest.raises(SimulationError, match="undefined"):
        launch(undefined, "k", 1, 1, [1, 2, out], checks=["init"])


def test_policies_are_accepted_by_loads_and_stores():
    """Cache policies are opaque and do not affect results."""
    kernel = Kernel(2)
    place, target = kernel.address(0, 16), kernel.address(1, 16)
    first = kernel.add("createpolicy", "fractional.L2::evict_first.b64", (), [B64]).results[0]
    half = kernel.add(
        "createpolicy", "fractional.L2::evict_last.L2::evict_unchanged.b64", (), [B64],
        layout(fimm(0x3F000000, 32)),
    ).results[0]  # fmt: skip
    ranged = kernel.add(
        "createpolicy", "range.L2::evict_last.L2::evict_first.b64", [place], [B64],
        layout(addr(), imm(16), imm(32)),
    ).results[0]  # fmt: skip
    same = kernel.add("createpolicy", "cvt.L2.b64", [ranged], [B64]).results[0]
    value = kernel.add(
        "ld", "global.L2::cache_hint.b64", [place, first], [B64], layout(addr(), (0,))
    ).results[0]
    kernel.add(
        "st", "global.L2::cache_hint.b64", [target, value, half], (), layout(addr(), (0,), (0,))
    )
    kernel.add(
        "red", "global.add.L2::cache_hint.u64", [target, value, same], (),
        layout(addr(), (0,), (0,)),
    )  # fmt: skip
    source, out = np.array([[21, 0]], np.uint64), np.zeros((1, 2), np.uint64)
    launch(kernel.module(), "k", 1, 1, [source, out])
    assert out[0].tolist() == [42, 0]


def test_a_policy_in_text():
    """The form of CUTLASS and Triton."""
    source = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p, ptr %out) {
  %r = call i32 asm sideeffect "{ .reg .b64 p; createpolicy.fractional.L2::evict_last.b64 p, 1.0; ld.global.L2::cache_hint.b32 $0, [$1], p; }", "=r,l"(ptr addrspace(1) %p)
  store i32 %r, ptr %out
  ret void
}
"""
    out = np.zeros(1, np.uint32)
    module = nvvm_xdsl.parse(source, format="ll")
    launch(module, "k", 1, 1, [np.array([77], np.uint32), out])
    assert out.tolist() == [77]


def test_decimal_constants_have_the_type_of_the_instruction():
    source = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(float %a, double %b, ptr %f, ptr %d) {
  %r = call float asm "add.f32 $0, $1, 1.5;", "=f,f"(float %a)
  store float %r, ptr %f
  %s = call double asm "add.f64 $0, $1, -2.5;", "=d,d"(double %b)
  store double %s, ptr %d
  ret void
}
"""
    single, double = np.zeros(1, np.float32), np.zeros(1)
    launch(nvvm_xdsl.parse(source, format="ll"), "k", 1, 1, [1.0, 1.0, single, double])
    assert (single[0], double[0]) == (2.5, -1.5)
