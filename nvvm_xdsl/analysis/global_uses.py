"""What others than the module's own code may do with its variables."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.symbols import references_of, symbols_of

KEPT_GLOBALS = frozenset({"llvm.used", "llvm.compiler.used"})


def kept_names(module: ModuleOp) -> frozenset[str]:
    """The symbols that `llvm.used` and `llvm.compiler.used` name: others refer to them unseen."""
    symbols = symbols_of(module)
    found: set[str] = set()
    for name in KEPT_GLOBALS:
        listed = symbols.get(name)
        if listed is not None:
            found |= references_of(listed) | {name}
    return frozenset(found)
