"""`loop-reduce`: replaces address computations in loops by pointers that advance by one addition.

    llvm.br ^loop(%c0 : i32)                         %s = llvm.getelementptr %a[%e] : ... f32
  ^loop(%i: i32):                                    llvm.br ^loop(%c0, %s : i32, !llvm.ptr<1>)
    %k = llvm.add %row, %i overflow<nsw> : i32     ^loop(%i: i32, %p: !llvm.ptr<1>):
    %e = llvm.sext %k : i32 to i64            ->     %x = llvm.load %p : !llvm.ptr<1> -> f32
    %q = llvm.getelementptr %a[%e] : ... f32         ...
    %x = llvm.load %q : !llvm.ptr<1> -> f32          %r = llvm.getelementptr %p[4] : ... i8
    ...                                              llvm.cond_br %more, ^loop(%m, %r), ^exit
    llvm.cond_br %more, ^loop(%m), ^exit

An address is a sum: a pointer, loop-invariant values, and counters times constants
(`analysis/values/linear_address.py`). Accesses whose sums differ by a constant that fits the offset
of an instruction share one pointer; its initial value is computed in the preheader, and each
iteration adds the step of its recurrence in ScalarEvolution. If ptxas unrolls the loop later, the
iterations become offsets too, with one addition for all of them; without this pass, an address with
a 32-bit index that ptxas assumes to wrap is computed again in each iteration.

Pointers that differ by a fraction of a variable step form a chain: each is computed from the
previous one, the last one is the first one of the next iteration, and one register pair suffices.
For `p[(i + k) * w]`, with `k` from 0 to 3 and a step of 4:

    %p1 = llvm.getelementptr %p0[%w4]    %p2 = llvm.getelementptr %p1[%w4]    ...

The sum equals the address only if flags such as `nsw` hold; otherwise the address is poison, and
the access is undefined. Therefore an access need not be executed in the first iteration.

A start that is costly as a sum of 64-bit products is computed by a copy of the address computation,
if the access is executed in the first iteration (`loop_reduce_starts.py`).

A pointer costs an addition and two registers. It is created if that saves instructions, in total
and for each pointer, while registers are available. In a loop that advances by the size of the
grid, which has few iterations, the start and the step count, too. Otherwise loop-invariant terms
are added to the pointer in the preheader if that saves an addition in the loop: the part
`a + 4 sext(row)` of `a + 4 sext(row + i)`. (The sister pages on loop strength reduction,
sub_19CE990, with its knobs, and base address strength reduction, sub_1C67780; LLVM's
LoopStrengthReduce.cpp. Only the part of the described solver that improves machine code is
implemented: pointers of families that share an offset. Formulas with other strides, the median of
costs, and `count-sxt-opt-for-reg-pressure` are not implemented: the extension of a counter is
removed with its address, but the registers that this saves are not counted.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.passes.loop.loop_reduce_addresses import AddressCollector
from nvvm_xdsl.passes.loop.loop_reduce_chains import form_chains
from nvvm_xdsl.passes.loop.loop_reduce_costs import PointerCosts
from nvvm_xdsl.passes.loop.loop_reduce_families import Family
from nvvm_xdsl.passes.loop.loop_reduce_options import LoopReduceOptions
from nvvm_xdsl.passes.loop.loop_reduce_pointers import PointerBuilder
from nvvm_xdsl.transforms.rematerialize import stated_registers

POINTERS = Statistic(
    "loop-reduce", "pointers", "Number of pointers carried from iteration to iteration"
)
BASES = Statistic("loop-reduce", "bases", "Number of pointers computed before a loop")


@dataclass(frozen=True)
class LoopStrengthReduce(LoopPass, LoopReduceOptions):
    """Replaces address computations in loops by pointers that advance by one addition."""

    name = "loop-reduce"
    title = "LoopStrengthReduce"
    phases: ClassVar[frozenset[int]] = frozenset({2})
    takes_all_loops: ClassVar[bool] = True

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg().and_of(ScalarEvolution)

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        return self._run_on([loop], func, am)

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = self._run_on(am.get(LoopInfo, func).innermost_first(), func, am)
        if changed:
            am.invalidate(func, self.preserved())
        return changed

    def _run_on(self, loops: Iterable[Loop], func: FuncOp, am: AnalysisManager) -> bool:
        work = _FunctionReducer(self, func, am)
        changed = False
        for loop in loops:
            if loop.preheader() is not None and loop.latch() is not None and self._is_wanted(loop):
                changed |= work.reduce(loop)
        return changed

    def _is_wanted(self, loop: Loop) -> bool:
        if self.lsr_skip_outer_loop and loop.subloops:
            return False
        return not self.lsr_loop_level or _height(loop) <= self.lsr_loop_level


def _height(loop: Loop) -> int:
    """The depth of the loop nest whose outermost loop this is: 1 for an innermost loop."""
    height, level = 0, [loop]
    while level:
        height += 1
        level = [inner for at in level for inner in at.subloops]
    return height


class _FunctionReducer:
    """The state of one function; inner loops are processed first."""

    def __init__(self, options: LoopStrengthReduce, func: FuncOp, am: AnalysisManager) -> None:
        self.options = options
        self.func = func
        self.am = am
        self.constants = Constants(func)
        self.layout = data_layout_of(func)
        self.grown: Counter[Block] = Counter()
        """The number of registers that the new pointers use, by block."""
        self._pressure: dict[Block, int] | None = None

    def reduce(self, loop: Loop) -> bool:
        """Creates the pointers of a loop; returns whether any was created."""
        se = self.am.get(ScalarEvolution, self.func)
        if self.options.disable_unknown_trip_lsr and (
            se.backedge_taken_count(loop) is se.could_not_compute
        ):
            return False
        preheader, latch = loop.preheader(), loop.latch()
        assert preheader is not None
        assert latch is not None
        collector = AddressCollector(self.options, loop, preheader, se, self.layout)
        found = form_chains(collector.collect(), se.expressions)
        costs = PointerCosts(
            self.options, loop, preheader, se, self.constants, lambda: self.spare_registers(loop)
        )
        families = costs.choose(found)
        pointers = set(map(id, families))
        rest = [family for family in found if id(family) not in pointers]
        based = costs.choose_for_bases(rest, families)
        if not families and not based:
            return False
        se.forget_loop(loop)
        builder = PointerBuilder(loop, preheader, latch, se, self.constants)
        for family in families:
            self._dump(family)
            builder.make_pointer(family)
        for family in based:
            builder.make_base(family)
        for block in loop.blocks:
            self.grown[block] += 2 * (len(families) + len(based))
        POINTERS.add(len(families))
        BASES.add(len(based))
        if remarks.wanted() and families:
            remarks.emit(
                "Passed", self.options.name, "Reduced", symbol_name(self.func) or "",
                f"{len(families)} addresses are carried from iteration to iteration", op=loop.header.last_op,
            )  # fmt: skip
        return True

    def _dump(self, family: Family) -> None:
        offsets = sorted({constant for _, constant in family.accesses})
        remarks.emit(
            "Passed", self.options.name, "BaseAddress", symbol_name(self.func) or "",
            f"base {value_name(family.root)} of {len(family.accesses)} accesses, anchor at "
            f"{offsets[0]}, offsets {', '.join(str(offset - offsets[0]) for offset in offsets)}",
            op=family.accesses[0][0], shown=self.options.dump_base_address_strength_reduce,
        )  # fmt: skip

    def spare_registers(self, loop: Loop) -> int:
        """The number of registers that pointers of a loop may use."""
        return self._register_limit() - self._registers_in(loop)

    def _register_limit(self) -> int:
        """The register limit of a loop: `lsr-rp-limit`, or that of the kernel's launch bounds if it
        is lower.
        """
        stated = stated_registers(self.func) or self.options.maxrregcount
        return min(stated or self.options.lsr_rp_limit, self.options.lsr_rp_limit)

    def _registers_in(self, loop: Loop) -> int:
        """Maximum register pressure of a loop in its current form."""
        if self._pressure is None:
            pressure = self.am.get(RegisterPressure, self.func)
            self._pressure = {
                block: found.registers for block, found in zip(pressure.cfg.blocks, pressure.blocks)
            }
        known = self._pressure
        return max(known.get(block, 0) + self.grown[block] for block in loop.blocks)
