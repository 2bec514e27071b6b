"""Conditions of `loop-rotate`: each case is a loop, and whether its test remains at the top."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.loop import loop_rotate
from nvvm_xdsl.passes.loop.loop_rotate import LoopRotate
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare void @once() noduplicate
define i32 @f(ptr %p, i32 %m, i1 %b) {{
entry:
  {before}
head:
  %i = phi i32 [ 0, %{enter} ], [ %n, %latch ]
  {header}
  %c = icmp slt i32 %i, %m
  {test}
body:
  {body}
latch:
  %n = add i32 %i, 1
  {again}
exit:
  ret i32 %i
}}
"""


def text_of(**parts: str) -> str:
    """The text of a loop."""
    return TEXT.format(**{
        "before": "br label %head", "enter": "entry", "header": "", "test": "br i1 %c, label %body, label %exit", "body": "br label %latch",
        "again": "br label %head", **parts,
    })  # fmt: skip


def comparisons(module: ModuleOp) -> int:
    """The number of comparisons in the function: a rotation copies one."""
    verify_module(module)
    return sum(op.name == "llvm.icmp" for op in function(module).walk())


BARRIER = "call void @llvm.nvvm.barrier0()"
STORE = "store volatile i32 %i, ptr %p"
CASES = {
    "a test at the top": ({}, 2),
    "with effects in its block": ({"header": STORE}, 2),
    "with as many ops as permitted": ({"header": "\n".join([STORE] * 15)}, 2),
    "not with more ops": ({"header": "\n".join([STORE] * 16)}, 1),
    "not with a convergent op": ({"header": BARRIER}, 1),
    "a convergent op elsewhere": ({"body": f"{BARRIER}\n  br label %latch"}, 2),
    "not if divergent threads may reconverge there": (
        {"before": "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %enter\nenter:\n  br label %head",
         "enter": "enter",
         "body": f"{BARRIER}\n  %d = icmp eq i32 %i, %t\n  br i1 %d, label %latch, label %leave\n"
                 "leave:\n  br label %enter"}, 2,
    ),
    "unless the convergent op is removed with its loop": (
        {"before": "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %enter\nenter:\n  br label %head",
         "enter": "enter",
         "body": "br label %never\nnever:\n  %k = phi i32 [ 9, %body ], [ 10, %inner ]\n  %z = icmp ult i32 %k, 9\n"
                 f"  br i1 %z, label %inner, label %rest\ninner:\n  {BARRIER}\n  br label %never\n"
                 "rest:\n  %d = icmp eq i32 %i, %t\n  br i1 %d, label %latch, label %leave\nleave:\n  br label %enter"}, 3,
    ),
    "not with an op that must not be copied": ({"header": "call void @once()"}, 1),
    "not a switch": ({"test": "switch i32 %i, label %body [i32 7, label %exit\ni32 9, label %exit]"}, 1),
    "not a test that does not leave the loop": (
        {"test": "br i1 %c, label %body, label %latch", "body": "br i1 %b, label %exit, label %latch"}, 1,
    ),
    "not a loop with a test at the bottom": ({"again": "br i1 %b, label %head, label %exit"}, 1),
}  # fmt: skip


@pytest.mark.parametrize("pipeline", ["loop-rotate", "loop(loop-rotate,loop-deletion)"])
@pytest.mark.parametrize("why", CASES)
def test_rotation(why: str, pipeline: str):
    parts, expected = CASES[why]
    module = read_ll(text_of(**parts))
    run_pipeline(module, pipeline)
    assert comparisons(module) == expected


HOISTED = {
    "an invariant sum": ("llvm.mul", {"header": "%v = mul i32 %m, 3\n  store volatile i32 %v, ptr %p"}, 0),
    "not a sum of the iteration": ("llvm.mul", {"header": "%v = mul i32 %i, 3\n  store volatile i32 %v, ptr %p"}, 1),
    "not a volatile load": ("llvm.load", {"header": "%v = load volatile i32, ptr %p"}, 1),
    "not a load of what is stored": (
        "llvm.load", {"header": "%v = load i32, ptr %p\n  %w = add i32 %v, 1\n  store i32 %w, ptr %p"}, 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", HOISTED)
def test_hoisting_of_invariant_ops(why: str):
    name, parts, expected = HOISTED[why]
    module = read_ll(text_of(**parts))
    run_pipeline(module, "loop-rotate")
    verify_module(module)
    loops = LoopInfo(function(module).regions[0])
    inside = [op for op in function(module).walk() if op.parent and loops.loop_for(op.parent)]
    assert sum(op.name == name for op in inside) == expected


@pytest.mark.parametrize("pipeline", ["loop-rotate", "loop(loop-rotate,loop-deletion)"])
def test_a_loop_without_preheader_is_kept(pipeline: str):
    """The edge of an indirect branch cannot be split."""
    module = parse_module("""
        llvm.func @f(%p: !llvm.ptr, %n: i32, %c1: i32) {
          llvm.indirectbr %p : !llvm.ptr, [^head(%n : i32), ^exit]
        ^head(%i: i32):
          %c = llvm.icmp "slt" %i, %n : i32
          llvm.cond_br %c, ^body, ^exit
        ^body:
          %j = llvm.add %i, %c1 : i32
          llvm.br ^head(%j : i32)
        ^exit:
          llvm.return
        }""")
    run_pipeline(module, pipeline)
    assert comparisons(module) == 1


USED_BEHIND = text_of(header=STORE, body="br label %latch")


def test_the_repair_of_uses_is_limited(monkeypatch: pytest.MonkeyPatch):
    """The counter is used after the loop."""
    monkeypatch.setattr(loop_rotate, "MAX_VISITS", 0)
    module = read_ll(USED_BEHIND)
    run_pipeline(module, "loop-simplify,lcssa")
    text = str(module)
    assert not LoopRotate().run_on_function(function(module), AnalysisManager())
    assert str(module) == text


@pytest.mark.parametrize(
    ("again", "left"),
    [("br label %head", False), ("br i1 %b, label %head, label %head", True)],
)
def test_the_loops_are_updated(again: str, left: bool):
    """The header is merged into the latch if one edge leads to it."""
    module = read_ll(text_of(again=again))
    run_pipeline(module, "loop-simplify,lcssa")
    am = AnalysisManager()
    func = function(module)
    loops = am.get(LoopInfo, func)
    assert LoopRotate().run_on_function(func, am)
    verify_module(module)
    loops.verify()
    assert any(block.name_hint == "head" for block in func.regions[0].blocks) is left


def test_a_loop_that_is_only_reached_from_a_removed_loop():
    """The first loop is never entered. The second one is removed with it."""
    module = read_ll("""
        define void @f(ptr %p, i32 %m, i1 %b) {
        entry:
          br label %head
        head:
          %i = phi i32 [ 9, %entry ], [ %n, %latch ]
          %c = icmp slt i32 %i, 9
          br i1 %c, label %body, label %exit
        body:
          br i1 %b, label %before, label %latch
        latch:
          %n = add i32 %i, 1
          br label %head
        before:
          br label %next
        next:
          %k = phi i32 [ 0, %before ], [ %l, %again ]
          %d = icmp slt i32 %k, %m
          br i1 %d, label %again, label %exit
        again:
          store volatile i32 %k, ptr %p
          %l = add i32 %k, 1
          br label %next
        exit:
          ret void
        }""")
    run_pipeline(module, "loop-rotate")
    assert comparisons(module) == 0


def test_blocks_without_names():
    module = parse_module("""
        llvm.func @f(%p: !llvm.ptr, %n: i32, %c1: i32) {
          llvm.br ^bb0(%n : i32)
        ^bb0(%i: i32):
          %c = llvm.icmp "slt" %i, %c1 : i32
          llvm.cond_br %c, ^bb1, ^bb2
        ^bb1:
          %j = llvm.add %i, %c1 : i32
          llvm.br ^bb0(%j : i32)
        ^bb2:
          llvm.return
        }""")
    run_pipeline(module, "loop-rotate")
    assert comparisons(module) == 2
    assert "None" not in str(module)


def test_only_small_headers_are_copied_with_others():
    """The first loop is rotated. The header of the second one has too many ops."""
    module = read_ll(
        f"""
        define void @f(ptr %p, i32 %m) {{
        entry:
          br label %head
        head:
          %i = phi i32 [ 0, %entry ], [ %n, %body ]
          %c = icmp slt i32 %i, %m
          br i1 %c, label %body, label %between
        body:
          {STORE}
          %n = add i32 %i, 1
          br label %head
        between:
          br label %second
        second:
          %k = phi i32 [ 0, %between ], [ %l, %again ]
          {STORE.replace("%i", "%k") * 16}
          %d = icmp slt i32 %k, %m
          br i1 %d, label %again, label %exit
        again:
          %l = add i32 %k, 1
          br label %second
        exit:
          ret void
        }}""".replace("ptr %pstore", "ptr %p\nstore")
    )
    run_pipeline(module, "loop-rotate")
    assert comparisons(module) == 3
