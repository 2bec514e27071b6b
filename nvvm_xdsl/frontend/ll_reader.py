"""The reader of LLVM assembly text: LLVM 14 to 22, and NVVM IR 1.x and 2.0 with typed pointers.

    read_ll(text) -> ModuleOp

The reader is one class in layers, each a file: tokens (`lexer`), types, constants, attributes,
metadata, instructions, calls, function bodies, and the module. It builds the llvm and nvvm
dialects as `mlir-translate --import-llvm` does; `docs/frontend.md` lists the differences.
"""

from __future__ import annotations

import gc

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.module import ModuleReader

__all__ = ["ParseError", "read_ll"]


def read_ll(
    text: str, filename: str = "<stdin>", *, locations: bool = False, debug: DebugLevel = "none"
) -> ModuleOp:
    """The module that the LLVM assembly text describes.

    Arguments:
        text: LLVM assembly.
        filename: the file name in errors.
        locations: whether ops without debug locations get their location in the text.
        debug: the debug information to keep: `none` for files and lines only, `lines` for their
            scopes as well, `full` for variables too.

    Raises ParseError for anything that is not well-formed.
    """
    # All ops stay live. Garbage collection would repeatedly visit all of them, so that the time per
    # instruction would increase with the size of the module.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return ModuleReader(text, filename, locations=locations, debug=debug).read()
    finally:
        if collecting:
            gc.enable()
