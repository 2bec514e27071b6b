"""`indvars`: reduces the number and width of a loop's counters, and decides comparisons.

    llvm.br ^loop(%c0, %n : i64, i64)               llvm.br ^loop(%c0 : i32)
  ^loop(%i: i64, %left: i64):                     ^loop(%i: i32):
    %s = llvm.icmp "slt" %i, %c0 : i64              %w = llvm.zext %i : i32 to i64
    %x = llvm.select %s, %y, %i : i1, i64    ->     ... %w ...
    ... %x ...                                      %m = llvm.add %i, %c1 : i32
    %m = llvm.add %i, %c1 : i64                     %c = llvm.icmp "ne" %m, %n32 : i32
    %k = llvm.add %left, %c-1 : i64                 llvm.cond_br %c, ^loop(%m : i32), ^exit
    %c = llvm.icmp "sgt" %left, %c1 : i64
    llvm.cond_br %c, ^loop(%m, %k : i64, i64), ^exit

In this order, by ScalarEvolution's formulas:

  - Comparisons that the ranges of their operands decide are replaced with constants; signed
    division of non-negative values becomes unsigned.
  - Of several values with one formula the header's argument stays, extensions of it included.
  - Exit values are computed in the preheader if that is cheap (`replexitval`), so that the loop
    need not compute them.
  - The test at the loop's end compares a counter for inequality with where it ends (linear function
    test replacement, `disable-lftr`), where the counter that it compared before has no other use.
  - 64-bit counters whose values fit in 32 bits are narrowed (NVIDIA's demotion, `remat-iv`): a
    64-bit addition or comparison takes two machine instructions, and a widening multiplication for
    an address takes 32-bit operands directly. Steps are constants, or values extended outside the
    loop, such as the size of a block. Counters are never widened for the sake of an extension.
  - Counters go that nothing reads but themselves.

(LLVM's IndVarSimplify.cpp; the sister's loop passes, sub_1945A50, and its demotion of induction
variables, sub_1CD74B0.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import (
    AddOp,
    CondBrOp,
    FuncOp,
    ICmpOp,
    SDivOp,
    SExtOp,
    SRemOp,
    TruncOp,
    UDivOp,
    URemOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.scev.expressions import NW, Kind, Scev, is_invariant
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_expression, is_removable
from nvvm_xdsl.analysis.values.constant_range import EQ, INVERSE, NE
from nvvm_xdsl.analysis.values.poison import is_never_poison
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import I32, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.conditionals import erase_dead
from nvvm_xdsl.transforms.scev_expander import Expander

SCEV_CHEAP_EXPANSION_BUDGET: Final = 4
"""LLVM's default."""
MAX_VALUES_VISITED: Final = 64
"""Maximum number of users of a value that are examined; with more, the loop is assumed to need
it."""
FULL_DEMOTION: Final = 4
"""The sister's default level of `remat-iv`."""
NEVER, CHEAP, ALWAYS = "never", "cheap", "always"

WIDE, NARROW = 64, 32

_UNSIGNED: Final[dict[type[Operation], type[Operation]]] = {
    SDivOp: UDivOp,
    SRemOp: URemOp,
}

DECIDED = Statistic("indvars", "decided", "Number of comparisons decided")
CONGRUENT = Statistic("indvars", "congruent", "Number of values replaced by a counter")
EXIT_VALUES = Statistic("indvars", "exit-values", "Number of values computed in front of a loop")
TESTS = Statistic("indvars", "tests", "Number of tests that compare another counter")
NARROWED = Statistic("indvars", "narrowed", "Number of counters narrowed to 32 bits")
ERASED = Statistic("indvars", "erased", "Number of counters erased")


@dataclass(frozen=True)
class IndVarSimplify(LoopPass):
    """Reduces the number and width of induction variables, and decides comparisons."""

    name = "indvars"
    title = "IndVarSimplify"

    replexitval: str = CHEAP
    """Whether exit values are computed before the loop: never, if cheap, always."""

    disable_lftr: bool = False
    """Keep the exit tests of loops."""

    disable_unknown_trip_iv: bool = False
    """Skip loops with an unknown trip count."""

    iv_loop_level: int = 0
    """Maximum nesting depth of loops that are processed; 0: any. The sister's is 1."""

    remat_iv: int = FULL_DEMOTION
    """Level of narrowing of counters to 32 bits; 0 disables it."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        if self.iv_loop_level and loop.depth > self.iv_loop_level:
            return False
        if loop.preheader() is None or loop.latch() is None:
            return False
        se = am.get(ScalarEvolution, func)
        if self.disable_unknown_trip_iv and (se.backedge_taken_count(loop) is se.could_not_compute):
            return False
        work = _LoopSimplifier(loop, func, se)
        changed = work.decide_comparisons()
        changed |= work.replace_congruent_values()
        if self.replexitval != NEVER:
            budget = None if self.replexitval == ALWAYS else SCEV_CHEAP_EXPANSION_BUDGET
            changed |= work.replace_exit_values(budget)
        if not self.disable_lftr:
            changed |= work.replace_test()
        changed |= work.erase_dead_counters()
        if self.remat_iv:
            changed |= work.narrow_counters()
        return changed


class _LoopSimplifier:
    """Simplifies the induction variables of a loop with a preheader and one latch."""

    def __init__(self, loop: Loop, func: FuncOp, se: ScalarEvolution) -> None:
        self.loop = loop
        self.se = se
        self.constants = Constants(func)
        self.expander = Expander(se, self.constants)
        latch, preheader = loop.latch(), loop.preheader()
        assert latch is not None
        assert preheader is not None
        self.latch: Block = latch
        self.preheader: Block = preheader

    def _own_ops(self) -> list[Operation]:
        """The loop's ops, without those of inner loops, which were visited with them."""
        inner = {block for loop in self.loop.subloops for block in loop.blocks}
        return [op for b in self.loop.blocks if b not in inner for op in fast.ops_of(b)]

    def _starts(self) -> tuple[SSAValue, ...]:
        return branches.edges_of(branches.terminator_of(self.preheader))[0][1]

    def _again(self) -> tuple[SSAValue, ...]:
        """The next value of each argument of the header."""
        edges = branches.edges_of(branches.terminator_of(self.latch))
        return next(values for target, values in edges if target is self.loop.header)

    # What counters decide.

    def decide_comparisons(self) -> bool:
        """Replaces comparisons that the ranges of their operands decide."""
        se, changed = self.se, False
        exits = {branches.terminator_of(b) for b in self.loop.exiting_blocks()}
        for op in self._own_ops():
            if op.__class__ in _UNSIGNED:
                changed |= self._make_unsigned(op)
            if not isinstance(op, ICmpOp):
                continue
            a, b = fast.operands_of(op)
            if not se.width_of(a.type) or op.results[0].first_use is None:
                continue
            # The trip counts of the loop depend on its own tests.
            if any(user in exits for user in fast.users_of(op.results[0])):
                continue
            left, right = se.get(a), se.get(b)
            predicate = predicate_of(op)
            for wanted, value in ((predicate, True), (INVERSE[predicate], False)):
                if se.is_known(wanted, left, right) or (
                    is_invariant(left, self.loop)
                    and is_invariant(right, self.loop)
                    and se.is_guarded(self.loop, wanted, left, right)
                ):
                    fast.replace_all_uses(op.results[0], self.constants.boolean(value))
                    fast.erase(op)
                    DECIDED.add()
                    changed = True
                    break
        return changed

    def _make_unsigned(self, op: Operation) -> bool:
        for value in fast.operands_of(op):
            if not self.se.width_of(value.type):
                return False
            range_ = self.se.range(self.se.get(value), signed=True)
            if range_.is_empty or range_.smin() < 0:
                return False
        new = fast.create(
            _UNSIGNED[op.__class__], fast.operands_of(op), [op.results[0].type],
            dict(op.properties), location=op.location,
        )  # fmt: skip
        fast.insert_before(new, op)
        fast.replace_op(op, new.results)
        return True

    # Values with equal formulas.

    def replace_congruent_values(self) -> bool:
        """Replaces values with the formula of a header argument by that argument."""
        se, changed = self.se, False
        header = self.loop.header
        known: dict[tuple[Scev, object], BlockArgument] = {}
        again, starts = self._again(), self._starts()
        for argument in header.args:
            if not integer_width(argument.type):
                continue
            found = se.get(argument)
            if not found.is_affine or found.loop is not self.loop:
                continue
            # An expression does not determine which values are poison.
            if found.step.kind is not Kind.CONSTANT or not _is_defined(starts[argument.index]):
                continue
            kept = known.setdefault((found, argument.type), argument)
            if kept is not argument and argument.first_use is not None:
                self._drop_unproved_flags(again[kept.index], kept)
                fast.replace_all_uses(argument, kept)
                CONGRUENT.add()
                changed = True
        for op in self._own_ops():
            if op.__class__ not in (SExtOp, ZExtOp, AddOp) or op.results[0].first_use is None:
                continue
            result = op.results[0]
            if not integer_width(result.type):
                continue
            argument = known.get((se.get(result), result.type))
            if argument is not None and again[argument.index] is not result:
                self._drop_unproved_flags(again[argument.index], argument)
                fast.replace_all_uses(result, argument)
                fast.erase(op)
                CONGRUENT.add()
                changed = True
        return changed

    def _drop_unproved_flags(self, value: SSAValue, used: SSAValue) -> None:
        """Removes flags of an increment that are not proved for the used values of the counter."""
        if not isinstance(value, OpResult) or value.op.name not in ("llvm.add", "llvm.sub"):
            return
        own = overflow_flags(value.op)
        proved = self.se.get(used).flags | self._flags_of_range(value)
        kept = own & proved & (NSW | NUW)
        if kept != own:
            value.op.properties["overflowFlags"] = int_attr(kept, I32)

    def _flags_of_range(self, increment: SSAValue) -> int:
        """The no-wrap flags of an increment by a positive constant that follow from the range of
        its counter."""
        following = self.se.get(increment)
        if not following.is_affine or following.step.kind is not Kind.CONSTANT:
            return 0
        step, width = following.step.signed, following.width
        if step <= 0:
            return 0
        before = self.se.expressions.sub(following, following.step)
        unsigned, signed = self.se.range(before), self.se.range(before, signed=True)
        found = 0
        if not unsigned.is_empty and unsigned.umax() + step < 1 << width:
            found |= NUW
        if not signed.is_empty and signed.smax() + step < 1 << (width - 1):
            found |= NSW
        return found

    # The remaining loop.

    def replace_exit_values(self, budget: int | None) -> bool:
        """Replaces exit values that can be computed before the loop."""
        se, loop = self.se, self.loop
        exits = loop.exit_edges()
        if len(exits) != 1 or se.backedge_taken_count(loop) is se.could_not_compute:
            return False
        ((source, target),) = exits
        terminator = branches.terminator_of(source)
        edges = branches.edges_of(terminator)
        changed = False
        replaced: dict[SSAValue, SSAValue] = {}
        for place, values in edges:
            if place is not target:
                continue
            for value in dict.fromkeys(values):
                new = self._exit_value(value, budget)
                if new is not None:
                    replaced[value] = new
        if replaced:
            branches.set_edges(
                terminator,
                [
                    (b, tuple(replaced.get(v, v) for v in values) if b is target else values)
                    for b, values in edges
                ],
            )
            EXIT_VALUES.add(len(replaced))
            changed = True
        return changed

    def _exit_value(self, value: SSAValue, budget: int | None) -> SSAValue | None:
        if not integer_width(value.type) or self.loop.is_invariant(value):
            return None
        found = self.se.at_exit(value, self.loop)
        if found is self.se.could_not_compute:
            return None
        cost = self.expander.cost(found, self.preheader)
        if cost is None or (budget is not None and cost > budget):
            return None
        # The loop computes the value anyway, at no additional cost.
        if cost and budget is not None and self._is_needed(value):
            return None
        return self.expander.expand(found, branches.terminator_of(self.preheader))

    def _is_needed(self, value: SSAValue) -> bool:
        """Whether the loop would not compute the value without its uses after the loop.

        It is needed by a branch, a memory access or another op that is not an expression, also
        through values that are computed from it. A recurrence that only feeds itself is not needed.
        """
        visited: set[SSAValue] = {value}
        pending = [value]
        while pending:
            if len(visited) > MAX_VALUES_VISITED:
                return True
            at = pending.pop()
            users: list[SSAValue] = []
            for user, index in fast.uses_of(at):
                block = user.parent
                if block is None or not self.loop.contains(block):
                    continue
                if fast.successors_of(user):
                    if index == 0 and user.name != "llvm.br":
                        return True
                    users += [
                        target.args[place]
                        for target, values in branches.edges_of(user)
                        if self.loop.contains(target)
                        for place, brought in enumerate(values)
                        if brought is at
                    ]
                elif is_expression(user):
                    users += user.results
                else:
                    return True
            pending += [v for v in users if v not in visited]
            visited.update(users)
        return False

    # The exit test.

    def replace_test(self) -> bool:
        """Replaces the exit test by an inequality of a needed counter and its final value."""
        se, loop, latch = self.se, self.loop, self.latch
        terminator = branches.terminator_of(latch)
        if terminator.__class__ is not CondBrOp:
            return False
        targets = fast.successors_of(terminator)
        if loop.contains(targets[0]) == loop.contains(targets[1]):
            return False
        condition = fast.operands_of(terminator)[0]
        if not isinstance(condition, OpResult) or not isinstance(condition.op, ICmpOp):
            return False
        taken = se.exit_limit(loop, latch).exact
        if taken is se.could_not_compute:
            return False
        compared = self._counter_of(condition.op)
        if compared is not None and not self._is_only_for_test(compared, condition.op):
            return False
        found = self._best_counter(taken, compared)
        if found is None or found[0] is compared:
            return False
        counter, limit = found
        following = self._again()[counter.index]
        bound = self.expander.expand(limit, branches.terminator_of(self.preheader))
        self._drop_unproved_flags(following, following)
        builder = Builder(terminator, self.constants)
        stays = loop.contains(targets[0])
        test = builder.compare(NE if stays else EQ, following, bound)
        fast.set_operand(terminator, 0, test)
        if condition.first_use is None:
            fast.erase(condition.op)
        TESTS.add()
        return True

    def _counter_of(self, comparison: ICmpOp) -> BlockArgument | None:
        """The header argument in a comparison with a loop-invariant value."""
        again = self._again()
        for value in fast.operands_of(comparison):
            for argument in self.loop.header.args:
                if value is argument or value is again[argument.index]:
                    return argument
        return None

    def _is_only_for_test(self, counter: BlockArgument, test: ICmpOp) -> bool:
        """Whether a counter would be dead without a test."""
        following = self._again()[counter.index]
        allowed: set[object] = {test, following.owner, branches.terminator_of(self.latch)}
        own_place = [
            index
            for index, value in enumerate(fast.operands_of(branches.terminator_of(self.latch)))
            if value in (counter, following)
        ]
        return len(own_place) == 1 and all(
            user in allowed for value in (counter, following) for user in fast.users_of(value)
        )

    def _best_counter(
        self, taken: Scev, compared: BlockArgument | None
    ) -> tuple[BlockArgument, Scev] | None:
        """A counter that has a different value in each iteration, and its value after the last
        iteration.
        """
        se = self.se
        starts, again = self._starts(), self._again()
        best: tuple[int, BlockArgument, Scev] | None = None
        for argument in self.loop.header.args:
            if argument is compared or integer_width(argument.type) != taken.width:
                continue
            at = se.get(argument)
            if not at.is_affine or at.loop is not self.loop or at.step.kind is not Kind.CONSTANT:
                continue
            if at.step.constant % 2 == 0 and not at.flags & NW:
                continue
            following = again[argument.index]
            if following is argument or self.loop.is_invariant(following):
                continue
            # A branch on a value that was not poison before would become undefined.
            start = starts[argument.index]
            if not _is_defined(start):
                continue
            limit = se.at_exit_of(following, self.loop, taken)
            if limit is se.could_not_compute:
                continue
            cost = self.expander.cost(limit, self.preheader)
            if cost is None or cost > SCEV_CHEAP_EXPANSION_BUDGET:
                continue
            if best is None or cost < best[0]:
                best = cost, argument, limit
        return None if best is None else best[1:]

    # Dead counters.

    def erase_dead_counters(self) -> bool:
        """Erases header arguments that only feed their own next value."""
        header = self.loop.header
        again = self._again()
        readers = {argument.index: self._dead_readers(argument) for argument in header.args}
        doomed = [index for index, found in readers.items() if found is not None]
        if not doomed:
            return False
        behind = [again[index] for index in doomed]
        # Their users are unused, so all of them are erased: a remaining load would read from a
        # poison address.
        dead = [op for index in doomed for op in readers[index] or ()]
        for index in doomed:
            argument = header.args[index]
            fast.replace_all_uses(argument, self.constants.poison(argument.type))
        branches.erase_arguments(header, doomed)
        for op in reversed(dead):
            for result in op.results:
                erase_dead(result)
        for value in behind:
            erase_dead(value)
        ERASED.add(len(doomed))
        return True

    def _dead_readers(self, argument: BlockArgument) -> list[Operation] | None:
        """The ops between an argument and its next value, if all are removable and have no other
        users; else None."""
        latch = branches.terminator_of(self.latch)
        work: list[SSAValue] = [argument]
        seen: set[SSAValue] = {argument}
        readers: list[Operation] = []
        while work:
            value = work.pop()
            for user, index in fast.uses_of(value):
                if user is latch:
                    place = branches.argument_behind(latch, index)
                    if place is not argument:
                        return None
                elif not is_removable(user) or len(seen) > MAX_CYCLE:
                    return None
                else:
                    readers.append(user)
                    for result in user.results:
                        if result not in seen:
                            seen.add(result)
                            work.append(result)
        return readers

    # Width.

    def narrow_counters(self) -> bool:
        """Narrows 64-bit counters to 32 bits if their values fit."""
        changed = False
        for argument in list(self.loop.header.args):
            if argument.type is I64:
                changed |= self._narrow(argument)
        return changed

    def _narrow(self, argument: BlockArgument) -> bool:
        se, header = self.se, self.loop.header
        at = se.get(argument)
        if not at.is_affine or at.loop is not self.loop:
            return False
        following = self._again()[argument.index]
        if not isinstance(following, OpResult) or following.op.__class__ is not AddOp:
            return False
        if argument not in fast.operands_of(following.op):
            return False
        step = self._narrow_step(at.step, argument, following.op)
        if step is None:
            return False
        before, after = se.range(at, signed=True), se.range(se.get(following), signed=True)
        by = se.range(at.step, signed=True)
        half = 1 << (NARROW - 1)
        if before.is_empty or after.is_empty or by.is_empty:
            return False
        # A step beyond would be another number in fewer bits.
        ranges = (before, after, by)
        if any(range_.smin() < -half or range_.smax() >= half for range_ in ranges):
            return False
        start = self._starts()[argument.index]
        entry = branches.terminator_of(self.preheader)
        number = constant_integer(start)
        if number is not None:
            narrow_start = self.constants.integer(number, I32)
        else:
            narrow_start = _extended(start)
        if narrow_start is None:
            narrow_start = Builder(entry, self.constants).value(TruncOp, (start,), I32)
        is_positive = min(before.smin(), after.smin()) >= 0
        narrow = fast.add_argument(header, I32)
        fast.set_name(narrow, argument.name_hint)
        latch = branches.terminator_of(self.latch)
        flags = NSW | (NUW if is_positive and by.smin() >= 0 else 0)
        properties: dict[str, Attribute] = {"overflowFlags": int_attr(flags, I32)}
        increment = fast.create(
            AddOp, (narrow, step), (I32,), properties, location=following.op.location
        )
        fast.insert_before(increment, following.op)
        for terminator, value in ((entry, narrow_start), (latch, increment.results[0])):
            branches.set_edges(
                terminator,
                [
                    (b, (*values, value) if b is header else values)
                    for b, values in branches.edges_of(terminator)
                ],
            )
        cls = ZExtOp if is_positive else SExtOp
        wide = fast.create(cls, (narrow,), (I64,))
        first = header.first_op
        assert first is not None
        fast.insert_before(wide, first)
        wide_following = fast.create(cls, (increment.results[0],), (I64,))
        fast.insert_before(wide_following, following.op)
        self._use_instead(argument, wide.results[0], following, wide_following.results[0], latch)
        NARROWED.add()
        return True

    def _narrow_step(
        self, step: Scev, argument: BlockArgument, increment: Operation
    ) -> SSAValue | None:
        """The step of a counter, in 32 bits: a constant, or a value extended outside the loop."""
        if step.kind is Kind.CONSTANT:
            return self.constants.integer(step.signed, I32)
        others = [v for v in fast.operands_of(increment) if v is not argument]
        found = _extended(others[0]) if len(others) == 1 else None
        return found if found is not None and self.loop.is_invariant(found) else None

    def _use_instead(
        self,
        argument: BlockArgument,
        wide: SSAValue,
        following: OpResult,
        wide_following: SSAValue,
        latch: Operation,
    ) -> None:
        """Replaces uses of a counter and its increment by extensions of the narrow ones; both are
        erased."""
        branches.set_edges(
            latch,
            [
                (
                    b,
                    tuple(
                        argument if n == argument.index and b is argument.block else v
                        for n, v in enumerate(values)
                    ),
                )
                for b, values in branches.edges_of(latch)
            ],
        )
        fast.replace_all_uses(following, wide_following)
        fast.erase(following.op)
        fast.replace_all_uses(argument, wide)
        branches.erase_arguments(argument.block, [argument.index])


MAX_CYCLE: Final = 64
"""Maximum number of ops between a header argument and its next value; with more ops the argument is
kept.
"""


def _is_defined(value: SSAValue) -> bool:
    return constant_integer(value) is not None or is_never_poison(value)


def _extended(value: SSAValue) -> SSAValue | None:
    """The 32-bit value that a value extends."""
    if not isinstance(value, OpResult) or value.op.__class__ not in (SExtOp, ZExtOp):
        return None
    (source,) = fast.operands_of(value.op)
    return source if source.type is I32 else None
