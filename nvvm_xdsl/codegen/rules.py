"""All files with selection rules.

Importing a file registers its rules; `register_all` imports them in this order, so that of two
rules for one op class the later file's counts.
"""

from __future__ import annotations

from importlib import import_module

RULE_MODULES: tuple[str, ...] = (
    "constants",
    "addresses",
    "arith",
    "floats",
    "compare",
    "convert",
    "vectors",
    "memory",
    "frame",
    "abi",
    "control",
    "switches",
    "bits",
    "math",
    "atomics",
    "hints",
    "reductions",
    "masked",
    "intrinsics",
    "calls",
)


def register_all() -> None:
    """Registers every rule of code generation."""
    for name in RULE_MODULES:
        import_module(f"nvvm_xdsl.codegen.{name}")
