"""Conditions of `loop-index-split`: each case is a loop, and the split that the pass performs."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.modules import function, parse_module
from xdsl.dialects.builtin import UnitAttr

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import NODUPLICATE
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.loop.loop_index_split import LoopIndexSplit
from nvvm_xdsl.passes.loop.loop_simplify import LoopSimplify
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier0()
define void @f(ptr %p, {type} %m, {type} %x, i1 %b) {{
entry:
  br label %loop
loop:
  %i = phi {type} [ {start}, %entry ], [ %n, %latch ]
  {phis}
  {before}
  %t = icmp {test}
  {branch}
then:
  {then}
  br label %latch
else:
  {other}
  br label %latch
latch:
  {latch}
  {next}
  {again}
exit:
  {exit}
  ret void
}}
"""
ONE, OTHERS, RANGE = "OnlyOneIterationLoop", "AllButOneIterationLoop", "SplitRangeLoop"
STORE = "store volatile i32 1, ptr %p"
AGAIN = "%c = icmp {}\n  br i1 %c, label %loop, label %exit"


def split(options: str = "", type_: str = "i32", **parts: str) -> str:
    """The kinds of splits that the pass performs. An op named `only` must not be copied."""
    module = read_ll(TEXT.format(**{
        "type": type_, "start": "0", "phis": "", "before": "", "test": f"eq {type_} %i, 5",
        "branch": "br i1 %t, label %then, label %else", "then": STORE, "other": "", "latch": "",
        "next": f"%n = add nuw nsw {type_} %i, 1", "again": AGAIN.format(f"slt {type_} %n, %m"), "exit": "", **parts,
    }))  # fmt: skip
    for op in module.walk():
        if op.results and op.results[0].name_hint == "only":
            op.attributes[NODUPLICATE] = UnitAttr()
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        run_pipeline(module, f"loop-index-split<{options}>")
    verify_module(module)
    blocks = function(module).regions[0].blocks
    assert all(block.uses.get_length() for block in list(blocks)[1:])
    assert all(loop.is_simplified() for loop in LoopInfo(function(module).regions[0]).loops())
    words = [remark.line_of_text().partition("f: performed process") for remark in heard]
    return " ".join(kind for _, _, kind in words)


INNER = "br label %inner\ninner:\n  %j = phi i32 [ 0, %{0} ], [ %k, %inner ]\n  %k = add i32 %j, 1\n" \
    "  %d = icmp ne i32 %k, %x\n  br i1 %d, label %inner, label %after\nafter:"  # fmt: skip
UNSIGNED = AGAIN.format("ult i32 %n, %m")
TWO = {"other": "store volatile i32 2, ptr %p"}
LESS = {"test": "slt i32 %i, 5", **TWO}
CASES = {
    # Only one iteration.
    "an effect in one iteration": ({}, ONE),
    "in the other arm": ({"test": "ne i32 %i, 5", "branch": "br i1 %t, label %else, label %then"}, ONE),
    "with the number on the left": ({"test": "eq i32 5, %i"}, ONE),
    "a load in each iteration": ({"before": "%v = load i32, ptr %p"}, ONE),
    "not with an effect in each iteration": ({"before": STORE}, OTHERS),
    "not with another carried value": (
        {"phis": "%s = phi i32 [ 0, %entry ], [ %u, %latch ]", "latch": "%u = add i32 %s, %i", "then": "store volatile i32 %s, ptr %p"},
        OTHERS,
    ),
    "not with a result": ({"exit": "store i32 %n, ptr %p"}, OTHERS),
    "not with an inner loop": ({"branch": INNER.format("loop") + "\n  br i1 %t, label %then, label %else"}, ""),
    "not with a select": (
        {"branch": "%z = select i1 %t, i32 %x, i32 7\n  store volatile i32 %z, ptr %p\n  br label %latch", "then": "unreachable\ndead:"},
        OTHERS,
    ),
    "not if both edges lead to one block": ({"branch": "br i1 %t, label %then, label %then", "other": "unreachable\ndead:"}, OTHERS),
    "not if another block leads there": (
        {"branch": "br i1 %t, label %then, label %else", "other": "br i1 %b, label %then, label %more\nmore:"}, OTHERS,
    ),
    "also a large loop": ({"then": "\n  ".join([STORE] * 101)}, ONE),
    # All but one iteration, and ranges.
    "different ops in one iteration": (TWO, OTHERS),
    "different ops in some iterations": (LESS, RANGE),
    "ops in some iterations": ({"test": "sgt i32 %i, 5"}, RANGE),
    "with a known end": ({**LESS, "again": AGAIN.format("ne i32 %n, 1000")}, RANGE),
    "only one iteration with a known end": ({"again": AGAIN.format("ne i32 %n, 1000")}, ONE),
    "first an iteration, then ranges": (
        {**LESS, "latch": "%t2 = icmp eq i32 %i, 7\n  %z = select i1 %t2, i32 1, i32 %x\n  store volatile i32 %z, ptr %p"}, OTHERS,
    ),
    "not a large loop": ({**TWO, "then": "\n  ".join([STORE] * 101)}, ""),
    "not a loop that is unrolled": ({**TWO, "again": AGAIN.format("slt i32 %n, 10")}, ""),
    "a loop that is too long to be unrolled": ({**TWO, "again": AGAIN.format("slt i32 %n, 1000")}, OTHERS),
    "not with an inner loop ": ({**TWO, "branch": INNER.format("loop") + "\n  br i1 %t, label %then, label %else"}, ""),
    "not a convergent op": ({**TWO, "latch": "call void @llvm.nvvm.barrier0()"}, ""),
    "not an op that must not be copied": ({**TWO, "latch": "%only = xor i32 %i, %x"}, ""),
    # The counter.
    "not with another exit": (
        {**TWO, "branch": "br i1 %b, label %exit, label %go\ngo:\n  br i1 %t, label %then, label %else"}, "",
    ),
    "not a test at the top": (
        {**TWO, "branch": "%c = icmp slt i32 %i, %m\n  br i1 %c, label %body, label %exit\nbody:\n  br i1 %t, label %then, label %else",
         "again": "br label %loop"}, "",
    ),
    "not a test of the next value at the top": (
        {**TWO, "before": "%n1 = add nuw nsw i32 %i, 1\n  %c = icmp slt i32 %n1, %m\n  br i1 %c, label %body, label %exit\nbody:",
         "again": "br label %loop"}, "",
    ),
    "not a switch": ({**TWO, "again": "switch i32 %n, label %loop [i32 1000, label %exit]"}, ""),
    "not a test of something else": ({**TWO, "again": "%c = and i1 %b, %b\n  br i1 %c, label %loop, label %exit"}, ""),
    "not a test of a bit": ({**TWO, "again": "%c = trunc i32 %n to i1\n  br i1 %c, label %loop, label %exit"}, ""),
    "not a test of the value before": ({**TWO, "again": AGAIN.format("slt i32 %i, %m")}, ""),
    "not a difference": ({**TWO, "next": "%n = sub nsw i32 %i, 1"}, ""),
    "not a varying sum as the end": (
        {**TWO, "again": "%n2 = add i32 %x, %i\n  " + AGAIN.format("sgt i32 %n2, %n")}, "",
    ),
    "not a counter from which another value is computed first": (
        {**TWO, "before": "%v = add i32 %i, 0", "test": "eq i32 %v, 5", "next": "%n = add nuw nsw i32 %v, 1"}, "",
    ),
    "not a counter that advances by another number": (
        {**TWO, "phis": "%s = phi i32 [ 0, %entry ], [ %u2, %latch ]", "test": "eq i32 %s, 5",
         "latch": "%u = add nuw nsw i32 %s, 1\n  %u2 = add nuw nsw i32 %s, 2", "again": AGAIN.format("slt i32 %u, %m")}, "",
    ),
    "not a varying end": ({**TWO, "again": "%l = load i32, ptr %p\n  " + AGAIN.format("slt i32 %n, %l")}, ""),
    "with the end on the left": ({**TWO, "again": AGAIN.format("sgt i32 %m, %n")}, OTHERS),
    "not a step of two": ({**TWO, "next": "%n = add nuw nsw i32 %i, 2"}, ""),
    "not a sum of another value": ({**TWO, "next": "%n = add nuw nsw i32 %x, 1"}, ""),
    "not a product": ({**TWO, "next": "%n = mul nuw nsw i32 %i, %x"}, ""),
    "not a start that varies": ({**TWO, "start": "%x"}, ""),
    "not an end that a counter may miss": ({**TWO, "next": "%n = add i32 %i, 1"}, ""),
    "not with a flag of the other kind": ({**TWO, "next": "%n = add nuw i32 %i, 1"}, ""),
    "not with a flag of the other kind ": ({**TWO, "next": "%n = add nsw i32 %i, 1", "again": UNSIGNED}, ""),
    "an unsigned counter": ({**TWO, "next": "%n = add nuw i32 %i, 1", "again": UNSIGNED}, OTHERS),
    "not an inequality with an unknown end": ({**TWO, "again": AGAIN.format("ne i32 %n, %m")}, ""),
    "an inequality with a known end": ({**TWO, "again": AGAIN.format("ne i32 %n, 1000")}, OTHERS),
    "not a loop that continues at the end": (
        {**TWO, "again": "%c = icmp slt i32 %n, %m\n  br i1 %c, label %exit, label %loop"}, "",
    ),
    # The test.
    "not a test of the next value": ({**TWO, "latch": "", "before": "%i1 = add i32 %i, 1", "test": "eq i32 %i1, 5"}, ""),
    "not a test of another value": ({**TWO, "test": "eq i32 %x, 5", "before": "%q = icmp eq i32 %i, %x"}, ""),
    "not a test with a variable": ({**TWO, "test": "eq i32 %i, %x"}, ""),
    "not a comparison that is stored": (
        {"branch": "%z = zext i1 %t to i32\n  store volatile i32 %z, ptr %p\n  br label %latch", "then": "unreachable\ndead:"}, "",
    ),
    "not a selected value": (
        {"branch": "%z = select i1 %b, i1 %t, i1 true\n  %y = zext i1 %z to i32\n  store volatile i32 %y, ptr %p\n  br label %latch",
         "then": "unreachable\ndead:"}, "",
    ),
    "the first iteration": ({**TWO, "test": "eq i32 %i, 0"}, OTHERS),
    "not an iteration before the start": ({**TWO, "start": "6"}, ""),
    "the last iteration": ({**TWO, "test": "eq i32 %i, 999", "again": AGAIN.format("slt i32 %n, 1000")}, OTHERS),
    "not an iteration after the end": ({**TWO, "test": "eq i32 %i, 1000", "again": AGAIN.format("slt i32 %n, 1000")}, ""),
    "not a range that is empty": ({**LESS, "test": "slt i32 %i, 0"}, ""),
    "a range with its end": ({**LESS, "test": "sle i32 %i, 0"}, RANGE),
    "not a range that is all": ({**LESS, "test": "sgt i32 %i, 998", "again": AGAIN.format("slt i32 %n, 999")}, ""),
    "a signed test of a counter that is not negative": ({**LESS, "test": "ult i32 %i, 5"}, RANGE),
    "not of a counter that may be negative": ({**LESS, "start": "-3", "test": "ult i32 %i, 5", "next": "%n = add nsw i32 %i, 1"}, ""),
    "not with a negative bound": ({**LESS, "test": "ult i32 %i, -5"}, ""),
    "not a signed test of an unsigned counter": ({**LESS, "next": "%n = add nuw i32 %i, 1", "again": UNSIGNED}, ""),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_splits(why: str):
    parts, kind = CASES[why]
    assert split(**parts).partition(" ")[0] == kind


WRAPS = {
    "as an unsigned number": (
        {"start": "-3", "test": "eq i8 %i, 2", "again": AGAIN.format("ne i8 %n, 5")},
        "",
    ),
    "as a signed number": (
        {"start": "125", "test": "slt i8 %i, 127", "again": AGAIN.format("ne i8 %n, -120")},
        "",
    ),
    "only as a signed number": (
        {"start": "125", "test": "ult i8 %i, 129", "again": AGAIN.format("ne i8 %n, -120")},
        RANGE,
    ),
    "does not reach it": (
        {"start": "120", "test": "eq i8 %i, 125", "again": AGAIN.format("ne i8 %n, 127")},
        OTHERS,
    ),
}


@pytest.mark.parametrize("why", WRAPS)
def test_a_counter_that_wraps(why: str):
    parts, kind = WRAPS[why]
    found = split("unrolled=0", "i8", **{"next": "%n = add i8 %i, 1", **parts}, **TWO)
    assert found.partition(" ")[0] == kind


def test_a_loop_without_preheader_is_kept():
    """The edge of an indirect branch cannot be split."""
    module = parse_module("""
        llvm.func @f(%p: !llvm.ptr, %n: i32, %c5: i32) {
          %c0 = llvm.mlir.constant(0 : i32) : i32
          %c1 = llvm.mlir.constant(1 : i32) : i32
          llvm.indirectbr %p : !llvm.ptr, [^loop(%c0 : i32), ^exit]
        ^loop(%i: i32):
          %t = llvm.icmp "eq" %i, %c1 : i32
          llvm.cond_br %t, ^then, ^latch
        ^then:
          llvm.store %i, %p : i32, !llvm.ptr
          llvm.br ^latch
        ^latch:
          %j = llvm.add %i, %c1 overflow<nsw> : i32
          %c = llvm.icmp "slt" %j, %n : i32
          llvm.cond_br %c, ^loop(%j : i32), ^exit
        ^exit:
          llvm.return
        }""")
    run_pipeline(module, "loop-index-split")
    assert sum(op.name == "llvm.store" for op in module.walk()) == 1


def test_a_loop_that_is_not_in_lcssa_form_is_kept():
    """A value of the loop is used after it without an argument of the exit block."""
    module = read_ll(TEXT.format(
        type="i32", start="0", phis="", before="", test="eq i32 %i, 5", branch="br i1 %t, label %then, label %else",
        then=STORE, other="", latch="", next="%n = add nuw nsw i32 %i, 1", again=AGAIN.format("slt i32 %n, %m"),
        exit="store i32 %n, ptr %p",
    ))  # fmt: skip
    func = function(module)
    am = AnalysisManager()
    LoopSimplify().run_on_function(func, am)
    (loop,) = am.get(LoopInfo, func).loops()
    assert not LoopIndexSplit().run_on_loop(loop, func, am)


RUN = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %p, i32 %m) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ {start}, %entry ], [ %n, %latch ]
  %t = icmp {test}
  br i1 %t, label %then, label %else
then:
  %v = load i32, ptr %p
  %w = add i32 %v, 1000
  store i32 %w, ptr %p
  br label %latch
else:
  {other}
  br label %latch
latch:
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, {end}
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""
EACH = "%x = load i32, ptr %p\n  %y = add i32 %x, 1\n  store i32 %y, ptr %p"


@pytest.mark.parametrize("end", ["%m", "20"])
@pytest.mark.parametrize("other", ["", EACH])
@pytest.mark.parametrize("test", ["eq i32 %i, 2", "eq i32 %i, 5", "slt i32 %i, 5", "ult i32 %i, 3"])
def test_the_first_iteration_always_runs(test: str, other: str, end: str):
    """The number of iterations is at least one, also if the counter starts at its end."""
    found: list[list[list[int]]] = []
    for pipeline in ("", "loop-index-split<unrolled=0>"):
        module = read_ll(RUN.format(start=2, test=test, other=other, end=end))
        before = str(module)
        if pipeline:
            run_pipeline(module, pipeline)
            verify_module(module)
            assert str(module) != before
        launches = [Launch("f", 1, 1, (np.zeros(1, np.int32), m)) for m in (-3, 0, 2, 3, 5, 6, 9)]
        found.append([run(prepare(module), at).arrays[0].tolist() for at in launches])
    assert found[0] == found[1]
