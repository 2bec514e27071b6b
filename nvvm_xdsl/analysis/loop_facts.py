"""Facts about the contents of loops, computed for a whole nest at once.

A `Loop` walks its current blocks for each query. In a deep nest each block belongs to many loops.
Here each block is visited once, and an outer loop includes the facts of its inner loops.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from xdsl.dialects.llvm import CondBrOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.dialects.effects import READS, WRITES, effects, is_noduplicate
from nvvm_xdsl.dialects.llvm.branches import argument_behind
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

_NEVER_COPIED = frozenset({"llvm.blocktag", "llvm.blockaddress", "llvm.indirectbr"})
"""Ops whose block may be referenced by others."""


class _Nest:
    """An outermost loop with its inner loops."""

    def __init__(self, outermost: Loop, loops: LoopInfo) -> None:
        self.loops = list(outermost.preorder())
        self.blocks = [(b, loop) for b in outermost.blocks if (loop := loops.loop_for(b))]

    @cached_property
    def exits(self) -> dict[Loop, list[tuple[Block, Block]]]:
        """The edges out of each loop."""
        found: dict[Loop, list[tuple[Block, Block]]] = {loop: [] for loop in self.loops}
        for block, loop in self.blocks:
            last = block.last_op
            for target in fast.successors_of(last) if last is not None else ():
                at: Loop | None = loop
                while at is not None and not at.contains(target):
                    found[at].append((block, target))
                    at = at.parent
        return found

    @cached_property
    def open(self) -> set[Loop]:
        """The loops with values that are used outside of them."""
        found: set[Loop] = set()
        for block, loop in self.blocks:
            values: list[SSAValue] = list(block.args)
            for op in fast.ops_of(block):
                values += op.results
            for value in values:
                for user in fast.users_of(value):
                    where = user.parent
                    if where is block:
                        continue
                    at: Loop | None = loop
                    while at is not None and (where is None or not at.contains(where)):
                        found.add(at)
                        at = at.parent
        return found

    @cached_property
    def contents(self) -> dict[Loop, tuple[int, str | None]]:
        """The effects of each loop's ops, and the name of an op that must not be copied."""
        found: dict[Loop, tuple[int, str | None]] = {loop: (0, None) for loop in self.loops}
        for block, loop in self.blocks:
            flags, name = found[loop]
            for op in fast.ops_of(block):
                flags |= effects(op)
                if op.name in _NEVER_COPIED or is_noduplicate(op):
                    name = name or op.name
            found[loop] = flags, name
        for loop in reversed(self.loops):
            if loop.parent is not None:
                flags, name = found[loop.parent]
                found[loop.parent] = flags | found[loop][0], name or found[loop][1]
        return found

    @cached_property
    def invariant(self) -> dict[Loop, list[Operation]]:
        """The ops of each loop, except for branches, whose operands are all defined outside it."""
        found: dict[Loop, list[Operation]] = {loop: [] for loop in self.loops}
        for block, loop in self.blocks:
            for op in fast.ops_of(block):
                if not op.results:
                    continue
                at: Loop | None = loop
                while at is not None and at.has_invariant_operands(op):
                    found[at].append(op)
                    at = at.parent
        return found

    @cached_property
    def handed_out(self) -> dict[Loop, list[Operation]]:
        """The ops of each loop whose only result is only used by arguments of blocks outside it."""
        found: dict[Loop, list[Operation]] = {loop: [] for loop in self.loops}
        for block, loop in self.blocks:
            for op in fast.ops_of(block):
                at: Loop | None = loop
                targets = _only_targets(op)
                while targets and at is not None and not any(at.contains(b) for b in targets):
                    found[at].append(op)
                    at = at.parent
        return found

    @cached_property
    def tested(self) -> set[Loop]:
        """The loops with a branch on a value defined outside them."""
        found: set[Loop] = set()
        for block, loop in self.blocks:
            last = block.last_op
            if last is None or type(last) is not CondBrOp:
                continue
            condition = fast.operands_of(last)[0]
            at: Loop | None = loop
            while at is not None and at.is_invariant(condition):
                found.add(at)
                at = at.parent
        return found

    @cached_property
    def accesses(self) -> dict[Loop, list[Operation]]:
        """The ops of each loop that read or write memory."""
        found: dict[Loop, list[Operation]] = {loop: [] for loop in self.loops}
        for block, loop in self.blocks:
            for op in fast.ops_of(block):
                at: Loop | None = loop if effects(op) & (READS | WRITES) else None
                while at is not None:
                    found[at].append(op)
                    at = at.parent
        return found


def _only_targets(op: Operation) -> list[Block]:
    """The blocks whose arguments are the only uses of the op's only result; empty for other ops."""
    if len(op.results) != 1:
        return []
    found: list[Block] = []
    for user, index in fast.uses_of(op.results[0]):
        argument = argument_behind(user, index) if fast.successors_of(user) else None
        if argument is None:
            return []
        found.append(argument.block)
    return found


class LoopFacts:
    """Facts about the loops of a function. They are valid until an op or an edge changes."""

    def __init__(self, loops: LoopInfo) -> None:
        self.loops = loops
        self._nests: dict[Loop, _Nest] = {}

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The facts of the loops of a function."""
        return cls(am.get(LoopInfo, op))

    def _nest(self, loop: Loop) -> _Nest:
        found = self._nests.get(loop)
        if found is None:
            outermost = loop
            while outermost.parent is not None:
                outermost = outermost.parent
            found = _Nest(outermost, self.loops)
            for inside in found.loops:
                self._nests[inside] = found
        return found

    def exit_edges(self, loop: Loop) -> list[tuple[Block, Block]]:
        """As `Loop.exit_edges`."""
        return self._nest(loop).exits[loop]

    def exiting_blocks(self, loop: Loop) -> list[Block]:
        """As `Loop.exiting_blocks`."""
        return list(dict.fromkeys(source for source, _ in self.exit_edges(loop)))

    def exit_blocks(self, loop: Loop) -> list[Block]:
        """As `Loop.exit_blocks`."""
        return list(dict.fromkeys(target for _, target in self.exit_edges(loop)))

    def has_dedicated_exits(self, loop: Loop) -> bool:
        """As `Loop.has_dedicated_exits`."""
        return all(
            loop.contains(source)
            for target in self.exit_blocks(loop)
            for source in fast.predecessors_of(target)
        )

    def is_simplified(self, loop: Loop) -> bool:
        """As `Loop.is_simplified`."""
        has_form = loop.preheader() is not None and loop.latch() is not None
        return has_form and self.has_dedicated_exits(loop)

    def is_lcssa(self, loop: Loop) -> bool:
        """As `Loop.is_lcssa`."""
        return loop not in self._nest(loop).open

    def effects(self, loop: Loop) -> int:
        """The union of the effects of the loop's ops."""
        return self._nest(loop).contents[loop][0]

    def invariant_ops(self, loop: Loop) -> list[Operation]:
        """The ops of the loop, except for branches, whose operands are all defined outside it."""
        return self._nest(loop).invariant[loop]

    def ops_handed_out(self, loop: Loop) -> list[Operation]:
        """The ops of the loop whose only result is only used by arguments of blocks outside it."""
        return self._nest(loop).handed_out[loop]

    def has_invariant_test(self, loop: Loop) -> bool:
        """Returns True if the loop has a branch on a value that is defined outside it."""
        return loop in self._nest(loop).tested

    def accesses(self, loop: Loop) -> list[Operation]:
        """The ops of the loop that read or write memory."""
        return self._nest(loop).accesses[loop]

    def why_not_copied(self, loop: Loop) -> str | None:
        """The op that prevents copying the loop's blocks; None if there is none."""
        name = self._nest(loop).contents[loop][1]
        return None if name is None else f"it contains {name}"

    def verify(self) -> None:
        """Recomputes the cached facts; raises AssertionError if they differ."""
        for nest in dict.fromkeys(self._nests.values()):
            outermost = nest.loops[0]
            fresh = _Nest(outermost, self.loops)
            for name in nest.__dict__:
                assert getattr(fresh, name) == getattr(nest, name), (
                    f"{name} of the loops in that at {outermost.header.name_hint} is stale"
                )
