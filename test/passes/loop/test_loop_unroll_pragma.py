"""Loops with a pragma that requests an unroll factor, and an unknown trip count."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module


def result_of(module: ModuleOp) -> list[int]:
    """The values that 64 threads store."""
    out = np.zeros(64, np.int32)
    launch = Launch("k", 1, 64, (out,))
    return run(prepare(module, ("init", "race", "sync")), launch).arrays[0].tolist()


def count(module: ModuleOp, name: str) -> int:
    """Number of ops of a kind."""
    return sum(op.name == name for op in module.walk())


SEARCH = """
define ptx_kernel void @k(ptr %p) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bound = and i32 %t, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %s = phi i32 [ %t, %entry ], [ %u, %next ]
{body}
next:
  %u = add i32 %v, %i
  %j = add nuw i32 %i, 1
  %c = icmp {test}
  br i1 %c, label %loop, label %done, !llvm.loop !0
done:
  %r = phi i32 [ %u, %next ]{early}
  %o = getelementptr i32, ptr %p, i32 %t
  store i32 %r, ptr %o
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.loop.unroll.count", i32 {count}}}
"""
"""A loop whose trip count depends on the computed values."""
MIX = "  %m = mul i32 %s, 77\n  %v = lshr i32 %m, 1\n"
BY_VALUE = "ult i32 %u, 5000"


@pytest.mark.parametrize(
    ("body", "test", "early", "factor", "copies"),
    [
        (MIX + "  br label %next", BY_VALUE, "", 3, 3),
        (
            MIX + "  %e = icmp eq i32 %i, %bound\n  br i1 %e, label %done, label %next",
            BY_VALUE, ", [ %v, %loop ]", 4, 4,
        ),
        (
            "  %m = mul i32 %s, 77\n  %b = icmp ne i32 %m, 0\n"
            "  %a = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %b)\n"
            "  %v = select i1 %a, i32 %m, i32 5\n  br label %next",
            BY_VALUE, "", 4, 1,
        ),
    ],
)  # fmt: skip
def test_a_pragma_unrolls_loops_with_unknown_trip_counts(
    body: str, test: str, early: str, factor: int, copies: int
):
    """Each copy keeps its tests. Convergent ops are not copied."""
    text = SEARCH.format(body=body, test=test, early=early, count=factor)
    module = read_ll(text)
    expected = result_of(module) if "vote" not in body else None
    run_pipeline(module, "function(loop-unroll<no-partial;no-runtime;no-peeling>)")
    verify_module(module)
    assert count(module, "llvm.mul") == copies
    assert count(module, "llvm.cond_br") == copies * (2 if early else 1)
    if expected is not None:
        assert result_of(module) == expected
