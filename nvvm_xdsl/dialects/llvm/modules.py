"""Whole modules."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import ModuleOp, StringAttr

from nvvm_xdsl.ir.arrays import items_of

MODULE_ASSEMBLY: Final = "llvm.module_asm"
"""The attribute of a module for assembly outside of functions, an array of strings, as in MLIR."""

DEBUG_GLOBALS: Final = "llvm.dbg_globals"
"""The attribute of a module for the variables of its compile units, including variables without
memory: an array of `#llvm.di_global_variable_expression`.
"""


def module_assembly(module: ModuleOp) -> str:
    """The lines of module-level assembly; empty if there are none."""
    lines = items_of(module.attributes.get(MODULE_ASSEMBLY))
    return "\n".join(line.data for line in lines if isinstance(line, StringAttr))


def take_contents(module: ModuleOp, other: ModuleOp) -> None:
    """Gives a module the body and attributes of another, which is used up, in place of its own.

    What converts a module builds another; a pass has to change the one that it was given.
    """
    body = other.detach_region(0)
    module.detach_region(0)
    module.add_region(body)
    module.attributes = dict(other.attributes)
