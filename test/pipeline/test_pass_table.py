"""docs/passes.md matches the registry."""

from pathlib import Path

from dev.pass_table import COMMAND, NVIDIA, benefit, page
from nvvm_xdsl.passes import PASSES, pass_class

PAGE = Path(__file__).parents[2] / "docs" / "passes.md"


def test_the_page_is_current():
    command = "python -m dev.pass_table docs/passes.md"
    assert PAGE.read_text() == page(), f"generate it again: {COMMAND}, or {command}"


def test_every_pass_has_a_row():
    text = page()
    for name in PASSES:
        if pass_class(name).__module__.startswith("nvvm_xdsl."):
            assert f"\n| `{name}`" in text, name


def test_every_nvidia_pass_states_its_benefit():
    names = [name for name in PASSES if pass_class(name).__module__.startswith(NVIDIA)]
    assert len(names) > 40
    assert [name for name in names if not benefit(name)] == []
