"""`gvn-hoist`: computes an expression before a branch if every path from the branch computes it.

      llvm.cond_br %c, ^then, ^else                    %q = llvm.sdiv %x, %y : i32
    ^then:                                             %v = llvm.load %p : !llvm.ptr -> i32
      %q1 = llvm.sdiv %x, %y : i32                     llvm.cond_br %c, ^then, ^else
      %v1 = llvm.load %p : !llvm.ptr -> i32     ->   ^then:
      ...                                              ...
    ^else:                                           ^else:
      %v2 = llvm.load %p : !llvm.ptr -> i32            ...
      %q2 = llvm.sdiv %x, %y : i32

Threads of a warp that diverge at the branch execute both paths one after the other, and the common
expression twice.

Two ops belong to one class if they have the same opcode, types and properties and equal operand
numbers, and, for loads, the same MemorySSA definition. The op that remains keeps the flags that all
ops of its class have. The pass visits the blocks in post-order. A block anticipates a class if
every path from its start executes an op of the class; the first such op of each path is recorded.
Ops are hoisted to the end of a block with several successors if all successors anticipate their
class, the block strictly dominates all of them, there are at least two of them, and the operands
are available. An op is not hoisted from the code after a loop into the loop: its result would be
live in every iteration, and ptxas would no longer unroll such loops.

Hoisting executes no op that was not executed before. A division or a load does not move above an op
that may not return. A load does not move above its MemorySSA definition. A store moves only if it
is the first access of memory on each path, and if no path executes two of the stores that become
one: another store may lie between the two. Convergent ops, volatile and atomic accesses, and calls
with effects do not move.

The pass is LLVM's GVNHoist with its limits. Instead of CHIs at post-dominance frontiers it uses the walk
described above. A back edge anticipates nothing, so a load does not move above a loop that may not
terminate.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final, NamedTuple

from xdsl.dialects.llvm import AddressOfOp, FuncOp, LoadOp, StoreOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.memory_ssa import Definition, MemoryAccess, MemoryPhi, MemorySSA
from nvvm_xdsl.analysis.side_effects import is_expression
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, READS, STATE, UNSPECULATABLE, WRITES, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import merged_location
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.expressions import FLAG_PROPERTIES, Expressions, meet_flags

HOISTED = Statistic("gvn-hoist", "hoisted", "Number of ops hoisted")
REMOVED = Statistic("gvn-hoist", "removed", "Number of ops replaced by a hoisted one")

MAX_ITERATIONS: Final = 3
"""Maximum number of walks over a function: a hoisted op may make the ops that use it equal."""

UNLIMITED: Final = -1

_CONSTANTS = frozenset({*CONSTANT_CLASSES, AddressOfOp})
_FIXES_STORES: Final = READS | WRITES | STATE | MAY_NOT_RETURN


@dataclass(frozen=True)
class GVNHoist(FunctionPass):
    """Computes an expression before a branch if every path from the branch computes it."""

    name = "gvn-hoist"
    title = "GVNHoist"
    # The last walk may have made ops equal; see MAX_ITERATIONS.
    idempotent: ClassVar[bool] = False

    gvn_max_hoisted: int = UNLIMITED
    """Maximum number of classes hoisted in a function; -1: unlimited."""

    gvn_hoist_max_bbs: int = 4
    """Maximum number of blocks on a path between the branch and a hoisted op; -1: unlimited."""

    gvn_hoist_max_depth: int = 100
    """Maximum number of ops at the start of a block that may be hoisted; -1: unlimited."""

    gvn_hoist_max_chain_length: int = 10
    """Maximum length of a chain of dependent ops hoisted to the end of one block; -1: unlimited."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        left = self.gvn_max_hoisted
        changed = False
        for _ in range(MAX_ITERATIONS):
            one = _ExpressionHoister(self, func, am, left)
            one.run()
            if not one.hoisted:
                break
            changed = True
            am.invalidate(func, self.preserved())
            if left != UNLIMITED:
                left -= one.hoisted
        return changed


class _Class(NamedTuple):
    """A class of equal ops.

    Arguments:
        key: equal for all ops of the class.
        definition: the MemorySSA definition that the loads of the class see; None for other ops.
    """

    key: Hashable
    definition: Definition | None


class _Anticipated(NamedTuple):
    """Ops of one class of which every path from a point executes at least one.

    Arguments:
        ops: the first op on each path.
        distance: the maximum number of blocks that a path has before its first op.
    """

    ops: tuple[Operation, ...]
    distance: int


class _ExpressionHoister:
    """Hoists the anticipated expressions of one function.

    Arguments:
        left: the remaining number of classes that may be hoisted, or UNLIMITED.
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
        """Computes anticipated expressions in postorder and hoists them."""
        graph = self.tree.cfg
        for block in graph.rpo_blocks():
            for op in fast.ops_of(block):
                self._classify(op)
        for number in reversed(graph.rpo):
            block = graph.blocks[number]
            ahead = self._ahead(number)
            if len(graph.successors[number]) > 1:
                self._hoist(block, ahead)
            self.anticipated[number] = self._from_start(block, ahead)

    # Numbers.

    def _number(self, value: SSAValue) -> int:
        return self.numbers.setdefault(value, len(self.numbers))

    def _classify(self, op: Operation) -> None:
        """Numbers an op's result and records the op's class if it may be hoisted."""
        cls = type(op)
        definition = None
        if cls is LoadOp or cls is StoreOp:
            if not is_simple_access(op):
                return
            if cls is LoadOp:
                definition = self.memory.clobber(op)
        elif not is_expression(op):
            return
        key = (self.keys.key(op, map(self._number, fast.operands_of(op))), id(definition))
        if op.results:
            result = op.results[0]
            # Values that are poison for different inputs have different numbers.
            facts = [(n, a) for n, a in op.properties.items() if n in FLAG_PROPERTIES]
            stated = tuple((n, self.keys.number(a)) for n, a in (*facts, *op.attributes.items()))
            number = self.known.setdefault((key, stated), self._number(result))
            self.numbers[result] = number
        if cls not in _CONSTANTS:
            self.classes[op] = _Class(key, definition)
            self.order[op] = len(self.order)

    # Anticipated ops.

    def _ahead(self, number: int) -> dict[_Class, _Anticipated]:
        """The classes that every path from a block's end executes."""
        # A successor that was not visited yet is the target of a back edge.
        found = [self.anticipated.get(target, {}) for target in self.tree.cfg.successors[number]]
        if not found:
            return {}
        first, *others = sorted(found, key=len)
        limit = self.options.gvn_hoist_max_bbs
        ahead: dict[_Class, _Anticipated] = {}
        for one, here in first.items():
            paths = [here]
            for other in others:
                there = other.get(one)
                if there is None:
                    break
                paths.append(there)
            else:
                distance = max(path.distance for path in paths)
                if limit == UNLIMITED or distance <= limit:
                    ops = dict.fromkeys(op for path in paths for op in path.ops)
                    ahead[one] = _Anticipated(tuple(ops), distance)
        return ahead

    def _from_start(
        self, block: Block, ahead: Mapping[_Class, _Anticipated]
    ) -> dict[_Class, _Anticipated]:
        """The classes that every path from a block's start executes.

        Arguments:
            ahead: the classes that every path from the block's end executes.
        """
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
        for one, (ops, distance) in ahead.items():
            if one not in found and _may_move_up(ops[0], passed):
                found[one] = _Anticipated(ops, distance + 1)
        return found

    # Hoisting.

    def _hoist(self, block: Block, ahead: dict[_Class, _Anticipated]) -> None:
        """Hoists ops to a block's end and removes their classes from `ahead`."""
        terminator = branches.terminator_of(block)
        chains: dict[SSAValue, int] = {}
        longest = self.options.gvn_hoist_max_chain_length
        # In program order: operands come before their users.
        for one, (ops, _) in sorted(ahead.items(), key=lambda item: self.order[item[1].ops[0]]):
            if self.left != UNLIMITED and self.hoisted >= self.left:
                break
            if len(ops) < 2 or not all(self._is_below(fast.block_of(op), block) for op in ops):
                continue
            kept = ops[0]
            if isinstance(kept, StoreOp) and self._share_path(one, ops, block):
                continue
            chain = 1 + max((chains.get(v, 0) for v in fast.operands_of(kept)), default=0)
            if longest != UNLIMITED and chain > longest:
                continue
            if not self._sees_same_memory(one, block) or not self._brings_operands(kept, block):
                continue
            for index, value in enumerate(fast.operands_of(kept)):
                if not self._is_there(value, block):
                    made = fast.copy_op(fast.producer_of(value), {})
                    fast.insert_before(made, terminator)
                    fast.set_operand(kept, index, made.results[0])
            fast.move_before(kept, terminator)
            for op in ops[1:]:
                meet_flags(kept, op)
                kept.location = merged_location(kept.location, op.location)
                fast.replace_op(op, kept.results)
            for result in kept.results:
                chains[result] = chain
            del ahead[one]
            self.hoisted += 1
            HOISTED.add()
            REMOVED.add(len(ops) - 1)

    def _is_below(self, home: Block, block: Block) -> bool:
        """True if `block` strictly dominates `home`, which is in the same loop or deeper."""
        loop = self.loops.loop_for(block)
        return self.tree.strictly_dominates(block, home) and (loop is None or loop.contains(home))

    def _share_path(self, one: _Class, ops: Sequence[Operation], block: Block) -> bool:
        """True if a path from the end of `block` executes two ops of the class, or one op twice.

        The search goes backward from each op to `block`. Every block before the first op of a path
        anticipates the class, so a block that does not anticipate it follows another op. This bounds
        the search by `gvn-hoist-max-bbs`.
        """
        graph = self.tree.cfg
        homes = {graph.numbers[fast.block_of(op)] for op in ops}
        start = graph.numbers[block]
        seen = {start}
        pending = [p for home in homes for p in graph.predecessors[home]]
        while pending:
            number = pending.pop()
            if number in seen:
                continue
            if number in homes or one not in self.anticipated.get(number, {}):
                return True
            seen.add(number)
            pending.extend(graph.predecessors[number])
        return False

    def _is_there(self, value: SSAValue, block: Block) -> bool:
        home = defining_block(value)
        return home is not None and self.tree.dominates(home, block)

    def _brings_operands(self, op: Operation, block: Block) -> bool:
        """Returns True if the op's operands are available at a block's end, or are constants."""
        return all(
            type(value.owner) in _CONSTANTS or self._is_there(value, block)
            for value in fast.operands_of(op)
        )

    def _sees_same_memory(self, one: _Class, block: Block) -> bool:
        """Returns True if the definition that the loads of a class see dominates a block's end."""
        definition = one.definition
        if isinstance(definition, MemoryPhi):
            return self.tree.dominates(definition.block, block)
        if isinstance(definition, MemoryAccess):
            return self.tree.dominates(fast.block_of(definition.op), block)
        return True


def _may_move_up(op: Operation, passed: int) -> bool:
    """Returns True if an op may move above ops with these effects, which are executed with it.

    Writes are not checked for loads, because the class of a load has its MemorySSA definition.
    """
    if type(op) is StoreOp:
        return not passed & _FIXES_STORES
    return not passed & MAY_NOT_RETURN or not effects(op) & UNSPECULATABLE


__all__ = ["GVNHoist"]
