"""The address of an access in the first iteration, for `loop-reduce`.

    ^loop(%i: i32):                                  %m0 = llvm.mul %first, %w overflow<nsw> : i32
      %m = llvm.mul %i, %w overflow<nsw> : i32       %k0 = llvm.add %m0, %x overflow<nsw> : i32
      %k = llvm.add %m, %x overflow<nsw> : i32  ->   %p0 = llvm.getelementptr %a[%k0] : ... f32
      %p = llvm.getelementptr %a[%k] : ... f32       llvm.br ^loop(%first, %p0 : ...)
      %v = llvm.load %p : !llvm.ptr -> f32         ^loop(%i: i32, %p: !llvm.ptr):

A start that ScalarEvolution expands is a sum of 64-bit products, each of two instructions and more.
A copy of the address computation is shorter, but it may wrap or be poison where the sum does not,
unless the access is executed. Therefore the access must be executed in the first iteration before
all other accesses of the family.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.dialects.llvm import AddOp, GEPOp, MulOp, SExtOp, ShlOp, SubOp, TruncOp, ZExtOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.memory.pointer_ops import ACCESSES
from nvvm_xdsl.analysis.values.linear_address import AddrSpaceCastOp
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, effects
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.loop.loop_reduce_families import Family

COPIED: Final = frozenset(
    {AddOp, SubOp, MulOp, ShlOp, SExtOp, ZExtOp, TruncOp, GEPOp, AddrSpaceCastOp}
)
"""Ops of address computations that are copied."""


def first_access(
    family: Family, loop: Loop, latch: Block, tree: DominatorTree, most_ops: int
) -> Operation | None:
    """The access whose address in the first iteration is the start of a family.

    Arguments:
        most_ops: the maximum number of ops of its address computation.
    """
    block = family.accesses[0][0].parent
    assert block is not None
    later = {latch, *(access.parent for access, _ in family.accesses)}
    if not all(other is not None and tree.dominates(block, other) for other in later):
        return None
    members = {access for access, _ in family.accesses}
    is_past = False
    for op in fast.ops_of(block):
        if op in members:
            is_past = True
            is_start = not family.links.get(op, 0)
            if is_start and _size(_address(op), loop) <= most_ops:
                return op
        if is_past and effects(op) & MAY_NOT_RETURN:
            return None
    return None


def first_address(
    access: Operation, loop: Loop, starts: Sequence[SSAValue], before: Operation
) -> SSAValue:
    """The address of an access in the first iteration, computed before an op.

    Arguments:
        starts: the initial values of the header's arguments.
    """
    return _copy(_address(access), loop, starts, before, {})


def _address(access: Operation) -> SSAValue:
    return fast.operands_of(access)[ACCESSES[type(access)]]


def _size(address: SSAValue, loop: Loop) -> float:
    """The number of ops in the loop that compute an address; infinite if one cannot be copied."""
    found: set[Operation] = set()
    pending = [address]
    while pending:
        value = pending.pop()
        if loop.is_invariant(value):
            continue
        if isinstance(value, BlockArgument):
            if value.block is not loop.header:
                return float("inf")
        elif isinstance(value, OpResult) and value.op not in found:
            if type(value.op) not in COPIED:
                return float("inf")
            found.add(value.op)
            pending += fast.operands_of(value.op)
    return len(found)


def _copy(
    value: SSAValue,
    loop: Loop,
    starts: Sequence[SSAValue],
    before: Operation,
    made: dict[SSAValue, SSAValue],
) -> SSAValue:
    if loop.is_invariant(value):
        return value
    if isinstance(value, BlockArgument):
        return starts[value.index]
    if value not in made:
        assert isinstance(value, OpResult)
        operands = fast.operands_of(value.op)
        mapping = {v: _copy(v, loop, starts, before, made) for v in operands}
        copy = fast.copy_op(value.op, mapping, {})
        fast.insert_before(copy, before)
        made[value] = copy.results[0]
    return made[value]


__all__ = ["first_access", "first_address"]
