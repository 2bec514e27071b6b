"""`loop-unroll`: replaces loops of known trip count with copies of their body.

    llvm.br ^loop(%c0 : i32)                        %p0 = llvm.getelementptr %a[0] : ...
  ^loop(%i: i32):                                   llvm.store %x, %p0 : f32, !llvm.ptr
    %p = llvm.getelementptr %a[%i] : ...     ->     %p1 = llvm.getelementptr %a[1] : ...
    llvm.store %x, %p : f32, !llvm.ptr              llvm.store %x, %p1 : f32, !llvm.ptr
    %n = llvm.add %i, %c1 : i32                     llvm.br ^exit
    %c = llvm.icmp "ne" %n, %c2 : i32
    llvm.cond_br %c, ^loop(%n : i32), ^exit

The first iteration is peeled repeatedly until no edge enters the loop; constants of an iteration
are folded before the next one is copied, so that its tests are removed. A loop whose body becomes
small enough is unrolled. The size limit is up to six times as high for a loop that accesses a local
array, and even higher if unrolling makes all indices of a local array constant, because the array
is then promoted to registers (by `sroa`, which the sequences run after this pass).
`#pragma unroll`, and an `unroll_count` that reaches the trip count, have a higher size limit; if the
trip count is unknown, each copy of an `unroll_count` keeps its tests;
`#pragma nounroll` is always respected.

Threads execute the copies together like the iterations, because no test remains. Therefore
convergent ops may be copied. A loop without such ops and with several exits is unrolled by the
number of iterations after which one of its exits certainly leaves it, or, if no exit has such a
number, by its maximum trip count if that is small. (LLVM's LoopUnrollPass.cpp with its thresholds;
the factor for local arrays is from the sister page, sub_19B5DD0; row 23 of the sequences,
sub_19C1680.)

Other loops may be unrolled partially, by a power of two that divides the trip count; or, if the
trip count is known at loop entry, by the power of two that the threshold permits, with a remainder
loop. A loop with convergent ops gets a remainder loop only if all threads of a warp have the same
trip count, so that they reach it together. First iterations are peeled if that simplifies the
others. Partially unrolled loops are marked, for this pass and for ptxas. The levels unroll
partially only for pragmas (`no-partial`, `no-runtime`, `no-peeling`): ptxas unrolls better, because
it determines the register allocation (bench/results.md). An exception are innermost loops that test
low bits of a counter, `(i + x) & 1`: these bits are the same in every second iteration, and `licm`
moves them out of a loop that is unrolled by a multiple of two. The factor divides the trip count.
Another exception are innermost loops with a constant trip count that ptxas does not unroll: those
with several exits, and those with floating-point divisions and square roots, which branch to a slow
path. The factor is at most eight and divides the trip count, or its constant bound.

However, ptxas unrolls only some loops, and only by four. Before `loop-reduce`, the levels therefore
unroll innermost loops with loads by four (`for-loads`), as cicc does. ptxas unrolls the result
again: up to sixteen loads are in flight. A loop is marked, so that ptxas leaves it, if a branch
limits it to fewer than sixteen iterations, or if more copies take registers but overlap no more
loads. A loop whose bound is loaded, such as the length of a row of a sparse matrix, has few
iterations. It is marked if it has at least twelve loads from global memory or none, or other
branches. In other loops the counter and the branch cost more in fewer copies. They are marked if
they have at least twelve ops, and no load from global memory or conditional stores.

    for (i = t; i < n; i += s)         limit = max(n, MIN + 3 * s) - 3 * s;
      x += p[i];                       i = t;
                                  ->   while (i < limit) {
                                         x += p[i]; x += p[i + s]; x += p[i + 2 * s]; x += p[i + 3 * s];
                                         i += 4 * s;
                                       }
                                       if (i < n) { x += p[i]; i += s; if (i < n) ... }

If no load can be moved before the stores of the previous iteration, only the counter and the branch
are saved. The step must then be a constant: most loops whose step is the size of the block have
only one or two iterations. Loops that advance by the size of the grid have few iterations, too, and
nvcc does not unroll them: up to about six iterations, the test before the loop and the remainder
cost more than is saved. The same holds for loops over at most 512 elements that advance by the
size of the block. Small loops with atomic operations are unrolled, too, because ptxas does
not unroll them. Loops that divide integers by a variable are not: ptxas computes the reciprocal of
an invariant divisor before each copy of a loop.

-O1 and -Ofast-compile=min have a lower threshold than -O3, and unroll loops with loads by two
(`unroll-loads-count`): two copies take less time to compile than four, and most of the gain
remains.

The limit needs no trip count, which may be costly to compute, and no division by the step. It is
legal if the latch is the only exit and compares the next value of a counter with an invariant
bound, and if the counter approaches the bound by an invariant step that is known to be small
(`transforms/runtime_unroll.py`). Otherwise the trip count is used if it is cheap. All ops of the
loop must return, because the test before the loop uses values that the original loop first uses at
the latch. Loops with convergent ops and calls are not unrolled, because the trip count may differ
between threads. Constant trip counts are left to ptxas, which unrolls them fully. The remainder of
a small loop, at most three iterations, becomes straight-line code. The remainder of a larger loop,
or of one whose counter may wrap, is a loop that is marked as not to be unrolled by ptxas.

Loops are visited inner ones first. All loops to be unrolled that are not nested in one another are
unrolled before the function's analyses are recomputed. The number of recomputations is thus the
nesting depth, not the number of loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import gcd, inf
from typing import ClassVar, Final

from xdsl.dialects.llvm import (
    AndOp,
    CallIntrinsicOp,
    CondBrOp,
    FDivOp,
    FuncOp,
    ICmpOp,
    LoadOp,
    MulOp,
    SelectOp,
    SExtOp,
    ShlOp,
    StoreOp,
    ZExtOp,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loop_size import Folding, LoopSize, LoopSizes
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.scev.expressions import NW, Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import DIVISIONS
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.unroll_pragmas import UnrollPragma, unroll_pragma
from nvvm_xdsl.analysis.values.constant_range import (
    EQ,
    NE,
    SGE,
    SGT,
    SLE,
    SLT,
    SWAPPED,
    ULT,
    ConstantRange,
)
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, WRITES, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    integer_width,
    intrinsic_name,
    predicate_of,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import AtomicRMWOp
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.dialects.nvvm.sreg_ops import (
    BlockDimXOp,
    BlockDimYOp,
    BlockDimZOp,
    GridDimXOp,
    GridDimYOp,
    GridDimZOp,
)
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, SHARED
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.loop.tested_counters import may_be_tested
from nvvm_xdsl.transforms.cfg import remove_unreachable_blocks
from nvvm_xdsl.transforms.loops import form_lcssa, simplify_and_form_lcssa
from nvvm_xdsl.transforms.narrow_arguments import narrow_arguments
from nvvm_xdsl.transforms.runtime_unroll import (
    BoundedLoop,
    CountedLoop,
    RuntimeCheck,
    RuntimeUnroller,
    bounded_loop,
)
from nvvm_xdsl.transforms.scev_expander import Expander

UNROLL_THRESHOLD_DEFAULT: Final = 150
UNROLL_THRESHOLD_AGGRESSIVE: Final = 300
AGGRESSIVE_LEVEL: Final = 3
"""The optimization level from which the higher threshold applies."""
PRAGMA_UNROLL_THRESHOLD: Final = 16 * 1024
UNROLL_MAX_UPPERBOUND: Final = 8
UNROLL_MAX_PERCENT_THRESHOLD_BOOST: Final = 400
UNROLL_MAX_ITERATION_COUNT_TO_ANALYZE: Final = 10
UNROLL_DEFAULT_RUNTIME_COUNT: Final = 8
UNROLL_PEEL_MAX_COUNT: Final = 7
"""LLVM's defaults."""
PRAGMA_UNROLL_MAX_UPPERBOUND: Final = 64
"""libNVVM 13.0 unrolls a loop with a pragma by an upper bound of 64, and does not by 65."""
LOOP_OVERHEAD: Final = 2
"""Ops per iteration that unrolling removes: LLVM's BEInsns."""
UNROLL_PARTIAL_THRESHOLD: Final = UNROLL_THRESHOLD_AGGRESSIVE // 4
"""The value that LLVM's NVPTX target sets."""
RUNTIME_UNROLL_THRESHOLD: Final = 95
"""The value of the sister page."""
LOADS_UNROLL_COUNT: Final = 4
"""Unroll factor of a loop with loads. cicc uses four; ptxas unrolls the result by four again."""
PTXAS_FACTOR: Final = 4
"""Factor by which ptxas unrolls a loop again."""
ENOUGH_LOADS: Final = 12
"""Number of loads from global memory in a loop with few iterations that ptxas need not unroll again."""
LEAST_MARKED_SIZE: Final = 12
"""Minimum size, in ops, of a loop with many iterations that ptxas need not unroll again. The counter
and the branch are three of these ops."""
LOADS_UNROLL_SIZE: Final = 64
"""Maximum size, in ops, of a loop that is unrolled for its loads."""
LOADS_UNROLL_RP_LIMIT: Final = 64
"""Maximum number of live registers of a loop that is unrolled for its loads: `lsr-rp-limit`."""
LOADS_STRAIGHT_SIZE: Final = 24
"""Maximum size, in ops, of a loop whose remaining iterations become straight-line code. Larger
loops get a remainder loop."""
FEW_ROUNDS_OF_BLOCK: Final = 512
"""Maximum number of elements of a loop that the threads of a block share and that is not unrolled."""
PERIODIC_UNROLL_MAX_COUNT: Final = 32
"""Maximum factor of a loop that is unrolled for the low bits of its counters. cicc uses 32."""
MAX_PERIOD: Final = 4
"""Maximum period of low bits for which a loop is unrolled: as many values are live in the loop."""
EXPANSION_BUDGET: Final = 4
"""LLVM's `scev-cheap-expansion-budget`."""
UNROLL_THRESHOLD_PRIVATE: Final = 2700
"""The threshold of LLVM's AMDGPU target for loops that index a private array."""
MAX_ARRAY_FACTOR: Final = 6
"""Maximum factor of the threshold of a loop that accesses a local array: the number of elements, up
to this maximum (computeLocalArraySize of the sister page).
"""

MAX_ANALYZED_ITERATIONS: Final = 1 << 16
"""Maximum number of iterations for which the unrolled size is computed."""
MAX_COPIED_OPS: Final = 1 << 16
"""Maximum number of ops, counted before folding, that full unrolling may copy. It bounds the time that unrolling
takes; the thresholds above bound its result."""


class _Kind(Enum):
    FULL = "completely unrolled loop with {} iterations"
    UP_TO = "completely unrolled loop with at most {} iterations"
    PEELED = "peeled loop by {} iterations"
    PARTIAL = "unrolled loop by a factor of {}"
    RUNTIME = "unrolled loop by a factor of {} with run-time trip count"


_REMARKS = {
    _Kind.FULL: "FullyUnrolled",
    _Kind.UP_TO: "FullyUnrolled",
    _Kind.PEELED: "Peeled",
    _Kind.PARTIAL: "PartialUnrolled",
    _Kind.RUNTIME: "PartialUnrolled",
}


@dataclass(frozen=True)
class _Plan:
    """The plan for a loop: the kind of unrolling, and the number of copies.

    Arguments:
        leaves: for partial unrolling, the argument of `Unroller.unroll_partially`.
        counted: for unrolling at run time, the trip count or bound of the loop.
        leaves_loop: whether ptxas may unroll the loop again.
        is_straight: whether the remainder becomes straight-line code.
    """

    loop: Loop
    kind: _Kind
    count: int
    leaves: Mapping[Block, int] = field(default_factory=dict[Block, int])
    counted: CountedLoop | BoundedLoop | None = None
    leaves_loop: bool = False
    is_straight: bool = False


@dataclass(frozen=True)
class LoopUnroll(FunctionPass):
    """Replaces loops by copies of their body, or unrolls them partially."""

    name = "loop-unroll"
    title = "LoopUnroll"
    opt_level: int = AGGRESSIVE_LEVEL
    """The level that determines the default threshold: 150 ops, and 300 from level 3 on."""

    unroll_threshold: int | None = None
    """Maximum size of an unrolled loop in ops, multiplied for a loop that accesses a local array by
    its number of elements, at most `MAX_ARRAY_FACTOR`."""

    pragma_unroll_threshold: int = PRAGMA_UNROLL_THRESHOLD
    """Maximum size, in ops, of a loop that is unrolled by annotation."""

    unroll_threshold_private: int = UNROLL_THRESHOLD_PRIVATE
    """Maximum size, in ops, of a loop whose unrolling makes an index of a local array constant."""

    unroll_max_upperbound: int = UNROLL_MAX_UPPERBOUND
    """Maximum trip count of a loop that is unrolled by its upper bound."""

    pragma_unroll_max_upperbound: int = PRAGMA_UNROLL_MAX_UPPERBOUND
    """The same for a loop that is unrolled by annotation."""

    unroll_max_percent_threshold_boost: int = UNROLL_MAX_PERCENT_THRESHOLD_BOOST
    """Maximum size of an unrolled loop that unrolling simplifies, in percent of the threshold."""

    unroll_max_iteration_count_to_analyze: int = UNROLL_MAX_ITERATION_COUNT_TO_ANALYZE
    """Maximum number of iterations that are analysed."""

    unroll_partial_threshold: int = UNROLL_PARTIAL_THRESHOLD
    """Maximum size, in ops, of a partially unrolled loop."""

    runtime_unroll_threshold: int = RUNTIME_UNROLL_THRESHOLD
    """Maximum number of ops of a loop that is unrolled without a known trip count."""

    unroll_allow_partial: bool = True
    """Whether the unroll factor is chosen to divide the trip count."""

    unroll_runtime: bool = True
    """Whether loops are unrolled at run time, if the trip count is known at loop entry."""

    unroll_allow_remainder: bool = True
    """Whether a remainder loop is allowed."""

    unroll_runtime_convergent: bool = True
    """Whether loops with convergent ops are unrolled if all threads have the same trip count."""

    unroll_allow_peeling: bool = True
    """Whether first iterations are peeled if that simplifies the loop."""

    unroll_count: int = 0
    """The unroll count; 0 lets the thresholds decide."""

    unroll_for_loads: bool = False
    """Whether only loops whose iterations load independently are unrolled."""

    unroll_loads_count: int = LOADS_UNROLL_COUNT
    """Unroll factor of loops with loads: at least 2, rounded down to a power of two."""

    unroll_max_count: int = UNROLL_DEFAULT_RUNTIME_COUNT
    """Maximum unroll factor without an annotation."""

    unroll_peel_count: int = 0
    """Number of iterations to peel; 0 decides by the simplification of the others."""

    unroll_peel_max_count: int = UNROLL_PEEL_MAX_COUNT
    """Maximum number of iterations that are peeled without an annotation."""

    tokens: ClassVar[Mapping[str, tuple[str, object]]] = {
        word: place
        for name, field_name in (
            ("partial", "unroll_allow_partial"),
            ("runtime", "unroll_runtime"),
            ("peeling", "unroll_allow_peeling"),
        )
        for word, place in ((name, (field_name, True)), (f"no-{name}", (field_name, False)))
    } | {
        "for-loads": ("unroll_for_loads", True),
        **{f"O{level}": ("opt_level", level) for level in range(4)},
    }

    @property
    def threshold(self) -> int:
        """Default maximum size of an unrolled loop, in ops."""
        if self.unroll_threshold is not None:
            return self.unroll_threshold
        aggressive = self.opt_level >= AGGRESSIVE_LEVEL
        return UNROLL_THRESHOLD_AGGRESSIVE if aggressive else UNROLL_THRESHOLD_DEFAULT

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not am.get(LoopInfo, func).top_level:
            return False
        changed = False
        seen: set[Block] = set()
        kept: set[Block] = set()
        short: dict[Block, int] = {}
        # Records of the iterations of a removed outer loop are invalid.
        is_first = not self.unroll_for_loads
        while True:
            changed |= simplify_and_form_lcssa(func, am)
            plans = self._plans(func, am, seen if is_first else kept, short, in_full=is_first)
            if not plans:
                if not is_first:
                    break
                is_first = False
                continue
            unroller = RuntimeUnroller(func)
            checks = self._runtime_checks(plans, unroller, am.get(LoopInfo, func))
            for plan in plans:
                remainder = self._apply(plan, unroller, func, checks.get(plan.loop))
                if plan.is_straight and remainder is not None:
                    short[remainder] = plan.count - 1
                kept.update(header for header in unroller.headers if header not in short)
            remove_unreachable_blocks(func.regions[0])
            am.invalidate(func)
            changed = True
        if changed:
            # Copies of an exit pass copies of an extended counter.
            constants = Constants(func)
            for block in list(am.get(CFG, func).rpo_blocks()):
                narrow_arguments(block, constants)
        return changed

    def _plans(
        self,
        func: FuncOp,
        am: AnalysisManager,
        seen: set[Block],
        short: Mapping[Block, int],
        *,
        in_full: bool,
    ) -> list[_Plan]:
        """The plans of loops that were not visited yet, none of which is nested in another.

        A loop that contains one of them is visited again after these plans are applied.

        Arguments:
            in_full: whether to unroll fully, or to apply the other forms.
        """
        planner = _Planner(self, func, am, short)
        if self.unroll_for_loads:
            plan_for = planner.for_loads
        else:
            plan_for = planner.in_full if in_full else planner.in_part
        found: list[_Plan] = []
        busy: set[Loop] = set()
        for loop in am.get(LoopInfo, func).innermost_first():
            if not busy.isdisjoint(loop.subloops):
                busy.add(loop)
                seen.discard(loop.header)
            elif loop.header not in seen:
                seen.add(loop.header)
                plan = plan_for(loop)
                if plan is not None:
                    found.append(plan)
                    busy.add(loop)
        return found

    def _runtime_checks(
        self, plans: Iterable[_Plan], unroller: RuntimeUnroller, loops: LoopInfo
    ) -> dict[Loop, RuntimeCheck]:
        """Computes trip counts before any loop is changed.

        A trip count may be computed from a value of another loop. That value must leave its loop
        through an argument of the exit block, because that loop may be copied or erased.
        """
        found = {
            plan.loop: unroller.runtime_check(plan.loop, plan.count, plan.counted)
            for plan in plans
            if plan.counted is not None
        }
        if found:
            for loop in loops.innermost_first():
                form_lcssa(loop)
        return found

    def _apply(
        self, plan: _Plan, unroller: RuntimeUnroller, func: FuncOp, check: RuntimeCheck | None
    ) -> Block | None:
        """Carries out a plan; returns the header of the remainder loop, if there is one."""
        loop, count = plan.loop, plan.count
        where, remainder = loop.header.first_op, None
        if plan.kind is _Kind.PEELED:
            unroller.peel(loop, count)
        elif plan.kind is _Kind.PARTIAL:
            unroller.unroll_partially(loop, count, plan.leaves)
        elif plan.kind is _Kind.RUNTIME:
            assert plan.counted is not None
            assert check is not None
            remainder = unroller.unroll_at_runtime(
                loop, count, plan.counted, check, leaves_loop=plan.leaves_loop
            )
        else:
            unroller.unroll_fully(loop, count)
        if remarks.wanted():
            name, said = _REMARKS[plan.kind], plan.kind.value.format(count)
            if plan.leaves_loop:
                said += ", which ptxas may unroll again"
            remarks.emit("Passed", self.name, name, symbol_name(func) or "", said, op=where)
        return remainder


class _Planner:
    """Computes plans for the loops of one function in its current state."""

    def __init__(
        self, options: LoopUnroll, func: FuncOp, am: AnalysisManager, short: Mapping[Block, int]
    ) -> None:
        self._options = options
        self._short = short
        self._func = func
        self._am = am
        self._se = am.get(ScalarEvolution, func)
        self._facts = am.get(LoopFacts, func)
        self._sizes = LoopSizes(self._se)
        self._expander = Expander(self._se, Constants(func))

    def in_full(self, loop: Loop) -> _Plan | None:
        """The plan of full unrolling; None if the loop is not unrolled, which a remark may
        report.
        """
        request = unroll_pragma(loop)
        if request.never or not self._facts.is_simplified(loop):
            return None
        found = self._full_unrolling(loop, request)
        if not found or self._facts.why_not_copied(loop) is not None:
            return None
        if isinstance(found, _Plan):
            return found
        self._miss(loop, "NotFullyUnrolled", found)
        return None

    def in_part(self, loop: Loop) -> _Plan | None:
        """The plan of peeling or partial unrolling; None if the loop is not changed."""
        request = unroll_pragma(loop)
        if request.never or not self._facts.is_simplified(loop):
            return None
        found = self._peeling(loop, request) or self._partial_unrolling(loop, request)
        if self._facts.why_not_copied(loop) is not None:
            return None
        if isinstance(found, _Plan):
            return found
        self._miss(loop, "NotUnrolled", found)
        return None

    def for_loads(self, loop: Loop) -> _Plan | None:
        """Partial unrolling to overlap loads; None if that is not profitable."""
        if self._facts.why_not_copied(loop) is not None or not self._facts.is_simplified(loop):
            return None
        if loop.header in self._short:
            return _Plan(loop, _Kind.UP_TO, self._short[loop.header])
        if unroll_pragma(loop) != UnrollPragma():
            return None
        found = self._for_loads(loop)
        if isinstance(found, _Plan):
            return found
        self._miss(loop, "NotUnrolled", found)
        return None

    def _for_loads(self, loop: Loop) -> _Plan | str:
        """Unrolling of a loop with loads by a small factor, or the reason against it."""
        count = 1 << max(self._options.unroll_loads_count, 2).bit_length() - 1
        if not loop.is_innermost():
            return "it contains loops"
        if self._se.trip_count(loop) is not None:
            return "ptxas unrolls loops with a constant trip count"
        size = self._sizes.of(loop)
        if size.is_convergent:
            return "it contains convergent ops"
        if size.has_calls:
            return "it calls functions"
        if size.size > LOADS_UNROLL_SIZE:
            return f"it has more than {LOADS_UNROLL_SIZE} ops"
        ops = [op for block in loop.blocks for op in fast.ops_of(block)]
        if any(map(_is_division, ops)):
            return "it divides integers, and ptxas computes the reciprocal before each copy of it"
        loads = [
            op
            for op in ops
            if type(op) is LoadOp and not loop.is_invariant(fast.operands_of(op)[0])
        ]
        overlaps = self._loads_overlap(loads, ops) or _counts_for_atomics(size, ops)
        if not overlaps and not loads:
            return "it has no load whose address changes between iterations"
        counted: CountedLoop | BoundedLoop | str | None = None
        breaks = len(self._facts.exiting_blocks(loop)) > 1
        if breaks and size.size > LOADS_STRAIGHT_SIZE:
            return f"it has several exits and more than {LOADS_STRAIGHT_SIZE} ops"
        if self._why_no_runtime(loop, breaks=breaks) is None:
            counted = bounded_loop(loop, count, self._se)
        if breaks and counted is not None and not isinstance(counted.step, int):
            return "it has several exits, and its step is not a constant"
        if counted is None:
            counted = self._counted(loop, count, size)
        if isinstance(counted, str):
            return counted
        if not overlaps and not isinstance(counted.step, int):
            return "no load can overlap with the previous iteration, and the step is not a constant"
        if _is_product_with(_GRID_SIZE, counted.step):
            return "its step contains the number of blocks: most threads have few iterations"
        if isinstance(counted, BoundedLoop) and self._shares_few(counted):
            most = FEW_ROUNDS_OF_BLOCK
            return f"its step contains the size of the block, and its bound is at most {most}"
        # A counter that wraps may run more iterations than a group after the last whole group.
        ends = isinstance(counted, CountedLoop) or not counted.may_wrap
        pressure = self._am.get(RegisterPressure, self._func)
        live = max(pressure.of_block(block).registers for block in loop.blocks)
        if live > LOADS_UNROLL_RP_LIMIT:
            return f"{live} registers are live in it, too many to unroll"
        return _Plan(
            loop,
            _Kind.RUNTIME,
            count,
            counted=counted,
            leaves_loop=_may_gain_again(loads, loop, counted, count, size.size)
            and not self._runs_fewer_than(count * PTXAS_FACTOR, loop, counted),
            is_straight=ends and size.size <= LOADS_STRAIGHT_SIZE,
        )

    def _runs_fewer_than(self, rounds: int, loop: Loop, counted: CountedLoop | BoundedLoop) -> bool:
        """Whether a branch before the loop limits it to this number of iterations, as in

        if (n - i < 8)
          for (; i < n; i++)
        """
        se, preheader = self._se, loop.preheader()
        assert preheader is not None
        if isinstance(counted, CountedLoop):
            one = se.expressions.constant(counted.width, 1)
            distance, limit = se.expressions.add(counted.taken, one), rounds
        elif isinstance(counted.step, int):
            ((_, starts),) = branches.edges_of(branches.terminator_of(preheader))
            start, bound = se.get(starts[counted.counter.index]), se.get(counted.bound)
            first, last = (start, bound) if counted.step > 0 else (bound, start)
            distance, limit = se.expressions.sub(last, first), rounds * abs(counted.step)
        else:
            return False
        if limit >> distance.width:
            return True
        return se.is_guarded(loop, ULT, distance, se.expressions.constant(distance.width, limit))

    def _shares_few(self, counted: BoundedLoop) -> bool:
        """Whether the threads of a block share few iterations.

        With 256 threads most have one or two.
        """
        most = constant_integer(counted.bound)
        return (
            most is not None
            and most <= FEW_ROUNDS_OF_BLOCK
            and _is_product_with(_BLOCK_SIZE, counted.step)
        )

    def _loads_overlap(self, loads: Iterable[Operation], ops: Iterable[Operation]) -> bool:
        """Whether one of the loads may be moved before the stores of the previous iteration."""
        alias = self._am.get(AliasAnalysis, self._func)
        writers = [op for op in ops if effects(op) & WRITES]
        for op in loads:
            location = alias.location(op)
            assert location is not None
            if not any(alias.mod_ref(writer, location) & WRITES for writer in writers):
                return True
        return False

    def _full_unrolling(self, loop: Loop, request: UnrollPragma) -> _Plan | str:
        """The copies that replace the loop, or the reason against it; empty without a request."""
        kind = _Kind.FULL
        rounds = self._se.trip_count(loop)
        if rounds is None:
            kind = _Kind.UP_TO
            rounds = self._useful_trip_count_bound(loop, request)
            # The tests remain: threads would reconverge at other ops than in the loop.
            if rounds is not None and self._sizes.of(loop).is_convergent:
                rounds = None
        if rounds is None:
            return "its trip count is not a constant" if request.full or request.count else ""
        if request.count and request.count < rounds:
            return ""
        size, folding = self._sizes.of(loop), self._sizes.folding(loop)
        limit = self._limit(request, size, folding, rounds)
        # As in LLVM an iteration counts as at least one op. If all ops of an iteration fold, the
        # values after the loop are computed from the trip count (`indvars`), and the loop is
        # deleted.
        unrolled = max(size.size - folding.folded, 1) * rounds
        if unrolled > limit:
            return f"it would become {unrolled} ops, more than the limit of {limit}"
        if size.size * rounds > MAX_COPIED_OPS:
            return (
                f"{size.size * rounds} ops would be copied, more than the limit of {MAX_COPIED_OPS}"
            )
        return _Plan(loop, kind, rounds)

    def _limit(self, request: UnrollPragma, size: LoopSize, folding: Folding, rounds: int) -> int:
        """Maximum size, in ops, of the loop after full unrolling, which a count requests if it
        reaches `rounds`."""
        if request.full or request.count:
            return self._options.pragma_unroll_threshold
        limit = self._options.threshold * min(max(size.array, 1), MAX_ARRAY_FACTOR)
        kept = size.size - folding.folded
        if kept and rounds <= self._options.unroll_max_iteration_count_to_analyze:
            percent = min(100 * size.size // kept, self._options.unroll_max_percent_threshold_boost)
            limit = max(limit, self._options.threshold * percent // 100)
        if folding.is_private:
            limit = max(limit, self._options.unroll_threshold_private)
        return limit

    def _useful_trip_count_bound(self, loop: Loop, request: UnrollPragma) -> int | None:
        """Maximum upper bound of the trip count of a loop with other exits, if unrolling by it is
        useful."""
        se = self._se
        limits = [se.exit_limit(loop, block).exact for block in self._facts.exiting_blocks(loop)]
        exact = [limit.constant for limit in limits if limit.kind is Kind.CONSTANT]
        if exact and min(exact) < MAX_ANALYZED_ITERATIONS:
            return min(exact) + 1
        most = se.constant_max_backedge_taken_count(loop)
        options = self._options
        limit = options.unroll_max_upperbound
        if request.full:
            limit = max(limit, options.pragma_unroll_max_upperbound)
        return most + 1 if most is not None and most < limit else None

    def _peeling(self, loop: Loop, request: UnrollPragma) -> _Plan | None:
        """First iterations to peel because that simplifies the loop."""
        options = self._options
        if request.count or not options.unroll_allow_peeling:
            return None
        size = self._sizes.of(loop)
        if size.is_convergent:
            return None
        if options.unroll_peel_count:
            return _Plan(loop, _Kind.PEELED, options.unroll_peel_count)
        if not loop.is_innermost():
            return None
        most = min(options.unroll_peel_max_count, options.threshold // max(size.size, 1) - 1)
        count = iterations_to_peel(loop, self._se, most)
        trips = self._se.constant_max_backedge_taken_count(loop)
        if not count or (trips is not None and trips < 2 * count):
            return None
        return _Plan(loop, _Kind.PEELED, count)

    def _partial_unrolling(self, loop: Loop, request: UnrollPragma) -> _Plan | str:
        """Partial unrolling by the requested factor or the thresholds; or the reason against it."""
        options = self._options
        kept = 0 if request.count or options.unroll_count else self._kept_count(loop)
        if kept:
            return _Plan(loop, _Kind.PARTIAL, kept, self._leaves(loop, kept))
        asked = request.count or options.unroll_count or self._periodic_count(loop)
        if not (asked or options.unroll_allow_partial or options.unroll_runtime):
            return "partial unrolling is left to ptxas"
        if not asked and not loop.is_innermost():
            return "it contains loops"
        size = self._sizes.of(loop)
        if not asked and size.has_calls:
            return "it calls functions"
        count = asked or options.unroll_max_count
        limit = options.pragma_unroll_threshold if asked else options.unroll_partial_threshold
        most = (limit - LOOP_OVERHEAD) // max(size.size - LOOP_OVERHEAD, 1)
        if asked:
            count = min(count, most)
        while count > max(most, 1):
            count //= 2
        if count < 2:
            return f"two iterations of {size.size} ops exceed the limit of {limit} ops"
        multiple = self._se.trip_multiple(loop)
        if options.unroll_allow_partial or asked:
            fitting = count
            while fitting > 1 and multiple % fitting:
                fitting = 0 if asked else fitting // 2
            if fitting > 1:
                return _Plan(loop, _Kind.PARTIAL, fitting, self._leaves(loop, fitting))
        if not (options.unroll_runtime or asked) or not options.unroll_allow_remainder:
            return "its trip count is not known to be a multiple of the unroll factor"
        if not asked and size.size > options.runtime_unroll_threshold:
            return f"its body has more than {options.runtime_unroll_threshold} ops"
        copies, count = count, 1 << (count.bit_length() - 1)
        counted = self._counted(
            loop, count, size, budget=inf if request.count else EXPANSION_BUDGET
        )
        if isinstance(counted, str):
            if request.count and not size.is_convergent:
                # Every copy keeps its tests.
                return _Plan(loop, _Kind.PARTIAL, copies)
            return counted
        return _Plan(loop, _Kind.RUNTIME, count, counted=counted)

    def _periodic_count(self, loop: Loop) -> int:
        """The unroll factor that makes low bits of counters invariant; 0 if there are none.

        It divides the trip count, and the unrolled loop is within the threshold of full unrolling.
        """
        size, multiple = self._sizes.of(loop), self._se.trip_multiple(loop)
        if not loop.is_innermost() or size.has_calls:
            return 0
        period = period_of_low_bits(loop, self._se)
        count = PERIODIC_UNROLL_MAX_COUNT
        while count >= period and (multiple % count or count * size.size > self._options.threshold):
            count //= 2
        return count if 1 < period <= min(count, MAX_PERIOD) else 0

    def _kept_count(self, loop: Loop) -> int:
        """The unroll factor of a loop with a constant trip count, or bound of it, that ptxas does
        not unroll; 0 for other loops.

        It divides the trip count, and the unrolled loop is within the threshold of full unrolling.
        """
        size = self._sizes.of(loop)
        if not loop.is_innermost() or size.is_convergent:
            return 0
        exits = self._facts.exiting_blocks(loop)
        limits = [self._se.exit_limit(loop, block).exact for block in exits]
        most = min((limit.constant for limit in limits if limit.kind is Kind.CONSTANT), default=0)
        ops = (op for block in loop.blocks for op in fast.ops_of(block))
        if not most or (len(exits) == 1 and not any(map(_is_branch_in_machine_code, ops))):
            return 0
        count = self._options.unroll_max_count
        while count > 1 and ((most + 1) % count or count * size.size > self._options.threshold):
            count //= 2
        return count if count > 1 else 0

    def _leaves(self, loop: Loop, count: int) -> dict[Block, int]:
        """By exiting block, the only copy of the unrolled body in which it may leave the loop.

        If the limit of the only exit is not constant, `count` divides the trip count.
        """
        found: dict[Block, int] = {}
        exiting = self._facts.exiting_blocks(loop)
        for block in exiting:
            if type(branches.terminator_of(block)) is not CondBrOp:
                continue
            limit = self._se.exit_limit(loop, block).exact
            if limit.kind is Kind.CONSTANT:
                found[block] = limit.constant % count
            elif len(exiting) == 1:
                found[block] = count - 1
        return found

    def _counted(
        self, loop: Loop, count: int, size: LoopSize, *, budget: float = EXPANSION_BUDGET
    ) -> CountedLoop | str:
        """The trip count of a loop whose only exit is its latch, if its cost is within the budget.

        As in LLVM (`AllowExpensiveTripCount`), a pragma with a count has no budget.
        """
        reason = self._why_no_runtime(loop)
        if reason is not None:
            return reason
        se, preheader = self._se, loop.preheader()
        assert preheader is not None
        taken = se.backedge_taken_count(loop)
        if taken is se.could_not_compute:
            return "its trip count is not known"
        most = se.constant_max_backedge_taken_count(loop)
        if most is not None and most < count:
            return f"it runs at most {most + 1} iterations"
        if size.is_convergent and not self._is_uniform(taken):
            return "it contains convergent ops, and its trip count may differ between threads"
        cost = self._expander.cost(taken, preheader)
        if cost is None or cost > budget:
            return "its trip count is costly to compute"
        for argument in loop.header.args:
            at = se.get(argument) if integer_width(argument.type) == taken.width else None
            if at is None or not at.is_affine or at.loop is not loop:
                continue
            if at.step.kind is not Kind.CONSTANT:
                continue
            step = at.step.signed
            if (step % 2 or at.flags & NW) and may_be_tested(argument, loop, se):
                return CountedLoop(taken, taken.width, self._expander, argument, step)
        return CountedLoop(taken, taken.width, self._expander)

    def _why_no_runtime(self, loop: Loop, *, breaks: bool = False) -> str | None:
        """The reason why the trip count cannot be tested before a simplified loop.

        Arguments:
            breaks: whether the loop may have exits besides the latch.
        """
        latch, exiting = loop.latch(), self._facts.exiting_blocks(loop)
        assert latch is not None
        if exiting != [latch] and not breaks:
            return "its latch is not its only exit"
        if latch not in exiting or type(branches.terminator_of(latch)) is not CondBrOp:
            return "it does not end in a conditional branch"
        if self._facts.effects(loop) & MAY_NOT_RETURN:
            # The test may depend on values that are only undefined because of the test at the
            # latch.
            return "it may not terminate"
        return None

    def _is_uniform(self, expression: Scev) -> bool:
        """Whether an expression is the same in all threads of a warp."""
        if not self._options.unroll_runtime_convergent:
            return False
        uniformity = self._am.get(Uniformity, self._func)
        return all(
            part.kind is not Kind.ADD_REC
            and (part.value is None or uniformity.is_uniform(part.value))
            for part in expression.walk()
        )

    def _miss(self, loop: Loop, name: str, reason: str) -> None:
        if remarks.wanted():
            remarks.emit(
                "Missed", self._options.name, name, symbol_name(self._func) or "",
                f"loop not unrolled: {reason}", op=loop.header.last_op,
            )  # fmt: skip


_GRID_SIZE: Final = (GridDimXOp, GridDimYOp, GridDimZOp)
_BLOCK_SIZE: Final = (BlockDimXOp, BlockDimYOp, BlockDimZOp)


def _is_product_with(sizes: tuple[type[Operation], ...], step: SSAValue | int) -> bool:
    """Returns True if a step is a product of which a factor is a special register of `sizes`."""
    pending = [step]
    while pending:
        op = None if isinstance(value := pending.pop(), int) else value.owner
        if isinstance(op, sizes):
            return True
        if isinstance(op, (MulOp, ShlOp, SExtOp, ZExtOp)):
            pending.extend(fast.operands_of(op))
    return False


def _may_gain_again(
    loads: Sequence[Operation],
    loop: Loop,
    counted: CountedLoop | BoundedLoop,
    count: int,
    size: int,
) -> bool:
    """Whether a loop may gain if ptxas unrolls it again after `count` copies.

    With few iterations it gains if more loads overlap: loads are not moved before branches, loads
    from other than global memory return early, and `ENOUGH_LOADS` are enough. Otherwise a small
    loop gains by fewer branches, and a large one if its loads overlap: short conditional blocks are
    predicated, except for stores. A loop of atomic operations has no loads.
    """
    if not loads:
        return True
    is_short = _has_loaded_bound(counted)
    if not is_short and size < LEAST_MARKED_SIZE:
        return True
    ends = (branches.terminator_of(block) for block in loop.blocks if block is not loop.latch())
    is_conditional = any(len(end.successors) > 1 for end in ends)
    spaces = [pointer_space(fast.operands_of(op)[0].type) for op in loads]
    found = count * sum(space in (GENERIC, GLOBAL) for space in spaces)
    if is_short:
        return not is_conditional and 0 < found < ENOUGH_LOADS
    stores = any(type(op) is StoreOp for block in loop.blocks for op in fast.ops_of(block))
    return found > 0 and not (is_conditional and stores)


def _has_loaded_bound(counted: CountedLoop | BoundedLoop) -> bool:
    """Whether the number of iterations is read from memory, as of a list of neighbors or a row of a
    sparse matrix. Such loops have few iterations."""
    if isinstance(counted, BoundedLoop):
        values = [counted.bound]
    else:
        values = [part.value for part in counted.taken.walk() if part.value is not None]
    return any(type(value.owner) is LoadOp for value in values)


def _is_division(op: Operation) -> bool:
    """Whether ptxas computes a reciprocal for the op, which takes longer than the counter and the
    test of a loop."""
    return type(op) in DIVISIONS and constant_integer(fast.operands_of(op)[1]) is None


def _is_branch_in_machine_code(op: Operation) -> bool:
    """Whether ptxas branches to a slow path of the op, for which it does not unroll a loop."""
    if type(op) is FDivOp:
        return True
    return type(op) is CallIntrinsicOp and ".sqrt.r" in intrinsic_name(op)


def _counts_for_atomics(size: LoopSize, ops: Iterable[Operation]) -> bool:
    """Whether the counter and its test are a large share of a loop with atomic operations, which
    ptxas does not unroll.

    Atomic operations on floats in shared memory are loops in machine code, and do not count.
    """
    atomics = [op for op in ops if type(op) is AtomicRMWOp or _is_atomic_intrinsic(op)]
    return (
        size.size <= LOADS_STRAIGHT_SIZE
        and bool(atomics)
        and all(
            integer_width(value.type) or pointer_space(pointer.type) != SHARED
            for pointer, value in (fast.operands_of(op)[:2] for op in atomics)
        )
    )


def _is_atomic_intrinsic(op: Operation) -> bool:
    return type(op) is CallIntrinsicOp and intrinsic_name(op).startswith("llvm.nvvm.atomic.")


def period_of_low_bits(loop: Loop, se: ScalarEvolution) -> int:
    """Number of iterations after which the low bits of counters that the loop tests repeat, such as
    the 2 of `(i + x) & 1`; 1 if it tests none.
    """
    period = 1
    for block in loop.blocks:
        for op in fast.ops_of(block):
            mask = constant_unsigned(fast.operands_of(op)[1]) if type(op) is AndOp else None
            if not mask:
                continue
            counter = se.get(fast.operands_of(op)[0])
            if counter.is_affine and counter.loop is loop and counter.step.kind is Kind.CONSTANT:
                values = 1 << mask.bit_length()
                period = max(period, values // gcd(values, counter.step.constant))
    return period


def iterations_to_peel(loop: Loop, se: ScalarEvolution, most: int) -> int:
    """Number of iterations after which header arguments become invariant, or comparisons are
    decided.
    """
    if most <= 0:
        return 0
    latch = loop.latch()
    assert latch is not None
    edges = branches.edges_of(branches.terminator_of(latch))
    backedges = [values for block, values in edges if block is loop.header]
    if len(backedges) != 1:
        # Both edges of the latch's branch lead to the header, possibly with different values.
        return 0
    (again,) = backedges
    found = 0
    for argument in loop.header.args:
        value, seen = again[argument.index], {argument}
        while isinstance(value, BlockArgument) and value.block is loop.header and value not in seen:
            seen.add(value)
            value = again[value.index]
        if loop.is_invariant(value) and len(seen) <= most:
            found = max(found, len(seen))
    exiting = set(loop.exiting_blocks())
    for block in loop.blocks:
        terminator = branches.terminator_of(block)
        conditions: list[Operation] = [op for op in fast.ops_of(block) if isinstance(op, SelectOp)]
        if isinstance(terminator, CondBrOp) and block not in exiting:
            conditions.append(terminator)
        for op in conditions:
            condition = fast.operands_of(op)[0]
            if isinstance(condition, OpResult) and isinstance(condition.op, ICmpOp):
                found = max(found, _iterations_until_decided(condition.op, loop, se, most))
    return found


def _iterations_until_decided(op: ICmpOp, loop: Loop, se: ScalarEvolution, most: int) -> int:
    """Number of iterations after which a comparison of a counter is invariant; 0 if that takes too
    many.
    """
    a, b = fast.operands_of(op)
    predicate, left, right = predicate_of(op), se.get(a), se.get(b)
    if not left.is_affine:
        predicate, left, right = SWAPPED[predicate], right, left
    if left.loop is not loop or right.kind is not Kind.CONSTANT:
        return 0
    if left.step.kind is not Kind.CONSTANT or left.start.kind is not Kind.CONSTANT:
        return 0
    width, trips = left.width, se.constant_max_backedge_taken_count(loop)
    flags = NSW if predicate in (SLT, SLE, SGT, SGE) else NUW
    if predicate in (EQ, NE):
        # The values are equal once, unless the counter wraps.
        flags = NW
    if not left.flags & flags and (trips is None or trips >> (width - 1)):
        return 0
    values = [
        ConstantRange.single(width, left.start.constant + left.step.constant * n)
        for n in range(most + 2)
    ]
    bound = ConstantRange.single(width, right.constant)
    held = [value.icmp(predicate, bound) for value in values]
    for count in range(1, most + 1):
        if held[count - 1] is not held[count] and all(h is held[count] for h in held[count:]):
            return count
    return 0
