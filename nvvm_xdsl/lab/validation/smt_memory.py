"""Memory as SMT arrays.

A cell is a byte, the mask of its undef bits, three flags (poison, readable and writable), and the
origin of the pointer of which the byte is a part. Main memory is one array from generic addresses
to cells. It contains all memory that the caller or other threads can access. An `alloca` whose
address does not escape is a private object with a separate array. An `alloca` whose address escapes
is an object in main memory; pointers from outside the function are not based on it.

Claims may ignore undef bits of memory that the function did not store, and the origins of pointers.
Such claims are weaker than refinement: if one is refuted, refinement is refuted as well.

One simplification makes claims stronger: objects are at least one byte apart.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import vector_type
from nvvm_xdsl.lab.validation.scope import Inputs, Scope, Undef
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import (
    ALWAYS,
    ANY_ORIGIN,
    NEVER,
    NO_ORIGIN,
    ORIGIN_BITS,
    Leaf,
    Term,
    UnsupportedError,
    Value,
    both,
    choose,
    either,
    inverse,
    origin_of,
    scalars_of,
    width_of_scalar,
)

ADDRESS_BITS = 64
DATA, UNDEF, POISON, READABLE, WRITABLE, ORIGIN = 0, 8, 16, 17, 18, 19
"""The least significant bits of the fields of a cell."""

CELL_BITS = ORIGIN + ORIGIN_BITS
MOST_BYTES = 256
"""Bytes of an access or an escaping object that are encoded one by one."""

ADDRESS: Term = z3.BitVecSort(ADDRESS_BITS)
MEMORY: Term = z3.ArraySort(ADDRESS, z3.BitVecSort(CELL_BITS))
_SPACE_OF: Term = z3.Function("address space", ADDRESS, z3.BitVecSort(3))
_OBJECT_OF: Term = z3.Function("object", ADDRESS, ADDRESS)
_OWNER_OF: Term = z3.Function("origin", ADDRESS, z3.BitVecSort(ORIGIN_BITS))


class LocalObject(NamedTuple):
    """The memory of an `alloca`.

    Arguments:
        number: identifies the object in its function.
        base: the generic address of its first byte.
        size: size in bytes.
        escapes: whether the object is in main memory.
        is_global: whether the object is a global, to which pointers of the caller may point.
    """

    number: int
    base: Term
    size: int
    escapes: bool
    is_global: bool = False


_START: Term = z3.BitVecVal(0, ADDRESS_BITS)


@dataclass(frozen=True)
class Memory:
    """The contents of memory at a point of the function.

    Arguments:
        main: main memory.
        private: the cells of private objects.
        alive: for objects with lifetime markers, whether the object may be accessed.
        trace: a term that represents the events so far.
        may_hold_undef: whether cells of main memory may be undef.
        undef: variables of undef bits in the data of cells.
    """

    main: Term
    private: Mapping[int, Term] = field(default_factory=dict[int, Any])
    alive: Mapping[int, Term] = field(default_factory=dict[int, Any])
    trace: Term = _START
    may_hold_undef: bool = False
    undef: tuple[Term, ...] = ()


def merge(condition: Term, a: Memory, b: Memory) -> Memory:
    """`a` if the condition holds, otherwise `b`."""
    return Memory(
        choose(condition, a.main, b.main),
        {
            key: choose(condition, a.private[key], b.private[key])
            if key in a.private and key in b.private
            else (a.private.get(key) if key in a.private else b.private[key])
            for key in {**a.private, **b.private}
        },
        {
            key: choose(condition, a.alive.get(key, NEVER), b.alive.get(key, NEVER))
            for key in {**a.alive, **b.alive}
        },
        choose(condition, a.trace, b.trace),
        a.may_hold_undef or b.may_hold_undef,
        tuple(dict.fromkeys((*a.undef, *b.undef))),
    )


def space_of(type_: Attribute) -> int:
    """The address space of a pointer type."""
    assert isinstance(type_, LLVMPointerType)
    space: Any = type_.addr_space
    return getattr(space, "data", 0)


def generic_address(inputs: Inputs, address: Term, space: int) -> Term:
    """The generic address of an address in a space."""
    if address.size() != ADDRESS_BITS:
        address = z3.ZeroExt(ADDRESS_BITS - address.size(), address)
    if space in (0, 1):
        return address
    return address + inputs.bits(f"window of address space {space}", ADDRESS_BITS)


def cast_address(inputs: Inputs, address: Term, source: int, target: int, width: int) -> Term:
    """An address cast to another space."""
    found = generic_address(inputs, address, source)
    if target not in (0, 1):
        found = found - inputs.bits(f"window of address space {target}", ADDRESS_BITS)
    return found if width == ADDRESS_BITS else z3.Extract(width - 1, 0, found)


def initial_memory(inputs: Inputs) -> Memory:
    """Memory when the function starts."""
    main = constrained(inputs, z3.Const("memory", MEMORY))
    return Memory(main, may_hold_undef=inputs.has_undef)


def constrained(inputs: Inputs, main: Term) -> Term:
    """Main memory in which the null pointer is invalid."""
    null = z3.Select(main, z3.BitVecVal(0, ADDRESS_BITS))
    inputs.assumptions.append(z3.Extract(WRITABLE, READABLE, null) == 0)
    return main


def assume_readable(inputs: Inputs, main: Term, address: Term, size: int, unless: Term) -> None:
    """Assumes that bytes of memory are readable, unless a condition holds."""
    for n in range(min(size, MOST_BYTES)):
        readable = _flag(z3.Select(main, address + n), READABLE)
        inputs.assumptions.append(either(unless, readable))


def _flag(cell: Term, flag: int) -> Term:
    return z3.Extract(flag, flag, cell) == 1


_NEW_CELL = 0xFF << UNDEF | 1 << READABLE | 1 << WRITABLE
"""An undef byte that may be accessed."""


def with_rights(cell: Term, rights: Term) -> Term:
    """The cell with the rights of another."""
    return z3.Concat(
        z3.Extract(CELL_BITS - 1, ORIGIN, cell), rights, z3.Extract(POISON, DATA, cell)
    )


def same_object(a: Term, b: Term) -> Term:
    """Whether two addresses are in one object or at its end."""
    return _OBJECT_OF(a) == _OBJECT_OF(b)


def within(address: Term, item: LocalObject) -> Term:
    """Whether an address is in an object or at its end."""
    return z3.ULE(address - item.base, item.size)


class Accessor:
    """Loads, stores and allocations of one function.

    Arguments:
        scope: the function.
        local: its local objects by number.
        globals_: the globals, by negative numbers.
    """

    def __init__(
        self, scope: Scope, local: dict[int, LocalObject], globals_: dict[int, LocalObject]
    ) -> None:
        self._scope = scope
        self._objects = ChainMap(local, globals_)

    def allocate(self, memory: Memory, item: LocalObject) -> Memory:
        """Memory with a new object of undef bytes."""
        content = z3.K(ADDRESS, z3.BitVecVal(_NEW_CELL, CELL_BITS))
        if not item.escapes:
            return replace(memory, private={**memory.private, item.number: content})
        if item.size > MOST_BYTES:
            raise UnsupportedError(f"local object of more than {MOST_BYTES} bytes that escapes")
        main = memory.main
        for n in range(item.size):
            main = z3.Store(main, item.base + n, z3.BitVecVal(_NEW_CELL, CELL_BITS))
        return replace(memory, main=main, may_hold_undef=True)

    def object(self, number: int) -> LocalObject:
        """The object of a number."""
        return self._objects[number]

    def _bases(self, pointer: Leaf) -> list[tuple[LocalObject | None, Term]]:
        """The objects that the pointer may be based on; None for main memory."""
        found: list[tuple[LocalObject | None, Term]] = []
        local = NEVER
        for number, condition in pointer.objects.items():
            item = self._objects[number]
            found.append((item, condition))
            local = either(local, condition)
        if not z3.is_true(local):
            found.append((None, inverse(local)))
        return found

    def check(self, pointer: Leaf, space: int, size: int, align: int, memory: Memory, *, write: bool) -> Term:  # fmt: skip
        """The generic address of an access; adds its undefined behaviour."""
        scope = self._scope
        address = generic_address(scope.inputs, pointer.bits, space)
        wrong = pointer.poison
        wrong = either(wrong, scope.varies(pointer))
        if align > 1:
            wrong = either(wrong, pointer.bits & (align - 1) != 0)
        for item, condition in self._bases(pointer):
            if item is None:
                outside = self._outside(pointer, address, space, size, memory, write)
                outside = either(outside, self._belongs_to_another(pointer, address, size))
            else:
                outside = (
                    z3.UGT(address - item.base, item.size - size) if size <= item.size else ALWAYS
                )
                if item.is_global:
                    outside = either(
                        outside, self._outside(pointer, address, space, size, memory, write)
                    )
                if item.number in memory.alive:
                    outside = either(outside, inverse(memory.alive[item.number]))
            wrong = either(wrong, both(condition, outside))
        scope.undefined(wrong)
        return address

    def assume_one_object(self, pointer: Leaf, address: Term, size: int) -> None:
        """An access of several parts by the original function is undefined if they are in different
        objects: the optimized function may compute the addresses of the parts with `inbounds`.
        """
        if self._scope.is_target:
            return
        apart = inverse(z3.And(*(same_object(address, address + n) for n in range(1, size))))
        for item, condition in self._bases(pointer):
            if item is None:
                self._scope.undefined(both(condition, apart))

    def _belongs_to_another(self, pointer: Leaf, address: Term, size: int) -> Term:
        """Whether the bytes belong to another object than the one that the pointer is based on."""
        if not self._scope.inputs.has_origins:
            return NEVER
        origin = origin_of(pointer)
        others = [_OWNER_OF(address + n) != origin for n in range(size)]
        known = z3.And(origin != NO_ORIGIN, origin != ANY_ORIGIN)
        return z3.simplify(z3.And(known, z3.Or(*others)))

    def _outside(self, pointer: Leaf, address: Term, space: int, size: int, memory: Memory, write: bool) -> Term:  # fmt: skip
        flag = WRITABLE if write else READABLE
        found = NEVER
        for n in range(size):
            cell = z3.Select(memory.main, address + n)
            found = either(found, z3.Not(_flag(cell, flag)))
            if write:
                found = either(found, z3.Not(_flag(cell, READABLE)))
            if space:
                found = either(found, _SPACE_OF(address + n) != space)
        if not pointer.wild:
            for item in self._objects.values():
                if item.escapes and not item.is_global:
                    overlap = z3.Or(
                        z3.ULT(address - item.base, item.size), z3.ULT(item.base - address, size)
                    )
                    found = either(found, overlap)
        return found

    def cell(self, pointer: Leaf, address: Term, memory: Memory) -> Term:
        """The cell at an address that a pointer was checked for."""
        found: Term = None
        for item, condition in self._bases(pointer):
            array = memory.main if item is None or item.escapes else memory.private[item.number]
            selected = z3.Select(array, address)
            if (item is None or item.is_global) and not memory.may_hold_undef:
                selected = selected & ~(0xFF << UNDEF)
            found = selected if found is None else choose(condition, selected, found)
        return found

    def put(self, pointer: Leaf, address: Term, cell: Term, memory: Memory) -> Memory:
        """Memory with another byte at an address and unchanged rights."""
        main, private = memory.main, dict(memory.private)
        for item, condition in self._bases(pointer):
            array = main if item is None or item.escapes else private[item.number]
            rights = z3.Extract(WRITABLE, READABLE, z3.Select(array, address))
            stored = z3.Store(array, address, with_rights(cell, rights))
            changed = choose(condition, stored, array)
            if item is None or item.escapes:
                main = changed
            else:
                private[item.number] = changed
        return replace(memory, main=main, private=private)

    def may_hold_undef(self, pointer: Leaf, memory: Memory) -> bool:
        """Whether a load through the pointer may yield undef."""
        return memory.may_hold_undef or any(key >= 0 for key in pointer.objects)

    def load_scalar(self, pointer: Leaf, address: Term, type_: Attribute, memory: Memory) -> Leaf:
        """The scalar at a checked address."""
        scope = self._scope
        width = width_of_scalar(type_, scope.layout)
        cells = [self.cell(pointer, address + n, memory) for n in range((width + 7) // 8)]
        if self.may_hold_undef(pointer, memory):
            cells = [z3.simplify(cell) for cell in cells]
        poison = NEVER
        for cell in cells:
            poison = either(poison, _flag(cell, POISON))
        bits, mask = _joined(cells, DATA), z3.simplify(_joined(cells, UNDEF))
        if width % 8:
            # A load of an odd width is defined if a store of the width wrote zeros above.
            above = z3.Extract(bits.size() - 1, width, bits | mask)
            poison = either(poison, above != 0)
            bits, mask = z3.Extract(width - 1, 0, bits), z3.Extract(width - 1, 0, mask)
            mask = z3.simplify(mask)
        undef = _variables_in(memory.undef, [bits, poison])
        leaf = Leaf(bits, poison)
        if not z3.is_false(z3.simplify(mask != 0)):
            leaf = scope.partly_undef(Undef(bits, mask), poison)
        leaf = replace(leaf, undef=(*leaf.undef, *undef))
        if not isinstance(type_, LLVMPointerType):
            return leaf
        origins = [z3.simplify(z3.Extract(CELL_BITS - 1, ORIGIN, cell)) for cell in cells]
        leaf = replace(leaf, wild=True, origin=origins[0])
        if not scope.inputs.has_origins:
            return leaf
        # Bytes of different pointers do not form a pointer.
        mixed = z3.simplify(z3.Or(*(o != origins[0] for o in origins)))
        return replace(leaf, poison=either(poison, mixed))

    def store_scalar(self, pointer: Leaf, address: Term, leaf: Leaf, memory: Memory) -> Memory:
        """Memory with a scalar stored at a checked address."""
        known = self._scope.undef_of(leaf)
        bits, mask = (leaf.bits, None) if known is None else (known.bits, known.mask)
        undef = leaf.undef if known is None else _variables_in(leaf.undef, [bits, leaf.poison])
        extra = -bits.size() % 8
        if extra:
            bits = z3.ZeroExt(extra, bits)
        mask = z3.BitVecVal(0, bits.size()) if mask is None else z3.ZeroExt(extra, mask)
        mask = z3.simplify(mask)
        poison = z3.If(leaf.poison, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))
        for n in range(bits.size() // 8):
            byte, hidden = (z3.Extract(8 * n + 7, 8 * n, part) for part in (bits, mask))
            rights = z3.BitVecVal(0, 2)
            cell = z3.Concat(origin_of(leaf), rights, poison, hidden, byte)
            memory = self.put(pointer, address + n, cell, memory)
        holds = memory.may_hold_undef or not z3.is_false(z3.simplify(mask != 0))
        found = tuple(dict.fromkeys((*memory.undef, *undef)))
        return replace(memory, may_hold_undef=holds, undef=found)


def _joined(cells: Sequence[Term], field: int) -> Term:
    parts = [z3.Extract(field + 7, field, cell) for cell in reversed(cells)]
    return z3.Concat(*parts) if len(parts) > 1 else parts[0]


def _variables_in(variables: Sequence[Term], terms: Sequence[Term]) -> tuple[Term, ...]:
    """The variables that occur in one of the terms."""
    return tuple(
        v
        for v in variables
        if any(not z3.substitute(t, (v, z3.BitVecVal(0, v.size()))).eq(t) for t in terms)
    )


def parts_in_memory(type_: Attribute, scope: Scope, offset: int = 0) -> list[tuple[Attribute, int]]:
    """The scalars of a type with their byte offsets. Raises UnsupportedError."""
    layout = scope.layout
    if isinstance(type_, LLVMStructType):
        offsets = layout.field_offsets(type_)
        return [
            part
            for inner, start in zip(type_.types.data, offsets)
            for part in parts_in_memory(inner, scope, offset + start)
        ]
    vector = vector_type(type_)
    if vector is not None:
        width = width_of_scalar(vector.element_type, layout)
        if width % 8:
            raise UnsupportedError("vector of bits in memory")
        return [(scalar, offset + n * (width // 8)) for n, scalar in enumerate(scalars_of(type_))]
    if isinstance(type_, LLVMArrayType):
        if type_.size.data > MOST_BYTES:
            raise UnsupportedError(f"access to more than {MOST_BYTES} bytes")
        size = layout.size(type_.type)
        return [
            part
            for n in range(type_.size.data)
            for part in parts_in_memory(type_.type, scope, offset + n * size)
        ]
    width_of_scalar(type_, layout)
    return [(type_, offset)]


def load(accessor: Accessor, pointer: Leaf, space: int, type_: Attribute, align: int, memory: Memory, scope: Scope) -> Value:  # fmt: skip
    """A load of any type."""
    size = access_size(type_, scope)
    address = accessor.check(pointer, space, size, align, memory, write=False)
    parts = parts_in_memory(type_, scope)
    if len(parts) > 1:
        accessor.assume_one_object(pointer, address, size)
    return tuple(
        accessor.load_scalar(pointer, address + offset, scalar, memory) for scalar, offset in parts
    )


def store(accessor: Accessor, pointer: Leaf, space: int, type_: Attribute, value: Value, align: int, memory: Memory, scope: Scope) -> Memory:  # fmt: skip
    """A store of any type."""
    size = access_size(type_, scope)
    address = accessor.check(pointer, space, size, align, memory, write=True)
    parts = parts_in_memory(type_, scope)
    if len(parts) > 1:
        accessor.assume_one_object(pointer, address, size)
    for (_, offset), leaf in zip(parts, value):
        memory = accessor.store_scalar(pointer, address + offset, leaf, memory)
    return memory


def access_size(type_: Attribute, scope: Scope) -> int:
    """The bytes of an access. Raises UnsupportedError for large ones."""
    size = scope.layout.store_size(type_)
    if size > MOST_BYTES:
        raise UnsupportedError(f"access to more than {MOST_BYTES} bytes")
    return size


def no_undef(main: Term, address: Term) -> Term:
    """The condition that a cell of main memory with unknown contents is not undef."""
    return z3.Extract(UNDEF + 7, UNDEF, z3.Select(main, address)) == 0


def same_cell(before: Term, after: Term, undef: Term, *, origins: bool) -> Term:
    """Whether a cell after optimization refines the cell before.

    Arguments:
        undef: the undef bits of the cell after, as one load sees them.
    """
    if before.eq(after):
        return ALWAYS
    (old, old_mask, old_origin), (new, new_mask, new_origin) = (_fields(c) for c in (before, after))
    loaded = (new & ~new_mask) | (undef & new_mask)
    same = z3.And(z3.Not(_flag(after, POISON)), (old ^ loaded) & ~old_mask == 0)
    if origins:
        # A byte of a pointer may replace a byte without an origin.
        whole = old_mask == -1
        same = z3.And(same, z3.Or(old_origin == new_origin, old_origin == NO_ORIGIN, whole))
    return z3.Or(_flag(before, POISON), same)


def _fields(cell: Term) -> tuple[Term, Term, Term]:
    """The data, the mask of undef bits, and the origin of a cell."""
    return (
        z3.Extract(DATA + 7, DATA, cell),
        z3.Extract(UNDEF + 7, UNDEF, cell),
        z3.Extract(CELL_BITS - 1, ORIGIN, cell),
    )
