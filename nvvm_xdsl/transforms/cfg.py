"""Changes of the control-flow graph that several passes share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.llvm import UnreachableOp
from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import branch_weights_of, integers_of, loop_annotation_of
from nvvm_xdsl.dialects.llvm.debug_placement import followers
from nvvm_xdsl.dialects.llvm.ops import PoisonOp
from nvvm_xdsl.dialects.llvm.setters import set_branch_weights, set_loop_annotation
from nvvm_xdsl.ir import fast

_SPLITTABLE = frozenset({"llvm.br", "llvm.cond_br", "llvm.switch"})


def may_split_edges(terminator: Operation) -> bool:
    """True if the terminator's edges can be redirected: its targets are not addresses."""
    return terminator.name in _SPLITTABLE


def split_edge(terminator: Operation, index: int) -> Block:
    """Inserts an empty block on one edge, which passes on the edge's values; returns it.

    The new block is the last one of the region, so that consecutive blocks stay consecutive.

    Arguments:
        terminator: a terminator for which `may_split_edges` holds.
        index: the index of the successor.
    """
    edges = branches.edges_of(terminator)
    target, values = edges[index]
    region = target.parent
    assert region is not None
    between = fast.new_block()
    fast.append_block(region, between)
    fast.append(between, branches.branch(target, values))
    edges[index] = (between, ())
    branches.set_edges(terminator, edges)
    return between


def drop_block(block: Block) -> None:
    """Removes an unreachable block, as `drop_blocks` does."""
    drop_blocks([block])


def drop_blocks(doomed: Iterable[Block]) -> None:
    """Removes unreachable blocks of a region and their ops.

    The caller must have redirected the branches of all other blocks. Uses of removed values in other
    unreachable blocks get poison. Raises ValueError for a use in a reachable block.
    """
    blocks = list(doomed)
    for block in blocks:
        terminator = block.last_op
        if terminator is not None and fast.successors_of(terminator):
            fast.erase(terminator)
    removed = frozenset(blocks)
    for block in reversed(blocks):
        op = block.last_op
        while op is not None:
            before = op.prev_op
            for result in op.results:
                _detach_uses(result, block, removed)
            fast.erase(op)
            op = before
        for argument in block.args:
            _detach_uses(argument, block, removed)
        fast.detach_block(block)


def _detach_uses(value: SSAValue, block: Block, removed: frozenset[Block]) -> None:
    if value.first_use is None:
        return
    region = block.parent
    assert region is not None
    entry = region.first_block
    assert entry is not None
    for user in fast.users_of(value):
        place = fast.block_of(user)
        if place not in removed and _is_reachable(place, entry):
            raise ValueError(f"{user.name} uses a value of a removed block")
    poison = fast.create(PoisonOp, (), (value.type,))
    fast.prepend(entry, poison)
    fast.replace_all_uses(value, poison.results[0])


def _is_reachable(block: Block, entry: Block) -> bool:
    """Whether a block is reachable from the entry; visits the blocks that reach it."""
    seen = {block}
    pending = [block]
    while pending:
        current = pending.pop()
        if current is entry:
            return True
        for before in fast.predecessors_of(current):
            if before not in seen:
                seen.add(before)
                pending.append(before)
    return False


def reachable_blocks(region: Region) -> set[Block]:
    """The blocks that are reachable from the entry."""
    entry = region.first_block
    if entry is None:
        return set()
    seen = {entry}
    pending = [entry]
    while pending:
        for block in fast.successors_of(branches.terminator_of(pending.pop())):
            if block not in seen:
                seen.add(block)
                pending.append(block)
    return seen


def remove_unreachable_blocks(region: Region) -> bool:
    """Removes unreachable blocks; returns whether any was removed."""
    seen = reachable_blocks(region)
    doomed = [block for block in fast.blocks_of(region) if block not in seen]
    drop_blocks(doomed)
    return bool(doomed)


def replace_arguments(block: Block, values: Iterable[SSAValue]) -> None:
    """Replaces all arguments of a block by values and removes them; the caller updates its
    edges."""
    for argument, value in zip(block.args, list(values), strict=True):
        fast.replace_all_uses(argument, value)
    for index in range(len(block.args) - 1, -1, -1):
        fast.erase_argument(block, index)


def merge_into_predecessor(block: Block) -> Block | None:
    """Merges a block into its only predecessor, of which it must be the only successor.

    Returns the predecessor; None if there is no such block, or if it is the block itself.
    """
    use = fast.single_use(block)
    if use is None:
        return None
    terminator = use.operation
    before = terminator.parent
    if before is None or before is block or len(fast.successors_of(terminator)) != 1:
        return None
    if terminator.name != "llvm.br":
        return None
    values = fast.operands_of(terminator)
    # In unreachable code a block may receive its own values.
    if any(v in block.args for v in values):
        return None
    replace_arguments(block, values)
    fast.erase(terminator)
    for records in followers():
        records.merged(block, before)
    fast.splice_ops(block, before)
    fast.detach_block(block)
    return before


def replace_terminator(old: Operation, new: Operation) -> None:
    """Replaces a terminator without results."""
    new.location = old.location
    fast.insert_before(new, old)
    fast.erase(old)


def swap_weights(terminator: Operation) -> None:
    """Swaps the branch weights of a conditional branch whose edges were swapped."""
    weights = branch_weights_of(terminator)
    if weights is not None:
        a, b = integers_of(weights)
        set_branch_weights(terminator, (b, a))


def sum_weights(new: Operation, old: Operation) -> None:
    """Sets the branch weights of the conditional branch that replaces a switch, summed by
    target."""
    weights = branch_weights_of(old)
    targets = fast.successors_of(new)
    if weights is None or len(set(targets)) != len(targets):
        return
    counts = dict.fromkeys(targets, 0)
    for target, weight in zip(fast.successors_of(old), integers_of(weights)):
        counts[target] += weight
    set_weights(new, list(counts.values()))


def join_weights(
    new: Operation, outer: Operation, way_in: int, inner: Operation, way_out: int
) -> None:
    """Sets the branch weights of a branch that replaces two consecutive ones to the product of
    their weights.

    Arguments:
        new: the new branch; its second successor is the common target.
        way_in: the successor of `outer` that contains `inner`.
        way_out: the successor of `inner` that is also the other successor of `outer`.
    """
    stated = [branch_weights_of(op) for op in (outer, inner)]
    if stated == [None, None]:
        return
    # A branch without weights takes each edge equally often, as in LLVM.
    first, second = ((1, 1) if w is None else integers_of(w) for w in stated)
    onward = first[way_in] * second[1 - way_out]
    common = first[1 - way_in] * sum(second) + first[way_in] * second[way_out]
    set_weights(new, [onward, common])


def set_weights(terminator: Operation, weights: Sequence[int]) -> None:
    """Sets branch weights, scaled to 31 bits. Weights that are all zero are omitted."""
    shift = max(max(weights).bit_length() - 31, 0)
    if any(weights):
        set_branch_weights(terminator, [w >> shift for w in weights])


def simplify_arguments(block: Block, only: SSAValue | None = None) -> bool:
    """Replaces arguments that get the same value along every edge, and removes unused ones.

    The value must be defined outside the block or be a constant; on edges from the block to itself
    it may be the argument. With `only`, other arguments are not changed. Returns whether anything
    changed.
    """
    arguments = block.args
    if not arguments or block.first_use is None:
        return False
    incoming: list[SSAValue | None] = [None] * len(arguments)
    """For each argument its only incoming value, or the argument itself if it has several."""
    undecided = sum(argument.first_use is not None for argument in arguments)
    for terminator in _once(op for op, _ in fast.edges_to(block)):
        # For most blocks with many predecessors the second edge decides.
        if not undecided:
            break
        for values in branches.values_to(terminator, block):
            for index, value in enumerate(values):
                found, argument = incoming[index], arguments[index]
                if value is not found and value is not argument and found is not argument:
                    incoming[index] = value if found is None else argument
                    undecided -= found is not None and argument.first_use is not None
    doomed: list[int] = []
    for index, (argument, value) in enumerate(zip(arguments, incoming)):
        if only is not None and argument is not only:
            continue
        if argument.first_use is None:
            doomed.append(index)
        elif value is not None and value is not argument:
            # A value defined in the block itself is the value of the previous iteration.
            if _block_of(value) is block:
                continue
            fast.replace_all_uses(argument, value)
            doomed.append(index)
    branches.erase_arguments(block, doomed)
    return bool(doomed)


def _once(ops: Iterable[Operation]) -> Iterator[Operation]:
    """Yields each op once."""
    seen: set[Operation] = set()
    for op in ops:
        if op not in seen:
            seen.add(op)
            yield op


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


def copy_loop_annotation(old: Operation, new: Operation) -> None:
    """Copies the loop metadata of a branch to its replacement."""
    annotation = loop_annotation_of(old)
    if annotation is not None and new.name in ("llvm.br", "llvm.cond_br"):
        set_loop_annotation(new, annotation)


def is_dead_end(block: Block) -> bool:
    """Returns True if the block only contains `unreachable`."""
    return type(block.first_op) is UnreachableOp
