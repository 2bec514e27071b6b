"""Values of expressions: numbers for numbers, and recurrences after some iterations."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from xdsl.ir import SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev
from nvvm_xdsl.dialects.llvm.integers import signed


def at_iteration(ex: Expressions, recurrence: Scev, iteration: Scev) -> Scev:
    """The value of a recurrence in an iteration, counted from 0 in any width.

    {a,+,b,+,c}(n) is a + b * n + c * n(n-1)/2 and so on.
    """
    width = recurrence.width
    total = recurrence.start
    for place, operand in enumerate(recurrence.operands[1:], 1):
        total = ex.add(total, ex.mul(operand, _binomial(ex, iteration, place, width)))
    return total


def _binomial(ex: Expressions, n: Scev, k: int, width: int) -> Scev:
    """n over k modulo 2^width: intermediate results need as many more bits as there are factors
    of two in k!."""
    if k == 1:
        return _resized(ex, n, width)
    factorial = prod(range(2, k + 1))
    power = (factorial & -factorial).bit_length() - 1
    wide = width + power
    product = ex.one(wide)
    for i in range(k):
        product = ex.mul(product, ex.sub(_resized(ex, n, wide), ex.constant(wide, i)))
    quotient = ex.udiv(product, ex.constant(wide, 1 << power))
    inverse = pow(factorial >> power, -1, 1 << width)
    return ex.mul(ex.constant(width, inverse), ex.trunc(quotient, width))


def _resized(ex: Expressions, operand: Scev, width: int) -> Scev:
    return ex.trunc(operand, width) if width < operand.width else ex.zext(operand, width)


def evaluate(
    expression: Scev, values: Callable[[SSAValue], int], rounds: Callable[[Loop], int]
) -> int:
    """The expression's value, unsigned; vscale is 1, as there are no scalable vectors.

    Arguments:
        values: the values of unknowns.
        rounds: the number of completed iterations of each loop.
    """
    done: dict[Scev, int] = {}
    stack = [expression]
    while stack:
        at = stack[-1]
        missing = [o for o in at.operands if o not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        done[at] = _evaluate(at, [done[o] for o in at.operands], values, rounds)
    return done[expression]


def _evaluate(
    at: Scev, operands: list[int], values: Callable[[SSAValue], int], rounds: Callable[[Loop], int]
) -> int:
    mask = (1 << at.width) - 1
    kind = at.kind
    if kind is Kind.CONSTANT:
        return at.constant
    if kind is Kind.VSCALE:
        return 1
    if kind is Kind.UNKNOWN:
        assert at.value is not None
        return values(at.value) & mask
    if kind is Kind.ADD:
        return sum(operands) & mask
    if kind is Kind.MUL:
        product = 1
        for operand in operands:
            product *= operand
        return product & mask
    if kind is Kind.UDIV:
        return operands[0] // operands[1]
    if kind is Kind.ADD_REC:
        assert at.loop is not None
        n = rounds(at.loop)
        total, binomial = 0, 1
        for place, operand in enumerate(operands):
            total += operand * binomial
            binomial = binomial * (n - place) // (place + 1)
        return total & mask
    if kind in (Kind.TRUNCATE, Kind.ZERO_EXTEND, Kind.PTR_TO_INT):
        return operands[0] & mask
    if kind is Kind.SIGN_EXTEND:
        return signed(operands[0], at.operands[0].width) & mask
    if kind in (Kind.UMIN, Kind.SEQUENTIAL_UMIN):
        return min(operands)
    if kind is Kind.UMAX:
        return max(operands)
    read = [signed(o, at.width) for o in operands]
    return (max(read) if kind is Kind.SMAX else min(read)) & mask
