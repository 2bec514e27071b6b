"""`simple-loop-unswitch`: moves loop-invariant tests out of loops.

  ^pre:                                           ^pre:
    llvm.br ^loop                                   %f = llvm.freeze %c : i1
  ^loop:                                            llvm.cond_br %f, ^loop, ^other
    ...                                           ^loop:
    llvm.cond_br %c, ^yes, ^no             ->       ... ops of ^yes ...
  ^yes: ... ^no: ...                                llvm.cond_br %again, ^loop, ^exit
    llvm.cond_br %again, ^loop, ^exit             ^other:
                                                    ... ops of ^no ...
                                                    llvm.cond_br %again2, ^other, ^exit

A trivial test leaves the loop before the first iteration has an effect. It is moved to the
preheader, where the same threads execute it. Any other test duplicates the loop, which may add up
to `unswitch-threshold` ops. That cost is multiplied for loops with many siblings, so that several
tests do not create too many loops. If a test is divergent, a warp executes both loops one after the
other; the limit is then `divergent-unswitch-threshold`. A loop with convergent ops or inline
assembly is never copied. The threads of a divergent test reconverge only after the loop's exits
have joined, so no exit may reach a convergent op before.

(LLVM's SimpleLoopUnswitch.cpp; sub_19B73C0 of the documented sequences. docs/deviations.md explains
why its seven parameters are those of loop unrolling.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from xdsl.dialects.llvm import CondBrOp, FuncOp, InlineAsmOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loop_size import size_of
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.poison import is_never_poison
from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import loop_annotation_of, symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.dialects.llvm.setters import set_loop_annotation
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.cfg import remove_unreachable_blocks, replace_terminator
from nvvm_xdsl.transforms.conditionals import fold_users
from nvvm_xdsl.transforms.loops import LoopCopier, form_lcssa, split_edges

UNSWITCH_THRESHOLD: Final = 50
SIBLINGS_TOPLEVEL_DIV: Final = 2
"""LLVM's defaults."""
DIVERGENT_UNSWITCH_THRESHOLD: Final = 0


TRIVIAL = Statistic(
    "simple-loop-unswitch", "trivial", "Number of invariant branches moved before the loop"
)
NONTRIVIAL = Statistic(
    "simple-loop-unswitch", "nontrivial", "Number of loops duplicated for an invariant branch"
)


@dataclass(frozen=True)
class SimpleLoopUnswitch(LoopPass):
    """Moves loop-invariant tests before the loop."""

    name = "simple-loop-unswitch"
    title = "SimpleLoopUnswitch"

    nontrivial: bool = True
    """Whether loops may be duplicated."""

    trivial: bool = True
    """Whether tests that leave a loop before it has an effect are hoisted."""

    unswitch_threshold: int = UNSWITCH_THRESHOLD
    """Maximum growth of a duplicated loop, in ops."""

    divergent_unswitch_threshold: int = DIVERGENT_UNSWITCH_THRESHOLD
    """The maximum growth for divergent tests, for which both copies run one after the other."""

    idempotent: ClassVar[bool] = False
    """False, because one run unswitches one test of a loop; the next run visits the resulting
    loops.
    """

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        facts = am.get(LoopFacts, func)
        if loop.preheader() is None or facts.why_not_copied(loop) is not None:
            return False
        if self.trivial and _move_trivial_test(loop, func):
            return True
        return self.nontrivial and self._make_two(loop, func, am)

    def _make_two(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        found = self._candidate(loop, func, am)
        if found is None:
            return False
        if remarks.wanted():
            remarks.emit(
                "Passed", self.name, "Unswitched", symbol_name(func) or "",
                "unswitched the loop on an invariant condition", op=found.last_op,
            )  # fmt: skip
        unswitch(loop, found, func)
        NONTRIVIAL.add()
        return True

    def _candidate(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> Block | None:
        """The block whose test increases the loop least, if the increase is within the limit; None
        otherwise.
        """
        facts = am.get(LoopFacts, func)
        if facts.effects(loop) & CONVERGENT or not facts.has_invariant_test(loop):
            return None
        tests = [block for block in loop.blocks if _may_go_in_front(block, loop)]
        ops = [op for block in loop.blocks for op in fast.ops_of(block)]
        if any(isinstance(op, InlineAsmOp) for op in ops):
            return None
        total = sum(size_of(op) for op in ops)
        info = am.get(LoopInfo, func)
        siblings = info.top_level if loop.parent is None else loop.parent.subloops
        factor = max(1, len(siblings) // SIBLINGS_TOPLEVEL_DIV)
        best: tuple[int, Block] | None = None
        for block in tests:
            terminator = branches.terminator_of(block)
            condition = fast.operands_of(terminator)[0]
            targets = fast.successors_of(terminator)
            tree = am.get(DominatorTree, func)
            arms = sum(
                sum(size_of(op) for op in fast.ops_of(b))
                for target in targets
                if fast.single_predecessor(target) is not None
                for b in loop.blocks
                if tree.dominates(target, b)
            )
            uniform = am.get(Uniformity, func).is_uniform(condition)
            limit = self.unswitch_threshold if uniform else self.divergent_unswitch_threshold
            growth = (total - arms) * factor
            if growth > limit or (best is not None and growth >= best[0]):
                continue
            if uniform or _may_separate_threads(loop, func, am):
                best = growth, block
        return None if best is None else best[1]


def _may_separate_threads(loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
    """Whether threads may execute different copies of the loop until its exits have joined."""
    rule = ConvergenceRule(func, am)
    return not any(map(rule.decides_on_convergent_op, loop.blocks))


def _may_go_in_front(block: Block, loop: Loop) -> bool:
    """Returns whether a block of a loop ends in a loop-invariant test."""
    terminator = block.last_op
    if not isinstance(terminator, CondBrOp):
        return False
    condition = fast.operands_of(terminator)[0]
    targets = fast.successors_of(terminator)
    if targets[0] is targets[1] or constant_integer(condition) is not None:
        return False
    return loop.is_invariant(condition)


def _move_trivial_test(loop: Loop, func: FuncOp) -> bool:
    """Hoists an invariant header test that leaves the loop; returns whether there is one."""
    header, preheader = loop.header, loop.preheader()
    assert preheader is not None
    terminator = header.last_op
    if not isinstance(terminator, CondBrOp):
        return False
    edges = branches.edges_of(terminator)
    condition = fast.operands_of(terminator)[0]
    stays = [loop.contains(target) for target, _ in edges]
    if stays.count(True) != 1 or loop.defines(condition):
        return False
    if constant_integer(condition) is not None:
        return False
    # Threads that leave before the loop no longer execute its ops together with the others.
    if any(
        effects(op) & CONVERGENT or not is_removable(op)
        for op in fast.ops_of(header)
        if op is not terminator
    ):
        return False
    inside, outside = edges[stays.index(True)], edges[stays.index(False)]
    entry = branches.terminator_of(preheader)
    ((_, starts),) = branches.edges_of(entry)
    values: list[SSAValue] = []
    for value in outside[1]:
        if isinstance(value, BlockArgument) and value.block is header:
            values.append(starts[value.index])
        elif loop.defines(value):
            return False
        else:
            values.append(value)
    start, leave = fast.new_block(), fast.new_block()
    fast.insert_block_after(start, preheader)
    fast.insert_block_after(leave, start)
    fast.detach(entry)
    fast.append(start, entry)
    fast.append(leave, branches.branch(outside[0], values))
    way = [(start, ()), (leave, ())] if stays[0] else [(leave, ()), (start, ())]
    fast.append(preheader, branches.conditional_branch(condition, *way[0], *way[1]))
    new = branches.branch(*inside)
    annotation = loop_annotation_of(terminator)
    if annotation is not None:
        set_loop_annotation(new, annotation)
    replace_terminator(terminator, new)
    _own_exits(loop.blocks, [outside[0]])
    TRIVIAL.add()
    return True


def unswitch(loop: Loop, block: Block, func: FuncOp) -> None:
    """Duplicates a loop: one copy for each successor of a block's invariant test."""
    form_lcssa(loop)
    constants = Constants(func)
    preheader = loop.preheader()
    assert preheader is not None
    exits = loop.exit_blocks()
    copier = LoopCopier(func, loop)
    copies, _ = copier.copy(loop.blocks[-1])
    entry = branches.terminator_of(preheader)
    ((header, starts),) = branches.edges_of(entry)
    condition = fast.operands_of(branches.terminator_of(block))[0]
    users = list(fast.users_of(condition))
    test = condition
    if not is_never_poison(condition):
        test = Builder(entry, constants).value(FreezeOp, (condition,), I1)
    one, other = fast.new_block(), fast.new_block()
    fast.insert_block_after(one, preheader)
    fast.insert_block_after(other, one)
    fast.append(one, branches.branch(header, starts))
    fast.append(other, branches.branch(copies[header], starts))
    replace_terminator(entry, branches.conditional_branch(test, one, (), other, ()))
    copied = set(copies.values())
    for inside, value in ((loop.block_set, True), (copied, False)):
        decided: list[Operation] = []
        for user in users:
            if user.parent in inside:
                decided.append(user)
                for index, operand in enumerate(fast.operands_of(user)):
                    if operand is condition:
                        fast.set_operand(user, index, constants.boolean(value))
        fold_users(decided, constants)
    _own_exits([*loop.blocks], exits)
    _own_exits(copied, exits)
    remove_unreachable_blocks(func.regions[0])


def _own_exits(blocks: Iterable[Block], exits: Iterable[Block]) -> None:
    """Gives a loop with these blocks dedicated exits."""
    inside = dict.fromkeys(blocks)
    for exit_ in exits:
        before = dict.fromkeys(fast.predecessors_of(exit_))
        own = [b for b in before if b in inside]
        if own and len(own) < len(before):
            split_edges(exit_, own)
