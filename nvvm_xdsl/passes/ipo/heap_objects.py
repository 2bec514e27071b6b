"""Splitting of objects from `malloc` that a variable points to: separate memory for each used
field.

    @g = internal addrspace(1) global ptr null       ->  @g.f0, @g.f1 = internal addrspace(1) global ptr null

    %p = call ptr @malloc(i64 16)                        %g.f0 = call ptr @malloc(i64 8)
    store ptr %p, ptr addrspace(1) @g                    %g.f1 = call ptr @malloc(i64 8)
                                                         ; if one is null, frees the other and sets both to null
                                                         store ptr ..., ptr addrspace(1) @g.f0 (and @g.f1)

The malloc half of document 002's path B, which is LLVM 3's `PerformHeapAllocSRoA`. The variable
points to an object, or an array of objects, that is accessible only through it: the address is
stored only to the variable, and each loaded pointer is only used for accesses of fields,
comparisons with null, and free.

The variable may keep its object between launches, and so may the new variables. Unordered stores by
several threads are a race before and after the transformation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import (
    AddressOfOp,
    CallOp,
    FuncOp,
    GEPOp,
    ICmpOp,
    LLVMStructType,
    LoadOp,
    MulOp,
    OrOp,
    StoreOp,
    ZeroOp,
)
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.memory.accesses import common_alignment, is_simple_access, load, store
from nvvm_xdsl.analysis.memory.global_accesses import (
    Access,
    Accesses,
    erase_address,
    erase_unused_addresses,
    make_variable,
)
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    defined_name,
    element_type_of,
    enclosing_function,
    function_type_of,
    global_space,
    global_type_of,
    int_property,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, byte_offset, create_gep, gep_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.setters import set_alignment
from nvvm_xdsl.dialects.llvm.symbols import is_declaration
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, VOID, function, int_attr, pointer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC
from nvvm_xdsl.transforms.builder import EQ, NE, Builder, hoist_static_allocas
from nvvm_xdsl.transforms.runtime_calls import call_function, declare_function

MALLOC_ALIGNMENT: Final = 16
"""Alignment of memory from `malloc` (CUDA C++ Programming Guide, "Dynamic Global Memory
Allocation").
"""

_RUNTIME: Final = {
    "malloc": function((I64,), pointer(GENERIC)),
    "free": function((pointer(GENERIC),)),
}

SLT: Final = 2
"""MLIR's enumeration value of `icmp slt`."""


@dataclass
class Place:
    """An access to an object.

    Arguments:
        op: the load or store.
        root: the pointer to the object from which the address is computed.
        element: the index of the array element; None if the index is constant.
        offset: the constant part of the offset, in bytes.
    """

    op: Operation
    root: SSAValue
    element: SSAValue | None
    offset: int
    field: int = -1


@dataclass
class HeapObject:
    """All uses of the object that a variable points to.

    Arguments:
        struct: the type of the object, or of the elements of the array.
        mallocs: the calls of `malloc`.
        places: the accesses.
        comparisons: the comparisons of pointers to the object with null.
        releases: the calls of `free`.
    """

    struct: LLVMStructType
    mallocs: list[Operation] = field(default_factory=list["Operation"])
    places: list[Place] = field(default_factory=list["Place"])
    comparisons: list[Operation] = field(default_factory=list["Operation"])
    releases: list[Operation] = field(default_factory=list["Operation"])

    def fields(self) -> list[int]:
        """The fields that are accessed."""
        return sorted({place.field for place in self.places})


def heap_object(
    variable: Operation, found: Accesses, symbols: dict[str, Operation], layout: DataLayout
) -> HeapObject | None:
    """The object of `malloc` that a variable points to, if it can be split."""
    if not _is_runtime("malloc", symbols) or not _is_runtime("free", symbols) or found.fills:
        return None
    type_ = global_type_of(variable)
    if not _starts_as_null(variable):
        return None
    if any(a.offset != 0 or a.type != type_ for a in (*found.loads, *found.stores)):
        return None
    roots: dict[SSAValue, None] = {a.op.results[0]: None for a in found.loads}
    mallocs: dict[Operation, None] = {}
    for access in found.stores:
        value = fast.operands_of(access.op)[0]
        owner = value.owner
        if type(owner) is ZeroOp:
            continue
        if not isinstance(owner, CallOp) or callee_of(owner) != "malloc":
            return None
        mallocs[owner] = None
        roots[value] = None
    stores = {a.op for a in found.stores}
    struct = _struct_of(roots)
    size = 0 if struct is None else layout.size(struct)
    if struct is None or not mallocs or not size:
        return None
    made = HeapObject(struct, list(mallocs))
    follower = _Follower(made, stores, layout, size)
    if not all(follower.follow(root) for root in roots):
        return None
    if not all(_count_of(op, size) for op in mallocs):
        return None
    return made


def _is_runtime(name: str, symbols: dict[str, Operation]) -> bool:
    """Returns True if calls of the name are calls of the runtime's function."""
    op = symbols.get(name)
    return op is None or (
        isinstance(op, FuncOp) and is_declaration(op) and function_type_of(op) == _RUNTIME[name]
    )


def _starts_as_null(variable: Operation) -> bool:
    block = variable.regions[0].first_block
    return block is not None and type(block.first_op) is ZeroOp


def _struct_of(roots: dict[SSAValue, None]) -> LLVMStructType | None:
    """The struct type that subscripts of the pointers refer to."""
    for root in roots:
        for user in fast.users_of(root):
            if type(user) is GEPOp:
                type_ = element_type_of(user)
                if isinstance(type_, LLVMStructType):
                    return type_
    return None


def _count_of(malloc: Operation, size: int) -> tuple[SSAValue | None, int] | None:
    """The number of allocated objects, a value times a number; None if it is unknown."""
    (bytes_,) = fast.operands_of(malloc)
    number = constant_integer(bytes_)
    if number is not None:
        return (None, number // size) if number > 0 and number % size == 0 else None
    owner = bytes_.owner
    if type(owner) is MulOp:
        for one, other in ((0, 1), (1, 0)):
            operands = fast.operands_of(owner)
            factor = constant_integer(operands[other])
            if factor is not None and factor > 0 and factor % size == 0:
                return operands[one], factor // size
    return None


class _Follower:
    """Collects all uses of pointers to an object."""

    def __init__(
        self, made: HeapObject, stores: set[Operation], layout: DataLayout, size: int
    ) -> None:
        self.made = made
        self.stores = stores
        self.layout = layout
        self.size = size

    def follow(self, root: SSAValue) -> bool:
        """Collects the uses of a pointer to the object; returns whether all are allowed."""
        pending: list[tuple[SSAValue, SSAValue | None, int]] = [(root, None, 0)]
        while pending:
            at, element, offset = pending.pop()
            for user, index in fast.uses_of(at):
                cls = type(user)
                if cls is GEPOp:
                    step = self._step(user, element, offset)
                    if step is None:
                        return False
                    pending.append((user.results[0], *step))
                elif cls in (LoadOp, StoreOp) and index == len(fast.operands_of(user)) - 1:
                    if not self._access(Place(user, root, element, offset)):
                        return False
                elif at is not root or not self._record_object_use(user, index):
                    return False
        return True

    def _record_object_use(self, user: Operation, index: int) -> bool:
        """Records a use of a pointer to the whole object; returns whether it is allowed."""
        cls = type(user)
        if user in self.stores:
            return True
        if cls is ICmpOp and int_property(user, "predicate") in (EQ, NE):
            other = fast.operands_of(user)[1 - index]
            if type(other.owner) is ZeroOp:
                self.made.comparisons.append(user)
                return True
        if callee_of(user) == "free":
            self.made.releases.append(user)
            return True
        return False

    def _step(
        self, gep: Operation, element: SSAValue | None, offset: int
    ) -> tuple[SSAValue | None, int] | None:
        if gep.results[0].type != pointer(GENERIC):
            return None
        found = gep_offset(gep, self.layout)
        if found is None or len(found.terms) > 1 or (found.terms and element is not None):
            return None
        if found.terms:
            ((element, scale),) = found.terms
            if scale != self.size:
                return None
        return element, offset + found.constant

    def _access(self, place: Place) -> bool:
        """Records an access; returns whether it is a plain access to one field."""
        op = place.op
        if not is_simple_access(op):
            return False
        type_ = op.results[0].type if type(op) is LoadOp else fast.operands_of(op)[0].type
        bytes_ = self.layout.store_size(type_)
        if place.offset < 0:
            return False
        at = place.offset % self.size
        struct = self.made.struct
        for number, start in enumerate(self.layout.field_offsets(struct)):
            if start <= at and at + bytes_ <= start + self.layout.size(struct.types.data[number]):
                place.field = number
                self.made.places.append(place)
                return True
        return False


class HeapSplit:
    """Splits an object into its fields.

    Arguments:
        variable: the variable that points to the object; it is erased.
        found: the uses of the variable.
        made: the uses of the object.
        layout: the module's data layout.
        names: the names of the new variables, one for each field in use.
    """

    def __init__(
        self,
        module: ModuleOp,
        variable: Operation,
        found: Accesses,
        made: HeapObject,
        layout: DataLayout,
        names: Sequence[str],
    ) -> None:
        self.names = names
        self.module = module
        self.variable = variable
        self.found = found
        self.made = made
        self.layout = layout
        self.used = made.fields()
        self.name = defined_name(variable)
        self.size = layout.size(made.struct)
        self.pointers: dict[SSAValue, list[SSAValue]] = {}
        """The pointers to the fields that replace each pointer to the object."""
        self.accesses: list[Accesses] = []

    def run(self) -> dict[str, tuple[Operation, Accesses]]:
        """Returns the new variables and their uses, by name."""
        variables: dict[str, tuple[Operation, Accesses]] = {}
        for name in self.names:
            type_ = global_type_of(self.variable)
            made = make_variable(self.variable, name, type_, "zero", 8)
            self.accesses.append(Accesses())
            variables[name] = made, self.accesses[-1]
        for access in self.found.loads:
            self._load(access.op)
        for malloc in self.made.mallocs:
            self._allocate(malloc)
        for access in self.found.stores:
            self._store(access.op)
        for place in self.made.places:
            self._access(place)
        for comparison in self.made.comparisons:
            for index, value in enumerate(fast.operands_of(comparison)):
                if value in self.pointers:
                    fast.set_operand(comparison, index, self.pointers[value][0])
        for release in self.made.releases:
            for part in self.pointers[fast.operands_of(release)[0]]:
                fast.insert_before(_call_again(release, part), release)
            fast.erase(release)
        self._erase()
        return variables

    def _address(self, number: int, before: Operation) -> SSAValue:
        space = global_space(self.variable)
        name = SymbolRefAttr(self.names[number])
        op = fast.create(AddressOfOp, (), (pointer(space),), {"global_name": name})
        fast.insert_before(op, before)
        self.accesses[number].addresses.append(op)
        return op.results[0]

    def _load(self, op: Operation) -> None:
        parts: list[SSAValue] = []
        for number, found in enumerate(self.accesses):
            value = load(self._address(number, op), pointer(GENERIC), 8, op, op.location)
            fast.set_name(value, f"{self.name}.f{self.used[number]}")
            found.loads.append(Access(fast.producer_of(value), 0, value.type))
            parts.append(value)
        self.pointers[op.results[0]] = parts

    def _store(self, op: Operation) -> None:
        value = fast.operands_of(op)[0]
        for number, found in enumerate(self.accesses):
            part = self.pointers[value][number] if value in self.pointers else value
            made = store(part, self._address(number, op), 8, op, op.location)
            found.stores.append(Access(made, 0, part.type))
        fast.erase(op)

    def _allocate(self, malloc: Operation) -> None:
        """Allocates memory for each field; if one allocation fails, frees the others."""
        func = enclosing_function(malloc)
        constants = Constants(func)
        hoist_static_allocas(func, constants)
        count = _count_of(malloc, self.size)
        assert count is not None
        times, factor = count
        following = malloc.next_op
        assert following is not None
        builder = Builder(following, constants)
        parts: list[SSAValue] = []
        for number in self.used:
            bytes_ = factor * self.layout.size(self.made.struct.types.data[number])
            size = constants.integer(bytes_, I64)
            if times is not None:
                size = builder.value(MulOp, (times, size), I64, {"overflowFlags": int_attr(0, I32)})
            call = _call_again(malloc, size)
            fast.insert_before(call, following)
            fast.set_name(call.results[0], f"{self.name}.f{number}")
            parts.append(call.results[0])
        if len(parts) > 1:
            parts = self._all_or_none(builder, parts, times)
        self.pointers[malloc.results[0]] = parts

    def _all_or_none(
        self, builder: Builder, parts: Sequence[SSAValue], times: SSAValue | None
    ) -> list[SSAValue]:
        declare_function(self.module, "free", (pointer(GENERIC),))
        null = builder.constants.zero(pointer(GENERIC))
        failed: SSAValue | None = None
        if times is not None:
            failed = builder.compare(SLT, times, builder.constants.integer(0, I64))
            fast.set_name(failed, f"{self.name}.isneg")
        for number, part in enumerate(parts):
            test = builder.compare(EQ, part, null)
            fast.set_name(test, f"{self.name}.isnull")
            if failed is None:
                failed = test
            else:
                failed = builder.value(OrOp, (failed, test), I1)
                fast.set_name(failed, f"tmp{number}")
        assert failed is not None
        builder.split()
        types = [pointer(GENERIC)] * len(parts)
        go_on = builder.new_block("malloc_cont", types)
        give_up = builder.new_block("malloc_ret_null")
        builder.conditional_branch(failed, give_up, go_on, (), parts)
        builder.start(give_up)
        for number, part in enumerate(parts):
            free_it = builder.new_block(f"free_it{number}")
            following = builder.new_block(f"next{number}")
            there = builder.compare(NE, part, null)
            fast.set_name(there, f"{self.name}.f{self.used[number]}.nonnull")
            builder.conditional_branch(there, free_it, following)
            builder.start(free_it)
            builder.branch(following)
            last = free_it.last_op
            assert last is not None
            call_function("free", (part,), VOID, last)
            builder.start(following)
        builder.branch(go_on, [null] * len(parts))
        builder.start(go_on)
        builder.finish()
        return list(go_on.args)

    def _access(self, place: Place) -> None:
        """Redirects an access to the memory of its field."""
        op = place.op
        number = self.used.index(place.field)
        part = self.made.struct.types.data[place.field]
        index = len(fast.operands_of(op)) - 1
        address = self.pointers[place.root][number]
        step = self.layout.size(part)
        element, offset = divmod(place.offset, self.size)
        offset -= self.layout.field_offsets(self.made.struct)[place.field]
        type_ = op.results[0].type if op.results else fast.operands_of(op)[0].type
        alignment = stated_alignment(op, self.layout.alignment(type_))
        if place.element is not None:
            gep = create_gep((address, place.element), (DYNAMIC_INDEX,), part, address.type)
            fast.insert_before(gep, op)
            address = gep.results[0]
            alignment = min(alignment, common_alignment(MALLOC_ALIGNMENT, step))
        address = byte_offset(address, element * step + offset, op)
        alignment = min(alignment, common_alignment(MALLOC_ALIGNMENT, element * step + offset))
        set_alignment(op, alignment)
        old = fast.producer_of(fast.operands_of(op)[index])
        fast.set_operand(op, index, address)
        erase_address(old)

    def _erase(self) -> None:
        """Erases the old pointers, their addresses and the variable."""
        for root in self.pointers:
            for user in list(fast.users_of(root)):
                erase_unused_addresses(user)
            fast.erase(fast.producer_of(root))
        for address in self.found.addresses:
            erase_unused_addresses(address)
        fast.erase(self.variable)


def _call_again(call: Operation, argument: SSAValue) -> Operation:
    """Copies the call with another argument and without attributes of its result."""
    made = fast.copy_op(call, {})
    made.properties.pop("res_attrs", None)
    fast.set_operand(made, 0, argument)
    return made


__all__ = ["HeapObject", "HeapSplit", "heap_object"]
