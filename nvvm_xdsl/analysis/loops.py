"""Natural loops with their nesting, and irreducible cycles.

A natural loop is the set of blocks that reach a back edge's source without passing its
target, the header, which dominates them all. A cycle with several entries has no header that
dominates it: it is irreducible, and loop passes do not change it.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import strongly_connected_components

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager


class Loop:
    """A natural loop: its header, its blocks (header first, in reverse post-order), its nest.

    Queries about edges use the current IR. The blocks are collected on demand, because in a deep
    nest each block belongs to many loops.
    """

    header: Block
    parent: Loop | None
    subloops: list[Loop]
    blocks: list[Block]
    block_set: set[Block]

    def __init__(self, header: Block, innermost: dict[Block, Loop]) -> None:
        self.header = header
        self.parent = None
        self.subloops = []
        self._own: list[tuple[int, Block]] = []
        """The blocks that are in no inner loop, with their positions in the order."""
        self._innermost = innermost
        self._first = self._last = 0
        """The numbers, in preorder, of this loop and of the last one inside it."""

    def __getattr__(self, name: str) -> Any:
        if name not in ("blocks", "block_set"):
            raise AttributeError(name)
        placed = [entry for loop in self.preorder() for entry in loop._own]
        if self.subloops:
            placed.sort(key=itemgetter(0))
        self.blocks = [block for _, block in placed]
        self.block_set = set(self.blocks)
        return self.__dict__[name]

    def add_own(self, place: int, block: Block) -> None:
        """Adds a block before the blocks are collected, at its position in the order."""
        self._own.append((place, block))

    def number_nest(self, first: int, last: int) -> None:
        """Sets the preorder numbers of this loop and of the last inner loop."""
        self._first, self._last = first, last

    @property
    def depth(self) -> int:
        """The nesting depth of the loop: 1 for an outermost loop."""
        depth = 1
        at = self.parent
        while at is not None:
            depth += 1
            at = at.parent
        return depth

    def contains(self, block: Block) -> bool:
        """Returns True if the block is in this loop or an inner loop."""
        inner = self._innermost.get(block)
        return inner is not None and self._first <= inner._first <= self._last

    def contains_loop(self, other: Loop | None) -> bool:
        """Returns True if `other` is this loop or an inner loop."""
        while other is not None:
            if other is self:
                return True
            other = other.parent
        return False

    def set_header(self, block: Block) -> None:
        """Makes a block of the loop its header, the first of its blocks."""
        self.header = block
        self.blocks.remove(block)
        self.blocks.insert(0, block)

    def latches(self) -> list[Block]:
        """The latches: the blocks of the loop that branch to the header, each once."""
        return [b for b in _unique_predecessors(self.header) if self.contains(b)]

    def latch(self) -> Block | None:
        """The only latch; None if there are several."""
        latches = self.latches()
        return latches[0] if len(latches) == 1 else None

    def entering_blocks(self) -> list[Block]:
        """The entering blocks: the blocks outside the loop that branch to the header, each once."""
        return [b for b in _unique_predecessors(self.header) if not self.contains(b)]

    def predecessor(self) -> Block | None:
        """The only entering block; None if there are several."""
        entering = self.entering_blocks()
        return entering[0] if len(entering) == 1 else None

    def preheader(self) -> Block | None:
        """The preheader: the entering block whose only successor is the header; None if there is
        none."""
        block = self.predecessor()
        if block is None:
            return None
        last = block.last_op
        if last is None or len(fast.successors_of(last)) != 1:
            return None
        return block

    def exit_edges(self) -> list[tuple[Block, Block]]:
        """The exit edges, from inside to outside, with repetitions."""
        return list(self._exit_edges())

    def _exit_edges(self) -> Iterator[tuple[Block, Block]]:
        inside = self.block_set
        for block in self.blocks:
            last = block.last_op
            if last is not None:
                for target in fast.successors_of(last):
                    if target not in inside:
                        yield block, target

    def exiting_blocks(self) -> list[Block]:
        """The exiting blocks, each once."""
        return list(dict.fromkeys(source for source, _ in self.exit_edges()))

    def has_one_exiting_block(self) -> bool:
        """True if there is exactly one exiting block; stops at the second."""
        edges = self._exit_edges()
        first = next(edges, None)
        return first is not None and all(source is first[0] for source, _ in edges)

    def exit_blocks(self) -> list[Block]:
        """The exit blocks, each once."""
        return list(dict.fromkeys(target for _, target in self.exit_edges()))

    def exit_block(self) -> Block | None:
        """The only exit block; None if there are several."""
        blocks = self.exit_blocks()
        return blocks[0] if len(blocks) == 1 else None

    def has_dedicated_exits(self) -> bool:
        """Returns True if all exits are dedicated: no exit block is entered from outside the
        loop."""
        return all(
            self.contains(pred)
            for block in self.exit_blocks()
            for pred in fast.predecessors_of(block)
        )

    def is_simplified(self) -> bool:
        """True if the loop has the form of loop-simplify: preheader, one latch, dedicated exits."""
        return (
            self.preheader() is not None and self.latch() is not None and self.has_dedicated_exits()
        )

    def is_rotated(self) -> bool:
        """Returns True if the latch is exiting: the loop is rotated."""
        latch = self.latch()
        if latch is None or latch.last_op is None:
            return False
        return any(not self.contains(b) for b in fast.successors_of(latch.last_op))

    def is_innermost(self) -> bool:
        """Returns True if the loop has no inner loops."""
        return not self.subloops

    def defines(self, value: SSAValue) -> bool:
        """Returns True if the value is defined in the loop."""
        owner = value.owner
        block = owner if type(owner) is Block else owner.parent_block()
        return block is not None and self.contains(block)

    def is_invariant(self, value: SSAValue) -> bool:
        """Returns True if the value is defined outside the loop."""
        return not self.defines(value)

    def has_invariant_operands(self, op: Operation) -> bool:
        """Returns True if all operands of the op are loop-invariant."""
        return not any(self.defines(v) for v in fast.operands_of(op))

    def values_used_outside(self) -> list[SSAValue]:
        """The values defined in the loop that ops outside use, each once.

        An operand that a branch in the loop passes to an exit block is a use in the loop.
        """
        inside = self.block_set
        found: list[SSAValue] = []
        for block in self.blocks:
            for value in block.args:
                if fast.is_used_outside(value, inside):
                    found.append(value)
            for op in fast.ops_of(block):
                for value in op.results:
                    if fast.is_used_outside(value, inside):
                        found.append(value)
        return found

    def is_lcssa(self) -> bool:
        """Returns True if the loop is in LCSSA form."""
        return not self.values_used_outside()

    def preorder(self) -> Iterator[Loop]:
        """This loop and its inner loops, outer ones first."""
        stack: list[Loop] = [self]
        while stack:
            loop = stack.pop()
            yield loop
            stack.extend(reversed(loop.subloops))


def _unique_predecessors(block: Block) -> list[Block]:
    # The use list is ordered from the newest use to the oldest.
    found = dict.fromkeys(fast.predecessors_of(block))
    return list(reversed(found))


class IrreducibleCycle:
    """An irreducible cycle: its entries and all its blocks."""

    entries: list[Block]
    blocks: list[Block]

    def __init__(self, entries: list[Block], blocks: list[Block]) -> None:
        self.entries = entries
        self.blocks = blocks


class LoopInfo:
    """The loops of a region.

    Built from its dominator tree (or from the region or CFG, when there is no tree yet).
    `top_level` holds the outermost loops in reverse post-order of their headers.
    """

    looks_at_cfg_only: ClassVar[bool] = True

    top_level: list[Loop]

    def __init__(self, source: DominatorTree | CFG | Region) -> None:
        tree = source if isinstance(source, DominatorTree) else DominatorTree(source)
        self.dominators = tree
        self.region = tree.cfg.region
        self._innermost: dict[Block, Loop] = {}
        self.top_level = []
        self._irreducible: list[IrreducibleCycle] | None = None
        self._gathered = False
        cfg = self.cfg = tree.cfg
        headers: dict[int, list[int]] = {}
        self._bad_edges: list[tuple[int, int]] = []
        for source_, target in cfg.retreating_edges:
            if tree.dominates_number(target, source_):
                headers.setdefault(target, []).append(source_)
            else:
                self._bad_edges.append((source_, target))
        if headers:
            self._find_loops(headers)

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The loops of a function."""
        return cls(am.get(DominatorTree, op))

    def _find_loops(self, headers: dict[int, list[int]]) -> None:
        """Maps blocks to loops, inner loops first, each block and loop visited once.

        A loop whose header is later in the reverse post-order is never an outer loop.
        """
        cfg = self.cfg
        blocks = cfg.blocks
        predecessors = cfg.predecessors
        rpo_index = cfg.rpo_index
        innermost: list[Loop | None] = [None] * len(blocks)
        for header in sorted(headers, key=lambda n: rpo_index[n], reverse=True):
            loop = Loop(blocks[header], self._innermost)
            work = list(headers[header])
            while work:
                node = work.pop()
                inner = innermost[node]
                if inner is None:
                    if rpo_index[node] < 0:
                        continue
                    innermost[node] = loop
                    if node != header:
                        work.extend(predecessors[node])
                    continue
                while inner.parent is not None:
                    inner = inner.parent
                if inner is loop:
                    continue
                # Only the edges that enter an inner loop are followed.
                inner.parent = loop
                for pred in predecessors[cfg.numbers[inner.header]]:
                    if innermost[pred] is not inner:
                        work.append(pred)
        mapping = self._innermost
        for place, node in enumerate(cfg.rpo):
            loop = innermost[node]
            if loop is None:
                continue
            block = blocks[node]
            mapping[block] = loop
            if block is loop.header:
                parent = loop.parent
                (self.top_level if parent is None else parent.subloops).append(loop)
            loop.add_own(place, block)
        found = self.loops()
        last = {loop: number for number, loop in enumerate(found)}
        for number in reversed(range(len(found))):
            loop = found[number]
            if loop.subloops:
                last[loop] = last[loop.subloops[-1]]
            loop.number_nest(number, last[loop])

    def members(self) -> dict[Loop | None, list[Block]]:
        """The blocks of each loop that are in no inner loop, and the headers of its inner loops.

        The key None is the function outside of loops; unreachable blocks are omitted. In reverse
        post-order.
        """
        found: dict[Loop | None, list[Block]] = {None: [], **{loop: [] for loop in self.loops()}}
        for number in self.cfg.rpo:
            block = self.cfg.blocks[number]
            loop = self._innermost.get(block)
            found[loop].append(block)
            if loop is not None and loop.header is block:
                found[loop.parent].append(block)
        return found

    def _gather(self) -> None:
        """Collects the blocks of every loop before the nest changes."""
        if not self._gathered:
            self._gathered = True
            for loop in self.loops():
                assert loop.blocks

    def loop_for(self, block: Block | None) -> Loop | None:
        """The innermost loop that contains the block."""
        return self._innermost.get(block) if block is not None else None

    def depth(self, block: Block) -> int:
        """The loop depth of the block."""
        loop = self._innermost.get(block)
        return 0 if loop is None else loop.depth

    def is_header(self, block: Block) -> bool:
        """Returns True if the block is the header of a natural loop."""
        loop = self._innermost.get(block)
        return loop is not None and loop.header is block

    def loops(self) -> list[Loop]:
        """All loops, outer ones first, in reverse post-order of headers."""
        return [loop for top in self.top_level for loop in top.preorder()]

    def innermost_first(self) -> list[Loop]:
        """All loops, inner ones first: the order of loop passes."""
        return list(reversed(self.loops()))

    def common_loop(self, a: Block, b: Block) -> Loop | None:
        """The innermost loop that contains both blocks."""
        loop = self.loop_for(a)
        while loop is not None and not loop.contains(b):
            loop = loop.parent
        return loop

    # Updates.

    def add_block(self, block: Block, loop: Loop | None) -> None:
        """Adds a new block whose innermost loop is `loop`."""
        if loop is None:
            return
        self._gather()
        self._innermost[block] = loop
        at: Loop | None = loop
        while at is not None:
            at.blocks.append(block)
            at.block_set.add(block)
            at = at.parent

    def remove_block(self, block: Block) -> None:
        """Removes an erased block, such as one that was merged into another."""
        at = self._innermost.pop(block, None)
        while at is not None:
            at.blocks.remove(block)
            at.block_set.remove(block)
            at = at.parent

    def erase_loop(self, loop: Loop) -> None:
        """Removes a loop without backedges: its blocks and inner loops become its parent's."""
        self._gather()
        parent = loop.parent
        siblings = self.top_level if parent is None else parent.subloops
        place = siblings.index(loop)
        siblings[place : place + 1] = loop.subloops
        for inner in loop.subloops:
            inner.parent = parent
        for block in loop.blocks:
            if self._innermost[block] is loop:
                if parent is None:
                    del self._innermost[block]
                else:
                    self._innermost[block] = parent

    @property
    def is_reducible(self) -> bool:
        """True if every cycle is a natural loop."""
        return not self._bad_edges

    @property
    def irreducible_cycles(self) -> list[IrreducibleCycle]:
        """The irreducible cycles, outer ones first."""
        if self._irreducible is None:
            self._irreducible = self._find_irreducible() if self._bad_edges else []
        return self._irreducible

    def _find_irreducible(self) -> list[IrreducibleCycle]:
        """Finds strongly connected components, and recursively those of each component without its
        first block."""
        cfg = self.cfg
        found: list[IrreducibleCycle] = []
        work = [list(cfg.rpo)]
        while work:
            nodes = work.pop()
            inner: list[list[int]] = []
            for component in strongly_connected_components(nodes, cfg.successors):
                if len(component) == 1:
                    continue
                component.sort(key=lambda n: cfg.rpo_index[n])
                members = set(component)
                entries = [
                    n
                    for n in component
                    if n == 0
                    or any(p not in members and cfg.rpo_index[p] >= 0 for p in cfg.predecessors[n])
                ]
                if len(entries) > 1:
                    found.append(
                        IrreducibleCycle(
                            [cfg.blocks[n] for n in entries], [cfg.blocks[n] for n in component]
                        )
                    )
                inner.append(component[1:])
            work.extend(inner)
        found.sort(key=lambda c: (-len(c.blocks), cfg.rpo_index[cfg.numbers[c.entries[0]]]))
        return found

    def verify(self) -> None:
        """Recomputes the loops; raises AssertionError if they differ."""
        fresh = LoopInfo(self.region)
        mine = {loop.header: loop for loop in self.loops()}
        others = {loop.header: loop for loop in fresh.loops()}
        assert mine.keys() == others.keys(), "the loops' headers are stale"
        for header, loop in mine.items():
            other = others[header]
            name = header.name_hint or "an unnamed block"
            assert loop.block_set == other.block_set, f"the blocks of the loop at {name} are stale"
            assert set(loop.blocks) == loop.block_set, f"the loop at {name} is inconsistent"
            outer = loop.parent.header if loop.parent else None
            other_outer = other.parent.header if other.parent else None
            assert outer is other_outer, f"the nesting of the loop at {name} is stale"
        for block in fresh.cfg.blocks:
            a, b = self.loop_for(block), fresh.loop_for(block)
            assert (a and a.header) is (b and b.header), "the map from blocks to loops is stale"
