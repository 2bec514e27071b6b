"""A sequence of copies computes the same as the parallel copy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.ir.parallel_copy import sequence_copies

PLACES = st.integers(0, 9)
COPIES = st.dictionaries(PLACES, PLACES).map(lambda d: list(d.items()))


def run(copies: list[tuple[object, object]]) -> tuple[dict[object, object], int]:
    """Returns memory after the sequence, where each slot held its own name before, and the temporaries used."""
    made: list[str] = []

    def temporary(place: object) -> object:
        made.append(f"t{len(made)}")
        return made[-1]

    memory: dict[object, object] = {place: place for place in range(10)}
    for target, source in sequence_copies(copies, temporary):
        assert target != source
        memory[target] = memory[source]
    return memory, len(made)


@given(COPIES)
def test_sequential_copies_equal_the_parallel_copy(copies: list[tuple[object, object]]):
    memory, _ = run(copies)
    expected = {place: place for place in range(10)} | dict(copies)
    assert {place: memory[place] for place in range(10)} == expected


@pytest.mark.parametrize(
    ("copies", "temporaries"),
    [
        ([(0, 0)], 0),
        ([(0, 1), (1, 2), (2, 3)], 0),
        ([(0, 1), (1, 0)], 1),
        ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 3)], 2),
        # Another user of a value of the cycle makes the temporary unnecessary.
        ([(0, 1), (1, 0), (5, 0)], 1),
    ],
)
def test_one_temporary_for_each_cycle(copies: list[tuple[object, object]], temporaries: int):
    assert run(copies)[1] == temporaries
