"""`loop-index-split`: splits a loop at the iterations in which a test of its counter changes.

All but one iteration (`processAllButOneIterationLoop`):

    for (i = 0; i < n; i++)               for (i = 0; i < min(5, n); i++) normal();
      if (i == 5) special();        ->    if (i < n) { special(); i++; }
      else normal();                      for (; i < n; i++) normal();

Only one iteration (`processOnlyOneIterationLoop`), if the others do nothing:

    for (i = 0; i < n; i++)
      if (i == 5) work();           ->    if (5 < n) work();

Two ranges (`processSplitRangeLoop`):

    for (i = 0; i < n; i++)               for (i = 0; i < min(5, n); i++) one();
      if (i < 5) one(); else two(); ->    for (; i < n; i++) two();

The forms are tried in the order one, all but one, ranges, because the first one removes the most of
the loop. The loop must have one exit, at its latch, and a counter that starts at a constant and is
incremented by one; the test must compare the counter with a constant. The final value is a
constant, or the bound of a comparison that does not overflow. Iterations keep their order and their
ops, so any ops are allowed except convergent ops, because threads may be in different iterations of
the loop before the split. Loops that `loop-unroll` would unroll are skipped, and so are large ones
and, for the two forms that copy the loop, outer ones.

(A pass of cicc, according to the documents: sub_2CC4A70, sub_2CC3FF0, sub_2CC5900; it is derived
from LLVM 2's LoopIndexSplit. The documents state no size limit: `index-split-threshold` is this
project's.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import AddOp, CondBrOp, FuncOp, ICmpOp, SelectOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.expressions import Kind
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.effects import CONVERGENT
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    integer_width,
    loop_annotation_of,
    predicate_of,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed, unsigned
from nvvm_xdsl.dialects.llvm.ops import SMinOp, UMinOp
from nvvm_xdsl.dialects.llvm.setters import set_loop_annotation
from nvvm_xdsl.dialects.llvm.types import I1, I64, int_attr
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.transforms.cfg import (
    remove_unreachable_blocks,
    replace_terminator,
    simplify_arguments,
)
from nvvm_xdsl.transforms.conditionals import fold_users
from nvvm_xdsl.transforms.loops import LoopCopier, redirect, split_edges
from nvvm_xdsl.transforms.thread_edges import BRANCHES_WITH_ARGUMENTS
from nvvm_xdsl.transforms.unroll import fold_single_entry_arguments

EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE = range(10)
_SWAPPED = {SLT: SGT, SLE: SGE, SGT: SLT, SGE: SLE, ULT: UGT, ULE: UGE, UGT: ULT, UGE: ULE}
_SIGNED = {ULT: SLT, ULE: SLE, UGT: SGT, UGE: SGE}
_MIN: dict[int, type[Operation]] = {SLT: SMinOp, ULT: UMinOp}

INDEX_SPLIT_THRESHOLD: Final = 100
UNROLLED: Final = 300
"""Maximum size, in ops, of a loop that `loop-unroll` unrolls."""

SPLIT = Statistic("loop-index-split", "split", "Number of loops split")


@dataclass(frozen=True)
class LoopIndexSplit(LoopPass):
    """Splits loops at the iterations in which tests of their counter change."""

    name = "loop-index-split"
    title = "LoopIndexSplit"
    # A split loop may be split again at another test.
    idempotent = False

    index_split_threshold: int = INDEX_SPLIT_THRESHOLD
    """Maximum number of ops of a loop that is copied."""

    unrolled: int = UNROLLED
    """Maximum size, in ops, up to which a loop is left to `loop-unroll`."""

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        facts = am.get(LoopFacts, func)
        if not facts.is_simplified(loop) or not facts.is_lcssa(loop):
            return False
        if facts.why_not_copied(loop) is not None or facts.effects(loop) & CONVERGENT:
            return False
        exiting = facts.exiting_blocks(loop)
        counter = _counter_of(loop, exiting, am.get(ScalarEvolution, func))
        if counter is None:
            return False
        ops = [op for block in loop.blocks for op in fast.ops_of(block)]
        tests = [test for op in ops if (test := _test_of(op, counter)) is not None]
        if not tests:
            return False
        splitter = _Splitter(loop, func, counter)
        for test in tests:
            if test.is_one_round and splitter.is_only_one(test, am.get(DominatorTree, func)):
                return self._did("processOnlyOneIterationLoop", splitter, test)
        size = len(ops)
        rounds = counter.rounds
        if not loop.is_innermost() or size > self.index_split_threshold:
            return False
        if rounds is not None and rounds * size <= self.unrolled:
            return False
        tests.sort(key=lambda test: not test.is_one_round)
        kind = "processAllButOneIterationLoop" if tests[0].is_one_round else "processSplitRangeLoop"
        return self._did(kind, splitter, tests[0])

    def _did(self, kind: str, splitter: _Splitter, test: _Test) -> bool:
        func = splitter.func
        where = splitter.loop.header.first_op
        if kind == "processOnlyOneIterationLoop":
            splitter.keep_one(test)
        elif test.is_one_round:
            splitter.split_off(test)
        else:
            splitter.split(test)
        SPLIT.add()
        if remarks.wanted():
            remarks.emit(
                "Passed", self.name, "LoopIndexSplit", symbol_name(func) or "",
                f"performed {kind}", op=where,
            )  # fmt: skip
        return True


@dataclass(frozen=True)
class _Counter:
    """A loop's counter, incremented by one from a constant, and the test that ends the loop.

    The loop continues while the next value of the counter is below `end`, according to `predicate`;
    both may be absent if `rounds`, the trip count, is known.
    """

    argument: BlockArgument
    following: SSAValue
    width: int
    start: int
    rounds: int | None
    predicate: int
    end: SSAValue | None


@dataclass(frozen=True)
class _Test:
    """A comparison of the counter: its result is `before` while the counter is below `at`, and the
    opposite then.

    With `is_one_round` its result is `before` except in the iteration `at`.
    """

    op: Operation
    at: int
    before: bool
    is_one_round: bool


def _counter_of(loop: Loop, exiting: list[Block], se: ScalarEvolution) -> _Counter | None:
    if exiting != [loop.latch()]:
        return None
    last = branches.terminator_of(exiting[0])
    condition = fast.operands_of(last)[0] if type(last) is CondBrOp else None
    if not isinstance(condition, OpResult) or type(condition.op) is not ICmpOp:
        return None
    predicate = predicate_of(condition.op)
    a, b = fast.operands_of(condition.op)
    if loop.defines(b):
        a, b, predicate = b, a, _SWAPPED.get(predicate, predicate)
    if not isinstance(a, OpResult) or type(a.op) is not AddOp or loop.defines(b):
        return None
    base, step = fast.operands_of(a.op)
    if not isinstance(base, BlockArgument) or base.block is not loop.header:
        return None
    (again,) = [v for target, v in branches.edges_of(last) if target is loop.header]
    if constant_integer(step) != 1 or again[base.index] is not a:
        return None
    # Checked first, because the rest takes longer and most counters are not compared.
    if not any(type(user) is ICmpOp for user in fast.users_of(base)):
        return None
    recurrence = se.get(base)
    if recurrence.kind is not Kind.ADD_REC or recurrence.loop is not loop:
        return None
    if recurrence.start.kind is not Kind.CONSTANT:
        return None
    rounds = se.trip_count(loop)
    end: SSAValue | None = None
    flags = overflow_flags(a.op)
    stays = fast.successors_of(last)[0] is loop.header
    if stays and ((predicate == SLT and flags & NSW) or (predicate == ULT and flags & NUW)):
        end = b
    if end is None and rounds is None:
        return None
    start = recurrence.start.signed
    return _Counter(base, a, integer_width(a.type), start, rounds, predicate, end)


def _test_of(op: Operation, counter: _Counter) -> _Test | None:
    """The op as a comparison whose result changes while the counter runs; None for other ops."""
    if type(op) is not ICmpOp:
        return None
    predicate = predicate_of(op)
    a, b = fast.operands_of(op)
    if b is counter.argument:
        a, b, predicate = b, a, _SWAPPED.get(predicate, predicate)
    bound = constant_integer(b)
    if a is not counter.argument or bound is None or not _decides(op):
        return None
    width = counter.width
    half, full = 1 << (width - 1), 1 << width
    is_signed = predicate in (SLT, SLE, SGT, SGE)
    if predicate in (EQ, NE):
        is_signed = counter.predicate == SLT
    elif counter.rounds is None and is_signed != (counter.predicate == SLT):
        if is_signed or signed(counter.start, width) < 0:
            return None
        # The counter is not negative, and the result changes at no negative number.
        predicate, is_signed = _SIGNED[predicate], True
    read = signed if is_signed else unsigned
    start, at = read(counter.start, width), read(bound, width)
    limit = half if is_signed else full
    if predicate in (SLE, ULE, SGT, UGT):
        at += 1
    last = limit - 1 if counter.rounds is None else start + counter.rounds - 1
    if last >= limit:
        return None
    is_one_round = predicate in (EQ, NE)
    # An invariant test needs no split.
    if not (start <= at if is_one_round else start < at) or at > last:
        return None
    before = predicate in (NE, SLT, SLE, ULT, ULE)
    return _Test(op, at, before, is_one_round)


def _decides(op: Operation) -> bool:
    """Whether the comparison is the condition of a branch or select."""
    return any(
        isinstance(user, (CondBrOp, SelectOp)) and index == 0
        for user, index in fast.uses_of(op.results[0])
    )


class _Splitter:
    """Splits one loop."""

    def __init__(self, loop: Loop, func: FuncOp, counter: _Counter) -> None:
        preheader, latch = loop.preheader(), loop.latch()
        assert preheader is not None
        assert latch is not None
        self.loop = loop
        self.func = func
        self.counter = counter
        self.preheader = preheader
        self.latch = latch
        self.constants = Constants(func)
        last = branches.terminator_of(latch)
        ((self.exit, self.brought),) = [
            edge for edge in branches.edges_of(last) if edge[0] is not loop.header
        ]

    # Only one iteration.

    def is_only_one(self, test: _Test, tree: DominatorTree) -> bool:
        """Whether the loop has effects only in the iteration that the test selects."""
        if len(self.loop.header.args) != 1 or any(map(self.loop.defines, self.brought)):
            return False
        picked = self._picked_block(test)
        if picked is None:
            return False
        return (
            all(
                op.name in BRANCHES_WITH_ARGUMENTS
                or is_removable(op)
                or tree.dominates(picked, block)
                for block in self.loop.blocks
                for op in fast.ops_of(block)
            )
            and not self.loop.subloops
        )

    def _picked_block(self, test: _Test) -> Block | None:
        """The block that is only reached in the selected iteration."""
        for user in fast.users_of(test.op.results[0]):
            if type(user) is CondBrOp:
                target = fast.successors_of(user)[int(test.before)]
                if fast.single_predecessor(target) is user.parent:
                    return target
        return None

    def keep_one(self, test: _Test) -> None:
        """Keeps only the iteration that the test selects, if the loop reaches it."""
        loop, counter = self.loop, self.counter
        copier = LoopCopier(self.func, loop)
        blocks, mapping = copier.copy(self.preheader)
        first = blocks[loop.header]
        self._decide(mapping[test.op.results[0]], not test.before)
        end = branches.terminator_of(blocks[self.latch])
        replace_terminator(end, branches.branch(self.exit, self.brought))
        number = self._number(test.at)
        entry = branches.terminator_of(self.preheader)
        start = (signed if counter.predicate == SLT else unsigned)(counter.start, counter.width)
        if counter.rounds is not None or test.at == start:
            new: Operation = branches.branch(first, (number,))
        else:
            assert counter.end is not None
            comes = self._compare(counter.predicate, number, counter.end, entry)
            new = branches.conditional_branch(comes, first, (number,), self.exit, self.brought)
        replace_terminator(entry, new)
        fold_single_entry_arguments(first)
        self._finish(blocks.values())

    # All but one iteration.

    def split_off(self, test: _Test) -> None:
        """Splits off the iteration that the test selects."""
        read = signed if self.counter.predicate == SLT else unsigned
        made: list[Block] = []
        if test.at != read(self.counter.start, self.counter.width):
            made += self._run_before(test)
        home = test.op.parent
        assert home is not None
        place = [*fast.ops_of(home)].index(test.op)
        blocks = LoopCopier(self.func, self.loop).peel()
        made += blocks.values()
        fold_single_entry_arguments(blocks[self.loop.header])
        copied = [*fast.ops_of(blocks[home])][place]
        self._decide(copied.results[0], not test.before)
        self._decide(test.op.results[0], test.before)
        self._finish(made)

    # Two ranges.

    def split(self, test: _Test) -> None:
        """Runs the iterations before the test changes in a separate loop."""
        made = self._run_before(test)
        self._decide(test.op.results[0], not test.before)
        self._finish(made)

    def _run_before(self, test: _Test) -> list[Block]:
        """Inserts a copy of the loop before it that runs until the test changes.

        Returns the copy's blocks, in which the test is decided.
        """
        loop, counter = self.loop, self.counter
        blocks, mapping = LoopCopier(self.func, loop).copy(self.preheader)
        header, latch = blocks[loop.header], blocks[self.latch]
        redirect(self.preheader, loop.header, header)
        self._decide(mapping[test.op.results[0]], test.before)
        last = branches.terminator_of(latch)
        annotation = loop_annotation_of(last)
        edges = branches.edges_of(last)
        (again,) = [values for target, values in edges if target is header]
        (leaving,) = [values for target, values in edges if target is self.exit]
        following = mapping[counter.following]
        number = self._number(test.at)
        # The initial value of the counter in the remaining loop is known.
        onward = tuple(number if v is following else v for v in again)
        if counter.rounds is not None:
            more = self._compare(NE, following, number, last)
            new = branches.conditional_branch(more, header, again, loop.header, onward)
        else:
            assert counter.end is not None
            entry = branches.terminator_of(self.preheader)
            bound = fast.create(_MIN[counter.predicate], (number, counter.end), (counter.end.type,))
            fast.insert_before(bound, entry)
            between = fast.new_block()
            fast.insert_block_after(between, latch)
            more = self._compare(counter.predicate, following, bound.results[0], last)
            new = branches.conditional_branch(more, header, again, between, ())
            rest = fast.create(
                ICmpOp, (following, counter.end), (I1,), self._predicate(counter.predicate)
            )
            fast.append(between, rest)
            fast.append(
                between,
                branches.conditional_branch(
                    rest.results[0], loop.header, onward, self.exit, leaving
                ),
            )
        replace_terminator(last, new)
        if annotation is not None:
            set_loop_annotation(new, annotation)
        simplify_arguments(split_edges(loop.header, loop.entering_blocks()))
        return list(blocks.values())

    # Common parts.

    def _number(self, number: int) -> SSAValue:
        type_ = self.counter.argument.type
        return self.constants.integer(signed(number, self.counter.width), type_)

    def _predicate(self, predicate: int) -> dict[str, Attribute]:
        return {"predicate": int_attr(predicate, I64)}

    def _compare(self, predicate: int, a: SSAValue, b: SSAValue, before: Operation) -> SSAValue:
        op = fast.create(ICmpOp, (a, b), (I1,), self._predicate(predicate))
        fast.insert_before(op, before)
        return op.results[0]

    def _decide(self, value: SSAValue, truth: bool) -> None:
        fast.replace_all_uses(value, self.constants.integer(int(truth), I1))
        fast.erase(fast.producer_of(value))

    def _finish(self, made: Iterable[Block]) -> None:
        """Folds known values, and restores the loop's exit to be its only one."""
        blocks = [*made, *self.loop.blocks]
        fold_users([op for block in blocks for op in fast.ops_of(block)], self.constants)
        remove_unreachable_blocks(self.func.regions[0])
        if self.latch.parent is not None:
            if self.loop.preheader() is None:
                split_edges(self.loop.header, self.loop.entering_blocks())
            before = dict.fromkeys(fast.predecessors_of(self.exit))
            if self.latch in before and len(before) > 1:
                split_edges(self.exit, [self.latch])
