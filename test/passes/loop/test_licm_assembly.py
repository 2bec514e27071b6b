"""Loads stay behind inline assembly that may end the thread."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.llvm import LoadOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.pipeline import run_pipeline

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noalias %out, ptr noalias readonly %in, i32 %n) {{
entry:
  store i32 5, ptr %out, align 4
  %none = icmp eq ptr %in, null
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %rest ]
  %s = phi i32 [ 0, %entry ], [ %t, %rest ]
  br i1 %none, label %leave, label %rest
leave:
  call void asm sideeffect "{assembly}", ""()
  br label %rest
rest:
  %v = load i32, ptr %in, align 4
  %t = add i32 %s, %v
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  store i32 %t, ptr %out, align 4
  ret void
}}
"""


def test_a_load_after_an_exit_is_not_executed():
    for pipeline in ("licm", "nvopt<O3>"):
        module = read_ll(KERNEL.format(assembly="exit;"), "k.ll")
        run_pipeline(module, pipeline)
        outcome = run(module, Launch("k", 1, 1, (np.zeros(1, np.int32), 0, 4)))
        assert outcome.arrays[0].tolist() == [5]


@pytest.mark.parametrize(("assembly", "is_hoisted"), [("exit;", False), ("nanosleep.u32 1;", True)])
def test_only_assembly_that_ends_the_thread_blocks_loads(assembly: str, is_hoisted: bool):
    module = read_ll(KERNEL.format(assembly=assembly), "k.ll")
    run_pipeline(module, "licm")
    (load,) = [op for op in module.walk() if type(op) is LoadOp]
    block = load.parent
    assert block is not None
    assert (block.name_hint == "entry") is is_hoisted
