"""Pauses Python's cyclic garbage collector while IR is built."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Generator[None]:
    """No collection of cycles inside.

    A module is one web of cycles that all stays alive: the collector would walk it again and
    again as it grows and find nothing, at two thirds of the time of reading a large file.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
