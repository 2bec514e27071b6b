"""New exit tests and replaced counters do not depend on values that may be undefined."""

from __future__ import annotations

import pytest
from helpers.modules import function
from xdsl.dialects.llvm import AddOp, GEPOp, ICmpOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.loop.tested_counters import may_be_tested
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

LOOP = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noalias %p, ptr noalias %to, ptr %last, i64 noundef %n) {{
entry:
  br label %loop
loop:
  %u = phi i64 [ {start}, %entry ], [ %u2, %loop ]
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a, align 4
  %b = getelementptr i32, ptr %to, i64 %i
  store i32 %v, ptr %b, align 4
  {step}
  %i2 = add i64 %i, 1
  %c = icmp ne i64 %i2, %n
  br i1 %c, label %loop, label %exit
exit:
  store i64 %u, ptr %last, align 8
  ret void
}}
"""
PASSES = ("loop-unroll", "loop-unroll<for-loads>", "loop-vectorize<force-vector-width=4>")


@pytest.mark.parametrize("pipeline", PASSES)
@pytest.mark.parametrize(
    ("start", "step", "may_be_tested"),
    [
        ("0", "%u2 = add i64 %u, 1", True),
        ("undef", "%u2 = add i64 %u, 1", False),
        ("0", "%u2 = add nsw i64 %u, 1", False),
        ("0", "%half = add nsw i64 %u, 3\n  %u2 = add i64 %half, -2", False),
        ("0", "%next = add i64 %n, 1\n  %s = sub i64 %next, %n\n  %u2 = add i64 %u, %s", True),
        ("0", "%next = add nsw i64 %n, 1\n  %s = sub i64 %next, %n\n  %u2 = add i64 %u, %s", False),
    ],
)
def test_a_new_exit_test(pipeline: str, start: str, step: str, may_be_tested: bool):
    """The counter %u, which the loop does not test, comes first: it is tested if it is defined."""
    module = read_ll(LOOP.format(start=start, step=step), "k.ll")
    run_pipeline(module, pipeline)
    verify_module(module)
    tested = [
        counter
        for op in module.walk()
        if type(op) is ICmpOp and (counter := counter_of(fast.operands_of(op)[0])) is not None
    ]
    assert (0 in tested) is may_be_tested
    assert 1 in tested


def counter_of(value: SSAValue) -> int | None:
    """The index of the block argument that a value is computed from by additions of constants; None
    for other values and arguments of the function."""
    while isinstance(value, OpResult) and type(value.op) is AddOp:
        value = fast.operands_of(value.op)[0]
    if not isinstance(value, BlockArgument) or not value.block.first_use:
        return None
    return value.index


CHAIN = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noalias %to, ptr %last, i64 noundef %n) {{
entry:
  br label %loop
loop:
  %u = phi i64 [ 0, %entry ], [ %u2, %loop ]
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %t = phi i64 [ %n, %entry ], [ %t2, %loop ]
  %b = getelementptr i32, ptr %to, i64 %i
  store i32 1, ptr %b, align 4
  store volatile i64 %u, ptr %last, align 8
  {step}
  %i2 = add i64 %i, 1
  %t2 = add i64 %t, -1
  %c = icmp ne i64 %t2, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("step", "is_kept"),
    [
        ("%u2 = add nuw i64 %u, 1", True),
        # The flag of the first addition makes the counter poison although the sum does not wrap.
        ("%half = add nsw i64 %u, 3\n  %u2 = add i64 %half, -2", False),
        ("%next = add i64 %n, 1\n  %s = sub i64 %next, %n\n  %u2 = add i64 %u, %s", True),
        # The step is poison for some values of %n, although its expression is the number 1.
        ("%next = add nsw i64 %n, 1\n  %s = sub i64 %next, %n\n  %u2 = add i64 %u, %s", False),
    ],
)
def test_a_congruent_counter(step: str, is_kept: bool):
    """Of two equal counters, indvars keeps the first one, without flags, and tests it."""
    module = read_ll(CHAIN.format(step=step), "k.ll")
    run_pipeline(module, "indvars")
    verify_module(module)
    indices = [fast.operands_of(op)[1] for op in module.walk() if type(op) is GEPOp]
    assert [counter_of(value) for value in indices] == [0 if is_kept else 1]
    (test,) = [op for op in module.walk() if type(op) is ICmpOp]
    assert counter_of(fast.operands_of(test)[0]) == (0 if is_kept else 1)


COUNTER = """
declare i1 @g(i64)
define void @f(i64 noundef %n, i64 %x, i1 %b) {{
entry:
  br label %loop
loop:
  %u = phi i64 [ {start}, %entry ], [ {following}, %loop ]
  %v = phi i64 [ 1, %entry ], [ %v2, %loop ]
  %v2 = add i64 %v, 1
  {step}
  {test}
exit:
  ret void
}}
"""
TESTS = {
    "a defined start": ({"start": "%n"}, True),
    "a constant": ({}, True),
    "not a start that may be undefined": ({"start": "%x"}, False),
    "unless the latch tests the counter": (
        {"start": "%x", "test": "%c = icmp ne i64 %u2, %n\n  br i1 %c, label %loop, label %exit"}, True,
    ),
    "also in exchanged order": (
        {"start": "%x", "test": "%c = icmp eq i64 %u2, %n\n  br i1 %c, label %exit, label %loop"}, True,
    ),
    "not another counter": (
        {"start": "%x", "test": "%c = icmp ne i64 %v2, %n\n  br i1 %c, label %loop, label %exit"}, False,
    ),
    "not an argument of a call": (
        {"start": "%x", "test": "%c = call i1 @g(i64 %u2)\n  br i1 %c, label %loop, label %exit"}, False,
    ),
    "a step that is defined": ({"step": "%w = add i64 %n, 1\n  %s = sub i64 %w, %n\n  %u2 = add i64 %s, %u"}, True),
    "not a step that may be poison": (
        {"step": "%w = add nsw i64 %n, 1\n  %s = sub i64 %w, %n\n  %u2 = add i64 %s, %u"}, False,
    ),
    "not another op": ({"step": "%u2 = xor i64 %u, 1"}, False),
    "not the value of another counter": ({"following": "%v"}, False),
}  # fmt: skip


@pytest.mark.parametrize("why", TESTS)
def test_counters_that_may_be_tested(why: str):
    parts, expected = TESTS[why]
    text = COUNTER.format(**{
        "start": "0", "step": "%u2 = add i64 %u, 1", "following": "%u2",
        "test": "br i1 %b, label %loop, label %exit", **parts,
    })  # fmt: skip
    func, am = function(read_ll(text)), AnalysisManager()
    (loop,) = am.get(LoopInfo, func).loops()
    assert may_be_tested(loop.header.args[0], loop, am.get(ScalarEvolution, func)) is expected
