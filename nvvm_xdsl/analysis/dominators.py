"""Dominator and post-dominator trees.

Built with the Semi-NCA algorithm and kept up to date by edge insertion and deletion
(Georgiadis, Tarjan, Werneck: "Finding Dominators in Practice", 2006; Georgiadis et al.,
"An Experimental Study of Dynamic Dominators", 2016). Numbers are those of the CFG.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.ir import Block, Operation, Region

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import semi_nca, strongly_connected_components

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

SLOW_QUERY_LIMIT = 32
"""Number of tree walks by queries after an update before the tree is renumbered."""


class _Tree:
    """Common state of both trees: parents, depths and depth-first numbers by node number."""

    looks_at_cfg_only: ClassVar[bool] = True

    cfg: CFG
    root: int
    idom: list[int]
    depth: list[int]
    _children: list[list[int]]
    _dfs_in: list[int]
    _dfs_out: list[int]
    _numbered: bool
    _slow_queries: int

    def _number_of(self, block: Block) -> int:
        return self.cfg.numbers[block]

    def _fill(self, order: list[int], idom: list[int], size: int) -> None:
        parents = self.idom = [-1] * size
        depth = self.depth = [-1] * size
        children = self._children = [[] for _ in range(size)]
        depth[order[0]] = 0
        for place in range(1, len(order)):
            node = order[place]
            up = order[idom[place]]
            parents[node] = up
            depth[node] = depth[up] + 1
            children[up].append(node)
        self._numbered = False
        self._slow_queries = SLOW_QUERY_LIMIT
        self._dfs_in = []
        self._dfs_out = []

    def _number(self) -> None:
        size = len(self.idom)
        dfs_in = self._dfs_in = [-1] * size
        dfs_out = self._dfs_out = [-1] * size
        children = self._children
        clock = 0
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node < 0:
                dfs_out[~node] = clock
                clock += 1
                continue
            dfs_in[node] = clock
            clock += 1
            stack.append(~node)
            stack.extend(reversed(children[node]))
        self._numbered = True
        self._slow_queries = 0

    def _changed(self) -> None:
        self._numbered = False

    def dominates_number(self, a: int, b: int) -> bool:
        """`dominates` on block numbers."""
        if a == b:
            return True
        depth = self.depth
        if depth[b] < 0:
            return True
        if depth[a] < 0 or depth[a] >= depth[b]:
            return False
        if not self._numbered:
            self._slow_queries += 1
            if self._slow_queries <= SLOW_QUERY_LIMIT:
                idom = self.idom
                level = depth[a]
                while depth[b] > level:
                    b = idom[b]
                return a == b
            self._number()
        return self._dfs_in[a] < self._dfs_in[b] and self._dfs_out[b] < self._dfs_out[a]

    def dominates(self, a: Block, b: Block) -> bool:
        """Returns True if `a` dominates `b`; true for an unreachable `b`.

        A block dominates itself. An unreachable block dominates no reachable block.
        """
        return a is b or self.dominates_number(self._number_of(a), self._number_of(b))

    def strictly_dominates(self, a: Block, b: Block) -> bool:
        """Returns True if `a` strictly dominates `b`."""
        return a is not b and self.dominates(a, b)

    def runs_before(self, first: Operation, second: Operation) -> bool:
        """Returns True if an op dominates another, or is the same op."""
        one, other = first.parent, second.parent
        assert one is not None
        assert other is not None
        if one is not other:
            return self.dominates(one, other)
        return first is second or fast.comes_before(first, second)

    def common_dominator_number(self, a: int, b: int) -> int:
        """The deepest number that dominates both; both must be in the tree."""
        depth = self.depth
        idom = self.idom
        while a != b:
            if depth[a] < depth[b]:
                b = idom[b]
            else:
                a = idom[a]
        return a

    def contains(self, block: Block) -> bool:
        """Returns True if the block is in the tree, that is, reachable from its root."""
        return self.depth[self._number_of(block)] >= 0

    def children_numbers(self, number: int) -> list[int]:
        """The numbers of the immediately dominated nodes."""
        return self._children[number]

    def preorder_numbers(self) -> list[int]:
        """The tree's node numbers, parents before children."""
        order: list[int] = []
        children = self._children
        stack = [self.root]
        while stack:
            node = stack.pop()
            order.append(node)
            stack.extend(reversed(children[node]))
        return order

    def _iterated_frontier(
        self, numbers: Iterable[int], edges: list[list[int]], live: set[int] | None = None
    ) -> list[int]:
        """The iterated frontier of nodes along the edges that the tree was built on, sorted.

        With `live`, other nodes are omitted. Linear in the tree and the edges (Sreedhar and
        Gao, "A Linear Time Algorithm for Placing phi-Nodes", 1995).
        """
        depth = self.depth
        definers = {n for n in numbers if depth[n] >= 0}
        queue = [(-depth[n], n) for n in definers]
        heapq.heapify(queue)
        placed: set[int] = set()
        visited = set(definers)
        while queue:
            level, root = heapq.heappop(queue)
            stack = [root]
            while stack:
                node = stack.pop()
                for target in edges[node]:
                    if self.idom[target] == node or -depth[target] < level:
                        continue
                    if target in placed:
                        continue
                    if live is not None and target not in live:
                        continue
                    placed.add(target)
                    if target not in definers:
                        heapq.heappush(queue, (-depth[target], target))
                for child in self._children[node]:
                    if child not in visited:
                        visited.add(child)
                        stack.append(child)
        return sorted(placed)

    def _set_idom(self, node: int, up: int) -> None:
        old = self.idom[node]
        if old == up:
            return
        if old >= 0:
            self._children[old].remove(node)
        self._children[up].append(node)
        self.idom[node] = up

    def _set_depths(self, node: int) -> None:
        """Updates the depths of the subtree of `node`, whose parent's depth is correct."""
        depth = self.depth
        children = self._children
        stack = [node]
        while stack:
            node = stack.pop()
            new = depth[self.idom[node]] + 1
            if depth[node] != new:
                depth[node] = new
                stack.extend(children[node])


class DominatorTree(_Tree):
    """The dominator tree of a region.

    Built from a region or its CFG. Updates refer to the edges stored in the tree, so that a series
    of updates may be applied after the IR has changed, in any order in which each deleted edge
    exists. `root` is the entry's number; `idom[n]` is -1 for the entry and for unreachable blocks,
    `depth[n]` -1 for unreachable ones.
    """

    def __init__(self, source: Region | CFG) -> None:
        cfg = self.cfg = source if isinstance(source, CFG) else CFG(source)
        self.root = 0
        self._successors = cfg.successors
        self._predecessors = cfg.predecessors
        self._numbers = cfg.numbers
        self._blocks = cfg.blocks
        self._own_edges = False
        if cfg.blocks:
            self._build()
        else:
            self._fill([0], [0], 1)

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The tree of a function."""
        return cls(am.get(CFG, op))

    def _number_of(self, block: Block) -> int:
        return self._numbers[block]

    def _build(self) -> None:
        size = len(self._blocks)
        order, idom = semi_nca(0, self._successors, self._predecessors, [1] * size, 0)
        self._fill(order, idom, size)

    def block(self, number: int) -> Block:
        """The block with a number, including blocks added since the CFG was built."""
        return self._blocks[number]

    def immediate_dominator(self, block: Block) -> Block | None:
        """The immediate dominator; None for the entry and unreachable blocks."""
        up = self.idom[self._number_of(block)]
        return self._blocks[up] if up >= 0 else None

    def children(self, block: Block) -> list[Block]:
        """The immediately dominated blocks."""
        return [self._blocks[n] for n in self._children[self._number_of(block)]]

    def nearest_common_dominator(self, a: Block, b: Block) -> Block:
        """The deepest block that dominates both; unreachable blocks are ignored."""
        one, two = self._number_of(a), self._number_of(b)
        if self.depth[one] < 0:
            return b
        if self.depth[two] < 0:
            return a
        return self._blocks[self.common_dominator_number(one, two)]

    def preorder(self) -> Iterator[Block]:
        """The reachable blocks, dominators first."""
        blocks = self._blocks
        return (blocks[n] for n in self.preorder_numbers())

    def frontiers(self) -> list[list[int]]:
        """The dominance frontier of each block, by number; empty for unreachable blocks.

        May be quadratic in size; use `iterated_frontier` to place block arguments.
        """
        found: list[dict[int, None]] = [{} for _ in self.idom]
        for node in self.preorder_numbers():
            stop = self.idom[node]
            for pred in self._predecessors[node]:
                if self.depth[pred] < 0:
                    continue
                at = pred
                while at != stop:
                    if node in found[at]:
                        break
                    found[at][node] = None
                    at = self.idom[at]
        return [list(f) for f in found]

    def iterated_frontier(
        self, blocks: Iterable[Block], live_in: set[Block] | None = None
    ) -> list[Block]:
        """The blocks that need an argument for a variable defined in `blocks`, in block order.

        With `live_in`, other blocks are omitted. Linear in the tree and the edges.
        """
        live = None
        if live_in is not None:
            # Only blocks with several predecessors are in frontiers.
            numbers = map(self._number_of, live_in)
            live = {n for n in numbers if len(self._predecessors[n]) > 1}
            if not live:
                return []
        found = self._iterated_frontier(map(self._number_of, blocks), self._successors, live)
        return [self._blocks[n] for n in found]

    # Updates.

    def _copy_edges(self) -> None:
        """Copies the edge lists before the first change."""
        if not self._own_edges:
            self._own_edges = True
            self._successors = [list(s) for s in self._successors]
            self._predecessors = [list(p) for p in self._predecessors]
            self._numbers = dict(self._numbers)
            self._blocks = list(self._blocks)

    def add_block(self, block: Block) -> None:
        """Adds a new block without edges; `insert_edge` follows."""
        self._copy_edges()
        self._numbers[block] = len(self._blocks)
        self._blocks.append(block)
        self._successors.append([])
        self._predecessors.append([])
        self.idom.append(-1)
        self.depth.append(-1)
        self._children.append([])
        self._changed()

    def insert_edge(self, source: Block, target: Block) -> None:
        """Updates the tree for a new edge."""
        self._copy_edges()
        one, two = self._number_of(source), self._number_of(target)
        self._successors[one].append(two)
        self._predecessors[two].append(one)
        self._insert(one, two)

    def _insert(self, source: int, target: int) -> None:
        depth = self.depth
        if depth[source] < 0:
            return
        if depth[target] >= 0:
            self._insert_reachable(source, target)
            return
        # Newly reachable blocks are inserted below the edge. Their edges to blocks that were
        # reachable before are then inserted one by one.
        if all(depth[t] >= 0 for t in self._successors[target]):
            order, idom = [target], [0]
        else:
            unreached = [1 if d < 0 else 0 for d in depth]
            order, idom = semi_nca(target, self._successors, self._predecessors, unreached, 0)
        fresh = set(order)
        self._set_idom(target, source)
        depth[target] = depth[source] + 1
        for place in range(1, len(order)):
            node = order[place]
            up = order[idom[place]]
            self._set_idom(node, up)
            depth[node] = depth[up] + 1
        self._changed()
        for node in order:
            for after in self._successors[node]:
                if after not in fresh:
                    self._insert_reachable(node, after)

    def _insert_reachable(self, source: int, target: int) -> None:
        """Depth-based search for the blocks whose immediate dominator moves up."""
        top = self.common_dominator_number(source, target)
        if top == target or top == self.idom[target]:
            return
        depth = self.depth
        floor = depth[top] + 1
        queue = [(-depth[target], target)]
        seen = {target}
        affected: list[int] = []
        while queue:
            _, node = heapq.heappop(queue)
            affected.append(node)
            level = depth[node]
            stack = [node]
            while stack:
                at = stack.pop()
                for after in self._successors[at]:
                    below = depth[after]
                    if below <= floor or after in seen:
                        continue
                    seen.add(after)
                    if below > level:
                        stack.append(after)
                    else:
                        heapq.heappush(queue, (-below, after))
        for node in affected:
            self._set_idom(node, top)
        for node in affected:
            self._set_depths(node)
        self._changed()

    def delete_edge(self, source: Block, target: Block) -> None:
        """Updates the tree for the removal of one edge from `source` to `target`.

        Raises ValueError if the tree has no such edge.
        """
        self._copy_edges()
        one, two = self._number_of(source), self._number_of(target)
        self._successors[one].remove(two)
        self._predecessors[two].remove(one)
        depth = self.depth
        if depth[one] < 0 or two in self._successors[one]:
            return
        top = self.common_dominator_number(one, two)
        if top == two:
            return
        supported = any(
            depth[p] >= 0 and self.common_dominator_number(two, p) != two
            for p in self._predecessors[two]
        )
        if supported:
            self._rebuild(top)
            return
        # `target` and all blocks that it dominates become unreachable. The immediate dominators of
        # their successors may move down, at most to the nearest common dominator.
        level = depth[two]
        gone = [two]
        place = {two}
        leads_to: set[int] = set()
        for node in gone:
            for after in self._successors[node]:
                if depth[after] <= level:
                    leads_to.add(after)
                elif after not in place:
                    place.add(after)
                    gone.append(after)
        top = two
        for after in leads_to:
            if after != two:
                common = self.common_dominator_number(after, two)
                if common != after and depth[common] < depth[top]:
                    top = common
        self._drop(gone)
        if top != two:
            self._rebuild(top)

    def _drop(self, nodes: list[int]) -> None:
        up = self.idom[nodes[0]]
        if up >= 0:
            self._children[up].remove(nodes[0])
        for node in nodes:
            self.idom[node] = -1
            self.depth[node] = -1
            self._children[node] = []
        self._changed()

    def _rebuild(self, top: int) -> None:
        """Rebuilds the subtree of `top`. All of its blocks must still be reachable."""
        depth = self.depth
        order, idom = semi_nca(top, self._successors, self._predecessors, depth, depth[top])
        for place in range(1, len(order)):
            self._children[order[place]] = []
        self._children[top] = []
        for place in range(1, len(order)):
            node = order[place]
            up = order[idom[place]]
            self.idom[node] = up
            self._children[up].append(node)
            depth[node] = depth[up] + 1
        self._changed()

    def split_edge(self, source: Block, new: Block, target: Block) -> None:
        """Updates the tree for an edge that was split by the new block `new`."""
        self.add_block(new)
        self.insert_edge(source, new)
        self.insert_edge(new, target)
        self.delete_edge(source, target)

    def erase_block(self, block: Block) -> None:
        """Removes a block without incoming edges that was removed from the region."""
        self._copy_edges()
        number = self._number_of(block)
        for after in dict.fromkeys(self._successors[number]):
            while after in self._successors[number]:
                self.delete_edge(block, self._blocks[after])
        assert not self._predecessors[number], "the erased block still has predecessors"
        assert self.depth[number] < 0, "the erased block is reachable"
        del self._numbers[block]

    def recompute(self) -> None:
        """Rebuilds the tree from the region."""
        self.__init__(self.cfg.region)

    def verify(self) -> None:
        """Rebuilds the tree from the IR; raises AssertionError if it differs."""
        fresh = DominatorTree(self.cfg.region)
        assert len(fresh._blocks) == len(self._numbers), "the dominator tree's blocks are stale"
        for block in fresh._blocks:
            assert block in self._numbers, "the dominator tree lacks a block"
            mine = self.immediate_dominator(block)
            other = fresh.immediate_dominator(block)
            assert mine is other, f"the immediate dominator of {_name(block)} is stale"
            assert self.depth[self._number_of(block)] == fresh.depth[fresh._number_of(block)], (
                f"the depth of {_name(block)} is stale"
            )
        if self._numbered:
            for a in fresh._blocks:
                up = self.immediate_dominator(a)
                if up is not None:
                    assert self.dominates(up, a), f"the numbers of {_name(a)} are stale"


def _name(block: Block) -> str:
    return block.name_hint or "an unnamed block"


class PostDominatorTree(_Tree):
    """The post-dominator tree of a region.

    It contains all blocks, including unreachable ones. Its root is a virtual exit after every block
    without successors, numbered `len(cfg.blocks)`. An infinite loop without an exit gets an edge to
    the virtual exit from its last block in reverse post-order.
    """

    def __init__(self, source: Region | CFG) -> None:
        cfg = self.cfg = source if isinstance(source, CFG) else CFG(source)
        size = len(cfg.blocks)
        self.root = size
        self.exits = self._find_exits()
        backwards = [*cfg.predecessors, self.exits]
        forwards = [*cfg.successors, []]
        for number in self.exits:
            forwards[number] = [*forwards[number], size]
        order, idom = semi_nca(size, backwards, forwards, [1] * (size + 1), 0)
        self._fill(order, idom, size + 1)

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The tree of a function."""
        return cls(am.get(CFG, op))

    def _find_exits(self) -> list[int]:
        cfg = self.cfg
        exits = [n for n, targets in enumerate(cfg.successors) if not targets]
        seen = bytearray(len(cfg.blocks))
        self._mark_backwards(exits, seen)
        endless = [n for n in range(len(seen)) if not seen[n]]
        if endless:
            order = cfg.rpo_index
            for component in strongly_connected_components(endless, cfg.successors):
                members = set(component)
                if all(t in members for n in component for t in cfg.successors[n]):
                    exits.append(max(component, key=lambda n: (order[n], n)))
        return exits

    def _mark_backwards(self, roots: list[int], seen: bytearray) -> None:
        stack = [n for n in roots if not seen[n]]
        for node in stack:
            seen[node] = 1
        predecessors = self.cfg.predecessors
        while stack:
            for node in predecessors[stack.pop()]:
                if not seen[node]:
                    seen[node] = 1
                    stack.append(node)

    def immediate_post_dominator(self, block: Block) -> Block | None:
        """The immediate post-dominator; None for the exit."""
        up = self.idom[self._number_of(block)]
        return None if up == self.root else self.cfg.blocks[up]

    def children(self, block: Block) -> list[Block]:
        """The immediately post-dominated blocks."""
        return [self.cfg.blocks[n] for n in self._children[self._number_of(block)]]

    def frontiers(self) -> list[list[int]]:
        """The post-dominance frontier of each block: the branches that it is control-dependent
        on."""
        found: list[dict[int, None]] = [{} for _ in self.cfg.blocks]
        for node in range(len(self.cfg.blocks)):
            stop = self.idom[node]
            for target in self.cfg.successors[node]:
                at = target
                while at != stop and at != self.root:
                    if node in found[at]:
                        break
                    found[at][node] = None
                    at = self.idom[at]
        return [list(f) for f in found]

    def iterated_control_dependences(self, blocks: Iterable[Block]) -> set[Block]:
        """The blocks whose branches decide, directly or indirectly, whether one of these blocks is
        executed.

        From such a block, one of `blocks` is reached before the immediate post-dominator.
        """
        numbers = map(self._number_of, blocks)
        found = self._iterated_frontier(numbers, self.cfg.predecessors)
        return {self.cfg.blocks[n] for n in found}

    def iterated_control_dependents(self, branches: Iterable[Block]) -> set[Block]:
        """The blocks whose execution these branches decide, directly or indirectly: the inverse of
        `iterated_control_dependences`.
        """
        depth, idom = self.depth, self.idom
        work = list(map(self._number_of, branches))
        seen = set(work)
        # For each block found, the smallest depth up to which its post-dominators were added.
        added: dict[int, int] = {}
        while work:
            branch = work.pop()
            end = depth[branch]
            for at in self.cfg.successors[branch]:
                while at != self.root and end <= depth[at] and end < added.get(at, end + 1):
                    added[at] = end
                    if at not in seen:
                        seen.add(at)
                        work.append(at)
                    at = idom[at]
        return {self.cfg.blocks[number] for number in added}

    def recompute(self) -> None:
        """Rebuilds the tree from the region."""
        self.__init__(self.cfg.region)

    def verify(self) -> None:
        """Rebuilds the tree from the IR; raises AssertionError if it differs."""
        fresh = PostDominatorTree(self.cfg.region)
        assert fresh.cfg.blocks == self.cfg.blocks, "the post-dominator tree's blocks are stale"
        for block in fresh.cfg.blocks:
            mine = self.immediate_post_dominator(block)
            other = fresh.immediate_post_dominator(block)
            assert mine is other, f"the immediate post-dominator of {_name(block)} is stale"
