"""Barriers of the block and of the warp, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from xdsl.ir import Operation

from nvvm_xdsl.dialects.effects import CONVERGENT, MAY_NOT_RETURN, READS, STATE, WRITES, effects
from nvvm_xdsl.dialects.nvvm import op_class
from nvvm_xdsl.ir import fast

BlockBarrierOp = op_class("nvvm.barrier0")
WarpBarrierOp = op_class("nvvm.bar.warp.sync")

_SEEN = READS | WRITES | CONVERGENT | STATE | MAY_NOT_RETURN


def is_seen_through_barriers(op: Operation) -> bool:
    """Whether the op touches memory, synchronizes, or does something else that other threads or
    the order of ops can tell, so that it matters on which side of a barrier it is."""
    return effects(op) & _SEEN != 0


def is_barrier(op: Operation | None) -> TypeGuard[Operation]:
    """Whether the op is the barrier of the whole block, or of threads of a warp."""
    return op.__class__ is BlockBarrierOp or op.__class__ is WarpBarrierOp


def merge_barriers(ops: Iterable[Operation]) -> bool:
    """Erases barriers of a block's ops that come right behind one that does as much.

    Nothing between them can be told apart by its side of the second one. A barrier of a warp goes
    before one of the whole block as well. Returns whether there were any.
    """
    changed = False
    last: Operation | None = None
    for op in list(ops):
        if is_barrier(op):
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
