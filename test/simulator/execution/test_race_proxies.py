"""Reads through the async and the texture proxy of bytes that threads have written."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.simulator import Texture, sanitize

HEAD = """target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [4 x i32] undef, align 128
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)
"""

FENCE = 'call void asm sideeffect "fence.proxy.async;", "~{memory}"()'
ALIAS = 'call void asm sideeffect "fence.proxy.alias;", "~{memory}"()'
BARRIER = "call void @llvm.nvvm.barrier0()"


def notes(body: str, arrays: list[object], grid: int = 1, block: int = 32) -> list[str]:
    """The notes of the races of a kernel @k."""
    module = parse(HEAD + body, filename="k.ll")
    result = sanitize(module, "k", grid, block, arrays, checks=("race",))
    return [note for report in result.reports for note in report.notes]


def store_and_copy(writer: str, copier: str, barrier: str = BARRIER) -> list[str]:
    """All threads store to shared memory, and thread 0 copies it to global memory."""
    body = f"""define ptx_kernel void @k(ptr addrspace(1) %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = and i32 %t, 3
  %p = getelementptr [4 x i32], ptr addrspace(3) @s, i32 0, i32 %few
  store i32 %few, ptr addrspace(3) %p
  {writer}
  {barrier}
  %first = icmp eq i32 %t, 0
  br i1 %first, label %copy, label %end
copy:
  {copier}
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %out, ptr addrspace(3) @s, i32 16, i64 0, i1 0)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %end
end:
  ret void
}}"""
    return notes(body, [np.zeros(4, np.int32)], block=4)


@pytest.mark.parametrize(
    ("writer", "copier", "racing"),
    [
        ("", "", True),
        (FENCE, "", False),
        ("", FENCE, False),
        (ALIAS, ALIAS, True),
    ],
)
def test_bulk_copies_read_through_the_async_proxy(writer: str, copier: str, racing: bool) -> None:
    found = store_and_copy(writer, copier)
    assert any("no fence.proxy.async" in note for note in found) == racing
    assert bool(found) == racing


def test_a_proxy_fence_does_not_replace_a_barrier() -> None:
    assert store_and_copy(FENCE, FENCE, barrier="")


def test_a_proxy_fence_orders_earlier_stores_only() -> None:
    after = f"{FENCE}\n store i32 7, ptr addrspace(3) %p"
    assert store_and_copy(after, "")


@pytest.mark.parametrize(
    ("writer", "reader", "racing"),
    [("", "", True), (FENCE, "", False), ("", FENCE, False)],
)
def test_stores_of_another_block(writer: str, reader: str, racing: bool) -> None:
    """Block 0 stores and releases, block 1 acquires and copies from global memory."""
    body = f"""
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
@bar = internal addrspace(3) global i64 undef
define ptx_kernel void @k(ptr addrspace(1) %d, ptr addrspace(1) %f) {{
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %write, label %read
write:
  store i32 1, ptr addrspace(1) %d
  {writer}
  store atomic i32 1, ptr addrspace(1) %f release, align 4
  ret void
read:
  %v = load atomic i32, ptr addrspace(1) %f acquire, align 4
  {reader}
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @s, ptr addrspace(3) @bar, ptr addrspace(1) %d, i32 16, i64 0, i1 0)
  ret void
}}"""
    found = notes(body, [np.zeros(4, np.int32), np.zeros(1, np.int32)], 2, 1)
    assert any("no fence.proxy.async" in note for note in found) == racing


@pytest.mark.parametrize(("element", "racing"), [(0, True), (1, False)])
def test_loads_through_the_texture_proxy(element: int, racing: bool) -> None:
    body = f"""define ptx_kernel void @k(ptr addrspace(1) %d) {{
  store i32 1, ptr addrspace(1) %d
  {BARRIER}
  %p = getelementptr i32, ptr addrspace(1) %d, i64 {element}
  %v = call i32 asm sideeffect "ld.global.nc.u32 $0, [$1];", "=r,l"(ptr addrspace(1) %p)
  ret void
}}"""
    found = notes(body, [np.zeros(4, np.int32)], block=1)
    assert any("texture proxy" in note for note in found) == racing


@pytest.mark.parametrize(("texel", "racing"), [(0, True), (1, False)])
def test_texture_fetches_of_written_texels(texel: int, racing: bool) -> None:
    """A kernel that stores to the array of its texture reads old or new texels."""
    body = f"""define ptx_kernel void @k(i64 %texture, ptr addrspace(1) %d) {{
  store float 1.0, ptr addrspace(1) %d
  {BARRIER}
  %v = call {{ float, float, float, float }} @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %texture, i32 {texel})
  ret void
}}"""
    array = np.zeros(4, np.float32)
    found = notes(body, [Texture(array), array], block=1)
    assert any("texture proxy" in note for note in found) == racing
    assert notes(body, [Texture(array.copy()), array], block=1) == []
