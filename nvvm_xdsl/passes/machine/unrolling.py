"""Selection of loops for the form that ptxas unrolls.

In an unrolled loop, loads of several iterations are in flight at the same time, and counters and
addresses are shared; this costs registers. A loop does not get the form if its iterations cannot
overlap:

  - it has calls, atomic or volatile accesses, convergent instructions, inline assembly (such as the
    slow path of libdevice's sine), or a pragma that states the unrolling;
  - a store may alias a load of another iteration, so that loads cannot move up, and the loop has
    more than `MAX_IN_ORDER` instructions. In a shorter loop the counter, comparison and branch are
    a large share.

A loop with additions with carry, such as inline assembly for long products, gets the opposite form,
which prevents unrolling, because each iteration depends on the previous one. An example is the
reduction of huge arguments in libdevice's sine, which few threads execute; without unrolling, a
kernel with asin uses 40 registers instead of 48.
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
"""Maximum number of pairs of a store and a load that are compared."""

MAX_IN_ORDER: Final = 16
"""Maximum number of instructions, without the branch, of a loop that is unrolled although its
iterations cannot overlap."""

_WITH_CARRY: Final = ".cc."

_FIXED: Final = SIDE_EFFECTS | CONVERGENT | CARRY


def profits_from_unrolling(loop: Loop) -> bool:
    """Whether a loop should get the form that ptxas unrolls."""
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
    return not any(_may_carry_dependence(store, load, loop) for store in stores for load in loads)


def carries_on(loop: Loop) -> bool:
    """Whether a loop is innermost and has additions with carry."""
    return loop.is_innermost() and any(
        flags_of(op) & CARRY or (isinstance(op, InlineAsmOp) and _WITH_CARRY in op.template)
        for block in loop.blocks
        for op in fast.ops_of(block)
    )


def _may_carry_dependence(store: Access, load: Access, loop: Loop) -> bool:
    """Whether a load may read a value that another iteration stored."""
    base = store.base
    if base is load.base and isinstance(base, SSAValue):
        is_shared = register_class(base).number is not None
        if is_shared or not loop.is_invariant(base):
            return True
    return may_alias(store, load)


__all__ = ["MAX_COMPARED", "MAX_IN_ORDER", "carries_on", "profits_from_unrolling"]
