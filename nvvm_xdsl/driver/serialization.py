"""IR as bytes, for another process that runs the same program.

Ops become rows: the class, the numbers of operands and successors, result types, properties,
attributes. `pickle` writes the rows, with attributes that several ops share written once. The
reader restores the order of blocks and of uses, which passes may depend on, names, locations, and
the interned objects for types and constants, which are compared by identity.

Only bytes written by a process of the same program may be read: a pickle can execute code.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import copyreg
import io
import pickle
import sys
from abc import ABCMeta
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, ClassVar, TypeAlias, cast

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use

from nvvm_xdsl.dialects.llvm.intern import INTERNED, Interner
from nvvm_xdsl.ir import fast
from nvvm_xdsl.xdsl_patches.definitions import define

Row: TypeAlias = tuple[Any, ...]
"""Class, operands, result types, properties, attributes, successors, location, names, regions."""

Order: TypeAlias = list[tuple[int, int]]
"""Uses in their order: the number of the op, the index among its operands or successors."""


def pack(ops: Sequence[Operation], extra: object = None) -> bytes:
    """The ops with their regions, as bytes. Raises ValueError for an op that uses values defined
    outside.

    Arguments:
        extra: additional data for the reader, serializable by pickle.
    """
    stream = io.BytesIO()
    _Pickler(stream, protocol=pickle.HIGHEST_PROTOCOL).dump(
        ([_Writer(op).packed() for op in ops], extra)
    )
    return stream.getvalue()


def unpack(data: bytes) -> tuple[list[Operation], Any]:
    """The detached ops and the additional data that were passed to `pack`."""
    packed, extra = pickle.loads(data)
    return [_Reader(*one).root for one in packed], extra


# Attributes


def _plain(cls: type[Attribute], state: Any) -> Attribute:
    attr = object.__new__(cls)
    held = cast(
        "tuple[dict[str, Any] | None, ...]", state if isinstance(state, tuple) else (state,)
    )
    for fields in held:
        for name, value in (fields or {}).items():
            object.__setattr__(attr, name, value)
    return attr


def _interned(cls: type[Attribute], state: Any) -> Attribute:
    return Interner().get(_plain(cls, state))


def _reduce(attr: Attribute) -> tuple[Callable[..., Attribute], tuple[Any, ...]]:
    """The reconstruction of an attribute: interned objects are interned again."""
    made: Any = attr.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    rebuild = _interned if Interner().get(attr) is attr else _plain
    return rebuild, (type(attr), made[2])


def _reduce_class(cls: type[Any]) -> str | tuple[Callable[..., type[Any]], tuple[str, ...]]:
    """The reconstruction of a class: by its module and name, or by a lookup in a table of
    classes."""
    if "mnemonic" in cls.__dict__:
        return cls.by_mnemonic, (cls.mnemonic,)
    if issubclass(cls, Attribute) and getattr(sys.modules[cls.__module__], cls.__name__, 0) is cls:
        return _defined, (cls.__module__, cls.__name__)
    return cls.__qualname__


def _defined(module: str, name: str) -> type[Any]:
    """An attribute class with its definition.

    Pickle calls no constructor, and all attributes of a class without a definition are equal.
    """
    cls: type[Any] = getattr(import_module(module), name)
    define(cls)
    return cls


class _Pickler(pickle.Pickler):
    dispatch_table: ClassVar[Any] = {
        **copyreg.dispatch_table,
        ABCMeta: _reduce_class,
        **dict.fromkeys(INTERNED, _reduce),
    }


# Writing


def _pairs(uses: Iterator[Use], numbers: dict[Operation, int]) -> Order | None:
    """The order of uses; None if it is the order of a clone, from the last to the first."""
    found: Order = []
    for use in uses:
        found.append((numbers[use._operation], use._index))
    return None if found == sorted(found, reverse=True) else found


def _uses(head: Use | None) -> Iterator[Use]:
    while head is not None:
        yield head
        head = head._next_use


class _Writer:
    """Numbers the contents of an op and creates the rows."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.ops: dict[Operation, int] = {}
        self.values: dict[SSAValue, int] = {}
        self.blocks: dict[Block, int] = {}

    def packed(self) -> tuple[Row, list[tuple[int, Order]], list[tuple[int, Order]]]:
        """The row of an op, and the order of uses of its values and blocks if it is not the
        default."""
        self._number(self.op)
        try:
            return self._row(self.op), self._orders(self.values), self._orders(self.blocks)
        except KeyError:
            raise ValueError(f"{self.op.name} uses values from outside, or is used there") from None

    def _orders(self, numbered: dict[Any, int]) -> list[tuple[int, Order]]:
        found: list[tuple[int, Order]] = []
        for item, number in numbered.items():
            head = item.first_use
            if head is not None and head._next_use is not None:
                order = _pairs(_uses(head), self.ops)
                if order is not None:
                    found.append((number, order))
        return found

    def _number(self, op: Operation) -> None:
        self.ops[op] = len(self.ops)
        values = self.values
        for result in op.results:
            values[result] = len(values)
        for region in op.regions:
            for block in fast.blocks_of(region):
                self.blocks[block] = len(self.blocks)
                for argument in block._args:
                    values[argument] = len(values)
            for block in fast.blocks_of(region):
                for inner in fast.ops_of(block):
                    self._number(inner)

    def _row(self, op: Operation) -> Row:
        values, blocks = self.values, self.blocks
        results = op.results
        names = [result._name for result in results] if results else None
        return (
            type(op),
            [values[value] for value in op._operands],
            [result._type for result in results],
            op.properties or None,
            op.attributes or None,
            [blocks[block] for block in op._successors],
            None if op.location is fast.UNKNOWN_LOC else op.location,
            names if names and any(names) else None,
            [self._region(region) for region in op.regions],
        )

    def _region(self, region: Region) -> list[Any]:
        return [
            (
                block._name,
                [(a._type, a._name, a.location) for a in block._args],
                [self._row(op) for op in fast.ops_of(block)],
            )
            for block in fast.blocks_of(region)
        ]


# Reading


class _Reader:
    """Creates the ops of rows, with the same numbers as in the writer."""

    root: Operation

    def __init__(
        self, row: Row, values: list[tuple[int, Order]], blocks: list[tuple[int, Order]]
    ) -> None:
        self.ops: list[tuple[Operation, list[int], list[int]]] = []
        self.values: list[SSAValue] = []
        self.blocks: list[Block] = []
        self.root = self._op(row)
        numbered, targets = self.values, self.blocks
        # A use may precede the definition, because blocks are in any order.
        for op, operands, successors in self.ops:
            if operands:
                fast.set_operands(op, [numbered[number] for number in operands])
            if successors:
                fast.set_successors(op, [targets[number] for number in successors])
        for number, order in values:
            uses = [self.ops[op][0]._operand_uses[index] for op, index in order]
            _chain(self.values[number], uses)
        for number, order in blocks:
            uses = [self.ops[op][0]._successor_uses[index] for op, index in order]
            _chain(self.blocks[number], uses)

    def _op(self, row: Row) -> Operation:
        cls, operands, types, properties, attributes, successors, location, names, regions = row
        op: Operation = fast.create(
            cls,
            (),
            types,
            properties,
            (),
            attributes,
            fast.UNKNOWN_LOC if location is None else location,
            [Region() for _ in regions],
        )
        self.ops.append((op, operands, successors))
        self.values.extend(op.results)
        if names is not None:
            for result, name in zip(op.results, names):
                result._name = name
        for region, packed in zip(op.regions, regions):
            made: list[Block] = []
            for name, arguments, _ in packed:
                block = fast.new_block([type_ for type_, _, _ in arguments])
                block._name = name
                for argument, (_, argument_name, place) in zip(block._args, arguments):
                    argument._name = argument_name
                    argument.location = place
                fast.append_block(region, block)
                made.append(block)
                self.values.extend(block._args)
            self.blocks.extend(made)
            for block, (_, _, rows) in zip(made, packed):
                for inner in rows:
                    fast.append(block, self._op(inner))
        return op


def _chain(item: Any, uses: list[Use]) -> None:
    """Sorts the uses of a value or block into the given order."""
    item.first_use = uses[0]
    before: Use | None = None
    for use in uses:
        use._prev_use = before
        if before is not None:
            before._next_use = use
        before = use
    uses[-1]._next_use = None
