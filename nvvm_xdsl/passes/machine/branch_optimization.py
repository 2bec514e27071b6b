"""Simplifies branches of machine code (LLVM's BranchFolder::OptimizeBranches)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from xdsl.ir import Block

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.dialects.nvptx.control_flow import (
    BraOp,
    BrxOp,
    CbraOp,
    TerminatorOp,
    UnreachableOp,
    branch,
    branch_of,
)
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.ir import fast


def optimize_branches(func: FuncOp) -> bool:
    """OptimizeBranches: simplifies each block's branches until a fixed point.

    Arguments:
        func: a function whose blocks have no arguments.
    """
    changed = remove_dead_blocks(func)
    entry = func.body.blocks.first
    assert entry is not None
    work = deque(fast.blocks_of(func.body))
    queued = set(work)
    while work:
        block = work.popleft()
        queued.discard(block)
        if block.parent is None:
            continue
        for touched in _optimize_block(func, entry, block):
            changed = True
            if touched not in queued:
                # ReoptimizeBlock: changed blocks are visited again.
                work.append(touched)
                queued.add(touched)
    return changed


def _optimize_block(func: FuncOp, entry: Block, block: Block) -> Iterator[Block]:
    """OptimizeBlock: applies at most one simplification; yields the changed blocks."""
    last = block.last_op
    if isinstance(last, (CbraOp, BrxOp)):
        targets = set(fast.successors_of(last))
        if len(targets) == 1:
            # 2. Unconditional-to-same-target folding; jump tables likewise.
            _replace_terminator(block, branch(targets.pop()))
            yield block
            return
    if isinstance(last, BraOp):
        (target,) = fast.successors_of(last)
        if block.first_op is last and target is not block and block is not entry:
            # 1. Empty-block elimination.
            before = list(dict.fromkeys(fast.predecessors_of(block)))
            for pred in before:
                retarget(branch_of(pred), block, target)
            _erase_block(block)
            yield from before
            yield target
            return
        if target is not entry and fast.single_predecessor(target) is not None:
            # 3. Single-predecessor merge.
            fast.detach(last)
            fast.drop_uses(last)
            fast.splice_ops(target, block)
            _erase_block(target)
            yield block
            yield from fast.successors_of(fast.terminator_of(block))
            return
    before = _before_misplaced_exit(block)
    if before is not None:
        # 6. Tail-block relocation.
        fast.detach_block(block)
        fast.append_block(func.body, block)
        yield block
        yield before


def _before_misplaced_exit(block: Block) -> Block | None:
    """The block before one that leaves the function and separates neighbours that could follow each
    other; None for all other blocks."""
    after, before = block.next_block, block.prev_block
    if after is None or before is None:
        return None
    if fast.successors_of(fast.terminator_of(block)):
        return None
    last = before.last_op
    if not isinstance(last, CbraOp) or set(fast.successors_of(last)) != {block, after}:
        return None
    # Of two blocks that leave the function, the returning one is preferred as the fallthrough.
    if fast.successors_of(fast.terminator_of(after)):
        return before
    prefers = isinstance(block.last_op, UnreachableOp)
    return before if prefers and not isinstance(after.last_op, UnreachableOp) else None


def retarget(terminator: TerminatorOp, old: Block, new: Block) -> None:
    """Redirects the edges from `old` to `new`; both blocks have no arguments."""
    terminator.set_edges(
        [(new if block is old else block, values) for block, values in terminator.edges]
    )


def _replace_terminator(block: Block, new: TerminatorOp) -> None:
    last = fast.terminator_of(block)
    fast.detach(last)
    fast.drop_uses(last)
    fast.append(block, new)


def _erase_block(block: Block) -> None:
    for op in list(fast.reversed_ops_of(block)):
        fast.drop_uses(op)
        fast.detach(op)
    fast.detach_block(block)


def remove_dead_blocks(func: FuncOp) -> bool:
    """Removes the blocks that are unreachable from the entry."""
    graph = CFG(func.body)
    doomed = [b for n, b in enumerate(graph.blocks) if graph.rpo_index[n] < 0]
    for block in doomed:
        for op in fast.ops_of(block):
            fast.drop_uses(op)
    for block in doomed:
        _erase_block(block)
    return bool(doomed)
