"""Constants in the blocks that use them.

The reader of LLVM assembly defines all constants in the entry block. MLIR permits them anywhere, and
a pass must not use a constant that does not dominate the use.
"""

from __future__ import annotations

import random
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddressOfOp
from xdsl.ir import Block

from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.ir import fast

MOVED: Final = frozenset({*CONSTANT_CLASSES, AddressOfOp})

MOVED_SHARE = 0.7
"""Share of the pairs of a constant and a block that uses it, which get a copy of the constant."""


def scatter_constants(module: ModuleOp, chance: random.Random) -> int:
    """Copies constants of the entry blocks into other blocks that use them; returns the number of
    copies."""
    count = 0
    for function in list(module.ops):
        for region in function.regions:
            entry = region.first_block
            if entry is None:
                continue
            for op in [op for op in fast.ops_of(entry) if type(op) in MOVED]:
                copies: dict[Block, bool] = {}
                uses = [(user, at, fast.block_of(user)) for user, at in fast.uses_of(op.results[0])]
                for block in dict.fromkeys(block for _, _, block in reversed(uses)):
                    copies[block] = block is not entry and chance.random() < MOVED_SHARE
                for block in [block for block, copied in copies.items() if copied]:
                    copy = fast.clone(op)
                    fast.prepend(block, copy)
                    count += 1
                    for user, at, place in uses:
                        if place is block:
                            fast.set_operand(user, at, copy.results[0])
                if op.results[0].first_use is None:
                    fast.erase(op)
    return count
