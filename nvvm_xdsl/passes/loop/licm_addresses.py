"""Hoists the loop-invariant part of the index of an address, for `licm`.

    ^loop(%i: i64):                                    %q = llvm.getelementptr %p[%row]
      %k = llvm.add %row, %i                   ->    ^loop(%i: i64):
      %a = llvm.getelementptr %p[%k]                   %a = llvm.getelementptr %q[%i]

The base `%p` and `%row` are loop-invariant. All users of the sum must be such addresses, so that
the sum becomes dead. The new addresses have no `inbounds`, since `%q` may be outside of the object.
32-bit sums are not changed: they cost one instruction, and several addresses of the loop often
share them.

(LLVM: the hoisting of `getelementptr` in LICM.cpp, after InstCombine split the address into two.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.dialects.llvm import AddOp, GEPOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.dialects.llvm.accessors import element_type_of
from nvvm_xdsl.dialects.llvm.constant_ops import is_constant
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, create_gep, raw_indices
from nvvm_xdsl.dialects.llvm.types import I64
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.conditionals import erase_dead

MAX_ADDRESSES: Final = 4
"""Maximum number of addresses that share a sum; each address gets a base that is live throughout
the loop.
"""


def split_addresses(loop: Loop, blocks: Sequence[Block], anchor: Operation) -> bool:
    """Hoists the invariant part of indices out of a loop; returns whether any was hoisted.

    Arguments:
        blocks: the blocks that every iteration executes; other addresses stay.
        anchor: the terminator of the preheader.
    """
    changed = False
    for op in [op for block in blocks for op in fast.ops_of(block)]:
        while _is_address(loop, blocks, op):
            base, index = fast.operands_of(op)
            terms = _terms(loop, blocks, index)
            if terms is None:
                break
            invariant, variant = terms
            hoisted = _address(base, invariant, op, anchor)
            new = _address(hoisted.results[0], variant, op, op)
            fast.replace_op(op, (new.results[0],))
            erase_dead(index)
            op = new
            changed = True
    return changed


def _is_address(loop: Loop, blocks: Sequence[Block], op: Operation) -> bool:
    """Returns whether the op adds one variable index to a loop-invariant pointer in every
    iteration."""
    return (
        type(op) is GEPOp
        and op.parent in blocks
        and raw_indices(op) == (DYNAMIC_INDEX,)
        and loop.is_invariant(fast.operands_of(op)[0])
    )


def _terms(
    loop: Loop, blocks: Sequence[Block], index: SSAValue
) -> tuple[SSAValue, SSAValue] | None:
    """The invariant and the variant term of an index that only such addresses use."""
    if not isinstance(index, OpResult) or type(index.op) is not AddOp or index.type != I64:
        return None
    users = list(fast.users_of(index))
    if len(users) > MAX_ADDRESSES or not all(_is_address(loop, blocks, user) for user in users):
        return None
    left, right = fast.operands_of(index.op)
    for invariant, variant in ((left, right), (right, left)):
        # Constants stay in the index, where code generation turns them into an offset.
        if loop.is_invariant(invariant) and not is_constant(invariant):
            return invariant, variant
    return None


def _address(base: SSAValue, index: SSAValue, like: Operation, before: Operation) -> Operation:
    """A new address of the element type of `like`, without flags."""
    location = like.location if before is like else fast.UNKNOWN_LOC
    new = create_gep(
        (base, index),
        (DYNAMIC_INDEX,),
        element_type_of(like),
        like.results[0].type,
        location=location,
    )
    fast.insert_before(new, before)
    return new
