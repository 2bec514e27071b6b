"""The marimo notebook: run as a program, exported, and its sliders moved in a browser."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import notebook_picture
import numpy as np
import pytest
from chromium import CHROMIUM, browser

from nvvm_xdsl.driver.cuda import CLANGS

pytest.importorskip("marimo", reason="marimo is not installed (extra `notebook`)")
pytestmark = pytest.mark.slow

STAT = "PTX instructions executed by warps"


def ran(**given: Any) -> tuple[str, dict[str, Any]]:
    """Returns the outputs and variables of the notebook after all cells have run.

    Arguments:
        given: variables that replace those of a cell; all of that cell's must be given.
    """
    namespace: dict[str, Any] = {"__name__": "app", "__file__": str(notebook_picture.NOTEBOOK)}
    exec(compile(notebook_picture.NOTEBOOK.read_text(), namespace["__file__"], "exec"), namespace)
    outputs, variables = namespace["app"].run(defs=given)
    return "".join(str(getattr(output, "text", "")) for output in outputs), dict(variables)


def details(signal: np.ndarray[Any, Any], narrow: int, wide: int) -> np.ndarray[Any, Any]:
    """Returns the result of the kernel."""

    def blur(radius: int) -> np.ndarray[Any, Any]:
        padded = np.pad(signal.astype(np.float64), radius, mode="edge")
        return np.convolve(padded, np.ones(2 * radius + 1), "valid") / (2 * radius + 1)

    return blur(narrow) - blur(wide)


def executed(card: Any) -> int:
    """Returns the number on a card of the notebook."""
    return int(re.sub(r"\D", "", card.inner_text()))


def test_all_cells_run():
    _, variables = ran()
    left = variables["launched"].arrays[1]
    np.testing.assert_allclose(left, details(variables["signal"], 1, 8), atol=1e-5)
    assert variables["executed"].warps > 1000


def test_without_clang(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    _, variables = ran()
    assert not variables["has_clang"]
    np.testing.assert_allclose(
        variables["launched"].arrays[1], details(variables["signal"], 1, 8), atol=1e-5
    )


@pytest.mark.skipif(not any(map(shutil.which, CLANGS)), reason="clang was not found")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("return", "retrun", "use of undeclared identifier"),
        ("(i < n)", "(i < n + 9)", "out of bounds"),
        ("void details", "void other", "no kernel @details"),
    ],
)
def test_an_error_in_an_edited_kernel_is_shown(old: str, new: str, message: str):
    text = notebook_picture.NOTEBOOK.with_name("details.cu").read_text()
    edited = SimpleNamespace(value=text.replace("../", "").replace(old, new))
    shown, variables = ran(source=edited, has_clang=True, hint="", text="")
    assert message in html.unescape(re.sub(r"<[^>]*>", "", shown))
    assert "executed" not in variables


def test_export(tmp_path: Path):
    page = tmp_path / "notebook.html"
    command = [sys.executable, "-m", "marimo", "export", "html", str(notebook_picture.NOTEBOOK), "-o", str(page)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    text = page.read_text()
    assert STAT in text
    assert "Traceback" not in text


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium was not found")
def test_sliders_in_a_browser():
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="the extra 'browser' is not installed"
    )
    with notebook_picture.served() as address, browser() as started:
        page = started.new_page(viewport={"width": 1100, "height": 1500})
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
