"""Conditions of `simple-loop-unswitch`: each case is a loop, and whether its test remains in it."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.dialects.builtin import ModuleOp, UnitAttr, i32

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.effects import NODUPLICATE
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare void @together() convergent nounwind willreturn memory(none)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
define ptx_kernel void @f(ptr %p, i32 %m, i1 %b, i1 %s, i32 %x) {{
entry:
  {before}
  br label %loop
loop:
  %i = phi i32 [ 5, %entry ], [ %n, %{last} ]
  {body}
  {test}
then:
  {then}
  br label %latch
else:
  {other}
  br label %latch
latch:
  {latch}
  %n = add i32 %i, 1
  {again}
exit:
  {exit}
}}
!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.loop.unroll.disable"}}
"""
BARRIER = "call void @llvm.nvvm.barrier0()"
STORE = "store volatile i32 %i, ptr %p"
DIVERGENT = "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %d = icmp eq i32 %t, 3"


def unswitched(options: str, **parts: str) -> ModuleOp:
    """A loop after the pass. An op named `only` must not be copied."""
    text = TEXT.format(**{
        "before": "", "body": "", "test": "br i1 %b, label %then, label %else", "then": STORE, "other": "",
        "latch": "", "last": "latch", "again": "%c = icmp slt i32 %n, %m\n  br i1 %c, label %loop, label %exit, !llvm.loop !0",
        "exit": "ret void", **parts,
    })  # fmt: skip
    module = read_ll(text)
    for op in module.walk():
        if op.results and op.results[0].name_hint == "only":
            op.attributes[NODUPLICATE] = UnitAttr()
    run_pipeline(module, f"simple-loop-unswitch<{options}>")
    verify_module(module)
    return module


def loops_in(module: ModuleOp) -> int:
    """The number of loops of the function."""
    return len(LoopInfo(function(module).regions[0]).loops())


INNER = "\n  ".join(f"%k{n} = xor i32 {f'%k{n - 1}' if n else '%i'}, %m" for n in range(20))
"""Ops that each copy contains."""
CASES = {
    "a uniform test": ("", {}, 2),
    "not if it is disabled": ("no-nontrivial", {}, 1),
    "not a test of the iteration": ("", {"body": "%v = trunc i32 %i to i1", "test": "br i1 %v, label %then, label %else"}, 1),
    "not a constant": ("", {"test": "br i1 true, label %then, label %else"}, 1),
    "not a switch": ("", {"test": "switch i32 %x, label %then [i32 3, label %else]"}, 1),
    "not a branch with equal targets": ("", {"test": "br i1 %b, label %then, label %then", "other": "unreachable\ndead:"}, 1),
    "not a divergent test": ("", {"before": DIVERGENT, "test": "br i1 %d, label %then, label %else"}, 1),
    "a divergent test if that is permitted": (
        "divergent-unswitch-threshold=50", {"before": DIVERGENT, "test": "br i1 %d, label %then, label %else"}, 2,
    ),
    "not if threads then reach a barrier apart": (
        "divergent-unswitch-threshold=50",
        {"before": DIVERGENT, "test": "br i1 %d, label %then, label %else", "last": "more",
         "again": "%c = icmp slt i32 %n, %m\n  br i1 %c, label %more, label %sync\nmore:\n"
                  "  %e = icmp eq i32 %n, %x\n  br i1 %e, label %exit, label %loop\n"
                  f"sync:\n  {BARRIER}\n  br label %exit"}, 1,
    ),
    "a uniform test in such a loop": (
        "divergent-unswitch-threshold=50",
        {"last": "more", "again": "%c = icmp slt i32 %n, %m\n  br i1 %c, label %more, label %sync\nmore:\n"
                  "  %e = icmp eq i32 %n, %x\n  br i1 %e, label %exit, label %loop\n"
                  f"sync:\n  {BARRIER}\n  br label %exit"}, 2,
    ),
    "not a convergent op": ("", {"latch": BARRIER}, 1),
    "not inline assembly": ("", {"latch": '%w = call i32 asm "mov.u32 $0, $1;", "=r,r"(i32 %i)\n  store i32 %w, ptr %p'}, 1),
    "not an op that must not be copied": ("", {"latch": "%only = xor i32 %i, %m"}, 1),
    "not more ops than the limit": ("unswitch-threshold=10", {"latch": INNER}, 1),
    "not counting the ops of an arm": ("unswitch-threshold=10", {"other": INNER}, 2),
    "but those of a block with two predecessors": (
        "unswitch-threshold=10",
        {"body": "%v = trunc i32 %i to i1\n  br i1 %v, label %join, label %else\njoin:",
         "test": "br i1 %b, label %then, label %else", "other": INNER}, 1,
    ),
    "nor those of the header": (
        "unswitch-threshold=10",
        {"body": INNER, "test": "br i1 %s, label %then, label %latch", "latch": "", "then": "br label %else\ndead:",
         "other": STORE, "again": "br i1 %b, label %loop, label %exit"}, 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_duplication(why: str):
    options, parts, expected = CASES[why]
    assert loops_in(unswitched(options, **parts)) == expected


LEAVE = {"test": "br i1 %b, label %then, label %exit", "other": "unreachable\ndead:"}


def sent(value: str) -> str:
    """An exit block that the header passes a value to."""
    return f"%r = phi i32 [ {value}, %loop ], [ %n, %latch ]\n  store i32 %r, ptr %p\n  ret void"


TRIVIAL = {
    "an exit of the header": (LEAVE, 1),
    "with the other edge": ({**LEAVE, "test": "br i1 %b, label %exit, label %then"}, 1),
    "that passes the counter on": ({**LEAVE, "exit": sent("%i")}, 1),
    "that passes another value on": ({**LEAVE, "exit": sent("%x")}, 1),
    "not one that passes a value of the header on": (
        {**LEAVE, "body": "%v = mul i32 %i, %x", "exit": sent("%v")}, 2,
    ),
    "not a test of the iteration": (
        {**LEAVE, "body": "%v = trunc i32 %i to i1", "test": "br i1 %v, label %then, label %exit"}, 2,
    ),
    "not a constant": ({**LEAVE, "test": "br i1 true, label %then, label %exit"}, 2),
    "not a switch": ({**LEAVE, "test": "switch i32 %x, label %then [i32 3, label %exit]"}, 1),
    "not a test that stays": ({}, 2),
    "not a convergent op before": ({**LEAVE, "body": BARRIER}, 2),
    "not a vote before": ({**LEAVE, "body": "%v = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %s)"}, 2),
    "not a convergent function before": ({**LEAVE, "body": "call void @together() nounwind willreturn memory(none)"}, 2),
    "not an effect before": ({**LEAVE, "body": STORE}, 2),
    "a load before": ({**LEAVE, "body": "%v = load i32, ptr %p"}, 1),
}  # fmt: skip


@pytest.mark.parametrize("why", TRIVIAL)
def test_trivial_tests(why: str):
    parts, expected = TRIVIAL[why]
    module = unswitched("no-nontrivial", **parts)
    loops = LoopInfo(function(module).regions[0])
    inside = [op for op in function(module).walk() if op.parent and loops.loop_for(op.parent)]
    assert sum(op.name == "llvm.cond_br" for op in inside) == expected


def test_no_trivial_test_if_it_is_disabled():
    assert "llvm.freeze" not in str(unswitched("", **LEAVE))
    assert "llvm.freeze" in str(unswitched("no-trivial", **LEAVE))


@pytest.mark.parametrize("is_defined", [True, False])
def test_a_test_that_may_be_poison_is_frozen(is_defined: bool):
    """Before the loop it runs although the loop may not reach it."""
    before = "%d = freeze i1 %b\n" if is_defined else "%d = icmp ult i32 %m, %x\n"
    module = unswitched("", before=before, test="br i1 %d, label %then, label %else")
    assert sum(op.name == "llvm.freeze" for op in module.walk()) == 1


OTHER_USES = """
define ptx_kernel void @f(ptr %p, i32 %m, i1 %b, i32 %x) {
entry:
  %z = zext i1 %b to i32
  br label %loop
loop:
  %i = phi i32 [ 5, %entry ], [ %n, %latch ]
  %u = select i1 %b, i32 %i, i32 %x
  store volatile i32 %u, ptr %p
  br i1 %b, label %then, label %latch
then:
  store volatile i32 %i, ptr %p
  br label %latch
latch:
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  %y = select i1 %b, i32 %z, i32 %x
  store volatile i32 %y, ptr %p
  ret void
}
"""


def test_only_uses_in_the_loop_are_replaced():
    module = read_ll(OTHER_USES)
    run_pipeline(module, "simple-loop-unswitch")
    verify_module(module)
    loops = LoopInfo(function(module).regions[0])
    selects = [op for op in module.walk() if op.name == "llvm.select"]
    assert [loops.loop_for(op.parent) for op in selects] == [None]
    assert any(op.name == "llvm.zext" for op in module.walk())
    stored = [op.operands[0].type for op in module.walk() if op.name == "llvm.store"]
    assert set(stored) == {i32}


@pytest.mark.parametrize("options", ["no-trivial", ""])
def test_the_loops_have_own_exits(options: str):
    """Both loops leave by blocks that only they reach."""
    module = unswitched(options, **LEAVE)
    for loop in LoopInfo(function(module).regions[0]).loops():
        assert loop.has_dedicated_exits()


@pytest.mark.parametrize("test", ["%b", "%c"])
@pytest.mark.parametrize("annotation", [", !llvm.loop !0", ""])
def test_the_annotation_of_a_loop_is_kept(test: str, annotation: str):
    """That of a branch to the header, even if its test is moved."""
    module = read_ll(f"""
        define ptx_kernel void @f(ptr %p, i32 %m, i1 %b) {{
        entry:
          br label %loop
        loop:
          %i = phi i32 [ 5, %entry ], [ %n, %loop ]
          %n = add i32 %i, 1
          %c = icmp slt i32 %n, %m
          br i1 {test}, label %loop, label %exit{annotation}
        exit:
          ret void
        }}
        !0 = distinct !{{!0, !1}}
        !1 = !{{!"llvm.loop.unroll.disable"}}
        """)
    run_pipeline(module, "simple-loop-unswitch")
    verify_module(module)
    assert str(module).count("disable = true") == bool(annotation)


def test_a_loop_without_preheader_is_kept():
    """The edge of an indirect branch cannot be split."""
    module = parse_module("""
        llvm.func @f(%p: !llvm.ptr, %n: i32, %c1: i32, %b: i1) attributes {nvvm.kernel} {
          llvm.indirectbr %p : !llvm.ptr, [^loop(%n : i32), ^exit]
        ^loop(%i: i32):
          llvm.cond_br %b, ^then, ^latch
        ^then:
          llvm.store %i, %p : i32, !llvm.ptr
          llvm.br ^latch
        ^latch:
          %j = llvm.add %i, %c1 : i32
          %c = llvm.icmp "slt" %j, %n : i32
          llvm.cond_br %c, ^loop(%j : i32), ^exit
        ^exit:
          llvm.return
        }""")
    run_pipeline(module, "simple-loop-unswitch<no-trivial>")
    assert loops_in(module) == 1


@pytest.mark.parametrize(("first", "second"), [("%b", "%s"), ("%s", "%b")])
def test_the_test_with_the_least_growth_is_chosen(first: str, second: str):
    """The arm of one test is larger, so that less is duplicated."""
    arms = {first: "", second: INNER}
    text = {
        "body": f"br i1 %s, label %more, label %join\nmore:\n  {arms['%s']}\n  br label %join\njoin:",
        "then": arms["%b"],
    }
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        module = unswitched("", **text)
    (entry, *_) = function(module).regions[0].blocks
    assert entry.last_op.operands[0].owner.operands[0].name_hint == second[1:]
    assert {remark.line_of_text() for remark in heard} == {
        "remark: simple-loop-unswitch: f: unswitched the loop on an invariant condition"
    }


def test_an_exit_of_one_copy_is_not_split():
    """Only the loop of the second edge leaves by it."""
    module = unswitched(
        "no-trivial",
        test="br i1 %b, label %then, label %early",
        other="unreachable\nearly:\n  ret void\ndead:",
    )
    blocks = list(function(module).regions[0].blocks)
    early = next(block for block in blocks if block.name_hint == "early")
    (use,) = early.uses
    assert len(use.operation.parent.ops) == 1
    assert use.operation.parent.name_hint == "loop"
