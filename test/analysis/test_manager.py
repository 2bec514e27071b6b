from __future__ import annotations

from typing import ClassVar

import pytest
from helpers.graphs import region_of, set_edges
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.test import TestOp as AnOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses


def a_function() -> Operation:
    return AnOp(regions=[region_of([[1], [1, 2], []])])


class OpCount:
    """The number of functions in a module, as a module analysis for the tests."""

    def __init__(self, count: int) -> None:
        self.count = count

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> OpCount:
        return cls(len(list(op.regions[0].ops)))


def test_an_analysis_is_built_once():
    am, func = AnalysisManager(), a_function()
    loops = am.get(LoopInfo, func)
    assert am.get(LoopInfo, func) is loops
    assert am.get(DominatorTree, func) is loops.dominators
    assert am.builds == {"LoopInfo": 1, "DominatorTree": 1, "CFG": 1}
    assert am.hits == {"LoopInfo": 1, "DominatorTree": 1}


def test_unrequested_analyses_are_not_built():
    am, func = AnalysisManager(), a_function()
    assert am.cached(CFG, func) is None
    am.get(CFG, func)
    assert am.cached(CFG, func) is not None
    assert am.cached(DominatorTree, func) is None


def test_invalidation_drops_all_and_counts_the_change():
    am, func = AnalysisManager(), a_function()
    am.get(LoopInfo, func)
    assert am.epoch(func) == 0
    am.invalidate(func)
    assert am.epoch(func) == 1
    assert am.cached(CFG, func) is None
    assert am.cached(LoopInfo, func) is None


def test_preserving_the_graph_keeps_analyses_of_the_graph():
    am, func = AnalysisManager(), a_function()
    loops = am.get(LoopInfo, func)
    am.invalidate(func, PreservedAnalyses.cfg())
    assert am.cached(LoopInfo, func) is loops
    assert am.epoch(func) == 1


def test_an_analysis_is_dropped_with_its_dependencies():
    am, func = AnalysisManager(), a_function()
    am.get(LoopInfo, func)
    am.get(PostDominatorTree, func)
    am.invalidate(func, PreservedAnalyses.of(CFG, LoopInfo))
    assert am.cached(CFG, func) is not None
    assert am.cached(LoopInfo, func) is None
    am.get(LoopInfo, func)
    am.drop(CFG, func)
    assert am.cached(LoopInfo, func) is None


def test_preserved_analyses_all_none_and_and_of():
    assert PreservedAnalyses.all().holds(LoopInfo)
    assert not PreservedAnalyses.none().holds(LoopInfo)
    assert PreservedAnalyses.none().and_of(LoopInfo).holds(LoopInfo)
    assert not PreservedAnalyses.cfg().holds(OpCount)
    assert PreservedAnalyses.cfg().and_of(OpCount).holds(OpCount)


def test_functions_and_their_module():
    am = AnalysisManager()
    one, two = a_function(), a_function()
    module = ModuleOp([one, two])
    assert am.get(OpCount, module).count == 2
    am.get(CFG, one)
    am.get(CFG, two)
    am.invalidate(one)
    assert am.cached(OpCount, module) is None
    assert am.cached(CFG, two) is not None
    assert (am.epoch(one), am.epoch(two), am.epoch(module)) == (1, 0, 1)
    am.get(OpCount, module)
    am.invalidate(module)
    assert am.cached(CFG, two) is None
    assert am.epoch(two) == 1
    am.get(CFG, two)
    am.get(OpCount, module)
    am.forget(two)
    assert am.cached(CFG, two) is None
    assert am.cached(OpCount, module) is None


def test_the_verifying_manager_finds_a_falsely_preserved_analysis():
    am, func = AnalysisManager(verify=True), a_function()
    am.get(DominatorTree, func)
    set_edges(func.regions[0], 0, [1, 2])
    am.invalidate(func, PreservedAnalyses.cfg())
    with pytest.raises(AssertionError, match="immediate dominator of b2"):
        am.get(DominatorTree, func)
    with pytest.raises(AssertionError):
        am.verify()


class Reader:
    """An analysis whose dependencies the test chooses for each build."""

    needs: ClassVar[tuple[type[Reader], ...]] = ()

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Reader:
        for other in cls.needs:
            am.get(other, op)
        return cls()


READERS: list[type[Reader]] = [type(f"Reader{n}", (Reader,), {}) for n in range(5)]


@given(st.data())
def test_dependent_analyses_are_dropped(data: st.DataObject):
    """Against a simple model; an analysis depends on others of lower numbers, chosen for each build."""
    am, func = AnalysisManager(), a_function()
    built: dict[int, set[int]] = {}

    def expect(number: int) -> None:
        if number not in built:
            needs = [n for n in range(number) if READERS[n] in READERS[number].needs]
            for other in needs:
                expect(other)
            built[number] = set(needs)

    def lose(gone: set[int]) -> None:
        while gone:
            for number in gone:
                del built[number]
            gone = {number for number, needs in built.items() if needs & gone}

    for _ in range(12):
        number = data.draw(st.integers(0, len(READERS) - 1))
        if data.draw(st.booleans()):
            for at, reader in enumerate(READERS):
                if at and at not in built:
                    chosen = data.draw(st.frozensets(st.integers(0, at - 1)))
                    reader.needs = tuple(READERS[n] for n in sorted(chosen))
            expect(number)
            am.get(READERS[number], func)
        elif number in built:
            lose({number})
            am.drop(READERS[number], func)
        assert {n for n, r in enumerate(READERS) if am.cached(r, func)} == set(built)
