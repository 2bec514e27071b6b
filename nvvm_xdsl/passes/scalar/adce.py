"""`adce`: removes dead ops, including branches that control only dead ops.

      llvm.cond_br %c, ^then, ^join                       llvm.br ^join
    ^then:                                              ^join:
      %a = llvm.mul %x, %x : i32                 ->       llvm.return %x : i32
      llvm.br ^join
    ^join:
      llvm.return %x : i32

All ops are assumed dead until proved live. Live ops are ops that write, synchronize or may not
return, the operands of live ops, and the branches that decide whether live ops are executed
(control dependences of their blocks). A dead branch is replaced with a jump to the immediate
post-dominator.

Loops are kept, because their termination is unknown here. Convergent ops keep the branches that
control them alive, so the same threads reach them as before.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import PostDominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.dead_code import eliminate_dead_code

BRANCHES = Statistic("adce", "branches", "Number of dead branches removed")


@dataclass(frozen=True)
class ADCE(FunctionPass):
    """Removes dead ops, and branches that control only dead ops."""

    name = "adce"
    title = "ADCE"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = cfg.remove_unreachable_blocks(func.regions[0])
        if changed:
            am.invalidate(func)
        graph = am.get(CFG, func)
        if any(len(set(targets)) > 1 for targets in graph.successors):
            tree = am.get(PostDominatorTree, func)
            if self._remove_branches(func, graph, tree):
                changed = True
                am.invalidate(func)
        return eliminate_dead_code(func) or changed

    def _remove_branches(self, func: FuncOp, graph: CFG, tree: PostDominatorTree) -> bool:
        needed = _LiveOps(graph, tree).find()
        constants = Constants(func)
        changed = False
        for block in graph.blocks:
            terminator = branches.terminator_of(block)
            targets = fast.successors_of(terminator)
            if len(set(targets)) < 2 or terminator in needed:
                continue
            meeting = tree.immediate_post_dominator(block)
            if meeting is None:
                continue
            # The arguments of a block are dead if it is reached only through dead branches.
            values = tuple(constants.poison(a.type) for a in meeting.args)
            cfg.replace_terminator(terminator, branches.branch(meeting, values))
            BRANCHES.add()
            changed = True
        if changed:
            cfg.remove_unreachable_blocks(func.regions[0])
        return changed


class _LiveOps:
    """Finds the live ops, block arguments and branches of a function."""

    def __init__(self, graph: CFG, tree: PostDominatorTree) -> None:
        self.graph = graph
        self.deciding = tree.frontiers()
        self.ops: set[Operation] = set()
        self.arguments: set[SSAValue] = set()
        self.blocks: set[int] = set()
        self.work: list[SSAValue] = []

    def find(self) -> set[Operation]:
        """Returns the live ops: the ops with effects, and all ops on which they depend."""
        graph = self.graph
        for number, block in enumerate(graph.blocks):
            for op in fast.ops_of(block):
                if not fast.successors_of(op) and not is_removable(op):
                    self.need(op, number)
        for source, _ in graph.retreating_edges:
            self.need(branches.terminator_of(graph.blocks[source]), source)
        while self.work:
            self.need_value(self.work.pop())
        return self.ops

    def need(self, op: Operation, number: int) -> None:
        """Marks an op as live, and the branches that control its block."""
        self._need_op(op)
        pending = [number]
        while pending:
            at = pending.pop()
            if at in self.blocks:
                continue
            self.blocks.add(at)
            for deciding in self.deciding[at]:
                self._need_op(branches.terminator_of(self.graph.blocks[deciding]))
                pending.append(deciding)

    def _need_op(self, op: Operation) -> None:
        """Marks an op as live and queues its operands, without the values of block arguments."""
        if op in self.ops:
            return
        self.ops.add(op)
        operands = fast.operands_of(op)
        if fast.successors_of(op):
            carried = sum(len(values) for _, values in branches.edges_of(op))
            operands = operands[: len(operands) - carried]
        self.work.extend(operands)

    def need_value(self, value: SSAValue) -> None:
        """Marks the definition of a value as live; for a block argument, the branches that select
        its value.
        """
        if type(value) is BlockArgument:
            if value in self.arguments:
                return
            self.arguments.add(value)
            block = value.block
            for source in dict.fromkeys(fast.predecessors_of(block)):
                terminator = branches.terminator_of(source)
                for values in branches.values_to(terminator, block):
                    self.work.append(values[value.index])
                # The taken edge decides the value of the argument.
                self.need(terminator, self.graph.numbers[source])
            return
        op = fast.producer_of(value)
        if op not in self.ops:
            self.need(op, self.graph.numbers[fast.block_of(op)])
