"""The accesses that each block barrier orders: those before it and those after it.

"Before" and "after" range over all paths up to the next barrier. A barrier orders something if one
side writes a shared or global memory that the other side may read or write. The addresses of
individual threads are not compared, because a barrier orders the accesses of different threads.
Memory that only one thread can access, and memory that is constant while the kernel runs, is
ignored.

A barrier separates accesses, and may be removed, only if all threads of the block reach it
together. In some programs warps synchronize at different barrier instructions (PTX ISA, `bar`), and
the number of barriers on each path matters. All threads reach a barrier together if no branch that
it is control-dependent on can diverge within the block, except to an exit: barriers do not wait for
threads that have exited.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from xdsl.dialects.llvm import CallIntrinsicOp, CallOp, LLVMPointerType
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import PostDominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.uniformity import BlockUniformity, Uniformity
from nvvm_xdsl.analysis.values.special_registers import VOLATILE, special_register
from nvvm_xdsl.dialects.effects import (
    ARGUMENTS_ONLY,
    CONVERGENT,
    MAY_NOT_RETURN,
    READS,
    STATE,
    WRITES,
    effects,
)
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name, segment_sizes
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.dialects.nvvm.ops import Barrier0Op, BarrierArriveOp, BarrierOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GLOBAL, LOCAL, PARAM, SHARED, SHARED_CLUSTER

REDUCING = "llvm.nvvm.barrier.cta.red."
"""Prefixes of the names of intrinsics that reduce a value over a block at a barrier."""

SHARED_READS, SHARED_WRITES, GLOBAL_READS, GLOBAL_WRITES = 1, 2, 4, 8
"""Accesses that barriers order. Generic accesses may access both memories."""

EVERYTHING = 15

_READING = SHARED_READS | GLOBAL_READS
_WRITING = SHARED_WRITES | GLOBAL_WRITES

_KINDS = {
    SHARED_READS: "reads shared memory",
    SHARED_WRITES: "writes shared memory",
    GLOBAL_READS: "reads global memory",
    GLOBAL_WRITES: "writes global memory",
}

_IN_SPACE = {
    SHARED: SHARED_READS | SHARED_WRITES,
    SHARED_CLUSTER: SHARED_READS | SHARED_WRITES,
    GLOBAL: GLOBAL_READS | GLOBAL_WRITES,
}
"""Possible spaces of an access by its address space; for others, all."""

_PRIVATE = frozenset({LOCAL, PARAM})
"""Spaces that only one thread can write."""


def is_block_barrier(op: Operation | None) -> bool:
    """Returns True if the op is barrier 0 of all threads of the block, with or without a result."""
    if op is None or type(op) is Barrier0Op:
        return op is not None
    if type(op) is BarrierOp:
        numbered, counted, *_ = segment_sizes(op)
        if counted:
            return False
        return not numbered or constant_integer(fast.operands_of(op)[0]) == 0
    if type(op) is CallIntrinsicOp:
        name = intrinsic_name(op)
        if name.startswith(REDUCING) and name.endswith(".aligned.all"):
            return constant_integer(fast.operands_of(op)[0]) == 0
    return False


@dataclass(frozen=True)
class BarrierRules:
    """Definition of the ops that are accesses. The defaults are conservative.

    Arguments:
        ignore_calls: calls access nothing. Correct only for callees that access no shared or global
            memory.
        ignore_divergence: all threads of a block are assumed to reach each barrier together.
        ignore_spaces: accesses of memory that is private to a thread count, too.
        by_block: code outside a block may access anything.
        on_all_ways: accesses outside a block count only if they occur on all paths, instead of on
            any path.
    """

    ignore_calls: bool = False
    ignore_divergence: bool = False
    ignore_spaces: bool = False
    by_block: bool = False
    on_all_ways: bool = False


@dataclass(eq=False)
class BarrierSite:
    """A barrier that all threads of the block reach together.

    Arguments:
        op: the barrier.
        block: the number of its block.
        place: the index among the barriers of the block.
    """

    op: Operation
    block: int
    place: int


class Meetings:
    """Convergence of the threads of a block or warp that have not exited, by block of a function.

    The function itself is assumed to be called by all of them.

    Arguments:
        func: the function.
        am: provides the control-flow graph, the post-dominators and the uniformity.
    """

    def __init__(self, func: Operation, am: AnalysisManager) -> None:
        self._func = func
        self._am = am
        self._cfg = am.get(CFG, func)
        self._separated: dict[type[Uniformity], set[Block]] = {}

    def of_block(self, block: Block) -> bool:
        """Returns True if all threads of the thread block reach the IR block together."""
        return self._of(block, BlockUniformity)

    def of_warp(self, block: Block) -> bool:
        """Returns True if all threads of a warp reach the block together."""
        return self._of(block, Uniformity)

    def _of(self, block: Block, kind: type[Uniformity]) -> bool:
        if block not in self._decided:
            return True
        separated = self._separated.get(kind)
        if separated is None:
            separated = self._separated[kind] = self._separated_by(kind)
        return block not in separated

    def _separated_by(self, kind: type[Uniformity]) -> set[Block]:
        """The blocks that a divergent branch decides if the separated threads may reach convergent
        ops."""
        cfg = self._cfg
        uniformity = self._am.get(kind, self._func)
        separating: list[Block] = []
        for branch in self._branching:
            if uniformity.has_divergent_branch(branch):
                targets = set(cfg.successors[cfg.numbers[branch]])
                if len(targets & self._reaching_convergent) > 1:
                    separating.append(branch)
        return self._tree.iterated_control_dependents(separating)

    @cached_property
    def _branching(self) -> list[Block]:
        """The reachable blocks with several successors."""
        cfg = self._cfg
        return [cfg.blocks[n] for n in cfg.rpo if len(set(cfg.successors[n])) > 1]

    @cached_property
    def _decided(self) -> set[Block]:
        """The blocks that any branch decides."""
        return self._tree.iterated_control_dependents(self._branching)

    @cached_property
    def _tree(self) -> PostDominatorTree:
        return self._am.get(PostDominatorTree, self._func)

    @cached_property
    def _reaching_convergent(self) -> set[int]:
        """The blocks from which an op that may synchronize threads is reachable."""
        cfg = self._cfg
        work = [
            number
            for number in cfg.rpo
            if any(effects(op) & CONVERGENT for op in fast.ops_of(cfg.blocks[number]))
        ]
        found = set(work)
        while work:
            for source in cfg.predecessors[work.pop()]:
                if source not in found:
                    found.add(source)
                    work.append(source)
        return found


class Barriers:
    """The barriers of a kernel and the accesses that they order.

    Barriers of device functions are not included, because their callers may have diverged.

    Arguments:
        func: the function.
        am: provides the control-flow graph, the post-dominators, the uniformity and the alias
            analysis.
        rules: the rules for accesses.
    """

    sites: list[BarrierSite]
    """In reverse post-order."""

    def __init__(
        self, func: Operation, am: AnalysisManager, rules: BarrierRules | None = None
    ) -> None:
        self._func = func
        self._rules = rules or BarrierRules()
        self._cfg = am.get(CFG, func)
        self._segments: list[list[int]] = [[0] for _ in self._cfg.blocks]
        """For each block, the accesses up to its first barrier, between barriers, and from the last
        barrier to its end.
        """
        self.sites = []
        blocks = self._cfg.blocks
        holds = [any(map(is_block_barrier, fast.ops_of(block))) for block in blocks]
        if not is_kernel(func) or not any(holds[n] for n in self._cfg.rpo):
            return
        if any(type(op) is BarrierArriveOp for block in blocks for op in fast.ops_of(block)):
            # Other threads wait for threads that only arrive, so the number of barriers matters.
            return
        meetings = Meetings(func, am)
        self._aliases = am.get(AliasAnalysis, func)
        together = {
            n
            for n in self._cfg.rpo
            if holds[n] and (self._rules.ignore_divergence or meetings.of_block(blocks[n]))
        }
        for number in self._cfg.rpo:
            segments = self._segments[number]
            for op in fast.ops_of(blocks[number]):
                if number in together and is_block_barrier(op):
                    self.sites.append(BarrierSite(op, number, len(segments) - 1))
                    segments.append(0)
                else:
                    segments[-1] |= self._accesses(op, segments[-1])
        size = len(blocks)
        outside = EVERYTHING if self._rules.by_block else 0
        self._before = [outside] * size
        self._behind = [outside] * size
        self._propagate(self._cfg.rpo)

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The barriers of a function."""
        return cls(op, am)

    # Questions.

    def before(self, site: BarrierSite) -> int:
        """The accesses before the barrier."""
        segments = self._segments[site.block]
        found = segments[site.place]
        return found if site.place else found | self._before[site.block]

    def behind(self, site: BarrierSite) -> int:
        """The accesses after the barrier."""
        segments = self._segments[site.block]
        found = segments[site.place + 1]
        return found if site.place + 2 < len(segments) else found | self._behind[site.block]

    def orders_something(self, site: BarrierSite) -> bool:
        """Returns whether one side writes memory that the other side may access."""
        before, behind = self.before(site), self.behind(site)
        return any(
            (before & writes and behind & both) or (before & both and behind & writes)
            for writes in (SHARED_WRITES, GLOBAL_WRITES)
            for both in (writes | writes >> 1,)
        )

    def verify(self) -> None:
        """Recomputes the analysis; raises AssertionError if the results differ."""
        fresh = Barriers(self._func, AnalysisManager(), self._rules)
        assert fresh._facts() == self._facts(), "accesses around barriers have changed"

    def _facts(self) -> list[tuple[Operation, int, int]]:
        return [(site.op, self.before(site), self.behind(site)) for site in self.sites]

    # Changes.

    def erase(self, site: BarrierSite) -> None:
        """Removes the barrier from the function and merges the accesses on its two sides."""
        segments = self._segments[site.block]
        segments[site.place : site.place + 2] = [segments[site.place] | segments[site.place + 1]]
        self.sites = [other for other in self.sites if other is not site]
        for other in self.sites:
            if other.block == site.block and other.place > site.place:
                other.place -= 1
        fast.erase(site.op)
        self._propagate([site.block])

    # Data-flow analysis.

    def _propagate(self, blocks: list[int]) -> None:
        """Propagates the accesses of these blocks to other blocks."""
        if self._rules.on_all_ways:
            self._before = self._met(self._cfg.rpo, self._cfg.predecessors, -1)
            self._behind = self._met(self._cfg.rpo[::-1], self._cfg.successors, 0)
        else:
            self._spread(blocks)
            self._spread_back(reversed(blocks))

    def _met(self, order: list[int], sources: list[list[int]], place: int) -> list[int]:
        """The accesses on all paths through a block's neighbours on one side.

        Arguments:
            order: the blocks, with neighbours first except in cycles.
            sources: the neighbours of each block.
            place: the index in a block of the segment on the other side.
        """
        found = [EVERYTHING] * len(self._segments)
        changed = True
        while changed:
            changed = False
            for number in order:
                met = EVERYTHING if sources[number] else 0
                for source in sources[number]:
                    segments = self._segments[source]
                    through = found[source] if len(segments) == 1 else 0
                    met &= segments[place] | through
                changed |= met != found[number]
                found[number] = met
        return found

    def _spread(self, blocks: Iterable[int]) -> None:
        work = list(blocks)[::-1]
        while work:
            number = work.pop()
            segments = self._segments[number]
            found = segments[-1] | (self._before[number] if len(segments) == 1 else 0)
            for target in self._cfg.successors[number]:
                if found & ~self._before[target]:
                    self._before[target] |= found
                    work.append(target)

    def _spread_back(self, blocks: Iterable[int]) -> None:
        work = list(blocks)[::-1]
        while work:
            number = work.pop()
            segments = self._segments[number]
            found = segments[0] | (self._behind[number] if len(segments) == 1 else 0)
            for source in self._cfg.predecessors[number]:
                if found & ~self._behind[source]:
                    self._behind[source] |= found
                    work.append(source)

    def _accesses(self, op: Operation, known: int) -> int:
        """The kinds of accesses by the op to memory that other threads may access; those in `known`
        may be omitted."""
        flags = effects(op)
        if self._rules.ignore_calls and type(op) is CallOp:
            return 0
        if flags & MAY_NOT_RETURN or special_register(op) in VOLATILE:
            return EVERYTHING
        if not flags & (READS | WRITES):
            return EVERYTHING if is_block_barrier(op) else 0
        if not flags & ARGUMENTS_ONLY or flags & CONVERGENT:
            return EVERYTHING
        pointers = [v for v in fast.operands_of(op) if isinstance(v.type, LLVMPointerType)]
        if not pointers or (flags & STATE and not op.name.startswith("llvm.intr.lifetime.")):
            return EVERYTHING
        kinds = (_READING if flags & READS else 0) | (_WRITING if flags & WRITES else 0)
        found = 0
        for pointer in pointers:
            space = self._aliases.space(pointer)
            if self._rules.ignore_spaces:
                found |= kinds
            elif space not in _PRIVATE:
                accessed = _IN_SPACE.get(space, EVERYTHING) & kinds
                if accessed & ~known and (
                    flags & WRITES or not self._aliases.points_to_constant_memory(pointer)
                ):
                    found |= accessed
        return found


def accesses_text(accesses: int) -> str:
    """A description of accesses."""
    return " and ".join(text for flag, text in _KINDS.items() if accesses & flag) or "nothing"


def sides_text(before: int, behind: int) -> str:
    """A description of the accesses on the sides of a barrier."""
    return f"before: {accesses_text(before)}; behind: {accesses_text(behind)}"
