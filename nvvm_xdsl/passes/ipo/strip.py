"""`strip`, `strip-nondebug`, `strip-dead-prototypes`: remove names, debug information and unused
declarations.

    %sum = llvm.add %a, %b : i32 loc("k.cu":3:7)      ->    %0 = llvm.add %a, %b : i32

LLVM's passes of these names. `strip` removes locations, debug records, and the names of values and
blocks; `strip-nondebug` only the names. LLVM also removes the names of internal functions and
variables; here they are kept, because MLIR refers to symbols by name. No level runs these two
passes: they make modules small and comparable. `strip-dead-prototypes` is in the documented
sequences at sub_18B1DE0, its position in libNVVM (docs/deviations.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.global_uses import KEPT_GLOBALS
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.debug_placement import followers
from nvvm_xdsl.dialects.llvm.symbols import is_declaration, references_of, symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import NvvmPass

_NOWHERE: Final = UnknownLoc()


def _drop_names(op: Operation) -> bool:
    changed = False
    values: list[SSAValue] = list(op.results)
    for region in op.regions:
        for block in fast.blocks_of(region):
            changed |= block.name_hint is not None
            fast.set_name(block, None)
            values += block.args
    for value in values:
        changed |= value.name_hint is not None
        fast.set_name(value, None)
    return changed


def _drop_location(op: Operation) -> bool:
    changed = op.location != _NOWHERE
    op.location = _NOWHERE
    return changed


@dataclass(frozen=True)
class StripSymbols(NvvmPass):
    """Removes the names of values and blocks, and debug information."""

    name = "strip"
    title = "StripSymbols"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = any([records.clear() for records in followers()])
        for op in module.walk():
            changed |= _drop_names(op) | _drop_location(op)
        return changed


@dataclass(frozen=True)
class StripNonDebugSymbols(NvvmPass):
    """Removes the names of values and blocks."""

    name = "strip-nondebug"
    title = "StripNonDebugSymbols"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return any([_drop_names(op) for op in module.walk()])


@dataclass(frozen=True)
class StripDeadPrototypes(NvvmPass):
    """Erases unused declarations of functions and variables."""

    name = "strip-dead-prototypes"
    title = "StripDeadPrototypes"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        symbols = symbols_of(module)
        if not any(map(is_declaration, symbols.values())):
            return False
        used: set[str] = set(KEPT_GLOBALS)
        for op in symbols.values():
            used |= references_of(op)
        doomed = [op for name, op in symbols.items() if is_declaration(op) and name not in used]
        for op in doomed:
            am.forget(op)
            fast.erase(op)
        return bool(doomed)


__all__ = ["StripDeadPrototypes", "StripNonDebugSymbols", "StripSymbols"]
