"""Block arguments: edge splitting, removal of trivial arguments, separation of live ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.nvptx.control_flow import Edge, TerminatorOp, branch, incoming_edges
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, InstructionOp
from nvvm_xdsl.ir import fast


def split_edge(terminator: TerminatorOp, number: int) -> TerminatorOp:
    """Inserts a new block on an edge, after the edge's source block; returns its branch."""
    (made,) = split_edges(terminator, ((number,),))
    return made


def split_edges(terminator: TerminatorOp, groups: Iterable[Sequence[int]]) -> list[TerminatorOp]:
    """Inserts a new block on the edges of each group; returns the branches of the new blocks.

    All edges of a group must lead to the same block with the same values. The terminator's edges
    are set once, because that is slow for a large switch.
    """
    source = fast.block_of(terminator)
    edges = terminator.edges
    found: list[TerminatorOp] = []
    for numbers in groups:
        made = branch(*edges[numbers[0]])
        middle = fast.new_block()
        fast.append(middle, made)
        fast.insert_block_after(middle, source)
        for number in numbers:
            edges[number] = (middle, ())
        found.append(made)
    if found:
        terminator.set_edges(edges)
    return found


def pass_values(
    terminator: TerminatorOp, values_for: Callable[[Block], Sequence[SSAValue]]
) -> None:
    """Appends values to those that a branch passes to the arguments of its successors."""
    edges = terminator.edges
    new = [(target, (*given, *values_for(target))) for target, given in edges]
    if new != edges:
        terminator.set_edges(new)


def separate_double_edges(func: FuncOp) -> None:
    """Splits edges between the same two blocks that pass different values.

    Edges with the same values share a new block. A switch, for example, has many equal edges for
    values without a case.
    """
    for block in list(fast.blocks_of(func.body)):
        last = block.last_op
        if not isinstance(last, TerminatorOp):
            continue
        first: dict[Block, tuple[SSAValue, ...]] = {}
        doubled: dict[Edge, list[int]] = {}
        for number, edge in enumerate(last.edges):
            target, values = edge
            if first.setdefault(target, values) != values:
                doubled.setdefault(edge, []).append(number)
        split_edges(last, doubled.values())


def remove_trivial_arguments(func: FuncOp) -> bool:
    """Removes block arguments that are unused or always the same value.

    An argument with a single incoming value, apart from itself, is replaced by that value: the
    definition dominates the block, because the value reaches the block on every path.
    """
    work = [block for block in fast.blocks_of(func.body) if block.args]
    changed = False
    while work:
        block = work.pop()
        incoming = incoming_edges(block)
        if not incoming:
            continue
        values_in = [terminator.values_on(number) for terminator, number in incoming]
        doomed: list[int] = []
        for index, argument in enumerate(block.args):
            given = {values[index] for values in values_in} - {argument}
            if len(given) == 1:
                (value,) = given
                # An argument that receives this one may now have a single incoming value.
                work.extend(_blocks_given(argument))
                fast.replace_all_uses(argument, value)
                values_in = [terminator.values_on(number) for terminator, number in incoming]
                doomed.append(index)
            elif _is_dead(argument):
                doomed.append(index)
        if doomed:
            changed = True
            remove_arguments(block, incoming, doomed)
    return changed


def remove_arguments(
    block: Block, incoming: Sequence[tuple[TerminatorOp, int]], doomed: Sequence[int]
) -> None:
    """Removes unused arguments of a block; `doomed` has their indices in ascending order."""
    for terminator in dict.fromkeys(terminator for terminator, _ in incoming):
        edges = terminator.edges
        for number in terminator.edges_to(block):
            values = edges[number][1]
            edges[number] = block, tuple(v for i, v in enumerate(values) if i not in doomed)
        terminator.set_edges(edges)
    for index in reversed(doomed):
        fast.erase_argument(block, index)


def _blocks_given(value: SSAValue) -> list[Block]:
    """The blocks that receive a value as an argument."""
    found: list[Block] = []
    for user in fast.users_of(value):
        if isinstance(user, TerminatorOp):
            found.extend(block for block, values in user.edges if value in values)
    return found


def _is_dead(argument: BlockArgument) -> bool:
    """Returns True if the only use of an argument is passing it to itself."""
    block = argument.block
    for user in fast.users_of(argument):
        if not isinstance(user, TerminatorOp):
            return False
        if argument in fast.operands_of(user)[: user.own_operands]:
            return False
        for target, values in user.edges:
            for index, value in enumerate(values):
                if value is argument and (target is not block or index != argument.index):
                    return False
    return True


def sink_past_last_uses(func: FuncOp, loops: LoopInfo) -> bool:
    """Moves loop increments after the last use of the incremented value.

        ^loop(%i):                              ^loop(%i):
          %next = nvptx.add s32 %i, 1             nvptx.st global.b32 [%p], %i
          nvptx.st global.b32 [%p], %i      ->    %next = nvptx.add s32 %i, 1
          nvptx.cbra %c, ^loop(%next), ^done      nvptx.cbra %c, ^loop(%next), ^done

    Then the live range of `%i` ends where that of `%next` begins, and they can share a register.
    Only pure instructions without other register operands are moved: within the latch, or into the
    latch from a block of the same or a deeper loop, and only if their result has no use before the
    new position.
    """
    changed = False
    for block in fast.blocks_of(func.body):
        last = block.last_op
        if not isinstance(last, TerminatorOp):
            continue
        places: dict[Operation, int] = {}
        for target, values in last.edges:
            for argument, value in zip(target.args, values):
                op = _increment_of(value, argument)
                if op is None or loops.depth(fast.block_of(op)) < loops.depth(block):
                    continue
                if not places:
                    places = {op: place for place, op in enumerate(fast.ops_of(block))}
                changed |= _sink(op, argument, block, places)
    return changed


def _increment_of(value: SSAValue, argument: BlockArgument) -> InstructionOp | None:
    """The instruction that computes a value from only the argument and constants."""
    if not isinstance(value, OpResult):
        return None
    op = value.op
    if (
        isinstance(op, InstructionOp)
        and len(op.results) == 1
        and op.flags_here() & PURE
        and GUARD not in op.properties
        and set(fast.operands_of(op)) == {argument}
    ):
        return op
    return None


def _sink(
    op: InstructionOp, argument: BlockArgument, block: Block, places: dict[Operation, int]
) -> bool:
    """Moves an op after the argument's last use in the block, if that is legal and changes the
    order.
    """
    readers = [user for user in fast.users_of(argument) if user.parent is block]
    after = max(readers, key=places.__getitem__, default=None)
    if after is op or after is block.last_op:
        return False
    place = -1 if after is None else places[after]
    for user in fast.users_of(op.results[0]):
        if user.parent is not block:
            return False
        if user is not block.last_op and places[user] <= place:
            return False
    fast.detach(op)
    following = block.first_op if after is None else after.next_op
    assert following is not None
    fast.insert_before(op, following)
    places[op] = place
    return True
