"""The rules of instruction selection: every module of this folder registers its own.

Rules are looked up by the class of the op, so that the order of the modules does not matter. A
second rule for an op class is an error unless it is declared as a replacement (`selects`).
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def register_all() -> None:
    """Registers every rule of code generation."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
