"""Sinks instructions into the blocks that use their results.

      %a = nvptx.mul lo.s32 %x, %y            nvptx.cbra %c, ^then, ^exit
      nvptx.cbra %c, ^then, ^exit     ->    ^then:
    ^then:                                    %a = nvptx.mul lo.s32 %x, %y
      (uses %a)                               (uses %a)

Threads that do not execute `^then` save the instruction, and its result occupies no register on
other paths. LLVM's MachineSinking: an instruction is moved down the dominator tree to a block that
dominates all uses of its results. It is not moved into a loop that did not contain it, where it
would be executed more often, nor past an instruction on which it depends. A value that a branch
passes to a successor is used by the branch.

An instruction is sunk if that helps: out of a loop, to a block that not all threads execute, or if
its results occupy more registers than the operands whose live ranges are extended. Where more
than 32 registers are live, operands without other users are sunk, too: the operands of `mul.wide`
count for its result. Elsewhere registers cost no warps, and ptxas predicates shorter blocks.
Parameters of a kernel occupy none: they are constants in machine code, which ptxas reads where they are used. A
load from writable memory is sunk only along an edge to a block without other predecessors, and only
if no instruction after it in its block writes memory or synchronizes (`no-sinks-loads`: never). A
load from global memory is not moved past a branch if its block uses a load of the same cache line:
both are then in flight at the same time.

Critical edges are not split. LLVM does not split them either for targets that require structured
control flow (MachineBasicBlock::canSplitCriticalEdge), because threads of a warp may diverge at a
block on an edge.

Runs in SSA form, on blocks and instructions from last to first, so that the users of an instruction
are sunk before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.memory_accesses import access_of
from nvvm_xdsl.analysis.machine.register_pressure import RegisterCosts, registers_of
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.near_loads import LINE_BYTES
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, flags_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.passes.machine.motion import (
    INVARIANT_LOAD,
    blocks_loads,
    is_movable,
    reads_changing_memory,
)

MAX_CLIMB: Final = 256
"""Maximum number of steps up the dominator tree in the search for a position."""
MAX_CHAIN: Final = 3
"""Maximum number of instructions that are sunk because their only user is."""
FULL_OCCUPANCY: Final = 32
"""Maximum number of registers of a kernel whose warps fill a multiprocessor: 65,536 registers, 2,048
threads."""


SUNK: Final = Statistic("machine-sink", "sunk", "Number of machine instructions sunk")


@dataclass(frozen=True)
class MachineSinking(MachineFunctionPass):
    """Machine code sinking."""

    name = "machine-sink"
    title: ClassVar[str] = "MachineSinking"

    sinks_loads: bool = True
    """Whether loads from writable memory are sunk, too."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _Sinker(func, am, self.sinks_loads).run()


class _Sinker:
    def __init__(self, func: FuncOp, am: AnalysisManager, sinks_loads: bool) -> None:
        self.tree = am.get(DominatorTree, func)
        self.post = am.get(PostDominatorTree, func)
        self.loops = am.get(LoopInfo, func)
        self.liveness = am.get(Liveness, func)
        self.costs = RegisterCosts(DataLayout())
        self.is_kernel = func.is_kernel
        self.sinks_loads = sinks_loads
        self.order = list(self.tree.cfg.post_order_blocks())
        self.irreducible = {b for cycle in self.loops.irreducible_cycles for b in cycle.blocks}
        self.keys: dict[int, tuple[int, int]] = {}
        """Keys, by identity of the op, that order the instructions of a block."""
        self.fronts: dict[tuple[Block, int], Operation] = {}
        """The first of the instructions inserted before an original instruction, by block and
        position.
        """
        self.crowded: dict[Block, bool] = {}
        self.sunk = 0
        for block in self.order:
            for number, op in enumerate(fast.ops_of(block)):
                self.keys[id(op)] = (number, 0)

    def run(self) -> bool:
        """Sinks the movable ops of all blocks; returns whether anything moved."""
        for block in self.order:
            loads_stay = not self.sinks_loads
            for op in fast.reversed_ops_of(block):
                if not is_movable(op):
                    loads_stay = loads_stay or blocks_loads(op)
                    continue
                dominator = self._dominator_of_uses(op, block)
                if dominator is None:
                    continue
                is_load = reads_changing_memory(op)
                if is_load:
                    target = None if loads_stay else self._load_target(op, block, dominator)
                else:
                    target = self._target(op, block, dominator)
                if target is not None:
                    self._sink(op, target, at_start=is_load)
        SUNK.add(self.sunk)
        return self.sunk > 0

    def _dominator_of_uses(self, op: Operation, block: Block) -> Block | None:
        """The deepest block that dominates all uses; None if it is the op's own block, or if a use is
        unreachable."""
        tree, cfg = self.tree, self.tree.cfg
        users = {fast.block_of(user) for r in op.results for user in fast.users_of(r)}
        if not users or block in users:
            return None
        numbers = [cfg.numbers[b] for b in users]
        depths = [tree.depth[n] for n in numbers]
        home = tree.depth[cfg.numbers[block]]
        # Unreachable users have no dominator.
        if min(depths) < 0 or sum(depths) - len(depths) * home > MAX_CLIMB:
            return None
        found = numbers[0]
        for number in numbers[1:]:
            found = tree.common_dominator_number(found, number)
        return None if cfg.blocks[found] is block else cfg.blocks[found]

    def _target(self, op: Operation, block: Block, target: Block) -> Block | None:
        """The nearest dominator of `target`, or `target` itself, to which sinking is legal and
        profitable.
        """
        home = self.loops.loop_for(block)
        while target is not block:
            loop = self.loops.loop_for(target)
            entered = loop is not None and not loop.contains(block)
            if not entered and (target not in self.irreducible or block in self.irreducible):
                if loop is not home or self._helps(op, block, target):
                    return target
            up = self.tree.immediate_dominator(target)
            assert up is not None
            target = up
        return None

    def _load_target(self, op: Operation, block: Block, dominator: Block) -> Block | None:
        """The successor without other predecessors that dominates the uses, if sinking to it is
        profitable.
        """
        for successor in fast.successors_of(fast.terminator_of(block)):
            if fast.single_predecessor(successor) is block and self.tree.dominates(
                successor, dominator
            ):
                return successor if self._helps(op, block, successor) else None
        return None

    def _helps(self, op: Operation, block: Block, target: Block) -> bool:
        """Returns True if some threads no longer execute the instruction and no load has to wait for
        it, or if sinking saves registers.
        """
        if not self.post.dominates(target, block):
            leaves_loop = self.loops.loop_for(target) is not self.loops.loop_for(block)
            return leaves_loop or not _holds_near_load(op, block)
        cost = self.costs.of
        gain = sum(registers_of(cost(result.type)) for result in op.results)
        if gain > self._extended(op, target, 0):
            return True
        return gain > self._extended(op, target, MAX_CHAIN) and self._is_crowded(target)

    def _is_crowded(self, block: Block) -> bool:
        """Whether more registers are live at the start of a block than at full occupancy."""
        found = self.crowded.get(block)
        if found is None:
            live = self.liveness.live_in(block)
            values = (value for value in live if not self._is_parameter(value))
            registers = sum(registers_of(self.costs.of(value.type)) for value in values)
            found = self.crowded[block] = registers > FULL_OCCUPANCY
        return found

    def _extended(self, op: Operation, target: Block, depth: int) -> int:
        """The number of registers of operands whose live ranges extend if an instruction is sunk.

        An operand without other users can be sunk, too, which is considered for `depth` more
        instructions.
        """
        found = 0
        for value in set(fast.operands_of(op)):
            if self.liveness.is_live_in(value, target) or self._is_parameter(value):
                continue
            registers = registers_of(self.costs.of(value.type))
            made = value.owner
            if (
                depth
                and isinstance(made, Operation)
                and made.parent is op.parent
                and fast.single_use(value) is not None
                and not reads_changing_memory(made)
            ):
                registers = min(registers, self._extended(made, target, depth - 1))
            found += registers
        return found

    def _is_parameter(self, value: SSAValue) -> bool:
        """Returns True for a parameter of a kernel, also after its conversion to an address space."""
        op = value.owner
        if not self.is_kernel or not isinstance(op, InstructionOp):
            return False
        operands = fast.operands_of(op)
        if op.mnemonic == "cvta" and op.mods.startswith("to."):
            return self._is_parameter(operands[0])
        return not operands and flags_of(op) & INVARIANT_LOAD == INVARIANT_LOAD

    def _sink(self, op: Operation, target: Block, *, at_start: bool) -> None:
        """Inserts the instruction before its first user in the block, else at the block's end."""
        anchor = cast(Operation, target.first_op if at_start else target.last_op)
        for result in op.results:
            for user in fast.users_of(result):
                if user.parent is target and self.keys[id(user)] < self.keys[id(anchor)]:
                    anchor = user
        place = self.keys[id(anchor)][0]
        front = self.fronts.get((target, place))
        self.sunk += 1
        fast.move_before(op, anchor if front is None else front)
        self.fronts[target, place] = op
        self.keys[id(op)] = (place, -self.sunk)


def _holds_near_load(op: Operation, block: Block) -> bool:
    """Returns True if the instruction has to stay for a load for which `_is_near_used_load`.

    It is the load, or its only user in the block: ptxas moves a load without users in its block
    past the branch.
    """
    if _is_near_used_load(op, block):
        return True
    return any(
        isinstance(value, OpResult)
        and all(user is op or user.parent is not block for user in fast.users_of(value))
        and _is_near_used_load(value.op, block)
        for value in fast.operands_of(op)
    )


def _is_near_used_load(op: Operation, block: Block) -> bool:
    """Returns True for a load of global memory if its block uses another load of the same line."""
    access = access_of(op)
    if access is None or access.space != "global":
        return False
    for other in fast.ops_of(block):
        near = access_of(other) if other is not op else None
        if (
            near is not None
            and near.base == access.base
            and abs(near.offset - access.offset) < LINE_BYTES
            and any(user.parent is block for r in other.results for user in fast.users_of(r))
        ):
            return True
    return False


__all__ = ["MAX_CLIMB", "MachineSinking"]
