"""Draws docs/images/gui.svg, the picture of nvvm-gui in docs/pipelines.md.

python docs/gui_picture.py
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from nvvm_xdsl.tools.pipeline_app import FORMS, PipelineApp, passes_of

ROOT = Path(__file__).resolve().parent.parent


async def picture() -> str:
    """What instcombine changes in a kernel that sroa has been at."""
    app = PipelineApp("examples/saxpy.ll", passes_of("sroa,instcombine"))
    async with app.run_test(size=(150, 44)) as pilot:
        app.form = FORMS[-1]
        await pilot.pause()
        return app.export_screenshot(title="nvvm-gui")


if __name__ == "__main__":
    os.chdir(ROOT)
    (ROOT / "docs" / "images" / "gui.svg").write_text(asyncio.run(picture()))
