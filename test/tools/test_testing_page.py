"""Pages about nvvm-run show its output and the files' sources."""

from __future__ import annotations

import re
from pathlib import Path

import console_blocks
import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    name: (ROOT / "docs" / name).read_text()
    for name in ("testing.md", "broken-kernels.md", "debugging.md")
}
SHOWN = [m.groups() for page in PAGES.values() for m in console_blocks.CONSOLE.finditer(page)]
SOURCES = [m.groups() for page in PAGES.values() for m in console_blocks.SOURCE.finditer(page)]


@pytest.mark.parametrize(("line", "output"), SHOWN)
def test_console_blocks(line: str, output: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    assert console_blocks.printed(line) == output


@pytest.mark.parametrize(("name", "text"), SOURCES)
def test_source_blocks(name: str, text: str):
    assert (ROOT / name).read_text() == text


def test_every_broken_kernel_is_on_its_page():
    page = PAGES["broken-kernels.md"]
    names = {path.stem for path in (ROOT / "examples" / "broken").glob("*.cu")}
    assert set(re.findall(r"^\| \d+\. `(\w+)`", page, re.M)) == names
    assert {Path(name).stem for name, _ in SOURCES} == names
    assert len(names) == 10
    assert len([line for line, _ in SHOWN if "examples/broken/" in line]) == 10
