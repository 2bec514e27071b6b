"""Split blocks, in an order in which a block may precede its dominators.

LLVM assembly and MLIR permit any order of the blocks after the entry block. A pass that visits
blocks in their order must not expect that operands were visited before their users.
"""

from __future__ import annotations

import random
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AllocaOp
from xdsl.ir import Block

from nvvm_xdsl.dialects.llvm.branches import branch
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.ir import fast

SPLIT_SHARE: Final = 0.2
"""Share of the ops before which a block is split."""


def shuffle_blocks(module: ModuleOp, chance: random.Random) -> int:
    """Splits the blocks at random ops, and shuffles the blocks after the entry block of each
    function; returns the number of shuffled blocks."""
    count = 0
    for function in functions_of(module):
        region = function.regions[0]
        for block in list(fast.blocks_of(region)):
            _split(block, chance)
        _, *others = fast.blocks_of(region)
        count += len(others)
        for block in chance.sample(others, len(others)):
            fast.detach_block(block)
            fast.append_block(region, block)
    return count


def _split(block: Block, chance: random.Random) -> None:
    """Splits a block before random ops. Stack slots stay in the entry block."""
    ops = list(fast.ops_of(block))
    slots = [place for place, op in enumerate(ops) if type(op) is AllocaOp]
    for op in ops[slots[-1] + 1 if slots else 1 :]:
        if chance.random() < SPLIT_SHARE:
            before = fast.block_of(op)
            fast.append(before, branch(fast.split_block_before(op)))
