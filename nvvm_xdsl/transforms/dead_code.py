"""Removal of dead ops, dead block arguments and unreachable blocks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.transforms import cfg

ERASED = Statistic("dce", "erased", "Number of ops removed")


def eliminate_dead_code(func: FuncOp) -> bool:
    """Removes dead ops, dead block arguments and unreachable blocks of a function.

    An op is live if it writes memory, may not return or has another observable effect, or if a live
    op uses it. Returns whether anything changed.
    """
    region = func.regions[0]
    changed = cfg.remove_unreachable_blocks(region)
    blocks = list(fast.blocks_of(region))
    entry = blocks[0]
    alive: set[Operation] = set()
    alive_arguments: set[SSAValue] = set()
    pending: list[SSAValue] = []
    terminators: dict[Operation, list[branches.Edge]] = {}
    total = 0
    for block in blocks:
        last = block.last_op
        for op in fast.ops_of(block):
            total += 1
            if op is last and fast.successors_of(op):
                # A value on an edge is live if its argument is.
                edges = terminators[op] = branches.edges_of(op)
                alive.add(op)
                carried = sum(len(values) for _, values in edges)
                operands = fast.operands_of(op)
                pending.extend(operands[: len(operands) - carried])
            elif not is_removable(op):
                alive.add(op)
                pending.extend(fast.operands_of(op))
    incoming: dict[Block, list[tuple[SSAValue, ...]]] = {}
    for edges in terminators.values():
        for target, values in edges:
            if values:
                incoming.setdefault(target, []).append(values)
    while pending:
        value = pending.pop()
        if type(value) is BlockArgument:
            if value not in alive_arguments:
                alive_arguments.add(value)
                for values in incoming.get(value.block, ()):
                    pending.append(values[value.index])
        elif type(value) is OpResult:
            op = value.op
            if op not in alive:
                alive.add(op)
                pending.extend(fast.operands_of(op))
    doomed: dict[Block, list[int]] = {}
    for block in blocks:
        if block is not entry and block.args:
            dead = [a.index for a in block.args if a not in alive_arguments]
            if dead:
                doomed[block] = dead
    for op, edges in terminators.items():
        if any(target in doomed for target, _ in edges):
            branches.set_edges(op, [_without(edge, doomed) for edge in edges])
    if len(alive) != total:
        dead_ops = [op for b in blocks for op in fast.ops_of(b) if op not in alive]
        ERASED.add(len(dead_ops))
        _erase(dead_ops)
        changed = True
    for block, dead in doomed.items():
        for index in reversed(dead):
            fast.erase_argument(block, index)
    return changed or bool(doomed)


def _erase(ops: Sequence[Operation]) -> None:
    """Erases ops that are only used by erased ops, users first.

    Debug records are rewritten to the operands. The ops form no cycle: a cycle contains a block
    argument, and branches no longer pass values to dead arguments.
    """
    pending = [op for op in ops if _is_unused(op)]
    doomed = set(ops)
    while pending:
        op = pending.pop()
        producers = dict.fromkeys(value.owner for value in fast.operands_of(op))
        fast.erase(op)
        for producer in producers:
            if isinstance(producer, Operation) and producer in doomed and _is_unused(producer):
                pending.append(producer)


def _is_unused(op: Operation) -> bool:
    return all(result.first_use is None for result in op.results)


def _without(edge: branches.Edge, doomed: dict[Block, list[int]]) -> branches.Edge:
    target, values = edge
    dead = doomed.get(target)
    if dead is None:
        return edge
    return target, tuple(v for i, v in enumerate(values) if i not in dead)
