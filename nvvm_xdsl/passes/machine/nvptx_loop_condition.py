"""`nvptx-loop-condition`: makes the exit condition of a loop compare the value for the next
iteration.

    ^loop(%n):                                   %m = nvptx.add s32 %start, 2
      ...                                        nvptx.bra ^loop(%m)
      %next = nvptx.add s32 %n, -2             ^loop(%n):
      %c = nvptx.setp gt.s32 %n, 2       ->      ...
      nvptx.cbra %c, ^loop(%next), ^done         %next = nvptx.add s32 %n, -2
                                                 %c = nvptx.setp gt.s32 %next, 2
                                                 nvptx.cbra %c, ^loop(%next), ^done

ptxas computes the trip count of a loop, and therefore unrolls it, only if the comparison at its end
reads the value for the next iteration; LLVM's loop strength reduction produces such loops. The
product of a sparse matrix and a vector in Numba's corpus has 123 machine instructions without this
pass and 412 with it, as many as from llc's PTX.

If a counter is used only by its increment and the comparison, its initial value is changed by one
step, so that the next value equals the compared value. This is exact even if the counter wraps. A
counter with other uses keeps its values. For a comparison for equality, the other operand is
changed by one step instead. So is the bound of `<` in a loop from a constant to a constant, if
neither sum wraps: `%i < 99` becomes `%next < 100`. Otherwise, in a loop that ptxas may unroll, the
comparison gets its own counter, whose addition is amortized by unrolling.

Runs in SSA form, on loops with one latch that ends with the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.ir import BlockArgument, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.nvptx.control_flow import CbraOp, TerminatorOp, branch_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import ADD, MOV, SETP
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.passes.machine.patterns import (
    Operand,
    definition,
    immediate,
    instruction,
    operands_of,
)
from nvvm_xdsl.passes.machine.unrolling import profits_from_unrolling

CHANGED = Statistic(
    "nvptx-loop-condition",
    "changed",
    "Number of comparisons that read the value for the next iteration",
)


@dataclass(frozen=True)
class NVPTXLoopCondition(MachineFunctionPass):
    """Makes the comparison at the end of a loop read the value for the next iteration."""

    name = "nvptx-loop-condition"
    title: ClassVar[str] = "NVPTXLoopCondition"

    max_size: int = 64
    """Maximum number of instructions of a loop for which a second counter is created."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        for loop in am.get(LoopInfo, func).loops():
            found = _counted(loop)
            if found is None or not profits_from_unrolling(loop):
                continue
            if not _start_earlier(loop, found) and not _compare_later(loop, found):
                # A step of more than one indicates a loop that the optimizer has unrolled.
                if abs(found.step) > 1 or _size_of(loop) > self.max_size:
                    continue
                if not _advance_bound(loop, found):
                    _count_separately(loop, found)
            CHANGED.add()
            changed = True
        return changed


def _size_of(loop: Loop) -> int:
    return sum(1 for block in loop.blocks for _ in fast.ops_of(block))


class _Counted(NamedTuple):
    """A counter, and the comparison of the counter that ends a loop."""

    counter: BlockArgument
    increment: InstructionOp
    step: int
    width: int
    comparison: InstructionOp
    position: int
    """The operand index of the counter in the comparison."""
    latch: CbraOp


def _counted(loop: Loop) -> _Counted | None:
    latches = loop.latches()
    if len(latches) != 1:
        return None
    last = latches[0].last_op
    if type(last) is not CbraOp:
        return None
    latch = last
    into, out = latch.edges
    if into[0] is not loop.header:
        into, out = out, into
    if into[0] is not loop.header or loop.contains(out[0]):
        return None
    comparison = definition(fast.operands_of(latch)[0], SETP)
    if comparison is None or fast.single_use(comparison.results[0]) is None:
        return None
    operands = operands_of(comparison)
    if operands is None or len(operands) != 2:
        return None
    for position, operand in enumerate(operands):
        if not isinstance(operand, BlockArgument) or operand.block is not loop.header:
            continue
        other = operands[1 - position]
        if isinstance(other, SSAValue) and not loop.is_invariant(other):
            continue
        increment = definition(into[1][operand.index], ADD)
        stepped = None if increment is None else _step_of(increment, operand)
        if increment is None or stepped is None:
            continue
        step, width = stepped
        # A 32-bit register may also be compared as a float.
        if comparison.mods.rpartition(".")[2] in (f"s{width}", f"u{width}", f"b{width}"):
            return _Counted(operand, increment, step, width, comparison, position, latch)
    return None


def _step_of(increment: InstructionOp, counter: BlockArgument) -> tuple[int, int] | None:
    """The constant step of the counter, and its width in bits."""
    if increment.mods not in ("s32", "u32", "s64", "u64"):
        return None
    operands = operands_of(increment)
    if operands is None or counter not in operands:
        return None
    step = immediate(operands[1 - operands.index(counter)])
    return None if step is None else (step, int(increment.mods[1:]))


def _start_earlier(loop: Loop, found: _Counted) -> bool:
    """Subtracts a step from the initial value, if the counter has no other users."""
    counter, increment = found.counter, found.increment
    if set(fast.users_of(counter)) != {increment, found.comparison}:
        return False
    if fast.single_use(increment.results[0]) is None:
        return False
    for terminator, number in _entries(loop, found):
        edges = terminator.edges
        target, values = edges[number]
        shifted = _later(values[counter.index], -found.step, found, terminator)
        values = (*values[: counter.index], shifted, *values[counter.index + 1 :])
        edges[number] = (target, values)
        terminator.set_edges(edges)
    _read_next(found, found.increment.results[0])
    return True


def _entries(loop: Loop, found: _Counted) -> list[tuple[TerminatorOp, int]]:
    """The edges that enter the loop, each as branch and successor index."""
    branches = [branch_of(block) for block in dict.fromkeys(fast.predecessors_of(loop.header))]
    return [
        (branch, number)
        for branch in branches
        if branch is not found.latch
        for number, (target, _) in enumerate(branch.edges)
        if target is loop.header
    ]


def _later(value: SSAValue, step: int, found: _Counted, before: TerminatorOp) -> SSAValue:
    """A value plus a step, computed before an op."""
    constant = _constant(value)
    if constant is None:
        terms: list[Operand] = [value, imm(signed(step, found.width))]
        made = instruction(ADD, found.increment.mods, terms, value.type, before.location)
    else:
        number = imm(signed(constant + step, found.width))
        made = instruction(MOV, f"b{found.width}", [number], value.type, before.location)
    fast.insert_before(made, before)
    return made.results[0]


def _compare_later(loop: Loop, found: _Counted) -> bool:
    """Compares the next value for equality with the old operand plus a step."""
    comparison = found.comparison
    operands = operands_of(comparison)
    assert operands is not None
    if comparison.mods.partition(".")[0] not in ("eq", "ne"):
        return False
    bound = operands[1 - found.position]
    constant = immediate(bound)
    source = loop.predecessor()
    if constant is not None:
        other: Operand = imm(signed(constant + found.step, found.width))
    elif isinstance(bound, SSAValue) and source is not None:
        other = _later(bound, found.step, found, branch_of(source))
    else:
        return False
    _read_next(found, found.increment.results[0], other)
    return True


_CONTINUES = {"lt": 1, "le": 1, "gt": -1, "ge": -1}
"""The sign of the step with which a signed comparison that continues a loop becomes false at its
end.
"""


def _advance_bound(loop: Loop, found: _Counted) -> bool:
    """Compares the next value with a constant bound plus a step, if neither sum wraps.

    The counter starts at a constant and is at most a step beyond the bound while the loop runs.
    """
    operands = operands_of(found.comparison)
    assert operands is not None
    predicate, _, type_ = found.comparison.mods.partition(".")
    bound = immediate(operands[1])
    if bound is None or type_ != f"s{found.width}" or found.latch.edges[0][0] is not loop.header:
        return False
    if _CONTINUES.get(predicate, 0) * found.step <= 0:
        return False
    bound = signed(bound, found.width)
    ends = [bound + found.step]
    for terminator, number in _entries(loop, found):
        start = _constant(terminator.edges[number][1][found.counter.index])
        if start is None:
            return False
        ends.append(signed(start, found.width))
    last = (max(ends) if found.step > 0 else min(ends)) + found.step
    if signed(last, found.width) != last:
        return False
    _read_next(found, found.increment.results[0], imm(bound + found.step))
    return True


def _constant(value: SSAValue) -> int | None:
    """The constant value of a register; None if it is not constant."""
    move = definition(value, MOV)
    operands = None if move is None else operands_of(move)
    return None if operands is None else immediate(operands[0])


def _count_separately(loop: Loop, found: _Counted) -> bool:
    """Creates a separate counter for the comparison, which starts a step earlier."""
    counter, latch = found.counter, found.latch
    own = fast.add_argument(loop.header, counter.type)
    for terminator, number in _entries(loop, found):
        edges = terminator.edges
        target, values = edges[number]
        start = _later(values[counter.index], -found.step, found, terminator)
        edges[number] = (target, (*values, start))
        terminator.set_edges(edges)
    terms: list[Operand] = [own, imm(found.step)]
    mods, location = found.increment.mods, found.increment.location
    increment = instruction(ADD, mods, terms, counter.type, location)
    fast.insert_before(increment, latch)
    latch.set_edges(
        [
            (target, (*values, increment.results[0]) if target is loop.header else values)
            for target, values in latch.edges
        ]
    )
    _read_next(found, increment.results[0])
    return True


def _read_next(found: _Counted, value: SSAValue, other: Operand | None = None) -> None:
    """Makes the comparison read a value, at the end of the loop, and `other` if given."""
    comparison = found.comparison
    operands = operands_of(comparison)
    assert operands is not None
    operands[found.position] = value
    if other is not None:
        operands[1 - found.position] = other
    result = comparison.results[0]
    made = instruction(SETP, comparison.mods, operands, result.type, comparison.location)
    fast.insert_before(made, found.latch)
    fast.replace_op(comparison, made.results)


__all__ = ["NVPTXLoopCondition"]
