"""The rules of instruction selection: every module of this folder registers its own.

A rule is found by the class of its op, so that the order of the modules does not matter: a second
rule for one op class is an error unless it says that it replaces the first (`selects`).
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def register_all() -> None:
    """Registers every rule of code generation."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
