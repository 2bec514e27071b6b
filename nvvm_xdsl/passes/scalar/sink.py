"""`sink`: moves ops into the successor that uses them.

      %m = llvm.mul %x, %y : i32                         llvm.cond_br %c, ^then, ^end
      llvm.cond_br %c, ^then, ^end                     ^then:
    ^then:                                       ->      %m = llvm.mul %x, %y : i32
      llvm.store %m, %p : i32, !llvm.ptr<1>              llvm.store %m, %p : i32, !llvm.ptr<1>

A block's ops are visited from last to first, so that the operands of a moved op can be moved after
it. An op is moved to a block that its block dominates, that dominates all its uses, and that is in
no additional loop. A load is moved only past ops that do not write its memory, and only to a block
whose single predecessor is the branch's block. A load from global memory stays in its
loop and block if the block uses a load of the same cache line: both are then in flight together, and
a line is fetched in any case. Convergent ops, ops with effects and inline assembly
are not moved. Neither are loop-invariant ops that every iteration executes: `licm` hoists them into
the preheader, but not from a block that some iterations skip.

An op is not moved to a block of its loop that post-dominates its block: it would run as often there,
and the live ranges of its operands would become longer.

With `rp-aware` an op is moved only if that does not increase register pressure: the operands whose
live ranges it ends occupy as many registers as its results did. (`sink<rp-aware>` is NVIDIA's form,
with the knob `rp-aware-sink`; the sister page on Sinking2.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.llvm import AllocaOp, FuncOp, InlineAsmOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import RegisterCosts, registers_of
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.memory.near_loads import holds_near_load
from nvvm_xdsl.analysis.side_effects import is_expression
from nvvm_xdsl.dialects.effects import ARGUMENTS_ONLY, READS, UNSPECULATABLE, WRITES, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass

SUNK = Statistic("sink", "sunk", "Number of ops sunk to their uses")

MAX_WRITES = 16
"""Maximum number of writes after a load in its block past which it is moved."""


@dataclass(frozen=True)
class Sink(FunctionPass):
    """Moves ops into the blocks that use them.

    Arguments:
        rp_aware: whether an op is moved only if that does not increase register pressure.
    """

    name = "sink"
    title = "Sink"
    knobs: ClassVar[Mapping[str, str]] = {"rp-aware-sink": "rp-aware"}
    # A moved op may be moved further from its new block.
    idempotent = False

    rp_aware: bool = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        tree, loops = am.get(DominatorTree, func), am.get(LoopInfo, func)
        alias = am.get(AliasAnalysis, func)
        liveness = Liveness(tree.cfg) if self.rp_aware else None
        invariant = _invariant_ops(tree, loops)
        post = am.get(PostDominatorTree, func)
        changed = False
        for block in tree.cfg.rpo_blocks():
            if len(set(fast.successors_of(branches.terminator_of(block)))) > 1:
                changed |= _Sinker(block, tree, post, loops, alias, liveness, invariant).run()
        return changed


def _invariant_ops(tree: DominatorTree, loops: LoopInfo) -> set[Operation]:
    """The ops that each iteration of their innermost loop computes from values outside of it."""
    found: set[Operation] = set()
    for block in tree.cfg.rpo_blocks() if loops.top_level else ():
        loop = loops.loop_for(block)
        if loop is None or not all(tree.dominates(block, latch) for latch in loop.latches()):
            continue
        found.update(
            op
            for op in fast.ops_of(block)
            if is_expression(op)
            and all(loop.is_invariant(v) or v.owner in found for v in fast.operands_of(op))
        )
    return found


class _Sinker:
    """Sinks the ops of one block."""

    def __init__(
        self,
        block: Block,
        tree: DominatorTree,
        post: PostDominatorTree,
        loops: LoopInfo,
        alias: AliasAnalysis,
        liveness: Liveness | None,
        invariant: set[Operation],
    ) -> None:
        self.block = block
        self.tree = tree
        self.post = post
        self.loops = loops
        self.alias = alias
        self.liveness = liveness
        self.invariant = invariant
        self.home = loops.loop_for(block)
        self.costs = RegisterCosts(alias.layout)
        self.writes: list[Operation] = []

    def run(self) -> bool:
        """Sinks ops of the block into dominated blocks; returns whether anything moved."""
        targets = list(filter(self.runs_less_often, self.tree.children(self.block)))
        changed = False
        for op in fast.reversed_ops_of(self.block):
            flags = effects(op)
            if flags & WRITES:
                self.writes.append(op)
            if not _may_move(op, flags) or op in self.invariant:
                continue
            target = self.target_of(op, targets)
            if target is None or (flags & READS and not self.may_load_in(op, target)):
                continue
            if self.loops.loop_for(target) is self.home and holds_near_load(op, self.alias):
                continue
            if self.liveness is not None and self.takes_more(op, target, self.liveness):
                continue
            first = target.first_op
            assert first is not None
            fast.move_before(op, first)
            if self.liveness is not None:
                # No block before `target` uses the results again.
                for value in fast.operands_of(op):
                    self.liveness.extend(value, target)
            SUNK.add()
            changed = True
        return changed

    def runs_less_often(self, target: Block) -> bool:
        """Returns whether a dominated block is in no additional loop, and some paths avoid it."""
        loop = self.loops.loop_for(target)
        if loop is self.home:
            return not self.post.dominates(target, self.block)
        return loop is None or loop.contains(self.block)

    def target_of(self, op: Operation, targets: list[Block]) -> Block | None:
        """The block of `targets` that dominates all uses of the op; None if there is none."""
        homes = [user.parent for result in op.results for user in fast.users_of(result)]
        if not homes or self.block in homes:
            return None
        for target in targets:
            if all(home is not None and self.tree.dominates(target, home) for home in homes):
                return target
        return None

    def takes_more(self, op: Operation, target: Block, liveness: Liveness) -> bool:
        """Returns True if sinking increases the registers that are live at the end of the op's
        block."""
        added = sum(
            registers_of(self.costs.of_value(value))
            for value in set(fast.operands_of(op))
            if not liveness.is_live_out(value, self.block)
        )
        return added > sum(registers_of(self.costs.of(result.type)) for result in op.results)

    def may_load_in(self, op: Operation, target: Block) -> bool:
        """Returns whether no op between a load and the target writes the loaded memory."""
        location = self.alias.location(op)
        if fast.single_predecessor(target) is not self.block or len(self.writes) > MAX_WRITES:
            return False
        if location is None:
            return not self.writes
        return not any(self.alias.mod_ref(write, location) & WRITES for write in self.writes)


def _may_move(op: Operation, flags: int) -> bool:
    if flags & ~(READS | ARGUMENTS_ONLY | UNSPECULATABLE):
        return False
    if type(op) in CONSTANT_CLASSES or type(op) in (AllocaOp, InlineAsmOp):
        return False
    return not fast.successors_of(op)


__all__ = ["Sink"]
