"""`gvn`: removes redundant values and loads by global value numbering.

      %p = llvm.getelementptr %local[%i] : ...            %p = llvm.getelementptr %local[%i] : ...
      llvm.store %v, %p : f32, !llvm.ptr<5>               llvm.store %v, %p : f32, !llvm.ptr<5>
      llvm.store %w, %other : f32, !llvm.ptr<5>    ->     llvm.store %w, %other : f32, !llvm.ptr<5>
      %x = llvm.load %p : !llvm.ptr<5> -> f32             llvm.store %v, %out : f32, !llvm.ptr<1>
      llvm.store %x, %out : f32, !llvm.ptr<1>

Values are numbered in reverse post-order; ops that compute the same function of operands with equal
numbers get equal numbers. A value is replaced with a dominating one of the same number. The number
of a load includes the memory definition that it reads (MemorySSA). Its value is that of a covering
store, the bytes of a memset, or undef in an unwritten local variable. At a MemoryPhi it is a block
argument with the value at the end of each predecessor, for the translated address. If exactly one
predecessor lacks the value, it is computed at that predecessor's end (partial redundancy
elimination): a load of a value that the previous iteration stored or loaded is thus removed from
the loop, also if only some iterations store. Facts from a branch or switch hold in the blocks that
only its edge leads to.

Merged ops keep the flags that both have. Stores of other threads become visible to a load only
across memory definitions: barriers, fences, atomics stronger than monotonic, unknown calls.
Volatile and atomic accesses and convergent ops are unchanged. An op is inserted into a predecessor
only if it certainly runs there anyway, and only if it costs more than the register move of the
block argument: LLVM inserts all expressions, but a comparison or an address is cheaper than a
longer live range.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, cast

from xdsl.dialects.llvm import (
    AddOp,
    BitcastOp,
    FuncOp,
    GEPOp,
    ICmpOp,
    LoadOp,
    SExtOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_invariant_load
from nvvm_xdsl.analysis.memory.alias_analysis import Location
from nvvm_xdsl.analysis.memory.memory_ssa import Definition, MemoryAccess, MemoryPhi, MemorySSA
from nvvm_xdsl.analysis.side_effects import is_expression, speculation_cost
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, PoisonOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.gvn_numbering import LOADS, MAX_EDGES, ValueNumbering, edges_into
from nvvm_xdsl.transforms.alias_scopes import SCOPE_LISTS
from nvvm_xdsl.transforms.expressions import meet_flags

MAX_ITERATIONS: Final = 3
"""Maximum number of times that a function is renumbered because moved values may make others equal."""


MAX_JOINS: Final = 4
"""Maximum nesting of blocks in which one load is replaced by a block argument."""

MAX_TRANSLATED: Final = 4
"""Maximum number of ops in an address or expression that is translated to a predecessor."""


MOVED: Final = Statistic(
    "gvn", "pre", "Number of partially redundant values moved to a predecessor"
)


@dataclass(frozen=True)
class GVN(FunctionPass):
    """Removes values and loads that are redundant on all paths, or on all paths except one."""

    name = "gvn"
    title = "GVN"
    # The last iteration may have made values equal; see MAX_ITERATIONS.
    idempotent = False

    pre: bool = True
    """Whether values may be computed in a predecessor (LLVM's `pre`)."""

    load_pre: bool = True
    """Whether loads may be computed in a predecessor (LLVM's `load-pre`)."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        # The pass updates MemorySSA, and facts about pointers remain valid, because values are
        # replaced with equal ones.
        memory, tree = am.get(MemorySSA, func), am.get(DominatorTree, func)
        for _ in range(MAX_ITERATIONS):
            one = _PartialRedundancies(self, func, memory, tree)
            one.number_values()
            one.place_candidates()
            one.constants.erase_unused()
            changed |= one.changed
            if not one.opened:
                break
        return changed


class _Pending:
    """A value at a MemoryPhi whose block argument does not exist yet.

    Arguments:
        pointer: the number of the address.
        type_: the type of the value.
        is_scoped: whether the value depends on alias scopes, which hold in one iteration if the load
            is executed in it.
    """

    def __init__(self, pointer: int, type_: Attribute, *, is_scoped: bool) -> None:
        self.pointer = pointer
        self.is_scoped = is_scoped
        self.value = fast.create(PoisonOp, (), (type_,)).results[0]


class _PartialRedundancies(ValueNumbering):
    """Replaces values that are available in predecessors, and moves others there."""

    fresh: list[BlockArgument]
    """Arguments created for the current candidate."""
    replacing: set[BlockArgument]
    """Arguments that replace ops, or are available for that."""
    pending: dict[MemoryPhi, _Pending]
    """By MemoryPhi, the value for which a block argument is created if that at each predecessor is
    known: at the end of an iteration it may be the value at the start."""

    def __init__(self, options: GVN, func: FuncOp, memory: MemorySSA, tree: DominatorTree) -> None:
        super().__init__(func, memory, tree, pre=options.pre, load_pre=options.load_pre)
        self.fresh = []
        self.replacing = set()
        self.pending = {}

    def place_candidates(self) -> None:
        """Runs PRE on the collected candidates that still have uses."""
        for op in self.candidates:
            if op.results[0].first_use is not None:
                self.place(op)

    def place(self, op: Operation) -> None:
        """Replaces an op with a block argument if it is available in all predecessors, or in all
        except one.
        """
        home = op.parent
        assert home is not None
        seen: Definition | None = None
        join = home
        if type(op) is LoadOp:
            seen = self.memory.entry if is_invariant_load(op) else self.memory.clobber(op)
            if isinstance(seen, MemoryPhi):
                join = seen.block
            elif isinstance(seen, MemoryAccess) and not self.tree.strictly_dominates(
                fast.block_of(seen.op), home
            ):
                return
        values = self.values_in_predecessors(op, join, seen)
        if values is None:
            self.erase_fresh(0)
            self.pending.clear()
            return
        self.fresh.clear()
        result = op.results[0]
        for value in values.values():
            self.weaken(value, result, MAX_TRANSLATED)
        argument = self.argument_at_phi(join, result.type, values, seen)
        number = self.number(result)
        self.numbers[argument] = number
        # Found before `result`, whose block `join` dominates. What the metadata of a load states about
        # other accesses holds only where the load is executed.
        valid = home if any(name in op.properties for name in _ALIAS_METADATA) else join
        self.add_leader(number, self.tree.cfg.numbers[valid], argument)
        if type(op) is LoadOp:
            self.memory.remove(op)
            LOADS.add()
        fast.replace_op(op, (argument,))
        self.fresh.clear()
        self.changed = self.opened = True

    def values_in_predecessors(
        self, op: Operation, join: Block, seen: Definition | None
    ) -> dict[Block, SSAValue] | None:
        """The value of an op at the end of each predecessor of `join`, computed in one that lacks it."""
        found = self.available_in_predecessors(op, join, seen, MAX_JOINS)
        if found is None:
            return None
        values, lacking = found
        if lacking:
            if len(lacking) != 1 or not self.may_run_before(op, join):
                return None
            (predecessor,) = lacking
            made = self.compute_at(op, predecessor, join)
            if made is None:
                return None
            values[predecessor] = made
            MOVED.add()
        return values

    def erase_fresh(self, kept: int) -> None:
        """Removes the block arguments of an abandoned replacement, except the first `kept`.

        The arguments of a loop may pass each other on.
        """
        for argument in self.fresh[kept:]:
            poison = fast.create(PoisonOp, (), (argument.type,)).results[0]
            fast.replace_all_uses(argument, poison)
        for argument in reversed(self.fresh[kept:]):
            branches.erase_arguments(argument.block, (argument.index,))
        del self.fresh[kept:]

    def weaken(self, kept: SSAValue, gone: SSAValue, depth: int) -> None:
        """Ensures that the replacement of a value on one path is poison only if the value is.

        Values with one number on different paths may have different flags, and so may their
        operands, and the values on the edges of a block argument that replaces them.
        """
        pending = [kept]
        seen: set[SSAValue] = set()
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            if isinstance(value, BlockArgument) and value in self.replacing:
                pending += branches.incoming_values(value)
            else:
                self.weaken_op(value, gone, depth)

    def weaken_op(self, kept: SSAValue, gone: SSAValue, depth: int) -> None:
        """Removes flags and facts of an op, and of its operands, that another one lacks."""
        if kept is gone or not isinstance(kept, OpResult) or not isinstance(gone, OpResult):
            return
        if type(kept.op) is not type(gone.op):
            return
        meet_flags(kept.op, gone.op)
        if depth == 0 or type(kept.op) is LoadOp:
            return
        for one in fast.operands_of(kept.op):
            for other in fast.operands_of(gone.op):
                self.weaken(one, other, depth - 1)

    def available_in_predecessors(
        self, op: Operation, join: Block, seen: Definition | None, depth: int
    ) -> tuple[dict[Block, SSAValue], list[Block]] | None:
        """The value of the op at the end of each predecessor of `join`, and the predecessors that
        lack it.

        None if unknown: for the entry block, for too many edges, and for unreachable code.
        """
        graph = self.tree.cfg
        predecessors = list(dict.fromkeys(fast.predecessors_of(join)))
        if len(predecessors) < 2 or len(predecessors) > MAX_EDGES:
            return None
        if not all(self.tree.contains(p) for p in predecessors):
            return None
        predecessors.sort(key=lambda p: graph.rpo_index[graph.numbers[p]])
        is_load = type(op) is LoadOp
        if is_load and isinstance(seen, MemoryPhi):
            pointer = fast.operands_of(op)[0]
            self.pending[seen] = _Pending(
                self.number(pointer),
                op.results[0].type,
                is_scoped=is_scoped(op)
                and not self.memory.ends_scopes(join, Location(pointer, None, op)),
            )
        place = graph.rpo_index[graph.numbers[join]]
        values: dict[Block, SSAValue] = {}
        lacking: list[Block] = []
        for predecessor in predecessors:
            if is_load:
                value = self.load_at(op, predecessor, join, cast(Definition, seen), depth)
            elif graph.rpo_index[graph.numbers[predecessor]] >= place:
                # A value for the loop's next iteration must not be kept live during the current
                # one.
                return None
            else:
                key = self.translated_key(op, predecessor, join, MAX_TRANSLATED)
                number = self.known.get(key) if key is not None else None
                value = (
                    self.leader(number, graph.numbers[predecessor]) if number is not None else None
                )
            if value is None:
                lacking.append(predecessor)
                if len(lacking) > 1:
                    return values, lacking
            else:
                values[predecessor] = value
        return values, lacking

    def load_at(
        self, op: Operation, predecessor: Block, join: Block, seen: Definition, depth: int
    ) -> SSAValue | None:
        """The value of a load at the end of a predecessor of `join`."""
        graph = self.tree.cfg
        type_ = op.results[0].type
        pointer = fast.operands_of(op)[0]
        number = self.translated(pointer, predecessor, join, MAX_TRANSLATED)
        there = self.leader(number, graph.numbers[predecessor]) if number is not None else None
        if number is None or there is None:
            return None
        location = Location(there, self.layout.store_size(type_), op)
        ended = False
        if isinstance(seen, MemoryPhi):
            ended = self.memory.ends_scopes(join, location)
            if ended:
                location = location.without_scopes()
            seen = self.memory.walk(seen.incoming[predecessor], location)
        known = self.known.get(self.load_key(number, type_, seen))
        value = self.leader(known, graph.numbers[predecessor]) if known is not None else None
        if value is not None:
            return value
        if not isinstance(seen, MemoryPhi):
            return self.stored.read(location, type_, seen, None)
        pending = self.pending.get(seen)
        if pending is not None:
            if pending.pointer != number or (pending.is_scoped and (ended or not is_scoped(op))):
                return None
            return pending.value
        above = seen.block
        if depth == 0 or self.defined_below(there, above):
            return None
        properties = dict(op.properties)
        if ended:
            for name in SCOPE_LISTS:
                properties.pop(name, None)
        found = self.pointer_in_predecessors(there, properties, above, seen, type_, depth - 1)
        return None if found is None else self.argument_at_phi(above, type_, found, seen)

    def pointer_in_predecessors(
        self,
        pointer: SSAValue,
        properties: dict[str, Attribute],
        join: Block,
        seen: MemoryPhi,
        type_: Attribute,
        depth: int,
    ) -> dict[Block, SSAValue] | None:
        """The value at the address at the end of every predecessor; None if one is unknown.

        Arguments:
            properties, type_: those of a load.
        """
        kept = len(self.fresh)
        probe = fast.create(LoadOp, (pointer,), (type_,), properties)
        try:
            found = self.available_in_predecessors(probe, join, seen, depth)
        finally:
            fast.erase(probe)
        if found is not None and not found[1]:
            return found[0]
        self.erase_fresh(kept)
        self.pending.pop(seen, None)
        return None

    def defined_below(self, value: SSAValue, block: Block) -> bool:
        """Returns True if the block dominates the definition of the value."""
        home = defining_block(value)
        return home is None or self.tree.dominates(block, home)

    def translated(
        self, value: SSAValue, predecessor: Block, join: Block, depth: int
    ) -> int | None:
        """The number at the end of `predecessor` of the value `value` in `join`.

        None if no such value has been computed, or if the expression is too large.
        """
        home = defining_block(value)
        if home is None:
            return None
        if not self.tree.dominates(join, home):
            return self.number(value)
        if isinstance(value, BlockArgument):
            sent = self.sent(value, predecessor) if home is join else None
            return self.number(sent) if sent is not None else None
        op = cast(OpResult, value).op
        if depth == 0 or not is_expression(op):
            return None
        key = self.translated_key(op, predecessor, join, depth - 1)
        return self.known.get(key) if key is not None else None

    def sent(self, argument: BlockArgument, predecessor: Block) -> SSAValue | None:
        """The value that a block's edges pass to the argument; None if they pass different
        values."""
        found = {
            v[argument.index] for source, v in edges_into(argument.block) if source is predecessor
        }
        return found.pop() if len(found) == 1 else None

    def translated_key(
        self, op: Operation, predecessor: Block, join: Block, depth: int
    ) -> Hashable | None:
        """The key of `op` with its operands translated to a predecessor; None if one is unknown."""
        numbers: list[int] = []
        for operand in fast.operands_of(op):
            number = self.translated(operand, predecessor, join, depth)
            if number is None:
                return None
            numbers.append(number)
        if type(op) is ICmpOp:
            return self.comparison_key(predicate_of(op), numbers[0], numbers[1], op)
        return self.keys.key(op, numbers)

    def may_run_before(self, op: Operation, join: Block) -> bool:
        """Returns whether the op, placed at the end of a predecessor of its block, runs only where
        it ran before.
        """
        if op.parent is not join:
            return False
        if speculation_cost(op) is not None:
            return True
        at = op.prev_op
        while at is not None:
            if effects(at) & MAY_NOT_RETURN:
                return False
            at = at.prev_op
        return True

    def compute_at(self, op: Operation, predecessor: Block, join: Block) -> SSAValue | None:
        """A copy of the op at the end of a block whose only successor is `join`."""
        last = branches.terminator_of(predecessor)
        if len(fast.successors_of(last)) != 1 or predecessor is join:
            return None
        operands: dict[SSAValue, SSAValue] = {}
        made: list[Operation] = []
        for operand in fast.operands_of(op):
            value = self.operand_at(operand, predecessor, join, MAX_TRANSLATED, made)
            if value is None:
                for one in reversed(made):
                    fast.erase(one)
                return None
            operands[operand] = value
        number = self.tree.cfg.numbers[predecessor]
        for one in made:
            fast.insert_before(one, last)
            key = self.expression_key(one)
            self.numbers[one.results[0]] = self.known.setdefault(key, self.number(one.results[0]))
            self.add_leader(self.numbers[one.results[0]], number, one.results[0])
        new = fast.copy_op(op, operands)
        fast.insert_before(new, last)
        if type(op) is LoadOp:
            self.memory.insert_use(new)
            if self.memory.ends_scopes(join, Location(new.operands[0], None, op)):
                for name in SCOPE_LISTS:
                    new.properties.pop(name, None)
        return new.results[0]

    def operand_at(
        self, value: SSAValue, predecessor: Block, join: Block, depth: int, made: list[Operation]
    ) -> SSAValue | None:
        """The value at the end of `predecessor`, computed there by new ops if necessary."""
        number = self.translated(value, predecessor, join, depth)
        found = (
            self.leader(number, self.tree.cfg.numbers[predecessor]) if number is not None else None
        )
        if found is not None:
            self.weaken(found, value, MAX_TRANSLATED)
            return found
        op = fast.producer_of(value)
        if type(op) not in _RECOMPUTED:
            return None
        operands: dict[SSAValue, SSAValue] = {}
        for operand in fast.operands_of(op):
            found = self.operand_at(operand, predecessor, join, depth - 1, made)
            if found is None:
                return None
            operands[operand] = found
        new = fast.copy_op(op, operands)
        made.append(new)
        return new.results[0]

    def argument_at_phi(
        self,
        block: Block,
        type_: Attribute,
        values: dict[Block, SSAValue],
        seen: Definition | None,
    ) -> BlockArgument:
        """The argument of a block that receives these values, also at the end of iterations that do
        not change the value at the start."""
        argument = self.argument_of(block, type_, values)
        pending = self.pending.pop(seen, None) if isinstance(seen, MemoryPhi) else None
        if pending is not None:
            fast.replace_all_uses(pending.value, argument)
        return argument

    def argument_of(
        self, block: Block, type_: Attribute, values: dict[Block, SSAValue]
    ) -> BlockArgument:
        """The argument of a block that receives these values; created if there is none."""
        incoming = edges_into(block)
        for argument in block.args:
            if all(sent[argument.index] is values[source] for source, sent in incoming):
                self.replacing.add(argument)
                return argument
        argument = fast.add_argument(block, type_)
        self.fresh.append(argument)
        self.replacing.add(argument)
        for source in dict.fromkeys(source for source, _ in incoming):
            terminator = branches.terminator_of(source)
            value = values[source]
            branches.set_edges(
                terminator,
                [
                    (target, (*sent, value)) if target is block else (target, sent)
                    for target, sent in branches.edges_of(terminator)
                ],
            )
        return argument


def is_scoped(op: Operation) -> bool:
    """Whether an access states alias scopes."""
    return any(name in op.properties for name in SCOPE_LISTS)


_ALIAS_METADATA: Final = ("tbaa", *SCOPE_LISTS)
"""Properties of an access that exclude aliases."""

_RECOMPUTED: Final = frozenset(
    {GEPOp, AddOp, BitcastOp, AddrSpaceCastOp, SExtOp, ZExtOp, TruncOp, *CONSTANT_CLASSES}
)
"""Operands of addresses and constants, which are recomputed for a moved op."""


__all__ = ["GVN"]
