"""`opt-phis`: removes block arguments that always have one value or equal another argument.

    nvptx.cbra %c, ^a, ^b(%undef, %x)             nvptx.cbra %c, ^a, ^b(%x)
    ^a:                                           ^a:
      nvptx.bra ^b(%y, %y)                 ->       nvptx.bra ^b(%y)
    ^b(%u, %v):                                   ^b(%v):
      nvptx.st [%p], %u                             nvptx.st [%p], %v

LLVM's OptimizePHIs, which removes PHIs that equal one value or only feed each other. In addition,
one of two arguments with equal incoming values is removed, also if some incoming values of one are
undefined, because an undefined value may be anything. Loops that LLVM unrolled contain such PHIs;
each would cost a register and a copy per iteration.

Runs in SSA form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.special_registers import UndefOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.passes.machine.block_arguments import (
    incoming_edges,
    remove_arguments,
    remove_trivial_arguments,
)

MOST_COMPARED = 64
"""Maximum number of arguments of a block that are compared pairwise."""


@dataclass(frozen=True)
class OptimizePHIs(MachineFunctionPass):
    """Removes block arguments that equal one value or another argument."""

    name = "opt-phis"
    title: ClassVar[str] = "OptimizePHIs"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = remove_trivial_arguments(func)
        merged = True
        while merged:
            merged = False
            for block in fast.blocks_of(func.body):
                if len(block.args) > 1:
                    merged |= _merge_arguments(block)
            if merged:
                changed = True
                remove_trivial_arguments(func)
        return changed


def _merge_arguments(block: Block) -> bool:
    """Replaces arguments by equivalent ones; returns whether any was replaced."""
    edges = incoming_edges(block)
    if not edges:
        return False
    rows = [
        (argument, [branch.values_on(number)[argument.index] for branch, number in edges])
        for argument in block.args
    ]
    doomed: list[int] = []
    kept: list[tuple[BlockArgument, list[SSAValue]]] = []
    for argument, values in sorted(rows, key=lambda row: sum(map(_is_undefined, row[1]))):
        for other, others in kept[:MOST_COMPARED]:
            if argument.type is other.type and _covers(other, others, argument, values):
                fast.replace_all_uses(argument, other)
                doomed.append(argument.index)
                break
        else:
            kept.append((argument, values))
    if doomed:
        remove_arguments(block, edges, sorted(doomed))
    return bool(doomed)


def _covers(
    one: BlockArgument, ones: Sequence[SSAValue], other: BlockArgument, others: Sequence[SSAValue]
) -> bool:
    """Returns True if the first argument equals the second wherever the second is defined."""
    return all(
        b is a or _is_undefined(b) or (a is one and b is other) for a, b in zip(ones, others)
    )


def _is_undefined(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and type(value.op) is UndefOp


__all__ = ["OptimizePHIs"]
