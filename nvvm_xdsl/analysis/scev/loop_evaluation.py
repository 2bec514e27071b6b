"""Trip counts by evaluation: loops on constants are executed until they exit; ranges of shrinking
values are iterated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.expressions import Scev
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs
from nvvm_xdsl.analysis.values.constant_range import SGE, SGT, SLE, SLT, SWAPPED, ConstantRange
from nvvm_xdsl.analysis.values.known_bits import KnownBits
from nvvm_xdsl.analysis.values.value_tracking import TRANSFER, KnownValue
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.branches import case_values, edges_of
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.ir import fast


class Ranges(Protocol):
    """The interface of the analysis that computes trip counts."""

    @property
    def knobs(self) -> ScevKnobs:
        """The limits of the analysis."""
        ...

    def get(self, value: SSAValue) -> Scev:
        """Returns the expression of a value."""
        ...

    def range(self, expression: Scev, *, signed: bool = False) -> ConstantRange:
        """Returns the range of an expression."""
        ...


def iterations_until_exit(loop: Loop, block: Block, knobs: ScevKnobs) -> int | None:
    """The number of iterations before `block` leaves the loop, found by evaluating them.

    None if the condition depends on values other than constants, if the loop does not end within
    `max_iterations`, or if a value depends on a chain of more than `max_constant_evolving_depth` ops.
    A block argument has a value if all edges pass the same number.
    """
    last = block.last_op
    assert last is not None
    state: dict[SSAValue, int] = {}
    latch = loop.latch()
    entering = loop.predecessor()
    if latch is None or entering is None:
        return None
    first, again = _passed_values(entering, loop.header), _passed_values(latch, loop.header)
    if first is None or again is None:
        return None
    condition = fast.operands_of(last)[0]
    for argument, value in zip(loop.header.args, first):
        known = constant_number(value)
        if known is not None and integer_width(argument.type):
            state[argument] = known & ((1 << integer_width(argument.type)) - 1)
    for count in range(knobs.max_iterations):
        done: dict[SSAValue, int | None] = {}
        result = _value_of(condition, state, done, loop, knobs)
        if result is None:
            return None
        if not loop.contains(_target(last, result)):
            return count
        following: dict[SSAValue, int] = {}
        for argument, value in zip(loop.header.args, again):
            number = (
                _value_of(value, state, done, loop, knobs) if integer_width(argument.type) else None
            )
            if number is not None:
                following[argument] = number
        state = following
    return None


def _value_of(
    value: SSAValue,
    state: dict[SSAValue, int],
    done: dict[SSAValue, int | None],
    loop: Loop,
    knobs: ScevKnobs,
) -> int | None:
    """The number of a value in one iteration; None if it is unknown.

    Arguments:
        state: the numbers of the header's arguments.
        done: the numbers that were computed in this iteration, which are extended.
    """
    stack = [value]
    while stack:
        at = stack[-1]
        if at in done:
            stack.pop()
            continue
        width = integer_width(at.type)
        known = constant_number(at)
        if known is not None and width:
            done[at] = known & ((1 << width) - 1)
            continue
        if at in state:
            done[at] = state[at]
            continue
        op = at.op if isinstance(at, OpResult) else None
        transfer = TRANSFER.get(op.name) if op is not None else None
        if isinstance(at, BlockArgument):
            operands = _merged(at, loop)
        elif op is not None and transfer is not None and op.parent in loop.block_set:
            operands = fast.operands_of(op)
        else:
            operands = ()
        if not width or not operands:
            done[at] = None
            continue
        missing = [v for v in operands if v not in done]
        if missing:
            if len(stack) > knobs.max_constant_evolving_depth:
                return None
            stack += missing[:1]
            continue
        if op is None or transfer is None:
            numbers = {done[v] for v in operands}
            done[at] = numbers.pop() if len(numbers) == 1 else None
            continue
        facts: list[KnownValue] = []
        for v in operands:
            number = done[v]
            bits = integer_width(v.type)
            if number is None or not bits:
                break
            facts.append(KnownValue.constant(bits, number))
        done[at] = transfer(op, facts).value() if len(facts) == len(operands) else None
    return done[value]


def _passed_values(source: Block, target: Block) -> tuple[SSAValue, ...] | None:
    """The value that the edges from one block to another pass; None if they differ."""
    last = source.last_op
    assert last is not None
    found = {values for block, values in edges_of(last) if block is target}
    return found.pop() if len(found) == 1 else None


def _merged(argument: BlockArgument, loop: Loop) -> Sequence[SSAValue]:
    """The incoming values of an argument of a block after the header: jump threading creates one
    counter step on each path through the loop. Empty for other arguments.
    """
    block = argument.block
    if block is loop.header or block not in loop.block_set:
        return ()
    found: dict[SSAValue, None] = {}
    for source in dict.fromkeys(fast.predecessors_of(block)):
        last = source.last_op
        for target, values in edges_of(last) if last is not None else ():
            if target is block:
                found[values[argument.index]] = None
    return list(found)


def _target(branch: Operation, value: int) -> Block:
    """The successor of a branch or switch for a value of its condition, unsigned."""
    first, *others = fast.successors_of(branch)
    if branch.name != "llvm.switch":
        return first if value else others[0]
    for case, target in zip(case_values(branch, signed=False), others):
        if case == value:
            return target
    return first


def iterations_until_stable(
    se: Ranges, loop: Loop, predicate: int, a: SSAValue, b: SSAValue
) -> int | None:
    """Maximum number of backedges taken while `a predicate b` holds and `a` shrinks.

    For recurrences of one op with constants, such as `x >>= 1` and `x /= 10`: their range is
    computed until the comparison cannot hold. Returns None if that does not happen within
    `max_iterations` iterations.
    """
    for tested, other, wanted in ((a, b, predicate), (b, a, SWAPPED[predicate])):
        found = _iterations_while(se, loop, wanted, tested, other)
        if found is not None:
            return found
    return None


def _iterations_while(
    se: Ranges, loop: Loop, predicate: int, tested: SSAValue, other: SSAValue
) -> int | None:
    entering, latch = loop.predecessor(), loop.latch()
    if entering is None or latch is None:
        return None
    starts, nexts = _passed_values(entering, loop.header), _passed_values(latch, loop.header)
    if starts is None or nexts is None:
        return None
    for phi, start, following in zip(loop.header.args, starts, nexts):
        width = integer_width(phi.type)
        op = following.op if isinstance(following, OpResult) else None
        transfer = TRANSFER.get(op.name) if op is not None else None
        if op is None or transfer is None or not width or tested not in (phi, following):
            continue
        operands = fast.operands_of(op)
        if not all(v is phi or constant_number(v) is not None for v in operands):
            continue
        bound = se.range(se.get(other), signed=predicate in (SLT, SLE, SGT, SGE))
        known = se.range(se.get(start))
        for count in range(se.knobs.max_iterations):
            if known.is_empty:
                return None
            fact = KnownValue.of(KnownBits.of_range(known), known)
            after = transfer(op, [fact if v is phi else _constant_fact(v) for v in operands]).range
            if (known if tested is phi else after).icmp(predicate, bound) is False:
                return count
            if after == known:
                break
            known = after
    return None


def _constant_fact(value: SSAValue) -> KnownValue:
    width = integer_width(value.type)
    return KnownValue.constant(width, (constant_number(value) or 0) & ((1 << width) - 1))
