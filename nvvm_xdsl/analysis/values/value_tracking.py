"""Known bits and ranges of every integer of a function.

Facts that hold wherever a value is used. Sources are constants, special registers, `range`
attributes and masks. Block arguments get the facts common to all incoming values; the iteration is
optimistic, so that facts around loops are found. Facts that hold only after a branch are computed
by LazyValueInfo.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Self

from xdsl.dialects.llvm import CallOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.known_bits import KnownBits
from nvvm_xdsl.analysis.values.poison import is_never_poison
from nvvm_xdsl.analysis.values.special_registers import register_range, special_register
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    integer_width,
    intrinsic_name,
    predicate_of,
    range_property,
    result_dictionaries,
)
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds, launch_bounds
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

ACTIVE_MASK = "llvm.nvvm.activemask"
"""The threads of the warp that are active (PTX ISA, `activemask`)."""

MAX_GROWTH = 3
"""Number of times that facts about a block argument may be weakened before they are widened."""


class KnownValue(NamedTuple):
    """Facts about an integer: its known bits and its range, each refined by the other."""

    bits: KnownBits
    range: ConstantRange

    @staticmethod
    @cache
    def unknown(width: int) -> KnownValue:
        """No facts."""
        return KnownValue(KnownBits.unknown(width), ConstantRange.full(width))

    @staticmethod
    @lru_cache(1 << 14)
    def constant(width: int, value: int) -> KnownValue:
        """The value."""
        return KnownValue(KnownBits.constant(width, value), ConstantRange.single(width, value))

    @staticmethod
    @lru_cache(1 << 14)
    def of(bits: KnownBits, range_: ConstantRange) -> KnownValue:
        """The conjunction of both facts. If they contradict, the value is never computed."""
        if bits.is_contradiction or range_.is_empty:
            return KnownValue(KnownBits.unknown(bits.width), ConstantRange.empty(bits.width))
        narrowed = range_.intersect(bits.range())
        if narrowed.is_empty:
            return KnownValue(KnownBits.unknown(bits.width), narrowed)
        met = bits.meet(KnownBits.of_range(narrowed))
        return KnownValue(met if not met.is_contradiction else bits, narrowed)

    @property
    def is_empty(self) -> bool:
        """Returns whether the facts are contradictory."""
        return self.range.is_empty

    def join(self, other: KnownValue) -> KnownValue:
        """Facts about a select of two values."""
        if self.is_empty:
            return other
        if other.is_empty:
            return self
        return KnownValue.of(self.bits.join(other.bits), self.range.union(other.range))

    def value(self) -> int | None:
        """The value if it is known."""
        return self.range.value()

    def __str__(self) -> str:
        return f"{self.bits} {self.range}"


Transfer = Callable[[Operation, Sequence[KnownValue]], KnownValue]


def _number_of_nothing(op: Operation) -> int:
    return 0


def _result_width(op: Operation) -> int:
    return integer_width(op.results[0].type)


def _cached(
    compute: Callable[..., KnownValue], number_of: Callable[[Operation], int] = _number_of_nothing
) -> Transfer:
    """A transfer function that depends on facts and one number of the op, such as its flags;
    results are cached."""
    known = lru_cache(1 << 14)(compute)

    def transfer(op: Operation, facts: Sequence[KnownValue]) -> KnownValue:
        return known(number_of(op), *facts)

    return transfer


def _with_flags(
    of_bits: Callable[[KnownBits, KnownBits], KnownBits], of_ranges: Callable[..., ConstantRange]
) -> Transfer:
    def compute(flags: int, a: KnownValue, b: KnownValue) -> KnownValue:
        found = of_ranges(a.range, b.range, nsw=bool(flags & NSW), nuw=bool(flags & NUW))
        return KnownValue.of(of_bits(a.bits, b.bits), found)

    return _cached(compute, overflow_flags)


def _of_both(
    of_bits: Callable[[KnownBits, KnownBits], KnownBits],
    of_ranges: Callable[[ConstantRange, ConstantRange], ConstantRange],
) -> Transfer:
    def compute(_: int, a: KnownValue, b: KnownValue) -> KnownValue:
        return KnownValue.of(of_bits(a.bits, b.bits), of_ranges(a.range, b.range))

    return _cached(compute)


def _of_range(of_ranges: Callable[[ConstantRange, ConstantRange], ConstantRange]) -> Transfer:
    def compute(_: int, a: KnownValue, b: KnownValue) -> KnownValue:
        found = of_ranges(a.range, b.range)
        return KnownValue.of(KnownBits.of_range(found), found)

    return _cached(compute)


def _of_bits(of_bits: Callable[[KnownBits, KnownBits], KnownBits]) -> Transfer:
    def compute(_: int, a: KnownValue, b: KnownValue) -> KnownValue:
        found = of_bits(a.bits, b.bits)
        return KnownValue.of(found, found.range())

    return _cached(compute)


def _urem(_: int, a: KnownValue, b: KnownValue) -> KnownValue:
    found = a.range.urem(b.range)
    bits = KnownBits.of_range(found)
    divisor = b.value()
    if divisor and divisor & (divisor - 1) == 0:
        bits = bits.meet(a.bits.and_(KnownBits.constant(a.bits.width, divisor - 1)))
    return KnownValue.of(bits, found)


def _and(_: int, a: KnownValue, b: KnownValue) -> KnownValue:
    bits = a.bits.and_(b.bits)
    if a.is_empty or b.is_empty:
        return KnownValue.of(bits, ConstantRange.empty(bits.width))
    bound = ConstantRange.interval(bits.width, 0, min(a.range.umax(), b.range.umax()))
    return KnownValue.of(bits, bound)


def _or(_: int, a: KnownValue, b: KnownValue) -> KnownValue:
    bits = a.bits.or_(b.bits)
    if a.is_empty or b.is_empty:
        return KnownValue.of(bits, ConstantRange.empty(bits.width))
    low = max(a.range.umin(), b.range.umin())
    return KnownValue.of(bits, ConstantRange.interval(bits.width, low, bits.mask))


def _converted(
    of_bits: Callable[[KnownBits, int], KnownBits],
    of_range: Callable[[ConstantRange, int], ConstantRange],
) -> Transfer:
    def compute(width: int, a: KnownValue) -> KnownValue:
        return KnownValue.of(of_bits(a.bits, width), of_range(a.range, width))

    return _cached(compute, _result_width)


def _icmp(predicate: int, a: KnownValue, b: KnownValue) -> KnownValue:
    found = a.range.icmp(predicate, b.range)
    return KnownValue.unknown(1) if found is None else KnownValue.constant(1, int(found))


def _select(_: int, condition: KnownValue, a: KnownValue, b: KnownValue) -> KnownValue:
    chosen = condition.value()
    if chosen is not None:
        return a if chosen else b
    return a.join(b)


def _counted(limit: Callable[[int, KnownValue], tuple[int, int]]) -> Transfer:
    def compute(width: int, a: KnownValue, *_: KnownValue) -> KnownValue:
        low, high = limit(width, a)
        found = ConstantRange.interval(width, low, high)
        return KnownValue.of(KnownBits.of_range(found), found)

    return _cached(compute, _result_width)


def _population(width: int, a: KnownValue) -> tuple[int, int]:
    return a.bits.ones.bit_count(), width - a.bits.zeros.bit_count()


def _leading(width: int, a: KnownValue) -> tuple[int, int]:
    return a.bits.leading_zeros(), width - a.bits.ones.bit_length()


def _trailing(width: int, a: KnownValue) -> tuple[int, int]:
    ones = a.bits.ones
    return a.bits.trailing_zeros(), (ones & -ones).bit_length() - 1 if ones else width


def _abs(_: int, a: KnownValue) -> KnownValue:
    width = a.bits.width
    if a.is_empty:
        return a
    low, high = a.range.smin(), a.range.smax()
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    found = ConstantRange.interval(width, least, max(abs(low), abs(high)))
    return KnownValue.of(KnownBits.of_range(found), found)


def _freeze(op: Operation, facts: Sequence[KnownValue]) -> KnownValue:
    """Facts about a value that may be poison do not hold for the result of freezing it."""
    (operand,) = fast.operands_of(op)
    (found,) = facts
    return found if is_never_poison(operand) else KnownValue.unknown(found.bits.width)


TRANSFER: dict[str, Transfer] = {
    "llvm.add": _with_flags(KnownBits.add, ConstantRange.add),
    "llvm.sub": _with_flags(KnownBits.sub, ConstantRange.sub),
    "llvm.mul": _with_flags(KnownBits.mul, ConstantRange.mul),
    "llvm.udiv": _of_range(ConstantRange.udiv),
    "llvm.sdiv": _of_range(ConstantRange.sdiv),
    "llvm.urem": _cached(_urem),
    "llvm.srem": _of_range(ConstantRange.srem),
    "llvm.and": _cached(_and),
    "llvm.or": _cached(_or),
    "llvm.xor": _of_bits(KnownBits.xor),
    "llvm.shl": _with_flags(KnownBits.shl, ConstantRange.shl),
    "llvm.lshr": _of_both(KnownBits.lshr, ConstantRange.lshr),
    "llvm.ashr": _of_both(KnownBits.ashr, ConstantRange.ashr),
    "llvm.trunc": _converted(KnownBits.trunc, ConstantRange.trunc),
    "llvm.zext": _converted(KnownBits.zext, ConstantRange.zext),
    "llvm.sext": _converted(KnownBits.sext, ConstantRange.sext),
    "llvm.icmp": _cached(_icmp, predicate_of),
    "llvm.select": _cached(_select),
    "llvm.freeze": _freeze,
    "llvm.intr.umin": _of_range(ConstantRange.umin_with),
    "llvm.intr.umax": _of_range(ConstantRange.umax_with),
    "llvm.intr.smin": _of_range(ConstantRange.smin_with),
    "llvm.intr.smax": _of_range(ConstantRange.smax_with),
    "llvm.intr.abs": _cached(_abs),
    "llvm.intr.ctpop": _counted(_population),
    "llvm.intr.ctlz": _counted(_leading),
    "llvm.intr.cttz": _counted(_trailing),
}
"""Transfer functions of facts by op."""


def range_attribute(op: Operation) -> ConstantRange | None:
    """The range that a `range` property, or an attribute of the op or its result, states for its
    result."""
    attribute = range_property(op) or op.attributes.get("llvm.range")
    if attribute is None and type(op) is CallOp:
        for entry in result_dictionaries(op):
            attribute = entry.data.get("llvm.range")
    if isinstance(attribute, ConstantRangeAttr):
        low, high = attribute.unsigned_bounds()
        return ConstantRange.half_open(attribute.width, low, high)
    return None


def argument_range(func: Operation, argument: SSAValue) -> ConstantRange | None:
    """The range that an `llvm.range` attribute of a function's argument states."""
    if not isinstance(argument, BlockArgument) or argument.block is not func.regions[0].first_block:
        return None
    stated = argument_attributes(func, argument.index).get("llvm.range")
    if isinstance(stated, ConstantRangeAttr) and stated.width == integer_width(argument.type):
        low, high = stated.unsigned_bounds()
        return ConstantRange.half_open(stated.width, low, high)
    return None


def known_at_source(op: Operation, width: int, bounds: LaunchBounds) -> KnownValue:
    """Facts about the `width`-bit result of an op that is not arithmetic."""
    found = ConstantRange.full(width)
    register = special_register(op)
    if register is not None:
        found = register_range(register, bounds, width)
    elif intrinsic_name(op) == ACTIVE_MASK:
        # The executing thread is active.
        found = ConstantRange.interval(width, 1, (1 << width) - 1)
    stated = range_attribute(op)
    if stated is not None and stated.width == width:
        found = found.intersect(stated)
    if found.is_full:
        return KnownValue.unknown(width)
    return KnownValue.of(KnownBits.of_range(found), found)


class _Arithmetic(NamedTuple):
    """An op with a transfer function and an integer result of `width` bits."""

    op: Operation
    transfer: Transfer
    operands: tuple[SSAValue, ...]
    result: SSAValue
    width: int


class ValueTracking:
    """Facts about the integers of one function.

    Arguments:
        func: the function.
        cfg: its control-flow graph, if already built.
    """

    def __init__(self, func: Operation, cfg: CFG | None = None) -> None:
        self.func = func
        self.cfg = cfg if cfg is not None else CFG(func.regions[0])
        self.bounds = launch_bounds(func)
        self._facts: dict[SSAValue, KnownValue] = {}
        if self.cfg.blocks:
            self._solve()

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The facts of a function."""
        return cls(op, am.get(CFG, op))

    def fact(self, value: SSAValue) -> KnownValue:
        """Facts about the value, which must be a scalar integer."""
        found = self._facts.get(value)
        if found is not None:
            return found
        width = integer_width(value.type)
        assert width, "only integers have facts"
        constant = constant_number(value)
        return (
            KnownValue.unknown(width) if constant is None else KnownValue.constant(width, constant)
        )

    def known_bits(self, value: SSAValue) -> KnownBits:
        """The known bits of an integer."""
        return self.fact(value).bits

    def range(self, value: SSAValue) -> ConstantRange:
        """The range of an integer."""
        return self.fact(value).range

    def sign_bits(self, value: SSAValue) -> int:
        """The number of the integer's leading bits that equal its sign bit, including the sign
        bit."""
        fact = self.fact(value)
        width = fact.bits.width
        from_bits = fact.bits.sign_bits()
        if fact.is_empty:
            return width
        low, high = fact.range.smin(), fact.range.smax()
        used = max(
            (~low if low < 0 else low).bit_length(), (~high if high < 0 else high).bit_length()
        )
        return max(from_bits, width - used)

    def _solve(self) -> None:
        cfg = self.cfg
        facts = self._facts
        entry = cfg.entry
        for argument in entry.args:
            width = integer_width(argument.type)
            if width:
                stated = argument_range(self.func, argument) or ConstantRange.full(width)
                facts[argument] = KnownValue.of(KnownBits.of_range(stated), stated)
        grown: dict[SSAValue, int] = {}
        incoming = _incoming(cfg)
        arithmetic: list[tuple[Block, list[_Arithmetic]]] = []
        # Ops whose operands changed in this iteration: definitions precede their uses.
        changed: set[SSAValue] = set()
        for block in cfg.rpo_blocks():
            if block is not entry:
                self._join_arguments(block, incoming, grown, changed)
            ops = self._visit(block)
            if ops or block.args:
                arithmetic.append((block, ops))
        while changed:
            changed = set()
            for block, ops in arithmetic:
                if block is not entry:
                    self._join_arguments(block, incoming, grown, changed)
                self._visit_again(ops, changed)
        # Facts only grew so far; one more iteration narrows those that grew too far.
        for block, ops in arithmetic:
            if block is not entry:
                self._join_arguments(block, incoming, None, changed)
            self._visit_again(ops, changed)

    def _join_arguments(
        self,
        block: Block,
        incoming: dict[Block, list[tuple[SSAValue, ...]]],
        grown: dict[SSAValue, int] | None,
        changed: set[SSAValue],
    ) -> None:
        """Joins the incoming values into a block's arguments; narrows if `grown` is None."""
        facts = self._facts
        for index, argument in enumerate(block.args):
            width = integer_width(argument.type)
            if not width:
                continue
            joined: KnownValue | None = None
            for values in incoming[block]:
                fact = facts.get(values[index])
                if fact is None:
                    constant = constant_number(values[index])
                    if constant is None:
                        # Not computed yet: it contributes nothing.
                        continue
                    fact = KnownValue.constant(width, constant)
                joined = fact if joined is None else joined.join(fact)
            if joined is None:
                continue
            old = facts.get(argument)
            if grown is None:
                if old is not None:
                    narrowed = KnownValue.of(
                        old.bits.meet(joined.bits), old.range.intersect(joined.range)
                    )
                    if narrowed != old:
                        facts[argument] = narrowed
                        changed.add(argument)
                continue
            if old is not None:
                joined = old.join(joined)
                if joined == old:
                    continue
                count = grown[argument] = grown.get(argument, 0) + 1
                if count > 2 * MAX_GROWTH:
                    joined = KnownValue.unknown(width)
                elif count > MAX_GROWTH:
                    joined = _widened(old, joined)
            facts[argument] = joined
            changed.add(argument)

    def _visit(self, block: Block) -> list[_Arithmetic]:
        """Computes the block's results; returns the ops whose results depend on their operands."""
        facts = self._facts
        arithmetic: list[_Arithmetic] = []
        for op in fast.ops_of(block):
            if not op.results:
                continue
            transfer = TRANSFER.get(op.name)
            operands = fast.operands_of(op)
            for result in op.results:
                width = integer_width(result.type)
                if width:
                    facts[result] = self._evaluate(op, transfer, operands, result, width)
                    if transfer is not None:
                        arithmetic.append(_Arithmetic(op, transfer, operands, result, width))
        return arithmetic

    def _visit_again(self, ops: list[_Arithmetic], changed: set[SSAValue]) -> None:
        """Recomputes results of changed operands, and adds those that change."""
        if not changed:
            return
        facts = self._facts
        for arithmetic in ops:
            if changed.isdisjoint(arithmetic.operands):
                continue
            new = self._evaluate(*arithmetic)
            result = arithmetic.result
            if new != facts[result]:
                changed.add(result)
                facts[result] = new

    def _evaluate(
        self,
        op: Operation,
        transfer: Transfer | None,
        operands: tuple[SSAValue, ...],
        result: SSAValue,
        width: int,
    ) -> KnownValue:
        if transfer is None:
            if len(op.results) != 1:
                return KnownValue.unknown(width)
            constant = constant_number(result)
            if constant is not None:
                return KnownValue.constant(width, constant)
            return known_at_source(op, width, self.bounds)
        known: list[KnownValue] = []
        for value in operands:
            fact = self._facts.get(value)
            if fact is None:
                operand_width = integer_width(value.type)
                if not operand_width:
                    # Nothing is known about a comparison of pointers or vectors.
                    return KnownValue.unknown(width)
                fact = KnownValue.unknown(operand_width)
            known.append(fact)
        return transfer(op, known)

    def verify(self) -> None:
        """Recomputes the facts; raises AssertionError if they differ."""
        fresh = ValueTracking(self.func)
        for value, fact in fresh._facts.items():
            mine = self._facts.get(value)
            assert mine == fact, f"what is known of %{value.name_hint} is stale"


def _widened(old: KnownValue, new: KnownValue) -> KnownValue:
    """The widened facts of a growing value: no range, and no bits above the first bit that was
    lost.

    A counter loses a known bit in each iteration, starting from the lowest bit that it changes.
    """
    lost = (old.bits.zeros | old.bits.ones) & ~(new.bits.zeros | new.bits.ones)
    keep = (lost & -lost) - 1 if lost else new.bits.mask
    bits = KnownBits(new.bits.width, new.bits.zeros & keep, new.bits.ones & keep)
    return KnownValue(bits, bits.range())


def _incoming(cfg: CFG) -> dict[Block, list[tuple[SSAValue, ...]]]:
    """For each block, the values that each reachable incoming edge passes to its arguments."""
    found: dict[Block, list[tuple[SSAValue, ...]]] = {block: [] for block in cfg.blocks}
    for number in cfg.rpo:
        last = cfg.blocks[number].last_op
        if last is not None and fast.successors_of(last):
            for target, values in edges_of(last):
                if target.args:
                    found[target].append(values)
    return found
