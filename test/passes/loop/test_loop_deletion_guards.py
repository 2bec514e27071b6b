"""Conditions of `loop-deletion`: each case is a loop, and the number of loops after the pass."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.dialects.builtin import UnitAttr

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import NODUPLICATE
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.loop.loop_deletion import LoopDeletion
from nvvm_xdsl.passes.loop.loop_simplify import LoopSimplify
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.assume(i1)
declare void @llvm.sideeffect()
define i32 @f(ptr %p, i32 %m, i32 %x, i1 %b) {attributes} {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %latch ]
  {body}
  {end}
latch:
  %n = add nuw nsw i32 %i, 1
  {test}
exit:
  {exit}
}}
"""
ONCE = "%c = icmp slt i32 %n, 1\n  br i1 %c, label %loop, label %exit"
INNER = (
    "br label %inner\ninner:\n  %j = phi i32 [ 0, %loop ], [ %k, %inner ]\n  %k = {}\n"
    "  %d = icmp ne i32 %k, %x\n  br i1 %d, label %inner, label %latch"
)
CYCLE = (
    "br i1 %b, label %one, label %two\none:\n  %d = load i1, ptr %p\n  br i1 %d, label %two, label %latch\n"
    "two:\n  %e = load i1, ptr %p\n  br i1 %e, label %one, label %latch"
)
"""A cycle with two entries, which may be infinite."""
CASES = {
    "a loop without effects": ({}, 0),
    "not with effects": ({"body": "store i32 %i, ptr %p"}, 1),
    "not with an op that must be executed": ({"body": "call void @llvm.sideeffect()"}, 1),
    "an assumption": ({"body": "call void @llvm.assume(i1 %b)"}, 0),
    "not if its result is used": ({"exit": "ret i32 %n"}, 1),
    "exits with equal values": (
        {"end": "br i1 %b, label %exit, label %latch", "exit": "%r = phi i32 [ %x, %loop ], [ %x, %latch ]\n  ret i32 %r"}, 0,
    ),
    "not exits with different values": (
        {"end": "br i1 %b, label %exit, label %latch", "exit": "%r = phi i32 [ %x, %loop ], [ %m, %latch ]\n  ret i32 %r"}, 1,
    ),
    "not several exit blocks": ({"end": "br i1 %b, label %other, label %latch\nother:\n  ret i32 5"}, 1),
    "not without an exit": ({"test": "br label %loop"}, 1),
    "not if it may be infinite": (
        {"body": "%l = load i32, ptr %p", "test": "%c = icmp ne i32 %l, %m\n  br i1 %c, label %loop, label %exit"}, 1,
    ),
    "unless it must make progress": (
        {"body": "%l = load i32, ptr %p", "test": "%c = icmp ne i32 %l, %m\n  br i1 %c, label %loop, label %exit",
         "attributes": "mustprogress"}, 0,
    ),
    "an inner loop that is finite": ({"end": INNER.format("add i32 %j, 1")}, 0),
    "not an inner loop that may be infinite": ({"end": INNER.format("mul i32 %j, %x")}, 2),
    "not a cycle that is no loop": ({"end": CYCLE}, 1),
    "unless it must make progress ": ({"end": CYCLE, "attributes": "mustprogress"}, 0),
    "one iteration": ({"body": "store i32 %i, ptr %p", "test": ONCE}, 0),
    "not with an op that must not be copied": (
        {"body": "store i32 %i, ptr %p\n  %only = xor i32 %i, %x", "test": ONCE}, 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_deletion(why: str):
    parts, left = CASES[why]
    module = read_ll(TEXT.format(**{
        "attributes": "", "body": "", "end": "br label %latch", "exit": "ret i32 0",
        "test": "%c = icmp slt i32 %n, %m\n  br i1 %c, label %loop, label %exit", **parts,
    }))  # fmt: skip
    for op in module.walk():
        if op.results and op.results[0].name_hint == "only":
            op.attributes[NODUPLICATE] = UnitAttr()
    run_pipeline(module, "loop-deletion")
    verify_module(module)
    assert len(LoopInfo(function(module).regions[0]).loops()) == left


def test_a_loop_that_is_not_in_lcssa_form_is_kept():
    """A value of the loop is used after it without an argument of the exit block."""
    module = read_ll(TEXT.format(
        attributes="", body="", end="br label %latch", exit="ret i32 %n",
        test="%c = icmp slt i32 %n, %m\n  br i1 %c, label %loop, label %exit",
    ))  # fmt: skip
    func = function(module)
    am = AnalysisManager()
    LoopSimplify().run_on_function(func, am)
    (loop,) = am.get(LoopInfo, func).loops()
    assert not LoopDeletion().run_on_loop(loop, func, am)


def test_a_loop_without_preheader_is_kept():
    """The edge of an indirect branch cannot be split."""
    module = parse_module("""
        llvm.func @f(%p: !llvm.ptr, %n: i32, %c1: i32) {
          llvm.indirectbr %p : !llvm.ptr, [^loop(%n : i32), ^exit]
        ^loop(%i: i32):
          %j = llvm.add %i, %c1 overflow<nsw> : i32
          %c = llvm.icmp "slt" %j, %n : i32
          llvm.cond_br %c, ^loop(%j : i32), ^exit
        ^exit:
          llvm.return
        }""")
    run_pipeline(module, "loop-deletion")
    assert len(LoopInfo(function(module).regions[0]).loops()) == 1
