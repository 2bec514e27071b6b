"""Encodes the control flow of a function.

Blocks are encoded in topological order, each with its path condition. Values and memory of
predecessors are merged by the conditions of the edges. There are two encodings of loops:

- Unrolling: a block is encoded once for each number of back edges taken before it, up to a bound.
- Cutting: all edges to loop headers end the encoding, and each header starts it again with arbitrary
  arguments and memory. The claim is then proved by induction: if corresponding headers are entered
  with equal values, then so are the next ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import result_dictionaries
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import reverse_post_order
from nvvm_xdsl.lab.validation.attribute_obligations import ENCODED_RESULT_FACTS
from nvvm_xdsl.lab.validation.objects import LocalObjects
from nvvm_xdsl.lab.validation.scope import Scope, input_leaf
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.smt_memory import ADDRESS_BITS, MEMORY, Accessor, Memory, merge
from nvvm_xdsl.lab.validation.statements import Frame, Shared, encode_op, with_facts
from nvvm_xdsl.lab.validation.values import (
    ALWAYS,
    NEVER,
    Leaf,
    Term,
    UnsupportedError,
    Value,
    both,
    choose_leaf,
    either,
    scalars_of,
)

MOST_BLOCKS = 200
"""Maximum number of encoded copies of blocks in one function."""

Headers = frozenset[int]
"""The loop headers that have been passed, if loops are cut."""


class Exit(NamedTuple):
    """An exit of the encoded part of a function.

    Arguments:
        kind: `return`, `stop` for a call that does not return, or `header N`.
        headers: the loop headers passed before.
        condition: the condition under which the exit is taken.
        values: the returned values, or the arguments of the header.
        memory: the contents of memory.
    """

    kind: str
    headers: Headers
    condition: Term
    values: Value
    memory: Memory


@dataclass
class Summary:
    """An encoded function.

    Arguments:
        scope: its variables.
        exits: all exits of the function.
        ub: conditions of undefined behaviour, with the headers passed before.
        exceeded: the condition under which a loop runs longer than the bound.
    """

    scope: Scope
    exits: list[Exit] = field(default_factory=list[Exit])
    ub: list[tuple[Headers, Term]] = field(default_factory=list[tuple[Headers, Any]])
    exceeded: Term = NEVER


class _Arrival(NamedTuple):
    """An edge that was encoded: its condition, and the function's state on it."""

    condition: Term
    values: dict[SSAValue, Value]
    memory: Memory
    headers: Headers


@dataclass(frozen=True)
class Graph:
    """The control flow of a function.

    Arguments:
        order: the reachable blocks in reverse post-order, as positions.
        headers: the targets of edges that lead backwards in the order.
    """

    blocks: Sequence[Block]
    order: Mapping[Block, int]
    headers: Sequence[Block]

    @staticmethod
    def of(func: Operation) -> Graph:
        """The graph of a function."""
        blocks = list(fast.blocks_of(func.regions[0]))
        numbers = {block: n for n, block in enumerate(blocks)}
        successors = [[numbers[s] for s in fast.successors_of(_last(b))] for b in blocks]
        sequence = [blocks[n] for n in reverse_post_order(successors, 0)]
        order = {block: n for n, block in enumerate(sequence)}
        headers = [
            block
            for block in sequence
            if any(order.get(p, -1) >= order[block] for p in fast.predecessors_of(block))
        ]
        return Graph(sequence, order, headers)


def _last(block: Block) -> Operation:
    op = block.last_op
    assert op is not None
    return op


class Encoder:
    """Encodes one function.

    Arguments:
        func: the function, with its module.
        scope, shared, local_objects: its variables and objects.
        memory: the contents of memory when it starts.
        bound: maximum number of followed back edges; None cuts loops.
    """

    def __init__(
        self,
        func: Operation,
        module: ModuleOp,
        scope: Scope,
        shared: Shared,
        local_objects: LocalObjects,
        bound: int | None,
    ) -> None:
        self._func = func
        self._module = module
        self._scope = scope
        self._shared = shared
        self._objects = local_objects
        self._accessor = Accessor(scope, local_objects.by_number, shared.symbols.objects)
        self._bound = bound
        self._graph = Graph.of(func)
        self._summary = Summary(scope)
        self._arrivals: dict[tuple[int, Block], list[_Arrival]] = {}

    def encode(self, arguments: Sequence[Value], memory: Memory) -> Summary:
        """Encodes the function from these arguments. Raises UnsupportedError."""
        entry = self._graph.blocks[0]
        if entry in self._graph.headers:
            raise UnsupportedError("loop at the entry block")
        start: dict[SSAValue, Value] = dict(zip(entry.args, arguments))
        self._arrivals[0, entry] = [_Arrival(ALWAYS, start, memory, frozenset())]
        count = 0
        while self._arrivals:
            key = min(self._arrivals, key=lambda k: (k[0], self._graph.order[k[1]]))
            arrivals = self._arrivals.pop(key)
            count += 1
            if count > MOST_BLOCKS:
                raise UnsupportedError(f"more than {MOST_BLOCKS} blocks")
            self._encode_block(key[1], key[0], arrivals)
        return self._summary

    def _encode_block(self, block: Block, copy: int, arrivals: list[_Arrival]) -> None:
        scope = self._scope
        condition = NEVER
        for arrival in arrivals:
            condition = either(condition, arrival.condition)
        headers = frozenset[int]().union(*(a.headers for a in arrivals))
        if self._bound is None and block in self._graph.headers:
            values, memory = self._arbitrary(block, arrivals)
            headers |= {self._graph.headers.index(block)}
        else:
            values, memory = _merged(arrivals)
        scope.path, scope.ub = condition, NEVER
        frame = Frame(
            scope, self._accessor, self._objects, self._shared, self._module, values, memory
        )
        for op in fast.ops_of(block):
            if op.next_op is None:
                self._leave(frame, op, copy, headers)
            else:
                encode_op(frame, op)
        if not z3.is_false(scope.ub):
            self._summary.ub.append((headers, scope.ub))
        for stopped, at in frame.stops:
            self._summary.exits.append(Exit("stop", headers, stopped, (), at))

    def _arbitrary(
        self, block: Block, arrivals: list[_Arrival]
    ) -> tuple[dict[SSAValue, Value], Memory]:
        """Arbitrary values and memory at a loop header, the same in both functions."""
        values, memory = _merged(arrivals)
        number = self._graph.headers.index(block)
        for index, argument in enumerate(block.args):
            leaves: list[Leaf] = []
            for n, scalar in enumerate(scalars_of(argument.type)):
                name = f"header {number} argument {index}.{n}"
                leaves.append(input_leaf(self._scope, name, scalar))
            values[argument] = tuple(leaves)
        main = z3.Const(f"header {number} memory", MEMORY)
        self._shared.memories.append(main)
        private = {key: z3.Const(f"header {number} object {key}", MEMORY) for key in memory.private}
        trace = z3.BitVec(f"header {number} trace", ADDRESS_BITS)
        if memory.alive:
            raise UnsupportedError("lifetime markers in a function with loops")
        return values, replace(memory, main=main, private=private, trace=trace, undef=())

    def _leave(self, frame: Frame, op: Operation, copy: int, headers: Headers) -> None:
        """Encodes a terminator."""
        scope = self._scope
        name = scope.consumer = op.name
        if name == "llvm.return":
            facts = result_dictionaries(self._func)
            shown = (
                {k: v for k, v in facts[0].data.items() if k in ENCODED_RESULT_FACTS}
                if facts
                else {}
            )
            values = tuple(
                leaf
                for operand in op.operands
                for leaf in with_facts(frame, op, frame.use(operand), shown)
            )
            self._summary.exits.append(Exit("return", headers, scope.path, values, frame.memory))
        elif name == "llvm.unreachable":
            scope.undefined(ALWAYS)
        elif name == "llvm.br":
            ((target, values),) = branches.edges_of(op)
            self._follow(frame, op, target, values, ALWAYS, copy, headers)
        elif name in ("llvm.cond_br", "llvm.switch"):
            self._branch(frame, op, copy, headers)
        else:
            raise UnsupportedError(name)

    def _branch(self, frame: Frame, op: Operation, copy: int, headers: Headers) -> None:
        scope = self._scope
        edges = branches.edges_of(op)
        (condition,) = frame.use(op.operands[0])
        scope.undefined(either(condition.poison, scope.varies(condition)))
        if op.name == "llvm.cond_br":
            taken = condition.bits == 1
            conditions = [taken, z3.Not(taken)]
        else:
            numbers = branches.case_values(op, signed=False)
            cases = [condition.bits == n for n in numbers]
            conditions = [z3.Not(z3.Or(*cases)) if cases else ALWAYS, *cases]
        for (target, values), taken in zip(edges, conditions):
            self._follow(frame, op, target, values, taken, copy, headers)

    def _follow(
        self,
        frame: Frame,
        op: Operation,
        target: Block,
        values: Sequence[SSAValue],
        taken: Term,
        copy: int,
        headers: Headers,
    ) -> None:
        block = op.parent
        assert block is not None
        condition = both(frame.scope.path, taken)
        sent = [frame.use(value) for value in values]
        backwards = self._graph.order[target] <= self._graph.order[block]
        if self._bound is None and target in self._graph.headers:
            number = self._graph.headers.index(target)
            leaves = tuple(leaf for value in sent for leaf in value)
            kind = f"header {number}"
            self._summary.exits.append(Exit(kind, headers, condition, leaves, frame.memory))
            if backwards:
                return
        if backwards:
            assert self._bound is not None
            copy += 1
            if copy > self._bound:
                self._summary.exceeded = either(self._summary.exceeded, condition)
                return
        state = dict(frame.values)
        state.update(zip(target.args, sent))
        arrival = _Arrival(condition, state, frame.memory, headers)
        self._arrivals.setdefault((copy, target), []).append(arrival)


def _merged(arrivals: list[_Arrival]) -> tuple[dict[SSAValue, Value], Memory]:
    """The values and memory where edges join."""
    *others, last = arrivals
    values, memory = dict(last.values), last.memory
    for arrival in reversed(others):
        memory = merge(arrival.condition, arrival.memory, memory)
        joined: dict[SSAValue, Value] = {}
        for key, value in values.items():
            mine = arrival.values.get(key)
            if mine is None:
                continue
            joined[key] = (
                value
                if mine is value
                else tuple(choose_leaf(arrival.condition, a, b) for a, b in zip(mine, value))
            )
        values = joined
    return values, memory


def exit_condition(exits: Sequence[Exit]) -> Term:
    """Whether one of the exits is taken."""
    found = NEVER
    for item in exits:
        found = either(found, item.condition)
    return found


def join_exits(exits: Sequence[Exit]) -> tuple[Value, Memory]:
    """The values and memory with which one of the exits is taken."""
    *others, last = exits
    values, memory = last.values, last.memory
    for item in reversed(others):
        memory = merge(item.condition, item.memory, memory)
        values = tuple(choose_leaf(item.condition, a, b) for a, b in zip(item.values, values))
    return values, memory
