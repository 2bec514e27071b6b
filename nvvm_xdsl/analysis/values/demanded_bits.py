"""Demanded bits: the bits of each integer that can affect a function's results.

Computed backwards from ops that use all bits of their operands (memory, branches, calls and all
others that are not integer arithmetic). Values without such a use have no demanded bits.
(Corresponds to LLVM's DemandedBits.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from xdsl.ir import BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.integers import constant_number, constant_unsigned
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

Demand = Callable[[Operation, int, int], int]
"""For an op, the demanded bits of its result and an operand index: the operand's demanded bits."""


def _same_bits(op: Operation, demanded: int, place: int) -> int:
    return demanded


def _carrying(op: Operation, demanded: int, place: int) -> int:
    """A bit of a sum or product depends on the bits at and below its position."""
    return (1 << demanded.bit_length()) - 1


def _constant_of_other_operand(op: Operation, place: int) -> int | None:
    return constant_number(fast.operands_of(op)[1 - place])


def _and(op: Operation, demanded: int, place: int) -> int:
    constant = _constant_of_other_operand(op, place)
    return demanded if constant is None else demanded & constant


def _or(op: Operation, demanded: int, place: int) -> int:
    constant = _constant_of_other_operand(op, place)
    return demanded if constant is None else demanded & ~constant


def _width(op: Operation) -> int:
    return integer_width(fast.operands_of(op)[0].type)


def _all(width: int) -> int:
    return (1 << width) - 1


def _shift(shifted_back: Callable[[int, int, int], int]) -> Demand:
    def demand(op: Operation, demanded: int, place: int) -> int:
        width = _width(op)
        if place == 1:
            return _all(width)
        amount = constant_number(fast.operands_of(op)[1])
        if amount is None or not 0 <= amount < width:
            return _all(width)
        return shifted_back(demanded, amount, width)

    return demand


def _shl(demanded: int, amount: int, width: int) -> int:
    return demanded >> amount


def _lshr(demanded: int, amount: int, width: int) -> int:
    return demanded << amount & _all(width)


def _ashr(demanded: int, amount: int, width: int) -> int:
    found = demanded << amount & _all(width)
    # The copies of the sign bit.
    return found | 1 << (width - 1) if demanded >> (width - amount) else found


def _extended(op: Operation, demanded: int, place: int) -> int:
    return demanded & _all(_width(op))


def _sign_extended(op: Operation, demanded: int, place: int) -> int:
    width = _width(op)
    found = demanded & _all(width)
    return found | 1 << (width - 1) if demanded >> width else found


def _select(op: Operation, demanded: int, place: int) -> int:
    return 1 if place == 0 else demanded


def _funnel(op: Operation, demanded: int, place: int) -> int:
    """The upper or lower part of two concatenated operands, by a constant amount."""
    width = _width(op)
    amount = constant_unsigned(fast.operands_of(op)[2])
    if place == 2 or amount is None:
        return _all(width)
    left = amount % width
    if op.name == "llvm.intr.fshr":
        left = width - left
    return demanded >> left if place == 0 else demanded << (width - left) & _all(width)


def _reversed(op: Operation, demanded: int, place: int) -> int:
    width = _width(op)
    return int(f"{demanded:0{width}b}"[::-1], 2)


def _swapped(op: Operation, demanded: int, place: int) -> int:
    return int.from_bytes(demanded.to_bytes(_width(op) // 8, "little"), "big")


DEMAND: dict[str, Demand] = {
    "llvm.add": _carrying,
    "llvm.sub": _carrying,
    "llvm.mul": _carrying,
    "llvm.and": _and,
    "llvm.or": _or,
    "llvm.xor": _same_bits,
    "llvm.shl": _shift(_shl),
    "llvm.lshr": _shift(_lshr),
    "llvm.ashr": _shift(_ashr),
    "llvm.trunc": _same_bits,
    "llvm.zext": _extended,
    "llvm.sext": _sign_extended,
    "llvm.select": _select,
    "llvm.intr.fshl": _funnel,
    "llvm.intr.fshr": _funnel,
    "llvm.intr.bitreverse": _reversed,
    "llvm.intr.bswap": _swapped,
}
"""Ops whose operands' demanded bits depend on those of the result.

Flags such as `nsw` depend on all bits: a pass that changes undemanded bits must drop them.
"""


ALWAYS_USED = frozenset(
    {"llvm.add", "llvm.sub", "llvm.mul", "llvm.xor", "llvm.trunc", "llvm.sext", "llvm.select"}
)
"""Ops of `DEMAND` that demand a bit of every operand if any bit of the result is demanded."""


class DemandedBits:
    """The demanded bits of the integers of a function."""

    def __init__(self, func: Operation, cfg: CFG | None = None) -> None:
        self.func = func
        self.cfg = cfg if cfg is not None else CFG(func.regions[0])
        self._demanded: dict[SSAValue, int] = {}
        self._feeds: dict[BlockArgument, list[SSAValue]] = {}
        self._solve()

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The demanded bits of a function."""
        return cls(op, am.get(CFG, op))

    def demanded(self, value: SSAValue) -> int:
        """The demanded bits as a mask; the value must be a scalar integer."""
        return self._demanded.get(value, 0)

    def is_dead(self, value: SSAValue) -> bool:
        """Returns True if no bit of the integer is demanded."""
        return self.demanded(value) == 0

    def is_use_dead(self, op: Operation, place: int) -> bool:
        """True if the op demands no bit of an integer operand."""
        transfer = DEMAND.get(op.name)
        if transfer is None:
            return False
        (result,) = op.results
        if not integer_width(result.type):
            return False
        return not transfer(op, self.demanded(result), place)

    def _solve(self) -> None:
        work: list[SSAValue] = []
        demanded = self._demanded

        def demand(value: SSAValue, bits: int) -> None:
            old = demanded.get(value, 0)
            new = old | bits
            if new != old:
                demanded[value] = new
                work.append(value)

        for block in self.cfg.blocks:
            for op in fast.ops_of(block):
                if op.name in DEMAND:
                    (result,) = op.results
                    if integer_width(result.type):
                        continue
                operands = fast.operands_of(op)
                if fast.successors_of(op):
                    operands = self._own_operands(op)
                for value in operands:
                    if value not in demanded:
                        width = integer_width(value.type)
                        if width:
                            demand(value, _all(width))
        while work:
            value = work.pop()
            bits = demanded[value]
            if type(value) is BlockArgument:
                for source in self._feeds.get(value, ()):
                    demand(source, bits)
                continue
            op = fast.producer_of(value)
            transfer = DEMAND.get(op.name)
            if transfer is not None:
                for place, operand in enumerate(fast.operands_of(op)):
                    if integer_width(operand.type):
                        demand(operand, transfer(op, bits, place))

    def _own_operands(self, terminator: Operation) -> tuple[SSAValue, ...]:
        """A terminator's operands except for those passed to block arguments, which have the
        arguments' demand."""
        passed = 0
        for target, values in edges_of(terminator):
            passed += len(values)
            for argument, value in zip(target.args, values):
                if integer_width(argument.type):
                    self._feeds.setdefault(argument, []).append(value)
        operands = fast.operands_of(terminator)
        # The values for block arguments are the last operands.
        return operands[: len(operands) - passed]

    def verify(self) -> None:
        """Recomputes the demanded bits; raises AssertionError if they differ."""
        fresh = DemandedBits(self.func)
        assert fresh._demanded == self._demanded, "the demanded bits are stale"
