"""Conditions of `indvars`: each case is a loop, and a number of ops after the pass."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from helpers.modules import function, parse_module
from xdsl.ir import Block

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.loop.indvars import IndVarSimplify
from nvvm_xdsl.passes.loop.indvars_dead import MAX_CYCLE
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
TEXT = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.umin.i32(i32, i32)
declare void @use(i32)
declare i8 @llvm.umax.i8(i8, i8)
declare i64 @llvm.umax.i64(i64, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define void @f(ptr %p, ptr %q, i32 %m, i64 %l, i32 noundef %x, i64 noundef %y, i1 %b, i64 range(i64 0, 500) %short) {{
entry:
  {before}
  br label %loop
loop:
  %i = phi i32 [ {start}, %{from_} ], [ %n, %latch ]
  {phis}
  {body}
  {end}
latch:
  {latch}
  {next}
  {test}
exit:
  {exit}
  ret void
}}
"""
TESTED = "%c = icmp {}\n  br i1 %c, label %loop, label %exit"
STORE = "store volatile i32 {}, ptr %p"
STORE64 = "store volatile i64 {}, ptr %p"
SHOW = "%shown = zext i1 {} to i32\n  store volatile i32 %shown, ptr %p"


def header_after(options: str, **parts: str) -> tuple[Block, Counter[str]]:
    """The header of the loop after the pass, and the number of ops of the function by name."""
    module = read_ll(TEXT.format(**{
        "before": "", "from_": "entry", "start": "0", "next": "%n = add i32 %i, 1", "phis": "", "body": STORE.format("%i"), "end": "br label %latch", "latch": "",
        "test": TESTED.format("slt i32 %n, %m"), "exit": "", **parts,
    }))  # fmt: skip
    run_pipeline(module, f"indvars<{options}>")
    verify_module(module)
    func = function(module)
    (loop,) = LoopInfo(func.regions[0]).top_level
    return loop.header, Counter(op.name for op in func.walk())


DECIDED = {
    "a comparison of the counter": ({"test": TESTED.format("ult i32 %n, 100"), "body": "%d = icmp slt i32 %i, 100\n" + SHOW.format("%d")}, 1),
    "its inverse": ({"test": TESTED.format("ult i32 %n, 100"), "body": "%d = icmp sge i32 %i, 100\n" + SHOW.format("%d")}, 1),
    "not one that depends on the iteration": (
        {"test": TESTED.format("ult i32 %n, 100"), "body": "%d = icmp slt i32 %i, 50\n" + SHOW.format("%d")}, 2,
    ),
    "one that a branch before the loop decides": (
        {"before": "%g = icmp sgt i32 %m, %x\n  br i1 %g, label %pre, label %none\nnone:\n  ret void\npre:",
         "body": "%d = icmp sgt i32 %m, %x\n" + SHOW.format("%d"), "from_": "pre"}, 2,
    ),
    "not one that no branch decides": ({"body": "%d = icmp sgt i32 %m, %x\n" + SHOW.format("%d")}, 2),
    "not if only the first value is compared there": (
        {"before": "%g = icmp sgt i32 %m, 0\n  br i1 %g, label %pre, label %none\nnone:\n  ret void\npre:",
         "body": "%d = icmp sgt i32 %m, %i\n" + SHOW.format("%d"), "from_": "pre",
         "test": TESTED.format("slt i32 %n, %x")}, 3,
    ),
    "not a test that leaves the loop": (
        {"end": "%d = icmp slt i32 %i, 100\n  br i1 %d, label %latch, label %exit", "test": TESTED.format("ult i32 %n, 50")}, 2,
    ),
    "not a comparison of vectors": (
        {"body": "%d = icmp slt <2 x i32> zeroinitializer, <i32 1, i32 1>\n  store volatile <2 x i1> %d, ptr %p"}, 2,
    ),
    "not a comparison of floats": ({"body": "%d = fcmp olt float 0.0, 1.0\n" + SHOW.format("%d")}, 1),
}  # fmt: skip


@pytest.mark.parametrize("why", DECIDED)
def test_comparisons(why: str):
    parts, left = DECIDED[why]
    _, ops = header_after("disable-lftr;remat-iv=0", **parts)
    assert ops["llvm.icmp"] == left


SMALL = TESTED.format("ult i32 %n, 100")
DIVIDED = {
    "of values that are not negative": ({"test": SMALL, "body": "%d = sdiv i32 %i, 7\n" + STORE.format("%d")}, 0),
    "not of a negative divisor": ({"test": SMALL, "body": "%d = sdiv i32 %i, -7\n" + STORE.format("%d")}, 1),
    "not of a negative dividend": ({"test": SMALL, "body": "%e = sub i32 0, %i\n%d = sdiv i32 %e, 7\n" + STORE.format("%d")}, 1),
    "not of an unknown value": ({"test": SMALL, "body": "%d = sdiv i32 %i, %x\n" + STORE.format("%d")}, 1),
    "not of vectors": (
        {"body": "%d = sdiv <2 x i32> <i32 7, i32 9>, <i32 3, i32 4>\n  store volatile <2 x i32> %d, ptr %p"}, 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", DIVIDED)
def test_signed_division(why: str):
    parts, left = DIVIDED[why]
    _, ops = header_after("disable-lftr;remat-iv=0", **parts)
    assert ops["llvm.sdiv"] == left


def second(start: str, following: str, type_: str = "i32") -> dict[str, str]:
    """A second counter, which is stored."""
    return {
        "phis": f"%j = phi {type_} [ {start}, %entry ], [ %k, %latch ]",
        "body": f"store volatile {type_} %j, ptr %p\n  store volatile i32 %i, ptr %q",
        "latch": following,
    }


EQUAL = {
    "an equal counter": (second("0", "%k = add i32 %j, 1"), 1),
    "not of another start": (second("1", "%k = add i32 %j, 1"), 2),
    "not of another step": (second("0", "%k = add i32 %j, 2"), 2),
    "not of another type": (second("0", "%k = add i64 %j, 1", "i64"), 2),
    "not a recurrence": (second("0", "%k = xor i32 %j, 1"), 2),
    "not a float": (second("0.0", "%k = fadd float %j, 1.0", "float"), 2),
    "not if a flag of another op makes it poison": (
        second("0", "%h = add nsw i32 %j, 3\n  %k = add i32 %h, -2"), 2,
    ),
}  # fmt: skip
"""The number of arguments of the header."""


@pytest.mark.parametrize("why", EQUAL)
def test_equal_counters(why: str):
    parts, left = EQUAL[why]
    header, _ = header_after("disable-lftr;remat-iv=0;replexitval=never", **parts)
    assert len(header.args) == left


TWO = """
define void @f(ptr %p, ptr %q, i32 %m, i32 {x} %x, i32 noundef %y) {{
entry:
  %s = add i32 %x, %y
  %z = add nsw i32 %x, %y
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %j = phi i32 [ {start}, %entry ], [ %k, %loop ]
  %o = phi i32 [ {other}, %entry ], [ %w, %loop ]
  store volatile i32 %j, ptr %p
  store volatile i32 %o, ptr %q
  %k = add i32 %j, {step}
  %w = add i32 %o, {other_step}
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("x", "start", "other", "step", "other_step", "left"),
    [
        ("noundef", "%s", "%s", "3", "3", 2),
        ("", "%s", "%s", "3", "3", 3),
        ("noundef", "%z", "%s", "3", "3", 3),
        ("noundef", "%s", "%z", "3", "3", 3),
        ("noundef", "%x", "%x", "%s", "%z", 3),
    ],
)
def test_counters_that_are_poison_in_different_cases(
    x: str, start: str, other: str, step: str, other_step: str, left: int
):
    """An undefined start and a flag of the start or step."""
    module = read_ll(TWO.format(x=x, start=start, other=other, step=step, other_step=other_step))
    run_pipeline(module, "indvars<disable-lftr;remat-iv=0>")
    verify_module(module)
    (loop,) = LoopInfo(function(module).regions[0]).top_level
    assert len(loop.header.args) == left


WIDE = {
    "phis": "%w = phi i64 [ 0, %entry ], [ %wn, %latch ]",
    "latch": "%wn = add nuw nsw i64 %w, 1",
}
SHOWN64 = STORE64.format("%w") + "\n  " + STORE64.format("%e")
EXTENDED = {
    "an extension of a narrow counter": (
        {**WIDE, "test": SMALL, "body": "%e = zext i32 %i to i64\n" + SHOWN64}, {"llvm.zext": 0},
    ),
    "not if it may wrap": (
        {**WIDE, "test": TESTED.format("ne i32 %n, %x"), "body": "%e = sext i32 %i to i64\n" + SHOWN64}, {"llvm.sext": 1},
    ),
    "a sum that equals another counter": (
        {**second("7", "%k = add i32 %j, 1"),
         "end": "%e = add i32 %i, 7\n" + STORE.format("%e") + "\n  br label %latch"}, {"llvm.add": 2},
    ),
    "not an unused one": (
        {**WIDE, "test": SMALL, "body": STORE64.format("%w") + "\n  %e = zext i32 %i to i64"}, {"llvm.zext": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", EXTENDED)
def test_values_equal_to_a_counter(why: str):
    parts, expected = EXTENDED[why]
    _, ops = header_after("disable-lftr;remat-iv=0;replexitval=never", **parts)
    assert {name: ops[name] for name in expected} == expected


CHAIN = "\n  ".join(
    f"%d{n} = xor i32 {f'%d{n - 1}' if n else '%j'}, %x" for n in range(MAX_CYCLE + 1)
)
COUNTER = "%j = phi i32 [ 7, %entry ], [ %k, %latch ]"
DEAD = {
    "a counter without other uses": ({"latch": "%k = add i32 %j, 3"}, 1),
    "with unused results": ({"latch": "%k = add i32 %j, 3\n  %u = mul i32 %k, %x"}, 1),
    "with a result that is used twice": (
        {"latch": "%k = add i32 %j, 3\n  %u = mul i32 %k, %x\n  %h = xor i32 %u, %k\n  %g = add i32 %h, %u"}, 1,
    ),
    "not if it is stored": ({"latch": "%k = add i32 %j, 3\n  store i32 %k, ptr %q"}, 2),
    "not if a call uses it": ({"latch": "%k = add i32 %j, 3\n  call void @use(i32 %k)"}, 2),
    "not if it is used after the loop": (
        {"latch": "%k = add i32 %j, 3", "exit": STORE.format("%k")}, 2,
    ),
    "not if a branch in the loop uses it": (
        {"latch": "%k = add i32 %j, 3", "end": "%d = icmp eq i32 %j, %x\n  br i1 %d, label %other, label %latch\n"
                  "other:\n  store volatile i32 1, ptr %q\n  br label %latch"}, 2,
    ),
    "not if another argument is computed from it": (
        {"phis": COUNTER + "\n  %o = phi i32 [ 0, %entry ], [ %k, %latch ]", "body": STORE.format("%o"),
         "latch": "%k = add i32 %j, 3"}, 3,
    ),
    "not with many ops between": ({"latch": f"%k = add i32 %j, 3\n  {CHAIN}"}, 2),
}  # fmt: skip
"""The number of arguments of the header, without those of other counters."""


@pytest.mark.parametrize("why", DEAD)
def test_dead_counters(why: str):
    parts, left = DEAD[why]
    header, _ = header_after(
        "disable-lftr;remat-iv=0;replexitval=never", **{"phis": COUNTER, **parts}
    )
    assert len(header.args) == left


LEFT = "%j = phi i32 [ {}, %entry ], [ %k, %latch ]"
DOWN = "%k = add i32 %j, -1"
BY_J = TESTED.format("sgt i32 %j, 1")
REPLACED = {"phis": LEFT.format("%x"), "latch": DOWN, "test": BY_J}
CHEAP = {**REPLACED, "test": TESTED.format("ugt i32 %k, 0")}
"""The final value of another counter is cheap."""
TESTS = {
    "a counter that is only tested": (REPLACED, "ne", 1),
    "not if it is stored": ({**REPLACED, "body": STORE.format("%i") + STORE.format("%j").replace("store", "\n  store")}, "sgt", 2),
    "not if its next value is stored": (
        {**REPLACED, "latch": f"{DOWN}\n  store i32 %k, ptr %q"}, "sgt", 2,
    ),
    "not if it is used after the loop": ({**REPLACED, "exit": STORE.format("%k")}, "sgt", 2),
    "the next value of the counter": ({**REPLACED, "test": TESTED.format("sgt i32 %k, 0")}, "ne", 1),
    "with the counter on the right": ({**REPLACED, "test": TESTED.format("slt i32 1, %j")}, "ne", 1),
    "with exchanged targets": (
        {**REPLACED, "test": "%c = icmp sle i32 %j, 1\n  br i1 %c, label %exit, label %loop"}, "eq", 1,
    ),
    "not a test of floats": (
        {**REPLACED, "test": "%fj = sitofp i32 %j to float\n%c = fcmp ogt float %fj, 1.0\n  br i1 %c, label %loop, label %exit"},
        None, 2,
    ),
    "not a switch": (
        {**REPLACED, "test": "switch i32 %j, label %loop [i32 1, label %exit\n i32 -1, label %exit]"}, None, 2,
    ),
    "not a switch on the comparison": (
        {**REPLACED, "phis": LEFT.format("9"), "test": "%c = icmp eq i32 %k, 0\n  switch i1 %c, label %loop [i1 true, label %exit]"},
        "eq", 2,
    ),
    "not a branch that stays": (
        {**REPLACED, "end": "br i1 %b, label %exit, label %latch",
         "test": "%c = icmp sgt i32 %j, 1\n br i1 %c, label %loop, label %loop"}, "sgt", 2,
    ),
    "not an unconditional branch": (
        {**REPLACED, "end": "%c = icmp sgt i32 %j, 1\n  br i1 %c, label %latch, label %exit", "test": "br label %loop"},
        "sgt", 2,
    ),
    "not a loaded bound": (
        {**REPLACED, "test": "%v = load i32, ptr %q\n" + TESTED.format("sgt i32 %j, %v")}, "sgt", 2,
    ),
    "not if the other counter has another width": (
        {**REPLACED, "phis": "%j = phi i64 [ %y, %entry ], [ %k, %latch ]", "latch": "%k = add i64 %j, -1",
         "test": TESTED.format("ugt i64 %k, 0")}, "ugt", 2,
    ),
    "not a conjunction": (
        {**REPLACED, "phis": LEFT.format("9"), "test": "%c1 = icmp ugt i32 %k, 0\n  %c2 = icmp ugt i32 %k, 3\n  %c = and i1 %c1, %c2\n"
                     "  br i1 %c, label %loop, label %exit"}, "ugt", 2,
    ),
    "not a condition that an iteration passes on": (
        {**REPLACED, "phis": REPLACED["phis"] + "\n  %g = phi i1 [ true, %entry ], [ false, %latch ]",
         "test": "br i1 %g, label %loop, label %exit"}, None, 2,
    ),
    "a test of another value": (
        {**REPLACED, "test": "%e = zext i32 %k to i64\n  " + TESTED.format("ne i64 %e, 5"), "phis": LEFT.format("9")}, "ne", 1,
    ),
    "not a value that cannot be computed before the loop": (
        {**CHEAP, "body": "%d = udiv i32 %m, %x\n  store volatile i32 %i, ptr %p", "test": TESTED.format("ugt i32 %k, %d")}, "ugt", 2,
    ),
    "a test that another op uses, too": (
        {**CHEAP, "test": "%c = icmp ugt i32 %k, 0\n  " + SHOW.format("%c") + "\n  br i1 %c, label %loop, label %exit"},
        "ne ugt", 2,
    ),
    "not by a counter with an unknown step": ({**CHEAP, "next": "%n = add i32 %i, %x"}, "ugt", 2),
    "not by one with an unknown step that does not wrap": (
        {**CHEAP, "next": "%n = add nuw nsw i32 %i, %x\n  %g = getelementptr i32, ptr %p, i32 %n\n  store i32 1, ptr %g"},
        "ugt", 2,
    ),
    "not by one that is no counter": ({**CHEAP, "next": "%n = xor i32 %i, 1"}, "ugt", 2),
    "not by a sum of a counter": (
        {**CHEAP, "phis": LEFT.format("9") + "\n  %h = phi i32 [ 3, %entry ], [ %hn, %latch ]", "body": STORE.format("%i"),
         "next": "%n = add i32 %i, %h\n  %hn = add i32 %h, 2"}, "ugt", 3,
    ),
    "not by one that may have a value twice": ({**CHEAP, "next": "%n = add i32 %i, 2"}, "ugt", 2),
    "unless it may not wrap": (
        {**REPLACED, "test": TESTED.format("ugt i32 %k, 0"),
         "next": "%n = add nuw nsw i32 %i, 2\n  %g = getelementptr i32, ptr %p, i32 %n\n  store i32 1, ptr %g"}, "ne", 1,
    ),
    "by one with an odd step": (
        {**REPLACED, "test": TESTED.format("ugt i32 %k, 0"), "next": "%n = add i32 %i, 3"}, "ne", 1,
    ),
    "not by one with an undefined start": ({**CHEAP, "start": "%m"}, "ugt", 2),
    "not by one with another op between": (
        {**CHEAP, "next": "%h = add nsw i32 %i, 3\n  %n = add i32 %h, -2"}, "ugt", 2,
    ),
    "not if the final value is costly": ({**REPLACED, "latch": "%k = add nsw i32 %j, -3"}, "sgt", 2),
}  # fmt: skip
"""The predicate of the exit test afterwards, and the number of counters."""


@pytest.mark.parametrize("why", TESTS)
def test_exit_tests(why: str):
    parts, predicate, left = TESTS[why]
    header, _ = header_after("remat-iv=0;replexitval=never", **parts)
    assert len(header.args) == left
    (loop,) = LoopInfo(header.parent).top_level
    found = {
        PREDICATES[predicate_of(op)]
        for block in loop.blocks
        for op in block.ops
        if op.name == "llvm.icmp"
    }
    assert found == set((predicate or "").split())


@pytest.mark.parametrize("starts", [("0", "%y"), ("%y", "0")])
def test_the_counter_with_the_cheapest_final_value_is_tested(starts: tuple[str, str]):
    module = read_ll(f"""
        define void @f(ptr %p, i32 %x, i32 noundef %y) {{
        entry:
          br label %loop
        loop:
          %i = phi i32 [ {starts[0]}, %entry ], [ %n, %loop ]
          %o = phi i32 [ {starts[1]}, %entry ], [ %w, %loop ]
          %j = phi i32 [ %x, %entry ], [ %k, %loop ]
          store volatile i32 %i, ptr %p
          store volatile i32 %o, ptr %p
          %n = add i32 %i, 1
          %w = add i32 %o, 1
          %k = add i32 %j, -1
          %c = icmp ugt i32 %k, 0
          br i1 %c, label %loop, label %exit
        exit:
          ret void
        }}""")
    run_pipeline(module, "indvars<remat-iv=0>")
    verify_module(module)
    (test,) = (op for op in module.walk() if op.name == "llvm.icmp")
    (loop,) = LoopInfo(function(module).regions[0]).top_level
    assert test.operands[0].owner.operands[0] is loop.header.args[starts.index("0")]


SUM = {
    "phis": "%s = phi i32 [ 1, %entry ], [ %t, %latch ]",
    "latch": "%t = add i32 %s, %x",
    "test": SMALL,
}
MORE = "%h = add i32 %s, {}\n  store i32 %h, ptr %q"
EXITS = {
    "the last value of a sum": ({**SUM, "exit": STORE.format("%t")}, 1),
    "not if it is computed in any case": ({**SUM, "body": STORE.format("%t"), "exit": STORE.format("%t"), "latch": "", "phis": SUM["phis"] + "\n  %t = add i32 %s, %x"}, 0),
    "not of a loop with another exit": ({**SUM, "end": "br i1 %b, label %exit, label %latch", "exit": "%z = phi i32 [ %s, %loop ], [ %t, %latch ]\n" + STORE.format("%z")}, 0),
    "not with an unknown trip count": (
        {**SUM, "exit": STORE.format("%t"), "test": "%v = load volatile i32, ptr %q\n" + TESTED.format("slt i32 %n, %v")}, 0,
    ),
    "not of a value that is no sum": ({**SUM, "latch": "%t = xor i32 %s, %i", "exit": STORE.format("%t")}, 0),
    "not of a float": (
        {"phis": "%s = phi float [ 1.0, %entry ], [ %t, %latch ]", "latch": "%t = fadd float %s, 2.0", "test": SMALL,
         "exit": "store float %t, ptr %p"}, 0,
    ),
    "not if it is costly": (
        {**SUM, "latch": "%t = add i32 %s, %x", "next": "%n = add nuw i32 %i, 7", "test": TESTED.format("ult i32 %n, %m"),
         "exit": STORE.format("%t")}, 0,
    ),
    "not of an address": (
        {"phis": "%s = phi ptr [ %q, %entry ], [ %t, %latch ]", "latch": "%t = getelementptr i32, ptr %s, i32 %x", "test": SMALL,
         "exit": "store ptr %t, ptr %p"}, 0,
    ),
    "not if it cannot be computed before the loop": (
        {**SUM, "body": "%d = udiv i32 %m, %x", "latch": "%t = add i32 %s, %d", "exit": STORE.format("%t")}, 0,
    ),
    "if an unconditional branch passes it on": (
        {**SUM, "end": "br label %join\njoin:\n  %z = phi i32 [ %s, %loop ]\n  br label %latch",
         "exit": STORE.format("%t")}, 1,
    ),
    "not if a branch in the loop depends on it": (
        {**SUM, "exit": STORE.format("%t"), "end": "%d = icmp eq i32 %s, 7\n  br i1 %d, label %other, label %latch\n"
                "other:\n  store volatile i32 1, ptr %q\n  br label %latch"}, 0,
    ),
    "not if a value that is passed to another block is stored": (
        {**SUM, "exit": STORE.format("%t"), "end": "br i1 %b, label %other, label %join\nother:\n  br label %join\n"
                "join:\n  %z = phi i32 [ %s, %loop ], [ 0, %other ]\n  store i32 %z, ptr %q\n  br label %latch"}, 0,
    ),
    "if a value that is passed to another block is unused": (
        {**SUM, "exit": STORE.format("%t"), "end": "br i1 %b, label %other, label %join\nother:\n  br label %join\n"
                "join:\n  %z = phi i32 [ %s, %loop ], [ 0, %other ]\n  br label %latch"}, 1,
    ),
}  # fmt: skip
"""The number of products before the loop."""


@pytest.mark.parametrize("why", EXITS)
def test_exit_values(why: str):
    parts, products = EXITS[why]
    _, ops = header_after("disable-lftr;remat-iv=0", **parts)
    assert ops["llvm.mul"] == products


@pytest.mark.parametrize(("option", "products"), [("never", 0), ("cheap", 0), ("always", 1)])
def test_the_option_for_exit_values(option: str, products: int):
    parts = {**SUM, "exit": STORE.format("%t"), "latch": SUM["latch"] + "\n  store i32 %t, ptr %q"}
    _, ops = header_after(f"disable-lftr;remat-iv=0;replexitval={option}", **parts)
    assert ops["llvm.mul"] == products


def test_a_cheap_exit_value_is_computed_even_if_the_loop_needs_it():
    header, _ = header_after(
        "disable-lftr;remat-iv=0", test=SMALL, body=STORE.format("%n").replace("%n", "%i"),
        latch="", exit=STORE.format("%n"),
    )  # fmt: skip
    (out,) = (
        op for op in header.parent.walk() if op.name == "llvm.store" and op.parent is not header
    )
    stored = out.operands[0]
    edges = [
        values[stored.index]
        for block in header.parent.blocks
        for target, values in edges_of(block.last_op)
        if target is stored.owner
    ]
    assert [constant_integer(value) for value in edges] == [100]


def test_exit_values_from_outside_are_no_change():
    module = read_ll(TEXT.format(
        before="", from_="entry", start="0", phis="", body=STORE.format("%i"), end="br label %latch", latch="",
        next="%n = add nuw nsw i32 %i, 1", test=TESTED.format("ne i32 %n, %m"),
        exit="%r = phi i32 [ %x, %latch ]\n" + STORE.format("%r"),
    ))  # fmt: skip
    run_pipeline(module, "loop-simplify,lcssa")
    func = function(module)
    assert not IndVarSimplify().run_on_function(func, AnalysisManager())


NARROW = {
    "phis": "%w = phi i64 [ {}, %entry ], [ %k, %latch ]", "body": STORE64.format("%w"),
    "test": TESTED.format("slt i64 %k, 1000"),
}  # fmt: skip


def wide(start: object = 5, following: str = "%k = add i64 %w, 3", **parts: str) -> dict[str, str]:
    """A counter of 64 bits."""
    return {**NARROW, "phis": NARROW["phis"].format(start), "latch": following, **parts}


NARROWED = {
    "a counter that fits": (wide(), True),
    "with a start that fits": (wide("%few", before="%few = and i64 %y, 255"), True),
    "with an extended start": (wide("%few", before="%fx = lshr i32 %x, 16\n  %few = zext i32 %fx to i64"), True),
    "with an argument as its start": (wide("%short"), True),
    "not with an unknown start": (wide("%y"), False),
    "not with an unknown end": (wide(test=TESTED.format("slt i64 %k, %y")), False),
    "not with a large start": (wide(1 << 31, test=TESTED.format("ult i64 %k, 3000000000")), False),
    "not with a small start": (wide(-(1 << 31) - 1), False),
    "a negative start that fits": (wide(-(1 << 31)), True),
    "not if its last value does not fit": (wide(test=TESTED.format("slt i64 %k, 2147483648")), False),
    "not a counter that is multiplied": (wide(1, "%k = mul i64 %w, 3"), False),
    "not a counter by subtraction": (wide(5, "%k = sub i64 %w, -3"), False),
    "not one with another op between": (wide(5, "%h = add i64 %w, 1\n  %k = add i64 %h, 2"), False),
    "not a sum of a counter": (
        {**wide(5, "%k = add i64 %w, %h\n  %hn = add i64 %h, 1", before=""),
         "phis": "%w = phi i64 [ 5, %entry ], [ %k, %latch ]\n  %h = phi i64 [ 3, %entry ], [ %hn, %latch ]",
         "body": STORE64.format("%w") + "\n  " + STORE64.format("%h"), "test": TESTED.format("slt i64 %hn, 9")}, False,
    ),
    "not one that another block passes on": (
        wide(5, "%kk = phi i64 [ %k, %loop ]", body=STORE64.format("%w") + "\n  %k = add i64 %w, 3",
             phis="%w = phi i64 [ 5, %entry ], [ %kk, %latch ]"), False,
    ),
    "not a value that is no counter": (wide(5, "%k = add i64 %w, %w"), False),
    "a step that is extended": (
        wide(5, "%k = add nsw i64 %w, %s", before="%fy = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n  %s = zext i32 %fy to i64"), True,
    ),
    "not one that is not extended": (
        wide(5, "%k = add nsw i64 %w, %s", before="%fx = and i64 %y, 255\n  %s = call i64 @llvm.umax.i64(i64 %fx, i64 1)"), False,
    ),
    "not one that is extended from another width": (
        wide(5, "%k = add nsw i64 %w, %s", before="%fx = trunc i32 %x to i8\n  %fy = call i8 @llvm.umax.i8(i8 %fx, i8 1)\n  %s = zext i8 %fy to i64"), False,
    ),
    "not one that is extended in the loop": (
        wide(5, "%fv = add i32 %fy, 0\n  %s = zext i32 %fv to i64\n  %k = add nsw i64 %w, %s",
             before="%fy = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()"), False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", NARROWED)
def test_narrowing(why: str):
    parts, is_narrowed = NARROWED[why]
    header, ops = header_after("disable-lftr;replexitval=never", **parts)
    assert ops["llvm.trunc"] == ("%few, " in parts["phis"] and "and" in parts.get("before", "")) + (
        "%short, " in parts["phis"]
    ) + ("trunc" in parts.get("before", ""))
    widths = {argument.type.width.data for argument in header.args}
    assert (64 not in widths) is is_narrowed


def test_narrowing_is_optional():
    header, _ = header_after("disable-lftr;replexitval=never;remat-iv=0", **wide())
    assert {argument.type.width.data for argument in header.args} == {64}


@pytest.mark.parametrize(
    ("start", "following", "test", "extension", "flags"),
    [
        (5, "%k = add i64 %w, 3", "slt i64 %k, 1000", "llvm.zext", NSW | NUW),
        (-5, "%k = add i64 %w, 3", "slt i64 %k, 1000", "llvm.sext", NSW),
        (1000, "%k = add i64 %w, -3", "sgt i64 %k, 5", "llvm.zext", NSW),
    ],
)
def test_flags_of_narrowed_counters(
    start: int, following: str, test: str, extension: str, flags: int
):
    """A negative step wraps as an unsigned number."""
    parts = wide(start, following, test=TESTED.format(test))
    header, ops = header_after("disable-lftr;replexitval=never", **parts)
    assert ops[extension] == 2
    (increment,) = (
        op for block in header.parent.blocks for op in block.ops
        if op.name == "llvm.add" and op.operands[0] is header.args[-1]
    )  # fmt: skip
    assert overflow_flags(increment) == flags


NEST = """
define void @f(ptr %p, i32 %m) {
entry:
  br label %outer
outer:
  %o = phi i32 [ 0, %entry ], [ %on, %next ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %n, %loop ]
  %d = icmp sge i32 %i, 0
  %shown = zext i1 %d to i32
  store volatile i32 %shown, ptr %p
  %n = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %n, 9
  br i1 %c, label %loop, label %next
next:
  %on = add i32 %o, 1
  %v = load volatile i32, ptr %p
  %oc = icmp slt i32 %on, %v
  br i1 %oc, label %outer, label %exit
exit:
  ret void
}
"""


@pytest.mark.parametrize(
    ("option", "comparisons"),
    [
        ("iv-loop-level=1", 3),
        ("iv-loop-level=2", 2),
        ("iv-loop-level=0", 2),
        ("disable-unknown-trip-iv", 2),
    ],
)
def test_the_limit_of_the_depth(option: str, comparisons: int):
    module = read_ll(NEST)
    run_pipeline(module, f"indvars<disable-lftr;{option}>")
    verify_module(module)
    assert sum(op.name == "llvm.icmp" for op in module.walk()) == comparisons


@pytest.mark.parametrize(("option", "comparisons"), [("", 1), ("disable-unknown-trip-iv", 2)])
def test_loops_with_unknown_trip_count(option: str, comparisons: int):
    _, ops = header_after(
        f"disable-lftr;{option}", body="%d = icmp ult i32 %m, 0\n" + SHOW.format("%d"),
        test="%v = load volatile i32, ptr %q\n" + TESTED.format("slt i32 %n, %v"),
    )  # fmt: skip
    assert ops["llvm.icmp"] == comparisons


def test_flags_of_a_counter_without_an_equal_one_are_kept():
    """The flag is not proved."""
    parts = second("7", "%k = add nsw i32 %j, 3")
    header, _ = header_after("disable-lftr;remat-iv=0;replexitval=never", **parts)
    (following,) = (
        op for block in header.parent.blocks for op in block.ops
        if op.name == "llvm.add" and op.operands[0] is header.args[1]
    )  # fmt: skip
    assert overflow_flags(following) == NSW


FLAGGED = """
define void @f(ptr %p, i32 %m, i32 noundef %x) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ {start}, %entry ], [ %n, %loop ]
  %j = phi i32 [ {start}, %entry ], [ %k, %loop ]
  store volatile i32 %j, ptr %p
  %n = add {flags} i32 %i, {step}
  %k = add i32 %j, {step}
  %c = icmp {test}
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("start", "flags", "step", "test", "kept"),
    [
        ("0", "nuw nsw", 1, "ult i32 %k, 100", NSW | NUW),
        ("0", "nuw nsw", 1, "ne i32 %k, %m", 0),
        ("0", "nuw nsw", 1, "ult i32 %k, -5", NUW),
        ("-5", "nuw nsw", 1, "slt i32 %k, 100", NSW),
        ("0", "", 1, "ult i32 %k, 100", 0),
        ("0", "nsw", -1, "ne i32 %k, %m", 0),
    ],
)
def test_only_proved_flags_of_equal_counters_are_kept(
    start: str, flags: str, step: int, test: str, kept: int
):
    """The value of the second counter is defined in all iterations."""
    module = read_ll(FLAGGED.format(start=start, flags=flags, step=step, test=test))
    run_pipeline(module, "indvars<disable-lftr;remat-iv=0>")
    verify_module(module)
    (increment,) = (op for op in module.walk() if op.results and op.results[0].name_hint == "n")
    assert overflow_flags(increment) == kept


OUTER = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i32 noundef %x) {{
entry:
  br label %outer
outer:
  %o = phi {type} [ 0, %entry ], [ %on, %next ]
  %a = phi i32 [ 0, %entry ], [ %sum, %next ]
  br label %loop
loop:
  %w = phi {type} [ %o, %outer ], [ %k, %loop ]
  %j = phi i32 [ %x, %outer ], [ %l, %loop ]
  %s = phi i32 [ %a, %outer ], [ %sum, %loop ]
  %v = {narrow} %w {to}
  %sum = add i32 %s, %v
  %k = add {type} %w, 0
  %l = add i32 %j, -1
  %c = icmp ugt i32 %l, 0
  br i1 %c, label %loop, label %next
next:
  %on = add {type} %o, 1
  %d = icmp ult {type} %on, 9
  br i1 %d, label %outer, label %exit
exit:
  store i32 %sum, ptr %p
  ret void
}}
"""


@pytest.mark.parametrize(
    ("type_", "narrow", "to"), [("i32", "xor i32", ", 3"), ("i64", "trunc i64", "to i32")]
)
def test_a_counter_of_an_outer_loop(type_: str, narrow: str, to: str):
    """It has the same value in all iterations of the inner loop, to which 0 is added."""
    found: list[list[int]] = []
    for pipeline in ("", "indvars"):
        module = read_ll(OUTER.format(type=type_, narrow=narrow, to=to))
        if pipeline:
            run_pipeline(module, pipeline)
            verify_module(module)
        launch = Launch("k", 1, 1, (np.zeros(1, np.int32), 5))
        found.append(run(prepare(module), launch).arrays[0].tolist())
    assert found[0] == found[1]


def test_exit_values_of_narrowed_counters():
    """An exit argument at the place of the counter."""
    found: list[list[int]] = []
    for pipeline in ("", "indvars<disable-lftr;replexitval=never>"):
        module = read_ll("""
            define ptx_kernel void @k(ptr %p) {
            entry:
              br label %loop
            loop:
              %w = phi i64 [ 5, %entry ], [ %k, %loop ]
              store i64 %w, ptr %p
              %k = add i64 %w, 3
              %c = icmp slt i64 %k, 1000
              br i1 %c, label %loop, label %exit
            exit:
              %r = phi i64 [ %k, %loop ]
              store i64 %r, ptr %p
              ret void
            }""")
        if pipeline:
            run_pipeline(module, pipeline)
            assert any(op.name == "llvm.zext" for op in module.walk())
        launch = Launch("k", 1, 1, (np.zeros(1, np.int64),))
        found.append(run(prepare(module), launch).arrays[0].tolist())
    assert found[0] == found[1]


@pytest.mark.parametrize(("entry", "again"), [
    ("llvm.indirectbr %p : !llvm.ptr, [^loop(%c0 : i64), ^exit]", "llvm.br ^loop(%n : i64)"),
    ("llvm.br ^loop(%c0 : i64)", "llvm.indirectbr %p : !llvm.ptr, [^loop(%n : i64), ^other]"),
])  # fmt: skip
def test_a_loop_without_preheader_or_latch_is_kept(entry: str, again: str):
    """The edges of an indirect branch cannot be split."""
    module = parse_module(f"""
        llvm.func @f(%p: !llvm.ptr) {{
          %c0 = llvm.mlir.constant(0 : i64) : i64
          %c1 = llvm.mlir.constant(1 : i64) : i64
          %end = llvm.mlir.constant(9 : i64) : i64
          {entry}
        ^loop(%i: i64):
          %d = llvm.icmp "slt" %i, %end : i64
          llvm.store volatile %d, %p : i1, !llvm.ptr
          %n = llvm.add %i, %c1 : i64
          %c = llvm.icmp "slt" %n, %end : i64
          llvm.cond_br %c, ^again, ^exit
        ^again:
          {again}
        ^other:
          llvm.br ^loop(%n : i64)
        ^exit:
          llvm.return
        }}""")
    run_pipeline(module, "indvars")
    assert sum(op.name == "llvm.icmp" for op in module.walk()) == 2
