"""`aggressive-instcombine`: replaces hand-written bit computations by the corresponding op.

    %a = llvm.shl %x, %c24 : i32
    %b = llvm.shl %x, %c8 : i32
    %c = llvm.and %b, %c16711680 : i32
    %d = llvm.lshr %x, %c8 : i32
    %e = llvm.and %d, %c65280 : i32              ->      %r = llvm.intr.bswap(%x) : (i32) -> i32
    %f = llvm.lshr %x, %c24 : i32
    %g = llvm.or %a, %c : i32
    %h = llvm.or %g, %e : i32
    %r = llvm.or %h, %f : i32

The pass recognizes reversed bytes and reversed bits of a word, in any form
(`passes/scalar/bit_parts.py`), population counts by halves (Warren, "Hacker's Delight", 5-1), and
counting trailing zeros by a table lookup with a de Bruijn sequence (Leiserson, Prokop and Randall,
"Using de Bruijn Sequences to Index a 1 in a Computer Word"). PTX has one or two instructions for
each: `prmt`, `brev`, `popc`, and `brev` with `clz`. It expects code canonicalized by `instcombine`.
With undef and poison operands the original code permits every result of the new op.

LLVM's pass of this name also recognizes population and zero counts; LLVM's InstCombine searches for
reversed bytes and bits at every `or` in each run. LLVM's other patterns are not implemented because
they have no benefit on this target or do not occur: ptxas computes no high words that a truncation
discards, and recognizes a funnel shift of two concatenated words; a rotation guarded against 0 is a
rule of `instcombine`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    FuncOp,
    ICmpOp,
    LoadOp,
    LShrOp,
    MulOp,
    OrOp,
    SelectOp,
    SubOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.constant_memory import ConstantMemory
from nvvm_xdsl.analysis.values.constant_range import EQ
from nvvm_xdsl.dialects.defaults import FALSE
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned, unsigned
from nvvm_xdsl.dialects.llvm.ops import BitReverseOp, ByteSwapOp, CountTrailingZerosOp, CtPopOp
from nvvm_xdsl.dialects.llvm.symbols import module_of
from nvvm_xdsl.dialects.llvm.types import I1, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.bit_parts import BitPartsFinder, reversed_bits, swapped_bytes
from nvvm_xdsl.transforms.conditionals import erase_dead

POPCOUNTS = Statistic(
    "aggressive-instcombine", "popcounts", "Number of population counts recognized"
)
PERMUTATIONS = Statistic(
    "aggressive-instcombine", "permutations", "Number of byte and bit reversals recognized"
)

_CtPopOp, _CtTzOp = CtPopOp, CountTrailingZerosOp
_BSwapOp, _BitReverseOp = ByteSwapOp, BitReverseOp

TABLES = Statistic(
    "aggressive-instcombine", "tables", "Number of table lookups that count zeros recognized"
)

_WIDTHS = frozenset({32, 64})
"""Register widths: PTX extends narrower values anyway."""


@dataclass(frozen=True)
class AggressiveInstCombine(FunctionPass):
    """Recognizes population counts, zero counts by tables, and reversals of bytes and bits."""

    name = "aggressive-instcombine"
    title = "AggressiveInstCombine"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        parts = BitPartsFinder()
        tables = _Tables(func)
        for block in am.get(CFG, func).rpo_blocks():
            for op in fast.ops_of(block):
                cls = type(op)
                if cls is LoadOp:
                    changed |= tables.visit(op)
                    continue
                if cls is not OrOp and cls is not LShrOp:
                    continue
                result = op.results[0]
                if integer_width(result.type) not in _WIDTHS:
                    continue
                new = _population(op) if cls is LShrOp else _permutation(op, parts)
                if new is None:
                    continue
                fast.insert_before(new, op)
                fast.set_name(new.results[0], result.name_hint)
                fast.replace_all_uses(result, new.results[0])
                erase_dead(result)
                changed = True
        tables.constants.erase_unused()
        return changed


class _Tables:
    """Zero counts by tables in constant variables."""

    def __init__(self, func: FuncOp) -> None:
        layout = data_layout_of(func)
        self.constants = Constants(func)
        self._memory = ConstantMemory(module_of(func), layout)

    def visit(self, load: Operation) -> bool:
        """Replaces a load by `cttz` if it is the last step of a table lookup."""
        (result,) = load.results
        loaded = integer_width(result.type)
        found = (
            self._memory.table(fast.operands_of(load)[0]) if loaded and loaded % 8 == 0 else None
        )
        if found is None or not is_simple_access(load):
            return False
        image, index, scale = found
        if type(index.owner) is ZExtOp:
            (index,) = fast.operands_of(fast.producer_of(index))
        counted = _lowest_one(index)
        if counted is None:
            return False
        source, factor, shift = counted
        width = integer_width(source.type)

        def entry(place: int) -> int | None:
            part = image[place * scale : place * scale + loaded // 8]
            return int.from_bytes(part, "little") if len(part) == loaded // 8 else None

        if any(entry(unsigned(factor << i, width) >> shift) != i for i in range(width)):
            return False
        at_zero = entry(0)
        if at_zero is None or at_zero >= 1 << width:
            return False
        value = self._put(_CtTzOp, (source,), load, is_zero_poison=FALSE)
        if at_zero == 0:
            # The count for zero is the width, in which no lower bit is set.
            mask = self.constants.integer(width - 1, source.type)
            value = self._put(AndOp, (value, mask), load)
        elif at_zero != width:
            zero = self.constants.integer(0, source.type)
            predicate: dict[str, Attribute] = {"predicate": int_attr(EQ, I64)}
            is_zero = fast.create(ICmpOp, (source, zero), (I1,), predicate, location=load.location)
            fast.insert_before(is_zero, load)
            other = self.constants.integer(at_zero, source.type)
            choice = fast.create(
                SelectOp, (is_zero.results[0], other, value), (source.type,), location=load.location
            )
            fast.insert_before(choice, load)
            (value,) = choice.results
        if loaded != width:
            cls = TruncOp if loaded < width else ZExtOp
            cast_op = fast.create(cls, (value,), (result.type,), location=load.location)
            fast.insert_before(cast_op, load)
            (value,) = cast_op.results
        TABLES.add()
        fast.set_name(value, result.name_hint)
        fast.replace_all_uses(result, value)
        erase_dead(result)
        return True

    def _put(
        self,
        cls: type[Operation],
        operands: tuple[SSAValue, ...],
        before: Operation,
        **properties: Attribute,
    ) -> SSAValue:
        op = fast.create(cls, operands, (operands[0].type,), properties, location=before.location)
        fast.insert_before(op, before)
        return op.results[0]


def _lowest_one(index: SSAValue) -> tuple[SSAValue, int, int] | None:
    """`x`, factor and shift of `((x & -x) * factor) >> shift`."""
    width = integer_width(index.type)
    if width not in _WIDTHS or type(index.owner) is not LShrOp:
        return None
    product, shift = (_operand(fast.producer_of(index), 0), _number(fast.producer_of(index), 1))
    if shift is None or shift >= width or type(product.owner) is not MulOp:
        return None
    bit, factor = (_operand(fast.producer_of(product), 0), _number(fast.producer_of(product), 1))
    if factor is None or type(bit.owner) is not AndOp:
        return None
    a, b = fast.operands_of(fast.producer_of(bit))
    for one, other in ((a, b), (b, a)):
        if type(other.owner) is SubOp:
            zero, negated = fast.operands_of(fast.producer_of(other))
            if negated is one and constant_integer(zero) == 0:
                return one, factor, shift
    return None


def _permutation(op: Operation, parts: BitPartsFinder) -> Operation | None:
    """The reversal of bytes or bits whose last op is an `or`."""
    if not _may_complete(op):
        return None
    result = op.results[0]
    source, bits = parts.find(result)
    width = len(bits)
    if source is result or integer_width(source.type) != width:
        return None
    for cls, order in ((_BSwapOp, swapped_bytes(width)), (_BitReverseOp, reversed_bits(width))):
        if bits == order:
            PERMUTATIONS.add()
            return fast.create(cls, (source,), (result.type,), location=op.location)
    return None


def _may_complete(op: Operation) -> bool:
    """Returns True if the `or` is not part of a larger expression of this kind."""
    user = fast.single_use(op.results[0])
    return user is None or type(user.operation) is not OrOp


def _population(op: Operation) -> Operation | None:
    """The population count whose last op is a shift by all bytes but one."""
    result = op.results[0]
    width = integer_width(result.type)
    if _number(op, 1) != width - 8:
        return None
    source = _counted(_operand(op, 0), width)
    if source is None:
        return None
    POPCOUNTS.add()
    return fast.create(_CtPopOp, (source,), (result.type,), location=op.location)


def _counted(sum_of_bytes: SSAValue, width: int) -> SSAValue | None:
    """The value whose one bits are counted in the highest byte of a product."""
    ones = (1 << width) - 1
    bytes_ = _with_number(sum_of_bytes, MulOp, ones // 0xFF)
    nibbles = _with_number(bytes_, AndOp, ones // 0xFF * 0x0F)
    fours = _plus_shifted(nibbles, 4)
    pairs = _halves(fours, 2, ones // 0x05)
    if pairs is None or type(pairs.owner) is not SubOp:
        return None
    source, odd = fast.operands_of(fast.producer_of(pairs))
    return (
        source if _with_number(_with_number(odd, AndOp, ones // 3), LShrOp, 1) is source else None
    )


def _plus_shifted(value: SSAValue | None, amount: int) -> SSAValue | None:
    """`x` of `x + (x >> amount)`."""
    for one, other in _terms(value):
        if _with_number(other, LShrOp, amount) is one:
            return one
    return None


def _halves(value: SSAValue | None, amount: int, mask: int) -> SSAValue | None:
    """`x` of `(x & mask) + (x >> amount & mask)`."""
    for one, other in _terms(value):
        low = _with_number(one, AndOp, mask)
        if (
            low is not None
            and _with_number(_with_number(other, AndOp, mask), LShrOp, amount) is low
        ):
            return low
    return None


def _terms(value: SSAValue | None) -> tuple[tuple[SSAValue, SSAValue], ...]:
    """The operands of a sum in both orders."""
    if value is None or type(value.owner) is not AddOp:
        return ()
    a, b = fast.operands_of(fast.producer_of(value))
    return (a, b), (b, a)


def _with_number(value: SSAValue | None, cls: type[Operation], number: int) -> SSAValue | None:
    """The first operand of an op of a class whose second operand is a constant."""
    if value is None or type(value.owner) is not cls:
        return None
    op = fast.producer_of(value)
    return _operand(op, 0) if _number(op, 1) == number else None


def _operand(op: Operation, place: int) -> SSAValue:
    return fast.operands_of(op)[place]


def _number(op: Operation, place: int) -> int | None:
    return constant_unsigned(_operand(op, place))
