"""`instcombine`: replaces expressions by cheaper equivalent ones.

    %a = llvm.add %x, %c5 : i32
    %b = llvm.add %a, %c7 : i32
    %q = llvm.udiv %b, %c8 : i32
    %r = llvm.fdiv %f, %two : f32

becomes

    %b = llvm.add %x, %c12 : i32
    %q = llvm.lshr %b, %c3 : i32
    %r = llvm.fmul %f, %half : f32

The rules are the rows of `rules/`. Rewrites that are not only identities of values (constants as
first operands, addresses, facts from analyses) are the patterns below. All run on one worklist
until none of them matches; then ops that only compute undemanded bits are simplified
(`transforms/simplify_demanded_bits.py`). Legal because the right side of every rule refines its
left side: each row is tested on the simulator and proved with Z3. Rules match no ops with side
effects, volatile or atomic accesses, convergent ops or inline assembly. A new op has the location
of the op that it replaces.

The canonical forms are LLVM's (its InstCombine's): constants are second operands and are gathered
outward, subtractions of constants are additions, products and unsigned quotients with powers of two
are shifts, comparisons are strict, and constant offsets of addresses are in bytes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    FCmpOp,
    FuncOp,
    GEPOp,
    ICmpOp,
    LoadOp,
    OrOp,
    SelectOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.constant_memory import ConstantMemory
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.values.constant_range import EQ, NE, UGT, ULT, ConstantRange, allowed_region
from nvvm_xdsl.analysis.values.demanded_bits import DemandedBits
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.flags import common_flags, no_wrap_flags_of, overflow_flags
from nvvm_xdsl.dialects.llvm.gep import constant_offset, create_gep
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.setters import set_predicate
from nvvm_xdsl.dialects.llvm.symbols import module_of
from nvvm_xdsl.dialects.llvm.types import I1, I8, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.driver import RewriteDriver
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.condition_arguments import replace_condition_arguments
from nvvm_xdsl.passes.scalar.low_bits import LowBitsOfSum
from nvvm_xdsl.passes.scalar.power_remainders import RemainderOfPower
from nvvm_xdsl.rules.combine import Combination, Combiner, Simplification, is_constant_like
from nvvm_xdsl.rules.operators import SWAPPED, operators
from nvvm_xdsl.rules.simplify import simplify
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.narrow_arguments import narrow_arguments
from nvvm_xdsl.transforms.simplify_demanded_bits import simplify_demanded


@dataclass(frozen=True)
class InstCombine(FunctionPass):
    """Replaces expressions by cheaper equivalent ones."""

    name = "instcombine"
    title = "InstCombine"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return run(func, am)[0]


def run(func: FuncOp, am: AnalysisManager) -> tuple[bool, Counter[str]]:
    """Combines the ops of a function; returns whether anything changed, and the number of matches
    by rule.
    """
    constants = Constants(func)
    changed = False

    def facts() -> ValueTracking:
        """The current constants and facts, valid until something changes."""
        return ValueTracking(func) if changed or driver.hits else am.get(ValueTracking, func)

    combiner = Combiner(constants, facts)
    simplification, combination = Simplification(combiner), Combination(combiner)
    driver = RewriteDriver(
        [
            ConstantBehind(),
            simplification,
            combination,
            OffsetOfOffset(data_layout_of(func)),
            OpOnChoices(constants),
            KnownResult(combiner),
            LowBitsOfSum(combiner),
            RemainderOfPower(combiner),
            RangeLogic(constants),
            LoadOfConstant(constants, ConstantMemory(module_of(func), data_layout_of(func))),
        ],
        is_pure=is_removable,
    )
    changed = driver.rewrite(func)
    graph = am.get(CFG, func)
    blocks = list(graph.rpo_blocks())

    def simplified() -> bool:
        """True if rewrites other than patterns, of arguments and by demanded bits, changed
        something.
        """
        found = [cfg.simplify_arguments(b) | narrow_arguments(b, constants) for b in blocks]
        decided = replace_condition_arguments(func, blocks, constants, am)
        return simplify_demanded(DemandedBits(func, graph)) or decided or any(found)

    while simplified():
        changed = True
        combiner.forget_facts()
        driver.rewrite(func)
    hits = driver.hits + simplification.hits + combination.hits
    return changed, hits


COMMUTATIVE: frozenset[type[Operation]] = frozenset(
    op.cls for op in operators().values() if op.commutative
)


class ConstantBehind(RewritePattern):
    """Moves constants to the second operand of commutative ops, and to the right side of
    comparisons."""

    matches = (*COMMUTATIVE, ICmpOp, FCmpOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        a, b = fast.operands_of(op)
        if not is_constant_like(a) or is_constant_like(b):
            return
        fast.set_operands(op, (b, a))
        cls = type(op)
        if cls is ICmpOp or cls is FCmpOp:
            table = SWAPPED["icmp" if cls is ICmpOp else "fcmp"]
            set_predicate(op, table[predicate_of(op)])
        rewriter.notify_op_modified(op)


class OpOnChoices(RewritePattern):
    """Replaces an operation on two selects with one condition by a select, if the results on both
    sides are known.

    `(c ? 100 : 0) + (c ? 0 : x)` is `c ? 100 : x`.
    """

    matches = tuple(o.cls for o in operators().values() if len(o.operands) == 2 and not o.variadic)

    def __init__(self, constants: Constants) -> None:
        self._constants = constants

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        a, b = fast.operands_of(op)
        if type(a.owner) is not SelectOp or type(b.owner) is not SelectOp:
            return
        condition, *first = fast.operands_of(a.owner)
        other, *second = fast.operands_of(b.owner)
        if condition is not other:
            return
        type_ = op.results[0].type
        chosen: list[SSAValue] = []
        for operands in zip(first, second, strict=True):
            tried = fast.create(type(op), operands, (type_,), dict(op.properties))
            known = simplify(tried, self._constants)
            fast.erase(tried)
            if known is None:
                return
            chosen.append(known)
        new = fast.create(SelectOp, (condition, *chosen), (type_,), location=op.location)
        rewriter.replace(op, (new,), new.results)


class KnownResult(RewritePattern):
    """Decides comparisons from known facts about their operands."""

    matches = (ICmpOp,)

    def __init__(self, combiner: Combiner) -> None:
        self._combiner = combiner

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        a, b = fast.operands_of(op)
        left, right = self._combiner.fact(a), self._combiner.fact(b)
        if left is None or right is None:
            return
        answer = left.range.icmp(predicate_of(op), right.range)
        if answer is None and predicate_of(op) < 2:
            known_apart = left.bits.zeros & right.bits.ones | left.bits.ones & right.bits.zeros
            answer = bool(predicate_of(op)) if known_apart else None
        if answer is not None:
            rewriter.replace(op, (), (self._combiner.constants.boolean(answer),))


class RangeLogic(RewritePattern):
    """Merges two comparisons of one value with constants into one comparison or a constant.

    `x > 3 && x < 9` unsigned is `x - 4 < 5`; one side may imply the other, or contradict it. Another
    condition may precede the second: `x >= 0 && c && x < 9` is `x < 9 && c` with an unsigned
    comparison.
    """

    matches = (AndOp, OrOp, SelectOp)

    def __init__(self, constants: Constants) -> None:
        self._constants = constants

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        found = _logic(op)
        if found is None:
            return
        is_and, a, b = found
        merged = self._merged(op, a, b, is_and)
        if merged is not None:
            rewriter.replace(op, merged[0], (merged[1],))
            return
        inner = _logic(fast.producer_of(a)) if fast.single_use(a) is not None else None
        if inner is None or inner[0] is not is_and:
            return
        for part in inner[1:]:
            merged = self._merged(op, part, b, is_and)
            if merged is not None:
                # The order of conditions matters only for poison. Both comparisons are poison if
                # the value is, so the merged one may replace the first.
                new, value = merged
                logic = fast.producer_of(a)
                operands = [value if o is part else o for o in fast.operands_of(logic)]
                properties = dict(logic.properties)
                # The merged comparison is true for values for which the first was false.
                properties.pop("isDisjoint", None)
                new.append(
                    fast.create(type(logic), operands, (I1,), properties, location=op.location)
                )
                rewriter.replace(op, new, new[-1].results)
                return

    def _merged(
        self, op: Operation, a: SSAValue, b: SSAValue, is_and: bool
    ) -> tuple[list[Operation], SSAValue] | None:
        """The condition that replaces two, and the ops that compute it; None if there is none, or
        if it costs more.
        """
        first, second = _compared_range(a), _compared_range(b)
        if first is None or second is None or first[0] is not second[0]:
            return None
        one, other = first[1], second[1]
        joined = _exact_intersection(*((r if is_and else r.complement()) for r in (one, other)))
        if joined is None:
            return None
        joined = joined if is_and else joined.complement()
        if joined.is_empty or joined.is_full:
            return [], self._constants.boolean(joined.is_full)
        if joined in (one, other):
            # Both are poison if the value is, so a logical and may also drop its first operand.
            return [], a if joined == one else b
        low, size, predicate = _test_of(joined)
        # One comparison replaces two; if a sum is necessary, both must become dead.
        if sum(fast.single_use(v) is not None for v in (a, b)) < 1 + bool(low):
            return None
        new: list[Operation] = []
        value, location = first[0], op.location
        if low:
            number = self._constants.integer(-low, value.type)
            new.append(fast.create(AddOp, (value, number), (value.type,), location=location))
            value = new[0].results[0]
        number = self._constants.integer(size, value.type)
        properties: dict[str, Attribute] = {"predicate": int_attr(predicate, I64)}
        new.append(fast.create(ICmpOp, (value, number), (I1,), properties, location=location))
        return new, new[-1].results[0]


def _test_of(range_: ConstantRange) -> tuple[int, int, int]:
    """The comparison that is true in a range: the number to subtract, the bound and the predicate."""
    outside = range_.complement()
    if range_.size == 1 or outside.size == 1:
        is_one = range_.size == 1
        return 0, (range_ if is_one else outside).start, EQ if is_one else NE
    if outside.start == 0:
        return 0, range_.start - 1, UGT
    return range_.start, range_.size, ULT


def _logic(op: Operation) -> tuple[bool, SSAValue, SSAValue] | None:
    """Whether an op on i1 is a conjunction or a disjunction, and its operands.

    The selects `a ? b : false` and `a ? true : b` count, too.
    """
    if type(op) not in RangeLogic.matches:
        return None
    if type(op) is not SelectOp:
        a, b = fast.operands_of(op)
        return type(op) is AndOp, a, b
    a, b, c = fast.operands_of(op)
    if constant_integer(c) == 0:
        return True, a, b
    return (False, a, c) if constant_integer(b) else None


def _compared_range(condition: SSAValue) -> tuple[SSAValue, ConstantRange] | None:
    """The value that a condition compares with a constant, and the range for which it is true."""
    op = condition.owner
    if type(op) is not ICmpOp:
        return None
    value, other = fast.operands_of(op)
    number, width = constant_integer(other), integer_width(value.type)
    if number is None:
        return None
    range_ = allowed_region(predicate_of(op), ConstantRange.single(width, number))
    inner = value.owner
    if type(inner) is AddOp:
        base, added = fast.operands_of(inner)
        by = constant_integer(added)
        # With a flag the sum may be poison for a value that is not.
        if by is not None and not overflow_flags(inner):
            return base, range_.sub(ConstantRange.single(width, by))
    return value, range_


def _exact_intersection(a: ConstantRange, b: ConstantRange) -> ConstantRange | None:
    """The intersection of two ranges, if it is contiguous."""
    joined = a.intersect(b)
    offset = (b.start - a.start) & ((1 << a.width) - 1)
    count = max(min(a.size, offset + b.size) - offset, 0)
    count += max(min(a.size, offset + b.size - (1 << a.width)), 0)
    return joined if joined.size == count else None


class LoadOfConstant(RewritePattern):
    """Folds a load from a known offset of a constant variable."""

    matches = (LoadOp,)

    def __init__(self, constants: Constants, memory: ConstantMemory) -> None:
        self._constants = constants
        self._memory = memory

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not is_simple_access(op):
            return
        (result,) = op.results
        value = self._memory.load(fast.operands_of(op)[0], result.type)
        if value is not None:
            rewriter.replace(op, (), (self._constants.attribute(value, result.type),))


class OffsetOfOffset(RewritePattern):
    """Merges two address computations with constant offsets into one, in bytes.

    Only common flags are kept: wrapping flags of both hold for the sum, but `inbounds` of the first
    alone does not.
    """

    matches = (GEPOp,)

    def __init__(self, layout: DataLayout) -> None:
        self._layout = layout

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = fast.operands_of(op)[0].owner
        if type(inner) is not GEPOp:
            return
        first, second = (constant_offset(gep, self._layout) for gep in (inner, op))
        if first is None or second is None or not -(2**31) < first + second < 2**31:
            return
        pointer = fast.operands_of(inner)[0]
        flags = _common(inner, op)
        rewriter.replace(op, create_gep((pointer,), (first + second,), I8, pointer.type, flags))


def _common(first: Operation, second: Operation) -> Attribute | None:
    """The wrap flags that two getelementptrs have in common."""
    mine, other = (no_wrap_flags_of(gep) for gep in (first, second))
    return None if mine is None or other is None else common_flags(mine, other)
