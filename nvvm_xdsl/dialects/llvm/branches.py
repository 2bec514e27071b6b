"""Edges of the control-flow graph: successors of a terminator with the operands passed to them.

A PHI is a block argument, so code that adds or removes an argument, or redirects an edge, must
update the operands of all affected branches. `llvm.br`, `llvm.cond_br` and `llvm.switch` keep those
operands in one flat list with segment sizes, which the functions here hide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from xdsl.dialects.llvm import BrOp, CondBrOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import case_segments, integer_width, integers_of
from nvvm_xdsl.dialects.llvm.integers import unsigned
from nvvm_xdsl.dialects.llvm.types import dense_i32
from nvvm_xdsl.ir import fast

Edge: TypeAlias = tuple[Block, tuple[SSAValue, ...]]
"""A successor and the values for its arguments."""

SEGMENTS = "operandSegmentSizes"


def _br_edges(op: Operation) -> list[Edge]:
    return [(fast.successors_of(op)[0], tuple(fast.operands_of(op)))]


def _cond_br_edges(op: Operation) -> list[Edge]:
    operands = tuple(fast.operands_of(op))
    then_block, else_block = fast.successors_of(op)
    middle = 1 + integers_of(op.properties[SEGMENTS])[1]
    return [(then_block, operands[1:middle]), (else_block, operands[middle:])]


def _switch_edges(op: Operation) -> list[Edge]:
    operands = tuple(fast.operands_of(op))
    start = 1 + integers_of(op.properties[SEGMENTS])[1]
    successors = fast.successors_of(op)
    found: list[Edge] = [(successors[0], operands[1:start])]
    for block, count in zip(successors[1:], case_segments(op)):
        found.append((block, operands[start : start + count]))
        start += count
    return found


def _other_edges(op: Operation) -> list[Edge]:
    if op.name == "llvm.switch":
        return _switch_edges(op)
    return [(block, ()) for block in fast.successors_of(op)]


def case_values(switch: Operation, *, signed: bool) -> list[int]:
    """The case values of an `llvm.switch`, in order.

    Arguments:
        signed: whether the values are read as signed numbers, comparable to `constant_integer`, or
            as unsigned ones, comparable to bits masked to the width of the condition.
    """
    numbers = integers_of(switch.properties.get("case_values"))
    if signed:
        return list(numbers)
    width = integer_width(fast.operands_of(switch)[0].type)
    return [unsigned(number, width) for number in numbers]


_READERS: dict[type[Operation], Callable[[Operation], list[Edge]]] = {
    BrOp: _br_edges,
    CondBrOp: _cond_br_edges,
}


def edges_of(terminator: Operation) -> list[Edge]:
    """The terminator's edges in successor order; those of unknown ops have no values."""
    return _READERS.get(type(terminator), _other_edges)(terminator)


_FEW = 8
"""Terminators whose edges are all computed together."""


@lru_cache(1 << 6)
def segment_bounds(sizes: Attribute) -> tuple[int, ...]:
    """The start of each segment of operands, and the end of the last one."""
    return (0, *accumulate(integers_of(sizes)))


def values_to(terminator: Operation, block: Block) -> list[tuple[SSAValue, ...]]:
    """The values of each edge from a terminator to a block, in order."""
    if len(fast.successors_of(terminator)) <= _FEW or terminator.name != "llvm.switch":
        return [values for target, values in edges_of(terminator) if target is block]
    operands = fast.operands_of(terminator)
    first = 1 + integers_of(terminator.properties[SEGMENTS])[1]
    places = segment_bounds(terminator.properties["case_operand_segments"])
    numbers = [place for op, place in fast.edges_to(block) if op is terminator]
    return [
        tuple(operands[first + places[n - 1] : first + places[n]] if n else operands[1:first])
        for n in sorted(numbers)
    ]


def set_edges(terminator: Operation, edges: Sequence[Edge]) -> None:
    """Sets the terminator's edges.

    The number of edges must be unchanged. Raises ValueError if values are passed to a terminator
    that cannot carry any.
    """
    values: list[SSAValue] = []
    for _, operands in edges:
        values.extend(operands)
    name = terminator.name
    if name == "llvm.br":
        fast.set_operands(terminator, values)
    elif name == "llvm.cond_br":
        fast.set_operands(terminator, [fast.operands_of(terminator)[0], *values])
        terminator.properties[SEGMENTS] = dense_i32((1, len(edges[0][1]), len(edges[1][1])))
    elif name == "llvm.switch":
        fast.set_operands(terminator, [fast.operands_of(terminator)[0], *values])
        first = len(edges[0][1])
        terminator.properties[SEGMENTS] = dense_i32((1, first, len(values) - first))
        terminator.properties["case_operand_segments"] = dense_i32(
            [len(operands) for _, operands in edges[1:]]
        )
    elif values:
        raise ValueError(f"{name} carries no values to its successors")
    successors = [block for block, _ in edges]
    if tuple(successors) != tuple(fast.successors_of(terminator)):
        fast.set_successors(terminator, successors)


def branch(block: Block, values: Sequence[SSAValue] = ()) -> BrOp:
    """A new, detached `llvm.br` to `block`."""
    return fast.create(BrOp, values, (), None, (block,))


def conditional_branch(
    condition: SSAValue,
    then_block: Block,
    then_values: Sequence[SSAValue],
    else_block: Block,
    else_values: Sequence[SSAValue],
) -> CondBrOp:
    """A new, detached `llvm.cond_br`."""
    return fast.create(
        CondBrOp,
        [condition, *then_values, *else_values],
        (),
        {SEGMENTS: dense_i32((1, len(then_values), len(else_values)))},
        (then_block, else_block),
    )


def erase_arguments(block: Block, indices: Sequence[int]) -> None:
    """Removes unused arguments of a block together with the values passed to them."""
    doomed = frozenset(indices)
    if not doomed:
        return
    for terminator in dict.fromkeys(op for op, _ in fast.edges_to(block)):
        set_edges(
            terminator,
            [
                (b, tuple(v for i, v in enumerate(vs) if i not in doomed))
                if b is block
                else (b, vs)
                for b, vs in edges_of(terminator)
            ],
        )
    for index in sorted(doomed, reverse=True):
        fast.erase_argument(block, index)


def terminator_of(block: Block) -> Operation:
    """The block's terminator."""
    last = block.last_op
    assert last is not None, "the block has no terminator"
    return last


def argument_behind(terminator: Operation, index: int) -> BlockArgument | None:
    """The block argument for operand `index` of a branch, or None."""
    edges = edges_of(terminator)
    at = len(fast.operands_of(terminator)) - sum(len(values) for _, values in edges)
    for target, values in edges:
        if at <= index < at + len(values):
            return target.args[index - at]
        at += len(values)
    return None


def incoming_values(argument: BlockArgument) -> list[SSAValue]:
    """The values that edges pass to the argument; empty for a function's argument."""
    block = argument.block
    found: list[SSAValue] = []
    for predecessor in dict.fromkeys(fast.predecessors_of(block)):
        for values in values_to(terminator_of(predecessor), block):
            found.append(values[argument.index])
    return found
