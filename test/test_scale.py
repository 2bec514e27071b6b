"""The environment variable that extends the tests."""

from __future__ import annotations

import pytest
from helpers import scale


def test_shares_grow_up_to_the_whole(monkeypatch: pytest.MonkeyPatch):
    names = [f"test {n}" for n in range(600)]
    found: list[set[str]] = []
    for factor in (1, 2, 4, 12, 100):
        monkeypatch.setattr(scale, "SCALE", factor)
        found.append({n for n in names if scale.chosen(n, 12)})
    assert found[0] < found[1] < found[2] < found[3]
    assert found[3] == found[4] == set(names)


@pytest.mark.parametrize("text", ["0", "-1", "all", ""])
def test_other_values_are_errors(text: str):
    with pytest.raises(ValueError, match="NVVM_TEST_SCALE must be a number from 1 on"):
        scale._scale(text)
