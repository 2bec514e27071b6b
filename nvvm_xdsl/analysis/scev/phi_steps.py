"""PHIs of loop headers as a start and a step for each iteration."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.llvm import GEPOp, LLVMPointerType
from xdsl.ir import BlockArgument, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.memory.addresses import index_scales
from nvvm_xdsl.dialects.llvm.branches import values_to
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.ir import fast

MAX_PHI_ADDENDS = 64
"""Maximum number of addends of a block argument's next value."""


class PhiSplit(NamedTuple):
    """A recurrence in the IR: its start and its step.

    The step is `offset` plus each of `addends` times its factor, added by the single op
    `increment`, or by several ops if that is None.
    """

    start: SSAValue
    addends: list[tuple[SSAValue, int]]
    offset: int
    increment: OpResult | None


def split_phi(phi: BlockArgument, loops: LoopInfo, layout: DataLayout) -> PhiSplit | None:
    """A loop header's argument as start and step.

    None if it is not a header's argument, or its next value is not its current value plus an
    addend.
    """
    loop = loops.loop_for(phi.block)
    if loop is None or loop.header is not phi.block:
        return None
    starts: dict[SSAValue, None] = {}
    nexts: dict[SSAValue, None] = {}
    for pred in dict.fromkeys(fast.predecessors_of(phi.block)):
        last = pred.last_op
        for values in values_to(last, phi.block) if last is not None else ():
            (nexts if loop.contains(pred) else starts)[values[phi.index]] = None
    if len(starts) != 1 or len(nexts) != 1:
        return None
    (start,), (following,) = starts, nexts
    if isinstance(phi.type, LLVMPointerType):
        return _split_pointer_phi(phi, loop, start, following, layout)
    found = 0
    increment: OpResult | None = None
    addends: list[tuple[SSAValue, int]] = []
    work = [(following, 1)]
    while work:
        value, sign = work.pop()
        if value is phi:
            found += sign
            continue
        op = value.op if isinstance(value, OpResult) else None
        if op is not None and op.parent in loop.block_set and op.name in ("llvm.add", "llvm.sub"):
            a, b = fast.operands_of(op)
            if value is following and op.name == "llvm.add" and phi in (a, b):
                increment = op.results[0]
            work.append((a, sign))
            work.append((b, sign if op.name == "llvm.add" else -sign))
        else:
            addends.append((value, sign))
        if len(addends) + len(work) > MAX_PHI_ADDENDS:
            return None
    return PhiSplit(start, addends, 0, increment) if found == 1 else None


def _split_pointer_phi(
    phi: BlockArgument, loop: Loop, start: SSAValue, following: SSAValue, layout: DataLayout
) -> PhiSplit | None:
    """A pointer that advances by indices times element sizes."""
    offset = 0
    addends: list[tuple[SSAValue, int]] = []
    at = following
    while isinstance(at, OpResult) and type(at.op) is GEPOp and at.op.parent in loop.block_set:
        scales = index_scales(at.op, layout)
        if scales is None:
            return None
        constant, scaled = scales
        offset += constant
        addends += scaled
        if len(addends) > MAX_PHI_ADDENDS:
            return None
        at = fast.operands_of(at.op)[0]
    return PhiSplit(start, addends, offset, None) if at is phi else None


def same_incoming(phi: BlockArgument) -> SSAValue | None:
    """The only value that edges pass to a block argument, except for itself."""
    if phi.block.first_use is None:
        return None
    found: set[SSAValue] = set()
    for pred in dict.fromkeys(fast.predecessors_of(phi.block)):
        last = pred.last_op
        for values in values_to(last, phi.block) if last is not None else ():
            if phi.index < len(values):
                found.add(values[phi.index])
    found.discard(phi)
    return found.pop() if len(found) == 1 else None
