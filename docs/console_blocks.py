"""What pages show of nvvm-run and of source files, written by running and reading them.

    python docs/console_blocks.py docs/testing.md ...

A block ```` ```console ```` whose first line is `$ nvvm-run ...` gets what that prints behind it, a
block ```` ```cuda title="FILE" ```` the file. Commands run in the root of the repository.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from nvvm_xdsl.tools import nvvm_run

ROOT = Path(__file__).resolve().parent.parent

CONSOLE = re.compile(r"^```console\n\$ nvvm-run (.*?)\n(.*?)^```$", re.M | re.S)
SOURCE = re.compile(r'^```cuda title="([^"\n]+)"\n(.*?)^```$', re.M | re.S)


def printed(command_line: str) -> str:
    """What nvvm-run prints to both of its outputs."""
    text = io.StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        nvvm_run.main(shlex.split(command_line))
    return text.getvalue()


def rewritten(page: str) -> str:
    """The text of a page with its blocks up to date."""
    page = CONSOLE.sub(lambda m: f"```console\n$ nvvm-run {m[1]}\n{printed(m[1])}```", page)
    return SOURCE.sub(lambda m: f'```cuda title="{m[1]}"\n{(ROOT / m[1]).read_text()}```', page)


def main() -> None:
    os.chdir(ROOT)
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(rewritten(page.read_text()))


if __name__ == "__main__":
    main()
