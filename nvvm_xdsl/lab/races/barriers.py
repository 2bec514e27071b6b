"""Barriers of all threads of a block or of a launch."""

from __future__ import annotations

import re
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis import barriers
from nvvm_xdsl.dialects.llvm.accessors import callee_of, intrinsic_name
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.nvvm.ops import Barrier0Op
from nvvm_xdsl.ir import fast

GRID_BARRIER: Final = re.compile(r"_ZNK18cooperative_groups(4__v1)?10grid_group4syncEv")
"""The symbol of `cooperative_groups::grid_group::sync`."""

_DIVERGED: Final = "llvm.nvvm.barrier.cta.sync.all"
"""A barrier that the threads of a warp need not reach together (PTX ISA, `barrier.sync`)."""


def is_grid_barrier(op: Operation) -> bool:
    """Whether the op is a barrier of all threads of the launch."""
    return op.name == "llvm.call" and bool(GRID_BARRIER.fullmatch(callee_of(op) or ""))


def is_block_barrier(op: Operation) -> bool:
    """Whether the op is barrier 0 of all threads of the block."""
    if intrinsic_name(op) == _DIVERGED:
        return constant_integer(fast.operands_of(op)[0]) == 0
    return barriers.is_block_barrier(op)


def with_block_barriers(module: ModuleOp) -> ModuleOp:
    """A copy of the module in which each barrier of the launch is one of the block. The two are the
    same in a launch of one block."""
    copy = fast.clone(module)
    for op in list(copy.walk()):
        if is_grid_barrier(op):
            fast.insert_before(Barrier0Op(), op)
            fast.erase(op)
    return copy
