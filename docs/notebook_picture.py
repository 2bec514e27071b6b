"""Takes docs/images/notebook.png, the picture of the marimo notebook in docs/notebooks.md.

python docs/notebook_picture.py
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chromium import browser

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "examples" / "notebook" / "app.py"

MOST_SECONDS = 60


@contextmanager
def served() -> Iterator[str]:
    """The notebook as `marimo run` serves it: its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "marimo", "-q", "run", "--headless", "--no-token"]
    with subprocess.Popen([*command, "--port", str(port), str(NOTEBOOK)], cwd=ROOT) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address, server)
            yield address
        finally:
            server.terminate()


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end and server.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address):
            return
        time.sleep(0.2)
    raise RuntimeError("marimo does not answer")


def take(path: Path) -> None:
    """Opens the notebook in Chromium and saves what it looks like."""
    with served() as address, browser() as started:
        page = started.new_page(viewport={"width": 1100, "height": 1500})
        page.goto(address)
        page.get_by_text("PTX instructions executed by warps").wait_for(timeout=MOST_SECONDS * 1000)
        page.get_by_role("slider").nth(2).press("ArrowRight")
        page.wait_for_timeout(5000)
        page.screenshot(path=path)


if __name__ == "__main__":
    take(ROOT / "docs" / "images" / "notebook.png")
