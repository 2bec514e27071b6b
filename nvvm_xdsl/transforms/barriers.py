"""Barriers of blocks and warps, and the ops between them."""

from __future__ import annotations

from collections.abc import Container
from typing import TypeGuard

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.barriers import Barriers, Meetings, sides_text
from nvvm_xdsl.dialects.effects import CONVERGENT, MAY_NOT_RETURN, READS, STATE, WRITES, effects
from nvvm_xdsl.dialects.nvvm.ops import Barrier0Op, SyncWarpOp
from nvvm_xdsl.ir import fast, remarks

_SEEN = READS | WRITES | CONVERGENT | STATE | MAY_NOT_RETURN


def is_seen_through_barriers(op: Operation) -> bool:
    """True if the op may not move across a barrier: it accesses memory, synchronizes, or has
    another effect that other threads or later ops can observe."""
    return effects(op) & _SEEN != 0


def is_barrier(op: Operation | None) -> TypeGuard[Operation]:
    """Returns True if the op is a barrier of the whole block, or of threads of a warp."""
    return type(op) is Barrier0Op or type(op) is SyncWarpOp


def merge_barriers(block: Block, meetings: Meetings, *, warp: bool = True) -> bool:
    """Erases barriers that directly follow a barrier with the same effect.

    A barrier is redundant if no access between the two needs it. A block barrier makes a preceding
    warp barrier redundant. If threads that wait for each other can do so at different barriers, all
    barriers remain, because their number matters. Returns whether a barrier was removed.

    Arguments:
        block: a block of the function of `meetings`.
        meetings: the synchronization points of threads.
        warp: whether barriers of a warp may be removed.
    """
    if not _has_adjacent_barriers(block):
        return False
    changed = False
    last: Operation | None = None
    of_block = meetings.of_block(block)
    if not of_block and not (warp and meetings.of_warp(block)):
        return False
    kept = {cls for cls, goes in ((Barrier0Op, of_block), (SyncWarpOp, warp)) if not goes}
    for op in list(fast.ops_of(block)):
        if type(op) in kept:
            last = None
        elif is_barrier(op):
            if last is not None and type(last) is type(op):
                if [*fast.operands_of(last)] == [*fast.operands_of(op)]:
                    fast.erase(op)
                    changed = True
                    continue
            elif last is not None and type(op) is Barrier0Op:
                fast.erase(last)
                changed = True
            last = op
        elif is_seen_through_barriers(op):
            last = None
    return changed


def _has_adjacent_barriers(block: Block) -> bool:
    """True if no op that accesses memory or synchronizes lies between two barriers of a block."""
    after_barrier = False
    for op in fast.ops_of(block):
        if is_barrier(op):
            if after_barrier:
                return True
            after_barrier = True
        elif after_barrier and is_seen_through_barriers(op):
            after_barrier = False
    return False


_REMOVED = remarks.Statistic("dead-sync-elim", "Removed", "barriers removed")


def remove_dead_barriers(
    barriers: Barriers,
    func: FuncOp,
    pass_name: str,
    *,
    blocks: Container[Block | None] | None = None,
    dump: bool = False,
) -> bool:
    """Erases the barriers that order no accesses; returns whether any was erased.

    Arguments:
        barriers: the function's barriers and the accesses that they order.
        func: the function.
        pass_name: the pass to which remarks are attributed.
        blocks: the blocks in which barriers are erased; all blocks if None.
        dump: whether remarks are printed even if they are disabled.
    """
    changed = False
    for site in list(barriers.sites):
        if type(site.op) is not Barrier0Op or barriers.orders_something(site):
            continue
        if blocks is not None and site.op.parent not in blocks:
            continue
        text = f"Removed dead synch: {sides_text(barriers.before(site), barriers.behind(site))}"
        name = func.sym_name.data
        remarks.emit("Passed", pass_name, "Removed", name, text, op=site.op, shown=dump)
        barriers.erase(site)
        _REMOVED.add()
        changed = True
    return changed
