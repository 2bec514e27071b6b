"""Removes code in which a value depends on itself.

MLIR and LLVM accept such values in unreachable blocks (`%x = llvm.add %x, %c`), because every value
dominates every use there. Passes follow operands and rely on their end.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, OpResult, Region

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import reverse_post_order


def remove_cyclic_blocks(region: Region) -> None:
    """Removes the unreachable blocks of a function's body if a value in them depends on itself."""
    unreachable = _unreachable_blocks(region)
    if not unreachable or not _has_cycle(unreachable):
        return
    for block in unreachable:
        for op in fast.ops_of(block):
            fast.drop_uses(op)
    for block in unreachable:
        fast.detach_block(block)


def _unreachable_blocks(region: Region) -> list[Block]:
    blocks = list(fast.blocks_of(region))
    if len(blocks) < 2:
        return []
    numbers = {block: number for number, block in enumerate(blocks)}
    successors: list[list[int]] = []
    for block in blocks:
        last = block.last_op
        successors.append(
            [numbers[b] for b in fast.successors_of(last)] if last is not None else []
        )
    reached = set(reverse_post_order(successors, 0))
    return [block for block in blocks if numbers[block] not in reached]


def _has_cycle(blocks: list[Block]) -> bool:
    """Returns whether the result of an op depends on itself, other than through arguments of
    blocks."""
    inside = frozenset(blocks)
    waiting: dict[Operation, int] = {}
    for block in blocks:
        for op in fast.ops_of(block):
            waiting[op] = sum(
                type(value) is OpResult and value.op.parent in inside
                for value in fast.operands_of(op)
            )
    ready = [op for op, count in waiting.items() if not count]
    done = 0
    while ready:
        op = ready.pop()
        done += 1
        for result in op.results:
            # One use record for each operand.
            for user, _ in fast.uses_of(result):
                if user in waiting:
                    waiting[user] -= 1
                    if not waiting[user]:
                        ready.append(user)
    return done < len(waiting)
