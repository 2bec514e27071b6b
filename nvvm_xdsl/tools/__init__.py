"""The command-line tools, which call the library."""

from __future__ import annotations

import os
import sys
from types import TracebackType


def _silent_interrupt(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


if os.path.basename(sys.argv[0] if sys.argv else "").startswith("nvvm"):
    # Handles Ctrl-C while a tool is still being imported.
    sys.excepthook = _silent_interrupt
