"""What others than the module's own code may do with its variables."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.symbols import references_of, symbols_of
from nvvm_xdsl.dialects.nvvm.handles import handle_kind

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


def set_by_host(op: Operation) -> bool:
    """Whether a variable holds something else than its initializer when a kernel starts."""
    return (
        "externally_initialized" in op.properties
        or "llvm.externally_initialized" in op.attributes
        or "externally_initialized" in op.attributes
        or handle_kind(op) is not None
    )
