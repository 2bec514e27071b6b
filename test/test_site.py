"""The site: every page is in its menu, and every link has a target."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import site_pages
from chromium import CHROMIUM, browser
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

ROOT = Path(__file__).resolve().parent.parent


def built(config_file: Path, folder: Path) -> None:
    config = load_config(str(config_file), strict=True, site_dir=str(folder))
    build(config)


def test_the_site_builds_and_its_links_are_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    built(ROOT / "mkdocs.yml", tmp_path)
    start = (tmp_path / "index.html").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert f'href="{page.stem}.html"' in start, f"{page.name} is not in the menu"
    # Pages of other folders link to each other and back.
    results = (tmp_path / "bench" / "results.html").read_text()
    assert 'href="../index.html"' in results
    assert not list(tmp_path.rglob("*.py"))
    # The site works without a network.
    for page in tmp_path.rglob("*.html"):
        text = page.read_text()
        assert (
            re.findall(r"""<(?:script|link|img)[^>]*(?:src|href)=["']?(?:https?:)?//""", text) == []
        )
        assert "unpkg" not in text
        scripts = re.findall(r'<script src="([^"]*)', text)
        assert any(path.endswith("mermaid.tiny.js") for path in scripts) == (
            '<pre class="mermaid">' in text
        )
        if page.name != "404.html":
            assert all((page.parent / path).exists() for path in scripts)


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


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_a_reader_finds_a_page_in_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """From the start page by the menu, then by the search, from files, without errors of the page."""
    pytest.importorskip("playwright", reason="playwright is not installed (extra `browser`)")
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    built(ROOT / "mkdocs.yml", tmp_path)
    with browser() as started:
        page = started.new_page(viewport={"width": 1400, "height": 900})
        errors: list[str] = []
        requests: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((tmp_path / "index.html").as_uri())
        # A drawn diagram is in a shadow tree of the theme.
        page.wait_for_function("document.querySelector('div.mermaid')?.clientHeight > 50")
        page.locator("nav a[href='pipelines.html']").first.click()
        page.wait_for_selector("h1:has-text('Pipelines')")
        images = page.locator("article img")
        for index in range(images.count()):
            assert images.nth(index).evaluate("image => image.naturalWidth") > 0
        search = page.locator("input.md-search__input")
        search.click()
        search.press_sequentially("nvvm-tune")
        found = page.locator(".md-search-result__item a").first
        found.wait_for(timeout=10_000)
        found.click()
        page.wait_for_selector("article :text('nvvm-tune')")
        assert errors == []
        assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
