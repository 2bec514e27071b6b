"""Whole modules."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import ModuleOp, StringAttr

from nvvm_xdsl.ir.arrays import items_of

MODULE_ASSEMBLY: Final = "llvm.module_asm"
"""The module attribute for assembly outside of functions, an array of strings, as in MLIR."""

DEBUG_GLOBALS: Final = "llvm.dbg_globals"
"""The module attribute for the variables of its compile units, including variables without memory:
an array of `#llvm.di_global_variable_expression`.
"""


def module_assembly(module: ModuleOp) -> str:
    """The lines of module-level assembly; empty if there are none."""
    lines = items_of(module.attributes.get(MODULE_ASSEMBLY))
    return "\n".join(line.data for line in lines if isinstance(line, StringAttr))


def take_contents(module: ModuleOp, other: ModuleOp) -> None:
    """Replaces the body and attributes of a module by those of another, which becomes empty.

    A conversion creates a new module, but a pass must change the given one.
    """
    body = other.detach_region(0)
    module.detach_region(0)
    module.add_region(body)
    module.attributes = dict(other.attributes)
