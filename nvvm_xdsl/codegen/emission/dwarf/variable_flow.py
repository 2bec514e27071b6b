"""Locations of a function's variables at each instruction.

A debug value holds until the next one of the same variable, or until its register is written. At a
join it holds if it holds on all incoming paths: forward data flow, as in LLVM's LiveDebugValues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from xdsl.ir import Block, Operation

from nvvm_xdsl.codegen.emission.dwarf.locations import Location
from nvvm_xdsl.codegen.emission.dwarf.scopes import History
from nvvm_xdsl.dialects.nvptx.debug import DebugValueOp
from nvvm_xdsl.ir import fast

Known: TypeAlias = dict[History, Location]
"""Known locations of variables."""

Described: TypeAlias = "tuple[History, Location | None] | None"


class VariableFlow:
    """The current locations of variables during a walk over a function's code.

    Arguments:
        blocks: the blocks of the function, in order.
        names: the name of each value's register, by the value's id.
        described: returns the variable and location that an op describes; None for a variable of
            another function.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        names: Mapping[int, str],
        described: Callable[[DebugValueOp], Described],
    ) -> None:
        self._names = names
        self._described: dict[Operation, tuple[History, Location | None]] = {}
        self.current: Known = {}
        """The locations of variables at this point, except variables with one permanent location."""
        for block in blocks:
            for op in fast.ops_of(block):
                found = described(op) if isinstance(op, DebugValueOp) else None
                if found is not None:
                    self._described[op] = found
        self._fix(blocks)
        self._registers = {
            location.register for _, location in self._described.values() if location is not None
        }
        self._at_start: dict[Block, Known] = {}
        if self._described:
            self._solve(blocks)

    def _fix(self, blocks: Sequence[Block]) -> None:
        """Finds the variables with one permanent location."""
        written: Counter[str] = Counter()
        for block in blocks:
            written.update(self._names[id(value)] for value in block.args)
            for op in fast.ops_of(block):
                written.update(self._names[id(value)] for value in op.results)
        said: dict[History, set[Location | None]] = {}
        for history, location in self._described.values():
            said.setdefault(history, set()).add(location)
        for history, locations in said.items():
            first = next(iter(locations))
            if len(locations) == 1 and first is not None and written[first.register] <= 1:
                history.fixed = first
        self._described = {
            op: found for op, found in self._described.items() if found[0].fixed is None
        }

    def _solve(self, blocks: Sequence[Block]) -> None:
        at_end: dict[Block, Known] = {}
        pending = dict.fromkeys(blocks)
        while pending:
            block = next(iter(pending))
            del pending[block]
            known = self._meet(block, at_end)
            if known is None:
                # Visited again once per block before it is known.
                continue
            self.current = known
            self._at_start[block] = dict(self.current)
            for op in fast.ops_of(block):
                self.passed(op)
            if at_end.get(block) != self.current:
                at_end[block] = self.current
                last = block.last_op
                pending.update(dict.fromkeys(() if last is None else fast.successors_of(last)))
        self.current = {}

    def _meet(self, block: Block, at_end: Mapping[Block, Known]) -> Known | None:
        """The debug values at a block's start, according to the visited predecessors; None if none
        is visited.
        """
        if block.prev_block is None:
            return {}
        before = [at_end[b] for b in fast.predecessors_of(block) if b in at_end]
        if not before:
            return None
        known = dict(before[0])
        for other in before[1:]:
            known = {
                history: place for history, place in known.items() if other.get(history) == place
            }
        self._written(known, [self._names[id(value)] for value in block.args])
        return known

    def enter(self, block: Block) -> None:
        """Moves to a block's start."""
        self.current = dict(self._at_start.get(block, ()))

    def passed(self, op: Operation) -> None:
        """Moves past an op."""
        found = self._described.get(op)
        if found is not None:
            history, location = found
            if location is None:
                self.current.pop(history, None)
            else:
                self.current[history] = location
        elif op.results:
            self._written(self.current, [self._names[id(value)] for value in op.results])

    def _written(self, known: Known, registers: Sequence[str]) -> None:
        if not self._registers.isdisjoint(registers):
            for history in [h for h, place in known.items() if place.register in registers]:
                del known[history]
