"""Converts into SSA form: registers that several instructions write become values and block
arguments.

    ^entry:                                      ^entry:
      %i = nvptx.register : !nvptx.b32<1>          %zero = nvptx.mov b32 0
      nvptx.mov b32 0 -> !nvptx.b32<1>             nvptx.bra ^loop(%zero)
      nvptx.bra ^loop                            ^loop(%i):
    ^loop:                                  ->     %next = nvptx.add s32 %i, 1
      nvptx.add s32 %i, 1 -> !nvptx.b32<1>         %c = nvptx.setp lt.s32 %next, %n
      %c = nvptx.setp lt.s32 %i, %n                nvptx.cbra %c, ^loop(%next), ^exit
      nvptx.cbra %c, ^loop, ^exit

The inverse of `nvptx-phi-elimination`: converts machine code read from PTX to the form that the
passes before PHI elimination expect. Arguments are placed at the iterated dominance frontier of the
writes where the register is live, and renaming follows the dominator tree (Cytron et al.,
"Efficiently Computing Static Single Assignment Form", 1991). A register that is read before it is
written is undefined.

A guarded instruction keeps the old values of its result registers if the guard is false. Pure
guarded instructions are executed unconditionally, and `selp` selects between new and old values;
other guarded instructions are moved to a block of their own. Unreachable blocks are removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp, branch, conditional_branch
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, GUARD_TRUE, InstructionOp, build
from nvvm_xdsl.dialects.nvptx.registers import PRED, RegisterClass, register_class
from nvvm_xdsl.dialects.nvptx.special_registers import RegisterOp, undef
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import set_bits
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, shares_registers
from nvvm_xdsl.passes.machine.block_arguments import pass_values
from nvvm_xdsl.transforms.cfg import remove_unreachable_blocks

_SELECTABLE_WIDTHS = frozenset({1, 16, 32, 64})


@dataclass(frozen=True)
class NVPTXSSAConstruction(MachineFunctionPass):
    """Converts machine code into SSA form."""

    name = "nvptx-ssa-construction"
    title: ClassVar[str] = "NVPTXSSAConstruction"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not shares_registers(func):
            return False
        _split_guarded(func)
        remove_unreachable_blocks(func.body)
        _Constructor(func).run()
        return True


def _split_guarded(func: FuncOp) -> None:
    """Makes guarded instructions with results unconditional."""
    entry = func.body.blocks.first
    assert entry is not None
    registers = {r.results[0].type: r.results[0] for r in _register_ops(entry)}
    for block in list(fast.blocks_of(func.body)):
        for op in list(fast.ops_of(block)):
            if not isinstance(op, InstructionOp) or not op.results or op.guard is None:
                continue
            if op.flags_here() & PURE and all(_is_selectable(r.type) for r in op.results):
                _select(op, registers)
            else:
                _move_to_own_block(op)


def _register_ops(entry: Block) -> list[RegisterOp]:
    return [op for op in fast.ops_of(entry) if isinstance(op, RegisterOp)]


def _is_selectable(type_: Attribute) -> bool:
    return cast(RegisterClass, type_).width in _SELECTABLE_WIDTHS


def _without_guard(op: InstructionOp, types: Sequence[Attribute]) -> InstructionOp:
    properties = {k: v for k, v in op.properties.items() if k != GUARD}
    return fast.create(
        type(op), fast.operands_of(op)[:-1], types, properties, (), None, op.location
    )


def _select(op: InstructionOp, registers: Mapping[Attribute, SSAValue]) -> None:
    """Executes a pure instruction and selects between its results and the old ones."""
    predicate = fast.operands_of(op)[-1]
    taken = op.guard is GUARD_TRUE
    types = [register_class(r) for r in op.results]
    made = _without_guard(op, [t.unallocated for t in types])
    fast.insert_before(made, op)
    # Both halves of a pair are selected by the original predicate, even if one of them redefines
    # it.
    chosen: list[SSAValue] = []
    for type_, new in zip(types, made.results):
        old = registers[type_]
        first, second = (new, old) if taken else (old, new)
        bare = type_.unallocated
        if type_.width == 1:
            chosen.append(_select_predicate(op, predicate, first, second))
        else:
            choice = build(
                "selp", bare.ptx_type, (first, second, predicate), (bare,), None, op.location
            )
            fast.insert_before(choice, op)
            chosen.append(choice.results[0])
    for type_, value in zip(types, chosen):
        move = build("mov", _move_type(type_), (value,), (type_,), None, op.location)
        fast.insert_before(move, op)
    fast.erase(op)


def _move_type(register: RegisterClass) -> str:
    return "pred" if register.width == 1 else register.ptx_type


def _select_predicate(
    at: InstructionOp, predicate: SSAValue, chosen: SSAValue, other: SSAValue
) -> SSAValue:
    """Selects between predicates as `predicate and chosen or not predicate and other`; `selp` has
    no form for predicates."""

    def emit(mnemonic: str, *operands: SSAValue) -> SSAValue:
        op = build(mnemonic, "pred", operands, (PRED,), None, at.location)
        fast.insert_before(op, at)
        return op.results[0]

    one = emit("and", chosen, predicate)
    two = emit("and", other, emit("not", predicate))
    return emit("or", one, two)


def _move_to_own_block(op: InstructionOp) -> None:
    """Branches around an instruction if its guard is false."""
    predicate = fast.operands_of(op)[-1]
    taken = op.guard is GUARD_TRUE
    block = fast.block_of(op)
    inside = fast.split_block_before(op)
    following = cast(Operation, op.next_op)
    after = fast.split_block_before(following)
    fast.insert_before(_without_guard(op, [r.type for r in op.results]), op)
    fast.erase(op)
    fast.append(inside, branch(after))
    then, other = (inside, after) if taken else (after, inside)
    fast.append(block, conditional_branch(predicate, then, other))


class _Constructor:
    """Renames the registers of a function, by their numbers in `registers`."""

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.tree = DominatorTree(func.body)
        entry = self.tree.block(0)
        self.declarations = _register_ops(entry)
        self.types = [register_class(op.results[0]) for op in self.declarations]
        self.of_type: dict[Attribute, int] = {
            type_: number for number, type_ in enumerate(self.types)
        }
        self.of_value = {id(op.results[0]): n for n, op in enumerate(self.declarations)}
        self.arguments: dict[Block, list[tuple[int, SSAValue]]] = {}
        self.undefined: dict[int, SSAValue] = {}

    def run(self) -> None:
        """Replaces register reads and writes by values and block arguments."""
        self._place_arguments()
        self._rename()
        for op in self.declarations:
            fast.erase(op)

    # Placement of arguments

    def _place_arguments(self) -> None:
        blocks = [self.tree.block(n) for n in self.tree.preorder_numbers()]
        writers: dict[int, list[Block]] = {}
        live = self._live_in(blocks, writers)
        entry_live = live[blocks[0]]
        live_blocks: dict[int, set[Block]] = {}
        for number, writing in writers.items():
            # A register that only one block writes, and that is not read before, needs no argument.
            if len(writing) > 1 or entry_live >> number & 1:
                live_blocks[number] = set()
        for block in blocks:
            for number in set_bits(live[block]):
                found = live_blocks.get(number)
                if found is not None:
                    found.add(block)
        for number, where in live_blocks.items():
            type_ = self.types[number].unallocated
            for block in self.tree.iterated_frontier(writers[number], where):
                argument = fast.add_argument(block, type_)
                self.arguments.setdefault(block, []).append((number, argument))

    def _live_in(
        self, blocks: Sequence[Block], writers: dict[int, list[Block]]
    ) -> dict[Block, int]:
        """The registers live into each block, as bits; records their writers."""
        of_type, of_value = self.of_type, self.of_value
        read_first: dict[Block, int] = {}
        written: dict[Block, int] = {}
        for block in blocks:
            reads = writes = 0
            for op in fast.ops_of(block):
                if type(op) is RegisterOp:
                    continue
                for value in fast.operands_of(op):
                    number = of_value.get(id(value))
                    if number is not None and not writes >> number & 1:
                        reads |= 1 << number
                for result in op.results:
                    number = of_type.get(result.type)
                    if number is not None:
                        if not writes >> number & 1:
                            writers.setdefault(number, []).append(block)
                        writes |= 1 << number
            read_first[block] = reads
            written[block] = writes
        live = dict(read_first)
        work = list(blocks)
        queued = set(work)
        while work:
            block = work.pop()
            queued.discard(block)
            needed = live[block]
            for before in fast.predecessors_of(block):
                if before not in live:
                    continue
                new = live[before] | needed & ~written[before]
                if new != live[before]:
                    live[before] = new
                    if before not in queued:
                        queued.add(before)
                        work.append(before)
        return live

    # Renaming

    def _rename(self) -> None:
        of_type = self.of_type
        entry = self.tree.block(0)
        values: list[SSAValue | None] = [None] * len(self.types)
        stack: list[Block | list[tuple[int, SSAValue | None]]] = [entry]
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                for number, before in reversed(item):
                    values[number] = before
                continue
            undo: list[tuple[int, SSAValue | None]] = []
            stack.append(undo)
            for number, argument in self.arguments.get(item, ()):
                undo.append((number, values[number]))
                values[number] = argument
            for op in fast.ops_of(item):
                if type(op) is RegisterOp:
                    continue
                self._rename_operands(op, values)
                for result in op.results:
                    type_ = result.type
                    number = of_type.get(type_)
                    if number is not None:
                        undo.append((number, values[number]))
                        values[number] = result
                        fast.set_type(result, self.types[number].unallocated)
                if isinstance(op, TerminatorOp):
                    self._pass_on(op, values)
            stack.extend(self.tree.children(item))

    def _rename_operands(self, op: Operation, values: list[SSAValue | None]) -> None:
        of_value = self.of_value
        for index, operand in enumerate(fast.operands_of(op)):
            number = of_value.get(id(operand))
            if number is not None:
                fast.set_operand(op, index, values[number] or self._undefined(number))

    def _pass_on(self, terminator: TerminatorOp, values: list[SSAValue | None]) -> None:
        pass_values(
            terminator,
            lambda target: [
                values[number] or self._undefined(number)
                for number, _ in self.arguments.get(target, ())
            ],
        )

    def _undefined(self, number: int) -> SSAValue:
        found = self.undefined.get(number)
        if found is None:
            op = undef(self.types[number].unallocated)
            fast.insert_before(op, self.declarations[0])
            found = self.undefined[number] = op.results[0]
        return found
