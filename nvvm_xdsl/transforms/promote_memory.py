"""Promotion of stack slots to SSA values (LLVM's PromoteMemoryToRegister).

Block arguments are placed at the iterated dominance frontiers of the stores if the slot is live
there. A load that no store reaches yields `llvm.mlir.undef`, as in LLVM.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.llvm import (
    AllocaOp,
    FuncOp,
    GEPOp,
    LLVMArrayType,
    LLVMStructType,
    LoadOp,
    StoreOp,
    UndefOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.memory.accesses import (
    ADDRESS_CASTS,
    MARKERS,
    convertible,
    is_simple_access,
    reinterpret,
)
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import element_type_of
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.debug_placement import followers
from nvvm_xdsl.dialects.llvm.gep import constant_indices
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.verify.verifier import function_name

PROMOTED = Statistic("mem2reg", "promoted", "Number of stack slots promoted")


@dataclass(slots=True)
class Slot:
    """A promotable alloca: the type of its value and all uses of its address."""

    alloca: Operation
    type: Attribute
    accesses: list[Operation] = field(default_factory=list[Operation])
    """Loads and stores."""
    dead: list[Operation] = field(default_factory=list[Operation])
    """Address casts and markers; users come after their operands."""


def find_slot(alloca: Operation, layout: DataLayout) -> Slot | None:
    """The promotion plan of the alloca; None if it must stay in memory."""
    if constant_unsigned(fast.operands_of(alloca)[0]) != 1:
        return None
    element = element_type_of(alloca)
    slot = Slot(alloca, element)
    types: dict[Attribute, None] = {}
    pending: list[SSAValue] = [alloca.results[0]]
    while pending:
        address = pending.pop()
        for user in fast.users_of(address):
            cls = type(user)
            if cls is LoadOp:
                if not is_simple_access(user):
                    return None
                (result,) = user.results
                types[result.type] = None
                slot.accesses.append(user)
            elif cls is StoreOp:
                value, _ = fast.operands_of(user)
                if value is address or not is_simple_access(user):
                    return None
                types[value.type] = None
                slot.accesses.append(user)
            elif cls is GEPOp:
                indices = constant_indices(user)
                if indices is None or any(indices):
                    return None
                slot.dead.append(user)
                pending.append(user.results[0])
            elif user.name in MARKERS:
                slot.dead.append(user)
            elif user.name in ADDRESS_CASTS:
                slot.dead.append(user)
                pending.append(user.results[0])
            else:
                return None
    if len(types) == 1:
        (slot.type,) = types
        if layout.store_size(slot.type) > layout.size(element):
            return None
    elif types:
        if isinstance(element, (LLVMStructType, LLVMArrayType)):
            slot.type = next(iter(types))
        if not all(convertible(t, slot.type, layout) for t in types):
            return None
    return slot


def find_slots(func: FuncOp, layout: DataLayout) -> list[Slot]:
    """The promotable allocas of the entry block."""
    entry = func.regions[0].first_block
    assert entry is not None
    found: list[Slot] = []
    for op in fast.ops_of(entry):
        if type(op) is AllocaOp:
            slot = find_slot(op, layout)
            if slot is not None:
                found.append(slot)
    return found


class _SSABuilder:
    """Constructs SSA form for a set of slots."""

    slots: Sequence[Slot]
    dominators: DominatorTree
    layout: DataLayout
    index: dict[Operation, int]
    by_block: dict[Block, list[Operation]]
    arguments: dict[Block, list[int]]
    """For each block, the slots that have an argument, in order."""
    first_argument: dict[Block, int]
    undef: dict[Attribute, SSAValue]

    def __init__(
        self, slots: Sequence[Slot], dominators: DominatorTree, layout: DataLayout
    ) -> None:
        self.slots = slots
        self.dominators = dominators
        self.layout = layout
        self.index = {op: i for i, slot in enumerate(slots) for op in slot.accesses}
        self.by_block = {}
        self.arguments = {}
        self.first_argument = {}
        self.undef = {}

    def run(self) -> None:
        """Replaces the accesses to the slots by values, and erases the slots."""
        self._order_accesses()
        self._place_arguments()
        self._rename()
        for slot in self.slots:
            for op in reversed(slot.dead):
                fast.erase(op)
            for records in followers():
                records.promoted(slot.alloca.results[0])
            fast.erase(slot.alloca)

    def _order_accesses(self) -> None:
        index = self.index
        for block in dict.fromkeys(op.parent for op in index):
            assert block is not None
            self.by_block[block] = [op for op in fast.ops_of(block) if op in index]

    def _place_arguments(self) -> None:
        dominators = self.dominators
        defined: list[dict[Block, None]] = [{} for _ in self.slots]
        exposed: list[dict[Block, None]] = [{} for _ in self.slots]
        for block, accesses in self.by_block.items():
            if not dominators.contains(block):
                continue
            for op in accesses:
                number = self.index[op]
                if type(op) is StoreOp:
                    defined[number][block] = None
                elif block not in defined[number]:
                    exposed[number][block] = None
        for number, slot in enumerate(self.slots):
            definers = defined[number]
            readers = exposed[number]
            if not definers or not readers:
                continue
            if len(definers) == 1:
                (only,) = definers
                if all(dominators.strictly_dominates(only, b) for b in readers):
                    continue
            live = self._live_in(definers, readers)
            for block in dominators.iterated_frontier(definers, live):
                self.first_argument.setdefault(block, len(block.args))
                argument = fast.add_argument(block, slot.type)
                fast.set_name(argument, slot.alloca.results[0].name_hint)
                self.arguments.setdefault(block, []).append(number)

    def _live_in(self, definers: dict[Block, None], readers: dict[Block, None]) -> set[Block]:
        """The blocks at whose start the slot is live."""
        dominators = self.dominators
        live = set(readers)
        pending = list(readers)
        while pending:
            for before in fast.predecessors_of(pending.pop()):
                if before not in live and before not in definers and dominators.contains(before):
                    live.add(before)
                    pending.append(before)
        return live

    def _follow(self, number: int, value: SSAValue, block: Block, place: Operation | int) -> None:
        """Emits a debug record that the variable in the slot has a value from a program point
        on."""
        address = self.slots[number].alloca.results[0]
        for records in followers():
            if records.of(address):
                order = [op for op in fast.ops_of(block) if op not in self.index]
                index = place if isinstance(place, int) else _ops_before(place, self.index)
                records.stored(address, value, order, index)

    def _undefined(self, type_: Attribute) -> SSAValue:
        value = self.undef.get(type_)
        if value is None:
            op = fast.create(UndefOp, (), (type_,))
            fast.prepend(self.dominators.cfg.entry, op)
            value = self.undef[type_] = op.results[0]
        return value

    def _rename(self) -> None:
        dominators = self.dominators
        for block in self.dominators.cfg.blocks:
            if not dominators.contains(block):
                self._visit(block, [None] * len(self.slots), [])
        current: list[SSAValue | None] = [None] * len(self.slots)
        undo: list[list[tuple[int, SSAValue | None]]] = []
        stack = [dominators.root]
        while stack:
            number = stack.pop()
            if number < 0:
                for slot, value in reversed(undo.pop()):
                    current[slot] = value
                continue
            changes: list[tuple[int, SSAValue | None]] = []
            undo.append(changes)
            stack.append(-1)
            stack.extend(dominators.children_numbers(number))
            self._visit(dominators.block(number), current, changes)

    def _visit(
        self,
        block: Block,
        current: list[SSAValue | None],
        changes: list[tuple[int, SSAValue | None]],
    ) -> None:
        """Rewrites one block, given the slots' values at its start."""
        slots, index = self.slots, self.index
        is_followed = bool(followers())
        arguments = self.arguments.get(block)
        if arguments is not None:
            new = block.args[self.first_argument[block] :]
            for number, argument in zip(arguments, new):
                changes.append((number, current[number]))
                current[number] = argument
                if is_followed:
                    self._follow(number, argument, block, 0)
        for op in self.by_block.get(block, ()):
            number = index[op]
            if type(op) is StoreOp:
                stored, _ = fast.operands_of(op)
                value = reinterpret(stored, slots[number].type, op, self.layout)
                if is_followed:
                    self._follow(number, value, block, op)
                changes.append((number, current[number]))
                current[number] = value
            else:
                (result,) = op.results
                known = current[number]
                if known is None or known is result:
                    known = self._undefined(result.type)
                else:
                    known = reinterpret(known, result.type, op, self.layout)
                fast.replace_all_uses(result, known)
            fast.erase(op)
        terminator = branches.terminator_of(block)
        targets = fast.successors_of(terminator)
        if any(b in self.arguments for b in targets):
            edges: list[branches.Edge] = []
            for target, values in branches.edges_of(terminator):
                more: list[SSAValue] = []
                for number in self.arguments.get(target, ()):
                    known = current[number]
                    more.append(self._undefined(slots[number].type) if known is None else known)
                edges.append((target, (*values, *more)))
            branches.set_edges(terminator, edges)


def _ops_before(op: Operation, without: Container[Operation]) -> int:
    """The number of ops before an op in its block, except for some."""
    count = 0
    before = op.prev_op
    while before is not None:
        count += before not in without
        before = before.prev_op
    return count


def promote(
    slots: Sequence[Slot], dominators: DominatorTree, layout: DataLayout, pass_name: str = "mem2reg"
) -> None:
    """Promotes the slots, all of one function, to SSA values and erases their allocas.

    The control-flow graph is unchanged. Remarks are attributed to the named pass.
    """
    PROMOTED.add(len(slots))
    if remarks.wanted():
        for slot in slots:
            report_slot(pass_name, "Passed", "Promoted", slot.alloca, " promoted to SSA values")
    _SSABuilder(slots, dominators, layout).run()


def report_slot(pass_name: str, kind: str, name: str, alloca: Operation, what: str) -> None:
    """Emits a remark about a stack slot."""
    slot = alloca.results[0].name_hint or "without a name"
    function = function_name(alloca) or ""
    remarks.emit(kind, pass_name, name, function, "stack slot ", ("Slot", slot), what, op=alloca)


def report_kept_slots(func: FuncOp, pass_name: str) -> None:
    """Emits a remark about each stack slot that stays in memory, with the op that prevents
    promotion."""
    if not remarks.wanted():
        return
    for alloca in walk_function(func):
        if type(alloca) is AllocaOp:
            use = next((u for u in fast.users_of(alloca.results[0]) if not _is_access(u)), None)
            why = "" if use is None else f" for {use.name}"
            report_slot(pass_name, "Missed", "NotPromoted", alloca, f" stays in memory{why}")


def _is_access(op: Operation) -> bool:
    return type(op) in (LoadOp, StoreOp) or op.name in MARKERS
