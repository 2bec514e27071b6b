"""Endless work for workers; this module imports quickly."""

from __future__ import annotations

import os
import time
from typing import Any

PLACE = "HANG_LOG"
"""The environment variable with the file in which each worker records its start."""


def hang(*_: Any) -> bytes:
    """Records its start, and does not end."""
    with open(os.environ[PLACE], "a") as log:
        log.write(f"{os.getpid()}\n")
    time.sleep(600)
    return b""
