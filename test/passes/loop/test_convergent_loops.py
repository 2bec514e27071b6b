"""Loops around each convergent op, with divergent exits, through each loop pass.

The mask operand of an op is the set of threads in the iteration, so that the op has the same meaning on a
GPU. If a pass moves an op out of its loop, duplicates it or makes it conditional, the op synchronizes with
other threads, and the simulator detects this. Barriers of a whole block are in loops with a uniform trip
count, those of a warp in loops with a trip count that is uniform in the warp. Each loop also has the
constructs that the passes transform: invariant conditions, one uniform and one divergent, invariant ops, and
an address that advances.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

THREADS = 64
ROUNDS = 5

OPS = {
    "shfl": "%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %acc, i32 %first, i32 31)",
    "same_shfl": "%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %mask, i32 %tid, i32 %first, i32 31)",
    "any": """%c = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %odd)
  %r = zext i1 %c to i32""",
    "all": """%c = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %odd)
  %r = zext i1 %c to i32""",
    "uni": """%c = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %odd)
  %r = zext i1 %c to i32""",
    "ballot": "%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %odd)",
    "match_any": "%r = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %third)",
    "match_all": """%s = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %third)
  %r = extractvalue {i32, i1} %s, 0""",
    "redux": "%r = call i32 @llvm.nvvm.redux.sync.add(i32 %third, i32 %mask)",
    "elect": """%s = call {i32, i1} @llvm.nvvm.elect.sync(i32 %mask)
  %c = extractvalue {i32, i1} %s, 1
  %r = zext i1 %c to i32""",
    "bar_warp": """store i32 %acc, ptr addrspace(3) %slot
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  %r = load i32, ptr addrspace(3) %first_slot
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)""",
    "call": "%r = call i32 @vote(i32 %mask, i1 %odd) convergent",
}
"""Ops of a warp: `%mask` is the set of threads in the iteration, `%first` a thread of the set; `%odd` and `%third`
are values of the thread.
"""

BARRIERS = {
    "barrier": ("%same", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"),
    "barrier_or": (
        "%same",
        "%p = call i32 @llvm.nvvm.barrier0.or(i32 %third)\n  store i32 %p, ptr addrspace(1) %out",
    ),
    "barrier_of_warp": (
        "%of_warp",
        """%id = add i32 %warp, 1
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %id, i32 32)""",
    ),
}
"""Barriers: the trip counts of their loops, and the op between a store and a load of another thread's word."""

HEAD = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare {i32, i1} @llvm.nvvm.elect.sync(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare i32 @llvm.nvvm.barrier0.or(i32)
define internal i32 @vote(i32 %mask, i1 %odd) convergent noinline {
  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %odd)
  ret i32 %r
}
"""

KERNEL = """
define ptx_kernel void @NAME(ptr addrspace(1) %out, i32 %same, i32 %flag) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %of_warp = add i32 %warp, 2
  %third = urem i32 %tid, 3
  %mixed = mul i32 %tid, 7
  %own = urem i32 %mixed, 5
  %bit = and i32 %tid, 1
  %odd = icmp ne i32 %bit, 0
  %wanted = icmp ne i32 %flag, 0
  %slot = getelementptr inbounds i32, ptr addrspace(3) @tile, i32 %tid
  %other = xor i32 %tid, 1
  %other_slot = getelementptr inbounds i32, ptr addrspace(3) @tile, i32 %other
  %start = mul i32 %tid, 8
  %some = icmp sgt i32 TRIPS, 0
  %all = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %some)
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %mask = phi i32 [ %all, %entry ], [ %rest, %latch ]
  %acc = phi i32 [ %tid, %entry ], [ %sum, %latch ]
  %goes = icmp slt i32 %i, TRIPS
  br i1 %goes, label %body, label %exit
body:
  br i1 %wanted, label %then, label %join
then:
  %more = add i32 %acc, %i
  br label %join
join:
  %before = phi i32 [ %acc, %body ], [ %more, %then ]
  br i1 %odd, label %then2, label %round
then2:
  %flipped = xor i32 %before, 5
  br label %round
round:
  %now = phi i32 [ %before, %join ], [ %flipped, %then2 ]
  %first = call i32 @llvm.cttz.i32(i32 %mask, i1 false)
  %wave = mul i32 %warp, 32
  %leader = add i32 %wave, %first
  %first_slot = getelementptr inbounds i32, ptr addrspace(3) @tile, i32 %leader
  OP
  %place = add nsw i32 %start, %i
  %wide = sext i32 %place to i64
  %at = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %wide
  %address = getelementptr inbounds i8, ptr addrspace(1) %at, i64 256
  store i32 %r, ptr addrspace(1) %address
  br label %latch
latch:
  %still = mul i32 %same, %third
  %part = add i32 %now, %still
  %sum = add i32 %part, %r
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, TRIPS
  %rest = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %again)
  br label %head, !llvm.loop !0
exit:
  %index = zext i32 %tid to i64
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %index
  %last = add i32 %acc, %i
  store i32 %last, ptr addrspace(1) %to
  ret void
}
"""

TAIL = "!0 = distinct !{!0, !1}\n!1 = !{!LOOP}\n"

EXCHANGE = """store i32 %acc, ptr addrspace(3) %slot
  {op}
  %r = load i32, ptr addrspace(3) %other_slot
  {op_again}"""


TOP_TEST = """
  %goes = icmp slt i32 %i, TRIPS
  br i1 %goes, label %body, label %exit
"""
BOTTOM_TEST = "  br i1 %again, label %head, label %exit, !llvm.loop !0\n"


def at_the_bottom(text: str) -> str:
    """Returns the kernel with its loop tested at the bottom: all threads run the first iteration."""
    text = text.replace("i1 %some)", "i1 true)").replace(TOP_TEST, "\n  br label %body\n")
    return text.replace("  br label %head, !llvm.loop !0\n", BOTTOM_TEST)


@cache
def kernels() -> dict[str, str]:
    """The text of each kernel by its name."""
    rounds = {name: ("%own", op) for name, op in OPS.items()}
    rounds["constant"] = (str(ROUNDS), OPS["ballot"])
    for name, (trips, op) in BARRIERS.items():
        again = op.replace("%p", "%p2").replace("%id", "%id2")
        rounds[name] = (trips, EXCHANGE.format(op=op, op_again=again))
    found: dict[str, str] = {}
    for name, (trips, op) in rounds.items():
        for kernel, text in ((name, KERNEL), (f"{name}_bottom", at_the_bottom(KERNEL))):
            named = text.replace("NAME", kernel).replace("OP", op)
            found[kernel] = named.replace("TRIPS", trips)
    return found


HINTS = {"loop-vectorize": '"llvm.loop.vectorize.enable", i1 true', "": '"llvm.loop.unroll.enable"'}


def module_for(name: str) -> ModuleOp:
    hint = HINTS.get(name, HINTS[""])
    text = HEAD + "".join(kernels().values()) + TAIL.replace("LOOP", hint)
    module = read_ll(text, "convergent.ll")
    run_pipeline(module, "loop-simplify" if name != "loop-simplify" else "")
    return module


def outcomes(module: ModuleOp) -> dict[str, list[list[int]]]:
    """Returns the memory that each kernel produces, with its condition and without."""
    program = prepare(module, ("sync",))
    return {
        name: [
            run(program, Launch(name, 1, THREADS, (np.zeros(THREADS * 10, np.int32), 3, flag)))
            .arrays[0]
            .tolist()
            for flag in (0, 1)
        ]
        for name in kernels()
    }


@cache
def expected() -> dict[str, list[list[int]]]:
    return outcomes(module_for(""))


def convergent_ops(module: ModuleOp) -> dict[str, int]:
    """Returns the number of synchronizing ops of each kernel with divergent trip counts."""
    return {
        func.sym_name.data: sum(bool(effects(op) & CONVERGENT) for op in func.walk())
        for func in functions_of(module)
        if func.sym_name.data.removesuffix("_bottom") in OPS
    }


LOOP_PASSES = sorted(name for name, at in PASSES.items() if at.startswith("loop."))

PREPARED = {
    "loop-unroll": "function(loop(loop-rotate),simplifycfg,loop(indvars))",
    "loop-reduce": "function(loop(loop-rotate),simplifycfg,loop(indvars))",
    "loop-vectorize": "function(loop(loop-rotate),simplifycfg)",
    "loop-idiom": "function(loop(loop-rotate),simplifycfg)",
    "simple-loop-unswitch": "function(loop(loop-rotate))",
}
"""Passes that run first to produce the form of loops that a pass requires."""

PARAMETERS = {
    "licm": "<allowspeculation>",
    "loop-reduce": "<no-filter-bad-formula;no-lsr-check-rp>",
    "simple-loop-unswitch": "<nontrivial>",
}
"""Options with which these passes have an effect."""

LEAVES_ALONE = frozenset(
    "loop-deletion loop-idiom loop-index-split loop-simplify loop-vectorize simple-loop-unswitch".split()
)
"""Passes that do not change these loops, because of convergent ops and stores or for lack of work."""


@pytest.mark.parametrize("name", LOOP_PASSES)
def test_each_pass_preserves_each_convergent_op(name: str):
    module = module_for(name)
    if name in PREPARED:
        run_pipeline(module, PREPARED[name])
    if name != "lcssa":
        # The forms that preparatory passes produce are not tested.
        run_pipeline(module, "function(loop-simplify,lcssa)")
    before, together = str(module), convergent_ops(module)
    run_pipeline(module, name + PARAMETERS.get(name, ""))
    verify_module(module)
    assert convergent_ops(module) == together
    assert (str(module) == before) is (name in LEAVES_ALONE)
    if name in LEAVES_ALONE:
        return
    found = outcomes(module)
    assert {kernel for kernel in found if found[kernel] != expected()[kernel]} == set()
