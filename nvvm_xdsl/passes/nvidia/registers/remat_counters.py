"""Narrows 64-bit loop counters that fit in 32 bits (a step of `remat`).

    ^loop(%i: i64):                                 ^loop(%demoteIV: i32):
      %g = llvm.getelementptr %p[%i]                  %substIV = llvm.sext %demoteIV : i32 to i64
      ...                                      ->     %g = llvm.getelementptr %p[%substIV]
      %next = llvm.add %i, %one : i64                 ...
      %more = llvm.icmp "slt" %next, %c100            %newBaseIV = llvm.add %demoteIV, %one : i32
                                                      %more = llvm.icmp "slt" %newBaseIV, %c100

Two registers become one, an addition or comparison takes one instruction instead of two, and
addresses are computed by one widening multiplication. The values of all iterations must fit in 32
bits, according to ScalarEvolution's ranges; the value that ends the loop may exceed 32 bits and is
then compared in 64 bits.

The level of `remat-iv` determines the permitted uses of a counter: arithmetic in the loop's header
from 1 on, comparisons from 2, addresses and uses in other blocks from 3, and all others, such as
branches that pass the counter to other blocks, from 4. The page's level 5 demotes counters whose
range is not proved with a margin; a proof needs no margin here, so 5 equals 4.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.llvm import AddOp, FuncOp, GEPOp, ICmpOp, MulOp, SExtOp, ShlOp, SubOp, TruncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.expressions import Kind
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import I32, I64
from nvvm_xdsl.ir import fast

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1

_UNSIGNED = range(6, 10)
"""Unsigned predicates."""


_ARITHMETIC, _COMPARED, _ADDRESSES, _ANY = 1, 2, 3, 4
"""The level of `remat-iv` from which each kind of use is allowed."""

_ARITHMETIC_CLASSES = frozenset({AddOp, SubOp, MulOp, ShlOp, TruncOp})


def demote_counters(func: FuncOp, am: AnalysisManager, level: int) -> int:
    """Narrows counters; returns their number.

    Arguments:
        func: the function.
        am: provides the loops and ScalarEvolution.
        level: the level of `remat-iv`.
    """
    loops = am.get(LoopInfo, func)
    if not any(
        integer_width(argument.type) == 64
        for loop in loops.loops()
        for argument in loop.header.args
    ):
        return 0
    evolution = am.get(ScalarEvolution, func)
    constants = Constants(func)
    found: list[tuple[Loop, BlockArgument, int]] = []
    for loop in loops.loops():
        for argument in loop.header.args:
            step = _step(loop, argument, evolution)
            if step is not None and _level_of(loop, argument) <= level:
                found.append((loop, argument, step))
    # All conditions are checked before anything is changed.
    demotions = [_Demotion(*counter, evolution, constants) for counter in found]
    for demotion in demotions:
        demotion.run()
    return len(found)


def _fits(evolution: ScalarEvolution, value: SSAValue) -> bool:
    """Returns True if the value fits in a signed 32-bit number."""
    number = constant_integer(value)
    if number is not None:
        return LOWEST <= number <= HIGHEST
    allowed = evolution.range(evolution.get(value), signed=True)
    return not allowed.is_empty and LOWEST <= allowed.smin() and allowed.smax() <= HIGHEST


def _step(loop: Loop, argument: BlockArgument, evolution: ScalarEvolution) -> int | None:
    """The step of a counter that may be narrowed; None for other arguments."""
    if argument.type is not I64 or argument.first_use is None:
        return None
    expression = evolution.get(argument)
    if expression.kind is not Kind.ADD_REC or len(expression.operands) != 2:
        return None
    if expression.loop is None or expression.loop.header is not loop.header:
        return None
    step = expression.step
    if step.kind is not Kind.CONSTANT or not _fits(evolution, argument):
        return None
    number = step.constant - (1 << 64) if step.constant >> 63 else step.constant
    return number if LOWEST <= number <= HIGHEST else None


def _level_of(loop: Loop, argument: BlockArgument) -> int:
    """The minimum level that permits narrowing a counter with its uses."""
    return max((_level_of_use(loop, user) for user in fast.users_of(argument)), default=_ARITHMETIC)


def _level_of_use(loop: Loop, user: Operation) -> int:
    cls = type(user)
    if cls is ICmpOp:
        return _COMPARED
    if cls is GEPOp:
        return _ADDRESSES
    if cls not in _ARITHMETIC_CLASSES:
        return _ANY
    return _ARITHMETIC if user.parent is loop.header else _ADDRESSES


class _Demotion:
    """A counter that is narrowed."""

    def __init__(
        self,
        loop: Loop,
        argument: BlockArgument,
        step: int,
        evolution: ScalarEvolution,
        constants: Constants,
    ) -> None:
        self.loop = loop
        self.argument = argument
        self.step = step
        self.constants = constants
        self.sums = self.find_sums()
        self.fitting = {value for value in self.sums if _fits(evolution, value)}
        self.narrowed = {
            user
            for value in (argument, *self.fitting)
            for user in fast.users_of(value)
            if type(user) is ICmpOp
            and predicate_of(user) not in _UNSIGNED
            and all(_fits(evolution, operand) for operand in fast.operands_of(user))
        }

    def run(self) -> None:
        """Creates the narrow counter and replaces the uses of the wide one."""
        header, argument = self.loop.header, self.argument
        sums, fitting = self.sums, self.fitting
        narrow = fast.add_argument(header, I32)
        narrow.name_hint = "demoteIV"
        new: dict[SSAValue, SSAValue] = {argument: narrow}
        for value in sums:
            old = value.op
            step = self.constants.integer(self.step, I32)
            addition = fast.create(AddOp, (narrow, step), (I32,))
            fast.set_name(addition.results[0], "newBaseIV")
            fast.insert_before(addition, old)
            new[value] = addition.results[0]
        self.hand_over(header, narrow, new)
        for value in (argument, *sums):
            for user in list(dict.fromkeys(fast.users_of(value))):
                if type(user) is TruncOp:
                    self.replace_truncation(user, new[value])
                elif user in self.narrowed:
                    self.narrow_comparison(user, value, new)
        for value in sums:
            if value in fitting:
                self.widen(value, new[value])
        self.widen(argument, narrow)
        branches.erase_arguments(header, [argument.index])

    def find_sums(self) -> list[OpResult]:
        """The values of the next iteration."""
        found: list[OpResult] = []
        for user in fast.users_of(self.argument):
            if type(user) is AddOp and user.parent is not None:
                a, b = fast.operands_of(user)
                other = b if a is self.argument else a
                if constant_integer(other) == self.step and self.loop.contains(user.parent):
                    found.append(user.results[0])
        return found

    def hand_over(
        self, header: Block, narrow: BlockArgument, new: dict[SSAValue, SSAValue]
    ) -> None:
        """Sets the incoming values of the new argument on every edge."""
        index = self.argument.index
        for source in dict.fromkeys(fast.predecessors_of(header)):
            last = branches.terminator_of(source)
            edges: list[branches.Edge] = []
            for block, values in branches.edges_of(last):
                if block is header:
                    value = values[index]
                    number = constant_integer(value)
                    if value in new:
                        low = new[value]
                    elif number is not None:
                        low = self.constants.integer(number, I32)
                    else:
                        truncation = fast.create(TruncOp, (value,), (I32,))
                        fast.insert_before(truncation, last)
                        low = truncation.results[0]
                    # The value of the old argument is irrelevant, because it is removed.
                    rest = list(values)
                    rest[index] = self.constants.integer(0, I64)
                    edges.append((block, (*rest, low)))
                else:
                    edges.append((block, values))
            branches.set_edges(last, edges)
        assert narrow.index == len(header.args) - 1

    def replace_truncation(self, op: Operation, narrow: SSAValue) -> None:
        """Replaces a truncation of the counter by the narrow counter."""
        width = integer_width(op.results[0].type)
        if width == 32:
            fast.replace_op(op, (narrow,))
        elif width < 32:
            shorter = fast.create(TruncOp, (narrow,), (op.results[0].type,))
            fast.insert_before(shorter, op)
            fast.replace_op(op, shorter.results)

    def narrow_comparison(
        self, op: Operation, value: SSAValue, new: dict[SSAValue, SSAValue]
    ) -> None:
        """Compares in 32 bits if the other operand fits, too."""
        a, b = fast.operands_of(op)
        other = b if a is value else a
        if other is value:
            return
        number = constant_integer(other)
        if number is not None:
            low = self.constants.integer(number, I32)
        else:
            owner = other.owner
            if type(owner) is SExtOp and fast.operands_of(owner)[0].type is I32:
                (low,) = fast.operands_of(owner)
            else:
                # The truncation is loop-invariant and is inserted before the loop.
                place = self.loop.preheader()
                if place is None or not self.is_from_outside(other):
                    return
                truncation = fast.create(TruncOp, (other,), (I32,))
                fast.insert_before(truncation, branches.terminator_of(place))
                low = truncation.results[0]
        fast.set_operand(op, 0, new[value] if a is value else low)
        fast.set_operand(op, 1, low if a is value else new[value])

    def is_from_outside(self, value: SSAValue) -> bool:
        """Returns whether a value is defined outside the loop."""
        block = value.op.parent if isinstance(value, OpResult) else cast(BlockArgument, value).block
        return block is not None and not self.loop.contains(block)

    def widen(self, value: SSAValue, narrow: SSAValue) -> None:
        """Replaces remaining uses of the wide value by extensions of the narrow one, one per
        block."""
        users: dict[Block, dict[Operation, None]] = {}
        for user in fast.users_of(value):
            if user.parent is not None:
                users.setdefault(user.parent, {})[user] = None
        for block, here in users.items():
            first = next(op for op in fast.ops_of(block) if op in here)
            extension = fast.create(SExtOp, (narrow,), (I64,))
            fast.set_name(extension.results[0], "substIV")
            fast.insert_before(extension, first)
            for user in here:
                for index, operand in enumerate(fast.operands_of(user)):
                    if operand is value:
                        fast.set_operand(user, index, extension.results[0])
        if isinstance(value, OpResult) and value.first_use is None:
            fast.erase(value.op)
