"""Pausing Python's cyclic garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Generator[None]:
    """Pauses the collector inside the context and then restores its state.

    IR is one web of live cycles. The collector would traverse it repeatedly while it grows, without
    finding garbage, and take two thirds of the time of reading a large file.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
