"""Draws docs/images/debugger.svg, the picture of nvvm-debug in docs/debugging.md.

python docs/debugger_picture.py
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

import numpy as np

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.simulator import Recorder, launch, prepare
from nvvm_xdsl.simulator.debugger.session import Session
from nvvm_xdsl.simulator.debugger.terminal import Debugger

ROOT = Path(__file__).resolve().parent.parent
KERNEL = "examples/broken/missing_barrier.ll"

FONTS = re.compile(r"\s*@font-face \{.*?\}", re.S)
"""What the picture would fetch from elsewhere."""


async def picture() -> str:
    """The screen at the line that reads what other threads wrote."""
    module = parse(Path(KERNEL).read_bytes(), filename=KERNEL, locations=True)
    recorder = Recorder()
    values = np.arange(64, dtype=np.int32)
    launch(prepare(module, recording=True), None, 1, 64, [values], recorder=recorder)
    session = Session(recorder, lane=3)
    session.toggle("8")
    session.resume()
    app = Debugger(session, "missing_barrier.ll", ["%4"])
    async with app.run_test(size=(130, 36)) as pilot:
        await pilot.pause()
        return FONTS.sub("", app.export_screenshot(title="nvvm-debug"))


if __name__ == "__main__":
    os.chdir(ROOT)
    (ROOT / "docs" / "images" / "debugger.svg").write_text(asyncio.run(picture()))
