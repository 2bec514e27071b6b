"""Detection of warps that execute a convergent op with only a part of their threads.

The simulator runs the lowest block first, so that threads reconverge as early as possible. A GPU
may reconverge diverged threads only at the immediate post-dominator of the branch. This module
replays the paths that the threads took in the simulator with reconvergence at post-dominators.

Threads whose edges lead to the same block stay together in it. By the strict rule a block on one of
these edges separates the threads. By the lenient rule a block that only computes and then branches
to one successor is part of its edges, because passes split and merge edges at any time. The
original module is checked by the strict rule, and transformed modules by the lenient one. Blocks
that end in `llvm.unreachable` do not affect the reconvergence point, because no thread returns from
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import BrOp, CallOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.dialects.effects import CONVERGENT, STATE, WRITES, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import callee_of, is_direct_call
from nvvm_xdsl.dialects.llvm.symbols import symbols_of, walk_function
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import strongly_connected_components
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.execution.scheduling import Passed

_KEPT: Final = CONVERGENT | WRITES | STATE


def _gathers(op: Operation) -> bool:
    """Returns True if threads wait for other threads at an op. Callees are not inspected."""
    return effects(op) & CONVERGENT != 0 and op.name != "llvm.call"


def has_convergent_ops(kernel: Operation) -> bool:
    """Returns True if threads of a kernel wait for each other, ignoring its callees."""
    return any(
        _gathers(op) for block in fast.blocks_of(kernel.regions[0]) for op in fast.ops_of(block)
    )


def callees_gather(module: ModuleOp, name: str) -> bool:
    """Returns True if a function that a kernel calls may contain an op at which threads wait.

    `divided_warp` inspects such an op only after its function is inlined.
    """
    symbols = symbols_of(module)
    kernel = symbols[name]
    pending, seen = [kernel], {kernel}
    while pending:
        function = pending.pop()
        for op in walk_function(function):
            if function is not kernel and _gathers(op):
                return True
            if type(op) is not CallOp:
                continue
            if not is_direct_call(op):
                return True
            callee = symbols.get(callee_of(op) or "")
            if callee is not None and callee not in seen:
                seen.add(callee)
                pending.append(callee)
    return False


def divided_warp(
    module: ModuleOp, name: str, paths: Sequence[Passed], *, strict: bool
) -> str | None:
    """The first convergent op of a kernel that a part of a warp executes without the rest; None if
    there is none.

    Arguments:
        name: the kernel's name.
        paths: the segments that threads completed, in order.
    """
    kernel = symbols_of(module)[name]
    if not has_convergent_ops(kernel):
        return None
    blocks = fast.blocks_of(kernel.regions[0])
    parts_of_edges = {b for b in blocks if not strict and _is_part_of_edge(b)}
    passed: dict[tuple[int, int, int], list[list[Operation]]] = {}
    for op, index, lanes in paths:
        if op.parent_op() is kernel and op.parent not in parts_of_edges:
            threads = passed.setdefault(index, [[] for _ in lanes])
            for lane in np.flatnonzero(lanes):
                threads[lane].append(op)
    meetings = _meetings(CFG(kernel.regions[0]), parts_of_edges)
    for threads in passed.values():
        for first in range(0, len(threads), WARP_SIZE):
            found = _Warp(meetings, threads[first : first + WARP_SIZE]).run()
            if found is not None:
                return found
    return None


def _is_part_of_edge(block: Block) -> bool:
    """Returns True if a block only computes, and branches to one other block."""
    last = block.last_op
    return isinstance(last, BrOp) and not any(
        effects(op) & _KEPT for op in fast.ops_of(block) if op is not last
    )


def _meetings(graph: CFG, parts_of_edges: Collection[Block]) -> dict[Block, Block | None]:
    """The immediate post-dominator of each block, or None for the exit."""
    ends = [
        not targets and branches.terminator_of(block).name == "llvm.unreachable"
        for block, targets in zip(graph.blocks, graph.successors)
    ]
    successors = [[t for t in targets if not ends[t]] for targets in graph.successors]
    # The post-dominators of each block as a bit set, including the block itself.
    everything = (1 << len(successors)) - 1
    exits = _exits(successors, graph)
    sets = [1 << n if n in exits else everything for n in range(len(successors))]
    changed = True
    while changed:
        changed = False
        for number in reversed(graph.rpo):
            common = everything
            for target in successors[number]:
                common &= sets[target]
            new = (0 if number in exits else common) | 1 << number
            changed = changed or new != sets[number]
            sets[number] = new
    found: dict[Block, Block | None] = {}
    for number, block in enumerate(graph.blocks):
        others = [n for n in range(len(sets)) if n != number and sets[number] >> n & 1]
        # The closest post-dominator has the most post-dominators.
        closest = max(others, key=lambda n: sets[n].bit_count(), default=None)
        meeting = None if closest is None else graph.blocks[closest]
        while meeting is not None and meeting in parts_of_edges:
            meeting = fast.successors_of(branches.terminator_of(meeting))[0]
        found[block] = meeting
    return found


def _exits(successors: Sequence[Sequence[int]], graph: CFG) -> set[int]:
    """The blocks without successors, and the last block of each infinite loop in reverse
    post-order."""
    components = strongly_connected_components(graph.rpo, successors)
    return {
        max(component, key=lambda number: graph.rpo_index[number])
        for component in components
        if all(set(successors[number]) <= set(component) for number in component)
    }


@dataclass
class _Warp:
    """One warp: the ops that each of its threads executes, and the number already executed."""

    meetings: Mapping[Block, Block | None]
    passed: list[list[Operation]]

    def __post_init__(self) -> None:
        self.place = [0] * len(self.passed)
        self.last = [
            max((place for place, op in enumerate(ops) if _gathers(op)), default=-1)
            for ops in self.passed
        ]
        """The position of each thread's last convergent op; a thread that has passed it is not
        expected."""
        self.found: str | None = None

    def run(self) -> str | None:
        """Runs all threads from the start; returns the first error."""
        self._run(range(len(self.passed)), None)
        return self.found

    def _next(self, thread: int) -> Operation | None:
        ops, place = self.passed[thread], self.place[thread]
        return ops[place] if place < len(ops) else None

    def _run(self, threads: Iterable[int], until: Block | None) -> list[int]:
        """Runs threads at one block until they are at `until`; returns those that reach it."""
        active = [thread for thread in threads if self._next(thread) is not None]
        while active and self.found is None:
            op = self._next(active[0])
            assert op is not None
            block = op.parent_block()
            assert block is not None
            if block is until:
                return active
            active = self._block(block, active)
            targets: dict[Block, list[int]] = {}
            for thread in active:
                following = self._next(thread)
                target = None if following is None else following.parent_block()
                if target is not None:
                    targets.setdefault(target, []).append(thread)
            if len(targets) <= 1:
                active = [thread for group in targets.values() for thread in group]
                continue
            meeting = self.meetings[block]
            active = [t for group in targets.values() for t in self._run(group, meeting)]
        return []

    def _block(self, block: Block, active: list[int]) -> list[int]:
        """Executes the ops of a block; returns the threads that reach its end."""
        while active and self.found is None:
            op = self._next(active[0])
            assert op is not None
            if _gathers(op):
                present = sum(place <= last for place, last in zip(self.place, self.last))
                if len(active) < present:
                    self.found = f"{len(active)} of {present} threads of a warp run {op.name} without the others"
            for thread in active:
                self.place[thread] += 1
            if op is block.last_op:
                return active
            active = [t for t in active if self._next(t) is not None]
        return active
