"""`loop-rotate`: moves a loop's test from the top to the bottom, with a guard before the loop.

      llvm.br ^head(%c0 : i32)                      %g = llvm.icmp "slt" %c0, %n : i32
    ^head(%i: i32):                                 llvm.cond_br %g, ^preheader, ^exit
      %c = llvm.icmp "slt" %i, %n : i32           ^preheader:
      llvm.cond_br %c, ^body, ^exit         ->      llvm.br ^body(%c0 : i32)
    ^body:                                        ^body(%i: i32):
      "op"(%i)                                      "op"(%i)
      %j = llvm.add %i, %c1 : i32                   %j = llvm.add %i, %c1 : i32
      llvm.br ^head(%j : i32)                       %c = llvm.icmp "slt" %j, %n : i32
                                                    llvm.cond_br %c, ^body(%j : i32), ^loopexit

The body is then executed whenever the preheader is, so that loads may be hoisted (`licm`), and each
iteration has one branch less. The header is copied into the preheader, and its invariant ops are
hoisted there. The copied test is removed if it is constant. The new loop has the form of
`loop-simplify` and `lcssa`.

A header with convergent ops, or with more than `rotation-max-header-size` ops, is not copied.
Convergent ops in the body allow rotation unless a divergent branch reconverges in the header
(`analysis/convergence.py`). (LLVM's LoopRotationUtils.cpp; sub_2A0CFD0, called by sub_28448D0.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.dialects.llvm import CondBrOp, FuncOp
from xdsl.ir import Block

from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.setters import remove_loop_annotation
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.transforms.cfg import (
    copy_loop_annotation,
    merge_into_predecessor,
    remove_unreachable_blocks,
    simplify_arguments,
)
from nvvm_xdsl.transforms.conditionals import fold_users
from nvvm_xdsl.transforms.loops import split_edges
from nvvm_xdsl.transforms.thread_edges import (
    Budget,
    EdgeThreader,
    duplicated_ops,
    edges_into,
    may_be_duplicated,
)

ROTATION_MAX_HEADER_SIZE: Final = 16
"""LLVM's default."""

MAX_VISITS: Final = 20_000
"""Maximum number of blocks that are visited to repair uses of one header's values; with more, the
loop is not rotated."""

ROTATED = Statistic("loop-rotate", "rotated", "Number of loops rotated")


@dataclass(frozen=True)
class LoopRotate(LoopPass):
    """Moves a loop's test from its top to its bottom."""

    name = "loop-rotate"
    title = "LoopRotate"
    takes_all_loops: ClassVar[bool] = True

    header_duplication: bool = True
    """Whether headers with ops other than their branch are copied."""

    prepare_for_lto: bool = False
    """Accepted for compatibility with LLVM: it prevents copies of calls, which are never copied
    here."""

    rotation_max_header_size: int = ROTATION_MAX_HEADER_SIZE
    """Maximum number of ops of a copied header."""

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        if not self._should_rotate(loop) or not ConvergenceRule(func, am).may_rotate(loop.header):
            return False
        return _Rotation(func, am).rotate(loop)

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        """Rotates all loops, inner loops first."""
        rotation = _Rotation(func, am)
        loops = list(rotation.loops.innermost_first())
        if not any(map(self._should_rotate, loops)):
            return False
        rule = ConvergenceRule(func, am)
        # The rule is evaluated for all loops first, because a rotation invalidates the analyses
        # that it uses.
        allowed = {loop for loop in loops if rule.may_rotate(loop.header)}
        changed = False
        for loop in loops:
            if loop not in allowed or not self._should_rotate(loop):
                continue
            changed |= rotation.rotate(loop)
            if rotation.has_removed_blocks:
                am.invalidate(func)
                self.run_on_function(func, am)
                return True
        if changed:
            am.invalidate(func)
        return changed

    def _should_rotate(self, loop: Loop) -> bool:
        header = loop.header
        terminator = header.last_op
        if type(terminator) is not CondBrOp:
            return False
        if sum(map(loop.contains, fast.successors_of(terminator))) != 1:
            return False
        if loop.is_rotated() or not loop.is_simplified():
            return False
        if not all(may_be_duplicated(op) for op in fast.ops_of(header)):
            return False
        limit = self.rotation_max_header_size if self.header_duplication else 0
        return len(duplicated_ops(header)) <= limit


class _Rotation:
    """Rotates a function's loops and updates `loops`."""

    def __init__(self, func: FuncOp, am: AnalysisManager) -> None:
        self.func = func
        self.loops = am.get(LoopInfo, func)
        self.constants = Constants(func)
        self.has_removed_blocks = False
        """Whether a loop was removed because it is never entered; `loops` then no longer contains
        it."""

    def rotate(self, loop: Loop) -> bool:
        """Rotates a loop; returns whether anything changed."""
        header, latch, preheader = loop.header, loop.latch(), loop.preheader()
        assert latch is not None
        assert preheader is not None
        moved = _hoist_invariant_ops(loop, preheader)
        threader = EdgeThreader(self.constants, Budget(MAX_VISITS))
        plan = threader.plan(header)
        if plan is None:
            return moved
        entries = [edge for edge in edges_into(header) if edge.source is preheader]
        (first,) = filter(loop.contains, fast.successors_of(branches.terminator_of(header)))
        copy = threader.thread(plan, entries, None)
        branches.terminator_of(copy).properties.pop("branch_weights", None)
        merge_into_predecessor(copy)
        simplify_arguments(header)
        copy_loop_annotation(branches.terminator_of(latch), branches.terminator_of(header))
        remove_loop_annotation(branches.terminator_of(latch))
        if merge_into_predecessor(header) is not None:
            self.loops.remove_block(header)
        loop.set_header(first)
        fold_users(list(fast.ops_of(preheader)), self.constants)
        self._restore_form(loop, preheader)
        ROTATED.add()
        return True

    def _restore_form(self, loop: Loop, preheader: Block) -> None:
        """Restores the preheader and dedicated exits of the loop; removes a loop that is never
        entered."""
        guard = branches.terminator_of(preheader)
        targets = fast.successors_of(guard)
        first = loop.header
        if first not in targets:
            remove_unreachable_blocks(self.func.regions[0])
            self.has_removed_blocks = True
            return
        if len(targets) == 1:
            return
        made = split_edges(first, [preheader])
        fast.set_name(made, _name(first, "preheader"))
        simplify_arguments(made)
        self.loops.add_block(made, loop.parent)
        (exit_,) = [b for b in targets if b is not first]
        leaving = [b for b in dict.fromkeys(fast.predecessors_of(exit_)) if loop.contains(b)]
        made = split_edges(exit_, leaving)
        fast.set_name(made, _name(first, "loopexit"))
        self.loops.add_block(made, self.loops.common_loop(first, exit_))


def _hoist_invariant_ops(loop: Loop, preheader: Block) -> bool:
    """Moves the header's loop-invariant ops to the preheader; returns whether any was moved."""
    anchor = branches.terminator_of(preheader)
    moved = False
    for op in fast.ops_of(loop.header):
        if speculation_cost(op) is not None and loop.has_invariant_operands(op):
            fast.move_before(op, anchor)
            moved = True
    return moved


def _name(block: Block, word: str) -> str | None:
    name = block.name_hint
    return None if name is None else f"{name}_{word}"
