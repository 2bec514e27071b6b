"""Relations of events."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.ir.graphs import set_bits
from nvvm_xdsl.lab.memory_model.relations import Relation, orders_of_pairs

SIZE = 5
PAIRS = st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)))


def composed(a: set[tuple[int, int]], b: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Composition of sets of pairs."""
    return {(x, z) for x, y in a for w, z in b if y == w}


@given(PAIRS, PAIRS)
@settings(derandomize=True, max_examples=60)
def test_operations_are_those_of_sets(a: set[tuple[int, int]], b: set[tuple[int, int]]):
    first, second = Relation.of(SIZE, a), Relation.of(SIZE, b)
    assert set((first | second).pairs()) == a | b
    assert set((first & second).pairs()) == a & b
    assert set((first - second).pairs()) == a - b
    assert set((first @ second).pairs()) == composed(a, b)
    assert set(first.inverse().pairs()) == {(y, x) for x, y in a}


@given(PAIRS)
@settings(derandomize=True, max_examples=60)
def test_closure(a: set[tuple[int, int]]):
    closed = set(a)
    while not composed(closed, closed) <= closed:
        closed |= composed(closed, closed)
    relation = Relation.of(SIZE, a)
    assert set(relation.closure().pairs()) == closed
    assert relation.is_acyclic() == all(x != y for x, y in closed)


def test_between():
    relation = Relation.of(3, [(0, 1), (1, 2), (0, 2)])
    assert set(relation.between(0b001, 0b100).pairs()) == {(0, 2)}
    assert list(set_bits(0b1010)) == [1, 3]


def test_orders_of_pairs():
    base = Relation.of(3, [(0, 1)])
    found = {frozenset(order.pairs()) for order in orders_of_pairs(base, [(0, 1), (1, 2)])}
    assert found == {frozenset({(0, 1), (1, 2), (0, 2)}), frozenset({(0, 1), (2, 1)})}
    assert not list(orders_of_pairs(Relation.of(2, [(0, 0)]), []))
