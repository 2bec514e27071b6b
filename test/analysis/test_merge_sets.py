import pytest
from helpers.graphs import graphs, names, region_of, set_edges
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.merge_sets import MergeSets


def test_a_loop_around_a_diamond():
    region = region_of([[1], [2, 3], [4], [4], [1, 5], []])
    sets = MergeSets(DominatorTree(region))
    assert names(sets.merge_set(list(region.blocks)[2])) == [1, 4]
    assert names(sets.merge_set(list(region.blocks)[5])) == []
    sets.verify()
    set_edges(region, 4, [5])
    with pytest.raises(AssertionError, match="stale"):
        sets.verify()


@given(graphs(max_size=15), st.data())
def test_merge_sets_equal_iterated_frontiers(edges: list[list[int]], data: st.DataObject):
    tree = DominatorTree(region_of(edges))
    sets = MergeSets(tree)
    for block in tree.cfg.blocks:
        assert sets.merge_set(block) == tree.iterated_frontier([block])
    some = data.draw(st.lists(st.sampled_from(tree.cfg.blocks), max_size=4))
    assert sets.merge_blocks(some) == tree.iterated_frontier(some)
