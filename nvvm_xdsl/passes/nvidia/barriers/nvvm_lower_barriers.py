"""`nvvm-lower-barriers`: simplifies barriers to `nvvm.barrier0`, and merges consecutive ones.

    %n = barrier.cta.red.popc ... %p        // %n is not used          nvvm.barrier0
    nvvm.barrier id = %zero                                    ->      ...
    ...                                                                nvvm.barrier0
    nvvm.barrier id = %zero number_of_threads = %block_size

A reduction without uses is a barrier. Barrier 0 for as many threads as the block is declared to
have (`nvvm.reqntid`) is the block-wide barrier. The optimizer document lists two forms of the pass
(sub_1C98160 and sub_1C98270, after memory-space-opt), both with slot 2920, and describes neither.
Both forms are the same here; slot 2920 is `warp`, which also merges consecutive barriers of a warp.
The document's switch, 3488, is set with bit 1 of the feature flags.

Benefit: disabling it changes no kernel's machine code; it simplifies barriers for `dead-sync-elim`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.llvm import CallIntrinsicOp, FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.barriers import REDUCING, Meetings, is_block_barrier
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel, launch_bounds
from nvvm_xdsl.dialects.nvvm.ops import Barrier0Op, BarrierOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.barriers import merge_barriers


@dataclass(frozen=True)
class NVVMLowerBarriers(FunctionPass):
    """Simplifies and merges barriers.

    Arguments:
        warp: whether consecutive barriers of a warp are merged (slot 2920).
    """

    name = "nvvm-lower-barriers"
    title = "NVVMLowerBarriers"

    warp: bool = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        threads = block_size(func)
        for op in list(walk_function(func)):
            if type(op) is not Barrier0Op and _is_plain(op, threads):
                fast.insert_before(fast.create(Barrier0Op), op)
                fast.erase(op)
                changed = True
        meetings = Meetings(func, am)
        for block in am.get(CFG, func).rpo_blocks():
            changed |= merge_barriers(block, meetings, warp=self.warp)
        return changed


def block_size(func: FuncOp) -> int | None:
    """The stated number of threads of each block of a kernel; None if it is not stated."""
    if not is_kernel(func):
        return None
    sizes = launch_bounds(func).reqntid
    return prod(sizes) if sizes else None


def _is_plain(op: Operation, threads: int | None) -> bool:
    """Returns True if the op is equivalent to barrier 0 of the whole block."""
    if type(op) is BarrierOp or (
        type(op) is CallIntrinsicOp and intrinsic_name(op).startswith(REDUCING)
    ):
        if any(result.first_use is not None for result in op.results):
            return False
        if is_block_barrier(op):
            return True
        operands = fast.operands_of(op)
        return (
            threads is not None
            and type(op) is BarrierOp
            and not op.results
            and len(operands) == 2
            and constant_integer(operands[0]) == 0
            and constant_integer(operands[1]) == threads
        )
    return False
