"""Where values are live, as intervals of positions.

Every op has four positions: operands that must lie in a result's register are read first, then
results that may not share a register with any operand are written, then operands are read, then
results written. So the ranges of an operand that ends and a result that begins at an op do not
meet, and those that must not share a register do. A block has a position before its first op,
where its arguments are defined, and one behind its last, where values leave along its edges.

The method is liveness by use: from each use backwards to the definition, which costs as much
as the range is long (Boissinot et al., "Computing Liveness Sets for SSA-Form Programs", 2011).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from nvvm_xdsl.dialects.nvptx.calls import InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.ir import fast

Interval: TypeAlias = tuple[int, int]
"""First and last position."""

_STEP = 4
_EARLY_WRITE = 1
_READ = 2
_WRITE = 3


class LiveRanges:
    """Live ranges of the values of a region in SSA form.

    `start[b]` and `end[b]` are the positions of block `b`'s start and end.
    """

    def __init__(self, region: Region) -> None:
        self.start: dict[Block, int] = {}
        self.end: dict[Block, int] = {}
        self._place: dict[int, int] = {}
        self._predecessors: dict[Block, list[Block]] = {}
        place = self._place
        at = 0
        for block in fast.blocks_of(region):
            self.start[block] = at
            for op in fast.ops_of(block):
                at += _STEP
                place[id(op)] = at
            at += _STEP
            self.end[block] = at
            at += 1
            self._predecessors[block] = list(dict.fromkeys(fast.predecessors_of(block)))

    def definition(self, value: SSAValue) -> int:
        """The position where the value is written."""
        if isinstance(value, BlockArgument):
            return self.start[value.block]
        op = fast.producer_of(value)
        early = writes_early(op)
        return self._place[id(op)] + (_EARLY_WRITE if early else _WRITE)

    def range_of(self, value: SSAValue) -> list[Interval]:
        """The intervals in which the value is live, in order."""
        owner = value.owner
        home = cast(Block, owner if isinstance(owner, Block) else owner.parent)
        last: dict[Block, int] = {}
        live_out: set[Block] = set()
        work: list[Block] = []
        use = value.first_use
        while use is not None:
            op = use.operation
            block = cast(Block, op.parent)
            index = use.index
            use = use._next_use  # pyright: ignore[reportPrivateUsage]
            if isinstance(op, TerminatorOp) and index >= op.own_operands:
                if block not in live_out:
                    live_out.add(block)
                    if block is not home:
                        work.append(block)
                continue
            read = self._place[id(op)] + (0 if is_tied(op, index) else _READ)
            if block not in last:
                last[block] = read
                if block is not home:
                    work.append(block)
            elif read > last[block]:
                last[block] = read
        predecessors = self._predecessors
        seen: set[Block] = set()
        while work:
            block = work.pop()
            if block in seen:
                continue
            seen.add(block)
            for before in predecessors[block]:
                live_out.add(before)
                if before is not home:
                    work.append(before)
        definition = self.definition(value)
        start, end = self.start, self.end
        found: list[Interval] = [
            (definition, end[home] if home in live_out else max(last.get(home, 0), definition))
        ]
        for block in seen:
            found.append((start[block], end[block] if block in live_out else last[block]))
        found.sort()
        return found


def writes_early(op: Operation) -> bool:
    """Whether an op writes results before it has read all operands."""
    return op.__class__ is InlineAsmOp or (isinstance(op, InstructionOp) and op.row.tied)


def tied_operands(op: Operation) -> list[tuple[int, int]]:
    """The numbers of operands, and of the results whose register they must lie in."""
    if isinstance(op, InlineAsmOp):
        return op.tied
    if isinstance(op, InstructionOp) and op.row.tied:
        return [(number, number) for number in range(len(op.results))]
    return []


def is_tied(op: Operation, index: int) -> bool:
    """Whether operand `index` must lie in a result's register."""
    return any(at == index for at, _ in tied_operands(op)) if writes_early(op) else False


def overlap(a: Sequence[Interval], b: Sequence[Interval]) -> bool:
    """Whether two sets of intervals, each in order, have a position in common."""
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i][1] < b[j][0]:
            i += 1
        elif b[j][1] < a[i][0]:
            j += 1
        else:
            return True
    return False


def union(a: Sequence[Interval], b: Sequence[Interval]) -> list[Interval]:
    """Two sets of intervals without common positions as one."""
    merged: list[Interval] = []
    for interval in sorted([*a, *b]):
        if merged and merged[-1][1] + 1 >= interval[0]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], interval[1]))
        else:
            merged.append(interval)
    return merged


def covers(intervals: Sequence[Interval], position: int) -> bool:
    """Whether a position lies in one of the intervals."""
    key: Any = (position + 1,)
    at = bisect_right(intervals, key) - 1
    return at >= 0 and intervals[at][1] >= position
