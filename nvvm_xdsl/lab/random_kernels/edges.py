"""Several edges from one branch into one block, with different values.

LLVM assembly cannot express them: a PHI has one value per predecessor. The generator writes a block
with only a branch for each such edge; its name starts with `EDGE`. After parsing, `share_edges`
removes these blocks.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import BrOp
from xdsl.ir import Block

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.ir import fast

EDGE = "edge"


def share_edges(module: ModuleOp) -> int:
    """Removes the blocks of edges and redirects their predecessors; returns how many there were."""
    count = 0
    for function in list(module.ops):
        for region in function.regions:
            for block in list(fast.blocks_of(region)):
                if _is_edge(block):
                    _bypass(block)
                    count += 1
    return count


def _is_edge(block: Block) -> bool:
    only = block.first_op
    return (
        (block.name_hint or "").startswith(EDGE)
        and not block.args
        and isinstance(only, BrOp)
        and only is block.last_op
        and block.first_use is not None
    )


def _bypass(block: Block) -> None:
    """Redirects each edge into the block to the block's successor, with the values of its
    branch."""
    ((target, sent),) = branches.edges_of(branches.terminator_of(block))
    for terminator in dict.fromkeys(op for op, _ in fast.edges_to(block)):
        edges = [
            (target, sent) if successor is block else (successor, values)
            for successor, values in branches.edges_of(terminator)
        ]
        branches.set_edges(terminator, edges)
    fast.erase(branches.terminator_of(block))
    fast.detach_block(block)
