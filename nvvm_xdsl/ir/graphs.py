"""Graph algorithms on dense numbers, none of them recursive.

A graph is a list of successor lists. The verifier and the analyses share these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def reverse_post_order(successors: list[list[int]], root: int) -> list[int]:
    """The nodes that are reachable from `root` in a reverse post-order, computed without recursion.

    Successors are visited from last to first, so that the first successor of a branch follows it if
    the graph permits.
    """
    seen = bytearray(len(successors))
    seen[root] = 1
    order: list[int] = []
    path = [root]
    pending = [list(successors[root])]
    while path:
        todo = pending[-1]
        while todo:
            node = todo.pop()
            if not seen[node]:
                seen[node] = 1
                path.append(node)
                pending.append(list(successors[node]))
                break
        else:
            pending.pop()
            order.append(path.pop())
    order.reverse()
    return order


def strongly_connected_components(
    nodes: Sequence[int], successors: Sequence[Sequence[int]]
) -> list[list[int]]:
    """The strongly connected components of the subgraph of `nodes`, without recursion.

    A component comes after every other one that it reaches. Edges that leave `nodes` are
    ignored. (Tarjan, "Depth-first search and linear graph algorithms", 1972.)
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    member = set(nodes)
    on_stack: set[int] = set()
    stack: list[int] = []
    components: list[list[int]] = []
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        path = [root]
        pending = [iter(successors[root])]
        while path:
            node = path[-1]
            for target in pending[-1]:
                if target not in member:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    path.append(target)
                    pending.append(iter(successors[target]))
                    break
                if target in on_stack and index[target] < low[node]:
                    low[node] = index[target]
            else:
                path.pop()
                pending.pop()
                if path and low[node] < low[path[-1]]:
                    low[path[-1]] = low[node]
                if low[node] == index[node]:
                    component: list[int] = []
                    while True:
                        top = stack.pop()
                        on_stack.remove(top)
                        component.append(top)
                        if top == node:
                            break
                    component.reverse()
                    components.append(component)
    return components


def semi_nca(
    root: int,
    successors: list[list[int]],
    predecessors: list[list[int]],
    keep: list[int],
    above: int,
) -> tuple[list[int], list[int]]:
    """The dominator tree by Semi-NCA: nodes that `root` reaches in depth-first order, and the immediate dominator of each.

    The search enters only nodes `n` with `keep[n] > above`. Dominators are given as places in
    the order; the root's is 0, itself. (Georgiadis, Tarjan, Werneck: "Finding Dominators in
    Practice", 2006.)
    """
    place: dict[int, int] = {root: 0}
    order = [root]
    parent = [0]
    stack: list[tuple[int, int]] = [(0, t) for t in reversed(successors[root])]
    while stack:
        came_from, node = stack.pop()
        if node in place or keep[node] <= above:
            continue
        here = place[node] = len(order)
        order.append(node)
        parent.append(came_from)
        for target in reversed(successors[node]):
            if target not in place:
                stack.append((here, target))

    count = len(order)
    semi = list(range(count))
    label = list(range(count))
    ancestor = parent.copy()
    # Nodes from position `limit` on are linked into the forest of path compression.
    for here in range(count - 1, 0, -1):
        best = parent[here]
        limit = here + 1
        for pred in predecessors[order[here]]:
            at = place.get(pred)
            if at is None:
                continue
            if at >= limit:
                path: list[int] = []
                while ancestor[at] >= limit:
                    path.append(at)
                    at = ancestor[at]
                low = label[at]
                while path:
                    node = path.pop()
                    ancestor[node] = ancestor[at]
                    if semi[low] < semi[label[node]]:
                        label[node] = low
                    else:
                        low = label[node]
                at_semi = semi[low]
            else:
                at_semi = semi[at]
            if at_semi < best:
                best = at_semi
        semi[here] = best
    idom = parent
    for here in range(1, count):
        up = idom[here]
        bound = semi[here]
        while up > bound:
            up = idom[up]
        idom[here] = up
    return order, idom


def is_reducible(successors: list[list[int]], root: int = 0) -> bool:
    """Returns True if every cycle reachable from `root` has one entry, which dominates its
    nodes."""
    order = reverse_post_order(successors, root)
    place = {node: index for index, node in enumerate(order)}
    predecessors: list[list[int]] = [[] for _ in successors]
    for node in order:
        for target in successors[node]:
            predecessors[target].append(node)
    nodes, idom = semi_nca(root, successors, predecessors, [1] * len(successors), 0)
    # Positions in depth-first order: a dominator precedes the blocks that it dominates, which form
    # its subtree of the dominator tree, numbered consecutively.
    children: list[list[int]] = [[] for _ in nodes]
    for index in range(1, len(nodes)):
        children[idom[index]].append(index)
    first = [0] * len(nodes)
    last = [0] * len(nodes)
    clock = 0
    stack = [0]
    while stack:
        index = stack.pop()
        if index < 0:
            last[~index] = clock
            continue
        first[index] = clock
        clock += 1
        stack.append(~index)
        stack.extend(children[index])
    at = {node: index for index, node in enumerate(nodes)}
    for node in order:
        for target in successors[node]:
            if place[target] <= place[node]:
                a, b = at[target], at[node]
                if not first[a] <= first[b] < last[a]:
                    return False
    return True


def set_bits(mask: int) -> Iterator[int]:
    """The positions of the set bits of a bit set, in increasing order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
