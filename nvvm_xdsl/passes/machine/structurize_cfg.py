"""Makes irreducible control flow reducible by splitting nodes.

    ^entry: cbra %c, ^x, ^y             ^entry: cbra %c, ^x, ^y2
    ^x:     ... bra ^y                  ^x:     ... bra ^y
    ^y:     ... cbra %d, ^x, ^exit  ->  ^y:     ... cbra %d, ^x, ^exit
                                        ^y2:    ... cbra %d, ^x, ^exit

The cycle of ^x and ^y has two entries, so it is not a natural loop. Threads of a warp that enter it
at different blocks have no reconvergence point in it, and the passes and ptxas's optimizer ignore
such cycles. One entry becomes the header; the blocks reachable from the other entries before it are
copied for the outside edges (J. Janssen and H. Corporaal, "Making Graphs Reducible with Controlled
Node Splitting", TOPLAS 1997). The header is the entry with the fewest copied instructions.

cicc's pass detects such cycles and reports UnsupportedIrreducibleCFG. Here that is an error only
for instructions that must not be copied: convergent instructions, pragmas and inline assembly with
labels; and for cycles that exceed `max-copied-instructions`. With two copies of a shuffle, or of an
aligned barrier such as `bar.sync`, threads of a warp might execute different copies, where they
executed one instruction together before. That would be correct only if no warp diverges before the
cycle, which cannot be determined for registers with several writers. A barrier that is not aligned
may be copied: it counts threads by its number, whichever instruction they execute (PTX ISA 9.1,
section 9.7.13.1). The Flow blocks of LLVM's StructurizeCFG are unnecessary: PTX permits arbitrary
branches, and ptxas places the reconvergence points.

Requires the property NoPHIs: a value that a copied block defines and other blocks use is kept in a
register that both copies write.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import IrreducibleCycle, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import is_noduplicate
from nvvm_xdsl.dialects.nvptx.calls import CallOp, InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import PragmaOp, branch_of
from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, flags_of
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.dialects.nvptx.special_registers import RegisterOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, RegisterNumbers, require_no_phis

MAX_COPIED_INSTRUCTIONS: Final = 10_000
"""Maximum growth of a function: node splitting can double a graph for each entry of each cycle."""

_LABEL = re.compile(r"(?<!:):(?!:)")


_BARRIERS = frozenset(
    f"barrier.{cta}{kind}" for cta in ("", "cta.") for kind in ("sync", "arrive", "red")
)


COPIED: Final = Statistic("structurize-cfg", "copied", "Number of blocks copied")


@dataclass(frozen=True)
class StructurizeCFG(MachineFunctionPass):
    """Splits nodes until every cycle has one entry."""

    name = "structurize-cfg"
    title: ClassVar[str] = "StructurizeCFG"

    max_copied_instructions: int = MAX_COPIED_INSTRUCTIONS
    """Maximum number of instructions of all copies in one function."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        loops = am.get(LoopInfo, func)
        if loops.is_reducible:
            return False
        require_no_phis(func, self.name)
        splitter = _Splitter(func, self.max_copied_instructions)
        while not loops.is_reducible:
            splitter.split(loops.cfg, loops.irreducible_cycles[0])
            loops = LoopInfo(CFG(func.body))
        return True


@dataclass(frozen=True)
class _Part:
    """The blocks that are copied if `header` becomes the cycle's only entry; `size` is their number
    of instructions."""

    header: Block
    blocks: tuple[Block, ...]
    size: int


class _Splitter:
    def __init__(self, func: FuncOp, budget: int) -> None:
        self.func = func
        self.budget = budget
        self.numbers = RegisterNumbers(func)

    def split(self, graph: CFG, cycle: IrreducibleCycle) -> None:
        """Copies blocks so that the cycle has one entry. Raises DiagnosticError if that is
        impossible.
        """
        part = self._choose(graph, cycle)
        self.budget -= part.size
        COPIED.add(len(part.blocks))
        copied = set(part.blocks)
        for block in part.blocks:
            for op in fast.ops_of(block):
                for result in op.results:
                    self._share(result, block)
        members = set(cycle.blocks)
        outside = [
            (entry, pred)
            for entry in cycle.entries
            if entry is not part.header
            for pred in dict.fromkeys(fast.predecessors_of(entry))
            if pred not in members
        ]
        copies = {block: fast.new_block() for block in part.blocks}
        for block, copy in copies.items():
            mapping: dict[SSAValue, SSAValue] = {}
            for op in fast.ops_of(block):
                made = fast.copy_op(op, mapping, copies)
                mapping.update(zip(op.results, made.results))
                fast.append(copy, made)
            fast.insert_block_after(copy, block)
        for entry, pred in outside:
            assert entry in copied
            last = branch_of(pred)
            last.set_edges(
                [(copies[entry] if b is entry else b, values) for b, values in last.edges]
            )

    def _choose(self, graph: CFG, cycle: IrreducibleCycle) -> _Part:
        """The header for which the fewest instructions are copied, with the blocks to copy."""
        best: _Part | None = None
        obstacle: Operation | None = None
        for header in cycle.entries:
            blocks = _reached_before(header, cycle)
            fixed = next((op for b in blocks for op in fast.ops_of(b) if _is_fixed(op)), None)
            size = sum(1 for b in blocks for _ in fast.ops_of(b))
            if fixed is not None:
                obstacle = fixed
            elif best is None or size < best.size:
                best = _Part(header, blocks, size)
        if best is not None and best.size <= self.budget:
            return best
        if best is None:
            assert obstacle is not None
            reason = f"'{obstacle.name}' must not be copied"
        else:
            reason = f"splitting it copies {best.size} instructions, more than the remaining limit of {self.budget}"

        def names(blocks: Sequence[Block]) -> str:
            numbers = sorted(graph.numbers[b] for b in blocks)
            return ", ".join(graph.name(n) for n in numbers)

        raise DiagnosticError(
            f"UnsupportedIrreducibleCFG: in '{self.func.symbol}' the cycle of "
            f"{names(cycle.blocks)} is entered at {names(cycle.entries)}, and {reason}"
        )

    def _share(self, value: SSAValue, block: Block) -> None:
        """Assigns a register that copies can also write to a value that other blocks use."""
        register = register_class(value)
        if register.number is not None:
            return
        if all(user.parent is block for user in fast.users_of(value)):
            return
        op = fast.create(RegisterOp, (), (self.numbers.fresh(register),))
        fast.prepend(self.func.body.blocks[0], op)
        fast.replace_all_uses(value, op.results[0])
        fast.set_type(value, op.results[0].type)


def _reached_before(header: Block, cycle: IrreducibleCycle) -> tuple[Block, ...]:
    """The blocks of a cycle that are reachable from its other entries without the header."""
    members = set(cycle.blocks)
    work = [entry for entry in cycle.entries if entry is not header]
    found = set(work)
    while work:
        for target in fast.successors_of(fast.terminator_of(work.pop())):
            if target in members and target is not header and target not in found:
                found.add(target)
                work.append(target)
    return tuple(block for block in cycle.blocks if block in found)


def _is_unaligned_barrier(op: Operation) -> bool:
    return (
        isinstance(op, InstructionOp)
        and op.mnemonic in _BARRIERS
        and "aligned" not in op.mods.split(".")
    )


def _is_fixed(op: Operation) -> bool:
    """Returns True if an instruction must not be copied.

    Calls may be copied, because threads need not execute a call together.
    """
    if is_noduplicate(op):
        return True
    if isinstance(op, CallOp) or _is_unaligned_barrier(op):
        return False
    if isinstance(op, InlineAsmOp) and _LABEL.search(op.template):
        return True
    return isinstance(op, (PragmaOp, RegisterOp)) or bool(flags_of(op) & CONVERGENT)


__all__ = ["MAX_COPIED_INSTRUCTIONS", "StructurizeCFG"]
