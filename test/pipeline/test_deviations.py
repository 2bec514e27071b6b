"""docs/deviations.md resolves every contradiction of the optimizer document."""

import re
from pathlib import Path

import pytest

from dev.pass_table import LEVELS, outside_all_levels
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.levels import pipeline_text
from nvvm_xdsl.pipeline.selection import LOWERINGS

DEVIATIONS = Path(__file__).parents[2] / "docs" / "deviations.md"


def test_each_contradiction_is_resolved_once_with_a_reason():
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


def names_in(start: str) -> list[str]:
    """Returns the names in the first sentence of the item of the page that starts so."""
    text = " ".join(DEVIATIONS.read_text().split())
    item = text[text.index(f"- {start}") :]
    return re.findall(r"`([^`]+)`", item[: item.index(". ")])


def test_the_lowerings_of_selection_are_listed():
    assert names_in("These run as a part of selection, also at O0") == LOWERINGS.split(",")


@pytest.mark.parametrize("level", LEVELS)
def test_globaldce_ends_every_pipeline_but_one(level: str):
    names = [item.name for item in passes_in(build_pipeline(pipeline_text(level)))]
    assert "except that of -O0" in " ".join(DEVIATIONS.read_text().split())
    assert (names[-1] == "globaldce") == (level != "O0")
    assert names.index("globaldce") > names.index("always-inline")


def test_passes_without_a_position_are_in_no_level():
    found = names_in("`check-gep-index`")
    assert found[0] == "check-gep-index"
    assert set(found) <= set(outside_all_levels())
