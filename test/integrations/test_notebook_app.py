"""The marimo notebook: run as a program, exported, and its sliders moved in a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import notebook_picture
import numpy as np
import pytest

pytest.importorskip("marimo", reason="marimo is not installed (extra `notebook`)")
pytestmark = pytest.mark.slow

STAT = "PTX instructions executed by warps"


def ran() -> dict[str, Any]:
    """The notebook's variables after all cells have run."""
    namespace: dict[str, Any] = {"__name__": "app", "__file__": str(notebook_picture.NOTEBOOK)}
    exec(compile(notebook_picture.NOTEBOOK.read_text(), namespace["__file__"], "exec"), namespace)
    _, variables = namespace["app"].run()
    return dict(variables)


def details(signal: np.ndarray[Any, Any], narrow: int, wide: int) -> np.ndarray[Any, Any]:
    """What the kernel computes."""

    def blur(radius: int) -> np.ndarray[Any, Any]:
        padded = np.pad(signal.astype(np.float64), radius, mode="edge")
        return np.convolve(padded, np.ones(2 * radius + 1), "valid") / (2 * radius + 1)

    return blur(narrow) - blur(wide)


def executed(card: Any) -> int:
    """The number on a card of the notebook."""
    return int(re.sub(r"\D", "", card.inner_text()))


def test_all_cells_run():
    variables = ran()
    left = variables["launched"].arrays[1]
    np.testing.assert_allclose(left, details(variables["signal"], 1, 8), atol=1e-5)
    assert variables["executed"].warps > 1000


def test_without_clang(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    variables = ran()
    assert not variables["has_clang"]
    np.testing.assert_allclose(
        variables["launched"].arrays[1], details(variables["signal"], 1, 8), atol=1e-5
    )


def test_export(tmp_path: Path):
    page = tmp_path / "notebook.html"
    command = [sys.executable, "-m", "marimo", "export", "html", str(notebook_picture.NOTEBOOK), "-o", str(page)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    text = page.read_text()
    assert STAT in text
    assert "Traceback" not in text


@pytest.mark.skipif(notebook_picture.CHROMIUM is None, reason="there is no Chromium")
def test_sliders_in_a_browser():
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="the extra 'browser' is not installed"
    )
    with notebook_picture.served() as address, sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=notebook_picture.CHROMIUM, args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1100, "height": 1500})
        page.goto(address)
        card = page.get_by_text(STAT).locator("xpath=../..")
        card.wait_for(timeout=60_000)
        before = executed(card)
        for slider, key in ((2, "ArrowRight"), (1, "Home"), (3, "Home")):
            page.get_by_role("slider").nth(slider).press(key)
            sync_api.expect(card).not_to_contain_text(f"{before:,}", timeout=60_000)
            after = executed(card)
            assert after != before
            before = after
        # Colours and lines, not a paragraph of Markdown.
        assert ".visible .entry details(" in page.locator("pre").first.inner_text()
        assert page.get_by_text("Traceback").count() == 0
        browser.close()
