"""Barriers of the block and of the warp, and what lies between them."""

from __future__ import annotations

from typing import TypeGuard

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.barriers import BlockBarrierOp, Meetings
from nvvm_xdsl.dialects.effects import CONVERGENT, MAY_NOT_RETURN, READS, STATE, WRITES, effects
from nvvm_xdsl.dialects.nvvm import op_class
from nvvm_xdsl.ir import fast

WarpBarrierOp = op_class("nvvm.bar.warp.sync")

_SEEN = READS | WRITES | CONVERGENT | STATE | MAY_NOT_RETURN


def is_seen_through_barriers(op: Operation) -> bool:
    """Whether the op touches memory, synchronizes, or does something else that other threads or
    the order of ops can tell, so that it matters on which side of a barrier it is."""
    return effects(op) & _SEEN != 0


def is_barrier(op: Operation | None) -> TypeGuard[Operation]:
    """Whether the op is the barrier of the whole block, or of threads of a warp."""
    return op.__class__ is BlockBarrierOp or op.__class__ is WarpBarrierOp


def merge_barriers(block: Block, meetings: Meetings, *, warp: bool = True) -> bool:
    """Erases barriers of a block that come right behind one that does as much.

    Nothing between them can be told apart by its side of the second one. A barrier of a warp goes
    before one of the whole block as well. Where threads that wait for each other may do so at
    different barriers all stay: their number counts. Returns whether there were any.

    Arguments:
        block: of the function of `meetings`.
        meetings: where threads come together.
        warp: whether barriers of a warp may go.
    """
    changed = False
    last: Operation | None = None
    barriers = [op for op in fast.ops_of(block) if is_barrier(op)]
    if len(barriers) < 2:
        return False
    of_block = meetings.of_block(block)
    if not of_block and not (warp and meetings.of_warp(block)):
        return False
    kept = {cls for cls, goes in ((BlockBarrierOp, of_block), (WarpBarrierOp, warp)) if not goes}
    for op in list(fast.ops_of(block)):
        if op.__class__ in kept:
            last = None
        elif is_barrier(op):
            if last is not None and last.__class__ is op.__class__:
                if [*fast.operands_of(last)] == [*fast.operands_of(op)]:
                    fast.erase(op)
                    changed = True
                    continue
            elif last is not None and op.__class__ is BlockBarrierOp:
                fast.erase(last)
                changed = True
            last = op
        elif is_seen_through_barriers(op):
            last = None
    return changed
