import networkx as nx
import pytest
from helpers.graphs import graphs, names, region_of, set_edges
from hypothesis import given

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.ir.graphs import strongly_connected_components


def test_order_of_a_diamond():
    cfg = CFG(region_of([[1, 2], [3], [3], []]))
    assert cfg.rpo == [0, 1, 2, 3]
    assert cfg.successors == [[1, 2], [3], [3], []]
    assert cfg.predecessors == [[], [0], [0], [1, 2]]


def test_the_first_successor_follows_its_branch():
    cfg = CFG(region_of([[2, 1], [3], [3], []]))
    assert cfg.rpo == [0, 2, 1, 3]


def test_repeated_edges_are_counted():
    cfg = CFG(region_of([[1, 1, 2], [2], []]))
    assert cfg.predecessors[1] == [0, 0]
    assert cfg.predecessors[2] == [0, 1]
    assert list(cfg.edges()) == [(0, 1), (0, 1), (0, 2), (1, 2)]


def test_unreachable_blocks_have_no_position():
    cfg = CFG(region_of([[1], [], [1, 2]]))
    assert cfg.rpo == [0, 1]
    assert [cfg.reachable(b) for b in cfg.blocks] == [True, True, False]
    assert cfg.rpo_index == [0, 1, -1]


def test_critical_edges():
    cfg = CFG(region_of([[1, 2], [2, 2], []]))
    found = [(names([b])[0], i) for b, i in cfg.critical_edges()]
    assert found == [(0, 1), (1, 0), (1, 1)]


def test_retreating_edges_of_a_self_loop():
    cfg = CFG(region_of([[1], [1, 1, 2], [1, 3], []]))
    assert cfg.retreating_edges == [(1, 1), (2, 1)]


def test_a_long_chain():
    size = 10_000
    cfg = CFG(region_of([[n + 1] for n in range(size - 1)] + [[]]))
    assert cfg.rpo == list(range(size))


def test_an_empty_region():
    cfg = CFG(region_of([]))
    assert cfg.blocks == []
    assert cfg.rpo == []


def test_verify_finds_a_changed_edge():
    region = region_of([[1], [2], []])
    cfg = CFG(region)
    cfg.verify()
    set_edges(region, 0, [2])
    with pytest.raises(AssertionError, match=r"edges out of \^b0"):
        cfg.verify()


@given(graphs())
def test_reverse_post_order_is_topological_on_acyclic_graphs(edges: list[list[int]]):
    forward = [[t for t in targets if t > n] for n, targets in enumerate(edges)]
    cfg = CFG(region_of(forward))
    assert len(cfg.rpo) == len(nx.descendants(nx.DiGraph([(0, 0), *cfg.edges()]), 0) | {0})
    for source, target in cfg.edges():
        if cfg.rpo_index[source] >= 0:
            assert cfg.rpo_index[source] < cfg.rpo_index[target]


@given(graphs())
def test_components_equal_those_of_networkx(edges: list[list[int]]):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from((s, t) for s, ts in enumerate(edges) for t in ts)
    found = strongly_connected_components(list(range(len(edges))), edges)
    expected = {frozenset(c) for c in nx.strongly_connected_components(graph)}
    assert {frozenset(c) for c in found} == expected
    place = {n: i for i, c in enumerate(found) for n in c}
    for source, target in graph.edges:
        assert place[target] <= place[source]
