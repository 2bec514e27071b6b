"""ScalarEvolution: formulas for the integers of a function, and the trip counts of its loops.

The caches are seven named tables. A pass must invalidate the entries of IR that it changes: see
`invalidation`. `operations` maps ops to expressions, and `expressions` defines these.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import prod
from typing import TYPE_CHECKING, Self

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import GEPOp, LLVMPointerType, SelectOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loop_progress import reaches_latch_or_exit
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.memory.addresses import index_scales
from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev, is_invariant
from nvvm_xdsl.analysis.scev.guards import combine
from nvvm_xdsl.analysis.scev.invalidation import BackedgeTakenInfo, ExitLimit, Predicate
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, current_knobs
from nvvm_xdsl.analysis.scev.operations import CREATE, compared_by
from nvvm_xdsl.analysis.scev.phi_steps import same_incoming, split_phi
from nvvm_xdsl.analysis.scev.wrapping import Wrapping
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.poison import poison_is_undefined
from nvvm_xdsl.analysis.values.value_tracking import argument_range, known_at_source
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, effects
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.dialects.nvvm.kernel import launch_bounds
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

MAX_EXPR_DEPTH = 64
"""Maximum depth of values that are analysed."""
MAX_COUNTED = 16
"""Loops whose counts are computed for the sake of another count: the guard of a loop may compare
the counter of the loop before it. Beyond this depth, or beyond as many ranges of recurrences that
depend on each other, the range of a recurrence follows from its flags only.
"""


_KEEPS_FLAGS = frozenset({"llvm.add", "llvm.mul", "llvm.shl"})
"""Ops whose wrap flags hold for the recurrences that they compute."""


class ScalarEvolution(Wrapping):
    """The scalar evolution of one function.

    The seven caches: `value_exprs` (values to expressions), `unsigned_ranges` and
    `signed_ranges`, `backedge_taken_counts` (exact and at most, by loop), `exit_counts` (by loop and
    exiting block), `addrec_folds` (extensions of recurrences) and
    `predicated_backedge_taken_counts`. `hits` and `evictions` count by table.
    """

    def __init__(
        self, func: Operation, tree: DominatorTree, loops: LoopInfo, knobs: ScevKnobs | None = None
    ) -> None:
        self.knobs = current_knobs() if knobs is None else knobs
        self.func = func
        self.tree = tree
        self.loops = loops
        module = func.parent_op()
        self.layout = DataLayout.of(module) if isinstance(module, ModuleOp) else DataLayout()
        self.expressions = Expressions(self.knobs)
        self.could_not_compute = self.expressions.could_not_compute
        self._bounds = launch_bounds(func)
        self.value_exprs: dict[SSAValue, Scev] = {}
        self.unsigned_ranges: dict[Scev, ConstantRange] = {}
        self.signed_ranges: dict[Scev, ConstantRange] = {}
        self.backedge_taken_counts: dict[Loop, BackedgeTakenInfo] = {}
        self.exit_counts: dict[tuple[Loop, Block], ExitLimit] = {}
        self.addrec_folds: dict[tuple[Kind, Scev, int], Scev] = {}
        self.predicated_backedge_taken_counts: dict[Loop, tuple[Scev, list[Predicate]]] = {}
        self.hits: Counter[str] = Counter()
        self.evictions: Counter[str] = Counter()
        self.forgotten_loops: dict[Loop, int] = {}
        self.failures = 0
        self.guards: dict[SSAValue, set[Loop]] = {}
        self._counting: set[Loop] = set()
        self._proving: set[Loop] = set()
        self._provisional: dict[SSAValue, None] = {}
        self._guesses = 0
        """Number of results that may be less precise because a loop was being analysed."""
        self._guessed_ranges: dict[tuple[Scev, bool], ConstantRange] = {}
        """Ranges that are kept only while the same loops are being analysed, by expression and
        preference for signed ranges."""
        self._nested_recurrences = 0
        """Number of recurrences for which ranges are being computed from counts."""

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The scalar evolution of a function."""
        return cls(op, am.get(DominatorTree, op), am.get(LoopInfo, op))

    # Expressions of values.

    def width_of(self, type_: Attribute) -> int:
        """The width of an integer or pointer type; 0 for types without expressions."""
        if type(type_) is LLVMPointerType:
            return self.layout.pointer_bits(address_space_of(type_))
        return integer_width(type_)

    def get(self, value: SSAValue) -> Scev:
        """The expression of an integer or pointer; `could_not_compute` for other values."""
        found = self.value_exprs.get(value)
        if found is not None:
            self.hits["value_exprs"] += 1
            if value in self._provisional:
                self._guesses += 1
            return found
        if not self.width_of(value.type):
            return self.could_not_compute
        known = self.value_exprs
        stack = [value]
        started: set[SSAValue] = set()
        while stack:
            at = stack[-1]
            if at in known:
                stack.pop()
                continue
            if at not in started:
                started.add(at)
                missing = [v for v in self._needs(at) if v not in known and v not in started]
                if missing:
                    stack.extend(reversed(missing))
                    continue
            stack.pop()
            guesses = self._guesses
            known[at] = self._limited(at, self._create(at))
            if self._is_guess(guesses):
                self._provisional[at] = None
        return known[value]

    def _limited(self, value: SSAValue, found: Scev) -> Scev:
        if found.size > self.knobs.max_expr_size or found.depth > MAX_EXPR_DEPTH:
            self.failures += 1
            return self._unknown(value)
        return found

    def _unknown(self, value: SSAValue) -> Scev:
        return self.expressions.unknown(value, self.width_of(value.type))

    def known(self, value: SSAValue) -> Scev:
        """The cached expression, or the value as an unknown; nothing is computed."""
        found = self.value_exprs.get(value)
        if value in self._provisional:
            self._guesses += 1
        return self._unknown(value) if found is None else found

    def _is_guess(self, guesses: int) -> bool:
        """Returns whether a result computed since there were this many guesses may be less precise
        than the final one.
        """
        return self._guesses != guesses and bool(self._counting or self._proving)

    def _needs(self, value: SSAValue) -> list[SSAValue]:
        """The operands of the value's expression."""
        if isinstance(value, OpResult):
            if value.op.name not in CREATE and type(value.op) is not GEPOp:
                return []
            operands = fast.operands_of(value.op)
            if type(value.op) is SelectOp:
                # The selected value may depend on the compared values.
                operands = (*operands, *compared_by(operands[0]))
            return list(operands)
        assert isinstance(value, BlockArgument)
        split = split_phi(value, self.loops, self.layout)
        if split is None:
            same = same_incoming(value)
            return [] if same is None else [same]
        return [split.start, *(v for v, _ in split.addends)]

    def _create(self, value: SSAValue) -> Scev:
        if isinstance(value, BlockArgument):
            return self._create_phi(value)
        assert isinstance(value, OpResult)
        op = value.op
        width = self.width_of(value.type)
        constant = constant_number(value)
        if constant is not None:
            return self.expressions.constant(width, constant)
        if self.failures >= self.knobs.max_expr_failures:
            return self._unknown(value)
        if type(op) is GEPOp:
            return self._create_gep(op, width)
        create = CREATE.get(op.name)
        found = create(self, op, width) if create is not None else None
        if found is None:
            return self._unknown(value)
        if found.is_affine and op.name in _KEEPS_FLAGS:
            self._keep_flags(value, found)
        return found

    def _keep_flags(self, value: OpResult, found: Scev) -> None:
        """Wrap flags of an op for a recurrence computed from its operands.

        Requires that the op runs in each iteration, and that its overflow is undefined behaviour.
        """
        loop = found.loop
        own = overflow_flags(value.op)
        if (
            value.op.name == "llvm.shl"
            and constant_number(fast.operands_of(value.op)[1]) == found.width - 1
        ):
            # The factor is negative, so the shift is no product without signed overflow.
            own &= ~NSW
        flags = own & (NUW | NSW)
        if not flags or loop is None or self.loops.loop_for(value.op.parent) is not loop:
            return
        parts = [self.known(operand) for operand in fast.operands_of(value.op)]
        for part in parts:
            if part.loop is loop:
                if own & ~part.flags:
                    self._guesses += 1
                flags &= part.flags
            elif not is_invariant(part, loop):
                return
        if flags & NSW and not _has_exact_step(value.op, parts, found):
            flags &= ~NSW
        if found.flags & flags == flags:
            return
        if self._is_in_each_iteration(value) and poison_is_undefined(value):
            self.expressions.add_rec(found.operands, loop, flags)

    def _create_gep(self, op: Operation, width: int) -> Scev:
        found = index_scales(op, self.layout)
        if found is None:
            return self._unknown(op.results[0])
        ex = self.expressions
        offset, scaled = found
        parts = [self.known(fast.operands_of(op)[0]), ex.constant(width, offset)]
        for index, scale in scaled:
            parts.append(ex.mul(ex.constant(width, scale), self._resize(self.known(index), width)))
        return ex.add(*parts)

    def _resize(self, expression: Scev, width: int) -> Scev:
        if expression.width > width:
            return self.expressions.trunc(expression, width)
        return self.sext(expression, width)

    # Block arguments.

    def _create_phi(self, phi: BlockArgument) -> Scev:
        ex = self.expressions
        split = split_phi(phi, self.loops, self.layout)
        if split is None:
            same = same_incoming(phi)
            return self._unknown(phi) if same is None else self.known(same)
        loop = self.loops.loop_for(phi.block)
        assert loop is not None
        width = self.width_of(phi.type)
        step = ex.constant(width, split.offset)
        for value, factor in split.addends:
            part = self._resize(self.known(value), width)
            step = ex.add(step, ex.mul(ex.constant(width, factor), part))
        first = self.known(split.start)
        if not is_invariant(first, loop):
            return self._unknown(phi)
        if is_invariant(step, loop):
            flags, following = self._increment_flags(phi, split.increment)
            ex.add_rec([ex.add(first, step), step], loop, following)
            return ex.add_rec([first, step], loop, flags)
        if step.loop is loop:
            return ex.add_rec([first, *step.operands], loop)
        return self._unknown(phi)

    def _increment_flags(self, phi: BlockArgument, increment: OpResult | None) -> tuple[int, int]:
        """The wrap flags of a counter and of its incremented value.

        An overflowing increment is poison. This says nothing about other values with the same
        expression unless the program is then undefined. The increment of the last iteration may
        overflow without effect if only the counter is used, and it is not computed if the loop is left
        before.
        """
        own = overflow_flags(increment.op) if increment is not None else 0
        flags = own & (NUW | NSW)
        if not flags or increment is None:
            return 0, 0
        if poison_is_undefined(increment):
            return flags, flags if self._is_in_each_iteration(increment) else 0
        return (flags, 0) if poison_is_undefined(phi) else (0, 0)

    def _is_in_each_iteration(self, value: OpResult) -> bool:
        """Returns whether each iteration of the loop computes a value, even the last one."""
        block = value.op.parent
        loop = self.loops.loop_for(block)
        if block is None or loop is None:
            return False
        if block is loop.header:
            return not self._may_end_before(value.op)
        ends = (*loop.exiting_blocks(), *loop.latches())
        return all(self.tree.dominates(block, end) for end in ends) and reaches_latch_or_exit(
            self.func, self.loops, loop
        )

    @staticmethod
    def _may_end_before(op: Operation) -> bool:
        """Returns whether an op before `op` in its block may not return."""
        at = op.prev_op
        while at is not None:
            if effects(at) & MAY_NOT_RETURN:
                return True
            at = at.prev_op
        return False

    # Extensions by ranges.

    def zext(self, expression: Scev, width: int) -> Scev:
        """The expression zero-extended; recurrences that do not wrap are extended inside."""
        return self._extend(Kind.ZERO_EXTEND, expression, width)

    def sext(self, expression: Scev, width: int) -> Scev:
        """The expression sign-extended; recurrences that do not wrap are extended inside."""
        return self._extend(Kind.SIGN_EXTEND, expression, width)

    def _extend(self, kind: Kind, expression: Scev, width: int) -> Scev:
        ex = self.expressions
        is_signed = kind is Kind.SIGN_EXTEND
        if expression.width == width:
            return expression
        self._guesses += 1
        flag = NSW if is_signed else NUW
        if expression.flags & flag:
            return ex.sext(expression, width) if is_signed else ex.zext(expression, width)
        if expression.is_affine:
            key = (kind, expression, width)
            found = self.addrec_folds.get(key)
            if found is not None:
                self.hits["addrec_folds"] += 1
                return found
            self._prove_no_wrap(expression)
            found = ex.sext(expression, width) if is_signed else ex.zext(expression, width)
            if not self._counting and not self._proving:
                self.addrec_folds[key] = found
            return found
        if is_signed and expression.kind is not Kind.CONSTANT:
            simpler = self._simplify_sext(expression, width)
            if simpler is not None:
                return simpler
            range_ = self.range(expression, signed=True)
            if not range_.is_empty and range_.smin() >= 0:
                return ex.zext(expression, width)
        return ex.sext(expression, width) if is_signed else ex.zext(expression, width)

    def _simplify_sext(self, expression: Scev, width: int) -> Scev | None:
        """The alternative form that the knobs of sign extensions permit; None if there is none."""
        half = 1 << (expression.width - 1)
        if self.knobs.do_sign_ext_simplify and expression.kind is Kind.TRUNCATE:
            (whole,) = expression.operands
            range_ = self.range(whole, signed=True)
            if not range_.is_empty and -half <= range_.smin() and range_.smax() < half:
                return self._resize(whole, width)
        if self.knobs.do_sign_ext_expand and expression.kind is Kind.ADD:
            ranges = [self.range(o, signed=True) for o in expression.operands]
            if not any(r.is_empty for r in ranges):
                low, high = sum(r.smin() for r in ranges), sum(r.smax() for r in ranges)
                if -half <= low and high < half:
                    return self.expressions.add(*(self.sext(o, width) for o in expression.operands))
        return None

    # Ranges.

    def range(self, expression: Scev, *, signed: bool = False) -> ConstantRange:
        """The range of the expression; `signed` prefers ranges that are signed intervals."""
        table = self.signed_ranges if signed else self.unsigned_ranges
        found = table.get(expression)
        if found is not None:
            self.hits["signed_ranges" if signed else "unsigned_ranges"] += 1
            return found
        key = (expression, signed)
        found = self._guessed_ranges.get(key)
        if found is not None:
            self._guesses += 1
            return found
        guesses = self._guesses
        found = self._range(expression, signed)
        if self._is_guess(guesses):
            self._guessed_ranges[key] = found
        else:
            table[expression] = found
        return found

    def _range(self, at: Scev, signed: bool) -> ConstantRange:
        kind, width = at.kind, at.width
        if kind is Kind.CONSTANT:
            return ConstantRange.single(width, at.constant)
        if kind is Kind.UNKNOWN:
            value = at.value
            return ConstantRange.full(width) if value is None else self._range_of_source(value)
        if kind in (Kind.COULD_NOT_COMPUTE, Kind.VSCALE):
            return ConstantRange.full(max(width, 1))
        if kind is Kind.ADD_REC:
            return self._range_of_recurrence(at, signed)
        return combine(at, [self.range(o, signed=signed) for o in at.operands])

    def _range_of_source(self, value: SSAValue) -> ConstantRange:
        """Facts about a value without an expression."""
        width = self.width_of(value.type)
        if not integer_width(value.type):
            return ConstantRange.full(width)
        if isinstance(value, OpResult):
            return known_at_source(value.op, width, self._bounds).range
        return argument_range(self.func, value) or ConstantRange.full(width)

    def trailing_zeros(self, unknown: Scev) -> int:
        """The number of lowest bits of an unknown that are known to be 0."""
        value = unknown.value
        if isinstance(value, OpResult):
            return known_at_source(value.op, unknown.width, self._bounds).bits.trailing_zeros()
        return 0

    def _range_of_recurrence(self, at: Scev, signed: bool) -> ConstantRange:
        width = at.width
        found = ConstantRange.full(width)
        if not at.is_affine or at.loop is None:
            return found
        self._guesses += 1
        start = self.range(at.start, signed=signed)
        step = self.range(at.step, signed=True)
        if start.is_empty or step.is_empty:
            return ConstantRange.empty(width)
        most = None
        if (
            at.loop not in self._counting
            and len(self._counting) < MAX_COUNTED
            and self._nested_recurrences < MAX_COUNTED
        ):
            self._nested_recurrences += 1
            most = self.constant_max_backedge_taken_count(at.loop)
            self._nested_recurrences -= 1
        if most is not None:
            low, high = min(0, step.smin() * most), max(0, step.smax() * most)
            found = ConstantRange.interval(
                width, start.start + low, start.start + start.size - 1 + high
            )
        if at.flags & NUW:
            found = found.intersect(ConstantRange.interval(width, start.umin(), (1 << width) - 1))
        if at.flags & NSW:
            half = 1 << (width - 1)
            if step.smin() >= 0:
                found = found.intersect(ConstantRange.interval(width, start.smin(), half - 1))
            elif step.smax() <= 0:
                found = found.intersect(ConstantRange.interval(width, -half, start.smax()))
        return found

    # Verification.

    def verify(self, *, strict: bool | None = None, maps: bool | None = None) -> None:
        """`verify-scev`: recomputes the counts; raises AssertionError if they changed.

        Arguments:
            strict: `verify-scev-strict`: also compare if one of the two could not be computed.
            maps: `verify-scev-maps`: check the expressions of all values too.
                The defaults of both are the knobs.
        """
        strict = self.knobs.verify_scev_strict if strict is None else strict
        maps = self.knobs.verify_scev_maps if maps is None else maps
        fresh = self._fresh()
        others = {loop.header: loop for loop in fresh.loops.loops()}
        for loop, (count, _) in self.backedge_taken_counts.items():
            if count is None:
                continue
            other = others.get(loop.header)
            assert other is not None, "a loop that counts are kept of is gone"
            again = fresh.backedge_taken_count(other)
            unknown = self.could_not_compute is count, fresh.could_not_compute is again
            if any(unknown) and not strict:
                continue
            assert _structure(count) == _structure(again), (
                f"the backedge-taken count of the loop at %{loop.header.name_hint} "
                f"was {count}, is {again}"
            )
        # After too many failures the set of explored expressions depends on the order of the
        # queries.
        if maps and self.failures < self.knobs.max_expr_failures:
            for value, expression in self.value_exprs.items():
                again = fresh.get(value)
                assert _structure(expression) == _structure(again), (
                    f"the expression of {value} was {expression}, is {again}"
                )

    def _fresh(self) -> ScalarEvolution:
        tree = DominatorTree(self.func.regions[0])
        return ScalarEvolution(self.func, tree, LoopInfo(tree), self.knobs)


def _has_exact_step(op: Operation, parts: Sequence[Scev], found: Scev) -> bool:
    """Returns False if the step of a sum, product or shift may exceed its type: -2^30 and 2^30 do not
    wrap, but their difference does. That is unknown of most steps and factors that are not constant.

    Arguments:
        parts: the expressions of the operands, of which one at least is a recurrence.
        found: the expression of the result.
    """
    recurrences = [part for part in parts if part.loop is found.loop]
    if op.name == "llvm.add" and len(recurrences) == 1:
        return True
    steps = [part.step for part in recurrences if part.is_affine]
    factors = [part for part in parts if part.loop is not found.loop]
    if any(value.kind is not Kind.CONSTANT for value in steps):
        return False
    numbers = [value.signed for value in steps]
    if any(value.kind is not Kind.CONSTANT for value in factors):
        # The factor of a counter with step 1 is the step of the product.
        return numbers == [1]
    if op.name == "llvm.add":
        return sum(numbers) == found.step.signed
    for factor in factors:
        numbers.append(1 << factor.constant if op.name == "llvm.shl" else factor.signed)
    return prod(numbers) == found.step.signed


def _structure(expression: Scev) -> Hashable:
    """An expression in a form that is comparable across two analyses, without order and flags."""
    loop = expression.loop.header if expression.loop is not None else None
    parts = [_structure(o) for o in expression.operands]
    commutes = expression.kind not in (Kind.ADD_REC, Kind.UDIV, Kind.SEQUENTIAL_UMIN)
    ordered = frozenset(Counter(parts).items()) if commutes else tuple(parts)
    return (
        expression.kind,
        expression.width,
        expression.constant,
        id(expression.value),
        id(loop),
        ordered,
    )
