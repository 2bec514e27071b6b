"""Every analysis detects that the IR has changed since it was computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers.programs import block_named, parse_module, value_named
from xdsl.dialects.llvm import StoreOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis import (
    barriers,
    branch_probability,
    call_graph,
    cfg,
    dominators,
    liveness,
    loop_facts,
    loops,
    merge_sets,
    uniformity,
)
from nvvm_xdsl.analysis.machine import register_pressure
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory import alias_analysis, dependence_analysis, memory_ssa, warp_accesses
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.memory.dependence_analysis import DependenceAnalysis
from nvvm_xdsl.analysis.scev import scalar_evolution
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.values import demanded_bits, lazy_value_info, value_tracking
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.dialects.llvm.types import int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline.registry import ANALYSES

TEXT = """
llvm.func @other()
llvm.func @kernel(%p: !llvm.ptr<1>, %n: i32, %q: !llvm.ptr<1> {llvm.noalias})
    attributes {nvvm.kernel} {
  nvvm.barrier0
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(7 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  llvm.br ^loop(%k0 : i32)
^loop(%i: i32):
  %low = llvm.and %t, %mask : i32
  %even = llvm.icmp "ult" %low, %n : i32
  llvm.cond_br %even, ^then, ^latch
^then:
  %at = llvm.add %i, %low : i32
  %e = llvm.getelementptr %p[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %v = llvm.load %e : !llvm.ptr<1> -> i32
  %w = llvm.add %v, %k1 : i32
  llvm.store %w, %e : i32, !llvm.ptr<1>
  llvm.br ^latch
^latch:
  %next = llvm.add %i, %k1 : i32
  %more = llvm.icmp "ne" %next, %mask : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}
"""


def turn_around(func: Operation) -> None:
    """Changes the targets of the loop's test."""
    fast.set_successors(block_named(func, "then").last_op, [block_named(func, "exit")])


def another_mask(func: Operation) -> None:
    op = value_named(func, "mask").op
    op.properties["value"] = int_attr(1023, op.results[0].type)


def another_base(func: Operation) -> None:
    """Changes the array of an access."""
    fast.set_operand(value_named(func, "e").op, 0, value_named(func, "q"))


def without_thread(func: Operation) -> None:
    fast.set_operand(value_named(func, "low").op, 0, value_named(func, "n"))


def another_use(func: Operation) -> None:
    """Adds a later use of a value."""
    fast.set_operand(value_named(func, "next").op, 1, value_named(func, "low"))


def another_store(func: Operation) -> None:
    store = fast.create(StoreOp, [value_named(func, "i"), value_named(func, "p")])
    fast.insert_before(store, block_named(func, "latch").last_op)


def without_accesses(func: Operation) -> None:
    """Erases the op after the barrier."""
    for op in [op for op in func.walk() if op.name == "llvm.store"]:
        fast.erase(op)


def another_call(func: Operation) -> None:
    module = func.parent_op()
    assert module is not None
    other = next(op for op in module.regions[0].block.ops if op is not func)
    fast.erase(other)


def nothing(analysis: Any, func: Operation) -> None:
    """Makes no query, so that the analysis has cached nothing."""


def ask_ranges(info: LazyValueInfo, func: Operation) -> None:
    info.range_in_block(value_named(func, "low"), block_named(func, "then"))


def ask_exits(facts: loop_facts.LoopFacts, func: Operation) -> None:
    for loop in facts.loops.loops():
        facts.exit_edges(loop)


def ask_counts(se: ScalarEvolution, func: Operation) -> None:
    for loop in se.loops.loops():
        se.backedge_taken_count(loop)


def ask_alias(analysis: AliasAnalysis, func: Operation) -> None:
    accesses = [op for op in func.walk() if op.name in ("llvm.load", "llvm.store")]
    one, two = (analysis.location(op) for op in accesses)
    assert one is not None
    assert two is not None
    analysis.alias(one._replace(size=None), two._replace(pointer=value_named(func, "q")))


def ask_dependence(analysis: DependenceAnalysis, func: Operation) -> None:
    accesses = [op for op in func.walk() if op.name in ("llvm.load", "llvm.store")]
    analysis.depends(accesses[1], accesses[0])


CASES: list[tuple[type[Any], Callable[[Any, Operation], None], Callable[[Operation], None]]] = [
    (cfg.CFG, nothing, turn_around),
    (dominators.DominatorTree, nothing, turn_around),
    (dominators.PostDominatorTree, nothing, turn_around),
    (loops.LoopInfo, nothing, turn_around),
    (loop_facts.LoopFacts, ask_exits, turn_around),
    (merge_sets.MergeSets, nothing, turn_around),
    (branch_probability.BranchProbability, nothing, turn_around),
    (branch_probability.BlockFrequency, nothing, turn_around),
    (liveness.Liveness, nothing, another_use),
    (register_pressure.RegisterPressure, nothing, another_use),
    (value_tracking.ValueTracking, nothing, another_mask),
    (lazy_value_info.LazyValueInfo, ask_ranges, another_mask),
    (demanded_bits.DemandedBits, nothing, another_mask),
    (uniformity.Uniformity, nothing, without_thread),
    (memory_ssa.MemorySSA, nothing, another_store),
    (alias_analysis.AliasAnalysis, ask_alias, another_base),
    (dependence_analysis.DependenceAnalysis, ask_dependence, another_base),
    (scalar_evolution.ScalarEvolution, ask_counts, another_mask),
    (warp_accesses.WarpAccesses, nothing, another_base),
    (barriers.Barriers, nothing, without_accesses),
    (call_graph.CallGraph, nothing, another_call),
]


@pytest.mark.parametrize(
    ("analysis", "ask", "change"), CASES, ids=[case[0].__name__ for case in CASES]
)
def test_a_stale_analysis_is_found(analysis: Any, ask: Any, change: Any):
    module = parse_module(TEXT)
    func = list(module.ops)[-1]
    found = AnalysisManager().get(analysis, module if analysis is call_graph.CallGraph else func)
    ask(found, func)
    found.verify()
    change(func)
    with pytest.raises(AssertionError):
        found.verify()


MADE_OF_OTHERS = {"MachineRegisterPressure"}
"""Analyses of modules that verify those of the functions."""


def test_every_printable_analysis_can_be_verified():
    names = {where.split(":")[1] for where in ANALYSES.values()}
    assert names - MADE_OF_OTHERS <= {case[0].__name__ for case in CASES}
    assert hasattr(register_pressure.MachineRegisterPressure, "verify")
