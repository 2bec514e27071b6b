"""Debug records of variables, kept outside of the code while passes change it.

In printed IR, ops such as `llvm.intr.dbg.value` are in blocks and use values. They must not
influence passes. `DebugRecords` removes them, as LLVM keeps debug records beside instructions,
tracks the used values while passes run, and computes the new positions. A replaced value is tracked
to its replacement; after an erased value the variable has no value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import inlined_at, scope_of

Salvaged: TypeAlias = "tuple[SSAValue, Operation]"
"""A value, and the description of a variable by it."""


@dataclass(frozen=True)
class DebugOpClass:
    """The treatment of a class of ops that describe variables.

    Arguments:
        unknown: creates the ops that replace a description whose value, of this type, was erased;
            the last op is the new description. None if the description is dropped.
        salvage: given an op and a description of its result, returns an operand and an equivalent
            description of it; None if there is none.
        stored: given a description of a variable's memory, creates the description, without value,
            of the variable by a value. None for ops that do not describe memory.
    """

    unknown: Callable[[Operation, Attribute], Sequence[Operation]] | None = None
    stored: Callable[[Operation], Operation] | None = None
    salvage: Callable[[Operation, Operation], Salvaged | None] | None = None


DEBUG_OPS: Final[dict[type[Operation], DebugOpClass]] = {}
"""The ops that describe variables; their dialects register them here."""

CONSTANTS: Final[set[type[Operation]]] = set()
"""Ops that create constants, which may be duplicated anywhere; their dialects register them
here."""


MOST_ANCHORS: Final = 32
"""The number of ops at the end of a predecessor that a record of a merged block may follow."""


@dataclass(eq=False)
class Record:
    """A description that was removed from the code.

    Arguments:
        op: the detached op, without operand.
        value: its value, or None.
        constant: in place of a value, the detached op that creates it.
        type: the type of its value.
        order: the ops of its block.
        index: the number of records before it.
        block: its block.
        region: the body of its function.
    """

    op: Operation
    value: SSAValue | None
    constant: Operation | None
    type: Attribute | None
    order: Sequence[Operation]
    index: int
    block: Block
    region: Region


@dataclass(eq=False)
class DebugRecords:
    """The descriptions of a module or function, outside of the code."""

    records: list[Record] = field(default_factory=list[Record])
    _by_value: dict[int, list[Record]] = field(default_factory=dict[int, list[Record]])
    _stored: set[int] = field(default_factory=set[int])

    @staticmethod
    def take(blocks: Iterator[Block]) -> DebugRecords:
        """Removes the descriptions from the blocks."""
        found = DebugRecords()
        for block in blocks:
            if any(type(op) in DEBUG_OPS for op in fast.ops_of(block)):
                found._detach_records(block)
        return found

    def _detach_records(self, block: Block) -> None:
        order = [op for op in fast.ops_of(block) if type(op) not in DEBUG_OPS]
        index = 0
        for op in list(fast.ops_of(block)):
            if type(op) not in DEBUG_OPS:
                index += 1
                continue
            operands = fast.operands_of(op)
            value = operands[0] if operands else None
            fast.detach(op)
            fast.drop_uses(op)
            type_ = None if value is None else value.type
            record = Record(op, None, None, type_, order, index, block, _body_of(block))
            self.add(record, value)
            if value is not None and record.constant is not None:
                maker = fast.producer_of(value)
                if value.first_use is None and maker.parent is not None:
                    # A constant that only the description uses.
                    fast.erase(maker)

    def add(self, record: Record, value: SSAValue | None) -> None:
        """Adds a record of a value."""
        self.records.append(record)
        self._set(record, value)

    def _set(self, record: Record, value: SSAValue | None) -> None:
        record.value = record.constant = None
        record.type = record.type if value is None else value.type
        if value is None:
            return
        maker = value.owner
        if isinstance(maker, Operation) and type(maker) in CONSTANTS:
            record.constant = fast.clone(maker)
            return
        record.value = value
        self._by_value.setdefault(id(value), []).append(record)

    def clear(self) -> bool:
        """Drops all descriptions; returns whether there were any."""
        found = bool(self.records)
        self.records.clear()
        self._by_value.clear()
        return found

    def of(self, value: SSAValue) -> Sequence[Record]:
        """The records of a value."""
        return self._by_value.get(id(value), ())

    # Changes by passes

    def replaced(self, old: SSAValue, new: SSAValue) -> None:
        """All uses of a value were replaced by another one."""
        for record in self._by_value.pop(id(old), ()):
            self._set(record, new)

    def erased(self, op: Operation) -> None:
        """An op is erased: its result is described by its operands, if possible."""
        for result in op.results:
            for record in self._by_value.pop(id(result), ()):
                salvage = DEBUG_OPS[type(record.op)].salvage
                found = None if salvage is None else salvage(op, record.op)
                if found is not None:
                    value, record.op = found
                    self._set(record, value)

    def stored(
        self, address: SSAValue, value: SSAValue, order: Sequence[Operation], index: int
    ) -> None:
        """The variable that was in memory at an address has a value instead.

        Arguments:
            order, index: the ops of the block of the store, and the number of ops before it.
        """
        for record in list(self.of(address)):
            make = DEBUG_OPS[type(record.op)].stored
            block = order[0].parent if order else None
            if make is not None and block is not None:
                made = Record(
                    make(record.op), None, None, value.type, order, index, block, _body_of(block)
                )
                self.add(made, value)
                self._stored.add(id(record))

    def promoted(self, address: SSAValue) -> None:
        """The memory at an address was removed: the values recorded by `stored` remain."""
        gone = {id(record) for record in self.of(address)} & self._stored
        if gone:
            self.records = [record for record in self.records if id(record) not in gone]

    def inlined(
        self,
        region: Region,
        ops: Mapping[Operation, Operation],
        values: Mapping[SSAValue, SSAValue],
        blocks: Mapping[Block, Block],
        call: LocationAttr,
    ) -> None:
        """A function's body was copied to a call of it.

        Arguments:
            region: the body. ops, values, blocks: the copied entities and their copies.
            call: the location of the call.
        """
        if scope_of(call) is None:
            return
        for record in list(self.records):
            if record.region is region:
                # A block that was merged into another one is not among those copied.
                block = blocks.get(record.block) or next(iter(blocks.values()))
                made = self._copy(record, block, ops, values, blocks)
                made.op.location = inlined_at(made.op.location, call)

    def copied(
        self,
        ops: Mapping[Operation, Operation],
        values: Mapping[SSAValue, SSAValue],
        blocks: Mapping[Block, Block],
    ) -> None:
        """Blocks were copied inside their function, such as those of an unrolled loop.

        Arguments: ops, values, blocks: the copied entities and their copies.
        """
        for record in list(self.records):
            block = blocks.get(home_of(record))
            if block is not None:
                self._copy(record, block, ops, values, blocks)

    def split(self, block: Block, new: Block) -> None:
        """The last ops of a block were moved to a new block."""
        for record in self.records:
            if record.block is not block:
                continue
            for op in reversed(record.order[: record.index]):
                if op.parent is new:
                    record.block = new
                if op.parent is new or op.parent is block:
                    break

    def merged(self, block: Block, before: Block) -> None:
        """A block is about to be appended to its predecessor, which has no terminator any more.

        The end of the predecessor is the position of records whose own neighbours are erased.
        """
        ends = list(islice(fast.reversed_ops_of(before), MOST_ANCHORS))[::-1]
        orders: dict[int, list[Operation]] = {}
        for record in self.records:
            if record.block is block:
                order = orders.setdefault(id(record.order), [*ends, *record.order])
                record.order, record.index = order, record.index + len(ends)
                record.block = before

    def redefined(
        self, value: SSAValue, definers: Container[Block], at: Callable[[Block], SSAValue | None]
    ) -> None:
        """A value has several definitions now.

        Arguments:
            definers: the blocks of the definitions, which have their own.
            at: returns the definition at the start of a block; None if it is unknown.
        """
        for record in self._by_value.pop(id(value), ()):
            home = home_of(record)
            self._set(record, value if home in definers else at(home))

    def _copy(
        self,
        record: Record,
        block: Block,
        ops: Mapping[Operation, Operation],
        values: Mapping[SSAValue, SSAValue],
        blocks: Mapping[Block, Block],
    ) -> Record:
        """Adds the copy of a record for a copy of its block."""
        order = [ops[op] for op in record.order if op in ops]
        index = sum(op in ops for op in record.order[: record.index])
        op = fast.clone(record.op)
        made = Record(op, None, None, record.type, order, index, block, _body_of(block))
        value = record.value
        if value is not None and value not in values:
            # Records of ops that were not copied have no position in the copy.
            value = None if _block_of(value) in blocks else value
        self.add(made, None if value is None else values.get(value, value))
        if record.constant is not None:
            made.constant = fast.clone(record.constant)
        return made


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


def home_of(record: Record) -> Block:
    """The block of a record: its own, or the new block of the adjacent ops."""
    around = (*reversed(record.order[: record.index]), *record.order[record.index :])
    # Constants are placed at the start of the function, regardless of their users.
    if record.block.parent is not None:
        return record.block
    homes = [
        op.parent
        for op in around
        if op.parent is not None and op.parent.parent is not None and type(op) not in CONSTANTS
    ]
    return homes[0] if homes else record.block


def _body_of(block: Block) -> Region:
    region = block.parent
    assert region is not None
    return region


_following: Final[list[DebugRecords]] = []


@contextmanager
def following(records: DebugRecords) -> Generator[None]:
    """Updates the records for changes made in the context."""
    if not records.records:
        yield
        return
    _following.append(records)
    fast.OBSERVERS.append(records.replaced)
    fast.ERASURE_OBSERVERS.append(records.erased)
    fast.SPLIT_OBSERVERS.append(records.split)
    try:
        yield
    finally:
        _following.remove(records)
        fast.OBSERVERS.remove(records.replaced)
        fast.ERASURE_OBSERVERS.remove(records.erased)
        fast.SPLIT_OBSERVERS.remove(records.split)


def followers() -> Sequence[DebugRecords]:
    """The records to update."""
    return _following
