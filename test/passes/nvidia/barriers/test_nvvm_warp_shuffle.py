"""Exchanges of a warp through shared memory, before and after they become shuffles."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.pipeline import run_pipeline

BLOCK = 64
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
ADDRESS = "getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32"


def kernel(
    *,
    distances: tuple[int, ...] = (16, 3),
    size: str = "64,1,1",
    between: str = BARRIER,
    index: str = "xor",
    guard: str = "true",
    linkage: str = "internal",
    stored: str = "%tid",
) -> str:
    lines: list[str] = []
    at = "%x"
    for n, distance in enumerate(distances):
        lines += [
            f"store i32 {at}, ptr addrspace(3) %own",
            between,
            f"%i{n} = {index} i32 %tid, {distance}",
            f"%p{n} = {ADDRESS} %i{n}",
            f"%y{n} = load i32, ptr addrspace(3) %p{n}",
            BARRIER,
            f"%z{n} = mul i32 {at}, 3",
            f"%x{n} = add i32 %z{n}, %y{n}",
        ]
        at = f"%x{n}"
    body = "\n  ".join(lines)
    return f"""
target triple = "nvptx64-nvidia-cuda"
@tile = {linkage} addrspace(3) global [64 x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) "nvvm.reqntid"="{size}" {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = zext i32 %tid to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %t
  %x = load i32, ptr addrspace(1) %p
  %own = {ADDRESS} {stored}
  %some = icmp slt i32 %tid, 32
  %all = or i1 %some, true
  %c = and i1 %{"all" if guard == "true" else "some"}, true
  br i1 {guard if guard == "true" else "%c"}, label %body, label %end
body:
  {body}
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %t
  store i32 {at}, ptr addrspace(1) %o
  br label %end
end:
  ret void
}}
"""


def shuffles(text: str) -> int:
    module = read_ll(text)
    run_pipeline(module, "nvvm-warp-shuffle,branch-dist")
    return str(module).count("nvvm.shfl.sync")


def test_exchanges_become_shuffles():
    module = read_ll(kernel())
    numbers = np.arange(BLOCK, dtype=np.int32) * 7 + 1
    launch = Launch("k", block=(BLOCK, 1, 1), args=(numbers, np.zeros(BLOCK, np.int32)))
    assert_same_behaviour(module, "nvvm-warp-shuffle,branch-dist", [launch])
    run_pipeline(module, "nvvm-warp-shuffle,branch-dist")
    assert str(module).count("nvvm.shfl.sync") == 2
    assert "llvm.load" not in str(module).partition("llvm.cond_br")[2]
    # Loads of global memory may read stored values; the array's barriers are removed.
    assert str(module).count("nvvm.barrier0") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"distances": (32,)},
        {"size": "48,2,1"},
        {"size": "16,4,1"},
        {"between": ""},
        {"between": f"{BARRIER}\n  store i32 1, ptr addrspace(3) @tile"},
        {"index": "add"},
        {"guard": "divergent"},
        {"linkage": "weak"},
        {"stored": "0"},
    ],
)
def test_unproved_exchanges_are_kept(change: dict[str, str]):
    assert shuffles(kernel(**change)) == 0  # pyright: ignore[reportArgumentType]
