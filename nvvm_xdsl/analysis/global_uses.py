"""References to variables from outside the module's code."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.symbols import references_of, symbols_of

KEPT_GLOBALS = frozenset({"llvm.used", "llvm.compiler.used"})


def kept_names(module: ModuleOp) -> frozenset[str]:
    """The symbols in `llvm.used` and `llvm.compiler.used`, which have invisible references."""
    symbols = symbols_of(module)
    found: set[str] = set()
    for name in KEPT_GLOBALS:
        listed = symbols.get(name)
        if listed is not None:
            found |= references_of(listed) | {name}
    return frozenset(found)
