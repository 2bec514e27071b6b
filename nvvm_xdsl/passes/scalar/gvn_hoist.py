"""`gvn-hoist`: what every way from a branch computes is computed once, in front of the branch.

      llvm.cond_br %c, ^then, ^else                    %q = llvm.sdiv %x, %y : i32
    ^then:                                             %v = llvm.load %p : !llvm.ptr -> i32
      %q1 = llvm.sdiv %x, %y : i32                     llvm.cond_br %c, ^then, ^else
      %v1 = llvm.load %p : !llvm.ptr -> i32     ->   ^then:
      ...                                              ...
    ^else:                                           ^else:
      %v2 = llvm.load %p : !llvm.ptr -> i32            ...
      %q2 = llvm.sdiv %x, %y : i32

Threads of a warp that part at the branch execute both ways one after the other, and so the same twice.

Ops are the same if they compute the same of operands with equal numbers, a load with the definition
of memory that it sees (MemorySSA) among them; what is hoisted keeps the flags that all have. Blocks are visited in
post-order: what a block is sure to compute is what stands in it and what all its successors are sure
to compute. That is hoisted to its end if its operands are there, all ops that go stand in blocks
that the block dominates, and there are at least two of them. What a loop and the code behind it share
stays: it would live in every round, and ptxas did not unroll such loops any more. So nothing is executed that was not
executed before: a division or load stays behind what may not return, a load behind a write to
its memory; of stores only the first access of memory on each way is taken. Convergent ops,
volatile and atomic accesses and calls that do more than yield a value stay.

LLVM's GVNHoist with its limits. Where that places CHIs at post-dominance frontiers, one walk does
here; a way around a loop computes nothing, so that an endless loop keeps a load from being hoisted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final, NamedTuple

from xdsl.dialects.llvm import AddressOfOp, FuncOp, LoadOp, StoreOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.memory_ssa import Definition, MemoryAccess, MemoryPhi, MemorySSA
from nvvm_xdsl.dialects.effects import (
    MAY_NOT_RETURN,
    READS,
    STATE,
    UNSPECULATABLE,
    WRITES,
    effects,
)
from nvvm_xdsl.ir import branches, fast
from nvvm_xdsl.ir.locations import merged_location
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.utils.constants import CONSTANT_CLASSES
from nvvm_xdsl.passes.utils.expressions import FLAG_PROPERTIES, Expressions, meet_flags
from nvvm_xdsl.passes.utils.memory import is_simple_access
from nvvm_xdsl.passes.utils.side_effects import is_expression

HOISTED = Statistic("gvn-hoist", "hoisted", "Number of values computed in front of a branch")
REMOVED = Statistic("gvn-hoist", "removed", "Number of ops that another one stands for")

MAX_ROUNDS: Final = 3
"""Walks over a function: what is hoisted may make what follows the same."""

UNLIMITED: Final = -1

_MADE_ANYWHERE = frozenset({*CONSTANT_CLASSES, AddressOfOp})
_FIXES_STORES: Final = READS | WRITES | STATE | MAY_NOT_RETURN


@dataclass(frozen=True)
class GVNHoist(FunctionPass):
    """Computes once, in front of a branch, what all ways from there compute."""

    name = "gvn-hoist"
    title = "GVNHoist"
    # The last of the rounds may have made ops the same; see MAX_ROUNDS.
    idempotent: ClassVar[bool] = False

    gvn_max_hoisted: int = UNLIMITED
    """Most values hoisted in a function; -1: as many as there are."""

    gvn_hoist_max_bbs: int = 4
    """Most blocks on a way between the branch and what is hoisted in front of it; -1: any number."""

    gvn_hoist_max_depth: int = 100
    """Ops at a block's start that are looked at; -1: all."""

    gvn_hoist_max_chain_length: int = 10
    """Most values hoisted in front of one branch of which each is computed from the one before;
    -1: any number."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        left = self.gvn_max_hoisted
        changed = False
        for _ in range(MAX_ROUNDS):
            one = _Round(self, func, am, left)
            one.run()
            if not one.hoisted:
                break
            changed = True
            am.invalidate(func, self.preserved())
            if left != UNLIMITED:
                left -= one.hoisted
        return changed


class _Class(NamedTuple):
    """Ops that are the same.

    Arguments:
        key: equal for all of them.
        definition: of memory that a load sees; None of others.
    """

    key: Hashable
    definition: Definition | None


class _Anticipated(NamedTuple):
    """Ops of one class of which every way from a place executes at least one.

    Arguments:
        ops: the first on each way.
        distance: the most blocks that a way has in front of one.
    """

    ops: tuple[Operation, ...]
    distance: int


class _Round:
    """One walk over a function.

    Arguments:
        left: how many values may be hoisted, or UNLIMITED.
    """

    hoisted: int

    def __init__(self, options: GVNHoist, func: FuncOp, am: AnalysisManager, left: int) -> None:
        self.options = options
        self.tree = am.get(DominatorTree, func)
        self.loops = am.get(LoopInfo, func)
        self.memory = am.get(MemorySSA, func)
        self.left = left
        self.hoisted = 0
        self.keys = Expressions()
        self.numbers: dict[SSAValue, int] = {}
        self.known: dict[Hashable, int] = {}
        self.classes: dict[Operation, _Class] = {}
        self.order: dict[Operation, int] = {}
        self.anticipated: dict[int, dict[_Class, _Anticipated]] = {}

    def run(self) -> None:
        graph = self.tree.cfg
        for block in graph.rpo_blocks():
            for op in fast.ops_of(block):
                self._classify(op)
        for number in reversed(graph.rpo):
            block = graph.blocks[number]
            ahead = self._ahead(number)
            hoisted = (
                self._hoist(block, ahead) if ahead and len(graph.successors[number]) > 1 else {}
            )
            self.anticipated[number] = self._from_start(block, ahead, hoisted)

    # Numbers.

    def _number(self, value: SSAValue) -> int:
        return self.numbers.setdefault(value, len(self.numbers))

    def _classify(self, op: Operation) -> None:
        """Gives an op's result the number of what it computes, and the op its class."""
        cls = op.__class__
        definition = None
        if cls is LoadOp or cls is StoreOp:
            if not is_simple_access(op) or self.memory.access(op) is None:
                return
            if cls is LoadOp:
                definition = self.memory.clobber(op)
        elif not is_expression(op) or op.regions or len(op.results) != 1:
            return
        key = (self.keys.key(op, map(self._number, fast.operands_of(op))), id(definition))
        if op.results:
            result = op.results[0]
            # Two values are not the same if one is poison more often.
            facts = [(n, a) for n, a in op.properties.items() if n in FLAG_PROPERTIES]
            stated = tuple((n, self.keys.number(a)) for n, a in (*facts, *op.attributes.items()))
            number = self.known.setdefault((key, stated), self._number(result))
            self.numbers[result] = number
        if cls not in _MADE_ANYWHERE:
            self.classes[op] = _Class(key, definition)
            self.order[op] = len(self.order)

    # What is sure to be computed.

    def _ahead(self, number: int) -> dict[_Class, _Anticipated]:
        """What every way from a block's end computes."""
        targets = list(dict.fromkeys(self.tree.cfg.successors[number]))
        # A successor that was not visited is reached around a loop.
        found = [self.anticipated.get(target, {}) for target in targets]
        if not found:
            return {}
        first, *others = sorted(found, key=len)
        limit = self.options.gvn_hoist_max_bbs
        ahead: dict[_Class, _Anticipated] = {}
        for one, here in first.items():
            ways = [here]
            for other in others:
                there = other.get(one)
                if there is None:
                    break
                ways.append(there)
            else:
                distance = max(way.distance for way in ways)
                if limit == UNLIMITED or distance <= limit:
                    ops = dict.fromkeys(op for way in ways for op in way.ops)
                    ahead[one] = _Anticipated(tuple(ops), distance)
        return ahead

    def _from_start(
        self,
        block: Block,
        ahead: Mapping[_Class, _Anticipated],
        hoisted: Mapping[_Class, Operation],
    ) -> dict[_Class, _Anticipated]:
        """What every way from a block's start computes."""
        found: dict[_Class, _Anticipated] = {}
        passed = 0
        depth = self.options.gvn_hoist_max_depth
        counted: Iterable[Operation] = fast.ops_of(block)
        if depth != UNLIMITED:
            counted = islice(counted, depth)
        for op in counted:
            one = self.classes.get(op)
            if one is not None and one not in found and _may_move_up(op, passed):
                found[one] = _Anticipated((op,), 0)
            passed |= effects(op)
        for op in fast.ops_of(block):
            passed |= effects(op)
        for one, op in hoisted.items():
            if not isinstance(op, StoreOp) and _may_move_up(op, passed):
                found.setdefault(one, _Anticipated((op,), 0))
        for one, way in ahead.items():
            if one not in hoisted and one not in found and _may_move_up(way.ops[0], passed):
                found[one] = _Anticipated(way.ops, way.distance + 1)
        return found

    # Hoisting.

    def _hoist(self, block: Block, ahead: Mapping[_Class, _Anticipated]) -> dict[_Class, Operation]:
        """Hoists to a block's end what may go there; returns it by class."""
        terminator = branches.terminator_of(block)
        hoisted: dict[_Class, Operation] = {}
        chains: dict[SSAValue, int] = {}
        longest = self.options.gvn_hoist_max_chain_length
        # In the order of the code: operands come before what is computed from them.
        for one, way in sorted(ahead.items(), key=lambda item: self.order[item[1].ops[0]]):
            if self.left != UNLIMITED and self.hoisted >= self.left:
                break
            ops = way.ops
            if len(ops) < 2 or any(op.parent is None for op in ops):
                continue
            if not all(self._is_below(_block_of(op), block) for op in ops):
                continue
            kept = ops[0]
            chain = 1 + max((chains.get(v, 0) for v in fast.operands_of(kept)), default=0)
            if longest != UNLIMITED and chain > longest:
                continue
            if not self._sees_same_memory(one, block) or not self._brings_operands(kept, block):
                continue
            for index, value in enumerate(fast.operands_of(kept)):
                if value.owner.__class__ in _MADE_ANYWHERE and not self._is_there(value, block):
                    made = fast.copy_op(fast.producer_of(value), {})
                    fast.insert_before(made, terminator)
                    fast.set_operand(kept, index, made.results[0])
                    self.numbers[made.results[0]] = self._number(value)
            fast.move_before(kept, terminator)
            for op in ops[1:]:
                meet_flags(kept, op)
                kept.location = merged_location(kept.location, op.location)
                fast.replace_op(op, kept.results)
            for result in kept.results:
                chains[result] = chain
            hoisted[one] = kept
            self.hoisted += 1
            HOISTED.add()
            REMOVED.add(len(ops) - 1)
        return hoisted

    def _is_below(self, home: Block, block: Block) -> bool:
        """Whether a block is only reached through another, and in the same loop or deeper."""
        loop = self.loops.loop_for(block)
        return self.tree.strictly_dominates(block, home) and (loop is None or loop.contains(home))

    def _is_there(self, value: SSAValue, block: Block) -> bool:
        home = defining_block(value)
        return home is not None and self.tree.dominates(home, block)

    def _brings_operands(self, op: Operation, block: Block) -> bool:
        """Whether the op's operands are there at a block's end, or are made anywhere."""
        return all(
            value.owner.__class__ in _MADE_ANYWHERE or self._is_there(value, block)
            for value in fast.operands_of(op)
        )

    def _sees_same_memory(self, one: _Class, block: Block) -> bool:
        """Whether a load sees the same at a block's end: no way from what it sees changes that."""
        definition = one.definition
        if isinstance(definition, MemoryPhi):
            return self.tree.dominates(definition.block, block)
        if isinstance(definition, MemoryAccess):
            home = definition.op.parent
            return home is not None and self.tree.dominates(home, block)
        return True


def _may_move_up(op: Operation, passed: int) -> bool:
    """Whether an op may be executed in front of ops with these effects, which run with it.

    Of the memory that a load sees nothing is said: its class holds that.
    """
    if isinstance(op, StoreOp):
        return not passed & _FIXES_STORES
    return not passed & MAY_NOT_RETURN or not effects(op) & UNSPECULATABLE


def _block_of(op: Operation) -> Block:
    block = op.parent
    assert block is not None
    return block


__all__ = ["GVNHoist"]
