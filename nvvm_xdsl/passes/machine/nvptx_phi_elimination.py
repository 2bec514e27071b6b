"""Converts out of SSA form: block arguments become registers that several instructions write.

    ^entry:                                     ^entry:
      nvptx.bra ^loop(%zero)                      %i = nvptx.register : !nvptx.b32<1>
    ^loop(%i):                                    nvptx.mov b32 0 -> !nvptx.b32<1>
      %next = nvptx.add s32 %i, 1        ->       nvptx.bra ^loop
      %c = nvptx.setp lt.s32 %next, %n          ^loop:
      nvptx.cbra %c, ^loop(%next), ^exit          nvptx.add s32 %i, 1 -> !nvptx.b32<1>
                                                  %c = nvptx.setp lt.s32 %i, %n
                                                  nvptx.cbra %c, ^loop, ^exit

A block argument and the values that branches pass to it form one congruence class of conventional
SSA if no two of them are live at once (B. Boissinot et al., "Revisiting Out-of-SSA Translation for
Correctness, Code Quality, and Efficiency", CGO 2009): they share a register and need no copy.
Therefore an increment is moved after the last use of its operand, so that their live ranges do not
overlap. Edges of the deepest loops are processed first. If live ranges overlap, the values of the
edge are copied in parallel. A copy is placed at the end of the predecessor if its target is live
into no other successor, else in a new block on the edge. No path executes a copy of another edge,
which is correct under divergence: diverging threads execute only the copies of their own edge.
Constants are not copied but created on the edge.

Knobs: do-cssa, cssa-coalesce, cssa-verbosity, dump-before-cssa, dump-phi-remove (document 000, "Boolean toggles"
and "Parametric knobs"). The document states no values for cssa-coalesce; here it is `congruence`
or `none`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.cfg import CFG, block_name
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.live_ranges import (
    LiveRanges,
    Positions,
    add,
    covers,
    overlap,
    tied_operands,
)
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.dialects.nvptx.control_flow import Edge, TerminatorOp, branch_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, build
from nvvm_xdsl.dialects.nvptx.registers import RegisterClass, register_class
from nvvm_xdsl.dialects.nvptx.special_registers import RegisterOp, UndefOp
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.parallel_copy import sequence_copies
from nvvm_xdsl.passes.machine.base import (
    MachineFunctionPass,
    RegisterNumbers,
    has_phis,
    is_immediate_move,
)
from nvvm_xdsl.passes.machine.block_arguments import (
    remove_trivial_arguments,
    separate_double_edges,
    sink_past_last_uses,
    split_edges,
)

COALESCING_MODES = ("congruence", "none")


@dataclass(frozen=True)
class NVPTXPhiElimination(MachineFunctionPass):
    """Replaces block arguments by numbered registers and copies."""

    name = "nvptx-phi-elimination"
    title: ClassVar[str] = "NVPTXPhiElimination"

    do_cssa: bool = True
    """Whether congruence classes are built; otherwise every edge copies every value."""

    cssa_coalesce: str = "congruence"
    """`congruence`: values whose live ranges do not overlap share a register; `none`: no values
    do.
    """

    cssa_verbosity: int = 0
    """Verbosity; from 1 on, the number of remaining copies of each function is reported."""

    dump_before_cssa: bool = False
    """Print each function before the pass changes it."""

    dump_phi_remove: bool = False
    """Report the eliminated block arguments."""

    def __post_init__(self) -> None:
        if self.cssa_coalesce not in COALESCING_MODES:
            raise ValueError(f"cssa-coalesce: expected one of {', '.join(COALESCING_MODES)}")

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not has_phis(func) and not _has_ties(func):
            return False
        if self.dump_before_cssa:
            self._show("BeforeCSSA", func, f"IR Module before CSSA:\n{func!s}")
        if self.dump_phi_remove:
            for number, block in enumerate(fast.blocks_of(func.body)):
                for argument in block.args:
                    place = block_name(number, block)
                    self._show("PhiRemove", func, f"PHI {value_name(argument)} of {place} removed")
        coalesce = self.do_cssa and self.cssa_coalesce == "congruence"
        eliminator = _Eliminator(func)
        eliminator.run(coalesce)
        if self.cssa_verbosity > 0:
            shared, copies = eliminator.classes_made, eliminator.copies_made
            self._show("CSSA", func, f"{shared} registers shared, {copies} copies")
        return True

    def _show(self, name: str, func: FuncOp, text: str) -> None:
        remarks.emit("Analysis", self.name, name, func.symbol, text, shown=True)


def _has_ties(func: FuncOp) -> bool:
    return any(
        tied_operands(op) for block in fast.blocks_of(func.body) for op in fast.ops_of(block)
    )


class _Class:
    """A congruence class: values that share one register."""

    def __init__(self, value: SSAValue, positions: Positions) -> None:
        self.members = [value]
        self.positions = positions
        self.register: SSAValue | None = None

    def absorb(self, other: _Class) -> None:
        """Merges another class into this one, in time proportional to the smaller one."""
        self.members.extend(other.members)
        few, many = other.positions, self.positions
        if len(few) > len(many):
            few, many = many, few
        add(many, few)
        self.positions = many


@dataclass(frozen=True)
class _Copy:
    """A value that an edge passes to an argument in another register."""

    argument: BlockArgument
    value: SSAValue


class _Eliminator:
    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.classes: dict[SSAValue, _Class] = {}
        self.classes_made = 0
        self.copies_made = 0

    def run(self, coalesce: bool) -> None:
        """Assigns registers and replaces block arguments by copies."""
        func = self.func
        remove_trivial_arguments(func)
        separate_double_edges(func)
        loops = LoopInfo(CFG(func.body))
        if coalesce:
            sink_past_last_uses(func, loops)
        self.ranges = LiveRanges(loops)
        arguments = [a for block in fast.blocks_of(func.body) for a in block.args]
        for argument in arguments:
            self._class_of(argument)
        ties = [
            (op, operand, result)
            for block in fast.blocks_of(func.body)
            for op in fast.ops_of(block)
            for operand, result in tied_operands(op)
        ]
        if coalesce:
            self._coalesce(ties, loops)
        self._split_ties(ties)
        plans = self._plan_copies()
        self._number()
        self._insert(plans)
        self._strip_arguments()
        for block in fast.blocks_of(func.body):
            for op in fast.reversed_ops_of(block):
                if (is_immediate_move(op) or isinstance(op, UndefOp)) and (
                    op.results[0].first_use is None and register_class(op.results[0]).number is None
                ):
                    fast.erase(op)

    # Congruence classes

    def _class_of(self, value: SSAValue) -> _Class:
        found = self.classes.get(value)
        if found is None:
            found = self.classes[value] = _Class(value, self.ranges.range_of(value))
        return found

    def _coalesce(self, ties: Sequence[tuple[Operation, int, int]], loops: LoopInfo) -> None:
        wishes: list[tuple[int, SSAValue, SSAValue]] = []
        for op, operand, result in ties:
            depth = loops.depth(fast.block_of(op))
            wishes.append((depth, op.results[result], fast.operands_of(op)[operand]))
        for block in fast.blocks_of(self.func.body):
            last = block.last_op
            if isinstance(last, TerminatorOp):
                depth = loops.depth(block)
                for target, values in last.edges:
                    for argument, value in zip(target.args, values):
                        wishes.append((depth, argument, value))
        # The deepest edges first; equal depths stay in the order of the code, because sorting is
        # stable.
        wishes.sort(key=lambda wish: -wish[0])
        for _, a, b in wishes:
            if _needs_no_register(b) or type(a.type) is not type(b.type):
                continue
            into, other = self._class_of(a), self._class_of(b)
            if into is not other and not overlap(into.positions, other.positions):
                if len(into.members) < len(other.members):
                    into, other = other, into
                into.absorb(other)
                for member in other.members:
                    self.classes[member] = into

    def _split_ties(self, ties: Sequence[tuple[Operation, int, int]]) -> None:
        """Counts the copies that the printer inserts for tied operands in another register."""
        for op, operand, result in ties:
            value = fast.operands_of(op)[operand]
            into = self.classes.get(op.results[result])
            if into is None or self.classes.get(value) is not into:
                self.copies_made += 1

    # Copies

    def _plan_copies(self) -> list[tuple[Block, int | None, list[_Copy]]]:
        """The copies of each edge: their block, and the edge if they need a block on it.

        All edges from one block to another pass the same values, so only the first is considered.
        """
        plans: list[tuple[Block, int | None, list[_Copy]]] = []
        for block in fast.blocks_of(self.func.body):
            last = block.last_op
            if not isinstance(last, TerminatorOp):
                continue
            edges = last.edges
            own = fast.operands_of(last)[: last.own_operands]
            at_end: list[_Copy] = []
            seen: set[Block] = set()
            for number, (target, values) in enumerate(edges):
                if target in seen:
                    continue
                seen.add(target)
                copies = [
                    _Copy(argument, value)
                    for argument, value in zip(target.args, values)
                    if not isinstance(value.owner, UndefOp)
                    and self.classes[argument] is not self.classes.get(value)
                ]
                if not copies:
                    continue
                others = [edge for edge in edges if edge[0] is not target]
                if any(self._is_seen(c.argument, others, own) for c in copies):
                    plans.append((block, number, copies))
                else:
                    at_end.extend(copies)
            if at_end:
                plans.append((block, None, at_end))
        return plans

    def _is_seen(
        self, argument: BlockArgument, others: Sequence[Edge], own: Sequence[SSAValue]
    ) -> bool:
        """Returns True if the argument's register must not be written at the end of the block.

        It must not if another successor, a copy on another edge, or the terminator itself reads it.
        """
        written = self.classes[argument]
        read = [*own]
        for block, values in others:
            if covers(written.positions, self.ranges.start[block]):
                return True
            read.extend(values)
        return any(self.classes.get(value) is written for value in read)

    def _number(self) -> None:
        """Assigns a register to each class with an argument or several members."""
        numbers = RegisterNumbers(self.func)
        entry = self.func.body.blocks.first
        assert entry is not None
        first = entry.first_op
        assert first is not None
        done: set[int] = set()
        # Classes are visited in the order of the code, so that registers are numbered in that
        # order.
        for block in list(fast.blocks_of(self.func.body)):
            values: list[SSAValue] = list(block.args)
            for op in fast.ops_of(block):
                values.extend(op.results)
            for value in values:
                found = self.classes.get(value)
                if found is None or id(found) in done:
                    continue
                done.add(id(found))
                if len(found.members) > 1 or isinstance(value, BlockArgument):
                    self._give_register(found, numbers, first)

    def _give_register(self, found: _Class, numbers: RegisterNumbers, first: Operation) -> None:
        register = numbers.fresh(register_class(found.members[0]).unallocated)
        op = fast.create(RegisterOp, (), (register,))
        fast.insert_before(op, first)
        found.register = op.results[0]
        self.classes_made += 1

    def _place_of(self, value: SSAValue) -> SSAValue:
        found = self.classes.get(value)
        return value if found is None or found.register is None else found.register

    def _insert(self, plans: Sequence[tuple[Block, int | None, list[_Copy]]]) -> None:
        made: list[tuple[Block, int | None, list[InstructionOp]]] = []
        temporaries: list[Operation] = []
        for block, edge, copies in plans:
            made.append((block, edge, self._copy_ops(copies, temporaries)))
        self._replace_members()
        split: dict[Block, list[int]] = {}
        for block, edge, _ in made:
            if edge is not None:
                split.setdefault(block, []).append(edge)
        branches: dict[tuple[Block, int | None], TerminatorOp] = {}
        for block, edges in split.items():
            last = branch_of(block)
            groups = [last.edges_to(fast.successors_of(last)[edge]) for edge in edges]
            for edge, new in zip(edges, split_edges(last, groups)):
                branches[block, edge] = new
        for block, edge, ops in made:
            self.copies_made += len(ops)
            last = branches.get((block, edge)) or branch_of(block)
            for op in ops:
                fast.insert_before(op, last)

    def _copy_ops(
        self, copies: Sequence[_Copy], temporaries: list[Operation]
    ) -> list[InstructionOp]:
        """A sequence of copies that is equivalent to the parallel copies of one program point."""
        constants: list[InstructionOp] = []
        pairs: list[tuple[SSAValue, SSAValue]] = []
        for copy in copies:
            target = self._place_of(copy.argument)
            owner = copy.value.owner
            if isinstance(owner, InstructionOp) and is_immediate_move(owner):
                made = fast.copy_op(owner, {})
                fast.set_type(made.results[0], target.type)
                constants.append(made)
            else:
                source = self._place_of(copy.value)
                if source is not target:
                    pairs.append((target, source))
        scratch: list[InstructionOp] = []
        places: dict[SSAValue, SSAValue] = {}

        def temporary(value: SSAValue) -> SSAValue:
            spare = move(value, register_class(value).unallocated)
            scratch.append(spare)
            places[spare.results[0]] = value
            return spare.results[0]

        ops: list[InstructionOp] = []
        for target, source in sequence_copies(pairs, temporary):
            if target in places:
                # The copy to a temporary is the instruction that defines it.
                ops.append(next(s for s in scratch if s.results[0] is target))
            else:
                ops.append(move(source, register_class(target)))
        return [*ops, *constants]

    def _replace_members(self) -> None:
        seen: set[int] = set()
        for found in list(self.classes.values()):
            if id(found) in seen or found.register is None:
                continue
            seen.add(id(found))
            for member in found.members:
                fast.replace_all_uses(member, found.register)
                if isinstance(member, OpResult):
                    fast.set_type(member, found.register.type)

    def _strip_arguments(self) -> None:
        for block in fast.blocks_of(self.func.body):
            last = block.last_op
            if isinstance(last, TerminatorOp):
                last.set_edges([(target, ()) for target, _ in last.edges])
        for block in fast.blocks_of(self.func.body):
            for index in reversed(range(len(block.args))):
                fast.erase_argument(block, index)


def move(source: SSAValue, register: RegisterClass) -> InstructionOp:
    """A new, detached `mov` of a register to another of its class."""
    kind = "pred" if register.width == 1 else register.ptx_type
    return build("mov", kind, (source,), (register,))


def _needs_no_register(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, UndefOp) or (isinstance(owner, Operation) and is_immediate_move(owner))
