"""`remat`: recomputes cheap values at their uses to save registers.

      %a = llvm.add %n, %four : i32                   ...
      ...                                           ^busy:              more registers than there are
    ^busy:                                            ...
      ...                                    ->     ^use:
    ^use:                                             %remat_a = llvm.add %n, %four : i32
      llvm.store %a, %p : i32, !llvm.ptr<1>           llvm.store %remat_a, %p : i32, !llvm.ptr<1>

NVVMRematerialization, as described on its page, in five steps:

1. Iterations, at most five, while more registers are live at some point than the target. Values
  live into the blocks of these points are candidates if all ops that compute them are cheap and may
  be duplicated; ops with one use are cloned together with their user. A candidate is profitable if
  the operands of its clones occupy fewer registers than the value. Its cost is the sum of its ops'
  costs for each block that uses it, times `remat-loop-trip` for each loop that contains the block
  but not the definition. The cheapest candidates are rematerialized first, until enough registers
  are saved. Clones are named `remat_` if the original is removed, `uclone_` if it is kept.
2. 64-bit loop counters are narrowed to 32 bits (`remat_counters.py`), according to the level of
  `remat-iv`.
3. With `remat-load`, loads from memory that is never written are candidates of a separate
  iteration: constant memory, constant variables, parameters, and memory behind a restrict pointer
  through which the function only reads.
4. With `remat-add`, which is off by default, products and sums that differ by a multiple of one
  stride become one addition each (`analysis/values/stride_reuse.py`); multiples of the stride are
  named `factor`. `slsr`, which runs after this pass, does the same.
5. With `simplify-live-out`, a 64-bit value of which other blocks use only the low half is truncated
  in its own block.

The target is the kernel's own limit: `nvvm.maxnreg`, or the registers per thread that its bounds of
threads and blocks allow. Otherwise it is `-maxrregcount`, or else `remat-for-occ` registers, or, if
that is 0, 80% of the current pressure. `remat-maxreg-ceiling` limits the target. The register
counts are those of `print<rpa>`; ptxas's counts differ.

With 32 registers, Numba's local_sort spills nothing (280 bytes without this pass, 168 in libNVVM's
code) and its mandel_kernel 64 bytes (32 and 92); with 40 registers local_sort spills nothing (136
and 48). Few kernels are near their limit: none of the others spills.

Benefit: without a limit of registers disabling it changes no kernel's machine code; with 32, two
kernels spill 64 bytes instead of 312, and one takes 22 registers (24 with `remat-iv=0`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.dialects.llvm import (
    AllocaOp,
    BitcastOp,
    FDivOp,
    FRemOp,
    FuncOp,
    GEPOp,
    InlineAsmOp,
    IntToPtrOp,
    LoadOp,
    MulOp,
    PtrToIntOp,
    SDivOp,
    SRemOp,
    TruncOp,
    UDivOp,
    URemOp,
)
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import (
    RegisterPressure,
    registers_at_most,
    registers_of,
)
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_invariant_load
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.values.special_registers import VOLATILE, special_register
from nvvm_xdsl.analysis.values.stride_reuse import ProductSteps
from nvvm_xdsl.dialects.effects import ARGUMENTS_ONLY, READS, UNSPECULATABLE, effects
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.rematerialize import (
    Candidate,
    blocks_elsewhere,
    candidate_of,
    pull_in,
    stated_registers,
)

ROUNDS = 5
"""Maximum number of iterations of the first step."""

LIVE_LIMIT = 50_000
"""Maximum number of values live into blocks, summed over the blocks of a function. The time to
compute the register pressure is proportional to it."""

CHAIN_LIMIT = 8
"""Maximum number of ops that are cloned together."""

CONSERVATIVE, NORMAL, FULL = 1, 2, 3
"""Levels of `do-remat`: values outside of loops, all values, and chains of ops."""

_MOVES: tuple[type[Operation], ...] = (BitcastOp, IntToPtrOp, PtrToIntOp)
_NOT_DUPLICATED = frozenset({AllocaOp, InlineAsmOp, FreezeOp})
"""Ops of which each execution may have another result: two `freeze` of poison may differ."""

_COSTS: dict[type[Operation], int] = {
    MulOp: 2,
    GEPOp: 2,
    SDivOp: 40,
    UDivOp: 40,
    SRemOp: 40,
    URemOp: 40,
    FDivOp: 40,
    FRemOp: 40,
}
"""Number of instructions of an op; 1 for others."""


@dataclass(frozen=True)
class Rematerialization(FunctionPass):
    """Recomputes values at their uses where too many registers are live.

    Arguments:
        do_remat: 0 disables the pass; 1 excludes values that would move into a deeper loop; 2 also
            includes these, as single ops; 3 also clones chains of ops.
        no_remat: comma-separated names of functions that are not changed.
        remat_iv: 0 narrows no loop counters; 1 to 3 narrow only counters with certain uses
            (`remat_counters.py`); 4 narrows all that fit.
        remat_add: whether sums and products are computed from others by adding a multiple of their
            stride.
        remat_load: whether loads may be duplicated.
        remat_load_param: whether loads through pointer parameters may be duplicated.
        remat_single_cost_limit: maximum cost of one value.
        remat_ignore_single_cost: disables `remat_single_cost_limit`.
        remat_loop_trip: assumed number of iterations of a loop.
        remat_gep_cost: maximum cost of an address.
        remat_use_limit: maximum number of uses of a value that is recomputed in a loop.
        remat_max_live_limit: functions in which at most this many values are live into each block
            are not changed.
        remat_maxreg_ceiling: maximum target, in registers; 0 for no maximum.
        maxrregcount: target for functions without a limit of their own, in registers; 0 for none.
        remat_for_occ: target if `maxrregcount` is 0, in registers; 0 for 80% of the pressure.
        remat_lli_factor: cost of an op with a long latency.
        remat_move: whether values that are only moved or renamed are candidates.
        simplify_live_out: 0 disables the truncation of values that are live out of a block.
            dump_remat, dump_remat_add, dump_remat_iv, dump_remat_load, dump_simplify_live_out:
            report changes.
    """

    name = "remat"
    title = "Rematerialization"
    phases: ClassVar[frozenset[int]] = frozenset({2})
    # Iterations are limited: a second run performs more of them.
    idempotent = False

    do_remat: int = FULL
    no_remat: str = ""
    remat_iv: int = 4
    remat_add: int = 0
    remat_load: bool = True
    remat_load_param: bool = True
    remat_single_cost_limit: int = 6000
    remat_ignore_single_cost: bool = False
    remat_loop_trip: int = 20
    remat_gep_cost: int = 6000
    remat_use_limit: int = 10
    remat_max_live_limit: int = 10
    remat_maxreg_ceiling: int = 0
    maxrregcount: int = 0
    remat_for_occ: int = 120
    remat_lli_factor: int = 10
    remat_move: bool = False
    simplify_live_out: int = 2
    dump_remat: bool = False
    dump_remat_add: bool = False
    dump_remat_iv: bool = False
    dump_remat_load: bool = False
    dump_simplify_live_out: bool = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not self.do_remat:
            return False
        if func.sym_name.data in self.no_remat.split(","):
            self.tell(func, f"Skip rematerialization on {func.sym_name.data}", self.dump_remat)
            return False
        liveness = self.liveness(func, am)
        changed = liveness is not None and self.recompute(func, am, liveness, loads=False)
        if self.remat_iv and am.get(LoopInfo, func).top_level:
            # Most functions have no loop, and importing ScalarEvolution is slow.
            from nvvm_xdsl.passes.nvidia.registers.remat_counters import demote_counters

            count = demote_counters(func, am, self.remat_iv)
            if count:
                self.tell(func, f"{count} counters in 32 bits", self.dump_remat_iv)
                am.invalidate(func, self.preserved())
                changed = True
        if self.remat_load and any(type(op) is LoadOp for op in walk_function(func)):
            liveness = self.liveness(func, am) if changed else liveness
            changed |= liveness is not None and self.recompute(func, am, liveness, loads=True)
        if self.remat_add:
            count = ProductSteps(Constants(func), "factor").run(am.get(CFG, func).rpo_blocks())
            if count:
                self.tell(func, f"{count} products and sums are a step", self.dump_remat_add)
                am.invalidate(func, self.preserved())
                changed = True
        if self.simplify_live_out:
            changed |= self.narrow_live_out(func, am)
        return changed

    def tell(self, func: FuncOp, text: str, dump: bool) -> None:
        """Reports findings or changes."""
        remarks.emit("Passed", self.name, "Remat", func.sym_name.data, text, shown=dump)

    # Rematerialization of values.

    def liveness(self, func: FuncOp, am: AnalysisManager) -> Liveness | None:
        """The live values by point; None if the pressure is within the target, or if the function
        is too large.
        """
        liveness = Liveness(am.get(CFG, func))
        counts = [bits.bit_count() for bits in liveness.live_in_bits]
        if sum(counts) > LIVE_LIMIT or max(counts) <= self.remat_max_live_limit:
            return None
        stated = self.stated_target(func)
        if stated is not None and registers_at_most(liveness, data_layout_of(func)) <= stated:
            return None
        return liveness

    def recompute(
        self, func: FuncOp, am: AnalysisManager, liveness: Liveness, *, loads: bool
    ) -> bool:
        """Runs the iterations of the first step, or the iteration for loads; returns whether any
        value was rematerialized."""
        cfg = liveness.cfg
        dump = self.dump_remat_load if loads else self.dump_remat
        pressure = RegisterPressure(liveness, data_layout_of(func))
        changed = False
        for _ in range(1 if loads else ROUNDS):
            target = self.target(func, pressure.registers)
            if pressure.registers <= target:
                break
            for number, bits in enumerate(pressure.liveness.live_in_bits):
                if dump:
                    text = f"Block {cfg.name(number)}: live-in = {bits.bit_count()}"
                    self.tell(func, text, dump)
            if not _Rematerializer(self, func, am, pressure, target, loads, dump).run():
                break
            changed = True
            before = pressure.registers
            pressure = RegisterPressure(Liveness(cfg), data_layout_of(func))
            if pressure.registers >= before:
                break
        if changed:
            am.invalidate(func, self.preserved())
        return changed

    def target(self, func: FuncOp, registers: int) -> int:
        """The register target of the function."""
        stated = self.stated_target(func)
        return self.under_ceiling(registers * 4 // 5) if stated is None else stated

    def stated_target(self, func: FuncOp) -> int | None:
        """The register target if it does not depend on the current pressure."""
        stated = stated_registers(func)
        if stated is None:
            stated = self.maxrregcount or self.remat_for_occ or None
        return None if stated is None else self.under_ceiling(stated)

    def under_ceiling(self, target: int) -> int:
        """Limits a register target to `remat_maxreg_ceiling`, if that is not 0."""
        ceiling = self.remat_maxreg_ceiling
        return min(target, ceiling) if ceiling else target

    # Truncation of values that are live out of a block.

    def narrow_live_out(self, func: FuncOp, am: AnalysisManager) -> bool:
        """Truncates values in their block if other blocks use only the low half."""
        changed = False
        for block in am.get(CFG, func).rpo_blocks():
            for op in list(fast.ops_of(block)):
                if len(op.results) == 1 and integer_width(op.results[0].type) == 64:
                    changed |= self.narrow(func, op)
        return changed

    def narrow(self, func: FuncOp, op: Operation) -> bool:
        """Truncates one value; returns whether it did."""
        (value,) = op.results
        outside = [user for user in fast.users_of(value) if user.parent is not op.parent]
        if not outside or type(op) in CONSTANT_CLASSES or op.next_op is None:
            return False
        (first, *others) = outside
        if any(
            type(user) is not TruncOp or user.results[0].type is not first.results[0].type
            for user in outside
        ):
            return False
        if integer_width(first.results[0].type) > 32:
            return False
        low = TruncOp(value, first.results[0].type)
        low.properties.pop("overflowFlags", None)
        low.res.name_hint = "nloNewBit"
        fast.insert_after(low, op)
        for user in (first, *others):
            fast.replace_op(user, low.results)
        text = f"{value_name(value)} leaves its block in 32 bits"
        self.tell(func, text, self.dump_simplify_live_out)
        return True


@dataclass
class _Rematerializer:
    """One iteration of rematerialization."""

    knobs: Rematerialization
    func: FuncOp
    am: AnalysisManager
    pressure: RegisterPressure
    target: int
    loads: bool
    dump: bool
    cost_of: dict[Operation, int | None] = field(default_factory=dict[Operation, "int | None"])

    def run(self) -> bool:
        """Runs one iteration; returns whether a value was rematerialized."""
        self.loops = self.am.get(LoopInfo, self.func)
        self.alias = self.am.get(AliasAnalysis, self.func)
        # A kernel's parameters are in constant memory, which instructions access directly.
        self.parameters = frozenset(self.func.body.blocks[0].args if is_kernel(self.func) else ())
        missing = self.pressure.registers - self.target
        chosen: dict[SSAValue, Candidate] = {}
        needed: set[SSAValue] = set()
        total = 0
        for candidate in sorted(self.candidates(), key=lambda c: (c.cost / c.saved, c.cost)):
            if missing <= 0:
                break
            # Operands of a clone must not be rematerialized.
            if candidate.value in needed or not chosen.keys().isdisjoint(candidate.needs):
                continue
            chosen[candidate.value] = candidate
            needed.update(candidate.needs)
            missing -= candidate.saved
            total += candidate.cost
        self.knobs.tell(self.func, f"Total pull-in cost = {total}", self.dump)
        for candidate in chosen.values():
            users = fast.users_of(candidate.value)
            stays = any(user.parent is candidate.value.op.parent for user in users)
            pull_in(candidate, "uclone_" if stays else "remat_")
        # Chains may share ops: nothing is erased before all are cloned.
        left = dict.fromkeys(op for candidate in chosen.values() for op in candidate.chain)
        pending = list(left)
        while pending:
            op = pending.pop()
            if op in left and op.results[0].first_use is None:
                del left[op]
                pending += [v.op for v in fast.operands_of(op) if isinstance(v, OpResult)]
                fast.erase(op)
        return bool(chosen)

    def candidates(self) -> Iterator[Candidate]:
        """The values that are live through a block with too many registers and may be
        recomputed."""
        crowded = (
            block
            for block, pressure in zip(self.pressure.cfg.blocks, self.pressure.blocks)
            if pressure.registers > self.target
        )
        for value in self.pressure.liveness.crossing(crowded):
            candidate = self.candidate(value)
            if candidate is not None and self.pays(candidate):
                yield candidate

    def candidate(self, value: SSAValue) -> Candidate | None:
        """The ops that recompute the value; None if it cannot be recomputed."""
        if not isinstance(value, OpResult) or self.cost(value.op) is None:
            return None
        op = value.op
        if self.loads != (type(op) is LoadOp):
            return None
        if type(op) in _MOVES and not self.knobs.remat_move:
            return None
        blocks = blocks_elsewhere(value)
        return candidate_of(value, blocks, lambda v: self.is_pulled_in(v, blocks), CHAIN_LIMIT)

    def is_pulled_in(self, operand: OpResult, blocks: Iterable[Block]) -> bool:
        """Returns True if the op of an operand is cloned, too."""
        if type(operand.op) in CONSTANT_CLASSES:
            return False
        if self.knobs.do_remat < FULL or self.cost(operand.op) is None:
            return False
        is_live_in = self.pressure.liveness.is_live_in
        if all(is_live_in(operand, block) or operand.op.parent is block for block in blocks):
            return False
        return fast.single_use(operand) is not None or type(operand.op) is not LoadOp

    def cost(self, op: Operation) -> int | None:
        """The cost of the op; None if it must not be duplicated."""
        if op not in self.cost_of:
            self.cost_of[op] = self.find_cost(op)
        return self.cost_of[op]

    def find_cost(self, op: Operation) -> int | None:
        """The cost of computing the op again; None if that is not allowed."""
        cls = type(op)
        if len(op.results) != 1 or cls in CONSTANT_CLASSES or fast.successors_of(op):
            return None
        if cls in _NOT_DUPLICATED or op.regions:
            return None
        flags = effects(op)
        if flags & ~(READS | ARGUMENTS_ONLY | UNSPECULATABLE):
            return None
        register = special_register(op)
        if register is not None:
            return None if register in VOLATILE else self.knobs.remat_lli_factor
        if flags & READS:
            if cls is not LoadOp or not self.loads:
                return None
            (pointer,) = fast.operands_of(op)
            if not (is_invariant_load(op) or self.alias.points_to_constant_memory(pointer)):
                return None
            if self.is_parameter(pointer) and not self.knobs.remat_load_param:
                return None
            return self.knobs.remat_lli_factor
        if op.name == "llvm.call_intrinsic" or op.name.startswith("llvm.intr."):
            return self.knobs.remat_lli_factor
        return _COSTS.get(cls, 1)

    def is_parameter(self, pointer: SSAValue) -> bool:
        """Returns whether a pointer is based on a pointer parameter with a known address space."""
        base = self.alias.addresses.address(pointer).base
        return not isinstance(base, (str, OpResult)) and self.alias.space(pointer) != 0

    def pays(self, candidate: Candidate) -> bool:
        """Returns True if recomputing saves registers within the limits; sets the cost."""
        knobs = self.knobs
        costs, is_live_in = self.pressure.costs, self.pressure.liveness.is_live_in
        op = candidate.value.op
        grown = sum(
            registers_of(costs.of_value(value))
            for value in candidate.needs
            if value not in self.parameters
            and not all(
                is_live_in(value, block) or _home(value) is block for block in candidate.blocks
            )
        )
        candidate.saved = registers_of(costs.of_value(candidate.value)) - grown
        if candidate.saved <= 0 or not candidate.blocks:
            return False
        base = sum(self.cost(part) or 0 for part in candidate.chain)
        home = self.loops.depth(fast.block_of(op))
        factor = 0
        for block in candidate.blocks:
            deeper = max(self.loops.depth(block) - home, 0)
            if deeper and knobs.do_remat == CONSERVATIVE:
                return False
            factor += knobs.remat_loop_trip**deeper
        candidate.cost = base * factor
        uses = sum(1 for _ in fast.users_of(candidate.value))
        if uses > knobs.remat_use_limit and factor >= knobs.remat_loop_trip:
            return False
        if type(op) is GEPOp and candidate.cost > knobs.remat_gep_cost:
            return False
        return knobs.remat_ignore_single_cost or candidate.cost <= knobs.remat_single_cost_limit


def _home(value: SSAValue) -> Block | None:
    return value.op.parent if isinstance(value, OpResult) else None
