"""Loads of global memory that are better executed together."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import LoadOp
from xdsl.ir import Operation, OpResult

from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL

LINE_BYTES: Final = 128
"""Bytes of a cache line. Two loads at a smaller constant distance probably access one line."""


def is_near_used_load(op: Operation, alias: AliasAnalysis) -> bool:
    """Returns True for a load of global memory if its block uses another load of the same line.

    Both are then in flight at the same time. If one is moved past a branch, a warp that needs
    both waits twice, and a warp that does not need it saves little, because the line is loaded in
    any case.
    """
    block = op.parent
    if type(op) is not LoadOp or block is None or not is_simple_access(op):
        return False
    (pointer,) = fast.operands_of(op)
    if alias.space(pointer) not in (GENERIC, GLOBAL):
        return False
    at = alias.addresses.address(pointer)
    for other in fast.ops_of(block):
        if type(other) is not LoadOp or other is op:
            continue
        near = alias.addresses.address(fast.operands_of(other)[0])
        if (
            near.base == at.base
            and abs(near.offset - at.offset) < LINE_BYTES
            and near.terms == at.terms
            and any(user.parent is block for user in fast.users_of(other.results[0]))
        ):
            return True
    return False


def holds_near_load(op: Operation, alias: AliasAnalysis) -> bool:
    """Returns True if an op has to stay in its block for a load for which `is_near_used_load`.

    It is the load, or its only user in the block: ptxas moves a load without users in its block
    past the branch.
    """
    if is_near_used_load(op, alias):
        return True
    block = op.parent
    return any(
        type(value) is OpResult
        and type(value.op) is LoadOp
        and value.op.parent is block
        and all(user is op or user.parent is not block for user in fast.users_of(value))
        and is_near_used_load(value.op, alias)
        for value in fast.operands_of(op)
    )
