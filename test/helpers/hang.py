"""Work that never ends, for workers; what imports this is quick to start."""

from __future__ import annotations

import os
import time
from typing import Any

PLACE = "HANG_LOG"
"""The variable that names the file in which each worker notes that it has begun."""


def hang(*_: Any) -> bytes:
    """Says that it has begun, and does not end."""
    with open(os.environ[PLACE], "a") as log:
        log.write(f"{os.getpid()}\n")
    time.sleep(600)
    return b""
