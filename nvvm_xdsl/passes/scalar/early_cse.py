"""`early-cse`: removes expressions and loads that are available on every path.

    %a = llvm.mul %x, %y : i32
    %b = llvm.mul %x, %y : i32
    %p = llvm.load %q : !llvm.ptr -> i32
    %r = llvm.load %q : !llvm.ptr -> i32

becomes

    %a = llvm.mul %x, %y : i32
    %p = llvm.load %q : !llvm.ptr -> i32

The walk down the dominator tree keeps a table of available expressions. A load is available until
an op may write memory: within a block, and in a block whose only predecessor has it available at
its end. A store makes its value available, and a store of the available value is removed. Volatile
and atomic accesses are unchanged and invalidate all loads; so do barriers and calls that may write.
With `memssa` loads are available until their memory is written according to MemorySSA, across
blocks.

The remaining op keeps only the flags (nsw, fast-math ...) that both ops had.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from xdsl.dialects.llvm import FuncOp, LoadOp, StoreOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_invariant_load, is_simple_access
from nvvm_xdsl.analysis.memory.memory_ssa import MemorySSA
from nvvm_xdsl.analysis.side_effects import is_expression, is_removable, may_read, may_write
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.rules.simplify import SIMPLIFIABLE, simplify
from nvvm_xdsl.transforms.expressions import Expressions, meet_flags

ALWAYS: Final = -1
"""The generation of loads from memory that is never written."""


@dataclass(frozen=True)
class EarlyCSE(FunctionPass):
    """Removes redundant expressions, loads and stores along the dominator tree."""

    name = "early-cse"
    title = "EarlyCSE"

    memssa: bool = False
    """Whether MemorySSA is queried for writes to the location of a load."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        memory = am.get(MemorySSA, func) if self.memssa else None
        return _DominatorTreeCSE(func, am.get(DominatorTree, func), memory).run()


class _Known(NamedTuple):
    """A value in memory, its generation, and the access that loaded or stored it."""

    value: SSAValue
    since: int
    access: Operation


class _DominatorTreeCSE:
    """Removes redundant ops in a walk over the dominator tree."""

    dominators: DominatorTree
    constants: Constants
    expressions: dict[Any, Operation]
    memory: dict[tuple[SSAValue, int], _Known]
    """The available value by address and type."""
    keys: Expressions
    kept: list[object]
    """Objects whose ids are in keys, kept alive so that no id is reused."""
    generation: int
    next_generation: int
    changed: bool

    def __init__(self, func: FuncOp, dominators: DominatorTree, accesses: MemorySSA | None) -> None:
        self.dominators = dominators
        self.accesses = accesses
        self.constants = Constants(func)
        self.expressions = {}
        self.memory = {}
        self.keys = Expressions()
        self.kept = []
        self.generation = 0
        self.next_generation = 1
        self.changed = False

    def run(self) -> bool:
        """Visits blocks in dominator-tree order; expressions are available in dominated blocks."""
        dominators = self.dominators
        stack: list[tuple[int, int]] = [(dominators.root, 0)]
        undo: list[tuple[list[tuple[Any, Operation | None]], list[Any]]] = []
        end: dict[int, int] = {}
        while stack:
            number, _ = stack.pop()
            if number < 0:
                expressions, memory = undo.pop()
                for key, old in reversed(expressions):
                    if old is None:
                        del self.expressions[key]
                    else:
                        self.expressions[key] = old
                for key, old in reversed(memory):
                    if old is None:
                        self.memory.pop(key, None)
                    else:
                        self.memory[key] = old
                continue
            block = dominators.block(number)
            above = dominators.idom[number]
            if above >= 0 and fast.single_predecessor(block) is dominators.block(above):
                self.generation = end[above]
            else:
                self.generation = self._fresh()
            frame: tuple[list[tuple[Any, Operation | None]], list[Any]] = ([], [])
            undo.append(frame)
            stack.append((-1, 0))
            self._visit(block, frame[0], frame[1])
            end[number] = self.generation
            stack.extend((child, 0) for child in dominators.children_numbers(number))
        return self.changed

    def _fresh(self) -> int:
        self.next_generation += 1
        return self.next_generation

    def _visit(
        self, block: Block, undo: list[tuple[Any, Operation | None]], undo_memory: list[Any]
    ) -> None:
        expressions = self.expressions
        last_store: Operation | None = None
        for op in fast.ops_of(block):
            cls = type(op)
            if cls in SIMPLIFIABLE:
                value = simplify(op, self.constants)
                if value is not None:
                    fast.replace_all_uses(op.results[0], value)
                    self.changed = True
                    if is_removable(op):
                        fast.erase(op)
                        continue
            if is_expression(op):
                key = self.keys.key(op, map(id, fast.operands_of(op)))
                found = expressions.get(key)
                if found is None:
                    expressions[key] = op
                    self.kept.append(fast.operands_of(op))
                    undo.append((key, None))
                else:
                    meet_flags(found, op)
                    fast.replace_op(op, found.results)
                    self.changed = True
                continue
            if cls is LoadOp:
                if not is_simple_access(op):
                    self.generation = self._fresh()
                    last_store = None
                    continue
                last_store = None
                result = op.results[0]
                place = (fast.operands_of(op)[0], self.keys.number(result.type))
                known = self.memory.get(place)
                if known is not None and (
                    known.since == ALWAYS or self._memory_unchanged(known, op)
                ):
                    self._forget(op)
                    if type(known.access) is LoadOp:
                        # Its value is used where only the other load stated a range.
                        meet_flags(known.access, op)
                    fast.replace_op(op, (known.value,))
                    self.changed = True
                    continue
                since = ALWAYS if is_invariant_load(op) else self.generation
                undo_memory.append((place, known))
                self.memory[place] = _Known(result, since, op)
                continue
            if cls is StoreOp:
                if not is_simple_access(op):
                    self.generation = self._fresh()
                    last_store = None
                    continue
                value, address = fast.operands_of(op)
                place = (address, self.keys.number(value.type))
                known = self.memory.get(place)
                if known is not None and known.value is value and self._memory_unchanged(known, op):
                    self._forget(op)
                    fast.erase(op)
                    self.changed = True
                    continue
                if last_store is not None and _overwrites(op, last_store):
                    self._forget(last_store)
                    fast.erase(last_store)
                    self.changed = True
                self.generation = self._fresh()
                undo_memory.append((place, known))
                self.memory[place] = _Known(value, self.generation, op)
                last_store = op
                continue
            if may_write(op):
                self.generation = self._fresh()
                last_store = None
            elif may_read(op) or not is_removable(op):
                last_store = None

    def _memory_unchanged(self, known: _Known, op: Operation) -> bool:
        """Returns True if memory at an access is unchanged since a value became known."""
        if known.since == self.generation:
            return True
        memory, earlier = self.accesses, known.access
        if memory is None:
            return False
        writer = memory.clobber(op)
        if type(earlier) is StoreOp:
            return writer is memory.access(earlier)
        return writer is memory.clobber(earlier)

    def _forget(self, op: Operation) -> None:
        if self.accesses is not None:
            self.accesses.remove(op)


def _overwrites(store: Operation, earlier: Operation) -> bool:
    """Returns True if a plain store makes an earlier one, without accesses in between,
    redundant."""
    value, address = fast.operands_of(store)
    old_value, old_address = fast.operands_of(earlier)
    return address is old_address and value.type == old_value.type
