import networkx as nx
import pytest
from helpers.graphs import graphs, names, reaching, region_of, set_edges
from hypothesis import given
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.llvm import LLVM
from xdsl.ir import Region
from xdsl.parser import Parser

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo


def loops_of(edges: list[list[int]]) -> LoopInfo:
    return LoopInfo(DominatorTree(region_of(edges)))


def body_of(text: str) -> Region:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(LLVM)
    return next(iter(Parser(context, text).parse_module().ops)).regions[0]


def test_a_simple_loop():
    info = loops_of([[1], [2, 3], [1], []])
    (loop,) = info.top_level
    assert names(loop.blocks) == [1, 2]
    assert names([loop.preheader()]) == [0]
    assert names(loop.latches()) == [2]
    assert names(loop.exiting_blocks()) == [1]
    assert names(loop.exit_blocks()) == [3]
    assert loop.is_simplified()
    assert not loop.is_rotated()
    assert loop.depth == 1
    assert info.is_header(info.cfg.blocks[1])
    assert not info.is_header(info.cfg.blocks[2])


def test_nested_loops():
    info = loops_of([[1], [2], [3], [2, 4], [1, 5], []])
    (outer,) = info.top_level
    (inner,) = outer.subloops
    assert names(outer.blocks) == [1, 2, 3, 4]
    assert names(inner.blocks) == [2, 3]
    assert inner.parent is outer
    assert inner.depth == 2
    assert inner.is_innermost()
    assert inner.is_rotated()
    assert [names([loop.header]) for loop in info.innermost_first()] == [[2], [1]]
    assert info.common_loop(info.cfg.blocks[3], info.cfg.blocks[4]) is outer
    assert outer.contains_loop(inner)
    assert not inner.contains_loop(outer)


def test_two_latches_make_one_loop():
    info = loops_of([[1], [2, 3], [1], [1, 4], []])
    (loop,) = info.top_level
    assert loop.latch() is None
    assert sorted(names(loop.latches())) == [2, 3]
    assert not loop.is_simplified()


def test_a_self_loop_with_repeated_edges():
    info = loops_of([[1], [1, 1, 2], []])
    (loop,) = info.top_level
    assert names(loop.blocks) == [1]
    assert names(loop.latches()) == [1]
    assert len(loop.exit_edges()) == 1


def test_no_preheader_when_the_entering_block_branches():
    info = loops_of([[1, 2], [1, 2], []])
    (loop,) = info.top_level
    assert names([loop.predecessor()]) == [0]
    assert loop.preheader() is None
    assert not loop.has_dedicated_exits()


def test_an_unreachable_cycle_is_no_loop():
    info = loops_of([[3], [2], [1], []])
    assert info.top_level == []


def test_unreachable_predecessors_are_ignored():
    info = loops_of([[1], [1, 2], [], [1]])
    assert names(info.top_level[0].blocks) == [1]


def test_an_irreducible_cycle_is_listed():
    info = loops_of([[1, 2], [2], [1, 3], []])
    assert info.top_level == []
    assert not info.is_reducible
    (cycle,) = info.irreducible_cycles
    assert sorted(names(cycle.entries)) == [1, 2]
    assert sorted(names(cycle.blocks)) == [1, 2]


def test_an_irreducible_cycle_in_a_loop():
    info = loops_of([[1], [2, 3], [3], [2, 4], [1, 5], []])
    (loop,) = info.top_level
    assert sorted(names(loop.blocks)) == [1, 2, 3, 4]
    assert [sorted(names(c.entries)) for c in info.irreducible_cycles] == [[2, 3]]


def test_a_chain_of_ten_thousand_blocks_in_a_loop():
    size = 10_000
    info = loops_of([[1], *([n + 1] for n in range(1, size)), [1]])
    assert len(info.top_level[0].blocks) == size


def test_a_thousand_nested_loops():
    depth = 1000
    down = [[n + 1] for n in range(depth)]
    up = [[2 * depth - n - 1, n + 1] for n in range(depth, 2 * depth)]
    info = loops_of([*down, *up, []])
    assert len(info.loops()) == depth
    assert max(loop.depth for loop in info.loops()) == depth


LCSSA = """
llvm.func @f(%n : i32) -> i32 {{
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i : i32):
  %next = llvm.add %i, %n : i32
  %c = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %c, ^loop(%next : i32), ^exit(%next : i32)
^exit(%out : i32):
  llvm.return {} : i32
}}
"""


def test_lcssa_form():
    (loop,) = LoopInfo(body_of(LCSSA.format("%out"))).top_level
    assert loop.is_lcssa()
    (loop,) = LoopInfo(body_of(LCSSA.format("%next"))).top_level
    assert not loop.is_lcssa()
    (value,) = loop.values_used_outside()
    assert value.name_hint == "next"
    assert loop.defines(value)
    assert loop.is_invariant(loop.header.prev_block.args[0])


def test_updates():
    region = region_of([[1], [1, 2], []])
    info = LoopInfo(region)
    (loop,) = info.top_level
    set_edges(region, 1, [2])
    info.erase_loop(loop)
    info.verify()
    assert info.loops() == []


def test_erasing_an_outer_loop_keeps_the_inner():
    region = region_of([[1], [2], [2, 3], [1, 4], []])
    info = LoopInfo(region)
    set_edges(region, 3, [4])
    info.erase_loop(info.top_level[0])
    info.verify()
    assert [names(loop.blocks) for loop in info.loops()] == [[2]]
    assert info.depth(info.cfg.blocks[3]) == 0


def test_verify_finds_a_new_loop():
    region = region_of([[1], [2], []])
    info = LoopInfo(region)
    info.verify()
    set_edges(region, 1, [1, 2])
    with pytest.raises(AssertionError, match="headers are stale"):
        info.verify()


@given(graphs(max_size=14))
def test_loops_equal_the_definition(edges: list[list[int]]):
    info = loops_of(edges)
    reachable = reaching(edges, 0, -1)
    expected: dict[int, set[int]] = {}
    backwards: list[list[int]] = [[] for _ in edges]
    for source, targets in enumerate(edges):
        for target in targets:
            if source in reachable:
                backwards[target].append(source)
    for source in reachable:
        for target in edges[source]:
            if source == target or source not in reaching(edges, 0, target):
                body = expected.setdefault(target, {target})
                body |= reaching(backwards, source, target)
    found = {names([loop.header])[0]: set(names(loop.blocks)) for loop in info.loops()}
    assert found == expected
    for loop in info.loops():
        outer = [
            other for other in info.loops() if other is not loop and loop.header in other.block_set
        ]
        nearest = min(outer, key=lambda o: len(o.blocks), default=None)
        assert loop.parent is nearest
    graph = nx.DiGraph()
    graph.add_nodes_from(reachable)
    graph.add_edges_from(
        (s, t) for s in reachable for t in edges[s] if s not in expected.get(t, set())
    )
    # Without its backedges a reducible graph has no cycle.
    assert info.is_reducible == nx.is_directed_acyclic_graph(graph)
    assert info.is_reducible == (info.irreducible_cycles == [])
    for cycle in info.irreducible_cycles:
        assert len(cycle.entries) > 1
