"""Redirects some incoming edges of a block past its branch, by a copy of the block.

    ^a: llvm.br ^b(%true)          ^a: llvm.br ^copy
    ^b(%c: i1):                    ^copy: "op"() ; llvm.br ^s
      "op"()               ->      ^b(%c: i1):
      llvm.cond_br %c, ^s, ^t        "op"() ; llvm.cond_br %c, ^s, ^t

Values defined in the block have two definitions afterwards. Uses in other blocks are replaced by
the definition that reaches them, or by an argument of a block that both reach. Every execution runs
the same ops in the same order as before, so facts about a value in a block remain true.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.memory.accesses import is_simple_access, is_volatile_transfer
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.effects import ALLOCATES, CONVERGENT, effects, is_noduplicate
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import has_assembly_effects
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.debug_placement import followers
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms import cfg

BRANCHES_WITH_ARGUMENTS = frozenset({"llvm.br", "llvm.cond_br", "llvm.switch"})
"""The terminators that pass values to their successors."""

_UNIQUE = frozenset(
    {"llvm.blockaddress", "llvm.blocktag", "llvm.intr.experimental.noalias.scope.decl"}
)
"""Ops that must not be duplicated, because their identifiers must be unique in a function."""

_ATOMICS = frozenset({"llvm.atomicrmw", "llvm.cmpxchg"})
_ACCESSES = frozenset({"llvm.load", "llvm.store"})
_TRANSFERS = frozenset({"llvm.intr.memcpy", "llvm.intr.memmove", "llvm.intr.memset"})

_FREE = frozenset({"llvm.intr.dbg.value", "llvm.intr.dbg.declare", "llvm.intr.dbg.label"})


class IncomingEdge(NamedTuple):
    """An incoming edge of a block: the terminator and the index of the successor."""

    terminator: Operation
    successor_index: int

    @property
    def source(self) -> Block:
        """The source block of the edge."""
        block = self.terminator.parent
        assert block is not None
        return block

    @property
    def values(self) -> tuple[SSAValue, ...]:
        """The values for the block's arguments."""
        return branches.edges_of(self.terminator)[self.successor_index][1]


def edges_into(block: Block) -> list[IncomingEdge]:
    """All incoming edges of the block; edges of one terminator are adjacent."""
    places: dict[Operation, list[int]] = {}
    # The use list is ordered from the newest use to the oldest.
    for terminator, place in reversed(list(fast.edges_to(block))):
        places.setdefault(terminator, []).append(place)
    return [IncomingEdge(op, place) for op, found in places.items() for place in sorted(found)]


def may_be_duplicated(op: Operation) -> bool:
    """Returns True if an op may be duplicated so that some paths execute the copy.

    A convergent op may not be duplicated, because its threads would be split between two ops.
    """
    if type(op) in CONSTANT_CLASSES:
        return True
    if is_noduplicate(op):
        return False
    return op.name not in _UNIQUE and not effects(op) & (CONVERGENT | ALLOCATES)


def is_unique_access(op: Operation) -> bool:
    """Returns whether an op must not be duplicated although each path would execute it once:
    volatile and atomic accesses, and assembly with effects, which may contain labels.
    """
    if op.name in _ATOMICS:
        return True
    if op.name in _ACCESSES:
        return not is_simple_access(op)
    if op.name in _TRANSFERS:
        return is_volatile_transfer(op)
    return has_assembly_effects(op)


def duplicated_ops(block: Block) -> list[Operation]:
    """The ops of the block that count towards the cost of a copy: not its terminator, constants and
    debug records."""
    return [
        op
        for op in fast.ops_of(block)
        if op is not block.last_op and type(op) not in CONSTANT_CLASSES and op.name not in _FREE
    ]


@dataclass
class Budget:
    """Budget of blocks to visit while repairing uses; it keeps a run linear in the function."""

    left: int

    def charge(self, count: int) -> bool:
        """Charges the budget; returns whether enough was left."""
        if count > self.left:
            return False
        self.left -= count
        return True


class ThreadingPlan(NamedTuple):
    """A block to be copied, its values that other blocks use, and where each of them is live."""

    block: Block
    escaping: list[SSAValue]
    regions: list[dict[Block, None]]


class EdgeThreader:
    """Copies blocks of one function onto edges into them.

    Arguments:
        constants: creates constants of the function.
        budget: the limit on repairing uses.
    """

    def __init__(self, constants: Constants, budget: Budget) -> None:
        self.constants = constants
        self.budget = budget

    def plan(self, block: Block) -> ThreadingPlan | None:
        """The repairs that a copy of the block requires; None if they exceed the budget."""
        escaping = _escaping_values(block)
        regions: list[dict[Block, None]] = []
        for value in escaping:
            region = _live_region(value, block, self.budget)
            if region is None:
                return None
            regions.append(region)
        return ThreadingPlan(block, escaping, regions)

    def thread(
        self, plan: ThreadingPlan, edges: Collection[IncomingEdge], successor: int | None
    ) -> Block:
        """Redirects the edges through a copy of the block with a single successor.

        Arguments:
            plan: the plan of a block that ends in a branch or switch and contains only ops that may
                be duplicated.
            edges: incoming edges of the block, none from the block itself.
            successor: the index of the successor of the copy; None for a copy of the whole
                terminator.

        The block keeps its arguments, even if they now have a single incoming value. Returns the
        new target of the edges: the copy, or the successor if no op must be copied.
        """
        block = plan.block
        terminator = branches.terminator_of(block)
        edges_out = branches.edges_of(terminator)
        entered = [
            target for target, _ in (edges_out if successor is None else [edges_out[successor]])
        ]
        repairs = [
            (value, region)
            for value, region in zip(plan.escaping, plan.regions)
            if any(target in region for target in entered)
        ]
        escaping = [value for value, _ in repairs]
        passed = fast.operands_of(terminator) if successor is None else edges_out[successor][1]
        needed = _needed_ops(block, escaping, passed)
        if successor is not None and not needed and not escaping:
            self._redirect_past(block, edges, edges_out[successor])
            return edges_out[successor][0]
        copy, mapping = _copy_block(block, needed, successor)
        fast.insert_block_after(copy, next(iter(edges)).source)
        _redirect(edges, block, lambda sent: (copy, sent))
        for records in followers():
            records.copied(dict(zip(needed, fast.ops_of(copy))), mapping, {block: copy})
        joins: dict[Block, None] = {}
        for value, region in repairs:
            joins |= dict.fromkeys(self._rewrite_uses(value, mapping[value], block, copy, region))
        # Arguments are replaced after all repairs: a replacement by a value that is repaired later
        # would add uses outside of its region.
        for at in reversed(joins):
            cfg.simplify_arguments(at)
        self._update_debug_records(plan, set(escaping), copy)
        cfg.simplify_arguments(copy)
        return copy

    def _update_debug_records(
        self, plan: ThreadingPlan, repaired: set[SSAValue], copy: Block
    ) -> None:
        """Updates debug records of the block's values without other uses: they have no location in
        the copy."""
        block = plan.block
        for records in followers():
            for value in (*block.args, *(r for op in fast.ops_of(block) for r in op.results)):
                if value not in repaired:
                    records.redefined(value, (block, copy), lambda _: None)

    def _redirect_past(
        self, block: Block, edges: Iterable[IncomingEdge], edge: branches.Edge
    ) -> None:
        target, values = edge
        place: dict[SSAValue, int] = {argument: i for i, argument in enumerate(block.args)}

        def new_edge(sent: tuple[SSAValue, ...]) -> branches.Edge:
            return target, tuple(sent[place[v]] if v in place else v for v in values)

        _redirect(edges, block, new_edge)

    def _rewrite_uses(
        self,
        value: SSAValue,
        copied: SSAValue,
        block: Block,
        copy: Block,
        region: dict[Block, None],
    ) -> list[Block]:
        """Replaces the uses of a value, all in blocks of the region, by their reaching definitions.

        Returns the blocks that got an argument for the value.
        """
        label = _reaching_definitions(block, copy, region)
        found: dict[Block, SSAValue] = {block: value, copy: copied}
        joins = [at for at in region if label.get(at) is at]
        for at in joins:
            argument = found[at] = fast.add_argument(at, value.type)
            fast.set_name(argument, value.name_hint)
        for at in joins:
            for terminator in dict.fromkeys(
                branches.terminator_of(p) for p in reversed(fast.predecessors_of(at))
            ):
                source = terminator.parent
                assert source is not None
                reaching = source if source in (block, copy) else label.get(source)
                sent = self.constants.poison(value.type) if reaching is None else found[reaching]
                _append_value(terminator, at, sent)
        # Uses are collected only now, because appended operands for one successor shift the operands
        # of the next. Uses in the block and its copy have no label.
        for op, index in list(fast.uses_of(value)):
            assert op.parent is not None
            reaching = label.get(op.parent)
            if reaching is not None:
                fast.set_operand(op, index, found[reaching])
        for records in followers():
            records.redefined(value, (block, copy), lambda at: _value_at(at, label, found))
        return joins


def _value_at(
    at: Block, label: Mapping[Block, Block], found: Mapping[Block, SSAValue]
) -> SSAValue | None:
    reaching = label.get(at)
    return None if reaching is None else found[reaching]


def _append_value(terminator: Operation, target: Block, value: SSAValue) -> None:
    branches.set_edges(
        terminator,
        [(b, (*vs, value)) if b is target else (b, vs) for b, vs in branches.edges_of(terminator)],
    )


def _redirect(
    edges: Iterable[IncomingEdge],
    block: Block,
    new_edge: Callable[[tuple[SSAValue, ...]], branches.Edge],
) -> None:
    by_terminator: dict[Operation, set[int]] = {}
    for terminator, index in edges:
        by_terminator.setdefault(terminator, set()).add(index)
    for terminator, indices in by_terminator.items():
        changed = [
            new_edge(sent) if index in indices else (target, sent)
            for index, (target, sent) in enumerate(branches.edges_of(terminator))
        ]
        branches.set_edges(terminator, changed)


def _escaping_values(block: Block) -> list[SSAValue]:
    """The values of the block that other blocks use."""
    values: list[SSAValue] = list(block.args)
    for op in fast.ops_of(block):
        # Constants are in the entry block, which has no incoming edges.
        values.extend(op.results)
    return [v for v in values if any(user.parent is not block for user in fast.users_of(v))]


def _live_region(value: SSAValue, block: Block, budget: Budget) -> dict[Block, None] | None:
    """The blocks at whose start the value is live; None if there are too many."""
    region: dict[Block, None] = {}
    for user in fast.users_of(value):
        if user.parent is not None and user.parent is not block:
            region[user.parent] = None
    pending = list(region)
    while pending:
        at = pending.pop()
        sources = fast.predecessors_of(at)
        if not budget.charge(1 + len(sources)):
            return None
        for source in sources:
            if source is not block and source not in region:
                region[source] = None
                pending.append(source)
    return region


def _reaching_definitions(
    block: Block, copy: Block, region: dict[Block, None]
) -> dict[Block, Block]:
    """For each block of the region, the source of the value at its start.

    The source is the block of one of the two definitions, or a block of the region that joins
    several sources. Unreachable blocks are omitted.
    """
    label: dict[Block, Block] = {}
    order = _reverse_post_order(block, copy, region)
    changed = True
    while changed:
        changed = False
        for at in order:
            if label.get(at) is at:
                continue
            reaching: dict[Block, None] = {}
            for source in fast.predecessors_of(at):
                origin = source if source is block or source is copy else label.get(source)
                if origin is not None:
                    reaching[origin] = None
            new = next(iter(reaching)) if len(reaching) == 1 else at
            if label.get(at) is not new:
                label[at] = new
                changed = True
    return label


def _reverse_post_order(block: Block, copy: Block, inside: dict[Block, None]) -> list[Block]:
    """The blocks of the region in a reverse post-order from the two definitions."""
    order: list[Block] = []
    seen: set[Block] = {block, copy}
    stack = [(b, list(fast.successors_of(branches.terminator_of(b)))) for b in (copy, block)]
    while stack:
        at, todo = stack[-1]
        while todo:
            target = todo.pop()
            if target in inside and target not in seen:
                seen.add(target)
                stack.append((target, list(fast.successors_of(branches.terminator_of(target)))))
                break
        else:
            stack.pop()
            if at is not block and at is not copy:
                order.append(at)
    order.reverse()
    return order


def _needed_ops(
    block: Block, escaping: Sequence[SSAValue], passed: Sequence[SSAValue]
) -> list[Operation]:
    """The ops, in order, that a copy of the block needs; those used only by its old branch are
    omitted."""
    wanted = {*escaping, *passed}
    terminator = block.last_op
    needed: list[Operation] = []
    for op in fast.reversed_ops_of(block):
        if op is terminator:
            continue
        if not is_removable(op) or any(r in wanted for r in op.results):
            needed.append(op)
            wanted.update(fast.operands_of(op))
    needed.reverse()
    return needed


def _copy_block(
    block: Block, needed: Iterable[Operation], successor: int | None
) -> tuple[Block, dict[SSAValue, SSAValue]]:
    copy = fast.new_block([a.type for a in block.args])
    if block.name_hint is not None:
        # LLVM's name for the copy.
        fast.set_name(copy, f"{block.name_hint}.thread")
    mapping: dict[SSAValue, SSAValue] = {}
    for old, new in zip(block.args, copy.args):
        mapping[old] = new
        fast.set_name(new, old.name_hint)
    for op in needed:
        new_op = fast.copy_op(op, mapping)
        mapping.update(zip(op.results, new_op.results))
        fast.append(copy, new_op)
    terminator = branches.terminator_of(block)
    if successor is None:
        last: Operation = fast.copy_op(terminator, mapping)
    else:
        target, values = branches.edges_of(terminator)[successor]
        last = branches.branch(target, [mapping.get(v, v) for v in values])
        last.location = terminator.location
    fast.append(copy, last)
    return copy, mapping
