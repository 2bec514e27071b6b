"""`select-kernels`: keeps only the requested kernels.

    select-kernels<kernels=scale,add>

removes all other kernels, and private symbols that refer to them. A kernel that remaining code
refers to is kept: it is launched from the device or listed in `llvm.used`. `globaldce` removes
symbols that only removed kernels use. Without names all kernels are kept.

000 LLVM Optimizer ("NVIDIA Custom Passes") lists the pass without describing how kernels are
selected.

Benefit: none in speed; it requires names, and is in no level.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, linkage_of, references_of, symbols_of
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean
from nvvm_xdsl.passes.base import NvvmPass


@dataclass(frozen=True)
class SelectKernels(NvvmPass):
    """Removes all kernels except the requested ones."""

    name = "select-kernels"
    title = "SelectKernels"

    kernels: tuple[str, ...] = ()
    """The names of the kernels to keep; all of them if empty."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        if not self.kernels:
            return False
        symbols = symbols_of(module)
        kernels = {n: op for n, op in symbols.items() if isinstance(op, FuncOp) and is_kernel(op)}
        for name in self.kernels:
            if name not in kernels:
                raise DiagnosticError(f"unknown kernel '{name}'" + _suggestion(name, kernels))
        references = {name: references_of(op) for name, op in symbols.items()}
        kept = self._reached(symbols, references, kernels)
        dropped = {name for name in kernels if name not in kept}
        # A kept symbol does not refer to a removed one, but an unused one may.
        users: dict[str, list[str]] = {}
        for name, found in references.items():
            for other in found:
                users.setdefault(other, []).append(name)
        pending = list(dropped)
        while pending:
            for name in users.get(pending.pop(), ()):
                if name not in dropped:
                    dropped.add(name)
                    pending.append(name)
        for name in dropped:
            fast.erase(symbols[name])
        return bool(dropped)

    def _reached(
        self,
        symbols: dict[str, Operation],
        references: dict[str, set[str]],
        kernels: dict[str, FuncOp],
    ) -> set[str]:
        """The symbols that selected kernels and visible symbols refer to."""
        pending = [
            name
            for name, op in symbols.items()
            if name in self.kernels or (name not in kernels and linkage_of(op) not in LOCAL_LINKAGE)
        ]
        kept = set(pending)
        while pending:
            for name in references[pending.pop()]:
                if name in symbols and name not in kept:
                    kept.add(name)
                    pending.append(name)
        return kept


def _suggestion(name: str, kernels: dict[str, FuncOp]) -> str:
    if alike := did_you_mean(name, kernels):
        return alike
    return f"; the module has {', '.join(sorted(kernels)) or 'none'}"
