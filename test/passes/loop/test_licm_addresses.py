"""The conditions under which `licm` splits an index, and the results of the new addresses."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.verified import verify
from xdsl.dialects.llvm import GEPOp

import nvvm_xdsl
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.simulator import launch

KERNEL = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %p, ptr %q, i32 %row, i64 %long, i32 %n) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = add i32 %t, 3
  %outer = add i64 %long, 4
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %j, %latch ]
  %w = sext i32 %i to i64
  {body}
  br label %latch
latch:
  store i32 %i, ptr %a
  %j = add i32 %i, 5
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""

SPLIT = {
    "64 bits": "%k = add i64 %w, %long\n %a = getelementptr i32, ptr %p, i64 %k",
    "the sum first": "%k = add i64 %long, %w\n %a = getelementptr i32, ptr %p, i64 %k",
    "two sums": "%l = add i64 %w, %long\n %k = add i64 %l, %outer\n %a = getelementptr i32, ptr %p, i64 %k",
    "four users": """%k = add i64 %w, %long
      %b = getelementptr i32, ptr %q, i64 %k\n store i32 1, ptr %b
      %d = getelementptr i8, ptr %q, i64 %k\n store i8 2, ptr %d
      %e = getelementptr i16, ptr %q, i64 %k\n store i16 3, ptr %e
      %a = getelementptr i32, ptr %p, i64 %k""",
}
KEPT = {
    "32 bits": "%k = add nsw i32 %row, %i\n %a = getelementptr i32, ptr %p, i32 %k",
    "no sum": "%k = sub i64 %w, %long\n %a = getelementptr i32, ptr %p, i64 %k",
    "constant": "%k = add i64 %w, 7\n %a = getelementptr i32, ptr %p, i64 %k",
    "no invariant part": "%k = add i64 %w, %w\n %a = getelementptr i32, ptr %p, i64 %k",
    "two indices": "%k = add i64 %w, %long\n %a = getelementptr [4 x i32], ptr %p, i64 %k, i64 1",
    "variable base": """%b = getelementptr i32, ptr %p, i64 %w
      %k = add i64 %w, %long\n %a = getelementptr i32, ptr %b, i64 %k""",
    "another user of the index": """%k = add i64 %w, %long\n store i64 %k, ptr %q
      %a = getelementptr i32, ptr %p, i64 %k""",
    "not in every iteration": """%y = icmp sgt i32 %i, 20\n br i1 %y, label %then, label %last
      then:\n %k = add i64 %w, %long\n %b = getelementptr i32, ptr %q, i64 %k\n store i32 1, ptr %b
      br label %last\n last:\n %a = getelementptr i32, ptr %p, i64 %w""",
    "a user that not every iteration executes": """%k = add i64 %w, %long
      %a = getelementptr i32, ptr %p, i64 %k\n %y = icmp sgt i32 %i, 20
      br i1 %y, label %then, label %last\n then:
      %b = getelementptr i32, ptr %q, i64 %k\n store i32 1, ptr %b\n br label %last\n last:""",
    "five users": """%k = add i64 %w, %long
      %b = getelementptr i32, ptr %q, i64 %k\n store i32 1, ptr %b
      %d = getelementptr i8, ptr %q, i64 %k\n store i8 2, ptr %d
      %e = getelementptr i16, ptr %q, i64 %k\n store i16 3, ptr %e
      %f = getelementptr i64, ptr %q, i64 %k\n store i64 4, ptr %f
      %a = getelementptr i32, ptr %p, i64 %k""",
}


def split(body: str) -> bool:
    """Runs licm; returns whether it created an address in the preheader."""
    module = nvvm_xdsl.parse(KERNEL.format(body=body))
    PassManager("licm").run(module)
    verify(module)
    (function,) = [op for op in module.body.block.ops if op.regions and op.regions[0].blocks]
    return any(isinstance(op, GEPOp) for op in function.regions[0].blocks[0].ops)


@pytest.mark.parametrize("name", SPLIT)
def test_split(name: str):
    assert split(SPLIT[name])


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str):
    assert not split(KEPT[name])


@pytest.mark.parametrize("row", [-3, 0, 40])
@pytest.mark.parametrize("name", SPLIT)
def test_results(name: str, row: int):
    module = nvvm_xdsl.parse(KERNEL.format(body=SPLIT[name]))
    found: list[list[np.ndarray]] = []
    for pipeline in ("", "licm"):
        if pipeline:
            PassManager(pipeline).run(module)
        arrays = [np.zeros(200, np.int32), np.zeros(800, np.int32)]
        launch(module, "k", 1, 1, [*arrays, row, row, 90])
        found.append(arrays)
    before, after = found
    assert before[0].any()
    assert all((x == y).all() for x, y in zip(before, after))
