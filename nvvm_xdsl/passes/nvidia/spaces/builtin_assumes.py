"""Assumptions about the address spaces of pointers, from `__builtin_assume(__isGlobal(p))` and
similar calls (a step of `memory-space-opt`).

    %c = isspacep.global %p                         %c = isspacep.global %p
    llvm.intr.assume %c                             llvm.intr.assume %c
    %x = llvm.load %p : !llvm.ptr -> f32     ->     %g = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
                                                    %q = llvm.addrspacecast %g : !llvm.ptr<1> to !llvm.ptr
                                                    %x = llvm.load %q : !llvm.ptr -> f32

Uses after the assumption access the pointer through the space, and the inference of address spaces
propagates it. (The knob is `process-builtin-assume`: "Process __builtin_assume(__is*(p))
assertions".)
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.llvm import CallIntrinsicOp, FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, AssumeOp
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import PTR
from nvvm_xdsl.dialects.llvm.types import pointer as pointer_type
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import CONSTANT, GLOBAL, LOCAL, SHARED

SPACES = {
    "llvm.nvvm.isspacep.global": GLOBAL,
    "llvm.nvvm.isspacep.shared": SHARED,
    "llvm.nvvm.isspacep.local": LOCAL,
    "llvm.nvvm.isspacep.const": CONSTANT,
}


def process_builtin_assumes(
    func: FuncOp, am: AnalysisManager, tell: Callable[[Operation, str], None]
) -> bool:
    """Applies assumptions about the address spaces of pointers; returns whether any was applied.

    Arguments:
        func: the function.
        am: provides the dominator tree.
        tell: called for each assumption that was used, with an op and a text.
    """
    assumed: list[tuple[Operation, SSAValue, int]] = []
    for op in walk_function(func):
        if type(op) is AssumeOp:
            condition = fast.operands_of(op)[0]
            if isinstance(condition, OpResult) and type(condition.op) is CallIntrinsicOp:
                space = SPACES.get(intrinsic_name(condition.op))
                pointer = fast.operands_of(condition.op)[0]
                if space is not None and pointer.type == PTR:
                    assumed.append((op, pointer, space))
    changed = False
    for op, pointer, space in assumed:
        changed |= _use(op, pointer, space, am.get(DominatorTree, func), tell)
    return changed


def _use(
    assume: Operation,
    pointer: SSAValue,
    space: int,
    tree: DominatorTree,
    tell: Callable[[Operation, str], None],
) -> bool:
    block = assume.parent
    if block is None or not tree.contains(block):
        return False
    behind: set[Operation] = set()
    at = assume.next_op
    while at is not None:
        behind.add(at)
        at = at.next_op
    uses = [
        (user, index)
        for user, index in fast.uses_of(pointer)
        if user in behind
        or (
            user.parent is not None
            and user.parent is not block
            and tree.contains(user.parent)
            and tree.strictly_dominates(block, user.parent)
        )
    ]
    uses = [(user, index) for user, index in uses if not _is_known(user)]
    if not uses:
        return False
    cast = fast.create(AddrSpaceCastOp, (pointer,), (pointer_type(space),))
    back = fast.create(AddrSpaceCastOp, cast.results, (PTR,))
    fast.insert_after(cast, assume)
    fast.insert_after(back, cast)
    for user, index in uses:
        fast.set_operand(user, index, back.results[0])
    tell(assume, f"{value_name(pointer)} points into space {space}")
    return True


def _is_known(user: Operation) -> bool:
    """Returns True if the op already defines the pointer's space, or tests it."""
    return type(user) is AddrSpaceCastOp or (
        type(user) is CallIntrinsicOp and intrinsic_name(user) in SPACES
    )
