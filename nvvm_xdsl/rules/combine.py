"""Rules that create ops, and their connection to the worklist driver: the core of `instcombine`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from xdsl.dialects import llvm
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.analysis.constant_folding import FOLDABLE
from nvvm_xdsl.analysis.values.constant_range import SGT, SLT, UGT, ULT
from nvvm_xdsl.analysis.values.poison import is_never_poison
from nvvm_xdsl.analysis.values.value_tracking import KnownValue, ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.flags import fast_math_flags, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules import bits, casts, comparisons, floats, integers
from nvvm_xdsl.rules.simplify import SIMPLIFIABLE, SIMPLIFICATIONS, constant_result
from nvvm_xdsl.rules.table import RuleTable

COMBINATIONS = RuleTable(
    [
        integers.COMBINATIONS,
        bits.COMBINATIONS,
        comparisons.COMBINATIONS,
        casts.COMBINATIONS,
        floats.COMBINATIONS,
    ]
)
"""The rules whose right sides need new ops, or facts about values."""

DEFINED_DEPTH = 4
"""Maximum number of nested ops through which undef and poison are traced."""

_DEFINED = frozenset({llvm.ConstantOp, llvm.ZeroOp, llvm.AddressOfOp, FreezeOp})
_KEEPS_DEFINED = frozenset(
    {
        llvm.AndOp,
        llvm.OrOp,
        llvm.XOrOp,
        llvm.AddOp,
        llvm.SubOp,
        llvm.MulOp,
        llvm.ICmpOp,
        llvm.FCmpOp,
        llvm.SelectOp,
        llvm.ZExtOp,
        llvm.SExtOp,
        llvm.TruncOp,
    }
)
"""Ops whose result is neither undef nor poison if no operand is and no flag makes it poison."""


class Combiner:
    """The services that matched rules use: constants, new ops, and facts about values.

    Arguments:
        constants: creates constants of the function.
        facts: returns the facts about the function's integers; called when a rule first uses them.
    """

    def __init__(self, constants: Constants, facts: Callable[[], ValueTracking]) -> None:
        self.constants = constants
        self.integer = constants.integer
        self.attribute = constants.attribute
        self.zero = constants.zero
        self.undef = constants.undef
        self.poison = constants.poison
        self.rewriter: PatternRewriter | None = None
        self._facts = facts
        self._tracking: ValueTracking | None = None

    def build(
        self,
        cls: type[Operation],
        operands: tuple[SSAValue, ...],
        type_: Attribute,
        properties: dict[str, Attribute],
    ) -> SSAValue:
        """The result of a new op before the matched op."""
        assert self.rewriter is not None
        return self.rewriter.insert(fast.create(cls, operands, (type_,), properties)).results[0]

    def fact(self, value: SSAValue) -> KnownValue | None:
        """The facts about a scalar integer; None for other types."""
        width = integer_width(value.type)
        if not width:
            return None
        if self._tracking is None:
            self._tracking = self._facts()
        found = self._tracking.fact(value)
        return None if found.is_empty else found

    def forget_facts(self) -> None:
        """Invalidates cached facts, because undemanded bits of values have changed."""
        self._tracking = None

    def nonneg(self, value: SSAValue) -> bool:
        """Returns True if an integer is known to be non-negative."""
        fact = self.fact(value)
        return fact is not None and fact.range.smin() >= 0

    def nonzero(self, value: SSAValue) -> bool:
        """Returns True if an integer is known to be non-zero."""
        fact = self.fact(value)
        return fact is not None and fact.range.umin() > 0

    def zeros(self, value: SSAValue, mask: int) -> bool:
        """Returns True if all bits of a mask are known to be zero in an integer."""
        fact = self.fact(value)
        if fact is None:
            return False
        mask &= fact.bits.mask
        return fact.bits.zeros & mask == mask

    def ones(self, value: SSAValue, mask: int) -> bool:
        """Returns True if all bits of a mask are known to be one in an integer."""
        fact = self.fact(value)
        if fact is None:
            return False
        mask &= fact.bits.mask
        return fact.bits.ones & mask == mask

    def disjoint(self, a: SSAValue, b: SSAValue) -> bool:
        """Returns True if two integers are known to have no common one bit."""
        first, second = self.fact(a), self.fact(b)
        if first is None or second is None:
            return False
        return (first.bits.zeros | second.bits.zeros) == first.bits.mask

    def defined(self, value: SSAValue) -> bool:
        """Returns True if a value is known to be neither undef nor poison."""
        return is_defined(value, DEFINED_DEPTH)


def is_defined(value: SSAValue, depth: int) -> bool:
    """Returns whether a value is neither undef nor poison according to its defining ops."""
    owner = value.owner
    if type(owner) in _DEFINED:
        return True
    if depth == 0 or type(owner) not in _KEEPS_DEFINED:
        return is_never_poison(value)
    op = fast.producer_of(value)
    if overflow_flags(op) or {"nonNeg", "isDisjoint"} & op.properties.keys():
        return False
    if fast_math_flags(op):
        return False
    return all(is_defined(operand, depth - 1) for operand in fast.operands_of(op))


class Simplification(RewritePattern):
    """Simplifies ops to an existing value or a constant."""

    matches = tuple(SIMPLIFIABLE)

    def __init__(self, combiner: Combiner) -> None:
        self._combiner = combiner
        self.hits: Counter[str] = Counter()

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        constants = self._combiner.constants
        if type(op) in FOLDABLE:
            folded = constant_result(op)
            if folded is not None:
                self.hits["fold"] += 1
                value = constants.attribute(folded, op.results[0].type)
                rewriter.replace(op, (), (value,))
                return
        for name, match in SIMPLIFICATIONS.candidates(op):
            value = match(op, constants, *fast.operands_of(op))
            if value is not None and value is not op.results[0]:
                self.hits[name] += 1
                rewriter.replace(op, (), (value,))
                return


class Combination(RewritePattern):
    """Replaces ops by cheaper ones, or by the form that other rules expect."""

    matches = tuple(COMBINATIONS.classes)

    def __init__(self, combiner: Combiner) -> None:
        self._combiner = combiner
        self.hits: Counter[str] = Counter()

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        found = COMBINATIONS.candidates(op)
        if not found or (type(op) is llvm.ICmpOp and chooses_operand(op)):
            return
        combiner = self._combiner
        combiner.rewriter = rewriter
        for name, match in found:
            value = match(op, combiner, *fast.operands_of(op))
            if value is not None:
                self.hits[name] += 1
                rewriter.replace(op, (), (value,))
                return


def chooses_operand(op: Operation) -> bool:
    """Returns True if a select uses a comparison for the minimum or maximum of the comparison's
    operands, or for the absolute value of one.

    The comparison is then not changed, because the rules for the select, which is visited later,
    match it.
    """
    use = fast.single_use(op.results[0])
    if use is None or type(use.operation) is not llvm.SelectOp:
        return False
    a, b = fast.operands_of(op)
    _, chosen, other = fast.operands_of(use.operation)
    if chosen is not a:
        chosen, other = other, chosen
    if chosen is not a:
        return False
    if other is b:
        return True
    number, limit = constant_integer(b), constant_integer(other)
    if number is None or predicate_of(op) not in (SLT, SGT, ULT, UGT):
        return False
    if limit is not None:
        return abs(number - limit) <= 1
    opposite = other.owner
    return type(opposite) is llvm.SubOp and fast.operands_of(opposite)[1] is a


def is_constant_like(value: SSAValue) -> bool:
    """Returns True if a value is a constant or the address of a symbol."""
    cls = type(value.owner)
    return cls in CONSTANT_CLASSES or cls is llvm.AddressOfOp
