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
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.dialects.llvm import CallOp, LLVMPointerType, LoadOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
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
        # Bit sets contain positions in reverse post-order.
        self._blocks = 0
        self._work: list[SSAValue] = []
        self._new_branches: list[int] = []
        self._loop_bits: dict[Loop, int] = {}
        self._left_loops: set[Loop] = set()
        # The irreducible cycles that are not known to be divergent.
        self._cycles = [(self._bits(c.blocks), c.blocks) for c in self.loops.irreducible_cycles]
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
        return self._contains(self._blocks, self.cfg.numbers[block])

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
        self._propagate()

    def _propagate(self) -> None:
        """Marks the values that depend on those in the worklist."""
        while self._work or self._new_branches:
            if self._new_branches:
                self._diverge(self._new_branches.pop())
                continue
            value = self._work.pop()
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
            self._new_branches.append(self.cfg.numbers[block])

    def _diverge(self, branch: int) -> None:
        """Marks the values that become divergent because of a divergent branch."""
        if branch in self._branches:
            return
        self._branches.add(branch)
        order = self.cfg.rpo_index
        successors = dict.fromkeys(self.cfg.successors[branch])
        if len(successors) == 1:
            # All edges lead to one block, but may pass different values.
            (target,) = successors
            self._join(target, 1 << order[branch])
            return
        paths, joins = self._paths(branch, list(successors))
        end = self.post_dominators.idom[branch]
        self._blocks |= paths & ~(1 << order[end]) if end != self.post_dominators.root else paths
        # A repeated successor may receive different values by its edges.
        joins.update(t for t in successors if self.cfg.successors[branch].count(t) > 1)
        region = paths | 1 << order[branch]
        for join in joins:
            self._join(join, region)
        self._leave_loops(branch, paths)
        self._leave_cycles(region)

    def _paths(self, branch: int, successors: list[int]) -> tuple[int, set[int]]:
        """The blocks on the paths from a branch, as a bit set, and those that join paths.

        Each path has the label of the last block that joined paths, initially that of the successor
        at its start. A block that two labels reach joins paths. Paths end at the branch's
        post-dominator, at blocks without successors, and at edges to the branch or a block before
        it.
        """
        order = self.cfg.rpo_index
        end = self.post_dominators.idom[branch]
        labels: dict[int, int] = {}
        joins: set[int] = set()
        queue: list[tuple[int, int]] = []
        ends: list[int] = []
        queued = 0

        def push(target: int) -> None:
            nonlocal queued
            if target == end or order[target] <= order[branch] or not self.cfg.successors[target]:
                ends.append(target)
            else:
                queued |= 1 << order[target]
                heapq.heappush(queue, (order[target], target))

        def reach(target: int, label: int) -> None:
            old = labels.get(target)
            if old is None:
                labels[target] = label
                push(target)
            elif old != label:
                joins.add(target)
                if old != target:
                    labels[target] = target
                    push(target)

        for target in successors:
            reach(target, target)
        rest = 0
        while queue:
            node = heapq.heappop(queue)[1]
            if not queue and end == self.post_dominators.root:
                rest = self._common_rest(order[branch], order[node], queued)
                if rest:
                    label = labels[node]
                    joins.update(t for t in ends if rest >> order[t] & 1 and labels[t] != label)
                    break
            for target in dict.fromkeys(self.cfg.successors[node]):
                reach(target, labels[node])
        return rest | _bit_set(order[n] for n in labels), joins

    def _common_rest(self, branch: int, node: int, queued: int) -> int:
        """The blocks that all paths from a branch reach through one block, if no joins are among
        them except at the ends of paths; else 0.

        Without it, each of many branches to an error exit visits all blocks that follow it.

        Arguments:
            branch: the position of the branch in reverse post-order.
            node: the position of the block, at which all unfinished paths have arrived.
            queued: the blocks that paths have passed or arrived at.
        """
        forward, backward = self._reachable[node]
        inner = (1 << node) - (2 << branch)
        if queued & forward != 1 << node or backward & inner:
            return 0
        return forward | backward

    @cached_property
    def _reachable(self) -> list[tuple[int, int]]:
        """For each position in reverse post-order, the positions reachable by edges to later
        blocks, and the targets of edges from these to earlier ones or themselves."""
        cfg = self.cfg
        found: list[tuple[int, int]] = [(0, 0)] * len(cfg.rpo)
        for position in range(len(cfg.rpo) - 1, -1, -1):
            forward, backward = 1 << position, 0
            for successor in cfg.successors[cfg.rpo[position]]:
                target = cfg.rpo_index[successor]
                if target > position:
                    forward |= found[target][0]
                    backward |= found[target][1]
                else:
                    backward |= 1 << target
            found[position] = forward, backward
        return found

    def _join(self, number: int, region: int) -> None:
        """Marks the arguments of a block that joins paths, except those with equal values on all
        paths.

        The bit set `region` contains the branch and the blocks on its paths: other edges belong to other
        iterations.
        """
        block = self.cfg.blocks[number]
        if not block.args:
            return
        brought: list[set[SSAValue]] = [set() for _ in block.args]
        for pred in dict.fromkeys(self.cfg.predecessors[number]):
            if not self._contains(region, pred):
                continue
            last = self.cfg.blocks[pred].last_op
            for target, values in self._edges_of(last) if last is not None else ():
                if target is block:
                    for found, value in zip(brought, values):
                        found.add(value)
        for argument, found in zip(block.args, brought):
            if len(found - {argument}) > 1:
                self._mark(argument)

    def _contains(self, blocks: int, number: int) -> bool:
        """Returns whether a bit set of positions in reverse post-order contains a block."""
        position = self.cfg.rpo_index[number]
        return position >= 0 and blocks >> position & 1 != 0

    def _bits(self, blocks: Iterable[Block]) -> int:
        """The bit set of the positions of reachable blocks in reverse post-order."""
        positions = (self.cfg.rpo_index[self.cfg.numbers[block]] for block in blocks)
        return _bit_set(position for position in positions if position >= 0)

    def _leave_loops(self, branch: int, paths: int) -> None:
        """Loops that threads leave in different iterations because of the branch."""
        loop = self.loops.loop_for(self.cfg.blocks[branch])
        while loop is not None:
            if loop not in self._left_loops and self._contains(
                paths, self.cfg.numbers[loop.header]
            ):
                if paths & ~self._bits_of_loop(loop):
                    self._left_loops.add(loop)
                    self._diverge_outside(loop.block_set)
            loop = loop.parent

    def _bits_of_loop(self, loop: Loop) -> int:
        bits = self._loop_bits.get(loop)
        if bits is None:
            bits = self._loop_bits[loop] = self._bits(loop.blocks)
        return bits

    def _leave_cycles(self, region: int) -> None:
        """Irreducible cycles that threads enter by different entries or execute in different
        iterations.

        They have no header at which iterations begin: no value that such a cycle passes on is
        uniform.
        """
        found = [blocks for bits, blocks in self._cycles if bits & region]
        self._cycles = [cycle for cycle in self._cycles if not cycle[0] & region]
        for blocks in found:
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
                self._new_branches.append(self.cfg.numbers[block])
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


def _bit_set(numbers: Iterable[int]) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def _home(value: SSAValue) -> Block | None:
    if isinstance(value, OpResult):
        return value.op.parent
    return value.block if isinstance(value, BlockArgument) else None
