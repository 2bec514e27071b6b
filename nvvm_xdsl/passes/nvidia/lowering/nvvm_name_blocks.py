"""`nvvm-name-blocks`: names blocks by function and position, for dumps.

    ^bb1:  becomes  ^F1_B2:

Functions and their blocks are numbered from 1 in the order of the module, without declarations. The
pass is phase 8 of the documented pipeline construction, after the slot at offset 3944.

Benefit: none; names are for dumps.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import NvvmPass


@dataclass(frozen=True)
class NameBlocks(NvvmPass):
    """Names every block F<function>_B<block>."""

    name = "nvvm-name-blocks"
    title = "NameBlocks"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = False
        for number, func in enumerate(functions_of(module), 1):
            for place, block in enumerate(fast.blocks_of(func.regions[0]), 1):
                name = f"F{number}_B{place}"
                if block.name_hint != name:
                    fast.set_name(block, name)
                    changed = True
        return changed
