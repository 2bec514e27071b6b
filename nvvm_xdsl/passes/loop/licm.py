"""`licm`: hoists loop-invariant code into the preheader and sinks code into the exits.

      llvm.br ^loop(...)                              %m = llvm.mul %x, %y : i32
    ^loop(%i: i32):                                   %a = llvm.load %sum : !llvm.ptr -> i32
      %m = llvm.mul %x, %y : i32                      llvm.br ^loop(..., %a)
      %a = llvm.load %sum : !llvm.ptr -> i32   ->   ^loop(%i: i32, %s: i32):
      %b = llvm.add %a, %m : i32                      %b = llvm.add %s, %m : i32
      llvm.store %b, %sum : i32, !llvm.ptr            llvm.cond_br ..., ^loop(..., %b), ^exit(%b)
      llvm.cond_br ..., ^loop(...), ^exit           ^exit(%r: i32):
                                                      llvm.store %r, %sum : i32, !llvm.ptr

Ops without effects that run in each iteration are hoisted to the preheader, including loads whose
memory is not written in the loop: memory that is never written, or whose nearest write is outside
(MemorySSA). A barrier, a fence, a volatile access and a call count as writes of all memory except
for constant and thread-private memory, so that loads are not moved across them. Convergent ops are
not moved. With `allowspeculation` speculatable ops are also hoisted if not every iteration runs
them, except for loads, as long as only a few additional values become live in the loop: its body
may run once or never, and registers limit the number of warps.

Ops used only in the exits are sunk to them. A memory location that the loop accesses through one
address only is promoted to a value that is loaded in the preheader and stored at the exits, if the
loop certainly accesses it, and certainly writes it, in its first iteration: a write that did not
happen before must not be introduced, because other threads may write there. For thread-private
memory the write may be conditional.

The invariant part of a 64-bit index is added to the base in the preheader
(`passes/loop/licm_addresses.py`).

(LLVM's LICM.cpp, without its other reassociations and the hoisting of branches; sub_195E880, which
the documents have without speculation.)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from xdsl.dialects.llvm import AllocaOp, FuncOp, InlineAsmOp, LoadOp, StoreOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_invariant_load, is_simple_access, load, store
from nvvm_xdsl.analysis.memory.addresses import is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, scopes_named
from nvvm_xdsl.analysis.memory.memory_ssa import LiveOnEntry, MemoryAccess, MemorySSA
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_expression, speculation_cost
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, READS, WRITES, effects, is_noduplicate
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import int_value, loop_annotation_of, stated_alignment
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants, is_constant
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.ops import NoAliasScopeDeclOp
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    LoopAnnotationAttr,
    LoopLICMAttr,
    LoopUnrollAttr,
)
from nvvm_xdsl.dialects.llvm.types import I32, I64, PTR, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import without_line
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.passes.loop.licm_addresses import split_addresses
from nvvm_xdsl.transforms.conditionals import erase_dead
from nvvm_xdsl.transforms.loops import form_lcssa
from nvvm_xdsl.transforms.promote_memory import find_slot, promote

HOISTED = Statistic("licm", "hoisted", "Number of ops hoisted out of loops")
HOISTED_LOADS = Statistic("licm", "hoisted-loads", "Number of loads hoisted out of loops")
SUNK = Statistic("licm", "sunk", "Number of ops sunk out of loops")
PROMOTED = Statistic("licm", "promoted", "Number of memory locations promoted to registers")

MAX_SPECULATED: Final = 8
"""Maximum number of additional values that become live in a loop when ops that not every iteration
runs are moved before it."""

MOST_RESULTS: Final = 64
"""Maximum number of results of such ops among which the largest expressions are chosen."""

MAX_SUNK_OPERANDS: Final = 2
"""Maximum number of loop values among the operands of a sunk op; they leave the loop in its
place."""


@dataclass(frozen=True)
class LICM(LoopPass):
    """Hoists loop-invariant code into preheaders and sinks code into exits."""

    name = "licm"
    title = "LICM"
    takes_all_loops: ClassVar[bool] = True

    allowspeculation: bool = False
    """Whether speculatable ops that are not executed in every iteration are hoisted."""

    disable_licm_promotion: bool = False
    """Disables promotion of memory locations."""

    licm_max_num_uses_traversed: int = 8
    """Maximum number of uses of a value that are examined for sinking."""

    licm_mssa_optimization_cap: int = 100
    """Maximum number of loads of a loop for which MemorySSA is searched for writes."""

    licm_mssa_max_acc_promotion: int = 250
    """Maximum number of memory accesses of a loop for which promotion is tried."""

    licm_skip_unrolled_loops: bool = False
    """Whether loops that must not be unrolled, such as already unrolled ones, are skipped."""

    licm_insn_limit: int | None = None
    """Maximum number of ops of a loop that is processed; None for any number."""

    def preserved(self) -> PreservedAnalyses:
        # Sinking and promotion invalidate memory analyses themselves, and changed loops are
        # forgotten by ScalarEvolution.
        return PreservedAnalyses.cfg().and_of(AliasAnalysis, MemorySSA, ScalarEvolution)

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        return self._run_on([loop], func, am)

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = self._run_on(am.get(LoopInfo, func).innermost_first(), func, am)
        if changed:
            am.invalidate(func, self.preserved())
        return changed

    def _run_on(self, loops: Sequence[Loop], func: FuncOp, am: AnalysisManager) -> bool:
        """Runs on loops, inner ones first, so that memory analyses are computed once."""
        constants = Constants(func)
        motions = [
            _LoopHoister(self, loop, func, am, constants)
            for loop in loops
            if loop.preheader() is not None and not self._is_left_alone(loop)
        ]
        sunk = [motion.loop for motion in motions if motion.sink()]
        if sunk:
            am.drop(AliasAnalysis, func)
        moved = [motion.loop for motion in motions if motion.hoist()]
        promoted: list[Loop] = []
        if not self.disable_licm_promotion:
            slots: dict[SSAValue, Operation] = {}
            promoted = [motion.loop for motion in motions if motion.promote(slots)]
            if slots:
                self._promote(list(slots.values()), promoted, func, am)
        known = am.cached(ScalarEvolution, func)
        if known is not None:
            forgotten: set[Loop] = set()
            for loop in dict.fromkeys([*sunk, *moved, *promoted]):
                known.forget_loop(loop, visited=forgotten)
        return bool(sunk or moved or promoted)

    def _promote(
        self, allocas: list[Operation], loops: Sequence[Loop], func: FuncOp, am: AnalysisManager
    ) -> None:
        """Promotes the stack slots of the loops' memory locations to values."""
        layout = data_layout_of(func)
        slots = [slot for op in allocas if (slot := find_slot(op, layout)) is not None]
        size = fast.operands_of(allocas[0])[0]
        promote(slots, am.get(DominatorTree, func), layout, self.name)
        erase_dead(size)
        for loop in loops:
            form_lcssa(loop)
        am.drop(AliasAnalysis, func)

    def _is_left_alone(self, loop: Loop) -> bool:
        for latch in loop.latches():
            annotation = loop_annotation_of(branches.terminator_of(latch))
            if not isinstance(annotation, LoopAnnotationAttr):
                continue
            licm, unroll = annotation.licm, annotation.unroll
            if isinstance(licm, LoopLICMAttr) and int_value(licm.disable):
                return True
            if self.licm_skip_unrolled_loops and isinstance(unroll, LoopUnrollAttr):
                if int_value(unroll.disable):
                    return True
        if self.licm_insn_limit is None:
            return False
        return sum(1 for block in loop.blocks for _ in fast.ops_of(block)) > self.licm_insn_limit


@dataclass
class _Place:
    """The accesses of a loop at one loop-invariant address."""

    pointer: SSAValue
    type: Attribute
    accesses: list[Operation] = field(default_factory=list[Operation])
    is_mixed: bool = False
    """Whether accesses have different types, or some cannot be promoted."""


class _LoopHoister:
    """Hoists and sinks the code of one loop."""

    def __init__(
        self, options: LICM, loop: Loop, func: FuncOp, am: AnalysisManager, constants: Constants
    ) -> None:
        self.options = options
        self.loop = loop
        self.func = func
        self.am = am
        self.tree = am.get(DominatorTree, func)
        self.constants = constants
        self.searched = 0
        facts = self.facts()
        self.stops = bool(facts.effects(loop) & MAY_NOT_RETURN)
        self.ends = list(dict.fromkeys([*facts.exiting_blocks(loop), *loop.latches()]))
        self.is_dedicated = facts.has_dedicated_exits(loop)

    def facts(self) -> LoopFacts:
        """The contents of the loops, kept up to date."""
        return self.am.get(LoopFacts, self.func)

    def _changed(self) -> None:
        self.am.drop(LoopFacts, self.func)

    def _is_certain(self, block: Block | None) -> bool:
        """Returns whether each thread that enters the loop executes a block of it in its first
        iteration.

        False if an op of the loop may not return; `hoist` then determines the ops of the header
        before that op.
        """
        if self.stops or block is None:
            return False
        return all(self.tree.dominates(block, end) for end in self.ends)

    # Hoisting.

    def hoist(self) -> bool:
        """Moves ops to the preheader; returns whether any were moved."""
        if not self._finds_to_hoist():
            return False
        preheader = self.loop.preheader()
        assert preheader is not None
        anchor = branches.terminator_of(preheader)
        changed = False
        for block in self.loop.blocks:
            is_certain = self._is_certain(block)
            if self.stops and block is self.loop.header:
                is_certain = True
            for op in fast.ops_of(block):
                flags = effects(op)
                if flags & MAY_NOT_RETURN:
                    is_certain = False
                if self._may_hoist(op, flags, is_certain):
                    self._move(op, flags, anchor)
                    changed = True
        for op in self._speculated():
            self._move(op, 0, anchor)
            changed = True
        if self._split_addresses(anchor):
            self.am.drop(AliasAnalysis, self.func)
            changed = True
        if changed:
            self._changed()
        return changed

    def _speculated(self) -> list[Operation]:
        """The invariant ops, operands first, that are hoisted although not every iteration executes
        them.

        If hoisting all of them would make more than `MAX_SPECULATED` additional values live in the
        loop, the largest expressions are chosen.
        """
        if not self.options.allowspeculation:
            return []
        found = self._speculatable()
        if _additional_values(found) <= MAX_SPECULATED:
            return list(found)
        results = [op for op in found if any(u not in found for u in fast.users_of(op.results[0]))]
        if len(results) > MOST_RESULTS:
            return []
        expressions = [_expression(op, found) for op in results]
        expressions.sort(key=len, reverse=True)
        chosen: dict[Operation, None] = {}
        for expression in expressions:
            larger = {**chosen, **expression}
            if _additional_values(larger) <= MAX_SPECULATED:
                chosen = larger
        return [op for op in found if op in chosen]

    def _speculatable(self) -> dict[Operation, None]:
        """The invariant ops of the loop that may be speculated, operands first."""
        found: dict[Operation, None] = {}
        for block in self.loop.blocks:
            for op in fast.ops_of(block):
                if speculation_cost(op) is not None:
                    if all(
                        self.loop.is_invariant(value)
                        or (isinstance(value, OpResult) and value.op in found)
                        for value in fast.operands_of(op)
                    ):
                        found[op] = None
        return found

    def _split_addresses(self, anchor: Operation) -> bool:
        """Splits the addresses that are computed in every iteration."""
        latches = self.loop.latches()
        blocks = [b for b in self.loop.blocks if all(self.tree.dominates(b, x) for x in latches)]
        return split_addresses(self.loop, blocks, anchor)

    def _finds_to_hoist(self) -> bool:
        """Whether all ops should be visited: most ops of inner loops are not invariant in an outer
        loop.
        """
        if self.stops or self.loop.is_innermost():
            return True
        speculates = self.options.allowspeculation
        found = any(
            self._may_hoist(op, effects(op), speculates or self._is_certain(op.parent))
            for op in self.facts().invariant_ops(self.loop)
        )
        self.searched = 0
        return found

    def _may_hoist(self, op: Operation, flags: int, is_certain: bool) -> bool:
        if not is_certain or not self.loop.has_invariant_operands(op):
            return False
        if is_expression(op):
            return True
        return type(op) is LoadOp and not flags & WRITES and self._reads_invariant_memory(op)

    def _reads_invariant_memory(self, op: Operation) -> bool:
        """Returns whether no op in the loop writes the memory that the load reads."""
        alias = self.am.get(AliasAnalysis, self.func)
        if is_invariant_load(op) or alias.points_to_constant_memory(fast.operands_of(op)[0]):
            return True
        if self.searched >= self.options.licm_mssa_optimization_cap:
            return False
        self.searched += 1
        memory = self.am.get(MemorySSA, self.func)
        if memory.access(op) is None:
            return False
        found = memory.clobber(op)
        if isinstance(found, LiveOnEntry):
            return True
        home = found.op.parent if isinstance(found, MemoryAccess) else found.block
        if home is not None and not self.loop.contains(home):
            return True
        return self._is_excluded_by_scopes(op, alias)

    def _is_excluded_by_scopes(self, op: Operation, alias: AliasAnalysis) -> bool:
        """Returns whether no write of the loop may access the memory of a load, by alias scopes that
        each iteration declares once.

        Each iteration that writes also executes the load, from the same address. MemorySSA does not
        know this, and ignores the scopes in other iterations.
        """
        location, loops = alias.location(op), self.am.get(LoopInfo, self.func)
        assert location is not None
        scopes = scopes_named(op, "alias_scopes") | scopes_named(op, "noalias_scopes")
        if not scopes or not all(
            loops.loop_for(block) is self.loop
            for block in self.loop.blocks
            for at in fast.ops_of(block)
            if type(at) is NoAliasScopeDeclOp and at.properties["scope"] in scopes
        ):
            return False
        return not any(
            alias.mod_ref(at, location) & WRITES for at in self.facts().accesses(self.loop)
        )

    def _move(self, op: Operation, flags: int, anchor: Operation) -> None:
        memory = self.am.cached(MemorySSA, self.func) if flags & READS else None
        if memory is not None:
            memory.remove(op)
        fast.move_before(op, anchor)
        op.location = without_line(op.location)
        if memory is not None:
            memory.insert_use(op)
        HOISTED.add()
        if flags & READS:
            HOISTED_LOADS.add()

    # Sinking.

    def sink(self) -> bool:
        """Moves ops to the exits; returns whether any were moved."""
        if not self.is_dedicated:
            return False
        if not self.loop.is_innermost() and not any(
            self._only_exits(op) for op in self.facts().ops_handed_out(self.loop)
        ):
            return False
        changed = False
        for block in reversed(self.loop.blocks):
            for op in fast.reversed_ops_of(block):
                targets = self._only_exits(op)
                if targets:
                    for argument in targets:
                        self._sink_to(op, argument)
                    fast.erase(op)
                    SUNK.add()
                    changed = True
        if changed:
            self._changed()
        return changed

    def _only_exits(self, op: Operation) -> list[BlockArgument]:
        """The exit arguments that are always the op's result, if it has no other uses."""
        if len(op.results) != 1 or type(op) in CONSTANT_CLASSES or type(op) is InlineAsmOp:
            return []
        if op.regions or not is_expression(op):
            return []
        result = op.results[0]
        single = is_noduplicate(op)
        found: dict[BlockArgument, None] = {}
        for count, (user, index) in enumerate(fast.uses_of(result)):
            if count >= self.options.licm_max_num_uses_traversed:
                return []
            argument = branches.argument_behind(user, index)
            if argument is None or self.loop.contains(argument.block):
                return []
            found[argument] = None
            if single and len(found) > 1:
                return []
        if len({v for v in fast.operands_of(op) if self.loop.defines(v)}) > MAX_SUNK_OPERANDS:
            return []
        for argument in found:
            if any(sent is not result for sent in _sent_to(argument)):
                return []
        return list(found)

    def _sink_to(self, op: Operation, argument: BlockArgument) -> None:
        """Inserts a copy of the op at the start of an exit and replaces the exit's argument by
        it."""
        exit_ = argument.block
        mapping: dict[SSAValue, SSAValue] = {
            value: _argument_for(value, exit_)
            for value in dict.fromkeys(fast.operands_of(op))
            if self.loop.defines(value)
        }
        copy = fast.copy_op(op, mapping)
        fast.prepend(exit_, copy)
        fast.replace_all_uses(argument, copy.results[0])
        branches.erase_arguments(exit_, [argument.index])

    # Promotion.

    def promote(self, slots: dict[SSAValue, Operation]) -> bool:
        """Promotes memory locations to stack slots; adds these to the slots by address.

        Returns whether any was promoted.
        """
        exits = self.facts().exit_blocks(self.loop)
        if not exits or not self.is_dedicated:
            return False
        touching = [
            op
            for op in self.facts().accesses(self.loop)
            if not (isinstance(op, (LoadOp, StoreOp)) and fast.operands_of(op)[-1] in slots)
        ]
        if len(touching) > self.options.licm_mssa_max_acc_promotion:
            return False
        alias = self.am.get(AliasAnalysis, self.func)
        found = [
            place
            for place in self._places(touching, alias)
            if self._is_promotable(place, touching, alias)
        ]
        for place in found:
            slot = self._promote_place(place, exits)
            slots[slot.results[0]] = slot
            PROMOTED.add()
        if found:
            self._changed()
        return bool(found)

    def _places(self, touching: Sequence[Operation], alias: AliasAnalysis) -> list[_Place]:
        """The locations that the loop writes at a loop-invariant address."""
        places: dict[Hashable, _Place] = {}
        for op in touching:
            if not isinstance(op, (LoadOp, StoreOp)):
                continue
            is_store = isinstance(op, StoreOp)
            pointer_ = fast.operands_of(op)[is_store]
            if self.loop.defines(pointer_):
                continue
            type_ = fast.operands_of(op)[0].type if is_store else op.results[0].type
            address = alias.addresses.address(pointer_)
            key = (address.base, address.offset, frozenset(address.terms.items()))
            place = places.setdefault(key, _Place(pointer_, type_))
            place.accesses.append(op)
            if type_ != place.type or not is_simple_access(op):
                place.is_mixed = True
        return [
            place
            for place in places.values()
            if not place.is_mixed and any(isinstance(op, StoreOp) for op in place.accesses)
        ]

    def _is_promotable(
        self, place: _Place, touching: Sequence[Operation], alias: AliasAnalysis
    ) -> bool:
        base = alias.addresses.address(place.pointer).base
        is_own = not isinstance(base, str) and is_alloca(base) and not alias.is_captured(base)
        if not any(self._is_certain(op.parent) for op in place.accesses):
            return False
        if not is_own and not self._is_sure_to_write(place):
            return False
        if data_layout_of(self.func).bits(place.type) is None:
            return False
        own = set(place.accesses)
        locations = [alias.location(op) for op in place.accesses]
        if self._declares_scopes():
            # Scopes do not compare accesses of different iterations.
            locations = [at.without_scopes() if at is not None else None for at in locations]
        return not any(
            location is None or alias.mod_ref(op, location)
            for op in touching
            if op not in own
            for location in locations
        )

    def _declares_scopes(self) -> bool:
        """Returns whether each iteration declares alias scopes of its own."""
        return any(
            type(op) is NoAliasScopeDeclOp
            for block in self.loop.blocks
            for op in fast.ops_of(block)
        )

    def _is_sure_to_write(self, place: _Place) -> bool:
        return any(isinstance(op, StoreOp) and self._is_certain(op.parent) for op in place.accesses)

    def _promote_place(self, place: _Place, exits: Sequence[Block]) -> Operation:
        """Redirects the accesses to a stack slot, which is returned."""
        preheader = self.loop.preheader()
        assert preheader is not None
        one = self.constants.integer(1, I32)
        slot = fast.create(
            AllocaOp, (one,), (PTR,), {"elem_type": place.type, "alignment": int_attr(0, I64)}
        )
        assert isinstance(one, OpResult)
        fast.insert_after(slot, one.op)
        layout = data_layout_of(self.func)
        alignment = min(
            stated_alignment(op) or layout.alignment(place.type) for op in place.accesses
        )
        slot_address = slot.results[0]
        # Without loads, the loop certainly writes the location before an exit.
        if any(isinstance(op, LoadOp) for op in place.accesses):
            anchor = branches.terminator_of(preheader)
            value = load(place.pointer, place.type, alignment, anchor)
            store(value, slot_address, alignment, anchor)
        for op in place.accesses:
            fast.set_operand(op, int(isinstance(op, StoreOp)), slot_address)
        for exit_ in exits:
            start = exit_.first_op
            assert start is not None
            value = load(slot_address, place.type, alignment, start)
            store(value, place.pointer, alignment, start)
        return slot


def _sent_to(argument: BlockArgument) -> list[SSAValue]:
    """The values that incoming edges pass to the argument."""
    found: list[SSAValue] = []
    for source in dict.fromkeys(fast.predecessors_of(argument.block)):
        for target, values in branches.edges_of(branches.terminator_of(source)):
            if target is argument.block:
                found.append(values[argument.index])
    return found


def _argument_for(value: SSAValue, block: Block) -> SSAValue:
    """The block's argument to which all edges pass the value; created if necessary."""
    for argument in block.args:
        if all(sent is value for sent in _sent_to(argument)):
            return argument
    made = fast.add_argument(block, value.type)
    fast.set_name(made, value.name_hint)
    for source in dict.fromkeys(fast.predecessors_of(block)):
        terminator = branches.terminator_of(source)
        branches.set_edges(
            terminator,
            [
                (target, (*values, value) if target is block else values)
                for target, values in branches.edges_of(terminator)
            ],
        )
    return made


def _additional_values(ops: Mapping[Operation, None]) -> int:
    """The number of values that become live in a loop, minus those that no longer are, if ops are
    moved before it."""
    live = sum(any(user not in ops for user in fast.users_of(op.results[0])) for op in ops)
    inputs = {value for op in ops for value in fast.operands_of(op)}
    ended = sum(
        isinstance(value, OpResult)
        and value.op not in ops
        and not is_constant(value)
        and all(user in ops for user in fast.users_of(value))
        for value in inputs
    )
    return live - ended


def _expression(op: Operation, ops: Mapping[Operation, None]) -> dict[Operation, None]:
    """An op and those of the ops that its operands depend on."""
    found: dict[Operation, None] = {op: None}
    pending = [op]
    while pending:
        for value in fast.operands_of(pending.pop()):
            if isinstance(value, OpResult) and value.op in ops and value.op not in found:
                found[value.op] = None
                pending.append(value.op)
    return found
