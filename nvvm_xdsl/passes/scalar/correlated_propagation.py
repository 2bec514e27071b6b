"""`correlated-propagation`: uses the conditions of dominating branches to decide and simplify ops.

      %in = llvm.icmp "ult" %x, %ten : i32              %in = llvm.icmp "ult" %x, %ten : i32
      llvm.cond_br %in, ^body, ^out                     llvm.cond_br %in, ^body, ^out
    ^body:                                            ^body:
      %big = llvm.icmp "ugt" %x, %hundred : i32   ->    %q = llvm.udiv %x, %y : i32
      %q = llvm.sdiv %x, %y : i32                       %w = llvm.zext nneg %x : i32 to i64
      %w = llvm.sext %x : i32 to i64                    (%big is false)

Ranges are LazyValueInfo's: facts that hold at an op or on an edge. Comparisons, selects, switch
cases and block arguments decided by a range become constants. Min, max, abs, saturating arithmetic
and arithmetic with an overflow bit are simplified. A signed division, shift or extension of a
non-negative value becomes unsigned, and a division of a value that fits into fewer bits a division
of so
many: on a GPU a division of 64 bits costs some four times one of 32. Arithmetic that does not wrap
says so.

No op moves, and an edge goes away only where it is never taken. (LLVM's CorrelatedValuePropagation;
000 calls it sub_18EEA90. Comparisons stay as signed as they are: trip counts are found from either,
and PTX has both.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    CondBrOp,
    ExtractValueOp,
    FuncOp,
    ICmpOp,
    LShrOp,
    MulOp,
    ReturnOp,
    SDivOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SRemOp,
    SubOp,
    TruncOp,
    UDivOp,
    UnreachableOp,
    URemOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.values.constant_range import SGE, SLE, UGE, ULE, ULT, ConstantRange
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    branch_weights_of,
    int_property,
    integer_width,
    integers_of,
    position_of,
    predicate_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_constant
from nvvm_xdsl.dialects.llvm.flags import (
    NSW,
    NUW,
    is_exact,
    is_non_negative,
    overflow_flags,
    set_overflow_flags,
)
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import (
    AbsOp,
    FreezeOp,
    SAddSatOp,
    SAddWithOverflowOp,
    SMaxOp,
    SMinOp,
    SMulWithOverflowOp,
    SSHLSatOp,
    SSubSatOp,
    SSubWithOverflowOp,
    SwitchOp,
    UAddSatOp,
    UAddWithOverflowOp,
    UMaxOp,
    UMinOp,
    UMulWithOverflowOp,
    USHLSatOp,
    USubSatOp,
    USubWithOverflowOp,
)
from nvvm_xdsl.dialects.llvm.setters import set_branch_weights
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.dialects.llvm.types import I1, I64, UNIT, int_attr, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import is_dead_end
from nvvm_xdsl.transforms.conditionals import fold_terminator, select

DECIDED: Final = Statistic("correlated-propagation", "decided", "Number of values decided")
CHEAPENED: Final = Statistic("correlated-propagation", "cheapened", "Number of ops made cheaper")

NARROWEST_DIVISION: Final = 16
"""Minimum width of a division: PTX has no 8-bit division (LLVM's pass narrows to 8 bits)."""


@dataclass(frozen=True)
class CorrelatedPropagation(FunctionPass):
    """Decides and simplifies ops using the conditions of dominating branches."""

    name = "correlated-propagation"
    title = "CVP"
    # A narrowed value improves the ranges of dependent values.
    idempotent = False

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _Propagator(func, am.get(LazyValueInfo, func)).run()


class _Propagator:
    def __init__(self, func: FuncOp, lvi: LazyValueInfo) -> None:
        self.func = func
        self.lvi = lvi
        self.constants = Constants(func)
        self.edges_changed = False
        self.dead: list[Operation] = []

    def run(self) -> bool:
        """Simplifies ops and edges by the ranges of values; returns whether anything changed."""
        changed = False
        blocks = list(self.lvi.tree.cfg.rpo_blocks())
        for block in blocks:
            for op in fast.ops_of(block):
                handler = _HANDLERS.get(op.__class__)
                if handler is not None and handler(self, op):
                    changed = True
        for op in self.dead:
            fast.erase(op)
        for block in blocks:
            changed |= self.edges(block)
        for block in blocks:
            if block.args and cfg.simplify_arguments(block):
                changed = True
        if self.edges_changed:
            for block in blocks:
                if block.parent is not None:
                    fold_terminator(branches.terminator_of(block))
            cfg.remove_unreachable_blocks(self.func.regions[0])
        self.constants.erase_unused()
        return changed

    # What is known.

    def range(self, value: SSAValue, op: Operation) -> ConstantRange | None:
        """The range of a scalar integer at an op; None for other types and for unreachable ops."""
        if not integer_width(value.type):
            return None
        found = self.lvi.range_at(value, op)
        return None if found.is_empty else found

    def ranges(self, op: Operation) -> tuple[ConstantRange, ConstantRange] | None:
        """The ranges of an op's two operands."""
        a, b = fast.operands_of(op)
        first, second = self.range(a, op), self.range(b, op)
        return None if first is None or second is None else (first, second)

    # What is done.

    def decide(self, op: Operation, value: SSAValue) -> bool:
        """Replaces the op's only result by a value."""
        fast.replace_op(op, (value,))
        DECIDED.add()
        return True

    def new(
        self,
        cls: type[Operation],
        operands: tuple[SSAValue, ...],
        before: Operation,
        type_: Attribute | None = None,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result of a new op before another, with that op's location."""
        op = fast.create(
            cls,
            operands,
            (type_ or operands[0].type,),
            dict(properties or {}),
            location=before.location,
        )
        fast.insert_before(op, before)
        return op.results[0]

    def become(self, op: Operation, value: SSAValue) -> bool:
        """Replaces the op's result by that of a cheaper op."""
        fast.replace_op(op, (value,))
        CHEAPENED.add()
        return True

    def negated(self, value: SSAValue, before: Operation) -> SSAValue:
        """Inserts `0 - value`."""
        zero = self.constants.zero(value.type)
        return self.new(SubOp, (zero, value), before)

    # Decisions.

    def comparison(self, op: Operation) -> bool:
        """Decides a comparison by the ranges of its operands."""
        found = self.ranges(op)
        if found is None:
            return False
        answer = found[0].icmp(predicate_of(op), found[1])
        return answer is not None and self.decide(op, self.constants.boolean(answer))

    def selection(self, op: Operation) -> bool:
        """Decides a select by the range of its condition."""
        condition, yes, no = fast.operands_of(op)
        known = self.range(condition, op)
        chosen = None if known is None else known.value()
        return chosen is not None and self.decide(op, yes if chosen else no)

    def result(self, op: Operation) -> bool:
        """A returned value may be constant at the return."""
        changed = False
        for index, value in enumerate(fast.operands_of(op)):
            known = None if is_constant(value) else self.range(value, op)
            number = None if known is None else known.value()
            if number is not None:
                fast.set_operand(op, index, self.constants.integer(number, value.type))
                DECIDED.add()
                changed = True
        return changed

    def branch(self, op: Operation) -> bool:
        """A branch on a condition that is known at the branch, but not everywhere."""
        condition = fast.operands_of(op)[0]
        if is_constant(condition):
            return False
        known = self.range(condition, op)
        number = None if known is None else known.value()
        if number is None:
            return False
        fast.set_operand(op, 0, self.constants.boolean(bool(number)))
        DECIDED.add()
        self.edges_changed = True
        return True

    def switch(self, op: Operation) -> bool:
        """Removes unreachable cases, and an unreachable default."""
        value = fast.operands_of(op)[0]
        known = self.range(value, op)
        if known is None or is_constant(value):
            return False
        number = known.value()
        if number is not None:
            fast.set_operand(op, 0, self.constants.integer(number, value.type))
            self.edges_changed = True
            DECIDED.add()
            return True
        default, *cases = branches.edges_of(op)
        numbers = branches.case_values(op, signed=False)
        kept = [n for n, case in enumerate(numbers) if known.contains(case)]
        no_default = len(kept) == known.size and not is_dead_end(default[0])
        if len(kept) == len(cases) and not no_default:
            return False
        if no_default:
            default = (self.dead_end(op), ())
        weights = branch_weights_of(op)
        if kept:
            new = make_switch(value, default, [(numbers[n], cases[n]) for n in kept])
            if weights is not None:
                old = integers_of(weights)
                left = [0 if no_default else old[0], *(old[n + 1] for n in kept)]
                set_branch_weights(new, left)
        else:
            new = branches.branch(*default)
        cfg.replace_terminator(op, new)
        self.edges_changed = True
        DECIDED.add()
        return True

    def dead_end(self, terminator: Operation) -> Block:
        """A new unreachable block after the block of a terminator."""
        block = fast.new_block()
        fast.set_name(block, "default.unreachable")
        fast.append(block, fast.create(UnreachableOp, (), (), location=terminator.location))
        home = terminator.parent
        assert home is not None
        fast.insert_block_after(block, home)
        return block

    def edges(self, block: Block) -> bool:
        """A value passed along an edge may be constant there, or equal one operand of a select."""
        terminator = block.last_op
        if block.parent is None or terminator is None:
            return False
        if not any(values for _, values in branches.edges_of(terminator)):
            return False
        new_edges: list[branches.Edge] = []
        changed = False
        for target, values in branches.edges_of(terminator):
            sent: list[SSAValue] = []
            for value in values:
                known = self.on_edge(value, block, target)
                if known is not None:
                    value, changed = known, True
                    DECIDED.add()
                sent.append(value)
            new_edges.append((target, tuple(sent)))
        if changed:
            branches.set_edges(terminator, new_edges)
        return changed

    def on_edge(self, value: SSAValue, source: Block, target: Block) -> SSAValue | None:
        """The replacement of a value on an edge; None to keep it."""
        if is_constant(value):
            return None
        if integer_width(value.type):
            known = self.lvi.range_on_edge(value, source, target)
            number = known.value()
            if number is not None:
                return self.constants.integer(number, value.type)
        if isinstance(value, OpResult) and value.op.__class__ is SelectOp:
            condition, yes, no = fast.operands_of(value.op)
            if condition.type is I1 and not is_constant(condition):
                chosen = self.lvi.range_on_edge(condition, source, target).value()
                if chosen is not None:
                    return yes if chosen else no
        return None

    # Minimum, maximum and similar ops.

    def extreme(self, op: Operation) -> bool:
        """Decides a minimum or maximum, or makes it unsigned."""
        found = self.ranges(op)
        if found is None:
            return False
        a, b = fast.operands_of(op)
        predicate, unsigned = _EXTREMES[op.__class__]
        first = found[0].icmp(predicate, found[1])
        if first is not None:
            return self.decide(op, a if first else b)
        # Either operand is correct for equal numbers.
        second = found[1].icmp(predicate, found[0])
        if second is not None:
            return self.decide(op, b if second else a)
        if unsigned is not None and all(r.smin() >= 0 for r in found):
            return self.become(op, self.new(unsigned, (a, b), op))
        return False

    def absolute(self, op: Operation) -> bool:
        """Replaces an absolute value by its operand or the negation, if the sign is known."""
        (value,) = fast.operands_of(op)
        known = self.range(value, op)
        if known is None:
            return False
        if known.smin() >= 0:
            return self.decide(op, value)
        least = -(1 << (known.width - 1))
        poison = int_property(op, "is_int_min_poison") != 0
        if known.smax() <= 0:
            zero = self.constants.zero(value.type)
            flags = NSW if poison or known.smin() > least else 0
            negated = fast.create(SubOp, (zero, value), (value.type,), location=op.location)
            fast.insert_before(negated, op)
            if flags:
                set_overflow_flags(negated, flags)
            return self.become(op, negated.results[0])
        if not poison and not known.contains(least):
            op.properties["is_int_min_poison"] = int_attr(1, I1)
            return True
        return False

    def saturating(self, op: Operation) -> bool:
        """Replaces saturating arithmetic that never saturates."""
        found = self.ranges(op)
        cls, flag = _SATURATING[op.__class__]
        if found is None or not _never_wraps(cls, flag, *found):
            return False
        return self.become(op, self._arithmetic(cls, flag, op))

    def overflow(self, op: Operation) -> bool:
        """Removes the overflow bit of arithmetic that never wraps."""
        users = list(fast.users_of(op.results[0]))
        if not users or any(user.__class__ is not ExtractValueOp for user in users):
            return False
        found = self.ranges(op)
        cls, flag = _WITH_OVERFLOW[op.__class__]
        if found is None or not _never_wraps(cls, flag, *found):
            return False
        value = self._arithmetic(cls, flag, op)
        for user in users:
            part = value if position_of(user) == (0,) else self.constants.boolean(False)
            fast.replace_all_uses(user.results[0], part)
        # The walk over the block has not visited them yet.
        self.dead += [*users, op]
        CHEAPENED.add()
        return True

    def _arithmetic(self, cls: type[Operation], flag: int, op: Operation) -> SSAValue:
        operands = fast.operands_of(op)
        new = fast.create(cls, operands, (operands[0].type,), location=op.location)
        set_overflow_flags(new, flag)
        fast.insert_before(new, op)
        return new.results[0]

    # Division.

    def division(self, op: Operation) -> bool:
        """Makes a division unsigned or narrower, or replaces it by a comparison and a
        subtraction."""
        found = self.ranges(op)
        if found is None:
            return False
        cls = op.__class__
        if cls is SDivOp or cls is SRemOp:
            return self._as_unsigned(op, *found) or self._narrower(op, *found, signed=True)
        return self._expanded(op, *found) or self._narrower(op, *found, signed=False)

    def _as_unsigned(self, op: Operation, x: ConstantRange, y: ConstantRange) -> bool:
        """Replaces a signed division of operands with known signs by an unsigned one."""
        signs = [_sign(x), _sign(y)]
        if 0 in signs:
            return False
        is_quotient = op.__class__ is SDivOp
        operands: list[SSAValue] = []
        for value, sign in zip(fast.operands_of(op), signs):
            operands.append(value if sign > 0 else self.negated(value, op))
        exact = {"isExact": UNIT} if is_exact(op) else None
        cls = UDivOp if is_quotient else URemOp
        result = self.new(cls, (operands[0], operands[1]), op, properties=exact)
        unsigned = fast.producer_of(result)
        negative = signs[0] != signs[1] if is_quotient else signs[0] < 0
        if negative:
            result = self.negated(result, op)
        self.become(op, result)
        self.division(unsigned)
        return True

    def _expanded(self, op: Operation, x: ConstantRange, y: ConstantRange) -> bool:
        """A division whose quotient is 0, or 0 or 1."""
        a, b = fast.operands_of(op)
        is_quotient = op.__class__ is UDivOp
        if x.icmp(ULT, y):
            return self.decide(op, self.constants.zero(a.type) if is_quotient else a)
        # The quotient is less than 2 if x < 2y for all; with y > half of all it always is.
        if y.umin() == 0 or x.umax() >= 2 * y.umin():
            return False
        if is_quotient:
            reached = self.new(ICmpOp, (a, b), op, I1, {"predicate": int_attr(UGE, I64)})
            return self.become(op, self.new(ZExtOp, (reached,), op, a.type))
        if x.icmp(UGE, y):
            return self.become(op, self.new(SubOp, (a, b), op))
        a, b = self._frozen(a, op), self._frozen(b, op)
        less = self.new(ICmpOp, (a, b), op, I1, {"predicate": int_attr(ULT, I64)})
        rest = self.new(SubOp, (a, b), op)
        return self.become(op, select(less, a, rest, op))

    def _frozen(self, value: SSAValue, before: Operation) -> SSAValue:
        """The frozen value, which is the same at each use."""
        return value if is_constant(value) else self.new(FreezeOp, (value,), before)

    def _narrower(self, op: Operation, x: ConstantRange, y: ConstantRange, *, signed: bool) -> bool:
        width = x.width
        if signed:
            needed = max(_signed_bits(x), _signed_bits(y))
            # The only quotient that needs one more bit.
            if x.contains(-(1 << (needed - 1))) and y.contains(-1):
                needed += 1
        else:
            needed = max(x.umax().bit_length(), y.umax().bit_length())
        divisor = fast.operands_of(op)[1]
        # A 32-bit division by a constant is a product, which costs no more than a 16-bit one.
        least = NARROWEST_DIVISION if not is_constant(divisor) else 32
        narrow = max(1 << (needed - 1).bit_length() if needed else 1, least)
        if narrow >= width or _is_power_of_two(divisor):
            return False
        type_ = integer(narrow)
        a, b = (self._truncated(value, type_, op) for value in fast.operands_of(op))
        exact = {"isExact": UNIT} if is_exact(op) else None
        result = self.new(op.__class__, (a, b), op, properties=exact)
        extension = SExtOp if signed else ZExtOp
        return self.become(op, self.new(extension, (result,), op, op.results[0].type))

    def _truncated(self, value: SSAValue, type_: Attribute, before: Operation) -> SSAValue:
        number = constant_integer(value)
        if number is not None:
            return self.constants.integer(number, type_)
        return self.new(
            TruncOp, (value,), before, type_, {"overflowFlags": int_attr(0, integer(32))}
        )

    # Signs.

    def shift_right(self, op: Operation) -> bool:
        """Makes an arithmetic right shift of a non-negative value logical."""
        value, _ = fast.operands_of(op)
        known = self.range(value, op)
        if known is None:
            return False
        if known.smin() >= -1 and known.smax() <= 0:
            # All shifts of a value of sign bits give the same result.
            return self.decide(op, value)
        if known.smin() < 0:
            return False
        exact = {"isExact": UNIT} if is_exact(op) else None
        return self.become(op, self.new(LShrOp, fast.operands_of(op), op, properties=exact))

    def extension(self, op: Operation) -> bool:
        """Makes a sign extension of a non-negative value a zero extension, marked `nneg`."""
        (value,) = fast.operands_of(op)
        if op.__class__ is ZExtOp and is_non_negative(op):
            return False
        known = self.range(value, op)
        if known is None or known.smin() < 0:
            return False
        if op.__class__ is ZExtOp:
            op.properties["nonNeg"] = UNIT
            return True
        type_ = op.results[0].type
        return self.become(op, self.new(ZExtOp, (value,), op, type_, {"nonNeg": UNIT}))

    # Redundant bit operations, and no-wrap flags.

    def conjunction(self, op: Operation) -> bool:
        """A mask that clears no bit."""
        found = self.ranges(op)
        value, mask = fast.operands_of(op)
        bits = constant_integer(mask)
        if found is None or bits is None:
            return False
        low = bits & ((1 << found[0].width) - 1)
        # A range only decides this for masks of low bits.
        ones = (~low & (low + 1)) - 1
        return found[0].umax() <= ones and self.decide(op, value)

    def arithmetic(self, op: Operation) -> bool:
        """Adds `nsw` and `nuw` where the ranges exclude wrapping."""
        flags = overflow_flags(op)
        if flags == NSW | NUW:
            return False
        found = self.ranges(op)
        if found is None:
            return False
        new = flags
        for flag in (NSW, NUW):
            if not flags & flag and _never_wraps(op.__class__, flag, *found):
                new |= flag
        if new == flags:
            return False
        set_overflow_flags(op, new)
        return True

    def truncation(self, op: Operation) -> bool:
        """Adds `nsw` and `nuw` where the range fits the result."""
        flags = overflow_flags(op)
        if flags == NSW | NUW:
            return False
        (value,) = fast.operands_of(op)
        known = self.range(value, op)
        width = integer_width(op.results[0].type)
        if known is None:
            return False
        new = flags
        if known.umax() < 1 << width:
            new |= NUW
        if _signed_bits(known) <= width:
            new |= NSW
        if new == flags:
            return False
        set_overflow_flags(op, new)
        return True


def _never_wraps(cls: type[Operation], flag: int, x: ConstantRange, y: ConstantRange) -> bool:
    """True if an op of this class never wraps, signed or unsigned, on operands in these ranges."""
    width = x.width
    if cls is ShlOp:
        if y.umax() >= width:
            return False
        if flag == NUW:
            return x.umax() << y.umax() < 1 << width
        low, high = x.smin() << y.umax(), x.smax() << y.umax()
    elif flag == NUW:
        if cls is SubOp:
            return x.umin() >= y.umax()
        high = x.umax() + y.umax() if cls is AddOp else x.umax() * y.umax()
        return high < 1 << width
    elif cls is AddOp:
        low, high = x.smin() + y.smin(), x.smax() + y.smax()
    elif cls is SubOp:
        low, high = x.smin() - y.smax(), x.smax() - y.smin()
    else:
        corners = [a * b for a in (x.smin(), x.smax()) for b in (y.smin(), y.smax())]
        low, high = min(corners), max(corners)
    half = 1 << (width - 1)
    return low >= -half and high < half


def _sign(known: ConstantRange) -> int:
    """1 for non-negative values, -1 for non-positive values, 0 for others."""
    if known.smin() >= 0:
        return 1
    return -1 if known.smax() <= 0 else 0


def _signed_bits(known: ConstantRange) -> int:
    """The number of bits, including the sign, that hold all numbers of a range."""
    low, high = known.smin(), known.smax()
    return 1 + max(
        (~low if low < 0 else low).bit_length(), (~high if high < 0 else high).bit_length()
    )


def _is_power_of_two(value: SSAValue) -> bool:
    """Returns True if dividing by the value is a shift, for any width."""
    number = constant_integer(value)
    return number is not None and abs(number) & (abs(number) - 1) == 0


_EXTREMES: Final[dict[type[Operation], tuple[int, type[Operation] | None]]] = {
    SMinOp: (SLE, UMinOp),
    SMaxOp: (SGE, UMaxOp),
    UMinOp: (ULE, None),
    UMaxOp: (UGE, None),
}
"""The comparison, with the op as its left side, that permits its replacement; the replacement for
non-negative values.
"""

_SATURATING: Final[dict[type[Operation], tuple[type[Operation], int]]] = {
    SAddSatOp: (AddOp, NSW),
    UAddSatOp: (AddOp, NUW),
    SSubSatOp: (SubOp, NSW),
    USubSatOp: (SubOp, NUW),
    SSHLSatOp: (ShlOp, NSW),
    USHLSatOp: (ShlOp, NUW),
}

_WITH_OVERFLOW: Final[dict[type[Operation], tuple[type[Operation], int]]] = {
    SAddWithOverflowOp: (AddOp, NSW),
    UAddWithOverflowOp: (AddOp, NUW),
    SSubWithOverflowOp: (SubOp, NSW),
    USubWithOverflowOp: (SubOp, NUW),
    SMulWithOverflowOp: (MulOp, NSW),
    UMulWithOverflowOp: (MulOp, NUW),
}

_HANDLERS: Final[dict[type[Operation], Callable[[_Propagator, Operation], bool]]] = {
    ICmpOp: _Propagator.comparison,
    SelectOp: _Propagator.selection,
    CondBrOp: _Propagator.branch,
    SwitchOp: _Propagator.switch,
    ReturnOp: _Propagator.result,
    SDivOp: _Propagator.division,
    SRemOp: _Propagator.division,
    UDivOp: _Propagator.division,
    URemOp: _Propagator.division,
    AShrOp: _Propagator.shift_right,
    SExtOp: _Propagator.extension,
    ZExtOp: _Propagator.extension,
    AndOp: _Propagator.conjunction,
    AddOp: _Propagator.arithmetic,
    SubOp: _Propagator.arithmetic,
    MulOp: _Propagator.arithmetic,
    ShlOp: _Propagator.arithmetic,
    TruncOp: _Propagator.truncation,
    AbsOp: _Propagator.absolute,
    **dict.fromkeys(_EXTREMES, _Propagator.extreme),
    **dict.fromkeys(_SATURATING, _Propagator.saturating),
    **dict.fromkeys(_WITH_OVERFLOW, _Propagator.overflow),
}
