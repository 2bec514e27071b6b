"""Random control-flow graphs, state machines, and divergent branches."""

from __future__ import annotations

from dataclasses import dataclass, field

from nvvm_xdsl.ir.graphs import is_reducible
from nvvm_xdsl.lab.random_kernels.joins import Joins
from nvvm_xdsl.lab.random_kernels.memory_statements import BARRIER, SLOTS

FUEL = 6
"""Maximum number of backedges taken in one execution of a graph."""

STATES = 4


@dataclass
class Node:
    """A block with arguments, which become PHIs.

    Arguments:
        label: its name.
        names: of its arguments.
        types: of its arguments.
    """

    label: str
    names: tuple[str, ...]
    types: tuple[str, ...]
    incoming: list[tuple[str, tuple[str, ...]]] = field(
        default_factory=list[tuple[str, tuple[str, ...]]]
    )
    at: int = 0


class Graphs(Joins):
    """Adds control-flow graphs, state machines and divergent branches as statements."""

    allows_irreducible = False

    # Blocks with arguments

    def node(self, stem: str, *types: str) -> Node:
        """A block that is generated later."""
        return Node(self.fresh(stem), tuple(f"%{self.fresh()}" for _ in types), types)

    def begin(self, node: Node) -> None:
        """Starts the block of a node."""
        self.label(node.label)
        node.at = len(self.lines)

    def jump(self, node: Node, *values: str) -> None:
        """A branch to a node."""
        node.incoming.append((self.block, values))
        self.emit(f"br label %{node.label}")

    def edge_to(self, node: Node, *values: str) -> str:
        """The label of an edge to a node, for a branch that already exists."""
        name = self.edge(node.label)
        node.incoming.append((name, values))
        return name

    def fork(self, condition: str, *edges: tuple[Node, tuple[str, ...]]) -> None:
        """A conditional branch whose edges have separate values."""
        at = len(self.lines)
        first, second = (self.edge_to(node, *values) for node, values in edges)
        self.lines.insert(at, f"  br i1 {condition}, label %{first}, label %{second}")
        self.budget -= 1

    def dispatch(
        self, value: str, default: tuple[Node, tuple[str, ...]], cases: dict[int, tuple[Node, tuple[str, ...]]]
    ) -> None:  # fmt: skip
        """A switch whose edges have separate values."""
        at = len(self.lines)
        last = self.edge_to(default[0], *default[1])
        labels = [(n, self.edge_to(node, *values)) for n, (node, values) in cases.items()]
        text = " ".join(f"i32 {n}, label %{label}" for n, label in labels)
        self.lines.insert(at, f"  switch i32 {value}, label %{last} [ {text} ]")
        self.budget -= 1

    def close(self, *nodes: Node) -> None:
        """Generates the PHIs of nodes once all edges are known."""
        for node in sorted(nodes, key=lambda n: -n.at):
            phis: list[str] = []
            for place, (name, type_) in enumerate(zip(node.names, node.types)):
                inputs = ", ".join(f"[ {v[place]}, %{block} ]" for block, v in node.incoming)
                phis.append(f"  {name} = phi {type_} {inputs}")
            self.lines[node.at : node.at] = phis

    # Graphs

    def graph(self) -> None:
        """Blocks with random edges between them that pass on two numbers and count backedges."""
        r = self.random
        size = r.randint(3, 6)
        while True:
            edges = [self._targets(node, size) for node in range(size)]
            if is_reducible([*edges, []]):
                break
            if self.allows_irreducible:
                break
        nodes = [self.node("node", "i32", "i32", "i32") for _ in range(size + 1)]
        outer = [self.operand("i32").name for _ in range(3)]
        self.jump(nodes[0], str(FUEL), *r.sample(outer, 2))
        converged, self.converged = self.converged, False
        for number, targets in enumerate(edges):
            self._graph_node(nodes, number, targets, outer)
        self.converged = converged
        self.begin(nodes[-1])
        self.close(*nodes)
        for name in nodes[-1].names[1:]:
            self.scopes[-1].setdefault("i32", []).append(self.value(name, "i32"))

    def _targets(self, node: int, size: int) -> list[int]:
        """Successors of a node: the next one and others, of which at most one is not after it."""
        r = self.random
        later = [min(node + r.randint(1, 3), size) for _ in range(r.choice((0, 1, 1, 2, 3)))]
        if node and r.random() < 0.4:
            # Not the first node, which has an edge from outside.
            return [r.randint(1, node), node + 1]
        targets = [node + 1, *later]
        r.shuffle(targets)
        return targets

    def _graph_node(
        self, nodes: list[Node], number: int, targets: list[int], outer: list[str]
    ) -> None:
        r = self.random
        node = nodes[number]
        fuel, x, y = node.names
        self.begin(node)
        op = r.choice(("add", "sub", "xor", "and", "or", "mul"))
        a = self.assign(f"{op} i32 {r.choice((x, y))}, {r.choice((x, y, *outer, '1', '3'))}")
        if self.in_kernel and r.random() < 0.3:
            slot = r.randrange(2 * SLOTS)
            place = self.assign(f"getelementptr inbounds i32, ptr %own_l, i64 {slot}", "p")
            self.emit(f"store i32 {r.choice((a, x, y))}, ptr {place}")
        left = self.assign(f"sub i32 {fuel}, 1")

        def values() -> tuple[str, ...]:
            return (left, *(r.choice((a, x, y, *outer, "0", "1", "2", "3")) for _ in range(2)))

        back = targets[0] <= number
        ends = [(nodes[t], values()) for t in targets]
        if len(ends) == 1:
            self.jump(ends[0][0], *ends[0][1])
        elif len(ends) == 2:
            predicate = r.choice(("eq", "ne", "slt", "sgt", "ult", "uge"))
            left_side = r.choice((x, y, a, *outer, *(("%n", "%tid") if self.in_kernel else ())))
            condition = self.assign(f"icmp {predicate} i32 {left_side}, {r.randint(0, 3)}")
            if back:
                more = self.assign(f"icmp sgt i32 {left}, 0")
                condition = self.assign(f"and i1 {more}, {condition}")
            self.fork(condition, *ends)
        else:
            number_ = r.choice((x, y))
            if r.random() < 0.5:
                number_ = self.assign(f"and i32 {number_}, 3")
            self.dispatch(number_, ends[0], dict(zip(r.sample(range(4), 3), ends[1:])))

    # State machines

    def state_machine(self) -> None:
        """A loop around a switch on a state that each of its cases sets."""
        r = self.random
        count = r.randint(2, STATES)
        head = self.node("head", "i32", "i32", "i32")
        latch = self.node("latch", "i32", "i32")
        out = self.node("out", "i32")
        state, round_, total = head.names
        cases = [self.node("state") for _ in range(count)]
        default = r.choice((out, None)) or self.node("state")
        outside = [self.masked(STATES).name, self.operand("i32").name]
        start = str(r.randrange(count)) if r.random() < 0.7 else outside[0]
        self.jump(head, start, "0", self.operand("i32").name)
        converged, self.converged = self.converged, False
        self.begin(head)
        limit = r.randint(2, 7)
        if r.random() < 0.5:
            body = self.node("body")
            more = self.assign(f"icmp ult i32 {round_}, {limit}")
            self.fork(more, (body, ()), (out, (total,)))
            self.begin(body)
            nodes = [head, body, latch, out]
            limited = True
        else:
            nodes, limited = [head, latch, out], False
        following = self.assign(f"add i32 {round_}, 1")
        self.dispatch(
            state,
            (default, (total,) if default is out else ()),
            {n: (case, ()) for n, case in enumerate(cases)},
        )
        for case in cases if default is out else (*cases, default):
            self._state(case, total, latch, count, outside)
            nodes.append(case)
        self.begin(latch)
        last = latch.names[1]
        if not limited:
            rest = self.node("rest")
            more = self.assign(f"icmp ult i32 {following}, {limit}")
            self.fork(more, (rest, ()), (out, (last,)))
            self.begin(rest)
            nodes.append(rest)
        # The state set by a case, an unknown one, and constants.
        states = [*[latch.names[0]] * 3, *[outside[0]] * 2, *map(str, range(2))]
        if r.random() < 0.6:
            predicate = r.choice(("slt", "eq", "ugt"))
            condition = self.assign(
                f"icmp {predicate} i32 {r.choice((last, outside[1]))}, {r.randint(0, 9)}"
            )
            edges = [(head, (r.choice(states), following, r.choice((last, total)))) for _ in "12"]
            self.fork(condition, *edges)
        else:
            self.jump(head, latch.names[0], following, last)
        self.converged = converged
        self.begin(out)
        self.close(*nodes)
        self.scopes[-1].setdefault("i32", []).append(self.value(out.names[0], "i32"))

    def _state(self, case: Node, total: str, latch: Node, count: int, outside: list[str]) -> None:
        """One case: a change of the total, and the next state."""
        r = self.random
        self.begin(case)
        op = r.choice(("add", "xor", "mul"))
        new = self.assign(f"{op} i32 {total}, {r.choice((*outside, '3', '5'))}")
        kind = r.random()
        constants = [str(r.randrange(count)) for _ in range(2)]
        state = constants[0]
        if kind < 0.4:
            condition = self.assign(f"icmp {r.choice(('slt', 'ne'))} i32 {new}, {r.randint(0, 50)}")
            other = constants[1] if kind < 0.3 else outside[0]
            both = [state, other]
            r.shuffle(both)
            state = self.assign(f"select i1 {condition}, i32 {both[0]}, i32 {both[1]}")
        elif kind < 0.5:
            state = self.assign(f"and i32 {new}, {STATES - 1}")
        self.jump(latch, state, new)

    # Divergence

    def parted_edges(self) -> None:
        """A switch on the thread with several edges into one block, which branches once more.

        The threads of a warp that take these edges run together in that block and reconverge after
        its branch, before they reconverge with the threads of the other edge. No thread takes the
        other edge, but passes cannot prove this.
        """
        r = self.random
        middle, far, meeting, join = (
            self.node(stem, *types)
            for stem, types in (("middle", ("i32", "i32")), ("far", ()), ("meeting", ("i32",)), ("join", ("i32",)))
        )  # fmt: skip
        known = self.operand("i32").name
        never = self.assign(f"zext {self.opaque().text} to i32")
        never = self.assign(f"shl i32 {never}, 2")
        bits = self.assign(f"and i32 {self.assign(f'lshr i32 %tid, {r.randrange(4)}')}, 3")
        number = self.assign(f"or i32 {bits}, {never}")
        first = [str(n) for n in r.sample(range(4), 2)]
        self.dispatch(
            number,
            (far, ()),
            {n: (middle, (r.choice(first), r.choice((known, str(n))))) for n in range(4)},
        )
        self.begin(middle)
        word, value = middle.names
        value = self.assign(f"{r.choice(('add', 'xor'))} i32 {value}, {known}")
        arms = [self.node("arm") for _ in range(r.choice((2, 2, 3)))]
        if len(arms) == 2 and r.random() < 0.5:
            condition = self.assign(f"icmp eq i32 {word}, {first[0]}")
            self.fork(condition, (arms[0], ()), (arms[1], ()))
        else:
            targets = dict(zip(map(int, first), ((arm, ()) for arm in arms)))
            self.dispatch(word, (arms[-1], ()), targets)
        for arm in arms:
            self.begin(arm)
            self.store_own("%own_l", "i64", self.constant("i64"), r.randrange(SLOTS))
            new = self.assign(f"{r.choice(('mul', 'add'))} i32 {value}, {r.randint(2, 9)}")
            self.jump(meeting, new)
        self.begin(meeting)
        result = meeting.names[0]
        if r.random() < 0.5:
            self.emit(BARRIER)
        else:
            name = "llvm.nvvm.shfl.sync.bfly.i32"
            self.declare("i32", name, "i32", "i32", "i32", "i32")
            result = self.assign(f"call i32 @{name}(i32 -1, i32 {result}, i32 1, i32 31)")
        self.jump(join, result)
        self.begin(far)
        self.store_own("%own_l", "i64", self.constant("i64"), r.randrange(SLOTS))
        self.jump(join, known)
        self.begin(join)
        self.close(middle, far, meeting, join, *arms)
        self.scopes[-1].setdefault("i32", []).append(self.value(join.names[0], "i32"))
