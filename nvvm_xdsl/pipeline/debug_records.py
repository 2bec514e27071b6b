"""Removes debug records of variables before a run of passes and restores them afterwards."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.dialects.llvm.debug_placement import (
    DEBUG_OPS,
    DebugRecords,
    Record,
    following,
    home_of,
)
from nvvm_xdsl.ir import fast


@contextmanager
def without_debug_ops(module: ModuleOp) -> Generator[None]:
    """Runs the context on the module without its debug records, which are restored afterwards with
    updated values.
    """
    records = DebugRecords.take(_blocks_of(module))
    with following(records):
        yield
    if records.records:
        _Placement(module).put_back(records)


def _blocks_of(module: ModuleOp) -> Iterator[Block]:
    for op in fast.ops_of(module.body.block):
        for region in op.regions:
            yield from fast.blocks_of(region)


_Place: TypeAlias = "tuple[Operation | None, Block | None]"
"""The op to insert after, or None and the block to insert at the start of; no block if the position
is lost.
"""


class _Placement:
    """The positions of ops in a module after its passes."""

    def __init__(self, module: ModuleOp) -> None:
        self._numbers: dict[int, int] = {}
        self._blocks: set[int] = set()
        self._trees: dict[Operation, DominatorTree] = {}
        self._last: dict[int, Operation] = {}
        """The last record inserted after an op or at the start of a block."""
        for block in _blocks_of(module):
            self._blocks.add(id(block))
            for number, op in enumerate(fast.ops_of(block)):
                self._numbers[id(op)] = number

    def put_back(self, records: DebugRecords) -> None:
        """Inserts debug records at their old positions: after the remaining ops that preceded them."""
        for record in records.records:
            self._place(record)

    def _place(self, record: Record) -> None:
        value = record.value
        if value is not None and not self._exists(value):
            value = None
        anchor, block = self._anchor(record)
        if block is None:
            # The code was removed. A record at the start of the function shows that the variable
            # had a value.
            block = record.region.first_block
            value = record.constant = None
        elif value is not None:
            place = self._position_after(value, anchor, block)
            if not self._is_next(place, (anchor, block)):
                # Until the new value is defined, the variable does not keep the previous one
                # either.
                self._put(self._unknown(fast.clone(record.op), value.type), anchor, block)
            anchor, block = place
        if block is not None and id(block) in self._blocks:
            self._put(self._ops(record, value), anchor, block)

    def _put(self, ops: list[Operation], anchor: Operation | None, block: Block) -> None:
        """Inserts records after an op or at a block's start, in their old order."""
        key = id(block) if anchor is None else id(anchor)
        after = self._last.get(key, anchor)
        for op in ops:
            if after is None:
                fast.prepend(block, op)
            else:
                fast.insert_after(op, after)
            after = op
        if after is not None:
            self._last[key] = after

    def _exists(self, value: SSAValue) -> bool:
        if isinstance(value, BlockArgument):
            arguments = value.block.args
            return id(value.block) in self._blocks and any(a is value for a in arguments)
        return id(value.owner) in self._numbers

    @staticmethod
    def _ops(record: Record, value: SSAValue | None) -> list[Operation]:
        op = record.op
        if value is not None:
            fast.set_operands(op, (value,))
            return [op]
        if record.constant is not None:
            fast.set_operands(op, (record.constant.results[0],))
            return [record.constant, op]
        return [op] if record.type is None else _Placement._unknown(op, record.type)

    @staticmethod
    def _unknown(op: Operation, type_: Attribute) -> list[Operation]:
        unknown = DEBUG_OPS[type(op)].unknown
        return [] if unknown is None else list(unknown(op, type_))

    def _is_next(self, place: _Place, wanted: _Place) -> bool:
        """Returns whether an insertion point is the requested one, or follows the op there."""
        if place == wanted or place[0] is None or place[1] is not wanted[1]:
            return place == wanted
        before = -1 if wanted[0] is None else self._numbers[id(wanted[0])]
        return self._numbers[id(place[0])] == before + 1

    def _anchor(self, record: Record) -> _Place:
        """The position of a debug record.

        A record stays with those of its neighbours that are still adjacent: an op that was hoisted
        or sunk alone does not move a record.
        """
        home = home_of(record)
        if id(home) not in self._blocks:
            return None, None
        for op in reversed(record.order[: record.index]):
            if self._is_in(op, home) and not fast.successors_of(op) and op.next_op is not None:
                return op, home
        if home is record.block:
            return None, home
        for op in record.order[record.index :]:
            if self._is_in(op, home):
                before = op.prev_op
                while before is not None and id(before) not in self._numbers:
                    before = before.prev_op
                return before, home
        return None, None

    def _is_in(self, op: Operation, block: Block) -> bool:
        return id(op) in self._numbers and op.parent is block

    def _position_after(self, value: SSAValue, anchor: Operation | None, block: Block) -> _Place:
        """The first position at or after the given one where the value is available; its own if
        there is none."""
        owner = value.owner
        if isinstance(owner, Block):
            own: _Place = (None, owner)
        else:
            own = (owner, owner.parent)
        if block is own[1]:
            if anchor is None or own[0] is None:
                return (anchor, block) if own[0] is None else own
            later = self._numbers.get(id(own[0]), 0) > self._numbers.get(id(anchor), 0)
            return own if later else (anchor, block)
        assert own[1] is not None
        return (anchor, block) if self._tree(block).dominates(own[1], block) else own

    def _tree(self, block: Block) -> DominatorTree:
        function = block.parent_op()
        assert function is not None
        found = self._trees.get(function)
        if found is None:
            found = self._trees[function] = DominatorTree(function.regions[0])
        return found
