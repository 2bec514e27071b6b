"""Takes the pictures of the report page and of the live page in docs/images.

python docs/page_pictures.py
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chromium import browser

from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.lab.report.compilation import compile_recorded
from nvvm_xdsl.lab.report.html import page_of

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ROOT / "examples"
INPUTS = 38
MOST_SECONDS = 120


@contextmanager
def opened(started: Any, folder: Path, names: list[str], width: int, height: int) -> Generator[Any]:
    """The report page of files, in a window of a size in CSS pixels."""
    found = compile_recorded(names, CompileOptions(arch="sm_90"))
    path = folder / "page.html"
    path.write_text(page_of(found))
    page = started.new_page(viewport={"width": width, "height": height})
    page.goto(path.as_uri())
    yield page
    page.close()


def inputs(folder: Path) -> list[str]:
    """Copies of examples under `INPUTS` names."""
    kernels = [EXAMPLES / f"{name}.ll" for name in ("saxpy", "matmul", "reduction", "scan")]
    paths: list[str] = []
    for number in range(INPUTS):
        kernel = kernels[number % len(kernels)]
        path = folder / f"{kernel.stem}_{number:02}.ll"
        text = kernel.read_text()
        # Two inputs of a compilation cannot define the same function or variable.
        for name in set(re.findall(r"^define\b.*?@([\w.]+)\(|^@([\w.]+) =", text, re.M)):
            text = re.sub(rf"@{''.join(name)}\b", f"@{''.join(name)}_{number:02}", text)
        path.write_text(text)
        paths.append(str(path))
    return paths


@contextmanager
def served(path: Path) -> Generator[str]:
    """The address of the live page of a file."""
    command = [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_view", "serve", str(path)]
    command += ["--time-limit", str(MOST_SECONDS)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if address is None:
            raise RuntimeError(line + server.stderr.read())
        try:
            yield address[0]
        finally:
            server.send_signal(signal.SIGINT)


def take(started: Any, folder: Path) -> None:
    """Opens each page and saves its picture."""
    with opened(started, folder, [str(EXAMPLES / "matmul.ll")], 1360, 640) as page:
        page.locator("#passes .row", has_text=re.compile("^sink")).first.click()
        page.keyboard.press("t")
        page.evaluate("document.activeElement.blur()")
        # The colours change gradually.
        page.wait_for_timeout(1000)
        page.screenshot(path=IMAGES / "history_change.png")
    with opened(started, folder, [str(EXAMPLES / "saxpy.debug.ll")], 1360, 560) as page:
        page.keyboard.press("2")
        page.locator('[data-column="source"] .row', has_text="y[i] = a * x[i]").click()
        page.mouse.move(5, 5)
        page.screenshot(path=IMAGES / "history_code.png")
    with opened(started, folder, inputs(folder), 1280, 720) as page:
        page.screenshot(path=IMAGES / "history_38_inputs.png")
    with opened(started, folder, [str(EXAMPLES / "matmul.ll")], 390, 780) as page:
        page.screenshot(path=IMAGES / "history_phone.png")
    with served(EXAMPLES / "saxpy.cu") as address:
        page = started.new_page(viewport={"width": 1280, "height": 720})
        page.goto(address)
        page.click("#show-ptx")
        page.locator("#result", has_text=".entry").wait_for(timeout=MOST_SECONDS * 1000)
        page.screenshot(path=IMAGES / "live.png")
        page.close()


if __name__ == "__main__":
    with browser() as started, tempfile.TemporaryDirectory() as folder:
        take(started, Path(folder))
