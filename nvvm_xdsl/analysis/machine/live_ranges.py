"""Live ranges of values, as sets of positions.

Every op has four positions. First, operands that are tied to a result's register are read. Second,
results that may not share a register with any operand are written. Third, other operands are read.
Fourth, other results are written. The range of an operand that ends at an op therefore does not
overlap that of a result that begins there, unless they must not share a register. A block has a
position before its first op, where its arguments are defined, and one after its last op, where
values are passed along its edges.

The method is liveness by use: from each use backwards to the definition (Boissinot et al.,
"Computing Liveness Sets for SSA-Form Programs", 2011). A value that is defined outside a loop and
live in one of its blocks is live in the whole loop, which is processed in one step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TypeAlias

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.dialects.nvptx.calls import InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.ir import fast

Positions: TypeAlias = list[int]
"""A set of positions: alternately the first position of an interval and the one after its last, in
order."""

_STEP = 4
_EARLY_WRITE = 1
_READ = 2
_WRITE = 3


class LiveRanges:
    """Live ranges of the values of a region in SSA form.

    `start[b]` and `end[b]` are the positions of block `b`'s start and end.
    """

    def __init__(self, loops: LoopInfo) -> None:
        self.start: dict[Block, int] = {}
        self.end: dict[Block, int] = {}
        self._loops = loops
        self._place: dict[int, int] = {}
        self._predecessors: dict[Block, list[Block]] = {}
        place = self._place
        at = 0
        for block in fast.blocks_of(loops.region):
            self.start[block] = at
            for op in fast.ops_of(block):
                at += _STEP
                place[id(op)] = at
            at += _STEP
            self.end[block] = at
            at += 1
            self._predecessors[block] = list(dict.fromkeys(fast.predecessors_of(block)))
        self._extents: dict[Loop, Positions] = {}
        """The positions of the blocks of each loop."""
        self._entering: dict[Loop, list[Block]] = {}
        """The blocks outside each loop with an edge into it."""
        self._measure_loops()

    def _measure_loops(self) -> None:
        loops, start, end = self._loops, self.start, self.end
        all_loops = loops.innermost_first()
        own: dict[Loop, list[tuple[int, int]]] = {loop: [] for loop in all_loops}
        entering = self._entering = {loop: [] for loop in all_loops}
        for block, predecessors in self._predecessors.items():
            innermost = loops.loop_for(block)
            if innermost is None:
                continue
            own[innermost].append((start[block], end[block] + 1))
            for before in predecessors:
                # An unreachable block may branch into the middle of a loop.
                loop: Loop | None = innermost
                while loop is not None and not loop.contains(before):
                    entering[loop].append(before)
                    loop = loop.parent
        for loop in all_loops:
            extent = self._extents[loop] = positions_of(own[loop])
            for inner in loop.subloops:
                add(extent, self._extents[inner])

    def definition(self, value: SSAValue) -> int:
        """The position at which the value is written."""
        if isinstance(value, BlockArgument):
            return self.start[value.block]
        op = fast.producer_of(value)
        early = writes_early(op)
        return self._place[id(op)] + (_EARLY_WRITE if early else _WRITE)

    def read_at(self, op: Operation, index: int) -> int:
        """The position where an op reads one of its own operands."""
        return self._place[id(op)] + (0 if is_tied(op, index) else _READ)

    def range_of(self, value: SSAValue) -> Positions:
        """The positions at which the value is live."""
        owner = value.owner
        home = owner if isinstance(owner, Block) else fast.block_of(owner)
        last: dict[Block, int] = {}
        live_out: set[Block] = set()
        work: list[Block] = []
        for op, index in fast.uses_of(value):
            block = fast.block_of(op)
            if isinstance(op, TerminatorOp) and index >= op.own_operands:
                if block not in live_out:
                    live_out.add(block)
                    if block is not home:
                        work.append(block)
                continue
            read = self.read_at(op, index)
            if block not in last:
                last[block] = read
                if block is not home:
                    work.append(block)
            elif read > last[block]:
                last[block] = read
        predecessors = self._predecessors
        seen: set[Block | Loop] = set()
        extents: list[Positions] = []
        while work:
            block = work.pop()
            crossed = self._crossed(block, home)
            place = crossed or block
            if place in seen:
                continue
            seen.add(place)
            if crossed is not None:
                extents.append(self._extents[crossed])
            for before in predecessors[block] if crossed is None else self._entering[crossed]:
                live_out.add(before)
                if before is not home:
                    work.append(before)
        start, end = self.start, self.end
        definition = self.definition(value)
        final = end[home] if home in live_out else max(last.get(home, 0), definition)
        found = [(definition, final + 1)]
        for place in seen:
            if isinstance(place, Block):
                final = end[place] if place in live_out else last[place]
                found.append((start[place], final + 1))
        positions = positions_of(found)
        for extent in extents:
            add(positions, extent)
        return positions

    def _crossed(self, block: Block, home: Block) -> Loop | None:
        """The outermost loop that contains a block in which a value is live, but not its
        definition."""
        loop = self._loops.loop_for(block)
        if loop is None or loop.contains(home):
            return None
        while loop.parent is not None and not loop.parent.contains(home):
            loop = loop.parent
        return loop


def writes_early(op: Operation) -> bool:
    """Returns True if an op writes results before it has read all operands."""
    return type(op) is InlineAsmOp or (isinstance(op, InstructionOp) and op.row.tied)


def tied_operands(op: Operation) -> list[tuple[int, int]]:
    """The indices of operands, and of the results whose registers they share."""
    if isinstance(op, InlineAsmOp):
        return op.tied
    if isinstance(op, InstructionOp) and op.row.tied:
        return [(number, number) for number in range(len(op.results))]
    return []


def is_tied(op: Operation, index: int) -> bool:
    """Returns True if operand `index` must share a result's register."""
    return any(at == index for at, _ in tied_operands(op)) if writes_early(op) else False


def positions_of(stretches: Iterable[tuple[int, int]]) -> Positions:
    """A set from disjoint intervals, given by their first position and the one after their last."""
    found: Positions = []
    for first, behind in sorted(stretches):
        if found and found[-1] == first:
            found[-1] = behind
        else:
            found += (first, behind)
    return found


def overlap(a: Positions, b: Positions) -> bool:
    """Returns True if two sets intersect, in time proportional to the smaller number of
    intervals."""
    few, many = (a, b) if len(a) < len(b) else (b, a)
    for index in range(0, len(few), 2):
        at = bisect_right(many, few[index])
        if at & 1 or (at < len(many) and many[at] < few[index + 1]):
            return True
    return False


def add(into: Positions, other: Positions) -> None:
    """Adds a set that is disjoint from this one."""
    for index in range(0, len(other), 2):
        first, behind = other[index : index + 2]
        at = bisect_right(into, first)
        joins_before = at > 0 and into[at - 1] == first
        joins_after = at < len(into) and into[at] == behind
        if joins_before and joins_after:
            del into[at - 1 : at + 1]
        elif joins_before:
            into[at - 1] = behind
        elif joins_after:
            into[at] = first
        else:
            into[at:at] = (first, behind)


def covers(positions: Positions, position: int) -> bool:
    """Returns True if a position is in a set."""
    return bool(bisect_right(positions, position) & 1)
