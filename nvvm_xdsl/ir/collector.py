"""What the compiler does with Python's cyclic garbage collector."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

FEW_OBJECTS = 100_000
"""So many containers at most, but for those of modules, are exempt from collections for good because something
was imported."""

MANY_MODULES = 30
"""So many new ones are worth a look at the containers."""


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


@contextmanager
def imports_exempt(*, garbage: bool = False) -> Generator[None]:
    """No later collection looks at what modules made that are imported inside.

    Where the process has many objects of its own already, the collector is left as it is.

    Arguments:
        garbage: whether there will be garbage, which is collected first.
    """
    modules = len(sys.modules)
    with paused_collector():
        yield
        many = len(sys.modules) - modules >= MANY_MODULES
        if many and len(gc.get_objects()) < FEW_OBJECTS:
            if garbage:
                gc.collect()
            gc.freeze()
