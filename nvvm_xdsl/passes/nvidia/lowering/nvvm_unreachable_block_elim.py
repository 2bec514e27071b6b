"""`nvvm-unreachable-block-elim`: removes blocks that are unreachable from the entry.

      llvm.br ^join(%x : i32)
    ^dead:
      llvm.br ^join(%y : i32)
    ^join(%v: i32):
      llvm.return %v : i32

becomes

      llvm.br ^join
    ^join:
      llvm.return %x : i32

As in LLVM's UnreachableBlockElim, an argument of a block that lost edges is replaced if it has a
single incoming value left.

Benefit: disabling it changes no kernel's machine code.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms import cfg


@dataclass(frozen=True)
class UnreachableBlockElim(FunctionPass):
    """Removes unreachable blocks."""

    name = "nvvm-unreachable-block-elim"
    title = "UnreachableBlockElim"
    phases = frozenset({1, 2})

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        region = func.regions[0]
        alive = cfg.reachable_blocks(region)
        doomed = [block for block in fast.blocks_of(region) if block not in alive]
        if not doomed:
            return False
        after = dict.fromkeys(
            target
            for block in doomed
            if block.last_op is not None
            for target in fast.successors_of(block.last_op)
            if target in alive
        )
        cfg.drop_blocks(doomed)
        for block in after:
            cfg.simplify_arguments(block)
        return True
