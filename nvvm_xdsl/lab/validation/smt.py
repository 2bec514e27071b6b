"""Z3's Python interface, untyped, because type checkers cannot narrow the unions in its
annotations."""

from __future__ import annotations

from importlib import import_module
from typing import Any

z3: Any = import_module("z3")
"""The module. Raises ImportError if `z3-solver` is not installed."""
