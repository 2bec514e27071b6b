"""`internalize`: marks definitions that only the module uses as internal.

    llvm.func @helper(...)        ->   llvm.func internal @helper(...)

For a module that is the whole program (LLVM's Internalize; the GlobalOpt document's "LTO
interaction"). Internal definitions can be erased and split, and their signatures can be changed.
Not changed are kernels, variables that the host accesses by name (address spaces 0, 1 and 4),
members of `llvm.used` and `llvm.compiler.used`, and the names in `api`. `linkonce` and `weak`
definitions become internal, too, because the program has no other definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp, GlobalOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.global_uses import kept_names
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.setters import set_linkage
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    functions_of,
    is_declaration,
    linkage_of,
    symbols_of,
)
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass

INTERNALIZED: Final = Statistic("internalize", "symbols", "Number of symbols made internal")

SEEN_BY_HOST: Final = frozenset({GENERIC, GLOBAL, CONSTANT})
"""Spaces of `__device__`, `__managed__` and `__constant__` variables."""

_NEVER: Final = frozenset({"available_externally", "appending", "common", "extern_weak"})


def internalize(op: Operation) -> None:
    """Makes a definition internal."""
    set_linkage(op, "internal")
    # A local symbol has default visibility and no comdat.
    op.properties.pop("visibility_", None)
    op.properties.pop("comdat", None)


@dataclass(frozen=True)
class Internalize(NvvmPass):
    """Makes definitions internal that neither the host nor other modules use."""

    name = "internalize"
    title = "Internalize"

    api: tuple[str, ...] = ()
    """Names that stay visible: LLVM's `internalize-public-api-list`."""

    functions_only: bool = False
    """Whether only functions are made internal."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        kept = kept_names(module) | set(self.api)
        changed = False
        for name, op in symbols_of(module).items():
            if name not in kept and self._may_be_internal(op):
                INTERNALIZED.add()
                internalize(op)
                changed = True
        if changed:
            for func in functions_of(module):
                am.invalidate(func)
        return changed

    def _may_be_internal(self, op: Operation) -> bool:
        linkage = linkage_of(op)
        if linkage in LOCAL_LINKAGE or linkage in _NEVER or is_declaration(op):
            return False
        if type(op) is FuncOp:
            return not is_kernel(op)
        if type(op) is GlobalOp and not self.functions_only:
            # A visible variable without an initializer is dynamic shared memory of the launch.
            return int_property(op, "addr_space") not in SEEN_BY_HOST
        return False


__all__ = ["Internalize", "internalize"]
