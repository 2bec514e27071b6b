"""Hoisted and sunk ops preserve kernels, and analyses remain valid."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.loop_kernels import transformed
from helpers.nests import loop_nest
from helpers.programs import all_values, parse_function, value_named

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.memory_ssa import MemorySSA
from nvvm_xdsl.analysis.scev.invalidation import Invalidation
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.passes.loop.licm import LICM
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.transforms.loops import simplify_and_form_lcssa


def queried(func, am: AnalysisManager) -> ScalarEvolution:
    """Returns the scalar evolution of a function, with an expression for each of its values."""
    evolution = am.get(ScalarEvolution, func)
    for value in all_values(func):
        expression = evolution.get(value)
        if expression is not evolution.could_not_compute:
            evolution.range(expression)
    for loop in evolution.loops.loops():
        evolution.backedge_taken_count(loop)
    return evolution


def verified(module) -> None:
    """Runs the pass with analyses computed before it, which must still hold after it."""
    for func in functions_of(module):
        am = AnalysisManager()
        am.get(MemorySSA, func)
        evolution = queried(func, am)
        LICM().run_on_function(func, am)
        am.verify()
        assert am.cached(ScalarEvolution, func) is evolution
        evolution.verify(strict=True, maps=True)
        assert all(loop.is_lcssa() for loop in am.get(LoopInfo, func).loops())


def fewer_accesses(seeds: range, pipeline=verified) -> int:
    """Returns how many loads and stores were removed from loops of the seeds' kernels."""
    found = 0
    for seed in seeds:
        _, before, after = transformed(seed, pipeline, measure=accesses_in_loops)
        found += before - after
    return found


def accesses_in_loops(module) -> int:
    found = 0
    for func in functions_of(module):
        loops = LoopInfo(DominatorTree(func.regions[0]))
        for block in func.regions[0].blocks:
            if loops.loop_for(block) is not None:
                found += sum(op.name in ("llvm.load", "llvm.store") for op in block.ops)
    return found


def test_random_kernels_compute_the_same():
    assert fewer_accesses(range(12)) > 0


def test_random_kernels_with_speculation():
    fewer_accesses(range(40, 44), "licm<allowspeculation>")


@pytest.mark.slow
def test_more_random_kernels_compute_the_same():
    fewer_accesses(range(12, 20))


SHARED = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

define ptx_kernel void @k(ptr %out, i32 %n) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %slot = getelementptr i32, ptr addrspace(3) @tile, i64 %t64
  %next = xor i64 %t64, 1
  %neighbour = getelementptr i32, ptr addrspace(3) @tile, i64 %next
  %mine = getelementptr i32, ptr %out, i64 %t64
  %bound = and i32 {bound}, 3
  store i32 %t, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %s = phi i32 [ %t, %entry ], [ %u, %loop ]
  {body}
  %n1 = add nuw nsw i32 %i, 1
  %c = icmp ule i32 %n1, %bound
  br i1 %c, label %loop, label %exit
exit:
  store i32 %u, ptr %mine, align 4
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.activemask()
"""

BARRIER = """
  %v = load i32, ptr addrspace(3) %neighbour, align 4
  call void @llvm.nvvm.barrier0()
  %u = add i32 %v, %s
  store i32 %u, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.barrier0()"""
WARP = BARRIER.replace("barrier0()", "bar.warp.sync(i32 -1)")
VOTE = """
  %b = icmp slt i32 %t, 5
  %a = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %b)
  %z = zext i1 %a to i32
  %u = add i32 %s, %z"""
SHUFFLE = """
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)
  %u = add i32 %v, %s"""
ACTIVE = """
  %v = call i32 @llvm.nvvm.activemask()
  %u = add i32 %v, %s"""


@pytest.mark.parametrize("body", [BARRIER, WARP, VOTE, SHUFFLE, ACTIVE])
@pytest.mark.parametrize("bound", ["%n", "%t"])
def test_convergent_ops_stay_in_the_loop(body: str, bound: str):
    """With a divergent trip count the kernel may not be run, but its ops must stay."""
    module = read_ll(SHARED.format(body=body, bound=bound), "k.ll")
    out = np.zeros(64, np.int32)

    def result() -> list[int]:
        launch = Launch("k", 1, 64, (out, 2))
        return run(prepare(module, ("init", "race", "sync")), launch).arrays[0].tolist()

    def shape() -> list[list[str]]:
        func = next(iter(functions_of(module)))
        kinds = ("nvvm.barrier0", "nvvm.bar.warp.sync", "nvvm.vote.sync", "nvvm.shfl.sync",
                 "llvm.call_intrinsic", "llvm.load", "llvm.store")  # fmt: skip
        loops = LoopInfo(DominatorTree(func.regions[0]))
        return [
            [op.name for op in block.ops if op.name in kinds]
            for block in func.regions[0].blocks
            if loops.loop_for(block) is not None
        ]

    wanted = result() if bound == "%n" else []
    before = shape()
    run_pipeline(module, "licm")
    assert shape() == before
    if wanted:
        assert result() == wanted


def _questions(
    monkeypatch: pytest.MonkeyPatch, cls: type, name: str, text: str, run: LoopPass
) -> int:
    """Counts the calls of a method while a pass runs."""
    asked = 0
    method = getattr(cls, name)

    def counted(*arguments: object) -> object:
        nonlocal asked
        asked += 1
        return method(*arguments)

    func = parse_function(text)
    am = AnalysisManager()
    simplify_and_form_lcssa(func, am)
    with monkeypatch.context() as context:
        context.setattr(cls, name, counted)
        run.run_on_function(func, am)
    return asked


def test_each_op_of_a_nest_is_visited_once(monkeypatch: pytest.MonkeyPatch):
    small, large = (
        _questions(monkeypatch, Loop, "has_invariant_operands", loop_nest(depth), LICM())
        for depth in (16, 32)
    )
    assert large <= 2.2 * small


def test_each_loop_of_a_nest_is_forgotten_once(monkeypatch: pytest.MonkeyPatch):
    forgotten: list[Loop] = []
    mentioning = Invalidation._mentioning

    def counted(self: Invalidation, loop: Loop) -> object:
        forgotten.append(loop)
        return mentioning(self, loop)

    # One op leaves each loop, so that each loop is changed.
    sums = "".join(f"  %v{i} = llvm.add %x, %i{i} : i32\n" for i in range(8))
    func = parse_function(loop_nest(8, sums))
    am = AnalysisManager()
    simplify_and_form_lcssa(func, am)
    am.get(ScalarEvolution, func)
    monkeypatch.setattr(Invalidation, "_mentioning", counted)
    assert LICM().run_on_function(func, am)
    assert len(forgotten) == len(set(forgotten)) > 4


def test_an_op_leaves_several_loops():
    func = parse_function(loop_nest(4, "  %m = llvm.mul %x, %n : i32\n"))
    am = AnalysisManager()
    simplify_and_form_lcssa(func, am)
    assert LICM().run_on_function(func, am)
    assert value_named(func, "m").owner.parent is func.body.blocks.first
