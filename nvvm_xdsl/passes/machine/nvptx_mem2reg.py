"""Promotes slots of local memory to registers.

    nvptx.local @x 8 align 8
    nvptx.st local.b64 [@x], %a
    ...                                      %b is %a
    %b = nvptx.ld local.b64 [@x]

After the optimizer, most stack variables are copies of by-value parameters or were created by
selection. A variable is split into its parts if its address is not taken and its accesses are not
volatile and each two of them access disjoint or equal bytes. The parts are converted to SSA form
with the standard algorithm: block arguments are placed at the iterated dominance frontier of the
stores where the part is live, and renaming follows the dominator tree (Cytron et al., "Efficiently
Computing Static Single Assignment Form", 1991). Dead arguments are removed by the next dead code
elimination. A load before any store is undefined.

Runs in SSA form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, cast

from xdsl.ir import Block, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.machine.memory_accesses import Access, access_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.functions import FuncOp, LocalOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, VOLATILE, build, operand_groups
from nvvm_xdsl.dialects.nvptx.operands import REGISTER_KIND, SYMBOL_KIND, Slot, layout
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, B128, RegisterClass, register_class
from nvvm_xdsl.dialects.nvptx.special_registers import undef
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, shares_registers, symbols_of
from nvvm_xdsl.passes.machine.block_arguments import pass_values
from nvvm_xdsl.passes.machine.dead_instructions import eliminate_dead_instructions

_NARROW = frozenset({"b8", "u8", "s8"})


@dataclass
class _Piece:
    """A part of a variable: offset, register class and accesses."""

    name: str
    offset: int
    size: int
    register: RegisterClass
    loads: list[Access] = field(default_factory=list[Access])
    stores: list[Access] = field(default_factory=list[Access])


@dataclass(frozen=True)
class NVPTXMem2Reg(MachineFunctionPass):
    """Promotes variables of the stack frame to registers."""

    name = "nvptx-mem2reg"
    title: ClassVar[str] = "NVPTXMem2Reg"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        pieces = [] if shares_registers(func) else _promotable(func)
        if not pieces:
            return False
        tree = am.get(DominatorTree, func)
        promoter = _Promoter(func, tree, pieces)
        promoter.run()
        eliminate_dead_instructions(func)
        return True


def _promotable(func: FuncOp) -> list[_Piece]:
    """The parts of the variables that can be promoted."""
    names = {
        op.symbol
        for block in fast.blocks_of(func.body)
        for op in fast.ops_of(block)
        if isinstance(op, LocalOp)
    }
    if not names:
        return []
    pieces: dict[tuple[str, int], _Piece] = {}
    for block in fast.blocks_of(func.body):
        for op in fast.ops_of(block):
            used = [name for name in symbols_of(op) if name in names]
            if not used:
                continue
            access = access_of(op)
            if access is None or access.base not in names or not _is_plain(access):
                names -= set(used)
                continue
            piece = _covered_part(access, pieces)
            if piece is None:
                names.discard(access.base)
    for name in list(names):
        if _overlaps([p for p in pieces.values() if p.name == name]):
            names.discard(name)
    return [p for p in pieces.values() if p.name in names]


def _is_plain(access: Access) -> bool:
    """Returns True if the access is a plain scalar access of a whole register."""
    op = access.op
    if GUARD in op.properties or VOLATILE in op.attributes or access.space != "local":
        return False
    words = op.mods.split(".")
    if words[0] != "local" or len(words) != 2 or words[1] in _NARROW:
        return False
    if not access.is_store:
        return True
    _, (slot, _) = operand_groups(op)
    # An address that is stored escapes, even into the variable itself.
    return slot[0] != SYMBOL_KIND


def _covered_part(access: Access, pieces: dict[tuple[str, int], _Piece]) -> _Piece | None:
    """The part that the access covers exactly; None if it overlaps other accesses differently."""
    name = cast(str, access.base)
    key = (name, access.offset)
    piece = pieces.get(key)
    register = _register_of(access)
    if piece is None:
        if register is None:
            register = _register_for_size(access.size)
        piece = pieces[key] = _Piece(name, access.offset, access.size, register)
    elif piece.size != access.size:
        return None
    (piece.stores if access.is_store else piece.loads).append(access)
    return piece


def _register_of(access: Access) -> RegisterClass | None:
    """The register class of a loaded or stored operand, None for an immediate."""
    if not access.is_store:
        return register_class(access.op.results[0]).unallocated
    _, (_, values) = operand_groups(access.op)
    return register_class(values[0]).unallocated if values else None


def _register_for_size(size: int) -> RegisterClass:
    return {2: B16, 4: B32, 8: B64, 16: B128}[size]


def _overlaps(pieces: list[_Piece]) -> bool:
    ordered = sorted(pieces, key=lambda p: p.offset)
    return any(a.offset + a.size > b.offset for a, b in pairwise(ordered))


class _Promoter:
    def __init__(self, func: FuncOp, tree: DominatorTree, pieces: list[_Piece]) -> None:
        self.func = func
        self.tree = tree
        self.pieces = pieces
        self.of_access = {id(a.op): n for n, p in enumerate(pieces) for a in (*p.loads, *p.stores)}
        self.arguments: dict[Block, list[tuple[int, SSAValue]]] = {}

    def run(self) -> None:
        """Replaces the accesses to the slots by values."""
        for number, piece in enumerate(self.pieces):
            self._place_arguments(number, piece)
        self._rename()

    def _place_arguments(self, number: int, piece: _Piece) -> None:
        tree = self.tree
        writing = {fast.block_of(a.op) for a in piece.stores}
        writing = {b for b in writing if tree.contains(b)}
        for block in tree.iterated_frontier(writing, _live_in_blocks(piece)):
            argument = fast.add_argument(block, piece.register)
            self.arguments.setdefault(block, []).append((number, argument))

    def _rename(self) -> None:
        entry = self.tree.block(0)
        first = entry.first_op
        assert first is not None
        values: list[SSAValue | None] = [None] * len(self.pieces)
        stack: list[Block | list[tuple[int, SSAValue | None]]] = [entry]
        reached: set[Block] = set()
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                for number, before in reversed(item):
                    values[number] = before
                continue
            reached.add(item)
            undo: list[tuple[int, SSAValue | None]] = []
            stack.append(undo)
            for number, argument in self.arguments.get(item, ()):
                undo.append((number, values[number]))
                values[number] = argument
            for op in fast.ops_of(item):
                number = self.of_access.get(id(op))
                if number is not None:
                    access = cast(Access, access_of(op))
                    if access.is_store:
                        undo.append((number, values[number]))
                        values[number] = self._stored(access, self.pieces[number])
                    else:
                        value = values[number]
                        if value is None:
                            value = values[number] = self._undefined(number)
                        self._replace_load(access, value)
                        continue
                    fast.erase(op)
                elif isinstance(op, TerminatorOp):
                    self._pass_on(op, values)
            stack.extend(self.tree.children(item))
        for block in fast.blocks_of(self.func.body):
            if block not in reached:
                last = block.last_op
                if isinstance(last, TerminatorOp):
                    self._pass_on(last, [None] * len(self.pieces))

    def _undefined(self, number: int) -> SSAValue:
        entry = self.func.body.blocks.first
        assert entry is not None
        op = undef(self.pieces[number].register)
        first = entry.first_op
        assert first is not None
        fast.insert_before(op, first)
        return op.results[0]

    def _pass_on(self, terminator: TerminatorOp, values: list[SSAValue | None]) -> None:
        pass_values(
            terminator,
            lambda target: [
                values[number] or self._undefined(number)
                for number, _ in self.arguments.get(target, ())
            ],
        )

    def _stored(self, access: Access, piece: _Piece) -> SSAValue:
        """The stored value in the part's register class."""
        _, (slot, values) = operand_groups(access.op)
        if len(values) == 1 and slot[0] == REGISTER_KIND:
            if register_class(values[0]).unallocated is piece.register:
                return values[0]
        return _moved(access, piece.register, values, slot)

    def _replace_load(self, access: Access, value: SSAValue) -> None:
        result = access.op.results[0]
        if result.type is not value.type:
            value = _moved(access, register_class(result), (value,), None)
        fast.replace_op(access.op, (value,))


def _moved(
    access: Access, register: RegisterClass, values: Sequence[SSAValue], slot: Slot | None
) -> SSAValue:
    """The operand of an access in another register class, moved before the access."""
    made = build(
        "mov",
        f"b{register.width}",
        values,
        (register,),
        None if slot is None or slot[0] == REGISTER_KIND else layout(slot),
        access.op.location,
    )
    fast.insert_before(made, access.op)
    return made.results[0]


def _live_in_blocks(piece: _Piece) -> set[Block]:
    """The blocks at whose start the part is live."""
    stored_first: set[Block] = set()
    loaded_first: set[Block] = set()
    accesses = {id(a.op): a for a in (*piece.loads, *piece.stores)}
    for block in {fast.block_of(a.op) for a in accesses.values()}:
        for op in fast.ops_of(block):
            access = accesses.get(id(op))
            if access is not None:
                (stored_first if access.is_store else loaded_first).add(block)
                break
    live = set(loaded_first)
    work = list(live)
    while work:
        block = work.pop()
        for before in fast.predecessors_of(block):
            if before not in live:
                # A block that stores does not pass on values of its predecessors.
                if before in stored_first:
                    continue
                live.add(before)
                work.append(before)
    return live
