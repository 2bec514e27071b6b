"""Selection of loops for the form that ptxas unrolls.

An unrolled loop gains from the loads of several iterations that are under way at once, and from
sharing counters and addresses; it takes registers for that. A loop is left as it is whose
iterations cannot overlap:

  - it calls functions, has atomic or volatile accesses, meets with other threads or holds inline
    assembly (as the slow path of libdevice's sine does), or a pragma says how to unroll it;
  - it may store to what it loads in the next iteration, so that no load moves up, and it has more than
    `MAX_IN_ORDER` instructions: of a shorter one counter, comparison and branch are a good part.

And a loop is kept from being unrolled that adds with carries, as inline assembly for long products
does: each iteration waits for the last. The reduction of huge arguments in libdevice's sine is
one, which nearly no thread comes to; rolled, it takes a kernel of asin from 48 registers to 40.
"""

from __future__ import annotations

from typing import Final

from xdsl.ir import SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.machine.memory_accesses import Access, access_of, may_alias
from nvvm_xdsl.dialects.nvptx.calls import InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import PragmaOp, TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import CARRY, CONVERGENT, INVARIANT, SIDE_EFFECTS
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast

MAX_COMPARED: Final = 1024
"""Maximum number of compared pairs of a store and a load."""

MAX_IN_ORDER: Final = 16
"""Maximum number of instructions, without the branch, of a loop that is unrolled although its
iterations cannot overlap."""

_WITH_CARRY: Final = ".cc."

_FIXED: Final = SIDE_EFFECTS | CONVERGENT | CARRY


def profits_from_unrolling(loop: Loop) -> bool:
    """Whether unrolling by ptxas improves a loop."""
    if not loop.is_innermost():
        return False
    loads: list[Access] = []
    stores: list[Access] = []
    size = 0
    for block in loop.blocks:
        for op in fast.ops_of(block):
            if isinstance(op, TerminatorOp):
                continue
            size += 1
            flags = flags_of(op)
            if flags & _FIXED or isinstance(op, (InlineAsmOp, PragmaOp)):
                return False
            access = access_of(op)
            if access is not None and not flags & INVARIANT:
                (stores if access.is_store else loads).append(access)
    if size <= MAX_IN_ORDER:
        return True
    if len(loads) * len(stores) > MAX_COMPARED:
        return False
    return not any(_may_meet(store, load, loop) for store in stores for load in loads)


def carries_on(loop: Loop) -> bool:
    """Whether an innermost loop adds with carries."""
    return loop.is_innermost() and any(
        flags_of(op) & CARRY or (isinstance(op, InlineAsmOp) and _WITH_CARRY in op.template)
        for block in loop.blocks
        for op in fast.ops_of(block)
    )


def _may_meet(store: Access, load: Access, loop: Loop) -> bool:
    """Whether a load may read a value that another iteration stored."""
    base = store.base
    if base is load.base and isinstance(base, SSAValue):
        is_shared = register_class(base).number is not None
        if is_shared or not loop.is_invariant(base):
            return True
    return may_alias(store, load)


__all__ = ["MAX_COMPARED", "MAX_IN_ORDER", "carries_on", "profits_from_unrolling"]
