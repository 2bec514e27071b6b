"""Random kernels of blocks and branches, and a warp that runs them in lockstep.

The warp uses the classic stack: threads that diverge at a branch reconverge at its immediate post-dominator.
It records the stores of each thread, and the set of threads that run each convergent op together.
"""

from __future__ import annotations

import random

from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import PostDominatorTree
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.dialects.llvm.accessors import integers_of
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import is_reducible

THREADS = 6
MAX_ROUNDS = 3
MAX_STEPS = 4000

Event = tuple[object, ...]


def random_graph(rng: random.Random, size: int, *, shared: bool = False) -> list[list[int]]:
    """Returns successors of a reducible graph: 1 to 4 a block, none at the last; few edges are backedges.

    Arguments:
        rng: the source of randomness.
        size: the number of blocks.
        shared: whether each block has at most two distinct successors, so that most multiway
            branches have several edges into one block.
    """
    while True:
        edges: list[list[int]] = []
        for node in range(size - 1):
            count = rng.choice([1, 2, 2, 4, 4] if shared else [1, 2, 2, 2, 2, 3, 4])
            if shared:
                few = [min(node + rng.randint(1, 4), size - 1) for _ in range(2)]
                targets = [rng.choice(few) for _ in range(count)]
            else:
                targets = [min(node + rng.randint(1, 4), size - 1) for _ in range(count)]
            if node and count > 1 and rng.random() < (0.2 if shared else 0.35):
                targets = [rng.randint(1, node), node + 1]
            edges.append(targets)
        edges.append([])
        if is_reducible(edges):
            return edges


def _dominated(edges: list[list[int]], without: int) -> set[int]:
    seen: set[int] = set()
    work = [0] if without else []
    while work:
        node = work.pop()
        if node != without and node not in seen:
            seen.add(node)
            work += edges[node]
    return set(range(len(edges))) - seen


def random_function(seed: int, size: int = 9, *, shared: bool = False) -> str:
    """Returns a kernel as MLIR text whose blocks pass on constants, arguments and each other's values.

    With `shared` its graph is as for `random_graph`, and it has more barriers.
    """
    rng = random.Random(seed)
    edges = random_graph(rng, size, shared=shared)
    dominated = [_dominated(edges, node) for node in range(size)]
    reached = set(range(size)) - _dominated(edges, -1)
    lines = [
        "llvm.func @f(%n: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {",
        *(f"  %c{k} = llvm.mlir.constant({k} : i32) : i32" for k in range(5)),
        "  %true = llvm.mlir.constant(true) : i1",
        "  %false = llvm.mlir.constant(false) : i1",
        "  %t = nvvm.read.ptx.sreg.tid.x : i32",
        "  llvm.br ^b0(%c0, %n, %t, %true : i32, i32, i32, i1)",
    ]
    for node, targets in enumerate(edges):
        if node not in reached:
            continue
        above = [d for d in range(size) if node in dominated[d] and d != node and d in reached]
        words = ["%n", "%t", *(f"%{v}{node}" for v in "xya")]
        words += [f"%{rng.choice('xya')}{d}" for d in above[-2:]]
        lines.append(f"^b{node}(%i{node}: i32, %x{node}: i32, %y{node}: i32, %z{node}: i1):")
        op = rng.choice(["add", "sub", "and", "or"])
        lines.append(
            f"  %a{node} = llvm.{op} %{rng.choice('xy')}{node}, {rng.choice(['%c1', '%c2', f'%x{node}', '%t'])} : i32"
        )
        if rng.random() < 0.5:
            lines.append(f"  llvm.store {rng.choice(words)}, %p : i32, !llvm.ptr")
        if rng.random() < (0.3 if shared else 0.12):
            lines.append("  nvvm.barrier0")
        if not targets:
            lines.append("  llvm.return")
            continue
        if rng.random() < 0.35:
            condition = f"%z{node}"
        else:
            condition = f"%q{node}"
            predicate = rng.choice(["eq", "ne", "slt", "sgt", "ult", "uge"])
            left = rng.choice([f"%x{node}", f"%y{node}", f"%a{node}", "%n", "%n", "%t"])
            lines.append(
                f'  {condition} = llvm.icmp "{predicate}" {left}, %c{rng.randint(0, 3)} : i32'
            )
        lines.append(f"  %j{node} = llvm.add %i{node}, %c1 : i32")

        def value(node: int = node, words: list[str] = words) -> str:
            return rng.choice(words) if rng.random() < 0.5 else f"%c{rng.randint(0, 3)}"

        def edge(target: int, node: int = node, condition: str = condition) -> str:
            count = f"%j{node}" if target <= node else f"%i{node}"
            truth = rng.choice(["%true", "%false", condition, f"%z{node}"])
            return f"^b{target}({count}, {value()}, {value()}, {truth} : i32, i32, i32, i1)"

        if targets[0] <= node:
            # The total number of iterations is limited.
            more = f'  %g{node} = llvm.icmp "slt" %i{node}, %c{MAX_ROUNDS} : i32'
            both = f"  %h{node} = llvm.and %g{node}, {condition} : i1"
            lines += [more, both, f"  llvm.cond_br %h{node}, {edge(targets[0])}, {edge(node + 1)}"]
        elif len(targets) == 1:
            if rng.random() < 0.5:
                lines.append(
                    f"  %s{node} = llvm.select {condition}, %c{rng.randint(0, 3)}, {rng.choice(words)} : i1, i32"
                )
                sent = edge(targets[0]).split(", ")
                sent[1] = f"%s{node}"
                lines.append(f"  llvm.br {', '.join(sent)}")
            else:
                lines.append(f"  llvm.br {edge(targets[0])}")
        elif len(targets) == 2:
            lines.append(f"  llvm.cond_br {condition}, {edge(targets[0])}, {edge(targets[1])}")
        else:
            word = rng.choice([f"%x{node}", f"%y{node}"])
            cases = ", ".join(f"{n}: {edge(t)}" for n, t in enumerate(targets[1:]))
            lines.append(f"  llvm.switch {word} : i32, {edge(targets[0])} [{cases}]")
    return "\n".join([*lines, "}"])


class Warp:
    """One run of a function by a warp of `THREADS` threads with the uniform argument `n`.

    `stored` and `together` hold for each thread, in order, its stores, and the threads of each convergent op.
    """

    def __init__(self, func: Operation, n: int) -> None:
        self.graph = CFG(func.regions[0])
        self.tree = PostDominatorTree(self.graph)
        self.stored: list[list[int]] = [[] for _ in range(THREADS)]
        self.together: list[list[tuple[Operation, frozenset[int]]]] = [[] for _ in range(THREADS)]
        self.steps = 0
        self.values: list[dict[SSAValue, int]] = [{} for _ in range(THREADS)]
        entry = self.graph.entry
        for values in self.values:
            values[entry.args[0]] = n
        self._run({thread: entry for thread in range(THREADS)}, None)

    def _run(self, at: dict[int, Block], until: Block | None) -> None:
        """Runs threads that are all at one block to the end, or to `until`."""
        while at:
            (block,) = set(at.values())
            if block is until:
                return
            self.steps += 1
            assert self.steps < MAX_STEPS
            mask = frozenset(at)
            parted: dict[Block, dict[int, Block]] = {}
            for thread in sorted(at):
                target = self._block(block, thread, mask)
                if target is not None:
                    parted.setdefault(target, {})[thread] = target
            if len(parted) <= 1:
                at = next(iter(parted.values()), {})
                continue
            meeting = self.tree.immediate_post_dominator(block)
            for threads in parted.values():
                self._run(threads, meeting)
            if meeting is None:
                return
            at = {
                thread: meeting
                for threads in parted.values()
                for thread in threads
                if not self._is_done(thread)
            }

    def _is_done(self, thread: int) -> bool:
        return bool(self.stored[thread]) and self.stored[thread][-1] == -99

    def _block(self, block: Block, thread: int, mask: frozenset[int]) -> Block | None:
        values = self.values[thread]
        for op in fast.ops_of(block):
            if op.name == "nvvm.barrier0":
                self.together[thread].append((op, mask))
            elif op.name == "llvm.store":
                self.stored[thread].append(self._get(values, op.operands[0]))
            elif op.name == "llvm.return":
                self.stored[thread].append(-99)
                return None
            elif fast.successors_of(op):
                return self._go(op, values)
            elif op.name == "nvvm.read.ptx.sreg.tid.x":
                values[op.results[0]] = thread
            elif op.operands:
                values[op.results[0]] = _evaluate(op, [self._get(values, v) for v in op.operands])
        raise AssertionError("a block without an end")

    def _get(self, values: dict[SSAValue, int], value: SSAValue) -> int:
        constant = constant_integer(value)
        if constant is not None:
            return constant & (1 if str(value.type) == "i1" else 0xFFFFFFFF)
        return values[value]

    def _go(self, op: Operation, values: dict[SSAValue, int]) -> Block:
        edges = edges_of(op)
        place = 0
        if op.name == "llvm.cond_br":
            place = 0 if self._get(values, op.operands[0]) else 1
        elif op.name == "llvm.switch":
            numbers = integers_of(op.properties.get("case_values"))
            value = self._get(values, op.operands[0])
            place = 1 + numbers.index(value) if value in numbers else 0
        target, sent = edges[place]
        values.update(zip(target.args, [self._get(values, v) for v in sent]))
        return target


def _evaluate(op: Operation, operands: list[int]) -> int:
    if op.name == "llvm.select":
        return operands[1] if operands[0] else operands[2]
    if op.name == "llvm.freeze":
        return operands[0]
    a, b = operands
    if op.name == "llvm.icmp":
        one, other = ConstantRange.single(32, a), ConstantRange.single(32, b)
        return int(bool(one.icmp(op.properties["predicate"].value.data, other)))
    compute = {"add": a + b, "sub": a - b, "and": a & b, "or": a | b}
    return compute[op.name.removeprefix("llvm.")] & 0xFFFFFFFF


def random_machine(seed: int) -> str:
    """A kernel as MLIR text with a state machine: a switch in a loop on a state that its arms set.

    Arms set the state to constants, selects, unknown values, or by both edges of one branch. Blocks between
    the arms and the switch pass it on, some along both edges of a branch.
    """
    rng = random.Random(seed)
    states = rng.randint(2, 4)
    barrier = rng.randrange(12)
    lines = [
        "llvm.func @f(%n: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {",
        *(f"  %c{k} = llvm.mlir.constant({k} : i32) : i32" for k in range(9)),
        "  %t = nvvm.read.ptx.sreg.tid.x : i32",
    ]

    def condition(name: str) -> str:
        predicate = rng.choice(["eq", "ne", "slt", "ult"])
        left = rng.choice(["%n", "%t", "%i", "%x"])
        lines.append(f'  {name} = llvm.icmp "{predicate}" {left}, %c{rng.randint(0, 4)} : i32')
        return name

    def constant() -> str:
        return f"%c{rng.randint(0, states)}"

    def store(*words: str) -> None:
        if rng.random() < 0.5:
            lines.append(f"  llvm.store {rng.choice(words)}, %p : i32, !llvm.ptr")

    start = constant() if rng.random() < 0.8 else "%n"
    lines.append(f"  llvm.br ^head({start}, %c0, %n : i32, i32, i32)")
    # The header: the bound of the loop, and the blocks before the switch.
    lines.append("^head(%s: i32, %i: i32, %x: i32):")
    lines.append("  %j = llvm.add %i, %c1 : i32")
    store("%i", "%x", "%s")
    lines.append('  %more = llvm.icmp "slt" %i, %c8 : i32')
    lines.append("  llvm.cond_br %more, ^pick, ^out(%x : i32)")
    lines.append("^pick:")
    store("%i", "%x")
    if barrier == 0:
        lines.append("  nvvm.barrier0")
    out = "^out(%i : i32)"
    cases = [f"{k}: ^arm{k}" for k in range(states)]
    if rng.random() < 0.3:
        cases[-1] = f"{states - 1}: ^arm0"
    default = rng.choice([out, "^arm0"])
    lines.append(f"  llvm.switch %s : i32, {default} [{', '.join(cases)}]")
    targets = ["head", "next", "next"]
    for k in range(states):
        lines.append(f"^arm{k}:")
        store("%i", "%x", f"%c{k}")
        if barrier == k + 1:
            lines.append("  nvvm.barrier0")
        lines.append(f"  %y{k} = llvm.add %x, %c{k} : i32")
        kind = rng.choice(["constant", "constant", "select", "half", "both", "both", "unknown"])
        if kind in ("select", "half", "both"):
            condition(f"%q{k}")
        sent = constant()
        if kind == "unknown":
            sent = rng.choice(["%x", "%n", "%i"])
        elif kind in ("select", "half"):
            other = constant() if kind == "select" else "%x"
            arms = [constant(), other]
            rng.shuffle(arms)
            lines.append(f"  %e{k} = llvm.select %q{k}, {arms[0]}, {arms[1]} : i1, i32")
            sent = f"%e{k}"
        one = f"^{rng.choice(targets)}({sent}, %j, %y{k} : i32, i32, i32)"
        two = f"^{rng.choice(targets)}({constant()}, %j, %x : i32, i32, i32)"
        if kind == "both":
            lines.append(f"  llvm.cond_br %q{k}, {one}, {two}")
        else:
            lines.append(f"  llvm.br {one}")
    lines.append("^next(%u: i32, %k: i32, %z: i32):")
    store("%k", "%z", "%u")
    lines.append("  %w = llvm.sub %z, %c1 : i32")
    onward = rng.choice(["br", "same", "split", "leave"])
    carry = "^head(%u, %k, %w : i32, i32, i32)"
    if onward == "br":
        lines.append(f"  llvm.br {carry}")
    else:
        lines.append(f'  %v = llvm.icmp "ult" %z, %c{rng.randint(0, 4)} : i32')
        others = {
            "same": "^head(%u, %k, %z : i32, i32, i32)",
            "split": f"^head({rng.choice([constant(), '%n'])}, %k, %z : i32, i32, i32)",
            "leave": "^out(%z : i32)",
        }
        lines.append(f"  llvm.cond_br %v, {carry}, {others[onward]}")
    lines.append("^out(%r: i32):")
    lines.append("  llvm.store %r, %p : i32, !llvm.ptr")
    if barrier == 9:
        lines.append("  nvvm.barrier0")
    lines += ["  llvm.return", "}"]
    return "\n".join(lines)
