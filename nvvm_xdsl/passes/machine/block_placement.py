"""Orders blocks by the most frequent control flow.

    ^entry: cbra %rare, ^trap, ^body        ^entry: cbra %rare, ^trap, ^body
    ^trap:  unreachable              ->     ^body:  ... ret
    ^body:  ... ret                         ^trap:  unreachable

LLVM's MachineBlockPlacement, adapted to code that another compiler processes: PTX has neither
alignment nor costs of jumps, but ptxas recognizes loops and branches by their form. Therefore

  - the blocks of a loop are contiguous, the header first and the latch last: rotated loops stay
    rotated, and loops that are tested at the top are not rotated;
  - a block follows all its predecessors except for those of backedges;
  - of the blocks that may follow, the most likely successor of the last one comes first, rarely
    executed blocks come last, and equally likely blocks keep their order.

Branches that leave a loop, and latch branches, are inverted so that they are taken if the condition
is true; the comparison is inverted, not the predicate, as in cicc's code. ptxas 13.0 unrolls loops
that end in `@%p bra LOOP` or start with `@%p bra EXIT`, but not loops with `@!%p bra LOOP`,
`@!%p bra EXIT` or `@%p bra EXIT; bra.uni LOOP`. Losing the form cost a matrix product 26%
(llvm-project#219778). With `no-reverse-loop-conditions`, for modules that another optimizer has
processed, loops keep their form, because that optimizer has decided which loops are unrolled.
unrolling.py selects the loops that get this form, and those that get the opposite one.

`branch-fold-placement` (document 001) runs the branch simplifications of branch-folder first,
without tail merging, so that no redundant block is placed. There is no tail duplication; cicc does
not duplicate tails of divergent branches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from heapq import heappop, heappush
from itertools import zip_longest
from typing import ClassVar, Final, TypeAlias

from xdsl.ir import Block

from nvvm_xdsl.analysis.branch_probability import BlockFrequency, BranchProbability
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.conditions import reverse_branch_condition
from nvvm_xdsl.dialects.nvptx.control_flow import CbraOp
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, has_phis
from nvvm_xdsl.passes.machine.branch_optimization import optimize_branches
from nvvm_xdsl.passes.machine.unrolling import carries_on, profits_from_unrolling

COLD: Final = 1 / 1024
"""Frequency, relative to the loop's header or the entry, below which a block is cold."""

Unit: TypeAlias = Loop | Block
"""A unit of placement: a loop, or a block in no loop of the region."""


REVERSED: Final = Statistic(
    "block-placement", "reversed", "Number of branches in loops whose condition was reversed"
)


@dataclass(frozen=True)
class MachineBlockPlacement(MachineFunctionPass):
    """Orders blocks by the most frequent control flow."""

    name = "block-placement"
    title: ClassVar[str] = "MachineBlockPlacement"

    branch_fold_placement: bool = True
    """Whether branches are simplified before blocks are placed; requires the property NoPHIs."""

    reverse_loop_conditions: bool = True
    """Whether conditions are inverted so that branches that leave loops or form backedges are taken
    on true.
    """

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        if self.branch_fold_placement and not has_phis(func) and optimize_branches(func):
            changed = True
            am.invalidate(func)
        cfg = am.get(CFG, func)
        order = _Placer(cfg, am.get(LoopInfo, func), am.get(BranchProbability, func)).order()
        if order != cfg.blocks:
            changed = True
            for block in order:
                fast.detach_block(block)
                fast.append_block(func.body, block)
        if self.reverse_loop_conditions:
            changed |= _reverse_loop_conditions(order, am.get(LoopInfo, func))
        return changed


def _reverse_loop_conditions(order: list[Block], loops: LoopInfo) -> bool:
    """Inverts branches that leave loops to the form in which ptxas unrolls, or to the opposite
    form."""
    forms: dict[Loop, _Form] = {}
    changed = False
    for block, behind in zip_longest(order, order[1:]):
        last = block.last_op
        loop = loops.loop_for(block)
        if not isinstance(last, CbraOp) or loop is None or not loop.is_innermost():
            continue
        first, second = fast.successors_of(last)
        first_stays, second_stays = (loops.loop_for(b) is loop for b in (first, second))
        if first_stays and second_stays:
            # Neither edge leaves the loop, but one of them may be the backedge.
            first_stays, second_stays = first is loop.header, second is loop.header
        if first_stays is second_stays:
            continue
        if loop not in forms:
            forms[loop] = _form_of(loop)
        form = forms[loop]
        # The emitted branch depends on the next block. If it is the second successor: on true to
        # the first. If it is the first: on false to the second. Otherwise: on true to the first,
        # and then always to the second.
        unrolls = behind is second or (behind is not first and first_stays)
        if form is not _Form.ANY and unrolls is not (form is _Form.UNROLLED):
            if reverse_branch_condition(last):
                REVERSED.add()
                changed = True
    return changed


class _Form(Enum):
    UNROLLED = auto()
    ROLLED = auto()
    ANY = auto()


def _form_of(loop: Loop) -> _Form:
    if profits_from_unrolling(loop):
        return _Form.UNROLLED
    return _Form.ROLLED if carries_on(loop) else _Form.ANY


class _Placer:
    def __init__(self, cfg: CFG, loops: LoopInfo, probability: BranchProbability) -> None:
        self.cfg = cfg
        self.loops = loops
        self.probability = probability
        self.frequencies = BlockFrequency(probability).frequencies
        self.placed: dict[Loop, list[int]] = {}
        """The blocks of each loop in their new order, by loop number."""
        self.members = loops.members()
        self.facts = LoopFacts(loops)

    def order(self) -> list[Block]:
        """All blocks in their new order; unreachable blocks come last."""
        cfg = self.cfg
        for loop in self.loops.innermost_first():
            self.placed[loop] = self._order_of(loop)
        found = self._order_of(None)
        found += [n for n in range(len(cfg.blocks)) if cfg.rpo_index[n] < 0]
        return [cfg.blocks[n] for n in found]

    def _unit_of(self, number: int, region: Loop | None) -> Unit | None:
        """The unit of a block: the loop directly inside the region that contains it, else the
        block.

        None for a block outside the region.
        """
        block = self.cfg.blocks[number]
        if region is not None and not region.contains(block):
            return None
        loop = self.loops.loop_for(block)
        if loop is region:
            return block
        while loop is not None and loop.parent is not region:
            loop = loop.parent
        return loop

    def _numbers_of(self, unit: Unit) -> list[int]:
        return self.placed[unit] if isinstance(unit, Loop) else [self.cfg.numbers[unit]]

    def _order_of(self, region: Loop | None) -> list[int]:
        """The ordered blocks of a loop, or of the function; inner loops are already ordered."""
        cfg = self.cfg
        ranks: dict[Unit, int] = {}
        """Units in the original order of their first block."""
        for block in self.members[region]:
            unit = self._unit_of(cfg.numbers[block], region)
            assert unit is not None
            ranks[unit] = min(self._numbers_of(unit))
        start = self._unit_of(0 if region is None else cfg.numbers[region.header], region)
        assert start is not None
        pending = dict.fromkeys(ranks, 0)
        for unit in ranks:
            for target in self._targets(unit, region):
                pending[target] += 1
        return self._place(start, region, ranks, pending)

    def _targets(self, unit: Unit, region: Loop | None) -> Iterator[Unit]:
        """The successor units in the region, once per edge."""
        cfg = self.cfg
        if isinstance(unit, Loop):
            targets = [cfg.numbers[target] for _, target in self.facts.exit_edges(unit)]
        else:
            targets = cfg.successors[cfg.numbers[unit]]
        for target in targets:
            other = self._unit_of(target, region)
            if other is not None and other is not unit:
                yield other

    def _place(
        self, start: Unit, region: Loop | None, ranks: dict[Unit, int], pending: dict[Unit, int]
    ) -> list[int]:
        usual = self.frequencies[self._numbers_of(start)[0]] * COLD
        found: list[int] = []
        done: set[Unit] = set()
        ready: list[tuple[bool, int, Unit]] = []
        # If a cycle has several entries, none of its units ever has all predecessors placed.
        waiting = list(ranks)
        at = 0
        unit: Unit | None = start
        while unit is not None:
            done.add(unit)
            found += self._numbers_of(unit)
            for target in self._targets(unit, region):
                pending[target] -= 1
                if not pending[target] and target not in done:
                    cold = self.frequencies[self._numbers_of(target)[0]] < usual
                    heappush(ready, (cold, ranks[target], target))
            unit = self._likely_successor(found[-1], region, done, pending, usual)
            while unit is None and ready:
                candidate = heappop(ready)[2]
                unit = None if candidate in done else candidate
            while unit is None and at < len(waiting):
                unit = None if waiting[at] in done else waiting[at]
                at += 1
        return found

    def _likely_successor(
        self,
        last: int,
        region: Loop | None,
        done: set[Unit],
        pending: dict[Unit, int],
        usual: float,
    ) -> Unit | None:
        """The likeliest successor of a block that may be placed after it and is not cold."""
        best: Unit | None = None
        most = 0.0
        for target, share in sorted(
            zip(self.cfg.successors[last], self.probability.probabilities[last])
        ):
            unit = self._unit_of(target, region)
            if unit is None or unit in done or pending[unit] or self._numbers_of(unit)[0] != target:
                continue
            if share > most and self.frequencies[target] >= usual:
                best, most = unit, share
        return best


__all__ = ["COLD", "MachineBlockPlacement"]
