"""Removal of functions and variables that are not used."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.global_uses import KEPT_GLOBALS
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.symbols import (
    DISCARDABLE_LINKAGE,
    is_declaration,
    linkage_of,
    references_of,
    symbols_of,
)
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast


def is_root(op: Operation) -> bool:
    """Returns True if a top-level op must be kept without references in the module."""
    name = symbol_name(op)
    if name is None or name in KEPT_GLOBALS:
        return True
    if isinstance(op, FuncOp):
        if is_kernel(op):
            return True
        return op.regions[0].first_block is not None and linkage_of(op) not in DISCARDABLE_LINKAGE
    if op.name == "llvm.mlir.global":
        return not is_declaration(op) and linkage_of(op) not in DISCARDABLE_LINKAGE
    return op.name not in ("llvm.mlir.alias", "llvm.mlir.ifunc") or (
        linkage_of(op) not in DISCARDABLE_LINKAGE
    )


def eliminate_dead_globals(module: ModuleOp, am: AnalysisManager) -> bool:
    """Erases functions and variables that no root refers to, directly or through others.

    Returns whether any was erased.
    """
    symbols = symbols_of(module)
    body = module.regions[0].first_block
    if body is None:
        return False
    pending = [op for op in fast.ops_of(body) if is_root(op)]
    # In most modules all symbols are roots, or the first root refers to the others.
    unused = set(symbols.values()).difference(pending)
    while pending and unused:
        for name in references_of(pending.pop()):
            used = symbols.get(name)
            if used is not None and used in unused:
                unused.discard(used)
                pending.append(used)
    doomed = [op for op in symbols.values() if op in unused]
    for op in doomed:
        am.forget(op)
        fast.erase(op)
    return bool(doomed)
