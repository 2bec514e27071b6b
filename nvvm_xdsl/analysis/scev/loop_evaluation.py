"""Loops of constants, run to see when they end."""

from __future__ import annotations

from xdsl.ir import Block, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.ops import constant_integer, integer_width
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs
from nvvm_xdsl.analysis.values.value_tracking import TRANSFER, KnownValue
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.branches import edges_of


def rounds_until_exit(loop: Loop, block: Block, knobs: ScevKnobs) -> int | None:
    """How often the loop goes around before `block` leaves it, found by running it.

    Needs a condition that depends on nothing but constants; None where it does not, or where
    the loop has not ended after `max_iterations` rounds, and where a value takes a chain of more
    than `max_constant_evolving_depth` ops.
    """
    last = block.last_op
    assert last is not None
    state: dict[SSAValue, int] = {}
    latch = loop.latch()
    entering = loop.predecessor()
    if latch is None or entering is None:
        return None
    first, again = _brought(entering, loop.header), _brought(latch, loop.header)
    if first is None or again is None:
        return None
    condition = fast.operands_of(last)[0]
    stays = loop.contains(fast.successors_of(last)[0])
    for argument, value in zip(loop.header.args, first):
        known = constant_integer(value)
        if known is not None and integer_width(argument.type):
            state[argument] = known & ((1 << integer_width(argument.type)) - 1)

    def value_of(value: SSAValue, done: dict[SSAValue, int | None]) -> int | None:
        stack = [value]
        while stack:
            at = stack[-1]
            if at in done:
                stack.pop()
                continue
            width = integer_width(at.type)
            known = constant_integer(at)
            if known is not None and width:
                done[at] = known & ((1 << width) - 1)
                continue
            if at in state:
                done[at] = state[at]
                continue
            op = at.op if isinstance(at, OpResult) else None
            transfer = TRANSFER.get(op.name) if op is not None else None
            if op is None or transfer is None or not width or op.parent not in loop.block_set:
                done[at] = None
                continue
            operands = fast.operands_of(op)
            missing = [v for v in operands if v not in done]
            if missing:
                if len(stack) > knobs.max_constant_evolving_depth:
                    return None
                stack += missing[:1]
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

    for count in range(knobs.max_iterations):
        done: dict[SSAValue, int | None] = {}
        result = value_of(condition, done)
        if result is None:
            return None
        if bool(result) != stays:
            return count
        following: dict[SSAValue, int] = {}
        for argument, value in zip(loop.header.args, again):
            number = value_of(value, done) if integer_width(argument.type) else None
            if number is not None:
                following[argument] = number
        state = following
    return None


def _brought(source: Block, target: Block) -> tuple[SSAValue, ...] | None:
    """What the edges from one block to the other bring; None when they bring different things."""
    last = source.last_op
    assert last is not None
    found = {values for block, values in edges_of(last) if block is target}
    return found.pop() if len(found) == 1 else None
