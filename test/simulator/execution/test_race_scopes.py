"""Races between atomic operations whose scopes do not include the other thread."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.simulator import sanitize
from nvvm_xdsl.tools.launched_module import select_module

NARROW, WIDE = 'syncscope("block") ', ""


def races(first: str, second: str, grid: int, block: int, *, select: bool = False) -> list[str]:
    """The notes of the races if block 0 has one atomic operation and other blocks another one."""
    text = f"""
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr addrspace(1) %a) {{
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %zero = icmp eq i32 %b, 0
  br i1 %zero, label %one, label %other
one:
  %o = atomicrmw add ptr addrspace(1) %a, i32 1 {first}monotonic
  ret void
other:
  %p = atomicrmw add ptr addrspace(1) %a, i32 1 {second}monotonic
  ret void
}}
"""
    module = parse(text, filename="k.ll")
    if select:
        module = select_module(module, "sm_80")
    result = sanitize(module, "k", grid, block, [np.zeros(1, np.int32)], checks=("race",))
    return [note for report in result.reports for note in report.notes]


@pytest.mark.parametrize("select", [False, True])
@pytest.mark.parametrize(
    ("first", "second", "racing"),
    [(WIDE, WIDE, False), (NARROW, WIDE, True), (WIDE, NARROW, True), (NARROW, NARROW, True)],
)
def test_block_scope_does_not_include_other_blocks(
    first: str, second: str, racing: bool, select: bool
) -> None:
    notes = races(first, second, 2, 1, select=select)
    assert racing == ("Both are atomic, but block scope does not include other blocks" in notes)
    assert racing == bool(notes)


def test_block_scope_includes_the_own_block() -> None:
    assert not races(NARROW, NARROW, 1, 64)
