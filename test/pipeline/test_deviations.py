"""docs/deviations.md resolves every contradiction of the optimizer document."""

import re
from pathlib import Path

DEVIATIONS = Path(__file__).parents[2] / "docs" / "deviations.md"


def test_each_is_resolved_once_with_a_reason():
    found = {}
    for line in DEVIATIONS.read_text().splitlines():
        match = re.match(r"\| (C\d\d) \|(.*)\|$", line)
        if match:
            assert match[1] not in found
            found[match[1]] = [part.strip() for part in match[2].split(" | ")]
    assert list(found) == [f"C{n:02d}" for n in range(2, 52)]
    for number, parts in found.items():
        assert len(parts) == 3, number
        assert all(parts), number
