"""`nvptx-assign-valid-global-names`: renames local symbols to valid PTX names.

    llvm.mlir.global private constant @".str-1"(...)   ->   @_$_str_$_1

Only symbols that are invisible to other modules are renamed: functions, variables and aliases of
internal and private linkage. Each character that PTX forbids becomes `_$_`. If names become equal,
such as `a-b` and `a.b`, a number is appended. Visible symbols keep their names here; selection
renames them in the same manner.

Source: the document's page on minor passes, "PTX Identifier Sanitisation".

Benefit: none; printing PTX also makes names valid.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.symbol_uses import rename_symbols
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, linkage_of, symbols_of
from nvvm_xdsl.dialects.ptx.names import SymbolNames, is_legal
from nvvm_xdsl.passes.base import NvvmPass


@dataclass(frozen=True)
class NVPTXAssignValidGlobalNames(NvvmPass):
    """Renames local symbols whose names are invalid in PTX."""

    name = "nvptx-assign-valid-global-names"
    title = "NVPTXAssignValidGlobalNames"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        symbols = symbols_of(module)
        doomed = [
            name
            for name, op in symbols.items()
            if linkage_of(op) in LOCAL_LINKAGE and not is_legal(name)
        ]
        if not doomed:
            return False
        names = SymbolNames()
        for name in symbols:
            names.reserve(name)
        rename_symbols(module, {name: names.of(name) for name in doomed})
        return True
