"""`loop-unroll`: loops that run a known number of rounds become that many copies of their body.

    llvm.br ^loop(%c0 : i32)                        %p0 = llvm.getelementptr %a[0] : ...
  ^loop(%i: i32):                                   llvm.store %x, %p0 : f32, !llvm.ptr
    %p = llvm.getelementptr %a[%i] : ...     ->     %p1 = llvm.getelementptr %a[1] : ...
    llvm.store %x, %p : f32, !llvm.ptr              llvm.store %x, %p1 : f32, !llvm.ptr
    %n = llvm.add %i, %c1 : i32                     llvm.br ^exit
    %c = llvm.icmp "ne" %n, %c2 : i32
    llvm.cond_br %c, ^loop(%n : i32), ^exit

The first round is copied in front of the loop until nothing comes to the loop any more; what a round
computes of constants is folded before the next is copied, so that its tests are gone. A loop whose
body gets small enough by that is unrolled; one that accesses a local array may become up to six times
as large, and one that makes all indices of a local array constant larger still, as the array becomes
registers (`sroa`, which the sequences run behind this pass). `#pragma unroll` and `unroll_count` that
reach the trip count are followed up to a larger size, `#pragma nounroll` always.

Threads go through the copies together as through the rounds, since none of the tests is left: so ops
that threads run together may be copied. A loop without such ops that may also be left otherwise is
unrolled by the number of rounds after which one of its exits surely leaves it, or, where no exit has
such a number, by the most rounds that it can run if these are few. (LLVM's LoopUnrollPass.cpp, whose
thresholds these are; the factor for local arrays is the sister's, sub_19B5DD0; the sequences' row 23,
sub_19C1680.) Partial unrolling is left to ptxas, which does it by itself.

The loops of a function are looked at inner ones first. All that are to be unrolled and do not lie in
one another are unrolled before the function's analyses are made anew: that is as often as loops are
nested, not as often as there are loops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.expressions import Kind
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr, LoopUnrollAttr
from nvvm_xdsl.ir import branches, remarks
from nvvm_xdsl.ir.attributes import int_value, integer_of, symbol_name
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.utils.cfg import remove_unreachable_blocks
from nvvm_xdsl.passes.utils.loop_size import LoopSize, LoopSizes
from nvvm_xdsl.passes.utils.loops import form_lcssa, simplify_loop, why_not_copied
from nvvm_xdsl.passes.utils.unroll import Unroller

UNROLL_THRESHOLD: Final = 300
PRAGMA_UNROLL_THRESHOLD: Final = 16 * 1024
UNROLL_MAX_UPPERBOUND: Final = 8
UNROLL_MAX_PERCENT_THRESHOLD_BOOST: Final = 400
UNROLL_MAX_ITERATION_COUNT_TO_ANALYZE: Final = 10
"""LLVM's defaults."""
UNROLL_THRESHOLD_PRIVATE: Final = 2700
"""What LLVM's AMDGPU target takes for loops that index an array of a thread's own."""
MAX_ARRAY_FACTOR: Final = 6
"""How many times the threshold a loop may become that accesses a local array (the sister's
computeLocalArraySize: as many times as the array has elements, at most this)."""

MAX_ROUNDS: Final = 1 << 16
"""Rounds beyond which no size is computed."""


@dataclass(frozen=True)
class Request:
    """What the loop's annotation asks for: never, in full, or so many copies; 0 where nothing."""

    never: bool = False
    full: bool = False
    count: int = 0


@dataclass(frozen=True)
class _Plan:
    """What is to be done with a loop: so many copies in its place."""

    loop: Loop
    rounds: int
    said: str


@dataclass(frozen=True)
class LoopUnroll(FunctionPass):
    """Unrolls loops whose trip count is known in full."""

    name = "loop-unroll"
    title = "LoopUnroll"

    unroll_threshold: int = UNROLL_THRESHOLD
    """The most ops that a loop may become; of one that accesses a local array times its elements,
    at most `MAX_ARRAY_FACTOR`."""

    pragma_unroll_threshold: int = PRAGMA_UNROLL_THRESHOLD
    """The most ops that a loop may become which is annotated to be unrolled."""

    unroll_threshold_private: int = UNROLL_THRESHOLD_PRIVATE
    """The most ops that a loop may become whose unrolling makes an index of a local array
    constant."""

    unroll_max_upperbound: int = UNROLL_MAX_UPPERBOUND
    """The most rounds by which a loop is unrolled that may run fewer and that no exit surely
    leaves."""

    unroll_max_percent_threshold_boost: int = UNROLL_MAX_PERCENT_THRESHOLD_BOOST
    """What percentage of the threshold a loop may become at most that gets smaller in unrolling, by
    how much smaller it gets."""

    unroll_max_iteration_count_to_analyze: int = UNROLL_MAX_ITERATION_COUNT_TO_ANALYZE
    """The most rounds of a loop of which that is asked."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not am.get(LoopInfo, func).top_level:
            return False
        changed = False
        seen: set[Block] = set()
        while True:
            changed |= _bring_into_form(func, am)
            plans = self._plans(func, am, seen)
            if not plans:
                return changed
            unroller = Unroller(func)
            for plan in plans:
                self._carry_out(plan, unroller, func)
            remove_unreachable_blocks(func.regions[0])
            am.invalidate(func)
            changed = True

    def _plans(self, func: FuncOp, am: AnalysisManager, seen: set[Block]) -> list[_Plan]:
        """What is to be done now: with loops not seen yet, of which none lies in another.

        A loop around one of them is looked at again when that is done.
        """
        se = am.get(ScalarEvolution, func)
        sizes = LoopSizes(se)
        found: list[_Plan] = []
        busy: set[Loop] = set()
        for loop in am.get(LoopInfo, func).innermost_first():
            if not busy.isdisjoint(loop.subloops):
                busy.add(loop)
                seen.discard(loop.header)
            elif loop.header not in seen:
                seen.add(loop.header)
                plan = self._plan(loop, func, se, sizes)
                if plan is not None:
                    found.append(plan)
                    busy.add(loop)
        return found

    def _plan(
        self, loop: Loop, func: FuncOp, se: ScalarEvolution, sizes: LoopSizes
    ) -> _Plan | None:
        request = request_of(loop)
        if request.never or why_not_copied(loop) is not None:
            return None
        size = sizes.of(loop)
        rounds = se.trip_count(loop)
        said = f"completely unrolled loop with {rounds} iterations"
        if rounds is None:
            rounds = self._most_rounds(loop, se, request, size)
            said = f"completely unrolled loop with at most {rounds} iterations"
        if rounds is None:
            if request.full or request.count:
                self._miss(func, loop, "its trip count is not a constant")
            return None
        if request.count and request.count < rounds:
            return None
        limit = self._limit(request, size, rounds)
        unrolled = (size.size - size.folded) * rounds
        if unrolled > limit:
            self._miss(func, loop, f"it would become {unrolled} ops, and {limit} is the most")
            return None
        return _Plan(loop, rounds, said)

    def _limit(self, request: Request, size: LoopSize, rounds: int) -> int:
        """The most ops that a loop may become when it is unrolled in full."""
        if request.full or request.count >= rounds:
            return self.pragma_unroll_threshold
        limit = self.unroll_threshold * min(max(size.array, 1), MAX_ARRAY_FACTOR)
        kept = size.size - size.folded
        if kept and rounds <= self.unroll_max_iteration_count_to_analyze:
            percent = min(100 * size.size // kept, self.unroll_max_percent_threshold_boost)
            limit = max(limit, self.unroll_threshold * percent // 100)
        if size.is_private:
            limit = max(limit, self.unroll_threshold_private)
        return limit

    def _most_rounds(
        self, loop: Loop, se: ScalarEvolution, request: Request, size: LoopSize
    ) -> int | None:
        """The most rounds that a loop runs which may be left otherwise, when that is of use."""
        # The tests stay: threads would meet at other ops than they do in the loop.
        if size.is_convergent:
            return None
        limits = [se.exit_limit(loop, block).exact for block in loop.exiting_blocks()]
        exact = [limit.constant for limit in limits if limit.kind is Kind.CONSTANT]
        if exact and min(exact) < MAX_ROUNDS:
            return min(exact) + 1
        most = se.constant_max_backedge_taken_count(loop)
        if most is None or most >= self.pragma_unroll_threshold:
            return None
        return most + 1 if request.full or most < self.unroll_max_upperbound else None

    def _carry_out(self, plan: _Plan, unroller: Unroller, func: FuncOp) -> None:
        where = plan.loop.header.first_op
        unroller.unroll_fully(plan.loop, plan.rounds)
        if remarks.wanted():
            remarks.emit(
                "Passed", self.name, "FullyUnrolled", symbol_name(func) or "", plan.said, op=where
            )

    def _miss(self, func: FuncOp, loop: Loop, reason: str) -> None:
        if remarks.wanted():
            remarks.emit(
                "Missed", self.name, "NotFullyUnrolled", symbol_name(func) or "",
                f"loop not unrolled: {reason}", op=loop.header.last_op,
            )  # fmt: skip


def _bring_into_form(func: FuncOp, am: AnalysisManager) -> bool:
    """Simplifies the loops and brings them into LCSSA form; returns whether that changed any."""
    loops = am.get(LoopInfo, func)
    changed = False
    for loop in loops.innermost_first():
        changed |= simplify_loop(loop, loops)
    for loop in loops.innermost_first():
        changed |= form_lcssa(loop)
    if changed:
        am.invalidate(func)
    return changed


def request_of(loop: Loop) -> Request:
    """What the annotation at the loop's latches asks for."""
    for latch in loop.latches():
        annotation = branches.terminator_of(latch).properties.get("loop_annotation")
        if not isinstance(annotation, LoopAnnotationAttr):
            continue
        found = annotation.unroll
        if not isinstance(found, LoopUnrollAttr):
            continue
        count = int_value(found.count)
        # `unroll.enable` is written as disable = false.
        disable = integer_of(found.disable)
        if disable or count == 1:
            return Request(never=True)
        is_enabled = disable == 0 and not count
        return Request(full=bool(int_value(found.full)) or is_enabled, count=count)
    return Request()
