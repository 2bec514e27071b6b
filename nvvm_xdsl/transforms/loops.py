"""Changes of loops that several passes share.

In LCSSA form, values leave a loop only through arguments of its exit blocks. If the blocks of the
loop are copied, uses outside the loop need no change, because the branches of the copy pass the
values of the copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.debug_placement import followers
from nvvm_xdsl.dialects.llvm.setters import remove_loop_annotation, set_loop_annotation
from nvvm_xdsl.dialects.llvm.struct_attributes import AliasScopeAttr, LoopAnnotationAttr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.alias_scopes import DECLARED, ScopeCopies, ScopeNames
from nvvm_xdsl.transforms.cfg import may_split_edges, remove_unreachable_blocks, simplify_arguments


def split_edges(target: Block, sources: Iterable[Block]) -> Block:
    """Inserts a block between `target` and its predecessors `sources`, which passes on all values.

    A constant that all sources pass is passed by the new block directly.
    """
    sources = list(sources)
    handed: list[SSAValue | None] = []
    for incoming in zip(*_incoming_values(target, sources)):
        value = incoming[0]
        is_constant = type(value.owner) in CONSTANT_CLASSES
        handed.append(value if is_constant and incoming.count(value) == len(incoming) else None)
    types = [a.type for a, value in zip(target.args, handed) if value is None]
    between = fast.new_block(types)
    fast.insert_block_after(between, sources[-1])
    for source in sources:
        terminator = branches.terminator_of(source)
        branches.set_edges(
            terminator,
            [
                (between, tuple(v for v, known in zip(values, handed) if known is None))
                if block is target
                else (block, values)
                for block, values in branches.edges_of(terminator)
            ],
        )
    rest = iter(between.args)
    values = [next(rest) if value is None else value for value in handed]
    fast.append(between, branches.branch(target, values))
    return between


def _incoming_values(target: Block, sources: Iterable[Block]) -> list[tuple[SSAValue, ...]]:
    """The values that each edge from the sources passes to a block."""
    return [
        values
        for source in sources
        for block, values in branches.edges_of(branches.terminator_of(source))
        if block is target
    ]


def redirect(source: Block, old: Block, new: Block) -> None:
    """Redirects the edges of a block to another target, with the same values."""
    terminator = branches.terminator_of(source)
    edges = branches.edges_of(terminator)
    branches.set_edges(terminator, [(new if b is old else b, values) for b, values in edges])


def annotated(annotation: Attribute | None, **fields: Attribute | None) -> LoopAnnotationAttr:
    """A loop's annotation with some fields replaced; None removes a field."""
    stated: dict[str, Attribute | None] = {}
    if isinstance(annotation, LoopAnnotationAttr):
        stated = {part.name: annotation.field(part.name) for part in LoopAnnotationAttr.FIELDS}
    stated.update(fields)
    return LoopAnnotationAttr.of(**{k: v for k, v in stated.items() if v is not None})


def simplify_and_form_lcssa(func: FuncOp, am: AnalysisManager) -> bool:
    """Simplifies the loops and brings them into LCSSA form; returns whether that changed any."""
    changed = simplify_loops(am.get(LoopFacts, func))
    if changed:
        am.drop(LoopFacts, func)
    changed |= form_lcssa_of_all(am.get(LoopFacts, func))
    if changed:
        am.invalidate(func)
    return changed


def simplify_loops(facts: LoopFacts) -> bool:
    """Simplifies the loops of a function; returns whether that changed any.

    Unreachable blocks are removed first: their edges into a loop are neither entries nor backedges.
    """
    graph = facts.loops.cfg
    changed = len(graph.rpo) < len(graph.blocks) and remove_unreachable_blocks(graph.region)
    for loop in facts.loops.innermost_first():
        if changed or not facts.is_simplified(loop):
            changed |= simplify_loop(loop, facts.loops)
    return changed


def form_lcssa_of_all(facts: LoopFacts) -> bool:
    """Brings the loops of a function into LCSSA form; returns whether that changed any."""
    changed = False
    for loop in facts.loops.innermost_first():
        if changed or not facts.is_lcssa(loop):
            changed |= form_lcssa(loop)
    return changed


def simplify_loop(loop: Loop, loops: LoopInfo) -> bool:
    """Gives a loop a preheader, a single latch and dedicated exits; returns whether anything
    changed."""
    changed = False
    entering = loop.entering_blocks()
    if loop.preheader() is None and _can_split(entering):
        block = split_edges(loop.header, entering)
        fast.set_name(block, _name(loop, "preheader"))
        loops.add_block(block, loop.parent)
        changed = True
    latches = loop.latches()
    if len(latches) > 1 and _can_split(latches):
        loops.add_block(_join(loop, latches), loop)
        changed = True
    for exit_ in loop.exit_blocks():
        before = dict.fromkeys(fast.predecessors_of(exit_))
        inside = [b for b in before if loop.contains(b)]
        if len(inside) < len(before) and _can_split(inside):
            block = split_edges(exit_, inside)
            fast.set_name(block, _name(loop, "loopexit"))
            loops.add_block(block, loops.common_loop(loop.header, exit_))
            changed = True
    return changed


def _join(loop: Loop, latches: list[Block]) -> Block:
    """Inserts a common latch for several latches."""
    annotation = None
    for latch in latches:
        properties = branches.terminator_of(latch).properties
        annotation = properties.pop("loop_annotation", None) or annotation
    block = split_edges(loop.header, latches)
    fast.set_name(block, _name(loop, "backedge"))
    if annotation is not None:
        set_loop_annotation(branches.terminator_of(block), annotation)
    return block


def _can_split(sources: Iterable[Block]) -> bool:
    return all(may_split_edges(branches.terminator_of(b)) for b in sources)


def _name(loop: Loop, word: str) -> str | None:
    name = loop.header.name_hint
    return None if name is None else f"{name}_{word}"


def form_lcssa(loop: Loop) -> bool:
    """Brings the loop into LCSSA form: outside uses of its values become arguments of exit blocks.

    Returns whether anything changed. Uses that are unreachable without the exit blocks need no
    change: by dominance, a path to a use outside passes through an exit.
    """
    values = loop.values_used_outside()
    leaving = _Leaving()
    for value in values:
        _leave_by_arguments(loop, value, leaving)
    leaving.hand_over()
    return bool(values)


class _Leaving:
    """Values that branches pass to blocks outside a loop; each branch is updated once.

    Branches are updated in the order of their latest values, which determines the order of uses.
    """

    def __init__(self) -> None:
        self._values: dict[Operation, list[tuple[Block, SSAValue]]] = {}

    def add(self, terminator: Operation, block: Block, value: SSAValue) -> None:
        """Records that the edges from a terminator to a block pass one more value."""
        values = self._values.pop(terminator, [])
        values.append((block, value))
        self._values[terminator] = values

    def hand_over(self) -> None:
        """Updates the terminators as recorded."""
        for terminator, values in self._values.items():
            branches.set_edges(
                terminator,
                [
                    (target, (*sent, *(value for block, value in values if block is target)))
                    for target, sent in branches.edges_of(terminator)
                ],
            )
        self._values.clear()


def _leave_by_arguments(loop: Loop, value: SSAValue, leaving: _Leaving) -> None:
    at_start: dict[Block, SSAValue] = {}
    pending: list[Block] = []
    made: list[Block] = []

    def start_of(block: Block) -> SSAValue:
        """The block argument that is the value at the start of a block outside the loop; created if
        necessary.
        """
        path: list[Block] = []
        while block not in at_start:
            before = list(dict.fromkeys(fast.predecessors_of(block)))
            if len(before) == 1 and not loop.contains(before[0]):
                path.append(block)
                (block,) = before
                continue
            at_start[block] = fast.add_argument(block, value.type)
            fast.set_name(at_start[block], value.name_hint)
            pending.append(block)
            made.append(block)
        found = at_start[block]
        for behind in path:
            at_start[behind] = found
        return found

    for user, index in list(fast.uses_of(value)):
        block = user.parent
        assert block is not None
        if not loop.contains(block):
            fast.set_operand(user, index, start_of(block))
    while pending:
        block = pending.pop()
        for before in dict.fromkeys(fast.predecessors_of(block)):
            is_inside = loop.contains(before)
            if not is_inside:
                leaving.hand_over()
            incoming = value if is_inside else start_of(before)
            leaving.add(branches.terminator_of(before), block, incoming)
            if not is_inside:
                # Later iterations of the surrounding loop depend on these uses.
                leaving.hand_over()
    found = {
        block: at_start[block]
        for block in made
        if not any(loop.contains(b) for b in fast.predecessors_of(block))
    }
    if found:
        leaving.hand_over()
        _simplify_new_arguments(found)


def _simplify_new_arguments(made: dict[Block, SSAValue]) -> None:
    """Replaces the arguments in `made` that have a single incoming value; each block has one such
    argument.

    Other arguments of the blocks are kept, because values may leave other loops through them.
    Removing an argument may make other arguments removable that receive it.
    """
    pending = list(made)
    while pending:
        block = pending.pop()
        argument = made.get(block)
        if argument is None:
            continue
        behind = {
            target: None
            for user in fast.users_of(argument)
            for target in fast.successors_of(user)
            if target in made
        }
        if simplify_arguments(block, argument):
            del made[block]
            pending.extend(behind)


class LoopCopier:
    """Copies the blocks of a loop, which must be in LCSSA form.

    Arguments:
        func: the function that contains the loop.
        loop: the loop; the exit edges of each copy lead to the loop's exit blocks.
        names: the scope names of the function, if several loops are copied one after the other.
    """

    def __init__(self, func: FuncOp, loop: Loop, names: ScopeNames | None = None) -> None:
        self.loop = loop
        self._names = ScopeNames(func) if names is None else names
        self._declared = [
            scope
            for block in loop.blocks
            for op in fast.ops_of(block)
            if isinstance(scope := op.properties.get(DECLARED), AliasScopeAttr)
        ]

    def copy(self, after: Block) -> tuple[dict[Block, Block], dict[SSAValue, SSAValue]]:
        """Inserts copies of the blocks after `after`; the copies branch among themselves.

        Returns the copy of each block and value.
        """
        blocks: dict[Block, Block] = {}
        mapping: dict[SSAValue, SSAValue] = {}
        for source in self.loop.blocks:
            target = blocks[source] = fast.new_block([a.type for a in source.args])
            fast.insert_block_after(target, after)
            after = target
            fast.set_name(target, source.name_hint)
            for old, new in zip(source.args, target.args):
                mapping[old] = new
                fast.set_name(new, old.name_hint)
        scopes = ScopeCopies(self._names, self._declared) if self._declared else None
        copies: dict[Operation, Operation] = {}
        for source in self.loop.blocks:
            for op in fast.ops_of(source):
                copy = fast.copy_op(op, mapping, blocks)
                if scopes is not None:
                    scopes.rename(copy)
                mapping.update(zip(op.results, copy.results))
                fast.append(blocks[source], copy)
                copies[op] = copy
        # A block may come before blocks whose values it uses.
        for copy in copies.values():
            _map_operands(copy, mapping)
        for records in followers():
            records.copied(copies, mapping, blocks)
        return blocks, mapping

    def peel(self) -> dict[Block, Block]:
        """Peels the first iteration into a copy before the loop; returns the copied blocks."""
        loop = self.loop
        header = loop.header
        entering = loop.entering_blocks()
        blocks, _ = self.copy(entering[-1])
        first = blocks[header]
        for source in entering:
            redirect(source, header, first)
        for latch in loop.latches():
            copied = blocks[latch]
            redirect(copied, first, header)
            remove_loop_annotation(branches.terminator_of(copied))
        return blocks


def _map_operands(op: Operation, mapping: Mapping[SSAValue, SSAValue]) -> None:
    for index, value in enumerate(fast.operands_of(op)):
        new = mapping.get(value)
        if new is not None and new is not value:
            fast.set_operand(op, index, new)
