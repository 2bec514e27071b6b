"""Unrolled loops compute the same, with convergent ops in them."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.loop_kernels import differences, loops_in
from helpers.programs import Undefined, loops_and_branches, parse_function
from helpers.programs import run as run_program
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import OpResult

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import baseline, compare, find_difference
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.lab.random_kernels import random_kernel, random_launches
from nvvm_xdsl.passes.loop.lcssa import LCSSA
from nvvm_xdsl.passes.loop.loop_simplify import LoopSimplify
from nvvm_xdsl.passes.loop.loop_unroll import LoopUnroll
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.transforms.cfg import remove_unreachable_blocks
from nvvm_xdsl.transforms.loops import form_lcssa
from nvvm_xdsl.verify.verifier import verify_function, verify_module

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4

define ptx_kernel void @k(ptr %out) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %slot = getelementptr i32, ptr addrspace(3) @tile, i64 %t64
  %other = xor i64 %t64, 1
  %neighbour = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  %mine = getelementptr i32, ptr %out, i64 %t64
  %odd = and i32 %t, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %again ]
  %s = phi i32 [ %t, %entry ], [ %u, %again ]
  {body}
again:
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, {bound}
  br i1 %c, label %loop, label %exit
exit:
  %r = phi i32 [ %u, %again ]{early}
  store i32 %r, ptr %mine, align 4
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
"""

TOGETHER = {
    "barrier": """
  store i32 %s, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.barrier0()
  %v = load i32, ptr addrspace(3) %neighbour, align 4
  call void @llvm.nvvm.barrier0()
  %u = add i32 %v, %i
  br label %again""",
    "shuffle": """
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %s, i32 1, i32 31)
  %u = add i32 %v, %i
  br label %again""",
    "vote": """
  %b = icmp eq i32 %s, %i
  %a = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %b)
  %v = zext i1 %a to i32
  %u = add i32 %s, %v
  br label %again""",
}


def result_of(module) -> list[int]:
    out = np.zeros(64, np.int32)
    launch = Launch("k", 1, 64, (out,))
    return run(prepare(module, ("init", "race", "sync")), launch).arrays[0].tolist()


def count(module, name: str) -> int:
    return sum(op.name == name for op in module.walk())


@pytest.mark.parametrize("kind", TOGETHER)
@pytest.mark.parametrize(("bound", "is_unrolled"), [("5", True), ("1", True), ("%odd", False)])
def test_loops_with_convergent_ops(kind: str, bound: str, is_unrolled: bool):
    if bound == "%odd" and kind != "vote":
        # Threads that leave in different iterations do not synchronize: this kernel may not be run.
        module = read_ll(KERNEL.format(body=TOGETHER[kind], bound=bound, early=""), "k.ll")
        run_pipeline(module, "loop-unroll")
        assert count(module, "llvm.cond_br") == 1
        return
    module = read_ll(KERNEL.format(body=TOGETHER[kind], bound=bound, early=""), "k.ll")
    if bound != "%odd":
        expected = result_of(module)
    run_pipeline(module, "loop-unroll")
    verify_module(module)
    assert (count(module, "llvm.cond_br") == 0) is is_unrolled
    if bound != "%odd":
        assert result_of(module) == expected


@pytest.mark.parametrize("kind", TOGETHER)
def test_a_divergent_break_keeps_convergent_ops_in_the_loop(kind: str):
    """In a copied body, threads would wait at another op than threads in the original body."""
    body = TOGETHER[kind].replace(
        "br label %again", "%e = icmp eq i32 %u, 77\n  br i1 %e, label %exit, label %again"
    )
    text = KERNEL.format(body=body, bound="5", early=", [ %u, %loop ]")
    module = read_ll(text, "k.ll")
    run_pipeline(module, "loop-unroll")
    assert count(module, "llvm.cond_br") == 2
    # Without such ops the loop is unrolled by its maximum trip count.
    alone = "%u = mul i32 %s, 3\n  %e = icmp eq i32 %u, 77\n  br i1 %e, label %exit, label %again"
    module = read_ll(KERNEL.format(body=alone, bound="5", early=", [ %u, %loop ]"), "k.ll")
    expected = result_of(module)
    run_pipeline(module, "loop-unroll")
    assert count(module, "llvm.cond_br") == 5
    assert result_of(module) == expected


def test_scopes_declared_in_an_iteration_are_separate_for_each():
    module = read_ll(
        """
        target triple = "nvptx64-nvidia-cuda"
        define void @k(ptr %p, ptr %q) {
        entry:
          br label %loop
        loop:
          %i = phi i64 [ 0, %entry ], [ %n, %loop ]
          call void @llvm.experimental.noalias.scope.decl(metadata !0)
          %a = getelementptr float, ptr %p, i64 %i
          %b = getelementptr float, ptr %q, i64 %i
          %v = load float, ptr %a, align 4, !alias.scope !0, !noalias !3
          store float %v, ptr %b, align 4, !noalias !0, !alias.scope !3
          %n = add nuw nsw i64 %i, 1
          %c = icmp ne i64 %n, 2
          br i1 %c, label %loop, label %exit
        exit:
          ret void
        }
        declare void @llvm.experimental.noalias.scope.decl(metadata)
        !0 = !{!1}
        !1 = distinct !{!1, !2}
        !2 = distinct !{!2}
        !3 = !{!4}
        !4 = distinct !{!4, !2}
        """,
        "k.ll",
    )
    run_pipeline(module, "loop-unroll")
    loads = [op for op in module.walk() if op.name == "llvm.load"]
    stores = [op for op in module.walk() if op.name == "llvm.store"]
    assert len(loads) == len(stores) == 2
    first, second = (op.properties["alias_scopes"] for op in loads)
    assert first != second
    # Scopes not declared in the loop remain one scope.
    assert stores[0].properties["alias_scopes"] == stores[1].properties["alias_scopes"]
    for load, store in zip(loads, stores):
        assert load.properties["alias_scopes"] == store.properties["noalias_scopes"]


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_live_out_values_become_block_arguments(first: int):
    changed = 0
    for seed in range(first, first + 10):
        module = random_kernel(seed, 60)
        # Exit blocks with one edge lose their arguments.
        run_pipeline(module, "function(simplifycfg,early-cse,simplifycfg)")
        launches = random_launches(seed)
        wanted = baseline(module, launches)
        for func in functions_of(module):
            loops = LoopInfo(DominatorTree(func.regions[0])).innermost_first()
            for loop in loops:
                changed += form_lcssa(loop)
                assert loop.is_lcssa()
        verify_module(module)
        assert compare(prepare(module), launches, wanted, "lcssa") is None
    assert changed


def computed(func, arguments: list[int], limit: int) -> list[int]:
    """Returns the results of a function's ops, in the order of execution."""
    found = run_program(func, arguments, limit=limit)
    return [
        number
        for value, number in found
        if isinstance(value, OpResult) and (value.name_hint or "").startswith("v")
    ]


@settings(max_examples=100, deadline=None)
@given(loops_and_branches(max_blocks=9, constants=(0, 1, 2)), st.integers(0, 5), st.integers(0, 5))
def test_loop_forms_are_maintained(text: str, a: int, b: int):
    """All loops in one run, with the loop information updated as blocks are created."""
    func = parse_function(text)
    try:
        before = computed(func, [a, b], 60)
    except Undefined:
        return
    am = AnalysisManager()
    remove_unreachable_blocks(func.regions[0])
    loops = am.get(LoopInfo, func)
    LoopSimplify().run_on_function(func, am)
    loops_now = LoopInfo(DominatorTree(func.regions[0])).loops()
    assert all(loop.is_simplified() for loop in loops_now)
    known = {loop.header: loop.block_set for loop in loops.loops()}
    assert known == {loop.header: loop.block_set for loop in loops_now}
    LCSSA().run_on_function(func, AnalysisManager())
    assert all(loop.is_lcssa() for loop in loops_now)
    verify_function(func)
    after = computed(func, [a, b], 400)
    assert after[: len(before)] == before


BEFORE = "function(sroa,early-cse,simplifycfg)"
"""Passes of a frontend's pipeline before loop passes."""


def test_the_level_sets_the_threshold():
    """LLVM's thresholds: 150 ops, and 300 at -O3."""
    assert [LoopUnroll.from_parameters([f"O{n}"]).threshold for n in range(4)] == [150] * 3 + [300]
    assert LoopUnroll(unroll_threshold=10).threshold == 10
    text = KERNEL.format(body=TOGETHER["shuffle"], bound="90", early="")
    unrolled = {}
    for level in (1, 3):
        module = read_ll(text)
        run_pipeline(module, f"function(sroa,loop-unroll<opt-level={level}>)")
        unrolled[level] = not loops_in(module)
    assert unrolled == {1: False, 3: True}


def test_random_kernels_of_loops():
    assert differences("loop-unroll", range(12), BEFORE) > 6


def test_random_loops_unrolled_for_load_offsets():
    assert differences("loop-unroll<for-loads>", range(12)) >= 2


STEPS = """
define ptx_kernel void @k(ptr %q, i64 %m) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %b = trunc i64 %i to i8
  %v = add {first} i8 %b, {offset}
  %w = add {second} i8 %v, {step}
  %p = getelementptr i8, ptr %q, i64 %i
  store i8 %w, ptr %p, align 1
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("first", "offset", "second", "step", "joined"),
    [
        ("nsw", 3, "nsw", 4, ("nsw", 7)),
        ("nsw", 3, "nuw", 4, ("", 7)),
        ("nsw nuw", 3, "nuw", 4, ("nuw", 7)),
        ("nsw", 3, "nsw", -4, ("nsw", -1)),
        ("", 3, "", -3, None),
        ("nsw", 100, "nsw", 100, "apart"),
    ],
)
def test_nested_sums_are_combined(first: str, offset: int, second: str, step: int, joined):
    """If the sum of the constants wraps, no fact about the total is known."""
    text = STEPS.format(first=first, offset=offset, second=second, step=step)
    module = read_ll(text, "k.ll")
    run_pipeline(module, "loop-unroll<unroll-count=2>")
    verify_module(module)
    stores = [op for op in module.walk() if op.name == "llvm.store"]
    # The third is of the remainder.
    assert len(stores) == 3
    value = stores[1].operands[0].owner
    if joined is None:
        assert value.name == "llvm.trunc"
        return
    assert value.name == "llvm.add"
    inner, by = value.operands
    if joined == "apart":
        assert inner.owner.name == "llvm.add"
        return
    assert inner.owner.name == "llvm.trunc"
    flags = [name for bit, name in ((NSW, "nsw"), (NUW, "nuw")) if overflow_flags(value) & bit]
    assert (" ".join(flags), constant_integer(by)) == joined


@pytest.mark.slow
def test_more_random_kernels_of_loops():
    assert differences("loop-unroll", range(100, 110), BEFORE) > 4
    assert differences("loop-unroll<for-loads>", range(100, 110)) >= 1


def test_analyses_are_built_once_per_nesting_depth():
    """An analysis per loop would take quadratic time, because each construction is linear in the function."""
    loops = "".join(
        f"""
        br label %loop{k}
        loop{k}:
          %i{k} = phi i32 [ 0, %{f"loop{k - 1}" if k else "entry"} ], [ %n{k}, %loop{k} ]
          %p{k} = getelementptr i32, ptr %q, i32 %i{k}
          store i32 %i{k}, ptr %p{k}, align 4
          %n{k} = add nuw nsw i32 %i{k}, 1
          %c{k} = icmp ne i32 %n{k}, 3
          br i1 %c{k}, label %loop{k}, label %loop{k + 1}
        """.replace("br label %loop0", "br label %loop0" if not k else "").replace(
            f"br label %loop{k}\n", f"br label %loop{k}\n" if not k else "\n"
        )
        for k in range(20)
    )
    text = f"define void @k(ptr %q) {{\nentry:\n{loops}\nloop20:\n  ret void\n}}"
    module = read_ll(f'target triple = "nvptx64-nvidia-cuda"\n{text}', "k.ll")
    (func,) = functions_of(module)
    am = AnalysisManager()
    assert LoopUnroll().run_on_function(func, am)
    assert count(module, "llvm.cond_br") == 0
    assert count(module, "llvm.store") == 60
    assert am.builds["LoopInfo"] <= 3


def test_a_latch_with_two_backedges_is_unchanged():
    module = read_ll(
        """
        define void @k(ptr %q, i1 %c) {
        entry:
          br label %loop
        loop:
          %i = phi i32 [ 0, %entry ], [ 1, %loop ], [ 1, %loop ]
          store i32 %i, ptr %q, align 4
          br i1 %c, label %loop, label %loop
        }
        """,
        "k.ll",
    )
    (func,) = functions_of(module)
    LoopUnroll().run_on_function(func, AnalysisManager())
    verify_module(module)


@pytest.mark.parametrize(("pragma", "loads"), [(", !llvm.loop !0", 5), ("", 1)])
def test_a_pragma_permits_a_costly_trip_count(pragma: str, loads: int):
    """The trip count needs a maximum and a division, which cost more than the budget."""
    text = f"""
define void @k(ptr %p, i32 %n, i32 %t) {{
entry:
  %some = icmp slt i32 %t, %n
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ %t, %entry ], [ %j, %loop ]
  %q = getelementptr float, ptr %p, i32 %i
  %v = load volatile float, ptr %q
  %j = add nsw i32 %i, 37
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %done{pragma}
done:
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.loop.unroll.count", i32 4}}
"""
    module = read_ll(text)
    run_pipeline(module, "function(loop-unroll)")
    assert sum(op.name == "llvm.load" for op in module.walk()) == loads


FEW = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, ptr %out, i64 %start) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %n, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %next = add i32 %sum, %v
  %n = add nuw i64 %i, 1
  %c = icmp ult i64 %i, 1
  br i1 %c, label %loop, label %end
end:
  store i32 %next, ptr %out
  ret void
}
"""


def test_the_test_of_the_last_copy_is_constant():
    """The next value of the counter is never below 1: only the first copy may continue."""
    numbers = np.array([1, 20, 300, 4000], np.int32)
    launches = [Launch("k", args=(numbers, np.zeros(1, np.int32), start)) for start in (0, 1, 3)]
    passes = "loop-simplify,lcssa,loop-unroll<for-loads>"
    assert find_difference(read_ll(FEW), passes, launches, machine=False) is None
