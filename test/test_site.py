"""The site: every page is in its menu, every link leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
import site_pages
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

ROOT = Path(__file__).resolve().parent.parent


def built(config_file: Path, folder: Path) -> None:
    config = load_config(str(config_file), strict=True, site_dir=str(folder))
    build(config)


def test_the_site_is_built_and_its_links_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    built(ROOT / "mkdocs.yml", tmp_path)
    start = (tmp_path / "index.html").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert f'href="{page.stem}.html"' in start, f"{page.name} is not in the menu"
    # Pages of other folders lead to each other and back.
    results = (tmp_path / "bench" / "results.html").read_text()
    assert 'href="../index.html"' in results
    assert not list(tmp_path.rglob("*.py"))


def test_a_broken_link_fails_the_build(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Start\n\n[nowhere](nowhere.md)\n")
    config = tmp_path / "mkdocs.yml"
    config.write_text("site_name: x\nvalidation: {links: {not_found: warn}}\n")
    with pytest.raises(Abort):
        built(config, tmp_path / "site")


@pytest.mark.parametrize(
    ("source", "link", "page"),
    [
        ("README.md", "docs/passes.md", "passes.md"),
        ("README.md", "docs/images/a.svg", "images/a.svg"),
        ("README.md", "bench/results.md", "bench/results.md"),
        ("docs/testing.md", "../bench/results.md#x", "bench/results.md#x"),
        ("docs/testing.md", "../README.md", "index.md"),
        ("docs/testing.md", "passes.md", "passes.md"),
        ("bench/README.md", "results.md", "../bench/results.md"),
        ("bench/README.md", "../docs/testing.md", "../testing.md"),
        ("docs/testing.md", "https://xdsl.dev", "https://xdsl.dev"),
    ],
)
def test_links_follow_their_pages(source: str, link: str, page: str):
    assert site_pages.moved(f"[a]({link})", source) == f"[a]({page})"
