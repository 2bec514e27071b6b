"""The installed Chromium, in which pages and notebooks are tested and their pictures taken."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)  # fmt: skip
"""Its path, or None."""


@contextmanager
def browser() -> Generator[Any]:
    """Playwright's browser, without a window. Needs the extra `browser`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # A container's root has no sandbox.
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


if __name__ == "__main__" and CHROMIUM is None:
    sys.exit(
        "error: Chromium was not found on PATH: install it, for example with apt install chromium"
    )
