import networkx as nx
import pytest
from helpers.graphs import graphs, names, reaching, region_of, set_edges
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.ir import fast


def slow_dominates(edges: list[list[int]], a: int, b: int) -> bool:
    return a == b or b not in reaching(edges, 0, a)


def tree_of(region_edges: list[list[int]]) -> DominatorTree:
    return DominatorTree(region_of(region_edges))


def test_a_diamond():
    tree = tree_of([[1, 2], [3], [3], []])
    assert tree.idom == [-1, 0, 0, 0]
    assert tree.depth == [0, 1, 1, 1]
    assert [tree.frontiers()[n] for n in (1, 2, 3)] == [[3], [3], []]


def test_unreachable_blocks_are_dominated_by_all_and_dominate_none():
    tree = tree_of([[1], [], [1]])
    zero, one, two = tree.cfg.blocks
    assert tree.immediate_dominator(two) is None
    assert tree.dominates(one, two)
    assert not tree.dominates(two, one)
    assert tree.nearest_common_dominator(two, one) is one
    assert tree.idom == [-1, 0, -1]
    assert not tree.contains(two)
    assert tree.contains(zero)


def test_a_loop_is_in_its_own_frontier():
    tree = tree_of([[1], [1, 2], []])
    assert tree.frontiers() == [[], [1], []]


def test_an_irreducible_region():
    tree = tree_of([[1, 2], [2, 3], [1], []])
    assert tree.idom == [-1, 0, 0, 1]


def test_a_chain_of_ten_thousand_blocks():
    size = 10_000
    tree = tree_of([[n + 1] for n in range(size - 1)] + [[]])
    blocks = tree.cfg.blocks
    assert tree.depth[-1] == size - 1
    assert tree.dominates(blocks[17], blocks[-1])
    assert not tree.dominates(blocks[-1], blocks[17])
    assert len(list(tree.preorder())) == size


def test_post_dominators_of_a_diamond():
    tree = PostDominatorTree(region_of([[1, 2], [3], [3], []]))
    assert tree.idom == [3, 3, 3, 4, -1]
    assert tree.frontiers() == [[], [0], [0], []]
    assert tree.immediate_post_dominator(tree.cfg.blocks[3]) is None


def test_post_dominators_with_two_exits():
    tree = PostDominatorTree(region_of([[1, 2], [], []]))
    assert tree.idom == [3, 3, 3, -1]


def test_an_infinite_loop_ends_at_its_last_block():
    tree = PostDominatorTree(region_of([[1, 3], [2], [1], []]))
    assert tree.exits == [3, 2]
    assert tree.idom[1] == 2
    assert tree.idom[0] == 4


def test_blocks_before_an_infinite_loop_are_no_exits():
    tree = PostDominatorTree(region_of([[1, 2], [2], [2]]))
    assert tree.exits == [2]
    assert tree.idom[:3] == [2, 2, 3]


def test_control_dependence():
    tree = PostDominatorTree(region_of([[1], [2, 4], [3], [1], []]))
    blocks = tree.cfg.blocks
    assert set(names(tree.iterated_control_dependences([blocks[2]]))) == {1}
    assert set(names(tree.iterated_control_dependences([blocks[1]]))) == {1}
    assert tree.iterated_control_dependences([blocks[4]]) == set()
    assert set(names(tree.iterated_control_dependents([blocks[1]]))) == {1, 2, 3}
    assert tree.iterated_control_dependents([blocks[0]]) == set()


@given(graphs(), st.data())
def test_dependents_are_the_inverse_of_dependences(edges: list[list[int]], data: st.DataObject):
    tree = PostDominatorTree(region_of(edges))
    blocks = tree.cfg.blocks
    branches = data.draw(st.sets(st.sampled_from(blocks)))
    expected = {b for b in blocks if branches & tree.iterated_control_dependences([b])}
    assert tree.iterated_control_dependents(branches) == expected


@given(graphs())
def test_dominance_equals_the_definition(edges: list[list[int]]):
    tree = tree_of(edges)
    blocks = tree.cfg.blocks
    reachable = reaching(edges, 0, -1)
    for a, first in enumerate(blocks):
        for b, second in enumerate(blocks):
            if b not in reachable:
                expected = True
            elif a not in reachable:
                expected = False
            else:
                expected = slow_dominates(edges, a, b)
            assert tree.dominates(first, second) == expected


@given(graphs(max_size=25))
def test_immediate_dominators_equal_those_of_networkx(edges: list[list[int]]):
    graph = nx.DiGraph([(s, t) for s, ts in enumerate(edges) for t in ts])
    graph.add_node(0)
    expected = dict(nx.immediate_dominators(graph, 0))
    expected.pop(0, None)
    tree = tree_of(edges)
    assert {n: up for n, up in enumerate(tree.idom) if up >= 0} == expected


@given(graphs())
def test_frontiers_equal_the_definition(edges: list[list[int]]):
    tree = tree_of(edges)
    reachable = reaching(edges, 0, -1)
    frontiers = tree.frontiers()
    for a in range(len(edges)):
        expected = (
            {
                t
                for s in reachable
                for t in edges[s]
                if slow_dominates(edges, a, s) and (a == t or not slow_dominates(edges, a, t))
            }
            if a in reachable
            else set[int]()
        )
        assert set(frontiers[a]) == expected


@given(graphs(), st.data())
def test_the_iterated_frontier_is_the_closure(edges: list[list[int]], data: st.DataObject):
    tree = tree_of(edges)
    numbers = st.sets(st.integers(0, len(edges) - 1))
    start = data.draw(numbers)
    live = data.draw(st.none() | numbers)
    frontiers = tree.frontiers()
    closure: set[int] = set()
    work = list(start)
    while work:
        for n in frontiers[work.pop()]:
            if n not in closure and (live is None or n in live):
                closure.add(n)
                work.append(n)
    blocks = tree.cfg.blocks
    live_in = None if live is None else {blocks[n] for n in live}
    found = tree.iterated_frontier([blocks[n] for n in start], live_in)
    assert set(names(found)) == closure


@pytest.mark.parametrize(
    ("live", "expected"),
    [({1, 2, 3, 4}, [3, 4]), ({3, 1}, [3]), ({4}, []), ({1, 2}, []), (set(), [])],
)
def test_the_iterated_frontier_of_a_variable_that_is_live_in_some_blocks(
    live: set[int], expected: list[int]
):
    tree = tree_of([[1, 2], [3], [3, 4], [4], []])
    blocks = tree.cfg.blocks
    found = tree.iterated_frontier([blocks[1]], {blocks[n] for n in live})
    assert names(found) == expected


def test_the_tree_is_not_walked_if_no_live_block_joins_edges(monkeypatch: pytest.MonkeyPatch):
    tree = tree_of([[1, 2], [3], [3], []])
    blocks = tree.cfg.blocks
    monkeypatch.setattr(tree, "_children", None)
    assert tree.iterated_frontier([blocks[0]], {blocks[1]}) == []


@given(graphs())
def test_post_dominance_equals_that_of_networkx(edges: list[list[int]]):
    tree = PostDominatorTree(region_of(edges))
    graph = nx.DiGraph()
    graph.add_edges_from((t, s) for s, ts in enumerate(edges) for t in ts)
    graph.add_edges_from((len(edges), n) for n in tree.exits)
    expected = dict(nx.immediate_dominators(graph, len(edges)))
    expected.pop(len(edges), None)
    assert dict(enumerate(tree.idom[:-1])) == expected


@given(graphs(max_size=15), st.data())
def test_updates_give_the_tree_of_a_new_analysis(edges: list[list[int]], data: st.DataObject):
    edges = [list(e) for e in edges]
    region = region_of(edges)
    blocks = list(region.blocks)
    tree = DominatorTree(region)
    for _ in range(data.draw(st.integers(1, 12))):
        present = [(s, i) for s, ts in enumerate(edges) for i in range(len(ts))]
        if present and data.draw(st.booleans()):
            source, index = data.draw(st.sampled_from(present))
            target = edges[source].pop(index)
            set_edges(region, source, edges[source])
            tree.delete_edge(blocks[source], blocks[target])
        elif len(edges) > 1:
            source = data.draw(st.integers(0, len(edges) - 1))
            target = data.draw(st.integers(1, len(edges) - 1))
            edges[source].append(target)
            set_edges(region, source, edges[source])
            tree.insert_edge(blocks[source], blocks[target])
        if data.draw(st.booleans()):
            tree.dominates(blocks[0], blocks[-1])
        tree.verify()
        fresh = DominatorTree(region)
        for a in blocks:
            for b in blocks:
                assert tree.dominates(a, b) == fresh.dominates(a, b)


@given(graphs(), st.data())
def test_split_edges(edges: list[list[int]], data: st.DataObject):
    present = [(s, i) for s, ts in enumerate(edges) for i in range(len(ts))]
    if not present:
        return
    region = region_of(edges)
    tree = DominatorTree(region)
    source, index = data.draw(st.sampled_from(present))
    blocks = list(region.blocks)
    target = blocks[edges[source][index]]
    new = region_of([[]]).blocks[0]
    fast.detach_block(new)
    fast.insert_block_after(new, blocks[source])
    fast.set_successors(new.last_op, [target])
    successors = list(fast.successors_of(blocks[source].last_op))
    successors[index] = new
    fast.set_successors(blocks[source].last_op, successors)
    tree.split_edge(blocks[source], new, target)
    tree.verify()


def test_erasing_a_block():
    region = region_of([[1, 2], [2], []])
    blocks = list(region.blocks)
    tree = DominatorTree(region)
    set_edges(region, 0, [2])
    tree.delete_edge(blocks[0], blocks[1])
    tree.erase_block(blocks[1])
    fast.erase(blocks[1].last_op)
    fast.detach_block(blocks[1])
    tree.verify()
    assert tree.immediate_dominator(blocks[2]) is blocks[0]


def test_many_slow_queries_renumber_the_tree():
    region = region_of([[1], [2], [3], []])
    blocks = list(region.blocks)
    tree = DominatorTree(region)
    assert tree.dominates(blocks[1], blocks[3])
    set_edges(region, 0, [1, 3])
    tree.insert_edge(blocks[0], blocks[3])
    for _ in range(50):
        assert not tree.dominates(blocks[1], blocks[3])
        assert tree.dominates(blocks[1], blocks[2])


def test_deleting_a_missing_edge():
    tree = tree_of([[1], []])
    with pytest.raises(ValueError):
        tree.delete_edge(tree.cfg.blocks[1], tree.cfg.blocks[0])


def test_verify_finds_a_stale_tree():
    region = region_of([[1], [2], [3], []])
    tree, post = DominatorTree(region), PostDominatorTree(region)
    tree.verify()
    post.verify()
    set_edges(region, 0, [1, 3])
    with pytest.raises(AssertionError, match="immediate dominator of b3"):
        tree.verify()
    with pytest.raises(AssertionError, match="immediate post-dominator of b0"):
        post.verify()


def test_the_tree_does_not_change_a_shared_graph():
    cfg = CFG(region_of([[1, 2], [2], []]))
    before = [list(s) for s in cfg.successors]
    tree = DominatorTree(cfg)
    tree.delete_edge(cfg.blocks[0], cfg.blocks[2])
    assert cfg.successors == before
    assert tree.immediate_dominator(cfg.blocks[2]) is cfg.blocks[1]
