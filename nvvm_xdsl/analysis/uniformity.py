"""Uniformity of values and branches within a warp or block.

Sources of divergence are the registers that distinguish threads, atomics, loads from thread-private
memory, fragments of warp-wide matrices, calls, and arguments of device functions. Divergence
propagates through operands and through control flow. At the reconvergence point of a divergent
branch a block argument may be divergent although its incoming values are uniform. A value computed
in a loop is divergent outside of it if threads leave the loop in different iterations. (Rosemann,
Moll, Hack: "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs", 2021;
sources as in LLVM's NVPTX target.)
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.dialects.llvm import CallOp, LLVMPointerType, LoadOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.values.special_registers import PER_THREAD, VOLATILE, special_register
from nvvm_xdsl.dialects.effects import CONVERGENT, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.llvm.branches import Edge, edges_of
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, LOCAL

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

_PRIVATE_SPACES = frozenset({GENERIC, LOCAL})
"""Address spaces whose addresses may refer to different memory in each thread: generic and
local."""

_WARP_WIDE = {
    "vote.any": 1,
    "vote.all": 1,
    "vote.uni": 1,
    "vote.ballot": 1,
    "redux.sync": 0,
    "barrier.cta.red": -1,
    "barrier0.and": -1,
    "barrier0.or": -1,
    "barrier0.popc": -1,
    "active.mask": -1,
    "activemask": -1,
}
"""Intrinsics that return the same value to every participating thread, with the operand that it
depends on."""

_WARP_WIDE_OPS = {"nvvm.vote.sync": 1, "nvvm.redux.sync": 0, "nvvm.barrier": -1}

_REDUCING_BARRIERS = ("barrier.cta.red", "barrier0.", "nvvm.barrier")
"""Of these, intrinsics that combine values of the whole block."""


def _is_source(op: Operation) -> bool:
    """Returns True if the op's results may differ between threads although its operands are
    uniform."""
    register = special_register(op)
    if register is not None:
        return register in PER_THREAD or register in VOLATILE
    if type(op) is LoadOp:
        pointer = fast.operands_of(op)[0].type
        if isinstance(pointer, LLVMPointerType) and address_space_of(pointer) in _PRIVATE_SPACES:
            return True
    if type(op) is CallOp or op.name == "llvm.inline_asm":
        return True
    # Atomics return different values in each thread, and so do warp-wide ops: fragments of a
    # matrix, values of other lanes.
    return effects(op) & (WRITES | CONVERGENT) != 0


def _gathered_operand(op: Operation) -> int | None:
    """The index of the operand that the op combines over all threads into a uniform result.

    The other operands select the participating threads: if those differ, the result may, too. None
    for other ops.
    """
    operands = fast.operands_of(op)
    name = intrinsic_name(op)
    is_shuffle = op.name == "nvvm.shfl.sync" and shuffle_kind(op) == "idx"
    if name:
        body = name.removeprefix("llvm.nvvm.")
        for prefix, place in _WARP_WIDE.items():
            if body.startswith(prefix):
                return place % max(len(operands), 1)
        is_shuffle = body.startswith("shfl.sync.idx")
    if is_shuffle and constant_number(operands[2]) is not None and _covers_warp(operands[3]):
        return 1
    place = _WARP_WIDE_OPS.get(op.name)
    return None if place is None else place % max(len(operands), 1)


def shuffle_kind(op: Operation) -> str:
    """The mode of an `nvvm.shfl.sync`, such as `bfly`; "" for an op without one."""
    return str(getattr(op.properties.get("kind"), "data", ""))


def _covers_warp(clamp: SSAValue) -> bool:
    """Returns True if a shuffle's mask-and-clamp operand selects the whole warp as one segment."""
    value = constant_number(clamp)
    return value is not None and value >> 8 & 0x1F == 0


class Uniformity:
    """The divergent values and branches of a function.

    Arguments:
        func: the function.
        am: provides the control-flow graph, the dominator trees and the loops.
    """

    of_block: ClassVar[bool] = False
    """Whether the analysis is for all threads of a block instead of a warp."""

    def __init__(self, func: Operation, am: AnalysisManager | None = None) -> None:
        self.func = func
        if am is not None:
            self.cfg = am.get(CFG, func)
            self.post_dominators = am.get(PostDominatorTree, func)
            self.loops = am.get(LoopInfo, func)
        else:
            self.cfg = CFG(func.regions[0])
            self.post_dominators = PostDominatorTree(self.cfg)
            self.loops = LoopInfo(DominatorTree(self.cfg))
        self._divergent: set[SSAValue] = set()
        self._branches: set[int] = set()
        self._blocks: set[int] = set()
        self._work: list[SSAValue] = []
        # The irreducible cycles around each block, and the divergent ones.
        self._cycles: dict[int, list[int]] = {}
        self._done: set[int] = set()
        for index, cycle in enumerate(self.loops.irreducible_cycles):
            for block in cycle.blocks:
                self._cycles.setdefault(self.cfg.numbers[block], []).append(index)
        self._solve()

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The uniformity of a function."""
        return cls(op, am)

    def is_divergent(self, value: SSAValue) -> bool:
        """True if the value may differ between threads of a warp that run its op together."""
        return value in self._divergent

    def is_uniform(self, value: SSAValue) -> bool:
        """Returns True if the value is uniform among the threads of a warp that execute its op
        together."""
        return value not in self._divergent

    def has_divergent_branch(self, block: Block) -> bool:
        """Returns True if threads that reach the end of the block together may take different
        successors."""
        return self.cfg.numbers[block] in self._branches

    def is_divergent_block(self, block: Block) -> bool:
        """Returns whether the block is between a divergent branch and its reconvergence point."""
        return self.cfg.numbers[block] in self._blocks

    def _edges_of(self, terminator: Operation) -> list[Edge]:
        """The successors of a terminator with the values passed to their arguments."""
        return edges_of(terminator)

    def _takes_uniform_arguments(self) -> bool:
        """Returns whether the arguments of the function are equal in all threads."""
        return is_kernel(self.func)

    def _is_source(self, op: Operation) -> bool:
        return _is_source(op)

    def _gathered_operand(self, op: Operation) -> int | None:
        """The index of the operand that the op combines over all threads of this analysis."""
        if self.of_block and not (intrinsic_name(op) or op.name).removeprefix(
            "llvm.nvvm."
        ).startswith(_REDUCING_BARRIERS):
            return None
        return _gathered_operand(op)

    def _hides(self, op: Operation, value: SSAValue) -> bool:
        """Returns True if the op's results are uniform although the value is divergent."""
        place = self._gathered_operand(op)
        if place is None:
            return False
        return all(v is not value for n, v in enumerate(fast.operands_of(op)) if n != place)

    def _mark(self, value: SSAValue) -> None:
        if value not in self._divergent:
            self._divergent.add(value)
            self._work.append(value)

    def _solve(self) -> None:
        cfg = self.cfg
        if not cfg.blocks:
            return
        if not self._takes_uniform_arguments():
            for argument in cfg.entry.args:
                self._mark(argument)
        for number in cfg.rpo:
            for op in fast.ops_of(cfg.blocks[number]):
                if op.results and self._is_source(op) and self._gathered_operand(op) is None:
                    for result in op.results:
                        self._mark(result)
        work = self._work
        while work:
            value = work.pop()
            for user in fast.users_of(value):
                self._visit(user, value)

    def _visit(self, op: Operation, value: SSAValue) -> None:
        block = op.parent
        if block is None or self.cfg.rpo_index[self.cfg.numbers[block]] < 0:
            return
        if not fast.successors_of(op):
            if op.results and not self._hides(op, value):
                for result in op.results:
                    self._mark(result)
            return
        for target, values in self._edges_of(op):
            for argument, passed in zip(target.args, values):
                if passed is value:
                    self._mark(argument)
        if len(fast.successors_of(op)) > 1 and fast.operands_of(op)[0] is value:
            self._diverge(self.cfg.numbers[block])

    def _diverge(self, branch: int) -> None:
        """The values that become divergent because of a divergent branch.

        Each path has the label of the last block that joined paths, initially that of the successor
        at its start. A block that two labels reach joins paths. Paths end at the branch's
        post-dominator, and at edges to the branch or a block before it.
        """
        if branch in self._branches:
            return
        self._branches.add(branch)
        cfg = self.cfg
        order = cfg.rpo_index
        end = self.post_dominators.idom[branch]
        labels: dict[int, int] = {}
        joins: set[int] = set()
        queue: list[tuple[int, int]] = []

        def reach(target: int, label: int) -> None:
            old = labels.get(target)
            if old is None:
                labels[target] = label
                if target != end and order[target] > order[branch]:
                    heapq.heappush(queue, (order[target], target))
            elif old != label:
                joins.add(target)
                if labels[target] != target:
                    labels[target] = target
                    if target != end and order[target] > order[branch]:
                        heapq.heappush(queue, (order[target], target))

        successors = dict.fromkeys(cfg.successors[branch])
        if len(successors) == 1:
            # All edges lead to one block, but may pass different values.
            (target,) = successors
            self._join(target, {branch})
            return
        for target in successors:
            reach(target, target)
        while queue:
            _, node = heapq.heappop(queue)
            for target in dict.fromkeys(cfg.successors[node]):
                reach(target, labels[node])
        self._blocks.update(n for n in labels if n != end)
        # A repeated successor may receive different values by its edges.
        for target in successors:
            if cfg.successors[branch].count(target) > 1:
                joins.add(target)
        region = {branch, *labels}
        for join in joins:
            self._join(join, region)
        self._leave_loops(branch, labels)
        self._leave_cycles(region)

    def _join(self, number: int, region: set[int]) -> None:
        """Marks the arguments of a block that joins paths, except those with equal values on all
        paths.

        `region` contains the branch and the blocks on its paths: other edges belong to other
        iterations.
        """
        block = self.cfg.blocks[number]
        if not block.args:
            return
        brought: list[set[SSAValue]] = [set() for _ in block.args]
        for pred in dict.fromkeys(self.cfg.predecessors[number]):
            if pred not in region:
                continue
            last = self.cfg.blocks[pred].last_op
            for target, values in self._edges_of(last) if last is not None else ():
                if target is block:
                    for found, value in zip(brought, values):
                        found.add(value)
        for argument, found in zip(block.args, brought):
            if len(found - {argument}) > 1:
                self._mark(argument)

    def _leave_loops(self, branch: int, labels: dict[int, int]) -> None:
        """Loops that threads leave in different iterations because of the branch."""
        cfg = self.cfg
        loop = self.loops.loop_for(cfg.blocks[branch])
        while loop is not None:
            header = cfg.numbers[loop.header]
            leaves = any(not loop.contains(cfg.blocks[n]) for n in labels)
            if header in labels and leaves:
                self._diverge_outside(loop.block_set)
            loop = loop.parent

    def _leave_cycles(self, region: set[int]) -> None:
        """Irreducible cycles that threads enter by different entries or execute in different
        iterations.

        They have no header at which iterations begin: no value that such a cycle passes on is
        uniform.
        """
        touched = {c for n in region for c in self._cycles.get(n, ())} - self._done
        for index in sorted(touched):
            self._done.add(index)
            blocks = self.loops.irreducible_cycles[index].blocks
            for block in blocks:
                for argument in block.args:
                    self._mark(argument)
            self._diverge_outside(set(blocks))

    def _diverge_outside(self, inside: set[Block]) -> None:
        for block in inside:
            values: list[SSAValue] = list(block.args)
            for op in fast.ops_of(block):
                values.extend(op.results)
                for target, passed in self._edges_of(op) if fast.successors_of(op) else ():
                    if target in inside:
                        continue
                    for argument, value in zip(target.args, passed):
                        if _home(value) in inside:
                            self._mark(argument)
            for value in values:
                for user in fast.users_of(value):
                    if user.parent not in inside:
                        self._outside(user, value)

    def _outside(self, op: Operation, value: SSAValue) -> None:
        """An op outside a loop that uses a value of an iteration that is not common to the
        threads."""
        block = op.parent
        if block is None or self.cfg.rpo_index[self.cfg.numbers[block]] < 0:
            return
        if fast.successors_of(op):
            for argument in (a for target, _ in self._edges_of(op) for a in target.args):
                self._mark(argument)
            if len(fast.successors_of(op)) > 1:
                self._diverge(self.cfg.numbers[block])
        elif not self._hides(op, value):
            for result in op.results:
                self._mark(result)

    def verify(self) -> None:
        """Recomputes the uniformity; raises AssertionError if it differs."""
        fresh = type(self)(self.func)
        assert fresh._divergent == self._divergent, "the divergent values are stale"
        assert fresh._branches == self._branches, "the divergent branches are stale"


class BlockUniformity(Uniformity):
    """The analysis for all threads of a block: a ballot, for example, differs between its warps."""

    of_block: ClassVar[bool] = True


def _home(value: SSAValue) -> Block | None:
    if isinstance(value, OpResult):
        return value.op.parent
    return value.block if isinstance(value, BlockArgument) else None
