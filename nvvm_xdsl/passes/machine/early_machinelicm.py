"""Hoists loop-invariant instructions into the preheader.

    ^head(%i):                                %a = nvptx.mul lo.s32 %x, %y
      %a = nvptx.mul lo.s32 %x, %y            nvptx.bra ^head(...)
      %b = nvptx.add s32 %i, %a      ->     ^head(%i):
      ...                                     %b = nvptx.add s32 %i, %a

LLVM's EarlyMachineLICM, for instructions that selection created. It hoists instructions that may be
speculated: instructions without effects, loads from parameters and variables that are never
written, and other loads from memory that is not written if every thread that enters the loop
executes them. If the loop is entered by one edge of a branch, a preheader is created on that edge
when an instruction is hoisted.

ptxas hoists, too, according to the available registers, so after LLVM's -O3 the pass does not
change its output (bench/bench_codegen.py). But ptxas does not move hoisted instructions back.
Therefore a value is hoisted only while the estimated register pressure of the loop stays within
`register-limit`; registers of operands that have no other use in the loop are subtracted. Constants
are not hoisted: creating them where they are needed costs less than a register. Addresses of
symbols are hoisted: from sm_90 on the address of a shared variable takes three machine
instructions, which ptxas hoists only out of simple loops.

Runs in SSA form, inner loops first; the preheader of an inner loop is part of the outer one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure, registers_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp, branch_of
from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, SIDE_EFFECTS
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, is_constant_move
from nvvm_xdsl.passes.machine.block_arguments import split_edge
from nvvm_xdsl.passes.machine.motion import is_movable, is_speculatable, reads_changing_memory

REGISTER_LIMIT: Final = 32
"""Registers per thread of an SM with 65,536 registers and 2,048 threads."""


HOISTED: Final = Statistic(
    "early-machinelicm", "hoisted", "Number of machine instructions hoisted out of loops"
)


@dataclass(frozen=True)
class EarlyMachineLICM(MachineFunctionPass):
    """Machine loop-invariant code motion."""

    name = "early-machinelicm"
    title: ClassVar[str] = "EarlyMachineLICM"

    register_limit: int = REGISTER_LIMIT
    """Maximum number of 32-bit registers that hoisting may make live in a loop."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        loops = am.get(LoopInfo, func)
        if not loops.top_level:
            return False
        return _Hoister(func, am, loops, self.register_limit).run()


class _Hoister:
    def __init__(self, func: FuncOp, am: AnalysisManager, loops: LoopInfo, limit: int) -> None:
        self.loops = loops
        self.tree = am.get(DominatorTree, func)
        self.limit = limit
        pressure = am.get(RegisterPressure, func)
        self.cost = pressure.costs.of
        self.facts = LoopFacts(loops)
        self.speculatable: dict[Operation, bool | None] = {}
        """For each examined op, whether it may be speculated; None if it must not be moved."""
        self.most: dict[Loop, int] = dict.fromkeys(loops.loops(), 0)
        """Maximum number of simultaneously live registers, by loop."""
        self.stops: set[Loop] = set()
        """The loops in which a thread may terminate."""
        for block in func.body.blocks:
            loop = loops.loop_for(block)
            if loop is not None:
                self.most[loop] = max(self.most[loop], pressure.of_block(block).registers)
                if any(_may_stop(op) for op in fast.ops_of(block)):
                    self.stops.add(loop)
        for loop in loops.innermost_first():
            if loop.parent is not None:
                self.most[loop.parent] = max(self.most[loop.parent], self.most[loop])
                if loop in self.stops:
                    self.stops.add(loop.parent)

    def run(self) -> bool:
        """Hoists from inner loops first; returns whether anything moved."""
        changed = False
        for loop in self.loops.innermost_first():
            changed |= self._hoist_from(loop)
            if loop.parent is not None:
                self.most[loop.parent] = max(self.most[loop.parent], self.most[loop])
        return changed

    def _hoist_from(self, loop: Loop) -> bool:
        source = loop.predecessor()
        if source is None:
            return False
        preheader: Block | None = None
        ends = self.facts.exiting_blocks(loop) or [loop.header]

        def is_certain(block: Block | None) -> bool:
            """Returns True if every thread which enters the loop executes the block."""
            return (
                block is not None
                and loop not in self.stops
                and all(self.tree.dominates(block, e) for e in ends)
            )

        if not any(
            self._may_go(op, True) and self._may_go(op, is_certain(op.parent))
            for op in self.facts.invariant_ops(loop)
        ):
            return False
        for block in list(loop.blocks):
            block_is_certain = is_certain(block)
            for op in fast.ops_of(block):
                if not self._should_go(op, loop, block_is_certain):
                    continue
                if preheader is None:
                    preheader = loop.preheader() or self._make_preheader(loop, source)
                    if preheader is None:
                        return False
                fast.move_before(op, fast.terminator_of(preheader))
                HOISTED.add()
        if preheader is not None:
            self.facts = LoopFacts(self.loops)
        return preheader is not None

    def _may_go(self, op: Operation, is_certain: bool) -> bool:
        """True if the instruction may be hoisted from a loop in which its operands are
        invariant."""
        # In a loop nest an op is examined once for each loop.
        if op not in self.speculatable:
            stays = not is_movable(op) or is_constant_move(op) or reads_changing_memory(op)
            self.speculatable[op] = None if stays else is_speculatable(op)
        found = self.speculatable[op]
        return found is not None and (found or is_certain)

    def _should_go(self, op: Operation, loop: Loop, is_certain: bool) -> bool:
        """Returns True if hoisting is legal and the registers suffice."""
        if not loop.has_invariant_operands(op) or not self._may_go(op, is_certain):
            return False
        growth = sum(registers_of(self.cost(result.type)) for result in op.results)
        for value in set(fast.operands_of(op)):
            if fast.single_use(value) is not None:
                growth -= registers_of(self.cost(value.type))
        if growth > 0 and self.most[loop] + growth > self.limit:
            return False
        self.most[loop] += growth
        return True

    def _make_preheader(self, loop: Loop, source: Block) -> Block | None:
        """A new block on the edge into the loop; None if there are several edges."""
        last = branch_of(source)
        numbers = [n for n, b in enumerate(fast.successors_of(last)) if b is loop.header]
        if len(numbers) != 1:
            return None
        made = fast.block_of(split_edge(last, numbers[0]))
        self.tree.split_edge(source, made, loop.header)
        outer = loop.parent
        self.loops.add_block(made, outer)
        while outer is not None:
            # The block is inserted before the blocks of the inner loop, to keep the reverse
            # post-order.
            outer.blocks.pop()
            outer.blocks.insert(outer.blocks.index(loop.header), made)
            outer = outer.parent
        return made


def _may_stop(op: Operation) -> bool:
    """Returns True if a thread may terminate at the instruction, such as a call or `exit`."""
    return bool(flags_of(op) & (SIDE_EFFECTS | CONVERGENT)) and not isinstance(op, TerminatorOp)


__all__ = ["REGISTER_LIMIT", "EarlyMachineLICM"]
