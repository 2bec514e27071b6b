"""Rematerializes values at their uses if too many registers are live.

    ^entry:                                         ^entry:
      %a = nvptx.add s32 %n, 4                        ...
      ...                                           ^busy:              70 registers and more
    ^busy:              70 registers and more   ->    ...
      ...                                           ^use:
    ^use:                                             %b = nvptx.add s32 %n, 4
      nvptx.st global.b32 [%p], %a                    nvptx.st global.b32 [%p], %b

Block rematerialization as described on the pages on `nv-remat-block`. Each iteration examines the
values that are live out of blocks with more live registers than the target, including on edges:

1. Pre-check. Good candidates can be recomputed without register operands, from instructions without
  effects, loads from memory that is never written, and special registers. Candidates with another
  operand get a second chance.
2. Second chance. The candidate is accepted if that operand is live in all blocks that use the
  candidate anyway, so that no live range grows.
3. Costs. An instruction costs 1, and a load `load-cost`. A clone costs `loop-cost-factor` times as
  much for each loop that contains the clone but not the definition, and twice as much if it has a
  64-bit register. Candidates above the limits are excluded.
4. Selection: the cheapest first, until enough registers are saved.
5. Pull-in: clones are inserted before the first use in each block, uses are replaced, and unused
  definitions removed.

The iterations end when the target is met, no candidate is found, or an iteration saves no register.

The target is the kernel's `.maxnreg`; otherwise the registers per thread that its `.maxntid` and
`.minnctapersm` allow on an SM with 65,536 registers; otherwise `-maxrregcount`; otherwise
`nv-remat-default-max-reg`. Runs in SSA form, immediately before PHI elimination. The meaning of the
bits of the knob `nv-remat-block` is undocumented; here 2 enables good candidates, 4 second chances,
8 special registers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure, registers_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.calls import InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.dialects.nvptx.special_registers import MovSregOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import (
    DEFAULT_REGISTERS,
    MachineFunctionPass,
    register_target,
    shares_registers,
)
from nvvm_xdsl.passes.machine.dead_instructions import eliminate_dead_instructions
from nvvm_xdsl.passes.machine.motion import is_movable, reads_changing_memory
from nvvm_xdsl.transforms.rematerialize import Candidate, blocks_elsewhere, candidate_of, pull_in

GOOD_CANDIDATES: Final = 2
SECOND_CHANCES: Final = 4
SPECIAL_REGISTERS: Final = 8


@dataclass(frozen=True)
class NVPTXRematBlock(MachineFunctionPass):
    """Rematerializes values at their uses if too many registers are live."""

    name = "nvptx-remat-block"
    title: ClassVar[str] = "NVPTXRematBlock"

    idempotent: ClassVar[bool] = False
    """False, because the number of iterations is limited and a second run performs more of them."""

    nv_remat_block: int = 14
    """Enabled steps, as bits; 0 for none."""

    nv_remat_max_times: int = 10
    """Maximum number of iterations."""

    nv_remat_block_single_cost: int = 10
    """Maximum cost of one clone."""

    nv_remat_block_map_size_limit: int = 6
    """Maximum number of instructions that are cloned together."""

    nv_remat_block_max_cost: int = 100
    """Maximum cost of all clones of a value."""

    nv_remat_block_loop_cost_factor: int = 20
    """Factor of a clone's cost for each loop that contains the clone but not the definition."""

    maxrregcount: int = 0
    """The target for kernels whose directives state none, in registers; 0 for
    `nv-remat-default-max-reg`.
    """

    nv_remat_default_max_reg: int = DEFAULT_REGISTERS
    """The target if `maxrregcount` is 0, in registers."""

    nv_remat_block_load_cost: int = 10
    """The cost of a load."""

    nv_remat_threshold_for_spec_reg: int = 20
    """Number of live registers above which special registers are read again."""

    nv_dump_remat_block: bool = False
    """Print findings and changes on standard error."""

    no_mi_remat: str = ""
    """Comma-separated names of functions that are not changed."""

    load_remat: bool = True
    """Whether loads from memory that is never written may be duplicated."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not self.nv_remat_block & (GOOD_CANDIDATES | SECOND_CHANCES):
            return False
        if func.symbol in self.no_mi_remat.split(","):
            self.dump(f"Skip machine-instruction rematerialization on {func.symbol}")
            return False
        if shares_registers(func):
            return False
        target = register_target(func) or self.maxrregcount or self.nv_remat_default_max_reg
        if am.get(RegisterPressure, func).registers <= target:
            return False
        changed = False
        for _ in range(self.nv_remat_max_times):
            rematerializer = _BlockRematerializer(
                self, func, RegisterPressure(Liveness(func.body)), target
            )
            if not rematerializer.run():
                break
            changed = True
            eliminate_dead_instructions(func)
            after = RegisterPressure(Liveness(func.body)).registers
            self.dump(f"Max-Live-Function({len(func.body.blocks)}) = {after}")
            if after <= target or after >= rematerializer.pressure.registers:
                break
        return changed

    def dump(self, text: str) -> None:
        """Prints a message if requested."""
        if self.nv_dump_remat_block:
            print(text, file=sys.stderr)


@dataclass
class _BlockRematerializer:
    """One iteration of rematerialization."""

    knobs: NVPTXRematBlock
    func: FuncOp
    pressure: RegisterPressure
    target: int
    loops: LoopInfo = field(init=False)

    def __post_init__(self) -> None:
        self.loops = LoopInfo(self.pressure.cfg)

    def run(self) -> bool:
        """Runs one iteration; returns whether anything was rematerialized."""
        missing = self.pressure.registers - self.target
        chosen: list[Candidate] = []
        for candidate in sorted(self._candidates(), key=lambda c: c.cost):
            if missing <= 0:
                break
            chosen.append(candidate)
            missing -= candidate.saved
        total = sum(candidate.cost for candidate in chosen)
        self.knobs.dump(f"Really Final Pull-in: {len(chosen)} ({total})")
        values = {candidate.value for candidate in chosen}
        for candidate in chosen:
            # Values that a second chance relies on must not be rematerialized.
            if values.isdisjoint(candidate.needs):
                pull_in(candidate)
        return bool(chosen)

    def _candidates(self) -> Iterator[Candidate]:
        leaving: dict[SSAValue, None] = {}
        liveness = self.pressure.liveness
        seen = 0
        for number, pressure in enumerate(self.pressure.blocks):
            if pressure.registers > self.target:
                bits = liveness.live_out_bits[number]
                leaving.update(dict.fromkeys(liveness.values_of(bits & ~seen)))
                seen |= bits
                leaving.update(dict.fromkeys(_passed_on(self.pressure.cfg.blocks[number])))
        found = [c for value in leaving if (c := self._candidate(value)) is not None]
        good = [c for c in found if not c.needs]
        second = [c for c in found if c.needs]
        dump = self.knobs.dump
        dump(f"live-out = {len(leaving)}")
        dump(f"After pre-check, {len(good)} good candidates, {len(second)} given second-chance")
        taken = [c for c in second if self._is_free(c)]
        dump(f"ADD {len(taken)} candidates from second-chance")
        bits = self.knobs.nv_remat_block
        pullable = [
            *(good if bits & GOOD_CANDIDATES else ()),
            *(taken if bits & SECOND_CHANCES else ()),
        ]
        dump(f"Total Pullable before considering cost: {len(pullable)}")
        for candidate in pullable:
            if self._is_cheap(candidate):
                yield candidate

    def _candidate(self, value: SSAValue) -> Candidate | None:
        if not isinstance(value, OpResult) or not self._may_be_cloned(value.op):
            return None
        return candidate_of(
            value,
            blocks_elsewhere(value),
            lambda operand: self._may_be_cloned(operand.op),
            self.knobs.nv_remat_block_map_size_limit,
        )

    def _may_be_cloned(self, op: Operation) -> bool:
        if len(op.results) != 1 or not is_movable(op) or reads_changing_memory(op):
            return False
        if isinstance(op, InlineAsmOp):
            # The assembly may contain a label, which must not be duplicated.
            return False
        if isinstance(op, MovSregOp):
            enough = self.pressure.registers > self.knobs.nv_remat_threshold_for_spec_reg
            return enough and bool(self.knobs.nv_remat_block & SPECIAL_REGISTERS)
        return bool(flags_of(op) & PURE) or self.knobs.load_remat

    def _is_free(self, candidate: Candidate) -> bool:
        """Returns True if all operands of the clones are live into the blocks of the clones
        anyway.
        """
        is_live_in = self.pressure.liveness.is_live_in
        return all(
            is_live_in(value, block) for value in candidate.needs for block in candidate.blocks
        )

    def _is_cheap(self, candidate: Candidate) -> bool:
        knobs = self.knobs
        single = sum(
            1 if flags_of(op) & PURE else knobs.nv_remat_block_load_cost for op in candidate.chain
        )
        candidate.saved = registers_of(self.pressure.costs.of_value(candidate.value))
        home = self.loops.depth(fast.block_of(candidate.value.op))
        total = 0
        for block in candidate.blocks:
            deeper = max(self.loops.depth(block) - home, 0)
            total += single * knobs.nv_remat_block_loop_cost_factor**deeper
        candidate.cost = total * max(candidate.saved, 1)
        return (
            candidate.saved > 0
            and single <= knobs.nv_remat_block_single_cost
            and candidate.cost <= knobs.nv_remat_block_max_cost
        )


def _passed_on(block: Block) -> Iterator[SSAValue]:
    """The live-in values that a block only passes to arguments of its successors."""
    last = block.last_op
    if not isinstance(last, TerminatorOp):
        return
    passed = [
        value
        for value in fast.operands_of(last)[last.own_operands :]
        if isinstance(value, OpResult) and value.op.parent is not block
    ]
    if passed:
        # The operands, because a value may have a use in each block.
        used = {v for op in fast.ops_of(block) if op is not last for v in fast.operands_of(op)}
        yield from (value for value in passed if value not in used)


__all__ = ["NVPTXRematBlock"]
